//! The older format: a path of edges, each a line executed by a thread.

use super::{Subject, Task, iso, sha256, specification};

const KEYS: [(&str, &str, &str); 16] = [
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("violatedProperty", "string", "node"),
    ("threadId", "string", "edge"),
    ("createThread", "string", "edge"),
    ("startline", "int", "edge"),
    ("endline", "int", "edge"),
    ("originfile", "string", "edge"),
];

/// What every graph begins with, up to its first node.
pub(super) fn opening(task: &Task, kind: &str, specification: &str) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (name, kind, of) in KEYS {
        out += &format!(
            "  <key attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{of}\" id=\"{name}\"/>\n"
        );
    }
    let (file, bytes) = match task.files.first() {
        Some((name, bytes)) => (name.as_str(), &bytes[..]),
        None => ("", &[][..]),
    };
    out += "  <graph edgedefault=\"directed\">\n";
    for (name, value) in [
        ("witness-type", kind.to_string()),
        ("sourcecodelang", "C".into()),
        ("producer", format!("Raddle {}", task.version)),
        ("specification", specification.to_string()),
        ("programfile", file.into()),
        ("programhash", sha256(bytes)),
        ("architecture", format!("{}bit", task.bits())),
        ("creationtime", iso(task.time)),
    ] {
        out += &data("    ", name, &value);
    }
    out
}

/// A violation in GraphML.
pub fn graphml(subject: &Subject) -> String {
    let specification = specification(subject.violation.property);
    let mut out = opening(&subject.task, "violation_witness", &specification);
    out += "    <node id=\"n0\">\n";
    out += &data("      ", "entry", "true");
    out += "    </node>\n";
    let program = subject.task.program;
    let mut steps: Vec<_> = subject
        .story
        .scenes
        .iter()
        .map(|s| (s.thread, s.at, subject.makes(s)))
        .collect();
    steps.push((subject.violation.thread, subject.violation.at, None));
    for (n, (thread, at, makes)) in steps.iter().enumerate() {
        let last = n + 1 == steps.len();
        out += &format!("    <node id=\"n{}\">\n", n + 1);
        if last {
            out += &data("      ", "violation", "true");
            out += &data(
                "      ",
                "violatedProperty",
                subject.violation.property.name(),
            );
        }
        out += &format!(
            "    </node>\n    <edge source=\"n{n}\" target=\"n{}\">\n",
            n + 1
        );
        out += &data("      ", "threadId", &thread.0.to_string());
        if let Some(new) = makes {
            out += &data("      ", "createThread", &new.to_string());
        }
        let span = program.span_of(*at);
        if span.is_somewhere() {
            out += &data("      ", "startline", &span.line.to_string());
            out += &data("      ", "endline", &span.line.to_string());
            if let Some(file) = program.files.get(span.file.0 as usize) {
                out += &data("      ", "originfile", file);
            }
        }
        out += "    </edge>\n";
    }
    out + "  </graph>\n</graphml>\n"
}

pub(super) fn data(indent: &str, key: &str, value: &str) -> String {
    let value = value
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    format!("{indent}<data key=\"{key}\">{value}</data>\n")
}
