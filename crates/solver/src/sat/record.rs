//! Recording CaDiCaL's proof in memory.
//!
//! Every clause that enters the solver and every clause it derives is kept with its LRAT hints in flat
//! vectors. Deletions are not kept: certificates are trimmed backwards from the conclusion instead, which
//! removes far more, and without deletions a clause that CaDiCaL weakens and later restores needs no care.
//!
//! A clause that arrives while a solve is running comes from the connected theory; all others are inputs.

use super::Lit;
use cadical_sys::ProofTracer;

/// Where a recorded clause comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// Added by the user of the solver.
    Input,
    /// Added by the theory during a solve.
    Lemma,
    /// Derived from earlier clauses by unit propagation along the hints.
    Derived,
}

/// One recorded clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofStep<'a> {
    /// The number that hints use for this clause.
    pub id: i64,
    /// Where it comes from.
    pub kind: StepKind,
    /// Its literals.
    pub clause: &'a [i32],
    /// The clauses it follows from, for derived clauses.
    pub hints: &'a [i64],
}

#[derive(Clone, Copy)]
struct Entry {
    id: i64,
    kind: StepKind,
    literals_end: usize,
    hints_end: usize,
}

/// The growing record of one solver.
#[derive(Default)]
pub struct ProofRecorder {
    entries: Vec<Entry>,
    literals: Vec<i32>,
    hints: Vec<i64>,
    solving: bool,
    unsupported: bool,
    assumptions: Vec<i32>,
    conclusion: Vec<i64>,
}

impl ProofRecorder {
    pub(super) fn begin_solve(&mut self, assumptions: &[Lit]) {
        self.solving = true;
        self.conclusion.clear();
        self.assumptions = assumptions.iter().map(|literal| literal.dimacs()).collect();
    }

    pub(super) fn end_solve(&mut self) {
        self.solving = false;
    }

    /// The clauses that conclude the last solve: the empty clause, or negated assumptions.
    pub fn conclusion(&self) -> &[i64] {
        &self.conclusion
    }

    /// The assumptions of the last solve.
    pub fn assumptions(&self) -> &[i32] {
        &self.assumptions
    }

    /// Whether the solver made a step that hints cannot justify (never with the options used here).
    pub fn has_unsupported_step(&self) -> bool {
        self.unsupported
    }

    /// Number of recorded clauses.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The clause at a position, oldest first.
    pub fn step(&self, position: usize) -> ProofStep<'_> {
        let entry = self.entries[position];
        let (literals, hints) = match position.checked_sub(1) {
            Some(before) => (
                self.entries[before].literals_end,
                self.entries[before].hints_end,
            ),
            None => (0, 0),
        };
        ProofStep {
            id: entry.id,
            kind: entry.kind,
            clause: &self.literals[literals..entry.literals_end],
            hints: &self.hints[hints..entry.hints_end],
        }
    }

    fn push(&mut self, id: i64, kind: StepKind, clause: &[i32], hints: &[i64]) {
        self.literals.extend_from_slice(clause);
        self.hints.extend_from_slice(hints);
        let (literals_end, hints_end) = (self.literals.len(), self.hints.len());
        self.entries.push(Entry {
            id,
            kind,
            literals_end,
            hints_end,
        });
    }
}

impl ProofTracer for ProofRecorder {
    fn add_original_clause(&mut self, id: i64, _: bool, clause: &[i32], restored: bool) {
        if !restored {
            let kind = if self.solving {
                StepKind::Lemma
            } else {
                StepKind::Input
            };
            self.push(id, kind, clause, &[]);
        }
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _: bool,
        witness: i32,
        clause: &[i32],
        hints: &[i64],
    ) {
        self.unsupported |= witness != 0;
        self.push(id, StepKind::Derived, clause, hints);
    }

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], hints: &[i64]) {
        self.push(id, StepKind::Derived, clause, hints);
    }

    fn conclude_unsat(&mut self, _: i32, clause_ids: &[i64]) {
        self.conclusion = clause_ids.to_vec();
    }

    fn delete_clause(&mut self, _: i64, _: bool, _: &[i32]) {}
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}
