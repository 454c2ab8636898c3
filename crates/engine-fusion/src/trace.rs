//! The execution so far: its events, what each touched, and which happened before which.
//!
//! Threads have names that do not depend on the order of independent steps: a thread is the k-th child of its maker
//! ([`Names`]). Happens-before is the transitive closure of program order, creation, and conflicts in the order of
//! the run, kept as one vector clock per event. Everything grows and shrinks at its end only, as the search does.

use raddle_interp::ThreadId;
use raddle_interp::footprint::Touch;
use raddle_ir::Location;
use std::collections::HashMap;

/// A thread by its name, which is the same in all equivalent executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// The names of threads.
#[derive(Clone, Debug)]
pub struct Names {
    known: HashMap<(Name, u32), Name>,
    parents: Vec<Option<Name>>,
    /// By the interpreter's number.
    names: Vec<Name>,
    /// By name: the interpreter's number.
    numbers: Vec<ThreadId>,
    /// By name: how many threads it has made.
    children: Vec<u32>,
    /// Names and numbers are the same so far.
    same: bool,
}

impl Names {
    /// Only the first thread.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Names {
        Names {
            known: HashMap::new(),
            parents: vec![None],
            names: vec![Name(0)],
            numbers: vec![ThreadId(0)],
            children: vec![0],
            same: true,
        }
    }

    /// The same names, at the beginning of another execution.
    pub fn again(&self) -> Names {
        Names {
            known: self.known.clone(),
            parents: self.parents.clone(),
            names: vec![Name(0)],
            numbers: vec![ThreadId(0); self.parents.len()],
            children: vec![0; self.parents.len()],
            same: self.same,
        }
    }

    /// Thread `new` was made.
    pub fn add(&mut self, maker: ThreadId, new: ThreadId) {
        debug_assert_eq!(new.0 as usize, self.names.len());
        let parent = self.names[maker.0 as usize];
        let count = self.children[parent.0 as usize];
        self.children[parent.0 as usize] += 1;
        let fresh = Name(self.parents.len() as u32);
        let name = *self.known.entry((parent, count)).or_insert(fresh);
        if name == fresh {
            self.parents.push(Some(parent));
            self.numbers.push(new);
            self.children.push(0);
        }
        self.numbers[name.0 as usize] = new;
        self.names.push(name);
        self.same &= name.0 == new.0;
    }

    /// Forgets threads that were made later than the first `count`.
    pub fn truncate(&mut self, count: usize) {
        if self.names.len() <= count {
            return;
        }
        for name in self.names.drain(count..) {
            if let Some(parent) = self.parents[name.0 as usize] {
                self.children[parent.0 as usize] -= 1;
            }
        }
    }

    /// Who is who now, to be loaded later.
    pub fn save(&self) -> (Vec<Name>, Vec<ThreadId>) {
        (self.names.clone(), self.numbers.clone())
    }

    /// Goes back to what was saved.
    pub fn load(&mut self, saved: (Vec<Name>, Vec<ThreadId>)) {
        self.names = saved.0;
        self.children.fill(0);
        for name in &self.names {
            if let Some(parent) = self.parents[name.0 as usize] {
                self.children[parent.0 as usize] += 1;
            }
        }
        let fresh = self
            .numbers
            .split_off(saved.1.len().min(self.numbers.len()));
        self.numbers = saved.1;
        self.numbers.extend(fresh);
    }

    /// How many threads there are.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// How many names were ever given.
    pub fn all(&self) -> usize {
        self.parents.len()
    }

    /// The name of a thread.
    pub fn name(&self, t: ThreadId) -> Name {
        self.names[t.0 as usize]
    }

    /// The thread of a name.
    pub fn number(&self, name: Name) -> ThreadId {
        self.numbers[name.0 as usize]
    }

    /// Replaces numbers in touches by names.
    pub fn rename(&self, touches: &mut [Touch]) {
        if self.same {
            return;
        }
        for touch in touches {
            touch.owner = ThreadId(self.names[touch.owner.0 as usize].0);
        }
    }
}

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Who.
    pub thread: Name,
    /// The how manieth of its thread, from 1.
    pub index: u32,
    /// Where the thread stood.
    pub at: Location,
    touches: (u32, u32),
    answers: (u32, u32),
}

/// Digests of the state before an event, of as much as was looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Note {
    /// The variables of the innermost activation.
    pub variables: Option<u64>,
    /// What belongs to the thread.
    pub own: Option<u128>,
    /// Everything.
    pub whole: Option<u128>,
}

/// An execution.
#[derive(Debug, Default)]
pub struct Trace {
    events: Vec<Event>,
    touches: Vec<Touch>,
    answers: Vec<u32>,
    root: Vec<u32>,
    /// One clock per event, and one that is being made.
    clocks: Vec<u32>,
    stride: usize,
    /// What was noted of the state before an event.
    notes: Vec<Note>,
    /// By name: where its events are.
    positions: Vec<Vec<u32>>,
    /// By name: the event that started it; `None` if it began before all events.
    births: Vec<Option<u32>>,
}

impl Trace {
    /// An empty execution, with the answers given before the first event.
    pub fn new(root: Vec<u32>) -> Trace {
        Trace {
            root,
            ..Trace::default()
        }
    }

    /// The answers given before the first event.
    pub fn root(&self) -> &[u32] {
        &self.root
    }

    /// The events in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether there is no event.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// What an event touched.
    #[inline]
    pub fn touches(&self, at: usize) -> &[Touch] {
        let (from, to) = self.events[at].touches;
        &self.touches[from as usize..to as usize]
    }

    /// The answers an event got.
    pub fn answers(&self, at: usize) -> &[u32] {
        let (from, to) = self.events[at].answers;
        &self.answers[from as usize..to as usize]
    }

    /// What was noted of the state before an event.
    pub fn note(&self, at: usize) -> Note {
        self.notes[at]
    }

    /// Notes something of the state before the last event.
    pub fn set_note(&mut self, note: Note) {
        if let Some(last) = self.notes.last_mut() {
            *last = note;
        }
    }

    /// The clock of an event.
    #[inline]
    pub fn clock(&self, at: usize) -> &[u32] {
        &self.clocks[at * self.stride..(at + 1) * self.stride]
    }

    /// Whether an event happened before another or is it.
    #[inline]
    pub fn before(&self, a: usize, b: usize) -> bool {
        let a = self.events[a];
        self.clock(b)[a.thread.0 as usize] >= a.index
    }

    /// Where the events of a thread are.
    #[inline]
    pub fn of_thread(&self, name: Name) -> &[u32] {
        &self.positions[name.0 as usize]
    }

    /// For how many names there is room.
    pub fn width(&self) -> usize {
        self.stride
    }

    /// Makes room for this many names.
    pub fn widen(&mut self, names: usize) {
        if names <= self.stride {
            return;
        }
        let wide = names.next_power_of_two().max(4);
        let mut clocks = Vec::with_capacity(self.events.len() * wide);
        for at in 0..self.events.len() {
            clocks.extend_from_slice(self.clock(at));
            clocks.resize((at + 1) * wide, 0);
        }
        self.clocks = clocks;
        self.stride = wide;
        self.positions.resize_with(wide, Vec::new);
        self.births.resize(wide, None);
    }

    /// The clock with which a thread comes to its next event.
    pub fn base(&self, name: Name, into: &mut Vec<u32>) {
        into.clear();
        let last = self.positions[name.0 as usize].last().copied();
        match last.or(self.births[name.0 as usize]) {
            Some(at) => into.extend_from_slice(self.clock(at as usize)),
            None => into.resize(self.stride, 0),
        }
    }

    /// Adds an event; its clock is `clock` with its own time advanced.
    pub fn push(
        &mut self,
        thread: Name,
        at: Location,
        touches: &[Touch],
        answers: &[u32],
        clock: &[u32],
    ) {
        let t = thread.0 as usize;
        let index = self.positions[t].len() as u32 + 1;
        let from = self.touches.len() as u32;
        self.touches.extend_from_slice(touches);
        let first = self.answers.len() as u32;
        self.answers.extend_from_slice(answers);
        self.clocks.extend_from_slice(clock);
        let own = self.events.len() * self.stride + t;
        self.clocks[own] = index;
        self.positions[t].push(self.events.len() as u32);
        self.notes.push(Note::default());
        self.events.push(Event {
            thread,
            index,
            at,
            touches: (from, self.touches.len() as u32),
            answers: (first, self.answers.len() as u32),
        });
    }

    /// The event that started a thread, if an event did.
    pub fn birth(&self, name: Name) -> Option<usize> {
        self.births[name.0 as usize].map(|at| at as usize)
    }

    /// A thread was started by the last event.
    pub fn born(&mut self, name: Name) {
        self.births[name.0 as usize] = self.events.len().checked_sub(1).map(|n| n as u32);
    }

    /// Takes back the last event.
    pub fn pop(&mut self) {
        let Some(e) = self.events.pop() else { return };
        self.notes.pop();
        self.touches.truncate(e.touches.0 as usize);
        self.answers.truncate(e.answers.0 as usize);
        self.clocks.truncate(self.events.len() * self.stride);
        self.positions[e.thread.0 as usize].pop();
    }
}
