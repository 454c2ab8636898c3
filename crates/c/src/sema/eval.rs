//! Constant expressions over the typed tree: integers, floating point, addresses.

use super::{Entity, Sema};
use crate::ast::{Basic, FloatLiteral};
use crate::diagnostic::{Result, fail};
use crate::hir::*;
use crate::types::*;
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

/// The value of a constant expression.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Const {
    Int(i128),
    /// In the widest format; narrower types are exact in it.
    Float(X87DoubleExtended),
    Address(Base, i64),
}

/// What a constant address is relative to.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Base {
    Object(ObjectId),
    Function(FunctionId),
}

/// A number of a floating type, as the IR encodes it.
pub fn encode(value: X87DoubleExtended, ty: Basic) -> u128 {
    let mut exact = false;
    match ty {
        Basic::Float => {
            let v: Single = value.convert(&mut exact).value;
            v.to_bits()
        }
        Basic::LongDouble => value.to_bits(),
        _ => {
            let v: Double = value.convert(&mut exact).value;
            v.to_bits()
        }
    }
}

/// The number behind an encoding.
pub fn decode(bits: u128, ty: Basic) -> X87DoubleExtended {
    let mut exact = false;
    match ty {
        Basic::Float => Single::from_bits(bits).convert(&mut exact).value,
        Basic::LongDouble => X87DoubleExtended::from_bits(bits),
        _ => Double::from_bits(bits).convert(&mut exact).value,
    }
}

fn round_to(value: X87DoubleExtended, ty: Basic) -> X87DoubleExtended {
    decode(encode(value, ty), ty)
}

/// The encoding of a literal, rounded once to its type.
pub fn literal(literal: &FloatLiteral) -> Option<u128> {
    let nearest = Round::NearestTiesToEven;
    let text = literal.digits.to_ascii_lowercase();
    Some(match literal.ty {
        Basic::Float => Single::from_str_r(&text, nearest).ok()?.value.to_bits(),
        Basic::Double => Double::from_str_r(&text, nearest).ok()?.value.to_bits(),
        _ => X87DoubleExtended::from_str_r(&text, nearest)
            .ok()?
            .value
            .to_bits(),
    })
}

impl Sema<'_> {
    /// The value of an expression, if it is constant.
    pub fn eval(&self, expr: &Expr) -> Option<Const> {
        let basic = self.types.basic(expr.ty);
        match &expr.kind {
            Kind::Int(value) => Some(Const::Int(*value)),
            Kind::Float(bits) => Some(Const::Float(decode(*bits, basic?))),
            Kind::AddressOf(place) => self.eval_place(place),
            // Reading a constant object that C lets pass in initialisers: a compound literal.
            Kind::Cast(inner) => {
                let value = self.eval(inner)?;
                self.eval_cast(value, inner.ty, expr.ty)
            }
            Kind::Negate(a) => match self.eval(a)? {
                Const::Int(v) => {
                    let wrapped = self.types.wrap(v.wrapping_neg(), basic?);
                    if is_signed(basic?) && wrapped == v && v != 0 {
                        self.overflowed.set(true);
                    }
                    Some(Const::Int(wrapped))
                }
                Const::Float(v) => Some(Const::Float(-v)),
                Const::Address(..) => None,
            },
            Kind::Complement(a) => match self.eval(a)? {
                Const::Int(v) => Some(Const::Int(self.types.wrap(!v, basic?))),
                _ => None,
            },
            Kind::LogicalNot(a) => Some(Const::Int(i128::from(!self.truth(a)?))),
            Kind::LogicalAnd(a, b) => {
                let value = self.truth(a)? && self.truth(b)?;
                Some(Const::Int(i128::from(value)))
            }
            Kind::LogicalOr(a, b) => {
                let value = self.truth(a)? || self.truth(b)?;
                Some(Const::Int(i128::from(value)))
            }
            Kind::Conditional(c, a, b) => {
                if self.truth(c)? {
                    self.eval(a)
                } else {
                    self.eval(b)
                }
            }
            Kind::Arith(op, a, b) => {
                // A long sum leans to the left: the right operand tells sooner that it is not constant.
                let b = self.eval(b)?;
                self.eval_arith(*op, self.eval(a)?, b, basic?)
            }
            Kind::Compare(relation, a, b) => {
                let holds = self.eval_compare(*relation, self.eval(a)?, self.eval(b)?, a.ty)?;
                Some(Const::Int(i128::from(holds)))
            }
            Kind::PointerOffset {
                pointer,
                index,
                negative,
                element: Size::Const(size),
            } => {
                let Const::Int(index) = self.eval(index)? else {
                    return None;
                };
                let mut bytes = index.checked_mul(i128::from(*size))?;
                if *negative {
                    bytes = -bytes;
                }
                match self.eval(pointer)? {
                    Const::Address(base, addend) => Some(Const::Address(
                        base,
                        addend.checked_add(i64::try_from(bytes).ok()?)?,
                    )),
                    Const::Int(v) => {
                        Some(Const::Int(self.types.wrap(v + bytes, self.types.size())))
                    }
                    Const::Float(_) => None,
                }
            }
            Kind::PointerDifference(a, b, Size::Const(size)) if *size > 0 => {
                let difference = match (self.eval(a)?, self.eval(b)?) {
                    (Const::Address(x, m), Const::Address(y, n)) if x == y => {
                        i128::from(m) - i128::from(n)
                    }
                    (Const::Int(m), Const::Int(n)) => m - n,
                    _ => return None,
                };
                Some(Const::Int(difference / i128::from(*size)))
            }
            Kind::StmtExpr(_, stmts, Some(value)) if stmts.is_empty() => self.eval(value),
            Kind::Builtin(Builtin::Pure(f), args) => self.eval_pure(*f, args, basic?),
            _ => None,
        }
    }

    fn eval_pure(&self, function: raddle_ir::PureFn, args: &[Expr], ty: Basic) -> Option<Const> {
        let Const::Int(v) = self.eval(args.first()?)? else {
            return None;
        };
        let bits = self.types.int_bits(ty);
        let mask = if bits == 128 {
            u128::MAX
        } else {
            (1 << bits) - 1
        };
        let v = v as u128 & mask;
        let result = match function {
            raddle_ir::PureFn::Popcount => v.count_ones(),
            raddle_ir::PureFn::Ctz if v != 0 => v.trailing_zeros(),
            raddle_ir::PureFn::Clz if v != 0 => v.leading_zeros() - (128 - bits),
            raddle_ir::PureFn::Bswap => {
                return Some(Const::Int(
                    self.types
                        .wrap((v.swap_bytes() >> (128 - bits)) as i128, ty),
                ));
            }
            _ => return None,
        };
        Some(Const::Int(i128::from(result)))
    }

    fn eval_place(&self, place: &Expr) -> Option<Const> {
        match &place.kind {
            Kind::Object(object) if !self.objects[object.0 as usize].thread_local => {
                let known = !self.may_be_missing(Entity::Object(*object));
                let object = self.resolve_object(*object);
                known.then_some(Const::Address(Base::Object(object), 0))
            }
            Kind::Function(function) => {
                let known = !self.may_be_missing(Entity::Function(*function));
                known.then_some(Const::Address(Base::Function(*function), 0))
            }
            Kind::Deref(pointer) => self.eval(pointer),
            Kind::Member { base, offset, .. } => match self.eval_place(base)? {
                Const::Address(base, addend) => {
                    Some(Const::Address(base, addend.checked_add_unsigned(*offset)?))
                }
                Const::Int(v) => Some(Const::Int(v + i128::from(*offset))),
                Const::Float(_) => None,
            },
            _ => None,
        }
    }

    /// Whether a constant condition holds.
    pub(super) fn truth(&self, expr: &Expr) -> Option<bool> {
        Some(match self.eval(expr)? {
            Const::Int(v) => v != 0,
            Const::Float(v) => !v.is_zero(),
            Const::Address(..) => true,
        })
    }

    fn eval_cast(&self, value: Const, from: QualType, to: QualType) -> Option<Const> {
        if self.types.is_pointer(to) {
            return match value {
                Const::Int(v) => Some(Const::Int(self.types.wrap(v, self.types.size()))),
                other => Some(other),
            };
        }
        let basic = self.types.basic(to)?;
        if int_rank(basic).is_some() {
            return match value {
                Const::Int(v) => Some(Const::Int(self.types.wrap(v, basic))),
                Const::Float(v) if basic == Basic::Bool => {
                    Some(Const::Int(i128::from(!v.is_zero())))
                }
                Const::Float(v) => {
                    let mut exact = false;
                    let v = v.to_i128_r(128, Round::TowardZero, &mut exact).value;
                    Some(Const::Int(self.types.wrap(v, basic)))
                }
                Const::Address(..) if basic == Basic::Bool => Some(Const::Int(1)),
                Const::Address(..) => {
                    let same = self.types.int_bits(basic) == self.types.model.pointer_bits();
                    same.then_some(value)
                }
            };
        }
        if !is_float(basic) || is_complex(basic) {
            return None;
        }
        match value {
            Const::Int(v) => {
                let unsigned = self.types.basic(from) == Some(Basic::UInt128);
                let nearest = Round::NearestTiesToEven;
                // Rounded once, to the type itself.
                let bits = match (basic, unsigned) {
                    (Basic::Float, false) => Single::from_i128_r(v, nearest).value.to_bits(),
                    (Basic::Float, true) => Single::from_u128_r(v as u128, nearest).value.to_bits(),
                    (Basic::LongDouble, false) => {
                        X87DoubleExtended::from_i128_r(v, nearest).value.to_bits()
                    }
                    (Basic::LongDouble, true) => X87DoubleExtended::from_u128_r(v as u128, nearest)
                        .value
                        .to_bits(),
                    (_, false) => Double::from_i128_r(v, nearest).value.to_bits(),
                    (_, true) => Double::from_u128_r(v as u128, nearest).value.to_bits(),
                };
                Some(Const::Float(decode(bits, basic)))
            }
            Const::Float(v) => Some(Const::Float(round_to(v, basic))),
            Const::Address(..) => None,
        }
    }

    fn eval_arith(&self, op: Arith, a: Const, b: Const, ty: Basic) -> Option<Const> {
        let (a, b) = match (a, b) {
            (Const::Int(a), Const::Int(b)) => (a, b),
            (Const::Float(a), Const::Float(b)) => return eval_float(op, a, b, ty),
            // An address as an integer, plus a constant.
            (Const::Address(base, m), Const::Int(n)) if op == Arith::Add => {
                return Some(Const::Address(base, m.checked_add(i64::try_from(n).ok()?)?));
            }
            (Const::Address(base, m), Const::Int(n)) if op == Arith::Sub => {
                return Some(Const::Address(base, m.checked_sub(i64::try_from(n).ok()?)?));
            }
            _ => return None,
        };
        let signed = is_signed(ty);
        let bits = self.types.int_bits(ty);
        let value = match op {
            Arith::Add => a.wrapping_add(b),
            Arith::Sub => a.wrapping_sub(b),
            Arith::Mul => a.wrapping_mul(b),
            Arith::Div if b == 0 => return None,
            Arith::Rem if b == 0 => return None,
            Arith::Div | Arith::Rem if signed && b == -1 && a == -1 << (bits - 1) => return None,
            Arith::Div if signed => a.wrapping_div(b),
            Arith::Rem if signed => a.wrapping_rem(b),
            Arith::Div => (a as u128 / b as u128) as i128,
            Arith::Rem => (a as u128 % b as u128) as i128,
            Arith::And => a & b,
            Arith::Or => a | b,
            Arith::Xor => a ^ b,
            Arith::Shl | Arith::Shr if b < 0 || b >= i128::from(bits) => return None,
            Arith::Shl => a.wrapping_shl(b as u32),
            Arith::Shr if signed => a >> b,
            Arith::Shr => (a as u128 >> b) as i128,
        };
        let wrapped = self.types.wrap(value, ty);
        if signed && wrapped != value {
            self.overflowed.set(true);
        }
        Some(Const::Int(wrapped))
    }

    fn eval_compare(&self, relation: Relation, a: Const, b: Const, ty: QualType) -> Option<bool> {
        use std::cmp::Ordering;
        let order = match (a, b) {
            (Const::Int(a), Const::Int(b)) => {
                if self.types.basic(ty) == Some(Basic::UInt128) {
                    Some((a as u128).cmp(&(b as u128)))
                } else {
                    Some(a.cmp(&b))
                }
            }
            (Const::Float(a), Const::Float(b)) => a.partial_cmp(&b),
            (Const::Address(x, m), Const::Address(y, n)) if x == y => Some(m.cmp(&n)),
            (Const::Address(..), Const::Int(0)) => Some(Ordering::Greater),
            (Const::Int(0), Const::Address(..)) => Some(Ordering::Less),
            _ => return None,
        };
        Some(match relation {
            Relation::Equal => order == Some(Ordering::Equal),
            Relation::NotEqual => order != Some(Ordering::Equal),
            Relation::Less => order == Some(Ordering::Less),
            Relation::LessEq => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Relation::Greater => order == Some(Ordering::Greater),
            Relation::GreaterEq => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        })
    }

    /// An integer constant expression.
    pub(crate) fn constant_int(&mut self, expr: &crate::ast::Expr) -> Result<i128> {
        let checked = self.expr(expr)?;
        let checked = self.value(checked)?;
        match self.eval(&checked) {
            Some(Const::Int(v)) => Ok(v),
            _ => fail(expr.span, "an integer constant expression is needed here"),
        }
    }
}

fn eval_float(op: Arith, a: X87DoubleExtended, b: X87DoubleExtended, ty: Basic) -> Option<Const> {
    // The operation is done in the type itself, so that it is rounded once.
    macro_rules! compute {
        ($format:ty) => {{
            let mut exact = false;
            let a: $format = a.convert(&mut exact).value;
            let b: $format = b.convert(&mut exact).value;
            match op {
                Arith::Add => (a + b).value,
                Arith::Sub => (a - b).value,
                Arith::Mul => (a * b).value,
                Arith::Div => (a / b).value,
                _ => return None,
            }
            .to_bits()
        }};
    }
    let bits = match ty {
        Basic::Float => compute!(Single),
        Basic::LongDouble => compute!(X87DoubleExtended),
        _ => compute!(Double),
    };
    Some(Const::Float(decode(bits, ty)))
}
