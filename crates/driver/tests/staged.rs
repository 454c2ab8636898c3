//! The staged engine on every program of `tests/semantics` and `examples`: it must answer as the header expects, or `unknown`.
//!
//! `RADDLE_SUITE=word` runs only the programs whose path contains the word and prints every answer. `RADDLE_MODE=eager+clocks` runs all
//! of them in another mode of the engine; briefly, some are run in every mode.

use raddle_engine_staged::{Mode, StagedEngine};
use std::time::Duration;

#[allow(dead_code)]
mod suite;
use suite::engine::{on_a_large_stack, undecided};

/// How many expectations may stay undecided; the rest is decided, and rightly.
const UNDECIDED: usize = 42;

#[test]
fn the_staged_engine_agrees_with_the_headers_or_does_not_know() {
    let mode: Mode = match std::env::var("RADDLE_MODE") {
        Ok(text) => text.parse().expect("a mode"),
        Err(_) => Mode::default(),
    };
    let left =
        on_a_large_stack(move || undecided(&StagedEngine { mode }, 1, Duration::from_secs(2)));
    assert!(
        left <= UNDECIDED || mode != Mode::default(),
        "{left} expectations are not decided"
    );
}

#[test]
fn its_slower_modes_agree_as_well() {
    for mode in [
        "no-summaries",
        "eager",
        "clocks",
        "no-summaries+eager+clocks",
    ] {
        let mode = mode.parse().expect("a mode");
        on_a_large_stack(move || undecided(&StagedEngine { mode }, 9, Duration::from_millis(500)));
    }
}
