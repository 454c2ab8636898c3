//! A crate uses only the crates its row allows. The table is the project's design; change it there first.

use std::collections::BTreeMap;
use std::process::Command;

/// Crate, and what it may depend on among ours.
const ALLOWED: &[(&str, &[&str])] = &[
    ("raddle-ir", &[]),
    ("raddle-c", &["raddle-ir"]),
    ("raddle-model", &["raddle-ir"]),
    ("raddle-analysis", &["raddle-ir"]),
    ("raddle-interp", &["raddle-ir"]),
    ("raddle-solver", &[]),
    ("raddle-symbolic", &["raddle-ir", "raddle-solver"]),
    (
        "raddle-skeleton",
        &[
            "raddle-symbolic",
            "raddle-analysis",
            "raddle-ir",
            "raddle-solver",
        ],
    ),
    ("raddle-ccfg", &["raddle-ir", "raddle-analysis"]),
    ("raddle-verdict", &["raddle-ir"]),
    (
        "raddle-decide",
        &[
            "raddle-skeleton",
            "raddle-verdict",
            "raddle-ir",
            "raddle-solver",
        ],
    ),
    (
        "raddle-engine-staged",
        &[
            "raddle-decide",
            "raddle-skeleton",
            "raddle-verdict",
            "raddle-ir",
        ],
    ),
    (
        "raddle-engine-fusion",
        &[
            "raddle-analysis",
            "raddle-decide",
            "raddle-interp",
            "raddle-skeleton",
            "raddle-verdict",
            "raddle-ir",
        ],
    ),
    (
        "raddle-actions",
        &[
            "raddle-ccfg",
            "raddle-symbolic",
            "raddle-verdict",
            "raddle-ir",
            "raddle-solver",
        ],
    ),
    (
        "raddle-engine-project",
        &[
            "raddle-actions",
            "raddle-ccfg",
            "raddle-verdict",
            "raddle-ir",
            "raddle-solver",
        ],
    ),
    (
        "raddle-engine-refine",
        &[
            "raddle-actions",
            "raddle-ccfg",
            "raddle-symbolic",
            "raddle-verdict",
            "raddle-ir",
            "raddle-solver",
        ],
    ),
    (
        "raddle-witness",
        &["raddle-verdict", "raddle-interp", "raddle-ir"],
    ),
    (
        "raddle-report",
        &["raddle-witness", "raddle-verdict", "raddle-ir"],
    ),
    (
        "raddle-debugger",
        &[
            "raddle-report",
            "raddle-witness",
            "raddle-interp",
            "raddle-verdict",
            "raddle-ir",
        ],
    ),
];

#[test]
fn crates_use_only_what_their_row_allows() {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata runs");
    let text = String::from_utf8(output.stdout).expect("metadata is UTF-8");
    let metadata: serde_json::Value = serde_json::from_str(&text).expect("metadata is JSON");
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    let packages = metadata["packages"].as_array().expect("a list of packages");
    assert!(packages.len() >= 4, "the workspace has lost crates");
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        if name == "raddle" {
            continue;
        }
        let row = allowed
            .get(name)
            .unwrap_or_else(|| panic!("{name} has no row in the table"));
        for dependency in package["dependencies"].as_array().expect("a list") {
            let used = dependency["name"].as_str().expect("a name");
            // Tests may use anything: oracles often lie in another crate.
            let for_tests = dependency["kind"].as_str() == Some("dev");
            if used.starts_with("raddle") && !for_tests {
                assert!(row.contains(&used), "{name} must not use {used}");
            }
        }
    }
}
