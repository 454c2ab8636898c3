//! Mutexes, spin locks, reader-writer locks and semaphores: taking and releasing them, over terms.
//!
//! The usual case, a plain mutex whose word nothing but locking writes, needs no value at all: the read of a take finds it free or
//! does not occur, and an unlock by its holder knows what it finds. Everything else works on the word as the interpreter does.

use crate::access::Place;
use crate::names::{CellId, ObjectKey, Role};
use crate::state::State;
use crate::unwind::Unwinder;
use raddle_ir::errno::{EAGAIN, EBUSY, EDEADLK, EINVAL, EPERM, ETIMEDOUT};
use raddle_ir::{Location, Property, SyncOp, layout};
use raddle_solver::term::{Sort, Term, TermId};
use raddle_symbolic::Value;
use std::rc::Rc;

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
    code: TermId,
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

impl Unwinder<'_> {
    pub(crate) fn destroyed(&mut self, word: TermId) -> TermId {
        match self.facts.destroys() {
            true => self.equals(word, u128::from(layout::DESTROYED)),
            false => self.pool.bool(false),
        }
    }

    pub(crate) fn take(
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
        let length = match op {
            _ if mutex => layout::mutex_size(self.program.model),
            SemWait | SemTryWait | SemTimedWait => self.semaphore_size(),
            _ => 4,
        };
        let places = self.places(&mut state.flow, address, length, true, at, entry, false);
        self.note_sync_words(&places);
        match op {
            SemWait | SemTryWait | SemTimedWait => self.check_made(state, &places, at, entry),
            _ => self.check_initialised(state, &places, length, at, entry),
        }
        let kind = match mutex {
            true => self.mutex_kind(state, address, at, entry),
            false => zero,
        };
        let normal = matches!(self.pool.term(kind), Term::Bits { value, .. } if value & 3 == 0 || value & 3 == 3);
        if blocking
            && matches!(op, MutexLock | SpinLock)
            && normal
            && !self.counts_holds()
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
                let taken = self.fresh_as(Role::Granted, "taken", Sort::Bool);
                self.wait_for(&mut state.flow, taken);
            }
            self.take_cell(&mut state.flow, cell, block, entry, mine);
            self.push_held(state, cell);
            return Value::number(zero);
        }
        if blocking {
            self.look_before_waiting(state, &places, at);
        }
        if blocking && self.watches() {
            let mut enabled = |u: &mut Self, word: TermId| {
                let attempt = u.attempt(op, word, kind);
                attempt.enabled(&mut u.pool)
            };
            self.may_block(state, op, &places, &mut enabled, at, entry);
        }
        let block = self.access_block(entry);
        let old = self.sync_word(state, &places, block, entry);
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
        // Whoever goes on without having taken it does not hold it: an error is returned, or it was destroyed.
        let always = match blocking {
            true => {
                self.is_constant(fails) == Some(false) && self.is_constant(destroyed) == Some(false)
            }
            false => self.is_constant(takes) == Some(true),
        };
        self.hold(state, op, &places, always);
        if is_rw(op) || (self.counts_holds() && Lock::of(op).is_some()) {
            self.count_hold(state, &places, takes, 1, entry);
        }
        let busy = match op {
            MutexTimedLock | RwTimedReadLock | RwTimedWriteLock | SemTimedWait => ETIMEDOUT,
            SemTryWait => EAGAIN,
            _ => EBUSY,
        };
        let (busy, bad) = (self.word(busy), self.word(EINVAL));
        let mut result = self.pool.ite(takes, zero, busy);
        result = self.pool.ite(fails, code, result);
        result = self.pool.ite(destroyed, bad, result);
        Value::number(result)
    }

    /// A thread that waits looks at the word all the while: if something else than locking writes that, the two race even if the thread
    /// never gets the lock. Only accesses that happen are events, so this race is not told here.
    pub(crate) fn look_before_waiting(&mut self, state: &State, places: &[Place], at: Location) {
        if !self.wants(Property::NoDataRace) {
            return;
        }
        let mut dirty = false;
        for p in places {
            for cell in self.cells_of(p.object, p.offset, 4) {
                dirty |= self.facts.is_dirty(cell);
                self.note_wait(cell);
            }
        }
        if dirty {
            let what = "a race with a thread that waits for a synchronisation object";
            self.unsupported(state.flow.guard, at, what);
        }
    }

    /// What a lock operation would do to the word of a lock.
    fn attempt(&mut self, op: SyncOp, old: TermId, kind: TermId) -> Attempt {
        use SyncOp::*;
        let me = self.me();
        let mine = self.word(me);
        let destroyed = self.destroyed(old);
        let free = self.equals(old, 0);
        let no = self.pool.bool(false);
        let none = self.word(0);
        // When it is taken, with which new word; which code it fails with at once.
        let (takes, new, fails, code) = match op {
            MutexLock | MutexTryLock | MutexTimedLock => {
                let three = self.word(3);
                let kind = self.pool.bv_and(kind, three);
                let owner_mask = self.word(layout::OWNER);
                let owner = self.pool.bv_and(old, owner_mask);
                let own = self.pool.eq(owner, mine);
                let recursive = self.equals(kind, u128::from(layout::RECURSIVE));
                let checking = self.equals(kind, u128::from(layout::ERRORCHECK));
                let more = self.word(layout::ONE_MORE);
                let again = self.pool.bv_add(old, more);
                let nested = self.pool.and(recursive, own);
                let limit = self.word(layout::DESTROYED - layout::ONE_MORE);
                let fits = self.pool.bv_ult(old, limit);
                let deeper = self.pool.and(nested, fits);
                let full = self.pool.not(fits);
                let too_deep = self.pool.and(nested, full);
                let takes = self.pool.or(free, deeper);
                let new = self.pool.ite(free, mine, again);
                let waits_for_itself = match op {
                    MutexTryLock => no,
                    _ => self.pool.and(checking, own),
                };
                let fails = self.pool.or(too_deep, waits_for_itself);
                let (deadlock, again) = (self.word(EDEADLK), self.word(EAGAIN));
                (takes, new, fails, self.pool.ite(too_deep, again, deadlock))
            }
            SpinLock | SpinTryLock => (free, mine, no, none),
            RwReadLock | RwTryReadLock | RwTimedReadLock => {
                let writer = self.pool.extract(31, 31, old);
                let takes = self.equals(writer, 0);
                let one = self.word(1);
                (takes, self.pool.bv_add(old, one), no, none)
            }
            RwWriteLock | RwTryWriteLock | RwTimedWriteLock => {
                let word = self.word(layout::WRITER | me);
                (free, word, no, none)
            }
            _ => {
                let takes = self.pool.not(free);
                let one = self.word(1);
                (takes, self.pool.bv_sub(old, one), no, none)
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
    pub(crate) fn hold(&mut self, state: &mut State, op: SyncOp, places: &[Place], certain: bool) {
        use SyncOp::*;
        if matches!(op, SemWait | SemTryWait | SemTimedWait) {
            return;
        }
        for p in places {
            if self.facts.is_shared(p.object) {
                for cell in self.cells_of(p.object, p.offset, 4) {
                    self.note_tried(cell);
                }
            }
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
            self.note_used(cell);
            self.push_held(state, cell);
        } else if places.len() != 1 || self.facts.is_shared(places[0].object) {
            // One of several locks, nobody knows which.
            state.flow.unsure = true;
        }
    }

    fn push_held(&mut self, state: &mut State, cell: CellId) {
        self.forget_unprotected(&mut state.flow);
        let mut held = Vec::clone(&state.flow.held);
        held.push(cell);
        state.flow.held = Rc::new(held);
    }

    /// A lock was given back: the one at a position among those held, or, if it is not known which, perhaps any of these.
    fn let_go(&mut self, state: &mut State, places: &[Place], position: Option<usize>) {
        if state.flow.held.is_empty() {
            return;
        }
        let mut rest = Vec::clone(&state.flow.held);
        match position {
            Some(position) => {
                rest.remove(position);
            }
            None => {
                for p in places {
                    let cells = self.cells_of(p.object, p.offset, 4);
                    rest.retain(|c| !cells.contains(c));
                }
            }
        }
        state.flow.held = Rc::new(rest);
    }

    /// The locks among these that nobody can share, and that are not made anew while they are held.
    pub(crate) fn exclusive(&self, held: &Rc<Vec<CellId>>) -> Rc<Vec<CellId>> {
        let alone = |c: &&CellId| !self.read_locks.contains(c) && !self.facts.is_dirty(**c);
        match held.iter().all(|c| alone(&c)) {
            true => held.clone(),
            false => Rc::new(held.iter().filter(alone).copied().collect()),
        }
    }

    pub(crate) fn mutex_kind(
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
        self.sync_word(state, &places, block, entry)
    }

    /// How often this thread holds reader-writer locks: words that only it touches.
    fn holds(&mut self, places: &[Place]) -> Vec<Place> {
        let thread = self.current.thread;
        let mut all = Vec::new();
        for p in places {
            let size = self.names.get(p.object).size;
            let key = ObjectKey::Holds(thread, p.object);
            if let Some(object) = self.names.object(key, size, 4, true) {
                all.push(Place { object, ..*p });
            }
        }
        all
    }

    /// Whether this thread holds a reader-writer lock.
    pub(crate) fn is_own(&mut self, state: &mut State, places: &[Place], entry: u32) -> TermId {
        let holds = self.holds(places);
        let count = self.load_at(&mut state.flow, &holds, 4, None, entry).bits;
        let none = self.equals(count, 0);
        self.pool.not(none)
    }

    /// Whether it is counted how often a thread holds a lock: where the word of one may be a copy, it does not tell.
    fn counts_holds(&self) -> bool {
        self.facts.copies_locks() && self.wants(Property::ValidSync)
    }

    /// Initialising a lock that a thread holds is a misuse. Its word does not tell: before, the memory may have been anything else.
    pub(crate) fn check_free(
        &mut self,
        state: &mut State,
        places: &[Place],
        at: Location,
        entry: u32,
    ) {
        if !self.wants(Property::ValidSync) {
            return;
        }
        let mut doubtful = Vec::new();
        for p in places {
            let shared = self.facts.is_shared(p.object);
            let cells = match shared {
                true => self.cells_of(p.object, p.offset, 4),
                false => Vec::new(),
            };
            if !shared || cells.iter().any(|c| self.facts.is_made_anew(*c)) {
                doubtful.push(*p);
            }
        }
        for p in doubtful {
            let block = self.access_block(entry);
            let old = self.sync_word(state, &[p], block, entry);
            let nobody_wrote = matches!(self.pool.term(old), Term::Var(symbol)
                if self.pool.symbol(*symbol).0.starts_with("uninit!"));
            if nobody_wrote {
                continue;
            }
            let free = self.equals(old, 0);
            let gone = self.equals(old, u128::from(layout::DESTROYED));
            let fine = self.pool.or(free, gone);
            if self.is_constant(fine) == Some(true) {
                continue;
            }
            let held = self.pool.not(fine);
            let meant = match p.when {
                Some(when) => self.pool.and(when, held),
                None => held,
            };
            let guard = self.guards.and(&mut self.pool, state.flow.guard, meant);
            let what = "the initialisation of a lock that may be held";
            self.unsupported(guard, at, what);
        }
    }

    /// It was initialised.
    pub(crate) fn note_initialised(&mut self, places: &[Place]) {
        if !self.wants(Property::ValidSync) {
            return;
        }
        for p in places {
            if self.facts.is_shared(p.object) {
                for cell in self.cells_of(p.object, p.offset, 4) {
                    self.note_made(cell);
                }
            }
        }
    }

    fn count_hold(
        &mut self,
        state: &mut State,
        places: &[Place],
        when: TermId,
        by: u32,
        entry: u32,
    ) {
        let holds = self.holds(places);
        let by = self.word(by);
        let old = self.load_at(&mut state.flow, &holds, 4, None, entry).bits;
        let new = Value::number(self.pool.bv_add(old, by));
        self.store_at(&mut state.flow, &holds, 4, &new, Some(when), None, entry);
    }

    /// A synchronisation object that was never initialised is taken for a free one, as the interpreter does.
    pub(crate) fn note_sync_words(&mut self, places: &[Place]) {
        for p in places {
            if self.names.synchronises(p.object, p.offset) {
                self.facts.note();
            }
        }
    }

    /// A lock that a stranger gives back protects nothing from there on. What is known of locks holds up to the first such unlock, so
    /// executions are not followed beyond it.
    fn no_stranger(&mut self, state: &mut State, stranger: TermId, at: Location) {
        if self.is_constant(stranger) != Some(false) {
            let guard = self.guards.and(&mut self.pool, state.flow.guard, stranger);
            let what = "an unlock of a lock that this thread does not hold";
            self.unsupported(guard, at, what);
        }
    }

    pub(crate) fn unlock(
        &mut self,
        state: &mut State,
        op: SyncOp,
        address: &Value,
        at: Location,
        entry: u32,
    ) -> Value {
        let zero = self.word(0);
        let length = match op {
            SyncOp::MutexUnlock => layout::mutex_size(self.program.model),
            _ => 4,
        };
        let places = self.places(&mut state.flow, address, length, true, at, entry, false);
        self.note_sync_words(&places);
        if op != SyncOp::RwUnlock && self.wants(Property::ValidSync) {
            for p in &places {
                self.facts.note_lock_word(p.object, p.offset);
            }
        }
        self.check_initialised(state, &places, length, at, entry);
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
            && !self.counts_holds()
            && !self.facts.is_dirty(cell)
        {
            // Nobody else can have changed the word since this thread took the lock, nor this thread itself.
            self.note_used(cell);
            self.let_go(state, &places, Some(at_position));
            let free = Value::number(zero);
            self.store(&mut state.flow, &places, 4, &free, None, Some(block), entry);
            return Value::number(zero);
        }
        let old = self.sync_word(state, &places, block, entry);
        if op == SyncOp::RwUnlock {
            let holds = self.holds(&places);
            let count = self.load_at(&mut state.flow, &holds, 4, None, entry).bits;
            let stranger = self.equals(count, 0);
            self.check(&mut state.flow, at, Property::ValidSync, stranger, false);
            self.no_stranger(state, stranger, at);
            let own = self.pool.not(stranger);
            let writer = self.pool.extract(31, 31, old);
            let writes = self.equals(writer, 1);
            let one = self.word(1);
            let less = self.pool.bv_sub(old, one);
            let empty = self.equals(old, 0);
            let none = self.pool.or(writes, empty);
            let new = Value::number(self.pool.ite(none, zero, less));
            let block = Some(block);
            self.store(&mut state.flow, &places, 4, &new, Some(own), block, entry);
            self.count_hold(state, &places, own, u32::MAX, entry);
            self.let_go(state, &places, held);
            let refused = self.word(EPERM);
            return Value::number(self.pool.ite(own, zero, refused));
        }
        let me = self.me();
        let mine = self.word(me);
        let mask = self.word(layout::OWNER);
        let owner = self.pool.bv_and(old, mask);
        let own = self.pool.eq(owner, mine);
        let destroyed = self.destroyed(old);
        let alive = self.pool.not(destroyed);
        let own = self.pool.and(own, alive);
        let more = self.word(layout::ONE_MORE);
        let nested = self.pool.bv_ule(more, old);
        let less = self.pool.bv_sub(old, more);
        let left = Value::number(self.pool.ite(nested, less, zero));
        let stranger = self.pool.not(own);
        if self.counts_holds() {
            let took = self.is_own(state, &places, entry);
            let never = self.pool.not(took);
            let copied = self.pool.and(own, never);
            self.check(&mut state.flow, at, Property::ValidSync, copied, false);
            self.count_hold(state, &places, own, u32::MAX, entry);
        }
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
        self.no_stranger(state, misuse, at);
        self.store(
            &mut state.flow,
            &places,
            4,
            &left,
            Some(own),
            Some(block),
            entry,
        );
        self.let_go(state, &places, held);
        let (refused, gone) = (self.word(EPERM), self.word(EINVAL));
        let refused = self.pool.ite(destroyed, gone, refused);
        Value::number(self.pool.ite(own, zero, refused))
    }
}

/// Kinds of locks. Who uses a word as one kind and then as another spoils it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    Mutex,
    Spin,
    ReadWrite,
}

impl Lock {
    /// What kind of lock an operation takes or gives back.
    pub(crate) fn of(op: SyncOp) -> Option<Lock> {
        use SyncOp::*;
        match op {
            MutexLock | MutexTryLock | MutexTimedLock | MutexUnlock => Some(Lock::Mutex),
            SpinLock | SpinTryLock | SpinUnlock => Some(Lock::Spin),
            RwUnlock => Some(Lock::ReadWrite),
            op if is_rw(op) => Some(Lock::ReadWrite),
            _ => None,
        }
    }
}

fn is_rw(op: SyncOp) -> bool {
    use SyncOp::*;
    matches!(
        op,
        RwReadLock
            | RwTryReadLock
            | RwTimedReadLock
            | RwWriteLock
            | RwTryWriteLock
            | RwTimedWriteLock
    )
}
