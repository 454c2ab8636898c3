//! Expressions, by precedence climbing.

use super::{Parser, Result};
use crate::ast::{Binary, Expr, ExprKind, Place, Unary};
use crate::diagnostic::Diagnostic;
use crate::lexer::Kind;
use raddle_ir::Span;

fn binary(text: &str) -> Option<(u32, Binary)> {
    Some(match text {
        "||" => (1, Binary::Or),
        "&&" => (2, Binary::And),
        "==" => (3, Binary::Eq),
        "!=" => (3, Binary::Ne),
        "<" => (4, Binary::Lt),
        "<=" => (4, Binary::Le),
        ">" => (4, Binary::Gt),
        ">=" => (4, Binary::Ge),
        "|" => (5, Binary::BitOr),
        "^" => (6, Binary::BitXor),
        "&" => (7, Binary::BitAnd),
        "<<" => (8, Binary::Shl),
        ">>" => (8, Binary::Shr),
        "+" => (9, Binary::Add),
        "-" => (9, Binary::Sub),
        "*" => (10, Binary::Mul),
        "/" => (10, Binary::Div),
        "%" => (10, Binary::Rem),
        _ => return None,
    })
}

/// From the beginning of one to the end of the other, if they stand on one line.
fn join(a: Span, b: Span) -> Span {
    match a.line == b.line && b.column >= a.column {
        true => Span {
            length: b.column + b.length - a.column,
            ..a
        },
        false => a,
    }
}

/// The opposite of a condition.
pub fn not(expr: Expr) -> Expr {
    Expr {
        span: expr.span,
        kind: ExprKind::Unary(Unary::Not, Box::new(expr)),
    }
}

impl Parser<'_> {
    pub fn expr(&mut self) -> Result<Expr> {
        self.deeper(|p| p.climb(0))
    }

    fn climb(&mut self, least: u32) -> Result<Expr> {
        let mut left = self.unary()?;
        while let Some((strength, op)) = binary(self.peek().text) {
            if strength <= least {
                break;
            }
            self.next();
            let right = self.deeper(|p| p.climb(strength))?;
            left = Expr {
                span: join(left.span, right.span),
                kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr> {
        let span = self.peek().span;
        let op = match self.peek().text {
            "-" => Unary::Negate,
            "!" => Unary::Not,
            "~" => Unary::Complement,
            _ => return self.primary(),
        };
        self.next();
        let inner = self.deeper(|p| p.unary())?;
        Ok(Expr {
            span: join(span, inner.span),
            kind: ExprKind::Unary(op, Box::new(inner)),
        })
    }

    fn primary(&mut self) -> Result<Expr> {
        let token = self.peek();
        let simple = |kind| Expr {
            kind,
            span: token.span,
        };
        match token.text {
            "(" => {
                self.next();
                let mut inner = self.expr()?;
                let close = self.expect(")", "after the expression")?;
                inner.span = join(token.span, close);
                return Ok(inner);
            }
            "true" | "false" => {
                self.next();
                return Ok(simple(ExprKind::Bool(token.text == "true")));
            }
            "choose" => {
                self.next();
                self.expect("(", "after `choose`")?;
                let first = self.expr()?;
                self.expect("..", "between the ends of the range")?;
                let last = self.expr()?;
                let close = self.expect(")", "after the range")?;
                return Ok(Expr {
                    kind: ExprKind::Choose(Box::new(first), Box::new(last)),
                    span: join(token.span, close),
                });
            }
            "int" | "uint" => {
                let ty = self.ty()?;
                self.expect("(", "after the type: a conversion is written `int<8>(x)`")?;
                let inner = self.expr()?;
                let close = self.expect(")", "after the expression")?;
                return Ok(Expr {
                    kind: ExprKind::Cast(ty, Box::new(inner)),
                    span: join(token.span, close),
                });
            }
            _ => {}
        }
        match token.kind {
            Kind::Number => {
                self.next();
                Ok(simple(ExprKind::Number(number(token.text, token.span)?)))
            }
            Kind::Word => {
                let place = self.place()?;
                let end = self.tokens[self.at - 1].span;
                Ok(Expr {
                    kind: ExprKind::Place(place),
                    span: join(token.span, end),
                })
            }
            _ => {
                let message = format!("expected an expression, found {}", self.found());
                Err(Diagnostic::at(token.span, message))
            }
        }
    }

    pub fn place(&mut self) -> Result<Place> {
        let name = self.name("a variable")?;
        let mut index = None;
        if self.take("[") {
            index = Some(Box::new(self.expr()?));
            self.expect("]", "after the index")?;
        }
        Ok(Place { name, index })
    }
}

fn number(text: &str, span: Span) -> Result<i128> {
    let digits = text.replace('_', "");
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    match value {
        Ok(n) if n <= u64::MAX as i128 => Ok(n),
        Ok(_) => Err(Diagnostic::at(
            span,
            format!("`{text}` has more than 64 bits"),
        )),
        Err(_) => Err(Diagnostic::at(span, format!("`{text}` is no number"))
            .help("numbers are decimal, or hexadecimal after `0x`")),
    }
}
