//! Assumptions of proofs, in words.

use crate::file;
use raddle_ir::{Program, Property};
use raddle_verdict::{Assumption, AssumptionKind};

/// What a proof assumes, as a sentence without a full stop.
pub fn assumption(program: &Program, assumption: &Assumption) -> String {
    let what = match assumption.kind {
        AssumptionKind::Holds(Property::ValidDeref) => "no invalid access".to_string(),
        AssumptionKind::Holds(Property::NoDivZero) => "no division by zero".to_string(),
        AssumptionKind::Holds(property) => format!("no violation of {property}"),
        AssumptionKind::Defined => "no undefined behaviour".to_string(),
        AssumptionKind::FewerThreads(n) => format!("fewer than {n} threads at a time"),
    };
    match assumption.span.is_somewhere() {
        true => format!(
            "{what} at {}:{}",
            file(program, assumption.span),
            assumption.span.line
        ),
        false => what,
    }
}
