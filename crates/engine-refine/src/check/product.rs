//! The states of the product: each action of each is covered.

use super::Checker;
use crate::logic::conjuncts;
use crate::proof::{Group, State};
use crate::system::{Action, ActionId, Outcome, Status, VarId, allows};
use raddle_ccfg::{InstanceId, LocId};
use raddle_solver::term::{Equations, Term, TermId};
use std::collections::HashMap;

/// States by their places, threads that may be exchanged sorted; and which those are.
struct Index<'a> {
    states: HashMap<Vec<Status>, Vec<Alike<'a>>>,
    groups: Vec<Vec<InstanceId>>,
}

/// States at the same places that list values of the same variables.
struct Alike<'a> {
    variables: Vec<VarId>,
    all: Vec<&'a State>,
    by_values: HashMap<Vec<u128>, Vec<&'a State>>,
}

impl<'a> Index<'a> {
    fn add(&mut self, pattern: Vec<Status>, state: &'a State) {
        let (variables, values): (Vec<VarId>, Vec<u128>) = state.values.iter().copied().unzip();
        let here = self.states.entry(pattern).or_default();
        let at = here.iter().position(|a| a.variables == variables);
        let at = at.unwrap_or_else(|| {
            here.push(Alike {
                variables,
                all: Vec::new(),
                by_values: HashMap::new(),
            });
            here.len() - 1
        });
        here[at].all.push(state);
        here[at].by_values.entry(values).or_default().push(state);
    }
}

impl Checker<'_> {
    pub(super) fn group(&mut self, group: &Group) -> Result<(), String> {
        let threads = self.system.instances.list.len();
        let variables = self.system.variables.len();
        for (i, s) in group.states.iter().enumerate() {
            let sorted = s.values.windows(2).all(|w| w[0].0 < w[1].0);
            let known = s.values.iter().all(|v| (v.0.0 as usize) < variables);
            let predicates = s
                .predicates
                .iter()
                .all(|p| (*p as usize) < group.predicates.len());
            let places = s.places.iter().enumerate().all(|(t, p)| match p {
                Status::At(l) => (l.0 as usize) < self.system.outgoing[t].len(),
                _ => true,
            });
            if s.places.len() != threads || !places || !sorted || !known || !predicates {
                return Err(format!("state {i} is malformed"));
            }
        }
        let mut index = Index {
            states: HashMap::new(),
            groups: self.exchangeable(group),
        };
        for s in &group.states {
            let pattern = Self::pattern(&index.groups, &s.places);
            index.add(pattern, s);
        }
        self.initial(group, &index)?;
        for (i, s) in group.states.iter().enumerate() {
            if self.budget.stopped().is_some() {
                return Err("time is up".into());
            }
            let done = self.state(group, &index, s);
            done.map_err(|why| format!("state {i}: {why}"))?;
        }
        Ok(())
    }

    fn initial(&mut self, group: &Group, index: &Index<'_>) -> Result<(), String> {
        let mut places = vec![Status::Absent; self.system.instances.list.len()];
        places[0] = Status::At(LocId(0));
        let mut map = HashMap::new();
        for i in 0..self.system.variables.len() {
            if let Some(n) = self.system.variables[i].initial {
                let (v, n) = self.equation(VarId(i as u32), n);
                map.insert(v, n);
            }
        }
        let Some(candidates) = index.states.get(&places) else {
            return Err("no initial state".into());
        };
        for s in candidates.iter().flat_map(|a| &a.all) {
            if s.sleep == 0 && self.follows(group, s, &map, &[], &HashMap::new(), false)? {
                return Ok(());
            }
        }
        Err("no state covers the initial one".into())
    }

    /// Whether everything a state says holds after these updates, if the facts hold before; perhaps only whether that is soon seen.
    fn follows(
        &mut self,
        group: &Group,
        state: &State,
        known: &HashMap<TermId, TermId>,
        facts: &[TermId],
        updates: &HashMap<TermId, TermId>,
        soon: bool,
    ) -> Result<bool, String> {
        let mut claims = Vec::new();
        for (v, n) in &state.values {
            let (v, n) = self.equation(*v, *n);
            claims.push(self.system.pool.eq(v, n));
        }
        claims.extend(
            state
                .predicates
                .iter()
                .map(|p| group.predicates[*p as usize]),
        );
        let equations = Equations::of(&self.system.pool, facts);
        for claim in claims {
            let after = self.system.pool.substitute(claim, updates);
            let after = self.system.pool.substitute(after, known);
            if *self.system.pool.term(after) == Term::Bool(true) {
                continue;
            }
            if equations.imply(&self.system.pool, after) {
                continue;
            }
            if *self.system.pool.term(after) == Term::Bool(false) && facts.is_empty() {
                return Ok(false);
            }
            let mut all = facts.to_vec();
            all.push(self.system.pool.not(after));
            let holds = match soon {
                true => self.soon_refuted(&all)?,
                false => self.unsatisfiable(&all)?,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Equations of the proof that hold where a guard does: from them others follow that are hard to see otherwise.
    fn equations_by(
        &mut self,
        group: &Group,
        guard: TermId,
        known: &HashMap<TermId, TermId>,
        facts: &[TermId],
    ) -> Result<Vec<TermId>, String> {
        let tested = self.system.pool.free_variables(&[guard]);
        let mut open: Vec<(Vec<TermId>, TermId)> = Vec::new();
        for p in &group.predicates {
            let said = self.system.pool.substitute(*p, known);
            let free = self.system.pool.free_variables(&[said]);
            let concerned = free.iter().any(|v| tested.contains(v));
            if concerned && self.system.pool.is_equation(said) && !facts.contains(&said) {
                open.push((free, said));
            }
        }
        open.sort_by_key(|(free, _)| free.len());
        let mut all = facts.to_vec();
        for (free, said) in open {
            if Equations::of(&self.system.pool, &all).imply(&self.system.pool, said) {
                continue;
            }
            // What speaks of nothing else is enough, mostly.
            let near = |f: &TermId| {
                let about = self.system.pool.free_variables(&[*f]);
                about.iter().all(|v| free.contains(v) || tested.contains(v))
            };
            let mut near: Vec<TermId> = all.iter().copied().filter(near).collect();
            near.push(self.system.pool.not(said));
            if self.soon_refuted(&near)? {
                all.push(said);
            }
        }
        Ok(all.split_off(facts.len()))
    }

    fn state(&mut self, group: &Group, index: &Index<'_>, s: &State) -> Result<(), String> {
        let mut known = HashMap::new();
        for (v, n) in &s.values {
            let (v, n) = self.equation(*v, *n);
            known.insert(v, n);
        }
        let mut facts = Vec::new();
        for p in &s.predicates {
            facts.push(
                self.system
                    .pool
                    .substitute(group.predicates[*p as usize], &known),
            );
        }
        for t in 0..s.places.len() {
            let invariants = self.invariants;
            if let Some(holds) = invariants.at(&self.children, &s.places, t) {
                for h in holds {
                    facts.push(self.system.pool.substitute(*h, &known));
                }
            }
        }
        let always = self.system.pool.bool(true);
        facts.retain(|f| *f != always);
        self.persistent(group, s)?;
        self.no_deadlock(s, &known, &facts)?;
        let mut done: u64 = 0;
        for (t, place) in s.places.iter().enumerate() {
            let acts = s.chosen >> t & 1 == 1 && s.sleep >> t & 1 == 0;
            if matches!(place, Status::At(_)) && acts && !s.order.contains(&(t as u32)) {
                return Err(format!("thread {t} is left out"));
            }
        }
        for t in &s.order {
            let Some(Status::At(at)) = s.places.get(*t as usize).copied() else {
                return Err(format!("thread {t} does not run"));
            };
            let ids = self.system.outgoing[*t as usize][at.0 as usize].clone();
            for id in ids {
                let action = self.system.get(id).clone();
                let now = |i: InstanceId| s.places[i.0 as usize];
                let mut control = action.control.iter();
                if !control.all(|(i, needed, after)| allows(*needed, *after, now(*i))) {
                    continue;
                }
                self.action(group, index, s, (id, &action), (&known, &facts), done)?;
            }
            done |= 1 << t;
        }
        Ok(())
    }

    /// Where deadlocks are asked for, a state is none, and everybody acts.
    fn no_deadlock(
        &mut self,
        s: &State,
        known: &HashMap<TermId, TermId>,
        facts: &[TermId],
    ) -> Result<(), String> {
        let Some(deadlocks) = &mut self.deadlocks else {
            return Ok(());
        };
        let idle = |(t, p): (usize, &Status)| matches!(p, Status::At(_)) && s.chosen >> t & 1 == 0;
        if s.places.iter().enumerate().any(idle) {
            return Err("a persistent set, which need not keep deadlocks".into());
        }
        let Some(id) = deadlocks.at(self.system, &s.places) else {
            return Ok(());
        };
        let guard = self.system.get(id).guard;
        let guard = self.system.pool.substitute(guard, known);
        let mut all = facts.to_vec();
        all.push(guard);
        match self.unsatisfiable(&all)? {
            true => Ok(()),
            false => Err("a deadlock".into()),
        }
    }

    /// The states that may cover what comes after: where all values are known, those with these values.
    fn candidates<'s>(
        &mut self,
        index: &Index<'s>,
        pattern: &[Status],
        known: &HashMap<TermId, TermId>,
        updates: &HashMap<TermId, TermId>,
    ) -> Vec<&'s State> {
        let mut found = Vec::new();
        for alike in index.states.get(pattern).into_iter().flatten() {
            let mut values = Vec::new();
            for v in &alike.variables {
                let term = self.system.variables[v.0 as usize].term;
                let after = updates.get(&term).copied().unwrap_or(term);
                let after = self.system.pool.substitute(after, known);
                match *self.system.pool.term(after) {
                    Term::Bits { value, .. } => values.push(value),
                    Term::Bool(b) => values.push(u128::from(b)),
                    _ => break,
                }
            }
            match values.len() == alike.variables.len() && index.groups.is_empty() {
                true => found.extend(alike.by_values.get(&values).into_iter().flatten()),
                false => found.extend(&alike.all),
            }
        }
        found
    }

    fn action(
        &mut self,
        group: &Group,
        index: &Index<'_>,
        s: &State,
        (id, action): (ActionId, &Action),
        (known, facts): (&HashMap<TermId, TermId>, &[TermId]),
        done: u64,
    ) -> Result<(), String> {
        let t = action.thread.0;
        let guard = self.system.pool.substitute(action.guard, known);
        if *self.system.pool.term(guard) == Term::Bool(false) {
            return Ok(());
        }
        let mut before = facts.to_vec();
        before.extend(conjuncts(&mut self.system.pool, guard));
        let Outcome::Next(status) = action.outcome else {
            let counts = group.targets >> t & 1 == 1;
            return match !counts || self.unsatisfiable(&before)? {
                true => Ok(()),
                false => Err(format!("thread {t} reaches an error")),
            };
        };
        let mut places = s.places.clone();
        for (i, needed, after) in &action.control {
            if needed != after {
                places[i.0 as usize] = *after;
            }
        }
        places[t as usize] = status;
        let mut asleep = 0;
        for (u, place) in s.places.iter().enumerate() {
            if let (1, Status::At(at)) = ((s.sleep | done) >> u & 1, place) {
                let mut sleeps = true;
                for b in self.system.outgoing[u][at.0 as usize].clone() {
                    sleeps = sleeps && self.independent((id, b), known)?;
                }
                asleep |= u64::from(sleeps) << u;
            }
        }
        let updates: HashMap<TermId, TermId> = action
            .updates
            .iter()
            .map(|(v, t)| (self.system.variables[v.0 as usize].term, *t))
            .collect();
        let pattern = Self::pattern(&index.groups, &places);
        before.extend(self.equations_by(group, guard, known, &before)?);
        // Which one covers it is soon seen, mostly; that another one does not may take long.
        for soon in [true, false] {
            for next in self.candidates(index, &pattern, known, &updates) {
                let exchanged = match index.groups.is_empty() {
                    true => None,
                    false => self.exchanged(&index.groups, next, &places, known, &updates),
                };
                let same = Some(next).filter(|n| n.places == places);
                for next in same.into_iter().chain(exchanged.as_ref()) {
                    let sleeps = next.sleep & !asleep == 0;
                    if sleeps && self.follows(group, next, known, &before, &updates, soon)? {
                        return Ok(());
                    }
                }
            }
        }
        match !before.is_empty() && self.unsatisfiable(&before)? {
            true => Ok(()),
            false => Err(format!("no state covers what thread {t} does")),
        }
    }
}
