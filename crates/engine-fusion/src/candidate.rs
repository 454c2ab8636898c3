//! From a found violation to a candidate for the judge: the same steps, by instruction and occurrence.
//!
//! The steps are taken once more in a machine that counts how often each thread executes each instruction, because that
//! is how a candidate names a step. Threads keep the interpreter's numbers of this run.

use crate::script::{Script, Values};
use crate::search::Hit;
use crate::trace::Names;
use raddle_interp::{Config, Machine, ThreadId};
use raddle_ir::{Location, Program};
use raddle_verdict::{Candidate, CandidateChoice, CandidateStep};

/// The candidate, or what went wrong.
pub fn candidate(
    program: &Program,
    config: &Config,
    inputs: Option<&[i128]>,
    hit: &Hit,
) -> Result<Candidate, String> {
    let values = Values::new(program, inputs);
    let config = Config {
        count_executions: true,
        footprints: true,
        output: false,
        ..config.clone()
    };
    let mut names = hit.names.again();
    let mut replay = Replay::default();
    let mut script = recording(&values, hit.root.clone());
    let mut machine = Machine::new(program, config.clone(), &mut script);
    replay.take(&mut names, script);
    for (name, answers) in &hit.steps {
        let number = names.number(*name);
        let thread = machine.thread(number);
        let Some(at) = thread.location() else {
            return Err(format!("thread {} has no place", number.0));
        };
        replay.steps.push(CandidateStep {
            thread: number.0,
            at,
            occurrence: machine.executions(number, at) + 1,
            starts: None,
        });
        let mut script = recording(&values, answers.clone());
        machine.step(number, &mut script);
        replay.take(&mut names, script);
    }
    if !hit.last.is_empty() {
        let mut script = recording(&values, hit.last.clone());
        machine.step(names.number(hit.thread), &mut script);
        script.made.clear();
        replay.take(&mut names, script);
    }
    Ok(Candidate {
        property: hit.property,
        thread: names.number(hit.thread).0,
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

#[derive(Default)]
struct Replay {
    steps: Vec<CandidateStep>,
    choices: Vec<CandidateChoice>,
    made: Vec<(ThreadId, Location)>,
}

impl Replay {
    /// Notes what a step asked and which threads it made.
    fn take(&mut self, names: &mut Names, script: Script<'_>) {
        for (maker, at, new) in script.made {
            names.add(maker, new);
            self.made.push((maker, at));
            let same = |m: &&(ThreadId, Location)| **m == (maker, at);
            self.steps.push(CandidateStep {
                thread: maker.0,
                at,
                occurrence: self.made.iter().filter(same).count() as u32,
                starts: Some(new.0),
            });
        }
        for (choice, value) in script.record.unwrap_or_default() {
            self.choices.push(CandidateChoice {
                thread: choice.thread.0,
                at: choice.at,
                kind: choice.kind.name(),
                occurrence: None,
                value,
            });
        }
    }
}
