//! Every program under `tests/programs` lowers to valid IR in both data models and survives printing and reading.
//! What they print is in the `.out` files, which gcc agrees with.

use raddle_c::{Options, compile};
use raddle_ir::DataModel;
use std::path::Path;

#[test]
fn programs_lower_to_valid_ir() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let sets: [&[&str]; 7] = [
        &["expressions.c"],
        &["aggregates.c"],
        &["control.c"],
        &["atomics.c"],
        &["declarations.c"],
        &["headers.c"],
        &["linked_a.c", "linked_b.c"],
    ];
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        // There is no 128-bit integer on ILP32, and not every machine has headers for it.
        let sets = sets
            .iter()
            .filter(|s| model == DataModel::Lp64 || !matches!(s[0], "expressions.c" | "headers.c"));
        for set in sets {
            let files: Vec<_> = set.iter().map(|f| directory.join(f)).collect();
            let options = Options {
                model,
                ..Options::default()
            };
            let program = compile(&files, &options).expect("it is a program");
            let invalid = raddle_ir::verify(&program);
            assert!(invalid.is_empty(), "{set:?}: {}", invalid[0]);
            let printed = raddle_ir::print(&program);
            let again = raddle_ir::read(&printed).expect("what was printed can be read");
            assert_eq!(raddle_ir::print(&again), printed, "{set:?}");
        }
    }
}
