//! What an event accesses, and from whom it reads.
//!
//! An event whose only choice is the write that it reads has an [`Access`]: loads and stores, atomic operations, and operations on mutexes and spin
//! locks, which read and write the lock. Everything else it touches is *ordered*: ends and handles of threads, the heap, the ends of objects. There
//! must not be a choice: whoever conflicts has to be in the past of the event anyway, or it waits for it (a join). Where that is not
//! so, the program is not for this search ([`super::Unfit`]).

use super::{Explorer, Unfit};
use crate::trace::Name;
use raddle_interp::ThreadId;
use raddle_interp::footprint::{Cell, Mode, Touch};
use raddle_ir::{Op, Patience, Role, SyncOp};
use std::hash::{DefaultHasher, Hash, Hasher};

/// One place that is read, written, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub owner: ThreadId,
    pub serial: u32,
    pub from: u32,
    pub to: u32,
    pub reads: bool,
    pub writes: bool,
    /// Both at once, or it would be if it had found something else.
    pub both: bool,
    /// It waits until the place is free.
    pub waits: bool,
    /// Whether it writes depends on what it reads.
    pub unsure: bool,
    /// It takes a lock or gives it back.
    pub locks: bool,
}

impl Access {
    pub(crate) fn overlaps(&self, other: &Access) -> bool {
        self.owner == other.owner
            && self.serial == other.serial
            && self.from < other.to
            && other.from < self.to
    }

    /// Whether this is all of what the other one accesses.
    pub(crate) fn covers(&self, other: &Access) -> bool {
        self.overlaps(other) && self.from <= other.from && self.to >= other.to
    }

    /// The access that a thread waits for.
    pub(crate) fn wanted(touch: &Touch) -> Access {
        Access {
            reads: true,
            writes: true,
            both: true,
            waits: true,
            unsure: false,
            locks: true,
            ..Access::of(touch)
        }
    }

    /// The access to memory that a touch is, if it is one.
    pub(crate) fn memory(touch: &Touch) -> Option<Access> {
        (touch.cell == Cell::Memory).then(|| Access::of(touch))
    }

    fn of(touch: &Touch) -> Access {
        Access {
            owner: touch.owner,
            serial: touch.serial,
            from: touch.from,
            to: touch.to,
            reads: touch.mode == Mode::Read,
            writes: touch.mode != Mode::Read,
            both: false,
            waits: false,
            unsure: false,
            locks: false,
        }
    }
}

/// What is known of an event beside what the trace says.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub access: Option<Access>,
    /// From whom it reads; `None` is what was there before all events.
    pub sources: Vec<Option<u32>>,
    /// Events of other threads that it waits for, or that it must not overtake.
    pub after: Vec<u32>,
    /// The event with its whole past: equal in two executions only if everything that can matter to it is.
    pub id: u128,
    /// The same without the answers it got.
    pub unanswered: u128,
    /// The answers to try after these.
    pub next: Option<Vec<u32>>,
    /// It was asked something.
    pub asked: bool,
}

impl Fact {
    /// Whether there may be another way for the event to happen.
    pub(crate) fn decides(&self, own: bool) -> bool {
        let reads = self.access.is_some_and(|a| a.reads);
        self.asked || (reads && !own)
    }
}

/// A number for something, with next to no chance that something else gets the same.
pub(crate) fn digest(what: &impl Hash) -> u128 {
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        what.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0x9e37) << 64 | half(0x79b9)
}

/// Splits what an operation touched into its access and the rest.
pub(crate) fn classify(op: Option<&Op>, touches: &[Touch]) -> (Option<Access>, Vec<Touch>) {
    let (both, waits) = match op {
        Some(Op::Load { .. }) => (false, false),
        Some(Op::Store { access, .. }) => (access.bits.is_some(), false),
        Some(Op::Rmw { .. } | Op::Cas { .. }) => (true, false),
        Some(Op::Sync { op, .. }) => match op {
            op if op.waits_for_owner() => (true, true),
            op if op.gives_back_owned() => (true, false),
            op if op.class().names_owner()
                && matches!(op.role(), Role::Acquire(_, Patience::Never)) =>
            {
                (true, false)
            }
            _ => return (None, touches.to_vec()),
        },
        _ => return (None, touches.to_vec()),
    };
    let mut access: Option<Access> = None;
    let mut rest = Vec::new();
    for touch in touches {
        let one = Access::of(touch);
        let same = access.is_none_or(|a| a.covers(&one) && one.covers(&a));
        if touch.cell != Cell::Memory || touch.quiet || !same {
            rest.push(*touch);
            continue;
        }
        let all = access.get_or_insert(one);
        all.reads |= one.reads || both;
        all.writes |= one.writes;
        all.both = both;
        all.waits = waits;
        all.locks = matches!(op, Some(Op::Sync { .. }));
        all.unsure = both && !waits && !matches!(op, Some(Op::Rmw { .. } | Op::Store { .. }));
    }
    (access, rest)
}

impl Explorer<'_, '_> {
    /// What is known of an event that is about to be added to the trace; its past goes into the clock.
    pub(crate) fn relate(
        &mut self,
        thread: Name,
        op: Option<&Op>,
        touches: &[Touch],
        clock: &mut [u32],
    ) -> Result<Fact, Unfit> {
        let (access, rest) = classify(op, touches);
        if let Some(access) = access {
            self.is_no_mixture(&access)?;
        }
        let joins = matches!(
            op,
            Some(Op::Sync {
                op: SyncOp::ThreadJoin,
                ..
            })
        );
        let mut after = Vec::new();
        if joins {
            for touch in rest.iter().filter(|t| t.cell == Cell::Thread) {
                let ended = Name(touch.owner.0);
                let last = self.trace.of_thread(ended).last().copied();
                after.extend(last.filter(|_| ended != thread));
            }
            for &at in &after {
                join(clock, self.trace.clock(at as usize));
            }
        }
        self.is_ordered(thread, access, &rest, clock)?;
        for place in rest.iter().filter_map(Access::memory) {
            if self.disordered(&place, 0..self.trace.len()) {
                return Err(Unfit("an operation that sees in which order others wrote"));
            }
        }
        let sources = match access.filter(|a| a.reads) {
            Some(access) => self.sources(&access)?,
            None => Vec::new(),
        };
        for at in sources.iter().flatten() {
            join(clock, self.trace.clock(*at as usize));
        }
        self.rest.push(rest);
        Ok(Fact {
            access,
            sources,
            after,
            id: 0,
            unanswered: 0,
            next: None,
            asked: false,
        })
    }

    /// Whether nobody changes a lock by other atomic operations: who takes it next would not only depend on who stands before it.
    pub(crate) fn is_no_mixture(&self, access: &Access) -> Result<(), Unfit> {
        let facts = self.facts.iter().filter_map(|f| f.access);
        let mut others = facts.chain(self.waiting.iter().map(|w| w.1));
        let mixed = |o: &Access| o.locks != access.locks && o.both && o.overlaps(access);
        match access.both && others.any(|o| mixed(&o)) {
            true => Err(Unfit("locks that are written as memory")),
            false => Ok(()),
        }
    }

    /// Whether whatever conflicts with the event, but for its access, is in its past.
    fn is_ordered(
        &self,
        thread: Name,
        access: Option<Access>,
        rest: &[Touch],
        clock: &[u32],
    ) -> Result<(), Unfit> {
        for at in 0..self.trace.len() {
            let event = self.trace.events()[at];
            if rest.is_empty() && self.rest[at].is_empty() {
                continue;
            }
            if event.thread == thread || clock[event.thread.0 as usize] >= event.index {
                continue;
            }
            let meets = |t: &Touch| self.trace.touches(at).iter().any(|o| o.conflicts(t));
            if rest.iter().any(meets) {
                return Err(Unfit(
                    "operations that conflict in other ways than by memory",
                ));
            }
            let over = |place: Access| {
                let conflict = |a: Access| a.overlaps(&place) && (a.writes || place.writes);
                access.is_some_and(conflict)
            };
            if self.rest[at].iter().filter_map(Access::memory).any(over) {
                return Err(Unfit("objects that end while others may use them"));
            }
        }
        Ok(())
    }

    /// Whether two of the events wrote the same part of a place, and nothing says who did so first.
    pub(crate) fn disordered(&self, place: &Access, events: impl Iterator<Item = usize>) -> bool {
        let mut writes: Vec<(usize, Access)> = Vec::new();
        for at in events {
            let Some(part) = self.written(at, place) else {
                continue;
            };
            let unordered = |(o, other): &(usize, Access)| {
                part.overlaps(other) && !self.trace.before(*o, at) && !self.trace.before(at, *o)
            };
            if writes.iter().any(unordered) {
                return true;
            }
            writes.push((at, part));
        }
        false
    }

    /// From whom an access reads at the end of the trace.
    fn sources(&self, access: &Access) -> Result<Vec<Option<u32>>, Unfit> {
        let mut left: Vec<bool> = vec![true; (access.to - access.from) as usize];
        let mut found = Vec::new();
        for at in (0..self.trace.len()).rev() {
            let ordered = self.rest[at].iter().filter_map(Access::memory);
            let main = self.facts[at].access.into_iter();
            for place in main.chain(ordered) {
                if !place.writes || !place.overlaps(access) {
                    continue;
                }
                let from = place.from.max(access.from) - access.from;
                let to = place.to.min(access.to) - access.from;
                let part = &mut left[from as usize..to as usize];
                if part.iter().any(|l| *l) && !found.contains(&Some(at as u32)) {
                    found.push(Some(at as u32));
                }
                part.fill(false);
            }
            if !left.contains(&true) {
                return Ok(found);
            }
        }
        found.push(None);
        Ok(found)
    }

    /// The number of what an event was in this execution.
    pub(crate) fn identify(&self, thread: Name, index: u32, sources: &[Option<u32>]) -> u128 {
        let sources: Vec<u128> = sources.iter().map(|s| self.id_of(*s)).collect();
        self.identify_with(thread, index, &sources)
    }

    /// The same with given numbers for its sources.
    pub(crate) fn identify_with(&self, thread: Name, index: u32, sources: &[u128]) -> u128 {
        let previous = self.previous(thread, index);
        digest(&(thread, index, self.id_of(previous), sources))
    }

    /// The number of a source.
    pub(crate) fn id_of(&self, source: Option<u32>) -> u128 {
        source.map_or(0, |at| self.facts[at as usize].id)
    }

    /// The event before the one with this index in its thread, or the one that started the thread.
    pub(crate) fn previous(&self, thread: Name, index: u32) -> Option<u32> {
        match index {
            0 | 1 => self.trace.birth(thread).map(|at| at as u32),
            _ => Some(self.trace.of_thread(thread)[index as usize - 2]),
        }
    }

    /// The past of an event but for what it reads.
    pub(crate) fn past(&self, thread: Name, index: u32) -> Vec<u32> {
        match self.previous(thread, index) {
            Some(at) => self.trace.clock(at as usize).to_vec(),
            None => Vec::new(),
        }
    }
}

/// Takes one clock into another.
pub(crate) fn join(into: &mut [u32], other: &[u32]) {
    for (a, b) in into.iter_mut().zip(other) {
        *a = (*a).max(*b);
    }
}
