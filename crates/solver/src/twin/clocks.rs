//! Integer clocks: the encoding the theory competes with.
//!
//! Every event gets a number; order is "less than", a read sees a write if no other occurring write has a
//! number in between, and indivisible events are told to be before or after everything else. The numbers are
//! bit-vectors for the embedded solver or integers for a difference-logic solver. Blocks are not merged here,
//! so the encoding shares nothing with the theory but the problem.

use crate::order::{EventId, EventKind, OrderProblem};
use crate::sat::Lit;
use crate::term::{Sort, TermId, TermPool};

/// What the numbers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockKind {
    /// Bit-vectors of the given width; [`tight_width`] is the least that works.
    BitVector(u32),
    /// Mathematical integers, for external solvers.
    Integer,
}

/// The least width of bit-vector clocks that can tell all events apart.
pub fn tight_width(problem: &OrderProblem) -> u32 {
    usize::BITS - problem.events().len().max(1).leading_zeros()
}

/// The name of an event's clock.
pub fn clock_name(kind: ClockKind, event: EventId) -> String {
    match kind {
        ClockKind::BitVector(width) => format!("clock{width}_{}", event.0),
        ClockKind::Integer => format!("time{}", event.0),
    }
}

struct Encoder<'a> {
    pool: &'a mut TermPool,
    kind: ClockKind,
    clocks: Vec<TermId>,
}

impl Encoder<'_> {
    fn before(&mut self, a: EventId, b: EventId) -> TermId {
        let (a, b) = (self.clocks[a.index()], self.clocks[b.index()]);
        match self.kind {
            ClockKind::BitVector(_) => self.pool.bv_ult(a, b),
            ClockKind::Integer => self.pool.int_lt(a, b),
        }
    }
}

/// Constraints that hold for exactly the solutions of the problem; `name` gives the term of a literal.
pub fn encode(
    pool: &mut TermPool,
    problem: &OrderProblem,
    kind: ClockKind,
    name: &mut dyn FnMut(&mut TermPool, Lit) -> TermId,
) -> Vec<TermId> {
    let sort = match kind {
        ClockKind::BitVector(width) => Sort::BitVec(width),
        ClockKind::Integer => Sort::Int,
    };
    let clocks = problem
        .event_ids()
        .map(|event| pool.var(&clock_name(kind, event), sort))
        .collect();
    let mut encoder = Encoder { pool, kind, clocks };
    let mut constraints = Vec::new();
    for &(before, after) in problem.fixed_edges() {
        constraints.push(encoder.before(before, after));
    }
    for edge in problem.conditional_edges() {
        let literal = name(encoder.pool, edge.literal);
        let less = encoder.before(edge.before, edge.after);
        constraints.push(encoder.pool.implies(literal, less));
    }
    for order in problem.order_literals() {
        let literal = name(encoder.pool, order.literal);
        let negated = encoder.pool.not(literal);
        let (less, greater) = (
            encoder.before(order.first, order.second),
            encoder.before(order.second, order.first),
        );
        constraints.push(encoder.pool.implies(literal, less));
        constraints.push(encoder.pool.implies(negated, greater));
    }
    for node in problem.nodes() {
        for pair in node.windows(2) {
            constraints.push(encoder.before(pair[0], pair[1]));
        }
        if node.len() > 1 {
            indivisible(&mut encoder, problem, node, None, &mut constraints);
        }
    }
    for group in problem.groups() {
        let literal = name(encoder.pool, group.literal);
        let mut members: Vec<EventId> = group
            .members
            .iter()
            .flat_map(|&member| problem.nodes()[problem.event(member).node.index()].clone())
            .collect();
        members.sort_unstable();
        members.dedup();
        indivisible(
            &mut encoder,
            problem,
            &members,
            Some(literal),
            &mut constraints,
        );
    }
    reads_from(&mut encoder, problem, name, &mut constraints);
    constraints
}

/// Everything else comes before all of the events or after all of them.
fn indivisible(
    encoder: &mut Encoder<'_>,
    problem: &OrderProblem,
    members: &[EventId],
    condition: Option<TermId>,
    constraints: &mut Vec<TermId>,
) {
    for other in problem.event_ids().filter(|event| !members.contains(event)) {
        let first: Vec<TermId> = members
            .iter()
            .map(|&member| encoder.before(other, member))
            .collect();
        let last: Vec<TermId> = members
            .iter()
            .map(|&member| encoder.before(member, other))
            .collect();
        let (first, last) = (encoder.pool.and_all(first), encoder.pool.and_all(last));
        let either = encoder.pool.or(first, last);
        constraints.push(match condition {
            Some(condition) => encoder.pool.implies(condition, either),
            None => either,
        });
    }
}

fn reads_from(
    encoder: &mut Encoder<'_>,
    problem: &OrderProblem,
    name: &mut dyn FnMut(&mut TermPool, Lit) -> TermId,
    constraints: &mut Vec<TermId>,
) {
    for choice in problem.reads_from() {
        let literal = name(encoder.pool, choice.literal);
        let mut needed = vec![encoder.before(choice.write, choice.read)];
        for event in [choice.write, choice.read] {
            if let Some(occurs) = problem.event(event).occurs {
                needed.push(name(encoder.pool, occurs));
            }
        }
        let EventKind::Write(location) = problem.event(choice.write).kind else {
            continue;
        };
        for other in problem.event_ids() {
            if other == choice.write || problem.event(other).kind != EventKind::Write(location) {
                continue;
            }
            let (earlier, later) = (
                encoder.before(other, choice.write),
                encoder.before(choice.read, other),
            );
            let mut harmless = encoder.pool.or(earlier, later);
            if let Some(occurs) = problem.event(other).occurs {
                let occurs = name(encoder.pool, occurs);
                harmless = encoder.pool.implies(occurs, harmless);
            }
            needed.push(harmless);
        }
        for constraint in needed {
            constraints.push(encoder.pool.implies(literal, constraint));
        }
    }
}
