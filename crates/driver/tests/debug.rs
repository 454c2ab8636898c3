//! The debugger as users and editors meet it: scripts on standard input, the debug adapter driven by the test client for such adapters
//! (`tests/scripts/dap.mjs`), the panes driven through tmux, and the commands of the tutorial.
//!
//! The adapter's sessions need node and the package `@vscode/debugadapter-testsupport` (`RADDLE_NODE_MODULES`), the panes need tmux. Without them
//! that part says so and passes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const RADDLE: &str = env!("CARGO_BIN_EXE_raddle");

/// Two threads that count, and a structure to look at.
const COUNTER: &str = "#include <assert.h>
#include <pthread.h>
struct pair { int a, b; struct pair *next; };
static int total;
static void *add(void *arg) {
    struct pair mine = {1, 2, 0};
    mine.next = &mine;
    int seen = total;
    total = seen + mine.a;
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, add, 0);
    pthread_create(&u, 0, add, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(total == 2);
    return 0;
}
";

/// A thread that waits for nobody.
const SPIN: &str = "#include <stdatomic.h>
static atomic_int stop;
int main(void) {
    while (!stop)
        ;
    return 0;
}
";

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the project has a root")
}

/// A directory with programs to debug.
fn programs(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("raddle-debug-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    std::fs::write(dir.join("counter.c"), COUNTER).expect("it can be written");
    std::fs::write(dir.join("spin.c"), SPIN).expect("it can be written");
    let wrong = "int main(void) {\n    return 1 +;\n}\n";
    std::fs::write(dir.join("wrong.c"), wrong).expect("it can be written");
    let example = root().join("examples/bounded_buffer.c");
    std::fs::copy(example, dir.join("bounded_buffer.c")).expect("it can be copied");
    dir
}

/// What `raddle debug` answers to a script.
fn script(dir: &Path, arguments: &[&str], lines: &str) -> Output {
    let mut child = Command::new(RADDLE)
        .arg("debug")
        .args(arguments)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("raddle starts");
    let mut input = child.stdin.take().expect("it has an input");
    input.write_all(lines.as_bytes()).expect("it reads");
    drop(input);
    child.wait_with_output().expect("it ends")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn scripts_are_answered() {
    let dir = programs("script");
    let lines = "break 9 if seen == 1\nc\nthreads\np total\nrc\nmoment\nquit\nthreads\n";
    let output = script(&dir, &["counter.c", "--property", "unreach-call"], lines);
    let said = text(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("breakpoint 1 (counter.c:9, if seen == 1) met by thread"),
        "{said}"
    );
    assert!(said.contains("total = 1"), "{said}");
    assert!(
        said.contains("this is the beginning of the history"),
        "{said}"
    );
    assert_eq!(
        said.matches("(raddle) threads").count(),
        1,
        "nothing comes behind quit: {said}"
    );
    // A mistake in a script shows in the exit code; those of the command line, too.
    assert_eq!(
        script(&dir, &["counter.c"], "p nobody\n").status.code(),
        Some(64)
    );
    assert_eq!(script(&dir, &[], "").status.code(), Some(64));
    assert_eq!(script(&dir, &["none.c"], "").status.code(), Some(65));
    assert_eq!(
        script(&dir, &["counter.c", "--schedule", "none.json"], "")
            .status
            .code(),
        Some(65)
    );
}

#[test]
fn a_violation_is_found_gone_through_and_saved() {
    let dir = programs("find");
    let lines = "moment end\nback\nsave again.json\nmoment end\nsave again.json\n";
    let options = ["counter.c", "--find", "--property", "unreach-call"];
    let said = text(&script(&dir, &options, lines));
    assert!(said.contains("violation of unreach-call"), "{said}");
    assert!(said.contains("written: again.json"), "{said}");
    let replay = Command::new(RADDLE)
        .args(["replay", "counter.c", "--schedule", "again.json"])
        .current_dir(&dir)
        .output()
        .expect("raddle starts");
    assert_eq!(replay.status.code(), Some(1), "{}", text(&replay));
    let again = script(&dir, &["--schedule", "again.json"], "moment end\n");
    assert!(
        text(&again).contains("violation of unreach-call"),
        "{}",
        text(&again)
    );
}

#[test]
fn editors_are_served() {
    let Ok(modules) = std::env::var("RADDLE_NODE_MODULES") else {
        eprintln!("skipped: RADDLE_NODE_MODULES is not set");
        return;
    };
    if !Path::new(&modules)
        .join("@vscode/debugadapter-testsupport")
        .is_dir()
    {
        eprintln!("skipped: @vscode/debugadapter-testsupport is not there");
        return;
    }
    let dir = programs("dap");
    let output = Command::new("node")
        .arg(root().join("tests/scripts/dap.mjs"))
        .arg(RADDLE)
        .arg(&modules)
        .arg(&dir)
        .output()
        .expect("node starts");
    let (said, complained) = (text(&output), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}\n{complained}");
    assert!(said.contains("all sessions went as they should"), "{said}");
}

/// A terminal with `raddle debug` in it.
struct Tmux {
    socket: String,
}

impl Tmux {
    fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .args(["-L", &self.socket])
            .args(arguments)
            .output()
            .expect("tmux runs");
        text(&output)
    }

    fn keys(&self, keys: &[&str]) {
        let mut all = vec!["send-keys", "-t", "0"];
        all.extend(keys);
        self.run(&all);
    }

    /// Waits until the screen shows something.
    fn shows(&self, what: &str) -> String {
        let began = Instant::now();
        loop {
            let screen = self.run(&["capture-pane", "-p", "-t", "0"]);
            if screen.contains(what) {
                return screen;
            }
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "`{what}` does not come:\n{screen}"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[test]
fn panes_are_driven_through_a_terminal() {
    if Command::new("tmux").arg("-V").output().is_err() {
        eprintln!("skipped: tmux is not there");
        return;
    }
    let dir = programs("panes");
    let tmux = Tmux {
        socket: format!("raddle-{}", std::process::id()),
    };
    let shell = format!("cd {} && PS1='done> ' sh", dir.display());
    tmux.run(&[
        "-f",
        "/dev/null",
        "new-session",
        "-d",
        "-x",
        "130",
        "-y",
        "45",
        &shell,
    ]);
    tmux.shows("done>");
    tmux.keys(&[
        &format!("{RADDLE} debug counter.c --property unreach-call"),
        "Enter",
    ]);
    let open = tmux.shows("threads");
    assert!(
        open.contains("counter.c") && open.contains("moment"),
        "{open}"
    );
    tmux.keys(&["?"]);
    tmux.shows("any key closes this");
    tmux.keys(&["x"]);
    // Break, run there, step and step back.
    tmux.keys(&[":", "break add", "Enter"]);
    tmux.shows("breakpoint 1: function add");
    tmux.keys(&["c"]);
    tmux.shows("breakpoint 1 (function add) met by thread 1");
    tmux.keys(&["n"]);
    tmux.shows("thread 1 in add at counter.c:7");
    tmux.keys(&["N"]);
    tmux.shows("thread 1 in add at counter.c:6");
    // Ask, and go through the answer.
    tmux.keys(&["f"]);
    tmux.shows("yes: ");
    tmux.keys(&["e"]);
    tmux.shows("violation of unreach-call");
    // Somebody has looked at the other interleavings meanwhile.
    tmux.shows("J goes there");
    tmux.keys(&[":", "switch main", "Enter"]);
    tmux.shows(" main: moment");
    tmux.keys(&["J"]);
    let jumped = tmux.shows("this run:");
    assert!(jumped.contains(" warning: moment"), "{jumped}");
    tmux.keys(&["q"]);
    tmux.shows("done>");
    // A crash leaves the terminal as it was.
    tmux.keys(&["clear", "Enter"]);
    tmux.keys(&[
        &format!("RADDLE_DEBUG_PANIC=1 {RADDLE} debug counter.c; stty -a; echo finis''hed"),
        "Enter",
    ]);
    let screen = tmux.shows("finished\n");
    assert!(screen.contains("this is a bug in raddle"), "{screen}");
    assert!(
        screen.contains(" icanon") && screen.contains(" echo "),
        "{screen}"
    );
}

/// The commands of the tutorial, as they stand there.
#[test]
fn the_tutorial_works() {
    let text =
        std::fs::read_to_string(root().join("docs/debugging.md")).expect("the tutorial is there");
    let mut blocks = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ raddle debug ") else {
            continue;
        };
        let mut commands = String::new();
        let mut expected: Vec<(String, String)> = Vec::new();
        for line in lines.by_ref() {
            if line == "```" {
                break;
            }
            match line.strip_prefix("(raddle) ") {
                Some(one) => {
                    commands.push_str(one);
                    commands.push('\n');
                    expected.push((one.to_string(), String::new()));
                }
                None => {
                    if let Some((_, answer)) = expected.last_mut() {
                        answer.push_str(line);
                        answer.push('\n');
                    }
                }
            }
        }
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let output = script(&root(), &arguments, &commands);
        let said = self::text(&output);
        let mut rest = said.as_str();
        for (one, answer) in &expected {
            let prompt = format!("(raddle) {one}\n");
            let at = rest
                .find(&prompt)
                .unwrap_or_else(|| panic!("`{one}` is not answered:\n{said}"));
            rest = &rest[at + prompt.len()..];
            let end = rest.find("(raddle) ").unwrap_or(rest.len());
            assert_eq!(
                rest[..end].trim_end(),
                answer.trim_end(),
                "{command}: {one}"
            );
        }
        blocks += 1;
    }
    assert!(blocks >= 2, "only {blocks} sessions in the tutorial");
}
