//! A debugger for multithreaded programs: a session that goes forwards and backwards over the interpreter, one instruction at a time,
//! and can ask engines about everything that could still happen.
//!
//! The idea is that of the trace-driven debugger of Yang and Sakallah: with a symbolic engine behind the session, debugging a
//! program with threads becomes as tractable as debugging one without.
//!
//! [`Session`] is the core: `history.rs` has what led here, `walk.rs` how to go on and back, `breakpoints.rs` where to stop, `expression.rs`,
//! `evaluate.rs` and `show.rs` what there is to see.
//!
//! `convert.rs` makes schedules of histories and back, `background.rs` checks the other interleavings meanwhile,
//! `describe.rs`, `position.rs`, `lines.rs` find words and places. `ask/` answers questions about everything that can
//! still happen (`docs/decisions/0070-questions-of-the-debugger.md`): `changed.rs` and `edit.rs` make a program in
//! which an assertion fails where the answer is yes, `course.rs` leads a run by single instructions, `judge.rs` and
//! `goal.rs` let a claim count only if the program itself shows it, `values.rs`, `nearest.rs`, `why.rs` are questions
//! made of others. Front ends: `console/` (a line in, a text out), `tui/` (panes), `dap/` (editors).
//!
//! *Invariant:* what a question finds has been replayed and can be stepped; nothing before the present state is
//! changed. *Absent on purpose:* engines (they are passed in), compiling, any semantics.

pub mod ask;
pub mod background;
pub mod breakpoints;
pub mod console;
pub mod convert;
pub mod dap;
pub mod describe;
pub mod evaluate;
pub mod expression;
pub mod history;
pub mod lines;
pub mod position;
pub mod session;
pub mod show;
pub mod tui;
pub mod walk;

pub use session::Session;

/// Who answers questions.
pub type Engines = Vec<std::sync::Arc<dyn raddle_verdict::Engine>>;
