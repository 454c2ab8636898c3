//! Interference skeletons.
//!
//! A thread is unwound into *events* `(cell, value, guard)` in program order ([`unwind`]); composing the threads means to
//! choose for every read the write it sees ([`compose`]). The construction is that of staged analysis (FSE 2010): summarise
//! each thread, then compose under sequential consistency. See `docs/architecture.md`.
//!
//! - [`names`], [`facts`]: what stays the same from pass to pass, and what passes learn.
//! - [`guard`], `contents`, `state`: path conditions, private memory, merging.
//! - `graph`, `calls`: control flow; `step`, `access`, `allocate`, `life`, `shared`, `protected`, `sync`, `locks`, `threads`: instructions.
//! - [`event`]: the skeleton as data. [`mode`]: how much is done before solving.
//! - [`ways`]: which branches are followed, if not all. [`follow`]: a run of the interpreter, found again in a skeleton.
//!
//! Files, besides: `unwind.rs` is a pass over the program, `state.rs` what a thread knows of itself and how two such
//! states merge, `life.rs` the ends of objects, `join.rs`, `deadlock.rs`, `leak.rs`, `unwritten.rs`, `reuse.rs` what
//! single properties ask, `addresses.rs`, `values.rs` what is known of addresses, `sums/` cells to which everybody
//! adds, `races.rs` pairs of accesses that could stand next to each other, `rounds.rs` executions of few rounds,
//! `phantom.rs` stand-ins for branches that were not taken, `extract.rs` a run from a model.
//!
//! *Invariant:* what is cut or unsupported is a reachability target ([`event`]), so nothing is lost silently. *Absent
//! on purpose:* deciding anything.

mod access;
mod addresses;
mod allocate;
mod calls;
pub mod compose;
mod contents;
mod deadlock;
pub mod event;
pub mod extract;
pub mod facts;
pub mod follow;
mod graph;
pub mod guard;
mod join;
mod layout;
mod leak;
mod life;
mod locks;
pub mod mode;
pub mod names;
pub mod phantom;
mod protected;
pub mod races;
pub mod reuse;
pub mod rounds;
mod shared;
mod state;
mod step;
mod sums;
mod sync;
mod threads;
pub mod unwind;
mod unwritten;
mod values;
pub mod ways;
