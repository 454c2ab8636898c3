//! What nobody decides on is left out: updates of variables on which no guard depends, directly or through others.
//!
//! Let D be variables such that no guard, no value given to another variable and no element stored to an undivided object reads one of them. Then two
//! states that agree on all other variables can do the same and still agree afterwards (Weiser, "Program slicing", 1984; here over actions, so that
//! interleaving needs no care). Errors are actions, so a proof without D is a proof. Critical sections that leave the last value seen in a variable then
//! commute, where before their order showed in D.
//!
//! What was left out is recorded ([`System::sliced`]); the checker of proofs finds out for itself that nothing reads it. *Not together with* deadlocks,
//! whose conditions are made on the way, or threads of any number, whose auxiliary variables are written for the sake of invariants.

use crate::system::{ActionId, System, VarId};
use raddle_solver::term::TermId;
use std::collections::BTreeSet;

/// Leaves out what no guard depends on.
pub fn leave_out_what_decides_nothing(system: &mut System) {
    if system.ccfg.sleepers || !system.crowds.is_empty() {
        return;
    }
    let needed = needed(system);
    for a in 0..system.actions.len() {
        let updates = std::mem::take(&mut system.actions[a].updates);
        let (kept, left): (Vec<_>, Vec<_>) =
            updates.into_iter().partition(|(v, _)| needed.contains(v));
        system.actions[a].updates = kept;
        if left.is_empty() {
            continue;
        }
        let action = &system.actions[a];
        let mut roots: Vec<TermId> = action.updates.iter().map(|u| u.1).collect();
        roots.push(action.guard);
        system.actions[a].reads = system.read_by(&roots);
        let left = left.into_iter().map(|(v, t)| (ActionId(a as u32), v, t));
        system.sliced.extend(left);
    }
}

/// The variables on which guards depend, and what is stored.
fn needed(system: &System) -> BTreeSet<VarId> {
    let mut roots: Vec<TermId> = Vec::new();
    for a in &system.actions {
        roots.push(a.guard);
        roots.extend(a.stored.iter().map(|s| s.1));
    }
    let mut needed: BTreeSet<VarId> = system.read_by(&roots).into_iter().collect();
    needed.extend(system.actions.iter().filter_map(|a| a.acquires));
    needed.extend(system.actions.iter().filter_map(|a| Some(a.joins?.0)));
    let mut updates: Vec<(VarId, Vec<VarId>)> = Vec::new();
    for a in &system.actions {
        updates.extend(a.updates.iter().map(|(v, t)| (*v, system.read_by(&[*t]))));
    }
    loop {
        let before = needed.len();
        for (v, reads) in &updates {
            if needed.contains(v) {
                needed.extend(reads);
            }
        }
        if needed.len() == before {
            return needed;
        }
    }
}
