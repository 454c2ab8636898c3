//! Data races, as a question about the last state of a path: can two threads both come next with accesses to one cell, at least one of them
//! a write, and not both atomic?
//!
//! Every access to shared memory is a step of its own, so where a thread stands tells what it accesses next. Projections do not keep races, so these
//! questions are asked without them. Accesses that were merged because all of their kind hold one lock race with nobody.
//!
//! *Misses:* `free` and destruction as accesses, and memory that is not divided into cells: [`not_treated`].

use crate::start::values;
use crate::states::{Claim, steps};
use crate::unroll::Unrolling;
use raddle_actions::system::{ActionId, Origin, System, VarId};
use raddle_ccfg::{InstanceId, What};
use raddle_ir::{Location, Op, Ordering, Role};
use raddle_solver::term::TermId;
use std::collections::BTreeMap;

/// An operation that may race and is not understood here.
pub fn not_treated(system: &System) -> Option<(String, Location)> {
    let ids = system.outgoing.iter().flatten().flatten();
    let mut all = ids.flat_map(|id| steps(system, *id));
    let odd = all.find(|s| match &s.what {
        What::Instr(Op::Free { .. }) => true,
        What::Instr(Op::Sync { op, .. }) => op.role() == Role::Destroy,
        _ => !s.elsewhere.is_empty(),
    })?;
    Some(("a race with the end of an object".into(), odd.at))
}

/// Of one thread to one cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    thread: u32,
    write: bool,
    atomic: bool,
}

/// A race in the last state.
pub fn race(u: &mut Unrolling) -> Claim {
    let state = u.states[u.states.len() - 1].clone();
    let mut terms = values(&u.system, &state);
    let never = u.system.pool.bool(false);
    let mut all: BTreeMap<VarId, BTreeMap<Kind, (TermId, Location)>> = BTreeMap::new();
    for p in 0..state.at.len() {
        for l in 0..u.system.outgoing[p].len() {
            let here = state.at[p][4 + l];
            if here == never {
                continue;
            }
            for id in u.system.outgoing[p][l].clone() {
                let guard = u.system.get(id).guard;
                let guard = terms.term(&mut u.system.pool, guard);
                let comes = u.system.pool.and(here, guard);
                // A thread that has to wait looks at what it waits for all the same.
                for (v, kind, at) in looks(&u.system, id) {
                    let entry = all.entry(v).or_default().entry(kind).or_insert((never, at));
                    entry.0 = u.system.pool.or(entry.0, here);
                }
                for (v, kind, at) in accesses(&u.system, id) {
                    let footprint = &u.footprints.list[id.0 as usize];
                    let sets = if kind.write {
                        &footprint.writes
                    } else {
                        &footprint.reads
                    };
                    let Some(when) = sets.get(&v) else { continue };
                    let when = terms.term(&mut u.system.pool, *when);
                    let when = u.system.pool.and(comes, when);
                    let entry = all.entry(v).or_default().entry(kind).or_insert((never, at));
                    entry.0 = u.system.pool.or(entry.0, when);
                }
            }
        }
    }
    let pool = &mut u.system.pool;
    let mut who = Vec::new();
    for of_cell in all.values() {
        for (a, (x, at)) in of_cell.iter().filter(|(a, _)| a.write) {
            for (b, (y, _)) in of_cell {
                if a.thread != b.thread && !(a.atomic && b.atomic) {
                    who.push((pool.and(*x, *y), InstanceId(a.thread), *at));
                }
            }
        }
    }
    let goal = pool.or_all(who.iter().map(|w| w.0));
    Claim { goal, who }
}

/// What an action accesses.
fn accesses(system: &System, id: ActionId) -> Vec<(VarId, Kind, Location)> {
    let thread = system.get(id).thread;
    let mut found = Vec::new();
    let mut region = false;
    for step in steps(system, id) {
        let What::Instr(op) = &step.what else {
            continue;
        };
        let (read, write, atomic) = match op {
            Op::AtomicBegin { .. } => {
                region = true;
                continue;
            }
            Op::AtomicEnd => {
                region = false;
                continue;
            }
            Op::Load { access, .. } => (true, false, access.ordering != Ordering::Plain),
            Op::Store { access, .. } => (false, true, access.ordering != Ordering::Plain),
            Op::Rmw { .. } | Op::Cas { .. } => (true, true, true),
            Op::Sync { op, .. } if op.is_reset() => (false, true, false),
            _ => continue,
        };
        for place in &step.cells {
            for v in cells(system, thread, place) {
                for (is, write) in [(read, false), (write, true)] {
                    let kind = Kind {
                        thread: thread.0,
                        write,
                        atomic: atomic || region,
                    };
                    if is {
                        found.push((v, kind, step.at));
                    }
                }
            }
        }
    }
    found
}

/// What an action looks at as a synchronisation object, even while it has to wait: taken for a write, because it may become one.
fn looks(system: &System, id: ActionId) -> Vec<(VarId, Kind, Location)> {
    let thread = system.get(id).thread;
    let kind = Kind {
        thread: thread.0,
        write: true,
        atomic: true,
    };
    let mut found = Vec::new();
    for step in steps(system, id) {
        if !matches!(&step.what, What::Instr(Op::Sync { op, .. }) if !op.is_reset()) {
            continue;
        }
        for place in &step.cells {
            let all = cells(system, thread, place).into_iter();
            found.extend(all.map(|v| (v, kind, step.at)));
        }
    }
    found
}

/// The variables a cell may be: of an object that threads have each of their own, everybody's.
fn cells(system: &System, thread: InstanceId, place: &raddle_ccfg::Place) -> Vec<VarId> {
    let object = system.ccfg.object(system.ccfg.cell(place.cell).object);
    let owners: Vec<Option<InstanceId>> = match object.owner {
        None => vec![None],
        Some(_) if place.own => vec![Some(thread)],
        Some(_) => system.instances.ids().map(Some).collect(),
    };
    let known = owners
        .into_iter()
        .filter_map(|o| system.known(Origin::Cell(place.cell, o)));
    known.collect()
}
