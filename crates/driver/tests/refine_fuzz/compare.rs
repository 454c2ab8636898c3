//! One program, asked in every way.

use raddle_engine_refine::RefineEngine;
use raddle_interp::Config;
use raddle_interp::explore::{Limits, explore};
use raddle_ir::{Program, Property};
use raddle_verdict::{Budget, Engine, Request, Unknown, Verdict};
use raddle_witness::Replayer;
use std::collections::BTreeMap;
use std::time::Duration;

/// Steps of the enumeration.
const STEPS: u64 = 40_000;
/// How long each way of asking may take.
const PATIENCE: Duration = Duration::from_millis(400);

/// What was compared.
#[derive(Debug, Default)]
pub struct Tally {
    /// By what enumeration says.
    pub violated: u64,
    pub safe: u64,
    pub not_enumerated: u64,
    /// Answers, by way of asking.
    pub answers: BTreeMap<String, u64>,
    /// Why there was none.
    pub reasons: BTreeMap<String, u64>,
}

/// What is wrong, if something is.
pub fn compare(program: &Program, tally: &mut Tally) -> Option<String> {
    let meant = RefineEngine::default;
    let ways = [
        ("meant", meant()),
        (
            "unreduced",
            RefineEngine {
                reduce: false,
                ..meant()
            },
        ),
        (
            "invariants",
            RefineEngine {
                eager: true,
                ..meant()
            },
        ),
        (
            "any number",
            RefineEngine {
                crowds: true,
                ..meant()
            },
        ),
        (
            "predicates",
            RefineEngine {
                values: false,
                ..meant()
            },
        ),
    ];
    let config = Config {
        checks: [Property::UnreachCall].into_iter().collect(),
        spurious_wakeups: true,
        output: false,
        quantum: 100,
        ..Config::default()
    };
    let limits = Limits {
        depth: 400,
        steps: STEPS,
        first_only: true,
        remember: true,
    };
    let truth = explore(program, config, limits);
    let violated = !truth.violations.is_empty();
    match (violated, truth.cut) {
        (true, _) => tally.violated += 1,
        (false, true) => tally.not_enumerated += 1,
        (false, false) => tally.safe += 1,
    }
    for (name, engine) in ways {
        let request = Request {
            properties: vec![Property::UnreachCall],
            unwind: None,
            certify: false,
            inputs: None,
            all_violations: false,
            budget: Budget::with_timeout(PATIENCE),
        };
        let mut judge = Replayer::new(program, &request.properties);
        let verdict = engine.check(program, &request, &mut judge, &mut |_| {});
        if let Some((_, why)) = judge.refused().first() {
            return Some(format!("not replayed, {name}: {why}"));
        }
        let word = match verdict {
            Verdict::True(_) if violated => {
                return Some(format!("says true, {name}: {:?}", truth.violations));
            }
            // Inputs are drawn from a list there, and from all values here.
            Verdict::False(found) if !violated && !truth.cut && !truth.sampled => {
                return Some(format!("says false, {name}: {}", found[0].message));
            }
            Verdict::Unknown(Unknown::Internal(why) | Unknown::NotReplayed(why)) => {
                return Some(format!("internal error, {name}: {why}"));
            }
            Verdict::True(_) => "true",
            Verdict::False(_) => "false",
            Verdict::Unknown(why) => {
                if name == "meant" {
                    *tally.reasons.entry(why.to_string()).or_default() += 1;
                }
                "unknown"
            }
        };
        *tally.answers.entry(format!("{name} {word}")).or_default() += 1;
        // What is not treated is not treated in any way.
        if word == "unknown" && name == "meant" {
            break;
        }
    }
    None
}
