//! `raddle verify` as a user meets it: mistakes, limits, Ctrl-C. What engines answer is tested inside the command and
//! in their own crates.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(args).current_dir(root()).env("NO_COLOR", "1");
    command
}

fn raddle(args: &[&str]) -> Output {
    command(args).output().expect("raddle runs")
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().last().unwrap_or("").to_string()
}

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn temporary(name: &str, text: &str) -> String {
    let dir = std::env::temp_dir().join(format!("raddle-verify-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    let path = dir.join(name);
    std::fs::write(&path, text).expect("a temporary file");
    path.display().to_string()
}

#[test]
fn mistakes_get_the_right_exit_code_and_no_verdict() {
    let unknown_property = temporary("termination.prp", "CHECK( init(main()), LTL(F end) )\n");
    let broken = temporary("broken.c", "int main(void) { return 1 +; }\n");
    let example = "examples/peterson.c";
    let cases: &[(&[&str], i32)] = &[
        (&["verify"], 64),
        (&["verify", example, "--property", "no-such-property"], 64),
        (&["verify", example, "--property", "none"], 64),
        (&["verify", example, "--engine", "no-such-engine"], 64),
        (&["verify", example, "--timeout", "5 parsecs"], 64),
        (&["verify", example, "--timeout", "-1"], 64),
        (&["verify", example, "--memory", "much"], 64),
        (&["verify", example, "--unwind", "-1"], 64),
        (&["verify", example, "--data-model", "LP65"], 64),
        (&["verify", example, "--format", "toml"], 64),
        (&["replay", example], 64),
        (&["verify", example, "--property", "no/such/file.prp"], 65),
        (&["verify", example, "--property", &unknown_property], 65),
        (&["verify", "no/such/file.c"], 65),
        (&["verify", &broken], 65),
        (&["replay", example, "--schedule", "no/such/file"], 65),
    ];
    for (args, code) in cases {
        let output = raddle(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {message}");
        assert!(!message.is_empty(), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

/// What a function without a body may call, and values of the environment that are longer, are not covered by a proof.
#[test]
fn what_is_passed_out_is_not_left_out_silently() {
    let calls = "void outside(int (*)(void)); int x; int f(void) { return ++x; }";
    let cases = [
        (
            format!("{calls} int main(void) {{ outside(f); return 0; }}"),
            "verdict: unknown(safe for runs in which `outside` calls nothing)",
        ),
        (
            format!("{calls} int main(void) {{ outside(0); return 0; }}"),
            "verdict: true",
        ),
        (
            format!(
                "{calls} struct s {{ int (*f)(void); }} s = {{ f }}; void enter(struct s *);\nint main(void) {{ enter(&s); return 0; }}"
            ),
            "verdict: unknown(safe for runs in which `enter` does not call `f` after line 2)",
        ),
        (
            format!("{calls} extern int (*hook)(void);\nint main(void) {{ hook = f; return 0; }}"),
            "verdict: unknown(safe for runs in which code outside the program does not call `f` after line 2)",
        ),
        (
            format!(
                "{calls} struct s {{ int (*f)(void); }} s = {{ f }}; void enter(int *);\nint main(void) {{ enter(&x); return s.f() - 1; }}"
            ),
            "verdict: true",
        ),
        (
            "#include <stdlib.h>\nint main(void) { return getenv(\"A\") != 0; }".to_owned(),
            "verdict: unknown(safe for values of the environment of up to 15 characters)",
        ),
    ];
    for (i, (text, verdict)) in cases.iter().enumerate() {
        let file = temporary(&format!("outside{i}.c"), text);
        let output = raddle(&["verify", &file]);
        assert_eq!(last_line(&output), *verdict, "{text}");
        let message = String::from_utf8_lossy(&output.stdout);
        assert!(!message.contains("-- ARGS"), "{text}: {message}");
    }
}

/// A violation that rests on the result of a function without a body says so first, and may be left open.
#[test]
fn results_of_functions_without_a_body_are_named() {
    let number = "#include <assert.h>\nextern int foo(void), bar(void);\nint main(void) { bar();\n if (foo() == 7)\n assert(0); return 0; }";
    let pointer =
        "extern int *find(void);\nint main(void) { int *p = find(); if (p)\n *p = 1; return 0; }";
    let neither = "#include <assert.h>\nextern int bar(void); extern void *find(void);\nint main(void) { find(); assert(bar() * 0); return 0; }";
    let open = "verdict: unknown(needs `foo` to return 7)";
    let cases = [
        (number, "any", "verdict: false(unreach-call)", true),
        (number, "", "verdict: false(unreach-call)", true),
        (number, "unknown", open, true),
        (pointer, "any", "verdict: false(valid-deref)", true),
        (
            pointer,
            "",
            "verdict: unknown(needs `find` to return the pointer ",
            true,
        ),
        (
            pointer,
            "unknown",
            "verdict: unknown(needs `find` to return ",
            true,
        ),
        (neither, "unknown", "verdict: false(unreach-call)", false),
    ];
    for (i, (text, havoc, verdict, needs)) in cases.into_iter().enumerate() {
        let file = temporary(&format!("havoc{i}.c"), text);
        let option = format!("--havoc={havoc}");
        let mut args = vec!["verify", &file, "--timeout", "20s"];
        if !havoc.is_empty() {
            args.push(&option);
        }
        let output = raddle(&args);
        let message = String::from_utf8_lossy(&output.stdout);
        assert!(last_line(&output).starts_with(verdict), "{text}: {message}");
        assert_eq!(
            message.starts_with("this needs `"),
            needs,
            "{text}: {message}"
        );
        assert_eq!(message.contains("hint: `"), needs, "{text}: {message}");
        assert!(message.contains("result of `"), "{text}: {message}");
    }
}

/// A violation that rests on a function's not ordering threads, not freeing and not calling back is left open; one beside such a function is not.
#[test]
fn functions_without_a_body_may_order_free_and_call() {
    let threads = "#include <pthread.h>\nint x; void *w(void *a) { BODY return a; }\nint main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); pthread_join(t, 0); pthread_join(u, 0); }";
    let race = |declarations: &str, body: &str| {
        format!("{declarations}\n{}", threads.replace("BODY", body))
    };
    let waits = |submit: &str| {
        format!(
            "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int done;\nvoid finished(void *p) {{ (void)p; pthread_mutex_lock(&m); done = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); }}\nvoid submit(void (*f)(void *)); void other(int);\nint main(void) {{ {submit}; pthread_mutex_lock(&m); while (!done) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); }}"
        )
    };
    let leak = |give: &str| {
        format!(
            "#include <stdlib.h>\nstruct list {{ struct list *next; }}; void drop(struct list *); void look(int);\nint main(void) {{ struct list *l = malloc(sizeof *l); if (!l) return 0; l->next = 0; {give}; return 0; }}"
        )
    };
    let lock = "typedef struct { long w[5]; } lock; lock l; void take(lock *), give(lock *);";
    let cases = [
        (
            race(lock, "take(&l); x++; give(&l);"),
            "verdict: unknown(needs `take` not to order threads, as a lock does)",
        ),
        (
            race("void take(void), give(void);", "take(); x++; give();"),
            "verdict: unknown(needs `take` not to order threads, as a lock does)",
        ),
        (
            race(
                "#include <assert.h>\n_Atomic int n; void take(void), give(void);",
                "take(); n++; assert(n == 1); n--; give();",
            ),
            "verdict: unknown(needs `take` not to order threads, as a lock does)",
        ),
        (
            race("int number(int);", "int n = number(3); x += n;"),
            "verdict: false(no-data-race)",
        ),
        (
            race("int y; void take(int *);", "int own = 0; take(&own); x++;"),
            "verdict: false(no-data-race)",
        ),
        (
            waits("submit(finished)"),
            "verdict: unknown(needs `submit` not to call `finished`)",
        ),
        (waits("other(3)"), "verdict: false(no-deadlock)"),
        (
            leak("drop(l)"),
            "verdict: unknown(needs `drop` not to free or keep what it is given)",
        ),
        (leak("look(1)"), "verdict: false(valid-memtrack)"),
    ];
    for (i, (text, verdict)) in cases.into_iter().enumerate() {
        let file = temporary(&format!("external{i}.c"), &text);
        let output = raddle(&["verify", &file, "--timeout", "20s"]);
        let message = String::from_utf8_lossy(&output.stdout);
        assert_eq!(last_line(&output), verdict, "{text}: {message}");
        let open = verdict.contains("needs");
        let anyway = raddle(&["verify", &file, "--timeout", "20s", "--havoc=any"]);
        assert!(last_line(&anyway).starts_with("verdict: false("), "{text}");
        let needs = String::from_utf8_lossy(&anyway.stdout).contains("this needs `");
        assert_eq!(needs, open, "{text}");
    }
}

/// A violation that rests on memory which a function without a body could write is left open, and so is one that rests on unknown assembly.
#[test]
fn memory_given_to_functions_without_a_body_is_not_taken_for_unwritten() {
    let open = "verdict: unknown(needs `get` not to write through its arguments)";
    let unwritten =
        "extern void get(int *);\nint main(void) { int n; get(&n); return n > 3 ? 1 : 0; }";
    let unchanged = "#include <assert.h>\nextern void get(int *);\nint main(void) { int n = 0; get(&n); assert(n == 42); }";
    let pointer =
        "extern void get(int **);\nint main(void) { int *p; get(&p); return *p ? 1 : 0; }";
    let heap = "#include <stdlib.h>\nextern void get(void *);\nint main(void) { int *p = malloc(8); get(p); int n = p[1] ? 1 : 0; free(p); return n; }";
    let constant =
        "extern void get(const int *);\nint main(void) { int n; get(&n); return n > 3 ? 1 : 0; }";
    let elsewhere = "#include <assert.h>\nextern void get(int *);\nint main(void) { int n = 0; get(&n); assert(0); return n; }";
    let unused = "extern void get(int *);\nint main(void) { int n = 0; get(&n); return 0; }";
    let assembly = "#include <assert.h>\nint main(void) { unsigned n; __asm__(\"popcnt %1, %0\" : \"=r\"(n) : \"r\"(7)); assert(n == 3); }";
    let line = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\nint main(void) { char *l = 0; size_t n = 0; int a = 0; if (getline(&l, &n, stdin) > 0) a = l[0] == 'a'; free(l); return a; }";
    let machine = "int main(void) { unsigned low, high; __asm__ volatile(\"rdtsc\" : \"=a\"(low), \"=d\"(high)); return low == high; }";
    let cases = [
        (unwritten, open),
        (unchanged, open),
        (pointer, open),
        (heap, open),
        (constant, "verdict: false(no-uninit)"),
        (elsewhere, "verdict: false(unreach-call)"),
        (unused, "verdict: true"),
        (
            assembly,
            "verdict: unknown(needs `asm popcnt %1, %0` to return ",
        ),
        (
            line,
            "verdict: unknown(safe for lines of up to 15 characters)",
        ),
        (machine, "verdict: true"),
    ];
    for (i, (text, verdict)) in cases.into_iter().enumerate() {
        let file = temporary(&format!("foreign{i}.c"), text);
        let output = raddle(&["verify", &file, "--timeout", "20s"]);
        let message = String::from_utf8_lossy(&output.stdout);
        assert!(last_line(&output).starts_with(verdict), "{text}: {message}");
    }
}

/// What would be wrong if it did nothing ends an execution; where a handler of signals is installed, no proof covers it.
#[test]
fn signals_are_not_left_out_silently() {
    let headers = "#include <signal.h>\n#include <assert.h>\n";
    let text = |rest: &str| format!("{headers}int x; void h(int s) {{ x = 1; }} {rest}");
    let reached = "int main(void) { signal(SIGUSR1, h); raise(SIGUSR1); assert(x == 1); }";
    let before = "int main(int n, char **v) { if (n == 2) raise(SIGUSR1); assert(n != 3); }";
    let never = "int main(void) { if (x) raise(SIGUSR1); return 0; }";
    let file = temporary("reached.c", &text(reached));
    let output = raddle(&["verify", &file]);
    let message = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{message}");
    let verdict = "verdict: unknown(unsupported: `raise` is not supported)";
    assert_eq!(last_line(&output), verdict);
    assert!(message.contains("reached.c:3:"), "{message}");
    let json = raddle(&["verify", &file, "--format", "json"]);
    let json = String::from_utf8_lossy(&json.stdout).into_owned();
    assert!(json.contains("is not supported"), "{json}");
    for (rest, verdict) in [
        (before, "verdict: false(unreach-call)"),
        (never, "verdict: true"),
    ] {
        let file = temporary("around.c", &text(rest));
        let output = raddle(&["verify", &file]);
        assert_eq!(last_line(&output), verdict, "{rest}");
    }
    let handler = "int main(void) { signal(SIGUSR1, h); assert(x == 0); return 0; }";
    let ignored = "int main(void) { signal(SIGPIPE, SIG_IGN); assert(x == 0); return 0; }";
    let wrong = "int main(void) { signal(SIGUSR1, h); assert(x == 1); return 0; }";
    for (name, rest, verdict) in [
        (
            "handler.c",
            handler,
            "verdict: unknown(safe for runs without signals)",
        ),
        ("ignored.c", ignored, "verdict: true"),
        ("wrong.c", wrong, "verdict: false(unreach-call)"),
    ] {
        let file = temporary(name, &text(rest));
        let output = raddle(&["verify", &file, "--property", "unreach-call"]);
        assert_eq!(last_line(&output), verdict, "{rest}");
    }
}

#[test]
fn a_recorded_schedule_is_replayed() {
    let file = temporary("race.json", "");
    let example = "examples/bank_account_race.c";
    let first = raddle(&["run", example, "--record", &file]);
    assert_eq!(first.status.code(), Some(1));
    let again = raddle(&["replay", example, "--schedule", &file]);
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&again.stderr).contains("data race"));
    let other = raddle(&["replay", "examples/peterson.c", "--schedule", &file]);
    assert_eq!(other.status.code(), Some(65));
}

#[test]
fn the_last_line_is_the_verdict() {
    let property = temporary(
        "unreach-call.prp",
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    );
    let output = raddle(&["verify", "examples/peterson.c", "--property", &property]);
    let line = last_line(&output);
    let code = match line.as_str() {
        "verdict: true" => 0,
        l if l.starts_with("verdict: false(") => 1,
        l if l.starts_with("verdict: unknown(") => 2,
        l => panic!("{l}"),
    };
    assert_eq!(output.status.code(), Some(code));
}

/// A program whose preprocessing waits until somebody writes to a pipe.
struct Stuck {
    program: String,
    pipe: String,
}

impl Stuck {
    fn new(name: &str) -> Stuck {
        let program = temporary(
            &format!("{name}.c"),
            &format!("#include \"{name}.h\"\nint main(void) {{ return 0; }}\n"),
        );
        let pipe = program.replace(".c", ".h");
        let _ = std::fs::remove_file(&pipe);
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|s| s.success()), "mkfifo");
        Stuck { program, pipe }
    }
}

impl Drop for Stuck {
    /// Lets the preprocessor go.
    fn drop(&mut self) {
        let open = std::fs::OpenOptions::new().write(true).open(&self.pipe);
        let _ = open.and_then(|mut f| f.write_all(b"\n"));
    }
}

#[test]
fn the_answer_comes_in_time_even_if_nobody_listens() {
    let stuck = Stuck::new("late");
    let cases: &[(&[&str], &str)] = &[
        (&["--timeout", "300ms"], "timeout"),
        (&["--timeout", "9s", "--memory", "1K"], "memory"),
        (&["--timeout", "9s", "--cpu-limit", "0s"], "cpu-limit"),
    ];
    for (flags, why) in cases {
        let started = Instant::now();
        let args = [&["verify", &stuck.program], *flags].concat();
        let output = raddle(&args);
        assert_eq!(last_line(&output), format!("verdict: unknown({why})"));
        assert_eq!(output.status.code(), Some(2));
        assert!(started.elapsed() < Duration::from_secs(3), "{why}");
    }
    let output = raddle(&[
        "verify",
        &stuck.program,
        "--timeout",
        "0",
        "--format",
        "json",
    ]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["verdict"], "unknown");
    assert_eq!(value["reason"], "timeout");
}

#[test]
fn inputs_can_be_given() {
    let program = temporary(
        "inputs.c",
        "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\nint x;\n\
         static void *t(void *a) { int n = __VERIFIER_nondet_int(); if (n > 3) x = n; return a; }\n\
         int main(void) { int k = __VERIFIER_nondet_int(); pthread_t id; pthread_create(&id, 0, t, 0);\n\
         pthread_join(id, 0); assert(x != 7 || k != -7); return 0; }\n",
    );
    let same = program.replace("inputs.c", "same.c");
    let text = std::fs::read_to_string(&program).expect("what was written");
    std::fs::write(&same, text.replace("-7", "7")).expect("a temporary file");
    let cases = [
        (&program, None, "verdict: false(unreach-call)"),
        (&program, Some("7"), "verdict: true"),
        (&same, Some("7"), "verdict: false(unreach-call)"),
        (&same, Some("5,7"), "verdict: true"),
        (&same, Some("-1"), "verdict: true"),
    ];
    let methods = [
        ["--engine", "staged"],
        ["-Z", "fusion-mode=optimal"],
        ["-Z", "fusion-mode=driven"],
        ["-Z", "fusion-mode=prune"],
    ];
    for (file, inputs, expected) in cases {
        for method in methods {
            let mut args = vec!["verify", file, "--property", "unreach-call"];
            args.extend(method);
            if method[0] == "-Z" {
                args.extend(["--engine", "fusion"]);
            }
            args.extend(inputs.iter().flat_map(|i| ["--input", i]));
            let output = raddle(&args);
            let last = last_line(&output);
            // Exploration alone does not know all inputs.
            let open = inputs.is_none() && last.starts_with("verdict: unknown");
            assert!(last == expected || open, "{args:?}: {last}");
        }
    }
}

#[test]
fn few_preemptions_are_never_a_proof() {
    let answer = |n: &str, file: &str| {
        let args = ["verify", "--engine", "fusion", "--property", "unreach-call"];
        let limit = format!("-Zpreemptions={n}");
        last_line(&raddle(&[&args[..], &[&limit, file]].concat()))
    };
    let none = answer("0", "examples/peterson_broken.c");
    assert!(none.starts_with("verdict: unknown"), "{none}");
    let two = answer("2", "examples/peterson_broken.c");
    assert_eq!(two, "verdict: false(unreach-call)");
    let args = ["verify", "--engine", "fusion", "--property", "unreach-call"];
    let switches = |n, file| {
        let limit = format!("-Zswitches={n}");
        last_line(&raddle(&[&args[..], &[&limit, file]].concat()))
    };
    let one = switches("1", "examples/peterson_broken.c");
    assert!(one.starts_with("verdict: unknown"), "{one}");
    let many = switches("6", "examples/peterson_broken.c");
    assert_eq!(many, "verdict: false(unreach-call)");
    let safe = answer("2", "examples/peterson.c");
    assert!(safe.starts_with("verdict: unknown"), "{safe}");
}

#[test]
fn an_interrupt_is_answered() {
    let stuck = Stuck::new("interrupted");
    let mut child = command(&["verify", &stuck.program])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("raddle runs");
    std::thread::sleep(Duration::from_millis(300));
    let pid = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &pid]).status();
    assert!(killed.is_ok_and(|s| s.success()));
    // The preprocessor holds the error stream open, so only what raddle says is waited for.
    let status = child.wait().expect("raddle ends");
    assert_eq!(status.code(), Some(2));
    let mut said = String::new();
    let mut out = child.stdout.take().expect("a pipe");
    drop(stuck);
    std::io::Read::read_to_string(&mut out, &mut said).expect("text");
    assert!(said.ends_with("verdict: unknown(cancelled)\n"), "{said}");
}

#[test]
fn a_race_is_told_in_a_sentence_and_in_columns() {
    let output = raddle(&[
        "verify",
        &example("bank_account_race.c"),
        "--property",
        "no-data-race",
        // The program has several races, and who is first tells one of them.
        "--engine",
        "fusion",
    ]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let first = text.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("`withdraw` ") && first.contains("`balance` at line"),
        "{text}"
    );
    assert!(first.ends_with("; no lock in common."), "{text}");
    let table: Vec<&str> = text.lines().skip_while(|l| *l != "schedule:").collect();
    let head = table.get(1).copied().unwrap_or_default();
    assert_eq!(head.matches(" │ ").count(), 2, "{text}");
    assert!(table.iter().any(|l| l.contains("✗ ")), "{text}");
    assert!(
        table.iter().any(|l| l.contains("balance: 100 → ")),
        "{text}"
    );
}

#[test]
fn sarif_has_one_flow_per_thread_in_one_order() {
    let args = ["--property", "no-data-race", "--format", "sarif"];
    let example = example("bank_account_race.c");
    let output = raddle(&[&["verify", &example], &args[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["properties"]["verdict"], "false(no-data-race)");
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "no-data-race");
    assert_eq!(result["level"], "error");
    let flows = result["codeFlows"][0]["threadFlows"]
        .as_array()
        .expect("flows");
    assert_eq!(flows.len(), 3);
    let mut orders: Vec<u64> = Vec::new();
    for flow in flows {
        for place in flow["locations"].as_array().expect("places") {
            orders.extend(place["executionOrder"].as_u64());
            let region = &place["location"]["physicalLocation"]["region"];
            assert!(region["startLine"].as_u64() > Some(0));
        }
    }
    orders.sort_unstable();
    assert!(orders.windows(2).all(|w| w[0] < w[1]), "{orders:?}");
    let safe = temporary("sarif_safe.c", "int main(void) { return 0; }\n");
    let output = raddle(&[&["verify", &safe], &args[..]].concat());
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(log["runs"][0]["results"][0]["kind"], "pass");
}

#[test]
fn every_kind_is_explained() {
    let list = raddle(&["explain"]);
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    assert_eq!(list.lines().count(), 12);
    for line in list.lines() {
        let kind = line.split_whitespace().next().expect("a kind");
        let output = raddle(&["explain", kind]);
        assert_eq!(output.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&output.stdout).contains("Example:"));
    }
    assert_eq!(raddle(&["explain", "no-such-kind"]).status.code(), Some(64));
    for args in [&["completions", "bash"][..], &["man", "verify"]] {
        let output = raddle(args);
        assert!(
            String::from_utf8_lossy(&output.stdout)
                .replace("\\-", "-")
                .contains("--cpu-limit"),
            "{args:?}"
        );
    }
}

#[test]
fn witnesses_name_the_threads_and_the_line_that_fails() {
    let dir = std::env::temp_dir().join(format!("raddle-witness-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    let example = example("bank_account_race.c");
    for ending in ["yml", "graphml"] {
        let path = dir.join(format!("w.{ending}")).display().to_string();
        let args = [
            "verify",
            &example,
            "--property",
            "no-data-race",
            "--witness",
            &path,
        ];
        assert_eq!(raddle(&args).status.code(), Some(1));
        let text = std::fs::read_to_string(&path).expect("a witness");
        if ending == "yml" {
            let entries: serde_json::Value = serde_saphyr::from_str(&text).expect("YAML");
            let entry = &entries[0];
            assert_eq!(entry["entry_type"], "violation_sequence");
            let hashes = &entry["metadata"]["task"]["input_file_hashes"];
            assert_eq!(hashes[&example].as_str().map(str::len), Some(64));
            let content = entry["content"].as_array().expect("segments");
            let last = &content[content.len() - 1]["segment"][0]["waypoint"];
            assert_eq!(last["type"], "target");
            let threads: std::collections::BTreeSet<u64> = content
                .iter()
                .filter_map(|s| s["segment"][0]["waypoint"]["thread_id"].as_u64())
                .collect();
            assert_eq!(threads.into_iter().collect::<Vec<_>>(), [0, 1, 2]);
        } else {
            assert_eq!(
                text.matches("<node ").count(),
                text.matches("<edge ").count() + 1
            );
            assert!(
                text.contains("<data key=\"createThread\">2</data>"),
                "{text}"
            );
            assert!(text.contains("<data key=\"violatedProperty\">no-data-race</data>"));
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
}

/// Every question has its answer in the output, and proofs of different engines make one verdict.
#[test]
fn engines_answer_together() {
    let program = "tests/ledger/deadline.c";
    // The refinement engine decides it alone; what it needs no search for has another engine's name.
    for engine in ["staged", "fusion"] {
        let alone = raddle(&["verify", program, "--engine", engine, "--timeout", "2s"]);
        assert_eq!(alone.status.code(), Some(2), "{engine} alone");
        let told = String::from_utf8_lossy(&alone.stdout).into_owned();
        assert!(told.contains("\nquestions: "), "{told}");
        assert!(told.starts_with("open: "), "{told}");
    }
    let together = raddle(&["verify", program, "--timeout", "60s", "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_slice(&together.stdout).expect("JSON");
    assert_eq!(answer["verdict"], "true", "{answer:#}");
    let questions = answer["questions"].as_array().expect("a list");
    assert!(questions.len() > 10);
    assert!(questions.iter().all(|q| q["status"] == "proved"));
    let engines: std::collections::BTreeSet<&str> = questions
        .iter()
        .filter_map(|q| q["engine"].as_str())
        .collect();
    assert!(engines.len() > 1, "{engines:?}");
    let names: std::collections::BTreeSet<&str> =
        questions.iter().filter_map(|q| q["id"].as_str()).collect();
    assert_eq!(names.len(), questions.len(), "names are unique");
}

/// What a violated program's other questions have for answers is told, too.
#[test]
fn a_violation_leaves_the_other_answers() {
    let output = raddle(&["verify", "examples/bounded_buffer.c", "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["verdict"], "false");
    let questions = answer["questions"].as_array().expect("a list");
    let count = |status| questions.iter().filter(|q| q["status"] == status).count();
    assert_eq!(count("violated"), 1);
    assert!(count("proved") > 0);
    let violated = questions.iter().find(|q| q["status"] == "violated");
    assert_eq!(violated.expect("one")["property"], "no-deadlock");
}
