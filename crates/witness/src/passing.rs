//! The nearest schedule that does not fail: the same as the failing one for as long as possible, then another thread goes on.
//!
//! From the end of the failing schedule backwards, every step is replaced by one of another thread (or, where the program chose, left to the choices
//! of the failing run), after which threads run without being interrupted. The first run that ends with nothing wrong is taken: what
//! comes before its first difference is common to both, and that difference is where the failure was decided.
//!
//! What it misses: schedules that differ earlier but by less, and answers to inputs: those stay what they were.

use raddle_interp::choice::{Choice, Choices};
use raddle_interp::schedule::{Event, Schedule};
use raddle_interp::schedulers::{Replay, Runner, Scheduler, Stop};
use raddle_interp::{Config, Enabled, End, Machine, ThreadId};
use raddle_ir::{ChoiceClass, Program};
use std::time::Instant;

/// Steps of a run that may be a passing one.
const MOST_STEPS: u64 = 20_000;

/// Steps of one thread in a row.
const TURN: u32 = 500;

/// A passing schedule and how many of its events the failing one begins with, too; `None` if none was found in time.
pub fn nearest_passing(
    program: &Program,
    failing: &Schedule,
    until: Instant,
) -> Option<(Schedule, usize)> {
    let mut cut = failing.events.len();
    while cut > 0 {
        cut -= 1;
        let Event::Step { thread, .. } = failing.events[cut] else {
            continue;
        };
        let mut other = 0;
        loop {
            if Instant::now() > until {
                return None;
            }
            let mut common = failing.clone();
            common.events.truncate(cut);
            let mut scheduler = Detour {
                replay: Replay::new(&common),
                instead_of: Some(thread),
                other,
                others: 0,
                current: None,
                turn: TURN,
                inputs: failing.events[cut..].iter().filter_map(answer).collect(),
            };
            if let Some(events) = run(program, failing, &mut scheduler) {
                let schedule = Schedule {
                    events,
                    ..failing.clone()
                };
                return Some((schedule, cut));
            }
            other += 1;
            if other >= scheduler.others {
                break;
            }
        }
    }
    None
}

fn answer(event: &Event) -> Option<(ChoiceClass, u128)> {
    match event {
        Event::Choice { kind, value } => Some((*kind, *value)),
        Event::Step { .. } => None,
    }
}

/// The events of a run that ends well.
fn run(program: &Program, failing: &Schedule, scheduler: &mut Detour) -> Option<Vec<Event>> {
    let config = Config {
        checks: failing.checks,
        spurious_wakeups: failing.spurious_wakeups,
        reuse_addresses: failing.reuse_addresses,
        output: false,
        ..Config::default()
    };
    let mut runner = Runner::new(scheduler);
    let mut machine = runner.start(program, config);
    match runner.run(&mut machine, MOST_STEPS, &mut |_| true) {
        Stop::Ended(End::Exit(_)) => Some(runner.events),
        _ => None,
    }
}

/// Follows a schedule, then another thread, then whoever is there, uninterrupted.
struct Detour {
    replay: Replay,
    /// Who does not go on at the end of the schedule.
    instead_of: Option<ThreadId>,
    /// Which of the others does.
    other: usize,
    /// How many others there were.
    others: usize,
    current: Option<ThreadId>,
    /// Steps until somebody else is asked.
    turn: u32,
    /// The answers that the failing run gave from there, by kind.
    inputs: Vec<(ChoiceClass, u128)>,
}

impl Choices for Detour {
    fn choose(&mut self, choice: &Choice) -> u128 {
        if !self.replay.is_finished() {
            return self.replay.choose(choice);
        }
        let same = |(kind, _): &(ChoiceClass, u128)| *kind == choice.kind.class();
        match self.inputs.iter().position(same) {
            Some(at) => self.inputs.remove(at).1,
            None => 0,
        }
    }
}

impl Scheduler for Detour {
    fn pick(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        if !self.replay.is_finished() {
            return self.replay.pick(machine, enabled);
        }
        if let Some(not) = self.instead_of.take() {
            self.others = enabled.len() - usize::from(enabled.contains(not));
            self.current = enabled.iter().filter(|t| *t != not).nth(self.other);
            return self.current;
        }
        // Who waits in a loop gets nowhere without the others.
        self.turn = self.turn.checked_sub(1).unwrap_or(TURN);
        let on = self
            .current
            .filter(|t| self.turn > 0 && enabled.contains(*t));
        // Somebody else, in turn, so that threads that wait for each other get on.
        let next = self.current.and_then(|c| enabled.from(ThreadId(c.0 + 1)));
        self.current = on.or(next).or(enabled.first());
        self.current
    }
}
