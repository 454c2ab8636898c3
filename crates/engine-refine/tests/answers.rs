//! The engine on small programs, each violation replayed.

use raddle_engine_refine::RefineEngine;
use raddle_ir::Property;
use raddle_verdict::{Budget, Engine, Request, Unknown, Verdict};
use raddle_witness::Replayer;
use std::time::Duration;

const HEAD: &str = "typedef unsigned long pthread_t; typedef union { char b[40]; long a; } pthread_mutex_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
    void __VERIFIER_error(void); void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void);\n";

fn ask(engine: RefineEngine, text: &str) -> Verdict {
    let options = raddle_c::Options::default();
    let text = format!("{HEAD}{text}");
    let program = raddle_c::compile_text("t.i", &text, &options).expect("valid C");
    let request = Request {
        properties: vec![Property::UnreachCall],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(20)),
    };
    let mut judge = Replayer::new(&program, &request.properties);
    engine.check(&program, &request, &mut judge, &mut |_| {})
}

fn all_ways(text: &str, check: impl Fn(&Verdict) -> bool) {
    for (reduce, values) in [(true, true), (false, true), (true, false)] {
        let engine = RefineEngine {
            reduce,
            values,
            ..RefineEngine::default()
        };
        let verdict = ask(engine, text);
        assert!(check(&verdict), "{reduce} {values}: {verdict:?}");
    }
}

#[test]
fn a_counter_under_a_lock_stays_below_its_limit_for_ever() {
    all_ways(
        "pthread_mutex_t m; int n;
        void *w(void *a) { for (;;) { pthread_mutex_lock(&m); if (n < 7) n++; if (n > 7) __VERIFIER_error(); pthread_mutex_unlock(&m); } }
        int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); return 0; }",
        |v| matches!(v, Verdict::True(_)),
    );
}

#[test]
fn a_lost_update_is_found() {
    all_ways(
        "int n;
        void *w(void *a) { n = n + 1; return a; }
        int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0);
        pthread_join(t, 0); pthread_join(u, 0); if (n != 2) __VERIFIER_error(); return 0; }",
        |v| matches!(v, Verdict::False(_)),
    );
}

#[test]
fn a_write_before_a_failed_assumption_is_seen() {
    all_ways(
        "int x;
        void *w(void *a) { int i = __VERIFIER_nondet_int(); x = i; __VERIFIER_assume(i < 3); return a; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); if (x == 5) __VERIFIER_error(); return 0; }",
        |v| matches!(v, Verdict::False(_)),
    );
}

#[test]
fn threads_without_end_are_proved_by_what_holds_for_any_number() {
    let text = "int x; void *w(void *a) { x = 1; return a; }
        int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, w, 0); if (x > 1) __VERIFIER_error(); } }";
    let verdict = ask(RefineEngine::default(), text);
    assert!(matches!(verdict, Verdict::True(_)), "{verdict:?}");
}

/// Equal threads that nobody looks at are sorted; the answers are those without.
#[test]
fn interchangeable_threads_change_no_answer() {
    let text = |limit: u32| {
        format!(
            "int up, stop; void *w(void *a) {{ int mine = up; up = mine + 1; if (up > {limit}) __VERIFIER_error(); return a; }}
            int main(void) {{ for (int i = 0; i < 4; i++) {{ pthread_t t; pthread_create(&t, 0, w, 0); }} return 0; }}"
        )
    };
    all_ways(&text(4), |v| matches!(v, Verdict::True(_)));
    all_ways(&text(3), |v| matches!(v, Verdict::False(_)));
}

#[test]
fn threads_without_end_are_not_proved_by_a_number_of_them() {
    let text = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x;
        void *w(void *a) { __VERIFIER_atomic_begin(); x = x + 1; if (x == 90) __VERIFIER_error(); __VERIFIER_atomic_end(); return a; }
        int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, w, 0); } }";
    let verdict = ask(RefineEngine::default(), text);
    let unknown = matches!(verdict, Verdict::Unknown(Unknown::SafeForThreads(_)));
    assert!(unknown, "{verdict:?}");
}

#[test]
fn as_many_threads_as_a_loop_makes_are_enough() {
    let text = "int x; void *w(void *a) { x = 1; return a; }
        int main(void) { for (int i = 0; i < 3; i++) { pthread_t t; pthread_create(&t, 0, w, 0); } if (x > 1) __VERIFIER_error(); }";
    let verdict = ask(RefineEngine::default(), text);
    assert!(matches!(verdict, Verdict::True(_)), "{verdict:?}");
}
