//! Random small models, as a tree that prints as `.rad` and runs in `direct.rs`.

/// A reproducible source of numbers.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

#[derive(Clone, Debug)]
pub enum Expr {
    Const(i64),
    Scalar(usize),
    /// An element of one of the arrays, which have two; the index is taken modulo two.
    Element(usize, Box<Expr>),
    Local(usize),
    Plus(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Cond {
    Eq(Expr, Expr),
    Less(Expr, Expr),
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Set(usize, Expr),
    SetElement(usize, Expr, Expr),
    SetLocal(usize, Expr),
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// So many times, by a counter of its own.
    Loop(usize, u32, Vec<Stmt>),
    Atomic(Vec<Stmt>),
    Choose(Vec<Stmt>, Vec<Stmt>),
    Assume(Cond),
    Lock,
    Unlock,
}

pub const SCALARS: usize = 3;
pub const ARRAYS: usize = 2;
pub const LOCALS: usize = 2;

pub struct Model {
    pub processes: Vec<Vec<Stmt>>,
}

pub fn model(r: &mut Random) -> Model {
    let count = 2 + r.below(3) as usize;
    let budget = [0, 0, 3, 2, 2][count];
    let processes = (0..count)
        .map(|_| {
            let mut loops = 0;
            let mut all = Vec::new();
            for _ in 0..budget - r.below(2) {
                statement(r, 2, &mut loops, &mut all);
            }
            all
        })
        .collect();
    Model { processes }
}

fn expr(r: &mut Random, depth: u32) -> Expr {
    match r.below(if depth == 0 { 3 } else { 5 }) {
        0 => Expr::Const(r.below(3) as i64),
        1 => Expr::Scalar(r.below(SCALARS as u64) as usize),
        2 => Expr::Local(r.below(LOCALS as u64) as usize),
        3 => {
            let index = expr(r, depth - 1);
            Expr::Element(r.below(ARRAYS as u64) as usize, Box::new(index))
        }
        _ => Expr::Plus(Box::new(expr(r, depth - 1)), Box::new(expr(r, depth - 1))),
    }
}

fn cond(r: &mut Random) -> Cond {
    let (a, b) = (expr(r, 1), expr(r, 1));
    match r.below(2) {
        0 => Cond::Eq(a, b),
        _ => Cond::Less(a, b),
    }
}

fn simple(r: &mut Random) -> Stmt {
    match r.below(4) {
        0 | 1 => Stmt::Set(r.below(SCALARS as u64) as usize, expr(r, 2)),
        2 => Stmt::SetElement(r.below(ARRAYS as u64) as usize, expr(r, 1), expr(r, 1)),
        _ => Stmt::SetLocal(r.below(LOCALS as u64) as usize, expr(r, 2)),
    }
}

fn statement(r: &mut Random, depth: u32, loops: &mut usize, all: &mut Vec<Stmt>) {
    let some = |r: &mut Random| (0..1 + r.below(2)).map(|_| simple(r)).collect::<Vec<_>>();
    match r.below(if depth == 0 { 6 } else { 12 }) {
        0..=5 => all.push(simple(r)),
        6 => {
            let otherwise = if r.below(2) == 0 { some(r) } else { Vec::new() };
            all.push(Stmt::If(cond(r), some(r), otherwise));
        }
        7 => {
            *loops += 1;
            let body = vec![simple(r)];
            all.push(Stmt::Loop(*loops - 1, 1 + r.below(2) as u32, body));
        }
        8 => all.push(Stmt::Atomic(some(r))),
        9 => all.push(Stmt::Choose(some(r), vec![simple(r)])),
        10 => all.push(Stmt::Assume(cond(r))),
        _ => {
            all.push(Stmt::Lock);
            all.push(simple(r));
            all.push(Stmt::Unlock);
        }
    }
}

/// The most steps statements can take.
fn steps(body: &[Stmt]) -> usize {
    let one = |s: &Stmt| match s {
        Stmt::If(_, a, b) | Stmt::Choose(a, b) => 1 + steps(a).max(steps(b)),
        Stmt::Loop(_, n, body) => 2 + *n as usize * (2 + steps(body)),
        _ => 1,
    };
    body.iter().map(one).sum()
}

impl Model {
    /// The most steps all processes together can take.
    pub fn steps(&self) -> usize {
        self.processes.iter().map(|p| 1 + steps(p)).sum()
    }

    /// The text; the watcher never gets anywhere, but somebody has to look: what a process does to variables of its own
    /// is no step.
    pub fn text(&self) -> String {
        let mut out = String::from("bool gate;\nmutex m;\n");
        for i in 0..SCALARS {
            out += &format!("int<8> s{i} = {i};\n");
        }
        for i in 0..ARRAYS {
            out += &format!("int<8> a{i}[2] = {{{}, {}}};\n", i + 1, i);
        }
        for (p, body) in self.processes.iter().enumerate() {
            out += &format!("process p{p} {{\n");
            for l in 0..LOCALS {
                out += &format!("int<8> l{l};\n");
            }
            print(body, &mut out);
            out += "}\n";
        }
        out + "process watcher { assume gate; assert s0 + s1 + s2 + a0[0] + a0[1] + a1[0] + a1[1] == 0; }\n"
    }
}

fn print(body: &[Stmt], out: &mut String) {
    for s in body {
        match s {
            Stmt::Set(i, e) => *out += &format!("s{i} = {};\n", text(e)),
            Stmt::SetElement(a, i, e) => *out += &format!("a{a}[{} & 1] = {};\n", text(i), text(e)),
            Stmt::SetLocal(l, e) => *out += &format!("l{l} = {};\n", text(e)),
            Stmt::If(c, then, otherwise) => {
                *out += &format!("if ({}) {{\n", condition(c));
                print(then, out);
                *out += "} else {\n";
                print(otherwise, out);
                *out += "}\n";
            }
            Stmt::Loop(k, n, body) => {
                *out += &format!("int<8> k{k} = 0; while (k{k} < {n}) {{ k{k} = k{k} + 1;\n");
                print(body, out);
                *out += "}\n";
            }
            Stmt::Atomic(body) => {
                *out += "atomic {\n";
                print(body, out);
                *out += "}\n";
            }
            Stmt::Choose(a, b) => {
                *out += "choose {\n";
                print(a, out);
                *out += "} or {\n";
                print(b, out);
                *out += "}\n";
            }
            Stmt::Assume(c) => *out += &format!("assume ({});\n", condition(c)),
            Stmt::Lock => *out += "lock(m);\n",
            Stmt::Unlock => *out += "unlock(m);\n",
        }
    }
}

fn text(e: &Expr) -> String {
    match e {
        Expr::Const(n) => n.to_string(),
        Expr::Scalar(i) => format!("s{i}"),
        Expr::Element(a, i) => format!("a{a}[({}) & 1]", text(i)),
        Expr::Local(l) => format!("l{l}"),
        Expr::Plus(a, b) => format!("({} + {})", text(a), text(b)),
    }
}

fn condition(c: &Cond) -> String {
    match c {
        Cond::Eq(a, b) => format!("{} == {}", text(a), text(b)),
        Cond::Less(a, b) => format!("{} < {}", text(a), text(b)),
    }
}
