//! Instructions: one function per kind, from operands to effects.

use crate::arith::{self, Trouble};
use crate::choice::{Choice, ChoiceKind, Choices};
use crate::format;
use crate::machine::{End, Flow, Machine, ThreadId};
use crate::memory::{BadAccess, Life, ObjectKind};
use crate::race::Current;
use crate::thread::{Frame, StopReason};
use crate::value::{ObjectId, Value, mask, sign_extend};
use crate::violation::{Related, Violation};
use raddle_ir::{
    Access, AtomicKind, BinaryOp, Block, CastKind, Instr, LocalId, Location, Memory, Op, Operand,
    Property, PureFn, RmwOp, Rvalue, Terminator, Ty, UnaryOp,
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
                let value = self.operand_as_is(t, frame, *value);
                self.store(t, frame, *ty, address, value, access, choices)?;
            }
            Op::Rmw {
                dst,
                op,
                ty,
                addr,
                value,
                ..
            } => {
                let address = self.operand(t, frame, *addr, choices);
                let value = self.operand(t, frame, *value, choices);
                let place = self.place(t, frame, address, ty.bytes(self.program.model), true)?;
                self.track(t, frame, place, true, true)?;
                self.acquire(t, place);
                let old = self.read(t, frame, place, *ty, choices);
                let new = self.combine(*op, *ty, old, value);
                self.write(place, new);
                self.release(t, place);
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
                ..
            } => {
                let address = self.operand(t, frame, *addr, choices);
                let expected = self.operand(t, frame, *expected, choices);
                let desired = self.operand(t, frame, *desired, choices);
                let place = self.place(t, frame, address, ty.bytes(self.program.model), true)?;
                self.track(t, frame, place, true, true)?;
                self.acquire(t, place);
                let found = self.read(t, frame, place, *ty, choices);
                let mut equal = found.bits == expected.bits;
                if equal && *weak && self.decide(t, frame, ChoiceKind::WeakCas, 2, choices) == 1 {
                    equal = false;
                }
                if equal {
                    self.write(place, desired);
                    self.release(t, place);
                }
                if let Some(dst) = old {
                    frame.locals[dst.0 as usize] = found;
                }
                if let Some(dst) = ok {
                    frame.locals[dst.0 as usize] = Value::bool(equal);
                }
            }
            Op::Fence => {}
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
                let outermost = !thread.regions.contains(&AtomicKind::Verifier);
                if kind == Some(AtomicKind::Verifier) && outermost {
                    self.state.block_clock = self.thread(t).clock.clone();
                    Rc::make_mut(&mut self.thread_mut(t).clock).tick(t);
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
            Terminator::Return(None) => return Flow::Return(None),
            Terminator::Return(Some(v)) => {
                return Flow::Return(Some(self.operand_as_is(t, frame, *v)));
            }
            Terminator::Unreachable => return Flow::Stop(StopReason::Undefined),
        };
        frame.block = target;
        frame.index = 0;
        Flow::Next
    }

    fn uninitialised_branch(&mut self, t: ThreadId, frame: &Frame) -> Flow {
        let message = "this decision depends on a value that was never written".to_string();
        self.violation(t, frame, Property::NoUninit, message)
    }

    /// The value of an operand; an open one is chosen now, once and for all.
    #[inline]
    pub(crate) fn operand(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        o: Operand,
        choices: &mut dyn Choices,
    ) -> Value {
        let v = self.operand_as_is(t, frame, o);
        if !v.open {
            return v;
        }
        let Operand::Local(l) = o else { return v };
        let ty = self.program.function(frame.function).local(l).ty;
        let mut v = self.choose_value(t, frame, ChoiceKind::Uninitialised(ty), ty, choices);
        v.uninit = true;
        frame.locals[l.0 as usize] = v;
        v
    }

    /// The value of an operand, possibly open: for copies, which do not look at it.
    #[inline]
    pub(crate) fn operand_as_is(&mut self, t: ThreadId, frame: &Frame, o: Operand) -> Value {
        let (object, offset) = match o {
            Operand::Local(l) => return frame.locals[l.0 as usize],
            Operand::Const { bits, .. } => return Value::new(bits),
            Operand::Global { id, offset } => match self.program.global(id).thread_local {
                true => (self.thread_local(t, id), offset),
                false => (self.global_object(id), offset),
            },
            Operand::Slot { id, offset } => (frame.slots[id.0 as usize], offset),
            Operand::Function(f) => (self.function_object(f), 0),
        };
        let base = self.state.memory.object(object).base;
        Value::pointer(
            base.wrapping_add(offset as u64) & self.address_mask(),
            object,
        )
    }

    fn choose_value(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        kind: ChoiceKind,
        ty: Ty,
        choices: &mut dyn Choices,
    ) -> Value {
        self.choose_bits(t, frame, kind, ty.bits(self.program.model), choices)
    }

    fn choose_bits(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        kind: ChoiceKind,
        bits: u32,
        choices: &mut dyn Choices,
    ) -> Value {
        let answer = choices.choose(&Choice {
            kind,
            thread: t,
            at: frame.location(),
            options: 0,
            bits,
        });
        Value::new(answer & mask(bits))
    }

    /// Asks for one of `options` possibilities; not asked if there is only one.
    pub(crate) fn decide(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        kind: ChoiceKind,
        options: u32,
        choices: &mut dyn Choices,
    ) -> u32 {
        if options <= 1 {
            return 0;
        }
        let answer = choices.choose(&Choice {
            kind,
            thread: t,
            at: frame.location(),
            options,
            bits: 32,
        });
        (answer % u128::from(options)) as u32
    }

    #[inline]
    fn rvalue(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        value: &'p Rvalue,
        choices: &mut dyn Choices,
    ) -> Exec<Value> {
        let model = self.program.model;
        let result = match value {
            Rvalue::Use(a) => self.operand_as_is(t, frame, *a),
            Rvalue::Binary {
                op,
                ty,
                a,
                b,
                checked,
            } => {
                let a = self.operand(t, frame, *a, choices);
                let b = self.operand(t, frame, *b, choices);
                let checked = *checked && self.config.checks.has(Property::NoOverflow);
                self.binary(t, frame, *op, *ty, a, b, checked, choices)?
            }
            Rvalue::Compare { op, ty, a, b } => {
                let a = self.operand(t, frame, *a, choices);
                let b = self.operand(t, frame, *b, choices);
                let holds = match ty.is_float() {
                    true => arith::float_compare(*op, *ty, a.bits, b.bits),
                    false => arith::int_compare(*op, ty.bits(model), a.bits, b.bits),
                };
                Value {
                    uninit: a.uninit | b.uninit,
                    ..Value::bool(holds)
                }
            }
            Rvalue::Unary {
                op,
                ty,
                a: operand,
                checked,
            } => {
                let a = self.operand(t, frame, *operand, choices);
                let width = ty.bits(model);
                let bits = match op {
                    UnaryOp::Neg if ty.is_float() => arith::float_negate(*ty, a.bits),
                    UnaryOp::Neg => a.bits.wrapping_neg() & mask(width),
                    UnaryOp::Not => !a.bits & mask(width),
                };
                let minimum = a.bits == 1 << (width - 1);
                if *checked && minimum && self.config.checks.has(Property::NoOverflow) {
                    let message =
                        format!("the negation of {} overflows", sign_extend(a.bits, width));
                    return Err(self.violation(t, frame, Property::NoOverflow, message));
                }
                Value { bits, ..a }
            }
            Rvalue::Cast { kind, from, to, a } => {
                let a = self.operand(t, frame, *a, choices);
                let (fb, tb) = (from.bits(model), to.bits(model));
                let bits = arith::cast(*kind, *from, fb, *to, tb, a.bits);
                let mut v = Value { bits, ..a };
                if *kind == CastKind::IntToPtr {
                    v.provenance = self.provenance_of(v);
                }
                v
            }
            Rvalue::PtrAdd {
                base,
                index,
                scale,
                offset,
            } => {
                let base = self.operand(t, frame, *base, choices);
                let index = self.operand(t, frame, *index, choices);
                let index_signed = sign_extend(index.bits, model.pointer_bits()) as i64 as u64;
                let moved = index_signed
                    .wrapping_mul(*scale)
                    .wrapping_add(*offset as u64);
                let bits = base.low().wrapping_add(moved) & self.address_mask();
                Value {
                    bits: u128::from(bits),
                    provenance: base.provenance,
                    uninit: base.uninit | index.uninit,
                    open: false,
                }
            }
            Rvalue::Select { cond, a, b, .. } => {
                let cond = self.operand(t, frame, *cond, choices);
                let chosen = match cond.bits {
                    0 => self.operand_as_is(t, frame, *b),
                    _ => self.operand_as_is(t, frame, *a),
                };
                Value {
                    uninit: chosen.uninit | cond.uninit,
                    ..chosen
                }
            }
            Rvalue::Pure { function, ty, args } => {
                let args: Vec<Value> = args
                    .iter()
                    .map(|a| self.operand(t, frame, *a, choices))
                    .collect();
                let bits: Vec<u128> = args.iter().map(|a| a.bits).collect();
                let r = match function {
                    PureFn::FormatFloat => u128::from(format::float_character(&bits)),
                    f if ty.is_float() => arith::float_pure(*f, *ty, &bits),
                    f => arith::int_pure(*f, ty.bits(model), bits[0]),
                };
                Value {
                    uninit: args.iter().any(|a| a.uninit),
                    ..Value::new(r)
                }
            }
        };
        Ok(result)
    }

    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn binary(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        op: BinaryOp,
        ty: Ty,
        a: Value,
        b: Value,
        checked: bool,
        choices: &mut dyn Choices,
    ) -> Exec<Value> {
        let uninit = a.uninit | b.uninit;
        if ty.is_float() {
            let r = arith::float_binary(op, ty, a.bits, b.bits);
            return Ok(Value {
                uninit,
                ..Value::new(r)
            });
        }
        let width = ty.bits(self.program.model);
        let (bits, trouble) = arith::int_binary(op, width, a.bits, b.bits, checked);
        if trouble != Trouble::None {
            return self.trouble(t, frame, op, ty, a, b, bits, trouble, choices);
        }
        let provenance = match (a.provenance.is_some(), b.provenance.is_some()) {
            (true, false) => a.provenance,
            (false, true) => b.provenance,
            _ => ObjectId::NONE,
        };
        Ok(Value {
            bits,
            provenance,
            uninit,
            open: false,
        })
    }

    #[cold]
    #[allow(clippy::too_many_arguments)]
    fn trouble(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        op: BinaryOp,
        ty: Ty,
        a: Value,
        b: Value,
        bits: u128,
        trouble: Trouble,
        choices: &mut dyn Choices,
    ) -> Exec<Value> {
        let width = ty.bits(self.program.model);
        let (x, y) = (sign_extend(a.bits, width), sign_extend(b.bits, width));
        match trouble {
            Trouble::Overflow => {
                let sign = match op {
                    BinaryOp::Add => "+",
                    BinaryOp::Sub => "-",
                    BinaryOp::Mul => "*",
                    BinaryOp::Shl => "<<",
                    BinaryOp::SRem => "%",
                    _ => "/",
                };
                let message = format!("signed overflow: {x} {sign} {y} does not fit {width} bits");
                Err(self.violation(t, frame, Property::NoOverflow, message))
            }
            Trouble::DivisionByZero => {
                if self.config.checks.has(Property::NoDivZero) {
                    let message = format!("division of {x} by zero");
                    return Err(self.violation(t, frame, Property::NoDivZero, message));
                }
                Err(Flow::Stop(StopReason::DivisionByZero))
            }
            Trouble::BadShift => {
                if self.config.checks.has(Property::NoBadShift) {
                    let message = format!("a {width}-bit value is shifted by {y}");
                    return Err(self.violation(t, frame, Property::NoBadShift, message));
                }
                Ok(self.choose_value(t, frame, ChoiceKind::BadShift(ty), ty, choices))
            }
            Trouble::None => Ok(Value::new(bits)),
        }
    }

    fn combine(&self, op: RmwOp, ty: Ty, old: Value, value: Value) -> Value {
        let binary = match op {
            RmwOp::Exchange => return value,
            RmwOp::Add => BinaryOp::Add,
            RmwOp::Sub => BinaryOp::Sub,
            RmwOp::And | RmwOp::Nand => BinaryOp::And,
            RmwOp::Or => BinaryOp::Or,
            RmwOp::Xor => BinaryOp::Xor,
        };
        let width = ty.bits(self.program.model);
        let bits = match ty.is_float() {
            true => arith::float_binary(binary, ty, old.bits, value.bits),
            false => arith::int_binary(binary, width, old.bits, value.bits, false).0,
        };
        let bits = if op == RmwOp::Nand {
            !bits & mask(width)
        } else {
            bits
        };
        Value {
            bits,
            provenance: old.provenance,
            uninit: old.uninit | value.uninit,
            open: false,
        }
    }

    /// The object an integer cast to a pointer belongs to: the one it came from if it still lies
    /// there, otherwise whatever lives at that address.
    fn provenance_of(&mut self, v: Value) -> ObjectId {
        if v.provenance.is_some() {
            let o = self.state.memory.object(v.provenance);
            if v.low().wrapping_sub(o.base) <= o.size.max(1) {
                return v.provenance;
            }
        }
        if v.low() < 4096 {
            return ObjectId::NONE;
        }
        match self.state.memory.find(v.low()) {
            Some(found) => {
                self.state.lost_provenance = true;
                found
            }
            None => v.provenance,
        }
    }

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
            Err(bad) => Err(self.bad_access(t, frame, address, length, write, bad)),
        }
    }

    #[cold]
    fn bad_access(
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
                if let Some(at) = o.made_at {
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
        if self.state.threads.len() == 1 || !self.config.checks.has(Property::NoDataRace) {
            return Ok(());
        }
        if !self.state.memory.object(place.object).shared {
            return Ok(());
        }
        self.track_shared(t, frame, place, write, atomic)
    }

    fn track_shared(
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
        Err(self.violation_with(t, frame, Property::NoDataRace, message, related))
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
        let clock = shadow.clocks(place.offset)[side].clone();
        Rc::make_mut(&mut self.thread_mut(t).clock).join(&clock);
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
        let there = &mut object.shadow.get_or_insert_default().clocks(place.offset)[side];
        match join {
            true => Rc::make_mut(there).join(&clock),
            false => *there = clock,
        }
        Rc::make_mut(&mut self.thread_mut(t).clock).tick(t);
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
        object.read(place.offset, place.length, self.pointer_bytes)
    }

    /// Writes a scalar. A pointer written where others can see it makes its target shared.
    #[inline]
    pub(crate) fn write(&mut self, place: Place, value: Value) {
        if value.provenance.is_some() && self.state.memory.object(place.object).shared {
            self.publish(value.provenance);
        }
        let pointer_bytes = self.pointer_bytes;
        let object = self.state.memory.object_mut(place.object);
        object.write(place.offset, place.length, value, pointer_bytes);
    }

    #[inline]
    fn load(
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
            let bits = (whole.bits >> shift) & mask(b.width);
            let bits = match b.signed {
                true => sign_extend(bits, b.width) as u128 & mask(ty.bits(self.program.model)),
                false => bits,
            };
            return Ok(Value {
                bits,
                provenance: ObjectId::NONE,
                ..whole
            });
        }
        let place = self.place(t, frame, address, ty.bytes(self.program.model), false)?;
        let atomic = access.ordering.is_atomic();
        self.track(t, frame, place, false, atomic)?;
        if atomic {
            self.acquire(t, place);
        }
        Ok(self.read(t, frame, place, ty, choices))
    }

    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn store(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        ty: Ty,
        address: Value,
        value: Value,
        access: &Access,
        choices: &mut dyn Choices,
    ) -> Exec<()> {
        if let Some(b) = access.bits {
            let place = self.place(t, frame, address, u64::from(b.location), true)?;
            self.track(t, frame, place, true, false)?;
            let (bytes, shift) = bit_field_bytes(place, b.offset, b.width);
            let whole = self.read(t, frame, bytes, Ty::I128, choices);
            let field = mask(b.width) << shift;
            let bits = (whole.bits & !field) | ((value.bits << shift) & field);
            self.write(
                bytes,
                Value {
                    uninit: value.uninit,
                    ..Value::new(bits)
                },
            );
            return Ok(());
        }
        let place = self.place(t, frame, address, ty.bytes(self.program.model), true)?;
        let atomic = access.ordering.is_atomic();
        self.track(t, frame, place, true, atomic)?;
        if value.open {
            // Copying an unread value leaves the copy unread too.
            let object = self.state.memory.object_mut(place.object);
            object.write(
                place.offset,
                place.length,
                Value {
                    open: false,
                    ..value
                },
                self.pointer_bytes,
            );
            object.reopen(place.offset, place.length);
        } else {
            self.write(place, value);
        }
        if atomic {
            self.release(t, place);
        }
        Ok(())
    }

    fn allocate(
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
        let object = self.state.memory.object_mut(id);
        object.made_at = Some(at);
        object.forget();
        Ok(id)
    }

    #[allow(clippy::too_many_arguments)]
    fn alloc(
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
    fn reuse(
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
            o.size >= size && o.size <= size.max(8) * 2 && o.base % align.max(1) == 0
        };
        let candidates: Vec<ObjectId> = memory.freed.iter().filter(fits).copied().collect();
        let options = candidates.len() as u32 + 1;
        let answer = self.decide(t, frame, ChoiceKind::ReuseAddress, options, choices);
        if answer == 0 {
            return;
        }
        let old = candidates[answer as usize - 1];
        let base = self.state.memory.object(old).base;
        Rc::make_mut(&mut self.state.memory.freed).retain(|id| *id != old);
        self.state.memory.object_mut(new).base = base;
    }

    fn end_object(&mut self, t: ThreadId, frame: &Frame, id: ObjectId) {
        let step = self.state.steps;
        let at = self.user_location(t, frame);
        self.state.memory.end(id, t, at, step);
    }

    fn free(&mut self, t: ThreadId, frame: &mut Frame, memory: Memory, address: Value) -> Exec<()> {
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
        self.end_object(t, frame, id);
        frame.blocks.retain(|b| *b != id);
        Ok(())
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
        // Passing an uninitialised value on does not look at it.
        let mut values: Vec<Value> = args
            .iter()
            .map(|a| self.operand_as_is(t, frame, *a))
            .collect();
        if !f.has_body() {
            for v in &values {
                self.publish(v.provenance);
            }
            if let (Some(dst), Some(ty)) = (dst, f.ret) {
                let v = self.choose_value(t, frame, ChoiceKind::External(ty), ty, choices);
                frame.locals[dst.0 as usize] = v;
            }
            return Ok(Flow::Next);
        }
        let wrong_result = match (dst, f.ret) {
            (Some(d), Some(ty)) => self.program.function(frame.function).local(d).ty != ty,
            (Some(_), None) => true,
            _ => false,
        };
        // A call through a pointer may pass more than the function takes; C calls that undefined,
        // old code relies on it. Fewer arguments, or a result of another type, is refused.
        if values.len() < f.params as usize || wrong_result {
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
            at: self.user_location(t, frame),
            related,
            notes: Vec::new(),
        })))
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
