//! What a feasible run claims: one candidate for the judge, or several ways to say the same.
//!
//! A run to a race ends in a state in which one thread has announced its access and another looks (`raddle_ccfg`, `races.rs`): both stand before their accesses, so
//! the last action is no step. The end of an object may be a step
//! of its own, or happen silently. Who goes first is a matter of taste, and so is whether what lies before the access in its block is said. A run to a
//! deadlock ends with a question, too.

use crate::system::{ActionId, System};
use raddle_actions::{candidate, candidate_with_ends};
use raddle_ccfg::{InstanceId, Watch, What};
use raddle_ir::{Location, Property};
use raddle_solver::Model;
use raddle_solver::term::TermId;
use raddle_verdict::Candidate;

/// The candidates, the likeliest first.
pub fn claims(
    system: &System,
    path: &[ActionId],
    (model, choices): (&Model, &[Vec<TermId>]),
    what: (Property, Location),
) -> Vec<Candidate> {
    let whole = candidate(system, path, model, choices, what);
    let Some((last, before)) = path.split_last() else {
        return vec![whole];
    };
    if matches!(what.0, Property::ValidDeref | Property::ValidFree) {
        let ends = candidate_with_ends(system, path, model, choices, what);
        return vec![whole, ends];
    }
    if !matches!(what.0, Property::NoDataRace | Property::NoDeadlock) {
        return vec![whole];
    }
    let thread = system.get(*last).thread;
    let mut standing = candidate(system, before, model, choices, what);
    standing.thread = thread.0;
    if what.0 == Property::NoDeadlock {
        standing.spurious_wakeups = false;
        return vec![standing];
    }
    standing.choices = whole.choices.clone();
    let mut all = vec![standing.clone(), whole];
    if let Some((other, at)) = announcer(system, before, thread) {
        standing.thread = other.0;
        standing.at = at;
        all.push(standing);
    }
    all
}

/// Another thread whose last action was to announce an access, and where.
fn announcer(
    system: &System,
    path: &[ActionId],
    but: InstanceId,
) -> Option<(InstanceId, Location)> {
    let threads = system.instances.ids().filter(|t| *t != but);
    let mut found = threads.filter_map(|t| {
        let last = path.iter().rev().find(|a| system.get(**a).thread == t)?;
        let action = system.get(*last);
        let template = system.ccfg.template(system.instances.get(t).template);
        let steps = &template.edges[action.edge.0 as usize].steps;
        let marks = |w: &What| matches!(w, What::Watch(Watch::Mark | Watch::MarkFirst, _));
        steps
            .iter()
            .rev()
            .find(|s| marks(&s.what))
            .map(|s| (t, s.at))
    });
    found.next()
}
