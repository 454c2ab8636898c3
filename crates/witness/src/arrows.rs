//! What followed from what across threads: a value read where another thread wrote it, a lock handed over, a sleeper woken, a thread
//! made or joined.
//!
//! What a thread reads that was there before the thread itself is left out: it says nothing about the interleaving.

use crate::story::Scene;
use raddle_interp::observe::Observed;
use raddle_interp::value::ObjectId;
use raddle_interp::{Machine, ThreadId};
use raddle_ir::{Location, Op, Program, Role, SyncClass, SyncOp};
use std::collections::{BTreeSet, HashMap, HashSet};

/// One thing that followed from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The number of the scene it comes from.
    pub from: usize,
    /// The number of the later scene.
    pub to: usize,
    /// What kind.
    pub link: Link,
    /// Of what: a variable, a lock.
    pub what: String,
}

/// How one thing followed from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Link {
    /// A value was read that the other wrote.
    Reads,
    /// A lock was taken that the other gave back, or a semaphore that it raised.
    Lock,
    /// The other's signal woke it.
    Signal,
    /// The other made this thread.
    Create,
    /// It waited for the other to end.
    Join,
}

impl Link {
    /// A name for files and pages.
    pub fn name(self) -> &'static str {
        match self {
            Link::Reads => "reads",
            Link::Lock => "lock",
            Link::Signal => "signal",
            Link::Create => "create",
            Link::Join => "join",
        }
    }
}

/// A thread at a step of the schedule.
type Moment = (ThreadId, u64);

/// The arrows of a run, as it goes.
#[derive(Default)]
pub struct Links {
    /// Who wrote a byte last.
    writes: HashMap<(ObjectId, u64), Moment>,
    /// Whose signal woke each thread, until it goes on.
    wakers: HashMap<ThreadId, Moment>,
    /// When each thread was made.
    made: Vec<u64>,
    last: Vec<Option<Moment>>,
    joined: Vec<bool>,
    woken: Vec<bool>,
    /// Somebody has fallen asleep, woken up or been woken since the sleepers were looked at.
    stirred: bool,
    found: BTreeSet<(Moment, Moment, Link, String)>,
}

/// Of a longer access, the first bytes tell who wrote it.
const LONGEST: u64 = 16;

impl Links {
    /// Looks at the state before a step.
    pub fn before(&mut self, machine: &Machine<'_>) {
        let all = machine.threads().count() as u32;
        for t in (self.joined.len() as u32..all).map(ThreadId) {
            self.joined.push(machine.thread(t).is_joined());
        }
        if std::mem::take(&mut self.stirred) {
            self.woken.clear();
        }
        for t in (self.woken.len() as u32..all).map(ThreadId) {
            self.woken.push(machine.thread(t).sleeps() == Some(true));
        }
        let step = machine.steps();
        self.made.resize(machine.threads().count(), step);
        self.last.resize(machine.threads().count(), None);
    }

    /// Takes in what a step did.
    pub fn after(&mut self, program: &Program, machine: &Machine<'_>, observed: &[Observed]) {
        let step = machine.steps();
        let first = observed.iter().find_map(|o| match o {
            Observed::Executes { thread, .. } => Some((*thread, step)),
            _ => None,
        });
        let Some(now) = first else { return };
        let known = self.made.len() as u32;
        for thread in (known..machine.threads().count() as u32).map(ThreadId) {
            self.made.push(step);
            self.last.push(Some((thread, u64::MAX)));
            let begins = (thread, u64::MAX);
            self.found
                .insert((now, begins, Link::Create, String::new()));
        }
        let mut at: Option<(ThreadId, Location)> = None;
        let mut joins = false;
        for what in observed {
            match what {
                Observed::Executes { thread, stack, .. } => {
                    at = stack.last().map(|l| (*thread, *l));
                    self.last[thread.0 as usize] = Some((*thread, step));
                    let op = stack.last().and_then(|l| program.instr(*l)).map(|i| &i.op);
                    let sync = match op {
                        Some(Op::Sync { op, .. }) => Some(*op),
                        _ => None,
                    };
                    joins |= sync == Some(SyncOp::ThreadJoin);
                    self.stirred |= sync.is_some_and(|op| op.class() == SyncClass::Cond);
                    let blocks = sync == Some(SyncOp::CondBlock);
                    if let Some(from) = self.wakers.remove(thread).filter(|_| blocks) {
                        let here = (*thread, step);
                        self.found.insert((from, here, Link::Signal, String::new()));
                    }
                }
                Observed::Touched {
                    object,
                    offset,
                    length,
                    write,
                } => {
                    let Some((thread, location)) = at else {
                        continue;
                    };
                    let op = program.instr(location).map(|i| &i.op);
                    let bytes = *offset..offset.saturating_add((*length).min(LONGEST));
                    let library = program.function(location.function).library;
                    self.follow(machine, (thread, step), op, library, *object, bytes.clone());
                    if *write {
                        for byte in bytes {
                            self.writes.insert((*object, byte), (thread, step));
                        }
                    }
                }
                Observed::Made(_) => {}
            }
        }
        if joins {
            self.joins(machine, now);
        }
        if !self.stirred {
            return;
        }
        for thread in machine.threads() {
            let was = self.woken.get(thread.0 as usize) == Some(&true);
            if machine.thread(thread).sleeps() == Some(true) && !was {
                self.wakers.insert(thread, now);
            }
        }
    }

    /// What an access follows from.
    fn follow(
        &mut self,
        machine: &Machine<'_>,
        now: Moment,
        op: Option<&Op>,
        library: bool,
        object: ObjectId,
        bytes: std::ops::Range<u64>,
    ) {
        let place = (object, bytes.start);
        let link = match op {
            Some(Op::Sync { op, .. }) if op.role() == Role::Release || op.wakes_or_sleeps() => {
                return;
            }
            Some(Op::Sync { .. }) => Link::Lock,
            Some(Op::Load { .. } | Op::Rmw { .. } | Op::Cas { .. }) if !library => Link::Reads,
            _ => return,
        };
        let writers = bytes.filter_map(|b| self.writes.get(&(object, b)).copied());
        let known = self.made[now.0.0 as usize];
        let from = writers.max_by_key(|(_, step)| *step);
        if let Some(from) = from.filter(|(thread, step)| *thread != now.0 && *step > known) {
            self.add(machine, from, now, link, place);
        }
    }

    /// Threads that were joined.
    fn joins(&mut self, machine: &Machine<'_>, now: Moment) {
        for index in 0..self.joined.len() {
            let joined = machine.thread(ThreadId(index as u32)).is_joined();
            if joined
                && !std::mem::replace(&mut self.joined[index], true)
                && let Some(end) = self.last[index]
            {
                self.found.insert((end, now, Link::Join, String::new()));
            }
        }
    }

    fn add(
        &mut self,
        machine: &Machine<'_>,
        from: Moment,
        to: Moment,
        link: Link,
        place: (ObjectId, u64),
    ) {
        let name = machine.place_name(place.0, place.1);
        self.found.insert((from, to, link, name));
    }

    /// The arrows between the scenes that were told.
    pub fn arrows(&self, scenes: &[Scene]) -> Vec<Arrow> {
        let mut of_thread: HashMap<ThreadId, Vec<usize>> = HashMap::new();
        for (n, scene) in scenes.iter().enumerate() {
            of_thread.entry(scene.thread).or_default().push(n);
        }
        let scene = |(thread, step): Moment| {
            let mine = of_thread.get(&thread)?;
            match step {
                // The first thing it did.
                u64::MAX => mine.first().copied(),
                _ => {
                    let later = mine.partition_point(|n| scenes[*n].step <= step);
                    later.checked_sub(1).map(|n| mine[n])
                }
            }
        };
        let mut all: Vec<Arrow> = Vec::new();
        let mut known = HashSet::new();
        for (from, to, link, what) in &self.found {
            if let (Some(from), Some(to)) = (scene(*from), scene(*to))
                && from < to
                && known.insert((from, to, *link))
            {
                let what = what.clone();
                all.push(Arrow {
                    from,
                    to,
                    link: *link,
                    what,
                });
            }
        }
        all.sort_by_key(|a| (a.to, a.from, a.link));
        all
    }
}
