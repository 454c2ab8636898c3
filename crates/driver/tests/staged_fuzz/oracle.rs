//! The engine's answer against all interleavings.

use raddle_engine_staged::StagedEngine;
use raddle_interp::Config;
use raddle_interp::explore::{Limits, explore};
use raddle_ir::{Program, Property, Span};
use raddle_verdict::{Budget, Engine, Request, Unknown, Verdict};
use raddle_witness::Replayer;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What kind of mistake it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `true`, and some interleaving violates the property: the worst.
    WrongTrue,
    /// `false`, and no interleaving violates it.
    WrongFalse,
    /// `false`, at a place where no interleaving violates it.
    Elsewhere,
    /// A claimed violation does not replay.
    NotReplayed,
    /// The engine says that something impossible happened.
    Internal,
    /// The engine panics.
    Panic,
    /// The engine goes on long after its time.
    Late,
}

/// A mistake.
#[derive(Clone, Debug)]
pub struct Defect {
    pub kind: Kind,
    pub asked: Question,
    pub detail: String,
}

impl Defect {
    /// Whether two defects are probably the same.
    pub fn resembles(&self, other: &Defect) -> bool {
        // Names and numbers differ, the words around them do not.
        let words = |d: &Defect| -> String {
            let text = match (d.kind, d.detail.rsplit_once(", but ")) {
                (Kind::NotReplayed, Some((_, but))) => but.split(" at ").next().unwrap_or(but),
                _ => d.detail.as_str(),
            };
            let kept = text.chars().filter(|c| !c.is_ascii_digit());
            kept.take(40).collect()
        };
        self.kind == other.kind
            && match self.kind {
                Kind::Internal | Kind::Panic | Kind::NotReplayed => words(self) == words(other),
                _ => true,
            }
    }
}

/// What an engine is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub properties: Vec<Property>,
    pub unwind: Option<u32>,
    pub certify: bool,
    pub all: bool,
}

impl Question {
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.properties.iter().map(|p| p.name()).collect();
        let mut text = names.join("+");
        if let Some(n) = self.unwind {
            text += &format!(" (unwind {n})");
        }
        if self.certify {
            text += " (certify)";
        }
        if self.all {
            text += " (all violations)";
        }
        text
    }
}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    pub engine: Duration,
    pub steps: u64,
}

/// What came of a question.
pub struct Outcome {
    /// `true`, `false`, or why not.
    pub verdict: String,
    /// What the enumeration says: `safe`, `violated`, `cut`, or nothing if it was not asked.
    pub truth: &'static str,
    pub defect: Option<Defect>,
}

/// Asks the engine, and if it knows an answer, enumerates.
pub fn compare(program: &Program, asked: &Question, patience: Patience) -> Outcome {
    let request = Request {
        properties: asked.properties.clone(),
        unwind: asked.unwind,
        certify: asked.certify,
        inputs: None,
        all_violations: asked.all,
        after: None,
        budget: Budget::with_timeout(patience.engine),
    };
    let mut judge = Replayer::new(program, &request.properties);
    let started = Instant::now();
    let answer = catch_unwind(AssertUnwindSafe(|| {
        StagedEngine::default().check(program, &request, &mut judge, &mut |_| {})
    }));
    let took = started.elapsed();
    let defect = |kind, detail: String| {
        Some(Defect {
            kind,
            asked: asked.clone(),
            detail,
        })
    };
    let outcome = |verdict: &str, truth, defect| Outcome {
        verdict: verdict.into(),
        truth,
        defect,
    };
    let verdict = match answer {
        Ok(verdict) => verdict,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(|s| s.as_str());
            let text = text.or(panic.downcast_ref::<&str>().copied());
            let text = text.unwrap_or("?").to_string();
            return outcome("panic", "", defect(Kind::Panic, text));
        }
    };
    if let Some((candidate, why)) = judge.refused().first() {
        let detail = format!("{why}; claimed at {:?}", program.span_of(candidate.at));
        return outcome("not replayed", "", defect(Kind::NotReplayed, detail));
    }
    if took > patience.engine + Duration::from_secs(4) {
        let detail = format!("{took:?} instead of {:?}: {verdict}", patience.engine);
        return outcome("late", "", defect(Kind::Late, detail));
    }
    let found: Option<BTreeSet<(Property, Span)>> = match &verdict {
        Verdict::Unknown(Unknown::Internal(why) | Unknown::GaveUp(why)) => {
            return outcome("internal error", "", defect(Kind::Internal, why.clone()));
        }
        Verdict::Unknown(Unknown::NotReplayed(why)) => {
            return outcome("not replayed", "", defect(Kind::NotReplayed, why.clone()));
        }
        Verdict::Unknown(Unknown::Unsupported { what, .. }) => {
            return outcome(&format!("unsupported: {what}"), "", None);
        }
        Verdict::Unknown(
            Unknown::SafeUpTo(_)
            | Unknown::SafeForThreads(_)
            | Unknown::SafeToDepth(_)
            | Unknown::SafeForRounds(..)
            | Unknown::OnlyFromStart
            | Unknown::SafeWithin(_)
            | Unknown::Needs(_),
        ) => {
            return outcome("safe up to a bound", "", None);
        }
        Verdict::Unknown(Unknown::Stopped { cause, .. }) => {
            return outcome(&format!("stopped: {cause}"), "", None);
        }
        Verdict::True(_) => None,
        Verdict::False(found) => Some(found.iter().map(|f| (f.property, f.span)).collect()),
    };
    let config = |checked: &[Property]| Config {
        checks: checked.iter().copied().collect(),
        spurious_wakeups: !asked.properties.contains(&Property::NoDeadlock),
        output: false,
        quantum: 100,
        ..Config::default()
    };
    let first_only = found.is_none();
    let limits = || Limits {
        depth: 400,
        steps: patience.steps,
        first_only,
        remember: true,
    };
    let places = |found: &BTreeSet<(Property, raddle_ir::Location)>| -> BTreeSet<(Property, Span)> {
        let found = found.iter();
        found.map(|(p, at)| (*p, program.span_of(*at))).collect()
    };
    let truth = explore(program, config(&asked.properties), limits());
    let mut seen = places(&truth.violations);
    let complete = !truth.cut && !truth.sampled;
    let word = match (seen.is_empty(), truth.cut) {
        (false, _) => "violated",
        (true, true) => "cut",
        (true, false) => "safe",
    };
    match found {
        None => match seen.first() {
            None => outcome("true", word, None),
            Some((p, span)) => {
                let detail = format!("{p} is violated in line {}", span.line);
                outcome("true", word, defect(Kind::WrongTrue, detail))
            }
        },
        Some(found) => {
            // A step goes on up to the next one that others notice, and may end in a violation of its own before they get there.
            if complete && asked.properties.len() > 1 && !found.is_subset(&seen) {
                for p in &asked.properties {
                    let alone = explore(program, config(&[*p]), limits());
                    seen.extend(places(&alone.violations));
                }
            }
            let wrong = found.difference(&seen).next().filter(|_| complete);
            let wrong = wrong.and_then(|(p, span)| {
                let detail = format!("{p} in line {}", span.line);
                match seen.is_empty() {
                    true => defect(Kind::WrongFalse, detail),
                    false => defect(Kind::Elsewhere, detail),
                }
            });
            outcome("false", word, wrong)
        }
    }
}
