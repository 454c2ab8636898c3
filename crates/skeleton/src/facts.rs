//! What passes over the program learn, and never unlearn.
//!
//! Every fact starts at its most optimistic value. A pass that finds one wrong corrects it and notes the change; when a pass ends
//! without a change, everything it took for granted was right, for exactly the unwinding it made.

use crate::names::{CellId, Path, ThreadNo};
use crate::protected::Locks;
use crate::values::{self, Set};
use raddle_symbolic::{ObjectId, Targets};
use std::collections::{BTreeSet, HashMap, HashSet};

/// In so many passes the values of a cell may grow.
const PATIENCE: u32 = 4;

/// The facts.
#[derive(Default)]
pub struct Facts {
    first: HashMap<ObjectId, ThreadNo>,
    shared: HashSet<ObjectId>,
    boundaries: HashMap<ObjectId, BTreeSet<u64>>,
    targets: HashMap<CellId, Targets>,
    contended: HashSet<(CellId, ThreadNo)>,
    dirty: HashSet<CellId>,
    made_anew: HashSet<CellId>,
    lock_words: HashSet<(ObjectId, u64)>,
    copies_locks: bool,
    refusing: HashSet<(ThreadNo, Path)>,
    /// What is written to a cell, and in how many passes more came to light.
    values: HashMap<CellId, (Set, u32)>,
    pass: u32,
    grown: HashMap<CellId, u32>,
    ended: HashSet<ObjectId>,
    pointed: HashSet<ObjectId>,
    sleepers: BTreeSet<ThreadNo>,
    threads: BTreeSet<ThreadNo>,
    allocated: BTreeSet<ObjectId>,
    references: BTreeSet<(ObjectId, u64)>,
    destroys: bool,
    /// The locks that all accesses of a cell hold, and those that all writes hold.
    locks: [HashMap<CellId, BTreeSet<CellId>>; 2],
    changed: bool,
}

impl Facts {
    /// Begins a pass.
    pub fn begin(&mut self) {
        self.pass += 1;
        self.changed = false;
    }

    /// Whether this pass has learned anything.
    pub fn changed(&self) -> bool {
        self.changed
    }

    /// Something that is kept elsewhere came to light.
    pub fn note(&mut self) {
        self.changed = true;
    }

    /// A thread touches an object; the answer is whether another does, too.
    pub fn touch(&mut self, object: ObjectId, thread: ThreadNo) -> bool {
        if *self.first.entry(object).or_insert(thread) != thread && self.shared.insert(object) {
            self.changed = true;
        }
        self.shared.contains(&object)
    }

    /// Whether several threads touch the object.
    pub fn is_shared(&self, object: ObjectId) -> bool {
        self.shared.contains(&object)
    }

    /// The pieces of a shared object that an access touches, as offsets and lengths.
    pub fn pieces(&mut self, object: ObjectId, offset: u64, length: u64) -> Vec<(u64, u64)> {
        let cuts = self.boundaries.entry(object).or_default();
        let new = [cuts.insert(offset), cuts.insert(offset + length)];
        if new[0] || new[1] {
            self.changed = true;
        }
        let within: Vec<u64> = cuts.range(offset..=offset + length).copied().collect();
        within.windows(2).map(|w| (w[0], w[1] - w[0])).collect()
    }

    /// What a cell may point to.
    pub fn targets(&self, cell: CellId) -> Targets {
        self.targets.get(&cell).cloned().unwrap_or(Targets::none())
    }

    /// A value that may point there is written to a cell.
    pub fn add_targets(&mut self, cell: CellId, more: &Targets) {
        if more.is_none() {
            return;
        }
        let known = self.targets.entry(cell).or_insert(Targets::none());
        let all = known.union(more);
        if *known != all {
            *known = all;
            self.changed = true;
        }
    }

    /// The constants that are written to a cell, if they are few.
    pub(crate) fn values(&self, cell: CellId) -> Set {
        match self.values.get(&cell) {
            Some((set, _)) => set.clone(),
            None => values::make(Vec::new()),
        }
    }

    /// These are written, too. A cell whose set goes on growing from pass to pass, like a counter's, is given up.
    pub(crate) fn add_values(&mut self, cell: CellId, more: &Set) {
        let known = self.values(cell);
        let all = values::union(&known, more);
        if all == known {
            return;
        }
        self.changed = true;
        let entry = self.values.entry(cell).or_insert((known, 0));
        if self.grown.insert(cell, self.pass) != Some(self.pass) {
            entry.1 += 1;
        }
        entry.0 = match entry.1 > PATIENCE {
            true => None,
            false => all,
        };
    }

    /// Whether a thread's reads of a cell may see writes that are not known to be ordered before or after them.
    pub fn is_contended(&self, cell: CellId, thread: ThreadNo) -> bool {
        self.contended.contains(&(cell, thread))
    }

    /// They may.
    pub fn contend(&mut self, cell: CellId, thread: ThreadNo) {
        if self.contended.insert((cell, thread)) {
            self.changed = true;
        }
    }

    /// Whether something else than locking and unlocking may write a lock's word while it is in use.
    pub fn is_dirty(&self, cell: CellId) -> bool {
        self.dirty.contains(&cell)
    }

    /// It may.
    pub fn spoil(&mut self, cell: CellId) {
        if self.dirty.insert(cell) {
            self.changed = true;
        }
    }

    /// Whether a lock may be initialised after it was taken.
    pub fn is_made_anew(&self, cell: CellId) -> bool {
        self.made_anew.contains(&cell)
    }

    /// It may.
    pub fn make_anew(&mut self, cell: CellId) {
        if self.made_anew.insert(cell) {
            self.changed = true;
        }
    }

    /// Whether the word of a lock may be written by something that is no operation on it, with what may say that it is held.
    pub fn copies_locks(&self) -> bool {
        self.copies_locks
    }

    /// A lock with its word there is given back.
    pub fn note_lock_word(&mut self, object: ObjectId, offset: u64) {
        if self.lock_words.insert((object, offset)) {
            self.changed = true;
        }
    }

    /// Something that is no operation on a lock writes there, and not zeros.
    pub fn note_overwritten(&mut self, object: ObjectId, offset: u64, length: u64) {
        if self.copies_locks || self.lock_words.is_empty() {
            return;
        }
        let hit = (offset.saturating_sub(3)..offset + length)
            .any(|from| self.lock_words.contains(&(object, from)));
        if hit {
            self.copies_locks = true;
            self.changed = true;
        }
    }

    /// Whether an atomic region may turn out not to be entered after it has written something.
    pub fn is_refusing(&self, thread: ThreadNo, region: Path) -> bool {
        self.refusing.contains(&(thread, region))
    }

    /// It may.
    pub fn refuse(&mut self, thread: ThreadNo, region: Path) {
        if self.refusing.insert((thread, region)) {
            self.changed = true;
        }
    }

    /// Whether the life of an object matters: it ends, and is accessed through pointers.
    pub fn is_mortal(&self, object: ObjectId) -> bool {
        self.ended.contains(&object) && self.pointed.contains(&object)
    }

    /// It ends somewhere.
    pub fn end(&mut self, object: ObjectId) {
        if self.ended.insert(object) && self.pointed.contains(&object) {
            self.changed = true;
        }
    }

    /// It is accessed through a pointer.
    pub fn point(&mut self, object: ObjectId) {
        if self.pointed.insert(object) && self.ended.contains(&object) {
            self.changed = true;
        }
    }

    /// The threads that ever sleep on a condition variable.
    pub fn sleepers(&self) -> Vec<ThreadNo> {
        self.sleepers.iter().copied().collect()
    }

    /// One more does.
    pub fn sleeps(&mut self, thread: ThreadNo) {
        if self.sleepers.insert(thread) {
            self.changed = true;
        }
    }

    /// The locks that every access of other threads to a cell holds; `None` if there are no such accesses.
    pub(crate) fn locks(&self, cell: CellId) -> Locks {
        self.locks[0].get(&cell).cloned()
    }

    /// The same for writes alone.
    pub(crate) fn write_locks(&self, cell: CellId) -> Locks {
        self.locks[1].get(&cell).cloned()
    }

    /// These are all that are left.
    pub(crate) fn set_locks(&mut self, cell: CellId, only_writes: bool, locks: BTreeSet<CellId>) {
        self.locks[usize::from(only_writes)].insert(cell, locks);
        self.changed = true;
    }

    /// The threads that are made anywhere, and the initial one.
    pub fn threads(&self) -> Vec<ThreadNo> {
        let initial = std::iter::once(ThreadNo(0));
        initial.chain(self.threads.iter().copied()).collect()
    }

    /// One more is.
    pub fn make_thread(&mut self, thread: ThreadNo) {
        if self.threads.insert(thread) {
            self.changed = true;
        }
    }

    /// The heap objects.
    pub fn allocated(&self) -> Vec<ObjectId> {
        self.allocated.iter().copied().collect()
    }

    /// One more is allocated.
    pub fn allocate(&mut self, object: ObjectId) {
        if self.allocated.insert(object) {
            self.changed = true;
        }
    }

    /// Where addresses of heap objects are written.
    pub fn references(&self) -> Vec<(ObjectId, u64)> {
        self.references.iter().copied().collect()
    }

    /// One is written there.
    pub fn refer(&mut self, object: ObjectId, offset: u64) {
        if self.references.insert((object, offset)) {
            self.changed = true;
        }
    }

    /// Whether any lock is ever destroyed.
    pub fn destroys(&self) -> bool {
        self.destroys
    }

    /// One is.
    pub fn destroy(&mut self) {
        if !self.destroys {
            self.destroys = true;
            self.changed = true;
        }
    }
}
