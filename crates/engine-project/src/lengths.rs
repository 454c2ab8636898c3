//! How many steps all threads together can make, if that is bounded: each thread alone, whatever the others do.
//!
//! A thread is unrolled by itself; what it shares has any value at every step, and nobody holds it up. If it cannot make n + 1 steps even so, it never
//! makes more than n. That finds the ends of loops over local counters, not of those that wait for others.

use crate::footprint::Footprints;
use crate::search::{NoAnswer, limits};
use crate::start::start;
use crate::unroll::Unrolling;
use raddle_actions::system::System;
use raddle_solver::Answer;
use raddle_verdict::Budget;
use std::collections::BTreeSet;

/// More steps of one thread than this are not counted.
const LONG: usize = 40;
/// Conflicts for one question.
const EFFORT: u32 = 2_000;

/// The most steps after the start, or `None` if no bound is known. `fresh` makes the system anew.
pub fn most_steps(
    fresh: impl Fn() -> Result<System, NoAnswer>,
    budget: &Budget,
) -> Result<Option<usize>, NoAnswer> {
    let threads = fresh()?.instances.list.len();
    let mut sum = 0;
    for p in 0..threads {
        match steps_of(fresh()?, p, budget)? {
            Some(n) => sum += n,
            None => return Ok(None),
        }
    }
    Ok(Some(sum))
}

fn steps_of(mut system: System, p: usize, budget: &Budget) -> Result<Option<usize>, NoAnswer> {
    let footprints = Footprints::new(&mut system, &BTreeSet::new());
    let mut state = start(&mut system, &footprints).state;
    // Who is not there yet begins at its beginning.
    let begun = state.at[p][4..]
        .iter()
        .any(|t| *t == system.pool.bool(true));
    let over = state.at[p][2] == system.pool.bool(true);
    if over {
        return Ok(Some(0));
    }
    if !begun {
        state.at[p].fill(system.pool.bool(false));
        state.at[p][4] = system.pool.bool(true);
    }
    let mut u = Unrolling::new(system, footprints, state, false, false);
    u.alone = Some(p);
    u.start_anywhere();
    for n in 0..LONG {
        let before = u.steps.len();
        u.extend()?;
        let none = u.steps.get(before).is_none_or(|s| s.act.is_empty());
        if none {
            return Ok(Some(n));
        }
        let limits = limits(budget, Some(EFFORT));
        match u.solver.check(&mut u.system.pool, &[], &limits)? {
            Answer::Unsat(_) => return Ok(Some(n)),
            Answer::Sat(_) => {}
            Answer::Unknown(_) => return Ok(None),
        }
    }
    Ok(None)
}
