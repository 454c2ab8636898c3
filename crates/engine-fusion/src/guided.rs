//! One complete execution, led along a given order as far as it can be followed, and free after that.
//!
//! It exists for the branches it takes: a solver has said how a branch can be reached that no execution has taken yet, and what
//! lies behind it is found by going there. That the order cannot be followed is no error here; then the execution just goes on.

use crate::script::given;
use raddle_interp::follow::{Taken, follow};
use raddle_interp::footprint::Ready;
use raddle_interp::observe::Observed;
use raddle_interp::{Choice, Choices, Config, Machine, Outcome, ThreadId};
use raddle_ir::{ChoiceClass, Location, Program};
use raddle_skeleton::names::Names;
use raddle_skeleton::ways::{Recorder, Ways};
use raddle_verdict::{Candidate, Request};
use std::collections::{HashMap, VecDeque};

/// How many steps an execution may have.
const LONGEST: usize = 5_000;
/// For how many steps the last thread of the order goes on alone: it may wait for another.
const PATIENCE_AT_END: u32 = 20;
/// How many instructions; and how many a silent loop may take in one step.
const MOST_INSTRUCTIONS: usize = 200_000;
const QUANTUM: u64 = 5_000;
/// For how many steps of a thread one step of the order is looked for.
const PATIENCE: u32 = 1_000;

/// Answers to choices: those of the order, and the first possible one to everything else.
#[derive(Default)]
struct Told {
    /// By thread of the order, place and kind.
    answers: HashMap<(u32, Location, ChoiceClass), VecDeque<u128>>,
    /// What each thread gets for its inputs, if that is given.
    inputs: Option<Vec<i128>>,
    /// By the interpreter's number: the thread of the order.
    numbers: HashMap<ThreadId, u32>,
    made: Vec<(ThreadId, Location, ThreadId)>,
}

impl Choices for Told {
    fn choose(&mut self, choice: &Choice) -> u128 {
        if let Some(inputs) = self.inputs.as_ref().filter(|_| choice.kind.is_input()) {
            return given(inputs, choice);
        }
        let number = self.numbers.get(&choice.thread).copied();
        let key = (number.unwrap_or(u32::MAX), choice.at, choice.kind.class());
        let told = self.answers.get_mut(&key).and_then(VecDeque::pop_front);
        match (told, choice.options) {
            (Some(answer), 0) => answer,
            (Some(answer), options) => answer.min(u128::from(options) - 1),
            (None, _) => 0,
        }
    }

    fn made(&mut self, maker: ThreadId, at: Location, new: ThreadId) {
        self.made.retain(|(_, _, t)| *t < new);
        self.made.push((maker, at, new));
    }
}

/// An execution in progress.
struct Guided<'p, 'n> {
    machine: Machine<'p>,
    told: Told,
    recorder: Recorder<'n>,
    /// How many of the threads that were made are known to the recorder.
    known: usize,
    steps: usize,
    instructions: usize,
}

impl Guided<'_, '_> {
    /// One step of a thread; whether it did anything.
    fn step(&mut self, t: ThreadId, ways: &mut Ways) -> bool {
        self.steps += 1;
        let done = self.machine.step(t, &mut self.told) == Outcome::Done;
        self.note(ways);
        done && !self.is_over()
    }

    /// Tells the recorder what has happened.
    fn note(&mut self, ways: &mut Ways) {
        let observed = self.machine.take_observed();
        self.note_all(observed, ways);
    }

    fn note_all(&mut self, observed: Vec<Observed>, ways: &mut Ways) {
        for what in observed {
            let Observed::Executes { thread, stack, .. } = what else {
                continue;
            };
            self.instructions += 1;
            while let Some((maker, _, new)) = self.told.made.get(self.known)
                && *new == thread
            {
                self.recorder.made(maker.0, new.0);
                self.known += 1;
            }
            self.recorder.executes(thread.0, &stack, ways);
        }
    }

    /// Whether the process has ended, or it takes too long.
    fn is_over(&self) -> bool {
        self.steps >= LONGEST
            || self.instructions >= MOST_INSTRUCTIONS
            || self.machine.end().is_some()
    }

    fn is_ready(&self, t: ThreadId) -> bool {
        matches!(self.machine.ready(t), Ready::Now | Ready::Tries)
    }

    /// Follows an order as far as possible.
    fn follow(&mut self, order: &Candidate, ways: &mut Ways) -> Option<()> {
        for step in &order.steps {
            let mut patience = PATIENCE;
            loop {
                let mut all = self.told.numbers.iter();
                let t = *all.find(|(_, n)| **n == step.thread)?.0;
                if self.machine.executions(t, step.at) >= step.occurrence {
                    break;
                }
                patience = patience.checked_sub(1)?;
                if !self.is_ready(t) || !self.step(t, ways) {
                    return None;
                }
                self.number_threads(order);
            }
        }
        let mut all = self.told.numbers.iter();
        let last = *all.find(|(_, n)| **n == order.thread)?.0;
        for _ in 0..PATIENCE_AT_END {
            if !self.is_ready(last) || !self.step(last, ways) {
                break;
            }
        }
        Some(())
    }

    /// Gives threads that were made the numbers of the order.
    fn number_threads(&mut self, order: &Candidate) {
        for (maker, at, new) in &self.told.made {
            if self.told.numbers.contains_key(new) {
                continue;
            }
            let same = |m: &&(ThreadId, Location, ThreadId)| (m.0, m.1) == (*maker, *at);
            let upto = self.told.made.iter().filter(|m| m.2 <= *new);
            let occurrence = upto.filter(same).count() as u32;
            let Some(&maker) = self.told.numbers.get(maker) else {
                continue;
            };
            let mut steps = order.steps.iter();
            let found = steps.find(|s| {
                s.thread == maker && s.at == *at && s.occurrence == occurrence && s.starts.is_some()
            });
            if let Some(child) = found.and_then(|s| s.starts) {
                self.told.numbers.insert(*new, child);
            }
        }
    }
}

/// Executes a program once and opens the ways it takes. What is asked for may be that it begins in a certain way.
pub fn execute(
    program: &Program,
    config: &Config,
    request: &Request,
    order: Option<&Candidate>,
    names: &mut Names,
    ways: &mut Ways,
) {
    let inputs = request.inputs.as_deref();
    let config = Config {
        observe: true,
        quantum: QUANTUM,
        count_executions: true,
        count_inputs: inputs.is_some(),
        output: false,
        ..config.clone()
    };
    let mut told = Told {
        inputs: inputs.map(<[i128]>::to_vec),
        ..Told::default()
    };
    told.numbers.insert(ThreadId(0), 0);
    for c in order.iter().flat_map(|o| &o.choices) {
        let answers = told.answers.entry((c.thread, c.at, c.kind)).or_default();
        answers.push_back(c.value);
    }
    let (mut begun, mut asked) = (Vec::new(), Vec::new());
    let machine = match &request.after {
        None => Machine::new(program, config, &mut told),
        Some(after) => {
            let mut listen = |taken: Taken<'_>| {
                told.made.extend_from_slice(taken.made);
                asked.extend_from_slice(taken.asked);
                begun.extend(taken.observed);
            };
            match follow(program, &config, &after.before, &after.steps, &mut listen) {
                Ok(machine) => machine,
                Err(_) => return,
            }
        }
    };
    let mut run = Guided {
        machine,
        told,
        recorder: Recorder::new(program, names),
        known: 0,
        steps: 0,
        instructions: 0,
    };
    run.note_all(begun, ways);
    run.note(ways);
    if let Some(order) = order {
        run.number_threads(order);
        // What was asked in the beginning has been answered.
        for (choice, _) in &asked {
            let number = run.told.numbers.get(&choice.thread).copied();
            let key = (number.unwrap_or(u32::MAX), choice.at, choice.kind.class());
            if let Some(answers) = run.told.answers.get_mut(&key) {
                answers.pop_front();
            }
        }
        run.follow(order, ways);
    }
    while !run.is_over() {
        let threads: Vec<ThreadId> = run.machine.threads().collect();
        // In turn, because some may only wait; whoever ends the process comes last.
        let mut moved = false;
        for t in &threads {
            moved |= run.is_ready(*t) && run.step(*t, ways);
        }
        let last = threads
            .iter()
            .find(|t| run.machine.ready(**t) == Ready::Ends);
        match (moved, last) {
            (true, _) => {}
            (false, Some(t)) => {
                run.step(*t, ways);
            }
            (false, None) => break,
        }
    }
}
