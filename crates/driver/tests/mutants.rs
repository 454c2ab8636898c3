//! Every correct example with one piece of its synchronisation deleted: the staged engine finds what that breaks, or proves that
//! it breaks nothing. `tests/staged/mutants.txt` lists the answers; `RADDLE_UPDATE=1` writes it anew.
//!
//! Deleted are single statements that lock, unlock, wait, signal or post, and single `atomic_`/`_Atomic` markers of declarations.

use raddle_engine_staged::StagedEngine;
use raddle_ir::Property;
use raddle_verdict::{Budget, Engine, Request, Verdict};
use raddle_witness::Replayer;
use std::path::Path;
use std::time::Duration;

#[allow(dead_code)]
mod suite;
use suite::read_case;

const CALLS: &[&str] = &[
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_unlock",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "sem_post",
    "sem_wait",
];
const MARKERS: &[(&str, &str)] = &[
    ("atomic_int", "int"),
    ("atomic_uint", "unsigned"),
    ("_Atomic ", ""),
];
const PROPERTIES: [Property; 3] = [
    Property::UnreachCall,
    Property::NoDataRace,
    Property::NoDeadlock,
];

/// The program's text with something deleted, and what.
fn mutants(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let mut replacement = None;
        let code = line.trim();
        if CALLS.iter().any(|c| code.starts_with(c)) && code.ends_with(");") {
            replacement = Some(";".to_string());
        }
        let declares = code.ends_with(';') && !code.contains('(') && !code.starts_with("//");
        let marker = MARKERS.iter().find(|(m, _)| code.contains(m));
        if let (true, Some((marker, plain))) = (declares, marker) {
            replacement = Some(line.replacen(marker, plain, 1));
        }
        if let Some(new) = replacement {
            let mut changed = lines.clone();
            changed[i] = &new;
            all.push((format!("{}: {code}", i + 1), changed.join("\n")));
        }
    }
    all
}

fn answer(path: &Path, property: Property) -> String {
    let Ok(program) = read_case(path).compile() else {
        return "does not compile".into();
    };
    let request = Request {
        properties: vec![property],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(5)),
    };
    let mut judge = Replayer::new(&program, &request.properties);
    match StagedEngine::default().check(&program, &request, &mut judge, &mut |_| {}) {
        Verdict::True(_) => "holds".into(),
        Verdict::False(_) => "violated".into(),
        Verdict::Unknown(raddle_verdict::Unknown::Stopped { .. }) => "unknown".into(),
        Verdict::Unknown(why) => format!("unknown ({why})"),
    }
}

fn all() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut names: Vec<_> = std::fs::read_dir(root.join("examples"))
        .expect("the examples")
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    names.sort();
    let dir = std::env::temp_dir().join(format!("raddle-mutants-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for mutants");
    let mut report = String::new();
    for path in names {
        let correct = read_case(&path).expectations.iter().all(|e| e.holds);
        if !correct {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("an example");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        for (what, mutant) in mutants(&text) {
            let file = dir.join("mutant.c");
            std::fs::write(&file, mutant).expect("a mutant");
            let answers: Vec<String> = PROPERTIES
                .iter()
                .map(|p| format!("{p} {}", answer(&file, *p)))
                .collect();
            report += &format!("{name}:{what} => {}\n", answers.join(", "));
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
    report
}

#[test]
fn every_deletion_is_found_or_proved_harmless() {
    let worker = std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(all)
        .expect("a thread");
    let report = worker.join().expect("no panic");
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/staged/mutants.txt");
    if std::env::var("RADDLE_UPDATE").is_ok() {
        std::fs::create_dir_all(list.parent().expect("a directory")).expect("made");
        std::fs::write(&list, &report).expect("written");
    }
    let known = std::fs::read_to_string(&list).unwrap_or_default();
    let mut differing = Vec::new();
    let mut undecided = 0;
    for (now, then) in report.lines().zip(known.lines()) {
        let (what, answers) = now.split_once(" => ").unwrap_or((now, ""));
        let (same, listed) = then.split_once(" => ").unwrap_or((then, ""));
        for (a, b) in answers.split(", ").zip(listed.split(", ")) {
            // A slow machine may not get to an answer; but it must not get to another one.
            let open = |answer: &str| answer.contains("unknown");
            undecided += usize::from(open(a));
            if what != same || (a != b && !open(a) && !open(b)) {
                differing.push(format!("{what}: {a}, listed: {b}"));
            }
        }
    }
    assert!(
        differing.is_empty() && known.lines().count() == report.lines().count(),
        "answers differ from the list:\n{}",
        differing.join("\n")
    );
    // Where a lock was deleted, its unlock is a misuse beyond which the staged engine follows nothing.
    assert!(undecided <= 30, "{undecided} answers are open");
}
