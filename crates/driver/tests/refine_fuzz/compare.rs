//! One program, asked in every way.

use crate::random_programs::engines;
pub use crate::random_programs::engines::Tally;
use raddle_engine_refine::RefineEngine;
use raddle_ir::{Program, Property};

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
    engines::compare(program, Property::UnreachCall, &ways, tally)
}
