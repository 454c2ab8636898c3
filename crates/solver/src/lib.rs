//! All logic of the checker, and no programs: bit-precise terms, bit-blasting, CaDiCaL, the ordering theory,
//! external SMT-LIB solvers, and certificates with an independent checker.

pub mod blast;
pub mod order;
pub mod sat;
mod solver;
pub mod term;

pub use sat::{CancelToken, Limits, Lit, StopReason};
pub use solver::{Answer, Model, Solver, Unknown};
mod certify;
pub mod check;
pub mod external;
mod hash;
pub mod twin;
