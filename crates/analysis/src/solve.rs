//! The inclusion solver behind [`crate::points_to`]: nodes with sets of targets, edges along which targets flow.
//!
//! A worklist with difference propagation: a node hands on only what is new (Pearce, Kelly and Hankin, "Efficient
//! field-sensitive pointer analysis of C", 2007, without their online cycle detection, which programs of this size
//! do not need). Memory is a node per object and byte range that is stored to, and one per range that is loaded;
//! overlapping ones are connected. Of an offset with an index only the remainder is known, and a set with more than [`MANY`]
//! offsets into one object keeps what they have in common.

use crate::objects::{ObjectId, Objects};

/// How many offsets into one object a set keeps apart.
const MANY: usize = 8;

/// A set of targets in the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub u32);

/// A byte offset in an object, or all that are so many bytes apart: the same member of every element of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Offset {
    /// For several offsets the smallest.
    at: u32,
    /// 0 for a single offset.
    stride: u32,
}

impl Offset {
    /// Somewhere.
    pub const ANY: Offset = Offset { at: 0, stride: 1 };

    /// An offset; those beyond 4 GiB are any.
    pub fn at(bytes: u64) -> Offset {
        u32::try_from(bytes).map_or(Offset::ANY, |at| Offset { at, stride: 0 })
    }

    /// The number of bytes, if it is known.
    pub fn known(self) -> Option<u64> {
        (self.stride == 0).then_some(u64::from(self.at))
    }

    /// The smallest.
    pub(crate) fn first(self) -> u64 {
        u64::from(self.at)
    }

    /// How far several are apart; 0 for a single one.
    pub(crate) fn stride(self) -> u64 {
        u64::from(self.stride)
    }

    /// All offsets that are a multiple of `stride` bytes from this one.
    fn every(self, stride: u64) -> Offset {
        let stride = gcd(u64::from(self.stride), stride);
        match u32::try_from(stride) {
            Ok(0) => self,
            Ok(stride) => Offset {
                at: self.at % stride,
                stride,
            },
            Err(_) => Offset::ANY,
        }
    }

    fn moved(self, by: i64) -> Offset {
        match self.stride {
            0 => match u64::try_from(i64::from(self.at) + by) {
                Ok(at) => Offset::at(at),
                Err(_) => Offset::ANY,
            },
            stride => Offset {
                at: (i64::from(self.at) + by % i64::from(stride)).rem_euclid(i64::from(stride))
                    as u32,
                stride,
            },
        }
    }

    /// The smallest set of offsets with both.
    fn join(self, other: Offset) -> Offset {
        let apart = self.at.abs_diff(other.at);
        let stride = gcd(u64::from(other.stride), u64::from(apart));
        self.every(stride)
    }

    fn includes(self, other: Offset) -> bool {
        self.join(other) == self
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

impl std::fmt::Debug for Offset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.stride {
            0 => write!(f, "+{}", self.at),
            1 => f.write_str("+?"),
            stride => write!(f, "+{}+{stride}n", self.at),
        }
    }
}

/// Where a value may point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target {
    /// The object.
    pub object: ObjectId,
    /// The offset in it.
    pub offset: Offset,
}

/// How targets change along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Move {
    Same,
    By(i64),
    /// By a multiple of so many bytes.
    Every(u64),
    Any,
    /// Any offset, and an unknown origin does not pass.
    Index,
}

/// What happens for each target of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Load {
        dst: NodeId,
        length: u32,
    },
    Store {
        src: NodeId,
        length: u32,
    },
    /// An index into the caller's list of calls and thread creations.
    Enter(u32),
}

/// A range of bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    offset: Offset,
    length: u32,
}

impl Range {
    fn overlaps(self, other: Range) -> bool {
        let (a, b) = (self.offset, other.offset);
        match gcd(u64::from(a.stride), u64::from(b.stride)) {
            0 => {
                let (a, b) = (u64::from(a.at), u64::from(b.at));
                a < b + u64::from(other.length) && b < a + u64::from(self.length)
            }
            apart => {
                let from = (u64::from(b.at) + apart - u64::from(a.at) % apart) % apart;
                from < u64::from(self.length) || apart - from < u64::from(other.length)
            }
        }
    }

    /// A value stored here and loaded there is the value itself, not a piece of it. Offsets that are not known are taken
    /// to be equal if they may be: a mixture of the bytes of two pointers is no pointer.
    fn whole(self, load: Range) -> Move {
        let (a, b) = (self.offset, load.offset);
        let meet = match gcd(u64::from(a.stride), u64::from(b.stride)) {
            0 => a == b,
            apart => u64::from(a.at) % apart == u64::from(b.at) % apart,
        };
        match self.length == load.length && meet {
            true => Move::Same,
            false => Move::Any,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Node {
    targets: Vec<Target>,
    fresh: Vec<Target>,
    edges: Vec<(NodeId, Move)>,
    uses: Vec<Use>,
    queued: bool,
}

#[derive(Clone, Debug, Default)]
struct Cells {
    stores: Vec<(Range, NodeId)>,
    loads: Vec<(Range, NodeId)>,
}

/// The state of the solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solver {
    pub objects: Objects,
    nodes: Vec<Node>,
    cells: Vec<Cells>,
    queue: Vec<NodeId>,
    pointer: u32,
}

impl Solver {
    pub fn new(pointer: u32) -> Solver {
        Solver {
            pointer,
            ..Solver::default()
        }
    }

    pub fn node(&mut self) -> NodeId {
        self.nodes.push(Node::default());
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub fn targets(&self, n: NodeId) -> &[Target] {
        &self.nodes[n.0 as usize].targets
    }

    /// Adds a target.
    pub fn add(&mut self, n: NodeId, mut t: Target) {
        let size = self.objects.size(t.object);
        // An address outside its object can only come back: where to is not followed.
        if t.object == ObjectId::UNKNOWN
            || t.offset
                .known()
                .is_some_and(|o| size.is_some_and(|s| o > s))
        {
            t.offset = Offset::ANY;
        }
        let node = &mut self.nodes[n.0 as usize];
        let from = node.targets.partition_point(|x| x.object < t.object);
        let to = from + node.targets[from..].partition_point(|x| x.object == t.object);
        let known = &node.targets[from..to];
        if known.iter().any(|x| x.offset.includes(t.offset)) {
            return;
        }
        if known.len() >= MANY {
            t.offset = known.iter().fold(t.offset, |all, x| all.join(x.offset));
        }
        let wide = t.offset;
        node.targets
            .retain(|x| x.object != t.object || !wide.includes(x.offset));
        let at = node.targets.partition_point(|x| *x < t);
        node.targets.insert(at, t);
        node.fresh.push(t);
        if !std::mem::replace(&mut node.queued, true) {
            self.queue.push(n);
        }
    }

    fn moved(t: Target, by: Move) -> Option<Target> {
        let offset = match by {
            Move::Index if t.object == ObjectId::UNKNOWN => return None,
            Move::Same => t.offset,
            Move::By(n) => t.offset.moved(n),
            Move::Every(stride) => t.offset.every(stride),
            Move::Any | Move::Index => Offset::ANY,
        };
        Some(Target { offset, ..t })
    }

    pub fn edge(&mut self, from: NodeId, to: NodeId, by: Move) {
        let by = if by == Move::By(0) { Move::Same } else { by };
        if (from == to && by == Move::Same) || self.nodes[from.0 as usize].edges.contains(&(to, by))
        {
            return;
        }
        self.nodes[from.0 as usize].edges.push((to, by));
        for t in self.nodes[from.0 as usize].targets.clone() {
            if let Some(t) = Solver::moved(t, by) {
                self.add(to, t);
            }
        }
    }

    /// Registers what happens for each target; gives those calls that are already known.
    pub fn on_targets(&mut self, n: NodeId, what: Use) -> Vec<(u32, Target)> {
        self.nodes[n.0 as usize].uses.push(what);
        let mut entered = Vec::new();
        for t in self.nodes[n.0 as usize].targets.clone() {
            self.apply(what, t, &mut entered);
        }
        entered
    }

    fn apply(&mut self, what: Use, t: Target, entered: &mut Vec<(u32, Target)>) {
        let range = |length| Range {
            offset: t.offset,
            // Behind an unknown address all accesses meet.
            length: if t.object == ObjectId::UNKNOWN {
                self.pointer
            } else {
                length
            },
        };
        match what {
            Use::Load { dst, length } => {
                let cell = self.load_cell(t.object, range(length));
                self.edge(cell, dst, Move::Same);
            }
            Use::Store { src, length } => {
                let cell = self.store_cell(t.object, range(length));
                self.edge(src, cell, Move::Same);
            }
            Use::Enter(call) => entered.push((call, t)),
        }
    }

    fn cells(&mut self, o: ObjectId) -> &mut Cells {
        let at = o.0 as usize;
        if self.cells.len() <= at {
            self.cells.resize_with(at + 1, Cells::default);
        }
        &mut self.cells[at]
    }

    fn store_cell(&mut self, o: ObjectId, range: Range) -> NodeId {
        if let Some((_, n)) = self.cells(o).stores.iter().find(|(r, _)| *r == range) {
            return *n;
        }
        let n = self.node();
        self.cells(o).stores.push((range, n));
        for (r, load) in self.cells(o).loads.clone() {
            if range.overlaps(r) {
                self.edge(n, load, range.whole(r));
            }
        }
        n
    }

    fn load_cell(&mut self, o: ObjectId, range: Range) -> NodeId {
        if let Some((_, n)) = self.cells(o).loads.iter().find(|(r, _)| *r == range) {
            return *n;
        }
        let n = self.node();
        self.cells(o).loads.push((range, n));
        for (r, store) in self.cells(o).stores.clone() {
            if r.overlaps(range) {
                self.edge(store, n, r.whole(range));
            }
        }
        n
    }

    /// The node of what lies in a range of an object from the start.
    pub fn initial(&mut self, o: ObjectId, offset: Offset, length: u32) -> NodeId {
        self.store_cell(o, Range { offset, length })
    }

    /// The node of everything that is read out of an object.
    pub fn everything(&mut self, o: ObjectId, length: u32) -> NodeId {
        let offset = Offset::ANY;
        self.load_cell(o, Range { offset, length })
    }

    /// All targets of what was ever stored in an object.
    pub fn contents(&self, o: ObjectId) -> Vec<Target> {
        let stores = self.cells.get(o.0 as usize).into_iter();
        let nodes = stores.flat_map(|c| &c.stores).map(|(_, n)| *n);
        let mut all: Vec<Target> = nodes
            .flat_map(|n| self.targets(n).iter().copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Hands targets on until nothing changes or a call is entered; gives those calls.
    pub fn run(&mut self) -> Vec<(u32, Target)> {
        let mut entered = Vec::new();
        while let Some(n) = self.queue.pop() {
            let node = &mut self.nodes[n.0 as usize];
            node.queued = false;
            let fresh = std::mem::take(&mut node.fresh);
            let edges = node.edges.clone();
            let uses = node.uses.clone();
            for t in &fresh {
                for (to, by) in &edges {
                    if let Some(t) = Solver::moved(*t, *by) {
                        self.add(*to, t);
                    }
                }
                for what in &uses {
                    self.apply(*what, *t, &mut entered);
                }
            }
        }
        entered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Object;
    use raddle_ir::GlobalId;

    fn target(object: ObjectId, at: u64) -> Target {
        Target {
            object,
            offset: Offset::at(at),
        }
    }

    #[test]
    fn a_stored_pointer_is_loaded_from_its_place_only() {
        let mut s = Solver::default();
        let x = s.objects.add(Object::Global(GlobalId(0)), Some(4));
        let r = s.objects.add(Object::Global(GlobalId(1)), Some(16));
        let (value, first, second) = (s.node(), s.node(), s.node());
        s.add(value, target(x, 0));
        s.add(first, target(r, 0));
        s.add(second, target(r, 8));
        s.on_targets(
            second,
            Use::Store {
                src: value,
                length: 8,
            },
        );
        let (from_first, from_second, piece) = (s.node(), s.node(), s.node());
        s.on_targets(
            first,
            Use::Load {
                dst: from_first,
                length: 8,
            },
        );
        s.on_targets(
            second,
            Use::Load {
                dst: from_second,
                length: 8,
            },
        );
        s.on_targets(
            second,
            Use::Load {
                dst: piece,
                length: 1,
            },
        );
        s.run();
        assert!(s.targets(from_first).is_empty());
        assert_eq!(s.targets(from_second), [target(x, 0)]);
        assert_eq!(s.targets(piece)[0].offset, Offset::ANY);
    }

    #[test]
    fn a_pointer_that_walks_ends_as_every_element() {
        let mut s = Solver::default();
        let a = s.objects.add(Object::Global(GlobalId(0)), Some(400));
        let p = s.node();
        s.add(p, target(a, 0));
        s.edge(p, p, Move::By(4));
        s.run();
        assert_eq!(s.targets(p).len(), 1);
        assert_eq!(s.targets(p)[0].offset, Offset::at(0).every(4));
    }

    #[test]
    fn members_of_elements_are_kept_apart() {
        let range = |at, stride, length| Range {
            offset: Offset::at(at).every(stride),
            length,
        };
        assert!(!range(0, 16, 8).overlaps(range(8, 16, 4)));
        assert!(range(0, 16, 8).overlaps(range(4, 16, 4)));
        assert!(range(12, 16, 8).overlaps(range(0, 16, 4)));
        assert!(!range(0, 16, 8).overlaps(range(24, 0, 4)));
        assert!(range(0, 16, 8).overlaps(range(36, 0, 4)));
        assert!(range(0, 16, 8).overlaps(range(8, 12, 4)));
        assert!(range(0, 16, 8).overlaps(range(3, 1, 1)));
        assert_eq!(Offset::at(8).every(16).moved(-24), Offset::at(0).every(16));
        assert!(Offset::at(8).every(8).includes(Offset::at(0).every(16)));
        assert!(!Offset::at(0).every(16).includes(Offset::at(8)));
    }
}
