//! Questions to the solver, each asked once: is this set of terms satisfiable?
//!
//! One incremental solver answers all of them by assumptions; answers are remembered by the set of terms.

use raddle_solver::term::{Op, Term, TermId, TermPool};
use raddle_solver::{Answer, CancelToken, Limits, Model, Solver};
use raddle_verdict::Budget;
use std::collections::{HashMap, HashSet};

/// Questions to one solver.
const RENEWAL: u64 = 20;
/// Conflicts after which a question is not worth its answer.
pub const SOON: u32 = 3_000;
/// More terms than this are not made.
const MANY_TERMS: usize = 6_000_000;

/// The solver has no answer: time is up, or a term cannot be treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAnswer;

/// Whether terms cannot hold together.
pub enum Refuted {
    Yes,
    /// A model, if one is at hand.
    No(Option<Model>),
}

/// A solver for many small questions: to try its luck before each takes longer than most of them.
pub fn solver() -> Solver {
    let mut solver = Solver::new(false);
    solver.set_option("lucky", 0);
    solver
}

/// A solver with a memory.
pub struct Logic {
    solver: Solver,
    known: HashMap<Vec<TermId>, bool>,
    /// What was not seen soon.
    hard: HashSet<Vec<TermId>>,
    budget: Budget,
    /// How many questions were not answered from memory.
    pub asked: u64,
}

impl Logic {
    /// Without any memory.
    pub fn new(budget: Budget) -> Logic {
        Logic {
            solver: solver(),
            known: HashMap::new(),
            hard: HashSet::new(),
            budget,
            asked: 0,
        }
    }

    fn limits(&self) -> Limits {
        let budget = self.budget.clone();
        Limits {
            conflicts: None,
            deadline: self.budget.deadline(),
            cancel: Some(CancelToken::when(move || budget.stopped().is_some())),
        }
    }

    /// Fails if time is up, or if there are so many terms that memory would be.
    pub fn in_time(&self, pool: &TermPool) -> Result<(), NoAnswer> {
        match self.budget.stopped().is_some() || pool.len() > MANY_TERMS {
            true => Err(NoAnswer),
            false => Ok(()),
        }
    }

    /// Counts a question. What was asked long ago is a burden to the solver: now and then it begins anew.
    fn ask(&mut self) {
        self.asked += 1;
        if self.asked.is_multiple_of(RENEWAL) {
            self.solver = solver();
        }
    }

    /// Puts terms in order, without those that always hold; whether they can hold together, if that needs no question.
    fn remembered(&self, pool: &TermPool, terms: &mut Vec<TermId>) -> Option<bool> {
        terms.sort_unstable();
        terms.dedup();
        if terms.iter().any(|t| *pool.term(*t) == Term::Bool(false)) {
            return Some(false);
        }
        terms.retain(|t| *pool.term(*t) != Term::Bool(true));
        match terms.is_empty() {
            true => Some(true),
            false => self.known.get(terms).copied(),
        }
    }

    /// Whether the terms can hold together.
    pub fn satisfiable(
        &mut self,
        pool: &mut TermPool,
        terms: Vec<TermId>,
    ) -> Result<bool, NoAnswer> {
        let answer = self.refuted(pool, terms, None)?;
        Ok(matches!(answer, Refuted::No(_)))
    }

    /// Whether it is soon seen that the terms cannot hold together.
    pub fn refuted_soon(
        &mut self,
        pool: &mut TermPool,
        terms: Vec<TermId>,
    ) -> Result<bool, NoAnswer> {
        let answer = self.refuted(pool, terms, Some(SOON))?;
        Ok(matches!(answer, Refuted::Yes))
    }

    /// Whether the terms cannot hold together, and a model of them otherwise. With a limit, that may be left open.
    pub fn refuted(
        &mut self,
        pool: &mut TermPool,
        mut terms: Vec<TermId>,
        conflicts: Option<u32>,
    ) -> Result<Refuted, NoAnswer> {
        match self.remembered(pool, &mut terms) {
            Some(true) => return Ok(Refuted::No(None)),
            Some(false) => return Ok(Refuted::Yes),
            None => {}
        }
        if conflicts.is_some() && self.hard.contains(&terms) {
            return Ok(Refuted::No(None));
        }
        self.in_time(pool)?;
        self.ask();
        let limits = Limits {
            conflicts,
            ..self.limits()
        };
        let (answer, holds) = match self.solver.check(pool, &terms, &limits) {
            Ok(Answer::Sat(model)) => (Refuted::No(Some(model)), true),
            Ok(Answer::Unsat(_)) => (Refuted::Yes, false),
            _ if conflicts.is_none() => return Err(NoAnswer),
            _ => {
                self.in_time(pool)?;
                self.hard.insert(terms);
                return Ok(Refuted::No(None));
            }
        };
        self.known.insert(terms, holds);
        Ok(answer)
    }

    /// A model of the terms, or some of them that cannot hold together.
    pub fn check(
        &mut self,
        pool: &mut TermPool,
        terms: &[TermId],
    ) -> Result<Result<Model, Vec<TermId>>, NoAnswer> {
        if let Some(t) = terms.iter().find(|t| *pool.term(**t) == Term::Bool(false)) {
            return Ok(Err(vec![*t]));
        }
        self.in_time(pool)?;
        self.ask();
        match self.solver.check(pool, terms, &self.limits()) {
            Ok(Answer::Sat(model)) => Ok(Ok(model)),
            Ok(Answer::Unsat(core)) => Ok(Err(core)),
            _ => Err(NoAnswer),
        }
    }
}

/// The conjuncts of a term.
pub fn conjuncts(pool: &mut TermPool, term: TermId) -> Vec<TermId> {
    let mut done = Vec::new();
    let mut work = vec![term];
    while let Some(t) = work.pop() {
        match *pool.term(t) {
            Term::App { op: Op::And, .. } => work.extend(pool.args(t).iter().rev().copied()),
            Term::App { op: Op::Not, .. } => {
                let inner = pool.args(t)[0];
                match *pool.term(inner) {
                    Term::App { op: Op::Or, .. } => {
                        for a in pool.args(inner).to_vec() {
                            let a = pool.not(a);
                            work.push(a);
                        }
                    }
                    _ => done.push(t),
                }
            }
            Term::Bool(true) => {}
            _ => done.push(t),
        }
    }
    done.sort_unstable();
    done.dedup();
    done
}
