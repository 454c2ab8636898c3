//! Synchronisation: guards and effects of every [`SyncOp`], as its documentation says.

use crate::choice::{ChoiceKind, Choices};
use crate::execute::{Exec, Place};
use crate::footprint::{Cell, Mode, Touch};
use crate::machine::{End, Flow, Machine, ThreadId};
use crate::memory::ByteState;
use crate::race::Clock;
use crate::thread::{Frame, Held, Sleep, StopReason, ThreadStatus};
use crate::value::Value;
use raddle_ir::errno::{EAGAIN, EBUSY, EDEADLK, EINVAL, EOVERFLOW, EPERM, ESRCH, ETIMEDOUT};
use raddle_ir::{LocalId, Op, Property, SyncOp, layout};
use std::rc::Rc;

/// What a lock operation would do to the word of a lock.
enum Attempt {
    /// Take it: the new word.
    Take(u32),
    /// It is not available now.
    Busy,
    /// It fails at once, with this code.
    Fail(u32),
}

impl Machine<'_> {
    pub(crate) fn word(&self, address: Value) -> Option<u32> {
        let (object, offset) = self.state.memory.resolve(address, 4, false).ok()?;
        let o = self.state.memory.object(object);
        Some(o.read(offset, 4, 0).bits as u32)
    }

    fn mutex_kind(&self, address: Value) -> u32 {
        let at = layout::mutex_kind(self.program.model);
        let kind = Value {
            bits: address.bits.wrapping_add(u128::from(at)),
            ..address
        };
        self.word(kind).unwrap_or(0) & 3
    }

    pub(crate) fn me(t: ThreadId) -> u32 {
        t.0 + 1
    }

    fn attempt(&self, t: ThreadId, op: SyncOp, address: Value) -> Attempt {
        use SyncOp::*;
        let Some(word) = self.word(address) else {
            return Attempt::Fail(EINVAL);
        };
        let me = Self::me(t);
        match op {
            MutexLock | MutexTryLock | MutexTimedLock => {
                let own = word & layout::OWNER == me;
                match (word, self.mutex_kind(address)) {
                    (layout::DESTROYED, _) => Attempt::Fail(EINVAL),
                    (0, _) => Attempt::Take(me),
                    (w, layout::RECURSIVE) if own => match w.checked_add(layout::ONE_MORE) {
                        Some(w) if w != layout::DESTROYED => Attempt::Take(w),
                        _ => Attempt::Fail(EAGAIN),
                    },
                    (_, layout::ERRORCHECK) if own && op != MutexTryLock => Attempt::Fail(EDEADLK),
                    _ => Attempt::Busy,
                }
            }
            SpinLock | SpinTryLock => match word {
                layout::DESTROYED => Attempt::Fail(EINVAL),
                0 => Attempt::Take(me),
                _ => Attempt::Busy,
            },
            RwReadLock | RwTryReadLock | RwTimedReadLock => match word {
                layout::DESTROYED => Attempt::Fail(EINVAL),
                w if w & layout::WRITER != 0 => Attempt::Busy,
                w => Attempt::Take(w + 1),
            },
            RwWriteLock | RwTryWriteLock | RwTimedWriteLock => match word {
                layout::DESTROYED => Attempt::Fail(EINVAL),
                0 => Attempt::Take(layout::WRITER | me),
                _ => Attempt::Busy,
            },
            SemWait | SemTryWait | SemTimedWait => match word {
                layout::DESTROYED => Attempt::Fail(EINVAL),
                0 => Attempt::Busy,
                n => Attempt::Take(n - 1),
            },
            _ => Attempt::Fail(EINVAL),
        }
    }

    /// Whether the guard of an operation holds.
    pub(crate) fn sync_enabled(&self, t: ThreadId, op: SyncOp, args: &[Value]) -> bool {
        use SyncOp::*;
        match op {
            MutexLock | SpinLock | RwReadLock | RwWriteLock => {
                !matches!(self.attempt(t, op, args[0]), Attempt::Busy)
            }
            // The misuse is reported even if the semaphore seems to be zero.
            SemWait => {
                !matches!(self.attempt(t, op, args[0]), Attempt::Busy)
                    || (self.config.checks.has(Property::ValidSync) && !self.is_made(args[0]))
            }
            ThreadJoin => match self.thread_of_handle(args[0].low()) {
                Some(other) => other == t || self.thread(other).status == ThreadStatus::Finished,
                None => true,
            },
            CondBlock => {
                let woken = self.thread(t).sleep.is_none_or(|s| s.woken);
                woken || self.config.spurious_wakeups || args[1].bits == 1
            }
            AwaitNe => self.word(args[0]).is_none_or(|w| w != args[1].bits as u32),
            AwaitEq => self.word(args[0]).is_none_or(|w| w == args[1].bits as u32),
            _ => true,
        }
    }

    pub(crate) fn sync(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        dst: Option<LocalId>,
        op: SyncOp,
        args: &[Value],
        choices: &mut dyn Choices,
    ) -> Exec<Flow> {
        if op.can_block() && !self.sync_enabled(t, op, args) {
            return Ok(Flow::Blocked);
        }
        let result = self.sync_effect(t, frame, op, args, choices)?;
        if let (Some(dst), Some(v)) = (dst, result) {
            frame.locals[dst.0 as usize] = v;
        }
        Ok(Flow::Next)
    }

    /// A thread has come to an operation that may block: it looks at the object from now on, whether or not it ever gets it. So
    /// whatever makes, destroys or overwrites the object meanwhile, with nothing that orders the two, races with it.
    pub(crate) fn notice_attempt(&mut self, t: ThreadId, frame: &Frame, op: &Op) -> Exec<()> {
        let Op::Sync { op, args, .. } = op else {
            return Ok(());
        };
        if !op.looks_while_blocked()
            || !self.config.checks.has(Property::NoDataRace)
            || self.state.threads.len() == 1
        {
            return Ok(());
        }
        let address = self.peek(t, frame, args[0]);
        let Ok((object, offset)) = self.state.memory.resolve(address, 4, false) else {
            return Ok(());
        };
        if !self.state.memory.object(object).shared {
            return Ok(());
        }
        let word = Place {
            object,
            offset,
            length: 4,
        };
        self.track_shared(t, frame, word, false, true)
    }

    fn code(code: u32) -> Option<Value> {
        Some(Value::new(u128::from(code)))
    }

    fn misuse(&mut self, t: ThreadId, frame: &Frame, message: String) -> Exec<()> {
        match self.config.checks.has(Property::ValidSync) {
            true => Err(self.violation(t, frame, Property::ValidSync, message)),
            false => Ok(()),
        }
    }

    /// The synchronisation object at an address, as the race detector sees it: an atomic access to its word, a write only if
    /// the operation changes it; of a mutex also a look at its kind.
    fn sync_place(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        address: Value,
        length: u64,
        write: bool,
    ) -> Exec<Place> {
        let place = self.place(t, frame, address, length, write)?;
        self.check_initialised(t, frame, place)?;
        let word = Place { length: 4, ..place };
        self.track(t, frame, word, write, true)?;
        if length > 4 {
            let kind = Place {
                offset: place.offset + layout::mutex_kind(self.program.model),
                ..word
            };
            self.track(t, frame, kind, false, true)?;
        }
        Ok(word)
    }

    /// Using memory that was never written as a synchronisation object is a misuse; then it is taken for a free one.
    fn check_initialised(&mut self, t: ThreadId, frame: &Frame, place: Place) -> Exec<()> {
        let object = self.state.memory.object(place.object);
        let never = |s: &ByteState| *s != ByteState::Written;
        let from = place.offset as usize;
        let uninit = object
            .states
            .as_ref()
            .is_some_and(|s| s[from..from + place.length as usize].iter().any(never));
        if uninit {
            let name = self.describe_place(place.object, place.offset);
            self.misuse(t, frame, format!("{name} is used before it is initialised"))?;
            let object = self.state.memory.object_mut(place.object);
            object.fix(place.offset, place.length, 0);
        }
        Ok(())
    }

    /// The word of a condition variable says nothing but that it was destroyed.
    fn check_condition(&mut self, t: ThreadId, frame: &Frame, place: Place) -> Exec<()> {
        let object = self.state.memory.object(place.object);
        if object.read(place.offset, 4, 0).bits as u32 == layout::DESTROYED {
            let name = self.describe_place(place.object, place.offset);
            self.misuse(t, frame, format!("{name} is used after it was destroyed"))?;
        }
        Ok(())
    }

    /// Whether a semaphore was initialised.
    fn is_made(&self, address: Value) -> bool {
        let mark = address
            .bits
            .wrapping_add(u128::from(layout::SEMAPHORE_MARK));
        let mark = Value {
            bits: mark,
            ..address
        };
        self.word(mark) == Some(layout::SEMAPHORE_MADE)
    }

    /// Using a semaphore that was never initialised is a misuse. Its mark is written together with its word, so looking at it is no access
    /// of its own.
    fn check_made(&mut self, t: ThreadId, frame: &Frame, address: Value) -> Exec<()> {
        if !self.config.checks.has(Property::ValidSync) {
            return Ok(());
        }
        let place = self.place(t, frame, address, layout::SEMAPHORE_SIZE, false)?;
        if !self.is_made(address) {
            let name = self.describe_place(place.object, place.offset);
            self.misuse(t, frame, format!("{name} is used before it is initialised"))?;
        }
        Ok(())
    }

    fn set_word(&mut self, place: Place, word: u32) {
        self.write(place, Value::new(u128::from(word)));
    }

    /// Initialisation and destruction: ordinary writes of the whole object, so they race with its use.
    fn reset(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        address: Value,
        length: u64,
        words: &[(u64, u32)],
    ) -> Exec<Place> {
        let place = self.place(t, frame, address, length, true)?;
        self.track(t, frame, place, true, false)?;
        if !words.is_empty() {
            for offset in place.offset..place.offset + length {
                let byte = Place {
                    offset,
                    length: 1,
                    ..place
                };
                self.write(byte, Value::new(0));
            }
        }
        for (offset, word) in words {
            let at = Place {
                offset: place.offset + offset,
                length: 4,
                ..place
            };
            self.set_word(at, *word);
        }
        Ok(place)
    }

    fn hold(&mut self, t: ThreadId, frame: &Frame, place: Place) {
        let held = Held {
            object: place.object,
            offset: place.offset,
            at: self.user_location(t, frame),
            step: self.state.steps,
        };
        self.thread_mut(t).held.push(held);
    }

    fn drop_hold(&mut self, t: ThreadId, place: Place) {
        let thread = self.thread_mut(t);
        let mine = |h: &Held| h.object == place.object && h.offset == place.offset;
        if let Some(at) = thread.held.iter().rposition(mine) {
            thread.held.remove(at);
        }
    }

    /// A lock was given back by a thread that does not hold it: its holder does not hold it any more.
    fn drop_anybodys_hold(&mut self, place: Place) {
        let holders: Vec<ThreadId> = self.threads().collect();
        for t in holders {
            let mine = |h: &Held| h.object == place.object && h.offset == place.offset;
            if self.thread(t).held.iter().any(mine) {
                self.drop_hold(t, place);
            }
        }
    }

    fn is_rw(op: SyncOp) -> bool {
        use SyncOp::*;
        matches!(
            op,
            RwReadLock
                | RwTryReadLock
                | RwTimedReadLock
                | RwWriteLock
                | RwTryWriteLock
                | RwTimedWriteLock
        )
    }

    /// Takes over what was released at a lock, by readers, too.
    fn take_over(&mut self, t: ThreadId, place: Place, readers: bool) {
        self.acquire(t, place);
        if readers {
            self.acquire_from(t, place, 1);
        }
    }

    /// Lock, try, timed lock; the same for semaphores.
    fn take(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        op: SyncOp,
        address: Value,
    ) -> Exec<Option<Value>> {
        use SyncOp::*;
        let length = match op {
            MutexLock | MutexTryLock | MutexTimedLock => layout::mutex_size(self.program.model),
            _ => 4,
        };
        let mark = self.touches.len();
        let takes = matches!(self.attempt(t, op, address), Attempt::Take(_));
        let reader = matches!(op, RwReadLock | RwTryReadLock | RwTimedReadLock);
        let semaphore = matches!(op, SemWait | SemTryWait | SemTimedWait);
        if semaphore {
            self.check_made(t, frame, address)?;
        }
        if takes {
            // Who gets a lock comes behind those who had it, with its first access already.
            let place = self.place(t, frame, address, length, true)?;
            self.take_over(t, Place { length: 4, ..place }, Self::is_rw(op) && !reader);
        }
        let place = self.sync_place(t, frame, address, length, takes)?;
        let before = self.word(address).unwrap_or(0);
        self.take_over(t, place, Self::is_rw(op) && !reader);
        let timed = matches!(
            op,
            MutexTimedLock | RwTimedReadLock | RwTimedWriteLock | SemTimedWait
        );
        let attempt = self.attempt(t, op, address);
        let mode = match attempt {
            Attempt::Take(_) if reader => Mode::Commute,
            Attempt::Take(_) => Mode::Write,
            _ => Mode::Read,
        };
        self.refine_touch(mark, mode, before);
        match attempt {
            Attempt::Take(word) => {
                self.set_word(place, word);
                self.release_to(t, place, usize::from(reader), true);
                if !semaphore {
                    self.hold(t, frame, place);
                }
                Ok(Self::code(0))
            }
            Attempt::Busy if timed => Ok(Self::code(ETIMEDOUT)),
            Attempt::Busy => Ok(Self::code(if semaphore { EAGAIN } else { EBUSY })),
            Attempt::Fail(code) => {
                if code == EINVAL {
                    let name = self.describe_place(place.object, place.offset);
                    self.misuse(t, frame, format!("{name} is used after it was destroyed"))?;
                }
                Ok(Self::code(code))
            }
        }
    }

    fn unlock(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        op: SyncOp,
        address: Value,
    ) -> Exec<Option<Value>> {
        let length = match op {
            SyncOp::MutexUnlock => layout::mutex_size(self.program.model),
            _ => 4,
        };
        let mark = self.touches.len();
        let word = self.word(address).unwrap_or(0);
        let me = Self::me(t);
        let there = self.state.memory.resolve(address, 4, true).ok();
        let mine = |h: &Held| Some((h.object, h.offset)) == there;
        let took = self.thread(t).held.iter().any(mine);
        let holds = match op {
            SyncOp::RwUnlock => took,
            _ => word != layout::DESTROYED && word & layout::OWNER == me,
        };
        // An error-checking or recursive mutex refuses a thread that does not hold it; any other lock is released.
        let refuses = op == SyncOp::MutexUnlock
            && matches!(
                self.mutex_kind(address),
                layout::ERRORCHECK | layout::RECURSIVE
            );
        let releases = holds || (!refuses && word != layout::DESTROYED);
        let place = self.sync_place(t, frame, address, length, releases)?;
        self.refine_touch(mark, Mode::Read, word);
        let name = |m: &Self| m.describe_place(place.object, place.offset);
        if op == SyncOp::RwUnlock {
            if !holds {
                let message = format!("unlock of {}, which this thread does not hold", name(self));
                self.misuse(t, frame, message)?;
                // Readers cannot be told apart; without one, the count of readers is broken.
                if word == 0 || word & layout::WRITER != 0 {
                    return Err(Flow::Stop(StopReason::Undefined));
                }
            }
            let (side, left) = match word & layout::WRITER != 0 {
                true => (0, 0),
                false => (1, word.saturating_sub(1)),
            };
            let mode = if side == 1 {
                Mode::Commute
            } else {
                Mode::Write
            };
            self.refine_touch(mark, mode, word);
            self.set_word(place, left);
            self.release_to(t, place, side, side == 1);
            self.drop_hold(t, place);
            return Ok(Self::code(0));
        }
        if !holds {
            if !refuses {
                let state = match word {
                    0 => "which is not locked".to_string(),
                    layout::DESTROYED => "which was destroyed".to_string(),
                    w => format!(
                        "which thread {} holds",
                        (w & layout::OWNER).saturating_sub(1)
                    ),
                };
                let message = format!("unlock of {}, {state}", name(self));
                self.misuse(t, frame, message)?;
            }
            self.acquire(t, place);
            if !releases {
                let destroyed = word == layout::DESTROYED;
                return Ok(Self::code(if destroyed { EINVAL } else { EPERM }));
            }
        }
        if holds && !took {
            // Its word names this thread, but came there as a copy of another one.
            let message = format!("unlock of {}, which was not locked", name(self));
            self.misuse(t, frame, message)?;
        }
        let left = match holds && word >= layout::ONE_MORE {
            true => word - layout::ONE_MORE,
            false => 0,
        };
        self.refine_touch(mark, Mode::Write, word);
        self.set_word(place, left);
        self.release(t, place);
        match holds {
            true => self.drop_hold(t, place),
            false => self.drop_anybodys_hold(place),
        }
        Ok(Self::code(0))
    }

    /// Initialising a lock that a thread holds is a misuse. What its memory held before does not matter: it may have been anything else.
    fn check_free(&mut self, t: ThreadId, frame: &Frame, place: Place, word: u32) -> Exec<()> {
        let same = |h: &Held| h.object == place.object && h.offset == place.offset;
        let holder = self
            .threads()
            .find(|o| self.thread(*o).held.iter().any(same));
        if let Some(holder) = holder.filter(|_| word != 0 && word != layout::DESTROYED) {
            let name = self.describe_place(place.object, place.offset);
            let message = format!("{name} is initialised while thread {} holds it", holder.0);
            self.misuse(t, frame, message)?;
        }
        Ok(())
    }

    fn destroy(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        address: Value,
        lock: bool,
    ) -> Exec<Option<Value>> {
        let place = self.reset(t, frame, address, 4, &[])?;
        self.check_initialised(t, frame, place)?;
        let word = self.word(address).unwrap_or(0);
        if (lock && word != 0) || word == layout::DESTROYED {
            let name = self.describe_place(place.object, place.offset);
            let message = match word {
                layout::DESTROYED => format!("{name} is destroyed a second time"),
                _ => format!("{name} is destroyed while it is held"),
            };
            self.misuse(t, frame, message)?;
            return Ok(Self::code(EBUSY));
        }
        self.set_word(place, layout::DESTROYED);
        Ok(Self::code(0))
    }

    fn sync_effect(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        op: SyncOp,
        args: &[Value],
        choices: &mut dyn Choices,
    ) -> Exec<Option<Value>> {
        use SyncOp::*;
        match op {
            ThreadNew => self.thread_new(t, frame, args, choices),
            ThreadStart => {
                let handle = args[0].low();
                let new = |o: &ThreadId| self.thread(*o).status == ThreadStatus::New;
                let newest = self.threads_of_handle(handle).filter(new).last();
                if let Some(other) = newest {
                    let clock = self.thread(t).clock.clone();
                    self.thread_mut(other).clock = clock;
                    Rc::make_mut(&mut self.thread_mut(t).clock).tick(t);
                    self.start_thread(other);
                }
                Ok(None)
            }
            ThreadJoin => self.join(t, frame, args[0].low()),
            ThreadJoinCode => Ok(Self::code(self.thread(t).join_code)),
            ThreadHasEnded => {
                let over = match self.look_up(args[0].low(), Cell::Thread) {
                    Some(o) if o != t => {
                        let finished = self.thread(o).status == ThreadStatus::Finished;
                        // A running thread is asked about too, with one answer: where the end of a thread is not a step of its
                        // own, the same schedule may find it finished.
                        let options = 1 + u32::from(finished);
                        self.decide_one_of(t, frame, ChoiceKind::SeesEnd, options, choices) == 1
                    }
                    _ => true,
                };
                Ok(Self::code(u32::from(over)))
            }
            ThreadDetach => match self.look_up(args[0].low(), Cell::Handle) {
                Some(other) => {
                    self.touch(Touch::of_thread(Cell::Handle, other, Mode::Write));
                    self.thread_mut(other).detached = true;
                    let finished = self.thread(other).status == ThreadStatus::Finished;
                    self.state.census.detached(finished);
                    self.retire(t, other);
                    Ok(Self::code(0))
                }
                None => {
                    let message = "detach of a thread that is detached, joined or never was";
                    self.misuse(t, frame, message.into())?;
                    self.see_retirement(t, args[0].low());
                    self.look_up(args[0].low(), Cell::Thread);
                    Ok(Self::code(self.why_not_joinable(args[0].low())))
                }
            },
            ThreadSelf => Ok(Some(Value::new(u128::from(self.thread(t).handle)))),
            ThreadExit => {
                let ending = self.objects_of(t, frame);
                self.objects_end(t, frame, &ending)?;
                Err(Flow::FinishThread(args[0]))
            }
            Yield => Ok(None),
            Exit => Err(Flow::End(End::Exit(args[0].bits as u32 as i32))),
            Abort => Err(Flow::End(End::Abort)),
            SetJump => {
                let at = frame.location();
                let dst = self.program.instr(at).and_then(|i| match i.op {
                    Op::Sync { dst, .. } => dst,
                    _ => None,
                });
                self.set_jump(t, frame, dst, args[0])?;
                Ok(Self::code(0))
            }
            LongJump => self.long_jump(t, frame, args[0], args[1]),
            Unmodelled => {
                let instr = self.program.instr(frame.location());
                let what = instr.map_or("", |i| self.program.text(i.text));
                Err(Flow::End(End::Limit(format!("unsupported: {what}"))))
            }

            MutexInit => {
                let kind = layout::mutex_kind(self.program.model);
                let size = layout::mutex_size(self.program.model);
                let words = [(0, 0), (kind, args[1].bits as u32)];
                let before = self.word(args[0]).unwrap_or(0);
                let place = self.reset(t, frame, args[0], size, &words)?;
                self.check_free(t, frame, place, before)?;
                Ok(None)
            }
            SpinInit | RwInit => {
                let before = self.word(args[0]).unwrap_or(0);
                let place = self.reset(t, frame, args[0], 4, &[(0, 0)])?;
                self.check_free(t, frame, place, before)?;
                Ok(None)
            }
            SemInit => {
                let whole = self.place(t, frame, args[0], layout::SEMAPHORE_SIZE, true)?;
                self.reset(t, frame, args[0], 4, &[(0, args[1].bits as u32)])?;
                let mark = Place {
                    offset: whole.offset + layout::SEMAPHORE_MARK,
                    length: 4,
                    ..whole
                };
                self.set_word(mark, layout::SEMAPHORE_MADE);
                Ok(None)
            }
            CondInit => {
                self.reset(t, frame, args[0], 4, &[(0, 0)])?;
                Ok(None)
            }
            MutexDestroy | SpinDestroy | RwDestroy => self.destroy(t, frame, args[0], true),
            SemDestroy => {
                self.check_made(t, frame, args[0])?;
                self.destroy(t, frame, args[0], false)
            }
            CondDestroy => {
                let place = self.reset(t, frame, args[0], 4, &[])?;
                self.check_initialised(t, frame, place)?;
                self.check_condition(t, frame, place)?;
                self.touch_sleepers(t, (place.object, place.offset), Mode::Read);
                if !self.sleepers(place).is_empty() {
                    let name = self.describe_place(place.object, place.offset);
                    let message = format!("{name} is destroyed while threads sleep on it");
                    self.misuse(t, frame, message)?;
                }
                self.set_word(place, layout::DESTROYED);
                Ok(Self::code(0))
            }

            MutexLock | MutexTryLock | MutexTimedLock | SpinLock | SpinTryLock | RwReadLock
            | RwTryReadLock | RwTimedReadLock | RwWriteLock | RwTryWriteLock | RwTimedWriteLock
            | SemWait | SemTryWait | SemTimedWait => self.take(t, frame, op, args[0]),
            MutexUnlock | SpinUnlock | RwUnlock => self.unlock(t, frame, op, args[0]),

            CondEnqueue => {
                let place = self.sync_place(t, frame, args[0], 4, false)?;
                self.check_condition(t, frame, place)?;
                self.touch_sleepers(t, (place.object, place.offset), Mode::Commute);
                self.thread_mut(t).sleep = Some(Sleep {
                    object: place.object,
                    offset: place.offset,
                    woken: false,
                });
                Ok(None)
            }
            CondBlock => {
                let sleep = self.thread_mut(t).sleep.take();
                let woken = sleep.is_none_or(|s| s.woken);
                self.touch(Touch::of_thread(Cell::Sleep, t, Mode::Write));
                if let Some(s) = sleep.filter(|s| !s.woken) {
                    self.touch_sleepers(t, (s.object, s.offset), Mode::Commute);
                }
                if woken {
                    return Ok(Self::code(0));
                }
                let timed = args[1].bits == 1;
                let timeout = match (timed, self.config.spurious_wakeups) {
                    (true, true) => self.decide(t, frame, ChoiceKind::TimedWait, 2, choices) == 1,
                    (timed, _) => timed,
                };
                Ok(Self::code(if timeout { ETIMEDOUT } else { 0 }))
            }
            CondSignal | CondBroadcast => {
                let place = self.sync_place(t, frame, args[0], 4, false)?;
                self.check_condition(t, frame, place)?;
                self.wake(t, frame, place, op == CondBroadcast, choices);
                Ok(None)
            }

            SemPost => {
                self.check_made(t, frame, args[0])?;
                let mark = self.touches.len();
                let word = self.word(args[0]).unwrap_or(0);
                let full = word == layout::SEMAPHORE_MAX;
                let posts = word != layout::DESTROYED && !full;
                let place = self.sync_place(t, frame, args[0], 4, posts)?;
                self.acquire(t, place);
                let mode = if full { Mode::Read } else { Mode::Write };
                self.refine_touch(mark, mode, word);
                if word == layout::DESTROYED {
                    let name = self.describe_place(place.object, place.offset);
                    self.misuse(t, frame, format!("{name} is used after it was destroyed"))?;
                    return Ok(Self::code(EINVAL));
                }
                if full {
                    return Ok(Self::code(EOVERFLOW));
                }
                self.set_word(place, word.wrapping_add(1));
                self.release_to(t, place, 0, true);
                Ok(Self::code(0))
            }
            SemGetValue => {
                self.check_made(t, frame, args[0])?;
                let place = self.sync_place(t, frame, args[0], 4, false)?;
                self.acquire(t, place);
                Ok(Self::code(self.word(args[0]).unwrap_or(0)))
            }
            AwaitNe | AwaitEq => {
                let place = self.sync_place(t, frame, args[0], 4, false)?;
                self.acquire(t, place);
                Ok(None)
            }
        }
    }

    /// The threads asleep on a condition variable.
    pub(crate) fn sleepers(&self, place: Place) -> Vec<ThreadId> {
        let asleep = |t: &ThreadId| {
            let sleep = self.thread(*t).sleep;
            sleep.is_some_and(|s| !s.woken && s.object == place.object && s.offset == place.offset)
        };
        self.threads().filter(asleep).collect()
    }

    fn wake(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        place: Place,
        all: bool,
        choices: &mut dyn Choices,
    ) {
        let mut woken = self.sleepers(place);
        if !all {
            let which = self.decide(t, frame, ChoiceKind::Wake, woken.len() as u32, choices);
            woken = woken.get(which as usize).copied().into_iter().collect();
        }
        let signal = (t, self.user_location(t, frame), self.state.steps);
        let place = (place.object, place.offset);
        let mode = match woken.is_empty() {
            true => Mode::Read,
            false => Mode::Write,
        };
        self.touch_sleepers(t, place, mode);
        for other in &woken {
            self.touch(Touch::of_thread(Cell::Sleep, *other, Mode::Write));
        }
        Rc::make_mut(&mut self.state.signals).insert(place, (signal, woken.first().copied()));
        let clock = self.thread(t).clock.clone();
        for other in woken {
            let thread = self.thread_mut(other);
            Rc::make_mut(&mut thread.clock).join(&clock);
            if let Some(s) = &mut thread.sleep {
                s.woken = true;
            }
            self.crowd.get_mut().moved(other);
        }
        Rc::make_mut(&mut self.thread_mut(t).clock).tick(t);
    }

    fn thread_new(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        args: &[Value],
        choices: &mut dyn Choices,
    ) -> Exec<Option<Value>> {
        let function = self.object_function(args[0].provenance);
        let Some(function) = function.filter(|f| self.program.function(*f).has_body()) else {
            if self.config.checks.has(Property::ValidDeref) {
                let message = "a thread is created with something that is not a function";
                return Err(self.violation(t, frame, Property::ValidDeref, message.into()));
            }
            return Err(Flow::Stop(StopReason::InvalidAccess));
        };
        let at = self.user_location(t, frame);
        self.publish(args[1].provenance);
        let f = self.program.function(function);
        let mut values = vec![args[1]];
        values.truncate(f.params as usize);
        let new = self.new_thread(function, values, Some(at));
        choices.made(t, frame.location(), new);
        // Handles of threads that are over and done with can come back.
        let handles = match self.config.reuse_addresses {
            true => self.free_handles(new),
            false => Vec::new(),
        };
        if self.config.footprints && self.config.reuse_addresses {
            // Which ones are free matters to whoever comes next only if one can be taken.
            let mode = match handles.is_empty() {
                true => Mode::Read,
                false => Mode::Write,
            };
            self.touch(Touch::of_thread(Cell::Handles, ThreadId(0), mode));
            if self.state.census.detached > 0 {
                for o in self.threads().filter(|o| *o != new) {
                    if self.thread(o).detached {
                        self.touch(Touch::of_thread(Cell::Thread, o, Mode::Read));
                    }
                }
            }
        }
        let options = handles.len() as u32 + 1;
        let answer = self.decide(t, frame, ChoiceKind::ReuseHandle, options, choices);
        if answer > 0 {
            let handle = handles[answer as usize - 1];
            self.thread_mut(new).handle = handle;
            self.state.census.takes_over(new, handle);
        }
        Ok(Some(Value::new(u128::from(self.thread(new).handle))))
    }

    /// The thread a handle means now. What that depends on is touched whatever the answer, so that a conflict with the end of a
    /// thread does not come and go with what third parties do.
    fn look_up(&mut self, handle: u64, upto: Cell) -> Option<ThreadId> {
        if self.config.footprints {
            for touch in self.looked_up(handle, upto) {
                self.touch(touch);
            }
        }
        self.thread_of_handle(handle)
    }

    /// What is looked at for a handle: who has been joined or detached, and (up to [`Cell::Thread`]) who has ended.
    pub(crate) fn looked_up(&self, handle: u64, upto: Cell) -> Vec<Touch> {
        let mut all = vec![Touch::of_thread(Cell::Handles, ThreadId(0), Mode::Read)];
        for o in self.threads_of_handle(handle) {
            all.push(Touch::of_thread(Cell::Handle, o, Mode::Read));
            if upto == Cell::Thread {
                all.push(Touch::of_thread(Cell::Thread, o, Mode::Read));
            }
        }
        all
    }

    fn join(&mut self, t: ThreadId, frame: &Frame, handle: u64) -> Exec<Option<Value>> {
        let Some(other) = self.look_up(handle, Cell::Thread).filter(|o| *o != t) else {
            let (message, code) = match self.threads_of_handle(handle).last() {
                Some(o) if self.thread(o).joined => ("this thread was joined before", ESRCH),
                Some(o) if self.thread(o).detached => {
                    let code = self.why_not_joinable(handle);
                    ("a detached thread cannot be joined", code)
                }
                Some(_) => ("a thread cannot join itself", EDEADLK),
                None => ("there is no such thread to join", ESRCH),
            };
            self.misuse(t, frame, message.to_string())?;
            self.see_retirement(t, handle);
            self.thread_mut(t).join_code = code;
            return Ok(Some(Value::new(0)));
        };
        self.thread_mut(t).join_code = 0;
        self.touch(Touch::of_thread(Cell::Thread, other, Mode::Write));
        self.touch(Touch::of_thread(Cell::Handle, other, Mode::Write));
        let clock = self.thread(other).clock.clone();
        Rc::make_mut(&mut self.thread_mut(t).clock).join(&clock);
        self.thread_mut(other).joined = true;
        self.state.census.joined();
        self.retire(t, other);
        Ok(Some(self.thread(other).result))
    }

    /// A thread joined or detached another one: for the race detector, a release.
    fn retire(&mut self, t: ThreadId, other: ThreadId) {
        if self.config.reuse_addresses {
            self.touch(Touch::of_thread(Cell::Handles, ThreadId(0), Mode::Commute));
        }
        self.thread_mut(other).retired = self.thread(t).clock.clone();
        if self.thread(t).regions.is_empty() {
            Rc::make_mut(&mut self.thread_mut(t).clock).tick(t);
        }
    }

    /// The code for a handle whose threads were all joined or detached: glibc finds a detached thread as long as it runs.
    fn why_not_joinable(&self, handle: u64) -> u32 {
        let runs = |o: ThreadId| self.thread(o).status != ThreadStatus::Finished;
        let last = self.threads_of_handle(handle).last();
        match last.is_some_and(|o| self.thread(o).detached && runs(o)) {
            true => EINVAL,
            false => ESRCH,
        }
    }

    /// A thread finds out that others have had all threads with a handle.
    fn see_retirement(&mut self, t: ThreadId, handle: u64) {
        let clocks: Vec<Rc<Clock>> = self
            .threads_of_handle(handle)
            .map(|o| self.thread(o).retired.clone())
            .collect();
        let mine = Rc::make_mut(&mut self.thread_mut(t).clock);
        for clock in clocks {
            mine.join(&clock);
        }
    }
}
