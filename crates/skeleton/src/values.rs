//! Which constants an address can be, where they are few.
//!
//! Pointers and indices mostly come from a handful of constants, through memory and a little arithmetic. The sets of values
//! written to every cell are a fact that passes learn; sets of terms follow from those of the reads in them. Pointers from memory that
//! nobody wrote are left out: such a number is nobody's address, and an access through it goes nowhere. An index from there can be any number.

use crate::names::CellId;
use crate::unwind::Unwinder;
use raddle_solver::term::{Op, Term, TermId, TermPool};
use std::collections::HashMap;
use std::rc::Rc;

/// Larger sets are not kept.
pub(crate) const MOST: usize = 64;

/// Some constants, in ascending order; `None` for more than are kept.
pub(crate) type Set = Option<Rc<Vec<u128>>>;

/// What is known of terms in this pass.
#[derive(Default)]
pub(crate) struct Sets(pub(crate) HashMap<TermId, Set>);

pub(crate) fn make(mut all: Vec<u128>) -> Set {
    all.sort_unstable();
    all.dedup();
    (all.len() <= MOST).then(|| Rc::new(all))
}

pub(crate) fn union(a: &Set, b: &Set) -> Set {
    let (Some(a), Some(b)) = (a, b) else {
        return None;
    };
    if a == b || b.is_empty() {
        return Some(a.clone());
    }
    make(a.iter().chain(b.iter()).copied().collect())
}

/// What an operation of one or two arguments makes of the constants these can be; `None` if there are too many, or if it does not
/// make constants of constants.
pub(crate) fn image(
    pool: &mut TermPool,
    op: Op,
    args: &[TermId],
    sets: &[&[u128]],
) -> Option<Vec<u128>> {
    let (first, second) = match *sets {
        [first] => (first, &[0][..]),
        [first, second] => (first, second),
        _ => return None,
    };
    if first.len() * second.len() > MOST * 4 {
        return None;
    }
    let widths: Vec<u32> = args.iter().map(|a| pool.width(*a)).collect();
    let mut all = Vec::new();
    for &x in first {
        for &y in second {
            let mut constants = vec![pool.bits(widths[0], x)];
            if let Some(&w) = widths.get(1) {
                constants.push(pool.bits(w, y));
            }
            let result = pool.apply_op(op, &constants);
            match *pool.term(result) {
                Term::Bits { value, .. } => all.push(value),
                _ => return None,
            }
        }
    }
    Some(all)
}

impl Unwinder<'_> {
    /// The values a term can have.
    pub(crate) fn values_of(&mut self, term: TermId) -> Set {
        if let Some(known) = self.sets.0.get(&term) {
            return known.clone();
        }
        for id in self
            .pool
            .reachable_until(&[term], |t| self.sets.0.contains_key(&t))
        {
            if !self.sets.0.contains_key(&id) {
                let set = self.compute_values(id);
                self.sets.0.insert(id, set);
            }
        }
        self.sets.0.get(&term).cloned().flatten()
    }

    fn compute_values(&mut self, id: TermId) -> Set {
        let get = |u: &Self, t: TermId| u.sets.0.get(&t).cloned().flatten();
        let (op, args) = match *self.pool.term(id) {
            Term::Bits { value, .. } => return make(vec![value]),
            Term::App { op, .. } => (op, self.pool.args(id).to_vec()),
            _ => return None,
        };
        if op == Op::Ite {
            return union(&get(self, args[1]), &get(self, args[2]));
        }
        // Truth values are not tracked.
        if !matches!(self.pool.sort(id), raddle_solver::term::Sort::BitVec(_)) || args.len() > 2 {
            return None;
        }
        let mut sets = Vec::with_capacity(args.len());
        for a in &args {
            sets.push(get(self, *a)?);
        }
        let sets: Vec<&[u128]> = sets.iter().map(|s| &s[..]).collect();
        make(image(&mut self.pool, op, &args, &sets)?)
    }

    /// Notes what a read of a cell can find.
    pub(crate) fn note_read_values(&mut self, cell: CellId, value: TermId, initial: TermId) {
        let at_first = match self.is_uninitialised(initial) {
            true if !self.facts.targets(cell).is_none() => make(Vec::new()),
            true => None,
            false => self.values_of(initial),
        };
        let set = union(&at_first, &self.facts.values(cell));
        self.sets.0.insert(value, set);
    }

    /// Notes what is written to a cell.
    pub(crate) fn note_written_values(&mut self, cell: CellId, value: TermId) {
        if self.facts.values(cell).is_some() {
            let set = self.values_of(value);
            self.facts.add_values(cell, &set);
        }
    }
}
