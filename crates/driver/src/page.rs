//! `--html`, `raddle report`: a violation as a page, and for other viewers.

use crate::cli::{ReportOptions, VerifyOptions};
use crate::verify::Conclusion;
use crate::{Ending, compile, verify_text};
use raddle_ir::Program;
use raddle_report::html::{Advice, Holds, Run, Subject, page};
use raddle_report::{cause, exports};
use raddle_verdict::{Ledger, Proved, Request, Unknown, Verdict};
use raddle_witness::story::{Detail, Story, story};
use raddle_witness::{ReplayedRun, nearest_passing};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a passing schedule is looked for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The page for the answer of `raddle verify`.
pub fn verified(
    options: &VerifyOptions,
    program: &Program,
    request: &Request,
    conclusion: &Conclusion,
    holds: &[Holds],
) -> String {
    let name = compile::file_names(&options.input).join(" ");
    let line = conclusion.line();
    let verdict = conclusion.verdict();
    let proof = match &verdict {
        Some(Verdict::True(proof)) => Some(proof),
        _ => None,
    };
    let assumptions = verify_text::assumptions(program, request, proof);
    let advice = |why: &Unknown| verify_text::why(program, request, why);
    if let Some(shown) = conclusion.shown.first() {
        return failing(
            program,
            Some((&conclusion.ledger, &advice)),
            &name,
            &line,
            &assumptions,
            &verify_text::replay(options),
            &shown.run,
        );
    }
    let (cause, details) = match &verdict {
        Some(Verdict::True(_)) if conclusion.ledger.proofs().len() > 1 => {
            let one = |p: &Proved| {
                let names: Vec<&str> = p.properties.iter().map(|p| p.name()).collect();
                format!("{}: {} ({})", names.join(", "), p.proof.how, p.engine)
            };
            let all = conclusion.ledger.proofs().iter().map(one);
            ("Every question is proved".to_string(), all.collect())
        }
        Some(Verdict::True(proof)) => (format!("Proved: {}", proof.how), Vec::new()),
        Some(Verdict::Unknown(why)) => (
            "Not known".to_string(),
            verify_text::why(program, request, why),
        ),
        _ => ("Not known".to_string(), Vec::new()),
    };
    let subject = Subject {
        program,
        name: &name,
        verdict: &line,
        cause: &cause,
        details: &details,
        assumptions: &assumptions,
        replay: "",
        at: None,
        runs: &[],
        holds,
        ledger: Some((&conclusion.ledger, &advice)),
    };
    page(&subject, &mut read)
}

/// The page for a violation.
#[allow(clippy::too_many_arguments)]
fn failing(
    program: &Program,
    ledger: Option<(&Ledger, Advice<'_>)>,
    name: &str,
    verdict: &str,
    assumptions: &[String],
    replay: &str,
    run: &ReplayedRun,
) -> String {
    let (schedule, violation) = (&run.schedule, &run.violation);
    let (shortest, full) = (run.steps(program), run.lines(program));
    let passing = nearest_passing(program, schedule, Instant::now() + PATIENCE);
    let passing = passing.map(|(passing, _)| story(program, &passing, Detail::Steps));
    let mut runs = vec![
        Run {
            title: "Shortest schedule",
            fails: true,
            story: shortest,
            differs_from: None,
        },
        Run {
            title: "Every line",
            fails: true,
            story: full,
            differs_from: None,
        },
    ];
    let common = passing.as_ref().map(|p| common(shortest, p));
    if let Some(story) = &passing {
        runs.push(Run {
            title: "Nearest passing schedule",
            fails: false,
            story,
            differs_from: common,
        });
        runs[0].differs_from = common;
    }
    let sentence = cause(program, violation).map(|c| c + ".");
    let details: Vec<String> = match &sentence {
        Some(_) => vec![violation.message.clone()],
        None => Vec::new(),
    };
    let details: Vec<String> = details
        .into_iter()
        .chain(violation.notes.iter().cloned())
        .collect();
    let subject = Subject {
        program,
        name,
        verdict,
        cause: sentence.as_ref().unwrap_or(&violation.message),
        details: &details,
        assumptions,
        replay,
        at: Some(violation.at),
        runs: &runs,
        holds: &[],
        ledger,
    };
    page(&subject, &mut read)
}

/// How many scenes two stories begin with together.
fn common(a: &Story, b: &Story) -> usize {
    let same = |(x, y): &(&_, &_)| x == y;
    a.scenes.iter().zip(&b.scenes).take_while(same).count()
}

/// The text of a source.
fn read(name: &str) -> Option<String> {
    let bytes = std::fs::read(name).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// `raddle report`: a recorded schedule as a page, and for other viewers.
pub fn report(options: &ReportOptions) -> Ending {
    let wanted = [&options.out, &options.chrome, &options.shiviz];
    if wanted.iter().all(|o| o.is_none()) {
        eprintln!("error: write what? -o PAGE.html, --chrome FILE or --shiviz FILE");
        return Ending::Usage;
    }
    let schedule = match crate::run::read(&options.schedule) {
        Ok(schedule) => schedule,
        Err(complaint) => return complaint.say(),
    };
    let mut input = options.input.clone();
    if input.files.is_empty() {
        input.files = schedule.files.iter().map(Into::into).collect();
    }
    let program = match crate::run::program_of(&input, &options.args, &schedule) {
        Ok(program) => program,
        Err(complaint) => return complaint.say(),
    };
    if let Err(message) = schedule.check_program(&program) {
        eprintln!("error: {}: {message}", options.schedule.display());
        return Ending::BadInput;
    }
    let mut outputs: Vec<(&Path, String)> = Vec::new();
    if let Some(path) = &options.out {
        let run = match ReplayedRun::new(&program, schedule.clone()) {
            Ok(run) => run,
            Err(why) => {
                eprintln!("error: {}: {why}", options.schedule.display());
                return Ending::BadInput;
            }
        };
        let name = compile::file_names(&input).join(" ");
        let verdict = format!("false({})", run.violation.property.name());
        let replay = format!(
            "raddle replay {} --schedule {}",
            compile::command_line(&input),
            options.schedule.display()
        );
        outputs.push((
            path,
            failing(&program, None, &name, &verdict, &[], &replay, &run),
        ));
    }
    let told = match options.chrome.is_some() || options.shiviz.is_some() {
        true => story(&program, &schedule, Detail::Steps),
        false => Story::default(),
    };
    if let Some(path) = &options.chrome {
        outputs.push((path, exports::chrome(&program, &told)));
    }
    if let Some(path) = &options.shiviz {
        outputs.push((path, exports::shiviz(&program, &told)));
    }
    for (path, text) in outputs {
        if let Err(error) = std::fs::write(path, text) {
            eprintln!("error: cannot write {}: {error}", path.display());
            return Ending::BadInput;
        }
    }
    Ending::Fine
}
