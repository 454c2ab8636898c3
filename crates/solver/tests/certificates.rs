//! The certificate checker refuses what it must refuse.

mod support;

use raddle_solver::check::lrat::LratChecker;
use raddle_solver::check::ordering::LemmaChecker;
use raddle_solver::check::{Certificate, NumberedClause, Refusal, check, check_content};
use raddle_solver::order::{EventKind, LocationId, OrderProblem};
use raddle_solver::sat::SatResult;
use raddle_solver::term::TermPool;
use raddle_solver::{Limits, Lit, Solver};
use support::{order_generate, random::Random};

fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("not zero")
}

/// Certificates of random unsatisfiable ordering problems that needed the theory.
fn certificates(count: usize) -> Vec<Certificate> {
    let mut found = Vec::new();
    let mut seed = 0;
    while found.len() < count {
        seed += 1;
        let case = order_generate::order_case(&mut Random::new(seed));
        let mut pool = TermPool::new();
        let mut solver = Solver::new(true);
        for _ in 0..case.variables() {
            solver.new_literal();
        }
        case.build(&mut solver.order_problem());
        for clause in case.clause_literals() {
            solver.add_clause(&clause);
        }
        if solver.check_literals(&mut pool, &[], &Limits::default()) == Ok(SatResult::Unsat) {
            found.extend(
                solver
                    .certificate()
                    .filter(|certificate| !certificate.lemmas.is_empty()),
            );
        }
    }
    found
}

#[test]
fn every_altered_clause_breaks_the_seal_and_most_break_the_proof() {
    let (mut altered, mut refused) = (0, 0);
    for certificate in certificates(40) {
        check(&certificate).expect("our own certificate");
        for index in 0..certificate.lemmas.len() {
            for position in 0..certificate.lemmas[index].clause.literals.len() {
                let mut copy = certificate.clone();
                let literal = &mut copy.lemmas[index].clause.literals[position];
                *literal = -*literal;
                assert_eq!(check(&copy), Err(Refusal::BrokenSeal));
                copy.seal();
                altered += 1;
                refused += usize::from(check_content(&copy).is_err());
            }
        }
        for index in 0..certificate.inputs.len() {
            let mut copy = certificate.clone();
            copy.inputs[index].literals.push(1_000_000);
            assert_eq!(check(&copy), Err(Refusal::BrokenSeal));
            copy.seal();
            // A weakened clause that the proof uses leaves a literal over.
            assert!(check_content(&copy).is_err());
        }
    }
    assert!(
        refused * 10 >= altered * 9,
        "{refused} of {altered} altered lemmas refused"
    );
}

#[test]
fn a_lemma_needs_a_cycle() {
    let mut problem = OrderProblem::new();
    let place = LocationId(0);
    let first = problem.add_event(EventKind::Write(place), None);
    let second = problem.add_event(EventKind::Write(place), None);
    let read = problem.add_event(EventKind::Read(place), None);
    problem.add_order(first, second);
    problem.add_order(second, read);
    problem.add_reads_from(lit(1), first, read);
    problem.add_reads_from(lit(2), second, read);
    let mut checker = LemmaChecker::new(&problem);
    assert!(
        checker.follows(&[-1], &[second]),
        "the first write is overwritten"
    );
    assert!(
        !checker.follows(&[-1], &[]),
        "without the occurring second write nothing follows"
    );
    assert!(!checker.follows(&[-2], &[first, second]));
    assert!(checker.follows(&[-1, -2], &[]), "a read sees one write");
    assert!(!checker.follows(&[1, -2], &[]));
}

#[test]
fn lrat_steps_follow_their_hints_to_the_letter() {
    let mut checker = LratChecker::default();
    checker.add_premise(1, &[1, 2]).unwrap();
    checker.add_premise(2, &[1, -2]).unwrap();
    checker.add_premise(3, &[-1, 3]).unwrap();
    assert_eq!(checker.add_premise(3, &[4]), Err(Refusal::BadNumber(3)));
    assert_eq!(checker.add_derived(4, &[1], &[1]), Err(Refusal::BadStep(4)));
    assert_eq!(
        checker.add_derived(4, &[1], &[3, 1, 2]),
        Err(Refusal::BadStep(4))
    );
    assert_eq!(
        checker.add_derived(4, &[1], &[1, 9]),
        Err(Refusal::BadStep(4))
    );
    checker.add_derived(5, &[1], &[1, 2]).unwrap();
    checker.add_derived(6, &[3], &[5, 3]).unwrap();
    assert_eq!(
        checker.add_derived(7, &[], &[5, 6]),
        Err(Refusal::BadStep(7))
    );
}

#[test]
fn branching_literals_must_mean_nothing_else() {
    let mut problem = OrderProblem::new();
    let (a, b) = (
        problem.add_event(EventKind::Other, None),
        problem.add_event(EventKind::Other, None),
    );
    problem.add_order_literal(lit(1), a, b);
    let clause = |id, literals: &[i32]| NumberedClause {
        id,
        literals: literals.to_vec(),
    };
    let mut certificate = Certificate {
        problem: problem.clone(),
        inputs: vec![clause(1, &[1]), clause(2, &[-1])],
        conclusion: 1,
        ..Certificate::default()
    };
    certificate.seal();
    assert_eq!(check(&certificate), Err(Refusal::UnsoundOrderLiteral(1)));
    let mut twice = problem;
    twice.add_order_literal(lit(1), b, a);
    certificate = Certificate {
        problem: twice,
        ..Certificate::default()
    };
    certificate.seal();
    assert_eq!(check(&certificate), Err(Refusal::UnsoundOrderLiteral(1)));
}

#[test]
fn a_conclusion_may_only_blame_assumptions() {
    let mut certificate = Certificate {
        inputs: vec![NumberedClause {
            id: 1,
            literals: vec![-1, -2],
        }],
        assumptions: vec![1],
        conclusion: 1,
        ..Certificate::default()
    };
    certificate.seal();
    assert_eq!(check(&certificate), Err(Refusal::BadConclusion));
    certificate.assumptions.push(2);
    certificate.seal();
    assert_eq!(check(&certificate), Ok(()));
    certificate.conclusion = 7;
    certificate.seal();
    assert_eq!(check(&certificate), Err(Refusal::BadConclusion));
}
