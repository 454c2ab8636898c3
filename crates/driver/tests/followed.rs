//! Every run of the interpreter is a run of the skeleton: random schedules of all programs of the suite, followed step by step.
//!
//! What cannot be followed is behaviour that the unwinding has lost, so that the engines built on it could call a program safe that is
//! not. `RADDLE_FOLLOW=n` takes n schedules for each program, `RADDLE_SUITE=word` only programs whose path contains the word.

use raddle_interp::schedulers::SplitMix;
use raddle_interp::{Choice, Choices, Config, End, Machine, Observed, Outcome, ThreadId};
use raddle_ir::{Location, Op, Program, Property, SyncOp};
use raddle_skeleton::event::Skeleton;
use raddle_skeleton::facts::Facts;
use raddle_skeleton::follow::{Follower, Lost};
use raddle_skeleton::mode::Mode;
use raddle_skeleton::names::Names;
use raddle_skeleton::unwind::{Bounds, Wanted, unwind};
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::time::{Duration, Instant};

#[allow(dead_code)]
mod suite;
use suite::{programs, read_case};

/// Answers at random, mostly with small numbers, and writes everything down.
struct Told {
    random: SplitMix,
    answers: Vec<(ThreadId, &'static str, u128)>,
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
        let told = (choice.thread, choice.kind.name(), value);
        self.answers.push(told);
        value
    }

    fn made(&mut self, maker: ThreadId, _: Location, new: ThreadId) {
        self.made.entry(maker).or_default().push_back(new);
    }
}

/// Steps of one run; most programs end sooner, unless they spin.
const STEPS: u64 = 300;

fn skeleton(program: &Program, property: Property, bound: u32) -> Option<Skeleton> {
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
fn follow(
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
    loop {
        for (t, kind, value) in told.answers.drain(..) {
            if kind == "reuse-handle" && value != 0 {
                return Ok(false);
            }
            if !kind.starts_with("reuse") {
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

#[test]
fn no_run_is_lost() {
    let worker = std::thread::Builder::new().stack_size(256 << 20);
    worker
        .spawn(all)
        .expect("a thread")
        .join()
        .expect("no panic");
}

fn all() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    programs(&root.join("tests/semantics"), &mut paths);
    programs(&root.join("examples"), &mut paths);
    paths.sort();
    if let Ok(word) = std::env::var("RADDLE_SUITE") {
        paths.retain(|p| p.display().to_string().contains(&word));
    }
    let runs: u64 = std::env::var("RADDLE_FOLLOW").map_or(2, |n| n.parse().expect("a number"));
    let (mut whole, mut part) = (0, 0);
    let mut lost = Vec::new();
    for path in &paths {
        let Ok(program) = read_case(path).compile() else {
            continue;
        };
        for property in [Property::UnreachCall, Property::ValidDeref] {
            let Some(mut skeleton) = skeleton(&program, property, 3) else {
                continue;
            };
            for seed in 0..runs {
                match follow(&program, &mut skeleton, property, seed) {
                    Ok(true) => whole += 1,
                    Ok(false) => part += 1,
                    Err(why) => {
                        let name = path.file_name().unwrap_or_default().to_string_lossy();
                        lost.push(format!("{name} {property}, seed {seed}: {why}"));
                        break;
                    }
                }
            }
        }
    }
    eprintln!("{whole} runs followed to their end, {part} to where the unwinding ends");
    assert!(lost.is_empty(), "{} lost:\n{}", lost.len(), lost.join("\n"));
}
