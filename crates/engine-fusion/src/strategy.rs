//! What is explored: all interleavings, or one or few per class.

use raddle_analysis::Facts;
use raddle_ir::{Op, Program};

/// A way to choose what is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Every interleaving: the oracle for the others. With a walk ([`crate::walk`]), one at random.
    All,
    /// Every thread that can go on and is not asleep (Godefroid's sleep sets alone): at least one execution per class; many are
    /// given up half-way. What searches that leave out subtrees for reasons of their own are based on ([`crate::prune`]).
    Sleep,
    /// Dynamic partial-order reduction with backtrack sets (Flanagan and Godefroid, POPL 2005) and sleep sets (Godefroid):
    /// at least one execution per class; some are given up half-way.
    Classic,
    /// One execution for every way in which events can read from each other ([`crate::reads_from`]), where the program allows it; otherwise
    /// [`Strategy::Optimal`].
    ReadsFrom,
    /// Source sets and wakeup trees (Abdulla, Aronis, Jonsson and Sagonas, POPL 2014): exactly one execution per class.
    #[default]
    Optimal,
}

impl Strategy {
    /// The strategy that is right for a program.
    ///
    /// Searches that reverse races need conflicts that *stay* (Abdulla and others, JACM 2017, the last of the seven
    /// properties of a happens-before relation): if p conflicts with the next event of r, and q does not conflict with p, then p
    /// conflicts with the next event of r also behind q. Otherwise a race is never seen because q came first. An atomic region
    /// that reads y only if x is 0 has no such conflicts: p writes y, q writes x. Sleep sets alone do not need the property,
    /// because every thread is explored from every state; what is executed there is the same classes, once each, but many executions
    /// are given up half-way. All other steps touch what follows from where their thread stands
    /// (`raddle_interp::footprint`).
    pub fn fit_for(self, program: &Program) -> Strategy {
        let reverses = matches!(
            self,
            Strategy::Classic | Strategy::Optimal | Strategy::ReadsFrom
        );
        match reverses && has_regions(program) {
            true => Strategy::Sleep,
            false => self,
        }
    }

    /// Whether nodes remember who could go on.
    pub(crate) fn keeps_enabled(self) -> bool {
        self != Strategy::Optimal
    }
}

/// Whether a program has atomic regions that some execution may reach. The modelled library has some that most programs never get to.
fn has_regions(program: &Program) -> bool {
    let begins = |op: &Op| matches!(op, Op::AtomicBegin { .. });
    if !program.instructions().any(|(_, op)| begins(op)) {
        return false;
    }
    let facts = Facts::new(program);
    let mut instructions = facts.program().instructions();
    instructions.any(|(at, op)| begins(op) && facts.parallel.is_reached(at))
}
