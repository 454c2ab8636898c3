//! Variables on which no guard depends, directly or through others: what they hold does not matter, so it need not be listed.
//!
//! Where races or deadlocks are asked for, most data is of this kind: a counter under a lock would be counted up for nothing. Deadlocks are first looked for
//! with nothing listed but what decides who waits; what is needed besides is left to predicates.

use crate::system::{System, VarId};
use raddle_actions::waiting::decisive;
use raddle_solver::term::TermId;
use std::collections::BTreeSet;

/// The variables that do not matter.
pub fn irrelevant(system: &System) -> Vec<VarId> {
    let guards = system.actions.iter().map(|a| a.guard);
    let roots = guards.flat_map(|g| read(system, g)).collect();
    besides(system, roots)
}

/// The variables that do not decide who waits, but at most whether a thread gets to a place.
pub fn undecisive(system: &mut System) -> Vec<VarId> {
    let roots = decisive(system).into_iter().collect();
    besides(system, roots)
}

fn read(system: &System, term: TermId) -> Vec<VarId> {
    let free = system.pool.free_variables(&[term]);
    let known = free.iter().filter_map(|t| system.by_term.get(t).copied());
    known.collect()
}

/// All variables but these, and those that they get their values from.
fn besides(system: &System, mut relevant: BTreeSet<VarId>) -> Vec<VarId> {
    let mut updates: Vec<(VarId, Vec<VarId>)> = Vec::new();
    for a in &system.actions {
        updates.extend(a.updates.iter().map(|(v, t)| (*v, read(system, *t))));
    }
    loop {
        let before = relevant.len();
        for (v, reads) in &updates {
            if relevant.contains(v) {
                relevant.extend(reads);
            }
        }
        if relevant.len() == before {
            break;
        }
    }
    let all = (0..system.variables.len() as u32).map(VarId);
    all.filter(|v| !relevant.contains(v)).collect()
}
