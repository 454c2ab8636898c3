//! Names for objects and places in them, as a C programmer would write them.

use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::value::ObjectId;
use raddle_ir::{DebugType, TypeId};

impl Machine<'_> {
    /// A name for an object: `counter`, `the heap object`.
    pub fn describe_object(&self, id: ObjectId) -> String {
        let o = self.state.memory.object(id);
        match o.kind {
            ObjectKind::Heap => match o.made_at {
                Some(at) => {
                    let line = self.program.span_of(at).line;
                    format!("a heap object of {} bytes{}", o.size, in_line(line))
                }
                None => format!("a heap object of {} bytes", o.size),
            },
            _ if o.name.is_empty() => "a temporary object".to_string(),
            _ => format!("`{}`", o.name),
        }
    }

    /// A name for a place in an object: `buffer.slots[2]`.
    pub fn describe_place(&self, id: ObjectId, offset: u64) -> String {
        let o = self.state.memory.object(id);
        let base = match o.kind {
            ObjectKind::Heap => return format!("offset {offset} of {}", self.describe_object(id)),
            _ => o.name.to_string(),
        };
        let path = o.debug.map_or(String::new(), |t| self.path(t, offset, 0));
        format!("`{base}{path}`")
    }

    /// How C gets from an object of this type to the byte at `offset`.
    fn path(&self, ty: TypeId, offset: u64, depth: u32) -> String {
        if depth > 16 {
            return String::new();
        }
        match &self.program.types[ty.0 as usize] {
            DebugType::Array { of, .. } => match self.size_of(*of) {
                0 => String::new(),
                size => format!(
                    "[{}]{}",
                    offset / size,
                    self.path(*of, offset % size, depth + 1)
                ),
            },
            // Members of a union lie on top of each other: naming one of them would mislead.
            DebugType::Record {
                fields,
                union: false,
                ..
            } => {
                let inside = |f: &&raddle_ir::Field| {
                    f.offset <= offset && offset < f.offset + self.size_of(f.ty).max(1)
                };
                match fields.iter().rev().find(inside) {
                    Some(f) => {
                        let rest = self.path(f.ty, offset - f.offset, depth + 1);
                        match f.name.is_empty() {
                            true => rest,
                            false => format!(".{}{rest}", f.name),
                        }
                    }
                    None => String::new(),
                }
            }
            _ => String::new(),
        }
    }

    fn size_of(&self, ty: TypeId) -> u64 {
        match &self.program.types[ty.0 as usize] {
            DebugType::Void | DebugType::Function { .. } => 0,
            DebugType::Int { size, .. }
            | DebugType::Float { size, .. }
            | DebugType::Record { size, .. }
            | DebugType::Enum { size, .. } => *size,
            DebugType::Pointer { .. } => self.pointer_bytes,
            DebugType::Array { of, count } => self.size_of(*of).saturating_mul(*count),
        }
    }
}

fn in_line(line: u32) -> String {
    match line {
        0 => String::new(),
        n => format!(" (allocated in line {n})"),
    }
}
