//! The execution engine behind a beginning, against the enumeration from the same state.

use crate::beginnings;
use raddle_engine_fusion::{FusionEngine, Method, Strategy};
use raddle_interp::explore::{Exploration, Limits, explore_from};
use raddle_interp::schedulers::SplitMix;
use raddle_interp::{Config, Machine};
use raddle_ir::{Program, Property};
use raddle_verdict::{Beginning, Budget, Engine, Request, Unknown, Verdict};
use raddle_witness::Replayer;
use std::collections::BTreeMap;
use std::time::Duration;

/// Steps of the enumeration.
const STEPS: u64 = 15_000;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_millis(300);
/// States of one program.
const STATES: u64 = 3;

const GROUPS: &[&[Property]] = &[
    &[Property::UnreachCall],
    &[Property::NoDataRace],
    &[Property::NoDeadlock],
    &[Property::ValidMemtrack],
    &[Property::ValidDeref, Property::ValidFree],
    &[Property::NoOverflow, Property::NoDivZero],
    &[Property::ValidSync],
];

/// What was compared.
#[derive(Debug, Default)]
pub struct Tally {
    pub states: u64,
    pub steps: u64,
    pub not_enumerated: u64,
    pub answers: BTreeMap<String, u64>,
}

/// What is wrong, if something is.
pub fn compare(program: &Program, tally: &mut Tally) -> Option<String> {
    let mut random = SplitMix::new(program.fingerprint());
    for _ in 0..STATES {
        let length = random.below(150);
        let (beginning, mut machine) = beginnings::random(program, &mut random, length);
        tally.states += 1;
        tally.steps += beginning.steps.len() as u64;
        for group in GROUPS {
            let truth = enumerate(&mut machine, group);
            if truth.cut && truth.violations.is_empty() {
                tally.not_enumerated += 1;
                continue;
            }
            let methods = [
                Method::Auto,
                Method::Explore(Strategy::Sleep),
                Method::Driven,
            ];
            for method in methods {
                if let Some(why) = one(program, &beginning, group, method, &truth, tally) {
                    let told = (&beginning, &truth.violations);
                    return Some(format!("{method:?} {why} {}: {told:?}", group[0]));
                }
            }
        }
    }
    None
}

fn enumerate(machine: &mut Machine<'_>, group: &[Property]) -> Exploration {
    machine.config = Config {
        checks: group.iter().copied().collect(),
        spurious_wakeups: !group.contains(&Property::NoDeadlock),
        output: false,
        quantum: 100,
        ..Config::default()
    };
    let limits = Limits {
        depth: 400,
        steps: STEPS,
        first_only: false,
        remember: true,
    };
    explore_from(machine, limits)
}

fn one(
    program: &Program,
    beginning: &Beginning,
    group: &[Property],
    method: Method,
    truth: &Exploration,
    tally: &mut Tally,
) -> Option<String> {
    let request = Request {
        properties: group.to_vec(),
        unwind: None,
        certify: false,
        inputs: None,
        after: Some(beginning.clone()),
        all_violations: false,
        budget: Budget::with_timeout(PATIENCE),
    };
    let mut judge = Replayer::new(program, &request.properties);
    let engine = FusionEngine::with(method);
    let verdict = engine.check(program, &request, &mut judge, &mut |_| {});
    // Who slept may have been woken by nobody, which a deadlock's schedule cannot repeat.
    let woken = group.contains(&Property::NoDeadlock);
    if let (Some((_, why)), false) = (judge.refused().first(), woken) {
        return Some(format!("is not replayed ({why}),"));
    }
    let violated = !truth.violations.is_empty();
    let word = match verdict {
        Verdict::True(_) if violated => return Some("says true to".into()),
        Verdict::True(_) => "true".to_string(),
        // Inputs are drawn from a list there, and from all values by a solver.
        Verdict::False(found) if !violated && !truth.cut && !truth.sampled => {
            return Some(format!("says false ({}) to", found[0].message));
        }
        Verdict::False(_) => "false".to_string(),
        Verdict::Unknown(Unknown::NotReplayed(_)) if woken => "not replayed".to_string(),
        Verdict::Unknown(Unknown::Internal(why) | Unknown::NotReplayed(why)) => {
            return Some(format!("has an internal error ({why}),"));
        }
        Verdict::Unknown(why) => {
            let text = why.to_string();
            if text.contains("beginning") {
                return Some(format!("does not follow ({text}),"));
            }
            text
        }
    };
    *tally
        .answers
        .entry(format!("{method:?}: {word}"))
        .or_default() += 1;
    None
}
