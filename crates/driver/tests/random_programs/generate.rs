//! Random small multithreaded programs, as text, from a seed.
//!
//! A program draws a handful of features; every statement then comes from one of them or from the plain stock (assignments,
//! conditions, assertions). Programs are small enough that all their interleavings can be enumerated, and inputs are Booleans or
//! kept in a range that the enumeration tries in full. Nothing is avoided because it is undefined: that is what is checked.

use super::features::Feature::{self, *};
use super::features::{ALL, CHOSEN};
use super::tree::Node;
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
pub struct Place {
    /// Integer variables in scope.
    pub locals: Vec<String>,
    /// Pointers to integers in scope.
    pub pointers: Vec<String>,
    pub depth: u32,
    pub main: bool,
    /// The body of a thread's own function.
    pub thread: bool,
    /// In an atomic block.
    pub block: bool,
    /// In a loop.
    pub looping: bool,
    /// How many of the functions `f0`, `f1` may be called.
    pub callable: usize,
    /// How many threads have a handle by now (in main or as globals).
    pub handles: usize,
}

/// A program in the making.
pub struct Generator {
    pub random: SplitMix,
    pub features: Vec<Feature>,
    /// Statements left.
    pub fuel: u32,
    pub names: u32,
    pub functions: usize,
    pub global_handles: bool,
    pub spins: bool,
    pub threads: usize,
    pub claims: Vec<String>,
}

/// The program of a seed.
pub fn generate(seed: u64) -> Generated {
    generate_with(seed, &[])
}

/// The program of a seed that is also about these.
pub fn generate_with(seed: u64, asked: &[Feature]) -> Generated {
    let mut random = SplitMix::new(seed ^ 0x7ead_5eed);
    let mut features = Vec::new();
    for _ in 0..3 + random.below(5) {
        let f = ALL[random.below(CHOSEN as u64) as usize];
        if !features.contains(&f) {
            features.push(f);
        }
    }
    let with = std::env::var("RADDLE_FUZZ_WITH").unwrap_or_default();
    let wanted = ALL
        .iter()
        .filter(|f| asked.contains(f) || with.split(',').any(|w| w == format!("{f:?}")));
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
    // Where some are added, all should be: otherwise a sum is rarely one.
    if features.contains(&Sum) {
        features.extend([Sum; 5]);
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
    pub fn has(&self, f: Feature) -> bool {
        self.features.contains(&f)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    pub fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.random.below(all.len() as u64) as usize].clone()
    }

    pub fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

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
                Sum => {
                    "pthread_mutex_t sm; int acc1 = 1, acc2; unsigned char acc3 = 250; _Atomic int acc4;"
                }
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
                ReadWrite | RwOdd => "pthread_rwlock_t rw;",
                Ends => "pthread_cond_t gone_cv; pthread_mutex_t gone_m;",
                List => "struct cell { struct cell *next; int v; } *list;",
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
        if self.has(Handles) {
            let e = self.constant();
            let body = vec![Node::line(format!("x = {e};")), Node::line("return 0;")];
            all.push(Node::around("void *brief(void *argument) {", body, "}"));
        }
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
            let (mut v, mut w) = (self.variable(&p), self.variable(&p));
            if self.has(Sum) {
                v = self.pick(
                    &[
                        "acc1",
                        "acc2",
                        "acc3",
                        "acc4",
                        "(acc1 + acc2)",
                        "(acc1 - acc4)",
                    ]
                    .map(String::from),
                );
                w = self.pick(&[w, "acc1".into(), "acc2".into()]);
            }
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
