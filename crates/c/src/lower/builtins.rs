//! The other builtins: intrinsics of the modelled library, bit counting, overflow checks, output.

use super::build::FunctionBuilder;
use super::memory_order::ChosenOrders;
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::*;
use raddle_ir as ir;
use std::rc::Rc;

impl FunctionBuilder<'_, '_, '_> {
    /// A builtin; yields its value, if it has one.
    pub fn builtin(
        &mut self,
        builtin: &Builtin,
        args: &[Expr],
        expr: &Expr,
    ) -> Result<Option<ir::Operand>> {
        match builtin {
            Builtin::AtomicLoad
            | Builtin::AtomicLoadGeneric
            | Builtin::AtomicStore
            | Builtin::AtomicStoreGeneric
            | Builtin::AtomicRmw(..)
            | Builtin::AtomicExchangeGeneric
            | Builtin::AtomicCas { .. }
            | Builtin::SyncCas(_)
            | Builtin::TestAndSet
            | Builtin::Clear => return self.atomic(builtin, args, expr),
            Builtin::Print(pieces) => {
                self.note_stdio();
                return self.print(pieces, args, expr).map(|()| None);
            }
            Builtin::Assume => {
                let cond = self.condition(&args[0])?;
                self.at = expr.span;
                self.emit(ir::Op::Assume { cond });
                return Ok(None);
            }
            _ => {}
        }
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.value(arg)?);
        }
        self.at = expr.span;
        match builtin {
            Builtin::VaStart => {
                let Some(cells) = self.varargs else {
                    return fail(expr.span, "`va_start` in a function with fixed arguments");
                };
                self.store_pointer(values[0], ir::Operand::Local(cells));
            }
            Builtin::VaEnd | Builtin::Nothing => {}
            Builtin::VaCopy => {
                let cells = self.load_pointer(values[1]);
                self.store_pointer(values[0], cells);
            }
            Builtin::Alloca => {
                return Ok(Some(self.alloc(ir::Memory::Stack, values[0], 16, false)));
            }
            Builtin::Malloc { zeroed, aligned } => {
                let (size, align) = if *aligned {
                    let align = match values[0] {
                        ir::Operand::Const { bits, .. } if (bits as u64).is_power_of_two() => {
                            bits as u64
                        }
                        _ => 16,
                    };
                    (values[1], align)
                } else {
                    (values[0], 16)
                };
                return Ok(Some(self.alloc(ir::Memory::Heap, size, align, *zeroed)));
            }
            Builtin::Free => self.emit(ir::Op::Free {
                memory: ir::Memory::Heap,
                addr: values[0],
            }),
            Builtin::ObjectSize => {
                let word = self.word();
                let dst = self.local(word);
                self.emit(ir::Op::ObjectSize {
                    dst,
                    addr: values[0],
                });
                return Ok(Some(ir::Operand::Local(dst)));
            }
            Builtin::Unreachable => self.stop(),
            Builtin::Trap => {
                self.sync(ir::SyncOp::Abort, Vec::new());
                self.stop();
            }
            Builtin::Overflow(op, stores) => {
                return self.overflow(*op, *stores, &values, args).map(Some);
            }
            Builtin::Pure(function) => return self.pure(*function, values, expr).map(Some),
            Builtin::Parity => {
                let ones = self.pure_op(ir::PureFn::Popcount, values[0]);
                let one = ir::Operand::int(self.type_of(ones), 1);
                return Ok(Some(self.binary(ir::BinaryOp::And, ones, one, false)));
            }
            Builtin::Ffs => {
                let ty = self.type_of(values[0]);
                let zeros = self.pure_op(ir::PureFn::Ctz, values[0]);
                let one = ir::Operand::int(ty, 1);
                let position = self.binary(ir::BinaryOp::Add, zeros, one, false);
                let cond = self.truth(values[0]);
                let b = self.zero(ty);
                let value = ir::Rvalue::Select {
                    ty,
                    cond,
                    a: position,
                    b,
                };
                return Ok(Some(self.compute(ty, value)));
            }
            Builtin::Clrsb => return Ok(Some(self.redundant_sign_bits(values[0]))),
            Builtin::Fence => {
                let orders = Orders::read(args.first());
                let orders = match orders.is_constant {
                    true => ChosenOrders::Constant(orders),
                    false => {
                        let number = self.resize(values[0], ir::Ty::I32, false);
                        ChosenOrders::Computed(number, None)
                    }
                };
                let order = ir::MemoryOrder::SeqCst;
                self.emit_ordered(orders, ir::Op::Fence { order });
            }
            Builtin::AtomicBegin(kind) => self.emit(ir::Op::AtomicBegin { kind: *kind }),
            Builtin::AtomicEnd => self.emit(ir::Op::AtomicEnd),
            Builtin::Sync(op) => {
                let result = self.sync(*op, values);
                if op.ends_thread() {
                    self.stop();
                }
                return Ok(result);
            }
            Builtin::Nondet => {
                let ty = self.scalar(expr.ty)?;
                let dst = self.local(ty);
                self.emit(ir::Op::Nondet { dst });
                let value = ir::Operand::Local(dst);
                if self.is_bool(expr.ty) {
                    let one = ir::Operand::int(ty, 1);
                    return Ok(Some(self.binary(ir::BinaryOp::And, value, one, false)));
                }
                return Ok(Some(value));
            }
            Builtin::Violation(property, message) => {
                let message = self.lower.program.intern(message);
                self.emit(ir::Op::Assert {
                    cond: ir::Operand::int(ir::Ty::I1, 0),
                    property: *property,
                    message,
                });
                // The error function of the verification tasks does not return.
                if *property == ir::Property::UnreachCall && !self.function.library {
                    self.sync(ir::SyncOp::Abort, Vec::new());
                    self.stop();
                }
            }
            Builtin::Unsupported(what) => self.end_unsupported(what),
            Builtin::PutChar => self.output(values[0], "%c", Some((ir::Ty::I32, values[1]))),
            Builtin::PutDouble(conversion) => {
                self.output(values[0], conversion, Some((ir::Ty::F64, values[1])));
            }
            Builtin::FormatFloat => {
                let rvalue = ir::Rvalue::Pure {
                    function: ir::PureFn::FormatFloat,
                    ty: ir::Ty::F64,
                    args: values,
                };
                return Ok(Some(self.compute(ir::Ty::I32, rvalue)));
            }
            _ => return refuse(expr.span, "this builtin is not supported"),
        }
        Ok(None)
    }

    /// Control does not go on here.
    pub(super) fn stop(&mut self) {
        self.terminate(ir::Terminator::Unreachable);
        let next = self.new_block();
        self.start(next);
    }

    fn alloc(
        &mut self,
        memory: ir::Memory,
        size: ir::Operand,
        align: u64,
        zeroed: bool,
    ) -> ir::Operand {
        let dst = self.local(ir::Ty::Ptr);
        self.emit(ir::Op::Alloc {
            dst,
            memory,
            size,
            align,
            zeroed,
        });
        ir::Operand::Local(dst)
    }

    pub fn sync(&mut self, op: ir::SyncOp, args: Vec<ir::Operand>) -> Option<ir::Operand> {
        let model = self.lower.model();
        let dst = op.result().map(|kind| self.local(kind.ty(model)));
        self.emit(ir::Op::Sync { dst, op, args });
        dst.map(ir::Operand::Local)
    }

    fn pure_op(&mut self, function: ir::PureFn, value: ir::Operand) -> ir::Operand {
        let ty = self.type_of(value);
        let args = vec![value];
        self.compute(function.result(ty), ir::Rvalue::Pure { function, ty, args })
    }

    fn pure(
        &mut self,
        function: ir::PureFn,
        args: Vec<ir::Operand>,
        expr: &Expr,
    ) -> Result<ir::Operand> {
        let Some(&first) = args.first() else {
            return fail(expr.span, "an argument is missing");
        };
        let ty = self.type_of(first);
        let result = function.result(ty);
        let value = self.compute(result, ir::Rvalue::Pure { function, ty, args });
        let wanted = self.scalar(expr.ty)?;
        Ok(if result.is_int() {
            self.resize(value, wanted, false)
        } else {
            value
        })
    }

    fn redundant_sign_bits(&mut self, value: ir::Operand) -> ir::Operand {
        let ty = self.type_of(value);
        let width = i128::from(ty.bits(self.lower.model()));
        let last = ir::Operand::int(ty, width - 1);
        let sign = self.binary(ir::BinaryOp::AShr, value, last, false);
        let a = self.binary(ir::BinaryOp::Xor, value, sign, false);
        let zeros = self.pure_op(ir::PureFn::Clz, a);
        let one = ir::Operand::int(ty, 1);
        let fewer = self.binary(ir::BinaryOp::Sub, zeros, one, false);
        let cond = self.truth(a);
        let select = ir::Rvalue::Select {
            ty,
            cond,
            a: fewer,
            b: last,
        };
        self.compute(ty, select)
    }

    /// Arithmetic in a type wide enough to be exact, then compared with what fits the target.
    fn overflow(
        &mut self,
        op: Arith,
        stores: bool,
        values: &[ir::Operand],
        args: &[Expr],
    ) -> Result<ir::Operand> {
        let model = self.lower.model();
        let target = if stores {
            match self.lower.sema.types.pointee(args[2].ty) {
                Some(to) => to,
                None => return fail(self.at, "the result of an overflow check needs a pointer"),
            }
        } else {
            args[2].ty
        };
        let narrow = self.scalar(target)?;
        let widest = values[..2]
            .iter()
            .map(|&v| self.type_of(v).bits(model))
            .chain([narrow.bits(model)])
            .max()
            .unwrap_or(64);
        let wide = match widest {
            0..=31 => ir::Ty::I64,
            32 => ir::Ty::I128,
            33..=64 => ir::Ty::I128,
            _ => {
                return refuse(
                    self.at,
                    "overflow checks on 128-bit integers are not supported",
                );
            }
        };
        let (a_signed, b_signed) = (self.is_signed(args[0].ty), self.is_signed(args[1].ty));
        let a = self.resize(values[0], wide, a_signed);
        let b = self.resize(values[1], wide, b_signed);
        let op = match op {
            Arith::Add => ir::BinaryOp::Add,
            Arith::Sub => ir::BinaryOp::Sub,
            _ => ir::BinaryOp::Mul,
        };
        let exact = self.binary(op, a, b, false);
        let stored = self.resize(exact, narrow, false);
        let back = self.resize(stored, wide, self.is_signed(target));
        let lost = self.compare(ir::CompareOp::Ne, exact, back);
        if stores {
            self.emit(ir::Op::Store {
                ty: narrow,
                addr: values[2],
                value: stored,
                access: ir::Access::PLAIN,
            });
        }
        Ok(self.resize(lost, ir::Ty::I8, false))
    }

    fn output(&mut self, stream: ir::Operand, format: &str, value: Option<(ir::Ty, ir::Operand)>) {
        let format = self.lower.program.intern(format);
        self.emit(ir::Op::Output {
            stream,
            format,
            value,
        });
    }

    fn print(&mut self, pieces: &Rc<[Piece]>, args: &[Expr], expr: &Expr) -> Result<()> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.value(arg)?);
        }
        self.at = expr.span;
        let stream = values[0];
        for piece in pieces.iter() {
            match piece {
                Piece::Text(text) => self.output(stream, text, None),
                Piece::Value(conversion, index) => {
                    let mut value = values[index + 1];
                    let mut ty = self.type_of(value);
                    if ty == ir::Ty::F80 {
                        value = self.cast_op(ir::CastKind::FloatToFloat, ir::Ty::F64, value);
                        ty = ir::Ty::F64;
                    }
                    self.output(stream, conversion, Some((ty, value)));
                }
                Piece::Str(index, limit) => self.print_string(stream, values[index + 1], *limit),
            }
        }
        Ok(())
    }

    /// Shows characters up to the end of a string.
    fn print_string(&mut self, stream: ir::Operand, string: ir::Operand, limit: Option<u64>) {
        let at = self.local(ir::Ty::Ptr);
        self.set(at, string);
        let count = self.local(ir::Ty::I64);
        self.set(count, ir::Operand::int(ir::Ty::I64, 0));
        let (head, body, end) = (self.new_block(), self.new_block(), self.new_block());
        self.goto(head);
        self.start(head);
        if let Some(limit) = limit {
            let more = self.new_block();
            let limit = ir::Operand::int(ir::Ty::I64, i128::from(limit));
            let cond = self.compare(ir::CompareOp::ULt, ir::Operand::Local(count), limit);
            self.terminate(ir::Terminator::Branch {
                cond,
                then: more,
                otherwise: end,
            });
            self.start(more);
        }
        let c = self.local(ir::Ty::I8);
        self.emit(ir::Op::Load {
            dst: c,
            ty: ir::Ty::I8,
            addr: ir::Operand::Local(at),
            access: ir::Access::PLAIN,
        });
        let cond = self.truth(ir::Operand::Local(c));
        self.terminate(ir::Terminator::Branch {
            cond,
            then: body,
            otherwise: end,
        });
        self.start(body);
        let wide = self.resize(ir::Operand::Local(c), ir::Ty::I32, false);
        self.output(stream, "%c", Some((ir::Ty::I32, wide)));
        let next = self.offset(ir::Operand::Local(at), 1);
        self.set(at, next);
        let one = ir::Operand::int(ir::Ty::I64, 1);
        let more = self.binary(ir::BinaryOp::Add, ir::Operand::Local(count), one, false);
        self.set(count, more);
        self.goto(head);
        self.start(end);
    }
}
