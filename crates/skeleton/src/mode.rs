//! How much is done before solving: all of it, or less, for the tables of the staged-analysis paper.
//!
//! The paper compares its method with one that does not summarise and with one that does not prune. These are kept as switches, and
//! so are integer clocks in place of the ordering theory. All modes mean the same; they differ in what the solver is left to find out.

use crate::names::ThreadNo;
use crate::state::State;
use crate::unwind::Unwinder;
use raddle_ir::LocalId;
use raddle_solver::term::{Sort, Term, TermId};
use raddle_symbolic::Value;

/// What is left out; by default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// Every assignment, every place where paths meet and every branch keeps a variable and an equation of its own, so the solver sees
    /// the steps of a thread and not what they amount to. Constants and pointers are still known, as without them no two modes would
    /// unwind the same program.
    pub no_summaries: bool,
    /// Every read may copy from every write of the cell: what must come earlier or later is left to the solver.
    pub eager: bool,
    /// Every event has a number, and order is "less than".
    pub clocks: bool,
    /// Only executions of so many rounds ([`crate::rounds`]): not less before solving, but less at all.
    pub rounds: Option<u32>,
}

impl Mode {
    /// From names with `+` between them: `full`, `no-summaries`, `eager`, `clocks`.
    ///
    /// ```
    /// # use raddle_skeleton::mode::Mode;
    /// let mode: Mode = "eager+clocks".parse().unwrap();
    /// assert!(mode.eager && mode.clocks && !mode.no_summaries);
    /// assert!("lazy".parse::<Mode>().is_err());
    /// ```
    pub const NAMES: &'static str =
        "full, no-summaries, eager, clocks, or several with + between them";
}

impl std::str::FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Mode, String> {
        let mut mode = Mode::default();
        for name in text.split('+') {
            match name {
                "full" => {}
                "no-summaries" => mode.no_summaries = true,
                "eager" => mode.eager = true,
                "clocks" => mode.clocks = true,
                _ => return Err(format!("no such mode; there are {}", Mode::NAMES)),
            }
        }
        Ok(mode)
    }
}

impl Unwinder<'_> {
    /// A local gets a value.
    pub(crate) fn set(&mut self, state: &mut State, dst: LocalId, value: Value) {
        let value = self.keep(value);
        state.locals[dst.0 as usize] = Some(value);
        state.open.remove(&dst);
    }

    /// Without summaries, a value that was computed is a variable with an equation.
    pub(crate) fn keep(&mut self, value: Value) -> Value {
        if !self.wanted.mode.no_summaries || !value.targets.is_none() {
            return value;
        }
        Value {
            bits: self.equation(value.bits),
            targets: value.targets,
        }
    }

    /// The same for all locals that got a new value where two states met.
    pub(crate) fn keep_merged(&mut self, merged: &mut State, sides: [&State; 2]) {
        if !self.wanted.mode.no_summaries {
            return;
        }
        for i in 0..merged.locals.len() {
            let known = sides.iter().any(|s| s.locals[i] == merged.locals[i]);
            if !known && let Some(value) = merged.locals[i].take() {
                merged.locals[i] = Some(self.keep(value));
            }
        }
    }

    /// A condition as a variable with an equation, without summaries.
    pub(crate) fn keep_condition(&mut self, condition: TermId) -> TermId {
        match self.wanted.mode.no_summaries {
            true => self.equation(condition),
            false => condition,
        }
    }

    fn equation(&mut self, term: TermId) -> TermId {
        // What is a name already needs no other.
        let atom = matches!(
            self.pool.term(term),
            Term::Bool(_) | Term::Bits { .. } | Term::Var(_)
        );
        if atom {
            return term;
        }
        let sort = self.pool.sort(term);
        if !matches!(sort, Sort::Bool | Sort::BitVec(_)) {
            return term;
        }
        let name = self.fresh("step", sort);
        let same = self.pool.eq(name, term);
        self.constraints.push(same);
        name
    }

    /// Whether a thread's read may be answered without an event.
    pub(crate) fn may_settle(&self, cell: crate::names::CellId, thread: ThreadNo) -> bool {
        !self.wanted.mode.eager && !self.facts.is_contended(cell, thread)
    }
}
