//! Right movers: steps that can be put off until after whatever another thread does next.
//!
//! After Lipton, "Reduction: a method of proving properties of parallel programs" (1975). Such a step commutes to the right with
//! every step of another thread that can come directly behind it: an access, if no conflicting access can stand next to it, either because
//! its thread is not running then or because both would have to hold one lock; and taking a lock, if the others do nothing with
//! it but take it, and give it back while they hold it. What nobody else can notice is a right mover, too.
//!
//! Errors are not lost if such steps are merged with what comes behind them: a thread that stops among them might as well not
//! have begun, since nobody can tell. So nothing is asked of what comes later, not even that it is reached.
//!
//! *Misses:* left movers other than local steps; locks that are not always the same one; protection by anything but locks and
//! the lifetimes of threads.

use crate::graph::{CellId, What};
use crate::inline::RawEdge;
use crate::memory::Resolved;
use raddle_analysis::Facts;
use raddle_ir::{Location, Op, SyncOp};
use std::collections::HashMap;

/// An access to a cell.
#[derive(Clone, Copy)]
struct Use {
    at: Option<Location>,
    writes: bool,
    sync: Option<SyncOp>,
}

/// Marks all edges that are right movers.
pub fn mark(facts: &Facts, resolved: &mut Resolved) {
    let mut uses: HashMap<CellId, Vec<Use>> = HashMap::new();
    for edge in resolved.raw.templates.iter().flat_map(|t| &t.edges) {
        for (cell, u) in uses_of(edge) {
            uses.entry(cell).or_default().push(u);
        }
    }
    let cells = &resolved.cells;
    let objects = &resolved.raw.objects;
    for template in &mut resolved.raw.templates {
        for i in 0..template.edges.len() {
            let edge = &template.edges[i];
            let thread = edge.step.as_ref().is_some_and(|s| {
                matches!(
                    s.what,
                    What::New { .. } | What::Start { .. } | What::Join { .. }
                )
            });
            let blurred = |s: &crate::graph::Step| !s.elsewhere.is_empty();
            let mut mover = !thread && !edge.step.as_ref().is_some_and(blurred);
            for (cell, mine) in uses_of(edge) {
                let c = &cells[cell.0 as usize];
                let shared = c.written && !objects[c.object.0 as usize].private;
                let others = uses.get(&cell).into_iter().flatten();
                mover &= !shared || others.clone().all(|o| lets_by(facts, mine, *o));
            }
            template.edges[i].mover = mover;
        }
    }
}

fn uses_of(edge: &RawEdge) -> Vec<(CellId, Use)> {
    let Some(step) = &edge.step else {
        return Vec::new();
    };
    let (sync, writes) = match &step.what {
        What::Instr(Op::Sync { op, .. }) => (Some(*op), true),
        What::Instr(Op::Load { .. }) | What::Wrong(..) => (None, false),
        _ => (None, true),
    };
    let mut all = Vec::new();
    for p in &step.cells {
        let at = edge.copied;
        all.push((p.cell, Use { at, writes, sync }));
        if let Some(kind) = p.kind {
            let writes = sync == Some(SyncOp::MutexInit);
            let sync = None;
            all.push((kind, Use { at, writes, sync }));
        }
    }
    all
}

/// Whether a step can be put off until after another one of another thread, as far as one cell is concerned.
fn lets_by(facts: &Facts, mine: Use, other: Use) -> bool {
    if !mine.writes && !other.writes {
        return true;
    }
    let (Some(a), Some(b)) = (mine.at, other.at) else {
        return false;
    };
    if !facts.parallel.may_happen_in_parallel(a, b) || facts.locks.exclude(a, b) {
        return true;
    }
    // Taking a lock: behind that, nobody else takes it, nor gives it back who would have to hold it.
    match (mine.sync, other.sync) {
        (Some(mine), Some(other)) if mine.waits_for_owner() && mine.class() == other.class() => {
            other.waits_for_owner() || other.gives_back_owned() && holds_it(facts, b)
        }
        _ => false,
    }
}

/// Whether who gives a lock back certainly holds it.
fn holds_it(facts: &Facts, at: Location) -> bool {
    let accessed = facts.points_to.accessed(facts.program(), at);
    let [one] = accessed else {
        return false;
    };
    let Some(offset) = one.offset.known() else {
        return false;
    };
    let lock = raddle_analysis::Lock::At(one.object, offset);
    let held = facts.locks.held_at(at);
    held.iter().any(|h| h.lock == lock && !h.shared)
}
