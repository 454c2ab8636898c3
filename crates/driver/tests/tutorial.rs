//! The commands in `docs/tutorial.md` give what stands below them.

use std::path::Path;
use std::process::Command;

/// What a command must print: these beginnings of lines, in this order; whether something may come between is said by `…`.
fn holds(output: &str, expected: &[&str]) -> Result<(), String> {
    let mut lines = output.lines();
    let mut anything = false;
    for want in expected {
        if *want == "…" {
            anything = true;
            continue;
        }
        let found = match anything {
            true => lines.any(|l| l.starts_with(want)),
            false => lines.next().is_some_and(|l| l.starts_with(want)),
        };
        if !found {
            return Err(format!("`{want}` is missing in\n{output}"));
        }
        anything = false;
    }
    match anything || lines.next().is_none() {
        true => Ok(()),
        false => Err(format!("there is more than expected in\n{output}")),
    }
}

#[test]
fn the_tutorial_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/tutorial.md")).expect("the tutorial");
    let dir = std::env::temp_dir().join(format!("raddle-tutorial-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    // Run where files may be written, with the examples at hand.
    let _ = std::os::unix::fs::symlink(root.join("examples"), dir.join("examples"));
    let mut commands = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or("");
        for command in block.split("$ raddle ").skip(1) {
            let mut lines = command.lines();
            let words = lines.next().unwrap_or("").split_whitespace();
            let expected: Vec<&str> = lines.collect();
            let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
                .args(words.clone())
                .current_dir(&dir)
                .output()
                .expect("raddle runs");
            let told = String::from_utf8_lossy(&output.stdout).into_owned();
            let words: Vec<&str> = words.collect();
            if let Err(why) = holds(&told, &expected) {
                let wrong = String::from_utf8_lossy(&output.stderr).into_owned();
                panic!("raddle {}: {why}\n{wrong}", words.join(" "));
            }
            commands += 1;
        }
    }
    assert!(commands >= 9, "only {commands} commands");
    let _ = std::fs::remove_dir_all(&dir);
}
