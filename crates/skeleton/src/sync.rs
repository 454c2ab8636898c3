//! Synchronisation over terms: guards and effects of every [`SyncOp`], the counterpart of the interpreter's.
//!
//! Executions are prefix-closed and may stop anywhere, so a blocked operation needs no account of who is blocked: the thread's
//! later events just do not occur. Taking a free mutex is therefore "the read finds it free, or nothing happens" with a free
//! Boolean. Spurious wake-ups make condition variables no-ops besides releasing and taking the mutex.

use crate::access::Place;
use crate::deadlock::Waits;
use crate::event::{Clock, EventNo, Kind};
use crate::guard::Guard;
use crate::names::{CellId, ObjectKey, Path};
use crate::state::{Flow, State};
use crate::step::set;
use crate::unwind::{Current, Step, Unwinder};
use raddle_ir::{LocalId, Location, Operand, Property, SyncOp, layout};
use raddle_solver::term::{Sort, Term, TermId};
use raddle_symbolic::{Targets, Value};
use std::rc::Rc;

const EPERM: u128 = 1;
const EAGAIN: u128 = 11;
const EBUSY: u128 = 16;
const EINVAL: u128 = 22;
const EDEADLK: u128 = 35;
const ETIMEDOUT: u128 = 110;

/// What a lock operation would do.
#[derive(Clone, Copy)]
struct Attempt {
    /// When it takes the lock.
    takes: TermId,
    /// The word then.
    new: TermId,
    /// When it fails at once.
    fails: TermId,
    /// With this code.
    code: u128,
    /// The lock was destroyed.
    destroyed: TermId,
}

impl Attempt {
    /// When it does not wait.
    fn enabled(&self, pool: &mut raddle_solver::term::TermPool) -> TermId {
        let some = pool.or(self.takes, self.fails);
        pool.or(some, self.destroyed)
    }
}

/// How a thread ends.
#[derive(Clone, Debug)]
pub(crate) struct Final {
    handle: u128,
    /// When it has come to its end.
    guard: Guard,
    /// Its result.
    value: Value,
    /// Its last event.
    last: Option<EventNo>,
    /// What has happened when it ends.
    clock: Clock,
}

impl Unwinder<'_> {
    fn word(&mut self, value: u128) -> TermId {
        self.pool.bits(32, value)
    }

    fn me(&self) -> u128 {
        u128::from(self.current.thread.0) + 1
    }

    /// The handle of a thread: a number, but it is known whose.
    fn handle(&mut self, thread: crate::names::ThreadNo) -> Value {
        let width = self.program.model.pointer_bits();
        let bits = self.pool.bits(width, u128::from(thread.0) + 1);
        let targets = match self.names.object(ObjectKey::Thread(thread), 0, 1, true) {
            Some(id) => Targets::one(id),
            None => Targets::Unknown,
        };
        Value { bits, targets }
    }

    /// Executes a step of synchronisation; false if the thread does not go on.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn sync(
        &mut self,
        state: &mut State,
        dst: Option<LocalId>,
        op: SyncOp,
        args: &[Operand],
        at: Location,
        path: Path,
        iterations: &[u32],
    ) -> Step<bool> {
        use SyncOp::*;
        let mut values = Vec::with_capacity(args.len());
        for a in args {
            values.push(self.operand(state, *a, at));
        }
        let entry = self.enter_log(at, state.flow.guard);
        let zero = self.word(0);
        let mut result = Value::number(zero);
        if matches!(
            op,
            CondInit | CondDestroy | CondEnqueue | CondSignal | CondBroadcast
        ) {
            self.touch_condition(state, op, &values[0], at, entry);
        }
        match op {
            ThreadNew => {
                let here = self.names.path(path, at, iterations);
                let child = self.names.thread(self.current.thread, here);
                let made = (self.current.thread, entry);
                let log = self.log_mut(child);
                log.made = Some(made);
                result = self.handle(child);
                self.new_threads
                    .push((child, values[0].clone(), values[1].clone()));
            }
            ThreadStart => {
                if !self.start_thread(state, &values[0], at, entry)? {
                    return Ok(false);
                }
            }
            ThreadJoin => match self.join(state, &values[0], at, entry) {
                Some(value) => result = value,
                None => return Ok(false),
            },
            ThreadDetach => {
                if let Targets::These(all) = &values[0].targets {
                    for o in all.clone().iter() {
                        if let ObjectKey::Thread(t) = self.names.get(*o).key {
                            self.joined.insert(t);
                        }
                    }
                }
            }
            ThreadSelf => {
                result = self.handle(self.current.thread);
            }
            ThreadExit => {
                let mut flow = state.flow.clone();
                let gone = self.current.slots.clone();
                self.end_slots(&mut flow, &gone, at, Some(entry));
                self.leave_region(&flow);
                self.current.ends.push((flow, values[0].clone()));
                return Ok(false);
            }
            Exit | Abort => {
                let races = self.wants(Property::NoDataRace);
                if state.flow.inside.as_ref().is_some_and(|i| i.wrote || races) {
                    // Nobody goes on afterwards; that is not modelled.
                    let what = "an atomic region that ends the process";
                    self.unsupported(state.flow.guard, at, what);
                }
                return Ok(false);
            }
            CondEnqueue if self.watches() => self.sleep(state, &values[0], entry),
            CondSignal | CondBroadcast if self.watches() => {
                let all = op == CondBroadcast;
                self.signal(state, &values[0], all, at, entry);
            }
            CondBlock if self.watches() => {
                let timed = self.equals(values[1].bits, 1);
                let woken = self.wake_up(state, timed, at, entry);
                let late = self.word(ETIMEDOUT);
                result = Value::number(self.pool.ite(woken, zero, late));
            }
            Yield | CondInit | CondDestroy | CondEnqueue | CondSignal | CondBroadcast => {}
            CondBlock => result = self.cond_block(state, &values[1], at),

            MutexInit => {
                let size = layout::mutex_size(self.program.model);
                let kind = layout::mutex_kind(self.program.model);
                let whole = self.places(&mut state.flow, &values[0], size, true, at, entry, false);
                let block = self.access_block(entry);
                for word in 0..size / 4 {
                    let value = match word * 4 == kind {
                        true => values[1].clone(),
                        false => Value::number(zero),
                    };
                    let places = shifted(&whole, word * 4);
                    // Words nobody looks at stay out of the picture.
                    if word == 0 || word * 4 == kind {
                        self.reset(state, &places, &value, block, entry);
                    }
                }
            }
            SpinInit | RwInit => {
                let places = self.places(&mut state.flow, &values[0], 4, true, at, entry, false);
                let block = self.access_block(entry);
                self.reset(state, &places, &Value::number(zero), block, entry);
            }
            SemInit => {
                let places = self.places(&mut state.flow, &values[0], 4, true, at, entry, false);
                let block = self.access_block(entry);
                self.reset(state, &places, &values[1].clone(), block, entry);
            }
            MutexDestroy | SpinDestroy | RwDestroy | SemDestroy => {
                self.facts.destroy();
                let places = self.places(&mut state.flow, &values[0], 4, true, at, entry, false);
                let block = self.access_block(entry);
                let old = self.load(&state.flow, &places, 4, Some(block), entry).bits;
                let busy = match op {
                    SemDestroy => self.equals(old, u128::from(layout::DESTROYED)),
                    _ => {
                        let free = self.equals(old, 0);
                        self.pool.not(free)
                    }
                };
                let fine = self.pool.not(busy);
                self.check(&mut state.flow, at, Property::ValidSync, busy, false);
                let gone = Value::number(self.word(u128::from(layout::DESTROYED)));
                self.note_lock_bytes(&places, 4, &gone);
                self.store(
                    &mut state.flow,
                    &places,
                    4,
                    &gone,
                    Some(fine),
                    Some(block),
                    entry,
                );
                let busy_code = self.word(EBUSY);
                result = Value::number(self.pool.ite(fine, zero, busy_code));
            }

            MutexLock | MutexTryLock | MutexTimedLock | SpinLock | SpinTryLock | RwReadLock
            | RwTryReadLock | RwTimedReadLock | RwWriteLock | RwTryWriteLock | RwTimedWriteLock
            | SemWait | SemTryWait | SemTimedWait => {
                result = self.take(state, op, &values[0], at, entry);
            }
            MutexUnlock | SpinUnlock | RwUnlock => {
                result = self.unlock(state, op, &values[0], at, entry);
            }
            SemPost => {
                let places = self.places(&mut state.flow, &values[0], 4, true, at, entry, false);
                self.note_sync_words(&places);
                let block = self.access_block(entry);
                let old = self.load(&state.flow, &places, 4, Some(block), entry).bits;
                let one = self.word(1);
                let new = Value::number(self.pool.bv_add(old, one));
                let destroyed = self.destroyed(old);
                let fine = self.pool.not(destroyed);
                self.check(&mut state.flow, at, Property::ValidSync, destroyed, false);
                self.store(
                    &mut state.flow,
                    &places,
                    4,
                    &new,
                    Some(fine),
                    Some(block),
                    entry,
                );
                let bad = self.word(EINVAL);
                result = Value::number(self.pool.ite(fine, zero, bad));
            }
            SemGetValue => {
                let places = self.places(&mut state.flow, &values[0], 4, false, at, entry, false);
                result = self.load(&state.flow, &places, 4, None, entry);
            }
            AwaitNe | AwaitEq => {
                let places = self.places(&mut state.flow, &values[0], 4, false, at, entry, false);
                let expected = values[1].bits;
                let mut enabled = |u: &mut Self, word: TermId| {
                    let equal = u.pool.eq(word, expected);
                    match op {
                        AwaitEq => equal,
                        _ => u.pool.not(equal),
                    }
                };
                if self.watches() {
                    self.may_block(state, op, &places, &mut enabled, at, entry);
                }
                let block = self.access_block(entry);
                let found = self.load(&state.flow, &places, 4, Some(block), entry).bits;
                let go = enabled(self, found);
                match self.watches() {
                    true => self.could(state, go),
                    false => self.wait_for(&mut state.flow, go),
                }
            }
        }
        if let Some(dst) = dst
            && op.result().is_some()
        {
            set(state, dst, result);
        }
        Ok(true)
    }

    /// A region that ends with its thread was gone through.
    pub(crate) fn leave_region(&mut self, flow: &Flow) {
        if let Some(inside) = &flow.inside {
            self.regions[inside.block as usize].done.push(flow.guard);
        }
    }

    /// A condition variable holds nothing, but it has to be there, and its users race with whoever makes or destroys it.
    fn touch_condition(
        &mut self,
        state: &mut State,
        op: SyncOp,
        address: &Value,
        at: Location,
        entry: u32,
    ) {
        let write = matches!(op, SyncOp::CondInit | SyncOp::CondDestroy);
        let places = self.places(&mut state.flow, address, 4, write, at, entry, false);
        if !self.wants(Property::NoDataRace) {
            return;
        }
        if write {
            let nothing = Value::number(self.word(0));
            self.store(&mut state.flow, &places, 4, &nothing, None, None, entry);
        } else {
            self.note_sync_words(&places);
            self.load(&state.flow, &places, 4, None, entry);
        }
    }

    fn cond_block(&mut self, state: &mut State, timed: &Value, at: Location) -> Value {
        let zero = self.word(0);
        let is_timed = self.equals(timed.bits, 1);
        if self.is_constant(is_timed) == Some(false) {
            return Value::number(zero);
        }
        let expired = self.fresh("expired", Sort::Bool);
        let asked = self.and(state.flow.guard, is_timed);
        let bit = self.pool.bool_to_bit(expired);
        self.ask(at, asked, "timed-wait", bit);
        let late = self.word(ETIMEDOUT);
        let yes = self.pool.and(is_timed, expired);
        Value::number(self.pool.ite(yes, late, zero))
    }

    /// Initialisation: an ordinary write.
    fn reset(
        &mut self,
        state: &mut State,
        places: &[Place],
        value: &Value,
        block: u32,
        entry: u32,
    ) {
        self.note_lock_bytes(places, 4, value);
        self.store(&mut state.flow, places, 4, value, None, Some(block), entry);
    }

    /// Notes for words that are used as locks that something else writes them.
    pub(crate) fn note_lock_bytes(&mut self, places: &[Place], length: u64, value: &Value) {
        for p in places {
            let thread = self.current.thread;
            if !self.facts.touch(p.object, thread) {
                continue;
            }
            let frees = matches!(self.pool.term(value.bits), Term::Bits { value: 0, .. });
            for cell in self.cells_of(p.object, p.offset, length) {
                self.note_plain_write(cell, frees);
            }
        }
    }

    fn destroyed(&mut self, word: TermId) -> TermId {
        match self.facts.destroys() {
            true => self.equals(word, u128::from(layout::DESTROYED)),
            false => self.pool.bool(false),
        }
    }

    fn take(
        &mut self,
        state: &mut State,
        op: SyncOp,
        address: &Value,
        at: Location,
        entry: u32,
    ) -> Value {
        use SyncOp::*;
        let mutex = matches!(op, MutexLock | MutexTryLock | MutexTimedLock);
        let blocking = op.can_block();
        let zero = self.word(0);
        let me = self.me();
        let mine = self.word(me);
        let places = self.places(&mut state.flow, address, 4, true, at, entry, false);
        self.note_sync_words(&places);
        let kind = match mutex {
            true => self.mutex_kind(state, address, at, entry),
            false => zero,
        };
        let normal = matches!(self.pool.term(kind), Term::Bits { value, .. } if value & 3 == 0 || value & 3 == 3);
        if blocking
            && matches!(op, MutexLock | SpinLock)
            && normal
            && let [place] = places[..]
            && self.facts.touch(place.object, self.current.thread)
            && let [cell] = self.cells_of(place.object, place.offset, 4)[..]
            && !self.facts.is_dirty(cell)
        {
            let block = match &state.flow.inside {
                Some(inside) => inside.block,
                None => self.access_block(entry),
            };
            if self.watches() {
                let mut free = |u: &mut Self, word: TermId| u.equals(word, 0);
                self.may_block(state, op, &places, &mut free, at, entry);
            } else {
                let taken = self.fresh("taken", Sort::Bool);
                self.wait_for(&mut state.flow, taken);
            }
            self.take_cell(&mut state.flow, cell, block, entry, mine);
            let mut held = Vec::clone(&state.flow.held);
            held.push(cell);
            state.flow.held = Rc::new(held);
            return Value::number(zero);
        }
        if blocking && self.watches() {
            let mut enabled = |u: &mut Self, word: TermId| {
                let attempt = u.attempt(op, word, kind);
                attempt.enabled(&mut u.pool)
            };
            self.may_block(state, op, &places, &mut enabled, at, entry);
        }
        let block = self.access_block(entry);
        let old = self.load(&state.flow, &places, 4, Some(block), entry).bits;
        let attempt = self.attempt(op, old, kind);
        let Attempt {
            takes,
            new,
            fails,
            code,
            destroyed,
        } = attempt;
        self.check(&mut state.flow, at, Property::ValidSync, destroyed, false);
        if blocking {
            let go = attempt.enabled(&mut self.pool);
            match self.watches() {
                true => self.could(state, go),
                false => self.wait_for(&mut state.flow, go),
            }
        }
        let new = Value::number(new);
        self.store(
            &mut state.flow,
            &places,
            4,
            &new,
            Some(takes),
            Some(block),
            entry,
        );
        self.hold(state, op, &places, takes);
        let busy = match op {
            MutexTimedLock | RwTimedReadLock | RwTimedWriteLock | SemTimedWait => ETIMEDOUT,
            SemTryWait => EAGAIN,
            _ => EBUSY,
        };
        let (busy, code, bad) = (self.word(busy), self.word(code), self.word(EINVAL));
        let mut result = self.pool.ite(takes, zero, busy);
        result = self.pool.ite(fails, code, result);
        result = self.pool.ite(destroyed, bad, result);
        Value::number(result)
    }

    /// What a lock operation would do to the word of a lock.
    fn attempt(&mut self, op: SyncOp, old: TermId, kind: TermId) -> Attempt {
        use SyncOp::*;
        let me = self.me();
        let mine = self.word(me);
        let destroyed = self.destroyed(old);
        let free = self.equals(old, 0);
        let no = self.pool.bool(false);
        // When it is taken, with which new word; which code it fails with at once.
        let (takes, new, fails, code) = match op {
            MutexLock | MutexTryLock | MutexTimedLock => {
                let three = self.word(3);
                let kind = self.pool.bv_and(kind, three);
                let owner_mask = self.word(u128::from(layout::OWNER));
                let owner = self.pool.bv_and(old, owner_mask);
                let own = self.pool.eq(owner, mine);
                let recursive = self.equals(kind, u128::from(layout::RECURSIVE));
                let checking = self.equals(kind, u128::from(layout::ERRORCHECK));
                let more = self.word(u128::from(layout::ONE_MORE));
                let again = self.pool.bv_add(old, more);
                // The number of nested acquisitions cannot overflow within any bound that is unwound.
                let nested = self.pool.and(recursive, own);
                let takes = self.pool.or(free, nested);
                let new = self.pool.ite(free, mine, again);
                let fails = match op {
                    MutexTryLock => no,
                    _ => self.pool.and(checking, own),
                };
                (takes, new, fails, EDEADLK)
            }
            SpinLock | SpinTryLock => (free, mine, no, EBUSY),
            RwReadLock | RwTryReadLock | RwTimedReadLock => {
                let writer = self.pool.extract(31, 31, old);
                let takes = self.equals(writer, 0);
                let one = self.word(1);
                (takes, self.pool.bv_add(old, one), no, EBUSY)
            }
            RwWriteLock | RwTryWriteLock | RwTimedWriteLock => {
                let word = self.word(u128::from(layout::WRITER) | me);
                (free, word, no, EBUSY)
            }
            _ => {
                let takes = self.pool.not(free);
                let one = self.word(1);
                (takes, self.pool.bv_sub(old, one), no, EAGAIN)
            }
        };
        let alive = self.pool.not(destroyed);
        Attempt {
            takes: self.pool.and(takes, alive),
            new,
            fails: self.pool.and(fails, alive),
            code,
            destroyed,
        }
    }

    /// Remembers a lock that is held for certain.
    fn hold(&mut self, state: &mut State, op: SyncOp, places: &[Place], takes: TermId) {
        use SyncOp::*;
        let certain = op.can_block() || self.is_constant(takes) == Some(true);
        if matches!(op, SemWait | SemTryWait | SemTimedWait) {
            return;
        }
        if !certain {
            state.flow.unsure = true;
            return;
        }
        if let [place] = places[..]
            && self.facts.touch(place.object, self.current.thread)
            && let [cell] = self.cells_of(place.object, place.offset, 4)[..]
        {
            if matches!(op, RwReadLock | RwTryReadLock | RwTimedReadLock) {
                self.read_locks.insert(cell);
            }
            let mut held = Vec::clone(&state.flow.held);
            held.push(cell);
            state.flow.held = Rc::new(held);
        }
    }

    /// The locks among these that nobody can share.
    pub(crate) fn exclusive(&self, held: &Rc<Vec<CellId>>) -> Rc<Vec<CellId>> {
        match held.iter().any(|c| self.read_locks.contains(c)) {
            false => held.clone(),
            true => {
                let alone = held.iter().filter(|c| !self.read_locks.contains(c));
                Rc::new(alone.copied().collect())
            }
        }
    }

    fn mutex_kind(
        &mut self,
        state: &mut State,
        address: &Value,
        at: Location,
        entry: u32,
    ) -> TermId {
        let width = self.program.model.pointer_bits();
        let offset = layout::mutex_kind(self.program.model);
        let offset = self.pool.bits(width, u128::from(offset));
        let there = Value {
            bits: self.pool.bv_add(address.bits, offset),
            targets: address.targets.clone(),
        };
        let places = self.places(&mut state.flow, &there, 4, false, at, entry, false);
        self.note_sync_words(&places);
        let block = self.access_block(entry);
        self.load(&state.flow, &places, 4, Some(block), entry).bits
    }

    /// A synchronisation object that was never initialised is taken for a free one, as the interpreter does.
    fn note_sync_words(&mut self, places: &[Place]) {
        for p in places {
            if self.names.synchronises(p.object, p.offset) {
                self.facts.note();
            }
        }
    }

    fn unlock(
        &mut self,
        state: &mut State,
        op: SyncOp,
        address: &Value,
        at: Location,
        entry: u32,
    ) -> Value {
        let zero = self.word(0);
        let places = self.places(&mut state.flow, address, 4, true, at, entry, false);
        self.note_sync_words(&places);
        let cell = match places[..] {
            [place] if self.facts.touch(place.object, self.current.thread) => {
                let cells = self.cells_of(place.object, place.offset, 4);
                (cells.len() == 1).then(|| cells[0])
            }
            _ => None,
        };
        let held = cell.and_then(|c| state.flow.held.iter().rposition(|h| *h == c));
        let block = self.access_block(entry);
        let kind = match op {
            SyncOp::MutexUnlock => self.mutex_kind(state, address, at, entry),
            _ => zero,
        };
        let normal = matches!(self.pool.term(kind), Term::Bits { value, .. } if value & 3 == 0 || value & 3 == 3);
        if let (Some(at_position), Some(cell)) = (held, cell)
            && op != SyncOp::RwUnlock
            && normal
            && !self.facts.is_dirty(cell)
        {
            // Nobody else can have changed the word since this thread took the lock.
            let mut rest = Vec::clone(&state.flow.held);
            rest.remove(at_position);
            state.flow.held = Rc::new(rest);
            let free = Value::number(zero);
            self.store(&mut state.flow, &places, 4, &free, None, Some(block), entry);
            return Value::number(zero);
        }
        let old = self.load(&state.flow, &places, 4, Some(block), entry).bits;
        if op == SyncOp::RwUnlock {
            if held.is_none() {
                let what = "an unlock of a reader-writer lock that is perhaps not held";
                self.unsupported(state.flow.guard, at, what);
            }
            let writer = self.pool.extract(31, 31, old);
            let writes = self.equals(writer, 1);
            let one = self.word(1);
            let less = self.pool.bv_sub(old, one);
            let new = Value::number(self.pool.ite(writes, zero, less));
            self.store(&mut state.flow, &places, 4, &new, None, Some(block), entry);
            if let Some(position) = held {
                let mut rest = Vec::clone(&state.flow.held);
                rest.remove(position);
                state.flow.held = Rc::new(rest);
            }
            return Value::number(zero);
        }
        let me = self.me();
        let mine = self.word(me);
        let mask = self.word(u128::from(layout::OWNER));
        let owner = self.pool.bv_and(old, mask);
        let own = self.pool.eq(owner, mine);
        let destroyed = self.destroyed(old);
        let alive = self.pool.not(destroyed);
        let own = self.pool.and(own, alive);
        let more = self.word(u128::from(layout::ONE_MORE));
        let nested = self.pool.bv_ule(more, old);
        let less = self.pool.bv_sub(old, more);
        let left = Value::number(self.pool.ite(nested, less, zero));
        let stranger = self.pool.not(own);
        let misuse = match op {
            SyncOp::MutexUnlock => {
                let one = self.word(3);
                let low = self.pool.bv_and(kind, one);
                let strict = [self.equals(low, 0), self.equals(low, 3)];
                let strict = self.pool.or(strict[0], strict[1]);
                self.pool.and(stranger, strict)
            }
            _ => stranger,
        };
        self.check(&mut state.flow, at, Property::ValidSync, misuse, false);
        self.store(
            &mut state.flow,
            &places,
            4,
            &left,
            Some(own),
            Some(block),
            entry,
        );
        if let Some(position) = held {
            let mut rest = Vec::clone(&state.flow.held);
            rest.remove(position);
            state.flow.held = Rc::new(rest);
        }
        let refused = self.word(EPERM);
        Value::number(self.pool.ite(own, zero, refused))
    }

    /// Unwinds the child here and now; the parent goes on afterwards.
    fn start_thread(
        &mut self,
        state: &mut State,
        handle: &Value,
        at: Location,
        entry: u32,
    ) -> Step<bool> {
        let Term::Bits { value, .. } = *self.pool.term(handle.bits) else {
            self.unsupported(
                state.flow.guard,
                at,
                "a thread whose handle is not known when it starts",
            );
            return Ok(false);
        };
        let known = self
            .new_threads
            .iter()
            .rposition(|(t, _, _)| u128::from(t.0) + 1 == value);
        let Some(known) = known else {
            self.unsupported(state.flow.guard, at, "a thread that was not made here");
            return Ok(false);
        };
        let (child, function, argument) = self.new_threads.remove(known);
        if let Some(inside) = &mut state.flow.inside {
            inside.wrote = true;
        }
        let block = state.flow.inside.as_ref().map(|i| i.block);
        let start = self.event(state.flow.guard, Kind::Start(child), block, entry);
        let parent_time = self.current.time;
        let mut clock = Vec::clone(&self.current.clock);
        let me = self.current.thread.0 as usize;
        let size = (child.0 as usize).max(me) + 1;
        if clock.len() < size {
            clock.resize(size, 0);
        }
        clock[me] = parent_time;
        let next = Current {
            thread: child,
            time: 0,
            clock: Rc::new(clock),
            waiting: 0,
            stack: Vec::new(),
            slots: Vec::new(),
            ends: Vec::new(),
        };
        let parent = std::mem::replace(&mut self.current, next);
        self.log_mut(child).exists = true;
        self.log_mut(child).started = Some(state.flow.guard);
        let flow = Flow {
            guard: state.flow.guard,
            memory: Rc::default(),
            inside: None,
            held: Rc::default(),
            unsure: false,
            ended: Rc::default(),
        };
        self.thread_body(function, None, vec![argument], flow)?;
        let done = std::mem::replace(&mut self.current, parent);
        let first = self.log_mut(child).events.first().copied();
        if let Some(first) = first {
            self.edges.push((start, first));
        }
        self.finish_thread(child, done);
        Ok(true)
    }

    /// The initial thread ends by itself only through `pthread_exit`.
    pub(crate) fn finish_initial(&mut self) {
        let guards: Vec<Guard> = self.current.ends.iter().map(|(f, _)| f.guard).collect();
        let mut finished: Option<Guard> = None;
        for g in guards {
            finished = Some(match finished {
                None => g,
                Some(other) => self.guards.merge(&mut self.pool, other, g).0,
            });
        }
        self.log_mut(crate::names::ThreadNo(0)).finished = finished;
    }

    fn finish_thread(&mut self, child: crate::names::ThreadNo, done: Current) {
        let mut end: Option<(Flow, Value)> = None;
        for (flow, value) in done.ends {
            end = Some(match end {
                None => (flow, value),
                Some((a, x)) => {
                    let (guard, which) = self.guards.merge(&mut self.pool, a.guard, flow.guard);
                    (Flow { guard, ..a }, x.choose(&mut self.pool, which, &value))
                }
            });
        }
        let last = self.log_mut(child).events.last().copied();
        let width = self.program.model.pointer_bits();
        let (guard, value) = match end {
            Some((flow, value)) => (flow.guard, value),
            None => (
                self.never(Guard::TRUE),
                Value::number(self.pool.bits(width, 0)),
            ),
        };
        let mut clock = Vec::clone(&done.clock);
        let me = child.0 as usize;
        if clock.len() <= me {
            clock.resize(me + 1, 0);
        }
        clock[me] = done.time;
        self.log_mut(child).finished = Some(guard);
        self.finals.insert(
            child,
            Final {
                handle: u128::from(child.0) + 1,
                guard,
                value,
                last,
                clock: Rc::new(clock),
            },
        );
    }

    fn join(
        &mut self,
        state: &mut State,
        handle: &Value,
        at: Location,
        entry: u32,
    ) -> Option<Value> {
        let width = self.program.model.pointer_bits();
        let mut threads: Vec<_> = self.finals.keys().copied().collect();
        threads.sort_unstable();
        let mut any = self.pool.bool(false);
        let mut found = Vec::new();
        for t in threads {
            let handle_value = self.finals[&t].handle;
            let mut this = self.equals(handle.bits, handle_value);
            if self.is_constant(this) == Some(false) {
                continue;
            }
            if let Some(started) = self.log_mut(t).started
                && !self.guards.implies(state.flow.guard, started)
            {
                let made = self.guards.term(started);
                this = self.pool.and(this, made);
            }
            if self.is_constant(this) == Some(false) {
                continue;
            }
            any = self.pool.or(any, this);
            found.push((t, this));
        }
        let none = self.pool.not(any);
        if self.is_constant(none) != Some(false) {
            let lost = self.and(state.flow.guard, none);
            self.unsupported(
                lost,
                at,
                "a join of a thread that is not known at this point",
            );
            self.restrict(&mut state.flow, any);
        }
        if found.is_empty() {
            return None;
        }
        let mut go = self.pool.bool(false);
        let mut result = Value::number(self.pool.bits(width, 0));
        for (t, this) in &found {
            let end = self.finals[t].clone();
            let over = self.guards.term(end.guard);
            let this_over = self.pool.and(*this, over);
            go = self.pool.or(go, this_over);
            result = end.value.choose(&mut self.pool, *this, &result);
        }
        let before = state.flow.guard;
        if self.watches() {
            let stuck = self.pool.not(go);
            let waits = Waits::Ends(found.clone());
            self.block_point(state, before, stuck, waits, at);
        }
        self.wait_for(&mut state.flow, go);
        if let [(t, this)] = found[..]
            && self.is_constant(this) == Some(true)
            && state.flow.guard != before
        {
            self.guards.link(state.flow.guard, self.finals[&t].guard);
        }
        for (t, this) in &found {
            if !self.joined.insert(*t) {
                // Perhaps joined before; then the handle may be somebody else's by now.
                let again = self.and(state.flow.guard, *this);
                self.unsupported(again, at, "a second join of a thread");
            }
        }
        let block = state.flow.inside.as_ref().map(|i| i.block);
        let alone = found.len() == 1 && self.current.waiting == 0;
        for (t, this) in found {
            let end = self.finals[&t].clone();
            let guard = self.and(state.flow.guard, this);
            let join = self.event(guard, Kind::Join(t), block, entry);
            if let Some(last) = end.last {
                match alone {
                    true => self.edges.push((last, join)),
                    false => self.conditional.push((guard, last, join)),
                }
            }
            if alone {
                let mut clock = Vec::clone(&self.current.clock);
                if clock.len() < end.clock.len() {
                    clock.resize(end.clock.len(), 0);
                }
                for (mine, theirs) in clock.iter_mut().zip(end.clock.iter()) {
                    *mine = (*mine).max(*theirs);
                }
                self.current.clock = Rc::new(clock);
            }
        }
        Some(result)
    }

    /// A comparison of pointers: if one of them may be dangling, a new object may have its address, which is not modelled.
    pub(crate) fn note_comparison(
        &mut self,
        guard: Guard,
        known: &[(Operand, Value)],
        at: Location,
    ) {
        let [(_, a), (_, b)] = known else { return };
        if a.targets.is_none() || b.targets.is_none() {
            return;
        }
        self.compared
            .push((guard, a.targets.clone(), b.targets.clone(), at));
    }

    /// Comparisons with pointers to freed objects, in a program that allocates, are not the whole truth.
    pub(crate) fn check_reuse(&mut self) {
        let freed = std::mem::take(&mut self.freed);
        for (guard, a, b, at) in std::mem::take(&mut self.compared) {
            let dangling = |t: &Targets| match t {
                Targets::Unknown => true,
                Targets::These(all) => all.iter().any(|o| freed.contains(o)),
            };
            let over = |t: &Targets| match t {
                Targets::Unknown => false,
                Targets::These(all) => all.iter().any(|o| match self.names.get(*o).key {
                    ObjectKey::Thread(t) => self.joined.contains(&t),
                    _ => false,
                }),
            };
            if over(&a) || over(&b) {
                let what = "a comparison of handles of which one may be of a thread that is over";
                self.unsupported(guard, at, what);
            } else if !freed.is_empty() && (dangling(&a) || dangling(&b)) {
                let what = "a comparison of pointers of which one may be to freed memory";
                self.unsupported(guard, at, what);
            }
        }
    }
}

fn shifted(places: &[Place], by: u64) -> Vec<Place> {
    places
        .iter()
        .map(|p| Place {
            offset: p.offset + by,
            ..*p
        })
        .collect()
}
