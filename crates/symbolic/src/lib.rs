//! The symbolic semantics of the IR: what an instruction computes, over terms.
//!
//! The counterpart of the interpreter's arithmetic: every test that can be run on both is. Values are bit-vector
//! terms (`i1` is a Boolean) with the set of objects they may point into; an address is a number, as in the
//! interpreter, because objects have concrete bases. Where a computation has undefined cases, each comes back as a
//! [`Check`]: the condition under which it happens, and whether the thread can go on.
//!
//! What it cannot treat is an error with a reason ([`Unsupported`]), so that an engine answers `unknown` and says why:
//! floating-point arithmetic (copying floating-point values is fine).
//!
//! Files: `value.rs` symbolic values; `compute.rs` pure computations with their undefined cases; `effect.rs` what an
//! instruction does to locals, cells and synchronisation objects (`Scene` is what an engine provides; locks as
//! `raddle_ir::sync` describes them); `wrong.rs` when an instruction violates a property; `congruence.rs` what is known of an index
//! modulo a power of two.

mod compute;
mod congruence;
mod effect;
mod value;
mod wrong;

pub use compute::{Check, Computed, Operands, Unsupported, fit, fresh, rmw, rvalue};
pub use congruence::{Congruence, Congruences};
pub use effect::{Candidate, CellKey, ChosenKind, Range, Scene, execute, invalid};
pub use value::{ObjectId, Targets, Value, sort_of};
pub use wrong::wrong;
