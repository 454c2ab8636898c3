//! Slower twins of the ordering theory, as oracles and for comparison.
//!
//! [`brute_force`] tries every total order. [`clocks`] gives every event a number, as bit-vectors for our own
//! SAT solver or as integers for a difference-logic solver; both are encodings that papers used before.

pub mod brute_force;
pub mod clocks;
