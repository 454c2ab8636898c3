//! What functions without a body returned in a run, and whether a violation rests on it.
//!
//! Such a function returns any value, which is more than the real one does. A violation that shows with other values just as well does
//! not rest on the value. Only a few others are tried, so this is a hint for a reader and no proof.

use crate::replayer::replay;
use crate::same::is_same;
use raddle_interp::choice::{Choice, ChoiceKind, Choices};
use raddle_interp::schedule::{Event, Schedule};
use raddle_interp::schedulers::{Replay, Runner, Scheduler};
use raddle_interp::{Config, Enabled, Machine, ThreadId, Violation};
use raddle_ir::{DataModel, Location, Op, Operand, Program, Ty};

/// A value that a function without a body returned.
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
    let function = match &instr.op {
        Op::Call {
            callee: Operand::Function(f),
            ..
        } => program.function(*f).name.clone(),
        _ => program.text(instr.text).to_string(),
    };
    Some(Returned {
        function,
        thread: choice.thread,
        at: choice.at,
        ty,
        value,
    })
}

/// What functions without a body returned, in the order of the run, and whether the violation fails to show with another value.
pub fn returned(
    program: &Program,
    schedule: &Schedule,
    violation: &Violation,
) -> Vec<(Returned, bool)> {
    let is_external = |e: &Event| matches!(e, Event::Choice { kind, .. } if kind == "external");
    let events = schedule.events.iter().enumerate();
    let places: Vec<usize> = events
        .filter(|(_, e)| is_external(e))
        .map(|(i, _)| i)
        .collect();
    if places.is_empty() {
        return Vec::new();
    }
    let config = Config {
        checks: schedule.checks,
        spurious_wakeups: schedule.spurious_wakeups,
        reuse_addresses: schedule.reuse_addresses,
        output: false,
        ..Config::default()
    };
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
        let others = [0, 1, 2, all, all / 2, value.wrapping_add(1) & all];
        let rests = !others.into_iter().filter(|v| v != value).all(shows);
        needed.push((returned, rests));
    }
    needed
}
