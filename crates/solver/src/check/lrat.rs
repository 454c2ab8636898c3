//! A small LRAT checker for proofs without RAT steps (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp,
//! CADE 2017): a derived clause is right if assuming its negation and propagating along the hints, in the
//! given order, ends in a conflict.
//!
//! Hints are followed to the letter: a hint that is neither unit nor falsified is refused.

use super::Refusal;
use std::collections::HashMap;

/// The clauses accepted so far.
#[derive(Default)]
pub struct LratChecker {
    clauses: HashMap<i64, (usize, usize)>,
    literals: Vec<i32>,
    values: Vec<i8>,
    trail: Vec<i32>,
}

impl LratChecker {
    /// An accepted clause.
    pub fn clause(&self, id: i64) -> Option<&[i32]> {
        self.clauses
            .get(&id)
            .map(|&(from, to)| &self.literals[from..to])
    }

    /// Accepts a clause without proof.
    pub fn add_premise(&mut self, id: i64, clause: &[i32]) -> Result<(), Refusal> {
        if clause.contains(&0) || self.clauses.contains_key(&id) {
            return Err(Refusal::BadNumber(id));
        }
        let start = self.literals.len();
        self.literals.extend_from_slice(clause);
        self.clauses.insert(id, (start, self.literals.len()));
        Ok(())
    }

    /// Accepts a clause if its hints prove it.
    pub fn add_derived(&mut self, id: i64, clause: &[i32], hints: &[i64]) -> Result<(), Refusal> {
        let proved = self.proves(clause, hints);
        for literal in std::mem::take(&mut self.trail) {
            self.values[literal.unsigned_abs() as usize] = 0;
        }
        if !proved {
            return Err(Refusal::BadStep(id));
        }
        self.add_premise(id, clause)
    }

    fn value(&self, literal: i32) -> i8 {
        let value = self
            .values
            .get(literal.unsigned_abs() as usize)
            .copied()
            .unwrap_or(0);
        if literal > 0 { value } else { -value }
    }

    fn assign(&mut self, literal: i32) {
        let variable = literal.unsigned_abs() as usize;
        if self.values.len() <= variable {
            self.values.resize(variable + 1, 0);
        }
        self.values[variable] = if literal > 0 { 1 } else { -1 };
        self.trail.push(literal);
    }

    fn proves(&mut self, clause: &[i32], hints: &[i64]) -> bool {
        for &literal in clause {
            match self.value(literal) {
                // A clause with a literal and its negation always holds.
                1 => return true,
                0 => self.assign(-literal),
                _ => {}
            }
        }
        for hint in hints {
            let Some(&(from, to)) = self.clauses.get(hint) else {
                return false;
            };
            let mut unit = None;
            for position in from..to {
                let literal = self.literals[position];
                match self.value(literal) {
                    -1 => {}
                    0 if unit.is_none() || unit == Some(literal) => unit = Some(literal),
                    _ => return false,
                }
            }
            match unit {
                None => return true,
                Some(literal) => self.assign(literal),
            }
        }
        false
    }
}
