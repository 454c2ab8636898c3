//! Expressions: names, literals, calls, members, sizes, and the GNU forms.

use super::convert::{int, is_lvalue, make};
use super::{Const, Entity, Scope, Sema};
use crate::ast::{self, Basic, Designator, Encoding, ExprKind};
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::*;
use crate::source::Span;
use crate::token::Symbol;
use crate::types::*;
use std::rc::Rc;

impl Sema<'_> {
    /// Checks an expression; the result may still be an lvalue, an array or a function.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Name(name) => self.name(*name, span),
            ExprKind::FunctionName => self.function_name(span),
            ExprKind::Int {
                value,
                unsigned,
                longs,
                decimal,
            } => Ok(self.integer(*value, *unsigned, *longs, *decimal, span)),
            ExprKind::Float(literal) => match super::eval::literal(literal) {
                Some(bits) => Ok(make(Kind::Float(bits), literal.ty, span)),
                None => fail(span, "invalid floating constant"),
            },
            ExprKind::Char { value, encoding } => {
                let ty = match encoding {
                    Encoding::Plain => Basic::Int,
                    other => self.element(*other),
                };
                Ok(int(self.types.wrap(i128::from(*value), ty), ty, span))
            }
            ExprKind::Str { units, encoding } => {
                let element = self.element(*encoding);
                Ok(self.string_object(units, element, span))
            }
            ExprKind::Generic(control, arms) => self.generic(control, arms, span),
            ExprKind::StmtExpr(block) => self.statement_expression(block, span),
            ExprKind::Index(a, b) => self.subscript(a, b, span),
            ExprKind::Call(callee, args) => self.call(callee, args, span),
            ExprKind::Member(base, name) => {
                let base = self.expr(base)?;
                self.member_of(base, *name, span)
            }
            ExprKind::Arrow(base, name) => {
                let base = self.expr_value(base)?;
                let place = self.deref(base, span)?;
                self.member_of(place, *name, span)
            }
            ExprKind::CompoundLiteral(name, list) => self.compound_literal(name, list, span),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExprKind::Cast(name, operand) => self.cast_expression(name, operand, span),
            ExprKind::SizeofExpr(operand) => {
                let ty = self.type_of(operand)?;
                self.sizeof(ty, span)
            }
            ExprKind::SizeofType(name) => {
                let ty = self.type_name(name)?;
                self.sizeof(ty, span)
            }
            ExprKind::AlignofExpr(operand) => {
                let ty = self.type_of(operand)?;
                Ok(int(
                    i128::from(self.types.align_of(ty)),
                    self.types.size(),
                    span,
                ))
            }
            ExprKind::AlignofType(name, of_variable) => {
                let ty = self.type_name(name)?;
                let align = if *of_variable {
                    self.types.align_of(ty)
                } else {
                    self.types.field_align(ty)
                };
                Ok(int(i128::from(align), self.types.size(), span))
            }
            ExprKind::Binary(op, a, b) => {
                let a = self.expr(a)?;
                let b = self.expr(b)?;
                self.binary(*op, a, b, span)
            }
            ExprKind::Assign(op, a, b) => {
                let a = self.expr(a)?;
                let b = self.expr(b)?;
                self.assignment(*op, a, b, span)
            }
            ExprKind::Conditional(c, a, b) => self.conditional(c, a.as_deref(), b, span),
            ExprKind::Comma(a, b) => {
                let a = self.expr(a)?;
                let b = self.expr_value(b)?;
                let ty = b.ty;
                Ok(make(Kind::Comma(Box::new(a), Box::new(b)), ty, span))
            }
            ExprKind::AddressOfLabel => refuse(span, "the address of a label is not supported"),
            ExprKind::VaArg(list, name) => {
                let list = self.va_list_address(list)?;
                let ty = self.type_name(name)?;
                Ok(make(Kind::VaArg(Box::new(list)), ty.unqualified(), span))
            }
            ExprKind::Offsetof(name, path) => self.offsetof(name, path, span),
            ExprKind::TypesCompatible(a, b) => {
                let a = self.type_name(a)?;
                let b = self.type_name(b)?;
                let same = self.compatible_unqualified(a, b);
                // An enumeration is compatible with its integer type, but gcc says no here.
                let enums = matches!(self.types.get(a), Type::Enum(_))
                    == matches!(self.types.get(b), Type::Enum(_));
                Ok(int(i128::from(same && enums), Basic::Int, span))
            }
            ExprKind::ChooseExpr(c, a, b) => {
                if self.constant_int(c)? != 0 {
                    self.expr(a)
                } else {
                    self.expr(b)
                }
            }
        }
    }

    pub(super) fn expr_value(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let checked = self.expr(expr)?;
        self.value(checked)
    }

    /// The type of an operand that is not evaluated.
    pub(super) fn type_of(&mut self, expr: &ast::Expr) -> Result<QualType> {
        self.unevaluated += 1;
        let checked = self.expr(expr);
        self.unevaluated -= 1;
        Ok(checked?.ty)
    }

    fn element(&self, encoding: Encoding) -> Basic {
        match encoding {
            Encoding::Plain | Encoding::Utf8 => Basic::Char,
            Encoding::Wide => self.types.wchar(),
            Encoding::Char16 => Basic::UShort,
            Encoding::Char32 => Basic::UInt,
        }
    }

    fn name(&mut self, name: Symbol, span: Span) -> Result<Expr> {
        match self.lookup(name) {
            Some(Entity::Constant(value, ty)) => Ok(make(Kind::Int(value), ty, span)),
            Some(Entity::Object(id)) => {
                let ty = self.objects[id.0 as usize].ty;
                Ok(make(Kind::Object(id), ty, span))
            }
            Some(Entity::Function(id)) => {
                let ty = self.functions[id.0 as usize].ty;
                Ok(make(Kind::Function(id), ty, span))
            }
            Some(Entity::Var(var)) => {
                let ty = match &self.state {
                    Some(state) => state.vars[var.0 as usize].ty,
                    None => return fail(span, "a variable outside of its function"),
                };
                Ok(make(Kind::Var(var), ty, span))
            }
            Some(Entity::Typedef(_)) => {
                let name = self.names.name(name);
                fail(span, format!("`{name}` is a type, not a value"))
            }
            None => {
                let text = self.names.name(name);
                // A builtin function used as a value, as in `f = __builtin_memcpy`.
                if let Some(plain) = text.strip_prefix("__builtin_")
                    && let Some(Entity::Function(id)) = self.external(plain)
                {
                    let ty = self.functions[id.0 as usize].ty;
                    return Ok(make(Kind::Function(id), ty, span));
                }
                fail(span, format!("`{text}` is not declared"))
            }
        }
    }

    fn function_name(&mut self, span: Span) -> Result<Expr> {
        let name = self.state.as_ref().map_or("".into(), |s| s.name.clone());
        let units: Rc<[u32]> = name.bytes().map(u32::from).collect();
        Ok(self.string_object(&units, Basic::Char, span))
    }

    fn integer(&self, value: u64, unsigned: bool, longs: u8, decimal: bool, span: Span) -> Expr {
        let value = i128::from(value);
        let ladder = [
            (Basic::Int, 0, false),
            (Basic::UInt, 0, true),
            (Basic::Long, 1, false),
            (Basic::ULong, 1, true),
            (Basic::LongLong, 2, false),
            (Basic::ULongLong, 2, true),
        ];
        let ty = ladder
            .into_iter()
            .filter(|&(_, size, is_unsigned)| {
                size >= longs
                    && if unsigned {
                        is_unsigned
                    } else {
                        !is_unsigned || !decimal
                    }
            })
            .find(|&(ty, ..)| self.types.wrap(value, ty) == value)
            .map_or(Basic::ULongLong, |(ty, ..)| ty);
        // A decimal constant too large for `long long` is `__int128` to gcc.
        let ty = if decimal && !unsigned && ty == Basic::ULongLong {
            Basic::Int128
        } else {
            ty
        };
        int(value, ty, span)
    }

    /// What a pointer points to.
    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Result<Expr> {
        match self.types.pointee(pointer.ty) {
            Some(to) => Ok(make(Kind::Deref(Box::new(pointer)), to, span)),
            None => {
                let shown = self.show(pointer.ty);
                fail(span, format!("`{shown}` is not a pointer"))
            }
        }
    }

    /// The size of a type, constant or not.
    pub fn size(&self, ty: QualType) -> Option<Size> {
        if let Some(size) = self.types.size_of(ty) {
            return Some(Size::Const(size));
        }
        match self.types.get(ty) {
            Type::Array(of, Length::Variable(id)) => {
                Some(Size::Vla(*id, Box::new(self.size(*of)?)))
            }
            Type::Array(of, Length::Known(n)) => Some(Size::Times(*n, Box::new(self.size(*of)?))),
            _ => None,
        }
    }

    fn sizeof(&mut self, ty: QualType, span: Span) -> Result<Expr> {
        match self.size(ty) {
            Some(Size::Const(size)) => Ok(int(i128::from(size), self.types.size(), span)),
            Some(size) => Ok(make(
                Kind::RuntimeSize(Box::new(size)),
                self.types.size(),
                span,
            )),
            None => {
                let shown = self.show(ty);
                fail(span, format!("the size of incomplete type `{shown}`"))
            }
        }
    }

    fn generic(
        &mut self,
        control: &ast::Expr,
        arms: &[(Option<ast::TypeName>, ast::Expr)],
        span: Span,
    ) -> Result<Expr> {
        self.unevaluated += 1;
        let control = self.expr_value(control);
        self.unevaluated -= 1;
        let ty = control?.ty.unqualified();
        let mut default = None;
        for (name, value) in arms {
            match name {
                None => default = Some(value),
                Some(name) => {
                    let arm = self.type_name(name)?;
                    if self.compatible(arm, ty) {
                        return self.expr(value);
                    }
                }
            }
        }
        match default {
            Some(value) => self.expr(value),
            None => {
                let shown = self.show(ty);
                fail(span, format!("no association of `_Generic` fits `{shown}`"))
            }
        }
    }

    fn statement_expression(&mut self, block: &ast::Block, span: Span) -> Result<Expr> {
        if self.state.is_none() {
            return fail(span, "a statement expression outside of a function");
        }
        let pending = self.state.as_mut().map(|s| std::mem::take(&mut s.pending));
        let scope = self.open_scope(&block.labels);
        let result = self.statement_expression_body(block);
        self.close_scope();
        if let (Some(state), Some(pending)) = (&mut self.state, pending) {
            state.pending = pending;
        }
        let (stmts, value) = result?;
        let ty = value.as_ref().map_or(Basic::Void.into(), |v: &Expr| v.ty);
        Ok(make(
            Kind::StmtExpr(scope, stmts, value.map(Box::new)),
            ty,
            span,
        ))
    }

    fn statement_expression_body(
        &mut self,
        block: &ast::Block,
    ) -> Result<(Vec<Stmt>, Option<Expr>)> {
        let mut stmts = Vec::new();
        for (index, stmt) in block.stmts.iter().enumerate() {
            let last = index + 1 == block.stmts.len();
            if last && let ast::StmtKind::Expr(value) = &stmt.kind {
                let value = self.expr_value(value)?;
                self.flush_pending(&mut stmts);
                return Ok((stmts, Some(value)));
            }
            self.statement(stmt, &mut stmts)?;
        }
        Ok((stmts, None))
    }

    fn compound_literal(
        &mut self,
        name: &ast::TypeName,
        list: &Rc<ast::InitList>,
        span: Span,
    ) -> Result<Expr> {
        let ty = self.type_name(name)?;
        let (ty, init) = self.list_initialiser(ty, list)?;
        if self.types.size_of(ty).is_none() {
            return fail(span, "a compound literal of incomplete type");
        }
        if self.state.is_none() {
            let id = self.new_object("literal".into(), ty, span);
            let object = &mut self.objects[id.0 as usize];
            object.init = Some(Rc::new(init));
            object.defined = true;
            return Ok(make(Kind::Object(id), ty, span));
        }
        let var = self.new_var("".into(), ty, span, 0);
        Ok(make(Kind::CompoundLiteral(var, Rc::new(init)), ty, span))
    }

    fn cast_expression(
        &mut self,
        name: &ast::TypeName,
        operand: &ast::Expr,
        span: Span,
    ) -> Result<Expr> {
        let to = self.type_name(name)?;
        let value = self.expr(operand)?;
        if self.types.is_void(to) {
            return Ok(make(Kind::Cast(Box::new(value)), Basic::Void, span));
        }
        let value = self.value(value)?;
        if let Type::Record(record) = *self.types.get(to) {
            if self.compatible_unqualified(to, value.ty) {
                return Ok(value);
            }
            return self.cast_to_union(value, to, record, span);
        }
        if matches!(self.types.get(to), Type::Vector(..)) {
            return Ok(make(Kind::Cast(Box::new(value)), to.unqualified(), span));
        }
        if self.vector(value.ty).is_some() {
            return Ok(make(Kind::Cast(Box::new(value)), to.unqualified(), span));
        }
        if !self.types.is_scalar(to) || !self.types.is_scalar(value.ty) {
            let (from, to) = (self.show(value.ty), self.show(to));
            return fail(span, format!("cannot cast `{from}` to `{to}`"));
        }
        let mut cast = self.cast(value, to);
        cast.span = span;
        Ok(cast)
    }

    fn cast_to_union(
        &mut self,
        value: Expr,
        to: QualType,
        record: RecordId,
        span: Span,
    ) -> Result<Expr> {
        let fields = self.types.record(record).fields.clone();
        let field = fields
            .iter()
            .find(|f| self.compatible_unqualified(f.ty, value.ty));
        let Some(field) = field.filter(|_| self.state.is_some()) else {
            let (from, to) = (self.show(value.ty), self.show(to));
            return fail(span, format!("cannot cast `{from}` to `{to}`"));
        };
        let init = Init {
            entries: vec![InitEntry {
                offset: field.offset,
                bits: field.bits,
                ty: field.ty,
                value: InitValue::Expr(Rc::new(value)),
            }],
            zero_rest: true,
        };
        let var = self.new_var("".into(), to.unqualified(), span, 0);
        let literal = make(
            Kind::CompoundLiteral(var, Rc::new(init)),
            to.unqualified(),
            span,
        );
        self.value(literal)
    }

    fn offsetof(&mut self, name: &ast::TypeName, path: &[Designator], span: Span) -> Result<Expr> {
        let mut ty = self.type_name(name)?;
        let size = self.types.size();
        let mut sum = int(0, size, span);
        for step in path {
            let term = match step {
                Designator::Field(name, span) => {
                    let Type::Record(record) = *self.types.get(ty) else {
                        return fail(*span, "a member of something that is not a record");
                    };
                    let Some((offset, field)) = self.find_field(record, *name) else {
                        let name = self.names.name(*name);
                        return fail(*span, format!("no member `{name}`"));
                    };
                    ty = field.ty;
                    int(i128::from(offset), size, *span)
                }
                Designator::Index(index) => {
                    let Type::Array(of, _) = *self.types.get(ty) else {
                        return fail(span, "an index into something that is not an array");
                    };
                    ty = of;
                    let index = self.expr_value(index)?;
                    let index = self.cast(index, size.into());
                    let bytes = int(i128::from(self.types.size_of(of).unwrap_or(0)), size, span);
                    make(
                        Kind::Arith(Arith::Mul, Box::new(index), Box::new(bytes)),
                        size,
                        span,
                    )
                }
                Designator::Range(..) => return fail(span, "a range in `offsetof`"),
            };
            sum = make(
                Kind::Arith(Arith::Add, Box::new(sum), Box::new(term)),
                size,
                span,
            );
        }
        match self.eval(&sum) {
            Some(Const::Int(value)) => Ok(int(value, size, span)),
            _ => Ok(sum),
        }
    }

    fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Result<Expr> {
        if let ExprKind::Name(name) = callee.kind {
            let found = self.lookup(name);
            let defined = match found {
                Some(Entity::Function(id)) => self.functions[id.0 as usize].body.is_some(),
                Some(_) => true,
                None => false,
            };
            if !defined && let Some(result) = self.builtin(name, found, args, span)? {
                return Ok(result);
            }
            if found.is_none() {
                self.declare_implicitly(name, callee.span);
            }
        }
        let callee = self.expr_value(callee)?;
        let function = self
            .types
            .pointee(callee.ty)
            .and_then(|to| self.types.function_type(to));
        let Some(function) = function else {
            return fail(span, "what is called is not a function");
        };
        let mut list = Vec::with_capacity(args.len());
        if function.prototype {
            let enough = args.len() >= function.params.len();
            if !enough || args.len() > function.params.len() && !function.variadic {
                let wanted = function.params.len();
                return fail(
                    span,
                    format!("the function takes {wanted} arguments, not {}", args.len()),
                );
            }
        }
        for (index, arg) in args.iter().enumerate() {
            let value = self.expr(arg)?;
            let value = match function.params.get(index).filter(|_| function.prototype) {
                Some(&param) => self.assign_to(value, param)?,
                None => self.promoted_argument(value)?,
            };
            list.push(value);
        }
        let named = if function.prototype {
            function.params.len()
        } else {
            list.len()
        };
        let ret = function.ret.unqualified();
        if !self.types.is_void(ret) && self.types.size_of(ret).is_none() && self.unevaluated == 0 {
            return fail(span, "the result of the call has an incomplete type");
        }
        // A call of a designator needs no pointer.
        let callee = match callee.kind {
            Kind::AddressOf(inner) if matches!(inner.kind, Kind::Function(_)) => *inner,
            kind => Expr { kind, ..callee },
        };
        let kind = Kind::Call {
            callee: Box::new(callee),
            args: list,
            named,
        };
        Ok(make(kind, ret, span))
    }

    pub(super) fn promoted_argument(&mut self, value: Expr) -> Result<Expr> {
        let value = self.value(value)?;
        if self.types.is_void(value.ty) {
            return fail(value.span, "an argument of type `void`");
        }
        let ty = match self.promoted(&value) {
            Some(basic) if int_rank(basic).is_some() => basic.into(),
            _ => self.default_promotion(value.ty),
        };
        Ok(self.cast(value, ty))
    }

    /// The address of a `va_list`, whether it is an array, a parameter, or a pointer.
    pub(super) fn va_list_address(&mut self, list: &ast::Expr) -> Result<Expr> {
        let list = self.expr(list)?;
        let span = list.span;
        if self.types.is_pointer(self.types.va_list) {
            if !is_lvalue(&list) {
                return fail(span, "a `va_list` must be an object");
            }
            return self.address_of(list, span);
        }
        let value = self.value(list)?;
        if !self.types.is_pointer(value.ty) {
            return fail(span, "this is not a `va_list`");
        }
        Ok(value)
    }

    pub(super) fn open_scope(&mut self, labels: &[Symbol]) -> ScopeId {
        self.scopes.push(Scope::default());
        let Some(state) = &mut self.state else {
            return ScopeId(0);
        };
        let id = ScopeId(state.scope_parents.len() as u32);
        state.scope_parents.push(state.scope);
        state.scope = id;
        let mut names = std::collections::HashMap::new();
        for &label in labels {
            let label_id = LabelId(state.labels.len() as u32);
            state.labels.push(id);
            names.insert(label, label_id);
        }
        state.label_names.push(names);
        id
    }

    pub(super) fn close_scope(&mut self) {
        self.scopes.pop();
        if let Some(state) = &mut self.state {
            state.scope = state.scope_parents[state.scope.0 as usize];
            state.label_names.pop();
        }
    }

    /// A new variable in the innermost scope.
    pub(super) fn new_var(&mut self, name: Rc<str>, ty: QualType, span: Span, align: u64) -> VarId {
        let Some(state) = &mut self.state else {
            // Only reached for a statement expression or transparent union at file scope, which is refused
            // when the initialiser is evaluated.
            return VarId(u32::MAX);
        };
        let id = VarId(state.vars.len() as u32);
        state.vars.push(Var {
            name,
            ty,
            scope: state.scope,
            address_taken: false,
            span,
            align,
        });
        id
    }
}
