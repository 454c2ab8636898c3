//! Critical sections: while a lock is held that every conflicting access needs, a cell changes only by this thread's own writes.
//!
//! So the first read of a section is an event, a later one finds what is known; and of several writes only the last can be seen by
//! others. The same goes for atomic regions, which nothing interrupts at all. (Staged analysis has one copy constraint for each
//! access; composing protected regions as blocks is beyond the paper.)
//!
//! Which locks protect a cell is taken for granted at first, like everything in [`crate::facts`]: any that is held. At the end of a pass
//! the locks that all accesses of other threads hold are what is left; accesses that are ordered anyway, before threads start
//! or after they were joined, need none. What a thread knows is forgotten as soon as nothing protects it, and whenever it starts
//! or joins a thread, since then others may have their turn in a known order.
//!
//! A write that was seen on one way, by the thread itself or because the lock was given back, is seen, also where that way meets another one
//! on which it was not (`Unwinder::seen`).
//!
//! Switched off while races are looked for: there every access counts.

use crate::event::EventNo;
use crate::guard::Guard;
use crate::names::CellId;
use crate::shared::{Moment, comes_before};
use crate::state::Flow;
use crate::unwind::Unwinder;
use raddle_ir::Property;
use raddle_solver::term::Term;
use raddle_symbolic::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Locks that protect a cell; `None` if nobody else accesses it.
pub(crate) type Locks = Option<BTreeSet<CellId>>;

/// What a thread knows of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Seen {
    /// What is in it.
    value: Option<Value>,
    /// Its own writes that were not overwritten for certain.
    writes: Vec<EventNo>,
    /// The atomic region in which all of this came to be.
    block: Option<u32>,
}

/// What a thread knows of protected cells.
pub type Known = Rc<BTreeMap<CellId, Seen>>;

/// What a pass took for granted about a cell.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Accesses, with the locks that were held, and whether they write.
    accesses: Vec<(Moment, Rc<Vec<CellId>>, bool)>,
    /// Reads that found what was known because of a lock.
    known: Vec<Moment>,
    /// Writes that nobody sees because of a lock.
    unseen: Vec<Moment>,
}

/// What two points of a thread know in common.
pub(crate) fn merge(
    pool: &mut raddle_solver::term::TermPool,
    which: raddle_solver::term::TermId,
    a: &Known,
    b: &Known,
) -> Known {
    if Rc::ptr_eq(a, b) || a == b {
        return a.clone();
    }
    let nothing = Seen::default();
    let mut both = BTreeMap::new();
    for cell in a.keys().chain(b.keys()) {
        if both.contains_key(cell) {
            continue;
        }
        let (x, y) = (
            a.get(cell).unwrap_or(&nothing),
            b.get(cell).unwrap_or(&nothing),
        );
        let value = match (&x.value, &y.value) {
            (Some(v), Some(w)) if v == w => Some(v.clone()),
            (Some(v), Some(w)) => Some(v.choose(pool, which, w)),
            _ => None,
        };
        let mut writes = x.writes.clone();
        writes.extend(y.writes.iter().filter(|w| !x.writes.contains(w)));
        let block = x.block.filter(|_| x.block == y.block);
        let seen = Seen {
            value,
            writes,
            block,
        };
        both.insert(*cell, seen);
    }
    Rc::new(both)
}

impl Unwinder<'_> {
    /// Whether critical sections are composed as blocks.
    fn remembers(&self) -> bool {
        !self.wanted.mode.eager && !self.wants(Property::NoDataRace)
    }

    fn is_protected(&self, flow: &Flow, cell: CellId, locks: &Locks) -> bool {
        if flow.inside.is_some() {
            return true;
        }
        let held = self.exclusive(&flow.held);
        match locks {
            None => !held.is_empty(),
            Some(locks) => held.iter().any(|h| locks.contains(h) && *h != cell),
        }
    }

    /// Nothing is known any more: others may have had their turn.
    pub(crate) fn forget(&mut self, flow: &mut Flow) {
        let known = std::mem::take(&mut flow.known);
        self.seen.extend(known.values().flat_map(|s| &s.writes));
    }

    /// A read became an event: it may find what this thread has written.
    pub(crate) fn look_at_own(&mut self, flow: &Flow, cell: CellId) {
        if let Some(seen) = flow.known.get(&cell) {
            self.seen.extend(&seen.writes);
        }
    }

    /// What nothing protects is forgotten; to be called before something is taken that would protect it from now on.
    pub(crate) fn forget_unprotected(&mut self, flow: &mut Flow) {
        if flow.known.is_empty() {
            return;
        }
        let mut known = BTreeMap::clone(&flow.known);
        for (cell, seen) in &mut known {
            if !self.is_protected(flow, *cell, &self.facts.write_locks(*cell)) {
                seen.value = None;
            }
            if !self.is_protected(flow, *cell, &self.facts.locks(*cell)) {
                self.seen.extend(seen.writes.drain(..));
            }
        }
        known.retain(|_, seen| seen.value.is_some() || !seen.writes.is_empty());
        flow.known = Rc::new(known);
    }

    /// What a cell is known to hold. Notes what that rests on.
    pub(crate) fn known_value(&mut self, flow: &Flow, cell: CellId) -> Option<Value> {
        if !self.remembers() {
            return None;
        }
        let seen = flow.known.get(&cell)?;
        let value = seen.value.clone()?;
        if !self.is_protected(flow, cell, &self.facts.write_locks(cell)) {
            return None;
        }
        self.current.time += 1;
        if !matches!(
            self.pool.term(value.bits),
            Term::Bool(_) | Term::Bits { .. }
        ) {
            // A loop that depends on it is not free.
            self.reads += 1;
        }
        let inside = flow.inside.as_ref().map(|i| i.block);
        if inside.is_none() || seen.block != inside {
            let moment = self.moment();
            self.trust(cell).known.push(moment);
        }
        Some(value)
    }

    fn trust(&mut self, cell: CellId) -> &mut Trust {
        &mut self.cells.entry(cell).or_default().trust
    }

    /// An access that became an event.
    pub(crate) fn note_access(&mut self, flow: &Flow, cell: CellId, write: bool) {
        if self.remembers() {
            let moment = self.moment();
            let held = self.exclusive(&flow.held);
            self.trust(cell).accesses.push((moment, held, write));
        }
    }

    /// A cell was read, under a guard that may say less often than the flow's.
    pub(crate) fn learn(&mut self, flow: &mut Flow, guard: Guard, cell: CellId, value: &Value) {
        let locks = self.facts.write_locks(cell);
        if !self.remembers() || guard != flow.guard || !self.is_protected(flow, cell, &locks) {
            return;
        }
        let block = flow.inside.as_ref().map(|i| i.block);
        let known = Rc::make_mut(&mut flow.known);
        let seen = known.entry(cell).or_default();
        seen.value = Some(value.clone());
        seen.block = block;
    }

    /// A cell was written by an event. Writes that it hides for certain are seen by nobody.
    pub(crate) fn overwrite(
        &mut self,
        flow: &mut Flow,
        guard: Guard,
        cell: CellId,
        value: &Value,
        event: EventNo,
    ) {
        if !self.remembers() {
            return;
        }
        let mut seen = flow.known.get(&cell).cloned().unwrap_or_default();
        let block = flow.inside.as_ref().map(|i| i.block);
        let all = self.facts.locks(cell);
        if self.is_protected(flow, cell, &all) {
            let mut left = Vec::new();
            for w in std::mem::take(&mut seen.writes) {
                let earlier = self.events[w.0 as usize].guard;
                if self.seen.contains(&w) {
                    continue;
                }
                if !self.guards.implies(earlier, guard) {
                    left.push(w);
                    continue;
                }
                let same_block = block.is_some() && self.events[w.0 as usize].block == block;
                self.events[w.0 as usize].unseen = true;
                if !same_block {
                    let e = &self.events[w.0 as usize];
                    let moment = Moment {
                        thread: e.thread,
                        time: e.time,
                        clock: e.clock.clone(),
                    };
                    self.trust(cell).unseen.push(moment);
                }
            }
            seen.writes = left;
            seen.writes.push(event);
        } else {
            self.seen.extend(seen.writes.drain(..));
        }
        let locks = self.facts.write_locks(cell);
        let certain = guard == flow.guard;
        seen.value = match (certain, &seen.value) {
            _ if !self.is_protected(flow, cell, &locks) => None,
            (true, _) => {
                seen.block = block;
                Some(value.clone())
            }
            (false, Some(old)) => {
                let happens = self.guards.term(guard);
                Some(value.choose(&mut self.pool, happens, old))
            }
            (false, None) => None,
        };
        Rc::make_mut(&mut flow.known).insert(cell, seen);
    }

    /// A cell was touched by something that is not followed here.
    pub(crate) fn unlearn(&mut self, flow: &mut Flow, cell: CellId) {
        if flow.known.contains_key(&cell)
            && let Some(gone) = Rc::make_mut(&mut flow.known).remove(&cell)
        {
            self.seen.extend(gone.writes);
        }
    }

    /// Whether what was taken for granted about critical sections was right.
    pub(crate) fn check_protection(&mut self) {
        let ordered = |a: &Moment, b: &Moment| {
            comes_before(a.thread, a.time, b.thread, b.time, &b.clock)
                || comes_before(b.thread, b.time, a.thread, a.time, &a.clock)
        };
        let mut found: Vec<(CellId, bool, BTreeSet<CellId>)> = Vec::new();
        for (cell, state) in &self.cells {
            let trust = &state.trust;
            for (uses, only_writes) in [(&trust.known, true), (&trust.unseen, false)] {
                if uses.is_empty() {
                    continue;
                }
                let now = match only_writes {
                    true => self.facts.write_locks(*cell),
                    false => self.facts.locks(*cell),
                };
                let mut locks = now.clone();
                for (moment, held, write) in &trust.accesses {
                    if (only_writes && !write)
                        || locks
                            .as_ref()
                            .is_some_and(|l| l.iter().all(|c| held.contains(c)))
                        || uses
                            .iter()
                            .all(|u| u.thread == moment.thread || ordered(u, moment))
                    {
                        continue;
                    }
                    locks = Some(match locks {
                        None => held.iter().copied().collect(),
                        Some(l) => l.into_iter().filter(|c| held.contains(c)).collect(),
                    });
                }
                if locks != now {
                    found.push((*cell, only_writes, locks.unwrap_or_default()));
                }
            }
        }
        for (cell, only_writes, locks) in found {
            self.facts.set_locks(cell, only_writes, locks);
        }
    }
}
