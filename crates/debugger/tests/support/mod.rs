//! Programs to debug.

#![allow(dead_code, reason = "each test binary uses a part")]

use raddle_ir::{DataModel, Program};
use std::path::{Path, PathBuf};

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the project has a root")
}

/// The examples and the semantics suite.
pub fn programs() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut todo = vec![root().join("examples"), root().join("tests/semantics")];
    while let Some(folder) = todo.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => todo.push(path),
                false if path.extension().is_some_and(|e| e == "c") => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    files
}

/// A program, if it is one for this data model.
pub fn compile(file: &Path) -> Option<Program> {
    let options = raddle_c::Options {
        model: DataModel::Lp64,
        ..raddle_c::Options::default()
    };
    raddle_c::compile(&[file], &options).ok()
}

/// A program from text.
pub fn from_text(text: &str) -> Program {
    let options = raddle_c::Options::default();
    match raddle_c::compile_text("program.c", text, &options) {
        Ok(program) => program,
        Err(failure) => panic!("{failure:?}"),
    }
}
