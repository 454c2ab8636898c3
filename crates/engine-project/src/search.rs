//! Questions about paths of a length: is there one that violates something, is there one at all.

use crate::constrain::{Constraints, Reductions};
use crate::footprint::Footprints;
use crate::places::{FIRST_PLACE, fold};
use crate::start::{Start, start};
use crate::statistics::{Statistics, cpu_time};
use crate::symmetry::classes;
use crate::transactions::{Granularity, Passing, pass_through};
use crate::unroll::Unrolling;
use raddle_actions::system::{ActionId, Outcome, System, VarId};
use raddle_solver::blast::BlastError;
use raddle_solver::term::{TermId, Value};
use raddle_solver::{Answer, CancelToken, Limits, Model};
use raddle_verdict::Budget;
use std::collections::BTreeSet;

/// What is asked for at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A violation.
    Error,
    /// Something that is not treated.
    Untreated,
}

/// A path with the values that lead along it.
pub struct Path {
    /// What happens, from the very beginning.
    pub actions: Vec<ActionId>,
    /// The inputs of each.
    pub choices: Vec<Vec<TermId>>,
    /// How many of the first were no choice of the search.
    pub forced: usize,
    /// Values of everything.
    pub model: Model,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// Time is up, or the allowed effort.
    Stopped,
    /// A term the solver does not treat.
    Term(String),
}

impl From<BlastError> for NoAnswer {
    fn from(e: BlastError) -> NoAnswer {
        NoAnswer::Term(e.to_string())
    }
}

/// What a question may cost.
pub fn limits(budget: &Budget, conflicts: Option<u32>) -> Limits {
    let watched = budget.clone();
    Limits {
        conflicts,
        deadline: budget.deadline(),
        cancel: Some(CancelToken::when(move || watched.stopped().is_some())),
    }
}

/// How paths are encoded.
#[derive(Clone, Copy, Debug)]
pub struct Encoding {
    /// Which paths are left out.
    pub reductions: Reductions,
    /// Paths may be shorter than they are asked for.
    pub idle: bool,
    /// Memory that only one thread touches is part of where it is.
    pub own_cells: bool,
    /// How much one step is.
    pub granularity: Granularity,
}

/// One unrolling with its constraints.
pub struct Search {
    /// The encoding.
    pub unrolling: Unrolling,
    constraints: Constraints,
    start: Start,
    passing: Passing,
    budget: Budget,
    /// What it cost.
    pub statistics: Statistics,
}

impl Search {
    /// Over paths from the initial state. `aim` is what a step may be about besides a violation.
    pub fn new(mut system: System, how: Encoding, aim: BTreeSet<VarId>, budget: Budget) -> Search {
        let reductions = how.reductions;
        let footprints = Footprints::new(&mut system, &aim);
        let mut start = start(&mut system, &footprints);
        let mut classes = match reductions.symmetry {
            true => classes(&system, &start.state),
            false => Vec::new(),
        };
        fold(&mut system, &mut start.state, how.own_cells.then_some(&aim));
        for (first, _) in &mut classes {
            *first = FIRST_PLACE;
        }
        let passing = match how.granularity {
            Granularity::Statement => Passing::default(),
            Granularity::Transaction => {
                let same = classes.iter().flat_map(|c| &c.1).copied().collect();
                pass_through(&mut system, &mut start.state, &same)
            }
        };
        start
            .choices
            .extend(passing.at_first.iter().map(|_| Vec::new()));
        start.path.extend(&passing.at_first);
        let footprints = Footprints::new(&mut system, &aim);
        let statistics = Statistics {
            identical: classes.iter().map(|c| c.1.len()).sum(),
            ..Statistics::default()
        };
        let conditions = reductions.needs_conditions();
        let state = start.state.clone();
        let mut unrolling = Unrolling::new(system, footprints, state, how.idle, conditions);
        let constraints = Constraints::new(&mut unrolling, reductions, aim, classes);
        Search {
            unrolling,
            constraints,
            start,
            passing,
            budget,
            statistics,
        }
    }

    /// How many steps there are.
    pub fn depth(&self) -> usize {
        self.unrolling.steps.len()
    }

    /// One more step; what was bad before has been asked for.
    pub fn deepen(&mut self) -> Result<(), NoAnswer> {
        if self.budget.stopped().is_some() {
            return Err(NoAnswer::Stopped);
        }
        let u = &mut self.unrolling;
        if let Some(last) = u.steps.last() {
            let fine = u.system.pool.not(last.bad);
            u.solver.assert(&mut u.system.pool, fine)?;
        }
        u.extend()?;
        self.constraints.extend(u)?;
        Ok(())
    }

    /// Asks the solver, and takes the time.
    pub fn ask(
        &mut self,
        assumptions: &[TermId],
        conflicts: Option<u32>,
    ) -> Result<Option<Model>, NoAnswer> {
        let limits = limits(&self.budget, conflicts);
        let u = &mut self.unrolling;
        let before = cpu_time();
        let answer = u.solver.check(&mut u.system.pool, assumptions, &limits);
        self.statistics.solver += cpu_time().saturating_sub(before);
        self.statistics.questions += 1;
        let sat = u.solver.sat();
        self.statistics.variables = sat.variable_count() as u64;
        self.statistics.clauses = sat.clause_count();
        self.statistics.conflicts = sat.statistic("conflicts").max(0) as u64;
        match answer? {
            Answer::Sat(model) => Ok(Some(model)),
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(_) => Err(NoAnswer::Stopped),
        }
    }

    /// Whether a goal can be the last step.
    fn goal(&mut self, goal: Goal) -> TermId {
        let u = &mut self.unrolling;
        let Some(last) = u.steps.last() else {
            return u.system.pool.bool(false);
        };
        let wanted = |a: &ActionId| {
            matches!(
                (&u.system.actions[a.0 as usize].outcome, goal),
                (Outcome::Error(..), Goal::Error)
                    | (
                        Outcome::Refused(_) | Outcome::Untreated(_) | Outcome::TooMany,
                        Goal::Untreated
                    )
            )
        };
        let terms: Vec<TermId> = last
            .act
            .iter()
            .filter(|(a, _)| wanted(a))
            .map(|(_, t)| *t)
            .collect();
        u.system.pool.or_all(terms)
    }

    /// A path that ends in a goal with the last step, under the reductions.
    pub fn find(&mut self, goal: Goal) -> Result<Option<Path>, NoAnswer> {
        let there = self.goal(goal);
        if there == self.unrolling.system.pool.bool(false) {
            return Ok(None);
        }
        let mut assumptions = vec![there];
        assumptions.extend(self.constraints.ends_here(&mut self.unrolling));
        let model = self.ask(&assumptions, None)?;
        Ok(model.map(|m| self.path(m)))
    }

    /// The same as a last question: what it asks for is stated for ever, so that the solver can simplify by it. Only if there is nothing
    /// that is not treated, which would have to be asked for next; otherwise `None`.
    pub fn find_at_last(&mut self) -> Result<Option<Option<Path>>, NoAnswer> {
        let never = self.unrolling.system.pool.bool(false);
        if self.goal(Goal::Untreated) != never {
            return Ok(None);
        }
        let there = self.goal(Goal::Error);
        if there == never {
            return Ok(Some(None));
        }
        let mut stated = vec![there];
        stated.extend(self.constraints.ends_here(&mut self.unrolling));
        let u = &mut self.unrolling;
        for t in stated {
            u.solver.assert(&mut u.system.pool, t)?;
        }
        let model = self.ask(&[], None)?;
        Ok(Some(model.map(|m| self.path(m))))
    }

    /// What has to be assumed for a path of the full length, without any reduction.
    pub fn full_length(&mut self) -> Vec<TermId> {
        let u = &mut self.unrolling;
        let first = u.steps.first().map(|s| s.idle);
        first
            .map(|idle| u.system.pool.not(idle))
            .into_iter()
            .collect()
    }

    /// Whether there is any path with as many steps as there are, reduced or not; `None` if that took too many conflicts.
    pub fn goes_on(&mut self, conflicts: Option<u32>) -> Result<Option<bool>, NoAnswer> {
        let assumptions = self.full_length();
        match self.ask(&assumptions, conflicts) {
            Ok(model) => Ok(Some(model.is_some())),
            Err(NoAnswer::Stopped) if self.budget.stopped().is_none() => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// The path of a model.
    pub fn path(&self, model: Model) -> Path {
        let u = &self.unrolling;
        let mut actions = self.start.path.clone();
        let mut choices = self.start.choices.clone();
        let forced = actions.len();
        let roots: Vec<TermId> = u
            .steps
            .iter()
            .flat_map(|s| s.act.iter().map(|a| a.1))
            .collect();
        let values = u
            .system
            .pool
            .eval_all(&roots, &model.values)
            .unwrap_or_default();
        for step in &u.steps {
            let holds = |t: &TermId| values.get(t) == Some(&Value::Bool(true));
            if let Some((id, _)) = step.act.iter().find(|(_, t)| holds(t)) {
                actions.extend(self.passing.expand(*id));
                choices.push(step.choices.get(id).cloned().unwrap_or_default());
                choices.resize(actions.len(), Vec::new());
            }
        }
        Path {
            actions,
            choices,
            forced,
            model,
        }
    }

    /// What to assume besides a question about the last step.
    pub fn reduced(&mut self) -> Vec<TermId> {
        self.constraints.ends_here(&mut self.unrolling)
    }
}
