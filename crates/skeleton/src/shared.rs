//! Accesses to cells that several threads touch: events, or no event where the value is known anyway.
//!
//! A read whose every possible source is known to come before it, in a known order, needs no event: it finds the last of
//! these writes that occurs. Whether other writes exist is only known at the end of a pass, so this is taken for granted at
//! first, and every write that comes to light later is held against the reads it could have disturbed.

use crate::contents;
use crate::event::{Clock, Kind};
use crate::guard::Guard;
use crate::names::{CellId, ThreadNo};
use crate::protected::Trust;
use crate::state::Flow;
use crate::unwind::Unwinder;
use raddle_ir::SyncClass;
use raddle_solver::term::{Sort, Term, TermId};
use raddle_symbolic::Value;
use std::collections::HashMap;

/// The longest chain of possible sources that is written out without events.
const CHAIN: usize = 8;

/// A write that was seen.
#[derive(Clone, Debug)]
pub struct Write {
    thread: ThreadNo,
    time: u32,
    clock: Clock,
    guard: Guard,
    value: Value,
}

/// When something happened.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub thread: ThreadNo,
    pub time: u32,
    pub clock: Clock,
}

/// What is known of a cell in this pass.
#[derive(Clone, Debug, Default)]
pub struct CellState {
    writes: Vec<Write>,
    /// The last read of every thread that took its sources for known.
    settled: HashMap<ThreadNo, u32>,
    /// Where it is locked, and unlocked for that reason.
    used: Vec<Moment>,
    /// Where something else than locking and unlocking writes it, and whether that makes it free.
    plain: Vec<(Moment, bool)>,
    /// Where a thread may have to wait for it.
    waited: Vec<Moment>,
    /// Where something writes it that is no operation on a synchronisation object, nor atomic.
    overwritten: Vec<Moment>,
    /// As what kind of lock it was used first.
    lock: Option<SyncClass>,
    /// Where it may be taken: by a `trylock`, or as one of several.
    tried: Vec<Moment>,
    /// Where it is initialised as a lock.
    made: Vec<Moment>,
    /// What was taken for granted because of locks.
    pub(crate) trust: Trust,
}

/// Whether a moment of one thread is known to come before a moment of another.
pub fn comes_before(
    thread: ThreadNo,
    time: u32,
    other: ThreadNo,
    their_time: u32,
    clock: &Clock,
) -> bool {
    match thread == other {
        true => time < their_time,
        false => clock.get(thread.0 as usize).is_some_and(|t| *t >= time),
    }
}

impl Unwinder<'_> {
    /// The value a cell has before anybody writes to it.
    pub(crate) fn initial(&mut self, cell: CellId) -> Value {
        let extent = self.names.extent(cell);
        contents::initial(
            &mut self.pool,
            self.program,
            &mut self.names,
            extent.object,
            extent.offset,
            extent.length,
        )
    }

    fn before_now(&self, w: &Write) -> bool {
        let now = &self.current;
        comes_before(w.thread, w.time, now.thread, now.time + 1, &now.clock)
    }

    /// The value a read finds if all its possible sources come before it in a known order.
    fn settled_value(&mut self, cell: CellId, guard: Guard) -> Option<Value> {
        let state = self.cells.entry(cell).or_default().clone();
        let mut chain: Vec<&Write> = Vec::new();
        let mut certain = false;
        // From the latest to the earliest; one that certainly occurs hides whatever comes before it.
        for w in state.writes.iter().rev() {
            if let Some(last) = chain.last() {
                let hidden = comes_before(w.thread, w.time, last.thread, last.time, &last.clock);
                if certain && hidden {
                    continue;
                }
                if certain || !hidden || !self.before_now(w) || chain.len() >= CHAIN {
                    return None;
                }
            } else if !self.before_now(w) {
                return None;
            }
            chain.push(w);
            certain = self.guards.implies(guard, w.guard);
        }
        let mut value = match (certain, chain.last()) {
            (true, Some(last)) => {
                let value = last.value.clone();
                chain.pop();
                value
            }
            _ => self.initial(cell),
        };
        for w in chain.iter().rev() {
            let occurs = self.guards.term(w.guard);
            value = w.value.choose(&mut self.pool, occurs, &value);
        }
        Some(value)
    }

    /// Reads a cell.
    pub(crate) fn read_cell(
        &mut self,
        flow: &mut Flow,
        guard: Guard,
        cell: CellId,
        block: Option<u32>,
        entry: u32,
    ) -> Value {
        let thread = self.current.thread;
        if self.plain
            && let Some(value) = self.known_value(flow, cell)
        {
            return value;
        }
        if self.may_settle(cell, thread)
            && let Some(value) = self.settled_value(cell, guard)
        {
            self.current.time += 1;
            let time = self.current.time;
            self.cells
                .entry(cell)
                .or_default()
                .settled
                .insert(thread, time);
            return value;
        }
        self.reads += 1;
        let bits = (self.names.extent(cell).length * 8) as u32;
        let value = self.fresh("read", Sort::BitVec(bits));
        self.event(guard, Kind::Read(cell, value), block, entry);
        self.note_access(flow, cell, false);
        self.look_at_own(flow, cell);
        let initial = self.initial(cell);
        self.note_read_values(cell, value, initial.bits);
        let value = Value {
            bits: value,
            targets: self.facts.targets(cell).union(&initial.targets),
        };
        if self.plain {
            self.learn(flow, guard, cell, &value);
        }
        value
    }

    /// Writes a cell.
    pub(crate) fn write_cell(
        &mut self,
        flow: &mut Flow,
        guard: Guard,
        cell: CellId,
        value: Value,
        block: Option<u32>,
        entry: u32,
    ) {
        if let Some(inside) = &mut flow.inside {
            inside.wrote = true;
        }
        self.facts.add_targets(cell, &value.targets);
        self.note_written_values(cell, value.bits);
        self.note_writer(cell, value.bits);
        let event = self.event(guard, Kind::Write(cell, value.bits), block, entry);
        self.note_access(flow, cell, true);
        match self.plain {
            true => self.overwrite(flow, guard, cell, &value, event),
            false => self.unlearn(flow, cell),
        }
        let now = &self.current;
        let write = Write {
            thread: now.thread,
            time: now.time,
            clock: now.clock.clone(),
            guard,
            value,
        };
        let state = self.cells.entry(cell).or_default();
        let mut disturbed = Vec::new();
        for (&reader, &time) in &state.settled {
            if !comes_before(reader, time, write.thread, write.time, &write.clock) {
                disturbed.push(reader);
            }
        }
        state.writes.push(write);
        for reader in disturbed {
            self.facts.contend(cell, reader);
        }
    }

    /// Now.
    pub(crate) fn moment(&self) -> Moment {
        Moment {
            thread: self.current.thread,
            time: self.current.time,
            clock: self.current.clock.clone(),
        }
    }

    /// Takes a free lock: the read finds it free. The flow's guard says whether that happens.
    pub(crate) fn take_cell(
        &mut self,
        flow: &mut Flow,
        cell: CellId,
        block: u32,
        entry: u32,
        mine: TermId,
    ) {
        self.reads += 1;
        let guard = flow.guard;
        let free = self.pool.bits(32, 0);
        self.event(guard, Kind::Read(cell, free), Some(block), entry);
        self.note_access(flow, cell, false);
        self.look_at_own(flow, cell);
        self.note_used(cell);
        self.write_cell(flow, guard, cell, Value::number(mine), Some(block), entry);
    }

    /// A lock is taken here, or given back because it was.
    pub(crate) fn note_used(&mut self, cell: CellId) {
        let moment = self.moment();
        self.cells.entry(cell).or_default().used.push(moment);
    }

    /// A lock may be taken here.
    pub(crate) fn note_tried(&mut self, cell: CellId) {
        let moment = self.moment();
        self.cells.entry(cell).or_default().tried.push(moment);
    }

    /// A lock was just initialised.
    pub(crate) fn note_made(&mut self, cell: CellId) {
        let moment = self.moment();
        self.cells.entry(cell).or_default().made.push(moment);
    }

    /// Whether a cell is a lock's word that only locking and unlocking write while it is in use.
    pub(crate) fn is_clean_lock(&self, cell: CellId) -> bool {
        let state = self.cells.get(&cell);
        state.is_some_and(|s| !s.used.is_empty()) && !self.facts.is_dirty(cell)
    }

    /// A write to a word that may be a lock's: by something else than locking and unlocking it, if the instruction does neither, or does it
    /// to another kind of lock.
    fn note_writer(&mut self, cell: CellId, value: TermId) {
        let state = self.cells.entry(cell).or_default();
        if self.locking.is_some() && state.lock.is_none_or(|l| Some(l) == self.locking) {
            state.lock = self.locking;
            return;
        }
        let frees = matches!(self.pool.term(value), Term::Bits { value: 0, .. });
        // It is about to happen: later than whatever happened so far.
        self.current.time += 1;
        let moment = self.moment();
        let atomic = self.manner.atomic;
        let state = self.cells.entry(cell).or_default();
        if !atomic {
            state.overwritten.push(moment.clone());
        }
        state.plain.push((moment, frees));
    }

    /// A thread may have to wait for a cell here.
    pub(crate) fn note_wait(&mut self, cell: CellId) {
        let moment = self.moment();
        self.cells.entry(cell).or_default().waited.push(moment);
    }

    /// Whether what was taken for granted about locks was right.
    pub(crate) fn check_locks(&mut self) {
        let mut spoiled = Vec::new();
        let mut anew = Vec::new();
        let before =
            |a: &Moment, b: &Moment| comes_before(a.thread, a.time, b.thread, b.time, &b.clock);
        for (cell, state) in &self.cells {
            for (plain, frees) in &state.plain {
                let first = *frees && state.used.iter().all(|t| before(plain, t));
                let last = state.used.iter().all(|t| before(t, plain));
                if !first && !last {
                    spoiled.push(*cell);
                }
            }
            let mut taken = state.used.iter().chain(&state.tried);
            if taken.any(|t| !state.made.iter().all(|m| before(m, t))) {
                anew.push(*cell);
            }
            let ordered = |w: &Moment| state.waited.iter().all(|t| before(w, t) || before(t, w));
            if !state.overwritten.iter().all(ordered) {
                spoiled.push(*cell);
            }
        }
        for cell in spoiled {
            self.facts.spoil(cell);
        }
        for cell in anew {
            self.facts.make_anew(cell);
        }
    }

    /// A new block.
    pub(crate) fn new_block(&mut self, entry: u32) -> u32 {
        self.regions.push(crate::event::Region {
            entry,
            done: Vec::new(),
            waits: false,
            clock: None,
        });
        self.regions.len() as u32 - 1
    }
}
