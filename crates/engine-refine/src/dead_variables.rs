//! What is known of a variable that is lost, said of others.
//!
//! Behind a loop its counter is dead, or it begins anew. What was known of it is gone then, though it was known for the sake of others: from
//! `i = sum` and `i < n` it follows that `sum < n`. So where a variable dies or is written without regard to what it was, and an equation that
//! holds says what it is, that is put in its place in what else holds, by the guard of the action, too. What comes of it are guesses for
//! predicates like any other (`leap.rs`); they are shown to hold after the action or not. For equations, `Abstraction::follow_equations` does that.

use crate::abstraction::{Abstraction, Assertion};
use crate::logic::conjuncts;
use crate::system::{Action, System, VarId};
use raddle_solver::term::{Sort, TermId, TermPool, mask};
use std::collections::{HashMap, HashSet};

impl Abstraction {
    /// Makes predicates of what is known of variables that an action loses.
    pub fn say_of_others(
        &mut self,
        system: &mut System,
        before: &Assertion,
        (facts, guard): (&[TermId], TermId),
        action: &Action,
        dead: &HashSet<VarId>,
    ) {
        for v in self.leaps.variables.clone() {
            if is_lost(system, action, dead, v) {
                self.replace(system, before, (facts, guard), v);
            }
        }
    }

    fn replace(
        &mut self,
        system: &mut System,
        before: &Assertion,
        (facts, guard): (&[TermId], TermId),
        v: VarId,
    ) {
        let term = system.variables[v.0 as usize].term;
        let mut solutions: Vec<TermId> = Vec::new();
        for f in facts {
            solutions.extend(solved(&mut system.pool, *f, term));
        }
        let size = |t: &TermId| system.pool.reachable(&[*t]).len();
        let Some(value) = solutions.into_iter().min_by_key(size) else {
            return;
        };
        let map = HashMap::from([(term, value)]);
        let mut said = conjuncts(&mut system.pool, guard);
        for p in before.predicates.iter() {
            said.push(self.predicates[*p as usize].term);
        }
        for s in said {
            let instead = system.pool.substitute(s, &map);
            if instead != s && !system.pool.is_equation(instead) {
                self.guess(system, instead);
            }
        }
    }
}

/// Whether nothing is left of a variable behind an action.
fn is_lost(system: &System, action: &Action, dead: &HashSet<VarId>, v: VarId) -> bool {
    let term = system.variables[v.0 as usize].term;
    let update = action.updates.iter().find(|u| u.0 == v);
    match update {
        Some((_, t)) => !system.pool.free_variables(&[*t]).contains(&term),
        None => dead.contains(&v),
    }
}

/// What a variable is by an equation in which it stands once.
fn solved(pool: &mut TermPool, equation: TermId, v: TermId) -> Option<TermId> {
    if !pool.is_equation(equation) {
        return None;
    }
    let (mut parts, number) = pool.parts_of_sum(equation)?;
    let width = pool.width(pool.args(equation)[0]);
    if pool.sort(v) != Sort::BitVec(width) {
        return None;
    }
    let own = parts.remove(&v).filter(|n| n.abs() == 1)?;
    if pool
        .free_variables(&parts.keys().copied().collect::<Vec<_>>())
        .contains(&v)
    {
        return None;
    }
    let mut value = pool.bits(width, (-own * number) as u128 & mask(width));
    for (term, times) in parts {
        let factor = pool.bits(width, (-own * times) as u128 & mask(width));
        let term = pool.sign_extend_to(width, term);
        let product = pool.bv_mul(term, factor);
        value = pool.bv_add(value, product);
    }
    Some(value)
}
