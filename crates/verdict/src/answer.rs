//! Verdicts, and what they rest on.

use crate::budget::StopCause;
use raddle_ir::{ObjectOrigin, Property, Span};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The answer of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// No execution violates any of the properties.
    True(Proof),
    /// These violations were replayed; never empty.
    False(Vec<Found>),
    /// Neither.
    Unknown(Unknown),
}

/// A violation that the interpreter confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The property.
    pub property: Property,
    /// Where it shows.
    pub span: Span,
    /// The object it is about, if it is about one: races are.
    pub object: Option<ObjectOrigin>,
    /// What went wrong, in a sentence.
    pub message: String,
    /// The schedule that leads there, in the interpreter's file format.
    pub schedule: String,
    /// The steps that matter, if the engine knows them.
    pub projection: Vec<String>,
}

/// Why `true` holds.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Proof {
    /// How it was proved, in a sentence: `complete unwinding of 3 threads (deepest loop 10), 412 events`.
    pub how: String,
    /// What it takes for granted.
    pub assumptions: Vec<Assumption>,
    /// What the checked certificate consists of, if one was asked for.
    pub certificate: Option<String>,
    /// The text of a proof that can be checked again, if one was asked for.
    pub artefact: Option<String>,
    /// How many threads of every creation that can repeat it is about; 0 for any number.
    pub threads: Option<u32>,
}

/// Something a proof takes for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Assumption {
    /// What.
    pub kind: AssumptionKind,
    /// Where; nowhere if it is about the whole program.
    pub span: Span,
}

/// What a proof may take for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AssumptionKind {
    /// The property is not violated: executions that violate it were followed no further.
    Holds(Property),
    /// There is no undefined behaviour other than what has a property of its own.
    Defined,
    /// There are fewer threads than this at a time.
    FewerThreads(u32),
}

/// A loop or recursion that was not followed to its end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cut {
    /// The function it is in.
    pub function: String,
    /// Where the loop begins or the call stands.
    pub span: Span,
    /// After how many iterations (or nested calls) it was cut.
    pub bound: u32,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unknown {
    /// Nothing was found, and these loops go on beyond the bound.
    SafeUpTo(Vec<Cut>),
    /// Nothing was found with so many threads of every creation that can repeat, and there can be more.
    SafeForThreads(u32),
    /// Nothing was found in executions of so many rounds, and of so many iterations if loops go on beyond them.
    SafeForRounds(u32, Option<u32>),
    /// Nothing was found within so many steps, and there are longer executions.
    SafeToDepth(u32),
    /// It is safe within a limit of the program itself: inputs were left out when it was made.
    SafeWithin(String),
    /// There is a violation if functions without a body return certain values, and that is not taken for granted.
    Needs(String),
    /// The engine looks only at executions from the start of the program, and others were asked for.
    OnlyFromStart,
    /// The program does something the engine does not treat.
    Unsupported {
        /// What, in a few words.
        what: String,
        /// Where.
        span: Span,
    },
    /// The budget was used up. `cuts` tells how far it got, if a bound was finished.
    Stopped {
        /// By what.
        cause: StopCause,
        /// The deepest bound that was finished without finding anything.
        bound: Option<u32>,
    },
    /// The engine ended before its time: no stack, no memory, a signal.
    GaveUp(String),
    /// A violation was claimed that did not replay: a bug of ours.
    NotReplayed(String),
    /// Something that should be impossible: a bug of ours.
    Internal(String),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::SafeUpTo(cuts) => {
                let bound = cuts.iter().map(|c| c.bound).min().unwrap_or(0);
                write!(f, "safe up to {bound} iterations")
            }
            Unknown::SafeForThreads(n) => write!(f, "safe for {n} threads of each creation"),
            Unknown::SafeForRounds(rounds, None) => write!(f, "safe for {rounds} rounds"),
            Unknown::SafeForRounds(rounds, Some(bound)) => {
                write!(f, "safe for {rounds} rounds, up to {bound} iterations")
            }
            Unknown::SafeToDepth(depth) => write!(f, "safe up to depth {depth}"),
            Unknown::SafeWithin(limit) => write!(f, "safe for {limit}"),
            Unknown::Needs(what) => write!(f, "needs {what}"),
            Unknown::OnlyFromStart => {
                f.write_str("unsupported: executions that begin in the middle")
            }
            Unknown::Unsupported { what, .. } => write!(f, "unsupported: {what}"),
            // Where all loops have come to their end, their number says nothing.
            Unknown::Stopped { cause, bound } => match bound.filter(|b| *b < u32::MAX) {
                Some(bound) => write!(f, "{cause}, safe up to {bound} iterations"),
                None => write!(f, "{cause}"),
            },
            Unknown::GaveUp(how) => write!(f, "gave up: {how}"),
            Unknown::NotReplayed(_) => f.write_str("a violation that did not replay"),
            Unknown::Internal(_) => f.write_str("internal error"),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True(_) => f.write_str("true"),
            Verdict::False(found) => {
                let property = found.first().map_or("?", |v| v.property.name());
                write!(f, "false({property})")
            }
            Verdict::Unknown(why) => write!(f, "unknown({why})"),
        }
    }
}
