//! The refinement engine on every program of `tests/semantics` and `examples`: it must answer as the header expects, or `unknown`.
//!
//! `RADDLE_SUITE=word` runs only the programs whose path contains the word and prints every answer.

use raddle_engine_refine::RefineEngine;
use raddle_ir::Property;
use raddle_verdict::{Budget, Engine, Request, Verdict};
use raddle_witness::Replayer;
use std::time::Duration;

#[allow(dead_code)]
mod suite;
use suite::engine::{WEAK_RACES, on_a_large_stack, undecided};

/// How many expectations may stay undecided; those of overflow and uninitialised values are among them.
const UNDECIDED: usize = 430 + WEAK_RACES;

#[test]
fn the_refinement_engine_agrees_with_the_headers_or_does_not_know() {
    let engine = RefineEngine::default();
    let left = on_a_large_stack(move || undecided(&engine, 1, Duration::from_secs(2)));
    assert!(left <= UNDECIDED, "{left} expectations are not decided");
}

/// Programs with loops without end, each safe and broken: all are decided.
#[test]
fn loops_without_end_are_decided() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/refine");
    let mut paths = Vec::new();
    suite::programs(&dir, &mut paths);
    assert!(paths.len() >= 20, "programs are lost");
    let engine = RefineEngine::default();
    for path in paths {
        let case = suite::read_case(&path);
        let program = case.compile().expect("a program");
        // Each takes less than 10 s of processor time; a loaded machine may need a multiple of that.
        let limit = Duration::from_secs(150);
        for e in &case.expectations {
            let request = Request {
                properties: Property::from_name(&e.property),
                unwind: None,
                certify: false,
                inputs: None,
                all_violations: false,
                after: None,
                budget: Budget::with_timeout(limit),
            };
            let mut judge = Replayer::new(&program, &request.properties);
            let verdict = engine.check(&program, &request, &mut judge, &mut |_| {});
            let as_expected = match verdict {
                Verdict::True(_) => e.holds,
                Verdict::False(_) => !e.holds,
                Verdict::Unknown(_) => false,
            };
            assert!(as_expected, "{}: {verdict}", path.display());
        }
    }
}
