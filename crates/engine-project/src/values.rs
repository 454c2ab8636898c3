//! Which values locals can have, where these are few; and actions rewritten so that they need to know only those.
//!
//! An index that is computed from a counter has a handful of values, but as a term it is a multiplication, a remainder and an addition to
//! an address, compared with the address of every element. Known values make of it a comparison with each of them, and of all
//! other elements nothing. The values are a fixed point over all actions from the initial state: an action is taken for
//! each combination of the known values its thread's locals can have, and for any values of everything else.
//!
//! In states that can be reached, the rewritten actions are the same as before; so paths are, and so are proofs by induction.

use crate::instantiate::Instantiation;
use raddle_actions::system::{Origin, System, VarId};
use raddle_solver::term::{Op, Sort, Term, TermId, TermPool};
use std::collections::{BTreeSet, HashMap};

/// More values than this are any values.
const MANY: usize = 64;
/// More combinations than this are not looked at.
const COMBINATIONS: usize = 512;

/// Rewrites the actions of a system.
pub fn simplify(system: &mut System) {
    let sets = values(system);
    let mut actions = std::mem::take(&mut system.actions);
    let mut pool = std::mem::take(&mut system.pool);
    for action in &mut actions {
        let mut roots: Vec<TermId> = action.updates.iter().map(|u| u.1).collect();
        roots.push(action.guard);
        let mut rewriting = Instantiation::default();
        rewrite(&mut pool, system, &sets, &roots, &mut rewriting);
        action.guard = rewriting.term(&mut pool, action.guard);
        for (_, t) in &mut action.updates {
            *t = rewriting.term(&mut pool, *t);
        }
        let own = |v: VarId| system.variables[v.0 as usize].term;
        action.updates.retain(|(v, t)| own(*v) != *t);
        let mut roots: Vec<TermId> = action.updates.iter().map(|u| u.1).collect();
        roots.push(action.guard);
        let free = pool.free_variables(&roots);
        action.reads = free
            .iter()
            .filter_map(|t| system.by_term.get(t).copied())
            .collect();
        action.reads.sort_unstable();
    }
    system.pool = pool;
    system.actions = actions;
}

/// By variable: the values it can have, or `None` for any.
type Sets = Vec<Option<BTreeSet<u128>>>;

fn values(system: &mut System) -> Sets {
    let mut sets: Sets = Vec::new();
    for variable in &system.variables {
        sets.push(match variable.origin {
            // What is in memory is not followed.
            Origin::Result(_)
            | Origin::Sleep(_)
            | Origin::Cell(..)
            | Origin::Contents(_)
            | Origin::Identity(_)
            | Origin::Changer(_) => None,
            Origin::Local(thread, local) => {
                let template = system.ccfg.template(system.instances.get(thread).template);
                let live = template.live.first().is_some_and(|l| l.contains(&local));
                let argument = template.param == Some(local) && thread.0 != 0;
                // Whatever it is at first, nobody reads it.
                (!live || argument).then(BTreeSet::new)
            }
        });
    }
    let mut readers: HashMap<VarId, Vec<usize>> = HashMap::new();
    for (a, action) in system.actions.iter().enumerate() {
        for v in &action.reads {
            readers.entry(*v).or_default().push(a);
        }
    }
    let mut work: BTreeSet<usize> = (0..system.actions.len()).collect();
    while let Some(a) = work.pop_first() {
        for v in widen(system, a, &mut sets) {
            work.extend(readers.get(&v).into_iter().flatten());
        }
    }
    // A variable that is never written and never given a value has none that matters.
    for set in sets.iter_mut().flatten().filter(|s| s.is_empty()) {
        set.insert(0);
    }
    sets
}

/// Adds what an action can make of variables; those that have more values now.
fn widen(system: &mut System, a: usize, sets: &mut Sets) -> BTreeSet<VarId> {
    let action = system.actions[a].clone();
    let local = |v: &VarId| matches!(system.variables[v.0 as usize].origin, Origin::Local(t, _) if t == action.thread);
    let mut known: Vec<VarId> = Vec::new();
    let mut product = 1;
    for v in action.reads.iter().filter(|v| local(v)) {
        if let Some(set) = &sets[v.0 as usize]
            && product * set.len().max(1) <= COMBINATIONS
        {
            product *= set.len().max(1);
            known.push(*v);
        }
    }
    let mut changed = BTreeSet::new();
    let lists: Vec<Vec<u128>> = known
        .iter()
        .map(|v| {
            let set = sets[v.0 as usize].iter().flatten();
            let all: Vec<u128> = set.copied().collect();
            if all.is_empty() { vec![0] } else { all }
        })
        .collect();
    let never = system.pool.bool(false);
    for n in 0..product {
        let mut terms = Instantiation::default();
        let mut rest = n;
        for (v, list) in known.iter().zip(&lists) {
            let term = system.variables[v.0 as usize].term;
            let value = list[rest % list.len()];
            rest /= list.len();
            let constant = constant(&mut system.pool, term, value);
            terms.set(term, constant);
        }
        if terms.term(&mut system.pool, action.guard) == never {
            continue;
        }
        for (v, t) in &action.updates {
            if sets[v.0 as usize].is_none() {
                continue;
            }
            let value = terms.term(&mut system.pool, *t);
            let new = possible(system, sets, value);
            let old = &mut sets[v.0 as usize];
            match (new, old.as_mut()) {
                (Some(new), Some(set)) => {
                    let before = set.len();
                    set.extend(new);
                    let after = set.len();
                    if after > MANY {
                        *old = None;
                    }
                    if after != before {
                        changed.insert(*v);
                    }
                }
                _ => {
                    *old = None;
                    changed.insert(*v);
                }
            }
        }
    }
    changed
}

fn constant(pool: &mut TermPool, like: TermId, value: u128) -> TermId {
    match pool.sort(like) {
        Sort::BitVec(width) => pool.bits(width, value),
        _ => pool.bool(value & 1 == 1),
    }
}

/// The values a term can have, if they are seen at its leaves.
fn possible(system: &System, sets: &Sets, root: TermId) -> Option<BTreeSet<u128>> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut work = vec![root];
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        match *system.pool.term(t) {
            Term::Bits { value, .. } => drop(found.insert(value)),
            Term::Bool(b) => drop(found.insert(u128::from(b))),
            Term::Var(_) => {
                let v = system.by_term.get(&t)?;
                found.extend(sets[v.0 as usize].as_ref()?);
            }
            Term::App { op: Op::Ite, .. } => work.extend_from_slice(&system.pool.args(t)[1..]),
            _ if system.pool.sort(t) == Sort::Bool => found.extend([0, 1]),
            _ => return None,
        }
        if found.len() > MANY {
            return None;
        }
    }
    Some(found)
}

/// What a term depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depends {
    Nothing,
    On(VarId),
    Several,
}

/// Finds the largest terms over one variable with few values, and says what they are.
fn rewrite(
    pool: &mut TermPool,
    system: &System,
    sets: &Sets,
    roots: &[TermId],
    rewriting: &mut Instantiation,
) {
    let mut depends: HashMap<TermId, Depends> = HashMap::new();
    for t in pool.reachable(roots) {
        let on = match *pool.term(t) {
            Term::Var(_) => match system.by_term.get(&t) {
                Some(v) if is_local(system, *v) && sets[v.0 as usize].is_some() => Depends::On(*v),
                _ => Depends::Several,
            },
            Term::App { .. } => {
                pool.args(t)
                    .iter()
                    .fold(Depends::Nothing, |d, a| match (d, depends[a]) {
                        (Depends::Nothing, other) | (other, Depends::Nothing) => other,
                        (a, b) if a == b => a,
                        _ => Depends::Several,
                    })
            }
            _ => Depends::Nothing,
        };
        depends.insert(t, on);
    }
    let mut seen = BTreeSet::new();
    let mut work = roots.to_vec();
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        let is_variable = matches!(pool.term(t), Term::Var(_));
        match depends[&t] {
            Depends::On(v) if !is_variable => {
                let as_table = table(pool, system, sets, v, t);
                rewriting.set(t, as_table);
            }
            Depends::Several => work.extend_from_slice(pool.args(t)),
            _ => {}
        }
    }
}

fn is_local(system: &System, v: VarId) -> bool {
    matches!(system.variables[v.0 as usize].origin, Origin::Local(..))
}

/// A term over one variable as a choice by its values.
fn table(pool: &mut TermPool, system: &System, sets: &Sets, v: VarId, t: TermId) -> TermId {
    let variable = system.variables[v.0 as usize].term;
    let mut groups: Vec<(TermId, Vec<u128>)> = Vec::new();
    for value in sets[v.0 as usize].iter().flatten() {
        let constant = constant(pool, variable, *value);
        let mut terms = Instantiation::default();
        terms.set(variable, constant);
        let result = terms.term(pool, t);
        match groups.iter_mut().find(|g| g.0 == result) {
            Some(g) => g.1.push(*value),
            None => groups.push((result, vec![*value])),
        }
    }
    // The most frequent result is what is left when none of the others is.
    groups.sort_by_key(|g| std::cmp::Reverse(g.1.len()));
    let mut groups = groups.into_iter();
    let Some((mut chosen, _)) = groups.next() else {
        return t;
    };
    for (result, when) in groups {
        let mut any = pool.bool(false);
        for value in when {
            let value = constant(pool, variable, value);
            let is = pool.eq(variable, value);
            any = pool.or(any, is);
        }
        chosen = pool.ite(any, result, chosen);
    }
    chosen
}
