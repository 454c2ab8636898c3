//! An ordering problem as plain data: events, what is known about their order, and which literals decide
//! the rest.
//!
//! **Meaning.** A solution is a total order of *all* events, occurring or not, together with values for the
//! literals, such that
//! 1. fixed edges hold, and so does every conditional edge whose literal is true;
//! 2. the events of a block stand next to each other, in the order in which they were added;
//! 3. the events of an indivisible group whose literal is true stand next to each other, in any order;
//! 4. if the literal of "read `r` sees write `w`" is true, then both occur, `w` comes before `r`, and no other
//!    occurring write to that location stands between them.
//!
//! Nothing says that a read must see a write: the owner of the problem adds that as a clause, which leaves
//! room for an "open" choice standing for writes that are not there yet. Everything is append-only, so a
//! problem can grow between solves.
//!
//! Blocks are merged into single nodes of the order graph: an edge to one event of a block is an edge to all.

use crate::sat::Lit;

macro_rules! typed_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

typed_id!(
    /// An event of an [`OrderProblem`].
    EventId
);
typed_id!(
    /// A memory location; the owner of the problem chooses the numbers.
    LocationId
);
typed_id!(
    /// A block of events that nothing can interrupt.
    BlockId
);
typed_id!(
    /// A node of the order graph: one event, or all events of one block.
    NodeId
);
typed_id!(
    /// A possible reads-from choice.
    ReadsFromId
);

/// What an event does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// Reads a location.
    Read(LocationId),
    /// Writes a location.
    Write(LocationId),
    /// Touches no location; only its place in the order matters.
    Other,
}

/// One event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// What it does.
    pub kind: EventKind,
    /// The literal that says whether it occurs; `None` if it always does.
    pub occurs: Option<Lit>,
    /// Its node in the order graph.
    pub node: NodeId,
    /// Its position among the events of its node.
    pub position: u32,
}

/// A possible reads-from choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadsFrom {
    /// The write that is seen.
    pub write: EventId,
    /// The read that sees it.
    pub read: EventId,
    /// The literal of the choice.
    pub literal: Lit,
}

/// An edge that holds when its literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConditionalEdge {
    /// The literal.
    pub literal: Lit,
    /// The earlier event.
    pub before: EventId,
    /// The later event.
    pub after: EventId,
}

/// Events that stand next to each other when the literal is true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The literal.
    pub literal: Lit,
    /// The events.
    pub members: Vec<EventId>,
}

/// A branching literal of the theory itself: true if `first` comes before `second`, false if after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderLiteral {
    /// The literal.
    pub literal: Lit,
    /// One event.
    pub first: EventId,
    /// The other event.
    pub second: EventId,
}

/// An ordering problem; see the module documentation for its meaning.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct OrderProblem {
    events: Vec<Event>,
    nodes: Vec<Vec<EventId>>,
    blocks: Vec<Option<NodeId>>,
    fixed: Vec<(EventId, EventId)>,
    reads_from: Vec<ReadsFrom>,
    edges: Vec<ConditionalEdge>,
    groups: Vec<Group>,
    order_literals: Vec<OrderLiteral>,
}

impl OrderProblem {
    /// A problem without events.
    pub fn new() -> OrderProblem {
        OrderProblem::default()
    }

    /// Adds an event that stands alone.
    pub fn add_event(&mut self, kind: EventKind, occurs: Option<Lit>) -> EventId {
        let node = NodeId(self.nodes.len() as u32);
        self.nodes.push(Vec::new());
        self.push_event(kind, occurs, node)
    }

    /// Makes an empty block.
    pub fn add_block(&mut self) -> BlockId {
        self.blocks.push(None);
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Adds an event as the last one of a block.
    pub fn add_block_event(
        &mut self,
        block: BlockId,
        kind: EventKind,
        occurs: Option<Lit>,
    ) -> EventId {
        let node = match self.blocks[block.index()] {
            Some(node) => node,
            None => {
                let node = NodeId(self.nodes.len() as u32);
                self.nodes.push(Vec::new());
                self.blocks[block.index()] = Some(node);
                node
            }
        };
        self.push_event(kind, occurs, node)
    }

    fn push_event(&mut self, kind: EventKind, occurs: Option<Lit>, node: NodeId) -> EventId {
        let id = EventId(self.events.len() as u32);
        let position = self.nodes[node.index()].len() as u32;
        self.nodes[node.index()].push(id);
        self.events.push(Event {
            kind,
            occurs,
            node,
            position,
        });
        id
    }

    /// States that one event always comes before another.
    pub fn add_order(&mut self, before: EventId, after: EventId) {
        self.fixed.push((before, after));
    }

    /// States that one event comes before another when the literal is true.
    pub fn add_conditional_order(&mut self, literal: Lit, before: EventId, after: EventId) {
        self.edges.push(ConditionalEdge {
            literal,
            before,
            after,
        });
    }

    /// Adds a possible reads-from choice.
    ///
    /// # Panics
    /// If the events are not a write and a read of one location.
    pub fn add_reads_from(&mut self, literal: Lit, write: EventId, read: EventId) -> ReadsFromId {
        match (self.event(write).kind, self.event(read).kind) {
            (EventKind::Write(a), EventKind::Read(b)) if a == b => {}
            other => panic!("reads-from between {other:?}"),
        }
        self.reads_from.push(ReadsFrom {
            write,
            read,
            literal,
        });
        ReadsFromId(self.reads_from.len() as u32 - 1)
    }

    /// States that the events stand next to each other when the literal is true.
    pub fn add_group(&mut self, literal: Lit, members: &[EventId]) {
        self.groups.push(Group {
            literal,
            members: members.to_vec(),
        });
    }

    /// Adds a literal that decides the order of two events both ways.
    pub fn add_order_literal(&mut self, literal: Lit, first: EventId, second: EventId) {
        self.order_literals.push(OrderLiteral {
            literal,
            first,
            second,
        });
    }

    /// The event behind an id.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// All events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The ids of all events.
    pub fn event_ids(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.events.len() as u32).map(EventId)
    }

    /// The events of every node, in their order.
    pub fn nodes(&self) -> &[Vec<EventId>] {
        &self.nodes
    }

    /// All fixed edges.
    pub fn fixed_edges(&self) -> &[(EventId, EventId)] {
        &self.fixed
    }

    /// All reads-from choices.
    pub fn reads_from(&self) -> &[ReadsFrom] {
        &self.reads_from
    }

    /// All conditional edges.
    pub fn conditional_edges(&self) -> &[ConditionalEdge] {
        &self.edges
    }

    /// All groups.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// All branching literals.
    pub fn order_literals(&self) -> &[OrderLiteral] {
        &self.order_literals
    }

    /// Every literal that the problem mentions, with repetitions.
    pub fn literals(&self) -> impl Iterator<Item = Lit> + '_ {
        let occurrences = self.events.iter().filter_map(|event| event.occurs);
        occurrences
            .chain(self.reads_from.iter().map(|choice| choice.literal))
            .chain(self.edges.iter().map(|edge| edge.literal))
            .chain(self.groups.iter().map(|group| group.literal))
            .chain(self.order_literals.iter().map(|order| order.literal))
    }
}
