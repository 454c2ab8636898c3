//! All logic of the checker, and no programs.
//!
//! - [`term`]: hash-consed, typed terms with simplifying constructors, an evaluator and printers.
//! - [`blast`]: terms to gates to clauses; arrays by lemmas.
//! - [`sat`]: CaDiCaL with assumptions, limits, cancellation and recorded proofs.
//! - [`order`]: the ordering theory, an external propagator of the SAT solver.
//! - [`ranges`]: how large the values of reads can be, because nobody reads what came from itself.
//! - [`Solver`]: all of these behind one door; start reading there.
//! - [`check`]: certificates of unsatisfiability, verified by code that shares only types with the rest.
//! - [`external`]: SMT-LIB solvers over a pipe, optional.
//! - [`twin`]: slower solvers for ordering problems, as oracles and for comparison.
//!
//! Deliberately absent: threads, instructions, memory, anything that knows what an event stands for; and any
//! need for an installed solver on the default path.

pub mod blast;
mod certify;
pub mod check;
pub mod external;
mod hash;
pub mod order;
pub mod ranges;
pub mod sat;
mod solver;
pub mod term;
pub mod twin;

pub use sat::{CancelToken, Limits, Lit, StopReason};
pub use solver::{Answer, Model, Solver, Unknown};
