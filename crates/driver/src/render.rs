//! Violations for a reader: source excerpts with carets, stacks, notes.

use ariadne::{Color, Config as Style, IndexType, Label, Report, ReportKind};
use raddle_interp::Violation;
use raddle_ir::{Location, Program, Span};
use raddle_witness::{ReplayedRun, Stack};
use std::collections::HashMap;
use std::ops::Range;

/// Renders violations of one program.
pub struct Renderer<'p> {
    program: &'p Program,
    sources: HashMap<u32, String>,
    colour: bool,
}

type Place = (String, Range<usize>);

impl<'p> Renderer<'p> {
    /// A renderer that reads the program's sources when needed, in colours if the text goes to a terminal.
    pub fn new(program: &'p Program, to_terminal: bool) -> Renderer<'p> {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        Renderer {
            program,
            sources: HashMap::new(),
            colour: wanted && to_terminal,
        }
    }

    fn file_name(&self, span: Span) -> &'p str {
        let files = &self.program.files;
        files.get(span.file.0 as usize).map_or("?", |f| f.as_str())
    }

    fn source(&mut self, span: Span) -> &str {
        let name = self.file_name(span).to_string();
        self.sources
            .entry(span.file.0)
            .or_insert_with(|| std::fs::read_to_string(&name).unwrap_or_default())
    }

    /// The line of a span without comments at its end, if its file can be read.
    pub fn line(&mut self, span: Span) -> Option<String> {
        let number = (span.line as usize).checked_sub(1)?;
        let line = self.source(span).lines().nth(number)?;
        let code = line.split("//").next().unwrap_or(line).trim();
        (!code.is_empty()).then(|| code.to_string())
    }

    /// The bytes a span covers in its file, if the file can be read.
    fn range(&mut self, span: Span) -> Option<Place> {
        if !span.is_somewhere() {
            return None;
        }
        let name = self.file_name(span).to_string();
        let text = self.source(span);
        let mut start = 0;
        for _ in 1..span.line {
            start += text[start..].find('\n')? + 1;
        }
        let line = text[start..].lines().next()?;
        let from = (span.column as usize).saturating_sub(1).min(line.len());
        let to = (from + span.length.max(1) as usize).min(line.len());
        let from = text.floor_char_boundary(start + from);
        let to = text.ceil_char_boundary(start + to).max(from);
        Some((name, from..to))
    }

    fn place(&self, at: Location) -> String {
        let span = self.program.span_of(at);
        match span.is_somewhere() {
            true => format!("{}:{}:{}", self.file_name(span), span.line, span.column),
            false => format!("in {}", self.program.function(at.function).name),
        }
    }

    /// A violation as text.
    pub fn violation(&mut self, run: &ReplayedRun) -> String {
        let violation = &run.violation;
        let stacks = run.stacks(self.program).iter();
        let stacks: Vec<String> = stacks.map(|s| self.stack(s)).collect();
        let title = format!("{} [{}]", violation.message, violation.property);
        let mut labels: Vec<(Location, String)> = vec![(violation.at, self.own_label(violation))];
        for r in &violation.related {
            labels.push((r.at, r.label.clone()));
        }
        let excerpts = self.excerpts(&title, &labels, &violation.notes);
        let mut text = excerpts.unwrap_or_else(|| {
            let mut text = format!("error: {title}\n");
            for (at, label) in &labels {
                text += &format!("  {}: {label}\n", self.place(*at));
            }
            for note in &violation.notes {
                text += &format!("  note: {note}\n");
            }
            text
        });
        text.extend(stacks);
        text
    }

    fn own_label(&self, violation: &Violation) -> String {
        let text = self
            .program
            .instr(violation.at)
            .map_or("", |i| self.program.text(i.text));
        match text.is_empty() {
            true => format!("thread {} is here", violation.thread.0),
            false => format!("thread {} is here: {text}", violation.thread.0),
        }
    }

    /// Source excerpts with carets; `None` if the sources cannot be read.
    fn excerpts(
        &mut self,
        title: &str,
        labels: &[(Location, String)],
        notes: &[String],
    ) -> Option<String> {
        let mut places = Vec::new();
        for (i, (at, label)) in labels.iter().enumerate() {
            let span = self.program.span_of(*at);
            match self.range(span) {
                Some(place) => places.push((i, place, label.clone())),
                None if i == 0 => return None,
                None => {}
            }
        }
        let colours = [
            Color::Red,
            Color::Blue,
            Color::Yellow,
            Color::Cyan,
            Color::Magenta,
        ];
        let style = Style::default()
            .with_color(self.colour)
            .with_index_type(IndexType::Byte);
        let mut report = Report::build(ReportKind::Error, places[0].1.clone())
            .with_config(style)
            .with_message(title);
        for (i, place, label) in &places {
            let label = Label::new(place.clone())
                .with_message(label)
                .with_color(colours[i % colours.len()])
                .with_order(*i as i32);
            report = report.with_label(label);
        }
        for note in notes {
            report = report.with_note(note);
        }
        let texts: HashMap<String, String> = self
            .sources
            .iter()
            .filter_map(|(id, text)| {
                let name = self.program.files.get(*id as usize)?;
                Some((name.clone(), text.clone()))
            })
            .collect();
        let mut text = Vec::new();
        let written = report.finish().write(ariadne::sources(texts), &mut text);
        written.ok()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    fn stack(&self, stack: &Stack) -> String {
        let created = match stack.created {
            Some(at) => format!(", created at {}", self.place(at)),
            None => String::new(),
        };
        let mut out = format!(
            "thread {}{created}:
",
            stack.thread.0
        );
        for (i, frame) in stack.frames.iter().enumerate().rev() {
            let function = self.program.function(frame.function);
            if function.library || (i == 0 && !function.span.is_somewhere()) {
                continue;
            }
            let mut at = *frame;
            if i + 1 < stack.frames.len() {
                at.index = at.index.saturating_sub(1);
            }
            out += &format!(
                "  {} at {}
",
                function.name,
                self.place(at)
            );
        }
        out
    }
}
