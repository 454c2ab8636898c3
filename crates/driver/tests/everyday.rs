//! Programs of the kind that developers have at work (`tests/everyday`), right and with one realistic bug each, with default properties.
//!
//! The first line says what may be answered: `true`, or `false` by one of the named properties. In the short time given here an answer may be
//! missing; it is never wrong. `RADDLE_EVERYDAY=30` gives that many seconds to each and prints every answer.

use std::path::Path;
use std::process::Command;

/// Seconds for each program, unless told otherwise.
const SECONDS: u32 = 3;
/// How many of the broken programs are found in that time at least, on a busy machine; 25 there are.
const FOUND: usize = 15;

fn expected(text: &str) -> (bool, Vec<String>) {
    let line = text.lines().next().unwrap_or("");
    let line = line.strip_prefix("//! expect: ").expect("an expectation");
    match line.strip_prefix("false(") {
        None => (true, Vec::new()),
        Some(names) => {
            let names = names.trim_end_matches(')').split(", ");
            (false, names.map(String::from).collect())
        }
    }
}

#[test]
fn everyday_programs_are_never_answered_wrongly() {
    let given = std::env::var("RADDLE_EVERYDAY").ok();
    let seconds = given.as_ref().and_then(|s| s.parse().ok());
    let seconds: u32 = seconds.unwrap_or(SECONDS);
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/everyday");
    let files = std::fs::read_dir(&dir).expect("the programs");
    let mut files: Vec<_> = files.flatten().map(|f| f.path()).collect();
    files.sort();
    assert!(files.len() >= 36);
    let (mut found, mut wrong) = (0, Vec::new());
    for path in &files {
        let text = std::fs::read_to_string(path).expect("a program");
        let (safe, properties) = expected(&text);
        let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
            .args(["verify", "--timeout", &format!("{seconds}s")])
            .arg(path)
            .output()
            .expect("raddle runs");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let last = told.lines().last().unwrap_or("").to_string();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if given.is_some() {
            println!("{name}: {last}");
        }
        let violated = last.strip_prefix("verdict: false(");
        match violated.map(|p| p.trim_end_matches(')')) {
            Some(property) if properties.iter().any(|p| p == property) => found += 1,
            None if safe || !last.starts_with("verdict: true") => {}
            _ => wrong.push(format!("{name}: {last}")),
        }
        assert!(last.starts_with("verdict: "), "{name}: {told}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(found >= FOUND, "only {found} were found");
}
