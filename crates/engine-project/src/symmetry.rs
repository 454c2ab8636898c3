//! Threads that are the same: one program, one argument, and nobody who could tell them apart.
//!
//! Such threads may exchange their names in any path from where they have not begun, if nothing but themselves knows the names: nobody joins
//! them, they have no memory of their own with an address, and locks, which hold the name of their owner, are only locked and
//! unlocked. Where that is not certain they are taken to differ.

use crate::unroll::State;
use raddle_actions::system::{Origin, Status, System};
use raddle_ccfg::{Edge, Goal, InstanceId, Step, Template, What};
use raddle_ir::{Op, SyncOp};
use raddle_solver::term::{Term, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// Threads that are the same, by ascending number, and the status in which none of them has begun.
pub type Class = (usize, Vec<InstanceId>);

/// Groups of at least two.
pub fn classes(system: &System, start: &State) -> Vec<Class> {
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
    let mut groups: BTreeMap<(usize, usize, Option<TermId>), Vec<InstanceId>> = BTreeMap::new();
    for thread in system.instances.ids() {
        let template = system.instances.get(thread).template;
        let statuses = &start.at[thread.0 as usize];
        let here = |s: &TermId| *system.pool.term(*s) == Term::Bool(true);
        let t = system.ccfg.template(template);
        let Some(first) = statuses.iter().position(here).filter(|s| *s >= 4) else {
            continue;
        };
        if known.contains(&thread) || !t.slots.is_empty() || loops_back(t, first) {
            continue;
        }
        let argument = t.param.and_then(|param| {
            let origin = Origin::Local(thread, param);
            let at = system.variables.iter().position(|v| v.origin == origin)?;
            start.values[at]
        });
        let fixed = argument.is_none_or(|a| system.pool.free_variables(&[a]).is_empty());
        let number = system.ccfg.templates.iter().position(|o| alike(o, t));
        if let (true, Some(number)) = (fixed, number) {
            groups
                .entry((number, first, argument))
                .or_default()
                .push(thread);
        }
    }
    let several = groups.into_iter().filter(|(_, g)| g.len() > 1);
    several.map(|((_, first, _), g)| (first, g)).collect()
}

/// Whether a thread can come back to where it begins: then being there does not say that it has not begun.
fn loops_back(template: &raddle_ccfg::Template, first: usize) -> bool {
    let here = raddle_ccfg::LocId(first as u32 - 4);
    let mut reached = vec![here];
    let mut at = 0;
    while let Some(l) = reached.get(at).copied() {
        at += 1;
        for e in template.edges.iter().filter(|e| e.from == l) {
            match e.goal {
                raddle_ccfg::Goal::At(to) if to == here => return true,
                raddle_ccfg::Goal::At(to) if !reached.contains(&to) => reached.push(to),
                _ => {}
            }
        }
    }
    false
}

/// Whether two templates are the same program: analyses copy a thread's function for each place that makes one.
fn alike(a: &Template, b: &Template) -> bool {
    let goals = |x: Goal, y: Goal| match (x, y) {
        (Goal::Error(p, _), Goal::Error(q, _)) => p == q,
        _ => x == y,
    };
    let steps = |x: &Step, y: &Step| x.what == y.what && x.cells == y.cells;
    let edges = |x: &Edge, y: &Edge| {
        let same = x.from == y.from && goals(x.goal, y.goal) && x.steps.len() == y.steps.len();
        same && x.steps.iter().zip(&y.steps).all(|(x, y)| steps(x, y))
    };
    let types = |t: &Template| t.locals.iter().map(|l| l.ty).collect::<Vec<_>>();
    a.name == b.name
        && a.param == b.param
        && a.locations == b.locations
        && a.sites.is_empty()
        && b.sites.is_empty()
        && types(a) == types(b)
        && a.edges.len() == b.edges.len()
        && a.edges.iter().zip(&b.edges).all(|(x, y)| edges(x, y))
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
