//! Threads as actions: a concurrent control-flow graph turned into a transition system over terms.
//!
//! Engines that think in states share it, the refinement engine and the projection engine: `system.rs` has the state variables and
//! the actions (guard and updates), `scene.rs` executes an edge over terms, `candidate.rs` turns a feasible run into a claim for
//! the judge. *Absent on purpose:* any search, any question to a solver.

pub mod candidate;
mod scene;
pub mod system;

pub use candidate::candidate;
