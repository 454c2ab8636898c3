//! Is a run feasible, and if not, why? Bit-precise feasibility of a sequence of actions, and predicates that refute it.
//!
//! The run is executed over terms from the initial state. If its guards contradict each other, predicates are computed backwards
//! from the last guard of the contradiction: the weakest precondition of "that guard fails" is a clause over guards of later
//! actions; of its literals only those are kept that the prefix of the run needs (an unsatisfiable core), and literals that depend
//! on a choice are dropped where possible. Only the shortest part of the run is looked at that is infeasible by itself, so what
//! is found does not depend on how the run began. Each clause implies the next across its action, so together they are a proof that the
//! run is infeasible, and often that many others are.

use crate::abstraction::constants;
use crate::logic::{Logic, NoAnswer, conjuncts};
use crate::system::{ActionId, System, VarId};
use raddle_solver::Model;
use raddle_solver::term::TermId;
use std::collections::HashMap;
use std::rc::Rc;

/// A literal with more terms than this is large.
const LARGE: usize = 20;

/// What a run is.
pub enum Judged {
    /// It can happen: a model, and for each action the terms of its choices.
    Feasible(Model, Vec<Vec<TermId>>),
    /// It cannot, because of these predicates.
    Infeasible(Vec<TermId>),
    /// It cannot, but no predicate was found that says why.
    Opaque,
}

struct Run {
    /// By position: the state before, as terms for changed variables.
    states: Vec<HashMap<TermId, TermId>>,
    guards: Vec<TermId>,
    choices: Vec<Vec<TermId>>,
}

/// Values that are listed before each action.
pub type Listed = Vec<Rc<[(VarId, u128)]>>;

/// Judges a run; `specific` puts listed values into all predicates.
pub fn judge(
    system: &mut System,
    logic: &mut Logic,
    path: &[ActionId],
    listed: &Listed,
    specific: bool,
) -> Result<Judged, NoAnswer> {
    let initial: Vec<_> = system
        .variables
        .iter()
        .enumerate()
        .filter_map(|(i, v)| Some((VarId(i as u32), v.initial?)))
        .collect();
    let run = execute(system, path, &initial);
    let core = match logic.check(&mut system.pool, &run.guards)? {
        Ok(model) => return Ok(Judged::Feasible(model, run.choices)),
        Err(core) => core,
    };
    // The shortest prefix that is infeasible because of this core.
    let mut last = path.len() - 1;
    for i in 0..path.len() {
        if core.iter().all(|c| run.guards[..=i].contains(c)) {
            last = i;
            break;
        }
    }
    // The shortest part before it that is infeasible whatever happened earlier, but for listed values.
    let (mut low, mut high) = (0, last + 1);
    let mut run = Run {
        guards: run.guards[..=last].to_vec(),
        ..run
    };
    while high - low > 1 {
        let middle = (low + high) / 2;
        let part = execute(system, &path[middle..=last], &listed[middle]);
        match logic.check(&mut system.pool, &part.guards)? {
            Ok(_) => high = middle,
            Err(_) => {
                low = middle;
                run = part;
            }
        }
    }
    let first = low;
    let mut found = Vec::new();
    let guard = system.get(path[last]).guard;
    let mut clause = conjuncts(&mut system.pool, guard);
    for i in (first..=last).rev() {
        logic.in_time(&system.pool)?;
        if i < last {
            clause = before(system, path[i], &clause);
        }
        let known = constants(system, &listed[i]);
        let mut now = Vec::new();
        for c in &clause {
            now.push(system.pool.substitute(*c, &known));
        }
        if !logic.satisfiable(&mut system.pool, now.clone())? {
            break;
        }
        // Listed values are known in the states of this run; in place of their variables they make large literals small, but
        // predicates less general.
        for (c, n) in std::mem::take(&mut clause).into_iter().zip(now) {
            let large = specific || system.pool.reachable(&[c]).len() > LARGE;
            let c = if large { n } else { c };
            clause.extend(conjuncts(&mut system.pool, c));
        }
        clause.sort_unstable();
        clause.dedup();
        let needed = needed(system, logic, &run, i - first, &clause)?;
        let Some(needed) = needed else {
            // The choices of an action matter: no clause over the state alone.
            break;
        };
        clause = needed;
        let all = system.pool.and_all(clause.clone());
        let predicate = system.pool.not(all);
        if !found.contains(&predicate) {
            found.push(predicate);
        }
    }
    Ok(match found.is_empty() {
        true => Judged::Opaque,
        false => Judged::Infeasible(found),
    })
}

/// Executes the run over terms, from a state in which these values are known.
fn execute(system: &mut System, path: &[ActionId], known: &[(VarId, u128)]) -> Run {
    let mut state: HashMap<TermId, TermId> = constants(system, known);
    let mut run = Run {
        states: Vec::new(),
        guards: Vec::new(),
        choices: Vec::new(),
    };
    for id in path {
        run.states.push(state.clone());
        let action = system.get(*id).clone();
        let mut map = state.clone();
        let mut choices = Vec::new();
        for c in &action.choices {
            let sort = system.pool.sort(c.term);
            let fresh = system.pool.fresh_var(c.kind.name(), sort);
            map.insert(c.term, fresh);
            choices.push(fresh);
        }
        run.choices.push(choices);
        let guard = system.pool.substitute(action.guard, &map);
        run.guards.push(guard);
        let mut new = Vec::new();
        for (v, t) in &action.updates {
            let value = system.pool.substitute(*t, &map);
            new.push((system.variables[v.0 as usize].term, value));
        }
        state.extend(new);
    }
    run
}

/// The literals before an action, negated: those after it through its updates, and its guard.
fn before(system: &mut System, id: ActionId, clause: &[TermId]) -> Vec<TermId> {
    let action = system.get(id).clone();
    let map: HashMap<TermId, TermId> = action
        .updates
        .iter()
        .map(|(v, t)| (system.variables[v.0 as usize].term, *t))
        .collect();
    let mut all = Vec::new();
    for c in clause {
        let t = system.pool.substitute(*c, &map);
        all.extend(conjuncts(&mut system.pool, t));
    }
    all.extend(conjuncts(&mut system.pool, action.guard));
    all.sort_unstable();
    all.dedup();
    all
}

/// Of the negated literals those that the prefix contradicts; `None` if that takes a choice of the action itself.
fn needed(
    system: &mut System,
    logic: &mut Logic,
    run: &Run,
    at: usize,
    clause: &[TermId],
) -> Result<Option<Vec<TermId>>, NoAnswer> {
    let over_state = |system: &System, t: TermId| {
        let free = system.pool.free_variables(&[t]);
        free.iter().all(|v| system.by_term.contains_key(v))
    };
    let usable: Vec<TermId> = clause
        .iter()
        .copied()
        .filter(|c| over_state(system, *c))
        .collect();
    let mut kept = usable;
    let mut images: Vec<TermId> = Vec::new();
    for c in &kept {
        images.push(system.pool.substitute(*c, &run.states[at]));
    }
    let mut all: Vec<TermId> = run.guards[..at].to_vec();
    all.extend(&images);
    let core = match logic.check(&mut system.pool, &all)? {
        Ok(_) => return Ok(None),
        Err(core) => core,
    };
    let mut k = 0;
    kept.retain(|_| {
        k += 1;
        core.contains(&images[k - 1])
    });
    images.retain(|i| core.contains(i));
    // The core need not be minimal.
    let mut i = 0;
    while kept.len() > 1 && i < kept.len() && kept.len() <= 12 {
        let mut fewer: Vec<TermId> = run.guards[..at].to_vec();
        fewer.extend(
            images
                .iter()
                .enumerate()
                .filter(|(k, _)| *k != i)
                .map(|(_, t)| *t),
        );
        if logic.check(&mut system.pool, &fewer)?.is_err() {
            kept.remove(i);
            images.remove(i);
        } else {
            i += 1;
        }
    }
    Ok(Some(kept))
}
