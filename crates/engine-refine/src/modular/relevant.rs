//! Which variables invariants are about: those that errors depend on through data, and what is compared with them.

use crate::logic::conjuncts;
use crate::system::{Origin, Outcome, System, VarId};
use raddle_solver::term::{Op, Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// No more variables than this.
const MANY: usize = 600;
/// With more locks than this, none is looked at.
const LOCKS: usize = 24;
/// A value that depends on more variables than this is one of many cells, and those are not followed.
const SOURCES: usize = 8;

/// The variables, those nearest to errors first.
pub fn relevant(system: &System) -> Vec<VarId> {
    let mut found: Vec<VarId> = Vec::new();
    let add = |found: &mut Vec<VarId>, v: VarId| {
        if !found.contains(&v) {
            found.push(v);
        }
    };
    let vars = |t: TermId| -> Vec<VarId> {
        let free = system.pool.free_variables(&[t]);
        free.iter()
            .filter_map(|t| system.by_term.get(t).copied())
            .collect()
    };
    let mut ends = BTreeSet::new();
    for a in &system.actions {
        if !matches!(a.outcome, Outcome::Next(_)) {
            ends.insert((a.thread, a.from));
            let all = vars(a.guard);
            for v in all.iter().filter(|_| all.len() <= SOURCES) {
                add(&mut found, *v);
            }
        }
    }
    for a in &system.actions {
        if let Outcome::Next(crate::system::Status::At(to)) = a.outcome
            && ends.contains(&(a.thread, to))
        {
            let all = vars(a.guard);
            for v in all.iter().filter(|_| all.len() <= SOURCES) {
                add(&mut found, *v);
            }
        }
    }
    for (i, v) in system.variables.iter().enumerate() {
        if let Origin::Local(t, l) = v.origin {
            let template = system.ccfg.template(system.instances.get(t).template);
            let live = |(thread, at): &(_, raddle_ccfg::LocId)| {
                *thread == t && template.live[at.0 as usize].contains(&l)
            };
            if ends.iter().any(live) {
                add(&mut found, VarId(i as u32));
            }
        }
    }
    if system.locks.len() <= LOCKS {
        for v in &system.locks {
            add(&mut found, *v);
        }
    }
    for (_, t) in system.actions.iter().flat_map(|a| &a.stored) {
        let sources = vars(*t);
        for v in sources.iter().filter(|_| sources.len() <= SOURCES) {
            add(&mut found, *v);
        }
    }
    let mut at = 0;
    while at < found.len() && found.len() < MANY {
        let v = found[at];
        at += 1;
        let term = system.variables[v.0 as usize].term;
        for a in &system.actions {
            for (w, t) in &a.updates {
                if *w == v {
                    let sources = vars(*t);
                    for x in sources.iter().filter(|_| sources.len() <= SOURCES) {
                        add(&mut found, *x);
                    }
                }
            }
            if a.reads.contains(&v) {
                for atom in comparisons(&system.pool, a.guard) {
                    let free = system.pool.free_variables(&[atom]);
                    if free.len() <= 3 && free.contains(&term) {
                        for x in vars(atom) {
                            add(&mut found, x);
                        }
                    }
                }
            }
        }
    }
    // What may be one of many cells is not spoken of, either.
    for a in &system.actions {
        for (w, t) in &a.updates {
            if vars(*t).len() > SOURCES {
                found.retain(|v| v != w);
            }
        }
    }
    found.truncate(MANY);
    with_names(system, found)
}

/// Who last changed what is of interest, and who is who, in front.
fn with_names(system: &System, found: Vec<VarId>) -> Vec<VarId> {
    if system.crowds.is_empty() {
        return found;
    }
    let all = system.instances.ids();
    let mut named: Vec<VarId> = all
        .filter_map(|t| system.known(Origin::Identity(t)))
        .collect();
    // Flags that nobody compares with anything may be locks.
    let written: BTreeSet<VarId> = system
        .actions
        .iter()
        .filter(|a| system.is_of_crowd(a.thread))
        .flat_map(|a| a.updates.iter().map(|u| u.0))
        .collect();
    let shared = |v: &VarId| {
        let origin = system.variables[v.0 as usize].origin;
        matches!(origin, Origin::Cell(_, None))
    };
    let flags = written.into_iter().filter(shared);
    for v in found.into_iter().chain(flags) {
        named.push(v);
        if let Origin::Cell(c, None) = system.variables[v.0 as usize].origin {
            named.extend(system.known(Origin::Changer(c)));
        }
    }
    let mut seen = BTreeSet::new();
    named.retain(|v| seen.insert(*v));
    named
}

/// What a guard says of a few variables: without the conjuncts that compare many.
pub fn simple_guard(system: &mut System, guard: TermId) -> TermId {
    let all = conjuncts(&mut system.pool, guard);
    let few = |c: &TermId| system.pool.free_variables(&[*c]).len() <= SOURCES;
    let all: Vec<TermId> = all.iter().copied().filter(few).collect();
    system.pool.and_all(all)
}

/// Comparisons of variables with numbers that actions of crowds make, those that are made most often first; shared ones in front.
pub fn tests(system: &System) -> Vec<(VarId, u128)> {
    let mut count: BTreeMap<(VarId, u128), usize> = BTreeMap::new();
    let crowded = system.actions.iter();
    for a in crowded.filter(|a| system.is_of_crowd(a.thread)) {
        for c in comparisons(&system.pool, a.guard) {
            let (mut var, mut number) = (None, None);
            for t in system.pool.args(c) {
                match *system.pool.term(*t) {
                    Term::Bits { value, .. } => number = Some(value),
                    _ => var = system.by_term.get(t).copied(),
                }
            }
            let equal = matches!(system.pool.term(c), Term::App { op: Op::Eq, .. });
            if let (Some(v), Some(n), true) = (var, number, equal) {
                *count.entry((v, n)).or_default() += 1;
            }
        }
    }
    let mut all: Vec<((VarId, u128), usize)> = count.into_iter().collect();
    // One test of each variable is enough: mostly it is a flag.
    all.sort_by_key(|((v, n), count)| (system.owner(*v).is_some(), usize::MAX - count, *n, *v));
    let mut seen = BTreeSet::new();
    all.retain(|((v, _), _)| !system.locks.contains(v) && seen.insert(*v));
    all.into_iter().map(|(test, _)| test).collect()
}

/// The comparisons in a formula.
pub fn comparisons(pool: &TermPool, formula: TermId) -> Vec<TermId> {
    let compares = |t: &TermId| {
        matches!(
            pool.term(*t),
            Term::App {
                op: Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle,
                ..
            }
        )
    };
    let all = pool.reachable(&[formula]);
    all.into_iter().filter(compares).collect()
}
