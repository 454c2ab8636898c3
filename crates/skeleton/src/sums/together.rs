//! Sums that go together: a balance and all that was paid in and out.
//!
//! Under one lock several cells are added to, and in every critical section some combination of what is added is nothing: then that
//! combination of the cells never changes. These combinations are the null space of a matrix with a row for every section and every kind of
//! thing added in it (the affine invariants of Karr, Acta Informatica 1976, for a program whose steps are critical sections). They follow
//! from the sums, but not quickly: a solver would have to find that twenty numbers have the same sum in two orders. So they are
//! told to it wherever one look at the cells is under way.
//!
//! *What it misses:* combinations of cells of different widths or under different locks, and inequalities.

use super::{Looked, Sum, Sums};
use crate::event::{EventNo, Skeleton};
use crate::names::CellId;
use raddle_solver::term::{Op, Term, TermId, TermPool, sign_extend};
use std::collections::BTreeMap;

/// Cells that are looked at together, at most.
const MOST: usize = 8;
/// Larger numbers are not calculated with.
const LARGE: i128 = 1 << 40;

/// Something that is added: a number or a term, under a condition.
type Kind = (TermId, Option<TermId>);

/// A cell to which is added, and all looks at it.
type Cell = (Sum, Vec<Looked>);

impl Sums {
    /// What always holds of several cells at once.
    pub(crate) fn together(&self, skeleton: &mut Skeleton) -> Vec<TermId> {
        let mut groups: BTreeMap<(CellId, u64), Vec<&Cell>> = BTreeMap::new();
        for (cell, sum) in &self.cells {
            if let Some(lock) = sum.0.lock {
                let length = skeleton.names.extent(*cell).length;
                groups.entry((lock, length)).or_default().push(sum);
            }
        }
        let mut lemmas = Vec::new();
        for cells in groups.values().filter(|g| g.len() > 1 && g.len() <= MOST) {
            let Some(rows) = rows(skeleton, cells) else {
                continue;
            };
            for weights in null_space(rows, cells.len()) {
                lemmas.extend(told(skeleton, cells, &weights));
            }
        }
        lemmas
    }
}

/// What is added to each cell, by section and kind.
fn rows(skeleton: &mut Skeleton, cells: &[&Cell]) -> Option<Vec<Vec<i128>>> {
    let mut rows: BTreeMap<(EventNo, Kind), Vec<i128>> = BTreeMap::new();
    for (i, (sum, _)) in cells.iter().enumerate() {
        for added in &sum.added {
            let section = added.taken.unwrap_or(added.event);
            let occurs = skeleton
                .guards
                .term(skeleton.events[added.event.0 as usize].guard);
            let mut form = BTreeMap::new();
            linear(&mut skeleton.pool, added.much, occurs, 1, &mut form, 32)?;
            for (kind, times) in form {
                let row = rows.entry((section, kind));
                row.or_insert_with(|| vec![0; cells.len()])[i] += times;
            }
        }
    }
    Some(rows.into_values().collect())
}

/// A term as a sum of numbers and terms under conditions.
fn linear(
    pool: &mut TermPool,
    term: TermId,
    when: TermId,
    times: i128,
    form: &mut BTreeMap<Kind, i128>,
    deep: u32,
) -> Option<()> {
    let deep = deep.checked_sub(1)?;
    let mut add = |kind: Kind, times: i128| {
        let all = form.entry(kind).or_insert(0);
        *all += times;
        (all.abs() < LARGE).then_some(())
    };
    match *pool.term(term) {
        Term::Bits { width, value } => {
            let number = sign_extend(width, value);
            let times = times.checked_mul(number)?;
            add((when, None), times)
        }
        Term::App { op, args, .. } => match op {
            Op::BvAdd => {
                linear(pool, args[0], when, times, form, deep)?;
                linear(pool, args[1], when, times, form, deep)
            }
            Op::BvSub => {
                linear(pool, args[0], when, times, form, deep)?;
                linear(pool, args[1], when, -times, form, deep)
            }
            Op::BvNeg => linear(pool, args[0], when, -times, form, deep),
            Op::Ite => {
                let also = pool.and(when, args[0]);
                linear(pool, args[2], when, times, form, deep)?;
                linear(pool, args[1], also, times, form, deep)?;
                linear(pool, args[2], also, -times, form, deep)
            }
            _ => add((when, Some(term)), times),
        },
        _ => add((when, Some(term)), times),
    }
}

/// A fraction in lowest terms.
type Fraction = (i128, i128);

fn reduced((a, b): Fraction) -> Option<Fraction> {
    let divisor = gcd(a, b) * if b < 0 { -1 } else { 1 };
    let (a, b) = (a / divisor, b / divisor);
    (a.abs() < LARGE && b < LARGE).then_some((a, b))
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// All ways to combine columns such that every row comes to nothing, as a basis of whole numbers; none if numbers get large.
fn null_space(rows: Vec<Vec<i128>>, width: usize) -> Vec<Vec<i128>> {
    reduce(rows, width).unwrap_or_default()
}

fn reduce(rows: Vec<Vec<i128>>, width: usize) -> Option<Vec<Vec<i128>>> {
    // Rows in reduced echelon form, each with its leading column.
    let mut done: Vec<(usize, Vec<Fraction>)> = Vec::new();
    let minus = |a: Fraction, b: Fraction, times: Fraction| {
        let product = reduced((b.0 * times.0, b.1 * times.1))?;
        reduced((a.0 * product.1 - product.0 * a.1, a.1 * product.1))
    };
    for row in rows {
        let mut row: Vec<Fraction> = row.into_iter().map(|n| (n, 1)).collect();
        for (lead, other) in &done {
            let times = row[*lead];
            for c in 0..width {
                row[c] = minus(row[c], other[c], times)?;
            }
        }
        let Some(lead) = row.iter().position(|f| f.0 != 0) else {
            continue;
        };
        let (a, b) = row[lead];
        for f in &mut row {
            *f = reduced((f.0 * b, f.1 * a))?;
        }
        for (_, other) in &mut done {
            let times = other[lead];
            for c in 0..width {
                other[c] = minus(other[c], row[c], times)?;
            }
        }
        done.push((lead, row));
    }
    let mut basis = Vec::new();
    for free in (0..width).filter(|c| done.iter().all(|(lead, _)| lead != c)) {
        let mut vector: Vec<Fraction> = vec![(0, 1); width];
        vector[free] = (1, 1);
        for (lead, row) in &done {
            vector[*lead] = (-row[free].0, row[free].1);
        }
        let mut scale = 1i128;
        for (_, b) in &vector {
            scale = (scale / gcd(scale, *b)).checked_mul(*b)?;
            if scale >= LARGE {
                return None;
            }
        }
        // Neither factor is large.
        let whole: Vec<i128> = vector.iter().map(|(a, b)| a * (scale / b)).collect();
        if whole.iter().all(|n| n.abs() < LARGE) {
            basis.push(whole);
        }
    }
    Some(basis)
}

/// That a combination of cells has its first value, for every look at all of them.
fn told(skeleton: &mut Skeleton, cells: &[&Cell], weights: &[i128]) -> Vec<TermId> {
    let used: Vec<usize> = (0..cells.len()).filter(|i| weights[*i] != 0).collect();
    let Some((&one, others)) = used.split_first() else {
        return Vec::new();
    };
    let mut lemmas = Vec::new();
    // A look between two additions of one section sees what is not so before and after it.
    let whole = |i: usize, l: &Looked| same_view(cells[i], l, cells[i], l);
    for look in cells[one].1.iter().filter(|l| whole(one, l)) {
        let mut all = vec![(one, look)];
        for &i in others {
            let thread = |l: &Looked| skeleton.events[l.read.0 as usize].thread;
            let near = |l: &&Looked| l.read.0.abs_diff(look.read.0);
            let fits = |l: &&Looked| {
                thread(l) == thread(look)
                    && all
                        .iter()
                        .all(|(k, m)| same_view(cells[*k], m, cells[i], l))
            };
            let Some(l) = cells[i].1.iter().filter(fits).min_by_key(near) else {
                break;
            };
            all.push((i, l));
        }
        if all.len() < used.len() {
            continue;
        }
        let now = combine(&mut skeleton.pool, &all, weights, |l| l.found);
        let first = combine(&mut skeleton.pool, &all, weights, |l| l.first);
        let mut holds = skeleton.pool.eq_of_sums(now, first);
        for (_, l) in all {
            let occurs = skeleton
                .guards
                .term(skeleton.events[l.read.0 as usize].guard);
            holds = skeleton.pool.implies(occurs, holds);
        }
        lemmas.push(holds);
    }
    lemmas
}

/// Whether two reads see the same of all sections that add to both of their cells.
fn same_view((sum, _): &Cell, look: &Looked, (other, _): &Cell, their: &Looked) -> bool {
    let section = |a: &super::Added| a.taken.unwrap_or(a.event);
    let mut seen: BTreeMap<EventNo, TermId> = BTreeMap::new();
    let mut agree = true;
    let mine = sum.added.iter().zip(&look.after);
    let theirs = other.added.iter().zip(&their.after);
    for (added, after) in mine.chain(theirs) {
        agree &= *seen.entry(section(added)).or_insert(*after) == *after;
    }
    agree
}

fn combine(
    pool: &mut TermPool,
    looks: &[(usize, &Looked)],
    weights: &[i128],
    part: impl Fn(&Looked) -> TermId,
) -> TermId {
    let width = pool.width(part(looks[0].1));
    let mut total = pool.bits(width, 0);
    for (i, look) in looks {
        let times = weights[*i] as u128 & raddle_solver::term::mask(width);
        let times = pool.bits(width, times);
        let product = pool.bv_mul(times, part(look));
        total = pool.bv_add(total, product);
    }
    total
}
