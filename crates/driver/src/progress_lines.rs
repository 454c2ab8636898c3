//! What the engines do, one line for each, on a terminal only.

use raddle_verdict::Progress;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

const OFTEN: Duration = Duration::from_millis(80);

/// Lines on the terminal that are written over and over.
pub struct ProgressLines {
    terminal: bool,
    started: Instant,
    last: Option<Instant>,
    /// Engines and what they said last, in the order in which they first said something.
    lines: Vec<(&'static str, String)>,
    /// How many lines stand on the terminal.
    shown: usize,
}

impl ProgressLines {
    /// No lines yet.
    pub fn new() -> ProgressLines {
        ProgressLines {
            terminal: std::io::stderr().is_terminal(),
            started: Instant::now(),
            last: None,
            lines: Vec::new(),
            shown: 0,
        }
    }

    /// An engine has something to tell.
    pub fn show(&mut self, progress: &Progress) {
        if !self.terminal {
            return;
        }
        match self.lines.iter_mut().find(|(e, _)| *e == progress.engine) {
            Some((_, what)) => what.clone_from(&progress.what),
            None => self.lines.push((progress.engine, progress.what.clone())),
        }
        if self.last.is_some_and(|l| l.elapsed() < OFTEN) {
            return;
        }
        self.last = Some(Instant::now());
        eprint!("{}", self.text());
        self.shown = self.lines.len();
    }

    /// Over what was shown before.
    fn text(&self) -> String {
        let mut out = self.back();
        let seconds = self.started.elapsed().as_secs();
        for (engine, what) in &self.lines {
            let line = format!("{engine:8} {seconds:4} s  {what}");
            let line: String = line.chars().take(100).collect();
            out += &format!("\x1b[K{line}\n");
        }
        out
    }

    fn back(&self) -> String {
        match self.shown {
            0 => String::new(),
            n => format!("\x1b[{n}F"),
        }
    }

    /// As if nothing had been shown.
    pub fn clear(&mut self) {
        if self.shown > 0 {
            eprint!("{}\x1b[J", self.back());
            self.shown = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_has_a_line() {
        let mut lines = ProgressLines::new();
        lines.terminal = true;
        for (engine, what) in [
            ("staged", "bound 1"),
            ("fusion", "12 executions"),
            ("staged", "bound 2"),
        ] {
            let what = what.to_string();
            lines.show(&Progress { engine, what });
        }
        let text = lines.text();
        assert_eq!(text.matches('\n').count(), 2);
        assert!(
            text.contains("bound 2") && text.contains("12 executions"),
            "{text}"
        );
        assert!(
            text.starts_with("\x1b[1F"),
            "over the one line that was shown"
        );
        lines.clear();
        assert_eq!(lines.back(), "");
    }
}
