//! Preprocessor flags from a compilation database.
//!
//! The file is untrusted: of each command only the whitelisted flags are kept ([`raddle_c::Flags::pick`]), and
//! nothing of it is run. Relative include directories are taken from the entry's directory, as the compiler would.

use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// For every file of the database the words of its command that name includes, macros and the standard.
pub struct CompileCommands(HashMap<PathBuf, Vec<String>>);

impl CompileCommands {
    /// Reads a database.
    pub fn read(path: &Path) -> Result<CompileCommands, String> {
        let shown = path.display();
        let text =
            std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
        let json: Value =
            serde_json::from_str(&text).map_err(|e| format!("{shown} is not JSON: {e}"))?;
        let Some(entries) = json.as_array() else {
            return Err(format!("{shown} is not a list of commands"));
        };
        let entries = Self::recorded(entries).map_err(|why| format!("{shown}: {why}"))?;
        let all = entries.into_iter().map(|(file, words)| (key(&file), words));
        Ok(CompileCommands(all.collect()))
    }

    /// The files that entries of a database are about, with their words.
    pub fn recorded(entries: &[Value]) -> Result<Vec<(PathBuf, Vec<String>)>, String> {
        let mut all = Vec::new();
        for entry in entries {
            let Some(file) = entry["file"].as_str() else {
                return Err("an entry names no file".into());
            };
            let directory = Path::new(entry["directory"].as_str().unwrap_or("."));
            let words = match (entry["arguments"].as_array(), entry["command"].as_str()) {
                (Some(list), _) => list
                    .iter()
                    .filter_map(|w| w.as_str().map(String::from))
                    .collect(),
                (None, Some(command)) => split(command),
                (None, None) => Vec::new(),
            };
            all.push((directory.join(file), relocate(&words, directory)));
        }
        Ok(all)
    }

    /// The words for a file; none if the database does not know it.
    pub fn words(&self, file: &Path) -> &[String] {
        self.0.get(&key(file)).map_or(&[], |w| w.as_slice())
    }
}

fn key(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or(path.to_path_buf())
}

/// Relative directories of `-I` and files of `-include` as seen from the entry's directory.
fn relocate(words: &[String], directory: &Path) -> Vec<String> {
    let from = |path: &str| directory.join(path).display().to_string();
    let mut out = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-I" | "-include" => {
                out.push(word.clone());
                out.extend(words.next().map(|p| from(p)));
            }
            w => match w.strip_prefix("-I") {
                Some(dir) => out.push(format!("-I{}", from(dir))),
                None => out.push(word.clone()),
            },
        }
    }
    out
}

/// Splits a command as a shell does, with quotes and backslashes but without expansions.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            ('\\', Some('"') | None) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(
            split(r#"cc -DA="x y" '-DB=1 2' -I\ dir  "" f.c"#),
            ["cc", "-DA=x y", "-DB=1 2", "-I dir", "", "f.c"]
        );
    }

    #[test]
    fn relative_directories_are_moved() {
        let words = ["-Iinc", "-I", "/abs", "-include", "a.h"].map(String::from);
        let moved = relocate(&words, Path::new("/build"));
        assert_eq!(
            moved,
            ["-I/build/inc", "-I", "/abs", "-include", "/build/a.h"]
        );
    }
}
