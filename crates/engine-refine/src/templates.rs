//! Guesses for invariants: weaker relations than those a run was refuted with.
//!
//! Weakest preconditions along a loop tend to say `a != b`, `a != b + 1`, `a != b + 2`, … where `a <= b` would say it all. For
//! two variables that stand in one literal, equality and both orders are proposed; besides them, the tests on one such variable
//! that the run passes; all this only where a variable is concerned whose values are not listed. A guess is harmless: it is kept in a state only where it is shown to hold.

use crate::logic::conjuncts;
use crate::system::{ActionId, System, VarId};
use raddle_solver::term::{Op, Sort, Term, TermId, TermPool};
use std::collections::BTreeSet;

/// More guesses than this are not made at one time.
const MANY: usize = 100;

/// Guesses from the predicates that refuted a run.
pub fn guesses(
    system: &mut System,
    path: &[ActionId],
    predicates: &[TermId],
    restless: &BTreeSet<VarId>,
) -> Vec<TermId> {
    let mut pairs: BTreeSet<(VarId, VarId)> = BTreeSet::new();
    let mut singles: BTreeSet<VarId> = BTreeSet::new();
    for p in predicates {
        for atom in atoms(&system.pool, *p) {
            let free = system.pool.free_variables(&[atom]);
            let variables: Vec<VarId> = free
                .iter()
                .filter_map(|t| system.by_term.get(t).copied())
                .collect();
            if !variables.iter().any(|v| restless.contains(v)) {
                continue;
            }
            singles.extend(&variables);
            if let [a, b] = variables[..] {
                pairs.insert((a.min(b), a.max(b)));
            }
        }
    }
    let mut found = Vec::new();
    let mut bounds: BTreeSet<TermId> = BTreeSet::new();
    for (a, b) in pairs {
        let (a, b) = (term(system, a), term(system, b));
        let pool = &mut system.pool;
        if pool.sort(a) != pool.sort(b) || !matches!(pool.sort(a), Sort::BitVec(_)) {
            continue;
        }
        found.push(pool.eq(a, b));
        found.push(pool.bv_ule(a, b));
        found.push(pool.bv_ule(b, a));
        found.push(pool.bv_sle(a, b));
        found.push(pool.bv_sle(b, a));
        found.push(pool.bv_ult(a, b));
        found.push(pool.bv_ult(b, a));
    }
    for id in path {
        let guard = system.get(*id).guard;
        for c in conjuncts(&mut system.pool, guard) {
            let free = system.pool.free_variables(&[c]);
            let one = match free[..] {
                [v] => system.by_term.get(&v).copied(),
                _ => None,
            };
            let Some(v) = one.filter(|v| singles.contains(v)) else {
                continue;
            };
            if !found.contains(&c) {
                found.push(c);
            }
            let sort = system.pool.sort(term(system, v));
            bounds.extend(
                numbers(&system.pool, c)
                    .into_iter()
                    .filter(|n| system.pool.sort(*n) == sort),
            );
        }
    }
    // A bound on one variable soon is one on its copies, and one more step may have been taken behind the test.
    for n in bounds {
        for v in &singles {
            let v = term(system, *v);
            if system.pool.sort(n) != system.pool.sort(v) {
                continue;
            }
            let pool = &mut system.pool;
            for p in [
                pool.bv_ult(v, n),
                pool.bv_ule(v, n),
                pool.bv_ule(n, v),
                pool.bv_sle(v, n),
                pool.bv_sle(n, v),
            ] {
                if !found.contains(&p) {
                    found.push(p);
                }
            }
        }
    }
    found.truncate(MANY);
    found
}

fn term(system: &System, var: VarId) -> TermId {
    system.variables[var.0 as usize].term
}

/// The numbers in a term.
fn numbers(pool: &TermPool, root: TermId) -> Vec<TermId> {
    let all = pool.reachable(&[root]);
    let number = |t: &TermId| matches!(pool.term(*t), Term::Bits { .. });
    all.into_iter().filter(number).collect()
}

/// The relations in a formula.
fn atoms(pool: &TermPool, formula: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut work = vec![formula];
    while let Some(t) = work.pop() {
        match *pool.term(t) {
            Term::App {
                op: Op::And | Op::Or | Op::Not,
                ..
            } => work.extend(pool.args(t).iter().copied()),
            Term::App { .. } => found.push(t),
            _ => {}
        }
    }
    found
}
