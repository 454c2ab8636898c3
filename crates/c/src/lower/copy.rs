//! Copies, zeros and initial values of aggregates, scalar by scalar.
//!
//! Arrays of more than a few elements are handled by a loop. A union is copied word by word; the words are
//! pointers if it holds any, so that what they point to is not forgotten.

use super::build::FunctionBuilder;
use super::place::{Place, Spot};
use crate::ast::{Basic, Quals, RecordKind};
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::*;
use crate::types::*;
use raddle_ir as ir;

/// How many scalars one copy may touch outside of loops.
const MAX_SCALARS: u64 = 1 << 16;
/// Arrays up to this length are unrolled.
const UNROLLED: u64 = 8;

/// What is done with every scalar: its offset, its type, and a dynamic number of bytes to add.
type Visit<'v, B> = &'v mut dyn FnMut(&mut B, u64, ir::Ty, Option<ir::Operand>);

/// A part of an aggregate that is accessed as one scalar.
#[derive(Copy, Clone)]
struct Chunk {
    offset: u64,
    ty: ir::Ty,
}

impl FunctionBuilder<'_, '_, '_> {
    /// Copies an object of a complete type.
    pub fn copy(
        &mut self,
        to: ir::Operand,
        from: ir::Operand,
        to_ty: QualType,
        from_ty: QualType,
    ) -> Result<()> {
        let orders = (
            self.ordering(to_ty.quals.without(Quals::ATOMIC)),
            self.ordering(from_ty.quals.without(Quals::ATOMIC)),
        );
        self.each(to_ty.unqualified(), &[], &mut |b, offset, ty, index| {
            let source = b.indexed(from, offset, index);
            let target = b.indexed(to, offset, index);
            let dst = b.local(ty);
            let access = ir::Access {
                ordering: orders.1,
                bits: None,
                keeps: 0,
            };
            b.emit(ir::Op::Load {
                dst,
                ty,
                addr: source,
                access,
            });
            let access = ir::Access {
                ordering: orders.0,
                bits: None,
                keeps: 0,
            };
            b.emit(ir::Op::Store {
                ty,
                addr: target,
                value: ir::Operand::Local(dst),
                access,
            });
        })
    }

    /// Zeroes an object except where it is about to be written anyway.
    fn zero_object(&mut self, to: ir::Operand, ty: QualType, covered: &[(u64, u64)]) -> Result<()> {
        self.each(ty.unqualified(), covered, &mut |b, offset, ty, index| {
            let addr = b.indexed(to, offset, index);
            let value = b.zero(ty);
            let access = ir::Access::PLAIN;
            b.emit(ir::Op::Store {
                ty,
                addr,
                value,
                access,
            });
        })
    }

    /// `base + offset`, plus a dynamic number of bytes.
    fn indexed(
        &mut self,
        base: ir::Operand,
        offset: u64,
        index: Option<ir::Operand>,
    ) -> ir::Operand {
        match index {
            None => self.offset(base, offset as i64),
            Some(index) => self.compute(
                ir::Ty::Ptr,
                ir::Rvalue::PtrAdd {
                    base,
                    index,
                    scale: 1,
                    offset: offset as i64,
                },
            ),
        }
    }

    /// Visits every scalar of a type: its offset, its type, and a dynamic number of bytes to add.
    fn each(&mut self, ty: QualType, covered: &[(u64, u64)], visit: Visit<'_, Self>) -> Result<()> {
        self.visited = 0;
        self.each_at(ty, 0, None, covered, visit)
    }

    /// Counts the scalars visited since a limit was set.
    fn spend(&mut self) -> Result<()> {
        self.visited += 1;
        if self.visited > MAX_SCALARS {
            return fail(
                self.at,
                "the object has too many members to be handled one by one",
            );
        }
        Ok(())
    }

    fn each_at(
        &mut self,
        ty: QualType,
        offset: u64,
        index: Option<ir::Operand>,
        covered: &[(u64, u64)],
        visit: Visit<'_, Self>,
    ) -> Result<()> {
        let size = match self.lower.sema.types.size_of(ty) {
            Some(size) => size,
            // A flexible array member is not part of the value.
            None => return Ok(()),
        };
        if size == 0 || index.is_none() && is_covered(covered, offset, size) {
            return Ok(());
        }
        self.spend()?;
        match self.lower.sema.types.get(ty).clone() {
            Type::Array(of, Length::Known(count)) => {
                let element = self.lower.size_of(of, self.at)?;
                if count <= UNROLLED {
                    for i in 0..count {
                        self.each_at(of, offset + i * element, index, covered, visit)?;
                    }
                    return Ok(());
                }
                self.each_in_loop(of, element, count, offset, index, visit)
            }
            Type::Vector(of, bytes) => {
                let element = self.lower.size_of(of, self.at)?;
                for at in (0..bytes).step_by(element.max(1) as usize) {
                    self.each_at(of, offset + at, index, covered, visit)?;
                }
                Ok(())
            }
            Type::Record(r) => {
                let record = self.lower.sema.types.record(r).clone();
                if record.kind == RecordKind::Union {
                    let pointers = self.has_pointer(ty);
                    if size > MAX_SCALARS {
                        return fail(self.at, "the union is too large to be copied");
                    }
                    for chunk in self.chunks(size, pointers) {
                        visit(self, offset + chunk.offset, chunk.ty, index);
                    }
                    return Ok(());
                }
                let mut location = None;
                for field in &record.fields {
                    match field.bits {
                        None => {
                            self.each_at(field.ty, offset + field.offset, index, covered, visit)?
                        }
                        Some(bits) => {
                            // All bit-fields of a memory location at once.
                            if location != Some(field.offset) {
                                location = Some(field.offset);
                                for chunk in self.chunks(u64::from(bits.location), false) {
                                    visit(
                                        self,
                                        offset + field.offset + chunk.offset,
                                        chunk.ty,
                                        index,
                                    );
                                }
                            }
                        }
                    }
                }
                Ok(())
            }
            Type::Array(..) => Ok(()),
            _ => {
                let ty = self.scalar(ty)?;
                visit(self, offset, ty, index);
                Ok(())
            }
        }
    }

    fn each_in_loop(
        &mut self,
        of: QualType,
        element: u64,
        count: u64,
        offset: u64,
        index: Option<ir::Operand>,
        visit: Visit<'_, Self>,
    ) -> Result<()> {
        let word = self.word();
        let counter = self.local(word);
        let first = index.unwrap_or(self.word_const(0));
        self.set(counter, first);
        let length = self.word_const(i128::from(element) * i128::from(count));
        let end = self.binary(ir::BinaryOp::Add, first, length, false);
        let (head, after) = (self.new_block(), self.new_block());
        self.goto(head);
        self.start(head);
        self.each_at(of, offset, Some(ir::Operand::Local(counter)), &[], visit)?;
        let step = self.word_const(i128::from(element));
        let next = self.binary(ir::BinaryOp::Add, ir::Operand::Local(counter), step, false);
        self.set(counter, next);
        let cond = self.compare(ir::CompareOp::ULt, next, end);
        self.terminate(ir::Terminator::Branch {
            cond,
            then: head,
            otherwise: after,
        });
        self.start(after);
        Ok(())
    }

    fn has_pointer(&mut self, ty: QualType) -> bool {
        if let Some(&known) = self.lower.pointers.get(&ty.id) {
            return known;
        }
        let found = match self.lower.sema.types.get(ty).clone() {
            Type::Pointer(_) => true,
            Type::Array(of, _) => self.has_pointer(of),
            Type::Record(r) => {
                let fields = self.lower.sema.types.record(r).fields.clone();
                fields.iter().any(|f| self.has_pointer(f.ty))
            }
            _ => false,
        };
        self.lower.pointers.insert(ty.id, found);
        found
    }

    /// A number of bytes as scalars, the widest first.
    fn chunks(&self, size: u64, pointers: bool) -> Vec<Chunk> {
        let word = self.lower.model().pointer_bytes();
        let mut list = Vec::new();
        let mut offset = 0;
        while offset < size {
            let rest = size - offset;
            let (ty, width) = match rest {
                _ if pointers && rest >= word && offset % word == 0 => (ir::Ty::Ptr, word),
                8.. if word == 8 => (ir::Ty::I64, 8),
                4.. => (ir::Ty::I32, 4),
                2.. => (ir::Ty::I16, 2),
                _ => (ir::Ty::I8, 1),
            };
            list.push(Chunk { offset, ty });
            offset += width;
        }
        list
    }

    /// Gives an object its initial value.
    pub fn initialise(&mut self, place: Place, init: &Init) -> Result<()> {
        let at = self.at;
        let (base, offset) = match place.spot {
            Spot::Memory(base, offset) => (base, offset),
            Spot::Local(local) => {
                let ty = self.scalar(place.ty)?;
                let value = match init.entries.last().map(|e| &e.value) {
                    Some(InitValue::Expr(expr)) => self.value(expr)?,
                    _ => self.zero(ty),
                };
                self.at = at;
                self.set(local, value);
                return Ok(());
            }
        };
        let target = self.offset(base, offset);
        if init.zero_rest {
            let mut covered: Vec<(u64, u64)> = Vec::new();
            for entry in init.entries.iter().filter(|e| e.bits.is_none()) {
                let size = match &entry.value {
                    InitValue::Bytes(bytes) => bytes.len() as u64,
                    InitValue::Expr(_) => self.lower.sema.types.size_of(entry.ty).unwrap_or(0),
                };
                covered.push((entry.offset, entry.offset + size));
            }
            covered.sort_unstable();
            let mut merged: Vec<(u64, u64)> = Vec::new();
            for (start, end) in covered {
                match merged.last_mut() {
                    Some(last) if last.1 >= start => last.1 = last.1.max(end),
                    _ => merged.push((start, end)),
                }
            }
            self.zero_object(target, place.ty, &merged)?;
        }
        for entry in &init.entries {
            match &entry.value {
                InitValue::Expr(expr) if self.is_record(entry.ty) => {
                    let from = self.record(expr)?;
                    self.at = at;
                    let to = self.offset(target, entry.offset as i64);
                    self.copy(to, from, entry.ty.unqualified(), expr.ty)?;
                }
                InitValue::Expr(expr) => {
                    let value = self.value(expr)?;
                    self.at = expr.span;
                    // The initialisation of an object is not an atomic access, whatever its type.
                    let ty = entry.ty.unqualified();
                    self.store(
                        Place {
                            spot: Spot::Memory(target, entry.offset as i64),
                            ty,
                            bits: entry.bits,
                            neighbours: 0,
                        },
                        value,
                    )?;
                }
                InitValue::Bytes(bytes) => self.store_bytes(target, entry, bytes)?,
            }
        }
        self.at = at;
        Ok(())
    }

    fn store_bytes(&mut self, target: ir::Operand, entry: &InitEntry, bytes: &[u8]) -> Result<()> {
        if bytes.len() > 4096 {
            return refuse(
                self.at,
                "a local array with such a long string is not supported",
            );
        }
        let width = match self.lower.sema.types.get(entry.ty) {
            Type::Array(of, _) => self.lower.sema.types.size_of(*of).unwrap_or(1),
            _ => 1,
        };
        let ty = ir::Ty::int_of_bits(width as u32 * 8).unwrap_or(ir::Ty::I8);
        for (i, unit) in bytes.chunks(width as usize).enumerate() {
            let mut wide = [0u8; 16];
            wide[..unit.len()].copy_from_slice(unit);
            let addr = self.offset(target, entry.offset as i64 + (i as u64 * width) as i64);
            self.emit(ir::Op::Store {
                ty,
                addr,
                value: ir::Operand::Const {
                    ty,
                    bits: u128::from_le_bytes(wide),
                },
                access: ir::Access::PLAIN,
            });
        }
        Ok(())
    }

    /// Makes a variable indeterminate.
    pub fn havoc(&mut self, place: Place) {
        if let Spot::Local(dst) = place.spot {
            self.emit(ir::Op::Havoc { dst });
        }
    }

    /// Whether a type is the boolean type.
    pub fn is_bool(&self, ty: QualType) -> bool {
        self.lower.sema.types.basic(ty) == Some(Basic::Bool)
    }
}

fn is_covered(covered: &[(u64, u64)], offset: u64, size: u64) -> bool {
    let index = covered.partition_point(|c| c.0 <= offset);
    index > 0 && covered[index - 1].1 >= offset + size
}
