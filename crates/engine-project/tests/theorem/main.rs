//! The projection theorem as a test: on random models with two to four processes, scalars and arrays, the values that the property's
//! variables can have are the same with and without projection, and the same as by enumeration of all interleavings.
//!
//! The enumeration (`direct.rs`) runs the tree the model was printed from, so it is an oracle for the modelling language, too.
//! `RADDLE_MODELS=5000 cargo test --release -p raddle-engine-project --test theorem` is the long form, `RADDLE_SEED` where it begins; a model that fails is printed.

mod direct;
mod generate;

use generate::{Random, model};
use raddle_engine_project::{Granularity, ProjectEngine, Reductions, enumerate};
use raddle_ir::{Program, Property};
use raddle_verdict::{Budget, Engine, Request, Unknown, Verdict};
use raddle_witness::Replayer;
use std::collections::BTreeSet;
use std::time::Duration;

/// Enough for all but a few models; where it is not, the comparison would fail.
const DEPTH: usize = 20;

fn number(name: &str, otherwise: u64) -> u64 {
    let told = std::env::var(name).ok();
    told.and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Models on which an answer was missing once: a thread that stopped before an assume of its region did not replay.
const ONCE: [u64; 2] = [2146, 2432];

fn seeds() -> impl Iterator<Item = u64> {
    let first = number("RADDLE_SEED", 0);
    ONCE.into_iter()
        .chain(first..first + number("RADDLE_MODELS", 100))
}

fn compile(text: &str) -> Program {
    let program = raddle_model::compile("random.rad", text, &[])
        .unwrap_or_else(|d| panic!("{}\n{text}", d.render("random.rad", text)));
    assert_eq!(raddle_ir::verify(&program), Vec::new());
    program
}

/// What the property is about: some variables, and where their values are in the direct enumeration.
fn aims(r: &mut Random) -> (Vec<&'static str>, Vec<usize>) {
    match r.below(4) {
        0 => (vec!["s0"], vec![0]),
        1 => (vec!["s1", "s2"], vec![1, 2]),
        2 => (vec!["a0"], vec![3, 4]),
        _ => (vec!["s0", "a1"], vec![0, 5, 6]),
    }
}

fn ways() -> Vec<(&'static str, Reductions)> {
    let projection = Reductions {
        projection: true,
        ..Reductions::NONE
    };
    let printed = Reductions {
        as_printed: true,
        ..projection
    };
    let order = Reductions {
        order: true,
        ..Reductions::NONE
    };
    let all = Reductions {
        order: true,
        symmetry: true,
        ..projection
    };
    vec![
        ("plain", Reductions::NONE),
        ("projected", projection),
        ("projected as printed", printed),
        ("ordered", order),
        ("everything", all),
    ]
}

#[test]
fn projections_keep_the_values_of_the_property() {
    for seed in seeds() {
        let mut r = Random::new(seed + 1);
        let model = model(&mut r);
        let (names, places) = aims(&mut r);
        let text = model.text();
        let expected: BTreeSet<Vec<u128>> = direct::values(&model)
            .iter()
            .map(|all| places.iter().map(|p| u128::from(all[*p])).collect())
            .collect();
        let program = compile(&text);
        let depth = model.steps().min(DEPTH);
        for (way, reductions) in ways() {
            let found = enumerate(&program, &names, reductions, depth, false).expect("treated");
            // Variables that nobody writes are no state.
            let found = match found.values.iter().next().map(Vec::len) {
                Some(n) if n == places.len() => found.values,
                _ => continue,
            };
            assert_eq!(found, expected, "seed {seed}, {way}, {names:?}\n{text}");
        }
    }
}

fn verdict(program: &Program, engine: ProjectEngine) -> Verdict {
    let request = Request {
        properties: vec![Property::UnreachCall],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(60)),
    };
    let mut judge = Replayer::new(program, &request.properties);
    engine.check(program, &request, &mut judge, &mut |_| {})
}

#[test]
fn verdicts_are_those_of_the_enumeration() {
    for seed in seeds() {
        let mut r = Random::new(seed + 1_000_000);
        let model = model(&mut r);
        let (a, b) = (r.below(4) as i8, r.below(3) as i8);
        let reachable = direct::values(&model)
            .iter()
            .any(|all| all[0] as i8 == a && all[4] as i8 == b);
        let property = format!("property p: never s0 == {a} && a0[1] == {b};\n");
        let text = model.text() + &property;
        let program = compile(&text);
        for (n, (way, reductions)) in (0..).zip(ways()) {
            for (m, depth) in (0..).zip([None, Some(DEPTH as u32)]) {
                // Every way meets every other choice at some seeds.
                let turn = seed + n + m;
                let engine = ProjectEngine {
                    reductions,
                    depth,
                    own_cells: turn % 3 != 0,
                    granularity: match turn % 2 {
                        0 => Granularity::Transaction,
                        _ => Granularity::Statement,
                    },
                    ..ProjectEngine::default()
                };
                let v = verdict(&program, engine);
                let right = match &v {
                    Verdict::True(_) => !reachable,
                    Verdict::False(_) => reachable,
                    Verdict::Unknown(Unknown::SafeToDepth(_)) => depth.is_some() && !reachable,
                    Verdict::Unknown(_) => false,
                };
                assert!(right, "seed {seed}, {way}, {depth:?}: {v:?}\n{text}");
            }
        }
    }
}
