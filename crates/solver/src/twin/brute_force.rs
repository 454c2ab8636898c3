//! The meaning of an ordering problem, taken literally: try every total order.
//!
//! For a total order, every literal is either possible or must be false; the problem has a solution if for
//! some order and some choice of occurring events the clauses can be satisfied with the possible literals.
//! Exponential, and meant to be: it is the oracle for problems of up to a dozen events.

use crate::order::{EventId, EventKind, OrderProblem};
use crate::sat::Lit;
use std::collections::{HashMap, HashSet};

/// Whether a total order satisfies a problem when exactly the literals accepted by `truth` are true.
pub fn order_is_solution(
    problem: &OrderProblem,
    order: &[EventId],
    truth: &dyn Fn(Lit) -> bool,
) -> Result<(), String> {
    let mut place = vec![usize::MAX; problem.events().len()];
    for (index, event) in order.iter().enumerate() {
        place[event.index()] = index;
    }
    if place.contains(&usize::MAX) || order.len() != place.len() {
        return Err("not every event is placed exactly once".to_owned());
    }
    let at = |event: EventId| place[event.index()];
    for &(before, after) in problem.fixed_edges() {
        if at(before) >= at(after) {
            return Err(format!("fixed edge {before:?} → {after:?} is violated"));
        }
    }
    for node in problem.nodes() {
        if node.windows(2).any(|pair| at(pair[0]) + 1 != at(pair[1])) {
            return Err(format!("block {node:?} is interrupted"));
        }
    }
    for literal in problem.literals() {
        for signed in [literal, !literal] {
            if truth(signed) && !literal_is_possible(problem, order, &place, signed, truth) {
                return Err(format!("literal {} is true but cannot be", signed.dimacs()));
            }
        }
    }
    Ok(())
}

fn occurs(problem: &OrderProblem, event: EventId, truth: &dyn Fn(Lit) -> bool) -> bool {
    problem.event(event).occurs.is_none_or(truth)
}

/// Whether a literal may be true in this order, with occurrences as given.
fn literal_is_possible(
    problem: &OrderProblem,
    order: &[EventId],
    place: &[usize],
    literal: Lit,
    truth: &dyn Fn(Lit) -> bool,
) -> bool {
    let at = |event: EventId| place[event.index()];
    let edges = problem
        .conditional_edges()
        .iter()
        .filter(|edge| edge.literal == literal);
    let mut good = edges
        .into_iter()
        .all(|edge| at(edge.before) < at(edge.after));
    for order in problem.order_literals() {
        good &= order.literal != literal || at(order.first) < at(order.second);
        good &= !order.literal != literal || at(order.second) < at(order.first);
    }
    for group in problem
        .groups()
        .iter()
        .filter(|group| group.literal == literal)
    {
        // A block counts as a whole.
        let mut places: Vec<usize> = group
            .members
            .iter()
            .flat_map(|&member| &problem.nodes()[problem.event(member).node.index()])
            .map(|&event| at(event))
            .collect();
        places.sort_unstable();
        places.dedup();
        good &= places.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    }
    for choice in problem
        .reads_from()
        .iter()
        .filter(|choice| choice.literal == literal)
    {
        let EventKind::Write(location) = problem.event(choice.write).kind else {
            return false;
        };
        good &= occurs(problem, choice.write, truth) && occurs(problem, choice.read, truth);
        good &= at(choice.write) < at(choice.read);
        good = good
            && order[at(choice.write) + 1..at(choice.read)]
                .iter()
                .all(|&between| {
                    problem.event(between).kind != EventKind::Write(location)
                        || !occurs(problem, between, truth)
                });
    }
    good
}

/// Whether the problem together with the clauses has a solution, and one if so.
pub fn solve(problem: &OrderProblem, clauses: &[Vec<Lit>]) -> Option<(Vec<EventId>, Vec<Lit>)> {
    let mut variables: Vec<usize> = problem
        .literals()
        .chain(clauses.iter().flatten().copied())
        .map(Lit::variable)
        .collect();
    variables.sort_unstable();
    variables.dedup();
    let mut occurrence: Vec<usize> = problem
        .events()
        .iter()
        .filter_map(|event| event.occurs)
        .map(Lit::variable)
        .collect();
    occurrence.sort_unstable();
    occurrence.dedup();
    for choice in 0..1u64 << occurrence.len() {
        let fixed: HashMap<usize, bool> = occurrence
            .iter()
            .enumerate()
            .map(|(bit, &variable)| (variable, choice >> bit & 1 == 1))
            .collect();
        let mut search = Search {
            problem,
            clauses,
            variables: &variables,
            fixed: &fixed,
            tried: HashSet::new(),
        };
        if let Some(found) = search.run(&mut Vec::new(), &mut vec![false; problem.nodes().len()]) {
            return Some(found);
        }
    }
    None
}

struct Search<'a> {
    problem: &'a OrderProblem,
    clauses: &'a [Vec<Lit>],
    variables: &'a [usize],
    fixed: &'a HashMap<usize, bool>,
    tried: HashSet<Vec<i32>>,
}

impl Search<'_> {
    /// Extends the order by every node that may come next.
    fn run(
        &mut self,
        order: &mut Vec<EventId>,
        done: &mut Vec<bool>,
    ) -> Option<(Vec<EventId>, Vec<Lit>)> {
        if order.len() == self.problem.events().len() {
            return self.finish(order);
        }
        for node in 0..done.len() {
            let ready = self.problem.fixed_edges().iter().all(|&(before, after)| {
                let (before, after) = (self.problem.event(before), self.problem.event(after));
                after.node.index() != node
                    || before.node.index() == node
                    || done[before.node.index()]
            });
            if done[node] || !ready {
                continue;
            }
            let length = order.len();
            order.extend_from_slice(&self.problem.nodes()[node]);
            done[node] = true;
            let found = self.run(order, done);
            done[node] = false;
            order.truncate(length);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn finish(&mut self, order: &[EventId]) -> Option<(Vec<EventId>, Vec<Lit>)> {
        let inside = self.problem.fixed_edges().iter().all(|&(before, after)| {
            let (before, after) = (self.problem.event(before), self.problem.event(after));
            before.node != after.node || before.position < after.position
        });
        if !inside {
            return None;
        }
        let mut place = vec![0; order.len()];
        for (index, event) in order.iter().enumerate() {
            place[event.index()] = index;
        }
        let fixed = self.fixed;
        let truth = |literal: Lit| {
            fixed
                .get(&literal.variable())
                .is_some_and(|&value| value == literal.is_positive())
        };
        // For each variable, which values it may have.
        let mut units = Vec::new();
        for &variable in self.variables {
            let positive = Lit::from_dimacs(variable as i32)?;
            for literal in [positive, !positive] {
                let contradicted = fixed
                    .get(&variable)
                    .is_some_and(|&value| value != literal.is_positive());
                if contradicted
                    || !literal_is_possible(self.problem, order, &place, literal, &truth)
                {
                    units.push((!literal).dimacs());
                }
            }
        }
        if !self.tried.insert(units.clone()) {
            return None;
        }
        let model = satisfy(self.clauses, &units, self.variables)?;
        Some((order.to_vec(), model))
    }
}

/// A tiny complete satisfiability procedure: unit propagation and splitting.
fn satisfy(clauses: &[Vec<Lit>], units: &[i32], variables: &[usize]) -> Option<Vec<Lit>> {
    let mut values: HashMap<usize, bool> = HashMap::new();
    for &unit in units {
        if *values
            .entry(unit.unsigned_abs() as usize)
            .or_insert(unit > 0)
            != (unit > 0)
        {
            return None;
        }
    }
    split(clauses, values, variables)
}

fn split(
    clauses: &[Vec<Lit>],
    mut values: HashMap<usize, bool>,
    variables: &[usize],
) -> Option<Vec<Lit>> {
    loop {
        let mut changed = false;
        for clause in clauses {
            let value = |literal: &Lit| {
                values
                    .get(&literal.variable())
                    .map(|&value| value == literal.is_positive())
            };
            if clause.iter().any(|literal| value(literal) == Some(true)) {
                continue;
            }
            let open: Vec<Lit> = clause
                .iter()
                .copied()
                .filter(|literal| value(literal).is_none())
                .collect();
            match open[..] {
                [] => return None,
                [unit] => {
                    values.insert(unit.variable(), unit.is_positive());
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            break;
        }
    }
    match variables
        .iter()
        .find(|variable| !values.contains_key(variable))
    {
        None => Some(
            values
                .iter()
                .filter_map(|(&variable, &value)| {
                    Lit::from_dimacs(if value {
                        variable as i32
                    } else {
                        -(variable as i32)
                    })
                })
                .collect(),
        ),
        Some(&variable) => [false, true].into_iter().find_map(|value| {
            let mut values = values.clone();
            values.insert(variable, value);
            split(clauses, values, variables)
        }),
    }
}
