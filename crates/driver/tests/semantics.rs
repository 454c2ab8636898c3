//! Runs every program of `tests/semantics` and `examples` on the interpreter, twice: exhaustively over all
//! interleavings, with races by their definition, and under random schedules, with races by happens-before. Both must
//! agree with what the program's header expects, and find violations only on the lines that are marked.
//!
//! `RADDLE_SUITE=word` runs only the programs whose path contains the word.

use raddle_interp::constants::interesting;
use raddle_interp::explore::{Limits, explore};
use raddle_interp::schedulers::{Pct, Random, Runner, Scheduler, Stop};
use raddle_interp::{Config, End};
use raddle_ir::{DataModel, Location, Program, Property};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Expectations that a property holds, and for how many of them the enumeration was not the whole truth: it ran
/// into a limit (programs that spin), or drew inputs from a list.
static HELD: AtomicUsize = AtomicUsize::new(0);
static CUT: AtomicUsize = AtomicUsize::new(0);
static SAMPLED: AtomicUsize = AtomicUsize::new(0);

/// What a program's header says.
struct Expectation {
    property: String,
    holds: bool,
    /// `valid-deref` and the like, if given.
    kind: Option<String>,
}

struct Case {
    path: PathBuf,
    model: DataModel,
    expectations: Vec<Expectation>,
    /// Marked lines: line number and property.
    marks: Vec<(u32, String)>,
}

fn read_case(path: &Path) -> Case {
    let text = std::fs::read_to_string(path).expect("a readable program");
    let mut case = Case {
        path: path.to_path_buf(),
        model: DataModel::Lp64,
        expectations: Vec::new(),
        marks: Vec::new(),
    };
    for (i, line) in text.lines().enumerate() {
        if let Some(rest) = line.strip_prefix("//! expect: ") {
            let (property, verdict) = rest
                .trim()
                .split_once(' ')
                .expect("a property and a verdict");
            let (verdict, kind) = match verdict.split_once('(') {
                Some((v, kind)) => (v, Some(kind.trim_end_matches(')').to_string())),
                None => (verdict, None),
            };
            case.expectations.push(Expectation {
                property: property.to_string(),
                holds: verdict.trim() == "true",
                kind,
            });
        }
        if line.starts_with("//! data-model: ILP32") {
            case.model = DataModel::Ilp32;
        }
        if let Some((_, marks)) = line.split_once("// violation: ") {
            for property in marks.split(',') {
                let property = property.split_whitespace().next().unwrap_or("");
                case.marks.push((i as u32 + 1, property.to_string()));
            }
        }
    }
    case
}

fn programs(dir: &Path, into: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(dir).expect("a directory of programs");
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            programs(&path, into);
        } else if path.extension().is_some_and(|e| e == "c") {
            into.push(path);
        }
    }
}

fn config(properties: &[Property], deadlock: bool) -> Config {
    Config {
        checks: properties.iter().copied().collect(),
        spurious_wakeups: !deadlock,
        output: false,
        quantum: 100,
        ..Config::default()
    }
}

/// The property's name in marks: the parts of memory safety share one.
fn mark_name(p: Property) -> &'static str {
    match p {
        Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack => "valid-memsafety",
        p => p.name(),
    }
}

impl Case {
    fn compile(&self) -> Result<Program, String> {
        let options = raddle_c::Options {
            model: self.model,
            arguments: vec!["program".into()],
            ..raddle_c::Options::default()
        };
        let program = raddle_c::compile(&[&self.path], &options).map_err(|f| f.render())?;
        match raddle_ir::verify(&program).first() {
            None => Ok(program),
            Some(broken) => Err(format!("invalid IR: {broken}")),
        }
    }

    /// Whether a violation stands on a marked line (if any line is marked for its property).
    fn misplaced(&self, program: &Program, property: Property, at: Location) -> Option<String> {
        let line = program.span_of(at).line;
        let name = mark_name(property);
        let mut marked = self
            .marks
            .iter()
            .filter(|(_, p)| p == name || p == property.name());
        let any = marked.clone().next().is_some();
        (any && !marked.any(|(l, _)| *l == line))
            .then(|| format!("{property} found in line {line}, which is not marked"))
    }

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
