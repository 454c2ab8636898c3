//! Symbolic values: a term, and which objects it may be the address of.

use raddle_ir::{DataModel, Ty};
use raddle_solver::term::{Sort, TermId, TermPool};
use std::rc::Rc;

/// An object of an encoding; what it is, is the business of whoever made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// The objects a value may point into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Targets {
    /// These at most, in ascending order; for numbers, none.
    These(Rc<[ObjectId]>),
    /// Anything.
    Unknown,
}

impl Targets {
    /// No object: a number.
    pub fn none() -> Targets {
        Targets::These(Rc::from([]))
    }

    /// One object.
    pub fn one(object: ObjectId) -> Targets {
        Targets::These(Rc::from([object]))
    }

    /// Whether there is no object.
    pub fn is_none(&self) -> bool {
        matches!(self, Targets::These(all) if all.is_empty())
    }

    /// Everything that is in either.
    pub fn union(&self, other: &Targets) -> Targets {
        match (self, other) {
            (Targets::These(a), Targets::These(b)) => {
                if a == b || b.is_empty() {
                    return self.clone();
                }
                if a.is_empty() {
                    return other.clone();
                }
                let mut all: Vec<ObjectId> = a.iter().chain(b.iter()).copied().collect();
                all.sort_unstable();
                all.dedup();
                Targets::These(all.into())
            }
            _ => Targets::Unknown,
        }
    }
}

/// A symbolic scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its bits; a Boolean term for `i1`.
    pub bits: TermId,
    /// What it may point into.
    pub targets: Targets,
}

impl Value {
    /// A number.
    pub fn number(bits: TermId) -> Value {
        Value {
            bits,
            targets: Targets::none(),
        }
    }

    /// A constant of a type.
    pub fn constant(pool: &mut TermPool, model: DataModel, ty: Ty, bits: u128) -> Value {
        Value::number(match ty {
            Ty::I1 => pool.bool(bits & 1 == 1),
            ty => pool.bits(ty.bits(model), bits),
        })
    }

    /// `condition ? self : other`.
    pub fn choose(&self, pool: &mut TermPool, condition: TermId, other: &Value) -> Value {
        if self == other {
            return self.clone();
        }
        Value {
            bits: pool.ite(condition, self.bits, other.bits),
            targets: self.targets.union(&other.targets),
        }
    }
}

/// The sort of terms for values of a type.
pub fn sort_of(ty: Ty, model: DataModel) -> Sort {
    match ty {
        Ty::I1 => Sort::Bool,
        ty => Sort::BitVec(ty.bits(model)),
    }
}
