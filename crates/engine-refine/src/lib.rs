//! Trace abstraction refinement with partial-order reduction: proofs for loops of any length, and deep bugs on the way.
//!
//! After Cassez and Ziegler, "Verification of concurrent programs using trace abstraction refinement" (2015): the product of all threads is searched for an error; a run that is found is either feasible, a
//! bug, or it is refuted by predicates, which make the search know more. The automaton of predicates is generalised on demand
//! and never complemented.
//!
//! - `raddle-actions`: threads as actions, guard and updates over state variables, and a feasible run as a schedule;
//! - `modular/`: invariants thread by thread, inferred where there are many states;
//! - `abstraction.rs`: what is known of the data, and Hoare triples;
//! - `independence/`, `persistent_sets.rs` (persistent sets by thread, with `own_values.rs`), `symmetry.rs`, `explore.rs`: the reduced product;
//! - `any_number.rs`: proofs for any number of threads; `logic.rs`: questions to the solver, each asked once;
//! - `leap.rs`: loops that count, as differences instead of values; `rounds.rs`: what a round of a loop does; `affine.rs`: equations
//!   between counters; `dead_variables.rs`: what is known of a counter that is gone;
//! - `trace.rs`: feasibility, and predicates from what contradicts itself; `templates.rs`: guesses besides;
//! - `proof.rs`, `term_text.rs`: a proof as data and as a file; `readable.rs`: for people; `check/`: the checker, which shares only the
//!   system with the search; `recheck.rs`: proof files against a program;
//! - `parts.rs`: assertions, races, memory safety and deadlocks, one after the other; `cone.rs`: what does not matter for them; `claims.rs`: what a
//!   run claims;
//! - `invariants.rs`: what holds at places of the program, for witnesses;
//! - `engine.rs`: the loop.
//!
//! *Misses:* overflow and other properties that are not in `parts.rs`; leaks, where something is allocated; deadlocks for any number of threads, but where locks are taken in one order; what `raddle-ccfg` refuses. `true` for a bounded number of threads is never said.

mod abstraction;
mod affine;
mod any_number;
mod check;
mod claims;
mod cone;
mod dead_variables;
mod engine;
mod explore;
mod independence;
mod invariants;
mod leap;
mod logic;
mod modular;
mod own_values;
mod parts;
mod persistent_sets;
mod proof;
mod readable;
mod recheck;
mod rounds;
mod symmetry;
mod templates;
mod term_text;
mod trace;

pub use engine::RefineEngine;
pub use invariants::invariants;
pub use parts::answers;
use raddle_actions::system;
pub use recheck::{Checked, check_proof};
