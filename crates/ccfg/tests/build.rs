//! Graphs of small programs: what is merged, what stays apart, what is refused.

use raddle_ccfg::{Goal, Instances, What, build, print, verify};
use raddle_ir::Property;

const HEAD: &str = "typedef unsigned long pthread_t; typedef union { char b[40]; long a; } pthread_mutex_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
    void __VERIFIER_error(void); void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void);
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n";

fn graph(text: &str) -> (raddle_ccfg::Ccfg, String) {
    let options = raddle_c::Options::default();
    let text = format!("{HEAD}{text}");
    let program = raddle_c::compile_text("t.i", &text, &options).expect("valid C");
    let ccfg = build(&program, &[Property::UnreachCall]).expect("treated");
    verify(&ccfg).expect("well-formed");
    let text = print(&ccfg, &program);
    (ccfg, text)
}

const TWO: &str = "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, w, 0); return 0; }";

#[test]
fn local_steps_are_merged_and_shared_ones_are_not() {
    let (ccfg, text) = graph(&format!(
        "int x; void *w(void *a) {{ int i = x; i = i * 2 + 1; x = i; return a; }} {TWO}"
    ));
    let thread = ccfg
        .templates
        .iter()
        .find(|t| t.name == "w")
        .expect("a thread");
    assert_eq!(thread.edges.len(), 2, "{text}");
    assert_eq!(thread.edges[1].goal, Goal::Finish, "{text}");
}

#[test]
fn an_atomic_region_is_one_edge_per_path() {
    let (ccfg, text) = graph(&format!(
        "int x, y; void *w(void *a) {{ __VERIFIER_atomic_begin(); if (x) y = 1; else y = 2; __VERIFIER_atomic_end(); return a; }} {TWO}"
    ));
    let thread = ccfg
        .templates
        .iter()
        .find(|t| t.name == "w")
        .expect("a thread");
    assert_eq!(thread.edges.len(), 2, "{text}");
}

#[test]
fn where_a_thread_may_stop_a_new_edge_begins() {
    let (ccfg, text) = graph(&format!(
        "int x; void *w(void *a) {{ int i = __VERIFIER_nondet_int(); x = i; __VERIFIER_assume(i < 3); return a; }} {TWO}"
    ));
    let thread = ccfg
        .templates
        .iter()
        .find(|t| t.name == "w")
        .expect("a thread");
    let assume =
        |s: &raddle_ccfg::Step| matches!(&s.what, What::Instr(raddle_ir::Op::Assume { .. }));
    let edge = thread.edges.iter().find(|e| e.steps.iter().any(assume));
    assert!(assume(&edge.expect("an assumption").steps[0]), "{text}");
}

#[test]
fn a_creation_in_a_loop_repeats() {
    let (ccfg, _) = graph(
        "int x; void *w(void *a) { x = 1; return a; }
        int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, w, 0); } }",
    );
    assert!(ccfg.templates[0].sites[0].repeats);
    assert_eq!(Instances::new(&ccfg, 3).list.len(), 4);
}

#[test]
fn what_is_not_treated_is_a_goal_with_a_reason() {
    let (ccfg, text) =
        graph("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }");
    let refused = ccfg.templates[0]
        .edges
        .iter()
        .any(|e| matches!(e.goal, Goal::Refused(_)));
    assert!(refused && text.contains("refused: recursion"), "{text}");
}

fn watched(text: &str) -> (raddle_ccfg::Ccfg, String) {
    let options = raddle_c::Options::default();
    let text = format!("{HEAD}{text}");
    let program = raddle_c::compile_text("t.i", &text, &options).expect("valid C");
    let ccfg = raddle_ccfg::build_with_races(&program).expect("treated");
    verify(&ccfg).expect("well-formed");
    let text = print(&ccfg, &program);
    (ccfg, text)
}

fn races(ccfg: &raddle_ccfg::Ccfg) -> usize {
    let edges = ccfg.templates.iter().flat_map(|t| &t.edges);
    let race = |g: &Goal| matches!(g, Goal::Error(Property::NoDataRace, _));
    edges.filter(|e| race(&e.goal)).count()
}

#[test]
fn what_a_lock_protects_needs_no_announcement() {
    let (ccfg, text) = watched(&format!(
        "pthread_mutex_t m; int x; void *w(void *a) {{ pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return a; }} {TWO}"
    ));
    assert_eq!(races(&ccfg), 0, "{text}");
    let marks = ccfg.objects.iter().any(|o| o.name.contains("write of"));
    assert!(!marks, "{text}");
}

#[test]
fn an_access_that_may_race_is_announced() {
    let (ccfg, text) = watched(&format!(
        "int x; void *w(void *a) {{ x++; return a; }} {TWO}"
    ));
    // In each of two threads a read looks, and so does a write.
    assert_eq!(races(&ccfg), 4, "{text}");
    let marks = ccfg.objects.iter().filter(|o| o.name == "a write of x");
    assert_eq!(marks.count(), 1, "{text}");
}

#[test]
fn an_atomic_region_looks_at_its_end() {
    let (ccfg, text) = watched(
        "int x, y; void *w(void *a) { __VERIFIER_atomic_begin(); y = x; __VERIFIER_assume(y); __VERIFIER_atomic_end(); return a; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x = 1; return 0; }",
    );
    assert_eq!(races(&ccfg), 1, "{text}");
    let thread = ccfg.templates.iter().find(|t| t.name == "w");
    let mut edges = thread.into_iter().flat_map(|t| &t.edges);
    let error = edges.find(|e| matches!(e.goal, Goal::Error(..)));
    let steps = &error.expect("an error").steps;
    let last = steps.last().map(|s| &s.what);
    assert!(matches!(last, Some(What::Watch(..))), "{text}");
    let assumes =
        |s: &raddle_ccfg::Step| matches!(s.what, What::Instr(raddle_ir::Op::Assume { .. }));
    assert!(steps.iter().any(assumes), "{text}");
}
