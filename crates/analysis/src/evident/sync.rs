//! Synchronisation that is evidently used well.
//!
//! Zeros are an initialised mutex, rwlock, spin lock or condition variable; a semaphore has to be initialised by name ([`super::made`]).

use super::destroyed::Destroyed;
use super::made::Made;
use super::reached;
use super::taken::Taken;
use crate::accesses::{Bytes, Kind};
use crate::facts::Facts;
use crate::locks::Lock;
use crate::objects::{Object, ObjectId};
use raddle_ir::{FuncId, Location, Op, Operand, Role, SyncClass, SyncOp};
use std::collections::BTreeMap;

/// What is evident of the synchronisation of a program, place by place.
pub struct SyncUses {
    made: Made,
    /// How many joins and detachments may mean the threads of a creation.
    joins: BTreeMap<Location, u32>,
    destroyed: Destroyed,
    taken: Taken,
}

impl SyncUses {
    /// Looks at the program these facts are about.
    pub fn new(facts: &Facts) -> SyncUses {
        let mut joins: BTreeMap<Location, u32> = BTreeMap::new();
        let objects = facts.points_to.objects();
        for (at, op) in reached(facts) {
            let Op::Sync { op, args, .. } = op else {
                continue;
            };
            // After any of these, a thread cannot be joined any more.
            if !matches!(op, SyncOp::ThreadJoin | SyncOp::ThreadDetach) {
                continue;
            }
            let targets = facts.points_to.targets(at.function, args[0]);
            let made = |t: &crate::Target| match objects.get(t.object) {
                Object::Thread(new) => Some(new),
                _ => None,
            };
            let known: Option<Vec<Location>> = targets.iter().map(made).collect();
            match known.filter(|k| !k.is_empty()) {
                Some(threads) => threads
                    .into_iter()
                    .for_each(|new| *joins.entry(new).or_default() += 1),
                // It may be any thread.
                None => {
                    let all = objects.ids().filter_map(|o| match objects.get(o) {
                        Object::Thread(new) => Some(new),
                        _ => None,
                    });
                    all.for_each(|new| *joins.entry(new).or_default() += 1);
                }
            }
        }
        SyncUses {
            made: Made::new(facts),
            joins,
            destroyed: Destroyed::new(facts),
            taken: Taken::new(facts),
        }
    }

    /// Whether the operation at a place is evidently no misuse.
    pub fn is_fine(&self, facts: &Facts, at: Location) -> bool {
        let Some(Op::Sync { op, .. }) = facts.program().instr(at).map(|i| &i.op) else {
            return false;
        };
        match op.role() {
            Role::Join => self.joins_well(facts, at),
            Role::Sleep | Role::End => true,
            Role::Other => match op {
                SyncOp::ThreadDetach => self.detaches_well(facts, at),
                SyncOp::ThreadHasEnded => false,
                _ => true,
            },
            // To make an object is no misuse of it, unless a thread holds it.
            Role::Initialise => !op.makes_lock() || !self.taken.may_be(at),
            // Nobody sleeps while only one thread is there.
            Role::Destroy => {
                op.class() == SyncClass::Cond
                    && facts.parallel.is_alone(at)
                    && self.made.is_initialised(at)
                    && !self.is_destroyed(facts, at)
            }
            Role::Release if op.gives_lock_back() => {
                self.made.is_initialised(at) && is_held(facts, at) && !self.is_destroyed(facts, at)
            }
            // These look at no word that destruction changes.
            Role::Look | Role::Await => self.made.is_initialised(at),
            Role::Acquire(..) | Role::Release | Role::FallAsleep | Role::Wake => {
                self.made.is_initialised(at) && !self.is_destroyed(facts, at)
            }
        }
    }

    /// Whether what the operation at a place works on was certainly initialised, or need not be.
    pub fn is_initialised(&self, facts: &Facts, at: Location) -> bool {
        let op = facts.program().instr(at).map(|i| &i.op);
        matches!(op, Some(Op::Sync { .. })) && self.made.is_initialised(at)
    }

    /// Whether something that is no operation on it may write to what the operation at a place works on, and not zeros.
    pub fn may_be_copied(&self, facts: &Facts, at: Location) -> bool {
        facts.accesses.at(at).any(|a| {
            a.object == ObjectId::UNKNOWN || {
                let hits = |b: &&crate::Access| {
                    let same = b.object == a.object || b.object == ObjectId::UNKNOWN;
                    b.kind == Kind::Data && b.write && same && b.bytes.overlaps(a.bytes)
                };
                let mut writes = facts.accesses.iter().filter(hits);
                writes.any(|b| !stores_zero(facts, b.at))
            }
        })
    }

    /// Whether what an operation works on may have been destroyed before, or overwritten with what looks destroyed.
    fn is_destroyed(&self, facts: &Facts, at: Location) -> bool {
        let written = |a: &crate::Access| {
            let hits = |b: &crate::Access| {
                let same = b.object == a.object || b.object == ObjectId::UNKNOWN;
                b.kind == Kind::Data && b.write && same && b.bytes.overlaps(a.bytes)
            };
            facts
                .accesses
                .iter()
                .filter(|b| hits(b))
                .any(|b| !stores_zero(facts, b.at))
        };
        let unclear = |a: &crate::Access| a.object == ObjectId::UNKNOWN || written(a);
        self.destroyed.may_be(facts, at) || facts.accesses.at(at).any(unclear)
    }

    /// Whether a join is the only one of a thread that was certainly made.
    pub fn joins_well(&self, facts: &Facts, at: Location) -> bool {
        let Some(Op::Sync { args, .. }) = facts.program().instr(at).map(|i| &i.op) else {
            return false;
        };
        let targets = facts.points_to.targets(at.function, args[0]);
        if targets.is_empty() {
            return false;
        }
        let once = |target: &crate::Target| match facts.points_to.objects().get(target.object) {
            Object::Thread(new) => self.joins.get(&new) == Some(&1),
            _ => false,
        };
        if !targets.iter().all(once) {
            return false;
        }
        // In a loop, it has to join another one each time, and no inner loop may repeat it.
        loops_around(facts, at).is_some_and(|loops| match facts.parallel.joined_at(at) {
            Some(_) => loops == 0,
            None => loops == 1 && facts.parallel.joins_one_each(at),
        })
    }
}

impl SyncUses {
    /// Whether a detachment is of a thread that certainly was made, and whom nothing else joins or detaches.
    fn detaches_well(&self, facts: &Facts, at: Location) -> bool {
        let Some(Op::Sync { args, .. }) = facts.program().instr(at).map(|i| &i.op) else {
            return false;
        };
        let once = |target: &crate::Target| match facts.points_to.objects().get(target.object) {
            Object::Thread(new) => self.joins.get(&new) == Some(&1),
            _ => false,
        };
        let targets = facts.points_to.targets(at.function, args[0]);
        !targets.is_empty()
            && targets.iter().all(once)
            && facts.parallel.detaches_one(at)
            && loops_around(facts, at) == Some(0)
    }
}

/// Whether an instruction stores zeros.
fn stores_zero(facts: &Facts, at: Location) -> bool {
    let op = facts.program().instr(at).map(|i| &i.op);
    let zero = |v: &Operand| matches!(v, Operand::Const { bits: 0, .. });
    matches!(op, Some(Op::Store { value, .. }) if zero(value))
}

/// Whether an unlock is of a lock that is certainly held.
pub fn is_held(facts: &Facts, at: Location) -> bool {
    let mut accesses = facts.accesses.at(at);
    accesses.all(|a| match a.bytes {
        Bytes::Range { from, .. } => {
            let lock = Lock::At(a.object, from);
            facts.locks.held_at(at).iter().any(|h| h.lock == lock)
        }
        Bytes::Any => false,
    })
}

/// How many loops are around a place in functions that are called from one place each; `None` if that cannot be said.
fn loops_around(facts: &Facts, at: Location) -> Option<usize> {
    let mut here = at;
    let mut count = 0;
    loop {
        let nest = facts.calls.loops(here.function)?;
        if nest.irreducible.is_some() || facts.calls.is_recursive(here.function) {
            return None;
        }
        count += nest.around[here.block.0 as usize].len();
        let f: FuncId = here.function;
        match facts.calls.incoming(f) {
            [] => return Some(count),
            [only] if !only.thread => here = only.at,
            // A thread of its own that is made once.
            [only] if facts.calls.runs_once(only.at) => return Some(count),
            _ => return None,
        }
    }
}
