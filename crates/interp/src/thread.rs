//! Threads and their stacks.

use crate::deadlock::Wait;
use crate::race::Clock;
use crate::value::{ObjectId, Value};
use raddle_ir::{AtomicKind, BlockId, FuncId, GlobalId, LocalId, Location};
use std::rc::Rc;

/// A function activation.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Which function.
    pub function: FuncId,
    /// Where it is: the block.
    pub block: BlockId,
    /// Where it is: the instruction in the block.
    pub index: u32,
    pub(crate) locals: Vec<Value>,
    /// The objects of live slots.
    pub(crate) slots: Vec<ObjectId>,
    /// Variable-length arrays and `alloca` blocks.
    pub(crate) blocks: Vec<ObjectId>,
    /// Which local of the caller gets the result.
    pub(crate) result: Option<LocalId>,
}

impl Frame {
    /// Where this activation is.
    pub fn location(&self) -> Location {
        Location {
            function: self.function,
            block: self.block,
            index: self.index,
        }
    }

    /// The value of a local.
    pub fn local(&self, id: LocalId) -> Value {
        self.locals[id.0 as usize]
    }
}

/// Why a thread will never take another step, although it did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// An assume was false.
    Assume,
    /// An access outside live memory (while that is not checked).
    InvalidAccess,
    /// A division by zero, or of the smallest number by -1 (while that is not checked).
    DivisionByZero,
    /// A call through something that is not a function of that shape, or code that cannot be reached.
    Undefined,
    /// It was stopped by a limit of the run.
    Limit,
}

/// What a thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadStatus {
    /// Made, but not started.
    New,
    /// At its next instruction.
    Active,
    /// Ended.
    Finished,
    /// Stopped for good.
    Stopped(StopReason),
}

/// A lock that a thread holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The lock's object.
    pub object: ObjectId,
    /// Its offset in the object.
    pub offset: u64,
    /// Where it was taken.
    pub at: Location,
    /// In which step.
    pub step: u64,
}

/// A thread asleep on a condition variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sleep {
    pub object: ObjectId,
    pub offset: u64,
    pub woken: bool,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// What it is doing.
    pub status: ThreadStatus,
    /// Its `pthread_t`.
    pub handle: u64,
    /// The first function.
    pub start: FuncId,
    /// Where it was created.
    pub created_at: Option<Location>,
    /// What it returned.
    pub result: Value,
    /// The locks it holds, in the order of taking.
    pub held: Vec<Held>,
    pub(crate) detached: bool,
    /// What its last join answered.
    pub(crate) join_code: u32,
    pub(crate) joined: bool,
    /// What had happened when it was joined or detached: whoever comes later sees that it was.
    pub(crate) retired: Rc<Clock>,
    pub(crate) frames: Vec<Rc<Frame>>,
    /// The atomic regions it is in.
    pub(crate) regions: Vec<AtomicKind>,
    pub(crate) sleep: Option<Sleep>,
    /// Its copies of thread-local objects.
    pub(crate) thread_locals: Vec<(GlobalId, ObjectId)>,
    pub(crate) clock: Rc<Clock>,
    pub(crate) fences: crate::orders::Fences,
    /// The state version at which its atomic region could not be entered.
    pub(crate) refused_at: Option<u64>,
    /// What it would have to wait for inside that region.
    pub(crate) refused_wait: Option<Box<Wait>>,
    /// Where it can go back to, the latest last.
    pub(crate) jumps: Vec<Rc<crate::jump::Remembered>>,
    /// How many objects it made elsewhere than on the heap.
    pub(crate) made: u32,
    /// How many there.
    pub(crate) made_on_heap: u32,
    /// How many inputs it has asked for, if that is counted.
    pub(crate) inputs: u32,
}

impl Thread {
    /// Its stack, innermost activation last.
    pub fn stack(&self) -> impl DoubleEndedIterator<Item = &Frame> {
        self.frames.iter().map(|f| f.as_ref())
    }

    /// Where it is.
    pub fn location(&self) -> Option<Location> {
        self.frames.last().map(|f| f.location())
    }

    /// Whether somebody has joined it.
    pub fn is_joined(&self) -> bool {
        self.joined
    }

    /// If it sleeps on a condition variable, whether it was woken.
    pub fn sleeps(&self) -> Option<bool> {
        self.sleep.map(|s| s.woken)
    }

    /// Whether it may still take steps.
    pub fn is_live(&self) -> bool {
        matches!(self.status, ThreadStatus::New | ThreadStatus::Active)
    }
}
