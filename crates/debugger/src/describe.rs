//! The state of a session in words: threads, stacks, locks, what happened in a step, why it stopped.

use crate::history::Moment;
use crate::position::{Activation, activations};
use crate::session::Session;
use crate::show::threads as name_threads;
use crate::walk::Stop;
use raddle_interp::thread::{StopReason, ThreadStatus};
use raddle_interp::{End, ThreadId};
use raddle_ir::{FileId, Span, SyncOp};

/// The text of the source files, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Vec<String>>,
}

impl Sources {
    /// From the text of each file, by number.
    pub fn new(texts: Vec<String>) -> Sources {
        let lines = |text: String| text.lines().map(str::to_string).collect();
        Sources {
            files: texts.into_iter().map(lines).collect(),
        }
    }

    /// A line, if it is known.
    pub fn line(&self, file: FileId, line: u32) -> Option<&str> {
        let lines = self.files.get(file.0 as usize)?;
        lines
            .get((line as usize).checked_sub(1)?)
            .map(String::as_str)
    }

    /// How many lines a file has.
    pub fn count(&self, file: FileId) -> u32 {
        self.files
            .get(file.0 as usize)
            .map_or(0, |l| l.len() as u32)
    }
}

impl Session<'_> {
    /// The name of a file.
    pub fn file(&self, file: FileId) -> &str {
        let name = self.program().files.get(file.0 as usize);
        name.map_or("?", String::as_str)
    }

    /// `buffer.c:36`, with the last part of the path only.
    pub fn place(&self, span: Span) -> String {
        let file = self.file(span.file);
        let short = file.rsplit('/').next().unwrap_or(file);
        format!("{short}:{}", span.line)
    }

    /// The name of the function a thread began with.
    pub fn start_of(&self, t: ThreadId) -> String {
        match t.0 {
            0 => "main".into(),
            _ => {
                let start = self.machine().thread(t).start;
                self.program().function(start).name.clone()
            }
        }
    }

    /// What a thread is doing, in a few words.
    pub fn doing(&self, t: ThreadId) -> String {
        let thread = self.machine().thread(t);
        match thread.status {
            ThreadStatus::New => "not started".into(),
            ThreadStatus::Finished => "ended".into(),
            ThreadStatus::Stopped(reason) => match reason {
                StopReason::Assume => "stopped: an assumption is false".into(),
                StopReason::InvalidAccess => "stopped at an invalid access".into(),
                StopReason::DivisionByZero => "stopped at a division by zero".into(),
                StopReason::Undefined => "stopped at undefined behaviour".into(),
                StopReason::Limit => "stopped at a limit".into(),
            },
            ThreadStatus::Active => match self.machine().waits(t) {
                Some(wait) => {
                    let held = match wait.holders[..] {
                        [] => String::new(),
                        _ if wait.op == SyncOp::ThreadJoin => String::new(),
                        _ => format!(", held by {}", name_threads(&wait.holders)),
                    };
                    format!("waits for {}{held}", wait.what)
                }
                None if self.machine().end().is_some() => "was here at the end".into(),
                None if !self.can_go(t) => "cannot go on".into(),
                None => "can go on".into(),
            },
        }
    }

    /// A thread in a line.
    pub fn thread_line(&self, t: ThreadId, sources: &Sources) -> String {
        let mark = if t == self.selected() { '*' } else { ' ' };
        let top = activations(self.machine(), t).first().copied();
        let at = match top {
            Some(top) => {
                let text = sources.line(top.span.file, top.span.line);
                let text = text.map_or(String::new(), |l| format!("  {}", l.trim()));
                format!(" at {}{text}", self.place(top.span))
            }
            None => String::new(),
        };
        let start = self.start_of(t);
        let doing = self.doing(t);
        format!("{mark} thread {} {start} ({doing}){at}", t.0)
    }

    /// The stack of a thread, innermost first.
    pub fn stack(&self, t: ThreadId) -> Vec<(Activation, String)> {
        let all = activations(self.machine(), t).into_iter();
        all.map(|a| {
            let name = self.program().function(a.function).name.clone();
            (a, name)
        })
        .collect()
    }

    /// Every lock that somebody holds: its name, who has it, where it was taken, and who waits.
    pub fn locks(&self) -> Vec<String> {
        let machine = self.machine();
        let mut lines: Vec<String> = Vec::new();
        for t in machine.threads() {
            for held in &machine.thread(t).held {
                let name = machine.place_name(held.object, held.offset);
                let at = self.place(self.program().span_of(held.at));
                let waiting = self.waiting_at(held.object, held.offset);
                let waiting = match waiting[..] {
                    [] => String::new(),
                    [_] => format!("; {} waits for it", name_threads(&waiting)),
                    _ => format!("; {} wait for it", name_threads(&waiting)),
                };
                lines.push(format!(
                    "{name}: held by thread {}, taken at {at}{waiting}",
                    t.0
                ));
            }
        }
        lines
    }

    /// Who waits for whom.
    pub fn wait_for_graph(&self) -> Vec<String> {
        let machine = self.machine();
        let waits = machine.threads().filter_map(|t| machine.waits(t));
        let line = |w: raddle_interp::deadlock::Wait| {
            let at = self.place(self.program().span_of(w.at));
            let whom = match w.holders[..] {
                [] => "anybody".to_string(),
                _ => name_threads(&w.holders),
            };
            format!("thread {} → {whom}: {} at {at}", w.thread.0, w.what)
        };
        waits.map(line).collect()
    }

    /// How the run ended, in a sentence.
    pub fn end_line(&self) -> Option<String> {
        Some(match self.machine().end()? {
            End::Exit(status) => format!("the program ended with status {status}"),
            End::Abort => "the program aborted".into(),
            End::Violation(v) => {
                let at = self.place(self.program().span_of(v.at));
                format!(
                    "violation of {} by thread {} at {at}: {}",
                    v.property, v.thread.0, v.message
                )
            }
            End::Limit(what) => format!("a limit of the run: {what}"),
        })
    }

    /// Why it stopped, in a sentence.
    pub fn stop_line(&self, stop: &Stop) -> String {
        let t = self.selected().0;
        match stop {
            Stop::Step => String::new(),
            Stop::Breakpoints(ids) => {
                let what = ids.iter().filter_map(|id| {
                    let b = self.breakpoints.get(*id)?;
                    Some(format!("breakpoint {id} ({})", b.what))
                });
                let what: Vec<String> = what.collect();
                format!("{} met by thread {t}", what.join(", "))
            }
            Stop::Blocked => format!("thread {t} {}", self.doing(self.selected())),
            Stop::Finished => format!("thread {t} has {}", self.doing(self.selected())),
            Stop::Stuck => "no thread can go on".into(),
            Stop::Ended => self.end_line().unwrap_or_default(),
            Stop::Beginning => "this is the beginning of the history".into(),
            Stop::Interrupted => "interrupted".into(),
            Stop::Long => format!(
                "thread {t} has gone on for very long; perhaps it waits for another thread in a loop"
            ),
        }
    }

    /// Whether what happened in one step of the history comes before another step in every order that synchronisation allows; each is named by the
    /// moment before it.
    pub fn comes_before(&mut self, first: Moment, second: Moment) -> Option<bool> {
        let a = self.branch().thread_at(first)?;
        let b = self.branch().thread_at(second)?;
        if first >= second {
            return Some(false);
        }
        if a == b {
            return Some(true);
        }
        let here = self.here();
        let selected = self.selected();
        self.go_to(first);
        let time = self.machine().clock(a).get(a);
        self.go_to(second + 1);
        let known = self.machine().clock(b).get(a);
        self.go_to(here);
        self.select(selected);
        Some(known >= time)
    }
}
