//! What happens behind the last step of a candidate, until the violation shows.
//!
//! The claimed thread goes on; others only if it cannot. For a race the other access may still be ahead, so after the claimed
//! thread's access the others go on a little; for a deadlock all go on until they block; for a leak until the process ends.

use raddle_interp::{Enabled, Machine, PendingKind, ThreadId};
use raddle_ir::{Location, Property, SyncOp, Terminator};
use raddle_verdict::Candidate;

/// Steps of the claimed thread until the violation has to show, and of others to make room for it.
const OWN: u32 = 20_000;
/// Steps in a row of any other thread.
const TURN: u32 = 1_000;
/// The same where races are looked for: a thread that has gone far is past its access.
const RACE_TURN: u32 = 100;

/// The end of a run.
pub struct Tail {
    property: Property,
    order: Vec<ThreadId>,
    at: Location,
    /// How often the claimed thread had been at the place before its last access there.
    before: u32,
    /// Whose turn it is, and for how many steps.
    turn: usize,
    left: u32,
    all: u32,
}

impl Tail {
    /// After the last step; `order` begins with the claimed thread.
    pub fn new(candidate: &Candidate, machine: &Machine<'_>, order: Vec<ThreadId>) -> Tail {
        let claimed = order.first().copied().unwrap_or_default();
        let last = candidate
            .steps
            .iter()
            .rev()
            .find(|s| s.thread == candidate.thread);
        let done = last.is_some_and(|s| s.at == candidate.at);
        let count = machine.executions(claimed, candidate.at);
        Tail {
            property: candidate.property,
            at: candidate.at,
            before: count.saturating_sub(u32::from(done)),
            turn: 0,
            left: match candidate.property {
                Property::NoDeadlock => TURN,
                Property::NoDataRace => RACE_TURN,
                _ => OWN,
            },
            all: OWN,
            order,
        }
    }

    /// Who goes on.
    pub fn pick(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        self.all = self.all.checked_sub(1)?;
        let claimed = *self.order.first()?;
        let one_by_one = matches!(
            self.property,
            Property::NoDeadlock
                | Property::NoDataRace
                | Property::ValidMemtrack
                | Property::ValidMemcleanup
        );
        if !one_by_one {
            if enabled.contains(claimed) {
                return Some(claimed);
            }
            if !machine.thread(claimed).is_live() {
                return None;
            }
        }
        let accessed = self.property == Property::NoDataRace
            && self.turn == 0
            && machine.executions(claimed, self.at) > self.before;
        if accessed {
            self.left = 0;
        }
        for _ in 0..=self.order.len() {
            let t = self.order[self.turn % self.order.len()];
            // Whoever would end the process waits until the others are blocked.
            let together = matches!(self.property, Property::NoDeadlock | Property::NoDataRace);
            let ends = together && ends_the_process(machine, t);
            if self.left > 0 && enabled.contains(t) && !ends {
                self.left -= 1;
                return Some(t);
            }
            self.turn += 1;
            self.left = match self.property {
                Property::NoDataRace => RACE_TURN,
                _ => TURN,
            };
        }
        // Threads that were made behind the last step.
        enabled.first()
    }
}

/// Whether the next step of a thread ends the process.
fn ends_the_process(machine: &Machine<'_>, t: ThreadId) -> bool {
    let Some(pending) = machine.pending(t) else {
        return false;
    };
    if matches!(
        pending.kind,
        PendingKind::Sync(SyncOp::Exit | SyncOp::Abort | SyncOp::Unmodelled)
    ) {
        return true;
    }
    // `main` is about to return.
    let block = machine
        .program
        .function(pending.at.function)
        .block(pending.at.block);
    let last = pending.at.index as usize == block.instrs.len();
    let returns = matches!(block.terminator, Terminator::Return(_));
    t == ThreadId(0) && last && returns && machine.thread(t).stack().count() == 2
}
