//! One program, asked in every way.

use crate::random_programs::engines;
pub use crate::random_programs::engines::Tally;
use raddle_engine_refine::RefineEngine;
use raddle_ir::{Program, Property};

/// What is asked besides assertions.
const OTHERS: [Property; 9] = [
    Property::NoDataRace,
    Property::ValidDeref,
    Property::ValidFree,
    Property::ValidMemtrack,
    Property::NoDeadlock,
    Property::ValidSync,
    Property::NoUninit,
    Property::NoDivZero,
    Property::NoBadShift,
];

/// What is wrong, if something is.
pub fn compare(program: &Program, tally: &mut Tally) -> Option<String> {
    let meant = RefineEngine::default();
    let unreduced = RefineEngine {
        reduce: false,
        ..RefineEngine::default()
    };
    let invariants = RefineEngine {
        eager: true,
        ..RefineEngine::default()
    };
    let crowds = RefineEngine {
        crowds: true,
        ..RefineEngine::default()
    };
    let predicates = RefineEngine {
        values: false,
        ..RefineEngine::default()
    };
    let ways: [(&str, &dyn raddle_verdict::Engine); 5] = [
        ("meant", &meant),
        ("unreduced", &unreduced),
        ("invariants", &invariants),
        ("any number", &crowds),
        ("predicates", &predicates),
    ];
    let only = std::env::var("RADDLE_FUZZ_ONLY").ok();
    let wanted = |p: Property| only.as_ref().is_none_or(|o| o == p.name());
    let mut wrong = None;
    if wanted(Property::UnreachCall) {
        wrong = engines::compare(program, Property::UnreachCall, &ways, tally);
    }
    for property in OTHERS.into_iter().filter(|p| wanted(*p)) {
        wrong = wrong.or_else(|| other(program, property, tally));
    }
    wrong
}

/// Another property than assertions: as it is meant, and without reduction.
fn other(program: &Program, property: Property, tally: &mut Tally) -> Option<String> {
    let name = property.name();
    let unreduced = RefineEngine {
        reduce: false,
        ..RefineEngine::default()
    };
    let invariants = RefineEngine {
        eager: true,
        ..RefineEngine::default()
    };
    let names = [
        name.to_string(),
        format!("{name} unreduced"),
        format!("{name} invariants"),
    ];
    let ways: [(&str, &dyn raddle_verdict::Engine); 3] = [
        (&names[0], &RefineEngine::default()),
        (&names[1], &unreduced),
        (&names[2], &invariants),
    ];
    engines::compare(program, property, &ways, tally)
}
