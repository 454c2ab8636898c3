//! The staged engine: summarise each thread, compose under sequential consistency, decide.
//!
//! The idea is that of staged analysis (FSE 2010, `docs/architecture.md`): each thread is unwound on its own into a skeleton of
//! events, the threads are composed by choosing for every read the write it sees, and a SAT solver with an ordering theory
//! decides whether a violation can be reached. Bounds grow where a cut could be reached; when nothing that was cut or not
//! treated can be reached any more, and no violation either, the answer is `true`.
//!
//! What it misses: deadlocks, leaks, misuse of synchronisation objects and uninitialised values are not looked for yet; then the answer is `unknown`.

mod deepen;

pub use deepen::StagedEngine;
pub use raddle_skeleton::mode::Mode;
