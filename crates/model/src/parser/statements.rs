//! Statements.

use super::{Parser, Result};
use crate::ast::{Binary, Expr, ExprKind, Place, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::lexer::Kind;
use crate::suggest::nearest;

/// What may begin a statement, besides a name.
pub const BEGINNINGS: &[&str] = &[
    "local",
    "if",
    "while",
    "for",
    "atomic",
    "choose",
    "lock",
    "unlock",
    "wait",
    "signal",
    "broadcast",
    "assume",
    "assert",
    "break",
    "stop",
    "skip",
];

impl Parser<'_> {
    /// Statements between braces.
    pub fn block(&mut self) -> Result<Vec<Stmt>> {
        let open = self.expect("{", "before the statements")?;
        let mut all = Vec::new();
        while !self.is("}") {
            if self.peek().kind == Kind::End {
                return Err(Diagnostic::at(open, "this `{` is never closed").help("write `}`"));
            }
            all.push(self.statement()?);
        }
        self.next();
        Ok(all)
    }

    /// A block, or one statement.
    fn body(&mut self) -> Result<Vec<Stmt>> {
        match self.is("{") {
            true => self.deeper(|p| p.block()),
            false => Ok(vec![self.statement()?]),
        }
    }

    pub fn statement(&mut self) -> Result<Stmt> {
        // A label, as papers print it: it names nothing here.
        if self.peek().kind == Kind::Word && self.ahead(1) == ":" {
            self.name("the label")?;
            self.next();
        }
        let first = self.peek();
        let kind = self.deeper(|p| p.statement_kind())?;
        let last = &self.tokens[self.at - 1];
        Ok(Stmt {
            kind,
            span: first.span,
            text: (first.offset, last.offset + last.text.len()),
        })
    }

    fn statement_kind(&mut self) -> Result<StmtKind> {
        let token = self.peek();
        let simple = |p: &mut Self, kind| {
            p.next();
            p.expect(";", "after the statement")?;
            Ok(kind)
        };
        match token.text {
            "local" => {
                self.next();
                Ok(StmtKind::Local(self.variables()?))
            }
            "bool" | "int" | "uint" => Ok(StmtKind::Local(self.variables()?)),
            "{" => Ok(StmtKind::Block(self.block()?)),
            "if" => {
                self.next();
                let condition = self.expr()?;
                let then = self.body()?;
                let otherwise = match self.take("else") {
                    true => self.body()?,
                    false => Vec::new(),
                };
                Ok(StmtKind::If(condition, then, otherwise))
            }
            "while" => {
                self.next();
                let condition = self.expr()?;
                Ok(StmtKind::While(condition, self.body()?))
            }
            "for" => self.repetition(),
            "atomic" => {
                self.next();
                Ok(StmtKind::Atomic(self.body()?))
            }
            "choose" => {
                self.next();
                let mut ways = vec![self.block()?];
                while self.take("or") {
                    ways.push(self.block()?);
                }
                Ok(StmtKind::Choose(ways))
            }
            "lock" => Ok(StmtKind::Lock(self.argument()?)),
            "unlock" => Ok(StmtKind::Unlock(self.argument()?)),
            "signal" => Ok(StmtKind::Signal(self.argument()?)),
            "broadcast" => Ok(StmtKind::Broadcast(self.argument()?)),
            "wait" => {
                self.next();
                self.expect("(", "after `wait`")?;
                let cond = self.place()?;
                self.expect(",", "between the condition and the mutex: `wait(c, m)`")?;
                let mutex = self.place()?;
                self.expect(")", "after the mutex")?;
                self.expect(";", "after the statement")?;
                Ok(StmtKind::Wait(cond, mutex))
            }
            "assume" | "assert" => {
                self.next();
                let condition = self.expr()?;
                self.expect(";", "after the statement")?;
                Ok(match token.text {
                    "assume" => StmtKind::Assume(condition),
                    _ => StmtKind::Assert(condition),
                })
            }
            "break" => simple(self, StmtKind::Break),
            "stop" => simple(self, StmtKind::Stop),
            "skip" => simple(self, StmtKind::Skip),
            _ if token.kind == Kind::Word => self.assignment(),
            _ => {
                let message = format!("expected a statement, found {}", self.found());
                Err(Diagnostic::at(token.span, message))
            }
        }
    }

    fn argument(&mut self) -> Result<Place> {
        let word = self.next().text;
        self.expect("(", &format!("after `{word}`"))?;
        let place = self.place()?;
        self.expect(")", "after the name")?;
        self.expect(";", "after the statement")?;
        Ok(place)
    }

    fn repetition(&mut self) -> Result<StmtKind> {
        self.next();
        let name = self.name("the number of the repetition")?;
        self.expect("in", "after the name")?;
        let first = self.expr()?;
        self.expect("..", "between the ends of the range")?;
        if self.is("{") {
            return Err(
                Diagnostic::at(self.peek().span, "a repetition has an upper end")
                    .help("write `for i in 0..n { … }`; for a loop of unknown length use `while`"),
            );
        }
        let last = self.expr()?;
        Ok(StmtKind::For(name, first, last, self.body()?))
    }

    fn assignment(&mut self) -> Result<StmtKind> {
        let token = self.peek();
        let place = self.place()?;
        let mark = self.peek();
        let one = Expr {
            kind: ExprKind::Number(1),
            span: mark.span,
        };
        let (op, value) = match mark.text {
            "=" | ":=" => {
                self.next();
                (None, self.expr()?)
            }
            "+=" | "-=" => {
                self.next();
                let op = if mark.text == "+=" {
                    Binary::Add
                } else {
                    Binary::Sub
                };
                (Some(op), self.expr()?)
            }
            "++" => {
                self.next();
                (Some(Binary::Add), one)
            }
            "--" => {
                self.next();
                (Some(Binary::Sub), one)
            }
            _ => {
                let near = nearest(token.text, BEGINNINGS.iter().copied());
                let message = match near {
                    Some(_) => format!("`{}` begins no statement", token.text),
                    None => format!("expected `=` after the variable, found {}", self.found()),
                };
                let diagnostic = Diagnostic::at(
                    if near.is_some() {
                        token.span
                    } else {
                        mark.span
                    },
                    message,
                );
                return Err(match near {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help("an assignment is written `x = e;`"),
                });
            }
        };
        self.expect(";", "after the assignment")?;
        Ok(StmtKind::Assign(place, op, value))
    }
}
