//! Circuits for bit-vector operators, least significant bit first.
//!
//! Plain and predictable: ripple-carry adders with a majority gate for each carry, shift-and-add
//! multiplication, restoring division (which gives all ones and the dividend for division by zero, as
//! SMT-LIB wants), and logarithmic shifters. Measured alternatives belong here when they win.

use super::gates::{Gates, Wire};

/// The bits of a constant.
pub fn constant(width: u32, value: u128) -> Vec<Wire> {
    (0..width)
        .map(|bit| Wire::constant(value >> bit & 1 == 1))
        .collect()
}

/// Sum with carry in; the carry out is dropped.
pub fn add(gates: &mut Gates, a: &[Wire], b: &[Wire], carry: Wire) -> Vec<Wire> {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let half = gates.xor(x, y);
        sum.push(gates.xor(half, carry));
        carry = gates.majority(x, y, carry);
    }
    sum
}

/// Every bit complemented.
pub fn invert(a: &[Wire]) -> Vec<Wire> {
    a.iter().map(|&x| !x).collect()
}

/// Difference.
pub fn subtract(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
    add(gates, a, &invert(b), Wire::TRUE)
}

/// Two's-complement negation.
pub fn negate(gates: &mut Gates, a: &[Wire]) -> Vec<Wire> {
    let zero = vec![Wire::FALSE; a.len()];
    subtract(gates, &zero, a)
}

/// Bitwise if-then-else.
pub fn choose(gates: &mut Gates, condition: Wire, then: &[Wire], otherwise: &[Wire]) -> Vec<Wire> {
    then.iter()
        .zip(otherwise)
        .map(|(&x, &y)| gates.mux(condition, x, y))
        .collect()
}

/// Product modulo two to the width.
pub fn multiply(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
    let constants = |bits: &[Wire]| {
        bits.iter()
            .filter(|wire| wire.as_constant().is_some())
            .count()
    };
    // The operand with more constant bits selects the rows, so that constant-zero rows vanish.
    let (rows, row) = if constants(a) >= constants(b) {
        (a, b)
    } else {
        (b, a)
    };
    let width = a.len();
    let mut sum = vec![Wire::FALSE; width];
    for (shift, &bit) in rows.iter().enumerate() {
        if bit == Wire::FALSE {
            continue;
        }
        let partial: Vec<Wire> = row[..width - shift]
            .iter()
            .map(|&x| gates.and(bit, x))
            .collect();
        let upper = add(gates, &sum[shift..], &partial, Wire::FALSE);
        sum.truncate(shift);
        sum.extend(upper);
    }
    sum
}

/// Unsigned `a < b`, or `a ≤ b` if `or_equal`.
pub fn less(gates: &mut Gates, a: &[Wire], b: &[Wire], or_equal: bool) -> Wire {
    let mut result = Wire::constant(or_equal);
    for (&x, &y) in a.iter().zip(b) {
        result = gates.majority(!x, y, result);
    }
    result
}

/// Signed `a < b`, or `a ≤ b` if `or_equal`: the unsigned comparison with both sign bits complemented.
pub fn signed_less(gates: &mut Gates, a: &[Wire], b: &[Wire], or_equal: bool) -> Wire {
    let flip = |bits: &[Wire]| {
        let mut bits = bits.to_vec();
        if let Some(sign) = bits.last_mut() {
            *sign = !*sign;
        }
        bits
    };
    less(gates, &flip(a), &flip(b), or_equal)
}

/// Whether all bits agree.
pub fn equal(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> Wire {
    let mut result = Wire::TRUE;
    for (&x, &y) in a.iter().zip(b) {
        let same = gates.iff(x, y);
        result = gates.and(result, same);
    }
    result
}

/// Unsigned quotient and remainder by restoring division.
pub fn divide(gates: &mut Gates, a: &[Wire], b: &[Wire]) -> (Vec<Wire>, Vec<Wire>) {
    let width = a.len();
    let mut divisor = b.to_vec();
    divisor.push(Wire::FALSE);
    let mut quotient = vec![Wire::FALSE; width];
    let mut remainder = vec![Wire::FALSE; width];
    for position in (0..width).rev() {
        // One bit wider than the operands, because the doubled remainder may not fit.
        let mut shifted = vec![a[position]];
        shifted.extend_from_slice(&remainder);
        let fits = less(gates, &divisor, &shifted, true);
        let reduced = subtract(gates, &shifted, &divisor);
        let chosen = choose(gates, fits, &reduced, &shifted);
        quotient[position] = fits;
        remainder = chosen[..width].to_vec();
    }
    (quotient, remainder)
}

/// The three shifts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    /// Towards the most significant bit, filling with zeros.
    Left,
    /// Towards the least significant bit, filling with zeros.
    Right,
    /// Towards the least significant bit, filling with the sign.
    RightSigned,
}

/// A shift by a variable amount, in one stage for each useful bit of the amount.
pub fn shift(gates: &mut Gates, kind: Shift, a: &[Wire], amount: &[Wire]) -> Vec<Wire> {
    let width = a.len();
    let fill = if kind == Shift::RightSigned {
        a[width - 1]
    } else {
        Wire::FALSE
    };
    let mut bits = a.to_vec();
    let mut too_large = Wire::FALSE;
    for (stage, &selected) in amount.iter().enumerate() {
        if stage >= usize::BITS as usize - 1 || 1usize << stage >= width {
            too_large = gates.or(too_large, selected);
            continue;
        }
        let distance = 1usize << stage;
        let moved: Vec<Wire> = (0..width)
            .map(|position| match kind {
                Shift::Left => position
                    .checked_sub(distance)
                    .map_or(fill, |from| bits[from]),
                _ => bits.get(position + distance).copied().unwrap_or(fill),
            })
            .collect();
        bits = choose(gates, selected, &moved, &bits);
    }
    let filled = vec![fill; width];
    choose(gates, too_large, &filled, &bits)
}
