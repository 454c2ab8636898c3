//! The rewrite rules as data: each is one small function with the law it uses.
//!
//! A rule looks at one operator applied to already simplified arguments and either returns an equal,
//! simpler term or declines. [`TermPool::apply_op`](super::TermPool::apply_op) tries them in order. The
//! property tests take the same tables, apply every rule to random instances and compare both sides with
//! the evaluator, so that a rule cannot be added without being tested.
//!
//! Missed on purpose: rules that need more than two levels of the term, and normal forms for sums and
//! products; the SAT solver finds those, and they would make sharing worse. Whoever needs
//! one form for equations between sums asks for it (`sums.rs`).

use super::{Op, Term, TermId, TermPool, rules_bits, rules_bool, rules_structure};

/// A rewrite rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// What the rule is called in tests and statistics.
    pub name: &'static str,
    /// The equation it applies, left to right.
    pub law: &'static str,
    /// The rewrite itself, on the operator and its simplified arguments.
    pub apply: fn(&mut TermPool, Op, &[TermId]) -> Option<TermId>,
}

/// The rules tried for an operator, in order.
pub fn rules_for(op: Op) -> &'static [Rule] {
    match op {
        Op::Not => rules_bool::NOT,
        Op::And => rules_bool::AND,
        Op::Or => rules_bool::OR,
        Op::Xor => rules_bool::XOR,
        Op::Ite => rules_bool::ITE,
        Op::Eq => rules_bool::EQ,
        Op::BvNot => rules_bits::BV_NOT,
        Op::BvNeg => rules_bits::BV_NEG,
        Op::BvAnd => rules_bits::BV_AND,
        Op::BvOr => rules_bits::BV_OR,
        Op::BvXor => rules_bits::BV_XOR,
        Op::BvAdd => rules_bits::BV_ADD,
        Op::BvSub => rules_bits::BV_SUB,
        Op::BvMul => rules_bits::BV_MUL,
        Op::BvUdiv => rules_bits::BV_UDIV,
        Op::BvUrem => rules_bits::BV_UREM,
        Op::BvShl | Op::BvLshr | Op::BvAshr => rules_bits::SHIFT,
        Op::BvUlt => rules_bits::ULT,
        Op::BvUle => rules_bits::ULE,
        Op::BvSlt => rules_bits::SLT,
        Op::BvSle => rules_bits::SLE,
        Op::Concat => rules_structure::CONCAT,
        Op::Extract { .. } => rules_structure::EXTRACT,
        Op::ZeroExtend { .. } | Op::SignExtend { .. } => rules_structure::EXTEND,
        Op::Select => rules_structure::SELECT,
        Op::Store => rules_structure::STORE,
        Op::BvSdiv | Op::BvSrem | Op::BvSmod => rules_bits::SIGNED_DIVISION,
        Op::IntAdd | Op::IntSub | Op::IntMul | Op::IntLe | Op::IntLt | Op::ConstArray { .. } => &[],
    }
}

/// Every rule with an operator that it is listed under.
pub fn all_rules() -> Vec<(Op, Rule)> {
    let ops = [
        Op::Not,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Ite,
        Op::Eq,
        Op::BvNot,
        Op::BvNeg,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvAdd,
        Op::BvSub,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvSmod,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvUlt,
        Op::BvUle,
        Op::BvSlt,
        Op::BvSle,
        Op::Concat,
        Op::Extract { high: 0, low: 0 },
        Op::ZeroExtend { by: 0 },
        Op::SignExtend { by: 0 },
        Op::Select,
        Op::Store,
    ];
    ops.into_iter()
        .flat_map(|op| rules_for(op).iter().map(move |rule| (op, *rule)))
        .collect()
}

impl TermPool {
    pub(super) fn as_bool(&self, id: TermId) -> Option<bool> {
        match self.term(id) {
            Term::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn as_bits(&self, id: TermId) -> Option<u128> {
        match self.term(id) {
            Term::Bits { value, .. } => Some(*value),
            _ => None,
        }
    }

    pub(super) fn as_app(&self, id: TermId) -> Option<(Op, [TermId; 3])> {
        match self.term(id) {
            Term::App { op, args, .. } => Some((*op, *args)),
            _ => None,
        }
    }

    /// The argument of a term with that unary operator.
    pub(super) fn under(&self, op: Op, id: TermId) -> Option<TermId> {
        self.as_app(id)
            .filter(|(found, _)| *found == op)
            .map(|(_, args)| args[0])
    }

    /// Whether one term is the negation of the other.
    pub(super) fn opposite(&self, a: TermId, b: TermId) -> bool {
        self.under(Op::Not, a) == Some(b) || self.under(Op::Not, b) == Some(a)
    }

    pub(super) fn is_constant(&self, id: TermId) -> bool {
        matches!(
            self.term(id),
            Term::Bool(_) | Term::Bits { .. } | Term::Int(_)
        )
    }
}

/// Puts the arguments of a commutative operator in one order: constants last, then by age.
pub(super) fn commute(pool: &mut TermPool, op: Op, args: &[TermId]) -> Option<TermId> {
    let key = |id: TermId| (pool.is_constant(id), id);
    (key(args[0]) > key(args[1])).then(|| pool.apply_op(op, &[args[1], args[0]]))
}
