//! Candidates made from real runs are confirmed; broken ones are refused with a reason.

mod support;

use raddle_interp::schedule::Schedule;
use raddle_ir::{DataModel, Program, Property};
use raddle_verdict::{Candidate, Judge};
use raddle_witness::{Replayer, replay, switches};
use support::{Case, Recorded, cases, compile, config, record, root, thin};

/// Up to so many violating runs of a program are tried, out of so many.
const RUNS: usize = 3;
const SEEDS: u64 = 60;

/// Lets the judge confirm a candidate made from this run; the context switches that are left.
fn check(case: &Case, run: &Recorded, candidate: &Candidate) -> Result<usize, String> {
    let mut judge = Replayer::new(&case.program, &[candidate.property]);
    let found = judge.confirm(candidate)?;
    if found.property != candidate.property {
        let (is, should) = (found.property, candidate.property);
        return Err(format!("{is} instead of {should}"));
    }
    let mut places = run.places.iter().map(|at| case.program.span_of(*at));
    if !places.any(|span| span == found.span) {
        return Err(format!("at {:?}", found.span));
    }
    let schedule = Schedule::from_json(&found.schedule)?;
    schedule.check_program(&case.program)?;
    let violation = replay(&case.program, &schedule)?;
    if violation.property != found.property || violation.message != found.message {
        return Err(format!("the schedule shows {}", violation.message));
    }
    match switches(&schedule.events) {
        short if short <= run.switches => Ok(short),
        short => Err(format!("{short} context switches, not {}", run.switches)),
    }
}

/// Violating runs of a program, with their seeds.
fn runs(case: &Case) -> Vec<(u64, Recorded)> {
    let mut all = Vec::new();
    for properties in &case.violated {
        let config = config(properties);
        let run = |seed| Some((seed, record(&case.program, &config, seed)?));
        all.extend((0..SEEDS).filter_map(run).take(RUNS));
    }
    all
}

#[test]
fn candidates_from_real_runs_are_confirmed_and_shortened() {
    let (mut confirmed, mut before, mut after) = (0, 0, 0);
    let mut problems = Vec::new();
    for case in cases() {
        for (seed, run) in runs(&case) {
            let whole = ("whole", run.candidate.clone());
            for (kind, candidate) in [whole, ("thin", thin(&run.candidate))] {
                match check(&case, &run, &candidate) {
                    Ok(short) => {
                        confirmed += 1;
                        before += run.switches;
                        after += short;
                    }
                    Err(why) => problems.push(format!(
                        "{}: {} seed {seed}, {kind}: {why}",
                        case.path.display(),
                        candidate.property
                    )),
                }
            }
        }
    }
    eprintln!("{confirmed} candidates: {before} context switches, shortened to {after}");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(confirmed > 200, "only {confirmed} candidates");
    assert!(after < before);
}

/// A lost update: both threads read 0 before either writes.
fn lost_update() -> (Program, Candidate) {
    let path = root().join("tests/semantics/executions/increment_is_two_steps.c");
    let program = compile(&path, DataModel::Lp64);
    let config = config(&[Property::UnreachCall]);
    let mut seeds = (0..SEEDS).filter_map(|seed| record(&program, &config, seed));
    let candidate = seeds.next().expect("a lost update").candidate;
    (program, candidate)
}

fn refusal(program: &Program, candidate: &Candidate) -> String {
    let mut judge = Replayer::new(program, &[Property::UnreachCall, Property::NoOverflow]);
    let refused = judge.confirm(candidate);
    assert_eq!(
        judge.refused().len(),
        1,
        "the judge remembers what it refused"
    );
    refused.expect_err("a broken candidate is refused")
}

#[test]
fn broken_candidates_are_refused_with_a_reason() {
    let (program, good) = lost_update();
    assert!(
        Replayer::new(&program, &[good.property])
            .confirm(&good)
            .is_ok()
    );

    let mut other_property = good.clone();
    other_property.property = Property::NoOverflow;
    let reason = refusal(&program, &other_property);
    assert!(reason.contains("the process aborts"), "{reason}");
    other_property.property = Property::NoDeadlock;
    let reason = refusal(&program, &other_property);
    assert!(reason.contains("not asked for"), "{reason}");

    let mut other_place = good.clone();
    other_place.at.index += 1;
    let reason = refusal(&program, &other_place);
    assert!(reason.contains("not at"), "{reason}");

    // One thread after the other: no update is lost.
    let mut other_order = good.clone();
    other_order
        .steps
        .sort_by_key(|s| s.thread == 0 && s.starts.is_none());
    let reason = refusal(&program, &other_order);
    assert!(reason.contains("the process ends"), "{reason}");

    let mut nobody = good.clone();
    nobody.steps.retain(|s| s.starts.is_none());
    let reason = refusal(&program, &nobody);
    assert!(reason.contains("but was never made"), "{reason}");

    let mut too_often = good.clone();
    let child = too_often.steps.iter_mut().find(|s| s.thread != 0);
    child.expect("a step of the child").occurrence = 7;
    let reason = refusal(&program, &too_often);
    assert!(reason.contains("should execute `x++`"), "{reason}");
    assert!(reason.contains("increment_is_two_steps.c:10"), "{reason}");
    assert!(reason.contains("but it has ended"), "{reason}");
}

#[test]
fn a_thread_that_is_joined_comes_to_its_end_first() {
    // Nothing is said about the child, so it runs as a whole before the join, and no update is lost.
    let (program, mut candidate) = lost_update();
    candidate.steps.retain(|s| s.thread == 0);
    let reason = refusal(&program, &candidate);
    assert!(reason.contains("the process ends"), "{reason}");
}
