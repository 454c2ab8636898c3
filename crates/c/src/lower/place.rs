//! Places: where an lvalue lies, and how it is read and written.

use super::build::{FunctionBuilder, Storage};
use crate::ast::{Basic, Quals};
use crate::diagnostic::{Result, fail};
use crate::hir::*;
use crate::types::{Bits, QualType};
use raddle_ir as ir;

/// Where an lvalue lies.
#[derive(Copy, Clone, Debug)]
pub(super) enum Spot {
    Local(ir::LocalId),
    Memory(ir::Operand, i64),
}

/// An lvalue ready to be accessed.
#[derive(Copy, Clone, Debug)]
pub(super) struct Place {
    pub spot: Spot,
    pub ty: QualType,
    pub bits: Option<Bits>,
}

impl FunctionBuilder<'_, '_, '_> {
    /// Evaluates an lvalue (or the address of a record that is a value).
    pub fn place(&mut self, expr: &Expr) -> Result<Place> {
        let (ty, span) = (expr.ty, expr.span);
        let memory = |base, offset| Place {
            spot: Spot::Memory(base, offset),
            ty,
            bits: None,
        };
        Ok(match &expr.kind {
            Kind::Var(var) => self.var_place(*var, ty),
            Kind::Object(id) => {
                let id = self.lower.object(*id)?;
                memory(ir::Operand::Global { id, offset: 0 }, 0)
            }
            Kind::Function(id) => {
                let id = self.lower.function_address(*id, span)?;
                memory(ir::Operand::Function(id), 0)
            }
            Kind::Deref(pointer) => {
                let pointer = self.value(pointer)?;
                memory(pointer, 0)
            }
            Kind::Member { base, offset, bits } => {
                let base =
                    if matches!(base.kind, Kind::Member { .. }) || super::expr::is_place(base) {
                        self.place(base)?
                    } else {
                        Place {
                            spot: Spot::Memory(self.record(base)?, 0),
                            ty: base.ty,
                            bits: None,
                        }
                    };
                match base.spot {
                    Spot::Memory(operand, at) => Place {
                        spot: Spot::Memory(operand, at + *offset as i64),
                        ty,
                        bits: *bits,
                    },
                    Spot::Local(_) => return fail(span, "a member of a register"),
                }
            }
            Kind::CompoundLiteral(var, init) => {
                let place = self.var_place(*var, ty);
                self.initialise(place, init)?;
                place
            }
            _ => return fail(span, "this is not an object"),
        })
    }

    pub fn var_place(&mut self, var: VarId, ty: QualType) -> Place {
        let spot = match self.vars[var.0 as usize] {
            Storage::Local(local) => Spot::Local(local),
            Storage::Slot(id) => Spot::Memory(ir::Operand::Slot { id, offset: 0 }, 0),
            Storage::Indirect(local) => Spot::Memory(ir::Operand::Local(local), 0),
        };
        Place {
            spot,
            ty,
            bits: None,
        }
    }

    /// The address of a place.
    pub fn address(&mut self, place: Place) -> Result<ir::Operand> {
        match place.spot {
            Spot::Memory(base, offset) => Ok(self.offset(base, offset)),
            Spot::Local(_) => fail(self.at, "the address of a register"),
        }
    }

    fn access(&self, place: Place) -> ir::Access {
        let signed = self.is_signed(place.ty);
        ir::Access {
            ordering: match place.bits {
                Some(_) => self.ordering(place.ty.quals.without(Quals::ATOMIC)),
                None => self.ordering(place.ty.quals),
            },
            bits: place.bits.map(|b| ir::BitField {
                offset: b.offset,
                width: b.width,
                location: b.location,
                signed,
            }),
        }
    }

    pub fn load(&mut self, place: Place) -> Result<ir::Operand> {
        let ty = self.scalar(place.ty)?;
        match place.spot {
            Spot::Local(local) => Ok(ir::Operand::Local(local)),
            Spot::Memory(..) => {
                let addr = self.address(place)?;
                let access = self.access(place);
                let dst = self.local(ty);
                self.emit(ir::Op::Load {
                    dst,
                    ty,
                    addr,
                    access,
                });
                Ok(ir::Operand::Local(dst))
            }
        }
    }

    pub fn store(&mut self, place: Place, value: ir::Operand) -> Result<()> {
        let ty = self.scalar(place.ty)?;
        match place.spot {
            Spot::Local(local) => self.set(local, value),
            Spot::Memory(..) => {
                let addr = self.address(place)?;
                let access = self.access(place);
                self.emit(ir::Op::Store {
                    ty,
                    addr,
                    value,
                    access,
                });
            }
        }
        Ok(())
    }

    /// The value a bit-field has after a value was stored in it.
    pub fn truncate_to_field(&mut self, place: Place, value: ir::Operand) -> Result<ir::Operand> {
        let Some(bits) = place.bits else {
            return Ok(value);
        };
        let ty = self.type_of(value);
        let width = ty.bits(self.lower.model());
        let is_bool = self.lower.sema.types.basic(place.ty) == Some(Basic::Bool);
        if bits.width >= width || is_bool {
            return Ok(value);
        }
        let amount = ir::Operand::int(ty, i128::from(width - bits.width));
        let up = self.binary(ir::BinaryOp::Shl, value, amount, false);
        let down = if self.is_signed(place.ty) {
            ir::BinaryOp::AShr
        } else {
            ir::BinaryOp::LShr
        };
        Ok(self.binary(down, up, amount, false))
    }
}
