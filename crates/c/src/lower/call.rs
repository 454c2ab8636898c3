//! Calls, variadic arguments.

use super::build::FunctionBuilder;
use super::place::{Place, Spot};
use crate::diagnostic::{Result, fail};
use crate::hir::*;
use crate::types::{QualType, Type};
use raddle_ir as ir;

impl FunctionBuilder<'_, '_, '_> {
    /// A call; yields its scalar result, or the address of its record result.
    pub fn call(&mut self, expr: &Expr) -> Result<Option<ir::Operand>> {
        let Kind::Call {
            callee,
            args,
            named,
        } = &expr.kind
        else {
            return fail(expr.span, "this is not a call");
        };
        let types = &self.lower.sema.types;
        let ty = types.function_type(callee.ty).or_else(|| {
            let to = types.pointee(callee.ty)?;
            types.function_type(to)
        });
        let Some(ty) = ty else {
            return fail(expr.span, "what is called is not a function");
        };
        let direct = match callee.kind {
            Kind::Function(id) => {
                let linkage = &self.lower.sema.functions[id.0 as usize].linkage;
                self.lower.usable(linkage, expr.span)?;
                Some(self.lower.sema.resolve_alias(id))
            }
            _ => None,
        };
        if let Some(jump) = self.jump_of(direct) {
            return self.call_jump(jump, args, expr);
        }
        let pointer = match direct {
            Some(_) => None,
            None => Some(self.value(callee)?),
        };
        let mut operands = Vec::with_capacity(args.len() + 2);
        let mut result = None;
        if self.is_record(ty.ret) {
            self.at = expr.span;
            let temporary = self.record_temporary(ty.ret)?;
            operands.push(temporary);
            result = Some(temporary);
        }
        // A definition that is variadic takes its extra arguments in memory, even if this unit does not know.
        let (variadic, named) = match direct {
            Some(id) => {
                let function = &self.lower.sema.functions[id.0 as usize];
                let definition = function.definition_ty.unwrap_or(function.ty);
                match self.lower.sema.types.function_type(definition) {
                    Some(d) if d.variadic => (true, d.params.len().min(args.len())),
                    _ => (ty.variadic, *named),
                }
            }
            None => (ty.variadic, *named),
        };
        let mut values = Vec::with_capacity(args.len());
        let mut given = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            if self.is_record(arg.ty) {
                let from = self.record(arg)?;
                self.at = arg.span;
                if let Some(ty) = self.transparent_member(direct, index, arg) {
                    values.push(self.load(Place {
                        spot: Spot::Memory(from, 0),
                        ty,
                        bits: None,
                        neighbours: 0,
                    })?);
                    continue;
                }
                let slot = self.record_passing(arg.ty)?;
                let to = ir::Operand::Slot {
                    id: slot,
                    offset: 0,
                };
                self.copy(to, from, arg.ty.unqualified(), arg.ty)?;
                let name = direct.and_then(|id| self.lower.sema.parameter_name(id, index));
                let debug = self.lower.debug_type(arg.ty.id);
                let made = &mut self.function.slots[slot.0 as usize];
                made.name = name.unwrap_or_default().to_string();
                made.debug = Some(debug);
                values.push(to);
                given.push(slot);
            } else {
                values.push(self.value(arg)?);
            }
        }
        self.at = expr.span;
        values.extend(self.cleanup_handler(direct)?);
        self.look_at_callee(direct, args, &values)?;
        if let Some(result) = self.by_pieces(direct, args, &values) {
            return Ok(Some(result));
        }
        let extra = if variadic && values.len() > named {
            self.extra_arguments(&args[named..], &values[named..])?
        } else {
            ir::Operand::NULL
        };
        if variadic {
            values.truncate(named);
        }
        operands.extend(values);
        let dst = if result.is_none() && !self.lower.sema.types.is_void(ty.ret) {
            let ret = self.scalar(ty.ret)?;
            Some(self.local(ret))
        } else {
            None
        };
        match direct {
            Some(id) => self.direct_call(id, operands, variadic.then_some(extra), dst, expr)?,
            None => {
                if variadic {
                    operands.push(extra);
                }
                let Some(callee) = pointer else {
                    return fail(expr.span, "what is called is not a function");
                };
                self.emit(ir::Op::Call {
                    dst,
                    callee,
                    args: operands,
                });
            }
        }
        // Parameters end with the call; scalars have places of their own in the callee.
        for slot in given {
            self.emit(ir::Op::StorageDead { slot });
        }
        Ok(result.or(dst.map(ir::Operand::Local)))
    }

    /// The first member of a transparent union, if that is what is passed: to all but functions that are defined with the union itself.
    fn transparent_member(
        &self,
        callee: Option<FunctionId>,
        index: usize,
        arg: &Expr,
    ) -> Option<QualType> {
        let types = &self.lower.sema.types;
        let Type::Record(record) = *types.get(arg.ty) else {
            return None;
        };
        let function = &self.lower.sema.functions[callee?.0 as usize];
        let definition = function
            .definition_ty
            .and_then(|ty| types.function_type(ty));
        let taken = definition.and_then(|d| d.params.get(index).copied());
        if !types.record(record).transparent || taken.is_some_and(|ty| self.is_record(ty)) {
            return None;
        }
        let first = types.record(record).fields.first()?.ty;
        types.is_scalar(first).then_some(first)
    }

    /// Calls a known function, bringing arguments to the types its definition has.
    fn direct_call(
        &mut self,
        id: FunctionId,
        mut operands: Vec<ir::Operand>,
        extra: Option<ir::Operand>,
        dst: Option<ir::LocalId>,
        expr: &Expr,
    ) -> Result<()> {
        let types: Vec<ir::Ty> = operands.iter().map(|&o| self.type_of(o)).collect();
        let function = self.lower.function(id, &types, expr.span)?;
        let callee = &self.lower.program.functions[function.0 as usize];
        let wanted: Vec<ir::Ty> = callee.locals[..callee.params as usize]
            .iter()
            .map(|l| l.ty)
            .collect();
        let (ret, has_body) = (
            callee.ret,
            self.lower.sema.functions[id.0 as usize].body.is_some(),
        );
        let fixed = wanted.len() - usize::from(extra.is_some() && !wanted.is_empty());
        operands.truncate(fixed);
        for (index, &ty) in wanted.iter().enumerate() {
            if index == fixed {
                operands.push(extra.unwrap_or(ir::Operand::NULL));
            } else if index < operands.len() {
                operands[index] = self.coerce(operands[index], ty);
            } else {
                // A missing argument is indeterminate.
                let dst = self.local(ty);
                self.emit(ir::Op::Havoc { dst });
                operands.push(ir::Operand::Local(dst));
            }
        }
        let callee = ir::Operand::Function(function);
        match (dst, ret) {
            (Some(dst), Some(ty)) if self.type_of(ir::Operand::Local(dst)) == ty => {
                self.emit(ir::Op::Call {
                    dst: Some(dst),
                    callee,
                    args: operands,
                });
            }
            (Some(dst), Some(ty)) => {
                let raw = self.local(ty);
                self.emit(ir::Op::Call {
                    dst: Some(raw),
                    callee,
                    args: operands,
                });
                let wanted = self.type_of(ir::Operand::Local(dst));
                let value = self.coerce(ir::Operand::Local(raw), wanted);
                self.set(dst, value);
            }
            (dst, _) => {
                self.emit(ir::Op::Call {
                    dst: None,
                    callee,
                    args: operands,
                });
                if let Some(dst) = dst {
                    self.emit(ir::Op::Havoc { dst });
                }
            }
        }
        if self.lower.sema.functions[id.0 as usize].noreturn {
            if !has_body {
                self.emit(ir::Op::Assume {
                    cond: ir::Operand::int(ir::Ty::I1, 0),
                });
            }
            self.terminate(ir::Terminator::Unreachable);
            let next = self.new_block();
            self.start(next);
        }
        Ok(())
    }

    /// Lays extra arguments into cells.
    fn extra_arguments(&mut self, args: &[Expr], values: &[ir::Operand]) -> Result<ir::Operand> {
        let cell = self.lower.model().vararg_cell();
        let mut offsets = Vec::with_capacity(args.len());
        let mut size = 0;
        for arg in args {
            offsets.push(size);
            size += self.lower.size_of(arg.ty, arg.span)?.max(1).div_ceil(cell) * cell;
        }
        let object = self.temporary(size, 16);
        for ((arg, &value), offset) in args.iter().zip(values).zip(offsets) {
            let to = self.offset(object, offset as i64);
            if self.is_record(arg.ty) {
                self.copy(to, value, arg.ty.unqualified(), arg.ty.unqualified())?;
            } else {
                self.store(
                    Place {
                        spot: Spot::Memory(to, 0),
                        ty: arg.ty.unqualified(),
                        bits: None,
                        neighbours: 0,
                    },
                    value,
                )?;
            }
        }
        Ok(object)
    }

    /// Takes the next variadic argument; yields its address.
    pub fn va_arg(&mut self, list: &Expr, expr: &Expr) -> Result<ir::Operand> {
        let list = self.value(list)?;
        self.at = expr.span;
        let size = self.lower.size_of(expr.ty, expr.span)?;
        let cell = self.lower.model().vararg_cell();
        let current = self.load_pointer(list);
        let next = self.offset(current, (size.max(1).div_ceil(cell) * cell) as i64);
        self.store_pointer(list, next);
        Ok(current)
    }

    pub fn load_pointer(&mut self, addr: ir::Operand) -> ir::Operand {
        let dst = self.local(ir::Ty::Ptr);
        self.emit(ir::Op::Load {
            dst,
            ty: ir::Ty::Ptr,
            addr,
            access: ir::Access::PLAIN,
        });
        ir::Operand::Local(dst)
    }

    pub fn store_pointer(&mut self, addr: ir::Operand, value: ir::Operand) {
        self.emit(ir::Op::Store {
            ty: ir::Ty::Ptr,
            addr,
            value,
            access: ir::Access::PLAIN,
        });
    }
}
