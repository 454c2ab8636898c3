//! Random small multithreaded programs, as text, from a seed.
//!
//! A program draws a handful of features; every statement then comes from one of them or from the plain stock (assignments,
//! conditions, assertions). Programs are small enough that all their interleavings can be enumerated, and inputs are Booleans or
//! kept in a range that the enumeration tries in full. Nothing is avoided because it is undefined: that is what is checked.

use crate::tree::Node;
use raddle_interp::schedulers::SplitMix;

/// What stands before every program.
pub const HEADER: &str = "#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n";

const DECLARATIONS: &[&str] = &[
    "void __VERIFIER_assert(int);",
    "void __VERIFIER_assume(int);",
    "_Bool __VERIFIER_nondet_bool(void);",
    "int __VERIFIER_nondet_int(void);",
    "unsigned char __VERIFIER_nondet_uchar(void);",
    "void __VERIFIER_atomic_begin(void);",
    "void __VERIFIER_atomic_end(void);",
    "void reach_error(void);",
];

/// What a program may be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feature {
    Array,
    Assume,
    Atomic,
    AtomicType,
    Barrier,
    BitField,
    Block,
    Call,
    CompareAndSwap,
    CondJoin,
    Condition,
    Copy,
    CreateLoop,
    Detach,
    Div,
    Dynamic,
    EarlyEnd,
    ErrorCheck,
    FunctionPointer,
    Heap,
    HeapStruct,
    Input,
    Joiner,
    Key,
    LocalPointer,
    LockPointer,
    Loop,
    Mutex,
    Narrow,
    Nested,
    Once,
    Overflow,
    Pointer,
    Quit,
    ReadWrite,
    Recursion,
    RecursiveMutex,
    Result,
    SelfId,
    Semaphore,
    Shift,
    Spin,
    SpinLoop,
    Struct,
    Switch,
    ThreadLocal,
    Uninitialised,
    Union,
    ByValue,
    Goto,
    HandMade,
    MutexArray,
    Partial,
    PointerCast,
    PointerTable,
    ResultPointer,
    Scope,
    StaticLocal,
    StructArray,
    ThreadLocalPointer,
    Vote,
    Dirty,
    Realloc,
    Timed,
    Wide,
    AddressBits,
    BigLoop,
    HeapCompare,
    InBlock,
    PartialUninitialised,
    PointerBytes,
    Teardown,
}

use Feature::*;

const ALL: &[Feature] = &[
    Array,
    Assume,
    Atomic,
    AtomicType,
    Barrier,
    BitField,
    Block,
    Call,
    CompareAndSwap,
    CondJoin,
    Condition,
    Copy,
    CreateLoop,
    Detach,
    Div,
    Dynamic,
    EarlyEnd,
    ErrorCheck,
    FunctionPointer,
    Heap,
    HeapStruct,
    Input,
    Joiner,
    Key,
    LocalPointer,
    LockPointer,
    Loop,
    Mutex,
    Narrow,
    Nested,
    Once,
    Overflow,
    Pointer,
    Quit,
    ReadWrite,
    Recursion,
    RecursiveMutex,
    Result,
    SelfId,
    Semaphore,
    Shift,
    Spin,
    SpinLoop,
    Struct,
    Switch,
    ThreadLocal,
    Uninitialised,
    Union,
    ByValue,
    Goto,
    HandMade,
    MutexArray,
    Partial,
    PointerCast,
    PointerTable,
    ResultPointer,
    Scope,
    StaticLocal,
    StructArray,
    ThreadLocalPointer,
    Vote,
    Dirty,
    Realloc,
    Timed,
    Wide,
    AddressBits,
    BigLoop,
    HeapCompare,
    InBlock,
    PartialUninitialised,
    PointerBytes,
    Teardown,
];

/// A program.
pub struct Generated {
    pub nodes: Vec<Node>,
    /// Some loop may go on for ever: unwind it only so often.
    pub spins: bool,
    /// What the last assertion of main (see [`Generated::claiming`]) may say instead.
    pub claims: Vec<String>,
}

impl Generated {
    /// The program with another last assertion.
    pub fn claiming(&self, claim: &str) -> Vec<Node> {
        let mut nodes = self.nodes.clone();
        let body = nodes.last_mut().map(|main| &mut main.body);
        if let Some(line) = body.and_then(|b| b.iter_mut().rev().nth(1)) {
            line.head = format!("__VERIFIER_assert({claim});");
        }
        nodes
    }
}

/// Where a statement stands.
#[derive(Clone)]
struct Place {
    /// Integer variables in scope.
    locals: Vec<String>,
    /// Pointers to integers in scope.
    pointers: Vec<String>,
    depth: u32,
    main: bool,
    /// The body of a thread's own function.
    thread: bool,
    /// In an atomic block.
    block: bool,
    /// In a loop.
    looping: bool,
    /// How many of the functions `f0`, `f1` may be called.
    callable: usize,
    /// How many threads have a handle by now (in main or as globals).
    handles: usize,
}

struct Generator {
    random: SplitMix,
    features: Vec<Feature>,
    /// Statements left.
    fuel: u32,
    names: u32,
    functions: usize,
    global_handles: bool,
    spins: bool,
    threads: usize,
    claims: Vec<String>,
}

/// The program of a seed.
pub fn generate(seed: u64) -> Generated {
    let mut random = SplitMix::new(seed ^ 0x7ead_5eed);
    let mut features = Vec::new();
    for _ in 0..3 + random.below(5) {
        let f = ALL[random.below(ALL.len() as u64) as usize];
        if !features.contains(&f) {
            features.push(f);
        }
    }
    let with = std::env::var("RADDLE_FUZZ_WITH").unwrap_or_default();
    let wanted = ALL
        .iter()
        .filter(|f| with.split(',').any(|w| w == format!("{f:?}")));
    features.extend(
        wanted
            .copied()
            .filter(|f| !features.contains(f))
            .collect::<Vec<_>>(),
    );
    let without = std::env::var("RADDLE_FUZZ_WITHOUT").unwrap_or_default();
    features.retain(|f| !without.split(',').any(|w| w == format!("{f:?}")));
    if features.contains(&FunctionPointer) && !features.contains(&Call) {
        features.push(Call);
    }
    if [Condition, LockPointer, Dirty, Timed]
        .iter()
        .any(|f| features.contains(f))
        && !features.contains(&Mutex)
    {
        features.push(Mutex);
    }
    if features.contains(&ThreadLocalPointer) && !features.contains(&ThreadLocal) {
        features.push(ThreadLocal);
    }
    let needs_pointer = [
        ThreadLocalPointer,
        Scope,
        PointerTable,
        PointerBytes,
        AddressBits,
    ];
    if features.iter().any(|f| needs_pointer.contains(f)) && !features.contains(&Pointer) {
        features.push(Pointer);
    }
    if features.contains(&HeapCompare) && !features.contains(&Heap) {
        features.push(Heap);
    }
    let fuel = 7 + random.below(13) as u32;
    let threads = if random.below(4) == 0 { 3 } else { 2 };
    let mut g = Generator {
        global_handles: features.contains(&SelfId)
            || features.contains(&Joiner)
            || random.below(5) == 0,
        random,
        functions: 0,
        features,
        fuel,
        names: 0,
        spins: false,
        threads,
        claims: Vec::new(),
    };
    let nodes = g.program();
    Generated {
        nodes,
        spins: g.spins,
        claims: g.claims,
    }
}

impl Generator {
    fn has(&self, f: Feature) -> bool {
        self.features.contains(&f)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.random.below(all.len() as u64) as usize].clone()
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    // Expressions

    fn constant(&mut self) -> String {
        if self.has(Overflow) && self.once_in(4) {
            return self
                .pick(&[
                    "2147483647",
                    "2147483646",
                    "(-2147483647 - 1)",
                    "1073741824",
                ])
                .into();
        }
        match self.below(8) {
            0..6 => self.below(4).to_string(),
            6 => "(-1)".into(),
            _ => (4 + self.below(252)).to_string(),
        }
    }

    /// Something that can be read and assigned.
    fn variable(&mut self, p: &Place) -> String {
        let mut all: Vec<String> = vec!["x".into(), "y".into(), "x".into(), "y".into()];
        all.extend(p.locals.iter().cloned());
        let features = self.features.clone();
        for f in features {
            match f {
                Array => {
                    let index = match self.below(4) {
                        0 => "x & 1".to_string(),
                        1 => "y".to_string(),
                        _ => self.below(2).to_string(),
                    };
                    all.push(format!("a[{index}]"));
                    if self.once_in(3) {
                        all.push("((unsigned char *)a)[1]".into());
                    }
                }
                AtomicType => all.extend(["at".into(), "at".into()]),
                BitField => all.extend(["b.k".into(), "b.n".into(), "b.w".into()]),
                Struct => all.extend(["s.f".into(), "s.g".into()]),
                Copy => all.extend(["s.f".into(), "s2.f".into()]),
                Union => all.extend([
                    "v.i".into(),
                    format!("v.c[{}]", self.below(4)),
                    "v.h[1]".into(),
                ]),
                Narrow => all.extend([
                    "c".into(),
                    "h".into(),
                    "l".into(),
                    "u".into(),
                    "flag".into(),
                ]),
                Pointer => all.push("*p".into()),
                ThreadLocal => all.extend(["tl".into(), "tl".into()]),
                HeapStruct => all.push("hs->n".into()),
                Partial => all.extend([
                    "*(unsigned char *)&x".into(),
                    "((short *)&y)[1]".into(),
                    "((unsigned char *)&x)[1]".into(),
                ]),
                PointerCast => all.push("*(int *)word".into()),
                PointerTable => all.extend(["*table[x & 1]".into(), "*table[0]".into()]),
                StaticLocal => all.push("*memo()".into()),
                StructArray => {
                    all.extend(["ss[y & 1].f".into(), "ss[0].g".into(), "ss[1].f".into()])
                }
                _ => {}
            }
        }
        all.extend(p.pointers.iter().map(|q| format!("*{q}")));
        let v = self.pick(&all);
        match v.starts_with('*') {
            true => format!("({v})"),
            false => v,
        }
    }

    fn expression(&mut self, p: &Place, depth: u32) -> String {
        if depth == 0 || self.once_in(3) {
            return match self.below(5) {
                0..3 => self.variable(p),
                _ => self.constant(),
            };
        }
        if self.has(Input) && self.once_in(6) {
            return "__VERIFIER_nondet_bool()".into();
        }
        if self.has(Call) && p.callable > 0 && self.once_in(6) {
            let f = self.below(p.callable as u64);
            let e = self.expression(p, depth - 1);
            return format!("f{f}({e})");
        }
        if self.has(Atomic) && self.once_in(5) {
            return self.atomic_expression(p);
        }
        let a = self.expression(p, depth - 1);
        let b = self.expression(p, depth - 1);
        let mut operators = vec![
            "+", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", "&&", "||", "+", "-",
        ];
        if self.has(Div) {
            operators.extend(["/", "%", "/", "%"]);
        }
        if self.has(Shift) {
            operators.extend(["<<", ">>", "<<"]);
        }
        match self.below(12) {
            0 => format!("(-({a}))"),
            1 => format!("(~({a}))"),
            2 => {
                let c = self.expression(p, depth - 1);
                format!("({c} ? {a} : {b})")
            }
            3 => format!("((unsigned char)({a}))"),
            _ => {
                let operator = self.pick(&operators);
                format!("({a} {operator} {b})")
            }
        }
    }

    fn atomic_expression(&mut self, p: &Place) -> String {
        let v = self.pick(&["x", "y"]);
        let e = self.expression(p, 0);
        match self.below(6) {
            0 => format!("__atomic_load_n(&{v}, 5)"),
            1 => format!("__atomic_fetch_add(&{v}, {e}, 5)"),
            2 => format!("__atomic_sub_fetch(&{v}, {e}, 5)"),
            3 => format!("__atomic_exchange_n(&{v}, {e}, 5)"),
            4 => format!("__atomic_fetch_or(&{v}, {e}, 5)"),
            _ => format!("__sync_fetch_and_add(&{v}, {e})"),
        }
    }

    fn condition(&mut self, p: &Place) -> String {
        let v = self.variable(p);
        let k = self.below(4);
        match self.below(8) {
            0 => self.expression(p, 1),
            1 => format!("!({v})"),
            2 => format!("{v} != {k}"),
            3 => format!("{v} < {k}"),
            4 => {
                let w = self.variable(p);
                format!("{v} <= {w}")
            }
            5 if self.has(Input) => "__VERIFIER_nondet_bool()".into(),
            _ => format!("{v} == {k}"),
        }
    }

    /// Mostly weak claims, so that both answers are common.
    fn claim(&mut self, p: &Place) -> String {
        let (v, w) = (self.variable(p), self.variable(p));
        let (k, m) = (self.below(6), self.below(4));
        match self.below(8) {
            0..2 => format!("{v} != {}", k + 1),
            2 => format!("{v} <= {k}"),
            3 | 4 => format!("!({v} == {m} && {w} == {k})"),
            5 => format!("({v} == {m} || {w} != {k})"),
            6 => format!("{v} == {m}"),
            _ => self.condition(p),
        }
    }

    // Statements

    fn body(&mut self, p: &Place, most: u64) -> Vec<Node> {
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

    fn inner(&mut self, p: &Place) -> Vec<Node> {
        let mut p = p.clone();
        p.depth += 1;
        self.body(&p, 2)
    }

    fn assignment(&mut self, p: &Place) -> Node {
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

    fn statement(&mut self, p: &mut Place) -> Vec<Node> {
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

    fn special(&mut self, f: Feature, p: &mut Place) -> Option<Vec<Node>> {
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
            _ => None,
        }
    }

    fn locked(&mut self, p: &Place) -> Node {
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

    fn condition_variable(&mut self, p: &Place) -> Vec<Node> {
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

    fn compare_and_swap(&mut self, p: &mut Place) -> Vec<Node> {
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

    fn heap(&mut self, p: &mut Place) -> Vec<Node> {
        let e = self.expression(p, 1);
        match self.below(7) {
            0 | 1 => {
                let q = self.fresh("h");
                p.pointers.push(q.clone());
                let how = self.pick(&["malloc(sizeof(int))", "calloc(1, 8)", "malloc(8)"]);
                let mut nodes = vec![
                    Node::line(format!("int *{q} = {how};")),
                    Node::line(format!("*{q} = {e};")),
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
            4 => match self.pick(
                &p.pointers
                    .clone()
                    .into_iter()
                    .filter(|q| q.starts_with('h'))
                    .chain(["gp".into()])
                    .collect::<Vec<_>>(),
            ) {
                q => vec![Node::line(format!("free({q});"))],
            },
            5 => {
                let v = self.variable(p);
                vec![Node::line(format!("if (gp) {v} = *gp;"))]
            }
            _ => vec![Node::line(format!("if (gp) *gp = {e};"))],
        }
    }

    fn bounded_loop(&mut self, p: &Place) -> Vec<Node> {
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
            |n: &Node| crate::tree::print(std::slice::from_ref(n)).contains(&format!("{k} "));
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

    // Whole programs

    fn globals(&mut self) -> Vec<Node> {
        let mut all = Vec::new();
        let (x, y) = (self.below(3), self.below(2));
        let mut texts: Vec<String> = vec![format!("int x = {x};"), format!("int y = {y};")];
        for f in self.features.clone() {
            let text = match f {
                Array => "int a[2];",
                AtomicType => "_Atomic int at;",
                Barrier => "pthread_barrier_t bar;",
                BitField => "struct { int k : 3; unsigned n : 5; int w : 20; } b;",
                Struct => "struct pair { int f; signed char g; };",
                Copy => "struct pair { int f; signed char g; };",
                Condition => "pthread_cond_t cv; struct timespec ts;",
                Dynamic => "pthread_mutex_t dm;",
                ErrorCheck => "pthread_mutex_t me; pthread_mutexattr_t mea;",
                Heap => "int *gp;",
                Realloc => "int *gr;",
                Timed => "struct timespec when;",
                Wide => "long long wide = 1;",
                HandMade => "int word_lock;",
                MutexArray => "pthread_mutex_t ms[2];",
                PointerCast => "unsigned long word = (unsigned long)&x;",
                PointerTable => "int *table[2] = {&x, &y};",
                StructArray => "struct { int f; short g; } ss[2];",
                Vote => "int wants[2], turn;",
                HeapStruct => "struct node { pthread_mutex_t m; int n; } first, *hs = &first;",
                Key => "pthread_key_t key;",
                LockPointer => "pthread_mutex_t m, m2, *pm;",
                Mutex => "pthread_mutex_t m, m2;",
                Narrow => "unsigned char c; short h; long l; unsigned u; _Bool flag;",
                Once => "pthread_once_t once;",
                Pointer => "int *p = &x;",
                ReadWrite => "pthread_rwlock_t rw;",
                RecursiveMutex => "pthread_mutex_t mr; pthread_mutexattr_t mra;",
                Semaphore => "sem_t se;",
                Spin => "pthread_spinlock_t sl;",
                ThreadLocal => "static __thread int tl = 1;",
                Union => "union { int i; unsigned char c[4]; short h[2]; } v;",
                _ => continue,
            };
            if !texts.iter().any(|t| t == text) {
                texts.push(text.into());
            }
        }
        if self.has(Struct) || self.has(Copy) {
            texts.push("struct pair s = {1, 2}, s2;".into());
        }
        if self.global_handles {
            for t in 0..self.threads {
                texts.push(format!("pthread_t t{t};"));
            }
        }
        all.extend(texts.into_iter().map(Node::line));
        all
    }

    fn place(&self) -> Place {
        Place {
            locals: Vec::new(),
            pointers: Vec::new(),
            depth: 0,
            main: false,
            thread: false,
            block: false,
            looping: false,
            callable: self.functions,
            handles: if self.global_handles { self.threads } else { 0 },
        }
    }

    fn function(&mut self, i: usize) -> Node {
        let mut p = self.place();
        p.callable = i;
        p.locals.push("n".into());
        let mut body = self.body(&p, 1);
        if self.once_in(2) {
            let c = self.condition(&p);
            body.insert(0, Node::line(format!("if ({c}) return n;")));
        }
        let e = self.expression(&p, 1);
        body.push(Node::line(format!("return {e};")));
        Node::around(format!("int f{i}(int n) {{"), body, "}")
    }

    fn thread(&mut self, name: &str, argument: u64, most: u64) -> Node {
        let mut p = self.place();
        p.thread = true;
        let mut body = Vec::new();
        match argument {
            0 => {}
            1 => {
                body.push(Node::line("int n = (int)(long)argument;"));
                p.locals.push("n".into());
            }
            _ => {
                body.push(Node::line("int *pa = argument;"));
                p.pointers.push("pa".into());
            }
        }
        body.extend(self.body(&p, most));
        if self.has(ResultPointer) && name != "worker" {
            let mut places = vec!["&x".to_string(), "&y".into(), "argument".into()];
            places.extend(p.pointers.iter().cloned());
            if self.has(ThreadLocal) {
                places.push("&tl".into());
            }
            let place = self.pick(&places);
            body.push(Node::line(format!("return {place};")));
            return Node::around(format!("void *{name}(void *argument) {{"), body, "}");
        }
        let result = match self.has(Result) {
            true => format!("return (void *)(long)({});", self.expression(&p, 1)),
            false => "return 0;".into(),
        };
        body.push(Node::line(result));
        Node::around(format!("void *{name}(void *argument) {{"), body, "}")
    }

    fn program(&mut self) -> Vec<Node> {
        let mut all: Vec<Node> = DECLARATIONS.iter().map(|d| Node::line(*d)).collect();
        all.extend(self.globals());
        if self.has(StaticLocal) {
            let body = vec![Node::line("static int kept;"), Node::line("return &kept;")];
            all.push(Node::around("int *memo(void) {", body, "}"));
        }
        if self.has(Once) {
            let e = self.constant();
            all.push(Node::around(
                "void initialise(void) {",
                vec![Node::line(format!("x += {e};"))],
                "}",
            ));
        }
        if self.has(Call) {
            for i in 0..2 {
                let f = self.function(i);
                all.push(f);
                self.functions += 1;
            }
        }
        if self.has(ByValue) {
            all.push(Node::line("struct two { int a, b; };"));
            let body = vec![Node::line("t.a += t.b;"), Node::line("return t;")];
            all.push(Node::around("struct two sum(struct two t) {", body, "}"));
        }
        if self.has(FunctionPointer) {
            all.push(Node::line("int (*fp)(int) = f0;"));
        }
        if self.has(Recursion) {
            let p = self.place();
            let mut body = vec![Node::line("if (n <= 0) return 1;")];
            body.push(self.assignment(&p));
            body.push(Node::line("return again(n - 1) + 1;"));
            all.push(Node::around("int again(int n) {", body, "}"));
        }
        if self.has(Nested) || self.has(CreateLoop) {
            let keep = std::mem::take(&mut self.features);
            self.features = keep
                .iter()
                .copied()
                .filter(|f| !matches!(f, Nested | CreateLoop | Loop))
                .collect();
            let worker = self.thread("worker", 1, 1);
            all.push(worker);
            self.features = keep;
        }
        let mut arguments = Vec::new();
        for t in 0..self.threads {
            let argument = self.below(3);
            arguments.push(argument);
            // What is left is shared fairly, and something is kept for main.
            let most = u64::from(self.fuel) / (self.threads - t + 1) as u64 + 1;
            let thread = self.thread(&format!("thread{t}"), argument, most.min(4));
            all.push(thread);
        }
        let main = self.main(&arguments);
        all.push(main);
        all
    }

    fn preparation(&mut self) -> Vec<Node> {
        let mut texts = Vec::new();
        for f in self.features.clone() {
            texts.push(match f {
                Barrier => format!("pthread_barrier_init(&bar, 0, {});", 2),
                ErrorCheck => "pthread_mutexattr_init(&mea); pthread_mutexattr_settype(&mea, 2); pthread_mutex_init(&me, &mea);".into(),
                RecursiveMutex => "pthread_mutexattr_init(&mra); pthread_mutexattr_settype(&mra, 1); pthread_mutex_init(&mr, &mra);".into(),
                Semaphore => format!("sem_init(&se, 0, {});", self.below(2)),
                Spin => "pthread_spin_init(&sl, 0);".into(),
                Key => "pthread_key_create(&key, 0);".into(),
                LockPointer => "pm = &m;".into(),
                _ => continue,
            });
        }
        texts.into_iter().map(Node::line).collect()
    }

    fn main(&mut self, arguments: &[u64]) -> Node {
        let mut p = self.place();
        p.main = true;
        let mut body = self.preparation();
        if self.once_in(3) {
            body.extend(self.few(&mut p, 2));
        }
        body.push(Node::line("int own = 0;"));
        for (t, argument) in arguments.iter().enumerate() {
            if !self.global_handles {
                body.push(Node::line(format!("pthread_t t{t};")));
            }
            let value = match argument {
                0 => "0".to_string(),
                1 => format!("(void *){}L", self.below(3)),
                _ => self.pick(&["&x", "&own", "&y", "&own"]).to_string(),
            };
            let create = format!("pthread_create(&t{t}, 0, thread{t}, {value});");
            match self.once_in(30) {
                true => {
                    let c = self.condition(&p);
                    body.push(Node::line(format!("if ({c}) {create}")));
                }
                false => body.push(Node::line(create)),
            }
            p.handles = p.handles.max(t + 1);
            if self.once_in(4) {
                body.extend(self.few(&mut p, 1));
            }
        }
        p.locals.push("own".into());
        if self.once_in(2) {
            body.extend(self.few(&mut p, 2));
        }
        for t in 0..arguments.len() {
            if self.has(ResultPointer) && self.once_in(2) {
                let v = self.variable(&p);
                body.push(Node::line(format!(
                    "void *r{t} = &x; pthread_join(t{t}, &r{t}); {v} = *(int *)r{t};"
                )));
                continue;
            }
            if self.has(Result) && self.once_in(2) {
                let v = self.variable(&p);
                body.push(Node::line(format!(
                    "void *r{t} = 0; pthread_join(t{t}, &r{t}); {v} = (int)(long)r{t};"
                )));
                continue;
            }
            match self.below(8) {
                0 => {}
                1 if self.has(CondJoin) => {
                    let c = self.condition(&p);
                    body.push(Node::line(format!("if ({c}) pthread_join(t{t}, 0);")));
                }
                _ => body.push(Node::line(format!("pthread_join(t{t}, 0);"))),
            }
        }
        if self.once_in(3) {
            body.extend(self.few(&mut p, 2));
        }
        if !self.once_in(3) {
            let c = self.claim(&p);
            body.push(Node::line(format!("__VERIFIER_assert({c});")));
            let (v, w) = (self.variable(&p), self.variable(&p));
            for _ in 0..5 {
                let (k, m) = (self.below(6) as i64 - 1, self.below(4));
                self.claims.push(format!("!({v} == {k} && {w} == {m})"));
            }
        }
        body.push(Node::line(match self.has(Quit) && self.once_in(2) {
            true => "pthread_exit(0);",
            false => "return 0;",
        }));
        Node::around("int main(void) {", body, "}")
    }

    fn few(&mut self, p: &mut Place, most: u64) -> Vec<Node> {
        let mut all = Vec::new();
        for _ in 0..1 + self.below(most) {
            if self.fuel > 0 {
                all.extend(self.statement(p));
            }
        }
        all
    }
}
