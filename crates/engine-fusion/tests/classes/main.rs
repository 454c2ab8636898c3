//! The optimal exploration runs exactly one execution for every class, and none in vain.
//!
//! The programs lie in `programs/`; their first line says how many classes they have (`// classes: 4`), a comment how that was
//! counted. `RADDLE_CLASSES=word` runs only the programs whose name contains the word, and prints what was counted.

mod count;

use count::{explore, explore_readings, violated_by_reading};
use raddle_engine_fusion::Strategy;
use raddle_engine_fusion::search::{Counts, Hit, Options, Watcher, search};
use raddle_engine_fusion::trace::Trace;
use raddle_engine_fusion::walk::{Walks, walk};
use raddle_interp::{Checks, Config};
use raddle_ir::{Program, Property};
use std::path::{Path, PathBuf};

/// How many interleavings are enumerated at most.
const MOST: u64 = 400_000;
/// The same where their readings are compared.
const FEWER: u64 = 60_000;

/// Counts what ends.
struct Ends(u64);

impl Watcher for Ends {
    fn hit(&mut self, _: Hit) -> bool {
        true
    }

    fn ended(&mut self, _: &Trace, _: &Counts) -> bool {
        self.0 += 1;
        true
    }
}

fn named(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/classes/programs");
    dir.join(name).with_extension("c")
}

fn all_interleavings() -> Options {
    Options {
        strategy: Strategy::All,
        config: Config {
            checks: Checks::none(),
            ..Config::default()
        },
        races: false,
        ends_matter: false,
        depth: 500,
        whole_states: false,
        preemptions: None,
        switches: None,
        inputs: None,
        root: None,
    }
}

#[test]
fn walks_guess_the_number_of_interleavings() {
    for (name, drops) in [
        ("increment", None),
        ("cas_weak", None),
        ("mutex_twice", Some(2)),
    ] {
        let program = compile(&named(name));
        let mut ends = Ends(0);
        let options = all_interleavings();
        let (all, _, _) = search(&program, &options, &mut ends);
        let walks = Walks {
            count: 20_000,
            seed: 7,
            drops,
            delayed: 0,
        };
        let (counts, _, guess, _) = walk(&program, &options, &walks, &mut ends);
        assert_eq!(counts.executions, 20_000);
        let ratio = guess / all.executions as f64;
        assert!((0.9..1.1).contains(&ratio), "{name}: {ratio}");
    }
}

/// Two threads that build on each other's last value: the largest one needs a switch after every change, and one schedule in many millions has them.
#[test]
fn walks_in_turns_find_what_needs_a_switch_after_every_change() {
    struct Hits(u32);
    impl Watcher for Hits {
        fn hit(&mut self, _: Hit) -> bool {
            self.0 += 1;
            false
        }

        fn ended(&mut self, _: &Trace, _: &Counts) -> bool {
            true
        }
    }
    let text = "typedef unsigned long pthread_t; void __VERIFIER_error(void);
        int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        int pthread_join(pthread_t, void **);
        int up, down;
        void *a(void *x) { for (int n = 0; n < 14; n++) up = down + 1; return 0; }
        void *b(void *x) { for (int n = 0; n < 14; n++) down = up + 1; return 0; }
        int main(void) { pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0);
            pthread_join(s, 0); pthread_join(t, 0); if (up + down == 55) __VERIFIER_error(); return 0; }";
    let options = raddle_c::Options::default();
    let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
    let options = Options {
        config: Config {
            checks: [Property::UnreachCall].into_iter().collect(),
            ..Config::default()
        },
        ..all_interleavings()
    };
    for (delayed, found) in [(0, 0), (8, 1)] {
        let walks = Walks {
            count: 60,
            seed: 1,
            drops: Some(2),
            delayed,
        };
        let mut hits = Hits(0);
        walk(&program, &options, &walks, &mut hits);
        assert_eq!(hits.0, found, "with {delayed} delayed");
    }
}

#[test]
fn few_preemptions_allow_fewer_executions() {
    let program = compile(&named("increment_twice"));
    let mut last = 0;
    for preemptions in 0..4 {
        let options = Options {
            preemptions: Some(preemptions),
            switches: None,
            inputs: None,
            ..all_interleavings()
        };
        let (counts, _, _) = search(&program, &options, &mut Ends(0));
        assert!(counts.executions > last && counts.cut > 0, "{counts:?}");
        last = counts.executions;
    }
    let (all, _, _) = search(&program, &all_interleavings(), &mut Ends(0));
    assert!(all.executions > last);
}

fn programs() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/classes/programs");
    let entries = std::fs::read_dir(dir).expect("a directory of programs");
    let mut all: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    all.sort();
    all
}

fn compile(path: &Path) -> Program {
    let options = raddle_c::Options::default();
    raddle_c::compile(&[path], &options).unwrap_or_else(|why| panic!("{}", why.render()))
}

/// What the header says: the number of classes, and under which checks.
fn header(path: &Path) -> (u64, Checks) {
    let text = std::fs::read_to_string(path).expect("a readable program");
    let first = text.lines().next().unwrap_or_default();
    let mut words = first.trim_start_matches("// classes: ").split_whitespace();
    let number = words.next().and_then(|w| w.parse().ok());
    let checks = words.flat_map(Property::from_name).collect();
    (number.unwrap_or(u64::MAX), checks)
}

/// Reads-from classes of threads that add to a shared variable, as they were given with the issue.
#[test]
fn counters_have_the_known_number_of_reads_from_classes() {
    for (threads, times, classes) in [
        (2, 1, 3),
        (2, 2, 19),
        (2, 3, 141),
        (2, 4, 1107),
        (3, 1, 16),
        (3, 2, 1318),
    ] {
        let text = format!(
            "typedef unsigned long pthread_t;
            int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
            int pthread_join(pthread_t, void **);
            int x;
            void *f(void *a) {{ for (int i = 0; i < {times}; i++) x = x + 1; return 0; }}
            int main(void) {{ pthread_t id[{threads}];
                for (int i = 0; i < {threads}; i++) pthread_create(&id[i], 0, f, 0);
                for (int i = 0; i < {threads}; i++) pthread_join(id[i], 0); return 0; }}"
        );
        let options = raddle_c::Options::default();
        let program = raddle_c::compile_text("t.i", &text, &options).expect("valid C");
        let (ours, _) = explore_readings(&program, 2000).expect("a program without regions");
        assert!(ours.complete);
        assert_eq!(ours.counts.executions, classes, "{threads} times {times}");
        assert_eq!(ours.counts.redundant, 0);
        assert_eq!(ours.readings.len() as u64, classes);
    }
}

/// One execution for every reads-from class that shows in all interleavings.
#[test]
fn reads_from_exploration_is_exact() {
    let word = std::env::var("RADDLE_CLASSES").unwrap_or_default();
    let mut problems = Vec::new();
    let mut count = 0;
    for path in programs() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if !name.contains(&word) {
            continue;
        }
        let Some((ours, all)) = explore_readings(&compile(&path), FEWER) else {
            continue;
        };
        let told = format!(
            "{name}: {} interleavings{} in {} reads-from classes; {} executions in {}, {} given up, {} blocked",
            all.counts.executions,
            if all.complete { "" } else { " (not all)" },
            all.readings.len(),
            ours.counts.executions,
            ours.readings.len(),
            ours.counts.redundant,
            ours.counts.blocked
        );
        if std::env::var("RADDLE_CLASSES").is_ok() {
            eprintln!("{told}");
        }
        for property in [Property::NoDeadlock, Property::NoDataRace] {
            let checks: Checks = [property].into_iter().collect();
            let program = compile(&path);
            let truth = explore(&program, Strategy::All, checks, FEWER / 10);
            let found = violated_by_reading(&program, checks, FEWER);
            if truth.complete && found.is_some_and(|f| f == truth.hits.is_empty()) {
                problems.push(format!("{name}: {property}: {found:?}"));
            }
        }
        let known = |r| ours.readings.contains_key(r);
        let right = ours.complete
            && ours.readings.values().all(|n| *n == 1)
            && all.readings.keys().all(known)
            && (!all.complete || all.readings.len() == ours.readings.len());
        count += 1;
        if !right {
            problems.push(told);
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(count >= 30 || !word.is_empty(), "only {count} programs");
}

#[test]
fn optimal_exploration_is_exact() {
    let word = std::env::var("RADDLE_CLASSES").unwrap_or_default();
    let mut problems = Vec::new();
    let mut count = 0;
    for path in programs() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if !name.contains(&word) {
            continue;
        }
        count += 1;
        let program = compile(&path);
        let (classes, checks) = header(&path);
        let all = explore(&program, Strategy::All, checks, MOST);
        let classic = explore(&program, Strategy::Classic, checks, MOST);
        let optimal = explore(&program, Strategy::Optimal, checks, MOST);
        let told = format!(
            "{name}: header {classes}; {} interleavings{} in {} classes; classic {} in {} classes, {} given up; optimal {} in {} classes, {} given up, {} blocked",
            all.counts.executions,
            if all.complete { "" } else { " (not all)" },
            all.classes.len(),
            classic.counts.executions,
            classic.classes.len(),
            classic.counts.redundant,
            optimal.counts.executions,
            optimal.classes.len(),
            optimal.counts.redundant,
            optimal.counts.blocked
        );
        if !word.is_empty() || std::env::var("RADDLE_CLASSES").is_ok() {
            eprintln!("{told}");
        }
        let exact = Strategy::Optimal.fit_for(&program) == Strategy::Optimal;
        let right = optimal.counts.executions == classes
            && (optimal.counts.redundant == 0 || !exact)
            && optimal.classes.len() as u64 == classes
            && classic.classes.len() as u64 == classes
            && (!all.complete || all.classes.len() as u64 == classes);
        if !right {
            problems.push(told);
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(count >= 40 || !word.is_empty(), "only {count} programs");
}

/// Threads that each increment a shared variable without a lock; the numbers are known from elsewhere.
#[test]
fn increments_have_the_known_numbers_of_classes() {
    let known: [(u32, u32, u64); 6] = [
        (2, 1, 4),
        (2, 2, 34),
        (2, 3, 328),
        (2, 4, 3334),
        (3, 1, 36),
        (3, 2, 7134),
    ];
    for (threads, times, classes) in known {
        let mut text = format!(
            "#include <pthread.h>\nint x;\nstatic void *t(void *a) {{ for (int i = 0; i < {times}; i++) x = x + 1; return a; }}\n"
        );
        text += &format!("int main(void) {{ pthread_t id[{threads}];\n");
        text += &format!("for (int i = 0; i < {threads}; i++) pthread_create(&id[i], 0, t, 0);\n");
        text += &format!("for (int i = 0; i < {threads}; i++) pthread_join(id[i], 0); }}\n");
        let name = format!("raddle-classes-{}-{threads}-{times}.c", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).expect("a temporary file");
        let program = compile(&path);
        let _ = std::fs::remove_file(&path);
        let seen = explore(&program, Strategy::Optimal, Checks::none(), MOST);
        assert_eq!(
            seen.counts.executions, classes,
            "{threads} threads, {times} times"
        );
        assert_eq!(seen.counts.redundant, 0);
        assert_eq!(seen.classes.len() as u64, classes);
    }
}
