//! Policies that decide which thread goes next, one per file, and the loop that runs a program under one.

mod pct;
mod random;
mod replay;
mod round_robin;

pub use pct::Pct;
pub use random::{Random, SplitMix};
pub use replay::Replay;
pub use round_robin::RoundRobin;

use crate::choice::{Choice, Choices};
use crate::enabled::Enabled;
use crate::machine::{End, Machine, Outcome, ThreadId};
use crate::schedule::{Event, Occurrences};

/// Decides which thread goes next, and answers all other choices.
pub trait Scheduler: Choices {
    /// One of the enabled threads (never empty), or `None` to stop the run here.
    fn pick(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId>;
}

/// Passes choices through and writes them down.
struct Recorder<'a> {
    inner: &'a mut dyn Scheduler,
    events: &'a mut Vec<Event>,
}

impl Choices for Recorder<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let value = self.inner.choose(choice);
        self.events.push(Event::Choice {
            kind: choice.kind.class(),
            value,
        });
        value
    }

    fn made(&mut self, maker: ThreadId, at: raddle_ir::Location, new: ThreadId) {
        self.inner.made(maker, at, new);
    }
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program ended, or a violation was met.
    Ended(End),
    /// No thread can go on, and that is no violation (threads stopped by assumes, or deadlocks are not checked).
    Stuck,
    /// The scheduler had enough.
    Scheduler,
    /// The number of steps was used up.
    Steps,
    /// The caller asked to stop.
    Interrupted,
}

/// Runs a program under a scheduler and keeps the schedule.
pub struct Runner<'a> {
    /// The policy.
    pub scheduler: &'a mut dyn Scheduler,
    /// What happened so far.
    pub events: Vec<Event>,
    occurrences: Occurrences,
    /// Attempts that were refused since the last step that was taken, with what was chosen in them.
    refused: Vec<(ThreadId, raddle_ir::Location, Vec<Event>)>,
}

impl<'a> Runner<'a> {
    /// A runner with nothing done.
    pub fn new(scheduler: &'a mut dyn Scheduler) -> Runner<'a> {
        Runner {
            scheduler,
            events: Vec::new(),
            occurrences: Occurrences::default(),
            refused: Vec::new(),
        }
    }

    /// A machine at the start of the program.
    pub fn start<'p>(
        &mut self,
        program: &'p raddle_ir::Program,
        config: crate::Config,
    ) -> Machine<'p> {
        let mut recorder = Recorder {
            inner: self.scheduler,
            events: &mut self.events,
        };
        Machine::new(program, config, &mut recorder)
    }

    /// Takes one step; `Some` if there is none to take.
    pub fn step(&mut self, machine: &mut Machine<'_>) -> Option<Stop> {
        if let Some(end) = machine.end() {
            return Some(Stop::Ended(end.clone()));
        }
        let enabled = machine.enabled_threads();
        if enabled.is_empty() {
            return Some(Stop::Stuck);
        }
        let Some(thread) = self.scheduler.pick(machine, &enabled) else {
            return Some(Stop::Scheduler);
        };
        drop(enabled);
        let before = self.events.len();
        let at = machine.thread(thread).location();
        let mut recorder = Recorder {
            inner: self.scheduler,
            events: &mut self.events,
        };
        let outcome = machine.step(thread, &mut recorder);
        let chosen = self.events.split_off(before);
        let at = at?;
        match outcome {
            Outcome::Done => {
                self.refused.clear();
                self.note(thread, at, chosen);
            }
            Outcome::Refused => self.refused.push((thread, at, chosen)),
        }
        // Refused attempts that bring a deadlock to light belong to the schedule: who waits inside an atomic region
        // is known only once it has been tried.
        if outcome == Outcome::Refused && machine.end().is_some() {
            for (thread, at, chosen) in std::mem::take(&mut self.refused) {
                self.note(thread, at, chosen);
            }
        }
        None
    }

    fn note(&mut self, thread: ThreadId, at: raddle_ir::Location, chosen: Vec<Event>) {
        let occurrence = self.occurrences.next(thread, at);
        self.events.push(Event::Step {
            thread,
            at,
            occurrence,
        });
        self.events.extend(chosen);
    }

    /// Runs to the end, at most `steps` steps, as long as `go_on` says so (asked now and then).
    pub fn run(
        &mut self,
        machine: &mut Machine<'_>,
        steps: u64,
        go_on: &mut dyn FnMut(&mut Machine<'_>) -> bool,
    ) -> Stop {
        for n in 0..steps {
            if let Some(stop) = self.step(machine) {
                return stop;
            }
            if n % 64 == 0 && !go_on(machine) {
                return Stop::Interrupted;
            }
        }
        match machine.end() {
            Some(end) => Stop::Ended(end.clone()),
            None => Stop::Steps,
        }
    }
}
