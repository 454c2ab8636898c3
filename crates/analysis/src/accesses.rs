//! The accesses of each function to memory, with the objects and bytes they may touch.
//!
//! The end of an object counts as a write of all its bytes: `free`, the end of a slot's scope, and the return from a
//! function for its own stack objects. A thread that ends by `thread_exit` ends the stack objects of all its
//! activations; that is charged to the functions they belong to. Thread-local objects end with their thread, which is
//! charged to nobody.

use crate::fold::reachable_blocks;
use crate::objects::{Object, ObjectId};
use crate::points_to::PointsTo;
use crate::solve::Target;
use raddle_ir::{BlockId, FuncId, Location, Op, Program, SyncOp, Terminator};

/// The bytes of an object that are touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bytes {
    /// These.
    Range {
        /// The first.
        from: u64,
        /// One past the last.
        to: u64,
    },
    /// Some.
    Any,
}

impl Bytes {
    /// Whether a byte can be in both.
    pub fn overlaps(self, other: Bytes) -> bool {
        match (self, other) {
            (Bytes::Range { from: a, to: b }, Bytes::Range { from: c, to: d }) => a < d && c < b,
            _ => true,
        }
    }

    /// Whether all of the others are in here.
    pub fn covers(self, other: Bytes) -> bool {
        match (self, other) {
            (Bytes::Range { from: a, to: b }, Bytes::Range { from: c, to: d }) => a <= c && d <= b,
            (Bytes::Any, _) => true,
            (_, Bytes::Any) => false,
        }
    }
}

/// How memory is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// By a load, store or atomic operation.
    Data,
    /// As a synchronisation object.
    Sync(SyncOp),
    /// Its life ends.
    End,
}

/// A possible access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Where.
    pub at: Location,
    /// What.
    pub object: ObjectId,
    /// Which bytes.
    pub bytes: Bytes,
    /// It may read.
    pub read: bool,
    /// It may write.
    pub write: bool,
    /// It is atomic, or synchronisation.
    pub atomic: bool,
    /// How.
    pub kind: Kind,
}

/// All accesses of reachable functions, callees not included.
#[derive(Clone, Debug)]
pub struct Accesses {
    by_function: Vec<Vec<Access>>,
}

impl Accesses {
    /// Collects them.
    pub fn new(program: &Program, points_to: &PointsTo) -> Accesses {
        let mut by_function = vec![Vec::new(); program.functions.len()];
        for f in points_to.reachable() {
            by_function[f.0 as usize] = of_function(program, points_to, f);
        }
        Accesses { by_function }
    }

    /// Those in a function, by place.
    pub fn of(&self, f: FuncId) -> &[Access] {
        &self.by_function[f.0 as usize]
    }

    /// All.
    pub fn iter(&self) -> impl Iterator<Item = &Access> + '_ {
        self.by_function.iter().flatten()
    }

    /// Those at a place.
    pub fn at(&self, at: Location) -> impl Iterator<Item = &Access> + '_ {
        let all = self.of(at.function);
        let from = all.partition_point(|a| a.at < at);
        all[from..].iter().take_while(move |a| a.at == at)
    }
}

fn of_function(program: &Program, points_to: &PointsTo, f: FuncId) -> Vec<Access> {
    let function = program.function(f);
    let reachable = reachable_blocks(function);
    let mut all = Vec::new();
    let mut stack: Vec<ObjectId> = Vec::new();
    for (b, block) in function.blocks.iter().enumerate() {
        if !reachable[b] {
            continue;
        }
        let place = |index: usize| Location {
            function: f,
            block: BlockId(b as u32),
            index: index as u32,
        };
        for (i, instr) in block.instrs.iter().enumerate() {
            instruction(program, points_to, place(i), &instr.op, &mut all);
            let made = match &instr.op {
                Op::StorageLive { slot } => Some(Object::Slot(f, *slot)),
                Op::Alloc {
                    memory: raddle_ir::Memory::Stack,
                    ..
                } => Some(Object::Allocated(place(i))),
                _ => None,
            };
            stack.extend(made.and_then(|o| points_to.objects().id(o)));
        }
    }
    stack.sort_unstable();
    stack.dedup();
    // A thread may end in a callee, and a function may never return: its objects end somewhere all the same.
    let leaves = |t: &Terminator| matches!(t, Terminator::Return(_) | Terminator::Unreachable);
    let mut ends: Vec<usize> = (0..function.blocks.len())
        .filter(|b| reachable[*b] && leaves(&function.blocks[*b].terminator))
        .collect();
    if ends.is_empty() {
        ends.push(0);
    }
    for b in ends {
        let at = Location {
            function: f,
            block: BlockId(b as u32),
            index: function.blocks[b].instrs.len() as u32,
        };
        all.extend(stack.iter().map(|o| end(at, *o)));
    }
    all.sort_by_key(|a| a.at);
    all
}

fn end(at: Location, object: ObjectId) -> Access {
    Access {
        at,
        object,
        bytes: Bytes::Any,
        read: false,
        write: true,
        atomic: false,
        kind: Kind::End,
    }
}

fn instruction(
    program: &Program,
    points_to: &PointsTo,
    at: Location,
    op: &Op,
    into: &mut Vec<Access>,
) {
    let model = program.model;
    let (length, read, write, atomic, kind) = match op {
        Op::Load { ty, access, .. } | Op::Store { ty, access, .. } => {
            let length = match access.bits {
                Some(b) => u64::from(b.location),
                None => ty.bytes(model),
            };
            let write = matches!(op, Op::Store { .. });
            let read = !write;
            let atomic = access.ordering.is_atomic();
            (length, read, write, atomic, Kind::Data)
        }
        Op::Rmw { ty, .. } | Op::Cas { ty, .. } => (ty.bytes(model), true, true, true, Kind::Data),
        Op::Free { .. } | Op::StorageDead { .. } => (u64::MAX, false, true, false, Kind::End),
        Op::Sync { op, .. } => {
            let Some(touched) = op.touched(program.model) else {
                return;
            };
            let plain = op.is_reset();
            (touched.bytes, true, touched.writes, !plain, Kind::Sync(*op))
        }
        _ => return,
    };
    let access = |object: ObjectId, bytes: Bytes| Access {
        at,
        object,
        bytes,
        read,
        write,
        atomic,
        kind,
    };
    for t in points_to.accessed(program, at) {
        let Target { object, offset } = *t;
        if object == ObjectId::UNKNOWN {
            let exposed = points_to.exposed().iter();
            let memory = exposed.filter(|o| points_to.objects().is_memory(**o));
            into.extend(memory.map(|o| access(*o, Bytes::Any)));
        } else if points_to.objects().is_memory(object) {
            let bytes = match (offset.known(), length) {
                (_, u64::MAX) | (None, _) => Bytes::Any,
                (Some(from), length) => Bytes::Range {
                    from,
                    to: from + length,
                },
            };
            into.push(access(object, bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_touches_its_bytes_and_a_return_ends_slots() {
        let text = "struct { int a, b; } s; int main(void) { int t; int *p = &t; *p = 1; s.b = *p; return 0; }";
        let options = raddle_c::Options::default();
        let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
        let points_to = PointsTo::new(&program);
        let all = Accesses::new(&program, &points_to);
        let main = program.function_named("main").expect("main");
        let global = |a: &&Access| matches!(points_to.objects().get(a.object), Object::Global(_));
        let to_s: Vec<&Access> = all.of(main).iter().filter(global).collect();
        assert_eq!(to_s.len(), 1);
        assert_eq!(to_s[0].bytes, Bytes::Range { from: 4, to: 8 });
        assert!(to_s[0].write && !to_s[0].read);
        assert!(all.of(main).iter().any(|a| a.kind == Kind::End));
    }
}
