//! Makes a failing ordering case smaller while it keeps failing.

use super::order_case::OrderCase;

fn without<T: Clone>(items: &[T], index: usize) -> Vec<T> {
    let mut items = items.to_vec();
    items.remove(index);
    items
}

/// All cases that are one step smaller.
fn smaller(case: &OrderCase) -> Vec<OrderCase> {
    let mut out = Vec::new();
    for event in 0..case.events.len() {
        out.extend(remove_event(case, event as u32));
    }
    for index in 0..case.clauses.len() {
        out.push(OrderCase {
            clauses: without(&case.clauses, index),
            ..case.clone()
        });
    }
    for index in 0..case.groups.len() {
        out.push(OrderCase {
            groups: without(&case.groups, index),
            ..case.clone()
        });
    }
    for index in 0..case.edges.len() {
        out.push(OrderCase {
            edges: without(&case.edges, index),
            ..case.clone()
        });
    }
    for index in 0..case.choices.len() {
        out.push(OrderCase {
            choices: without(&case.choices, index),
            ..case.clone()
        });
    }
    for index in 0..case.fixed.len() {
        out.push(OrderCase {
            fixed: without(&case.fixed, index),
            ..case.clone()
        });
    }
    for (index, clause) in case.clauses.iter().enumerate() {
        for literal in 0..clause.len() {
            let mut copy = case.clone();
            copy.clauses[index] = without(clause, literal);
            out.push(copy);
        }
    }
    for index in 0..case.events.len() {
        for field in 0..2 {
            let mut copy = case.clone();
            let event = &mut copy.events[index];
            if field == 0 {
                event.occurs = 0
            } else {
                event.block = 0
            }
            if copy != *case {
                out.push(copy);
            }
        }
    }
    out
}

fn remove_event(case: &OrderCase, event: u32) -> Option<OrderCase> {
    let used = case
        .choices
        .iter()
        .any(|&(_, a, b)| a == event || b == event);
    if used {
        return None;
    }
    let renamed = |other: u32| if other > event { other - 1 } else { other };
    let mut copy = OrderCase {
        events: without(&case.events, event as usize),
        ..case.clone()
    };
    // Keep the order of the neighbours.
    for &(a, b) in case.fixed.iter().filter(|&&(_, b)| b == event) {
        let _ = b;
        for &(_, c) in case.fixed.iter().filter(|&&(from, _)| from == event) {
            copy.fixed.push((a, c));
        }
    }
    copy.fixed.retain(|&(a, b)| a != event && b != event);
    copy.fixed.sort_unstable();
    copy.fixed.dedup();
    copy.fixed = copy
        .fixed
        .iter()
        .map(|&(a, b)| (renamed(a), renamed(b)))
        .collect();
    copy.edges.retain(|&(_, a, b)| a != event && b != event);
    copy.edges = copy
        .edges
        .iter()
        .map(|&(l, a, b)| (l, renamed(a), renamed(b)))
        .collect();
    copy.choices = copy
        .choices
        .iter()
        .map(|&(l, a, b)| (l, renamed(a), renamed(b)))
        .collect();
    for (_, members) in &mut copy.groups {
        members.retain(|&member| member != event);
        members
            .iter_mut()
            .for_each(|member| *member = renamed(*member));
    }
    copy.groups.retain(|(_, members)| members.len() > 1);
    Some(copy)
}

/// A local minimum of `fails`.
pub fn shrink(case: &OrderCase, fails: &dyn Fn(&OrderCase) -> bool) -> OrderCase {
    let mut current = case.clone();
    'again: loop {
        for candidate in smaller(&current) {
            if fails(&candidate) {
                current = candidate;
                continue 'again;
            }
        }
        return current;
    }
}
