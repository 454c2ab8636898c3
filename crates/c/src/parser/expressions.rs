//! Expressions, by precedence climbing.

use super::{MAX_HEIGHT, Parser};
use crate::ast::*;
use crate::diagnostic::{Result, fail};
use crate::literal;
use crate::source::Span;
use crate::token::Tok;
use std::rc::Rc;

fn binary_operator(kind: Tok) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        Tok::PipePipe => (BinaryOp::LogicalOr, 1),
        Tok::AmpAmp => (BinaryOp::LogicalAnd, 2),
        Tok::Pipe => (BinaryOp::Or, 3),
        Tok::Caret => (BinaryOp::Xor, 4),
        Tok::Amp => (BinaryOp::And, 5),
        Tok::EqEq => (BinaryOp::Equal, 6),
        Tok::BangEq => (BinaryOp::NotEqual, 6),
        Tok::Less => (BinaryOp::Less, 7),
        Tok::Greater => (BinaryOp::Greater, 7),
        Tok::LessEq => (BinaryOp::LessEq, 7),
        Tok::GreaterEq => (BinaryOp::GreaterEq, 7),
        Tok::Shl => (BinaryOp::Shl, 8),
        Tok::Shr => (BinaryOp::Shr, 8),
        Tok::Plus => (BinaryOp::Add, 9),
        Tok::Minus => (BinaryOp::Sub, 9),
        Tok::Star => (BinaryOp::Mul, 10),
        Tok::Slash => (BinaryOp::Div, 10),
        Tok::Percent => (BinaryOp::Rem, 10),
        _ => return None,
    })
}

fn assignment_operator(kind: Tok) -> Option<Option<BinaryOp>> {
    Some(match kind {
        Tok::Eq => None,
        Tok::PlusEq => Some(BinaryOp::Add),
        Tok::MinusEq => Some(BinaryOp::Sub),
        Tok::StarEq => Some(BinaryOp::Mul),
        Tok::SlashEq => Some(BinaryOp::Div),
        Tok::PercentEq => Some(BinaryOp::Rem),
        Tok::AmpEq => Some(BinaryOp::And),
        Tok::PipeEq => Some(BinaryOp::Or),
        Tok::CaretEq => Some(BinaryOp::Xor),
        Tok::ShlEq => Some(BinaryOp::Shl),
        Tok::ShrEq => Some(BinaryOp::Shr),
        _ => return None,
    })
}

impl Parser<'_> {
    fn make(&self, kind: ExprKind, start: Span, height: u32) -> Result<Expr> {
        let span = self.since(start);
        if height >= MAX_HEIGHT {
            return fail(
                span,
                format!("an expression more than {MAX_HEIGHT} operators high"),
            );
        }
        Ok(Expr {
            kind,
            span,
            height: height + 1,
        })
    }

    /// An expression, with the comma operator.
    pub(super) fn expression(&mut self) -> Result<Expr> {
        let start = self.span();
        let mut left = self.assignment()?;
        while self.eat(Tok::Comma) {
            let right = self.assignment()?;
            let height = left.height.max(right.height);
            left = self.make(
                ExprKind::Comma(Box::new(left), Box::new(right)),
                start,
                height,
            )?;
        }
        Ok(left)
    }

    /// An assignment expression.
    pub(super) fn assignment(&mut self) -> Result<Expr> {
        let start = self.span();
        let left = self.conditional()?;
        let Some(operator) = assignment_operator(self.kind()) else {
            return Ok(left);
        };
        self.bump();
        let right = self.nested(|p| p.assignment())?;
        let height = left.height.max(right.height);
        self.make(
            ExprKind::Assign(operator, Box::new(left), Box::new(right)),
            start,
            height,
        )
    }

    /// A conditional expression; also what the grammar calls a constant expression.
    pub(super) fn conditional(&mut self) -> Result<Expr> {
        let start = self.span();
        let condition = self.binary(1)?;
        if !self.eat(Tok::Question) {
            return Ok(condition);
        }
        let then = if self.is(Tok::Colon) {
            None
        } else {
            Some(Box::new(self.nested(|p| p.expression())?))
        };
        self.expect(Tok::Colon)?;
        let otherwise = Box::new(self.nested(|p| p.conditional())?);
        let height = then.as_ref().map_or(0, |t| t.height);
        let height = height.max(condition.height).max(otherwise.height);
        self.make(
            ExprKind::Conditional(Box::new(condition), then, otherwise),
            start,
            height,
        )
    }

    fn binary(&mut self, lowest: u8) -> Result<Expr> {
        let start = self.span();
        let mut left = self.cast()?;
        while let Some((operator, precedence)) = binary_operator(self.kind()) {
            if precedence < lowest {
                break;
            }
            self.bump();
            let right = self.binary(precedence + 1)?;
            let height = left.height.max(right.height);
            left = self.make(
                ExprKind::Binary(operator, Box::new(left), Box::new(right)),
                start,
                height,
            )?;
        }
        Ok(left)
    }

    fn cast(&mut self) -> Result<Expr> {
        self.nested(|p| p.cast_inner())
    }

    fn parenthesised_type_ahead(&self) -> bool {
        if !self.is(Tok::LParen) {
            return false;
        }
        let mut ahead = 1;
        while self.kind_ahead(ahead) == Tok::Extension {
            ahead += 1;
        }
        self.type_at(ahead)
    }

    fn cast_inner(&mut self) -> Result<Expr> {
        let start = self.span();
        if !self.parenthesised_type_ahead() {
            return self.unary();
        }
        self.bump();
        let ty = Rc::new(self.type_name()?);
        self.expect(Tok::RParen)?;
        if self.is(Tok::LBrace) {
            return self.compound_literal(ty, start);
        }
        let operand = self.cast()?;
        let height = operand.height;
        self.make(ExprKind::Cast(ty, Box::new(operand)), start, height)
    }

    fn compound_literal(&mut self, ty: Rc<TypeName>, start: Span) -> Result<Expr> {
        let list = self.nested(|p| p.initialiser_list())?;
        let literal = self.make(ExprKind::CompoundLiteral(ty, Rc::new(list)), start, 0)?;
        self.postfix(literal, start)
    }

    fn prefix(&mut self, operator: UnaryOp, start: Span) -> Result<Expr> {
        self.bump();
        let operand = self.cast()?;
        let height = operand.height;
        self.make(ExprKind::Unary(operator, Box::new(operand)), start, height)
    }

    fn unary(&mut self) -> Result<Expr> {
        let start = self.span();
        match self.kind() {
            Tok::PlusPlus => self.prefix(UnaryOp::PreIncrement, start),
            Tok::MinusMinus => self.prefix(UnaryOp::PreDecrement, start),
            Tok::Amp => self.prefix(UnaryOp::AddressOf, start),
            Tok::Star => self.prefix(UnaryOp::Deref, start),
            Tok::Plus => self.prefix(UnaryOp::Plus, start),
            Tok::Minus => self.prefix(UnaryOp::Minus, start),
            Tok::Tilde => self.prefix(UnaryOp::Not, start),
            Tok::Bang => self.prefix(UnaryOp::LogicalNot, start),
            Tok::Real => self.prefix(UnaryOp::Real, start),
            Tok::Imag => self.prefix(UnaryOp::Imag, start),
            Tok::Extension => {
                self.bump();
                self.cast()
            }
            Tok::AmpAmp => {
                self.bump();
                self.identifier()?;
                self.make(ExprKind::AddressOfLabel, start, 0)
            }
            Tok::Sizeof | Tok::Alignof => self.size_or_alignment(start),
            _ => {
                let primary = self.primary()?;
                self.postfix(primary, start)
            }
        }
    }

    fn size_or_alignment(&mut self, start: Span) -> Result<Expr> {
        let keyword = self.bump();
        let size = keyword.kind == Tok::Sizeof;
        let of_variable = &*self.names.name(keyword.symbol) != "_Alignof";
        if self.parenthesised_type_ahead() {
            let inner = self.span();
            self.bump();
            let ty = Rc::new(self.type_name()?);
            self.expect(Tok::RParen)?;
            if !self.is(Tok::LBrace) {
                let kind = if size {
                    ExprKind::SizeofType(ty)
                } else {
                    ExprKind::AlignofType(ty, of_variable)
                };
                return self.make(kind, start, 0);
            }
            let literal = Box::new(self.compound_literal(ty, inner)?);
            let height = literal.height;
            let kind = if size {
                ExprKind::SizeofExpr(literal)
            } else {
                ExprKind::AlignofExpr(literal)
            };
            return self.make(kind, start, height);
        }
        let operand = Box::new(self.nested(|p| p.unary())?);
        let height = operand.height;
        let kind = if size {
            ExprKind::SizeofExpr(operand)
        } else {
            ExprKind::AlignofExpr(operand)
        };
        self.make(kind, start, height)
    }

    fn postfix(&mut self, mut value: Expr, start: Span) -> Result<Expr> {
        loop {
            let height = value.height;
            let kind = match self.kind() {
                Tok::LBracket => {
                    self.bump();
                    let index = self.expression()?;
                    self.expect(Tok::RBracket)?;
                    let height = height.max(index.height);
                    let kind = ExprKind::Index(Box::new(value), Box::new(index));
                    value = self.make(kind, start, height)?;
                    continue;
                }
                Tok::LParen => {
                    self.bump();
                    let mut arguments = Vec::new();
                    let mut height = height;
                    while !self.is(Tok::RParen) {
                        let argument = self.assignment()?;
                        height = height.max(argument.height);
                        arguments.push(argument);
                        if !self.eat(Tok::Comma) {
                            break;
                        }
                    }
                    self.expect(Tok::RParen)?;
                    let kind = ExprKind::Call(Box::new(value), arguments);
                    value = self.make(kind, start, height)?;
                    continue;
                }
                Tok::Dot => {
                    self.bump();
                    ExprKind::Member(Box::new(value), self.identifier()?.0)
                }
                Tok::Arrow => {
                    self.bump();
                    ExprKind::Arrow(Box::new(value), self.identifier()?.0)
                }
                Tok::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostIncrement, Box::new(value))
                }
                Tok::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostDecrement, Box::new(value))
                }
                _ => return Ok(value),
            };
            value = self.make(kind, start, height)?;
        }
    }

    /// Adjacent string literals as one.
    pub(super) fn string(&mut self) -> Result<(Vec<u32>, Encoding)> {
        let mut parts = Vec::new();
        while self.is(Tok::Str) {
            let token = self.bump();
            parts.push((self.text_of(token), token.span()));
        }
        if parts.is_empty() {
            return self.unexpected("expected a string literal");
        }
        literal::string(&parts)
    }

    fn primary(&mut self) -> Result<Expr> {
        let start = self.span();
        let kind = match self.kind() {
            Tok::Ident => {
                let symbol = self.bump().symbol;
                self.used.insert(symbol);
                ExprKind::Name(symbol)
            }
            Tok::FuncName => {
                self.bump();
                ExprKind::FunctionName
            }
            Tok::Number => {
                let token = self.bump();
                literal::number(self.text_of(token), token.span())?
            }
            Tok::Char => {
                let token = self.bump();
                literal::character(self.text_of(token), token.span())?
            }
            Tok::Str => {
                let (units, encoding) = self.string()?;
                ExprKind::Str {
                    units: units.into(),
                    encoding,
                }
            }
            Tok::LParen if self.kind_ahead(1) == Tok::LBrace => {
                self.bump();
                let block = self.block()?;
                self.expect(Tok::RParen)?;
                ExprKind::StmtExpr(Rc::new(block))
            }
            Tok::LParen => {
                self.bump();
                let mut inner = self.expression()?;
                self.expect(Tok::RParen)?;
                inner.span = self.since(start);
                return Ok(inner);
            }
            Tok::Generic => return self.generic(start),
            Tok::Offsetof => {
                self.bump();
                self.expect(Tok::LParen)?;
                let ty = Rc::new(self.type_name()?);
                self.expect(Tok::Comma)?;
                let (name, span) = self.identifier()?;
                let mut path = vec![Designator::Field(name, span)];
                path.extend(self.designators()?);
                self.expect(Tok::RParen)?;
                ExprKind::Offsetof(ty, path)
            }
            Tok::VaArg => {
                self.bump();
                self.expect(Tok::LParen)?;
                let list = self.assignment()?;
                self.expect(Tok::Comma)?;
                let ty = Rc::new(self.type_name()?);
                self.expect(Tok::RParen)?;
                let height = list.height;
                return self.make(ExprKind::VaArg(Box::new(list), ty), start, height);
            }
            Tok::TypesCompatible => {
                self.bump();
                self.expect(Tok::LParen)?;
                let left = Rc::new(self.type_name()?);
                self.expect(Tok::Comma)?;
                let right = Rc::new(self.type_name()?);
                self.expect(Tok::RParen)?;
                ExprKind::TypesCompatible(left, right)
            }
            Tok::ChooseExpr => {
                self.bump();
                self.expect(Tok::LParen)?;
                let condition = Box::new(self.assignment()?);
                self.expect(Tok::Comma)?;
                let then = Box::new(self.assignment()?);
                self.expect(Tok::Comma)?;
                let otherwise = Box::new(self.assignment()?);
                self.expect(Tok::RParen)?;
                let height = condition.height.max(then.height).max(otherwise.height);
                let kind = ExprKind::ChooseExpr(condition, then, otherwise);
                return self.make(kind, start, height);
            }
            _ => return self.unexpected("expected an expression"),
        };
        self.make(kind, start, 0)
    }

    fn generic(&mut self, start: Span) -> Result<Expr> {
        self.bump();
        self.expect(Tok::LParen)?;
        let control = Box::new(self.assignment()?);
        let mut height = control.height;
        let mut arms = Vec::new();
        while self.eat(Tok::Comma) {
            let ty = if self.eat(Tok::Default) {
                None
            } else {
                Some(self.type_name()?)
            };
            self.expect(Tok::Colon)?;
            let value = self.assignment()?;
            height = height.max(value.height);
            arms.push((ty, value));
        }
        self.expect(Tok::RParen)?;
        self.make(ExprKind::Generic(control, arms), start, height)
    }
}
