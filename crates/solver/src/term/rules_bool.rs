//! Rewrite rules for truth values, if-then-else and equality.

use super::rules::{Rule, commute};
use super::{Op, Sort, TermId, TermPool};

pub(super) const NOT: &[Rule] = &[
    Rule {
        name: "not-constant",
        law: "¬true = false",
        apply: not_constant,
    },
    Rule {
        name: "not-not",
        law: "¬¬a = a",
        apply: not_not,
    },
    Rule {
        name: "not-less",
        law: "¬(a < b) = b ≤ a, and with the roles exchanged",
        apply: not_less,
    },
];
pub(super) const AND: &[Rule] = &[
    Rule {
        name: "and-constant",
        law: "a ∧ true = a, a ∧ false = false",
        apply: and_constant,
    },
    Rule {
        name: "and-idempotent",
        law: "a ∧ a = a",
        apply: idempotent,
    },
    Rule {
        name: "and-opposite",
        law: "a ∧ ¬a = false",
        apply: and_opposite,
    },
    Rule {
        name: "and-commute",
        law: "a ∧ b = b ∧ a",
        apply: commute,
    },
    Rule {
        name: "and-absorb",
        law: "a ∧ (a ∧ b) = a ∧ b, a ∧ (a ∨ b) = a, a ∧ (¬a ∧ b) = false, a ∧ (¬a ∨ b) = a ∧ b",
        apply: and_absorb,
    },
];
pub(super) const OR: &[Rule] = &[
    Rule {
        name: "or-constant",
        law: "a ∨ false = a, a ∨ true = true",
        apply: or_constant,
    },
    Rule {
        name: "or-idempotent",
        law: "a ∨ a = a",
        apply: idempotent,
    },
    Rule {
        name: "or-opposite",
        law: "a ∨ ¬a = true",
        apply: or_opposite,
    },
    Rule {
        name: "or-commute",
        law: "a ∨ b = b ∨ a",
        apply: commute,
    },
    Rule {
        name: "or-absorb",
        law: "a ∨ (a ∨ b) = a ∨ b, a ∨ (a ∧ b) = a, a ∨ (¬a ∨ b) = true, a ∨ (¬a ∧ b) = a ∨ b",
        apply: or_absorb,
    },
];
pub(super) const XOR: &[Rule] = &[
    Rule {
        name: "xor-constant",
        law: "a ⊕ false = a, a ⊕ true = ¬a",
        apply: xor_constant,
    },
    Rule {
        name: "xor-self",
        law: "a ⊕ a = false",
        apply: xor_self,
    },
    Rule {
        name: "xor-opposite",
        law: "a ⊕ ¬a = true",
        apply: or_opposite,
    },
    Rule {
        name: "xor-not",
        law: "¬a ⊕ b = ¬(a ⊕ b)",
        apply: xor_not,
    },
    Rule {
        name: "xor-commute",
        law: "a ⊕ b = b ⊕ a",
        apply: commute,
    },
];
pub(super) const ITE: &[Rule] = &[
    Rule {
        name: "ite-constant",
        law: "ite(true, a, b) = a",
        apply: ite_constant,
    },
    Rule {
        name: "ite-same",
        law: "ite(c, a, a) = a",
        apply: ite_same,
    },
    Rule {
        name: "ite-not",
        law: "ite(¬c, a, b) = ite(c, b, a)",
        apply: ite_not,
    },
    Rule {
        name: "ite-nested",
        law: "ite(c, ite(c, a, x), b) = ite(c, a, b), likewise in the other branch",
        apply: ite_nested,
    },
    Rule {
        name: "ite-bool-constant",
        law: "ite(c, true, b) = c ∨ b and the three like it",
        apply: ite_bool_constant,
    },
    Rule {
        name: "ite-bool-condition",
        law: "ite(c, c, b) = c ∨ b, ite(c, a, c) = c ∧ a",
        apply: ite_bool_condition,
    },
    Rule {
        name: "ite-bool-opposite",
        law: "ite(c, ¬a, a) = c ⊕ a",
        apply: ite_bool_opposite,
    },
    Rule {
        name: "ite-merge",
        law: "ite(c, a, ite(d, a, b)) = ite(c ∨ d, a, b)",
        apply: ite_merge,
    },
];
pub(super) const EQ: &[Rule] = &[
    Rule {
        name: "eq-same",
        law: "a = a is true",
        apply: eq_same,
    },
    Rule {
        name: "eq-bool-constant",
        law: "(a = true) = a, (a = false) = ¬a",
        apply: eq_bool_constant,
    },
    Rule {
        name: "eq-bool",
        law: "(a = b) = ¬(a ⊕ b) on truth values",
        apply: eq_bool,
    },
    Rule {
        name: "eq-commute",
        law: "(a = b) = (b = a)",
        apply: commute,
    },
    Rule {
        name: "eq-injective",
        law: "(∘a = ∘b) = (a = b) for complement, negation and extensions",
        apply: eq_injective,
    },
    Rule {
        name: "eq-unary-constant",
        law: "(∘a = k) = (a = ∘⁻¹k) for complement and negation",
        apply: eq_unary_constant,
    },
    Rule {
        name: "eq-add-constant",
        law: "(a + k = m) = (a = m − k)",
        apply: eq_add_constant,
    },
    Rule {
        name: "eq-add-shared",
        law: "(a + b = a) = (b = 0), (a + b = a + c) = (b = c)",
        apply: eq_add_shared,
    },
    Rule {
        name: "eq-extension-constant",
        law: "(ext a = k) = (a = low k) if ext (low k) = k, else false",
        apply: eq_extension_constant,
    },
    Rule {
        name: "eq-concat-constant",
        law: "(a·b = k) = (a = high k) ∧ (b = low k)",
        apply: eq_concat_constant,
    },
    Rule {
        name: "eq-ite-constant",
        law: "(ite(c, k, m) = n) = c, ¬c, true or false for constants",
        apply: eq_ite_constant,
    },
    Rule {
        name: "eq-ite-branch",
        law: "(ite(c, a, b) = a) = c ∨ (b = a)",
        apply: eq_ite_branch,
    },
];

fn not_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let value = pool.as_bool(args[0])?;
    Some(pool.bool(!value))
}

fn not_not(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    pool.under(Op::Not, args[0])
}

fn not_less(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let (op, inner) = pool.as_app(args[0])?;
    let flipped = match op {
        Op::BvUlt => Op::BvUle,
        Op::BvUle => Op::BvUlt,
        Op::BvSlt => Op::BvSle,
        Op::BvSle => Op::BvSlt,
        Op::IntLt => Op::IntLe,
        Op::IntLe => Op::IntLt,
        _ => return None,
    };
    Some(pool.apply_op(flipped, &[inner[1], inner[0]]))
}

fn idempotent(_: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (args[0] == args[1]).then_some(args[0])
}

fn and_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    match (pool.as_bool(args[0]), pool.as_bool(args[1])) {
        (Some(true), _) => Some(args[1]),
        (_, Some(true)) => Some(args[0]),
        (Some(false), _) | (_, Some(false)) => Some(pool.bool(false)),
        _ => None,
    }
}

fn and_opposite(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    pool.opposite(args[0], args[1]).then(|| pool.bool(false))
}

fn and_absorb(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    for (a, other) in [(args[0], args[1]), (args[1], args[0])] {
        let Some((op, inner)) = pool.as_app(other) else {
            continue;
        };
        if op != Op::And && op != Op::Or {
            continue;
        }
        for (same, rest) in [(inner[0], inner[1]), (inner[1], inner[0])] {
            if same == a {
                return Some(if op == Op::And { other } else { a });
            }
            if pool.opposite(same, a) {
                return Some(if op == Op::And {
                    pool.bool(false)
                } else {
                    pool.and(a, rest)
                });
            }
        }
    }
    None
}

fn or_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    match (pool.as_bool(args[0]), pool.as_bool(args[1])) {
        (Some(false), _) => Some(args[1]),
        (_, Some(false)) => Some(args[0]),
        (Some(true), _) | (_, Some(true)) => Some(pool.bool(true)),
        _ => None,
    }
}

fn or_opposite(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    pool.opposite(args[0], args[1]).then(|| pool.bool(true))
}

fn or_absorb(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    for (a, other) in [(args[0], args[1]), (args[1], args[0])] {
        let Some((op, inner)) = pool.as_app(other) else {
            continue;
        };
        if op != Op::And && op != Op::Or {
            continue;
        }
        for (same, rest) in [(inner[0], inner[1]), (inner[1], inner[0])] {
            if same == a {
                return Some(if op == Op::Or { other } else { a });
            }
            if pool.opposite(same, a) {
                return Some(if op == Op::Or {
                    pool.bool(true)
                } else {
                    pool.or(a, rest)
                });
            }
        }
    }
    None
}

fn xor_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let (value, other) = match (pool.as_bool(args[0]), pool.as_bool(args[1])) {
        (Some(value), _) => (value, args[1]),
        (_, Some(value)) => (value, args[0]),
        _ => return None,
    };
    Some(if value { pool.not(other) } else { other })
}

fn xor_self(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (args[0] == args[1]).then(|| pool.bool(false))
}

fn xor_not(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let inner = match (pool.under(Op::Not, args[0]), pool.under(Op::Not, args[1])) {
        (Some(a), _) => pool.xor(a, args[1]),
        (_, Some(b)) => pool.xor(args[0], b),
        _ => return None,
    };
    Some(pool.not(inner))
}

fn ite_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    pool.as_bool(args[0])
        .map(|condition| if condition { args[1] } else { args[2] })
}

fn ite_same(_: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (args[1] == args[2]).then_some(args[1])
}

fn ite_not(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let condition = pool.under(Op::Not, args[0])?;
    Some(pool.ite(condition, args[2], args[1]))
}

fn ite_nested(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    if let Some((Op::Ite, inner)) = pool.as_app(args[1])
        && inner[0] == args[0]
    {
        return Some(pool.ite(args[0], inner[1], args[2]));
    }
    if let Some((Op::Ite, inner)) = pool.as_app(args[2])
        && inner[0] == args[0]
    {
        return Some(pool.ite(args[0], args[1], inner[2]));
    }
    None
}

fn ite_bool_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let [c, a, b] = [args[0], args[1], args[2]];
    match (pool.as_bool(a), pool.as_bool(b)) {
        (Some(true), _) => Some(pool.or(c, b)),
        (Some(false), _) => {
            let not_c = pool.not(c);
            Some(pool.and(not_c, b))
        }
        (_, Some(true)) => {
            let not_c = pool.not(c);
            Some(pool.or(not_c, a))
        }
        (_, Some(false)) => Some(pool.and(c, a)),
        _ => None,
    }
}

fn ite_bool_condition(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    if args[0] == args[1] {
        return Some(pool.or(args[0], args[2]));
    }
    (args[0] == args[2]).then(|| pool.and(args[0], args[1]))
}

fn ite_bool_opposite(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (pool.sort(args[1]) == Sort::Bool && pool.opposite(args[1], args[2]))
        .then(|| pool.xor(args[0], args[2]))
}

fn ite_merge(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let (op, inner) = pool.as_app(args[2])?;
    if op != Op::Ite || inner[1] != args[1] {
        return None;
    }
    let either = pool.or(args[0], inner[0]);
    Some(pool.ite(either, args[1], inner[2]))
}

fn eq_same(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (args[0] == args[1]).then(|| pool.bool(true))
}

fn eq_bool_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let (value, other) = match (pool.as_bool(args[0]), pool.as_bool(args[1])) {
        (Some(value), _) => (value, args[1]),
        (_, Some(value)) => (value, args[0]),
        _ => return None,
    };
    Some(if value { other } else { pool.not(other) })
}

fn eq_bool(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    if pool.sort(args[0]) != Sort::Bool {
        return None;
    }
    let differ = pool.xor(args[0], args[1]);
    Some(pool.not(differ))
}

fn eq_injective(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let ((op, a), (other, b)) = (pool.as_app(args[0])?, pool.as_app(args[1])?);
    let injective = matches!(
        op,
        Op::BvNot | Op::BvNeg | Op::ZeroExtend { .. } | Op::SignExtend { .. }
    );
    (op == other && injective).then(|| pool.eq(a[0], b[0]))
}

fn eq_unary_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    pool.as_bits(args[1])?;
    let (op, a) = pool.as_app(args[0])?;
    if !matches!(op, Op::BvNot | Op::BvNeg) {
        return None;
    }
    let inverse = pool.apply_op(op, &[args[1]]);
    Some(pool.eq(a[0], inverse))
}

fn eq_add_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    pool.as_bits(args[1])?;
    let (op, a) = pool.as_app(args[0])?;
    if op != Op::BvAdd || pool.as_bits(a[1]).is_none() {
        return None;
    }
    let difference = pool.bv_sub(args[1], a[1]);
    Some(pool.eq(a[0], difference))
}

fn eq_add_shared(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    for (sum, other) in [(args[0], args[1]), (args[1], args[0])] {
        let Some((Op::BvAdd, a)) = pool.as_app(sum) else {
            continue;
        };
        for (shared, rest) in [(a[0], a[1]), (a[1], a[0])] {
            if shared == other {
                let width = pool.width(rest);
                let zero = pool.bits(width, 0);
                return Some(pool.eq(rest, zero));
            }
            if let Some((Op::BvAdd, b)) = pool.as_app(other) {
                if b[0] == shared {
                    return Some(pool.eq(rest, b[1]));
                }
                if b[1] == shared {
                    return Some(pool.eq(rest, b[0]));
                }
            }
        }
    }
    None
}

fn eq_extension_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    pool.as_bits(args[1])?;
    let (op, a) = pool.as_app(args[0])?;
    if !matches!(op, Op::ZeroExtend { .. } | Op::SignExtend { .. }) {
        return None;
    }
    let high = pool.width(a[0]) - 1;
    let low = pool.extract(high, 0, args[1]);
    let again = pool.apply_op(op, &[low]);
    Some(if again == args[1] {
        pool.eq(a[0], low)
    } else {
        pool.bool(false)
    })
}

fn eq_concat_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    pool.as_bits(args[1])?;
    let (op, a) = pool.as_app(args[0])?;
    if op != Op::Concat {
        return None;
    }
    let (low_width, width) = (pool.width(a[1]), pool.width(args[1]));
    let high = pool.extract(width - 1, low_width, args[1]);
    let low = pool.extract(low_width - 1, 0, args[1]);
    let (high_equal, low_equal) = (pool.eq(a[0], high), pool.eq(a[1], low));
    Some(pool.and(high_equal, low_equal))
}

fn eq_ite_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let constant = pool.as_bits(args[1])?;
    let (op, inner) = pool.as_app(args[0])?;
    if op != Op::Ite {
        return None;
    }
    let (then, otherwise) = (pool.as_bits(inner[1])?, pool.as_bits(inner[2])?);
    Some(match (then == constant, otherwise == constant) {
        (true, true) => pool.bool(true),
        (true, false) => inner[0],
        (false, true) => pool.not(inner[0]),
        (false, false) => pool.bool(false),
    })
}

fn eq_ite_branch(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    for (choice, other) in [(args[0], args[1]), (args[1], args[0])] {
        let Some((Op::Ite, inner)) = pool.as_app(choice) else {
            continue;
        };
        if inner[1] == other {
            let equal = pool.eq(inner[2], other);
            return Some(pool.or(inner[0], equal));
        }
        if inner[2] == other {
            let (equal, not_condition) = (pool.eq(inner[1], other), pool.not(inner[0]));
            return Some(pool.or(not_condition, equal));
        }
    }
    None
}
