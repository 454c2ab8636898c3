//! The ordering theory: which total orders of events are consistent with who reads from whom.
//!
//! [`problem`] is the data and its meaning, [`theory`] and [`saturate`] keep an order closed under the rules,
//! [`linearise`] completes it, [`propagator`] connects it to the SAT solver. [`clocks`], [`closure`] and
//! [`topological`] are three ways to know who reaches whom; the first is used, the others are measured
//! against it.

pub mod clocks;
pub mod closure;
mod linearise;
mod problem;
mod propagator;
pub mod reach;
mod saturate;
mod tables;
mod theory;
pub mod topological;
mod why;

pub use linearise::Completion;
pub use problem::{
    BlockId, ConditionalEdge, Event, EventId, EventKind, Group, LocationId, NodeId, OrderLiteral,
    OrderProblem, ReadsFrom, ReadsFromId,
};
pub use propagator::{Lemma, OrderPropagator};
pub use theory::{OrderStatistics, OrderTheory};
pub use why::{Premises, Why, Whys};
