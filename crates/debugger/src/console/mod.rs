//! The plain front end: a line in, a text out. Scripts use it, and so does every other front end for what it has no picture for.

mod asking;
mod breaking;
mod looking;
mod moving;
mod timeline;

use crate::Engines;
use crate::background::Warning;
use crate::describe::Sources;
use crate::evaluate::Frame;
use crate::session::Session;
use raddle_interp::ThreadId;
use std::time::Duration;

/// What a command leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// What to show; empty, or ends with a newline.
    pub text: String,
    /// It was a mistake of the user's.
    pub mistake: bool,
    /// The session is over.
    pub quit: bool,
    /// A file to write: its name and its text.
    pub save: Option<(String, String)>,
}

impl Reply {
    fn say(text: impl Into<String>) -> Reply {
        let mut text = text.into();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        Reply {
            text,
            ..Reply::default()
        }
    }

    fn mistake(text: impl Into<String>) -> Reply {
        Reply {
            mistake: true,
            ..Reply::say(text)
        }
    }
}

/// What a command does with its arguments.
type Handler = for<'a, 'p> fn(&'a mut Console<'p>, &'a str) -> Reply;

/// A command.
pub struct Command {
    /// Its name and other names.
    pub names: &'static [&'static str],
    /// What follows the name.
    pub arguments: &'static str,
    /// What it does.
    pub help: &'static str,
    run: Handler,
}

/// All commands, in the order in which help lists them.
pub const COMMANDS: &[&[Command]] = &[
    moving::COMMANDS,
    breaking::COMMANDS,
    looking::COMMANDS,
    timeline::COMMANDS,
    asking::COMMANDS,
    &[
        Command {
            names: &["help", "h", "?"],
            arguments: "[COMMAND]",
            help: "list commands, or describe one",
            run: |console, text| console.help(text),
        },
        Command {
            names: &["quit", "q", "exit"],
            arguments: "",
            help: "end the session",
            run: |_, _| Reply {
                quit: true,
                ..Reply::default()
            },
        },
    ],
];

/// A session with its sources, at a prompt.
pub struct Console<'p> {
    /// The session.
    pub session: Session<'p>,
    /// The text of its files.
    pub sources: Sources,
    /// The names of its files, as they were given, for schedules.
    pub files: Vec<String>,
    /// The arguments of the program, for schedules.
    pub arguments: Vec<String>,
    /// Who answers questions.
    pub engines: Engines,
    /// The activation of the selected thread that names are looked up in; 0 is the innermost.
    pub level: usize,
    /// How long a question may take.
    pub patience: Duration,
    /// A run that goes wrong, found beside this one.
    pub warning: Option<Warning>,
    /// The last command, which an empty line repeats.
    last: String,
}

impl<'p> Console<'p> {
    /// At a prompt.
    pub fn new(session: Session<'p>, sources: Sources) -> Console<'p> {
        Console {
            files: session.program().files.clone(),
            session,
            sources,
            arguments: Vec::new(),
            engines: Vec::new(),
            level: 0,
            patience: Duration::from_secs(10),
            warning: None,
            last: String::new(),
        }
    }

    /// Whose names are meant.
    pub fn frame(&self) -> Frame {
        Frame {
            thread: self.session.selected(),
            level: self.level,
        }
    }

    /// Does what a line says.
    pub fn execute(&mut self, line: &str) -> Reply {
        let line = line
            .split_once('#')
            .map_or(line, |(before, _)| before)
            .trim();
        let line = match line.is_empty() {
            true => self.last.clone(),
            false => line.to_string(),
        };
        if line.is_empty() {
            return Reply::default();
        }
        self.last = line.clone();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        match find(name) {
            Ok(command) => (command.run)(self, rest.trim()),
            Err(why) => Reply::mistake(why),
        }
    }

    /// Where the selected thread stands: its line, with those of the others that have moved.
    fn here(&self) -> String {
        let t = self.session.selected();
        let stack = self.session.stack(t);
        let Some((top, function)) = stack.first() else {
            return format!("thread {}: {}\n", t.0, self.session.doing(t));
        };
        let place = self.session.place(top.span);
        let text = self.sources.line(top.span.file, top.span.line);
        let text = text.map_or(String::new(), |l| {
            format!("\n{:5}  {}", top.span.line, l.trim_end())
        });
        format!("thread {} in {function} at {place}{text}\n", t.0)
    }

    fn help(&self, text: &str) -> Reply {
        if !text.is_empty() {
            return match find(text) {
                Ok(c) => Reply::say(format!("{}\n  {}", usage(c), c.help)),
                Err(why) => Reply::mistake(why),
            };
        }
        let mut lines = String::new();
        for group in COMMANDS {
            for c in *group {
                lines.push_str(&format!("  {:<34} {}\n", usage(c), c.help));
            }
            lines.push('\n');
        }
        lines.push_str("An empty line repeats the last command; text after # is ignored.\n");
        Reply::say(lines)
    }
}

fn usage(c: &Command) -> String {
    let names = match c.names {
        [one] => (*one).to_string(),
        [one, short, ..] => format!("{one} ({short})"),
        [] => String::new(),
    };
    format!("{names} {}", c.arguments).trim_end().to_string()
}

/// The command of a name, or of a beginning that only one has.
fn find(name: &str) -> Result<&'static Command, String> {
    let all = || COMMANDS.iter().flat_map(|g| g.iter());
    if let Some(exact) = all().find(|c| c.names.contains(&name)) {
        return Ok(exact);
    }
    let begins = |c: &&Command| c.names[0].starts_with(name);
    let fitting: Vec<&Command> = all().filter(begins).collect();
    match fitting[..] {
        [one] => Ok(one),
        [] => Err(format!("there is no command `{name}`; `help` lists them")),
        _ => {
            let names: Vec<&str> = fitting.iter().map(|c| c.names[0]).collect();
            Err(format!("`{name}` may be {}", names.join(" or ")))
        }
    }
}

/// A thread's number in a text.
fn thread(session: &Session<'_>, text: &str) -> Result<ThreadId, Reply> {
    let number = text
        .trim_start_matches(['T', 't'])
        .parse()
        .ok()
        .map(ThreadId);
    let exists = |t: &ThreadId| session.machine().threads().any(|known| known == *t);
    number.filter(exists).ok_or_else(|| {
        let last = session.machine().threads().count() - 1;
        Reply::mistake(format!("`{text}` is no thread; there are 0 to {last}"))
    })
}
