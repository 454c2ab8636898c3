//! From the typed tree to the IR, on demand: starting at the entry, whatever code refers to is lowered.
//!
//! Operands are evaluated left to right, and the target of an assignment before its value. Scalars whose
//! address is not taken are IR locals; everything else is a slot that lives from the entry of its block.
//! Temporaries that need memory (arguments and results that are records, variadic arguments) live as long as
//! the activation.

mod atomics;
mod build;
mod builtins;
mod call;
mod coalesce;
mod comparisons;
mod constructors;
mod copy;
mod data;
mod debug;
mod entries;
mod entry;
mod expr;
mod formats;
mod jumps;
mod memory_order;
mod order;
mod pieces;
mod place;
mod program;
mod scalar;
mod stmt;
mod unmodelled;
mod vectors;

use crate::ast::Quals;
use crate::diagnostic::{Diagnostic, Result, char_boundary, fail, refuse};
use crate::hir::*;
use crate::sema::{Entity, Linkage, Sema};
use crate::source::{SourceMap, Span};
use crate::types::*;
use raddle_ir as ir;
use std::collections::HashMap;

pub use program::lower_program;

/// State of the whole program.
pub struct Lower<'a, 'n> {
    sema: &'a mut Sema<'n>,
    sources: &'a SourceMap,
    program: ir::Program,
    functions: HashMap<FunctionId, ir::FuncId>,
    objects: HashMap<ObjectId, ir::GlobalId>,
    /// Functions and objects that were referred to but not lowered yet.
    function_work: Vec<FunctionId>,
    object_work: Vec<ObjectId>,
    types: HashMap<TypeId, ir::TypeId>,
    files: HashMap<u32, ir::FileId>,
    /// Whether a type holds pointers.
    pointers: HashMap<TypeId, bool>,
    /// Operands whose order may matter.
    pairs: Vec<order::Pair>,
}

impl Lower<'_, '_> {
    fn model(&self) -> ir::DataModel {
        self.sema.types.model
    }

    /// The place of a span in the IR's terms.
    fn ir_span(&mut self, span: Span) -> ir::Span {
        let Some(location) = self.sources.locate(span) else {
            return ir::Span::NOWHERE;
        };
        let next = ir::FileId(self.program.files.len() as u32);
        let file = *self.files.entry(location.file.0).or_insert(next);
        if file == next {
            let name = self.sources.file_name(location.file).to_owned();
            self.program.files.push(name);
        }
        let text = self.sources.text(span);
        let line = text.iter().position(|&b| b == b'\n').unwrap_or(text.len());
        ir::Span {
            file,
            line: location.line,
            column: location.column,
            length: line as u32,
        }
    }

    /// The source text of an expression, on one line and not too long.
    fn quote(&mut self, span: Span) -> ir::TextId {
        const LONGEST: usize = 80;
        let text = self.sources.text(span);
        let text = String::from_utf8_lossy(&text[..text.len().min(4 * LONGEST)]);
        let mut short = String::new();
        // Line markers in the middle come from macros.
        let lines = text.lines().filter(|l| !l.starts_with('#'));
        for word in lines.flat_map(str::split_whitespace) {
            if !short.is_empty() {
                short.push(' ');
            }
            short.push_str(word);
            if short.len() > LONGEST {
                short.truncate(char_boundary(&short, LONGEST));
                short.push('…');
                break;
            }
        }
        self.program.intern(&short)
    }

    fn assume(&mut self, what: String, span: Span) {
        if self.program.assumptions.iter().any(|a| a.what == what) {
            return;
        }
        let span = self.ir_span(span);
        self.program.assumptions.push(ir::Assumption { what, span });
    }

    /// The IR type of a scalar.
    fn scalar(&self, ty: QualType, span: Span) -> Result<ir::Ty> {
        use crate::ast::Basic::*;
        let ir = match self.sema.types.get(ty) {
            Type::Pointer(_) => Some(ir::Ty::Ptr),
            Type::Basic(_) | Type::Enum(_) => match self.sema.types.basic(ty) {
                Some(Bool) => Some(ir::Ty::I8),
                Some(b) if int_rank(b).is_some() => {
                    ir::Ty::int_of_bits(self.sema.types.int_bits(b))
                }
                Some(Float) => Some(ir::Ty::F32),
                Some(Double) => Some(ir::Ty::F64),
                Some(LongDouble) => Some(ir::Ty::F80),
                _ => None,
            },
            _ => None,
        };
        match ir {
            Some(ir) => Ok(ir),
            None => {
                let shown = self.sema.show(ty);
                refuse(span, format!("values of type `{shown}` are not supported"))
            }
        }
    }

    fn size_of(&self, ty: QualType, span: Span) -> Result<u64> {
        match self.sema.types.size_of(ty) {
            Some(size) => Ok(size),
            None => {
                let shown = self.sema.show(ty);
                fail(span, format!("the size of incomplete type `{shown}`"))
            }
        }
    }

    /// The parameters and result of a function of this type: a record result is stored through a hidden first
    /// parameter, extra arguments come through a hidden last one.
    fn signature(&self, ty: &FunctionType, span: Span) -> Result<(Vec<ir::Ty>, Option<ir::Ty>)> {
        let mut params = Vec::new();
        let mut ret = None;
        if self.sema.types.is_record(ty.ret) {
            params.push(ir::Ty::Ptr);
        } else if !self.sema.types.is_void(ty.ret) {
            ret = Some(self.scalar(ty.ret, span)?);
        }
        for &param in &ty.params {
            params.push(if self.sema.types.is_record(param) {
                ir::Ty::Ptr
            } else {
                self.scalar(param, span)?
            });
        }
        if ty.variadic {
            params.push(ir::Ty::Ptr);
        }
        Ok((params, ret))
    }

    /// The IR function, made on first use. `args` are the types of the first call, for a function without
    /// body and prototype.
    fn function(&mut self, id: FunctionId, args: &[ir::Ty], span: Span) -> Result<ir::FuncId> {
        self.usable(&self.sema.functions[id.0 as usize].linkage, span)?;
        let id = self.sema.resolve_alias(id);
        if let Some(&found) = self.functions.get(&id) {
            return Ok(found);
        }
        let function = &self.sema.functions[id.0 as usize];
        self.usable(&function.linkage, span)?;
        let ty = function.definition_ty.unwrap_or(function.ty);
        let (name, has_body, at) = (
            function.name.clone(),
            function.body.is_some(),
            function.span,
        );
        let library = has_body && self.sema.is_library(function.unit);
        let label = function.linkage.label.map(|l| self.sema.names.name(l));
        let assembly = function.linkage.assembly;
        if library
            && name.starts_with("pthread_rwlock_")
            && self.is_used("PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP")
        {
            return refuse(
                span,
                "reader-writer locks that prefer writers are not supported",
            );
        }
        let Some(ty) = self.sema.types.function_type(ty) else {
            return fail(span, "this is not a function");
        };
        let (mut params, ret) = self.signature(&ty, span)?;
        if !has_body && !ty.prototype {
            params.extend(args);
        }
        let written = match has_body {
            true => Vec::new(),
            false => self.written_through(&ty),
        };
        let locals = params.iter().enumerate().map(|(index, &ty)| ir::Local {
            name: String::new(),
            ty,
            debug: written.get(index).copied().flatten(),
        });
        if !has_body
            && (unmodelled::is_refused(&name)
                || label.as_ref().is_some_and(|l| unmodelled::is_refused(l)))
        {
            return refuse(span, format!("`{name}` is not supported"));
        }
        let new = ir::FuncId(self.program.functions.len() as u32);
        let made = ir::Function {
            name: name.to_string(),
            params: params.len() as u32,
            ret,
            locals: locals.collect(),
            slots: Vec::new(),
            blocks: Vec::new(),
            library,
            assembly,
            span: self.ir_span(at),
        };
        self.program.functions.push(made);
        self.functions.insert(id, new);
        if has_body {
            self.function_work.push(id);
        } else {
            let mut what = match assembly {
                true => format!("`{name}` only changes its outputs, to any values"),
                false => format!("`{name}` has no body"),
            };
            if ret.is_some() && !assembly {
                what.push_str(": it returns any value");
            }
            if params.contains(&ir::Ty::Ptr) {
                what.push_str("; it does not touch what its pointer arguments point to");
            }
            self.assume(what, span);
        }
        Ok(new)
    }

    /// The types of the parameters through which a function may write: pointers to what is not constant.
    fn written_through(&mut self, ty: &FunctionType) -> Vec<Option<ir::TypeId>> {
        let mut found = Vec::new();
        if self.sema.types.is_record(ty.ret) {
            found.push(None);
        }
        for &param in &ty.params {
            let mut param = param;
            if let Type::Record(record) = *self.sema.types.get(param)
                && self.sema.types.record(record).transparent
                && let Some(first) = self.sema.types.record(record).fields.first()
            {
                param = first.ty;
            }
            let to = self.sema.types.pointee(param);
            let writes = to.is_some_and(|to| {
                let constant = to.quals.has(Quals::CONST);
                !constant && self.sema.types.function_type(to).is_none()
            });
            found.push(writes.then(|| self.debug_type(param.id)));
        }
        found
    }

    /// The function behind a pointer, of which more is known than behind a call: that it exists.
    fn function_address(&mut self, id: FunctionId, span: Span) -> Result<ir::FuncId> {
        if self.sema.may_be_missing(Entity::Function(id)) {
            let name = &self.sema.functions[id.0 as usize].name;
            return refuse(
                span,
                format!("the address of `{name}`, which may be missing, is not supported"),
            );
        }
        self.function(id, &[], span)
    }

    /// Refuses what cannot be used.
    fn usable(&self, linkage: &Linkage, span: Span) -> Result<()> {
        if let Some((_, what)) = linkage.unsupported {
            return refuse(
                span,
                format!("`{what}` in the declaration of what is used here is not supported"),
            );
        }
        Ok(())
    }

    /// Whether the function has a body.
    fn has_body(&self, function: ir::FuncId) -> bool {
        let id = self.functions.iter().find(|(_, f)| **f == function);
        id.is_some_and(|(id, _)| self.sema.functions[id.0 as usize].body.is_some())
    }

    /// Whether a unit of the user refers to this name.
    fn is_used(&self, name: &str) -> bool {
        let symbol = self.sema.names.lookup(name);
        symbol.is_some_and(|s| self.sema.used.contains(&s))
    }

    /// The IR object, made on first use.
    fn object(&mut self, id: ObjectId) -> Result<ir::GlobalId> {
        let first = &self.sema.objects[id.0 as usize];
        self.usable(&first.linkage, first.span)?;
        if self.sema.may_be_missing(Entity::Object(id)) {
            return refuse(
                first.span,
                format!("`{}`, which may be missing, is not supported", first.name),
            );
        }
        let (alias, name, at) = (first.linkage.alias, first.name.clone(), first.span);
        let id = self.sema.resolve_object(id);
        if alias.is_some() && !self.sema.objects[id.0 as usize].defined {
            return refuse(at, format!("`{name}`: its alias is not supported"));
        }
        if let Some(&found) = self.objects.get(&id) {
            return Ok(found);
        }
        let object = &self.sema.objects[id.0 as usize];
        if let Some(error) = &object.error {
            return Err(error.clone());
        }
        let (ty, span, defined, unit) = (object.ty, object.span, object.defined, object.unit);
        let (name, constant, thread_local) = (
            object.name.to_string(),
            object.constant,
            object.thread_local,
        );
        let align = self.sema.types.align_of(ty).max(object.align);
        let size = match (self.sema.types.size_of(ty), self.sema.types.get(ty)) {
            (Some(size), _) => size,
            // A tentative definition without length has one element.
            (None, Type::Array(of, _)) if defined => self.size_of(*of, span)?,
            (None, _) if defined => {
                return Err(Box::new(Diagnostic::at(
                    span,
                    "an object of incomplete type",
                )));
            }
            (None, _) => 0,
        };
        let new = ir::GlobalId(self.program.globals.len() as u32);
        let global = ir::Global {
            name: name.clone(),
            size,
            align,
            ty: self.debug_type(ty.id),
            thread_local,
            constant,
            external: !defined,
            init: Vec::new(),
            span: self.ir_span(span),
        };
        self.program.globals.push(global);
        self.objects.insert(id, new);
        if defined {
            self.object_work.push(id);
        } else if !self.sema.is_library(unit) {
            self.assume(
                format!("`{name}` is not defined: its contents are arbitrary"),
                span,
            );
        }
        Ok(new)
    }
}
