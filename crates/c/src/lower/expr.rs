//! Expressions to instructions.

use super::build::FunctionBuilder;
use super::place::{Place, Spot};
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::*;
use crate::sema::{Base, Const, encode};
use crate::types::*;
use raddle_ir as ir;

/// Whether an expression is evaluated by [`FunctionBuilder::place`].
pub(super) fn is_place(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        Kind::Var(_)
            | Kind::Object(_)
            | Kind::Function(_)
            | Kind::Deref(_)
            | Kind::Member { .. }
            | Kind::CompoundLiteral(..)
    )
}

/// The comparison that a relation is on signed (or floating-point) or unsigned operands.
pub(super) fn compare_op(relation: Relation, signed: bool) -> ir::CompareOp {
    match (relation, signed) {
        (Relation::Equal, _) => ir::CompareOp::Eq,
        (Relation::NotEqual, _) => ir::CompareOp::Ne,
        (Relation::Less, true) => ir::CompareOp::SLt,
        (Relation::Less, false) => ir::CompareOp::ULt,
        (Relation::LessEq, true) => ir::CompareOp::SLe,
        (Relation::LessEq, false) => ir::CompareOp::ULe,
        (Relation::Greater, true) => ir::CompareOp::SGt,
        (Relation::Greater, false) => ir::CompareOp::UGt,
        (Relation::GreaterEq, true) => ir::CompareOp::SGe,
        (Relation::GreaterEq, false) => ir::CompareOp::UGe,
    }
}

impl FunctionBuilder<'_, '_, '_> {
    /// A constant operand, if the expression is one and folding hides no violation.
    fn constant(&mut self, expr: &Expr) -> Result<Option<ir::Operand>> {
        let foldable = matches!(
            expr.kind,
            Kind::Int(_)
                | Kind::Float(_)
                | Kind::Cast(_)
                | Kind::Negate(_)
                | Kind::Complement(_)
                | Kind::Arith(..)
                | Kind::Compare(..)
                | Kind::LogicalNot(_)
                | Kind::LogicalAnd(..)
                | Kind::LogicalOr(..)
                | Kind::Conditional(..)
                | Kind::PointerOffset { .. }
                | Kind::AddressOf(_)
        );
        if !foldable || self.lower.sema.types.is_void(expr.ty) || self.is_record(expr.ty) {
            return Ok(None);
        }
        self.lower.sema.overflowed.set(false);
        let value = self.lower.sema.eval(expr);
        if self.lower.sema.overflowed.get() {
            return Ok(None);
        }
        let ty = self.lower.scalar(expr.ty, expr.span)?;
        Ok(match value {
            None => None,
            Some(Const::Int(v)) if ty == ir::Ty::Ptr => {
                let ir::Operand::Const { bits, .. } = self.word_const(v) else {
                    return Ok(None);
                };
                Some(ir::Operand::Const { ty, bits })
            }
            Some(Const::Int(v)) => Some(ir::Operand::int(ty, v)),
            Some(Const::Float(v)) => {
                let basic = self.lower.sema.types.basic(expr.ty);
                basic.map(|b| ir::Operand::Const {
                    ty,
                    bits: encode(v, b),
                })
            }
            Some(Const::Address(..)) if ty != ir::Ty::Ptr => None,
            Some(Const::Address(Base::Object(id), offset)) => {
                let id = self.lower.object(id)?;
                Some(ir::Operand::Global { id, offset })
            }
            Some(Const::Address(Base::Function(id), 0)) => Some(ir::Operand::Function(
                self.lower.function_address(id, expr.span)?,
            )),
            Some(Const::Address(..)) => None,
        })
    }

    /// The value of a scalar expression.
    pub fn value(&mut self, expr: &Expr) -> Result<ir::Operand> {
        self.at = expr.span;
        if let Some(constant) = self.constant(expr)? {
            return Ok(constant);
        }
        match &expr.kind {
            Kind::Load(place) => {
                let place = self.place(place)?;
                self.at = expr.span;
                self.load(place)
            }
            Kind::AddressOf(place) => {
                let place = if is_place(place) {
                    self.place(place)?
                } else {
                    // An array inside a record that is a value.
                    let address = self.record(place)?;
                    Place {
                        spot: Spot::Memory(address, 0),
                        ty: place.ty,
                        bits: None,
                        neighbours: 0,
                    }
                };
                self.at = expr.span;
                self.address(place)
            }
            Kind::Cast(inner) if self.elements(inner.ty).is_some() => {
                self.scalar_of_vector(inner, expr)
            }
            Kind::Cast(inner) => {
                let value = self.value(inner)?;
                self.at = expr.span;
                self.convert(value, inner.ty, expr.ty)
            }
            Kind::Negate(a) => {
                let checked = self.is_signed(expr.ty);
                let a = self.value(a)?;
                self.at = expr.span;
                let ty = self.scalar(expr.ty)?;
                let op = ir::UnaryOp::Neg;
                Ok(self.compute(ty, ir::Rvalue::Unary { op, ty, a, checked }))
            }
            Kind::Complement(a) => {
                let a = self.value(a)?;
                self.at = expr.span;
                let ty = self.scalar(expr.ty)?;
                let op = ir::UnaryOp::Not;
                Ok(self.compute(
                    ty,
                    ir::Rvalue::Unary {
                        op,
                        ty,
                        a,
                        checked: false,
                    },
                ))
            }
            Kind::Compare(..) | Kind::LogicalNot(_) => {
                let truth = self.condition(expr)?;
                let ty = self.scalar(expr.ty)?;
                Ok(self.resize(truth, ty, false))
            }
            Kind::LogicalAnd(..) | Kind::LogicalOr(..) => {
                let ty = self.scalar(expr.ty)?;
                let dst = self.local(ty);
                let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(expr, yes, no)?;
                for (block, value) in [(yes, 1), (no, 0)] {
                    self.start(block);
                    self.at = expr.span;
                    self.set(dst, ir::Operand::int(ty, value));
                    self.goto(end);
                }
                self.start(end);
                Ok(ir::Operand::Local(dst))
            }
            Kind::Arith(op, a, b) => {
                let left = self.value(a)?;
                let right = self.value(b)?;
                self.at = expr.span;
                self.arith(*op, left, right, expr.ty, b.ty)
            }
            Kind::PointerOffset {
                pointer,
                index,
                negative,
                element,
            } => {
                let base = self.value(pointer)?;
                let index = self.value(index)?;
                self.at = expr.span;
                Ok(self.pointer_add(base, index, *negative, element))
            }
            Kind::PointerDifference(a, b, element) => {
                let a = self.value(a)?;
                let b = self.value(b)?;
                self.at = expr.span;
                let a = self.pointer_to_int(a);
                let b = self.pointer_to_int(b);
                let bytes = self.binary(ir::BinaryOp::Sub, a, b, false);
                let size = match element {
                    Size::Const(1) => return Ok(bytes),
                    Size::Const(0) => {
                        return fail(
                            expr.span,
                            "a difference of pointers to something without size",
                        );
                    }
                    other => self.size(other),
                };
                Ok(self.binary(ir::BinaryOp::SDiv, bytes, size, false))
            }
            Kind::Conditional(c, a, b) => {
                let ty = self.scalar(expr.ty)?;
                let dst = self.local(ty);
                let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(c, yes, no)?;
                for (block, value) in [(yes, a), (no, b)] {
                    self.start(block);
                    let value = self.value(value)?;
                    self.at = expr.span;
                    self.set(dst, value);
                    self.goto(end);
                }
                self.start(end);
                Ok(ir::Operand::Local(dst))
            }
            Kind::Elvis(var, condition, choice) => {
                let value = self.value(condition)?;
                let place = self.var_place(*var, condition.ty);
                self.store(place, value)?;
                self.value(choice)
            }
            Kind::Comma(a, b) => {
                self.effect(a)?;
                self.value(b)
            }
            Kind::Assign(target, value) => {
                let place = self.place(target)?;
                let value = self.value(value)?;
                self.at = expr.span;
                self.store(place, value)?;
                self.truncate_to_field(place, value)
            }
            Kind::CompoundAssign { .. } => self.compound(expr),
            Kind::Call { .. } => match self.call(expr)? {
                Some(value) => Ok(value),
                None => fail(expr.span, "the value of a call that has none"),
            },
            Kind::StmtExpr(scope, stmts, value) => {
                self.enter(*scope);
                for stmt in stmts {
                    self.stmt(stmt)?;
                }
                let Some(value) = value else {
                    return fail(
                        expr.span,
                        "the value of a statement expression that has none",
                    );
                };
                let result = self.value(value)?;
                // The variable it may come from is gone after the scope, so it is copied.
                let ty = self.type_of(result);
                let result = match result {
                    ir::Operand::Local(_) => self.compute(ty, ir::Rvalue::Use(result)),
                    other => other,
                };
                self.leave(*scope)?;
                Ok(result)
            }
            Kind::VaArg(list) => {
                let address = self.va_arg(list, expr)?;
                self.load(Place {
                    spot: Spot::Memory(address, 0),
                    ty: expr.ty,
                    bits: None,
                    neighbours: 0,
                })
            }
            Kind::Builtin(builtin, args) => match self.builtin(builtin, args, expr)? {
                Some(value) => Ok(value),
                None => fail(expr.span, "the value of something that has none"),
            },
            Kind::RuntimeSize(size) => Ok(self.size(size)),
            _ => fail(expr.span, "this expression has no scalar value"),
        }
    }

    /// The address of a record that is a value.
    pub fn record(&mut self, expr: &Expr) -> Result<ir::Operand> {
        self.at = expr.span;
        match &expr.kind {
            _ if is_place(expr) => {
                let place = self.place(expr)?;
                self.address(place)
            }
            Kind::Load(place) => {
                let place = if is_place(place) {
                    self.place(place)?
                } else {
                    return self.record(place);
                };
                self.at = expr.span;
                if place.ty.is_atomic() {
                    return self.load_atomic_record(place);
                }
                self.address(place)
            }
            Kind::Assign(target, value) => {
                let place = self.place(target)?;
                let from = self.record(value)?;
                self.at = expr.span;
                let to = self.address(place)?;
                if place.ty.is_atomic() {
                    self.store_atomic_record(place, from)?;
                    return Ok(from);
                }
                self.copy(to, from, place.ty, value.ty)?;
                Ok(to)
            }
            Kind::Conditional(c, a, b) => {
                let dst = self.local(ir::Ty::Ptr);
                let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(c, yes, no)?;
                for (block, value) in [(yes, a), (no, b)] {
                    self.start(block);
                    let address = self.record(value)?;
                    self.set(dst, address);
                    self.goto(end);
                }
                self.start(end);
                Ok(ir::Operand::Local(dst))
            }
            Kind::Arith(..)
            | Kind::Compare(..)
            | Kind::Negate(_)
            | Kind::Complement(_)
            | Kind::Cast(_)
            | Kind::CompoundAssign { .. }
                if self.elements(expr.ty).is_some() =>
            {
                self.vector(expr)
            }
            Kind::Comma(a, b) => {
                self.effect(a)?;
                self.record(b)
            }
            Kind::Call { .. } => match self.call(expr)? {
                Some(address) => Ok(address),
                None => fail(expr.span, "the value of a call that has none"),
            },
            Kind::StmtExpr(scope, stmts, Some(value)) => {
                self.enter(*scope);
                for stmt in stmts {
                    self.stmt(stmt)?;
                }
                let from = self.record(value)?;
                let to = self.record_temporary(value.ty)?;
                self.copy(to, from, value.ty, value.ty)?;
                self.leave(*scope)?;
                Ok(to)
            }
            Kind::VaArg(list) => self.va_arg(list, expr),
            _ => refuse(expr.span, "this value is not supported"),
        }
    }

    pub fn record_temporary(&mut self, ty: QualType) -> Result<ir::Operand> {
        let size = self.lower.size_of(ty, self.at)?;
        let align = self.lower.sema.types.align_of(ty);
        Ok(self.temporary(size, align))
    }

    /// The same for a value whose lifetime the caller ends.
    pub fn record_passing(&mut self, ty: QualType) -> Result<ir::SlotId> {
        let size = self.lower.size_of(ty, self.at)?;
        let align = self.lower.sema.types.align_of(ty);
        Ok(self.passing(size, align))
    }

    /// The address of a record that is a value. One with an array, which may decay to a pointer, is an object that ends with the full
    /// expression (C11, 6.2.4).
    pub fn record_value(&mut self, expr: &Expr) -> Result<ir::Operand> {
        let from = self.record(expr)?;
        if !self.lower.sema.types.has_array(expr.ty) {
            return Ok(from);
        }
        self.at = expr.span;
        let id = self.record_passing(expr.ty)?;
        let to = ir::Operand::Slot { id, offset: 0 };
        self.copy(to, from, expr.ty.unqualified(), expr.ty)?;
        self.passing.push(id);
        Ok(to)
    }

    /// Evaluates an expression for its effects.
    pub fn effect(&mut self, expr: &Expr) -> Result<()> {
        self.at = expr.span;
        match &expr.kind {
            Kind::Cast(inner) if self.lower.sema.types.is_void(expr.ty) => self.effect(inner),
            Kind::Comma(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            Kind::Conditional(c, a, b) if self.lower.sema.types.is_void(expr.ty) => {
                let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(c, yes, no)?;
                for (block, value) in [(yes, a), (no, b)] {
                    self.start(block);
                    self.effect(value)?;
                    self.goto(end);
                }
                self.start(end);
                Ok(())
            }
            Kind::StmtExpr(scope, stmts, value) => {
                self.enter(*scope);
                for stmt in stmts {
                    self.stmt(stmt)?;
                }
                if let Some(value) = value {
                    self.effect(value)?;
                }
                self.leave(*scope)?;
                Ok(())
            }
            Kind::Call { .. } => self.call(expr).map(|_| ()),
            Kind::Builtin(builtin, args) => self.builtin(builtin, args, expr).map(|_| ()),
            // A volatile object is read; others need not be, but C programs race by such reads.
            Kind::Load(place) if self.is_record(expr.ty) => self.place(place).map(|_| ()),
            _ if is_place(expr) => {
                let ty = self.lower.sema.types.get(expr.ty).clone();
                let place = self.place(expr)?;
                let scalar = matches!(ty, Type::Basic(_) | Type::Pointer(_) | Type::Enum(_));
                if scalar
                    && !self.lower.sema.types.is_void(expr.ty)
                    && expr.ty.quals.has(crate::ast::Quals::VOLATILE)
                {
                    self.load(place)?;
                }
                Ok(())
            }
            _ if self.is_record(expr.ty) => self.record(expr).map(|_| ()),
            _ if self.lower.sema.types.is_void(expr.ty) => {
                refuse(expr.span, "this expression is not supported")
            }
            _ => self.value(expr).map(|_| ()),
        }
    }

    /// The truth of an expression as an `I1`.
    pub fn condition(&mut self, expr: &Expr) -> Result<ir::Operand> {
        match &expr.kind {
            Kind::Compare(relation, a, b) => {
                self.at = expr.span;
                if let Some(ir::Operand::Const { bits, .. }) = self.constant(expr)? {
                    return Ok(ir::Operand::int(ir::Ty::I1, i128::from(bits != 0)));
                }
                let left = self.value(a)?;
                let right = self.value(b)?;
                self.at = expr.span;
                let ty = self.type_of(left);
                let signed = ty.is_float() || ty != ir::Ty::Ptr && self.is_signed(a.ty);
                Ok(self.compare(compare_op(*relation, signed), left, right))
            }
            Kind::LogicalNot(a) => {
                let truth = self.condition(a)?;
                self.at = expr.span;
                Ok(self.not(truth))
            }
            // A truth value that was widened to `int` or `long` is still one.
            Kind::Cast(inner)
                if matches!(inner.kind, Kind::Compare(..) | Kind::LogicalNot(_))
                    && self.lower.sema.types.is_integer(expr.ty) =>
            {
                self.condition(inner)
            }
            _ => {
                let value = self.value(expr)?;
                self.at = expr.span;
                Ok(self.truth(value))
            }
        }
    }

    /// Goes to one of two blocks.
    /// Goes one way or the other after a full expression.
    pub fn decide(&mut self, expr: &Expr, yes: ir::BlockId, no: ir::BlockId) -> Result<()> {
        let from = self.passing.len();
        self.attempt(|b| b.branch(expr, yes, no))?;
        let passing = self.passing.split_off(from);
        self.end_first(&passing, yes);
        self.end_first(&passing, no);
        Ok(())
    }

    pub fn branch(&mut self, expr: &Expr, yes: ir::BlockId, no: ir::BlockId) -> Result<()> {
        match &expr.kind {
            Kind::LogicalAnd(a, b) => {
                let middle = self.new_block();
                self.branch(a, middle, no)?;
                self.start(middle);
                self.branch(b, yes, no)
            }
            Kind::LogicalOr(a, b) => {
                let middle = self.new_block();
                self.branch(a, yes, middle)?;
                self.start(middle);
                self.branch(b, yes, no)
            }
            Kind::LogicalNot(a) => self.branch(a, no, yes),
            Kind::Cast(inner)
                if matches!(
                    inner.kind,
                    Kind::LogicalAnd(..) | Kind::LogicalOr(..) | Kind::LogicalNot(_)
                ) && self.lower.sema.types.is_integer(expr.ty) =>
            {
                self.branch(inner, yes, no)
            }
            _ => {
                let cond = self.condition(expr)?;
                self.at = expr.span;
                match cond {
                    ir::Operand::Const { bits, .. } => self.goto(if bits != 0 { yes } else { no }),
                    _ => self.terminate(ir::Terminator::Branch {
                        cond,
                        then: yes,
                        otherwise: no,
                    }),
                }
                Ok(())
            }
        }
    }
}
