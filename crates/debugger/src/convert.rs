//! Schedules as histories, and histories as schedules.
//!
//! A step of a schedule is a visible operation with everything invisible behind it; a step of a history is one instruction. A
//! schedule is taken apart by running it and watching every instruction. The other way round, threads run ahead of the history up to
//! their next visible operation, which nobody notices; so the visible ones in their order are the schedule.

use crate::session::Session;
use raddle_interp::observe::Observed;
use raddle_interp::schedule::{Event, Schedule};
use raddle_interp::schedulers::{Replay, Runner, Scheduler};
use raddle_interp::{Choice, Choices, Config, Enabled, End, Machine, ThreadId};
use raddle_ir::{ChoiceClass, Location, Program, Property};
use raddle_verdict::Beginning;
use std::collections::{HashMap, VecDeque};

/// How a schedule was run.
pub fn config_of(schedule: &Schedule) -> Config {
    Config {
        checks: schedule.checks,
        spurious_wakeups: schedule.spurious_wakeups,
        reuse_addresses: schedule.reuse_addresses,
        ..Config::default()
    }
}

/// Answers in the order in which they were given once.
struct Told<'a> {
    left: &'a mut VecDeque<u128>,
    now: Vec<u128>,
}

impl Choices for Told<'_> {
    fn choose(&mut self, _: &Choice) -> u128 {
        let answer = self.left.pop_front().unwrap_or(0);
        self.now.push(answer);
        answer
    }
}

/// The history of a schedule, instruction by instruction.
pub fn history_of(program: &Program, schedule: &Schedule) -> Result<Beginning, String> {
    let mut replay = Replay::new(schedule);
    let mut runner = Runner::new(&mut replay);
    let coarse = Config {
        observe: true,
        output: false,
        ..config_of(schedule)
    };
    let fine = Config {
        single: true,
        output: false,
        ..config_of(schedule)
    };
    let mut machine = runner.start(program, coarse);
    let answers = schedule.events.iter().filter_map(|e| match e {
        Event::Choice { value, .. } => Some(*value),
        Event::Step { .. } => None,
    });
    let mut left: VecDeque<u128> = answers.collect();
    let mut told = Told {
        left: &mut left,
        now: Vec::new(),
    };
    let mut copy = Machine::new(program, fine, &mut told);
    let mut run = Beginning {
        before: told.now,
        steps: Vec::new(),
    };
    let mut follow = |t: ThreadId, copy: &mut Machine<'_>| {
        let mut told = Told {
            left: &mut left,
            now: Vec::new(),
        };
        copy.step(t, &mut told);
        run.steps.push((t.0, told.now));
    };
    let mut tried = None;
    loop {
        for what in machine.take_observed() {
            let Observed::Executes { thread, stack, .. } = what else {
                continue;
            };
            // What is inside an atomic region has happened with its beginning.
            let stands = copy.threads().any(|t| t == thread)
                && copy.end().is_none()
                && copy.thread(thread).location() == stack.last().copied();
            if stands {
                follow(thread, &mut copy);
            }
        }
        let before = runner.events.len();
        let stop = runner.step(&mut machine);
        if stop.is_some() {
            break;
        }
        // An attempt that was refused leaves nothing to observe; it is told only if it shows a deadlock.
        if machine.end().is_some() && runner.events.len() > before {
            tried = Some(before);
        }
    }
    if let Some(tried) = tried.filter(|_| copy.end().is_none()) {
        let attempts: Vec<ThreadId> = runner.events[tried..]
            .iter()
            .filter_map(|e| match e {
                Event::Step { thread, .. } => Some(*thread),
                Event::Choice { .. } => None,
            })
            .collect();
        for t in attempts {
            if copy.end().is_none() && copy.pending(t).is_some_and(|p| p.enabled) {
                follow(t, &mut copy);
            }
        }
    }
    // A deadlock may show between two instructions of one step, before whatever that step ends with.
    let earlier =
        matches!(copy.end(), Some(End::Violation(v)) if v.property == Property::NoDeadlock);
    match (&replay.mismatch, machine.end(), copy.end()) {
        (Some(mismatch), ..) => Err(format!("the schedule is of another program: {mismatch}")),
        (None, a, b) if !is_same_end(a, b) && !earlier => Err(format!(
            "taken instruction by instruction the run ends otherwise ({b:?} instead of {a:?})"
        )),
        _ => Ok(run),
    }
}

/// Whether two runs ended in the same way; their steps are counted differently.
pub fn is_same_end(a: Option<&End>, b: Option<&End>) -> bool {
    match (a, b) {
        (Some(End::Violation(a)), Some(End::Violation(b))) => {
            (a.property, a.at, a.thread) == (b.property, b.at, b.thread)
        }
        _ => a == b,
    }
}

/// Follows a history with steps of the usual size.
struct Follower {
    /// Instructions in order: who, where, for the how manieth time.
    steps: VecDeque<(ThreadId, Location, u32)>,
    answers: HashMap<(ThreadId, Location, ChoiceClass, u32), VecDeque<u128>>,
}

impl Choices for Follower {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let key = (
            choice.thread,
            choice.at,
            choice.kind.class(),
            choice.occurrence,
        );
        let answers = self.answers.get_mut(&key);
        answers.and_then(VecDeque::pop_front).unwrap_or(0)
    }
}

impl Scheduler for Follower {
    fn pick(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        while let Some((t, at, occurrence)) = self.steps.front().copied() {
            let exists = machine.threads().any(|known| known == t);
            let done = exists && machine.executions(t, at) >= occurrence;
            if done {
                self.steps.pop_front();
                continue;
            }
            let stands = exists && machine.thread(t).location() == Some(at);
            if stands && enabled.contains(t) {
                self.steps.pop_front();
                return Some(t);
            }
            return None;
        }
        None
    }
}

/// Writes down every question with its answer.
struct Listening<'a> {
    given: std::slice::Iter<'a, u128>,
    answers: &'a mut HashMap<(ThreadId, Location, ChoiceClass, u32), VecDeque<u128>>,
}

impl Choices for Listening<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let answer = self.given.next().copied().unwrap_or(0);
        let key = (
            choice.thread,
            choice.at,
            choice.kind.class(),
            choice.occurrence,
        );
        self.answers.entry(key).or_default().push_back(answer);
        answer
    }
}

/// The schedule of a session up to now: what `raddle replay` repeats.
pub fn schedule_of(
    session: &Session<'_>,
    files: &[String],
    arguments: &[String],
) -> Result<Schedule, String> {
    if session.branch().is_edited(session.here()) {
        return Err("you have changed the state: no schedule leads here".into());
    }
    let run = session.branch().beginning(session.here());
    let program = session.program();
    let config = Config {
        count_executions: true,
        output: false,
        ..session.machine().config.clone()
    };
    let mut answers = HashMap::new();
    let mut steps = VecDeque::new();
    let mut listening = Listening {
        given: run.before.iter(),
        answers: &mut answers,
    };
    let mut fine = Machine::new(program, config.clone(), &mut listening);
    for (t, given) in &run.steps {
        let t = ThreadId(*t);
        let Some(at) = fine.thread(t).location() else {
            return Err("the history cannot be repeated".into());
        };
        let mut listening = Listening {
            given: given.iter(),
            answers: &mut answers,
        };
        let before = fine.executions(t, at);
        fine.step(t, &mut listening);
        steps.push_back((t, at, before + 1));
    }
    let mut follower = Follower { steps, answers };
    let mut runner = Runner::new(&mut follower);
    let coarse = Config {
        single: false,
        ..config.clone()
    };
    let mut machine = runner.start(program, coarse);
    while runner.step(&mut machine).is_none() {}
    let events = runner.events;
    if fine.end().is_some() && !is_same_end(machine.end(), fine.end()) {
        return Err("the schedule would end otherwise than this history".into());
    }
    if fine.end().is_none() && !follower.steps.is_empty() {
        return Err("the schedule would part from this history".into());
    }
    Ok(Schedule {
        program: program.fingerprint(),
        files: files.to_vec(),
        data_model: program.model.name().to_string(),
        checks: config.checks,
        spurious_wakeups: config.spurious_wakeups,
        reuse_addresses: config.reuse_addresses,
        arguments: arguments.to_vec(),
        events,
    })
}
