//! `raddle verify`: ask the engines, believe no violation that does not replay, tell the answer.

use crate::cli::{Format, VerifyOptions};
use crate::engines::{NAMES, engines};
use crate::limits::{self, Limits};
use crate::property::{self, Mistake};
use crate::{Ending, compile, verify_json, verify_text};
use raddle_engine_fusion::FusionEngine;
use raddle_engine_project::{ProjectEngine, Statistics};
use raddle_engine_refine::RefineEngine;
use raddle_interp::Violation;
use raddle_interp::schedule::Schedule;
use raddle_ir::{Program, Property};
use raddle_verdict::{Budget, Engine, Found, Judge, Progress, Request, Unknown, Verdict};
use raddle_witness::Replayer;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Wall time if no limit is given.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// A violation that this command has replayed itself.
pub struct Shown {
    /// As the engine gave it.
    pub found: Found,
    /// Its schedule.
    pub schedule: Schedule,
    /// What the replay ended with.
    pub violation: Violation,
}

/// What came out.
pub struct Conclusion {
    /// Who answered; `None` if there is no engine.
    pub engine: Option<&'static str>,
    /// The answer; without an engine, none.
    pub verdict: Option<Verdict>,
    /// The violations of a `false`.
    pub shown: Vec<Shown>,
    /// The steps that matter, if the engine knows them.
    pub projection: Vec<String>,
}

impl Conclusion {
    /// The text behind `verdict: `.
    pub fn line(&self) -> String {
        match &self.verdict {
            Some(verdict) => verdict.to_string(),
            None => "unknown(no engine)".into(),
        }
    }

    /// The exit code.
    pub fn ending(&self) -> Ending {
        match &self.verdict {
            Some(Verdict::True(_)) => Ending::Fine,
            Some(Verdict::False(_)) => Ending::Violation,
            Some(Verdict::Unknown(Unknown::Internal(_))) => Ending::Internal,
            Some(Verdict::Unknown(_)) | None => Ending::Unknown,
        }
    }
}

/// Checks the program.
pub fn verify(options: &VerifyOptions) -> Ending {
    let started = Instant::now();
    let properties = match property::parse(&options.property) {
        Ok(properties) => properties,
        Err(Mistake::Usage(message)) => {
            eprintln!("error: {message}");
            return Ending::Usage;
        }
        Err(Mistake::BadFile(message)) => {
            eprintln!("error: {message}");
            return Ending::BadInput;
        }
    };
    let fusion = FusionEngine {
        preemptions: options.preemptions,
        switches: options.switches,
        ..FusionEngine::with(options.fusion_mode)
    };
    let proof = options
        .proof
        .as_ref()
        .map(|_| Arc::<Mutex<String>>::default());
    let refine = RefineEngine {
        reduce: !options.no_reduction,
        threads: options.threads,
        proof: proof.clone(),
        ..RefineEngine::default()
    };
    let statistics = Arc::<Mutex<Statistics>>::default();
    let project = project_engine(options, statistics.clone());
    let name = options.engine.as_deref();
    let Some(engines) = engines(name, options.staged_mode, fusion, refine, project) else {
        eprintln!(
            "error: there is no such engine; known are {}",
            NAMES.join(", ")
        );
        return Ending::Usage;
    };
    let budget = Budget::with_timeout(timeout(options));
    let limits = Limits {
        cpu: options.cpu_limit,
        memory: Some(options.memory),
    };
    limits::watch(budget.clone(), limits, last_words(options, &properties));
    let program = match compile::program(&options.input, &[]) {
        Ok(program) => program,
        Err(ending) => return ending,
    };
    let request = Request {
        properties,
        unwind: options.unwind,
        certify: options.certify,
        inputs: options.inputs.clone(),
        all_violations: options.all_violations,
        budget: budget.clone(),
    };
    let mut judge = Replayer::new(&program, &request.properties)
        .files(compile::file_names(&options.input))
        .budget(budget);
    let mut line = ProgressLine::new();
    let mut conclusion = decide(&engines, &program, &request, &mut judge, &mut |p| {
        line.show(&p)
    });
    line.clear();
    if let Ok(statistics) = statistics.lock()
        && conclusion.engine == Some("project")
    {
        conclusion.projection = statistics.projection.clone();
        if options.statistics {
            eprintln!("statistics: {}", statistics.line());
        }
    }
    if let Some(Verdict::Unknown(Unknown::NotReplayed(reason))) = &conclusion.verdict {
        keep_bundle(&program, &judge, reason);
    }
    if let (Some(path), Some(proof)) = (&options.proof, proof)
        && let Ok(text) = proof.lock()
        && !text.is_empty()
        && let Err(error) = std::fs::write(path, &*text)
    {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
    finish(options, &program, &request, &conclusion, started)
}

/// The projection engine as the command line wants it.
fn project_engine(options: &VerifyOptions, statistics: Arc<Mutex<Statistics>>) -> ProjectEngine {
    let mut project = ProjectEngine {
        depth: options.depth,
        threads: options.threads,
        statistics: Some(statistics),
        complete: !options.bounded_only,
        ..ProjectEngine::default()
    };
    project.reductions.projection = !options.no_projection;
    project.reductions.as_printed = options.projection_as_printed;
    project.reductions.order = options.ordered;
    project.reductions.symmetry = !options.no_symmetry;
    project
}

/// Tells the answer and writes the witness.
fn finish(
    options: &VerifyOptions,
    program: &Program,
    request: &Request,
    conclusion: &Conclusion,
    started: Instant,
) -> Ending {
    let text = match options.format {
        Format::Text => verify_text::text(options, program, request, conclusion),
        Format::Json => verify_json::json(options, program, request, conclusion, started.elapsed()),
    };
    let mut ending = conclusion.ending();
    if let (Some(path), Some(first)) = (&options.witness, conclusion.shown.first())
        && let Err(error) = std::fs::write(path, &first.found.schedule)
    {
        eprintln!("error: cannot write {}: {error}", path.display());
        ending = Ending::BadInput;
    }
    if !limits::claim_answer() {
        // The watcher answers and ends the process.
        loop {
            std::thread::park();
        }
    }
    let mut out = std::io::stdout();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
    ending
}

/// Asks one engine after the other until one knows the answer; replays what is claimed.
pub fn decide(
    engines: &[Box<dyn Engine>],
    program: &Program,
    request: &Request,
    judge: &mut dyn Judge,
    progress: &mut dyn FnMut(Progress),
) -> Conclusion {
    let mut conclusion = Conclusion {
        engine: None,
        verdict: None,
        shown: Vec::new(),
        projection: Vec::new(),
    };
    for engine in engines {
        let verdict = engine.check(program, request, judge, progress);
        let (verdict, shown) = match verdict {
            Verdict::False(found) => believe(program, &request.properties, found),
            other => (other, Vec::new()),
        };
        let decided = !matches!(verdict, Verdict::Unknown(_));
        conclusion = Conclusion {
            engine: Some(engine.name()),
            verdict: Some(verdict),
            shown,
            projection: Vec::new(),
        };
        if decided || request.budget.stopped().is_some() {
            break;
        }
    }
    conclusion
}

/// `false` only for violations that replay from their schedules alone; the distinct ones of them.
fn believe(program: &Program, properties: &[Property], found: Vec<Found>) -> (Verdict, Vec<Shown>) {
    let internal = |what: &str| (Verdict::Unknown(Unknown::Internal(what.into())), Vec::new());
    if found.is_empty() {
        return internal("`false` without a violation");
    }
    let mut shown: Vec<Shown> = Vec::new();
    let mut refused = None;
    for one in &found {
        if !properties.contains(&one.property) {
            return internal("a violation of a property that was not asked for");
        }
        let replayed = Schedule::from_json(&one.schedule).and_then(|schedule| {
            schedule.check_program(program)?;
            let violation = raddle_witness::replay(program, &schedule)?;
            match violation.property == one.property {
                true => Ok((schedule, violation)),
                false => Err(format!("it shows {} instead", violation.property)),
            }
        });
        match replayed {
            Ok((schedule, violation)) => {
                let same = |s: &Shown| s.found.property == one.property && s.found.span == one.span;
                if !shown.iter().any(same) {
                    shown.push(Shown {
                        found: one.clone(),
                        schedule,
                        violation,
                    });
                }
            }
            Err(why) => refused = Some(why),
        }
    }
    match refused {
        Some(why) if shown.is_empty() => {
            return (Verdict::Unknown(Unknown::NotReplayed(why)), shown);
        }
        Some(why) => eprintln!("raddle: BUG: another claimed violation does not replay: {why}"),
        None => {}
    }
    let found = shown.iter().map(|s| s.found.clone()).collect();
    (Verdict::False(found), shown)
}

fn timeout(options: &VerifyOptions) -> Duration {
    let from_cpu = options.cpu_limit.map(|l| l.saturating_add(l / 2));
    options.timeout.or(from_cpu).unwrap_or(DEFAULT_TIMEOUT)
}

fn last_words(options: &VerifyOptions, properties: &[Property]) -> limits::LastWords {
    let started = Instant::now();
    let format = options.format;
    let properties = properties.to_vec();
    Box::new(move |why| match format {
        Format::Text => format!("verdict: unknown({why})\n"),
        Format::Json => verify_json::unknown(why, &properties, started.elapsed()),
    })
}

/// Keeps what is needed to find out why a claimed violation did not replay.
fn keep_bundle(program: &Program, judge: &Replayer<'_>, reason: &str) {
    let name = format!(
        "raddle-not-replayed-{:016x}-{}.txt",
        program.fingerprint(),
        std::process::id()
    );
    let path = std::env::temp_dir().join(name);
    let command: Vec<String> = std::env::args().collect();
    let mut text = format!("command: {}\nreason: {reason}\n\n", command.join(" "));
    for (candidate, reason) in judge.refused() {
        text += &format!("refused: {reason}\n{candidate:#?}\n\n");
    }
    text += &raddle_ir::print(program);
    eprintln!("raddle: BUG: a violation was claimed that does not replay: {reason}");
    match std::fs::write(&path, text) {
        Ok(()) => eprintln!("raddle: please report it with {}", path.display()),
        Err(error) => eprintln!("raddle: {} cannot be written: {error}", path.display()),
    }
}

/// One line on the terminal that is written over and over.
struct ProgressLine {
    terminal: bool,
    last: Option<Instant>,
}

impl ProgressLine {
    fn new() -> ProgressLine {
        ProgressLine {
            terminal: std::io::stderr().is_terminal(),
            last: None,
        }
    }

    fn show(&mut self, progress: &Progress) {
        let often = self
            .last
            .is_some_and(|l| l.elapsed() < Duration::from_millis(50));
        if self.terminal && !often {
            eprint!("\r\x1b[K{}: {}", progress.engine, progress.what);
            self.last = Some(Instant::now());
        }
    }

    fn clear(&mut self) {
        if self.terminal && self.last.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
