//! The staged engine: summarise each thread, compose under sequential consistency, decide.
//!
//! The idea is that of staged analysis (FSE 2010, `docs/architecture.md`): each thread is unwound on its own into a skeleton of
//! events, the threads are composed by choosing for every read the write it sees, and a SAT solver with an ordering theory
//! decides whether a violation can be reached. Bounds grow where a cut could be reached; when nothing that was cut or not
//! treated can be reached any more, and no violation either, the answer is `true`.
//!
//! The loop is `deepen.rs`. Properties are asked in up to three searches side by side: deadlocks; misuse, uninitialised values, division
//! and shifts; everything else.
//!
//! What it misses: loops that no bound ends; races in the presence of weak memory orders; executions that begin in the middle. What the
//! unwinding does not support is listed in `docs/limitations.md`.

mod deepen;

pub use deepen::StagedEngine;
pub use raddle_skeleton::mode::Mode;
