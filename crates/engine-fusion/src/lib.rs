//! The execution engine: systematic exploration of interleavings, one execution per class.
//!
//! The interpreter runs the program; [`search`] decides in one depth-first search which executions are run. By default that
//! is exactly one of each Mazurkiewicz class (executions that differ only in the order of steps that do not
//! conflict), by dynamic partial-order reduction with source sets and wakeup trees. Every property is checked on the way:
//! what the interpreter reports, and data races by their definition, as pairs of steps that can both come next.
//!
//! `true` means that the exploration was exhausted; `docs/decisions/0030-execution-engine.md` says what that rests on.
//!
//! What it misses: executions take inputs from a list, so exploration alone proves no program that asks for any (the trace-driven flow,
//! `driven.rs`, has them symbolic); executions without end are cut; addresses are those the interpreter gives. Programs with atomic
//! regions are explored by sleep sets alone, so executions are given up half-way there.
//!
//! Files:
//!
//! - `engine.rs`: which searches answer a request, and what their results mean; `method.rs`, `strategy.rs`: ways to
//!   work, what is explored; `outcome.rs`, `report.rs`, `candidate.rs`: results and claims.
//! - `search.rs`: the depth-first search; `trace.rs`: events and happens-before; `races.rs`, `probe.rs`, `guard.rs`:
//!   which steps can change places, and where that order is explored; `tree.rs`: what is still to do; `choose.rs`,
//!   `script.rs`: which thread goes next, answers to choices; `spin.rs`: loops that only wait; `root.rs`: where
//!   executions begin.
//! - `walk.rs`, `crowd.rs`: single executions first, also with very many threads.
//! - `states/`: states remembered by digest (`live.rs`, `persistent.rs`); `reads_from/`: one execution per
//!   reads-from class.
//! - `driven.rs`, `guided.rs`, `executed.rs`: a solver says which branch can be reached next; `prune.rs`: a solver
//!   checks all orders of an execution's steps.

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
