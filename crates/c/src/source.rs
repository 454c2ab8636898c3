//! Where text came from: every unit of text lives at its own range of one 32-bit offset space, so that a
//! span is two numbers, and is mapped back to file, line and column through the line markers the
//! preprocessor leaves behind.
//!
//! Misses: columns are those of the preprocessed line; after a macro expansion they can differ from the
//! column in the original file.

use std::collections::HashMap;

/// A range of bytes in the offset space of a [`SourceMap`].
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash, Default)]
pub struct Span {
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }
}

/// A file named by a line marker or given on the command line.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub struct FileId(pub u32);

/// A place in an original file, lines and columns counted from one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
    /// The column, in bytes.
    pub column: u32,
}

/// One physical line of a unit and where a reader would look for it.
#[derive(Copy, Clone, Debug)]
struct Line {
    offset: u32,
    file: FileId,
    number: u32,
}

struct Unit {
    base: u32,
    text: Vec<u8>,
    lines: Vec<Line>,
}

/// All text seen in one run of the front end.
#[derive(Default)]
pub struct SourceMap {
    units: Vec<Unit>,
    files: Vec<String>,
    file_ids: HashMap<String, FileId>,
    next: u32,
}

/// The largest text accepted as one unit.
pub const MAX_UNIT_BYTES: usize = 256 << 20;

impl SourceMap {
    /// Adds a text and returns the offset it begins at, or `None` if it is too large.
    pub fn add(&mut self, name: &str, text: Vec<u8>) -> Option<u32> {
        if text.len() > MAX_UNIT_BYTES || self.next as usize + text.len() + 1 > u32::MAX as usize {
            return None;
        }
        let base = self.next;
        self.next += text.len() as u32 + 1;
        let file = self.file(name);
        let lines = self.line_table(base, file, &text);
        self.units.push(Unit { base, text, lines });
        Some(base)
    }

    fn file(&mut self, name: &str) -> FileId {
        if let Some(&id) = self.file_ids.get(name) {
            return id;
        }
        let id = FileId(self.files.len() as u32);
        self.files.push(name.to_owned());
        self.file_ids.insert(name.to_owned(), id);
        id
    }

    fn line_table(&mut self, base: u32, file: FileId, text: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        let (mut file, mut number) = (file, 1u32);
        let mut start = 0;
        while start <= text.len() {
            let end = text[start..]
                .iter()
                .position(|&b| b == b'\n')
                .map_or(text.len(), |n| start + n);
            lines.push(Line {
                offset: base + start as u32,
                file,
                number,
            });
            match parse_marker(&text[start..end]) {
                Some((line, name)) => {
                    number = line;
                    if let Some(name) = name {
                        file = self.file(&name);
                    }
                }
                None => number = number.saturating_add(1),
            }
            start = end + 1;
        }
        lines
    }

    fn unit(&self, offset: u32) -> Option<&Unit> {
        let index = self.units.partition_point(|u| u.base <= offset);
        self.units.get(index.checked_sub(1)?)
    }

    /// The place a span begins at.
    pub fn locate(&self, span: Span) -> Option<Location> {
        let unit = self.unit(span.lo)?;
        let index = unit.lines.partition_point(|l| l.offset <= span.lo);
        let line = unit.lines.get(index.checked_sub(1)?)?;
        Some(Location {
            file: line.file,
            line: line.number,
            column: span.lo - line.offset + 1,
        })
    }

    /// The text under a span.
    pub fn text(&self, span: Span) -> &[u8] {
        let Some(unit) = self.unit(span.lo) else {
            return &[];
        };
        let lo = (span.lo - unit.base) as usize;
        let hi = (span.hi.max(span.lo) - unit.base) as usize;
        unit.text.get(lo..hi.min(unit.text.len())).unwrap_or(&[])
    }

    /// The whole physical line a span begins on, for an excerpt under a diagnostic.
    pub fn line_text(&self, span: Span) -> String {
        let Some(unit) = self.unit(span.lo) else {
            return String::new();
        };
        let index = unit.lines.partition_point(|l| l.offset <= span.lo);
        let Some(line) = index.checked_sub(1).and_then(|i| unit.lines.get(i)) else {
            return String::new();
        };
        let start = (line.offset - unit.base) as usize;
        let rest = unit.text.get(start..).unwrap_or(&[]);
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        String::from_utf8_lossy(&rest[..end]).into_owned()
    }

    /// The text of the unit that begins at this offset.
    pub fn unit_text(&self, base: u32) -> &[u8] {
        self.unit(base).map_or(&[], |u| &u.text)
    }

    /// The name of a file.
    pub fn file_name(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("?", |f| f)
    }

    /// The names of all files, in the order of their ids.
    pub fn file_names(&self) -> &[String] {
        &self.files
    }
}

/// Reads `# 12 "file.c" 2` and `#line 12 "file.c"`.
fn parse_marker(line: &[u8]) -> Option<(u32, Option<String>)> {
    let line = line.trim_ascii().strip_prefix(b"#")?.trim_ascii_start();
    let line = match line.strip_prefix(b"line") {
        Some(rest) if rest.first().is_some_and(|b| b.is_ascii_whitespace()) => {
            rest.trim_ascii_start()
        }
        _ => line,
    };
    let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let number = std::str::from_utf8(&line[..digits]).ok()?.parse().ok()?;
    let rest = line[digits..].trim_ascii_start();
    let name = rest.strip_prefix(b"\"").map(|rest| {
        let mut name = Vec::new();
        let mut bytes = rest.iter();
        while let Some(&b) = bytes.next() {
            match b {
                b'"' => break,
                b'\\' => name.extend(bytes.next()),
                _ => name.push(b),
            }
        }
        String::from_utf8_lossy(&name).into_owned()
    });
    Some((number, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_move_lines_and_files() {
        let mut map = SourceMap::default();
        let text = b"# 7 \"a b.c\" 2\nint x;\n#line 3\n  y\n".to_vec();
        let base = map.add("t.i", text).unwrap();
        let at = |n: u32| {
            let l = map
                .locate(Span {
                    lo: base + n,
                    hi: base + n,
                })
                .unwrap();
            (map.file_name(l.file).to_owned(), l.line, l.column)
        };
        assert_eq!(at(14), ("a b.c".to_owned(), 7, 1));
        assert_eq!(at(31), ("a b.c".to_owned(), 3, 3));
        assert_eq!(
            map.line_text(Span {
                lo: base + 18,
                hi: base + 19
            }),
            "int x;"
        );
    }
}
