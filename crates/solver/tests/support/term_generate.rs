//! Random terms over all operators, and random problems made of them.

use super::random::Random;
use super::term_case::{PLAIN_OPS, TermCase};
use raddle_solver::term::{ArrayValue, Assignment, Op, Sort, Term, TermId, TermPool, Value};

pub struct Shape {
    pub widths: Vec<u32>,
    pub arrays: bool,
    pub expensive: bool,
}

/// Widths for one problem: a few small ones, sometimes one larger, up to 64 bits.
pub fn shape(random: &mut Random) -> Shape {
    let wide = random.percent(25);
    let count = random.range(1, 3);
    let widths = (0..count)
        .map(|_| random.range(1, if wide { 64 } else { 10 }) as u32)
        .collect();
    Shape {
        widths,
        arrays: random.percent(25),
        expensive: !wide || random.percent(30),
    }
}

fn interesting(random: &mut Random, width: u32) -> u128 {
    match random.below(6) {
        0 => 0,
        1 => 1,
        2 => u128::MAX,
        3 => 1 << (width - 1),
        4 => random.below(16) as u128,
        _ => random.wide(),
    }
}

pub fn leaf(random: &mut Random, pool: &mut TermPool, sort: Sort) -> TermId {
    match sort {
        Sort::Bool if random.percent(15) => {
            let value = random.percent(50);
            pool.bool(value)
        }
        Sort::BitVec(width) if random.percent(30) => {
            let value = interesting(random, width);
            pool.bits(width, value)
        }
        _ => {
            let tag = match sort {
                Sort::Bool => "p".to_owned(),
                Sort::BitVec(width) => format!("x{width}"),
                Sort::Array { index, element } => format!("m{index}_{element}"),
                Sort::Int => "n".to_owned(),
            };
            let number = random.below(3);
            pool.var(&format!("{tag}_{number}"), sort)
        }
    }
}

fn other_width(random: &mut Random, shape: &Shape) -> u32 {
    *random.pick(&shape.widths)
}

/// A random term of a sort; with `raw`, operators are applied without simplification.
pub fn term(
    random: &mut Random,
    pool: &mut TermPool,
    shape: &Shape,
    sort: Sort,
    depth: usize,
    raw: bool,
) -> TermId {
    if depth == 0 || random.percent(12) {
        return leaf(random, pool, sort);
    }
    let (op, sorts) = operator(random, shape, sort);
    let args: Vec<TermId> = sorts
        .iter()
        .map(|&sort| term(random, pool, shape, sort, depth - 1, raw))
        .collect();
    // Repeated arguments make many rules applicable.
    let args = if args.len() == 2 && sorts[0] == sorts[1] && random.percent(10) {
        vec![args[0], args[0]]
    } else {
        args
    };
    if raw {
        pool.raw(op, &args)
    } else {
        pool.apply_op(op, &args)
    }
}

fn operator(random: &mut Random, shape: &Shape, sort: Sort) -> (Op, Vec<Sort>) {
    match sort {
        Sort::Bool => match random.below(10) {
            0 => (Op::Not, vec![Sort::Bool]),
            1 => (
                *random.pick(&[Op::And, Op::Or, Op::Xor]),
                vec![Sort::Bool; 2],
            ),
            2 => (*random.pick(&[Op::And, Op::Or]), vec![Sort::Bool; 2]),
            3 => (Op::Ite, vec![Sort::Bool; 3]),
            4 if shape.arrays => (Op::Eq, vec![array_sort(random, shape); 2]),
            4 => (Op::Eq, vec![Sort::Bool; 2]),
            5 | 6 => (Op::Eq, vec![Sort::BitVec(other_width(random, shape)); 2]),
            _ => {
                let op = *random.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle]);
                (op, vec![Sort::BitVec(other_width(random, shape)); 2])
            }
        },
        Sort::BitVec(width) => bits_operator(random, shape, width),
        Sort::Array { index, element } => match random.below(4) {
            0 => (Op::Ite, vec![Sort::Bool, sort, sort]),
            1 => (Op::ConstArray { index }, vec![Sort::BitVec(element)]),
            _ => (
                Op::Store,
                vec![sort, Sort::BitVec(index), Sort::BitVec(element)],
            ),
        },
        Sort::Int => (Op::IntAdd, vec![Sort::Int; 2]),
    }
}

fn array_sort(random: &mut Random, shape: &Shape) -> Sort {
    Sort::Array {
        index: other_width(random, shape),
        element: other_width(random, shape),
    }
}

fn bits_operator(random: &mut Random, shape: &Shape, width: u32) -> (Op, Vec<Sort>) {
    let same = Sort::BitVec(width);
    loop {
        match random.below(12) {
            0 => return (Op::Ite, vec![Sort::Bool, same, same]),
            1 => return (*random.pick(&[Op::BvNot, Op::BvNeg]), vec![same]),
            2 => {
                let low = random.below(4) as u32;
                let above = random.below(4) as u32;
                if width + low + above <= 64 {
                    return (
                        Op::Extract {
                            high: width + low - 1,
                            low,
                        },
                        vec![Sort::BitVec(width + low + above)],
                    );
                }
            }
            3 if width > 1 => {
                let left = random.range(1, width as usize - 1) as u32;
                return (
                    Op::Concat,
                    vec![Sort::BitVec(left), Sort::BitVec(width - left)],
                );
            }
            4 => {
                let by = random.below(width as usize) as u32;
                let op = if random.percent(50) {
                    Op::ZeroExtend { by }
                } else {
                    Op::SignExtend { by }
                };
                return (op, vec![Sort::BitVec(width - by)]);
            }
            5 if shape.arrays => {
                let index = other_width(random, shape);
                return (
                    Op::Select,
                    vec![
                        Sort::Array {
                            index,
                            element: width,
                        },
                        Sort::BitVec(index),
                    ],
                );
            }
            _ => {
                let (_, op) = *random.pick(&PLAIN_OPS[8..22]);
                let heavy = matches!(
                    op,
                    Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod
                );
                if !heavy || (shape.expensive && width <= 8) || random.percent(2) {
                    return (op, vec![same, same]);
                }
            }
        }
    }
}

/// A random problem: assertions and assumptions, raw or simplified.
pub fn term_case(random: &mut Random) -> TermCase {
    let shape = shape(random);
    let raw = random.percent(50);
    let mut pool = TermPool::new();
    let mut roots = |random: &mut Random, count: usize| -> Vec<TermId> {
        (0..count)
            .map(|_| {
                let depth = random.range(2, 4);
                term(random, &mut pool, &shape, Sort::Bool, depth, raw)
            })
            .collect()
    };
    let count = random.range(1, 4);
    let assertions = roots(random, count);
    let count = random.below(4);
    let assumptions = roots(random, count);
    TermCase {
        pool,
        assertions,
        assumptions,
    }
}

/// Random values for all variables of some terms.
pub fn assignment(random: &mut Random, pool: &TermPool, roots: &[TermId]) -> Assignment {
    let mut values = Assignment::new();
    for id in pool.free_variables(roots) {
        let value = match pool.sort(id) {
            Sort::Bool => Value::Bool(random.percent(50)),
            Sort::BitVec(width) => {
                Value::Bits(interesting(random, width) & raddle_solver::term::mask(width))
            }
            Sort::Int => Value::Int(random.below(9) as i128 - 4),
            Sort::Array { index, element } => {
                let element_mask = raddle_solver::term::mask(element);
                let mut array =
                    ArrayValue::constant(index, interesting(random, element) & element_mask);
                for _ in 0..random.below(4) {
                    let at = interesting(random, index) & raddle_solver::term::mask(index);
                    array.set(at, interesting(random, element) & element_mask);
                }
                Value::Array(array)
            }
        };
        values.insert(id, value);
    }
    values
}

pub fn is_app(pool: &TermPool, id: TermId) -> bool {
    matches!(pool.term(id), Term::App { .. })
}
