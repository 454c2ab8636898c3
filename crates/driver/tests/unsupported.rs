//! Nothing is proved of code behind something that is not supported.

use std::path::{Path, PathBuf};
use std::process::Command;

const ENGINES: [&str; 4] = ["fusion", "refine", "staged", "project"];
/// One of so many programs of the semantics suite is tried.
const SAMPLE: usize = 12;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The verdict of one engine, or of all.
fn verdict(file: &Path, properties: &str, engine: Option<&str>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(["verify", "--timeout", "2s", "--property", properties]);
    command.args(engine.map(|e| format!("--engine={e}")));
    let output = command.arg(file).output().expect("raddle runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = told.lines().find_map(|l| l.strip_prefix("verdict: "));
    line.unwrap_or_else(|| panic!("{}: {told}", file.display()))
        .to_owned()
}

fn programs(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a directory");
    let mut all = Vec::new();
    for entry in entries.map(|e| e.expect("an entry").path()) {
        match entry.is_dir() {
            true => all.extend(programs(&entry)),
            false if entry.extension().is_some_and(|e| e == "c") => all.push(entry),
            false => {}
        }
    }
    all.sort();
    all
}

#[test]
fn what_lies_behind_is_open() {
    let all = programs(&root().join("tests/unsupported"));
    assert!(all.len() >= 5);
    for file in all {
        let text = std::fs::read_to_string(&file).expect("a program");
        let asked = text.lines().find_map(|l| l.strip_prefix("//! ask: "));
        let asked = asked.unwrap_or_else(|| panic!("{}: no properties", file.display()));
        for engine in ENGINES.map(Some).into_iter().chain([None]) {
            let verdict = verdict(&file, asked, engine);
            assert!(
                verdict.starts_with("unknown"),
                "{}, {engine:?}: {verdict}",
                file.display()
            );
        }
    }
}

/// The program with a call of `fork` at the beginning of `main`.
fn forked(text: &str) -> Option<String> {
    let main = text.find("\nint main(")?;
    let brace = main + text[main..].find('{')? + 1;
    let (before, behind) = text.split_at(brace);
    Some(format!("extern int fork(void);\n{before} fork();{behind}"))
}

#[test]
fn no_violation_disappears_behind_it() {
    let dir = std::env::temp_dir().join(format!("raddle-unsupported-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    let mut tried = 0;
    let suite = programs(&root().join("tests/semantics"));
    for program in suite.into_iter().step_by(SAMPLE) {
        let text = std::fs::read_to_string(&program).expect("a program");
        let violated = text.lines().find_map(|l| {
            let asked = l.strip_prefix("//! expect: ")?;
            let (property, answer) = asked.split_once(' ')?;
            answer.starts_with("false").then_some(property)
        });
        let (Some(property), Some(changed)) = (violated, forked(&text)) else {
            continue;
        };
        let file = dir.join("program.c");
        std::fs::write(&file, changed).expect("a file");
        let verdict = verdict(&file, property, None);
        assert!(
            verdict != "true",
            "{} behind fork, {property}",
            program.display()
        );
        tried += 1;
    }
    assert!(tried >= 20, "only {tried} programs");
    let _ = std::fs::remove_dir_all(&dir);
}
