//! No deadlock, because locks are taken in one order: for any number of threads, and loops of any length.
//!
//! Suppose that whoever waits waits for a lock or for the end of a thread; that locks are global, free at the start, and can be relied upon
//! ([`crate::locks`]); that nobody ends or joins while it may hold one; and that no lock is waited for by somebody who may hold it, or one that comes later in
//! some fixed order. Whoever waits for a lock then waits for somebody who lives and holds it. Following that from one thread to the next, either somebody
//! is met who does not wait, or there is a cycle. Whoever joins holds nothing, so nobody waits for it but by joining it: a cycle is one of locks alone, in
//! which the order would have to grow for ever, or one of joins alone, which [`joins_end`] rules out. So there is neither a cycle nor a state in which everybody waits (Coffman, Elphick and
//! Shoshani, "System deadlocks", 1971; what may be held is computed as in Engler and Ashcraft's RacerX, 2003, but for certain).
//!
//! What a function does to locks is computed once, relative to what is held when it is called: what it may take, and what it certainly gives back.
//!
//! *Misses:* locks that are taken again by whoever may hold them (recursive ones, and those that are tried in a loop); locks in arrays that are taken by
//! index, and in objects that are not global; orders that differ for a good reason; handles in arrays that are not global (an element that nobody wrote may be
//! anybody's, even one's own); condition variables, semaphores, barriers.

use crate::accesses::{Bytes, Kind};
use crate::facts::Facts;
use crate::families::FamilyId;
use crate::flow::{Graph, Problem, solve};
use crate::locks::Lock;
use crate::objects::Object;
use crate::points_to::PointsTo;
use raddle_ir::{FuncId, InitValue, Location, Op, SyncOp, layout};
use std::collections::{BTreeMap, BTreeSet};

/// What may be held.
type Held = BTreeSet<Lock>;

/// What happened to locks since a function was entered.
#[derive(Clone, Debug, Default, PartialEq)]
struct Change {
    /// May have been taken, and not given back.
    taken: Held,
    /// Were certainly given back.
    released: Held,
}

impl Change {
    /// What may be held, from what may have been held before.
    fn of(&self, before: &Held) -> Held {
        let kept = before.difference(&self.released);
        kept.chain(&self.taken).copied().collect()
    }
}

struct Changes<'a>(&'a Facts);

impl Changes<'_> {
    /// The lock an operation works on, if it can only be one.
    fn lock(&self, at: Location) -> Option<Lock> {
        let facts = self.0;
        let t = PointsTo::single(facts.points_to.accessed(facts.program(), at))?;
        Some(Lock::At(t.object, t.offset.known()?))
    }
}

fn takes(op: SyncOp) -> bool {
    op.takes_lock().is_some()
}

impl Problem for Changes<'_> {
    type State = Change;

    fn start(&self, _: FuncId) -> Change {
        Change::default()
    }

    fn merge(&self, into: &mut Change, with: &Change) -> bool {
        let before = (into.taken.len(), into.released.len());
        into.taken.extend(&with.taken);
        into.released.retain(|l| with.released.contains(l));
        before != (into.taken.len(), into.released.len())
    }

    fn step(&self, at: Location, op: &Op, state: &mut Change) {
        match op {
            Op::Sync { op, .. } if takes(*op) => state.taken.extend(self.lock(at)),
            Op::Sync { op, .. } if op.gives_lock_back() => {
                if let Some(lock) = self.lock(at) {
                    state.taken.remove(&lock);
                    state.released.insert(lock);
                }
            }
            Op::AtomicBegin { .. } => {
                state.taken.insert(Lock::AtomicBlock);
            }
            Op::AtomicEnd => {
                state.taken.remove(&Lock::AtomicBlock);
                state.released.insert(Lock::AtomicBlock);
            }
            _ => {}
        }
    }

    fn enter(&self, _: &Change) -> Change {
        Change::default()
    }

    fn after(&self, _: Location, _: FuncId, before: &Change, end: &Change) -> Change {
        Change {
            taken: end.of(&before.taken),
            released: before.released.union(&end.released).copied().collect(),
        }
    }
}

/// The order in which locks are taken, if there is one and nobody waits for anything but locks and ends of threads. Then there is no deadlock.
pub fn lock_order(facts: &Facts) -> Option<Vec<Lock>> {
    let program = facts.program();
    let graph = Graph {
        program,
        points_to: &facts.points_to,
        calls: &facts.calls,
    };
    let problem = Changes(facts);
    let solution = solve(graph, &problem);
    let mut places: Vec<(Location, &Op, Change)> = Vec::new();
    solution.visit(graph, &problem, &mut |at, state| {
        if let Some(instr) = program.instr(at)
            && matches!(
                instr.op,
                Op::Call { .. } | Op::Sync { .. } | Op::AtomicBegin { .. }
            )
        {
            places.push((at, &instr.op, state.clone()));
        }
    });
    let end = |f: &FuncId| solution.end(*f);
    let entries = facts.calls.thread_entries();
    if entries.iter().filter_map(end).any(|e| !e.taken.is_empty()) {
        return None;
    }
    let held = contexts(facts, &places);
    let mut after: BTreeMap<Lock, Held> = BTreeMap::new();
    for (at, op, change) in &places {
        let held = change.of(&held[at.function.0 as usize]);
        match op {
            Op::AtomicBegin { .. } if held.contains(&Lock::AtomicBlock) => return None,
            Op::Sync { op, .. } if takes(*op) => {
                let lock = problem.lock(*at).filter(|l| is_sound(facts, *l))?;
                after.entry(lock).or_default();
                // Taken twice, a recursive lock is still held after one release.
                if held.contains(&lock) || op.can_block() && held.contains(&Lock::AtomicBlock) {
                    return None;
                }
                for before in held.iter().filter(|_| op.can_block()) {
                    after.entry(*before).or_default().insert(lock);
                }
            }
            Op::Sync {
                op: SyncOp::ThreadJoin | SyncOp::ThreadExit,
                ..
            } if !held.is_empty() => return None,
            Op::Sync {
                op: SyncOp::ThreadJoin,
                ..
            } => {}
            Op::Sync { op, .. } if op.can_block() => return None,
            _ => {}
        }
    }
    if !joins_end(facts, &places) {
        return None;
    }
    sorted(after)
}

/// For every function, what may be held when it is called.
fn contexts(facts: &Facts, places: &[(Location, &Op, Change)]) -> Vec<Held> {
    let mut held = vec![Held::new(); facts.program().functions.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (at, op, change) in places {
            if !matches!(op, Op::Call { .. }) {
                continue;
            }
            let now = change.of(&held[at.function.0 as usize]);
            for callee in facts.points_to.callees(*at) {
                let there = &mut held[callee.0 as usize];
                let before = there.len();
                there.extend(&now);
                changed |= there.len() > before;
            }
        }
    }
    held
}

/// A lock that is free at the start, and that nothing but operations on locks ever changes.
fn is_sound(facts: &Facts, lock: Lock) -> bool {
    let Lock::At(object, offset) = lock else {
        return false;
    };
    let Object::Global(id) = facts.points_to.objects().get(object) else {
        return false;
    };
    let global = facts.program().global(id);
    let word = offset + layout::STATE..offset + layout::STATE + 4;
    let free = global.init.iter().all(|i| match &i.value {
        InitValue::Bytes(bytes) => {
            let at = |n: usize| i.offset + n as u64;
            let mut given = bytes.iter().enumerate();
            given.all(|(n, b)| *b == 0 || !word.contains(&at(n)))
        }
        InitValue::Address { .. } => !word.contains(&i.offset) && !word.contains(&(i.offset + 4)),
    });
    let mine = Bytes::Range {
        from: offset,
        to: offset + layout::mutex_size(facts.program().model),
    };
    let mut writes = facts.accesses.iter().filter(|a| a.write);
    let tampered =
        writes.any(|a| a.object == object && a.kind == Kind::Data && a.bytes.overlaps(mine));
    free && !tampered
        && !global.external
        && !global.thread_local
        && facts.locks.reliable().contains(&lock)
}

/// Whether no threads can join each other in a circle. What is joined has to be a thread that was made, so it is not the initial one; if nobody but that one
/// joins, there is no circle, otherwise it has to be known which threads join which.
fn joins_end(facts: &Facts, places: &[(Location, &Op, Change)]) -> bool {
    let families = facts.parallel.families();
    let joins = |(at, op, _): &(Location, &Op, Change)| {
        let join = matches!(
            op,
            Op::Sync {
                op: SyncOp::ThreadJoin,
                ..
            }
        );
        join.then_some(*at)
    };
    let joins: Vec<Location> = places.iter().filter_map(joins).collect();
    if !joins.iter().all(|at| facts.parallel.is_of_handle(*at)) {
        return false;
    }
    let initial = |at: &Location| {
        let mut all = families.running(at.function).iter();
        all.all(|f| families.get(*f).creation.is_none())
    };
    if joins.iter().all(initial) {
        return true;
    }
    let mut after: BTreeMap<FamilyId, BTreeSet<FamilyId>> = BTreeMap::new();
    for at in joins {
        let Some(joined) = facts.parallel.joined_at(at) else {
            return false;
        };
        after.entry(joined).or_default();
        for f in families.running(at.function) {
            after.entry(*f).or_default().insert(joined);
        }
    }
    sorted(after).is_some()
}

/// An order in which everything comes before what follows it; `None` if something follows itself.
fn sorted<T: Copy + Ord>(mut after: BTreeMap<T, BTreeSet<T>>) -> Option<Vec<T>> {
    let mut order = Vec::new();
    while !after.is_empty() {
        let later: BTreeSet<T> = after.values().flatten().copied().collect();
        let next = *after.keys().find(|l| !later.contains(l))?;
        after.remove(&next);
        order.push(next);
    }
    Some(order)
}
