//! What users of the solver rely on: cores, limits, cancellation, growth, open reads, external processes.

use raddle_solver::blast::{ArrayMode, BlastError};
use raddle_solver::external::{ExternalAnswer, ExternalError, ExternalSolver, Session};
use raddle_solver::order::{EventKind, LocationId};
use raddle_solver::sat::{Sat, SatResult};
use raddle_solver::term::{Op, Sort, TermId, TermPool, Value};
use raddle_solver::{Answer, CancelToken, Limits, Solver, StopReason, Unknown};
use std::time::{Duration, Instant};

/// The product of two primes as a factoring problem: hard enough not to end by itself.
fn hard(pool: &mut TermPool) -> Vec<TermId> {
    let (a, b) = (
        pool.var("a", Sort::BitVec(60)),
        pool.var("b", Sort::BitVec(60)),
    );
    let (wide_a, wide_b) = (pool.zero_extend_to(120, a), pool.zero_extend_to(120, b));
    let product = pool.bv_mul(wide_a, wide_b);
    let number = pool.bits(120, 1_000_000_000_000_037 * 999_999_999_999_989);
    let one = pool.bits(60, 1);
    vec![
        pool.eq(product, number),
        pool.bv_ult(one, a),
        pool.bv_ult(one, b),
    ]
}

#[test]
fn cores_name_the_guilty_assumptions() {
    let mut pool = TermPool::new();
    let mut solver = Solver::new(false);
    let x = pool.var("x", Sort::BitVec(8));
    let bounds: Vec<TermId> = [3, 200, 10, 20].map(|n| pool.bits(8, n)).into();
    let less = pool.bv_ult(x, bounds[0]);
    let more = pool.bv_ult(bounds[1], x);
    let other = pool.var("p", Sort::Bool);
    let Answer::Unsat(core) = solver
        .check(&mut pool, &[other, less, more], &Limits::default())
        .unwrap()
    else {
        panic!("contradictory bounds")
    };
    assert_eq!(core, vec![less, more]);
    assert!(matches!(
        solver
            .check(&mut pool, &[other, less], &Limits::default())
            .unwrap(),
        Answer::Sat(_)
    ));
    let not_less = pool.not(less);
    assert_eq!(
        solver
            .check(&mut pool, &[less, not_less], &Limits::default())
            .unwrap(),
        Answer::Unsat(vec![less, not_less])
    );
}

#[test]
fn limits_end_a_solve_with_the_reason() {
    let mut pool = TermPool::new();
    let mut solver = Solver::new(false);
    for term in hard(&mut pool) {
        solver.assert(&mut pool, term).unwrap();
    }
    let limits = Limits {
        conflicts: Some(50),
        ..Limits::default()
    };
    let stopped = |reason| Answer::Unknown(Unknown::Stopped(reason));
    assert_eq!(
        solver.check(&mut pool, &[], &limits).unwrap(),
        stopped(StopReason::Conflicts)
    );
    let limits = Limits {
        deadline: Some(Instant::now() + Duration::from_millis(100)),
        ..Limits::default()
    };
    assert_eq!(
        solver.check(&mut pool, &[], &limits).unwrap(),
        stopped(StopReason::Deadline)
    );
    let token = CancelToken::new();
    let limits = Limits {
        cancel: Some(token.clone()),
        ..Limits::default()
    };
    let start = Instant::now();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        token.cancel();
    });
    assert_eq!(
        solver.check(&mut pool, &[], &limits).unwrap(),
        stopped(StopReason::Cancelled)
    );
    assert!(start.elapsed() < Duration::from_secs(20));
    canceller.join().unwrap();
}

#[test]
fn integers_are_refused_politely() {
    let mut pool = TermPool::new();
    let n = pool.var("n", Sort::Int);
    let zero = pool.int(0);
    let negative = pool.int_lt(n, zero);
    let mut solver = Solver::new(false);
    assert!(matches!(
        solver.assert(&mut pool, negative),
        Err(BlastError::Integer(_))
    ));
}

#[test]
fn open_reads_close_when_their_writes_arrive() {
    let mut pool = TermPool::new();
    let mut solver = Solver::new(true);
    let place = LocationId(0);
    let (initial, read) = {
        let mut problem = solver.order_problem();
        let initial = problem.add_event(EventKind::Write(place), None);
        let read = problem.add_event(EventKind::Read(place), None);
        problem.add_order(initial, read);
        (initial, read)
    };
    let value = pool.var("value", Sort::BitVec(8));
    let sees_initial = pool.var("sees-initial", Sort::Bool);
    let open = pool.var("open", Sort::Bool);
    let literal = solver.literal(&mut pool, sees_initial).unwrap();
    solver
        .order_problem()
        .add_reads_from(literal, initial, read);
    solver.require_source(&mut pool, read, Some(open)).unwrap();
    let (zero, five) = (pool.bits(8, 0), pool.bits(8, 5));
    let is_zero = pool.eq(value, zero);
    let rule = pool.implies(sees_initial, is_zero);
    solver.assert(&mut pool, rule).unwrap();
    let is_five = pool.eq(value, five);
    let closed = pool.not(open);
    assert!(matches!(
        solver
            .check(&mut pool, &[is_five], &Limits::default())
            .unwrap(),
        Answer::Sat(_)
    ));
    let Answer::Unsat(core) = solver
        .check(&mut pool, &[is_five, closed], &Limits::default())
        .unwrap()
    else {
        panic!("nobody wrote five yet")
    };
    assert_eq!(core.len(), 2);
    raddle_solver::check::check(&solver.certificate().unwrap()).unwrap();
    // A write of five arrives; the open choice is refined to it or a newer open choice.
    let write = solver
        .order_problem()
        .add_event(EventKind::Write(place), None);
    solver.order_problem().add_order(initial, write);
    let sees_write = pool.var("sees-write", Sort::Bool);
    let literal = solver.literal(&mut pool, sees_write).unwrap();
    solver.order_problem().add_reads_from(literal, write, read);
    let still_open = pool.var("still-open", Sort::Bool);
    let either = pool.or(sees_write, still_open);
    let refined = pool.implies(open, either);
    solver.assert(&mut pool, refined).unwrap();
    let rule = pool.implies(sees_write, is_five);
    solver.assert(&mut pool, rule).unwrap();
    let all_closed = pool.not(still_open);
    let Answer::Sat(model) = solver
        .check(&mut pool, &[is_five, all_closed], &Limits::default())
        .unwrap()
    else {
        panic!("the new write can be seen")
    };
    let place_of = |event| model.order.iter().position(|&other| other == event);
    assert!(place_of(write) < place_of(read));
    assert_eq!(model.values.get(&sees_write), Some(&Value::Bool(true)));
}

#[test]
fn array_modes_agree() {
    for mode in [ArrayMode::Adaptive, ArrayMode::Lazy, ArrayMode::Eager] {
        let mut pool = TermPool::new();
        let mut solver = Solver::with_array_mode(true, mode);
        let memory = pool.var(
            "memory",
            Sort::Array {
                index: 32,
                element: 8,
            },
        );
        let (i, j) = (
            pool.var("i", Sort::BitVec(32)),
            pool.var("j", Sort::BitVec(32)),
        );
        let (at_i, at_j) = (pool.select(memory, i), pool.select(memory, j));
        let differ = pool.ne(at_i, at_j);
        solver.assert(&mut pool, differ).unwrap();
        assert!(matches!(
            solver.check(&mut pool, &[], &Limits::default()).unwrap(),
            Answer::Sat(_)
        ));
        let same = pool.eq(i, j);
        assert_eq!(
            solver
                .check(&mut pool, &[same], &Limits::default())
                .unwrap(),
            Answer::Unsat(vec![same])
        );
    }
}

#[test]
fn external_processes_fail_as_errors() {
    let solver = |program: &str, arguments: &[&str]| ExternalSolver {
        program: program.to_owned(),
        arguments: arguments
            .iter()
            .map(|&argument| argument.to_owned())
            .collect(),
    };
    let missing = Session::start(&solver("no-such-solver-anywhere", &[]));
    assert!(matches!(missing, Err(ExternalError::Start(_))));
    let timeout = Duration::from_millis(300);
    let mut echo = Session::start(&solver("cat", &[])).unwrap();
    assert!(matches!(
        echo.check("(assert true)", timeout),
        Err(ExternalError::Nonsense(_))
    ));
    assert!(matches!(
        echo.check("(assert true)", timeout),
        Err(ExternalError::Crashed(_))
    ));
    let mut silent = Session::start(&solver("sleep", &["10"])).unwrap();
    assert!(matches!(
        silent.check("(assert true)", timeout),
        Err(ExternalError::Timeout)
    ));
    let crashed = Session::start(&solver("true", &[])).and_then(|mut gone| {
        std::thread::sleep(Duration::from_millis(100));
        gone.check("(assert true)", timeout)
    });
    assert!(matches!(crashed, Err(ExternalError::Crashed(_))));
}

#[test]
fn an_external_solver_handles_integers() {
    let Ok(mut session) = Session::start(&ExternalSolver::z3()) else {
        println!("skipping: z3 is not on the PATH");
        return;
    };
    let mut pool = TermPool::new();
    let (n, m) = (
        pool.var("n", Sort::Int),
        pool.var("m with space", Sort::Int),
    );
    let minus = pool.int(-7);
    let sum = pool.apply_op(Op::IntAdd, &[n, minus]);
    let roots = [pool.eq(sum, m), pool.int_lt(m, minus)];
    let (answer, model) = session
        .solve_terms(&pool, &roots, Duration::from_secs(10))
        .unwrap();
    assert_eq!(answer, ExternalAnswer::Sat);
    assert!(
        roots
            .iter()
            .all(|&root| pool.holds(root, &model) == Ok(true))
    );
    let contradiction = pool.int_lt(n, n);
    let answer = session
        .check_terms(&pool, &[contradiction], Duration::from_secs(10))
        .unwrap();
    assert_eq!(answer, ExternalAnswer::Unsat);
}

#[test]
fn sat_assumptions_do_not_stick() {
    let mut sat = Sat::new(false);
    let (a, b) = (sat.new_literal(), sat.new_literal());
    sat.add_clause(&[a, b]);
    assert_eq!(sat.solve(&[!a, !b], &Limits::default()), SatResult::Unsat);
    assert!(sat.failed(!a) && sat.failed(!b));
    assert_eq!(sat.solve(&[!a], &Limits::default()), SatResult::Sat);
    assert!(sat.value(b) && !sat.value(a));
}

#[test]
fn shared_terms_print_once() {
    let mut pool = TermPool::new();
    let mut term = pool.var("x", Sort::BitVec(8));
    for _ in 0..60 {
        term = pool.bv_mul(term, term);
    }
    assert!(pool.display(term).len() < 4000 && pool.smtlib(term).len() < 4000);
    assert!(pool.display(term).contains("let"));
}
