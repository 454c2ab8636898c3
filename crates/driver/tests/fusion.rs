//! The execution engine on every program of `tests/semantics` and `examples`: it must answer as the header expects, or `unknown`.
//!
//! `RADDLE_SUITE=word` runs only the programs whose path contains the word and prints every answer.

use raddle_engine_fusion::{FusionEngine, Method, Strategy};
use std::time::Duration;

#[allow(dead_code)]
mod suite;
use suite::engine::{on_a_large_stack, undecided};

/// How many expectations may stay undecided; the rest is decided, and rightly.
const UNDECIDED: usize = 32;
/// The same by the solver alone.
const UNDECIDED_DRIVEN: usize = 38;

/// The same by all interleavings with pruning.
const UNDECIDED_PRUNED: usize = 14;

fn left(method: Method) -> usize {
    let engine = FusionEngine::with(method);
    on_a_large_stack(move || undecided(&engine, 1, Duration::from_secs(2)))
}

#[test]
fn exploration_agrees_with_the_headers_or_does_not_know() {
    let left = left(Method::Explore(Strategy::Optimal));
    assert!(left <= UNDECIDED, "{left} expectations are not decided");
}

#[test]
fn the_trace_driven_flow_agrees_with_the_headers_or_does_not_know() {
    let left = left(Method::Driven);
    assert!(
        left <= UNDECIDED_DRIVEN,
        "{left} expectations are not decided"
    );
}

#[test]
fn pruning_agrees_with_the_headers_or_does_not_know() {
    let left = left(Method::Prune);
    assert!(
        left <= UNDECIDED_PRUNED,
        "{left} expectations are not decided"
    );
}
