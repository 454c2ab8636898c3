//! What is known before anything runs: constants, parameters, and expressions over them, computed exactly.

use crate::ast::{Binary, Expr, ExprKind, Model, Unary};
use crate::diagnostic::Diagnostic;
use crate::suggest::nearest;
use raddle_ir::Span;
use std::collections::HashMap;

/// A value that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Const {
    Int(i128),
    Bool(bool),
}

type Result<T> = std::result::Result<T, Diagnostic>;

/// The values of all constants, with parameters as the caller wants them.
pub fn constants(model: &Model, params: &[(String, i128)]) -> Result<HashMap<String, Const>> {
    for (name, _) in params {
        let known = model.constants.iter().filter(|c| c.param);
        if known.clone().all(|c| c.name.text != *name) {
            let diagnostic = Diagnostic::general(format!("the model has no parameter `{name}`"));
            return Err(match nearest(name, known.map(|c| c.name.text.as_str())) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("declare it: `param {name} = 3;`")),
            });
        }
    }
    let mut all = Evaluator {
        model,
        params,
        values: HashMap::new(),
        open: Vec::new(),
    };
    for (i, c) in model.constants.iter().enumerate() {
        let same = |o: &&crate::ast::Constant| o.name.text == c.name.text;
        if let Some(first) = model.constants[..i].iter().find(same) {
            let message = format!("`{}` is declared twice", c.name.text);
            let help = format!("the first time in line {}", first.name.span.line);
            return Err(Diagnostic::at(c.name.span, message).help(help));
        }
        all.constant(&c.name.text)?;
    }
    Ok(all.values)
}

struct Evaluator<'a> {
    model: &'a Model,
    params: &'a [(String, i128)],
    values: HashMap<String, Const>,
    /// Constants whose values are being computed.
    open: Vec<String>,
}

impl Evaluator<'_> {
    fn constant(&mut self, name: &str) -> Result<Option<Const>> {
        if let Some(value) = self.values.get(name) {
            return Ok(Some(*value));
        }
        let Some(c) = self.model.constants.iter().find(|c| c.name.text == name) else {
            return Ok(None);
        };
        if self.open.iter().any(|o| o == name) {
            let message = format!("the constant `{name}` depends on itself");
            let way = format!("{} -> {name}", self.open.join(" -> "));
            return Err(Diagnostic::at(c.name.span, message).help(format!("the circle is {way}")));
        }
        if self.open.len() > 100 {
            return Err(Diagnostic::at(
                c.name.span,
                "constants depend on each other too deeply",
            ));
        }
        let given = self.params.iter().rev().find(|(p, _)| p == name);
        let value = match given {
            Some((_, n)) if c.param => Const::Int(*n),
            _ => {
                self.open.push(name.into());
                // The names it needs, first.
                let mut needed = Vec::new();
                names(&c.value, &mut needed);
                for n in needed {
                    self.constant(&n)?;
                }
                self.open.pop();
                let values = &self.values;
                match eval(&c.value, &|n| values.get(n).copied())? {
                    Some(value) => value,
                    None => return Err(not_constant(&c.value, values.keys().map(String::as_str))),
                }
            }
        };
        self.values.insert(name.into(), value);
        Ok(Some(value))
    }
}

fn names(expr: &Expr, all: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Bool(_) => {}
        ExprKind::Place(p) => all.push(p.name.text.clone()),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => names(a, all),
        ExprKind::Binary(_, a, b) | ExprKind::Choose(a, b) => {
            names(a, all);
            names(b, all);
        }
    }
}

/// That an expression is not known, with the first name in it that is to blame.
pub fn not_constant<'a>(expr: &Expr, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let diagnostic = Diagnostic::at(expr.span, "this has to be known before the model runs");
    let mut used = Vec::new();
    names(expr, &mut used);
    let known: Vec<&str> = known.collect();
    let unknown = used.iter().find(|n| !known.contains(&n.as_str()));
    match unknown.and_then(|n| Some((n, nearest(n, known.iter().copied())?))) {
        Some((n, near)) => diagnostic.help(format!("`{n}` is no constant; did you mean `{near}`?")),
        None => diagnostic.help("use numbers, constants and parameters"),
    }
}

/// The value of an expression; `None` if it depends on anything that is not known.
pub fn eval(expr: &Expr, lookup: &dyn Fn(&str) -> Option<Const>) -> Result<Option<Const>> {
    Ok(match &expr.kind {
        ExprKind::Number(n) => Some(Const::Int(*n)),
        ExprKind::Bool(b) => Some(Const::Bool(*b)),
        ExprKind::Place(p) if p.index.is_none() => lookup(&p.name.text),
        ExprKind::Place(_) | ExprKind::Choose(..) | ExprKind::Cast(..) => None,
        ExprKind::Unary(op, a) => {
            let Some(a) = eval(a, lookup)? else {
                return Ok(None);
            };
            Some(match (op, a) {
                (Unary::Not, Const::Bool(b)) => Const::Bool(!b),
                (Unary::Negate, Const::Int(n)) => Const::Int(-n),
                (Unary::Complement, Const::Int(n)) => Const::Int(!n),
                _ => return Err(mismatch(expr.span)),
            })
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (eval(a, lookup)?, eval(b, lookup)?);
            let (Some(a), Some(b)) = (a, b) else {
                return Ok(None);
            };
            Some(compute(*op, a, b, expr.span)?)
        }
    })
}

fn mismatch(span: Span) -> Diagnostic {
    Diagnostic::at(span, "numbers and truth values do not go together here")
        .help("compare a number to make it a truth value: `x != 0`")
}

fn compute(op: Binary, a: Const, b: Const, span: Span) -> Result<Const> {
    let (a, b) = match (a, b) {
        (Const::Bool(a), Const::Bool(b)) => {
            return Ok(Const::Bool(match op {
                Binary::And => a && b,
                Binary::Or => a || b,
                Binary::Eq => a == b,
                Binary::Ne => a != b,
                _ => return Err(mismatch(span)),
            }));
        }
        (Const::Int(a), Const::Int(b)) => (a, b),
        _ => return Err(mismatch(span)),
    };
    let compared = match op {
        Binary::Eq => Some(a == b),
        Binary::Ne => Some(a != b),
        Binary::Lt => Some(a < b),
        Binary::Le => Some(a <= b),
        Binary::Gt => Some(a > b),
        Binary::Ge => Some(a >= b),
        _ => None,
    };
    if let Some(holds) = compared {
        return Ok(Const::Bool(holds));
    }
    let zero = matches!(op, Binary::Div | Binary::Rem) && b == 0;
    if zero {
        return Err(Diagnostic::at(span, "this divides by zero"));
    }
    let amount = u32::try_from(b).ok().filter(|n| *n < 64);
    let value = match op {
        Binary::Add => a.checked_add(b),
        Binary::Sub => a.checked_sub(b),
        Binary::Mul => a.checked_mul(b),
        Binary::Div => a.checked_div(b),
        Binary::Rem => a.checked_rem(b),
        Binary::BitAnd => Some(a & b),
        Binary::BitOr => Some(a | b),
        Binary::BitXor => Some(a ^ b),
        Binary::Shl => amount.and_then(|n| a.checked_mul(1 << n)),
        Binary::Shr => amount.map(|n| a >> n),
        _ => return Err(mismatch(span)),
    };
    let fits = |n: &i128| n.unsigned_abs() <= 1 << 64;
    let large = || Diagnostic::at(span, "this constant has more than 64 bits");
    value.filter(fits).map(Const::Int).ok_or_else(large)
}
