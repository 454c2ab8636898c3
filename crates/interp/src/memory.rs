//! Memory: objects of bytes.
//!
//! Every object has a concrete base address and red zones around it, so pointers are ordinary
//! numbers; where a pointer came from is remembered beside them (see [`crate::value`]). The table is
//! copy-on-write in two levels (pages of objects), so a snapshot costs a few reference counts and a
//! write after it copies one object.
//!
//! What it misses: an object that ended keeps a stub for ever, so that a late use is recognised; a run that makes
//! millions of stack objects grows by some 200 bytes for each. Only the last [`FREED`] freed blocks can lend their
//! address to a new one.
//!
//! A byte is *written*, or *fixed* (some of its bits are uninitialised, but it was read, so its value is settled), or
//! *open* (uninitialised and unread).

use crate::machine::ThreadId;
use crate::race::Shadow;
use crate::value::{ObjectId, Value};
use raddle_ir::{GlobalId, Location, TypeId};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A function: it has an address and no bytes.
    Function,
    /// A global, or a thread's copy of one.
    Global(GlobalId),
    /// A stack slot, variable-length array or `alloca` block.
    Stack,
    /// From `malloc` and relatives.
    Heap,
}

/// Whether an object can still be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Yes.
    Live,
    /// It was freed, or went out of scope: who ended it, where, in which step.
    Ended(ThreadId, Location, u64),
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its first address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// What it is.
    pub kind: ObjectKind,
    /// A name for messages.
    pub name: Rc<str>,
    /// Whether it can still be used.
    pub life: Life,
    /// It may not be written.
    pub constant: bool,
    /// More than one thread may know its address. Until then only its creator's accesses exist, and
    /// they commute with everything.
    pub shared: bool,
    /// Who made it.
    pub owner: ThreadId,
    /// Its number among those its owner made; for static objects, their own.
    pub serial: u32,
    /// Where it was made.
    pub made_at: Option<Location>,
    /// Another object had its address before.
    pub(crate) reused: bool,
    /// Its contents are arbitrary, but initialised: they come from outside the program.
    pub(crate) foreign: bool,
    /// Its C type, if known.
    pub debug: Option<TypeId>,
    pub(crate) bytes: Vec<u8>,
    /// For objects not fully written: one state per byte.
    pub(crate) states: Option<Vec<ByteState>>,
    /// The provenance of pointers stored, by offset.
    pub(crate) pointers: BTreeMap<u64, ObjectId>,
    /// What the race detector remembers of it.
    pub(crate) shadow: Option<Box<Shadow>>,
}

/// The state of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteState {
    Open,
    /// With the bits that were never written.
    Fixed(u8),
    Written,
}

impl ByteState {
    /// The bits that were never written.
    fn holes(self) -> u8 {
        match self {
            ByteState::Open => u8::MAX,
            ByteState::Fixed(holes) => holes,
            ByteState::Written => 0,
        }
    }

    /// A byte whose value is settled, with the bits that were never written.
    fn settled(holes: u8) -> ByteState {
        match holes {
            0 => ByteState::Written,
            _ => ByteState::Fixed(holes),
        }
    }
}

/// Why an address cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadAccess {
    /// A null pointer, or close to it.
    Null,
    /// Outside the object it belongs to.
    OutOfBounds(ObjectId),
    /// The object is gone.
    Ended(ObjectId),
    /// No object there.
    Wild,
    /// A write to something constant.
    Constant(ObjectId),
    /// A function is not data.
    Function(ObjectId),
}

const PAGE: usize = 64;
/// How many freed heap objects can still lend their address.
const FREED: usize = 64;
/// Free space between objects, so that running past an end by a little hits nothing.
const RED_ZONE: u64 = 32;

/// All objects of a run.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pages: Vec<Rc<Vec<Rc<Object>>>>,
    count: u32,
    next_base: u64,
    /// Heap objects that ended, for the choice to reuse their address.
    pub(crate) freed: Rc<Vec<ObjectId>>,
    /// Bytes in live objects.
    pub(crate) live_bytes: u64,
    /// Where it is noted which objects are written, if it is.
    pub(crate) written: Option<Written>,
}

/// Objects that were written, since somebody took the list.
pub(crate) type Written = Rc<RefCell<Vec<ObjectId>>>;

impl Memory {
    pub(crate) fn new() -> Memory {
        let mut memory = Memory {
            next_base: 0x1_0000,
            ..Memory::default()
        };
        // Object 0 is "no object".
        memory.add(ObjectKind::Function, 0, 1, "nothing".into(), ThreadId(0));
        memory
    }

    /// The object behind an id.
    #[inline]
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.pages[id.0 as usize / PAGE][id.0 as usize % PAGE]
    }

    #[inline]
    pub(crate) fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        if self.written.is_some() {
            self.note_write(id);
        }
        let page = Rc::make_mut(&mut self.pages[id.0 as usize / PAGE]);
        Rc::make_mut(&mut page[id.0 as usize % PAGE])
    }

    #[cold]
    fn note_write(&mut self, id: ObjectId) {
        if let Some(written) = &self.written {
            let mut all = written.borrow_mut();
            if all.last() != Some(&id) {
                all.push(id);
            }
        }
    }

    /// Whether an id is in use.
    pub fn has(&self, id: ObjectId) -> bool {
        id.is_some() && id.0 < self.count
    }

    /// All ids in use.
    pub fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (1..self.count).map(ObjectId)
    }

    /// Whether there is, or was, an object of that number.
    pub fn knows(&self, id: ObjectId) -> bool {
        id.is_some() && id.0 < self.count
    }

    /// Adds a live object with zero bytes at a fresh address.
    pub(crate) fn add(
        &mut self,
        kind: ObjectKind,
        size: u64,
        align: u64,
        name: Rc<str>,
        owner: ThreadId,
    ) -> ObjectId {
        let base = self.next_base.next_multiple_of(align.max(16));
        self.next_base = base + size.max(1) + RED_ZONE;
        let id = ObjectId(self.count);
        self.count += 1;
        self.live_bytes += size;
        let bytes = match kind {
            ObjectKind::Function => Vec::new(),
            _ => vec![0; size as usize],
        };
        let object = Rc::new(Object {
            base,
            size,
            kind,
            name,
            life: Life::Live,
            constant: false,
            shared: matches!(kind, ObjectKind::Function | ObjectKind::Global(_)),
            owner,
            serial: id.0,
            made_at: None,
            reused: false,
            foreign: false,
            debug: None,
            bytes,
            states: None,
            pointers: BTreeMap::new(),
            shadow: None,
        });
        if (id.0 as usize).is_multiple_of(PAGE) {
            self.pages.push(Rc::new(Vec::with_capacity(PAGE)));
        }
        let last = self.pages.len() - 1;
        Rc::make_mut(&mut self.pages[last]).push(object);
        id
    }

    /// The highest address given out so far.
    pub(crate) fn highest(&self) -> u64 {
        self.next_base
    }

    /// Ends an object's life. Its bytes are dropped: nobody may look at them again.
    pub(crate) fn end(&mut self, id: ObjectId, thread: ThreadId, at: Location, step: u64) {
        let object = self.object_mut(id);
        object.life = Life::Ended(thread, at, step);
        let size = object.size;
        object.bytes = Vec::new();
        object.states = None;
        object.pointers = BTreeMap::new();
        let heap = object.kind == ObjectKind::Heap;
        self.live_bytes -= size;
        if heap {
            // Old blocks are forgotten: allocators reuse recent ones, and choices must stay few.
            let freed = Rc::make_mut(&mut self.freed);
            if freed.len() >= FREED {
                freed.remove(0);
            }
            freed.push(id);
        }
    }

    /// The live object that contains an address without provenance (its end counts as inside).
    pub fn find(&self, address: u64) -> Option<ObjectId> {
        let contains = |o: &Object| {
            o.life == Life::Live && address >= o.base && address - o.base <= o.size.max(1)
        };
        self.ids().find(|id| contains(self.object(*id)))
    }

    /// The place an access of `length` bytes goes to.
    #[inline]
    pub fn resolve(
        &self,
        address: Value,
        length: u64,
        write: bool,
    ) -> Result<(ObjectId, u64), BadAccess> {
        let id = match address.provenance.is_some() {
            true => address.provenance,
            false if address.low() < 4096 => return Err(BadAccess::Null),
            false => self.find(address.low()).ok_or(BadAccess::Wild)?,
        };
        let object = self.object(id);
        if object.life != Life::Live {
            return Err(BadAccess::Ended(id));
        }
        if object.kind == ObjectKind::Function {
            return Err(BadAccess::Function(id));
        }
        let offset = address.low().wrapping_sub(object.base);
        if offset > object.size || length > object.size - offset {
            return Err(match address.low() < 4096 {
                true => BadAccess::Null,
                false => BadAccess::OutOfBounds(id),
            });
        }
        if write && object.constant {
            return Err(BadAccess::Constant(id));
        }
        Ok((id, offset))
    }
}

impl Object {
    /// Marks all bytes as never written.
    pub(crate) fn forget(&mut self) {
        if self.size > 0 {
            self.states = Some(vec![ByteState::Open; self.size as usize]);
        }
    }

    /// Whether some byte of the range was never written and never read.
    #[inline]
    pub(crate) fn has_open(&self, offset: u64, length: u64) -> bool {
        match &self.states {
            None => false,
            Some(s) => s[offset as usize..(offset + length) as usize].contains(&ByteState::Open),
        }
    }

    /// Settles the open bytes of a range to those of `bits`.
    pub(crate) fn fix(&mut self, offset: u64, length: u64, bits: u128) {
        let Some(states) = &mut self.states else {
            return;
        };
        let fixed = match self.foreign {
            true => ByteState::Written,
            false => ByteState::Fixed(u8::MAX),
        };
        for i in 0..length.min(16) {
            let at = (offset + i) as usize;
            if states[at] == ByteState::Open {
                states[at] = fixed;
                self.bytes[at] = (bits >> (8 * i)) as u8;
            }
        }
    }

    /// Reads a scalar of 1 to 16 bytes; the range must be inside and without open bytes.
    #[inline]
    pub(crate) fn read(&self, offset: u64, length: u64, pointer_bytes: u64) -> Value {
        let at = offset as usize;
        let bytes = &self.bytes[at..at + length as usize];
        let bits = match *bytes {
            [a] => u128::from(a),
            [a, b] => u128::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u128::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u128::from(u64::from_le_bytes([a, b, c, d, e, f, g, h])),
            _ => {
                let mut all = [0; 16];
                all[..bytes.len()].copy_from_slice(bytes);
                u128::from_le_bytes(all)
            }
        };
        let provenance = match length == pointer_bytes && !self.pointers.is_empty() {
            true => self.pointers.get(&offset).copied().unwrap_or_default(),
            false => ObjectId::NONE,
        };
        let mut partial = 0;
        if let Some(states) = &self.states {
            for (i, s) in states[at..at + length as usize].iter().enumerate() {
                partial |= match length {
                    0..=8 => u64::from(s.holes()) << (8 * i),
                    _ => u64::from(s.holes() != 0) << i,
                };
            }
        }
        Value {
            bits,
            provenance,
            uninit: partial != 0,
            partial,
            open: false,
        }
    }

    /// Which of the bits of up to 16 bytes were never written.
    pub(crate) fn holes(&self, offset: u64, length: u64) -> u128 {
        let Some(states) = &self.states else {
            return 0;
        };
        let at = offset as usize;
        let bytes = states[at..at + length as usize].iter().enumerate();
        bytes.fold(0, |all, (i, s)| all | u128::from(s.holes()) << (8 * i))
    }

    /// Writes a scalar of 1 to 16 bytes; the range must be inside.
    #[inline]
    pub(crate) fn write(&mut self, offset: u64, length: u64, value: Value, pointer_bytes: u64) {
        self.write_bits(offset, length, value, 0, pointer_bytes);
    }

    /// The same; some bits are as they were, and count as written only if they did before.
    #[inline]
    pub(crate) fn write_bits(
        &mut self,
        offset: u64,
        length: u64,
        value: Value,
        keeps: u128,
        pointer_bytes: u64,
    ) {
        let at = offset as usize;
        let bytes = value.bits.to_le_bytes();
        self.bytes[at..at + length as usize].copy_from_slice(&bytes[..length as usize]);
        if !self.pointers.is_empty() {
            let from = (offset + 1).saturating_sub(pointer_bytes);
            let gone: Vec<u64> = self
                .pointers
                .range(from..offset + length)
                .map(|(o, _)| *o)
                .collect();
            for o in gone {
                self.pointers.remove(&o);
            }
        }
        if value.provenance.is_some() && length == pointer_bytes {
            self.pointers.insert(offset, value.provenance);
        }
        // A copy keeps which of its bytes were never written; a computed value is uninitialised as a whole.
        let mask = match (value.uninit, value.partial) {
            (false, _) => 0,
            (true, 0) => u64::MAX,
            (true, partial) => partial,
        };
        if mask != 0 && self.states.is_none() {
            self.states = Some(vec![ByteState::Written; self.size as usize]);
        }
        if let Some(states) = &mut self.states {
            for i in 0..length as usize {
                let fresh = match length {
                    0..=8 => (mask >> (8 * i)) as u8,
                    _ => (mask >> i & 1) as u8 * u8::MAX,
                };
                let kept = (keeps >> (8 * i)) as u8;
                let holes = states[at + i].holes() & kept | fresh & !kept;
                states[at + i] = ByteState::settled(holes);
            }
            // Objects written from front to back become ordinary ones.
            let last = at + length as usize == states.len();
            if last && states.iter().all(|s| *s == ByteState::Written) {
                self.states = None;
            }
        }
    }
}
