//! Where paths begin: the initial state, behind everything that the initial thread has to do anyway while it is alone.
//!
//! A model's initial thread makes all processes in one action. There is nothing to choose about it, so it is no step.

use crate::footprint::Footprints;
use crate::instantiate::Instantiation;
use crate::unroll::{State, is_bad, number_of};
use raddle_actions::system::{ActionId, Outcome, Status, System};
use raddle_solver::term::TermId;

/// More forced actions than this are left to the search.
const MANY: usize = 10_000;

/// A state, and how the initial thread got there.
pub struct Start {
    /// The state.
    pub state: State,
    /// What was done, in order.
    pub path: Vec<ActionId>,
    /// The inputs of each.
    pub choices: Vec<Vec<TermId>>,
}

/// The initial state, after what is forced.
pub fn start(system: &mut System, footprints: &Footprints) -> Start {
    let mut here = Start {
        state: initial(system, footprints),
        path: Vec::new(),
        choices: Vec::new(),
    };
    // The only thread there is.
    let mut status = Status::At(raddle_ccfg::LocId(0));
    while here.path.len() < MANY {
        let always = system.pool.bool(true);
        let others = here.state.at.iter().skip(1);
        let alone = others
            .flat_map(|t| t.iter().skip(4))
            .all(|at| *at != always);
        let Status::At(l) = status else { break };
        if !alone {
            break;
        }
        let Some((id, then, inputs)) = forced(system, &here.state, l) else {
            break;
        };
        apply(system, footprints, &mut here.state, id, &inputs);
        let own = &mut here.state.at[0];
        own[number_of(status)] = system.pool.bool(false);
        own[number_of(then)] = always;
        status = then;
        here.path.push(id);
        here.choices.push(inputs);
    }
    for p in 1..here.state.at.len() {
        first_of_its_own(system, footprints, &mut here, p);
    }
    here
}

/// What a thread does first, if nobody else can notice or change it, is done, too: it commutes with everything.
fn first_of_its_own(system: &mut System, footprints: &Footprints, here: &mut Start, p: usize) {
    let always = system.pool.bool(true);
    let never = system.pool.bool(false);
    if here.state.at[p][4] != always {
        return;
    }
    let [id] = system.outgoing[p][0][..] else {
        return;
    };
    let action = system.get(id).clone();
    let Outcome::Next(then @ Status::At(_)) = action.outcome else {
        return;
    };
    let guard = values(system, &here.state).term(&mut system.pool, action.guard);
    let mut touched = action
        .reads
        .iter()
        .chain(action.updates.iter().map(|u| &u.0));
    let own = touched.all(|v| !footprints.shared.contains(v));
    let plain = action.control.is_empty() && action.choices.is_empty();
    if guard != always || !own || !plain {
        return;
    }
    apply(system, footprints, &mut here.state, id, &[]);
    let places = &mut here.state.at[p];
    places[4] = never;
    places[number_of(then)] = always;
    here.path.push(id);
    here.choices.push(Vec::new());
}

/// The state before anything happened.
fn initial(system: &mut System, footprints: &Footprints) -> State {
    let mut values = Vec::new();
    for (v, variable) in system.variables.iter().enumerate() {
        let needed = footprints
            .needed
            .contains(&raddle_actions::system::VarId(v as u32));
        values.push(needed.then(|| match variable.initial {
            Some(bits) => {
                let sort = system.pool.sort(variable.term);
                match sort {
                    raddle_solver::term::Sort::BitVec(width) => system.pool.bits(width, bits),
                    _ => system.pool.bool(bits & 1 == 1),
                }
            }
            None => variable.term,
        }));
    }
    let mut at = Vec::new();
    for (p, instance) in system.instances.list.iter().enumerate() {
        let locations = system.ccfg.template(instance.template).locations as usize;
        let mut statuses = vec![system.pool.bool(false); 4 + locations];
        let first = if p == 0 { 4 } else { 0 };
        statuses[first] = system.pool.bool(true);
        at.push(statuses);
    }
    State { values, at }
}

/// The one action that is possible at a location of the initial thread, if it is certain to be.
fn forced(
    system: &mut System,
    state: &State,
    l: raddle_ccfg::LocId,
) -> Option<(ActionId, Status, Vec<TermId>)> {
    let always = system.pool.bool(true);
    let never = system.pool.bool(false);
    let mut found = None;
    for id in system.outgoing[0][l.0 as usize].clone() {
        let action = system.get(id).clone();
        let mut terms = values(system, state);
        let mut inputs = Vec::new();
        for c in &action.choices {
            let sort = system.pool.sort(c.term);
            let input = system.pool.fresh_var(c.kind.name(), sort);
            terms.set(c.term, input);
            inputs.push(input);
        }
        let mut possible = terms.term(&mut system.pool, action.guard);
        for (q, needed, then) in &action.control {
            let now = &state.at[q.0 as usize];
            let fine = match (needed, then) {
                (Status::Absent, Status::Absent) => system.pool.not(now[0]),
                _ => now[number_of(*needed)],
            };
            possible = system.pool.and(possible, fine);
        }
        if possible == never {
            continue;
        }
        let Outcome::Next(then) = action.outcome else {
            return None;
        };
        if possible != always || found.is_some() || is_bad(&action) {
            return None;
        }
        found = Some((id, then, inputs));
    }
    found
}

/// What variables are in a state.
pub fn values(system: &System, state: &State) -> Instantiation {
    let mut terms = Instantiation::default();
    for (v, value) in state.values.iter().enumerate() {
        if let Some(value) = value {
            terms.set(system.variables[v].term, *value);
        }
    }
    terms
}

fn apply(
    system: &mut System,
    footprints: &Footprints,
    state: &mut State,
    id: ActionId,
    inputs: &[TermId],
) {
    let action = system.get(id).clone();
    let mut terms = values(system, state);
    for (c, input) in action.choices.iter().zip(inputs) {
        terms.set(c.term, *input);
    }
    for (v, t) in &action.updates {
        if footprints.needed.contains(v) {
            state.values[v.0 as usize] = Some(terms.term(&mut system.pool, *t));
        }
    }
    for (q, needed, then) in &action.control {
        if (*needed, *then) != (Status::Absent, Status::Absent) {
            let statuses = &mut state.at[q.0 as usize];
            statuses.fill(system.pool.bool(false));
            statuses[number_of(*then)] = system.pool.bool(true);
        }
    }
}
