//! One sentence of cause.

use raddle_ir::{Location, Op, Program, Property};
use raddle_witness::{Violation, lvalue};

/// What went wrong, in a sentence that names functions, lines and variables; `None` if the message of the violation says all there is.
pub fn cause(program: &Program, violation: &Violation) -> Option<String> {
    if violation.property != Property::NoDataRace {
        return None;
    }
    let other = violation.related.first()?;
    let named = violation.variable.as_deref();
    let what =
        named.or_else(|| source(program, violation.at).or_else(|| source(program, other.at)))?;
    let one = side(program, violation.at)?;
    let two = side(program, other.at)?;
    let twice = match one.0 == two.0 {
        true => format!("another thread in `{}`", two.0),
        false => format!("`{}`", two.0),
    };
    Some(format!(
        "`{}` {} `{what}` at line {} while {twice} {} it at line {}; no lock in common",
        one.0, one.1, one.2, two.1, two.2
    ))
}

/// What an instruction accesses, as it stands in the source.
fn source(program: &Program, at: Location) -> Option<&str> {
    lvalue(program.text(program.instr(at)?.text))
}

/// A function, what it does at a place, and the line.
fn side(program: &Program, at: Location) -> Option<(&str, &'static str, u32)> {
    let function = program.function(at.function);
    let does = match &program.instr(at)?.op {
        Op::Load { .. } => "reads",
        Op::Store { .. } => "writes",
        Op::Rmw { .. } | Op::Cas { .. } => "updates",
        _ => "accesses",
    };
    let line = program.span_of(at).line;
    (line > 0).then_some((&function.name, does, line))
}
