//! The ledger of `raddle verify` in words and as data: what is proved, violated, open, and why.

use crate::verify_text::place;
use raddle_ir::{Program, Property};
use raddle_verdict::{Ledger, QuestionId, Status, Subject};
use serde_json::{Value, json};

/// How many open questions are listed unless all are asked for.
const SHOWN: usize = 10;

/// `questions: 41 proved, 1 violated, 3 open`.
pub fn summary(ledger: &Ledger) -> String {
    let counts = ledger.counts();
    format!(
        "questions: {} proved, {} violated, {} open",
        counts.proved, counts.violated, counts.open
    )
}

/// The open questions with what each engine says of them, grouped by property.
pub fn open(program: &Program, ledger: &Ledger, all: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut left = if all { usize::MAX } else { SHOWN };
    for property in Property::ALL {
        let open: Vec<QuestionId> = ids(ledger, property)
            .filter(|id| *ledger.status(*id) == Status::Open)
            .collect();
        if open.is_empty() {
            continue;
        }
        for id in open.iter().take(left) {
            let question = ledger.questions().get(*id);
            let at = place(program, question.span(program));
            let object = match question.subject {
                Subject::Object(_) => format!(" on {}", question.subject_name(program)),
                _ => String::new(),
            };
            lines.push(format!("open: {at}{property}{object}"));
        }
        if open.len() > left {
            let hidden = open.len() - left;
            lines.push(format!(
                "open: {hidden} more of {property} (--verbose lists them)"
            ));
        }
        left = left.saturating_sub(open.len());
        for attempt in ledger.attempts(property) {
            lines.push(format!("  {}: {}", attempt.engine, attempt.why));
        }
    }
    lines
}

fn ids(ledger: &Ledger, property: Property) -> impl Iterator<Item = QuestionId> + '_ {
    let all = ledger.questions().iter();
    all.filter(move |(_, q)| q.property == property)
        .map(|(id, _)| id)
}

/// All questions as data.
pub fn json(program: &Program, ledger: &Ledger) -> Value {
    let one = |(id, question): (QuestionId, &raddle_verdict::Question)| {
        let mut object = json!({
            "id": question.name(program),
            "property": question.property.name(),
            "where": crate::verify_json::place(program, question.span(program)),
        });
        match ledger.status(id) {
            Status::Proved { proof } => {
                let proved = &ledger.proofs()[*proof];
                let within = ledger.limit();
                object["status"] = json!(if within.is_some() { "open" } else { "proved" });
                object["engine"] = json!(proved.engine);
                object["why"] = json!(within.map_or(proved.proof.how.clone(), |limit| {
                    format!("safe for {limit}")
                }));
                let said = |a| raddle_report::assumption(program, a);
                object["assumptions"] = proved.proof.assumptions.iter().map(said).collect();
            }
            Status::Violated { found } => {
                object["status"] = json!("violated");
                object["why"] = json!(ledger.found()[*found].message);
            }
            Status::Open => {
                object["status"] = json!("open");
                let attempts = ledger.attempts(question.property);
                let said = |a: &raddle_verdict::Attempt| json!({"engine": a.engine, "why": a.why.to_string()});
                object["why"] = json!(
                    ledger
                        .best_reason(question.property)
                        .map(ToString::to_string)
                );
                object["tried"] = attempts.iter().map(said).collect();
            }
        }
        object
    };
    ledger.questions().iter().map(one).collect()
}
