//! C types for display.

use super::Lower;
use crate::ast::RecordKind;
use crate::types::*;
use raddle_ir as ir;

/// How deep a type is described; below, it is `void`.
const DEPTH: u32 = 32;

impl Lower<'_, '_> {
    pub(super) fn debug_type(&mut self, ty: TypeId) -> ir::TypeId {
        self.debug_at(ty, 0)
    }

    fn debug_at(&mut self, ty: TypeId, depth: u32) -> ir::TypeId {
        if let Some(&found) = self.types.get(&ty) {
            return found;
        }
        let id = ir::TypeId(self.program.types.len() as u32);
        self.program.types.push(ir::DebugType::Void);
        self.types.insert(ty, id);
        if depth > DEPTH {
            return id;
        }
        let size = self.sema.types.size_of(ty).unwrap_or(0);
        let name = self.sema.show(ty.into());
        let made = match self.sema.types.get(ty).clone() {
            Type::Basic(b) if int_rank(b).is_some() => ir::DebugType::Int {
                name,
                size,
                signed: is_signed(b),
            },
            Type::Basic(b) if is_float(b) => ir::DebugType::Float { name, size },
            Type::Basic(_) => ir::DebugType::Void,
            Type::Pointer(to) => ir::DebugType::Pointer {
                to: self.debug_at(to.id, depth + 1),
            },
            Type::Array(of, length) => ir::DebugType::Array {
                of: self.debug_at(of.id, depth + 1),
                count: match length {
                    Length::Known(n) => n,
                    _ => 0,
                },
            },
            Type::Vector(of, bytes) => ir::DebugType::Array {
                of: self.debug_at(of.id, depth + 1),
                count: bytes / self.sema.types.size_of(of).unwrap_or(1).max(1),
            },
            Type::Function(_) => ir::DebugType::Function { name },
            Type::Enum(e) => {
                let constants = self.sema.types.enums[e.0 as usize].constants.clone();
                let constants = constants.into_iter().map(|(name, value)| ir::EnumConstant {
                    name: self.sema.names.name(name).to_string(),
                    value: value as i64,
                });
                ir::DebugType::Enum {
                    name,
                    size,
                    constants: constants.collect(),
                }
            }
            Type::Record(r) => {
                let record = self.sema.types.record(r).clone();
                let mut fields = Vec::with_capacity(record.fields.len());
                for field in &record.fields {
                    let name = field.name.map(|n| self.sema.names.name(n).to_string());
                    fields.push(ir::Field {
                        name: name.unwrap_or_default(),
                        offset: field.offset,
                        ty: self.debug_at(field.ty.id, depth + 1),
                        bits: field.bits.map(|b| (b.offset, b.width)),
                    });
                }
                ir::DebugType::Record {
                    name,
                    union: record.kind == RecordKind::Union,
                    size: record.size,
                    fields,
                }
            }
        };
        self.program.types[id.0 as usize] = made;
        id
    }
}
