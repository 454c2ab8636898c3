//! Objects without data races, for reasons that need no search: one thread only, never at the same time, always under one lock.
//!
//! Two accesses may race if they may touch the same bytes, one writes, they are not both atomic, two threads may stand before them at the same
//! time ([`crate::parallel`]), and no lock forbids that ([`crate::locks`]). Creations, joins and locks are all synchronisation in the sense of
//! C11, so what is evident here holds for weak memory orders too.
//!
//! An object that has ended is accessed as a whole and not atomically, whatever the access (that is how the interpreter judges it). So where
//! an object may end while there are threads, bytes and atomicity do not count.
//!
//! What it misses: order by flags, condition variables, semaphores and barriers; ownership that is handed over; locks in objects of which
//! there are several.

use super::places::{at_user, main_function};
use crate::accesses::{Access, Kind};
use crate::facts::Facts;
use crate::loops::successors;
use crate::objects::{Object, ObjectId};
use raddle_ir::{FuncId, Location, Memory, ObjectOrigin, Op, Subject, SyncOp};
use std::collections::{BTreeMap, BTreeSet};

/// Objects with more kinds of accesses than this are not looked at.
const KINDS: usize = 600;

/// What may have races.
pub fn unclear(facts: &Facts) -> BTreeSet<Subject> {
    let mut by_object: BTreeMap<ObjectId, Vec<&Access>> = BTreeMap::new();
    for a in facts.accesses.iter() {
        if !facts.escape.is_private(a.object) && facts.parallel.is_reached(a.at) {
            by_object.entry(a.object).or_default().push(a);
        }
    }
    let ends = Ends::new(facts);
    let mut unclear = BTreeSet::new();
    for (object, mut accesses) in by_object {
        accesses.retain(|a| !ends.is_last(a));
        if ends.may_leave_others(object) || may_race(facts, &ends, &accesses) {
            unclear.extend(subjects(facts, object));
        }
    }
    unclear
}

fn may_race(facts: &Facts, ends: &Ends<'_>, accesses: &[&Access]) -> bool {
    let whole = accesses
        .iter()
        .any(|a| a.kind == Kind::End && !ends.is_late(a.at));
    // One of all accesses that nothing here tells apart.
    let mut kinds = BTreeMap::new();
    for a in accesses {
        let running = facts.parallel.families().running(a.at.function);
        let around = (facts.parallel.alive_at(a.at), facts.locks.held_at(a.at));
        let bytes = (!whole).then_some((a.atomic, a.bytes));
        kinds.entry((running, around, a.write, bytes)).or_insert(*a);
    }
    if kinds.len() > KINDS {
        return true;
    }
    let kinds: Vec<&Access> = kinds.into_values().collect();
    let conflict = |a: &Access, b: &Access| {
        let harmless = a.atomic && b.atomic || !a.bytes.overlaps(b.bytes);
        (a.write || b.write)
            && (whole || !harmless)
            && facts.parallel.may_happen_in_parallel(a.at, b.at)
            && !facts.locks.exclude(a.at, b.at)
    };
    let mut pairs = kinds.iter().enumerate();
    pairs.any(|(i, a)| kinds[i..].iter().any(|b| conflict(a, b)))
}

/// The questions about an object.
fn subjects(facts: &Facts, object: ObjectId) -> BTreeSet<Subject> {
    let origin = match facts.points_to.objects().get(object) {
        Object::Global(g) => ObjectOrigin::Global(g),
        Object::Slot(f, slot) => ObjectOrigin::Slot {
            function: facts.clones.origin(f),
            name: facts.program().function(f).slots[slot.0 as usize]
                .name
                .clone(),
        },
        Object::Allocated(at) => {
            let of_place = |place| match place {
                Subject::Place(span) => Subject::Object(ObjectOrigin::Heap(span)),
                other => other,
            };
            return at_user(facts, at).into_iter().map(of_place).collect();
        }
        _ => return BTreeSet::from([Subject::Program]),
    };
    BTreeSet::from([Subject::Object(origin)])
}

/// When objects end.
struct Ends<'a> {
    facts: &'a Facts,
    main: FuncId,
    /// Functions that may make threads, directly or not.
    make_threads: BTreeSet<FuncId>,
    /// A thread may end in the middle of its functions, with all they have on the stack.
    exits: bool,
}

impl Ends<'_> {
    fn new(facts: &Facts) -> Ends<'_> {
        let has = |op: SyncOp| {
            let is_one = move |o: &Op| matches!(o, Op::Sync { op: it, .. } if *it == op);
            let here = super::reached(facts).filter(move |(_, o)| is_one(o));
            here.map(|(at, _)| at.function)
        };
        let makers: BTreeSet<FuncId> = has(SyncOp::ThreadNew).collect();
        let all = facts.points_to.reachable();
        let makes = |f: &FuncId| {
            let called = facts.calls.called_from([*f]);
            called.iter().any(|g| makers.contains(g))
        };
        let make_threads = match makers.is_empty() {
            true => BTreeSet::new(),
            false => all.filter(makes).collect(),
        };
        Ends {
            facts,
            main: main_function(facts),
            make_threads,
            exits: has(SyncOp::ThreadExit).next().is_some(),
        }
    }

    /// Whether a thread that ends in the middle may end an object that others know.
    fn may_leave_others(&self, object: ObjectId) -> bool {
        let program = self.facts.program();
        match self.facts.points_to.objects().get(object) {
            Object::Slot(..) => self.exits,
            Object::Allocated(at) => {
                let op = program.instr(at).map(|i| &i.op);
                let heap = matches!(op, Some(Op::Alloc { memory, .. }) if *memory == Memory::Heap);
                self.exits && !heap
            }
            // Its thread ends it.
            Object::Global(g) => program.global(g).thread_local,
            _ => true,
        }
    }

    /// Whether this is the return from `main`, with which the process ends.
    fn is_last(&self, a: &Access) -> bool {
        let function = self.facts.program().function(a.at.function);
        let block = function.block(a.at.block);
        a.kind == Kind::End
            && a.at.function == self.main
            && a.at.index as usize == block.instrs.len()
            && self.facts.calls.is_entered_once(self.main)
    }

    /// Whether nobody but the first thread is there when an object ends here, nor ever after.
    fn is_late(&self, at: Location) -> bool {
        let facts = self.facts;
        let mut here = at;
        if !facts.parallel.is_alone(at) {
            return false;
        }
        while here.function != self.main {
            match facts.calls.incoming(here.function) {
                [only] if !only.thread && !self.make_threads.contains(&here.function) => {
                    here = only.at;
                }
                _ => return false,
            }
        }
        !self.makes_threads_after(here)
    }

    /// Whether `main` may make a thread behind this place.
    fn makes_threads_after(&self, at: Location) -> bool {
        let function = self.facts.program().function(at.function);
        let mut seen = BTreeSet::new();
        let mut todo = successors(&function.block(at.block).terminator);
        while let Some(b) = todo.pop() {
            if seen.insert(b) {
                todo.extend(successors(&function.block(b).terminator));
            }
        }
        let behind =
            |l: Location| seen.contains(&l.block) || (l.block == at.block && l.index >= at.index);
        let mut edges = self.facts.calls.outgoing(at.function).iter();
        edges.any(|e| behind(e.at) && (e.thread || self.make_threads.contains(&e.callee)))
    }
}
