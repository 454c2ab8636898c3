//! In which direction a step can change places with the steps of other threads (Lipton, CACM 1975).
//!
//! Taking a lock can be put off until behind whatever others do next, because they cannot take it, too; giving it back can be done
//! before whatever others did last, for the same reason. Likewise for semaphores. This is so as long as nobody can see the state of
//! the lock without waiting for it, which [`Facts`] knows.
//!
//! Waking up, by a signal or by oneself, can be put off: if somebody signals meanwhile, who wakes by himself may as well be the one that is
//! signalled, or another one is as before. (Not if the wait may time out: then it shows in the result.) So a thread that wakes, takes the lock,
//! finds that it has to wait on and sleeps again has done nothing at all. For the same reason a signal can be done early, where going to sleep and
//! signalling happen under one lock.

use super::facts::{Class, Facts, Seen, Thing, Use};
use raddle_interp::footprint::{Cell, Mode, Touch};
use raddle_interp::value::ObjectId;
use raddle_interp::{Machine, ThreadId};
use raddle_ir::{AtomicKind, Op, SyncOp};

/// Where a step can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mover {
    /// Anywhere.
    Both,
    /// Before steps of others.
    Left,
    /// Behind steps of others.
    Right,
    /// It has to stay.
    Stays,
}

/// What a thread is about to do, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Something of which its touches say everything.
    Plain,
    /// Takes a lock or a unit of a semaphore, waiting if need be.
    Take(Class),
    /// Gives it back.
    Give(Class),
    /// Looks at it without having it, or without waiting.
    Peek(Class),
    /// Goes to sleep: gives back a mutex, and more.
    Sleep,
    /// Wakes up.
    Wake,
    /// Wakes others.
    Signal,
    /// Looks whether anybody sleeps.
    Census,
    /// Ends, or waits for the end of another thread.
    Life,
    /// A region of the user's, which may be refused.
    Region,
}

/// What a thread is about to do.
pub(crate) fn deed(machine: &Machine<'_>, t: ThreadId) -> Deed {
    use SyncOp::*;
    let thread = machine.thread(t);
    let op = thread.location().and_then(|at| machine.program.instr(at));
    let op = match op.map(|i| &i.op) {
        Some(Op::Sync { op, .. }) => *op,
        Some(Op::AtomicBegin {
            kind: AtomicKind::Fused,
        }) => return Deed::Sleep,
        Some(Op::AtomicBegin { .. }) => return Deed::Region,
        Some(_) => return Deed::Plain,
        // The end of a block: a return, if anybody can see it, may be the end of the thread.
        None => return Deed::Life,
    };
    match op {
        MutexLock | SpinLock => Deed::Take(Class::Mutex),
        RwReadLock | RwWriteLock => Deed::Take(Class::ReadWrite),
        SemWait => Deed::Take(Class::Semaphore),
        MutexUnlock | SpinUnlock => Deed::Give(Class::Mutex),
        RwUnlock => Deed::Give(Class::ReadWrite),
        SemPost => Deed::Give(Class::Semaphore),
        MutexTryLock | MutexTimedLock | SpinTryLock => Deed::Peek(Class::Mutex),
        RwTryReadLock | RwTimedReadLock | RwTryWriteLock | RwTimedWriteLock => {
            Deed::Peek(Class::ReadWrite)
        }
        SemTryWait | SemTimedWait | SemGetValue => Deed::Peek(Class::Semaphore),
        ThreadJoin | ThreadHasEnded | ThreadExit => Deed::Life,
        CondBlock => Deed::Wake,
        CondSignal | CondBroadcast => Deed::Signal,
        CondDestroy => Deed::Census,
        _ => Deed::Plain,
    }
}

/// How a step uses what it touches.
fn usage(deed: Deed, t: ThreadId, touch: &Touch, first: bool) -> Use {
    match (deed, touch.cell) {
        (_, Cell::Sleep) | (Deed::Wake, Cell::Sleepers) => Use::Wake,
        (Deed::Census, Cell::Sleepers) => Use::Look(Class::Condition),
        (Deed::Life, Cell::Thread | Cell::Handle) => Use::Life,
        // A step goes on behind what is to be seen of it, up to the end of its thread.
        (_, Cell::Thread) if touch.owner == t => Use::Life,
        // It failed: then it depends on who has it.
        (Deed::Give(class), Cell::Memory) if first && touch.mode == Mode::Read => Use::Look(class),
        (Deed::Take(class) | Deed::Give(class), Cell::Memory) if first => Use::Lock(class),
        (Deed::Peek(class), Cell::Memory) if first => Use::Look(class),
        // In the modelled library only mutexes are given back in a region.
        (Deed::Sleep, Cell::Memory) => match (touch.word, touch.mode) {
            (Some(_), Mode::Write) => Use::Lock(Class::Mutex),
            (Some(_), _) => Use::Look(Class::Mutex),
            (None, _) => Use::Data,
        },
        _ => Use::Data,
    }
}

/// Semaphores with values from here on could overflow.
const FULL: u32 = 1 << 30;

/// How a semaphore is used. As a lock, it is 1 as long as nobody has it, and posted by who has: this can be seen where it is waited for and where
/// it is posted.
fn semaphore(deed: Deed, touch: &Touch, had: bool) -> Use {
    match (deed, touch.word) {
        (_, None | Some(FULL..)) => Use::Look(Class::Semaphore),
        (Deed::Take(_), Some(1)) => Use::Lock(Class::Semaphore),
        (Deed::Give(_), Some(0)) if had => Use::Lock(Class::Semaphore),
        _ => Use::Signal,
    }
}

/// Notes what a thread would touch that cannot.
pub(crate) fn want(
    facts: &mut Facts,
    machine: &Machine<'_>,
    seen: &Seen,
    deed: Deed,
    wanted: &[(Touch, ObjectId)],
) {
    for (i, (touch, object)) in wanted.iter().enumerate() {
        let usage = usage(deed, seen.thread, touch, i == 0);
        if usage != Use::Wake {
            facts.note(seen, Facts::thing(machine, touch, *object), touch, usage);
        }
    }
}

/// What is to be known of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    pub mover: Mover,
    /// It may be part of a data race.
    pub races: bool,
}

/// Notes what the last step touched, and says where it can go.
pub(crate) fn judge(
    facts: &mut Facts,
    machine: &Machine<'_>,
    seen: &Seen,
    deed: Deed,
) -> Judgement {
    let mut touches: Vec<(Thing, Touch, Use)> = Vec::with_capacity(4);
    for (touch, object) in machine.touched() {
        let mut usage = usage(deed, seen.thread, touch, touches.is_empty());
        let thing = Facts::thing(machine, touch, object);
        if usage == Use::Lock(Class::Semaphore) {
            usage = semaphore(deed, touch, seen.has_unit(object, touch.from));
        }
        touches.push((thing, *touch, usage));
    }
    for (thing, touch, usage) in touches.iter().filter(|t| t.2 != Use::Wake) {
        facts.note(seen, *thing, touch, *usage);
    }
    let mut mover = match deed {
        Deed::Take(_) | Deed::Wake => Mover::Right,
        Deed::Give(_) | Deed::Signal => Mover::Left,
        Deed::Sleep | Deed::Region | Deed::Peek(_) | Deed::Census => Mover::Stays,
        Deed::Plain | Deed::Life => Mover::Both,
    };
    let mut races = false;
    for (thing, touch, usage) in &touches {
        let good = match usage {
            Use::Wake if touch.cell == Cell::Sleep => true,
            Use::Wake | Use::Lock(_) | Use::Signal | Use::Look(_) => {
                facts.is_plain_lock(*thing, touch)
            }
            Use::Data | Use::Life => facts.moves(*thing, touch),
        };
        if !good {
            mover = Mover::Stays;
            let lock = !matches!(usage, Use::Data);
            races |= touch.cell == Cell::Memory && !(lock && facts.is_whole_lock(*thing, touch));
        }
    }
    Judgement { mover, races }
}
