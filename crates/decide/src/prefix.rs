//! Beginnings of a run as conditions: its first steps come first, in their order, and everything else comes after.

use raddle_solver::term::TermId;

/// The conditions of all beginnings of one run.
#[derive(Clone, Debug, Default)]
pub struct Prefixes {
    /// For every length: what holds from there on.
    holds: Vec<Vec<TermId>>,
    /// For every length: that everything else comes after.
    closed: Vec<Option<TermId>>,
}

impl Prefixes {
    /// The empty beginning.
    pub(crate) fn push(&mut self, holds: Vec<TermId>) {
        self.holds.push(holds);
        self.closed.push(None);
    }

    /// One more step. A step that nobody notices leaves everything as it was.
    pub(crate) fn close(&mut self, holds: Vec<TermId>, closed: Option<TermId>) {
        let silent = holds.is_empty();
        let before = self.closed.last().copied().flatten();
        self.closed.push(if silent { before } else { closed });
        self.holds.push(holds);
    }

    /// What holds after so many steps.
    pub(crate) fn conditions(&self, steps: usize) -> Vec<TermId> {
        let mut all: Vec<TermId> = self.holds[..=steps].iter().flatten().copied().collect();
        all.extend(self.closed[steps]);
        all
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.holds.len() - 1
    }
}
