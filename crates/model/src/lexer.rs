//! Text to tokens. Comments are tokens of the formatter only: the parser is given none.

use crate::diagnostic::Diagnostic;
use raddle_ir::{FileId, Span};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// An operator or bracket.
    Mark,
    /// A comment, to the end of the line or between marks.
    Comment,
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// What it is.
    pub kind: Kind,
    /// As written.
    pub text: &'t str,
    /// Where.
    pub span: Span,
    /// Where it begins in the text.
    pub offset: usize,
    /// How many line ends stand before it, since the last token.
    pub lines: u32,
}

/// The longest first.
const MARKS: &[&str] = &[
    "..", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+=", "-=", "++", "--", ":=", "(", ")",
    "{", "}", "[", "]", "<", ">", "=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", ";", ":",
    ",",
];

/// All tokens but comments, and an end.
pub fn lex(text: &str) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut all = lex_all(text)?;
    all.retain(|t| t.kind != Kind::Comment);
    Ok(all)
}

/// All tokens, and an end.
pub fn lex_all(text: &str) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut tokens = Vec::new();
    let (mut at, mut line, mut start, mut lines) = (0usize, 1u32, 0usize, 0u32);
    loop {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else {
            break;
        };
        if first == '\n' {
            (at, line, lines) = (at + 1, line + 1, lines + 1);
            start = at;
            continue;
        }
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let span = |length: usize| Span {
            file: FileId(0),
            line,
            column: (at - start) as u32 + 1,
            length: length as u32,
        };
        let (kind, length) = if rest.starts_with("//") {
            (Kind::Comment, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            let Some(end) = rest.find("*/") else {
                return Err(Diagnostic::at(span(2), "this comment has no end").help("write `*/`"));
            };
            (Kind::Comment, end + 2)
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            (Kind::Number, end.unwrap_or(rest.len()))
        } else if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            (Kind::Word, end.unwrap_or(rest.len()))
        } else if let Some(mark) = MARKS.iter().find(|m| rest.starts_with(**m)) {
            (Kind::Mark, mark.len())
        } else {
            let message = format!("`{}` means nothing here", first.escape_default());
            return Err(Diagnostic::at(span(first.len_utf8()), message));
        };
        let token = &rest[..length];
        tokens.push(Token {
            kind,
            text: token,
            span: span(token.lines().next().map_or(length, str::len)),
            offset: at,
            lines,
        });
        lines = 0;
        if let Some(last) = token.rfind('\n') {
            line += token.matches('\n').count() as u32;
            start = at + last + 1;
        }
        at += length;
    }
    tokens.push(Token {
        kind: Kind::End,
        text: "",
        span: Span {
            file: FileId(0),
            line,
            column: (at - start) as u32 + 1,
            length: 1,
        },
        offset: at,
        lines,
    });
    Ok(tokens)
}
