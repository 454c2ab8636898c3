//! k-induction: if after any k steps without a violation the next one violates nothing, no step ever does.
//!
//! The k steps begin in any state at all, reachable or not, each thread at one of its places; no reduction is used, because an arbitrary path has
//! no shorter one to stand for it. What is not treated counts as a violation.

use crate::footprint::Footprints;
use crate::search::{NoAnswer, limits};
use crate::unroll::{State, Unrolling};
use raddle_actions::system::{System, VarId};
use raddle_solver::Answer;
use raddle_solver::term::{Sort, TermId};
use raddle_verdict::Budget;
use std::collections::BTreeSet;

/// An unrolling from anywhere.
pub struct Induction {
    unrolling: Unrolling,
    begun: bool,
}

impl Induction {
    /// Over a system of its own.
    pub fn new(mut system: System) -> Induction {
        let footprints = Footprints::new(&mut system, &BTreeSet::new());
        let state = anywhere(&mut system, &footprints);
        let mut unrolling = Unrolling::new(system, footprints, state, false, false);
        unrolling.start_anywhere();
        Induction {
            unrolling,
            begun: false,
        }
    }

    /// Whether no step behind `depth` harmless ones violates anything; also `false` if that is not found out.
    pub fn holds(
        &mut self,
        depth: usize,
        budget: &Budget,
        conflicts: u32,
    ) -> Result<bool, NoAnswer> {
        let u = &mut self.unrolling;
        if !self.begun {
            self.begun = true;
            for p in 0..u.states[0].at.len() {
                let places = u.states[0].at[p].clone();
                let mut literals = Vec::new();
                for t in places {
                    literals.push(u.solver.literal(&mut u.system.pool, t)?);
                }
                for (i, x) in literals.iter().enumerate() {
                    for y in &literals[..i] {
                        u.solver.add_clause(&[!*x, !*y]);
                    }
                }
            }
        }
        while u.steps.len() <= depth {
            if let Some(last) = u.steps.last() {
                let fine = u.system.pool.not(last.bad);
                u.solver.assert(&mut u.system.pool, fine)?;
            }
            u.extend()?;
        }
        let Some(bad) = u.steps.last().map(|s| s.bad) else {
            return Ok(false);
        };
        let limits = limits(budget, Some(conflicts));
        let answer = u.solver.check(&mut u.system.pool, &[bad], &limits)?;
        Ok(matches!(answer, Answer::Unsat(_)))
    }
}

/// Any state.
fn anywhere(system: &mut System, footprints: &Footprints) -> State {
    let values: Vec<Option<TermId>> = (0..system.variables.len())
        .map(|v| {
            let needed = footprints.needed.contains(&VarId(v as u32));
            needed.then(|| system.variables[v].term)
        })
        .collect();
    let mut at = Vec::new();
    for (p, instance) in system.instances.list.clone().iter().enumerate() {
        let locations = system.ccfg.template(instance.template).locations as usize;
        let place = |s: usize| format!("place{p}.{s}");
        let pool = &mut system.pool;
        let all = (0..4 + locations).map(|s| pool.fresh_var(&place(s), Sort::Bool));
        at.push(all.collect());
    }
    State { values, at }
}
