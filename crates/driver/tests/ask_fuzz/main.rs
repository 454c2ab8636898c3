//! What can still happen, asked in random states of random small programs, against an enumeration from the same state.
//!
//! `RADDLE_FUZZ_AFTER=n` runs so many programs; `random_programs/campaign.rs` has the other variables.

mod beginnings;
mod engine;
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
