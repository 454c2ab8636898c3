//! Lookup tables of an ordering problem: who writes and reads what in which chain, and what a literal does.

use super::problem::{EventId, EventKind, NodeId, OrderProblem, ReadsFromId};
use super::reach::{ChainId, Chains};
use crate::sat::Lit;
use std::collections::HashMap;

/// What a literal means when it becomes true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// A reads-from choice is taken.
    ReadsFrom(ReadsFromId),
    /// An event occurs.
    Occurs(EventId),
    /// One event comes before another.
    Order(EventId, EventId),
    /// A group becomes indivisible.
    Group(u32),
}

/// A location, numbered densely.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place(pub u32);

/// An edge that would hold if its literal were true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PossibleEdge {
    /// The literal.
    pub literal: Lit,
    /// The node that would come later.
    pub after: NodeId,
}

/// The tables.
#[derive(Default)]
pub struct Tables {
    /// The location that an event accesses.
    pub place: Vec<Option<Place>>,
    /// Whether an event is a write.
    pub is_write: Vec<bool>,
    /// Writes to a place in a chain, earlier ones first.
    writes: Vec<Vec<Vec<EventId>>>,
    /// Reads of a place.
    pub reads: Vec<Vec<EventId>>,
    /// The choices of a read or write.
    pub choices: Vec<Vec<ReadsFromId>>,
    /// Edges that would leave a node.
    pub possible_out: Vec<Vec<PossibleEdge>>,
    /// The nodes of each group.
    pub group_nodes: Vec<Vec<NodeId>>,
    /// The groups of each node.
    pub groups_of: Vec<Vec<u32>>,
    actions: HashMap<Lit, Vec<Action>>,
}

impl Tables {
    /// Builds the tables of a problem.
    pub fn of(problem: &OrderProblem, chains: &Chains) -> Tables {
        let mut places: HashMap<u32, Place> = HashMap::new();
        let mut tables = Tables {
            choices: vec![Vec::new(); problem.events().len()],
            possible_out: vec![Vec::new(); problem.nodes().len()],
            groups_of: vec![Vec::new(); problem.nodes().len()],
            ..Tables::default()
        };
        for id in problem.event_ids() {
            let event = problem.event(id);
            let location = match event.kind {
                EventKind::Read(location) | EventKind::Write(location) => Some(location),
                EventKind::Other => None,
            };
            let place = location.map(|location| {
                let next = Place(places.len() as u32);
                *places.entry(location.0).or_insert(next)
            });
            tables.place.push(place);
            tables
                .is_write
                .push(matches!(event.kind, EventKind::Write(_)));
            if let Some(literal) = event.occurs {
                tables.on(literal, Action::Occurs(id));
            }
        }
        tables.writes = vec![vec![Vec::new(); chains.nodes.len()]; places.len()];
        tables.reads = vec![Vec::new(); places.len()];
        for &node in &chains.sorted {
            for &id in &problem.nodes()[node.index()] {
                let Some(place) = tables.place[id.index()] else {
                    continue;
                };
                if tables.is_write[id.index()] {
                    let chain = chains.chain_of(node).0 as usize;
                    tables.writes[place.0 as usize][chain].push(id);
                } else {
                    tables.reads[place.0 as usize].push(id);
                }
            }
        }
        for (index, choice) in problem.reads_from().iter().enumerate() {
            let id = ReadsFromId(index as u32);
            tables.choices[choice.write.index()].push(id);
            tables.choices[choice.read.index()].push(id);
            tables.on(choice.literal, Action::ReadsFrom(id));
        }
        for edge in problem.conditional_edges() {
            tables.possible(problem, edge.literal, edge.before, edge.after);
        }
        for order in problem.order_literals() {
            tables.possible(problem, order.literal, order.first, order.second);
            tables.possible(problem, !order.literal, order.second, order.first);
        }
        for (index, group) in problem.groups().iter().enumerate() {
            let mut nodes: Vec<NodeId> = group
                .members
                .iter()
                .map(|&event| problem.event(event).node)
                .collect();
            nodes.sort_unstable();
            nodes.dedup();
            for node in &nodes {
                tables.groups_of[node.index()].push(index as u32);
            }
            tables.group_nodes.push(nodes);
            tables.on(group.literal, Action::Group(index as u32));
        }
        tables
    }

    fn on(&mut self, literal: Lit, action: Action) {
        self.actions.entry(literal).or_default().push(action);
    }

    fn possible(&mut self, problem: &OrderProblem, literal: Lit, before: EventId, after: EventId) {
        let (from, to) = (problem.event(before).node, problem.event(after).node);
        self.possible_out[from.index()].push(PossibleEdge { literal, after: to });
        self.on(literal, Action::Order(before, after));
    }

    /// What happens when a literal becomes true.
    pub fn actions(&self, literal: Lit) -> &[Action] {
        self.actions.get(&literal).map_or(&[], Vec::as_slice)
    }

    /// The writes to a place in a chain, earlier ones first.
    pub fn writes_in(&self, place: Place, chain: ChainId) -> &[EventId] {
        &self.writes[place.0 as usize][chain.0 as usize]
    }

    /// The writes to a place.
    pub fn writes(&self, place: Place) -> impl Iterator<Item = EventId> + '_ {
        self.writes[place.0 as usize].iter().flatten().copied()
    }

    /// Number of places.
    pub fn place_count(&self) -> usize {
        self.reads.len()
    }
}
