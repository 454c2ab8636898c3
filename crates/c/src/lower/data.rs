//! Initial contents of objects with static storage.

use super::Lower;
use crate::ast::Basic;
use crate::diagnostic::{Result, fail};
use crate::hir::*;
use crate::sema::{Base, Const, encode};
use crate::source::Span;
use crate::types::*;
use raddle_ir as ir;

/// How far into an object an initialiser may reach.
const MAX_IMAGE: u64 = 64 << 20;

impl Lower<'_, '_> {
    /// Fills in the contents of an object.
    pub(super) fn initialise(&mut self, id: ObjectId) -> Result<()> {
        let global = self.objects[&id];
        let object = &self.sema.objects[id.0 as usize];
        let at = object.span;
        let mut image = Image::default();
        let mut size = self.program.globals[global.0 as usize].size;
        if let Some(bytes) = object.bytes.clone() {
            image.write(0, &bytes);
        } else if let Some(init) = object.init.clone() {
            for entry in &init.entries {
                let end = self.static_entry(entry, 0, &mut image, at)?;
                // A flexible array member makes the object larger than its type.
                size = size.max(end);
            }
        }
        let global = &mut self.program.globals[global.0 as usize];
        global.size = size;
        global.init = image.pieces();
        Ok(())
    }

    fn static_entry(
        &mut self,
        entry: &InitEntry,
        base: u64,
        image: &mut Image,
        at: Span,
    ) -> Result<u64> {
        let offset = base + entry.offset;
        if offset > MAX_IMAGE {
            return fail(at, "an initialised object is too large");
        }
        let expr = match &entry.value {
            InitValue::Bytes(bytes) => {
                image.write(offset, bytes);
                return Ok(offset + bytes.len() as u64);
            }
            InitValue::Expr(expr) => expr,
        };
        if self.sema.types.is_record(entry.ty) {
            return self.record_entry(expr, entry, offset, image);
        }
        let Some(value) = self.sema.eval(expr) else {
            return fail(
                expr.span,
                "the initialiser of a static object must be constant",
            );
        };
        let size = self.size_of(entry.ty, expr.span)?;
        match value {
            Const::Int(value) => match entry.bits {
                Some(bits) => {
                    image.write_bits(offset, bits, value as u128);
                    return Ok(offset + u64::from(bits.location));
                }
                None => image.write(offset, &value.to_le_bytes()[..(size as usize).min(16)]),
            },
            Const::Float(value) => {
                let basic = self.sema.types.basic(entry.ty).unwrap_or(Basic::Double);
                self.scalar(entry.ty, expr.span)?;
                let bytes = encode(value, basic).to_le_bytes();
                image.write(offset, &bytes[..(size as usize).min(10)]);
            }
            Const::Address(base, addend) => {
                if size != self.model().pointer_bytes() || entry.bits.is_some() {
                    return fail(expr.span, "an address does not fit here");
                }
                let target = match base {
                    Base::Object(id) => ir::Target::Global(self.object(id)?),
                    Base::Function(id) => {
                        ir::Target::Function(self.function_address(id, expr.span)?)
                    }
                };
                image.write(offset, &vec![0; size as usize]);
                image.addresses.retain(|a| a.0 != offset);
                image.addresses.push((offset, target, addend));
            }
        }
        Ok(offset + size)
    }

    /// A record member initialised by a compound literal (gcc lets that pass for constant ones).
    fn record_entry(
        &mut self,
        expr: &Expr,
        entry: &InitEntry,
        offset: u64,
        image: &mut Image,
    ) -> Result<u64> {
        let size = self.size_of(entry.ty, expr.span)?;
        let init = match &expr.kind {
            Kind::Load(place) => match &place.kind {
                Kind::CompoundLiteral(_, init) => Some(init.clone()),
                Kind::Object(id) => self.sema.objects[id.0 as usize].init.clone(),
                _ => None,
            },
            _ => None,
        };
        let Some(init) = init else {
            return fail(
                expr.span,
                "the initialiser of a static object must be constant",
            );
        };
        image.write(offset, &vec![0; size as usize]);
        for inner in &init.entries {
            self.static_entry(inner, offset, image, expr.span)?;
        }
        Ok(offset + size)
    }
}

/// Bytes and addresses being collected.
#[derive(Default)]
struct Image {
    bytes: Vec<u8>,
    addresses: Vec<(u64, ir::Target, i64)>,
}

impl Image {
    fn grow(&mut self, end: u64) {
        if self.bytes.len() < end as usize {
            self.bytes.resize(end as usize, 0);
        }
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) {
        let end = offset + bytes.len() as u64;
        self.addresses.retain(|a| a.0 + 4 <= offset || a.0 >= end);
        // Zeros at the end need no room.
        if bytes.iter().all(|&b| b == 0) && offset as usize >= self.bytes.len() {
            return;
        }
        self.grow(end);
        self.bytes[offset as usize..end as usize].copy_from_slice(bytes);
    }

    fn write_bits(&mut self, offset: u64, bits: Bits, value: u128) {
        self.grow(offset + u64::from(bits.location));
        for i in 0..bits.width {
            let at = u64::from(bits.offset + i);
            let byte = &mut self.bytes[(offset + at / 8) as usize];
            let mask = 1 << (at % 8);
            if value >> i & 1 == 1 {
                *byte |= mask;
            } else {
                *byte &= !mask;
            }
        }
    }

    /// Runs of bytes that are not zero, and addresses, by ascending offset.
    fn pieces(mut self) -> Vec<ir::Init> {
        self.addresses.sort_by_key(|a| a.0);
        let mut out = Vec::new();
        let mut at = 0;
        let bytes = &self.bytes;
        let plain = |from: usize, to: usize, out: &mut Vec<ir::Init>| {
            let mut i = from;
            while i < to {
                if bytes[i] == 0 {
                    i += 1;
                    continue;
                }
                // A run ends where eight zeros follow.
                let mut end = i + 1;
                let mut zeros = 0;
                let mut j = end;
                while j < to && zeros < 8 {
                    if bytes[j] == 0 {
                        zeros += 1;
                    } else {
                        zeros = 0;
                        end = j + 1;
                    }
                    j += 1;
                }
                out.push(ir::Init {
                    offset: i as u64,
                    value: ir::InitValue::Bytes(bytes[i..end].to_vec()),
                });
                i = end;
            }
        };
        for &(offset, target, addend) in &self.addresses {
            plain(at, (offset as usize).min(bytes.len()).max(at), &mut out);
            out.push(ir::Init {
                offset,
                value: ir::InitValue::Address { target, addend },
            });
            at = (offset as usize + 4).min(bytes.len()).max(at);
            // The rest of a 64-bit address is zero in the image.
        }
        plain(at, bytes.len(), &mut out);
        out
    }
}
