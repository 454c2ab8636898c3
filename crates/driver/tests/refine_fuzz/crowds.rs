//! Proofs for any number of threads against the enumeration for two and for three: one thread function of a few random statements, run by
//! threads that are made in a loop. Whatever goes wrong with three of them must not be proved to be right for any number.
//!
//! Statements are chosen so that many programs are safe for a reason: locks of several kinds, tickets, counters that only grow. Handles lie
//! in a variable or in an array too large to be divided into cells; the first thread joins the last one, all, or none.
//!
//! `RADDLE_FUZZ_CROWDS=n` runs so many programs, `RADDLE_FUZZ_SEED=s` says with which to begin.

use crate::random_programs::compile;
use crate::random_programs::truth::enumerate;
use raddle_engine_refine::RefineEngine;
use raddle_ir::Property;
use raddle_verdict::{Budget, Engine, Request, Verdict};
use raddle_witness::Replayer;
use std::time::Duration;

/// Programs in a normal run.
const FEW: u64 = 60;
/// Steps of the enumeration.
const STEPS: u64 = 60_000;

/// What is asked of each.
const ASKED: [Property; 2] = [Property::UnreachCall, Property::NoDataRace];

/// Numbers by a seed.
pub struct Dice(u64);

impl Dice {
    /// From a seed.
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        dice.below(2);
        dice
    }

    /// A number below another.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    /// One of these.
    pub fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    fn condition(&mut self) -> String {
        let a = self.pick(&["x", "y", "l", "k", "l"]);
        let b = self.pick(&["0", "1", "2", "3", "x", "l", "y"]);
        let relation = self.pick(&["==", "!=", "<=", ">=", "<"]);
        format!("{a} {relation} {b}")
    }

    fn statement(&mut self) -> String {
        let plain = [
            "x = x + 1;",
            "x = x - 1;",
            "l = x;",
            "x = l + 1;",
            "x = l;",
            "x = 1;",
            "x = 0;",
            "y = x;",
            "y = l;",
            "k = y;",
            "l = __sync_fetch_and_add(&x, 1);",
            "__sync_fetch_and_add(&y, 1);",
            "k = __sync_bool_compare_and_swap(&x, l, l + 1);",
            "if (x == 0) x = 1;",
            "l = argument;",
            "work = l ? up : down; work();",
            "own = own + 1; k = own;",
        ];
        match self.below(6) {
            0 => format!("reached({});", self.condition()),
            1 => format!("__VERIFIER_assume({});", self.condition()),
            2 => format!("if ({}) {}", self.condition(), self.pick(&plain)),
            _ => self.pick(&plain).to_string(),
        }
    }

    fn section(&mut self) -> String {
        let (open, close) = match self.below(6) {
            0 => ("pthread_mutex_lock(&lock);", "pthread_mutex_unlock(&lock);"),
            1 => (
                "__VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = 1; __VERIFIER_atomic_end();",
                "m = 0;",
            ),
            2 => (
                "while (__sync_lock_test_and_set(&m, 1)) __VERIFIER_assume(0);",
                "__sync_lock_release(&m);",
            ),
            3 => (
                "k = __sync_fetch_and_add(&m, 1); __VERIFIER_assume(served == k);",
                "served = served + 1;",
            ),
            // Not a lock at all.
            4 => ("__VERIFIER_assume(m == 0); m = 1;", "m = 0;"),
            _ => ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
        };
        let count = 1 + self.below(3);
        let inside: Vec<String> = (0..count).map(|_| self.statement()).collect();
        format!("{open} {} {close}", inside.join(" "))
    }

    /// A program in which so many threads are made.
    fn program(seed: u64, threads: u64) -> String {
        let mut dice = Dice::new(seed);
        let mut body = Vec::new();
        for _ in 0..1 + dice.below(3) {
            body.push(match dice.below(3) {
                0 => dice.statement(),
                _ => dice.section(),
            });
        }
        let last = dice.condition();
        let argument = dice.pick(&["0", "(void *)i", "(void *)1L"]);
        let handle = dice.pick(&["t", "all[i]", "all[i]"]);
        let meanwhile = match dice.below(2) {
            0 => dice.section(),
            _ => String::new(),
        };
        let every = format!("for (long i = 0; i < {threads}; i++) pthread_join(all[i], 0);");
        let join = match handle {
            "t" => dice.pick(&["", "", "pthread_join(t, 0);"]),
            _ => dice.pick(&["", &every, &every]),
        };
        let afterwards = dice.condition();
        format!(
            "void __VERIFIER_assume(int); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
             void reach_error(void);
             void reached(int holds) {{ if (!holds) reach_error(); }}
             int x, y, m, served; pthread_mutex_t lock; __thread int own;
             void up(void) {{ x = x + 1; }}
             void down(void) {{ y = x; }}
             void *thread(void *given) {{
                 int argument = (int)(long)given; int l = 0, k = 0; void (*work)(void);
                 {}
                 reached({last});
                 return 0;
             }}
             int main(void) {{
                 pthread_t t, all[200]; int argument = 0, l = 0, k = 0; void (*work)(void);
                 for (long i = 0; i < {threads}; i++) pthread_create(&{handle}, 0, thread, {argument});
                 {meanwhile}
                 {join}
                 reached({afterwards});
                 return 0;
             }}",
            body.join("\n                 ")
        )
    }
}

fn proved(program: &raddle_ir::Program, property: Property) -> Result<bool, String> {
    let request = Request {
        properties: vec![property],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(2)),
    };
    let engine = RefineEngine {
        crowds: true,
        ..RefineEngine::default()
    };
    let mut judge = Replayer::new(program, &request.properties);
    match engine.check(program, &request, &mut judge, &mut |_| {}) {
        Verdict::True(_) => Ok(true),
        Verdict::Unknown(raddle_verdict::Unknown::Internal(why)) => Err(why),
        _ => Ok(false),
    }
}

fn violated(program: &raddle_ir::Program, property: Property) -> bool {
    let truth = enumerate(program, &[property], STEPS, true);
    !truth.violations.is_empty()
}

#[test]
fn what_is_proved_for_any_number_holds_for_two_and_three() {
    let number = |name: &str| -> Option<u64> { std::env::var(name).ok()?.parse().ok() };
    let first = number("RADDLE_FUZZ_SEED").unwrap_or(1);
    let count = number("RADDLE_FUZZ_CROWDS").unwrap_or(FEW);
    let work = move || {
        let (mut right, mut wrong) = ([0; 2], Vec::new());
        for seed in first..first + count {
            let text = Dice::program(seed, 3);
            let program = compile(&text).expect("a program");
            let two = compile(&Dice::program(seed, 2)).expect("a program");
            for (i, property) in ASKED.into_iter().enumerate() {
                match proved(&program, property) {
                    Err(why) => wrong.push(format!("{seed}, {property}: {why}\n{text}")),
                    Ok(false) => {}
                    Ok(true) => {
                        right[i] += 1;
                        if violated(&two, property) || violated(&program, property) {
                            wrong.push(format!("{seed}, {property}: goes wrong\n{text}"));
                        }
                    }
                }
            }
        }
        eprintln!("{count} programs, proved for any number of threads: {right:?} of {ASKED:?}");
        (right[0], wrong)
    };
    let big = std::thread::Builder::new().stack_size(512 << 20);
    let (right, wrong): (u64, Vec<String>) =
        big.spawn(work).expect("a thread").join().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right * 20 >= count, "only {right} of {count} are proved");
}
