//! Statements and blocks.

use super::{DeclarationOrFunction, Parser};
use crate::ast::*;
use crate::diagnostic::Result;
use crate::source::Span;
use crate::token::Tok;
use std::collections::HashMap;
use std::rc::Rc;

impl Parser<'_> {
    /// A block in a scope of its own.
    pub(super) fn block(&mut self) -> Result<Block> {
        self.scopes.push(HashMap::new());
        let block = self.nested(|p| p.block_in_scope());
        self.scopes.pop();
        block
    }

    /// A block whose scope is already open.
    pub(super) fn block_in_scope(&mut self) -> Result<Block> {
        let start = self.expect(Tok::LBrace)?.span();
        let mut labels = Vec::new();
        while self.eat(Tok::Label) {
            loop {
                labels.push(self.identifier()?.0);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect(Tok::Semi)?;
        }
        let mut stmts = Vec::new();
        while !self.is(Tok::RBrace) {
            if self.is(Tok::Eof) {
                return self.unexpected("expected `}`");
            }
            stmts.push(self.block_item()?);
        }
        self.bump();
        Ok(Block {
            labels,
            stmts,
            span: self.since(start),
        })
    }

    fn block_item(&mut self) -> Result<Stmt> {
        let start = self.span();
        let is_label = self.is(Tok::Ident) && self.kind_ahead(1) == Tok::Colon;
        // `__attribute__((fallthrough));` is a statement.
        if is_label || !self.begins_declaration() || self.attribute_statement() {
            return self.statement();
        }
        let kind = if self.is(Tok::StaticAssert) {
            StmtKind::StaticAssert(Rc::new(self.static_assert()?))
        } else {
            match self.nested(|p| p.declaration_or_function(false))? {
                DeclarationOrFunction::Declaration(d) => StmtKind::Declaration(Rc::new(d)),
                DeclarationOrFunction::Function(_) => StmtKind::NestedFunction,
            }
        };
        Ok(self.finish(kind, start))
    }

    fn attribute_statement(&self) -> bool {
        if !self.is(Tok::Attribute) {
            return false;
        }
        let mut ahead = 1;
        let mut depth = 0;
        loop {
            match self.kind_ahead(ahead) {
                Tok::LParen => depth += 1,
                Tok::RParen => depth -= 1,
                Tok::Eof => return false,
                _ => {}
            }
            ahead += 1;
            if depth == 0 {
                return self.kind_ahead(ahead) == Tok::Semi;
            }
        }
    }

    fn finish(&self, kind: StmtKind, start: Span) -> Stmt {
        Stmt {
            kind,
            span: self.since(start),
        }
    }

    /// A statement.
    pub(super) fn statement(&mut self) -> Result<Stmt> {
        self.nested(|p| p.statement_inner())
    }

    fn statement_inner(&mut self) -> Result<Stmt> {
        let start = self.span();
        let kind = match self.kind() {
            Tok::LBrace => StmtKind::Block(self.block()?),
            Tok::Semi => {
                self.bump();
                StmtKind::Empty
            }
            Tok::Attribute => {
                self.attributes()?;
                self.expect(Tok::Semi)?;
                StmtKind::Empty
            }
            Tok::If => {
                self.bump();
                let condition = self.parenthesised()?;
                let then = Box::new(self.statement()?);
                let otherwise = if self.eat(Tok::Else) {
                    Some(Box::new(self.statement()?))
                } else {
                    None
                };
                StmtKind::If(condition, then, otherwise)
            }
            Tok::While => {
                self.bump();
                let condition = self.parenthesised()?;
                StmtKind::While(condition, Box::new(self.statement()?))
            }
            Tok::Do => {
                self.bump();
                let body = Box::new(self.statement()?);
                self.expect(Tok::While)?;
                let condition = self.parenthesised()?;
                self.expect(Tok::Semi)?;
                StmtKind::DoWhile(body, condition)
            }
            Tok::For => {
                self.bump();
                self.scopes.push(HashMap::new());
                let kind = self.for_statement();
                self.scopes.pop();
                kind?
            }
            Tok::Switch => {
                self.bump();
                let value = self.parenthesised()?;
                StmtKind::Switch(value, Box::new(self.statement()?))
            }
            Tok::Goto => {
                self.bump();
                let kind = if self.eat(Tok::Star) {
                    self.expression()?;
                    StmtKind::GotoComputed
                } else {
                    StmtKind::Goto(self.identifier()?.0)
                };
                self.expect(Tok::Semi)?;
                kind
            }
            Tok::Continue => {
                self.bump();
                self.expect(Tok::Semi)?;
                StmtKind::Continue
            }
            Tok::Break => {
                self.bump();
                self.expect(Tok::Semi)?;
                StmtKind::Break
            }
            Tok::Return => {
                self.bump();
                let value = if self.is(Tok::Semi) {
                    None
                } else {
                    Some(self.expression()?)
                };
                self.expect(Tok::Semi)?;
                StmtKind::Return(value)
            }
            Tok::Asm => {
                self.bump();
                StmtKind::Asm(self.asm_statement()?)
            }
            Tok::Case | Tok::Default => self.labeled()?,
            Tok::Ident if self.kind_ahead(1) == Tok::Colon => self.labeled()?,
            _ => {
                let value = self.expression()?;
                self.expect(Tok::Semi)?;
                StmtKind::Expr(value)
            }
        };
        Ok(self.finish(kind, start))
    }

    fn parenthesised(&mut self) -> Result<Expr> {
        self.expect(Tok::LParen)?;
        let value = self.expression()?;
        self.expect(Tok::RParen)?;
        Ok(value)
    }

    fn for_statement(&mut self) -> Result<StmtKind> {
        self.expect(Tok::LParen)?;
        let start = self.span();
        let init = if self.eat(Tok::Semi) {
            None
        } else if self.begins_declaration() {
            Some(Box::new(self.block_item()?))
        } else {
            let value = self.expression()?;
            self.expect(Tok::Semi)?;
            Some(Box::new(self.finish(StmtKind::Expr(value), start)))
        };
        let condition = if self.is(Tok::Semi) {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(Tok::Semi)?;
        let step = if self.is(Tok::RParen) {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(Tok::RParen)?;
        let body = Box::new(self.statement()?);
        Ok(StmtKind::For {
            init,
            condition,
            step,
            body,
        })
    }

    /// All labels in a row, then the statement they stand before.
    fn labeled(&mut self) -> Result<StmtKind> {
        let mut labels = Vec::new();
        loop {
            let start = self.span();
            let label = match self.kind() {
                Tok::Case => {
                    self.bump();
                    let first = self.conditional()?;
                    if self.eat(Tok::Ellipsis) {
                        Label::Range(first, self.conditional()?)
                    } else {
                        Label::Case(first)
                    }
                }
                Tok::Default => {
                    self.bump();
                    Label::Default
                }
                Tok::Ident if self.kind_ahead(1) == Tok::Colon => {
                    let label = Label::Name(self.bump().symbol);
                    self.bump();
                    self.attributes()?;
                    labels.push((label, self.since(start)));
                    continue;
                }
                _ => break,
            };
            self.expect(Tok::Colon)?;
            labels.push((label, self.since(start)));
        }
        let start = self.span();
        let body = if self.is(Tok::RBrace) {
            self.finish(StmtKind::Empty, start)
        } else {
            self.nested(|p| p.block_item())?
        };
        Ok(StmtKind::Labeled(labels, Box::new(body)))
    }
}
