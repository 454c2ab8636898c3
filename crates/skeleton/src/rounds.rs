//! Executions of few rounds: in a round every thread gets one turn, in the order of their numbers.
//!
//! Every event has a round, which does not fall along its thread; what is read from another thread, a start and a join come from an earlier
//! turn (the rounds of Lal and Reps, "Reducing concurrent analysis under a context bound to sequential analysis", CAV 2008, here as a
//! constraint on top of the order). Every execution of so many rounds satisfies this. What is asked for is a little less than that: who
//! overwrites what was read may still come in a turn before it, so a violation that is found can need more rounds. It replays all the same.

use crate::compose::Composition;
use crate::event::{EventNo, Kind, Skeleton};
use raddle_solver::Solver;
use raddle_solver::blast::BlastError;
use raddle_solver::term::{Sort, TermId};

/// The rounds of events.
pub(crate) struct Rounds {
    /// By event; `None` for those that are left out.
    of: Vec<Option<TermId>>,
}

impl Rounds {
    /// Gives every event that takes part a round below a bound.
    pub(crate) fn new(
        skeleton: &mut Skeleton,
        solver: &mut Solver,
        made: &Composition,
        bound: u32,
    ) -> Result<Rounds, BlastError> {
        let most = bound.max(1) - 1;
        let width = (u32::BITS - most.leading_zeros()).max(1);
        let mut rounds = Rounds {
            of: vec![None; skeleton.events.len()],
        };
        for t in 0..skeleton.threads.len() {
            let mut last: Option<(EventNo, TermId)> = None;
            for at in skeleton.threads[t].events.clone() {
                let event = &skeleton.events[at.0 as usize];
                if made.ids[at.0 as usize].is_none() || event.last {
                    continue;
                }
                let together = last.filter(|(before, _)| {
                    let block = skeleton.events[before.0 as usize].block;
                    block.is_some() && block == event.block
                });
                let round = match together {
                    Some((_, round)) => round,
                    None => skeleton.pool.fresh_var("round", Sort::BitVec(width)),
                };
                if let Some((_, before)) = last.filter(|_| together.is_none()) {
                    let rises = skeleton.pool.bv_ule(before, round);
                    solver.assert(&mut skeleton.pool, rises)?;
                }
                rounds.of[at.0 as usize] = Some(round);
                last = Some((at, round));
            }
            if let Some((_, round)) = last {
                let most = skeleton.pool.bits(width, u128::from(most));
                let within = skeleton.pool.bv_ule(round, most);
                solver.assert(&mut skeleton.pool, within)?;
            }
        }
        rounds.order_threads(skeleton, solver)?;
        Ok(rounds)
    }

    /// Threads begin behind their starts, and end before their joins.
    fn order_threads(
        &self,
        skeleton: &mut Skeleton,
        solver: &mut Solver,
    ) -> Result<(), BlastError> {
        for at in 0..skeleton.events.len() {
            let at = EventNo(at as u32);
            let (child, starts) = match skeleton.events[at.0 as usize].kind {
                Kind::Start(child) => (child, true),
                Kind::Join(child) => (child, false),
                _ => continue,
            };
            let events = &skeleton.threads[child.0 as usize].events;
            let known = |e: &&EventNo| self.of[e.0 as usize].is_some();
            let other = match starts {
                true => events.iter().find(known),
                false => events.iter().rev().find(known),
            };
            let Some(&other) = other else {
                continue;
            };
            let (first, second) = if starts { (at, other) } else { (other, at) };
            let guard = skeleton.guards.term(skeleton.events[at.0 as usize].guard);
            self.order(skeleton, solver, guard, (first, second))?;
        }
        Ok(())
    }

    /// If a condition holds, one event comes in an earlier turn than another.
    pub(crate) fn order(
        &self,
        skeleton: &mut Skeleton,
        solver: &mut Solver,
        condition: TermId,
        (first, second): (EventNo, EventNo),
    ) -> Result<(), BlastError> {
        let rounds = (self.of[first.0 as usize], self.of[second.0 as usize]);
        let (Some(a), Some(b)) = rounds else {
            return Ok(());
        };
        let threads = [first, second].map(|e| skeleton.events[e.0 as usize].thread);
        let before = match threads[0].0.cmp(&threads[1].0) {
            std::cmp::Ordering::Less => skeleton.pool.bv_ule(a, b),
            std::cmp::Ordering::Equal => return Ok(()),
            std::cmp::Ordering::Greater => skeleton.pool.bv_ult(a, b),
        };
        let holds = skeleton.pool.implies(condition, before);
        solver.assert(&mut skeleton.pool, holds)
    }
}
