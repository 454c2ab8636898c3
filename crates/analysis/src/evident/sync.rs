//! Synchronisation that is evidently used well.
//!
//! Zeros are an initialised mutex, rwlock, spin lock or condition variable; a semaphore has to be initialised by name ([`super::made`]).

use super::made::Made;
use super::reached;
use crate::accesses::Bytes;
use crate::facts::Facts;
use crate::locks::Lock;
use crate::objects::Object;
use raddle_ir::{FuncId, Location, Op, Operand, SyncOp};
use std::collections::BTreeMap;

/// Whether no synchronisation object or thread can be misused.
pub fn is_used_well(facts: &Facts) -> bool {
    let mut joined: BTreeMap<Location, u32> = BTreeMap::new();
    let made = Made::new(facts);
    reached(facts).all(|(at, op)| match op {
        Op::Sync { op, args, .. } => is_fine(facts, &made, at, *op, args, &mut joined),
        _ => true,
    })
}

fn is_fine(
    facts: &Facts,
    made: &Made,
    at: Location,
    op: SyncOp,
    args: &[Operand],
    joined: &mut BTreeMap<Location, u32>,
) -> bool {
    use SyncOp::*;
    match op {
        ThreadNew | ThreadStart | ThreadJoinCode | ThreadSelf | ThreadExit | Yield | Exit
        | Abort => true,
        ThreadJoin => joins_once(facts, at, args[0], joined),
        ThreadDetach | ThreadHasEnded => false,
        MutexDestroy | SpinDestroy | RwDestroy | CondDestroy | SemDestroy => false,
        MutexUnlock | SpinUnlock | RwUnlock => is_global(facts, at) && is_held(facts, at),
        SemWait | SemTryWait | SemTimedWait | SemPost | SemGetValue => {
            is_global(facts, at) && made.is_initialised(at)
        }
        _ => is_global(facts, at),
    }
}

/// Whether an operation works on global objects only: they are initialised, if only with zeros.
fn is_global(facts: &Facts, at: Location) -> bool {
    let mut objects = facts.accesses.at(at).map(|a| a.object).peekable();
    objects.peek().is_some()
        && objects.all(|o| match facts.points_to.objects().get(o) {
            Object::Global(g) => !facts.program().global(g).thread_local,
            _ => false,
        })
}

/// Whether an unlock is of a lock that is certainly held.
fn is_held(facts: &Facts, at: Location) -> bool {
    let mut accesses = facts.accesses.at(at);
    accesses.all(|a| match a.bytes {
        Bytes::Range { from, .. } => {
            let lock = Lock::At(a.object, from);
            facts.locks.held_at(at).iter().any(|h| h.lock == lock)
        }
        Bytes::Any => false,
    })
}

/// Whether a join is the only one of a thread that was certainly made. `joined` counts the joins of each creation.
fn joins_once(
    facts: &Facts,
    at: Location,
    handle: Operand,
    joined: &mut BTreeMap<Location, u32>,
) -> bool {
    let targets = facts.points_to.targets(at.function, handle);
    if targets.is_empty() || !facts.parallel.is_of_handle(at) {
        return false;
    }
    for target in targets {
        let Object::Thread(new) = facts.points_to.objects().get(target.object) else {
            return false;
        };
        let count = joined.entry(new).or_default();
        *count += 1;
        if *count > 1 {
            return false;
        }
    }
    // In a loop, it has been seen to join another element each time, unless an inner loop repeats it.
    loops_around(facts, at).is_some_and(|loops| match facts.parallel.joined_at(at) {
        Some(_) => loops == 0,
        None => loops == 1,
    })
}

/// How many loops are around a place in functions that are called from one place each; `None` if that cannot be said.
fn loops_around(facts: &Facts, at: Location) -> Option<usize> {
    let mut here = at;
    let mut count = 0;
    loop {
        let nest = facts.calls.loops(here.function)?;
        if nest.irreducible.is_some() || facts.calls.is_recursive(here.function) {
            return None;
        }
        count += nest.around[here.block.0 as usize].len();
        let f: FuncId = here.function;
        match facts.calls.incoming(f) {
            [] => return Some(count),
            [only] if !only.thread => here = only.at,
            // A thread of its own that is made once.
            [only] if facts.calls.runs_once(only.at) => return Some(count),
            _ => return None,
        }
    }
}
