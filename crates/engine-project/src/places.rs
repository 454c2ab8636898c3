//! Values that only one thread knows become part of where it is: "in the loop, with b = 3" is a place of its own.
//!
//! Counters and what is computed from them decide which element of an array an action touches. With their values in the place, an action
//! touches one known cell, needs no comparison with every element, and is not there at all where its guard cannot hold. Places are
//! found by following each thread from where it starts, with any values of what is computed from shared memory or inputs.
//!
//! A cell of memory that only one thread ever touches is like a local of it. Which cells these are is guessed and checked: at first
//! every cell is taken to be so; whatever two threads touch on the places found is shared, and the threads are followed again, until nothing new
//! is shared. Then the places are closed under all actions, whatever the others do, so no state that can be reached was left out.
//!
//! A thread that would have too many places has the variable with the most values taken out, several times if need be; at worst its
//! places are its locations. In states that can be reached the actions are the same as before, and each place belongs to one location;
//! so paths are the same, too. Threads that are not there at the start keep their locations, and what they may touch is shared.
//! *Misses:* values that are chosen among few by a condition; they could be places as well.

use crate::instantiate::Instantiation;
use crate::unroll::State;
use raddle_actions::system::{Action, ActionId, Origin, Outcome, Status, System, VarId};
use raddle_ccfg::{InstanceId, LocId};
use raddle_solver::term::{Term, TermId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// More places of one thread than this are too many.
const MANY: usize = 400;

/// After so many variables taken out, all are: following a thread takes time.
const TRIES: usize = 24;

/// The number of the status in which a thread begins.
pub const FIRST_PLACE: usize = 4;

/// The values of some variables.
type Known = BTreeMap<VarId, TermId>;

/// What following a thread found.
struct Followed {
    /// The actions of each place; the thread begins at the first.
    places: Vec<Vec<Action>>,
    /// The cells it touches.
    cells: BTreeSet<VarId>,
}

/// Replaces the locations of threads by places; the state says where they are now. Cells that are `kept` stay in memory, all of them if `None`.
pub fn fold(system: &mut System, start: &mut State, kept: Option<&BTreeSet<VarId>>) {
    let always = system.pool.bool(true);
    let begun: Vec<(InstanceId, LocId)> = system
        .instances
        .ids()
        .filter_map(|t| {
            let statuses = start.at[t.0 as usize].iter().skip(4);
            let first = statuses.into_iter().position(|at| *at == always)?;
            Some((t, LocId(first as u32)))
        })
        .collect();
    let over = |t: InstanceId| start.at[t.0 as usize][2..4].contains(&always);
    let mut left_out = touched_elsewhere(system, &begun, over);
    left_out.extend(kept.into_iter().flatten());
    if kept.is_none() {
        left_out.extend(variables(system).filter(|v| is_cell(system, *v)));
    }
    let mut tries = 0;
    let followed = loop {
        let before = left_out.len();
        let mut all: Vec<Followed> = Vec::new();
        for (thread, first) in &begun {
            let begin = known_at_start(system, start, *thread);
            all.push(loop {
                match follow(system, *thread, *first, begin.clone(), &left_out) {
                    Ok(followed) => break followed,
                    Err(worst) => drop(left_out.insert(worst)),
                }
                tries += 1;
                if tries > TRIES {
                    left_out.extend(variables(system));
                }
            });
        }
        let mut counts: BTreeMap<VarId, usize> = BTreeMap::new();
        for v in all.iter().flat_map(|f| &f.cells) {
            *counts.entry(*v).or_default() += 1;
        }
        let several = counts.into_iter().filter(|(_, n)| *n > 1).map(|(v, _)| v);
        left_out.extend(several);
        if left_out.len() == before {
            break all;
        }
    };
    let never = system.pool.bool(false);
    for ((thread, _), followed) in begun.iter().zip(followed) {
        let p = thread.0 as usize;
        start.at[p] = vec![never; FIRST_PLACE + followed.places.len()];
        start.at[p][FIRST_PLACE] = always;
        system.outgoing[p] = Vec::new();
        for actions in followed.places {
            let mut ids = Vec::new();
            for action in actions {
                ids.push(ActionId(system.actions.len() as u32));
                system.actions.push(action);
            }
            system.outgoing[p].push(ids);
        }
    }
}

fn variables(system: &System) -> impl Iterator<Item = VarId> + use<> {
    (0..system.variables.len() as u32).map(VarId)
}

/// Whose local a variable is.
fn owner(system: &System, v: VarId) -> Option<InstanceId> {
    match system.variables[v.0 as usize].origin {
        Origin::Local(thread, _) => Some(thread),
        _ => None,
    }
}

fn is_cell(system: &System, v: VarId) -> bool {
    matches!(system.variables[v.0 as usize].origin, Origin::Cell(..))
}

fn is_constant(system: &System, t: TermId) -> bool {
    matches!(system.pool.term(t), Term::Bits { .. } | Term::Bool(_))
}

/// The values that a thread finds where it begins, of its locals and of cells it may touch.
fn known_at_start(system: &System, start: &State, thread: InstanceId) -> Known {
    let mut known = Known::new();
    for a in system.actions.iter().filter(|a| a.thread == thread) {
        for v in a.reads.iter().chain(a.updates.iter().map(|u| &u.0)) {
            let own = is_cell(system, *v) || owner(system, *v) == Some(thread);
            let value = start.values[v.0 as usize].filter(|t| is_constant(system, *t));
            if let (true, Some(value)) = (own, value) {
                known.insert(*v, value);
            }
        }
    }
    known
}

/// Locals that other threads touch, and cells that threads touch which are not there yet.
fn touched_elsewhere(
    system: &System,
    begun: &[(InstanceId, LocId)],
    over: impl Fn(InstanceId) -> bool,
) -> BTreeSet<VarId> {
    let is_begun = |t: InstanceId| begun.iter().any(|(b, _)| *b == t);
    let mut found = BTreeSet::new();
    for a in system.actions.iter().filter(|a| !over(a.thread)) {
        // Who makes a thread that is there has made it, and will not again.
        let done = a
            .control
            .iter()
            .any(|c| is_begun(c.0) && c.1 == Status::Absent && c.2 != Status::Absent);
        for v in a.reads.iter().chain(a.updates.iter().map(|u| &u.0)) {
            match owner(system, *v) {
                Some(thread) if thread != a.thread && !done => found.insert(*v),
                None if !is_begun(a.thread) && !done => found.insert(*v),
                _ => false,
            };
        }
    }
    found
}

/// The places of a thread; or, if these are too many, the variable to leave out.
fn follow(
    system: &mut System,
    thread: InstanceId,
    first: LocId,
    begin: Known,
    left_out: &BTreeSet<VarId>,
) -> Result<Followed, VarId> {
    let mut numbers: HashMap<(LocId, Known), u32> = HashMap::new();
    let mut places: Vec<(LocId, Known)> = Vec::new();
    let mut number = |place: (LocId, Known), places: &mut Vec<(LocId, Known)>| {
        *numbers.entry(place.clone()).or_insert_with(|| {
            places.push(place);
            places.len() as u32 - 1
        })
    };
    let begin = live(system, thread, first, begin, left_out);
    number((first, begin), &mut places);
    let never = system.pool.bool(false);
    let mut found = Followed {
        places: Vec::new(),
        cells: BTreeSet::new(),
    };
    while let Some((location, known)) = places.get(found.places.len()).cloned() {
        if places.len() > MANY
            && let Some(worst) = most_values(&places)
        {
            return Err(worst);
        }
        let here = LocId(found.places.len() as u32);
        let mut locals = known.clone();
        locals.retain(|v, _| !is_cell(system, *v));
        let mut actions = Vec::new();
        for id in system.outgoing[thread.0 as usize][location.0 as usize].clone() {
            let mut action = system.get(id).clone();
            // With the locals known it shows which cells are touched; then their values count, too.
            put_in(system, &locals, &mut action);
            found.cells.extend(action.reads.iter().copied());
            found.cells.extend(action.updates.iter().map(|u| u.0));
            put_in(system, &known, &mut action);
            if action.guard == never {
                continue;
            }
            action.from = here;
            let mut after = known.clone();
            let mut updates = Vec::new();
            for (v, value) in std::mem::take(&mut action.updates) {
                let own = is_cell(system, v) || owner(system, v) == Some(thread);
                match own && !left_out.contains(&v) && is_constant(system, value) {
                    true => drop(after.insert(v, value)),
                    false => {
                        after.remove(&v);
                        updates.push((v, value));
                    }
                }
            }
            action.updates = updates;
            if let Outcome::Next(Status::At(to)) = action.outcome {
                let after = live(system, thread, to, after, left_out);
                let to = number((to, after), &mut places);
                action.outcome = Outcome::Next(Status::At(LocId(to)));
            }
            actions.push(action);
        }
        found.places.push(actions);
    }
    found.cells.retain(|v| is_cell(system, *v));
    Ok(found)
}

/// An action where some variables have these values.
fn put_in(system: &mut System, values: &Known, action: &mut Action) {
    let mut terms = Instantiation::default();
    for (v, value) in values {
        terms.set(system.variables[v.0 as usize].term, *value);
    }
    action.guard = terms.term(&mut system.pool, action.guard);
    for (_, t) in &mut action.updates {
        *t = terms.term(&mut system.pool, *t);
    }
    let own = |v: &VarId| system.variables[v.0 as usize].term;
    action.updates.retain(|(v, t)| own(v) != *t);
    let mut roots = vec![action.guard];
    roots.extend(action.updates.iter().map(|u| u.1));
    let free = system.pool.free_variables(&roots);
    let read = free.iter().filter_map(|t| system.by_term.get(t).copied());
    action.reads = read.collect();
    action.reads.sort_unstable();
}

/// What is known, may be part of a place, and is still read by the thread.
fn live(
    system: &System,
    thread: InstanceId,
    at: LocId,
    mut known: Known,
    left_out: &BTreeSet<VarId>,
) -> Known {
    let template = system.ccfg.template(system.instances.get(thread).template);
    let live = template.live.get(at.0 as usize);
    known.retain(|v, _| {
        let read = match system.variables[v.0 as usize].origin {
            Origin::Local(_, local) => live.is_none_or(|l| l.contains(&local)),
            _ => true,
        };
        read && !left_out.contains(v)
    });
    known
}

/// The variable with the most values.
fn most_values(places: &[(LocId, Known)]) -> Option<VarId> {
    let mut values: BTreeMap<VarId, BTreeSet<TermId>> = BTreeMap::new();
    for (_, known) in places {
        for (v, t) in known {
            values.entry(*v).or_default().insert(*t);
        }
    }
    let most = values.into_iter().max_by_key(|(_, t)| t.len());
    most.map(|(v, _)| v)
}
