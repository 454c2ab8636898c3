//! Loops that only wait: an iteration that changed nothing is not repeated.
//!
//! If a thread comes back to a place in exactly the state of its own in which it was there before (stack and private
//! memory), and in between it has only read shared memory, then taking out these steps leaves an execution with the same
//! states behind them. So whatever can happen after them is explored where they did not happen, and the thread need not
//! go on: it *spins*, and the others do. If another thread then writes what it has read, that is a race like any other,
//! and its reversal has the write first. This is how loops that wait for a flag come to an end here (the idea is that of
//! `SAVer`, Kokologiannakis and others, CAV 2021, found while running instead of in the program text).
//!
//! States are compared by a 128-bit digest. A place is noted when it is met for the second time, so two iterations are
//! executed. What it misses: loops that write (take and release a lock), and objects that are made anew in
//! each iteration.

use crate::search::Search;
use crate::trace::Name;
use raddle_interp::footprint::{Cell, Mode, Touch};

/// What is known of a thread that is about to take a step.
pub(crate) enum Spin {
    /// It was not here lately.
    No,
    /// It was here, in another state or without a note of it; this is its state now.
    Perhaps(u128),
    /// It was here in the same state and has changed nothing since.
    Yes,
}

impl Search<'_, '_> {
    /// Whether a thread has just finished an iteration that changed nothing.
    pub(crate) fn spins(&self, thread: Name) -> Spin {
        let number = self.names.number(thread);
        let Some(at) = self.machine.thread(number).location() else {
            return Spin::No;
        };
        let mut now = None;
        for &n in self.trace.of_thread(thread).iter().rev() {
            let n = n as usize;
            let reads = |t: &Touch| t.mode == Mode::Read && t.cell == Cell::Memory;
            let only_reads = self.trace.touches(n).iter().all(reads);
            if !only_reads || !self.trace.answers(n).is_empty() {
                break;
            }
            if self.trace.events()[n].at != at {
                continue;
            }
            let digest = *now.get_or_insert_with(|| self.machine.local_digest(number));
            if self.trace.digest(n) == Some(digest) {
                return Spin::Yes;
            }
        }
        now.map_or(Spin::No, Spin::Perhaps)
    }
}
