//! Leaps over loops that count: what changes by the same amount in every round is known by how it hangs together, not by its values.
//!
//! A thread that adds to a sum a million times has a million states, if values are listed. After a few rounds it can be seen what a round does:
//! every variable grows by a number of its own. So the values are forgotten, and in their place it is said that the sum and the counter
//! differ by so much, on which side of their present values they lie, and that the round before passed the tests of the loop.
//! All of this holds in the state that is left, and whatever of it does not hold after the next round is lost then, like any predicate: a leap
//! is a guess of an invariant, never a claim. Where the loop is left, tests and differences settle the values again, and they are listed again
//! (`Abstraction::settled`).
//!
//! What is found out in this way are affine equations (Karr), for one loop after the other in the order of the reduced product, with the numbers that
//! are there. A run that cannot happen and that goes through a leap soon ends leaps of that kind ([`Leaps::blame`]).
//!
//! *Misses:* rounds that are not all alike, products, relations that hold between values of several listed rounds only.

use crate::abstraction::{Abstraction, Assertion, constants};
use crate::logic::conjuncts;
use crate::system::{ActionId, System, VarId};
use raddle_solver::term::{Op, Sort, Term, TermId, TermPool, mask, sign_extend};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Visits of the same places before a leap is thought of.
pub const VISITS: u32 = 8;
/// How far back the last rounds are looked for.
pub const FAR: usize = 1_000;
/// Leaps that are tried in vain at the same places, one after the other; then only now and then.
pub const PATIENCE: u32 = 8;
/// Runs that cannot happen, through the same leap, until it is not taken any more.
const BLAME: u32 = 2;
/// Runs that cannot happen, through any leap, until none is taken any more.
const ALL_BLAME: u32 = 4;
/// Rounds that are better gone through one by one.
const FEW_ROUNDS: u128 = 24;
/// More predicates than this are not made for differences.
const MANY: usize = 600;

/// Questions to the solver that a search with so many leaps may cost.
pub fn worth(leaps: u64) -> u64 {
    (300 + 150 * leaps).min(6_000)
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
    /// Variables whose values were forgotten.
    pub variables: BTreeSet<VarId>,
    /// Predicates that are only guesses, by number.
    pub guessed: HashSet<u32>,
    /// Predicates that say that a sum of variables is a number.
    sums: HashMap<TermId, (TermId, u128)>,
}

impl Leaps {
    /// Leaps of these kinds led to a run that cannot happen.
    pub fn blame(&mut self, kinds: &[Kind]) {
        self.runs += u32::from(!kinds.is_empty());
        for kind in kinds {
            *self.blamed.entry(kind.clone()).or_default() += 1;
        }
    }

    fn may(&self, kind: &Kind) -> bool {
        !self.are_over() && self.blamed.get(kind).is_none_or(|n| *n < BLAME)
    }

    /// None is taken any more.
    pub fn end(&mut self) {
        self.runs = ALL_BLAME;
    }

    /// Whether none is taken any more.
    pub fn are_over(&self) -> bool {
        self.runs >= ALL_BLAME
    }

    /// The leaps of another search that went wrong.
    pub fn after(other: &Leaps) -> Leaps {
        Leaps {
            blamed: other.blamed.clone(),
            runs: other.runs,
            ..Leaps::default()
        }
    }
}

/// The three last visits of the same places, and what was done between the last two.
pub struct Rounds<'a> {
    pub first: &'a Assertion,
    pub second: &'a Assertion,
    pub now: &'a Assertion,
    pub round: &'a [ActionId],
}

/// Something with a value.
#[derive(Clone, Copy)]
struct Measure {
    term: TermId,
    width: u32,
    /// By how much it grows in a round.
    step: u128,
    value: u128,
}

impl Abstraction {
    /// What is left of the knowledge of a state if values that change in every round are forgotten, and which ones they are; `None` if
    /// nothing changes, or not by the same amount.
    pub fn leap(&mut self, system: &mut System, rounds: &Rounds) -> Option<(Assertion, Kind)> {
        let listed = |a: &Assertion| a.values.iter().map(|v| v.0).collect::<Vec<VarId>>();
        let now = listed(rounds.now);
        if listed(rounds.second) != now || listed(rounds.first) != now {
            return None;
        }
        let mut forgotten = BTreeSet::new();
        let mut measures = Vec::new();
        for (i, v) in now.iter().enumerate() {
            let values = [rounds.first, rounds.second, rounds.now].map(|a| a.values[i].1);
            if values[1] == values[2] && values[0] == values[1] {
                continue;
            }
            let term = system.variables[v.0 as usize].term;
            measures.push(measure(&system.pool, term, values)?);
            forgotten.insert(*v);
        }
        let sums = [rounds.first, rounds.second, rounds.now].map(|a| self.known_sums(a));
        for (term, value) in &sums[2] {
            if let (Some(a), Some(b)) = (sums[0].get(term), sums[1].get(term))
                && (a != b || b != value)
            {
                measures.extend(measure(&system.pool, *term, [*a, *b, *value]));
            }
        }
        let kind: Kind = measures.iter().map(|m| m.term).collect();
        if forgotten.is_empty() || !self.leaps.may(&kind) || self.predicates.len() > MANY {
            return None;
        }
        let steps: HashMap<TermId, u128> = measures.iter().map(|m| (m.term, m.step)).collect();
        let passed = passed(system, rounds, &forgotten);
        if ends_soon(&mut system.pool, &passed, &measures) {
            return None;
        }
        let mut guesses = Vec::new();
        self.differences(&mut system.pool, &measures, &mut guesses);
        for m in &measures {
            guesses.extend(sides(&mut system.pool, m));
        }
        guesses.extend(tests(&mut system.pool, passed, &steps));
        for g in guesses {
            self.guess(system, g);
        }
        Some((self.without(system, rounds.now, &forgotten), kind))
    }

    /// The same knowledge without some of the values; predicates that followed from them are kept.
    fn without(
        &mut self,
        system: &mut System,
        now: &Assertion,
        forgotten: &BTreeSet<VarId>,
    ) -> Assertion {
        let values = now.values.iter().filter(|v| !forgotten.contains(&v.0));
        let values: Vec<(VarId, u128)> = values.copied().collect();
        let known = constants(system, &now.values);
        let sums = self.known_sums(now);
        let mut predicates = now.predicates.to_vec();
        for (i, p) in self.predicates.iter().enumerate() {
            let i = i as u32;
            if !p.variables.iter().any(|v| forgotten.contains(v)) || predicates.contains(&i) {
                continue;
            }
            let mut term = p.term;
            // A sum whose value is known stands for itself in guesses.
            if p.variables
                .iter()
                .any(|v| !known.contains_key(&system.variables[v.0 as usize].term))
            {
                let mut map = HashMap::new();
                for (sum, value) in &sums {
                    let width = system.pool.width(*sum);
                    map.insert(*sum, system.pool.bits(width, *value));
                }
                term = system.pool.substitute(term, &map);
            }
            let held = system.pool.substitute(term, &known);
            if *system.pool.term(held) == Term::Bool(true) {
                predicates.push(i);
            }
        }
        predicates.sort_unstable();
        self.leaps.variables.extend(forgotten);
        Assertion {
            values: values.into(),
            predicates: predicates.into(),
        }
    }

    /// The sums whose values predicates say.
    fn known_sums(&self, assertion: &Assertion) -> BTreeMap<TermId, u128> {
        let terms = assertion.predicates.iter();
        let terms = terms.map(|p| self.predicates[*p as usize].term);
        let sums = terms.filter_map(|t| self.leaps.sums.get(&t).copied());
        sums.collect()
    }

    /// Whatever else changes is a multiple of one of them, and a number.
    fn differences(&mut self, pool: &mut TermPool, all: &[Measure], found: &mut Vec<TermId>) {
        let size = |m: &&Measure| sign_extend(m.width, m.step).unsigned_abs();
        let Some(first) = all.iter().min_by_key(size) else {
            return;
        };
        for (i, m) in all.iter().enumerate() {
            // What grows as fast as another, or shrinks as fast, is best compared with that one.
            let alike = |o: &&Measure| o.width == m.width && size(o) == size(&m);
            let base = all[..i].iter().find(alike).unwrap_or(first);
            if base.term == m.term {
                continue;
            }
            let (by, of) = (
                sign_extend(m.width, m.step),
                sign_extend(base.width, base.step),
            );
            let times = |pool: &mut TermPool, t: TermId, n: i128| {
                let factor = pool.bits(m.width, n as u128 & mask(m.width));
                pool.bv_mul(t, factor)
            };
            let counted = match base.width.cmp(&m.width) {
                std::cmp::Ordering::Less => pool.sign_extend_to(m.width, base.term),
                std::cmp::Ordering::Equal => base.term,
                std::cmp::Ordering::Greater => pool.extract(m.width - 1, 0, base.term),
            };
            let at = sign_extend(base.width, base.value) as u128 & mask(m.width);
            let (own, other, factor) = match by % of {
                0 => (m.term, times(pool, counted, by / of), 1),
                _ => (times(pool, m.term, of), times(pool, counted, by), of),
            };
            let rest = (m.value.wrapping_mul(factor as u128))
                .wrapping_sub(at.wrapping_mul((if factor == 1 { by / of } else { by }) as u128));
            let sum = pool.bv_sub(own, other);
            found.push(self.sum_is(pool, sum, rest & mask(m.width)));
        }
    }

    /// The predicate that a sum is a number.
    fn sum_is(&mut self, pool: &mut TermPool, sum: TermId, number: u128) -> TermId {
        let width = pool.width(sum);
        let number = number & mask(width);
        let value = pool.bits(width, number);
        let predicate = pool.eq(sum, value);
        self.leaps.sums.insert(predicate, (sum, number));
        predicate
    }

    /// Makes predicates of what becomes of sums whose values are known, if an action adds a number to them.
    pub fn follow_sums(&mut self, system: &mut System, before: &Assertion, id: ActionId) {
        if self.leaps.sums.is_empty() || self.predicates.len() > MANY {
            return;
        }
        let action = system.get(id).clone();
        let mut map = constants(system, &before.values);
        let old = map.clone();
        for (v, t) in &action.updates {
            let value = system.pool.substitute(*t, &old);
            map.insert(system.variables[v.0 as usize].term, value);
        }
        for (sum, value) in self.known_sums(before) {
            let free = system.pool.free_variables(&[sum]);
            let mut written = action.updates.iter();
            if !written.any(|(v, _)| free.contains(&system.variables[v.0 as usize].term)) {
                continue;
            }
            let was = system.pool.substitute(sum, &old);
            let is = system.pool.substitute(sum, &map);
            if let Some(more) = system.pool.constant_difference(is, was)
                && more != 0
            {
                let p = self.sum_is(&mut system.pool, sum, value.wrapping_add(more));
                self.guess(system, p);
            }
        }
    }

    /// Adds a predicate that is not worth much.
    fn guess(&mut self, system: &System, term: TermId) {
        if self.add(system, term) {
            self.leaps.guessed.insert(self.predicates.len() as u32 - 1);
        }
    }
}

/// How something changes, if it does so by the same amount in both rounds.
fn measure(pool: &TermPool, term: TermId, [a, b, c]: [u128; 3]) -> Option<Measure> {
    let Sort::BitVec(width) = pool.sort(term) else {
        return None;
    };
    let step = c.wrapping_sub(b) & mask(width);
    (width <= 64 && step != 0 && step == b.wrapping_sub(a) & mask(width)).then_some(Measure {
        term,
        width,
        step,
        value: c,
    })
}

/// On which side of its present value something stays, and the last bits that never change.
fn sides(pool: &mut TermPool, m: &Measure) -> Vec<TermId> {
    let value = pool.bits(m.width, m.value);
    let mut all = match sign_extend(m.width, m.step) > 0 {
        true => vec![pool.bv_sle(value, m.term), pool.bv_ule(value, m.term)],
        false => vec![pool.bv_sle(m.term, value), pool.bv_ule(m.term, value)],
    };
    let still = m.step.trailing_zeros();
    if still > 0 && still < m.width {
        let low = pool.extract(still - 1, 0, m.term);
        let bits = pool.bits(still, m.value & mask(still));
        all.push(pool.eq(low, bits));
    }
    all
}

/// The tests of the last round, over what it began with: those that say something of what changes.
fn passed(system: &mut System, rounds: &Rounds, forgotten: &BTreeSet<VarId>) -> Vec<TermId> {
    let kept = rounds.now.values.iter();
    let kept = kept.filter(|v| !forgotten.contains(&v.0));
    let kept: Vec<(VarId, u128)> = kept.copied().collect();
    let mut state = constants(system, &kept);
    let mut passed: Vec<TermId> = Vec::new();
    for id in rounds.round {
        let action = system.get(*id).clone();
        let guard = system.pool.substitute(action.guard, &state);
        passed.extend(conjuncts(&mut system.pool, guard));
        let mut new = Vec::new();
        for (v, t) in &action.updates {
            let value = system.pool.substitute(*t, &state);
            new.push((system.variables[v.0 as usize].term, value));
        }
        state.extend(new);
    }
    let term = |v: &VarId| system.variables[v.0 as usize].term;
    let changing: HashSet<TermId> = forgotten.iter().map(term).collect();
    let mut seen = HashSet::new();
    passed.retain(|t| {
        let free = system.pool.free_variables(&[*t]);
        let known = free.iter().all(|v| system.by_term.contains_key(v));
        known && free.iter().any(|v| changing.contains(v)) && seen.insert(*t)
    });
    passed
}

/// Whether a test fails after a few more rounds: then they are better gone through one by one.
fn ends_soon(pool: &mut TermPool, passed: &[TermId], measures: &[Measure]) -> bool {
    let mut later = HashMap::new();
    for m in measures {
        let value = m.value.wrapping_add(m.step.wrapping_mul(FEW_ROUNDS));
        later.insert(m.term, pool.bits(m.width, value & mask(m.width)));
    }
    passed.iter().any(|t| {
        let then = pool.substitute(*t, &later);
        *pool.term(then) == Term::Bool(false)
    })
}

/// That the round before passed its tests, and what that may mean.
fn tests(pool: &mut TermPool, passed: Vec<TermId>, steps: &HashMap<TermId, u128>) -> Vec<TermId> {
    let mut back = HashMap::new();
    for (term, step) in steps {
        let width = pool.width(*term);
        let step = pool.bits(width, *step);
        back.insert(*term, pool.bv_sub(*term, step));
    }
    let mut all = Vec::new();
    for t in passed {
        all.extend(ends(pool, t));
        all.push(pool.substitute(t, &back));
    }
    all
}

/// On which side of a number something stays that is tested not to be it, if one step does not lead beyond.
fn ends(pool: &mut TermPool, test: TermId) -> Vec<TermId> {
    let (Term::App { op: Op::Not, .. }, &[equation]) = (pool.term(test), pool.args(test)) else {
        return Vec::new();
    };
    let (Term::App { op: Op::Eq, .. }, &[a, b]) = (pool.term(equation), pool.args(equation)) else {
        return Vec::new();
    };
    if !matches!(pool.sort(a), Sort::BitVec(_)) {
        return Vec::new();
    }
    vec![
        pool.bv_ule(a, b),
        pool.bv_ule(b, a),
        pool.bv_sle(a, b),
        pool.bv_sle(b, a),
    ]
}
