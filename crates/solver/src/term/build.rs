//! Constructors that simplify.
//!
//! Every constructor folds constants, then tries the rules of its operator, then interns the term. The
//! convenience constructors below the operators (n-ary conjunctions, overflow tests, …) are definitions in
//! terms of the operators, so that they need no evaluator, bit-blaster or printer of their own.

use super::value::{apply_bits, compare_bits};
use super::{Op, Sort, Term, TermId, TermPool, mask, rules_for};

impl TermPool {
    /// A truth value.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.intern(Term::Bool(value), Sort::Bool)
    }

    /// A bit-vector constant; bits of `value` above the width are dropped.
    ///
    /// # Panics
    /// If the width is not between 1 and 128.
    pub fn bits(&mut self, width: u32, value: u128) -> TermId {
        assert!(
            (1..=super::MAX_WIDTH).contains(&width),
            "no bit-vector of width {width}"
        );
        self.intern(
            Term::Bits {
                width,
                value: value & mask(width),
            },
            Sort::BitVec(width),
        )
    }

    /// An integer constant.
    pub fn int(&mut self, value: i128) -> TermId {
        self.intern(Term::Int(value), Sort::Int)
    }

    /// Applies an operator and simplifies the result.
    ///
    /// # Panics
    /// If the arguments do not have the sorts the operator needs.
    pub fn apply_op(&mut self, op: Op, args: &[TermId]) -> TermId {
        let sorts: Vec<Sort> = args.iter().map(|&a| self.sort(a)).collect();
        assert!(
            super::result_sort(op, &sorts).is_some(),
            "{op:?} cannot be applied to {sorts:?}"
        );
        if let Some(folded) = self.fold(op, args) {
            return folded;
        }
        for rule in rules_for(op) {
            if let Some(simpler) = (rule.apply)(self, op, args) {
                return simpler;
            }
        }
        self.raw(op, args)
    }

    /// Constant folding: an operator on bit-vector or integer constants is its value.
    fn fold(&mut self, op: Op, args: &[TermId]) -> Option<TermId> {
        if !args.iter().all(|&a| self.is_constant(a)) {
            return None;
        }
        match (*self.term(args[0]), args.get(1).map(|&b| *self.term(b))) {
            (Term::Bits { width, value }, second) => {
                let mut widths = vec![width];
                let mut values = vec![value];
                if let Some(Term::Bits { width, value }) = second {
                    widths.push(width);
                    values.push(value);
                }
                if op == Op::Eq {
                    return Some(self.bool(values[0] == values[1]));
                }
                if values.len() == 2
                    && let Some(truth) = compare_bits(op, width, values[0], values[1])
                {
                    return Some(self.bool(truth));
                }
                let folded = apply_bits(op, width, &widths, &values)?;
                let result = match op {
                    Op::Concat => widths[0] + widths[1],
                    Op::Extract { high, low } => high - low + 1,
                    Op::ZeroExtend { by } | Op::SignExtend { by } => width + by,
                    _ => width,
                };
                Some(self.bits(result, folded))
            }
            (Term::Int(a), Some(Term::Int(b))) => {
                let number = match op {
                    Op::IntAdd => a.checked_add(b),
                    Op::IntSub => a.checked_sub(b),
                    Op::IntMul => a.checked_mul(b),
                    Op::IntLe => return Some(self.bool(a <= b)),
                    Op::IntLt => return Some(self.bool(a < b)),
                    Op::Eq => return Some(self.bool(a == b)),
                    _ => None,
                };
                number.map(|value| self.int(value))
            }
            _ => None,
        }
    }

    /// Negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.apply_op(Op::Not, &[a])
    }

    /// Conjunction of two terms.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.apply_op(Op::And, &[a, b])
    }

    /// Disjunction of two terms.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.apply_op(Op::Or, &[a, b])
    }

    /// Exclusive or of two truth values.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.apply_op(Op::Xor, &[a, b])
    }

    /// Implication.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Conjunction of many terms; true if there are none.
    pub fn and_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let unit = self.bool(true);
        terms
            .into_iter()
            .fold(unit, |all, term| self.and(all, term))
    }

    /// Disjunction of many terms; false if there are none.
    pub fn or_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        let unit = self.bool(false);
        terms.into_iter().fold(unit, |any, term| self.or(any, term))
    }

    /// If-then-else of any sort.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.apply_op(Op::Ite, &[condition, then, otherwise])
    }

    /// Equality of two terms of one sort.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.apply_op(Op::Eq, &[a, b])
    }

    /// Disequality of two terms of one sort.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Bits `high` down to `low`.
    pub fn extract(&mut self, high: u32, low: u32, a: TermId) -> TermId {
        self.apply_op(Op::Extract { high, low }, &[a])
    }

    fn missing(&self, width: u32, a: TermId) -> u32 {
        let narrow = width.checked_sub(self.width(a));
        narrow.expect("an extension makes nothing narrower")
    }

    /// Puts zeros before a bit-vector until it has `width` bits.
    pub fn zero_extend_to(&mut self, width: u32, a: TermId) -> TermId {
        let by = self.missing(width, a);
        self.apply_op(Op::ZeroExtend { by }, &[a])
    }

    /// Repeats the sign bit before a bit-vector until it has `width` bits.
    pub fn sign_extend_to(&mut self, width: u32, a: TermId) -> TermId {
        let by = self.missing(width, a);
        self.apply_op(Op::SignExtend { by }, &[a])
    }

    /// The element of an array at an index.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        self.apply_op(Op::Select, &[array, index])
    }

    /// The array with one element changed.
    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        self.apply_op(Op::Store, &[array, index, element])
    }

    /// The array that holds `element` at every index.
    pub fn const_array(&mut self, index_width: u32, element: TermId) -> TermId {
        self.apply_op(Op::ConstArray { index: index_width }, &[element])
    }

    /// A bit-vector of width 1 that is one exactly if the truth value is true.
    pub fn bool_to_bit(&mut self, a: TermId) -> TermId {
        let (one, zero) = (self.bits(1, 1), self.bits(1, 0));
        self.ite(a, one, zero)
    }

    /// Whether a signed operation (`BvAdd`, `BvSub` or `BvMul`) leaves the range of its width.
    ///
    /// # Panics
    /// If the operation, widened to be exact, would be wider than 128 bits, or is none of the three.
    pub fn signed_overflow(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let exact = match op {
            Op::BvAdd | Op::BvSub => width + 1,
            Op::BvMul => 2 * width,
            _ => panic!("no overflow test for {op:?}"),
        };
        let (wide_a, wide_b) = (self.sign_extend_to(exact, a), self.sign_extend_to(exact, b));
        let wide = self.apply_op(op, &[wide_a, wide_b]);
        let narrow = self.apply_op(op, &[a, b]);
        let back = self.sign_extend_to(exact, narrow);
        self.ne(wide, back)
    }
}

macro_rules! binary_constructors {
    ($($(#[$doc:meta])* $name:ident => $op:expr;)*) => {
        impl TermPool {
            $($(#[$doc])* pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
                self.apply_op($op, &[a, b])
            })*
        }
    };
}

binary_constructors! {
    /// Sum modulo two to the width.
    bv_add => Op::BvAdd;
    /// Difference modulo two to the width.
    bv_sub => Op::BvSub;
    /// Product modulo two to the width.
    bv_mul => Op::BvMul;
    /// Unsigned quotient; all ones for division by zero.
    bv_udiv => Op::BvUdiv;
    /// Unsigned remainder; the dividend for division by zero.
    bv_urem => Op::BvUrem;
    /// Signed quotient, rounded towards zero.
    bv_sdiv => Op::BvSdiv;
    /// Signed remainder with the sign of the dividend.
    bv_srem => Op::BvSrem;
    /// Signed remainder with the sign of the divisor.
    bv_smod => Op::BvSmod;
    /// Bitwise conjunction.
    bv_and => Op::BvAnd;
    /// Bitwise disjunction.
    bv_or => Op::BvOr;
    /// Bitwise exclusive or.
    bv_xor => Op::BvXor;
    /// Shift left; zero if the amount is at least the width.
    bv_shl => Op::BvShl;
    /// Logical shift right; zero if the amount is at least the width.
    bv_lshr => Op::BvLshr;
    /// Arithmetic shift right; all sign bits if the amount is at least the width.
    bv_ashr => Op::BvAshr;
    /// Unsigned less-than.
    bv_ult => Op::BvUlt;
    /// Unsigned at-most.
    bv_ule => Op::BvUle;
    /// Signed less-than.
    bv_slt => Op::BvSlt;
    /// Signed at-most.
    bv_sle => Op::BvSle;
    /// The bits of `a` before the bits of `b`.
    concat => Op::Concat;
    /// Sum of integers.
    int_add => Op::IntAdd;
    /// Difference of integers.
    int_sub => Op::IntSub;
    /// Product of integers.
    int_mul => Op::IntMul;
    /// At-most on integers.
    int_le => Op::IntLe;
    /// Less-than on integers.
    int_lt => Op::IntLt;
}

impl TermPool {
    /// Bitwise complement.
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        self.apply_op(Op::BvNot, &[a])
    }

    /// Two's-complement negation.
    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        self.apply_op(Op::BvNeg, &[a])
    }
}
