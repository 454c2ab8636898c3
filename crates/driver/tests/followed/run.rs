//! One random run of the interpreter, and the skeleton it is followed in.

use raddle_interp::schedulers::SplitMix;
use raddle_interp::{Choice, Choices, Config, End, Machine, Observed, Outcome, ThreadId};
use raddle_ir::{ChoiceClass, Location, Op, Program, Property, SyncOp};
use raddle_skeleton::event::Skeleton;
use raddle_skeleton::facts::Facts;
use raddle_skeleton::follow::{Follower, Lost};
use raddle_skeleton::mode::Mode;
use raddle_skeleton::names::{Names, ObjectKey};
use raddle_skeleton::unwind::{Bounds, Wanted, unwind};
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Answers at random, mostly with small numbers, and writes everything down.
struct Told {
    random: SplitMix,
    answers: Vec<(ThreadId, ChoiceClass, u128)>,
    made: HashMap<ThreadId, VecDeque<ThreadId>>,
}

impl Choices for Told {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let value = match choice.options {
            0 => {
                let all = [0, 1, 2, 3, 5, 255, u128::MAX, self.random.draw().into()];
                all[self.random.below(all.len() as u64) as usize]
            }
            n => u128::from(self.random.below(n.into())),
        };
        let value = match (choice.options, choice.bits) {
            (0, bits) if bits < 128 => value & ((1 << bits) - 1),
            _ => value,
        };
        let told = (choice.thread, choice.kind.class(), value);
        self.answers.push(told);
        value
    }

    fn made(&mut self, maker: ThreadId, _: Location, new: ThreadId) {
        self.made.entry(maker).or_default().push_back(new);
    }
}

/// Steps of one run; most programs end sooner, unless they spin.
const STEPS: u64 = 300;

/// The skeleton of a program, unless it takes too long.
pub fn skeleton(program: &Program, property: Property, bound: u32) -> Option<Skeleton> {
    let bounds = Bounds {
        default: bound,
        special: HashMap::new(),
        constant: 2000,
        index: 8,
        events: 20_000,
    };
    let wanted = Wanted {
        properties: vec![property],
        mode: Mode::default(),
        ways: None,
        inputs: None,
        detours: None,
    };
    let names = Names::new(program.model);
    let until = Instant::now() + Duration::from_secs(2);
    let stop = || Instant::now() > until;
    let mut facts = Facts::default();
    unwind(
        program,
        &bounds,
        &wanted,
        &mut facts,
        names,
        &stop,
        &mut |_| {},
    )
    .ok()
}

/// Follows one run; true if to its end.
pub fn follow(
    program: &Program,
    skeleton: &mut Skeleton,
    property: Property,
    seed: u64,
) -> Result<bool, String> {
    let config = Config {
        checks: [property].into_iter().collect(),
        spurious_wakeups: true,
        reuse_addresses: false,
        output: false,
        observe: true,
        ..Config::default()
    };
    let mut told = Told {
        random: SplitMix::new(seed),
        answers: Vec::new(),
        made: HashMap::new(),
    };
    let mut machine = Machine::new(program, config, &mut told);
    let mut follower = Follower::new(program, skeleton);
    // Where globals lie is known from the start; of other objects whose place matters it is not.
    let place = |key: &ObjectKey| match key {
        ObjectKey::Global(g) => {
            let object = machine.object_of(ThreadId(0), *g)?;
            Some(machine.object_base(object))
        }
        _ => None,
    };
    if !follower.place(&place)? {
        return Ok(false);
    }
    loop {
        for (t, kind, value) in told.answers.drain(..) {
            // What is not followed.
            if kind == ChoiceClass::Uninitialised
                || (kind == ChoiceClass::ReuseHandle && value != 0)
            {
                return Ok(false);
            }
            if !matches!(kind, ChoiceClass::ReuseAddress | ChoiceClass::ReuseHandle) {
                follower.tell(t.0, kind, value);
            }
        }
        for seen in machine.take_observed() {
            let Observed::Executes { thread, stack, .. } = seen else {
                continue;
            };
            let Some(&at) = stack.last() else { continue };
            let block = program.function(at.function).block(at.block);
            let op = block.instrs.get(at.index as usize).map(|i| &i.op);
            if let Some(Op::Sync {
                op: SyncOp::ThreadNew,
                ..
            }) = op
                && let Some(new) = told.made.entry(thread).or_default().pop_front()
            {
                match follower.made(thread.0, new.0) {
                    Ok(()) => {}
                    Err(Lost::Beyond) => return Ok(false),
                    Err(Lost::Nowhere(why)) => return Err(format!("{why}, at {at:?}")),
                }
            }
            match follower.step(thread.0, at) {
                Ok(_) => {}
                Err(Lost::Beyond) => return Ok(false),
                // Alone, a thread may stand at an operation at which it is blocked.
                Err(_) if machine.thread(thread).location() == Some(at) => {}
                Err(Lost::Nowhere(why)) => {
                    let span = program.span_of(at);
                    return Err(format!(
                        "{why}: thread {} at line {}, {op:?}",
                        thread.0, span.line
                    ));
                }
            }
        }
        if let Some(end) = machine.end() {
            return match end {
                _ if follower.is_beyond() => Ok(false),
                End::Violation(v) if v.property == property && !follower.is_violated(property) => {
                    Err(format!("the violation is not there: {}", v.property))
                }
                _ => Ok(true),
            };
        }
        if machine.steps() > STEPS {
            return Ok(true);
        }
        let mut enabled = machine.enabled();
        loop {
            if enabled.is_empty() {
                return Ok(true);
            }
            let pick = told.random.below(enabled.len() as u64) as usize;
            let t = enabled.swap_remove(pick);
            if machine.step(t, &mut told) == Outcome::Done {
                break;
            }
            told.answers.clear();
        }
    }
}
