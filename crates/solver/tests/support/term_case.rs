//! A term problem as text: one SMT-LIB-like expression per line, assertions and assumptions, readable back.
//!
//! `assert EXPR` and `assume EXPR`, where an expression is a variable `name:SORT`, a constant `#VALUE:WIDTH`,
//! `true`, `false`, or `(op args…)` with the operator's parameters after underscores, as in `(extract_7_0 x:8)`.
//! Sorts are `b`, a width, or `aINDEX_ELEMENT`.

use raddle_solver::external::{SExpr, parse_sexpr};
use raddle_solver::term::{Op, Sort, Term, TermId, TermPool};

#[derive(Clone, Default)]
pub struct TermCase {
    pub pool: TermPool,
    pub assertions: Vec<TermId>,
    pub assumptions: Vec<TermId>,
}

fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Bool => "b".to_owned(),
        Sort::BitVec(width) => width.to_string(),
        Sort::Array { index, element } => format!("a{index}_{element}"),
        Sort::Int => "i".to_owned(),
    }
}

fn parse_sort(text: &str) -> Option<Sort> {
    match text {
        "b" => Some(Sort::Bool),
        "i" => Some(Sort::Int),
        _ => match text.strip_prefix('a') {
            Some(widths) => {
                let (index, element) = widths.split_once('_')?;
                Some(Sort::Array {
                    index: index.parse().ok()?,
                    element: element.parse().ok()?,
                })
            }
            None => Some(Sort::BitVec(text.parse().ok()?)),
        },
    }
}

pub const PLAIN_OPS: &[(&str, Op)] = &[
    ("not", Op::Not),
    ("and", Op::And),
    ("or", Op::Or),
    ("xor", Op::Xor),
    ("ite", Op::Ite),
    ("eq", Op::Eq),
    ("bvnot", Op::BvNot),
    ("bvneg", Op::BvNeg),
    ("bvand", Op::BvAnd),
    ("bvor", Op::BvOr),
    ("bvxor", Op::BvXor),
    ("bvadd", Op::BvAdd),
    ("bvsub", Op::BvSub),
    ("bvmul", Op::BvMul),
    ("bvudiv", Op::BvUdiv),
    ("bvurem", Op::BvUrem),
    ("bvsdiv", Op::BvSdiv),
    ("bvsrem", Op::BvSrem),
    ("bvsmod", Op::BvSmod),
    ("bvshl", Op::BvShl),
    ("bvlshr", Op::BvLshr),
    ("bvashr", Op::BvAshr),
    ("bvult", Op::BvUlt),
    ("bvule", Op::BvUle),
    ("bvslt", Op::BvSlt),
    ("bvsle", Op::BvSle),
    ("concat", Op::Concat),
    ("select", Op::Select),
    ("store", Op::Store),
];

fn op_name(op: Op) -> String {
    match op {
        Op::Extract { high, low } => format!("extract_{high}_{low}"),
        Op::ZeroExtend { by } => format!("zext_{by}"),
        Op::SignExtend { by } => format!("sext_{by}"),
        Op::ConstArray { index } => format!("constarray_{index}"),
        _ => PLAIN_OPS
            .iter()
            .find(|(_, known)| *known == op)
            .map_or("unknown", |(name, _)| name)
            .to_owned(),
    }
}

fn parse_op(name: &str) -> Option<Op> {
    if let Some((_, op)) = PLAIN_OPS.iter().find(|(known, _)| *known == name) {
        return Some(*op);
    }
    let mut parts = name.split('_');
    let head = parts.next()?;
    let numbers: Vec<u32> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
    match (head, &numbers[..]) {
        ("extract", &[high, low]) => Some(Op::Extract { high, low }),
        ("zext", &[by]) => Some(Op::ZeroExtend { by }),
        ("sext", &[by]) => Some(Op::SignExtend { by }),
        ("constarray", &[index]) => Some(Op::ConstArray { index }),
        _ => None,
    }
}

pub fn term_text(pool: &TermPool, id: TermId) -> String {
    match pool.term(id) {
        Term::Bool(value) => value.to_string(),
        Term::Bits { width, value } => format!("#{value}:{width}"),
        Term::Int(value) => format!("#{value}:i"),
        Term::Var(symbol) => {
            let (name, sort) = pool.symbol(*symbol);
            format!("{name}:{}", sort_name(sort))
        }
        Term::App { op, .. } => {
            let args: Vec<String> = pool
                .args(id)
                .iter()
                .map(|&arg| term_text(pool, arg))
                .collect();
            format!("({} {})", op_name(*op), args.join(" "))
        }
    }
}

/// Reads a term back exactly as it was written, without simplifying.
pub fn parse_term(pool: &mut TermPool, text: &SExpr) -> Option<TermId> {
    match text {
        SExpr::Atom(word) => match word.as_str() {
            "true" => Some(pool.bool(true)),
            "false" => Some(pool.bool(false)),
            _ => {
                let (name, sort) = word.rsplit_once(':')?;
                match (name.strip_prefix('#'), parse_sort(sort)?) {
                    (Some(value), Sort::BitVec(width)) => {
                        Some(pool.bits(width, value.parse().ok()?))
                    }
                    (None, sort) => Some(pool.var(name, sort)),
                    _ => None,
                }
            }
        },
        SExpr::List(items) => {
            let Some((SExpr::Atom(head), rest)) = items.split_first() else {
                return None;
            };
            let args: Vec<TermId> = rest
                .iter()
                .map(|item| parse_term(pool, item))
                .collect::<Option<_>>()?;
            Some(pool.raw(parse_op(head)?, &args))
        }
    }
}

impl TermCase {
    pub fn text(&self) -> String {
        let mut out = String::new();
        for &term in &self.assertions {
            out += &format!("assert {}\n", term_text(&self.pool, term));
        }
        for &term in &self.assumptions {
            out += &format!("assume {}\n", term_text(&self.pool, term));
        }
        out
    }

    pub fn parse(text: &str) -> Option<TermCase> {
        let mut case = TermCase::default();
        for line in text
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with(';'))
        {
            let (head, body) = line.split_once(' ')?;
            let term = parse_term(&mut case.pool, &parse_sexpr(body)?)?;
            match head {
                "assert" => case.assertions.push(term),
                "assume" => case.assumptions.push(term),
                _ => return None,
            }
        }
        Some(case)
    }

    pub fn roots(&self) -> Vec<TermId> {
        self.assertions
            .iter()
            .chain(&self.assumptions)
            .copied()
            .collect()
    }

    /// The same problem with all terms rebuilt by the simplifying constructors.
    pub fn simplified(&self) -> TermCase {
        let mut pool = self.pool.clone();
        let mut images = std::collections::HashMap::new();
        for id in self.pool.reachable(&self.roots()) {
            let image = match *self.pool.term(id) {
                Term::App { op, .. } => {
                    let args: Vec<TermId> =
                        self.pool.args(id).iter().map(|arg| images[arg]).collect();
                    pool.apply_op(op, &args)
                }
                _ => id,
            };
            images.insert(id, image);
        }
        let map = |terms: &[TermId]| terms.iter().map(|term| images[term]).collect();
        TermCase {
            assertions: map(&self.assertions),
            assumptions: map(&self.assumptions),
            pool,
        }
    }
}
