//! A violation that shows before the claimed one is as good; one in the claimed thread at another place is not.

mod support;

use raddle_ir::{DataModel, Property};
use raddle_verdict::{Candidate, Judge};
use raddle_witness::Replayer;
use support::{compile, config, record};

/// Both threads fail an assertion, whatever the order.
const BOTH: &str = "#include <assert.h>\n#include <pthread.h>\nstatic _Atomic int x;\n\
    static void *child(void *arg) { int y = x; assert(y == 7); return arg; }\n\
    int main(void) {\n    pthread_t t; pthread_create(&t, 0, child, 0);\n    int y = x;\n    assert(y == 8);\n    return 0;\n}\n";

#[test]
fn the_first_violation_of_a_run_is_taken() {
    let dir = std::env::temp_dir().join(format!("raddle-witness-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    let path = dir.join("both.c");
    std::fs::write(&path, BOTH).expect("a temporary file");
    let program = compile(&path, DataModel::Lp64);
    let config = config(&[Property::UnreachCall]);
    let by = |main: bool| -> Candidate {
        let all = (0..50).filter_map(|seed| record(&program, &config, seed));
        let mut candidates = all.map(|r| r.candidate);
        let found = candidates.find(|c| (c.thread == 0) == main);
        found.expect("some seed lets this thread be first")
    };
    let (main, child) = (by(true), by(false));
    let mut judge = Replayer::new(&program, &[Property::UnreachCall]);
    // The child goes first, although the engine means main's assertion.
    let mut claim = child.clone();
    claim
        .steps
        .extend(main.steps.iter().filter(|s| s.thread == 0));
    (claim.thread, claim.at) = (main.thread, main.at);
    let found = judge.confirm(&claim).expect("a violation is a violation");
    assert_eq!(found.span, program.span_of(child.at));
    // But main does not fail where the child does.
    let mut claim = main.clone();
    claim.at = child.at;
    assert!(
        judge
            .confirm(&claim)
            .is_err_and(|why| why.contains("not at"))
    );
}
