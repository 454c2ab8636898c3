//! Cells to which everybody adds: what a read finds is what was there at first, and all that was added before it.
//!
//! A counter, a balance, the number of those who have arrived: every write is something more or less than what its thread has just read, and
//! nobody writes in between, because of a lock or because it is one atomic operation. Then it does not matter which write a read sees, only
//! which came before it: the read's value is the sum of the initial value and of what each of these added. Where starts and joins order
//! everything, that is a number; elsewhere there is one literal for each pair of critical sections, shared by all cells that a lock
//! protects, instead of a choice among all writes and an equation with each. With choices, a solver that is to show what twenty additions in any order amount
//! to has to go through the orders. (Beyond the staged-analysis paper, which has copies only.)
//!
//! *Why it is right.* By induction along an execution: no write occurs between a write and the read that it was computed from, so it adds its
//! difference to what was there. The literals are the order of the events, so nothing is approximated in either direction.
//!
//! *What it misses:* a cell that is also set to a value while others are adding to it, differences that are no terms of a sum.

mod needed;
mod terms;
mod together;

use crate::compose::{Composition, precedes};
use crate::event::{EventNo, Kind, Skeleton};
use crate::names::CellId;
use raddle_solver::Solver;
use raddle_solver::blast::BlastError;
use raddle_solver::order::EventId;
use raddle_solver::ranges::Source;
use raddle_solver::term::{Sort, TermId};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use terms::{add_up, difference, zero};

/// How far before a write the read is looked for that it was computed from.
const FAR: usize = 64;

/// A write that adds.
#[derive(Clone, Debug)]
struct Added {
    event: EventNo,
    /// The read that it was computed from.
    from: EventNo,
    /// How much, if it occurs.
    much: TermId,
    /// The event with which the lock was taken that all who add hold.
    taken: Option<EventNo>,
}

/// A cell to which is added.
#[derive(Debug)]
pub(crate) struct Sum {
    /// Writes of other kinds: they come before all that add, in this order.
    set: Vec<EventNo>,
    added: Vec<Added>,
    /// A lock that all who add hold.
    lock: Option<CellId>,
}

impl Sum {
    /// Whether all that is written to a cell while others may write to it is added.
    pub(crate) fn find(
        skeleton: &mut Skeleton,
        made: &Composition,
        cell: CellId,
        reads: &[EventNo],
        writes: &[EventNo],
    ) -> Option<Sum> {
        let is_plain = |e: &EventNo| {
            let event = &skeleton.events[e.0 as usize];
            let waits = |b: u32| skeleton.regions[b as usize].waits;
            event.manner.plain && !event.last && !event.block.is_some_and(waits)
        };
        if !reads.iter().chain(writes).all(is_plain) || skeleton.names.extent(cell).length > 8 {
            return None;
        }
        let mut sum = Sum {
            set: Vec::new(),
            added: Vec::new(),
            lock: None,
        };
        let there = |e: &&EventNo| made.ids[e.0 as usize].is_some();
        for &w in writes.iter().filter(there) {
            match sum.added_by(skeleton, cell, w) {
                Some(added) => sum.added.push(added),
                None => sum.set.push(w),
            }
        }
        let threads: BTreeSet<u32> = sum.threads(skeleton).collect();
        if threads.len() < 2 {
            return None;
        }
        let event = |e: EventNo| &skeleton.events[e.0 as usize];
        let comes_before = |a: EventNo, b: EventNo| precedes(event(a), event(b));
        for (i, &s) in sum.set.iter().enumerate() {
            let first = sum.added.iter().all(|a| comes_before(s, a.from));
            let in_order = sum.set[i + 1..].iter().all(|t| comes_before(s, *t));
            if !first || !in_order {
                return None;
            }
        }
        let undisturbed = |a: &Added| {
            let mut others = sum.added.iter();
            others.all(|b| a.is_undisturbed_by(skeleton, b.event))
        };
        if !sum.added.iter().all(undisturbed) {
            return None;
        }
        let before_all = |r: EventNo| sum.added.iter().all(|a| comes_before(r, a.event));
        let mut reads = reads.iter().filter(there);
        if !reads.all(|r| sum.explains(skeleton, *r) || before_all(*r)) {
            return None;
        }
        let held = |a: &Added| &skeleton.events[a.event.0 as usize].manner.held;
        let locks = sum.added.first().map(held)?;
        let by_all = |l: &&CellId| sum.added.iter().all(|a| held(a).contains(l));
        sum.lock = locks.iter().find(by_all).copied();
        for a in &mut sum.added {
            a.taken = sum.lock.and_then(|l| taken(skeleton, made, l, a.event));
        }
        Some(sum)
    }

    fn threads(&self, skeleton: &Skeleton) -> impl Iterator<Item = u32> {
        let thread = |a: &Added| skeleton.events[a.event.0 as usize].thread.0;
        self.added.iter().map(thread)
    }

    /// How a write was computed from a read of its thread, if it adds to it.
    fn added_by(&self, skeleton: &mut Skeleton, cell: CellId, write: EventNo) -> Option<Added> {
        let w = &skeleton.events[write.0 as usize];
        let (thread, guard) = (w.thread, w.guard);
        let Kind::Write(_, value) = w.kind else {
            return None;
        };
        let own = &skeleton.threads[thread.0 as usize].events;
        let before = own.partition_point(|e| *e < write);
        let near = &own[before.saturating_sub(FAR)..before];
        let mut reads = near.iter().rev().filter_map(|r| {
            let event = &skeleton.events[r.0 as usize];
            match event.kind {
                Kind::Read(c, found) if c == cell => Some((*r, event.guard, found)),
                _ => None,
            }
        });
        let (from, mut much) = reads.find_map(|(r, when, found)| {
            let much = difference(&mut skeleton.pool, value, found)?;
            skeleton.guards.implies(guard, when).then_some((r, much))
        })?;
        // What it has itself written in the meantime was there already.
        let since: Vec<EventNo> = {
            let event = |e: &&EventNo| &skeleton.events[e.0 as usize];
            let writes = |e: &&EventNo| {
                matches!(event(e).kind, Kind::Write(c, _) if c == cell) && !event(e).unseen
            };
            let later = near.iter().filter(|e| **e > from);
            later.filter(writes).copied().collect()
        };
        for w in since {
            let earlier = self.added.iter().find(|a| a.event == w)?.much;
            let when = skeleton.events[w.0 as usize].guard;
            let counts = match skeleton.guards.implies(guard, when) {
                true => earlier,
                false => {
                    let occurs = skeleton.guards.term(when);
                    let nothing = zero(&mut skeleton.pool, earlier);
                    skeleton.pool.ite(occurs, earlier, nothing)
                }
            };
            much = skeleton.pool.bv_sub(much, counts);
        }
        Some(Added {
            event: write,
            from,
            much,
            taken: None,
        })
    }

    /// Whether everything that is not added is known to be there when a read looks.
    pub(crate) fn explains(&self, skeleton: &Skeleton, read: EventNo) -> bool {
        let event = |e: EventNo| &skeleton.events[e.0 as usize];
        self.set.iter().all(|s| precedes(event(*s), event(read)))
    }
}

impl Added {
    /// Whether a write of another thread cannot come between the read and the write.
    fn is_undisturbed_by(&self, skeleton: &Skeleton, other: EventNo) -> bool {
        let event = |e: EventNo| &skeleton.events[e.0 as usize];
        let (read, write, other) = (event(self.from), event(self.event), event(other));
        if other.thread == write.thread
            || (read.block.is_some() && read.block == write.block)
            || precedes(other, read)
            || precedes(write, other)
        {
            return true;
        }
        let own = &skeleton.threads[write.thread.0 as usize].events;
        let from = own.partition_point(|e| *e <= self.from);
        let to = own.partition_point(|e| *e < self.event);
        let kept = |lock: CellId| {
            let gives = |e: &EventNo| matches!(event(*e).kind, Kind::Write(c, _) if c == lock);
            !own[from..to].iter().any(gives)
        };
        let mut common = read.manner.held.iter().filter(|l| {
            write.manner.held.contains(l) && other.manner.held.contains(l) && **l != cell_of(write)
        });
        common.any(|l| kept(*l))
    }
}

/// The event with which a lock was taken that is held for certain.
fn taken(skeleton: &Skeleton, made: &Composition, lock: CellId, e: EventNo) -> Option<EventNo> {
    let event = &skeleton.events[e.0 as usize];
    if !event.manner.held.contains(&lock) {
        return None;
    }
    let own = &skeleton.threads[event.thread.0 as usize].events;
    let before = own.partition_point(|o| *o < e);
    let writes = |o: &&EventNo| {
        let other = &skeleton.events[o.0 as usize];
        matches!(other.kind, Kind::Write(c, _) if c == lock)
    };
    let last = own[..before].iter().rev().find(writes)?;
    let when = skeleton.events[last.0 as usize].guard;
    let certain = skeleton.guards.implies(event.guard, when);
    (certain && made.ids[last.0 as usize].is_some()).then_some(*last)
}

fn cell_of(e: &crate::event::Event) -> CellId {
    match e.kind {
        Kind::Read(cell, _) | Kind::Write(cell, _) => cell,
        _ => CellId(u32::MAX),
    }
}

/// A read, and what it finds.
struct Looked {
    read: EventNo,
    found: TermId,
    /// What was there before anything was added.
    first: TermId,
    /// For each that adds, whether it comes before the read.
    after: Vec<TermId>,
}

/// The sums of a composition.
#[derive(Default)]
pub(crate) struct Sums {
    cells: BTreeMap<CellId, (Sum, Vec<Looked>)>,
    /// Whether one event comes before another.
    before: HashMap<(EventNo, EventNo), TermId>,
    /// All terms on which something depends.
    needed: HashSet<TermId>,
}

/// What became of a read.
pub(crate) enum Read {
    /// Nothing: it is no look at a sum.
    Other,
    /// Nobody needs it.
    Idle,
    /// It is what was added before it, and found one of these.
    Sum(Source),
}

impl Sums {
    /// A cell to which is added.
    pub(crate) fn add_cell(&mut self, cell: CellId, sum: Sum) {
        self.cells.insert(cell, (sum, Vec::new()));
    }

    /// Adds a read, if it is explained by a sum.
    pub(crate) fn add_read(
        &mut self,
        skeleton: &mut Skeleton,
        solver: &mut Solver,
        made: &Composition,
        read: EventNo,
        initial: TermId,
    ) -> Result<Read, BlastError> {
        let r = skeleton.events[read.0 as usize].clone();
        let Kind::Read(cell, found) = r.kind else {
            return Ok(Read::Other);
        };
        let Some((sum, mut looks)) = self.cells.remove(&cell) else {
            return Ok(Read::Other);
        };
        if !sum.explains(skeleton, read) || made.ids[read.0 as usize].is_none() {
            self.cells.insert(cell, (sum, looks));
            return Ok(Read::Other);
        }
        if !self.needed.contains(&found) {
            self.cells.insert(cell, (sum, looks));
            return Ok(Read::Idle);
        }
        let mut first = initial;
        let mut values = vec![initial];
        for &s in &sum.set {
            let event = &skeleton.events[s.0 as usize];
            let Kind::Write(_, value) = event.kind else {
                continue;
            };
            let occurs = skeleton.guards.term(event.guard);
            values.push(value);
            first = match skeleton.guards.implies(r.guard, event.guard) {
                true => value,
                false => skeleton.pool.ite(occurs, value, first),
            };
        }
        let here = sum.lock.and_then(|l| taken(skeleton, made, l, read));
        let mut parts = Vec::new();
        let mut after = Vec::new();
        for added in &sum.added {
            let w = skeleton.events[added.event.0 as usize].clone();
            if precedes(&r, &w) {
                after.push(skeleton.pool.bool(false));
                continue;
            }
            if let Kind::Write(_, value) = w.kind {
                values.push(value);
            }
            let before = match precedes(&w, &r) {
                true => skeleton.pool.bool(true),
                false => {
                    // Critical sections come in the order in which the lock is taken.
                    let sections = added.taken.zip(here);
                    let pair = sections.unwrap_or((added.event, read));
                    self.comes_before(skeleton, solver, made, pair)?
                }
            };
            after.push(before);
            let counts = match skeleton.guards.implies(r.guard, w.guard) {
                true => before,
                false => {
                    let occurs = skeleton.guards.term(w.guard);
                    skeleton.pool.and(occurs, before)
                }
            };
            let nothing = zero(&mut skeleton.pool, added.much);
            parts.push(skeleton.pool.ite(counts, added.much, nothing));
        }
        let total = add_up(&mut skeleton.pool, first, parts);
        let same = skeleton.pool.eq(found, total);
        let occurs = skeleton.guards.term(r.guard);
        let holds = skeleton.pool.implies(occurs, same);
        solver.assert(&mut skeleton.pool, holds)?;
        looks.push(Looked {
            read,
            found,
            first,
            after,
        });
        self.cells.insert(cell, (sum, looks));
        Ok(Read::Sum(Source { found, values }))
    }

    /// A truth value that says whether one event comes before another.
    fn comes_before(
        &mut self,
        skeleton: &mut Skeleton,
        solver: &mut Solver,
        made: &Composition,
        (a, b): (EventNo, EventNo),
    ) -> Result<TermId, BlastError> {
        if let Some(&known) = self.before.get(&(a, b)) {
            return Ok(known);
        }
        if let Some(&known) = self.before.get(&(b, a)) {
            return Ok(skeleton.pool.not(known));
        }
        let before = skeleton.pool.fresh_var("before", Sort::Bool);
        let literal = solver.literal(&mut skeleton.pool, before)?;
        let id = |e: EventNo| -> Option<EventId> { made.ids[e.0 as usize] };
        if let (Some(x), Some(y)) = (id(a), id(b)) {
            let mut problem = solver.order_problem();
            problem.add_conditional_order(literal, x, y);
            problem.add_conditional_order(!literal, y, x);
        }
        self.before.insert((a, b), before);
        Ok(before)
    }
}
