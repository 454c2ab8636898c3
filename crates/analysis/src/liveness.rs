//! Which locals may still be read at the start of each block: the classical backward analysis.

use crate::loops::successors;
use raddle_ir::{BlockId, Function, LocalId, Op, Operand, SyncOp, Terminator};

/// The locals that are live at the start of every block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Liveness {
    live: Vec<Vec<bool>>,
    /// Everything is live everywhere.
    comes_back: bool,
}

fn read(operand: &Operand, live: &mut [bool]) {
    if let Operand::Local(l) = operand {
        live[l.0 as usize] = true;
    }
}

impl Liveness {
    /// Computes it for a function with a body.
    pub fn new(function: &Function) -> Liveness {
        // Behind a `setjmp` a function goes on from wherever it is.
        let comes_back = function
            .blocks
            .iter()
            .flat_map(|b| &b.instrs)
            .any(|i| matches!(i.op, Op::Sync { op, .. } if op == SyncOp::SetJump));
        let live = vec![vec![comes_back; function.locals.len()]; function.blocks.len()];
        let mut found = Liveness { live, comes_back };
        if comes_back {
            return found;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for i in (0..function.blocks.len()).rev() {
                let now = found.before(function, BlockId(i as u32), 0);
                if now != found.live[i] {
                    found.live[i] = now;
                    changed = true;
                }
            }
        }
        found
    }

    /// The locals of the function it was computed for that may still be read before an instruction of a block; behind the last one is
    /// its end.
    pub fn before(&self, function: &Function, block: BlockId, instr: usize) -> Vec<bool> {
        if self.comes_back {
            return vec![true; function.locals.len()];
        }
        let block = &function.blocks[block.0 as usize];
        let mut now = vec![false; function.locals.len()];
        for s in successors(&block.terminator) {
            for (mine, theirs) in now.iter_mut().zip(&self.live[s.0 as usize]) {
                *mine |= theirs;
            }
        }
        match &block.terminator {
            Terminator::Branch { cond, .. } => read(cond, &mut now),
            Terminator::Switch { value, .. } => read(value, &mut now),
            Terminator::Return(Some(value)) => read(value, &mut now),
            _ => {}
        }
        for instr in block.instrs.iter().skip(instr).rev() {
            let mut op = instr.op.clone();
            for dst in op.destinations_mut() {
                now[dst.0 as usize] = false;
            }
            for operand in op.operands_mut() {
                read(operand, &mut now);
            }
        }
        now
    }

    /// Whether a local may be read before it is assigned, from the start of a block on.
    pub fn is_live(&self, block: BlockId, local: LocalId) -> bool {
        self.live[block.0 as usize][local.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{Block, Instr, Local, Op, Rvalue, Span, TextId, Ty};

    #[test]
    fn what_is_overwritten_before_it_is_read_is_dead() {
        let local = |name: &str| Local {
            name: name.into(),
            ty: Ty::I1,
            debug: None,
        };
        let set = |dst: u32, from: Operand| Instr {
            op: Op::Let {
                dst: LocalId(dst),
                value: Rvalue::Use(from),
            },
            span: Span::NOWHERE,
            text: TextId(0),
        };
        let (a, b) = (LocalId(0), LocalId(1));
        let function = Function {
            name: "f".into(),
            params: 0,
            ret: None,
            locals: vec![local("a"), local("b")],
            slots: Vec::new(),
            blocks: vec![
                Block {
                    instrs: vec![set(1, Operand::Local(a))],
                    terminator: Terminator::Branch {
                        cond: Operand::Local(b),
                        then: BlockId(0),
                        otherwise: BlockId(1),
                    },
                    terminator_span: Span::NOWHERE,
                },
                Block {
                    instrs: Vec::new(),
                    terminator: Terminator::Return(Some(Operand::Local(b))),
                    terminator_span: Span::NOWHERE,
                },
            ],
            library: false,
            assembly: false,
            span: Span::NOWHERE,
        };
        let live = Liveness::new(&function);
        assert!(live.is_live(BlockId(0), a));
        assert!(!live.is_live(BlockId(0), b));
        assert!(live.is_live(BlockId(1), b));
        assert_eq!(live.before(&function, BlockId(0), 0), [true, false]);
        assert_eq!(live.before(&function, BlockId(0), 1), [true, true]);
    }
}
