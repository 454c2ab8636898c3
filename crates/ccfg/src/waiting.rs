//! Where threads wait, for those who ask for deadlocks: what cannot be told is refused.
//!
//! A location at which a thread may wait begins with the operation it waits at, and the guard of that operation says whether it does. That
//! is not so for reader–writer locks, whose holders are not kept, and for whatever waits within an atomic region. Who sleeps on which condition variable is
//! part of the states of such a graph ([`crate::Ccfg::sleepers`]).

use crate::graph::{Goal, Refusal, What};
use crate::memory::Resolved;
use raddle_analysis::{Facts, Lock, Object, ObjectId, PointsTo, lock_order};
use raddle_ir::{Op, Program, Property, Span, SyncClass, SyncOp};

/// Whether something is asserted in a function that may be called, or may be behind what is not supported.
pub fn asserts(program: &Program, asked: Property) -> bool {
    occurs(program, |op| match op {
        Op::Assert { property, .. } => *property == asked,
        Op::Sync { op, .. } => *op == SyncOp::Unmodelled,
        _ => false,
    })
}

/// Whether a function that may be called has such an instruction.
fn occurs(program: &Program, is_one: impl Fn(&Op) -> bool) -> bool {
    let points_to = PointsTo::new(program);
    let mut reachable = points_to.reachable();
    reachable.any(|f| {
        let mut instrs = program.function(f).blocks.iter().flat_map(|b| &b.instrs);
        instrs.any(|i| is_one(&i.op))
    })
}

/// Why there is no deadlock, if that can be seen without any search: nobody can wait, or locks are taken in one order.
pub fn why_nobody_is_stuck(program: &Program) -> Option<String> {
    let unmodelled = |op: &Op| matches!(op, Op::Sync { op, .. } if op.leaves_the_graph());
    if occurs(program, unmodelled) {
        return None;
    }
    let waits = |op: &Op| matches!(op, Op::Sync { op, .. } if op.can_block());
    if !occurs(program, waits) {
        return Some("nobody can wait".into());
    }
    let facts = Facts::new(program);
    let plain = |object: ObjectId| match facts.points_to.objects().get(object) {
        Object::Global(g) => facts.program().global(g).name.clone(),
        _ => facts.points_to.objects().name(facts.program(), object),
    };
    let name = |l: &Lock| match l {
        Lock::AtomicBlock => "atomic blocks".to_string(),
        Lock::At(object, 0) => format!("`{}`", plain(*object)),
        Lock::At(object, n) => format!("`{}` + {n}", plain(*object)),
    };
    let names: Vec<String> = lock_order(&facts)?.iter().map(name).collect();
    Some(match &names[..] {
        [] => "only ends of threads are waited for".into(),
        [one] => format!("only {one} is waited for, by threads that hold nothing"),
        _ => format!("locks are taken in one order: {}", names.join(", ")),
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
                op if op.class() == SyncClass::Rw && op.can_block() => "a reader-writer lock",
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
