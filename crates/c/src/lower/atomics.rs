//! Compound assignment, and the atomic builtins.
//!
//! `op=`, `++` and `--` on an `_Atomic` object are one read-modify-write if the IR has the operation, and a
//! compare-and-swap loop otherwise.

use super::build::FunctionBuilder;
use super::place::{Place, Spot};
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::*;
use crate::types::*;
use raddle_ir as ir;

impl FunctionBuilder<'_, '_, '_> {
    pub fn compound(&mut self, expr: &Expr) -> Result<ir::Operand> {
        let Kind::CompoundAssign {
            target,
            op,
            value,
            compute,
            element,
            post,
        } = &expr.kind
        else {
            return fail(expr.span, "this is not an assignment");
        };
        let place = self.place(target)?;
        let operand = self.value(value)?;
        self.at = expr.span;
        if place.ty.is_atomic() && matches!(place.spot, Spot::Memory(..)) && place.bits.is_none() {
            return self.atomic_compound(
                place,
                *op,
                operand,
                value.ty,
                *compute,
                element.as_ref(),
                *post,
            );
        }
        let mut old = self.load(place)?;
        if *post && matches!(place.spot, Spot::Local(_)) {
            let ty = self.type_of(old);
            old = self.compute(ty, ir::Rvalue::Use(old));
        }
        let new = self.updated(
            old,
            place.ty,
            *op,
            operand,
            value.ty,
            *compute,
            element.as_ref(),
        )?;
        self.store(place, new)?;
        if *post {
            Ok(old)
        } else {
            self.truncate_to_field(place, new)
        }
    }

    /// The value of `old op operand`, in the type of the object.
    #[allow(clippy::too_many_arguments)]
    fn updated(
        &mut self,
        old: ir::Operand,
        ty: QualType,
        op: Arith,
        operand: ir::Operand,
        operand_ty: QualType,
        compute: QualType,
        element: Option<&Size>,
    ) -> Result<ir::Operand> {
        if let Some(element) = element {
            return Ok(self.pointer_add(old, operand, op == Arith::Sub, element));
        }
        let left = self.convert(old, ty, compute)?;
        let result = self.arith(op, left, operand, compute, operand_ty)?;
        self.convert(result, compute, ty)
    }

    #[allow(clippy::too_many_arguments)]
    fn atomic_compound(
        &mut self,
        place: Place,
        op: Arith,
        operand: ir::Operand,
        operand_ty: QualType,
        compute: QualType,
        element: Option<&Size>,
        post: bool,
    ) -> Result<ir::Operand> {
        let ty = self.scalar(place.ty)?;
        let addr = self.address(place)?;
        let ordering = ir::Ordering::SEQ_CST;
        let rmw = match op {
            Arith::Add => Some(ir::RmwOp::Add),
            Arith::Sub => Some(ir::RmwOp::Sub),
            Arith::And => Some(ir::RmwOp::And),
            Arith::Or => Some(ir::RmwOp::Or),
            Arith::Xor => Some(ir::RmwOp::Xor),
            _ => None,
        };
        let integer =
            ty.is_int() && !self.is_bool(place.ty) && self.lower.sema.types.is_integer(compute);
        if let Some(rmw) = rmw.filter(|_| integer || element.is_some()) {
            let value = match element {
                Some(Size::Const(1)) => operand,
                Some(size) => {
                    let size = self.size(size);
                    self.binary(ir::BinaryOp::Mul, operand, size, false)
                }
                None => self.resize(operand, ty, self.is_signed(compute)),
            };
            let old = self.local(ty);
            self.emit(ir::Op::Rmw {
                dst: Some(old),
                op: rmw,
                ty,
                addr,
                value,
                ordering,
            });
            if post {
                return Ok(ir::Operand::Local(old));
            }
            return Ok(self.after(rmw, ir::Operand::Local(old), value));
        }
        let old = self.local(ty);
        let access = ir::Access::ATOMIC;
        self.emit(ir::Op::Load {
            dst: old,
            ty,
            addr,
            access,
        });
        let (head, end) = (self.new_block(), self.new_block());
        self.goto(head);
        self.start(head);
        let kept = self.compute(ty, ir::Rvalue::Use(ir::Operand::Local(old)));
        let plain = place.ty.unqualified();
        let new = self.updated(kept, plain, op, operand, operand_ty, compute, element)?;
        let ok = self.local(ir::Ty::I1);
        self.emit(ir::Op::Cas {
            old: Some(old),
            ok: Some(ok),
            ty,
            addr,
            expected: kept,
            desired: new,
            weak: false,
            ordering,
            failure: ir::MemoryOrder::SeqCst,
        });
        self.terminate(ir::Terminator::Branch {
            cond: ir::Operand::Local(ok),
            then: end,
            otherwise: head,
        });
        self.start(end);
        Ok(if post { kept } else { new })
    }

    /// The value after a read-modify-write, from the value before.
    fn after(&mut self, op: ir::RmwOp, old: ir::Operand, value: ir::Operand) -> ir::Operand {
        if self.type_of(old) == ir::Ty::Ptr {
            let negative = op == ir::RmwOp::Sub;
            return match op {
                ir::RmwOp::Exchange => value,
                _ => self.pointer_add(old, value, negative, &Size::Const(1)),
            };
        }
        let plain = match op {
            ir::RmwOp::Exchange => return value,
            ir::RmwOp::Add => ir::BinaryOp::Add,
            ir::RmwOp::Sub => ir::BinaryOp::Sub,
            ir::RmwOp::And | ir::RmwOp::Nand => ir::BinaryOp::And,
            ir::RmwOp::Or => ir::BinaryOp::Or,
            ir::RmwOp::Xor => ir::BinaryOp::Xor,
        };
        let result = self.binary(plain, old, value, false);
        if op == ir::RmwOp::Nand {
            let ty = self.type_of(result);
            let op = ir::UnaryOp::Not;
            return self.compute(
                ty,
                ir::Rvalue::Unary {
                    op,
                    ty,
                    a: result,
                    checked: false,
                },
            );
        }
        result
    }

    /// The scalar an atomic access of this type is made with.
    fn atomic_scalar(&mut self, pointer: &Expr) -> Result<ir::Ty> {
        let to = self.lower.sema.types.pointee(pointer.ty);
        let Some(to) = to.filter(|t| !self.lower.sema.types.is_void(*t)) else {
            return Ok(ir::Ty::I8);
        };
        if !self.is_record(to) {
            return self.scalar(to);
        }
        self.record_scalar(to)
    }

    /// One of the atomic builtins; the last argument is the memory order.
    pub fn atomic(
        &mut self,
        builtin: &Builtin,
        args: &[Expr],
        expr: &Expr,
    ) -> Result<Option<ir::Operand>> {
        let (Some(last), Some(first)) = (args.last(), args.first()) else {
            return fail(expr.span, "an argument is missing");
        };
        // A placeholder, until it is known which.
        let ordering = ir::Ordering::SEQ_CST;
        let failure = ir::MemoryOrder::SeqCst;
        let ty = match builtin {
            Builtin::TestAndSet | Builtin::Clear => ir::Ty::I8,
            _ => self.atomic_scalar(first)?,
        };
        let mut operands = Vec::new();
        for arg in &args[..args.len() - 1] {
            operands.push(self.value(arg)?);
        }
        let compares = matches!(builtin, Builtin::AtomicCas { .. });
        let orders = self.chosen_orders(Some(last), compares)?;
        self.at = expr.span;
        let addr = operands[0];
        let access = ir::Access {
            ordering,
            bits: None,
            keeps: 0,
        };
        let dst = self.local(ty);
        match builtin {
            Builtin::AtomicLoad => self.emit_ordered(
                orders,
                ir::Op::Load {
                    dst,
                    ty,
                    addr,
                    access,
                },
            ),
            Builtin::AtomicLoadGeneric => {
                self.emit_ordered(
                    orders,
                    ir::Op::Load {
                        dst,
                        ty,
                        addr,
                        access,
                    },
                );
                self.plain_store(ty, operands[1], ir::Operand::Local(dst));
            }
            Builtin::AtomicStore | Builtin::AtomicStoreGeneric => {
                let value = match builtin {
                    Builtin::AtomicStore => operands[1],
                    _ => self.plain_load(ty, operands[1]),
                };
                self.emit_ordered(
                    orders,
                    ir::Op::Store {
                        ty,
                        addr,
                        value,
                        access,
                    },
                );
                return Ok(None);
            }
            Builtin::AtomicRmw(op, new) => {
                let value = operands[1];
                let dst = Some(dst);
                self.emit_ordered(
                    orders,
                    ir::Op::Rmw {
                        dst,
                        op: *op,
                        ty,
                        addr,
                        value,
                        ordering,
                    },
                );
                if *new && let Some(old) = dst {
                    return Ok(Some(self.after(*op, ir::Operand::Local(old), value)));
                }
            }
            Builtin::AtomicExchangeGeneric => {
                let value = self.plain_load(ty, operands[1]);
                let op = ir::RmwOp::Exchange;
                self.emit_ordered(
                    orders,
                    ir::Op::Rmw {
                        dst: Some(dst),
                        op,
                        ty,
                        addr,
                        value,
                        ordering,
                    },
                );
                self.plain_store(ty, operands[2], ir::Operand::Local(dst));
            }
            Builtin::AtomicCas { weak, by_pointer } => {
                let expected = self.plain_load(ty, operands[1]);
                let desired = if *by_pointer {
                    self.plain_load(ty, operands[2])
                } else {
                    operands[2]
                };
                let ok = self.local(ir::Ty::I1);
                self.emit_ordered(
                    orders,
                    ir::Op::Cas {
                        old: Some(dst),
                        ok: Some(ok),
                        ty,
                        addr,
                        expected,
                        desired,
                        weak: *weak,
                        ordering,
                        failure,
                    },
                );
                let (failed, end) = (self.new_block(), self.new_block());
                self.terminate(ir::Terminator::Branch {
                    cond: ir::Operand::Local(ok),
                    then: end,
                    otherwise: failed,
                });
                self.start(failed);
                self.plain_store(ty, operands[1], ir::Operand::Local(dst));
                self.goto(end);
                self.start(end);
                return Ok(Some(self.resize(ir::Operand::Local(ok), ir::Ty::I8, false)));
            }
            Builtin::SyncCas(report) => {
                let ok = self.local(ir::Ty::I1);
                self.emit_ordered(
                    orders,
                    ir::Op::Cas {
                        old: Some(dst),
                        ok: Some(ok),
                        ty,
                        addr,
                        expected: operands[1],
                        desired: operands[2],
                        weak: false,
                        ordering,
                        failure,
                    },
                );
                if *report {
                    return Ok(Some(self.resize(ir::Operand::Local(ok), ir::Ty::I8, false)));
                }
            }
            Builtin::TestAndSet => {
                let value = ir::Operand::int(ty, 1);
                let op = ir::RmwOp::Exchange;
                self.emit_ordered(
                    orders,
                    ir::Op::Rmw {
                        dst: Some(dst),
                        op,
                        ty,
                        addr,
                        value,
                        ordering,
                    },
                );
                let set = self.truth(ir::Operand::Local(dst));
                return Ok(Some(self.resize(set, ir::Ty::I8, false)));
            }
            Builtin::Clear => {
                let value = self.zero(ty);
                self.emit_ordered(
                    orders,
                    ir::Op::Store {
                        ty,
                        addr,
                        value,
                        access,
                    },
                );
                return Ok(None);
            }
            _ => return fail(expr.span, "this is not an atomic operation"),
        }
        Ok(Some(ir::Operand::Local(dst)))
    }

    /// The integer type as wide as an atomic record.
    fn record_scalar(&self, ty: QualType) -> Result<ir::Ty> {
        let size = self.lower.size_of(ty, self.at)?;
        match ir::Ty::int_of_bits((size * 8).min(1024) as u32).filter(|_| size > 0) {
            Some(ty) => Ok(ty),
            None => refuse(self.at, "an atomic access of this size is not supported"),
        }
    }

    /// Reads an `_Atomic` record in one access; yields the address of a copy.
    pub fn load_atomic_record(&mut self, place: Place) -> Result<ir::Operand> {
        let ty = self.record_scalar(place.ty)?;
        let addr = self.address(place)?;
        let dst = self.local(ty);
        let access = ir::Access::ATOMIC;
        self.emit(ir::Op::Load {
            dst,
            ty,
            addr,
            access,
        });
        let copy = self.record_temporary(place.ty)?;
        self.plain_store(ty, copy, ir::Operand::Local(dst));
        Ok(copy)
    }

    /// Writes an `_Atomic` record in one access.
    pub fn store_atomic_record(&mut self, place: Place, from: ir::Operand) -> Result<()> {
        let ty = self.record_scalar(place.ty)?;
        let addr = self.address(place)?;
        let value = self.plain_load(ty, from);
        let access = ir::Access::ATOMIC;
        self.emit(ir::Op::Store {
            ty,
            addr,
            value,
            access,
        });
        Ok(())
    }

    fn plain_load(&mut self, ty: ir::Ty, addr: ir::Operand) -> ir::Operand {
        let dst = self.local(ty);
        self.emit(ir::Op::Load {
            dst,
            ty,
            addr,
            access: ir::Access::PLAIN,
        });
        ir::Operand::Local(dst)
    }

    fn plain_store(&mut self, ty: ir::Ty, addr: ir::Operand, value: ir::Operand) {
        self.emit(ir::Op::Store {
            ty,
            addr,
            value,
            access: ir::Access::PLAIN,
        });
    }
}
