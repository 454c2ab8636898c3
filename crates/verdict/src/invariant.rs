//! What holds whenever a thread stands at a place of the program, as plain data.
//!
//! Only variables of the program occur: globals, and what belongs to the activation that stands there. Where other threads are, and what
//! they hold in variables of their own, cannot be said; whoever makes an invariant leaves such parts out, which only weakens it.

use raddle_ir::{GlobalId, LocalId, Location, SlotId};

/// What holds at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The place: the instruction that comes next.
    pub at: Location,
    /// At least one of these holds, and of it everything.
    pub ways: Vec<Vec<Formula>>,
}

/// A term over variables of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formula {
    /// A number.
    Number {
        /// Its bits.
        width: u32,
        /// Its value.
        value: u128,
    },
    /// A variable.
    Variable(Variable),
    /// An operator with its operands.
    Apply(Operator, Vec<Formula>),
}

/// A scalar of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// In a global object.
    Global {
        /// The object.
        id: GlobalId,
        /// From which byte.
        offset: u64,
        /// How many bytes.
        size: u64,
    },
    /// In an object of the activation.
    Slot {
        /// The object.
        id: SlotId,
        /// From which byte.
        offset: u64,
        /// How many bytes.
        size: u64,
    },
    /// A register of the activation.
    Local(LocalId),
}

/// What formulas are made with. Arithmetic wraps around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    /// All of them.
    And,
    /// One of them.
    Or,
    /// The contrary.
    Not,
    /// Two numbers are equal.
    Equal,
    /// Less, with sign.
    SignedLess,
    /// At most, with sign.
    SignedAtMost,
    /// Less, without sign.
    Less,
    /// At most, without sign.
    AtMost,
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
}
