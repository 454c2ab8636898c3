//! Walks over the operands of instructions, so that passes need not list every kind.

use crate::{LocalId, Op, Operand, Rvalue, Terminator};

impl Rvalue {
    /// Every operand, in order.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Rvalue::Use(a) | Rvalue::Unary { a, .. } | Rvalue::Cast { a, .. } => vec![a],
            Rvalue::Binary { a, b, .. } | Rvalue::Compare { a, b, .. } => vec![a, b],
            Rvalue::PtrAdd { base, index, .. } => vec![base, index],
            Rvalue::Select { cond, a, b, .. } => vec![cond, a, b],
            Rvalue::Pure { args, .. } => args.iter_mut().collect(),
        }
    }
}

impl Op {
    /// Every operand, in order.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Op::Let { value, .. } => value.operands_mut(),
            Op::Havoc { .. }
            | Op::Nondet { .. }
            | Op::Fence { .. }
            | Op::StorageLive { .. }
            | Op::StorageDead { .. }
            | Op::AtomicBegin { .. }
            | Op::AtomicEnd => Vec::new(),
            Op::Load { addr, .. } | Op::Free { addr, .. } | Op::ObjectSize { addr, .. } => {
                vec![addr]
            }
            Op::Store { addr, value, .. } | Op::Rmw { addr, value, .. } => vec![addr, value],
            Op::Cas {
                addr,
                expected,
                desired,
                ..
            } => vec![addr, expected, desired],
            Op::Alloc { size, .. } => vec![size],
            Op::Call { callee, args, .. } => {
                let mut all = vec![callee];
                all.extend(args);
                all
            }
            Op::Sync { args, .. } => args.iter_mut().collect(),
            Op::Assert { cond, .. } | Op::Assume { cond } => vec![cond],
            Op::Output { stream, value, .. } => {
                let mut all = vec![stream];
                all.extend(value.as_mut().map(|(_, v)| v));
                all
            }
        }
    }

    /// Every local that is written.
    pub fn destinations_mut(&mut self) -> Vec<&mut LocalId> {
        match self {
            Op::Let { dst, .. }
            | Op::Havoc { dst }
            | Op::Nondet { dst }
            | Op::Load { dst, .. }
            | Op::Alloc { dst, .. }
            | Op::ObjectSize { dst, .. } => vec![dst],
            Op::Rmw { dst, .. } | Op::Call { dst, .. } | Op::Sync { dst, .. } => {
                dst.iter_mut().collect()
            }
            Op::Cas { old, ok, .. } => old.iter_mut().chain(ok.iter_mut()).collect(),
            Op::Store { .. }
            | Op::Fence { .. }
            | Op::StorageLive { .. }
            | Op::StorageDead { .. }
            | Op::Free { .. }
            | Op::AtomicBegin { .. }
            | Op::AtomicEnd
            | Op::Assert { .. }
            | Op::Assume { .. }
            | Op::Output { .. } => Vec::new(),
        }
    }
}

impl Terminator {
    /// The operand a decision or return depends on.
    pub fn operand_mut(&mut self) -> Option<&mut Operand> {
        match self {
            Terminator::Branch { cond, .. } => Some(cond),
            Terminator::Switch { value, .. } => Some(value),
            Terminator::Return(value) => value.as_mut(),
            Terminator::Goto(_) | Terminator::Unreachable => None,
        }
    }
}
