//! What a round of a loop does: how values change in it, which tests it passes, and what may be guessed from that.

use crate::abstraction::{Assertion, constants};
use crate::logic::conjuncts;
use crate::system::{ActionId, Status, System, VarId};
use raddle_solver::term::{Op, Sort, Term, TermId, TermPool, mask, sign_extend};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Rounds that are better gone through one by one.
const FEW_ROUNDS: u128 = 24;

/// The last visits of the same places, and what was done between the last two.
pub struct Rounds<'a> {
    /// Without it, the round itself has to tell that it adds numbers, and that it may be the last one.
    pub first: Option<&'a Assertion>,
    pub second: &'a Assertion,
    pub now: &'a Assertion,
    pub round: &'a [ActionId],
    pub places: &'a [Status],
}

/// Something with a value.
#[derive(Clone, Copy)]
pub struct Measure {
    pub term: TermId,
    width: u32,
    /// By how much it grows in a round.
    step: u128,
    value: u128,
}

/// What two sides of a test have to do with each other when it fails for the first time, if they meet in steps of one.
pub fn met(pool: &mut TermPool, test: TermId, measures: &[Measure]) -> Option<TermId> {
    let op_of = |t: TermId| match pool.term(t) {
        Term::App { op, .. } => Some(*op),
        _ => None,
    };
    let mut relation = test;
    if op_of(test) == Some(Op::Not) {
        relation = pool.args(test)[0];
        op_of(relation).filter(|op| *op == Op::Eq)?;
    }
    let op = op_of(relation)?;
    let beyond = match op {
        Op::BvUlt | Op::BvSlt | Op::Eq => 0,
        Op::BvUle | Op::BvSle => 1,
        _ => return None,
    };
    let &[a, b] = pool.args(relation) else {
        return None;
    };
    let Sort::BitVec(width) = pool.sort(a) else {
        return None;
    };
    let mut later = HashMap::new();
    for m in measures {
        let step = pool.bits(m.width, m.step);
        later.insert(m.term, pool.bv_add(m.term, step));
    }
    let sum = pool.bv_sub(a, b);
    let then = pool.substitute(sum, &later);
    let step = pool.constant_difference(then, sum)?;
    let meet = step == 1 || op == Op::Eq && step == mask(width);
    meet.then(|| sum_is(pool, sum, beyond))
}

/// The predicate that a sum is a number, in one form for all that say the same.
pub fn sum_is(pool: &mut TermPool, sum: TermId, number: u128) -> TermId {
    let width = pool.width(sum);
    let (sum, number) = match pool.sum_in_order(sum) {
        Some((sum, false, more)) => (sum, number.wrapping_sub(more)),
        Some((sum, true, more)) => (sum, number.wrapping_add(more).wrapping_neg()),
        None => (sum, number),
    };
    let value = pool.bits(width, number & mask(width));
    pool.eq(sum, value)
}

/// What changes, at the widths of other things that change.
pub fn extended(pool: &mut TermPool, measures: &[Measure]) -> Vec<TermId> {
    let widths: BTreeSet<u32> = measures.iter().map(|m| m.width).collect();
    let mut all = Vec::new();
    for m in measures {
        for w in widths.iter().filter(|w| **w > m.width) {
            all.push(pool.sign_extend_to(*w, m.term));
        }
    }
    all
}

/// How something changes, if it does so by the same amount in all rounds.
pub fn measure(pool: &TermPool, term: TermId, values: &[u128]) -> Option<Measure> {
    let Sort::BitVec(width) = pool.sort(term) else {
        return None;
    };
    let steps = values
        .windows(2)
        .map(|w| w[1].wrapping_sub(w[0]) & mask(width));
    let steps: Vec<u128> = steps.collect();
    let (step, value) = (*steps.last()?, *values.last()?);
    (width <= 64 && step != 0 && steps.iter().all(|s| *s == step)).then_some(Measure {
        term,
        width,
        step,
        value,
    })
}

/// Whether the last round adds numbers, whatever the values were that it began with, and need not have been there: something that is not listed,
/// or an input, decided that it was.
pub fn adds(system: &mut System, rounds: &Rounds, measures: &[Measure]) -> bool {
    let changes = |v: &VarId| {
        let term = system.variables[v.0 as usize].term;
        measures.iter().any(|m| m.term == term)
    };
    let kept = rounds.now.values.iter();
    let kept: Vec<(VarId, u128)> = kept.filter(|v| !changes(&v.0)).copied().collect();
    let listed = follow(system, rounds.round, &rounds.second.values);
    let open = listed
        .0
        .iter()
        .any(|g| *system.pool.term(*g) != Term::Bool(true));
    let (_, after) = follow(system, rounds.round, &kept);
    open && measures.iter().all(|m| {
        let is = after.get(&m.term).copied().unwrap_or(m.term);
        system.pool.constant_difference(is, m.term) == Some(m.step)
    })
}

/// What the actions of a round ask for, and what they leave behind, if some values are known at its beginning.
fn follow(
    system: &mut System,
    round: &[ActionId],
    known: &[(VarId, u128)],
) -> (Vec<TermId>, HashMap<TermId, TermId>) {
    let mut state = constants(system, known);
    let mut guards: Vec<TermId> = Vec::new();
    for id in round {
        let action = system.get(*id).clone();
        guards.push(system.pool.substitute(action.guard, &state));
        let mut new = Vec::new();
        for (v, t) in &action.updates {
            let value = system.pool.substitute(*t, &state);
            new.push((system.variables[v.0 as usize].term, value));
        }
        state.extend(new);
    }
    (guards, state)
}

/// On which side of its present value something stays, and the last bits that never change.
pub fn sides(pool: &mut TermPool, m: &Measure) -> Vec<TermId> {
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
pub fn passed(system: &mut System, rounds: &Rounds, forgotten: &BTreeSet<VarId>) -> Vec<TermId> {
    let kept = rounds.now.values.iter();
    let kept = kept.filter(|v| !forgotten.contains(&v.0));
    let kept: Vec<(VarId, u128)> = kept.copied().collect();
    let (guards, _) = follow(system, rounds.round, &kept);
    let mut passed: Vec<TermId> = Vec::new();
    for guard in guards {
        passed.extend(conjuncts(&mut system.pool, guard));
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
pub fn ends_soon(pool: &mut TermPool, passed: &[TermId], measures: &[Measure]) -> bool {
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

/// That the round before passed its tests, and what that may mean; behind the loop, a test has failed.
pub fn tests(pool: &mut TermPool, passed: Vec<TermId>, measures: &[Measure]) -> Vec<TermId> {
    let mut back = HashMap::new();
    for m in measures {
        let step = pool.bits(m.width, m.step);
        back.insert(m.term, pool.bv_sub(m.term, step));
    }
    let mut all = Vec::new();
    for t in passed {
        all.extend(ends(pool, t));
        all.push(pool.substitute(t, &back));
        all.extend([t, pool.not(t)]);
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
