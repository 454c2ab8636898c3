//! Differences of terms, and sums.

use raddle_solver::term::{Op, Term, TermId, TermPool, sign_extend};

pub(super) fn zero(pool: &mut TermPool, like: TermId) -> TermId {
    let width = pool.width(like);
    pool.bits(width, 0)
}

/// What has to be added to one term to get another, where the second is computed from the first by adding.
pub(super) fn difference(pool: &mut TermPool, value: TermId, from: TermId) -> Option<TermId> {
    let width = pool.width(from);
    let much = low_difference(pool, value, from, 12)?;
    Some(match pool.width(much) > width {
        true => pool.extract(width - 1, 0, much),
        false => much,
    })
}

/// The same for as many bits as the second term has; the first may have more.
fn low_difference(pool: &mut TermPool, value: TermId, from: TermId, deep: u32) -> Option<TermId> {
    if value == from {
        return Some(zero(pool, value));
    }
    let deep = deep.checked_sub(1)?;
    let Term::App { op, args, .. } = *pool.term(value) else {
        return None;
    };
    match op {
        Op::ZeroExtend { .. } | Op::SignExtend { .. } if args[0] == from => Some(zero(pool, value)),
        Op::BvAdd => {
            if let Some(much) = low_difference(pool, args[0], from, deep) {
                return Some(pool.bv_add(much, args[1]));
            }
            let much = low_difference(pool, args[1], from, deep)?;
            Some(pool.bv_add(much, args[0]))
        }
        Op::BvSub => {
            let much = low_difference(pool, args[0], from, deep)?;
            Some(pool.bv_sub(much, args[1]))
        }
        Op::Ite => {
            let yes = low_difference(pool, args[1], from, deep)?;
            let no = low_difference(pool, args[2], from, deep)?;
            Some(pool.ite(args[0], yes, no))
        }
        Op::Extract { high, low: 0 } if high + 1 >= pool.width(from) => {
            let much = low_difference(pool, args[0], from, deep)?;
            Some(pool.extract(high, 0, much))
        }
        _ => None,
    }
}

/// A part of a sum, with what it can be.
#[derive(Clone, Copy)]
struct Part {
    term: TermId,
    low: i128,
    high: i128,
}

/// Adds up; numbers are as narrow as they can be, so that the solver sees few bits.
pub(super) fn add_up(pool: &mut TermPool, first: TermId, parts: Vec<TermId>) -> TermId {
    let width = pool.width(first);
    let mut level: Vec<Part> = Vec::new();
    for term in parts {
        let (low, high) = leaves(pool, term, 8).unwrap_or(all(width));
        level.push(narrow(pool, Part { term, low, high }, width));
    }
    // Neighbours first: what one thread adds and takes away belongs together.
    while level.len() > 1 {
        let mut next = Vec::new();
        for pair in level.chunks(2) {
            next.push(match *pair {
                [a, b] => plus(pool, a, b, width),
                [a] => a,
                _ => continue,
            });
        }
        level = next;
    }
    match level.first() {
        None => first,
        Some(all) => {
            let all = pool.sign_extend_to(width, all.term);
            pool.bv_add(first, all)
        }
    }
}

fn all(width: u32) -> (i128, i128) {
    (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
}

/// The fewest bits for numbers with a sign between two bounds, at most `most`.
fn bits_for(low: i128, high: i128, most: u32) -> u32 {
    let fits = |w: &u32| all(*w).0 <= low && high <= all(*w).1;
    (1..most).find(fits).unwrap_or(most)
}

fn narrow(pool: &mut TermPool, part: Part, most: u32) -> Part {
    let width = bits_for(part.low, part.high, most);
    let term = match width < pool.width(part.term) {
        true => pool.extract(width - 1, 0, part.term),
        false => part.term,
    };
    Part { term, ..part }
}

fn plus(pool: &mut TermPool, a: Part, b: Part, most: u32) -> Part {
    let (low, high) = (a.low + b.low, a.high + b.high);
    let widths = [a, b].map(|p| pool.width(p.term));
    let width = bits_for(low, high, most).max(widths[0]).max(widths[1]);
    let [x, y] = [a, b].map(|p| pool.sign_extend_to(width, p.term));
    let term = pool.bv_add(x, y);
    // Where it wraps around, it can be anything.
    let (low, high) = match all(most).0 <= low && high <= all(most).1 {
        true => (low, high),
        false => all(most),
    };
    narrow(pool, Part { term, low, high }, most)
}

/// The least and the greatest of what a term of numbers can be; nothing if that may wrap around.
fn leaves(pool: &TermPool, term: TermId, deep: u32) -> Option<(i128, i128)> {
    let deep = deep.checked_sub(1)?;
    let (low, high) = match *pool.term(term) {
        Term::Bits { width, value } => {
            let number = sign_extend(width, value);
            (number, number)
        }
        Term::App { op, args, .. } => match op {
            Op::Ite => {
                let (a, b) = leaves(pool, args[1], deep)?;
                let (c, d) = leaves(pool, args[2], deep)?;
                (a.min(c), b.max(d))
            }
            Op::BvAdd => {
                let (a, b) = leaves(pool, args[0], deep)?;
                let (c, d) = leaves(pool, args[1], deep)?;
                (a + c, b + d)
            }
            Op::BvSub => {
                let (a, b) = leaves(pool, args[0], deep)?;
                let (c, d) = leaves(pool, args[1], deep)?;
                (a - d, b - c)
            }
            _ => return None,
        },
        _ => return None,
    };
    let (least, greatest) = all(pool.width(term));
    (least <= low && high <= greatest).then_some((low, high))
}
