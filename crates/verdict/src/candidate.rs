//! A violation as an engine claims it: enough to steer the interpreter there.

use raddle_ir::{ChoiceClass, Location, Property};

/// A claimed violation.
///
/// Threads are numbered by the engine; 0 is the initial one, and every other appears as `starts` of the step that creates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The property.
    pub property: Property,
    /// The thread in which it shows.
    pub thread: u32,
    /// Where it shows.
    pub at: Location,
    /// Whether sleepers may wake without a signal in this run.
    pub spurious_wakeups: bool,
    /// What matters to others, in order. After the last step, `thread` goes on until the violation shows.
    pub steps: Vec<CandidateStep>,
    /// Values of choices, for each thread in the order in which they are asked for.
    pub choices: Vec<CandidateChoice>,
}

/// An instruction is executed. What the thread does silently before and after is not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CandidateStep {
    /// Who.
    pub thread: u32,
    /// Which instruction.
    pub at: Location,
    /// Occurrence number, counted from 1.
    pub occurrence: u32,
    /// The thread that this instruction (`thread_new`) makes.
    pub starts: Option<u32>,
}

/// A choice is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateChoice {
    /// Who asks.
    pub thread: u32,
    /// Where.
    pub at: Location,
    /// The kind of choice.
    pub kind: ChoiceClass,
    /// Occurrence number of the instruction, counted from 1; `None`: the next question of this kind that has no such answer.
    pub occurrence: Option<u32>,
    /// The answer.
    pub value: u128,
}
