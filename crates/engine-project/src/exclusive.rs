//! Which actions of one place exclude each other by their guards: those need no choice of their own.

use raddle_actions::system::{ActionId, System};
use raddle_solver::term::{Op, Term, TermId};
use std::collections::{BTreeSet, HashSet};

/// Actions of one location that are not seen to exclude each other.
pub fn ambiguous(system: &mut System) -> HashSet<ActionId> {
    let mut all = HashSet::new();
    for places in system.outgoing.clone() {
        for actions in places {
            for (i, a) in actions.iter().enumerate() {
                for b in &actions[..i] {
                    if !exclusive(system, *a, *b) {
                        all.extend([*a, *b]);
                    }
                }
            }
        }
    }
    all
}

fn exclusive(system: &mut System, a: ActionId, b: ActionId) -> bool {
    let (x, y) = (system.get(a).guard, system.get(b).guard);
    let both = system.pool.and(x, y);
    if *system.pool.term(both) == Term::Bool(false) {
        return true;
    }
    let mut conjuncts: BTreeSet<TermId> = BTreeSet::new();
    let mut work = vec![x, y];
    while let Some(t) = work.pop() {
        match *system.pool.term(t) {
            Term::App { op: Op::And, .. } => work.extend_from_slice(system.pool.args(t)),
            _ => {
                let opposite = system.pool.not(t);
                if conjuncts.contains(&opposite) {
                    return true;
                }
                conjuncts.insert(t);
            }
        }
    }
    false
}
