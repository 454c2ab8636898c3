//! What is known at a place, told apart by a few tests: whether a flag is down, whether a lock was free.
//!
//! Behind a flag that stands for a lock, what holds while nobody is inside holds *if the flag is down*; no single assertion of `domain.rs` says so. So
//! the states of a place are divided by the outcome of a few comparisons that the program makes, and each part has an assertion of its own
//! (Rival and Mauborgne, "The trace partitioning abstract domain", 2007, by values instead of paths). Used for any number of threads only: there
//! is no product then that would tell such states apart.

use super::domain::{Frame, Known};
use crate::system::{System, VarId};
use raddle_ccfg::InstanceId;
use raddle_solver::term::{Sort, TermId};

/// Assertions by the outcome of tests.
#[derive(Clone, Debug)]
pub struct Split {
    pub variables: Vec<VarId>,
    /// Some state was joined.
    pub reached: bool,
    /// Positions of variables, each with the number it is compared with.
    tests: Vec<(usize, u128)>,
    parts: Vec<Known>,
}

impl Split {
    /// Of these variables, divided by the tests that are about them.
    pub fn new(variables: Vec<VarId>, tests: &[(VarId, u128)]) -> Split {
        let position = |v: &VarId| variables.iter().position(|w| w == v);
        let tests = tests.iter();
        let tests: Vec<(usize, u128)> = tests
            .filter_map(|(v, n)| Some((position(v)?, *n)))
            .collect();
        let parts = vec![Known::new(variables.clone()); 1 << tests.len()];
        Split {
            variables,
            reached: false,
            tests,
            parts,
        }
    }

    fn part(&self, state: &[u128]) -> usize {
        let tests = self.tests.iter().enumerate();
        tests.fold(0, |part, (i, (v, n))| {
            part | usize::from(state[*v] == *n) << i
        })
    }

    /// Takes a state in; whether anything changed.
    pub fn join(&mut self, system: &System, frame: &Frame, state: &[u128]) -> bool {
        self.reached = true;
        let part = self.part(state);
        self.parts[part].join(system, frame, state)
    }

    /// The same of another thread; nothing if it has other variables.
    pub fn renamed(
        &self,
        system: &System,
        frame: &Frame,
        from: InstanceId,
        to: InstanceId,
    ) -> Option<Split> {
        match (&self.parts[..], self.tests.is_empty()) {
            ([one], true) => {
                let one = one.renamed(system, frame, from, to)?;
                Some(Split {
                    variables: one.variables.clone(),
                    reached: true,
                    tests: Vec::new(),
                    parts: vec![one],
                })
            }
            _ => None,
        }
    }

    /// The same of the other thread of a crowd.
    pub fn of_twin(&self, system: &System, from: InstanceId, to: InstanceId) -> Option<Split> {
        let parts = self.parts.iter().map(|p| p.of_twin(system, from, to));
        let parts: Vec<Known> = parts.collect::<Option<_>>()?;
        Some(Split {
            variables: parts[0].variables.clone(),
            parts,
            ..self.clone()
        })
    }

    /// A value that contradicts the other place: both cannot be at one time.
    pub fn excludes(&self, other: &Split) -> bool {
        let reached = |s: &Split| -> Vec<Known> {
            let parts = s.parts.iter().filter(|p| p.reached);
            parts.cloned().collect()
        };
        let (mine, theirs) = (reached(self), reached(other));
        mine.iter().all(|a| theirs.iter().all(|b| a.excludes(b)))
    }

    /// The conjuncts, each with the variables it is about.
    pub fn conjuncts(&self, system: &mut System, frame: &Frame) -> Vec<(TermId, Vec<VarId>)> {
        if self.tests.is_empty() || !self.reached {
            return self.parts[0].conjuncts(system, frame);
        }
        let mut all = Vec::new();
        for (p, part) in self.parts.iter().enumerate() {
            let mut elsewhere = system.pool.bool(false);
            let mut tested = Vec::new();
            for (i, (v, n)) in self.tests.iter().enumerate() {
                let var = self.variables[*v];
                let term = system.variables[var.0 as usize].term;
                let is = match system.pool.sort(term) {
                    Sort::BitVec(w) => {
                        let n = system.pool.bits(w, *n);
                        system.pool.eq(term, n)
                    }
                    _ if *n == 1 => term,
                    _ => system.pool.not(term),
                };
                let other = match p >> i & 1 == 1 {
                    true => system.pool.not(is),
                    false => is,
                };
                elsewhere = system.pool.or(elsewhere, other);
                tested.push(var);
            }
            for (c, about) in part.conjuncts(system, frame) {
                let either = system.pool.or(elsewhere, c);
                all.push((either, about.into_iter().chain(tested.clone()).collect()));
            }
        }
        all
    }
}
