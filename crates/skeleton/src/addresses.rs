//! What may be computed from addresses.
//!
//! Objects have concrete bases here, other ones than in the interpreter or in a real process, so an answer must not depend on
//! them. Equality, offsets within one object, and the low bits that alignment fixes mean the same for every layout; whatever else is
//! computed from the number of an address is computed from variables for the bases ([`crate::layout`]).

use crate::guard::Guard;
use crate::names::ObjectKey;
use crate::unwind::Unwinder;
use raddle_ir::{BinaryOp, CastKind, CompareOp, Location, Operand, Rvalue};
use raddle_solver::term::{Term, TermId};
use raddle_symbolic::{Targets, Value};

impl Unwinder<'_> {
    /// Notes a computation whose result depends on where objects lie, and which is not treated.
    pub(crate) fn note_address_use(
        &mut self,
        guard: Guard,
        rvalue: &Rvalue,
        known: &[(Operand, Value)],
        at: Location,
    ) {
        if self.depends_on_layout(rvalue, known) {
            self.unsupported(guard, at, "a computation with the number of an address");
        }
    }

    /// Whether the result of a computation depends on where objects lie.
    pub(crate) fn depends_on_layout(&self, rvalue: &Rvalue, known: &[(Operand, Value)]) -> bool {
        // A number that became an address is still that number, wherever objects lie.
        let address = |v: &Value| matches!(&v.targets, Targets::These(t) if !t.is_empty());
        if !known.iter().any(|(_, v)| address(v)) {
            return false;
        }
        // Numbers that are made of places already.
        if known.iter().all(|(_, v)| self.is_number(v)) {
            return false;
        }
        let value = |i: usize| known.get(i).map(|(_, v)| v);
        let fine = match rvalue {
            Rvalue::Compare { op, .. } => match (value(0), value(1)) {
                (Some(a), Some(b)) => self.comparison_is_fine(*op, a, b),
                _ => true,
            },
            Rvalue::Binary { op, .. } => match (value(0), value(1)) {
                (Some(a), Some(b)) => self.operation_is_fine(*op, a, b),
                _ => true,
            },
            Rvalue::Cast { kind, .. } => !matches!(
                kind,
                CastKind::Trunc | CastKind::SIntToFloat | CastKind::UIntToFloat
            ),
            Rvalue::Unary { .. } | Rvalue::Pure { .. } => false,
            Rvalue::Use(_) | Rvalue::PtrAdd { .. } | Rvalue::Select { .. } => true,
        };
        !fine
    }

    fn comparison_is_fine(&self, op: CompareOp, a: &Value, b: &Value) -> bool {
        if self.has_places(a) || self.has_places(b) {
            return false;
        }
        let whole = |v: &Value| self.pool.width(v.bits) >= self.program.model.pointer_bits();
        if !whole(a) || !whole(b) {
            return false;
        }
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        match (a.targets.is_none(), b.targets.is_none()) {
            (true, true) => true,
            (false, false) => equality || same_object(a, b),
            // An address is never equal to null, to small numbers, or to the last ones.
            (true, false) => self.is_nobodys(a.bits) && (equality || self.is_zero(a.bits)),
            (false, true) => self.is_nobodys(b.bits) && (equality || self.is_zero(b.bits)),
        }
    }

    fn operation_is_fine(&self, op: BinaryOp, a: &Value, b: &Value) -> bool {
        let constant = |v: &Value| match *self.pool.term(v.bits) {
            Term::Bits { value, .. } if v.targets.is_none() => Some(value),
            _ => None,
        };
        let width = self.pool.width(a.bits);
        let all = u128::MAX >> (128 - width);
        let aligned = self.alignment(a).min(self.alignment(b));
        match op {
            BinaryOp::Add => a.targets.is_none() || b.targets.is_none(),
            BinaryOp::Sub => b.targets.is_none() || same_object(a, b),
            // Low bits alone, or everything but low bits.
            BinaryOp::And => constant(a)
                .or(constant(b))
                .is_some_and(|m| m < aligned || m | (aligned - 1) == all),
            BinaryOp::Or | BinaryOp::Xor => {
                constant(a).or(constant(b)).is_some_and(|m| m < aligned)
            }
            BinaryOp::URem => {
                b.targets.is_none()
                    && constant(b).is_some_and(|m| m.is_power_of_two() && m <= aligned)
            }
            _ => false,
        }
    }

    /// What the base of every object that the value may point to is a multiple of.
    fn alignment(&self, v: &Value) -> u128 {
        match &v.targets {
            Targets::These(targets) => targets
                .iter()
                .map(|id| match self.names.get(*id) {
                    o if o.key == ObjectKey::Number => 1,
                    o => u128::from(o.align),
                })
                .min()
                .unwrap_or(u128::MAX),
            Targets::Unknown => 1,
        }
    }

    fn is_zero(&self, t: TermId) -> bool {
        matches!(*self.pool.term(t), Term::Bits { value: 0, .. })
    }

    fn is_nobodys(&self, t: TermId) -> bool {
        match *self.pool.term(t) {
            Term::Bits { value, width } => {
                let all = u128::MAX >> (128 - width);
                value < 4096 || value > all - 4096
            }
            // A choice between such numbers.
            Term::App {
                op: raddle_solver::term::Op::Ite,
                args,
                ..
            } => self.is_nobodys(args[1]) && self.is_nobodys(args[2]),
            _ => false,
        }
    }
}

fn same_object(a: &Value, b: &Value) -> bool {
    match (&a.targets, &b.targets) {
        (Targets::These(x), Targets::These(y)) => x.len() == 1 && x == y,
        _ => false,
    }
}
