//! Just enough S-expressions to read what solvers print.

use crate::term::{Sort, Value};

/// An S-expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SExpr {
    /// A word.
    Atom(String),
    /// A list.
    List(Vec<SExpr>),
}

/// Parses one S-expression; `None` if the text is incomplete or not one expression.
pub fn parse_sexpr(text: &str) -> Option<SExpr> {
    let mut open: Vec<Vec<SExpr>> = vec![Vec::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' => open.push(Vec::new()),
            ')' => {
                let list = open.pop()?;
                open.last_mut()?.push(SExpr::List(list));
            }
            c if c.is_whitespace() => {}
            '|' => {
                let mut word = String::new();
                loop {
                    match chars.next()? {
                        '|' => break,
                        inside => word.push(inside),
                    }
                }
                open.last_mut()?.push(SExpr::Atom(word));
            }
            c => {
                let mut word = c.to_string();
                while let Some(&next) = chars.peek() {
                    if next.is_whitespace() || next == '(' || next == ')' {
                        break;
                    }
                    word.push(next);
                    chars.next();
                }
                open.last_mut()?.push(SExpr::Atom(word));
            }
        }
    }
    let mut top = open.pop()?;
    (open.is_empty() && top.len() == 1).then(|| top.remove(0))
}

impl SExpr {
    /// The expression as a value of a sort.
    pub fn value(&self, sort: Sort) -> Option<Value> {
        match (self, sort) {
            (SExpr::Atom(word), Sort::Bool) => match word.as_str() {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            (SExpr::Atom(word), Sort::BitVec(_)) => {
                let number = match word.split_at_checked(2)? {
                    ("#x", digits) => u128::from_str_radix(digits, 16),
                    ("#b", digits) => u128::from_str_radix(digits, 2),
                    _ => return None,
                };
                number.ok().map(Value::Bits)
            }
            (SExpr::List(items), Sort::BitVec(_)) => match &items[..] {
                [SExpr::Atom(underscore), SExpr::Atom(number), SExpr::Atom(_)]
                    if underscore == "_" =>
                {
                    number.strip_prefix("bv")?.parse().ok().map(Value::Bits)
                }
                _ => None,
            },
            (SExpr::Atom(word), Sort::Int) => word.parse().ok().map(Value::Int),
            (SExpr::List(items), Sort::Int) => match &items[..] {
                [SExpr::Atom(minus), SExpr::Atom(word)] if minus == "-" => {
                    word.parse::<i128>().ok()?.checked_neg().map(Value::Int)
                }
                _ => None,
            },
            _ => None,
        }
    }
}
