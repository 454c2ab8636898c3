//! Numbers that a program compares with or computes with: the values worth trying for its inputs.

use raddle_ir::{DataModel, Op, Operand, Program, Rvalue, Terminator, Ty};
use std::collections::BTreeSet;

/// At most this many are kept.
const ENOUGH: usize = 24;

/// The integer constants of a program's own functions, sign-extended, with small and extreme numbers in front.
pub fn interesting(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::new();
    let mut note = |o: &Operand| {
        if let Operand::Const { ty, bits } = o
            && ty.is_int()
            && *ty != Ty::I1
        {
            found.insert(crate::value::sign_extend(*bits, ty.bits(DataModel::Lp64)));
        }
    };
    for function in program.functions.iter().filter(|f| !f.library) {
        for block in &function.blocks {
            for instr in &block.instrs {
                match &instr.op {
                    Op::Let {
                        value: Rvalue::Binary { a, b, .. } | Rvalue::Compare { a, b, .. },
                        ..
                    } => {
                        note(a);
                        note(b);
                    }
                    Op::Cas { expected, .. } => note(expected),
                    _ => {}
                }
            }
            if let Terminator::Switch { ty, cases, .. } = &block.terminator {
                for (bits, _) in cases {
                    note(&Operand::Const {
                        ty: *ty,
                        bits: *bits,
                    });
                }
            }
        }
    }
    let edges = [0, 1, -1, 2, i128::from(i32::MIN), i128::from(i32::MAX)];
    let mut all = edges.to_vec();
    for c in found {
        for near in [c, c.wrapping_add(1), c.wrapping_sub(1)] {
            if !all.contains(&near) && all.len() < ENOUGH {
                all.push(near);
            }
        }
    }
    all
}
