//! Threads that are the same: one template, one argument, and nobody who could tell them apart.
//!
//! Such threads may exchange their names in any path from where they have not begun, if nothing but themselves knows the names: nobody joins
//! them, they have no memory of their own with an address, and locks, which hold the name of their owner, are only locked and
//! unlocked. Where that is not certain they are taken to differ.

use crate::unroll::State;
use raddle_actions::system::{Origin, Outcome, Status, System};
use raddle_ccfg::{InstanceId, What};
use raddle_ir::{Op, SyncOp};
use raddle_solver::term::{Term, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// Groups of at least two, each by ascending number.
pub fn classes(system: &System, start: &State) -> Vec<Vec<InstanceId>> {
    if names_leak(system) {
        return Vec::new();
    }
    // Who is made or joined later is known to somebody.
    let mut known: BTreeSet<InstanceId> = BTreeSet::from([InstanceId(0)]);
    for action in system.actions.iter().filter(|a| a.thread != InstanceId(0)) {
        known.extend(action.control.iter().map(|c| c.0));
    }
    for action in &system.actions {
        let joined = action.control.iter().filter(|c| c.2 == Status::Joined);
        known.extend(joined.map(|c| c.0));
    }
    let mut groups: BTreeMap<(u32, Option<TermId>), Vec<InstanceId>> = BTreeMap::new();
    for thread in system.instances.ids() {
        let template = system.instances.get(thread).template;
        let begun = start.at[thread.0 as usize][4];
        let waits = *system.pool.term(begun) == Term::Bool(true);
        let t = system.ccfg.template(template);
        if known.contains(&thread) || !waits || !t.slots.is_empty() {
            continue;
        }
        let argument = t.param.and_then(|param| {
            let origin = Origin::Local(thread, param);
            let at = system.variables.iter().position(|v| v.origin == origin)?;
            start.values[at]
        });
        let fixed = argument.is_none_or(|a| system.pool.free_variables(&[a]).is_empty());
        if fixed && same_actions(system, template, thread) {
            groups
                .entry((template.0, argument))
                .or_default()
                .push(thread);
        }
    }
    groups.into_values().filter(|g| g.len() > 1).collect()
}

/// Whether a thread can do exactly what the first one of its template can; its own variables are its own.
fn same_actions(system: &System, template: raddle_ccfg::TemplateId, thread: InstanceId) -> bool {
    let Some(first) = system.instances.of(template).next() else {
        return false;
    };
    let shape = |t: InstanceId| -> Vec<(u32, Option<Status>, usize)> {
        let own = system.actions.iter().filter(|a| a.thread == t);
        own.map(|a| {
            let then = match a.outcome {
                Outcome::Next(s) => Some(s),
                _ => None,
            };
            (a.edge.0, then, a.updates.len())
        })
        .collect()
    };
    shape(first) == shape(thread)
}

/// Whether a program can ask who holds a lock, or who it is itself.
fn names_leak(system: &System) -> bool {
    let steps = system
        .ccfg
        .templates
        .iter()
        .flat_map(|t| &t.edges)
        .flat_map(|e| &e.steps);
    let mut locks = BTreeSet::new();
    let mut loaded = BTreeSet::new();
    for step in steps {
        let What::Instr(op) = &step.what else {
            continue;
        };
        let cells = step.cells.iter().map(|p| p.cell);
        match op {
            Op::Sync {
                op: SyncOp::ThreadSelf,
                ..
            } => return true,
            Op::Sync { .. } => locks.extend(cells),
            Op::Load { .. } | Op::Cas { .. } | Op::Rmw { .. } => loaded.extend(cells),
            _ => {}
        }
    }
    locks.intersection(&loaded).next().is_some()
}
