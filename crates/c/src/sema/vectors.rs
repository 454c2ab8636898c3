//! Vectors of GNU C: `__attribute__((vector_size(n)))`. Operators work element by element, in the type of the elements (nothing is promoted); a
//! scalar beside a vector stands for a vector of it; comparisons yield 0 or -1 in every element.
//!
//! Misses: `?:` with a vector as condition, `__builtin_shuffle` and its like.

use super::Sema;
use super::convert::{is_lvalue, make};
use super::operators::{arith, relation};
use crate::ast::{self, Basic, BinaryOp, UnaryOp};
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::*;
use crate::source::Span;
use crate::types::*;

impl Sema<'_> {
    /// The element type and the size of a vector.
    pub(super) fn vector(&self, ty: QualType) -> Option<(QualType, u64)> {
        match self.types.get(ty) {
            Type::Vector(of, bytes) => Some((*of, *bytes)),
            _ => None,
        }
    }

    /// An element of a vector, an lvalue.
    pub(super) fn vector_element(&mut self, vector: Expr, index: Expr, span: Span) -> Result<Expr> {
        let Some((of, _)) = self.vector(vector.ty) else {
            return fail(span, "this is not a vector");
        };
        if is_lvalue(&vector) {
            self.mark_address(&vector);
        }
        let of = of.with(vector.ty.quals);
        let whole = self.types.pointer(vector.ty);
        let address = make(Kind::AddressOf(Box::new(vector)), whole, span);
        let first = self.types.pointer(of);
        let first = make(Kind::Cast(Box::new(address)), first, span);
        let place = self.pointer_offset(first, index, false, span)?;
        self.deref(place, span)
    }

    /// An operand beside a vector with these elements.
    fn beside_vector(
        &mut self,
        operand: Expr,
        of: QualType,
        bytes: u64,
        span: Span,
    ) -> Result<Expr> {
        match self.vector(operand.ty) {
            Some((other, size)) => {
                let same = self.types.size_of(other) == self.types.size_of(of)
                    && self.types.is_float(other) == self.types.is_float(of);
                match size == bytes && same {
                    true => Ok(operand),
                    false => fail(span, "vectors of different types"),
                }
            }
            None if self.types.is_arithmetic(operand.ty) => Ok(self.cast(operand, of)),
            None => {
                let shown = self.show(operand.ty);
                fail(span, format!("invalid operand beside a vector (`{shown}`)"))
            }
        }
    }

    /// `a op b` where one of them is a vector; both are values.
    pub(super) fn vector_binary(
        &mut self,
        op: BinaryOp,
        a: Expr,
        b: Expr,
        span: Span,
    ) -> Result<Expr> {
        let ty = match self.vector(a.ty) {
            Some(_) => a.ty.unqualified(),
            None => b.ty.unqualified(),
        };
        let Some((of, bytes)) = self.vector(ty) else {
            return fail(span, "this is not a vector");
        };
        let a = Box::new(self.beside_vector(a, of, bytes, span)?);
        let b = Box::new(self.beside_vector(b, of, bytes, span)?);
        if let Some(relation) = relation(op) {
            let truth = match self.types.size_of(of) {
                Some(1) => Basic::SChar,
                Some(2) => Basic::Short,
                Some(4) => Basic::Int,
                Some(8) => Basic::LongLong,
                _ => return refuse(span, "this comparison of vectors is not supported"),
            };
            let ty = self.types.intern(Type::Vector(truth.into(), bytes));
            return Ok(make(Kind::Compare(relation, a, b), ty, span));
        }
        let Some(op) = arith(op) else {
            return fail(span, "invalid operator");
        };
        self.vector_allows(op, of, span)?;
        Ok(make(Kind::Arith(op, a, b), ty, span))
    }

    fn vector_allows(&self, op: Arith, of: QualType, span: Span) -> Result<()> {
        let works = matches!(op, Arith::Add | Arith::Sub | Arith::Mul | Arith::Div);
        match works || self.types.is_integer(of) {
            true => Ok(()),
            false => fail(span, "an integer operation on floating values"),
        }
    }

    /// `-v`, `~v`, `+v`.
    pub(super) fn vector_unary(&mut self, op: UnaryOp, value: Expr, span: Span) -> Result<Expr> {
        let ty = value.ty.unqualified();
        let float = self
            .vector(ty)
            .is_some_and(|(of, _)| self.types.is_float(of));
        Ok(match op {
            UnaryOp::Minus => make(Kind::Negate(Box::new(value)), ty, span),
            UnaryOp::Not if float => return fail(span, "`~` of floating values"),
            UnaryOp::Not => make(Kind::Complement(Box::new(value)), ty, span),
            _ => value,
        })
    }

    /// `target op= value`.
    pub(super) fn vector_compound(
        &mut self,
        target: Expr,
        op: Arith,
        value: Expr,
        post: bool,
        span: Span,
    ) -> Result<Expr> {
        let ty = target.ty.unqualified();
        let Some((of, bytes)) = self.vector(ty) else {
            return fail(span, "this is not a vector");
        };
        self.vector_allows(op, of, span)?;
        let value = self.beside_vector(value, of, bytes, span)?;
        let kind = Kind::CompoundAssign {
            target: Box::new(target),
            op,
            value: Box::new(value),
            compute: ty,
            element: None,
            post,
        };
        Ok(make(kind, ty, span))
    }

    /// `a[b]` where one of them may be a vector.
    pub(super) fn subscript(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> Result<Expr> {
        let a = self.expr(a)?;
        if self.vector(a.ty).is_some() {
            let index = self.expr_value(b)?;
            return self.vector_element(a, index, span);
        }
        let a = self.value(a)?;
        let b = self.expr_value(b)?;
        let (pointer, index) = if self.types.is_pointer(a.ty) {
            (a, b)
        } else {
            (b, a)
        };
        let sum = self.pointer_offset(pointer, index, false, span)?;
        self.deref(sum, span)
    }
}
