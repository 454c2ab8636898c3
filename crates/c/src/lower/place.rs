//! Places: where an lvalue lies, and how it is read and written.

use super::build::{FunctionBuilder, Storage};
use crate::ast::{Basic, Quals};
use crate::diagnostic::{Result, fail};
use crate::hir::*;
use crate::types::{Bits, QualType, Type};
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
    /// Bits of the memory location that belong to other bit-fields, where there are any.
    pub neighbours: u128,
}

/// The bytes that an access to a bit-field moves.
#[derive(Copy, Clone, Debug)]
struct Unit {
    /// The first, counted from the start of the memory location.
    first: u32,
    bytes: u32,
    /// A type that has room for them.
    ty: ir::Ty,
    /// They are as many as the type has.
    scalar: bool,
}

impl Unit {
    /// Whether the access is an ordinary one: races with a bit-field are races with its whole location.
    fn is_location(&self, bits: Bits) -> bool {
        self.scalar && self.bytes == bits.location
    }
}

impl FunctionBuilder<'_, '_, '_> {
    /// Evaluates an lvalue (or the address of a record that is a value).
    pub fn place(&mut self, expr: &Expr) -> Result<Place> {
        let (ty, span) = (expr.ty, expr.span);
        let memory = |base, offset| Place {
            spot: Spot::Memory(base, offset),
            ty,
            bits: None,
            neighbours: 0,
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
                            spot: Spot::Memory(self.record_value(base)?, 0),
                            ty: base.ty,
                            bits: None,
                            neighbours: 0,
                        }
                    };
                let neighbours = match bits {
                    Some(bits) => self.neighbours(base.ty, *offset, *bits),
                    None => 0,
                };
                match base.spot {
                    Spot::Memory(operand, at) => Place {
                        spot: Spot::Memory(operand, at + *offset as i64),
                        ty,
                        bits: *bits,
                        neighbours,
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
            neighbours: 0,
        }
    }

    /// The address of a place.
    pub fn address(&mut self, place: Place) -> Result<ir::Operand> {
        match place.spot {
            Spot::Memory(base, offset) => Ok(self.offset(base, offset)),
            Spot::Local(_) => fail(self.at, "the address of a register"),
        }
    }

    fn plain_access(&self, place: Place) -> ir::Access {
        ir::Access {
            ordering: match place.bits {
                Some(_) => self.ordering(place.ty.quals.without(Quals::ATOMIC)),
                None => self.ordering(place.ty.quals),
            },
            bits: None,
            keeps: 0,
        }
    }

    pub fn load(&mut self, place: Place) -> Result<ir::Operand> {
        let ty = self.scalar(place.ty)?;
        match place.spot {
            Spot::Local(local) => Ok(ir::Operand::Local(local)),
            Spot::Memory(..) => {
                let addr = self.address(place)?;
                let mut access = self.plain_access(place);
                if let Some(bits) = place.bits {
                    let unit = self.unit(place, bits);
                    if unit.is_location(bits) {
                        return self.load_field(place, bits, unit, addr, access);
                    }
                    access.bits = Some(ir::BitField {
                        offset: bits.offset,
                        width: bits.width,
                        location: bits.location,
                        signed: self.is_signed(place.ty),
                    });
                }
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
                let access = self.plain_access(place);
                if let Some(bits) = place.bits {
                    let unit = self.unit(place, bits);
                    self.store_field(place, bits, unit, addr, value, access);
                    return Ok(());
                }
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

    /// The bytes that an access to a bit-field moves: as few as hold it, which is what gcc does on x86-64; for a volatile one its
    /// declared type's, as far as they belong to the location.
    fn unit(&self, place: Place, bits: Bits) -> Unit {
        let (mut first, mut end) = (bits.offset / 8, (bits.offset + bits.width).div_ceil(8));
        if place.ty.quals.has(Quals::VOLATILE)
            && let Some(size) = self.lower.sema.types.size_of(place.ty)
        {
            let start = bits.offset / 8 / size as u32 * size as u32;
            let whole = (start + size as u32).min(bits.location);
            (first, end) = (first.min(start), end.max(whole));
        }
        let ty = match end - first {
            1 => ir::Ty::I8,
            2 => ir::Ty::I16,
            3..=4 => ir::Ty::I32,
            5..=8 => ir::Ty::I64,
            _ => ir::Ty::I128,
        };
        Unit {
            first,
            bytes: end - first,
            ty,
            scalar: u64::from(end - first) == ty.bytes(self.lower.model()),
        }
    }

    /// Bits of the memory location of a bit-field that belong to other fields of the same record.
    fn neighbours(&self, record: QualType, offset: u64, bits: Bits) -> u128 {
        let of = |offset: u32, width: u32| match offset {
            0..128 => (u128::MAX >> (128 - width.clamp(1, 128))) << offset,
            _ => 0,
        };
        let types = &self.lower.sema.types;
        let others = match types.get(record) {
            Type::Record(id) => &types.record(*id).fields[..],
            _ => &[],
        };
        let others = others
            .iter()
            .filter(|f| f.name.is_some() && f.offset == offset);
        let fields = others.filter_map(|f| f.bits);
        let all = fields.fold(0, |all, f| all | of(f.offset, f.width));
        let own = of(bits.offset, bits.width);
        match all & own == own {
            true => all & !own,
            // The field of a record inside: all that is not its own may be somebody's.
            false => !own,
        }
    }

    fn load_field(
        &mut self,
        place: Place,
        bits: Bits,
        unit: Unit,
        addr: ir::Operand,
        mut access: ir::Access,
    ) -> Result<ir::Operand> {
        access.keeps = !((u128::MAX >> (128 - bits.width)) << bits.offset);
        let to = self.scalar(place.ty)?;
        let dst = self.local(unit.ty);
        self.emit(ir::Op::Load {
            dst,
            ty: unit.ty,
            addr,
            access,
        });
        let model = self.lower.model();
        let mut value = ir::Operand::Local(dst);
        let total = unit.ty.bits(model);
        let signed = self.is_signed(place.ty);
        let above = total - bits.offset - bits.width;
        if above > 0 {
            let amount = ir::Operand::int(unit.ty, i128::from(above));
            value = self.binary(ir::BinaryOp::Shl, value, amount, false);
        }
        if total > bits.width {
            let amount = ir::Operand::int(unit.ty, i128::from(total - bits.width));
            let down = match signed {
                true => ir::BinaryOp::AShr,
                false => ir::BinaryOp::LShr,
            };
            value = self.binary(down, value, amount, false);
        }
        Ok(self.resize(value, to, signed))
    }

    /// A store to a bit-field: a load of the bytes that hold it, and a store, unless it fills them.
    fn store_field(
        &mut self,
        place: Place,
        bits: Bits,
        unit: Unit,
        addr: ir::Operand,
        value: ir::Operand,
        mut access: ir::Access,
    ) {
        if !unit.is_location(bits) {
            access.bits = Some(ir::BitField {
                offset: unit.first * 8,
                width: unit.bytes * 8,
                location: bits.location,
                signed: false,
            });
        }
        let ty = unit.ty;
        let mut value = self.resize(value, ty, false);
        if bits.width < unit.bytes * 8 {
            access.keeps = u128::MAX;
            let old = self.local(ty);
            self.emit(ir::Op::Load {
                dst: old,
                ty,
                addr,
                access,
            });
            let shift = bits.offset - unit.first * 8;
            let low = u128::MAX >> (128 - bits.width);
            let all = u128::MAX >> (128 - ty.bits(self.lower.model()));
            let constant = |bits| ir::Operand::Const { ty, bits };
            let others = constant(all & !(low << shift));
            let kept = self.binary(ir::BinaryOp::And, ir::Operand::Local(old), others, false);
            value = self.binary(ir::BinaryOp::And, value, constant(low), false);
            if shift > 0 {
                let amount = constant(u128::from(shift));
                value = self.binary(ir::BinaryOp::Shl, value, amount, false);
            }
            value = self.binary(ir::BinaryOp::Or, kept, value, false);
            // What belongs to no field, nobody looks at.
            access.keeps = (place.neighbours >> (unit.first * 8)) & !(low << shift);
        }
        self.emit(ir::Op::Store {
            ty,
            addr,
            value,
            access,
        });
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
