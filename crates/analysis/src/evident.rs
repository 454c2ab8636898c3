//! Properties that hold for reasons that can be read off the program, for any number of threads and iterations.
//!
//! - `no-div-zero`, `no-bad-shift` ([`ranges`]): no divisor may be zero, every shift amount lies within the width, for all that is assigned anywhere.
//! - `valid-sync` ([`SyncUses`]): every synchronisation object was certainly initialised, none is destroyed (but condition variables, when only one
//!   thread is left), every unlock comes where the lock is certainly held, and every join is the only one of a thread that was certainly made.
//! - `no-uninit` ([`uninit`]): nothing that may come from memory that nobody wrote reaches a branch.
//!
//! Each is sound and coarse: what is not evident may hold all the same, and is for the engines.

mod destroyed;
mod made;
mod ranges;
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
                    let mut ranges = ranges::Ranges::new(&facts);
                    reached(&facts).all(|(at, op)| !ranges.may_be_undefined(*p, at.function, op))
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
