//! A safe, typed door to CaDiCaL: assumptions, failed assumptions, models, limits, cancellation, proofs.
//!
//! CaDiCaL (Biere, Fazekas, Fleury, Froleyks: CaDiCaL 2.0, CAV 2024) aborts the process on misuse, and so
//! does a panic inside one of its callbacks; this wrapper keeps both from happening by owning the numbering
//! of variables and by keeping callbacks free of anything that can fail. A conflict or time limit and a
//! cancellation all end in [`SatResult::Unknown`] with the reason, never in a guess.
//!
//! Not offered: cubes, lookahead, flipping and the option table; nothing here needs them yet.

mod record;

pub use record::{ProofRecorder, ProofStep, StepKind};

use cadical_sys::{CaDiCal, ExternalPropagator, Status, Terminator};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A SAT literal: a variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Lit(i32);

impl Lit {
    /// The literal with that DIMACS number, or `None` for zero and the one number without a negation.
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        (number != 0 && number != i32::MIN).then_some(Lit(number))
    }

    /// The DIMACS number of the literal.
    pub fn dimacs(self) -> i32 {
        self.0
    }

    /// The number of the variable, from 1.
    pub fn variable(self) -> usize {
        self.0.unsigned_abs() as usize
    }

    /// Whether the literal is the variable itself and not its negation.
    pub fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// A dense index: twice the variable, plus one for negations.
    pub fn code(self) -> usize {
        2 * self.variable() + usize::from(self.0 < 0)
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

/// Stops a running solve from another thread: by a flag, or because a question is answered with yes.
#[derive(Clone, Default)]
pub struct CancelToken {
    flag: Arc<AtomicBool>,
    question: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
}

impl std::fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CancelToken({})", self.flag.load(Ordering::Relaxed))
    }
}

impl CancelToken {
    /// A token that has not been cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// A token that is cancelled as soon as the answer is yes. It is asked often while a solve runs, which goes on only
    /// when there is an answer.
    pub fn when(question: impl Fn() -> bool + Send + Sync + 'static) -> CancelToken {
        CancelToken {
            question: Some(Arc::new(question)),
            ..CancelToken::default()
        }
    }

    /// Asks every solve that was given this token to stop soon.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the token was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.question.as_ref().is_some_and(|ask| ask())
    }
}

/// How long a solve may run.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// Stop after that many conflicts.
    pub conflicts: Option<u32>,
    /// Stop at that time.
    pub deadline: Option<Instant>,
    /// Stop when this token is cancelled.
    pub cancel: Option<CancelToken>,
}

/// Why a solve ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The conflict limit was reached.
    Conflicts,
    /// The deadline passed.
    Deadline,
    /// The token was cancelled.
    Cancelled,
}

/// The answer of a SAT solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SatResult {
    /// There is a model; see [`Sat::value`].
    Sat,
    /// There is none under the assumptions; see [`Sat::failed`].
    Unsat,
    /// Stopped before an answer was found.
    Unknown(StopReason),
}

struct Watchdog {
    deadline: Option<Instant>,
    cancel: Option<CancelToken>,
}

impl Terminator for Watchdog {
    fn terminated(&mut self) -> bool {
        self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// An incremental SAT solver.
pub struct Sat {
    inner: CaDiCal,
    variables: i32,
    clauses: u64,
    literals: u64,
    buffer: Vec<i32>,
    recorder: Option<Rc<RefCell<ProofRecorder>>>,
}

impl Sat {
    /// A solver without clauses; with `record_proof` every step is kept for a certificate.
    pub fn new(record_proof: bool) -> Sat {
        let mut inner = CaDiCal::new();
        inner.set("quiet", 1);
        let recorder = record_proof.then(|| Rc::new(RefCell::new(ProofRecorder::default())));
        if let Some(recorder) = &recorder {
            inner.connect_proof_tracer1(Rc::clone(recorder), true, false);
        }
        Sat {
            inner,
            variables: 0,
            clauses: 0,
            literals: 0,
            buffer: Vec::new(),
            recorder,
        }
    }

    /// Sets one of CaDiCaL's own options; only possible before the first clause.
    pub fn set_option(&mut self, name: &str, value: i32) -> bool {
        self.inner.set(name, value)
    }

    /// A variable that no clause mentions yet.
    pub fn new_literal(&mut self) -> Lit {
        self.variables += 1;
        Lit(self.variables)
    }

    /// Number of variables made so far.
    pub fn variable_count(&self) -> usize {
        self.variables as usize
    }

    /// Number of clauses added so far, without those of a propagator.
    pub fn clause_count(&self) -> u64 {
        self.clauses
    }

    /// Number of literals in the clauses added so far.
    pub fn literal_count(&self) -> u64 {
        self.literals
    }

    /// Adds a clause for ever.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        // One call for the whole clause; crossing into C++ for every literal costs more than the clause.
        self.buffer.clear();
        self.buffer.extend(clause.iter().map(|literal| literal.0));
        self.inner.clause6(&self.buffer);
        self.clauses += 1;
        self.literals += clause.len() as u64;
    }

    /// Connects a theory; it must outlive every later solve, hence the shared ownership.
    pub fn connect<P: ExternalPropagator + 'static>(&mut self, propagator: &Rc<RefCell<P>>) {
        self.inner
            .connect_external_propagator(Rc::clone(propagator));
    }

    /// Lets the connected theory see the variable of a literal.
    pub fn observe(&mut self, literal: Lit) {
        self.inner.add_observed_var(literal.variable() as i32);
    }

    /// The value that decisions on this variable try first.
    pub fn prefer(&mut self, literal: Lit) {
        self.inner.phase(literal.0);
    }

    /// Solves under assumptions, which hold for this call only.
    pub fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> SatResult {
        if limits
            .cancel
            .as_ref()
            .is_some_and(CancelToken::is_cancelled)
        {
            return SatResult::Unknown(StopReason::Cancelled);
        }
        for literal in assumptions {
            self.inner.assume(literal.0);
        }
        let conflicts = limits
            .conflicts
            .map_or(-1, |n| i32::try_from(n).unwrap_or(i32::MAX));
        self.inner.limit("conflicts", conflicts);
        let guarded = limits.deadline.is_some() || limits.cancel.is_some();
        if guarded {
            let watchdog = Watchdog {
                deadline: limits.deadline,
                cancel: limits.cancel.clone(),
            };
            self.inner.connect_terminator(watchdog);
        }
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().begin_solve(assumptions);
        }
        let status = self.inner.solve();
        if status == Status::UNSATISFIABLE && self.recorder.is_some() {
            self.inner.conclude();
        }
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().end_solve();
        }
        if guarded {
            self.inner.disconnect_terminator();
        }
        match status {
            Status::SATISFIABLE => SatResult::Sat,
            Status::UNSATISFIABLE => SatResult::Unsat,
            Status::UNKNOWN => SatResult::Unknown(stop_reason(limits)),
        }
    }

    /// The value of a literal in the model of the last solve, which must have been satisfiable.
    pub fn value(&mut self, literal: Lit) -> bool {
        let variable = literal.variable() as i32;
        (self.inner.val(variable) > 0) == literal.is_positive()
    }

    /// Whether an assumption was used to refute the last solve, which must have been unsatisfiable.
    pub fn failed(&mut self, assumption: Lit) -> bool {
        self.inner.failed(assumption.0)
    }

    /// What was recorded for a certificate.
    pub fn recorder(&self) -> Option<&Rc<RefCell<ProofRecorder>>> {
        self.recorder.as_ref()
    }

    /// One of CaDiCaL's counters, such as `conflicts` or `decisions`.
    pub fn statistic(&self, name: &str) -> i64 {
        self.inner.get_statistic_value(name)
    }
}

fn stop_reason(limits: &Limits) -> StopReason {
    if limits
        .cancel
        .as_ref()
        .is_some_and(CancelToken::is_cancelled)
    {
        StopReason::Cancelled
    } else if limits
        .deadline
        .is_some_and(|deadline| Instant::now() >= deadline)
    {
        StopReason::Deadline
    } else {
        StopReason::Conflicts
    }
}
