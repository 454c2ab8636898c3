//! A campaign: random programs one after the other, each compared with an oracle; what disagrees is reduced and written down.
//!
//! - The campaign's own variable (`RADDLE_FUZZ_…=n`) says how many programs, `RADDLE_FUZZ_SEED=s` with which seed to begin.
//! - `RADDLE_FUZZ_OUT=dir` is where reduced programs are written.
//! - `RADDLE_FUZZ_SHOW=s` prints the program of a seed and what is found in it.

use super::generate::{HEADER, generate};
use super::{compile, tree};
use raddle_ir::Program;
use std::fmt::Debug;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// For how long one program is reduced.
const REDUCING: Duration = Duration::from_secs(20);
/// A program that takes longer than this is named.
const LONG: Duration = Duration::from_secs(30);

/// What is compared, and how much of it in a normal run of the tests.
pub struct Campaign<T> {
    /// What it is called in the name of its variable and of its directory.
    pub name: &'static str,
    /// How many programs.
    pub few: u64,
    /// For how long at most.
    pub short: Duration,
    /// What is wrong with a program, if something is; what was done is counted.
    pub compare: fn(&Program, &mut T) -> Option<String>,
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The first words of a defect, which stay the same while its program shrinks.
fn kind(defect: &str) -> &str {
    defect.split(':').next().unwrap_or(defect)
}

impl<T: Default + Debug + Send + 'static> Campaign<T> {
    /// Runs it; panics if there is a defect.
    pub fn run(self) {
        let big = std::thread::Builder::new().stack_size(512 << 20);
        let worker = big.spawn(move || match number("RADDLE_FUZZ_SHOW") {
            Some(seed) => {
                self.show(seed);
                Vec::new()
            }
            None => self.all(),
        });
        let defects = worker.expect("a thread").join().expect("no panic");
        assert!(defects.is_empty(), "{defects:#?}");
    }

    fn show(&self, seed: u64) {
        let nodes = generate(seed).nodes;
        eprintln!("{HEADER}{}", tree::print(&nodes));
        let program = compile(&tree::print(&nodes)).expect("a program");
        let mut tally = T::default();
        eprintln!("{:?}", (self.compare)(&program, &mut tally));
        eprintln!("{tally:#?}");
    }

    fn all(&self) -> Vec<(u64, String)> {
        let variable = format!("RADDLE_FUZZ_{}", self.name.to_uppercase());
        let asked_for = number(&variable);
        let first = number("RADDLE_FUZZ_SEED").unwrap_or(1);
        let started = Instant::now();
        let mut tally = T::default();
        let mut count = 0;
        let mut defects = Vec::new();
        for seed in first..first + asked_for.unwrap_or(self.few) {
            if asked_for.is_none() && started.elapsed() > self.short {
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
            count += 1;
            let begun = Instant::now();
            let found = (self.compare)(&program, &mut tally);
            if begun.elapsed() > LONG {
                eprintln!("seed {seed} took {} s", begun.elapsed().as_secs());
            }
            if let Some(defect) = found {
                self.report(seed, &nodes, &defect, defects.len() < 6);
                defects.push((seed, defect));
            }
            if asked_for.is_some() && count % 500 == 0 {
                eprintln!("{count} programs, {} defects", defects.len());
            }
        }
        eprintln!("{count} programs: {tally:#?}");
        defects
    }

    /// Reduces the program, prints it and writes it down.
    fn report(&self, seed: u64, nodes: &[tree::Node], defect: &str, reduce: bool) {
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
                let still = (self.compare)(&program, &mut T::default());
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
            Err(_) => PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(self.name),
        };
        let file = dir.join(format!("{seed}.c"));
        let written = std::fs::create_dir_all(&dir).and_then(|()| std::fs::write(&file, &text));
        if written.is_ok() {
            eprintln!("written to {}", file.display());
        }
    }
}
