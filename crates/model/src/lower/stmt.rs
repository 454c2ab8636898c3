//! Statements: each one indivisible step.

use super::body::{Binding, Body, Loop};
use super::data::{container, type_name};
use super::expr::{Target, Value};
use super::{ASSERTED, Result};
use crate::ast::{Binary, ExprKind};
use crate::ast::{Expr, Initial, Place, Stmt, StmtKind, Type, Variable};
use crate::constants::Const;
use crate::diagnostic::Diagnostic;
use raddle_ir::{BlockId, CompareOp, Op, Operand, Rvalue, Span, Terminator, Ty};

impl Body<'_, '_> {
    pub fn statement(&mut self, stmt: &Stmt) -> Result<()> {
        self.low.count(stmt.span)?;
        self.begin(stmt.span, stmt.text);
        match &stmt.kind {
            StmtKind::Skip => Ok(()),
            StmtKind::Local(all) => all.iter().try_for_each(|v| self.declare(v)),
            StmtKind::Assign(place, op, value) => self.assign(place, *op, value),
            StmtKind::If(condition, then, otherwise) => self.decide(condition, then, otherwise),
            StmtKind::While(condition, body) => self.repeat(condition, body, stmt.span),
            StmtKind::For(name, first, last, body) => {
                let names = self.known_names();
                let low = self.low.number(first, &names)?;
                let high = self.low.number(last, &names)?;
                for i in low..high {
                    self.low.count(stmt.span)?;
                    self.scopes.push(Default::default());
                    self.bind(&name.text, Binding::Const(Const::Int(i)));
                    self.statements(body)?;
                    self.scopes.pop();
                }
                Ok(())
            }
            StmtKind::Block(body) => self.statements(body),
            StmtKind::Atomic(body) => {
                self.enter();
                self.statements(body)?;
                self.leave();
                Ok(())
            }
            StmtKind::Choose(ways) => self.choose(ways),
            StmtKind::Lock(place) => self.lock(place),
            StmtKind::Unlock(place) => self.unlock(place),
            StmtKind::Wait(cond, mutex) => self.wait(cond, mutex, stmt.span),
            StmtKind::Signal(cond) => self.wake(cond, false),
            StmtKind::Broadcast(cond) => self.wake(cond, true),
            StmtKind::Assume(condition) => {
                // In a region the process waits until it holds; what only it can see never changes meanwhile.
                let shared = self.accesses(condition) > 0;
                self.step(shared, |b| {
                    let cond = b.condition(condition)?;
                    b.push(Op::Assume { cond });
                    Ok(())
                })
            }
            StmtKind::Assert(condition) => self.check(condition, "assertion"),
            StmtKind::Break => self.leave_loop(stmt.span),
            StmtKind::Stop => {
                if self.name() == "init" {
                    return Err(Diagnostic::at(stmt.span, "the initial state cannot stop"));
                }
                if self.atomic > 0 {
                    self.push(Op::AtomicEnd);
                }
                let dead = self.new_block();
                self.end(Terminator::Return(Some(Operand::NULL)), dead);
                Ok(())
            }
        }
    }

    /// Does something as one step, in a region of its own if it has to.
    pub fn step(&mut self, region: bool, f: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if region {
            self.enter();
        }
        f(self)?;
        if region {
            self.leave();
        }
        Ok(())
    }

    /// Asserts something.
    pub fn check(&mut self, condition: &Expr, what: &str) -> Result<()> {
        let region = self.accesses(condition) > 1;
        self.step(region, |b| {
            let cond = b.condition(condition)?;
            let message = b.low.program.intern(&format!("{what} violated"));
            b.push(Op::Assert {
                cond,
                property: ASSERTED,
                message,
            });
            Ok(())
        })
    }

    fn declare(&mut self, variable: &Variable) -> Result<()> {
        let name = &variable.name;
        if matches!(variable.ty, Type::Mutex | Type::Cond) {
            let message = format!("a {} is shared", type_name(variable.ty));
            return Err(Diagnostic::at(name.span, message).help("declare it outside the process"));
        }
        if self
            .scopes
            .last()
            .is_some_and(|s| s.contains_key(&name.text))
        {
            let message = format!("`{}` is declared twice", name.text);
            return Err(Diagnostic::at(name.span, message).help("give one of them another name"));
        }
        if variable.size.is_some() {
            return self.declare_array(variable);
        }
        let ty = match variable.ty {
            Type::Int { width, .. } => container(width),
            _ => Ty::I1,
        };
        let id = self.named(ty, &name.text);
        let target = Target::Local(id, variable.ty);
        match &variable.initial {
            None => {
                let zero = Operand::int(ty, 0);
                let value = Rvalue::Use(zero);
                self.push(Op::Let { dst: id, value });
            }
            Some(Initial::List(_, span)) => {
                return Err(
                    Diagnostic::at(*span, format!("`{}` is no array", name.text))
                        .help("write one value, without braces"),
                );
            }
            Some(Initial::One(e)) => {
                let region = self.accesses(e) > 1;
                self.step(region, |b| {
                    let value = b.value(e)?;
                    b.store(target, value, e.span)
                })?;
            }
        }
        // The initial value does not see the new name.
        self.bind(&name.text, Binding::Local(id, variable.ty));
        Ok(())
    }

    /// An array of its own: an object that nobody else names.
    fn declare_array(&mut self, variable: &Variable) -> Result<()> {
        let name = &variable.name;
        let owner = self.name().to_string();
        if self.name() == "init" {
            return Err(Diagnostic::at(
                name.span,
                "the initial state has no arrays of its own",
            ));
        }
        if self.anonymous {
            return Err(Diagnostic::at(
                name.span,
                "processes that are all the same have no arrays of their own",
            )
            .help("give them numbers: `process P[i: 0..n]`"));
        }
        if !self.loops.is_empty() {
            return Err(Diagnostic::at(
                name.span,
                "an array is declared outside loops",
            ));
        }
        let names = self.known_names();
        let shared = self
            .low
            .object(&format!("{owner}.{}", name.text), variable, &names)?;
        if variable.initial.is_some() {
            return Err(
                Diagnostic::at(name.span, "an array of a process begins with zeros")
                    .help("assign its elements one by one"),
            );
        }
        self.bind(&name.text, Binding::Array(shared));
        Ok(())
    }

    fn assign(&mut self, place: &Place, op: Option<Binary>, value: &Expr) -> Result<()> {
        let touched = self.place_accesses(place);
        let again = if op.is_some() { touched } else { 0 };
        let region = touched + again + self.accesses(value) > 1;
        self.step(region, |b| {
            let result = match op {
                None => b.value(value)?,
                Some(op) => {
                    let old = Expr {
                        kind: ExprKind::Place(place.clone()),
                        span: place.name.span,
                    };
                    let new = Expr {
                        kind: ExprKind::Binary(op, Box::new(old), Box::new(value.clone())),
                        span: place.name.span,
                    };
                    b.value(&new)?
                }
            };
            let target = b.target(place)?;
            b.store(target, result, value.span)
        })
    }

    /// Evaluates a condition as one step.
    fn tested(&mut self, condition: &Expr) -> Result<Operand> {
        let region = self.accesses(condition) > 1;
        let mut cond = Operand::int(Ty::I1, 0);
        self.step(region, |b| {
            cond = b.condition(condition)?;
            Ok(())
        })?;
        Ok(cond)
    }

    fn branch(&mut self, cond: Operand, then: BlockId, otherwise: BlockId, next: BlockId) {
        self.end(
            Terminator::Branch {
                cond,
                then,
                otherwise,
            },
            next,
        );
    }

    fn decide(&mut self, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) -> Result<()> {
        let cond = self.tested(condition)?;
        let (yes, no, after) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(cond, yes, no, yes);
        self.statements(then)?;
        self.end(Terminator::Goto(after), no);
        self.statements(otherwise)?;
        self.end(Terminator::Goto(after), after);
        Ok(())
    }

    fn repeat(&mut self, condition: &Expr, body: &[Stmt], span: Span) -> Result<()> {
        let (head, inner, after) = (self.new_block(), self.new_block(), self.new_block());
        self.end(Terminator::Goto(head), head);
        let cond = self.tested(condition)?;
        self.branch(cond, inner, after, inner);
        self.loops.push(Loop {
            after,
            atomic: self.atomic,
        });
        self.statements(body)?;
        self.loops.pop();
        self.begin(span, (0, 0));
        self.end(Terminator::Goto(head), after);
        Ok(())
    }

    fn leave_loop(&mut self, span: Span) -> Result<()> {
        let Some(l) = self.loops.last() else {
            return Err(Diagnostic::at(span, "there is no `while` to leave here"));
        };
        let after = l.after;
        // The region ends where the loop that stands outside of it goes on.
        if l.atomic == 0 && self.atomic > 0 {
            self.push(Op::AtomicEnd);
        }
        let dead = self.new_block();
        self.end(Terminator::Goto(after), dead);
        Ok(())
    }

    /// One of several ways, any of them.
    fn choose(&mut self, ways: &[Vec<Stmt>]) -> Result<()> {
        let number = |n: usize| Expr {
            kind: ExprKind::Number(n as i128),
            span: Span::NOWHERE,
        };
        let Value::Int(which, ..) = self.chosen(&number(0), &number(ways.len()))? else {
            return Ok(());
        };
        let after = self.new_block();
        for (n, way) in ways.iter().enumerate() {
            if n + 1 < ways.len() {
                let is = Rvalue::Compare {
                    op: CompareOp::Eq,
                    ty: Ty::I32,
                    a: which,
                    b: Operand::int(Ty::I32, n as i128),
                };
                let is = self.compute(Ty::I1, is);
                let (here, next) = (self.new_block(), self.new_block());
                self.branch(is, here, next, here);
                self.statements(way)?;
                self.end(Terminator::Goto(after), next);
            } else {
                self.statements(way)?;
                self.end(Terminator::Goto(after), after);
            }
        }
        Ok(())
    }
}
