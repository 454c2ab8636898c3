//! Properties that hold for reasons that can be read off the program, for any number of threads and iterations.
//!
//! - `no-div-zero`, `no-bad-shift`: every divisor is a constant other than zero, every shift amount a constant within the width.
//! - `valid-sync` ([`SyncUses`]): every synchronisation object was certainly initialised, none is destroyed (but condition variables, when only one
//!   thread is left), every unlock comes where the lock is certainly held, and every join is the only one of a thread that was certainly made.
//! - `no-uninit` ([`uninit`]): nothing that may come from memory that nobody wrote reaches a branch.
//!
//! Each is sound and coarse: what is not evident may hold all the same, and is for the engines.

mod made;
mod sync;
mod uninit;
mod written;

pub use sync::SyncUses;

use crate::facts::Facts;
use raddle_ir::{BinaryOp, DataModel, Location, Op, Operand, Program, Property, Rvalue};

/// Those of these properties that evidently hold.
pub fn evident(program: &Program, asked: &[Property]) -> Vec<Property> {
    const KNOWN: [Property; 4] = [
        Property::ValidSync,
        Property::NoUninit,
        Property::NoDivZero,
        Property::NoBadShift,
    ];
    let asked = asked.iter().copied().filter(|p| KNOWN.contains(p));
    let asked: Vec<Property> = asked.collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let facts = Facts::new(program);
    let holds = |p: &Property| {
        !reached(&facts).any(|(_, op)| matches!(op, Op::Assert { property, .. } if property == p))
            && match p {
                Property::ValidSync => sync::is_used_well(&facts),
                Property::NoUninit => uninit::is_never_decisive(&facts),
                Property::NoDivZero | Property::NoBadShift => {
                    let model = program.model;
                    reached(&facts).all(|(_, op)| !may_be_undefined(*p, op, model))
                }
                _ => false,
            }
    };
    asked.into_iter().filter(holds).collect()
}

/// The instructions that some execution may reach.
fn reached(facts: &Facts) -> impl Iterator<Item = (Location, &Op)> + '_ {
    let all = facts.program().instructions();
    all.filter(|(at, _)| facts.parallel.is_reached(*at))
}

/// Whether an instruction may violate `no-div-zero` or `no-bad-shift`, for all that can be seen in itself.
pub fn may_be_undefined(property: Property, op: &Op, model: DataModel) -> bool {
    use BinaryOp::{AShr, LShr, SDiv, SRem, Shl, UDiv, URem};
    let Op::Let {
        value: Rvalue::Binary { op, ty, b, .. },
        ..
    } = op
    else {
        return false;
    };
    match (property, op) {
        (Property::NoDivZero, SDiv | SRem | UDiv | URem) => {
            !matches!(b, Operand::Const { bits, .. } if *bits != 0)
        }
        (Property::NoBadShift, Shl | LShr | AShr) => {
            let width = u128::from(ty.bits(model));
            !matches!(b, Operand::Const { bits, .. } if *bits < width)
        }
        _ => false,
    }
}
