//! The competitors: the ordering theory, bit-vector clocks in the same SAT solver, and z3's clocks.

use crate::scenario::Scenario;
use raddle_solver::blast::ArrayMode;
use raddle_solver::check::check;
use raddle_solver::external::{ExternalAnswer, ExternalError, ExternalSolver, Session};
use raddle_solver::order::clocks::ChainClocks;
use raddle_solver::order::reach::Reachability;
use raddle_solver::sat::SatResult;
use raddle_solver::term::{TermId, TermPool};
use raddle_solver::twin::clocks::{ClockKind, encode};
use raddle_solver::{CancelToken, Limits, Lit, Solver};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// One measurement; no time means the limit was reached.
pub struct Outcome {
    pub seconds: Option<f64>,
}

#[repr(C)]
struct TimeSpec {
    seconds: i64,
    nanoseconds: i64,
}

unsafe extern "C" {
    fn clock_gettime(clock: i32, time: *mut TimeSpec) -> i32;
}

/// Seconds of processor time of this thread: machines that run benchmarks are rarely idle, and this does not
/// count the others.
fn processor_seconds() -> f64 {
    const THREAD_CPU_TIME: i32 = 3;
    let mut time = TimeSpec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: the structure has the layout of Linux's `timespec` on 64-bit machines and outlives the call.
    unsafe { clock_gettime(THREAD_CPU_TIME, &mut time) };
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

/// Seconds of processor time of another process, in the system's coarse grain.
fn processor_seconds_of(process: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).unwrap_or_default();
    let nanoseconds = text
        .split_whitespace()
        .next()
        .and_then(|word| word.parse::<u64>().ok());
    nanoseconds.unwrap_or(0) as f64 / 1e9
}

/// A limit on the processor time of this thread: another thread watches it and cancels.
fn limits(limit: Duration) -> (Limits, CancelToken) {
    let token = CancelToken::new();
    let Ok(task) = std::fs::read_link("/proc/thread-self") else {
        return (
            Limits {
                deadline: Some(Instant::now() + limit),
                ..Limits::default()
            },
            token,
        );
    };
    let path = std::path::Path::new("/proc").join(task).join("schedstat");
    let used = move || {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let nanoseconds = text
            .split_whitespace()
            .next()
            .and_then(|word| word.parse::<u64>().ok());
        Duration::from_nanos(nanoseconds.unwrap_or(u64::MAX))
    };
    let end = used() + limit;
    let watched = token.clone();
    std::thread::spawn(move || {
        while !watched.is_cancelled() && used() < end {
            std::thread::sleep(Duration::from_millis(50));
        }
        watched.cancel();
    });
    (
        Limits {
            cancel: Some(token.clone()),
            ..Limits::default()
        },
        token,
    )
}

/// The theory over one kind of reachability.
pub fn theory<R: Reachability + 'static>(
    scenario: &mut Scenario,
    limit: Duration,
    certify: bool,
    ranges: bool,
) -> (Outcome, Solver<R>) {
    let start = processor_seconds();
    let mut solver = Solver::<R>::with_reachability(certify, ArrayMode::default());
    let mut constraints = scenario.constraints.clone();
    if ranges {
        constraints.extend(scenario.ranges());
    }
    for constraint in constraints {
        solver
            .assert(&mut scenario.pool, constraint)
            .expect("scenarios have no integers");
    }
    let problem = scenario
        .problem(&mut |pool, term| solver.literal(pool, term).expect("choices are Boolean"));
    *solver.order_problem() = problem;
    let (limits, watchdog) = limits(limit);
    let result = solver
        .check_literals(&mut scenario.pool, &[], &limits)
        .expect("no arrays here");
    watchdog.cancel();
    (finish(start, result), solver)
}

fn finish(start: f64, result: SatResult) -> Outcome {
    assert!(result != SatResult::Sat, "every scenario is unsatisfiable");
    let done = result == SatResult::Unsat;
    Outcome {
        seconds: done.then(|| processor_seconds() - start),
    }
}

/// The scenario with clocks instead of the theory, as terms.
fn clock_terms(scenario: &mut Scenario, kind: ClockKind, ranges: bool) -> Vec<TermId> {
    let mut names: HashMap<usize, TermId> = HashMap::new();
    let problem = scenario.problem(&mut |_, term| {
        let number = names.len() + 1;
        names.insert(number, term);
        Lit::from_dimacs(number as i32).expect("numbers start at one")
    });
    let mut name = |_: &mut TermPool, literal: Lit| names[&literal.variable()];
    let mut terms = scenario.constraints.clone();
    if ranges {
        terms.extend(scenario.ranges());
    }
    terms.extend(encode(&mut scenario.pool, &problem, kind, &mut name));
    terms
}

/// Bit-vector clocks in the same SAT solver, at least `width` bits wide.
pub fn bit_vector_clocks(
    scenario: &mut Scenario,
    limit: Duration,
    width: u32,
    ranges: bool,
) -> Outcome {
    let start = processor_seconds();
    let mut solver = Solver::new(false);
    let events = scenario.event_count();
    let tight = usize::BITS - events.leading_zeros();
    for term in clock_terms(scenario, ClockKind::BitVector(width.max(tight)), ranges) {
        solver
            .assert(&mut scenario.pool, term)
            .expect("no integers here");
    }
    let (limits, watchdog) = limits(limit);
    let result = solver
        .check_literals(&mut scenario.pool, &[], &limits)
        .expect("no arrays here");
    watchdog.cancel();
    finish(start, result)
}

/// The theory with certification: seconds for solving, for making the certificate, and for checking it.
pub fn certified(scenario: &mut Scenario, limit: Duration) -> Option<[f64; 3]> {
    let (outcome, solver) = theory::<ChainClocks>(scenario, limit, true, true);
    let solved = outcome.seconds?;
    let start = processor_seconds();
    let certificate = solver.certificate().expect("unsatisfiable and certifying");
    let made = processor_seconds() - start;
    let start = processor_seconds();
    check(&certificate).expect("our own certificate is right");
    Some([solved, made, processor_seconds() - start])
}

/// Integer clocks in z3, with values as bit-vectors or, where possible, as integers in pure difference logic.
pub fn z3_clocks(
    scenario: &mut Scenario,
    limit: Duration,
    pure: bool,
    ranges: bool,
) -> Option<Outcome> {
    let terms = clock_terms(scenario, ClockKind::Integer, ranges);
    let script = scenario.pool.smtlib_script(&terms);
    let script = if pure {
        format!("(set-logic QF_IDL)\n{}", difference_logic(&script))
    } else {
        script
    };
    let mut session = Session::start(&ExternalSolver::z3()).ok()?;
    match session.check(&script, 4 * limit) {
        Ok(ExternalAnswer::Unsat) => Some(Outcome {
            seconds: Some(processor_seconds_of(session.process_id())),
        }),
        Ok(other) => panic!("z3 says {other:?} to an unsatisfiable scenario"),
        Err(ExternalError::Timeout) => Some(Outcome { seconds: None }),
        Err(_) => None,
    }
}

/// Replaces bit-vector values by integers; the scenarios only add one and compare, so nothing wraps.
fn difference_logic(script: &str) -> String {
    let mut text = script
        .replace("(_ BitVec 8)", "Int")
        .replace("bvadd", "+")
        .replace("bvule", "<=")
        .replace("bvult", "<");
    for number in (0..256).rev() {
        text = text.replace(&format!("(_ bv{number} 8)"), &number.to_string());
    }
    text
}
