//! Facts about the IR, computed once and used by every engine.
//!
//! Each fact is a statement about all executions; no run of the interpreter may contradict one
//! (`tests/never_contradicted.rs`). [`Facts`] computes all of them on a program in which small functions are copied per
//! call site ([`clones`]); each can also be computed on any program on its own.

pub mod accesses;
pub mod callbacks;
pub mod calls;
pub mod clones;
pub mod escape;
pub mod evident;
pub mod facts;
pub mod families;
mod flow;
mod fold;
pub mod handles;
mod join_loops;
mod joins;
mod liveness;
pub mod lock_order;
pub mod locks;
pub mod loops;
pub mod modref;
pub mod objects;
pub mod once;
pub mod parallel;
pub mod points_to;
pub mod postdom;
pub mod robustness;
mod solve;
pub mod undisturbed;
pub mod values;

pub use accesses::{Access, Accesses, Bytes};
pub use calls::{CallGraph, Edge};
pub use clones::Clones;
pub use escape::Escape;
pub use facts::Facts;
pub use families::{Families, Family, FamilyId};
pub use liveness::Liveness;
pub use lock_order::lock_order;
pub use locks::{Holding, Lock, Locks};
pub use loops::{LoopId, LoopNest};
pub use modref::{ModRef, Region, Summary};
pub use objects::{Object, ObjectId, Objects};
pub use parallel::Parallel;
pub use points_to::PointsTo;
pub use postdom::PostDominators;
pub use solve::{Offset, Target};
pub use undisturbed::Undisturbed;
pub use values::{Value, Values};
