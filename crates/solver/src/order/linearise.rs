//! From a saturated order to a total one.
//!
//! A saturated, acyclic order is not yet a solution: writes to one location may still be unordered, and not
//! every completion is consistent (deciding that is NP-hard: Gibbons and Korach, 1997). So events are
//! scheduled greedily, never overwriting a value that somebody still has to read. That succeeds nearly
//! always; when it gets stuck, the unordered pairs of writes in its way are reported, and the solver branches
//! on them in both directions. Once all writes to a location are ordered, every schedule succeeds.

use super::problem::{EventId, NodeId};
use super::reach::Reachability;
use super::theory::OrderTheory;

/// The result of completing an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Completion {
    /// A total order of all events that satisfies everything.
    Order(Vec<EventId>),
    /// Pairs of events that must be ordered first.
    Undecided(Vec<(EventId, EventId)>),
}

struct Schedule {
    /// How many nodes of each chain are done.
    done: Vec<u32>,
    /// The write that each place holds.
    last: Vec<Option<EventId>>,
    /// How many reads each write still owes its value.
    owed: Vec<u32>,
    order: Vec<EventId>,
}

impl<R: Reachability> OrderTheory<R> {
    /// Completes the current order, which must be saturated and without conflict.
    pub fn complete(&mut self) -> Completion {
        let units = self.units();
        if let Some(pairs) = self.undecided_inside(&units) {
            return Completion::Undecided(pairs);
        }
        let mut schedule = Schedule {
            done: vec![0; self.chains.nodes.len()],
            last: vec![None; self.tables.place_count()],
            owed: vec![0; self.problem.events().len()],
            order: Vec::with_capacity(self.problem.events().len()),
        };
        for choice in self.source.iter().flatten() {
            schedule.owed[self.problem.reads_from()[choice.index()].write.index()] += 1;
        }
        let mut unit_of = vec![usize::MAX; self.problem.nodes().len()];
        for (index, unit) in units.iter().enumerate() {
            for node in unit {
                unit_of[node.index()] = index;
            }
        }
        while schedule.order.len() < self.problem.events().len() {
            match self.advance(&mut schedule, &units, &unit_of) {
                Ok(()) => {}
                Err(pairs) if pairs.is_empty() => {
                    return Completion::Undecided(self.all_undecided());
                }
                Err(pairs) => return Completion::Undecided(pairs),
            }
        }
        Completion::Order(schedule.order)
    }

    /// The active groups as sets of nodes, overlapping ones joined.
    fn units(&self) -> Vec<Vec<NodeId>> {
        let mut units: Vec<Vec<NodeId>> = Vec::new();
        for &group in &self.active_groups {
            let mut joined = self.tables.group_nodes[group as usize].clone();
            let mut rest = Vec::new();
            for unit in units {
                if unit.iter().any(|node| joined.contains(node)) {
                    joined.extend(unit);
                } else {
                    rest.push(unit);
                }
            }
            joined.sort_unstable();
            joined.dedup();
            rest.push(joined);
            units = rest;
        }
        units
    }

    /// In a unit made of several groups everything must be ordered, else the groups may interleave.
    fn undecided_inside(&self, units: &[Vec<NodeId>]) -> Option<Vec<(EventId, EventId)>> {
        let mut pairs = Vec::new();
        for unit in units {
            let single = self
                .active_groups
                .iter()
                .any(|&group| self.tables.group_nodes[group as usize] == *unit);
            if single
                && self
                    .active_groups
                    .iter()
                    .filter(|&&group| unit.contains(&self.tables.group_nodes[group as usize][0]))
                    .count()
                    == 1
            {
                continue;
            }
            for (index, &a) in unit.iter().enumerate() {
                for &b in &unit[index + 1..] {
                    if !self.reach.reaches(&self.chains, a, b)
                        && !self.reach.reaches(&self.chains, b, a)
                    {
                        pairs.push((
                            self.problem.nodes()[a.index()][0],
                            self.problem.nodes()[b.index()][0],
                        ));
                    }
                }
            }
        }
        (!pairs.is_empty()).then_some(pairs)
    }

    fn is_ready(&self, schedule: &Schedule, node: NodeId, inside: &[NodeId]) -> bool {
        (0..self.chains.nodes.len()).all(|chain| {
            let bound = self
                .reach
                .bound(&self.chains, super::reach::ChainId(chain as u32), node);
            let missing = &self.chains.nodes[chain]
                [(schedule.done[chain].min(bound)) as usize..bound as usize];
            missing.iter().all(|before| inside.contains(before))
        })
    }

    /// Schedules one more node or unit, or says which writes stand in the way.
    fn advance(
        &self,
        schedule: &mut Schedule,
        units: &[Vec<NodeId>],
        unit_of: &[usize],
    ) -> Result<(), Vec<(EventId, EventId)>> {
        let mut blocked = Vec::new();
        let mut writers = Vec::new();
        for chain in 0..self.chains.nodes.len() {
            let Some(&node) = self.chains.nodes[chain].get(schedule.done[chain] as usize) else {
                continue;
            };
            let alone = [node];
            let unit: &[NodeId] = units
                .get(unit_of[node.index()])
                .map_or(&alone, Vec::as_slice);
            if !unit
                .iter()
                .all(|&member| self.is_ready(schedule, member, unit))
            {
                continue;
            }
            let writes = unit
                .iter()
                .flat_map(|member| &self.problem.nodes()[member.index()])
                .any(|event| self.tables.is_write[event.index()] && self.occurs[event.index()]);
            if writes {
                writers.push(unit.to_vec());
            } else if self.run_unit(schedule, unit, &mut blocked) {
                return Ok(());
            }
        }
        for unit in writers {
            if self.run_unit(schedule, &unit, &mut blocked) {
                return Ok(());
            }
        }
        blocked.retain(|&(a, b)| !self.before(a, b) && !self.before(b, a));
        blocked.sort_unstable();
        blocked.dedup();
        Err(blocked)
    }

    /// Runs the nodes of a unit in some order that overwrites no owed value; false leaves the schedule alone.
    fn run_unit(
        &self,
        schedule: &mut Schedule,
        unit: &[NodeId],
        blocked: &mut Vec<(EventId, EventId)>,
    ) -> bool {
        let saved = (
            schedule.last.clone(),
            schedule.order.len(),
            schedule.done.clone(),
        );
        let mut left = unit.to_vec();
        while !left.is_empty() {
            let mut ran = None;
            for (index, &node) in left.iter().enumerate() {
                if self.is_ready(schedule, node, &[]) && self.run_node(schedule, node, blocked) {
                    ran = Some(index);
                    break;
                }
            }
            match ran {
                Some(index) => {
                    left.remove(index);
                }
                None => {
                    for &event in &schedule.order[saved.1..] {
                        self.pay(&mut schedule.owed, event, 1);
                    }
                    schedule.order.truncate(saved.1);
                    (schedule.last, schedule.done) = (saved.0, saved.2);
                    return false;
                }
            }
        }
        true
    }

    fn pay(&self, owed: &mut [u32], event: EventId, amount: i32) {
        if let Some(choice) = self.source[event.index()] {
            let write = self.problem.reads_from()[choice.index()].write;
            owed[write.index()] = owed[write.index()].wrapping_add_signed(amount);
        }
    }

    fn run_node(
        &self,
        schedule: &mut Schedule,
        node: NodeId,
        blocked: &mut Vec<(EventId, EventId)>,
    ) -> bool {
        let events = &self.problem.nodes()[node.index()];
        let mut undo: Vec<(usize, Option<EventId>)> = Vec::new();
        for (index, &event) in events.iter().enumerate() {
            self.pay(&mut schedule.owed, event, -1);
            let Some(place) = self.tables.place[event.index()] else {
                continue;
            };
            if !self.tables.is_write[event.index()] || !self.occurs[event.index()] {
                continue;
            }
            let slot = place.0 as usize;
            if let Some(last) = schedule.last[slot]
                && schedule.owed[last.index()] > 0
            {
                blocked.push((last, event));
                for &(slot, write) in undo.iter().rev() {
                    schedule.last[slot] = write;
                }
                for &earlier in &events[..=index] {
                    self.pay(&mut schedule.owed, earlier, 1);
                }
                return false;
            }
            undo.push((slot, schedule.last[slot]));
            schedule.last[slot] = Some(event);
        }
        schedule.order.extend_from_slice(events);
        schedule.done[self.chains.chain_of(node).0 as usize] += 1;
        true
    }

    /// All unordered pairs of occurring writes to one location.
    fn all_undecided(&self) -> Vec<(EventId, EventId)> {
        let mut pairs = Vec::new();
        for place in 0..self.tables.place_count() as u32 {
            let writes: Vec<EventId> = self
                .tables
                .writes(super::tables::Place(place))
                .filter(|write| self.occurs[write.index()])
                .collect();
            for (index, &a) in writes.iter().enumerate() {
                for &b in &writes[index + 1..] {
                    if !self.before(a, b) && !self.before(b, a) {
                        pairs.push((a, b));
                    }
                }
            }
        }
        pairs
    }
}
