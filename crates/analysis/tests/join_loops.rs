//! Behind which loops of joins all threads of a loop of creations are over, and behind which they are not.

use raddle_analysis::Facts;
use raddle_ir::{BlockId, Location, Op, Terminator};

const BEGIN: &str = "typedef unsigned long pthread_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_join(pthread_t, void **);
    int pthread_detach(pthread_t);
    int __VERIFIER_nondet_int(void);
    int x; pthread_t t[4], u[4];
    void *w(void *a) { return a; }
    void *detaches(void *a) { pthread_detach(t[0]); return a; }";

/// Whether nobody else can run where `x` is read in the end.
fn alone(body: &str) -> bool {
    let text = format!("{BEGIN} {body}");
    let options = raddle_c::Options::default();
    let program = raddle_c::compile_text("t.i", &text, &options).expect("valid C");
    let facts = Facts::new(&program);
    let mut found = Vec::new();
    for f in facts.points_to.reachable() {
        for (b, block) in facts.program().function(f).blocks.iter().enumerate() {
            for (i, instr) in block.instrs.iter().enumerate() {
                let at = Location {
                    function: f,
                    block: BlockId(b as u32),
                    index: i as u32,
                };
                let ends = matches!(block.terminator, Terminator::Return(_));
                if ends && matches!(instr.op, Op::Load { .. }) && facts.parallel.is_reached(at) {
                    found.push(facts.parallel.is_alone(at));
                }
            }
        }
    }
    assert!(!found.is_empty(), "nobody looks: {body}");
    found.into_iter().all(|a| a)
}

#[test]
fn loops_of_joins_end_loops_of_creations() {
    let make = "for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, w, 0);";
    let good = [
        format!("int main(void) {{ {make} for (int i = 0; i < 4; i++) pthread_join(t[i], 0); return x; }}"),
        "int main(void) { int i; for (i = 0; i < 4; i++) pthread_create(&t[i], 0, w, 0);
            for (i = 0; i <= 3; ++i) { int e = pthread_join(t[i], 0); if (e) x++; } return x; }".into(),
        "int main(void) { pthread_t v[4]; unsigned i = 0; while (i != 4) { pthread_create(v + i, 0, w, 0); i++; }
            for (long k = 0; k < 4; k++) pthread_join(v[k], 0); return x; }".into(),
        "int main(void) { int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) pthread_create(&t[i], 0, w, 0);
            for (int i = 0; i < n; i++) pthread_join(t[i], 0); return x; }".into(),
        format!("int main(void) {{ t[0] = 0; {make} for (int i = 0; i < 4; i++) if (pthread_join(t[i], 0)) x = 1; return x; }}"),
    ];
    for body in good {
        assert!(alone(&body), "{body}");
    }
}

#[test]
fn other_loops_do_not() {
    let make = "for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, w, 0);";
    let join = "for (int i = 0; i < 4; i++) pthread_join(t[i], 0);";
    let bad = [
        // Elements are left out.
        format!("int main(void) {{ {make} for (int i = 1; i < 4; i++) pthread_join(t[i], 0); return x; }}"),
        format!("int main(void) {{ {make} for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return x; }}"),
        format!("int main(void) {{ {make} for (int i = 0; i < 4; i += 2) pthread_join(t[i], 0); return x; }}"),
        format!("int main(void) {{ {make} for (int i = 0; i < 4; i++) {{ if (x) continue; pthread_join(t[i], 0); }} return x; }}"),
        format!("int main(void) {{ {make} for (int i = 0; i < 4; i++) {{ i = 3; pthread_join(t[i], 0); }} return x; }}"),
        format!("int main(void) {{ {make} for (int i = 0; i < 4; i++) {{ if (x) break; pthread_join(t[i], 0); }} return x; }}"),
        format!("int main(void) {{ {make} for (int i = 0; i < 4; i++) pthread_join(t[0], 0); return x; }}"),
        format!("int main(void) {{ {make} for (int i = 0; i < 4; i++) pthread_join(u[i], 0); return x; }}"),
        format!("int main(void) {{ {make} int k = 0; for (int i = 0; i < 4; i++) pthread_join(t[k], 0); return x; }}"),
        format!("int main(void) {{ {make} pthread_t h = t[0]; for (int i = 0; i < 4; i++) {{ pthread_join(h, 0); h = t[i]; }} return x; }}"),
        // Not in this order, or more than once.
        format!("int main(void) {{ {join} {make} return x; }}"),
        format!("int main(void) {{ for (int k = 0; k < 2; k++) {{ {make} }} {join} return x; }}"),
        format!("void go(void) {{ {make} }} int main(void) {{ go(); go(); {join} return x; }}"),
        format!("int main(void) {{ if (x) {{ {join} }} {make} return x; }}"),
        format!("int main(void) {{ {make} if (x) {{ {join} }} return x; }}"),
        // Handles are lost.
        format!("int main(void) {{ for (int i = 0; i < 4;) {{ pthread_create(&t[i], 0, w, 0); if (x) i++; }} {join} return x; }}"),
        format!("int main(void) {{ for (int i = 0; i < 4; i++) for (int k = 0; k < 2; k++) pthread_create(&t[i], 0, w, 0); {join} return x; }}"),
        format!("int main(void) {{ for (int i = 0; i < 4; i++) {{ pthread_create(&t[i], 0, w, 0); pthread_create(&t[i], 0, w, 0); }} {join} return x; }}"),
        format!("int main(void) {{ for (int i = 0; i < 4; i++) pthread_create(&t[0], 0, w, 0); {join} return x; }}"),
        format!("int main(void) {{ {make} t[2] = t[1]; {join} return x; }}"),
        format!("void *lose(void *a) {{ t[1] = 0; return a; }} int main(void) {{ pthread_t h; pthread_create(&h, 0, lose, 0); {make} {join} pthread_join(h, 0); return x; }}"),
        // Somebody detaches them.
        format!("int main(void) {{ {make} pthread_detach(t[1]); {join} return x; }}"),
        format!("int main(void) {{ pthread_t h; pthread_create(&h, 0, detaches, 0); {make} {join} pthread_join(h, 0); return x; }}"),
        // The limit changes in between.
        "int main(void) { int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) pthread_create(&t[i], 0, w, 0); n = n - 1;
            for (int i = 0; i < n; i++) pthread_join(t[i], 0); return x; }".into(),
        // It is set in between, so nobody knows what it was before.
        "int main(void) { int n; for (int i = 0; i < n; i++) pthread_create(&t[i], 0, w, 0); n = 0;
                for (int i = 0; i < n; i++) pthread_join(t[i], 0); return x; }".into(),
        // Others are still there.
        format!("int main(void) {{ for (int i = 0; i < 4; i++) pthread_create(&u[i], 0, w, 0); {make} {join} return x; }}"),
    ];
    for body in bad {
        assert!(!alone(&body), "{body}");
    }
}
