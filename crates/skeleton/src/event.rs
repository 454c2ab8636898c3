//! The skeleton as data: events, targets of reachability, and what is needed to tell a run from a model.

use crate::guard::{Guard, Guards};
use crate::names::{CellId, Names, ThreadNo};
use crate::phantom::Phantom;
use crate::ways::Way;
use raddle_ir::{ChoiceClass, Location, Property};
use raddle_solver::term::{TermId, TermPool};
use raddle_symbolic::ObjectId;
use std::rc::Rc;

/// An event, an index into [`Skeleton::events`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventNo(pub u32);

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Reads a cell; the term is the value it finds.
    Read(CellId, TermId),
    /// Writes a cell.
    Write(CellId, TermId),
    /// Makes a thread run.
    Start(ThreadNo),
    /// Has waited for the end of a thread.
    Join(ThreadNo),
    /// Does nothing; others are ordered by it.
    Mark,
}

/// How many steps of every thread are known to come before; by thread number.
pub type Clock = Rc<Vec<u32>>;

/// An event. Those of one thread are in program order.
#[derive(Clone, Debug)]
pub struct Event {
    /// Whose.
    pub thread: ThreadNo,
    /// What.
    pub kind: Kind,
    /// When it occurs.
    pub guard: Guard,
    /// The indivisible block it belongs to.
    pub block: Option<u32>,
    /// Its time in its own thread.
    pub time: u32,
    /// What comes before it.
    pub clock: Clock,
    /// Its entry in the thread's log.
    pub entry: u32,
    /// How it counts for races.
    pub manner: Manner,
    /// It comes after everything else.
    pub last: bool,
    /// A write that is overwritten before anybody can see it.
    pub unseen: bool,
}

/// How an access counts for races.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// It is atomic.
    pub atomic: bool,
    /// It is in an atomic region of the user's.
    pub region: bool,
    /// It is no part of a synchronisation operation.
    pub plain: bool,
    /// Locks its thread holds for certain.
    pub held: Rc<Vec<CellId>>,
}

/// An instruction that was unwound.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Which.
    pub at: Location,
    /// When it is executed.
    pub guard: Guard,
}

/// A choice that the interpreter will ask for.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Where.
    pub at: Location,
    /// When.
    pub guard: Guard,
    /// Its kind.
    pub kind: ChoiceClass,
    /// The entry of the log at which it is asked; then nothing else is asked there, and perhaps not even this.
    pub entry: Option<u32>,
    /// The answer.
    pub value: TermId,
}

/// A thread.
#[derive(Clone, Debug, Default)]
pub struct ThreadLog {
    /// Who made it, and with which entry of its log (`thread_new`).
    pub made: Option<(ThreadNo, u32)>,
    /// Memory accesses and synchronisation, private ones too, in program order.
    pub entries: Vec<Entry>,
    /// Choices, in program order.
    pub asked: Vec<Asked>,
    /// The events, in program order.
    pub events: Vec<EventNo>,
    /// When it is started.
    pub started: Option<Guard>,
    /// When it comes to its end.
    pub finished: Option<Guard>,
    /// It was unwound in this pass.
    pub exists: bool,
}

/// A block of events that nothing can interrupt.
#[derive(Clone, Debug)]
pub struct Region {
    /// The log entry that begins it.
    pub entry: u32,
    /// It was gone through to its end if one of these holds; otherwise the thread is blocked before it.
    pub done: Vec<Guard>,
    /// It may have to wait inside, so whether it can come next depends on what others did.
    pub waits: bool,
    /// What has happened when it is gone through, if it joined threads.
    pub clock: Option<Clock>,
}

/// Something that must not be reachable.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// When it is reached.
    pub reached: TermId,
    /// Whose.
    pub thread: ThreadNo,
    /// Where.
    pub at: Location,
    /// The thread's last event before.
    pub after: Option<EventNo>,
    /// The atomic region it is in.
    pub inside: Option<u32>,
    /// For races, the two accesses.
    pub pair: Option<(EventNo, EventNo)>,
}

/// The end of an iteration that changed nothing: the thread may as well not have begun it.
#[derive(Clone, Copy, Debug)]
pub struct Again {
    /// Whose.
    pub thread: ThreadNo,
    /// When it is reached.
    pub guard: Guard,
    /// The log entry with which the iteration began.
    pub entry: u32,
}

/// Why an unwinding is not the whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A loop goes on; at its header's place, after so many iterations.
    Loop(u32),
    /// A recursion goes on; after so many nested calls.
    Recursion(u32),
    /// A loop whose end constants decide was left after very many iterations.
    Long,
    /// An index means an element beyond those that were written out.
    Index(u32),
    /// A branch that no run has taken so far (`ways`).
    Untaken(Way),
    /// Something is not treated.
    Unsupported(String),
}

/// The result of an unwinding.
pub struct Skeleton {
    /// All terms.
    pub pool: TermPool,
    /// All guards.
    pub guards: Guards,
    /// All names.
    pub names: Names,
    /// All events.
    pub events: Vec<Event>,
    /// All blocks.
    pub regions: Vec<Region>,
    /// By thread number.
    pub threads: Vec<ThreadLog>,
    /// What holds besides.
    pub constraints: Vec<TermId>,
    /// Violations of the properties asked for.
    pub violations: Vec<(Property, Target)>,
    /// Where the unwinding is not the whole program.
    pub ends: Vec<(Reason, Target)>,
    /// Where iterations end that changed nothing.
    pub again: Vec<Again>,
    /// What branches that nobody took may have written.
    pub phantoms: Vec<Phantom>,
    /// Edges that hold if a guard does: the first event comes before the second.
    pub conditional: Vec<(Guard, EventNo, EventNo)>,
    /// Fixed edges between threads.
    pub edges: Vec<(EventNo, EventNo)>,
    /// What a thread stopped at although the property was not asked for: for `true`, things taken for granted.
    pub granted: Vec<(Property, Location)>,
    /// When something is computed from where objects lie, and where: the interpreter's objects may lie elsewhere.
    pub layout_uses: Vec<(TermId, Location)>,
    /// Where objects lie from which something is computed.
    pub places: Vec<(ObjectId, TermId)>,
}
