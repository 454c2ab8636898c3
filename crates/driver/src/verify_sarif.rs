//! The answer of `raddle verify` as SARIF 2.1.0.

use crate::verify::Conclusion;
use raddle_ir::{DataModel, Program, Property};
use raddle_report::sarif::{About, Outcome};
use raddle_verdict::{Request, Verdict};

/// The log of an answer.
pub fn sarif(program: &Program, request: &Request, conclusion: &Conclusion) -> String {
    let line = conclusion.line();
    let verdict = conclusion.verdict();
    let outcome = match &verdict {
        Some(Verdict::True(proof)) => Outcome::Proved(&proof.how),
        Some(Verdict::False(_)) => {
            let runs = conclusion.shown.iter().map(|s| &s.run);
            let told = runs.map(|r| (&r.violation, r.steps(program).clone()));
            Outcome::Violated(told.collect())
        }
        _ => Outcome::Unknown(line.clone()),
    };
    log(program, &request.properties, &line, &outcome)
}

/// The log of an answer that nobody but the watcher could give.
pub fn unknown(why: &str, properties: &[Property]) -> String {
    let line = format!("unknown({why})");
    let outcome = Outcome::Unknown(line.clone());
    log(&Program::new(DataModel::Lp64), properties, &line, &outcome)
}

fn log(program: &Program, properties: &[Property], verdict: &str, outcome: &Outcome) -> String {
    let about = About {
        version: env!("CARGO_PKG_VERSION"),
        program,
        properties,
        verdict,
    };
    format!("{:#}\n", raddle_report::sarif::sarif(&about, outcome))
}
