//! What a step touched, for whoever has to know which steps can change places.
//!
//! With [`crate::Config::footprints`] every step leaves a list of [`Touch`]es: bytes of shared memory, and the things that are
//! not memory but that others can notice all the same: who sleeps on a condition variable, whether a thread has ended,
//! which heap addresses are free. Two steps of different threads that can both come next and whose touches do not
//! [conflict](Touch::conflicts) lead to the same state in either order, up to the numbers of new objects and threads; and the second can
//! happen before the first. A guard counts as a read of what it looks at.
//!
//! Objects are named by their maker and a serial number among its objects, not by their number in the run, so that a step that is taken
//! in another order touches the same names.
//!
//! Because the visible operations of a step must not depend on what independent steps did before, operations stay
//! visible in this mode until every other thread has ended *and was joined*; otherwise they are invisible as soon as
//! no other thread lives. With [`crate::Config::visible_to_the_last`] they stay visible also then.
//!
//! Outside atomic regions, what a step touches follows from where its thread stands and from the thing it touches itself, not
//! from third things: releases of heap memory and the ends of threads are steps of their own in this mode, and looking
//! up a handle touches what it depends on whatever comes out. Otherwise a conflict could come and go with what the step has read.

use crate::machine::{Machine, ThreadId};
use crate::memory::Life;
use crate::thread::ThreadStatus;
use crate::value::{ObjectId, Value};
use raddle_ir::{AtomicKind, Op, Patience, Role, Share, SyncOp, Terminator};

/// What kind of thing was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// Bytes of an object.
    Memory,
    /// Who sleeps on the condition variable at an offset of an object.
    Sleepers,
    /// Whether a thread sleeps.
    Sleep,
    /// Whether a thread has ended.
    Thread,
    /// Whether a thread was joined or detached.
    Handle,
    /// Which handles of threads are free.
    Handles,
    /// Which heap addresses are free.
    Heap,
    /// Everything: never noted here, but for those who want a step to conflict with every other. Stands first.
    Everything,
}

/// How it was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Only looked at.
    Read,
    /// Changed.
    Write,
    /// Changed in a way that commutes with other changes of this kind: readers of a reader–writer lock come and go,
    /// sleepers come, heap objects and handles are freed.
    Commute,
}

/// Something a step touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Touch {
    /// What kind of thing.
    pub cell: Cell,
    /// How.
    pub mode: Mode,
    /// Atomically, or as an operation on a synchronisation object.
    pub atomic: bool,
    /// In an atomic block of the user's.
    pub in_block: bool,
    /// Never part of a data race.
    pub quiet: bool,
    /// The maker of the object, or the thread itself.
    pub owner: ThreadId,
    /// The serial number of the object among its maker's.
    pub serial: u32,
    /// The first byte.
    pub from: u32,
    /// Behind the last byte.
    pub to: u32,
    /// For a lock or semaphore: its state word before the step.
    pub word: Option<u32>,
}

impl Touch {
    /// Whether the order of two steps with these touches matters.
    #[inline]
    pub fn conflicts(&self, other: &Touch) -> bool {
        let harmless = self.mode == other.mode && self.mode != Mode::Write;
        !harmless && self.overlaps(other)
    }

    /// Whether both touch the same thing.
    #[inline]
    pub fn overlaps(&self, other: &Touch) -> bool {
        self.serial == other.serial
            && self.cell == other.cell
            && self.owner == other.owner
            && self.from < other.to
            && other.from < self.to
    }

    /// Whether two steps with these touches, if both can come next, are a data race.
    pub fn races(&self, other: &Touch) -> bool {
        self.cell == Cell::Memory
            && !(self.quiet || other.quiet)
            && self.overlaps(other)
            && (self.mode != Mode::Read || other.mode != Mode::Read)
            && !(self.atomic && other.atomic)
            && !(self.in_block && other.in_block)
    }

    /// A touch of something that belongs to a thread, or (with [`Cell::Heap`] and [`Cell::Handles`]) to nobody.
    pub fn of_thread(cell: Cell, t: ThreadId, mode: Mode) -> Touch {
        Touch {
            cell,
            mode,
            atomic: true,
            in_block: false,
            quiet: false,
            owner: t,
            serial: 0,
            from: 0,
            to: 1,
            word: None,
        }
    }
}

/// Whether a thread can take its next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    /// It takes no steps any more.
    Over,
    /// Yes.
    Now,
    /// Yes, and the step ends the process.
    Ends,
    /// It stands before an atomic region, which may be refused.
    Tries,
    /// Not in this state.
    Blocked,
}

impl Machine<'_> {
    /// What the last step touched (the attempt, if it was refused).
    pub fn footprint(&self) -> &[Touch] {
        &self.touches
    }

    /// The threads that the last step started.
    pub fn newly_started(&self) -> &[ThreadId] {
        &self.begun
    }

    /// Whether everything other threads ever did happened before whatever this thread does now.
    pub(crate) fn is_alone(&self, t: ThreadId) -> bool {
        let thread_counts = &self.state.thread_counts;
        let there = match self.config.visible_to_the_last {
            true => thread_counts.started,
            false => thread_counts.started - thread_counts.joined,
        };
        let thread = self.thread(t);
        let gone = thread.status == ThreadStatus::New
            || (thread.joined && !self.config.visible_to_the_last);
        there == u32::from(!gone)
    }

    /// Whether an operation of this thread can matter to another one.
    #[inline]
    pub(crate) fn has_company(&self, t: ThreadId) -> bool {
        self.state.live > 1 || (self.config.footprints && !self.is_alone(t))
    }

    pub(crate) fn touch(&mut self, touch: Touch) {
        if self.config.footprints {
            self.touches.push(touch);
        }
    }

    pub(crate) fn touch_object(
        &mut self,
        t: ThreadId,
        object: ObjectId,
        range: (u64, u64),
        cell: Cell,
        mode: Mode,
        atomic: bool,
    ) {
        let o = self.state.memory.object(object);
        let to = (range.0 + range.1.max(1)).min(u64::from(u32::MAX)) as u32;
        let touch = Touch {
            cell,
            mode,
            atomic,
            in_block: self.thread(t).regions.contains(&AtomicKind::Verifier),
            quiet: false,
            owner: o.owner,
            serial: o.serial,
            from: range.0.min(u64::from(u32::MAX - 1)) as u32,
            to,
            word: None,
        };
        self.touches.push(touch);
    }

    /// The same for what matters to others, but is no access.
    pub(crate) fn touch_quietly(&mut self, t: ThreadId, object: ObjectId, size: u64, mode: Mode) {
        self.touch_object(t, object, (0, size), Cell::Memory, mode, false);
        if let Some(last) = self.touches.last_mut() {
            last.quiet = true;
        }
    }

    /// The touch at a position, if there is one, was of this kind, and found this state word.
    pub(crate) fn refine_touch(&mut self, at: usize, mode: Mode, word: u32) {
        if let Some(touch) = self.touches.get_mut(at) {
            touch.mode = mode;
            touch.word = Some(word);
        }
    }

    /// Touches the set of sleepers of a condition variable.
    pub(crate) fn touch_sleepers(&mut self, t: ThreadId, place: (ObjectId, u64), mode: Mode) {
        if self.config.footprints {
            self.touch_object(t, place.0, (place.1, 1), Cell::Sleepers, mode, true);
        }
    }

    /// Whether a thread can take its next step.
    pub fn ready(&self, t: ThreadId) -> Ready {
        let thread = self.thread(t);
        if thread.status != ThreadStatus::Active {
            return Ready::Over;
        }
        let Some(frame) = thread.frames.last() else {
            return Ready::Over;
        };
        match self.pending_op(t) {
            Some(Op::Sync { op, args, .. }) => match op {
                SyncOp::Exit | SyncOp::Abort | SyncOp::Unmodelled => Ready::Ends,
                op if op.can_block() => {
                    let mut values = [Value::new(0); 2];
                    for (v, a) in values.iter_mut().zip(args) {
                        *v = self.peek(t, frame, *a);
                    }
                    match self.sync_enabled(t, *op, &values) {
                        true => Ready::Now,
                        false => Ready::Blocked,
                    }
                }
                _ => Ready::Now,
            },
            Some(Op::AtomicBegin { .. }) => match thread.refused_at == Some(self.state.steps) {
                true => Ready::Blocked,
                false => Ready::Tries,
            },
            Some(_) => Ready::Now,
            None => match self.leaves_for_good(t) {
                true => Ready::Ends,
                false => Ready::Now,
            },
        }
    }

    /// Whether a thread stands before a return from `main` behind which the process ends at once.
    fn leaves_for_good(&self, t: ThreadId) -> bool {
        let thread = self.thread(t);
        let [below, top] = &thread.frames[..] else {
            return false;
        };
        let block = &self.program.function(top.function).blocks[top.block.0 as usize];
        let then = self.program.instr(below.location()).map(|i| &i.op);
        t == ThreadId(0)
            && matches!(block.terminator, Terminator::Return(_))
            && matches!(
                then,
                Some(Op::Sync {
                    op: SyncOp::Exit,
                    ..
                })
            )
    }

    /// What a thread that is blocked at a synchronisation operation would touch.
    pub fn wanted(&self, t: ThreadId) -> Option<Vec<Touch>> {
        let frame = self.thread(t).frames.last()?;
        let Some(Op::Sync { op, args, .. }) = self.pending_op(t) else {
            return None;
        };
        let address = self.peek(t, frame, *args.first()?);
        if *op == SyncOp::ThreadJoin {
            return Some(self.looked_up(address.low(), Cell::Thread));
        }
        let mode = match op.role() {
            Role::Await => Mode::Read,
            Role::Acquire(Share::Shared, Patience::Forever) => Mode::Commute,
            Role::Acquire(Share::Exclusive, Patience::Forever) => Mode::Write,
            _ => return None,
        };
        let (object, offset) = self.state.memory.resolve(address, 4, false).ok()?;
        let o = self.state.memory.object(object);
        debug_assert_eq!(o.life, Life::Live);
        let touch = Touch {
            cell: Cell::Memory,
            mode,
            atomic: true,
            in_block: false,
            quiet: false,
            owner: o.owner,
            serial: o.serial,
            from: offset as u32,
            to: offset as u32 + 4,
            word: None,
        };
        Some(vec![touch])
    }
}
