//! What is finished stays finished: one line per task, on disk before the next one begins.
//!
//! A line is written with one call and synchronised; a line that a crash cut off is ignored and overwritten. Tasks are known by what went
//! into them (the text of the files, the flags), so a changed program is verified again.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// What came out of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What went into it.
    pub key: String,
    /// Its name.
    pub name: String,
    /// What was checked.
    pub property: String,
    /// The expected verdict: `true`, `false` or nothing.
    pub expected: String,
    /// The verdict.
    pub verdict: Answer,
    /// Who answered.
    pub engine: String,
    /// CPU time in seconds.
    pub cpu: f64,
    /// Wall time in seconds.
    pub wall: f64,
    /// The most memory at a time, in megabytes.
    pub memory: f64,
}

impl Row {
    /// Whether the answer is right, wrong, or neither.
    pub fn is_right(&self) -> Option<bool> {
        let word = match self.verdict.status {
            Status::True => "true",
            Status::False => "false",
            Status::Unknown => return None,
        };
        (!self.expected.is_empty()).then(|| word == self.expected)
    }
}

/// A verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Which.
    pub status: Status,
    /// The violated property, or why nothing is known.
    pub detail: String,
}

/// The three kinds of verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// Every property holds.
    True,
    /// A property is violated.
    False,
    /// Neither is known.
    Unknown,
}

impl Answer {
    /// The answer that a word of a table or of an answer in JSON stands for, with its detail.
    pub fn new(word: &str, detail: &str) -> Answer {
        let status = match word {
            "true" => Status::True,
            "false" => Status::False,
            _ => Status::Unknown,
        };
        let detail = detail.to_string();
        Answer { status, detail }
    }

    /// What a cell of a table says: the inverse of its text.
    pub fn read(cell: &str) -> Answer {
        match cell.split_once('(') {
            Some((word, rest)) => Answer::new(word, rest.strip_suffix(')').unwrap_or(rest)),
            None => Answer::new(cell, ""),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Status::True => f.write_str("true"),
            Status::False => write!(f, "false({})", self.detail),
            Status::Unknown => write!(f, "unknown({})", self.detail),
        }
    }
}

/// The file.
pub struct Journal {
    file: File,
    /// What is finished, by key.
    pub done: HashMap<String, Row>,
}

impl Journal {
    /// Opens a journal and reads what is in it; `fresh` forgets that.
    pub fn open(path: &Path, fresh: bool) -> Result<Journal, String> {
        let wrong = |e: std::io::Error| format!("cannot use {}: {e}", path.display());
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(fresh);
        let mut file = options.open(path).map_err(wrong)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(wrong)?;
        let mut done = HashMap::new();
        let mut good = 0;
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            let row = line
                .strip_suffix(b"\n")
                .and_then(|l| serde_json::from_slice::<Row>(l).ok());
            let Some(row) = row else { break };
            done.insert(row.key.clone(), row);
            good += line.len() as u64;
        }
        file.set_len(good).map_err(wrong)?;
        file.seek(SeekFrom::End(0)).map_err(wrong)?;
        Ok(Journal { file, done })
    }

    /// Keeps a result.
    pub fn add(&mut self, row: Row) -> Result<(), String> {
        let wrong = |e: std::io::Error| format!("cannot write the journal: {e}");
        let mut line = serde_json::to_vec(&row).map_err(|e| e.to_string())?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(wrong)?;
        self.file.sync_data().map_err(wrong)?;
        self.done.insert(row.key.clone(), row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(key: &str) -> Row {
        Row {
            key: key.into(),
            name: "a, \"b\".c".into(),
            property: "unreach-call".into(),
            expected: "true".into(),
            verdict: Answer::new("false", "unreach-call"),
            engine: "staged".into(),
            cpu: 0.1,
            wall: 0.2,
            memory: 3.0,
        }
    }

    #[test]
    fn a_cut_off_line_is_forgotten_and_the_others_stay() {
        let path = std::env::temp_dir().join(format!("raddle-journal-{}", std::process::id()));
        let mut journal = Journal::open(&path, true).expect("a journal");
        journal.add(row("1")).expect("written");
        journal.add(row("2")).expect("written");
        let whole = std::fs::read(&path).expect("a file");
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("written");
            let mut journal = Journal::open(&path, false).expect("a journal");
            assert!(journal.done.len() <= 1);
            journal.add(row("3")).expect("written");
            let again = Journal::open(&path, false).expect("a journal");
            assert_eq!(again.done.len(), journal.done.len());
            assert_eq!(again.done["3"], row("3"));
        }
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn right_and_wrong() {
        assert_eq!(row("").is_right(), Some(false));
        let unknown = Row {
            verdict: Answer::new("unknown", "timeout"),
            ..row("")
        };
        assert_eq!(unknown.is_right(), None);
    }
}
