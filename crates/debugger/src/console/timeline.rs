//! Commands about the history and its branches.

use super::{Command, Console, Reply};
use crate::convert::schedule_of;
use crate::history::{Branch, Moment};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        names: &["moment", "m"],
        arguments: "[N|start|end]",
        help: "go to a moment of the history, or tell which one this is",
        run: |c, text| c.moment(text),
    },
    Command {
        names: &["branches", "brs"],
        arguments: "",
        help: "the histories there are",
        run: |c, _| {
            let line = |b: &Branch, here: bool| {
                let mark = if here { '*' } else { ' ' };
                let from = match &b.parted {
                    Some((at, from)) => format!(", parted from {from} at {at}"),
                    None => String::new(),
                };
                format!("{mark} {}: {} steps{from}\n", b.name, b.len())
            };
            let mut text = line(c.session.branch(), true);
            for other in c.session.others() {
                text.push_str(&line(other, false));
            }
            Reply::say(text)
        },
    },
    Command {
        names: &["switch", "sw"],
        arguments: "NAME",
        help: "go to another history, where it parted from this one",
        run: |c, text| match c.session.switch(text) {
            true => Reply::say(c.here()),
            false => Reply::mistake(format!("there is no branch `{text}`")),
        },
    },
    Command {
        names: &["name", "na"],
        arguments: "NAME",
        help: "name this history",
        run: |c, text| {
            let fits = !text.is_empty() && !text.contains(char::is_whitespace);
            match fits && c.session.name(text) {
                true => Reply::default(),
                false => Reply::mistake(format!("`{text}` cannot be its name")),
            }
        },
    },
    Command {
        names: &["compare", "cmp"],
        arguments: "NAME",
        help: "what happened here and in another history since they parted",
        run: |c, text| c.compare(text),
    },
    Command {
        names: &["order", "or"],
        arguments: "A B",
        help: "whether the step after moment A comes before that after B, whatever the interleaving of this synchronisation",
        run: |c, text| c.order(text),
    },
    Command {
        names: &["save", "sv"],
        arguments: "FILE",
        help: "write the schedule that leads here, for `raddle replay` and `raddle report`",
        run: |c, text| match schedule_of(&c.session, &c.files, &c.arguments) {
            _ if text.is_empty() => Reply::mistake("say which file"),
            Ok(schedule) => Reply {
                save: Some((text.to_string(), schedule.to_json())),
                ..Reply::default()
            },
            Err(why) => Reply::mistake(why),
        },
    },
];

/// Lines of each history that are compared.
const MOST: usize = 40;

impl Console<'_> {
    fn moment(&mut self, text: &str) -> Reply {
        let all = self.session.branch().len();
        let to = match text {
            "" => {
                let here = self.session.here();
                let name = &self.session.branch().name;
                return Reply::say(format!("moment {here} of {all} in {name}"));
            }
            "start" => 0,
            "end" => all,
            number => match number.parse() {
                Ok(to) if to <= all => to,
                _ => return Reply::mistake(format!("`{text}` is not between 0 and {all}")),
            },
        };
        self.session.go_to(to);
        let end = self.session.end_line();
        let end = end.map_or(String::new(), |l| format!("{l}\n"));
        Reply::say(format!("{end}{}", self.here()))
    }

    fn order(&mut self, text: &str) -> Reply {
        let moments: Vec<Moment> = text
            .split_whitespace()
            .filter_map(|w| w.parse().ok())
            .collect();
        let [a, b] = moments[..] else {
            return Reply::mistake("say two moments");
        };
        let (first, second) = (a.min(b), a.max(b));
        Reply::say(match self.session.comes_before(first, second) {
            Some(true) => format!("{first} comes before {second}"),
            Some(false) => format!("{first} and {second} could come in either order"),
            None => return Reply::mistake("there are not so many steps"),
        })
    }

    fn compare(&mut self, name: &str) -> Reply {
        let Some(other) = self.session.others().iter().find(|b| b.name == name) else {
            return Reply::mistake(format!("there is no branch `{name}`"));
        };
        let common = self.session.branch().common(other);
        let mine = self.session.branch().name.clone();
        let back = self.session.here();
        let selected = self.session.selected();
        let here = self.told(common);
        self.session.switch(name);
        let there = self.told(common);
        self.session.switch(&mine);
        self.session.go_to(back);
        self.session.select(selected);
        Reply::say(format!(
            "{common} steps in common\n{mine}:\n{here}{name}:\n{there}"
        ))
    }

    /// What happened from a moment on, line by line.
    fn told(&mut self, from: Moment) -> String {
        let mut text = String::new();
        let mut lines = 0;
        let mut last = None;
        for moment in from..self.session.branch().len() {
            self.session.go_to(moment);
            let Some(t) = self.session.branch().thread_at(moment) else {
                break;
            };
            let now = (t, self.session.position(t));
            if now == last.unwrap_or((t, None)) {
                continue;
            }
            last = Some(now);
            let Some(p) = now.1 else { continue };
            if lines == MOST {
                text.push_str("  …\n");
                break;
            }
            lines += 1;
            let line = self.sources.line(p.file, p.line).unwrap_or("").trim();
            text.push_str(&format!(
                "  {moment}: thread {} {:4}  {line}\n",
                t.0, p.line
            ));
        }
        self.session.go_to(usize::MAX);
        if let Some(end) = self.session.end_line() {
            text.push_str(&format!("  {end}\n"));
        }
        text
    }
}
