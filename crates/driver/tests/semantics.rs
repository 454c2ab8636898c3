//! Runs every program of `tests/semantics` and `examples` on the interpreter, twice: exhaustively over all
//! interleavings, with races by their definition, and under random schedules, with races by happens-before. Both must
//! agree with what the program's header expects, and find violations only on the lines that are marked.
//!
//! `RADDLE_SUITE=word` runs only the programs whose path contains the word.

use raddle_interp::constants::interesting;
use raddle_interp::explore::{Limits, explore};
use raddle_interp::schedulers::{Pct, Random, Runner, Scheduler, Stop};
use raddle_interp::{Config, End};
use raddle_ir::{Program, Property};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Expectations that a property holds, and for how many of them the enumeration was not the whole truth: it ran
/// into a limit (programs that spin), or drew inputs from a list.
static HELD: AtomicUsize = AtomicUsize::new(0);
static CUT: AtomicUsize = AtomicUsize::new(0);
static SAMPLED: AtomicUsize = AtomicUsize::new(0);

#[allow(dead_code)]
mod suite;
use suite::{Case, Expectation, programs, read_case};

fn config(properties: &[Property], deadlock: bool) -> Config {
    Config {
        checks: properties.iter().copied().collect(),
        spurious_wakeups: !deadlock,
        output: false,
        quantum: 100,
        ..Config::default()
    }
}

/// What is asked of every program.
trait OnInterpreter {
    fn check(&self) -> Vec<String>;
    fn check_exhaustively(&self, program: &Program, e: &Expectation, config: Config)
    -> Vec<String>;
    fn check_randomly(&self, program: &Program, e: &Expectation, config: Config) -> Vec<String>;
}

impl OnInterpreter for Case {
    fn check(&self) -> Vec<String> {
        let program = match self.compile() {
            Ok(program) => program,
            Err(message) => return vec![message],
        };
        let mut problems = Vec::new();
        for e in &self.expectations {
            let properties = Property::from_name(&e.property);
            if properties.is_empty() {
                problems.push(format!("unknown property {}", e.property));
                continue;
            }
            let config = config(&properties, e.property == "no-deadlock");
            problems.extend(self.check_exhaustively(&program, e, config.clone()));
            problems.extend(self.check_randomly(&program, e, config));
        }
        problems
    }

    fn check_exhaustively(
        &self,
        program: &Program,
        e: &Expectation,
        config: Config,
    ) -> Vec<String> {
        let limits = Limits {
            depth: 300,
            steps: 100_000,
            first_only: false,
            remember: true,
        };
        let found = explore(program, config, limits);
        if e.holds {
            HELD.fetch_add(1, Ordering::Relaxed);
            CUT.fetch_add(usize::from(found.cut), Ordering::Relaxed);
            SAMPLED.fetch_add(usize::from(found.sampled), Ordering::Relaxed);
        }
        let mut problems = Vec::new();
        for (p, at) in &found.violations {
            problems.extend(self.misplaced(program, *p, *at));
            if e.kind.as_ref().is_some_and(|k| k != p.name()) {
                problems.push(format!("expected {:?}, found {p}", e.kind));
            }
        }
        match (e.holds, found.violations.is_empty()) {
            (true, false) => problems.push(format!(
                "{} is violated: {:?}",
                e.property, found.violations
            )),
            (false, true) => problems.push(format!(
                "{} is not violated in {} executions, {} steps{}",
                e.property,
                found.executions,
                found.steps,
                if found.cut { " (cut)" } else { "" }
            )),
            _ => {}
        }
        problems
    }

    fn check_randomly(&self, program: &Program, e: &Expectation, config: Config) -> Vec<String> {
        let mut found = false;
        let values = interesting(program);
        let seeds = if e.holds { 60 } else { 1000 };
        for seed in 0..seeds {
            let mut scheduler: Box<dyn Scheduler> = match seed % 2 {
                0 => Box::new(Random::new(seed).favouring(values.clone())),
                _ => Box::new(Pct::new(seed, 3, 30).favouring(values.clone())),
            };
            let mut runner = Runner::new(scheduler.as_mut());
            let mut machine = runner.start(program, config.clone());
            let stop = runner.run(&mut machine, 3_000, &mut |_| true);
            if let Stop::Ended(End::Violation(v)) = stop {
                if e.holds {
                    let line = program.span_of(v.at).line;
                    return vec![format!(
                        "seed {seed}: line {line}: {} [{}]",
                        v.message, v.property
                    )];
                }
                if let Some(problem) = self.misplaced(program, v.property, v.at) {
                    return vec![format!("seed {seed}: {problem}: {}", v.message)];
                }
                found = true;
                break;
            }
        }
        match found || e.holds {
            true => Vec::new(),
            false => vec![format!("no random schedule violates {}", e.property)],
        }
    }
}

#[test]
fn programs_behave_as_their_headers_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    programs(&root.join("tests/semantics"), &mut paths);
    programs(&root.join("examples"), &mut paths);
    paths.sort();
    assert!(paths.len() > 100, "the suite has lost programs");
    if let Ok(word) = std::env::var("RADDLE_SUITE") {
        paths.retain(|p| p.display().to_string().contains(&word));
    }
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let started = std::time::Instant::now();
                    let problems = read_case(path).check();
                    let took = started.elapsed();
                    if took.as_secs() >= 5 {
                        eprintln!("{}: {took:?}", path.display());
                    }
                    for problem in problems {
                        let line = format!("{}: {problem}", path.display());
                        failures.lock().expect("no panic while locked").push(line);
                    }
                }
            });
        }
    });
    eprintln!(
        "{} expectations hold; {} enumerations were cut, {} sampled inputs",
        HELD.load(Ordering::Relaxed),
        CUT.load(Ordering::Relaxed),
        SAMPLED.load(Ordering::Relaxed)
    );
    assert!(
        CUT.load(Ordering::Relaxed) <= 10,
        "too many enumerations are cut to mean much"
    );
    let mut failures = failures.into_inner().expect("no panic while locked");
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} problems:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
