//! Locals that always hold one constant, found while a function is inlined.
//!
//! After inlining, most addresses are constants: `pthread_mutex_lock(&m)` passes one. Only parameters that are never assigned
//! and temporaries (locals without a name) that are assigned once are looked at: both have their value before every use.

use raddle_ir::{CompareOp, Function, LocalId, Op, Operand, Rvalue, Ty};
use std::collections::HashMap;

/// Constants by local.
pub type Constants = HashMap<LocalId, Operand>;

/// Whether an operand means the same wherever it stands in a template.
pub fn is_constant(o: Operand) -> bool {
    !matches!(o, Operand::Local(_))
}

fn is_address(o: Operand) -> bool {
    matches!(
        o,
        Operand::Global { .. } | Operand::Slot { .. } | Operand::Function(_)
    )
}

/// The constants of a function, given those of its parameters; `operand` renames what is not constant.
pub fn constants(
    function: &Function,
    params: Constants,
    rename: &dyn Fn(Operand, &Constants) -> Operand,
) -> Constants {
    let mut assigned: HashMap<LocalId, u32> = HashMap::new();
    for block in &function.blocks {
        for instr in &block.instrs {
            let mut op = instr.op.clone();
            for dst in op.destinations_mut() {
                *assigned.entry(*dst).or_default() += 1;
            }
        }
    }
    let mut known: Constants = params;
    known.retain(|l, _| !assigned.contains_key(l));
    loop {
        let before = known.len();
        for block in &function.blocks {
            for instr in &block.instrs {
                let Op::Let { dst, value } = &instr.op else {
                    continue;
                };
                let temporary = function.local(*dst).name.is_empty() && assigned[dst] == 1;
                if !temporary || known.contains_key(dst) {
                    continue;
                }
                if let Some(c) = fold(value, &|o| rename(o, &known)) {
                    known.insert(*dst, c);
                }
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

/// The constant a computation gives, in the few cases that matter for addresses.
fn fold(value: &Rvalue, operand: &dyn Fn(Operand) -> Operand) -> Option<Operand> {
    match value {
        Rvalue::Use(a) => Some(operand(*a)).filter(|o| is_constant(*o)),
        Rvalue::PtrAdd {
            base,
            index,
            scale,
            offset,
        } => {
            let Operand::Const { bits, ty } = operand(*index) else {
                return None;
            };
            let index = match ty {
                Ty::I32 => i64::from(bits as u32 as i32),
                Ty::I64 => bits as u64 as i64,
                _ => return None,
            };
            let by = index
                .checked_mul(i64::try_from(*scale).ok()?)?
                .checked_add(*offset)?;
            Some(match operand(*base) {
                Operand::Global { id, offset } => Operand::Global {
                    id,
                    offset: offset.checked_add(by)?,
                },
                Operand::Slot { id, offset } => Operand::Slot {
                    id,
                    offset: offset.checked_add(by)?,
                },
                _ => return None,
            })
        }
        Rvalue::Compare { op, a, b, .. } => {
            let equal = match (operand(*a), operand(*b)) {
                (Operand::Const { bits: x, .. }, Operand::Const { bits: y, .. }) => x == y,
                (a, Operand::Const { bits: 0, .. }) if is_address(a) => false,
                (Operand::Const { bits: 0, .. }, b) if is_address(b) => false,
                _ => return None,
            };
            let holds = match op {
                CompareOp::Eq => equal,
                CompareOp::Ne => !equal,
                _ => return None,
            };
            Some(Operand::int(Ty::I1, i128::from(holds)))
        }
        _ => None,
    }
}
