//! The execution engine on every program of `tests/semantics` and `examples`: it must answer as the header expects, or `unknown`.
//!
//! `RADDLE_SUITE=word` runs only the programs whose path contains the word and prints every answer.

use raddle_engine_fusion::FusionEngine;
use raddle_ir::Property;
use raddle_verdict::{Budget, Engine, Request, Unknown, Verdict};
use raddle_witness::Replayer;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

#[allow(dead_code)]
mod suite;
use suite::{programs, read_case};

/// How many expectations may stay undecided; the rest is decided, and rightly.
const UNDECIDED: usize = 80;

#[test]
fn the_execution_engine_agrees_with_the_headers_or_does_not_know() {
    // Unwinding recurses with the program.
    let worker = std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(all)
        .expect("a thread");
    worker.join().expect("no panic");
}

fn all() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    programs(&root.join("tests/semantics"), &mut paths);
    programs(&root.join("examples"), &mut paths);
    paths.sort();
    let word = std::env::var("RADDLE_SUITE").ok();
    if let Some(word) = &word {
        paths.retain(|p| p.display().to_string().contains(word));
    }
    let mut wrong = Vec::new();
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut decided = 0;
    for path in &paths {
        let case = read_case(path);
        let Ok(program) = case.compile() else {
            continue;
        };
        for e in &case.expectations {
            let request = Request {
                properties: Property::from_name(&e.property),
                unwind: None,
                certify: false,
                all_violations: false,
                budget: Budget::with_timeout(Duration::from_secs(2)),
            };
            let mut judge = Replayer::new(&program, &request.properties);
            let verdict =
                FusionEngine::default().check(&program, &request, &mut judge, &mut |_| {});
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let line = format!("{name} {}: {verdict}", e.property);
            if word.is_some() {
                eprintln!("{line}, expected {}", e.holds);
            }
            match verdict {
                Verdict::True(_) if !e.holds => wrong.push(line),
                Verdict::False(_) if e.holds => wrong.push(line),
                Verdict::Unknown(Unknown::NotReplayed(why) | Unknown::Internal(why)) => {
                    wrong.push(format!("{line}: {why}"));
                }
                Verdict::Unknown(why) => {
                    let known = reasons.entry(why.to_string()).or_default();
                    known.push(format!("{name}/{}", e.property));
                }
                _ => decided += 1,
            }
        }
    }
    let undecided: usize = reasons.values().map(Vec::len).sum();
    for (why, all) in &reasons {
        let some: Vec<&str> = all.iter().take(6).map(String::as_str).collect();
        eprintln!("{:4} {why}: {} …", all.len(), some.join(", "));
    }
    eprintln!("{decided} decided, {undecided} not");
    assert!(
        wrong.is_empty(),
        "{} problems:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        undecided <= UNDECIDED,
        "{undecided} expectations are not decided"
    );
}
