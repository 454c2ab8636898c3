//! A scheduler that goes by a list of threads rather than of steps: what it can of each entry, and no complaints.
//!
//! A thread that is not enabled forfeits the rest of its entry. Behind the list the thread of the last entry goes on, or
//! whoever can. So a list with entries left out or moved still gives a run, and one only has to look whether it is of use.

use crate::answers::Answers;
use raddle_interp::schedulers::Scheduler;
use raddle_interp::{Choice, Choices, Enabled, Machine, ThreadId};

/// A thread and how many steps it takes in a row.
pub type Segment = (ThreadId, u32);

/// A scheduler that follows a list of segments.
pub struct Follow<'a> {
    plan: &'a [Segment],
    at: usize,
    /// Steps taken of the present segment.
    taken: u32,
    /// Answers by the interpreter's thread numbers.
    pub answers: Answers,
    began: Option<u64>,
}

impl<'a> Follow<'a> {
    /// At the first segment.
    pub fn new(plan: &'a [Segment], answers: Answers) -> Follow<'a> {
        Follow {
            plan,
            at: 0,
            taken: 0,
            answers,
            began: None,
        }
    }
}

impl Choices for Follow<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let key = (choice.thread.0, choice.at, choice.kind.class());
        self.answers.take(key)
    }
}

impl Scheduler for Follow<'_> {
    fn pick(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        match self.began == Some(machine.steps()) {
            true => self.answers.undo(),
            false => self.answers.keep(),
        }
        self.began = Some(machine.steps());
        while let Some((thread, steps)) = self.plan.get(self.at) {
            if self.taken < *steps && enabled.contains(*thread) {
                self.taken += 1;
                return Some(*thread);
            }
            self.at += 1;
            self.taken = 0;
        }
        let last = self.plan.last().map(|(t, _)| *t);
        let goes_on = last.filter(|t| enabled.contains(*t));
        goes_on.or(enabled.first())
    }
}
