//! What a program starts with: the arguments of `main`, or other functions.

use std::path::PathBuf;
use std::process::Command;

/// One thread for every unit of its argument; two of them race.
const WORKERS: &str = r#"
#include <pthread.h>
#include <stdlib.h>
int total;
void *work(void *unused) { total++; return unused; }
int main(int argc, char **argv) {
    pthread_t threads[2];
    if (argc != 2) return 1;
    int n = atoi(argv[1]);
    if (n < 1 || n > 2) return 1;
    for (int i = 0; i < n; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < n; i++) pthread_join(threads[i], 0);
    return 0;
}
"#;

/// A library: a counter with a lock, and one function that forgets it.
const LIBRARY: &str = r#"
#include <pthread.h>
struct counter { pthread_mutex_t lock; int value; };
void add(struct counter *c, int n) {
    pthread_mutex_lock(&c->lock);
    c->value += n;
    pthread_mutex_unlock(&c->lock);
}
void reset(struct counter *c) {
    pthread_mutex_lock(&c->lock);
    c->value = 0;
    pthread_mutex_unlock(&c->lock);
}
static int peek(struct counter *c) { return c->value; }
int look(struct counter *c) { return peek(c); }
static _Atomic int total;
void plain(int n) { total += n; }
void twice(void) { total *= 2; }
struct counter fresh(void) { struct counter c = {PTHREAD_MUTEX_INITIALIZER, 0}; return c; }
"#;

fn temporary(name: &str, text: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("raddle-starts-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    let path = dir.join(name);
    std::fs::write(&path, text).expect("a temporary file");
    path
}

/// Runs `raddle` and gives its exit code and what it printed.
fn raddle(words: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(words)
        .env("NO_COLOR", "1")
        .output()
        .expect("raddle runs");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    (output.status.code().expect("an exit code"), text)
}

#[test]
fn arguments_are_inputs_unless_they_are_given() {
    let file = temporary("workers.c", WORKERS).display().to_string();
    let schedule = temporary("workers.json", "").display().to_string();
    let (code, text) = raddle(&["verify", &file, "--witness", &schedule]);
    assert!(
        code == 1 && text.contains("verdict: false(no-data-race)"),
        "{text}"
    );
    let (code, text) = raddle(&["replay", &file, "--schedule", &schedule]);
    assert!(code == 1 && text.contains("data race on `total`"), "{text}");

    let (code, text) = raddle(&["verify", &file, "--property", "unreach-call"]);
    assert_eq!(code, 2, "no proof for all arguments there are: {text}");
    assert!(
        text.contains("unknown(safe for up to 3 arguments"),
        "{text}"
    );

    let (code, text) = raddle(&["verify", &file, "--", "1"]);
    assert!(
        code == 0 && text.contains("`main` is called with the arguments 1"),
        "{text}"
    );
    let (code, text) = raddle(&["verify", &file, "--witness", &schedule, "--", "2"]);
    assert!(code == 1 && text.contains("-- 2"), "{text}");
    let (code, text) = raddle(&["replay", &file, "--schedule", &schedule, "--", "2"]);
    assert!(code == 1, "{text}");
    let (code, text) = raddle(&["replay", &file, "--schedule", &schedule, "--", "1"]);
    assert!(code == 65, "another program: {text}");
}

#[test]
fn unused_arguments_do_not_matter() {
    let file = temporary(
        "unused.c",
        "int main(int argc, char **argv) { return 0; }\n",
    );
    let (code, text) = raddle(&["verify", &file.display().to_string()]);
    assert!(code == 0 && !text.contains("arguments"), "{text}");
}

#[test]
fn the_end_of_argv_is_null_and_strings_end() {
    let text = r#"
#include <assert.h>
#include <string.h>
int main(int argc, char **argv) {
    assert(argc >= 1);
    assert(argv[argc] == 0);
    for (int i = 0; i < argc; i++) assert(strlen(argv[i]) < 64);
    if (argc > 2 && argv[2][0] == 'x' && argv[2][1] == 0) assert(argv[1][0] != '-');
    return 0;
}
"#;
    let file = temporary("ends.c", text).display().to_string();
    let (code, text) = raddle(&["verify", &file]);
    assert!(code == 1 && text.contains("argv[1][0] != '-'"), "{text}");
}

#[test]
fn the_environment_is_empty_and_that_is_said() {
    let text = "int main(int argc, char **argv, char **envp) { return envp[0] ? 1 : 0; }\n";
    let file = temporary("environment.c", text).display().to_string();
    let (_, text) = raddle(&["verify", &file]);
    assert!(!text.contains("false"), "{text}");
    let (code, text) = raddle(&["verify", &file, "--", "x"]);
    assert!(
        code == 0 && text.contains("the environment is empty"),
        "{text}"
    );
}

#[test]
fn functions_can_run_at_the_same_time() {
    let file = temporary("library.c", LIBRARY).display().to_string();
    let (code, text) = raddle(&["verify", &file]);
    assert!(
        code == 65 && text.contains("there is no function `main`"),
        "{text}"
    );
    let (code, text) = raddle(&["verify", &file, "--entry", "add", "--entry", "reset"]);
    assert_eq!(code, 2, "nobody said what they are called with: {text}");
    assert!(
        text.contains("`add` called with one zeroed `struct counter`"),
        "{text}"
    );
    for other in ["look", "peek"] {
        let (code, text) = raddle(&["verify", &file, "--entry", "add", "--entry", other]);
        assert!(code == 1 && text.contains("no-data-race"), "{text}");
        let (code, text) = raddle(&["verify", &file, "--entry", other]);
        assert!(code == 2 && text.contains("safe for"), "alone: {text}");
    }
    let (code, text) = raddle(&["verify", &file, "--entry", "plain", "--entry", "twice"]);
    assert!(code == 0, "numbers are any numbers: {text}");
    let (code, text) = raddle(&["verify", &file, "--entry", "fresh"]);
    assert!(code == 65 && text.contains("structure"), "{text}");
    let (code, text) = raddle(&["verify", &file, "--entry", "missing"]);
    assert!(code == 65 && text.contains("`missing`"), "{text}");
}
