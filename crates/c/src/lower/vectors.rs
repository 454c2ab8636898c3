//! Vectors of GNU C, element by element. A vector that is a value is in memory, as a record is.
//!
//! Elements are computed in their own type: what is narrower than `int` wraps around.

use super::build::FunctionBuilder;
use super::place::{Place, Spot};
use crate::diagnostic::{Result, refuse};
use crate::hir::*;
use crate::types::*;
use raddle_ir as ir;

/// An operand of a vector operation.
#[derive(Copy, Clone)]
enum Lanes {
    /// The address of a vector.
    At(ir::Operand),
    /// A scalar that stands for every element.
    All(ir::Operand),
}

impl FunctionBuilder<'_, '_, '_> {
    /// The element type of a vector, the size of an element, and how many there are.
    pub fn elements(&self, ty: QualType) -> Option<(QualType, u64, u64)> {
        let types = &self.lower.sema.types;
        match types.get(ty) {
            Type::Vector(of, bytes) => {
                let size = types.size_of(*of).filter(|size| *size > 0)?;
                Some((of.unqualified(), size, bytes / size))
            }
            _ => None,
        }
    }

    fn lanes(&mut self, expr: &Expr) -> Result<Lanes> {
        Ok(match self.elements(expr.ty) {
            Some(_) => Lanes::At(self.record(expr)?),
            None => Lanes::All(self.value(expr)?),
        })
    }

    fn element(&self, address: ir::Operand, of: QualType, offset: u64) -> Place {
        Place {
            spot: Spot::Memory(address, offset as i64),
            ty: of,
            bits: None,
            neighbours: 0,
        }
    }

    fn lane(&mut self, lanes: Lanes, of: QualType, offset: u64) -> Result<ir::Operand> {
        match lanes {
            Lanes::At(address) => self.load(self.element(address, of, offset)),
            Lanes::All(value) => Ok(value),
        }
    }

    /// Whether overflow of this element type is undefined.
    fn lane_overflows(&self, of: QualType) -> bool {
        self.is_signed(of) && self.lower.sema.types.size_of(of) >= Some(4)
    }

    fn lane_arith(
        &mut self,
        op: Arith,
        a: ir::Operand,
        b: ir::Operand,
        of: QualType,
    ) -> Result<ir::Operand> {
        let wrapping = match op {
            Arith::Add => Some(ir::BinaryOp::Add),
            Arith::Sub => Some(ir::BinaryOp::Sub),
            Arith::Mul => Some(ir::BinaryOp::Mul),
            Arith::Shl => Some(ir::BinaryOp::Shl),
            _ => None,
        };
        match wrapping {
            Some(op) if self.is_signed(of) && !self.lane_overflows(of) => {
                Ok(self.binary(op, a, b, false))
            }
            _ => self.arith(op, a, b, of, of),
        }
    }

    /// The value of a vector expression that is computed: the address of a temporary.
    pub fn vector(&mut self, expr: &Expr) -> Result<ir::Operand> {
        if let Kind::CompoundAssign {
            target,
            op,
            value,
            post,
            ..
        } = &expr.kind
        {
            return self.vector_compound(expr, target, *op, value, *post);
        }
        if let Kind::Cast(inner) = &expr.kind {
            return self.vector_cast(inner, expr);
        }
        let (first, second) = match &expr.kind {
            Kind::Arith(_, a, b) | Kind::Compare(_, a, b) => (a, Some(b)),
            Kind::Negate(a) | Kind::Complement(a) => (a, None),
            _ => return refuse(expr.span, "this value of a vector is not supported"),
        };
        let a = self.lanes(first)?;
        let b = match second {
            Some(b) => Some(self.lanes(b)?),
            None => None,
        };
        self.at = expr.span;
        let shape = [Some(first), second].into_iter().flatten();
        let shape = shape.map(|e| self.elements(e.ty)).find(Option::is_some);
        let (Some((of, size, count)), Some((result, ..))) =
            (shape.flatten(), self.elements(expr.ty))
        else {
            return refuse(expr.span, "this value of a vector is not supported");
        };
        let to = self.record_temporary(expr.ty)?;
        for i in 0..count {
            let x = self.lane(a, of, i * size)?;
            let y = match b {
                Some(b) => self.lane(b, of, i * size)?,
                None => x,
            };
            let value = match &expr.kind {
                Kind::Arith(op, ..) => self.lane_arith(*op, x, y, of)?,
                Kind::Compare(relation, ..) => self.lane_compare(*relation, x, y, of, result)?,
                kind => {
                    let ty = self.scalar(of)?;
                    let negates = matches!(kind, Kind::Negate(_));
                    let op = match negates {
                        true => ir::UnaryOp::Neg,
                        false => ir::UnaryOp::Not,
                    };
                    let checked = negates && self.lane_overflows(of);
                    let a = x;
                    self.compute(ty, ir::Rvalue::Unary { op, ty, a, checked })
                }
            };
            self.store(self.element(to, result, i * size), value)?;
        }
        Ok(to)
    }

    /// 0 or -1.
    fn lane_compare(
        &mut self,
        relation: Relation,
        a: ir::Operand,
        b: ir::Operand,
        of: QualType,
        result: QualType,
    ) -> Result<ir::Operand> {
        let signed = self.lower.sema.types.is_float(of) || self.is_signed(of);
        let op = super::expr::compare_op(relation, signed);
        let truth = self.compare(op, a, b);
        let ty = self.scalar(result)?;
        let a = self.resize(truth, ty, false);
        let negate = ir::Rvalue::Unary {
            op: ir::UnaryOp::Neg,
            ty,
            a,
            checked: false,
        };
        Ok(self.compute(ty, negate))
    }

    fn vector_compound(
        &mut self,
        expr: &Expr,
        target: &Expr,
        op: Arith,
        value: &Expr,
        post: bool,
    ) -> Result<ir::Operand> {
        let place = self.place(target)?;
        let address = self.address(place)?;
        let right = self.lanes(value)?;
        self.at = expr.span;
        let Some((of, size, count)) = self.elements(expr.ty) else {
            return refuse(expr.span, "this value of a vector is not supported");
        };
        let (old, new) = (
            self.record_temporary(expr.ty)?,
            self.record_temporary(expr.ty)?,
        );
        self.copy(old, address, expr.ty, place.ty)?;
        for i in 0..count {
            let x = self.lane(Lanes::At(old), of, i * size)?;
            let y = self.lane(right, of, i * size)?;
            let value = self.lane_arith(op, x, y, of)?;
            self.store(self.element(new, of, i * size), value)?;
        }
        self.copy(address, new, place.ty, expr.ty)?;
        Ok(if post { old } else { new })
    }

    /// The same bytes as a vector of another type.
    fn vector_cast(&mut self, inner: &Expr, expr: &Expr) -> Result<ir::Operand> {
        let types = &self.lower.sema.types;
        if types.size_of(inner.ty) != types.size_of(expr.ty) {
            return refuse(expr.span, "this conversion to a vector is not supported");
        }
        if self.elements(inner.ty).is_some() {
            return self.record(inner);
        }
        let value = self.value(inner)?;
        let to = self.record_temporary(expr.ty)?;
        self.store(self.element(to, inner.ty.unqualified(), 0), value)?;
        Ok(to)
    }

    /// The bytes of a vector as a scalar.
    pub fn scalar_of_vector(&mut self, inner: &Expr, expr: &Expr) -> Result<ir::Operand> {
        let types = &self.lower.sema.types;
        if types.size_of(inner.ty) != types.size_of(expr.ty) {
            return refuse(expr.span, "this conversion of a vector is not supported");
        }
        let from = self.record(inner)?;
        self.load(self.element(from, expr.ty.unqualified(), 0))
    }
}
