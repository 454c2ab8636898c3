//! Threads as actions: a concurrent control-flow graph turned into a transition system over terms.
//!
//! Engines that think in states share it, the refinement engine and the projection engine: `system.rs` has the state variables and
//! the actions (guard and updates), `scene.rs` executes an edge over terms, `candidate.rs` turns a feasible run into a claim for
//! the judge, `crowd.rs` lets two threads stand for any number, `slice.rs` leaves out what decides nothing, `split.rs` tells apart the values of choices among a few, `stops.rs` and `untreated.rs` say where threads stop and where something is not treated,
//! `waiting.rs` in which states there is a deadlock. *Absent on purpose:* any search.

pub mod candidate;
pub mod crowd;
mod scene;
mod slice;
mod split;
mod stops;
pub mod system;
mod untreated;
pub mod waiting;

pub use candidate::{candidate, candidate_with_ends};
pub use slice::leave_out_what_decides_nothing;
pub use split::split_small_choices;
pub use stops::{assumptions, only_where_needed};
