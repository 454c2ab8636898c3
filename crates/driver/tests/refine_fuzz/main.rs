//! The refinement engine against the enumeration of all interleavings, on random small programs.
//!
//! The programs are those of `staged_fuzz` (its generator is used as it is). Each is asked in several ways: as it is meant, without
//! partial-order reduction, with invariants of threads inferred first, for any number of threads of every creation, and with predicates alone, no values listed. Races, memory safety, deadlocks,
//! misuse of locks, uninitialised values, divisions and shifts are asked as it is meant, without reduction and with invariants first. None may disagree with the enumeration, and every
//! violation has to be replayed; `unknown` is counted.
//!
//! `RADDLE_FUZZ_REFINE=n` runs so many programs, `RADDLE_FUZZ_ONLY=p` asks for one property alone; `random_programs/campaign.rs` has the other variables.

mod compare;
mod crowds;
mod orders;
#[path = "../random_programs/mod.rs"]
#[allow(dead_code)]
mod random_programs;

use compare::compare;
use random_programs::campaign::Campaign;
use std::time::Duration;

#[test]
fn the_refinement_engine_agrees_with_the_enumeration() {
    Campaign {
        name: "refine",
        few: 150,
        short: Duration::from_secs(25),
        compare,
    }
    .run();
}
