//! Places at which no other thread can disturb the one that stands there: whatever the others do meanwhile commutes with its next step.
//!
//! A thread at such a place is a persistent set of its own (Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems",
//! 1996): a search may let it go on and leave all other threads for later. An access is disturbed if another one, by a thread that may be there
//! at the same time ([`crate::parallel`]) and is not kept out by a lock ([`crate::locks`]), touches what it writes, or writes what it touches. Unlike
//! in data races it does not matter whether both are atomic.
//!
//! - *An unlock of a lock that is certainly held* is not disturbed by those who wait for the lock: they are blocked as long as it stands there.
//! - *`free`* is not disturbed by `malloc`: with the block back, all that could be handed out before still can. `malloc` is disturbed by `free`.
//! - *A join* is disturbed by whatever else looks at or makes handles.
//!
//! The end of the process disturbs nobody: an execution that ends before a step shows nothing that the longer one does not show.
//! That is so for leaks too (what nothing points to stays lost), but not where everything is to be freed at the end, which the user of
//! these facts has to know.
//!
//! What it misses: order by flags and condition variables; locks in objects of which there are several.

use crate::accesses::{Access, Bytes, Kind};
use crate::evident::{is_held, races, unclear};
use crate::facts::Facts;
use crate::objects::{Object, ObjectId};
use raddle_ir::{FuncId, Location, Memory, Op, Property, SyncOp, layout};
use std::collections::{BTreeMap, HashSet};

/// Objects with more kinds of accesses than this are not looked at.
const KINDS: usize = 600;

/// What cannot be disturbed. Places are those of the given program.
#[derive(Clone, Debug)]
pub struct Undisturbed {
    /// Where another thread may interfere.
    disturbed: HashSet<Location>,
    /// Unlocks of something that others do more to than locking and unlocking it.
    odd_unlocks: HashSet<Location>,
    /// Functions in which a variable ends that another thread may still access.
    left_behind: HashSet<FuncId>,
    /// Some thread looks without waiting whether another one has ended.
    pub ends_are_seen: bool,
    /// No data race is possible, for reasons that can be read off.
    pub race_free: bool,
    /// No lock is misused, for reasons that can be read off.
    pub locks_used_well: bool,
}

impl Undisturbed {
    /// Finds these places.
    pub fn new(facts: &Facts) -> Undisturbed {
        let mut found = Undisturbed {
            disturbed: HashSet::new(),
            odd_unlocks: HashSet::new(),
            left_behind: HashSet::new(),
            ends_are_seen: false,
            race_free: races::unclear(facts).is_empty(),
            locks_used_well: unclear(facts, Property::ValidSync)
                .is_some_and(|left| left.is_empty()),
        };
        found.memory(facts);
        found.others(facts);
        found
    }

    /// Whether nobody can interfere with the instruction at a place, or with the return there.
    pub fn holds_at(&self, at: Location) -> bool {
        !self.disturbed.contains(&at)
    }

    /// Whether others only lock and unlock what is unlocked at a place, apart from accesses that are not atomic.
    pub fn is_plain_unlock(&self, at: Location) -> bool {
        !self.odd_unlocks.contains(&at)
    }

    /// Whether nobody else can access a variable of a function when it ends.
    pub fn leaves_nothing(&self, f: FuncId) -> bool {
        !self.left_behind.contains(&f)
    }

    /// Accesses to memory.
    fn memory(&mut self, facts: &Facts) {
        let mut by_object: BTreeMap<ObjectId, Vec<&Access>> = BTreeMap::new();
        let ends = ends_from_within(facts);
        for a in facts.accesses.iter().chain(&ends) {
            if !facts.escape.is_private(a.object) && facts.parallel.is_reached(a.at) {
                by_object.entry(a.object).or_default().push(a);
            }
        }
        for (object, accesses) in by_object {
            if is_thread_local(facts, object) {
                // It ends with its thread, wherever that is.
                accesses.iter().for_each(|a| self.note(facts, a));
                continue;
            }
            let mut kinds: BTreeMap<_, Vec<&Access>> = BTreeMap::new();
            for a in accesses {
                let running = facts.parallel.families().running(a.at.function);
                let around = (facts.parallel.alive_at(a.at), facts.locks.held_at(a.at));
                let what = (part(a), a.write, a.atomic, a.bytes);
                kinds.entry((running, around, what)).or_default().push(a);
            }
            let too_many = kinds.len() > KINDS;
            let firsts: Vec<&Access> = kinds.values().map(|all| all[0]).collect();
            for alike in kinds.values() {
                let here = alike[0];
                let unlocks = part(here) == Part::Unlock;
                if too_many || firsts.iter().any(|b| disturbs(facts, here, b)) {
                    alike.iter().for_each(|a| self.note(facts, a));
                }
                if unlocks && (too_many || firsts.iter().any(|b| is_odd(facts, here, b))) {
                    let origins = alike.iter().map(|a| facts.clones.origin_of(a.at));
                    self.odd_unlocks.extend(origins);
                }
            }
        }
    }

    fn note(&mut self, facts: &Facts, a: &Access) {
        let at = facts.clones.origin_of(a.at);
        self.disturbed.insert(at);
        if a.kind == Kind::End {
            self.left_behind.insert(at.function);
        }
    }

    /// What touches no memory but matters to others.
    fn others(&mut self, facts: &Facts) {
        let all = facts.program().instructions();
        let reached = all.filter(|(at, _)| facts.parallel.is_reached(*at));
        let (mut frees, mut allocates, mut handles, mut joins) = (vec![], vec![], vec![], vec![]);
        for (at, op) in reached {
            match op {
                Op::Free {
                    memory: Memory::Heap,
                    ..
                } => frees.push(at),
                Op::Alloc {
                    memory: Memory::Heap,
                    ..
                } => allocates.push(at),
                Op::Sync { op, .. } => match op {
                    SyncOp::ThreadJoin => {
                        joins.push(at);
                        handles.push(at);
                    }
                    SyncOp::ThreadNew | SyncOp::ThreadStart | SyncOp::ThreadDetach => {
                        handles.push(at);
                    }
                    SyncOp::ThreadHasEnded => {
                        handles.push(at);
                        self.ends_are_seen = true;
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        let beside = |at: Location, b: &Location| facts.parallel.may_happen_in_parallel(at, *b);
        let waits = |at: &&Location| frees.iter().any(|b| beside(**at, b));
        let meets = |at: &&Location| handles.iter().any(|b| beside(**at, b));
        let disturbed = allocates.iter().filter(waits);
        let disturbed = disturbed.chain(joins.iter().filter(meets));
        self.disturbed
            .extend(disturbed.map(|at| facts.clones.origin_of(*at)));
    }
}

fn is_thread_local(facts: &Facts, object: ObjectId) -> bool {
    let what = facts.points_to.objects().get(object);
    matches!(what, Object::Global(g) if facts.program().global(g).thread_local)
}

/// The ends of variables whose function is left by the end of its thread, or by a jump, in a function that it calls.
fn ends_from_within(facts: &Facts) -> Vec<Access> {
    let leaves = |op: &Op| {
        matches!(
            op,
            Op::Sync {
                op: SyncOp::ThreadExit | SyncOp::LongJump,
                ..
            }
        )
    };
    let all = facts.program().instructions();
    let places: Vec<Location> = all.filter(|(_, op)| leaves(op)).map(|(at, _)| at).collect();
    let objects = facts.points_to.objects();
    let mut ends = Vec::new();
    for object in objects.ids().filter(|o| !facts.escape.is_private(*o)) {
        let function = match objects.get(object) {
            Object::Slot(f, _) => f,
            Object::Allocated(at) => at.function,
            _ => continue,
        };
        let inside = facts.calls.called_from([function]);
        let within = places.iter().filter(|at| inside.contains(&at.function));
        ends.extend(within.map(|at| Access {
            at: *at,
            object,
            bytes: Bytes::Any,
            read: false,
            write: true,
            atomic: false,
            kind: Kind::End,
        }));
    }
    ends
}

/// What an access is, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Plain,
    /// Waits for a lock.
    Acquire,
    Unlock,
    /// Makes or destroys a synchronisation object.
    Reset,
    OtherSync,
}

fn part(a: &Access) -> Part {
    match a.kind {
        Kind::Sync(op) if op.waits_for_lock().is_some() => Part::Acquire,
        Kind::Sync(op) if op.gives_lock_back() => Part::Unlock,
        Kind::Sync(op) if op.is_reset() => Part::Reset,
        Kind::Sync(_) => Part::OtherSync,
        Kind::Data | Kind::End => Part::Plain,
    }
}

/// The bytes that an access may write.
fn written(a: &Access) -> Option<Bytes> {
    match (a.write, part(a), a.bytes) {
        (false, ..) => None,
        // The rest of a mutex is only looked at.
        (true, Part::Acquire | Part::Unlock | Part::OtherSync, Bytes::Range { from, .. }) => {
            let from = from + layout::STATE;
            Some(Bytes::Range { from, to: from + 4 })
        }
        (true, _, bytes) => Some(bytes),
    }
}

fn conflict(a: &Access, b: &Access) -> bool {
    let hits = |x: &Access, y: &Access| written(x).is_some_and(|w| w.overlaps(y.bytes));
    hits(a, b) || hits(b, a)
}

/// Whether another thread may come with `b` while one stands before `a`.
fn may_meet(facts: &Facts, a: &Access, b: &Access) -> bool {
    facts.parallel.may_happen_in_parallel(a.at, b.at) && !facts.locks.exclude(a.at, b.at)
}

fn disturbs(facts: &Facts, a: &Access, b: &Access) -> bool {
    let blocked = || part(a) == Part::Unlock && part(b) == Part::Acquire && is_held(facts, a.at);
    conflict(a, b) && !blocked() && may_meet(facts, a, b)
}

/// Whether something else than locking, unlocking and accesses that are not atomic may be done to a lock that is unlocked.
fn is_odd(facts: &Facts, unlock: &Access, b: &Access) -> bool {
    let usual = match part(b) {
        Part::Acquire | Part::Unlock | Part::Reset => true,
        Part::Plain => !b.atomic,
        Part::OtherSync => false,
    };
    !usual && conflict(unlock, b) && may_meet(facts, unlock, b)
}
