//! Candidates made from real runs are confirmed; broken ones are refused with a reason.

mod support;

use raddle_interp::schedule::Schedule;
use raddle_ir::Property;
use raddle_verdict::{Candidate, Judge};
use raddle_witness::{Replayer, replay};
use support::{Case, cases, config, record, thin};

/// Up to so many violating runs of a program are tried, out of so many.
const RUNS: usize = 3;
const SEEDS: u64 = 60;

fn check(case: &Case, candidate: &Candidate, properties: &[Property]) -> Result<(), String> {
    let mut judge = Replayer::new(&case.program, properties);
    let found = judge.confirm(candidate)?;
    if found.property != candidate.property {
        return Err(format!(
            "{} instead of {}",
            found.property, candidate.property
        ));
    }
    let spans = case.program.span_of(candidate.at);
    let loose = matches!(
        found.property,
        Property::NoDataRace | Property::NoDeadlock | Property::ValidMemtrack
    );
    if !loose && found.span != spans {
        return Err(format!("at {:?} instead of {spans:?}", found.span));
    }
    let schedule = Schedule::from_json(&found.schedule)?;
    schedule.check_program(&case.program)?;
    let violation = replay(&case.program, &schedule)?;
    match violation.property == found.property {
        true => Ok(()),
        false => Err(format!("the schedule shows {}", violation.property)),
    }
}

#[test]
fn candidates_from_real_runs_are_confirmed() {
    let mut confirmed = 0;
    let mut problems = Vec::new();
    for case in cases() {
        for properties in &case.violated {
            let runs = (0..SEEDS).filter_map(|seed| {
                let (candidate, _) = record(&case.program, &config(properties), seed)?;
                Some((seed, candidate))
            });
            for (seed, candidate) in runs.take(RUNS) {
                for (kind, candidate) in [("whole", candidate.clone()), ("thin", thin(&candidate))]
                {
                    match check(&case, &candidate, properties) {
                        Ok(()) => confirmed += 1,
                        Err(why) => problems.push(format!(
                            "{}: {} seed {seed}, {kind}: {why}",
                            case.path.display(),
                            candidate.property
                        )),
                    }
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(confirmed > 200, "only {confirmed} candidates");
}
