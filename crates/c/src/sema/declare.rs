//! Declarations: at file scope, with their linkage, and inside functions.

use super::resolve::Sizes;
use super::{Entity, Func, Linkage, Object, Sema};
use crate::ast::{self, Storage, TypeSpec};
use crate::diagnostic::{Diagnostic, Result, fail, refuse};
use crate::hir::*;
use crate::source::Span;
use crate::token::Symbol;
use crate::types::*;
use std::rc::Rc;

impl Sema<'_> {
    /// `struct s;` and declarations of tags without names.
    fn declare_tags(&mut self, specs: &ast::Specs) -> Result<()> {
        if let TypeSpec::Record(spec) = &specs.ty
            && spec.members.is_none()
            && let Some(tag) = spec.tag
            && self
                .scopes
                .last()
                .is_some_and(|s| !s.tags.contains_key(&tag))
        {
            self.open_record(spec);
            return Ok(());
        }
        if !matches!(specs.ty, TypeSpec::ImplicitInt | TypeSpec::AutoType) {
            self.specs_type(specs)?;
        }
        Ok(())
    }

    pub(super) fn file_declaration(&mut self, declaration: &Rc<ast::Declaration>) -> Result<()> {
        let specs = &declaration.specs;
        if declaration.declarators.is_empty() {
            return self.declare_tags(specs);
        }
        if matches!(specs.ty, TypeSpec::AutoType) {
            return refuse(specs.span, "`__auto_type` at file scope is not supported");
        }
        let base = self.specs_type(specs)?;
        for item in &declaration.declarators {
            let (ty, align) = self.declared_from(base, specs, &item.declarator, Sizes::Here)?;
            let Some((name, span)) = item.declarator.name else {
                continue;
            };
            if specs.storage == Storage::Typedef {
                if item.declarator.attrs.transparent_union || specs.attrs.transparent_union {
                    self.make_transparent(ty);
                }
                self.declare_typedef(name, ty, align, span)?;
            } else if self.types.function_type(ty).is_some() {
                if item.init.is_some() {
                    return fail(span, "a function cannot have an initialiser");
                }
                self.declare_function(name, ty, specs, &item.declarator, span)?;
            } else {
                self.declare_object(name, ty, align, specs, item)?;
            }
        }
        Ok(())
    }

    /// `typedef union { … } name __attribute__((transparent_union))`, as glibc's `__SOCKADDR_ARG`.
    pub(super) fn make_transparent(&mut self, ty: QualType) {
        if let Type::Record(record) = *self.types.get(ty) {
            self.types.record_mut(record).transparent = true;
        }
    }

    pub(super) fn declare_typedef(
        &mut self,
        name: Symbol,
        ty: QualType,
        align: u64,
        span: Span,
    ) -> Result<()> {
        let mut ty = ty;
        if align > 0 {
            ty.align = align.trailing_zeros() as u8 + 1;
        }
        let here = self.scopes.last().and_then(|s| s.names.get(&name)).copied();
        match here {
            Some(Entity::Typedef(old)) if !self.compatible(old, ty) => {
                let (old, new) = (self.show(old), self.show(ty));
                let name = self.names.name(name);
                let message = format!("`{name}` was `{old}`, is now `{new}`");
                return fail(span, message);
            }
            Some(Entity::Typedef(_)) | None => {}
            Some(_) => {
                let name = self.names.name(name);
                return fail(span, format!("`{name}` was declared as something else"));
            }
        }
        self.bind(name, Entity::Typedef(ty));
        Ok(())
    }

    /// The entity an external declaration refers to, if it is known in this unit or another.
    fn known(&self, name: Symbol, external: bool) -> Option<Entity> {
        let here = self
            .scopes
            .first()
            .and_then(|s| s.names.get(&name))
            .copied();
        here.or_else(|| {
            if external {
                self.externals.get(&name).copied()
            } else {
                None
            }
        })
    }

    /// Whether the library uses a name that the program uses for something else: then they do not meet.
    fn hidden(&self, name: Symbol) -> bool {
        self.in_library()
            && !self
                .scopes
                .first()
                .is_some_and(|s| s.names.contains_key(&name))
    }

    fn conflict<T>(&self, name: Symbol, span: Span, old: Span) -> Result<T> {
        let name = self.names.name(name);
        Err(Box::new(
            Diagnostic::at(span, format!("conflicting declarations of `{name}`"))
                .label(old, "declared here before"),
        ))
    }

    pub(super) fn declare_function(
        &mut self,
        name: Symbol,
        ty: QualType,
        specs: &ast::Specs,
        declarator: &ast::Declarator,
        span: Span,
    ) -> Result<FunctionId> {
        let noreturn = specs.attrs.noreturn || declarator.attrs.noreturn;
        let known = self.known(name, specs.storage != Storage::Static);
        let id = match known {
            Some(Entity::Function(id)) => {
                let old = &self.functions[id.0 as usize];
                let (old_ty, old_unit, old_span) = (old.ty, old.unit, old.span);
                let same_unit = self
                    .scopes
                    .first()
                    .is_some_and(|s| s.names.contains_key(&name));
                if same_unit && !self.compatible_unqualified(old_ty, ty) {
                    return self.conflict(name, span, old_span);
                }
                if same_unit || old_unit == self.unit {
                    let composite = self.composite(old_ty, ty);
                    self.functions[id.0 as usize].ty = composite;
                }
                id
            }
            Some(Entity::Object(o)) if !self.hidden(name) => {
                let old = self.objects[o.0 as usize].span;
                return self.conflict(name, span, old);
            }
            Some(_) if !self.hidden(name) => return self.conflict(name, span, span),
            _ => {
                let id = FunctionId(self.functions.len() as u32);
                self.functions.push(Func {
                    name: self.names.name(name),
                    ty,
                    span,
                    body: None,
                    definition_ty: None,
                    replaceable: false,
                    unit: self.unit,
                    noreturn,
                    linkage: Linkage::default(),
                });
                if specs.storage != Storage::Static && known.is_none() {
                    self.externals.insert(name, Entity::Function(id));
                }
                id
            }
        };
        self.functions[id.0 as usize].noreturn |= noreturn;
        self.note_linkage(Entity::Function(id), name, specs, declarator);
        if let Some(scope) = self.scopes.first_mut() {
            scope.names.insert(name, Entity::Function(id));
        }
        if self.scopes.len() > 1 {
            self.bind(name, Entity::Function(id));
        }
        Ok(id)
    }

    pub(super) fn file_function(&mut self, function: &Rc<ast::Function>) -> Result<()> {
        let (ty, _) = self.declared(&function.specs, &function.declarator, Sizes::Here)?;
        let Some((name, span)) = function.declarator.name else {
            return fail(function.span, "a function without a name");
        };
        let id = self.declare_function(name, ty, &function.specs, &function.declarator, span)?;
        let is_static = function.specs.storage == Storage::Static;
        let replaceable = function.specs.inline && !is_static;
        let library = self.in_library();
        let old = &self.functions[id.0 as usize];
        if old.body.is_some() {
            let old_library = self.is_library(old.unit);
            if library && !old_library || replaceable && !old.replaceable {
                return Ok(());
            }
            if !(old.replaceable || replaceable && old.unit != self.unit) {
                let old = old.span;
                let name = self.names.name(name);
                return Err(Box::new(
                    Diagnostic::at(span, format!("`{name}` is defined twice"))
                        .label(old, "defined here before"),
                ));
            }
        }
        let unit = self.unit;
        let f = &mut self.functions[id.0 as usize];
        f.body = Some(function.clone());
        f.definition_ty = Some(ty);
        f.replaceable = replaceable;
        f.unit = unit;
        f.span = span;
        if let Some(label) = f.linkage.label
            && !library
        {
            self.labelled.insert(label, Entity::Function(id));
        }
        Ok(())
    }

    /// Keeps what a declaration says about the symbol behind its name.
    pub(super) fn note_linkage(
        &mut self,
        entity: Entity,
        name: Symbol,
        specs: &ast::Specs,
        declarator: &ast::Declarator,
    ) {
        let mut symbol = |text: Option<&Rc<[u8]>>| {
            let text = std::str::from_utf8(text?).ok()?;
            Some(self.names.intern(text.trim_start_matches('*')))
        };
        let (early, late) = (&specs.attrs, &declarator.attrs);
        let alias = symbol(late.alias.as_ref().or(early.alias.as_ref()));
        let label = symbol(declarator.asm_label.as_ref()).filter(|&l| l != name);
        let weak = early.weak || late.weak;
        let unsupported = late.unsupported.or(early.unsupported);
        let constructor = late.constructor.clone().or(early.constructor.clone());
        let destructor = late.destructor.clone().or(early.destructor.clone());
        let linkage = match entity {
            Entity::Function(f) => &mut self.functions[f.0 as usize].linkage,
            Entity::Object(o) => &mut self.objects[o.0 as usize].linkage,
            _ => return,
        };
        linkage.alias = alias.or(linkage.alias);
        linkage.label = label.or(linkage.label);
        linkage.weak |= weak;
        linkage.unsupported = unsupported.or(linkage.unsupported);
        linkage.constructor = constructor.or(linkage.constructor.take());
        linkage.destructor = destructor.or(linkage.destructor.take());
    }

    fn declare_object(
        &mut self,
        name: Symbol,
        ty: QualType,
        align: u64,
        specs: &ast::Specs,
        item: &ast::InitDeclarator,
    ) -> Result<()> {
        let span = item.declarator.name.map_or(item.span, |(_, s)| s);
        let library = self.in_library();
        if self.types.is_void(ty) && specs.storage != Storage::Extern {
            return fail(span, "an object of type `void`");
        }
        let external = specs.storage != Storage::Static;
        let known = self.known(name, external);
        let id = match known {
            Some(Entity::Object(id)) => {
                let old = &self.objects[id.0 as usize];
                let (old_ty, old_span) = (old.ty, old.span);
                let same_unit = self
                    .scopes
                    .first()
                    .is_some_and(|s| s.names.contains_key(&name));
                if same_unit && !self.compatible_unqualified(old_ty, ty) {
                    return self.conflict(name, span, old_span);
                }
                let sizes = (self.types.size_of(old_ty), self.types.size_of(ty));
                if !same_unit
                    && !library
                    && let (Some(a), Some(b)) = sizes
                    && a != b
                {
                    return self.conflict(name, span, old_span);
                }
                if self.types.size_of(old_ty).is_none() {
                    let composite = self.composite(ty, old_ty);
                    self.objects[id.0 as usize].ty = composite;
                }
                id
            }
            Some(Entity::Function(f)) if !self.hidden(name) => {
                let old = self.functions[f.0 as usize].span;
                return self.conflict(name, span, old);
            }
            Some(_) if !self.hidden(name) => return self.conflict(name, span, span),
            _ => {
                let id = self.new_object(self.names.name(name), ty, span);
                self.objects[id.0 as usize].external = external;
                if external && known.is_none() {
                    self.externals.insert(name, Entity::Object(id));
                }
                id
            }
        };
        self.bind(name, Entity::Object(id));
        self.note_linkage(Entity::Object(id), name, specs, &item.declarator);
        if specs.storage == Storage::Register {
            let linkage = &mut self.objects[id.0 as usize].linkage;
            linkage.unsupported = Some((span, "register"));
        }
        let constant = self.is_constant(ty);
        let object = &mut self.objects[id.0 as usize];
        object.align = object.align.max(align);
        object.thread_local |= specs.thread_local;
        let defines = item.init.is_some() || specs.storage != Storage::Extern;
        // Where it lies is decided by the file that defines it; others may take it for constant.
        if defines {
            object.constant = constant;
        } else if !object.defined {
            object.constant |= constant;
        }
        if library && object.defined && object.unit != self.unit {
            return Ok(());
        }
        if let Some(init) = &item.init {
            if object.init.is_some() || object.error.is_some() {
                let old = object.span;
                return self.conflict(name, span, old);
            }
            self.objects[id.0 as usize].span = span;
            self.initialise_static(id, ty, init)?;
        }
        if defines {
            let unit = self.unit;
            let object = &mut self.objects[id.0 as usize];
            object.defined = true;
            object.unit = unit;
            if let Some(label) = object.linkage.label
                && !library
            {
                self.labelled.insert(label, Entity::Object(id));
            }
        }
        Ok(())
    }

    /// Checks the initialiser of an object with static storage; what is wrong with it is kept until the
    /// object is used, unless its size depends on it.
    pub(super) fn initialise_static(
        &mut self,
        id: ObjectId,
        ty: QualType,
        init: &ast::Init,
    ) -> Result<()> {
        match self.initialiser(ty, init) {
            Ok((ty, init)) => {
                let object = &mut self.objects[id.0 as usize];
                object.ty = ty;
                object.init = Some(Rc::new(init));
                Ok(())
            }
            Err(e) if self.types.size_of(ty).is_some() => {
                self.objects[id.0 as usize].error = Some(e);
                Ok(())
            }
            Err(e) => Err(e),
        }
    }

    pub(super) fn new_object(&mut self, name: Rc<str>, ty: QualType, span: Span) -> ObjectId {
        let id = ObjectId(self.objects.len() as u32);
        self.objects.push(Object {
            name,
            ty,
            span,
            external: false,
            defined: false,
            init: None,
            error: None,
            thread_local: false,
            constant: false,
            align: 0,
            unit: self.unit,
            linkage: Linkage::default(),
            bytes: None,
        });
        id
    }

    /// Whether an object of this type, or all its elements, may not be written.
    pub(super) fn is_constant(&self, ty: QualType) -> bool {
        let mut ty = ty;
        while let Type::Array(of, _) = self.types.get(ty) {
            ty = of.with(ty.quals);
        }
        ty.quals.has(ast::Quals::CONST) && !ty.quals.has(ast::Quals::VOLATILE)
    }

    /// The object behind a string literal, shared between equal ones.
    pub(super) fn string_object(
        &mut self,
        units: &Rc<[u32]>,
        element: ast::Basic,
        span: Span,
    ) -> Expr {
        let width = self.types.size_of(element).unwrap_or(1);
        let length = Length::Known(units.len() as u64 + 1);
        let ty = self.types.array(element.into(), length);
        let key = (units.clone(), width);
        let id = match self.strings.get(&key) {
            Some(&id) => id,
            None => {
                let id = self.new_object("string".into(), ty, span);
                let mut bytes = Vec::with_capacity((units.len() + 1) * width as usize);
                for unit in units.iter().chain([&0]) {
                    bytes.extend(&unit.to_le_bytes()[..width as usize]);
                }
                let object = &mut self.objects[id.0 as usize];
                object.bytes = Some(bytes.into());
                object.constant = true;
                object.defined = true;
                self.strings.insert(key, id);
                id
            }
        };
        super::convert::make(Kind::Object(id), ty, span)
    }

    /// An implicit declaration by a call: `int name()`.
    pub(super) fn declare_implicitly(&mut self, name: Symbol, span: Span) -> FunctionId {
        if let Some(Entity::Function(id)) = self.known(name, true) {
            if let Some(scope) = self.scopes.first_mut() {
                scope.names.insert(name, Entity::Function(id));
            }
            return id;
        }
        let ty = self.types.function(FunctionType {
            ret: ast::Basic::Int.into(),
            params: Vec::new(),
            variadic: false,
            prototype: false,
        });
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(Func {
            name: self.names.name(name),
            ty,
            span,
            body: None,
            definition_ty: None,
            replaceable: false,
            unit: self.unit,
            noreturn: false,
            linkage: Linkage::default(),
        });
        self.externals.insert(name, Entity::Function(id));
        if let Some(scope) = self.scopes.first_mut() {
            scope.names.insert(name, Entity::Function(id));
        }
        id
    }
}
