//! Instructions: one function per kind, from operands to effects.

use crate::choice::{ChoiceKind, Choices};
use crate::footprint::Mode;
use crate::format;
use crate::machine::{End, Flow, Machine, ThreadId};
use crate::memory::ObjectKind;
use crate::thread::{Frame, StopReason};
use crate::value::{ObjectId, Value, mask};
use crate::violation::{Related, Violation};
use raddle_ir::{
    AtomicKind, Block, Instr, LocalId, Location, MemoryOrder, Op, Operand, Ordering, Property,
    Terminator,
};
use std::rc::Rc;

/// An early end of an instruction.
pub(crate) type Exec<T> = Result<T, Flow>;

/// The range of an access, resolved.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub object: ObjectId,
    pub offset: u64,
    pub length: u64,
}

impl<'p> Machine<'p> {
    /// Executes one instruction; [`Flow::Next`] means the frame may go on to the next one.
    #[inline]
    pub(crate) fn execute(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        instr: &'p Instr,
        choices: &mut dyn Choices,
    ) -> Flow {
        match self.try_execute(t, frame, instr, choices) {
            Ok(flow) | Err(flow) => flow,
        }
    }

    fn try_execute(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        instr: &'p Instr,
        choices: &mut dyn Choices,
    ) -> Exec<Flow> {
        match &instr.op {
            Op::Let { dst, value } => {
                let v = self.rvalue(t, frame, value, choices)?;
                frame.locals[dst.0 as usize] = v;
            }
            Op::Havoc { dst } => frame.locals[dst.0 as usize] = Value::OPEN,
            Op::Nondet { dst } => {
                let ty = self.program.function(frame.function).local(*dst).ty;
                let v = self.choose_value(t, frame, ChoiceKind::Input(ty), ty, choices);
                frame.locals[dst.0 as usize] = v;
            }
            Op::Load {
                dst,
                ty,
                addr,
                access,
            } => {
                let address = self.operand(t, frame, *addr, choices);
                let v = self.load(t, frame, *ty, address, access, choices)?;
                frame.locals[dst.0 as usize] = v;
            }
            Op::Store {
                ty,
                addr,
                value,
                access,
            } => {
                let address = self.operand(t, frame, *addr, choices);
                let value = self.operand(t, frame, *value, choices);
                self.store(t, frame, *ty, address, value, access)?;
            }
            Op::Rmw {
                dst,
                op,
                ty,
                addr,
                value,
                ordering,
            } => {
                let address = self.operand(t, frame, *addr, choices);
                let value = self.operand(t, frame, *value, choices);
                let place = self.place(t, frame, address, ty.bytes(self.program.model), true)?;
                let order = ordering.order().unwrap_or(MemoryOrder::SeqCst);
                self.read_in_order(t, place, order);
                self.track(t, frame, place, true, true)?;
                let old = self.read(t, frame, place, *ty, choices);
                let new = self.combine(*op, *ty, old, value);
                self.write(place, new);
                self.write_in_order(t, place, order, true);
                if let Some(dst) = dst {
                    frame.locals[dst.0 as usize] = old;
                }
            }
            Op::Cas {
                old,
                ok,
                ty,
                addr,
                expected,
                desired,
                weak,
                ordering,
                failure,
            } => {
                let address = self.operand(t, frame, *addr, choices);
                let expected = self.operand(t, frame, *expected, choices);
                let desired = self.operand(t, frame, *desired, choices);
                let place = self.place(t, frame, address, ty.bytes(self.program.model), true)?;
                let found = self.read(t, frame, place, *ty, choices);
                let mut equal = found.bits == expected.bits;
                if equal && *weak && self.decide(t, frame, ChoiceKind::WeakCas, 2, choices) == 1 {
                    equal = false;
                }
                // One that fails is a load (C11, 7.17.7.4).
                let order = match (equal, ordering) {
                    (true, Ordering::Atomic(order)) => *order,
                    _ => *failure,
                };
                self.read_in_order(t, place, order);
                self.track(t, frame, place, equal, true)?;
                if equal {
                    self.write(place, desired);
                    self.write_in_order(t, place, order, true);
                }
                if let Some(dst) = old {
                    frame.locals[dst.0 as usize] = found;
                }
                if let Some(dst) = ok {
                    frame.locals[dst.0 as usize] = Value {
                        uninit: found.uninit | expected.uninit,
                        ..Value::bool(equal)
                    };
                }
            }
            Op::Fence { order } => self.fence(t, *order),
            Op::StorageLive { slot } => {
                let s = &self.program.function(frame.function).slots[slot.0 as usize];
                let name = self.slot_name(frame.function, slot.0 as usize);
                let old = frame.slots[slot.0 as usize];
                if old.is_some() {
                    self.end_object(t, frame, old);
                }
                let id = self.allocate(t, frame, ObjectKind::Stack, s.size, s.align, name)?;
                self.state.memory.object_mut(id).debug = s.debug;
                frame.slots[slot.0 as usize] = id;
            }
            Op::StorageDead { slot } => {
                let id = std::mem::take(&mut frame.slots[slot.0 as usize]);
                if id.is_some() {
                    let length = self.state.memory.object(id).size;
                    let place = Place {
                        object: id,
                        offset: 0,
                        length,
                    };
                    self.track(t, frame, place, true, false)?;
                    self.end_object(t, frame, id);
                }
            }
            Op::Alloc {
                dst,
                memory,
                size,
                align,
                zeroed,
            } => {
                let size = self.operand(t, frame, *size, choices).low();
                let v = self.alloc(t, frame, *memory, size, *align, *zeroed, choices)?;
                frame.locals[dst.0 as usize] = v;
            }
            Op::Free { memory, addr } => {
                let address = self.operand(t, frame, *addr, choices);
                self.free(t, frame, *memory, address)?;
            }
            Op::ObjectSize { dst, addr } => {
                let address = self.operand(t, frame, *addr, choices);
                let size = match address.bits {
                    0 => 0,
                    _ => {
                        let place = self.place(t, frame, address, 0, false)?;
                        if self.config.footprints && !self.is_alone(t) {
                            self.touch_quietly(t, place.object, 1, Mode::Read);
                        }
                        self.state.memory.object(place.object).size
                    }
                };
                frame.locals[dst.0 as usize] = Value::new(u128::from(size));
            }
            Op::Call { dst, callee, args } => {
                return self.call(t, frame, *dst, *callee, args, choices);
            }
            Op::AtomicBegin { kind } => {
                let thread = self.thread_mut(t);
                let outermost = !thread.regions.contains(&AtomicKind::Verifier);
                thread.regions.push(*kind);
                if *kind == AtomicKind::Verifier && outermost {
                    let block = self.state.block_clock.clone();
                    Rc::make_mut(&mut self.thread_mut(t).clock).join(&block);
                }
            }
            Op::AtomicEnd => {
                let thread = self.thread_mut(t);
                let kind = thread.regions.pop();
                if thread.regions.is_empty() {
                    self.logging = false;
                }
                let thread = self.thread(t);
                let outermost = !thread.regions.contains(&AtomicKind::Verifier);
                if kind == Some(AtomicKind::Verifier) && outermost {
                    self.state.block_clock = self.thread(t).clock.clone();
                }
                if self.thread(t).regions.is_empty() {
                    Rc::make_mut(&mut self.thread_mut(t).clock).tick(t);
                }
                if self.thread(t).regions.is_empty()
                    && let Some(race) = self.take_deferred(t)
                {
                    return Err(Flow::End(End::Violation(race)));
                }
            }
            Op::Sync { dst, op, args } => {
                let values: Vec<Value> = args
                    .iter()
                    .map(|a| self.operand(t, frame, *a, choices))
                    .collect();
                return self.sync(t, frame, *dst, *op, &values, choices);
            }
            Op::Assert {
                cond,
                property,
                message,
            } => {
                let holds = self.operand(t, frame, *cond, choices);
                if holds.bits == 0 {
                    let text = self.program.text(*message).to_string();
                    if self.config.checks.has(*property) {
                        return Err(self.violation(t, frame, *property, text));
                    }
                    if *property != Property::UnreachCall {
                        return Ok(Flow::Stop(StopReason::Undefined));
                    }
                }
            }
            Op::Assume { cond } => {
                if self.operand(t, frame, *cond, choices).bits == 0 {
                    return Ok(Flow::Stop(StopReason::Assume));
                }
            }
            Op::Output {
                stream,
                format,
                value,
            } => {
                let stream = self.operand(t, frame, *stream, choices).low() as i32;
                let text = self.program.text(*format);
                match value {
                    None => self.print(stream, text.as_bytes()),
                    Some((ty, v)) => {
                        let v = self.operand(t, frame, *v, choices);
                        let bytes = format::render(text, *ty, v.bits, self.program.model);
                        self.print(stream, &bytes);
                    }
                }
            }
        }
        Ok(Flow::Next)
    }

    /// Decides where a block goes on; sets the frame's position.
    #[inline]
    pub(crate) fn terminate(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        block: &'p Block,
        choices: &mut dyn Choices,
    ) -> Flow {
        let target = match &block.terminator {
            Terminator::Goto(b) => *b,
            Terminator::Branch {
                cond,
                then,
                otherwise,
            } => {
                let v = self.operand(t, frame, *cond, choices);
                if v.uninit && self.config.checks.has(Property::NoUninit) {
                    return self.uninitialised_branch(t, frame);
                }
                match v.bits {
                    0 => *otherwise,
                    _ => *then,
                }
            }
            Terminator::Switch {
                value,
                cases,
                default,
                ..
            } => {
                let v = self.operand(t, frame, *value, choices);
                if v.uninit && self.config.checks.has(Property::NoUninit) {
                    return self.uninitialised_branch(t, frame);
                }
                let case = cases.iter().find(|(c, _)| *c == v.bits);
                case.map_or(*default, |(_, b)| *b)
            }
            Terminator::Return(v) => {
                if let Err(race) = self.slots_end(t, frame) {
                    return race;
                }
                // The library hands results on that it does not look at.
                let v = v.map(|v| match self.program.function(frame.function).library {
                    true => self.operand_as_is(t, frame, v),
                    false => self.operand(t, frame, v, choices),
                });
                return Flow::Return(v);
            }
            Terminator::Unreachable => return Flow::Stop(StopReason::Undefined),
        };
        frame.block = target;
        frame.index = 0;
        Flow::Next
    }

    /// The end of stack objects that others know is a write to them; with `main`, the process ends first.
    fn slots_end(&mut self, t: ThreadId, frame: &Frame) -> Exec<()> {
        if t == ThreadId(0) && self.thread(t).frames.len() == 1 {
            return Ok(());
        }
        // The last return of a thread takes its thread-local objects along.
        let ending = match self.thread(t).frames.is_empty() {
            true => self.objects_of(t, frame),
            false => frame.slots.iter().chain(&frame.blocks).copied().collect(),
        };
        self.objects_end(t, frame, &ending)
    }

    /// The end of objects, as the race detector sees it.
    pub(crate) fn objects_end(&mut self, t: ThreadId, frame: &Frame, all: &[ObjectId]) -> Exec<()> {
        for &object in all.iter().filter(|o| o.is_some()) {
            let length = self.state.memory.object(object).size;
            let place = Place {
                object,
                offset: 0,
                length,
            };
            self.track(t, frame, place, true, false)?;
        }
        Ok(())
    }

    fn uninitialised_branch(&mut self, t: ThreadId, frame: &Frame) -> Flow {
        let message = "this decision depends on a value that was never written".to_string();
        self.violation(t, frame, Property::NoUninit, message)
    }

    fn call(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        dst: Option<LocalId>,
        callee: Operand,
        args: &'p [Operand],
        choices: &mut dyn Choices,
    ) -> Exec<Flow> {
        let target = match callee {
            Operand::Function(f) => Some(f),
            pointer => {
                let v = self.operand(t, frame, pointer, choices);
                let id = match v.provenance.is_some() {
                    true => Some(v.provenance),
                    false => self.state.memory.find(v.low()),
                };
                let at_start = |id: &ObjectId| self.state.memory.object(*id).base == v.low();
                id.filter(at_start).and_then(|id| self.object_function(id))
            }
        };
        let Some(target) = target else {
            if !self.config.checks.has(Property::ValidDeref) {
                return Ok(Flow::Stop(StopReason::InvalidAccess));
            }
            let message = "call through a pointer that is not a function".to_string();
            return Err(self.violation(t, frame, Property::ValidDeref, message));
        };
        let f = self.program.function(target);
        let mut values: Vec<Value> = args
            .iter()
            .map(|a| self.operand(t, frame, *a, choices))
            .collect();
        if !f.has_body() {
            for v in &values {
                self.publish(v.provenance);
            }
            if self.config.note_foreign_calls {
                let args = values.clone();
                self.note_foreign_call(t, frame, target, args);
            }
            if let Some(foreign) = self.config.foreign.filter(|f| f.function == target) {
                self.write_foreign(t, foreign, &values);
            }
            if let (Some(dst), Some(ty)) = (dst, f.ret) {
                let v = self.choose_value(t, frame, ChoiceKind::External(ty), ty, choices);
                frame.locals[dst.0 as usize] = v;
            }
            return Ok(Flow::Next);
        }
        let wanted = dst.map(|d| self.program.function(frame.function).local(d).ty);
        if !f.accepts(values.len(), wanted) {
            if self.config.checks.has(Property::ValidDeref) {
                let message = format!(
                    "call of {} with arguments or a result it does not have",
                    f.name
                );
                return Err(self.violation(t, frame, Property::ValidDeref, message));
            }
            return Ok(Flow::Stop(StopReason::Undefined));
        }
        values.truncate(f.params as usize);
        if !matches!(callee, Operand::Function(_)) {
            for (value, param) in values.iter_mut().zip(&f.locals) {
                value.bits &= mask(param.ty.bits(self.program.model));
            }
        }
        Ok(Flow::Call {
            function: target,
            args: values,
            result: dst,
        })
    }

    pub(crate) fn violation(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        property: Property,
        message: String,
    ) -> Flow {
        self.violation_with(t, frame, property, message, Vec::new())
    }

    pub(crate) fn violation_with(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        property: Property,
        message: String,
        related: Vec<Related>,
    ) -> Flow {
        Flow::End(End::Violation(Box::new(Violation {
            property,
            message,
            thread: t,
            at: self.blamed_location(t, frame),
            object: None,
            variable: None,
            related,
            notes: Vec::new(),
        })))
    }

    /// Where a violation is reported: in the user's code, or where the user made a thread of the library's.
    fn blamed_location(&self, t: ThreadId, frame: &Frame) -> Location {
        let at = self.user_location(t, frame);
        match self.thread(t).created_at {
            Some(made) if self.program.function(at.function).library => made,
            _ => at,
        }
    }

    /// Where the user's code stands: the innermost activation that is not the modelled library's.
    pub(crate) fn user_location(&self, t: ThreadId, frame: &Frame) -> Location {
        if !self.program.function(frame.function).library {
            return frame.location();
        }
        let users = |f: &&Frame| !self.program.function(f.function).library;
        match self.thread(t).stack().rev().find(users) {
            // A caller's position is behind its call.
            Some(f) => Location {
                index: f.index.saturating_sub(1),
                ..f.location()
            },
            None => frame.location(),
        }
    }
}
