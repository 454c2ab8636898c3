//! Locks that do what locks should.
//!
//! A mutex is bytes in memory: a program can destroy it while others use it (then locking it fails and control goes
//! on), make it anew while it is held, overwrite it, or use it as a semaphore. Such a lock protects nothing. A lock
//! can be relied upon if
//!
//! - it lies at a known offset of an object that exists once;
//! - only operations of one kind (mutex, spin lock, reader–writer lock) work on it, always at this offset;
//! - everything else that writes its bytes, making and destroying included, runs in the initial thread while no other
//!   thread can be alive ([`crate::parallel`]); what that does to the lock is followed in the flow.
//!
//! An unlock by a thread that does not hold the lock releases it all the same, so [`super::Locks`] also asks that every
//! unlock comes where the lock is certainly held. A global that is never destroyed and statically initialised is the
//! common case.

use super::Lock;
use crate::accesses::{Access, Accesses, Bytes, Kind};
use crate::calls::CallGraph;
use crate::objects::ObjectId;
use crate::once::exists_once;
use crate::parallel::Parallel;
use crate::points_to::PointsTo;
use raddle_ir::{DataModel, Program, SyncOp, layout};
use std::collections::{BTreeMap, BTreeSet};

/// The kinds of locks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Mutex,
    Spin,
    ReaderWriter,
}

fn sort(op: SyncOp) -> Option<Sort> {
    let name = op.name();
    match name.split('_').next() {
        Some("mutex") => Some(Sort::Mutex),
        Some("spin") => Some(Sort::Spin),
        Some("rw") => Some(Sort::ReaderWriter),
        _ => None,
    }
}

/// The bytes that matter to a lock; those of a mutex, which has the most.
pub(super) fn bytes(model: DataModel, offset: u64) -> Bytes {
    Bytes::Range {
        from: offset,
        to: offset + layout::mutex_size(model),
    }
}

/// All locks that can be relied upon.
pub(super) fn locks(
    program: &Program,
    points_to: &PointsTo,
    calls: &CallGraph,
    accesses: &Accesses,
    parallel: &Parallel,
) -> BTreeSet<Lock> {
    let mut by_object: BTreeMap<ObjectId, Vec<&Access>> = BTreeMap::new();
    for a in accesses.iter().filter(|a| a.write) {
        by_object.entry(a.object).or_default().push(a);
    }
    let mut found = BTreeSet::new();
    for (object, all) in by_object {
        let taken: BTreeSet<(Sort, u64)> = all
            .iter()
            .filter_map(|a| match (a.kind, a.bytes) {
                (Kind::Sync(op), Bytes::Range { from, .. }) => Some((sort(op)?, from)),
                _ => None,
            })
            .collect();
        if taken.is_empty() || !exists_once(program, points_to, calls, object) {
            continue;
        }
        for (kind, offset) in taken {
            let mine = match kind {
                Sort::Mutex => bytes(program.model, offset),
                _ => Bytes::Range {
                    from: offset,
                    to: offset + layout::STATE + 4,
                },
            };
            let fits = |a: &&&Access| match (a.kind, a.bytes) {
                (Kind::Sync(op), Bytes::Range { from, .. })
                    if from == offset && sort(op) == Some(kind) =>
                {
                    !op.is_reset() || parallel.is_alone(a.at)
                }
                // The end of the object: a lock that is gone cannot be taken.
                (Kind::End, _) => true,
                (Kind::Sync(_), _) => false,
                (Kind::Data, _) => parallel.is_alone(a.at),
            };
            let near = all.iter().filter(|a| a.bytes.overlaps(mine));
            if near.clone().count() == near.filter(fits).count() {
                found.insert(Lock::At(object, offset));
            }
        }
    }
    found
}
