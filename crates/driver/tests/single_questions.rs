//! Questions are answered one by one: what is beyond every engine leaves nothing else open, and more time never says less.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// One at a time: what is reached in a time is compared.
static ALONE: Mutex<()> = Mutex::new(());

fn verify(words: &[&str]) -> String {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .arg("verify")
        .args(words)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .output()
        .expect("raddle runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn counts(text: &str) -> &str {
    let line = text.lines().find(|l| l.starts_with("questions: "));
    line.unwrap_or_else(|| panic!("no counts in {text}"))
}

#[test]
fn each_assertion_is_proved_by_the_engine_that_can() {
    let program = "tests/ledger/four_kinds.c";
    let ask = |limit: &str| -> Vec<Value> {
        let property = ["--property", "unreach-call"];
        let rest = ["--timeout", limit, "--format", "json"];
        let words = [&[program], &property[..], &rest[..]].concat();
        let answer: Value = serde_json::from_str(&verify(&words)).expect("JSON");
        answer["questions"].as_array().expect("questions").clone()
    };
    // One stays open, so the time is used up; a busy machine needs more of it.
    let proved = |all: &[Value]| all.iter().filter(|q| q["status"] == "proved").count();
    let mut tries = ["20s", "60s", "180s"].into_iter().map(ask);
    let all = tries
        .find(|all| proved(all) == 3)
        .expect("three are proved");
    let engines = |status: &str| {
        let those = all.iter().filter(|q| q["status"] == status);
        let engines = those.map(|q| q["engine"].as_str().unwrap_or("none"));
        engines.collect::<Vec<&str>>()
    };
    assert_eq!(all.len(), 4);
    assert_eq!(engines("open").len(), 1, "{all:?}");
    let proved = engines("proved");
    assert_eq!(proved.len(), 3, "{all:?}");
    assert_eq!(proved[0], "fusion", "what needs fractions");
    assert_eq!(proved[2], "refine", "what needs an inductive proof");
}

#[test]
fn a_violated_assertion_does_not_hide_a_proved_one() {
    let program = "tests/ledger/one_wrong.c";
    let words = [
        program,
        "--property",
        "unreach-call",
        "--all-violations",
        "--timeout",
        "60s",
    ];
    let text = verify(&words);
    assert_eq!(
        counts(&text),
        "questions: 1 proved, 1 violated, 0 open",
        "{text}"
    );
    assert!(text.ends_with("verdict: false(unreach-call)\n"), "{text}");
}

/// Their properties are proved by different engines.
#[test]
fn mixed_programs_are_proved() {
    let mut wrong = Vec::new();
    let mut number = 0;
    let files = std::fs::read_dir(root().join("tests/ledger/mixed")).expect("a directory");
    for file in files.flatten() {
        let path = file.path();
        let text = verify(&[&path.display().to_string(), "--timeout", "60s"]);
        number += 1;
        if !text.ends_with("verdict: true\n") {
            wrong.push(format!("{}: {text}", path.display()));
        }
    }
    assert!(number >= 10 && wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is closed, and the bound of a search that was stopped.
fn told(program: &str, time: &str) -> (BTreeSet<String>, Option<u64>) {
    let text = verify(&[program, "--timeout", time, "--format", "json"]);
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    let all = answer["questions"].as_array().expect("questions");
    let closed = all.iter().filter(|q| q["status"] != "open");
    let closed = closed.map(|q| format!("{} {}", q["id"], q["status"]));
    let bound = answer["finished_bound"].as_u64();
    (closed.collect(), bound)
}

#[test]
fn more_time_never_says_less() {
    for program in [
        "tests/ledger/four_kinds.c",
        "tests/ledger/late/squares.c",
        "tests/ledger/late/triangles.c",
        "tests/ledger/late/fibonacci.c",
        "tests/ledger/late/cubes.c",
    ] {
        let (early, bound) = told(program, "2s");
        let (late, higher) = told(program, "6s");
        assert!(
            early.is_subset(&late),
            "{program}: {early:?}, then {late:?}"
        );
        if let (Some(bound), Some(higher)) = (bound, higher) {
            assert!(bound <= higher, "{program}: {bound}, then {higher}");
        }
    }
}
