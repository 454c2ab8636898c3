//! Proofs as files: accepted as they are written, refused with a predicate, a value or a state altered.

use raddle_engine_refine::{RefineEngine, check_proof};
use raddle_ir::{Program, Property};
use raddle_verdict::{Budget, Engine, Request, Verdict};
use raddle_witness::Replayer;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const TEXT: &str = "typedef unsigned long pthread_t; typedef union { char b[40]; long a; } pthread_mutex_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *); void __VERIFIER_error(void);
    pthread_mutex_t m; unsigned put, taken;
    void *w(void *a) { for (;;) { pthread_mutex_lock(&m); if (put - taken < 4) put++; pthread_mutex_unlock(&m); } }
    void *r(void *a) { for (;;) { pthread_mutex_lock(&m); if (put - taken > 4) __VERIFIER_error();
        if (put != taken) taken++; pthread_mutex_unlock(&m); } }
    int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, r, 0); return 0; }";

fn prove() -> (Program, String) {
    let options = raddle_c::Options::default();
    let program = raddle_c::compile_text("t.i", TEXT, &options).expect("valid C");
    let request = Request {
        properties: vec![Property::UnreachCall],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        budget: Budget::with_timeout(Duration::from_secs(60)),
    };
    let text = Arc::new(Mutex::new(String::new()));
    let engine = RefineEngine {
        proof: Some(text.clone()),
        ..RefineEngine::default()
    };
    let mut judge = Replayer::new(&program, &request.properties);
    let verdict = engine.check(&program, &request, &mut judge, &mut |_| {});
    assert!(matches!(verdict, Verdict::True(_)), "{verdict:?}");
    let text = text.lock().expect("nobody panicked").clone();
    (program, text)
}

fn accepted(program: &Program, text: &str) -> bool {
    let budget = Budget::with_timeout(Duration::from_secs(60));
    check_proof(program, &[Property::UnreachCall], text, &budget).is_ok()
}

/// The text with one line replaced, or left out.
fn altered(text: &str, at: usize, line: Option<&str>) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    match line {
        Some(line) => lines[at] = line,
        None => drop(lines.remove(at)),
    }
    lines.join("\n")
}

#[test]
fn what_is_written_is_accepted_and_what_is_altered_is_not() {
    let (program, text) = prove();
    assert!(accepted(&program, &text));
    let lines: Vec<&str> = text.lines().collect();
    let used = |n: usize| {
        let mut states = lines.iter().filter(|l| l.starts_with("state "));
        states.any(|s| {
            let predicates = s.split(';').nth(2).unwrap_or("").trim();
            predicates.split(',').any(|p| p == n.to_string())
        })
    };
    let mut count = 0;
    let mut refused = 0;
    for (i, line) in lines.iter().enumerate() {
        if line.starts_with("group ") {
            count = 0;
        }
        if line.starts_with("predicate ") {
            if used(count) {
                assert!(!accepted(
                    &program,
                    &altered(&text, i, Some("predicate false"))
                ));
                refused += 1;
            }
            count += 1;
        }
    }
    assert!(refused > 0, "no predicate is used");
    let states: Vec<usize> = (0..lines.len())
        .filter(|i| lines[*i].starts_with("state "))
        .collect();
    for i in states.iter().step_by(17) {
        assert!(
            !accepted(&program, &altered(&text, *i, None)),
            "without line {i}"
        );
    }
    assert!(!accepted(
        &program,
        &text.replacen("program ", "program f", 1)
    ));
    assert!(!accepted(
        &program,
        &altered(&text, lines.len() - 1, Some("state nonsense"))
    ));
    assert!(!accepted(&program, "something else"));
}
