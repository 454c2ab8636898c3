//! Evidence for readers: what a violation's schedule did, as columns of text or as a log for other tools. Pure functions.
//!
//! Deliberately absent: files, terminals, colours, and anything that runs a program.
//!
//! Files: `cause.rs` a sentence of cause; `columns.rs` a schedule as columns; `assumptions.rs`, `ledger.rs`
//! assumptions and resumed answers in words; `explain.rs` what each kind of violation is; `html/` the page, with a
//! mark at every question (`questions.rs`); `sarif.rs`; `exports.rs` traces for Perfetto and ShiViz.

mod assumptions;
mod cause;
mod columns;
pub mod explain;
pub mod exports;
pub mod html;
mod ledger;
pub mod sarif;

pub use assumptions::assumption;
pub use cause::cause;
pub use columns::columns;
pub use ledger::taken_up;

use raddle_ir::{Location, Program, Span};

/// The name of the file of a span.
fn file(program: &Program, span: Span) -> &str {
    let file = program.files.get(span.file.0 as usize);
    file.map_or("?", |f| f.as_str())
}

/// What stands at a place, in the words of the source.
fn words(program: &Program, at: Location) -> &str {
    let instr = program.instr(at);
    instr.map_or("", |i| program.text(i.text))
}
