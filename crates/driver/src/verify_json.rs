//! The answer of `raddle verify` for programs: one object, described in `docs/verify-json.md`.

use crate::cli::VerifyOptions;
use crate::compile;
use crate::limits;
use crate::verify::{Conclusion, Shown};
use crate::verify_questions;
use crate::verify_text;
use raddle_ir::{Program, Property, Span};
use raddle_verdict::{Request, Unknown, Verdict};
use serde_json::{Value, json};
use std::time::Duration;

const FORMAT: &str = "raddle-verify";
const VERSION: u32 = 2;

fn names(properties: &[Property]) -> Vec<&'static str> {
    properties.iter().map(|p| p.name()).collect()
}

fn head(verdict: &str, properties: &[Property], wall: Duration) -> Value {
    json!({
        "format": FORMAT,
        "version": VERSION,
        "verdict": verdict,
        "properties": names(properties),
        "wall_seconds": wall.as_secs_f64(),
        "cpu_seconds": limits::cpu_time().as_secs_f64(),
    })
}

fn text(object: &Value) -> String {
    format!("{object:#}\n")
}

/// The object of an answer that nobody but the watcher could give.
pub fn unknown(why: &str, properties: &[Property], wall: Duration) -> String {
    let mut object = head("unknown", properties, wall);
    object["reason"] = json!(why);
    text(&object)
}

/// The object of an answer.
pub fn json(
    options: &VerifyOptions,
    program: &Program,
    request: &Request,
    conclusion: &Conclusion,
    wall: Duration,
) -> String {
    let answer = conclusion.verdict();
    let verdict = match &answer {
        Some(Verdict::True(_)) => "true",
        Some(Verdict::False(_)) => "false",
        Some(Verdict::Unknown(_)) | None => "unknown",
    };
    let mut object = head(verdict, &request.properties, wall);
    object["files"] = json!(compile::file_names(&options.input));
    object["data_model"] = json!(program.model.name());
    object["engine"] = json!(conclusion.engine());
    match &answer {
        Some(Verdict::True(proof)) => {
            object["proof"] = json!({"how": proof.how, "certificate": proof.certificate});
            object["assumptions"] = json!(verify_text::assumptions(program, request, Some(proof)));
        }
        Some(Verdict::False(_)) => {
            let all = conclusion.shown.iter().map(|s| violation(program, s));
            object["violations"] = all.collect();
        }
        Some(Verdict::Unknown(why)) => {
            object["reason"] = json!(why.to_string());
            details(program, why, &mut object);
        }
        None => object["reason"] = json!("no engine"),
    }
    if let (Some(path), Some(taken)) = (&options.ledger, &conclusion.taken_up) {
        object["ledger"] = json!({
            "file": path.display().to_string(),
            "taken_up": taken.taken,
            "asked_again": taken.asked_again.values().sum::<usize>(),
            "dropped": taken.dropped.values().sum::<usize>(),
        });
    }
    if conclusion.asked {
        object["questions"] = verify_questions::json(program, &conclusion.ledger);
    }
    text(&object)
}

fn violation(program: &Program, shown: &Shown) -> Value {
    let schedule: Value = serde_json::from_str(&shown.found.schedule).unwrap_or(Value::Null);
    let related: Vec<Value> = shown
        .run
        .violation
        .related
        .iter()
        .map(|r| {
            let place = place(program, program.span_of(r.at));
            json!({"thread": r.thread.0, "place": place, "label": r.label})
        })
        .collect();
    json!({
        "property": shown.found.property.name(),
        "message": shown.found.message,
        "thread": shown.run.violation.thread.0,
        "place": place(program, shown.found.span),
        "related": related,
        "notes": shown.run.violation.notes,
        "schedule": schedule,
    })
}

fn details(program: &Program, why: &Unknown, object: &mut Value) {
    match why {
        Unknown::SafeUpTo(cuts) => {
            let cut = |c: &raddle_verdict::Cut| json!({"function": c.function, "place": place(program, c.span), "bound": c.bound});
            object["cuts"] = cuts.iter().map(cut).collect();
        }
        Unknown::SafeForThreads(n) => object["threads"] = json!(n),
        Unknown::SafeWithin(limit) => object["limit"] = json!(limit),
        Unknown::Needs(what) => object["needs"] = json!(what),
        Unknown::SafeForRounds(rounds, bound) => {
            object["rounds"] = json!(rounds);
            object["finished_bound"] = json!(bound);
        }
        Unknown::SafeToDepth(depth) => object["depth"] = json!(depth),
        Unknown::OnlyFromStart => {}
        Unknown::Unsupported { what, span } => {
            object["unsupported"] = json!({"what": what, "place": place(program, *span)});
        }
        Unknown::Stopped { cause, bound } => {
            object["stopped_by"] = json!(cause.to_string());
            object["finished_bound"] = json!(bound);
        }
        Unknown::GaveUp(detail) | Unknown::NotReplayed(detail) | Unknown::Internal(detail) => {
            object["detail"] = json!(detail);
        }
    }
}

pub fn place(program: &Program, span: Span) -> Value {
    match program.files.get(span.file.0 as usize) {
        Some(file) if span.is_somewhere() => {
            json!({"file": file, "line": span.line, "column": span.column, "length": span.length})
        }
        _ => Value::Null,
    }
}
