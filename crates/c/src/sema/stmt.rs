//! Function bodies: statements, local declarations, labels.

use super::resolve::Sizes;
use super::{Entity, FunctionState, Scope, Sema, Switch};
use crate::ast::{self, Basic, Derived, Label, StmtKind, Storage, TypeSpec};
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::*;
use crate::source::Span;
use crate::token::Symbol;
use crate::types::*;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

impl Sema<'_> {
    /// Checks the body of a function.
    pub fn body(&mut self, id: FunctionId) -> Result<Body> {
        let function = &self.functions[id.0 as usize];
        let Some(ast) = function.body.clone() else {
            return fail(function.span, "the function has no body");
        };
        let ty = function.definition_ty.unwrap_or(function.ty);
        let (unit, name) = (function.unit, function.name.clone());
        let Some(ty) = self.types.function_type(ty) else {
            return fail(ast.span, "this is not a function");
        };
        self.unit = unit;
        let file_scope = std::mem::take(&mut self.units[unit].scope);
        self.scopes = vec![file_scope, Scope::default()];
        self.state = Some(FunctionState {
            name,
            ret: ty.ret,
            vars: Vec::new(),
            scope_parents: vec![ScopeId(0)],
            scope: ScopeId(0),
            labels: Vec::new(),
            label_names: vec![HashMap::new()],
            defined: HashSet::new(),
            wanted: Vec::new(),
            vlas: 0,
            pending: Vec::new(),
            switches: Vec::new(),
            breakable: 0,
            loops: 0,
            has_varargs: ty.variadic,
        });
        self.unevaluated = 0;
        let result = self.body_inner(&ast);
        let state = self.state.take();
        self.scopes.truncate(1);
        self.units[unit].scope = self.scopes.pop().unwrap_or_default();
        let (params, prologue, stmts) = result?;
        let Some(state) = state else {
            return fail(ast.span, "the function has no state");
        };
        for (label, name, span) in &state.wanted {
            if !state.defined.contains(label) {
                let name = self.names.name(*name);
                return fail(*span, format!("the label `{name}` is not defined"));
            }
        }
        Ok(Body {
            params,
            vars: state.vars,
            scopes: state.scope_parents,
            labels: state.labels,
            prologue,
            stmts,
            end: Span {
                lo: ast.body.span.hi.saturating_sub(1),
                hi: ast.body.span.hi,
            },
        })
    }

    /// What a definition calls one of its parameters.
    pub fn parameter_name(&self, id: FunctionId, index: usize) -> Option<Rc<str>> {
        let ast = self.functions[id.0 as usize].body.as_ref()?;
        let derived = ast.declarator.derived.iter().rev();
        let lists = derived.filter_map(|d| match d {
            Derived::Function(params) => Some(params),
            _ => None,
        });
        let (symbol, _) = lists.clone().next()?.list.get(index)?.declarator.name?;
        Some(self.names.name(symbol))
    }

    fn body_inner(&mut self, ast: &ast::Function) -> Result<(Vec<VarId>, Vec<Stmt>, Vec<Stmt>)> {
        let params = ast.declarator.derived.iter().rev().find_map(|d| match d {
            Derived::Function(params) => Some(params.clone()),
            _ => None,
        });
        let Some(params) = params else {
            return fail(ast.span, "this is not a function");
        };
        let mut vars = Vec::new();
        for param in &params.list {
            let (ty, align) = self.declared(&param.specs, &param.declarator, Sizes::Here)?;
            if self.types.is_void(ty) && params.list.len() == 1 {
                break;
            }
            let ty = self.adjust_parameter(ty);
            let (name, span) = match param.declarator.name {
                Some((symbol, span)) => (self.names.name(symbol), span),
                None => ("".into(), param.span),
            };
            let var = self.new_var(name, ty, span, align);
            if let Some((symbol, _)) = param.declarator.name {
                self.bind(symbol, Entity::Var(var));
            }
            vars.push(var);
        }
        let mut prologue = Vec::new();
        self.flush_pending(&mut prologue);
        if let Some(state) = &mut self.state {
            for &label in &ast.body.labels {
                let id = LabelId(state.labels.len() as u32);
                state.labels.push(ScopeId(0));
                state.label_names[0].insert(label, id);
            }
        }
        let mut stmts = Vec::new();
        for stmt in &ast.body.stmts {
            self.statement(stmt, &mut stmts)?;
        }
        Ok((vars, prologue, stmts))
    }

    pub(super) fn flush_pending(&mut self, out: &mut Vec<Stmt>) {
        if let Some(state) = &mut self.state {
            out.append(&mut state.pending);
        }
    }

    fn single(&mut self, stmt: &ast::Stmt) -> Result<Stmt> {
        let mut list = Vec::new();
        self.statement(stmt, &mut list)?;
        Ok(match list.len() {
            1 => list.remove(0),
            _ => Stmt::Sequence(list),
        })
    }

    /// The body of a loop or branch, which is a scope of its own.
    fn scoped(&mut self, stmt: &ast::Stmt) -> Result<Stmt> {
        if matches!(stmt.kind, StmtKind::Block(_)) {
            return self.single(stmt);
        }
        let scope = self.open_scope(&[]);
        let inner = self.single(stmt);
        self.close_scope();
        Ok(Stmt::Block(scope, vec![inner?]))
    }

    fn loop_body(&mut self, stmt: &ast::Stmt) -> Result<Stmt> {
        if let Some(state) = &mut self.state {
            state.loops += 1;
            state.breakable += 1;
        }
        let body = self.scoped(stmt);
        if let Some(state) = &mut self.state {
            state.loops -= 1;
            state.breakable -= 1;
        }
        body
    }

    fn condition_of(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let value = self.expr(expr)?;
        self.condition(value)
    }

    pub(super) fn statement(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Result<()> {
        let span = stmt.span;
        let made = match &stmt.kind {
            StmtKind::Empty => return Ok(()),
            StmtKind::Expr(expr) => {
                let value = self.statement_value(expr)?;
                self.flush_pending(out);
                Stmt::Expr(value)
            }
            StmtKind::Block(block) => {
                let scope = self.open_scope(&block.labels);
                let mut inner = Vec::new();
                let mut result = Ok(());
                for stmt in &block.stmts {
                    result = self.statement(stmt, &mut inner);
                    if result.is_err() {
                        break;
                    }
                }
                self.close_scope();
                result?;
                Stmt::Block(scope, inner)
            }
            StmtKind::Declaration(declaration) => return self.local_declaration(declaration, out),
            StmtKind::StaticAssert(assert) => return self.static_assert(assert),
            StmtKind::NestedFunction => return refuse(span, "nested functions are not supported"),
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.condition_of(condition)?;
                self.flush_pending(out);
                let then = Box::new(self.scoped(then)?);
                let otherwise = match otherwise {
                    Some(stmt) => Some(Box::new(self.scoped(stmt)?)),
                    None => None,
                };
                Stmt::If(condition, then, otherwise)
            }
            StmtKind::While(condition, body) => {
                let condition = self.condition_of(condition)?;
                self.flush_pending(out);
                Stmt::While(condition, Box::new(self.loop_body(body)?), span)
            }
            StmtKind::DoWhile(body, condition) => {
                let body = Box::new(self.loop_body(body)?);
                let condition = self.condition_of(condition)?;
                self.flush_pending(out);
                Stmt::DoWhile(body, condition, span)
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                let scope = self.open_scope(&[]);
                let result =
                    self.for_parts(init.as_deref(), condition.as_ref(), step.as_ref(), body);
                self.close_scope();
                let (init, condition, step, body) = result?;
                Stmt::For {
                    scope,
                    init,
                    condition,
                    step,
                    body: Box::new(body),
                    span,
                }
            }
            StmtKind::Switch(value, body) => self.switch(value, body, span, out)?,
            StmtKind::Labeled(labels, body) => {
                for (label, span) in labels {
                    let label = self.define_label(label, *span)?;
                    out.push(Stmt::Label(label, *span));
                }
                return self.statement(body, out);
            }
            StmtKind::Goto(name) => Stmt::Goto(self.label(*name, span), span),
            StmtKind::GotoComputed => return refuse(span, "computed `goto` is not supported"),
            StmtKind::Continue => {
                if self.state.as_ref().is_some_and(|s| s.loops == 0) {
                    return fail(span, "`continue` outside of a loop");
                }
                Stmt::Continue(span)
            }
            StmtKind::Break => {
                if self.state.as_ref().is_some_and(|s| s.breakable == 0) {
                    return fail(span, "`break` outside of a loop or `switch`");
                }
                Stmt::Break(span)
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref(), span, out)?,
            StmtKind::Asm(asm) => {
                if !asm.is_barrier {
                    self.assembly(asm, span, out)?;
                }
                return Ok(());
            }
        };
        out.push(made);
        Ok(())
    }

    fn return_statement(
        &mut self,
        value: Option<&ast::Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Result<Stmt> {
        let ret = self.state.as_ref().map_or(Basic::Void.into(), |s| s.ret);
        let value = match value {
            None => None,
            Some(expr) => {
                let value = self.expr(expr)?;
                if self.types.is_void(ret) {
                    // `return f();` in a void function is evaluated for its effects.
                    let value = self.value(value)?;
                    self.flush_pending(out);
                    out.push(Stmt::Expr(value));
                    return Ok(Stmt::Return(None, span));
                }
                Some(self.assign_to(value, ret)?)
            }
        };
        self.flush_pending(out);
        Ok(Stmt::Return(value, span))
    }

    #[allow(clippy::type_complexity)]
    fn for_parts(
        &mut self,
        init: Option<&ast::Stmt>,
        condition: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
    ) -> Result<(Vec<Stmt>, Option<Expr>, Option<Expr>, Stmt)> {
        let mut first = Vec::new();
        if let Some(init) = init {
            self.statement(init, &mut first)?;
        }
        let condition = match condition {
            Some(c) => Some(self.condition_of(c)?),
            None => None,
        };
        let step = match step {
            Some(s) => Some(self.statement_value(s)?),
            None => None,
        };
        self.flush_pending(&mut first);
        let body = self.loop_body(body)?;
        Ok((first, condition, step, body))
    }

    fn switch(
        &mut self,
        value: &ast::Expr,
        body: &ast::Stmt,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Result<Stmt> {
        let value = self.expr_value(value)?;
        self.flush_pending(out);
        let Some(ty) = self.promoted(&value).filter(|b| int_rank(*b).is_some()) else {
            return fail(value.span, "`switch` needs an integer");
        };
        let value = self.cast(value, ty.into());
        if let Some(state) = &mut self.state {
            state.breakable += 1;
            state.switches.push(Switch {
                cases: Vec::new(),
                default: None,
                ty,
            });
        }
        let body = self.scoped(body);
        let switch = self.state.as_mut().and_then(|state| {
            state.breakable -= 1;
            state.switches.pop()
        });
        let body = Box::new(body?);
        let Some(switch) = switch else {
            return fail(span, "`switch` outside of a function");
        };
        let mut sorted: Vec<_> = switch.cases.iter().map(|c| (c.0, c.1)).collect();
        sorted.sort_unstable();
        if sorted.windows(2).any(|w| w[0].1 >= w[1].0) {
            return fail(span, "a `case` value occurs twice");
        }
        Ok(Stmt::Switch {
            value,
            body,
            cases: switch.cases,
            default: switch.default,
            span,
        })
    }

    fn define_label(&mut self, label: &Label, span: Span) -> Result<LabelId> {
        let range = match label {
            Label::Name(name) => {
                let id = self.label(*name, span);
                let Some(state) = &mut self.state else {
                    return fail(span, "a label outside of a function");
                };
                state.labels[id.0 as usize] = state.scope;
                if !state.defined.insert(id) {
                    let name = self.names.name(*name);
                    return fail(span, format!("the label `{name}` is defined twice"));
                }
                return Ok(id);
            }
            Label::Case(value) => {
                let value = self.constant_int(value)?;
                Some((value, value))
            }
            Label::Range(low, high) => Some((self.constant_int(low)?, self.constant_int(high)?)),
            Label::Default => None,
        };
        let ty = match self.state.as_ref().and_then(|s| s.switches.last()) {
            Some(switch) => switch.ty,
            None => return fail(span, "a `case` outside of a `switch`"),
        };
        let range = range.map(|(a, b)| (self.types.wrap(a, ty), self.types.wrap(b, ty)));
        let Some(state) = &mut self.state else {
            return fail(span, "a label outside of a function");
        };
        let id = LabelId(state.labels.len() as u32);
        state.labels.push(state.scope);
        let Some(switch) = state.switches.last_mut() else {
            return fail(span, "a `case` outside of a `switch`");
        };
        match range {
            // An empty range matches nothing.
            Some((low, high)) if low > high => {}
            Some((low, high)) => switch.cases.push((low, high, id)),
            None if switch.default.is_some() => return fail(span, "`default` occurs twice"),
            None => switch.default = Some(id),
        }
        Ok(id)
    }

    fn label(&mut self, name: Symbol, span: Span) -> LabelId {
        let Some(state) = &mut self.state else {
            return LabelId(0);
        };
        let found = state
            .label_names
            .iter()
            .rev()
            .find_map(|names| names.get(&name))
            .copied();
        let id = found.unwrap_or_else(|| {
            let id = LabelId(state.labels.len() as u32);
            state.labels.push(ScopeId(0));
            state.label_names[0].insert(name, id);
            id
        });
        state.wanted.push((id, name, span));
        id
    }

    fn local_declaration(
        &mut self,
        declaration: &ast::Declaration,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let specs = &declaration.specs;
        if declaration.declarators.is_empty() {
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
            self.specs_type(specs)?;
            return Ok(());
        }
        let base = match &specs.ty {
            TypeSpec::AutoType => None,
            _ => Some(self.specs_type(specs)?),
        };
        for item in &declaration.declarators {
            let base = match base {
                Some(base) => base,
                None => self
                    .auto_type(item.init.as_ref(), item.span)?
                    .with(specs.quals),
            };
            let (ty, align) = self.declared_from(base, specs, &item.declarator, Sizes::Here)?;
            self.flush_pending(out);
            let Some((name, span)) = item.declarator.name else {
                continue;
            };
            if specs.storage == Storage::Typedef {
                if item.declarator.attrs.transparent_union || specs.attrs.transparent_union {
                    self.make_transparent(ty);
                }
                self.declare_typedef(name, ty, align, span)?;
            } else if self.types.function_type(ty).is_some() {
                self.declare_function(name, ty, specs, &item.declarator, span)?;
            } else if specs.storage == Storage::Extern {
                self.local_extern(name, ty, specs, &item.declarator, span)?;
            } else if specs.storage == Storage::Static {
                self.static_local(name, ty, align, specs, item)?;
            } else {
                self.local_variable(name, ty, align, item, out)?;
                if let Some(cleanup) = item.declarator.attrs.cleanup.or(specs.attrs.cleanup) {
                    out.push(self.cleanup(cleanup, (name, span))?);
                }
            }
        }
        Ok(())
    }

    /// `__attribute__((cleanup(f)))`: the call of `f` with the address of the variable.
    fn cleanup(&mut self, cleanup: (Symbol, Span), variable: (Symbol, Span)) -> Result<Stmt> {
        let (_, span) = cleanup;
        let name = |(symbol, span)| ast::Expr {
            kind: ast::ExprKind::Name(symbol),
            span,
            height: 1,
        };
        let address = ast::Expr {
            kind: ast::ExprKind::Unary(ast::UnaryOp::AddressOf, Box::new(name(variable))),
            span,
            height: 2,
        };
        let call = ast::Expr {
            kind: ast::ExprKind::Call(Box::new(name(cleanup)), vec![address]),
            span,
            height: 3,
        };
        let call = self.expr(&call)?;
        let scope = self.state.as_ref().map_or(ScopeId(0), |s| s.scope);
        Ok(Stmt::Cleanup(scope, Rc::new(call)))
    }

    fn local_extern(
        &mut self,
        name: Symbol,
        ty: QualType,
        specs: &ast::Specs,
        declarator: &ast::Declarator,
        span: Span,
    ) -> Result<()> {
        let file = self
            .scopes
            .first()
            .and_then(|s| s.names.get(&name))
            .copied();
        let known = file.or_else(|| self.externals.get(&name).copied());
        let id = match known {
            Some(Entity::Object(id)) => id,
            Some(_) => return fail(span, "declared before as something else"),
            None => {
                let id = self.new_object(self.names.name(name), ty, span);
                let object = &mut self.objects[id.0 as usize];
                object.external = true;
                object.thread_local = specs.thread_local;
                self.externals.insert(name, Entity::Object(id));
                id
            }
        };
        self.note_linkage(Entity::Object(id), name, specs, declarator);
        self.bind(name, Entity::Object(id));
        Ok(())
    }

    fn static_local(
        &mut self,
        name: Symbol,
        ty: QualType,
        align: u64,
        specs: &ast::Specs,
        item: &ast::InitDeclarator,
    ) -> Result<()> {
        let text = self.names.name(name);
        let function = self.state.as_ref().map_or("".into(), |s| s.name.clone());
        let span = item.declarator.name.map_or(item.span, |(_, s)| s);
        let id = self.new_object(format!("{function}.{text}").into(), ty, span);
        let constant = self.is_constant(ty);
        let object = &mut self.objects[id.0 as usize];
        object.thread_local = specs.thread_local;
        object.align = align;
        if item.declarator.asm_label.is_some() {
            object.linkage.unsupported = Some((span, "asm"));
        }
        object.defined = true;
        object.constant = constant;
        self.bind(name, Entity::Object(id));
        if let Some(init) = &item.init {
            // Compound literals in here have static storage too.
            let state = self.state.take();
            let result = self.initialise_static(id, ty, init);
            self.state = state;
            result?;
        }
        if self.types.size_of(self.objects[id.0 as usize].ty).is_none() {
            return fail(span, "a static object of incomplete type");
        }
        Ok(())
    }

    fn local_variable(
        &mut self,
        name: Symbol,
        ty: QualType,
        align: u64,
        item: &ast::InitDeclarator,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let text = self.names.name(name);
        let span = item.declarator.name.map_or(item.span, |(_, s)| s);
        let var = self.new_var(text, ty, span, align);
        self.bind(name, Entity::Var(var));
        let mut init = None;
        if let Some(written) = &item.init {
            let (ty, checked) = self.initialiser(ty, written)?;
            if let Some(state) = &mut self.state {
                state.vars[var.0 as usize].ty = ty;
            }
            init = Some(Rc::new(checked));
        }
        self.flush_pending(out);
        let ty = self
            .state
            .as_ref()
            .map_or(ty, |s| s.vars[var.0 as usize].ty);
        if self.size(ty).is_none() || self.types.is_void(ty) {
            let shown = self.show(ty);
            return fail(span, format!("a variable of incomplete type `{shown}`"));
        }
        out.push(Stmt::Declare(var, init, item.span));
        Ok(())
    }

    /// An expression evaluated for its effects.
    fn statement_value(&mut self, expr: &ast::Expr) -> Result<Expr> {
        if let Some(print) = self.print_statement(expr)? {
            return Ok(print);
        }
        let value = self.expr(expr)?;
        // Reading a volatile object is an effect; an array or a function is not read.
        let aggregate = matches!(
            self.types.get(value.ty),
            Type::Array(..) | Type::Function(_) | Type::Record(_)
        );
        if aggregate || self.types.is_void(value.ty) {
            return Ok(value);
        }
        self.value(value)
    }
}
