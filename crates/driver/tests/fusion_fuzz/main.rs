//! Three ways to explore, and the enumeration of all interleavings, on random small programs: they must agree.
//!
//! The programs are those of `staged_fuzz` (its generator is used as it is). For each property: whether it is violated, by
//! enumeration ([`raddle_interp::explore`]), by classic and by optimal partial-order reduction, and by the engine as a whole with
//! every violation replayed; then the classes of all interleavings against those that the optimal exploration runs, each once.
//!
//! `RADDLE_FUZZ_FUSION=n` runs so many programs; `random_programs/campaign.rs` has the other variables.

#[path = "../../../engine-fusion/tests/classes/count.rs"]
#[allow(dead_code)]
mod count;

mod compare;
#[path = "../random_programs/mod.rs"]
#[allow(dead_code)]
mod random_programs;

use compare::{Tally, compare, compare_readings, compare_states};
use random_programs::campaign::Campaign;
use random_programs::compile;
use std::path::PathBuf;
use std::time::Duration;

/// What the generator declares before its programs.
const DECLARATIONS: &str = "void __VERIFIER_assert(int); void __VERIFIER_assume(int); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);";

#[test]
fn all_ways_to_explore_agree() {
    Campaign {
        name: "fusion",
        few: 80,
        short: Duration::from_secs(25),
        compare,
    }
    .run();
}

/// One execution per reads-from class, more programs in the same time (`RADDLE_FUZZ_READINGS=n`).
#[test]
fn one_execution_per_reads_from_class_is_enough() {
    Campaign {
        name: "readings",
        few: 60,
        short: Duration::from_secs(10),
        compare: compare_readings,
    }
    .run();
}

/// Remembered states, more programs in the same time (`RADDLE_FUZZ_STATES=n`).
#[test]
fn remembering_states_misses_nothing() {
    Campaign {
        name: "states",
        few: 400,
        short: Duration::from_secs(15),
        compare: compare_states,
    }
    .run();
}

/// Programs on which something was once wrong.
#[test]
fn what_was_wrong_once_stays_right() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fusion");
    let mut count = 0;
    for entry in std::fs::read_dir(dir).expect("a directory of programs") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a readable program");
        // The headers are there already.
        let body: Vec<&str> = text
            .lines()
            .filter(|l| !l.starts_with("#include"))
            .collect();
        let body = format!("{DECLARATIONS}\n{}", body.join("\n"));
        let program = compile(&body).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let mut tally = Tally::default();
        assert_eq!(compare(&program, &mut tally), None, "{}", path.display());
        assert_eq!(tally.not_enumerated, 0, "{}", path.display());
        count += 1;
    }
    assert!(count >= 3, "regressions are lost");
}
