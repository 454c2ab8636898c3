//! The solver: terms and an ordering problem in, a model, a core or "unknown" out.
//!
//! One [`Solver`] owns one CaDiCaL instance, the translation of terms, and one ordering problem. Everything
//! can grow between checks; nothing is ever taken back, so what should hold only sometimes is assumed and not
//! asserted. Ordering literals are terms too: ask [`Solver::literal`] for the literal of any Boolean term and
//! use it in the problem.
//!
//! ```
//! use raddle_solver::{order::{EventKind, LocationId}, Answer, Limits, Solver, term::{Sort, TermPool}};
//! let mut pool = TermPool::new();
//! let mut solver = Solver::new(false);
//! let x = pool.var("x", Sort::BitVec(8));
//! let (three, seven) = (pool.bits(8, 3), pool.bits(8, 7));
//! let sum = pool.bv_add(x, three);
//! let claim = pool.eq(sum, seven);
//! solver.assert(&mut pool, claim)?;
//! let Answer::Sat(model) = solver.check(&mut pool, &[], &Limits::default())? else { panic!() };
//! assert!(pool.holds(claim, &model.values).unwrap());
//! # Ok::<(), raddle_solver::blast::BlastError>(())
//! ```

use crate::blast::{ArrayMode, BlastError, Blaster, Polarity};
use crate::order::clocks::ChainClocks;
use crate::order::reach::Reachability;
use crate::order::{EventId, OrderProblem, OrderPropagator, OrderStatistics};
use crate::sat::{Limits, Lit, Sat, SatResult, StopReason};
use crate::term::{Assignment, Sort, Term, TermId, TermPool, Value};
use crate::twin::clocks::{ClockKind, clock_name, encode, tight_width};
use std::cell::{RefCell, RefMut};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A satisfying assignment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// Values of the variables that matter.
    pub values: Assignment,
    /// A total order of all events of the ordering problem.
    pub order: Vec<EventId>,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// A limit was reached or the check was cancelled.
    Stopped(StopReason),
    /// The solver met a state that should be impossible; a bug of ours.
    Internal,
}

/// The answer of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Satisfiable, with a model.
    Sat(Model),
    /// Unsatisfiable; these of the assumptions are enough for that.
    Unsat(Vec<TermId>),
    /// No answer.
    Unknown(Unknown),
}

/// Events and their clocks.
#[derive(Clone, Debug, Default)]
struct Clocks {
    events: Vec<EventId>,
    variables: Vec<TermId>,
}

impl Clocks {
    /// The events as a model orders them.
    fn order(&self, pool: &TermPool, values: &Assignment) -> Vec<EventId> {
        let time = |e: &EventId| match pool.eval(self.variables[e.index()], values) {
            Ok(Value::Bits(t)) => t,
            _ => 0,
        };
        let mut order = self.events.clone();
        order.sort_by_cached_key(|e| time(e));
        order
    }
}

/// An incremental solver for terms and one ordering problem.
pub struct Solver<R: Reachability + 'static = ChainClocks> {
    pub(crate) sat: Sat,
    blaster: Blaster,
    pub(crate) order: Rc<RefCell<OrderPropagator<R>>>,
    connected: bool,
    observed: HashSet<usize>,
    choices_done: usize,
    pub(crate) refuted: bool,
    clocks: Option<Clocks>,
}

impl Solver {
    /// A solver that, with `certify`, can justify unsatisfiable answers.
    pub fn new(certify: bool) -> Solver {
        Solver::with_reachability(certify, ArrayMode::default())
    }

    /// A solver that treats array congruence in the given way.
    pub fn with_array_mode(certify: bool, mode: ArrayMode) -> Solver {
        Solver::with_reachability(certify, mode)
    }
}

impl<R: Reachability + 'static> Solver<R> {
    /// A solver whose ordering theory uses another kind of reachability; for measurements.
    pub fn with_reachability(certify: bool, mode: ArrayMode) -> Solver<R> {
        Solver {
            sat: Sat::new(certify),
            blaster: Blaster::new(mode),
            order: Rc::new(RefCell::new(OrderPropagator::new(certify))),
            connected: false,
            observed: HashSet::new(),
            choices_done: 0,
            refuted: false,
            clocks: None,
        }
    }

    /// Puts integer clocks in place of the ordering theory; for measurements. The ordering problem has to be complete before the
    /// first check.
    pub fn use_clocks(&mut self) {
        self.clocks = Some(Clocks::default());
    }

    /// Asserts a Boolean term for ever.
    pub fn assert(&mut self, pool: &mut TermPool, term: TermId) -> Result<(), BlastError> {
        self.blaster.assert(pool, &mut self.sat, term)
    }

    /// The literal of a Boolean term, equivalent to it.
    pub fn literal(&mut self, pool: &mut TermPool, term: TermId) -> Result<Lit, BlastError> {
        self.blaster
            .literal(pool, &mut self.sat, term, Polarity::Both)
    }

    /// The literal of an occurrence condition; `None` if the term is constantly true.
    pub fn occurrence(
        &mut self,
        pool: &mut TermPool,
        term: TermId,
    ) -> Result<Option<Lit>, BlastError> {
        match pool.term(term) {
            Term::Bool(true) => Ok(None),
            _ => self.literal(pool, term).map(Some),
        }
    }

    /// The ordering problem, to add to.
    pub fn order_problem(&mut self) -> RefMut<'_, OrderProblem> {
        RefMut::map(self.order.borrow_mut(), |order| order.theory.problem_mut())
    }

    /// States that a read, if it occurs, sees one of the writes it has choices for, or the open rest.
    ///
    /// `open` stands for writes that are not part of the problem yet. To add them later, state
    /// `open → new choice ∨ … ∨ next open`; to close the read, assume the negation of `open`.
    pub fn require_source(
        &mut self,
        pool: &mut TermPool,
        read: EventId,
        open: Option<TermId>,
    ) -> Result<(), BlastError> {
        let mut clause = Vec::new();
        {
            let order = self.order.borrow();
            let problem = order.theory.problem();
            clause.extend(problem.event(read).occurs.map(|occurs| !occurs));
            let choices = problem
                .reads_from()
                .iter()
                .filter(|choice| choice.read == read);
            clause.extend(choices.map(|choice| choice.literal));
        }
        if let Some(open) = open {
            clause.push(self.literal(pool, open)?);
        }
        self.sat.add_clause(&clause);
        Ok(())
    }

    /// Adds a clause over literals of this solver.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.sat.add_clause(clause);
    }

    /// A literal without a term.
    pub fn new_literal(&mut self) -> Lit {
        self.sat.new_literal()
    }

    /// The value that decisions on this literal's variable try first.
    pub fn prefer(&mut self, literal: Lit) {
        self.sat.prefer(literal);
    }

    /// Sets one of CaDiCaL's own options; only possible before anything was added.
    pub fn set_option(&mut self, name: &str, value: i32) -> bool {
        self.sat.set_option(name, value)
    }

    /// Checks everything asserted so far together with the assumptions.
    pub fn check(
        &mut self,
        pool: &mut TermPool,
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Result<Answer, BlastError> {
        let mut literals = Vec::with_capacity(assumptions.len());
        for &term in assumptions {
            literals.push(
                self.blaster
                    .literal(pool, &mut self.sat, term, Polarity::Positive)?,
            );
        }
        match self.check_literals(pool, &literals, limits)? {
            SatResult::Sat => {
                let values = self.blaster.model(pool, &mut self.sat)?;
                let order = match &self.clocks {
                    None => self.order.borrow().order().to_vec(),
                    Some(clocks) => clocks.order(pool, &values),
                };
                Ok(Answer::Sat(Model { values, order }))
            }
            SatResult::Unsat => {
                let sat = &mut self.sat;
                let failed = assumptions
                    .iter()
                    .zip(&literals)
                    .filter(|(_, literal)| sat.failed(**literal));
                Ok(Answer::Unsat(failed.map(|(&term, _)| term).collect()))
            }
            SatResult::Unknown(_) if self.order.borrow().is_broken() => {
                Ok(Answer::Unknown(Unknown::Internal))
            }
            SatResult::Unknown(reason) => Ok(Answer::Unknown(Unknown::Stopped(reason))),
        }
    }

    /// Checks under assumed literals; [`Solver::value`] and [`Solver::failed`] tell the rest.
    pub fn check_literals(
        &mut self,
        pool: &mut TermPool,
        assumptions: &[Lit],
        limits: &Limits,
    ) -> Result<SatResult, BlastError> {
        self.refuted = false;
        loop {
            match self.clocks.is_some() {
                false => self.prepare_order(),
                true => self.encode_clocks(pool)?,
            }
            let result = self.sat.solve(assumptions, limits);
            if self.order.borrow().is_broken() {
                return Ok(SatResult::Unknown(StopReason::Cancelled));
            }
            self.refuted = result == SatResult::Unsat;
            if result != SatResult::Sat {
                return Ok(result);
            }
            let wanted = self.order.borrow_mut().take_wanted();
            if !wanted.is_empty() {
                self.branch_on(&wanted);
                continue;
            }
            if self.blaster.refine_arrays(pool, &mut self.sat)? == 0 {
                return Ok(SatResult::Sat);
            }
        }
    }

    /// Gives every pair a literal that decides its order, once and for all.
    fn branch_on(&mut self, pairs: &[(EventId, EventId)]) {
        for &(first, second) in pairs {
            let literal = self.sat.new_literal();
            let mut order = self.order.borrow_mut();
            order.theory.statistics.order_literals += 1;
            order
                .theory
                .problem_mut()
                .add_order_literal(literal, first, second);
        }
    }

    /// Makes new parts of the ordering problem known to the SAT solver.
    fn prepare_order(&mut self) {
        let (literals, choices) = {
            let order = self.order.borrow();
            let problem = order.theory.problem();
            if problem.events().is_empty() {
                return;
            }
            let mut literals = Vec::new();
            for literal in problem.literals() {
                if self.observed.insert(literal.variable()) {
                    literals.push(literal);
                }
            }
            let mut choices = Vec::new();
            for choice in &problem.reads_from()[self.choices_done..] {
                for event in [choice.write, choice.read] {
                    choices.extend(
                        problem
                            .event(event)
                            .occurs
                            .map(|occurs| [!choice.literal, occurs]),
                    );
                }
            }
            self.choices_done = problem.reads_from().len();
            (literals, choices)
        };
        if !self.connected {
            self.connected = true;
            self.sat.connect(&self.order);
        }
        for literal in literals {
            self.sat.observe(literal);
        }
        for clause in choices {
            self.sat.add_clause(&clause);
        }
    }

    /// States the ordering problem over clocks, once.
    fn encode_clocks(&mut self, pool: &mut TermPool) -> Result<(), BlastError> {
        let problem = self.order.borrow().theory.problem().clone();
        match &mut self.clocks {
            Some(clocks) if clocks.events.is_empty() => clocks.events.extend(problem.event_ids()),
            _ => return Ok(()),
        }
        let width = tight_width(&problem);
        let mut names: HashMap<Lit, TermId> = HashMap::new();
        let constraints = encode(
            pool,
            &problem,
            ClockKind::BitVector(width),
            &mut |pool, lit| {
                *names
                    .entry(lit)
                    .or_insert_with(|| pool.fresh_var("literal", Sort::Bool))
            },
        );
        if let Some(clocks) = &mut self.clocks {
            let name = |e: EventId| clock_name(ClockKind::BitVector(width), e);
            let variable = |e| pool.var(&name(e), Sort::BitVec(width));
            clocks.variables = problem.event_ids().map(variable).collect();
        }
        for (lit, name) in names {
            let same = self.literal(pool, name)?;
            self.sat.add_clause(&[!lit, same]);
            self.sat.add_clause(&[lit, !same]);
        }
        for c in constraints {
            self.assert(pool, c)?;
        }
        Ok(())
    }

    /// The value of a literal in the model of the last check.
    pub fn value(&mut self, literal: Lit) -> bool {
        self.sat.value(literal)
    }

    /// Whether an assumed literal was needed to refute the last check.
    pub fn failed(&mut self, literal: Lit) -> bool {
        self.sat.failed(literal)
    }

    /// The total order of events of the last model.
    pub fn model_order(&self) -> Vec<EventId> {
        self.order.borrow().order().to_vec()
    }

    /// Counters of the ordering theory.
    pub fn order_statistics(&self) -> OrderStatistics {
        self.order.borrow().theory.statistics
    }

    /// The SAT solver underneath, for its counters.
    pub fn sat(&self) -> &Sat {
        &self.sat
    }

    /// The translation of terms, for its counters.
    pub fn blaster(&self) -> &Blaster {
        &self.blaster
    }
}
