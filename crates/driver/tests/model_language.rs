//! The examples of `docs/model-language.md` and the models of `benchmarks/project`: run as a reader would, formatted as the formatter does.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn raddle(args: &[&str]) -> Output {
    let run = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(args)
        .output();
    run.expect("the command runs")
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().last().unwrap_or("").to_string()
}

#[test]
fn the_examples_of_the_description_answer_as_they_say() {
    let text = std::fs::read_to_string(root().join("docs/model-language.md")).expect("a file");
    let dir = std::env::temp_dir().join(format!("raddle-models-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    let mut count = 0;
    for block in text.split("```rad\n").skip(1) {
        let model = block.split("```").next().expect("a block");
        let expected = model
            .lines()
            .next()
            .and_then(|l| l.strip_prefix("// verify: "));
        let expected = format!("verdict: {}", expected.expect("an expected verdict"));
        let file = dir.join(format!("example{count}.rad"));
        std::fs::write(&file, model).expect("a file");
        let file = file.to_str().expect("a name");
        for engine in ["staged", "project"] {
            let output = raddle(&[
                "verify",
                file,
                "--engine",
                engine,
                "--property",
                "unreach-call",
            ]);
            assert_eq!(last_line(&output), expected, "{engine} on\n{model}");
        }
        let formatted = raddle(&["fmt", "--check", file]);
        assert!(formatted.status.success(), "not formatted:\n{model}");
        count += 1;
    }
    std::fs::remove_dir_all(&dir).expect("removed");
    assert!(count >= 6, "examples are lost");
}

#[test]
fn the_benchmark_models_are_formatted_and_take_parameters() {
    for name in ["indexer", "file_system", "dining_philosophers"] {
        let file = root().join(format!("benchmarks/project/{name}.rad"));
        let file = file.to_str().expect("a name");
        assert!(raddle(&["fmt", "--check", file]).status.success(), "{name}");
        assert!(
            raddle(&["ir", "--check", file, "--param", "n=3"])
                .status
                .success(),
            "{name}"
        );
        let wrong = raddle(&["ir", file, "--param", "m=3"]);
        assert_eq!(wrong.status.code(), Some(65));
        assert!(String::from_utf8_lossy(&wrong.stderr).contains("no parameter `m`"));
    }
}
