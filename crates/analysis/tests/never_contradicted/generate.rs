//! Small random C programs with everything that makes pointers, locks and threads hard to follow.

use raddle_interp::schedulers::SplitMix;
use std::fmt::Write;

const HEAD: &str = "
typedef unsigned long pthread_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
typedef union { char bytes[48]; long align; } pthread_cond_t;
typedef union { char bytes[56]; long align; } pthread_rwlock_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **); int pthread_detach(pthread_t); pthread_t pthread_self(void);
void pthread_exit(void *);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *); int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_init(pthread_mutex_t *, const void *);
int pthread_rwlock_rdlock(pthread_rwlock_t *); int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *); int pthread_cond_signal(pthread_cond_t *);
void *malloc(unsigned long); void free(void *); void *memcpy(void *, const void *, unsigned long);
int __VERIFIER_nondet_int(void); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
void *outside(void *);
struct node { int a; int *p; struct node *next; pthread_mutex_t lock; };
int g0, g1, g2, array[4]; int *p0, *p1, *p2; struct node s0, s1, *n0; long number;
_Thread_local int own; _Thread_local int *own_p;
pthread_mutex_t m0, m1, *pm = &m0; pthread_cond_t c0; pthread_rwlock_t rw; pthread_t t0, t1, t2, ts[3];
";

struct Generator {
    random: SplitMix,
    text: String,
    depth: usize,
    /// Functions that may be called from here: those with a higher number.
    function: u64,
    threads: u64,
    /// From which thread function on the present function may make threads: a thread that makes its like never ends.
    creates: u64,
    /// How many calls the present function may still get: calls in loops in calls would take for ever.
    calls: u32,
}

/// How many ordinary functions and thread functions there are.
const FUNCTIONS: u64 = 4;

/// A program from a seed.
pub fn program(seed: u64) -> String {
    let mut g = Generator {
        random: SplitMix::new(seed),
        text: HEAD.to_string(),
        depth: 0,
        function: 0,
        threads: 0,
        creates: 2,
        calls: 0,
    };
    for f in 0..FUNCTIONS {
        let _ = writeln!(g.text, "int f{f}(int *q, struct node *n);");
    }
    g.text += "int (*table[2])(int *, struct node *) = { f2, f3 };\n";
    for f in (0..FUNCTIONS).rev() {
        g.function = f + 1;
        g.calls = 2;
        let _ = writeln!(
            g.text,
            "int f{f}(int *q, struct node *n) {{ int x = 0; struct node l = {{0}};"
        );
        g.statements(4);
        g.text += "return x + l.a; }\n";
    }
    for w in 0..2 {
        g.function = 0;
        g.creates = w + 1;
        g.calls = 2;
        let _ = writeln!(
            g.text,
            "void *w{w}(void *v) {{ int x = 0; int *q = v; struct node l = {{0}}, *n = &l;"
        );
        g.statements(5);
        g.text += "return q; }\n";
    }
    g.function = 0;
    g.creates = 0;
    g.calls = 4;
    g.text += "int main(void) { int x = 0; int *q = &x; struct node l = {0}, *n = &s0; pthread_t t; void *r = 0;\n";
    for _ in 0..3 {
        g.statements(2);
        g.thread();
    }
    g.statements(3);
    g.text += "return 0; }\n";
    g.text
}

impl Generator {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.below(from.len() as u64) as usize]
    }

    fn say(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    fn pointer(&mut self) -> String {
        let all = [
            "&g0",
            "&g1",
            "&array[1]",
            "&array[g2 & 3]",
            "p0",
            "p1",
            "p2",
            "q",
            "&x",
            "&s0.a",
            "s1.p",
            "l.p",
            "n->p",
            "&n->a",
            "&own",
            "own_p",
            "(int *)number",
            "(int *)((unsigned long)&g1 | 1 & ~1ul)",
            "(int *)(((unsigned long)p1 ^ 4096) ^ 4096)",
            "(int *)malloc(8)",
            "&n0->a",
            "0",
            "p0 + 1",
            "(int *)n",
        ];
        self.pick(&all).to_string()
    }

    fn place(&mut self) -> &'static str {
        self.pick(&[
            "p0", "p1", "p2", "q", "s0.p", "s1.p", "l.p", "n->p", "own_p",
        ])
    }

    fn value(&mut self) -> &'static str {
        self.pick(&[
            "g0",
            "g1",
            "g2",
            "x",
            "own",
            "1",
            "array[g0 & 3]",
            "n->a",
            "__VERIFIER_nondet_int()",
            "l.a",
            "*q",
        ])
    }

    fn statements(&mut self, most: u64) {
        let n = 1 + self.random.below(most);
        for _ in 0..n {
            self.statement();
        }
    }

    fn block(&mut self, before: &str, after: &str) {
        self.say(before);
        self.depth += 1;
        self.statements(2);
        self.depth -= 1;
        self.say(after);
    }

    fn statement(&mut self) {
        let deep = if self.depth > 2 { 13 } else { 27 };
        match self.random.below(deep) {
            0 | 1 => {
                let v = self.value();
                let to = self.pick(&[
                    "g0",
                    "g1",
                    "g2",
                    "x",
                    "own",
                    "array[g1 & 3]",
                    "l.a",
                    "s1.a",
                    "n->a",
                ]);
                self.say(&format!("{to} = {v} + 1;"));
            }
            2..5 => {
                let (to, from) = (self.place(), self.pointer());
                self.say(&format!("{to} = {from};"));
            }
            5 | 6 => {
                let (to, v) = (self.place(), self.value());
                self.say(&format!("if ({to}) *{to} = {v};"));
            }
            7 => {
                let text = self.pick(&[
                    "n = n->next ? n->next : n;",
                    "n->next = &s1;",
                    "s0.next = n0;",
                    "n0 = (struct node *)malloc(sizeof *n0);",
                    "l.next = &s0;",
                    "s1.next = &l;",
                    "n = &l;",
                    "n = &s0;",
                    "if (n0) n0->p = q;",
                    "n0 = &s1;",
                    "if (n0) n = n0;",
                    "number = (long)q;",
                    "number = (long)p0;",
                    "number = g0;",
                ]);
                self.say(text);
            }
            8 => {
                let (a, b) = (self.place(), self.place());
                self.say(&format!("memcpy(&{a}, &{b}, sizeof {a});"));
            }
            9 => {
                let text = self.pick(&[
                    "free(p2), p2 = 0;",
                    "outside(q);",
                    "p1 = (int *)outside(p0);",
                    "__sync_fetch_and_add(&g2, 1);",
                    "pm = &m1;",
                    "pm = &n->lock;",
                    "s0 = s1;",
                    "l = *n;",
                    "pthread_cond_signal(&c0);",
                ]);
                self.say(text);
            }
            10..13 if self.calls > 0 => {
                self.calls -= 1;
                let from = self.function;
                if from <= 2 && self.random.below(3) == 0 {
                    self.say("x += table[g0 & 1](q, n);");
                } else if from < FUNCTIONS {
                    let f = from + self.random.below(FUNCTIONS - from);
                    let p = self.pointer();
                    let n = self.pick(&["n", "&s0", "&l", "&s1"]);
                    self.say(&format!("x += f{f}({p}, {n});"));
                }
            }
            13..15 => {
                let v = self.value();
                self.block(&format!("if ({v} & 1) {{"), "}");
            }
            15 => self.block("for (int i = 0; i < 2; i++) {", "}"),
            16..20 => {
                let m = self.pick(&[
                    "&m0", "&m1", "&m0", "&m1", "pm", "&s0.lock", "&n->lock", "&l.lock",
                ]);
                self.block(
                    &format!("pthread_mutex_lock({m});"),
                    &format!("pthread_mutex_unlock({m});"),
                );
            }
            20 => self.block("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"),
            21 => self.block("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"),
            22 => self.block(
                "if (pthread_mutex_trylock(&m0) == 0) {",
                "pthread_mutex_unlock(&m0); }",
            ),
            23 => self.block("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
            24 => {
                let text = self.pick(&[
                    "pthread_mutex_lock(&m1);", "pthread_mutex_unlock(&m1);", "if (g0) pthread_mutex_unlock(&m0);",
                    "pthread_mutex_destroy(&m1);", "pthread_mutex_init(&m1, 0);", "pthread_mutex_lock(pm);",
                    "pthread_mutex_lock(&m0); pthread_cond_wait(&c0, &m0); g1++; pthread_mutex_unlock(&m0);",
                ]);
                // Rare, or nothing would ever be held.
                if self.random.below(4) == 0 {
                    self.say(text);
                }
            }
            25 => {
                if self.threads < 5 {
                    self.thread();
                }
            }
            _ => {
                let text = self.pick(&[
                    "if (g2 == 77) return 0;",
                    "if (x == 99) pthread_exit(0);",
                    "own++;",
                ]);
                self.say(text);
            }
        }
    }

    fn thread(&mut self) {
        if self.creates > 1 {
            return;
        }
        self.threads += 1;
        let w = self.creates + self.random.below(2 - self.creates);
        let argument = self.pointer();
        let own = self.random.below(3) > 0;
        let t = match own {
            true => format!("h{}", self.threads),
            false => self.pick(&["t0", "t1", "t2"]).to_string(),
        };
        if own {
            let first = self.pick(&["", "", " = 1", " = 0"]);
            self.say(&format!("{{ pthread_t {t}{first};"));
        }
        let join = format!("pthread_join({t}, 0);");
        let result = format!("{{ void *back; pthread_join({t}, &back); if (back) p1 = back; }}");
        let n = self.threads;
        // A handle that was read before it was there.
        let early = self.random.below(6) == 0;
        if early {
            self.say(&format!("{{ pthread_t k{n} = {t};"));
        }
        let after = match self.random.below(12) {
            _ if early => format!("pthread_join(k{n}, 0); g0 = 5; }}"),
            0 | 1 => String::new(),
            2 => format!("pthread_detach({t}); {join}"),
            3 => format!("if (g0) {join}"),
            4 => result,
            5 => format!("{t} = {t} + 1; {join}"),
            6 => format!("t2 = {t}; pthread_join(t2, 0);"),
            7 => format!("{t} = pthread_self(); {join}"),
            _ => join.clone(),
        };
        if self.random.below(8) == 0 {
            self.say("for (int i = 0; i < 2; i++) pthread_create(&ts[i], 0, w1, (void *)q);");
        }
        if self.random.below(16) == 0 {
            self.say(&join);
        }
        self.say(&format!(
            "pthread_create(&{t}, 0, w{w}, (void *)({argument}));"
        ));
        for _ in 0..self.random.below(3) {
            self.statement();
        }
        self.say(&after);
        if own {
            self.statement();
            self.say("}");
        }
    }
}
