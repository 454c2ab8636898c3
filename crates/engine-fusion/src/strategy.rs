//! What is explored: all interleavings, or one or few per class.

/// A way to choose what is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Every interleaving: the oracle for the others. With a walk ([`crate::walk`]), one at random.
    All,
    /// Dynamic partial-order reduction with backtrack sets (Flanagan and Godefroid, POPL 2005) and sleep sets (Godefroid):
    /// at least one execution per class; some are given up half-way.
    Classic,
    /// Source sets and wakeup trees (Abdulla, Aronis, Jonsson and Sagonas, POPL 2014): exactly one execution per class.
    #[default]
    Optimal,
}

impl Strategy {
    /// Whether nodes remember who could go on.
    pub(crate) fn keeps_enabled(self) -> bool {
        self != Strategy::Optimal
    }
}
