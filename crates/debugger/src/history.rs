//! What has happened in a session: who took each step, what was answered, what the user changed, and states to come back to.
//!
//! A step is one instruction, so a history is long and its steps are small: a number for each, and maps for the few that have more to
//! tell. States are kept at a distance that grows with the history; between them the interpreter runs again, which it
//! does exactly.

use raddle_interp::value::{ObjectId, Value};
use raddle_interp::{Checks, Snapshot, ThreadId};
use raddle_ir::LocalId;
use raddle_verdict::Beginning;
use std::collections::BTreeMap;

/// Steps between two states that are kept, at first.
const DISTANCE: usize = 1 << 11;
/// How many states are kept before every second one is dropped.
const MOST_STATES: usize = 1 << 10;

/// How many steps were taken before a moment.
pub type Moment = usize;

/// A change by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Of memory.
    Memory {
        /// Which object.
        object: ObjectId,
        /// From which byte.
        offset: u64,
        /// How many bytes.
        length: u64,
        /// What stands there now.
        value: Value,
    },
    /// Of a local.
    Local {
        /// Whose.
        thread: ThreadId,
        /// Of which activation, counted from the outermost.
        frame: usize,
        /// Which.
        local: LocalId,
        /// What it is now.
        value: Value,
    },
}

/// What counts as going wrong in a run, and whether sleepers wake by themselves in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// What counts as going wrong.
    pub checks: Checks,
    /// Sleepers may wake without a signal.
    pub spurious_wakeups: bool,
}

/// Something a program printed: the stream and the bytes.
pub type Output = (i32, Vec<u8>);

/// One line of history, from the beginning of the program.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// At which moment it parted from another, and from which.
    pub parted: Option<(Moment, String)>,
    /// How it is run.
    pub rules: Rules,
    before: Vec<u128>,
    threads: Vec<ThreadId>,
    answers: BTreeMap<Moment, Vec<u128>>,
    edits: BTreeMap<Moment, Vec<Edit>>,
    output: BTreeMap<Moment, Vec<Output>>,
    states: BTreeMap<Moment, Snapshot>,
    distance: usize,
}

impl Branch {
    /// One without steps, at the state of a program's beginning.
    pub fn new(name: &str, before: Vec<u128>, first: Snapshot) -> Branch {
        Branch {
            name: name.to_string(),
            before,
            states: BTreeMap::from([(0, first)]),
            distance: DISTANCE,
            ..Branch::default()
        }
    }

    /// How many steps there are.
    pub fn len(&self) -> Moment {
        self.threads.len()
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// Who took the step after a moment.
    pub fn thread_at(&self, at: Moment) -> Option<ThreadId> {
        self.threads.get(at).copied()
    }

    /// What was answered in the step after a moment.
    pub fn answers_at(&self, at: Moment) -> &[u128] {
        self.answers.get(&at).map_or(&[], Vec::as_slice)
    }

    /// What the user changed at a moment.
    pub fn edits_at(&self, at: Moment) -> &[Edit] {
        self.edits.get(&at).map_or(&[], Vec::as_slice)
    }

    /// Whether the user changed anything before a moment, or at it.
    pub fn is_edited(&self, until: Moment) -> bool {
        self.edits.range(..=until).next().is_some()
    }

    /// What was printed up to a moment, in order.
    pub fn output(&self, until: Moment) -> impl Iterator<Item = &Output> {
        self.output.range(..=until).flat_map(|(_, all)| all)
    }

    /// What was printed in the step that led to a moment.
    pub fn output_at(&self, at: Moment) -> &[Output] {
        self.output.get(&at).map_or(&[], Vec::as_slice)
    }

    /// The last state that is kept, not behind a moment.
    pub fn state_before(&self, at: Moment) -> (Moment, &Snapshot) {
        let found = self.states.range(..=at).next_back();
        let (moment, state) = found.expect("the state of the beginning is kept");
        (*moment, state)
    }

    /// Adds a step.
    pub fn push(&mut self, thread: ThreadId, answers: Vec<u128>, output: Vec<Output>) {
        let at = self.threads.len();
        self.threads.push(thread);
        if !answers.is_empty() {
            self.answers.insert(at, answers);
        }
        if !output.is_empty() {
            self.output.insert(at + 1, output);
        }
    }

    /// Notes a change by the user at the end.
    pub fn edit(&mut self, edit: Edit) {
        let at = self.len();
        self.states.remove(&at);
        self.edits.entry(at).or_default().push(edit);
    }

    /// Whether a state should be kept at a moment.
    pub fn wants_state(&self, at: Moment) -> bool {
        at.is_multiple_of(self.distance) && !self.states.contains_key(&at)
    }

    /// Keeps a state. If there are many, every second one goes.
    pub fn keep(&mut self, at: Moment, state: Snapshot) {
        self.states.insert(at, state);
        if self.states.len() > MOST_STATES {
            self.distance *= 2;
            let distance = self.distance;
            self.states.retain(|at, _| at.is_multiple_of(distance));
        }
    }

    /// The same up to a moment, under another name.
    pub fn parted(&self, at: Moment, name: &str) -> Branch {
        let until = |map: &BTreeMap<Moment, Vec<u128>>| {
            let part = map.range(..at);
            part.map(|(k, v)| (*k, v.clone())).collect()
        };
        Branch {
            name: name.to_string(),
            parted: Some((at, self.name.clone())),
            rules: self.rules,
            before: self.before.clone(),
            threads: self.threads[..at].to_vec(),
            answers: until(&self.answers),
            edits: (self.edits.range(..=at))
                .map(|(k, v)| (*k, v.clone()))
                .collect(),
            output: (self.output.range(..=at))
                .map(|(k, v)| (*k, v.clone()))
                .collect(),
            states: (self.states.range(..=at))
                .map(|(k, v)| (*k, v.clone()))
                .collect(),
            distance: self.distance,
        }
    }

    /// How far two branches are the same.
    pub fn common(&self, other: &Branch) -> Moment {
        let all = self.len().min(other.len());
        let same = |at: &Moment| {
            self.threads[*at] == other.threads[*at]
                && self.answers_at(*at) == other.answers_at(*at)
                && self.edits_at(*at) == other.edits_at(*at)
        };
        (0..all).position(|at| !same(&at)).unwrap_or(all)
    }

    /// The steps up to a moment, as engines are told them.
    pub fn beginning(&self, until: Moment) -> Beginning {
        let step = |at: Moment| (self.threads[at].0, self.answers_at(at).to_vec());
        Beginning {
            before: self.before.clone(),
            steps: (0..until).map(step).collect(),
        }
    }
}
