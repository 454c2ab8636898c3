//! Conversions: decay, loads, promotions, assignment.

use super::Sema;
use crate::ast::{Basic, Quals};
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::*;
use crate::source::Span;
use crate::types::*;
use std::rc::Rc;

pub(super) fn make(kind: Kind, ty: impl Into<QualType>, span: Span) -> Expr {
    Expr {
        kind,
        ty: ty.into(),
        span,
    }
}

pub(super) fn int(value: i128, ty: Basic, span: Span) -> Expr {
    make(Kind::Int(value), ty, span)
}

/// Whether an expression denotes an object (or a function).
pub(super) fn is_lvalue(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Var(_) | Kind::Object(_) | Kind::Deref(_) | Kind::CompoundLiteral(..) => true,
        Kind::Member { base, .. } => is_lvalue(base),
        _ => false,
    }
}

/// The bit-field an expression reads or has just assigned.
pub(super) fn bit_field(expr: &Expr) -> Option<Bits> {
    let place = match &expr.kind {
        Kind::Load(place) | Kind::Assign(place, _) => place,
        Kind::CompoundAssign { target, .. } => target,
        _ => expr,
    };
    match &place.kind {
        Kind::Member { bits, .. } => *bits,
        _ => None,
    }
}

impl Sema<'_> {
    /// The value of an expression: arrays and functions become pointers, objects are read.
    pub(super) fn value(&mut self, expr: Expr) -> Result<Expr> {
        let span = expr.span;
        match self.types.get(expr.ty).clone() {
            Type::Array(of, _) => {
                let of = of.with(expr.ty.quals.without(Quals::ATOMIC));
                let ty = self.types.pointer(of);
                self.mark_address(&expr);
                Ok(make(Kind::AddressOf(Box::new(expr)), ty, span))
            }
            Type::Function(_) => {
                let ty = self.types.pointer(expr.ty);
                Ok(make(Kind::AddressOf(Box::new(expr)), ty, span))
            }
            _ if is_lvalue(&expr) || matches!(expr.kind, Kind::Member { .. }) => {
                let ty = expr.ty.unqualified();
                if self.unevaluated == 0
                    && !self.types.is_void(ty)
                    && self.types.size_of(ty).is_none()
                {
                    let shown = self.show(ty);
                    return fail(
                        span,
                        format!("use of an object of incomplete type `{shown}`"),
                    );
                }
                Ok(make(Kind::Load(Box::new(expr)), ty, span))
            }
            _ => Ok(expr),
        }
    }

    /// Notes that a variable's address escapes, so that it needs memory.
    pub(super) fn mark_address(&mut self, place: &Expr) {
        match &place.kind {
            Kind::Var(var) | Kind::CompoundLiteral(var, _) => {
                if self.unevaluated == 0
                    && let Some(state) = &mut self.state
                {
                    state.vars[var.0 as usize].address_taken = true;
                }
            }
            Kind::Member { base, .. } => self.mark_address(base),
            _ => {}
        }
    }

    /// A value converted to a scalar type or `void`, by force.
    pub(super) fn cast(&mut self, expr: Expr, to: QualType) -> Expr {
        let to = to.unqualified();
        if expr.ty.id == to.id {
            return Expr { ty: to, ..expr };
        }
        let span = expr.span;
        if let Kind::Int(value) = expr.kind
            && let Some(basic) = self.types.basic(to)
            && int_rank(basic).is_some()
        {
            return make(Kind::Int(self.types.wrap(value, basic)), to, span);
        }
        make(Kind::Cast(Box::new(expr)), to, span)
    }

    /// The type an operand is promoted to.
    pub(super) fn promoted(&self, expr: &Expr) -> Option<Basic> {
        let basic = self.types.basic(expr.ty)?;
        if int_rank(basic).is_some()
            && let Some(bits) = bit_field(expr)
        {
            let limit = if is_signed(basic) { 32 } else { 31 };
            if bits.width <= limit {
                return Some(Basic::Int);
            }
        }
        Some(self.types.promote(basic))
    }

    /// Two arithmetic operands brought to their common type.
    pub(super) fn arithmetic(
        &mut self,
        a: Expr,
        b: Expr,
        span: Span,
    ) -> Result<(Expr, Expr, Basic)> {
        match (self.promoted(&a), self.promoted(&b)) {
            (Some(x), Some(y)) if x != Basic::Void && y != Basic::Void => {
                let common = self.types.usual(x, y);
                let a = self.cast(a, common.into());
                let b = self.cast(b, common.into());
                Ok((a, b, common))
            }
            _ => {
                let vector = |ty| matches!(self.types.get(ty), Type::Vector(..));
                if vector(a.ty) || vector(b.ty) {
                    return refuse(span, "this operation on vectors is not supported");
                }
                let (a, b) = (self.show(a.ty), self.show(b.ty));
                fail(span, format!("invalid operands (`{a}` and `{b}`)"))
            }
        }
    }

    /// A value as a condition: a scalar.
    pub(super) fn condition(&mut self, expr: Expr) -> Result<Expr> {
        let expr = self.value(expr)?;
        if !self.types.is_scalar(expr.ty) {
            let shown = self.show(expr.ty);
            return fail(
                expr.span,
                format!("a condition must be a scalar, not `{shown}`"),
            );
        }
        Ok(expr)
    }

    /// Whether a value is a null pointer constant.
    pub(super) fn is_null(&self, expr: &Expr) -> bool {
        match &expr.kind {
            Kind::Int(0) => true,
            Kind::Cast(inner) => {
                let void_pointer = self
                    .types
                    .pointee(expr.ty)
                    .is_some_and(|to| self.types.is_void(to) && to.quals == Quals::NONE);
                (void_pointer || self.types.is_integer(expr.ty)) && self.is_null(inner)
            }
            _ if self.types.is_integer(expr.ty) => {
                matches!(self.eval(expr), Some(super::Const::Int(0)))
            }
            _ => false,
        }
    }

    /// A value converted as if by assignment.
    pub(super) fn assign_to(&mut self, expr: Expr, to: QualType) -> Result<Expr> {
        let expr = self.value(expr)?;
        let span = expr.span;
        let to_types = (self.types.get(to).clone(), self.types.get(expr.ty).clone());
        match to_types {
            (Type::Record(r), _) if !self.compatible_unqualified(to, expr.ty) => {
                if self.types.record(r).transparent {
                    return self.wrap_in_union(expr, to, r);
                }
            }
            (Type::Record(_), Type::Record(_)) => return Ok(expr),
            (Type::Vector(..), Type::Vector(..)) => return Ok(expr),
            _ => {
                let scalar = self.types.is_scalar(to) && self.types.is_scalar(expr.ty);
                let odd = self.types.is_pointer(to) && self.types.is_float(expr.ty)
                    || self.types.is_float(to) && self.types.is_pointer(expr.ty);
                if scalar && !odd {
                    return Ok(self.cast(expr, to));
                }
                if self.types.is_void(to) && self.types.is_void(expr.ty) {
                    return Ok(expr);
                }
            }
        }
        let (from, to) = (self.show(expr.ty), self.show(to));
        fail(span, format!("cannot convert `{from}` to `{to}`"))
    }

    fn wrap_in_union(&mut self, expr: Expr, to: QualType, record: RecordId) -> Result<Expr> {
        let span = expr.span;
        let fields = self.types.record(record).fields.clone();
        let field = fields.iter().find(|f| {
            self.compatible_unqualified(f.ty, expr.ty)
                || self.types.is_pointer(f.ty)
                    && (self.types.is_pointer(expr.ty) || self.is_null(&expr))
        });
        let Some(field) = field else {
            let shown = self.show(expr.ty);
            return fail(
                span,
                format!("no member of the transparent union takes `{shown}`"),
            );
        };
        let value = self.cast(expr, field.ty);
        let init = Init {
            entries: vec![InitEntry {
                offset: field.offset,
                bits: None,
                ty: field.ty,
                value: InitValue::Expr(Rc::new(value)),
            }],
            zero_rest: true,
        };
        let var = self.new_var("".into(), to.unqualified(), span, 0);
        let literal = make(
            Kind::CompoundLiteral(var, Rc::new(init)),
            to.unqualified(),
            span,
        );
        Ok(make(Kind::Load(Box::new(literal)), to.unqualified(), span))
    }
}
