//! Whole functions, and the order in which things are lowered.

use super::Lower;
use super::build::{FunctionBuilder, Storage};
use super::place::{Place, Spot};
use crate::Arguments;
use crate::ast::Quals;
use crate::diagnostic::Result;
use crate::hir::*;
use crate::sema::Sema;
use crate::source::SourceMap;
use raddle_ir as ir;
use std::collections::HashMap;

/// Lowers what can be reached from some functions, and an entry that calls them.
pub fn lower_program(
    sema: &mut Sema,
    sources: &SourceMap,
    entries: &[String],
    arguments: &Arguments,
) -> Result<ir::Program> {
    let model = sema.types.model;
    let mut lower = Lower {
        sema,
        sources,
        program: ir::Program::new(model),
        functions: HashMap::new(),
        objects: HashMap::new(),
        function_work: Vec::new(),
        object_work: Vec::new(),
        types: HashMap::new(),
        files: HashMap::new(),
        pointers: HashMap::new(),
        pairs: Vec::new(),
    };
    let mut starts = Vec::new();
    for name in entries {
        let id = lower.named(name)?;
        let span = lower.sema.functions[id.0 as usize].span;
        starts.push((id, lower.function(id, &[], span)?));
    }
    let constructors = lower.constructors()?;
    lower.work()?;
    match &starts[..] {
        [(id, main)] if entries[0] == "main" => {
            let span = lower.sema.functions[id.0 as usize].span;
            lower.entry(*main, arguments, &constructors, span)?;
        }
        _ => lower.entries(&starts, &constructors)?,
    }
    lower.work()?;
    lower.say_order();
    lower.look_at_comparisons();
    Ok(lower.program)
}

impl Lower<'_, '_> {
    /// Lowers everything that was referred to.
    fn work(&mut self) -> Result<()> {
        loop {
            if let Some(id) = self.object_work.pop() {
                self.initialise(id)?;
            } else if let Some(id) = self.function_work.pop() {
                self.body(id)?;
            } else {
                return Ok(());
            }
        }
    }

    fn body(&mut self, id: FunctionId) -> Result<()> {
        let body = self.sema.body(id)?;
        let ir_id = self.functions[&id];
        let function = self.program.functions[ir_id.0 as usize].clone();
        let f = &self.sema.functions[id.0 as usize];
        let ty = f.definition_ty.unwrap_or(f.ty);
        let (name, span) = (f.name.clone(), f.span);
        let atomic = name.starts_with("__VERIFIER_atomic_") && !function.library;
        let Some(ty) = self.sema.types.function_type(ty) else {
            return crate::diagnostic::fail(span, "this is not a function");
        };
        let mut builder = FunctionBuilder::new(self, &body, function);
        builder.at = span;
        let mut next = 0;
        if builder.is_record(ty.ret) {
            builder.result = Some(ir::LocalId(0));
            builder.function.locals[0].name = "(result)".to_owned();
            next = 1;
        }
        let first_param = next;
        if ty.variadic {
            let last = builder.function.params - 1;
            builder.varargs = Some(ir::LocalId(last));
            builder.function.locals[last as usize].name = "(arguments)".to_owned();
        }
        builder.allot(first_param)?;
        builder.atomic = atomic;
        if atomic {
            builder.emit(ir::Op::AtomicBegin {
                kind: ir::AtomicKind::Verifier,
            });
        }
        builder.enter(ScopeId(0));
        builder.receive(first_param)?;
        // What the property is about is the call, whatever the program's own definition does.
        if matches!(&*name, "reach_error" | "__VERIFIER_error") && !builder.function.library {
            let message = format!("{name} was called");
            let message = builder.lower.program.intern(&message);
            builder.emit(ir::Op::Assert {
                cond: ir::Operand::int(ir::Ty::I1, 0),
                property: ir::Property::UnreachCall,
                message,
            });
        }
        for stmt in body.prologue.iter().chain(&body.stmts) {
            builder.stmt(stmt)?;
        }
        builder.at = body.end;
        if !builder.terminated[builder.current.0 as usize] {
            builder.clean_up()?;
        }
        builder.at = body.end;
        builder.fall_off(&name);
        let function = builder.finish();
        if !function.library {
            self.note_order(&body);
        }
        self.program.functions[ir_id.0 as usize] = function;
        Ok(())
    }
}

impl FunctionBuilder<'_, '_, '_> {
    /// Gives every variable its place.
    fn allot(&mut self, first_param: u32) -> Result<()> {
        let body = self.body;
        let jumps = self.lower.is_used("setjmp")
            || self.lower.is_used("_setjmp")
            || self.lower.is_used("__sigsetjmp");
        for (index, var) in body.vars.iter().enumerate() {
            // Such a variable keeps its value when `longjmp` comes back.
            let kept = jumps && var.ty.quals.has(Quals::VOLATILE);
            let in_memory = var.address_taken || kept;
            let id = VarId(index as u32);
            let param = body.params.iter().position(|&p| p == id);
            let types = &self.lower.sema.types;
            let size = types.size_of(var.ty);
            let scalar = types.is_scalar(var.ty);
            let align = types.align_of(var.ty).max(var.align);
            let debug = Some(self.lower.debug_type(var.ty.id));
            let record = self.is_record(var.ty);
            let storage = if let Some(position) = param
                && (record || !in_memory)
            {
                let local = ir::LocalId(first_param + position as u32);
                let slot = &mut self.function.locals[local.0 as usize];
                slot.name = var.name.to_string();
                slot.debug = debug;
                if record {
                    Storage::Indirect(local)
                } else {
                    Storage::Local(local)
                }
            } else if scalar && !in_memory {
                self.at = var.span;
                let ty = self.scalar(var.ty)?;
                let local = self.local(ty);
                let made = &mut self.function.locals[local.0 as usize];
                made.name = var.name.to_string();
                made.debug = debug;
                Storage::Local(local)
            } else if let Some(size) = size {
                let slot = self.slot(size, align);
                let made = &mut self.function.slots[slot.0 as usize];
                made.name = var.name.to_string();
                made.debug = debug;
                self.scope_slots[var.scope.0 as usize].push(slot);
                Storage::Slot(slot)
            } else {
                let local = self.local(ir::Ty::Ptr);
                self.function.locals[local.0 as usize].name = var.name.to_string();
                Storage::Indirect(local)
            };
            self.vars.push(storage);
        }
        Ok(())
    }

    /// Parameters whose address is taken move into memory.
    fn receive(&mut self, first_param: u32) -> Result<()> {
        for (position, &var) in self.body.params.iter().enumerate() {
            if let Storage::Slot(id) = self.vars[var.0 as usize] {
                let local = ir::LocalId(first_param + position as u32);
                let name = self.body.vars[var.0 as usize].name.to_string();
                self.function.locals[local.0 as usize].name = name;
                let place = Place {
                    spot: Spot::Memory(ir::Operand::Slot { id, offset: 0 }, 0),
                    ty: self.body.vars[var.0 as usize].ty.unqualified(),
                    bits: None,
                    neighbours: 0,
                };
                self.store(place, ir::Operand::Local(local))?;
            }
        }
        Ok(())
    }

    /// The end of the body: `main` returns 0, others something indeterminate.
    fn fall_off(&mut self, name: &str) {
        if self.terminated[self.current.0 as usize] {
            return;
        }
        let value = match self.function.ret {
            None => None,
            Some(ty) if name == "main" => Some(self.zero(ty)),
            Some(ty) => {
                let dst = self.local(ty);
                self.emit(ir::Op::Havoc { dst });
                Some(ir::Operand::Local(dst))
            }
        };
        if self.atomic {
            self.emit(ir::Op::AtomicEnd);
        }
        self.terminate(ir::Terminator::Return(value));
    }
}
