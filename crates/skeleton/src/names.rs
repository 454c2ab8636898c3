//! Names that stay the same from one pass over the program to the next: call contexts, threads, objects, cells.
//!
//! A pass unwinds all threads; what it learns (which objects are shared, say) may force another pass, and facts are only
//! worth keeping if they speak of the same things. So everything is named by how it comes into being: a thread by the place of
//! its creation, an object by the place of its allocation, each with the calls and loop iterations around it.

use raddle_ir::{DataModel, FuncId, GlobalId, Location, Program, SlotId};
use raddle_solver::term::TermId;
use raddle_symbolic::ObjectId;
use std::collections::{HashMap, HashSet};

/// A place in the unwound program: calls and iterations that lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(pub u32);

/// A thread of the unwound program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadNo(pub u32);

/// A piece of a shared object that is always accessed as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellId(pub u32);

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKey {
    /// A global.
    Global(GlobalId),
    /// A thread's copy of a thread-local one.
    ThreadLocal(ThreadNo, GlobalId),
    /// The code of a function.
    Function(FuncId),
    /// A stack slot that came to life there.
    Slot(ThreadNo, Path, FuncId, SlotId),
    /// Memory of `malloc` and relatives.
    Heap(ThreadNo, Path),
    /// A variable-length array or memory of `alloca`.
    Array(ThreadNo, Path),
    /// On what a thread sleeps: a word, 0 as long as it is awake.
    Sleep(ThreadNo),
    /// A thread, as its handle means it: nothing that could be accessed.
    Thread(ThreadNo),
    /// Whether a thread was joined or detached: one byte, 0 as long as it was not.
    Retired(ThreadNo),
    /// What numbers that were computed from addresses belong to: nothing that could be accessed.
    Number,
    /// How often a thread holds the reader-writer locks in an object: a word at the place of each.
    Holds(ThreadNo, ObjectId),
    /// Whether another object lives: one byte, 0 as long as it does.
    Life(ObjectId),
    /// Whether a heap object exists: one byte, 1 from its allocation until it is freed.
    Present(ObjectId),
    /// Which bytes of another object were written: all ones where they were.
    Written(ObjectId),
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is.
    pub key: ObjectKey,
    /// Its size.
    pub size: u64,
    /// Its address.
    pub base: u64,
    /// What its address is a multiple of, wherever it lies.
    pub align: u64,
    /// Its bytes are zero at first.
    pub zeroed: bool,
}

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The object.
    pub object: ObjectId,
    /// The first byte.
    pub offset: u64,
    /// How many bytes.
    pub length: u64,
}

const GAP: u64 = 64;

/// All names.
pub struct Names {
    paths: HashMap<(Path, Location, Vec<u32>), Path>,
    threads: HashMap<(ThreadNo, Path), ThreadNo>,
    objects: HashMap<ObjectKey, ObjectId>,
    cells: HashMap<Cell, CellId>,
    object_list: Vec<Object>,
    cell_list: Vec<Cell>,
    /// Bytes of synchronisation objects: where nobody has written them, they are zero.
    sync_bytes: HashSet<(ObjectId, u64)>,
    /// What variables of this pass stand for.
    roles: HashMap<TermId, Role>,
    next_base: u64,
    limit: u64,
}

/// What a variable stands for, where it matters to others than its maker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A byte, or a result, that was never written.
    Unwritten,
    /// That a blocked operation is granted.
    Granted,
    /// What a branch that was not taken may have done.
    Untaken,
}

impl Names {
    /// No names yet but those of the initial thread and of the empty path.
    pub fn new(model: DataModel) -> Names {
        Names {
            paths: HashMap::new(),
            threads: HashMap::new(),
            objects: HashMap::new(),
            cells: HashMap::new(),
            object_list: Vec::new(),
            cell_list: Vec::new(),
            sync_bytes: HashSet::new(),
            roles: HashMap::new(),
            next_base: 0x1_0000,
            limit: match model {
                DataModel::Ilp32 => 0x7000_0000,
                DataModel::Lp64 => 0x7fff_ffff_0000,
            },
        }
    }

    /// The path that goes on from another.
    pub fn path(&mut self, from: Path, at: Location, iterations: &[u32]) -> Path {
        let next = Path(self.paths.len() as u32 + 1);
        *self
            .paths
            .entry((from, at, iterations.to_vec()))
            .or_insert(next)
    }

    /// The thread created there.
    pub fn thread(&mut self, parent: ThreadNo, at: Path) -> ThreadNo {
        let next = ThreadNo(self.threads.len() as u32 + 1);
        *self.threads.entry((parent, at)).or_insert(next)
    }

    /// The object of that key; `None` if the address space is full.
    pub fn object(
        &mut self,
        key: ObjectKey,
        size: u64,
        align: u64,
        zeroed: bool,
    ) -> Option<ObjectId> {
        if let Some(&id) = self.objects.get(&key)
            && self.object_list[id.0 as usize].size >= size
        {
            return Some(id);
        }
        let align = align.max(1);
        // The base is one of many: what is known of it is only the alignment.
        let base = self.next_base.next_multiple_of(align.max(16));
        let next = base.checked_add(size.max(1))?.checked_add(GAP)?;
        if next > self.limit {
            return None;
        }
        self.next_base = next;
        let id = ObjectId(self.object_list.len() as u32);
        self.objects.insert(key, id);
        self.object_list.push(Object {
            key,
            size,
            base,
            align,
            zeroed,
        });
        Some(id)
    }

    /// The object of that key, if there is one.
    pub fn find(&self, key: &ObjectKey) -> Option<ObjectId> {
        self.objects.get(key).copied()
    }

    /// All objects.
    pub fn objects(&self) -> Vec<(ObjectId, Object)> {
        let all = self.object_list.iter().enumerate();
        all.map(|(i, o)| (ObjectId(i as u32), o.clone())).collect()
    }

    /// An object.
    pub fn get(&self, id: ObjectId) -> &Object {
        &self.object_list[id.0 as usize]
    }

    /// The word there is used for synchronisation; the answer is whether that is news.
    pub fn synchronises(&mut self, object: ObjectId, offset: u64) -> bool {
        if self.get(object).zeroed {
            return false;
        }
        let new = self.sync_bytes.insert((object, offset));
        for i in 1..4 {
            self.sync_bytes.insert((object, offset + i));
        }
        new
    }

    /// Whether a byte belongs to such a word.
    pub fn is_sync_byte(&self, object: ObjectId, offset: u64) -> bool {
        self.sync_bytes.contains(&(object, offset))
    }

    /// Begins a pass with terms of its own.
    pub(crate) fn forget_roles(&mut self) {
        self.roles.clear();
    }

    /// Notes what a variable stands for.
    pub(crate) fn set_role(&mut self, variable: TermId, role: Role) {
        self.roles.insert(variable, role);
    }

    /// What a variable stands for, if that was noted.
    pub fn role(&self, variable: TermId) -> Option<Role> {
        self.roles.get(&variable).copied()
    }

    /// The cell of that extent.
    pub fn cell(&mut self, cell: Cell) -> CellId {
        if let Some(&id) = self.cells.get(&cell) {
            return id;
        }
        let id = CellId(self.cell_list.len() as u32);
        self.cells.insert(cell, id);
        self.cell_list.push(cell);
        id
    }

    /// The extent of a cell.
    pub fn extent(&self, id: CellId) -> Cell {
        self.cell_list[id.0 as usize]
    }

    /// The name of an object as a reader would know it.
    pub fn describe(&self, program: &Program, id: ObjectId) -> String {
        match self.get(id).key {
            ObjectKey::Global(g) | ObjectKey::ThreadLocal(_, g) => program.global(g).name.clone(),
            ObjectKey::Function(f) => program.function(f).name.clone(),
            ObjectKey::Slot(_, _, f, s) => program.function(f).slots[s.0 as usize].name.clone(),
            ObjectKey::Heap(..) | ObjectKey::Array(..) => "dynamic memory".to_string(),
            ObjectKey::Number => "a number".to_string(),
            ObjectKey::Sleep(t) => format!("the sleep of thread {}", t.0),
            ObjectKey::Thread(t) => format!("thread {}", t.0),
            ObjectKey::Written(o) => format!("what is written of {}", self.describe(program, o)),
            ObjectKey::Retired(t) => format!("whether thread {} was joined", t.0),
            ObjectKey::Holds(t, o) => {
                format!("locks of thread {} in {}", t.0, self.describe(program, o))
            }
            ObjectKey::Present(o) => format!("the presence of {}", self.describe(program, o)),
            ObjectKey::Life(o) => format!("the life of {}", self.describe(program, o)),
        }
    }
}
