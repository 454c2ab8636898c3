//! Linear equations between bit vectors, and what follows from several of them together.
//!
//! Gaussian elimination modulo a power of two. Only odd factors can be divided by, so an equation all of whose factors are even is not used: some of what
//! follows is not seen, and nothing is seen that does not follow. To a SAT solver each of these questions is one about several adders.

use super::sums::Linear;
use super::{Op, Sort, Term, TermId, TermPool, mask};
use std::collections::{BTreeMap, HashMap};

/// That a sum of multiples of terms and a number is zero.
#[derive(Clone, Debug)]
struct Row {
    parts: BTreeMap<TermId, u128>,
    number: u128,
}

/// Equations that hold, each solved for a term that stands in none of the others before it.
#[derive(Clone, Debug, Default)]
pub struct Equations {
    by_width: HashMap<u32, Vec<(TermId, Row)>>,
}

impl Equations {
    /// Those of some facts that are equations between sums.
    pub fn of(pool: &TermPool, facts: &[TermId]) -> Equations {
        let mut all = Equations::default();
        for f in facts {
            if let Some((width, row)) = row(pool, *f) {
                let row = all.reduced(width, row);
                let odd = row.parts.iter().find(|(_, times)| *times % 2 == 1);
                if let Some((term, times)) = odd {
                    let (term, by) = (*term, inverse(*times) & mask(width));
                    let solved = row.times(by, width);
                    all.by_width.entry(width).or_default().push((term, solved));
                }
            }
        }
        all
    }

    /// Whether a claim is an equation that follows from these.
    pub fn imply(&self, pool: &TermPool, claim: TermId) -> bool {
        let Some((width, claim)) = row(pool, claim) else {
            return false;
        };
        let left = self.reduced(width, claim);
        left.parts.is_empty() && left.number == 0
    }

    /// The number that a sum is, if that follows from these.
    pub fn value(&self, pool: &TermPool, sum: TermId) -> Option<u128> {
        let Sort::BitVec(width) = pool.sort(sum) else {
            return None;
        };
        let left = self.reduced(width, Row::of(pool, &[(sum, 1)], width)?);
        left.parts.is_empty().then_some(left.number)
    }

    /// What is left of an equation when all these are subtracted from it.
    fn reduced(&self, width: u32, mut row: Row) -> Row {
        for (term, solved) in self.by_width.get(&width).into_iter().flatten() {
            if let Some(times) = row.parts.get(term).copied() {
                row.subtract(solved, times, width);
            }
        }
        row
    }
}

impl Row {
    fn of(pool: &TermPool, parts: &[(TermId, i128)], width: u32) -> Option<Row> {
        let sum = Linear::of(pool, parts)?;
        let parts = sum.parts.iter();
        let parts = parts.map(|(t, times)| (*t, *times as u128 & mask(width)));
        Some(Row {
            parts: parts.filter(|(_, n)| *n != 0).collect(),
            number: sum.number as u128 & mask(width),
        })
    }

    fn times(&self, by: u128, width: u32) -> Row {
        let multiple = |n: u128| n.wrapping_mul(by) & mask(width);
        let parts = self.parts.iter().map(|(t, n)| (*t, multiple(*n)));
        Row {
            parts: parts.filter(|(_, n)| *n != 0).collect(),
            number: multiple(self.number),
        }
    }

    fn subtract(&mut self, other: &Row, times: u128, width: u32) {
        let other = other.times(times, width);
        for (term, n) in other.parts {
            let left = self.parts.entry(term).or_default();
            *left = left.wrapping_sub(n) & mask(width);
        }
        self.parts.retain(|_, n| *n != 0);
        self.number = self.number.wrapping_sub(other.number) & mask(width);
    }
}

/// An equation between sums, as a row.
fn row(pool: &TermPool, equation: TermId) -> Option<(u32, Row)> {
    let (Term::App { op: Op::Eq, .. }, &[a, b]) = (pool.term(equation), pool.args(equation)) else {
        return None;
    };
    let Sort::BitVec(width) = pool.sort(a) else {
        return None;
    };
    Some((width, Row::of(pool, &[(a, 1), (b, -1)], width)?))
}

/// The number with which an odd one makes one, modulo any power of two up to 128 bits (Newton's iteration: every round doubles the bits that are right).
fn inverse(odd: u128) -> u128 {
    let mut x = odd;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Value;

    #[test]
    fn inverses() {
        for odd in (1..2_000u128).step_by(2) {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }

    #[test]
    fn what_follows_from_two() {
        let mut pool = TermPool::new();
        let [i, s, n] = ["i", "s", "n"].map(|v| pool.var(v, Sort::BitVec(32)));
        let five = pool.bits(32, 5);
        let three = pool.bits(32, 3);
        let tripled = pool.bv_mul(i, three);
        let sum = pool.bv_add(tripled, five);
        // s = 3 i + 5, n = i, so s - 5 = 3 n; by one of them alone, it does not.
        let facts = [pool.eq(s, sum), pool.eq(n, i)];
        let less = pool.bv_sub(s, five);
        let other = pool.bv_mul(n, three);
        let claim = pool.eq(less, other);
        assert!(Equations::of(&pool, &facts).imply(&pool, claim));
        let rest = pool.bv_sub(s, other);
        assert_eq!(Equations::of(&pool, &facts).value(&pool, rest), Some(5));
        assert_eq!(Equations::of(&pool, &facts).value(&pool, s), None);
        for f in facts {
            assert!(!Equations::of(&pool, &[f]).imply(&pool, claim));
        }
    }

    /// A wide sum of a narrow counter: twice the counter is a shift of its extension.
    #[test]
    fn what_is_extended_by_its_sign() {
        let mut pool = TermPool::new();
        let sum = pool.var("sum", Sort::BitVec(8));
        let i = pool.var("i", Sort::BitVec(4));
        let two = pool.bits(8, 2);
        let wide = pool.sign_extend_to(8, i);
        let twice = pool.bv_mul(wide, two);
        let fact = pool.eq(sum, twice);
        let more = pool.bv_add(wide, two);
        let less = pool.bv_sub(sum, wide);
        let less = pool.bv_add(less, two);
        let claim = pool.eq(less, more);
        let known = Equations::of(&pool, &[fact]);
        assert!(known.imply(&pool, claim));
        // Extended by zeros it is another number.
        let other = pool.zero_extend_to(8, i);
        let more = pool.bv_add(other, two);
        let unlike = pool.eq(less, more);
        assert!(!known.imply(&pool, unlike));
        let (ordered, negated, number) = pool.sum_in_order(twice).expect("a sum");
        assert_eq!((negated, number), (false, 0));
        for n in 0..16 {
            let values = [(i, Value::Bits(n))].into_iter().collect();
            assert_eq!(pool.eval(ordered, &values), pool.eval(twice, &values));
        }
    }

    /// Random equations over four variables of three bits: what is said to follow holds for all values for which they hold.
    #[test]
    fn nothing_follows_that_does_not() {
        let mut seed = 7u64;
        let mut next = move |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % n
        };
        let mut pool = TermPool::new();
        let vars = ["a", "b", "c", "d"].map(|v| pool.var(v, Sort::BitVec(3)));
        let mut seen = 0;
        for _ in 0..400 {
            let mut equation = |pool: &mut TermPool| {
                let mut sum = pool.bits(3, u128::from(next(8)));
                for v in vars {
                    let factor = pool.bits(3, u128::from(next(5)));
                    let part = pool.bv_mul(v, factor);
                    sum = pool.bv_add(sum, part);
                }
                let zero = pool.bits(3, 0);
                pool.eq(sum, zero)
            };
            let facts: Vec<TermId> = (0..3).map(|_| equation(&mut pool)).collect();
            let mut claims: Vec<TermId> = (0..6).map(|_| equation(&mut pool)).collect();
            claims.extend(&facts);
            let equations = Equations::of(&pool, &facts);
            claims.retain(|c| equations.imply(&pool, *c));
            seen += claims.len();
            for n in 0..4096u128 {
                let values = vars.iter().enumerate();
                let values = values.map(|(i, v)| (*v, Value::Bits(n >> (3 * i) & 7)));
                let values = values.collect();
                let holds = |t: &TermId| pool.eval(*t, &values).ok() == Some(Value::Bool(true));
                if facts.iter().all(holds) {
                    assert!(claims.iter().all(holds));
                }
            }
        }
        assert!(seen > 300, "{seen}");
    }
}
