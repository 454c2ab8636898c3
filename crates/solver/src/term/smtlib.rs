//! Printing terms as SMT-LIB 2 text, for external solvers and for people who want to reproduce a query.
//!
//! Shared sub-terms are bound by nested `let`s, so the text is linear in the size of the graph.

use super::{Op, Sort, Term, TermId, TermPool};
use std::collections::HashMap;
use std::fmt::Write;

/// A sort in SMT-LIB syntax.
pub fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => {
            format!("(Array (_ BitVec {index}) (_ BitVec {element}))")
        }
    }
}

/// A symbol in SMT-LIB syntax, quoted where its characters require it.
pub fn symbol_text(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.!$%&*+-/<=>?@^~".contains(c);
    let starts_plain = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if starts_plain && name.chars().all(plain) {
        name.to_owned()
    } else {
        let cleaned: String = name
            .chars()
            .map(|c| if c == '|' || c == '\\' { '_' } else { c })
            .collect();
        format!("|{cleaned}|")
    }
}

pub(super) fn constant_text(term: &Term) -> String {
    match term {
        Term::Bool(value) => value.to_string(),
        Term::Bits { width, value } => format!("(_ bv{value} {width})"),
        Term::Int(value) if *value < 0 => format!("(- {})", value.unsigned_abs()),
        Term::Int(value) => value.to_string(),
        Term::Var(_) | Term::App { .. } => String::new(),
    }
}

pub(super) fn op_text(op: Op, sort: Sort) -> String {
    let plain = match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Xor => "xor",
        Op::Ite => "ite",
        Op::Eq => "=",
        Op::BvNot => "bvnot",
        Op::BvNeg => "bvneg",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvAdd => "bvadd",
        Op::BvSub => "bvsub",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvSmod => "bvsmod",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUlt => "bvult",
        Op::BvUle => "bvule",
        Op::BvSlt => "bvslt",
        Op::BvSle => "bvsle",
        Op::Concat => "concat",
        Op::Select => "select",
        Op::Store => "store",
        Op::IntAdd => "+",
        Op::IntSub => "-",
        Op::IntMul => "*",
        Op::IntLe => "<=",
        Op::IntLt => "<",
        Op::Extract { high, low } => return format!("(_ extract {high} {low})"),
        Op::ZeroExtend { by } => return format!("(_ zero_extend {by})"),
        Op::SignExtend { by } => return format!("(_ sign_extend {by})"),
        Op::ConstArray { .. } => return format!("(as const {})", sort_text(sort)),
    };
    plain.to_owned()
}

impl TermPool {
    /// The term as one SMT-LIB expression with `let`s for shared sub-terms.
    pub fn smtlib(&self, root: TermId) -> String {
        let reachable = self.reachable(&[root]);
        let mut uses: HashMap<TermId, u32> = HashMap::new();
        for &id in &reachable {
            for &arg in self.args(id) {
                *uses.entry(arg).or_insert(0) += 1;
            }
        }
        let mut text: HashMap<TermId, String> = HashMap::new();
        let mut out = String::new();
        let mut open = 0;
        for &id in &reachable {
            let body = match self.term(id) {
                Term::Var(symbol) => symbol_text(self.symbol(*symbol).0),
                Term::App { op, .. } => {
                    let mut body = format!("({}", op_text(*op, self.sort(id)));
                    for arg in self.args(id) {
                        let _ = write!(body, " {}", text[arg]);
                    }
                    body.push(')');
                    body
                }
                _ => constant_text(self.term(id)),
            };
            if uses.get(&id).copied().unwrap_or(0) > 1 && !self.args(id).is_empty() {
                let name = format!("?t{}", id.index());
                let _ = write!(out, "(let (({name} {body})) ");
                open += 1;
                text.insert(id, name);
            } else {
                text.insert(id, body);
            }
        }
        out.push_str(&text[&root]);
        out.extend(std::iter::repeat_n(')', open));
        out
    }

    /// Declarations of the free variables of the roots and one `assert` for each root.
    pub fn smtlib_script(&self, roots: &[TermId]) -> String {
        let mut out = String::new();
        for id in self.free_variables(roots) {
            if let Term::Var(symbol) = self.term(id) {
                let (name, sort) = self.symbol(*symbol);
                let _ = writeln!(
                    out,
                    "(declare-fun {} () {})",
                    symbol_text(name),
                    sort_text(sort)
                );
            }
        }
        for &root in roots {
            let _ = writeln!(out, "(assert {})", self.smtlib(root));
        }
        out
    }
}
