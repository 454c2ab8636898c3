//! What an instruction accesses, and which instructions are not treated at all.

use crate::inline::{RawAccess, Shape};
use crate::walk::initial_scalar;
use raddle_analysis::evident::is_held;
use raddle_analysis::{Facts, Object as Origin, ObjectId as Abstract};
use raddle_ir::{
    CastKind, FuncId, GlobalId, Location, Op, Operand, Role, Rvalue, SyncClass, SyncOp, Ty,
};

/// Why an instruction of a function is not treated, if it is not.
pub fn refused_operation(facts: &Facts, at: Location, op: &Op, frees: bool) -> Option<String> {
    let mut copy = op.clone();
    for o in copy.operands_mut() {
        if let Operand::Global { id, .. } = o
            && let Some(what) = refused_thread_local(facts, *id)
        {
            return Some(what.into());
        }
    }
    let says = |what: &str| Some(what.to_string());
    match op {
        Op::Cas { ty: Ty::Ptr, .. } if frees => {
            says("a comparison of addresses that may be reused")
        }
        Op::Load { access, .. } | Op::Store { access, .. } if access.bits.is_some() => {
            says("a bit-field")
        }
        Op::ObjectSize { .. } => says("the size of an object"),
        Op::Sync { op, .. } => match op {
            SyncOp::ThreadHasEnded => says("a look whether a thread has ended"),
            SyncOp::RwUnlock if !is_held(facts, at) => {
                says("an unlock of a reader-writer lock that may not be held")
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether the value of a computation is not known here, so that any is possible: it is made of the number of an address or of a
/// handle, which are our choice and not the program's, or it is a fraction.
pub fn is_unknown(facts: &Facts, function: FuncId, value: &Rvalue, frees: bool) -> bool {
    let pointer = |o: &Operand| !facts.points_to.targets(function, *o).is_empty();
    let handle = |o: &Operand| {
        let targets = facts.points_to.targets(function, *o).iter();
        let objects = facts.points_to.objects();
        let mut targets = targets.map(|t| objects.get(t.object));
        targets.any(|o| matches!(o, Origin::Thread(_)))
    };
    let null = |o: &Operand| matches!(o, Operand::Const { .. });
    match value {
        Rvalue::Compare { a, b, .. } if handle(a) || handle(b) => true,
        Rvalue::Compare {
            op,
            ty: Ty::Ptr,
            a,
            b,
        } => !null(a) && !null(b) && (op.orders() || frees),
        Rvalue::Unary { ty, a, .. } => ty.is_float() || (*ty != Ty::Ptr && pointer(a)),
        Rvalue::Binary { ty, a, b, .. } | Rvalue::Compare { ty, a, b, .. } => {
            ty.is_float() || (*ty != Ty::Ptr && (pointer(a) || pointer(b)))
        }
        Rvalue::Cast { kind, from, to, a } => {
            from.is_float() || to.is_float() || (*kind != CastKind::IntToPtr && pointer(a))
        }
        _ => false,
    }
}

/// Why a thread-local object is not treated, if it is not. With its thread it ends, which nobody notices unless it is known to others.
pub fn refused_thread_local(facts: &Facts, id: GlobalId) -> Option<&'static str> {
    let global = facts.program().global(id);
    let origin = facts.points_to.objects().id(Origin::Global(id));
    match global.thread_local {
        false => None,
        true if origin.is_some_and(|o| facts.escape.has_escaped(o)) => {
            Some("a thread-local object that other threads may know")
        }
        true if initial_scalar(global).is_none() => Some("a thread-local object with contents"),
        true => None,
    }
}

/// What an instruction accesses; its operands are renamed, `copied` is its place in the program with copies.
pub fn access_of(facts: &Facts, copied: Location, op: &Op) -> Option<RawAccess> {
    let model = facts.program().model;
    let (address, shape, write) = match op {
        Op::Load { ty, addr, .. } => (*addr, Shape::Bytes(ty.bytes(model)), false),
        Op::Store { ty, addr, .. } | Op::Rmw { ty, addr, .. } | Op::Cas { ty, addr, .. } => {
            (*addr, Shape::Bytes(ty.bytes(model)), true)
        }
        Op::StorageLive { slot } => {
            let address = Operand::Slot {
                id: *slot,
                offset: 0,
            };
            (address, Shape::Whole, true)
        }
        Op::Sync { op, args, .. } => {
            let shape = match op.class() {
                _ if op.has_kind() => Shape::Mutex,
                // With wake-ups at any time, who sleeps does not matter.
                SyncClass::Cond => return None,
                _ => Shape::Bytes(4),
            };
            let looks = matches!(op.role(), Role::Look | Role::Await);
            (*args.first()?, shape, !looks)
        }
        _ => return None,
    };
    Some(RawAccess {
        address,
        targets: facts.points_to.accessed(facts.program(), copied).to_vec(),
        shape,
        write,
    })
}

/// The word of a condition variable on which a thread begins to sleep, or is woken: it has to be there.
pub fn sleep_of(facts: &Facts, copied: Location, op: &Op) -> Option<RawAccess> {
    match op {
        Op::Sync { op, args, .. } if matches!(op.role(), Role::FallAsleep | Role::Wake) => {
            Some(RawAccess {
                address: *args.first()?,
                targets: facts.points_to.accessed(facts.program(), copied).to_vec(),
                shape: Shape::Bytes(4),
                write: true,
            })
        }
        _ => None,
    }
}

/// Whether an abstract object is a real one.
pub fn is_known(object: Abstract) -> bool {
    object != Abstract::UNKNOWN
}

/// Whether a detachment is of threads that nobody may join, so that it makes no difference to anybody.
pub fn is_never_joined(facts: &Facts, detach: Location) -> bool {
    let handles = |at: Location| match facts.program().instr(at).map(|i| &i.op) {
        Some(Op::Sync { args, .. }) if !args.is_empty() => {
            facts.points_to.targets(at.function, args[0])
        }
        _ => &[],
    };
    let is_thread = |t: &raddle_analysis::Target| {
        matches!(facts.points_to.objects().get(t.object), Origin::Thread(_))
    };
    let mine = handles(detach);
    let mut all = facts.program().instructions();
    !mine.is_empty()
        && mine.iter().all(is_thread)
        && all.all(|(at, op)| {
            let joins = matches!(
                op,
                Op::Sync {
                    op: SyncOp::ThreadJoin | SyncOp::ThreadHasEnded,
                    ..
                }
            );
            let theirs = handles(at);
            let other = |t: &raddle_analysis::Target| {
                is_thread(t) && mine.iter().all(|m| m.object != t.object)
            };
            let apart = !theirs.is_empty() && theirs.iter().all(other);
            !joins || !facts.parallel.is_reached(at) || apart
        })
}
