//! The proof checker: every initial condition, Hoare triple, independence claim and the closure of the reduction, once more.
//!
//! It shares with the search only the transition system and the solver: no list of footprints, no reuse of what the search found
//! out. It is told the states and has to find for every action of every state a state that covers what
//! comes after; it does not search.

use crate::proof::{Group, ProofFile, State};
use crate::system::{Action, Outcome, Status, System, VarId, allows};
use raddle_ccfg::{InstanceId, LocId};
use raddle_ir::layout;
use raddle_solver::term::{Sort, Term, TermId};
use raddle_solver::{Answer, CancelToken, Limits, Solver};
use raddle_verdict::Budget;
use std::collections::{HashMap, HashSet};

struct Checker<'a> {
    system: &'a mut System,
    solver: Solver,
    /// Its own answers so far.
    answers: HashMap<Vec<TermId>, bool>,
    budget: &'a Budget,
    /// Whether a thread's future is harmless to what others do next; by everything it depends on.
    harmless: HashSet<String>,
}

/// Checks a proof; the first thing that is wrong.
pub fn check(system: &mut System, proof: &ProofFile, budget: &Budget) -> Result<(), String> {
    let erring = system.actions.iter().filter(|a| is_error(a));
    let erring: u64 = erring.map(|a| 1 << a.thread.0).fold(0, |x, y| x | y);
    let covered: u64 = proof.groups.iter().map(|g| g.targets).fold(0, |x, y| x | y);
    if erring & !covered != 0 {
        return Err("errors of some thread are not looked at".into());
    }
    let mut checker = Checker {
        system,
        solver: Solver::new(false),
        answers: HashMap::new(),
        budget,
        harmless: HashSet::new(),
    };
    for (g, group) in proof.groups.iter().enumerate() {
        checker.harmless.clear();
        let done = checker.group(group);
        done.map_err(|why| format!("group {g}: {why}"))?;
    }
    Ok(())
}

fn is_error(action: &Action) -> bool {
    !matches!(action.outcome, Outcome::Next(_))
}

type Index<'a> = HashMap<&'a [Status], Vec<&'a State>>;

impl Checker<'_> {
    fn group(&mut self, group: &Group) -> Result<(), String> {
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
        let mut index: Index<'_> = HashMap::new();
        for s in &group.states {
            index.entry(&s.places).or_default().push(s);
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
        let Some(candidates) = index.get(&places[..]) else {
            return Err("no initial state".into());
        };
        for s in candidates {
            if s.sleep == 0 && self.follows(group, s, &map, &[], &HashMap::new())? {
                return Ok(());
            }
        }
        Err("no state covers the initial one".into())
    }

    /// A variable, and a number of its sort.
    fn equation(&mut self, var: VarId, n: u128) -> (TermId, TermId) {
        let term = self.system.variables[var.0 as usize].term;
        let pool = &mut self.system.pool;
        let number = match pool.sort(term) {
            Sort::BitVec(w) => pool.bits(w, n),
            _ => pool.bool(n == 1),
        };
        (term, number)
    }

    fn unsatisfiable(&mut self, terms: &[TermId]) -> Result<bool, String> {
        if terms
            .iter()
            .any(|t| *self.system.pool.term(*t) == Term::Bool(false))
        {
            return Ok(true);
        }
        let mut key = terms.to_vec();
        key.sort_unstable();
        key.dedup();
        if let Some(answer) = self.answers.get(&key) {
            return Ok(*answer);
        }
        if self.answers.len() % 200 == 199 {
            self.solver = Solver::new(false);
        }
        let budget = self.budget.clone();
        let limits = Limits {
            conflicts: None,
            deadline: self.budget.deadline(),
            cancel: Some(CancelToken::when(move || budget.stopped().is_some())),
        };
        let answer = match self.solver.check(&mut self.system.pool, terms, &limits) {
            Ok(Answer::Unsat(_)) => true,
            Ok(Answer::Sat(_)) => false,
            _ => return Err("the solver does not answer".into()),
        };
        self.answers.insert(key, answer);
        Ok(answer)
    }

    /// Whether everything a state says holds after these updates, if the facts hold before.
    fn follows(
        &mut self,
        group: &Group,
        state: &State,
        known: &HashMap<TermId, TermId>,
        facts: &[TermId],
        updates: &HashMap<TermId, TermId>,
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
        for claim in claims {
            let after = self.system.pool.substitute(claim, updates);
            let after = self.system.pool.substitute(after, known);
            if *self.system.pool.term(after) == Term::Bool(true) {
                continue;
            }
            if *self.system.pool.term(after) == Term::Bool(false) && facts.is_empty() {
                return Ok(false);
            }
            let mut all = facts.to_vec();
            all.push(self.system.pool.not(after));
            if !self.unsatisfiable(&all)? {
                return Ok(false);
            }
        }
        Ok(true)
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
        self.persistent(group, s)?;
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
                self.action(group, index, s, &action, (&known, &facts), done)?;
            }
            done |= 1 << t;
        }
        Ok(())
    }

    fn action(
        &mut self,
        group: &Group,
        index: &Index<'_>,
        s: &State,
        action: &Action,
        (known, facts): (&HashMap<TermId, TermId>, &[TermId]),
        done: u64,
    ) -> Result<(), String> {
        let t = action.thread.0;
        let guard = self.system.pool.substitute(action.guard, known);
        if *self.system.pool.term(guard) == Term::Bool(false) {
            return Ok(());
        }
        let mut before = facts.to_vec();
        if *self.system.pool.term(guard) != Term::Bool(true) {
            before.push(guard);
        }
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
                let others = &self.system.outgoing[u][at.0 as usize];
                if others
                    .iter()
                    .all(|b| self.independent(action, self.system.get(*b)))
                {
                    asleep |= 1 << u;
                }
            }
        }
        let updates: HashMap<TermId, TermId> = action
            .updates
            .iter()
            .map(|(v, t)| (self.system.variables[v.0 as usize].term, *t))
            .collect();
        for next in index.get(&places[..]).into_iter().flatten() {
            if next.sleep & !asleep == 0 && self.follows(group, next, known, &before, &updates)? {
                return Ok(());
            }
        }
        match !before.is_empty() && self.unsatisfiable(&before)? {
            true => Ok(()),
            false => Err(format!("no state covers what thread {t} does")),
        }
    }

    fn variables(&self, action: &Action) -> (HashSet<VarId>, HashSet<VarId>) {
        let roots: Vec<TermId> = action
            .updates
            .iter()
            .map(|u| u.1)
            .chain([action.guard])
            .collect();
        let free = self.system.pool.free_variables(&roots);
        let reads = free
            .iter()
            .filter_map(|t| self.system.by_term.get(t).copied());
        (
            reads.collect(),
            action.updates.iter().map(|u| u.0).collect(),
        )
    }

    fn independent(&self, a: &Action, b: &Action) -> bool {
        // That a thread was made long ago is no matter of its later actions.
        let moves =
            |c: &(InstanceId, Status, Status)| c.1 != Status::Absent || c.2 != Status::Absent;
        let controls = |x: &Action, t: InstanceId| x.control.iter().any(|c| c.0 == t && moves(c));
        let (reads_a, writes_a) = self.variables(a);
        let (reads_b, writes_b) = self.variables(b);
        a.thread != b.thread
            && writes_a.is_disjoint(&writes_b)
            && writes_a.is_disjoint(&reads_b)
            && reads_a.is_disjoint(&writes_b)
            && !controls(a, b.thread)
            && !controls(b, a.thread)
            && !a.control.iter().any(|c| moves(c) && controls(b, c.0))
    }

    /// Nobody outside the persistent set can reach an error, or disturb it, before one of the set acts.
    fn persistent(&mut self, group: &Group, s: &State) -> Result<(), String> {
        let value = |v: &VarId| {
            let at = s.values.binary_search_by_key(v, |x| x.0).ok()?;
            Some(s.values[at].1)
        };
        let mut held: Vec<VarId> = Vec::new();
        for (v, n) in &s.values {
            let word = *n as u32;
            let owner = (word & layout::OWNER).wrapping_sub(1);
            let lock = self.system.locks.contains(v) && word != layout::DESTROYED;
            if lock && owner < 64 && s.chosen >> owner & 1 == 1 {
                held.push(*v);
            }
        }
        // What the set can do next.
        let mut next: Vec<&Action> = Vec::new();
        for (t, place) in s.places.iter().enumerate() {
            if let (1, Status::At(at)) = (s.chosen >> t & 1, place) {
                for id in &self.system.outgoing[t][at.0 as usize] {
                    let action = self.system.get(*id);
                    let ruled_out = action
                        .joins
                        .is_some_and(|(h, n)| value(&h).is_some_and(|x| x != u128::from(n)));
                    if !ruled_out {
                        next.push(action);
                    }
                }
            }
        }
        for (u, place) in s.places.iter().enumerate() {
            let Status::At(at) = place else { continue };
            if s.chosen >> u & 1 == 1 {
                continue;
            }
            let edges: Vec<(u32, u32)> = next.iter().map(|a| (a.thread.0, a.edge.0)).collect();
            let key = format!("{u} {at:?} {held:?} {:x} {edges:?}", s.chosen);
            if self.harmless.contains(&key) {
                continue;
            }
            let mut seen = HashSet::from([(u, *at)]);
            let mut work = vec![(u, *at)];
            while let Some((t, l)) = work.pop() {
                for id in &self.system.outgoing[t][l.0 as usize] {
                    let b = self.system.get(*id);
                    let waits = b.acquires.is_some_and(|v| held.contains(&v));
                    // Threads of the set run: what needs them to be made or to have ended has to wait for them.
                    let of_set = b.control.iter().any(|(i, needed, _)| {
                        s.chosen >> i.0 & 1 == 1 && *needed != Status::Absent
                    });
                    if waits || of_set {
                        continue;
                    }
                    if is_error(b) && group.targets >> t & 1 == 1 {
                        return Err(format!("thread {u} can go wrong on its own"));
                    }
                    if let Some(a) = next.iter().find(|a| !self.independent(a, b)) {
                        return Err(format!(
                            "edge {} of thread {t} disturbs edge {} of thread {}",
                            b.edge.0, a.edge.0, a.thread.0
                        ));
                    }
                    let mut behind = Vec::new();
                    if let Outcome::Next(Status::At(to)) = b.outcome {
                        behind.push((t, to));
                    }
                    for (child, needed, after) in &b.control {
                        if let (true, Status::At(entry)) = (needed != after, after) {
                            behind.push((child.0 as usize, *entry));
                        }
                    }
                    work.extend(behind.into_iter().filter(|x| seen.insert(*x)));
                }
            }
            self.harmless.insert(key);
        }
        Ok(())
    }
}
