//! Locals that always hold one constant, found while a function is inlined.
//!
//! After inlining, most addresses are constants: `pthread_mutex_lock(&m)` passes one. Only parameters that are never assigned,
//! temporaries (locals without a name) that are assigned once, and variables that are assigned once, where the function begins, are looked at:
//! all have their value before every use.

use raddle_ir::{
    BinaryOp, CastKind, CompareOp, DataModel, Function, LocalId, Op, Operand, Rvalue, Ty,
};
use std::collections::{HashMap, HashSet};

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
    model: DataModel,
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
    // What is assigned in the first block before anything there reads it has that value wherever control gets.
    let mut settled: HashSet<LocalId> = HashSet::new();
    let mut read: HashSet<LocalId> = HashSet::new();
    for instr in function.blocks.first().iter().flat_map(|b| &b.instrs) {
        let mut op = instr.op.clone();
        read.extend(op.operands_mut().iter().filter_map(|o| match o {
            Operand::Local(l) => Some(*l),
            _ => None,
        }));
        for dst in op.destinations_mut() {
            if !read.contains(dst) {
                settled.insert(*dst);
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
                let temporary = function.local(*dst).name.is_empty() || settled.contains(dst);
                if !temporary || assigned[dst] != 1 || known.contains_key(dst) {
                    continue;
                }
                if let Some(c) = compute(value, model, &|o| rename(o, &known)) {
                    known.insert(*dst, c);
                }
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

/// The constant a computation gives; `operand` says what is known of operands.
pub fn compute(
    value: &Rvalue,
    model: DataModel,
    operand: &dyn Fn(Operand) -> Operand,
) -> Option<Operand> {
    let number = |o: &Operand, ty: Ty| match operand(*o) {
        Operand::Const { bits, .. } if !ty.is_float() && ty != Ty::Ptr => Some(bits),
        _ => None,
    };
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
        Rvalue::Compare { op, ty, a, b } => {
            let holds = match (operand(*a), operand(*b)) {
                (Operand::Const { bits: x, .. }, Operand::Const { bits: y, .. }) => {
                    compare(*op, *ty, model, (x, y))?
                }
                (a, Operand::Const { bits: 0, .. }) if is_address(a) => differ(*op)?,
                (Operand::Const { bits: 0, .. }, b) if is_address(b) => differ(*op)?,
                _ => return None,
            };
            Some(Operand::int(Ty::I1, i128::from(holds)))
        }
        Rvalue::Binary { op, ty, a, b, .. } => {
            let (x, y) = (number(a, *ty)?, number(b, *ty)?);
            let bits = match op {
                BinaryOp::Add => x.wrapping_add(y),
                BinaryOp::Sub => x.wrapping_sub(y),
                BinaryOp::Mul => x.wrapping_mul(y),
                BinaryOp::And => x & y,
                BinaryOp::Or => x | y,
                BinaryOp::Xor => x ^ y,
                BinaryOp::UDiv => x.checked_div(y)?,
                BinaryOp::URem => x.checked_rem(y)?,
                BinaryOp::SDiv | BinaryOp::SRem => {
                    let (x, y) = (signed(x, *ty, model), signed(y, *ty, model));
                    // The smallest number by -1 has no quotient.
                    if y == 0 || y == -1 {
                        return None;
                    }
                    let result = if *op == BinaryOp::SDiv { x / y } else { x % y };
                    result as u128
                }
                _ => return None,
            };
            Some(of_type(*ty, bits, model))
        }
        Rvalue::Cast { kind, from, to, a } => {
            let bits = number(a, *from)?;
            match kind {
                CastKind::Trunc | CastKind::ZExt => Some(of_type(*to, bits, model)),
                CastKind::SExt => Some(of_type(*to, signed(bits, *from, model) as u128, model)),
                _ => None,
            }
        }
        Rvalue::Select { cond, a, b, .. } => {
            let chosen = match number(cond, Ty::I1)? & 1 {
                1 => operand(*a),
                _ => operand(*b),
            };
            Some(chosen).filter(|o| is_constant(*o))
        }
        _ => None,
    }
}

/// What is not equal.
fn differ(op: CompareOp) -> Option<bool> {
    match op {
        CompareOp::Eq => Some(false),
        CompareOp::Ne => Some(true),
        _ => None,
    }
}

fn compare(op: CompareOp, ty: Ty, model: DataModel, (x, y): (u128, u128)) -> Option<bool> {
    if ty.is_float() {
        return None;
    }
    let (a, b) = (signed(x, ty, model), signed(y, ty, model));
    Some(match op {
        CompareOp::Eq => x == y,
        CompareOp::Ne => x != y,
        CompareOp::SLt => a < b,
        CompareOp::SLe => a <= b,
        CompareOp::SGt => a > b,
        CompareOp::SGe => a >= b,
        CompareOp::ULt => x < y,
        CompareOp::ULe => x <= y,
        CompareOp::UGt => x > y,
        CompareOp::UGe => x >= y,
    })
}

/// The number that the bits of a type stand for.
fn signed(bits: u128, ty: Ty, model: DataModel) -> i128 {
    let unused = 128 - ty.bits(model);
    (bits << unused) as i128 >> unused
}

/// The bits that a type keeps.
fn of_type(ty: Ty, bits: u128, model: DataModel) -> Operand {
    let unused = 128 - ty.bits(model);
    Operand::Const {
        ty,
        bits: bits << unused >> unused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: DataModel = DataModel::Lp64;

    fn bits(value: Rvalue) -> Option<u128> {
        match compute(&value, MODEL, &|o| o) {
            Some(Operand::Const { bits, .. }) => Some(bits),
            _ => None,
        }
    }

    fn binary(op: BinaryOp, ty: Ty, a: i128, b: i128) -> Option<u128> {
        bits(Rvalue::Binary {
            op,
            ty,
            a: Operand::int(ty, a),
            b: Operand::int(ty, b),
            checked: false,
        })
    }

    fn relation(op: CompareOp, ty: Ty, a: i128, b: i128) -> Option<u128> {
        bits(Rvalue::Compare {
            op,
            ty,
            a: Operand::int(ty, a),
            b: Operand::int(ty, b),
        })
    }

    /// Against the machine's arithmetic.
    macro_rules! same_as {
        ($signed:ty, $unsigned:ty, $ty:expr) => {{
            let edges = [0, 1, 2, 3, 7, -1, -2, -7, 100];
            let extremes = [<$signed>::MIN, <$signed>::MAX, <$signed>::MIN + 1];
            let all: Vec<$signed> = edges.into_iter().chain(extremes).collect();
            for a in all.iter().copied() {
                for b in all.iter().copied() {
                    let (u, v) = (a as $unsigned, b as $unsigned);
                    let is = |op, expected: $signed| {
                        let found = binary(op, $ty, i128::from(a), i128::from(b));
                        assert_eq!(found, Some(expected as $unsigned as u128), "{op:?} {a} {b}");
                    };
                    is(BinaryOp::Add, a.wrapping_add(b));
                    is(BinaryOp::Sub, a.wrapping_sub(b));
                    is(BinaryOp::Mul, a.wrapping_mul(b));
                    is(BinaryOp::And, a & b);
                    is(BinaryOp::Or, a | b);
                    is(BinaryOp::Xor, a ^ b);
                    if b != 0 {
                        is(BinaryOp::UDiv, (u / v) as $signed);
                        is(BinaryOp::URem, (u % v) as $signed);
                    }
                    if b != 0 && b != -1 {
                        is(BinaryOp::SDiv, a / b);
                        is(BinaryOp::SRem, a % b);
                    }
                    let is = |op, expected: bool| {
                        let found = relation(op, $ty, i128::from(a), i128::from(b));
                        assert_eq!(found, Some(u128::from(expected)), "{op:?} {a} {b}");
                    };
                    is(CompareOp::Eq, a == b);
                    is(CompareOp::Ne, a != b);
                    is(CompareOp::SLt, a < b);
                    is(CompareOp::SLe, a <= b);
                    is(CompareOp::SGt, a > b);
                    is(CompareOp::SGe, a >= b);
                    is(CompareOp::ULt, u < v);
                    is(CompareOp::ULe, u <= v);
                    is(CompareOp::UGt, u > v);
                    is(CompareOp::UGe, u >= v);
                }
                let cast = |kind, to| {
                    bits(Rvalue::Cast {
                        kind,
                        from: $ty,
                        to,
                        a: Operand::int($ty, i128::from(a)),
                    })
                };
                let wide = a as i64 as u64 as u128;
                assert_eq!(cast(CastKind::SExt, Ty::I64), Some(wide));
                let wide = a as $unsigned as u128;
                assert_eq!(cast(CastKind::ZExt, Ty::I64), Some(wide));
                assert_eq!(cast(CastKind::Trunc, Ty::I8), Some(a as u8 as u128));
            }
        }};
    }

    #[test]
    fn constants_are_those_of_the_machine() {
        same_as!(i8, u8, Ty::I8);
        same_as!(i16, u16, Ty::I16);
        same_as!(i32, u32, Ty::I32);
        same_as!(i64, u64, Ty::I64);
    }

    #[test]
    fn what_is_undefined_has_no_value() {
        assert_eq!(binary(BinaryOp::SDiv, Ty::I32, 1, 0), None);
        assert_eq!(binary(BinaryOp::UDiv, Ty::I32, 1, 0), None);
        let least = i128::from(i32::MIN);
        assert_eq!(binary(BinaryOp::SDiv, Ty::I32, least, -1), None);
        assert_eq!(binary(BinaryOp::Shl, Ty::I32, 1, 40), None);
    }
}
