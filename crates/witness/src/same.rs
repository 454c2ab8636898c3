//! Whether a violation is the one that was meant.

use raddle_interp::{Machine, ThreadId, Violation};
use raddle_ir::{Location, Property};
use raddle_verdict::Candidate;

/// Whether the run ended with what the candidate claims; `complete` says that all its steps were taken.
///
/// A violation of the same property that shows on the way, or in another thread, is as good: threads run silently on to their next
/// visible operation, and may fail an assertion there that the engine had no reason to reach. The run cannot go on behind it.
///
/// The place may be named as the user's (the call of `free`) or as the instruction itself (inside `free`'s model). For races,
/// deadlocks and leaks the property suffices: a run ends at its first race, which may be another one than the
/// engine had in mind, and where a deadlock "shows" is a matter of taste.
pub fn is_claimed(
    machine: &Machine<'_>,
    violation: &Violation,
    candidate: &Candidate,
    claimed: Option<ThreadId>,
    complete: bool,
) -> bool {
    if violation.property != candidate.property {
        return false;
    }
    match violation.property {
        Property::NoDataRace
        | Property::NoDeadlock
        | Property::ValidMemtrack
        | Property::ValidMemcleanup => true,
        _ if !complete || claimed != Some(violation.thread) => true,
        _ => places(machine, violation).contains(&candidate.at),
    }
}

/// The place of a violation, and the calls in the modelled library that lead from there to the instruction.
fn places(machine: &Machine<'_>, violation: &Violation) -> Vec<Location> {
    let mut all = vec![violation.at];
    for (depth, frame) in machine.thread(violation.thread).stack().rev().enumerate() {
        let mut at = frame.location();
        // A caller's position is behind its call.
        at.index = at.index.saturating_sub(u32::from(depth > 0));
        all.push(at);
        if !machine.program.function(frame.function).library {
            break;
        }
    }
    all
}

/// Whether two violations of one program would be told to a user as one.
pub fn is_same(a: &Violation, b: &Violation) -> bool {
    let all = |v: &Violation| {
        let related = v.related.iter().map(|r| r.at);
        let mut all: Vec<Location> = std::iter::once(v.at).chain(related).collect();
        all.sort_unstable();
        all
    };
    a.property == b.property
        && match a.property {
            // Two accesses, or threads that wait for each other: the same set, whoever comes first.
            Property::NoDataRace | Property::NoDeadlock => all(a) == all(b),
            _ => a.at == b.at,
        }
}
