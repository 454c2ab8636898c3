//! Arithmetic on bits: every [`Rvalue`](raddle_ir::Rvalue) that needs no memory.
//!
//! Functions of a type and bits alone, so that tests can hold them against other implementations (the
//! symbolic semantics, gcc). Floating point is exact: `f32` and `f64` by the host, the x87 extended type by
//! `rustc_apfloat`.

use crate::value::{mask, sign_extend};
use raddle_ir::{BinaryOp, CastKind, CompareOp, PureFn, Ty};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

/// What an operation did besides giving a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Nothing.
    None,
    /// The mathematical result of a signed operation does not fit.
    Overflow,
    /// A division by zero: there is no result.
    DivisionByZero,
    /// A shift amount outside the width: the result is arbitrary.
    BadShift,
}

/// An operation with two operands on `bits`-wide integers.
#[inline]
pub fn int_binary(op: BinaryOp, bits: u32, a: u128, b: u128, checked: bool) -> (u128, Trouble) {
    let m = mask(bits);
    let signed = |v| sign_extend(v, bits);
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem if b == 0 => {
            return (0, Trouble::DivisionByZero);
        }
        // The machine stops at a quotient that does not fit as it does at a division by zero.
        BinaryOp::SDiv | BinaryOp::SRem if overflows(op, bits, a, b) => {
            let trouble = match checked {
                true => Trouble::Overflow,
                false => Trouble::DivisionByZero,
            };
            return (0, trouble);
        }
        BinaryOp::UDiv => a / b,
        BinaryOp::URem => a % b,
        BinaryOp::SDiv => signed(a).wrapping_div(signed(b)) as u128,
        BinaryOp::SRem => signed(a).wrapping_rem(signed(b)) as u128,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr if b >= u128::from(bits) => {
            return (0, Trouble::BadShift);
        }
        BinaryOp::Shl => a << b,
        BinaryOp::LShr => a >> b,
        BinaryOp::AShr => (signed(a) >> b) as u128,
        BinaryOp::FDiv => 0,
    };
    let trouble = match checked && overflows(op, bits, a, b) {
        true => Trouble::Overflow,
        false => Trouble::None,
    };
    (result & m, trouble)
}

/// Whether the signed operation has a mathematical result outside its type.
fn overflows(op: BinaryOp, bits: u32, a: u128, b: u128) -> bool {
    let (x, y) = (sign_extend(a, bits), sign_extend(b, bits));
    let min = -(1_i128 << (bits - 1).min(126)) - i128::from(bits == 128) * (1_i128 << 126);
    let max = !min;
    let outside = |r: Option<i128>| r.is_none_or(|r| r < min || r > max);
    match op {
        BinaryOp::Add => outside(x.checked_add(y)),
        BinaryOp::Sub => outside(x.checked_sub(y)),
        BinaryOp::Mul => outside(x.checked_mul(y)),
        BinaryOp::SDiv | BinaryOp::SRem => x == min && y == -1,
        // C11 6.5.7: a negative left operand, or a result that is not representable, is undefined.
        BinaryOp::Shl => x < 0 || (y <= 127 && x > (max >> y)),
        _ => false,
    }
}

/// A comparison of `bits`-wide integers.
#[inline]
pub fn int_compare(op: CompareOp, bits: u32, a: u128, b: u128) -> bool {
    let signed = |v| sign_extend(v, bits);
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::SLt => signed(a) < signed(b),
        CompareOp::SLe => signed(a) <= signed(b),
        CompareOp::SGt => signed(a) > signed(b),
        CompareOp::SGe => signed(a) >= signed(b),
        CompareOp::ULt => a < b,
        CompareOp::ULe => a <= b,
        CompareOp::UGt => a > b,
        CompareOp::UGe => a >= b,
    }
}

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn f80_of(bits: u128) -> X87DoubleExtended {
    X87DoubleExtended::from_bits(bits)
}

/// Sum, difference, product or quotient of floating-point numbers.
pub fn float_binary(op: BinaryOp, ty: Ty, a: u128, b: u128) -> u128 {
    macro_rules! host {
        ($of:ident) => {{
            let (x, y) = ($of(a), $of(b));
            let r = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                _ => x / y,
            };
            u128::from(r.to_bits())
        }};
    }
    match ty {
        Ty::F32 => host!(f32_of),
        Ty::F64 => host!(f64_of),
        _ => {
            let (x, y) = (f80_of(a), f80_of(b));
            match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                _ => x / y,
            }
            .value
            .to_bits()
        }
    }
}

/// An IEEE comparison.
pub fn float_compare(op: CompareOp, ty: Ty, a: u128, b: u128) -> bool {
    let order = match ty {
        Ty::F32 => f32_of(a).partial_cmp(&f32_of(b)),
        Ty::F64 => f64_of(a).partial_cmp(&f64_of(b)),
        _ => f80_of(a).partial_cmp(&f80_of(b)),
    };
    match op {
        CompareOp::Eq => order.is_some_and(|o| o.is_eq()),
        CompareOp::Ne => !order.is_some_and(|o| o.is_eq()),
        CompareOp::SLt | CompareOp::ULt => order.is_some_and(|o| o.is_lt()),
        CompareOp::SLe | CompareOp::ULe => order.is_some_and(|o| o.is_le()),
        CompareOp::SGt | CompareOp::UGt => order.is_some_and(|o| o.is_gt()),
        CompareOp::SGe | CompareOp::UGe => order.is_some_and(|o| o.is_ge()),
    }
}

/// The sign changed.
pub fn float_negate(ty: Ty, a: u128) -> u128 {
    match ty {
        Ty::F32 => a ^ (1 << 31),
        Ty::F64 => a ^ (1 << 63),
        _ => a ^ (1 << 79),
    }
}

/// A conversion. `from_bits` and `to_bits` are the widths of the two types.
pub fn cast(kind: CastKind, from: Ty, from_bits: u32, to: Ty, to_bits: u32, a: u128) -> u128 {
    match kind {
        CastKind::Trunc => a & mask(to_bits),
        CastKind::ZExt | CastKind::PtrToInt | CastKind::IntToPtr | CastKind::Bits => a,
        CastKind::SExt => sign_extend(a, from_bits) as u128 & mask(to_bits),
        CastKind::SIntToFloat => int_to_float(sign_extend(a, from_bits), to),
        CastKind::UIntToFloat => match to {
            Ty::F32 => u128::from((a as f32).to_bits()),
            Ty::F64 => u128::from((a as f64).to_bits()),
            _ => X87DoubleExtended::from_u128(a).value.to_bits(),
        },
        CastKind::FloatToSInt => float_to_int(from, to_bits, true, a),
        CastKind::FloatToUInt => float_to_int(from, to_bits, false, a),
        CastKind::FloatToFloat => float_to_float(from, to, a),
    }
}

fn int_to_float(v: i128, to: Ty) -> u128 {
    match to {
        Ty::F32 => u128::from((v as f32).to_bits()),
        Ty::F64 => u128::from((v as f64).to_bits()),
        _ => X87DoubleExtended::from_i128(v).value.to_bits(),
    }
}

/// Towards zero. A value out of range gives what gcc's code gives on x86-64: the "integer indefinite"
/// of the conversion instruction it uses, cut to the type.
fn float_to_int(from: Ty, bits: u32, signed: bool, a: u128) -> u128 {
    let wide: X87DoubleExtended = match from {
        Ty::F32 => Single::from_bits(a).convert(&mut false).value,
        Ty::F64 => Double::from_bits(a).convert(&mut false).value,
        _ => f80_of(a),
    };
    if bits == 128 && !signed {
        return wide.to_u128_r(128, Round::TowardZero, &mut false).value;
    }
    let exact = wide.to_i128_r(128, Round::TowardZero, &mut false);
    let invalid = exact.status.contains(rustc_apfloat::Status::INVALID_OP);
    let v = exact.value;
    let fits = |n: u32| !invalid && v >= -(1_i128 << (n - 1)) && v < (1_i128 << (n - 1));
    // Narrow targets go through a 32-bit conversion, unsigned 32-bit through a 64-bit one.
    let through = match (bits, signed) {
        (0..=16, _) | (32, true) => 32,
        (32, false) | (64, true) => 64,
        (64, false) => {
            let in_range = !invalid && v >= 0 && v >> 64 == 0;
            return match in_range || fits(64) {
                true => v as u128 & mask(64),
                false => 1 << 63,
            };
        }
        _ => return v as u128 & mask(bits),
    };
    match fits(through) {
        true => v as u128 & mask(bits),
        false => (1_u128 << (through - 1)) & mask(bits),
    }
}

fn float_to_float(from: Ty, to: Ty, a: u128) -> u128 {
    let mut lost = false;
    match (from, to) {
        (Ty::F32, Ty::F64) => u128::from(f64::from(f32_of(a)).to_bits()),
        (Ty::F64, Ty::F32) => u128::from((f64_of(a) as f32).to_bits()),
        (Ty::F80, Ty::F32) => {
            let v: Single = f80_of(a).convert(&mut lost).value;
            v.to_bits()
        }
        (Ty::F80, Ty::F64) => {
            let v: Double = f80_of(a).convert(&mut lost).value;
            v.to_bits()
        }
        (Ty::F32, Ty::F80) => {
            let v: X87DoubleExtended = Single::from_bits(a).convert(&mut lost).value;
            v.to_bits()
        }
        (Ty::F64, Ty::F80) => {
            let v: X87DoubleExtended = Double::from_bits(a).convert(&mut lost).value;
            v.to_bits()
        }
        _ => a,
    }
}

/// A floating-point value as the nearest `f64`, for display and for functions computed by the host.
pub fn to_f64(ty: Ty, a: u128) -> f64 {
    f64_of(match ty {
        Ty::F64 => a,
        _ => float_to_float(ty, Ty::F64, a),
    })
}

/// A function of one argument on integers.
pub fn int_pure(function: PureFn, bits: u32, a: u128) -> u128 {
    match function {
        PureFn::Clz => u128::from((a << (128 - bits)).leading_zeros().min(bits)),
        PureFn::Ctz => u128::from(a.trailing_zeros().min(bits)),
        PureFn::Popcount => u128::from(a.count_ones()),
        PureFn::Bswap => a.swap_bytes() >> (128 - bits),
        _ => a,
    }
}

/// A function on floating-point numbers. Extended precision goes through `f64` for all but sign,
/// classification and absolute value.
pub fn float_pure(function: PureFn, ty: Ty, args: &[u128]) -> u128 {
    let a = args[0];
    let sign = match ty {
        Ty::F32 => 1_u128 << 31,
        Ty::F64 => 1 << 63,
        _ => 1 << 79,
    };
    let x = to_f64(ty, a);
    let y = args.get(1).map_or(0.0, |b| to_f64(ty, *b));
    let r = match function {
        PureFn::Fabs => return a & !sign,
        PureFn::SignBit => return u128::from(a & sign != 0),
        PureFn::IsNan if ty == Ty::F80 => return u128::from(f80_of(a).is_nan()),
        PureFn::IsInf if ty == Ty::F80 => return u128::from(f80_of(a).is_infinite()),
        PureFn::IsNan => return u128::from(x.is_nan()),
        PureFn::IsInf => return u128::from(x.is_infinite()),
        PureFn::Sqrt => x.sqrt(),
        PureFn::Floor => x.floor(),
        PureFn::Ceil => x.ceil(),
        PureFn::Truncate => x.trunc(),
        PureFn::Round => x.round(),
        PureFn::Fmod => x % y,
        _ => x,
    };
    float_to_float(Ty::F64, ty, u128::from(r.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_at_the_edges() {
        let min = 0x8000_0000_u128;
        let check = |op, a, b| int_binary(op, 32, a, b, true).1;
        assert_eq!(check(BinaryOp::SDiv, min, 0xffff_ffff), Trouble::Overflow);
        assert_eq!(check(BinaryOp::Add, 0x7fff_ffff, 1), Trouble::Overflow);
        assert_eq!(check(BinaryOp::Sub, min, 1), Trouble::Overflow);
        assert_eq!(check(BinaryOp::Mul, 0x1_0000, 0x8000), Trouble::Overflow);
        assert_eq!(check(BinaryOp::Shl, 1, 31), Trouble::Overflow);
        assert_eq!(check(BinaryOp::Shl, 1, 30), Trouble::None);
        assert_eq!(check(BinaryOp::Shl, 1, 32), Trouble::BadShift);
        assert_eq!(check(BinaryOp::Add, 0x7fff_fffe, 1), Trouble::None);
        let wide = 1_u128 << 127;
        assert_eq!(
            int_binary(BinaryOp::Sub, 128, wide, 1, true).1,
            Trouble::Overflow
        );
        assert_eq!(
            int_binary(BinaryOp::Add, 128, wide, 1, true).1,
            Trouble::None
        );
    }

    #[test]
    fn eight_bit_operations_agree_with_the_host() {
        for a in 0..=255_u8 {
            for b in 0..=255_u8 {
                let (x, y) = (a as i8, b as i8);
                let run = |op| int_binary(op, 8, u128::from(a), u128::from(b), true);
                assert_eq!(run(BinaryOp::Add).0 as u8, a.wrapping_add(b));
                assert_eq!(
                    run(BinaryOp::Add).1 == Trouble::Overflow,
                    x.checked_add(y).is_none()
                );
                assert_eq!(
                    run(BinaryOp::Mul).1 == Trouble::Overflow,
                    x.checked_mul(y).is_none()
                );
                assert_eq!(
                    run(BinaryOp::Sub).1 == Trouble::Overflow,
                    x.checked_sub(y).is_none()
                );
                for (op, quotient) in [
                    (BinaryOp::SDiv, x.checked_div(y).map(|q| q as u8)),
                    (BinaryOp::SRem, x.checked_rem(y).map(|q| q as u8)),
                    (BinaryOp::UDiv, a.checked_div(b)),
                    (BinaryOp::URem, a.checked_rem(b)),
                ] {
                    let (value, trouble) = run(op);
                    match quotient {
                        Some(q) => assert_eq!((value as u8, trouble), (q, Trouble::None)),
                        None => assert_ne!(trouble, Trouble::None, "{op:?} {x} {y}"),
                    }
                }
                let less = int_compare(CompareOp::SLt, 8, u128::from(a), u128::from(b));
                assert_eq!(less, x < y);
            }
        }
    }

    #[test]
    fn conversions_out_of_range_are_those_of_x86() {
        let d = |v: f64| u128::from(v.to_bits());
        let to = |bits, signed, v| float_to_int(Ty::F64, bits, signed, d(v));
        assert_eq!(to(32, true, 1e10), 0x8000_0000);
        assert_eq!(to(32, true, -3.9), 0xffff_fffd);
        assert_eq!(to(32, false, 4e9), 4_000_000_000);
        assert_eq!(to(64, false, 1.8e19), 18_000_000_000_000_000_000);
        assert_eq!(to(8, false, 300.0), 44);
        assert_eq!(to(64, true, f64::NAN), 1 << 63);
    }

    #[test]
    fn extended_precision_keeps_what_double_loses() {
        let one = cast(CastKind::SIntToFloat, Ty::I32, 32, Ty::F80, 80, 1);
        let tiny = float_binary(
            BinaryOp::FDiv,
            Ty::F80,
            one,
            cast(CastKind::SIntToFloat, Ty::I64, 64, Ty::F80, 80, 1 << 62),
        );
        let sum = float_binary(BinaryOp::Add, Ty::F80, one, tiny);
        assert!(float_compare(CompareOp::SGt, Ty::F80, sum, one));
        assert_eq!(to_f64(Ty::F80, sum), 1.0);
    }
}
