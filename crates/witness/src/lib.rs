//! Replays what engines claim, in the concrete interpreter.
//!
//! [`Replayer`] is the one [`raddle_verdict::Judge`]: it steers the interpreter along a candidate (`steer.rs`), sees whether the
//! violation really shows (`same.rs`), and then looks for a schedule with fewer context switches that shows it, too
//! ([`shorten()`]). What it returns is an ordinary schedule file of the interpreter, so that `raddle replay` needs no engine.
//!
//! What it misses: it does not search. A candidate whose order of steps is wrong is refused, even if another order would do.
//!
//! Files: `replayer.rs` is the judge; `steer.rs`, `answers.rs`, `tail.rs` lead the interpreter along a candidate and
//! behind its last step; `same.rs` compares; `shorten.rs` shortens. `run.rs` keeps what a replay has shown,
//! `story.rs` tells it as lines and values, `arrows.rs` says what followed from what, `lvalue.rs` names objects,
//! `passing.rs` finds the nearest schedule that does not fail, `follow.rs` and `again.rs` replay schedules of earlier
//! versions of a program, `external.rs` finds what a violation needs of functions without a body. `svcomp/` writes
//! competition witnesses: `yaml.rs`, `graphml.rs`, `correctness.rs` with `statements.rs` and `expression.rs`.

pub mod again;
mod answers;
pub mod arrows;
pub mod external;
mod follow;
mod lvalue;
mod passing;
mod replayer;
mod run;
mod same;
mod shorten;
mod steer;
pub mod story;
pub mod svcomp;
mod tail;

/// A violation as a replay shows it.
pub use lvalue::lvalue;
pub use passing::nearest_passing;
pub use raddle_interp::Violation;
pub use replayer::{Replayer, replay};
pub use run::{ReplayedRun, Stack};
pub use shorten::{Effort, shorten, switches};
