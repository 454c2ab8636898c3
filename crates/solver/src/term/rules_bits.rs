//! Rewrite rules for bitwise operations, arithmetic, shifts and comparisons.

use super::rules::{Rule, commute};
use super::{Op, TermId, TermPool, mask, sign_extend};

pub(super) const BV_NOT: &[Rule] = &[Rule {
    name: "bvnot-bvnot",
    law: "~~a = a",
    apply: involution,
}];
pub(super) const BV_NEG: &[Rule] = &[
    Rule {
        name: "bvneg-bvneg",
        law: "−−a = a",
        apply: involution,
    },
    Rule {
        name: "bvneg-sub",
        law: "−(a − b) = b − a",
        apply: neg_sub,
    },
];
pub(super) const BV_AND: &[Rule] = &[
    Rule {
        name: "bvand-constant",
        law: "a & 0 = 0, a & ones = a",
        apply: bv_and_constant,
    },
    Rule {
        name: "bvand-idempotent",
        law: "a & a = a",
        apply: idempotent,
    },
    Rule {
        name: "bvand-complement",
        law: "a & ~a = 0",
        apply: bv_and_complement,
    },
    Rule {
        name: "bvand-commute",
        law: "a & b = b & a",
        apply: commute,
    },
    Rule {
        name: "bvand-associate",
        law: "(a & k) & m = a & (k & m)",
        apply: associate_constants,
    },
    Rule {
        name: "bvand-low-mask",
        law: "a & 0…01…1 = zero-extension of the low bits",
        apply: bv_and_low_mask,
    },
];
pub(super) const BV_OR: &[Rule] = &[
    Rule {
        name: "bvor-constant",
        law: "a | 0 = a, a | ones = ones",
        apply: bv_or_constant,
    },
    Rule {
        name: "bvor-idempotent",
        law: "a | a = a",
        apply: idempotent,
    },
    Rule {
        name: "bvor-complement",
        law: "a | ~a = ones",
        apply: all_ones_complement,
    },
    Rule {
        name: "bvor-commute",
        law: "a | b = b | a",
        apply: commute,
    },
    Rule {
        name: "bvor-associate",
        law: "(a | k) | m = a | (k | m)",
        apply: associate_constants,
    },
];
pub(super) const BV_XOR: &[Rule] = &[
    Rule {
        name: "bvxor-constant",
        law: "a ^ 0 = a, a ^ ones = ~a",
        apply: bv_xor_constant,
    },
    Rule {
        name: "bvxor-self",
        law: "a ^ a = 0",
        apply: cancel,
    },
    Rule {
        name: "bvxor-complement",
        law: "a ^ ~a = ones",
        apply: all_ones_complement,
    },
    Rule {
        name: "bvxor-commute",
        law: "a ^ b = b ^ a",
        apply: commute,
    },
    Rule {
        name: "bvxor-associate",
        law: "(a ^ k) ^ m = a ^ (k ^ m)",
        apply: associate_constants,
    },
];
pub(super) const BV_ADD: &[Rule] = &[
    Rule {
        name: "add-zero",
        law: "a + 0 = a",
        apply: zero_right_unit,
    },
    Rule {
        name: "add-negation",
        law: "a + −a = 0",
        apply: add_negation,
    },
    Rule {
        name: "add-sub",
        law: "(a − b) + b = a",
        apply: add_sub,
    },
    Rule {
        name: "add-commute",
        law: "a + b = b + a",
        apply: commute,
    },
    Rule {
        name: "add-associate",
        law: "(a + k) + m = a + (k + m)",
        apply: associate_constants,
    },
    Rule {
        name: "add-ite-constant",
        law: "ite(c, k, m) + n = ite(c, k + n, m + n)",
        apply: add_ite_constant,
    },
];
pub(super) const BV_SUB: &[Rule] = &[
    Rule {
        name: "sub-self",
        law: "a − a = 0",
        apply: cancel,
    },
    Rule {
        name: "sub-zero",
        law: "a − 0 = a, 0 − a = −a",
        apply: sub_zero,
    },
    Rule {
        name: "sub-constant",
        law: "a − k = a + −k",
        apply: sub_constant,
    },
    Rule {
        name: "sub-negation",
        law: "a − −b = a + b",
        apply: sub_negation,
    },
    Rule {
        name: "sub-add",
        law: "(a + b) − a = b",
        apply: sub_add,
    },
];
pub(super) const BV_MUL: &[Rule] = &[
    Rule {
        name: "mul-constant",
        law: "a · 0 = 0, a · 1 = a, a · ones = −a",
        apply: mul_constant,
    },
    Rule {
        name: "mul-commute",
        law: "a · b = b · a",
        apply: commute,
    },
    Rule {
        name: "mul-power",
        law: "a · 2ⁿ = a << n",
        apply: mul_power,
    },
    Rule {
        name: "mul-associate",
        law: "(a · k) · m = a · (k · m)",
        apply: associate_constants,
    },
];
pub(super) const BV_UDIV: &[Rule] = &[
    Rule {
        name: "udiv-constant",
        law: "a / 0 = ones, a / 1 = a",
        apply: udiv_constant,
    },
    Rule {
        name: "udiv-power",
        law: "a / 2ⁿ = a >> n",
        apply: udiv_power,
    },
];
pub(super) const BV_UREM: &[Rule] = &[
    Rule {
        name: "urem-constant",
        law: "a % 0 = a, a % 1 = 0",
        apply: urem_constant,
    },
    Rule {
        name: "urem-self",
        law: "a % a = 0",
        apply: cancel,
    },
    Rule {
        name: "urem-power",
        law: "a % 2ⁿ = a & (2ⁿ − 1)",
        apply: urem_power,
    },
];
pub(super) const SIGNED_DIVISION: &[Rule] = &[
    Rule {
        name: "signed-division-by-one",
        law: "a sdiv 1 = a, a srem 1 = 0, a smod 1 = 0 (two bits or more)",
        apply: signed_division_by_one,
    },
    Rule {
        name: "signed-division-power",
        law: "a sdiv 2ⁿ = (a < 0 ? a + 2ⁿ − 1 : a) >> n, a srem 2ⁿ = a < 0 ? −(−a % 2ⁿ) : a % 2ⁿ, a smod 2ⁿ = a % 2ⁿ",
        apply: signed_division_power,
    },
];
pub(super) const SHIFT: &[Rule] = &[
    Rule {
        name: "shift-zero",
        law: "a << 0 = a, 0 << a = 0, and for the other shifts",
        apply: shift_zero,
    },
    Rule {
        name: "shift-constant",
        law: "a << k = a[w−1−k:0]·0ᵏ, a >> k = zero- or sign-extension of a[w−1:k]",
        apply: shift_constant,
    },
];
pub(super) const ULT: &[Rule] = &[
    Rule {
        name: "ult-same",
        law: "a < a is false",
        apply: strict_same,
    },
    Rule {
        name: "ult-zero",
        law: "a < 0 is false, 0 < a is a ≠ 0, a < 1 is a = 0",
        apply: ult_zero,
    },
    Rule {
        name: "ult-top",
        law: "ones < a is false, a < ones is a ≠ ones",
        apply: ult_top,
    },
    Rule {
        name: "ult-extension",
        law: "ext a < ext b = a < b for one kind of extension of equal widths",
        apply: compare_extensions,
    },
];
pub(super) const ULE: &[Rule] = &[
    Rule {
        name: "ule-same",
        law: "a ≤ a is true",
        apply: weak_same,
    },
    Rule {
        name: "ule-bounds",
        law: "0 ≤ a and a ≤ ones are true, a ≤ 0 is a = 0, ones ≤ a is a = ones",
        apply: ule_bounds,
    },
    Rule {
        name: "ule-constant",
        law: "a ≤ k = a < k + 1, k ≤ a = k − 1 < a, without wrapping",
        apply: ule_constant,
    },
    Rule {
        name: "ule-extension",
        law: "ext a ≤ ext b = a ≤ b for one kind of extension of equal widths",
        apply: compare_extensions,
    },
];
pub(super) const SLT: &[Rule] = &[
    Rule {
        name: "slt-same",
        law: "a < a is false",
        apply: strict_same,
    },
    Rule {
        name: "slt-bounds",
        law: "a <ₛ min and max <ₛ a are false",
        apply: slt_bounds,
    },
    Rule {
        name: "slt-extension",
        law: "sext a <ₛ sext b = a <ₛ b; zext a <ₛ zext b = a < b",
        apply: signed_compare_extensions,
    },
];
pub(super) const SLE: &[Rule] = &[
    Rule {
        name: "sle-same",
        law: "a ≤ a is true",
        apply: weak_same,
    },
    Rule {
        name: "sle-bounds",
        law: "min ≤ₛ a and a ≤ₛ max are true",
        apply: sle_bounds,
    },
    Rule {
        name: "sle-extension",
        law: "sext a ≤ₛ sext b = a ≤ₛ b; zext a ≤ₛ zext b = a ≤ b",
        apply: signed_compare_extensions,
    },
];

fn zero(pool: &mut TermPool, like: TermId) -> TermId {
    let width = pool.width(like);
    pool.bits(width, 0)
}

fn ones(pool: &mut TermPool, like: TermId) -> TermId {
    let width = pool.width(like);
    pool.bits(width, u128::MAX)
}

fn is_ones(pool: &TermPool, id: TermId) -> bool {
    pool.as_bits(id) == Some(mask(pool.width(id)))
}

fn is_zero(pool: &TermPool, id: TermId) -> bool {
    pool.as_bits(id) == Some(0)
}

fn complementary(pool: &TermPool, args: &[TermId]) -> bool {
    pool.under(Op::BvNot, args[0]) == Some(args[1])
        || pool.under(Op::BvNot, args[1]) == Some(args[0])
}

/// The exponent of a constant that is a power of two greater than one.
fn power_of_two(pool: &TermPool, id: TermId) -> Option<u32> {
    pool.as_bits(id)
        .filter(|value| *value > 1 && value.is_power_of_two())
        .map(u128::trailing_zeros)
}

fn involution(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    pool.under(op, args[0])
}

fn neg_sub(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let (op, inner) = pool.as_app(args[0])?;
    (op == Op::BvSub).then(|| pool.bv_sub(inner[1], inner[0]))
}

fn idempotent(_: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (args[0] == args[1]).then_some(args[0])
}

fn cancel(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (args[0] == args[1]).then(|| zero(pool, args[0]))
}

fn bv_and_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    for (constant, other) in [(args[0], args[1]), (args[1], args[0])] {
        if is_zero(pool, constant) {
            return Some(constant);
        }
        if is_ones(pool, constant) {
            return Some(other);
        }
    }
    None
}

fn bv_and_complement(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    complementary(pool, args).then(|| zero(pool, args[0]))
}

fn bv_and_low_mask(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let value = pool.as_bits(args[1])?;
    let count = value.trailing_ones();
    if count == 0 || value != mask(count) {
        return None;
    }
    let low = pool.extract(count - 1, 0, args[0]);
    let width = pool.width(args[0]);
    Some(pool.zero_extend_to(width, low))
}

fn all_ones_complement(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    complementary(pool, args).then(|| ones(pool, args[0]))
}

fn bv_or_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    for (constant, other) in [(args[0], args[1]), (args[1], args[0])] {
        if is_zero(pool, constant) {
            return Some(other);
        }
        if is_ones(pool, constant) {
            return Some(constant);
        }
    }
    None
}

fn bv_xor_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    for (constant, other) in [(args[0], args[1]), (args[1], args[0])] {
        if is_zero(pool, constant) {
            return Some(other);
        }
        if is_ones(pool, constant) {
            return Some(pool.bv_not(other));
        }
    }
    None
}

fn associate_constants(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    pool.as_bits(args[1])?;
    let (inner_op, inner) = pool.as_app(args[0])?;
    if inner_op != op || pool.as_bits(inner[1]).is_none() {
        return None;
    }
    let constant = pool.apply_op(op, &[inner[1], args[1]]);
    Some(pool.apply_op(op, &[inner[0], constant]))
}

fn zero_right_unit(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    if is_zero(pool, args[0]) {
        return Some(args[1]);
    }
    is_zero(pool, args[1]).then_some(args[0])
}

fn add_negation(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let negated = pool.under(Op::BvNeg, args[0]) == Some(args[1])
        || pool.under(Op::BvNeg, args[1]) == Some(args[0]);
    negated.then(|| zero(pool, args[0]))
}

fn add_sub(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    for (difference, other) in [(args[0], args[1]), (args[1], args[0])] {
        if let Some((Op::BvSub, inner)) = pool.as_app(difference)
            && inner[1] == other
        {
            return Some(inner[0]);
        }
    }
    None
}

fn add_ite_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    pool.as_bits(args[1])?;
    let (op, inner) = pool.as_app(args[0])?;
    if op != Op::Ite || pool.as_bits(inner[1]).is_none() || pool.as_bits(inner[2]).is_none() {
        return None;
    }
    let (then, otherwise) = (
        pool.bv_add(inner[1], args[1]),
        pool.bv_add(inner[2], args[1]),
    );
    Some(pool.ite(inner[0], then, otherwise))
}

fn sub_zero(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    if is_zero(pool, args[1]) {
        return Some(args[0]);
    }
    is_zero(pool, args[0]).then(|| pool.bv_neg(args[1]))
}

fn sub_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    pool.as_bits(args[1])?;
    let negated = pool.bv_neg(args[1]);
    Some(pool.bv_add(args[0], negated))
}

fn sub_negation(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let inner = pool.under(Op::BvNeg, args[1])?;
    Some(pool.bv_add(args[0], inner))
}

fn sub_add(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let (op, inner) = pool.as_app(args[0])?;
    if op != Op::BvAdd {
        return None;
    }
    if inner[0] == args[1] {
        return Some(inner[1]);
    }
    (inner[1] == args[1]).then_some(inner[0])
}

fn mul_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    for (constant, other) in [(args[0], args[1]), (args[1], args[0])] {
        if is_zero(pool, constant) {
            return Some(constant);
        }
        if pool.as_bits(constant) == Some(1) {
            return Some(other);
        }
        if is_ones(pool, constant) {
            return Some(pool.bv_neg(other));
        }
    }
    None
}

fn mul_power(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let exponent = power_of_two(pool, args[1])?;
    let width = pool.width(args[0]);
    let amount = pool.bits(width, u128::from(exponent));
    // A narrow width cannot always express the shift amount.
    (pool.as_bits(amount) == Some(u128::from(exponent))).then(|| pool.bv_shl(args[0], amount))
}

fn udiv_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    match pool.as_bits(args[1])? {
        0 => Some(ones(pool, args[0])),
        1 => Some(args[0]),
        _ => None,
    }
}

fn udiv_power(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let exponent = power_of_two(pool, args[1])?;
    let width = pool.width(args[0]);
    let high = pool.extract(width - 1, exponent, args[0]);
    Some(pool.zero_extend_to(width, high))
}

fn urem_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    match pool.as_bits(args[1])? {
        0 => Some(args[0]),
        1 => Some(zero(pool, args[0])),
        _ => None,
    }
}

fn urem_power(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let exponent = power_of_two(pool, args[1])?;
    let width = pool.width(args[0]);
    let low = pool.extract(exponent - 1, 0, args[0]);
    Some(pool.zero_extend_to(width, low))
}

fn signed_division_by_one(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    if pool.as_bits(args[1]) != Some(1) || pool.width(args[0]) == 1 {
        return None;
    }
    Some(if op == Op::BvSdiv {
        args[0]
    } else {
        zero(pool, args[0])
    })
}

fn signed_division_power(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let exponent = power_of_two(pool, args[1])?;
    let width = pool.width(args[0]);
    // The greatest power is a negative number.
    if exponent == 0 || exponent + 1 >= width {
        return None;
    }
    if op == Op::BvSmod {
        return Some(pool.bv_urem(args[0], args[1]));
    }
    let zero = zero(pool, args[0]);
    let negative = pool.bv_slt(args[0], zero);
    if op == Op::BvSdiv {
        let rest = pool.bits(width, (1 << exponent) - 1);
        let rest = pool.ite(negative, rest, zero);
        let sum = pool.bv_add(args[0], rest);
        let high = pool.extract(width - 1, exponent, sum);
        return Some(pool.sign_extend_to(width, high));
    }
    let low = pool.bv_urem(args[0], args[1]);
    let minus = pool.bv_neg(args[0]);
    let minus = pool.bv_urem(minus, args[1]);
    let minus = pool.bv_neg(minus);
    Some(pool.ite(negative, minus, low))
}

fn shift_zero(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (is_zero(pool, args[0]) || is_zero(pool, args[1])).then_some(args[0])
}

fn shift_constant(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let width = pool.width(args[0]);
    let amount = pool.as_bits(args[1])?.min(u128::from(width)) as u32;
    if amount == 0 {
        return Some(args[0]);
    }
    if op == Op::BvAshr {
        let kept = pool.extract(width - 1, amount.min(width - 1), args[0]);
        return Some(pool.sign_extend_to(width, kept));
    }
    if amount == width {
        return Some(zero(pool, args[0]));
    }
    if op == Op::BvLshr {
        let kept = pool.extract(width - 1, amount, args[0]);
        return Some(pool.zero_extend_to(width, kept));
    }
    let kept = pool.extract(width - 1 - amount, 0, args[0]);
    let zeros = pool.bits(amount, 0);
    Some(pool.concat(kept, zeros))
}

fn strict_same(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (args[0] == args[1]).then(|| pool.bool(false))
}

fn weak_same(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (args[0] == args[1]).then(|| pool.bool(true))
}

fn ult_zero(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    if is_zero(pool, args[1]) {
        return Some(pool.bool(false));
    }
    if is_zero(pool, args[0]) {
        return Some(pool.ne(args[1], args[0]));
    }
    (pool.as_bits(args[1]) == Some(1)).then(|| {
        let zero = zero(pool, args[0]);
        pool.eq(args[0], zero)
    })
}

fn ult_top(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    if is_ones(pool, args[0]) {
        return Some(pool.bool(false));
    }
    is_ones(pool, args[1]).then(|| pool.ne(args[0], args[1]))
}

fn compare_extensions(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let ((first, a), (second, b)) = (pool.as_app(args[0])?, pool.as_app(args[1])?);
    let extension = matches!(first, Op::ZeroExtend { .. } | Op::SignExtend { .. });
    (extension && first == second).then(|| pool.apply_op(op, &[a[0], b[0]]))
}

fn signed_compare_extensions(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let ((first, a), (second, b)) = (pool.as_app(args[0])?, pool.as_app(args[1])?);
    if first != second {
        return None;
    }
    match first {
        Op::SignExtend { .. } => Some(pool.apply_op(op, &[a[0], b[0]])),
        Op::ZeroExtend { by } if by > 0 => {
            let unsigned = if op == Op::BvSlt {
                Op::BvUlt
            } else {
                Op::BvUle
            };
            Some(pool.apply_op(unsigned, &[a[0], b[0]]))
        }
        _ => None,
    }
}

fn ule_bounds(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    if is_zero(pool, args[0]) || is_ones(pool, args[1]) {
        return Some(pool.bool(true));
    }
    (is_zero(pool, args[1]) || is_ones(pool, args[0])).then(|| pool.eq(args[0], args[1]))
}

fn ule_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let width = pool.width(args[0]);
    if let Some(bound) = pool.as_bits(args[1]).filter(|bound| *bound < mask(width)) {
        let next = pool.bits(width, bound + 1);
        return Some(pool.bv_ult(args[0], next));
    }
    let bound = pool.as_bits(args[0]).filter(|bound| *bound > 0)?;
    let previous = pool.bits(width, bound - 1);
    Some(pool.bv_ult(previous, args[1]))
}

/// Whether the constant is the least or the greatest signed number.
fn signed_extreme(pool: &TermPool, id: TermId, least: bool) -> bool {
    let width = pool.width(id);
    let extreme = if least {
        -1i128 << (width - 1)
    } else {
        !(-1i128 << (width - 1))
    };
    pool.as_bits(id)
        .is_some_and(|value| sign_extend(width, value) == extreme)
}

fn slt_bounds(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (signed_extreme(pool, args[1], true) || signed_extreme(pool, args[0], false))
        .then(|| pool.bool(false))
}

fn sle_bounds(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (signed_extreme(pool, args[0], true) || signed_extreme(pool, args[1], false))
        .then(|| pool.bool(true))
}
