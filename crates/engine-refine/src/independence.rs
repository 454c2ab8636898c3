//! Which actions commute, by what they read and write.
//!
//! Two actions of different threads are independent if neither writes what the other reads or writes, and neither concerns the
//! control of the other's thread or of a thread the other concerns. This holds in every state, so it serves sleep sets and
//! persistent sets alike.

use crate::system::{ActionId, Origin, Outcome, Status, System, VarId};
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
    /// A thread ends.
    pub ends: bool,
}

impl Footprint {
    fn of(system: &System, id: ActionId) -> Footprint {
        let a = system.get(id);
        Footprint {
            reads: a.reads.iter().copied().collect(),
            writes: a.updates.iter().map(|u| u.0).collect(),
            threads: a.control.iter().map(|c| c.0).collect(),
            ends: a.outcome == Outcome::Next(Status::Finished),
        }
    }

    /// Adds another one; whether it grew.
    fn extend(&mut self, other: &Footprint) -> bool {
        let size = |f: &Footprint| (f.reads.len(), f.writes.len(), f.threads.len(), f.ends);
        let before = size(self);
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.threads.extend(&other.threads);
        self.ends |= other.ends;
        size(self) != before
    }

    fn meets(&self, other: &Footprint) -> bool {
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

/// Footprints of actions, of locations, and of all that can still come behind a location.
pub struct Independence {
    actions: Vec<Footprint>,
    here: HashMap<(InstanceId, LocId), Footprint>,
    future: HashMap<(InstanceId, LocId), Footprint>,
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
        let mut future = here.clone();
        loop {
            let mut grew = false;
            for a in &system.actions {
                // Behind an action: what follows, and all that threads do which it starts.
                let mut behind = Footprint::default();
                if let Outcome::Next(Status::At(to)) = a.outcome
                    && let Some(f) = future.get(&(a.thread, to))
                {
                    behind.extend(f);
                }
                for (child, _, after) in &a.control {
                    if let Status::At(entry) = after {
                        behind.threads.insert(*child);
                        if let Some(f) = future.get(&(*child, *entry)) {
                            behind.extend(f);
                        }
                    }
                }
                grew |= future
                    .entry((a.thread, a.from))
                    .or_default()
                    .extend(&behind);
            }
            if !grew {
                break;
            }
        }
        Independence {
            actions,
            here,
            future,
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

    /// Whether something that a thread can still do, with all threads it may start, meets what another can do next.
    pub fn disturbs(&self, thread: InstanceId, at: LocId, other: InstanceId, next: LocId) -> bool {
        let (Some(future), Some(here)) = (
            self.future.get(&(thread, at)),
            self.here.get(&(other, next)),
        ) else {
            return false;
        };
        future.meets(here) || future.threads.contains(&other) || here.threads.contains(&thread)
    }

    /// Whether anything can still go wrong or be noticed behind a location; see the caller.
    pub fn future(&self, thread: InstanceId, at: LocId) -> Option<&Footprint> {
        self.future.get(&(thread, at))
    }
}

/// Whether a variable is a local.
pub fn is_local(system: &System, var: VarId) -> bool {
    matches!(
        system.variables[var.0 as usize].origin,
        Origin::Local(..) | Origin::Result(_)
    )
}
