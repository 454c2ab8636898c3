//! The ledger on a page: every question with its place, its answer, and why it is open.
//!
//! Proofs and reasons are given once and referred to by number, because many questions share them.

use super::Files;
use raddle_ir::Program;
use raddle_verdict::{Assumption, Attempt, Ledger, Question, QuestionId, Status, Subject, Unknown};
use serde_json::{Value, json};

/// Why a question is open and what to try, in lines.
pub type Advice<'a> = &'a dyn Fn(&Unknown) -> Vec<String>;

pub(super) fn data(
    program: &Program,
    ledger: &Ledger,
    advice: Advice<'_>,
    files: &mut Files<'_>,
) -> Value {
    let proofs = ledger.proofs().iter().map(|p| {
        let assumptions = p.proof.assumptions.iter();
        let said = |a: &Assumption| match ledger.discharges(a) {
            true => format!("{}, which is proved", crate::assumption(program, a)),
            false => crate::assumption(program, a),
        };
        let assumptions: Vec<String> = assumptions.map(said).collect();
        json!({"engine": p.engine, "how": p.proof.how, "assumptions": assumptions})
    });
    let proofs: Vec<Value> = proofs.collect();
    let mut reasons: Vec<&[Attempt]> = Vec::new();
    let mut list: Vec<Value> = Vec::new();
    for (id, question) in ledger.questions().iter() {
        list.push(one(program, ledger, (id, question), &mut reasons, files));
    }
    let told = |attempts: &&[Attempt]| -> Value {
        let one = |a: &Attempt| json!({"engine": a.engine, "why": a.why.to_string(), "advice": advice(&a.why)});
        attempts.iter().map(one).collect()
    };
    let reasons: Vec<Value> = reasons.iter().map(told).collect();
    let counts = ledger.counts();
    json!({
        "proved": counts.proved,
        "violated": counts.violated,
        "open": counts.open,
        "limit": ledger.limit(),
        "proofs": proofs,
        "reasons": reasons,
        "list": list,
    })
}

fn one<'l>(
    program: &Program,
    ledger: &'l Ledger,
    (id, question): (QuestionId, &Question),
    reasons: &mut Vec<&'l [Attempt]>,
    files: &mut Files<'_>,
) -> Value {
    let about = match question.subject {
        Subject::Object(_) => Some(question.subject_name(program)),
        _ => None,
    };
    let mut object = json!({
        "id": question.name(program),
        "property": question.property.name(),
        "about": about,
        "place": files.place(question.span(program)),
    });
    match ledger.status(id) {
        Status::Proved { proof } => {
            let status = match ledger.limit() {
                Some(_) => "open",
                None => "proved",
            };
            object["status"] = json!(status);
            object["proof"] = json!(proof);
        }
        Status::Violated { found } => {
            object["status"] = json!("violated");
            object["engine"] = json!(ledger.finders()[*found]);
            object["why"] = json!(ledger.found()[*found].message);
        }
        Status::Open => {
            object["status"] = json!("open");
            let tried = ledger.attempts(question.property);
            let known = reasons.iter().position(|r| *r == tried);
            object["reason"] = json!(known.unwrap_or_else(|| {
                reasons.push(tried);
                reasons.len() - 1
            }));
        }
    }
    object
}
