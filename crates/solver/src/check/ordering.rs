//! Checks lemmas of the ordering theory by the rules and nothing else.
//!
//! A lemma says that some literals cannot be true together. Assume them, collect what they mean (edges,
//! choices, occurrences, groups), close the order under
//!
//! - `rf(w, r)` and `w' → r` give `w' → w`; `rf(w, r)` and `w → w'` give `r → w'`, for occurring `w'`;
//! - what comes before (after) one member of a group comes before (after) all of them;
//!
//! and transitivity, and look for a cycle. The closure is a plain matrix over the nodes that the premises
//! mention; only the fixed order between them is precomputed.

use crate::order::{EventId, EventKind, OrderProblem};
use std::collections::HashMap;

#[derive(Default, Clone)]
struct Meaning {
    choices: Vec<(EventId, EventId)>,
    occurring: Vec<EventId>,
    edges: Vec<(EventId, EventId)>,
    groups: Vec<Vec<EventId>>,
}

/// Checks the lemmas of one problem.
pub struct LemmaChecker<'a> {
    problem: &'a OrderProblem,
    /// Row by node: the nodes that come after it in the fixed order.
    fixed: Vec<Vec<u64>>,
    meanings: HashMap<i32, Meaning>,
    cyclic: bool,
}

impl<'a> LemmaChecker<'a> {
    /// Prepares the fixed order and the meaning of each literal.
    pub fn new(problem: &'a OrderProblem) -> LemmaChecker<'a> {
        let mut meanings: HashMap<i32, Meaning> = HashMap::new();
        for (index, event) in problem.events().iter().enumerate() {
            if let Some(literal) = event.occurs {
                meanings
                    .entry(literal.dimacs())
                    .or_default()
                    .occurring
                    .push(EventId(index as u32));
            }
        }
        for choice in problem.reads_from() {
            let meaning = meanings.entry(choice.literal.dimacs()).or_default();
            meaning.choices.push((choice.write, choice.read));
        }
        for edge in problem.conditional_edges() {
            meanings
                .entry(edge.literal.dimacs())
                .or_default()
                .edges
                .push((edge.before, edge.after));
        }
        for order in problem.order_literals() {
            meanings
                .entry(order.literal.dimacs())
                .or_default()
                .edges
                .push((order.first, order.second));
            meanings
                .entry(-order.literal.dimacs())
                .or_default()
                .edges
                .push((order.second, order.first));
        }
        for group in problem.groups() {
            meanings
                .entry(group.literal.dimacs())
                .or_default()
                .groups
                .push(group.members.clone());
        }
        let (fixed, cyclic) = fixed_closure(problem);
        LemmaChecker {
            problem,
            fixed,
            meanings,
            cyclic,
        }
    }

    /// Whether the clause follows: its literals cannot all be false.
    pub fn follows(&mut self, clause: &[i32], events: &[EventId]) -> bool {
        if self.cyclic {
            return true;
        }
        let mut facts = Meaning::default();
        for literal in clause {
            if clause.contains(&-literal) {
                return true;
            }
            if let Some(meaning) = self.meanings.get(&-literal) {
                facts.choices.extend_from_slice(&meaning.choices);
                facts.occurring.extend_from_slice(&meaning.occurring);
                facts.edges.extend_from_slice(&meaning.edges);
                facts.groups.extend_from_slice(&meaning.groups);
            }
        }
        let known = |event: &EventId| event.index() < self.problem.events().len();
        let always = events
            .iter()
            .copied()
            .filter(known)
            .filter(|&event| self.problem.event(event).occurs.is_none());
        facts.occurring.extend(always);
        // A choice that is taken includes that both of its events occur.
        facts.occurring.extend(
            facts
                .choices
                .iter()
                .flat_map(|&(write, read)| [write, read]),
        );
        facts.occurring.sort_unstable();
        facts.occurring.dedup();
        Closure::new(self, &facts).has_cycle(&facts)
    }
}

/// Who comes after whom by fixed edges alone, and whether that is already contradictory.
fn fixed_closure(problem: &OrderProblem) -> (Vec<Vec<u64>>, bool) {
    let count = problem.nodes().len();
    let words = count.div_ceil(64);
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut cyclic = false;
    for &(a, b) in problem.fixed_edges() {
        let (a, b) = (problem.event(a), problem.event(b));
        if a.node == b.node {
            cyclic |= a.position >= b.position;
        } else {
            after[a.node.index()].push(b.node.index());
        }
    }
    let mut rows = vec![vec![0u64; words]; count];
    for (start, row) in rows.iter_mut().enumerate() {
        let mut stack = after[start].clone();
        while let Some(node) = stack.pop() {
            if row[node / 64] >> (node % 64) & 1 == 0 {
                row[node / 64] |= 1 << (node % 64);
                stack.extend_from_slice(&after[node]);
            }
        }
        cyclic |= row[start / 64] >> (start % 64) & 1 == 1;
    }
    (rows, cyclic)
}

struct Closure<'a> {
    problem: &'a OrderProblem,
    index: HashMap<usize, usize>,
    nodes: Vec<usize>,
    before: Vec<Vec<bool>>,
    cycle: bool,
}

impl<'a> Closure<'a> {
    fn new(checker: &LemmaChecker<'a>, facts: &Meaning) -> Closure<'a> {
        let problem = checker.problem;
        let mut nodes: Vec<usize> = if facts.groups.is_empty() {
            let pairs = facts
                .choices
                .iter()
                .chain(&facts.edges)
                .flat_map(|&(a, b)| [a, b]);
            pairs
                .chain(facts.occurring.iter().copied())
                .map(|event| problem.event(event).node.index())
                .collect()
        } else {
            // Anything at all may be caught between the members of a group.
            (0..problem.nodes().len()).collect()
        };
        nodes.sort_unstable();
        nodes.dedup();
        let index = nodes
            .iter()
            .enumerate()
            .map(|(position, &node)| (node, position))
            .collect();
        let reaches = |a: usize, b: usize| checker.fixed[a][b / 64] >> (b % 64) & 1 == 1;
        let before = nodes
            .iter()
            .map(|&a| nodes.iter().map(|&b| reaches(a, b)).collect())
            .collect();
        Closure {
            problem,
            index,
            nodes,
            before,
            cycle: false,
        }
    }

    fn place(&self, event: EventId) -> (usize, u32) {
        let event = self.problem.event(event);
        (self.index[&event.node.index()], event.position)
    }

    fn is_before(&self, a: EventId, b: EventId) -> bool {
        let ((a, first), (b, second)) = (self.place(a), self.place(b));
        if a == b {
            first < second
        } else {
            self.before[a][b]
        }
    }

    /// Adds an edge with everything that follows by transitivity; true if something is new.
    fn add(&mut self, a: usize, b: usize) -> bool {
        if self.before[a][b] {
            return false;
        }
        let count = self.nodes.len();
        let sources: Vec<usize> = (0..count)
            .filter(|&node| node == a || self.before[node][a])
            .collect();
        let targets: Vec<usize> = (0..count)
            .filter(|&node| node == b || self.before[b][node])
            .collect();
        for &source in &sources {
            for &target in &targets {
                self.before[source][target] = true;
                self.cycle |= source == target;
            }
        }
        true
    }

    fn add_events(&mut self, a: EventId, b: EventId) -> bool {
        let ((a, first), (b, second)) = (self.place(a), self.place(b));
        if a == b {
            self.cycle |= first >= second;
            return false;
        }
        self.add(a, b)
    }

    fn has_cycle(mut self, facts: &Meaning) -> bool {
        for &(a, b) in facts.edges.iter().chain(&facts.choices) {
            self.add_events(a, b);
        }
        let mut changed = true;
        while changed && !self.cycle {
            changed = false;
            for &(write, read) in &facts.choices {
                let location = match self.problem.event(write).kind {
                    EventKind::Write(location) => location,
                    _ => continue,
                };
                for &other in &facts.occurring {
                    if other == write
                        || self.problem.event(other).kind != EventKind::Write(location)
                    {
                        continue;
                    }
                    if self.is_before(other, read) {
                        changed |= self.add_events(other, write);
                    }
                    if self.is_before(write, other) {
                        changed |= self.add_events(read, other);
                    }
                }
            }
            for group in &facts.groups {
                changed |= self.close_group(group);
            }
        }
        self.cycle
    }

    fn close_group(&mut self, group: &[EventId]) -> bool {
        let members: Vec<usize> = group.iter().map(|&event| self.place(event).0).collect();
        let mut changed = false;
        for outside in 0..self.nodes.len() {
            if members.contains(&outside) {
                continue;
            }
            if members.iter().any(|&member| self.before[outside][member]) {
                for &member in &members {
                    changed |= self.add(outside, member);
                }
            }
            if members.iter().any(|&member| self.before[member][outside]) {
                for &member in &members {
                    changed |= self.add(member, outside);
                }
            }
        }
        changed
    }
}
