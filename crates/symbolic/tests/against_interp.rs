//! Both semantics of every pure computation, on the same random operands: the value of the symbolic one under the
//! operands' values is the concrete one's result, and its checks fire exactly when the concrete one complains.
//!
//! `RADDLE_FUZZ=n` runs n computations instead of the default.

use raddle_interp::arith::{self, Trouble};
use raddle_interp::schedulers::SplitMix;
use raddle_ir::{
    BinaryOp, CastKind, CompareOp, DataModel, Operand, Property, PureFn, Rvalue, Ty, UnaryOp,
};
use raddle_solver::term::{Assignment, Sort, TermId, TermPool, Value as Concrete};
use raddle_symbolic::{Operands, Value, rvalue, sort_of};

const INTS: [Ty; 5] = [Ty::I8, Ty::I16, Ty::I32, Ty::I64, Ty::I128];
const BINARY: [BinaryOp; 13] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::SDiv,
    BinaryOp::UDiv,
    BinaryOp::SRem,
    BinaryOp::URem,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
];
const COMPARE: [CompareOp; 10] = [
    CompareOp::Eq,
    CompareOp::Ne,
    CompareOp::SLt,
    CompareOp::SLe,
    CompareOp::SGt,
    CompareOp::SGe,
    CompareOp::ULt,
    CompareOp::ULe,
    CompareOp::UGt,
    CompareOp::UGe,
];

/// Operands by variables of the pool (even rounds) or as constants, which exercises the simplifier (odd rounds).
struct Inputs {
    values: Vec<TermId>,
    arbitrary: Option<TermId>,
}

impl Operands for Inputs {
    fn operand(&mut self, _: &mut TermPool, operand: Operand) -> Value {
        match operand {
            Operand::Local(l) => Value::number(self.values[l.0 as usize]),
            _ => unreachable!("the generator makes locals only"),
        }
    }

    fn arbitrary(&mut self, pool: &mut TermPool, ty: Ty) -> TermId {
        let fresh = pool.fresh_var("any", sort_of(ty, MODEL));
        self.arbitrary = Some(fresh);
        fresh
    }
}

const MODEL: DataModel = DataModel::Lp64;

fn local(i: u32) -> Operand {
    Operand::Local(raddle_ir::LocalId(i))
}

/// Small numbers, edges, and anything.
fn draw(random: &mut SplitMix, bits: u32) -> u128 {
    let wide = u128::from(random.draw()) << 64 | u128::from(random.draw());
    let value = match random.below(6) {
        0 => u128::from(random.below(4)),
        1 => (1_u128 << (bits - 1)).wrapping_sub(u128::from(random.below(2))),
        2 => u128::MAX - u128::from(random.below(3)),
        3 => u128::from(random.below(u64::from(bits) + 4)),
        _ => wide,
    };
    value & raddle_interp::value::mask(bits)
}

struct Case {
    computation: Rvalue,
    types: Vec<Ty>,
}

fn generate(random: &mut SplitMix) -> Case {
    let ty = INTS[random.below(5) as usize];
    match random.below(5) {
        0 | 1 => {
            let op = BINARY[random.below(13) as usize];
            // Overflow of 128-bit arithmetic is refused; the plain operation is not.
            let checked = ty != Ty::I128 && random.below(2) == 0;
            Case {
                computation: Rvalue::Binary {
                    op,
                    ty,
                    a: local(0),
                    b: local(1),
                    checked,
                },
                types: vec![ty, ty],
            }
        }
        2 => Case {
            computation: Rvalue::Compare {
                op: COMPARE[random.below(10) as usize],
                ty,
                a: local(0),
                b: local(1),
            },
            types: vec![ty, ty],
        },
        3 => {
            let to = INTS[random.below(5) as usize];
            let (from_bits, to_bits) = (ty.bits(MODEL), to.bits(MODEL));
            let kind = match (to_bits < from_bits, random.below(2)) {
                (true, _) => CastKind::Trunc,
                (false, 0) => CastKind::ZExt,
                (false, _) => CastKind::SExt,
            };
            match to_bits == from_bits {
                true => generate(random),
                false => Case {
                    computation: Rvalue::Cast {
                        kind,
                        from: ty,
                        to,
                        a: local(0),
                    },
                    types: vec![ty],
                },
            }
        }
        _ => match random.below(2) {
            0 => Case {
                computation: Rvalue::Unary {
                    op: [UnaryOp::Neg, UnaryOp::Not][random.below(2) as usize],
                    ty,
                    a: local(0),
                    checked: false,
                },
                types: vec![ty],
            },
            _ => {
                let all = [PureFn::Clz, PureFn::Ctz, PureFn::Popcount, PureFn::Bswap];
                Case {
                    computation: Rvalue::Pure {
                        function: all[random.below(4) as usize],
                        ty,
                        args: vec![local(0)],
                    },
                    types: vec![ty],
                }
            }
        },
    }
}

/// The concrete result and what it complained about.
fn concrete(computation: &Rvalue, values: &[u128], overflow_is_checked: bool) -> (u128, Trouble) {
    match computation {
        Rvalue::Binary {
            op, ty, checked, ..
        } => {
            let checked = *checked && overflow_is_checked;
            arith::int_binary(*op, ty.bits(MODEL), values[0], values[1], checked)
        }
        Rvalue::Compare { op, ty, .. } => {
            let holds = arith::int_compare(*op, ty.bits(MODEL), values[0], values[1]);
            (u128::from(holds), Trouble::None)
        }
        Rvalue::Cast { kind, from, to, .. } => {
            let (fb, tb) = (from.bits(MODEL), to.bits(MODEL));
            (
                arith::cast(*kind, *from, fb, *to, tb, values[0]),
                Trouble::None,
            )
        }
        Rvalue::Unary { op, ty, .. } => {
            let mask = raddle_interp::value::mask(ty.bits(MODEL));
            let r = match op {
                UnaryOp::Neg => values[0].wrapping_neg(),
                UnaryOp::Not => !values[0],
            };
            (r & mask, Trouble::None)
        }
        Rvalue::Pure { function, ty, .. } => (
            arith::int_pure(*function, ty.bits(MODEL), values[0]),
            Trouble::None,
        ),
        _ => unreachable!("the generator makes no other"),
    }
}

#[test]
fn both_semantics_agree_on_random_computations() {
    let rounds = std::env::var("RADDLE_FUZZ")
        .ok()
        .and_then(|n| n.parse().ok());
    let mut random = SplitMix::new(0x5eed);
    for round in 0..rounds.unwrap_or(60_000_u64) {
        let mut pool = TermPool::new();
        let case = generate(&mut random);
        let values: Vec<u128> = case
            .types
            .iter()
            .map(|ty| draw(&mut random, ty.bits(MODEL)))
            .collect();
        let mut assignment = Assignment::new();
        let mut terms = Vec::new();
        for (i, (ty, v)) in case.types.iter().zip(&values).enumerate() {
            let width = ty.bits(MODEL);
            if round % 2 == 0 {
                let variable = pool.var(&format!("x{i}"), Sort::BitVec(width));
                assignment.insert(variable, Concrete::Bits(*v));
                terms.push(variable);
            } else {
                terms.push(pool.bits(width, *v));
            }
        }
        let mut inputs = Inputs {
            values: terms,
            arbitrary: None,
        };
        let computed = rvalue(&mut pool, MODEL, &case.computation, &mut inputs)
            .expect("integer computations are supported");
        let (expected, trouble) = concrete(&case.computation, &values, true);
        let context = || format!("{:?} on {values:x?}", case.computation);
        let fired = |property: Property, pool: &TermPool| {
            let mut all = computed.checks.iter().filter(|c| c.property == property);
            all.any(|c| pool.holds(c.violated, &assignment).expect("evaluates"))
        };
        let (_, unchecked) = concrete(&case.computation, &values, false);
        let stops = unchecked == Trouble::DivisionByZero;
        let shift = trouble == Trouble::BadShift;
        assert_eq!(fired(Property::NoDivZero, &pool), stops, "{}", context());
        assert_eq!(fired(Property::NoBadShift, &pool), shift, "{}", context());
        if stops && trouble == Trouble::Overflow {
            assert!(fired(Property::NoOverflow, &pool), "{}", context());
        }
        if !stops && !shift {
            let overflow = trouble == Trouble::Overflow;
            assert_eq!(
                fired(Property::NoOverflow, &pool),
                overflow,
                "{}",
                context()
            );
            let found = match pool
                .eval(computed.value.bits, &assignment)
                .expect("evaluates")
            {
                Concrete::Bits(b) => b,
                Concrete::Bool(b) => u128::from(b),
                other => panic!("{other:?}"),
            };
            assert_eq!(found, expected, "{}", context());
        }
    }
}
