//! Leaks: heap objects that nothing points to when the process ends, and objects that are not freed by then.
//!
//! Roots are globals and the stacks of threads that still live; where everything is to be freed, only globals of the library, whose
//! memory is not the program's business. Like LeakSanitizer, any aligned word that
//! happens to hold an address inside an object counts as a reference, so that a pointer copied byte by
//! byte is no false alarm.

use crate::machine::{Machine, ThreadId};
use crate::memory::{Life, ObjectKind};
use crate::value::ObjectId;
use crate::violation::Violation;
use raddle_ir::{BlockId, Location, Property};

impl Machine<'_> {
    /// Whether it matters what is left on the heap in the end.
    pub(crate) fn looks_for_leaks(&self) -> bool {
        let checks = &self.config.checks;
        checks.has(Property::ValidMemtrack) || checks.has(Property::ValidMemcleanup)
    }

    /// A heap object that violates one of the two properties of memory that is left.
    pub(crate) fn find_leak(&self, property: Property) -> Option<Violation> {
        let cleanup = property == Property::ValidMemcleanup;
        let memory = &self.state.memory;
        let is_heap = |id: &ObjectId| {
            let o = memory.object(*id);
            o.kind == ObjectKind::Heap && o.life == Life::Live
        };
        let mut heap: Vec<(u64, ObjectId)> = memory
            .ids()
            .filter(is_heap)
            .map(|id| (memory.object(id).base, id))
            .collect();
        if heap.is_empty() {
            return None;
        }
        heap.sort_unstable();
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
            for value in t.stack().flat_map(|f| &f.locals) {
                reach(find(value.low()), &mut todo);
            }
        }
        while let Some(id) = todo.pop() {
            let words = memory
                .object(id)
                .bytes
                .chunks_exact(self.pointer_bytes as usize);
            for word in words {
                let address = word.iter().rev().fold(0, |a, b| a << 8 | u64::from(*b));
                reach(find(address), &mut todo);
            }
        }
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
}
