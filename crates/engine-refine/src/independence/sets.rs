//! The first layer: which actions commute by what they read and write.
//!
//! Two actions of different threads are independent if neither writes what the other reads or writes, and neither concerns the
//! control of the other's thread or of a thread the other concerns. This holds in every state, so it serves sleep sets and
//! persistent sets alike.

use crate::system::{ActionId, Status, System, VarId};
use raddle_ccfg::InstanceId;
use std::collections::BTreeSet;

/// What a set of actions touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Variables read.
    pub reads: BTreeSet<VarId>,
    /// Variables written.
    pub writes: BTreeSet<VarId>,
    /// Threads whose control is looked at or changed, their own excepted.
    pub threads: BTreeSet<InstanceId>,
}

impl Footprint {
    pub fn of(system: &System, id: ActionId) -> Footprint {
        let a = system.get(id);
        Footprint {
            reads: a.reads.iter().copied().collect(),
            writes: a.updates.iter().map(|u| u.0).collect(),
            // That a thread was made at some time is no matter of its later actions, and who makes it is who asks.
            threads: {
                let moves = a
                    .control
                    .iter()
                    .filter(|c| (c.1, c.2) != (Status::Absent, Status::Absent));
                moves.map(|c| c.0).collect()
            },
        }
    }

    /// Adds another one; whether it grew.
    pub fn extend(&mut self, other: &Footprint) -> bool {
        let size = |f: &Footprint| (f.reads.len(), f.writes.len(), f.threads.len());
        let before = size(self);
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.threads.extend(&other.threads);
        size(self) != before
    }

    pub fn meets(&self, other: &Footprint) -> bool {
        let hit = |a: &BTreeSet<VarId>, b: &BTreeSet<VarId>| match a.len() <= b.len() {
            true => a.iter().any(|v| b.contains(v)),
            false => b.iter().any(|v| a.contains(v)),
        };
        hit(&self.writes, &other.writes)
            || hit(&self.writes, &other.reads)
            || hit(&self.reads, &other.writes)
            || self.shares_threads(other)
    }

    /// Whether both concern the control of some thread.
    pub fn shares_threads(&self, other: &Footprint) -> bool {
        self.threads.iter().any(|t| other.threads.contains(t))
    }
}
