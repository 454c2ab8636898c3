//! All logic of the checker, and no programs: bit-precise terms, bit-blasting, CaDiCaL, the ordering theory,
//! external SMT-LIB solvers, and certificates with an independent checker.

pub mod blast;
pub mod sat;
pub mod term;
