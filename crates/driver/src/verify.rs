//! `raddle verify`: ask the engines, believe no violation that does not replay, tell the answer.

use crate::child::Refused;
use crate::cli::{Format, VerifyOptions};
use crate::complaint::Complaint;
use crate::decide;
use crate::engines::{self, ENGINES};
use crate::ledger_file::{LedgerFile, Refusal};
use crate::ledger_resume::{self, Keeper, Wanted};
use crate::limits::{self, Limits, Unanswered};
use crate::portfolio::Question;
use crate::progress_lines::ProgressLines;
use crate::property;
use crate::{
    Ending, compile, correctness, memory_model, page, shares, verify_json, verify_sarif,
    verify_text,
};
use raddle_c::Arguments;
use raddle_ir::{Program, Property};
use raddle_verdict::{Budget, Found, Ledger, Request, TakenUp, Unknown, Verdict};
use raddle_witness::ReplayedRun;
use raddle_witness::external::Returned;
use raddle_witness::svcomp;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Wall time if no limit is given.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// A violation that this command has replayed itself.
#[derive(Clone)]
pub struct Shown {
    /// As the engine gave it.
    pub found: Found,
    /// Its schedule and what the replay showed.
    pub run: ReplayedRun,
    /// What functions without a body have to return for it.
    pub needs: Vec<Returned>,
}

/// What came out.
#[derive(Clone)]
pub struct Conclusion {
    /// Every question and its answer.
    pub ledger: Ledger,
    /// The violations of a `false`, or those that rest on values that are not known.
    pub shown: Vec<Shown>,
    /// What the work of an engine cost, if it says so.
    pub statistics: Option<String>,
    /// Whether there was an engine to ask.
    pub asked: bool,
    /// What was taken up from `--ledger`.
    pub taken_up: Option<TakenUp>,
}

impl Conclusion {
    /// The answer; none without an engine.
    pub fn verdict(&self) -> Option<Verdict> {
        let lost = || Verdict::Unknown(Unknown::Internal("no engine answered".into()));
        self.asked
            .then(|| self.ledger.verdict().unwrap_or_else(lost))
    }

    /// Which engines the answer is from.
    pub fn engine(&self) -> Option<String> {
        let names = self.ledger.answered_by();
        (!names.is_empty()).then(|| names.join("+"))
    }

    /// The text behind `verdict: `.
    pub fn line(&self) -> String {
        match self.verdict() {
            Some(verdict) => verdict.to_string(),
            None => "unknown(no engine)".into(),
        }
    }

    /// The exit code.
    pub fn ending(&self) -> Ending {
        match self.verdict() {
            Some(Verdict::True(_)) => Ending::Fine,
            Some(Verdict::False(_)) => Ending::Violation,
            Some(Verdict::Unknown(Unknown::Internal(_))) => Ending::Internal,
            Some(Verdict::Unknown(_)) | None => Ending::Unknown,
        }
    }
}

/// Checks the program, or many.
pub fn verify(options: &VerifyOptions) -> Ending {
    if let Some(from) = &options.batch {
        return crate::batch::batch(options, from);
    }
    let started = Instant::now();
    let properties = match property::parse(&options.property) {
        Ok(properties) => properties,
        Err(mistake) => return Complaint::from(mistake).say(),
    };
    let mut members = engines::members(ENGINES, Some(options));
    let opened = match options.ledger.as_deref().map(LedgerFile::open).transpose() {
        Ok(opened) => opened,
        Err(refusal) => return refuse_ledger(options, &refusal),
    };
    let budget = Budget::with_timeout(timeout(options));
    let limits = Limits {
        cpu: options.cpu_limit,
        memory: Some(options.memory),
    };
    limits::watch(budget.clone(), limits, last_words(options, &properties));
    let mut program = match compile::program(&options.input, arguments(options)) {
        Ok(program) => program,
        Err(complaint) => {
            let unsupported = complaint.unsupported.clone();
            let ending = complaint.say();
            if let Some(what) = unsupported {
                limits::say_last_words(&limits::Unanswered::Unsupported(what));
            }
            return ending;
        }
    };
    memory_model::apply(options.memory_model, &mut program, &properties);
    let request = Request {
        properties,
        unwind: options.unwind,
        certify: options.certify,
        inputs: options.inputs.clone(),
        all_violations: options.all_violations,
        after: None,
        budget,
    };
    shares::weigh(&mut members, &program);
    let program = Arc::new(program);
    let question = Question {
        program: &program,
        request: &request,
        jobs: options.jobs.unwrap_or_else(cores),
        memory: Some(options.memory),
        files: compile::file_names(&options.input),
        havoc: options.havoc,
    };
    let (mut earlier, mut taken_up, mut keeper) = (Vec::new(), None, None);
    if let Some((file, content)) = opened {
        let scope = ledger_resume::scope(options, &program, &request.properties);
        let wanted = Wanted {
            certificates: request.certify,
            proof_texts: options.proof.is_some(),
        };
        match ledger_resume::take_up(content, &scope, &question, wanted) {
            Ok(mut resumed) => {
                keeper = Some(Keeper::new(file, scope, &program, &mut resumed));
                taken_up = Some(resumed.taken_up);
                earlier = resumed.earlier;
            }
            Err(refusal) => return refuse_ledger(options, &refusal),
        }
    }
    let known = Known::new(options, &program, &request, started);
    let mut keep = |conclusion: &Conclusion| {
        known.set(conclusion);
        if let Some(keeper) = &mut keeper {
            keeper.keep(&conclusion.ledger);
        }
    };
    let mut line = ProgressLines::new();
    let mut show = |p| line.show(&p);
    let (mut conclusion, refused) =
        decide::resume(&members, &question, earlier, &mut keep, &mut show);
    line.clear();
    conclusion.taken_up = taken_up;
    if let Some(line) = conclusion
        .statistics
        .as_ref()
        .filter(|_| options.experiments.statistics)
    {
        eprintln!("statistics: {line}");
    }
    if let Some(Verdict::Unknown(Unknown::NotReplayed(reason))) = &conclusion.verdict() {
        keep_bundle(&program, &refused, reason);
    }
    if let (Some(path), Some(Verdict::True(proof))) = (&options.proof, conclusion.verdict())
        && let Some(text) = proof.artefact
        && let Err(error) = std::fs::write(path, &text)
    {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
    let threads = conclusion.ledger.proof().threads;
    let ending = finish(options, &program, &request, &conclusion, started, threads);
    let unkept = keeper.and_then(|k| k.file.failed);
    if let (Some(error), Some(path)) = (&unkept, &options.ledger) {
        eprintln!(
            "error: cannot write {}: {error}; the answer above is not in it",
            path.display()
        );
    }
    match correctness::write(options, &program, &request, &conclusion, threads) {
        true if unkept.is_none() => ending,
        _ => Ending::BadInput,
    }
}

/// Says why a ledger is not taken, and leaves it as it is.
fn refuse_ledger(options: &VerifyOptions, refusal: &Refusal) -> Ending {
    let path = options.ledger.as_deref().unwrap_or(Path::new(""));
    refusal.complaint(path).say()
}

/// What `main` is called with. A test has no other inputs than those it names.
fn arguments(options: &VerifyOptions) -> Arguments {
    match options.inputs {
        Some(_) => Arguments::Given(options.args.clone()),
        None => compile::any(&options.args),
    }
}

/// Tells the answer and writes the witness.
fn finish(
    options: &VerifyOptions,
    program: &Program,
    request: &Request,
    conclusion: &Conclusion,
    started: Instant,
    threads: Option<u32>,
) -> Ending {
    let text = told(options, program, request, conclusion, started);
    let mut ending = conclusion.ending();
    if let (Some(path), Some(first)) = (&options.witness, conclusion.shown.first())
        && let Err(error) = std::fs::write(path, witness(path, options, program, first))
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
    let holds = match options.html {
        Some(_) => correctness::holds(options, program, request, conclusion, threads),
        None => Vec::new(),
    };
    if let Some(path) = &options.html
        && let Err(error) = std::fs::write(
            path,
            page::verified(options, program, request, conclusion, &holds),
        )
    {
        eprintln!("error: cannot write {}: {error}", path.display());
        ending = Ending::BadInput;
    }
    ending
}

/// The answer in the form that is asked for.
fn told(
    options: &VerifyOptions,
    program: &Program,
    request: &Request,
    conclusion: &Conclusion,
    started: Instant,
) -> String {
    match options.format {
        Format::Text => verify_text::text(options, program, request, conclusion),
        Format::Json => verify_json::json(options, program, request, conclusion, started.elapsed()),
        Format::Sarif => verify_sarif::sarif(program, request, conclusion),
    }
}

/// What is known so far. If the answer does not come in time, these are the last words.
struct Known(Arc<Mutex<Option<Conclusion>>>);

impl Known {
    fn new(
        options: &VerifyOptions,
        program: &Arc<Program>,
        request: &Request,
        started: Instant,
    ) -> Known {
        let known: Arc<Mutex<Option<Conclusion>>> = Arc::default();
        let (latest, options, program) = (known.clone(), options.clone(), program.clone());
        let request = request.clone();
        let without = last_words(&options, &request.properties);
        limits::set_last_words(Box::new(move |why| {
            let latest = latest.lock().ok().and_then(|latest| latest.clone());
            match (why, latest) {
                (Unanswered::Stopped(cause), Some(mut conclusion)) => {
                    let (cause, bound) = (*cause, None);
                    let stopped = Verdict::Unknown(Unknown::Stopped { cause, bound });
                    let ledger = &mut conclusion.ledger;
                    ledger.answer("the engines", &request.properties, stopped);
                    let text = told(&options, &program, &request, &conclusion, started);
                    (text, conclusion.ending())
                }
                _ => without(why),
            }
        }));
        Known(known)
    }

    fn set(&self, conclusion: &Conclusion) {
        if let Ok(mut known) = self.0.lock() {
            *known = Some(conclusion.clone());
        }
    }
}

/// What is written for a violation: the ending of the file's name says in which form.
fn witness(path: &Path, options: &VerifyOptions, program: &Program, shown: &Shown) -> String {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    if !["yml", "yaml", "graphml"].contains(&ending) {
        return shown.found.schedule.clone();
    }
    let subject = svcomp::Subject {
        task: correctness::task(options, program),
        violation: &shown.run.violation,
        story: shown.run.steps(program),
    };
    match ending {
        "graphml" => svcomp::graphml(&subject),
        _ => svcomp::yaml(&subject),
    }
}

/// How many processors there are.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// How long an answer may take.
pub fn timeout(options: &VerifyOptions) -> Duration {
    let from_cpu = options.cpu_limit.map(|l| l.saturating_add(l / 2));
    options.timeout.or(from_cpu).unwrap_or(DEFAULT_TIMEOUT)
}

fn last_words(options: &VerifyOptions, properties: &[Property]) -> limits::LastWords {
    let started = Instant::now();
    let format = options.format;
    let properties = properties.to_vec();
    Box::new(move |why| {
        let text = match format {
            Format::Text => format!("verdict: unknown({why})\n"),
            Format::Json => verify_json::unknown(&why.to_string(), &properties, started.elapsed()),
            Format::Sarif => verify_sarif::unknown(&why.to_string(), &properties),
        };
        (text, why.ending())
    })
}

/// Keeps what is needed to find out why a claimed violation did not replay.
fn keep_bundle(program: &Program, refused: &[Refused], reason: &str) {
    let name = format!(
        "raddle-not-replayed-{:016x}-{}.txt",
        program.fingerprint(),
        std::process::id()
    );
    let path = std::env::temp_dir().join(name);
    let command: Vec<String> = std::env::args().collect();
    let mut text = format!("command: {}\nreason: {reason}\n\n", command.join(" "));
    for claim in refused {
        text += &format!("refused: {}\n{}\n\n", claim.why, claim.candidate);
    }
    text += &raddle_ir::print(program);
    eprintln!("raddle: BUG: a violation was claimed that does not replay: {reason}");
    match std::fs::write(&path, text) {
        Ok(()) => eprintln!("raddle: please report it with {}", path.display()),
        Err(error) => eprintln!("raddle: {} cannot be written: {error}", path.display()),
    }
}
