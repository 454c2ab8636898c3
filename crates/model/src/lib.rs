//! The modelling language: `.rad` text to IR, for people who model a protocol rather than verify C.
//!
//! A model has constants and parameters, shared variables, properties and processes; a statement is one indivisible step
//! (`docs/model-language.md`). `lexer.rs` and `parser/` make a tree (`ast.rs`), `constants.rs` computes what is known before anything
//! runs, `lower/` makes the IR that C programs become, too, so every engine and every report works on both. `format.rs` lays out text anew.
//!
//! *Invariant:* bad text is a [`Diagnostic`] with a place and, where there is one, a suggestion; never a panic. A process is
//! one IR function, made once for each instance that asks for its number, once for all otherwise. *Absent on purpose:* pointers,
//! functions, dynamic creation of processes.

mod ast;
mod constants;
mod diagnostic;
mod format;
mod lexer;
mod lower;
mod parser;
mod suggest;

pub use diagnostic::Diagnostic;
pub use format::format;

use raddle_ir::Program;

/// The most bytes a model may have.
const LARGEST: usize = 1 << 20;

/// Translates a model; parameters are given by name, and override what the text says.
pub fn compile(name: &str, text: &str, params: &[(String, i128)]) -> Result<Program, Diagnostic> {
    if text.len() > LARGEST {
        return Err(Diagnostic::general("the model is larger than a megabyte"));
    }
    let tokens = lexer::lex(text)?;
    let model = parser::parse(&tokens)?;
    lower::lower(name, text, &model, params)
}
