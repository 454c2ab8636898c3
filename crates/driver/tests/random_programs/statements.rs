//! Statements: the plain stock, and what each feature adds to it.

use super::features::Feature::{self, *};
use super::generate::{Generator, Place};
use super::tree::Node;

impl Generator {
    pub fn body(&mut self, p: &Place, most: u64) -> Vec<Node> {
        let mut p = p.clone();
        let mut all = Vec::new();
        for _ in 0..1 + self.below(most) {
            if self.fuel == 0 {
                break;
            }
            all.extend(self.statement(&mut p));
        }
        if all.is_empty() {
            all.push(Node::line("x = 1;"));
        }
        all
    }

    pub fn inner(&mut self, p: &Place) -> Vec<Node> {
        let mut p = p.clone();
        p.depth += 1;
        self.body(&p, 2)
    }

    pub fn assignment(&mut self, p: &Place) -> Node {
        let v = self.variable(p);
        let e = self.expression(p, 2);
        Node::line(match self.below(8) {
            0 => format!("{v}++;"),
            1 => format!("{v} += {e};"),
            2 => format!("{v} |= {e};"),
            3 => format!("{v} -= {e};"),
            4 => format!("{v} = {};", self.constant()),
            _ => format!("{v} = {e};"),
        })
    }

    pub fn statement(&mut self, p: &mut Place) -> Vec<Node> {
        self.fuel -= 1;
        let from_feature = self.below(5) < 3;
        if from_feature && !self.features.is_empty() {
            let f = self.pick(&self.features.clone());
            if let Some(nodes) = self.special(f, p) {
                return nodes;
            }
        }
        match self.below(12) {
            0 | 1 if p.depth < 2 => {
                let c = self.condition(p);
                let then = Node::around("{", self.inner(p), "}");
                let mut parts = vec![then];
                if self.once_in(2) {
                    parts.push(Node::around("else {", self.inner(p), "}"));
                }
                vec![Node::around(format!("if ({c})"), parts, "")]
            }
            2 => {
                let c = self.claim(p);
                vec![Node::line(match self.below(3) {
                    0 => format!("if (!({c})) reach_error();"),
                    _ => format!("__VERIFIER_assert({c});"),
                })]
            }
            3 | 4 => {
                let name = self.fresh("i");
                let e = self.expression(p, 1);
                p.locals.push(name.clone());
                vec![Node::line(format!("int {name} = {e};"))]
            }
            _ => vec![self.assignment(p)],
        }
    }

    pub fn special(&mut self, f: Feature, p: &mut Place) -> Option<Vec<Node>> {
        let deep = p.depth >= 2;
        let one = |text: String| Some(vec![Node::line(text)]);
        match f {
            Array | AtomicType | BitField | Narrow | Struct | Union | ThreadLocal | Shift | Div
            | Overflow => Some(vec![self.assignment(p)]),
            Copy => one(self
                .pick(&[
                    "s2 = s;",
                    "s = s2;",
                    "memcpy(&s2, &s, sizeof s);",
                    "memset(&s, 0, sizeof s);",
                    "s.f = s2.f;",
                    "memcpy(&x, &s.f, 2);",
                ])
                .into()),
            Assume => {
                let c = self.condition(p);
                one(format!("__VERIFIER_assume({c});"))
            }
            Atomic => {
                let e = self.atomic_expression(p);
                match self.below(3) {
                    0 => one(format!("{e};")),
                    1 => {
                        let k = self.constant();
                        one(format!("__atomic_store_n(&x, {k}, 5);"))
                    }
                    _ => {
                        let v = self.variable(p);
                        one(format!("{v} = {e};"))
                    }
                }
            }
            CompareAndSwap => Some(self.compare_and_swap(p)),
            Barrier if !p.block => one("pthread_barrier_wait(&bar);".into()),
            Block if !p.block && !deep => {
                let mut q = p.clone();
                q.block = true;
                let mut body = self.inner(&q);
                if self.once_in(3) {
                    let c = self.condition(p);
                    let at = self.below(body.len() as u64 + 1) as usize;
                    body.insert(at, Node::line(format!("__VERIFIER_assume({c});")));
                }
                Some(vec![Node::around(
                    "__VERIFIER_atomic_begin();",
                    body,
                    "__VERIFIER_atomic_end();",
                )])
            }
            Call if p.callable > 0 => {
                let (v, e) = (self.variable(p), self.expression(p, 1));
                let f = self.below(p.callable as u64);
                one(format!("{v} = f{f}({e});"))
            }
            FunctionPointer if p.callable > 1 => {
                let (v, e, c) = (self.variable(p), self.expression(p, 1), self.condition(p));
                match self.below(3) {
                    0 => one(format!("fp = {c} ? f0 : f1;")),
                    1 => one("fp = f1;".into()),
                    _ => one(format!("{v} = fp({e});")),
                }
            }
            Condition if !p.block && !deep => Some(self.condition_variable(p)),
            CondJoin | Joiner if p.handles > 0 && !p.block => {
                let c = self.condition(p);
                let t = self.below(p.handles as u64);
                match self.once_in(3) {
                    true => one(format!("pthread_join(t{t}, 0);")),
                    false => one(format!("if ({c}) pthread_join(t{t}, 0);")),
                }
            }
            CreateLoop if p.main && !deep && !p.block => {
                self.fuel = self.fuel.saturating_sub(2);
                let last = self.pick(&["0", "1"]);
                Some(vec![
                    Node::line("pthread_t many[2];"),
                    Node::line(
                        "for (int k = 0; k < 2; k++) pthread_create(&many[k], 0, worker, (void *)(long)k);",
                    ),
                    Node::line(format!("pthread_join(many[{last}], 0);")),
                ])
            }
            Detach if p.handles > 0 => one(format!(
                "pthread_detach(t{});",
                self.below(p.handles as u64)
            )),
            SelfId if p.handles > 0 => {
                let (v, t) = (self.variable(p), self.below(p.handles as u64));
                one(format!("{v} = pthread_equal(pthread_self(), t{t});"))
            }
            Dynamic if !p.block => one(self
                .pick(&[
                    "pthread_mutex_init(&dm, 0);",
                    "pthread_mutex_lock(&dm);",
                    "pthread_mutex_unlock(&dm);",
                    "x = pthread_mutex_trylock(&dm);",
                    "pthread_mutex_destroy(&dm);",
                    "y = pthread_mutex_destroy(&dm);",
                ])
                .into()),
            EarlyEnd if p.depth > 0 || self.once_in(3) => {
                let end = if p.main { "return 0;" } else { "exit(0);" };
                let end = if self.once_in(3) { "abort();" } else { end };
                let c = self.condition(p);
                one(format!("if ({c}) {end}"))
            }
            ErrorCheck if !p.block => {
                let v = self.variable(p);
                let op = self.pick(&["lock", "unlock", "trylock", "lock"]);
                match !deep && self.once_in(2) {
                    true => Some(vec![Node::around(
                        "if (pthread_mutex_lock(&me) == 0) {",
                        self.inner(p),
                        "pthread_mutex_unlock(&me); }",
                    )]),
                    false => one(format!("{v} = pthread_mutex_{op}(&me);")),
                }
            }
            RecursiveMutex if !p.block => match deep {
                true => one(format!(
                    "pthread_mutex_{}(&mr);",
                    self.pick(&["lock", "unlock", "trylock"])
                )),
                false => Some(vec![Node::around(
                    "pthread_mutex_lock(&mr);",
                    self.inner(p),
                    "pthread_mutex_unlock(&mr);",
                )]),
            },
            Mutex if !deep && (!p.block || self.once_in(3)) => Some(vec![self.locked(p)]),
            LockPointer if !p.block => {
                let c = self.condition(p);
                match deep || self.once_in(2) {
                    true => one(format!("pm = {c} ? &m : &m2;")),
                    false => Some(vec![Node::around(
                        "pthread_mutex_lock(pm);",
                        self.inner(p),
                        "pthread_mutex_unlock(pm);",
                    )]),
                }
            }
            Spin if !p.block && !deep => Some(vec![match self.once_in(3) {
                true => Node::around(
                    "if (pthread_spin_trylock(&sl) == 0) {",
                    self.inner(p),
                    "pthread_spin_unlock(&sl); }",
                ),
                false => Node::around(
                    "pthread_spin_lock(&sl);",
                    self.inner(p),
                    "pthread_spin_unlock(&sl);",
                ),
            }]),
            ReadWrite if !p.block && !deep => Some(vec![match self.below(4) {
                0 => Node::around(
                    "pthread_rwlock_wrlock(&rw);",
                    self.inner(p),
                    "pthread_rwlock_unlock(&rw);",
                ),
                1 => Node::around(
                    "if (pthread_rwlock_trywrlock(&rw) == 0) {",
                    self.inner(p),
                    "pthread_rwlock_unlock(&rw); }",
                ),
                2 => Node::around(
                    "if (pthread_rwlock_tryrdlock(&rw) == 0) {",
                    self.inner(p),
                    "pthread_rwlock_unlock(&rw); }",
                ),
                _ => Node::around(
                    "pthread_rwlock_rdlock(&rw);",
                    self.inner(p),
                    "pthread_rwlock_unlock(&rw);",
                ),
            }]),
            Semaphore => one(match self.below(6) {
                0 | 1 => "sem_post(&se);".into(),
                2 => {
                    let v = self.variable(p);
                    format!("{v} = sem_trywait(&se);")
                }
                3 => "sem_getvalue(&se, &x);".into(),
                _ => "sem_wait(&se);".into(),
            }),
            Heap => Some(self.heap(p)),
            HeapStruct => {
                let e = self.expression(p, 1);
                match self.below(6) {
                    0 => one("hs = malloc(sizeof *hs);".into()),
                    1 => one("free(hs);".into()),
                    2 => one(format!("if (hs) hs->n = {e};")),
                    3 if !p.block && !deep => Some(vec![Node::around(
                        "pthread_mutex_lock(&hs->m);",
                        self.inner(p),
                        "pthread_mutex_unlock(&hs->m);",
                    )]),
                    _ => one(format!("hs->n = {e};")),
                }
            }
            Input => {
                let name = self.fresh("n");
                p.locals.push(name.clone());
                match self.below(3) {
                    0 => one(format!(
                        "int {name} = __VERIFIER_nondet_bool() + __VERIFIER_nondet_bool();"
                    )),
                    1 => Some(vec![Node::line(format!(
                        "int {name} = __VERIFIER_nondet_int(); __VERIFIER_assume({name} >= 0 && {name} <= 2);"
                    ))]),
                    _ => Some(vec![Node::line(format!(
                        "unsigned char {name} = __VERIFIER_nondet_uchar(); __VERIFIER_assume({name} < 3);"
                    ))]),
                }
            }
            Key => match self.below(2) {
                0 => {
                    let e = self.expression(p, 1);
                    one(format!("pthread_setspecific(key, (void *)(long)({e}));"))
                }
                _ => {
                    let v = self.variable(p);
                    one(format!("{v} = (int)(long)pthread_getspecific(key);"))
                }
            },
            LocalPointer => {
                let (name, q) = (self.fresh("i"), self.fresh("q"));
                let c = self.condition(p);
                let k = self.below(3);
                p.locals.push(name.clone());
                p.pointers.push(q.clone());
                let mut nodes = vec![
                    Node::line(format!("int {name} = {k};")),
                    Node::line(format!("int *{q} = {c} ? &{name} : &x;")),
                ];
                if self.has(Pointer) && self.once_in(2) {
                    nodes.push(Node::line(format!("p = &{name};")));
                }
                Some(nodes)
            }
            Pointer => {
                let c = self.condition(p);
                let v = self.pick(&["&x", "&y", "0", "p"]);
                one(format!("p = {c} ? {v} : &y;"))
            }
            Loop if !deep => Some(self.bounded_loop(p)),
            SpinLoop if !p.block => {
                self.spins = true;
                let c = self.condition(p);
                one(match self.below(3) {
                    0 => format!("while ({c}) sched_yield();"),
                    1 => format!("do {{ y++; }} while ({c});"),
                    _ => format!("while ({c}) ;"),
                })
            }
            Switch if !deep => {
                let e = self.expression(p, 1);
                let mut parts = vec![Node::around("case 0: {", self.inner(p), "}")];
                if self.once_in(2) {
                    parts.push(Node::line("break;"));
                }
                parts.push(Node::around("case 2: case 1: {", self.inner(p), "}"));
                parts.push(Node::line("break;"));
                parts.push(Node::around("default: {", self.inner(p), "}"));
                Some(vec![Node::around(format!("switch ({e}) {{"), parts, "}")])
            }
            Once => one("pthread_once(&once, initialise);".into()),
            Quit if p.thread && p.depth > 0 => {
                let e = self.expression(p, 1);
                one(format!("pthread_exit((void *)(long)({e}));"))
            }
            Quit if p.thread => {
                let (c, e) = (self.condition(p), self.expression(p, 1));
                one(format!("if ({c}) pthread_exit((void *)(long)({e}));"))
            }
            Recursion => {
                let v = self.variable(p);
                let depth = self.pick(&["1", "2", "x & 1", "(y & 1) + 1"]);
                one(format!("{v} = again({depth});"))
            }
            Nested if p.thread && !deep && !p.block && !p.looping => {
                let t = self.fresh("t");
                let mut nodes = vec![
                    Node::line(format!("pthread_t {t};")),
                    Node::line(format!("pthread_create(&{t}, 0, worker, (void *)1L);")),
                ];
                nodes.push(self.assignment(p));
                if !self.once_in(3) {
                    nodes.push(Node::line(format!("pthread_join({t}, 0);")));
                }
                Some(nodes)
            }
            ByValue => {
                let v = self.variable(p);
                one(format!(
                    "{v} = sum((struct two){{x, {}}}).a;",
                    self.constant()
                ))
            }
            Goto if !deep => {
                let label = self.fresh("out");
                let c = self.condition(p);
                let mut body = self.inner(p);
                body.insert(0, Node::line(format!("if ({c}) goto {label};")));
                Some(vec![Node::around("{", body, format!("}} {label}: ;"))])
            }
            HandMade if !p.block && !deep => {
                let spin = self.pick(&[
                    "while (__atomic_exchange_n(&word_lock, 1, 5)) ;",
                    "while (__sync_lock_test_and_set(&word_lock, 1)) while (word_lock) ;",
                    "while (!__sync_bool_compare_and_swap(&word_lock, 0, 1)) ;",
                ]);
                self.spins = true;
                Some(vec![Node::around(
                    spin,
                    self.inner(p),
                    "__atomic_store_n(&word_lock, 0, 5);",
                )])
            }
            MutexArray if !p.block && !deep => {
                let i = self.pick(&["0", "x & 1", "1", "y != 0"]);
                Some(vec![Node::around(
                    format!("pthread_mutex_lock(&ms[{i}]);"),
                    self.inner(p),
                    format!("pthread_mutex_unlock(&ms[{i}]);"),
                )])
            }
            Partial | StaticLocal | StructArray => Some(vec![self.assignment(p)]),
            PointerCast => {
                let (c, v) = (self.condition(p), self.variable(p));
                one(match self.below(5) {
                    0 => format!("word = {c} ? (unsigned long)&y : (unsigned long)&x;"),
                    1 => "word ^= (unsigned long)&x ^ (unsigned long)&y;".into(),
                    2 => "word |= 1;".into(),
                    3 => "word &= ~1UL;".into(),
                    _ => format!("{v} = word == (unsigned long)&x;"),
                })
            }
            PointerTable => {
                let (c, v) = (self.condition(p), self.variable(p));
                one(match self.below(4) {
                    0 => "table[0] = table[1];".into(),
                    1 => format!("table[{c}] = &x;"),
                    2 => format!("{v} = table[0] == table[1];"),
                    _ => "p = table[y & 1];".into(),
                })
            }
            Scope => Some(vec![
                Node::around(
                    "{",
                    vec![Node::line("int gone = 2;"), Node::line("p = &gone;")],
                    "}",
                ),
                self.assignment(p),
            ]),
            ThreadLocalPointer => one(self.pick(&["p = &tl;", "*p = tl;", "tl = *p;"]).into()),
            Vote if p.thread && !deep && !p.block => {
                self.spins = true;
                let me = self.below(2);
                let you = 1 - me;
                Some(vec![Node::around(
                    format!(
                        "wants[{me}] = 1; turn = {you}; while (wants[{you}] && turn == {you}) ;"
                    ),
                    self.inner(p),
                    format!("wants[{me}] = 0;"),
                )])
            }
            Dirty => one(
                self.pick(&[
                    "memset(&m, 0, sizeof m);",
                    "m = m2;",
                    "pthread_mutex_init(&m, 0);",
                    "pthread_mutex_unlock(&m);",
                    "x = pthread_mutex_unlock(&m2);",
                    "*(int *)&m = 0;",
                    "y = *(int *)&m != 0;",
                ])
                .into(),
            ),
            Realloc => one(
                self.pick(&[
                    "gr = realloc(gr, 8);",
                    "gr = realloc(gr, 4);",
                    "if (gr) x = *gr;",
                    "if (gr) *gr = y;",
                    "if (gr) gr[1] = 1;",
                    "{ int *old = gr; gr = 0; free(old); }",
                ])
                .into(),
            ),
            Timed => one(
                self.pick(&[
                    "if (pthread_mutex_timedlock(&m, &when) == 0) { x++; pthread_mutex_unlock(&m); }",
                    "y = pthread_mutex_timedlock(&m2, &when);",
                    "if (pthread_mutex_trylock(&m) != 0) y = 3; else pthread_mutex_unlock(&m);",
                ])
                .into(),
            ),
            Wide => {
                let (v, e) = (self.variable(p), self.expression(p, 1));
                one(match self.below(4) {
                    0 => format!("wide += {e};"),
                    1 => format!("wide = (long long){e} << 31;"),
                    2 => format!("{v} = (int)(wide >> 31);"),
                    _ => format!("wide = wide * 3 - {e};"),
                })
            }
            AddressBits => {
                let v = self.variable(p);
                one(match self.below(7) {
                    0 => format!("{v} = ((unsigned long)&x >> 2) & 1;"),
                    1 => format!("{v} = &x < &y;"),
                    2 => format!("{v} = p + 1 == &y;"),
                    3 => "p = &x + 1;".into(),
                    4 => "p = p - 1;".into(),
                    5 => format!("{v} = (int)(p - &x);"),
                    _ => format!("{v} = ((unsigned long)p & 3) == 0;"),
                })
            }
            BigLoop if !deep => {
                let (k, v) = (self.fresh("k"), self.variable(p));
                let n = self.pick(&["9", "40", "300"]);
                let i = self.fresh("i");
                p.locals.push(i.clone());
                Some(vec![
                    Node::line(format!("int {i} = {v};")),
                    Node::line(format!("for (int {k} = 0; {k} < {n}; {k}++) {i} ^= {k};")),
                ])
            }
            HeapCompare => {
                let (o, n, v) = (self.fresh("o"), self.fresh("n"), self.variable(p));
                let mut nodes = vec![
                    Node::line(format!("int *{o} = gp;")),
                    Node::line(format!("int *{n} = malloc(4);")),
                ];
                nodes.push(Node::line(match self.below(5) {
                    0 => format!("{v} = {o} == {n};"),
                    1 => format!("{v} = __sync_bool_compare_and_swap(&gp, {o}, {n});"),
                    2 => format!("{v} = (long){o} - (long){n} == 0;"),
                    3 => format!("{v} = !((unsigned long){o} ^ (unsigned long){n});"),
                    _ => format!("if ({o} != {n}) gp = {n};"),
                }));
                Some(nodes)
            }
            InBlock if !p.block => {
                let v = self.variable(p);
                let c = self.condition(p);
                let (before, after) = (self.assignment(p), self.assignment(p));
                let strange = match self.below(6) {
                    0 if p.thread => format!("if ({c}) pthread_exit(0);"),
                    1 => format!("if ({c}) exit(0);"),
                    2 if p.thread => format!("if ({c}) return 0;"),
                    3 => format!("if ({c}) abort();"),
                    4 if p.handles > 0 => "pthread_join(t0, 0);".into(),
                    _ => format!("__VERIFIER_assert({v} != 2); __VERIFIER_assume({c});"),
                };
                let body = vec![before, Node::line(strange), after];
                Some(vec![Node::around("__VERIFIER_atomic_begin();", body, "__VERIFIER_atomic_end();")])
            }
            PartialUninitialised => {
                let name = self.fresh("i");
                p.locals.push(name.clone());
                let v = self.variable(p);
                Some(vec![
                    Node::line(format!("int {name};")),
                    Node::line(match self.below(4) {
                        0 => format!("((char *)&{name})[1] = 2;"),
                        1 => format!("{v} = ((unsigned char *)&{name})[0] & 3;"),
                        2 => format!("if ({v}) {name} = 1;"),
                        _ => format!("memcpy(&{name}, &y, 2);"),
                    }),
                ])
            }
            PointerBytes => one(
                self.pick(&[
                    "((unsigned char *)&p)[0] = 0;",
                    "((unsigned char *)&p)[0] ^= 4;",
                    "{ int *copy; memcpy(&copy, &p, sizeof p); x = *copy; }",
                    "((unsigned *)&p)[1] = 0;",
                    "p = (int *)((unsigned long)p & ~3UL);",
                ])
                .into(),
            ),
            Teardown => one(
                self.pick(&[
                    "{ sem_t l; sem_init(&l, 0, 1); sem_wait(&l); sem_destroy(&l); x++; }",
                    "{ pthread_mutex_t l; pthread_mutex_init(&l, 0); pthread_mutex_lock(&l); y++; pthread_mutex_unlock(&l); pthread_mutex_destroy(&l); }",
                    "{ pthread_cond_t l; pthread_cond_init(&l, 0); pthread_cond_signal(&l); pthread_cond_destroy(&l); }",
                    "{ pthread_rwlock_t l; pthread_rwlock_init(&l, 0); pthread_rwlock_rdlock(&l); x = y; pthread_rwlock_unlock(&l); }",
                ])
                .into(),
            ),
            Uninitialised => {
                let name = self.fresh("i");
                p.locals.push(name.clone());
                one(format!("int {name};"))
            }
            Sum if !p.block => Some(self.sum(p)),
            f => self.odd(f, p),
        }
    }

    pub fn locked(&mut self, p: &Place) -> Node {
        let m = self.pick(&["m", "m", "m2"]);
        match self.below(10) {
            0..2 => Node::around(
                format!("if (pthread_mutex_trylock(&{m}) == 0) {{"),
                self.inner(p),
                format!("pthread_mutex_unlock(&{m}); }}"),
            ),
            2 => Node::line(format!("pthread_mutex_lock(&{m});")),
            3 => Node::line(format!("pthread_mutex_unlock(&{m});")),
            _ => Node::around(
                format!("pthread_mutex_lock(&{m});"),
                self.inner(p),
                format!("pthread_mutex_unlock(&{m});"),
            ),
        }
    }

    pub fn condition_variable(&mut self, p: &Place) -> Vec<Node> {
        let e = self.constant();
        let wake = self.pick(&["signal", "broadcast"]);
        let test = self.pick(&["if", "while"]);
        let body = match self.below(4) {
            0 | 1 => vec![
                Node::line(format!("x = {e};")),
                Node::line(format!("pthread_cond_{wake}(&cv);")),
            ],
            2 => vec![
                Node::line(format!("{test} (x == 0) pthread_cond_wait(&cv, &m);")),
                Node::line("y = x;"),
            ],
            _ => vec![Node::line(
                "if (x == 0) y = pthread_cond_timedwait(&cv, &m, &ts);",
            )],
        };
        if test == "while" {
            self.spins = true;
        }
        let mut nodes = vec![Node::around(
            "pthread_mutex_lock(&m);",
            body,
            "pthread_mutex_unlock(&m);",
        )];
        if self.once_in(4) {
            nodes.push(self.assignment(p));
        }
        nodes
    }

    pub fn compare_and_swap(&mut self, p: &mut Place) -> Vec<Node> {
        let e = self.fresh("e");
        let v = self.pick(&["x", "y"]);
        let weak = self.below(2);
        let (k, d) = (self.below(3), self.expression(p, 1));
        p.locals.push(e.clone());
        let mut nodes = vec![Node::line(format!("int {e} = {k};"))];
        match self.below(4) {
            0 if !p.block => {
                self.spins |= weak == 1;
                nodes.push(Node::line(format!(
                    "while (!__atomic_compare_exchange_n(&{v}, &{e}, {e} + 1, {weak}, 5, 5)) ;"
                )));
            }
            1 => nodes.push(Node::line(format!(
                "x = __sync_val_compare_and_swap(&{v}, {e}, {d});"
            ))),
            _ if p.depth < 2 => nodes.push(Node::around(
                format!("if (__atomic_compare_exchange_n(&{v}, &{e}, {d}, {weak}, 5, 5)) {{"),
                self.inner(p),
                "}",
            )),
            _ => nodes.push(Node::line(format!(
                "__atomic_compare_exchange_n(&{v}, &{e}, {d}, {weak}, 5, 5);"
            ))),
        }
        nodes
    }

    pub fn heap(&mut self, p: &mut Place) -> Vec<Node> {
        let e = self.expression(p, 1);
        match self.below(7) {
            0 | 1 => {
                let q = self.fresh("h");
                p.pointers.push(q.clone());
                let v = self.variable(p);
                let how = match self.below(6) {
                    0 => "malloc(sizeof(int))".into(),
                    1 => "calloc(1, 8)".into(),
                    2 => "malloc(8)".into(),
                    3 => format!("malloc(4 + 4 * ({v} & 1))"),
                    4 => format!("calloc({v} == 1 ? 2 : 1, 4)"),
                    _ => format!("malloc(({v} + 1) * sizeof(int))"),
                };
                let which = self.pick(&["0", "0", "1", "!!x"]);
                let mut nodes = vec![
                    Node::line(format!("int *{q} = {how};")),
                    Node::line(format!("{q}[{which}] = {e};")),
                ];
                match self.below(3) {
                    0 => nodes.push(Node::line(format!("gp = {q};"))),
                    1 => nodes.push(Node::line(format!("__atomic_store_n(&gp, {q}, 5);"))),
                    _ => {}
                }
                nodes
            }
            2 => vec![Node::line("free(gp);")],
            3 => vec![Node::line("if (gp) { x = *gp; free(gp); gp = 0; }")],
            4 => {
                let own = p.pointers.iter().filter(|q| q.starts_with('h'));
                let mut all: Vec<String> = own.cloned().collect();
                all.push("gp".into());
                let q = self.pick(&all);
                vec![Node::line(format!("free({q});"))]
            }
            5 => {
                let v = self.variable(p);
                vec![Node::line(format!("if (gp) {v} = *gp;"))]
            }
            _ => vec![Node::line(format!("if (gp) *gp = {e};"))],
        }
    }

    pub fn bounded_loop(&mut self, p: &Place) -> Vec<Node> {
        let mut q = p.clone();
        q.looping = true;
        let k = self.fresh("k");
        let n = 1 + self.below(3);
        let head = match self.below(5) {
            0 | 1 => format!("for (int {k} = 0; {k} < {n}; {k}++) {{"),
            2 => {
                let c = self.condition(p);
                format!("for (int {k} = 0; {k} < {n} && {c}; {k}++) {{")
            }
            3 => format!("for (int {k} = {n}; {k}; {k}--) {{"),
            _ => format!("for (int {k} = 0; {k} < (x & 3); {k}++) {{"),
        };
        q.locals.push(k.clone());
        let mut body = self.inner(&q);
        // The loop variable must not be assigned, or the loop may not end.
        let assigns =
            |n: &Node| super::tree::print(std::slice::from_ref(n)).contains(&format!("{k} "));
        if body.iter().any(assigns) {
            self.spins = true;
        }
        if self.once_in(3) {
            let c = self.condition(p);
            let how = self.pick(&["break", "continue", "break"]);
            let at = self.below(body.len() as u64 + 1) as usize;
            body.insert(at, Node::line(format!("if ({c}) {how};")));
        }
        vec![Node::around(head, body, "}")]
    }
}
