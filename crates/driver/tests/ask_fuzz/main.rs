//! What can still happen, asked in random states of random small programs, against an enumeration from the same state.
//!
//! `RADDLE_FUZZ_AFTER=n` asks the execution engine about so many programs, `RADDLE_FUZZ_ASK=n` every question of the debugger; `random_programs/campaign.rs` has the other variables.

mod beginnings;
mod engine;
mod enumeration;
mod questions;
#[path = "../random_programs/mod.rs"]
#[allow(dead_code)]
mod random_programs;

use random_programs::campaign::Campaign;
use std::time::Duration;

#[test]
fn the_execution_engine_agrees_behind_a_beginning() {
    Campaign {
        name: "after",
        few: 60,
        short: Duration::from_secs(15),
        compare: engine::compare,
    }
    .run();
}

#[test]
fn questions_are_answered_as_the_enumeration_says() {
    Campaign {
        name: "ask",
        few: 20,
        short: Duration::from_secs(40),
        compare: questions::compare,
    }
    .run();
}
