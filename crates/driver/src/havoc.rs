//! Violations that rest on what functions without a body return, or on what they do not do.

use crate::cli::Havoc;
use crate::verify::Shown;
use raddle_analysis::objects::ObjectId;
use raddle_analysis::points_to::PointsTo;
use raddle_interp::schedule::Schedule;
use raddle_ir::{Program, Property, Ty};
use raddle_verdict::{Unknown, Verdict};
use raddle_witness::Violation;
use raddle_witness::external::{Needed, Returned, returned, unobserved, untouched};

/// What has to be returned for a violation. An invalid access is one with every address that is tried, so there it matters where
/// the address comes from.
pub fn needs(program: &Program, schedule: &Schedule, violation: &Violation) -> Vec<Returned> {
    let mut untouched = untouched(program, schedule, violation);
    untouched.extend(unobserved(program, schedule, violation));
    let all = returned(program, schedule, violation);
    if all.is_empty() {
        return untouched;
    }
    let of_memory = matches!(
        violation.property,
        Property::ValidDeref | Property::ValidFree | Property::ValidSync
    );
    let foreign = of_memory && all.iter().any(|(r, _)| r.ty == Ty::Ptr) && {
        let points_to = PointsTo::new(program);
        let targets = points_to.accessed(program, violation.at);
        targets.iter().any(|t| t.object == ObjectId::UNKNOWN)
    };
    let rests = |(r, rests): &(Returned, bool)| *rests || foreign && r.ty == Ty::Ptr;
    let returned = all.into_iter().filter(rests).map(|(r, _)| r);
    returned.chain(untouched).collect()
}

/// The verdict, given what may be taken for granted.
pub fn judge(
    program: &Program,
    havoc: Option<Havoc>,
    verdict: Verdict,
    mut shown: Vec<Shown>,
) -> (Verdict, Vec<Shown>) {
    let Verdict::False(_) = verdict else {
        return (verdict, shown);
    };
    let granted = |r: &Returned| match havoc {
        Some(Havoc::Any) => true,
        Some(Havoc::Unknown) => false,
        None => r.needed == Needed::Value && r.ty != Ty::Ptr && !r.assembly,
    };
    if shown.iter().any(|s| s.needs.iter().all(granted)) {
        shown.retain(|s| s.needs.iter().all(granted));
        let found = shown.iter().map(|s| s.found.clone()).collect();
        return (Verdict::False(found), shown);
    }
    let needs = shown.iter().flat_map(|s| &s.needs).find(|r| !granted(r));
    let what = needs.map_or(String::new(), |r| what(program, r));
    (Verdict::Unknown(Unknown::Needs(what)), shown)
}

fn what(program: &Program, r: &Returned) -> String {
    match r.needed {
        Needed::Value => format!("`{}` to return {}", r.function, r.shown(program.model)),
        Needed::Untouched => format!("`{}` not to write through its arguments", r.function),
        Needed::Unordered => format!("`{}` not to order threads, as a lock does", r.function),
        Needed::Released => format!("`{}` not to free or keep what it is given", r.function),
        Needed::Uncalled(callback) => format!(
            "`{}` not to call `{}`",
            r.function,
            program.function(callback).name
        ),
    }
}

/// What a reader should know first about a violation that rests on returned values.
pub fn lines(program: &Program, needs: &[Returned]) -> Vec<String> {
    let mut lines = Vec::new();
    for r in needs {
        let line = match r.needed {
            Needed::Value => {
                let (line, returned) = (program.span_of(r.at).line, r.shown(program.model));
                format!(
                    "this needs `{}` at line {line} to return {returned}",
                    r.function
                )
            }
            _ => format!("this needs {}", what(program, r)),
        };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let (assembly, functions): (Vec<&Returned>, Vec<&Returned>) =
        needs.iter().partition(|r| r.assembly);
    if !assembly.is_empty() {
        lines.push("hint: this assembly is not modelled; write in C what it does".to_owned());
    }
    let mut names: Vec<&str> = functions.iter().map(|r| &*r.function).collect();
    names.dedup();
    for name in names {
        lines.push(format!(
            "hint: `{name}` has no body; add the file that defines it, or a definition that returns and writes what it can"
        ));
    }
    lines
}
