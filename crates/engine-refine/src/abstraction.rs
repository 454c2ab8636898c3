//! The proof automaton: what is known of the data in a state, and how actions change it.
//!
//! An assertion is a conjunction of two kinds of predicates: `variable = number`, kept as a list of known values, and predicates
//! that refinement found, kept as a set of their numbers. For both, the successor under an action is computed by Hoare triples:
//! by evaluation where the values decide, by looking at what the action writes, and else by the solver. The automaton is
//! generalised on demand and deterministic by construction: every predicate that can be shown to hold afterwards is kept.

use crate::leap::Leaps;
use crate::logic::{Logic, NoAnswer, Refuted, SOON, conjuncts};
use crate::system::{Action, ActionId, Origin, Outcome, Status, System, VarId};
use raddle_ccfg::InstanceId;
use raddle_solver::term::{Equations, Sort, Term, TermId, Value};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// What is known of the data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Assertion {
    /// Known values, by variable.
    pub values: Rc<[(VarId, u128)]>,
    /// Predicates that hold, by number.
    pub predicates: Rc<[u32]>,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// What it says.
    pub term: TermId,
    /// About what.
    pub variables: Vec<VarId>,
}

/// The predicates so far, and memories of what was computed.
#[derive(Default)]
pub struct Abstraction {
    pub predicates: Vec<Predicate>,
    known: HashSet<TermId>,
    by_variable: HashMap<VarId, Vec<u32>>,
    /// Variables whose values are not listed.
    pub dropped: BTreeSet<VarId>,
    memory: HashMap<(ActionId, Vec<Option<u128>>), Rc<Effect>>,
    through: HashMap<(ActionId, u32), TermId>,
    terms: Terms,
    /// Loops whose values were left out.
    pub leaps: Leaps,
    /// By thread and location: variables that matter no more.
    dead: HashMap<(InstanceId, Status), Rc<HashSet<VarId>>>,
}

/// An action under known values of what it reads.
struct Effect {
    /// The guard that is left.
    guard: TermId,
    /// New values, known or not.
    values: Vec<(VarId, Option<u128>)>,
}

impl Abstraction {
    /// Adds a predicate; whether it is new.
    pub fn add(&mut self, system: &System, term: TermId) -> bool {
        if matches!(system.pool.term(term), Term::Bool(_)) || !self.known.insert(term) {
            return false;
        }
        let free = system.pool.free_variables(&[term]);
        let mut variables = Vec::new();
        for t in free {
            match system.by_term.get(&t) {
                Some(v) => variables.push(*v),
                None => return false,
            }
        }
        variables.sort_unstable();
        let id = self.predicates.len() as u32;
        for v in &variables {
            self.by_variable.entry(*v).or_default().push(id);
        }
        self.predicates.push(Predicate { term, variables });
        true
    }

    /// A value is not to be listed any more.
    pub fn drop_variable(&mut self, var: VarId) {
        self.dropped.insert(var);
    }

    /// No value is to be listed.
    pub fn drop_all(&mut self, system: &System) {
        self.dropped = (0..system.variables.len() as u32).map(VarId).collect();
    }

    /// What is known at the start.
    pub fn initial(
        &mut self,
        system: &mut System,
        logic: &mut Logic,
    ) -> Result<Assertion, NoAnswer> {
        let mut values = Vec::new();
        let mut exact = Vec::new();
        for (i, v) in system.variables.iter().enumerate() {
            if let Some(n) = v.initial {
                exact.push((VarId(i as u32), n));
                if !self.dropped.contains(&VarId(i as u32)) {
                    values.push((VarId(i as u32), n));
                }
            }
        }
        let mut predicates = Vec::new();
        for (i, p) in self.predicates.clone().iter().enumerate() {
            let t = self.terms.under(system, p.term, &exact);
            let fails = system.pool.not(t);
            let listed = |v: &VarId| values.binary_search_by_key(v, |x| x.0).is_ok();
            if p.variables.iter().all(listed) {
                continue;
            }
            if !logic.satisfiable(&mut system.pool, vec![fails])? {
                predicates.push(i as u32);
            }
        }
        Ok(Assertion {
            values: values.into(),
            predicates: predicates.into(),
        })
    }

    /// What is known after an action, or `None` if it cannot happen.
    pub fn post(
        &mut self,
        system: &mut System,
        logic: &mut Logic,
        before: &Assertion,
        facts: &[TermId],
        id: ActionId,
    ) -> Result<Option<Assertion>, NoAnswer> {
        let effect = self.effect(system, before, id);
        let guard = effect.guard;
        if *system.pool.term(guard) == Term::Bool(false) {
            return Ok(None);
        }
        let known = self.premises(system, before);
        let premises = self.with(system, before, &known, facts);
        // What the guard says something about, directly or through predicates that hold.
        let mut tested: HashSet<TermId> = HashSet::new();
        if *system.pool.term(guard) != Term::Bool(true) {
            for t in self
                .terms
                .connected(system, &known, &[guard])
                .iter()
                .chain([&guard])
            {
                tested.extend(self.terms.free(system, *t).iter());
            }
            let mut all = self.terms.connected(system, &premises, &[guard]);
            all.push(guard);
            if !logic.satisfiable(&mut system.pool, all)? {
                return Ok(None);
            }
        }
        let action = system.get(id).clone();
        let dead = self.dead(system, action.thread, action.outcome);
        let mut values: Vec<(VarId, u128)> = Vec::with_capacity(before.values.len() + 2);
        let changed: HashMap<VarId, Option<u128>> = effect.values.iter().copied().collect();
        for (v, n) in before.values.iter() {
            if !changed.contains_key(v) && !dead.contains(v) {
                values.push((*v, *n));
            }
        }
        for (v, n) in &effect.values {
            if let Some(n) = n
                && !dead.contains(v)
                && !self.dropped.contains(v)
            {
                values.push((*v, *n));
            }
        }
        if !tested.is_empty() && !self.leaps.variables.is_empty() {
            let open = (before, &premises[..], guard);
            let settled = self.settled(system, logic, open, &action, &tested)?;
            for (v, n) in settled {
                let new = !dead.contains(&v) && !values.iter().any(|x| x.0 == v);
                if new && !self.dropped.contains(&v) {
                    values.push((v, n));
                }
            }
        }
        values.sort_unstable();
        let mut facts = premises.clone();
        facts.extend(conjuncts(&mut system.pool, guard));
        if !self.leaps.variables.is_empty() {
            let known = (before, &premises[..], guard);
            facts.extend(self.equations_by(system, logic, known, &tested)?);
        }
        let equations = Equations::of(&system.pool, &facts);
        if !self.leaps.variables.is_empty() {
            for v in self.follow_equations(system, before, &facts, &action, &dead) {
                let update = action.updates.iter().find(|u| u.0 == v);
                let after = update.map_or(system.variables[v.0 as usize].term, |u| u.1);
                let after = self.terms.under(system, after, &before.values);
                let open = !self.dropped.contains(&v) && !values.iter().any(|x| x.0 == v);
                if let (true, Some(n)) = (open, equations.value(&system.pool, after)) {
                    values.push((v, n));
                }
            }
            values.sort_unstable();
            self.say_of_others(system, before, (&facts, guard), &action, &dead);
        }
        let listed = |v: &VarId| values.binary_search_by_key(v, |x| x.0).is_ok();
        let mut predicates = Vec::new();
        let mut open: Vec<(u32, TermId)> = Vec::new();
        for p in 0..self.predicates.len() as u32 {
            let about = &self.predicates[p as usize].variables;
            if about.iter().all(listed) || about.iter().any(|v| dead.contains(v)) {
                continue;
            }
            let held = before.predicates.binary_search(&p).is_ok();
            let written = about.iter().any(|v| changed.contains_key(v));
            if held && !written {
                predicates.push(p);
                continue;
            }
            let tests = |v: &VarId| tested.contains(&system.variables[v.0 as usize].term);
            let related = written || about.iter().any(tests);
            // What did not hold and is not touched may still follow now, from values that are known no more; that it then
            // is not kept loses nothing that was known before.
            let forgotten = about.iter().any(|v| {
                let was = before.values.binary_search_by_key(v, |x| x.0).is_ok();
                was && !listed(v)
            });
            if !related && !forgotten {
                continue;
            }
            let said = self.through(system, before, id, p);
            match system.pool.term(said) {
                Term::Bool(true) => predicates.push(p),
                Term::Bool(false) => {}
                _ if equations.imply(&system.pool, said) => predicates.push(p),
                _ => open.push((p, said)),
            }
        }
        predicates.extend(self.hold(system, logic, &premises, guard, open)?);
        predicates.sort_unstable();
        Ok(Some(Assertion {
            values: values.into(),
            predicates: predicates.into(),
        }))
    }

    /// Values that were left out by a leap and that the guard and all that holds settle again, after the action.
    fn settled(
        &mut self,
        system: &mut System,
        logic: &mut Logic,
        (before, premises, guard): (&Assertion, &[TermId], TermId),
        action: &Action,
        tested: &HashSet<TermId>,
    ) -> Result<Vec<(VarId, u128)>, NoAnswer> {
        let mut open: Vec<(VarId, TermId)> = Vec::new();
        for v in self.leaps.variables.clone() {
            let term = system.variables[v.0 as usize].term;
            let update = action.updates.iter().find(|u| u.0 == v);
            let after = update.map_or(term, |u| u.1);
            let after = self.terms.under(system, after, &before.values);
            let free = self.terms.free(system, after);
            let over_state = free.iter().all(|t| system.by_term.contains_key(t));
            if over_state && free.iter().any(|t| tested.contains(t)) {
                open.push((v, after));
            }
        }
        if open.is_empty() {
            return Ok(Vec::new());
        }
        let roots: Vec<TermId> = open.iter().map(|o| o.1).chain([guard]).collect();
        let mut all = self.terms.connected(system, premises, &roots);
        all.push(guard);
        let Ok(model) = logic.check(&mut system.pool, &all)? else {
            return Ok(Vec::new());
        };
        let mut settled = Vec::new();
        for (v, after) in open {
            let Ok(Value::Bits(n)) = system.pool.eval(after, &model.values) else {
                continue;
            };
            let width = system.pool.width(after);
            let number = system.pool.bits(width, n);
            let mut other = all.clone();
            other.push(system.pool.ne(after, number));
            if logic.refuted_soon(&mut system.pool, other)? {
                settled.push((v, n));
            }
        }
        Ok(settled)
    }

    /// What a predicate after an action says of the state before it, with the values that are known there.
    fn through(&mut self, system: &mut System, before: &Assertion, id: ActionId, p: u32) -> TermId {
        let through = match self.through.get(&(id, p)) {
            Some(t) => *t,
            None => {
                let updates = system.get(id).updates.iter();
                let map: HashMap<TermId, TermId> = updates
                    .map(|(v, t)| (system.variables[v.0 as usize].term, *t))
                    .collect();
                let t = system
                    .pool
                    .substitute(self.predicates[p as usize].term, &map);
                self.through.insert((id, p), t);
                t
            }
        };
        self.terms.under(system, through, &before.values)
    }

    /// Those of the predicates that hold, by what they say. A state in which one does not is one in which others may not either, so
    /// each is tried out on the states that are known by then.
    fn hold(
        &mut self,
        system: &mut System,
        logic: &mut Logic,
        premises: &[TermId],
        guard: TermId,
        mut open: Vec<(u32, TermId)>,
    ) -> Result<Vec<u32>, NoAnswer> {
        let mut held = Vec::new();
        open.reverse();
        while let Some((p, said)) = open.pop() {
            let fails = system.pool.not(said);
            let mut all = self.terms.connected(system, premises, &[guard, fails]);
            all.push(guard);
            all.push(fails);
            let soon = self.leaps.guessed.contains(&p).then_some(SOON);
            match logic.refuted(&mut system.pool, all, soon)? {
                Refuted::Yes => held.push(p),
                Refuted::No(None) => {}
                Refuted::No(Some(model)) => open.retain(|(_, said)| {
                    system.pool.eval(*said, &model.values) != Ok(Value::Bool(false))
                }),
            }
        }
        Ok(held)
    }

    /// Equations that did not hold and do so by the guard of an action, under the known values.
    fn equations_by(
        &mut self,
        system: &mut System,
        logic: &mut Logic,
        (before, premises, guard): (&Assertion, &[TermId], TermId),
        tested: &HashSet<TermId>,
    ) -> Result<Vec<TermId>, NoAnswer> {
        let mut open: Vec<(Rc<[TermId]>, TermId)> = Vec::new();
        for p in 0..self.predicates.len() as u32 {
            let Predicate { term, variables } = &self.predicates[p as usize];
            let tests = |v: &VarId| tested.contains(&system.variables[v.0 as usize].term);
            let new = before.predicates.binary_search(&p).is_err();
            if new && variables.iter().any(tests) && system.pool.is_equation(*term) {
                let said = self.terms.under(system, *term, &before.values);
                if !matches!(system.pool.term(said), Term::Bool(_)) {
                    open.push((self.terms.free(system, said), said));
                }
            }
        }
        open.sort_by_key(|(free, _)| free.len());
        let mut all = premises.to_vec();
        all.extend(conjuncts(&mut system.pool, guard));
        let own = all.len();
        let tests = self.terms.free(system, guard);
        for (free, said) in open {
            if Equations::of(&system.pool, &all).imply(&system.pool, said) {
                continue;
            }
            // What speaks of nothing else is enough, mostly.
            let mut near = vec![system.pool.not(said)];
            for f in &all {
                let about = self.terms.free(system, *f);
                if about.iter().all(|v| free.contains(v) || tests.contains(v)) {
                    near.push(*f);
                }
            }
            if logic.refuted_soon(&mut system.pool, near)? {
                all.push(said);
            }
        }
        Ok(all.split_off(own))
    }

    /// The predicates that hold, under the known values.
    fn premises(&mut self, system: &mut System, before: &Assertion) -> Vec<TermId> {
        let mut all = Vec::new();
        for p in before.predicates.iter() {
            let term = self.predicates[*p as usize].term;
            all.push(self.terms.under(system, term, &before.values));
        }
        all
    }

    /// Other facts under the known values, too.
    fn with(
        &mut self,
        system: &mut System,
        before: &Assertion,
        known: &[TermId],
        facts: &[TermId],
    ) -> Vec<TermId> {
        let mut all = known.to_vec();
        for f in facts {
            let f = self.terms.under(system, *f, &before.values);
            if *system.pool.term(f) != Term::Bool(true) {
                all.push(f);
            }
        }
        all
    }

    fn effect(&mut self, system: &mut System, before: &Assertion, id: ActionId) -> Rc<Effect> {
        let action = system.get(id);
        let value = |v: &VarId| {
            let at = before.values.binary_search_by_key(v, |x| x.0).ok()?;
            Some(before.values[at].1)
        };
        let inputs: Vec<Option<u128>> = action.reads.iter().map(value).collect();
        if let Some(e) = self.memory.get(&(id, inputs.clone())) {
            return e.clone();
        }
        let (guard, updates) = (action.guard, action.updates.clone());
        let reads: Vec<(VarId, u128)> = action
            .reads
            .iter()
            .zip(&inputs)
            .filter_map(|(v, n)| Some((*v, (*n)?)))
            .collect();
        let map = constants(system, &reads);
        let guard = system.pool.substitute(guard, &map);
        let mut values = Vec::new();
        for (v, t) in updates {
            let t = system.pool.substitute(t, &map);
            let n = match *system.pool.term(t) {
                Term::Bool(b) => Some(u128::from(b)),
                Term::Bits { value, .. } => Some(value),
                _ => None,
            };
            values.push((v, n));
        }
        let effect = Rc::new(Effect { guard, values });
        self.memory.insert((id, inputs), effect.clone());
        effect
    }

    /// The variables of a thread that matter no more where it is now.
    fn dead(
        &mut self,
        system: &System,
        thread: InstanceId,
        outcome: Outcome,
    ) -> Rc<HashSet<VarId>> {
        let status = match outcome {
            Outcome::Next(s) => s,
            _ => Status::Absent,
        };
        if let Some(d) = self.dead.get(&(thread, status)) {
            return d.clone();
        }
        let template = system.ccfg.template(system.instances.get(thread).template);
        let mut dead = HashSet::new();
        for (i, v) in system.variables.iter().enumerate() {
            let Origin::Local(t, l) = v.origin else {
                continue;
            };
            let live = match status {
                Status::At(at) => template.live[at.0 as usize].contains(&l),
                _ => false,
            };
            if t == thread && !live {
                dead.insert(VarId(i as u32));
            }
        }
        let dead = Rc::new(dead);
        self.dead.insert((thread, status), dead.clone());
        dead
    }
}

/// Numbers in place of variables.
pub fn constants(system: &mut System, values: &[(VarId, u128)]) -> HashMap<TermId, TermId> {
    let mut map = HashMap::new();
    for (v, n) in values {
        let term = system.variables[v.0 as usize].term;
        let number = match system.pool.sort(term) {
            Sort::Bool => system.pool.bool(*n == 1),
            Sort::BitVec(w) => system.pool.bits(w, *n),
            _ => continue,
        };
        map.insert(term, number);
    }
    map
}

/// What was computed about terms, so that it is computed once.
#[derive(Default)]
struct Terms {
    variables: HashMap<TermId, Rc<[VarId]>>,
    /// All free variables, choices included.
    free: HashMap<TermId, Rc<[TermId]>>,
    under: HashMap<(TermId, Vec<(VarId, u128)>), TermId>,
}

impl Terms {
    fn free(&mut self, system: &System, term: TermId) -> Rc<[TermId]> {
        if let Some(f) = self.free.get(&term) {
            return f.clone();
        }
        let all: Rc<[TermId]> = system.pool.free_variables(&[term]).into();
        self.free.insert(term, all.clone());
        all
    }

    fn variables(&mut self, system: &System, term: TermId) -> Rc<[VarId]> {
        if let Some(v) = self.variables.get(&term) {
            return v.clone();
        }
        let free = self.free(system, term);
        let all = free.iter().filter_map(|t| system.by_term.get(t).copied());
        let all: Rc<[VarId]> = all.collect();
        self.variables.insert(term, all.clone());
        all
    }

    /// A term under the values that are known.
    fn under(&mut self, system: &mut System, term: TermId, values: &[(VarId, u128)]) -> TermId {
        let value = |v: &VarId| {
            let at = values.binary_search_by_key(v, |x| x.0).ok()?;
            Some(values[at])
        };
        let variables = self.variables(system, term);
        let known: Vec<(VarId, u128)> = variables.iter().filter_map(value).collect();
        if known.is_empty() {
            return term;
        }
        let key = (term, known);
        if let Some(t) = self.under.get(&key) {
            return *t;
        }
        let map = constants(system, &key.1);
        let result = system.pool.substitute(term, &map);
        self.under.insert(key, result);
        result
    }

    /// Those premises that share variables with the roots, directly or through each other.
    fn connected(&mut self, system: &System, premises: &[TermId], roots: &[TermId]) -> Vec<TermId> {
        if premises.is_empty() {
            return Vec::new();
        }
        let mut reached: HashSet<TermId> = HashSet::new();
        for r in roots {
            reached.extend(self.free(system, *r).iter());
        }
        let mut left: Vec<(TermId, Rc<[TermId]>)> = Vec::new();
        for p in premises {
            left.push((*p, self.free(system, *p)));
        }
        let mut taken = Vec::new();
        loop {
            let (near, far): (Vec<_>, Vec<_>) = left
                .into_iter()
                .partition(|(_, vars)| vars.iter().any(|v| reached.contains(v)));
            if near.is_empty() {
                return taken;
            }
            for (p, vars) in near {
                reached.extend(vars.iter());
                taken.push(p);
            }
            left = far;
        }
    }
}
