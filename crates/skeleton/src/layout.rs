//! Addresses as numbers: what a program computes from where its objects lie, for every place where they can lie.
//!
//! An address is its object's concrete base here plus an offset, which is right as long as the result does not depend on the base
//! ([`crate::addresses`]). Where it does (an order of two locks by address, a pointer as the key of a hash table), the base is replaced
//! by a variable, the object's *place*: a multiple of the object's alignment, not null, and apart from the places of all objects that
//! certainly live at the same time. Nothing else is known of places, so what holds for all of them holds for every machine.
//!
//! The result is a number: its only target is [`ObjectKey::Number`], an object that cannot be accessed. So it is seen of every value, in
//! memory and where paths meet, whether it is made of places, of concrete bases, or may be either; what computes with a mixture is not treated.
//!
//! *What it misses:* accesses through addresses that were taken apart and put together again, and violations that need other places than
//! those of the interpreter: these do not replay, and the answer is open (`decide`).

use crate::guard::Guard;
use crate::names::{ObjectKey, ThreadNo};
use crate::unwind::Unwinder;
use raddle_ir::{Location, Operand};
use raddle_solver::term::{Sort, Term, TermId};
use raddle_symbolic::{ObjectId, Targets, Value};
use std::collections::{BTreeMap, HashMap};

/// No object lies below, nor as near to the end of memory.
const EDGE: u128 = 4096;
/// An address is that of an object if it is not farther from it than this.
const NEAR: u64 = 16;
/// With more objects than this, their places are too many pairs to compare.
const MOST: usize = 256;

/// What is known of places so far.
#[derive(Default)]
pub(crate) struct Layout {
    /// Where objects lie whose address is used as a number.
    places: BTreeMap<ObjectId, TermId>,
    /// When such a computation happens, and where.
    uses: Vec<(Guard, Location)>,
    /// Comparisons of addresses with something of unknown origin.
    mixed: Vec<(Guard, Location)>,
    /// Counts births and deaths.
    clock: u32,
    /// When an object began to live for the last time, in which thread.
    born: HashMap<ObjectId, (ThreadNo, u32)>,
    /// When an object may have ended for the first time, in which thread; `None` if there are several.
    over: HashMap<ObjectId, (Option<ThreadNo>, u32)>,
}

impl Layout {
    /// Where objects lie from which something is computed.
    pub(crate) fn places(&self) -> Vec<(ObjectId, TermId)> {
        self.places.iter().map(|(o, p)| (*o, *p)).collect()
    }
}

impl Unwinder<'_> {
    /// An object of the current thread begins to live.
    pub(crate) fn note_birth(&mut self, object: ObjectId) {
        self.layout.clock += 1;
        let now = (self.current.thread, self.layout.clock);
        self.layout.born.insert(object, now);
    }

    /// An object ends, perhaps.
    pub(crate) fn note_death(&mut self, object: ObjectId) {
        self.layout.clock += 1;
        let thread = self.current.thread;
        let first = (Some(thread), self.layout.clock);
        let known = self.layout.over.entry(object).or_insert(first);
        if known.0 != Some(thread) {
            known.0 = None;
        }
    }

    /// Remembers a comparison of an address with something that could be one, but of unknown origin.
    pub(crate) fn note_unknown_operand(
        &mut self,
        guard: Guard,
        known: &[(Operand, Value)],
        at: Location,
    ) {
        let unknown = |v: &Value| v.targets == Targets::Unknown;
        let mixture = known.iter().any(|(_, v)| unknown(v))
            && known
                .iter()
                .any(|(_, v)| !unknown(v) && !v.targets.is_none());
        if mixture {
            self.layout.mixed.push((guard, at));
        }
    }

    /// Whether a value may be a number made of places.
    pub(crate) fn has_places(&self, value: &Value) -> bool {
        let Some(number) = self.names.find(&ObjectKey::Number) else {
            return false;
        };
        matches!(&value.targets, Targets::These(all) if all.contains(&number))
    }

    /// Whether a value is nothing but a number, made of places or not.
    pub(crate) fn is_number(&self, value: &Value) -> bool {
        let Targets::These(all) = &value.targets else {
            return false;
        };
        let number = |o: &ObjectId| self.names.get(*o).key == ObjectKey::Number;
        all.iter().all(number)
    }

    /// Whether it cannot be told if two values are equal, as one may be made of places and the other of concrete bases.
    pub(crate) fn is_mixture(&self, a: &Value, b: &Value) -> bool {
        let places = self.has_places(a) || self.has_places(b);
        places && !(self.is_number(a) && self.is_number(b))
    }

    /// What an address may be that of: nothing known, if it was computed from places.
    pub(crate) fn accessed(&self, address: &Value) -> Targets {
        match self.has_places(address) {
            true => Targets::Unknown,
            false => address.targets.clone(),
        }
    }

    /// Operands with places in them; `None` if that cannot be said.
    pub(crate) fn with_places(
        &mut self,
        guard: Guard,
        known: &[(Operand, Value)],
        at: Location,
    ) -> Option<Vec<(Operand, Value)>> {
        // A part of an unwinding follows executions that happened, whose objects lie somewhere.
        if self.wanted.ways.is_some() || self.wanted.detours.is_some() {
            return None;
        }
        let mut placed = Vec::with_capacity(known.len());
        for (operand, value) in known {
            let value = match self.is_number(value) {
                true => value.clone(),
                false if self.has_places(value) => return None,
                false => self.with_place(guard, value, at)?,
            };
            placed.push((*operand, value));
        }
        self.layout.uses.push((guard, at));
        Some(placed)
    }

    /// A result of a computation with places.
    pub(crate) fn made_of_places(&mut self, value: Value) -> Value {
        let constant = matches!(self.pool.term(value.bits), Term::Bits { .. });
        if constant || !matches!(self.pool.sort(value.bits), Sort::BitVec(_)) {
            return Value::number(value.bits);
        }
        let targets = match self.names.object(ObjectKey::Number, 0, 1, true) {
            Some(number) => Targets::one(number),
            None => Targets::Unknown,
        };
        Value { targets, ..value }
    }

    fn with_place(&mut self, guard: Guard, value: &Value, at: Location) -> Option<Value> {
        let Targets::These(all) = &value.targets else {
            return None;
        };
        let all = all.clone();
        if self.pool.width(value.bits) != self.program.model.pointer_bits() {
            return None;
        }
        let width = self.pool.width(value.bits);
        let mut number = value.bits;
        let last = self.pool.bits(width, EDGE - 1);
        let end = self.pool.bits(width, (u128::MAX >> (128 - width)) - EDGE);
        let low = self.pool.bv_ule(value.bits, last);
        let high = self.pool.bv_ult(end, value.bits);
        // What is near no object, and is neither null nor an error code.
        let mut known = self.pool.or(low, high);
        for &object in all.iter() {
            let place = self.place_of(object)?;
            let o = self.names.get(object);
            let (base, size) = (o.base, o.size.max(1));
            let first = self.pool.bits(width, u128::from(base - NEAR));
            let room = self.pool.bits(width, u128::from(size + 2 * NEAR));
            let from = self.pool.bv_sub(value.bits, first);
            let near = self.pool.bv_ule(from, room);
            if self.is_constant(near) == Some(false) {
                continue;
            }
            let base = self.pool.bits(width, u128::from(base));
            let offset = self.pool.bv_sub(value.bits, base);
            let there = self.pool.bv_add(place, offset);
            number = self.pool.ite(near, there, number);
            known = self.pool.or(known, near);
        }
        let lost = self.pool.not(known);
        if self.is_constant(lost) != Some(false) {
            let guard = self.and(guard, lost);
            let what = "the number of an address that may have left its object";
            self.unsupported(guard, at, what);
        }
        Some(self.made_of_places(Value::number(number)))
    }

    /// Where an object lies; `None` for what has no place in memory.
    fn place_of(&mut self, object: ObjectId) -> Option<TermId> {
        if let Some(place) = self.layout.places.get(&object) {
            return Some(*place);
        }
        let o = self.names.get(object).clone();
        let in_memory = matches!(
            o.key,
            ObjectKey::Global(_)
                | ObjectKey::ThreadLocal(..)
                | ObjectKey::Slot(..)
                | ObjectKey::Heap(..)
                | ObjectKey::Array(..)
        );
        if !in_memory || self.layout.places.len() >= MOST {
            return None;
        }
        let width = self.program.model.pointer_bits();
        let place = self.fresh("place", Sort::BitVec(width));
        let misaligned = self.pool.bits(width, u128::from(o.align - 1));
        let misaligned = self.pool.bv_and(place, misaligned);
        let zero = self.pool.bits(width, 0);
        let aligned = self.pool.eq(misaligned, zero);
        let (first, last) = self.bounds_of_places(o.size);
        let (first, last) = (self.pool.bits(width, first), self.pool.bits(width, last));
        let after = self.pool.bv_ule(first, place);
        let before = self.pool.bv_ule(place, last);
        self.constraints.extend([aligned, after, before]);
        self.layout.places.insert(object, place);
        Some(place)
    }

    /// The first and the last place for an object of so many bytes.
    fn bounds_of_places(&self, size: u64) -> (u128, u128) {
        let width = self.program.model.pointer_bits();
        let all = u128::MAX >> (128 - width);
        let room = u128::from(size.max(1)) + EDGE;
        (EDGE, all - room.min(all - EDGE))
    }

    /// At the end: objects that live at the same time lie apart, and mixtures are not treated.
    pub(crate) fn finish_layout(&mut self) {
        if self.layout.places.is_empty() {
            return;
        }
        let all = self.layout.places();
        for (i, (a, here)) in all.iter().enumerate() {
            for (b, there) in &all[i + 1..] {
                if self.live_together(*a, *b) {
                    let before = self.lies_before((*a, *here), *there);
                    let behind = self.lies_before((*b, *there), *here);
                    let apart = self.pool.or(before, behind);
                    self.constraints.push(apart);
                }
            }
        }
        for (guard, at) in std::mem::take(&mut self.layout.mixed) {
            let what = "a comparison of an address with a number";
            self.unsupported(guard, at, what);
        }
        for (guard, at) in std::mem::take(&mut self.layout.uses) {
            let when = self.guards.term(guard);
            self.layout_uses.push((when, at));
        }
    }

    fn lies_before(&mut self, (object, place): (ObjectId, TermId), other: TermId) -> TermId {
        let width = self.program.model.pointer_bits();
        let size = u128::from(self.names.get(object).size.max(1));
        let size = self.pool.bits(width, size);
        let end = self.pool.bv_add(place, size);
        self.pool.bv_ule(end, other)
    }

    /// Whether there is certainly a time at which both live, if both are ever made.
    pub(crate) fn live_together(&self, a: ObjectId, b: ObjectId) -> bool {
        use ObjectKey::{Global, ThreadLocal};
        let layout = &self.layout;
        match (&self.names.get(a).key, &self.names.get(b).key) {
            (Global(_), _) | (_, Global(_)) => return true,
            (ThreadLocal(s, _), ThreadLocal(t, _)) => return s == t,
            (ThreadLocal(..), _) | (_, ThreadLocal(..)) => return false,
            _ => {}
        }
        if !layout.over.contains_key(&a) && !layout.over.contains_key(&b) {
            return true;
        }
        // In one thread, what was born first may not have ended before the other was born.
        let (Some((s, x)), Some((t, y))) = (layout.born.get(&a), layout.born.get(&b)) else {
            return false;
        };
        let (first, born) = if x < y { (a, *y) } else { (b, *x) };
        let ends_later = match layout.over.get(&first) {
            None => true,
            Some((thread, at)) => *thread == Some(*s) && *at > born,
        };
        s == t && ends_later
    }
}
