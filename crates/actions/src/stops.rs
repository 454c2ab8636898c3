//! A thread stops within an atomic region only where it cannot go on.
//!
//! `raddle-ccfg` gives every access that may be invalid a way on which the thread stops before it, whether it is invalid or not. That is enough
//! for a proof, but paths that stop without need do not replay. Here such a way is taken only if none of those that go on is possible.

use crate::system::{ActionId, Origin, Outcome, Status, System, VarId};
use raddle_ccfg::Edge;
use raddle_ir::Program;
use raddle_verdict::{Assumption, AssumptionKind};
use std::collections::BTreeSet;

/// Adds the condition to the guards of actions that lead nowhere.
pub fn only_where_needed(system: &mut System) {
    for a in 0..system.actions.len() {
        let action = &system.actions[a];
        let Outcome::Next(Status::At(to)) = action.outcome else {
            continue;
        };
        let of = &system.outgoing[action.thread.0 as usize];
        if !of[to.0 as usize].is_empty() {
            continue;
        }
        let from = of[action.from.0 as usize].clone();
        let on: Vec<ActionId> = from
            .into_iter()
            .filter(|b| goes_on(system, ActionId(a as u32), *b))
            .collect();
        for b in on {
            let possible = system.get(b).guard;
            let impossible = system.pool.not(possible);
            let guard = system.actions[a].guard;
            system.actions[a].guard = system.pool.and(guard, impossible);
        }
        let guard = system.actions[a].guard;
        let free = system.pool.free_variables(&[guard]);
        let read = free.iter().filter_map(|t| system.by_term.get(t).copied());
        let mut reads = system.actions[a].reads.clone();
        reads.extend(read);
        reads.sort_unstable();
        reads.dedup();
        system.actions[a].reads = reads;
    }
    leave_out_what_nobody_notices(system);
    end_with_errors(system);
}

/// A run ends with an error, so nobody sees what its last action writes: only when it can happen matters, and with what it commutes.
fn end_with_errors(system: &mut System) {
    for a in 0..system.actions.len() {
        if matches!(system.actions[a].outcome, Outcome::Next(_)) {
            continue;
        }
        let free = system.pool.free_variables(&[system.actions[a].guard]);
        let read = free.iter().filter_map(|t| system.by_term.get(t).copied());
        let mut reads: Vec<VarId> = read.collect();
        reads.sort_unstable();
        system.actions[a].reads = reads;
        system.actions[a].updates.clear();
    }
}

/// Leaves out actions after which a thread stands still and nobody has noticed anything: it might as well not have begun. Where the way on is
/// closed by an assume of the same region, such a path would not replay.
fn leave_out_what_nobody_notices(system: &mut System) {
    let unnoticed = |id: &ActionId| {
        let action = system.get(*id);
        let Outcome::Next(Status::At(to)) = action.outcome else {
            return false;
        };
        let own = |v: VarId| {
            let origin = system.variables[v.0 as usize].origin;
            matches!(origin, Origin::Local(t, _) if t == action.thread)
        };
        system.outgoing[action.thread.0 as usize][to.0 as usize].is_empty()
            && action.control.is_empty()
            && action.updates.iter().all(|u| own(u.0))
    };
    let all = system.outgoing.iter().flatten().flatten();
    let gone: BTreeSet<ActionId> = all.copied().filter(unnoticed).collect();
    for ids in system.outgoing.iter_mut().flatten() {
        ids.retain(|id| !gone.contains(id));
    }
}

/// Whether an action does the same as another, and then more; one that asks for inputs is left alone, because others may be possible.
fn goes_on(system: &System, stop: ActionId, other: ActionId) -> bool {
    let (stop, other) = (system.get(stop), system.get(other));
    let template = system
        .ccfg
        .template(system.instances.get(stop.thread).template);
    let edge = |e: raddle_ccfg::EdgeId| -> &Edge { &template.edges[e.0 as usize] };
    let (short, long) = (&edge(stop.edge).steps, &edge(other.edge).steps);
    let plain = other.choices.is_empty() && other.control.is_empty();
    plain
        && long.len() > short.len()
        && short
            .iter()
            .zip(long)
            .all(|(x, y)| x.at == y.at && x.what == y.what)
}

/// What a proof over a system takes for granted: where its threads stop, they are taken to do so because a property is violated.
pub fn assumptions(program: &Program, system: &System) -> Vec<Assumption> {
    let stops = system.actions.iter().flat_map(|a| &a.stops);
    let all = stops.map(|(property, at)| Assumption {
        kind: AssumptionKind::Holds(*property),
        span: program.span_of(*at),
    });
    let distinct: BTreeSet<Assumption> = all.collect();
    distinct.into_iter().collect()
}
