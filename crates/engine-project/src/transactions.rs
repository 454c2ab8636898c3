//! Steps that nobody can notice or prevent are made together with the step before them: transactions instead of statements.
//!
//! After Yang and Sakallah's two granularities. A place where a thread can do one thing only, which is always possible, reads and
//! writes no variable and meets no other thread, is passed through by whoever arrives there: such a step commutes with
//! all steps of others, so it can as well come at once. With known values in the places (`places.rs`) that is much of what threads do:
//! steps on memory of their own, tests with one outcome. Paths become shorter, and so do all questions about them.
//!
//! A path of transactions stands for one of statements; [`Passing::expand`] writes them out again for the judge. Where a thread would go
//! round in such places without end it is left where it is.

use crate::unroll::{State, is_bad, number_of};
use raddle_actions::system::{ActionId, Outcome, Status, System};
use raddle_ccfg::{InstanceId, LocId};
use raddle_solver::term::Term;
use std::collections::{BTreeSet, HashMap};

/// How much one step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// One shared access, or one atomic region.
    Statement,
    /// Together with what nobody can notice behind it.
    Transaction,
}

/// Which steps follow at once.
#[derive(Default)]
pub struct Passing {
    /// By action: what its thread does behind it.
    behind: HashMap<ActionId, Vec<ActionId>>,
    /// What threads did at the start.
    pub at_first: Vec<ActionId>,
}

impl Passing {
    /// Every action with what follows it.
    pub fn expand(&self, id: ActionId) -> impl Iterator<Item = ActionId> + '_ {
        let behind = self.behind.get(&id).into_iter().flatten().copied();
        std::iter::once(id).chain(behind)
    }
}

/// Has threads pass through where nobody notices; the state says where they begin, which is where they were for those that `stay`.
pub fn pass_through(
    system: &mut System,
    start: &mut State,
    stay: &BTreeSet<InstanceId>,
) -> Passing {
    let mut passing = Passing::default();
    let always = system.pool.bool(true);
    let never = system.pool.bool(false);
    for p in 0..start.at.len() {
        let ids: Vec<ActionId> = system.outgoing[p].iter().flatten().copied().collect();
        let mut changed = Vec::new();
        for id in ids {
            if let Outcome::Next(Status::At(to)) = system.get(id).outcome {
                let (end, passed) = walk(system, p, to);
                if !passed.is_empty() {
                    changed.push((id, end));
                    passing.behind.insert(id, passed);
                }
            }
        }
        let begins = start.at[p].iter().skip(4).position(|at| *at == always);
        if let Some(first) = begins
            && !stay.contains(&InstanceId(p as u32))
        {
            let (end, passed) = walk(system, p, LocId(first as u32));
            start.at[p][4 + first] = never;
            start.at[p][number_of(end)] = always;
            passing.at_first.extend(passed);
        }
        for (id, end) in changed {
            system.actions[id.0 as usize].outcome = Outcome::Next(end);
        }
    }
    passing
}

/// Where a thread gets from a place by itself, and how.
fn walk(system: &System, p: usize, from: LocId) -> (Status, Vec<ActionId>) {
    let mut seen = BTreeSet::from([from]);
    let mut passed = Vec::new();
    let mut here = from;
    while let [id] = system.outgoing[p][here.0 as usize][..] {
        let action = system.get(id);
        let alone = action.updates.is_empty()
            && action.reads.is_empty()
            && action.control.is_empty()
            && action.choices.is_empty();
        let possible = *system.pool.term(action.guard) == Term::Bool(true);
        if !alone || !possible || is_bad(action) {
            break;
        }
        match action.outcome {
            Outcome::Next(Status::At(to)) if seen.insert(to) => {
                passed.push(id);
                here = to;
            }
            // The end of the initial thread may be the end of everything.
            Outcome::Next(status @ Status::Finished) if p != 0 => {
                passed.push(id);
                return (status, passed);
            }
            // Round and round: it stays where it came in.
            Outcome::Next(Status::At(_)) => return (Status::At(from), Vec::new()),
            _ => break,
        }
    }
    (Status::At(here), passed)
}
