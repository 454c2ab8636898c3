//! Pure computations over terms: every [`Rvalue`], with its undefined cases as conditions.

use crate::value::{Targets, Value, sort_of};
use raddle_ir::{
    BinaryOp, CastKind, CompareOp, DataModel, Operand, Property, PureFn, RmwOp, Rvalue, Ty, UnaryOp,
};
use raddle_solver::term::{Op, Sort, TermId, TermPool};
use std::fmt;

/// An undefined case of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The property it violates.
    pub property: Property,
    /// When it happens.
    pub violated: TermId,
    /// The thread cannot go on then, even if the property is not asked for.
    pub stops: bool,
}

/// A result and its undefined cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The result.
    pub value: Value,
    /// What can go wrong.
    pub checks: Vec<Check>,
}

/// What the symbolic semantics does not treat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where operands come from, and fresh values.
pub trait Operands {
    /// The value of an operand.
    fn operand(&mut self, pool: &mut TermPool, operand: Operand) -> Value;
    /// An arbitrary value.
    fn arbitrary(&mut self, pool: &mut TermPool, ty: Ty) -> TermId;
}

/// The value of a pure computation.
pub fn rvalue(
    pool: &mut TermPool,
    model: DataModel,
    rvalue: &Rvalue,
    operands: &mut dyn Operands,
) -> Result<Computed, Unsupported> {
    let plain = |value: Value| {
        Ok(Computed {
            value,
            checks: Vec::new(),
        })
    };
    match rvalue {
        Rvalue::Use(a) => plain(operands.operand(pool, *a)),
        Rvalue::Unary { op, ty, a, checked } => {
            let a = typed(pool, model, operands, *a, *ty);
            unary(pool, model, *op, *ty, a, *checked)
        }
        Rvalue::Binary {
            op,
            ty,
            a,
            b,
            checked,
        } => {
            let a = typed(pool, model, operands, *a, *ty);
            let b = typed(pool, model, operands, *b, *ty);
            binary(pool, *op, *ty, a, b, *checked, operands)
        }
        Rvalue::Compare { op, ty, a, b } => {
            let a = typed(pool, model, operands, *a, *ty);
            let b = typed(pool, model, operands, *b, *ty);
            plain(Value::number(compare(pool, *op, *ty, a.bits, b.bits)?))
        }
        Rvalue::Cast { kind, from, to, a } => {
            let a = typed(pool, model, operands, *a, *from);
            plain(cast(pool, model, *kind, *from, *to, a)?)
        }
        Rvalue::PtrAdd {
            base,
            index,
            scale,
            offset,
        } => {
            let base = operands.operand(pool, *base);
            let index = operands.operand(pool, *index);
            let width = model.pointer_bits();
            let scale = pool.bits(width, u128::from(*scale));
            let offset = pool.bits(width, *offset as i128 as u128 & low_mask(width));
            let scaled = pool.bv_mul(index.bits, scale);
            let moved = pool.bv_add(scaled, offset);
            plain(Value {
                bits: pool.bv_add(base.bits, moved),
                targets: base.targets,
            })
        }
        Rvalue::Select { ty, cond, a, b } => {
            let cond = operands.operand(pool, *cond);
            let a = typed(pool, model, operands, *a, *ty);
            let b = typed(pool, model, operands, *b, *ty);
            plain(a.choose(pool, cond.bits, &b))
        }
        Rvalue::Pure { function, ty, args } => {
            let a = operands.operand(pool, args[0]);
            plain(Value::number(pure(pool, *function, *ty, a.bits)?))
        }
    }
}

/// The value of an operand of a known type. Behind a call through a pointer of another type a parameter can be a constant of another width.
fn typed(
    pool: &mut TermPool,
    model: DataModel,
    operands: &mut dyn Operands,
    operand: Operand,
    ty: Ty,
) -> Value {
    let value = operands.operand(pool, operand);
    let bits = fit(pool, value.bits, sort_of(ty, model));
    Value { bits, ..value }
}

/// Bits taken for a value of another sort, as a register would be: truncated, or extended with zeros.
pub fn fit(pool: &mut TermPool, bits: TermId, wanted: Sort) -> TermId {
    if pool.sort(bits) == wanted {
        return bits;
    }
    let bits = match pool.sort(bits) {
        Sort::Bool => pool.bool_to_bit(bits),
        _ => bits,
    };
    match (pool.sort(bits), wanted) {
        (Sort::BitVec(_), Sort::Bool) => {
            let (bit, one) = (pool.extract(0, 0, bits), pool.bits(1, 1));
            pool.eq(bit, one)
        }
        (Sort::BitVec(has), Sort::BitVec(wants)) if has < wants => pool.zero_extend_to(wants, bits),
        (Sort::BitVec(has), Sort::BitVec(wants)) if has > wants => pool.extract(wants - 1, 0, bits),
        _ => bits,
    }
}

fn low_mask(width: u32) -> u128 {
    match width {
        128 => u128::MAX,
        n => (1 << n) - 1,
    }
}

fn no_floats<T>() -> Result<T, Unsupported> {
    Err(Unsupported(
        "floating-point arithmetic is not treated symbolically".into(),
    ))
}

fn unary(
    pool: &mut TermPool,
    model: DataModel,
    op: UnaryOp,
    ty: Ty,
    a: Value,
    checked: bool,
) -> Result<Computed, Unsupported> {
    let mut checks = Vec::new();
    let bits = match (op, ty) {
        (UnaryOp::Not, Ty::I1) => pool.not(a.bits),
        (UnaryOp::Not, _) => pool.bv_not(a.bits),
        (UnaryOp::Neg, Ty::I1) => a.bits,
        // A change of sign is a change of one bit, so it needs no arithmetic.
        (UnaryOp::Neg, ty) if ty.is_float() => {
            let width = ty.bits(model);
            let sign = pool.bits(width, 1 << (width - 1));
            pool.bv_xor(a.bits, sign)
        }
        (UnaryOp::Neg, ty) => {
            if checked {
                let width = ty.bits(model);
                let minimum = pool.bits(width, 1 << (width - 1));
                checks.push(Check {
                    property: Property::NoOverflow,
                    violated: pool.eq(a.bits, minimum),
                    stops: false,
                });
            }
            pool.bv_neg(a.bits)
        }
    };
    Ok(Computed {
        value: Value {
            bits,
            targets: a.targets,
        },
        checks,
    })
}

fn binary(
    pool: &mut TermPool,
    op: BinaryOp,
    ty: Ty,
    a: Value,
    b: Value,
    checked: bool,
    operands: &mut dyn Operands,
) -> Result<Computed, Unsupported> {
    if ty.is_float() {
        return no_floats();
    }
    let targets = targets_of(op, &a, &b);
    let (x, y) = (a.bits, b.bits);
    if ty == Ty::I1 {
        let bits = match op {
            BinaryOp::And | BinaryOp::Mul => pool.and(x, y),
            BinaryOp::Or => pool.or(x, y),
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => pool.xor(x, y),
            _ => return Err(Unsupported("division or shift of a truth value".into())),
        };
        return Ok(Computed {
            value: Value::number(bits),
            checks: Vec::new(),
        });
    }
    let width = pool.width(x);
    let mut checks = Vec::new();
    let division = matches!(
        op,
        BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem
    );
    let shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
    let mut bits = pool.apply_op(operator(op), &[x, y]);
    if shift {
        let limit = pool.bits(width, u128::from(width));
        let good = pool.bv_ult(y, limit);
        let violated = pool.not(good);
        let any = match pool.term(violated) {
            raddle_solver::term::Term::Bool(false) => bits,
            _ => operands.arbitrary(pool, ty),
        };
        bits = pool.ite(good, bits, any);
        checks.push(Check {
            property: Property::NoBadShift,
            violated,
            stops: false,
        });
    }
    if checked && let Some(violated) = overflow(pool, op, width, x, y)? {
        checks.push(Check {
            property: Property::NoOverflow,
            violated,
            stops: false,
        });
    }
    // Behind the check for overflow, which the interpreter reports first.
    if division {
        let zero = pool.bits(width, 0);
        let mut violated = pool.eq(y, zero);
        if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
            let outside = quotient_does_not_fit(pool, width, x, y);
            violated = pool.or(violated, outside);
        }
        checks.push(Check {
            property: Property::NoDivZero,
            violated,
            stops: true,
        });
    }
    let known = pool.bool(false);
    checks.retain(|c| c.violated != known);
    Ok(Computed {
        value: Value { bits, targets },
        checks,
    })
}

/// Which object a computed integer still belongs to: that of its one operand that has one.
fn targets_of(op: BinaryOp, a: &Value, b: &Value) -> Targets {
    match (a.targets.is_none(), b.targets.is_none()) {
        (true, true) => Targets::none(),
        (false, true) => a.targets.clone(),
        (true, false) => b.targets.clone(),
        // The difference of two addresses is a number; other mixtures belong to either.
        (false, false) if op == BinaryOp::Sub => Targets::none(),
        (false, false) => a.targets.union(&b.targets),
    }
}

fn operator(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Add => Op::BvAdd,
        BinaryOp::Sub => Op::BvSub,
        BinaryOp::Mul => Op::BvMul,
        BinaryOp::SDiv | BinaryOp::FDiv => Op::BvSdiv,
        BinaryOp::UDiv => Op::BvUdiv,
        BinaryOp::SRem => Op::BvSrem,
        BinaryOp::URem => Op::BvUrem,
        BinaryOp::And => Op::BvAnd,
        BinaryOp::Or => Op::BvOr,
        BinaryOp::Xor => Op::BvXor,
        BinaryOp::Shl => Op::BvShl,
        BinaryOp::LShr => Op::BvLshr,
        BinaryOp::AShr => Op::BvAshr,
    }
}

/// The smallest number divided by -1.
fn quotient_does_not_fit(pool: &mut TermPool, width: u32, x: TermId, y: TermId) -> TermId {
    let minimum = pool.bits(width, 1 << (width - 1));
    let minus_one = pool.bits(width, low_mask(width));
    let (a, b) = (pool.eq(x, minimum), pool.eq(y, minus_one));
    pool.and(a, b)
}

fn overflow(
    pool: &mut TermPool,
    op: BinaryOp,
    width: u32,
    x: TermId,
    y: TermId,
) -> Result<Option<TermId>, Unsupported> {
    Ok(Some(match op {
        BinaryOp::Add | BinaryOp::Sub if width < 128 => pool.signed_overflow(operator(op), x, y),
        BinaryOp::Mul if width <= 64 => pool.signed_overflow(Op::BvMul, x, y),
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
            return Err(Unsupported("overflow of 128-bit arithmetic".into()));
        }
        BinaryOp::SDiv | BinaryOp::SRem => quotient_does_not_fit(pool, width, x, y),
        BinaryOp::Shl => {
            // Negative, or some bit (the sign's included) is lost: shifting back does not restore it.
            let zero = pool.bits(width, 0);
            let negative = pool.bv_slt(x, zero);
            let shifted = pool.bv_shl(x, y);
            let back = pool.bv_ashr(shifted, y);
            let lost = pool.ne(back, x);
            let limit = pool.bits(width, u128::from(width));
            let in_range = pool.bv_ult(y, limit);
            // An amount out of range is a bad shift and nothing else.
            let wrong = pool.or(negative, lost);
            pool.and(in_range, wrong)
        }
        _ => return Ok(None),
    }))
}

fn compare(
    pool: &mut TermPool,
    op: CompareOp,
    ty: Ty,
    a: TermId,
    b: TermId,
) -> Result<TermId, Unsupported> {
    if ty.is_float() {
        return no_floats();
    }
    if ty == Ty::I1 {
        return match op {
            CompareOp::Eq => Ok(pool.eq(a, b)),
            CompareOp::Ne => Ok(pool.ne(a, b)),
            _ => Err(Unsupported("an order of truth values".into())),
        };
    }
    Ok(match op {
        CompareOp::Eq => pool.eq_of_sums(a, b),
        CompareOp::Ne => {
            let equal = pool.eq_of_sums(a, b);
            pool.not(equal)
        }
        CompareOp::SLt => pool.bv_slt(a, b),
        CompareOp::SLe => pool.bv_sle(a, b),
        CompareOp::SGt => pool.bv_slt(b, a),
        CompareOp::SGe => pool.bv_sle(b, a),
        CompareOp::ULt => pool.bv_ult(a, b),
        CompareOp::ULe => pool.bv_ule(a, b),
        CompareOp::UGt => pool.bv_ult(b, a),
        CompareOp::UGe => pool.bv_ule(b, a),
    })
}

fn cast(
    pool: &mut TermPool,
    model: DataModel,
    kind: CastKind,
    from: Ty,
    to: Ty,
    a: Value,
) -> Result<Value, Unsupported> {
    let width = to.bits(model);
    let bits = match kind {
        CastKind::Trunc if to == Ty::I1 => {
            let low = pool.extract(0, 0, a.bits);
            let one = pool.bits(1, 1);
            pool.eq(low, one)
        }
        CastKind::Trunc => pool.extract(width - 1, 0, a.bits),
        CastKind::ZExt | CastKind::SExt if from == Ty::I1 => {
            let set = match kind {
                CastKind::ZExt => 1,
                _ => low_mask(width),
            };
            let (yes, no) = (pool.bits(width, set), pool.bits(width, 0));
            pool.ite(a.bits, yes, no)
        }
        CastKind::ZExt => pool.zero_extend_to(width, a.bits),
        CastKind::SExt => pool.sign_extend_to(width, a.bits),
        CastKind::PtrToInt | CastKind::IntToPtr | CastKind::Bits => a.bits,
        _ => return no_floats(),
    };
    let mut targets = a.targets;
    // A number that becomes an address may be the address of anything, unless it is null.
    if kind == CastKind::IntToPtr && targets.is_none() {
        let null = pool.bits(width, 0);
        if bits != null {
            targets = Targets::Unknown;
        }
    }
    Ok(Value { bits, targets })
}

fn pure(pool: &mut TermPool, function: PureFn, ty: Ty, a: TermId) -> Result<TermId, Unsupported> {
    if ty.is_float() {
        return no_floats();
    }
    let width = pool.width(a);
    Ok(match function {
        PureFn::Popcount => {
            let mut sum = pool.bits(width, 0);
            for i in 0..width {
                let bit = pool.extract(i, i, a);
                let bit = pool.zero_extend_to(width, bit);
                sum = pool.bv_add(sum, bit);
            }
            sum
        }
        PureFn::Clz | PureFn::Ctz => {
            // From the far end inwards, so that the nearest set bit decides.
            let mut count = pool.bits(width, u128::from(width));
            for i in 0..width {
                let at = match function {
                    PureFn::Clz => i,
                    _ => width - 1 - i,
                };
                let bit = pool.extract(at, at, a);
                let one = pool.bits(1, 1);
                let set = pool.eq(bit, one);
                let here = pool.bits(width, u128::from(width - 1 - i));
                count = pool.ite(set, here, count);
            }
            count
        }
        PureFn::Bswap => {
            let mut out = pool.extract(7, 0, a);
            for i in 1..width / 8 {
                let byte = pool.extract(8 * i + 7, 8 * i, a);
                out = pool.concat(out, byte);
            }
            out
        }
        other => {
            return Err(Unsupported(format!(
                "{} is not treated symbolically",
                other.name()
            )));
        }
    })
}

/// What an atomic read-modify-write stores.
pub fn rmw(
    pool: &mut TermPool,
    op: RmwOp,
    ty: Ty,
    old: &Value,
    operand: &Value,
) -> Result<Value, Unsupported> {
    if op == RmwOp::Exchange {
        return Ok(operand.clone());
    }
    if ty.is_float() {
        return no_floats();
    }
    let (a, b) = (old.bits, operand.bits);
    let bits = match op {
        RmwOp::Add => pool.bv_add(a, b),
        RmwOp::Sub => pool.bv_sub(a, b),
        RmwOp::And => pool.bv_and(a, b),
        RmwOp::Or => pool.bv_or(a, b),
        RmwOp::Xor => pool.bv_xor(a, b),
        RmwOp::Nand | RmwOp::Exchange => {
            let both = pool.bv_and(a, b);
            pool.bv_not(both)
        }
    };
    Ok(Value {
        bits,
        targets: old.targets.clone(),
    })
}

/// An arbitrary value of a type, as a fresh variable.
pub fn fresh(pool: &mut TermPool, model: DataModel, ty: Ty, name: &str) -> TermId {
    pool.fresh_var(name, sort_of(ty, model))
}
