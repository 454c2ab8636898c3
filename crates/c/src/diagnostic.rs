//! Everything the front end has to say about the input is a value: a place, a sentence, and notes.
//!
//! Misses: fix-it suggestions, and severities (everything reported here stops the translation).

use crate::source::{SourceMap, Span};
use std::fmt::Write;

/// One complaint about the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The place it is about; `None` for a whole file.
    pub span: Option<Span>,
    /// What is wrong, as one sentence without a full stop.
    pub message: String,
    /// Other places that matter, with a phrase each.
    pub labels: Vec<(Span, String)>,
    /// Further sentences.
    pub notes: Vec<String>,
    /// Nothing is wrong with it: it is only not supported.
    pub unsupported: bool,
    /// The function to start at that there is not.
    pub missing_entry: Option<String>,
}

impl Diagnostic {
    /// A complaint about one place.
    pub fn at(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            span: Some(span),
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            unsupported: false,
            missing_entry: None,
        }
    }

    /// A complaint about the input as a whole.
    pub fn general(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            span: None,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            unsupported: false,
            missing_entry: None,
        }
    }

    /// The same complaint with another place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }

    /// The same complaint with another sentence.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Plain text: `file:line:column: error: message`, the line and a caret, then labels and notes.
    pub fn render(&self, sources: &SourceMap) -> String {
        let mut out = String::new();
        let place = |span: Span| {
            sources
                .locate(span)
                .map(|l| format!("{}:{}:{}: ", sources.file_name(l.file), l.line, l.column))
        };
        let prefix = self.span.and_then(place).unwrap_or_default();
        let _ = writeln!(out, "{prefix}error: {}", self.message);
        if let Some(span) = self.span {
            excerpt(&mut out, sources, span);
        }
        for (span, text) in &self.labels {
            let _ = writeln!(out, "{}note: {text}", place(*span).unwrap_or_default());
            excerpt(&mut out, sources, *span);
        }
        for note in &self.notes {
            let _ = writeln!(out, "note: {note}");
        }
        out
    }
}

fn excerpt(out: &mut String, sources: &SourceMap, span: Span) {
    let line = sources.line_text(span);
    let Some(location) = sources.locate(span) else {
        return;
    };
    // A line of a machine-written file can be megabytes long: show a window around the caret.
    let column = location.column as usize - 1;
    let from = char_boundary(&line, column.saturating_sub(60));
    let to = char_boundary(&line, from + 120);
    let window: String = line[from..to]
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let before = line[from..char_boundary(&line, column).max(from)]
        .chars()
        .count();
    let width = (span.hi.saturating_sub(span.lo) as usize)
        .min(to.saturating_sub(column.min(to)))
        .max(1);
    let _ = writeln!(out, "  | {window}");
    let _ = writeln!(out, "  | {}{}", " ".repeat(before), "^".repeat(width));
}

/// The last character boundary not after an offset.
pub fn char_boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The result of a step that stops at its first complaint.
pub type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Stops at something that is valid, but not supported.
pub fn refuse<T>(span: Span, message: impl Into<String>) -> Result<T> {
    let mut diagnostic = Diagnostic::at(span, message);
    diagnostic.unsupported = true;
    Err(Box::new(diagnostic))
}

/// Shorthand for a failing step.
pub fn fail<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(Box::new(Diagnostic::at(span, message)))
}
