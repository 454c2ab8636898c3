//! Objects come and go: stack slots, arrays of variable length, the heap.

use crate::choice::{ChoiceKind, Choices};
use crate::execute::{Exec, Place};
use crate::footprint::{Cell, Mode, Touch};
use crate::machine::{End, Flow, Machine, ThreadId};
use crate::memory::{Life, ObjectKind};
use crate::thread::{Frame, StopReason};
use crate::value::{ObjectId, Value};
use crate::violation::Related;
use raddle_ir::{Memory, Property};
use std::rc::Rc;

impl<'p> Machine<'p> {
    pub(crate) fn allocate(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        kind: ObjectKind,
        size: u64,
        align: u64,
        name: Rc<str>,
    ) -> Exec<ObjectId> {
        let memory = &self.state.memory;
        let room = match self.pointer_bytes {
            4 => 0xffff_0000_u64.saturating_sub(memory.highest()),
            _ => u64::MAX / 2,
        };
        if size > room || memory.live_bytes.saturating_add(size) > self.config.max_memory {
            let what = format!("{size} bytes more than the memory a run may use");
            return Err(Flow::End(End::Limit(what)));
        }
        let at = self.user_location(t, frame);
        let id = self.state.memory.add(kind, size, align, name, t);
        let serial = self.next_serial(t, kind == ObjectKind::Heap);
        let object = self.state.memory.object_mut(id);
        object.serial = serial;
        object.made_at = Some(at);
        object.forget();
        self.note(crate::observe::Observed::Made(id));
        Ok(id)
    }

    #[allow(clippy::too_many_arguments)]
    pub(crate) fn alloc(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        memory: Memory,
        size: u64,
        align: u64,
        zeroed: bool,
        choices: &mut dyn Choices,
    ) -> Exec<Value> {
        let (kind, name) = match memory {
            Memory::Heap => (ObjectKind::Heap, "the heap object"),
            Memory::Stack => (ObjectKind::Stack, "the array"),
        };
        let id = self.allocate(t, frame, kind, size, align, name.into())?;
        if zeroed {
            self.state.memory.object_mut(id).states = None;
        }
        match memory {
            Memory::Stack => frame.blocks.push(id),
            Memory::Heap if self.config.reuse_addresses => self.reuse(t, frame, id, align, choices),
            Memory::Heap => {}
        }
        Ok(Value::pointer(self.state.memory.object(id).base, id))
    }

    /// Perhaps gives a new object the address of a freed one, which is then no longer available.
    pub(crate) fn reuse(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        new: ObjectId,
        align: u64,
        choices: &mut dyn Choices,
    ) {
        let memory = &self.state.memory;
        let size = memory.object(new).size;
        // Allocators hand out a freed block again for a request that fits it well.
        let fits = |id: &&ObjectId| {
            let o = memory.object(**id);
            o.size >= size && o.size <= size.max(8) * 2 && o.base.is_multiple_of(align.max(1))
        };
        let candidates: Vec<ObjectId> = memory.freed.iter().filter(fits).copied().collect();
        let options = candidates.len() as u32 + 1;
        let answer = self.decide(t, frame, ChoiceKind::ReuseAddress, options, choices);
        let mode = match answer {
            0 => Mode::Read,
            _ => Mode::Write,
        };
        self.touch_heap(t, mode);
        if answer == 0 {
            return;
        }
        let old = candidates[answer as usize - 1];
        let base = self.state.memory.object(old).base;
        Rc::make_mut(&mut self.state.memory.freed).retain(|id| *id != old);
        let object = self.state.memory.object_mut(new);
        object.base = base;
        object.reused = true;
    }

    fn touch_heap(&mut self, t: ThreadId, mode: Mode) {
        if self.config.footprints && self.config.reuse_addresses && !self.is_alone(t) {
            self.touch(Touch::of_thread(Cell::Heap, ThreadId(0), mode));
        }
    }

    pub(crate) fn end_object(&mut self, t: ThreadId, frame: &Frame, id: ObjectId) {
        let step = self.state.steps;
        let at = self.user_location(t, frame);
        self.state.memory.end(id, t, at, step);
    }

    pub(crate) fn free(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        memory: Memory,
        address: Value,
    ) -> Exec<()> {
        if address.bits == 0 {
            return Ok(());
        }
        let kind = match memory {
            Memory::Heap => ObjectKind::Heap,
            Memory::Stack => ObjectKind::Stack,
        };
        let id = match address.provenance.is_some() {
            true => Some(address.provenance),
            false => self.state.memory.find(address.low()),
        };
        let object = id.map(|id| self.state.memory.object(id));
        let mut related = Vec::new();
        let problem = match (id, object) {
            (Some(id), Some(o)) if o.kind != kind => Some(format!(
                "free of {}, which is not from the heap",
                self.describe_object(id)
            )),
            (Some(_), Some(o)) => match o.life {
                Life::Ended(thread, at, step) => {
                    related.push(Related {
                        thread,
                        at,
                        step: Some(step),
                        label: "it was freed here before".into(),
                    });
                    Some("free of an object that was freed already".to_string())
                }
                Life::Live if address.low() != o.base => Some(format!(
                    "free of an address {} bytes inside a heap object",
                    address.low().wrapping_sub(o.base) as i64
                )),
                Life::Live => None,
            },
            _ => Some(format!(
                "free of {:#x}, where no object lives",
                address.low()
            )),
        };
        if let Some(message) = problem {
            if let Some(id) = id
                && self.state.memory.object(id).life != Life::Live
            {
                self.race_with_end(t, frame, id, true)?;
            }
            if !self.config.checks.has(Property::ValidFree) {
                return Err(Flow::Stop(StopReason::InvalidAccess));
            }
            return Err(self.violation_with(t, frame, Property::ValidFree, message, related));
        }
        let id = id.unwrap_or_default();
        let place = Place {
            object: id,
            offset: 0,
            length: self.state.memory.object(id).size.max(1),
        };
        self.track(t, frame, place, true, false)?;
        if kind == ObjectKind::Heap {
            self.touch_heap(t, Mode::Commute);
        }
        self.end_object(t, frame, id);
        frame.blocks.retain(|b| *b != id);
        Ok(())
    }
}
