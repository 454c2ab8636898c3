//! One program, explored in every way.

use crate::count;
use crate::random_programs::truth::enumerate;
use raddle_engine_fusion::{FusionEngine, Method, Strategy};

use raddle_interp::Checks;
use raddle_interp::explore::Exploration;
use raddle_ir::{Program, Property};
use raddle_verdict::{Budget, Engine, Request, Unknown, Verdict};
use raddle_witness::Replayer;
use std::time::Duration;

/// Steps of the enumeration, and executions in which classes are counted.
const STEPS: u64 = 15_000;
const EXECUTIONS: u64 = 1_000;

/// What is asked together.
const GROUPS: &[&[Property]] = &[
    &[Property::UnreachCall],
    &[Property::NoDataRace],
    &[Property::NoDeadlock],
    &[Property::ValidMemtrack],
    &[Property::ValidDeref, Property::ValidFree],
    &[
        Property::NoOverflow,
        Property::NoDivZero,
        Property::NoBadShift,
    ],
    &[Property::ValidSync],
    &[Property::NoUninit],
];

/// What was compared.
#[derive(Debug, Default)]
pub struct Tally {
    /// Questions about one property, by what enumeration says of it.
    pub violated: u64,
    pub safe: u64,
    pub not_enumerated: u64,
    /// Answers of the engine by its methods: true, false and unknown.
    pub explored: (u64, u64, u64),
    pub driven: (u64, u64, u64),
    pub pruned: (u64, u64, u64),
    pub remembered: (u64, u64, u64),
    /// Questions that the search for reads-from classes answered, programs whose reads-from classes were counted, and how many these are.
    pub by_reading: u64,
    pub read: u64,
    pub readings: u64,
    /// Programs whose classes were counted, and how many classes and interleavings they had.
    pub counted: u64,
    pub classes: u64,
    pub interleavings: u64,
}

/// What is wrong, if something is.
pub fn compare(program: &Program, tally: &mut Tally) -> Option<String> {
    let first = enumerate(program, &[Property::UnreachCall], STEPS, false);
    if first.cut {
        tally.not_enumerated += 1;
        return None;
    }
    for group in GROUPS {
        if let Some(defect) = one_group(program, group, tally) {
            return Some(defect);
        }
    }
    if let Some(defect) = readings(program, tally) {
        return Some(defect);
    }
    // Without any checks, so that no violation ends an execution early.
    let ways = [(true, false), (false, false), (false, true)];
    ways.into_iter()
        .find_map(|way| classes(program, way, tally))
}

/// The same for the search for reads-from classes alone.
pub fn compare_readings(program: &Program, tally: &mut Tally) -> Option<String> {
    let first = enumerate(program, &[Property::UnreachCall], STEPS, false);
    if first.cut {
        tally.not_enumerated += 1;
        return None;
    }
    let mut groups = GROUPS.iter();
    let defect = groups.find_map(|group| {
        let truth = enumerate(program, group, STEPS, false);
        by_reading(program, group, &truth, tally)
    });
    defect.or_else(|| readings(program, tally))
}

/// The same for the search that remembers states alone.
pub fn compare_states(program: &Program, tally: &mut Tally) -> Option<String> {
    let first = enumerate(program, &[Property::UnreachCall], STEPS, false);
    if first.cut {
        tally.not_enumerated += 1;
        return None;
    }
    GROUPS.iter().find_map(|group| {
        let truth = enumerate(program, group, STEPS, false);
        let violated = !truth.violations.is_empty();
        match (violated, truth.cut) {
            (true, _) => tally.violated += 1,
            (false, true) => tally.not_enumerated += 1,
            (false, false) => tally.safe += 1,
        }
        let known = (violated, truth.cut);
        [Method::States, Method::ReducedStates]
            .iter()
            .find_map(|m| {
                let wrong = answer(program, group, *m, known, tally);
                wrong.map(|why| format!("{m:?} {why} {}: {:?}", group[0], truth.violations))
            })
    })
}

fn by_reading(
    program: &Program,
    group: &[Property],
    truth: &Exploration,
    tally: &mut Tally,
) -> Option<String> {
    let violated = !truth.violations.is_empty();
    let checks: Checks = group.iter().copied().collect();
    let found = count::violated_by_reading(program, checks, EXECUTIONS)?;
    tally.by_reading += 1;
    let wrong = found != violated && (violated || !truth.cut);
    wrong.then(|| {
        let p = group[0];
        format!(
            "reads-from says {found} to a violation of {p}: {:?}",
            truth.violations
        )
    })
}

fn one_group(program: &Program, group: &[Property], tally: &mut Tally) -> Option<String> {
    let truth = enumerate(program, group, STEPS, false);
    let p = group[0];
    let violated = !truth.violations.is_empty();
    match (violated, truth.cut) {
        (true, _) => tally.violated += 1,
        (false, true) => tally.not_enumerated += 1,
        (false, false) => tally.safe += 1,
    }
    for strategy in [Strategy::Classic, Strategy::Optimal, Strategy::Sleep] {
        let seen = count::explore(
            program,
            strategy,
            group.iter().copied().collect(),
            EXECUTIONS,
        );
        if seen.hits.is_empty() && violated && seen.complete {
            return Some(format!(
                "{strategy:?} misses a violation of {p}: {:?}",
                truth.violations
            ));
        }
        if !seen.hits.is_empty() && !violated && !truth.cut {
            return Some(format!(
                "{strategy:?} finds a violation of {p}: {:?}",
                seen.hits
            ));
        }
    }
    if let Some(defect) = by_reading(program, group, &truth, tally) {
        return Some(defect);
    }
    let methods = [
        Method::Explore(Strategy::Optimal),
        Method::Explore(Strategy::ReadsFrom),
        Method::Driven,
        Method::Prune,
        Method::States,
        Method::ReducedStates,
    ];
    methods.iter().find_map(|m| {
        // The solver knows all values, the enumeration those of a list.
        let asks = matches!(m, Method::Driven | Method::Prune);
        let missed = truth.cut || (asks && truth.sampled);
        let wrong = answer(program, group, *m, (violated, missed), tally);
        wrong.map(|why| format!("{m:?} {why} {p}: {:?}", truth.violations))
    })
}

/// What is wrong with the engine's answer, if something is; `truth` says whether there is a violation, and whether some may
/// have been missed.
fn answer(
    program: &Program,
    group: &[Property],
    method: Method,
    (violated, cut): (bool, bool),
    tally: &mut Tally,
) -> Option<String> {
    let request = Request {
        properties: group.to_vec(),
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_millis(150)),
    };
    let mut judge = Replayer::new(program, &request.properties);
    let engine = FusionEngine::with(method);
    let verdict = engine.check(program, &request, &mut judge, &mut |_| {});
    if let Some((_, why)) = judge.refused().first() {
        return Some(format!("is not replayed ({why}),"));
    }
    let counts = match method {
        Method::Driven => &mut tally.driven,
        Method::Prune => &mut tally.pruned,
        Method::States | Method::ReducedStates => &mut tally.remembered,
        _ => &mut tally.explored,
    };
    match verdict {
        Verdict::True(_) => {
            counts.0 += 1;
            violated.then(|| "says true to".to_string())
        }
        Verdict::False(found) => {
            counts.1 += 1;
            let wrong = !violated && !cut;
            wrong.then(|| format!("says false ({}) to", found[0].message))
        }
        Verdict::Unknown(Unknown::Internal(why) | Unknown::NotReplayed(why)) => {
            Some(format!("has an internal error ({why}),"))
        }
        Verdict::Unknown(_) => {
            counts.2 += 1;
            None
        }
    }
}

fn readings(program: &Program, tally: &mut Tally) -> Option<String> {
    let (ours, all) = count::explore_readings(program, EXECUTIONS)?;
    if !all.complete || !ours.complete {
        return None;
    }
    tally.read += 1;
    tally.readings += all.readings.len() as u64;
    let told = format!(
        "{} interleavings in {} reads-from classes, {} executions in {}",
        all.counts.executions,
        all.readings.len(),
        ours.counts.executions,
        ours.readings.len()
    );
    let once = ours.readings.values().all(|n| *n == 1);
    match ours.readings.keys().eq(all.readings.keys()) {
        false => Some(format!("reads-from classes are missed: {told}")),
        true if !once => Some(format!("reads-from classes are met twice: {told}")),
        true => None,
    }
}

fn classes(program: &Program, way: (bool, bool), tally: &mut Tally) -> Option<String> {
    let explore =
        |strategy| count::explore_with(program, strategy, Checks::none(), way, EXECUTIONS);
    let all = explore(Strategy::All);
    if !all.complete {
        return None;
    }
    let optimal = explore(Strategy::Optimal);
    let classic = explore(Strategy::Classic);
    tally.counted += 1;
    tally.classes += all.classes.len() as u64;
    tally.interleavings += all.counts.executions;
    let name = format!("(spurious, ends) = {way:?}");
    let told = format!(
        "{} interleavings in {} classes, optimal {} in {} and {} given up, classic {} in {}",
        all.counts.executions,
        all.classes.len(),
        optimal.counts.executions,
        optimal.classes.len(),
        optimal.counts.redundant,
        classic.counts.executions,
        classic.classes.len()
    );
    let same = |a: &count::Seen, b: &count::Seen| a.classes.keys().eq(b.classes.keys());
    if optimal.complete && !same(&all, &optimal) {
        return Some(format!("optimal misses classes, {name}: {told}"));
    }
    if classic.complete && !same(&all, &classic) {
        return Some(format!("classic misses classes, {name}: {told}"));
    }
    let once = optimal.counts.executions == optimal.classes.len() as u64;
    let exact = Strategy::Optimal.fit_for(program) == Strategy::Optimal;
    if !once || exact && optimal.counts.redundant > 0 {
        return Some(format!("optimal is not optimal, {name}: {told}"));
    }
    None
}
