//! What is known beforehand about an operation in another place: may it be blocked there, may it touch something else?

use raddle_interp::{Machine, ThreadId};
use raddle_ir::{Location, Op, Patience, Program, Role, SyncClass, SyncOp};

/// What is known beforehand about an operation in another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guard {
    /// It may be blocked there.
    pub(crate) blocks: bool,
    /// It is not blocked where the state word of its lock says so.
    pub(crate) word: Option<SyncOp>,
    /// It waits for threads to end: never before they have.
    pub(crate) joins: bool,
    /// What it touches may be different there.
    pub(crate) probe: bool,
}

impl Guard {
    const FREE: Guard = Guard {
        blocks: false,
        word: None,
        joins: false,
        probe: false,
    };
}

/// The guard of a thread's next operation.
pub(crate) fn guard(machine: &Machine<'_>, t: ThreadId) -> Guard {
    let at = machine.thread(t).location();
    at.map_or(Guard::FREE, |at| guard_at(machine.program, at))
}

/// The guard of the operation at a place.
pub(crate) fn guard_at(program: &Program, at: Location) -> Guard {
    use SyncOp::*;
    let op = program.instr(at).map(|i| &i.op);
    let probing = |blocks| Guard {
        blocks,
        word: None,
        joins: matches!(op, Some(Op::Sync { op: ThreadJoin, .. })),
        probe: true,
    };
    match op {
        Some(Op::AtomicBegin { .. }) => probing(true),
        Some(Op::Cas { .. } | Op::Alloc { .. }) => probing(false),
        Some(Op::Sync { op, .. }) => match op {
            op if op.class() != SyncClass::Rw
                && matches!(op.role(), Role::Acquire(_, Patience::Forever)) =>
            {
                Guard {
                    blocks: true,
                    word: Some(*op),
                    joins: false,
                    probe: false,
                }
            }
            op if op.can_block() => probing(true),
            op if op.class() != SyncClass::Rw && op.role() == Role::Release => Guard::FREE,
            op if op.is_reset() => Guard::FREE,
            Exit | Abort | Unmodelled => Guard::FREE,
            _ => probing(false),
        },
        _ => Guard::FREE,
    }
}
