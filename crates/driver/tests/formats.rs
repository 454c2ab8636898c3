//! What `raddle verify` prints for other tools is accepted by their schemas, and `BenchExec` can drive it (`tests/scripts/formats.py`).
//! Needs Python with the packages jsonschema and benchexec: `RADDLE_PYTHON` names it. Without them the test says so and passes.

use std::path::Path;
use std::process::Command;

#[test]
fn other_tools_accept_the_formats() {
    let python = std::env::var("RADDLE_PYTHON").unwrap_or_else(|_| "python3".into());
    let asked = Command::new(&python)
        .args(["-c", "import jsonschema, benchexec"])
        .output();
    if !asked.is_ok_and(|o| o.status.success()) {
        assert!(
            std::env::var_os("RADDLE_PYTHON").is_none(),
            "{python} lacks the packages"
        );
        eprintln!("skipped: no Python with jsonschema and benchexec");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(&python)
        .arg(root.join("tests/scripts/formats.py"))
        .arg(env!("CARGO_BIN_EXE_raddle"))
        .output()
        .expect("Python runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let wrong = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}{wrong}");
    assert!(told.contains("json and sarif: accepted"), "{told}");
    assert!(told.contains("benchexec: accepted"), "{told}");
}
