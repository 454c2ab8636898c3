//! The data: templates, edges, steps, objects, cells.

use raddle_ir::{
    DataModel, FuncId, GlobalId, Local, LocalId, Location, Op, Operand, Property, Span, Ty,
};
use std::collections::{BTreeSet, HashMap};

/// A template, an index into [`Ccfg::templates`]; 0 is the initial thread's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TemplateId(pub u32);

/// A location of a template; 0 is its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocId(pub u32);

/// An edge of a template, an index into [`Template::edges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeId(pub u32);

/// An object, an index into [`Ccfg::objects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// A cell, an index into [`Ccfg::cells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellId(pub u32);

/// Something that is not treated, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What, in a few words.
    pub what: String,
    /// Where.
    pub span: Span,
}

/// A concurrent control-flow graph.
#[derive(Clone, Debug)]
pub struct Ccfg {
    /// The widths of types.
    pub model: DataModel,
    /// What threads run.
    pub templates: Vec<Template>,
    /// Memory.
    pub objects: Vec<Object>,
    /// The scalars in it.
    pub cells: Vec<Cell>,
    /// What [`Goal::Refused`] refers to.
    pub refusals: Vec<Refusal>,
    /// Which object a global is.
    pub globals: HashMap<GlobalId, ObjectId>,
    /// Nobody wakes without a signal, so who sleeps on which condition variable is part of a state.
    pub sleepers: bool,
}

/// An object with a fixed address.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its address; an owned object is so far from the beginning of its instance's region.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Every instance of this template has one of its own; `None` for globals.
    pub owner: Option<TemplateId>,
    /// At most one thread touches each.
    pub private: bool,
    /// Another thread than its creator may know its address.
    pub escaped: bool,
    /// It is made by an allocation.
    pub heap: bool,
    /// It holds nothing but zeros at the start.
    pub zero: bool,
}

/// What a cell holds at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// This number.
    Bits(u128),
    /// Any value.
    Any,
}

/// A scalar in memory.
#[derive(Clone, Debug)]
pub struct Cell {
    /// In which object.
    pub object: ObjectId,
    /// Where in it.
    pub offset: u64,
    /// How many bytes.
    pub size: u64,
    /// Its contents at the start.
    pub initial: Initial,
    /// Some step may write it.
    pub written: bool,
    /// Something else than taking it and giving it back may change it while others are there: who holds it as a lock cannot rely on that.
    pub unreliable: bool,
}

/// What threads of a kind run.
#[derive(Clone, Debug)]
pub struct Template {
    /// The function it starts with, by name.
    pub name: String,
    /// Gets the argument.
    pub param: Option<LocalId>,
    /// Registers.
    pub locals: Vec<Local>,
    /// Stack slots, by number in operands.
    pub slots: Vec<ObjectId>,
    /// How many locations there are.
    pub locations: u32,
    /// Where a cycle was cut: every cycle passes one of these.
    pub heads: Vec<LocId>,
    /// Its steps.
    pub edges: Vec<Edge>,
    /// The threads it makes.
    pub sites: Vec<Site>,
    /// By location: the locals that may be read from there on before they are written.
    pub live: Vec<BTreeSet<LocalId>>,
    /// By location: what it is in the program; `None` in the middle of an instruction.
    pub spots: Vec<Option<Spot>>,
    /// Places of the program at which there was to be a location, and which control reaches inside atomic regions, too.
    pub inside: BTreeSet<Location>,
}

/// A place of the program in one activation of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The place: what comes next is this instruction.
    pub at: Location,
    /// The template's local that is the function's first.
    pub locals: u32,
    /// The template's slot that is the function's first.
    pub slots: u32,
}

/// A place at which a thread is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where.
    pub at: Location,
    /// What it runs.
    pub template: TemplateId,
    /// A thread can come by several times.
    pub repeats: bool,
}

/// Where an edge leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// To a location.
    At(LocId),
    /// The thread ends.
    Finish,
    /// The process ends.
    End,
    /// A property is violated at a place.
    Error(Property, Location),
    /// Something that is not treated, an index into [`Ccfg::refusals`].
    Refused(u32),
}

/// One step of a thread.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From where.
    pub from: LocId,
    /// What happens, in order and at once.
    pub steps: Vec<Step>,
    /// Where to.
    pub goal: Goal,
}

/// One instruction of an edge.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it does.
    pub what: What,
    /// Where it comes from in the program.
    pub at: Location,
    /// The cells it may access, if it accesses memory.
    pub cells: Vec<Place>,
    /// The objects of which it may also access what is not divided into cells.
    pub elsewhere: Vec<ObjectId>,
    /// The objects of which it may access any place, as far as is known: what lies in one of them, but at no cell, is not treated.
    pub within: Vec<Within>,
}

/// An object that is accessed at an unknown place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Within {
    /// The object.
    pub object: ObjectId,
    /// So many bytes from the place on lie in it.
    pub bytes: u64,
    /// Of an owned object: only this thread's own.
    pub own: bool,
    /// Its cells are all the places where an element begins; otherwise these are the multiples of the width.
    pub divided: bool,
}

/// A cell that may be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The cell.
    pub cell: CellId,
    /// The kind of the mutex whose word it is.
    pub kind: Option<CellId>,
    /// Of an owned object: only this thread's own.
    pub own: bool,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// An IR instruction over the template's locals and slots; no call, no thread operation.
    Instr(Op),
    /// The result of a function without body.
    External(LocalId),
    /// A value that only the machine knows, the number of an address for example: any is possible here, and the program is not asked.
    Unknown(LocalId),
    /// Goes on only if the condition is so.
    Test(Operand, bool),
    /// Goes on only if the value is among the listed ones, or is not.
    Case {
        /// The type of the value.
        ty: Ty,
        /// The value.
        value: Operand,
        /// The listed ones.
        among: Vec<u128>,
        /// Among them, or not.
        holds: bool,
    },
    /// Makes a thread, an index into [`Template::sites`].
    New {
        /// The site.
        site: u32,
        /// Gets the handle.
        handle: Option<LocalId>,
        /// The argument.
        argument: Operand,
    },
    /// A thread that was made begins.
    Start {
        /// Its handle.
        handle: Operand,
    },
    /// Waits for a thread.
    Join {
        /// It is asked whether it is a join of a thread that can be joined, and that is not known.
        doubtful: bool,
        /// Its handle.
        handle: Operand,
        /// Gets its result.
        result: Option<LocalId>,
    },
    /// The thread's result.
    Result(Operand),
    /// Goes on only if the access of this instruction is to none of its objects; a `free`, if it is not of the beginning of one, nor of null.
    Invalid(Op),
    /// Goes on only if this instruction violates the property: an undefined computation, or a misuse of a synchronisation object as its word tells it.
    Wrong(Property, Op),
    /// Something about marks that the program knows nothing of: those at the address, among the cells of the step.
    Watch(Watch, Operand),
}

/// What is done with marks: a cell that is 1 where something is marked, and 0 otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Goes on only if the place is marked.
    IsMarked,
    /// Marks it.
    Mark,
    /// Marks it, and goes on only if it was not marked.
    MarkFirst,
    /// Takes the mark away.
    Clear,
}

impl Ccfg {
    /// A template.
    pub fn template(&self, id: TemplateId) -> &Template {
        &self.templates[id.0 as usize]
    }

    /// An object.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// A cell.
    pub fn cell(&self, id: CellId) -> &Cell {
        &self.cells[id.0 as usize]
    }

    /// The address of a function.
    pub fn function_address(id: FuncId) -> u64 {
        0x1000 + 16 * u64::from(id.0)
    }

    /// The name of a cell.
    pub fn cell_name(&self, id: CellId) -> String {
        let cell = self.cell(id);
        let object = self.object(cell.object);
        match cell.offset == 0 && cell.size == object.size {
            true => object.name.clone(),
            false => format!("{}+{}", object.name, cell.offset),
        }
    }
}
