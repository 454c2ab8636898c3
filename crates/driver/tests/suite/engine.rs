//! An engine on every program of the suite: it must answer as the header expects, or `unknown`.

use super::{programs, read_case};
use raddle_ir::Property;
use raddle_verdict::{Budget, Engine, Request, Unknown, Verdict};
use raddle_witness::Replayer;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Races in the presence of weak memory orders (`tests/semantics/orders`), which only exploration judges.
pub const WEAK_RACES: usize = 46;

/// How many programs of the suite to leave out between two: none with `RADDLE_LONG`, as CI sets it, else a few for methods that are not
/// asked by default.
pub fn every(shortly: usize) -> usize {
    match std::env::var_os("RADDLE_LONG") {
        Some(_) => 1,
        None => shortly,
    }
}

/// Unwinding recurses with the program.
pub fn on_a_large_stack(work: impl FnOnce() -> usize + Send + 'static) -> usize {
    let builder = std::thread::Builder::new().stack_size(256 << 20);
    let worker = builder.spawn(work).expect("a thread");
    worker.join().expect("no panic")
}

/// Asks an engine about every `every`th program; the answer is how many expectations stay undecided although there was time. With
/// `RADDLE_SUITE=word` only programs whose path contains the word, and every answer is printed.
pub fn undecided(engine: &dyn Engine, every: usize, limit: Duration) -> usize {
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
    let (mut decided, mut late) = (0, 0);
    for path in paths.iter().step_by(every) {
        let case = read_case(path);
        let Ok(program) = case.compile() else {
            continue;
        };
        for e in &case.expectations {
            let request = Request {
                properties: Property::from_name(&e.property),
                unwind: None,
                certify: false,
                inputs: None,
                all_violations: false,
                after: None,
                budget: Budget::with_timeout(limit),
            };
            let mut judge = Replayer::new(&program, &request.properties);
            let verdict = engine.check(&program, &request, &mut judge, &mut |_| {});
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
                Verdict::Unknown(Unknown::Stopped { .. }) => late += 1,
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
    eprintln!("{decided} decided, {undecided} not, {late} not in time");
    assert!(
        wrong.is_empty(),
        "{} problems:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    undecided
}
