//! All projections of a small program on some of its variables, and all values these can have: what the theorem is about.

use crate::constrain::Reductions;
use crate::engine::system;
use crate::search::{Encoding, Search};
use crate::transactions::Granularity;
use raddle_actions::system::{Origin, System, VarId};
use raddle_ir::{Program, Property};
use raddle_solver::term::{TermId, Value};
use raddle_verdict::Budget;
use std::collections::BTreeSet;

/// What was enumerated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enumeration {
    /// Values of the variables, in the order in which they were given, at the ends of paths.
    pub values: BTreeSet<Vec<u128>>,
    /// The paths themselves: thread and source line of every step.
    pub paths: BTreeSet<Vec<(u32, u32)>>,
}

/// Enumerates paths of at most `depth` steps: the values of these global variables that they can end with and, if wanted, each path.
/// Arrays count with all their elements. A variable that one thread alone touches is seen only where that thread meets others.
pub fn enumerate(
    program: &Program,
    variables: &[&str],
    reductions: Reductions,
    depth: usize,
    paths: bool,
) -> Result<Enumeration, String> {
    let mut system = system(program, &[Property::UnreachCall], 4).map_err(|v| format!("{v}"))?;
    let aim = cells(&mut system, variables);
    let kept: BTreeSet<VarId> = aim.iter().copied().collect();
    let how = Encoding {
        reductions,
        idle: true,
        own_cells: true,
        granularity: Granularity::Statement,
    };
    let mut search = Search::new(system, how, kept, Budget::unlimited());
    for _ in 0..depth {
        search.deepen().map_err(|e| format!("{e:?}"))?;
    }
    if let Some(last) = search.unrolling.steps.last() {
        let bad = last.bad;
        let u = &mut search.unrolling;
        let fine = u.system.pool.not(bad);
        u.solver
            .assert(&mut u.system.pool, fine)
            .map_err(|e| e.to_string())?;
    }
    let reduced = search.reduced();
    let mut found = Enumeration::default();
    loop {
        let Some(model) = search.ask(&reduced, None).map_err(|e| format!("{e:?}"))? else {
            return Ok(found);
        };
        let u = &mut search.unrolling;
        let last = u.states.len() - 1;
        let terms: Vec<TermId> = aim
            .iter()
            .map(|v| {
                let variable = &u.system.variables[v.0 as usize];
                u.states[last].values[v.0 as usize].unwrap_or(variable.term)
            })
            .collect();
        let values = u
            .system
            .pool
            .eval_all(&terms, &model.values)
            .map_err(|e| e.to_string())?;
        let value = |t: &TermId| match values.get(t) {
            Some(Value::Bits(n)) => *n,
            Some(Value::Bool(b)) => u128::from(*b),
            _ => 0,
        };
        let all: Vec<u128> = terms.iter().map(value).collect();
        let mut different = Vec::new();
        if paths {
            let path = search.path(model);
            let mut lines = Vec::new();
            for id in &path.actions[path.forced..] {
                let s = &search.unrolling.system;
                let action = s.get(*id);
                let template = s.ccfg.template(s.instances.get(action.thread).template);
                let first = template.edges[action.edge.0 as usize].steps.first();
                let line = first.map_or(0, |f| program.span_of(f.at).line);
                lines.push((action.thread.0, line));
            }
            found.paths.insert(lines);
            // Another selection: at some step another action, or none.
            let mut ids = path.actions[path.forced..].iter().rev();
            let u = &mut search.unrolling;
            for step in u.steps.iter().rev() {
                let here = match ids.next() {
                    Some(id) => step.act.iter().find(|(a, _)| a == id).map(|(_, t)| *t),
                    None => Some(step.idle),
                };
                if let Some(t) = here {
                    different.push(u.system.pool.not(t));
                }
            }
        } else {
            let pool = &mut search.unrolling.system.pool;
            for (t, n) in terms.iter().zip(&all) {
                let n = match pool.sort(*t) {
                    raddle_solver::term::Sort::BitVec(w) => pool.bits(w, *n),
                    _ => pool.bool(*n == 1),
                };
                different.push(pool.ne(*t, n));
            }
        }
        found.values.insert(all);
        let u = &mut search.unrolling;
        let another = u.system.pool.or_all(different);
        u.solver
            .assert(&mut u.system.pool, another)
            .map_err(|e| e.to_string())?;
    }
}

/// The cells of global variables.
fn cells(system: &mut System, names: &[&str]) -> Vec<VarId> {
    let mut found = Vec::new();
    for name in names {
        for c in 0..system.ccfg.cells.len() {
            let id = raddle_ccfg::CellId(c as u32);
            let object = system.ccfg.object(system.ccfg.cell(id).object);
            if object.name == *name && object.owner.is_none() {
                found.push(system.variable(Origin::Cell(id, None)));
            }
        }
    }
    found
}
