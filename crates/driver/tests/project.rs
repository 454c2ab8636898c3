//! The projection engine on every program of `tests/semantics` and `examples`: it must answer as the header expects, or `unknown`.
//!
//! `RADDLE_SUITE=word` runs only the programs whose path contains the word and prints every answer.

use raddle_engine_project::{ProjectEngine, Reductions};
use std::time::Duration;

#[allow(dead_code)]
mod suite;
use suite::engine::{every, on_a_large_stack, undecided};

/// How many expectations may stay undecided: all of other properties than assertions among them.
const UNDECIDED: usize = 1000;

#[test]
fn the_projection_engine_agrees_with_the_headers_or_does_not_know() {
    let engine = ProjectEngine::default();
    let left = on_a_large_stack(move || undecided(&engine, every(4), Duration::from_secs(2)));
    assert!(left <= UNDECIDED, "{left} expectations are not decided");
}

#[test]
fn so_does_the_plain_encoding() {
    let engine = ProjectEngine {
        reductions: Reductions::NONE,
        ..ProjectEngine::default()
    };
    let left = on_a_large_stack(move || undecided(&engine, every(4), Duration::from_secs(1)));
    assert!(left <= UNDECIDED, "{left} expectations are not decided");
}
