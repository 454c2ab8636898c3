//! Accesses to memory: where they go, what the race detector hears of them, what is read and written.

use crate::choice::{ChoiceKind, Choices};
use crate::execute::{Exec, Place};
use crate::footprint::{Cell, Mode};
use crate::machine::{End, Flow, Logged, Machine, ThreadId};
use crate::memory::{BadAccess, Life, ObjectKind};
use crate::race::Current;
use crate::thread::{Frame, StopReason};
use crate::value::{ObjectId, Value, mask, sign_extend};
use crate::violation::Related;
use raddle_ir::{Access, AtomicKind, Property, Ty};
use std::rc::Rc;

impl<'p> Machine<'p> {
    /// Where an access goes, or the violation that it is.
    #[inline]
    pub(crate) fn place(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        address: Value,
        length: u64,
        write: bool,
    ) -> Exec<Place> {
        match self.state.memory.resolve(address, length, write) {
            Ok((object, offset)) => {
                let o = self.state.memory.object(object);
                if !o.shared && o.owner != t {
                    self.state.lost_provenance = true;
                    self.publish(object);
                }
                Ok(Place {
                    object,
                    offset,
                    length,
                })
            }
            Err(bad) => {
                if let BadAccess::Ended(id) = bad {
                    self.race_with_end(t, frame, id, write)?;
                }
                Err(self.bad_access(t, frame, address, length, write, bad))
            }
        }
    }

    #[cold]
    pub(crate) fn bad_access(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        address: Value,
        length: u64,
        write: bool,
        bad: BadAccess,
    ) -> Flow {
        if !self.config.checks.has(Property::ValidDeref) {
            return Flow::Stop(StopReason::InvalidAccess);
        }
        let verb = if write { "write" } else { "read" };
        let mut related = Vec::new();
        let message = match bad {
            BadAccess::Null => format!("{verb} of {length} bytes through a null pointer"),
            BadAccess::Wild => {
                format!(
                    "{verb} of {length} bytes at {:#x}, where no object lives",
                    address.low()
                )
            }
            BadAccess::Function(_) => format!("{verb} of a function's code"),
            BadAccess::Constant(id) => {
                format!("write to {}, which is constant", self.describe_object(id))
            }
            BadAccess::OutOfBounds(id) => {
                let o = self.state.memory.object(id);
                let offset = address.low().wrapping_sub(o.base) as i64;
                if let Some(at) = o.made_at.filter(|_| o.kind == ObjectKind::Heap) {
                    related.push(Related {
                        thread: o.owner,
                        at,
                        step: None,
                        label: "it was allocated here".into(),
                    });
                }
                format!(
                    "{verb} of {length} bytes at offset {offset} of {}, which has {} bytes",
                    self.describe_object(id),
                    o.size
                )
            }
            BadAccess::Ended(id) => {
                let o = self.state.memory.object(id);
                if let Life::Ended(thread, at, step) = o.life {
                    let label = match o.kind {
                        ObjectKind::Heap => "it was freed here",
                        _ => "it went out of scope here",
                    };
                    related.push(Related {
                        thread,
                        at,
                        step: Some(step),
                        label: label.into(),
                    });
                }
                let what = match o.kind {
                    ObjectKind::Heap => "was freed",
                    _ => "is out of scope",
                };
                format!("{verb} of {}, which {what}", self.describe_object(id))
            }
        };
        self.violation_with(t, frame, Property::ValidDeref, message, related)
    }

    /// Tells the race detector of an access. Nothing can race before a second thread exists, nor
    /// with an object that only its owner knows.
    #[inline]
    pub(crate) fn track(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        place: Place,
        write: bool,
        atomic: bool,
    ) -> Exec<()> {
        self.observe_access(place, write);
        if self.logging && self.state.memory.object(place.object).shared {
            self.remember(t, frame, place, write, atomic);
        }
        if self.config.footprints
            && self.state.memory.object(place.object).shared
            && !self.is_alone(t)
        {
            let mode = if write { Mode::Write } else { Mode::Read };
            let range = (place.offset, place.length);
            self.touch_object(t, place.object, range, Cell::Memory, mode, atomic);
        }
        if self.state.threads.len() == 1 || !self.config.checks.has(Property::NoDataRace) {
            return Ok(());
        }
        if !self.state.memory.object(place.object).shared {
            return Ok(());
        }
        self.track_shared(t, frame, place, write, atomic)
    }

    /// Use of an object that another thread ended, with nothing that orders the two, is a race.
    #[cold]
    pub(crate) fn race_with_end(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        object: ObjectId,
        write: bool,
    ) -> Exec<()> {
        let whole = Place {
            object,
            offset: 0,
            length: self.state.memory.object(object).size.max(1),
        };
        self.track(t, frame, whole, write, false)
    }

    #[cold]
    fn remember(&mut self, t: ThreadId, frame: &Frame, place: Place, write: bool, atomic: bool) {
        let logged = Logged {
            object: place.object,
            offset: place.offset,
            length: place.length,
            write,
            atomic,
            in_block: self.thread(t).regions.contains(&AtomicKind::Verifier),
            at: self.user_location(t, frame),
        };
        if let Some(log) = &mut self.log {
            log.push(logged);
        }
    }

    pub(crate) fn track_shared(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        place: Place,
        write: bool,
        atomic: bool,
    ) -> Exec<()> {
        let now = Current {
            thread: t,
            at: self.user_location(t, frame),
            step: self.state.steps,
            write,
            atomic,
            offset: place.offset,
            length: place.length,
        };
        let clock = self.thread(t).clock.clone();
        let object = self.state.memory.object_mut(place.object);
        let shadow = object.shadow.get_or_insert_default();
        let Some(past) = shadow.access(&now, &clock) else {
            return Ok(());
        };
        let name = self.describe_place(place.object, place.offset);
        let variable = self.variable_name(place.object, place.offset);
        let kind = |write: bool, atomic: bool| match (write, atomic) {
            (true, true) => "an atomic write",
            (false, true) => "an atomic read",
            (true, false) => "a write",
            (false, false) => "a read",
        };
        let message = format!(
            "data race on {name}: {} here and {} by another thread, and nothing orders them",
            kind(write, atomic),
            kind(past.write, past.atomic)
        );
        let related = vec![Related {
            thread: past.thread,
            at: past.at,
            step: Some(past.step),
            label: format!(
                "{} of {name} by thread {}",
                kind(past.write, past.atomic),
                past.thread.0
            ),
        }];
        let mut flow = self.violation_with(t, frame, Property::NoDataRace, message, related);
        if let Flow::End(End::Violation(race)) = &mut flow {
            race.object = self.origin(place.object);
            race.variable = variable;
        }
        match flow {
            Flow::End(End::Violation(race)) if !self.thread(t).regions.is_empty() => {
                self.state.deferred.push((past, race));
                Ok(())
            }
            flow => Err(flow),
        }
    }

    /// Takes over what was released at a place.
    pub(crate) fn acquire(&mut self, t: ThreadId, place: Place) {
        self.acquire_from(t, place, 0);
    }

    pub(crate) fn acquire_from(&mut self, t: ThreadId, place: Place, side: usize) {
        if !self.tracks_order() {
            return;
        }
        let object = self.state.memory.object_mut(place.object);
        let shadow = object.shadow.get_or_insert_default();
        let clocks = shadow.released(place.offset, place.length, side);
        let mine = Rc::make_mut(&mut self.thread_mut(t).clock);
        for clock in clocks {
            mine.join(&clock);
        }
    }

    /// Leaves this thread's past at a place, instead of what was there.
    pub(crate) fn release(&mut self, t: ThreadId, place: Place) {
        self.release_to(t, place, 0, false);
    }

    pub(crate) fn release_to(&mut self, t: ThreadId, place: Place, side: usize, join: bool) {
        if !self.tracks_order() {
            return;
        }
        let clock = self.thread(t).clock.clone();
        let object = self.state.memory.object_mut(place.object);
        let shadow = object.shadow.get_or_insert_default();
        shadow.release(place.offset, place.length, side, &clock, join);
        self.tick(t);
    }

    pub(crate) fn tracks_order(&self) -> bool {
        self.config.checks.has(Property::NoDataRace)
    }

    /// Reads a scalar; its open bytes are chosen now.
    #[inline]
    pub(crate) fn read(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        place: Place,
        ty: Ty,
        choices: &mut dyn Choices,
    ) -> Value {
        let object = self.state.memory.object(place.object);
        if object.has_open(place.offset, place.length) {
            let bits = 8 * place.length as u32;
            let kind = ChoiceKind::Uninitialised(ty);
            let v = self.choose_bits(t, frame, kind, bits, choices);
            let object = self.state.memory.object_mut(place.object);
            object.fix(place.offset, place.length, v.bits);
        }
        let object = self.state.memory.object(place.object);
        let value = object.read(place.offset, place.length, self.pointer_bytes);
        if !object.pointers.is_empty() && !value.provenance.is_some() {
            self.pieces_escape(place);
        }
        value
    }

    /// A piece of a stored pointer was read: where it goes cannot be followed, so its target counts as known to all.
    #[cold]
    fn pieces_escape(&mut self, place: Place) {
        let object = self.state.memory.object(place.object);
        let from = (place.offset + 1).saturating_sub(self.pointer_bytes);
        let targets: Vec<ObjectId> = object
            .pointers
            .range(from..place.offset + place.length)
            .map(|(_, target)| *target)
            .collect();
        for target in targets {
            self.state.lost_provenance = true;
            self.publish(target);
        }
    }

    /// Writes a scalar. A pointer written where others can see it makes its target shared.
    #[inline]
    pub(crate) fn write(&mut self, place: Place, value: Value) {
        self.write_bits(place, value, 0);
    }

    /// The same; some bits are as they were.
    #[inline]
    fn write_bits(&mut self, place: Place, value: Value, keeps: u128) {
        if value.provenance.is_some() && self.state.memory.object(place.object).shared {
            self.publish(value.provenance);
        }
        let pointer_bytes = self.pointer_bytes;
        let object = self.state.memory.object_mut(place.object);
        object.write_bits(place.offset, place.length, value, keeps, pointer_bytes);
    }

    #[inline]
    pub(crate) fn load(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        ty: Ty,
        address: Value,
        access: &Access,
        choices: &mut dyn Choices,
    ) -> Exec<Value> {
        if let Some(b) = access.bits {
            let place = self.place(t, frame, address, u64::from(b.location), false)?;
            self.track(t, frame, place, false, false)?;
            let (bytes, shift) = bit_field_bytes(place, b.offset, b.width);
            let whole = self.read(t, frame, bytes, Ty::I128, choices);
            let object = self.state.memory.object(bytes.object);
            let holes = object.holes(bytes.offset, bytes.length) >> shift & mask(b.width);
            let bits = (whole.bits >> shift) & mask(b.width);
            let bits = match b.signed {
                true => sign_extend(bits, b.width) as u128 & mask(ty.bits(self.program.model)),
                false => bits,
            };
            return Ok(Value {
                bits,
                provenance: ObjectId::NONE,
                partial: 0,
                uninit: holes & !access.keeps != 0,
                ..whole
            });
        }
        let place = self.place(t, frame, address, ty.bytes(self.program.model), false)?;
        let order = access.ordering.order();
        if let Some(order) = order {
            self.read_in_order(t, place, order);
        }
        self.track(t, frame, place, false, order.is_some())?;
        let found = self.read(t, frame, place, ty, choices);
        if access.keeps == 0 {
            return Ok(found);
        }
        let object = self.state.memory.object(place.object);
        let holes = object.holes(place.offset, place.length) & !access.keeps;
        Ok(Value {
            uninit: holes != 0,
            ..Value::new(found.bits)
        })
    }

    #[inline]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn store(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        ty: Ty,
        address: Value,
        value: Value,
        access: &Access,
    ) -> Exec<()> {
        if let Some(b) = access.bits {
            let place = self.place(t, frame, address, u64::from(b.location), true)?;
            self.track(t, frame, place, true, false)?;
            let (bytes, _) = bit_field_bytes(place, b.offset, b.width);
            self.write_bits(bytes, value, access.keeps);
            return Ok(());
        }
        let place = self.place(t, frame, address, ty.bytes(self.program.model), true)?;
        let order = access.ordering.order();
        self.track(t, frame, place, true, order.is_some())?;
        self.write_bits(place, value, access.keeps);
        if let Some(order) = order {
            self.write_in_order(t, place, order, false);
        }
        Ok(())
    }
}

/// The bytes that hold a bit-field, and where in them it begins.
fn bit_field_bytes(place: Place, offset: u32, width: u32) -> (Place, u32) {
    let first = u64::from(offset / 8);
    let last = u64::from((offset + width - 1) / 8);
    let bytes = Place {
        object: place.object,
        offset: place.offset + first,
        length: last - first + 1,
    };
    (bytes, offset % 8)
}
