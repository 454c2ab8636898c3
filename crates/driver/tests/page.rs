//! The page of `raddle verify --html`: what it says, that nothing of the program gets out of its text, and that a browser shows it
//! (`tests/scripts/page.mjs`). The last needs Chromium and the package playwright-core: `RADDLE_CHROMIUM` and `RADDLE_NODE_MODULES` name
//! them. Without them that part says so and passes.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every name and string in it would like to be markup.
const HOSTILE: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static char text[64] = "</script><script>alert(1)</script>";
static int shared; /* <img src=x onerror=alert(2)> <!-- <script> */
static void *work(void *arg) {
    shared++; // "</script><script>alert(3)</script>"
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, text);
    assert(shared == 0 && "</script><script>alert(4)</script>");
    pthread_join(t, 0);
    return 0;
}
"#;

/// A thousand steps before it fails.
const LONG: &str = r#"
#include <assert.h>
#include <pthread.h>
static volatile int count, other;
static int last;
static void *work(void *arg) {
    for (int i = 0; i < 600; i++) {
        count = i;
        other = i;
    }
    __atomic_store_n(&last, 1, 5);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(last == 0);
    return 0;
}
"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn directory() -> PathBuf {
    let dir = std::env::temp_dir().join(format!("raddle-page-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    dir
}

fn raddle(words: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(words)
        .current_dir(root())
        .output()
        .expect("raddle runs");
    let text = [output.stdout, output.stderr].concat();
    let code = output.status.code().expect("an exit code");
    (code, String::from_utf8_lossy(&text).into_owned())
}

/// The data in a page.
fn data(page: &str) -> Value {
    let mark = "<script type=\"application/json\" id=\"data\">";
    let at = page.find(mark).expect("the data") + mark.len();
    let end = at + page[at..].find("</script>").expect("its end");
    serde_json::from_str(&page[at..end]).expect("JSON")
}

/// The counts of a page's questions, on how many lines they are asked, and which answers have a mark: the worst one of each line.
fn questions(data: &Value) -> Value {
    let all = &data["questions"];
    let order = ["violated", "open", "proved"];
    let mut lines: BTreeMap<(u64, u64), usize> = BTreeMap::new();
    for question in all["list"].as_array().expect("questions") {
        let (Some(file), Some(line)) =
            (question["place"][0].as_u64(), question["place"][1].as_u64())
        else {
            continue;
        };
        let status = order.iter().position(|s| question["status"] == *s);
        let status = status.expect("a known answer");
        let worst = lines.entry((file, line)).or_insert(status);
        *worst = status.min(*worst);
    }
    let seen: BTreeSet<&str> = lines.values().map(|s| order[*s]).collect();
    json!({
        "proved": all["proved"], "violated": all["violated"], "open": all["open"],
        "lines": lines.len(), "seen": seen,
    })
}

/// A page, its data, and what a browser is to find in it.
fn verify(name: &str, file: &str, property: &str, more: Value) -> (PathBuf, Value) {
    let page = directory().join(format!("{name}.html"));
    let path = page.display().to_string();
    let mut words = vec!["verify", file, "--property", property, "--html", &path];
    words.extend(["--timeout", more["timeout"].as_str().unwrap_or("60s")]);
    let (code, text) = raddle(&words);
    let wanted = if more["timeout"].is_null() {
        0..=1
    } else {
        2..=2
    };
    assert!(wanted.contains(&code), "{name}: {text}");
    let written = std::fs::read_to_string(&page).expect("a page");
    let data = data(&written);
    let empty = Vec::new();
    let steps = data["runs"][0]["steps"].as_array().unwrap_or(&empty).iter();
    let steps: Vec<Value> = steps.map(|s| json!([s["thread"], s["place"][1]])).collect();
    let mut expected =
        json!({"cause": data["cause"], "steps": steps, "questions": questions(&data)});
    for (key, value) in more.as_object().expect("an object") {
        expected[key] = value.clone();
    }
    let beside = format!("{path}.json");
    std::fs::write(beside, expected.to_string()).expect("a file");
    (page, data)
}

fn pages() -> Vec<(PathBuf, Value)> {
    let dir = directory();
    let write = |name: &str, text: &str| {
        let path = dir.join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let hostile = write("<b>&hostile.c", HOSTILE);
    let long = write("long.c", LONG);
    vec![
        verify(
            "deadlock",
            "examples/bounded_buffer.c",
            "no-deadlock",
            json!({"passing": true}),
        ),
        verify(
            "race",
            "examples/bank_account_race.c",
            "no-data-race",
            json!({"dark": true}),
        ),
        verify(
            "memory",
            "examples/thread_pool_use_after_free.c",
            "valid-deref",
            json!({}),
        ),
        verify(
            "assertion",
            "examples/peterson_broken.c",
            "unreach-call",
            json!({"passing": true}),
        ),
        verify(
            "hostile",
            &hostile,
            "unreach-call",
            json!({"text": "</script><script>alert(4)</script>"}),
        ),
        verify("long", &long, "unreach-call", json!({})),
        verify("proof", "examples/peterson.c", "unreach-call", json!({})),
        verify(
            "holds",
            "tests/refine/any_number.c",
            "unreach-call",
            json!({"holds": true}),
        ),
        verify(
            "open",
            "tests/ledger/four_kinds.c",
            "unreach-call,no-data-race",
            json!({"timeout": "6s", "dark": true}),
        ),
    ]
}

#[test]
fn pages_say_what_the_schedule_does() {
    let pages = pages();
    let (_, deadlock) = &pages[0];
    let runs = deadlock["runs"].as_array().expect("runs");
    let titles: Vec<&str> = runs.iter().filter_map(|r| r["title"].as_str()).collect();
    assert_eq!(
        titles,
        [
            "Shortest schedule",
            "Every line",
            "Nearest passing schedule"
        ]
    );
    assert_eq!(runs[2]["fails"], false);
    let differs = runs[2]["differs"].as_u64().expect("a first difference") as usize;
    assert_eq!(
        runs[0]["steps"].as_array().map(|s| &s[..differs]),
        runs[2]["steps"].as_array().map(|s| &s[..differs])
    );
    for (name, kind) in [
        ("lock", "lock"),
        ("create", "create"),
        ("reads", "reads"),
        ("signal", "signal"),
    ] {
        let arrows = runs[0]["arrows"].as_array().expect("arrows");
        assert!(
            arrows.iter().any(|a| a[2] == kind),
            "no {name} arrow: {arrows:?}"
        );
    }
    let arrows = runs
        .iter()
        .flat_map(|r| r["arrows"].as_array().expect("arrows").iter());
    assert!(
        arrows.clone().all(|a| a[0].as_u64() < a[1].as_u64()),
        "time goes down"
    );
    let (page, hostile) = &pages[4];
    let text = std::fs::read_to_string(page).expect("a page");
    assert_eq!(
        text.matches("<script").count(),
        2,
        "the program makes no scripts"
    );
    assert!(
        !text.contains("<img") && !text.contains("<b>"),
        "nor other markup"
    );
    assert!(
        hostile.to_string().contains("<script>alert(4)</script>"),
        "but its text is there"
    );
    let (page, long) = &pages[5];
    let steps = long["runs"][0]["steps"].as_array().expect("steps").len();
    let size = std::fs::metadata(page).expect("a page").len();
    assert!(
        steps >= 1000 && size < 1_000_000,
        "{steps} steps, {size} bytes"
    );
    let (_, proof) = &pages[6];
    assert!(
        proof["verdict"] == "true" && proof["runs"] == json!([]),
        "{proof}"
    );
    assert!(!proof["assumptions"].as_array().expect("a list").is_empty());
    let (_, holds) = &pages[7];
    let holds = holds["holds"].as_array().expect("a list");
    let is_told = |h: &Value| {
        h["place"][1].as_u64() > Some(0) && h["text"].as_str().is_some_and(|t| !t.is_empty())
    };
    assert!(!holds.is_empty() && holds.iter().all(is_told), "{holds:?}");
}

#[test]
fn a_browser_shows_the_pages() {
    let chromium = std::env::var("RADDLE_CHROMIUM").unwrap_or("/usr/bin/chromium".into());
    let modules = std::env::var("RADDLE_NODE_MODULES");
    let modules = modules
        .ok()
        .filter(|m| Path::new(m).join("playwright-core").is_dir() && Path::new(&chromium).exists());
    let Some(modules) = modules else {
        eprintln!(
            "skipped: RADDLE_NODE_MODULES does not say where playwright-core is, or there is no Chromium"
        );
        return;
    };
    let pages = pages();
    let output = Command::new("node")
        .arg(root().join("tests/scripts/page.mjs"))
        .arg(chromium)
        .arg(directory())
        .args(pages.iter().map(|(p, _)| p))
        .env("RADDLE_NODE_MODULES", modules)
        .output()
        .expect("Node runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let wrong = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}{wrong}");
    assert_eq!(
        told.matches("page: accepted").count(),
        pages.len(),
        "{told}"
    );
    println!("{told}");
}

#[test]
fn schedules_are_told_to_other_viewers() {
    let dir = directory();
    let at = |name: &str| dir.join(name).display().to_string();
    let (schedule, trace, log, page) = (at("s.json"), at("t.json"), at("s.log"), at("r.html"));
    let file = "examples/bounded_buffer.c";
    let (code, _) = raddle(&[
        "verify",
        file,
        "--property",
        "no-deadlock",
        "--witness",
        &schedule,
    ]);
    assert_eq!(code, 1);
    let (code, text) = raddle(&[
        "report", &schedule, file, "-o", &page, "--chrome", &trace, "--shiviz", &log,
    ]);
    assert_eq!(code, 0, "{text}");
    let trace: Value =
        serde_json::from_str(&std::fs::read_to_string(trace).expect("a trace")).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let of = |ph: &str| events.iter().filter(|e| e["ph"] == ph).count();
    assert!(
        of("X") > 5 && of("s") > 1 && of("s") == of("f") && of("M") == 3,
        "{trace}"
    );
    let log = std::fs::read_to_string(log).expect("a log");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 2 * of("X"));
    for pair in lines.chunks(2) {
        let (host, clock) = pair[0].split_once(' ').expect("a host and a clock");
        let clock: Value = serde_json::from_str(clock).expect("a clock");
        assert!(clock[host].as_u64() > Some(0), "{}", pair[0]);
    }
    let (code, text) = raddle(&["report", &schedule, file]);
    assert!(code == 64 && text.contains("-o"), "{text}");
    let (code, _) = raddle(&["report", &schedule, "examples/peterson.c", "-o", &page]);
    assert_eq!(code, 65, "a schedule of another program");
}
