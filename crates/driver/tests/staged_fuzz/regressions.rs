//! Reduced programs that once went wrong (`tests/staged/*.c`): the engine must give the answer in their headers, or none, and
//! the enumeration must agree.

use crate::oracle::{Patience, Question, compare};
use raddle_ir::Property;
use std::path::Path;
use std::time::Duration;

#[test]
fn reduced_programs_keep_their_answers() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/staged");
    let Ok(entries) = std::fs::read_dir(&dir) else {
        return;
    };
    let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "c"));
    paths.sort();
    let big = std::thread::Builder::new().stack_size(512 << 20);
    let check = move || paths.iter().flat_map(|p| problems(p)).collect();
    let wrong: Vec<String> = big
        .spawn(check)
        .expect("a thread")
        .join()
        .expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn problems(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a readable program");
    let name = path.display();
    let options = raddle_c::Options {
        arguments: raddle_c::Arguments::Given(vec!["program".into()]),
        ..raddle_c::Options::default()
    };
    let program = match raddle_c::compile(&[path], &options) {
        Ok(program) => program,
        Err(failure) => return vec![format!("{name}: {}", failure.render())],
    };
    let unwind = text.lines().find_map(|l| l.strip_prefix("//! unwind: "));
    let unwind = unwind.map(|n| n.trim().parse().expect("a number of iterations"));
    let mut wrong = Vec::new();
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("//! expect: ") else {
            continue;
        };
        let (property, verdict) = rest
            .trim()
            .split_once(' ')
            .expect("a property and a verdict");
        let asked = Question {
            properties: Property::from_name(property),
            unwind,
            certify: true,
            all: false,
        };
        let patience = Patience {
            engine: Duration::from_secs(10),
            steps: 100_000,
        };
        let outcome = compare(&program, &asked, patience);
        if let Some(defect) = outcome.defect {
            wrong.push(format!(
                "{name}: {property}: {:?}: {}",
                defect.kind, defect.detail
            ));
        }
        let decided = outcome.verdict == "true" || outcome.verdict == "false";
        if decided && outcome.verdict != verdict.trim() {
            wrong.push(format!(
                "{name}: {property}: {} instead of {verdict}",
                outcome.verdict
            ));
        }
    }
    wrong
}
