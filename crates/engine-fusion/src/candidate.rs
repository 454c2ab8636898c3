//! From a found violation to a candidate for the judge: the same steps, by instruction and occurrence.
//!
//! The steps are taken once more in a machine that counts how often each thread executes each instruction, because that
//! is how a candidate names a step. Threads keep the interpreter's numbers of this run. The steps of a beginning come first, each
//! of its instructions as one.

use crate::script::{Script, Values};
use crate::search::Hit;
use crate::trace::Names;
use raddle_interp::follow::{Taken, follow};
use raddle_interp::{Choice, Config, Machine, ThreadId};
use raddle_ir::{Location, Program};
use raddle_verdict::{Candidate, CandidateChoice, CandidateStep, Request};
use std::collections::HashMap;

/// The candidate, or what went wrong.
pub fn candidate(
    program: &Program,
    config: &Config,
    request: &Request,
    hit: &Hit,
) -> Result<Candidate, String> {
    let values = Values::new(program, request.inputs.as_deref());
    let config = Config {
        count_executions: true,
        footprints: true,
        output: false,
        ..config.clone()
    };
    let mut replay = Replay {
        names: hit.names.again(),
        steps: Vec::new(),
        choices: Vec::new(),
        made: HashMap::new(),
    };
    let mut machine = match &request.after {
        None => {
            let mut script = recording(&values, hit.root.clone());
            let machine = Machine::new(program, config.clone(), &mut script);
            replay.take(&script);
            machine
        }
        Some(after) => {
            let mut listen = |taken: Taken<'_>| {
                if let Some((thread, at, occurrence)) = taken.step {
                    replay.step(thread, at, occurrence);
                }
                replay.note(taken.made, taken.asked);
            };
            follow(program, &config, &after.before, &after.steps, &mut listen)?
        }
    };
    for (name, answers) in &hit.steps {
        let number = replay.names.number(*name);
        let thread = machine.thread(number);
        let Some(at) = thread.location() else {
            return Err(format!("thread {} has no place", number.0));
        };
        replay.step(number, at, machine.executions(number, at) + 1);
        let mut script = recording(&values, answers.clone());
        machine.step(number, &mut script);
        replay.take(&script);
    }
    let thread = replay.names.number(hit.thread);
    if !hit.last.is_empty() {
        let mut script = recording(&values, hit.last.clone());
        machine.step(thread, &mut script);
        script.made.clear();
        replay.take(&script);
    }
    Ok(Candidate {
        property: hit.property,
        thread: thread.0,
        at: hit.at,
        spurious_wakeups: config.spurious_wakeups,
        steps: replay.steps,
        choices: replay.choices,
    })
}

fn recording(values: &Values, answers: Vec<u32>) -> Script<'_> {
    let mut script = Script::new(values, answers);
    script.record = Some(Vec::new());
    script
}

struct Replay {
    names: Names,
    steps: Vec<CandidateStep>,
    choices: Vec<CandidateChoice>,
    /// How many threads each has made at a place.
    made: HashMap<(ThreadId, Location), u32>,
}

impl Replay {
    fn step(&mut self, thread: ThreadId, at: Location, occurrence: u32) {
        self.steps.push(CandidateStep {
            thread: thread.0,
            at,
            occurrence,
            starts: None,
        });
    }

    fn take(&mut self, script: &Script<'_>) {
        self.note(&script.made, script.record.as_deref().unwrap_or_default());
    }

    /// Notes what a step asked and which threads it made.
    fn note(&mut self, made: &[(ThreadId, Location, ThreadId)], asked: &[(Choice, u128)]) {
        for (maker, at, new) in made.iter().copied() {
            self.names.add(maker, new);
            let count = self.made.entry((maker, at)).or_default();
            *count += 1;
            self.steps.push(CandidateStep {
                thread: maker.0,
                at,
                occurrence: *count,
                starts: Some(new.0),
            });
        }
        for (choice, value) in asked {
            self.choices.push(CandidateChoice {
                thread: choice.thread.0,
                at: choice.at,
                kind: choice.kind.class(),
                occurrence: None,
                value: *value,
            });
        }
    }
}
