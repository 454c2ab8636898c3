//! Synchronises-with of C11 for atomic accesses and fences, by vector clocks.
//!
//! Every atomic location carries a *message*: what a read of its present value with `acquire` comes after. A release store
//! leaves the thread's whole past; a relaxed one leaves what the same thread released there before (the release sequence of
//! RC11, Lahav et al., PLDI 2017: later stores of the same thread and read-modify-writes of all threads continue it) and
//! what a release fence before it covers. A relaxed read keeps the message for a later acquire fence.
//!
//! Values are those of sequentially consistent executions: stale reads are not executed, only their races are judged by
//! happens-before. A plain write to an atomic location needs no message: it races with every access that it is not ordered with.

use crate::execute::Place;
use crate::machine::{Machine, ThreadId};
use crate::race::Clock;
use raddle_ir::MemoryOrder;
use std::rc::Rc;

/// What a thread's fences know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fences {
    /// What had happened at its last release fence.
    released: Option<Rc<Clock>>,
    /// The messages that its relaxed reads have found.
    found: Option<Rc<Clock>>,
}

fn join(into: &mut Option<Rc<Clock>>, clock: &Clock) {
    Rc::make_mut(into.get_or_insert_default()).join(clock);
}

impl Machine<'_> {
    /// An atomic read.
    pub(crate) fn read_in_order(&mut self, t: ThreadId, place: Place, order: MemoryOrder) {
        if order.acquires() {
            return self.acquire(t, place);
        }
        if !self.tracks_order() {
            return;
        }
        let object = self.state.memory.object_mut(place.object);
        let shadow = object.shadow.get_or_insert_default();
        let messages = shadow.released(place.offset, place.length, 0);
        for message in messages {
            join(&mut self.thread_mut(t).fences.found, &message);
        }
    }

    /// An atomic write; `updates` if it is the write of a read-modify-write.
    pub(crate) fn write_in_order(
        &mut self,
        t: ThreadId,
        place: Place,
        order: MemoryOrder,
        updates: bool,
    ) {
        if !self.weak_orders {
            return self.release(t, place);
        }
        if !self.tracks_order() {
            return;
        }
        let past = self.thread(t).clock.clone();
        let fence = self.thread(t).fences.released.clone();
        let object = self.state.memory.object_mut(place.object);
        let shadow = object.shadow.get_or_insert_default();
        let mut message = match order.releases() {
            true => Clock::clone(&past),
            false => shadow.head(place.offset, place.length, t),
        };
        if let Some(fence) = fence {
            message.join(&fence);
        }
        if updates {
            for before in shadow.released(place.offset, place.length, 0) {
                message.join(&before);
            }
        }
        shadow.release(place.offset, place.length, 0, &Rc::new(message), false);
        if order.releases() {
            shadow.lead(place.offset, place.length, t, past);
            self.tick(t);
        }
    }

    pub(crate) fn fence(&mut self, t: ThreadId, order: MemoryOrder) {
        if !self.weak_orders || !self.tracks_order() {
            return;
        }
        if order.acquires()
            && let Some(found) = self.thread(t).fences.found.clone()
        {
            Rc::make_mut(&mut self.thread_mut(t).clock).join(&found);
        }
        if order.releases() {
            let past = self.thread(t).clock.clone();
            self.thread_mut(t).fences.released = Some(past);
            self.tick(t);
        }
    }

    /// What follows belongs to a later moment, unless it is part of the same fused step.
    pub(crate) fn tick(&mut self, t: ThreadId) {
        if self.thread(t).regions.is_empty() {
            Rc::make_mut(&mut self.thread_mut(t).clock).tick(t);
        }
    }
}
