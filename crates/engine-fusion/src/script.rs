//! Answers to the choices of one step: a script, continued with the first answer to everything else that is asked.
//!
//! [`Script::next`] is the script after it, so that all answers are tried one after the other. Values that cannot all be
//! tried come from a list; [`Script::sampled`] says whether that happened.

use raddle_interp::schedulers::SplitMix;
use raddle_interp::{Choice, Choices, ThreadId};
use raddle_ir::{ChoiceClass, Location, Program};
use std::collections::HashMap;

/// Values that are tried where not all can be, and inputs if they are given.
#[derive(Clone, Debug)]
pub struct Values {
    list: Vec<i128>,
    inputs: Option<Vec<i128>>,
}

impl Values {
    /// Those for a program.
    pub fn new(program: &Program, inputs: Option<&[i128]>) -> Values {
        Values {
            list: raddle_interp::constants::interesting(program),
            inputs: inputs.map(<[i128]>::to_vec),
        }
    }
}

/// The answer to a question for an input, if inputs are given.
pub fn given(inputs: &[i128], choice: &Choice) -> u128 {
    let value = inputs.get(choice.before as usize).copied().unwrap_or(0);
    match choice.bits < 128 {
        true => value as u128 & ((1 << choice.bits) - 1),
        false => value as u128,
    }
}

/// What is answered to whom: mostly the same at the same place. Where thousands of threads ask for a value, and some values end the process,
/// it is hopeless that all get good ones by chance; but what was good for one is good for the others.
#[derive(Debug, Default)]
pub struct Habits {
    first: HashMap<(Location, ChoiceClass), u32>,
    /// Who takes a step, and may be answered anything.
    pub steps: Option<ThreadId>,
    /// Who may be answered anything from the beginning.
    pub odd: Vec<ThreadId>,
}

impl Habits {
    /// Forgets what was answered.
    pub fn forget(&mut self) {
        self.first.clear();
    }

    fn answer(&mut self, choice: &Choice, list: &[i128], random: &mut SplitMix) -> u32 {
        let options = list.len().max(1) as u32;
        // Inputs are often only compared with zero.
        let zero = list.iter().position(|v| *v == 0);
        let fresh = match zero.filter(|_| random.below(4) == 0) {
            Some(zero) => zero as u32,
            None => random.below(u64::from(options)) as u32,
        };
        let first = self.first.entry((choice.at, choice.kind.class()));
        let first = *first.or_insert(fresh);
        let free = self.steps == Some(choice.thread) || self.odd.contains(&choice.thread);
        match (free && random.below(2) == 0) || first >= options {
            true => fresh,
            false => first,
        }
    }
}

/// Answers, and what was asked.
pub struct Script<'a> {
    values: &'a Values,
    /// The answers, by number; as many as were asked for once the step is over.
    pub answers: Vec<u32>,
    /// For every question, how many answers there are.
    asked: Vec<u32>,
    /// A value was taken from the list.
    pub sampled: bool,
    /// Threads that were made: by whom, where, and which.
    pub made: Vec<(ThreadId, Location, ThreadId)>,
    /// If given, decides what the answers do not.
    pub random: Option<SplitMix>,
    /// If given, values are mostly those of before.
    pub habits: Option<&'a mut Habits>,
    /// If wanted: every question with its answer.
    pub record: Option<Vec<(Choice, u128)>>,
}

impl<'a> Script<'a> {
    /// A script with these answers.
    pub fn new(values: &'a Values, answers: Vec<u32>) -> Script<'a> {
        Script {
            values,
            answers,
            asked: Vec::new(),
            sampled: false,
            made: Vec::new(),
            random: None,
            habits: None,
            record: None,
        }
    }

    /// How many ways there were to answer everything.
    pub fn ways(&self) -> f64 {
        self.asked.iter().map(|n| f64::from(*n)).product()
    }

    /// Whether anything was asked.
    pub fn was_asked(&self) -> bool {
        !self.asked.is_empty()
    }

    /// The answers that were given.
    pub fn given(&self) -> Vec<u32> {
        let mut answers = self.answers.clone();
        answers.resize(self.asked.len(), 0);
        answers
    }

    /// The answers to try after these, or `None` after the last.
    pub fn next(&self) -> Option<Vec<u32>> {
        let mut answers = self.given();
        while let Some(last) = answers.pop() {
            if last + 1 < self.asked[answers.len()] {
                answers.push(last + 1);
                return Some(answers);
            }
        }
        None
    }
}

impl Choices for Script<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let fixed = self.values.inputs.as_ref();
        if let Some(inputs) = fixed.filter(|_| choice.kind.is_input()) {
            let value = given(inputs, choice);
            if let Some(record) = &mut self.record {
                record.push((*choice, value));
            }
            return value;
        }
        let options = match (choice.options, choice.bits) {
            (0, 1) => 2,
            (0, _) => self.values.list.len().max(1) as u32,
            (options, _) => options,
        };
        if let Some(random) = &mut self.random
            && self.answers.len() == self.asked.len()
        {
            let from_list = choice.options == 0 && choice.bits > 1;
            let habits = self.habits.as_mut().filter(|_| from_list);
            self.answers.push(match habits {
                Some(habits) => habits.answer(choice, &self.values.list, random),
                None => random.below(u64::from(options)) as u32,
            });
        }
        let answer = self.answers.get(self.asked.len()).copied().unwrap_or(0);
        let value = match (choice.options, choice.bits) {
            (0, 1) => {
                self.asked.push(2);
                u128::from(answer)
            }
            (0, bits) => {
                self.sampled = true;
                self.asked.push(self.values.list.len().max(1) as u32);
                let value = self.values.list.get(answer as usize).copied().unwrap_or(0) as u128;
                match bits < 128 {
                    true => value & ((1 << bits) - 1),
                    false => value,
                }
            }
            (options, _) => {
                self.asked.push(options);
                u128::from(answer)
            }
        };
        if let Some(record) = &mut self.record {
            record.push((*choice, value));
        }
        value
    }

    fn made(&mut self, maker: ThreadId, at: Location, new: ThreadId) {
        // A refused region may have made the same thread before.
        self.made.retain(|(_, _, t)| *t < new);
        self.made.push((maker, at, new));
    }
}
