//! Step-indexed bounded model checking, plain and projected.
//!
//! After Saissi, Bokor and Suri, "PBMC: symbolic program slicing for program verification" (2015): the solver is shown only paths in which
//! every step matters to the property. The encoding is that of Yang and Sakallah's trace-driven debugging, too: program,
//! thread-control and property constraints for each step.
//!
//! - `values.rs`: which values locals have; `places.rs`: values as part of where a thread is; `transactions.rs`: how much one step is;
//! - `footprint.rs`: what an action reads and writes, and when; `start.rs`: where paths begin;
//! - `unroll.rs`, `instantiate.rs`: states and steps; `widths.rs`: how many bits matter; `constrain.rs`: which paths are left out; `symmetry.rs`: threads that are the same;
//! - `search.rs`: questions about paths of a length; `induction.rs`: the same from anywhere; `lengths.rs`: how long paths can become;
//! - `states.rs`: the same about states, for deadlocks (`stuck.rs`) and races (`conflict.rs`), which projections do not keep;
//! - `engine.rs`: the loop; `describe.rs`: a projection for a reader; `enumerate.rs`: all of them, for tests and small models.
//!
//! *Misses:* other properties than assertions, deadlocks and races; proofs that there are none of the latter; and what `raddle-ccfg` refuses.
//! `docs/decisions/0050-projection-engine.md` says why it is built this way.

mod conflict;
mod constrain;
mod describe;
mod engine;
mod enumerate;
mod exclusive;
mod footprint;
mod induction;
mod instantiate;
mod lengths;
mod places;
mod search;
mod start;
mod states;
mod statistics;
mod stuck;
mod symmetry;
mod transactions;
mod unroll;
mod values;
mod widths;

pub use constrain::Reductions;
pub use engine::{ProjectEngine, answers};
pub use enumerate::{Enumeration, enumerate};
pub use statistics::Statistics;
pub use transactions::Granularity;
