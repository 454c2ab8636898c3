//! The ledger of `raddle verify` in words and as data: what is proved, violated, open, and why.

use crate::verify_text::place;
use raddle_ir::Program;
use raddle_verdict::{Attempt, Ledger, Question, QuestionId, Status, Subject};
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

/// The open questions, those that engines say the same of together, and what they say.
pub fn open(program: &Program, ledger: &Ledger, all: bool) -> Vec<String> {
    let mut groups: Vec<(&[Attempt], Vec<&Question>)> = Vec::new();
    for (id, question) in ledger.questions().iter() {
        if *ledger.status(id) != Status::Open {
            continue;
        }
        let attempts = ledger.attempts(question.property);
        match groups.iter_mut().find(|(same, _)| *same == attempts) {
            Some((_, questions)) => questions.push(question),
            None => groups.push((attempts, vec![question])),
        }
    }
    let mut lines = Vec::new();
    let mut left = if all { usize::MAX } else { SHOWN };
    for (attempts, questions) in groups {
        // At least one of each group.
        let shown = left.clamp(1, questions.len());
        lines.extend(questions[..shown].iter().map(|q| line(program, q)));
        if questions.len() > shown {
            let hidden = questions.len() - shown;
            lines.push(format!("open: {hidden} more (--verbose lists them)"));
        }
        left = left.saturating_sub(shown);
        let said = |a: &Attempt| format!("{}: {}", a.engine, a.why);
        let said: Vec<String> = attempts.iter().map(said).collect();
        lines.push(format!("  tried: {}", said.join("; ")));
    }
    lines
}

fn line(program: &Program, question: &Question) -> String {
    let at = place(program, question.span(program));
    let object = match question.subject {
        Subject::Object(_) => format!(" on {}", question.subject_name(program)),
        _ => String::new(),
    };
    format!("open: {at}{}{object}", question.property)
}

/// All questions as data.
pub fn json(program: &Program, ledger: &Ledger) -> Value {
    let one = |(id, question): (QuestionId, &Question)| {
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
