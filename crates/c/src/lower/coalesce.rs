//! Copies that only pass a value on are taken out: `t = a + 1; x = t` becomes `x = a + 1`, and `t = x; y = t + 1`
//! becomes `y = x + 1`.
//!
//! Only for a temporary that is used once, in the very next instruction, so nothing can happen in between. What is
//! left is what a reader would write, and every engine has less to do.

use raddle_ir as ir;

/// Takes copies out of a function.
pub fn coalesce(function: &mut ir::Function) {
    let uses = count_uses(function);
    let is_temporary =
        |l: ir::LocalId| function.locals[l.0 as usize].name.is_empty() && uses[l.0 as usize] == 1;
    let params = function.params;
    let movable = |l: ir::LocalId| l.0 >= params && is_temporary(l);
    let mut blocks = std::mem::take(&mut function.blocks);
    for block in &mut blocks {
        let mut kept: Vec<ir::Instr> = Vec::with_capacity(block.instrs.len());
        for mut instr in block.instrs.drain(..) {
            if let Some(last) = kept.last_mut() {
                if pass_source(&last.op, &mut instr.op, &movable) {
                    kept.pop();
                } else if pass_result(&mut last.op, &instr.op, &movable) {
                    continue;
                }
            }
            kept.push(instr);
        }
        block.instrs = kept;
    }
    function.blocks = blocks;
}

fn count_uses(function: &mut ir::Function) -> Vec<u32> {
    let mut uses = vec![0; function.locals.len()];
    for block in &mut function.blocks {
        let operands = block.instrs.iter_mut().flat_map(|i| i.op.operands_mut());
        for operand in operands.chain(block.terminator.operand_mut()) {
            if let ir::Operand::Local(l) = operand {
                uses[l.0 as usize] += 1;
            }
        }
    }
    uses
}

/// `t = x; … t …` : the next instruction takes `x` itself.
fn pass_source(
    first: &ir::Op,
    second: &mut ir::Op,
    movable: &impl Fn(ir::LocalId) -> bool,
) -> bool {
    let ir::Op::Let {
        dst,
        value: ir::Rvalue::Use(source),
    } = first
    else {
        return false;
    };
    if !movable(*dst) {
        return false;
    }
    let mut operands = second.operands_mut();
    match operands
        .iter_mut()
        .find(|o| ***o == ir::Operand::Local(*dst))
    {
        Some(operand) => {
            **operand = *source;
            true
        }
        None => false,
    }
}

/// `t = …; x = t` : the first instruction gives its result to `x`.
fn pass_result(
    first: &mut ir::Op,
    second: &ir::Op,
    movable: &impl Fn(ir::LocalId) -> bool,
) -> bool {
    let ir::Op::Let {
        dst: target,
        value: ir::Rvalue::Use(ir::Operand::Local(source)),
    } = second
    else {
        return false;
    };
    if !movable(*source) {
        return false;
    }
    let mut found = first.destinations_mut();
    match found.iter_mut().find(|d| ***d == *source) {
        Some(destination) => {
            **destination = *target;
            true
        }
        None => false,
    }
}
