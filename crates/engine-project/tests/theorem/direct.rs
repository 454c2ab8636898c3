//! The dumbest enumeration: the tree of a model is run step by step, in every order, and every state is remembered.

use crate::generate::{ARRAYS, Cond, Expr, LOCALS, Model, SCALARS, Stmt};
use std::collections::{BTreeSet, HashSet};

#[derive(Clone, Debug)]
enum Op {
    Simple(Stmt),
    Test(Cond, usize),
    Jump(usize),
    Either(usize),
    Atomic(Vec<Stmt>),
    Assume(Cond),
    Lock,
    Unlock,
    CountTo(usize, u32, usize),
    Zero(usize),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    scalars: [i8; SCALARS],
    arrays: [[i8; 2]; ARRAYS],
    owner: usize,
    places: Vec<usize>,
    locals: Vec<[i8; LOCALS]>,
    counters: Vec<[u32; 8]>,
}

/// All values of scalars and arrays, in that order, in any state.
pub fn values(model: &Model) -> BTreeSet<Vec<u8>> {
    let code: Vec<Vec<Op>> = model
        .processes
        .iter()
        .map(|body| {
            let mut ops = Vec::new();
            flatten(body, &mut ops);
            ops
        })
        .collect();
    let n = code.len();
    let first = State {
        scalars: std::array::from_fn(|i| i as i8),
        arrays: std::array::from_fn(|i| [i as i8 + 1, i as i8]),
        owner: n,
        places: vec![0; n],
        locals: vec![[0; LOCALS]; n],
        counters: vec![[0; 8]; n],
    };
    let mut seen = HashSet::from([first.clone()]);
    let mut work = vec![first];
    let mut found = BTreeSet::new();
    while let Some(state) = work.pop() {
        let mut all: Vec<u8> = state.scalars.iter().map(|s| *s as u8).collect();
        all.extend(state.arrays.iter().flatten().map(|e| *e as u8));
        found.insert(all);
        for (p, ops) in code.iter().enumerate() {
            for next in successors(ops, &state, p) {
                if seen.insert(next.clone()) {
                    work.push(next);
                }
            }
        }
    }
    found
}

fn flatten(body: &[Stmt], ops: &mut Vec<Op>) {
    for s in body {
        match s {
            Stmt::Set(..) | Stmt::SetElement(..) | Stmt::SetLocal(..) => {
                ops.push(Op::Simple(s.clone()))
            }
            Stmt::If(c, then, otherwise) => {
                let test = ops.len();
                ops.push(Op::Jump(0));
                flatten(then, ops);
                let jump = ops.len();
                ops.push(Op::Jump(0));
                ops[test] = Op::Test(c.clone(), ops.len());
                flatten(otherwise, ops);
                ops[jump] = Op::Jump(ops.len());
            }
            Stmt::Loop(k, n, body) => {
                ops.push(Op::Zero(*k));
                let head = ops.len();
                ops.push(Op::Jump(0));
                flatten(body, ops);
                ops.push(Op::Jump(head));
                ops[head] = Op::CountTo(*k, *n, ops.len());
            }
            Stmt::Atomic(body) => ops.push(Op::Atomic(body.clone())),
            Stmt::Choose(a, b) => {
                let test = ops.len();
                ops.push(Op::Jump(0));
                flatten(a, ops);
                let jump = ops.len();
                ops.push(Op::Jump(0));
                ops[test] = Op::Either(ops.len());
                flatten(b, ops);
                ops[jump] = Op::Jump(ops.len());
            }
            Stmt::Assume(c) => ops.push(Op::Assume(c.clone())),
            Stmt::Lock => ops.push(Op::Lock),
            Stmt::Unlock => ops.push(Op::Unlock),
        }
    }
}

fn successors(code: &[Op], state: &State, p: usize) -> Vec<State> {
    let at = state.places[p];
    let Some(op) = code.get(at) else {
        return Vec::new();
    };
    let mut next = state.clone();
    next.places[p] = at + 1;
    match op {
        Op::Simple(s) => run(&mut next, p, s),
        Op::Test(c, otherwise) => {
            if !holds(state, p, c) {
                next.places[p] = *otherwise;
            }
        }
        Op::Jump(to) => next.places[p] = *to,
        Op::Either(other) => {
            let mut second = next.clone();
            second.places[p] = *other;
            return vec![next, second];
        }
        Op::Atomic(body) => body.iter().for_each(|s| run(&mut next, p, s)),
        Op::Assume(c) => {
            if !holds(state, p, c) {
                return Vec::new();
            }
        }
        Op::Lock => {
            if state.owner < state.places.len() {
                return Vec::new();
            }
            next.owner = p;
        }
        Op::Unlock => {
            if state.owner == p {
                next.owner = state.places.len();
            }
        }
        Op::Zero(k) => next.counters[p][*k] = 0,
        Op::CountTo(k, n, after) => match state.counters[p][*k] < *n {
            true => next.counters[p][*k] += 1,
            false => next.places[p] = *after,
        },
    }
    vec![next]
}

fn run(state: &mut State, p: usize, s: &Stmt) {
    match s {
        Stmt::Set(i, e) => state.scalars[*i] = value(state, p, e),
        Stmt::SetElement(a, i, e) => {
            let v = value(state, p, e);
            let i = (value(state, p, i) & 1) as usize;
            state.arrays[*a][i] = v;
        }
        Stmt::SetLocal(l, e) => state.locals[p][*l] = value(state, p, e),
        _ => unreachable!("only assignments are simple"),
    }
}

fn value(state: &State, p: usize, e: &Expr) -> i8 {
    match e {
        Expr::Const(n) => *n as i8,
        Expr::Scalar(i) => state.scalars[*i],
        Expr::Element(a, i) => state.arrays[*a][(value(state, p, i) & 1) as usize],
        Expr::Local(l) => state.locals[p][*l],
        Expr::Plus(a, b) => value(state, p, a).wrapping_add(value(state, p, b)),
    }
}

fn holds(state: &State, p: usize, c: &Cond) -> bool {
    match c {
        Cond::Eq(a, b) => value(state, p, a) == value(state, p, b),
        Cond::Less(a, b) => value(state, p, a) < value(state, p, b),
    }
}
