//! Programs of the kind that developers have at work (`tests/everyday`), right and with one realistic bug each, with default properties.
//!
//! The first line says what the answer is: `true`, or `false` and which properties the bug violates first of all; it may violate others, too (a lock that is
//! destroyed in use is also a race). In the short time given here an answer may be missing; it is never wrong. `RADDLE_EVERYDAY=30` gives that many seconds to each and prints every answer.

use std::path::Path;
use std::process::Command;

/// Seconds for each program, unless told otherwise.
const SECONDS: u32 = 3;
/// How many of the broken programs are found in that time at least, on a busy machine; 25 there are.
const FOUND: usize = 15;

fn is_safe(text: &str) -> bool {
    let line = text.lines().next().unwrap_or("");
    let answer = line.strip_prefix("//! expect: ").expect("an expectation");
    assert!(answer == "true" || answer.starts_with("false("), "{line}");
    answer == "true"
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
        let safe = is_safe(&text);
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
        match (last.starts_with("verdict: false("), safe) {
            (true, false) => found += 1,
            (false, _) if safe || last != "verdict: true" => {}
            _ => wrong.push(format!("{name}: {last}")),
        }
        assert!(last.starts_with("verdict: "), "{name}: {told}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(found >= FOUND, "only {found} were found");
}
