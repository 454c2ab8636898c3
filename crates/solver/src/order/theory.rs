//! The ordering theory: keeps the order graph saturated and acyclic under a growing and shrinking assignment.
//!
//! Given the literals that are true, it maintains the transitive order of all nodes, closed under
//!
//! 1. `rf(w, r)` and `w' → r` give `w' → w`,
//! 2. `rf(w, r)` and `w → w'` give `r → w'`,
//! 3. for an indivisible group, what comes before (after) one member comes before (after) all,
//!
//! for occurring writes `w'` to the same location. A cycle is a conflict. Literals that would close one are
//! propagated to false: choices of a write that comes after the read or is overwritten before it, second
//! choices of one read, and conditional edges against the order. The rules and the lazy treatment of derived
//! edges follow Zord and Deagle (Sun, Fan, He: Consistency-preserving propagation for SMT solving of
//! concurrent program verification, OOPSLA 2022); reachability by chains and reasons without search are ours.
//!
//! The theory does not talk to a SAT solver; [`super::propagator`] does.

use super::clocks::ChainClocks;
use super::problem::{EventId, NodeId, OrderProblem};
use super::reach::{Chains, Gain, Reachability};
use super::tables::{Action, Tables};
use super::why::{Premises, Why, Whys};
use crate::sat::Lit;
use std::collections::HashMap;

pub(super) enum Undo {
    Occurs(EventId),
    Source(EventId),
    Group(u32),
}

/// Counters, for measurements.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct OrderStatistics {
    /// Edges inserted into the graph.
    pub edges: u64,
    /// Facts "this node has new predecessors in this chain".
    pub gains: u64,
    /// Literals propagated.
    pub propagations: u64,
    /// Conflicts found.
    pub conflicts: u64,
    /// Complete assignments that were checked.
    pub final_checks: u64,
    /// Branching literals that were asked for.
    pub order_literals: u64,
}

/// The state of the theory.
pub struct OrderTheory<R: Reachability = ChainClocks> {
    pub(super) problem: OrderProblem,
    pub(super) chains: Chains,
    pub(super) tables: Tables,
    pub(super) reach: R,
    pub(super) whys: Whys,
    pub(super) occurs: Vec<bool>,
    /// The choice a read has taken.
    pub(super) source: Vec<Option<super::problem::ReadsFromId>>,
    pub(super) active_groups: Vec<u32>,
    pub(super) undo: Vec<Undo>,
    pub(super) gains: Vec<Gain>,
    pub(super) conflict: Option<Why>,
    /// Propagated literals with their reasons, oldest first.
    pub(super) implied: std::collections::VecDeque<Lit>,
    pub(super) reasons: HashMap<Lit, Why>,
    values: Vec<i8>,
    trail: Vec<Lit>,
    marks: Vec<(usize, usize)>,
    levels: Vec<usize>,
    collect_at: usize,
    stale: bool,
    /// Counters.
    pub statistics: OrderStatistics,
}

impl<R: Reachability> Default for OrderTheory<R> {
    fn default() -> OrderTheory<R> {
        OrderTheory {
            problem: OrderProblem::new(),
            chains: Chains::default(),
            tables: Tables::default(),
            reach: R::default(),
            whys: Whys::default(),
            occurs: Vec::new(),
            source: Vec::new(),
            active_groups: Vec::new(),
            undo: Vec::new(),
            gains: Vec::new(),
            conflict: None,
            implied: std::collections::VecDeque::new(),
            reasons: HashMap::new(),
            values: Vec::new(),
            trail: Vec::new(),
            marks: Vec::new(),
            levels: Vec::new(),
            collect_at: 1 << 20,
            stale: true,
            statistics: OrderStatistics::default(),
        }
    }
}

impl<R: Reachability> OrderTheory<R> {
    /// The problem.
    pub fn problem(&self) -> &OrderProblem {
        &self.problem
    }

    /// The problem, to add to it; the theory starts again from the current assignment afterwards.
    pub fn problem_mut(&mut self) -> &mut OrderProblem {
        self.stale = true;
        &mut self.problem
    }

    /// The value of a literal: positive if true, negative if false, zero if open.
    pub fn value(&self, literal: Lit) -> i8 {
        let value = self.values.get(literal.variable()).copied().unwrap_or(0);
        if literal.is_positive() { value } else { -value }
    }

    /// Notes that a literal became true; [`OrderTheory::propagate`] will act on it.
    pub fn assign(&mut self, literal: Lit) {
        let variable = literal.variable();
        if self.values.len() <= variable {
            self.values.resize(variable + 1, 0);
        }
        // CaDiCaL repeats root-level assignments.
        if self.values[variable] != 0 {
            return;
        }
        self.values[variable] = if literal.is_positive() { 1 } else { -1 };
        self.trail.push(literal);
    }

    /// Opens a decision level.
    pub fn push_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    /// Returns to a decision level.
    pub fn backtrack(&mut self, level: usize) {
        let Some(&length) = self.levels.get(level) else {
            return;
        };
        self.levels.truncate(level);
        for literal in self.trail.drain(length..) {
            self.values[literal.variable()] = 0;
        }
        if let Some(&(undo, reach)) = self.marks.get(length) {
            self.marks.truncate(length);
            self.rewind(undo);
            self.reach.undo(reach);
        }
        self.implied.clear();
        self.gains.clear();
        self.conflict = None;
        if self.whys.count() > self.collect_at {
            self.collect_garbage();
        }
    }

    fn rewind(&mut self, length: usize) {
        while self.undo.len() > length {
            match self.undo.pop() {
                Some(Undo::Occurs(event)) => self.occurs[event.index()] = false,
                Some(Undo::Source(read)) => self.source[read.index()] = None,
                Some(Undo::Group(group)) => self.active_groups.retain(|&active| active != group),
                None => return,
            }
        }
    }

    fn collect_garbage(&mut self) {
        let values = &self.values;
        self.reasons.retain(|literal, _| {
            let value = values.get(literal.variable()).copied().unwrap_or(0);
            value != 0 && (value > 0) == literal.is_positive()
        });
        let roots = self.reach.reasons().chain(self.reasons.values_mut());
        self.whys.collect(roots);
        self.collect_at = (4 * self.whys.count()).max(1 << 20);
    }

    fn rebuild(&mut self) {
        self.stale = false;
        self.marks.clear();
        self.undo.clear();
        self.gains.clear();
        self.implied.clear();
        self.active_groups.clear();
        self.conflict = None;
        // Reasons already handed out may still be asked for, hence the arena stays.
        let Some(chains) = Chains::of(&self.problem) else {
            self.conflict = Some(Why::ALWAYS);
            self.stale = true;
            return;
        };
        self.chains = chains;
        self.tables = Tables::of(&self.problem, &self.chains);
        self.reach.reset(&self.chains);
        self.occurs = vec![false; self.problem.events().len()];
        self.source = vec![None; self.problem.events().len()];
        for event in self.problem.event_ids() {
            if self.problem.event(event).occurs.is_none() && self.conflict.is_none() {
                self.set_occurs(event);
                self.saturate();
            }
        }
        self.undo.clear();
    }

    /// Acts on all assignments noted so far; false if there is a conflict.
    pub fn propagate(&mut self) -> bool {
        if self.stale {
            self.rebuild();
        }
        while self.conflict.is_none() && self.marks.len() < self.trail.len() {
            let literal = self.trail[self.marks.len()];
            self.marks.push((self.undo.len(), self.reach.mark()));
            for index in 0..self.tables.actions(literal).len() {
                let action = self.tables.actions(literal)[index];
                self.act(literal, action);
                self.saturate();
                if self.conflict.is_some() {
                    break;
                }
            }
        }
        self.conflict.is_none()
    }

    fn act(&mut self, literal: Lit, action: Action) {
        match action {
            Action::Occurs(event) => self.set_occurs(event),
            Action::ReadsFrom(choice) => self.set_source(choice),
            Action::Order(before, after) => {
                let why = self.whys.literal(literal);
                self.derive(before, after, why);
            }
            Action::Group(group) => self.activate_group(group),
        }
    }

    /// The next propagated literal that is not yet true.
    pub fn next_implied(&mut self) -> Option<Lit> {
        while let Some(literal) = self.implied.pop_front() {
            if self.value(literal) <= 0 {
                self.statistics.propagations += 1;
                return Some(literal);
            }
        }
        None
    }

    pub(super) fn imply(&mut self, literal: Lit, why: Why) {
        // A reason must stay the one that was there when the literal was propagated.
        if self.value(literal) <= 0 {
            self.reasons.insert(literal, why);
            self.implied.push_back(literal);
        }
    }

    /// The premises of a propagated literal.
    pub fn reason(&mut self, literal: Lit) -> Option<Premises> {
        let why = *self.reasons.get(&literal)?;
        Some(self.whys.flatten(why))
    }

    /// The premises of the conflict, if there is one.
    pub fn conflict_premises(&mut self) -> Option<Premises> {
        let why = self.conflict?;
        self.statistics.conflicts += 1;
        Some(self.whys.flatten(why))
    }

    pub(super) fn node(&self, event: EventId) -> NodeId {
        self.problem.event(event).node
    }

    /// Whether one event comes before another in every solution that the current edges allow.
    pub fn before(&self, first: EventId, second: EventId) -> bool {
        let (a, b) = (self.problem.event(first), self.problem.event(second));
        if a.node == b.node {
            a.position < b.position
        } else {
            self.reach.reaches(&self.chains, a.node, b.node)
        }
    }

    pub(super) fn why_before(&mut self, first: EventId, second: EventId) -> Why {
        let (a, b) = (self.node(first), self.node(second));
        if a == b {
            Why::ALWAYS
        } else {
            self.reach.why(&self.chains, &mut self.whys, a, b)
        }
    }

    /// Inserts an edge between events, or notes a conflict.
    pub(super) fn derive(&mut self, before: EventId, after: EventId, why: Why) {
        let (a, b) = (*self.problem.event(before), *self.problem.event(after));
        if a.node != b.node {
            self.derive_nodes(a.node, b.node, why);
        } else if a.position >= b.position && self.conflict.is_none() {
            self.conflict = Some(why);
        }
    }

    pub(super) fn derive_nodes(&mut self, from: NodeId, to: NodeId, why: Why) {
        if self.conflict.is_some() {
            return;
        }
        if from == to {
            self.conflict = Some(why);
        } else if self.reach.reaches(&self.chains, to, from) {
            let back = self.reach.why(&self.chains, &mut self.whys, to, from);
            self.conflict = Some(self.whys.both(why, back));
        } else if !self.reach.reaches(&self.chains, from, to) {
            self.statistics.edges += 1;
            self.reach
                .insert(&self.chains, &mut self.whys, from, to, why, &mut self.gains);
        }
    }
}
