//! Which tasks there are: files under a directory, a list, or task definitions of the software-verification competition.
//!
//! A definition (`.yml`, format version 1 or 2) names its input files, a data model, and properties with the expected verdicts;
//! each property that is known here is a task. A file that a definition beside it names is not a task of its own. Without a definition the verdict
//! that is expected is taken from names such as `x_false-unreach-call.c`, and else there is none.

use crate::property;
use raddle_ir::Property;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Something to verify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// What stands in the table.
    pub name: String,
    /// The input files.
    pub files: Vec<PathBuf>,
    /// What to check, as `--property` takes it; `None` for what the command line says.
    pub property: Option<String>,
    /// The data model, if the definition names one.
    pub data_model: Option<String>,
    /// The verdict that is expected.
    pub expected: Option<bool>,
}

#[derive(Deserialize)]
struct Definition {
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<Asked>,
    options: Option<Language>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct Asked {
    property_file: String,
    expected_verdict: Option<bool>,
}

#[derive(Deserialize)]
struct Language {
    data_model: Option<String>,
}

/// The tasks that a directory, a list of files or a definition stands for, in a fixed order.
pub fn tasks(from: &Path) -> Result<Vec<Task>, String> {
    let paths = match from.is_dir() {
        true => below(from)?,
        false if is_definition(from) => vec![from.to_path_buf()],
        false => listed(from)?,
    };
    let mut all = Vec::new();
    let mut defined: BTreeSet<PathBuf> = BTreeSet::new();
    for path in paths.iter().filter(|p| is_definition(p)) {
        for task in definition(path)? {
            defined.extend(task.files.iter().cloned());
            all.push(task);
        }
    }
    for path in paths.into_iter().filter(|p| !is_definition(p)) {
        // Of a program and its preprocessed form, the latter.
        let preprocessed = path.extension().is_some_and(|e| e == "c") && from.is_dir();
        if defined.contains(&path) || preprocessed && path.with_extension("i").exists() {
            continue;
        }
        all.push(Task {
            name: path.display().to_string(),
            expected: expected(&path),
            files: vec![path],
            property: None,
            data_model: None,
        });
    }
    all.sort_by(|a, b| (&a.name, &a.property).cmp(&(&b.name, &b.property)));
    all.dedup();
    match all.is_empty() {
        true => Err(format!("{}: there are no tasks", from.display())),
        false => Ok(all),
    }
}

fn is_definition(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "yml" || e == "yaml")
}

/// All C files and definitions below a directory.
fn below(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let shown = directory.display();
    let entries = std::fs::read_dir(directory).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let mut all = Vec::new();
    for entry in entries {
        let path = entry
            .map_err(|e| format!("cannot read {shown}: {e}"))?
            .path();
        let known = ["c", "i", "rad"].iter();
        if path.is_dir() {
            all.extend(below(&path)?);
        } else if is_definition(&path)
            || known
                .into_iter()
                .any(|e| path.extension() == Some(e.as_ref()))
        {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// One path per line; empty lines and those that begin with `#` do not count. Relative ones are relative to the list.
fn listed(list: &Path) -> Result<Vec<PathBuf>, String> {
    let shown = list.display();
    let text = std::fs::read_to_string(list).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let base = list.parent().unwrap_or(Path::new(""));
    let lines = text.lines().map(str::trim);
    let paths = lines.filter(|l| !l.is_empty() && !l.starts_with('#'));
    Ok(paths.map(|l| base.join(l)).collect())
}

/// The tasks of a definition. Properties that are not known here are left out; if none is left, there is no task.
fn definition(path: &Path) -> Result<Vec<Task>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let definition: Definition = serde_saphyr::from_str(&text)
        .map_err(|e| format!("{shown} is not a task definition: {e}"))?;
    let base = path.parent().unwrap_or(Path::new(""));
    let files = match definition.input_files {
        OneOrMany::One(file) => vec![file],
        OneOrMany::Many(files) => files,
    };
    let files: Vec<PathBuf> = files.iter().map(|f| base.join(f)).collect();
    let data_model = definition.options.and_then(|o| o.data_model);
    let mut all = Vec::new();
    for asked in definition.properties {
        let file = base.join(&asked.property_file).display().to_string();
        if property::parse(&[&file]).is_err() {
            continue;
        }
        all.push(Task {
            name: path.display().to_string(),
            files: files.clone(),
            property: Some(file),
            data_model: data_model.clone(),
            expected: asked.expected_verdict,
        });
    }
    Ok(all)
}

/// What a file's name says of its verdict for any property.
fn expected(path: &Path) -> Option<bool> {
    let name = path.file_name()?.to_str()?;
    let says = |verdict: &str| {
        Property::ALL
            .iter()
            .any(|p| name.contains(&format!("_{verdict}-{}", p.name())))
    };
    match (says("true"), says("false")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}
