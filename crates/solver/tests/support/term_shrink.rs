//! Makes a failing term problem smaller while it keeps failing.

use super::term_case::TermCase;
use raddle_solver::term::{Sort, TermId};
use std::collections::HashMap;

fn smaller(case: &TermCase) -> Vec<TermCase> {
    let mut out = Vec::new();
    for index in 0..case.assertions.len() {
        let mut copy = case.clone();
        copy.assertions.remove(index);
        out.push(copy);
    }
    for index in 0..case.assumptions.len() {
        let mut copy = case.clone();
        copy.assumptions.remove(index);
        out.push(copy);
    }
    // Replace a sub-term by one of its arguments of the same sort, or by a constant.
    let mut terms = case.pool.reachable(&case.roots());
    terms.reverse();
    for id in terms {
        let sort = case.pool.sort(id);
        let args: Vec<TermId> = case
            .pool
            .args(id)
            .iter()
            .copied()
            .filter(|&arg| case.pool.sort(arg) == sort)
            .collect();
        for arg in args {
            out.push(replaced(case, id, arg));
        }
        if !case.pool.args(id).is_empty() {
            let mut copy = case.clone();
            let constant = match sort {
                Sort::Bool => copy.pool.bool(true),
                Sort::BitVec(width) => copy.pool.bits(width, 0),
                _ => continue,
            };
            out.push(replaced(&copy, id, constant));
        }
    }
    out
}

fn replaced(case: &TermCase, from: TermId, to: TermId) -> TermCase {
    let mut copy = case.clone();
    let map = HashMap::from([(from, to)]);
    let mut rebuild = |terms: &mut Vec<TermId>| {
        for term in terms {
            *term = copy.pool.substitute(*term, &map);
        }
    };
    rebuild(&mut copy.assertions);
    rebuild(&mut copy.assumptions);
    copy
}

fn size(case: &TermCase) -> usize {
    case.roots().len() + case.pool.reachable(&case.roots()).len()
}

/// A local minimum of `fails`.
pub fn shrink(case: &TermCase, fails: &mut dyn FnMut(&TermCase) -> bool) -> TermCase {
    let mut current = case.clone();
    'again: loop {
        for candidate in smaller(&current) {
            if size(&candidate) < size(&current) && fails(&candidate) {
                current = candidate;
                continue 'again;
            }
        }
        return current;
    }
}
