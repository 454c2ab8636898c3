//! Constants of one function: parameters bound by the only caller, decisions that are settled by them.
//!
//! The modelled library asks questions whose answer is known where it is called (`if (attr && attr->detached)` with
//! a null `attr`, `if (raddle_has_keys())` in a program without keys). Without answering them every thread could be
//! detached and every lock call could fail. This is constant propagation over locals that are written once, in the
//! simplest form that answers them; instructions keep their places, only operands become constants and decided
//! branches become jumps.
//!
//! What it misses: constants that need two definitions to agree, loops, memory.

use crate::loops::{LoopNest, successors};
use raddle_ir::{
    BinaryOp, BlockId, CompareOp, DataModel, Function, LocalId, Op, Operand, Rvalue, Terminator,
};

/// A definition that gives a local a constant, and where it stands.
struct Known {
    value: Operand,
    block: BlockId,
    index: usize,
}

/// Replaces locals by constants and decided branches by jumps. `bound` gives the parameters that have one value;
/// `constant_result` answers for functions that do nothing but return a constant.
pub(crate) fn fold(
    function: &mut Function,
    model: DataModel,
    bound: &[Option<Operand>],
    constant_result: &dyn Fn(Operand) -> Option<Operand>,
) {
    if !function.has_body() {
        return;
    }
    let nest = LoopNest::new(function);
    loop {
        let known = constants(function, model, bound, constant_result);
        if !substitute(function, &nest, &known) {
            return;
        }
    }
}

/// The blocks that can be reached from the entry.
pub(crate) fn reachable_blocks(function: &Function) -> Vec<bool> {
    let mut seen = vec![false; function.blocks.len()];
    let mut todo = Vec::new();
    if function.has_body() {
        seen[0] = true;
        todo.push(BlockId(0));
    }
    while let Some(b) = todo.pop() {
        for s in successors(&function.block(b).terminator) {
            if !std::mem::replace(&mut seen[s.0 as usize], true) {
                todo.push(s);
            }
        }
    }
    seen
}

fn constants(
    function: &mut Function,
    model: DataModel,
    bound: &[Option<Operand>],
    constant_result: &dyn Fn(Operand) -> Option<Operand>,
) -> Vec<Option<Known>> {
    let reachable = reachable_blocks(function);
    let mut definitions = vec![0_u32; function.locals.len()];
    let mut known: Vec<Option<Known>> = Vec::new();
    known.resize_with(function.locals.len(), || None);
    for (i, value) in bound.iter().enumerate() {
        definitions[i] += 1;
        known[i] = value.map(|value| Known {
            value,
            block: BlockId(0),
            index: 0,
        });
    }
    for (i, count) in definitions.iter_mut().enumerate() {
        if i >= bound.len() && i < function.params as usize {
            *count += 1;
        }
    }
    for (b, block) in function.blocks.iter_mut().enumerate() {
        if !reachable[b] {
            continue;
        }
        for (index, instr) in block.instrs.iter_mut().enumerate() {
            let value = match &instr.op {
                Op::Let { value, .. } => evaluate(value, model),
                Op::Call { callee, .. } => constant_result(*callee),
                _ => None,
            };
            for dst in instr.op.destinations_mut() {
                definitions[dst.0 as usize] += 1;
                known[dst.0 as usize] = value.map(|value| Known {
                    value,
                    block: BlockId(b as u32),
                    index: index + 1,
                });
            }
        }
    }
    for (slot, count) in known.iter_mut().zip(definitions) {
        if count != 1 {
            *slot = None;
        }
    }
    known
}

/// Puts constants where the definition is known to have happened; says whether anything changed.
fn substitute(function: &mut Function, nest: &LoopNest, known: &[Option<Known>]) -> bool {
    let reachable = reachable_blocks(function);
    let mut changed = false;
    let constant = |l: LocalId, block: BlockId, index: usize| {
        let k = known[l.0 as usize].as_ref()?;
        let earlier = match k.block == block {
            true => k.index <= index,
            false => nest.dominates(k.block, block),
        };
        earlier.then_some(k.value)
    };
    for (b, block) in function.blocks.iter_mut().enumerate() {
        if !reachable[b] {
            continue;
        }
        let here = BlockId(b as u32);
        for (index, instr) in block.instrs.iter_mut().enumerate() {
            // A call keeps its shape: whether the callee fits is not decided here.
            let skip = usize::from(matches!(instr.op, Op::Call { .. }));
            for o in instr.op.operands_mut().into_iter().skip(skip) {
                if let Operand::Local(l) = *o
                    && let Some(value) = constant(l, here, index)
                {
                    *o = value;
                    changed = true;
                }
            }
        }
        let end = block.instrs.len();
        if let Some(o) = block.terminator.operand_mut()
            && let Operand::Local(l) = *o
            && let Some(value) = constant(l, here, end)
        {
            *o = value;
            changed = true;
        }
        if let Some(target) = decided(&block.terminator) {
            block.terminator = Terminator::Goto(target);
            changed = true;
        }
    }
    changed
}

fn decided(terminator: &Terminator) -> Option<BlockId> {
    match terminator {
        Terminator::Branch {
            cond: Operand::Const { bits, .. },
            then,
            otherwise,
        } => Some(if *bits != 0 { *then } else { *otherwise }),
        Terminator::Switch {
            value: Operand::Const { bits, .. },
            cases,
            default,
            ..
        } => {
            let case = cases.iter().find(|(v, _)| v == bits);
            Some(case.map_or(*default, |(_, b)| *b))
        }
        _ => None,
    }
}

/// The value of a computation over constants, for the few operations that decide branches.
pub(crate) fn evaluate(value: &Rvalue, model: DataModel) -> Option<Operand> {
    let bits = |o: &Operand| match o {
        Operand::Const { bits, .. } => Some(*bits),
        _ => None,
    };
    let address =
        |o: &Operand| matches!(o, Operand::Global { offset: 0, .. } | Operand::Function(_));
    match value {
        Rvalue::Use(o) => (!matches!(o, Operand::Local(_) | Operand::Slot { .. })).then_some(*o),
        Rvalue::Compare { op, a, b, .. } => {
            let holds = match (op, bits(a), bits(b)) {
                (CompareOp::Eq, Some(a), Some(b)) => a == b,
                (CompareOp::Ne, Some(a), Some(b)) => a != b,
                // The start of an object is never null.
                (CompareOp::Eq, None, Some(0)) if address(a) => false,
                (CompareOp::Ne, None, Some(0)) if address(a) => true,
                _ => return None,
            };
            Some(Operand::int(raddle_ir::Ty::I1, i128::from(holds)))
        }
        Rvalue::Cast {
            kind: raddle_ir::CastKind::ZExt | raddle_ir::CastKind::Trunc,
            to,
            a,
            ..
        } => {
            let mask = match to.bits(model) {
                128 => u128::MAX,
                n => (1 << n) - 1,
            };
            bits(a).map(|b| Operand::Const {
                ty: *to,
                bits: b & mask,
            })
        }
        Rvalue::Binary {
            op: op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor),
            ty,
            a,
            b,
            ..
        } => {
            let (a, b) = (bits(a)?, bits(b)?);
            let bits = match op {
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                _ => a ^ b,
            };
            Some(Operand::Const { ty: *ty, bits })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(bound: &[Option<Operand>]) -> Function {
        let text =
            "int f(int *a) { int x; if (a) x = 7; return x; } int main(void) { return f(0); }";
        let options = raddle_c::Options::default();
        let mut program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
        let f = program.function_named("f").expect("f");
        let mut f = program.functions.swap_remove(f.0 as usize);
        fold(&mut f, DataModel::Lp64, bound, &|_| None);
        f
    }

    #[test]
    fn a_bound_parameter_decides_a_branch() {
        let f = folded(&[Some(Operand::NULL)]);
        let branches = |b: &&raddle_ir::Block| matches!(b.terminator, Terminator::Branch { .. });
        assert_eq!(f.blocks.iter().filter(branches).count(), 0);
        assert!(reachable_blocks(&f).contains(&false));
    }

    #[test]
    fn a_definition_that_may_not_have_happened_is_not_used() {
        let f = folded(&[None]);
        let local = |b: &raddle_ir::Block| {
            matches!(b.terminator, Terminator::Return(Some(Operand::Local(_))))
        };
        assert!(f.blocks.iter().any(local));
    }
}
