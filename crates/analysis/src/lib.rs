//! Facts about the IR, computed once and used by every engine.
//!
//! Each fact is a statement about all executions; no run of the interpreter may contradict one.

mod liveness;
pub mod loops;

pub use liveness::Liveness;
pub use loops::{LoopId, LoopNest};
