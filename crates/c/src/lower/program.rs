//! Whole functions, the entry, and the order in which things are lowered.

use super::Lower;
use super::build::{FunctionBuilder, Storage};
use super::place::{Place, Spot};
use crate::diagnostic::{Diagnostic, Result};
use crate::hir::*;
use crate::sema::{Entity, Sema};
use crate::source::{SourceMap, Span};
use raddle_ir as ir;
use std::collections::HashMap;

/// Lowers what can be reached from a function, and an entry that calls it with these arguments.
pub fn lower_program(
    sema: &mut Sema,
    sources: &SourceMap,
    entry: &str,
    arguments: &[String],
) -> Result<ir::Program> {
    let model = sema.types.model;
    let main = match sema.external(entry) {
        Some(Entity::Function(id)) if sema.functions[id.0 as usize].body.is_some() => id,
        _ => {
            return Err(Box::new(Diagnostic::general(format!(
                "there is no function `{entry}`"
            ))));
        }
    };
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
    };
    let span = lower.sema.functions[main.0 as usize].span;
    let main = lower.function(main, &[], span)?;
    lower.work()?;
    lower.entry(main, arguments, span)?;
    lower.work()?;
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
        for stmt in body.prologue.iter().chain(&body.stmts) {
            builder.stmt(stmt)?;
        }
        builder.at = body.end;
        builder.fall_off(&name);
        let function = builder.finish();
        self.program.functions[ir_id.0 as usize] = function;
        Ok(())
    }

    /// The function the initial thread starts with.
    fn entry(&mut self, main: ir::FuncId, arguments: &[String], span: Span) -> Result<()> {
        let model = self.model();
        // `return` from `main` runs exit handlers, if there can be any.
        let exit = match self.sema.external("exit") {
            Some(Entity::Function(id))
                if self.sema.functions[id.0 as usize].body.is_some()
                    && self.uses_exit_handlers() =>
            {
                Some(self.function(id, &[], span)?)
            }
            _ => None,
        };
        let body = Body {
            params: Vec::new(),
            vars: Vec::new(),
            scopes: vec![ScopeId(0)],
            labels: Vec::new(),
            prologue: Vec::new(),
            stmts: Vec::new(),
            end: span,
        };
        let callee = &self.program.functions[main.0 as usize];
        let params: Vec<ir::Ty> = callee.locals[..callee.params as usize]
            .iter()
            .map(|l| l.ty)
            .collect();
        let ret = callee.ret;
        let argv = if params.len() > 1 {
            self.argv(arguments)
        } else {
            ir::Operand::NULL
        };
        let function = ir::Function {
            name: "(entry)".to_owned(),
            params: 0,
            ret: None,
            locals: Vec::new(),
            slots: Vec::new(),
            blocks: Vec::new(),
            library: true,
            span: ir::Span::NOWHERE,
        };
        let mut builder = FunctionBuilder::new(self, &body, function);
        let mut args = Vec::new();
        for (index, &ty) in params.iter().enumerate() {
            let value = match index {
                0 => ir::Operand::int(ir::Ty::I32, arguments.len().max(1) as i128),
                1 => argv,
                _ => ir::Operand::NULL,
            };
            args.push(builder.coerce(value, ty));
        }
        let dst = ret.map(|ty| builder.local(ty));
        builder.emit(ir::Op::Call {
            dst,
            callee: ir::Operand::Function(main),
            args,
        });
        let status = match dst {
            Some(dst) => builder.coerce(ir::Operand::Local(dst), ir::Ty::I32),
            None => ir::Operand::int(ir::Ty::I32, 0),
        };
        match exit {
            Some(exit) => builder.emit(ir::Op::Call {
                dst: None,
                callee: ir::Operand::Function(exit),
                args: vec![status],
            }),
            None => {
                builder.sync(ir::SyncOp::Exit, vec![status]);
            }
        }
        builder.terminate(ir::Terminator::Unreachable);
        let function = builder.finish();
        let id = ir::FuncId(self.program.functions.len() as u32);
        self.program.functions.push(function);
        self.program.entry = id;
        debug_assert_eq!(self.program.model, model);
        Ok(())
    }

    fn uses_exit_handlers(&self) -> bool {
        ["atexit", "on_exit", "at_quick_exit"]
            .iter()
            .any(|name| match self.sema.external(name) {
                Some(Entity::Function(id)) => self.functions.contains_key(&id),
                _ => false,
            })
    }

    /// `argv`: the name of the program and its arguments.
    fn argv(&mut self, arguments: &[String]) -> ir::Operand {
        let word = self.model().pointer_bytes();
        let named = vec!["program".to_owned()];
        let list = if arguments.is_empty() {
            &named
        } else {
            arguments
        };
        let ty = self.debug_type(crate::ast::Basic::Char.into());
        let global = |name: String, size, align, init| ir::Global {
            name,
            size,
            align,
            ty,
            thread_local: false,
            constant: false,
            external: false,
            init,
            span: ir::Span::NOWHERE,
        };
        let mut pointers = Vec::new();
        for (index, text) in list.iter().enumerate() {
            let id = ir::GlobalId(self.program.globals.len() as u32);
            let init = match text.is_empty() {
                true => Vec::new(),
                false => vec![ir::Init {
                    offset: 0,
                    value: ir::InitValue::Bytes(text.as_bytes().to_vec()),
                }],
            };
            let size = text.len() as u64 + 1;
            self.program
                .globals
                .push(global(format!("argv[{index}]"), size, 1, init));
            pointers.push(ir::Init {
                offset: index as u64 * word,
                value: ir::InitValue::Address {
                    target: ir::Target::Global(id),
                    addend: 0,
                },
            });
        }
        let id = ir::GlobalId(self.program.globals.len() as u32);
        let size = (list.len() as u64 + 1) * word;
        self.program
            .globals
            .push(global("argv".to_owned(), size, word, pointers));
        ir::Operand::Global { id, offset: 0 }
    }
}

impl FunctionBuilder<'_, '_, '_> {
    /// Gives every variable its place.
    fn allot(&mut self, first_param: u32) -> Result<()> {
        let body = self.body;
        for (index, var) in body.vars.iter().enumerate() {
            let id = VarId(index as u32);
            let param = body.params.iter().position(|&p| p == id);
            let types = &self.lower.sema.types;
            let size = types.size_of(var.ty);
            let scalar = types.is_scalar(var.ty);
            let align = types.align_of(var.ty).max(var.align);
            let debug = Some(self.lower.debug_type(var.ty.id));
            let record = self.is_record(var.ty);
            let storage = if let Some(position) = param
                && (record || !var.address_taken)
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
            } else if scalar && !var.address_taken {
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
