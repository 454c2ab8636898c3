//! Tokens to a tree: declarations here, `statements.rs` and `expressions.rs` beside it.

mod expressions;
mod statements;

use crate::ast::{Constant, Initial, Model, Name, Process, Property, Type, Variable, When};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};
use crate::suggest::nearest;
use raddle_ir::Span;

/// Deeper nesting is refused: every pass behind this one recurses.
const DEEPEST: u32 = 100;

/// What may begin a part of a model.
const PARTS: &[&str] = &[
    "model", "const", "param", "shared", "bool", "int", "uint", "mutex", "cond", "init",
    "property", "process", "thread",
];

/// Words that stand inside parts and statements.
const INSIDE: &[&str] = &[
    "always", "never", "finally", "else", "in", "or", "true", "false",
];

/// Whether a word cannot be a name.
fn is_keyword(word: &str) -> bool {
    [PARTS, statements::BEGINNINGS, INSIDE]
        .iter()
        .any(|words| words.contains(&word))
}

type Result<T> = std::result::Result<T, Diagnostic>;

/// Reads a model.
pub fn parse(tokens: &[Token<'_>]) -> Result<Model> {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
    };
    parser.model()
}

struct Parser<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> &'t Token<'t> {
        // The last token is the end, and is never passed.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn ahead(&self, by: usize) -> &'t str {
        self.tokens.get(self.at + by).map_or("", |t| t.text)
    }

    fn next(&mut self) -> &'t Token<'t> {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn is(&self, text: &str) -> bool {
        self.peek().text == text
    }

    fn take(&mut self, text: &str) -> bool {
        let there = self.is(text);
        if there {
            self.next();
        }
        there
    }

    fn found(&self) -> String {
        match self.peek().kind {
            Kind::End => "the end of the model".into(),
            _ => format!("`{}`", self.peek().text),
        }
    }

    fn expect(&mut self, text: &str, why: &str) -> Result<Span> {
        let span = self.peek().span;
        if self.take(text) {
            return Ok(span);
        }
        let message = format!("expected `{text}` {why}, found {}", self.found());
        // A forgotten semicolon is marked where it is missing.
        let span = match (text, self.at.checked_sub(1)) {
            (";", Some(before)) => {
                let t = &self.tokens[before];
                Span {
                    column: t.span.column + t.span.length,
                    length: 1,
                    ..t.span
                }
            }
            _ => span,
        };
        Err(Diagnostic::at(span, message).help(format!("write `{text}` here")))
    }

    fn name(&mut self, what: &str) -> Result<Name> {
        let token = self.peek();
        if token.kind != Kind::Word {
            let message = format!("expected the name of {what}, found {}", self.found());
            return Err(Diagnostic::at(token.span, message));
        }
        if is_keyword(token.text) {
            let message = format!("`{}` is a keyword and cannot name {what}", token.text);
            let other = format!("call it `{}_` or something else", token.text);
            return Err(Diagnostic::at(token.span, message).help(other));
        }
        self.next();
        Ok(Name {
            text: token.text.into(),
            span: token.span,
        })
    }

    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = "this is nested too deeply";
            return Err(Diagnostic::at(self.peek().span, message));
        }
        let done = f(self);
        self.depth -= 1;
        done
    }

    fn model(&mut self) -> Result<Model> {
        let mut model = Model::default();
        if self.peek().kind == Kind::End {
            return Err(Diagnostic::at(self.peek().span, "the model is empty")
                .help("a model needs at least one process: `process P { skip; }`"));
        }
        while self.peek().kind != Kind::End {
            self.part(&mut model)?;
        }
        Ok(model)
    }

    fn part(&mut self, model: &mut Model) -> Result<()> {
        let token = self.peek();
        match token.text {
            "model" => {
                self.next();
                self.name("the model")?;
                self.take(";");
            }
            "const" | "param" => {
                self.next();
                loop {
                    let name = self.name("a constant")?;
                    self.expect("=", "before the value")?;
                    let value = self.expr()?;
                    let param = token.text == "param";
                    model.constants.push(Constant { name, value, param });
                    if !self.take(",") {
                        break;
                    }
                }
                self.expect(";", "after the constant")?;
            }
            "shared" => {
                self.next();
                let variables = self.variables()?;
                model.variables.extend(variables);
            }
            "bool" | "int" | "uint" | "mutex" | "cond" => {
                let variables = self.variables()?;
                model.variables.extend(variables);
            }
            "init" => {
                self.next();
                let body = self.block()?;
                model.init.extend(body);
            }
            "property" => {
                let property = self.property()?;
                model.properties.push(property);
            }
            "process" | "thread" => {
                self.next();
                let process = self.process()?;
                model.processes.push(process);
            }
            // As the papers print it.
            _ if token.kind == Kind::Word && self.ahead(1) == "{" => {
                let process = self.process()?;
                model.processes.push(process);
            }
            text => {
                let message = format!("no part of a model begins with {}", self.found());
                let help = match nearest(text, PARTS.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => {
                        "parts are: const, param, shared variables, init, property, process".into()
                    }
                };
                return Err(Diagnostic::at(token.span, message).help(help));
            }
        }
        Ok(())
    }

    fn ty(&mut self) -> Result<Type> {
        let token = self.next();
        match token.text {
            "bool" => return Ok(Type::Bool),
            "mutex" => return Ok(Type::Mutex),
            "cond" => return Ok(Type::Cond),
            "int" | "uint" => {}
            text => {
                let message = format!("`{text}` is no type");
                return Err(Diagnostic::at(token.span, message)
                    .help("types are bool, int, int<W>, uint, uint<W>, mutex and cond"));
            }
        }
        let signed = token.text == "int";
        if !self.take("<") {
            return Ok(Type::Int { signed, width: 32 });
        }
        let number = self.next();
        let width = number.text.parse().ok();
        let Some(width) = width.filter(|w| (1..=64).contains(w)) else {
            let message = "the width of an integer is a number from 1 to 64";
            return Err(Diagnostic::at(number.span, message).help("for example `int<8>`"));
        };
        self.expect(">", "after the width")?;
        Ok(Type::Int { signed, width })
    }

    /// Declarations of one type, up to the semicolon.
    fn variables(&mut self) -> Result<Vec<Variable>> {
        let ty = self.ty()?;
        let mut all = Vec::new();
        loop {
            let name = self.name("a variable")?;
            let mut size = None;
            if self.take("[") {
                size = Some(self.expr()?);
                self.expect("]", "after the size")?;
            }
            let mut initial = None;
            if self.take("=") {
                initial = Some(match self.is("{") {
                    true => self.list()?,
                    false => Initial::One(self.expr()?),
                });
            }
            all.push(Variable {
                ty,
                name,
                size,
                initial,
            });
            if !self.take(",") {
                break;
            }
        }
        self.expect(";", "after the declaration")?;
        Ok(all)
    }

    fn list(&mut self) -> Result<Initial> {
        let span = self.expect("{", "before the values")?;
        let mut all = Vec::new();
        while !self.is("}") {
            all.push(self.expr()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect("}", "after the values")?;
        Ok(Initial::List(all, span))
    }

    fn property(&mut self) -> Result<Property> {
        self.next();
        let begin = self.peek().offset;
        let name = self.name("the property")?;
        self.expect(":", "after the name of the property")?;
        let word = self.peek();
        let (when, negated) = match word.text {
            "always" => (When::Always, false),
            "never" => (When::Always, true),
            "finally" => (When::Finally, false),
            _ => {
                let message = format!(
                    "expected `always`, `never` or `finally`, found {}",
                    self.found()
                );
                return Err(Diagnostic::at(word.span, message).help(
                    "`always` has to hold in every state, `finally` when all processes have ended",
                ));
            }
        };
        self.next();
        let mut holds = self.expr()?;
        if negated {
            holds = expressions::not(holds);
        }
        let end = self
            .expect(";", "after the property")
            .map(|_| self.tokens[self.at - 1].offset)?;
        Ok(Property {
            name,
            when,
            holds,
            text: (begin, end),
        })
    }

    fn process(&mut self) -> Result<Process> {
        let name = self.name("a process")?;
        let mut range = None;
        if self.take("[") {
            range = Some(self.replication()?);
        }
        // Without braces the body goes on to the next part.
        let body = match self.is("{") {
            true => self.block()?,
            false => {
                let mut body = Vec::new();
                while self.peek().kind != Kind::End && !PARTS.contains(&self.peek().text) {
                    body.push(self.statement()?);
                }
                body
            }
        };
        Ok(Process { name, range, body })
    }

    fn replication(&mut self) -> Result<(Name, crate::ast::Expr, crate::ast::Expr)> {
        let open = self.tokens[self.at - 1].span;
        let unbounded = |span| {
            Diagnostic::at(span, "a process is replicated over a range with both ends")
                .help("write `[i: 0..n]` with a constant or parameter n")
        };
        if self.is("*") || self.is("]") {
            return Err(unbounded(self.peek().span));
        }
        let named = self.peek().kind == Kind::Word && matches!(self.ahead(1), ":" | "in");
        let name = match named {
            true => {
                let name = self.name("the number of the process")?;
                self.next();
                name
            }
            false => Name {
                text: String::new(),
                span: open,
            },
        };
        if self.is("..") {
            return Err(unbounded(self.peek().span));
        }
        let first = self.expr()?;
        // `P[n]` means `P[0..n]`.
        if !named && self.take("]") {
            let zero = crate::ast::Expr {
                kind: crate::ast::ExprKind::Number(0),
                span: first.span,
            };
            return Ok((name, zero, first));
        }
        self.expect("..", "between the ends of the range")?;
        if self.is("]") || self.is("*") {
            return Err(unbounded(self.peek().span));
        }
        let last = self.expr()?;
        self.expect("]", "after the range")?;
        Ok((name, first, last))
    }
}
