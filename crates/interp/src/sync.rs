//! Synchronisation: guards and effects of every [`SyncOp`].
//!
//! What happens to the word of an object is described in `raddle_ir::sync`; `locks.rs` adds what the detectors have to know of it, `handles.rs` has
//! the operations on threads.

use crate::choice::{ChoiceKind, Choices};
use crate::execute::{Exec, Place};
use crate::footprint::{Cell, Mode, Touch};
use crate::machine::{End, Flow, Machine, ThreadId};
use crate::memory::ByteState;
use crate::thread::{Frame, Sleep, ThreadStatus};
use crate::value::Value;
use raddle_ir::errno::EINVAL;
use raddle_ir::sync::{Before, Concrete, Effect, wakes_from_sleep};
use raddle_ir::{LocalId, Op, Patience, Property, Role, SyncClass, SyncOp, layout};
use std::rc::Rc;

impl Machine<'_> {
    pub(crate) fn word(&self, address: Value) -> Option<u32> {
        let (object, offset) = self.state.memory.resolve(address, 4, false).ok()?;
        let o = self.state.memory.object(object);
        Some(o.read(offset, 4, 0).bits as u32)
    }

    pub(crate) fn mutex_kind(&self, address: Value) -> u32 {
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

    /// What an operation does to the word of its object; `None` if it is blocked. Where nothing is, it fails, which nobody learns: the access is
    /// invalid.
    pub(crate) fn effect(
        &self,
        t: ThreadId,
        op: SyncOp,
        address: Value,
        argument: u32,
    ) -> Option<Effect<u32>> {
        let Some(word) = self.word(address) else {
            return Some(Effect::Fails(EINVAL));
        };
        let kind = match op.has_kind() {
            true => self.mutex_kind(address),
            false => 0,
        };
        let before = Before {
            word,
            kind,
            me: Self::me(t),
            holds: false,
            argument,
        };
        op.transition(&mut Concrete, &before)?.effect()
    }

    /// Whether the guard of an operation holds.
    pub(crate) fn sync_enabled(&self, t: ThreadId, op: SyncOp, args: &[Value]) -> bool {
        match op.role() {
            Role::Acquire(_, Patience::Forever) => {
                let enabled = self.effect(t, op, args[0], 0).is_some();
                // The misuse is reported even if the semaphore seems to be zero.
                enabled
                    || (op.class() == SyncClass::Sem
                        && self.config.checks.has(Property::ValidSync)
                        && !self.is_made(args[0]))
            }
            Role::Await => self.effect(t, op, args[0], args[1].bits as u32).is_some(),
            Role::Join => match self.thread_of_handle(args[0].low()) {
                Some(other) => other == t || self.thread(other).status == ThreadStatus::Finished,
                None => true,
            },
            Role::Sleep => {
                let woken = self.thread(t).sleep.is_none_or(|s| s.woken);
                woken || self.config.spurious_wakeups || args[1].bits == 1
            }
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

    pub(crate) fn code(code: u32) -> Option<Value> {
        Some(Value::new(u128::from(code)))
    }

    pub(crate) fn misuse(&mut self, t: ThreadId, frame: &Frame, message: String) -> Exec<()> {
        match self.config.checks.has(Property::ValidSync) {
            true => Err(self.violation(t, frame, Property::ValidSync, message)),
            false => Ok(()),
        }
    }

    /// The synchronisation object at an address, as the race detector sees it: an atomic access to its word, a write only if
    /// the operation changes it; of a mutex also a look at its kind.
    pub(crate) fn sync_place(
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
    pub(crate) fn check_initialised(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        place: Place,
    ) -> Exec<()> {
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

    pub(crate) fn set_word(&mut self, place: Place, word: u32) {
        self.write(place, Value::new(u128::from(word)));
    }

    /// Initialisation and destruction: ordinary writes of the whole object, so they race with its use.
    pub(crate) fn reset(
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
                    self.state.thread_counts.detached(finished);
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
                Ok(Self::code(wakes_from_sleep(&mut Concrete, woken, timeout)))
            }
            CondSignal | CondBroadcast => {
                let place = self.sync_place(t, frame, args[0], 4, false)?;
                self.check_condition(t, frame, place)?;
                self.wake(t, frame, place, op == CondBroadcast, choices);
                Ok(None)
            }

            _ => self.word_effect(t, frame, op, args),
        }
    }

    /// What an operation does that is told by the word of its object.
    fn word_effect(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        op: SyncOp,
        args: &[Value],
    ) -> Exec<Option<Value>> {
        match op.role() {
            Role::Initialise => {
                self.make(t, frame, op, args)?;
                Ok(None)
            }
            Role::Destroy => self.destroy(t, frame, op, args[0]),
            Role::Acquire(..) => self.take(t, frame, op, args[0]),
            Role::Release if op.class().is_lock() => self.unlock(t, frame, op, args[0]),
            Role::Release => self.post(t, frame, op, args[0]),
            Role::Look | Role::Await => {
                if op.class() == SyncClass::Sem {
                    self.check_made(t, frame, args[0])?;
                }
                let place = self.sync_place(t, frame, args[0], 4, false)?;
                self.acquire(t, place);
                let argument = args.get(1).map_or(0, |a| a.bits as u32);
                match self.effect(t, op, args[0], argument) {
                    Some(Effect::Tells(what)) if op.result().is_some() => Ok(Self::code(what)),
                    _ => Ok(None),
                }
            }
            _ => unreachable!("{} is executed above", op.name()),
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
}
