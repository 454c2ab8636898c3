//! A schedule as columns, one per thread, time going down.

use crate::words;
use raddle_ir::{Location, Program, Span};
use raddle_witness::Violation;
use raddle_witness::story::{Scene, Story};
use std::collections::BTreeSet;

/// Narrower columns than this cannot be read; then there is one column for all threads.
const NARROWEST: usize = 22;
/// So many threads have a column even if they do nothing.
const FEW: usize = 8;
/// Scenes that are shown; of a longer story, the last ones.
const MOST: usize = 60;

/// The story that leads to a violation, in lines of at most so many characters. `source` knows the lines of the sources.
pub fn columns(
    program: &Program,
    story: &Story,
    violation: &Violation,
    source: &mut dyn FnMut(Span) -> Option<String>,
    width: usize,
) -> String {
    let mut scenes = &story.scenes[story.scenes.len().saturating_sub(MOST)..];
    let left_out = story.scenes.len() - scenes.len();
    let stuck = stuck(violation, story.threads.len());
    let shown = shown(story, scenes, &stuck);
    let count = shown.len().max(1);
    let wide = width.saturating_sub(2) / count;
    let beside = wide >= NARROWEST + 3;
    let column = if beside {
        wide - 3
    } else {
        width.saturating_sub(4)
    };
    let table = Table { column, beside };
    let mut out = String::new();
    let head = |n: &usize| format!("thread {n}: {}", story.threads[*n].function);
    let heads: Vec<String> = shown.iter().map(head).collect();
    if beside {
        table.row(&mut out, &heads);
    }
    let others = story.threads.len() - shown.len();
    if others > 0 {
        out += &format!("  … {others} more threads do nothing that is shown\n");
    }
    if left_out > 0 {
        out += &format!("  … {left_out} lines before these are not shown\n");
    }
    let mut put = |thread: usize, lines: Vec<String>| {
        for line in lines {
            let mut cells = vec![String::new(); count];
            match (beside, shown.binary_search(&thread)) {
                (true, Ok(column)) => cells[column] = line,
                _ => cells[0] = format!("thread {thread}: {line}"),
            }
            table.row(&mut out, &cells);
        }
    };
    // The scene in which it shows is told below.
    let line = |at: Location| (program.span_of(at).line, at.function);
    if let Some((last, others)) = scenes.split_last()
        && last.thread == violation.thread
        && last.changes.is_empty()
        && line(last.at) == line(violation.at)
    {
        scenes = others;
    }
    for scene in scenes {
        put(scene.thread.0 as usize, told(program, scene, source));
    }
    for (thread, at) in stuck {
        put(thread, vec![format!("✗ {}", line_of(program, at, source))]);
    }
    out
}

/// Where threads are when the violation shows.
fn stuck(violation: &Violation, count: usize) -> Vec<(usize, Location)> {
    let mut stuck: Vec<(usize, Location)> = vec![(violation.thread.0 as usize, violation.at)];
    for r in violation.related.iter().filter(|r| r.step.is_none()) {
        if stuck.iter().all(|(t, _)| *t != r.thread.0 as usize) {
            stuck.push((r.thread.0 as usize, r.at));
        }
    }
    stuck.retain(|(t, _)| *t < count);
    stuck
}

/// The threads that get a column: all of a few, and of many those that do something.
fn shown(story: &Story, scenes: &[Scene], stuck: &[(usize, Location)]) -> Vec<usize> {
    let all = story.threads.len();
    if all <= FEW {
        return (0..all).collect();
    }
    let acting = scenes.iter().map(|s| s.thread.0 as usize);
    let acting = acting.chain(stuck.iter().map(|(t, _)| *t));
    let shown: BTreeSet<usize> = acting.filter(|t| *t < all).collect();
    shown.into_iter().collect()
}

/// A scene in lines: the source, then what changed.
fn told(
    program: &Program,
    scene: &Scene,
    source: &mut dyn FnMut(Span) -> Option<String>,
) -> Vec<String> {
    let mut lines = vec![line_of(program, scene.at, source)];
    for change in &scene.changes {
        lines.push(match &change.before {
            Some(before) => format!("   {}: {before} → {}", change.name, change.after),
            None => format!("   {} = {}", change.name, change.after),
        });
    }
    lines
}

fn line_of(
    program: &Program,
    at: Location,
    source: &mut dyn FnMut(Span) -> Option<String>,
) -> String {
    let span = program.span_of(at);
    let line = span.line;
    if let Some(text) = source(span) {
        return format!("{line} {text}");
    }
    match words(program, at) {
        "" => format!("{line} in {}", program.function(at.function).name),
        text => format!("{line} {text}"),
    }
}

struct Table {
    column: usize,
    beside: bool,
}

impl Table {
    fn row(&self, out: &mut String, cells: &[String]) {
        let cells = match self.beside {
            true => cells,
            false => &cells[..1],
        };
        let mut line = String::from("  ");
        for (n, cell) in cells.iter().enumerate() {
            if n > 0 {
                line += " │ ";
            }
            line += &fitted(&flat(cell), self.column);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// A text in exactly so many characters.
fn fitted(text: &str, width: usize) -> String {
    let length = text.chars().count();
    match length > width {
        true => text
            .chars()
            .take(width.saturating_sub(1))
            .chain(['…'])
            .collect(),
        false => format!("{text}{}", " ".repeat(width - length)),
    }
}

/// On one line: line breaks and tabs of the source become single spaces, blanks in front stay.
fn flat(text: &str) -> String {
    let indent: String = text.chars().take_while(|c| *c == ' ').collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    indent + &words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_their_width() {
        assert_eq!(fitted("ab", 4), "ab  ");
        assert_eq!(fitted("abcdef", 4), "abc…");
        assert_eq!(fitted("äöü", 3), "äöü");
    }
}
