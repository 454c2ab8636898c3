//! A digest of a state up to the names of its objects: two states have the same one if renaming objects makes one of the other.
//!
//! Objects are numbered as they are met on a walk through everything that is known by name: the stacks of threads, one after the other, then
//! global variables, then what these point to. A pointer is the number of its object and the distance from its beginning. So it does not
//! matter in which order objects were made, or how many there were before (symmetry reduction of heaps: Iosif, "Symmetry reduction criteria
//! for software model checking", SPIN 2002).
//!
//! An address of an object that has ended can still be compared, with the address of an object that got the same block, too. It goes by the
//! block: which of the ended blocks it is, in the order in which they are met, which object has that block now, and whether `malloc` can hand
//! it out again. Blocks that nobody has an address of are nobody's concern.
//!
//! This is right as long as the program does not look at addresses as numbers, see [`Machine::seen_address`]. Words that hold an address without being
//! a pointer count as references where leaks are looked for; [`Machine::find_leak`] notes when that decides.

use crate::digest::{Mixer, add_bytes, add_frame, add_remembered, add_states, add_status};
use crate::machine::Machine;
use crate::memory::{Life, Memory, Object, ObjectKind};
use crate::thread::Thread;
use crate::value::{ObjectId, Value};
use raddle_ir::{Location, Program};
use std::collections::HashMap;
use std::rc::Rc;

/// A walk in progress.
struct Walk<'a> {
    program: &'a Program,
    memory: &'a Memory,
    pointer_bytes: u64,
    mixer: Mixer,
    /// The numbers of objects that were met.
    numbers: HashMap<ObjectId, u64>,
    /// Objects whose contents are still to be mixed in, in the order in which they were met.
    met: Vec<ObjectId>,
    /// Blocks of ended objects that were met.
    blocks: HashMap<u64, u64>,
}

/// Which variables may still be read at a place.
type LiveAt<'a> = &'a mut dyn FnMut(Location) -> Rc<[bool]>;

impl Walk<'_> {
    /// Whether an object has been there from the beginning, and so has the same name in every state.
    fn is_static(&self, o: &Object) -> bool {
        match o.kind {
            ObjectKind::Function => true,
            ObjectKind::Global(g) => !self.program.global(g).thread_local,
            ObjectKind::Stack | ObjectKind::Heap => false,
        }
    }

    fn number(&mut self, id: ObjectId) -> u64 {
        let next = self.numbers.len() as u64;
        let met = &mut self.met;
        *self.numbers.entry(id).or_insert_with(|| {
            met.push(id);
            next
        })
    }

    /// An object and a distance into it, or into the block of one that has ended.
    fn pointer(&mut self, to: ObjectId, address: u64) {
        if !self.memory.knows(to) {
            self.mixer.add(u64::from(to.0) | 1 << 40);
            self.mixer.add(address);
            return;
        }
        let o = self.memory.object(to);
        let (base, live) = (o.base, o.life == Life::Live);
        match self.is_static(o) {
            true => self.mixer.add(u64::from(to.0) << 2),
            false if live => {
                let number = self.number(to);
                self.mixer.add(number << 2 | 1);
            }
            false => {
                origin(&mut self.mixer, o);
                let next = self.blocks.len() as u64;
                let block = *self.blocks.entry(base).or_insert(next);
                self.mixer.add(block << 2 | 2);
            }
        }
        self.mixer.add(address.wrapping_sub(base));
    }

    fn object_at(&mut self, object: ObjectId, offset: u64) {
        let there = self.memory.knows(object);
        // Of a variable whose life has ended, only that matters.
        match there && self.memory.object(object).life == Life::Live {
            true => {
                let base = self.memory.object(object).base;
                self.pointer(object, base.wrapping_add(offset));
            }
            false => self.mixer.add(u64::MAX),
        }
    }

    fn value(&mut self, v: Value) {
        let flags = u64::from(v.uninit) | u64::from(v.open) << 1;
        let pointer = v.provenance.is_some();
        self.mixer.add(flags | u64::from(pointer) << 2);
        self.mixer.add(v.partial);
        match pointer {
            true => self.pointer(v.provenance, v.bits as u64),
            false => self.mixer.add(v.bits as u64),
        }
        self.mixer.add((v.bits >> 64) as u64);
    }

    fn thread(&mut self, t: &Thread, live: Option<LiveAt<'_>>) {
        let mut live = live;
        add_status(&mut self.mixer, t);
        self.value(t.result);
        // Who reads a reader–writer lock is written nowhere else.
        self.mixer.add(t.held.len() as u64);
        for h in &t.held {
            self.object_at(h.object, h.offset);
        }
        for j in &t.jumps {
            self.object_at(j.object, j.offset);
            add_remembered(&mut self.mixer, j);
            for v in &j.locals {
                self.value(*v);
            }
            for o in &j.slots {
                self.object_at(*o, 0);
            }
        }
        let depth = t.frames.len() as u64 * 2 + u64::from(t.sleep.is_some());
        self.mixer.add(depth);
        if let Some(s) = t.sleep {
            self.object_at(s.object, s.offset);
            self.mixer.add(u64::from(s.woken));
        }
        for (global, o) in &t.thread_locals {
            self.mixer.add(u64::from(global.0));
            self.object_at(*o, 0);
        }
        for frame in t.stack() {
            add_frame(&mut self.mixer, frame);
            let live = live.as_mut().map(|live| live(frame.location()));
            let is_live = |i: usize| live.as_ref().is_none_or(|l| l[i]);
            for (_, v) in frame.locals.iter().enumerate().filter(|(i, _)| is_live(*i)) {
                self.value(*v);
            }
            for o in frame.slots.iter().chain(&frame.blocks) {
                self.object_at(*o, 0);
            }
        }
    }

    fn contents(&mut self, o: &Object) {
        origin(&mut self.mixer, o);
        let flags = u64::from(o.shared) | u64::from(o.foreign) << 1;
        self.mixer.add(flags | o.size << 2);
        self.mixer.add(u64::from(o.owner.0) << 8 | o.base & 0x3f);
        match o.pointers.is_empty() {
            true => add_bytes(&mut self.mixer, &o.bytes),
            false => {
                let mut bytes = o.bytes.clone();
                for (offset, to) in &o.pointers {
                    let from = *offset as usize;
                    let Some(there) = bytes.get_mut(from..from + self.pointer_bytes as usize)
                    else {
                        self.mixer.add(u64::from(to.0) | 1 << 41);
                        continue;
                    };
                    let address = there.iter().rev().fold(0, |a, b| a << 8 | u64::from(*b));
                    there.fill(0);
                    self.mixer.add(*offset);
                    self.pointer(*to, address);
                }
                add_bytes(&mut self.mixer, &bytes);
            }
        }
        let parts = o.pointers.len() as u64 * 2 + u64::from(o.states.is_some());
        self.mixer.add(parts);
        add_states(&mut self.mixer, o);
    }

    /// What has become of the blocks of ended objects, as far as somebody has their address.
    fn fates(&mut self) {
        if self.blocks.is_empty() {
            return;
        }
        let mut blocks: Vec<(u64, u64)> = self.blocks.iter().map(|(b, n)| (*n, *b)).collect();
        blocks.sort_unstable();
        let reused = self.memory.ids().filter(|id| {
            let o = self.memory.object(*id);
            o.reused && o.life == Life::Live
        });
        let reused: HashMap<u64, ObjectId> =
            reused.map(|id| (self.memory.object(id).base, id)).collect();
        let freed = self.memory.freed.iter().map(|id| self.memory.object(*id));
        let freed: HashMap<u64, u64> = freed.map(|o| (o.base, o.size)).collect();
        for (_, base) in blocks {
            let now = reused.get(&base).copied();
            let number = now.map_or(0, |id| self.number(id) + 1);
            self.mixer.add(number);
            self.mixer.add(freed.get(&base).map_or(0, |size| size + 1));
        }
    }

    fn everything_met(&mut self, from: usize) {
        let mut next = from;
        while let Some(id) = self.met.get(next).copied() {
            next += 1;
            let memory = self.memory;
            self.contents(memory.object(id));
        }
    }
}

/// Where an object was made.
fn origin(m: &mut Mixer, o: &Object) {
    match o.made_at {
        Some(at) => {
            m.add(u64::from(at.function.0) << 32 | u64::from(at.block.0));
            m.add(u64::from(at.index) << 1 | 1);
        }
        None => m.add(0),
    }
    m.add(u64::from(o.kind == ObjectKind::Heap));
}

impl Machine<'_> {
    /// The digest of the present state up to the names of objects, without variables that are not read again; `live` says which are. Where
    /// leaks are looked for all variables count, because all of them hold references.
    pub fn digest_of_shape(&self, live: LiveAt<'_>) -> u128 {
        let memory = &self.state.memory;
        let mut walk = Walk {
            program: self.program,
            memory,
            pointer_bytes: self.pointer_bytes,
            mixer: Mixer::new(),
            numbers: HashMap::new(),
            met: Vec::new(),
            blocks: HashMap::new(),
        };
        let leaks = self.looks_for_leaks();
        for t in self.state.threads.iter() {
            match leaks {
                true => walk.thread(t, None),
                false => walk.thread(t, Some(live)),
            }
        }
        for id in memory.ids() {
            let o = memory.object(id);
            if o.kind != ObjectKind::Function && walk.is_static(o) {
                walk.mixer.add(u64::from(id.0));
                walk.contents(o);
            }
        }
        walk.everything_met(0);
        let met = walk.met.len();
        walk.fates();
        walk.everything_met(met);
        if leaks {
            let lost = |id: &ObjectId| {
                let o = memory.object(*id);
                let there = o.kind == ObjectKind::Heap && o.life == Life::Live;
                there && !walk.numbers.contains_key(id)
            };
            let mut lost: Vec<u128> = memory
                .ids()
                .filter(lost)
                .map(|id| {
                    let mut m = Mixer::new();
                    origin(&mut m, memory.object(id));
                    m.finish()
                })
                .collect();
            lost.sort_unstable();
            for digest in lost {
                walk.mixer.add(digest as u64);
            }
        }
        walk.mixer.finish()
    }
}
