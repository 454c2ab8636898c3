//! Places in source files.
//!
//! A span points into the file the user wrote, not into preprocessed text: the front end follows
//! line markers. It covers one line only; an expression over several lines is marked by its first.

use serde::{Deserialize, Serialize};

/// A source file of the program, an index into [`crate::Program::files`].
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
pub struct FileId(pub u32);

/// A stretch of one source line. Lines and columns count from 1; line 0 means "nowhere".
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The line, from 1; 0 if there is no source.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// How many bytes of the line are meant.
    pub length: u32,
}

impl Span {
    /// A span for things that have no source text.
    pub const NOWHERE: Span = Span {
        file: FileId(0),
        line: 0,
        column: 0,
        length: 0,
    };

    /// Whether there is a source line behind this span.
    pub fn is_somewhere(&self) -> bool {
        self.line != 0
    }
}
