//! Who can take a step, also where there are thousands of threads.
//!
//! With few threads each is looked at. With many, what was found out is kept: a thread that did nothing and for which nobody did anything stands
//! where it stood, and all threads that wait for the same lock can go on or not together. So a step costs a look at whoever took it, at the
//! locks it wrote, and a word for every 64 threads where a lock changes hands.
//!
//! Nothing of this belongs to the state. It is found out anew after a state was restored, and where somebody changes a
//! state from outside.

use crate::bits::Bits;
use crate::machine::{Machine, ThreadId};
use crate::thread::ThreadStatus;
use crate::value::{ObjectId, Value};
use raddle_ir::{Op, SyncOp};
use std::collections::HashMap;
use std::rc::Rc;

/// Up to so many threads each is looked at in every step.
pub(crate) const FEW: usize = 64;

/// How much is noted until somebody asks.
const MOST_NOTES: usize = 1 << 16;

/// The threads that can take a step now, in order.
#[derive(Clone, Debug)]
pub struct Enabled(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Few(Vec<ThreadId>),
    Many(Rc<Bits>),
}

impl Enabled {
    /// How many.
    pub fn len(&self) -> usize {
        match &self.0 {
            Inner::Few(all) => all.len(),
            Inner::Many(bits) => bits.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The k-th, from 0.
    pub fn get(&self, k: usize) -> Option<ThreadId> {
        match &self.0 {
            Inner::Few(all) => all.get(k).copied(),
            Inner::Many(bits) => bits.nth(k),
        }
    }

    /// The first.
    pub fn first(&self) -> Option<ThreadId> {
        self.from(ThreadId(0))
    }

    /// The first at or behind a thread.
    pub fn from(&self, t: ThreadId) -> Option<ThreadId> {
        match &self.0 {
            Inner::Few(all) => all.iter().copied().find(|o| *o >= t),
            Inner::Many(bits) => bits.from(t.0),
        }
    }

    /// Whether a thread is among them.
    pub fn contains(&self, t: ThreadId) -> bool {
        match &self.0 {
            Inner::Few(all) => all.contains(&t),
            Inner::Many(bits) => bits.has(t),
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = ThreadId> + '_ {
        let (few, many) = match &self.0 {
            Inner::Few(all) => (&all[..], None),
            Inner::Many(bits) => (&[][..], Some(bits)),
        };
        let many = many.into_iter().flat_map(|bits| bits.iter());
        few.iter().copied().chain(many)
    }

    fn into_list(self) -> Vec<ThreadId> {
        match self.0 {
            Inner::Few(all) => all,
            Inner::Many(_) => self.iter().collect(),
        }
    }
}

/// What many threads may wait for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Guard {
    op: SyncOp,
    /// The address, or the handle of a thread.
    address: u64,
    /// Where the address came from.
    provenance: ObjectId,
    /// What is there is compared with this.
    value: u32,
}

impl Guard {
    /// Whether it can change only with the object it points to.
    fn object(&self) -> Option<ObjectId> {
        let known = self.op != SyncOp::ThreadJoin && self.provenance.is_some();
        known.then_some(self.provenance)
    }

    fn args(&self) -> [Value; 2] {
        let address = Value::pointer(self.address, self.provenance);
        [address, Value::new(u128::from(self.value))]
    }
}

/// Threads that stand before the same guard.
#[derive(Clone, Debug)]
struct Group {
    guard: Guard,
    members: Members,
    /// What was found last: whether it is open, and the word behind it.
    seen: Option<(bool, Option<u32>)>,
}

#[derive(Clone, Debug)]
enum Members {
    Few(Vec<ThreadId>),
    Many(Bits),
}

impl Members {
    fn add(&mut self, t: ThreadId) {
        match self {
            Members::Few(all) if all.len() < 16 => all.push(t),
            Members::Few(all) => {
                let mut bits = Bits::default();
                for t in all.iter().chain([&t]) {
                    bits.set(*t, true);
                }
                *self = Members::Many(bits);
            }
            Members::Many(bits) => bits.set(t, true),
        }
    }

    fn remove(&mut self, t: ThreadId) {
        match self {
            Members::Few(all) => all.retain(|o| *o != t),
            Members::Many(bits) => bits.set(t, false),
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Members::Few(all) => all.is_empty(),
            Members::Many(bits) => bits.len() == 0,
        }
    }

    fn has(&self, t: ThreadId) -> bool {
        match self {
            Members::Few(all) => all.contains(&t),
            Members::Many(bits) => bits.has(t),
        }
    }
}

/// What is known of many threads.
#[derive(Debug, Default)]
pub(crate) struct Crowd {
    /// It describes the present state, but for what was noted since.
    valid: bool,
    spurious_wakeups: bool,
    enabled: Rc<Bits>,
    /// By thread: the group it is in.
    group_of: Vec<Option<u32>>,
    groups: Vec<Option<Group>>,
    unused: Vec<u32>,
    by_guard: HashMap<Guard, u32>,
    /// Groups that can change with an object.
    by_object: HashMap<ObjectId, Vec<u32>>,
    /// Groups that are looked at in every state.
    always: Vec<u32>,
    /// Threads that have tried in vain in this state.
    refused: Vec<ThreadId>,
    /// Threads that may stand elsewhere now.
    moved: Vec<ThreadId>,
    /// Objects that were written.
    written: Vec<ObjectId>,
    /// Threads that others may wait for since the last look.
    pub blamed: Vec<ThreadId>,
}

impl Crowd {
    /// Everything has to be found out anew.
    pub fn forget(&mut self) {
        self.valid = false;
    }

    /// This thread stands elsewhere, or can go on where it could not.
    pub fn moved(&mut self, t: ThreadId) {
        if self.valid {
            self.moved.push(t);
        }
    }

    /// These objects were written. If nobody asks for long, it is not worth keeping.
    pub fn written(&mut self, objects: &mut Vec<ObjectId>) {
        self.valid &= self.written.len() + self.moved.len() < MOST_NOTES;
        match self.valid {
            true => self.written.append(objects),
            false => objects.clear(),
        }
    }

    fn clear(&mut self) {
        *self = Crowd::default();
    }

    fn leave(&mut self, t: ThreadId) {
        let Some(number) = self.group_of[t.0 as usize].take() else {
            return;
        };
        let Some(group) = &mut self.groups[number as usize] else {
            return;
        };
        group.members.remove(t);
        if group.members.is_empty() {
            let guard = group.guard;
            self.groups[number as usize] = None;
            self.unused.push(number);
            self.by_guard.remove(&guard);
            match guard.object() {
                Some(object) => {
                    let there = self.by_object.get_mut(&object);
                    if let Some(all) = there {
                        all.retain(|n| *n != number);
                        if all.is_empty() {
                            self.by_object.remove(&object);
                        }
                    }
                }
                None => self.always.retain(|n| *n != number),
            }
        }
    }

    /// Puts a thread to those that stand before the same guard.
    fn enter(&mut self, t: ThreadId, guard: Guard) -> u32 {
        let number = match self.by_guard.get(&guard) {
            Some(number) => *number,
            None => {
                let fresh = Group {
                    guard,
                    members: Members::Few(Vec::new()),
                    seen: None,
                };
                let number = self.unused.pop().unwrap_or(self.groups.len() as u32);
                match self.groups.get_mut(number as usize) {
                    Some(place) => *place = Some(fresh),
                    None => self.groups.push(Some(fresh)),
                }
                self.by_guard.insert(guard, number);
                match guard.object() {
                    Some(object) => self.by_object.entry(object).or_default().push(number),
                    None => self.always.push(number),
                }
                number
            }
        };
        if let Some(group) = &mut self.groups[number as usize] {
            group.members.add(t);
        }
        self.group_of[t.0 as usize] = Some(number);
        number
    }
}

/// How a thread stands.
enum Standing {
    /// As long as it does nothing and nobody wakes it, it can go on or it cannot.
    Settled(bool),
    /// Before a guard.
    Before(Guard),
}

impl Machine<'_> {
    /// The threads that can take a step now.
    pub fn enabled(&self) -> Vec<ThreadId> {
        self.enabled_threads().into_list()
    }

    /// The same as a set.
    pub fn enabled_threads(&self) -> Enabled {
        if self.state.end.is_some() {
            return Enabled(Inner::Few(Vec::new()));
        }
        if self.state.threads.len() <= FEW {
            let can = |t: &ThreadId| self.pending(*t).is_some_and(|p| p.enabled);
            return Enabled(Inner::Few(self.threads().filter(can).collect()));
        }
        let mut crowd = self.crowd.borrow_mut();
        self.look_at_crowd(&mut crowd);
        Enabled(Inner::Many(crowd.enabled.clone()))
    }

    /// The threads that others may wait for since this was asked last.
    pub(crate) fn blamed(&self) -> Vec<ThreadId> {
        let mut crowd = self.crowd.borrow_mut();
        self.look_at_crowd(&mut crowd);
        std::mem::take(&mut crowd.blamed)
    }

    fn look_at_crowd(&self, crowd: &mut Crowd) {
        let count = self.state.threads.len();
        let spurious_wakeups = self.config.spurious_wakeups;
        let fits = crowd.group_of.len() <= count && crowd.spurious_wakeups == spurious_wakeups;
        let mut moved = std::mem::take(&mut crowd.moved);
        if !crowd.valid || !fits {
            crowd.clear();
            crowd.valid = true;
            crowd.spurious_wakeups = spurious_wakeups;
            moved.clear();
        }
        moved.extend((crowd.group_of.len() as u32..count as u32).map(ThreadId));
        crowd.group_of.resize(count, None);
        moved.append(&mut crowd.refused);
        let mut look_at: Vec<u32> = crowd.always.clone();
        for object in std::mem::take(&mut crowd.written) {
            look_at.extend(crowd.by_object.get(&object).into_iter().flatten());
        }
        for t in moved.iter().copied().filter(|t| (t.0 as usize) < count) {
            crowd.leave(t);
            let on = match self.standing(t) {
                Standing::Settled(on) => on,
                Standing::Before(guard) => {
                    let number = crowd.enter(t, guard);
                    let seen = crowd.groups[number as usize].as_ref().and_then(|g| g.seen);
                    match seen {
                        // Others stand there, and the lock is not its own.
                        Some((on, word)) if owner(&guard, word) != Some(t) => on,
                        _ => {
                            look_at.push(number);
                            false
                        }
                    }
                }
            };
            Rc::make_mut(&mut crowd.enabled).set(t, on);
            if self.thread(t).refused_at == Some(self.state.steps) {
                crowd.refused.push(t);
            }
        }
        for number in look_at {
            self.look_at_group(crowd, number);
        }
        crowd.refused.sort_unstable();
        crowd.refused.dedup();
        for t in &crowd.refused {
            Rc::make_mut(&mut crowd.enabled).set(*t, false);
        }
        moved.clear();
        crowd.moved = moved;
    }

    fn look_at_group(&self, crowd: &mut Crowd, number: u32) {
        let Some(group) = &mut crowd.groups[number as usize] else {
            return;
        };
        let guard = group.guard;
        // Nobody's number: for whoever holds a lock, its guard may be another one.
        let args = guard.args();
        let on = self.sync_enabled(ThreadId(u32::MAX - 1), guard.op, &args);
        let word = match guard.op {
            SyncOp::ThreadJoin => None,
            _ => self.word(args[0]),
        };
        let holder = owner(&guard, word).filter(|t| group.members.has(*t));
        if group.seen == Some((on, word)) && holder.is_none() {
            // Who came since then was not looked at.
            return;
        }
        group.seen = Some((on, word));
        let enabled = Rc::make_mut(&mut crowd.enabled);
        match &group.members {
            Members::Few(all) => all.iter().for_each(|t| enabled.set(*t, on)),
            Members::Many(bits) => enabled.set_all(bits, on),
        }
        if let Some(t) = holder {
            enabled.set(t, self.sync_enabled(t, guard.op, &args));
        }
        crowd.blamed.extend(owner(&guard, word));
    }

    fn standing(&self, t: ThreadId) -> Standing {
        let thread = self.thread(t);
        let Some(frame) = thread.frames.last() else {
            return Standing::Settled(false);
        };
        if thread.status != ThreadStatus::Active {
            return Standing::Settled(false);
        }
        let Some(Op::Sync { op, args, .. }) = self.pending_op(t) else {
            return Standing::Settled(true);
        };
        if !op.can_block() {
            return Standing::Settled(true);
        }
        let mut values = [Value::new(0); 2];
        for (v, a) in values.iter_mut().zip(args) {
            *v = self.peek(t, frame, *a);
        }
        match op {
            SyncOp::CondBlock => Standing::Settled(self.sync_enabled(t, *op, &values)),
            _ => Standing::Before(Guard {
                op: *op,
                address: values[0].low(),
                provenance: values[0].provenance,
                value: values[1].bits as u32,
            }),
        }
    }
}

/// The thread whose lock it is, by the word of the lock.
fn owner(guard: &Guard, word: Option<u32>) -> Option<ThreadId> {
    guard.op.class().owner(word?).map(ThreadId)
}
