//! Questions about states instead of steps, deeper and deeper: deadlocks and races, over all paths, projected ones or not.
//!
//! What is found is tried out by the judge. That nothing is found proves nothing but "safe up to depth k", and not even that where the program
//! does something the question does not cover; then the answer says what.

use crate::conflict;
use crate::constrain::Reductions;
use crate::engine::{ProjectEngine, THREADS, system, unsupported};
use crate::search::{Encoding, NoAnswer, Search};
use crate::stuck;
use crate::transactions::Granularity;
use raddle_actions::candidate;
use raddle_actions::system::{ActionId, Origin, Outcome, System, VarId};
use raddle_ccfg::{InstanceId, Step};
use raddle_ir::{Location, Program, Property};
use raddle_solver::term::{TermId, Value};
use raddle_verdict::{Judge, Progress, Request, Unknown, Verdict};
use std::collections::BTreeSet;

/// Whether there are longer paths is asked every so many steps.
const OFTEN: usize = 4;
/// Conflicts for that.
const EFFORT: u32 = 10_000;

/// What is asked for in a state.
pub struct Claim {
    /// It is so.
    pub goal: TermId,
    /// Whom it is about: conditions, threads, and where these are.
    pub who: Vec<(TermId, InstanceId, Location)>,
}

/// The instructions of an action.
pub fn steps(system: &System, id: ActionId) -> &[Step] {
    let action = system.get(id);
    let thread = system.instances.get(action.thread);
    &system.ccfg.template(thread.template).edges[action.edge.0 as usize].steps
}

/// Looks for violations of one property.
pub fn check(
    engine: &ProjectEngine,
    program: &Program,
    request: &Request,
    property: Property,
    judge: &mut dyn Judge,
    progress: &mut dyn FnMut(Progress),
) -> Result<Verdict, NoAnswer> {
    let bound = engine.threads.unwrap_or(THREADS);
    let system = match system(program, &request.properties, bound) {
        Ok(system) => system,
        Err(v) => return Ok(v),
    };
    let missed = match property {
        Property::NoDeadlock => stuck::not_treated(&system),
        _ => conflict::not_treated(&system),
    };
    let missed = missed.map(|(what, at)| unsupported(&what, program.span_of(at)));
    let missed = missed.or_else(|| untreated(program, &system, bound));
    let variables = (0..system.variables.len() as u32).map(VarId);
    let cell = |v: &VarId| matches!(system.variables[v.0 as usize].origin, Origin::Cell(..));
    let cells: BTreeSet<VarId> = variables.filter(cell).collect();
    let how = Encoding {
        reductions: Reductions::NONE,
        idle: false,
        own_cells: false,
        granularity: Granularity::Statement,
    };
    let mut search = Search::new(system, how, cells, request.budget.clone());
    loop {
        let depth = search.depth();
        progress(Progress {
            engine: "project",
            what: format!("states at depth {depth}"),
        });
        let claim = match property {
            Property::NoDeadlock => stuck::deadlock(&mut search.unrolling)?,
            _ => conflict::race(&mut search.unrolling),
        };
        if let Some(model) = search.ask(&[claim.goal], None)? {
            let pool = &search.unrolling.system.pool;
            let roots: Vec<TermId> = claim.who.iter().map(|w| w.0).collect();
            let values = pool.eval_all(&roots, &model.values).unwrap_or_default();
            let holds = |t: &TermId| values.get(t) == Some(&Value::Bool(true));
            let Some((_, thread, at)) = claim.who.iter().find(|w| holds(&w.0)) else {
                let why = "a violation without a thread".into();
                return Ok(Verdict::Unknown(Unknown::Internal(why)));
            };
            let path = search.path(model);
            let system = &search.unrolling.system;
            let what = (property, *at);
            let mut found = candidate(system, &path.actions, &path.model, &path.choices, what);
            found.thread = thread.0;
            found.spurious_wakeups = property != Property::NoDeadlock;
            return Ok(match judge.try_out(&found) {
                Some(found) => Verdict::False(vec![found]),
                None => unsupported(
                    "a violation that is not one step by step",
                    program.span_of(*at),
                ),
            });
        }
        let enough = engine.depth.is_some_and(|d| depth >= d as usize);
        let due = engine.complete && depth > 0 && depth.is_multiple_of(OFTEN);
        if enough || due && search.goes_on(Some(EFFORT))? == Some(false) {
            let safe = Verdict::Unknown(Unknown::SafeToDepth(depth as u32));
            return Ok(missed.unwrap_or(safe));
        }
        search.deepen()?;
    }
}

/// Something of the program that is not treated.
fn untreated(program: &Program, system: &System, bound: u32) -> Option<Verdict> {
    let ids = system.outgoing.iter().flatten().flatten();
    let mut all = ids.filter_map(|id| match system.get(*id).outcome {
        Outcome::Refused(r) => {
            let r = &system.ccfg.refusals[r as usize];
            Some(unsupported(&r.what, r.span))
        }
        Outcome::Untreated(r) => {
            let (what, at) = &system.refusals[r as usize];
            Some(unsupported(what, program.span_of(*at)))
        }
        Outcome::TooMany => Some(Verdict::Unknown(Unknown::SafeForThreads(bound))),
        Outcome::Next(_) | Outcome::Error(..) => None,
    });
    all.next()
}
