//! What a thread is about to do, seen before it happens.

use crate::machine::{Machine, ThreadId};
use crate::memory::Life;
use crate::thread::{Frame, ThreadStatus};
use crate::value::{ObjectId, Value};
use raddle_ir::{Location, Memory, Op, Operand, SyncClass, SyncOp, layout};

/// The kind of a visible operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PendingKind {
    /// A read of memory.
    Read {
        /// Atomic.
        atomic: bool,
    },
    /// A write of memory, the end of a shared object included.
    Write {
        /// Atomic.
        atomic: bool,
    },
    /// An atomic read and write of one place.
    ReadWrite,
    /// The beginning of an atomic region.
    Region,
    /// An allocation that may reuse an address.
    Allocation,
    /// Synchronisation.
    Sync(SyncOp),
    /// Invisible work that took too long for one step.
    Working,
}

/// A visible operation before it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Whose.
    pub thread: ThreadId,
    /// Where.
    pub at: Location,
    /// What.
    pub kind: PendingKind,
    /// On which object, if on one.
    pub object: ObjectId,
    /// From which byte.
    pub offset: u64,
    /// How many bytes.
    pub length: u64,
    /// Whether it can happen now. For a region this is a guess: it can still be refused.
    pub enabled: bool,
}

impl Machine<'_> {
    /// Looks at an operand without choosing anything.
    pub(crate) fn peek(&self, t: ThreadId, frame: &Frame, o: Operand) -> Value {
        let (object, offset) = match o {
            Operand::Local(l) => return frame.locals[l.0 as usize],
            Operand::Const { bits, .. } => return Value::new(bits),
            Operand::Global { id, offset } => match self.program.global(id).thread_local {
                true => {
                    let mine = self.thread(t).thread_locals.iter().find(|(g, _)| *g == id);
                    match mine {
                        Some((_, o)) => (*o, offset),
                        None => return Value::new(0),
                    }
                }
                false => (self.global_object(id), offset),
            },
            Operand::Slot { id, offset } => (frame.slots[id.0 as usize], offset),
            Operand::Function(f) => (self.function_object(f), 0),
        };
        let base = self.state.memory.object(object).base;
        Value::pointer(
            base.wrapping_add(offset as u64) & self.address_mask(),
            object,
        )
    }

    /// The live shared object an address points into.
    fn shared_target(&self, t: ThreadId, address: Value) -> Option<ObjectId> {
        let id = match address.provenance.is_some() {
            true => address.provenance,
            false if address.open || address.low() < 4096 => return None,
            false => self.state.memory.find(address.low())?,
        };
        let o = self.state.memory.object(id);
        (o.shared || o.owner != t).then_some(id)
    }

    /// Whether another thread could notice this operation.
    pub(crate) fn is_visible(&self, t: ThreadId, frame: &Frame, op: &Op) -> bool {
        let address = match op {
            Op::Let { .. }
            | Op::Havoc { .. }
            | Op::Nondet { .. }
            | Op::Fence { .. }
            | Op::StorageLive { .. }
            | Op::Call { .. }
            | Op::AtomicEnd
            | Op::Assert { .. }
            | Op::Assume { .. }
            | Op::Output { .. } => return false,
            _ if !self.thread(t).regions.is_empty() => return false,
            Op::AtomicBegin { .. } => return true,
            Op::Alloc { memory, .. } => {
                return *memory == Memory::Heap && self.config.reuse_addresses;
            }
            Op::Load { addr, .. }
            | Op::Store { addr, .. }
            | Op::Rmw { addr, .. }
            | Op::Cas { addr, .. }
            | Op::ObjectSize { addr, .. }
            | Op::Free { addr, .. } => *addr,
            Op::StorageDead { slot } => Operand::Slot {
                id: *slot,
                offset: 0,
            },
            Op::Sync { op, args, .. } => match op {
                SyncOp::Yield
                | SyncOp::ThreadSelf
                | SyncOp::ThreadJoinCode
                | SyncOp::ThreadStart => return false,
                // Which handles are free depends on the others.
                SyncOp::ThreadNew => return self.config.handles_come_back(),
                SyncOp::ThreadExit => return self.end_is_visible(t, frame),
                SyncOp::ThreadDetach
                | SyncOp::ThreadJoin
                | SyncOp::ThreadHasEnded
                | SyncOp::Exit
                | SyncOp::Abort
                | SyncOp::LongJump
                | SyncOp::Unmodelled => return true,
                _ => args[0],
            },
        };
        let address = self.peek(t, frame, address);
        let frees = matches!(op, Op::Free { memory, .. } if *memory == Memory::Heap);
        if frees && self.config.footprints && self.config.reuse_addresses && address.bits != 0 {
            return true;
        }
        self.shared_target(t, address).is_some()
    }

    /// The objects that go when a thread ends now: its stack's and its thread-local ones.
    pub(crate) fn objects_of(&self, t: ThreadId, frame: &Frame) -> Vec<ObjectId> {
        let thread = self.thread(t);
        let frames = thread.stack().chain(std::iter::once(frame));
        let stack = frames.flat_map(|f| f.slots.iter().chain(&f.blocks).copied());
        let own = thread.thread_locals.iter().map(|(_, o)| *o);
        stack.chain(own).filter(|o| o.is_some()).collect()
    }

    /// Whether the end of a thread ends an object that others know, or perhaps makes its handle free.
    fn end_is_visible(&self, t: ThreadId, frame: &Frame) -> bool {
        let known = |id: &ObjectId| self.state.memory.object(*id).shared;
        let frees = self.config.footprints && self.config.reuse_addresses;
        self.thread(t).regions.is_empty() && (frees || self.objects_of(t, frame).iter().any(known))
    }

    /// Whether returning now ends an object that others know, or (from `main`) the whole process.
    pub(crate) fn return_is_visible(&self, t: ThreadId, frame: &Frame) -> bool {
        let known = |id: &ObjectId| {
            let o = self.state.memory.object(*id);
            id.is_some() && o.life == Life::Live && o.shared
        };
        if t == ThreadId(0) && self.thread(t).frames.len() == 1 {
            return true;
        }
        if self.thread(t).frames.is_empty() && self.end_is_visible(t, frame) {
            return true;
        }
        self.thread(t).regions.is_empty() && frame.slots.iter().chain(&frame.blocks).any(known)
    }

    /// What a thread is about to do; `None` if it will do nothing any more.
    pub fn pending(&self, t: ThreadId) -> Option<Pending> {
        let thread = self.thread(t);
        if thread.status != ThreadStatus::Active {
            return None;
        }
        let frame = thread.frames.last()?;
        let mut pending = Pending {
            thread: t,
            at: frame.location(),
            kind: PendingKind::Working,
            object: ObjectId::NONE,
            offset: 0,
            length: 0,
            enabled: thread.refused_at != Some(self.state.steps),
        };
        let model = self.program.model;
        let touched = |ty: raddle_ir::Ty, access: &raddle_ir::Access| match access.bits {
            Some(b) => u64::from(b.location),
            None => ty.bytes(model),
        };
        let (kind, address, length) = match self.pending_op(t) {
            Some(Op::Load {
                addr, ty, access, ..
            }) => {
                let atomic = access.ordering.is_atomic();
                (PendingKind::Read { atomic }, *addr, touched(*ty, access))
            }
            Some(Op::Store {
                addr, ty, access, ..
            }) => {
                let atomic = access.ordering.is_atomic();
                (PendingKind::Write { atomic }, *addr, touched(*ty, access))
            }
            Some(Op::Rmw { addr, ty, .. } | Op::Cas { addr, ty, .. }) => {
                (PendingKind::ReadWrite, *addr, ty.bytes(model))
            }
            Some(Op::ObjectSize { addr, .. }) => {
                (PendingKind::Read { atomic: false }, *addr, u64::MAX)
            }
            Some(Op::Free { addr, .. }) => (PendingKind::Write { atomic: false }, *addr, u64::MAX),
            Some(Op::StorageDead { slot }) => {
                let slot = Operand::Slot {
                    id: *slot,
                    offset: 0,
                };
                (PendingKind::Write { atomic: false }, slot, u64::MAX)
            }
            Some(Op::AtomicBegin { .. }) => {
                pending.kind = PendingKind::Region;
                return Some(pending);
            }
            Some(Op::Alloc { .. }) => {
                pending.kind = PendingKind::Allocation;
                return Some(pending);
            }
            Some(Op::Sync { op, args, .. }) => {
                pending.kind = PendingKind::Sync(*op);
                let values: Vec<Value> = args.iter().map(|a| self.peek(t, frame, *a)).collect();
                pending.enabled = pending.enabled && self.sync_enabled(t, *op, &values);
                match args.first() {
                    Some(a) if op.args()[0] == raddle_ir::SyncKind::Ptr => {
                        let mutex = op.class() == SyncClass::Mutex;
                        let length = if mutex { layout::mutex_size(model) } else { 4 };
                        (pending.kind, *a, length)
                    }
                    _ => return Some(pending),
                }
            }
            _ => return Some(pending),
        };
        pending.kind = kind;
        let address = self.peek(t, frame, address);
        if let Some(id) = self.shared_target(t, address) {
            let o = self.state.memory.object(id);
            pending.object = id;
            pending.offset = address.low().wrapping_sub(o.base);
            pending.length = length.min(o.size);
        }
        Some(pending)
    }
}
