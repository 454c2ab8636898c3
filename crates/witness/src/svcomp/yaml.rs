//! Violation sequences, format 2.x: one segment per scene, with the thread, and the target at the end.

use super::{Subject, iso, sha256};
use raddle_ir::{Location, Program};

/// A witness in YAML. Strings are written as JSON writes them, which is YAML, too.
pub fn yaml(subject: &Subject) -> String {
    let text = |s: &str| serde_json::Value::from(s).to_string();
    let whole: Vec<u8> = subject.files.iter().flat_map(|(_, b)| b.clone()).collect();
    let digest = sha256(&[&whole[..], subject.violation.message.as_bytes()].concat());
    // A name for this witness: the same for the same program and violation.
    let uuid = format!(
        "{}-{}-4{}-8{}-{}",
        &digest[..8],
        &digest[8..12],
        &digest[13..16],
        &digest[17..20],
        &digest[20..32]
    );
    let mut out = format!(
        "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.1\"\n    uuid: {uuid}\n    creation_time: {}\n    producer:\n      name: Raddle\n      version: {}\n    task:\n      input_files:\n",
        text(&iso(subject.time)),
        text(subject.version)
    );
    for (name, _) in &subject.files {
        out += &format!("        - {}\n", text(name));
    }
    out += "      input_file_hashes:\n";
    for (name, bytes) in &subject.files {
        out += &format!("        {}: {}\n", text(name), sha256(bytes));
    }
    out += &format!(
        "      specification: {}\n      data_model: {}\n      language: C\n  content:\n",
        text(&subject.specification()),
        subject.program.model.name()
    );
    for scene in &subject.story.scenes {
        let Some(place) = location(subject.program, scene.at) else {
            continue;
        };
        out += &format!(
            "    - segment:\n        - waypoint:\n            type: assumption\n            action: follow\n            thread_id: {}\n            constraint:\n              value: \"1\"\n              format: c_expression\n{place}",
            scene.thread.0
        );
    }
    if let Some(place) = location(subject.program, subject.violation.at) {
        out += &format!(
            "    - segment:\n        - waypoint:\n            type: target\n            action: follow\n            thread_id: {}\n{place}",
            subject.violation.thread.0
        );
    }
    out
}

fn location(program: &Program, at: Location) -> Option<String> {
    let span = program.span_of(at);
    let text = |s: &str| serde_json::Value::from(s).to_string();
    let file = program.files.get(span.file.0 as usize)?;
    span.is_somewhere().then(|| {
        format!(
            "            location:\n              file_name: {}\n              line: {}\n              column: {}\n              function: {}\n",
            text(file),
            span.line,
            span.column.max(1),
            text(&program.function(at.function).name)
        )
    })
}
