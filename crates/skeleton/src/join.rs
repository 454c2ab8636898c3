//! Joining and detaching threads.
//!
//! A thread can be joined or detached once; whether it was is a byte of its own, private or shared like other memory. Whoever comes too
//! late, or with a number that is nobody's, misuses the handle and goes on at once, as in the interpreter.
//!
//! A handle may be given to a new thread once its thread was joined or detached. That is not modelled: where it could matter
//! (a second join, a comparison) and a thread may be made afterwards, there is a target. So there is for numbers that happen to be
//! a handle without coming from one, and for joins of threads whose end is not known yet, an ancestor's for example.

use crate::access::Place;
use crate::deadlock::Waits;
use crate::event::{Asked, Kind};
use crate::guard::Guard;
use crate::names::{ObjectKey, ThreadNo};
use crate::shared::{Moment, comes_before};
use crate::state::State;
use crate::unwind::Unwinder;
use raddle_ir::errno::{EDEADLK, ESRCH};
use raddle_ir::{ChoiceClass, Location, Property};
use raddle_solver::term::{Sort, TermId};
use raddle_symbolic::{Targets, Value};
use std::rc::Rc;

impl Unwinder<'_> {
    fn retired_place(&mut self, thread: ThreadNo) -> Option<Place> {
        let object = self.names.object(ObjectKey::Retired(thread), 1, 1, true)?;
        Some(Place {
            object,
            offset: 0,
            when: None,
        })
    }

    /// The threads a handle may mean, each with the condition that it does; the second answer is when it means none.
    fn meant(
        &mut self,
        state: &State,
        handle: &Value,
        at: Location,
    ) -> (Vec<(ThreadNo, TermId)>, TermId) {
        let mut found = Vec::new();
        let mut any = self.pool.bool(false);
        let threads = self.facts.threads();
        for t in threads {
            let mut this = self.equals(handle.bits, u128::from(t.0) + 1);
            if let Some(started) = self.log_mut(t).started
                && !self.guards.implies(state.flow.guard, started)
            {
                let made = self.guards.term(started);
                this = self.pool.and(this, made);
            }
            if self.is_constant(this) == Some(false) {
                continue;
            }
            any = self.pool.or(any, this);
            let whose =
                |o: &raddle_symbolic::ObjectId| self.names.get(*o).key == ObjectKey::Thread(t);
            let comes_from_it = match &handle.targets {
                Targets::These(all) => all.iter().any(whose),
                Targets::Unknown => true,
            };
            if comes_from_it {
                found.push((t, this));
            } else {
                let lost = self.and(state.flow.guard, this);
                self.unsupported(lost, at, "a number that happens to be a thread's handle");
            }
        }
        let none = self.pool.not(any);
        (found, none)
    }

    /// Whether each of some threads was joined or detached before.
    fn retired(
        &mut self,
        state: &State,
        found: &[(ThreadNo, TermId)],
        at: Location,
        entry: u32,
    ) -> Vec<TermId> {
        let mut all = Vec::new();
        for (t, this) in found {
            let Some(place) = self.retired_place(*t) else {
                all.push(self.pool.bool(false));
                continue;
            };
            let shared = self.facts.touch(place.object, self.current.thread);
            if shared && self.watches() {
                let what = "a thread that several others join or detach";
                self.unsupported(state.flow.guard, at, what);
            }
            let block = shared.then(|| self.access_block(entry));
            let mut there = state.flow.clone();
            there.guard = self.and(there.guard, *this);
            let value = self.load(&mut there, &[place], 1, block, entry).bits;
            let free = self.equals(value, 0);
            let again = self.pool.not(free);
            if self.is_constant(again) != Some(false) {
                let guard = self.and(there.guard, again);
                self.late.push((guard, at, *t));
            }
            all.push(again);
        }
        all
    }

    /// From now on a thread cannot be joined or detached any more.
    fn retire(&mut self, state: &mut State, thread: ThreadNo, when: TermId, entry: u32) {
        self.current.time += 1;
        let moment = self.moment();
        self.retirements.push((thread, moment));
        if let Some(place) = self.retired_place(thread) {
            let shared = self.facts.touch(place.object, self.current.thread);
            let block = shared.then(|| self.access_block(entry));
            let one = Value::number(self.pool.bits(8, 1));
            self.store(&mut state.flow, &[place], 1, &one, Some(when), block, entry);
        }
    }

    /// Waits for the end of a thread; the answer is its result.
    pub(crate) fn join(
        &mut self,
        state: &mut State,
        handle: &Value,
        at: Location,
        entry: u32,
    ) -> Option<Value> {
        let width = self.program.model.pointer_bits();
        let (meant, none) = self.meant(state, handle, at);
        let mut found = Vec::new();
        for (t, this) in meant {
            if self.finals.contains_key(&t) || t == self.current.thread {
                found.push((t, this));
                continue;
            }
            let lost = self.and(state.flow.guard, this);
            let what = "a join of a thread that is not known at this point";
            self.unsupported(lost, at, what);
            let other = self.pool.not(this);
            self.restrict(&mut state.flow, other);
        }
        let retired = self.retired(state, &found, at, entry);
        let mut misuse = none;
        let mut go = none;
        let mut joins: Vec<(ThreadNo, TermId)> = Vec::new();
        let mut waits: Vec<(ThreadNo, TermId)> = Vec::new();
        let mut late_ones = self.pool.bool(false);
        let mut code = self.word(0);
        let nobody = self.word(ESRCH);
        code = self.pool.ite(none, nobody, code);
        let mut result = Value::number(self.pool.bits(width, 0));
        for ((t, this), retired) in found.into_iter().zip(retired) {
            let late = self.pool.and(this, retired);
            misuse = self.pool.or(misuse, late);
            go = self.pool.or(go, late);
            late_ones = self.pool.or(late_ones, late);
            let first = self.pool.not(retired);
            let first = self.pool.and(this, first);
            if t == self.current.thread {
                misuse = self.pool.or(misuse, first);
                go = self.pool.or(go, first);
                let itself = self.word(EDEADLK);
                code = self.pool.ite(first, itself, code);
                continue;
            }
            waits.push((t, first));
            let Some(end) = self.finals.get(&t).cloned() else {
                continue;
            };
            let over = self.guards.term(end.guard);
            let works = self.pool.and(first, over);
            go = self.pool.or(go, works);
            if self.is_constant(first) != Some(false) {
                result = end.value.choose(&mut self.pool, first, &result);
                joins.push((t, first));
            }
        }
        let before = state.flow.guard;
        if self.watches() {
            let stuck = self.pool.not(go);
            self.block_point(state, before, stuck, Waits::Ends(waits), at);
        }
        self.check(&mut state.flow, at, Property::ValidSync, misuse, false);
        if self.is_constant(late_ones) != Some(false) {
            // The code tells a joined thread from a detached one, and one that runs from one that has ended.
            let guard = self.guards.and(&mut self.pool, state.flow.guard, late_ones);
            self.unsupported(guard, at, "a second join of a thread");
        }
        self.current.join_code = Some((at, code));
        self.wait_for(&mut state.flow, go);
        if self.guards.is_false(&self.pool, state.flow.guard) {
            return None;
        }
        let certain = match joins[..] {
            [(t, this)] if self.is_constant(this) == Some(true) => Some(t),
            _ => None,
        };
        if let Some(t) = certain
            && state.flow.guard != before
        {
            self.guards.link(state.flow.guard, self.finals[&t].guard);
        }
        let alone = certain.is_some() && self.current.waiting == 0;
        for (t, this) in joins {
            let end = self.finals[&t].clone();
            let guard = self.and(state.flow.guard, this);
            let block = state.flow.inside.as_ref().map(|i| i.block);
            let join = self.event(guard, Kind::Join(t), block.or(self.block_now), entry);
            if let Some(last) = end.last {
                match alone {
                    true => self.edges.push((last, join)),
                    false => self.conditional.push((guard, last, join)),
                }
            }
            if alone {
                let mut clock = Vec::clone(&self.current.clock);
                if clock.len() < end.clock.len() {
                    clock.resize(end.clock.len(), 0);
                }
                for (mine, theirs) in clock.iter_mut().zip(end.clock.iter()) {
                    *mine = (*mine).max(*theirs);
                }
                self.current.clock = Rc::new(clock);
            }
            if let Some(b) = block {
                // The region can come next only after that end.
                let region = &mut self.regions[b as usize];
                match alone {
                    true => region.clock = Some(self.current.clock.clone()),
                    false => region.waits = true,
                }
            }
            self.retire(state, t, this, entry);
        }
        Some(result)
    }

    /// Whether a thread has ended: it may always seem to run, and seems to have ended only behind its end. Then its last event comes before
    /// this one, as before a join.
    pub(crate) fn has_ended(
        &mut self,
        state: &mut State,
        handle: &Value,
        at: Location,
        entry: u32,
    ) -> Value {
        let (meant, none) = self.meant(state, handle, at);
        let retired = self.retired(state, &meant, at, entry);
        // Of itself and of a thread that is nobody's any more the join that follows says what is wrong.
        let mut ended = none;
        for ((t, this), retired) in meant.into_iter().zip(retired) {
            let gone = self.pool.and(this, retired);
            ended = self.pool.or(ended, gone);
            let first = self.pool.not(retired);
            let first = self.pool.and(this, first);
            if t == self.current.thread {
                ended = self.pool.or(ended, first);
                continue;
            }
            let Some(end) = self.finals.get(&t).cloned() else {
                let lost = self.and(state.flow.guard, first);
                self.unsupported(
                    lost,
                    at,
                    "a look at a thread that is not known at this point",
                );
                continue;
            };
            let sees = self.fresh("sees its end", Sort::Bool);
            let guard = self.and(state.flow.guard, first);
            let value = self.pool.bool_to_bit(sees);
            let thread = self.current.thread;
            self.log_mut(thread).asked.push(Asked {
                at,
                guard,
                kind: ChoiceClass::SeesEnd,
                entry: Some(entry),
                value,
            });
            let over = self.guards.term(end.guard);
            let seen = self.pool.and_all([first, over, sees]);
            ended = self.pool.or(ended, seen);
            let guard = self.and(state.flow.guard, seen);
            let block = state.flow.inside.as_ref().map(|i| i.block);
            let look = self.event(guard, Kind::Join(t), block.or(self.block_now), entry);
            if let Some(last) = end.last {
                self.conditional.push((guard, last, look));
            }
            if let Some(b) = block {
                self.regions[b as usize].waits = true;
            }
        }
        let (yes, no) = (self.word(1), self.word(0));
        Value::number(self.pool.ite(ended, yes, no))
    }

    /// Nobody will wait for a thread; the answer is a code.
    pub(crate) fn detach(
        &mut self,
        state: &mut State,
        handle: &Value,
        at: Location,
        entry: u32,
    ) -> Value {
        let (found, none) = self.meant(state, handle, at);
        let retired = self.retired(state, &found, at, entry);
        let mut misuse = none;
        for ((_, this), retired) in found.iter().zip(&retired) {
            let late = self.pool.and(*this, *retired);
            misuse = self.pool.or(misuse, late);
        }
        self.check(&mut state.flow, at, Property::ValidSync, misuse, false);
        for (t, this) in found {
            self.retire(state, t, this, entry);
        }
        if self.is_constant(misuse) != Some(false) {
            // Its result tells a joined thread from a detached one.
            let guard = self.guards.and(&mut self.pool, state.flow.guard, misuse);
            self.unsupported(guard, at, "a second detach of a thread");
        }
        Value::number(self.word(0))
    }

    /// Whether the handle of a thread may have been given to a new one.
    pub(crate) fn may_come_back(&self, thread: ThreadNo) -> bool {
        let before =
            |a: &Moment, b: &Moment| comes_before(a.thread, a.time, b.thread, b.time, &b.clock);
        let over = self.retirements.iter().filter(|(t, _)| *t == thread);
        let mut moments = over.map(|(_, moment)| moment);
        moments.any(|m| self.made.iter().any(|new| !before(new, m)))
    }

    /// Second joins and the like are not the whole truth if the handle may mean a new thread by then.
    pub(crate) fn check_handles(&mut self) {
        for (guard, at, thread) in std::mem::take(&mut self.late) {
            if self.may_come_back(thread) {
                self.unsupported(guard, at, "a second join of a thread");
            }
        }
    }

    /// A thread is made now.
    pub(crate) fn note_new_thread(&mut self, thread: ThreadNo) {
        self.facts.make_thread(thread);
        self.current.time += 1;
        let moment = self.moment();
        self.made.push(moment);
    }
}

/// A join or detach that may come too late: when, where, of whom.
pub(crate) type Late = (Guard, Location, ThreadNo);
