//! Which actions commute, by what they read and write.
//!
//! Two actions of different threads are independent if neither writes what the other reads or writes, and neither concerns the
//! control of the other's thread or of a thread the other concerns. This holds in every state, so it serves sleep sets and
//! persistent sets alike.

use crate::system::{ActionId, System, VarId};
use raddle_ccfg::{InstanceId, LocId};
use std::collections::{BTreeSet, HashMap};

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
    fn of(system: &System, id: ActionId) -> Footprint {
        let a = system.get(id);
        Footprint {
            reads: a.reads.iter().copied().collect(),
            writes: a.updates.iter().map(|u| u.0).collect(),
            threads: a.control.iter().map(|c| c.0).collect(),
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
            || self.threads.iter().any(|t| other.threads.contains(t))
    }
}

/// Footprints of actions and of locations.
pub struct Independence {
    actions: Vec<Footprint>,
    here: HashMap<(InstanceId, LocId), Footprint>,
    commutes: HashMap<(ActionId, InstanceId, LocId), bool>,
}

impl Independence {
    /// Computes all footprints.
    pub fn new(system: &System) -> Independence {
        let actions: Vec<Footprint> = (0..system.actions.len() as u32)
            .map(|a| Footprint::of(system, ActionId(a)))
            .collect();
        let mut here: HashMap<(InstanceId, LocId), Footprint> = HashMap::new();
        for (i, a) in system.actions.iter().enumerate() {
            let f = here.entry((a.thread, a.from)).or_default();
            f.extend(&actions[i]);
        }
        Independence {
            actions,
            here,
            commutes: HashMap::new(),
        }
    }

    /// Whether an action commutes with everything a thread can do next where it is.
    pub fn commutes(
        &mut self,
        system: &System,
        id: ActionId,
        thread: InstanceId,
        at: LocId,
    ) -> bool {
        if let Some(known) = self.commutes.get(&(id, thread, at)) {
            return *known;
        }
        let mine = &self.actions[id.0 as usize];
        let me = system.get(id).thread;
        let answer = match self.here.get(&(thread, at)) {
            None => true,
            Some(f) => {
                !(mine.meets(f) || mine.threads.contains(&thread) || f.threads.contains(&me))
            }
        };
        self.commutes.insert((id, thread, at), answer);
        answer
    }

    /// What an action touches.
    pub fn footprint(&self, id: ActionId) -> &Footprint {
        &self.actions[id.0 as usize]
    }

    /// What a thread can do next where it is.
    pub fn here(&self, thread: InstanceId, at: LocId) -> Option<&Footprint> {
        self.here.get(&(thread, at))
    }
}
