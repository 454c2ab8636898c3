//! `raddle verify --batch`: nothing is lost and nothing done twice, however often it is killed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn directory(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("raddle-batch-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("tasks")).expect("a temporary directory");
    dir
}

fn batch(dir: &Path, out: &str, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command
        .current_dir(dir)
        .arg("verify")
        .args(["--batch", "tasks", "--out", out]);
    command
        .args(flags)
        .args(["--property", "unreach-call", "--timeout", "60s"]);
    command
}

fn run(dir: &Path, out: &str, flags: &[&str]) -> Output {
    batch(dir, out, flags).output().expect("raddle runs")
}

/// The table without times.
fn verdicts(dir: &Path, out: &str) -> Vec<String> {
    let text = std::fs::read_to_string(dir.join(out)).expect("a table");
    let line = |l: &str| l.rsplitn(5, ',').last().unwrap_or("").to_string();
    text.lines().map(line).collect()
}

/// Programs of which every third is wrong.
fn programs(dir: &Path, count: usize) {
    for n in 0..count {
        let (word, value) = if n % 3 == 0 {
            ("false", 1)
        } else {
            ("true", 2)
        };
        let text = format!(
            "#include <assert.h>\n#include <pthread.h>\nint x;\nstatic void *t(void *a) {{ x = 1; return a; }}\n\
             int main(void) {{ pthread_t id; pthread_create(&id, 0, t, 0); assert(x != {value}); }}\n"
        );
        let name = format!("tasks/{n:03}_{word}-unreach-call.c");
        std::fs::write(dir.join(name), text).expect("a program");
    }
}

#[test]
fn killed_again_and_again_it_ends_with_the_same_table() {
    let whole = |name: &str, default: u64| {
        let value = std::env::var(name).ok().and_then(|v| v.parse().ok());
        value.unwrap_or(default)
    };
    let count = whole("RADDLE_BATCH_TASKS", 24) as usize;
    let kills = whole("RADDLE_BATCH_KILLS", 3);
    let dir = directory("killed");
    programs(&dir, count);
    assert!(run(&dir, "once.csv", &[]).status.success());
    let once = verdicts(&dir, "once.csv");
    assert_eq!(once.len(), count + 1);
    let mut finished = 0;
    for n in 0..kills {
        let mut command = batch(&dir, "often.csv", &["-j2"]);
        let mut child = command.stderr(Stdio::null()).spawn().expect("raddle runs");
        std::thread::sleep(Duration::from_millis(200 + 70 * (n % 5)));
        let _ = child.kill();
        let _ = child.wait();
        let journal = std::fs::read_to_string(dir.join("often.journal")).unwrap_or_default();
        let lines = journal.lines().count();
        assert!(lines + 1 >= finished, "{lines} lines after {finished}");
        finished = lines;
    }
    let last = run(&dir, "often.csv", &[]);
    assert!(last.status.success());
    assert_eq!(verdicts(&dir, "often.csv"), once);
    let told = String::from_utf8_lossy(&last.stdout).into_owned();
    assert!(
        told.contains(&format!("{count} as expected, 0 wrong")),
        "{told}"
    );
    let again = run(&dir, "often.csv", &[]);
    let told = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(
        told.contains(&format!("{count} of {count} tasks were finished")),
        "{told}"
    );
    let _ = std::fs::remove_dir_all(&dir);
}

#[test]
fn definitions_say_what_to_check_and_wrong_answers_are_told() {
    let dir = directory("defined");
    programs(&dir, 2);
    let property = "CHECK( init(main()), LTL(G ! data-race) )\n";
    std::fs::write(dir.join("race.prp"), property).expect("a property");
    std::fs::write(dir.join("odd.prp"), "CHECK( init(main()), LTL(F end) )\n").expect("a property");
    let definition = "format_version: '2.0'\ninput_files: '000_false-unreach-call.c'\nproperties:\n  \
                      - property_file: ../race.prp\n    expected_verdict: true\n  - property_file: ../odd.prp\n    \
                      expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n";
    std::fs::write(dir.join("tasks/000.yml"), definition).expect("a definition");
    let output = run(&dir, "r.csv", &["--html", "r.html"]);
    let text = std::fs::read_to_string(dir.join("r.csv")).expect("a table");
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(
        text.contains("000.yml,no-data-race,true,false(no-data-race)"),
        "{text}"
    );
    assert_eq!(
        output.status.code(),
        Some(1),
        "one answer is not the expected one"
    );
    let page = std::fs::read_to_string(dir.join("r.html")).expect("a page");
    assert!(
        page.contains("class=\"wrong\"") && !page.contains("http"),
        "{page}"
    );
    std::fs::write(dir.join("tasks/bad.yml"), "input_files: [").expect("a definition");
    let bad = run(&dir, "r.csv", &[]);
    assert_eq!(bad.status.code(), Some(65));
    assert!(String::from_utf8_lossy(&bad.stderr).contains("bad.yml"));
    let _ = std::fs::remove_dir_all(&dir);
}
