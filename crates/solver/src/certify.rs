//! From a recorded refutation to a certificate: find the conclusion, keep what it depends on, seal it.

use crate::check::{Certificate, DerivedClause, NumberedClause, OrderingLemma};
use crate::order::EventId;
use crate::order::reach::Reachability;
use crate::sat::StepKind;
use crate::solver::Solver;
use std::collections::HashMap;

impl<R: Reachability + 'static> Solver<R> {
    /// The certificate of the last check, if that was unsatisfiable and certification is on.
    pub fn certificate(&self) -> Option<Certificate> {
        let recorder = self.sat.recorder().filter(|_| self.refuted)?.borrow();
        if recorder.has_unsupported_step() {
            return None;
        }
        let &conclusion = recorder.conclusion().first()?;
        let order = self.order.borrow();
        let mut hints_of_lemma: HashMap<Vec<i32>, &[EventId]> = HashMap::new();
        for lemma in order.lemmas() {
            let mut key: Vec<i32> = lemma
                .clause
                .iter()
                .map(|literal| literal.dimacs())
                .collect();
            key.sort_unstable();
            hints_of_lemma.insert(key, &lemma.events);
        }
        // Hints point backwards, so one sweep from the end marks everything that is needed.
        let mut needed: std::collections::HashSet<i64> = [conclusion].into();
        let mut kept = Vec::new();
        for position in (0..recorder.len()).rev() {
            let step = recorder.step(position);
            if needed.contains(&step.id) {
                needed.extend(step.hints);
                kept.push(position);
            }
        }
        kept.reverse();
        let mut certificate = Certificate {
            problem: order.theory.problem().clone(),
            assumptions: recorder.assumptions().to_vec(),
            conclusion,
            ..Certificate::default()
        };
        for position in kept {
            let step = recorder.step(position);
            let clause = NumberedClause {
                id: step.id,
                literals: step.clause.to_vec(),
            };
            match step.kind {
                StepKind::Input => certificate.inputs.push(clause),
                StepKind::Derived => certificate.proof.push(DerivedClause {
                    clause,
                    hints: step.hints.to_vec(),
                }),
                StepKind::Lemma => {
                    let mut key = clause.literals.clone();
                    key.sort_unstable();
                    let events = hints_of_lemma
                        .get(&key)
                        .map_or(Vec::new(), |events| events.to_vec());
                    certificate.lemmas.push(OrderingLemma { clause, events });
                }
            }
        }
        certificate.seal();
        Some(certificate)
    }
}
