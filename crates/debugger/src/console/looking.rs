//! Commands that show something, or change it.

use super::{Command, Console, Reply, thread};
use crate::show::Part;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        names: &["threads", "i"],
        arguments: "",
        help: "all threads: where they are and what they wait for",
        run: |c, _| {
            let threads = c.session.machine().threads();
            let lines: Vec<String> = threads
                .map(|t| c.session.thread_line(t, &c.sources))
                .collect();
            Reply::say(lines.join("\n"))
        },
    },
    Command {
        names: &["where", "bt"],
        arguments: "[N]",
        help: "the stack of the selected thread, or of thread N",
        run: |c, text| c.stack(text),
    },
    Command {
        names: &["frame", "f"],
        arguments: "N",
        help: "look names up in another activation; 0 is the innermost",
        run: |c, text| match text.parse() {
            Ok(level) if level < c.session.stack(c.session.selected()).len() => {
                c.level = level;
                Reply::default()
            }
            _ => Reply::mistake(format!("there is no activation `{text}`")),
        },
    },
    Command {
        names: &["list", "l"],
        arguments: "[LINE]",
        help: "the source around this line, with all threads that are there",
        run: |c, text| c.list(text),
    },
    Command {
        names: &["print", "p"],
        arguments: "EXPRESSION",
        help: "the value of an expression",
        run: |c, text| match c.session.evaluate_text(c.frame(), text) {
            Ok(thing) => Reply::say(format!("{text} = {}", c.session.show(&thing))),
            Err(why) => Reply::mistake(why),
        },
    },
    Command {
        names: &["set", "="],
        arguments: "PLACE = EXPRESSION",
        help: "change a variable or memory; the run is no longer one of the program",
        run: |c, text| c.set(text),
    },
    Command {
        names: &["locals", "lo"],
        arguments: "",
        help: "the variables of the function",
        run: |c, _| {
            let parts = c.session.locals(c.frame());
            c.parts(&parts)
        },
    },
    Command {
        names: &["globals", "gl"],
        arguments: "",
        help: "the variables of the program",
        run: |c, _| {
            let parts = c.session.globals(c.session.selected());
            c.parts(&parts)
        },
    },
    Command {
        names: &["locks", "lk"],
        arguments: "",
        help: "locks that are held, by whom, and who waits for them",
        run: |c, _| {
            let lines = c.session.locks();
            Reply::say(match lines.is_empty() {
                true => "no lock is held".into(),
                false => lines.join("\n"),
            })
        },
    },
    Command {
        names: &["waits", "wf"],
        arguments: "",
        help: "who waits for whom",
        run: |c, _| {
            let lines = c.session.wait_for_graph();
            Reply::say(match lines.is_empty() {
                true => "nobody waits".into(),
                false => lines.join("\n"),
            })
        },
    },
    Command {
        names: &["inputs", "in"],
        arguments: "[VALUE…]",
        help: "what the program gets for the inputs it asks for next; zero behind the last",
        run: |c, text| {
            let values: Result<Vec<i128>, _> = text.split_whitespace().map(str::parse).collect();
            match values {
                Ok(values) => {
                    c.session.inputs = values.into_iter().map(|v| v as u128).collect();
                    Reply::default()
                }
                Err(_) => Reply::mistake(format!("`{text}` are not all numbers")),
            }
        },
    },
    Command {
        names: &["output", "o"],
        arguments: "",
        help: "what the program has printed",
        run: |c, _| {
            let mut text = String::new();
            for (_, bytes) in c.session.branch().output(c.session.here()) {
                text.push_str(&String::from_utf8_lossy(bytes));
            }
            Reply::say(text)
        },
    },
];

impl Console<'_> {
    fn stack(&mut self, text: &str) -> Reply {
        let t = match text {
            "" => self.session.selected(),
            number => match thread(&self.session, number) {
                Ok(t) => t,
                Err(reply) => return reply,
            },
        };
        let mut lines = String::new();
        for (number, (a, function)) in self.session.stack(t).iter().enumerate() {
            let place = self.session.place(a.span);
            lines.push_str(&format!("#{number} {function} at {place}\n"));
        }
        match lines.is_empty() {
            true => Reply::say(format!("thread {}: {}", t.0, self.session.doing(t))),
            false => Reply::say(lines),
        }
    }

    fn list(&mut self, text: &str) -> Reply {
        let stack = self.session.stack(self.session.selected());
        let top = stack.get(self.level).map(|(a, _)| a.span);
        let file = top.map(|s| s.file).or(self.session.lines().first_file());
        let Some(file) = file else {
            return Reply::mistake("there is no source");
        };
        let line = match text.parse() {
            Ok(line) => line,
            Err(_) if text.is_empty() => top.map_or(1, |s| s.line),
            Err(_) => return Reply::mistake(format!("`{text}` is no line")),
        };
        let mut lines = String::new();
        for number in line.saturating_sub(5).max(1)..=line + 5 {
            let Some(text) = self.sources.line(file, number) else {
                continue;
            };
            let there = |t: &raddle_interp::ThreadId| {
                let p = self.session.position(*t);
                p.is_some_and(|p| (p.file, p.line) == (file, number))
            };
            let who = self.session.machine().threads().filter(there);
            let who: Vec<String> = who.map(|t| t.0.to_string()).collect();
            let mark = match who.is_empty() {
                true => String::new(),
                false => format!("{}→", who.join(",")),
            };
            lines.push_str(&format!("{mark:>6} {number:4}  {text}\n"));
        }
        Reply::say(lines)
    }

    fn set(&mut self, text: &str) -> Reply {
        let Some((left, right)) = text.split_once('=') else {
            return Reply::mistake("say PLACE = EXPRESSION");
        };
        let frame = self.frame();
        let to = self.session.evaluate_text(frame, left.trim());
        let from = self.session.evaluate_text(frame, right.trim());
        let done = to.and_then(|to| {
            self.session.assign(&to, &from?)?;
            Ok(self.session.show(&to))
        });
        match done {
            Ok(value) => Reply::say(format!("{} = {value}", left.trim())),
            Err(why) => Reply::mistake(why),
        }
    }

    fn parts(&self, parts: &[Part]) -> Reply {
        let line = |p: &Part| format!("{} = {}\n", p.name, self.session.show(&p.thing));
        let lines: String = parts.iter().map(line).collect();
        Reply::say(match lines.is_empty() {
            true => "there are none".into(),
            false => lines,
        })
    }
}
