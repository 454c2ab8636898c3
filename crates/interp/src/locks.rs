//! Locks and semaphores in memory: what their operations do besides changing a word as [`SyncOp::transition`] says, which is to be seen by the
//! detectors of races, misuse and deadlocks.

use crate::execute::{Exec, Place};
use crate::footprint::Mode;
use crate::machine::{Flow, Machine, ThreadId};
use crate::thread::{Frame, Held, StopReason};
use crate::value::Value;
use raddle_ir::errno::{EAGAIN, EINVAL};
use raddle_ir::sync::{Before, Concrete, Effect};
use raddle_ir::{Property, Role, Share, SyncClass, SyncOp, layout};

impl Machine<'_> {
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

    /// Takes over what was released at a lock, by readers, too.
    fn take_over(&mut self, t: ThreadId, place: Place, readers: bool) {
        self.acquire(t, place);
        if readers {
            self.acquire_from(t, place, 1);
        }
    }

    /// Whether a semaphore was initialised.
    pub(crate) fn is_made(&self, address: Value) -> bool {
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
    pub(crate) fn check_made(&mut self, t: ThreadId, frame: &Frame, address: Value) -> Exec<()> {
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

    /// Lock, try, timed lock; the same for semaphores.
    pub(crate) fn take(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        op: SyncOp,
        address: Value,
    ) -> Exec<Option<Value>> {
        let length = op.touched(self.program.model).map_or(4, |t| t.bytes);
        let mark = self.touches.len();
        let takes = matches!(self.effect(t, op, address, 0), Some(Effect::Becomes(_)));
        let reader = matches!(op.role(), Role::Acquire(Share::Shared, _));
        let writer = op.class() == SyncClass::Rw && !reader;
        if op.class() == SyncClass::Sem {
            self.check_made(t, frame, address)?;
        }
        if takes {
            // Who gets a lock comes behind those who had it, with its first access already.
            let place = self.place(t, frame, address, length, true)?;
            self.take_over(t, Place { length: 4, ..place }, writer);
        }
        let place = self.sync_place(t, frame, address, length, takes)?;
        let before = self.word(address).unwrap_or(0);
        self.take_over(t, place, writer);
        let effect = self.effect(t, op, address, 0);
        let mode = match effect {
            Some(Effect::Becomes(_)) if reader => Mode::Commute,
            Some(Effect::Becomes(_)) => Mode::Write,
            _ => Mode::Read,
        };
        self.refine_touch(mark, mode, before);
        match effect {
            Some(Effect::Becomes(word)) => {
                self.set_word(place, word);
                self.release_to(t, place, usize::from(reader), true);
                if op.class().is_lock() {
                    self.hold(t, frame, place);
                }
                Ok(Self::code(0))
            }
            Some(Effect::Fails(code)) => {
                if code == EINVAL {
                    let name = self.describe_place(place.object, place.offset);
                    self.misuse(t, frame, format!("{name} is used after it was destroyed"))?;
                }
                Ok(Self::code(code))
            }
            // A semaphore that nobody wrote to was taken for a zero one just now.
            _ => Ok(Self::code(EAGAIN)),
        }
    }

    pub(crate) fn unlock(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        op: SyncOp,
        address: Value,
    ) -> Exec<Option<Value>> {
        let length = op.touched(self.program.model).map_or(4, |t| t.bytes);
        let readers = op.class() == SyncClass::Rw;
        let mark = self.touches.len();
        let word = self.word(address).unwrap_or(0);
        let there = self.state.memory.resolve(address, 4, true).ok();
        let mine = |h: &Held| Some((h.object, h.offset)) == there;
        let took = self.thread(t).held.iter().any(mine);
        let holds = match readers {
            true => took,
            false => op.class().owner(word) == Some(t.0),
        };
        let before = Before {
            word,
            kind: match op.has_kind() {
                true => self.mutex_kind(address),
                false => 0,
            },
            me: Self::me(t),
            holds,
            argument: 0,
        };
        let effect = op.transition(&mut Concrete, &before);
        let effect = effect.and_then(|transition| transition.effect());
        let refused = matches!(effect, Some(Effect::Fails(_)));
        let releases = !refused && (holds || word != layout::DESTROYED);
        let place = self.sync_place(t, frame, address, length, releases)?;
        self.refine_touch(mark, Mode::Read, word);
        let name = |m: &Self| m.describe_place(place.object, place.offset);
        if op.misuse(&mut Concrete, &before) == Some(true) {
            let state = match word {
                _ if readers => "which this thread does not hold".to_string(),
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
        if !holds && !readers {
            self.acquire(t, place);
        }
        let left = match effect {
            Some(Effect::Becomes(left)) => left,
            Some(Effect::Fails(code)) => return Ok(Self::code(code)),
            _ => return Err(Flow::Stop(StopReason::Undefined)),
        };
        if readers {
            let (side, mode) = match word & layout::WRITER != 0 {
                true => (0, Mode::Write),
                false => (1, Mode::Commute),
            };
            self.refine_touch(mark, mode, word);
            self.set_word(place, left);
            self.release_to(t, place, side, side == 1);
            self.drop_hold(t, place);
            return Ok(Self::code(0));
        }
        if holds && !took {
            // Its word names this thread, but came there as a copy of another one.
            let message = format!("unlock of {}, which was not locked", name(self));
            self.misuse(t, frame, message)?;
        }
        self.refine_touch(mark, Mode::Write, word);
        self.set_word(place, left);
        self.release(t, place);
        match holds {
            true => self.drop_hold(t, place),
            false => self.drop_anybodys_hold(place),
        }
        Ok(Self::code(0))
    }

    /// A semaphore is given back.
    pub(crate) fn post(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        op: SyncOp,
        address: Value,
    ) -> Exec<Option<Value>> {
        self.check_made(t, frame, address)?;
        let mark = self.touches.len();
        let word = self.word(address).unwrap_or(0);
        let effect = self.effect(t, op, address, 0);
        let posts = matches!(effect, Some(Effect::Becomes(_)));
        let place = self.sync_place(t, frame, address, 4, posts)?;
        self.acquire(t, place);
        let mode = if posts { Mode::Write } else { Mode::Read };
        self.refine_touch(mark, mode, word);
        match effect {
            Some(Effect::Becomes(more)) => {
                self.set_word(place, more);
                self.release_to(t, place, 0, true);
                Ok(Self::code(0))
            }
            Some(Effect::Fails(code)) => {
                if code == EINVAL {
                    let name = self.describe_place(place.object, place.offset);
                    self.misuse(t, frame, format!("{name} is used after it was destroyed"))?;
                }
                Ok(Self::code(code))
            }
            _ => Ok(Self::code(0)),
        }
    }

    /// Makes a lock or a semaphore.
    pub(crate) fn make(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        op: SyncOp,
        args: &[Value],
    ) -> Exec<()> {
        let argument = args.get(1).map_or(0, |a| a.bits as u32);
        let before = self.word(args[0]).unwrap_or(0);
        let word = match self.effect(t, op, args[0], argument) {
            Some(Effect::Becomes(word)) => word,
            _ => 0,
        };
        match op.class() {
            SyncClass::Mutex => {
                let kind = layout::mutex_kind(self.program.model);
                let size = layout::mutex_size(self.program.model);
                let words = [(layout::STATE, word), (kind, argument)];
                let place = self.reset(t, frame, args[0], size, &words)?;
                self.check_free(t, frame, place, before)
            }
            SyncClass::Sem => {
                let whole = self.place(t, frame, args[0], layout::SEMAPHORE_SIZE, true)?;
                self.reset(t, frame, args[0], 4, &[(layout::STATE, word)])?;
                let mark = Place {
                    offset: whole.offset + layout::SEMAPHORE_MARK,
                    length: 4,
                    ..whole
                };
                self.set_word(mark, layout::SEMAPHORE_MADE);
                Ok(())
            }
            _ => {
                let place = self.reset(t, frame, args[0], 4, &[(layout::STATE, word)])?;
                match op.makes_lock() {
                    true => self.check_free(t, frame, place, before),
                    false => Ok(()),
                }
            }
        }
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

    pub(crate) fn destroy(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        op: SyncOp,
        address: Value,
    ) -> Exec<Option<Value>> {
        if op.class() == SyncClass::Sem {
            self.check_made(t, frame, address)?;
        }
        let place = self.reset(t, frame, address, 4, &[])?;
        self.check_initialised(t, frame, place)?;
        let word = self.word(address).unwrap_or(0);
        match self.effect(t, op, address, 0) {
            Some(Effect::Becomes(gone)) => {
                self.set_word(place, gone);
                Ok(Self::code(0))
            }
            Some(Effect::Fails(code)) => {
                let name = self.describe_place(place.object, place.offset);
                let message = match word {
                    layout::DESTROYED => format!("{name} is destroyed a second time"),
                    _ => format!("{name} is destroyed while it is held"),
                };
                self.misuse(t, frame, message)?;
                Ok(Self::code(code))
            }
            _ => Ok(Self::code(0)),
        }
    }
}
