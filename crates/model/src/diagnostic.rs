//! What is wrong with a model: a place, a sentence, and suggestions.

use raddle_ir::Span;
use std::fmt::Write;

/// One complaint about the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The place; [`Span::NOWHERE`] if it is about the whole.
    pub span: Span,
    /// What is wrong, as one sentence without a full stop.
    pub message: String,
    /// What to do about it, and other places.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// About one place.
    pub fn at(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            span,
            message: message.into(),
            notes: Vec::new(),
        }
    }

    /// About the model as a whole.
    pub fn general(message: impl Into<String>) -> Diagnostic {
        Diagnostic::at(Span::NOWHERE, message)
    }

    /// The same with a suggestion.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Plain text: `file:line:column: error: message`, the line with a caret, then suggestions.
    pub fn render(&self, file: &str, text: &str) -> String {
        let mut out = String::new();
        match self.span.is_somewhere() {
            true => {
                let (line, column) = (self.span.line, self.span.column);
                let _ = writeln!(out, "{file}:{line}:{column}: error: {}", self.message);
                let source = text.lines().nth(line as usize - 1).unwrap_or("");
                let shown: String = source
                    .chars()
                    .take(160)
                    .map(|c| if c.is_control() { ' ' } else { c })
                    .collect();
                // Columns count bytes; the caret counts characters.
                let before = source
                    .char_indices()
                    .take_while(|(at, _)| *at < column as usize - 1)
                    .count();
                let under = "^".repeat((self.span.length as usize).clamp(1, 80));
                let _ = writeln!(out, "  | {shown}");
                let _ = writeln!(out, "  | {}{under}", " ".repeat(before.min(160)));
            }
            false => {
                let _ = writeln!(out, "{file}: error: {}", self.message);
            }
        }
        for note in &self.notes {
            let _ = writeln!(out, "  = help: {note}");
        }
        out
    }
}
