//! Functions to start at that are not `main`: a library, a driver, the work of one thread.
//!
//! One is called; several are called at the same time, each in a thread of its own, which is how their use of shared data is
//! checked. Nobody says what they are called with. Numbers are inputs. Pointers to a type point to one object of it, the same for all
//! functions and zeroed before any of them runs; where there is no such type (`void *`, functions, structures declared
//! only) they are null. Other pointers are left out, which is noted as a limit ([`ir::Program::limits`]): there is no `true` beyond it.

use super::Lower;
use super::build::FunctionBuilder;
use super::constructors::Constructors;
use crate::diagnostic::{Diagnostic, Result, fail, refuse};
use crate::hir::{Body, FunctionId, ScopeId};
use crate::sema::Entity;
use crate::source::Span;
use crate::types::{QualType, TypeId};
use raddle_ir as ir;
use std::collections::HashMap;

impl Lower<'_, '_> {
    /// A function with a body that has this name: visible everywhere, or the only one in any file.
    pub(super) fn named(&self, name: &str) -> Result<FunctionId> {
        let none = |what: String| Err(Box::new(Diagnostic::general(what)));
        let has_body = |id: &FunctionId| self.sema.functions[id.0 as usize].body.is_some();
        if let Some(Entity::Function(id)) = self.sema.external(name)
            && has_body(&id)
        {
            return Ok(id);
        }
        let all = (0..self.sema.functions.len() as u32).map(FunctionId);
        let mut same = all.filter(|id| {
            let f = &self.sema.functions[id.0 as usize];
            *f.name == *name && has_body(id) && !self.sema.is_library(f.unit)
        });
        match (same.next(), same.next()) {
            (Some(id), None) => Ok(id),
            (Some(_), Some(_)) => none(format!("there are several functions `{name}`")),
            (None, _) => Err(Box::new(Diagnostic {
                missing_entry: Some(name.to_string()),
                ..Diagnostic::general(format!("there is no function `{name}`"))
            })),
        }
    }

    /// The function the initial thread starts with.
    pub(super) fn entries(
        &mut self,
        starts: &[(FunctionId, ir::FuncId)],
        constructors: &Constructors,
    ) -> Result<()> {
        let mut objects = HashMap::new();
        let mut threads = Vec::new();
        for &(id, function) in starts {
            let pointers = self.pointers_for(id, &mut objects)?;
            let span = self.sema.functions[id.0 as usize].span;
            let name = format!("({})", self.sema.functions[id.0 as usize].name);
            threads.push(self.caller(name, function, &pointers, span));
        }
        let Some((first, _)) = starts.first() else {
            return Err(Box::new(Diagnostic::general(
                "there is nothing to start at",
            )));
        };
        let span = self.sema.functions[first.0 as usize].span;
        let body = nothing(span);
        let mut builder = FunctionBuilder::new(self, &body, empty("(entry)", 0));
        if !constructors.after.is_empty() {
            return refuse(span, "destructors are not supported without `main`");
        }
        builder.construct(constructors);
        match &threads[..] {
            [one] => {
                let dst = Some(builder.local(ir::Ty::Ptr));
                builder.emit(ir::Op::Call {
                    dst,
                    callee: ir::Operand::Function(*one),
                    args: vec![ir::Operand::NULL],
                });
            }
            several => {
                let mut handles = Vec::new();
                for &thread in several {
                    let args = vec![ir::Operand::Function(thread), ir::Operand::NULL];
                    handles.extend(builder.sync(ir::SyncOp::ThreadNew, args));
                }
                for &handle in &handles {
                    builder.sync(ir::SyncOp::ThreadStart, vec![handle]);
                }
                for handle in handles {
                    builder.sync(ir::SyncOp::ThreadJoin, vec![handle]);
                }
            }
        }
        builder.sync(ir::SyncOp::Exit, vec![ir::Operand::int(ir::Ty::I32, 0)]);
        builder.terminate(ir::Terminator::Unreachable);
        let function = builder.finish();
        self.program.entry = ir::FuncId(self.program.functions.len() as u32);
        self.program.functions.push(function);
        Ok(())
    }

    /// What each parameter of a function points to; none for numbers.
    fn pointers_for(
        &mut self,
        id: FunctionId,
        objects: &mut HashMap<TypeId, ir::GlobalId>,
    ) -> Result<Vec<Option<ir::Operand>>> {
        let f = &self.sema.functions[id.0 as usize];
        let (name, span) = (f.name.clone(), f.span);
        let Some(ty) = self
            .sema
            .types
            .function_type(f.definition_ty.unwrap_or(f.ty))
        else {
            return fail(span, "this is not a function");
        };
        let record = |t: &QualType| self.sema.types.is_record(*t);
        if ty.variadic || record(&ty.ret) || ty.params.iter().any(record) {
            return fail(
                span,
                "nothing can start here: it takes or returns a structure, or any number of arguments",
            );
        }
        let mut all = Vec::new();
        for &param in &ty.params {
            if !self.sema.types.is_pointer(param) {
                all.push(None);
                continue;
            }
            let types = &self.sema.types;
            let pointee = types.pointee(param).filter(|t| {
                !types.is_void(*t)
                    && types.function_type(*t).is_none()
                    && types.size_of(*t).is_some()
            });
            let Some(pointee) = pointee.map(|t| t.id) else {
                self.limit(format!("`{name}` called with a null pointer"), span);
                all.push(Some(ir::Operand::NULL));
                continue;
            };
            let shown = self.sema.show(pointee.into());
            let object = match objects.get(&pointee) {
                Some(&object) => object,
                None => {
                    let object = self.zeroed(&shown, pointee);
                    objects.insert(pointee, object);
                    object
                }
            };
            self.limit(
                format!("`{name}` called with one zeroed `{shown}`, the same for all"),
                span,
            );
            let id = object;
            all.push(Some(ir::Operand::Global { id, offset: 0 }));
        }
        Ok(all)
    }

    fn limit(&mut self, what: String, span: Span) {
        if self.program.limits.iter().all(|l| l.what != what) {
            let span = self.ir_span(span);
            let kind = ir::LimitKind::Arguments;
            self.program.limits.push(ir::Limit { kind, what, span });
        }
    }

    fn zeroed(&mut self, name: &str, ty: TypeId) -> ir::GlobalId {
        let id = ir::GlobalId(self.program.globals.len() as u32);
        let types = &self.sema.types;
        let (size, align) = (types.size_of(ty).unwrap_or(1), types.align_of(ty));
        let ty = self.debug_type(ty);
        self.program.globals.push(ir::Global {
            name: format!("({name})"),
            size,
            align,
            ty,
            thread_local: false,
            constant: false,
            external: false,
            init: Vec::new(),
            span: ir::Span::NOWHERE,
        });
        id
    }

    /// A function that a thread can start with, and that calls another one.
    fn caller(
        &mut self,
        name: String,
        callee: ir::FuncId,
        pointers: &[Option<ir::Operand>],
        span: Span,
    ) -> ir::FuncId {
        let function = &self.program.functions[callee.0 as usize];
        let params: Vec<ir::Ty> = function.locals[..function.params as usize]
            .iter()
            .map(|l| l.ty)
            .collect();
        let ret = function.ret;
        let body = nothing(span);
        let mut builder = FunctionBuilder::new(self, &body, empty(&name, 1));
        let mut args = Vec::new();
        for (ty, pointer) in params.into_iter().zip(pointers) {
            args.push(match pointer {
                Some(pointer) => *pointer,
                None => {
                    let dst = builder.local(ty);
                    builder.emit(ir::Op::Nondet { dst });
                    ir::Operand::Local(dst)
                }
            });
        }
        let dst = ret.map(|ty| builder.local(ty));
        builder.emit(ir::Op::Call {
            dst,
            callee: ir::Operand::Function(callee),
            args,
        });
        builder.terminate(ir::Terminator::Return(Some(ir::Operand::NULL)));
        let function = builder.finish();
        let id = ir::FuncId(self.program.functions.len() as u32);
        self.program.functions.push(function);
        id
    }
}

/// A body in which nothing stands.
pub(super) fn nothing(end: Span) -> Body {
    Body {
        params: Vec::new(),
        vars: Vec::new(),
        scopes: vec![ScopeId(0)],
        labels: Vec::new(),
        prologue: Vec::new(),
        stmts: Vec::new(),
        end,
    }
}

/// A function of ours without instructions; its parameters and its result are pointers.
pub(super) fn empty(name: &str, params: u32) -> ir::Function {
    let pointer = ir::Local {
        name: String::new(),
        ty: ir::Ty::Ptr,
        debug: None,
    };
    ir::Function {
        name: name.to_owned(),
        params,
        ret: (params > 0).then_some(ir::Ty::Ptr),
        locals: vec![pointer; params as usize],
        slots: Vec::new(),
        blocks: Vec::new(),
        library: true,
        assembly: false,
        span: ir::Span::NOWHERE,
    }
}
