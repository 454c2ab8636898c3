//! A let-sharing printer for people: every sub-term that is used more than once gets a name of its own, so
//! that the text has the size of the graph and not of the tree.

use super::smtlib::{constant_text, op_text};
use super::{Term, TermId, TermPool, symbol_text};
use std::collections::HashMap;
use std::fmt::Write;

impl TermPool {
    /// The term as nested `let … in` text.
    pub fn display(&self, root: TermId) -> String {
        let mut uses: HashMap<TermId, u32> = HashMap::new();
        let reachable = self.reachable(&[root]);
        for &id in &reachable {
            for &arg in self.args(id) {
                *uses.entry(arg).or_insert(0) += 1;
            }
        }
        let mut text: HashMap<TermId, String> = HashMap::new();
        let mut out = String::new();
        for &id in &reachable {
            let body = match self.term(id) {
                Term::Var(symbol) => symbol_text(self.symbol(*symbol).0),
                Term::App { op, .. } => {
                    let args: Vec<&str> =
                        self.args(id).iter().map(|arg| text[arg].as_str()).collect();
                    format!("({} {})", op_text(*op, self.sort(id)), args.join(" "))
                }
                _ => constant_text(self.term(id)),
            };
            let shared = uses.get(&id).copied().unwrap_or(0) > 1 && !self.args(id).is_empty();
            if shared {
                let name = format!("${}", id.index());
                let _ = writeln!(out, "let {name} = {body} in");
                text.insert(id, name);
            } else {
                text.insert(id, body);
            }
        }
        out.push_str(&text[&root]);
        out
    }
}
