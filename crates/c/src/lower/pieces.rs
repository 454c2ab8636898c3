//! `memcpy` of, and `memset` to, something small whose type is known: by its scalars, as an assignment would be.
//!
//! The library's own copy goes by words, which is one step for what two members share. Nothing says that a copy is one step, so others may see
//! half of it. What lies between members is copied byte by byte.
//!
//! Misses: what has more than [`MOST`] scalars, or whose type is only known elsewhere, and `memmove`; there the library copies words.

use super::build::FunctionBuilder;
use crate::ast::{Basic, RecordKind};
use crate::hir::*;
use crate::types::*;
use raddle_ir as ir;

/// How many scalars are copied one by one.
const MOST: usize = 16;

impl FunctionBuilder<'_, '_, '_> {
    /// Does what a call of the library's `memcpy` or `memset` would do, if it is one that can be done here; yields its result.
    pub(super) fn by_pieces(
        &mut self,
        callee: Option<FunctionId>,
        args: &[Expr],
        values: &[ir::Operand],
    ) -> Option<ir::Operand> {
        let function = &self.lower.sema.functions[callee?.0 as usize];
        if function.body.is_none() || !self.lower.sema.is_library(function.unit) {
            return None;
        }
        let &[to, what, ir::Operand::Const { bits: size, .. }] = values else {
            return None;
        };
        let ty = match (&*function.name, what) {
            ("memcpy", _) => self.common(&args[0], &args[1])?,
            ("memset", ir::Operand::Const { .. }) => self.pointed(&args[0])?,
            _ => return None,
        };
        let copies = &*function.name == "memcpy";
        let pieces = self.pieces(ty, u64::try_from(size).ok()?)?;
        let is_zero = matches!(what, ir::Operand::Const { bits, .. } if bits as u8 == 0);
        // Addresses are not made of bytes.
        if !copies && !is_zero && pieces.iter().any(|&(_, ty)| ty == ir::Ty::Ptr) {
            return None;
        }
        for (offset, ty) in pieces {
            let value = match copies {
                true => {
                    let addr = self.offset(what, offset as i64);
                    let dst = self.local(ty);
                    self.emit(ir::Op::Load {
                        dst,
                        ty,
                        addr,
                        access: ir::Access::PLAIN,
                    });
                    ir::Operand::Local(dst)
                }
                false => self.repeated(what, ty),
            };
            let addr = self.offset(to, offset as i64);
            self.emit(ir::Op::Store {
                ty,
                addr,
                value,
                access: ir::Access::PLAIN,
            });
        }
        Some(to)
    }

    /// A scalar whose bytes are all the same.
    fn repeated(&self, byte: ir::Operand, ty: ir::Ty) -> ir::Operand {
        let ir::Operand::Const { bits, .. } = byte else {
            return self.zero(ty);
        };
        let width = ty.bits(self.lower.model()).div_ceil(8);
        let bits = (0..width).fold(0, |all, _| all << 8 | bits & 0xff);
        ir::Operand::Const { ty, bits }
    }

    /// What a pointer pointed to before it became one to `void`.
    fn pointed(&self, pointer: &Expr) -> Option<QualType> {
        let types = &self.lower.sema.types;
        let mut pointer = pointer;
        while let Kind::Cast(inner) = &pointer.kind
            && types.is_pointer(inner.ty)
        {
            pointer = inner;
        }
        let to = types.pointee(pointer.ty)?;
        (!types.is_void(to)).then_some(to)
    }

    /// The type of what is copied from one pointer to another. Bytes can be anything.
    fn common(&self, to: &Expr, from: &Expr) -> Option<QualType> {
        let types = &self.lower.sema.types;
        let is_byte = |ty: QualType| {
            let basic = types.basic(ty);
            matches!(basic, Some(Basic::Char | Basic::SChar | Basic::UChar))
        };
        match (self.pointed(to), self.pointed(from)) {
            (Some(a), Some(b)) if a.id == b.id => Some(a),
            (Some(a), Some(b)) if is_byte(a) => Some(b),
            (Some(a), Some(b)) if is_byte(b) => Some(a),
            (Some(_), Some(_)) => None,
            (a, b) => a.or(b),
        }
    }

    /// The scalars of so many bytes of a type, and the bytes between them; nothing if there are too many, or all are words.
    fn pieces(&self, ty: QualType, size: u64) -> Option<Vec<(u64, ir::Ty)>> {
        let element = self.lower.sema.types.size_of(ty)?;
        if element == 0 || !size.is_multiple_of(element) || size / element > MOST as u64 {
            return None;
        }
        let mut found = Vec::new();
        for i in 0..size / element {
            self.scalars(ty.unqualified(), i * element, &mut found)?;
        }
        let model = self.lower.model();
        let width = |ty: ir::Ty| u64::from(ty.bits(model)).div_ceil(8);
        let word = model.pointer_bytes();
        if found.iter().all(|&(_, ty)| width(ty) == word) {
            return None;
        }
        let mut all = Vec::new();
        let mut at = 0;
        for (offset, ty) in found {
            if offset < at {
                return None;
            }
            all.extend((at..offset).map(|gap| (gap, ir::Ty::I8)));
            all.push((offset, ty));
            at = offset + width(ty);
        }
        all.extend((at..size).map(|gap| (gap, ir::Ty::I8)));
        (all.len() <= MOST).then_some(all)
    }

    /// Adds the scalars of a type, unless there are too many or some cannot be told apart.
    fn scalars(&self, ty: QualType, offset: u64, found: &mut Vec<(u64, ir::Ty)>) -> Option<()> {
        let types = &self.lower.sema.types;
        match types.get(ty) {
            Type::Array(of, Length::Known(count)) => {
                let element = types.size_of(*of)?;
                for i in 0..*count {
                    self.scalars(*of, offset + i * element, found)?;
                }
            }
            Type::Record(r) => {
                let record = types.record(*r);
                if record.kind == RecordKind::Union {
                    return None;
                }
                for field in &record.fields {
                    if field.bits.is_some() {
                        return None;
                    }
                    self.scalars(field.ty.unqualified(), offset + field.offset, found)?;
                }
            }
            _ => match self.lower.scalar(ty, self.at).ok()? {
                ir::Ty::F80 => return None,
                scalar => found.push((offset, scalar)),
            },
        }
        (found.len() <= MOST).then_some(())
    }
}
