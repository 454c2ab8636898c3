//! Questions about everything that can still happen from here on. A run that answers one becomes a branch, to be stepped through.

use super::{Command, Console, Reply, thread};
use crate::ask::{Answer, Asker, Line, Told};
use crate::history::Rules;
use raddle_interp::value::sign_extend;
use raddle_interp::{Checks, ThreadId};
use raddle_ir::Property;
use raddle_verdict::{Beginning, Budget, StopCause};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        names: &["can-fail", "cf"],
        arguments: "[LINE]",
        help: "can any assertion, or the one in LINE, still fail?",
        run: |c, text| {
            let line = match line(text) {
                _ if text.is_empty() => None,
                Ok(line) => Some(line),
                Err(reply) => return reply,
            };
            c.ask("fails", only(Property::UnreachCall), |a| {
                a.can_fail(line.as_ref())
            })
        },
    },
    Command {
        names: &["can-deadlock", "cd"],
        arguments: "",
        help: "can threads still wait for each other for ever?",
        run: |c, _| c.ask("deadlock", only(Property::NoDeadlock), |a| a.can_deadlock()),
    },
    Command {
        names: &["can-race", "cr"],
        arguments: "LINE LINE",
        help: "can accesses in these two lines still be a data race?",
        run: |c, text| {
            let (first, second) = text.split_once(char::is_whitespace).unwrap_or((text, text));
            match (line(first), line(second.trim())) {
                (Ok(a), Ok(b)) => c.ask("race", only(Property::NoDataRace), |q| q.can_race(&a, &b)),
                (Err(reply), _) | (_, Err(reply)) => reply,
            }
        },
    },
    Command {
        names: &["can-reach", "ca"],
        arguments: "LINE [thread N] [while LINE]",
        help: "can a thread still get to LINE, while another is at the other one?",
        run: |c, text| c.can_reach(text),
    },
    Command {
        names: &["values", "va"],
        arguments: "NAME at LINE [thread N]",
        help: "which values can a variable have where a thread gets to LINE?",
        run: |c, text| c.values(text),
    },
    Command {
        names: &["nearest-failing", "nf"],
        arguments: "[deadlock]",
        help: "the run from here that fails with the fewest changes of threads",
        run: |c, text| {
            let property = match text {
                "" => Property::UnreachCall,
                "deadlock" => Property::NoDeadlock,
                other => return Reply::mistake(format!("`{other}`: say nothing, or `deadlock`")),
            };
            c.ask("fails", only(property), |a| a.nearest_failing(property))
        },
    },
    Command {
        names: &["nearest-passing", "np"],
        arguments: "",
        help: "a run from here in which nothing goes wrong, with few changes of threads",
        run: |c, _| {
            let rules = c.session.branch().rules;
            let properties: Vec<Property> = rules.checks.iter().collect();
            c.ask("passes", rules, |a| a.nearest_passing(&properties))
        },
    },
    Command {
        names: &["jump", "j"],
        arguments: "",
        help: "go to the end of a run that was found to go wrong beside this one",
        run: |c, _| match c.warning.take() {
            None => Reply::mistake("nothing was found beside this run so far"),
            Some(warning) => {
                let run = &warning.told.run;
                match c.session.load(run, "warning", Some(warning.rules)) {
                    Ok(()) => {
                        c.session.go_to(usize::MAX);
                        let end = c.session.end_line().unwrap_or_default();
                        Reply::say(format!(
                            "this run: {}\n{end}\n{}",
                            warning.told.what,
                            c.here()
                        ))
                    }
                    Err(why) => Reply::mistake(format!("the run was not loaded: {why}")),
                }
            }
        },
    },
    Command {
        names: &["why", "y"],
        arguments: "[LINE]",
        help: "why no assertion, or not the one in LINE, can fail any more: which locks it needs",
        run: |c, text| c.why(text),
    },
];

/// A line of a file: `[FILE:]LINE`.
fn line(text: &str) -> Result<Line, Reply> {
    let (file, number) = match text.rsplit_once(':') {
        Some((file, number)) => (Some(file.to_string()), number),
        None => (None, text),
    };
    match number.parse() {
        Ok(line) => Ok(Line { file, line }),
        Err(_) => Err(Reply::mistake(format!("`{text}` is no line"))),
    }
}

/// The rules of a run that shows a violation of one property.
fn only(property: Property) -> Rules {
    Rules {
        checks: std::iter::once(property).collect(),
        spurious_wakeups: property != Property::NoDeadlock,
    }
}

/// The rules of a run that only gets somewhere.
fn anything() -> Rules {
    Rules {
        checks: Checks::none(),
        spurious_wakeups: true,
    }
}

/// Stops a budget when somebody asks for it.
fn watch(budget: &Budget, interrupt: &AtomicBool, done: &AtomicBool) {
    while !done.load(Ordering::SeqCst) {
        if interrupt.swap(false, Ordering::SeqCst) {
            budget.stop(StopCause::Cancelled);
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

impl Console<'_> {
    /// Asks about the present state.
    fn asking<T>(&self, question: impl FnOnce(&Asker<'_>) -> T) -> Result<T, Reply> {
        let here = self.session.here();
        if self.session.branch().is_edited(here) {
            let text = "you have changed the state: no run of the program leads here, so there is nothing to ask about";
            return Err(Reply::mistake(text));
        }
        let beginning: Beginning = self.session.branch().beginning(here);
        let budget = Budget::with_timeout(self.patience);
        let asker = Asker::new(self.session.program(), &beginning, &self.engines);
        let asker = asker.map_err(Reply::mistake)?.budget(budget.clone());
        let interrupt = self.session.interrupt();
        let done = AtomicBool::new(false);
        Ok(std::thread::scope(|scope| {
            scope.spawn(|| watch(&budget, &interrupt, &done));
            let answer = question(&asker);
            done.store(true, Ordering::SeqCst);
            answer
        }))
    }

    fn ask(
        &mut self,
        name: &str,
        rules: Rules,
        question: impl FnOnce(&Asker<'_>) -> Answer,
    ) -> Reply {
        match self.asking(question) {
            Ok(answer) => Reply::say(self.answered(answer, name, rules)),
            Err(reply) => reply,
        }
    }

    /// An answer in words; a run becomes a branch.
    fn answered(&mut self, answer: Answer, name: &str, rules: Rules) -> String {
        match answer {
            Answer::Yes(told) => self.begin(&told, name, rules),
            Answer::No { how, assumptions } => {
                let mut text = format!("no: {how}\n");
                let program = self.session.program();
                let made = program.assumptions.iter().map(|a| a.what.clone());
                let said = |a| raddle_report::assumption(program, a);
                for a in made.chain(assumptions.iter().map(said)) {
                    text.push_str(&format!("  assuming {a}\n"));
                }
                text
            }
            Answer::Unknown { why } => format!("not known: {why}\n"),
        }
    }

    fn begin(&mut self, told: &Told, name: &str, rules: Rules) -> String {
        let steps = told.run.steps.len() - told.before;
        let from = self.session.branch().name.clone();
        match self.session.load(&told.run, name, Some(rules)) {
            Ok(()) => format!(
                "yes: {}\nafter {steps} more steps with {} changes of threads; this is {} now (`moment end` goes there, `switch {from}` comes back)\n",
                told.what,
                told.switches,
                self.session.branch().name
            ),
            Err(why) => format!("yes: {}\nbut its run was not loaded: {why}\n", told.what),
        }
    }

    fn can_reach(&mut self, text: &str) -> Reply {
        let (rest, other) = match text.split_once(" while ") {
            Some((rest, other)) => (rest, Some(other.trim())),
            None => (text, None),
        };
        let (place, only) = match rest.split_once(" thread ") {
            Some((place, number)) => (place, Some(number.trim())),
            None => (rest, None),
        };
        let only: Option<ThreadId> = match only.map(|n| thread(&self.session, n)).transpose() {
            Ok(only) => only,
            Err(reply) => return reply,
        };
        match (line(place.trim()), other.map(line).transpose()) {
            (Ok(here), Ok(None)) => self.ask("reaches", anything(), |a| a.can_reach(&here, only)),
            (Ok(here), Ok(Some(there))) => {
                self.ask("meets", anything(), |a| a.can_meet(&here, only, &there))
            }
            (Err(reply), _) | (_, Err(reply)) => reply,
        }
    }

    fn values(&mut self, text: &str) -> Reply {
        let (rest, only) = match text.split_once(" thread ") {
            Some((rest, number)) => (rest, Some(number.trim())),
            None => (text, None),
        };
        let Some((name, place)) = rest.split_once(" at ") else {
            return Reply::mistake("say NAME at LINE");
        };
        let only: Option<ThreadId> = match only.map(|n| thread(&self.session, n)).transpose() {
            Ok(only) => only,
            Err(reply) => return reply,
        };
        let line = match line(place.trim()) {
            Ok(line) => line,
            Err(reply) => return reply,
        };
        let name = name.trim();
        let found = match self.asking(|a| a.values(name, &line, only, MOST_VALUES)) {
            Ok(found) => found,
            Err(reply) => return reply,
        };
        let bits = found
            .ty
            .map_or(64, |t| t.bits(self.session.program().model));
        let mut all: Vec<(i128, Told)> = found
            .all
            .into_iter()
            .map(|(v, told)| (sign_extend(v, bits), told))
            .collect();
        all.sort_by_key(|(v, _)| *v);
        let shown: Vec<String> = all.iter().map(|(v, _)| v.to_string()).collect();
        let mut reply = match shown.is_empty() {
            true => "none".to_string(),
            false => format!("{name} is {}", shown.join(", ")),
        };
        reply.push_str(&match found.complete {
            Ok(how) => format!("; there are no others: {how}\n"),
            Err(why) => format!("; there may be others: {why}\n"),
        });
        // Each value has its run; the session stays where it is.
        let back = (
            self.session.branch().name.clone(),
            self.session.here(),
            self.session.selected(),
        );
        for (value, told) in &all {
            let name = format!("{name}={value}");
            if self
                .session
                .load(&told.run, &name, Some(anything()))
                .is_ok()
            {
                self.session.switch(&back.0);
                self.session.go_to(back.1);
                self.session.select(back.2);
            }
        }
        if !all.is_empty() {
            reply.push_str("`branches` lists a run for each\n");
        }
        Reply::say(reply)
    }

    fn why(&mut self, text: &str) -> Reply {
        let line = match line(text) {
            _ if text.is_empty() => None,
            Ok(line) => Some(line),
            Err(reply) => return reply,
        };
        let why = match self.asking(|a| a.why_not(line.as_ref())) {
            Ok(why) => why,
            Err(reply) => return reply,
        };
        if let Answer::Yes(_) = why.answer {
            let text = self.answered(why.answer, "fails", only(Property::UnreachCall));
            return Reply::say(format!("it can fail. {text}"));
        }
        let mut text = self.answered(why.answer, "fails", only(Property::UnreachCall));
        for (names, what) in [
            (&why.needed, "it could fail without"),
            (&why.spare, "not needed"),
            (&why.open, "not known whether needed"),
        ] {
            if !names.is_empty() {
                text.push_str(&format!("{what}: {}\n", names.join(", ")));
            }
        }
        Reply::say(text)
    }
}

/// How many values are looked for.
const MOST_VALUES: usize = 64;
