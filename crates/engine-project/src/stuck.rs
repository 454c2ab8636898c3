//! Deadlocks, as a question about the last state of a path: is there a set of threads each of which waits for another of them?
//!
//! A thread waits for a lock that another holds (locks hold the name of their owner), or to join one that is not over. Besides such cycles, every
//! thread that is there may be waiting, for instance for the lock of one that is over. Projections do not keep deadlocks, so these
//! questions are asked without them.
//!
//! *Misses:* waiting for semaphores, barriers, reader–writer locks and signals, and inside atomic regions: [`not_treated`] names them, and then nothing is
//! said to be free of deadlocks.

use crate::start::values;
use crate::states::{Claim, steps};
use crate::unroll::Unrolling;
use raddle_actions::system::{Status, System};
use raddle_ccfg::{InstanceId, What};
use raddle_ir::{Location, Op, layout};
use raddle_solver::blast::BlastError;
use raddle_solver::term::{Sort, TermId};

/// An operation that can wait and is not understood here.
pub fn not_treated(system: &System) -> Option<(String, Location)> {
    for id in system.outgoing.iter().flatten().flatten() {
        let action = system.get(*id);
        let first = steps(system, *id).first().map(|s| s.at);
        for step in steps(system, *id) {
            let understood = match &step.what {
                What::Instr(Op::Sync { op, .. }) if op.can_block() => {
                    op.waits_for_owner() && first == Some(step.at) && action.acquires.is_some()
                }
                What::Join { .. } => first == Some(step.at) && action.joins.is_some(),
                _ => true,
            };
            if !understood {
                let what = "waiting for something else than one lock or thread";
                return Some((what.into(), step.at));
            }
        }
    }
    None
}

/// A deadlock in the last state.
pub fn deadlock(u: &mut Unrolling) -> Result<Claim, BlastError> {
    let waits = waits(u);
    let threads = u.system.instances.list.len();
    let last = u.states.len() - 1;
    let pool = &mut u.system.pool;
    let goal = pool.fresh_var(&format!("deadlock@{last}"), Sort::Bool);
    let all = pool.fresh_var(&format!("all@{last}"), Sort::Bool);
    let members: Vec<TermId> = (0..threads)
        .map(|p| pool.fresh_var(&format!("member{p}@{last}"), Sort::Bool))
        .collect();
    let some = pool.or_all(members.iter().copied().chain([all]));
    let mut stated = vec![pool.implies(goal, some)];
    let mut anybody = Vec::new();
    let mut who = Vec::new();
    for (p, member) in members.iter().enumerate() {
        let own: Vec<_> = waits.iter().filter(|w| w.0 == p).collect();
        let among: Vec<TermId> = own.iter().map(|w| pool.and(w.2, members[w.1])).collect();
        let among = pool.or_all(among);
        stated.push(pool.implies(*member, among));
        let blocked = pool.or_all(own.iter().map(|w| w.2));
        let gone = [Status::Absent, Status::Finished, Status::Joined];
        let gone = gone.map(|s| u.states[last].at[p][crate::unroll::number_of(s)]);
        let gone = pool.or_all(gone);
        let idle = pool.or(gone, blocked);
        stated.push(pool.implies(all, idle));
        anybody.push(blocked);
        who.extend(own.iter().map(|w| (w.2, InstanceId(p as u32), w.3)));
    }
    let anybody = pool.or_all(anybody);
    stated.push(pool.implies(all, anybody));
    for t in stated {
        u.solver.assert(&mut u.system.pool, t)?;
    }
    Ok(Claim { goal, who })
}

/// Who waits for whom in the last state, when, and where.
fn waits(u: &mut Unrolling) -> Vec<(usize, usize, TermId, Location)> {
    let mut found = Vec::new();
    let state = u.states[u.states.len() - 1].clone();
    let mut terms = values(&u.system, &state);
    let never = u.system.pool.bool(false);
    for p in 0..state.at.len() {
        for l in 0..u.system.outgoing[p].len() {
            let here = state.at[p][4 + l];
            let ids = u.system.outgoing[p][l].clone();
            let Some(at) = ids.first().and_then(|id| steps(&u.system, *id).first()) else {
                continue;
            };
            let at = at.at;
            if here == never {
                continue;
            }
            let lock = u.system.get(ids[0]).acquires;
            if let Some(lock) = lock
                && ids
                    .iter()
                    .all(|id| u.system.get(*id).acquires == Some(lock))
            {
                let mut possible = never;
                for id in &ids {
                    let guard = u.system.get(*id).guard;
                    let guard = terms.term(&mut u.system.pool, guard);
                    possible = u.system.pool.or(possible, guard);
                }
                let word = terms.term(&mut u.system.pool, u.system.variables[lock.0 as usize].term);
                let pool = &mut u.system.pool;
                let Sort::BitVec(width) = pool.sort(word) else {
                    continue;
                };
                let blocked = pool.not(possible);
                let blocked = pool.and(here, blocked);
                let mask = pool.bits(width, layout::OWNER.into());
                let owner = pool.bv_and(word, mask);
                for q in 0..state.at.len() {
                    let name = pool.bits(width, q as u128 + 1);
                    let holds = pool.eq(owner, name);
                    found.push((p, q, pool.and(blocked, holds), at));
                }
            }
            for id in ids {
                let action = u.system.get(id);
                if action.joins.is_none() {
                    continue;
                }
                let joined = action.control.iter().find(|c| c.1 == Status::Finished);
                let Some(q) = joined.map(|c| c.0.0 as usize) else {
                    continue;
                };
                // The guard says that it is this thread's handle; where the other is, is no part of it.
                let guard = action.guard;
                let it = terms.term(&mut u.system.pool, guard);
                let pool = &mut u.system.pool;
                let over = pool.or(state.at[q][2], state.at[q][3]);
                let runs = pool.not(over);
                let when = pool.and_all([here, it, runs]);
                found.push((p, q, when, at));
            }
        }
    }
    found
}
