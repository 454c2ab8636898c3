//! Expressions, conditions and claims over whatever the program's features provide.

use super::features::Feature::*;
use super::generate::{Generator, Place};

impl Generator {
    pub fn constant(&mut self) -> String {
        if self.has(Overflow) && self.once_in(4) {
            return self
                .pick(&[
                    "2147483647",
                    "2147483646",
                    "(-2147483647 - 1)",
                    "1073741824",
                ])
                .into();
        }
        match self.below(8) {
            0..6 => self.below(4).to_string(),
            6 => "(-1)".into(),
            _ => (4 + self.below(252)).to_string(),
        }
    }

    /// Something that can be read and assigned.
    pub fn variable(&mut self, p: &Place) -> String {
        let mut all: Vec<String> = vec!["x".into(), "y".into(), "x".into(), "y".into()];
        all.extend(p.locals.iter().cloned());
        let features = self.features.clone();
        for f in features {
            match f {
                Array => {
                    let index = match self.below(4) {
                        0 => "x & 1".to_string(),
                        1 => "y".to_string(),
                        _ => self.below(2).to_string(),
                    };
                    all.push(format!("a[{index}]"));
                    if self.once_in(3) {
                        all.push("((unsigned char *)a)[1]".into());
                    }
                }
                AtomicType => all.extend(["at".into(), "at".into()]),
                BitField => all.extend(["b.k".into(), "b.n".into(), "b.w".into()]),
                Struct => all.extend(["s.f".into(), "s.g".into()]),
                Copy => all.extend(["s.f".into(), "s2.f".into()]),
                Union => all.extend([
                    "v.i".into(),
                    format!("v.c[{}]", self.below(4)),
                    "v.h[1]".into(),
                ]),
                Narrow => all.extend([
                    "c".into(),
                    "h".into(),
                    "l".into(),
                    "u".into(),
                    "flag".into(),
                ]),
                Pointer => all.push("*p".into()),
                ThreadLocal => all.extend(["tl".into(), "tl".into()]),
                HeapStruct => all.push("hs->n".into()),
                Partial => all.extend([
                    "*(unsigned char *)&x".into(),
                    "((short *)&y)[1]".into(),
                    "((unsigned char *)&x)[1]".into(),
                ]),
                PointerCast => all.push("*(int *)word".into()),
                PointerTable => all.extend(["*table[x & 1]".into(), "*table[0]".into()]),
                StaticLocal => all.push("*memo()".into()),
                StructArray => {
                    all.extend(["ss[y & 1].f".into(), "ss[0].g".into(), "ss[1].f".into()])
                }
                _ => {}
            }
        }
        all.extend(p.pointers.iter().map(|q| format!("*{q}")));
        let v = self.pick(&all);
        match v.starts_with('*') {
            true => format!("({v})"),
            false => v,
        }
    }

    pub fn expression(&mut self, p: &Place, depth: u32) -> String {
        if depth == 0 || self.once_in(3) {
            return match self.below(5) {
                0..3 => self.variable(p),
                _ => self.constant(),
            };
        }
        if self.has(Input) && self.once_in(6) {
            return "__VERIFIER_nondet_bool()".into();
        }
        if self.has(Call) && p.callable > 0 && self.once_in(6) {
            let f = self.below(p.callable as u64);
            let e = self.expression(p, depth - 1);
            return format!("f{f}({e})");
        }
        if self.has(Atomic) && self.once_in(5) {
            return self.atomic_expression(p);
        }
        let a = self.expression(p, depth - 1);
        let b = self.expression(p, depth - 1);
        let mut operators = vec![
            "+", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", "&&", "||", "+", "-",
        ];
        if self.has(Div) {
            operators.extend(["/", "%", "/", "%"]);
        }
        if self.has(Shift) {
            operators.extend(["<<", ">>", "<<"]);
        }
        match self.below(12) {
            0 => format!("(-({a}))"),
            1 => format!("(~({a}))"),
            2 => {
                let c = self.expression(p, depth - 1);
                format!("({c} ? {a} : {b})")
            }
            3 => format!("((unsigned char)({a}))"),
            _ => {
                let operator = self.pick(&operators);
                format!("({a} {operator} {b})")
            }
        }
    }

    pub fn atomic_expression(&mut self, p: &Place) -> String {
        let v = self.pick(&["x", "y"]);
        let e = self.expression(p, 0);
        match self.below(6) {
            0 => format!("__atomic_load_n(&{v}, 5)"),
            1 => format!("__atomic_fetch_add(&{v}, {e}, 5)"),
            2 => format!("__atomic_sub_fetch(&{v}, {e}, 5)"),
            3 => format!("__atomic_exchange_n(&{v}, {e}, 5)"),
            4 => format!("__atomic_fetch_or(&{v}, {e}, 5)"),
            _ => format!("__sync_fetch_and_add(&{v}, {e})"),
        }
    }

    pub fn condition(&mut self, p: &Place) -> String {
        let v = self.variable(p);
        let k = self.below(4);
        match self.below(8) {
            0 => self.expression(p, 1),
            1 => format!("!({v})"),
            2 => format!("{v} != {k}"),
            3 => format!("{v} < {k}"),
            4 => {
                let w = self.variable(p);
                format!("{v} <= {w}")
            }
            5 if self.has(Input) => "__VERIFIER_nondet_bool()".into(),
            _ => format!("{v} == {k}"),
        }
    }

    /// Mostly weak claims, so that both answers are common.
    pub fn claim(&mut self, p: &Place) -> String {
        let (v, w) = (self.variable(p), self.variable(p));
        let (k, m) = (self.below(6), self.below(4));
        match self.below(8) {
            0..2 => format!("{v} != {}", k + 1),
            2 => format!("{v} <= {k}"),
            3 | 4 => format!("!({v} == {m} && {w} == {k})"),
            5 => format!("({v} == {m} || {w} != {k})"),
            6 => format!("{v} == {m}"),
            _ => self.condition(p),
        }
    }
}
