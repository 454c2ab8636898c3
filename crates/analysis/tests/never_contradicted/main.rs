//! No run of the interpreter contradicts a fact.
//!
//! Every program of the test suites and examples, and random ones, run under random schedules; every instruction,
//! access, call, lock and pair of live threads is held against what the analysis says. `RADDLE_FACT_RUNS=n` asks for
//! about n runs in all, `RADDLE_FACT_ONLY=word` for the programs whose name contains the word.

mod generate;
mod violations;
mod watch;

use raddle_analysis::Facts;
use raddle_interp::schedulers::{Pct, Random, Scheduler};
use raddle_interp::{Checks, Config, Machine, ThreadId};
use raddle_ir::{DataModel, Op, Program, SyncOp};
use std::path::{Path, PathBuf};
use watch::{Addresses, Watch, addresses};

fn programs(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a directory of programs") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            programs(&path, into);
        } else if path.extension().is_some_and(|e| e == "c") {
            into.push(path);
        }
    }
}

/// One run; what contradicts a fact, and how much was checked.
fn run(
    program: &Program,
    facts: &Facts,
    values: Option<&Addresses>,
    seed: u64,
) -> (Vec<String>, u64) {
    let config = Config {
        // Undefined behaviour stops the thread; with all checks on, the run.
        checks: if seed % 4 == 3 {
            Checks::all()
        } else {
            Checks::none()
        },
        spurious_wakeups: seed.is_multiple_of(2),
        output: false,
        quantum: 100,
        max_depth: 40,
        observe: true,
        ..Config::default()
    };
    let mut scheduler: Box<dyn Scheduler> = match seed / 2 % 2 {
        0 => Box::new(Random::new(seed)),
        _ => Box::new(Pct::new(seed, 3, 60)),
    };
    let scheduler = scheduler.as_mut();
    let mut watch = Watch::new(facts, values, program.entry);
    let mut machine = Machine::new(program, config, scheduler);
    watch.look(&mut machine, ThreadId(0));
    for _ in 0..1_500 {
        let enabled = machine.enabled_threads();
        // Threads that make threads, and loops of library code, teach nothing new after a while.
        let enough = machine.threads().count() > 10 || watch.instructions > 20_000;
        if enabled.is_empty() || enough || !watch.contradictions.is_empty() {
            break;
        }
        let Some(thread) = scheduler.pick(&machine, &enabled) else {
            break;
        };
        machine.step(thread, scheduler);
        watch.look(&mut machine, thread);
    }
    (watch.contradictions, watch.checks)
}

struct Tally {
    runs: u64,
    checks: u64,
    contradictions: Vec<String>,
}

impl Tally {
    fn try_program(&mut self, name: &str, program: &Program, runs: u64) {
        for (kind, facts) in [
            ("copies", Facts::without_dead_branches(program)),
            ("plain", Facts::without_clones(program)),
        ] {
            let started = std::time::Instant::now();
            let values = addresses(&facts);
            if kind == "copies" {
                let found = violations::contradictions(program, &facts, 4 * runs + 8);
                let lines = found.into_iter().map(|c| format!("{name}: {c}"));
                self.contradictions.extend(lines);
            }
            for seed in 0..runs {
                // A program that loops in atomic blocks is not worth the time.
                if started.elapsed().as_secs() > 2 {
                    eprintln!("{name}: slow, {seed} of {runs} runs");
                    break;
                }
                let (found, checks) = run(program, &facts, values.as_ref(), seed);
                self.runs += 1;
                self.checks += checks;
                if let Some(first) = found.first() {
                    let line = format!("{name} ({kind}, seed {seed}): {first}");
                    self.contradictions.push(line);
                    break;
                }
            }
        }
    }

    fn finish(self, what: &str) {
        let Tally {
            runs,
            checks,
            contradictions,
        } = self;
        eprintln!("{what}: {runs} runs, {checks} statements held against facts");
        assert!(
            contradictions.is_empty(),
            "{} contradictions:\n{}",
            contradictions.len(),
            contradictions.join("\n")
        );
    }
}

fn wanted(name: &str) -> bool {
    std::env::var("RADDLE_FACT_ONLY").map_or(true, |word| name.contains(&word))
}

/// How many runs in all; a short run by default.
fn asked() -> Option<u64> {
    std::env::var("RADDLE_FACT_RUNS").ok()?.parse().ok()
}

fn tally() -> Tally {
    Tally {
        runs: 0,
        checks: 0,
        contradictions: Vec::new(),
    }
}

/// Whether a program uses `longjmp`: facts hold up to there, and engines that use them do not go on.
fn comes_back(program: &Program) -> bool {
    let jumps = |op: &Op| matches!(op, Op::Sync { op, .. } if *op == SyncOp::LongJump);
    program.instructions().any(|(_, op)| jumps(op))
}

#[test]
fn by_programs_of_the_suites() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for dir in ["tests/semantics", "tests/library", "examples"] {
        programs(&root.join(dir), &mut paths);
    }
    paths.sort();
    assert!(paths.len() > 300, "the suites have lost programs");
    let runs = asked().map_or(1, |n| (n / 4 / paths.len() as u64).max(1));
    let mut tally = tally();
    for path in paths {
        let name = path.display().to_string();
        if !wanted(&name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable program");
        let model = match text.contains("//! data-model: ILP32") {
            true => DataModel::Ilp32,
            false => DataModel::Lp64,
        };
        let options = raddle_c::Options {
            model,
            arguments: raddle_c::Arguments::Given(vec!["program".into()]),
            ..raddle_c::Options::default()
        };
        let program = raddle_c::compile(&[&path], &options);
        let program = program.unwrap_or_else(|f| panic!("{name}: {}", f.render()));
        if comes_back(&program) {
            continue;
        }
        tally.try_program(&name, &program, runs);
    }
    tally.finish("suites");
}

#[test]
fn by_random_programs() {
    let (first, programs, runs) = match asked() {
        Some(n) => (1_000, (n / 32).max(1), 8),
        None => (0, 40, 2),
    };
    let mut tally = tally();
    for seed in first..first + programs {
        let name = format!("random {seed}");
        if !wanted(&name) {
            continue;
        }
        let text = generate::program(seed);
        let options = raddle_c::Options::default();
        let program = raddle_c::compile_text("random.i", &text, &options);
        let program = program.unwrap_or_else(|f| panic!("{name}: {}\n{text}", f.render()));
        let before = tally.contradictions.len();
        tally.try_program(&name, &program, runs);
        if tally.contradictions.len() > before && std::env::var("RADDLE_FACT_ONLY").is_ok() {
            eprintln!("{text}");
        }
    }
    tally.finish("random programs");
}

/// Writes random programs to files: `RADDLE_FACT_WRITE=directory`.
#[test]
fn random_programs_can_be_written() {
    if let Ok(dir) = std::env::var("RADDLE_FACT_WRITE") {
        for seed in (0..60).chain(1_000..1_012) {
            let path = Path::new(&dir).join(format!("{seed}.i"));
            std::fs::write(path, generate::program(seed)).expect("a writable directory");
        }
    }
}
