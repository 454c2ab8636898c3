//! The proof checker: every initial condition, Hoare triple, independence claim and the closure of the reduction, once more.
//!
//! It shares with the search only the transition system and the solver: no list of footprints, no reuse of what the search found
//! out. It is told the invariants of threads (`threads.rs`) and the states of the product (`product.rs`) and has to find for every action of every state a state that covers what
//! comes after, up to an exchange of interchangeable threads (`exchange.rs`); it does not search. What was left out by the reduction is looked at in `reduction.rs`.

mod crowds;
mod exchange;
mod product;
mod reduction;
mod slice;
mod threads;

use crate::logic::{SOON, solver};
use crate::modular::Invariants;
use crate::proof::ProofFile;
use crate::symmetry::Symmetry;
use crate::system::{ActionId, Outcome, System, VarId};
use raddle_actions::waiting::Deadlocks;
use raddle_ccfg::InstanceId;
use raddle_ir::Property;
use raddle_solver::term::{Sort, Term, TermId};
use raddle_solver::{Answer, CancelToken, Limits, Solver};
use raddle_verdict::Budget;
use std::collections::{HashMap, HashSet};

struct Checker<'a> {
    system: &'a mut System,
    solver: Solver,
    /// Its own answers so far.
    answers: HashMap<Vec<TermId>, bool>,
    /// What was not answered soon.
    hard: HashSet<Vec<TermId>>,
    budget: &'a Budget,
    /// Whether a thread's future is harmless to what others do next; by everything it depends on.
    harmless: HashSet<String>,
    invariants: &'a Invariants,
    children: Vec<Vec<InstanceId>>,
    joined_by_others: Vec<bool>,
    /// For every variable, whose actions write it, as bits; made when it is needed.
    writers: Vec<u64>,
    /// Threads that may be exchanged, if there are no invariants of each.
    symmetry: Symmetry,
    /// Errors that the invariants rule out.
    impossible: HashSet<ActionId>,
    /// Whether deadlocks have to be ruled out, too.
    deadlocks: Option<Deadlocks>,
}

/// Checks a proof; the first thing that is wrong.
pub fn check(system: &mut System, proof: &ProofFile, budget: &Budget) -> Result<(), String> {
    let twins;
    let invariants = match system.crowds.is_empty() {
        true => &proof.invariants,
        false if !proof.groups.is_empty() => {
            return Err("states of a product for any number of threads".into());
        }
        false => {
            twins = crowds::with_twins(system, &proof.invariants)?;
            &twins
        }
    };
    slice::check(system)?;
    let children = system.children();
    let joined_by_others = system.joined_by_others();
    let deadlocks = proof.properties.contains(&Property::NoDeadlock);
    if deadlocks && (proof.groups.is_empty() || !system.crowds.is_empty()) {
        return Err("no states, so nothing is said of deadlocks".into());
    }
    let symmetry = match proof.invariants.detail.is_empty() && !deadlocks {
        true => Symmetry::new(system),
        false => Symmetry::default(),
    };
    let mut checker = Checker {
        symmetry,
        system,
        solver: solver(),
        answers: HashMap::new(),
        hard: HashSet::new(),
        budget,
        harmless: HashSet::new(),
        invariants,
        children,
        joined_by_others,
        writers: Vec::new(),
        impossible: HashSet::new(),
        deadlocks: deadlocks.then(Deadlocks::default),
    };
    if !invariants.detail.is_empty() {
        checker.threads()?;
    }
    let all = 0..checker.system.actions.len() as u32;
    let erring = all.map(ActionId).filter(|a| checker.is_error(*a));
    let erring = erring.map(|a| 1 << checker.system.get(a).thread.0);
    let erring: u64 = erring.fold(0, |x, y: u64| x | y);
    let covered: u64 = proof.groups.iter().map(|g| g.targets).fold(0, |x, y| x | y);
    if erring & !covered != 0 {
        return Err("errors of some thread are not looked at".into());
    }
    for (g, group) in proof.groups.iter().enumerate() {
        checker.harmless.clear();
        let done = checker.group(group);
        done.map_err(|why| format!("group {g}: {why}"))?;
    }
    Ok(())
}

/// Checks invariants thread by thread alone; the errors that they rule out, or the first thing that is wrong.
pub fn check_threads(
    system: &mut System,
    invariants: &Invariants,
    budget: &Budget,
) -> Result<HashSet<ActionId>, String> {
    let twins;
    let invariants = match system.crowds.is_empty() {
        true => invariants,
        false => {
            twins = crowds::with_twins(system, invariants)?;
            &twins
        }
    };
    let children = system.children();
    let joined_by_others = system.joined_by_others();
    let mut checker = Checker {
        symmetry: Symmetry::default(),
        system,
        solver: solver(),
        answers: HashMap::new(),
        hard: HashSet::new(),
        budget,
        harmless: HashSet::new(),
        invariants,
        children,
        joined_by_others,
        writers: Vec::new(),
        impossible: HashSet::new(),
        deadlocks: None,
    };
    checker.threads()?;
    Ok(checker.impossible)
}

impl Checker<'_> {
    fn is_error(&self, id: ActionId) -> bool {
        let next = matches!(self.system.get(id).outcome, Outcome::Next(_));
        !next && !self.impossible.contains(&id)
    }

    /// A variable, and a number of its sort.
    fn equation(&mut self, var: VarId, n: u128) -> (TermId, TermId) {
        let term = self.system.variables[var.0 as usize].term;
        let pool = &mut self.system.pool;
        let number = match pool.sort(term) {
            Sort::BitVec(w) => pool.bits(w, n),
            _ => pool.bool(n == 1),
        };
        (term, number)
    }

    fn unsatisfiable(&mut self, terms: &[TermId]) -> Result<bool, String> {
        self.refuted(terms, None)?
            .ok_or_else(|| "the solver does not answer".into())
    }

    /// Whether it is soon seen that the terms cannot hold together.
    fn soon_refuted(&mut self, terms: &[TermId]) -> Result<bool, String> {
        Ok(self.refuted(terms, Some(SOON))? == Some(true))
    }

    /// Whether the terms cannot hold together; nothing if that takes more conflicts than are given.
    fn refuted(
        &mut self,
        terms: &[TermId],
        conflicts: Option<u32>,
    ) -> Result<Option<bool>, String> {
        if terms
            .iter()
            .any(|t| *self.system.pool.term(*t) == Term::Bool(false))
        {
            return Ok(Some(true));
        }
        let mut key = terms.to_vec();
        key.sort_unstable();
        key.dedup();
        if let Some(answer) = self.answers.get(&key) {
            return Ok(Some(*answer));
        }
        if conflicts.is_some() && self.hard.contains(&key) {
            return Ok(None);
        }
        if self.answers.len() % 20 == 19 {
            self.solver = solver();
        }
        let budget = self.budget.clone();
        let limits = Limits {
            conflicts,
            deadline: self.budget.deadline(),
            cancel: Some(CancelToken::when(move || budget.stopped().is_some())),
        };
        let answer = match self.solver.check(&mut self.system.pool, terms, &limits) {
            Ok(Answer::Unsat(_)) => true,
            Ok(Answer::Sat(_)) => false,
            _ if conflicts.is_some() && self.budget.stopped().is_none() => {
                self.hard.insert(key);
                return Ok(None);
            }
            _ => return Err("the solver does not answer".into()),
        };
        self.answers.insert(key, answer);
        Ok(Some(answer))
    }
}
