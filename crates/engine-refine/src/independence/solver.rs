//! The second layer: do two actions commute, whatever the state? The solver is asked.
//!
//! They do if one after the other is possible exactly if the other way round is, for all choices of both, and leads to the same state. So
//! two increments commute, and so do two critical sections that leave everything as it was. This holds in every state, so it serves sleep
//! sets and persistent sets alike. (Farzan, Klumpp and Podelski, "Stratified commutativity in verification algorithms for
//! concurrent programs", 2023, say how much this is worth.)

use crate::system::{ActionId, System};
use raddle_solver::term::{TermId, TermPool};
use std::collections::{BTreeSet, HashMap};

/// A term that holds in the states in which the order of two actions matters.
pub fn difference(system: &mut System, a: ActionId, b: ActionId) -> TermId {
    let (a, b) = (system.get(a), system.get(b));
    let map = |all: &[(crate::system::VarId, TermId)]| -> HashMap<TermId, TermId> {
        let term = |v: &crate::system::VarId| system.variables[v.0 as usize].term;
        all.iter().map(|(v, t)| (term(v), *t)).collect()
    };
    let (after_a, after_b) = (map(&a.updates), map(&b.updates));
    let (guard_a, guard_b) = (a.guard, b.guard);
    let pool = &mut system.pool;
    let first_a = pool.substitute(guard_b, &after_a);
    let first_a = pool.and(guard_a, first_a);
    let first_b = pool.substitute(guard_a, &after_b);
    let first_b = pool.and(guard_b, first_b);
    let mut differs = pool.xor(first_a, first_b);
    let written: BTreeSet<TermId> = after_a.keys().chain(after_b.keys()).copied().collect();
    for v in written {
        let ab = behind(pool, v, &after_b, &after_a);
        let ba = behind(pool, v, &after_a, &after_b);
        let other = pool.ne_of_sums(ab, ba);
        let both = pool.and(first_a, other);
        differs = pool.or(differs, both);
    }
    differs
}

/// The value of a variable after two actions, in terms of the state before them.
fn behind(
    pool: &mut TermPool,
    v: TermId,
    second: &HashMap<TermId, TermId>,
    first: &HashMap<TermId, TermId>,
) -> TermId {
    let value = second.get(&v).copied().unwrap_or(v);
    pool.substitute(value, first)
}
