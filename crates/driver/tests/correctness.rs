//! Correctness witnesses, against an oracle that knows nothing of proofs: every invariant is written into the program as an assertion at its place, inside an
//! atomic region, and the interpreter runs the result under random schedules. So an invariant also has to be C, over variables in scope.
//!
//! The programs are those of `tests/refine`, `tests/semantics` and `examples` of which `raddle verify` says `true`. `RADDLE_SUITE=word` runs only the
//! programs whose path contains the word; `RADDLE_SCHEDULES=n` runs each under n schedules.

use raddle_interp::constants::interesting;
use raddle_interp::schedulers::{Pct, Random, Runner, Scheduler, Stop};
use raddle_interp::{Config, End};
use raddle_ir::{DataModel, Property};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

#[allow(dead_code)]
mod suite;
use suite::{programs, read_case};

const PROTOTYPES: &str = "extern void __VERIFIER_error(void); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); ";

/// An invariant as the witness has it.
struct Claim {
    line: usize,
    column: usize,
    is_loop: bool,
    value: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn temporary(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("raddle-correctness-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    dir.join(name)
}

/// The witness of a program, if it is proved soon.
fn witness(path: &Path, model: DataModel, ending: &str) -> Option<String> {
    let stem = path.file_stem().expect("a name").to_string_lossy();
    let file = temporary(&format!("{stem}.{ending}"));
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["verify", "--property", "unreach-call", "--timeout", "20s"])
        .args(["--data-model", model.name(), "--witness"])
        .arg(&file)
        .arg(path)
        .args(["--", "argument"])
        .output()
        .expect("raddle runs");
    let proved = output.status.code() == Some(0);
    let text = std::fs::read_to_string(&file);
    let _ = std::fs::remove_file(&file);
    assert_eq!(
        proved,
        text.is_ok(),
        "{}: a witness or none",
        path.display()
    );
    text.ok()
}

/// Checks the structure of a witness by the keys of format 2.0, and returns its invariants.
fn claims(text: &str, path: &Path) -> Vec<Claim> {
    let entries: Value = serde_saphyr::from_str(text).expect("YAML");
    let [entry] = &entries.as_array().expect("entries")[..] else {
        panic!("one entry, not {entries}");
    };
    let keys = |v: &Value| -> Vec<String> {
        let object = v
            .as_object()
            .unwrap_or_else(|| panic!("an object, not {v}"));
        let mut keys: Vec<String> = object.keys().cloned().collect();
        keys.sort();
        keys
    };
    assert_eq!(keys(entry), ["content", "entry_type", "metadata"]);
    assert_eq!(entry["entry_type"], "invariant_set");
    let metadata = &entry["metadata"];
    assert_eq!(
        keys(metadata),
        [
            "creation_time",
            "format_version",
            "producer",
            "task",
            "uuid"
        ]
    );
    assert_eq!(metadata["format_version"], "2.0");
    assert_eq!(keys(&metadata["producer"]), ["name", "version"]);
    let uuid = metadata["uuid"].as_str().expect("a uuid");
    let lengths: Vec<usize> = uuid.split('-').map(str::len).collect();
    assert_eq!(lengths, [8, 4, 4, 4, 12]);
    let task = &metadata["task"];
    assert_eq!(
        keys(task),
        [
            "data_model",
            "input_file_hashes",
            "input_files",
            "language",
            "specification"
        ]
    );
    assert_eq!(
        task["specification"],
        "CHECK( init(main()), LTL(G ! call(reach_error())) )"
    );
    assert_eq!(task["language"], "C");
    let name = path.display().to_string();
    assert_eq!(task["input_files"][0], name.as_str());
    let hash = task["input_file_hashes"][&name].as_str();
    assert_eq!(hash.map(str::len), Some(64));
    let content = entry["content"].as_array().expect("a list");
    let claim = |c: &Value| {
        assert_eq!(keys(c), ["invariant"]);
        let c = &c["invariant"];
        assert_eq!(keys(c), ["format", "location", "type", "value"]);
        assert_eq!(c["format"], "c_expression");
        let at = &c["location"];
        assert_eq!(keys(at), ["column", "file_name", "function", "line"]);
        assert_eq!(at["file_name"], name.as_str());
        let number = |v: &Value| v.as_u64().expect("a number") as usize;
        Claim {
            line: number(&at["line"]),
            column: number(&at["column"]),
            is_loop: match c["type"].as_str() {
                Some("loop_invariant") => true,
                Some("location_invariant") => false,
                other => panic!("{other:?}"),
            },
            value: c["value"].as_str().expect("an expression").to_string(),
        }
    };
    content.iter().map(claim).collect()
}

/// The program with an assertion for each claim; lines stay where they are.
fn with_assertions(text: &str, claims: &[Claim]) -> String {
    let mut begins = vec![0];
    begins.extend(text.match_indices('\n').map(|(i, _)| i + 1));
    let mut edits: Vec<(usize, String)> = vec![(0, PROTOTYPES.into())];
    for c in claims {
        let check = format!(
            "__VERIFIER_atomic_begin(); if (!({})) __VERIFIER_error(); __VERIFIER_atomic_end();",
            c.value
        );
        let at = begins[c.line - 1] + c.column - 1;
        if !c.is_loop {
            assert!(text[begins[c.line - 1]..at].trim().is_empty());
            edits.push((at, format!("{check} ")));
            continue;
        }
        let open = at + text[at..].find('(').expect("a condition") + 1;
        if text[at..].starts_with("while") {
            edits.push((open, format!("({{ {check} 0; }}), ")));
            continue;
        }
        assert!(text[at..].starts_with("for"));
        let condition = open + text[open..].find(';').expect("a condition") + 1;
        let none = text[condition..].trim_start().starts_with(';');
        let rest = if none { "1" } else { "" };
        edits.push((condition, format!(" ({{ {check} 0; }}), {rest}")));
    }
    edits.sort_by_key(|e| e.0);
    let mut out = String::new();
    let mut from = 0;
    for (at, edit) in edits {
        out += &text[from..at];
        out += &edit;
        from = at;
    }
    out + &text[from..]
}

/// Runs a program under random schedules; the line of an error, if there is one.
fn fails(name: &str, text: &str, model: DataModel, schedules: u64) -> Result<Option<u32>, String> {
    let file = temporary(name);
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    let options = raddle_c::Options {
        model,
        arguments: raddle_c::Arguments::Given(vec!["program".into(), "argument".into()]),
        ..raddle_c::Options::default()
    };
    let program = raddle_c::compile(&[&file], &options).map_err(|f| f.render())?;
    let config = Config {
        checks: [Property::UnreachCall].into_iter().collect(),
        output: false,
        quantum: 100,
        ..Config::default()
    };
    let values = interesting(&program);
    for seed in 0..schedules {
        let mut scheduler: Box<dyn Scheduler> = match seed % 3 {
            0 => Box::new(Random::new(seed).favouring(values.clone())),
            1 => Box::new(Pct::new(seed, 3, 60).favouring(values.clone())),
            _ => Box::new(Random::new(seed)),
        };
        let mut runner = Runner::new(scheduler.as_mut());
        let mut machine = runner.start(&program, config.clone());
        let stop = runner.run(&mut machine, 3_000, &mut |_| true);
        if let Stop::Ended(End::Violation(v)) = stop {
            return Ok(Some(program.span_of(v.at).line));
        }
    }
    Ok(None)
}

fn schedules() -> u64 {
    let given = std::env::var("RADDLE_SCHEDULES").ok();
    given.and_then(|n| n.parse().ok()).unwrap_or(120)
}

/// Checks all programs of a folder; how many are proved, how many invariants they have, and what is wrong.
fn check_folder(folder: &str) -> (usize, usize) {
    let mut paths = Vec::new();
    programs(&root().join(folder), &mut paths);
    paths.sort();
    if let Ok(word) = std::env::var("RADDLE_SUITE") {
        paths.retain(|p| p.display().to_string().contains(&word));
    }
    let (mut proved, mut said) = (0, 0);
    let mut problems = Vec::new();
    for path in paths {
        let case = read_case(&path);
        let safe = |e: &suite::Expectation| e.property == "unreach-call" && e.holds;
        if !case.expectations.iter().any(safe) {
            continue;
        }
        let Some(witness) = witness(&path, case.model, "yml") else {
            continue;
        };
        let claims = claims(&witness, &path);
        proved += 1;
        said += claims.len();
        let text = std::fs::read_to_string(&path).expect("a program");
        let name = path.file_name().expect("a name").to_string_lossy();
        match fails(
            &name,
            &with_assertions(&text, &claims),
            case.model,
            schedules(),
        ) {
            Ok(None) => {}
            Ok(Some(line)) => problems.push(format!("{name}: wrong in line {line}")),
            Err(why) => problems.push(format!("{name}: {why}")),
        }
    }
    eprintln!("{folder}: {proved} programs, {said} invariants");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    (proved, said)
}

#[test]
fn invariants_of_endless_programs_hold() {
    let (proved, said) = check_folder("tests/refine");
    if std::env::var("RADDLE_SUITE").is_err() {
        assert!(proved >= 8, "only {proved} programs are proved");
        assert!(said >= 30, "only {said} invariants");
    }
}

#[test]
fn invariants_of_examples_hold() {
    let (proved, said) = check_folder("examples");
    if std::env::var("RADDLE_SUITE").is_err() {
        assert!(
            proved >= 8 && said >= 10,
            "{proved} programs, {said} invariants"
        );
    }
}

#[test]
fn invariants_of_the_semantics_suite_hold() {
    let (proved, said) = check_folder("tests/semantics");
    if std::env::var("RADDLE_SUITE").is_err() {
        assert!(
            proved >= 40 && said >= 100,
            "{proved} programs, {said} invariants"
        );
    }
}

/// Names that mean something else elsewhere, statements that are not where a line begins, numbers of all widths.
const TRAPS: &str = r#"// A comment, and then the program.
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int shared = 3, hidden = 5;
signed char narrow = -1;
unsigned char byte = 200;
unsigned long long wide = 0x8000000000000000ULL;
enum colour { RED, GREEN } colour = GREEN;
struct pair { int first; struct { short second[3]; } in; } pair = { 1, { { 2, 3, 4 } } };
#define TWICE(x) do { (x)++; (x)++; } while (0)
static int helper(int hidden) {
    hidden = hidden + shared;
    return hidden;
}
void *thread(void *arg) {
    int outer = 1;
    {
        int hidden = 7; int inner = 2;
        pthread_mutex_lock(&m);
        shared = shared + inner; shared = shared - inner;
        outer = hidden;
        pthread_mutex_unlock(&m);
    }
    for (int hidden = 0; hidden < 2; hidden++) {
        pthread_mutex_lock(&m);
        outer = hidden;
        pthread_mutex_unlock(&m);
    }
    do {
        pthread_mutex_lock(&m);
        outer--;
        pthread_mutex_unlock(&m);
    }
    while (outer > 0);
    if (shared > 100)
        outer = 3;
    else outer = 4;
    switch (outer) {
    case 4:
        TWICE(outer);
        outer = helper(outer);
        break;
    default:
        outer = 0;
    }
    pthread_mutex_lock(&m);
    narrow = narrow;
    byte = byte;
    wide = wide;
    colour = colour;
    pair.in.second[1] = pair.in.second[1];
    pthread_mutex_unlock(&m);
    assert(outer < 200);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    hidden = 6;
    hidden = helper(hidden);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(narrow == -1 && byte == 200 && pair.in.second[1] == 3 && wide && colour);
    return 0;
}
"#;

#[test]
fn names_mean_what_they_mean_there() {
    let path = temporary("traps.c");
    std::fs::write(&path, TRAPS).expect("a file");
    let witness = witness(&path, DataModel::Lp64, "yml").expect("a proof");
    let claims = claims(&witness, &path);
    let values: Vec<&str> = claims.iter().map(|c| &c.value[..]).collect();
    for said in [
        "narrow == -1",
        "(byte == 200U)",
        "pair.in.second[1] == 3",
        "wide == 9223372036854775808ULL",
    ] {
        assert!(
            values.iter().any(|v| v.contains(said)),
            "nothing says {said}"
        );
    }
    let text = with_assertions(TRAPS, &claims);
    assert_eq!(
        fails("traps_claims.c", &text, DataModel::Lp64, 300),
        Ok(None)
    );
}

/// The oracle is no rubber stamp.
#[test]
fn what_does_not_hold_is_noticed() {
    let path = root().join("tests/refine/counter.c");
    let text = std::fs::read_to_string(&path).expect("a program");
    for (line, column, is_loop, value) in [
        (13, 9, false, "(count == 0)"),
        (12, 5, true, "(count <= 1)"),
        (38, 5, false, "(0 <= count) && (count != 2)"),
    ] {
        let claim = Claim {
            line,
            column,
            is_loop,
            value: value.into(),
        };
        let broken = with_assertions(&text, &[claim]);
        let found = fails("counter_claims.c", &broken, DataModel::Lp64, 2_000);
        assert_eq!(found, Ok(Some(line as u32)), "{value}");
    }
}

#[test]
fn the_older_format_says_that_the_program_is_correct() {
    let path = root().join("tests/refine/counter.c");
    let text = witness(&path, DataModel::Lp64, "graphml").expect("a proof");
    assert!(text.contains("<data key=\"witness-type\">correctness_witness</data>"));
    assert!(text.contains("<data key=\"entry\">true</data>"));
    assert_eq!(text.matches("<node ").count(), 1);
    assert!(!text.contains("<data key=\"violation\">"), "{text}");
    assert!(text.trim_end().ends_with("</graphml>"));
}
