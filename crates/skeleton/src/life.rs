//! The life of objects: an access to a stack object whose scope was left, or to freed memory, goes nowhere.
//!
//! Each object whose end could matter has one more byte, its *life*, that ending it writes and accesses through pointers read; it is
//! private or shared like any other memory, and reading it is part of the same indivisible step as the access.

use crate::access::Place;
use crate::guard::Guard;
use crate::names::ObjectKey;
use crate::state::Flow;
use crate::unwind::Unwinder;
use raddle_ir::{Location, Memory, Property};
use raddle_solver::term::TermId;
use raddle_symbolic::{ObjectId, Targets, Value};

impl Unwinder<'_> {
    fn life_of(&mut self, object: ObjectId) -> Option<Place> {
        let life = self.names.object(ObjectKey::Life(object), 1, 1, true)?;
        Some(Place {
            object: life,
            offset: 0,
            when: None,
        })
    }

    fn can_end(&self, object: ObjectId) -> bool {
        matches!(
            self.names.get(object).key,
            ObjectKey::Slot(..)
                | ObjectKey::Heap(..)
                | ObjectKey::Array(..)
                | ObjectKey::ThreadLocal(..)
        )
    }

    /// Whether an object lives, as seen by an access through a pointer.
    pub(crate) fn lives(
        &mut self,
        flow: &Flow,
        guard: Guard,
        object: ObjectId,
        entry: u32,
    ) -> Option<TermId> {
        if !self.can_end(object) {
            return None;
        }
        self.facts.point(object);
        if !self.facts.is_mortal(object) {
            return None;
        }
        let life = self.life_of(object)?;
        let mut there = flow.clone();
        there.guard = guard;
        let block = match self.facts.touch(life.object, self.current.thread) {
            true => Some(self.access_block(entry)),
            false => None,
        };
        let value = self.load(&mut there, &[life], 1, block, entry);
        Some(self.equals(value.bits, 0))
    }

    /// The block of the instruction that is being executed.
    pub(crate) fn access_block(&mut self, entry: u32) -> u32 {
        if let Some(block) = self.block_now {
            return block;
        }
        let block = self.new_block(entry);
        self.block_now = Some(block);
        block
    }

    /// An object ends, if a condition holds.
    pub(crate) fn end_object(
        &mut self,
        flow: &mut Flow,
        object: ObjectId,
        when: Option<TermId>,
        block: Option<u32>,
        entry: u32,
    ) {
        self.facts.end(object);
        if !self.facts.is_mortal(object) {
            return;
        }
        let Some(life) = self.life_of(object) else {
            return;
        };
        let over = Value::number(self.pool.bits(8, 1));
        let life = Place { when, ..life };
        self.store(flow, &[life], 1, &over, None, block, entry);
    }

    /// This thread's copies of thread-local objects, as far as it has any.
    pub(crate) fn own_copies(&self) -> Vec<ObjectId> {
        let globals = self.program.globals.iter().enumerate();
        let own = globals
            .filter(|(_, g)| g.thread_local)
            .filter_map(|(i, _)| {
                let id = raddle_ir::GlobalId(i as u32);
                let key = ObjectKey::ThreadLocal(self.current.thread, id);
                self.names.find(&key)
            });
        own.collect()
    }

    /// Stack objects end with their scope, their function or their thread, at an instruction or a return.
    pub(crate) fn end_slots(
        &mut self,
        flow: &mut Flow,
        objects: &[ObjectId],
        at: Location,
        entry: Option<u32>,
    ) {
        for o in objects {
            self.note_death(*o);
        }
        let mortal = |u: &Self, o: &ObjectId| u.facts.is_mortal(*o);
        if !objects.iter().any(|o| mortal(self, o)) {
            for o in objects {
                self.facts.end(*o);
            }
            return;
        }
        let entry = entry.unwrap_or_else(|| self.enter_log(at, flow.guard));
        self.manner.atomic = false;
        self.block_now = None;
        let block = self.access_block(entry);
        for o in objects {
            self.end_object(flow, *o, None, Some(block), entry);
        }
        self.regions[block as usize].done.push(flow.guard);
    }

    /// Asking for the size of an object is an access to it.
    pub(crate) fn object_size(
        &mut self,
        flow: &mut Flow,
        address: &Value,
        at: Location,
        entry: u32,
    ) -> Value {
        let width = self.program.model.pointer_bits();
        let mut size = self.pool.bits(width, 0);
        let Targets::These(all) = self.accessed(address) else {
            self.unsupported(flow.guard, at, "the size of an unknown object");
            return Value::number(size);
        };
        let mut known = self.equals(address.bits, 0);
        let mut dead = self.pool.bool(false);
        for &object in all.clone().iter() {
            let o = self.names.get(object);
            let (base, bytes) = (o.base, o.size);
            let here = self.equals(address.bits, u128::from(base));
            if self.is_constant(here) == Some(false) {
                continue;
            }
            let guard = self.under(flow.guard, Some(here));
            if let Some(alive) = self.lives(flow, guard, object, entry) {
                let ended = self.pool.not(alive);
                let gone = self.pool.and(here, ended);
                dead = self.pool.or(dead, gone);
            }
            known = self.pool.or(known, here);
            let bytes = self.pool.bits(width, u128::from(bytes));
            size = self.pool.ite(here, bytes, size);
        }
        self.check(flow, at, Property::ValidDeref, dead, true);
        let other = self.pool.not(known);
        let lost = self.and(flow.guard, other);
        self.unsupported(lost, at, "the size of an object by an address inside it");
        Value::number(size)
    }

    /// `free`, or the end of a variable-length array.
    pub(crate) fn free(&mut self, flow: &mut Flow, address: &Value, memory: Memory, at: Location) {
        let all = match self.accessed(address) {
            Targets::These(all) => all,
            Targets::Unknown => {
                self.unsupported(flow.guard, at, "a free of an address of unknown origin");
                return;
            }
        };
        let entry = self.enter_log(at, flow.guard);
        let null = self.equals(address.bits, 0);
        let mut valid = null;
        let mut ends = Vec::new();
        for &object in all.iter() {
            let o = self.names.get(object);
            let right = match memory {
                Memory::Heap => matches!(o.key, ObjectKey::Heap(..)),
                Memory::Stack => matches!(o.key, ObjectKey::Array(..)),
            };
            if !right {
                continue;
            }
            let base = o.base;
            let here = self.equals(address.bits, u128::from(base));
            if self.is_constant(here) == Some(false) {
                continue;
            }
            let guard = self.under(flow.guard, Some(here));
            // Freeing looks at the life of the object, so it matters from the first free on.
            self.facts.end(object);
            let alive = self.lives(flow, guard, object, entry);
            let fine = match alive {
                Some(alive) => self.pool.and(here, alive),
                None => here,
            };
            valid = self.pool.or(valid, fine);
            ends.push((object, here));
        }
        let invalid = self.pool.not(valid);
        if memory == Memory::Heap {
            self.check(flow, at, Property::ValidFree, invalid, true);
        } else {
            self.restrict(flow, valid);
        }
        let block = self.block_now;
        for (object, here) in ends {
            self.freed.insert(object);
            self.note_death(object);
            if memory == Memory::Heap {
                self.note_presence(flow, object, false, Some(here), block, entry);
            }
            self.end_object(flow, object, Some(here), block, entry);
        }
    }
}
