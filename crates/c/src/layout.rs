//! Sizes, alignments and the layout of records, exactly as gcc lays them out on x86.
//!
//! The rule that surprises: a bit-field starts a new unit only if it would otherwise span more units of its
//! type's alignment than its type has. On ILP32, members of 8-byte scalar types are aligned to 4.

use crate::ast::{Basic, Quals, RecordKind};
use crate::types::*;
use raddle_ir::DataModel;

/// A member before it has a place.
pub struct Member {
    pub field: Field,
    /// Width of a bit-field; 0 ends the unit.
    pub width: Option<u32>,
    /// `packed` on the member itself.
    pub packed: bool,
    /// Alignment asked for on the member; 0 for none.
    pub align: u64,
}

/// What was asked for the record as a whole.
#[derive(Copy, Clone, Default)]
pub struct RecordRequest {
    pub packed: bool,
    pub align: u64,
    /// `#pragma pack`; 0 for none.
    pub packing: u64,
}

/// The largest object a program may declare.
pub const MAX_OBJECT: u64 = 1 << 40;

impl Types {
    /// `sizeof`, if the type is complete and its size is a constant.
    pub fn size_of(&self, ty: impl Into<QualType>) -> Option<u64> {
        let ty = ty.into();
        Some(match self.get(ty) {
            Type::Basic(b) => self.basic_size(*b),
            Type::Pointer(_) => self.model.pointer_bytes(),
            Type::Array(of, Length::Known(n)) => self.size_of(*of)?.checked_mul(*n)?,
            Type::Array(..) => return None,
            Type::Function(_) => 1,
            Type::Record(r) if self.record(*r).complete => self.record(*r).size,
            Type::Record(_) => return None,
            Type::Enum(e) => self.basic_size(self.enums[e.0 as usize].underlying?),
            Type::Vector(_, size) => *size,
        })
    }

    fn basic_size(&self, basic: Basic) -> u64 {
        let lp64 = self.model == DataModel::Lp64;
        match basic {
            Basic::Void | Basic::Bool | Basic::Char | Basic::SChar | Basic::UChar => 1,
            Basic::Short | Basic::UShort | Basic::Float16 => 2,
            Basic::Int | Basic::UInt | Basic::Float => 4,
            Basic::Long | Basic::ULong => self.model.pointer_bytes(),
            Basic::LongLong | Basic::ULongLong | Basic::Double | Basic::ComplexFloat => 8,
            Basic::LongDouble => {
                if lp64 {
                    16
                } else {
                    12
                }
            }
            Basic::ComplexLongDouble => {
                if lp64 {
                    32
                } else {
                    24
                }
            }
            _ => 16,
        }
    }

    /// `__alignof__`: the alignment of a variable of this type.
    pub fn align_of(&self, ty: impl Into<QualType>) -> u64 {
        let ty = ty.into();
        if ty.align > 0 {
            return 1 << (ty.align - 1);
        }
        let lp64 = self.model == DataModel::Lp64;
        let natural = match self.get(ty) {
            Type::Basic(b) => match b {
                Basic::LongDouble | Basic::ComplexLongDouble if !lp64 => 4,
                Basic::ComplexFloat => 4,
                Basic::ComplexDouble => 8,
                Basic::ComplexLongDouble => 16,
                _ => self.basic_size(*b),
            },
            Type::Pointer(_) => self.model.pointer_bytes(),
            Type::Array(of, _) => self.align_of(*of),
            Type::Function(_) => 1,
            Type::Record(r) => self.record(*r).align.max(1),
            Type::Enum(e) => {
                self.basic_size(self.enums[e.0 as usize].underlying.unwrap_or(Basic::Int))
            }
            Type::Vector(_, size) => *size,
        };
        if ty.is_atomic() {
            // An atomic object is aligned to its size, so that an access is one instruction.
            if let Some(size @ (1 | 2 | 4 | 8 | 16)) = self.size_of(ty) {
                return natural.max(size);
            }
        }
        natural
    }

    /// The alignment of a member of this type, before `packed` and `aligned`; also what `_Alignof` says.
    pub fn field_align(&self, ty: QualType) -> u64 {
        let align = self.align_of(ty);
        if ty.align > 0 || self.model == DataModel::Lp64 || align <= 4 {
            return align;
        }
        let mut element = ty;
        while let Type::Array(of, _) = self.get(element) {
            element = *of;
            if element.align > 0 {
                return align;
            }
        }
        if element.quals.has(Quals::ATOMIC) {
            return align;
        }
        match self.basic(element) {
            Some(Basic::Double | Basic::ComplexDouble) => 4,
            Some(b) if int_rank(b).is_some() => 4,
            _ => align,
        }
    }

    /// Gives every member its place; returns the fields, the size and the alignment, or `None` if the
    /// record would be too large or a member is incomplete.
    pub fn lay_out(
        &self,
        kind: RecordKind,
        members: Vec<Member>,
        request: RecordRequest,
    ) -> Option<(Vec<Field>, u64, u64)> {
        let mut fields: Vec<Field> = Vec::with_capacity(members.len());
        let mut bit: u64 = 0;
        let mut end: u64 = 0;
        let mut align: u64 = 1;
        // Bit-fields of the current memory location: index of the first field, first bit.
        let mut run: Option<(usize, u64)> = None;
        for member in members {
            if kind == RecordKind::Union {
                bit = 0;
                close_run(&mut fields, &mut run, end);
            }
            let packed = request.packed || member.packed;
            let mut type_align = self.field_align(member.field.ty);
            if packed {
                type_align = 1;
            }
            if member.align > 0 {
                type_align = if packed {
                    member.align
                } else {
                    type_align.max(member.align)
                };
            }
            if request.packing > 0 {
                type_align = type_align.min(request.packing);
            }
            let mut field = member.field;
            if let Some(width) = member.width {
                let unit = self.size_of(field.ty)? * 8;
                if width == 0 {
                    let boundary = self.field_align(field.ty).max(member.align) * 8;
                    close_run(&mut fields, &mut run, end);
                    bit = bit.checked_next_multiple_of(boundary)?;
                    end = end.max(bit);
                    continue;
                }
                let boundary = type_align * 8;
                if !packed && request.packing == 0 {
                    let spanned = (bit % boundary + u64::from(width)).div_ceil(boundary);
                    if spanned > (unit / boundary).max(1) {
                        bit = bit.checked_next_multiple_of(boundary)?;
                    }
                }
                if member.align > 0 {
                    bit = bit.checked_next_multiple_of(member.align * 8)?;
                }
                if field.name.is_some() {
                    // Under `#pragma pack`, `packed` does not matter for what a bit-field asks of the record.
                    let natural = self.field_align(field.ty).max(member.align);
                    let own = match request.packing {
                        0 => type_align,
                        packing => natural.min(packing),
                    };
                    align = align.max(own);
                }
                if run.is_none() {
                    run = Some((fields.len(), bit));
                }
                // The offset holds the bit until the location is known.
                field.offset = bit;
                field.bits = Some(Bits {
                    offset: 0,
                    width,
                    location: 0,
                });
                bit += u64::from(width);
                end = end.max(bit);
                fields.push(field);
                continue;
            }
            close_run(
                &mut fields,
                &mut run,
                if kind == RecordKind::Union { end } else { bit },
            );
            let size = match self.get(field.ty) {
                Type::Array(_, Length::Unknown) => 0,
                _ => self.size_of(field.ty)?,
            };
            let start = bit.div_ceil(8).checked_next_multiple_of(type_align)?;
            field.offset = start;
            align = align.max(type_align);
            bit = start.checked_add(size)?.checked_mul(8)?;
            end = end.max(bit);
            fields.push(field);
        }
        close_run(&mut fields, &mut run, end);
        align = align.max(request.align);
        let size = end.div_ceil(8).checked_next_multiple_of(align)?;
        if size > MAX_OBJECT {
            return None;
        }
        Some((fields, size, align))
    }
}

/// Ends a run of adjacent bit-fields: they share one memory location.
fn close_run(fields: &mut [Field], run: &mut Option<(usize, u64)>, end: u64) {
    let Some((first, start)) = run.take() else {
        return;
    };
    let base = start / 8;
    let last = fields[first..]
        .iter()
        .filter_map(|f| Some(f.offset + u64::from(f.bits?.width)))
        .max()
        .unwrap_or(end);
    let location = (last.div_ceil(8) - base) as u32;
    for field in &mut fields[first..] {
        if let Some(bits) = &mut field.bits {
            bits.offset = (field.offset - base * 8) as u32;
            bits.location = location;
            field.offset = base;
        }
    }
}
