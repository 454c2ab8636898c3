//! The inclusion solver behind [`crate::points_to`]: nodes with sets of targets, edges along which targets flow.
//!
//! A worklist with difference propagation: a node hands on only what is new (Pearce, Kelly and Hankin, "Efficient
//! field-sensitive pointer analysis of C", 2007). Nodes on a cycle of plain copies have the same targets in the end and
//! become one; most cycles lead through unknown addresses. Targets flow in waves (Pereira and Berlin, "Wave propagation and
//! deep propagation for pointer analysis", CGO 2009): cycles are united, then every node hands on in the order of the copies, then
//! loads and stores through what is new make new edges. Memory is a node per object and byte range that is stored to, and one per range that is loaded;
//! overlapping ones are connected. Of an offset with an index only the remainder is known, and a set with more than [`MANY`]
//! offsets into one object keeps what they have in common.

use crate::objects::{ObjectId, Objects};
use std::collections::HashSet;

/// How many offsets into one object a set keeps apart.
const MANY: usize = 8;
/// So many targets are put into a set one by one; more are merged with it.
const FEW: usize = 4;

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
    /// In ascending order.
    targets: Vec<Target>,
    /// Those that were not handed on yet.
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
    /// The node that a node has become one with, or itself.
    same_as: Vec<NodeId>,
    /// All edges, of which nodes have lists.
    edges: HashSet<(NodeId, NodeId, Move)>,
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
        let n = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node::default());
        self.same_as.push(n);
        n
    }

    pub fn targets(&self, n: NodeId) -> &[Target] {
        &self.nodes[self.find(n)].targets
    }

    /// The index of the node that a node has become.
    fn find(&self, mut n: NodeId) -> usize {
        while self.same_as[n.0 as usize] != n {
            n = self.same_as[n.0 as usize];
        }
        n.0 as usize
    }

    /// An address outside its object can only come back: where to is not followed.
    fn within(&self, mut t: Target) -> Target {
        let size = self.objects.size(t.object);
        let beyond = |o: u64| size.is_some_and(|s| o > s);
        if t.object == ObjectId::UNKNOWN || t.offset.known().is_some_and(beyond) {
            t.offset = Offset::ANY;
        }
        t
    }

    /// Adds a target.
    pub fn add(&mut self, n: NodeId, t: Target) {
        let t = self.within(t);
        let n = self.find(n);
        if self.nodes[n].add(t) {
            self.enqueue(n);
        }
    }

    /// Adds targets, in ascending order of their objects; whether any was new.
    fn add_all(&mut self, n: usize, all: impl Iterator<Item = Target>) -> bool {
        let node = &self.nodes[n];
        let mut from = 0;
        let new: Vec<Target> = all
            .map(|t| self.within(t))
            .filter(|t| {
                from += node.targets[from..].partition_point(|x| x.object < t.object);
                let known = node.targets[from..].iter();
                let mut known = known.take_while(|x| x.object == t.object);
                !known.any(|x| x.offset.includes(t.offset))
            })
            .collect();
        if new.is_empty() {
            return false;
        }
        self.nodes[n].add_new(&new);
        self.enqueue(n);
        true
    }

    fn enqueue(&mut self, n: usize) {
        if !std::mem::replace(&mut self.nodes[n].queued, true) {
            self.queue.push(NodeId(n as u32));
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
        let (from, to) = (self.find(from), self.find(to));
        let key = (NodeId(from as u32), NodeId(to as u32), by);
        if (from == to && by == Move::Same) || !self.edges.insert(key) {
            return;
        }
        self.nodes[from].edges.push((key.1, by));
        let targets = std::mem::take(&mut self.nodes[from].targets);
        let moved = targets.iter().filter_map(|t| Solver::moved(*t, by));
        match from == to {
            // What comes of them is added behind.
            true => {
                let moved: Vec<Target> = moved.collect();
                self.nodes[from].targets = targets;
                self.add_all(to, moved.into_iter());
            }
            false => {
                self.add_all(to, moved);
                self.nodes[from].targets = targets;
            }
        }
    }

    /// Registers what happens for each target; gives those calls that are already known.
    pub fn on_targets(&mut self, n: NodeId, what: Use) -> Vec<(u32, Target)> {
        let n = self.find(n);
        self.nodes[n].uses.push(what);
        let mut entered = Vec::new();
        for t in self.nodes[n].targets.clone() {
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
        let mut all: Vec<Target> = Vec::new();
        for n in self.stored(o) {
            all.extend(&self.nodes[n].targets);
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The nodes of what was ever stored in an object.
    fn stored(&self, o: ObjectId) -> Vec<usize> {
        let stores = self.cells.get(o.0 as usize).into_iter();
        let nodes = stores.flat_map(|c| &c.stores);
        let mut all: Vec<usize> = nodes.map(|(_, n)| self.find(*n)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The objects that can be reached from some by following stored pointers, these included.
    pub fn closure(&self, from: impl IntoIterator<Item = ObjectId>) -> Vec<ObjectId> {
        let mut seen = vec![false; self.objects.ids().count()];
        let mut passed: HashSet<usize> = HashSet::new();
        let mut found = Vec::new();
        let mut todo: Vec<ObjectId> = from.into_iter().collect();
        while let Some(o) = todo.pop() {
            if std::mem::replace(&mut seen[o.0 as usize], true) {
                continue;
            }
            found.push(o);
            for n in self.stored(o) {
                if passed.insert(n) {
                    let targets = self.nodes[n].targets.iter().map(|t| t.object);
                    todo.extend(targets.filter(|t| !seen[t.0 as usize]));
                }
            }
        }
        found
    }

    /// Hands targets on until nothing changes or a call is entered; gives those calls.
    pub fn run(&mut self) -> Vec<(u32, Target)> {
        let mut entered = Vec::new();
        while !self.queue.is_empty() {
            let mut wave = Vec::new();
            for n in self.next_wave() {
                let fresh = self.hand_on(n);
                if !self.nodes[n].uses.is_empty() {
                    wave.push((n, fresh));
                }
            }
            for (n, fresh) in wave {
                let uses = self.nodes[n].uses.clone();
                for t in &fresh {
                    for what in &uses {
                        self.apply(*what, *t, &mut entered);
                    }
                }
            }
        }
        entered
    }

    /// The nodes that hand on next, in the order of the copies.
    fn next_wave(&mut self) -> Vec<usize> {
        let queue = std::mem::take(&mut self.queue);
        if queue.len() < FEW {
            // What comes of a few is waited for first.
            let all = queue.iter().map(|n| self.find(*n));
            return all.collect();
        }
        let order = Cycles::of(self);
        for (one, other) in &order.united {
            self.unite(*one, *other);
        }
        self.queue.clear();
        order.nodes
    }

    /// Hands what is new on along the edges of a node.
    fn hand_on(&mut self, n: usize) -> Vec<Target> {
        if !std::mem::take(&mut self.nodes[n].queued) {
            return Vec::new();
        }
        let mut fresh = std::mem::take(&mut self.nodes[n].fresh);
        fresh.sort_unstable();
        let edges = std::mem::take(&mut self.nodes[n].edges);
        for (to, by) in &edges {
            let to = self.find(*to);
            if to != n || *by != Move::Same {
                self.add_all(to, fresh.iter().filter_map(|t| Solver::moved(*t, *by)));
            }
        }
        self.nodes[n].edges = edges;
        fresh
    }

    /// Makes two nodes one, which is the first.
    fn unite(&mut self, one: usize, other: usize) {
        if one == other || self.same_as[other].0 as usize != other {
            return;
        }
        self.same_as[other] = NodeId(one as u32);
        let gone = std::mem::take(&mut self.nodes[other]);
        for (to, by) in gone.edges {
            let to = NodeId(self.find(to) as u32);
            if self.edges.insert((NodeId(one as u32), to, by)) {
                self.nodes[one].edges.push((to, by));
            }
        }
        self.nodes[one].uses.extend(gone.uses);
        self.add_all(one, gone.targets.into_iter());
        // What each of them was used for now happens for all targets; what happened before happens again without effect.
        self.nodes[one].fresh = self.nodes[one].targets.clone();
        self.enqueue(one);
    }
}

impl Node {
    /// Adds a target; whether it is new.
    fn add(&mut self, mut t: Target) -> bool {
        let from = self.targets.partition_point(|x| x.object < t.object);
        let to = from + self.targets[from..].partition_point(|x| x.object == t.object);
        let known = &self.targets[from..to];
        if known.iter().any(|x| x.offset.includes(t.offset)) {
            return false;
        }
        if known.len() >= MANY {
            t.offset = known.iter().fold(t.offset, |all, x| all.join(x.offset));
        }
        let kept: Vec<Target> = known
            .iter()
            .copied()
            .filter(|x| !t.offset.includes(x.offset))
            .collect();
        let at = kept.partition_point(|x| *x < t);
        let (before, behind) = kept.split_at(at);
        let group = before.iter().chain([&t]).chain(behind).copied();
        let group: Vec<Target> = group.collect();
        self.targets.splice(from..to, group);
        self.fresh.push(t);
        true
    }

    /// Adds targets that are not included, in ascending order of their objects.
    fn add_new(&mut self, new: &[Target]) {
        if new.len() <= FEW {
            for t in new {
                self.add(*t);
            }
            return;
        }
        let old = std::mem::take(&mut self.targets);
        let mut merged = Vec::with_capacity(old.len() + new.len());
        let mut at = 0;
        for alike in new.chunk_by(|a, b| a.object == b.object) {
            let object = alike[0].object;
            let from = at + old[at..].partition_point(|x| x.object < object);
            let to = from + old[from..].partition_point(|x| x.object == object);
            merged.extend_from_slice(&old[at..from]);
            at = to;
            let mut group = Node {
                targets: old[from..to].to_vec(),
                ..Node::default()
            };
            for t in alike {
                group.add(*t);
            }
            merged.append(&mut group.targets);
            self.fresh.append(&mut group.fresh);
        }
        merged.extend_from_slice(&old[at..]);
        self.targets = merged;
    }
}

/// The cycles of copies, and the other nodes in the order of the copies (Tarjan, SIAM J. Comput. 1972).
struct Cycles<'s> {
    solver: &'s Solver,
    /// When each node was met, from 1; 0 for those that were not.
    met: Vec<u32>,
    /// The earliest node on the stack that each reaches.
    lowest: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    time: u32,
    nodes: Vec<usize>,
    united: Vec<(usize, usize)>,
}

/// What is left to do: which nodes become one, and the order of all.
struct Order {
    nodes: Vec<usize>,
    united: Vec<(usize, usize)>,
}

impl Cycles<'_> {
    fn of(solver: &Solver) -> Order {
        let count = solver.nodes.len();
        let mut all = Cycles {
            solver,
            met: vec![0; count],
            lowest: vec![0; count],
            on_stack: vec![false; count],
            stack: Vec::new(),
            time: 0,
            nodes: Vec::new(),
            united: Vec::new(),
        };
        for n in 0..count {
            if solver.same_as[n].0 as usize == n && all.met[n] == 0 {
                all.search(n);
            }
        }
        // A node is done behind all that it leads to.
        all.nodes.reverse();
        Order {
            nodes: all.nodes,
            united: all.united,
        }
    }

    fn meet(&mut self, n: usize) {
        self.time += 1;
        (self.met[n], self.lowest[n]) = (self.time, self.time);
        self.on_stack[n] = true;
        self.stack.push(n);
    }

    fn search(&mut self, start: usize) {
        self.meet(start);
        let mut way = vec![(start, 0)];
        while let Some((n, next)) = way.last_mut() {
            let n = *n;
            let edge = self.solver.nodes[n].edges.get(*next).copied();
            *next += 1;
            match edge {
                Some((to, Move::Same)) => {
                    let to = self.solver.find(to);
                    if self.met[to] == 0 {
                        self.meet(to);
                        way.push((to, 0));
                    } else if self.on_stack[to] {
                        self.lowest[n] = self.lowest[n].min(self.met[to]);
                    }
                }
                Some(_) => {}
                None => {
                    way.pop();
                    if let Some((before, _)) = way.last() {
                        self.lowest[*before] = self.lowest[*before].min(self.lowest[n]);
                    }
                    if self.lowest[n] == self.met[n] {
                        self.end_cycle(n);
                    }
                }
            }
        }
    }

    /// All on the stack from a node on are one cycle.
    fn end_cycle(&mut self, first: usize) {
        self.nodes.push(first);
        while let Some(n) = self.stack.pop() {
            self.on_stack[n] = false;
            if n == first {
                break;
            }
            self.united.push((first, n));
        }
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
    fn nodes_on_a_cycle_become_one_and_are_used_alike() {
        let mut s = Solver::default();
        let x = s.objects.add(Object::Global(GlobalId(0)), Some(8));
        let y = s.objects.add(Object::Global(GlobalId(1)), Some(8));
        let nodes: Vec<NodeId> = (0..6).map(|_| s.node()).collect();
        for (i, n) in nodes.iter().enumerate() {
            s.edge(*n, nodes[(i + 1) % 6], Move::Same);
        }
        // What is stored through one of them is loaded through another.
        let (value, loaded) = (s.node(), s.node());
        s.add(value, target(y, 0));
        let store = Use::Store {
            src: value,
            length: 8,
        };
        let load = Use::Load {
            dst: loaded,
            length: 8,
        };
        s.on_targets(nodes[1], store);
        s.on_targets(nodes[4], load);
        s.on_targets(nodes[2], Use::Enter(7));
        s.add(nodes[3], target(x, 0));
        assert_eq!(s.run(), [(7, target(x, 0))]);
        assert!(nodes.iter().all(|n| s.targets(*n) == [target(x, 0)]));
        assert_eq!(s.targets(loaded), [target(y, 0)]);
        assert_eq!(s.closure([x]), [x, y]);
        // What comes later goes everywhere, too.
        s.add(nodes[5], target(y, 0));
        s.run();
        let both = [target(x, 0), target(y, 0)];
        assert!(nodes.iter().all(|n| s.targets(*n) == both));
        let one = s.find(nodes[0]);
        let united = nodes.iter().filter(|n| s.find(**n) == one).count();
        assert!(united == 6 || s.queue.is_empty());
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
