//! Facts about the IR, computed once and used by every engine.
//!
//! Each fact is a statement about all executions; no run of the interpreter may contradict one
//! (`tests/never_contradicted/`). [`Facts`] computes all of them on a program in which small functions are copied per
//! call site ([`clones`]); each can also be computed on any program on its own.
//!
//! Files:
//!
//! - `facts.rs`: all facts together; `clones.rs`: the copies of small functions; `flow.rs`: the one data-flow solver;
//!   `solve.rs`: the one inclusion solver.
//! - `loops.rs`, `postdom.rs`, `liveness.rs`, `calls.rs`, `modref.rs`, `fold.rs`: control flow, calls, live locals,
//!   constants.
//! - `objects.rs`, `points_to.rs`, `once.rs`, `escape.rs`, `accesses.rs`: abstract objects, what pointers point to,
//!   which objects stand for one, which are shared, which bytes are accessed.
//! - `families.rs`, `joins.rs`, `join_loops.rs`, `handles.rs`, `parallel.rs`: threads by their creation, when they
//!   are over, handles used as numbers, what may happen in parallel.
//! - `locks.rs` with `locks/reliable.rs`: locks that are certainly held, and those that can be relied upon;
//!   `lock_order.rs`: no deadlock, because locks are taken in one order.
//! - `values.rs`: intervals and pointers for any number of threads; `evident.rs` and `evident/`: where a property
//!   holds for reasons that can be read off; `robustness.rs`: which weak memory orders can show; `undisturbed.rs`:
//!   where no other thread can disturb a step; `callbacks.rs`: functions that are given away in memory.

pub mod accesses;
pub mod arguments;
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
