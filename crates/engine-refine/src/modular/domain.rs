//! What can be said of one place: a few values, bounds and the last bits of each variable, orders and a difference of each two, and what holds while a
//! lock is free.

use crate::system::{Origin, System, VarId};
use raddle_ccfg::InstanceId;
use raddle_ir::layout;
use raddle_solver::term::{Sort, TermId, TermPool, mask, sign_extend};
use std::collections::{BTreeMap, BTreeSet};

/// A variable has at most so many values; then bounds have to do.
const VALUES: usize = 4;

/// What all places have in common.
pub struct Frame {
    /// Numbers that bounds are taken from, by width, sorted, with the least and the greatest.
    pub steps: BTreeMap<u32, Vec<i128>>,
    /// Numbers that a variable may be known to differ from, by width.
    pub apart: BTreeMap<u32, Vec<u128>>,
    /// Orders without sign are of interest.
    pub unsigned: bool,
    /// The last bits of variables are of interest: whether an address is a multiple of its width.
    pub last_bits: bool,
    /// Variables that stand in no relation to others.
    pub alone: BTreeSet<VarId>,
    /// Locks: what a variable is while one is free is of interest, for each lock and each shared variable.
    pub locks: BTreeSet<VarId>,
    /// Variables that hold numbers of threads, which are not fixed: only whether two of them are equal is of interest.
    pub names: BTreeSet<VarId>,
}

/// What is known of one variable.
#[derive(Clone, Debug, PartialEq)]
struct One {
    width: u32,
    boolean: bool,
    values: Option<Vec<u128>>,
    /// Numbers it never is.
    apart: Vec<u128>,
    /// Indices of bounds.
    low: usize,
    high: usize,
    /// So many of its last bits are always those of the first value.
    agreed: u32,
    first: u128,
}

/// What is known of two variables.
#[derive(Clone, Debug, PartialEq)]
struct Two {
    difference: Option<u128>,
    /// `<`, `<=`, `>`, `>=` with sign, then without; then a difference of at most one, in both directions; then that they differ.
    orders: [bool; 11],
}

/// What is known at a place; nothing is known to be possible until the first state is joined.
#[derive(Clone, Debug)]
pub struct Known {
    pub variables: Vec<VarId>,
    /// Some state was joined.
    pub reached: bool,
    ones: Vec<One>,
    twos: BTreeMap<(usize, usize), Two>,
    /// The few values of a variable (the second) in all states in which a lock (the first) is free.
    free: BTreeMap<(usize, usize), Vec<u128>>,
}

fn orders(width: u32, a: u128, b: u128) -> [bool; 11] {
    let (sa, sb) = (sign_extend(width, a), sign_extend(width, b));
    [
        sa < sb,
        sa <= sb,
        sa > sb,
        sa >= sb,
        a < b,
        a <= b,
        a > b,
        a >= b,
        sign_extend(width, a.wrapping_sub(b) & mask(width)) <= 1,
        sign_extend(width, b.wrapping_sub(a) & mask(width)) <= 1,
        a != b,
    ]
}

impl Known {
    /// Of these variables.
    pub fn new(variables: Vec<VarId>) -> Known {
        Known {
            variables,
            reached: false,
            ones: Vec::new(),
            twos: BTreeMap::new(),
            free: BTreeMap::new(),
        }
    }

    /// Takes a state in; whether anything changed.
    pub fn join(&mut self, system: &System, frame: &Frame, state: &[u128]) -> bool {
        if !self.reached {
            self.reached = true;
            self.first(system, frame, state);
            return true;
        }
        let mut changed = false;
        for (one, n) in self.ones.iter_mut().zip(state) {
            if let Some(values) = &mut one.values
                && !values.contains(n)
            {
                values.push(*n);
                values.sort_unstable();
                if values.len() > VALUES {
                    one.values = None;
                }
                changed = true;
            }
            if one.boolean {
                continue;
            }
            let agreed = (one.first ^ n).trailing_zeros();
            if frame.last_bits && agreed < one.agreed {
                one.agreed = agreed;
                changed = true;
            }
            let before = one.apart.len();
            one.apart.retain(|x| x != n);
            changed |= before != one.apart.len();
            let (steps, x) = (&frame.steps[&one.width], sign_extend(one.width, *n));
            while steps[one.low] > x {
                one.low -= 1;
                changed = true;
            }
            while steps[one.high] < x {
                one.high += 1;
                changed = true;
            }
        }
        let ones = &self.ones;
        self.twos.retain(|(i, j), two| {
            let width = ones[*i].width;
            let (a, b) = (state[*i], state[*j]);
            let before = two.clone();
            if two.difference != Some(a.wrapping_sub(b) & mask(width)) {
                two.difference = None;
            }
            for (o, holds) in two.orders.iter_mut().zip(orders(width, a, b)) {
                *o &= holds;
            }
            changed |= before != *two;
            two.difference.is_some() || two.orders.contains(&true)
        });
        self.free.retain(|(lock, v), values| {
            if state[*lock] == 0 && !values.contains(&state[*v]) {
                values.push(state[*v]);
                values.sort_unstable();
                changed = true;
            }
            values.len() <= VALUES
        });
        changed
    }

    fn first(&mut self, system: &System, frame: &Frame, state: &[u128]) {
        for (v, n) in self.variables.iter().zip(state) {
            let sort = system.pool.sort(system.variables[v.0 as usize].term);
            let width = match sort {
                Sort::BitVec(w) => w,
                _ => 1,
            };
            let (mut low, mut high) = (0, 0);
            if sort != Sort::Bool {
                let steps = &frame.steps[&width];
                let x = sign_extend(width, *n);
                low = steps.partition_point(|s| *s <= x) - 1;
                high = steps.partition_point(|s| *s < x);
            }
            let name = frame.names.contains(v);
            if name {
                (low, high) = (0, frame.steps[&width].len() - 1);
            }
            self.ones.push(One {
                width,
                boolean: sort == Sort::Bool,
                values: (!name).then(|| vec![*n]),
                apart: match frame.apart.get(&width) {
                    // Of what holds numbers of threads: that it is something else, such as a lock that was destroyed.
                    Some(all) => {
                        let number = |x: &u128| *x > 0 && *x <= u128::from(layout::OWNER);
                        let all = all.iter().copied().filter(|x| !name || !number(x));
                        all.filter(|x| x != n).collect()
                    }
                    None => Vec::new(),
                },
                low,
                high,
                agreed: match frame.last_bits && !name {
                    true => width,
                    false => 0,
                },
                first: *n,
            });
        }
        for i in 0..self.ones.len() {
            for j in i + 1..self.ones.len() {
                let (a, b) = (&self.ones[i], &self.ones[j]);
                let alone = |k: usize| frame.alone.contains(&self.variables[k]);
                if a.boolean || b.boolean || a.width != b.width || alone(i) || alone(j) {
                    continue;
                }
                let name = |k: usize| frame.names.contains(&self.variables[k]);
                if name(i) != name(j) || name(i) && state[i] != state[j] {
                    continue;
                }
                let mut all = orders(a.width, state[i], state[j]);
                if name(i) {
                    all.fill(false);
                }
                // Of interest where values cannot be listed.
                all[10] &= !frame.apart.is_empty();
                if !frame.unsigned {
                    all[4..8].fill(false);
                }
                let two = Two {
                    difference: Some(state[i].wrapping_sub(state[j]) & mask(a.width)),
                    orders: all,
                };
                self.twos.insert((i, j), two);
            }
        }
        let shared = |v: &VarId| {
            let origin = system.variables[v.0 as usize].origin;
            matches!(origin, Origin::Cell(_, None)) && !frame.names.contains(v)
        };
        for (l, lock) in self.variables.iter().enumerate() {
            if !frame.locks.contains(lock) {
                continue;
            }
            for (i, n) in state.iter().enumerate() {
                if shared(&self.variables[i]) {
                    let values = if state[l] == 0 { vec![*n] } else { Vec::new() };
                    self.free.insert((l, i), values);
                }
            }
        }
    }

    /// The same of another thread; nothing if it has other variables.
    pub fn renamed(
        &self,
        system: &System,
        frame: &Frame,
        from: InstanceId,
        to: InstanceId,
    ) -> Option<Known> {
        if !self.reached {
            return None;
        }
        let name = |v: &VarId| match system.variables[v.0 as usize].origin {
            Origin::Local(t, l) if t == from => system.known(Origin::Local(to, l)),
            Origin::Result(t) if t == from => system.known(Origin::Result(to)),
            Origin::Cell(c, Some(t)) if t == from => system.known(Origin::Cell(c, Some(to))),
            _ => Some(*v),
        };
        let mut new = self.clone();
        new.variables = self.variables.iter().map(name).collect::<Option<_>>()?;
        // A lock is held by another thread then.
        let (mine, theirs) = (System::handle(from), System::handle(to));
        for (v, one) in new.variables.iter().zip(&mut new.ones) {
            if let (true, Some(values)) = (frame.alone.contains(v), &mut one.values) {
                for n in values.iter_mut().filter(|n| **n == u128::from(mine)) {
                    *n = u128::from(theirs);
                }
                values.sort_unstable();
                let steps = &frame.steps[&one.width];
                for n in values {
                    let x = sign_extend(one.width, *n);
                    one.low = one.low.min(steps.partition_point(|s| *s <= x) - 1);
                    one.high = one.high.max(steps.partition_point(|s| *s < x));
                }
            }
        }
        Some(new)
    }

    /// The same of the other thread of a crowd, whose numbers are not fixed.
    pub fn of_twin(&self, system: &System, from: InstanceId, to: InstanceId) -> Option<Known> {
        let name = |v: &VarId| match system.variables[v.0 as usize].origin {
            Origin::Local(t, l) if t == from => system.known(Origin::Local(to, l)),
            Origin::Result(t) if t == from => system.known(Origin::Result(to)),
            Origin::Cell(c, Some(t)) if t == from => system.known(Origin::Cell(c, Some(to))),
            Origin::Identity(t) if t == from => system.known(Origin::Identity(to)),
            _ => Some(*v),
        };
        let variables = self.variables.iter().map(name).collect::<Option<_>>()?;
        Some(Known {
            variables,
            ..self.clone()
        })
    }

    /// A value that contradicts the other place: both cannot be at one time.
    pub fn excludes(&self, other: &Known) -> bool {
        let mut pairs = self.variables.iter().zip(&self.ones);
        pairs.any(|(v, one)| {
            let Some(k) = other.variables.iter().position(|w| w == v) else {
                return false;
            };
            match (&one.values, &other.ones[k].values) {
                (Some(a), Some(b)) => !a.iter().any(|n| b.contains(n)),
                _ => false,
            }
        })
    }

    /// The conjuncts, each with the variables it is about.
    pub fn conjuncts(&self, system: &mut System, frame: &Frame) -> Vec<(TermId, Vec<VarId>)> {
        let mut all = Vec::new();
        if !self.reached {
            return vec![(system.pool.bool(false), Vec::new())];
        }
        let term = |system: &System, i: usize| {
            let v = self.variables[i];
            system.variables[v.0 as usize].term
        };
        for (i, one) in self.ones.iter().enumerate() {
            let x = term(system, i);
            let pool = &mut system.pool;
            let about = vec![self.variables[i]];
            if let Some(values) = &one.values {
                let mut any = pool.bool(false);
                for n in values {
                    let is = match one.boolean {
                        true if *n == 1 => x,
                        true => pool.not(x),
                        false => {
                            let n = pool.bits(one.width, *n);
                            pool.eq(x, n)
                        }
                    };
                    any = pool.or(any, is);
                }
                all.push((any, about.clone()));
            }
            if one.boolean || one.values.as_ref().is_some_and(|v| v.len() == 1) {
                continue;
            }
            let listed = one.values.is_some();
            if one.agreed > 0 && !listed {
                let last = pool.extract(one.agreed - 1, 0, x);
                let n = pool.bits(one.agreed, one.first & mask(one.agreed));
                all.push((pool.eq(last, n), about.clone()));
            }
            for n in one.apart.iter().filter(|_| !listed) {
                let n = pool.bits(one.width, *n);
                all.push((pool.ne(x, n), about.clone()));
            }
            let steps = &frame.steps[&one.width];
            let number = |n: i128| (n as u128) & mask(one.width);
            if one.low > 0 {
                let n = pool.bits(one.width, number(steps[one.low]));
                all.push((pool.bv_sle(n, x), about.clone()));
            }
            if one.high + 1 < steps.len() {
                let n = pool.bits(one.width, number(steps[one.high]));
                all.push((pool.bv_sle(x, n), about));
            }
        }
        for ((l, i), values) in &self.free {
            if self.ones[*i].values.as_ref() == Some(values) {
                continue;
            }
            let (lock, x) = (term(system, *l), term(system, *i));
            let pool = &mut system.pool;
            let zero = pool.bits(self.ones[*l].width, 0);
            let mut any = pool.ne(lock, zero);
            for n in values {
                let is = match (self.ones[*i].boolean, *n) {
                    (true, 1) => x,
                    (true, _) => pool.not(x),
                    (false, n) => {
                        let n = pool.bits(self.ones[*i].width, n);
                        pool.eq(x, n)
                    }
                };
                any = pool.or(any, is);
            }
            all.push((any, vec![self.variables[*l], self.variables[*i]]));
        }
        let single = |i: usize| self.ones[i].values.as_ref().is_some_and(|v| v.len() == 1);
        for ((i, j), two) in &self.twos {
            // Two numbers need no relation.
            if single(*i) && single(*j) {
                continue;
            }
            let (a, b) = (term(system, *i), term(system, *j));
            let about = vec![self.variables[*i], self.variables[*j]];
            let pool = &mut system.pool;
            if let Some(d) = two.difference {
                let d = pool.bits(self.ones[*i].width, d);
                let sum = pool.bv_add(b, d);
                all.push((pool.eq(a, sum), about.clone()));
            }
            let strict = two.orders[0] || two.orders[2] || two.orders[4] || two.orders[6];
            if two.orders[10] && two.difference.is_none() && !strict {
                all.push((pool.ne(a, b), about.clone()));
            }
            for t in self.nearly(pool, (a, b), two) {
                all.push((t, about.clone()));
            }
            for (o, sign) in [(0, true), (4, false)] {
                let less = |pool: &mut TermPool, a, b, strict: bool| match (sign, strict) {
                    (true, true) => pool.bv_slt(a, b),
                    (true, false) => pool.bv_sle(a, b),
                    (false, true) => pool.bv_ult(a, b),
                    (false, false) => pool.bv_ule(a, b),
                };
                if two.orders[o + 1] {
                    all.push((less(pool, a, b, two.orders[o]), about.clone()));
                }
                if two.orders[o + 3] {
                    all.push((less(pool, b, a, two.orders[o + 2]), about.clone()));
                }
            }
        }
        all
    }

    /// Between two steps that belong together, an order often is wrong by one.
    fn nearly(&self, pool: &mut TermPool, (a, b): (TermId, TermId), two: &Two) -> Vec<TermId> {
        let mut found = Vec::new();
        for (a, b, holds, better) in [
            (a, b, two.orders[8], two.orders[1]),
            (b, a, two.orders[9], two.orders[3]),
        ] {
            if holds && !better && two.difference.is_none() {
                let minus = pool.bv_sub(a, b);
                let one = pool.bits(pool.width(a), 1);
                found.push(pool.bv_sle(minus, one));
            }
        }
        found
    }
}
