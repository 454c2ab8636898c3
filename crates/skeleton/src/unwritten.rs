//! Values nobody wrote: which values may contain some, and what the interpreter asks when it reads them.
//!
//! Memory that was never written holds an arbitrary value, fixed when it is first read; whoever is first is asked for it. Who that
//! is does not show in a model (reads that needed no event are in no order), so an answer is offered to everyone who might be, for
//! exactly that execution of the instruction; one that nobody asks for does no harm.
//!
//! For `no-uninit` and `valid-sync` it matters whether something was written, so then every object that is not initialised has a
//! second one behind it, byte for byte, that writes fill with ones. What it misses: where values that nobody wrote go is not followed
//! through computations and copies, so reading one is a target. A program that never does has `no-uninit`; of others, every decision afterwards is tried out.

use crate::access::Place;
use crate::event::Asked;
use crate::guard::Guard;
use crate::names::{ObjectKey, Role};
use crate::state::Flow;
use crate::unwind::Unwinder;
use raddle_ir::{ChoiceClass, Location, Property};
use raddle_solver::term::{Op, Term, TermId};
use raddle_symbolic::{ObjectId, Value};
use std::collections::HashSet;

impl Unwinder<'_> {
    /// The interpreter asks for a value where memory is read that nobody has written.
    pub(crate) fn note_uninitialised(&mut self, guard: Guard, value: TermId, entry: u32) {
        if self.is_uninitialised(value) {
            self.offer_value(guard, value, entry);
        }
    }

    /// The value of a read, in case the interpreter asks for it.
    pub(crate) fn offer_value(&mut self, guard: Guard, value: TermId, entry: u32) {
        let thread = self.current.thread;
        let log = self.log_mut(thread);
        let at = log.entries[entry as usize].at;
        log.asked.push(Asked {
            at,
            guard,
            kind: ChoiceClass::Uninitialised,
            entry: Some(entry),
            value,
        });
    }

    /// A value that nobody wrote is used there.
    pub(crate) fn note_unwritten(&mut self, guard: Guard, at: Location) {
        if self.tracks_writes() {
            self.unsupported(guard, at, "the way of a value that nobody wrote");
            let used = self.guards.term(guard);
            self.unwritten_uses.push(used);
        }
    }

    /// A decision that perhaps depends on such a value: worth a try, and claimed only if it replays.
    pub(crate) fn note_decision(&mut self, flow: &Flow, value: TermId, at: Location) {
        if !self.wants(Property::NoUninit) || self.unwritten_uses.is_empty() {
            return;
        }
        if self.is_constant(value).is_some() {
            return;
        }
        // Where nothing was used that nobody wrote, the decision depends on no such value.
        let uses = self.unwritten_uses.clone();
        let some = self.pool.or_all(uses);
        let here = self.guards.term(flow.guard);
        let reached = self.pool.and(here, some);
        if self.is_constant(reached) != Some(false) {
            let inside = flow.inside.as_ref().map(|i| i.block);
            let target = self.target(reached, at, inside);
            self.violations.push((Property::NoUninit, target));
        }
    }

    /// Whether some byte of a value may be what memory holds that nobody has written.
    pub(crate) fn is_uninitialised(&self, value: TermId) -> bool {
        let mut open = vec![value];
        let mut seen = HashSet::new();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.pool.term(term) {
                Term::Var(_) if self.names.role(term) == Some(Role::Unwritten) => {
                    return true;
                }
                Term::App { op, args, .. } => match op {
                    Op::Concat => open.extend([args[0], args[1]]),
                    Op::Ite => open.extend([args[1], args[2]]),
                    Op::Extract { .. } => open.push(args[0]),
                    _ => {}
                },
                _ => {}
            }
        }
        false
    }

    /// Whether it matters which bytes were written.
    pub(crate) fn tracks_writes(&self) -> bool {
        self.wants(Property::NoUninit) || self.wants(Property::ValidSync)
    }

    /// The object that says which bytes of another were written; none if all are from the beginning.
    fn written_of(&mut self, object: ObjectId) -> Option<ObjectId> {
        let o = self.names.get(object);
        let external = |g| self.program.global(g).external;
        let open = match o.key {
            ObjectKey::Slot(..) | ObjectKey::Heap(..) | ObjectKey::Array(..) => !o.zeroed,
            ObjectKey::Global(g) | ObjectKey::ThreadLocal(_, g) => external(g),
            _ => false,
        };
        let size = o.size;
        match open {
            true => self
                .names
                .object(ObjectKey::Written(object), size, 16, true),
            false => None,
        }
    }

    fn all_ones(&mut self, length: u64) -> TermId {
        let bits = (length * 8) as u32;
        self.pool.bits(bits, u128::MAX >> (128 - bits))
    }

    /// Bits of a part of an access.
    fn bits_at(&mut self, bits: u128, done: u64, length: u64) -> TermId {
        let bits = match done {
            0..16 => bits >> (8 * done),
            _ => 0,
        };
        let width = (length * 8) as u32;
        self.pool.bits(width, bits & u128::MAX >> (128 - width))
    }

    /// When an access to some places touches bits that nobody wrote, but for those that it does not use.
    pub(crate) fn unwritten(
        &mut self,
        flow: &mut Flow,
        places: &[Place],
        length: u64,
        unused: u128,
        entry: u32,
    ) -> TermId {
        let mut any = self.pool.bool(false);
        for p in places {
            let Some(object) = self.written_of(p.object) else {
                continue;
            };
            let block = match self.facts.touch(object, self.current.thread) {
                true => Some(self.access_block(entry)),
                false => None,
            };
            // Not more than a scalar at once.
            let mut done = 0;
            while done < length {
                let now = (length - done).min(8);
                let place = Place {
                    object,
                    offset: p.offset + done,
                    when: p.when,
                };
                let guard = self.under(flow.guard, p.when);
                let found = self.load_one(flow, guard, place, now, block, entry).bits;
                let ones = self.all_ones(now);
                let unused = self.bits_at(unused, done, now);
                let used = self.pool.bv_or(found, unused);
                let mut open = self.pool.ne(used, ones);
                if let Some(when) = p.when {
                    open = self.pool.and(open, when);
                }
                any = self.pool.or(any, open);
                done += now;
            }
        }
        any
    }

    /// A read: if it finds bytes that nobody wrote, what becomes of them is not followed.
    pub(crate) fn note_unwritten_bytes(
        &mut self,
        flow: &mut Flow,
        places: &[Place],
        length: u64,
        unused: u128,
        entry: u32,
    ) {
        let open = self.unwritten(flow, places, length, unused, entry);
        if self.is_constant(open) != Some(false) {
            let thread = self.current.thread;
            let at = self.log_mut(thread).entries[entry as usize].at;
            let guard = self.and(flow.guard, open);
            self.note_unwritten(guard, at);
        }
    }

    /// A write: from now on these bytes are written, but for some bits that are as they were.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn note_written_bytes(
        &mut self,
        flow: &mut Flow,
        places: &[Place],
        length: u64,
        keeps: u128,
        only_if: Option<TermId>,
        block: Option<u32>,
        entry: u32,
    ) {
        for p in places {
            let Some(object) = self.written_of(p.object) else {
                continue;
            };
            let shared = self.facts.touch(object, self.current.thread);
            let block = match (block, shared) {
                (None, true) => Some(self.access_block(entry)),
                (block, _) => block,
            };
            let mut done = 0;
            while done < length {
                let now = (length - done).min(8);
                let place = Place {
                    object,
                    offset: p.offset + done,
                    when: p.when,
                };
                let mut written = self.all_ones(now);
                if done < 16 && keeps >> (8 * done) != 0 {
                    let kept = self.bits_at(keeps, done, now);
                    let guard = self.under(flow.guard, p.when);
                    let found = self.load_one(flow, guard, place, now, block, entry).bits;
                    let fresh = self.pool.bv_not(kept);
                    written = self.pool.bv_or(found, fresh);
                }
                let written = Value::number(written);
                self.store_at(flow, &[place], now, &written, only_if, block, entry);
                done += now;
            }
        }
    }
}
