//! `raddle verify --ledger`: what is known survives the process, and nothing in the file is believed that the program contradicts.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const TRANSFER: &str = "tests/ledger/transfer.c";
const TWO_BUGS: &str = "tests/ledger/two_bugs.c";
const DEADLINE: &str = "tests/ledger/deadline.c";

fn command(args: &[&str], ledger: &Path) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.arg("verify").args(args).arg("--ledger").arg(ledger);
    command.current_dir(root).env("NO_COLOR", "1");
    command
}

fn verify(args: &[&str], ledger: &Path) -> Output {
    command(args, ledger).output().expect("raddle runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The line that says what was taken up.
fn taken_up(output: &Output) -> String {
    let told = text(&output.stdout);
    let line = told.lines().find_map(|l| l.strip_prefix("ledger: "));
    let what = line.and_then(|l| l.rsplit_once(".json: "));
    what.unwrap_or_else(|| panic!("no such line in {told}{}", text(&output.stderr)))
        .1
        .to_string()
}

/// What is told, without the ledger's own line.
fn answer(output: &Output) -> Vec<String> {
    let told = text(&output.stdout);
    let lines = told.lines().filter(|l| !l.starts_with("ledger: "));
    lines.map(String::from).collect()
}

/// An empty directory of the test's own.
fn directory(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("raddle-ledger-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    dir
}

fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).expect("a ledger");
    serde_json::from_slice(&bytes).expect("JSON")
}

/// The answered questions of a file.
fn closed(path: &Path) -> BTreeMap<String, String> {
    let file = read(path);
    let questions = file["ledger"]["questions"].as_array().expect("a list");
    let all = questions.iter().map(|q| {
        let word = |key: &str| q[key].as_str().expect("a word").to_string();
        (word("id"), word("status"))
    });
    all.filter(|(_, status)| status != "open").collect()
}

/// Writes a changed file, with a digest that fits if it is to be a good forgery.
fn forge(path: &Path, mut file: Value, fitting: bool) {
    if fitting {
        file.as_object_mut().expect("an object").remove("digest");
        let sum = Sha256::digest(file.to_string().as_bytes());
        let sum: String = sum.iter().map(|b| format!("{b:02x}")).collect();
        file["digest"] = json!(sum);
    }
    std::fs::write(path, file.to_string()).expect("written");
}

#[test]
fn a_finished_verification_is_answered_from_the_file() {
    let dir = directory("finished");
    for (number, args) in [
        vec![DEADLINE],
        vec![TWO_BUGS, "--all-violations", "--property", "unreach-call"],
    ]
    .iter()
    .enumerate()
    {
        let ledger = dir.join(format!("{number}.json"));
        let first = verify(args, &ledger);
        assert_eq!(taken_up(&first), "new");
        let file = read(&ledger);
        // Another engine: the answers and how they were found come from the file.
        let args: Vec<&str> = args
            .iter()
            .copied()
            .chain(["--engine", "project"])
            .collect();
        let again = verify(&args, &ledger);
        assert!(taken_up(&again).ends_with(" taken up"), "{again:?}");
        assert_eq!(answer(&first), answer(&again));
        assert_eq!(first.status.code(), again.status.code());
        assert_eq!(read(&ledger), file, "nothing was added");
    }
    // A witness and a page come from the evidence in the file.
    let (schedule, page) = (dir.join("schedule.json"), dir.join("page.html"));
    let [witness, html] = [&schedule, &page].map(|p| p.display().to_string());
    let outputs = ["--witness", &witness, "--html", &html];
    let args = [TWO_BUGS, "--property", "unreach-call"];
    let args: Vec<&str> = args.into_iter().chain(outputs).collect();
    assert_eq!(
        taken_up(&verify(&args, &dir.join("1.json"))),
        "2 answers taken up"
    );
    assert!(text(&std::fs::read(&schedule).expect("a schedule")).contains("raddle-schedule"));
    assert!(text(&std::fs::read(&page).expect("a page")).contains("two_bugs.c"));
    let _ = std::fs::remove_dir_all(&dir);
}

/// Killed at any moment, the file can be read, and in the end it says what an uninterrupted verification says.
#[test]
fn a_killed_verification_is_resumed() {
    let dir = directory("killed");
    let (whole, ledger) = (dir.join("whole.json"), dir.join("killed.json"));
    let uninterrupted = verify(&[TRANSFER], &whole);
    assert_eq!(uninterrupted.status.code(), Some(0));
    let mut known = BTreeMap::new();
    let mut random = u64::from(std::process::id());
    for _ in 0..10 {
        let mut child = command(&[TRANSFER], &ledger)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("raddle runs");
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        std::thread::sleep(Duration::from_millis(random >> 33 & 0x1ff));
        child.kill().expect("killed");
        child.wait().expect("ended");
        if ledger.exists() {
            let now = closed(&ledger);
            let lost = known.keys().find(|q| !now.contains_key(*q));
            assert_eq!(lost, None, "an answer was lost");
            known = now;
        }
    }
    let resumed = verify(&[TRANSFER], &ledger);
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    assert_eq!(closed(&ledger), closed(&whole));
    let names = std::fs::read_dir(&dir).expect("a directory").flatten();
    assert_eq!(names.count(), 2, "what killed processes left is removed");
    let _ = std::fs::remove_dir_all(&dir);
}

#[test]
fn an_altered_file_is_refused_and_left_alone() {
    let dir = directory("altered");
    let (bugs, proof, other) = (
        dir.join("bugs.json"),
        dir.join("proof.json"),
        dir.join("other.json"),
    );
    let about_bugs = [TWO_BUGS, "--property", "unreach-call"];
    verify(&about_bugs, &bugs);
    verify(&[DEADLINE], &proof);
    verify(
        &[
            "examples/peterson.c",
            "--engine",
            "refine",
            "--property",
            "unreach-call",
        ],
        &other,
    );
    let refused = |args: &[&str], file: Value, fitting: bool, why: &str| {
        let ledger = dir.join("altered.json");
        forge(&ledger, file, fitting);
        let before = std::fs::read(&ledger).expect("a file");
        let output = verify(args, &ledger);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(65), "{why}: {said}");
        assert!(said.contains(why), "{said}");
        assert!(said.contains("--ledger"), "{said}");
        assert!(output.stdout.is_empty());
        assert_eq!(std::fs::read(&ledger).expect("a file"), before);
    };

    // An answer.
    let mut file = read(&bugs);
    file["ledger"]["violated"] = json!([]);
    refused(&about_bugs, file, false, "was altered");
    let mut file = read(&proof);
    file["ledger"]["proved"][0]["properties"] = json!(["UnreachCall"]);
    refused(&[DEADLINE], file, false, "was altered");

    // A schedule, also with a digest that fits.
    for fitting in [false, true] {
        let mut file = read(&bugs);
        let found = &mut file["ledger"]["violated"][0]["found"];
        let mut schedule: Value =
            serde_json::from_str(found["schedule"].as_str().expect("text")).expect("JSON");
        schedule["events"].as_array_mut().expect("a list").pop();
        found["schedule"] = json!(schedule.to_string());
        let why = if fitting {
            "does not replay"
        } else {
            "was altered"
        };
        refused(&about_bugs, file, fitting, why);
    }
    // A place.
    let mut file = read(&bugs);
    file["ledger"]["violated"][0]["found"]["span"]["line"] = json!(1);
    refused(&about_bugs, file, true, "another violation");

    // The proof of another program.
    let foreign = read(&other)["ledger"]["proved"][0].clone();
    assert!(foreign["proof"]["artefact"].is_string(), "{foreign}");
    for fitting in [false, true] {
        let mut file = read(&proof);
        let proofs = file["ledger"]["proved"].as_array_mut().expect("a list");
        let own = json!(["UnreachCall"]);
        let place = proofs.iter().position(|p| p["properties"] == own);
        proofs[place.expect("a proof")] = foreign.clone();
        let why = if fitting {
            "another program"
        } else {
            "was altered"
        };
        refused(&[DEADLINE], file, fitting, why);
    }

    // Something else altogether.
    let version = json!({"format": "raddle-ledger", "version": 99});
    refused(&[DEADLINE], version, false, "version 99");
    refused(&[DEADLINE], json!({"format": "x"}), false, "is no ledger");
    let _ = std::fs::remove_dir_all(&dir);
}

#[test]
fn a_changed_program_keeps_what_still_checks() {
    let dir = directory("changed");
    let ledger = dir.join("x.json");
    let args = |more: &[&'static str]| -> Vec<&str> {
        let mut all = vec![TWO_BUGS, "--property", "unreach-call", "--all-violations"];
        all.extend(more);
        all
    };
    verify(&args(&[]), &ledger);
    assert_eq!(closed(&ledger).len(), 2);
    let program = |ledger| read(ledger)["scope"]["program"].clone();
    let old = program(&ledger);
    let moved = verify(&args(&["-DMOVED"]), &ledger);
    assert_eq!(taken_up(&moved), "2 answers taken up");
    assert_ne!(program(&ledger), old);
    // The schedules in the file are those of the new program.
    let again = verify(&args(&["-DMOVED"]), &ledger);
    assert_eq!(taken_up(&again), "2 answers taken up");
    let fixed = verify(&args(&["-DFIXED"]), &ledger);
    let one = "1 answer taken up, 1 dropped (the schedule no longer replays)";
    assert_eq!(taken_up(&fixed), one);
    assert_eq!(
        closed(&ledger)
            .values()
            .filter(|s| *s == "violated")
            .count(),
        1
    );
    // The assertion that was fixed is read off the program again. A test is about its own inputs.
    assert_eq!(closed(&ledger).len(), 2);
    let test = verify(&args(&["-DFIXED", "--input", "1"]), &ledger);
    let told = taken_up(&test);
    assert!(told.starts_with("0 answers taken up, "), "{told}");
    assert!(told.contains("the violation needs other inputs"), "{told}");
    let _ = std::fs::remove_dir_all(&dir);
}

/// With other properties, only proofs with a text count; the checker refuses them for a changed program.
#[test]
fn other_questions_keep_proofs_that_can_be_checked() {
    let dir = directory("proofs");
    let ledger = dir.join("x.json");
    verify(
        &[DEADLINE, "--property", "unreach-call,no-deadlock"],
        &ledger,
    );
    let file = read(&ledger);
    let proofs = file["ledger"]["proved"].as_array().expect("a list");
    let checkable = proofs.iter().filter(|p| p["proof"]["artefact"].is_string());
    assert_eq!(checkable.count(), 1, "{file:#}");
    let other = verify(&[DEADLINE, "--property", "unreach-call"], &ledger);
    assert!(
        taken_up(&other).starts_with("1 answer taken up, "),
        "{other:?}"
    );
    assert_eq!(other.status.code(), Some(0));
    let changed = verify(
        &[DEADLINE, "--property", "unreach-call", "-DNDEBUG"],
        &ledger,
    );
    assert!(taken_up(&changed).starts_with("0 answers taken up, 1 dropped "));
    let _ = std::fs::remove_dir_all(&dir);
}

/// What does not serve this time is asked again and stays in the file.
#[test]
fn certificates_and_proof_texts_are_asked_for_again() {
    let dir = directory("again");
    let ledger = dir.join("x.json");
    let args = |more: &[&'static str]| -> Vec<&str> {
        let mut all = vec![DEADLINE, "--property", "unreach-call,no-deadlock"];
        all.extend(more);
        all
    };
    verify(&args(&[]), &ledger);
    let before = closed(&ledger);
    // Whatever this engine answers, nothing is lost.
    let certified = verify(&args(&["--certify", "--engine", "project"]), &ledger);
    assert!(
        taken_up(&certified).contains(" asked again (no certificate"),
        "{certified:?}"
    );
    assert_eq!(closed(&ledger), before);
    let proof = dir.join("proof").display().to_string();
    let mut with_text = args(&["--engine", "refine"]);
    with_text.extend(["--proof", &proof]);
    assert!(taken_up(&verify(&with_text, &ledger)).contains(" asked again (no proof text)"));
    assert_eq!(closed(&ledger), before);
    assert_eq!(
        taken_up(&verify(&args(&[]), &ledger)),
        format!("{} answers taken up", before.len())
    );
    let _ = std::fs::remove_dir_all(&dir);
}

#[test]
fn a_file_that_cannot_be_used_is_noticed_first() {
    let dir = directory("unusable");
    let broken = dir.join("broken.c");
    std::fs::write(&broken, "this is no program").expect("written");
    // The program is not looked at before the file.
    let broken = broken.display().to_string();
    for (ledger, why) in [
        (dir.join("no/such/directory.json"), "cannot write"),
        (dir.clone(), "no regular file"),
        ("/dev/null".into(), "no regular file"),
    ] {
        let output = verify(&[&broken], &ledger);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(65), "{said}");
        assert!(said.contains(why) && !said.contains("broken.c"), "{said}");
    }
    let batch = verify(&["--batch", "examples"], &dir.join("x.json"));
    assert_eq!(batch.status.code(), Some(64));
    // An empty file, as `mktemp` makes one, is a new ledger.
    let empty = dir.join("empty.json");
    std::fs::write(&empty, "").expect("written");
    assert_eq!(taken_up(&verify(&[DEADLINE], &empty)), "new");
    let _ = std::fs::remove_dir_all(&dir);
}
