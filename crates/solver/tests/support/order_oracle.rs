//! What must be true of an ordering problem, whatever its answer.

use super::order_case::{OrderCase, lit};
use raddle_solver::blast::ArrayMode;
use raddle_solver::check::check;
use raddle_solver::order::OrderProblem;
use raddle_solver::order::clocks::ChainClocks;
use raddle_solver::order::closure::BitClosure;
use raddle_solver::order::reach::Reachability;
use raddle_solver::order::topological::TopologicalOrder;
use raddle_solver::sat::SatResult;
use raddle_solver::term::{Sort, TermPool};
use raddle_solver::twin::{brute_force, clocks};
use raddle_solver::{Limits, Solver};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many branching literals the theory has asked for, to know that this path is tested.
pub static ORDER_LITERALS: AtomicU64 = AtomicU64::new(0);

/// Adds the case in pieces with checks in between, some of them under assumptions.
fn grow<R: Reachability + 'static>(
    case: &OrderCase,
    solver: &mut Solver<R>,
    pool: &mut TermPool,
) -> Result<(), String> {
    let mut blocks = BTreeMap::new();
    let count = case.events.len() as u32;
    let assumed: Vec<raddle_solver::Lit> = case
        .choices
        .iter()
        .step_by(3)
        .map(|&(literal, _, _)| lit(literal))
        .collect();
    let mut from = 0;
    for part in 1..=3 {
        let to = count * part / 3;
        case.build_part(&mut solver.order_problem(), &mut blocks, from, to);
        from = to;
        let assumptions = if part == 2 { &assumed[..] } else { &[] };
        solver
            .check_literals(pool, assumptions, &Limits::default())
            .map_err(|error| error.to_string())?;
    }
    for (index, clause) in case.clause_literals().iter().enumerate() {
        solver.add_clause(clause);
        if index % 3 == 1 {
            solver
                .check_literals(pool, &[], &Limits::default())
                .map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// The answer of the theory, with everything it claims checked; `growing` adds the problem in pieces.
pub fn theory_answer<R: Reachability + 'static>(
    case: &OrderCase,
    certify: bool,
    growing: bool,
) -> Result<bool, String> {
    let mut pool = TermPool::new();
    let mut solver = Solver::<R>::with_reachability(certify, ArrayMode::default());
    for _ in 0..case.variables() {
        solver.new_literal();
    }
    if growing {
        grow(case, &mut solver, &mut pool)?;
    } else {
        case.build(&mut solver.order_problem());
        for clause in case.clause_literals() {
            solver.add_clause(&clause);
        }
    }
    match solver
        .check_literals(&mut pool, &[], &Limits::default())
        .map_err(|error| error.to_string())?
    {
        SatResult::Sat => {
            ORDER_LITERALS.fetch_add(solver.order_statistics().order_literals, Ordering::Relaxed);
            let order = solver.model_order();
            let values: Vec<bool> = (1..=case.variables())
                .map(|number| solver.value(lit(number)))
                .collect();
            let truth = |literal: raddle_solver::Lit| {
                values[literal.variable() - 1] == literal.is_positive()
            };
            let mut problem = OrderProblem::new();
            case.build(&mut problem);
            brute_force::order_is_solution(&problem, &order, &truth)
                .map_err(|why| format!("bad model: {why}"))?;
            if let Some(clause) = case
                .clause_literals()
                .iter()
                .find(|clause| !clause.iter().any(|&l| truth(l)))
            {
                return Err(format!("model violates clause {clause:?}"));
            }
            Ok(true)
        }
        SatResult::Unsat => {
            ORDER_LITERALS.fetch_add(solver.order_statistics().order_literals, Ordering::Relaxed);
            if certify {
                let certificate = solver.certificate().ok_or("no certificate")?;
                check(&certificate).map_err(|refusal| format!("certificate refused: {refusal}"))?;
            }
            Ok(false)
        }
        SatResult::Unknown(reason) => Err(format!("unknown: {reason:?}")),
    }
}

/// The answer by trying every total order.
pub fn brute_force_answer(case: &OrderCase) -> bool {
    let mut problem = OrderProblem::new();
    case.build(&mut problem);
    brute_force::solve(&problem, &case.clause_literals()).is_some()
}

/// The answer of bit-vector clocks.
pub fn clock_answer(case: &OrderCase) -> Result<bool, String> {
    let mut pool = TermPool::new();
    let mut solver = Solver::new(false);
    let mut problem = OrderProblem::new();
    case.build(&mut problem);
    let mut name = |pool: &mut TermPool, literal: raddle_solver::Lit| {
        let term = pool.var(&format!("v{}", literal.variable()), Sort::Bool);
        if literal.is_positive() {
            term
        } else {
            pool.not(term)
        }
    };
    let mut constraints = clocks::encode(
        &mut pool,
        &problem,
        clocks::ClockKind::BitVector(clocks::tight_width(&problem)),
        &mut name,
    );
    for clause in case.clause_literals() {
        let parts: Vec<_> = clause
            .iter()
            .map(|&literal| name(&mut pool, literal))
            .collect();
        constraints.push(pool.or_all(parts));
    }
    for constraint in constraints {
        solver
            .assert(&mut pool, constraint)
            .map_err(|error| error.to_string())?;
    }
    match solver
        .check(&mut pool, &[], &Limits::default())
        .map_err(|error| error.to_string())?
    {
        raddle_solver::Answer::Sat(_) => Ok(true),
        raddle_solver::Answer::Unsat(_) => Ok(false),
        raddle_solver::Answer::Unknown(reason) => Err(format!("unknown: {reason:?}")),
    }
}

/// Nothing if all answers agree, else what is wrong.
pub fn disagreement(case: &OrderCase, with_twins: bool) -> Option<String> {
    let expected = brute_force_answer(case);
    let mut answers = vec![("theory", theory_answer::<ChainClocks>(case, true, false))];
    answers.push((
        "growing theory",
        theory_answer::<ChainClocks>(case, true, true),
    ));
    if with_twins {
        answers.push((
            "theory with bit sets",
            theory_answer::<BitClosure>(case, true, false),
        ));
        answers.push((
            "theory with topological order",
            theory_answer::<TopologicalOrder>(case, true, false),
        ));
        answers.push(("clocks", clock_answer(case)));
    }
    for (who, answer) in answers {
        match answer {
            Err(why) => return Some(format!("{who}: {why}")),
            Ok(found) if found != expected => {
                return Some(format!("{who} says {found}, brute force says {expected}"));
            }
            Ok(_) => {}
        }
    }
    None
}
