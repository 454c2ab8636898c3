//! Rewrite rules for extraction, concatenation, extension and arrays.
//!
//! Normal form: extractions are pushed towards the leaves, neighbouring extractions of one term are joined,
//! extensions of extensions are merged, and a concatenation with leading zeros is a zero-extension.

use super::rules::Rule;
use super::{Op, TermId, TermPool};

pub(super) const CONCAT: &[Rule] = &[
    Rule {
        name: "concat-extracts",
        law: "a[h:m+1]·a[m:l] = a[h:l]",
        apply: concat_extracts,
    },
    Rule {
        name: "concat-zero",
        law: "0…0·a = zero-extension of a",
        apply: concat_zero,
    },
    Rule {
        name: "concat-constants",
        law: "(a·k)·m = a·(k·m)",
        apply: concat_constants,
    },
];
pub(super) const EXTRACT: &[Rule] = &[
    Rule {
        name: "extract-all",
        law: "a[w−1:0] = a",
        apply: extract_all,
    },
    Rule {
        name: "extract-extract",
        law: "a[h:l][i:j] = a[i+l:j+l]",
        apply: extract_extract,
    },
    Rule {
        name: "extract-concat",
        law: "(a·b)[h:l] lies in one part, or is the concatenation of both parts",
        apply: extract_concat,
    },
    Rule {
        name: "extract-extension",
        law: "(ext a)[h:l] = a[h:l], zeros, or a shorter extension of a[w−1:l]",
        apply: extract_extension,
    },
    Rule {
        name: "extract-bitwise",
        law: "(a ∘ b)[h:l] = a[h:l] ∘ b[h:l] for bitwise operators and if-then-else",
        apply: extract_bitwise,
    },
    Rule {
        name: "extract-low-sum",
        law: "(a + b)[h:0] = a[h:0] + b[h:0], also for −, · and negation",
        apply: extract_low_sum,
    },
];
pub(super) const EXTEND: &[Rule] = &[
    Rule {
        name: "extend-by-zero",
        law: "extension by no bits is the term itself",
        apply: extend_by_zero,
    },
    Rule {
        name: "extend-extend",
        law: "zext zext a = zext a, sext sext a = sext a, sext zext a = zext a",
        apply: extend_extend,
    },
];
pub(super) const SELECT: &[Rule] = &[
    Rule {
        name: "select-store-same",
        law: "select(store(a, i, v), i) = v",
        apply: select_store_same,
    },
    Rule {
        name: "select-store-other",
        law: "select(store(a, k, v), m) = select(a, m) for constants k ≠ m",
        apply: select_store_other,
    },
    Rule {
        name: "select-constant",
        law: "select(K(v), i) = v",
        apply: select_constant,
    },
];
pub(super) const STORE: &[Rule] = &[
    Rule {
        name: "store-store",
        law: "store(store(a, i, v), i, w) = store(a, i, w)",
        apply: store_store,
    },
    Rule {
        name: "store-select",
        law: "store(a, i, select(a, i)) = a",
        apply: store_select,
    },
];

fn concat_extracts(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let ((first, a), (second, b)) = (pool.as_app(args[0])?, pool.as_app(args[1])?);
    match (first, second) {
        (
            Op::Extract { high, low },
            Op::Extract {
                high: next,
                low: end,
            },
        ) if a[0] == b[0] && low == next + 1 => Some(pool.extract(high, end, a[0])),
        _ => None,
    }
}

fn concat_zero(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    (pool.as_bits(args[0]) == Some(0)).then(|| {
        let width = pool.width(args[0]) + pool.width(args[1]);
        pool.zero_extend_to(width, args[1])
    })
}

fn concat_constants(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    pool.as_bits(args[1])?;
    let (op, inner) = pool.as_app(args[0])?;
    if op != Op::Concat || pool.as_bits(inner[1]).is_none() {
        return None;
    }
    let constant = pool.concat(inner[1], args[1]);
    Some(pool.concat(inner[0], constant))
}

fn bounds(op: Op) -> Option<(u32, u32)> {
    match op {
        Op::Extract { high, low } => Some((high, low)),
        _ => None,
    }
}

fn extract_all(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let (high, low) = bounds(op)?;
    (low == 0 && high + 1 == pool.width(args[0])).then_some(args[0])
}

fn extract_extract(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let (high, low) = bounds(op)?;
    let (inner, a) = pool.as_app(args[0])?;
    let (_, offset) = bounds(inner)?;
    Some(pool.extract(high + offset, low + offset, a[0]))
}

fn extract_concat(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let (high, low) = bounds(op)?;
    let (inner, a) = pool.as_app(args[0])?;
    if inner != Op::Concat {
        return None;
    }
    let split = pool.width(a[1]);
    if high < split {
        return Some(pool.extract(high, low, a[1]));
    }
    if low >= split {
        return Some(pool.extract(high - split, low - split, a[0]));
    }
    let (upper, lower) = (
        pool.extract(high - split, 0, a[0]),
        pool.extract(split - 1, low, a[1]),
    );
    Some(pool.concat(upper, lower))
}

fn extract_extension(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let (high, low) = bounds(op)?;
    let (inner, a) = pool.as_app(args[0])?;
    if !matches!(inner, Op::ZeroExtend { .. } | Op::SignExtend { .. }) {
        return None;
    }
    let width = pool.width(a[0]);
    if high < width {
        return Some(pool.extract(high, low, a[0]));
    }
    let kept = if low < width {
        pool.extract(width - 1, low, a[0])
    } else if matches!(inner, Op::ZeroExtend { .. }) {
        return Some(pool.bits(high - low + 1, 0));
    } else {
        pool.extract(width - 1, width - 1, a[0])
    };
    let by = (high - low + 1) - pool.width(kept);
    let shorter = if matches!(inner, Op::ZeroExtend { .. }) {
        Op::ZeroExtend { by }
    } else {
        Op::SignExtend { by }
    };
    Some(pool.apply_op(shorter, &[kept]))
}

fn extract_bitwise(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let (high, low) = bounds(op)?;
    let (inner, a) = pool.as_app(args[0])?;
    match inner {
        Op::BvNot => {
            let part = pool.extract(high, low, a[0]);
            Some(pool.bv_not(part))
        }
        Op::BvAnd | Op::BvOr | Op::BvXor => {
            let parts = [pool.extract(high, low, a[0]), pool.extract(high, low, a[1])];
            Some(pool.apply_op(inner, &parts))
        }
        Op::Ite => {
            let (then, otherwise) = (pool.extract(high, low, a[1]), pool.extract(high, low, a[2]));
            Some(pool.ite(a[0], then, otherwise))
        }
        _ => None,
    }
}

fn extract_low_sum(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let (high, low) = bounds(op)?;
    let (inner, a) = pool.as_app(args[0])?;
    if low != 0 {
        return None;
    }
    match inner {
        Op::BvAdd | Op::BvSub | Op::BvMul => {
            let parts = [pool.extract(high, 0, a[0]), pool.extract(high, 0, a[1])];
            Some(pool.apply_op(inner, &parts))
        }
        Op::BvNeg => {
            let part = pool.extract(high, 0, a[0]);
            Some(pool.bv_neg(part))
        }
        _ => None,
    }
}

fn extend_by_zero(_: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    matches!(op, Op::ZeroExtend { by: 0 } | Op::SignExtend { by: 0 }).then_some(args[0])
}

fn extend_extend(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let (inner, a) = pool.as_app(args[0])?;
    let merged = match (op, inner) {
        (Op::ZeroExtend { by }, Op::ZeroExtend { by: more }) => Op::ZeroExtend { by: by + more },
        (Op::SignExtend { by }, Op::SignExtend { by: more }) => Op::SignExtend { by: by + more },
        (Op::SignExtend { by }, Op::ZeroExtend { by: more }) if more > 0 => {
            Op::ZeroExtend { by: by + more }
        }
        _ => return None,
    };
    Some(pool.apply_op(merged, &[a[0]]))
}

fn select_store_same(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let (op, inner) = pool.as_app(args[0])?;
    (op == Op::Store && inner[1] == args[1]).then_some(inner[2])
}

fn select_store_other(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let (op, inner) = pool.as_app(args[0])?;
    if op != Op::Store {
        return None;
    }
    let (stored, wanted) = (pool.as_bits(inner[1])?, pool.as_bits(args[1])?);
    (stored != wanted).then(|| pool.select(inner[0], args[1]))
}

fn select_constant(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    match pool.as_app(args[0])? {
        (Op::ConstArray { .. }, inner) => Some(inner[0]),
        _ => None,
    }
}

fn store_store(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let (op, inner) = pool.as_app(args[0])?;
    (op == Op::Store && inner[1] == args[1]).then(|| pool.store(inner[0], args[1], args[2]))
}

fn store_select(pool: &mut TermPool, _: Op, args: &[TermId]) -> Option<TermId> {
    let (op, inner) = pool.as_app(args[2])?;
    (op == Op::Select && inner[0] == args[0] && inner[1] == args[1]).then_some(args[0])
}
