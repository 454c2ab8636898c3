//! The third layer: two actions commute where certain values are known. For sleep sets only.
//!
//! A thread sleeps on while another acts if from this very state both orders lead to the same one; that they would not from others does
//! not matter, since what sleeps was explored from here. Persistent sets cannot use this: they speak of all that may happen before.

use super::{Independence, Values};
use crate::abstraction::constants;
use crate::logic::Logic;
use crate::system::{ActionId, System};
use raddle_ccfg::{InstanceId, LocId};
use raddle_solver::term::Term;

/// Whether an action commutes with everything a thread can do next, from states with these values.
pub fn commutes_here(
    independence: &mut Independence,
    (system, logic): (&mut System, &mut Logic),
    values: Values<'_>,
    id: ActionId,
    thread: InstanceId,
    at: LocId,
) -> bool {
    if independence.commutes(system, logic, id, thread, at) {
        return true;
    }
    if !independence.deep {
        return false;
    }
    let known = constants(system, values);
    let all = system.outgoing[thread.0 as usize][at.0 as usize].clone();
    all.iter().all(|b| {
        if independence.pair(system, logic, id, *b) {
            return true;
        }
        if independence.by_sets(system, id, *b).is_some() {
            return false;
        }
        let Some(d) = independence.difference(system, id, *b) else {
            return false;
        };
        // Where values do not settle it, it is not worth a question in every state.
        let d = system.pool.substitute(d, &known);
        *system.pool.term(d) == Term::Bool(false)
    })
}
