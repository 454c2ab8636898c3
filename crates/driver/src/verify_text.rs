//! The answer of `raddle verify` for people. The last line is the verdict; what is above it is the same whoever reads it.

use crate::cli::VerifyOptions;
use crate::compile;
use crate::havoc;
use crate::render::Renderer;
use crate::verify::Conclusion;
use crate::verify_questions;
use raddle_ir::{Instr, LimitKind, Op, Program, Property, Span, SyncOp};
use raddle_verdict::{Proof, Request, StopCause, Unknown, Verdict};
use std::io::IsTerminal;

/// Everything that goes to standard output.
pub fn text(
    options: &VerifyOptions,
    program: &Program,
    request: &Request,
    conclusion: &Conclusion,
) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    let verdict = conclusion.verdict();
    match &verdict {
        Some(Verdict::True(proof)) => {
            line(format!("proved: {}", proof.how));
            if let Some(certificate) = &proof.certificate {
                line(format!("certificate: {certificate}"));
            }
            for assumption in assumptions(program, request, Some(proof)) {
                line(format!("assumed: {assumption}"));
            }
        }
        Some(Verdict::False(_)) => {
            violations(program, conclusion, &mut line);
            let projection = conclusion.shown.iter().map(|s| &s.found.projection);
            for projection in projection.filter(|p| !p.is_empty()) {
                let steps = projection.len();
                line(format!("projection: the {steps} steps that matter"));
                for step in projection {
                    line(format!("  {step}"));
                }
            }
            line(replay(options));
            for assumption in from_program(program) {
                line(format!("assumed: {assumption}"));
            }
        }
        Some(Verdict::Unknown(unknown)) => {
            if matches!(unknown, Unknown::Needs(_)) {
                violations(program, conclusion, &mut line);
            }
            let ledger = &conclusion.ledger;
            let open = verify_questions::open(program, ledger, options.verbose);
            open.into_iter().for_each(&mut line);
            why(program, request, unknown)
                .into_iter()
                .for_each(&mut line);
        }
        None => line("no engine of this name is built into this program".into()),
    }
    if let (Some(path), Some(taken)) = (&options.ledger, &conclusion.taken_up) {
        let what = raddle_report::taken_up(taken);
        line(format!("ledger: {}: {what}", path.display()));
    }
    if conclusion.asked {
        line(verify_questions::summary(&conclusion.ledger));
    }
    out + &format!("verdict: {}\n", conclusion.line())
}

/// The violations that were found, each with what it needs and its schedule.
fn violations(program: &Program, conclusion: &Conclusion, line: &mut dyn FnMut(String)) {
    let mut renderer = Renderer::new(program, std::io::stdout().is_terminal());
    for shown in &conclusion.shown {
        for need in havoc::lines(program, &shown.needs) {
            line(need);
        }
        if let Some(cause) = raddle_report::cause(program, &shown.run.violation) {
            line(format!("{cause}."));
        }
        // The stacks are seen on the way.
        let story = shown.run.steps(program);
        let text = renderer.violation(&shown.run);
        line(text.trim_end().to_string());
        let mut source = |span| renderer.line(span);
        let columns =
            raddle_report::columns(program, story, &shown.run.violation, &mut source, width());
        line(format!("schedule:\n{}", columns.trim_end()));
    }
}

/// How wide the lines of a schedule may be.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    columns.unwrap_or(110).clamp(60, 240)
}

/// How to see it again.
pub fn replay(options: &VerifyOptions) -> String {
    let program = compile::command_line(&options.input);
    let arguments = match options.args.is_empty() {
        true => String::new(),
        false => format!(" -- {}", options.args.join(" ")),
    };
    match &options.witness {
        Some(path) => format!(
            "replay: raddle replay {program} --schedule {}{arguments}",
            path.display()
        ),
        None => {
            format!(
                "replay: add --witness FILE, then: raddle replay {program} --schedule FILE{arguments}"
            )
        }
    }
}

/// A place for a reader; empty if there is none.
pub fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file.0 as usize) {
        Some(file) if span.is_somewhere() => format!("{file}:{}:{}: ", span.line, span.column),
        _ => String::new(),
    }
}

fn from_program(program: &Program) -> impl Iterator<Item = String> {
    let all = program.assumptions.iter();
    all.map(|a| format!("{}{}", place(program, a.span), a.what))
}

/// Everything a `true` takes for granted.
pub fn assumptions(program: &Program, request: &Request, proof: Option<&Proof>) -> Vec<String> {
    let asked = |p: Property| request.properties.contains(&p);
    let mut all = vec![match asked(Property::NoDataRace) {
        true => "sequential consistency".to_string(),
        false => "sequential consistency for a possibly racy program".to_string(),
    }];
    all.push(format!("data model {}", program.model.name()));
    all.push("`malloc` never fails".into());
    let creates = |i: &Instr| {
        matches!(
            i.op,
            Op::Sync {
                op: SyncOp::ThreadNew,
                ..
            }
        )
    };
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    if blocks.flat_map(|b| &b.instrs).any(creates) {
        all.push("the creation of a thread never fails".into());
    }
    if let Some(inputs) = &request.inputs {
        let values: Vec<String> = inputs.iter().map(i128::to_string).collect();
        let values = values.join(", ");
        all.push(format!("each thread is given the inputs {values}, then 0"));
    }
    if !asked(Property::ValidDeref) {
        all.push("invalid memory accesses, not proved absent, stop the thread".into());
    }
    if !asked(Property::NoDivZero) {
        all.push("divisions by zero, not proved absent, stop the thread".into());
    }
    if !asked(Property::NoOverflow) {
        all.push("signed overflow, not proved absent, wraps around".into());
    }
    all.extend(from_program(program));
    all.extend(
        proof
            .into_iter()
            .flat_map(|p| p.assumptions.iter())
            .map(|a| raddle_report::assumption(program, a)),
    );
    let mut seen = std::collections::HashSet::new();
    all.retain(|a| seen.insert(a.clone()));
    all
}

/// Why there is no answer, and what to try.
pub fn why(program: &Program, request: &Request, unknown: &Unknown) -> Vec<String> {
    let mut lines = Vec::new();
    match unknown {
        Unknown::SafeUpTo(cuts) => {
            for cut in cuts {
                let place = place(program, cut.span);
                let (function, bound) = (&cut.function, cut.bound);
                lines.push(format!(
                    "cut: {place}in {function}, not followed beyond {bound} iterations"
                ));
            }
            lines.push(match request.unwind {
                Some(n) => format!(
                    "try: --unwind {}, or none at all",
                    n.saturating_mul(2).max(1)
                ),
                None => "try: a longer --timeout, or --unwind N to look deeper".into(),
            });
        }
        Unknown::SafeForThreads(n) => lines.push(format!(
            "threads can be made without end; no violation with {n} of each creation"
        )),
        Unknown::SafeForRounds(rounds, bound) => {
            let iterations = bound.map_or(String::new(), |n| format!(" and {n} iterations"));
            lines.push(format!(
                "no violation within {rounds} rounds{iterations}; executions that switch more often were left out"
            ));
            lines.push("try: a larger -Z rounds, or none at all".into());
        }
        Unknown::SafeToDepth(depth) => {
            lines.push(format!(
                "no violation within {depth} steps; there may be longer executions"
            ));
            lines.push("try: a larger -Z depth, or none at all".into());
        }
        Unknown::SafeWithin(limit) => {
            lines.push(format!(
                "no violation for {limit}; everything else was left out"
            ));
            let mut limits = program.limits.iter();
            if limits.any(|l| l.kind == LimitKind::Arguments) {
                lines.push(
                    "try: -- ARGS behind the files for the arguments of `main`, or a `main` that calls what is to be verified".into(),
                );
            }
        }
        Unknown::Needs(_) => lines.push(
            "try: --havoc=any to take every value for possible, or a definition of the function"
                .into(),
        ),
        Unknown::OnlyFromStart => lines.push(unknown.to_string()),
        Unknown::Unsupported { what, span } => {
            lines.push(format!("unsupported: {}{what}", place(program, *span)));
            lines.push(
                "try: raddle run, which executes such programs without proving anything".into(),
            );
        }
        Unknown::Stopped { cause, bound } => {
            if let Some(bound) = bound {
                lines.push(format!(
                    "no violation within {bound} iterations of every loop"
                ));
            }
            lines.push(match cause {
                StopCause::Time => {
                    "try: a longer --timeout, or --unwind N to finish a smaller bound".into()
                }
                StopCause::Cpu => {
                    "try: a longer --cpu-limit, or --unwind N to finish a smaller bound".into()
                }
                StopCause::Memory => {
                    "try: more --memory, or --unwind N to finish a smaller bound".into()
                }
                StopCause::Cancelled => "stopped by the user".into(),
            });
        }
        Unknown::GaveUp(how) => lines.push(format!("gave up: {how}")),
        Unknown::NotReplayed(reason) | Unknown::Internal(reason) => {
            lines.push(format!("internal error: {reason}"));
        }
    }
    lines
}
