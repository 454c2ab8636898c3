//! The intermediate representation (IR) that every part of Raddle speaks.
//!
//! A [`Program`] is a set of [`Function`]s, each a control-flow graph of [`Block`]s over mutable,
//! typed [`Local`]s, plus [`Global`] objects. It is low-level on purpose: values are scalars
//! ([`Ty`]), memory is byte-addressed objects, and every instruction makes **at most one** access to
//! memory that another thread could see, so that an interleaving of instructions is an interleaving
//! of accesses (`docs/semantics.md`).
//!
//! What a front end must know to produce it:
//!
//! - **Locals** (`%x`) are registers of one activation: never shared, never addressed. A C variable
//!   that is a scalar and whose address is not taken becomes one. [`Op::Havoc`] makes a local
//!   indeterminate (a declaration without initialiser).
//! - **Slots** (`$x`) are stack objects of one activation. They exist between [`Op::StorageLive`] and
//!   [`Op::StorageDead`] (or the return); each `StorageLive` makes a *new* object with indeterminate
//!   contents.
//! - **Aggregates are not values.** A struct argument is passed as a pointer to a copy that the
//!   caller made (the callee owns it); a function returning a struct takes a pointer to the result
//!   as its first parameter. Copies are made scalar by scalar.
//! - **Variadic functions** take one hidden last parameter: a pointer to an object, made by the
//!   caller, in which the extra arguments lie one after another, each in cells of
//!   [`DataModel::vararg_cell`] bytes. `va_list` holds, in its first pointer-sized bytes, the address of
//!   the next cell.
//! - **Evaluation order** is fixed by the order of instructions.
//! - **Undefined behaviour is implicit**: a signed addition carries `checked: true`, a load checks
//!   its address; each semantics decides by the properties asked for whether it is a violation.
//!   Nothing has to be instrumented.
//! - **Synchronisation** is [`Op::Sync`] with an operation of [`SyncOp`], each one indivisible guarded
//!   step. `pthread_*` and friends are C code written in terms of these.
//!
//! The text form ([`print()`], [`read()`]) prints and reads back identically; [`verify()`] says what valid
//! IR is. This crate depends on no other.
//!
//! Files: `program.rs`, `instr.rs`, `types.rs`, `data.rs`, `span.rs`, `choice.rs` the data; `property.rs` what can be
//! asked; `sync/` the synchronisation operations and what they do; `print.rs` and `read/` the text
//! form; `verify.rs` what valid IR is; `visit.rs` walks over operands; `weak.rs` memory orders weaker than sequential
//! consistency.

mod choice;
mod data;
mod instr;
mod print;
mod program;
mod property;
mod read;
mod span;
pub mod sync;
mod types;
mod verify;
mod visit;
mod weak;

pub use choice::ChoiceClass;
pub use data::{Global, Init, InitValue, Target};
pub use instr::{
    Access, AtomicKind, BinaryOp, BitField, CastKind, CompareOp, Instr, Memory, MemoryOrder, Op,
    Operand, Ordering, PureFn, RmwOp, Rvalue, Terminator, UnaryOp,
};
pub use print::print;
pub use program::{
    Assumption, Block, BlockId, FuncId, Function, GlobalId, Limit, LimitKind, Local, LocalId,
    Location, ObjectOrigin, Program, Slot, SlotId, Subject, TextId,
};
pub use property::Property;
pub use read::{ReadError, read};
pub use span::{FileId, Span};
pub use sync::{
    Patience, Role, Share, SyncClass, SyncKind, SyncObject, SyncOp, Touched, errno, layout,
};
pub use types::{DataModel, DebugType, EnumConstant, Field, Ty, TypeId};
pub use verify::{Invalid, verify};
