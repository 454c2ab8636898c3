//! Choices of a few values become an action for each value.
//!
//! `n = input(); if (n < 1 || n > 2) return;` leaves `n` with two values, `rand() % 4` with four. A search that lists values can list these if each has an action of
//! its own; otherwise all that depends on them is left to predicates, counters and products of them included. The actions' guards together are the
//! guard that was there, as the solver says: so nothing rests on what the values are.

use crate::system::{Action, Outcome, System, VarId};
use raddle_solver::term::{Sort, TermId, Value};
use raddle_solver::{Answer, Limits, Solver};

/// More values than this are not told apart.
const VALUES: usize = 4;
/// An action becomes this many at most.
const WAYS: usize = 8;
/// How many conflicts a question may take.
const CONFLICTS: u32 = 1_000;
/// No more questions than this are asked.
const QUESTIONS: usize = 400;

/// Splits the actions of a system.
pub fn split_small_choices(system: &mut System) {
    if !system.crowds.is_empty() {
        return;
    }
    let mut questions = 0;
    for a in 0..system.actions.len() {
        let mut ways = vec![system.actions[a].clone()];
        for i in 0..ways[0].updates.len() {
            let (var, term) = ways[0].updates[i];
            let more = ways.len() * 2 <= WAYS && questions < QUESTIONS;
            if !more || !is_chosen(system, &ways[0], term) {
                continue;
            }
            let guard = system.actions[a].guard;
            let Some(values) = values_of(system, guard, term, &mut questions) else {
                continue;
            };
            if ways.len() * values.len() <= WAYS {
                ways = ways
                    .into_iter()
                    .flat_map(|w| values.iter().map(move |v| (w.clone(), *v)))
                    .map(|(w, v)| with(system, w, (var, term), v))
                    .collect();
            }
        }
        let mut ways = ways.into_iter();
        let Some(first) = ways.next() else { continue };
        system.actions[a] = first;
        for way in ways {
            system.add(way);
        }
    }
}

/// Whether a value depends on a choice of its action, and is more than one bit.
fn is_chosen(system: &System, action: &Action, term: TermId) -> bool {
    let goes_on = matches!(action.outcome, Outcome::Next(_));
    let free = system.pool.free_variables(&[term]);
    let number = matches!(system.pool.sort(term), Sort::BitVec(_));
    goes_on && number && action.choices.iter().any(|c| free.contains(&c.term))
}

/// All values of a term where a guard holds, if they are few.
fn values_of(
    system: &mut System,
    guard: TermId,
    term: TermId,
    questions: &mut usize,
) -> Option<Vec<u128>> {
    let pool = &mut system.pool;
    let Sort::BitVec(width) = pool.sort(term) else {
        return None;
    };
    let name = pool.fresh_var("value", Sort::BitVec(width));
    let mut all = vec![guard, pool.eq(name, term)];
    let mut values = Vec::new();
    let limits = Limits {
        conflicts: Some(CONFLICTS),
        ..Limits::default()
    };
    loop {
        *questions += 1;
        let mut solver = Solver::new(false);
        match solver.check(&mut system.pool, &all, &limits) {
            Ok(Answer::Unsat(_)) => break,
            Ok(Answer::Sat(model)) if values.len() < VALUES => {
                let Some(Value::Bits(n)) = model.values.get(&name) else {
                    return None;
                };
                values.push(*n);
                let n = system.pool.bits(width, *n);
                let other = system.pool.ne(name, n);
                all.push(other);
            }
            _ => return None,
        }
    }
    values.sort_unstable();
    (!values.is_empty()).then_some(values)
}

/// The action with one of the values.
fn with(system: &mut System, mut action: Action, (var, term): (VarId, TermId), n: u128) -> Action {
    let width = system.pool.width(term);
    let n = system.pool.bits(width, n);
    let is = system.pool.eq(term, n);
    action.guard = system.pool.and(action.guard, is);
    for (v, t) in &mut action.updates {
        if *v == var {
            *t = n;
        }
    }
    let mut roots: Vec<TermId> = action.updates.iter().map(|u| u.1).collect();
    roots.push(action.guard);
    action.reads = system.read_by(&roots);
    action
}
