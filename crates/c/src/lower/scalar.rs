//! Conversions between scalars, arithmetic, sizes known at run time.

use super::build::FunctionBuilder;
use crate::ast::Basic;
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::*;
use crate::types::*;
use raddle_ir as ir;

impl FunctionBuilder<'_, '_, '_> {
    pub fn cast_op(&mut self, kind: ir::CastKind, to: ir::Ty, a: ir::Operand) -> ir::Operand {
        let from = self.type_of(a);
        self.compute(to, ir::Rvalue::Cast { kind, from, to, a })
    }

    /// An integer brought to another width.
    pub fn resize(&mut self, value: ir::Operand, to: ir::Ty, signed: bool) -> ir::Operand {
        let from = self.type_of(value);
        let model = self.lower.model();
        let (old, new) = (from.bits(model), to.bits(model));
        if from == to {
            return value;
        }
        if let ir::Operand::Const { bits, .. } = value {
            let shift = 128 - old;
            let wide = if signed && from != ir::Ty::I1 {
                ((bits << shift) as i128) >> shift
            } else {
                bits as i128
            };
            return ir::Operand::int(to, wide);
        }
        let kind = if new < old {
            ir::CastKind::Trunc
        } else if signed {
            ir::CastKind::SExt
        } else {
            ir::CastKind::ZExt
        };
        self.cast_op(kind, to, value)
    }

    /// A value converted from one scalar C type to another.
    pub fn convert(
        &mut self,
        value: ir::Operand,
        from: QualType,
        to: QualType,
    ) -> Result<ir::Operand> {
        let target = self.scalar(to)?;
        let source = self.type_of(value);
        if self.lower.sema.types.basic(to) == Some(Basic::Bool) {
            if self.lower.sema.types.basic(from) == Some(Basic::Bool) {
                return Ok(value);
            }
            let truth = self.truth(value);
            return Ok(self.resize(truth, ir::Ty::I8, false));
        }
        let signed = self.is_signed(from);
        let to_signed = self.is_signed(to);
        let word = self.word();
        Ok(match (source, target) {
            (a, b) if a == b => value,
            (a, b) if a.is_int() && b.is_int() => self.resize(value, b, signed),
            (a, b) if a.is_int() && b.is_float() => {
                let kind = if signed {
                    ir::CastKind::SIntToFloat
                } else {
                    ir::CastKind::UIntToFloat
                };
                self.cast_op(kind, b, value)
            }
            (a, b) if a.is_float() && b.is_int() => {
                let kind = if to_signed {
                    ir::CastKind::FloatToSInt
                } else {
                    ir::CastKind::FloatToUInt
                };
                self.cast_op(kind, b, value)
            }
            (a, b) if a.is_float() && b.is_float() => {
                self.cast_op(ir::CastKind::FloatToFloat, b, value)
            }
            (ir::Ty::Ptr, b) if b.is_int() => {
                let int = self.pointer_to_int(value);
                self.resize(int, b, false)
            }
            (a, ir::Ty::Ptr) if a.is_int() => {
                let int = self.resize(value, word, signed);
                self.int_to_pointer(int)
            }
            _ => return refuse(self.at, "this conversion is not supported"),
        })
    }

    pub fn pointer_to_int(&mut self, value: ir::Operand) -> ir::Operand {
        let word = self.word();
        match value {
            ir::Operand::Const { bits, .. } => ir::Operand::Const { ty: word, bits },
            _ => self.cast_op(ir::CastKind::PtrToInt, word, value),
        }
    }

    pub fn int_to_pointer(&mut self, value: ir::Operand) -> ir::Operand {
        match value {
            ir::Operand::Const { bits, .. } => ir::Operand::Const {
                ty: ir::Ty::Ptr,
                bits,
            },
            _ => self.cast_op(ir::CastKind::IntToPtr, ir::Ty::Ptr, value),
        }
    }

    /// Brings an operand to a type by whatever conversion exists; for calls that disagree with a definition.
    pub fn coerce(&mut self, value: ir::Operand, to: ir::Ty) -> ir::Operand {
        let from = self.type_of(value);
        let word = self.word();
        match (from, to) {
            (a, b) if a == b => value,
            (a, b) if a.is_int() && b.is_int() => self.resize(value, b, true),
            (a, b) if a.is_float() && b.is_float() => {
                self.cast_op(ir::CastKind::FloatToFloat, b, value)
            }
            (a, b) if a.is_int() && b.is_float() => {
                self.cast_op(ir::CastKind::SIntToFloat, b, value)
            }
            (a, b) if a.is_float() && b.is_int() => {
                self.cast_op(ir::CastKind::FloatToSInt, b, value)
            }
            (ir::Ty::Ptr, b) if b.is_int() => {
                let int = self.pointer_to_int(value);
                self.resize(int, b, false)
            }
            (a, ir::Ty::Ptr) if a.is_int() => {
                let int = self.resize(value, word, true);
                self.int_to_pointer(int)
            }
            _ => self.zero(to),
        }
    }

    /// Whether a scalar is not zero.
    pub fn truth(&mut self, value: ir::Operand) -> ir::Operand {
        let ty = self.type_of(value);
        match value {
            _ if ty == ir::Ty::I1 => value,
            ir::Operand::Const { bits, .. } if !ty.is_float() => {
                ir::Operand::int(ir::Ty::I1, i128::from(bits != 0))
            }
            ir::Operand::Global { .. } | ir::Operand::Slot { .. } | ir::Operand::Function(_) => {
                ir::Operand::int(ir::Ty::I1, 1)
            }
            _ => {
                let zero = self.zero(ty);
                self.compare(ir::CompareOp::Ne, value, zero)
            }
        }
    }

    pub fn not(&mut self, truth: ir::Operand) -> ir::Operand {
        if let ir::Operand::Const { bits, .. } = truth {
            return ir::Operand::int(ir::Ty::I1, i128::from(bits == 0));
        }
        let zero = self.zero(ir::Ty::I1);
        self.compare(ir::CompareOp::Eq, truth, zero)
    }

    /// Arithmetic on values of one C type; a shift amount may have another.
    pub fn arith(
        &mut self,
        op: Arith,
        a: ir::Operand,
        b: ir::Operand,
        ty: QualType,
        amount: QualType,
    ) -> Result<ir::Operand> {
        let target = self.scalar(ty)?;
        let signed = self.is_signed(ty);
        if target.is_float() {
            let op = match op {
                Arith::Add => ir::BinaryOp::Add,
                Arith::Sub => ir::BinaryOp::Sub,
                Arith::Mul => ir::BinaryOp::Mul,
                Arith::Div => ir::BinaryOp::FDiv,
                _ => return fail(self.at, "an integer operation on floating values"),
            };
            return Ok(self.binary(op, a, b, false));
        }
        let b = match op {
            Arith::Shl | Arith::Shr => self.shift_amount(b, target, amount),
            _ => b,
        };
        let (op, checked) = match op {
            Arith::Add => (ir::BinaryOp::Add, signed),
            Arith::Sub => (ir::BinaryOp::Sub, signed),
            Arith::Mul => (ir::BinaryOp::Mul, signed),
            Arith::Div if signed => (ir::BinaryOp::SDiv, true),
            Arith::Div => (ir::BinaryOp::UDiv, false),
            Arith::Rem if signed => (ir::BinaryOp::SRem, true),
            Arith::Rem => (ir::BinaryOp::URem, false),
            Arith::And => (ir::BinaryOp::And, false),
            Arith::Or => (ir::BinaryOp::Or, false),
            Arith::Xor => (ir::BinaryOp::Xor, false),
            Arith::Shl => (ir::BinaryOp::Shl, signed),
            Arith::Shr if signed => (ir::BinaryOp::AShr, false),
            Arith::Shr => (ir::BinaryOp::LShr, false),
        };
        Ok(self.binary(op, a, b, checked))
    }

    /// A shift amount as wide as the value; one too large for that stays too large.
    fn shift_amount(&mut self, amount: ir::Operand, to: ir::Ty, ty: QualType) -> ir::Operand {
        let model = self.lower.model();
        let from = self.type_of(amount);
        if from.bits(model) <= to.bits(model) || matches!(amount, ir::Operand::Const { .. }) {
            if let ir::Operand::Const { bits, .. } = amount
                && bits >= u128::from(to.bits(model))
            {
                return ir::Operand::int(to, i128::from(to.bits(model)));
            }
            return self.resize(amount, to, self.is_signed(ty));
        }
        let limit = ir::Operand::int(from, i128::from(to.bits(model)));
        let fits = self.compare(ir::CompareOp::ULt, amount, limit);
        let cond = fits;
        let b = limit;
        let capped = self.compute(
            from,
            ir::Rvalue::Select {
                ty: from,
                cond,
                a: amount,
                b,
            },
        );
        self.resize(capped, to, false)
    }

    /// A size as an integer as wide as a pointer.
    pub fn size(&mut self, size: &Size) -> ir::Operand {
        match size {
            Size::Const(n) => self.word_const(i128::from(*n)),
            Size::Vla(id, element) => {
                let element = self.size(element);
                match self.lengths.get(id) {
                    Some(&length) => self.binary(
                        ir::BinaryOp::Mul,
                        ir::Operand::Local(length),
                        element,
                        false,
                    ),
                    None => self.word_const(0),
                }
            }
            Size::Times(n, element) => {
                let element = self.size(element);
                let n = self.word_const(i128::from(*n));
                self.binary(ir::BinaryOp::Mul, n, element, false)
            }
        }
    }

    /// `pointer ± index` elements.
    pub fn pointer_add(
        &mut self,
        base: ir::Operand,
        index: ir::Operand,
        negative: bool,
        element: &Size,
    ) -> ir::Operand {
        let model = self.lower.model();
        if let (Size::Const(size), ir::Operand::Const { ty, bits }) = (element, index) {
            let shift = 128 - ty.bits(model);
            let value = ((bits << shift) as i128) >> shift;
            let bytes = value.checked_mul(i128::from(*size));
            let bytes = bytes.map(|b| if negative { -b } else { b });
            if let Some(Ok(bytes)) = bytes.map(i64::try_from) {
                if let ir::Operand::Const { .. } = base {
                    let index = self.word_const(0);
                    return self.compute(
                        ir::Ty::Ptr,
                        ir::Rvalue::PtrAdd {
                            base,
                            index,
                            scale: 1,
                            offset: bytes,
                        },
                    );
                }
                return self.offset(base, bytes);
            }
        }
        let index = if negative {
            let zero = self.zero(self.type_of(index));
            self.binary(ir::BinaryOp::Sub, zero, index, false)
        } else {
            index
        };
        let (index, scale) = match element {
            Size::Const(size) => (index, *size),
            other => {
                let size = self.size(other);
                (self.binary(ir::BinaryOp::Mul, index, size, false), 1)
            }
        };
        self.compute(
            ir::Ty::Ptr,
            ir::Rvalue::PtrAdd {
                base,
                index,
                scale,
                offset: 0,
            },
        )
    }
}
