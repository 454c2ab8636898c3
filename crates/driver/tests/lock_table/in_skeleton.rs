//! A row in the skeleton, by way of the staged engine.

use crate::rows::Row;
use crate::{Found, Outcome, compile};
use raddle_engine_staged::StagedEngine;
use raddle_ir::{Property, SyncClass};
use raddle_verdict::{Budget, Engine, Request, Unknown, Verdict};
use raddle_witness::Replayer;
use std::time::Duration;

/// Whether a property is violated; `None` if the skeleton refuses to say.
fn violated(row: &Row, goal: &str, property: Property) -> Result<Option<bool>, String> {
    let program = compile(row.program(goal));
    let request = Request {
        properties: vec![property],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(60)),
    };
    let mut judge = Replayer::new(&program, &request.properties);
    match StagedEngine::default().check(&program, &request, &mut judge, &mut |_| {}) {
        Verdict::True(_) => Ok(Some(false)),
        Verdict::False(_) => Ok(Some(true)),
        Verdict::Unknown(Unknown::Unsupported { .. }) => Ok(None),
        Verdict::Unknown(why) => Err(format!("skeleton, {property}: {why:?}")),
    }
}

/// What the skeleton says otherwise than the reference.
pub fn differs(row: &Row, found: &Found) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut expect = |goal: &str, property: Property, expected: bool| {
        match violated(row, goal, property) {
            // What a thread does to a lock that it does not hold is refused, and so is misuse that depends on who holds it.
            Ok(None) if found.misuse => {}
            Ok(None) if row.state.ends_with("as often as can be") => {}
            // Whether the overwritten word of a lock that is initialised is that of a held one is not told apart.
            Ok(None) if row.op.is_reset() && row.state.starts_with("word") => {}
            Ok(Some(is)) if is == expected => {}
            Ok(other) => wrong.push(format!(
                "skeleton, {property} with `{goal}`: {other:?}, but {expected} in the interpreter"
            )),
            Err(why) => wrong.push(why),
        }
    };
    match found.outcome {
        Outcome::Goes { code, word } => {
            let so = match row.op.class() {
                // The bytes of a condition variable are kept only where destruction or races are asked for.
                SyncClass::Cond => format!("code == {}", code as i32),
                _ => format!("code == {} && after == {word}u", code as i32),
            };
            let reached = format!("if ({so}) reach_error();");
            expect(&reached, Property::UnreachCall, true);
            let otherwise = format!("if (!({so})) reach_error();");
            expect(&otherwise, Property::UnreachCall, false);
        }
        Outcome::Blocks | Outcome::Stops => {
            expect("reach_error();", Property::UnreachCall, false);
        }
    }
    expect("", Property::ValidSync, found.misuse);
    expect("", Property::NoDeadlock, found.deadlock);
    wrong
}
