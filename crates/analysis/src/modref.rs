//! What a call of a function may read and write, and what else it may do.
//!
//! Summaries bottom-up over the call graph: the accesses of the function and of everything it may call, as objects
//! with byte ranges (Banning, 1979, over [`crate::points_to`]). Not per path and not per call site. The objects of the
//! callees' own activations are included. Threads that it makes are not: they run beside it. See
//! [`crate::accesses`] for how ends of objects count.

use crate::accesses::{Access, Accesses, Bytes};
use crate::calls::CallGraph;
use crate::objects::ObjectId;
use crate::points_to::PointsTo;
use raddle_ir::{FuncId, Op, Program, SyncOp};
use std::collections::{BTreeMap, BTreeSet};

/// How many ranges of one object are kept apart.
const MANY: usize = 16;

/// A set of bytes of objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    ranges: BTreeMap<ObjectId, BTreeSet<Bytes>>,
}

impl Region {
    fn add(&mut self, object: ObjectId, bytes: Bytes) -> bool {
        let known = self.ranges.entry(object).or_default();
        if known.contains(&Bytes::Any) || known.contains(&bytes) {
            return false;
        }
        if bytes == Bytes::Any || known.len() >= MANY {
            known.clear();
            known.insert(Bytes::Any);
        } else {
            known.insert(bytes);
        }
        true
    }

    fn add_all(&mut self, other: &Region) -> bool {
        let mut changed = false;
        for (object, ranges) in &other.ranges {
            for bytes in ranges {
                changed |= self.add(*object, *bytes);
            }
        }
        changed
    }

    /// The objects in it.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.ranges.keys().copied()
    }

    /// The ranges of an object in it.
    pub fn ranges(&self, object: ObjectId) -> impl Iterator<Item = Bytes> + '_ {
        self.ranges.get(&object).into_iter().flatten().copied()
    }

    /// Whether every byte of a range that one access touches is in it.
    pub fn covers(&self, object: ObjectId, bytes: Bytes) -> bool {
        self.ranges(object).any(|r| r.covers(bytes))
    }

    /// Whether some byte is in both.
    pub fn overlaps(&self, other: &Region) -> bool {
        self.ranges.iter().any(|(object, ranges)| {
            let theirs: Vec<Bytes> = other.ranges(*object).collect();
            ranges.iter().any(|a| theirs.iter().any(|b| a.overlaps(*b)))
        })
    }
}

/// What a call of a function may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// What it may read.
    pub reads: Region,
    /// What it may write, or end.
    pub writes: Region,
    /// What it may use as synchronisation objects.
    pub sync: Region,
    /// It may wait for other threads.
    pub may_block: bool,
    /// It may make heap objects.
    pub may_allocate: bool,
    /// It may make threads.
    pub may_create_threads: bool,
    /// It may end the thread or the process.
    pub may_end: bool,
}

impl Summary {
    fn add_access(&mut self, a: &Access) {
        if a.read {
            self.reads.add(a.object, a.bytes);
        }
        if a.write {
            self.writes.add(a.object, a.bytes);
        }
        if matches!(a.kind, crate::accesses::Kind::Sync(_)) {
            self.sync.add(a.object, a.bytes);
        }
    }

    fn add(&mut self, other: &Summary) -> bool {
        let before = self.flags();
        self.may_block |= other.may_block;
        self.may_allocate |= other.may_allocate;
        self.may_create_threads |= other.may_create_threads;
        self.may_end |= other.may_end;
        let mut changed = before != self.flags();
        changed |= self.reads.add_all(&other.reads);
        changed |= self.writes.add_all(&other.writes);
        changed |= self.sync.add_all(&other.sync);
        changed
    }

    fn flags(&self) -> [bool; 4] {
        [
            self.may_block,
            self.may_allocate,
            self.may_create_threads,
            self.may_end,
        ]
    }
}

/// Summaries of all reachable functions.
#[derive(Clone, Debug)]
pub struct ModRef {
    summaries: Vec<Summary>,
}

impl ModRef {
    /// Computes all summaries.
    pub fn new(
        program: &Program,
        points_to: &PointsTo,
        calls: &CallGraph,
        accesses: &Accesses,
    ) -> ModRef {
        let mut summaries = vec![Summary::default(); program.functions.len()];
        for f in points_to.reachable() {
            summaries[f.0 as usize] = own(program, f, accesses);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &f in calls.callees_first() {
                let mut summary = std::mem::take(&mut summaries[f.0 as usize]);
                let mut grew = false;
                for e in calls.outgoing(f).iter().filter(|e| !e.thread) {
                    if e.callee != f {
                        grew |= summary.add(&summaries[e.callee.0 as usize]);
                    }
                }
                summaries[f.0 as usize] = summary;
                // Without recursion one pass in this order is enough.
                changed |= grew && calls.is_recursive(f);
            }
        }
        ModRef { summaries }
    }

    /// The summary of a function.
    pub fn of(&self, f: FuncId) -> &Summary {
        &self.summaries[f.0 as usize]
    }
}

fn own(program: &Program, f: FuncId, accesses: &Accesses) -> Summary {
    let mut summary = Summary::default();
    for a in accesses.of(f) {
        summary.add_access(a);
    }
    for instr in program.function(f).blocks.iter().flat_map(|b| &b.instrs) {
        match &instr.op {
            Op::Alloc {
                memory: raddle_ir::Memory::Heap,
                ..
            } => summary.may_allocate = true,
            Op::Sync { op, .. } => {
                summary.may_block |= op.can_block();
                summary.may_create_threads |= *op == SyncOp::ThreadNew;
                summary.may_end |= op.ends_thread();
            }
            // An assume that fails inside an atomic block makes the thread wait before it.
            Op::AtomicBegin { .. } => summary.may_block = true,
            _ => {}
        }
    }
    summary
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Object;
    use raddle_ir::GlobalId;

    #[test]
    fn effects_of_callees_are_effects_of_callers() {
        let text = "int a[2], b; void *malloc(unsigned long);
            void set(int *p) { *p = 1; } int *outer(void) { set(&a[1]); b = a[0]; return malloc(4); }
            int idle(void) { return 3; }
            int main(void) { return *outer() + idle(); }";
        let options = raddle_c::Options::default();
        let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
        let points_to = PointsTo::new(&program);
        let calls = CallGraph::new(&program, &points_to);
        let accesses = Accesses::new(&program, &points_to);
        let facts = ModRef::new(&program, &points_to, &calls, &accesses);
        let of = |n: &str| facts.of(program.function_named(n).expect("a function"));
        let global = |n: &str| {
            let at = program.globals.iter().position(|g| g.name == n);
            let id = GlobalId(at.expect("a global") as u32);
            points_to.objects().id(Object::Global(id)).expect("used")
        };
        let word = |from: u64| Bytes::Range { from, to: from + 4 };
        let outer = of("outer");
        assert!(
            outer.writes.covers(global("a"), word(4)) && !outer.writes.covers(global("a"), word(0))
        );
        assert!(
            outer.reads.covers(global("a"), word(0)) && outer.writes.covers(global("b"), word(0))
        );
        assert!(outer.may_allocate && !outer.may_block && !outer.may_create_threads);
        assert_eq!(of("idle"), &Summary::default());
        assert!(of("main").writes.overlaps(&of("set").writes));
    }
}
