//! Leaks: heap objects that nothing points to when the process ends, and objects that are not freed by then.
//!
//! Whoever ends the process looks at everything in one step: which heap objects there are (a byte for each that allocation sets and
//! `free` clears), and every word into which the address of one was ever written. Reachable is what a global points to, and what
//! reachable heap objects point to; where everything is to be freed, only globals of the library count.
//!
//! What it misses: pointers on stacks and in registers count as references, too, but where the other threads stand is not
//! known. So a leak found here may be none, and is only claimed if it replays; none found here is none.

use crate::access::Place;
use crate::guard::Guard;
use crate::names::ObjectKey;
use crate::state::{Flow, State};
use crate::unwind::Unwinder;
use raddle_ir::{Location, Property};
use raddle_solver::term::TermId;
use raddle_symbolic::{ObjectId, Targets, Value};

/// More heap objects than this are not looked at; nor, if they are more than a few, more pairs of one and a word that may refer to it.
const MOST: usize = 256;
const MOST_PAIRS: usize = 600;
const FEW: usize = 24;

impl Unwinder<'_> {
    fn presence(&mut self, object: ObjectId) -> Option<Place> {
        let object = self.names.object(ObjectKey::Present(object), 1, 1, true)?;
        Some(Place {
            object,
            offset: 0,
            when: None,
        })
    }

    /// Whether it matters what is left on the heap in the end.
    pub(crate) fn looks_for_leaks(&self) -> bool {
        self.wants(Property::ValidMemtrack) || self.wants(Property::ValidMemcleanup)
    }

    /// A heap object comes into being, or goes.
    pub(crate) fn note_presence(
        &mut self,
        flow: &mut Flow,
        object: ObjectId,
        there: bool,
        when: Option<TermId>,
        block: Option<u32>,
        entry: u32,
    ) {
        if !self.looks_for_leaks() {
            return;
        }
        self.facts.allocate(object);
        if let Some(place) = self.presence(object) {
            let value = Value::number(self.pool.bits(8, u128::from(there)));
            self.store_at(flow, &[place], 1, &value, when, block, entry);
        }
    }

    /// A value is written; if it may be the address of a heap object, the place matters for leaks.
    pub(crate) fn note_reference(&mut self, places: &[Place], length: u64, value: &Value) {
        let bytes = self.program.model.pointer_bytes();
        if !self.looks_for_leaks() || length != bytes {
            return;
        }
        let Targets::These(all) = &value.targets else {
            return;
        };
        let heap = |o: &ObjectId| matches!(self.names.get(*o).key, ObjectKey::Heap(..));
        if !all.iter().any(heap) {
            return;
        }
        for p in places.iter().filter(|p| p.offset.is_multiple_of(bytes)) {
            self.facts.refer(p.object, p.offset);
        }
    }

    /// Whether an address lies in an object, or just behind it.
    fn points_to(&mut self, value: &Value, object: ObjectId) -> TermId {
        match &value.targets {
            Targets::These(all) if all.contains(&object) => {}
            _ => return self.pool.bool(false),
        }
        let o = self.names.get(object);
        let (base, size) = (u128::from(o.base), u128::from(o.size));
        let width = self.pool.width(value.bits);
        let low = self.pool.bits(width, base);
        let high = self.pool.bits(width, base + size);
        let above = self.pool.bv_ule(low, value.bits);
        let below = self.pool.bv_ule(value.bits, high);
        self.pool.and(above, below)
    }

    /// The process ends here.
    pub(crate) fn look_for_leaks(&mut self, state: &mut State, at: Location, entry: u32) {
        let mut heap = self.facts.allocated();
        if !self.looks_for_leaks() || heap.is_empty() {
            return;
        }
        let guard = state.flow.guard;
        if heap.len() > MOST
            || heap.len() > FEW && heap.len() * self.facts.references().len() > MOST_PAIRS
        {
            self.unsupported(
                guard,
                at,
                "leaks among more heap objects than are looked at",
            );
            return;
        }
        let block = Some(self.access_block(entry));
        let mut present = Vec::new();
        for &object in &heap {
            let Some(place) = self.presence(object) else {
                return;
            };
            let value = self
                .load_at(&mut state.flow, &[place], 1, block, entry)
                .bits;
            present.push(self.equals(value, 1));
        }
        // Those that are certainly gone are nobody's concern.
        let gone: Vec<bool> = (present.iter())
            .map(|p| self.is_constant(*p) == Some(false))
            .collect();
        let keep = |i: usize| !gone[i];
        heap = (0..heap.len())
            .filter(|i| keep(*i))
            .map(|i| heap[i])
            .collect();
        present = (0..gone.len())
            .filter(|i| keep(*i))
            .map(|i| present[i])
            .collect();
        if heap.is_empty() {
            return;
        }
        for property in [Property::ValidMemtrack, Property::ValidMemcleanup] {
            if !self.wants(property) {
                continue;
            }
            let leak = self.left_behind(state, property, &heap, &present, block, entry);
            if property == Property::ValidMemtrack {
                let lost = self.and(state.flow.guard, leak);
                let what = "memory to which only the stack of a thread may point in the end";
                self.unsupported(lost, at, what);
            }
            self.check(&mut state.flow, at, property, leak, false);
        }
    }

    /// When a heap object that is present is not reached from the roots.
    fn left_behind(
        &mut self,
        state: &mut State,
        property: Property,
        heap: &[ObjectId],
        present: &[TermId],
        block: Option<u32>,
        entry: u32,
    ) -> TermId {
        let bytes = self.program.model.pointer_bytes();
        let no = self.pool.bool(false);
        let mut reached = vec![no; heap.len()];
        let mut inner = Vec::new();
        for (object, offset) in self.facts.references() {
            let from = match self.names.get(object).key {
                ObjectKey::Global(g) => match property {
                    Property::ValidMemcleanup if !self.program.is_library_global(g) => continue,
                    _ => None,
                },
                ObjectKey::Heap(..) => match heap.iter().position(|o| *o == object) {
                    None => continue,
                    known => known,
                },
                _ => continue,
            };
            let place = Place {
                object,
                offset,
                when: None,
            };
            let value = self.load_at(&mut state.flow, &[place], bytes, block, entry);
            for (i, &target) in heap.iter().enumerate() {
                let points = self.points_to(&value, target);
                match from {
                    None => reached[i] = self.pool.or(reached[i], points),
                    Some(from) if from != i => inner.push((from, i, points)),
                    Some(_) => {}
                }
            }
        }
        for _ in 1..heap.len() {
            let before = reached.clone();
            for &(from, to, points) in &inner {
                // What was freed holds nothing any more.
                let alive = self.pool.and(before[from], present[from]);
                let through = self.pool.and(alive, points);
                reached[to] = self.pool.or(reached[to], through);
            }
            if before == reached {
                break;
            }
        }
        let mut leak = no;
        for (&present, reached) in present.iter().zip(reached) {
            let lost = self.pool.not(reached);
            let lost = self.pool.and(present, lost);
            leak = self.pool.or(leak, lost);
        }
        leak
    }

    /// The process ends because all threads have: then leaks are not looked for.
    pub(crate) fn end_without_exit(&mut self, finished: Guard) {
        let at = Location {
            function: self.program.entry,
            block: raddle_ir::BlockId(0),
            index: 0,
        };
        if self.looks_for_leaks() && !self.facts.allocated().is_empty() {
            let what = "leaks in a process that ends with its last thread";
            self.unsupported(finished, at, what);
        }
    }
}
