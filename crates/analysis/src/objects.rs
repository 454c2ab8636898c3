//! Abstract objects: what pointers may point to, each standing for all concrete objects of one origin.
//!
//! Also threads, although they have no bytes: a handle "points to" the creation it came from, so that the flow of
//! handles to joins is found by the same means as the flow of addresses.

use raddle_ir::{FuncId, GlobalId, Location, Program, SlotId};
use std::collections::HashMap;

/// An abstract object, an index into [`Objects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// The object behind an address whose origin cannot be known: any exposed object.
    pub const UNKNOWN: ObjectId = ObjectId(0);
}

/// What an abstract object stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// See [`ObjectId::UNKNOWN`].
    Unknown,
    /// A global; if it is thread-local, the copies of all threads.
    Global(GlobalId),
    /// All objects a slot of a function ever names.
    Slot(FuncId, SlotId),
    /// All objects made by an `alloc` (heap, variable-length array, `alloca`).
    Allocated(Location),
    /// A function.
    Function(FuncId),
    /// All threads made by a `thread_new`.
    Thread(Location),
}

/// All abstract objects that some pointer points to.
#[derive(Clone, Debug)]
pub struct Objects {
    list: Vec<Object>,
    sizes: Vec<Option<u64>>,
    ids: HashMap<Object, ObjectId>,
}

impl Default for Objects {
    fn default() -> Objects {
        let mut objects = Objects {
            list: Vec::new(),
            sizes: Vec::new(),
            ids: HashMap::new(),
        };
        objects.add(Object::Unknown, None);
        objects
    }
}

impl Objects {
    /// The id of an object, made on first use; `size` in bytes, if it has one.
    pub(crate) fn add(&mut self, object: Object, size: Option<u64>) -> ObjectId {
        if let Some(id) = self.ids.get(&object) {
            return *id;
        }
        let id = ObjectId(self.list.len() as u32);
        self.list.push(object);
        self.sizes.push(size);
        self.ids.insert(object, id);
        id
    }

    /// The id of an object, if any pointer was found to point to it.
    pub fn id(&self, object: Object) -> Option<ObjectId> {
        self.ids.get(&object).copied()
    }

    /// What an id stands for.
    pub fn get(&self, id: ObjectId) -> Object {
        self.list[id.0 as usize]
    }

    /// Its size in bytes, if all concrete objects have the same.
    pub fn size(&self, id: ObjectId) -> Option<u64> {
        self.sizes[id.0 as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none; never, for the unknown one always exists.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.list.len() as u32).map(ObjectId)
    }

    /// Whether it has bytes (is neither a function nor a thread nor unknown).
    pub fn is_memory(&self, id: ObjectId) -> bool {
        matches!(
            self.get(id),
            Object::Global(_) | Object::Slot(..) | Object::Allocated(_)
        )
    }

    /// A name for people.
    pub fn name(&self, program: &Program, id: ObjectId) -> String {
        let function = |f: FuncId| format!("{}#{}", program.function(f).name, f.0);
        let place = |at: Location| {
            let line = program.span_of(at).line;
            format!(
                "{}:b{}.{} (line {line})",
                function(at.function),
                at.block.0,
                at.index
            )
        };
        match self.get(id) {
            Object::Unknown => "unknown".to_string(),
            Object::Global(g) => format!("@{}#{}", program.global(g).name, g.0),
            Object::Slot(f, s) => {
                let name = &program.function(f).slots[s.0 as usize].name;
                format!("{}${name}#{}", function(f), s.0)
            }
            Object::Allocated(at) => format!("alloc {}", place(at)),
            Object::Function(f) => format!("&{}", function(f)),
            Object::Thread(at) => format!("thread {}", place(at)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_one_id() {
        let mut objects = Objects::default();
        let a = objects.add(Object::Global(GlobalId(3)), Some(4));
        assert_eq!(objects.add(Object::Global(GlobalId(3)), Some(4)), a);
        assert_eq!(objects.get(a), Object::Global(GlobalId(3)));
        assert_eq!(objects.size(a), Some(4));
        assert_ne!(a, ObjectId::UNKNOWN);
    }
}
