//! The concrete semantics of the IR: what one step of one thread does.
//!
//! [`Machine`] holds a program in the middle of a run and lets a [`schedulers::Scheduler`] decide which thread
//! goes next; everything else that is not determined comes through [`Choices`]. Violations are found on the
//! way: failed assertions, data races ([`race`]), deadlocks, invalid memory, overflow and more, each
//! switchable ([`Checks`]).
//!
//! Deliberately absent: any search. Exploring schedules systematically is the engines' work; here is only
//! the step function, its undo ([`Machine::snapshot`]), and simple policies ([`schedulers`]).

mod able;
mod access;
mod allocate;
pub mod arith;
mod bits;
mod census;
pub mod choice;
pub mod config;
pub mod constants;
mod count;
pub mod deadlock;
mod describe;
mod digest;
mod ends;
mod execute;
pub mod explore;
mod fast;
pub mod follow;
pub mod footprint;
pub mod foreign;
mod format;
mod inspect;
mod jump;
mod leak;
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
mod threads;
pub mod value;
pub mod violation;

pub use able::Enabled;
pub use choice::{Choice, ChoiceKind, Choices};
pub use config::{Checks, Config};
pub use machine::{End, Logged, Machine, Outcome, Snapshot, ThreadId};
pub use observe::Observed;
pub use pending::{Pending, PendingKind};
pub use violation::{Related, Violation};
