//! Mutexes, spin locks, reader-writer locks and semaphores: taking and releasing them, over terms.
//!
//! The usual case, a plain mutex whose word nothing but locking writes, needs no value at all: the read of a take finds it free or
//! does not occur, and an unlock by its holder knows what it finds. Everything else works on the word as the interpreter does.

use crate::access::Place;
use crate::names::{CellId, ObjectKey, Role};
use crate::state::State;
use crate::unwind::Unwinder;
use raddle_ir::sync::{Before, Case, Effect, SyncAlgebra, Transition, nests};
use raddle_ir::{Location, Property, Share, SyncClass, SyncOp, layout};
use raddle_solver::term::{Sort, Term, TermId};
use raddle_symbolic::Value;
use std::rc::Rc;

impl SyncAlgebra for Unwinder<'_> {
    type Truth = TermId;
    type Word = TermId;

    fn truth(&mut self, value: bool) -> TermId {
        self.pool.bool(value)
    }
    fn word(&mut self, value: u32) -> TermId {
        self.pool.bits(32, value.into())
    }
    fn not(&mut self, a: TermId) -> TermId {
        self.pool.not(a)
    }
    fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.and(a, b)
    }
    fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.or(a, b)
    }
    fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.eq(a, b)
    }
    fn less(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.bv_ult(a, b)
    }
    fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.bv_add(a, b)
    }
    fn subtract(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.bv_sub(a, b)
    }
    fn mask(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.bv_and(a, b)
    }
    fn join(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.bv_or(a, b)
    }
    fn choose(&mut self, when: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.pool.ite(when, then, otherwise)
    }

    fn is(&mut self, a: TermId, value: u32) -> TermId {
        self.equals(a, value.into())
    }
    fn is_destroyed(&mut self, word: TermId) -> TermId {
        self.destroyed(word)
    }
    /// Executions in which it cannot are an end: see [`Unwinder::not_too_deep`].
    fn can_nest(&mut self, _: TermId) -> TermId {
        self.pool.bool(true)
    }
    fn has_writer(&mut self, word: TermId) -> TermId {
        let bit = self.pool.extract(31, 31, word);
        self.equals(bit, 1)
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
        let mutex = op.has_kind();
        let semaphore = op.class() == SyncClass::Sem;
        let blocking = op.can_block();
        let zero = self.word(0);
        let me = self.me();
        let mine = self.word(me);
        let length = self.looked_at(op);
        let places = self.places(&mut state.flow, address, length, true, at, entry, false);
        self.note_sync_words(&places);
        match semaphore {
            true => self.check_made(state, &places, at, entry),
            false => self.check_initialised(state, &places, length, at, entry),
        }
        let kind = match mutex {
            true => self.mutex_kind(state, address, at, entry),
            false => zero,
        };
        let normal = matches!(self.pool.term(kind), Term::Bits { value, .. } if value & 3 == 0 || value & 3 == 3);
        if op.waits_for_owner()
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
                let transition = u.transition(op, word, kind);
                transition.enabled(u)
            };
            self.may_block(state, op, &places, &mut enabled, at, entry);
        }
        let block = self.access_block(entry);
        let old = self.sync_word(state, &places, block, entry);
        if mutex {
            self.not_too_deep(state, old, kind, at);
        }
        let transition = self.transition(op, old, kind);
        let takes = transition.changes(self);
        let new = transition.new_word(self).unwrap_or(old);
        let destroyed = self.destroyed(old);
        self.check(&mut state.flow, at, Property::ValidSync, destroyed, false);
        if blocking {
            let go = transition.enabled(self);
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
        let never = |c: &Case<Self>| self.is_constant(c.when) == Some(false);
        let mut failures = transition
            .cases()
            .filter(|c| matches!(c.effect, Effect::Fails(_)));
        let always = match blocking {
            true => failures.all(never),
            false => self.is_constant(takes) == Some(true),
        };
        self.hold(state, op, &places, always);
        if op.class() == SyncClass::Rw || (self.counts_holds() && op.class().is_lock()) {
            self.count_hold(state, &places, takes, 1, entry);
        }
        Value::number(transition.result(self))
    }

    /// Who goes on behind a lock of a recursive mutex holds it once more. That is not so where it was taken as often as can be, so executions are
    /// not followed beyond that.
    fn not_too_deep(&mut self, state: &mut State, word: TermId, kind: TermId, at: Location) {
        let before = self.before(word, kind);
        let again = nests(self, &before);
        let limit = self.word(layout::DESTROYED - layout::ONE_MORE);
        let fits = self.pool.bv_ult(word, limit);
        let full = self.pool.not(fits);
        let too_deep = self.pool.and(again, full);
        if self.is_constant(too_deep) != Some(false) {
            let guard = self.guards.and(&mut self.pool, state.flow.guard, too_deep);
            let what = "a recursive mutex that is taken as often as can be";
            self.unsupported(guard, at, what);
        }
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

    /// What an operation does to the word of an object that this thread holds, if it has to.
    pub(crate) fn transition(
        &mut self,
        op: SyncOp,
        word: TermId,
        kind: TermId,
    ) -> Transition<Self> {
        let before = self.before(word, kind);
        match op.transition(self, &before) {
            Some(transition) => transition,
            None => unreachable!("{} has a word", op.name()),
        }
    }

    /// What an operation finds that needs no argument, in an object that this thread holds if it has to.
    pub(crate) fn before(&mut self, word: TermId, kind: TermId) -> Before<Self> {
        let me = self.me();
        Before {
            word,
            kind,
            me: self.word(me),
            holds: self.pool.bool(true),
            argument: self.word(0),
        }
    }

    /// When the word of an object makes an operation on it a misuse.
    pub(crate) fn misuse(&mut self, op: SyncOp, word: TermId) -> TermId {
        let zero = self.word(0);
        let before = self.before(word, zero);
        let never = self.pool.bool(false);
        op.misuse(self, &before).unwrap_or(never)
    }

    /// How many bytes of its object an operation looks at.
    pub(crate) fn looked_at(&self, op: SyncOp) -> u64 {
        match op.class() {
            SyncClass::Sem => self.semaphore_size(),
            _ => op.touched(self.program.model).map_or(4, |t| t.bytes),
        }
    }

    /// Remembers a lock that is held for certain.
    pub(crate) fn hold(&mut self, state: &mut State, op: SyncOp, places: &[Place], certain: bool) {
        let Some((share, _)) = op.takes_lock() else {
            return;
        };
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
            if share == Share::Shared {
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
        let length = self.looked_at(op);
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
            let transition = self.transition(op, old, zero);
            let new = Value::number(transition.new_word(self).unwrap_or(old));
            let block = Some(block);
            self.store(&mut state.flow, &places, 4, &new, Some(own), block, entry);
            self.count_hold(state, &places, own, u32::MAX, entry);
            self.let_go(state, &places, held);
            return Value::number(transition.result(self));
        }
        let before = self.before(old, kind);
        let own = before.names_me(self);
        let transition = self.transition(op, old, kind);
        let left = Value::number(transition.new_word(self).unwrap_or(old));
        if self.counts_holds() {
            let took = self.is_own(state, &places, entry);
            let never = self.pool.not(took);
            let copied = self.pool.and(own, never);
            self.check(&mut state.flow, at, Property::ValidSync, copied, false);
            self.count_hold(state, &places, own, u32::MAX, entry);
        }
        let misuse = op.misuse(self, &before);
        let misuse = misuse.unwrap_or_else(|| self.pool.bool(false));
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
        Value::number(transition.result(self))
    }
}
