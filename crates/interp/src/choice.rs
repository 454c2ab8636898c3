//! The one door through which everything nondeterministic enters a run.
//!
//! Inputs, uninitialised values, which sleeper a signal wakes, whether a new object reuses a freed
//! address: each is asked here, in the order of execution, so that recording the answers and the order
//! of threads reproduces a run exactly.

use crate::machine::ThreadId;
use raddle_ir::{ChoiceClass, Location, Ty};

/// What is being decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceKind {
    /// An input of the program (`__VERIFIER_nondet_*`), of this type.
    Input(Ty),
    /// The result of a function without body.
    External(Ty),
    /// An uninitialised scalar that is read for the first time.
    Uninitialised(Ty),
    /// The result of a shift by a bad amount.
    BadShift(Ty),
    /// Which sleeper a signal wakes, by position among those asleep.
    Wake,
    /// How a timed wait without signal ends: 0 spurious wake-up, 1 timeout.
    TimedWait,
    /// Whether a thread that has ended is seen to have ended (1), or still seems to run (0).
    SeesEnd,
    /// Whether a weak compare-and-swap fails although it could succeed (1).
    WeakCas,
    /// Whether a new object takes a fresh address (0) or the n-th freed one that fits.
    ReuseAddress,
    /// Whether a new thread gets a fresh handle (0) or the n-th one no longer in use.
    ReuseHandle,
}

impl ChoiceKind {
    /// The same without the type.
    pub fn class(self) -> ChoiceClass {
        match self {
            ChoiceKind::Input(_) => ChoiceClass::Input,
            ChoiceKind::External(_) => ChoiceClass::External,
            ChoiceKind::Uninitialised(_) => ChoiceClass::Uninitialised,
            ChoiceKind::BadShift(_) => ChoiceClass::BadShift,
            ChoiceKind::Wake => ChoiceClass::Wake,
            ChoiceKind::TimedWait => ChoiceClass::TimedWait,
            ChoiceKind::SeesEnd => ChoiceClass::SeesEnd,
            ChoiceKind::WeakCas => ChoiceClass::WeakCas,
            ChoiceKind::ReuseAddress => ChoiceClass::ReuseAddress,
            ChoiceKind::ReuseHandle => ChoiceClass::ReuseHandle,
        }
    }

    /// Whether the answer comes from outside of the program.
    pub fn is_input(self) -> bool {
        self.class().is_input()
    }
}

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What it is about.
    pub kind: ChoiceKind,
    /// Who asks.
    pub thread: ThreadId,
    /// Where.
    pub at: Location,
    /// Occurrence number of the instruction in this thread, counted from 1; 1 if that is not counted.
    pub occurrence: u32,
    /// Answers are below this number; 0 means all bits of the type are free.
    pub options: u32,
    /// For values: how many bits are free.
    pub bits: u32,
    /// For inputs and results of functions without body: how many of them this thread has asked for before, if that is
    /// counted ([`crate::Config::count_inputs`]).
    pub before: u32,
}

/// Answers questions. An answer out of range is reduced to the range.
pub trait Choices {
    /// The answer.
    fn choose(&mut self, choice: &Choice) -> u128;

    /// Told that a thread made another one, before that one asks anything.
    fn made(&mut self, maker: ThreadId, at: Location, new: ThreadId) {
        let _ = (maker, at, new);
    }
}

/// Always answers 0: fresh addresses, no spurious failure, inputs zero.
pub struct Zero;

impl Choices for Zero {
    fn choose(&mut self, _: &Choice) -> u128 {
        0
    }
}
