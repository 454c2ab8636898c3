//! Types as written to types as meant: specifiers, declarators, records, enumerations, attributes.

use super::convert::make;
use super::{Const, Entity, Scope, Sema};
use crate::ast::{self, AlignSpec, ArraySize, Attrs, Basic, Derived, Quals, TypeSpec};
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::{Kind, Stmt};
use crate::layout::{MAX_OBJECT, Member, RecordRequest};
use crate::source::Span;
use crate::token::Symbol;
use crate::types::*;

/// How non-constant array sizes are treated.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Sizes {
    /// An error at file scope, a variable length inside a function.
    Here,
    /// In a prototype: unknown.
    Prototype,
}

impl Sema<'_> {
    /// The type named by specifiers alone.
    pub(super) fn specs_type(&mut self, specs: &ast::Specs) -> Result<QualType> {
        let base: QualType = match &specs.ty {
            TypeSpec::Basic(b) => (*b).into(),
            TypeSpec::ImplicitInt => Basic::Int.into(),
            TypeSpec::VaList => self.types.va_list,
            TypeSpec::Typedef(name) => match self.lookup(*name) {
                Some(Entity::Typedef(ty)) => ty,
                _ => {
                    let name = self.names.name(*name);
                    return fail(specs.span, format!("`{name}` is not a type here"));
                }
            },
            TypeSpec::Record(spec) => self.record_type(spec)?.into(),
            TypeSpec::Enum(spec) => self.enum_type(spec)?.into(),
            TypeSpec::TypeofType(name) => self.type_name(name)?,
            TypeSpec::TypeofExpr(expr) => {
                self.unevaluated += 1;
                let checked = self.expr(expr);
                self.unevaluated -= 1;
                checked?.ty
            }
            TypeSpec::Atomic(name) => self.type_name(name)?.with(Quals::ATOMIC),
            TypeSpec::AutoType => {
                return fail(specs.span, "`__auto_type` needs an initialiser");
            }
        };
        let base = self.apply_mode(base, &specs.attrs, specs.span)?;
        // Qualifying an array qualifies its elements.
        Ok(self.qualify(base, specs.quals))
    }

    pub(super) fn qualify(&mut self, ty: QualType, quals: Quals) -> QualType {
        if quals == Quals::NONE {
            return ty;
        }
        if let Type::Array(of, length) = self.types.get(ty).clone() {
            let of = self.qualify(of, quals);
            return QualType {
                align: ty.align,
                ..self.types.array(of, length)
            };
        }
        ty.with(quals)
    }

    fn apply_mode(&mut self, ty: QualType, attrs: &Attrs, span: Span) -> Result<QualType> {
        let mut ty = ty;
        if let Some(mode) = attrs.mode {
            let name = self.names.name(mode);
            let signed = self.types.is_signed(ty);
            let pick = |s: Basic, u: Basic| if signed { s } else { u };
            let word = if self.types.model.pointer_bits() == 64 {
                "DI"
            } else {
                "SI"
            };
            let name = match name.trim_matches('_') {
                "byte" => "QI",
                "word" | "pointer" | "unwind_word" => word,
                other => other,
            };
            let basic = match name {
                "QI" => pick(Basic::SChar, Basic::UChar),
                "HI" => pick(Basic::Short, Basic::UShort),
                "SI" => pick(Basic::Int, Basic::UInt),
                "DI" if self.types.model.pointer_bits() == 64 => pick(Basic::Long, Basic::ULong),
                "DI" => pick(Basic::LongLong, Basic::ULongLong),
                "TI" => pick(Basic::Int128, Basic::UInt128),
                "HF" => Basic::Float16,
                "SF" => Basic::Float,
                "DF" => Basic::Double,
                "XF" => Basic::LongDouble,
                "TF" => Basic::Float128,
                "SC" => Basic::ComplexFloat,
                "DC" => Basic::ComplexDouble,
                "XC" => Basic::ComplexLongDouble,
                _ => Basic::Exotic,
            };
            ty = QualType {
                id: basic.into(),
                ..ty
            };
        }
        if let Some(size) = &attrs.vector_size {
            let bytes = self.constant_int(size)?;
            let Ok(bytes @ 1..=4096) = u64::try_from(bytes) else {
                return refuse(span, "a vector of this size is not supported");
            };
            if !bytes.is_power_of_two() {
                return fail(span, "the size of a vector is a power of two");
            }
            ty = self.types.intern(Type::Vector(ty, bytes)).into();
        }
        Ok(ty)
    }

    /// The alignment attributes ask for; 0 for none.
    pub(super) fn requested_align(&mut self, attrs: &[AlignSpec]) -> Result<u64> {
        let mut align = 0;
        for spec in attrs {
            let value = match spec {
                AlignSpec::Biggest => 16,
                AlignSpec::Type(name) => {
                    let ty = self.type_name(name)?;
                    self.types.field_align(ty)
                }
                AlignSpec::Expr(expr) => {
                    let value = self.constant_int(expr)?;
                    match u64::try_from(value) {
                        Ok(v) if v == 0 || v.is_power_of_two() && v <= 1 << 28 => v,
                        _ => return fail(expr.span, "an alignment is a power of two"),
                    }
                }
            };
            align = align.max(value);
        }
        Ok(align)
    }

    /// The type of a declared thing, and the alignment asked for it.
    pub(super) fn declared(
        &mut self,
        specs: &ast::Specs,
        declarator: &ast::Declarator,
        sizes: Sizes,
    ) -> Result<(QualType, u64)> {
        let base = self.specs_type(specs)?;
        self.declared_from(base, specs, declarator, sizes)
    }

    /// The same, with the type of the specifiers known.
    pub(super) fn declared_from(
        &mut self,
        base: QualType,
        specs: &ast::Specs,
        declarator: &ast::Declarator,
        sizes: Sizes,
    ) -> Result<(QualType, u64)> {
        let base = if declarator.derived.is_empty() || declarator.attrs.vector_size.is_none() {
            self.apply_mode(base, &declarator.attrs, specs.span)?
        } else {
            base
        };
        let ty = self.derive(base, &declarator.derived, specs.span, sizes)?;
        let mut align = self.requested_align(&specs.alignas)?;
        align = align.max(self.requested_align(&specs.attrs.aligned)?);
        align = align.max(self.requested_align(&declarator.attrs.aligned)?);
        Ok((ty, align))
    }

    pub(super) fn type_name(&mut self, name: &ast::TypeName) -> Result<QualType> {
        let base = self.specs_type(&name.specs)?;
        self.derive(base, &name.derived, name.span, Sizes::Here)
    }

    fn derive(
        &mut self,
        base: QualType,
        derived: &[Derived],
        span: Span,
        sizes: Sizes,
    ) -> Result<QualType> {
        let mut ty = base;
        for step in derived {
            ty = match step {
                Derived::Pointer(quals) => self.types.pointer(ty).with(*quals),
                Derived::Array(size) => {
                    if self.types.function_type(ty).is_some() || self.types.is_void(ty) {
                        return fail(span, "an array of functions or of `void`");
                    }
                    let length = self.array_length(size, sizes)?;
                    if let (Length::Known(n), Some(size)) = (length, self.types.size_of(ty))
                        && size.checked_mul(n).is_none_or(|total| total > MAX_OBJECT)
                    {
                        return fail(span, "the array is too large");
                    }
                    self.types.array(ty, length)
                }
                Derived::Function(params) => self.function_of(ty, params)?,
            };
        }
        Ok(ty)
    }

    fn array_length(&mut self, size: &ArraySize, sizes: Sizes) -> Result<Length> {
        let expr = match size {
            ArraySize::None | ArraySize::Star => return Ok(Length::Unknown),
            ArraySize::Expr(expr) => expr,
        };
        let checked = self.expr(expr).and_then(|e| self.value(e));
        let checked = match checked {
            Ok(checked) => checked,
            Err(_) if sizes == Sizes::Prototype => return Ok(Length::Unknown),
            Err(e) => return Err(e),
        };
        match self.eval(&checked) {
            Some(Const::Int(n)) => match u64::try_from(n) {
                Ok(n) => Ok(Length::Known(n)),
                Err(_) => fail(expr.span, "the size of an array is negative"),
            },
            _ if sizes == Sizes::Prototype => Ok(Length::Unknown),
            _ if self.state.is_none() => fail(
                expr.span,
                "the size of an array at file scope must be constant",
            ),
            _ => {
                if !self.types.is_integer(checked.ty) {
                    return fail(expr.span, "the size of an array must be an integer");
                }
                let size = self.types.size();
                let checked = self.cast(checked, size.into());
                let Some(state) = &mut self.state else {
                    return Ok(Length::Unknown);
                };
                let id = VlaId(state.vlas);
                state.vlas += 1;
                state.pending.push(Stmt::VlaLength(id, checked));
                Ok(Length::Variable(id))
            }
        }
    }

    fn function_of(&mut self, ret: QualType, params: &ast::Params) -> Result<QualType> {
        self.scopes.push(Scope::default());
        let result = self.parameter_types(params);
        self.scopes.pop();
        let list = result?;
        Ok(self.types.function(FunctionType {
            ret,
            params: list,
            variadic: params.variadic,
            prototype: params.form == ast::ParamForm::Prototype,
        }))
    }

    fn parameter_types(&mut self, params: &ast::Params) -> Result<Vec<QualType>> {
        let mut list = Vec::with_capacity(params.list.len());
        for param in &params.list {
            let (ty, _) = self.declared(&param.specs, &param.declarator, Sizes::Prototype)?;
            let alone = params.list.len() == 1 && param.declarator.name.is_none();
            if self.types.is_void(ty) {
                if alone {
                    return Ok(Vec::new());
                }
                return fail(param.span, "a parameter of type `void`");
            }
            list.push(self.adjust_parameter(ty));
        }
        Ok(list)
    }

    /// Arrays and functions as parameters are pointers.
    pub(super) fn adjust_parameter(&mut self, ty: QualType) -> QualType {
        match self.types.get(ty).clone() {
            Type::Array(of, _) => self.types.pointer(of.with(ty.quals)),
            Type::Function(_) => self.types.pointer(ty),
            _ => ty,
        }
    }

    fn record_type(&mut self, spec: &ast::RecordSpec) -> Result<TypeId> {
        let Some(members) = &spec.members else {
            let Some(tag) = spec.tag else {
                return fail(spec.span, "a record without tag or members");
            };
            if let Some(found) = self.lookup_tag(tag) {
                return self.same_kind(found, spec).map(|()| found);
            }
            return Ok(self.open_record(spec));
        };
        let here = spec
            .tag
            .and_then(|tag| self.scopes.last()?.tags.get(&tag).copied());
        let id = match here {
            Some(found) => {
                self.same_kind(found, spec)?;
                if let Type::Record(r) = self.types.get(found)
                    && self.types.record(*r).complete
                {
                    return fail(spec.span, "the structure is defined twice");
                }
                found
            }
            None => self.open_record(spec),
        };
        let mut list = Vec::new();
        for member in members {
            match member {
                ast::Member::StaticAssert(assert) => self.static_assert(assert)?,
                ast::Member::Field {
                    specs,
                    declarator,
                    width,
                    span,
                } => self.member(specs, declarator.as_ref(), width.as_ref(), *span, &mut list)?,
            }
        }
        if let Some((at, what)) = spec.attrs.unsupported {
            return refuse(at, format!("the attribute `{what}` is not supported"));
        }
        let request = RecordRequest {
            packed: spec.attrs.packed,
            align: self.requested_align(&spec.attrs.aligned)?,
            packing: u64::from(spec.packing),
        };
        let Some((fields, size, align)) = self.types.lay_out(spec.kind, list, request) else {
            return fail(spec.span, "the structure is too large");
        };
        if let Type::Record(r) = *self.types.get(id) {
            let record = &mut self.types.records[r.0 as usize];
            if record.complete {
                return fail(spec.span, "the structure is defined inside itself");
            }
            record.fields = fields;
            record.size = size;
            record.align = align;
            record.complete = true;
            record.transparent = spec.attrs.transparent_union;
        }
        Ok(id)
    }

    fn same_kind(&self, found: TypeId, spec: &ast::RecordSpec) -> Result<()> {
        match self.types.get(found) {
            Type::Record(r) if self.types.record(*r).kind == spec.kind => Ok(()),
            _ => fail(spec.span, "the tag was declared as another kind of type"),
        }
    }

    /// A new, incomplete record in the innermost scope.
    pub(super) fn open_record(&mut self, spec: &ast::RecordSpec) -> TypeId {
        let id = self.types.new_record(Record {
            kind: spec.kind,
            tag: spec.tag,
            fields: Vec::new(),
            complete: false,
            size: 0,
            align: 1,
            transparent: false,
            unit: self.unit,
        });
        if let (Some(tag), Some(scope)) = (spec.tag, self.scopes.last_mut()) {
            scope.tags.insert(tag, id);
        }
        id
    }

    fn member(
        &mut self,
        specs: &ast::Specs,
        declarator: Option<&ast::Declarator>,
        width: Option<&ast::Expr>,
        span: Span,
        list: &mut Vec<Member>,
    ) -> Result<()> {
        let empty = ast::Declarator::default();
        let (ty, align) = self.declared(specs, declarator.unwrap_or(&empty), Sizes::Here)?;
        let name = declarator.and_then(|d| d.name).map(|(n, _)| n);
        if declarator.is_none() {
            // Only an untagged record is an anonymous member; `struct s { … };` inside declares a tag.
            let anonymous = match &specs.ty {
                TypeSpec::Record(spec) => spec.tag.is_none(),
                _ => false,
            };
            if !anonymous {
                return Ok(());
            }
        }
        let width = match width {
            None => None,
            Some(expr) => {
                let value = self.constant_int(expr)?;
                let Some(basic) = self.types.basic(ty).filter(|b| int_rank(*b).is_some()) else {
                    return fail(span, "a bit-field must have an integer type");
                };
                let limit = i128::from(self.types.int_bits(basic)).min(64);
                if value < 0 || value > limit || value == 0 && name.is_some() {
                    return fail(
                        expr.span,
                        "the width of the bit-field does not fit its type",
                    );
                }
                Some(value as u32)
            }
        };
        let flexible = matches!(self.types.get(ty), Type::Array(of, Length::Unknown)
            if self.types.size_of(*of).is_some());
        if self.types.function_type(ty).is_some() {
            return fail(span, "a member cannot be a function");
        }
        if self.types.size_of(ty).is_none() && !flexible {
            let shown = self.show(ty);
            return fail(span, format!("a member of incomplete type `{shown}`"));
        }
        list.push(Member {
            field: Field {
                name,
                ty,
                offset: 0,
                bits: None,
            },
            width,
            packed: declarator.is_some_and(|d| d.attrs.packed) || specs.attrs.packed,
            align,
        });
        Ok(())
    }

    fn enum_type(&mut self, spec: &ast::EnumSpec) -> Result<TypeId> {
        let Some(constants) = &spec.constants else {
            let Some(tag) = spec.tag else {
                return fail(spec.span, "an enumeration without tag or constants");
            };
            return match self.lookup_tag(tag) {
                Some(found) if matches!(self.types.get(found), Type::Enum(_)) => Ok(found),
                Some(_) => fail(spec.span, "the tag was declared as another kind of type"),
                None => Ok(self.open_enum(Some(tag))),
            };
        };
        let here = spec
            .tag
            .and_then(|tag| self.scopes.last()?.tags.get(&tag).copied());
        let id = match here {
            Some(found) => match self.types.get(found) {
                Type::Enum(e) if self.types.enums[e.0 as usize].underlying.is_none() => found,
                _ => return fail(spec.span, "the tag is defined twice"),
            },
            None => self.open_enum(spec.tag),
        };
        let mut list: Vec<(Symbol, i128)> = Vec::with_capacity(constants.len());
        let mut next: i128 = 0;
        for (name, value, span) in constants {
            if let Some(expr) = value {
                next = self.constant_int(expr)?;
            }
            if next > i128::from(u64::MAX) || next < i128::from(i64::MIN) {
                return fail(*span, "the enumeration constant is too large");
            }
            let ty = [
                Basic::Int,
                Basic::UInt,
                Basic::Long,
                Basic::ULong,
                Basic::LongLong,
            ]
            .into_iter()
            .find(|&b| self.types.wrap(next, b) == next)
            .unwrap_or(Basic::ULongLong);
            self.bind(*name, Entity::Constant(next, ty.into()));
            list.push((*name, next));
            next += 1;
        }
        let low = list.iter().map(|&(_, v)| v).min().unwrap_or(0);
        let high = list.iter().map(|&(_, v)| v).max().unwrap_or(0);
        let mut candidates = Vec::new();
        if spec.attrs.packed {
            candidates.extend([Basic::UChar, Basic::SChar, Basic::UShort, Basic::Short]);
        }
        candidates.extend([Basic::UInt, Basic::Int, Basic::ULong, Basic::Long]);
        candidates.extend([Basic::ULongLong, Basic::LongLong]);
        let fits = |b: &Basic| self.types.wrap(low, *b) == low && self.types.wrap(high, *b) == high;
        let mut underlying = candidates.into_iter().find(fits).unwrap_or(Basic::LongLong);
        if let Some(mode) = spec.attrs.mode {
            let attrs = Attrs {
                mode: Some(mode),
                ..Attrs::default()
            };
            let moded = self.apply_mode(underlying.into(), &attrs, spec.span)?;
            underlying = self.types.basic(moded).unwrap_or(underlying);
        }
        // Constants keep type `int` unless the enumeration needs a wider one.
        let constant =
            if int_rank(underlying) > Some(3) || self.types.wrap(high, Basic::Int) != high {
                underlying
            } else {
                Basic::Int
            };
        for &(name, value) in &list {
            self.bind(name, Entity::Constant(value, constant.into()));
        }
        if let Type::Enum(e) = *self.types.get(id) {
            let record = &mut self.types.enums[e.0 as usize];
            record.constants = list;
            record.underlying = Some(underlying);
        }
        Ok(id)
    }

    fn open_enum(&mut self, tag: Option<Symbol>) -> TypeId {
        let id = self.types.new_enum(tag, self.unit);
        if let (Some(tag), Some(scope)) = (tag, self.scopes.last_mut()) {
            scope.tags.insert(tag, id);
        }
        id
    }

    /// A member by name, also inside anonymous members: its offset from the record, and the member.
    pub(super) fn find_field(&self, record: RecordId, name: Symbol) -> Option<(u64, Field)> {
        for field in &self.types.record(record).fields {
            if field.name == Some(name) {
                return Some((field.offset, field.clone()));
            }
            if field.name.is_none()
                && let Type::Record(inner) = self.types.get(field.ty)
                && let Some((offset, mut found)) = self.find_field(*inner, name)
            {
                found.ty = found.ty.with(field.ty.quals);
                return Some((field.offset + offset, found));
            }
        }
        None
    }

    /// Access to a member of a record.
    pub(super) fn member_of(
        &mut self,
        base: crate::hir::Expr,
        name: Symbol,
        span: Span,
    ) -> Result<crate::hir::Expr> {
        let Type::Record(record) = *self.types.get(base.ty) else {
            let shown = self.show(base.ty);
            let name = self.names.name(name);
            return fail(
                span,
                format!("member `{name}` of something that is `{shown}`"),
            );
        };
        let Some((offset, field)) = self.find_field(record, name) else {
            let shown = self.show(base.ty);
            let name = self.names.name(name);
            return fail(span, format!("`{shown}` has no member `{name}`"));
        };
        let ty = self.qualify(field.ty, base.ty.quals.without(Quals::ATOMIC));
        let kind = Kind::Member {
            base: Box::new(base),
            offset,
            bits: field.bits,
        };
        Ok(make(kind, ty, span))
    }
}
