//! A story for other viewers: the trace format of Chrome (which Perfetto opens), and the log of ShiViz.
//!
//! Neither knows how long anything took: a schedule has an order, not a time. In a trace every step takes one millisecond.

use crate::words;
use raddle_ir::Program;
use raddle_witness::story::{Scene, Story};
use serde_json::{Value, json};

/// Microseconds for a step.
const STEP: usize = 1000;

/// The trace format of Chrome: a track for every thread, a slice for every step, flows for what followed from what.
pub fn chrome(program: &Program, story: &Story) -> String {
    let mut events: Vec<Value> = Vec::new();
    for (number, actor) in story.threads.iter().enumerate() {
        let name = format!("thread {number}: {}", actor.function);
        events.push(json!({"ph": "M", "pid": 1, "tid": number, "name": "thread_name", "args": {"name": name}}));
    }
    for (at, scene) in story.scenes.iter().enumerate() {
        let span = program.span_of(scene.at);
        let place = format!("{}:{}", crate::file(program, span), span.line);
        let mut arguments = json!({"at": place, "step": at + 1});
        for change in &scene.changes {
            arguments[&change.name] = json!(change.after);
        }
        events.push(json!({
            "ph": "X", "pid": 1, "tid": scene.thread.0, "ts": at * STEP, "dur": STEP,
            "name": words(program, scene.at), "cat": program.function(scene.at.function).name, "args": arguments,
        }));
    }
    for (id, arrow) in story.arrows.iter().enumerate() {
        let end = |ph: &str, scene: usize, inside: usize| {
            json!({
                "ph": ph, "id": id, "pid": 1, "tid": story.scenes[scene].thread.0, "ts": scene * STEP + inside,
                "name": arrow.link.name(), "cat": "follows", "bp": "e", "args": {"what": arrow.what},
            })
        };
        events.push(end("s", arrow.from, STEP - 1));
        events.push(end("f", arrow.to, 1));
    }
    json!({"traceEvents": events, "displayTimeUnit": "ms"}).to_string()
}

/// The log of ShiViz: two lines for every step, the thread with its vector clock and what it did. To be read with the expression
/// `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`.
pub fn shiviz(program: &Program, story: &Story) -> String {
    let count = story.threads.len();
    let mut clocks: Vec<Vec<u64>> = vec![vec![0; count]; count];
    let mut kept: Vec<Vec<u64>> = Vec::new();
    let mut out = String::new();
    for (at, scene) in story.scenes.iter().enumerate() {
        let thread = scene.thread.0 as usize;
        for arrow in story.arrows.iter().filter(|a| a.to == at) {
            let other = kept[arrow.from].clone();
            for (mine, theirs) in clocks[thread].iter_mut().zip(other) {
                *mine = (*mine).max(theirs);
            }
        }
        clocks[thread][thread] += 1;
        let host = |n: usize| format!("{n}-{}", name(&story.threads[n].function));
        let clock: serde_json::Map<String, Value> = clocks[thread]
            .iter()
            .enumerate()
            .filter(|(_, n)| **n > 0)
            .map(|(n, time)| (host(n), json!(time)))
            .collect();
        out += &format!(
            "{} {}\n{}\n",
            host(thread),
            Value::Object(clock),
            event(program, scene)
        );
        kept.push(clocks[thread].clone());
    }
    out
}

/// One line for a step.
fn event(program: &Program, scene: &Scene) -> String {
    let line = program.span_of(scene.at).line;
    let changes: Vec<String> = scene
        .changes
        .iter()
        .map(|c| format!("{} = {}", c.name, c.after))
        .collect();
    let behind = match changes.is_empty() {
        true => String::new(),
        false => format!(" [{}]", changes.join(", ")),
    };
    format!("{line} {}{behind}", words(program, scene.at)).replace(['\n', '\r'], " ")
}

/// A name without blanks.
fn name(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_whitespace() { '_' } else { c })
        .collect()
}
