//! Old schedules on the program as it is now: whether they still show their violation.
//!
//! The schedule of an unchanged program is replayed as it is. One of a program that has changed names places that may have moved, so it is
//! followed by who takes the next step and by the answers to choices, whatever the steps are. What comes of it is a schedule
//! of its own, which counts only if it replays from itself alone.
//!
//! What it misses: it does not search. A change that adds a step before the violation to a thread on the way lets the schedule end early.

use crate::replayer::replay;
use raddle_interp::schedule::{Event, Schedule};
use raddle_interp::schedulers::{Runner, Scheduler};
use raddle_interp::{Choice, Choices, Config, Enabled, Machine, ThreadId};
use raddle_ir::Program;
use raddle_verdict::Found;
use std::time::{Duration, Instant};

/// The longest run of a schedule on a changed program.
const PATIENCE: Duration = Duration::from_secs(5);

/// The violation that a schedule of this program shows.
pub fn shown_by(program: &Program, schedule: &Schedule) -> Result<Found, String> {
    schedule.check_program(program)?;
    let violation = replay(program, schedule)?;
    Ok(Found {
        property: violation.property,
        span: program.span_of(violation.at),
        object: violation.object,
        message: violation.message,
        schedule: schedule.to_json(),
        projection: Vec::new(),
    })
}

/// The violation that a schedule of an earlier version shows on this program, with a schedule for this program.
pub fn shown_after_change(program: &Program, old: &Schedule) -> Result<Found, String> {
    let config = Config {
        checks: old.checks,
        spurious_wakeups: old.spurious_wakeups,
        reuse_addresses: old.reuse_addresses,
        output: false,
        ..Config::default()
    };
    let mut order = Order {
        events: &old.events,
        at: 0,
        differs: false,
    };
    let deadline = Instant::now() + PATIENCE;
    let mut runner = Runner::new(&mut order);
    let mut machine = runner.start(program, config);
    // A schedule has a step for every event at most.
    let steps = old.events.len() as u64 + 1;
    runner.run(&mut machine, steps, &mut |_| Instant::now() < deadline);
    let events = runner.events;
    if order.differs {
        return Err(format!("the run differs at event {}", order.at));
    }
    let schedule = Schedule {
        program: program.fingerprint(),
        data_model: program.model.name().to_string(),
        events,
        ..old.clone()
    };
    shown_by(program, &schedule)
}

/// Follows a schedule by threads and answers, not by places.
struct Order<'a> {
    events: &'a [Event],
    at: usize,
    differs: bool,
}

impl Choices for Order<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        match self.events.get(self.at) {
            Some(Event::Choice { kind, value }) if *kind == choice.kind.class() => {
                self.at += 1;
                *value
            }
            _ => {
                self.differs = true;
                0
            }
        }
    }
}

impl Scheduler for Order<'_> {
    fn pick(&mut self, _: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        match self.events.get(self.at) {
            Some(Event::Step { thread, .. }) if !self.differs && enabled.contains(*thread) => {
                self.at += 1;
                Some(*thread)
            }
            _ => {
                self.differs = true;
                None
            }
        }
    }
}
