//! Operators: arithmetic, comparison, pointers, assignment, the conditional.

use super::Sema;
use super::convert::{bit_field, int, is_lvalue, make};
use crate::ast::{self, Basic, BinaryOp, Quals, UnaryOp};
use crate::diagnostic::{Result, fail};
use crate::hir::*;
use crate::source::Span;
use crate::types::*;

impl Sema<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Result<Expr> {
        let operand = self.expr(operand)?;
        match op {
            UnaryOp::AddressOf => self.address_of(operand, span),
            UnaryOp::Deref => {
                if self.types.function_type(operand.ty).is_some() {
                    return Ok(operand);
                }
                let pointer = self.value(operand)?;
                self.deref(pointer, span)
            }
            UnaryOp::PreIncrement => self.step(operand, Arith::Add, false, span),
            UnaryOp::PreDecrement => self.step(operand, Arith::Sub, false, span),
            UnaryOp::PostIncrement => self.step(operand, Arith::Add, true, span),
            UnaryOp::PostDecrement => self.step(operand, Arith::Sub, true, span),
            UnaryOp::LogicalNot => {
                let value = self.condition(operand)?;
                Ok(make(Kind::LogicalNot(Box::new(value)), Basic::Int, span))
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not => {
                let value = self.value(operand)?;
                if self.vector(value.ty).is_some() {
                    return self.vector_unary(op, value, span);
                }
                let promoted = self.promoted(&value).filter(|b| *b != Basic::Void);
                let Some(basic) = promoted else {
                    let shown = self.show(value.ty);
                    return fail(span, format!("invalid operand (`{shown}`)"));
                };
                if op == UnaryOp::Not && is_float(basic) {
                    return fail(span, "`~` of a floating value");
                }
                let value = self.cast(value, basic.into());
                if let (Kind::Int(v), true) = (&value.kind, int_rank(basic).is_some()) {
                    let v = match op {
                        UnaryOp::Minus => v.wrapping_neg(),
                        UnaryOp::Not => !v,
                        _ => *v,
                    };
                    let wrapped = self.types.wrap(v, basic);
                    if op != UnaryOp::Minus || wrapped == v || !is_signed(basic) {
                        return Ok(int(wrapped, basic, span));
                    }
                }
                Ok(match op {
                    UnaryOp::Plus => Expr { span, ..value },
                    UnaryOp::Minus => make(Kind::Negate(Box::new(value)), basic, span),
                    _ => make(Kind::Complement(Box::new(value)), basic, span),
                })
            }
            UnaryOp::Real | UnaryOp::Imag => {
                let value = self.value(operand)?;
                let ty = match self.types.basic(value.ty) {
                    Some(Basic::ComplexFloat) => Basic::Float,
                    Some(Basic::ComplexDouble) => Basic::Double,
                    Some(Basic::ComplexLongDouble) => Basic::LongDouble,
                    Some(_) if op == UnaryOp::Real => return Ok(value),
                    Some(other) => other,
                    None => return fail(span, "invalid operand"),
                };
                // Complex values are refused by lowering, which this cast always reaches.
                Ok(make(Kind::Cast(Box::new(value)), ty, span))
            }
        }
    }

    pub(super) fn address_of(&mut self, operand: Expr, span: Span) -> Result<Expr> {
        if self.types.function_type(operand.ty).is_none() && !is_lvalue(&operand) {
            return fail(span, "the address of something that is not an object");
        }
        if bit_field(&operand).is_some() {
            return fail(span, "the address of a bit-field");
        }
        // `&*p` is `p`.
        if let Kind::Deref(pointer) = operand.kind {
            return Ok(Expr { span, ..*pointer });
        }
        self.mark_address(&operand);
        let ty = self.types.pointer(operand.ty);
        Ok(make(Kind::AddressOf(Box::new(operand)), ty, span))
    }

    /// The size of what a pointer points to, for arithmetic.
    fn element_size(&self, pointer: QualType, span: Span) -> Result<Size> {
        let size = self.types.pointee(pointer).and_then(|to| self.size(to));
        match size {
            Some(size) => Ok(size),
            None => {
                let shown = self.show(pointer);
                fail(
                    span,
                    format!("arithmetic on `{shown}`, a pointer to an incomplete type"),
                )
            }
        }
    }

    pub(super) fn pointer_offset(
        &mut self,
        pointer: Expr,
        index: Expr,
        negative: bool,
        span: Span,
    ) -> Result<Expr> {
        if !self.types.is_pointer(pointer.ty) || !self.types.is_integer(index.ty) {
            let (a, b) = (self.show(pointer.ty), self.show(index.ty));
            return fail(span, format!("invalid operands (`{a}` and `{b}`)"));
        }
        let element = self.element_size(pointer.ty, span)?;
        let ty = pointer.ty.unqualified();
        // Widened with the sign of its own type.
        let index = self.cast(index, self.types.ptrdiff().into());
        Ok(make(
            Kind::PointerOffset {
                pointer: Box::new(pointer),
                index: Box::new(index),
                negative,
                element,
            },
            ty,
            span,
        ))
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Result<Expr> {
        if matches!(op, BinaryOp::LogicalAnd | BinaryOp::LogicalOr) {
            let a = Box::new(self.condition(a)?);
            let b = Box::new(self.condition(b)?);
            let kind = match op {
                BinaryOp::LogicalAnd => Kind::LogicalAnd(a, b),
                _ => Kind::LogicalOr(a, b),
            };
            return Ok(make(kind, Basic::Int, span));
        }
        let a = self.value(a)?;
        let b = self.value(b)?;
        if self.vector(a.ty).is_some() || self.vector(b.ty).is_some() {
            return self.vector_binary(op, a, b, span);
        }
        if let Some(relation) = relation(op) {
            return self.compare(relation, a, b, span);
        }
        let pointers = (self.types.is_pointer(a.ty), self.types.is_pointer(b.ty));
        match (op, pointers) {
            (BinaryOp::Add, (true, false)) => return self.pointer_offset(a, b, false, span),
            (BinaryOp::Add, (false, true)) => return self.pointer_offset(b, a, false, span),
            (BinaryOp::Sub, (true, false)) => return self.pointer_offset(a, b, true, span),
            (BinaryOp::Sub, (true, true)) => {
                let element = self.element_size(a.ty, span)?;
                let ty = self.types.ptrdiff();
                let kind = Kind::PointerDifference(Box::new(a), Box::new(b), element);
                return Ok(make(kind, ty, span));
            }
            _ => {}
        }
        let Some(op) = arith(op) else {
            return fail(span, "invalid operator");
        };
        if matches!(op, Arith::Shl | Arith::Shr) {
            let (a, b) = (
                self.integer_operand(a, span)?,
                self.integer_operand(b, span)?,
            );
            let ty = a.ty;
            return Ok(make(Kind::Arith(op, Box::new(a), Box::new(b)), ty, span));
        }
        let (a, b, common) = self.arithmetic(a, b, span)?;
        let integers_only = matches!(op, Arith::Rem | Arith::And | Arith::Or | Arith::Xor);
        if integers_only && is_float(common) {
            return fail(span, "an integer operation on floating values");
        }
        Ok(make(
            Kind::Arith(op, Box::new(a), Box::new(b)),
            common,
            span,
        ))
    }

    fn integer_operand(&mut self, value: Expr, span: Span) -> Result<Expr> {
        match self.promoted(&value) {
            Some(basic) if int_rank(basic).is_some() => Ok(self.cast(value, basic.into())),
            _ => {
                let shown = self.show(value.ty);
                fail(span, format!("an integer is needed, not `{shown}`"))
            }
        }
    }

    fn compare(&mut self, relation: Relation, a: Expr, b: Expr, span: Span) -> Result<Expr> {
        let pointers = (self.types.is_pointer(a.ty), self.types.is_pointer(b.ty));
        let (a, b) = match pointers {
            (false, false) => {
                let (a, b, _) = self.arithmetic(a, b, span)?;
                (a, b)
            }
            (true, true) => (a, b),
            (true, false) if self.types.is_integer(b.ty) => {
                let b = self.cast(b, a.ty);
                (a, b)
            }
            (false, true) if self.types.is_integer(a.ty) => {
                let a = self.cast(a, b.ty);
                (a, b)
            }
            _ => {
                let (a, b) = (self.show(a.ty), self.show(b.ty));
                return fail(span, format!("invalid operands (`{a}` and `{b}`)"));
            }
        };
        Ok(make(
            Kind::Compare(relation, Box::new(a), Box::new(b)),
            Basic::Int,
            span,
        ))
    }

    fn modifiable(&self, target: &Expr, span: Span) -> Result<()> {
        if !is_lvalue(target) || self.types.function_type(target.ty).is_some() {
            return fail(span, "the left side of an assignment must be an object");
        }
        if matches!(self.types.get(target.ty), Type::Array(..)) {
            return fail(span, "an array cannot be assigned to");
        }
        if target.ty.quals.has(Quals::CONST) {
            return fail(span, "a `const` object cannot be assigned to");
        }
        Ok(())
    }

    pub(super) fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        target: Expr,
        value: Expr,
        span: Span,
    ) -> Result<Expr> {
        self.modifiable(&target, span)?;
        let ty = target.ty.unqualified();
        let Some(op) = op else {
            let value = self.assign_to(value, target.ty)?;
            return Ok(make(
                Kind::Assign(Box::new(target), Box::new(value)),
                ty,
                span,
            ));
        };
        let value = self.value(value)?;
        let Some(op) = arith(op) else {
            return fail(span, "invalid operator");
        };
        self.compound(target, op, value, false, span)
    }

    fn step(&mut self, target: Expr, op: Arith, post: bool, span: Span) -> Result<Expr> {
        self.modifiable(&target, span)?;
        let one = int(1, Basic::Int, span);
        self.compound(target, op, one, post, span)
    }

    fn compound(
        &mut self,
        target: Expr,
        op: Arith,
        value: Expr,
        post: bool,
        span: Span,
    ) -> Result<Expr> {
        let ty = target.ty.unqualified();
        if self.types.is_pointer(ty) {
            if !matches!(op, Arith::Add | Arith::Sub) || !self.types.is_integer(value.ty) {
                return fail(span, "invalid operation on a pointer");
            }
            let element = Some(self.element_size(ty, span)?);
            let value = Box::new(self.cast(value, self.types.ptrdiff().into()));
            let kind = Kind::CompoundAssign {
                target: Box::new(target),
                op,
                value,
                compute: ty,
                element,
                post,
            };
            return Ok(make(kind, ty, span));
        }
        if self.vector(ty).is_some() {
            return self.vector_compound(target, op, value, post, span);
        }
        let left = self.promoted(&target).filter(|b| *b != Basic::Void);
        let right = self.promoted(&value).filter(|b| *b != Basic::Void);
        let (Some(left), Some(right)) = (left, right) else {
            let shown = self.show(ty);
            return fail(span, format!("invalid operand (`{shown}`)"));
        };
        let shift = matches!(op, Arith::Shl | Arith::Shr);
        let compute = if shift {
            left
        } else {
            self.types.usual(left, right)
        };
        let integers_only = shift || matches!(op, Arith::Rem | Arith::And | Arith::Or | Arith::Xor);
        if integers_only && (is_float(compute) || is_float(right)) {
            return fail(span, "an integer operation on floating values");
        }
        let value = self.cast(value, if shift { right } else { compute }.into());
        let kind = Kind::CompoundAssign {
            target: Box::new(target),
            op,
            value: Box::new(value),
            compute: compute.into(),
            element: None,
            post,
        };
        Ok(make(kind, ty, span))
    }

    pub(super) fn conditional(
        &mut self,
        condition: &ast::Expr,
        then: Option<&ast::Expr>,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Result<Expr> {
        let condition = self.expr(condition)?;
        let condition = self.condition(condition)?;
        let Some(then) = then else {
            let otherwise = self.expr_value(otherwise)?;
            if let Some(holds) = self.truth(&condition) {
                return Ok(if holds { condition } else { otherwise });
            }
            let var = self.new_var("".into(), condition.ty, span, 0);
            let copy = make(Kind::Var(var), condition.ty, span);
            let copy = make(Kind::Load(Box::new(copy)), condition.ty, span);
            let (copy, otherwise, ty) = self.branches(copy, otherwise, span)?;
            // The value if true is the variable, converted.
            let choice = make(
                Kind::Conditional(
                    Box::new(make(
                        Kind::Load(Box::new(make(Kind::Var(var), condition.ty, span))),
                        condition.ty,
                        span,
                    )),
                    Box::new(copy),
                    Box::new(otherwise),
                ),
                ty,
                span,
            );
            return Ok(make(
                Kind::Elvis(var, Box::new(condition), Box::new(choice)),
                ty,
                span,
            ));
        };
        let a = self.expr_value(then)?;
        let b = self.expr_value(otherwise)?;
        let (a, b, ty) = self.branches(a, b, span)?;
        Ok(make(
            Kind::Conditional(Box::new(condition), Box::new(a), Box::new(b)),
            ty,
            span,
        ))
    }

    fn branches(&mut self, a: Expr, b: Expr, span: Span) -> Result<(Expr, Expr, QualType)> {
        if self.types.is_void(a.ty) || self.types.is_void(b.ty) {
            let void: QualType = Basic::Void.into();
            return Ok((a, b, void));
        }
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            let (a, b, common) = self.arithmetic(a, b, span)?;
            return Ok((a, b, common.into()));
        }
        match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (Some(to_a), Some(to_b)) => {
                let quals = to_a.quals.with(to_b.quals);
                let to = if self.is_null(&a) {
                    to_b
                } else if self.is_null(&b) {
                    to_a
                } else if self.types.is_void(to_a) || self.types.is_void(to_b) {
                    QualType::from(Basic::Void).with(quals)
                } else {
                    self.composite(to_a, to_b).with(quals)
                };
                let ty = self.types.pointer(to);
                let a = self.cast(a, ty);
                let b = self.cast(b, ty);
                Ok((a, b, ty))
            }
            (Some(_), None) if self.types.is_integer(b.ty) => {
                let ty = a.ty.unqualified();
                let b = self.cast(b, ty);
                Ok((a, b, ty))
            }
            (None, Some(_)) if self.types.is_integer(a.ty) => {
                let ty = b.ty.unqualified();
                let a = self.cast(a, ty);
                Ok((a, b, ty))
            }
            _ if self.compatible_unqualified(a.ty, b.ty) => {
                let ty = a.ty.unqualified();
                Ok((a, b, ty))
            }
            _ => {
                let (a, b) = (self.show(a.ty), self.show(b.ty));
                fail(span, format!("the branches have types `{a}` and `{b}`"))
            }
        }
    }
}

pub(super) fn relation(op: BinaryOp) -> Option<Relation> {
    Some(match op {
        BinaryOp::Less => Relation::Less,
        BinaryOp::Greater => Relation::Greater,
        BinaryOp::LessEq => Relation::LessEq,
        BinaryOp::GreaterEq => Relation::GreaterEq,
        BinaryOp::Equal => Relation::Equal,
        BinaryOp::NotEqual => Relation::NotEqual,
        _ => return None,
    })
}

pub(super) fn arith(op: BinaryOp) -> Option<Arith> {
    Some(match op {
        BinaryOp::Mul => Arith::Mul,
        BinaryOp::Div => Arith::Div,
        BinaryOp::Rem => Arith::Rem,
        BinaryOp::Add => Arith::Add,
        BinaryOp::Sub => Arith::Sub,
        BinaryOp::Shl => Arith::Shl,
        BinaryOp::Shr => Arith::Shr,
        BinaryOp::And => Arith::And,
        BinaryOp::Xor => Arith::Xor,
        BinaryOp::Or => Arith::Or,
        _ => return None,
    })
}
