//! Misuse of synchronisation objects as errors: unlocks by strangers, uses after destruction, destruction of what is held.
//!
//! Every operation that is not evidently right (`raddle_analysis::evident`) gets a second way on which the word of its object makes it a misuse,
//! as `raddle_ir::sync` says it. What is not told by a word is refused where it is not evident: whether the object was initialised, whether
//! threads sleep on a condition variable that is destroyed, whether the word of a lock is a copy, and whether what is initialised is held. Misuse of threads is told by `raddle_actions`: a join that finds nobody to wait
//! for is not treated.

use crate::graph::{Goal, Refusal, What};
use crate::inline::RawEdge;
use crate::memory::Resolved;
use raddle_analysis::Facts;
use raddle_analysis::evident::SyncUses;
use raddle_ir::{Op, Property, Role, SyncOp};

/// Makes misuse an error.
pub fn watch(facts: &Facts, resolved: &mut Resolved) {
    let uses = SyncUses::new(facts);
    for t in 0..resolved.raw.templates.len() {
        for e in 0..resolved.raw.templates[t].edges.len() {
            let edge = resolved.raw.templates[t].edges[e].clone();
            let (Some(step), Some(at)) = (&edge.step, edge.copied) else {
                continue;
            };
            let What::Instr(Op::Sync { op, .. }) = &step.what else {
                continue;
            };
            if uses.is_fine(facts, at) {
                continue;
            }
            let why = match op {
                op if op.makes_lock() => Some("the initialisation of a lock that may be held"),
                op if op.gives_back_owned() && uses.may_be_copied(facts, at) => {
                    Some("an unlock of what may be a copy of a lock")
                }
                SyncOp::CondDestroy => Some("threads may sleep on what is destroyed"),
                _ if !uses.is_initialised(facts, at) => {
                    Some("a synchronisation object that may not be initialised")
                }
                _ if !step.elsewhere.is_empty() => Some("a synchronisation object among many"),
                _ if !is_told_by_word(*op) => Some("misuse by this operation"),
                _ => None,
            };
            if let Some(why) = why {
                refuse(facts, resolved, t, e, why);
                continue;
            }
            let What::Instr(instr) = step.what.clone() else {
                continue;
            };
            let mut wrong = step.clone();
            wrong.what = What::Wrong(Property::ValidSync, instr);
            resolved.raw.templates[t].edges.push(RawEdge {
                from: edge.from,
                goal: Goal::Error(Property::ValidSync, wrong.at),
                step: Some(wrong),
                access: None,
                copied: Some(at),
                mover: false,
                ends: None,
            });
        }
    }
}

/// Whether the word of an object decides if this is a misuse; what it does to an initialised object never is one otherwise. Who holds a
/// reader-writer lock is not told by its word.
fn is_told_by_word(op: SyncOp) -> bool {
    let changes = matches!(op.role(), Role::Acquire(..) | Role::Release | Role::Destroy);
    changes && op != SyncOp::RwUnlock
}

fn refuse(facts: &Facts, resolved: &mut Resolved, t: usize, e: usize, why: &str) {
    let raw = &mut resolved.raw;
    let edge = &mut raw.templates[t].edges[e];
    let at = edge.copied.map(|at| facts.program().span_of(at));
    edge.step = None;
    edge.access = None;
    edge.goal = Goal::Refused(raw.refusals.len() as u32);
    raw.refusals.push(Refusal {
        what: why.into(),
        span: at.unwrap_or(raddle_ir::Span::NOWHERE),
    });
}
