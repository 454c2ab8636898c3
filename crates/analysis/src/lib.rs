//! Facts about the IR, computed once and used by every engine.
//!
//! Each fact is a statement about all executions; no run of the interpreter may contradict one.

pub mod calls;
pub mod clones;
mod fold;
pub mod loops;
pub mod objects;
pub mod points_to;
pub mod postdom;
mod solve;

pub use calls::{CallGraph, Edge};
pub use clones::Clones;
pub use loops::{LoopId, LoopNest};
pub use objects::{Object, ObjectId, Objects};
pub use points_to::PointsTo;
pub use postdom::PostDominators;
pub use solve::{Offset, Target};
