//! Words that are used as locks, but that something else can change while others are there.
//!
//! Who holds such a lock cannot be sure that nobody else takes it: it may be made anew or destroyed, overwritten, or used as a semaphore. What
//! happens while only one thread is alive is no harm, and giving back what another thread holds fails.

use crate::graph::What;
use crate::memory::Resolved;
use raddle_analysis::Facts;
use raddle_ir::{Op, SyncOp};

/// Whether an instruction does nothing to the words it works on but to take locks and to give them back.
fn is_locking(what: &What) -> bool {
    use SyncOp::*;
    matches!(
        what,
        What::Instr(Op::Load { .. })
            | What::Instr(Op::Sync {
                op: MutexLock
                    | MutexTryLock
                    | MutexTimedLock
                    | MutexUnlock
                    | SpinLock
                    | SpinTryLock
                    | SpinUnlock,
                ..
            })
    )
}

/// Marks these words.
pub fn mark(facts: &Facts, resolved: &mut Resolved) {
    for edge in resolved.raw.templates.iter().flat_map(|t| &t.edges) {
        let Some(step) = &edge.step else {
            continue;
        };
        let alone = edge.copied.is_some_and(|at| facts.parallel.is_alone(at));
        if is_locking(&step.what) || alone {
            continue;
        }
        for p in &step.cells {
            resolved.cells[p.cell.0 as usize].shaky = true;
        }
    }
}
