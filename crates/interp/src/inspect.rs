//! Looking at the state of a run and changing it from outside, for somebody who sits before it: nothing here happens in a run.

use crate::machine::{Machine, ThreadId};
use crate::memory::Life;
use crate::race::Clock;
use crate::thread::Frame;
use crate::value::{ObjectId, Value};
use raddle_ir::{GlobalId, LocalId, SlotId};
use std::rc::Rc;

impl Frame {
    /// The object of a stack slot, if it is alive.
    pub fn slot(&self, id: SlotId) -> Option<ObjectId> {
        let object = *self.slots.get(id.0 as usize)?;
        object.is_some().then_some(object)
    }
}

impl Machine<'_> {
    /// The object of a global, as a thread sees it. A thread-local one exists only once it was used.
    pub fn object_of(&self, t: ThreadId, global: GlobalId) -> Option<ObjectId> {
        match self.program.global(global).thread_local {
            false => Some(self.global_object(global)),
            true => {
                let mut own = self.thread(t).thread_locals.iter();
                own.find(|(g, _)| *g == global).map(|(_, o)| *o)
            }
        }
    }

    /// Where an object lies.
    pub fn object_base(&self, object: ObjectId) -> u64 {
        self.state.memory.object(object).base
    }

    /// The scalar of 1 to 16 bytes at a place, without choosing anything: what was never written is [`Value::OPEN`]. `None` if nothing is
    /// there.
    pub fn look(&self, object: ObjectId, offset: u64, length: u64) -> Option<Value> {
        let o = self.live(object, offset, length)?;
        Some(match o.has_open(offset, length) {
            true => Value::OPEN,
            false => o.read(offset, length, self.pointer_bytes),
        })
    }

    /// The bytes at a place; `None` if nothing is there.
    pub fn bytes(&self, object: ObjectId, offset: u64, length: u64) -> Option<&[u8]> {
        if !self.state.memory.has(object) {
            return None;
        }
        let o = self.state.memory.object(object);
        let end = offset.checked_add(length)?;
        o.bytes.get(offset as usize..end as usize)
    }

    fn live(&self, id: ObjectId, offset: u64, length: u64) -> Option<&crate::memory::Object> {
        if !self.state.memory.has(id) {
            return None;
        }
        let o = self.state.memory.object(id);
        let inside = offset.checked_add(length).is_some_and(|end| end <= o.size);
        let scalar = (1..=16).contains(&length) && !o.bytes.is_empty();
        (o.life == Life::Live && inside && scalar).then_some(o)
    }

    /// Changes the scalar at a place; false if nothing is there.
    pub fn change(&mut self, object: ObjectId, offset: u64, length: u64, value: Value) -> bool {
        if self.live(object, offset, length).is_none() {
            return false;
        }
        let pointer_bytes = self.pointer_bytes;
        self.crowd.get_mut().forget();
        let o = self.state.memory.object_mut(object);
        o.write(offset, length, value, pointer_bytes);
        if value.provenance.is_some() && self.state.memory.object(object).shared {
            self.publish(value.provenance);
        }
        true
    }

    /// Changes a local of an activation, counted from the outermost; false if there is none.
    pub fn change_local(&mut self, t: ThreadId, frame: usize, id: LocalId, value: Value) -> bool {
        self.crowd.get_mut().forget();
        let thread = self.thread_mut(t);
        let Some(frame) = thread.frames.get_mut(frame) else {
            return false;
        };
        match Rc::make_mut(frame).locals.get_mut(id.0 as usize) {
            Some(local) => {
                *local = value;
                true
            }
            None => false,
        }
    }

    /// How much of the others' work a thread knows to have come before: one number for each thread. What thread `a` does at its own
    /// time `n` comes before what `b` does if `b` knows at least `n` of `a`.
    pub fn clock(&self, t: ThreadId) -> &Clock {
        &self.thread(t).clock
    }
}
