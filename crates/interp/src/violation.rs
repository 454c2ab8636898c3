//! What can go wrong, as data. Turning it into words for a reader is the report's business; the
//! message here is one sentence of cause.

use crate::machine::ThreadId;
use raddle_ir::{Location, ObjectOrigin, Property};

/// A violation of a property, met in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which property.
    pub property: Property,
    /// One sentence: what happened.
    pub message: String,
    /// Who did it.
    pub thread: ThreadId,
    /// Where.
    pub at: Location,
    /// The object it is about, if it is about one: races are.
    pub object: Option<ObjectOrigin>,
    /// The variable it is about, as the source names it, if it has a name.
    pub variable: Option<String>,
    /// Other places that belong to it, such as the other access of a race.
    pub related: Vec<Related>,
    /// Advice or further facts.
    pub notes: Vec<String>,
}

/// A place that belongs to a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Who was there.
    pub thread: ThreadId,
    /// Where.
    pub at: Location,
    /// The number of the step in which it happened, to find its stack by replaying; `None` if it is
    /// where that thread stands now.
    pub step: Option<u64>,
    /// What it has to do with it.
    pub label: String,
}
