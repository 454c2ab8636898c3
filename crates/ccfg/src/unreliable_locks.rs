//! Words that are used as locks, but that something else can change while others are there.
//!
//! Who holds such a lock cannot be sure that nobody else takes it: it may be made anew or destroyed, overwritten, used as a semaphore, or
//! given back by a thread that does not hold it. What happens while only one thread is alive is no harm.
//!
//! An unlock is by the holder if a lock of the same cell comes before it on every way through its thread, with no unlock in between. Up to the
//! first unlock by another thread in time, locks exclude, so this may be asked of each unlock alone.

use crate::graph::{CellId, Goal, Step, What};
use crate::inline::RawTemplate;
use crate::memory::Resolved;
use raddle_analysis::Facts;
use raddle_ir::{Op, SyncOp};
use std::collections::BTreeSet;

/// Whether an instruction does nothing to the words it works on but to take locks and to give them back.
fn is_locking(what: &What) -> bool {
    match what {
        What::Instr(Op::Load { .. }) => true,
        What::Instr(Op::Sync { op, .. }) => op.class().names_owner() && op.is_locking(),
        _ => false,
    }
}

fn sync_op(step: &Step) -> Option<SyncOp> {
    match step.what {
        What::Instr(Op::Sync { op, .. }) => Some(op),
        _ => None,
    }
}

fn is_unlock(step: &Step) -> bool {
    sync_op(step).is_some_and(SyncOp::gives_back_owned)
}

/// By node: the cells of locks that a thread there certainly holds; `None` where no way leads.
fn held(template: &RawTemplate) -> Vec<Option<BTreeSet<CellId>>> {
    let mut at: Vec<Option<BTreeSet<CellId>>> = vec![None; template.atomic.len()];
    if let Some(first) = at.first_mut() {
        *first = Some(BTreeSet::new());
    }
    loop {
        let mut changed = false;
        for edge in &template.edges {
            let (Goal::At(to), Some(mut set)) = (edge.goal, at[edge.from as usize].clone()) else {
                continue;
            };
            if let Some(step) = &edge.step {
                match (sync_op(step), &step.cells[..]) {
                    (Some(op), [one]) if op.waits_for_owner() => {
                        set.insert(one.cell);
                    }
                    (Some(op), cells) if op.gives_back_owned() => {
                        set.retain(|c| cells.iter().all(|p| p.cell != *c));
                    }
                    _ => {}
                }
            }
            let there = &mut at[to.0 as usize];
            let next = match there {
                None => set,
                Some(old) => old.intersection(&set).copied().collect(),
            };
            if there.as_ref() != Some(&next) {
                *there = Some(next);
                changed = true;
            }
        }
        if !changed {
            return at;
        }
    }
}

/// Marks these words.
pub fn mark(facts: &Facts, resolved: &mut Resolved) {
    let mut unreliable: BTreeSet<CellId> = BTreeSet::new();
    for template in &resolved.raw.templates {
        let held = held(template);
        for edge in &template.edges {
            let Some(step) = &edge.step else {
                continue;
            };
            let here = held[edge.from as usize].as_ref();
            let owns = match &step.cells[..] {
                [one] => here.is_none_or(|set| set.contains(&one.cell)),
                _ => false,
            };
            let alone = edge.copied.is_some_and(|at| facts.parallel.is_alone(at));
            let harmless = match is_unlock(step) {
                true => owns,
                false => is_locking(&step.what),
            };
            if !harmless && !alone {
                unreliable.extend(step.cells.iter().map(|p| p.cell));
            }
        }
    }
    for cell in unreliable {
        resolved.cells[cell.0 as usize].unreliable = true;
    }
}
