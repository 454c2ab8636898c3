//! The execution engine on every program of `tests/semantics` and `examples`: it must answer as the header expects, or `unknown`.
//!
//! Every fourth program by default, all with `RADDLE_LONG=1`. `RADDLE_SUITE=word` runs only the programs whose path contains the word and prints every answer.

use raddle_engine_fusion::{FusionEngine, Method, Strategy};
use raddle_ir::Property;
use raddle_verdict::{Budget, Engine, Request, Verdict};
use raddle_witness::Replayer;
use std::path::Path;
use std::time::Duration;

#[allow(dead_code)]
mod suite;
use suite::engine::{WEAK_RACES, every, on_a_large_stack, undecided};

/// How many expectations may stay undecided; the rest is decided, and rightly.
const UNDECIDED: usize = 100;

/// The same by one execution for each reads-from class: it refuses locks that are accessed as memory, and so those that are
/// written while a thread waits for them.
const UNDECIDED_READS_FROM: usize = 115 + WEAK_RACES;

/// The same by the solver alone: it does not follow `longjmp`.
const UNDECIDED_DRIVEN: usize = 86 + WEAK_RACES;

/// The same by remembering states: it gives up where there are inputs.
const UNDECIDED_REMEMBERED: usize = 195 + WEAK_RACES;

/// The same by all interleavings with pruning.
const UNDECIDED_PRUNED: usize = 44 + WEAK_RACES;

fn left(method: Method) -> usize {
    let engine = FusionEngine::with(method);
    on_a_large_stack(move || undecided(&engine, every(4), Duration::from_secs(2)))
}

#[test]
fn exploration_agrees_with_the_headers_or_does_not_know() {
    let left = left(Method::Explore(Strategy::Optimal));
    assert!(left <= UNDECIDED, "{left} expectations are not decided");
}

/// Without executions at random before it, so that what is found is found by the search.
#[test]
fn one_execution_per_reads_from_class_agrees_with_the_headers_or_does_not_know() {
    let engine = FusionEngine {
        walks: 0,
        ..FusionEngine::with(Method::Explore(Strategy::ReadsFrom))
    };
    let left = on_a_large_stack(move || undecided(&engine, every(4), Duration::from_secs(2)));
    assert!(
        left <= UNDECIDED_READS_FROM,
        "{left} expectations are not decided"
    );
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
fn remembering_states_agrees_with_the_headers_or_does_not_know() {
    for method in [Method::States, Method::ReducedStates] {
        let left = left(method);
        assert!(
            left <= UNDECIDED_REMEMBERED,
            "{method:?}: {left} expectations are not decided"
        );
    }
}

#[test]
fn pruning_agrees_with_the_headers_or_does_not_know() {
    let left = left(Method::Prune);
    assert!(
        left <= UNDECIDED_PRUNED,
        "{left} expectations are not decided"
    );
}

/// Each program of `tests/prune` fails only on a branch that the first execution does not take, for one of the reasons for which
/// pruning could be wrong.
#[test]
fn nothing_is_pruned_that_goes_wrong() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/prune");
    let entries = std::fs::read_dir(dir).expect("the programs");
    let mut count = 0;
    for entry in entries {
        let path = entry.expect("an entry").path();
        let options = raddle_c::Options::default();
        let program = raddle_c::compile(&[path.as_path()], &options);
        let program = program.unwrap_or_else(|why| panic!("{}", why.render()));
        let text = std::fs::read_to_string(&path).expect("a program");
        let wrong = text.lines().find_map(|l| l.strip_prefix("//! expect: "));
        let wrong = wrong
            .and_then(|w| w.strip_suffix(" false"))
            .expect("a property");
        let request = Request {
            properties: Property::from_name(wrong),
            unwind: None,
            certify: false,
            inputs: None,
            all_violations: false,
            after: None,
            budget: Budget::with_timeout(Duration::from_secs(20)),
        };
        for method in [Method::Prune, Method::Driven] {
            let engine = FusionEngine {
                walks: 0,
                ..FusionEngine::with(method)
            };
            let mut judge = Replayer::new(&program, &request.properties);
            let verdict = engine.check(&program, &request, &mut judge, &mut |_| {});
            let right = matches!(verdict, Verdict::False(_));
            assert!(right, "{method:?} on {}: {verdict:?}", path.display());
        }
        count += 1;
    }
    assert!(count >= 16, "only {count} programs");
}

/// Deadlocks are looked for in fewer executions than leaks, and must not settle that nothing is allocated.
#[test]
fn leaks_are_found_beside_deadlocks() {
    let path = "../../tests/semantics/leaks/behind_a_wake_up.c";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let options = raddle_c::Options::default();
    let program = raddle_c::compile(&[path.as_path()], &options);
    let program = program.unwrap_or_else(|why| panic!("{}", why.render()));
    let properties = [
        "unreach-call",
        "no-data-race",
        "no-deadlock",
        "valid-memsafety",
    ];
    let request = Request {
        properties: properties
            .iter()
            .flat_map(|p| Property::from_name(p))
            .collect(),
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(20)),
    };
    for method in [Method::default(), Method::States] {
        let engine = FusionEngine::with(method);
        let mut judge = Replayer::new(&program, &request.properties);
        let verdict = engine.check(&program, &request, &mut judge, &mut |_| {});
        let Verdict::False(found) = verdict else {
            panic!("{method:?}: {verdict:?}");
        };
        assert_eq!(found[0].property, Property::ValidMemtrack, "{method:?}");
    }
}
