//! No violation of a run is where the property evidently holds.

use raddle_analysis::Facts;
use raddle_analysis::evident::unclear;
use raddle_interp::schedulers::{Pct, Random, Scheduler};
use raddle_interp::{Checks, Config, End, Machine, Violation};
use raddle_ir::{Program, Property, Subject};
use std::collections::BTreeSet;

/// Runs with one property checked after the other, so that none hides another.
pub fn contradictions(program: &Program, facts: &Facts, runs: u64) -> Vec<String> {
    let mut found = Vec::new();
    let started = std::time::Instant::now();
    for property in Property::ALL {
        let Some(left) = unclear(facts, property) else {
            continue;
        };
        for seed in 0..runs {
            if started.elapsed().as_secs() > 2 {
                return found;
            }
            if let Some(violation) = violation(program, property, seed)
                && let Some(subject) = evident_subject(program, &left, &violation)
            {
                found.push(format!(
                    "{property} is evident of {subject:?} (seed {seed}): {}",
                    violation.message
                ));
                break;
            }
        }
    }
    found
}

/// The question that a violation answers, if it is not among those left.
fn evident_subject(
    program: &Program,
    left: &BTreeSet<Subject>,
    violation: &Violation,
) -> Option<Subject> {
    let span = program.span_of(violation.at);
    let place = match span.is_somewhere() {
        true => Subject::Place(span),
        false => Subject::Program,
    };
    let subject = match (&violation.object, violation.property) {
        (Some(object), Property::NoDataRace) => Subject::Object(object.clone()),
        _ => place,
    };
    // What is asked of the program as a whole may show anywhere.
    let known = left.contains(&subject) || left.contains(&Subject::Program);
    (!known).then_some(subject)
}

fn violation(program: &Program, property: Property, seed: u64) -> Option<Violation> {
    let config = Config {
        checks: [property].into_iter().collect::<Checks>(),
        output: false,
        quantum: 100,
        max_depth: 40,
        ..Config::default()
    };
    let mut scheduler: Box<dyn Scheduler> = match seed % 2 {
        0 => Box::new(Random::new(seed)),
        _ => Box::new(Pct::new(seed, 3, 60)),
    };
    let scheduler = scheduler.as_mut();
    let mut machine = Machine::new(program, config, scheduler);
    for _ in 0..1_500 {
        let enabled = machine.enabled_threads();
        if enabled.is_empty() || machine.threads().count() > 40 {
            break;
        }
        let thread = scheduler.pick(&machine, &enabled)?;
        machine.step(thread, scheduler);
    }
    match machine.end() {
        Some(End::Violation(v)) => Some((**v).clone()),
        _ => None,
    }
}
