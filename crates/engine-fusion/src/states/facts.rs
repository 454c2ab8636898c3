//! Who uses what, and under which locks: what the reduction of [`super`] rests on, learned while searching.
//!
//! Everything a step can touch (`raddle_interp::footprint`) has one [`Fact`] per byte: which threads touch it and how, which locks each
//! of them holds whenever it does, and which other threads could be there at the time. Two threads are kept *apart* there if neither
//! writes, if a lock is held by both, or if one of them is never there when the other touches it: not made yet, and by whom else; or
//! joined by that one. Where all are kept apart, a touch can change places with every step of another thread. Where they are not, it cannot: the byte
//! is *contended*. All of this follows from what a thread has done itself, not from how others were doing meanwhile, so it can be seen in any
//! execution in which the thread has come to the same point.
//! Facts only ever get worse, and [`Facts::changed`] says when one did on which a decision may have rested.

use raddle_interp::footprint::{Cell, Mode, Touch};
use raddle_interp::memory::{Object, ObjectKind};
use raddle_interp::value::ObjectId;
use raddle_interp::{Machine, ThreadId};
use raddle_ir::Location;
use raddle_ir::layout::{OWNER, WRITER};
use std::collections::HashMap;
use std::ops::Range;

/// Threads beyond this number cannot be kept in a set.
pub(crate) const MOST_THREADS: usize = 64;
/// No lock has more bytes that matter.
const LOCK: u32 = 24;
/// Larger objects are not looked at byte by byte.
const MOST_BYTES: u32 = 1 << 16;

/// A thing, without its bytes. Variables on the stack go by the place where they come to life, whatever their serial number: a loop may make
/// them without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Thing {
    Numbered(Cell, ThreadId, u32),
    Made(Cell, ThreadId, Location),
}

/// A lock: the object it is in, exactly which one, and its offset there.
type Lock = (Thing, u32, u32);

/// What an object is called.
fn thing(cell: Cell, o: &Object) -> Thing {
    match o.made_at.filter(|_| o.kind == ObjectKind::Stack) {
        Some(at) => Thing::Made(cell, o.owner, at),
        None => Thing::Numbered(cell, o.owner, o.serial),
    }
}

/// What is done to a lock or semaphore, or to a thread by joining it: never an access to data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// It is read or written like any memory.
    Data,
    /// Taken, with a wait if need be, or given back by who has it.
    Lock(Class),
    /// The same for a semaphore, but not as one would use a lock: it is posted by somebody else, or could be had by two.
    Signal,
    /// The same, but its state can be seen without having it: a try, a wait that ends by itself.
    Look(Class),
    /// A thread ends, or is joined.
    Life,
    /// A thread wakes, or is woken: this is not noted.
    Wake,
}

/// Kinds of locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Mutex = 1,
    ReadWrite = 2,
    Semaphore = 4,
    /// Of condition variables only those are noted that somebody asks whether anybody sleeps there.
    Condition = 8,
}

const READ: u8 = 1;
const WRITE: u8 = 2;
const COMMUTE: u8 = 4;
const SPECIAL: u8 = 8;
const DATA: u8 = READ | WRITE | COMMUTE;

/// One thread's dealings with a byte.
#[derive(Clone, Debug)]
struct User {
    thread: ThreadId,
    modes: u8,
    /// Who could be there when it touched the byte.
    met: u64,
    /// The locks it held every time.
    locks: Vec<Lock>,
}

/// What is known of a byte.
#[derive(Clone, Debug, Default)]
struct Fact {
    users: Vec<User>,
    /// Kinds of locks that it belongs to.
    classes: u8,
    contended: bool,
    /// It belongs to a lock whose state is seen without having it.
    observed: bool,
    /// It belongs to a lock that is also used otherwise.
    broken: bool,
    /// It belongs to a semaphore that is not used as a lock: not first 1, or posted by others than who has waited for it.
    signal: bool,
}

/// What is known of everything.
#[derive(Default)]
pub(crate) struct Facts {
    things: HashMap<Thing, Vec<Fact>>,
    /// Threads that make threads.
    makers: u64,
    /// Something turned out worse than it had been taken for.
    pub changed: bool,
    /// Nothing may change places with anything.
    pub bare: bool,
    /// There was more than can be kept account of.
    pub too_much: bool,
}

/// A thread in a state, as far as it matters here.
pub(crate) struct Seen {
    pub thread: ThreadId,
    /// Other threads that are there or could come to be without this one.
    company: u64,
    /// Locks that nobody else can have.
    alone: Vec<Lock>,
    /// Locks that others can have only for reading.
    reading: Vec<Lock>,
    /// Semaphores that it has waited for and not posted since.
    units: Vec<(ObjectId, u64)>,
}

impl Seen {
    pub fn has_unit(&self, object: ObjectId, offset: u32) -> bool {
        self.units.contains(&(object, u64::from(offset)))
    }
}

fn bit(t: ThreadId) -> u64 {
    1u64 << (t.0 as usize % MOST_THREADS)
}

impl Facts {
    /// Nothing is known yet.
    pub fn new(bare: bool) -> Facts {
        Facts {
            bare,
            ..Facts::default()
        }
    }

    /// What kind of lock is at some place, if it is one that protects anything.
    fn class(&self, thing: Thing, at: u32) -> Option<Class> {
        let word = self.things.get(&thing)?.get(at as usize..at as usize + 4)?;
        let first = word.first()?.classes;
        let good = |f: &Fact| !f.broken && !f.signal && f.classes == first;
        let class = [Class::Mutex, Class::ReadWrite, Class::Semaphore]
            .into_iter()
            .find(|c| *c as u8 == first);
        class.filter(|_| word.iter().all(good))
    }

    /// A thread made another one.
    pub fn makes(&mut self, t: ThreadId) {
        let before = self.makers;
        self.makers |= bit(t);
        // Whether those that are not there yet can come without some thread was answered with the others in mind.
        self.changed |= before != self.makers;
    }

    /// Any thread may make others.
    pub fn all_make(&mut self) {
        self.makers = u64::MAX;
    }

    /// What matters of a thread in the present state.
    pub fn look(&mut self, machine: &Machine<'_>, t: ThreadId) -> Seen {
        let count = machine.threads().count();
        self.too_much |= count > MOST_THREADS;
        let mut company = match self.makers & !bit(t) {
            0 => 0,
            _ => u64::MAX.checked_shl(count as u32).unwrap_or(0),
        };
        let outlived = machine.thread(t).outlived;
        for other in machine.threads().filter(|o| *o != t) {
            company |= bit(other) & !outlived;
        }
        let mut seen = Seen {
            thread: t,
            company,
            alone: Vec::new(),
            reading: Vec::new(),
            units: machine.thread(t).units.clone(),
        };
        let locks = machine.thread(t).held.iter().map(|h| (h.object, h.offset));
        let units = machine.thread(t).units.iter().copied();
        for (object, offset) in locks.chain(units) {
            let o = machine.memory().object(object);
            let thing = thing(Cell::Memory, o);
            let at = offset.min(u64::from(u32::MAX)) as u32;
            let word = machine.look(object, offset, 4).map(|v| v.bits as u32);
            let (Some(class), Some(word)) = (self.class(thing, at), word) else {
                continue;
            };
            let me = t.0 + 1;
            let lock = (thing, o.serial, at);
            // The list of who holds what is not to be trusted if the lock was made anew meanwhile: the lock itself is.
            match class {
                Class::Mutex if word & OWNER == me => seen.alone.push(lock),
                Class::ReadWrite if word == WRITER | me => seen.alone.push(lock),
                Class::ReadWrite if word & WRITER == 0 => {
                    let held = |t: ThreadId| {
                        let all = machine.thread(t).held.iter();
                        all.filter(|h| (h.object, h.offset) == (object, offset))
                            .count()
                    };
                    let readers: usize = machine.threads().map(held).sum();
                    if readers <= word as usize {
                        seen.reading.push(lock);
                    }
                }
                Class::Semaphore if word == 0 => seen.alone.push(lock),
                _ => {}
            }
        }
        seen
    }

    /// What a touch is of. Locks on the stack have to be told apart also where variables are not: see [`Facts::is_named`].
    pub fn thing(machine: &Machine<'_>, touch: &Touch, object: ObjectId) -> Thing {
        // What a refused region made is no longer there.
        match machine.memory().knows(object) {
            true => thing(touch.cell, machine.memory().object(object)),
            false => Thing::Numbered(touch.cell, touch.owner, touch.serial),
        }
    }

    /// Whether the serial number of an object plays a part in what is known.
    pub fn is_named(&self, o: &Object) -> bool {
        let facts = self.things.get(&thing(Cell::Memory, o));
        facts.is_some_and(|all| all.iter().any(|f| f.classes != 0))
    }

    /// A thread touches something.
    pub fn note(&mut self, seen: &Seen, thing: Thing, touch: &Touch, usage: Use) {
        if touch.to.saturating_sub(touch.from) > MOST_BYTES || touch.to > 1 << 24 {
            self.too_much = true;
            return;
        }
        let facts = self.things.entry(thing).or_default();
        if facts.len() < touch.to as usize {
            facts.resize(touch.to as usize, Fact::default());
        }
        let mut broken = false;
        for fact in &mut facts[touch.from as usize..touch.to as usize] {
            let state = |f: &Fact| (f.contended, f.observed, f.broken || f.signal, f.classes);
            let before = state(fact);
            fact.note(seen, touch, usage);
            broken |= state(fact).2 && !before.2;
            // A new lock matters for what states are taken to be the same.
            self.changed |= before != state(fact);
        }
        if broken {
            self.unlock_all(thing, touch.from..touch.to);
        }
    }

    /// Locks in this part of an object protect nothing any more.
    fn unlock_all(&mut self, thing: Thing, part: Range<u32>) {
        for fact in self.things.values_mut().flatten() {
            for user in &mut fact.users {
                let apart = |l: &Lock| l.2 >= part.end || l.2 + LOCK <= part.start;
                user.locks.retain(|l| l.0 != thing || apart(l));
            }
            fact.compare();
        }
    }

    /// Whether a touch can change places with every step of other threads.
    pub fn moves(&self, thing: Thing, touch: &Touch) -> bool {
        self.all(thing, touch, |f| !f.contended && !f.broken)
    }

    /// Whether a lock or semaphore is only used as one, and by waiting for it.
    pub fn is_plain_lock(&self, thing: Thing, touch: &Touch) -> bool {
        self.all(thing, touch, |f| !f.observed && !f.broken)
    }

    /// Whether it is only used as one.
    pub fn is_whole_lock(&self, thing: Thing, touch: &Touch) -> bool {
        self.all(thing, touch, |f| !f.broken)
    }

    fn all(&self, thing: Thing, touch: &Touch, good: impl Fn(&Fact) -> bool) -> bool {
        let Some(facts) = self.things.get(&thing) else {
            return false;
        };
        let range = facts.get(touch.from as usize..touch.to as usize);
        range.is_some_and(|r| r.iter().all(good))
    }
}

impl Fact {
    fn note(&mut self, seen: &Seen, touch: &Touch, usage: Use) {
        let mode = match (usage, touch.mode) {
            (Use::Lock(_) | Use::Signal | Use::Look(_) | Use::Life | Use::Wake, _) => SPECIAL,
            (Use::Data, Mode::Read) => READ,
            (Use::Data, Mode::Write) => WRITE,
            (Use::Data, Mode::Commute) => COMMUTE,
        };
        let class = match usage {
            Use::Lock(class) | Use::Look(class) => class as u8,
            Use::Signal => Class::Semaphore as u8,
            Use::Data | Use::Life | Use::Wake => 0,
        };
        self.classes |= class;
        self.broken |= self.classes.count_ones() > 1;
        self.observed |= matches!(usage, Use::Look(_));
        self.signal |= matches!(usage, Use::Signal | Use::Look(Class::Semaphore));
        let shared = mode == READ || mode == SPECIAL;
        let holds = |l: &Lock| seen.alone.contains(l) || (shared && seen.reading.contains(l));
        let known = self.users.iter_mut().find(|u| u.thread == seen.thread);
        let worse = match known {
            Some(user) => {
                let before = (user.modes, user.met, user.locks.len());
                user.modes |= mode;
                user.met |= seen.company;
                user.locks.retain(holds);
                before != (user.modes, user.met, user.locks.len())
            }
            None => {
                let all = seen.alone.iter().chain(&seen.reading).copied();
                self.users.push(User {
                    thread: seen.thread,
                    modes: mode,
                    met: seen.company,
                    locks: all.filter(holds).collect(),
                });
                true
            }
        };
        if worse {
            let life = usage == Use::Life;
            self.contended |= life && self.is_awaited_by_two(touch.owner);
            self.compare();
        }
    }

    /// Whether more than one thread waits for the end of a thread.
    fn is_awaited_by_two(&self, whose: ThreadId) -> bool {
        let waits = |u: &&User| u.modes & SPECIAL != 0 && u.thread != whose;
        self.users.iter().filter(waits).count() > 1
    }

    /// Looks at every pair of threads.
    fn compare(&mut self) {
        for (i, a) in self.users.iter().enumerate() {
            for b in &self.users[i + 1..] {
                if a.met & bit(b.thread) == 0 || b.met & bit(a.thread) == 0 {
                    continue;
                }
                let mixed = |x: &User, y: &User| x.modes & SPECIAL != 0 && y.modes & DATA != 0;
                if mixed(a, b) || mixed(b, a) {
                    self.broken = true;
                    self.observed = true;
                    self.contended = true;
                }
                let together = (a.modes | b.modes) & DATA;
                let (mine, theirs) = (a.modes & DATA, b.modes & DATA);
                let harmless = mine == 0 || theirs == 0 || together == READ || together == COMMUTE;
                let guarded = a.locks.iter().any(|l| b.locks.contains(l));
                self.contended |= !harmless && !guarded;
            }
        }
    }
}
