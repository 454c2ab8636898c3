//! Deadlocks: where threads can be blocked for ever, and who could release them.
//!
//! While deadlocks are looked for, every operation that can block has a free Boolean "it goes on". Where it does not, the thread
//! stops there, and it is *stuck* if the operation's guard is false in the final memory, which extra reads at the very end of the
//! order see. A deadlock is then a condition on how all threads ended: everyone is stuck or finished, or some are stuck in a
//! cycle, each waiting for a member. Sleepers wake only by signals here: each thread has a cell that says on what it sleeps.
//!
//! What it misses: blocking inside an atomic region of the user's, and cycles through locks that are perhaps held for reading; both
//! are answered with `unknown`.

use crate::access::Place;
use crate::contents;
use crate::event::{EventNo, Kind, Skeleton, Target};
use crate::guard::Guard;
use crate::names::{CellId, ObjectKey, ThreadNo};
use crate::state::State;
use crate::unwind::Unwinder;
use raddle_ir::{ChoiceClass, Location, Property, SyncOp, layout};
use raddle_solver::term::{Sort, TermId};
use raddle_symbolic::Value;

/// Whom a stuck thread waits for.
#[derive(Clone, Debug)]
pub enum Waits {
    /// The owner of a mutex: its word.
    Owner(TermId),
    /// Whoever holds a lock that can be shared; the condition says when the thread does itself.
    Holders(Vec<CellId>, TermId),
    /// One of these threads to end, each under a condition.
    Ends(Vec<(ThreadNo, TermId)>),
    /// Anybody.
    Anybody,
}

/// A place where a thread may be stuck.
#[derive(Clone, Debug)]
pub struct BlockPoint {
    /// Whose.
    pub thread: ThreadNo,
    /// Where.
    pub at: Location,
    /// When it stops there.
    pub guard: Guard,
    /// When the operation cannot go on in the end.
    pub stuck: TermId,
    /// Whom it waits for.
    pub waits: Waits,
    /// Locks it holds.
    pub held: Vec<CellId>,
    /// Perhaps it holds more.
    pub unsure: bool,
}

impl Unwinder<'_> {
    /// Whether deadlocks are looked for.
    pub(crate) fn watches(&self) -> bool {
        self.wants(Property::NoDeadlock)
    }

    /// What places hold in the end.
    fn final_load(&mut self, state: &State, guard: Guard, places: &[Place], entry: u32) -> TermId {
        let mut result: Option<TermId> = None;
        for p in places.iter().rev() {
            let here = self.under(guard, p.when);
            let thread = self.current.thread;
            let value = match self.facts.touch(p.object, thread) {
                false => {
                    let contents = state.flow.memory.get(&p.object).map(|c| &**c);
                    contents::read(
                        &mut self.pool,
                        self.program,
                        &mut self.names,
                        contents,
                        p.object,
                        p.offset,
                        4,
                    )
                    .bits
                }
                true => {
                    let mut parts = Vec::new();
                    for cell in self.cells_of(p.object, p.offset, 4) {
                        let bits = (self.names.extent(cell).length * 8) as u32;
                        let value = self.fresh("final", Sort::BitVec(bits));
                        self.final_event(here, Kind::Read(cell, value), entry);
                        parts.push(Value::number(value));
                    }
                    contents::join(&mut self.pool, &parts).bits
                }
            };
            result = Some(match (result, p.when) {
                (Some(other), Some(when)) => self.pool.ite(when, value, other),
                _ => value,
            });
        }
        result.unwrap_or_else(|| self.pool.bits(32, 0))
    }

    /// A blocking operation on memory: the thread goes on, or is stuck if `enabled` is false of what the places hold in the end.
    /// Where it goes on, the caller has to state that it could.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn may_block(
        &mut self,
        state: &mut State,
        op: SyncOp,
        places: &[Place],
        enabled: &mut dyn FnMut(&mut Self, TermId) -> TermId,
        at: Location,
        entry: u32,
    ) {
        let goes = self.fresh("goes", Sort::Bool);
        let stays = self.pool.not(goes);
        let guard = self.and(state.flow.guard, stays);
        let found = self.final_load(state, guard, places, entry);
        let enabled = enabled(self, found);
        let stuck = self.pool.not(enabled);
        let waits = match op {
            op if op.waits_for_owner() => Waits::Owner(found),
            op if op.waits_for_lock().is_some() => {
                let mut cells = Vec::new();
                for p in places {
                    let thread = self.current.thread;
                    if self.facts.touch(p.object, thread) {
                        cells.extend(self.cells_of(p.object, p.offset, 4));
                    }
                }
                let own = self.is_own(state, places, entry);
                Waits::Holders(cells, own)
            }
            _ => Waits::Anybody,
        };
        self.block_point(state, guard, stuck, waits, at);
        self.wait_for(&mut state.flow, goes);
    }

    /// Notes a place where the thread may be stuck.
    pub(crate) fn block_point(
        &mut self,
        state: &State,
        guard: Guard,
        stuck: TermId,
        waits: Waits,
        at: Location,
    ) {
        // Who would be blocked inside is not let in, and stands before the region.
        if let Some(inside) = state.flow.inside.as_ref().filter(|i| i.user) {
            self.unsupported(inside.before, at, "blocking inside an atomic region");
        }
        let thread = self.current.thread;
        self.block_points.push(BlockPoint {
            thread,
            at,
            guard,
            stuck,
            waits,
            held: state.flow.held.to_vec(),
            unsure: state.flow.unsure,
        });
    }

    fn sleep_place(&mut self, thread: ThreadNo) -> Option<Place> {
        let object = self.names.object(ObjectKey::Sleep(thread), 4, 4, true)?;
        Some(Place {
            object,
            offset: 0,
            when: None,
        })
    }

    /// The low bits of an address: enough to tell condition variables apart.
    fn name_of(&mut self, address: &Value) -> TermId {
        self.pool.extract(31, 0, address.bits)
    }

    /// The thread begins to sleep.
    pub(crate) fn sleep(&mut self, state: &mut State, condition: &Value, entry: u32) {
        let thread = self.current.thread;
        self.facts.sleeps(thread);
        if let Some(place) = self.sleep_place(thread) {
            let on = Value::number(self.name_of(condition));
            self.store(&mut state.flow, &[place], 4, &on, None, None, entry);
        }
    }

    /// The thread sleeps until it is woken, or until the timeout; the answer is whether it was woken.
    pub(crate) fn wake_up(
        &mut self,
        state: &mut State,
        timed: TermId,
        at: Location,
        entry: u32,
    ) -> TermId {
        let thread = self.current.thread;
        let Some(place) = self.sleep_place(thread) else {
            return self.pool.bool(true);
        };
        let mut enabled = |u: &mut Self, word: TermId| {
            let awake = u.equals(word, 0);
            u.pool.or(awake, timed)
        };
        self.may_block(state, SyncOp::CondBlock, &[place], &mut enabled, at, entry);
        let block = self.access_block(entry);
        let found = self
            .load(&mut state.flow, &[place], 4, Some(block), entry)
            .bits;
        let could = enabled(self, found);
        self.could(state, could);
        let awake = Value::number(self.pool.bits(32, 0));
        self.store(
            &mut state.flow,
            &[place],
            4,
            &awake,
            None,
            Some(block),
            entry,
        );
        self.equals(found, 0)
    }

    /// Where the thread is, the operation before could go on.
    pub(crate) fn could(&mut self, state: &State, condition: TermId) {
        let here = self.guards.term(state.flow.guard);
        let holds = self.pool.implies(here, condition);
        self.constraints.push(holds);
    }

    /// Wakes one sleeper, or all.
    pub(crate) fn signal(
        &mut self,
        state: &mut State,
        condition: &Value,
        all: bool,
        at: Location,
        entry: u32,
    ) {
        let on = self.name_of(condition);
        let block = self.access_block(entry);
        let sleepers = self.facts.sleepers();
        let mut picked: Vec<TermId> = Vec::new();
        let mut asleep_ones: Vec<TermId> = Vec::new();
        let mut position = self.pool.bits(32, 0);
        let mut answer = position;
        let one = self.pool.bits(32, 1);
        for t in sleepers {
            let Some(place) = self.sleep_place(t) else {
                continue;
            };
            let found = self
                .load(&mut state.flow, &[place], 4, Some(block), entry)
                .bits;
            let asleep = self.pool.eq(found, on);
            if self.is_constant(asleep) == Some(false) {
                continue;
            }
            let wakes = match all {
                true => asleep,
                false => {
                    let pick = self.fresh("wakes", Sort::Bool);
                    let right = self.pool.implies(pick, asleep);
                    self.constraints.push(right);
                    for &other in &picked {
                        let both = self.pool.and(pick, other);
                        let alone = self.pool.not(both);
                        self.constraints.push(alone);
                    }
                    answer = self.pool.ite(pick, position, answer);
                    pick
                }
            };
            picked.push(wakes);
            asleep_ones.push(asleep);
            let next = self.pool.bv_add(position, one);
            position = self.pool.ite(asleep, next, position);
            let awake = Value::number(self.pool.bits(32, 0));
            self.store(
                &mut state.flow,
                &[place],
                4,
                &awake,
                Some(wakes),
                Some(block),
                entry,
            );
        }
        if !all {
            let somebody = self.pool.or_all(asleep_ones);
            let someone = self.pool.or_all(picked);
            let right = self.pool.implies(somebody, someone);
            self.could(state, right);
            let asked = self.and(state.flow.guard, somebody);
            self.ask(at, asked, ChoiceClass::Wake, answer);
        }
    }

    /// States what a deadlock is, once all threads are unwound.
    pub(crate) fn add_deadlocks(&mut self) {
        let points = std::mem::take(&mut self.block_points);
        let threads: Vec<ThreadNo> = (0..self.threads.len() as u32)
            .map(ThreadNo)
            .filter(|t| self.threads[t.0 as usize].exists)
            .collect();
        let stuck: Vec<TermId> = points
            .iter()
            .map(|p| {
                let g = self.guards.term(p.guard);
                self.pool.and(g, p.stuck)
            })
            .collect();
        // Who holds a lock that can be shared is known only of those who hold it for certain.
        if points.iter().any(|p| matches!(p.waits, Waits::Holders(..))) {
            for p in points.iter().filter(|p| p.unsure) {
                let what = "a reader-writer lock that is perhaps held by a thread that waits";
                self.unsupported(p.guard, p.at, what);
            }
        }
        // Everyone is stuck or finished, and someone is stuck.
        let mut everyone = self.pool.or_all(stuck.iter().copied());
        for &t in &threads {
            let log = &self.threads[t.0 as usize];
            let started = self.guards.term(log.started.unwrap_or(Guard::TRUE));
            let never = self.pool.not(started);
            let over = match self.threads[t.0 as usize].finished {
                Some(g) => self.guards.term(g),
                None => self.pool.bool(false),
            };
            let mut fine = self.pool.or(never, over);
            for (p, s) in points.iter().zip(&stuck) {
                if p.thread == t {
                    fine = self.pool.or(fine, *s);
                }
            }
            everyone = self.pool.and(everyone, fine);
        }
        // Some are stuck, each waiting for one of them.
        let members: Vec<(ThreadNo, TermId)> = threads
            .iter()
            .map(|t| (*t, self.pool.fresh_var("member", Sort::Bool)))
            .collect();
        for &(t, member) in &members {
            let mut why = self.pool.bool(false);
            for (p, s) in points.iter().zip(&stuck) {
                if p.thread == t {
                    let waits = self.waits_for_member(p, &points, &stuck, &members);
                    let here = self.pool.and(*s, waits);
                    why = self.pool.or(why, here);
                }
            }
            let right = self.pool.implies(member, why);
            self.constraints.push(right);
        }
        let cycle = self.pool.or_all(members.iter().map(|(_, m)| *m));
        let deadlock = self.pool.or(everyone, cycle);
        let Some(first) = points.first() else {
            return;
        };
        let target = Target {
            reached: deadlock,
            thread: first.thread,
            at: first.at,
            after: None,
            inside: None,
            pair: None,
        };
        self.violations.push((Property::NoDeadlock, target));
    }

    fn waits_for_member(
        &mut self,
        p: &BlockPoint,
        points: &[BlockPoint],
        stuck: &[TermId],
        members: &[(ThreadNo, TermId)],
    ) -> TermId {
        let mut any = self.pool.bool(false);
        match &p.waits {
            Waits::Anybody => {}
            Waits::Owner(word) => {
                let mask = self.pool.bits(32, u128::from(layout::OWNER));
                let owner = self.pool.bv_and(*word, mask);
                for (t, member) in members {
                    let owns = self.equals(owner, u128::from(t.0) + 1);
                    let both = self.pool.and(owns, *member);
                    any = self.pool.or(any, both);
                }
            }
            Waits::Ends(all) => {
                for (t, this) in all {
                    if let Some((_, member)) = members.iter().find(|(m, _)| m == t) {
                        let both = self.pool.and(*this, *member);
                        any = self.pool.or(any, both);
                    }
                }
            }
            Waits::Holders(cells, own) => {
                if let Some((_, member)) = members.iter().find(|(m, _)| *m == p.thread) {
                    any = self.pool.and(*own, *member);
                }
                for (q, s) in points.iter().zip(stuck) {
                    if q.held.iter().any(|h| cells.contains(h))
                        && let Some((_, member)) = members.iter().find(|(m, _)| *m == q.thread)
                    {
                        let both = self.pool.and(*s, *member);
                        any = self.pool.or(any, both);
                    }
                }
            }
        }
        any
    }

    /// An event at the very end of the order.
    fn final_event(&mut self, guard: Guard, kind: Kind, entry: u32) {
        let id = self.event(guard, kind, None, entry);
        let thread = self.current.thread;
        self.log_mut(thread).events.pop();
        self.current.time -= 1;
        self.events[id.0 as usize].last = true;
        self.reads += 1;
    }
}

impl Skeleton {
    /// Whether an event is one of those at the very end.
    pub fn is_last(&self, e: EventNo) -> bool {
        self.events[e.0 as usize].last
    }
}
