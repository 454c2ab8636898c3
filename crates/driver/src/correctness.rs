//! The witness of a `true`: what holds at statements and loops, for other tools to check.
//!
//! Invariants come from the refinement engine's inference, whoever gave the answer. They are looked for once the answer has been told, and not
//! for long: at all statements first, then at loops alone; the set may be empty.

use crate::cli::VerifyOptions;
use crate::compile;
use crate::portfolio::STACK;
use crate::verify::Conclusion;
use raddle_engine_refine::invariants;
use raddle_ir::Program;
use raddle_report::html::Holds;
use raddle_verdict::{Budget, Invariant, Request, Verdict};
use raddle_witness::svcomp::{self, Places};
use std::time::{Duration, Instant, SystemTime};

/// The longest search for invariants.
const LONGEST: Duration = Duration::from_secs(10);

/// What a witness tells of the task.
pub fn task<'a>(options: &VerifyOptions, program: &'a Program) -> svcomp::Task<'a> {
    let names = compile::file_names(&options.input).into_iter();
    let contents = |name: &String| std::fs::read(name).unwrap_or_default();
    svcomp::Task {
        program,
        files: names.map(|n| (n.clone(), contents(&n))).collect(),
        version: env!("CARGO_PKG_VERSION"),
        time: SystemTime::now(),
    }
}

/// What holds at statements and loops of a proved program, for readers.
pub fn holds(
    options: &VerifyOptions,
    program: &Program,
    request: &Request,
    conclusion: &Conclusion,
    threads: Option<u32>,
) -> Vec<Holds> {
    let model = options.input.files.iter().any(|f| compile::is_model(f));
    if model || !matches!(conclusion.verdict(), Some(Verdict::True(_))) {
        return Vec::new();
    }
    let task = task(options, program);
    let places = Places::new(program, &task.files);
    let claims = places.claims(&search(program, request, &places, threads));
    let holds = claims.into_iter().map(|c| Holds {
        file: c.file,
        line: c.line,
        function: c.function,
        text: c.value,
    });
    holds.collect()
}

/// Writes the witness of a `true`, if one is wanted; whether that was possible. `threads` is how many the refinement engine's proof is
/// about, if there is one.
pub fn write(
    options: &VerifyOptions,
    program: &Program,
    request: &Request,
    conclusion: &Conclusion,
    threads: Option<u32>,
) -> bool {
    let (Some(path), Some(Verdict::True(_))) = (&options.witness, &conclusion.verdict()) else {
        return true;
    };
    let task = task(options, program);
    let text = match path.extension().and_then(|e| e.to_str()) {
        Some("graphml") => svcomp::correctness_graphml(&task, &request.properties),
        Some("yml" | "yaml") => {
            let places = Places::new(program, &task.files);
            // Of a model, nothing can be said in C.
            let model = options.input.files.iter().any(|f| compile::is_model(f));
            let found = match model {
                true => Vec::new(),
                false => search(program, request, &places, threads),
            };
            svcomp::correctness_yaml(&task, &request.properties, &places.claims(&found))
        }
        // A schedule is for violations.
        _ => return true,
    };
    let written = std::fs::write(path, text);
    if let Err(error) = &written {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
    written.is_ok()
}

fn search(
    program: &Program,
    request: &Request,
    places: &Places,
    threads: Option<u32>,
) -> Vec<Invariant> {
    let left = request.budget.deadline();
    let left = left.map(|d| d.saturating_duration_since(Instant::now()));
    // Half of what is left, for both searches together.
    let each = left.map_or(LONGEST, |l| l / 4).min(LONGEST / 2);
    for at in [places.all(), places.loops()] {
        if at.is_empty() {
            continue;
        }
        let work = || {
            let budget = Budget::with_timeout(each);
            invariants(program, &request.properties, &at, threads, &budget)
        };
        let found = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, work).ok()?.join().ok()
        });
        if let Some(found) = found.filter(|f| !f.is_empty()) {
            return found;
        }
    }
    Vec::new()
}
