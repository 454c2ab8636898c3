//! Runs the ordering benchmark family.

mod scenario;

use raddle_solver::sat::SatResult;
use raddle_solver::{Limits, Solver};
use scenario::Scenario;
use std::time::{Duration, Instant};

fn theory(scenario: &mut Scenario, limit: Duration, certify: bool) {
    let start = Instant::now();
    let mut solver = Solver::new(certify);
    for (name, value) in std::env::args().skip(2).filter_map(|a| {
        a.split_once('=')
            .map(|(n, v)| (n.to_owned(), v.parse().unwrap()))
    }) {
        solver.set_option(&name, value);
    }
    for constraint in scenario.constraints.clone() {
        solver.assert(&mut scenario.pool, constraint).unwrap();
    }
    let problem = scenario.problem(&mut |pool, term| solver.literal(pool, term).unwrap());
    *solver.order_problem() = problem;
    let limits = Limits {
        deadline: Some(Instant::now() + limit),
        ..Limits::default()
    };
    let result = solver
        .check_literals(&mut scenario.pool, &[], &limits)
        .unwrap();
    println!(
        "{:28} {:4} events {:8.4}s {:?} conflicts {} decisions {} {:?}",
        scenario.name,
        scenario.event_count(),
        start.elapsed().as_secs_f64(),
        result,
        solver.sat().statistic("conflicts"),
        solver.sat().statistic("decisions"),
        solver.order_statistics()
    );
    let _ = SatResult::Sat;
}

fn main() {
    let l = Duration::from_secs(60);
    for n in 2..=8 {
        theory(&mut scenario::counters(2, n, 1), l, false);
    }
    for n in 2..=4 {
        theory(&mut scenario::counters(3, n, 1), l, false);
    }
    for n in 2..=5 {
        theory(&mut scenario::counters(2, n, 2), l, false);
    }
    for n in [4, 8, 16, 32, 64] {
        theory(&mut scenario::store_buffering(n, 2), l, false);
    }
    for n in [4, 8, 16, 32] {
        theory(&mut scenario::message_passing(n, 3), l, false);
    }
    for n in [2, 3, 4, 5, 6, 7] {
        theory(&mut scenario::lock_chain(n, 1), l, false);
    }
    for n in [2, 3, 4, 5] {
        theory(&mut scenario::lock_chain(2, n), l, false);
    }
}
