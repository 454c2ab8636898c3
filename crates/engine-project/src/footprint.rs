//! What an action reads and writes, and under which condition: the read and write sets of the projection paper, per transition.
//!
//! A write to an element of an array is `ite(index = 3, value, old)` for its cell: it writes the cell only if the index is 3, and
//! that `old` is not read. A read of an element is a chain of such choices: it reads the cell only if the index is its own. So the
//! paper's "an array write influences a read only if the indices are equal" needs no arrays here; it is a matter of conditions.
//!
//! Two states that agree on what is read *in the one of them* agree on the guard, on what is written, and on its values: the terms
//! take the same branches. That is all the theorem needs.

use crate::instantiate::Instantiation;
use raddle_actions::system::{Action, ActionId, System, VarId};
use raddle_ccfg::InstanceId;
use raddle_solver::term::{Op, Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What one action does to the state.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// The new value of a variable, in cases: under which condition which value; otherwise it stays.
    pub updates: Vec<(VarId, Vec<(TermId, TermId)>)>,
    /// Shared variables it reads, and when.
    pub reads: BTreeMap<VarId, TermId>,
    /// Shared variables it writes, and when.
    pub writes: BTreeMap<VarId, TermId>,
}

/// The footprints of all actions.
pub struct Footprints {
    /// By action.
    pub list: Vec<Footprint>,
    /// Variables that matter to some guard, now or later.
    pub needed: BTreeSet<VarId>,
    /// Variables that several threads touch and some thread writes.
    pub shared: BTreeSet<VarId>,
}

impl Footprints {
    /// Computes them; `kept` matter although no guard depends on them.
    pub fn new(system: &mut System, kept: &BTreeSet<VarId>) -> Footprints {
        let needed = cone(system, kept);
        let shared = shared(system, &needed, kept);
        let mut list = vec![Footprint::default(); system.actions.len()];
        let ids: Vec<ActionId> = system
            .outgoing
            .iter()
            .flatten()
            .flatten()
            .copied()
            .collect();
        let mut pool = std::mem::take(&mut system.pool);
        let actions = std::mem::take(&mut system.actions);
        for id in ids {
            let action = &actions[id.0 as usize];
            list[id.0 as usize] = footprint(&mut pool, system, action, &needed, &shared);
        }
        system.actions = actions;
        system.pool = pool;
        Footprints {
            list,
            needed,
            shared,
        }
    }
}

/// The actions that places have; others are there for what they say about the start.
fn possible(system: &System) -> impl Iterator<Item = &Action> {
    let ids = system.outgoing.iter().flatten().flatten();
    ids.map(|id| system.get(*id))
}

/// The variables that guards depend on, now or later, and what those that are kept depend on.
fn cone(system: &System, kept: &BTreeSet<VarId>) -> BTreeSet<VarId> {
    let variables = |root: TermId| -> Vec<VarId> {
        let free = system.pool.free_variables(&[root]);
        free.iter()
            .filter_map(|t| system.by_term.get(t).copied())
            .collect()
    };
    let mut needed: BTreeSet<VarId> = kept.clone();
    for a in possible(system) {
        needed.extend(variables(a.guard));
    }
    let mut by_variable: HashMap<VarId, Vec<TermId>> = HashMap::new();
    for a in possible(system) {
        for (v, t) in &a.updates {
            by_variable.entry(*v).or_default().push(*t);
        }
    }
    let mut work: Vec<VarId> = needed.iter().copied().collect();
    while let Some(v) = work.pop() {
        for t in by_variable.get(&v).map_or(&[][..], |l| l.as_slice()) {
            for u in variables(*t) {
                if needed.insert(u) {
                    work.push(u);
                }
            }
        }
    }
    needed
}

fn shared(system: &System, needed: &BTreeSet<VarId>, kept: &BTreeSet<VarId>) -> BTreeSet<VarId> {
    let mut touched: HashMap<VarId, BTreeSet<InstanceId>> = HashMap::new();
    let mut written: BTreeSet<VarId> = BTreeSet::new();
    for a in possible(system) {
        for v in a.reads.iter().chain(a.updates.iter().map(|(v, _)| v)) {
            touched.entry(*v).or_default().insert(a.thread);
        }
        written.extend(a.updates.iter().map(|(v, _)| *v));
    }
    let several = |v: &VarId| touched.get(v).is_some_and(|t| t.len() > 1);
    let all = needed.iter().copied();
    all.filter(|v| written.contains(v) && (several(v) || kept.contains(v)))
        .collect()
}

fn footprint(
    pool: &mut TermPool,
    system: &System,
    action: &Action,
    needed: &BTreeSet<VarId>,
    shared: &BTreeSet<VarId>,
) -> Footprint {
    let always = pool.bool(true);
    let mut updates = Vec::new();
    let mut writes = BTreeMap::new();
    let mut roots: Vec<(TermId, TermId)> = vec![(always, action.guard)];
    for (v, t) in action.updates.iter().filter(|(v, _)| needed.contains(v)) {
        let own = system.variables[v.0 as usize].term;
        let mut cases = Vec::new();
        split(pool, own, *t, always, &mut cases);
        for (condition, value) in &mut cases {
            *value = under(pool, *condition, *value);
        }
        let mut any = pool.bool(false);
        for (condition, value) in &cases {
            any = pool.or(any, *condition);
            roots.push((always, *condition));
            roots.push((*condition, *value));
        }
        if shared.contains(v) {
            writes.insert(*v, any);
        }
        updates.push((*v, cases));
    }
    let mut reads = read_conditions(pool, system, &roots);
    reads.retain(|v, _| shared.contains(v));
    Footprint {
        updates,
        reads,
        writes,
    }
}

/// Whether a value may be the old one, by branches alone.
fn stays(pool: &TermPool, own: TermId, value: TermId) -> bool {
    let mut work = vec![value];
    let mut seen = BTreeSet::new();
    while let Some(t) = work.pop() {
        if t == own {
            return true;
        }
        if let Term::App { op: Op::Ite, .. } = pool.term(t)
            && seen.insert(t)
        {
            work.extend_from_slice(&pool.args(t)[1..]);
        }
    }
    false
}

fn split(
    pool: &mut TermPool,
    own: TermId,
    value: TermId,
    condition: TermId,
    cases: &mut Vec<(TermId, TermId)>,
) {
    if value == own {
        return;
    }
    let branches = match *pool.term(value) {
        Term::App { op: Op::Ite, .. } if cases.len() < 32 => {
            let args = pool.args(value);
            Some((args[0], args[1], args[2]))
        }
        _ => None,
    };
    match branches {
        Some((test, then, otherwise)) if stays(pool, own, value) => {
            let yes = pool.and(condition, test);
            let then = under(pool, test, then);
            split(pool, own, then, yes, cases);
            let no = pool.not(test);
            let no = pool.and(condition, no);
            split(pool, own, otherwise, no, cases);
        }
        _ => cases.push((condition, value)),
    }
}

/// A value where a condition holds that says what some variables are: with the index known, a chain of choices by it is one element.
fn under(pool: &mut TermPool, condition: TermId, value: TermId) -> TermId {
    let mut known = Instantiation::default();
    let mut any = false;
    let mut work = vec![condition];
    while let Some(t) = work.pop() {
        match *pool.term(t) {
            Term::App { op: Op::And, .. } => work.extend_from_slice(pool.args(t)),
            Term::App { op: Op::Eq, .. } => {
                let (a, b) = (pool.args(t)[0], pool.args(t)[1]);
                for (x, c) in [(a, b), (b, a)] {
                    let constant = matches!(pool.term(c), Term::Bits { .. } | Term::Bool(_));
                    if constant && matches!(pool.term(x), Term::Var(_)) {
                        known.set(x, c);
                        any = true;
                    }
                }
            }
            _ => {}
        }
    }
    match any {
        true => known.term(pool, value),
        false => value,
    }
}

/// Which variables the roots depend on, and when: each root counts under its condition.
fn read_conditions(
    pool: &mut TermPool,
    system: &System,
    roots: &[(TermId, TermId)],
) -> BTreeMap<VarId, TermId> {
    // Arguments have smaller numbers than the terms that use them.
    let mut open: BTreeMap<TermId, TermId> = BTreeMap::new();
    let mut reads = BTreeMap::new();
    for (condition, root) in roots {
        demand(pool, &mut open, *root, *condition);
    }
    while let Some((t, condition)) = open.pop_last() {
        if let Some(v) = system.by_term.get(&t) {
            reads.insert(*v, condition);
            continue;
        }
        let args = pool.args(t).to_vec();
        match *pool.term(t) {
            Term::App { op: Op::Ite, .. } => {
                demand(pool, &mut open, args[0], condition);
                let yes = pool.and(condition, args[0]);
                demand(pool, &mut open, args[1], yes);
                let no = pool.not(args[0]);
                let no = pool.and(condition, no);
                demand(pool, &mut open, args[2], no);
            }
            _ => {
                for a in args {
                    demand(pool, &mut open, a, condition);
                }
            }
        }
    }
    reads
}

fn demand(pool: &mut TermPool, open: &mut BTreeMap<TermId, TermId>, t: TermId, condition: TermId) {
    let before = open.get(&t).copied();
    let condition = match before {
        Some(before) => pool.or(before, condition),
        None => condition,
    };
    open.insert(t, condition);
}
