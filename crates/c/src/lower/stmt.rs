//! Statements, scopes and jumps.
//!
//! A slot lives from the entry of its block to its end, whichever way control takes: a jump into a block makes
//! its slots alive, a jump out of it makes them dead. Before they die, the cleanups of their block are called; a jump past the
//! declaration of a variable with a cleanup is refused.

use super::build::{Cleanup, FunctionBuilder, Targets};
use crate::diagnostic::{Result, refuse};
use crate::hir::*;
use crate::source::Span;
use raddle_ir as ir;
use std::rc::Rc;

/// Case ranges up to this length become one case per value.
const EXPANDED: i128 = 64;

impl FunctionBuilder<'_, '_, '_> {
    pub fn enter(&mut self, scope: ScopeId) {
        self.scope = scope;
        self.bear(scope, !self.body.labels.is_empty());
    }

    /// New objects for the variables of a scope. Where a jump may lead past their declarations, those in registers lose the values of
    /// their predecessors here.
    fn bear(&mut self, scope: ScopeId, jumps: bool) {
        for index in 0..self.scope_slots[scope.0 as usize].len() {
            let slot = self.scope_slots[scope.0 as usize][index];
            self.emit(ir::Op::StorageLive { slot });
        }
        let body = self.body;
        let mine = body
            .vars
            .iter()
            .enumerate()
            .filter(|(_, v)| jumps && v.scope == scope);
        for (index, _) in mine {
            if let Some(super::build::Storage::Local(dst)) = self.vars.get(index).copied()
                && dst.0 >= self.function.params
            {
                self.emit(ir::Op::Havoc { dst });
            }
        }
    }

    /// The normal end of a scope.
    pub fn leave(&mut self, scope: ScopeId) -> Result<()> {
        if !self.terminated[self.current.0 as usize] {
            self.kill(scope)?;
        }
        self.cleanups.retain(|c| c.scope != scope);
        self.vlas.retain(|&(s, _)| s != scope);
        self.scope = self.body.scopes[scope.0 as usize];
        Ok(())
    }

    /// Calls the cleanups of all scopes, as a return does.
    pub fn clean_up(&mut self) -> Result<()> {
        let due = self.cleanups.clone();
        due.iter().rev().try_for_each(|c| self.effect(&c.call))
    }

    /// Which cleanups are due at a place of this scope; the same, whichever way leads there.
    fn expect_cleanups(&mut self, label: LabelId, span: Span) -> Result<()> {
        let around = self.ancestors(self.body.labels[label.0 as usize]);
        let due = self.cleanups.iter().filter(|c| around.contains(&c.scope));
        let due: Vec<usize> = due.map(|c| Rc::as_ptr(&c.call) as usize).collect();
        match self.due_at.get(&label) {
            Some(known) if *known != due => refuse(
                span,
                "a jump past a variable with `cleanup` is not supported",
            ),
            Some(_) => Ok(()),
            None => {
                self.due_at.insert(label, due);
                Ok(())
            }
        }
    }

    fn kill(&mut self, scope: ScopeId) -> Result<()> {
        let due = self.cleanups.iter().rev().filter(|c| c.scope == scope);
        let due: Vec<Cleanup> = due.cloned().collect();
        for cleanup in due {
            self.effect(&cleanup.call)?;
        }
        let arrays: Vec<_> = self
            .vlas
            .iter()
            .rev()
            .filter(|v| v.0 == scope)
            .map(|v| v.1)
            .collect();
        for array in arrays {
            self.emit(ir::Op::Free {
                memory: ir::Memory::Stack,
                addr: ir::Operand::Local(array),
            });
        }
        for index in (0..self.scope_slots[scope.0 as usize].len()).rev() {
            let slot = self.scope_slots[scope.0 as usize][index];
            self.emit(ir::Op::StorageDead { slot });
        }
        Ok(())
    }

    fn ancestors(&self, mut scope: ScopeId) -> Vec<ScopeId> {
        let mut list = vec![scope];
        while scope.0 != 0 {
            scope = self.body.scopes[scope.0 as usize];
            list.push(scope);
        }
        list
    }

    /// Emits what happens to slots on the way from the current scope to another.
    fn cross(&mut self, to: ScopeId) -> Result<()> {
        let from = self.ancestors(self.scope);
        let mut into = self.ancestors(to);
        for scope in from.iter().take_while(|s| !into.contains(s)) {
            self.kill(*scope)?;
        }
        into.retain(|s| !from.contains(s));
        for scope in into.iter().rev() {
            self.bear(*scope, true);
        }
        Ok(())
    }

    fn jump(&mut self, block: ir::BlockId, scope: ScopeId, span: Span) -> Result<()> {
        self.at = span;
        if self.terminated[self.current.0 as usize] {
            return Ok(());
        }
        self.cross(scope)?;
        self.goto(block);
        Ok(())
    }

    fn label(&mut self, label: LabelId) -> ir::BlockId {
        match self.labels[label.0 as usize] {
            Some(block) => block,
            None => {
                let block = self.new_block();
                self.labels[label.0 as usize] = Some(block);
                block
            }
        }
    }

    /// A full expression; its temporaries end with it.
    fn full<T>(&mut self, lower: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let from = self.passing.len();
        let value = lower(self)?;
        self.end_passing(from);
        Ok(value)
    }

    /// Lowers what may be refused: then executions end there, and nothing is said about what lies behind.
    pub(super) fn attempt<T>(
        &mut self,
        lower: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        let scope = self.scope;
        let (cleanups, passing) = (self.cleanups.len(), self.passing.len());
        let (targets, blocks) = (self.targets.len(), self.function.blocks.len());
        let refusal = match lower(self) {
            Ok(done) => return Ok(Some(done)),
            Err(diagnostic) if diagnostic.unsupported => diagnostic,
            Err(diagnostic) => return Err(diagnostic),
        };
        self.scope = scope;
        self.cleanups.truncate(cleanups);
        self.passing.truncate(passing);
        self.targets.truncate(targets);
        if let Some(span) = refusal.span {
            self.at = span;
        }
        let current = self.current;
        let begun = blocks..self.function.blocks.len();
        let begun = begun.map(|b| ir::BlockId(b as u32));
        // What belongs to a label goes on where that is.
        let open = begun.filter(|b| !self.labels.contains(&Some(*b)));
        for block in open.chain([current]).collect::<Vec<_>>() {
            if !self.terminated[block.0 as usize] {
                self.start(block);
                self.end_unsupported(&refusal.message);
            }
        }
        self.start(current);
        Ok(None)
    }

    /// Executions end here, as nothing is known of what they would do.
    pub(super) fn end_unsupported(&mut self, what: &str) {
        let text = self.lower.program.intern(what);
        self.sync(ir::SyncOp::Unmodelled, Vec::new());
        let current = self.current.0 as usize;
        if let Some(instr) = self.function.blocks[current].instrs.last_mut() {
            instr.text = text;
        }
        self.stop();
    }

    pub fn stmt(&mut self, stmt: &Stmt) -> Result<()> {
        match stmt {
            Stmt::Expr(expr) => self.attempt(|b| b.full(|b| b.effect(expr))).map(|_| ()),
            Stmt::Sequence(list) => list.iter().try_for_each(|s| self.stmt(s)),
            Stmt::Block(scope, list) => {
                self.enter(*scope);
                for stmt in list {
                    self.stmt(stmt)?;
                }
                self.leave(*scope)
            }
            Stmt::Declare(var, init, span) => {
                let declared = |b: &mut Self| b.full(|b| b.declare(*var, init.as_deref(), *span));
                self.attempt(declared).map(|_| ())
            }
            Stmt::Cleanup(scope, call) => {
                self.cleanups.push(Cleanup {
                    scope: *scope,
                    call: call.clone(),
                });
                Ok(())
            }
            Stmt::VlaLength(id, expr) => {
                let value = self.full(|b| b.value(expr))?;
                let word = self.word();
                let local = self.local(word);
                self.set(local, value);
                self.lengths.insert(*id, local);
                Ok(())
            }
            // What the library does only for programs that use something costs others nothing.
            Stmt::If(condition, then, otherwise)
                if self.function.library && always(condition).is_some() =>
            {
                match (always(condition), otherwise) {
                    (Some(true), _) => self.stmt(then),
                    (_, Some(otherwise)) => self.stmt(otherwise),
                    _ => Ok(()),
                }
            }
            Stmt::If(condition, then, otherwise) => {
                let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
                self.decide(condition, yes, no)?;
                let decided = self.at;
                self.start(yes);
                self.stmt(then)?;
                self.goto(end);
                // Whoever passes by has not been where the other branch ends.
                self.at = decided;
                self.start(no);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise)?;
                }
                self.goto(end);
                self.start(end);
                Ok(())
            }
            Stmt::While(condition, body, span) => {
                let (head, inside, end) = (self.new_block(), self.new_block(), self.new_block());
                self.at = *span;
                self.goto(head);
                self.start(head);
                self.decide(condition, inside, end)?;
                self.start(inside);
                self.loop_body(body, end, head)?;
                self.goto(head);
                self.start(end);
                Ok(())
            }
            Stmt::DoWhile(body, condition, span) => {
                let (head, test, end) = (self.new_block(), self.new_block(), self.new_block());
                self.at = *span;
                self.goto(head);
                self.start(head);
                self.loop_body(body, end, test)?;
                self.goto(test);
                self.start(test);
                self.decide(condition, head, end)?;
                self.start(end);
                Ok(())
            }
            Stmt::For {
                scope,
                init,
                condition,
                step,
                body,
                span,
            } => {
                let (head, inside) = (self.new_block(), self.new_block());
                let (next, end) = (self.new_block(), self.new_block());
                self.at = *span;
                self.enter(*scope);
                for stmt in init {
                    self.stmt(stmt)?;
                }
                self.goto(head);
                self.start(head);
                match condition {
                    Some(condition) => self.decide(condition, inside, end)?,
                    None => self.goto(inside),
                }
                self.start(inside);
                self.loop_body(body, end, next)?;
                self.goto(next);
                self.start(next);
                if let Some(step) = step {
                    self.attempt(|b| b.full(|b| b.effect(step)))?;
                }
                self.goto(head);
                self.start(end);
                self.at = *span;
                self.leave(*scope)
            }
            Stmt::Switch {
                value,
                body,
                cases,
                default,
                span,
            } => self.switch(value, body, cases, *default, *span),
            Stmt::Label(label, span) => {
                let block = self.label(*label);
                self.expect_cleanups(*label, *span)?;
                self.at = *span;
                self.goto(block);
                self.start(block);
                Ok(())
            }
            Stmt::Goto(label, span) => {
                let block = self.label(*label);
                let scope = self.body.labels[label.0 as usize];
                self.expect_cleanups(*label, *span)?;
                self.jump(block, scope, *span)
            }
            Stmt::Break(span) => {
                if let Some(&target) = self.targets.last() {
                    self.jump(target.break_to, target.scope, *span)?;
                }
                Ok(())
            }
            Stmt::Continue(span) => {
                let target = self
                    .targets
                    .iter()
                    .rev()
                    .find_map(|t| Some((t.continue_to?, t.scope)));
                if let Some((block, scope)) = target {
                    self.jump(block, scope, *span)?;
                }
                Ok(())
            }
            Stmt::Return(value, span) => {
                let returned = |b: &mut Self| b.return_stmt(value.as_ref(), *span);
                self.attempt(returned).map(|_| ())
            }
        }
    }

    fn loop_body(
        &mut self,
        body: &Stmt,
        break_to: ir::BlockId,
        continue_to: ir::BlockId,
    ) -> Result<()> {
        self.targets.push(Targets {
            break_to,
            continue_to: Some(continue_to),
            scope: self.scope,
        });
        let result = self.stmt(body);
        self.targets.pop();
        result
    }

    fn declare(&mut self, var: VarId, init: Option<&Init>, span: Span) -> Result<()> {
        self.at = span;
        let ty = self.body.vars[var.0 as usize].ty;
        if self.lower.sema.types.size_of(ty).is_none() {
            return self.allocate(var, span);
        }
        let place = self.var_place(var, ty);
        match init {
            Some(init) => self.initialise(place, init),
            None => {
                self.havoc(place);
                Ok(())
            }
        }
    }

    /// A variable-length array comes into being.
    fn allocate(&mut self, var: VarId, span: Span) -> Result<()> {
        let ty = self.body.vars[var.0 as usize].ty;
        let Some(size) = self.lower.sema.size(ty) else {
            return crate::diagnostic::fail(span, "a variable of incomplete type");
        };
        let size = self.size(&size);
        let align = self.lower.sema.types.align_of(ty);
        let super::build::Storage::Indirect(dst) = self.vars[var.0 as usize] else {
            return crate::diagnostic::fail(span, "a variable-length array in a register");
        };
        self.emit(ir::Op::Alloc {
            dst,
            memory: ir::Memory::Stack,
            size,
            align,
            zeroed: false,
        });
        let scope = self.body.vars[var.0 as usize].scope;
        self.vlas.push((scope, dst));
        Ok(())
    }

    fn return_stmt(&mut self, value: Option<&Expr>, span: Span) -> Result<()> {
        let mut operand = None;
        match (value, self.result) {
            (Some(value), Some(result)) => {
                let from = self.record(value)?;
                self.at = span;
                self.copy(
                    ir::Operand::Local(result),
                    from,
                    value.ty.unqualified(),
                    value.ty,
                )?;
            }
            (Some(value), None) => operand = Some(self.value(value)?),
            (None, _) => {
                // The value is indeterminate; using it is the caller's fault.
                if let Some(ty) = self.function.ret {
                    self.at = span;
                    let dst = self.local(ty);
                    self.emit(ir::Op::Havoc { dst });
                    operand = Some(ir::Operand::Local(dst));
                }
            }
        }
        if !self.cleanups.is_empty() {
            // A cleanup may change the variable that the value comes from.
            if let Some(ir::Operand::Local(_)) = operand {
                let ty = operand.map_or(ir::Ty::I32, |o| self.type_of(o));
                operand = operand.map(|o| self.compute(ty, ir::Rvalue::Use(o)));
            }
            self.clean_up()?;
        }
        self.at = span;
        if self.atomic {
            self.emit(ir::Op::AtomicEnd);
        }
        self.terminate(ir::Terminator::Return(operand));
        Ok(())
    }

    fn switch(
        &mut self,
        value: &Expr,
        body: &Stmt,
        cases: &[(i128, i128, LabelId)],
        default: Option<LabelId>,
        span: Span,
    ) -> Result<()> {
        let ty = self.scalar(value.ty)?;
        let operand = self.attempt(|b| b.full(|b| b.value(value)))?;
        let operand = operand.unwrap_or(ir::Operand::int(ty, 0));
        let ty = self.type_of(operand);
        let signed = self.is_signed(value.ty);
        self.at = span;
        let end = self.new_block();
        let decide = self.current;
        let mut list = Vec::new();
        let mut ranges = Vec::new();
        for &(low, high, label) in cases {
            let target = self.trampoline(label, span)?;
            if high - low < EXPANDED {
                for v in low..=high {
                    if let ir::Operand::Const { bits, .. } = ir::Operand::int(ty, v) {
                        list.push((bits, target));
                    }
                }
            } else {
                ranges.push((low, high, target));
            }
        }
        let default = match default {
            Some(label) => self.trampoline(label, span)?,
            None => end,
        };
        self.start(decide);
        for (low, high, target) in ranges {
            let (at_least, at_most) = if signed {
                (ir::CompareOp::SGe, ir::CompareOp::SLe)
            } else {
                (ir::CompareOp::UGe, ir::CompareOp::ULe)
            };
            let (above, next) = (self.new_block(), self.new_block());
            let cond = self.compare(at_least, operand, ir::Operand::int(ty, low));
            self.terminate(ir::Terminator::Branch {
                cond,
                then: above,
                otherwise: next,
            });
            self.start(above);
            let cond = self.compare(at_most, operand, ir::Operand::int(ty, high));
            self.terminate(ir::Terminator::Branch {
                cond,
                then: target,
                otherwise: next,
            });
            self.start(next);
        }
        self.terminate(ir::Terminator::Switch {
            ty,
            value: operand,
            cases: list,
            default,
        });
        self.targets.push(Targets {
            break_to: end,
            continue_to: None,
            scope: self.scope,
        });
        // The body is entered through its labels only.
        let start = self.new_block();
        self.start(start);
        let result = self.stmt(body);
        self.targets.pop();
        result?;
        self.goto(end);
        self.start(end);
        Ok(())
    }

    /// A block that enters the scopes of a label and goes there.
    fn trampoline(&mut self, label: LabelId, span: Span) -> Result<ir::BlockId> {
        let block = self.label(label);
        self.expect_cleanups(label, span)?;
        let scope = self.body.labels[label.0 as usize];
        let entered: usize = self
            .ancestors(scope)
            .iter()
            .take_while(|&&s| s != self.scope)
            .map(|s| self.scope_slots[s.0 as usize].len())
            .sum();
        if entered == 0 {
            return Ok(block);
        }
        let here = self.current;
        let between = self.new_block();
        self.start(between);
        self.cross(scope)?;
        self.goto(block);
        self.start(here);
        Ok(between)
    }
}

/// Whether literals decide a condition, and how.
fn always(condition: &Expr) -> Option<bool> {
    match &condition.kind {
        Kind::Int(value) => Some(*value != 0),
        Kind::Cast(inner) => always(inner),
        Kind::LogicalNot(inner) => always(inner).map(|truth| !truth),
        Kind::LogicalAnd(a, b) if always(a)? => always(b),
        Kind::LogicalAnd(..) => Some(false),
        Kind::LogicalOr(a, b) if !always(a)? => always(b),
        Kind::LogicalOr(..) => Some(true),
        _ => None,
    }
}
