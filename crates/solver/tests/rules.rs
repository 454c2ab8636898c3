//! Every rewrite rule against the evaluator: random instances of its operator, both sides evaluated under
//! random values. A rule that never fires here fails the test, so none can be added untested.

mod support;

use raddle_solver::term::{Op, Sort, TermId, TermPool, all_rules, result_sort};
use support::random::Random;
use support::term_generate::{Shape, assignment, term};

const WANTED: usize = 25;
const ATTEMPTS: usize = 60_000;

/// The operator with random parameters, and sorts for its arguments.
fn instance(random: &mut Random, op: Op) -> (Op, Vec<Sort>) {
    let width = random.range(1, 4) as u32;
    let bits = Sort::BitVec(width);
    let any = *random.pick(&[
        Sort::Bool,
        bits,
        bits,
        Sort::Array {
            index: 2,
            element: 2,
        },
    ]);
    let array = Sort::Array {
        index: 2,
        element: 2,
    };
    match op {
        Op::Not => (op, vec![Sort::Bool]),
        Op::And | Op::Or | Op::Xor => (op, vec![Sort::Bool; 2]),
        Op::Ite => (op, vec![Sort::Bool, any, any]),
        Op::Eq => (op, vec![any; 2]),
        Op::BvNot | Op::BvNeg => (op, vec![bits]),
        Op::Extract { .. } => {
            let low = random.below(width as usize) as u32;
            let high = random.range(low as usize, width as usize - 1) as u32;
            (Op::Extract { high, low }, vec![bits])
        }
        Op::ZeroExtend { .. } => (
            Op::ZeroExtend {
                by: random.below(3) as u32,
            },
            vec![bits],
        ),
        Op::SignExtend { .. } => (
            Op::SignExtend {
                by: random.below(3) as u32,
            },
            vec![bits],
        ),
        Op::Concat => (op, vec![bits, Sort::BitVec(random.range(1, 3) as u32)]),
        Op::Select => (op, vec![array, Sort::BitVec(2)]),
        Op::Store => (op, vec![array, Sort::BitVec(2), Sort::BitVec(2)]),
        _ => (op, vec![bits; 2]),
    }
}

#[test]
fn every_rule_keeps_the_value() {
    let mut random = Random::new(7);
    for (listed, rule) in all_rules() {
        let mut fired = 0;
        let mut pool = TermPool::new();
        for _ in 0..ATTEMPTS {
            if pool.len() > 3000 {
                pool = TermPool::new();
            }
            let (op, sorts) = instance(&mut random, listed);
            let shape = Shape {
                widths: vec![1, 2, 3],
                arrays: random.percent(20),
                expensive: true,
            };
            let mut args: Vec<TermId> = Vec::new();
            for &sort in &sorts {
                // Related arguments make rules about shared parts fire.
                let related: Vec<TermId> = args
                    .iter()
                    .flat_map(|&arg| std::iter::once(arg).chain(pool.args(arg).to_vec()))
                    .filter(|&part| pool.sort(part) == sort)
                    .collect();
                let depth = random.below(3);
                let arg = if !related.is_empty() && random.percent(30) {
                    *random.pick(&related)
                } else {
                    term(&mut random, &mut pool, &shape, sort, depth, false)
                };
                args.push(arg);
            }
            if op == Op::Concat && random.percent(20) {
                // Neighbouring parts of one vector do not meet by chance.
                let whole = term(&mut random, &mut pool, &shape, Sort::BitVec(4), 0, false);
                let split = random.range(1, 3) as u32;
                args = vec![
                    pool.extract(3, split, whole),
                    pool.extract(split - 1, 0, whole),
                ];
            }
            let actual: Vec<Sort> = args.iter().map(|&arg| pool.sort(arg)).collect();
            if result_sort(op, &actual).is_none() {
                continue;
            }
            let Some(rewritten) = (rule.apply)(&mut pool, op, &args) else {
                continue;
            };
            fired += 1;
            let original = pool.raw(op, &args);
            assert_eq!(
                pool.sort(original),
                pool.sort(rewritten),
                "{} changes the sort",
                rule.name
            );
            for _ in 0..12 {
                let values = assignment(&mut random, &pool, &[original, rewritten]);
                let holds = pool.raw(Op::Eq, &[original, rewritten]);
                assert_eq!(
                    pool.holds(holds, &values),
                    Ok(true),
                    "{} ({}) turns {} into {}",
                    rule.name,
                    rule.law,
                    pool.display(original),
                    pool.display(rewritten)
                );
            }
            if fired >= WANTED {
                break;
            }
        }
        assert!(fired > 0, "rule {} never fired for {listed:?}", rule.name);
    }
}

#[test]
fn rule_names_are_unique_for_an_operator() {
    let mut seen = std::collections::HashSet::new();
    for (op, rule) in all_rules() {
        assert!(
            seen.insert((op, rule.name)),
            "{} is listed twice for {op:?}",
            rule.name
        );
        assert!(!rule.law.is_empty());
    }
}

#[test]
fn simplified_terms_keep_their_value_up_to_128_bits() {
    let mut random = Random::new(11);
    for _ in 0..4000 {
        let widths = (0..3).map(|_| random.range(1, 128) as u32).collect();
        let shape = Shape {
            widths,
            arrays: random.percent(20),
            expensive: true,
        };
        let mut pool = TermPool::new();
        let sort = if random.percent(50) {
            Sort::Bool
        } else {
            Sort::BitVec(random.range(1, 60) as u32)
        };
        let raw = term(&mut random, &mut pool, &shape, sort, 3, true);
        let case = support::term_case::TermCase {
            pool,
            assertions: vec![raw],
            assumptions: vec![],
        };
        let simple = case.simplified();
        for _ in 0..4 {
            let values = assignment(&mut random, &simple.pool, &[raw]);
            assert_eq!(
                case.pool.eval(raw, &values),
                simple.pool.eval(simple.assertions[0], &values),
                "{}",
                case.pool.display(raw)
            );
        }
    }
}
