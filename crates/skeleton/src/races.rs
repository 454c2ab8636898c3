//! Data races: two conflicting accesses of which either can come next.
//!
//! Executions may stop anywhere, so "either can come next" is "they stand next to each other in some execution": what comes
//! before both is the same whichever goes first. Reads that needed no event cannot race: every write is known to come before or
//! after them. Pairs that hold a lock in common, or that starts and joins order, are left out.
//!
//! The end of an object counts as a write: its life is a cell that accesses read and the end writes.

use crate::compose::Composition;
use crate::event::{Clock, Event, EventNo, Kind, Reason, Skeleton, Target};
use crate::names::CellId;
use crate::shared::comes_before;
use raddle_ir::Property;
use raddle_solver::Solver;
use raddle_solver::blast::BlastError;
use raddle_solver::term::{Sort, TermId};
use std::collections::{BTreeMap, HashMap, HashSet};

fn cell_of(e: &Event) -> Option<(CellId, bool)> {
    match e.kind {
        Kind::Read(cell, _) => Some((cell, false)),
        Kind::Write(cell, _) => Some((cell, true)),
        _ => None,
    }
}

fn can_race(skeleton: &mut Skeleton, clocks: &HashMap<u32, Clock>, a: EventNo, b: EventNo) -> bool {
    // A region comes after everything that any part of it comes after.
    let late = |e: &Event| match e.block {
        Some(b) => clocks.get(&b).cloned().unwrap_or(e.clock.clone()),
        None => e.clock.clone(),
    };
    let (x, y) = (
        &skeleton.events[a.0 as usize],
        &skeleton.events[b.0 as usize],
    );
    if x.thread == y.thread
        || x.last
        || y.last
        || (x.manner.atomic && y.manner.atomic)
        || (x.manner.region && y.manner.region)
        || comes_before(x.thread, x.time, y.thread, y.time, &late(y))
        || comes_before(y.thread, y.time, x.thread, x.time, &late(x))
    {
        return false;
    }
    if x.manner.held.iter().any(|l| y.manner.held.contains(l)) {
        return false;
    }
    let (g, h) = (x.guard, y.guard);
    !skeleton.guards.exclude(&mut skeleton.pool, g, h)
}

/// Adds a violation for every pair of accesses that may race.
pub fn add_races(
    skeleton: &mut Skeleton,
    solver: &mut Solver,
    made: &Composition,
) -> Result<(), BlastError> {
    let mut accesses: BTreeMap<CellId, Vec<(EventNo, bool)>> = BTreeMap::new();
    for (i, e) in skeleton.events.iter().enumerate() {
        if let (Some((cell, write)), Some(_)) = (cell_of(e), made.ids[i]) {
            let all = accesses.entry(cell).or_default();
            all.push((EventNo(i as u32), write));
        }
    }
    let mut clocks: HashMap<u32, Clock> = HashMap::new();
    for e in &skeleton.events {
        if let Some(b) = e.block {
            // Events of a block are in order, so the last one knows most.
            clocks.insert(b, e.clock.clone());
        }
    }
    for (b, region) in skeleton.regions.iter().enumerate() {
        if let Some(clock) = &region.clock {
            clocks.insert(b as u32, clock.clone());
        }
    }
    let mut seen = HashSet::new();
    for all in accesses.values() {
        for (i, &(a, writes)) in all.iter().enumerate() {
            for &(b, also) in &all[i + 1..] {
                if !(writes || also) || !can_race(skeleton, &clocks, a, b) {
                    continue;
                }
                let (Some(x), Some(y)) = (made.ids[a.0 as usize], made.ids[b.0 as usize]) else {
                    continue;
                };
                let nodes = {
                    let problem = solver.order_problem();
                    (problem.event(x).node, problem.event(y).node)
                };
                let guards = [a, b].map(|e| skeleton.events[e.0 as usize].guard);
                if !seen.insert((nodes, guards)) {
                    continue;
                }
                let race = skeleton.pool.fresh_var("race", Sort::Bool);
                let literal = solver.literal(&mut skeleton.pool, race)?;
                solver.order_problem().add_group(literal, &[x, y]);
                solver.prefer(!literal);
                for e in [a, b] {
                    let happens = happens(skeleton, e);
                    let holds = skeleton.pool.implies(race, happens);
                    solver.assert(&mut skeleton.pool, holds)?;
                }
                let first = &skeleton.events[a.0 as usize];
                let log = &skeleton.threads[first.thread.0 as usize];
                let target = Target {
                    reached: race,
                    thread: first.thread,
                    at: log.entries[first.entry as usize].at,
                    after: Some(a),
                    inside: None,
                    pair: Some((a, b)),
                };
                let waits = |e: EventNo| {
                    let block = skeleton.events[e.0 as usize].block;
                    block.is_some_and(|b| skeleton.regions[b as usize].waits)
                };
                if waits(a) || waits(b) {
                    let what = "a race with an atomic region that may have to wait".to_string();
                    skeleton.ends.push((Reason::Unsupported(what), target));
                    continue;
                }
                skeleton.violations.push((Property::NoDataRace, target));
            }
        }
    }
    Ok(())
}

/// The event occurs, and the region it is in is gone through.
fn happens(skeleton: &mut Skeleton, e: EventNo) -> TermId {
    let event = &skeleton.events[e.0 as usize];
    let occurs = skeleton.guards.term(event.guard);
    let Some(block) = event.block else {
        return occurs;
    };
    let done: Vec<TermId> = skeleton.regions[block as usize]
        .done
        .iter()
        .map(|g| skeleton.guards.term(*g))
        .collect();
    let through = skeleton.pool.or_all(done);
    skeleton.pool.and(occurs, through)
}
