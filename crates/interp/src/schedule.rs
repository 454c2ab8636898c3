//! Schedules: what happened in a run, enough to repeat it exactly, as a file.
//!
//! The file is JSON with a version; it names the program by the fingerprint of its IR, and is refused for
//! another one. Events are in order: `1@3.2.5#4` says that thread 1 took the step that begins at
//! instruction 5 of block 2 of function 3, for the fourth time; `input=7` that a choice was answered.

use crate::config::Checks;
use crate::machine::ThreadId;
use raddle_ir::{BlockId, ChoiceClass, FuncId, Location, Program, Property};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;

/// One event of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A thread took a step.
    Step {
        /// Which.
        thread: ThreadId,
        /// Where it stood.
        at: Location,
        /// The how manieth of its steps from there, from 1.
        occurrence: u32,
    },
    /// A choice was made.
    Choice {
        /// Its kind.
        kind: ChoiceClass,
        /// The answer.
        value: u128,
    },
}

/// A run, repeatable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The fingerprint of the program.
    pub program: u64,
    /// The source files, for the reader.
    pub files: Vec<String>,
    /// The data model, for the reader and to compile the program again.
    pub data_model: String,
    /// The properties that were checked.
    pub checks: Checks,
    /// Whether sleepers could wake without a signal.
    pub spurious_wakeups: bool,
    /// Whether addresses could be reused.
    pub reuse_addresses: bool,
    /// The arguments of `main`.
    pub arguments: Vec<String>,
    /// What happened.
    pub events: Vec<Event>,
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    program: String,
    files: Vec<String>,
    data_model: String,
    properties: Vec<String>,
    spurious_wakeups: bool,
    reuse_addresses: bool,
    arguments: Vec<String>,
    events: Vec<String>,
}

const FORMAT: &str = "raddle-schedule";
const VERSION: u32 = 1;

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Step {
                thread,
                at,
                occurrence,
            } => write!(
                f,
                "{}@{}.{}.{}#{occurrence}",
                thread.0, at.function.0, at.block.0, at.index
            ),
            Event::Choice { kind, value } => write!(f, "{}={value}", kind.name()),
        }
    }
}

fn parse_event(text: &str) -> Option<Event> {
    if let Some((kind, value)) = text.split_once('=') {
        return Some(Event::Choice {
            kind: ChoiceClass::by_name(kind)?,
            value: value.parse().ok()?,
        });
    }
    let (thread, rest) = text.split_once('@')?;
    let (place, occurrence) = rest.split_once('#')?;
    let place: Vec<u32> = place.split('.').map_while(|n| n.parse().ok()).collect();
    let [function, block, index] = place[..] else {
        return None;
    };
    Some(Event::Step {
        thread: ThreadId(thread.parse().ok()?),
        at: Location {
            function: FuncId(function),
            block: BlockId(block),
            index,
        },
        occurrence: occurrence.parse().ok()?,
    })
}

impl Schedule {
    /// The file's text.
    pub fn to_json(&self) -> String {
        let file = File {
            format: FORMAT.to_string(),
            version: VERSION,
            program: format!("{:016x}", self.program),
            files: self.files.clone(),
            data_model: self.data_model.clone(),
            properties: self.checks.iter().map(|p| p.name().to_string()).collect(),
            spurious_wakeups: self.spurious_wakeups,
            reuse_addresses: self.reuse_addresses,
            arguments: self.arguments.clone(),
            events: self.events.iter().map(|e| e.to_string()).collect(),
        };
        // Plain data without maps: serialisation cannot fail.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }

    /// Reads a file's text.
    pub fn from_json(text: &str) -> Result<Schedule, String> {
        let file: File =
            serde_json::from_str(text).map_err(|e| format!("not a schedule file: {e}"))?;
        if file.format != FORMAT {
            return Err(format!("not a schedule file: format is `{}`", file.format));
        }
        if file.version != VERSION {
            return Err(format!(
                "this schedule has version {}, this program reads version {VERSION}",
                file.version
            ));
        }
        let mut checks = Vec::new();
        for name in &file.properties {
            let found = Property::from_name(name);
            if found.is_empty() {
                return Err(format!("unknown property `{name}` in the schedule"));
            }
            checks.extend(found);
        }
        let mut events = Vec::new();
        for (i, text) in file.events.iter().enumerate() {
            let event = parse_event(text);
            events.push(event.ok_or_else(|| format!("event {i} `{text}` cannot be read"))?);
        }
        let program = u64::from_str_radix(&file.program, 16)
            .map_err(|_| "the program's fingerprint cannot be read".to_string())?;
        Ok(Schedule {
            program,
            files: file.files,
            data_model: file.data_model,
            checks: checks.into_iter().collect(),
            spurious_wakeups: file.spurious_wakeups,
            reuse_addresses: file.reuse_addresses,
            arguments: file.arguments,
            events,
        })
    }

    /// Whether this schedule is of that program; if not, why.
    pub fn check_program(&self, program: &Program) -> Result<(), String> {
        match self.program == program.fingerprint() {
            true => Ok(()),
            false => Err(format!(
                "the schedule belongs to another version of the program (it was recorded for {}, data model {}); record it again",
                self.files.join(", "),
                self.data_model
            )),
        }
    }
}

/// Counts how often each thread took a step from each place.
#[derive(Clone, Debug, Default)]
pub struct Occurrences(HashMap<(ThreadId, Location), u32>);

impl Occurrences {
    /// Counts one more and returns the number so far, from 1.
    pub fn next(&mut self, thread: ThreadId, at: Location) -> u32 {
        let n = self.0.entry((thread, at)).or_default();
        *n += 1;
        *n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_survives_its_file() {
        let schedule = Schedule {
            program: 0xdead_beef,
            files: vec!["a.c".into()],
            data_model: "LP64".into(),
            checks: Checks::all(),
            spurious_wakeups: true,
            reuse_addresses: false,
            arguments: vec!["x".into()],
            events: vec![
                Event::Step {
                    thread: ThreadId(1),
                    at: Location {
                        function: FuncId(3),
                        block: BlockId(2),
                        index: 5,
                    },
                    occurrence: 4,
                },
                Event::Choice {
                    kind: ChoiceClass::Input,
                    value: u128::MAX,
                },
            ],
        };
        assert_eq!(Schedule::from_json(&schedule.to_json()), Ok(schedule));
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        assert!(Schedule::from_json("").is_err());
        assert!(Schedule::from_json("{}").is_err());
        let other = r#"{"format":"raddle-schedule","version":9,"program":"0","files":[],"data_model":"LP64",
            "properties":[],"spurious_wakeups":true,"reuse_addresses":true,"arguments":[],"events":[]}"#;
        assert!(Schedule::from_json(other).is_err_and(|e| e.contains("version 9")));
    }
}
