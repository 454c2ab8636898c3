//! What must be true of a term problem: same answer as z3, models evaluate to true, cores are unsatisfiable
//! on their own, certificates are accepted and altered ones refused.

use super::random::Random;
use super::term_case::TermCase;
use raddle_solver::blast::ArrayMode;
use raddle_solver::check::{Certificate, check, check_content};
use raddle_solver::external::{ExternalAnswer, Session};
use raddle_solver::term::{Op, Sort, Term, TermId, TermPool};
use raddle_solver::{Answer, Limits, Solver};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How many problems so far were satisfiable, to notice a lopsided generator.
pub static SATISFIABLE: AtomicU64 = AtomicU64::new(0);

/// How many answers z3 took back when asked again without array equalities.
pub static Z3_CORRECTED: AtomicU64 = AtomicU64::new(0);

/// Our answer, with everything it claims checked.
pub fn our_answer(case: &TermCase, mode: ArrayMode, random: &mut Random) -> Result<bool, String> {
    let mut pool = case.pool.clone();
    let mut solver = Solver::with_array_mode(true, mode);
    for &assertion in &case.assertions {
        solver
            .assert(&mut pool, assertion)
            .map_err(|error| error.to_string())?;
    }
    match solver
        .check(&mut pool, &case.assumptions, &Limits::default())
        .map_err(|error| error.to_string())?
    {
        Answer::Sat(model) => {
            for root in case.roots() {
                if pool.holds(root, &model.values) != Ok(true) {
                    return Err(format!("model does not satisfy {}", pool.smtlib(root)));
                }
            }
            Ok(true)
        }
        Answer::Unsat(core) => {
            let certificate = solver.certificate().ok_or("no certificate")?;
            check(&certificate).map_err(|refusal| format!("certificate refused: {refusal}"))?;
            altered_is_refused(&certificate, random)?;
            core_is_unsatisfiable(case, &core)?;
            Ok(false)
        }
        Answer::Unknown(why) => Err(format!("unknown: {why:?}")),
    }
}

fn core_is_unsatisfiable(case: &TermCase, core: &[TermId]) -> Result<(), String> {
    if let Some(extra) = core.iter().find(|term| !case.assumptions.contains(term)) {
        return Err(format!("core contains {extra:?}, which was not assumed"));
    }
    let mut pool = case.pool.clone();
    let mut solver = Solver::new(false);
    for &term in case.assertions.iter().chain(core) {
        solver
            .assert(&mut pool, term)
            .map_err(|error| error.to_string())?;
    }
    match solver
        .check(&mut pool, &[], &Limits::default())
        .map_err(|error| error.to_string())?
    {
        Answer::Unsat(_) => Ok(()),
        other => Err(format!("core is not unsatisfiable: {other:?}")),
    }
}

/// One literal of one clause changed: refused by the seal, and without the seal either refused or harmless.
fn altered_is_refused(certificate: &Certificate, random: &mut Random) -> Result<(), String> {
    let count = certificate.inputs.len() + certificate.proof.len();
    if count == 0 {
        return Ok(());
    }
    let mut altered = certificate.clone();
    let chosen = random.below(count);
    let input = chosen < altered.inputs.len();
    let literals = if input {
        &mut altered.inputs[chosen].literals
    } else {
        &mut altered.proof[chosen - certificate.inputs.len()]
            .clause
            .literals
    };
    if literals.is_empty() {
        literals.push(1);
    } else {
        let index = random.below(literals.len());
        literals[index] = -literals[index];
    }
    if check(&altered).is_ok() {
        return Err("an altered certificate is accepted".to_owned());
    }
    // A proof step may stay right when it is altered, but then it must still be a proof of the same thing.
    if input && check_content(&altered).is_ok() && really_satisfiable(&altered) {
        return Err("the checker accepts a refutation of satisfiable clauses".to_owned());
    }
    Ok(())
}

fn really_satisfiable(certificate: &Certificate) -> bool {
    let mut solver = raddle_solver::sat::Sat::new(false);
    let largest = certificate
        .inputs
        .iter()
        .flat_map(|clause| &clause.literals)
        .chain(&certificate.assumptions);
    for _ in 0..largest.map(|literal| literal.abs()).max().unwrap_or(0) {
        solver.new_literal();
    }
    let lits = |numbers: &[i32]| -> Vec<raddle_solver::Lit> {
        numbers
            .iter()
            .filter_map(|&number| raddle_solver::Lit::from_dimacs(number))
            .collect()
    };
    for clause in &certificate.inputs {
        solver.add_clause(&lits(&clause.literals));
    }
    solver.solve(&lits(&certificate.assumptions), &Limits::default())
        == raddle_solver::sat::SatResult::Sat
}

/// Nothing if everything agrees, else what is wrong; without a session z3 is left out.
pub fn disagreement(
    case: &TermCase,
    session: Option<&mut Session>,
    random: &mut Random,
) -> Option<String> {
    let ours = match our_answer(case, ArrayMode::Lazy, random) {
        Ok(answer) => answer,
        Err(why) => return Some(why),
    };
    SATISFIABLE.fetch_add(u64::from(ours), Ordering::Relaxed);
    let simplified = case.simplified();
    match our_answer(&simplified, ArrayMode::default(), random) {
        Ok(answer) if answer == ours => {}
        Ok(answer) => {
            return Some(format!(
                "raw terms say {ours}, simplified terms say {answer}"
            ));
        }
        Err(why) => return Some(format!("simplified: {why}")),
    }
    let session = session?;
    let theirs = match session.check_terms(&case.pool, &case.roots(), Duration::from_secs(60)) {
        Ok(answer) => answer,
        Err(error) => return Some(format!("z3: {error}")),
    };
    if theirs == answer_of(ours) || theirs == ExternalAnswer::Unknown {
        return None;
    }
    // z3 4.8 wrongly says "sat" to some equalities of constant arrays with few indices; it is asked again
    // with those equalities spelled out, index by index.
    let mut expanded = case.clone();
    if expand_array_equalities(&mut expanded)
        && session
            .check_terms(&expanded.pool, &expanded.roots(), Duration::from_secs(60))
            .ok()
            == Some(answer_of(ours))
    {
        Z3_CORRECTED.fetch_add(1, Ordering::Relaxed);
        return None;
    }
    Some(format!("z3 says {theirs:?}, we say {:?}", answer_of(ours)))
}

fn answer_of(satisfiable: bool) -> ExternalAnswer {
    if satisfiable {
        ExternalAnswer::Sat
    } else {
        ExternalAnswer::Unsat
    }
}

/// Replaces every equality of arrays by the equalities of all elements; false if an index is too wide.
fn expand_array_equalities(case: &mut TermCase) -> bool {
    let roots = case.roots();
    let mut images: HashMap<TermId, TermId> = HashMap::new();
    for id in case.pool.reachable(&roots) {
        let Term::App { op, .. } = *case.pool.term(id) else {
            images.insert(id, id);
            continue;
        };
        let args: Vec<TermId> = case.pool.args(id).iter().map(|arg| images[arg]).collect();
        let image = match (op, case.pool.sort(args[0])) {
            (Op::Eq, Sort::Array { index, .. }) if index <= 12 => {
                let mut all = case.pool.bool(true);
                for at in 0..1u128 << index {
                    let at = case.pool.bits(index, at);
                    let (x, y) = (
                        read(&mut case.pool, args[0], at),
                        read(&mut case.pool, args[1], at),
                    );
                    let same = case.pool.raw(Op::Eq, &[x, y]);
                    all = case.pool.raw(Op::And, &[all, same]);
                }
                all
            }
            (Op::Eq, Sort::Array { .. }) => return false,
            _ => case.pool.raw(op, &args),
        };
        images.insert(id, image);
    }
    case.assertions
        .iter_mut()
        .chain(&mut case.assumptions)
        .for_each(|term| *term = images[term]);
    true
}

/// The element of an array term at an index, with stores and constant arrays resolved.
fn read(pool: &mut TermPool, array: TermId, at: TermId) -> TermId {
    match *pool.term(array) {
        Term::App {
            op: Op::Store,
            args: [base, index, element],
            ..
        } => {
            let below = read(pool, base, at);
            let same = pool.raw(Op::Eq, &[index, at]);
            pool.raw(Op::Ite, &[same, element, below])
        }
        Term::App {
            op: Op::Ite,
            args: [condition, then, otherwise],
            ..
        } => {
            let (then, otherwise) = (read(pool, then, at), read(pool, otherwise, at));
            pool.raw(Op::Ite, &[condition, then, otherwise])
        }
        Term::App {
            op: Op::ConstArray { .. },
            args: [element, ..],
            ..
        } => element,
        _ => pool.raw(Op::Select, &[array, at]),
    }
}
