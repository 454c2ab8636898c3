//! Variables on which no guard depends, directly or through others: what they hold does not matter, so it need not be listed.
//!
//! Where races or deadlocks are asked for, most data is of this kind: a counter under a lock would be counted up for nothing.

use crate::system::{System, VarId};
use raddle_solver::term::TermId;
use std::collections::BTreeSet;

/// The variables that do not matter.
pub fn irrelevant(system: &System) -> Vec<VarId> {
    let read = |t: TermId| -> Vec<VarId> {
        let free = system.pool.free_variables(&[t]);
        let known = free.iter().filter_map(|t| system.by_term.get(t).copied());
        known.collect()
    };
    let mut relevant: BTreeSet<VarId> = BTreeSet::new();
    for a in &system.actions {
        relevant.extend(read(a.guard));
    }
    let mut updates: Vec<(VarId, Vec<VarId>)> = Vec::new();
    for a in &system.actions {
        updates.extend(a.updates.iter().map(|(v, t)| (*v, read(*t))));
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
