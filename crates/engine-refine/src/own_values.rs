//! What a thread knows as long as others do not act: values of variables that are its own, and what has become of the threads it makes.

use crate::system::{ActionId, Origin, Status, System, VarId};
use raddle_ccfg::{InstanceId, LocId};
use raddle_solver::term::{Sort, Term, TermId};
use std::collections::HashMap;

/// Threads by number.
type Threads = u64;

/// Some values, by variable, in ascending order.
type Values = Vec<(VarId, u128)>;

/// Actions whose terms are larger than this are not looked into.
const LARGE: usize = 400;
/// Terms that are looked at in all.
const WORK: usize = 1_500_000;

/// What a thread knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Known {
    values: Values,
    made: Threads,
    joined: Threads,
}

impl Known {
    /// What a thread knows that was started just now.
    pub fn of_child(&self) -> Known {
        Known {
            values: Values::new(),
            ..*self
        }
    }
}

/// What threads know at their places, as long as there are few cases of it.
#[derive(Default)]
pub struct Cases {
    seen: HashMap<(InstanceId, LocId), Vec<Known>>,
}

impl Cases {
    /// Makes of what a thread knows at a place what there is in common with the cases before, if there are too many of them. A thread
    /// that counts to a million has a million cases otherwise, of which nobody wants to know.
    pub fn settle(
        &mut self,
        thread: InstanceId,
        at: LocId,
        most: usize,
        mut known: Known,
    ) -> Known {
        let seen = self.seen.entry((thread, at)).or_default();
        if seen.contains(&known) {
            return known;
        }
        if seen.len() >= most {
            for other in seen
                .iter()
                .filter(|k| k.made == known.made && k.joined == known.joined)
            {
                known
                    .values
                    .retain(|v| other.values.binary_search(v).is_ok());
            }
        }
        seen.push(known.clone());
        known
    }
}

/// Follows what threads know through actions.
#[derive(Default)]
pub struct Follower {
    /// For every variable, whose actions read or write it.
    users: Vec<Threads>,
    /// For every thread, whether another one than its maker may join it.
    joined_by_others: Vec<bool>,
    /// For every action, how large its terms are.
    sizes: HashMap<ActionId, usize>,
    /// For actions and what was known of what they read: the values behind them, or nothing if they cannot happen.
    effects: HashMap<(ActionId, Values), Option<Values>>,
    work: usize,
}

impl Follower {
    /// Whether it has done enough.
    pub fn is_tired(&self) -> bool {
        self.work > WORK
    }

    /// What a thread knows in a state.
    pub fn begin(
        &mut self,
        system: &System,
        thread: InstanceId,
        at: LocId,
        places: &[Status],
        values: &[(VarId, u128)],
    ) -> Known {
        if self.users.len() < system.variables.len() {
            self.joined_by_others = system.joined_by_others();
            self.users = vec![0; system.variables.len()];
            for a in &system.actions {
                for v in a.updates.iter().map(|u| &u.0).chain(&a.reads) {
                    self.users[v.0 as usize] |= 1 << a.thread.0;
                }
            }
        }
        let those = |holds: fn(Status) -> bool| {
            let there = places.iter().enumerate().filter(|(_, p)| holds(**p));
            there.map(|(t, _)| 1 << t).sum()
        };
        let known = Known {
            values: values.to_vec(),
            made: those(|p| p != Status::Absent),
            joined: those(|p| p == Status::Joined),
        };
        self.at(system, thread, at, known)
    }

    /// What is left of it where a thread is: values that it may still look at, and nobody else.
    pub fn at(&self, system: &System, thread: InstanceId, at: LocId, mut known: Known) -> Known {
        let template = system.ccfg.template(system.instances.get(thread).template);
        let live = &template.live[at.0 as usize];
        known.values.retain(|(v, _)| {
            self.is_own(system, thread, *v)
                && match system.variables[v.0 as usize].origin {
                    Origin::Local(_, l) => live.contains(&l),
                    _ => true,
                }
        });
        known
    }

    /// Its argument was written by its maker, but before it ran.
    fn is_own(&self, system: &System, thread: InstanceId, var: VarId) -> bool {
        match system.variables[var.0 as usize].origin {
            Origin::Local(t, _) => t == thread,
            _ => self.users[var.0 as usize] == 1 << thread.0,
        }
    }

    /// What is known of a thread after an action; nothing if it cannot happen.
    pub fn after(&mut self, system: &mut System, id: ActionId, known: &Known) -> Option<Known> {
        let action = system.get(id);
        let (mut made, mut joined) = (known.made, known.joined);
        for (t, needed, then) in &action.control {
            // Only its maker makes a thread, and perhaps nobody else joins it.
            if system.instances.get(*t).maker.map(|m| m.0) != Some(action.thread) {
                continue;
            }
            let is = |all: Threads| all >> t.0 & 1 == 1;
            let alone = !self.joined_by_others[t.0 as usize];
            match (needed, then) {
                (Status::Absent, Status::Absent) if !is(made) => return None,
                (Status::Absent, Status::Absent) => {}
                (Status::Absent, _) if is(made) => return None,
                (Status::Absent, _) => made |= 1 << t.0,
                (Status::Finished, _) if is(joined) => return None,
                (Status::Finished, _) => joined |= 1 << t.0,
                (Status::Joined, _) if alone && !is(joined) => return None,
                _ => {}
            }
        }
        let mut values = known.values.clone();
        values.retain(|(v, _)| !action.updates.iter().any(|u| u.0 == *v));
        values.extend(self.effect(system, id, &known.values)?);
        values.sort_unstable();
        Some(Known {
            values,
            made,
            joined,
        })
    }

    /// The values of its own that an action gives to a thread's variables; nothing if it cannot happen.
    fn effect(&mut self, system: &mut System, id: ActionId, values: &Values) -> Option<Values> {
        let action = system.get(id);
        let read = |(v, _): &&(VarId, u128)| action.reads.binary_search(v).is_ok();
        let values: Values = values.iter().filter(read).copied().collect();
        if let Some(known) = self.effects.get(&(id, values.clone())) {
            return known.clone();
        }
        let (thread, guard) = (action.thread, action.guard);
        let own = |u: &&(VarId, TermId)| self.is_own(system, thread, u.0);
        let updates: Vec<(VarId, TermId)> = action.updates.iter().filter(own).copied().collect();
        let size = *self.sizes.entry(id).or_insert_with(|| {
            let roots: Vec<TermId> = updates.iter().map(|u| u.1).chain([guard]).collect();
            system.pool.reachable(&roots).len()
        });
        self.work += size.min(LARGE);
        let mut found = Some(Values::new());
        if size <= LARGE {
            let mut constants = HashMap::new();
            for (v, n) in &values {
                let term = system.variables[v.0 as usize].term;
                let constant = match system.pool.sort(term) {
                    Sort::BitVec(w) => system.pool.bits(w, *n),
                    Sort::Bool => system.pool.bool(*n == 1),
                    _ => continue,
                };
                constants.insert(term, constant);
            }
            let guard = system.pool.substitute(guard, &constants);
            found = match *system.pool.term(guard) {
                Term::Bool(false) => None,
                _ => {
                    let mut behind = Values::new();
                    for (v, t) in updates {
                        let value = system.pool.substitute(t, &constants);
                        match *system.pool.term(value) {
                            Term::Bits { value, .. } => behind.push((v, value)),
                            Term::Bool(b) => behind.push((v, u128::from(b))),
                            _ => {}
                        }
                    }
                    Some(behind)
                }
            };
        }
        self.effects.insert((id, values), found.clone());
        found
    }
}
