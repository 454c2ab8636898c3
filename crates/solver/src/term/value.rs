//! Values of terms and what every operator does to them.
//!
//! This is the meaning of the operators: the simplifier, the bit-blaster and the external solvers are all
//! tested against it. It is written for clarity, bit for bit after the SMT-LIB definitions, including
//! division by zero (all ones, or the dividend as remainder) and shifts by at least the width.

use super::{Op, Sort};
use std::collections::BTreeMap;

/// An array value: a default and finitely many exceptions.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    /// Width of an index, needed to tell when the exceptions cover every index.
    pub index_width: u32,
    /// The element at every index without an exception.
    pub default: u128,
    /// Elements that differ from the default.
    pub entries: BTreeMap<u128, u128>,
}

impl ArrayValue {
    /// The array that holds one element everywhere.
    pub fn constant(index_width: u32, default: u128) -> ArrayValue {
        ArrayValue {
            index_width,
            default,
            entries: BTreeMap::new(),
        }
    }

    /// The element at an index.
    pub fn get(&self, index: u128) -> u128 {
        self.entries.get(&index).copied().unwrap_or(self.default)
    }

    /// Changes one element.
    pub fn set(&mut self, index: u128, element: u128) {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
    }

    /// Whether both arrays hold the same element at every index.
    pub fn same(&self, other: &ArrayValue) -> bool {
        let listed = self.entries.keys().chain(other.entries.keys());
        let mut count = 0u128;
        let mut seen = std::collections::BTreeSet::new();
        for &index in listed {
            if self.get(index) != other.get(index) {
                return false;
            }
            if seen.insert(index) {
                count += 1;
            }
        }
        let covers_all = self.index_width < 64 && count == 1u128 << self.index_width;
        covers_all || self.default == other.default
    }
}

/// The value of a term.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector value, below two to its width.
    Bits(u128),
    /// An array value.
    Array(ArrayValue),
    /// An integer value.
    Int(i128),
}

impl Value {
    /// The value that variables without an assignment get: false, zero, or an array of zeros.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(_) => Value::Bits(0),
            Sort::Array { index, .. } => Value::Array(ArrayValue::constant(index, 0)),
            Sort::Int => Value::Int(0),
        }
    }
}

/// All ones in the low `width` bits.
pub fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1u128 << width) - 1
    }
}

/// Reads a value of that width as a two's-complement number.
pub fn sign_extend(width: u32, value: u128) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

fn udiv(width: u32, a: u128, b: u128) -> u128 {
    a.checked_div(b).unwrap_or(mask(width))
}

fn urem(a: u128, b: u128) -> u128 {
    a.checked_rem(b).unwrap_or(a)
}

fn magnitude(width: u32, a: u128) -> (bool, u128) {
    let negative = sign_extend(width, a) < 0;
    (
        negative,
        if negative {
            a.wrapping_neg() & mask(width)
        } else {
            a
        },
    )
}

fn sdiv(width: u32, a: u128, b: u128) -> u128 {
    let ((a_negative, a), (b_negative, b)) = (magnitude(width, a), magnitude(width, b));
    let quotient = udiv(width, a, b);
    if a_negative == b_negative {
        quotient
    } else {
        quotient.wrapping_neg()
    }
}

fn srem(width: u32, a: u128, b: u128) -> u128 {
    let ((a_negative, a), (_, b)) = (magnitude(width, a), magnitude(width, b));
    let remainder = urem(a, b);
    if a_negative {
        remainder.wrapping_neg()
    } else {
        remainder
    }
}

fn smod(width: u32, a: u128, b: u128) -> u128 {
    let ((a_negative, a_size), (b_negative, b_size)) = (magnitude(width, a), magnitude(width, b));
    let u = urem(a_size, b_size);
    match (u, a_negative, b_negative) {
        (0, _, _) => 0,
        (_, false, false) => u,
        (_, true, false) => b.wrapping_sub(u),
        (_, false, true) => u.wrapping_add(b),
        (_, true, true) => u.wrapping_neg(),
    }
}

/// Applies a bit-vector operator whose result is a bit-vector; `width` is that of the first argument.
pub fn apply_bits(op: Op, width: u32, widths: &[u32], args: &[u128]) -> Option<u128> {
    let a = args[0];
    let b = args.get(1).copied().unwrap_or(0);
    let large = b >= u128::from(width);
    let full = match op {
        Op::BvNot => !a,
        Op::BvNeg => a.wrapping_neg(),
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::BvAdd => a.wrapping_add(b),
        Op::BvSub => a.wrapping_sub(b),
        Op::BvMul => a.wrapping_mul(b),
        Op::BvUdiv => udiv(width, a, b),
        Op::BvUrem => urem(a, b),
        Op::BvSdiv => sdiv(width, a, b),
        Op::BvSrem => srem(width, a, b),
        Op::BvSmod => smod(width, a, b),
        Op::BvShl => {
            if large {
                0
            } else {
                a << b
            }
        }
        Op::BvLshr => {
            if large {
                0
            } else {
                a >> b
            }
        }
        Op::BvAshr => {
            let signed = sign_extend(width, a);
            (if large { signed >> 127 } else { signed >> b }) as u128
        }
        Op::Concat => return Some((a << widths[1]) | b),
        Op::Extract { high, low } => return Some((a >> low) & mask(high - low + 1)),
        Op::ZeroExtend { .. } => return Some(a),
        Op::SignExtend { by } => return Some(sign_extend(width, a) as u128 & mask(width + by)),
        _ => return None,
    };
    Some(full & mask(width))
}

/// Applies a bit-vector comparison.
pub fn compare_bits(op: Op, width: u32, a: u128, b: u128) -> Option<bool> {
    let (signed_a, signed_b) = (sign_extend(width, a), sign_extend(width, b));
    match op {
        Op::BvUlt => Some(a < b),
        Op::BvUle => Some(a <= b),
        Op::BvSlt => Some(signed_a < signed_b),
        Op::BvSle => Some(signed_a <= signed_b),
        _ => None,
    }
}
