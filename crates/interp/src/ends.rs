//! How threads, activations and the process end.

use crate::footprint::{Cell, Mode, Touch};
use crate::machine::{End, Machine, ThreadId};
use crate::race::Past;
use crate::thread::{Frame, StopReason, ThreadStatus};
use crate::value::{ObjectId, Value, mask};
use crate::violation::Violation;
use raddle_ir::{BlockId, Location, Property};
use std::rc::Rc;

impl Machine<'_> {
    /// A race inside a region that ends the thread or the process counts: nothing can take the region back.
    pub(crate) fn raise_deferred(&mut self, t: ThreadId) {
        if let Some(race) = self.take_deferred(t) {
            self.state.end = Some(End::Violation(race));
        }
    }

    /// The first race of a thread's region that counts. A region is one step: if it joined a thread or took a lock further on,
    /// it could not have come next before that was possible, so accesses that this orders before it race with nothing in it.
    pub(crate) fn take_deferred(&mut self, t: ThreadId) -> Option<Box<Violation>> {
        let all = std::mem::take(&mut self.state.deferred);
        let clock = &self.thread(t).clock;
        let counts = |(past, _): &(Past, Box<Violation>)| !past.is_before(clock);
        all.into_iter().find(counts).map(|(_, race)| race)
    }

    pub(crate) fn stop_thread(&mut self, t: ThreadId, at: Location, reason: StopReason) {
        match reason {
            StopReason::Assume => self.state.deferred.clear(),
            _ => self.raise_deferred(t),
        }
        self.thread_mut(t).status = ThreadStatus::Stopped(reason);
        self.state.live -= 1;
        if reason != StopReason::Assume {
            Rc::make_mut(&mut self.state.undefined).push((t, at, reason));
        }
    }

    pub(crate) fn finish_thread(&mut self, t: ThreadId, value: Value) {
        self.raise_deferred(t);
        self.touch(Touch::of_thread(Cell::Thread, t, Mode::Write));
        self.publish(value.provenance);
        let pointer = mask(self.program.model.pointer_bits());
        let thread = self.thread_mut(t);
        thread.status = ThreadStatus::Finished;
        thread.result = Value {
            bits: value.bits & pointer,
            ..value
        };
        let detached = thread.detached;
        let gone: Vec<ObjectId> = thread.thread_locals.drain(..).map(|(_, o)| o).collect();
        self.state.live -= 1;
        self.state.thread_counts.finished(detached);
        let at = Location {
            function: self.thread(t).start,
            block: BlockId(0),
            index: 0,
        };
        for object in gone {
            let step = self.state.steps;
            self.state.memory.end(object, t, at, step);
        }
    }

    /// The stack objects of an activation go with it.
    pub(crate) fn end_frame(&mut self, t: ThreadId, frame: &Frame) {
        let at = frame.location();
        let step = self.state.steps;
        for &o in frame.slots.iter().chain(&frame.blocks) {
            if o.is_some() {
                let object = self.state.memory.object(o);
                if self.config.footprints && object.shared && !self.is_alone(t) {
                    let size = object.size;
                    self.touch_quietly(t, o, size, Mode::Write);
                }
                self.state.memory.end(o, t, at, step);
            }
        }
    }

    pub(crate) fn finish_process(&mut self, t: ThreadId, end: End) {
        self.raise_deferred(t);
        if self.state.end.is_some() {
            return;
        }
        let mut leak = None;
        if let End::Exit(_) = &end {
            let kinds = [Property::ValidMemtrack, Property::ValidMemcleanup];
            let mut asked = kinds.into_iter().filter(|p| self.config.checks.has(*p));
            leak = asked.find_map(|p| self.find_leak(p));
        }
        self.state.end = Some(match leak {
            Some(violation) => End::Violation(Box::new(violation)),
            None => end,
        });
    }
}
