//! A violation that was replayed, with what a reader wants to see of its run.
//!
//! The schedule is run once to see that it shows the violation ([`ReplayedRun::new`]), once with everything observed when a story or a stack is
//! first asked for, and once more for a story of every line. Everything that shows the violation shares what was seen.

use crate::replay;
use crate::story::{Detail, Story, observe, story};
use raddle_interp::schedule::Schedule;
use raddle_interp::schedulers::{Replay, Runner};
use raddle_interp::{Config, Machine, ThreadId, Violation};
use raddle_ir::{Location, Program};
use std::sync::OnceLock;

/// A schedule and the violation it shows.
#[derive(Clone, Debug)]
pub struct ReplayedRun {
    /// The schedule.
    pub schedule: Schedule,
    /// What it ends with.
    pub violation: Violation,
    seen: OnceLock<Seen>,
    lines: OnceLock<Story>,
    stacks: OnceLock<Vec<Stack>>,
}

/// What was seen.
#[derive(Clone, Debug)]
struct Seen {
    steps: Story,
    stacks: Vec<Stack>,
}

/// Where a thread stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Which thread.
    pub thread: ThreadId,
    /// Where it was made.
    pub created: Option<Location>,
    /// Its activations, innermost last.
    pub frames: Vec<Location>,
}

impl Stack {
    fn of(machine: &Machine<'_>, thread: ThreadId) -> Option<Stack> {
        if thread.0 as usize >= machine.threads().count() {
            return None;
        }
        let seen = machine.thread(thread);
        Some(Stack {
            thread,
            created: seen.created_at,
            frames: seen.stack().map(|f| f.location()).collect(),
        })
    }
}

impl ReplayedRun {
    /// Replays a schedule; why it shows no violation, otherwise.
    pub fn new(program: &Program, schedule: Schedule) -> Result<ReplayedRun, String> {
        let violation = replay(program, &schedule)?;
        Ok(ReplayedRun::known(schedule, violation))
    }

    /// A schedule that was replayed already.
    pub fn known(schedule: Schedule, violation: Violation) -> ReplayedRun {
        ReplayedRun {
            schedule,
            violation,
            seen: OnceLock::new(),
            lines: OnceLock::new(),
            stacks: OnceLock::new(),
        }
    }

    /// Its visible operations, and lines that change something.
    pub fn steps(&self, program: &Program) -> &Story {
        &self.seen(program).steps
    }

    /// Every line.
    pub fn lines(&self, program: &Program) -> &Story {
        let lines = || story(program, &self.schedule, Detail::Lines);
        self.lines.get_or_init(lines)
    }

    /// The stacks of the threads involved.
    pub fn stacks(&self, program: &Program) -> &[Stack] {
        if let Some(seen) = self.seen.get() {
            return &seen.stacks;
        }
        // Without a story, a long run is not observed.
        self.stacks.get_or_init(|| {
            let mut stacks = Stacks::of(&self.violation);
            let config = Config {
                checks: self.schedule.checks,
                spurious_wakeups: self.schedule.spurious_wakeups,
                reuse_addresses: self.schedule.reuse_addresses,
                output: false,
                ..Config::default()
            };
            let mut replay = Replay::new(&self.schedule);
            let mut runner = Runner::new(&mut replay);
            let mut machine = runner.start(program, config);
            stacks.look(&machine, false);
            loop {
                let over = runner.step(&mut machine).is_some();
                stacks.look(&machine, over);
                if over {
                    return stacks.seen();
                }
            }
        })
    }

    fn seen(&self, program: &Program) -> &Seen {
        self.seen.get_or_init(|| {
            let mut stacks = Stacks::of(&self.violation);
            let mut look = |machine: &Machine<'_>, over| stacks.look(machine, over);
            let steps = observe(program, &self.schedule, Detail::Steps, &mut look);
            Seen {
                steps,
                stacks: stacks.seen(),
            }
        })
    }
}

/// The stacks of the threads that are involved in a violation.
struct Stacks {
    /// Which threads, and before which step.
    wanted: Vec<(ThreadId, Option<u64>)>,
    found: Vec<Option<Stack>>,
}

impl Stacks {
    fn of(violation: &Violation) -> Stacks {
        let mut wanted: Vec<(ThreadId, Option<u64>)> = vec![(violation.thread, None)];
        // Where a thread stands now says more than where it once was.
        let (now, once): (Vec<_>, Vec<_>) =
            violation.related.iter().partition(|r| r.step.is_none());
        for r in now.into_iter().chain(once) {
            if !wanted.iter().any(|(t, _)| *t == r.thread) {
                wanted.push((r.thread, r.step));
            }
        }
        Stacks {
            found: vec![None; wanted.len()],
            wanted,
        }
    }

    /// Looks at a state; of a past access there is only the number of its step, and the thread stands before it one step earlier.
    fn look(&mut self, machine: &Machine<'_>, over: bool) {
        for ((thread, step), stack) in self.wanted.iter().zip(&mut self.found) {
            let here = match step {
                None => over,
                Some(step) => stack.is_none() && machine.steps() + 1 >= *step,
            };
            if here {
                *stack = Stack::of(machine, *thread);
            }
        }
    }

    fn seen(self) -> Vec<Stack> {
        self.found.into_iter().flatten().collect()
    }
}
