//! SARIF 2.1.0, the format in which code-scanning services take results: one thread flow per thread.
//!
//! Columns count bytes, which is the same as SARIF's code points for lines in ASCII.

use crate::explain::explain;
use crate::{cause, file, words};
use raddle_ir::{Location, Program, Property, Span};
use raddle_witness::Violation;
use raddle_witness::story::{Change, Scene, Story};
use serde_json::{Map, Value, json};

/// What came out, for one program.
pub enum Outcome<'a> {
    /// No violation is possible; how that was proved.
    Proved(&'a str),
    /// These violations, each with its story.
    Violated(Vec<(&'a Violation, Story)>),
    /// Not known, and why.
    Unknown(String),
}

/// Who says so, and about what.
pub struct About<'a> {
    /// The version of this program.
    pub version: &'a str,
    /// The program.
    pub program: &'a Program,
    /// What was checked.
    pub properties: &'a [Property],
    /// The text behind `verdict: `.
    pub verdict: &'a str,
}

/// A log with one run.
pub fn sarif(about: &About, outcome: &Outcome) -> Value {
    let results: Vec<Value> = match outcome {
        Outcome::Proved(how) => plain(about, "pass", how),
        Outcome::Unknown(why) => plain(about, "open", why),
        Outcome::Violated(all) => all
            .iter()
            .map(|(v, story)| result(about.program, v, story))
            .collect(),
    };
    let rules: Vec<Value> = about.properties.iter().map(|p| rule(*p)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "raddle",
                "version": about.version,
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": {"verdict": about.verdict},
        }],
    })
}

fn rule(property: Property) -> Value {
    json!({
        "id": property.name(),
        "shortDescription": {"text": explain(property).title},
        "help": {"text": format!("raddle explain {}", property.name())},
    })
}

/// One result per property, without a place.
fn plain(about: &About, kind: &str, text: &str) -> Vec<Value> {
    let one = |p: &Property| {
        json!({
            "ruleId": p.name(),
            "kind": kind,
            "level": "none",
            "message": {"text": text},
        })
    };
    about.properties.iter().map(one).collect()
}

fn result(program: &Program, violation: &Violation, story: &Story) -> Value {
    let text = match cause(program, violation) {
        Some(cause) => format!("{}. {cause}.", violation.message),
        None => format!("{}.", violation.message),
    };
    let related: Vec<Value> = violation
        .related
        .iter()
        .enumerate()
        .filter_map(|(n, r)| {
            let mut place = location(program, r.at)?;
            place.insert("id".into(), json!(n));
            place.insert("message".into(), json!({"text": r.label}));
            Some(Value::Object(place))
        })
        .collect();
    let flows: Vec<Value> = (0..story.threads.len())
        .filter_map(|n| flow(program, story, n))
        .collect();
    let mut result = json!({
        "ruleId": violation.property.name(),
        "kind": "fail",
        "level": "error",
        "message": {"text": text},
        "relatedLocations": related,
    });
    if let Some(place) = location(program, violation.at) {
        result["locations"] = json!([place]);
    }
    if !flows.is_empty() {
        result["codeFlows"] = json!([{
            "message": {"text": "a schedule that leads there"},
            "threadFlows": flows,
        }]);
    }
    result
}

/// What one thread did; nothing if it did nothing.
fn flow(program: &Program, story: &Story, thread: usize) -> Option<Value> {
    let mine = |s: &&(usize, &Scene)| s.1.thread.0 as usize == thread;
    let scenes: Vec<(usize, &Scene)> = story.scenes.iter().enumerate().collect();
    let locations: Vec<Value> = scenes
        .iter()
        .filter(mine)
        .filter_map(|(order, scene)| {
            let mut place = location(program, scene.at)?;
            place.insert("message".into(), json!({"text": told(program, scene)}));
            Some(json!({
                "location": place,
                "executionOrder": order + 1,
                "state": state(&scene.changes),
            }))
        })
        .collect();
    let function = &story.threads[thread].function;
    (!locations.is_empty()).then(|| {
        json!({
            "id": format!("thread {thread}"),
            "message": {"text": format!("thread {thread}, {function}")},
            "locations": locations,
        })
    })
}

fn told(program: &Program, scene: &Scene) -> String {
    let function = &program.function(scene.at.function).name;
    match words(program, scene.at) {
        "" => format!("in {function}"),
        text => format!("{text} (in {function})"),
    }
}

/// The values after a scene.
fn state(changes: &[Change]) -> Value {
    let mut all = Map::new();
    for c in changes {
        all.insert(c.name.clone(), json!({"text": c.after}));
    }
    Value::Object(all)
}

fn location(program: &Program, at: Location) -> Option<Map<String, Value>> {
    let span = program.span_of(at);
    span.is_somewhere().then(|| {
        let mut place = Map::new();
        place.insert("physicalLocation".into(), physical(program, span));
        let function = &program.function(at.function).name;
        let logical = json!([{"name": function, "kind": "function"}]);
        place.insert("logicalLocations".into(), logical);
        place
    })
}

fn physical(program: &Program, span: Span) -> Value {
    let column = span.column.max(1);
    json!({
        "artifactLocation": {"uri": uri(file(program, span))},
        "region": {
            "startLine": span.line,
            "startColumn": column,
            "endColumn": column + span.length.max(1),
        },
    })
}

/// A path as a reference: relative ones stay relative.
fn uri(path: &str) -> String {
    let mut out = match path.starts_with('/') {
        true => "file://".to_string(),
        false => String::new(),
    };
    for b in path.bytes() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(b));
            }
            _ => out += &format!("%{b:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/x/ü.c"), "file:///x/%C3%BC.c");
    }
}
