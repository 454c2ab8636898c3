//! What is explored: all interleavings, or one or few per class.

/// A way to choose what is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Every interleaving: the oracle for the others. With a walk ([`crate::walk`]), one at random.
    All,
    /// Every thread that can go on and is not asleep (Godefroid's sleep sets alone): at least one execution per class; many are
    /// given up half-way. What searches that leave out subtrees for reasons of their own are based on ([`crate::prune`]).
    Sleep,
    /// Dynamic partial-order reduction with backtrack sets (Flanagan and Godefroid, POPL 2005) and sleep sets (Godefroid):
    /// at least one execution per class; some are given up half-way. Not so where what a step touches depends on its place (atomic
    /// regions, handles of threads, heap): there a class may be missed, and `true` is not said.
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
