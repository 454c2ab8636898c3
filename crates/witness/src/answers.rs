//! Answers to choices, in queues by who asks, where, and for what.
//!
//! A refused step must leave no trace, in the queues neither: [`Answers::undo`] puts back what the last step took.

use raddle_ir::{ChoiceClass, Location};
use std::collections::HashMap;

/// Who asks (numbered as the owner of the queues likes), where, and for what kind of choice.
pub type Key = (u32, Location, ChoiceClass);

/// Queues of answers; an empty one answers 0. Some are for one execution of an instruction only, and wait for it.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    queues: HashMap<Key, Queue>,
    exact: HashMap<(Key, u32), u128>,
    /// What the present step took.
    taken: Vec<Key>,
}

#[derive(Clone, Debug, Default)]
struct Queue {
    values: Vec<u128>,
    next: usize,
}

impl Answers {
    /// Appends an answer.
    pub fn push(&mut self, key: Key, value: u128) {
        self.queues.entry(key).or_default().values.push(value);
    }

    /// An answer for one execution of the instruction.
    pub fn expect(&mut self, key: Key, occurrence: u32, value: u128) {
        self.exact.insert((key, occurrence), value);
    }

    /// The answer for an execution of the instruction, or else the next one.
    pub fn take_for(&mut self, key: Key, occurrence: u32) -> u128 {
        match self.exact.get(&(key, occurrence)) {
            Some(&value) => value,
            None => self.take(key),
        }
    }

    /// The next answer.
    pub fn take(&mut self, key: Key) -> u128 {
        let Some(queue) = self.queues.get_mut(&key) else {
            return 0;
        };
        let value = queue.values.get(queue.next).copied().unwrap_or(0);
        queue.next += 1;
        self.taken.push(key);
        value
    }

    /// The step that took answers is over.
    pub fn keep(&mut self) {
        self.taken.clear();
    }

    /// The step that took answers never was.
    pub fn undo(&mut self) {
        for key in self.taken.drain(..) {
            if let Some(queue) = self.queues.get_mut(&key) {
                queue.next -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{BlockId, FuncId};

    #[test]
    fn answers_come_in_order_then_zero_and_can_be_put_back() {
        let at = Location {
            function: FuncId(0),
            block: BlockId(0),
            index: 0,
        };
        let key = (1, at, ChoiceClass::Input);
        let mut answers = Answers::default();
        answers.push(key, 7);
        answers.push(key, 8);
        assert_eq!(answers.take((2, at, ChoiceClass::Input)), 0);
        assert_eq!(answers.take(key), 7);
        answers.keep();
        assert_eq!(answers.take(key), 8);
        assert_eq!(answers.take(key), 0);
        answers.undo();
        assert_eq!(answers.take(key), 8);
    }
}
