//! Objects with static storage and their initial contents.

use crate::{FuncId, GlobalId, Span, TypeId};

/// An object that exists from the start: a C object with static or thread storage duration, or a
/// string literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its name; static locals and literals get a readable one.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes, a power of two.
    pub align: u64,
    /// Its C type.
    pub ty: TypeId,
    /// Each thread has its own copy, made when it starts.
    pub thread_local: bool,
    /// It may not be written (a string literal or `const` object).
    pub constant: bool,
    /// It is declared but not defined anywhere: its contents are arbitrary.
    pub external: bool,
    /// What is not zero at the start, by ascending offset, without overlap.
    pub init: Vec<Init>,
    /// Where it is declared.
    pub span: Span,
}

/// A piece of an initial value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Init {
    /// Where it begins, in bytes.
    pub offset: u64,
    /// What stands there.
    pub value: InitValue,
}

/// What an initialiser puts into memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitValue {
    /// Plain bytes.
    Bytes(Vec<u8>),
    /// A pointer-sized address.
    Address {
        /// What it points to.
        target: Target,
        /// Bytes added to it.
        addend: i64,
    },
}

/// What a constant address points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An object.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
}
