//! Locks that are taken in one order, against the enumeration: two or three threads of a few random operations on locks. Where an order is found, there must
//! be no deadlock.
//!
//! The programs do what the argument of `analysis/lock_order.rs` rests on, and what it must not rest on: sections within sections, some in another order, some
//! left open; locks that are tried, recursive, read or written, reached through functions and pointers, destroyed, overwritten, or not free at the start; joins inside sections, of
//! oneself, and of handles that nobody made.
//!
//! `RADDLE_FUZZ_ORDERS=n` runs so many programs, `RADDLE_FUZZ_SEED=s` says with which to begin.

use crate::crowds::Dice;
use crate::random_programs::compile;
use crate::random_programs::truth::enumerate;
use raddle_analysis::{Facts, lock_order};
use raddle_ir::Property;

/// Programs in a normal run.
const FEW: u64 = 300;
/// Steps of the enumeration.
const STEPS: u64 = 40_000;

fn section(dice: &mut Dice, depth: u64) -> String {
    let lock = dice.pick(&["a", "b", "c", "a", "a", "b", "c", "c", "a", "odd"]);
    let inside = match depth {
        0 => String::new(),
        _ => body(dice, depth - 1),
    };
    let leave = dice.below(40) > 0;
    let close = |text: String| if leave { text } else { String::new() };
    match dice.below(9) {
        0 => format!(
            "if (!pthread_mutex_trylock(&{lock})) {{ {inside} {} }}",
            close(format!("pthread_mutex_unlock(&{lock});"))
        ),
        1 => format!(
            "take(&{lock}); {inside} {}",
            close(format!("give(&{lock});"))
        ),
        2 => format!(
            "{{ pthread_mutex_t *p = x ? &{lock} : &b; pthread_mutex_lock(p); {inside} pthread_mutex_unlock(p); }}"
        ),
        3 => format!(
            "pthread_rwlock_{}(&r); {inside} {}",
            dice.pick(&["rdlock", "wrlock"]),
            close("pthread_rwlock_unlock(&r);".into())
        ),
        4 => format!("within_{lock}();"),
        _ => format!(
            "pthread_mutex_lock(&{lock}); {inside} {}",
            close(format!("pthread_mutex_unlock(&{lock});"))
        ),
    }
}

fn body(dice: &mut Dice, depth: u64) -> String {
    let count = 1 + dice.below(2);
    let parts = (0..count).map(|_| match dice.below(8) {
        0 => "x = 1;".to_string(),
        1 if dice.below(6) == 0 => "if (x) return 0;".to_string(),
        2 => format!("if (x) {{ {} }}", section(dice, depth)),
        3 if dice.below(12) == 0 => "pthread_join(t1, 0);".to_string(),
        _ => section(dice, depth),
    });
    parts.collect::<Vec<_>>().join(" ")
}

fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let odd = dice.pick(&[
        "pthread_mutex_t odd;",
        // A recursive one.
        "pthread_mutex_t odd = {{0, 0, 0, 0, 1}};",
        "pthread_mutex_t odd = {{5}};",
    ]);
    let strange = dice.pick(&[
        "",
        "",
        "",
        "",
        "",
        "pthread_mutex_destroy(&odd);",
        "*(int *)&odd = 7;",
        "t2 = pthread_self();",
        "pthread_mutex_init(&odd, 0);",
    ]);
    let handle = dice.pick(&[
        "t1",
        "t1",
        "t1",
        "t1",
        "t1",
        "t2",
        "t2",
        "t2",
        "unset",
        "(pthread_t)1",
    ]);
    let inner = body(&mut dice, 0);
    let (first, second, main) = (
        body(&mut dice, 1),
        body(&mut dice, 1),
        match dice.below(2) {
            0 => body(&mut dice, 1).replace("return 0;", "goto out;"),
            _ => String::new(),
        },
    );
    let open = dice.pick(&["", "", "", "", "", "", "", "pthread_mutex_lock(&a);"]);
    format!(
        "pthread_mutex_t a, b, c; {odd} pthread_rwlock_t r; pthread_t t1, t2; int x;
         void take(pthread_mutex_t *m) {{ pthread_mutex_lock(m); }}
         void give(pthread_mutex_t *m) {{ pthread_mutex_unlock(m); }}
         void *inner(void) {{ {inner} return 0; }}
         void within_a(void) {{ pthread_mutex_lock(&a); x = 0; pthread_mutex_unlock(&a); }}
         void within_b(void) {{ pthread_mutex_lock(&b); inner(); pthread_mutex_unlock(&b); }}
         void within_c(void) {{ pthread_mutex_lock(&c); within_a(); pthread_mutex_unlock(&c); }}
         void within_odd(void) {{ pthread_mutex_lock(&odd); pthread_mutex_unlock(&odd); }}
         void *first(void *g) {{ {first} return 0; }}
         void *second(void *g) {{ {second} return 0; }}
         int main(void) {{
             pthread_t unset; {strange}
             pthread_create(&t1, 0, first, 0); pthread_create(&t2, 0, second, 0);
             {main} out: {open}
             pthread_join({handle}, 0);
             return 0;
         }}"
    )
}

#[test]
fn where_locks_have_an_order_there_is_no_deadlock() {
    let number = |name: &str| -> Option<u64> { std::env::var(name).ok()?.parse().ok() };
    let first = number("RADDLE_FUZZ_SEED").unwrap_or(1);
    let count = number("RADDLE_FUZZ_ORDERS").unwrap_or(FEW);
    let work = move || {
        let (mut ordered, mut stuck, mut wrong) = (0, 0, Vec::new());
        for seed in first..first + count {
            let text = program(seed);
            let program = compile(&text).expect("a program");
            let has_order = lock_order(&Facts::new(&program)).is_some();
            let truth = enumerate(&program, &[Property::NoDeadlock], STEPS, true);
            let deadlock = !truth.violations.is_empty();
            ordered += u64::from(has_order);
            stuck += u64::from(deadlock);
            if has_order && deadlock {
                wrong.push(format!("{seed}:\n{text}"));
            }
        }
        eprintln!("{count} programs: {ordered} with an order, {stuck} with a deadlock");
        (ordered, stuck, wrong)
    };
    let big = std::thread::Builder::new().stack_size(512 << 20);
    let (ordered, stuck, wrong): (u64, u64, Vec<String>) =
        big.spawn(work).expect("a thread").join().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        ordered * 40 >= count && stuck * 20 >= count,
        "the programs are all alike"
    );
}
