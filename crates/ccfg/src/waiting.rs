//! Where threads wait, for those who ask for deadlocks: what cannot be told is refused.
//!
//! A location at which a thread may wait begins with the operation it waits at, and the guard of that operation says whether it does. That
//! is not so for condition variables, whose sleepers may wake at any time in this graph, for reader–writer locks, whose holders are not kept, and
//! for whatever waits within an atomic region.

use crate::graph::{Goal, Refusal, What};
use crate::memory::Resolved;
use raddle_analysis::PointsTo;
use raddle_ir::{Op, Program, Span, SyncOp};

/// Whether a thread can wait at all, as far as can be seen from the functions that are called.
pub fn can_wait(program: &Program) -> bool {
    let points_to = PointsTo::new(program);
    let mut reachable = points_to.reachable();
    reachable.any(|f| {
        let mut instrs = program.function(f).blocks.iter().flat_map(|b| &b.instrs);
        instrs.any(|i| matches!(&i.op, Op::Sync { op, .. } if op.can_block()))
    })
}

/// Refuses what is waited for in a way that cannot be told.
pub fn refuse(resolved: &mut Resolved) {
    let raw = &mut resolved.raw;
    for template in &mut raw.templates {
        for edge in &mut template.edges {
            let Some(step) = &edge.step else { continue };
            let What::Instr(Op::Sync { op, .. }) = &step.what else {
                continue;
            };
            let what = match op {
                SyncOp::CondBlock | SyncOp::CondEnqueue => "a wait for a signal",
                SyncOp::RwReadLock | SyncOp::RwWriteLock => "a reader-writer lock",
                op if op.can_block() && template.atomic[edge.from as usize] => {
                    "waiting in an atomic region"
                }
                _ => continue,
            };
            let at: Span = raw.program.span_of(step.at);
            edge.step = None;
            edge.access = None;
            edge.goal = Goal::Refused(raw.refusals.len() as u32);
            raw.refusals.push(Refusal {
                what: format!("{what}, where deadlocks are asked for"),
                span: at,
            });
        }
    }
}
