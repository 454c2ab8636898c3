//! Mutexes and condition variables, as C programs have them; and locks that are numbers, as papers print them.

use super::Result;
use super::body::Body;
use super::data::type_name;
use super::expr::{Target, Value};
use crate::ast::{Binary, Expr, ExprKind, Place, Type};
use crate::diagnostic::Diagnostic;
use raddle_ir::{AtomicKind, Op, Operand, Span, SyncOp, Terminator, Ty};

impl Body<'_, '_> {
    /// The type of a variable, for those statements that work on several.
    fn type_of(&self, place: &Place) -> Option<Type> {
        match self.binding(&place.name.text) {
            Some(super::body::Binding::Local(_, ty)) => Some(ty),
            Some(super::body::Binding::Array(s)) => Some(s.ty),
            Some(super::body::Binding::Const(_)) => None,
            None => self.low.shared.get(&place.name.text).map(|s| s.ty),
        }
    }

    fn object(&mut self, place: &Place, wanted: Type) -> Result<Operand> {
        match self.target(place)? {
            Target::Memory(address, ty) if ty == wanted => Ok(address),
            Target::Memory(_, ty) | Target::Local(_, ty) => {
                let message = format!(
                    "`{}` is a {}, not a {}",
                    place.name.text,
                    type_name(ty),
                    type_name(wanted)
                );
                let help = format!("declare it: `{} {};`", type_name(wanted), place.name.text);
                Err(Diagnostic::at(place.name.span, message).help(help))
            }
        }
    }

    fn with_result(&mut self, op: SyncOp, args: Vec<Operand>) -> Operand {
        let dst = self.local(Ty::I32);
        self.push(Op::Sync {
            dst: Some(dst),
            op,
            args,
        });
        Operand::Local(dst)
    }

    /// `lock(m)`: when free, take it.
    pub fn lock(&mut self, place: &Place) -> Result<()> {
        if matches!(self.type_of(place), Some(Type::Int { .. })) {
            return self.lock_number(place);
        }
        let region = self.place_accesses(place) > 1;
        self.step(region, |b| {
            let mutex = b.object(place, Type::Mutex)?;
            b.with_result(SyncOp::MutexLock, vec![mutex]);
            Ok(())
        })
    }

    /// When it is zero it becomes one.
    fn lock_number(&mut self, place: &Place) -> Result<()> {
        let span = place.name.span;
        let expr = |kind| Expr { kind, span };
        let now = expr(ExprKind::Place(place.clone()));
        let zero = expr(ExprKind::Number(0));
        let free = expr(ExprKind::Binary(Binary::Eq, Box::new(now), Box::new(zero)));
        self.step(true, |b| {
            let cond = b.condition(&free)?;
            b.push(Op::Assume { cond });
            let target = b.target(place)?;
            b.store(target, Value::Known(1), span)
        })
    }

    /// `unlock(m)`.
    pub fn unlock(&mut self, place: &Place) -> Result<()> {
        let region = self.place_accesses(place) > 1;
        let number = matches!(self.type_of(place), Some(Type::Int { .. }));
        self.step(region, |b| {
            if number {
                let target = b.target(place)?;
                return b.store(target, Value::Known(0), place.name.span);
            }
            let mutex = b.object(place, Type::Mutex)?;
            b.with_result(SyncOp::MutexUnlock, vec![mutex]);
            Ok(())
        })
    }

    /// `wait(c, m)`: gives the mutex back and sleeps in one step, wakes up, takes the mutex again.
    pub fn wait(&mut self, cond: &Place, mutex: &Place, span: Span) -> Result<()> {
        if self.atomic > 0 {
            return Err(Diagnostic::at(span, "nobody can wait within `atomic`")
                .help("end the atomic block before, or use `assume`"));
        }
        if self.place_accesses(cond) + self.place_accesses(mutex) > 2 {
            return Err(Diagnostic::at(span, "an index here must not be shared")
                .help("copy it to a local variable first"));
        }
        let cond = self.object(cond, Type::Cond)?;
        let mutex = self.object(mutex, Type::Mutex)?;
        self.push(Op::AtomicBegin {
            kind: AtomicKind::Fused,
        });
        let refused = self.with_result(SyncOp::MutexUnlock, vec![mutex]);
        let zero = Operand::int(Ty::I32, 0);
        let held = raddle_ir::Rvalue::Compare {
            op: raddle_ir::CompareOp::Eq,
            ty: Ty::I32,
            a: refused,
            b: zero,
        };
        let held = self.compute(Ty::I1, held);
        let (sleeps, not, after) = (self.new_block(), self.new_block(), self.new_block());
        self.end(
            Terminator::Branch {
                cond: held,
                then: sleeps,
                otherwise: not,
            },
            sleeps,
        );
        self.push(Op::Sync {
            dst: None,
            op: SyncOp::CondEnqueue,
            args: vec![cond],
        });
        self.push(Op::AtomicEnd);
        self.with_result(SyncOp::CondBlock, vec![cond, zero]);
        self.with_result(SyncOp::MutexLock, vec![mutex]);
        self.end(Terminator::Goto(after), not);
        self.push(Op::AtomicEnd);
        self.end(Terminator::Goto(after), after);
        Ok(())
    }

    /// `signal(c)` or `broadcast(c)`.
    pub fn wake(&mut self, place: &Place, all: bool) -> Result<()> {
        let region = self.place_accesses(place) > 1;
        self.step(region, |b| {
            let cond = b.object(place, Type::Cond)?;
            let op = match all {
                true => SyncOp::CondBroadcast,
                false => SyncOp::CondSignal,
            };
            b.push(Op::Sync {
                dst: None,
                op,
                args: vec![cond],
            });
            Ok(())
        })
    }
}
