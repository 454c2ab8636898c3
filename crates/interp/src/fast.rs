//! A short cut for the instructions that make up most of a run.
//!
//! Each function is translated once into compact operations, one per instruction and at the same index:
//! integer arithmetic of at most 64 bits, comparisons, conversions, address computations, plain loads and stores of
//! memory nobody else can see. [`Machine::fast`] executes one of them, or declines, and then the instruction goes the
//! ordinary way ([`Machine::execute`]). It declines whenever anything is unusual: an uninitialised operand, a
//! provenance to be merged, an overflow, an access that needs a check. So this file decides nothing; it only saves
//! time.

use crate::machine::{Machine, ThreadId};
use crate::memory::{Life, ObjectKind};
use crate::thread::Frame;
use crate::value::{ObjectId, Value};
use raddle_ir::{
    Access, BinaryOp, CastKind, CompareOp, FuncId, Op, Operand, Program, Property, Rvalue,
    Terminator, Ty,
};

/// An operand: the index of a local, or the complement of the index of a constant.
type Source = i32;

/// What a two-operand operation works on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Two {
    bits: u8,
    dst: u32,
    a: Source,
    b: Source,
}

/// Where an access goes: an address, or a slot and an offset.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Address(Source),
    Slot(u32, u32),
}

/// A compact operation. Every arithmetic operation is a variant of its own, so that one jump decides all.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fast {
    /// Go the ordinary way.
    Ordinary,
    Add(Two),
    Sub(Two),
    Mul(Two),
    And(Two),
    Or(Two),
    Xor(Two),
    Shl(Two),
    LShr(Two),
    AShr(Two),
    UDiv(Two),
    URem(Two),
    SDiv(Two),
    SRem(Two),
    AddChecked(Two),
    SubChecked(Two),
    MulChecked(Two),
    Eq(Two),
    Ne(Two),
    SLt(Two),
    SLe(Two),
    ULt(Two),
    ULe(Two),
    Use {
        dst: u32,
        a: Source,
    },
    Trunc {
        bits: u8,
        dst: u32,
        a: Source,
    },
    SignExtend {
        from: u8,
        to: u8,
        dst: u32,
        a: Source,
    },
    PtrAdd {
        dst: u32,
        base: Source,
        index: Source,
        scale: u32,
        offset: i32,
    },
    SlotAdd {
        dst: u32,
        slot: u32,
        index: Source,
        scale: u32,
        offset: i32,
    },
    Load {
        bytes: u8,
        dst: u32,
        from: Target,
    },
    Store {
        bytes: u8,
        value: Source,
        to: Target,
    },
    /// Go on at an operation.
    Goto(u32),
    /// Decide by a local.
    Branch {
        cond: u32,
        then: u32,
        otherwise: u32,
    },
}

/// A translated function: all blocks in a row, each terminator an operation of its own.
#[derive(Debug, Default)]
pub(crate) struct Code {
    operations: Vec<Fast>,
    /// Where each block begins.
    starts: Vec<u32>,
    /// Which block and instruction an operation stands for.
    origins: Vec<(u32, u32)>,
    constants: Vec<Value>,
}

/// The low `bits` bits of a 64-bit word.
#[inline(always)]
fn low(value: u64, bits: u8) -> u64 {
    value & (u64::MAX >> (64 - bits))
}

#[inline(always)]
fn signed(value: u64, bits: u8) -> i64 {
    let unused = 64 - bits;
    ((value << unused) as i64) >> unused
}

/// An initialised number without provenance.
#[inline(always)]
fn is_plain(v: &Value) -> bool {
    (v.provenance.0 | u32::from(v.uninit)) == 0
}

/// Gives the address of a static operand, if it is one.
type Address<'a> = &'a dyn Fn(Operand) -> Option<Value>;

impl Code {
    /// Translates a function.
    pub(crate) fn new(program: &Program, function: FuncId, address: Address<'_>) -> Code {
        let mut code = Code::default();
        let blocks = &program.function(function).blocks;
        let mut next = 0;
        for block in blocks {
            code.starts.push(next);
            next += block.instrs.len() as u32 + 1;
        }
        for (b, block) in blocks.iter().enumerate() {
            for (i, instr) in block.instrs.iter().enumerate() {
                let fast = code.translate(program, &instr.op, address);
                code.operations.push(fast.unwrap_or(Fast::Ordinary));
                code.origins.push((b as u32, i as u32));
            }
            let start = |b: raddle_ir::BlockId| code.starts[b.0 as usize];
            let end = match block.terminator {
                Terminator::Goto(b) => Fast::Goto(start(b)),
                Terminator::Branch {
                    cond: Operand::Local(l),
                    then,
                    otherwise,
                } => Fast::Branch {
                    cond: l.0,
                    then: start(then),
                    otherwise: start(otherwise),
                },
                _ => Fast::Ordinary,
            };
            code.operations.push(end);
            code.origins.push((b as u32, block.instrs.len() as u32));
        }
        code
    }

    fn source(&mut self, o: Operand, address: Address<'_>) -> Option<Source> {
        let value = match o {
            Operand::Local(l) => return i32::try_from(l.0).ok(),
            Operand::Const { bits, .. } => Value::new(bits),
            o => address(o)?,
        };
        self.constants.push(value);
        i32::try_from(self.constants.len() - 1).ok().map(|i| !i)
    }

    fn target(&mut self, o: Operand, address: Address<'_>) -> Option<Target> {
        match o {
            Operand::Slot { id, offset } => Some(Target::Slot(id.0, u32::try_from(offset).ok()?)),
            o => self.source(o, address).map(Target::Address),
        }
    }

    fn translate(&mut self, program: &Program, op: &Op, address: Address<'_>) -> Option<Fast> {
        let model = program.model;
        let narrow = |ty: Ty| {
            let bits = ty.bits(model);
            (!ty.is_float() && bits <= 64).then_some(bits as u8)
        };
        Some(match op {
            Op::Let { dst, value } => {
                let dst = dst.0;
                match value {
                    Rvalue::Use(a) => Fast::Use {
                        dst,
                        a: self.source(*a, address)?,
                    },
                    Rvalue::Binary {
                        op,
                        ty,
                        a,
                        b,
                        checked,
                    } => {
                        let two = Two {
                            bits: narrow(*ty)?,
                            dst,
                            a: self.source(*a, address)?,
                            b: self.source(*b, address)?,
                        };
                        binary(*op, *checked)?(two)
                    }
                    Rvalue::Compare { op, ty, .. } if *ty == Ty::Ptr && op.orders() => return None,
                    Rvalue::Compare { op, ty, a, b } => {
                        let (make, swap) = compare(*op);
                        let (a, b) = if swap { (b, a) } else { (a, b) };
                        make(Two {
                            bits: narrow(*ty)?,
                            dst,
                            a: self.source(*a, address)?,
                            b: self.source(*b, address)?,
                        })
                    }
                    Rvalue::Cast { kind, from, to, a } => {
                        let (from, to) = (narrow(*from)?, narrow(*to)?);
                        let a = self.source(*a, address)?;
                        match kind {
                            CastKind::Trunc => Fast::Trunc { bits: to, dst, a },
                            CastKind::ZExt => Fast::Trunc { bits: 64, dst, a },
                            CastKind::SExt => Fast::SignExtend { from, to, dst, a },
                            _ => return None,
                        }
                    }
                    Rvalue::PtrAdd {
                        base,
                        index,
                        scale,
                        offset,
                    } => {
                        let index = self.source(*index, address)?;
                        let scale = u32::try_from(*scale).ok()?;
                        match base {
                            Operand::Slot { id, offset: more } => Fast::SlotAdd {
                                dst,
                                slot: id.0,
                                index,
                                scale,
                                offset: i32::try_from(offset.checked_add(*more)?).ok()?,
                            },
                            base => Fast::PtrAdd {
                                dst,
                                base: self.source(*base, address)?,
                                index,
                                scale,
                                offset: i32::try_from(*offset).ok()?,
                            },
                        }
                    }
                    _ => return None,
                }
            }
            Op::Load {
                dst,
                ty,
                addr,
                access,
            } if is_ordinary(access) => Fast::Load {
                bytes: narrow(*ty)? / 8,
                dst: dst.0,
                from: self.target(*addr, address)?,
            },
            Op::Store {
                ty,
                addr,
                value,
                access,
            } if is_ordinary(access) => Fast::Store {
                bytes: narrow(*ty)? / 8,
                value: self.source(*value, address)?,
                to: self.target(*addr, address)?,
            },
            _ => return None,
        })
    }

    #[inline(always)]
    fn fetch<'a>(&'a self, frame: &'a Frame, source: Source) -> &'a Value {
        match source >= 0 {
            true => &frame.locals[source as usize],
            false => &self.constants[!source as usize],
        }
    }
}

/// The compact form of an operation.
fn binary(op: BinaryOp, checked: bool) -> Option<fn(Two) -> Fast> {
    Some(match (op, checked) {
        (BinaryOp::Add, false) => Fast::Add,
        (BinaryOp::Sub, false) => Fast::Sub,
        (BinaryOp::Mul, false) => Fast::Mul,
        (BinaryOp::Add, true) => Fast::AddChecked,
        (BinaryOp::Sub, true) => Fast::SubChecked,
        (BinaryOp::Mul, true) => Fast::MulChecked,
        (BinaryOp::And, _) => Fast::And,
        (BinaryOp::Or, _) => Fast::Or,
        (BinaryOp::Xor, _) => Fast::Xor,
        (BinaryOp::Shl, false) => Fast::Shl,
        (BinaryOp::LShr, _) => Fast::LShr,
        (BinaryOp::AShr, _) => Fast::AShr,
        (BinaryOp::UDiv, _) => Fast::UDiv,
        (BinaryOp::URem, _) => Fast::URem,
        // Overflow of a division needs both operands at an edge, which the operation itself looks for.
        (BinaryOp::SDiv, _) => Fast::SDiv,
        (BinaryOp::SRem, _) => Fast::SRem,
        _ => return None,
    })
}

/// The compact form of a relation, and whether its operands change places.
fn compare(op: CompareOp) -> (fn(Two) -> Fast, bool) {
    match op {
        CompareOp::Eq => (Fast::Eq, false),
        CompareOp::Ne => (Fast::Ne, false),
        CompareOp::SLt => (Fast::SLt, false),
        CompareOp::SLe => (Fast::SLe, false),
        CompareOp::SGt => (Fast::SLt, true),
        CompareOp::SGe => (Fast::SLe, true),
        CompareOp::ULt => (Fast::ULt, false),
        CompareOp::ULe => (Fast::ULe, false),
        CompareOp::UGt => (Fast::ULt, true),
        CompareOp::UGe => (Fast::ULe, true),
    }
}

#[inline(always)]
fn arithmetic(
    code: &Code,
    frame: &mut Frame,
    two: Two,
    f: impl FnOnce(u64, u64, u8) -> Option<u64>,
) -> bool {
    let (a, b) = (code.fetch(frame, two.a), code.fetch(frame, two.b));
    if !(is_plain(a) & is_plain(b)) {
        return false;
    }
    let Some(r) = f(a.low(), b.low(), two.bits) else {
        return false;
    };
    frame.locals[two.dst as usize] = Value::new(u128::from(low(r, two.bits)));
    true
}

/// Comparisons may meet pointers: that is unusual if they are to different objects, or one to none and not null.
#[inline(always)]
fn relation(
    code: &Code,
    frame: &mut Frame,
    two: Two,
    f: impl FnOnce(u64, u64, u8) -> bool,
) -> bool {
    let (a, b) = (code.fetch(frame, two.a), code.fetch(frame, two.b));
    let apart = (a.provenance != b.provenance) & (a.low() != 0) & (b.low() != 0);
    if a.uninit | b.uninit | apart {
        return false;
    }
    let r = f(a.low(), b.low(), two.bits);
    frame.locals[two.dst as usize] = Value::bool(r);
    true
}

/// The sum, difference or product, if it fits the width.
#[inline(always)]
fn checked(r: Option<i64>, bits: u8) -> Option<u64> {
    let r = r?;
    (signed(r as u64, bits) == r).then_some(r as u64)
}

impl Machine<'_> {
    /// Executes operations as long as nothing about them is unusual; the frame then stands before one that
    /// has to go the ordinary way. At most `budget` jumps, which it counts down.
    #[inline(always)]
    pub(crate) fn fast(&mut self, t: ThreadId, code: &Code, frame: &mut Frame, budget: &mut u64) {
        let mut at = (code.starts[frame.block.0 as usize] + frame.index) as usize;
        loop {
            match code.operations[at] {
                Fast::Goto(target) if *budget > 0 => {
                    *budget -= 1;
                    at = target as usize;
                }
                Fast::Branch {
                    cond,
                    then,
                    otherwise,
                } if *budget > 0 => {
                    let value = &frame.locals[cond as usize];
                    if value.uninit {
                        break;
                    }
                    *budget -= 1;
                    at = if value.low() != 0 { then } else { otherwise } as usize;
                }
                ref operation => match self.fast_one(t, code, frame, operation) {
                    true => at += 1,
                    false => break,
                },
            }
        }
        let (block, index) = code.origins[at];
        frame.block = raddle_ir::BlockId(block);
        frame.index = index;
    }

    /// Executes an operation if nothing about it is unusual; says whether it did.
    #[inline(always)]
    fn fast_one(&mut self, t: ThreadId, code: &Code, frame: &mut Frame, fast: &Fast) -> bool {
        match *fast {
            Fast::Ordinary | Fast::Goto(_) | Fast::Branch { .. } => false,
            Fast::Add(two) => arithmetic(code, frame, two, |x, y, _| Some(x.wrapping_add(y))),
            Fast::Sub(two) => arithmetic(code, frame, two, |x, y, _| Some(x.wrapping_sub(y))),
            Fast::Mul(two) => arithmetic(code, frame, two, |x, y, _| Some(x.wrapping_mul(y))),
            Fast::And(two) => arithmetic(code, frame, two, |x, y, _| Some(x & y)),
            Fast::Or(two) => arithmetic(code, frame, two, |x, y, _| Some(x | y)),
            Fast::Xor(two) => arithmetic(code, frame, two, |x, y, _| Some(x ^ y)),
            Fast::Shl(two) => arithmetic(code, frame, two, |x, y, bits| {
                (y < u64::from(bits)).then(|| x << y)
            }),
            Fast::LShr(two) => arithmetic(code, frame, two, |x, y, bits| {
                (y < u64::from(bits)).then(|| x >> y)
            }),
            Fast::AShr(two) => arithmetic(code, frame, two, |x, y, bits| {
                (y < u64::from(bits)).then(|| (signed(x, bits) >> y) as u64)
            }),
            Fast::UDiv(two) => arithmetic(code, frame, two, |x, y, _| x.checked_div(y)),
            Fast::URem(two) => arithmetic(code, frame, two, |x, y, _| x.checked_rem(y)),
            Fast::SDiv(two) => arithmetic(code, frame, two, |x, y, bits| {
                checked(signed(x, bits).checked_div(signed(y, bits)), bits)
            }),
            Fast::SRem(two) => arithmetic(code, frame, two, |x, y, bits| {
                let (x, y) = (signed(x, bits), signed(y, bits));
                checked(x.checked_div(y), bits).and(x.checked_rem(y).map(|r| r as u64))
            }),
            Fast::AddChecked(two) => arithmetic(code, frame, two, |x, y, bits| {
                checked(signed(x, bits).checked_add(signed(y, bits)), bits)
            }),
            Fast::SubChecked(two) => arithmetic(code, frame, two, |x, y, bits| {
                checked(signed(x, bits).checked_sub(signed(y, bits)), bits)
            }),
            Fast::MulChecked(two) => arithmetic(code, frame, two, |x, y, bits| {
                checked(signed(x, bits).checked_mul(signed(y, bits)), bits)
            }),
            Fast::Eq(two) => relation(code, frame, two, |x, y, _| x == y),
            Fast::Ne(two) => relation(code, frame, two, |x, y, _| x != y),
            Fast::SLt(two) => relation(code, frame, two, |x, y, b| signed(x, b) < signed(y, b)),
            Fast::SLe(two) => relation(code, frame, two, |x, y, b| signed(x, b) <= signed(y, b)),
            Fast::ULt(two) => relation(code, frame, two, |x, y, _| x < y),
            Fast::ULe(two) => relation(code, frame, two, |x, y, _| x <= y),
            Fast::Use { dst, a } => {
                let value = *code.fetch(frame, a);
                frame.locals[dst as usize] = value;
                !value.open
            }
            Fast::Trunc { bits, dst, a } => {
                let a = code.fetch(frame, a);
                let plain = is_plain(a);
                if plain {
                    frame.locals[dst as usize] = Value::new(u128::from(low(a.low(), bits)));
                }
                plain
            }
            Fast::SignExtend { from, to, dst, a } => {
                let a = code.fetch(frame, a);
                let plain = is_plain(a);
                if plain {
                    let r = low(signed(a.low(), from) as u64, to);
                    frame.locals[dst as usize] = Value::new(u128::from(r));
                }
                plain
            }
            Fast::PtrAdd {
                dst,
                base,
                index,
                scale,
                offset,
            } => {
                let base = code.fetch(frame, base);
                let (address, object) = (base.low(), base.provenance);
                !base.uninit
                    && self.move_pointer(code, frame, dst, address, object, index, scale, offset)
            }
            Fast::SlotAdd {
                dst,
                slot,
                index,
                scale,
                offset,
            } => {
                let object = frame.slots[slot as usize];
                let address = self.state.memory.object(object).base;
                self.move_pointer(code, frame, dst, address, object, index, scale, offset)
            }
            Fast::Load { bytes, dst, from } => {
                let Some((object, at)) = self.private_place(t, code, frame, from, bytes, false)
                else {
                    return false;
                };
                let object = self.state.memory.object(object);
                if !object.pointers.is_empty() {
                    return false;
                }
                let word = read_word(&object.bytes, at, bytes);
                frame.locals[dst as usize] = Value::new(u128::from(word));
                true
            }
            Fast::Store { bytes, value, to } => {
                let value = code.fetch(frame, value);
                if !is_plain(value) {
                    return false;
                }
                let word = value.low().to_le_bytes();
                let Some((object, at)) = self.private_place(t, code, frame, to, bytes, true) else {
                    return false;
                };
                let object = self.state.memory.object_mut(object);
                if !object.pointers.is_empty() {
                    return false;
                }
                let n = bytes as usize;
                match n {
                    1 => object.bytes[at] = word[0],
                    4 => object.bytes[at..at + 4].copy_from_slice(&word[..4]),
                    8 => object.bytes[at..at + 8].copy_from_slice(&word),
                    _ => object.bytes[at..at + n].copy_from_slice(&word[..n]),
                }
                true
            }
        }
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn move_pointer(
        &self,
        code: &Code,
        frame: &mut Frame,
        dst: u32,
        address: u64,
        object: ObjectId,
        index: Source,
        scale: u32,
        offset: i32,
    ) -> bool {
        let index = code.fetch(frame, index);
        if index.uninit {
            return false;
        }
        let index = signed(index.low(), 8 * self.pointer_bytes as u8) as u64;
        let moved = index
            .wrapping_mul(u64::from(scale))
            .wrapping_add(i64::from(offset) as u64);
        let address = address.wrapping_add(moved) & self.address_mask();
        frame.locals[dst as usize] = Value::pointer(address, object);
        true
    }

    /// The object and offset of an access that nobody else can notice and that passes every check.
    #[inline(always)]
    fn private_place(
        &self,
        t: ThreadId,
        code: &Code,
        frame: &Frame,
        target: Target,
        bytes: u8,
        write: bool,
    ) -> Option<(ObjectId, usize)> {
        let (id, address) = match target {
            Target::Slot(slot, offset) => (frame.slots[slot as usize], Err(offset)),
            Target::Address(a) => {
                let a = code.fetch(frame, a);
                if a.uninit || a.provenance == ObjectId::NONE {
                    return None;
                }
                (a.provenance, Ok(a.low()))
            }
        };
        let object = self.state.memory.object(id);
        let private = match object.shared {
            true => {
                let alone = self.state.threads.len() == 1;
                alone
                    || (self.state.live == 1
                        && !self.config.checks.has(Property::NoDataRace)
                        && (!self.config.footprints || self.is_alone(t)))
            }
            false => object.owner == t,
        };
        let offset = match address {
            Ok(address) => address.wrapping_sub(object.base),
            Err(offset) => u64::from(offset),
        };
        let inside = offset <= object.size && u64::from(bytes) <= object.size - offset;
        let ordinary = object.life == Life::Live
            && object.kind != ObjectKind::Function
            && object.states.is_none()
            && !(write && object.constant);
        (private && inside && ordinary && !self.logging).then_some((id, offset as usize))
    }
}

/// Where everything was written, it makes no difference which bits an access concerns.
fn is_ordinary(access: &Access) -> bool {
    Access {
        keeps: 0,
        ..*access
    } == Access::PLAIN
}

#[inline(always)]
fn read_word(bytes: &[u8], at: usize, n: u8) -> u64 {
    match bytes[at..at + n as usize] {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}
