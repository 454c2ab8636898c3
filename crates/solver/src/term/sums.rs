//! One form for equations between sums, so that a fact that is known and the question that it answers are the same term.
//!
//! Two equations that say the same in different orders are far apart for a SAT solver. This is no rewrite rule for all equations: where
//! many of them share parts of a sum, as copies of values do, the order of the parts matters more (`fib_bench` took twice as long).

use super::{Op, Sort, Term, TermId, TermPool, mask, sign_extend};
use std::collections::BTreeMap;

/// Sums with more parts stay as they are.
const MOST: usize = 12;
/// And so do those with larger factors.
const LARGE: i128 = 64;

/// A sum: factors of terms, and a number. A term that is narrower than the sum stands for itself extended by its sign.
pub(super) struct Linear {
    pub(super) parts: BTreeMap<TermId, i128>,
    pub(super) number: i128,
    /// How many more parts are looked at.
    left: usize,
}

impl Linear {
    /// A sum of factors of terms.
    pub(super) fn of(pool: &TermPool, parts: &[(TermId, i128)]) -> Option<Linear> {
        let mut all = Linear {
            parts: BTreeMap::new(),
            number: 0,
            left: 2 * MOST,
        };
        for (term, times) in parts {
            all.add(pool, *term, *times)?;
        }
        Some(all)
    }

    fn add(&mut self, pool: &TermPool, term: TermId, times: i128) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let (op, args) = match *pool.term(term) {
            Term::Bits { width, value } => {
                let number = times.checked_mul(sign_extend(width, value))?;
                self.number = self.number.checked_add(number)?;
                return Some(());
            }
            Term::App { op, args, .. } => (op, args),
            _ => return self.part(term, times),
        };
        match op {
            Op::BvAdd => {
                self.add(pool, args[0], times)?;
                self.add(pool, args[1], times)
            }
            Op::BvSub => {
                self.add(pool, args[0], times)?;
                self.add(pool, args[1], -times)
            }
            Op::BvNeg => self.add(pool, args[0], -times),
            Op::BvMul | Op::BvShl => match (pool.as_bits(args[1]), op) {
                (Some(k), Op::BvShl) if k < 6 => self.add(pool, args[0], times << k),
                (Some(k), Op::BvMul) => {
                    let factor = sign_extend(pool.width(term), k);
                    let times = times.checked_mul(factor).filter(|t| t.abs() <= LARGE)?;
                    self.add(pool, args[0], times)
                }
                _ => self.part(term, times),
            },
            Op::Concat => match shifted(pool, args[0], args[1]) {
                Some((shifted, by)) if pool.width(shifted) == pool.width(term) => {
                    self.add(pool, shifted, times << by)
                }
                Some((shifted, by)) => self.part(shifted, times << by),
                None => self.part(term, times),
            },
            Op::SignExtend { .. } => self.part(args[0], times),
            _ => self.part(term, times),
        }
    }

    fn part(&mut self, term: TermId, times: i128) -> Option<()> {
        let all = self.parts.entry(term).or_insert(0);
        *all += times;
        (all.abs() <= LARGE).then_some(())
    }
}

/// What is shifted to the left, and how far, if the lower end of a term behind which zeros are put is a shift. It is narrower than the whole if it is extended by its sign.
fn shifted(pool: &TermPool, high: TermId, low: TermId) -> Option<(TermId, u32)> {
    let by = pool.width(low);
    pool.as_bits(low).filter(|n| *n == 0 && by < 6)?;
    match pool.as_app(high)? {
        (Op::Extract { low: 0, .. }, args) => {
            let whole = pool.width(args[0]) == pool.width(high) + by;
            whole.then_some((args[0], by))
        }
        (Op::SignExtend { .. }, args) => Some((args[0], by)),
        _ => None,
    }
}

impl TermPool {
    /// Equality of two terms; if they are sums of three parts or more, with all parts in order and none subtracted:
    /// `a + b - c = d` is `a + b = c + d`.
    pub fn eq_of_sums(&mut self, a: TermId, b: TermId) -> TermId {
        match equation(self, a, b) {
            Some((left, right)) => self.eq(left, right),
            None => self.eq(a, b),
        }
    }

    /// That two terms differ; for sums of the same parts in another order that is known.
    pub fn ne_of_sums(&mut self, a: TermId, b: TermId) -> TermId {
        match self.constant_difference(a, b) {
            Some(number) => self.bool(number != 0),
            None => self.ne(a, b),
        }
    }

    /// Whether a term says that two sums are equal; single bits are none.
    pub fn is_equation(&self, said: TermId) -> bool {
        let (Term::App { op: Op::Eq, .. }, &[a, _]) = (self.term(said), self.args(said)) else {
            return false;
        };
        let is_wide = matches!(self.sort(a), Sort::BitVec(w) if w > 1);
        is_wide && self.parts_of_sum(said).is_some()
    }

    /// The parts of a sum with their factors, and the number that is added; of an equation, those of the difference of its sides. Parts that are
    /// narrower than the sum are extended by their sign in it.
    pub fn parts_of_sum(&self, sum: TermId) -> Option<(BTreeMap<TermId, i128>, i128)> {
        let (one, other) = match (self.term(sum), self.args(sum)) {
            (Term::App { op: Op::Eq, .. }, &[a, b]) => (a, Some((b, -1))),
            _ => (sum, None),
        };
        let Sort::BitVec(width) = self.sort(one) else {
            return None;
        };
        let parts: Vec<(TermId, i128)> = [(one, 1)].into_iter().chain(other).collect();
        let all = Linear::of(self, &parts)?;
        let signed = |n: i128| sign_extend(width, n as u128 & mask(width));
        let parts = all.parts.into_iter().map(|(t, n)| (t, signed(n)));
        let parts = parts.filter(|(_, n)| *n != 0).collect();
        Some((parts, signed(all.number)))
    }

    /// A sum with its parts in order, the first one added, and without its number; and that number, to be added. The second is whether
    /// everything was negated for that.
    pub fn sum_in_order(&mut self, sum: TermId) -> Option<(TermId, bool, u128)> {
        let (parts, number) = self.parts_of_sum(sum)?;
        let width = self.width(sum);
        let negated = parts.values().next().is_some_and(|t| *t < 0);
        let sign = if negated { -1 } else { 1 };
        let mut ordered = self.bits(width, 0);
        for (term, times) in parts {
            let factor = self.bits(width, times.unsigned_abs() & mask(width));
            let term = self.sign_extend_to(width, term);
            let product = self.bv_mul(term, factor);
            ordered = match times * sign > 0 {
                true => self.bv_add(ordered, product),
                false => self.bv_sub(ordered, product),
            };
        }
        Some((ordered, negated, (sign * number) as u128 & mask(width)))
    }

    /// By which number two terms differ whatever their variables are, if they are sums of the same parts.
    pub fn constant_difference(&self, a: TermId, b: TermId) -> Option<u128> {
        let Sort::BitVec(width) = self.sort(a) else {
            return None;
        };
        let all = Linear::of(self, &[(a, 1), (b, -1)])?;
        let gone = |times: &i128| *times as u128 & mask(width) == 0;
        let number = all.number as u128 & mask(width);
        all.parts.values().all(gone).then_some(number)
    }
}

fn equation(pool: &mut TermPool, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
    let Sort::BitVec(width) = pool.sort(a) else {
        return None;
    };
    let is_sum = |t| matches!(pool.as_app(t), Some((Op::BvAdd | Op::BvSub, _)));
    if width > 64 || !(is_sum(a) || is_sum(b)) {
        return None;
    }
    let mut all = Linear::of(pool, &[(a, 1), (b, -1)])?;
    for times in all.parts.values_mut() {
        *times = sign_extend(width, *times as u128 & mask(width));
    }
    all.parts.retain(|_, times| *times != 0);
    if all.parts.len() < 3 || all.parts.len() > MOST {
        return None;
    }
    // The first part stands on the left, and so does every one whose factor is its own negative.
    let half = -(1i128 << (width - 1));
    let mut signs = all.parts.values().filter(|t| **t != half);
    let sign = signs.next().map_or(1, |t| t.signum());
    let number = pool.bits(width, (-sign * all.number) as u128 & mask(width));
    let zero = pool.bits(width, 0);
    let (mut left, mut right) = (zero, zero);
    for (term, times) in all.parts {
        let times = if times == half { -half } else { times * sign };
        let factor = pool.bits(width, times.unsigned_abs() & mask(width));
        let term = pool.sign_extend_to(width, term);
        let product = pool.bv_mul(term, factor);
        match times > 0 {
            true => left = pool.bv_add(left, product),
            false => right = pool.bv_add(right, product),
        }
    }
    right = pool.bv_add(right, number);
    Some((left, right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Value;

    #[test]
    fn equations_that_say_the_same_are_the_same() {
        let mut pool = TermPool::new();
        let sort = Sort::BitVec(32);
        let [a, b, c] = ["a", "b", "c"].map(|n| pool.var(n, sort));
        let k = pool.bits(32, 100);
        // a = 100 + b - c
        let sum = pool.bv_add(k, b);
        let right = pool.bv_sub(sum, c);
        let one = pool.eq_of_sums(a, right);
        // c + (a - b) = 100
        let difference = pool.bv_sub(a, b);
        let left = pool.bv_add(c, difference);
        let other = pool.eq_of_sums(left, k);
        assert_eq!(one, other);
        // -a + b + 100 = c
        let negative = pool.bv_neg(a);
        let more = pool.bv_add(negative, sum);
        assert_eq!(pool.eq_of_sums(more, c), one);
        let twice = pool.bv_add(a, a);
        let unlike = pool.bv_add(twice, b);
        assert_ne!(pool.eq_of_sums(unlike, c), one);
    }

    #[test]
    fn sums_in_order() {
        let mut pool = TermPool::new();
        let [a, b] = ["a", "b"].map(|n| pool.var(n, Sort::BitVec(8)));
        let three = pool.bits(8, 3);
        // 2 a - b + 3 and b - a - 3 - a, which is its negative.
        let twice = pool.bv_add(a, a);
        let one = pool.bv_sub(twice, b);
        let one = pool.bv_add(one, three);
        let other = pool.bv_sub(b, a);
        let other = pool.bv_sub(other, three);
        let other = pool.bv_sub(other, a);
        let (x, negated, more) = pool.sum_in_order(one).expect("a sum");
        assert_eq!((negated, more), (false, 3));
        assert_eq!(pool.sum_in_order(other), Some((x, true, 3)));
        assert_eq!(pool.sum_in_order(x), Some((x, false, 0)));
    }

    /// Random sums of three variables, at width 8 so that they wrap around: whenever a difference is known, it is the one of all values.
    #[test]
    fn known_differences_are_right() {
        let mut seed = 1u64;
        let mut next = move |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % n
        };
        let mut pool = TermPool::new();
        let vars = ["a", "b", "c"].map(|n| pool.var(n, Sort::BitVec(8)));
        let mut known = 0;
        for _ in 0..3_000 {
            let mut sums = [0; 2].map(|_| vars[next(3) as usize]);
            for _ in 0..next(6) {
                for s in &mut sums {
                    let other = match next(4) {
                        3 => pool.bits(8, u128::from(next(256))),
                        v => vars[v as usize],
                    };
                    let factor = pool.bits(8, u128::from(next(5)));
                    *s = match next(4) {
                        0 => pool.bv_add(*s, other),
                        1 => pool.bv_sub(*s, other),
                        2 => pool.bv_neg(*s),
                        _ => pool.bv_mul(*s, factor),
                    };
                }
            }
            let difference = pool.constant_difference(sums[0], sums[1]);
            known += u32::from(difference.is_some());
            for _ in 0..4 {
                let values = vars.map(|v| (v, Value::Bits(u128::from(next(256)))));
                let values = values.into_iter().collect();
                let [x, y] = sums.map(|s| match pool.eval(s, &values) {
                    Ok(Value::Bits(n)) => n,
                    other => panic!("{other:?}"),
                });
                if let Some(d) = difference {
                    assert_eq!(x.wrapping_sub(y) & 255, d);
                }
            }
        }
        assert!(known > 100, "{known}");
    }
}
