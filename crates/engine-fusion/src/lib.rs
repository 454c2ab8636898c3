//! The execution engine: systematic exploration of interleavings, one execution per class.
//!
//! The interpreter runs the program; [`search`] decides in one depth-first search which executions are run. By default that
//! is exactly one of each Mazurkiewicz class (executions that differ only in the order of steps that do not
//! conflict), by dynamic partial-order reduction with source sets and wakeup trees. Every property is checked on the way:
//! what the interpreter reports, and data races by their definition, as pairs of steps that can both come next.
//!
//! `true` means that the exploration was exhausted; `docs/decisions/0030-execution-engine.md` says what that rests on.
//!
//! What it misses: inputs are tried from a list, so a program that asks for any is not proved; executions without end are cut;
//! addresses are those the interpreter gives.

mod candidate;
mod choose;
mod crowd;
pub mod driven;
mod engine;
mod executed;
mod guard;
mod guided;
pub mod method;
mod outcome;
mod probe;
mod prune;
mod races;
pub mod reads_from;
mod report;
pub mod root;
mod script;
pub mod search;
mod spin;
mod states;
mod strategy;
pub mod trace;
mod tree;
pub mod walk;

pub use engine::{Effort, FusionEngine};
pub use method::Method;
pub use strategy::Strategy;
