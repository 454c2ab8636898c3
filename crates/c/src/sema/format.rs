//! `printf` with a literal format, split into pieces, so that output needs no formatting code to be checked.
//!
//! Only as a statement: where the number of characters is used, the modelled library does the work.
//! Misses: `%n`, `*` for width and precision, and wide characters, which are also left to the library.

use super::convert::{int, make};
use super::{Entity, Sema};
use crate::ast::{self, Basic, ExprKind};
use crate::diagnostic::Result;
use crate::hir::*;
use std::rc::Rc;

impl Sema<'_> {
    /// The pieces of a `printf`, `fprintf` or `puts` statement, if it can be split.
    pub(super) fn print_statement(&mut self, expr: &ast::Expr) -> Result<Option<Expr>> {
        let expr = match &expr.kind {
            ExprKind::Cast(_, inner) => inner,
            _ => expr,
        };
        let ExprKind::Call(callee, args) = &expr.kind else {
            return Ok(None);
        };
        let ExprKind::Name(symbol) = callee.kind else {
            return Ok(None);
        };
        let name = self.names.name(symbol);
        if !matches!(
            &*name,
            "printf" | "fprintf" | "puts" | "__builtin_printf" | "__builtin_puts"
        ) {
            return Ok(None);
        }
        match self.lookup(symbol) {
            Some(Entity::Function(id)) => {
                let function = &self.functions[id.0 as usize];
                if function.body.is_some() && !self.is_library(function.unit) {
                    return Ok(None);
                }
            }
            None => {}
            Some(_) => return Ok(None),
        }
        let (stream, args) = match &*name {
            "fprintf" => match args.split_first() {
                Some((first, rest)) => match self.standard_stream(first) {
                    Some(stream) => (stream, rest),
                    None => return Ok(None),
                },
                None => return Ok(None),
            },
            _ => (1, &args[..]),
        };
        let puts = name.ends_with("puts");
        let Some((format, rest)) = args.split_first() else {
            return Ok(None);
        };
        let span = expr.span;
        let ExprKind::Str { units, .. } = &format.kind else {
            return Ok(None);
        };
        let bytes: Vec<u8> = units
            .iter()
            .map(|&u| u as u8)
            .take_while(|&b| b != 0)
            .collect();
        let pieces = if puts {
            let text = String::from_utf8_lossy(&bytes);
            Some(vec![Piece::Text(format!("{text}\n"))])
        } else {
            split(&bytes, rest.len())
        };
        let Some(pieces) = pieces else {
            return Ok(None);
        };
        let mut checked = vec![int(stream, Basic::Int, span)];
        for arg in rest {
            let value = self.expr(arg)?;
            checked.push(self.promoted_argument(value)?);
        }
        // A conversion must fit its argument: otherwise the library is asked.
        for piece in &pieces {
            let ok = match piece {
                Piece::Text(_) => true,
                Piece::Str(index, _) => self.types.is_pointer(checked[index + 1].ty),
                Piece::Value(conversion, index) => {
                    let ty = checked[index + 1].ty;
                    match conversion.as_bytes().last() {
                        Some(b'p') => self.types.is_pointer(ty),
                        Some(b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G') => {
                            self.types.is_float(ty)
                        }
                        _ => self.types.is_integer(ty),
                    }
                }
            };
            if !ok {
                return Ok(None);
            }
        }
        let kind = Kind::Builtin(Builtin::Print(pieces.into()), checked);
        Ok(Some(make(kind, Basic::Void, span)))
    }

    fn standard_stream(&self, expr: &ast::Expr) -> Option<i128> {
        let ExprKind::Name(symbol) = expr.kind else {
            return None;
        };
        match &*self.names.name(symbol) {
            "stdout" => Some(1),
            "stderr" => Some(2),
            _ => None,
        }
    }
}

fn split(format: &[u8], arguments: usize) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut next = 0;
    let mut at = 0;
    let flush = |text: &mut Vec<u8>, pieces: &mut Vec<Piece>| {
        if !text.is_empty() {
            pieces.push(Piece::Text(String::from_utf8_lossy(text).into_owned()));
            text.clear();
        }
    };
    while at < format.len() {
        if format[at] != b'%' {
            text.push(format[at]);
            at += 1;
            continue;
        }
        at += 1;
        if format.get(at) == Some(&b'%') {
            text.push(b'%');
            at += 1;
            continue;
        }
        let mut conversion = String::from("%");
        while let Some(&b) = format.get(at) {
            if !matches!(b, b'-' | b'+' | b' ' | b'#' | b'0'..=b'9' | b'.') {
                break;
            }
            conversion.push(b as char);
            at += 1;
        }
        while matches!(
            format.get(at),
            Some(b'h' | b'l' | b'j' | b'z' | b't' | b'L' | b'q')
        ) {
            // `%hhd` narrows its argument, which the piece would not do.
            if format[at] == b'h' {
                return None;
            }
            at += 1;
        }
        let letter = *format.get(at)?;
        at += 1;
        if next >= arguments {
            return None;
        }
        flush(&mut text, &mut pieces);
        match letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'p' | b'a' | b'A' | b'e' | b'E'
            | b'f' | b'F' | b'g' | b'G' => {
                conversion.push(letter as char);
                pieces.push(Piece::Value(conversion, next));
            }
            b's' if conversion == "%" => pieces.push(Piece::Str(next, None)),
            b's' => match conversion.strip_prefix("%.").and_then(|n| n.parse().ok()) {
                Some(precision) => pieces.push(Piece::Str(next, Some(precision))),
                None => return None,
            },
            _ => return None,
        }
        next += 1;
    }
    flush(&mut text, &mut pieces);
    Some(pieces)
}

/// The text of a string literal.
pub(super) fn literal_text(expr: &ast::Expr) -> Option<Rc<str>> {
    match &expr.kind {
        ExprKind::Str { units, .. } => {
            let bytes: Vec<u8> = units.iter().map(|&u| u as u8).collect();
            Some(String::from_utf8_lossy(&bytes).into())
        }
        ExprKind::Cast(_, inner) => literal_text(inner),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_split() {
        let pieces = split(b"a%d%%b %08lx%s\n", 3).unwrap();
        assert_eq!(
            pieces,
            [
                Piece::Text("a".into()),
                Piece::Value("%d".into(), 0),
                Piece::Text("%b ".into()),
                Piece::Value("%08x".into(), 1),
                Piece::Str(2, None),
                Piece::Text("\n".into()),
            ]
        );
        assert!(split(b"%d", 0).is_none());
        assert!(split(b"%*d", 2).is_none());
        assert!(split(b"%n", 1).is_none());
        assert!(split(b"%", 1).is_none());
    }
}
