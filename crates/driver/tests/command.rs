//! The command as a user meets it: exit codes, replay, messages.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn raddle(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(args)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .output()
        .expect("raddle runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn temporary(name: &str, text: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("raddle-test-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    let path = dir.join(name);
    std::fs::write(&path, text).expect("a temporary file");
    path
}

#[test]
fn the_first_command_of_the_readme_shows_the_lost_wake_up() {
    let output = raddle(&["run", "examples/bounded_buffer.c"]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("lost wake-up"), "{text}");
    assert!(
        text.contains("replay: raddle run examples/bounded_buffer.c --seed"),
        "{text}"
    );
}

#[test]
fn a_recorded_schedule_replays_and_is_refused_for_another_program() {
    let file = temporary("race.json", "");
    let file = file.to_str().expect("a plain path");
    let first = raddle(&["run", "examples/bank_account_race.c", "--record", file]);
    assert_eq!(first.status.code(), Some(1));
    let again = raddle(&["run", "examples/bank_account_race.c", "--schedule", file]);
    assert_eq!(again.status.code(), Some(1));
    let cause = |o: &Output| {
        stderr(o)
            .lines()
            .find(|l| l.contains("data race"))
            .map(String::from)
    };
    assert!(cause(&first).is_some());
    assert_eq!(cause(&first), cause(&again));
    let other = raddle(&["run", "examples/peterson.c", "--schedule", file]);
    assert_eq!(other.status.code(), Some(65));
    assert!(stderr(&other).contains("another version of the program"));
    let nonsense = temporary("nonsense.json", "{\"format\": 1}");
    let nonsense = nonsense.to_str().expect("a plain path");
    let bad = raddle(&["run", "examples/peterson.c", "--schedule", nonsense]);
    assert_eq!(bad.status.code(), Some(65));
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let program = temporary(
        "order.c",
        "#include <pthread.h>\n#include <stdio.h>\n\
         static void *say(void *name) { for (int i = 0; i < 3; i++) printf(\"%s\", (char *)name); return 0; }\n\
         int main(void) { pthread_t a, b; pthread_create(&a, 0, say, \"a\"); pthread_create(&b, 0, say, \"b\");\n\
         pthread_join(a, 0); pthread_join(b, 0); puts(\"\"); return 0; }\n",
    );
    let program = program.to_str().expect("a plain path");
    let mut seen = std::collections::BTreeSet::new();
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let one = raddle(&["run", program, "--seed", seed]);
        let two = raddle(&["run", program, "--seed", seed]);
        assert_eq!(one.status.code(), Some(0), "{}", stderr(&one));
        assert_eq!(one.stdout, two.stdout);
        seen.insert(one.stdout);
    }
    assert!(seen.len() > 1, "all seeds gave one order");
}

#[test]
fn mistakes_get_the_right_exit_code_and_a_message() {
    let usage: &[&[&str]] = &[
        &["run"],
        &["run", "--no-such-flag", "x.c"],
        &["no-such-command"],
        &[
            "run",
            "examples/peterson.c",
            "--property",
            "no-such-property",
        ],
        &["run", "examples/peterson.c", "--seed", "many"],
    ];
    for args in usage {
        let output = raddle(args);
        assert_eq!(
            output.status.code(),
            Some(64),
            "{args:?}: {}",
            stderr(&output)
        );
        assert!(!output.stderr.is_empty());
    }
    let broken = temporary("broken.c", "int main(void) { return 1 +; }\n");
    let empty = temporary("empty.c", "");
    let binary = temporary("binary.i", "\u{1}\u{2}\u{0}\u{fffd}");
    let include = temporary(
        "include.c",
        "#include <no/such/header.h>\nint main(void) { return 0; }\n",
    );
    let asm = temporary(
        "asm.c",
        "int main(void) { asm volatile(\"hlt\"); return 0; }\n",
    );
    let inputs = [&broken, &empty, &binary, &include, &asm];
    let inputs = inputs.map(|p| p.to_str().expect("a plain path"));
    for file in inputs.into_iter().chain(["no/such/file.c", "examples"]) {
        let output = raddle(&["run", file]);
        assert_eq!(
            output.status.code(),
            Some(65),
            "{file}: {}",
            stderr(&output)
        );
        assert!(!output.stderr.is_empty(), "{file}");
    }
    let output = raddle(&["run", inputs[0]]);
    assert!(
        stderr(&output).contains("broken.c:1:"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn help_and_version_are_no_errors() {
    for args in [&["--help"][..], &["run", "--help"], &["--version"]] {
        assert_eq!(raddle(args).status.code(), Some(0));
    }
}

#[test]
fn programs_get_their_arguments_and_their_status_is_told() {
    let program = temporary(
        "arguments.c",
        "#include <stdio.h>\nint main(int n, char **a) { printf(\"%d %s\\n\", n, a[n - 1]); return 3; }\n",
    );
    let program = program.to_str().expect("a plain path");
    let output = raddle(&["run", program, "--seed", "0", "--", "one", "two"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "3 two\n");
    assert!(stderr(&output).contains("status 3"));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn flags_come_from_a_compilation_database_and_only_the_harmless_ones() {
    let program = temporary(
        "flagged.c",
        "#include <stdio.h>\nint main(void) { printf(\"%d\", WIDTH); return 0; }\n",
    );
    let dir = program.parent().expect("a directory").display().to_string();
    let database = temporary(
        "compile_commands.json",
        &format!(
            "[{{\"directory\": \"{dir}\", \"file\": \"flagged.c\", \"command\": \"cc -DWIDTH=17 -fplugin=evil.so -o x flagged.c\"}}]"
        ),
    );
    let (program, database) = (
        program.display().to_string(),
        database.display().to_string(),
    );
    let output = raddle(&[
        "run",
        &program,
        "--seed",
        "0",
        "--compile-commands",
        &database,
    ]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "17",
        "{}",
        stderr(&output)
    );
    let output = raddle(&["run", &program, "--compile-commands", &program]);
    assert_eq!(output.status.code(), Some(65));
}

#[test]
fn functions_without_a_body_are_named() {
    let program = temporary(
        "mystery.c",
        "int mystery(int); int main(void) { return mystery(1) > 3; }\n",
    );
    let output = raddle(&["run", &program.display().to_string(), "--seed", "0"]);
    assert!(
        stderr(&output).contains("`mystery` has no body"),
        "{}",
        stderr(&output)
    );
}

/// A handful of random programs by csmith print what gcc's code prints; `RADDLE_CSMITH=n` runs n.
#[test]
fn random_programs_print_what_gcc_prints() {
    let headers = "/usr/include/csmith";
    let have = Command::new("csmith").arg("--version").output().is_ok();
    if !have || !Path::new(headers).exists() {
        eprintln!("skipped: csmith or its headers are not installed");
        return;
    }
    let wanted = std::env::var("RADDLE_CSMITH")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(4);
    let mut compared = 0;
    let mut seed = 1;
    while compared < wanted {
        let source = Command::new("csmith")
            .args(["--seed", &seed.to_string()])
            .output()
            .expect("csmith runs");
        let path = temporary(
            &format!("random{seed}.c"),
            &String::from_utf8_lossy(&source.stdout),
        );
        let native = path.with_extension("native");
        let include = format!("-I{headers}");
        let built = Command::new("gcc")
            .args(["-O0", "-w", &include, "-o"])
            .args([&native, &path])
            .status()
            .expect("gcc runs");
        assert!(built.success());
        let expected = Command::new("timeout")
            .arg("0.2")
            .arg(&native)
            .output()
            .expect("timeout runs");
        seed += 1;
        if !expected.status.success() {
            continue;
        }
        let path = path.display().to_string();
        let found = raddle(&["run", &path, "--seed", "0", "--property", "none", &include]);
        assert_eq!(found.stdout, expected.stdout, "seed {}", seed - 1);
        compared += 1;
    }
}

/// Every example whose header expects no violation at all runs a thousand schedules under all detectors.
#[test]
fn no_detector_fires_on_a_correct_example() {
    let mut correct = 0;
    for entry in std::fs::read_dir(root().join("examples")).expect("the examples") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut expectations = text
            .lines()
            .filter(|l| l.starts_with("//! expect:"))
            .peekable();
        if expectations.peek().is_none() || expectations.any(|l| l.contains(" false")) {
            continue;
        }
        correct += 1;
        let name = path.to_str().expect("a plain path");
        let output = raddle(&["run", name, "--tries", "1000"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
    }
    assert!(correct >= 8, "only {correct} correct examples");
}

#[test]
fn the_text_form_of_every_example_reads_back() {
    for entry in std::fs::read_dir(root().join("examples")).expect("the examples") {
        let path = entry.expect("an entry").path();
        let name = path.to_str().expect("a plain path");
        if name.ends_with(".c") {
            let output = raddle(&["ir", name, "--check"]);
            assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        }
    }
}
