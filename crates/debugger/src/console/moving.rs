//! Commands that move: forwards, backwards, one thread or all.

use super::{Command, Console, Reply, thread};
use crate::walk::{Stop, Stride};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        names: &["step", "s"],
        arguments: "[N]",
        help: "to the next line, into functions",
        run: |c, text| c.repeatedly(text, |c| c.session.step(Stride::Line)),
    },
    Command {
        names: &["next", "n"],
        arguments: "[N]",
        help: "to the next line, over calls",
        run: |c, text| c.repeatedly(text, |c| c.session.step(Stride::Over)),
    },
    Command {
        names: &["out", "finish"],
        arguments: "",
        help: "out of the function",
        run: |c, text| c.repeatedly(text, |c| c.session.step(Stride::Out)),
    },
    Command {
        names: &["stepi", "si"],
        arguments: "[N]",
        help: "one instruction",
        run: |c, text| c.repeatedly(text, |c| c.session.step(Stride::Instruction)),
    },
    Command {
        names: &["continue", "c"],
        arguments: "",
        help: "until a breakpoint or the end; what is recorded first, then threads in turn",
        run: |c, _| c.moved(|c| c.session.resume()),
    },
    Command {
        names: &["back", "rs"],
        arguments: "[N]",
        help: "the step before",
        run: |c, text| c.repeatedly(text, |c| c.session.step_back(Stride::Line)),
    },
    Command {
        names: &["back-next", "rn"],
        arguments: "[N]",
        help: "back by a line, over calls",
        run: |c, text| c.repeatedly(text, |c| c.session.step_back(Stride::Over)),
    },
    Command {
        names: &["back-out", "rout"],
        arguments: "",
        help: "back to where this function was called",
        run: |c, text| c.repeatedly(text, |c| c.session.step_back(Stride::Out)),
    },
    Command {
        names: &["back-stepi", "rsi"],
        arguments: "[N]",
        help: "back by one instruction",
        run: |c, text| c.repeatedly(text, |c| c.session.step_back(Stride::Instruction)),
    },
    Command {
        names: &["back-continue", "rc"],
        arguments: "",
        help: "back to the last breakpoint or the beginning",
        run: |c, _| c.moved(|c| c.session.resume_back()),
    },
    Command {
        names: &["thread", "t"],
        arguments: "N",
        help: "select a thread: steps are about it",
        run: |c, text| match thread(&c.session, text) {
            Ok(t) => {
                c.session.select(t);
                c.level = 0;
                Reply::say(c.here())
            }
            Err(reply) => reply,
        },
    },
    Command {
        names: &["go", "g"],
        arguments: "N",
        help: "what if thread N went next: a line of it, whatever was recorded",
        run: |c, text| match thread(&c.session, text) {
            Ok(t) => c.moved(|c| c.session.step_thread(t, Stride::Line)),
            Err(reply) => reply,
        },
    },
    Command {
        names: &["run", "r"],
        arguments: "N",
        help: "let thread N go until it would have to wait, whatever was recorded",
        run: |c, text| match thread(&c.session, text) {
            Ok(t) => c.moved(|c| c.session.run_thread(t)),
            Err(reply) => reply,
        },
    },
];

impl Console<'_> {
    fn repeatedly(&mut self, text: &str, step: fn(&mut Console<'_>) -> Stop) -> Reply {
        let times: u32 = match text {
            "" => 1,
            number => match number.parse() {
                Ok(times) => times,
                Err(_) => return Reply::mistake(format!("`{number}` is no number of steps")),
            },
        };
        self.moved(|console| {
            let mut stop = Stop::Step;
            for _ in 0..times {
                stop = step(console);
                if stop != Stop::Step {
                    break;
                }
            }
            stop
        })
    }

    /// Moves, and tells what was printed, why it stopped and where it is.
    fn moved(&mut self, go: impl FnOnce(&mut Console<'_>) -> Stop) -> Reply {
        let branch = self.session.branch().name.clone();
        let from = self.session.here();
        self.level = 0;
        let stop = go(self);
        let mut text = String::new();
        if self.session.branch().name != branch {
            text.push_str(&format!(
                "(this is {} now; what was recorded stays as {branch})\n",
                self.session.branch().name
            ));
        }
        for moment in from + 1..=self.session.here() {
            for (_, bytes) in self.session.branch().output_at(moment) {
                text.push_str(&String::from_utf8_lossy(bytes));
                if !text.ends_with('\n') {
                    text.push('\n');
                }
            }
        }
        let why = self.session.stop_line(&stop);
        if !why.is_empty() {
            text.push_str(&why);
            text.push('\n');
        }
        text.push_str(&self.here());
        Reply::say(text)
    }
}
