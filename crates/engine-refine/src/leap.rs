//! Leaps over loops that count: what changes by the same amount in every round is known by how it hangs together, not by its values.
//!
//! A thread that adds to a sum a million times has a million states, if values are listed. After a few rounds it can be seen what a round does:
//! every variable grows by a number of its own. So the values are forgotten, and in their place it is said that the sum and the counter
//! differ by so much, on which side of their present values they lie, and that the round before passed the tests of the loop.
//! All of this holds in the state that is left, and whatever of it does not hold after the next round is lost then, like any predicate: a leap
//! is a guess of an invariant, never a claim. Where the loop is left, tests and differences settle the values again, and they are listed again
//! (`Abstraction::settled`).
//!
//! What is found out in this way are affine equations (`affine.rs`), for one loop after the other in the order of the reduced product, with the numbers that
//! are there. A run that cannot happen and that goes through a leap soon ends leaps of that kind ([`Leaps::blame`]).
//!
//! *Misses:* amounts that are no numbers (`sum += x`), and so products.

use crate::abstraction::{Abstraction, Assertion, constants};
use crate::affine::Affine;
use crate::rounds::{
    Rounds, adds, ends_soon, extended, measure, met, passed, sides, sum_is, tests,
};
use crate::system::{Action, Status, System, VarId};
use raddle_solver::term::{Equations, Sort, Term, TermId};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Visits of the same places before a leap is thought of.
pub const VISITS: u32 = 8;
/// Searches of so many states begin anew when a leap makes predicates, so that they are asked for on the way, too; and how often.
pub const NEAR: usize = 1_000;
pub const RESTARTS: u32 = 6;
/// How far back the last rounds are looked for.
pub const FAR: usize = 1_000;
/// Leaps that are tried in vain at the same places, one after the other; then only now and then.
pub const PATIENCE: u32 = 8;
/// Runs that cannot happen, through the same leap, until it is not taken any more.
const BLAME: u32 = 2;
/// Runs that cannot happen, through any leap, until none is taken any more.
const ALL_BLAME: u32 = 4;
/// More predicates than this are not made for differences.
const MANY: usize = 600;

/// Questions to the solver that a search with so many leaps may cost.
pub fn worth(courage: Courage, leaps: u64) -> u64 {
    match courage {
        Courage::Bold => (500 + 50 * leaps).min(2_000),
        _ => (300 + 150 * leaps).min(6_000),
    }
}

/// When leaps are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Courage {
    /// After one round that need not have been there.
    #[default]
    Bold,
    /// After some rounds.
    Patient,
    /// Never.
    None,
}

/// What changes in a leap, in order.
pub type Kind = Vec<TermId>;

/// The leaps that were taken.
#[derive(Clone, Default)]
pub struct Leaps {
    /// How often a run that cannot happen went through each.
    blamed: HashMap<Kind, u32>,
    /// How often one went through any.
    runs: u32,
    pub courage: Courage,
    /// Variables whose values were forgotten.
    pub variables: BTreeSet<VarId>,
    counters: Option<BTreeSet<TermId>>,
    /// Names for what variables are after an action.
    after: HashMap<VarId, TermId>,
    /// Predicates that are only guesses, by number.
    pub guessed: HashSet<u32>,
    /// The equations that hold where threads go round, each in its own way: of all ways at once, so that one state tells of all of them.
    around: HashMap<Vec<Status>, Affine>,
}

impl Leaps {
    /// Leaps of these kinds led to a run that cannot happen.
    pub fn blame(&mut self, kinds: &[Kind]) {
        self.runs += u32::from(!kinds.is_empty());
        for kind in kinds {
            *self.blamed.entry(kind.clone()).or_default() += 1;
        }
    }

    /// The search begins anew because of what was found at some places. Elsewhere there will be more to know, and here, too, if it was nothing.
    pub fn begin_anew(&mut self, places: &[Status]) {
        self.around
            .retain(|p, space| p[..] == *places && space.relates());
    }

    /// Variables that are sums of others, or of what they were, after some action.
    fn counters(&mut self, system: &System) -> BTreeSet<TermId> {
        let found = self.counters.get_or_insert_with(|| {
            let updates = system.actions.iter().flat_map(|a| &a.updates);
            let counts = updates.filter(|(_, t)| {
                let parts = system.pool.parts_of_sum(*t);
                let is_variable = |p: &TermId| system.by_term.contains_key(p);
                parts.is_some_and(|(p, _)| !p.is_empty() && p.keys().all(is_variable))
            });
            let term = |(v, _): &(VarId, TermId)| system.variables[v.0 as usize].term;
            counts.map(term).collect()
        });
        found.clone()
    }

    fn may(&self, kind: &Kind) -> bool {
        self.blamed.get(kind).is_none_or(|n| *n < BLAME)
    }

    /// None of these are taken any more, but perhaps others.
    pub fn end(&mut self) {
        *self = Leaps {
            courage: match self.courage {
                Courage::Bold => Courage::Patient,
                _ => Courage::None,
            },
            ..Leaps::default()
        };
    }

    /// Whether too many of them led to runs that cannot happen.
    pub fn are_vain(&self) -> bool {
        self.runs >= ALL_BLAME
    }

    /// The leaps of another search that went wrong.
    pub fn after(other: &Leaps) -> Leaps {
        Leaps {
            blamed: other.blamed.clone(),
            runs: other.runs,
            courage: other.courage,
            ..Leaps::default()
        }
    }
}

impl Abstraction {
    /// What is left of the knowledge of a state if values that change in every round are forgotten, and which ones they are; `None` if
    /// nothing changes, or not by the same amount.
    pub fn leap(&mut self, system: &mut System, rounds: &Rounds) -> Option<(Assertion, Kind)> {
        let listed = |a: &Assertion| a.values.iter().map(|v| v.0).collect::<Vec<VarId>>();
        let now = listed(rounds.now);
        let visits = rounds.first.into_iter().chain([rounds.second, rounds.now]);
        let visits: Vec<&Assertion> = visits.collect();
        if visits.iter().any(|a| listed(a) != now) {
            return None;
        }
        let mut forgotten = BTreeSet::new();
        let mut measures = Vec::new();
        for (i, v) in now.iter().enumerate() {
            let values: Vec<u128> = visits.iter().map(|a| a.values[i].1).collect();
            if values.windows(2).all(|w| w[0] == w[1]) {
                continue;
            }
            let term = system.variables[v.0 as usize].term;
            measures.push(measure(&system.pool, term, &values)?);
            forgotten.insert(*v);
        }
        if rounds.first.is_none() && !adds(system, rounds, &measures) {
            return None;
        }
        let kind: Kind = measures.iter().map(|m| m.term).collect();
        if !self.leaps.may(&kind) || self.predicates.len() > MANY {
            return None;
        }
        let passed = passed(system, rounds, &forgotten);
        if ends_soon(&mut system.pool, &passed, &measures) {
            return None;
        }
        let mut terms: BTreeSet<TermId> = self.leaps.counters(system);
        terms.extend(&kind);
        let before = self.leaps.around.get(rounds.places).cloned();
        terms.extend(before.iter().flat_map(|b| b.terms()));
        terms.extend(extended(&mut system.pool, &measures));
        let mut space = self.space(system, rounds.second, &terms);
        space = space.join(&self.space(system, rounds.now, &terms));
        if let Some(before) = before.filter(|_| rounds.first.is_none()) {
            space = space.join(&before);
        }
        for (v, _) in rounds.now.values.iter() {
            let term = system.variables[v.0 as usize].term;
            if terms.contains(&term) && !space.is_settled(term) {
                forgotten.insert(*v);
            }
        }
        self.leaps
            .around
            .insert(rounds.places.to_vec(), space.clone());
        let mut guesses = Vec::new();
        for (sum, number) in space.sums(&mut system.pool) {
            if system.pool.free_variables(&[sum]).len() > 1 {
                guesses.push(sum_is(&mut system.pool, sum, number));
            }
        }
        for m in &measures {
            guesses.extend(sides(&mut system.pool, m));
        }
        for t in &passed {
            guesses.extend(met(&mut system.pool, *t, &measures));
        }
        guesses.extend(tests(&mut system.pool, passed, &measures));
        for g in guesses {
            self.guess(system, g);
        }
        let left = self.without(system, rounds.now, &forgotten, &space);
        (left != *rounds.now).then_some((left, kind))
    }

    /// The equations that hold, with values of some terms.
    fn space(&self, system: &mut System, a: &Assertion, terms: &BTreeSet<TermId>) -> Affine {
        let mut space = Affine::default();
        for p in a.predicates.iter() {
            let said = self.predicates[*p as usize].term;
            if system.pool.is_equation(said) {
                space.add(&system.pool, said);
            }
        }
        let known = constants(system, &a.values);
        for term in terms.union(&space.terms()) {
            let value = system.pool.substitute(*term, &known);
            if let Term::Bits { value, .. } = *system.pool.term(value) {
                space.set(&system.pool, *term, value);
            }
        }
        space
    }

    /// The same knowledge without some of the values and without equations that are not in a space; predicates that followed are kept.
    fn without(
        &mut self,
        system: &mut System,
        now: &Assertion,
        forgotten: &BTreeSet<VarId>,
        space: &Affine,
    ) -> Assertion {
        let values = now.values.iter().filter(|v| !forgotten.contains(&v.0));
        let values: Vec<(VarId, u128)> = values.copied().collect();
        let (known, kept) = (constants(system, &now.values), constants(system, &values));
        let mut facts = Vec::new();
        for p in now.predicates.iter() {
            let term = self.predicates[*p as usize].term;
            facts.push(system.pool.substitute(term, &known));
        }
        let facts = Equations::of(&system.pool, &facts);
        let mut left = Vec::new();
        for (sum, number) in space.sums(&mut system.pool) {
            let said = sum_is(&mut system.pool, sum, number);
            left.push(system.pool.substitute(said, &kept));
        }
        let left = Equations::of(&system.pool, &left);
        let mut predicates = Vec::new();
        for (i, p) in self.predicates.iter().enumerate() {
            let i = i as u32;
            let was = now.predicates.binary_search(&i).is_ok();
            if !was && !p.variables.iter().any(|v| forgotten.contains(v)) {
                continue;
            }
            let said = system.pool.substitute(p.term, &known);
            let holds = was || *system.pool.term(said) == Term::Bool(true);
            if !holds && !facts.imply(&system.pool, said) {
                continue;
            }
            let said = system.pool.substitute(p.term, &kept);
            if !system.pool.is_equation(said) || left.imply(&system.pool, said) {
                predicates.push(i);
            }
        }
        self.leaps.variables.extend(forgotten);
        Assertion {
            values: values.into(),
            predicates: predicates.into(),
        }
    }

    /// Makes predicates of the equations that hold after an action, by what holds before, with the values that are known. Those of
    /// single variables are returned.
    pub fn follow_equations(
        &mut self,
        system: &mut System,
        before: &Assertion,
        facts: &[TermId],
        action: &Action,
        dead: &HashSet<VarId>,
    ) -> Vec<VarId> {
        let mut single = Vec::new();
        if self.predicates.len() > MANY {
            return single;
        }
        let mut space = Affine::default();
        for f in facts {
            if system.pool.is_equation(*f) {
                space.add(&system.pool, *f);
            }
        }
        let old = constants(system, &before.values);
        let mut written: HashMap<TermId, bool> = HashMap::new();
        let mut after: HashMap<TermId, TermId> = HashMap::new();
        for (v, t) in &action.updates {
            let term = system.variables[v.0 as usize].term;
            written.insert(term, dead.contains(v));
            let value = system.pool.substitute(*t, &old);
            let is_number = matches!(system.pool.term(value), Term::Bits { .. });
            if is_number || !matches!(system.pool.sort(term), Sort::BitVec(_)) {
                continue;
            }
            let sort = system.pool.sort(term);
            let new = self.leaps.after.entry(*v);
            let new = *new.or_insert_with(|| system.pool.fresh_var("after", sort));
            after.insert(new, term);
            let difference = system.pool.bv_sub(new, value);
            space.add(&system.pool, difference);
        }
        let dead: HashSet<TermId> = dead
            .iter()
            .map(|v| system.variables[v.0 as usize].term)
            .collect();
        let kept = |part: TermId| match after.get(&part) {
            Some(v) => !dead.contains(v),
            None => system.pool.free_variables(&[part]).iter().all(|v| {
                system.by_term.contains_key(v) && !written.contains_key(v) && !dead.contains(v)
            }),
        };
        let left = space.of(&kept);
        for (sum, number) in left.sums(&mut system.pool) {
            let sum = system.pool.substitute(sum, &after);
            let said = sum_is(&mut system.pool, sum, number);
            match system.pool.free_variables(&[said])[..] {
                [v] => single.extend(system.by_term.get(&v)),
                _ if self.predicates.len() <= MANY => self.guess(system, said),
                _ => {}
            }
        }
        single
    }

    /// Adds a predicate that is not worth much.
    pub fn guess(&mut self, system: &System, term: TermId) {
        if self.add(system, term) {
            self.leaps.guessed.insert(self.predicates.len() as u32 - 1);
        }
    }
}
