//! What is asked of an engine and what it answers, as plain data.
//!
//! An [`Engine`] gets a program, a [`Request`] and a [`Judge`]. It may claim a violation only as a [`Candidate`]:
//! an order of steps and the values of all choices. The judge replays it in the concrete interpreter; what it does not
//! confirm never becomes `false`. So no engine has to be trusted for `false`, and none depends on the interpreter for it.
//!
//! What it finds out goes to a [`Board`], one group of properties after the other. Behind it is the [`Ledger`]: every question of the program
//! ([`question`]) with its answer, from which the [`Verdict`] is derived. How answers combine is written once, in [`combine`].
//!
//! Deliberately absent: how anything is found, replayed or shown.
//!
//! Files: `question.rs` lists the questions of a program; `ledger.rs` keeps answers and derives the verdict;
//! `combine.rs` has the rules; `answer.rs` verdicts, proofs, assumptions and reasons for `unknown`; `candidate.rs`
//! claimed violations; `focus.rs` the program that asks a single question; `record.rs` a ledger as data for a file;
//! `budget.rs`, `turns.rs` time and turns; `weak_races.rs` races that only exploration judges; `invariant.rs` what
//! holds at places, for witnesses.

mod answer;
mod budget;
mod candidate;
pub mod combine;
mod focus;
mod invariant;
mod ledger;
pub mod question;
mod record;
mod turns;
mod weak_races;

pub use answer::{Assumption, AssumptionKind, Cut, Found, Proof, Unknown, Verdict};
pub use budget::{Budget, StopCause};
pub use candidate::{Candidate, CandidateChoice, CandidateStep};
pub use focus::focused;
pub use invariant::{Formula, Invariant, Operator, Variable};
pub use ledger::{Attempt, Board, Counts, EngineBoard, Ledger, Proved, Status};
pub use question::{Question, QuestionId, Questions, Subject};
pub use record::{
    OpenRecord, ProvedRecord, QuestionRecord, Record, StatusRecord, TakenUp, Unused, ViolatedRecord,
};
pub use turns::in_turns;
pub use weak_races::leave_weak_races_open;

use raddle_ir::{Program, Property};

/// What to check, and how hard.
#[derive(Clone, Debug)]
pub struct Request {
    /// The properties asked for.
    pub properties: Vec<Property>,
    /// Unwind every loop and recursion exactly so often, instead of deeper and deeper.
    pub unwind: Option<u32>,
    /// Make `true` carry a certificate that was checked.
    pub certify: bool,
    /// What each thread gets for the inputs it asks for, one after the other, and zero after the last; any values, if there is no list.
    pub inputs: Option<Vec<i128>>,
    /// Only executions that begin like this are looked at.
    pub after: Option<Beginning>,
    /// Look for all distinct violations, not only the first.
    pub all_violations: bool,
    /// Time, memory, cancellation.
    pub budget: Budget,
}

/// How executions begin: one instruction after the other, each of them a step even if no other thread could notice it. An atomic region is
/// one step, and so is the return from `main` with the end of the process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beginning {
    /// Answers to what is asked before the first step.
    pub before: Vec<u128>,
    /// Who takes each step, and the answers to what is asked in it. Threads are numbered in the order in which they are made.
    pub steps: Vec<(u32, Vec<u128>)>,
}

/// Replays candidates.
pub trait Judge {
    /// The violation, confirmed and shortened, with its schedule; or why the run went another way.
    fn confirm(&mut self, candidate: &Candidate) -> Result<Found, String>;
    /// The same for a guess: that it goes another way is nobody's bug.
    fn try_out(&mut self, candidate: &Candidate) -> Option<Found>;
    /// Whether this is one of the violations that were asked for. Others are passed over, and the search goes on as if all were asked for
    /// ([`Request::all_violations`]); an engine that claims one all the same gets it refused.
    fn wants(&mut self, candidate: &Candidate) -> bool {
        let _ = candidate;
        true
    }
}

/// Something worth telling while an engine works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Which engine.
    pub engine: &'static str,
    /// What it does now, in a few words: `bound 4: 1203 events, 310 reads`.
    pub what: String,
}

/// A way to check programs. Several work side by side.
pub trait Engine: Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// Answers what is open on the board, and says of every property that it leaves open why. Must look at the budget often and answer
    /// [`Unknown::Stopped`] soon after it is used up.
    fn work(
        &self,
        program: &Program,
        request: &Request,
        judge: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
        board: &mut dyn Board,
    );

    /// What it says of a program alone.
    fn check(
        &self,
        program: &Program,
        request: &Request,
        judge: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
    ) -> Verdict {
        // What a program was made without is for the caller to judge.
        let mut ledger = Ledger::new(program, &request.properties).without_limit();
        let mut board = EngineBoard {
            ledger: &mut ledger,
            engine: self.name(),
        };
        self.work(program, request, judge, progress, &mut board);
        let nothing = || Verdict::Unknown(Unknown::Internal("no answer".into()));
        ledger.verdict().unwrap_or_else(nothing)
    }
}
