//! The ordering theory as an external propagator of the SAT solver.
//!
//! The interface is IPASIR-UP (Fazekas, Niemetz, Preiner, Kirchweger, Szeider, Biere, SAT 2023). Everything
//! here runs inside callbacks, where a panic would abort the process, so nothing here can fail: an impossible
//! state is noted and turned into an "unknown" answer by the solver.
//!
//! Variables cannot be made inside a callback. When a complete assignment needs branching literals for
//! unordered writes, the model is accepted provisionally and the pairs are left in
//! [`OrderPropagator::take_wanted`]; the solver adds literals for them and solves again.

use super::clocks::ChainClocks;
use super::linearise::Completion;
use super::problem::EventId;
use super::reach::Reachability;
use super::theory::OrderTheory;
use super::why::Premises;
use crate::sat::Lit;
use cadical_sys::ExternalPropagator;

/// A clause the theory gave to the solver, with the always-occurring events its justification uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lemma {
    /// The clause.
    pub clause: Vec<Lit>,
    /// Events without an occurrence literal whose occurrence matters.
    pub events: Vec<EventId>,
}

/// The theory with what the solver's callbacks need around it.
pub struct OrderPropagator<R: Reachability = ChainClocks> {
    /// The theory.
    pub theory: OrderTheory<R>,
    keep_lemmas: bool,
    lemmas: Vec<Lemma>,
    clause: Vec<Lit>,
    serving_reason: bool,
    serving_clause: bool,
    wanted: Vec<(EventId, EventId)>,
    order: Vec<EventId>,
    broken: bool,
}

impl<R: Reachability> OrderPropagator<R> {
    /// A propagator for an empty problem; with `keep_lemmas` every clause is kept for certificates.
    pub fn new(keep_lemmas: bool) -> OrderPropagator<R> {
        OrderPropagator {
            theory: OrderTheory::default(),
            keep_lemmas,
            lemmas: Vec::new(),
            clause: Vec::new(),
            serving_reason: false,
            serving_clause: false,
            wanted: Vec::new(),
            order: Vec::new(),
            broken: false,
        }
    }

    /// The lemmas given so far, if they are kept.
    pub fn lemmas(&self) -> &[Lemma] {
        &self.lemmas
    }

    /// The pairs of events for which the last model needs branching literals.
    pub fn take_wanted(&mut self) -> Vec<(EventId, EventId)> {
        std::mem::take(&mut self.wanted)
    }

    /// The total order of the last complete model.
    pub fn order(&self) -> &[EventId] {
        &self.order
    }

    /// Whether a state that should be impossible was met; no answer may be trusted then.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    fn prepare(&mut self, premises: Premises, implied: Option<Lit>) {
        self.clause.clear();
        self.clause
            .extend(premises.literals.iter().map(|&literal| !literal));
        self.clause.extend(implied);
        if self.keep_lemmas {
            self.lemmas.push(Lemma {
                clause: self.clause.clone(),
                events: premises.events,
            });
        }
        // Served from the back.
        self.clause.reverse();
    }
}

impl<R: Reachability> ExternalPropagator for OrderPropagator<R> {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, literals: &[i32]) {
        for &number in literals {
            if let Some(literal) = Lit::from_dimacs(number) {
                self.theory.assign(literal);
            }
        }
    }

    fn notify_new_decision_level(&mut self) {
        self.theory.push_level();
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        self.theory.backtrack(new_level);
    }

    fn cb_check_found_model(&mut self, _: &[i32]) -> bool {
        self.theory.statistics.final_checks += 1;
        if !self.theory.propagate() {
            return false;
        }
        match self.theory.complete() {
            Completion::Order(order) => self.order = order,
            Completion::Undecided(pairs) => {
                self.broken |= pairs.is_empty();
                self.wanted = pairs;
            }
        }
        true
    }

    fn cb_propagate(&mut self) -> i32 {
        if !self.theory.propagate() {
            return 0;
        }
        self.theory.next_implied().map_or(0, Lit::dimacs)
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        if !self.serving_reason {
            self.serving_reason = true;
            let implied = Lit::from_dimacs(propagated);
            match implied.and_then(|literal| self.theory.reason(literal)) {
                Some(premises) => self.prepare(premises, implied),
                None => {
                    self.broken = true;
                    self.clause.clear();
                    self.clause.extend(implied);
                }
            }
        }
        match self.clause.pop() {
            Some(literal) => literal.dimacs(),
            None => {
                self.serving_reason = false;
                0
            }
        }
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = true;
        if self.serving_clause {
            return false;
        }
        match self.theory.conflict_premises() {
            Some(premises) => {
                self.prepare(premises, None);
                self.serving_clause = true;
                true
            }
            None => false,
        }
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        match self.clause.pop() {
            Some(literal) => literal.dimacs(),
            None => {
                self.serving_clause = false;
                0
            }
        }
    }
}
