//! Commands about breakpoints.

use super::{Command, Console, Reply};
use crate::breakpoints::Spot;
use crate::evaluate::Place;
use crate::expression::{Expression, parse};
use raddle_interp::ThreadId;
use raddle_ir::FuncId;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        names: &["break", "b"],
        arguments: "[FILE:]LINE|FUNCTION [thread N] [if EXPRESSION]",
        help: "stop where a thread comes to a line or calls a function",
        run: |c, text| c.add_break(text),
    },
    Command {
        names: &["watch", "w"],
        arguments: "EXPRESSION [thread N] [if EXPRESSION]",
        help: "stop when memory changes",
        run: |c, text| c.add_watch(text),
    },
    Command {
        names: &["break-lock", "bl"],
        arguments: "[EXPRESSION] [thread N] [if EXPRESSION]",
        help: "stop when a lock, or any, is taken or given back",
        run: |c, text| c.add_lock(text),
    },
    Command {
        names: &["break-thread", "bt-thread"],
        arguments: "start|end [thread N]",
        help: "stop when a thread begins or ends",
        run: |c, text| c.add_thread(text),
    },
    Command {
        names: &["delete", "d"],
        arguments: "N",
        help: "remove a breakpoint",
        run: |c, text| match text.parse() {
            Ok(id) if c.session.breakpoints.remove(id) => Reply::default(),
            _ => Reply::mistake(format!("there is no breakpoint `{text}`")),
        },
    },
    Command {
        names: &["breakpoints", "bp"],
        arguments: "",
        help: "list breakpoints",
        run: |c, _| {
            let line = |b: &crate::breakpoints::Breakpoint| {
                format!("{}: {} (met {} times)\n", b.id, b.what, b.hits)
            };
            let all: String = c.session.breakpoints.all().iter().map(line).collect();
            Reply::say(match all.is_empty() {
                true => "there are none".into(),
                false => all,
            })
        },
    },
];

/// What follows the place: a thread and a condition.
struct Limits<'a> {
    spot: &'a str,
    thread: Option<ThreadId>,
    condition: Option<Expression>,
    /// Both in words.
    text: String,
}

impl Console<'_> {
    fn limits<'a>(&self, text: &'a str) -> Result<Limits<'a>, Reply> {
        let (rest, condition) = match text.split_once(" if ") {
            Some((rest, condition)) => (rest.trim(), Some(condition.trim())),
            None => (text, None),
        };
        let (spot, only) = match rest.split_once("thread ") {
            // It may not be there yet.
            Some((spot, number)) => match number.trim().parse() {
                Ok(number) => (spot.trim(), Some(ThreadId(number))),
                Err(_) => return Err(Reply::mistake(format!("`{number}` is no thread"))),
            },
            None => (rest.trim(), None),
        };
        let mut words = String::new();
        if let Some(t) = only {
            words.push_str(&format!(", thread {}", t.0));
        }
        let condition = match condition {
            Some(text) => {
                words.push_str(&format!(", if {text}"));
                Some(parse(text).map_err(|m| Reply::mistake(format!("in the condition: {m}")))?)
            }
            None => None,
        };
        Ok(Limits {
            spot,
            thread: only,
            condition,
            text: words,
        })
    }

    fn add(&mut self, spot: Spot, what: String, limits: Limits<'_>) -> Reply {
        let what = format!("{what}{}", limits.text);
        let shown = what.clone();
        let id = self
            .session
            .breakpoints
            .add(spot, what, limits.condition, limits.thread);
        Reply::say(format!("breakpoint {id}: {shown}"))
    }

    fn add_break(&mut self, text: &str) -> Reply {
        let limits = match self.limits(text) {
            Ok(limits) => limits,
            Err(reply) => return reply,
        };
        match self.spot(limits.spot) {
            Ok((spot, what)) => self.add(spot, what, limits),
            Err(why) => Reply::mistake(why),
        }
    }

    /// A line or a function.
    fn spot(&self, text: &str) -> Result<(Spot, String), String> {
        if text.is_empty() {
            return Err("say where: a line, FILE:LINE or a function".into());
        }
        let lines = self.session.lines();
        let (file, line) = match text.rsplit_once(':') {
            Some((name, line)) => {
                let file = lines.file(name);
                (file.ok_or(format!("there is no file `{name}`"))?, line)
            }
            None => {
                let top = self.session.stack(self.session.selected());
                let here = top.first().map(|(a, _)| a.span.file);
                let file = here.or(lines.first_file());
                (file.ok_or("there is no code")?, text)
            }
        };
        if let Ok(line) = line.parse() {
            let Some(found) = lines.at_or_after(file, line) else {
                return Err(format!("there is no code at line {line} or behind it"));
            };
            let name = self.session.file(file);
            let short = name.rsplit('/').next().unwrap_or(name);
            return Ok((Spot::Line(file, found), format!("{short}:{found}")));
        }
        let program = self.session.program();
        let at = program.functions.iter().position(|f| f.name == text);
        match at {
            Some(at) => Ok((
                Spot::Function(FuncId(at as u32)),
                format!("function {text}"),
            )),
            None => Err(format!("`{text}` is neither a line nor a function")),
        }
    }

    fn add_watch(&mut self, text: &str) -> Reply {
        let limits = match self.limits(text) {
            Ok(limits) => limits,
            Err(reply) => return reply,
        };
        let thing = match self.session.evaluate_text(self.frame(), limits.spot) {
            Ok(thing) => thing,
            Err(why) => return Reply::mistake(why),
        };
        let Place::Memory { object, offset, .. } = thing.place else {
            return Reply::mistake("this is not in memory: no other thread can change it");
        };
        let length = thing.ty.map_or(1, |t| self.session.machine().size_of(t));
        let spot = Spot::Write {
            object,
            offset,
            length: length.max(1),
        };
        let what = format!("change of {}", limits.spot);
        self.add(spot, what, limits)
    }

    fn add_lock(&mut self, text: &str) -> Reply {
        let limits = match self.limits(text) {
            Ok(limits) => limits,
            Err(reply) => return reply,
        };
        if limits.spot.is_empty() {
            return self.add(Spot::Lock(None), "any lock".into(), limits);
        }
        let thing = match self.session.evaluate_text(self.frame(), limits.spot) {
            Ok(thing) => thing,
            Err(why) => return Reply::mistake(why),
        };
        let Place::Memory { object, offset, .. } = thing.place else {
            return Reply::mistake("this is no lock");
        };
        let what = format!("lock {}", limits.spot);
        self.add(Spot::Lock(Some((object, offset))), what, limits)
    }

    fn add_thread(&mut self, text: &str) -> Reply {
        let limits = match self.limits(text) {
            Ok(limits) => limits,
            Err(reply) => return reply,
        };
        match limits.spot {
            "start" => self.add(Spot::ThreadStart, "start of a thread".into(), limits),
            "end" => self.add(Spot::ThreadEnd, "end of a thread".into(), limits),
            other => Reply::mistake(format!("`{other}`: say `start` or `end`")),
        }
    }
}
