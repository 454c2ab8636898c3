//! The judge: steer, compare, shorten, replay once more.

use crate::same::{is_claimed, is_same};
use crate::shorten::{Effort, shorten};
use crate::steer::{Steer, place};
use raddle_interp::schedule::Schedule;
use raddle_interp::schedulers::{Replay, Runner, Stop};
use raddle_interp::{Checks, Config, End, Machine, Violation};
use raddle_ir::{Program, Property};
use raddle_verdict::{Budget, Candidate, Found, Judge};
use std::time::{Duration, Instant};

/// For how long a candidate is followed, whatever the budget says: stopping half-way would look like a difference.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many steps of the interpreter a candidate may take.
const STEPS: u64 = 2_000_000;

/// Replays candidates of one program.
pub struct Replayer<'p> {
    program: &'p Program,
    properties: Checks,
    files: Vec<String>,
    arguments: Vec<String>,
    budget: Budget,
    fingerprint: Option<u64>,
    refused: Vec<(Candidate, String)>,
}

impl<'p> Replayer<'p> {
    /// A judge that confirms violations of these properties only.
    pub fn new(program: &'p Program, properties: &[Property]) -> Replayer<'p> {
        Replayer {
            program,
            properties: properties.iter().copied().collect(),
            files: program.files.clone(),
            arguments: Vec::new(),
            budget: Budget::unlimited(),
            fingerprint: None,
            refused: Vec::new(),
        }
    }

    /// The files to name in schedules, as they were given on the command line.
    pub fn files(mut self, files: Vec<String>) -> Replayer<'p> {
        self.files = files;
        self
    }

    /// The arguments of `main` to name in schedules.
    pub fn arguments(mut self, arguments: Vec<String>) -> Replayer<'p> {
        self.arguments = arguments;
        self
    }

    /// Schedules are shortened only within this budget.
    pub fn budget(mut self, budget: Budget) -> Replayer<'p> {
        self.budget = budget;
        self
    }

    /// The candidates that were not confirmed, and why: each is a bug of ours.
    pub fn refused(&self) -> &[(Candidate, String)] {
        &self.refused
    }

    /// Follows a candidate to its violation.
    fn follow(&mut self, candidate: &Candidate) -> Result<(Schedule, Violation), String> {
        if !self.properties.has(candidate.property) {
            return Err(format!("{} was not asked for", candidate.property));
        }
        let config = Config {
            // Another violation on the way would end the run before the claimed one.
            checks: std::iter::once(candidate.property).collect(),
            spurious_wakeups: candidate.spurious_wakeups,
            reuse_addresses: true,
            output: false,
            count_executions: true,
            ..Config::default()
        };
        let deadline = Instant::now() + PATIENCE;
        let mut steer = Steer::new(candidate);
        let mut runner = Runner::new(&mut steer);
        let mut machine = runner.start(self.program, config.clone());
        let mut in_time = |_: &mut Machine<'_>| Instant::now() < deadline;
        let stop = runner.run(&mut machine, STEPS, &mut in_time);
        let events = runner.events;
        let violation = violation(&machine, &mut steer, candidate, &stop)?;
        let fingerprint = *self
            .fingerprint
            .get_or_insert_with(|| self.program.fingerprint());
        let schedule = Schedule {
            program: fingerprint,
            files: self.files.clone(),
            data_model: self.program.model.name().to_string(),
            checks: config.checks,
            spurious_wakeups: config.spurious_wakeups,
            reuse_addresses: config.reuse_addresses,
            arguments: self.arguments.clone(),
            events,
        };
        Ok((schedule, violation))
    }
}

/// The violation a run ended with, if it is the claimed one; otherwise what happened instead.
fn violation(
    machine: &Machine<'_>,
    steer: &mut Steer<'_>,
    candidate: &Candidate,
    stop: &Stop,
) -> Result<Violation, String> {
    let complete = steer.is_complete(machine);
    let claimed = steer.claimed();
    let instead = match stop {
        Stop::Ended(End::Violation(v)) if is_claimed(machine, v, candidate, claimed, complete) => {
            return Ok(v.as_ref().clone());
        }
        Stop::Ended(End::Violation(v)) => format!(
            "thread {} shows {} at {} ({}), not at {}",
            v.thread.0,
            v.property,
            place(machine, v.at),
            v.message,
            place(machine, candidate.at)
        ),
        Stop::Ended(End::Exit(status)) => format!("the process ends with status {status}"),
        Stop::Ended(End::Abort) => "the process aborts".into(),
        Stop::Ended(End::Limit(what)) => format!("a limit of the run: {what}"),
        Stop::Stuck => "no thread can go on, and that is no violation".into(),
        Stop::Scheduler => {
            let problem = steer.problem.clone();
            return Err(problem.unwrap_or("the run ends without a reason".into()));
        }
        Stop::Steps | Stop::Interrupted => "the run takes too long".into(),
    };
    Err(format!("{}: {instead}", steer.progress(machine)))
}

/// Runs a schedule as `raddle replay` would, and tells what it ends with.
pub fn replay(program: &Program, schedule: &Schedule) -> Result<Violation, String> {
    let config = Config {
        checks: schedule.checks,
        spurious_wakeups: schedule.spurious_wakeups,
        reuse_addresses: schedule.reuse_addresses,
        output: false,
        ..Config::default()
    };
    let mut scheduler = Replay::new(schedule);
    let mut runner = Runner::new(&mut scheduler);
    let mut machine = runner.start(program, config);
    let stop = runner.run(&mut machine, u64::MAX, &mut |_| true);
    match (stop, &scheduler.mismatch) {
        (Stop::Ended(End::Violation(v)), None) => Ok(*v),
        (_, Some(mismatch)) => Err(mismatch.clone()),
        (stop, None) => Err(format!("the schedule ends with {stop:?}")),
    }
}

impl Replayer<'_> {
    fn judge(&mut self, candidate: &Candidate) -> Result<Found, String> {
        let confirmed = self.follow(candidate).and_then(|(long, violation)| {
            let effort = Effort {
                budget: self.budget.clone(),
                ..Effort::default()
            };
            let short = shorten(self.program, &long, &violation, &effort);
            // What is given away is what was seen, without any help: counters off, nothing but the schedule.
            match replay(self.program, &short) {
                Ok(again) if is_same(&again, &violation) => Ok((short, again)),
                _ => replay(self.program, &long).map(|again| (long, again)),
            }
        });
        let (schedule, violation) = confirmed?;
        Ok(Found {
            property: violation.property,
            span: self.program.span_of(violation.at),
            object: violation.object,
            message: violation.message,
            schedule: schedule.to_json(),
            projection: Vec::new(),
        })
    }
}

impl Judge for Replayer<'_> {
    fn confirm(&mut self, candidate: &Candidate) -> Result<Found, String> {
        let answer = self.judge(candidate);
        if let Err(reason) = &answer {
            self.refused.push((candidate.clone(), reason.clone()));
        }
        answer
    }

    fn try_out(&mut self, candidate: &Candidate) -> Option<Found> {
        self.judge(candidate).ok()
    }
}
