//! Addresses: which bytes of which objects an access may touch, and under which conditions.
//!
//! An address is a number, and objects have concrete bases, so "it points to byte 8 of this object" is an equality with a
//! constant. The candidates come from the set of objects the value may point into, and within an object from what is known
//! of the address: a constant, a choice between constants, or its remainder modulo a power of two.

use crate::contents::{self, Contents};
use crate::event::Reason;
use crate::guard::Guard;
use crate::names::{Cell, ObjectKey};
use crate::state::Flow;
use crate::unwind::Unwinder;
use raddle_ir::{Location, Property};
use raddle_solver::term::{Op, Term, TermId};
use raddle_symbolic::{ObjectId, Targets, Value};
use std::rc::Rc;

/// A place an access may touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub object: ObjectId,
    pub offset: u64,
    /// When it is this one; `None` if always.
    pub when: Option<TermId>,
}

impl Unwinder<'_> {
    /// The address of a byte of an object.
    pub(crate) fn address(&mut self, object: ObjectId, offset: i64) -> Value {
        let width = self.program.model.pointer_bits();
        let mask = u64::MAX >> (64 - width);
        let at = self.names.get(object).base.wrapping_add(offset as u64) & mask;
        Value {
            bits: self.pool.bits(width, u128::from(at)),
            targets: Targets::one(object),
        }
    }

    /// Whether a term has this value. Choices between constants are taken apart, so that often a condition of the program remains.
    pub(crate) fn equals(&mut self, term: TermId, value: u128) -> TermId {
        if let Some(&known) = self.equalities.get(&(term, value)) {
            return known;
        }
        let result = self.equals_anew(term, value);
        self.equalities.insert((term, value), result);
        result
    }

    fn equals_anew(&mut self, term: TermId, value: u128) -> TermId {
        if let Term::App {
            op: Op::Ite, args, ..
        } = *self.pool.term(term)
        {
            let [c, a, b] = args;
            let constant = |u: &Self, t: TermId| matches!(u.pool.term(t), Term::Bits { .. });
            let nested =
                |u: &Self, t: TermId| matches!(u.pool.term(t), Term::App { op: Op::Ite, .. });
            if (constant(self, a) || nested(self, a)) && (constant(self, b) || nested(self, b)) {
                let x = self.equals(a, value);
                let y = self.equals(b, value);
                return self.pool.ite(c, x, y);
            }
        }
        let width = self.pool.width(term);
        let constant = self.pool.bits(width, value);
        self.pool.eq(term, constant)
    }

    /// Where an access of `length` bytes goes; `direct` if it names a variable that is in scope. Where it goes nowhere is a violation of `valid-deref`, and the thread stops.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn places(
        &mut self,
        flow: &mut Flow,
        address: &Value,
        length: u64,
        write: bool,
        at: Location,
        entry: u32,
        direct: bool,
    ) -> Vec<Place> {
        let targets = match self.accessed(address) {
            Targets::These(all) => all,
            Targets::Unknown => {
                self.unsupported(
                    flow.guard,
                    at,
                    "an access through an address of unknown origin",
                );
                flow.guard = self.never(flow.guard);
                return Vec::new();
            }
        };
        let listed = self.values_of(address.bits);
        let mut places = Vec::new();
        for &object in targets.iter() {
            let o = self.names.get(object);
            let (base, size) = (o.base, o.size);
            let read_only = match o.key {
                ObjectKey::Function(_)
                | ObjectKey::Life(_)
                | ObjectKey::Written(_)
                | ObjectKey::Present(_)
                | ObjectKey::Retired(_)
                | ObjectKey::Holds(..)
                | ObjectKey::Number
                | ObjectKey::Sleep(_)
                | ObjectKey::Thread(_) => true,
                ObjectKey::Global(g) => write && self.program.global(g).constant,
                _ => false,
            };
            if read_only || size < length {
                continue;
            }
            let last = size - length;
            let mut offsets: Vec<u64> = Vec::new();
            if let Some(values) = &listed {
                let within = values.iter().map(|v| (*v as u64).wrapping_sub(base));
                offsets.extend(within.filter(|o| *o <= last));
            } else {
                let known = self.congruences.of(&self.pool, address.bits);
                let step = 1u64 << known.bits.min(32);
                let remainder = known.remainder as u64 & (step - 1);
                let first = remainder.wrapping_sub(base) & (step - 1);
                let count = if first > last {
                    0
                } else {
                    (last - first) / step + 1
                };
                let some = count.min(u64::from(self.bounds.index));
                offsets.extend((0..some).map(|i| first + i * step));
                if some < count {
                    let (from, to) = (first + some * step, first + (count - 1) * step);
                    self.leave_out(flow, address, base + from, base + to, at);
                }
            }
            for offset in offsets {
                let mut when = self.equals(address.bits, u128::from(base + offset));
                if !direct && self.is_constant(when) != Some(false) {
                    let guard = self.under(flow.guard, Some(when));
                    if let Some(alive) = self.lives(flow, guard, object, entry) {
                        when = self.pool.and(when, alive);
                    }
                }
                match self.is_constant(when) {
                    Some(false) => {}
                    Some(true) => places.push(Place {
                        object,
                        offset,
                        when: None,
                    }),
                    None => places.push(Place {
                        object,
                        offset,
                        when: Some(when),
                    }),
                }
            }
        }
        let mut valid = self.pool.bool(false);
        for p in &places {
            let here = p.when.unwrap_or_else(|| self.pool.bool(true));
            valid = self.pool.or(valid, here);
        }
        let invalid = self.pool.not(valid);
        self.check(flow, at, Property::ValidDeref, invalid, true);
        if let [only] = &mut places[..] {
            only.when = None;
        }
        places
    }

    /// Addresses in a range are not followed: a target, and the thread stops there.
    fn leave_out(&mut self, flow: &mut Flow, address: &Value, from: u64, to: u64, at: Location) {
        let width = self.program.model.pointer_bits();
        let low = self.pool.bits(width, u128::from(from));
        let high = self.pool.bits(width, u128::from(to));
        let above = self.pool.bv_ule(low, address.bits);
        let below = self.pool.bv_ule(address.bits, high);
        let beyond = self.pool.and(above, below);
        let mut lost = flow.clone();
        self.restrict(&mut lost, beyond);
        let bound = self.bounds.index;
        self.cut(lost, at, Reason::Index(bound));
        let within = self.pool.not(beyond);
        self.restrict(flow, within);
    }

    /// A guard that never holds.
    pub(crate) fn never(&mut self, guard: Guard) -> Guard {
        let no = self.pool.bool(false);
        self.and(guard, no)
    }

    pub(crate) fn under(&mut self, guard: Guard, when: Option<TermId>) -> Guard {
        match when {
            Some(when) => self.and(guard, when),
            None => guard,
        }
    }

    /// The cells of a shared place, from the lowest address.
    pub(crate) fn cells_of(
        &mut self,
        object: ObjectId,
        offset: u64,
        length: u64,
    ) -> Vec<crate::names::CellId> {
        let pieces = self.facts.pieces(object, offset, length);
        let cell = |(offset, length): (u64, u64)| Cell {
            object,
            offset,
            length,
        };
        pieces
            .into_iter()
            .map(|p| self.names.cell(cell(p)))
            .collect()
    }

    /// Reads from one of several places.
    pub(crate) fn load(
        &mut self,
        flow: &mut Flow,
        places: &[Place],
        length: u64,
        block: Option<u32>,
        entry: u32,
    ) -> Value {
        if self.tracks_writes() {
            self.note_unwritten_bytes(flow, places, length, 0, entry);
        }
        self.load_at(flow, places, length, block, entry)
    }

    pub(crate) fn load_at(
        &mut self,
        flow: &mut Flow,
        places: &[Place],
        length: u64,
        block: Option<u32>,
        entry: u32,
    ) -> Value {
        let mut result: Option<Value> = None;
        for p in places.iter().rev() {
            let guard = self.under(flow.guard, p.when);
            let value = self.load_one(flow, guard, *p, length, block, entry);
            result = Some(match (result, p.when) {
                (None, _) => value,
                (Some(other), Some(when)) => value.choose(&mut self.pool, when, &other),
                (Some(_), None) => value,
            });
        }
        result.unwrap_or_else(|| Value::number(self.pool.bits((length * 8) as u32, 0)))
    }

    /// Bytes of an address together with other bytes: what that is depends on where objects lie.
    fn note_mixture(&mut self, guard: Guard, entry: u32) {
        let thread = self.current.thread;
        let at = self.log_mut(thread).entries[entry as usize].at;
        self.unsupported(guard, at, "an address of which some bytes were changed");
    }

    pub(crate) fn load_one(
        &mut self,
        flow: &mut Flow,
        guard: Guard,
        place: Place,
        length: u64,
        block: Option<u32>,
        entry: u32,
    ) -> Value {
        let thread = self.current.thread;
        if !self.facts.touch(place.object, thread) {
            let contents = flow.memory.get(&place.object).map(|c| &**c);
            let (value, mixture) = contents::pieces_of(
                &mut self.pool,
                self.program,
                &mut self.names,
                contents,
                place.object,
                place.offset,
                length,
            );
            if mixture {
                self.note_mixture(guard, entry);
            }
            self.note_uninitialised(guard, value.bits, entry);
            return value;
        }
        let cells = self.cells_of(place.object, place.offset, length);
        let block = match (&flow.inside, block.or(self.block_now), cells.len()) {
            (Some(inside), _, _) => Some(inside.block),
            (None, None, 2..) => Some(self.access_block(entry)),
            (None, block, _) => block,
        };
        let mut unsure = false;
        let mut parts: Vec<Value> = Vec::with_capacity(cells.len());
        for cell in cells {
            let initial = self.initial(cell);
            unsure |= self.is_uninitialised(initial.bits);
            parts.push(self.read_cell(flow, guard, cell, block, entry));
        }
        let value = contents::join(&mut self.pool, &parts);
        if unsure {
            self.offer_value(guard, value.bits, entry);
        }
        // Pieces of one address, put together again, are that address; otherwise it is anything.
        let pointer = parts.iter().any(|p| !p.targets.is_none());
        let pieces = matches!(self.pool.term(value.bits), Term::App { op: Op::Concat, .. });
        if contents::is_mixture(&parts) || (parts.len() > 1 && pointer && pieces) {
            self.note_mixture(guard, entry);
        }
        value
    }

    /// Writes to one of several places, if a condition holds.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn store(
        &mut self,
        flow: &mut Flow,
        places: &[Place],
        length: u64,
        value: &Value,
        only_if: Option<TermId>,
        block: Option<u32>,
        entry: u32,
    ) {
        self.note_reference(places, length, value);
        if self.tracks_writes() {
            self.note_written_bytes(flow, places, length, 0, only_if, block, entry);
        }
        self.store_at(flow, places, length, value, only_if, block, entry);
    }

    fn writes_zero(&self, value: &Value) -> bool {
        matches!(self.pool.term(value.bits), Term::Bits { value: 0, .. })
    }

    #[allow(clippy::too_many_arguments)]
    pub(crate) fn store_at(
        &mut self,
        flow: &mut Flow,
        places: &[Place],
        length: u64,
        value: &Value,
        only_if: Option<TermId>,
        block: Option<u32>,
        entry: u32,
    ) {
        for p in places {
            let when = match (p.when, only_if) {
                (Some(a), Some(b)) => Some(self.pool.and(a, b)),
                (a, b) => a.or(b),
            };
            if when.is_some_and(|w| self.is_constant(w) == Some(false)) {
                continue;
            }
            if self.plain && self.wants(Property::ValidSync) && !self.writes_zero(value) {
                self.facts.note_overwritten(p.object, p.offset, length);
            }
            let thread = self.current.thread;
            if !self.facts.touch(p.object, thread) {
                self.store_private(flow, *p, length, value, when);
                continue;
            }
            let guard = self.under(flow.guard, when);
            let cells = self.cells_of(p.object, p.offset, length);
            let block = match (&flow.inside, block.or(self.block_now), cells.len()) {
                (Some(inside), _, _) => Some(inside.block),
                (None, None, 2..) => Some(self.access_block(entry)),
                (None, block, _) => block,
            };
            for cell in cells {
                let extent = self.names.extent(cell);
                let part = contents::part(
                    &mut self.pool,
                    value,
                    extent.offset - p.offset,
                    extent.length,
                );
                self.write_cell(flow, guard, cell, part, block, entry);
            }
        }
    }

    /// Writes a value to private memory.
    pub(crate) fn store_anything(
        &mut self,
        flow: &mut Flow,
        object: ObjectId,
        offset: u64,
        length: u64,
        value: Value,
    ) {
        let place = Place {
            object,
            offset,
            when: None,
        };
        self.store_private(flow, place, length, &value, None);
    }

    fn store_private(
        &mut self,
        flow: &mut Flow,
        place: Place,
        length: u64,
        value: &Value,
        when: Option<TermId>,
    ) {
        let mut value = value.clone();
        if let Some(when) = when {
            let old = contents::read(
                &mut self.pool,
                self.program,
                &mut self.names,
                flow.memory.get(&place.object).map(|c| &**c),
                place.object,
                place.offset,
                length,
            );
            value = value.choose(&mut self.pool, when, &old);
        }
        let memory = Rc::make_mut(&mut flow.memory);
        let contents = memory
            .entry(place.object)
            .or_insert_with(|| Rc::new(Contents::default()));
        Rc::make_mut(contents).write(&mut self.pool, place.offset, length, value);
    }
}
