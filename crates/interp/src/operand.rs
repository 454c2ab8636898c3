//! Operands and pure computations, and the questions they raise.

use crate::arith::{self, Trouble};
use crate::choice::{Choice, ChoiceKind, Choices};
use crate::execute::Exec;
use crate::format;
use crate::machine::{Flow, Machine, ThreadId};
use crate::thread::{Frame, StopReason};
use crate::value::{ObjectId, Value, mask, sign_extend};
use raddle_ir::{BinaryOp, CastKind, Operand, Property, PureFn, RmwOp, Rvalue, Ty, UnaryOp};

impl<'p> Machine<'p> {
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

    /// The value of an operand, possibly open.
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

    pub(crate) fn choose_value(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        kind: ChoiceKind,
        ty: Ty,
        choices: &mut dyn Choices,
    ) -> Value {
        self.choose_bits(t, frame, kind, ty.bits(self.program.model), choices)
    }

    pub(crate) fn choose_bits(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        kind: ChoiceKind,
        bits: u32,
        choices: &mut dyn Choices,
    ) -> Value {
        let before = self.thread(t).inputs;
        if self.config.count_inputs && kind.is_input() {
            self.thread_mut(t).inputs += 1;
        }
        let answer = choices.choose(&Choice {
            kind,
            thread: t,
            at: frame.location(),
            occurrence: self.executions(t, frame.location()) + 1,
            options: 0,
            bits,
            before,
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
        match options {
            0 | 1 => 0,
            _ => self.decide_one_of(t, frame, kind, options, choices),
        }
    }

    /// The same, asked and recorded even if there is only one.
    pub(crate) fn decide_one_of(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        kind: ChoiceKind,
        options: u32,
        choices: &mut dyn Choices,
    ) -> u32 {
        let answer = choices.choose(&Choice {
            kind,
            thread: t,
            at: frame.location(),
            occurrence: self.executions(t, frame.location()) + 1,
            options,
            bits: 32,
            before: 0,
        });
        (answer % u128::from(options)) as u32
    }

    #[inline]
    pub(crate) fn rvalue(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        value: &'p Rvalue,
        choices: &mut dyn Choices,
    ) -> Exec<Value> {
        let model = self.program.model;
        let result = match value {
            Rvalue::Use(a) => self.operand(t, frame, *a, choices),
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
                if *ty != Ty::Ptr && (a.provenance.is_some() || b.provenance.is_some()) {
                    self.see_address(frame);
                }
                self.binary(t, frame, *op, *ty, a, b, checked, choices)?
            }
            Rvalue::Compare { op, ty, a, b } => {
                let a = self.operand(t, frame, *a, choices);
                let b = self.operand(t, frame, *b, choices);
                let apart = a.provenance != b.provenance;
                // An address that is read as a number is compared with a number.
                let number = |v: Value| !v.provenance.is_some() && v.bits != 0;
                if apart && (op.orders() || *ty != Ty::Ptr && (number(a) || number(b))) {
                    self.see_address(frame);
                }
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
                if a.provenance.is_some() {
                    self.see_address(frame);
                }
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
                Value {
                    bits,
                    partial: 0,
                    ..a
                }
            }
            Rvalue::Cast { kind, from, to, a } => {
                let a = self.operand(t, frame, *a, choices);
                if *kind != CastKind::IntToPtr && a.provenance.is_some() {
                    self.see_address(frame);
                }
                let (fb, tb) = (from.bits(model), to.bits(model));
                let bits = arith::cast(*kind, *from, fb, *to, tb, a.bits);
                let mut v = Value {
                    bits,
                    partial: 0,
                    ..a
                };
                if a.partial != 0 && fb <= 64 && tb <= 64 {
                    v = v.with_holes(holes_of_cast(*kind, a.partial, fb, tb));
                }
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
                    partial: 0,
                    open: false,
                }
            }
            Rvalue::Select { cond, a, b, .. } => {
                let cond = self.operand(t, frame, *cond, choices);
                let chosen = match cond.bits {
                    0 => self.operand(t, frame, *b, choices),
                    _ => self.operand(t, frame, *a, choices),
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
    pub(crate) fn binary(
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
        let width = ty.bits(self.program.model);
        // Which bits of a number are picked out matters where memory was written bit by bit.
        if uninit
            && !checked
            && width <= 64
            && let Some(holes) = holes_of_binary(op, width, a, b)
        {
            let (bits, _) = arith::int_binary(op, width, a.bits, b.bits, false);
            return Ok(Value::new(bits).with_holes(holes));
        }
        if ty.is_float() {
            let r = arith::float_binary(op, ty, a.bits, b.bits);
            return Ok(Value {
                uninit,
                ..Value::new(r)
            });
        }
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
            partial: 0,
            open: false,
        })
    }

    #[cold]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn trouble(
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
                    let message = match y {
                        0 => format!("division of {x} by zero"),
                        _ => format!("the quotient of {x} and {y} does not fit {width} bits"),
                    };
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

    /// The user's code looks at an address as a number, which could be another one.
    fn see_address(&mut self, frame: &Frame) {
        if !self.program.function(frame.function).library {
            self.state.seen_address = true;
        }
    }

    pub(crate) fn combine(&self, op: RmwOp, ty: Ty, old: Value, value: Value) -> Value {
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
            partial: 0,
            open: false,
        }
    }

    /// The object an integer cast to a pointer belongs to: the one it came from if it still lies
    /// there, otherwise whatever lives at that address.
    pub(crate) fn provenance_of(&mut self, v: Value) -> ObjectId {
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
}

/// Which bits of a result were never written, where they are told one by one: bits that are picked out, moved or put together.
fn holes_of_binary(op: BinaryOp, width: u32, a: Value, b: Value) -> Option<u64> {
    let known = |v: Value| !v.uninit || v.partial != 0;
    let addresses = a.provenance.is_some() || b.provenance.is_some();
    if addresses || !known(a) || !known(b) {
        return None;
    }
    let all = mask(width) as u64;
    match op {
        // Where one of them is known to be 0 (or 1), the other makes no difference.
        BinaryOp::And => {
            let (sure_a, sure_b) = (!a.low() & !a.partial, !b.low() & !b.partial);
            Some((a.partial | b.partial) & !sure_a & !sure_b & all)
        }
        BinaryOp::Or => {
            let (sure_a, sure_b) = (a.low() & !a.partial, b.low() & !b.partial);
            Some((a.partial | b.partial) & !sure_a & !sure_b & all)
        }
        BinaryOp::Xor => Some((a.partial | b.partial) & all),
        _ if b.uninit || b.bits >= u128::from(width) => None,
        BinaryOp::Shl => Some(a.partial << b.low() & all),
        BinaryOp::LShr => Some((a.partial & all) >> b.low()),
        BinaryOp::AShr => {
            let moved = sign_extend(u128::from(a.partial & all), width) >> b.low();
            Some(moved as u64 & all)
        }
        _ => None,
    }
}

/// The same of a conversion between integers.
fn holes_of_cast(kind: CastKind, holes: u64, from: u32, to: u32) -> u64 {
    let (from, to) = (mask(from) as u64, mask(to) as u64);
    match kind {
        CastKind::Trunc | CastKind::ZExt => holes & from & to,
        CastKind::SExt => {
            let top = from & !(from >> 1);
            match holes & top {
                0 => holes & from,
                _ => (holes & from | !from) & to,
            }
        }
        _ => u64::MAX,
    }
}
