//! Names for objects and places in them, as a C programmer would write them.

use crate::machine::Machine;
use crate::memory::{ByteState, Memory, ObjectKind};
use crate::value::ObjectId;
use raddle_ir::{DebugType, ObjectOrigin, TypeId};

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

    /// Where an object comes from, in terms of the program.
    pub(crate) fn origin(&self, id: ObjectId) -> Option<ObjectOrigin> {
        let o = self.state.memory.object(id);
        match o.kind {
            ObjectKind::Global(g) => Some(ObjectOrigin::Global(g)),
            ObjectKind::Heap => o
                .made_at
                .map(|at| ObjectOrigin::Heap(self.program.span_of(at))),
            ObjectKind::Stack => o.made_at.map(|at| ObjectOrigin::Slot {
                function: at.function,
                name: o.name.to_string(),
            }),
            _ => None,
        }
    }

    /// A name for a place in an object: `buffer.slots[2]`.
    pub fn describe_place(&self, id: ObjectId, offset: u64) -> String {
        match self.state.memory.object(id).kind {
            ObjectKind::Heap => format!("offset {offset} of {}", self.describe_object(id)),
            _ => match &*self.place_name(id, offset) {
                "" => self.describe_object(id),
                name => format!("`{name}`"),
            },
        }
    }

    /// The name of a place that is not on the heap.
    pub(crate) fn variable_name(&self, id: ObjectId, offset: u64) -> Option<String> {
        let heap = self.state.memory.object(id).kind == ObjectKind::Heap;
        (!heap).then(|| self.place_name(id, offset))
    }

    /// The same in as few words as possible: `buffer.slots[2]`, `heap#3+8`.
    pub fn place_name(&self, id: ObjectId, offset: u64) -> String {
        let o = self.state.memory.object(id);
        let path = o.debug.map_or(String::new(), |t| self.path(t, offset, 0));
        match o.kind {
            ObjectKind::Heap if offset == 0 => format!("heap#{}", id.0),
            ObjectKind::Heap => format!("heap#{}+{offset}", id.0),
            _ => format!("{}{path}", o.name),
        }
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

    /// The bytes at a place of an object, as a C programmer would write their value; with `memory`, another memory of this
    /// machine's than the present one. `None` if nothing is there.
    pub fn describe_value(
        &self,
        memory: &Memory,
        id: ObjectId,
        offset: u64,
        length: u64,
    ) -> Option<String> {
        if !memory.has(id) {
            return None;
        }
        let o = memory.object(id);
        let range = offset as usize..offset.checked_add(length)? as usize;
        let bytes = o.bytes.get(range.clone()).filter(|b| b.len() <= 8)?;
        let written = |s: &Vec<ByteState>| s.get(range).is_some_and(|s| s.iter().all(is_settled));
        if o.states.as_ref().is_some_and(|s| !written(s)) {
            return Some("?".into());
        }
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let word = u64::from_le_bytes(word);
        let leaf = o.debug.and_then(|t| self.leaf(t, offset, length, 0));
        Some(match leaf.map(|t| &self.program.types[t.0 as usize]) {
            Some(DebugType::Pointer { .. }) if word == 0 => "NULL".into(),
            Some(DebugType::Pointer { .. }) => match o.pointers.get(&offset) {
                Some(to) => {
                    let base = memory.object(*to).base;
                    format!("&{}", self.place_name(*to, word.wrapping_sub(base)))
                }
                None => format!("{word:#x}"),
            },
            // Heap objects have no types, but pointers in them are known.
            None if bytes.len() == 8 && o.pointers.contains_key(&offset) => {
                let to = o.pointers[&offset];
                let base = memory.object(to).base;
                format!("&{}", self.place_name(to, word.wrapping_sub(base)))
            }
            Some(DebugType::Float { size: 4, .. }) => f32::from_bits(word as u32).to_string(),
            Some(DebugType::Float { size: 8, .. }) => f64::from_bits(word).to_string(),
            Some(DebugType::Int { signed: false, .. }) => word.to_string(),
            _ => {
                let unused = 64 - 8 * bytes.len() as u32;
                ((word << unused) as i64 >> unused).to_string()
            }
        })
    }

    /// The type of so many bytes in an object of some type, if they are one scalar.
    fn leaf(&self, ty: TypeId, offset: u64, length: u64, depth: u32) -> Option<TypeId> {
        if depth > 16 {
            return None;
        }
        match &self.program.types[ty.0 as usize] {
            DebugType::Array { of, .. } => match self.size_of(*of) {
                0 => None,
                size => self.leaf(*of, offset % size, length, depth + 1),
            },
            DebugType::Record { fields, .. } => {
                let inside = |f: &&raddle_ir::Field| {
                    f.offset <= offset && offset < f.offset + self.size_of(f.ty).max(1)
                };
                let field = fields.iter().rev().find(inside)?;
                self.leaf(field.ty, offset - field.offset, length, depth + 1)
            }
            _ => (offset == 0 && self.size_of(ty) == length).then_some(ty),
        }
    }

    /// The size of an object of this type; 0 if it has none.
    pub fn size_of(&self, ty: TypeId) -> u64 {
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

fn is_settled(state: &ByteState) -> bool {
    *state != ByteState::Open
}

fn in_line(line: u32) -> String {
    match line {
        0 => String::new(),
        n => format!(" (allocated in line {n})"),
    }
}
