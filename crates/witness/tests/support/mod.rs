//! Candidates from real runs: what an engine would claim if it knew the run.

#![allow(dead_code, reason = "each test binary uses a part")]

use raddle_interp::schedulers::{Random, Scheduler};
use raddle_interp::{Choice, Choices, Config, End, Machine, Outcome, ThreadId};
use raddle_ir::{DataModel, Location, Program, Property};
use raddle_verdict::{Candidate, CandidateChoice, CandidateStep};
use std::path::{Path, PathBuf};

/// The numbers that candidates give to threads differ from the interpreter's.
pub fn number(t: ThreadId) -> u32 {
    match t.0 {
        0 => 0,
        n => 100 - n,
    }
}

/// A scheduler that writes down who asks what, and who makes whom.
struct Recorder<'a> {
    inner: &'a mut Random,
    choices: Vec<CandidateChoice>,
    made: Vec<(ThreadId, Location, ThreadId)>,
}

impl Choices for Recorder<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let value = self.inner.choose(choice);
        self.choices.push(CandidateChoice {
            thread: number(choice.thread),
            at: choice.at,
            kind: choice.kind.class(),
            occurrence: None,
            value,
        });
        value
    }

    fn made(&mut self, maker: ThreadId, at: Location, new: ThreadId) {
        self.made.retain(|(_, _, t)| *t < new);
        self.made.push((maker, at, new));
    }
}

/// A run that shows a violation.
pub struct Recorded {
    /// As an engine would claim it.
    pub candidate: Candidate,
    /// How often it switched threads.
    pub switches: usize,
    /// Where the violation shows, and the places that belong to it.
    pub places: Vec<Location>,
}

/// Runs under a random schedule, until a violation shows.
pub fn record(program: &Program, config: &Config, seed: u64) -> Option<Recorded> {
    let config = Config {
        count_executions: true,
        ..config.clone()
    };
    let spurious_wakeups = config.spurious_wakeups;
    let favourites = raddle_interp::constants::interesting(program);
    let mut random = Random::new(seed).favouring(favourites);
    let mut recorder = Recorder {
        inner: &mut random,
        choices: Vec::new(),
        made: Vec::new(),
    };
    let mut steps = Vec::new();
    let mut machine = Machine::new(program, config, &mut recorder);
    let mut told = 0;
    let mut last = None;
    let mut switches = 0;
    let mut tried: Vec<ThreadId> = Vec::new();
    note_made(&recorder.made, &mut told, &mut steps);
    for _ in 0..3_000 {
        let enabled = machine.enabled_threads();
        if enabled.is_empty() || machine.end().is_some() {
            break;
        }
        let t = recorder.inner.pick(&machine, &enabled)?;
        let at = machine.thread(t).location()?;
        let occurrence = machine.executions(t, at) + 1;
        let asked = recorder.choices.len();
        let refused = machine.step(t, &mut recorder) == Outcome::Refused;
        // Refused steps that show a deadlock are part of the run, but execute nothing.
        tried.push(t);
        if !refused || machine.end().is_some() {
            if !refused {
                tried = vec![t];
            }
            for t in tried.drain(..) {
                switches += usize::from(last.is_some_and(|l| l != t));
                last = Some(t);
            }
        }
        if refused {
            recorder.choices.truncate(asked);
            continue;
        }
        note_made(&recorder.made, &mut told, &mut steps);
        steps.push(CandidateStep {
            thread: number(t),
            at,
            occurrence,
            starts: None,
        });
    }
    match machine.end()? {
        End::Violation(v) => Some(Recorded {
            candidate: Candidate {
                property: v.property,
                thread: number(v.thread),
                at: v.at,
                spurious_wakeups,
                steps,
                choices: recorder.choices,
            },
            switches,
            places: std::iter::once(v.at)
                .chain(v.related.iter().map(|r| r.at))
                .collect(),
        }),
        _ => None,
    }
}

/// Appends the steps that made the threads behind the first `told`.
fn note_made(
    made: &[(ThreadId, Location, ThreadId)],
    told: &mut usize,
    steps: &mut Vec<CandidateStep>,
) {
    for (n, (maker, at, new)) in made.iter().enumerate().skip(*told) {
        let same = |(m, a, _): &&(ThreadId, Location, ThreadId)| m == maker && a == at;
        steps.push(CandidateStep {
            thread: number(*maker),
            at: *at,
            occurrence: made[..=n].iter().filter(same).count() as u32,
            starts: Some(number(*new)),
        });
    }
    *told = made.len();
}

/// Only the last step of each uninterrupted stretch of a thread, and those that make threads.
pub fn thin(candidate: &Candidate) -> Candidate {
    let mut thin = candidate.clone();
    let all = &candidate.steps;
    let kept = all.iter().enumerate().filter(|(i, s)| {
        let last = all.get(i + 1).is_none_or(|n| n.thread != s.thread);
        last || s.starts.is_some()
    });
    thin.steps = kept.map(|(_, s)| *s).collect();
    thin
}

/// A program with the properties its header says are violated.
pub struct Case {
    pub path: PathBuf,
    pub program: Program,
    pub violated: Vec<Vec<Property>>,
}

fn files(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a directory") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files(&path, into),
            false if path.extension().is_some_and(|e| e == "c") => into.push(path),
            false => {}
        }
    }
}

pub fn compile(path: &Path, model: DataModel) -> Program {
    let options = raddle_c::Options {
        model,
        arguments: raddle_c::Arguments::Given(vec!["program".into()]),
        ..raddle_c::Options::default()
    };
    raddle_c::compile(&[path], &options).unwrap_or_else(|f| panic!("{}", f.render()))
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The programs of the suite and the examples in which something is violated.
pub fn cases() -> Vec<Case> {
    let mut paths = Vec::new();
    files(&root().join("tests/semantics"), &mut paths);
    files(&root().join("examples"), &mut paths);
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable program");
        let expected = text.lines().filter_map(|l| l.strip_prefix("//! expect: "));
        let violated: Vec<Vec<Property>> = expected
            .filter_map(|e| e.split_once(" false"))
            .map(|(name, _)| Property::from_name(name))
            .collect();
        let model = match text.contains("//! data-model: ILP32") {
            true => DataModel::Ilp32,
            false => DataModel::Lp64,
        };
        if !violated.is_empty() {
            cases.push(Case {
                program: compile(&path, model),
                path,
                violated,
            });
        }
    }
    cases
}

pub fn config(properties: &[Property]) -> Config {
    Config {
        checks: properties.iter().copied().collect(),
        spurious_wakeups: !properties.contains(&Property::NoDeadlock),
        output: false,
        ..Config::default()
    }
}
