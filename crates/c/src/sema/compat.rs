//! Compatible and composite types.

use super::Sema;
use crate::ast::{Basic, Quals};
use crate::types::*;

/// How deep two types are compared; beyond, they are taken to be compatible.
const MAX_DEPTH: u32 = 64;
/// How many parts of two types are compared.
const MAX_PARTS: u32 = 10_000;

impl Sema<'_> {
    /// Whether two types are compatible, qualifiers included.
    pub(super) fn compatible(&self, a: QualType, b: QualType) -> bool {
        self.compared.set(0);
        self.compatible_at(a, b, 0)
    }

    fn compatible_at(&self, a: QualType, b: QualType, depth: u32) -> bool {
        let ignored = Quals::RESTRICT;
        a.quals.without(ignored) == b.quals.without(ignored)
            && self.compatible_ids(a.id, b.id, depth)
    }

    pub(super) fn compatible_unqualified(&self, a: QualType, b: QualType) -> bool {
        self.compared.set(0);
        self.compatible_ids(a.id, b.id, 0)
    }

    fn compatible_ids(&self, a: TypeId, b: TypeId, depth: u32) -> bool {
        let parts = self.compared.get() + 1;
        self.compared.set(parts);
        if a == b || depth > MAX_DEPTH || parts > MAX_PARTS {
            return true;
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Pointer(x), Type::Pointer(y)) => self.compatible_at(*x, *y, depth + 1),
            (Type::Array(x, m), Type::Array(y, n)) => {
                let lengths = match (m, n) {
                    (Length::Known(m), Length::Known(n)) => m == n,
                    _ => true,
                };
                lengths && self.compatible_at(*x, *y, depth + 1)
            }
            (Type::Function(f), Type::Function(g)) => {
                if !self.compatible_at(f.ret, g.ret, depth + 1) {
                    return false;
                }
                match (f.prototype, g.prototype) {
                    (true, true) => {
                        f.variadic == g.variadic
                            && f.params.len() == g.params.len()
                            && f.params
                                .iter()
                                .zip(&g.params)
                                .all(|(x, y)| self.compatible_parameter(*x, *y, depth + 1))
                    }
                    _ => {
                        f.params.is_empty()
                            || g.params.is_empty()
                            || f.params.len() == g.params.len()
                    }
                }
            }
            (Type::Enum(_), Type::Basic(y)) => self.types.basic(a) == Some(*y),
            (Type::Basic(x), Type::Enum(_)) => self.types.basic(b) == Some(*x),
            (Type::Record(x), Type::Record(y)) => self.same_record(*x, *y),
            (Type::Enum(x), Type::Enum(y)) => {
                let (x, y) = (
                    &self.types.enums[x.0 as usize],
                    &self.types.enums[y.0 as usize],
                );
                x.unit != y.unit && x.tag == y.tag && x.underlying == y.underlying
            }
            (Type::Vector(_, m), Type::Vector(_, n)) => m == n,
            _ => false,
        }
    }

    /// Whether two units mean the same record: the same tag and the same members in the same places.
    fn same_record(&self, x: RecordId, y: RecordId) -> bool {
        let (x, y) = (self.types.record(x), self.types.record(y));
        if x.unit == y.unit || x.kind != y.kind || x.tag != y.tag {
            return false;
        }
        if !x.complete || !y.complete {
            return true;
        }
        x.size == y.size
            && x.fields.len() == y.fields.len()
            && x.fields.iter().zip(&y.fields).all(|(f, g)| {
                (f.name, f.offset, f.bits) == (g.name, g.offset, g.bits)
                    && self.types.size_of(f.ty) == self.types.size_of(g.ty)
            })
    }

    fn compatible_parameter(&self, a: QualType, b: QualType, depth: u32) -> bool {
        let transparent = |x: QualType, y: QualType| match self.types.get(x) {
            Type::Record(r) if self.types.record(*r).transparent => {
                let fields = &self.types.record(*r).fields;
                fields
                    .iter()
                    .any(|f| self.compatible_ids(f.ty.id, y.id, depth))
            }
            _ => false,
        };
        self.compatible_ids(a.id, b.id, depth) || transparent(a, b) || transparent(b, a)
    }

    /// The type two compatible declarations give together.
    pub(super) fn composite(&mut self, a: QualType, b: QualType) -> QualType {
        if a.id == b.id {
            return a;
        }
        match (self.types.get(a).clone(), self.types.get(b).clone()) {
            (Type::Array(x, m), Type::Array(y, n)) => {
                let of = self.composite(x, y);
                let length = if m == Length::Unknown { n } else { m };
                QualType {
                    quals: a.quals,
                    align: a.align.max(b.align),
                    ..self.types.array(of, length)
                }
            }
            (Type::Function(f), Type::Function(g)) => {
                if !f.prototype && (g.prototype || f.params.is_empty()) {
                    b
                } else {
                    a
                }
            }
            _ => a,
        }
    }

    /// The type an argument gets without a prototype.
    pub(super) fn default_promotion(&self, ty: QualType) -> QualType {
        match self.types.basic(ty) {
            Some(Basic::Float) => Basic::Double.into(),
            Some(basic) if int_rank(basic).is_some() => self.types.promote(basic).into(),
            _ => ty.unqualified(),
        }
    }
}
