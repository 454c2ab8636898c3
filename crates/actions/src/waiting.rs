//! Deadlocks, as an action that is possible exactly in those states in which there is one.
//!
//! By the interpreter's definition: every thread that is there waits, or there is a cycle of threads each of which waits for the next (a lock
//! that the next one holds, or its end). A thread waits if it stands before an operation that can wait and whose guard does not hold. Where
//! threads stand decides what this means over the data, so there is one such action for all states with the same places; it belongs to no
//! thread's control flow, and changes nothing.
//!
//! *Over-approximated:* an operation whose address is invalid counts as waiting.

use crate::scene::Exec;
use crate::system::{Action, ActionId, Outcome, Status, System, VarId};
use raddle_ccfg::{EdgeId, InstanceId, LocId, Step, What};
use raddle_ir::{Location, Op, Property, layout};
use raddle_solver::term::{Term, TermId};
use raddle_symbolic::execute;
use std::collections::{BTreeSet, HashMap};

/// Deadlocks by the places of threads, as far as they were asked for.
#[derive(Default)]
pub struct Deadlocks {
    known: HashMap<Vec<Status>, Option<ActionId>>,
}

/// A thread that may wait.
struct Waiting {
    thread: InstanceId,
    from: LocId,
    edge: EdgeId,
    at: Location,
    /// It does.
    waits: TermId,
    /// For a thread.
    on: Vec<(InstanceId, TermId)>,
}

impl Deadlocks {
    /// The action that is possible in the deadlocks among states in which threads are at these places; `None` if there are none.
    pub fn at(&mut self, system: &mut System, places: &[Status]) -> Option<ActionId> {
        if let Some(known) = self.known.get(places) {
            return *known;
        }
        let found = deadlock(system, places);
        self.known.insert(places.to_vec(), found);
        found
    }
}

/// The condition under which states with these places are deadlocks.
fn deadlock(system: &mut System, places: &[Status]) -> Option<ActionId> {
    let mut all: Vec<Waiting> = Vec::new();
    let mut running = 0;
    for (t, place) in places.iter().enumerate() {
        if let Status::At(at) = place {
            running += 1;
            all.extend(waiting(system, InstanceId(t as u32), *at, places));
        }
    }
    let first = all.first()?;
    let (thread, from, edge, at) = (first.thread, first.from, first.edge, first.at);
    let pool = &mut system.pool;
    let never = pool.bool(false);
    let everybody = match all.len() == running {
        true => pool.and_all(all.iter().map(|w| w.waits)),
        false => never,
    };
    // Who waits for whom, over any number of others.
    let n = all.len();
    let mut reaches = vec![vec![never; n]; n];
    for (i, w) in all.iter().enumerate() {
        for (other, when) in &w.on {
            if let Some(j) = all.iter().position(|x| x.thread == *other) {
                reaches[i][j] = pool.or(reaches[i][j], *when);
            }
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                let through = pool.and(reaches[i][k], reaches[k][j]);
                reaches[i][j] = pool.or(reaches[i][j], through);
            }
        }
    }
    let cycle = pool.or_all((0..n).map(|i| reaches[i][i]));
    let guard = pool.or(everybody, cycle);
    if matches!(pool.term(guard), Term::Bool(false)) {
        return None;
    }
    let reads = system.read_by(&[guard]);
    system.actions.push(Action {
        thread,
        edge,
        from,
        outcome: Outcome::Error(Property::NoDeadlock, at),
        guard,
        updates: Vec::new(),
        choices: Vec::new(),
        reads,
        control: Vec::new(),
        acquires: None,
        joins: None,
        stops: BTreeSet::new(),
        stored: Vec::new(),
    });
    Some(ActionId(system.actions.len() as u32 - 1))
}

/// The variables that decide whether a thread waits, and for whom.
pub fn decisive(system: &mut System) -> Vec<VarId> {
    let places = vec![Status::Made; system.instances.list.len()];
    let mut terms: Vec<TermId> = Vec::new();
    for thread in system.instances.ids() {
        let template = system.instances.get(thread).template;
        for at in 0..system.ccfg.template(template).locations {
            if let Some(w) = waiting(system, thread, LocId(at), &places) {
                terms.extend(w.on.iter().map(|o| o.1).chain([w.waits]));
            }
        }
    }
    system.read_by(&terms)
}

/// What a thread waits for where it stands, if it may wait there at all.
fn waiting(
    system: &mut System,
    thread: InstanceId,
    from: LocId,
    places: &[Status],
) -> Option<Waiting> {
    let template = system.ccfg.template(system.instances.get(thread).template);
    let mut edges = template.edges.iter().enumerate();
    let (edge, step) = edges.find_map(|(i, e)| {
        let step = e.steps.first().filter(|_| e.from == from)?;
        let waits = match &step.what {
            What::Instr(Op::Sync { op, .. }) => op.can_block(),
            What::Join { .. } => true,
            _ => false,
        };
        waits.then(|| (EdgeId(i as u32), step.clone()))
    })?;
    let (waits, on) = match &step.what {
        What::Join { handle, .. } => {
            let handle = Exec::new(system, thread).value_of(*handle);
            let width = system.pool.width(handle);
            let mut on = Vec::new();
            for (i, place) in places.iter().enumerate() {
                let other = InstanceId(i as u32);
                // A join of itself does not wait.
                if other != thread && matches!(place, Status::Made | Status::At(_)) {
                    let number = u128::from(System::handle(other));
                    let number = system.pool.bits(width, number);
                    on.push((other, system.pool.eq(handle, number)));
                }
            }
            (system.pool.or_all(on.iter().map(|o| o.1)), on)
        }
        What::Instr(op) => {
            let goes_on = goes_on(system, thread, &step, op);
            let waits = system.pool.not(goes_on);
            (waits, holders(system, thread, &step, op, waits))
        }
        _ => return None,
    };
    Some(Waiting {
        thread,
        from,
        edge,
        at: step.at,
        waits,
        on,
    })
}

/// When an operation can happen.
fn goes_on(system: &mut System, thread: InstanceId, step: &Step, op: &Op) -> TermId {
    let model = system.ccfg.model;
    let mut exec = Exec::new(system, thread);
    exec.begin(0, step);
    let mut pool = std::mem::take(&mut exec.system.pool);
    let done = execute(&mut pool, model, op, &mut exec);
    exec.system.pool = pool;
    match done {
        Ok(()) => exec.guard,
        // Whatever it is, it may wait.
        Err(_) => exec.system.pool.bool(false),
    }
}

/// Who may hold the lock that a thread waits for.
fn holders(
    system: &mut System,
    thread: InstanceId,
    step: &Step,
    op: &Op,
    waits: TermId,
) -> Vec<(InstanceId, TermId)> {
    let Op::Sync { op, args, .. } = op else {
        return Vec::new();
    };
    if !op.waits_for_owner() {
        return Vec::new();
    }
    let mut exec = Exec::new(system, thread);
    exec.begin(0, step);
    let words = exec.cells_at(args[0]);
    let mut on = Vec::new();
    for other in system.instances.ids() {
        let mut holds = system.pool.bool(false);
        for (is, word) in &words {
            let mask = system.pool.bits(32, u128::from(layout::OWNER));
            let number = u128::from(System::handle(other));
            let number = system.pool.bits(32, number);
            let owner = system.pool.bv_and(*word, mask);
            let owns = system.pool.eq(owner, number);
            let owns = system.pool.and(*is, owns);
            holds = system.pool.or(holds, owns);
        }
        on.push((other, system.pool.and(waits, holds)));
    }
    on
}
