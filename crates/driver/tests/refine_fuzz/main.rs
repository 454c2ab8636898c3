//! The refinement engine against the enumeration of all interleavings, on random small programs.
//!
//! The programs are those of `staged_fuzz` (its generator is used as it is). Each is asked in several ways: as it is meant, without
//! partial-order reduction, and with predicates alone, no values listed. None may disagree with the enumeration, and every
//! violation has to be replayed; `unknown` is counted.
//!
//! - `RADDLE_FUZZ_REFINE=n` runs so many programs, `RADDLE_FUZZ_SEED=s` begins with that seed.
//! - `RADDLE_FUZZ_OUT=dir` is where reduced programs are written.
//! - `RADDLE_FUZZ_SHOW=s` prints the program of a seed and what is found in it.

mod compare;
#[path = "../random_programs/mod.rs"]
#[allow(dead_code)]
mod random_programs;

use compare::{Tally, compare};
use random_programs::generate::{HEADER, generate};
use random_programs::{compile, tree};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How many programs a normal run of the tests takes, and for how long at most.
const FEW: u64 = 150;
const SHORT: Duration = Duration::from_secs(25);
/// For how long one program is reduced.
const REDUCING: Duration = Duration::from_secs(20);

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn run() -> (Tally, Vec<(u64, String)>) {
    let asked_for = number("RADDLE_FUZZ_REFINE");
    let first = number("RADDLE_FUZZ_SEED").unwrap_or(1);
    let started = Instant::now();
    let mut tally = Tally::default();
    let mut defects = Vec::new();
    for seed in first..first + asked_for.unwrap_or(FEW) {
        if asked_for.is_none() && started.elapsed() > SHORT {
            break;
        }
        let nodes = generate(seed).nodes;
        let program = match compile(&tree::print(&nodes)) {
            Ok(program) => program,
            Err(why) => {
                defects.push((seed, format!("does not compile: {why}")));
                continue;
            }
        };
        tally.programs += 1;
        if let Some(defect) = compare(&program, &mut tally) {
            report(seed, &nodes, &defect, defects.len() < 6);
            defects.push((seed, defect));
        }
    }
    (tally, defects)
}

/// The first words of a defect, which stay the same while its program shrinks.
fn kind(defect: &str) -> &str {
    defect.split(':').next().unwrap_or(defect)
}

/// Reduces the program, prints it and writes it down.
fn report(seed: u64, nodes: &[tree::Node], defect: &str, reduce: bool) {
    let started = Instant::now();
    let mut best = nodes.to_vec();
    let mut known = defect.to_string();
    'smaller: loop {
        if !reduce {
            break;
        }
        for candidate in tree::simpler(&best) {
            if started.elapsed() > REDUCING {
                break 'smaller;
            }
            let Ok(program) = compile(&tree::print(&candidate)) else {
                continue;
            };
            let still = compare(&program, &mut Tally::default());
            if let Some(still) = still.filter(|d| kind(d) == kind(defect)) {
                best = candidate;
                known = still;
                continue 'smaller;
            }
        }
        break;
    }
    let text = format!("// seed {seed}: {known}\n{HEADER}{}", tree::print(&best));
    eprintln!("{text}");
    let dir = match std::env::var("RADDLE_FUZZ_OUT") {
        Ok(dir) => PathBuf::from(dir),
        Err(_) => PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("refine-fuzz"),
    };
    let file = dir.join(format!("{seed}.c"));
    let written = std::fs::create_dir_all(&dir).and_then(|()| std::fs::write(&file, &text));
    if written.is_ok() {
        eprintln!("written to {}", file.display());
    }
}

#[test]
fn the_refinement_engine_agrees_with_the_enumeration() {
    if let Some(seed) = number("RADDLE_FUZZ_SHOW") {
        let nodes = generate(seed).nodes;
        eprintln!("{HEADER}{}", tree::print(&nodes));
        let program = compile(&tree::print(&nodes)).expect("a program");
        let mut tally = Tally::default();
        eprintln!("{:?}", compare(&program, &mut tally));
        eprintln!("{tally:#?}");
        return;
    }
    let big = std::thread::Builder::new().stack_size(512 << 20);
    let (tally, defects) = big.spawn(run).expect("a thread").join().expect("no panic");
    eprintln!("{tally:#?}");
    assert!(defects.is_empty(), "{defects:#?}");
}
