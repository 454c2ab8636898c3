//! A page to look at an answer: the source with a mark at every question; for a violation, a lane for every thread, the source beside it,
//! and what followed from what.
//!
//! One file that needs nothing else: style, script and data are in it. The data is JSON; whatever comes from the program gets into the page as text only
//! (`textContent` in the script, and no `<` in the data), so hostile names stay names. What a page shows is a list of [`Run`]s, so that the failing
//! schedule can be compared with a passing one.

mod questions;

pub use questions::Advice;

use raddle_ir::{Location, Program, Span};
use raddle_verdict::Ledger;
use raddle_witness::story::{Scene, Story};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// A schedule that can be looked at.
pub struct Run<'a> {
    /// What it is called: "Shortest schedule".
    pub title: &'a str,
    /// It ends in the violation.
    pub fails: bool,
    /// What happens.
    pub story: &'a Story,
    /// Scenes from this one on differ from the first run; `None` if that does not matter.
    pub differs_from: Option<usize>,
}

/// What a page is about.
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// What was verified, for the title.
    pub name: &'a str,
    /// The text behind `verdict: `.
    pub verdict: &'a str,
    /// What went wrong, in one sentence; or how it was proved, or why it is not known.
    pub cause: &'a str,
    /// More about it, a line each.
    pub details: &'a [String],
    /// What was taken for granted.
    pub assumptions: &'a [String],
    /// How to see it again.
    pub replay: &'a str,
    /// Where it went wrong.
    pub at: Option<Location>,
    /// The schedules; none for a proof.
    pub runs: &'a [Run<'a>],
    /// For a proof: what holds at places of the program.
    pub holds: &'a [Holds],
    /// Every question and its answer, with what to try for those that are open; `None` for a schedule alone.
    pub ledger: Option<(&'a Ledger, Advice<'a>)>,
}

/// What holds whenever a thread is about to execute what stands at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holds {
    /// The file, by its name.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The function it is in.
    pub function: String,
    /// What holds, in C.
    pub text: String,
}

/// The page. `source` gives the text of a file.
pub fn page(subject: &Subject<'_>, source: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let data = data(subject, source).to_string();
    // Nothing in the data can end the element it stands in.
    let data = data
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    let title = escape(&format!("{} – {}", subject.name, subject.verdict));
    let parts = [
        ("{{title}}", title.as_str()),
        ("{{style}}", STYLE),
        ("{{script}}", SCRIPT),
        ("{{data}}", &data),
    ];
    let mut out = String::new();
    let mut rest = PAGE;
    // Each mark once, from the front, so that nothing that was put in is looked at again.
    while let Some((at, (mark, text))) = parts
        .iter()
        .filter_map(|part| rest.find(part.0).map(|at| (at, *part)))
        .min_by_key(|(at, _)| *at)
    {
        out += &rest[..at];
        out += text;
        rest = &rest[at + mark.len()..];
    }
    out + rest
}

/// Text that is no markup.
fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

fn data(subject: &Subject<'_>, source: &mut dyn FnMut(&str) -> Option<String>) -> Value {
    let program = subject.program;
    let mut files = Files {
        program,
        known: BTreeMap::new(),
        list: Vec::new(),
        source,
    };
    let at = subject
        .at
        .map_or(Value::Null, |at| files.place(program.span_of(at)));
    let runs: Vec<Value> = subject
        .runs
        .iter()
        .map(|run| run_data(program, run, &mut files))
        .collect();
    let holds: Vec<Value> = subject
        .holds
        .iter()
        .map(|h| {
            let at = program.files.iter().position(|f| *f == h.file);
            let file = raddle_ir::FileId(at.unwrap_or(0) as u32);
            let span = Span {
                file,
                line: h.line,
                column: 1,
                length: 1,
            };
            json!({"place": files.place(span), "function": h.function, "text": h.text})
        })
        .collect();
    let questions = match subject.ledger {
        Some((ledger, advice)) => questions::data(program, ledger, advice, &mut files),
        None => Value::Null,
    };
    json!({
        "questions": questions,
        "name": subject.name,
        "verdict": subject.verdict,
        "cause": subject.cause,
        "details": subject.details,
        "assumptions": subject.assumptions,
        "replay": subject.replay,
        "at": at,
        "files": files.list,
        "runs": runs,
        "holds": holds,
    })
}

fn run_data(program: &Program, run: &Run<'_>, files: &mut Files<'_>) -> Value {
    let thread = |(number, actor): (usize, &raddle_witness::story::Actor)| json!({"number": number, "function": actor.function});
    let threads: Vec<Value> = run.story.threads.iter().enumerate().map(thread).collect();
    let mut steps: Vec<Value> = Vec::new();
    for scene in &run.story.scenes {
        steps.push(step_data(program, scene, files));
    }
    let arrows = run.story.arrows.iter();
    let arrows: Vec<Value> = arrows
        .map(|a| json!([a.from, a.to, a.link.name(), a.what]))
        .collect();
    json!({
        "title": run.title,
        "fails": run.fails,
        "differs": run.differs_from,
        "threads": threads,
        "steps": steps,
        "arrows": arrows,
    })
}

fn step_data(program: &Program, scene: &Scene, files: &mut Files<'_>) -> Value {
    let changes = scene.changes.iter();
    let changes: Vec<Value> = changes
        .map(|c| json!([c.name, c.before, c.after]))
        .collect();
    json!({
        "thread": scene.thread.0,
        "place": files.place(program.span_of(scene.at)),
        "function": program.function(scene.at.function).name,
        "text": crate::words(program, scene.at),
        "changes": changes,
        "held": scene.held,
    })
}

/// The sources that the page shows, each once.
struct Files<'a> {
    program: &'a Program,
    known: BTreeMap<u32, usize>,
    list: Vec<Value>,
    source: &'a mut dyn FnMut(&str) -> Option<String>,
}

impl Files<'_> {
    /// File (by its number in the page), line, column and length.
    pub(super) fn place(&mut self, span: Span) -> Value {
        if !span.is_somewhere() {
            return Value::Null;
        }
        let number = match self.known.get(&span.file.0) {
            Some(&number) => number,
            None => {
                let name = crate::file(self.program, span);
                let text = (self.source)(name).unwrap_or_default();
                let lines: Vec<&str> = text.lines().collect();
                self.list.push(json!({"name": name, "lines": lines}));
                self.known.insert(span.file.0, self.list.len() - 1);
                self.list.len() - 1
            }
        };
        json!([number, span.line, span.column, span.length])
    }
}
