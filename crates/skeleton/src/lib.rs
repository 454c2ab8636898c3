//! Interference skeletons.
//!
//! A thread is unwound into *events* `(cell, value, guard)` in program order ([`unwind`]); composing the threads means to
//! choose for every read the write it sees ([`compose`]). The construction is that of staged analysis (FSE 2010): summarise
//! each thread, then compose under sequential consistency. See `docs/architecture.md`.
//!
//! - [`names`], [`facts`]: what stays the same from pass to pass, and what passes learn.
//! - [`guard`], `contents`, `state`: path conditions, private memory, merging.
//! - `step`, `access`, `life`, `shared`, `sync`: instructions.
//! - [`event`]: the skeleton as data.

mod access;
pub mod compose;
mod contents;
mod deadlock;
pub mod event;
pub mod extract;
pub mod facts;
pub mod guard;
mod life;
pub mod names;
pub mod races;
mod shared;
mod state;
mod step;
mod sync;
pub mod unwind;
mod values;
