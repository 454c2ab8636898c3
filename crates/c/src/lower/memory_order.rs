//! Memory orders of atomic operations.
//!
//! An order that is not a constant is looked at when the operation happens: one branch for every order there is. GCC takes such an order for the
//! strongest one unless it becomes a constant by inlining, so what a binary does depends on how it was compiled; here the program means what
//! C11 says. A number that means no order is undefined there, and relaxed here.

use super::build::FunctionBuilder;
use crate::diagnostic::Result;
use crate::hir::*;
use raddle_ir as ir;
use raddle_ir::MemoryOrder;

/// The orders of an operation, and of a compare-and-swap that fails.
#[derive(Clone, Copy)]
pub enum ChosenOrders {
    /// As constants.
    Constant(Orders),
    /// As numbers that are computed.
    Computed(ir::Operand, Option<ir::Operand>),
}

/// What the numbers of GCC's `__ATOMIC_*` macros mean, other than relaxed; consume is acquire.
const NUMBERS: [(i128, MemoryOrder); 5] = [
    (5, MemoryOrder::SeqCst),
    (1, MemoryOrder::Acquire),
    (2, MemoryOrder::Acquire),
    (3, MemoryOrder::Release),
    (4, MemoryOrder::AcqRel),
];

impl FunctionBuilder<'_, '_, '_> {
    /// The memory orders of a builtin, from its last argument.
    pub fn chosen_orders(&mut self, marker: Option<&Expr>, compares: bool) -> Result<ChosenOrders> {
        let orders = Orders::read(marker);
        let Some(marker) = marker.filter(|_| !orders.is_constant) else {
            return Ok(ChosenOrders::Constant(orders));
        };
        let mut number = |e: &Expr| -> Result<ir::Operand> {
            let value = self.value(e)?;
            Ok(self.resize(value, ir::Ty::I32, false))
        };
        Ok(match &marker.kind {
            Kind::Comma(order, failure) if compares => {
                ChosenOrders::Computed(number(order)?, Some(number(failure)?))
            }
            _ => ChosenOrders::Computed(number(marker)?, None),
        })
    }

    /// Emits an atomic operation or fence with these orders instead of its own.
    pub fn emit_ordered(&mut self, orders: ChosenOrders, op: ir::Op) {
        match orders {
            ChosenOrders::Constant(o) => self.emit(with_orders(op, o.order, o.failure)),
            ChosenOrders::Computed(order, failure) => {
                self.for_every_order(order, &mut |this, order| match failure {
                    None => this.emit(with_orders(op.clone(), order, order)),
                    Some(failure) => this.for_every_order(failure, &mut |this, failure| {
                        this.emit(with_orders(op.clone(), order, failure));
                    }),
                });
            }
        }
    }

    /// One branch for every order that a number may mean.
    fn for_every_order(
        &mut self,
        number: ir::Operand,
        emit: &mut dyn FnMut(&mut Self, MemoryOrder),
    ) {
        let end = self.new_block();
        // Hints about lock elision stand above the low 16 bits.
        let low = ir::Operand::int(ir::Ty::I32, 0xffff);
        let number = self.binary(ir::BinaryOp::And, number, low, false);
        for (meaning, order) in NUMBERS {
            let (then, otherwise) = (self.new_block(), self.new_block());
            let meaning = ir::Operand::int(ir::Ty::I32, meaning);
            let cond = self.compare(ir::CompareOp::Eq, number, meaning);
            self.terminate(ir::Terminator::Branch {
                cond,
                then,
                otherwise,
            });
            self.start(then);
            emit(self, order);
            self.goto(end);
            self.start(otherwise);
        }
        emit(self, MemoryOrder::Relaxed);
        self.goto(end);
        self.start(end);
    }
}

/// The same operation with other orders.
fn with_orders(mut op: ir::Op, new: MemoryOrder, failing: MemoryOrder) -> ir::Op {
    match &mut op {
        ir::Op::Load { access, .. } | ir::Op::Store { access, .. } => {
            access.ordering = ir::Ordering::Atomic(new);
        }
        ir::Op::Rmw { ordering, .. } => *ordering = ir::Ordering::Atomic(new),
        ir::Op::Cas {
            ordering, failure, ..
        } => {
            *ordering = ir::Ordering::Atomic(new);
            *failure = failing;
        }
        ir::Op::Fence { order } => *order = new,
        _ => {}
    }
    op
}
