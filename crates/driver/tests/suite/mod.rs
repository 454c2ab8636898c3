//! The programs of `tests/semantics` and `examples`: their headers say what is expected of them.

pub mod engine;

use raddle_ir::{DataModel, Location, Program, Property};
use std::path::{Path, PathBuf};

/// What a program's header says.
pub struct Expectation {
    /// Its name.
    pub property: String,
    /// Whether it holds.
    pub holds: bool,
    /// `valid-deref` and the like, if given.
    pub kind: Option<String>,
}

/// A program of the suite.
pub struct Case {
    /// Its file.
    pub path: PathBuf,
    /// Its data model.
    pub model: DataModel,
    /// What is expected.
    pub expectations: Vec<Expectation>,
    /// Marked lines: line number and property.
    pub marks: Vec<(u32, String)>,
}

/// Reads the header and the marks of a program.
pub fn read_case(path: &Path) -> Case {
    let text = std::fs::read_to_string(path).expect("a readable program");
    let mut case = Case {
        path: path.to_path_buf(),
        model: DataModel::Lp64,
        expectations: Vec::new(),
        marks: Vec::new(),
    };
    for (i, line) in text.lines().enumerate() {
        if let Some(rest) = line.strip_prefix("//! expect: ") {
            let (property, verdict) = rest
                .trim()
                .split_once(' ')
                .expect("a property and a verdict");
            let (verdict, kind) = match verdict.split_once('(') {
                Some((v, kind)) => (v, Some(kind.trim_end_matches(')').to_string())),
                None => (verdict, None),
            };
            case.expectations.push(Expectation {
                property: property.to_string(),
                holds: verdict.trim() == "true",
                kind,
            });
        }
        if line.starts_with("//! data-model: ILP32") {
            case.model = DataModel::Ilp32;
        }
        if let Some((_, marks)) = line.split_once("// violation: ") {
            for property in marks.split(',') {
                let property = property.split_whitespace().next().unwrap_or("");
                case.marks.push((i as u32 + 1, property.to_string()));
            }
        }
    }
    case
}

/// All C files below a directory.
pub fn programs(dir: &Path, into: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(dir).expect("a directory of programs");
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            programs(&path, into);
        } else if path.extension().is_some_and(|e| e == "c") {
            into.push(path);
        }
    }
}

/// The property's name in marks: the parts of memory safety share one.
fn mark_name(p: Property) -> &'static str {
    match p {
        Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack => "valid-memsafety",
        p => p.name(),
    }
}

impl Case {
    /// Compiles it.
    pub fn compile(&self) -> Result<Program, String> {
        let options = raddle_c::Options {
            model: self.model,
            arguments: raddle_c::Arguments::Given(vec!["program".into()]),
            ..raddle_c::Options::default()
        };
        let program = raddle_c::compile(&[&self.path], &options).map_err(|f| f.render())?;
        match raddle_ir::verify(&program).first() {
            None => Ok(program),
            Some(broken) => Err(format!("invalid IR: {broken}")),
        }
    }

    /// Whether a violation stands on a marked line (if any line is marked for its property).
    pub fn misplaced(&self, program: &Program, property: Property, at: Location) -> Option<String> {
        let line = program.span_of(at).line;
        let name = mark_name(property);
        let mut marked = self
            .marks
            .iter()
            .filter(|(_, p)| p == name || p == property.name());
        let any = marked.clone().next().is_some();
        (any && !marked.any(|(l, _)| *l == line))
            .then(|| format!("{property} found in line {line}, which is not marked"))
    }
}
