//! A debugger for multithreaded programs: a session that goes forwards and backwards over the interpreter, one instruction at a time,
//! and can ask engines about everything that could still happen.
//!
//! The idea is that of the trace-driven debugger of Yang and Sakallah: with a symbolic engine behind the session, debugging a
//! program with threads becomes as tractable as debugging one without.

pub mod ask;
