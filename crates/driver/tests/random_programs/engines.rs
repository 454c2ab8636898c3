//! Engines that decide a property against the enumeration of all interleavings: none may disagree with it, and every claimed violation has to be replayed.

use super::truth::enumerate;
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

/// What is wrong, if something is. What is not treated in the first way is not asked in the others.
pub fn compare(
    program: &Program,
    property: Property,
    ways: &[(&str, &dyn Engine)],
    tally: &mut Tally,
) -> Option<String> {
    let truth = enumerate(program, &[property], STEPS, true);
    let violated = !truth.violations.is_empty();
    match (violated, truth.cut) {
        (true, _) => tally.violated += 1,
        (false, true) => tally.not_enumerated += 1,
        (false, false) => tally.safe += 1,
    }
    for (n, (name, engine)) in ways.iter().enumerate() {
        let request = Request {
            properties: vec![property],
            unwind: None,
            certify: false,
            inputs: None,
            all_violations: false,
            after: None,
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
                if n == 0 {
                    *tally.reasons.entry(why.to_string()).or_default() += 1;
                }
                "unknown"
            }
        };
        *tally.answers.entry(format!("{name} {word}")).or_default() += 1;
        if word == "unknown" && n == 0 {
            break;
        }
    }
    None
}
