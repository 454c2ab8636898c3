//! The search that remembers states, on the programs of `tests/states`: every answer is right, none is missing, and it takes no more steps than
//! the header says.

use raddle_engine_fusion::{FusionEngine, Method};
use raddle_ir::Property;
use raddle_verdict::{Budget, Request, Verdict};
use raddle_witness::Replayer;
use std::path::Path;
use std::time::Duration;

#[allow(dead_code)]
mod suite;
use suite::engine::on_a_large_stack;

/// What a header line asks.
fn asked(line: &str) -> Option<(Vec<Property>, bool)> {
    let (name, answer) = line.strip_prefix("//! expect: ")?.split_once(' ')?;
    let properties = match name {
        "all" => Property::ALL.to_vec(),
        name => Property::from_name(name),
    };
    assert!(!properties.is_empty(), "{line}");
    Some((properties, answer == "true"))
}

fn check(path: &Path) {
    let name = path.display();
    let options = raddle_c::Options::default();
    let program = raddle_c::compile(&[path], &options);
    let program = program.unwrap_or_else(|why| panic!("{}", why.render()));
    let text = std::fs::read_to_string(path).expect("a program");
    let most = text.lines().find_map(|l| l.strip_prefix("//! steps: "));
    let most = most.map_or(u64::MAX, |n| n.parse().expect("a number of steps"));
    let mut steps = 0;
    for (properties, holds) in text.lines().filter_map(asked) {
        let request = Request {
            properties,
            unwind: None,
            certify: false,
            inputs: None,
            all_violations: false,
            after: None,
            budget: Budget::with_timeout(Duration::from_secs(60)),
        };
        let mut judge = Replayer::new(&program, &request.properties);
        let engine = FusionEngine::with(Method::ReducedStates);
        let (verdict, effort) = engine.check_counting(&program, &request, &mut judge, &mut |_| {});
        let right = match verdict {
            Verdict::True(_) => holds,
            Verdict::False(_) => !holds,
            Verdict::Unknown(_) => false,
        };
        assert!(right, "{name}, {:?}: {verdict:?}", request.properties);
        steps += effort.events;
    }
    assert!(steps <= most, "{name} takes {steps} steps");
}

#[test]
fn states_are_few_and_nothing_is_missed() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/states");
    let count = on_a_large_stack(move || {
        let entries = std::fs::read_dir(dir).expect("the programs");
        let paths = entries.map(|e| e.expect("an entry").path());
        paths.map(|path| check(&path)).count()
    });
    assert!(count >= 20, "only {count} programs");
}
