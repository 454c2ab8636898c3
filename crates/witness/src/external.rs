//! What functions without a body returned in a run, and whether a violation rests on it.
//!
//! Such a function returns any value, which is more than the real one does. A violation that shows with other values just as well does
//! not rest on the value. Only a few others are tried, so this is a hint for a reader and no proof.

use crate::replayer::replay;
use crate::same::is_same;
use raddle_interp::choice::{Choice, ChoiceKind, Choices};
use raddle_interp::constants::interesting;
use raddle_interp::foreign::Foreign;
use raddle_interp::schedule::{Event, Schedule};
use raddle_interp::schedulers::{Replay, Runner, Scheduler, Stop};
use raddle_interp::{Config, Enabled, End, Machine, ThreadId, Violation};
use raddle_ir::{ChoiceClass, DataModel, FuncId, Location, Op, Operand, Program, Property, Ty};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What a violation needs of a function without a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// That it returns the value.
    Value,
    /// That it does not write what its arguments point to.
    Untouched,
    /// That it does not order threads.
    Unordered,
    /// That it neither frees nor keeps what it is given.
    Released,
    /// That it does not call this function, which it was given.
    Uncalled(FuncId),
}

/// A value that a function without a body returned, or memory that it left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// The name of the function.
    pub function: String,
    /// The thread that called it.
    pub thread: ThreadId,
    /// The call.
    pub at: Location,
    /// The type of the value.
    pub ty: Ty,
    /// The value.
    pub value: u128,
    /// What matters.
    pub needed: Needed,
    /// It is the result of inline assembly that is not modelled.
    pub assembly: bool,
}

impl Returned {
    /// The value for a reader.
    pub fn shown(&self, model: DataModel) -> String {
        let bits = self.ty.bits(model);
        let value = self.value & raddle_interp::value::mask(bits);
        match self.ty {
            Ty::Ptr if value == 0 => "a null pointer".to_string(),
            Ty::Ptr => format!("the pointer {value:#x}"),
            _ if self.ty.is_int() => raddle_interp::value::sign_extend(value, bits).to_string(),
            _ => format!("the bits {value:#x}"),
        }
    }
}

/// Repeats a schedule and writes down what functions without a body return.
pub(crate) struct Listening {
    pub replay: Replay,
    pub heard: Vec<(Choice, u128)>,
}

impl Listening {
    pub fn new(schedule: &Schedule) -> Listening {
        Listening {
            replay: Replay::new(schedule),
            heard: Vec::new(),
        }
    }
}

impl Choices for Listening {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let value = self.replay.choose(choice);
        if matches!(choice.kind, ChoiceKind::External(_)) {
            self.heard.push((*choice, value));
        }
        value
    }

    fn made(&mut self, maker: ThreadId, at: Location, new: ThreadId) {
        self.replay.made(maker, at, new);
    }
}

impl Scheduler for Listening {
    fn pick(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        self.replay.pick(machine, enabled)
    }
}

pub(crate) fn told(program: &Program, choice: &Choice, value: u128) -> Option<Returned> {
    let ChoiceKind::External(ty) = choice.kind else {
        return None;
    };
    let instr = program.instr(choice.at)?;
    let (function, assembly) = match &instr.op {
        Op::Call {
            callee: Operand::Function(f),
            ..
        } => {
            let function = program.function(*f);
            (function.name.clone(), function.assembly)
        }
        _ => (program.text(instr.text).to_string(), false),
    };
    Some(Returned {
        function,
        thread: choice.thread,
        at: choice.at,
        ty,
        value,
        needed: Needed::Value,
        assembly,
    })
}

/// What functions without a body returned, in the order of the run, and whether the violation fails to show with another value.
pub fn returned(
    program: &Program,
    schedule: &Schedule,
    violation: &Violation,
) -> Vec<(Returned, bool)> {
    let is_external =
        |e: &Event| matches!(e, Event::Choice { kind, .. } if *kind == ChoiceClass::External);
    let events = schedule.events.iter().enumerate();
    let places: Vec<usize> = events
        .filter(|(_, e)| is_external(e))
        .map(|(i, _)| i)
        .collect();
    if places.is_empty() {
        return Vec::new();
    }
    let config = config(schedule);
    let mut listening = Listening::new(schedule);
    let mut runner = Runner::new(&mut listening);
    let mut machine = runner.start(program, config);
    runner.run(&mut machine, u64::MAX, &mut |_| true);
    let mut needed = Vec::new();
    for (place, (choice, value)) in places.into_iter().zip(&listening.heard) {
        let Some(returned) = told(program, choice, *value) else {
            continue;
        };
        let shows = |other: u128| {
            let mut changed = schedule.clone();
            if let Event::Choice { value, .. } = &mut changed.events[place] {
                *value = other;
            }
            replay(program, &changed).is_ok_and(|again| is_same(&again, violation))
        };
        let all = raddle_interp::value::mask(returned.ty.bits(program.model));
        let mut others = vec![0, 1, 2, all, all / 2, value.wrapping_add(1) & all];
        if returned.assembly {
            others.extend(interesting(program).into_iter().map(|n| n as u128 & all));
        }
        let rests = !others.into_iter().filter(|v| v != value).all(shows);
        needed.push((returned, rests));
    }
    needed
}

fn config(schedule: &Schedule) -> Config {
    Config {
        checks: schedule.checks,
        spurious_wakeups: schedule.spurious_wakeups,
        reuse_addresses: schedule.reuse_addresses,
        output: false,
        ..Config::default()
    }
}

/// How long to try other values.
const PATIENCE: Duration = Duration::from_secs(5);

/// Repeats a schedule in which less memory may be uninitialised.
struct Lenient(Replay);

impl Choices for Lenient {
    fn choose(&mut self, choice: &Choice) -> u128 {
        if !matches!(choice.kind, ChoiceKind::Uninitialised(_)) {
            self.0.skip_uninitialised();
        }
        self.0.choose(choice)
    }
}

impl Scheduler for Lenient {
    fn pick(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        self.0.skip_uninitialised();
        self.0.pick(machine, enabled)
    }
}

/// A function without a body that must not do what only it can know of: order the two threads of a race, free or keep what is said to leak, or
/// call a function whose effect a deadlocked thread may be waiting for.
pub fn unobserved(
    program: &Program,
    schedule: &Schedule,
    violation: &Violation,
) -> Option<Returned> {
    if program.functions.iter().all(raddle_ir::Function::has_body) {
        return None;
    }
    let config = Config {
        note_foreign_calls: true,
        ..config(schedule)
    };
    let mut replay = Replay::new(schedule);
    let mut runner = Runner::new(&mut replay);
    let mut machine = runner.start(program, config);
    runner.run(&mut machine, u64::MAX, &mut |_| true);
    let (call, needed) = match violation.property {
        Property::NoDataRace => {
            let other = violation.related.first()?.thread;
            let call = machine.foreign_calls_may_order(other, violation.thread)?;
            (call, Needed::Unordered)
        }
        Property::NoDeadlock => {
            let (call, function) = machine.foreign_calls_may_call()?;
            (call, Needed::Uncalled(function))
        }
        Property::ValidMemtrack | Property::ValidMemcleanup => {
            let call = machine.foreign_calls_may_keep(violation.at)?;
            (call, Needed::Released)
        }
        // Whatever goes wrong between two threads may rest on what a lock would exclude.
        _ => {
            let calls = machine.foreign_calls();
            let threads: BTreeSet<ThreadId> = calls.iter().map(|c| c.thread).collect();
            let second = |a: &ThreadId| {
                let others = threads.iter().filter(move |b| *b != a);
                others
                    .filter_map(|b| machine.foreign_calls_may_order(*a, *b))
                    .next()
            };
            (threads.iter().find_map(second)?, Needed::Unordered)
        }
    };
    Some(Returned {
        function: program.function(call.function).name.clone(),
        thread: call.thread,
        at: call.at,
        ty: Ty::Ptr,
        value: 0,
        needed,
        assembly: false,
    })
}

/// The functions without a body that must leave alone what their arguments point to: the violation fails to show if one of them writes
/// there. Only a few values are tried, pointers among them.
pub fn untouched(program: &Program, schedule: &Schedule, violation: &Violation) -> Vec<Returned> {
    let shows = |function: FuncId, value: Option<u64>, width: u64| {
        let config = Config {
            foreign: Some(Foreign {
                function,
                value,
                width,
            }),
            ..config(schedule)
        };
        let mut lenient = Lenient(Replay::new(schedule));
        let mut runner = Runner::new(&mut lenient);
        let mut machine = runner.start(program, config);
        let stop = runner.run(&mut machine, u64::MAX, &mut |_| true);
        let same = matches!(stop, Stop::Ended(End::Violation(v)) if is_same(&v, violation));
        (same, machine.foreign_wrote())
    };
    let begun = Instant::now();
    let numbers = interesting(program).into_iter().map(|n| Some(n as u64));
    let values: Vec<Option<u64>> = std::iter::once(None).chain(numbers).collect();
    let mut found = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        let id = FuncId(index as u32);
        let mut params = 0..function.params as usize;
        if !params.any(|p| program.written_through(id, p).is_some()) {
            continue;
        }
        // Most functions are not called in this run, or not with memory.
        if !shows(id, None, 8).1 {
            continue;
        }
        let rests = |value: &Option<u64>| !shows(id, *value, 4).0 || !shows(id, *value, 8).0;
        let in_time = |_: &&Option<u64>| begun.elapsed() < PATIENCE;
        if values.iter().take_while(in_time).any(rests) {
            found.push(Returned {
                function: function.name.clone(),
                thread: violation.thread,
                at: violation.at,
                ty: Ty::Ptr,
                value: 0,
                needed: Needed::Untouched,
                assembly: false,
            });
        }
    }
    found
}
