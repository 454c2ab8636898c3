//! Proofs as files: accepted as they are written, refused with a predicate, a value or a state altered.

use raddle_engine_refine::{RefineEngine, check_proof};
use raddle_ir::{Program, Property};
use raddle_verdict::{Budget, Engine, Request, Verdict};
use raddle_witness::Replayer;
use std::time::Duration;

const TEXT: &str = "typedef unsigned long pthread_t; typedef union { char b[40]; long a; } pthread_mutex_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *); void __VERIFIER_error(void);
    pthread_mutex_t m; unsigned put, taken;
    void *w(void *a) { for (;;) { pthread_mutex_lock(&m); if (put - taken < 4) put++; pthread_mutex_unlock(&m); } }
    void *r(void *a) { for (;;) { pthread_mutex_lock(&m); if (put - taken > 4) __VERIFIER_error();
        if (put != taken) taken++; pthread_mutex_unlock(&m); } }
    int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, r, 0); return 0; }";

fn prove(text: &str, eager: bool) -> (Program, String) {
    prove_all(text, eager, &[Property::UnreachCall])
}

fn prove_all(text: &str, eager: bool, properties: &[Property]) -> (Program, String) {
    let options = raddle_c::Options::default();
    let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
    let request = Request {
        properties: properties.to_vec(),
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(60)),
    };
    let engine = RefineEngine {
        write_proofs: true,
        eager,
        ..RefineEngine::default()
    };
    let mut judge = Replayer::new(&program, &request.properties);
    let verdict = engine.check(&program, &request, &mut judge, &mut |_| {});
    let Verdict::True(proof) = verdict else {
        panic!("{verdict:?}");
    };
    (program, proof.artefact.expect("a text"))
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

/// A proof for any number of threads: what is said of a place is needed, most of it; and none may say what is false.
#[test]
fn a_proof_for_any_number_of_threads_is_checked() {
    let text = "typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        void __VERIFIER_error(void); void __VERIFIER_assume(int); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
        int m, x;
        void *w(void *a) {
            __VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = 1; __VERIFIER_atomic_end();
            x = 1; x = 0; if (x) __VERIFIER_error();
            m = 0; return a; }
        int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, w, 0); }";
    let (program, proof) = prove(text, false);
    assert!(proof.contains("threads 0"), "{proof}");
    assert!(accepted(&program, &proof));
    let lines: Vec<&str> = proof.lines().collect();
    let (mut needed, mut all) = (0, 0);
    for (i, line) in lines.iter().enumerate() {
        if line.starts_with("holds ") {
            all += 1;
            assert!(!accepted(
                &program,
                &altered(&proof, i, Some("holds false"))
            ));
            needed += u32::from(!accepted(&program, &altered(&proof, i, None)));
        }
        if line.starts_with("place ") {
            assert!(!accepted(&program, &altered(&proof, i, None)), "{line}");
        }
    }
    assert!(all > 0 && needed > 0, "{needed} of {all}");
    // The same for eight threads is no proof of that kind.
    assert!(!accepted(
        &program,
        &proof.replace("threads 0", "threads 2")
    ));
}

#[test]
fn what_is_written_is_accepted_and_what_is_altered_is_not() {
    let (program, text) = prove(TEXT, false);
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

/// Needs that the top of the stack is at most the number of pushes, and that all elements are small.
const STACK: &str = "typedef unsigned long pthread_t; typedef union { char b[40]; long a; } pthread_mutex_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); unsigned __VERIFIER_nondet_uint(void);
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *); void __VERIFIER_error(void);
    pthread_mutex_t m; int top; unsigned a[300];
    void *push(void *x) { for (int i = 0; i < 300; i++) { pthread_mutex_lock(&m); if (top == 300) __VERIFIER_error();
        a[top] = __VERIFIER_nondet_uint() % 8; top++; pthread_mutex_unlock(&m); } return 0; }
    void *pop(void *x) { for (;;) { pthread_mutex_lock(&m); if (top > 0) { top--; if (a[top] > LARGEST) __VERIFIER_error(); }
        pthread_mutex_unlock(&m); } }
    int main(void) { pthread_t t, u; pthread_create(&t, 0, push, 0); pthread_create(&u, 0, pop, 0); return 0; }";

#[test]
fn invariants_of_threads_are_checked() {
    let (program, text) = prove(&STACK.replace("LARGEST", "7"), true);
    let budget = Budget::with_timeout(Duration::from_secs(60));
    let checked = check_proof(&program, &[Property::UnreachCall], &text, &budget);
    let readable = checked.expect("a proof").readable;
    assert!(readable.contains("all elements of a:"), "{readable}");
    let lines: Vec<&str> = text.lines().collect();
    // Nothing can be stronger than it is; what is weaker must not be enough everywhere.
    let mut weaker = 0;
    for (i, line) in lines.iter().enumerate() {
        let Some((word, _)) = line.split_once(' ') else {
            continue;
        };
        let change = match word {
            "holds" => "holds false".to_string(),
            "contents" => {
                let object = line.split(' ').nth(1).unwrap_or_default();
                format!("contents {object} false")
            }
            _ => continue,
        };
        let other = altered(&text, i, Some(&change));
        assert!(!accepted(&program, &other), "line {i}: {line}");
        weaker += usize::from(!accepted(&program, &altered(&text, i, None)));
    }
    assert!(weaker > 0, "no invariant is needed");
    // A place that is left out would be one that is never reached.
    let place = lines.iter().position(|l| l.starts_with("place 1 "));
    let place = place.expect("a place");
    let end = (place + 1..lines.len()).find(|i| !lines[*i].starts_with("holds "));
    let mut fewer = lines.clone();
    fewer.drain(place..end.unwrap_or(lines.len()));
    assert!(!accepted(&program, &fewer.join("\n")));
}

/// The elements go up to 7: a proof of less must not be found.
#[test]
fn contents_of_large_arrays_are_not_taken_for_less() {
    let options = raddle_c::Options::default();
    let text = STACK.replace("LARGEST", "6");
    let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
    let request = Request {
        properties: vec![Property::UnreachCall],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(10)),
    };
    let engine = RefineEngine {
        eager: true,
        ..RefineEngine::default()
    };
    let mut judge = Replayer::new(&program, &request.properties);
    let verdict = engine.check(&program, &request, &mut judge, &mut |_| {});
    assert!(!matches!(verdict, Verdict::True(_)), "{verdict:?}");
}

/// The value is handed over by a word under a lock, and so is the right to take two locks in the other order: neither races nor deadlocks are ruled out by
/// locks alone.
const HANDOVER: &str = "typedef unsigned long pthread_t; typedef union { char b[40]; long a; } pthread_mutex_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
    pthread_mutex_t m, n; int taken; unsigned value;
    void *w(void *a) { for (;;) { pthread_mutex_lock(&m); int mine = !taken;
        if (mine) { taken = 1; pthread_mutex_lock(&n); pthread_mutex_unlock(&n); } pthread_mutex_unlock(&m);
        if (mine) { value++; pthread_mutex_lock(&n); pthread_mutex_lock(&m); taken = 0; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); } } }
    int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); return 0; }";

#[test]
fn a_proof_is_of_its_properties_alone() {
    let budget = Budget::with_timeout(Duration::from_secs(60));
    let all = [
        Property::NoDataRace,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::NoDeadlock,
    ];
    let (program, text) = prove_all(HANDOVER, false, &all);
    assert!(check_proof(&program, &all, &text, &budget).is_ok());
    assert!(!accepted(&program, &text));
    for p in [Property::NoDataRace, Property::NoDeadlock] {
        let (program, text) = prove_all(HANDOVER, false, &[p]);
        assert!(check_proof(&program, &[p], &text, &budget).is_ok());
        for other in Property::ALL.into_iter().filter(|q| *q != p) {
            assert!(check_proof(&program, &[other], &text, &budget).is_err());
            // Nor is it one of another property if that is written there: its graph has other variables or places.
            let renamed = text.replace(p.name(), other.name());
            let asked = check_proof(&program, &[other], &renamed, &budget);
            let trivial = matches!(
                other,
                Property::UnreachCall
                    | Property::ValidDeref
                    | Property::ValidFree
                    | Property::ValidMemtrack
                    // The checker reads these off the program itself.
                    | Property::ValidSync
                    | Property::NoUninit
                    | Property::NoDivZero
                    | Property::NoBadShift
            );
            assert!(asked.is_err() || trivial, "{p} as {other}");
        }
        let lines: Vec<&str> = text.lines().collect();
        let states = (0..lines.len()).filter(|i| lines[*i].starts_with("state "));
        // Some are covered by others in which fewer threads sleep.
        let (mut tried, mut refused) = (0, 0);
        for i in states.step_by(5) {
            let fewer = altered(&text, i, None);
            tried += 1;
            refused += u32::from(check_proof(&program, &[p], &fewer, &budget).is_err());
        }
        assert!(refused * 2 >= tried, "{p}: {refused} of {tried}");
    }
}

/// Two locks in two orders: no states are a proof that there is no deadlock.
#[test]
fn a_deadlock_is_not_proved_away() {
    let text = HANDOVER
        .replace("int taken;", "int taken; pthread_mutex_t n;")
        .replace(
            "void *w(void *a) {",
            "void *v(void *a) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); return a; }
         void *w(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n);",
        );
    let text = text.replace("pthread_create(&u, 0, w, 0)", "pthread_create(&u, 0, v, 0)");
    let options = raddle_c::Options::default();
    let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
    let (_, proof) = prove_all(HANDOVER, false, &[Property::NoDeadlock]);
    let head: Vec<&str> = proof.lines().take(4).collect();
    let fingerprint = format!("program {:016x}", program.fingerprint());
    let head = head.join("\n").replace(head[1], &fingerprint);
    let budget = Budget::with_timeout(Duration::from_secs(60));
    for tail in ["", "\ngroup ffffffffffffffff"] {
        let claimed = format!("{head}{tail}\n");
        let checked = check_proof(&program, &[Property::NoDeadlock], &claimed, &budget);
        assert!(checked.is_err(), "{claimed}");
    }
}
