//! The questions that engines ask of a skeleton in a solver, and what becomes of the answers.
//!
//! Is there a violation (then the judge replays it)? Can anything be reached that was left out of the skeleton (then it has to
//! grow)? If neither: is there a certificate for that? The staged engine asks this of the unwinding of a whole
//! program, the execution engine of the paths that executions took.
//!
//! Files: `round.rs` a skeleton in a solver with its questions and certificates; `prefix.rs` the beginning of a run as conditions.
//! *Absent on purpose:* what to do next.

mod prefix;
mod round;

pub use prefix::Prefixes;
pub use round::{Answered, Failed, Reached, Round};
