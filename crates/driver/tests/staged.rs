//! The staged engine on every program of `tests/semantics` and `examples`: it must answer as the header expects, or `unknown`.
//!
//! `RADDLE_SUITE=word` runs only the programs whose path contains the word and prints every answer. `RADDLE_MODE=eager+clocks` runs all
//! of them in another mode of the engine; briefly, some are run in every mode.

use raddle_engine_staged::{Mode, StagedEngine};
use raddle_interp::schedule::{Event, Schedule};
use raddle_ir::Property;
use raddle_verdict::{Budget, Engine, Request, Unknown, Verdict};
use raddle_witness::Replayer;
use std::path::Path;
use std::time::Duration;

#[allow(dead_code)]
mod suite;
use suite::engine::{WEAK_RACES, on_a_large_stack, undecided};

/// How many expectations may stay undecided; the rest is decided, and rightly.
const UNDECIDED: usize = 88 + WEAK_RACES;

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

/// Rounds leave out only what needs more of them: a schedule with so many switches is one of at most one round more.
#[test]
fn what_needs_few_rounds_is_found_in_few_rounds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/semantics");
    let mut paths = Vec::new();
    suite::programs(&root, &mut paths);
    paths.sort();
    let found = on_a_large_stack(move || paths.iter().step_by(2).map(|p| in_rounds(p)).sum());
    assert!(found >= 60, "only {found} violations");
}

/// How many violations of a program were found with and without rounds.
fn in_rounds(path: &Path) -> usize {
    let case = suite::read_case(path);
    let Ok(program) = case.compile() else {
        return 0;
    };
    let mut count = 0;
    for e in case.expectations.iter().filter(|e| !e.holds) {
        let ask = |rounds: Option<u32>| {
            let mode = Mode {
                rounds,
                ..Mode::default()
            };
            let request = Request {
                properties: Property::from_name(&e.property),
                unwind: None,
                certify: false,
                inputs: None,
                all_violations: false,
                after: None,
                budget: Budget::with_timeout(Duration::from_secs(1)),
            };
            let mut judge = Replayer::new(&program, &request.properties);
            StagedEngine { mode }.check(&program, &request, &mut judge, &mut |_| {})
        };
        let Verdict::False(found) = ask(None) else {
            continue;
        };
        let schedule = Schedule::from_json(&found[0].schedule).expect("a schedule");
        let threads = schedule.events.iter().filter_map(|event| match event {
            Event::Step { thread, .. } => Some(*thread),
            Event::Choice { .. } => None,
        });
        let mut threads: Vec<_> = threads.collect();
        threads.dedup();
        let enough = threads.len() as u32 + 1;
        for rounds in [1, enough] {
            let verdict = ask(Some(rounds));
            let right = match &verdict {
                Verdict::False(_) | Verdict::Unknown(Unknown::Stopped { .. }) => true,
                Verdict::Unknown(Unknown::SafeForRounds(..) | Unknown::Unsupported { .. }) => {
                    rounds < enough
                }
                _ => false,
            };
            let name = path.display();
            assert!(
                right,
                "{name}, {} in {rounds} rounds: {verdict}",
                e.property
            );
            count += usize::from(rounds == enough);
        }
    }
    count
}
