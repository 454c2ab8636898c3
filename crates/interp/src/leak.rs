//! Leaks: heap objects that nothing points to when the process ends, and objects that are not freed by then.
//!
//! Roots are globals and the stacks of threads that still live; where everything is to be freed, only globals of the library, whose
//! memory is not the program's business. Like LeakSanitizer, any aligned word that
//! happens to hold an address inside an object counts as a reference, so that a pointer copied byte by
//! byte is no false alarm. Where that decides, an address is used as a number: [`Machine::referred_to_by_number_only`].

use crate::machine::{Machine, ThreadId};
use crate::memory::{Life, ObjectKind};
use crate::thread::{Thread, ThreadStatus};
use crate::value::ObjectId;
use crate::violation::Violation;
use raddle_ir::{BlockId, Location, Property};

impl Machine<'_> {
    /// Whether it matters what is left on the heap in the end.
    pub fn looks_for_leaks(&self) -> bool {
        let checks = &self.config.checks;
        checks.has(Property::ValidMemtrack) || checks.has(Property::ValidMemcleanup)
    }

    /// A heap object that violates one of the two properties of memory that is left.
    pub(crate) fn find_leak(&self, property: Property) -> Option<Violation> {
        let cleanup = property == Property::ValidMemcleanup;
        let memory = &self.state.memory;
        let heap = self.live_heap();
        if heap.is_empty() {
            return None;
        }
        let seen = self.referred_to(&heap, cleanup, false);
        let (_, lost) = heap.into_iter().find(|(_, id)| !seen[id.0 as usize])?;
        let object = memory.object(lost);
        let nowhere = Location {
            function: self.program.entry,
            block: BlockId(0),
            index: 0,
        };
        Some(Violation {
            property,
            message: match cleanup {
                true => format!(
                    "{} bytes allocated here are not freed when the process ends",
                    object.size
                ),
                false => format!(
                    "{} bytes allocated here are never freed, and nothing points to them when the process ends",
                    object.size
                ),
            },
            thread: if object.made_at.is_some() {
                object.owner
            } else {
                ThreadId(0)
            },
            at: object.made_at.unwrap_or(nowhere),
            object: None,
            variable: None,
            related: Vec::new(),
            notes: Vec::new(),
        })
    }

    /// Whether a pointer is kept where no root reaches it but the program may find it again: as the result of a thread that is over, in a
    /// `jmp_buf`, or across two words. What nothing else points to is lost for a while.
    pub fn hides_pointers(&self) -> bool {
        let waits = |t: &Thread| t.status == ThreadStatus::Finished && !t.joined;
        let hides = |t: &Thread| waits(t) && t.result.provenance.is_some() || !t.jumps.is_empty();
        let crosses = |id: ObjectId| {
            let mut offsets = self.state.memory.object(id).pointers.keys();
            offsets.any(|offset| offset % self.pointer_bytes != 0)
        };
        self.state.threads.iter().any(hides) || self.state.memory.ids().any(crosses)
    }

    /// Whether something on the heap is referred to, but by no pointer.
    pub fn referred_to_by_number_only(&self) -> bool {
        let heap = self.live_heap();
        let by_any = self.referred_to(&heap, false, false);
        let by_pointer = self.referred_to(&heap, false, true);
        by_any != by_pointer
    }

    /// The objects on the heap, by address.
    fn live_heap(&self) -> Vec<(u64, ObjectId)> {
        let memory = &self.state.memory;
        let is_heap = |id: &ObjectId| {
            let o = memory.object(*id);
            o.kind == ObjectKind::Heap && o.life == Life::Live
        };
        let ids = memory.ids().filter(is_heap);
        let mut heap: Vec<(u64, ObjectId)> = ids.map(|id| (memory.object(id).base, id)).collect();
        heap.sort_unstable();
        heap
    }

    /// Which objects can be reached from the roots, by words that are `pointers` or by all; with `cleanup`, from the library only.
    fn referred_to(&self, heap: &[(u64, ObjectId)], cleanup: bool, pointers: bool) -> Vec<bool> {
        let memory = &self.state.memory;
        let find = |address: u64| {
            let at = heap.partition_point(|(base, _)| *base <= address);
            let (base, id) = *heap.get(at.checked_sub(1)?)?;
            (address - base <= memory.object(id).size).then_some(id)
        };
        let mut seen = vec![false; memory.ids().last().map_or(1, |i| i.0 as usize + 1)];
        let mut todo = Vec::new();
        for id in memory.ids() {
            let o = memory.object(id);
            let root = match o.kind {
                ObjectKind::Global(g) => !cleanup || self.program.is_library_global(g),
                ObjectKind::Stack => !cleanup,
                _ => false,
            };
            if root && o.life == Life::Live {
                seen[id.0 as usize] = true;
                todo.push(id);
            }
        }
        let mut reach = |id: Option<ObjectId>, todo: &mut Vec<ObjectId>| {
            if let Some(id) = id
                && !std::mem::replace(&mut seen[id.0 as usize], true)
            {
                todo.push(id);
            }
        };
        for t in self.state.threads.iter().filter(|_| !cleanup) {
            let values = t.stack().flat_map(|f| &f.locals);
            for value in values {
                let to = find(value.low());
                reach(
                    to.filter(|o| !pointers || *o == value.provenance),
                    &mut todo,
                );
            }
        }
        let bytes = self.pointer_bytes;
        while let Some(id) = todo.pop() {
            let object = memory.object(id);
            let words = object.bytes.chunks_exact(bytes as usize).enumerate();
            for (i, word) in words {
                let address = word.iter().rev().fold(0, |a, b| a << 8 | u64::from(*b));
                let stored = object.pointers.get(&(i as u64 * bytes));
                reach(
                    find(address).filter(|o| !pointers || Some(o) == stored),
                    &mut todo,
                );
            }
        }
        seen
    }
}
