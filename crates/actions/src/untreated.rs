//! What is not treated only in some states: an access that overlaps two cells.
//!
//! It becomes an action of its own, so that whoever proves something has to show that no execution gets there. Most never can, because
//! addresses are made of indices and the sizes of elements; these are left out here, by one small question to the solver each, about the
//! action alone: otherwise every array would keep threads from being independent.

use crate::system::{Action, Chosen, Status, System};
use raddle_ccfg::{EdgeId, InstanceId, LocId};
use raddle_ir::Location;
use raddle_solver::term::TermId;
use raddle_solver::{Answer, Limits, Solver};
use std::collections::BTreeSet;

/// How many conflicts a question may take; what is not answered then is possible.
const CONFLICTS: u32 = 2_000;

/// Something that is not treated, on the way along an edge.
pub(crate) struct Untreated {
    pub guard: TermId,
    pub what: &'static str,
    pub at: Location,
    pub choices: Vec<Chosen>,
    pub control: Vec<(InstanceId, Status, Status)>,
    /// Threads that have to have been made.
    pub before: Vec<InstanceId>,
}

impl System {
    /// An action that leads there, unless there is one, or it can never happen.
    pub(crate) fn add_untreated(
        &mut self,
        thread: InstanceId,
        edge: EdgeId,
        from: LocId,
        found: Untreated,
    ) {
        let outcome = self.refuse(found.what, found.at);
        let present = found.before.iter();
        let present = present.map(|b| (*b, Status::Absent, Status::Absent));
        let control: Vec<_> = found.control.into_iter().chain(present).collect();
        let here = &self.outgoing[thread.0 as usize][from.0 as usize];
        let known = here
            .iter()
            .map(|a| self.get(*a))
            .any(|a| a.outcome == outcome && a.guard == found.guard && a.control == control);
        if known || !self.may_hold(found.guard) {
            return;
        }
        let reads = self.read_by(&[found.guard]);
        self.add(Action {
            thread,
            edge,
            from,
            outcome,
            guard: found.guard,
            updates: Vec::new(),
            choices: found.choices,
            reads,
            control,
            acquires: None,
            joins: None,
            stops: BTreeSet::new(),
            stored: Vec::new(),
        });
    }

    fn may_hold(&mut self, guard: TermId) -> bool {
        if let Some(known) = self.possible.get(&guard) {
            return *known;
        }
        let limits = Limits {
            conflicts: Some(CONFLICTS),
            ..Limits::default()
        };
        let mut solver = Solver::new(false);
        let answer = solver.check(&mut self.pool, &[guard], &limits);
        let possible = !matches!(answer, Ok(Answer::Unsat(_)));
        self.possible.insert(guard, possible);
        possible
    }
}
