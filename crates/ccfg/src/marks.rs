//! Marks: cells that the program knows nothing of, beside the cells and objects of the program.
//!
//! A mark lies in an object of its own that has the address and the owner of the object it is about, so a place that is marked is found
//! by its address, and every thread's own object has marks of its own.

use crate::graph::{Cell, CellId, Initial, Object, ObjectId, Place, Step, Watch, What};
use crate::memory::Resolved;
use raddle_ir::{Location, Operand};
use std::collections::HashMap;

/// The marks of one kind, made on demand.
pub struct Marks {
    what: &'static str,
    objects: HashMap<ObjectId, ObjectId>,
    cells: HashMap<(ObjectId, u64), CellId>,
}

impl Marks {
    /// None yet.
    pub fn new(what: &'static str) -> Marks {
        Marks {
            what,
            objects: HashMap::new(),
            cells: HashMap::new(),
        }
    }

    /// The mark at an offset of an object, as a place of a step.
    pub fn place(
        &mut self,
        resolved: &mut Resolved,
        object: ObjectId,
        offset: u64,
        own: bool,
    ) -> Place {
        let what = self.what;
        let beside = *self.objects.entry(object).or_insert_with(|| {
            let o = &resolved.raw.objects[object.0 as usize];
            let new = Object {
                name: format!("{what} {}", o.name),
                private: false,
                escaped: true,
                heap: false,
                zero: true,
                // A mark is a byte, even at the end.
                size: o.size.max(1),
                ..o.clone()
            };
            resolved.raw.objects.push(new);
            ObjectId(resolved.raw.objects.len() as u32 - 1)
        });
        let cell = *self.cells.entry((object, offset)).or_insert_with(|| {
            resolved.cells.push(Cell {
                object: beside,
                offset,
                size: 1,
                initial: Initial::Bits(0),
                written: true,
                unreliable: true,
            });
            CellId(resolved.cells.len() as u32 - 1)
        });
        Place {
            cell,
            kind: None,
            own,
        }
    }
}

/// A step that sets marks, takes them away or looks at them.
pub fn watching(watch: Watch, address: Operand, at: Location, cells: Vec<Place>) -> Step {
    Step {
        what: What::Watch(watch, address),
        at,
        cells,
        elsewhere: Vec::new(),
        within: Vec::new(),
    }
}
