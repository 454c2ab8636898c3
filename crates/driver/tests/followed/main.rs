//! Every run of the interpreter is a run of the skeleton: random schedules of all programs of the suite and of random programs, followed
//! step by step.
//!
//! What cannot be followed is behaviour that the unwinding has lost, so that the engines built on it could call a program safe that is
//! not. Unlike enumeration this needs no end of the search, so it also tries what is too large for that.
//!
//! - `RADDLE_FOLLOW=n` takes n schedules for each program of the suite, `RADDLE_SUITE=word` only programs whose path contains the word.
//! - `RADDLE_FUZZ_FOLLOW=n` follows n random programs (those of `staged_fuzz`), `RADDLE_FUZZ_SEED=s` begins with that seed.

#[path = "../suite/mod.rs"]
#[allow(dead_code)]
mod suite;

#[path = "../random_programs/mod.rs"]
#[allow(dead_code)]
mod random_programs;
mod run;

use raddle_ir::Property;
use random_programs::generate::generate;
use random_programs::{compile, tree};
use run::{follow, skeleton};
use std::path::Path;
use std::time::{Duration, Instant};
use suite::{programs, read_case};

const FEW: u64 = 60;
const SHORT: Duration = Duration::from_secs(15);

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Unwinding recurses with the program.
fn on_a_large_stack(work: fn()) {
    let builder = std::thread::Builder::new().stack_size(256 << 20);
    let worker = builder.spawn(work).expect("a thread");
    worker.join().expect("no panic");
}

#[test]
fn no_run_of_the_suite_is_lost() {
    on_a_large_stack(suite_runs);
}

#[test]
fn no_run_of_a_random_program_is_lost() {
    on_a_large_stack(random_runs);
}

fn random_runs() {
    let asked_for = number("RADDLE_FUZZ_FOLLOW");
    let first = number("RADDLE_FUZZ_SEED").unwrap_or(1);
    let started = Instant::now();
    let (mut whole, mut part) = (0, 0);
    let mut lost = Vec::new();
    for seed in first..first + asked_for.unwrap_or(FEW) {
        if asked_for.is_none() && started.elapsed() > SHORT {
            break;
        }
        let text = tree::print(&generate(seed).nodes);
        let Ok(program) = compile(&text) else {
            continue;
        };
        let all = [
            Property::UnreachCall,
            Property::ValidDeref,
            Property::NoOverflow,
        ];
        let property = all[(seed % 3) as usize];
        let Some(mut skeleton) = skeleton(&program, property, 1 + (seed % 4) as u32) else {
            continue;
        };
        for schedule in 0..8 {
            match follow(&program, &mut skeleton, property, seed * 100 + schedule) {
                Ok(true) => whole += 1,
                Ok(false) => part += 1,
                Err(why) => {
                    lost.push(format!(
                        "seed {seed} {property}, schedule {schedule}: {why}"
                    ));
                    break;
                }
            }
        }
    }
    eprintln!("{whole} runs followed to their end, {part} to where the unwinding ends");
    assert!(lost.is_empty(), "{} lost:\n{}", lost.len(), lost.join("\n"));
}

fn suite_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    programs(&root.join("tests/semantics"), &mut paths);
    programs(&root.join("examples"), &mut paths);
    paths.sort();
    if let Ok(word) = std::env::var("RADDLE_SUITE") {
        paths.retain(|p| p.display().to_string().contains(&word));
    }
    let runs = number("RADDLE_FOLLOW").unwrap_or(2);
    let (mut whole, mut part) = (0, 0);
    let mut lost = Vec::new();
    for path in &paths {
        let Ok(program) = read_case(path).compile() else {
            continue;
        };
        for property in [Property::UnreachCall, Property::ValidDeref] {
            let Some(mut skeleton) = skeleton(&program, property, 3) else {
                continue;
            };
            for seed in 0..runs {
                match follow(&program, &mut skeleton, property, seed) {
                    Ok(true) => whole += 1,
                    Ok(false) => part += 1,
                    Err(why) => {
                        let name = path.file_name().unwrap_or_default().to_string_lossy();
                        lost.push(format!("{name} {property}, seed {seed}: {why}"));
                        break;
                    }
                }
            }
        }
    }
    eprintln!("{whole} runs followed to their end, {part} to where the unwinding ends");
    assert!(lost.is_empty(), "{} lost:\n{}", lost.len(), lost.join("\n"));
}
