//! What holds for reasons that can be read off the program, for any number of threads and iterations: place by place, object by object.
//!
//! - `no-data-race` ([`races`]): an object of one thread, or never accessed by two at the same time, or always under one lock.
//! - `valid-deref` ([`derefs`]): the address is known to lie within a live object.
//! - `no-deadlock` ([`crate::lock_order`]): nobody waits, or locks are taken in one order.
//! - `no-div-zero`, `no-bad-shift` ([`ranges`]): no divisor may be zero, every shift amount lies within the width, for all that is assigned anywhere.
//! - `valid-sync` ([`SyncUses`]): every synchronisation object was certainly initialised, and no lock after it may have been taken; none is destroyed (but condition variables, when only one
//!   thread is left), every unlock comes where the lock is certainly held, and every join is the only one of a thread that was certainly made.
//! - `no-uninit` ([`uninit`]): nothing that may come from memory that nobody wrote reaches a branch.
//! - Assertions and checks that no execution reaches.
//!
//! A fact holds in every execution up to the first invalid access, which ends its thread. Each is sound and coarse: what is not evident may hold
//! all the same, and is for the engines.

mod derefs;
mod destroyed;
mod ended;
mod made;
mod places;
pub(crate) mod races;
mod ranges;
mod sync;
mod taken;
pub(crate) mod uninit;
mod written;

pub use places::main_function;
pub use sync::{SyncUses, is_held};

use crate::facts::Facts;
use crate::lock_order::lock_order;
use crate::values::Values;
use places::at_user;
use raddle_ir::{
    BinaryOp, DataModel, Location, Memory, Op, Operand, Program, Property, Rvalue, Subject,
};
use std::collections::BTreeSet;

/// Those of these properties that evidently hold everywhere.
pub fn evident(program: &Program, asked: &[Property]) -> Vec<Property> {
    if asked.is_empty() {
        return Vec::new();
    }
    let facts = Facts::new(program);
    let holds = |p: &Property| unclear(&facts, *p).is_some_and(|left| left.is_empty());
    asked.iter().copied().filter(holds).collect()
}

/// Where a property may be violated: everywhere else it evidently holds. `None` if nothing is evident, as where an execution may reach
/// something that is not modelled: nobody knows what it does to the others.
pub fn unclear(facts: &Facts, property: Property) -> Option<BTreeSet<Subject>> {
    if reached(facts).any(|(_, op)| is_unmodelled(op)) {
        return None;
    }
    let mut left = match property {
        Property::NoDataRace => races::unclear(facts),
        Property::NoDeadlock => {
            let waits = |op: &Op| matches!(op, Op::Sync { op, .. } if op.can_block());
            let any_waits = reached(facts).any(|(_, op)| waits(op));
            if any_waits && lock_order(facts).is_none() {
                return None;
            }
            BTreeSet::new()
        }
        Property::ValidMemtrack | Property::ValidMemcleanup => {
            let on_heap =
                |op: &Op| matches!(op, Op::Alloc { memory, .. } if *memory == Memory::Heap);
            if reached(facts).any(|(_, op)| on_heap(op)) {
                return None;
            }
            BTreeSet::new()
        }
        Property::ValidFree => {
            let frees = |op: &Op| matches!(op, Op::Free { memory, .. } if *memory == Memory::Heap);
            places(facts, |_, op| frees(op))
        }
        Property::UnreachCall => BTreeSet::new(),
        Property::ValidSync => {
            let uses = SyncUses::new(facts);
            places(facts, |at, op| {
                matches!(op, Op::Sync { .. }) && !uses.is_fine(facts, at)
            })
        }
        Property::NoUninit => uninit::decisive(facts)
            .into_iter()
            .flat_map(|at| at_user(facts, at))
            .collect(),
        Property::NoDivZero | Property::NoBadShift => {
            let mut ranges = ranges::Ranges::new(facts);
            places(facts, |at, op| {
                ranges.may_be_undefined(property, at.function, op)
            })
        }
        Property::ValidDeref => derefs::unclear(facts, &Values::new(facts)?),
        Property::NoOverflow => return None,
    };
    left.extend(places(
        facts,
        |_, op| matches!(op, Op::Assert { property: p, .. } if *p == property),
    ));
    Some(left)
}

/// The reached instructions of a kind, as the user sees them.
fn places(facts: &Facts, mut is_one: impl FnMut(Location, &Op) -> bool) -> BTreeSet<Subject> {
    let here = reached(facts).filter(|(at, op)| is_one(*at, op));
    here.flat_map(|(at, _)| at_user(facts, at)).collect()
}

fn is_unmodelled(op: &Op) -> bool {
    matches!(op, Op::Sync { op, .. } if op.leaves_the_graph())
}

/// The instructions that some execution may reach.
fn reached(facts: &Facts) -> impl Iterator<Item = (Location, &Op)> + '_ {
    let all = facts.program().instructions();
    all.filter(|(at, _)| facts.parallel.is_reached(*at))
}

/// Whether an instruction may violate `no-div-zero` or `no-bad-shift`, for all that can be seen in itself.
pub fn may_be_undefined(property: Property, op: &Op, model: DataModel) -> bool {
    use BinaryOp::{AShr, LShr, Shl};
    let Op::Let {
        value: Rvalue::Binary { op, ty, a, b, .. },
        ..
    } = op
    else {
        return false;
    };
    match (property, op) {
        (Property::NoDivZero, _) => op.may_lack_quotient(*ty, *a, *b),
        (Property::NoBadShift, Shl | LShr | AShr) => {
            let width = u128::from(ty.bits(model));
            !matches!(b, Operand::Const { bits, .. } if *bits < width)
        }
        _ => false,
    }
}

/// Whether a signed division may be by zero or have a quotient that does not fit, from unsigned ranges of both operands.
fn division_may_stop(width: u32, dividend: (u128, u128), divisor: (u128, u128)) -> bool {
    let minus_one = u128::MAX >> (128 - width);
    let smallest = 1 << (width - 1);
    let is_smallest = dividend.0 <= smallest && smallest <= dividend.1;
    divisor.0 == 0 || (divisor.1 >= minus_one && is_smallest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_evident(text: &str, property: Property) -> bool {
        let options = raddle_c::Options::default();
        let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
        !evident(&program, &[property]).is_empty()
    }

    /// A body of `main` with an unknown `x` and functions to call.
    fn computes(body: &str, property: Property) -> bool {
        let text = format!(
            "extern unsigned __VERIFIER_nondet_uint(void);
            static unsigned by(unsigned x, unsigned n) {{ return x / n; }}
            int main(void) {{ unsigned x = __VERIFIER_nondet_uint(); {body} return 0; }}"
        );
        is_evident(&text, property)
    }

    #[test]
    fn divisors_that_cannot_be_zero() {
        let fine = |body: &str| computes(body, Property::NoDivZero);
        assert!(fine("x = 7 / ((x & 3) + 1);"));
        assert!(fine("x = 7 / (x | 1);"));
        assert!(fine("x = by(x, 10) + by(x, 3);"));
        assert!(fine("unsigned d = x % 2 ? 3 : 5; x = 7 % d;"));
        assert!(fine("unsigned char c = x; x = 7 / (c + 1);"));
        assert!(!fine("x = 7 / (x & 3);"));
        assert!(!fine("x = 7 / (x + 1);"));
        assert!(!fine("x = by(x, 10) + by(x, x);"));
        assert!(!fine("unsigned d = 3; while (x--) d--; x = 7 % d;"));
        assert!(!fine("unsigned d; if (x) d = 3; x = 7 % d;"));
        assert!(!fine("x = 7 / (unsigned char)((x & 255) + 1);"));
    }

    #[test]
    fn shifts_within_the_width() {
        let fine = |body: &str| computes(body, Property::NoBadShift);
        assert!(fine("x = 1u << (x & 31);"));
        assert!(fine("x = 1u << x % 32;"));
        assert!(fine("x = 1ull << (x >> 26) > 5;"));
        assert!(!fine("x = 1u << (x & 32);"));
        assert!(!fine("x = 1u << x % 33;"));
        assert!(!fine("x = 1u << ((int)(x & 15) - 8);"));
    }
}
