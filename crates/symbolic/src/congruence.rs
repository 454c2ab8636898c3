//! What is known of a term modulo a power of two: enough to tell which elements an index expression can reach.
//!
//! Only powers of two are used, because arithmetic wraps: `12 * i` is a multiple of 4 for every `i`, but not of 12.

use raddle_solver::term::{Op, Term, TermId, TermPool};
use std::collections::HashMap;

/// All values are `remainder` modulo `2^bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Congruence {
    /// How many low bits are known.
    pub bits: u32,
    /// Their value.
    pub remainder: u128,
}

impl Congruence {
    fn cut(bits: u32, value: u128) -> Congruence {
        let mask = if bits >= 128 {
            u128::MAX
        } else {
            (1 << bits) - 1
        };
        Congruence {
            bits,
            remainder: value & mask,
        }
    }
}

/// Remembers what was computed.
#[derive(Default)]
pub struct Congruences(HashMap<TermId, Congruence>);

impl Congruences {
    /// What is known of a bit-vector term.
    pub fn of(&mut self, pool: &TermPool, term: TermId) -> Congruence {
        for id in pool.reachable_until(&[term], |t| self.0.contains_key(&t)) {
            let known = self.compute(pool, id);
            self.0.insert(id, known);
        }
        self.get(term)
    }

    fn get(&self, term: TermId) -> Congruence {
        self.0.get(&term).copied().unwrap_or(Congruence {
            bits: 0,
            remainder: 0,
        })
    }

    fn compute(&self, pool: &TermPool, id: TermId) -> Congruence {
        let (op, args) = match pool.term(id) {
            Term::Bits { width, value } => return Congruence::cut(*width, *value),
            Term::App { op, .. } => (*op, pool.args(id)),
            _ => return Congruence::cut(0, 0),
        };
        let arg = |i: usize| self.get(args[i]);
        match op {
            Op::BvAdd => {
                let (a, b) = (arg(0), arg(1));
                Congruence::cut(a.bits.min(b.bits), a.remainder.wrapping_add(b.remainder))
            }
            Op::BvSub => {
                let (a, b) = (arg(0), arg(1));
                Congruence::cut(a.bits.min(b.bits), a.remainder.wrapping_sub(b.remainder))
            }
            Op::BvMul => {
                // (x·2^k) · y is a multiple of 2^k whatever y is.
                let (a, b) = (arg(0), arg(1));
                let zeros = |c: Congruence| c.remainder.trailing_zeros().min(c.bits);
                let known = a.bits.min(b.bits);
                let width = pool.width(id);
                let low = (zeros(a) + zeros(b)).min(width);
                match low > known {
                    true => Congruence::cut(low, 0),
                    false => Congruence::cut(known, a.remainder.wrapping_mul(b.remainder)),
                }
            }
            Op::BvShl => match pool.term(args[1]) {
                Term::Bits { value, .. } if *value < 128 => {
                    let by = *value as u32;
                    let width = pool.width(id);
                    let a = arg(0);
                    Congruence::cut((a.bits + by).min(width), a.remainder << by)
                }
                _ => Congruence::cut(0, 0),
            },
            Op::Ite => {
                let (a, b) = (arg(1), arg(2));
                let same = (a.remainder ^ b.remainder).trailing_zeros();
                Congruence::cut(a.bits.min(b.bits).min(same), a.remainder)
            }
            Op::ZeroExtend { .. } | Op::SignExtend { .. } => arg(0),
            Op::Extract { low: 0, high } => {
                let a = arg(0);
                Congruence::cut(a.bits.min(high + 1), a.remainder)
            }
            Op::Concat => {
                let low = arg(1);
                let width = pool.width(args[1]);
                if low.bits < width {
                    return low;
                }
                let high = arg(0);
                Congruence::cut(width + high.bits, high.remainder << width | low.remainder)
            }
            _ => Congruence::cut(0, 0),
        }
    }
}
