//! Synchronisation over terms: guards and effects of every [`SyncOp`], the counterpart of the interpreter's.
//!
//! Executions are prefix-closed and may stop anywhere, so a blocked operation needs no account of who is blocked: the thread's
//! later events just do not occur. Taking a free mutex is therefore "the read finds it free, or nothing happens" with a free
//! Boolean. Spurious wake-ups make condition variables no-ops besides releasing and taking the mutex.

use crate::access::Place;
use crate::names::Path;
use crate::shared::comes_before;
use crate::state::{Flow, State};
use crate::unwind::{Step, Unwinder};
use raddle_ir::sync::wakes_from_sleep;
use raddle_ir::{
    ChoiceClass, LocalId, Location, Operand, Property, Role, SyncClass, SyncOp, layout,
};
use raddle_solver::term::{Sort, TermId};
use raddle_symbolic::{Targets, Value};

impl Unwinder<'_> {
    pub(crate) fn word(&mut self, value: u32) -> TermId {
        self.pool.bits(32, value.into())
    }

    pub(crate) fn me(&self) -> u32 {
        self.current.thread.0 + 1
    }

    /// Executes a step of synchronisation; false if the thread does not go on.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn sync(
        &mut self,
        state: &mut State,
        dst: Option<LocalId>,
        op: SyncOp,
        args: &[Operand],
        at: Location,
        path: Path,
        iterations: &[u32],
    ) -> Step<bool> {
        use SyncOp::*;
        let mut values = Vec::with_capacity(args.len());
        for a in args {
            values.push(self.operand(state, *a, at));
        }
        let entry = self.enter_log(at, state.flow.guard);
        if matches!(op, ThreadStart | ThreadJoin | ThreadHasEnded) {
            self.forget(&mut state.flow);
        }
        let zero = self.word(0);
        let mut result = Value::number(zero);
        if matches!(
            op,
            CondInit | CondDestroy | CondEnqueue | CondSignal | CondBroadcast
        ) {
            self.touch_condition(state, op, &values[0], at, entry);
        }
        match op {
            ThreadNew => {
                let here = self.names.path(path, at, iterations);
                let child = self.names.thread(self.current.thread, here);
                let made = (self.current.thread, entry);
                let log = self.log_mut(child);
                log.made = Some(made);
                result = self.handle(child);
                self.note_new_thread(child);
                self.new_threads
                    .push((child, values[0].clone(), values[1].clone()));
            }
            ThreadStart => {
                if !self.start_thread(state, &values[0], at, entry)? {
                    return Ok(false);
                }
            }
            ThreadJoin => match self.join(state, &values[0], at, entry) {
                Some(value) => result = value,
                None => return Ok(false),
            },
            ThreadJoinCode => {
                // Nothing comes between a join and the question what it answered.
                let code = self.current.join_code.take();
                let here = |j: &Location| (j.function, j.block) == (at.function, at.block);
                let Some((_, code)) = code.filter(|(join, _)| here(join)) else {
                    self.unsupported(state.flow.guard, at, "the code of an earlier join");
                    return Ok(false);
                };
                result = Value::number(code);
            }
            ThreadHasEnded => result = self.has_ended(state, &values[0], at, entry),
            ThreadDetach => result = self.detach(state, &values[0], at, entry),
            ThreadSelf => {
                result = self.handle(self.current.thread);
            }
            ThreadExit => {
                let mut flow = state.flow.clone();
                let mut gone = self.current.slots.clone();
                gone.extend(self.own_copies());
                self.end_slots(&mut flow, &gone, at, Some(entry));
                self.leave_region(&flow);
                self.current.ends.push((flow, values[0].clone()));
                return Ok(false);
            }
            Unmodelled | SetJump | LongJump => {
                let program = self.program;
                let what = match op {
                    Unmodelled => program.instr(at).map_or("", |i| program.text(i.text)),
                    _ => "`setjmp`",
                };
                self.unsupported(state.flow.guard, at, what);
                return Ok(false);
            }
            Exit | Abort => {
                let looks = self.wants(Property::NoDataRace) || self.looks_for_leaks();
                if state.flow.inside.as_ref().is_some_and(|i| i.wrote || looks) {
                    // Nobody goes on afterwards; that is not modelled.
                    let what = "an atomic region that ends the process";
                    self.unsupported(state.flow.guard, at, what);
                } else if op == Exit {
                    self.look_for_leaks(state, at, entry);
                }
                return Ok(false);
            }
            CondEnqueue if self.watches() => self.sleep(state, &values[0], entry),
            CondSignal | CondBroadcast if self.watches() => {
                let all = op == CondBroadcast;
                self.signal(state, &values[0], all, at, entry);
            }
            CondBlock if self.watches() => {
                let timed = self.equals(values[1].bits, 1);
                let woken = self.wake_up(state, timed, at, entry);
                result = Value::number(wakes_from_sleep(self, woken, timed));
            }
            Yield | CondInit | CondDestroy | CondEnqueue | CondSignal | CondBroadcast => {}
            CondBlock => result = self.cond_block(state, &values[1], at),

            _ => match op.role() {
                Role::Initialise => self.initialise(state, op, &values, at, entry),
                Role::Destroy => result = self.destroy(state, op, &values[0], at, entry),
                Role::Acquire(..) => result = self.take(state, op, &values[0], at, entry),
                Role::Release if op.class().is_lock() => {
                    result = self.unlock(state, op, &values[0], at, entry);
                }
                Role::Release => result = self.post(state, op, &values[0], at, entry),
                Role::Look => result = self.look(state, op, &values[0], at, entry),
                Role::Await => self.await_word(state, op, &values, at, entry),
                _ => unreachable!("{} is executed above", op.name()),
            },
        }
        if let Some(dst) = dst
            && op.result().is_some()
        {
            let nobody_gave_it = op == ThreadJoin && self.is_uninitialised(result.bits);
            self.set(state, dst, result);
            if nobody_gave_it {
                let always = self.pool.bool(true);
                state.open.insert(dst, always);
            }
        }
        Ok(true)
    }

    /// An object is made: an ordinary write.
    fn initialise(
        &mut self,
        state: &mut State,
        op: SyncOp,
        values: &[Value],
        at: Location,
        entry: u32,
    ) {
        let zero = self.word(0);
        match op.class() {
            SyncClass::Mutex => {
                let size = layout::mutex_size(self.program.model);
                let kind = layout::mutex_kind(self.program.model);
                let whole = self.places(&mut state.flow, &values[0], size, true, at, entry, false);
                self.check_free(state, &whole, at, entry);
                let block = self.access_block(entry);
                if self.tracks_writes() {
                    let flow = &mut state.flow;
                    self.note_written_bytes(flow, &whole, size, 0, None, Some(block), entry);
                }
                for word in 0..size / 4 {
                    let value = match word * 4 == kind {
                        true => values[1].clone(),
                        false => Value::number(zero),
                    };
                    let places = shifted(&whole, word * 4);
                    // Words nobody looks at stay out of the picture.
                    if word == 0 || word * 4 == kind {
                        self.reset(state, &places, &value, block, entry);
                    }
                }
                self.note_initialised(&whole);
            }
            SyncClass::Sem => {
                let size = layout::SEMAPHORE_SIZE;
                let places = self.places(&mut state.flow, &values[0], size, true, at, entry, false);
                let block = self.access_block(entry);
                self.reset(state, &places, &values[1].clone(), block, entry);
                // Nobody else looks at the mark.
                if self.wants(Property::ValidSync) {
                    let flow = &mut state.flow;
                    self.note_written_bytes(flow, &places, size, 0, None, Some(block), entry);
                    let made = self.word(layout::SEMAPHORE_MADE);
                    let marks = shifted(&places, layout::SEMAPHORE_MARK);
                    self.reset(state, &marks, &Value::number(made), block, entry);
                }
            }
            _ => {
                let places = self.places(&mut state.flow, &values[0], 4, true, at, entry, false);
                self.check_free(state, &places, at, entry);
                let block = self.access_block(entry);
                self.reset(state, &places, &Value::number(zero), block, entry);
                self.note_initialised(&places);
            }
        }
    }

    fn destroy(
        &mut self,
        state: &mut State,
        op: SyncOp,
        address: &Value,
        at: Location,
        entry: u32,
    ) -> Value {
        let zero = self.word(0);
        self.facts.destroy();
        let size = self.looked_at(op);
        let places = self.places(&mut state.flow, address, size, true, at, entry, false);
        self.note_sync_words(&places);
        match op.class() {
            SyncClass::Sem => self.check_made(state, &places, at, entry),
            _ => self.check_initialised(state, &places, 4, at, entry),
        }
        let block = self.access_block(entry);
        let old = self.sync_word(state, &places, block, entry);
        let misuse = self.misuse(op, old);
        self.check(&mut state.flow, at, Property::ValidSync, misuse, false);
        let transition = self.transition(op, old, zero);
        let gone = transition.new_word(self).unwrap_or(old);
        let changes = transition.changes(self);
        // That it is refused does not make it less of an access.
        let new = Value::number(self.pool.ite(changes, gone, old));
        self.store(&mut state.flow, &places, 4, &new, None, Some(block), entry);
        Value::number(transition.result(self))
    }

    /// A semaphore is given back.
    fn post(
        &mut self,
        state: &mut State,
        op: SyncOp,
        address: &Value,
        at: Location,
        entry: u32,
    ) -> Value {
        let zero = self.word(0);
        let size = self.semaphore_size();
        let places = self.places(&mut state.flow, address, size, true, at, entry, false);
        self.note_sync_words(&places);
        self.check_made(state, &places, at, entry);
        let block = self.access_block(entry);
        let old = self.sync_word(state, &places, block, entry);
        let misuse = self.misuse(op, old);
        self.check(&mut state.flow, at, Property::ValidSync, misuse, false);
        let transition = self.transition(op, old, zero);
        let changes = Some(transition.changes(self));
        let new = Value::number(transition.new_word(self).unwrap_or(old));
        let block = Some(block);
        self.store(&mut state.flow, &places, 4, &new, changes, block, entry);
        Value::number(transition.result(self))
    }

    /// The value of a semaphore.
    fn look(
        &mut self,
        state: &mut State,
        op: SyncOp,
        address: &Value,
        at: Location,
        entry: u32,
    ) -> Value {
        let size = self.semaphore_size();
        let places = self.places(&mut state.flow, address, size, false, at, entry, false);
        self.note_sync_words(&places);
        self.check_made(state, &places, at, entry);
        let block = self.access_block(entry);
        let word = self.sync_word(state, &places, block, entry);
        let transition = self.transition(op, word, word);
        Value::number(transition.result(self))
    }

    /// Waits until a word is as it should be.
    fn await_word(
        &mut self,
        state: &mut State,
        op: SyncOp,
        values: &[Value],
        at: Location,
        entry: u32,
    ) {
        let zero = self.word(0);
        let places = self.places(&mut state.flow, &values[0], 4, false, at, entry, false);
        self.note_sync_words(&places);
        self.check_initialised(state, &places, 4, at, entry);
        let expected = values[1].bits;
        let mut enabled = |u: &mut Self, word: TermId| {
            let mut before = u.before(word, zero);
            before.argument = expected;
            let transition = op.transition(u, &before);
            match transition {
                Some(transition) => transition.enabled(u),
                None => u.pool.bool(true),
            }
        };
        self.look_before_waiting(state, &places, at);
        if self.watches() {
            self.may_block(state, op, &places, &mut enabled, at, entry);
        }
        let block = self.access_block(entry);
        let found = self.sync_word(state, &places, block, entry);
        let go = enabled(self, found);
        match self.watches() {
            true => self.could(state, go),
            false => self.wait_for(&mut state.flow, go),
        }
    }

    /// A region that ends with its thread was gone through.
    pub(crate) fn leave_region(&mut self, flow: &Flow) {
        if let Some(inside) = &flow.inside {
            self.regions[inside.block as usize].done.push(flow.guard);
        }
    }

    /// A condition variable tells only whether it was destroyed, but it has to be there, and its users race with what makes or
    /// destroys it.
    fn touch_condition(
        &mut self,
        state: &mut State,
        op: SyncOp,
        address: &Value,
        at: Location,
        entry: u32,
    ) {
        let write = matches!(op, SyncOp::CondInit | SyncOp::CondDestroy);
        let places = self.places(&mut state.flow, address, 4, write, at, entry, false);
        let misuse = self.wants(Property::ValidSync);
        if misuse {
            self.watch_condition(state, op, address, &places, at, entry);
        }
        if op == SyncOp::CondDestroy {
            self.facts.destroy();
        }
        let looks = self.wants(Property::NoDataRace) || (misuse && self.facts.destroys());
        if !looks {
            return;
        }
        let block = self.access_block(entry);
        if op == SyncOp::CondInit {
            let made = Value::number(self.word(0));
            self.reset(state, &places, &made, block, entry);
            return;
        }
        self.note_sync_words(&places);
        let word = self.sync_word(state, &places, block, entry);
        let misuse = self.misuse(op, word);
        self.check(&mut state.flow, at, Property::ValidSync, misuse, false);
        if op == SyncOp::CondDestroy {
            let gone = Value::number(self.word(layout::DESTROYED));
            self.reset(state, &places, &gone, block, entry);
        }
    }

    /// What `valid-sync` wants to know about condition variables.
    fn watch_condition(
        &mut self,
        state: &mut State,
        op: SyncOp,
        address: &Value,
        places: &[Place],
        at: Location,
        entry: u32,
    ) {
        self.current.time += 1;
        let moment = self.moment();
        match op {
            SyncOp::CondInit => {
                let block = self.access_block(entry);
                let flow = &mut state.flow;
                self.note_written_bytes(flow, places, 4, 0, None, Some(block), entry);
                return;
            }
            SyncOp::CondDestroy => {
                let end = (state.flow.guard, at, address.targets.clone(), moment);
                self.condition_ends.push(end);
            }
            SyncOp::CondEnqueue => self.naps.push((address.targets.clone(), moment)),
            _ => {}
        }
        self.check_initialised(state, places, 4, at, entry);
    }

    /// Destroying a condition variable on which a thread may sleep is a misuse, but who sleeps is not known.
    pub(crate) fn check_conditions(&mut self) {
        let naps = std::mem::take(&mut self.naps);
        for (guard, at, ended, now) in std::mem::take(&mut self.condition_ends) {
            let asleep = naps.iter().any(|(on, then)| {
                let over = comes_before(then.thread, then.time, now.thread, now.time, &now.clock);
                let same = match (on, &ended) {
                    (Targets::These(a), Targets::These(b)) => a.iter().any(|o| b.contains(o)),
                    _ => true,
                };
                same && !over
            });
            if asleep {
                let what = "the end of a condition variable on which a thread may sleep";
                self.unsupported(guard, at, what);
            }
        }
    }

    /// Using a synchronisation object that nobody initialised is a misuse; then it is taken for a free one.
    pub(crate) fn check_initialised(
        &mut self,
        state: &mut State,
        places: &[Place],
        length: u64,
        at: Location,
        entry: u32,
    ) {
        if self.wants(Property::ValidSync) {
            let open = self.unwritten(&mut state.flow, places, length, 0, entry);
            self.check(&mut state.flow, at, Property::ValidSync, open, false);
        }
    }

    /// How many bytes of a semaphore are looked at.
    pub(crate) fn semaphore_size(&self) -> u64 {
        match self.wants(Property::ValidSync) {
            true => layout::SEMAPHORE_SIZE,
            false => 4,
        }
    }

    /// The same of semaphores, for which zeros are not enough: they have a mark.
    pub(crate) fn check_made(
        &mut self,
        state: &mut State,
        places: &[Place],
        at: Location,
        entry: u32,
    ) {
        self.check_initialised(state, places, 4, at, entry);
        if self.wants(Property::ValidSync) {
            let marks = shifted(places, layout::SEMAPHORE_MARK);
            let block = self.access_block(entry);
            let mark = self.sync_word(state, &marks, block, entry);
            let made = self.equals(mark, u128::from(layout::SEMAPHORE_MADE));
            let open = self.pool.not(made);
            self.check(&mut state.flow, at, Property::ValidSync, open, false);
        }
    }

    /// The word of a synchronisation object: reading it is no use of what nobody wrote.
    pub(crate) fn sync_word(
        &mut self,
        state: &mut State,
        places: &[Place],
        block: u32,
        entry: u32,
    ) -> TermId {
        self.load_at(&mut state.flow, places, 4, Some(block), entry)
            .bits
    }

    fn cond_block(&mut self, state: &mut State, timed: &Value, at: Location) -> Value {
        let zero = self.word(0);
        let is_timed = self.equals(timed.bits, 1);
        if self.is_constant(is_timed) == Some(false) {
            return Value::number(zero);
        }
        let expired = self.fresh("expired", Sort::Bool);
        let asked = self.and(state.flow.guard, is_timed);
        let bit = self.pool.bool_to_bit(expired);
        self.ask(at, asked, ChoiceClass::TimedWait, bit);
        let expires = self.pool.and(is_timed, expired);
        let asleep = self.pool.bool(false);
        Value::number(wakes_from_sleep(self, asleep, expires))
    }

    /// Initialisation or destruction: an ordinary write.
    fn reset(
        &mut self,
        state: &mut State,
        places: &[Place],
        value: &Value,
        block: u32,
        entry: u32,
    ) {
        self.store(&mut state.flow, places, 4, value, None, Some(block), entry);
    }
}

fn shifted(places: &[Place], by: u64) -> Vec<Place> {
    places
        .iter()
        .map(|p| Place {
            offset: p.offset + by,
            ..*p
        })
        .collect()
}
