//! The projection engine against the enumeration of all interleavings, on random small programs.
//!
//! Assertions are asked as it is meant, without any reduction, and statement by statement with all memory in cells; deadlocks and races, which are
//! never projected, in the one way there is. None may disagree with the enumeration, and every violation has to be replayed; `unknown` is counted.
//!
//! `RADDLE_FUZZ_PROJECT=n` runs so many programs; `random_programs/campaign.rs` has the other variables.

#[path = "../random_programs/mod.rs"]
#[allow(dead_code)]
mod random_programs;

use raddle_engine_project::{Granularity, ProjectEngine, Reductions};
use raddle_ir::{Program, Property};
use raddle_verdict::Engine;
use random_programs::campaign::Campaign;
use random_programs::engines::{self, Tally};
use std::time::Duration;

fn compare(program: &Program, tally: &mut Tally) -> Option<String> {
    let meant = ProjectEngine::default();
    let plain = ProjectEngine {
        reductions: Reductions::NONE,
        ..ProjectEngine::default()
    };
    let mut statements = ProjectEngine {
        granularity: Granularity::Statement,
        own_cells: false,
        ..ProjectEngine::default()
    };
    statements.reductions.order = true;
    let ways: [(&str, &dyn Engine); 3] = [
        ("meant", &meant),
        ("plain", &plain),
        ("statements", &statements),
    ];
    engines::compare(program, Property::UnreachCall, &ways, tally)
        .or_else(|| {
            engines::compare(
                program,
                Property::NoDeadlock,
                &[("deadlock", &meant)],
                tally,
            )
        })
        .or_else(|| engines::compare(program, Property::NoDataRace, &[("race", &meant)], tally))
}

#[test]
fn the_projection_engine_agrees_with_the_enumeration() {
    Campaign {
        name: "project",
        few: 100,
        short: Duration::from_secs(25),
        compare,
    }
    .run();
}
