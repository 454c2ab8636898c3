//! The atomic builtins: `__atomic_*` and `__sync_*`.
//!
//! Each yields a [`Builtin`] whose last argument is the memory order ([`Orders`]).

use super::Sema;
use super::convert::{int, make};
use crate::ast::{self, Basic};
use crate::diagnostic::{Result, fail};
use crate::hir::*;
use crate::source::Span;
use crate::types::*;
use raddle_ir::{MemoryOrder, RmwOp};

impl Sema<'_> {
    /// The type an atomic operation works on: what its first argument points to.
    fn atomic_target(&mut self, pointer: &Expr, span: Span) -> Result<QualType> {
        match self.types.pointee(pointer.ty) {
            Some(to) if self.types.is_scalar(to) || self.types.is_record(to) => {
                Ok(to.unqualified())
            }
            Some(to) if self.types.is_void(to) => Ok(Basic::Char.into()),
            _ => fail(span, "an atomic operation needs a pointer to a scalar"),
        }
    }

    /// Arguments of which only the value decides something, such as orders, are evaluated all the same if they are no constants.
    fn after_orders(&mut self, orders: Vec<Expr>, then: Expr) -> Expr {
        let orders = orders.into_iter().rev();
        orders.fold(then, |then, order| match self.eval(&order) {
            Some(_) => then,
            None => {
                let (ty, span) = (then.ty, then.span);
                let both = Kind::Comma(Box::new(order), Box::new(then));
                make(both, ty, span)
            }
        })
    }

    /// The orders among the arguments of a builtin: of the operation, and of a compare-and-swap that fails.
    fn orders(&mut self, args: &[ast::Expr], at: usize, failure_at: Option<usize>) -> Orders {
        let mut order = |at: usize| match args.get(at) {
            Some(arg) => self.constant_int(arg).ok().and_then(Orders::number),
            None => Some(MemoryOrder::SeqCst),
        };
        match (
            order(at),
            failure_at.map_or(Some(MemoryOrder::SeqCst), &mut order),
        ) {
            (Some(order), Some(failure)) => Orders {
                order,
                failure,
                is_constant: true,
            },
            _ => Orders {
                is_constant: false,
                ..Orders::same(MemoryOrder::SeqCst)
            },
        }
    }

    pub(super) fn atomic(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Result<Option<Expr>> {
        let rmw = |s: &str| {
            Some(match s {
                "add" => RmwOp::Add,
                "sub" => RmwOp::Sub,
                "and" => RmwOp::And,
                "or" => RmwOp::Or,
                "xor" => RmwOp::Xor,
                "nand" => RmwOp::Nand,
                _ => return None,
            })
        };
        let void: QualType = Basic::Void.into();
        let (kind, operands) = if let Some(op) = name.strip_prefix("fetch_").and_then(rmw) {
            (Builtin::AtomicRmw(op, false), 2)
        } else if let Some(op) = name.strip_suffix("_fetch").and_then(rmw) {
            (Builtin::AtomicRmw(op, true), 2)
        } else {
            match name {
                "load_n" => (Builtin::AtomicLoad, 1),
                "load" => (Builtin::AtomicLoadGeneric, 2),
                "store_n" => (Builtin::AtomicStore, 2),
                "store" => (Builtin::AtomicStoreGeneric, 2),
                "exchange_n" => (Builtin::AtomicRmw(RmwOp::Exchange, false), 2),
                "exchange" => (Builtin::AtomicExchangeGeneric, 3),
                "compare_exchange_n" => (
                    Builtin::AtomicCas {
                        weak: false,
                        by_pointer: false,
                    },
                    3,
                ),
                "compare_exchange" => (
                    Builtin::AtomicCas {
                        weak: false,
                        by_pointer: true,
                    },
                    3,
                ),
                "test_and_set" => (Builtin::TestAndSet, 1),
                "clear" => (Builtin::Clear, 1),
                "thread_fence" | "signal_fence" => {
                    let fence = match name {
                        "thread_fence" => Builtin::Fence,
                        _ => Builtin::Nothing,
                    };
                    let found = self.orders(args, 0, None);
                    let mut orders = self.checked(args)?;
                    let order = marker(found, &mut orders, 0, false, span);
                    let fence = make(Kind::Builtin(fence, vec![order]), void, span);
                    return Ok(Some(self.after_orders(orders, fence)));
                }
                "is_lock_free" | "always_lock_free" => {
                    let asked = self.checked(args)?;
                    let yes = int(1, Basic::Bool, span);
                    return Ok(Some(self.after_orders(asked, yes)));
                }
                _ => return Ok(None),
            }
        };
        self.want(name, args, operands, span)?;
        let mut values = self.checked(args)?;
        let target = self.atomic_target(&values[0], span)?;
        let mut kind = kind;
        if let Builtin::AtomicCas { by_pointer, .. } = kind {
            let weak = args.get(3).map(|a| self.constant_int(a)).transpose();
            let weak = matches!(weak, Ok(Some(v)) if v != 0);
            kind = Builtin::AtomicCas { weak, by_pointer };
        }
        let order_at = if operands == 3 && matches!(kind, Builtin::AtomicCas { .. }) {
            4
        } else {
            operands
        };
        let failure_at = matches!(kind, Builtin::AtomicCas { .. }).then_some(order_at + 1);
        let found = self.orders(args, order_at, failure_at);
        let mut orders = values.split_off(operands);
        let (at, two) = (order_at - operands, failure_at.is_some());
        let order = marker(found, &mut orders, at, two, span);
        match kind {
            Builtin::AtomicStore | Builtin::AtomicRmw(..) => {
                let wanted = if self.types.is_pointer(target)
                    && !matches!(
                        kind,
                        Builtin::AtomicStore | Builtin::AtomicRmw(RmwOp::Exchange, _)
                    ) {
                    self.types.ptrdiff().into()
                } else {
                    target
                };
                let value = values.remove(1);
                values.push(self.assign_to(value, wanted)?);
            }
            Builtin::AtomicCas {
                by_pointer: false, ..
            } => {
                let value = values.remove(2);
                values.push(self.assign_to(value, target)?);
            }
            _ => {}
        }
        let ty = match kind {
            Builtin::AtomicLoad | Builtin::AtomicRmw(..) => target,
            Builtin::AtomicCas { .. } | Builtin::TestAndSet => Basic::Bool.into(),
            _ => void,
        };
        values.push(order);
        let done = make(Kind::Builtin(kind, values), ty, span);
        Ok(Some(self.after_orders(orders, done)))
    }

    pub(super) fn sync_builtin(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Result<Option<Expr>> {
        let void: QualType = Basic::Void.into();
        // `__sync_fetch_and_add_4` is the same with its width spelled out.
        let name = ["_1", "_2", "_4", "_8", "_16"]
            .iter()
            .find_map(|s| name.strip_suffix(s))
            .unwrap_or(name);
        let rmw = |s: &str| {
            Some(match s {
                "add" => RmwOp::Add,
                "sub" => RmwOp::Sub,
                "and" => RmwOp::And,
                "or" => RmwOp::Or,
                "xor" => RmwOp::Xor,
                "nand" => RmwOp::Nand,
                _ => return None,
            })
        };
        let (kind, operands) = if let Some(op) = name.strip_prefix("fetch_and_").and_then(rmw) {
            (Builtin::AtomicRmw(op, false), 2)
        } else if let Some(op) = name.strip_suffix("_and_fetch").and_then(rmw) {
            (Builtin::AtomicRmw(op, true), 2)
        } else {
            match name {
                "bool_compare_and_swap" => (Builtin::SyncCas(true), 3),
                "val_compare_and_swap" => (Builtin::SyncCas(false), 3),
                "lock_test_and_set" => (Builtin::AtomicRmw(RmwOp::Exchange, false), 2),
                "lock_release" => (Builtin::AtomicStore, 1),
                "synchronize" => {
                    let order = Orders::same(MemoryOrder::SeqCst).marker(span);
                    let fence = Kind::Builtin(Builtin::Fence, vec![order]);
                    return Ok(Some(make(fence, void, span)));
                }
                _ => return Ok(None),
            }
        };
        self.want(name, args, operands, span)?;
        let mut values = self.checked(&args[..operands])?;
        let target = self.atomic_target(&values[0], span)?;
        if kind == Builtin::AtomicStore {
            let zero = int(0, Basic::Int, span);
            values.push(self.cast(zero, target));
        }
        let exchange = matches!(kind, Builtin::AtomicRmw(RmwOp::Exchange, _));
        let arithmetic = matches!(kind, Builtin::AtomicRmw(..)) && !exchange;
        let wanted = if arithmetic && self.types.is_pointer(target) {
            self.types.ptrdiff().into()
        } else {
            target
        };
        for value in &mut values[1..] {
            *value = self.assign_to(value.clone(), wanted)?;
        }
        let ty = match kind {
            Builtin::SyncCas(true) => Basic::Bool.into(),
            Builtin::AtomicStore => void,
            _ => target,
        };
        // GCC's manual: full barriers, but for the two that take and give back a lock.
        let order = match name {
            "lock_test_and_set" => MemoryOrder::Acquire,
            "lock_release" => MemoryOrder::Release,
            _ => MemoryOrder::SeqCst,
        };
        values.push(Orders::same(order).marker(span));
        Ok(Some(make(Kind::Builtin(kind, values), ty, span)))
    }
}

/// The last argument of a builtin: constant orders, or the expressions among its arguments that say them. A compare-and-swap has two.
fn marker(found: Orders, orders: &mut Vec<Expr>, at: usize, two: bool, span: Span) -> Expr {
    let there = orders.len() > at + usize::from(two);
    if found.is_constant || !there {
        return found.marker(span);
    }
    let order = orders.remove(at);
    if !two {
        return order;
    }
    let failure = orders.remove(at);
    let ty = failure.ty;
    make(Kind::Comma(Box::new(order), Box::new(failure)), ty, span)
}
