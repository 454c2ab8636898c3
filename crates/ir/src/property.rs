//! What can be asked of a program.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A property a violation belongs to.
///
/// `docs/semantics.md` says what violates each. The first group has the three parts of `valid-memsafety`; the
/// second group are further kinds of undefined behaviour that the interpreter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Property {
    /// No call of `reach_error` and no failing assertion.
    UnreachCall,
    /// No two conflicting accesses of which either can come next.
    NoDataRace,
    /// Memory safety: every access is within a live object.
    ValidDeref,
    /// Memory safety: `free` gets the start of a live heap object.
    ValidFree,
    /// Memory safety: no heap object is lost at the end.
    ValidMemtrack,
    /// Every heap object is freed before the end.
    ValidMemcleanup,
    /// No signed overflow.
    NoOverflow,
    /// No deadlock.
    NoDeadlock,
    /// No misuse of synchronisation objects, such as unlocking a mutex that is not held.
    ValidSync,
    /// No branch on an uninitialised value.
    NoUninit,
    /// No integer division by zero, and none whose quotient does not fit.
    NoDivZero,
    /// No shift by a negative or too large amount.
    NoBadShift,
}

impl Property {
    /// All properties.
    pub const ALL: [Property; 12] = [
        Property::UnreachCall,
        Property::NoDataRace,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
        Property::NoOverflow,
        Property::NoDeadlock,
        Property::ValidSync,
        Property::NoUninit,
        Property::NoDivZero,
        Property::NoBadShift,
    ];

    /// The name used in verdicts and in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoDataRace => "no-data-race",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::NoOverflow => "no-overflow",
            Property::NoDeadlock => "no-deadlock",
            Property::ValidSync => "valid-sync",
            Property::NoUninit => "no-uninit",
            Property::NoDivZero => "no-div-zero",
            Property::NoBadShift => "no-bad-shift",
        }
    }

    /// The properties a name stands for; `valid-memsafety` stands for three.
    pub fn from_name(name: &str) -> Vec<Property> {
        if name == "valid-memsafety" {
            return vec![
                Property::ValidDeref,
                Property::ValidFree,
                Property::ValidMemtrack,
            ];
        }
        Property::ALL
            .into_iter()
            .filter(|p| p.name() == name)
            .collect()
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
