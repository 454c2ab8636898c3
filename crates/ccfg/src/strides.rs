//! How far apart the places are that an address can mean.
//!
//! Every local of a template is given a congruence: the address lies `remainder` bytes behind the beginning of an object, plus a multiple of
//! `step` (Granger, "Static analysis of arithmetical congruences", 1989, over all assignments of a local at once). So the members of an array of
//! structures are told apart, although their index is not known.
//!
//! Nothing rests on it: an index may wrap around, so an access that lies in its object, but not where this says, is
//! refused (`memory.rs`). *Misses:* addresses that were in memory, and arithmetic of indices.

use crate::graph::What;
use crate::inline::RawTemplate;
use raddle_ir::{LocalId, Op, Operand, Rvalue, Ty};
use std::collections::HashMap;

/// `remainder`, `remainder + step`, … bytes behind the beginning; only `remainder` if `step` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stride {
    pub step: u64,
    pub remainder: u64,
}

impl Stride {
    /// Any place.
    pub const ANY: Stride = Stride {
        step: 1,
        remainder: 0,
    };

    fn at(offset: i64) -> Stride {
        match u64::try_from(offset) {
            Ok(remainder) => Stride { step: 0, remainder },
            Err(_) => Stride::ANY,
        }
    }

    fn of(step: u64, remainder: i128) -> Stride {
        match step {
            0 => Stride::at(i64::try_from(remainder).unwrap_or(-1)),
            _ => Stride {
                step,
                remainder: remainder.rem_euclid(i128::from(step)) as u64,
            },
        }
    }

    /// The smallest that covers both.
    pub fn join(self, other: Stride) -> Stride {
        let apart = self.remainder.abs_diff(other.remainder);
        let step = gcd(gcd(self.step, other.step), apart);
        Stride::of(step, i128::from(self.remainder))
    }

    /// So many bytes further, and any multiple of `step`.
    fn moved(self, step: u64, by: i128) -> Stride {
        Stride::of(gcd(self.step, step), i128::from(self.remainder) + by)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

/// The strides of all locals that hold addresses; one that is missing can be anything.
pub fn strides(template: &RawTemplate) -> HashMap<LocalId, Stride> {
    let mut all: HashMap<LocalId, Stride> = HashMap::new();
    let param = template.param.into_iter();
    all.extend(param.map(|l| (l, Stride::ANY)));
    loop {
        let mut changed = false;
        for step in template.edges.iter().filter_map(|e| e.step.as_ref()) {
            for (local, found) in assigned(&step.what, &all) {
                let Some(found) = found else { continue };
                let old = all.get(&local).copied();
                let new = old.map_or(found, |o| o.join(found));
                changed |= old != Some(new);
                all.insert(local, new);
            }
        }
        if !changed {
            return all;
        }
    }
}

/// What a step assigns; `None` as long as nothing is known of its operands.
fn assigned(what: &What, known: &HashMap<LocalId, Stride>) -> Vec<(LocalId, Option<Stride>)> {
    let any = Some(Stride::ANY);
    let of = |o: &Operand| match o {
        Operand::Local(l) => known.get(l).copied(),
        Operand::Global { offset, .. } | Operand::Slot { offset, .. } => Some(Stride::at(*offset)),
        // No object lies there.
        Operand::Const { .. } | Operand::Function(_) => None,
    };
    match what {
        What::Instr(Op::Let { dst, value }) => {
            let value = match value {
                Rvalue::Use(a) => of(a),
                Rvalue::Select { a, b, .. } => match (of(a), of(b)) {
                    (Some(a), Some(b)) => Some(a.join(b)),
                    (one, other) => one.or(other),
                },
                Rvalue::PtrAdd {
                    base,
                    index,
                    scale,
                    offset,
                } => of(base).map(|b| match constant(index) {
                    Some(n) => b.moved(0, n * i128::from(*scale) + i128::from(*offset)),
                    None => b.moved(*scale, i128::from(*offset)),
                }),
                _ => any,
            };
            vec![(*dst, value)]
        }
        What::Instr(op) => {
            let mut op = op.clone();
            let all = op.destinations_mut();
            all.into_iter().map(|d| (*d, any)).collect()
        }
        What::External(d) | What::Unknown(d) => vec![(*d, any)],
        What::New {
            handle: Some(d), ..
        } => vec![(*d, any)],
        What::Join {
            result: Some(d), ..
        } => vec![(*d, any)],
        _ => Vec::new(),
    }
}

fn constant(o: &Operand) -> Option<i128> {
    match o {
        Operand::Const { ty: Ty::I32, bits } => Some(i128::from(*bits as u32 as i32)),
        Operand::Const { ty: Ty::I64, bits } => Some(i128::from(*bits as u64 as i64)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the sets themselves, up to a bound.
    #[test]
    fn a_join_covers_both() {
        let members = |s: Stride| -> Vec<u64> {
            let below = 0u64..60;
            below
                .filter(|n| match s.step {
                    0 => *n == s.remainder,
                    step => n % step == s.remainder % step,
                })
                .collect()
        };
        for a in 0..7u64 {
            for b in 0..7u64 {
                for r in 0..9i128 {
                    for q in 0..9i128 {
                        let (x, y) = (Stride::of(a, r), Stride::of(b, q));
                        let both = members(x.join(y));
                        let mut each = members(x).into_iter().chain(members(y));
                        assert!(each.all(|n| both.contains(&n)), "{x:?} {y:?}");
                        let further = members(x.moved(0, 4));
                        let mut moved = members(x).into_iter().map(|n| n + 4);
                        assert!(moved.all(|n| n >= 60 || further.contains(&n)));
                    }
                }
            }
        }
    }
}
