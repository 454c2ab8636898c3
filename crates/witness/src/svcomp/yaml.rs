//! Violation sequences, format 2.x: one segment per scene, with the thread, and the target at the end.

use super::{Subject, Task, iso, sha256, specification};
use raddle_ir::{Location, Program};

/// A string as JSON writes it, which is YAML, too.
pub(super) fn text(s: &str) -> String {
    serde_json::Value::from(s).to_string()
}

/// What every entry begins with, up to its content. What it says gives it its name: the same for the same program and message.
pub(super) fn metadata(
    task: &Task,
    (entry, version): (&str, &str),
    specification: &str,
    message: &str,
) -> String {
    let whole: Vec<u8> = task.files.iter().flat_map(|(_, b)| b.clone()).collect();
    let digest = sha256(&[&whole[..], message.as_bytes()].concat());
    let uuid = format!(
        "{}-{}-4{}-8{}-{}",
        &digest[..8],
        &digest[8..12],
        &digest[13..16],
        &digest[17..20],
        &digest[20..32]
    );
    let mut out = format!(
        "- entry_type: {entry}\n  metadata:\n    format_version: \"{version}\"\n    uuid: {uuid}\n    creation_time: {}\n    producer:\n      name: Raddle\n      version: {}\n    task:\n      input_files:\n",
        text(&iso(task.time)),
        text(task.version)
    );
    for (name, _) in &task.files {
        out += &format!("        - {}\n", text(name));
    }
    out += "      input_file_hashes:\n";
    for (name, bytes) in &task.files {
        out += &format!("        {}: {}\n", text(name), sha256(bytes));
    }
    out + &format!(
        "      specification: {}\n      data_model: {}\n      language: C\n",
        text(specification),
        task.program.model.name()
    )
}

/// A violation in YAML.
pub fn yaml(subject: &Subject) -> String {
    let task = &subject.task;
    let violation = subject.violation;
    let entry = ("violation_sequence", "2.1");
    let specification = specification(violation.property);
    let mut out = metadata(task, entry, &specification, &violation.message);
    out += "  content:\n";
    for scene in &subject.story.scenes {
        let Some(place) = location(task.program, scene.at) else {
            continue;
        };
        out += &format!(
            "    - segment:\n        - waypoint:\n            type: assumption\n            action: follow\n            thread_id: {}\n            constraint:\n              value: \"1\"\n              format: c_expression\n{place}",
            scene.thread.0
        );
    }
    if let Some(place) = location(task.program, subject.violation.at) {
        out += &format!(
            "    - segment:\n        - waypoint:\n            type: target\n            action: follow\n            thread_id: {}\n{place}",
            subject.violation.thread.0
        );
    }
    out
}

fn location(program: &Program, at: Location) -> Option<String> {
    let span = program.span_of(at);
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
