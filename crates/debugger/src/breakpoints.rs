//! Where to stop: lines, functions, changes of memory, lock operations, threads that begin or end; perhaps only under a condition,
//! or in one thread.
//!
//! A breakpoint is met by a step: it compares what is behind the step with what was before. So it works in both directions.

use crate::evaluate::Frame;
use crate::expression::Expression;
use crate::position::{Position, position};
use crate::session::Session;
use raddle_interp::ThreadId;
use raddle_interp::thread::{Held, ThreadStatus};
use raddle_interp::value::ObjectId;
use raddle_ir::{FileId, FuncId};

/// What a breakpoint looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A thread comes to a line.
    Line(FileId, u32),
    /// A function is called.
    Function(FuncId),
    /// Bytes of memory change.
    Write {
        /// The object.
        object: ObjectId,
        /// From which byte.
        offset: u64,
        /// How many bytes.
        length: u64,
    },
    /// A lock is taken or given back: this one, or any.
    Lock(Option<(ObjectId, u64)>),
    /// A thread begins.
    ThreadStart,
    /// A thread ends.
    ThreadEnd,
}

/// A place to stop at.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    /// Its number.
    pub id: u32,
    /// What it looks at.
    pub spot: Spot,
    /// The spot in words.
    pub what: String,
    /// Stop only if this is not zero, with the names of the thread that is there.
    pub condition: Option<Expression>,
    /// Stop only in this thread.
    pub thread: Option<ThreadId>,
    /// How often it was met going forwards over new ground or old.
    pub hits: u64,
    /// Whether it counts.
    pub enabled: bool,
}

/// All breakpoints.
#[derive(Clone, Debug, Default)]
pub struct Breakpoints {
    all: Vec<Breakpoint>,
    last: u32,
    /// Who met one last.
    pub(crate) by: ThreadId,
}

impl Breakpoints {
    /// Adds one; its number.
    pub fn add(
        &mut self,
        spot: Spot,
        what: String,
        condition: Option<Expression>,
        thread: Option<ThreadId>,
    ) -> u32 {
        self.last += 1;
        self.all.push(Breakpoint {
            id: self.last,
            spot,
            what,
            condition,
            thread,
            hits: 0,
            enabled: true,
        });
        self.last
    }

    /// Removes one; false if there is none with that number.
    pub fn remove(&mut self, id: u32) -> bool {
        let before = self.all.len();
        self.all.retain(|b| b.id != id);
        self.all.len() < before
    }

    /// All of them, by number.
    pub fn all(&self) -> &[Breakpoint] {
        &self.all
    }

    /// The one with a number.
    pub fn get(&self, id: u32) -> Option<&Breakpoint> {
        self.all.iter().find(|b| b.id == id)
    }

    /// Switches one on or off; false if there is none.
    pub fn enable(&mut self, id: u32, enabled: bool) -> bool {
        let found = self.all.iter_mut().find(|b| b.id == id);
        found.map(|b| b.enabled = enabled).is_some()
    }
}

/// What was before a step.
pub struct Before {
    thread: ThreadId,
    position: Option<Position>,
    /// The bytes that are watched, by breakpoint.
    watched: Vec<(u32, Option<Vec<u8>>)>,
    held: Vec<Held>,
    /// How many threads had begun.
    begun: usize,
    /// Threads that had not.
    waiting: Vec<ThreadId>,
    threads: usize,
    ended: bool,
}

impl Before {
    /// Looks at the state before a step of a thread.
    pub fn new(session: &Session<'_>, thread: ThreadId) -> Before {
        let machine = &session.machine;
        let mut before = Before {
            thread,
            position: position(machine, thread),
            watched: Vec::new(),
            held: Vec::new(),
            begun: 0,
            waiting: Vec::new(),
            threads: 0,
            ended: false,
        };
        for b in session.breakpoints.all.iter().filter(|b| b.enabled) {
            match b.spot {
                Spot::Write {
                    object,
                    offset,
                    length,
                } => {
                    let bytes = machine.bytes(object, offset, length).map(<[u8]>::to_vec);
                    before.watched.push((b.id, bytes));
                }
                Spot::Lock(_) => before.held = machine.thread(thread).held.clone(),
                _ => {}
            }
        }
        let new = |t: &ThreadId| machine.thread(*t).status == ThreadStatus::New;
        before.waiting = machine.threads().filter(new).collect();
        before.threads = machine.threads().count();
        if !session.breakpoints.all.is_empty() {
            before.begun = begun(session);
            before.ended = machine.thread(thread).status == ThreadStatus::Finished;
        }
        before
    }

    /// Where a thread was, if it is the one that took the step.
    pub fn position_of(&self, t: ThreadId) -> Option<Position> {
        self.position.filter(|_| self.thread == t)
    }
}

fn begun(session: &Session<'_>) -> usize {
    let machine = &session.machine;
    let has = |t: &ThreadId| machine.thread(*t).status != ThreadStatus::New;
    machine.threads().filter(has).count()
}

impl Session<'_> {
    /// The threads that have begun since.
    pub(crate) fn born(&self, before: &Before) -> Vec<ThreadId> {
        let later = self.machine.threads().skip(before.threads);
        let all = before.waiting.iter().copied().chain(later);
        all.filter(|t| self.machine.thread(*t).status != ThreadStatus::New)
            .collect()
    }

    /// The breakpoints that a step of a thread has met.
    pub(crate) fn met(&mut self, before: &Before, t: ThreadId) -> Vec<u32> {
        if self.breakpoints.all.is_empty() {
            return Vec::new();
        }
        let now = position(&self.machine, t);
        let mut met = Vec::new();
        let mut by = t;
        for b in self.breakpoints.all.iter().filter(|b| b.enabled) {
            let who = match &b.spot {
                Spot::Line(file, line) => {
                    let there = |p: &Position| (p.file, p.line) == (*file, *line);
                    // Coming back to a line from a call is not coming to it.
                    let returns =
                        matches!((now, before.position), (Some(n), Some(p)) if n.depth < p.depth);
                    let comes =
                        now != before.position && !returns && now.as_ref().is_some_and(there);
                    let born = || {
                        let at = |n: &ThreadId| self.position(*n).as_ref().is_some_and(there);
                        self.born(before).into_iter().find(at)
                    };
                    comes.then_some(t).or_else(born)
                }
                Spot::Function(f) => {
                    let enters = |p: Position| {
                        p.function == *f && before.position.is_none_or(|b| p.depth > b.depth)
                    };
                    let born = || {
                        let begins = |n: &ThreadId| self.machine.thread(*n).start == *f;
                        self.born(before).into_iter().find(begins)
                    };
                    now.is_some_and(enters).then_some(t).or_else(born)
                }
                Spot::Write {
                    object,
                    offset,
                    length,
                } => {
                    let bytes = self.machine.bytes(*object, *offset, *length);
                    let was = before.watched.iter().find(|(id, _)| *id == b.id);
                    let changed = was.is_some_and(|(_, was)| was.as_deref() != bytes);
                    changed.then_some(t)
                }
                Spot::Lock(which) => {
                    let held = &self.machine.thread(t).held;
                    let fits = |h: &&Held| which.is_none_or(|w| w == (h.object, h.offset));
                    let count = |all: &[Held]| all.iter().filter(fits).count();
                    (count(held) != count(&before.held)).then_some(t)
                }
                Spot::ThreadStart => {
                    let more = begun(self) > before.begun;
                    let new = self.machine.threads().last();
                    more.then_some(new).flatten()
                }
                Spot::ThreadEnd => {
                    let over = self.machine.thread(t).status == ThreadStatus::Finished;
                    (over && !before.ended).then_some(t)
                }
            };
            let Some(who) = who.filter(|w| b.thread.is_none_or(|only| only == *w)) else {
                continue;
            };
            let holds = |e: &Expression| match self.evaluate(Frame::top(who), e) {
                Ok(value) => self.is_true(&value),
                // Somebody who made a mistake wants to know.
                Err(_) => true,
            };
            if b.condition.as_ref().is_none_or(holds) {
                met.push(b.id);
                by = who;
            }
        }
        for b in self.breakpoints.all.iter_mut() {
            b.hits += u64::from(met.contains(&b.id));
        }
        if !met.is_empty() {
            self.breakpoints.by = by;
        }
        met
    }
}
