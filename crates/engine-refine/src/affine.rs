//! Affine spaces: the linear equations that hold between variables, and what becomes of them (Karr, "Affine relationships among variables of a
//! program", 1976).
//!
//! Spaces are made of whole numbers, though variables are bit vectors that wrap around, and equations are divided by what their factors have in
//! common. So what comes out are guesses; they become predicates, which are shown to hold or are lost (`leap.rs`).

use raddle_solver::term::{Sort, TermId, TermPool, mask, sign_extend};
use std::collections::{BTreeMap, BTreeSet};

/// Equations with larger factors are left out.
const LARGE: i128 = 1 << 40;
/// Those of predicates are smaller.
const FACTOR: i128 = 64;
/// More variables are not related to each other.
const MANY: usize = 40;

/// A sum of multiples of columns that is zero.
type Row = BTreeMap<usize, i128>;

/// Equations between terms, by their width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Affine {
    by_width: BTreeMap<u32, Space>,
}

/// Each says that a sum of multiples of terms and a number is zero.
type Space = Vec<(BTreeMap<TermId, i128>, i128)>;

impl Affine {
    /// Adds what an equation between sums says, or that a sum is zero; whether it is one.
    pub fn add(&mut self, pool: &TermPool, said: TermId) -> bool {
        let Some(row) = pool.parts_of_sum(said) else {
            return false;
        };
        let side = match pool.sort(said) {
            Sort::Bool => pool.args(said)[0],
            _ => said,
        };
        let width = pool.width(side);
        self.by_width.entry(width).or_default().push(row);
        true
    }

    /// All terms.
    pub fn terms(&self) -> BTreeSet<TermId> {
        self.by_width.values().flat_map(terms).collect()
    }

    /// Whether there is an equation between several terms.
    pub fn relates(&self) -> bool {
        let mut rows = self.by_width.values().flatten();
        rows.any(|(parts, _)| parts.len() > 1)
    }

    /// Whether there is an equation for a term alone.
    pub fn is_settled(&self, term: TermId) -> bool {
        let mut rows = self.by_width.values().flatten();
        rows.any(|(parts, _)| parts.len() == 1 && parts.contains_key(&term))
    }

    /// Adds the value of a term.
    pub fn set(&mut self, pool: &TermPool, term: TermId, value: u128) {
        if let Some((parts, number)) = pool.parts_of_sum(term) {
            let width = pool.width(term);
            let value = sign_extend(width, value & mask(width));
            let row = (parts, number - value);
            self.by_width.entry(width).or_default().push(row);
        }
    }

    /// What holds in both of two spaces: the equations that follow in each (Zassenhaus).
    pub fn join(&self, other: &Affine) -> Affine {
        let mut by_width = BTreeMap::new();
        for (width, one) in &self.by_width {
            if let Some(other) = other.by_width.get(width) {
                by_width.insert(*width, join(one, other));
            }
        }
        Affine { by_width }
    }

    /// What holds of the terms that are kept, in order.
    pub fn of(&self, kept: &dyn Fn(TermId) -> bool) -> Affine {
        let spaces = self.by_width.iter();
        let by_width = spaces.map(|(w, space)| (*w, of(space, kept)));
        Affine {
            by_width: by_width.collect(),
        }
    }

    /// The equations: sums and what they are.
    pub fn sums(&self, pool: &mut TermPool) -> Vec<(TermId, u128)> {
        let mut all = Vec::new();
        for (width, space) in &self.by_width {
            for (parts, number) in space {
                if parts.is_empty() || parts.values().any(|x| x.abs() > FACTOR) {
                    continue;
                }
                let mut sum = pool.bits(*width, 0);
                for (term, times) in parts {
                    let factor = pool.bits(*width, *times as u128 & mask(*width));
                    let term = pool.sign_extend_to(*width, *term);
                    let product = pool.bv_mul(term, factor);
                    sum = pool.bv_add(sum, product);
                }
                all.push((sum, -number as u128 & mask(*width)));
            }
        }
        all
    }
}

fn join(one: &Space, other: &Space) -> Space {
    let terms: BTreeSet<TermId> = terms(one).union(&terms(other)).copied().collect();
    if terms.len() > MANY {
        return Space::new();
    }
    let columns = Columns {
        terms: terms.into_iter().collect(),
    };
    let n = columns.terms.len() + 1;
    let twice = |row: &Row| {
        let copy = row.iter().map(|(c, x)| (c + n, *x));
        row.iter().map(|(c, x)| (*c, *x)).chain(copy).collect()
    };
    let mut rows: Vec<Row> = columns.rows(one).iter().map(twice).collect();
    rows.extend(columns.rows(other));
    let both = echelon(rows).into_iter();
    let both = both.filter(|r| r.keys().all(|c| *c >= n));
    let both = both.map(|r| r.into_iter().map(|(c, x)| (c - n, x)).collect());
    columns.space(both.collect())
}

fn of(space: &Space, kept: &dyn Fn(TermId) -> bool) -> Space {
    let mut terms: Vec<TermId> = terms(space).into_iter().collect();
    if terms.len() > MANY {
        return Space::new();
    }
    terms.sort_by_key(|t| (kept(*t), *t));
    let lost = terms.iter().filter(|t| !kept(**t)).count();
    let columns = Columns { terms };
    let rows = echelon(columns.rows(space)).into_iter();
    let rows = rows.filter(|r| r.keys().all(|c| *c >= lost));
    columns.space(rows.collect())
}

fn terms(space: &Space) -> BTreeSet<TermId> {
    space.iter().flat_map(|r| r.0.keys().copied()).collect()
}

/// Terms as columns; the last one is the number.
struct Columns {
    terms: Vec<TermId>,
}

impl Columns {
    fn rows(&self, space: &Space) -> Vec<Row> {
        let column = |t: &TermId| self.terms.iter().position(|x| x == t);
        let mut rows = Vec::new();
        for (parts, number) in space {
            let mut row: Option<Row> = parts.iter().map(|(t, x)| Some((column(t)?, *x))).collect();
            if let Some(row) = &mut row {
                row.insert(self.terms.len(), *number);
                row.retain(|_, x| *x != 0);
            }
            rows.extend(row);
        }
        rows
    }

    fn space(&self, rows: Vec<Row>) -> Space {
        let row = |r: &Row| {
            let number = r.get(&self.terms.len()).copied().unwrap_or(0);
            let parts = r.iter().filter(|(c, _)| **c < self.terms.len());
            (parts.map(|(c, x)| (self.terms[*c], *x)).collect(), number)
        };
        rows.iter().map(row).collect()
    }
}

/// The same rows in echelon form, reduced; those with large factors are left out.
fn echelon(rows: Vec<Row>) -> Vec<Row> {
    let mut done: Vec<(usize, Row)> = Vec::new();
    for mut row in rows {
        for (pivot, other) in &done {
            row = without(row, *pivot, other);
        }
        let Some((&pivot, _)) = row.iter().next() else {
            continue;
        };
        for (_, other) in &mut done {
            *other = without(std::mem::take(other), pivot, &row);
        }
        done.retain(|(p, other)| other.contains_key(p));
        done.push((pivot, row));
        // Rows are reduced by those in front of them that have smaller columns, too.
        done.sort_by_key(|(p, _)| *p);
    }
    done.into_iter().map(|(_, r)| r).collect()
}

/// A row without a column, by subtracting a multiple of another; empty if factors get large.
fn without(row: Row, column: usize, other: &Row) -> Row {
    let (Some(&a), Some(&b)) = (row.get(&column), other.get(&column)) else {
        return row;
    };
    let mut result = Row::new();
    for c in row.keys().chain(other.keys()) {
        let x = row.get(c).copied().unwrap_or(0) * b - other.get(c).copied().unwrap_or(0) * a;
        if x != 0 {
            result.insert(*c, x);
        }
    }
    let common = result.values().fold(0, |g, x| gcd(g, x.abs()));
    let sign = result.values().next().map_or(1, |x| x.signum());
    for x in result.values_mut() {
        *x /= common * sign;
    }
    match result.values().any(|x| x.abs() > LARGE) {
        true => Row::new(),
        false => result,
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(pool: &TermPool, values: &[(TermId, u128)]) -> Affine {
        let mut space = Affine::default();
        for (t, v) in values {
            space.set(pool, *t, *v);
        }
        space
    }

    /// A loop that adds to x or to y, and counts in i.
    #[test]
    fn three_points_make_a_plane() {
        let mut pool = TermPool::new();
        let [x, y, i] = ["x", "y", "i"].map(|v| pool.var(v, Sort::BitVec(32)));
        let start = space(&pool, &[(x, 0), (y, 0), (i, 0)]);
        let one = space(&pool, &[(x, 1), (y, 0), (i, 1)]);
        let two = space(&pool, &[(x, 0), (y, 1), (i, 1)]);
        let line = start.join(&one);
        assert_eq!(line.sums(&mut pool).len(), 2);
        let plane = line.join(&two);
        let sums = plane.sums(&mut pool);
        assert_eq!(sums.len(), 1, "{sums:?}");
        let sum = pool.bv_add(x, y);
        let difference = pool.bv_sub(sum, i);
        let known = pool.sum_in_order(sums[0].0).expect("a sum");
        let wanted = pool.sum_in_order(difference).expect("a sum");
        assert_eq!((known.0, sums[0].1), (wanted.0, 0));
        // It is all that is known of x, y and i; nothing of x and y.
        assert!(plane.of(&|t| t != i).sums(&mut pool).is_empty());
        assert_eq!(plane.join(&one), plane);
    }

    #[test]
    fn what_is_lost_is_replaced() {
        let mut pool = TermPool::new();
        let [s, i, n] = ["s", "i", "n"].map(|v| pool.var(v, Sort::BitVec(32)));
        let two = pool.bits(32, 2);
        let double = pool.bv_mul(i, two);
        let mut space = Affine::default();
        let first = pool.bv_sub(s, double);
        let second = pool.bv_sub(i, n);
        space.add(&pool, first);
        space.add(&pool, second);
        let left = space.of(&|t| t != i).sums(&mut pool);
        let double = pool.bv_mul(n, two);
        let wanted = pool.bv_sub(s, double);
        let wanted = pool.sum_in_order(wanted).expect("a sum").0;
        let found = pool.sum_in_order(left[0].0).expect("a sum").0;
        assert_eq!((left.len(), found), (1, wanted));
    }
}
