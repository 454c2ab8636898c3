//! Memory orders weaker than sequential consistency: where a program asks for them, and the program without them.

use crate::{Location, MemoryOrder, Op, Ordering, Program};

/// Whether an instruction asks for an order other than `memory_order_seq_cst`. A fence alone does not: between sequentially consistent
/// accesses it changes nothing.
fn is_weak(op: &Op) -> bool {
    let weak = |ordering: &Ordering| ordering.order().is_some_and(|o| o != MemoryOrder::SeqCst);
    match op {
        Op::Load { access, .. } | Op::Store { access, .. } => weak(&access.ordering),
        Op::Rmw { ordering, .. } => weak(ordering),
        Op::Cas {
            ordering, failure, ..
        } => weak(ordering) || *failure != MemoryOrder::SeqCst,
        _ => false,
    }
}

impl Program {
    /// The atomic accesses whose order is weaker than `memory_order_seq_cst`.
    pub fn weak_accesses(&self) -> impl Iterator<Item = Location> + '_ {
        let instructions = self.instructions();
        instructions.filter_map(|(at, op)| is_weak(op).then_some(at))
    }

    /// All instructions with their places.
    pub fn instructions(&self) -> impl Iterator<Item = (Location, &Op)> + '_ {
        self.functions.iter().enumerate().flat_map(|(f, function)| {
            let blocks = function.blocks.iter().enumerate();
            blocks.flat_map(move |(b, block)| {
                let instructions = block.instrs.iter().enumerate();
                instructions.map(move |(n, instruction)| {
                    let at = Location {
                        function: crate::FuncId(f as u32),
                        block: crate::BlockId(b as u32),
                        index: n as u32,
                    };
                    (at, &instruction.op)
                })
            })
        })
    }

    /// Makes every atomic access and fence sequentially consistent.
    pub fn strengthen_orders(&mut self) {
        let blocks = self.functions.iter_mut().flat_map(|f| &mut f.blocks);
        for instruction in blocks.flat_map(|b| &mut b.instrs) {
            let ordering = match &mut instruction.op {
                Op::Load { access, .. } | Op::Store { access, .. } => &mut access.ordering,
                Op::Rmw { ordering, .. } => ordering,
                Op::Cas {
                    ordering, failure, ..
                } => {
                    *failure = MemoryOrder::SeqCst;
                    ordering
                }
                Op::Fence { order } => {
                    *order = MemoryOrder::SeqCst;
                    continue;
                }
                _ => continue,
            };
            if ordering.is_atomic() {
                *ordering = Ordering::SEQ_CST;
            }
        }
    }
}
