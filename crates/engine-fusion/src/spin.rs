//! Loops that only wait: an iteration that changed nothing is not repeated.
//!
//! If a thread comes back to a place in exactly the state of its own in which it was there before (stack and private
//! memory), and in between it has only read shared memory, then taking out these steps leaves an execution with the same
//! states behind them. So whatever can happen after them is explored where they did not happen, and the thread need not
//! go on: it *spins*, and the others do. If another thread then writes what it has read, that is a race like any other,
//! and its reversal has the write first. This is how loops that wait for a flag come to an end here (the idea is that of
//! `SAVer`, Kokologiannakis and others, CAV 2021, found while running instead of in the program text).
//!
//! The same holds for any steps, reads or not, between which no other thread took one and after which the *whole* state is as
//! it was: a sleeper that wakes by itself and goes to sleep again, a poll under a lock. An execution that contains such steps,
//! in whatever order of independent ones, has a shorter one with the same end; the search finds the shorter one because what
//! others do in conflict with these steps is reversed as usual, whether or not the thread goes on.
//!
//! States are compared by 128-bit digests, and only if the activation's variables are the same. They are noted when a place is met
//! again, so a few iterations are executed. What it misses: objects that are made anew in each iteration, and loops that write
//! while others take steps in between.

use crate::trace::{Name, Note, Trace};
use raddle_interp::footprint::{Cell, Mode, Touch};
use raddle_interp::{Machine, ThreadId};

/// What is known of a thread that is about to take a step.
pub(crate) enum Spin {
    /// This is its first iteration, or it is another one; what is to be noted about it.
    No(Note),
    /// It was here in the same state and has changed nothing since.
    Yes,
}

/// Whether a thread has just finished an iteration that changed nothing. Whole states are compared only on request.
pub(crate) fn spins(
    trace: &Trace,
    machine: &Machine<'_>,
    number: ThreadId,
    thread: Name,
    whole_states: bool,
) -> Spin {
    let mut note = Note::default();
    let Some(at) = machine.thread(number).location() else {
        return Spin::No(note);
    };
    let (mut only_reads, mut undisturbed) = (true, whole_states);
    for (behind, &n) in trace.of_thread(thread).iter().rev().enumerate() {
        let n = n as usize;
        let reads = |t: &Touch| t.mode == Mode::Read && t.cell == Cell::Memory;
        undisturbed &= n + behind + 1 == trace.len();
        only_reads &= trace.touches(n).iter().all(reads) && trace.answers(n).is_empty();
        if !(undisturbed || only_reads) {
            break;
        }
        if trace.events()[n].at != at {
            continue;
        }
        let digest = || machine.variables_digest(number);
        let now = *note.variables.get_or_insert_with(digest);
        let then = trace.note(n);
        if then.variables != Some(now) {
            continue;
        }
        if only_reads {
            let digest = || machine.local_digest(number);
            let own = *note.own.get_or_insert_with(digest);
            if then.own == Some(own) {
                return Spin::Yes;
            }
        }
        if undisturbed {
            let whole = *note.whole.get_or_insert_with(|| machine.digest());
            if then.whole == Some(whole) {
                return Spin::Yes;
            }
        }
    }
    Spin::No(note)
}
