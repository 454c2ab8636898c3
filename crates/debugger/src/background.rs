//! While somebody steps through a run, all other interleavings of it are checked beside: the same program with the same inputs, from its beginning.
//!
//! This is the trace-driven flow of Yang and Sakallah as a companion: it never holds anybody up, stops with the session, and has something
//! to say only once it has found a run that goes wrong, which can be loaded then.

use crate::Engines;
use crate::ask::{Answer, Asker, Told};
use crate::history::Rules;
use raddle_ir::{Program, Property};
use raddle_verdict::{Beginning, Budget, StopCause};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{Scope, ScopedJoinHandle};

/// A run that goes wrong.
pub struct Warning {
    /// The run.
    pub told: Told,
    /// How it is run.
    pub rules: Rules,
}

/// Somebody who looks.
pub struct Background<'s> {
    receiver: Receiver<Warning>,
    budget: Budget,
    _worker: ScopedJoinHandle<'s, ()>,
}

impl<'s> Background<'s> {
    /// Begins to look, with these inputs, for what counts as going wrong.
    pub fn start<'e>(
        scope: &'s Scope<'s, 'e>,
        program: &'e Program,
        engines: &Engines,
        inputs: Vec<i128>,
        properties: Vec<Property>,
    ) -> Background<'s> {
        let budget = Budget::unlimited();
        let (sender, receiver) = channel();
        let (engines, mine) = (engines.clone(), budget.clone());
        let worker = scope.spawn(move || {
            let beginning = Beginning::default();
            let Ok(asker) = Asker::new(program, &beginning, &engines) else {
                return;
            };
            let asker = asker.budget(mine.clone()).inputs(inputs);
            for property in properties {
                let answer = match property {
                    Property::UnreachCall => asker.can_fail(None),
                    Property::NoDeadlock => asker.can_deadlock(),
                    _ => continue,
                };
                let rules = Rules {
                    checks: std::iter::once(property).collect(),
                    spurious_wakeups: property != Property::NoDeadlock,
                };
                if let Answer::Yes(told) = answer {
                    let told = *told;
                    let _ = sender.send(Warning { told, rules });
                }
                if mine.stopped().is_some() {
                    return;
                }
            }
        });
        Background {
            receiver,
            budget,
            _worker: worker,
        }
    }

    /// What was found since the last time.
    pub fn news(&self) -> Option<Warning> {
        self.receiver.try_recv().ok()
    }
}

impl Drop for Background<'_> {
    fn drop(&mut self) {
        self.budget.stop(StopCause::Cancelled);
    }
}
