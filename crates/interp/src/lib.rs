//! The concrete semantics of the IR: what one step of one thread does.
//!
//! [`Machine`] holds a program in the middle of a run and lets a [`schedulers::Scheduler`] decide which thread
//! goes next; everything else that is not determined comes through [`Choices`]. Violations are found on the
//! way: failed assertions, data races ([`race`]), deadlocks, invalid memory, overflow and more, each
//! switchable ([`Checks`]).
//!
//! Deliberately absent: any search. Exploring schedules systematically is the engines' work; here is only
//! the step function, its undo ([`Machine::snapshot`]), and simple policies ([`schedulers`]).
//!
//! Files:
//!
//! - `machine.rs`: the state of a run and the step function; `pending.rs`: what a thread is about to do, and whether
//!   others could notice it; `execute.rs`: one function per kind of instruction; `fast.rs`: a fast path that declines
//!   whatever is unusual.
//! - `value.rs`, `arith.rs`, `operand.rs`, `format.rs`: values, arithmetic, operands with their checks, `printf`
//!   conversions.
//! - `memory.rs`, `access.rs`, `allocate.rs`, `statics.rs`, `ends.rs`: objects of bytes, accesses, allocation,
//!   globals, ends of objects, threads and the process.
//! - `sync.rs`: guard and effect of every synchronisation operation, as `raddle_ir::sync` describes it; `locks.rs`: what
//!   detectors have to know of locks and semaphores; `handles.rs`: threads; `jump.rs`: `setjmp` and `longjmp`.
//! - `thread.rs`, `threads.rs`, `bits.rs`, `enabled.rs`, `thread_counts.rs`: threads, also thousands of them: who can go on,
//!   how many there are of each kind.
//! - `race.rs`, `orders.rs`, `deadlock.rs`, `leak.rs`, `violation.rs`: detectors that need a state of their own; the
//!   others are where the instruction is executed.
//! - `choice.rs`: the one door for everything nondeterministic; `schedule.rs`: a run as a file; `schedulers/`: one
//!   policy per file; `follow.rs`: repeats a beginning by single instructions; `config.rs`: what is checked.
//! - `footprint.rs`: what a step touches; `digest.rs`, `shape.rs`: states as digests, and up to the names of objects;
//!   `count.rs`, `observe.rs`, `inspect.rs`, `describe.rs`: for those who steer or watch a run; `constants.rs`:
//!   values worth trying as inputs; `foreign.rs`: what functions without a body might write.
//! - `explore.rs`: enumeration of all interleavings, the oracle for everything cleverer.

mod access;
mod allocate;
pub mod arith;
mod bits;
pub mod choice;
pub mod config;
pub mod constants;
mod count;
pub mod deadlock;
mod describe;
mod digest;
mod enabled;
mod ends;
mod execute;
pub mod explore;
mod fast;
pub mod follow;
pub mod footprint;
pub mod foreign;
mod format;
mod handles;
mod inspect;
mod jump;
mod leak;
mod locks;
pub mod machine;
pub mod memory;
pub mod observe;
mod operand;
mod orders;
mod pending;
pub mod race;
pub mod schedule;
pub mod schedulers;
mod shape;
mod statics;
mod sync;
pub mod thread;
mod thread_counts;
mod threads;
pub mod value;
pub mod violation;

pub use choice::{Choice, ChoiceKind, Choices};
pub use config::{Checks, Config};
pub use enabled::Enabled;
pub use machine::{End, Logged, Machine, Outcome, Snapshot, ThreadId};
pub use observe::Observed;
pub use pending::{Pending, PendingKind};
pub use violation::{Related, Violation};
