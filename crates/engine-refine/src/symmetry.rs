//! Threads that are made at one place and are interchangeable: which of them is where does not matter, only how many are.
//!
//! Two threads that run may change places if every action of one is an action of the other once their own variables are exchanged, and if nobody
//! else looks at either of them. Then a state and the one with the two exchanged lead to the same errors, so it is enough to
//! keep one of them: the one in which they are sorted (Emerson and Sistla, "Symmetry and model checking", 1996). Whether this is so is found out from
//! the terms of the actions, by the search and once more by the checker.
//!
//! Threads that were not started are left where they are: they are made in order. A permuted state need not be reachable
//! itself, so invariants that were inferred for each thread cannot be used together with this.
//!
//! *Misses:* threads that are joined, and threads that take locks: the number of a thread is in the lock then, and in the handle.

use crate::system::{Action, ActionId, Origin, Status, System, VarId};
use raddle_ccfg::InstanceId;
use raddle_solver::term::{Term, TermId};
use std::collections::HashMap;

/// What a variable is to its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Own {
    Cell(raddle_ccfg::CellId),
    Local(raddle_ir::LocalId),
    Result,
    Identity,
}

fn own(origin: Origin) -> Option<(InstanceId, Own)> {
    match origin {
        Origin::Cell(c, Some(t)) => Some((t, Own::Cell(c))),
        Origin::Local(t, l) => Some((t, Own::Local(l))),
        Origin::Result(t) => Some((t, Own::Result)),
        Origin::Identity(t) => Some((t, Own::Identity)),
        Origin::Cell(_, None) | Origin::Sleep(_) | Origin::Contents(_) | Origin::Changer(_) => None,
    }
}

/// What threads are sorted by: where one is, its own values, and which it is.
type Key = (Status, Vec<(Own, u128)>, InstanceId);

/// Groups of interchangeable threads.
#[derive(Debug, Default)]
pub struct Symmetry {
    /// Each has at least two.
    pub groups: Vec<Vec<InstanceId>>,
    owned: HashMap<VarId, (InstanceId, Own)>,
    by_owner: HashMap<(InstanceId, Own), VarId>,
}

impl Symmetry {
    /// Finds the groups.
    pub fn new(system: &mut System) -> Symmetry {
        let mut symmetry = Symmetry::without_groups(system);
        let mut sites: Vec<Vec<InstanceId>> = system.instances.made.values().cloned().collect();
        sites.sort();
        for made in sites.iter().filter(|m| m.len() > 1) {
            let mut group = vec![made[0]];
            for pair in made.windows(2) {
                if !symmetry.interchangeable(system, pair[0], pair[1]) {
                    symmetry.close(std::mem::take(&mut group));
                }
                group.push(pair[1]);
            }
            symmetry.close(group);
        }
        symmetry
    }

    /// Knows whose variables are whose.
    pub fn without_groups(system: &System) -> Symmetry {
        let mut symmetry = Symmetry::default();
        for (i, v) in system.variables.iter().enumerate() {
            if let Some((t, what)) = own(v.origin) {
                symmetry.owned.insert(VarId(i as u32), (t, what));
                symmetry.by_owner.insert((t, what), VarId(i as u32));
            }
        }
        symmetry
    }

    fn close(&mut self, group: Vec<InstanceId>) {
        if group.len() > 1 {
            self.groups.push(group);
        }
    }

    /// Only groups that are entirely among these threads, or entirely not.
    pub fn groups_within(&self, threads: u64) -> impl Iterator<Item = &Vec<InstanceId>> {
        self.groups.iter().filter(move |g| {
            let inside = |t: &InstanceId| threads >> t.0 & 1 == 1;
            g.iter().all(inside) || !g.iter().any(inside)
        })
    }

    /// Whether a term speaks of a thread of a group.
    pub fn concerns(&self, system: &System, term: TermId) -> bool {
        let free = system.pool.free_variables(&[term]);
        let vars = free.iter().filter_map(|t| system.by_term.get(t));
        let mut owners = vars.filter_map(|v| self.owned.get(v));
        owners.any(|(t, _)| self.groups.iter().any(|g| g.contains(t)))
    }

    /// The same variable of another thread; a shared one is its own.
    pub fn renamed(&self, var: VarId, to: impl Fn(InstanceId) -> InstanceId) -> Option<VarId> {
        match self.owned.get(&var) {
            Some((t, _)) if to(*t) == *t => Some(var),
            Some((t, what)) => self.by_owner.get(&(to(*t), *what)).copied(),
            None => Some(var),
        }
    }

    /// The thread that owns a variable.
    pub fn owner(&self, var: VarId) -> Option<InstanceId> {
        self.owned.get(&var).map(|o| o.0)
    }

    /// Whether two threads may be exchanged while both run.
    pub fn interchangeable(&self, system: &mut System, a: InstanceId, b: InstanceId) -> bool {
        if system.instances.get(a) != system.instances.get(b) {
            return false;
        }
        let swap = |t: InstanceId| match t {
            _ if t == a => b,
            _ if t == b => a,
            _ => t,
        };
        let mut map: HashMap<TermId, TermId> = HashMap::new();
        for (v, (t, _)) in &self.owned {
            if *t == a || *t == b {
                let Some(w) = self.renamed(*v, swap) else {
                    return false;
                };
                let term = |v: VarId| system.variables[v.0 as usize].term;
                map.insert(term(*v), term(w));
            }
        }
        for other in &system.actions {
            if other.thread != a && other.thread != b && !self.looks_away(system, other, a, b) {
                return false;
            }
        }
        let (of_a, of_b) = (a.0 as usize, b.0 as usize);
        if system.outgoing[of_a].len() != system.outgoing[of_b].len() {
            return false;
        }
        for l in 0..system.outgoing[of_a].len() {
            let pairs = (
                system.outgoing[of_a][l].clone(),
                system.outgoing[of_b][l].clone(),
            );
            if pairs.0.len() != pairs.1.len() {
                return false;
            }
            for (x, y) in pairs.0.into_iter().zip(pairs.1) {
                if !self.same(system, x, y, &map, swap) {
                    return false;
                }
            }
        }
        true
    }

    /// An action of a third thread is the same whichever of the two is which, once both run.
    fn looks_away(&self, system: &System, action: &Action, a: InstanceId, b: InstanceId) -> bool {
        if matches!(system.pool.term(action.guard), Term::Bool(false)) {
            return true;
        }
        let concerned = |t: InstanceId| t == a || t == b;
        // What can only happen before one of them runs does not matter.
        let mut control = action.control.iter().filter(|c| concerned(c.0));
        let early = control.clone().any(|(_, needed, after)| {
            *needed == Status::Made || *needed == Status::Absent && *after != Status::Absent
        });
        if early {
            return true;
        }
        let mut vars = action
            .reads
            .iter()
            .chain(action.updates.iter().map(|u| &u.0));
        control.all(|(_, needed, after)| *needed == Status::Absent && *after == Status::Absent)
            && !vars.any(|v| self.owner(*v).is_some_and(concerned))
    }

    /// Whether one action is the other, once the variables of two threads are exchanged.
    fn same(
        &self,
        system: &mut System,
        x: ActionId,
        y: ActionId,
        map: &HashMap<TermId, TermId>,
        swap: impl Fn(InstanceId) -> InstanceId + Copy,
    ) -> bool {
        let (x, y) = (system.get(x).clone(), system.get(y).clone());
        let alike = x.edge == y.edge
            && x.from == y.from
            && x.outcome == y.outcome
            && x.control.is_empty()
            && y.control.is_empty()
            && x.joins.is_none()
            && y.joins.is_none()
            && x.choices.len() == y.choices.len()
            && x.updates.len() == y.updates.len()
            && x.stored.len() == y.stored.len();
        if !alike {
            return false;
        }
        let mut map = map.clone();
        for (c, d) in x.choices.iter().zip(&y.choices) {
            let sorts = system.pool.sort(c.term) == system.pool.sort(d.term);
            if !sorts || c.kind != d.kind || c.object != d.object {
                return false;
            }
            map.insert(c.term, d.term);
        }
        if system.pool.substitute(x.guard, &map) != y.guard {
            return false;
        }
        for (v, t) in &x.updates {
            let t = system.pool.substitute(*t, &map);
            let v = self.renamed(*v, swap);
            if !y.updates.iter().any(|(w, u)| Some(*w) == v && *u == t) {
                return false;
            }
        }
        x.stored.iter().zip(&y.stored).all(|(s, t)| {
            let value = system.pool.substitute(s.1, &map);
            s.0 == t.0 && value == t.1
        })
    }

    /// Sorts the running threads of each group; says which thread each became, unless nothing changed.
    pub fn sort(
        &self,
        threads: u64,
        places: &mut [Status],
        values: &mut [(VarId, u128)],
    ) -> Option<Vec<InstanceId>> {
        let mut became: Vec<InstanceId> = (0..places.len() as u32).map(InstanceId).collect();
        let mut changed = false;
        for group in self.groups_within(threads) {
            let running = group.iter().copied().filter(|t| runs(places[t.0 as usize]));
            let running: Vec<InstanceId> = running.collect();
            if running.len() < 2 {
                continue;
            }
            let mut keys: Vec<Key> = Vec::new();
            for t in &running {
                let mine = values.iter().filter_map(|(v, n)| match self.owned.get(v) {
                    Some((u, what)) if u == t => Some((*what, *n)),
                    _ => None,
                });
                let mut mine: Vec<(Own, u128)> = mine.collect();
                mine.sort_unstable();
                keys.push((places[t.0 as usize], mine, *t));
            }
            keys.sort();
            for (to, (status, _, from)) in running.iter().zip(&keys) {
                became[from.0 as usize] = *to;
                places[to.0 as usize] = *status;
                changed |= from != to;
            }
        }
        if !changed {
            return None;
        }
        for (v, _) in values.iter_mut() {
            // Interchangeable threads have the same variables.
            *v = self.renamed(*v, |t| became[t.0 as usize]).unwrap_or(*v);
        }
        values.sort_unstable();
        Some(became)
    }
}

/// Whether a thread was started.
pub fn runs(status: Status) -> bool {
    !matches!(status, Status::Absent | Status::Made)
}

/// Threads as bits, renamed.
pub fn renamed_bits(bits: u64, became: &[InstanceId]) -> u64 {
    let set = became
        .iter()
        .enumerate()
        .filter(|(t, _)| bits >> t & 1 == 1);
    // Bits beyond the threads mean nobody.
    let beyond = match became.len() {
        64.. => 0,
        n => bits & !((1 << n) - 1),
    };
    set.fold(beyond, |all, (_, to)| all | 1 << to.0)
}
