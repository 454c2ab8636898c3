//! A 128-bit digest of a state, to recognise one that was seen before.
//!
//! Covers everything the future depends on: stacks, memory, sleepers, locks (which are memory). Left out on
//! purpose: the race detector's clocks, step numbers, and what is kept for messages only.

use crate::jump::Remembered;
use crate::machine::{Machine, ThreadId};
use crate::memory::{ByteState, Life, Memory, Object, ObjectKind};
use crate::thread::{Frame, Thread, ThreadStatus};
use crate::value::{ObjectId, Value};
use raddle_ir::Location;
use std::rc::Rc;

struct Mixer(u64, u64);

impl Mixer {
    fn add(&mut self, x: u64) {
        self.0 = (self.0 ^ x)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
        self.1 = (self.1.wrapping_add(x) ^ (x >> 31))
            .wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
            .rotate_left(37);
    }

    fn add_value(&mut self, v: Value) {
        self.add(v.bits as u64);
        self.add((v.bits >> 64) as u64);
        let flags = u64::from(v.uninit) | u64::from(v.open) << 1;
        self.add(u64::from(v.provenance.0) << 2 | flags);
        self.add(v.partial);
    }
}

/// Memory with the objects that live numbered.
struct View<'a> {
    memory: &'a Memory,
    ids: &'a [ObjectId],
    bytes: u64,
}

impl View<'_> {
    /// An object and a distance into it, or an address of one that has ended.
    fn add_pointer(&self, m: &mut Mixer, to: ObjectId, address: u64) {
        match self.ids.binary_search(&to) {
            Ok(number) => {
                m.add(number as u64);
                m.add(address.wrapping_sub(self.memory.object(to).base));
            }
            Err(_) => {
                m.add(u64::from(to.0) | 1 << 40);
                m.add(address);
                if self.memory.knows(to) {
                    add_origin(m, self.memory.object(to));
                }
            }
        }
    }

    fn add_place(&self, m: &mut Mixer, object: ObjectId, offset: u64) {
        // Of a variable whose life has ended, only that matters.
        let number = self.ids.binary_search(&object);
        m.add(number.map_or(u64::MAX, |n| n as u64));
        m.add(offset);
    }

    fn add_value(&self, m: &mut Mixer, v: Value) {
        let flags = u64::from(v.uninit) | u64::from(v.open) << 1;
        let pointer = v.provenance.is_some();
        m.add(flags | u64::from(pointer) << 2);
        m.add(v.partial);
        match pointer && v.bits >> 64 == 0 {
            true => self.add_pointer(m, v.provenance, v.bits as u64),
            false => {
                m.add(v.bits as u64);
                m.add((v.bits >> 64) as u64);
                m.add(u64::from(v.provenance.0));
            }
        }
    }

    fn add_thread(&self, m: &mut Mixer, t: &Thread, live: &mut dyn FnMut(Location) -> Rc<[bool]>) {
        add_status(m, t);
        m.add(t.outlived);
        self.add_value(m, t.result);
        m.add(t.held.len() as u64);
        for h in &t.held {
            self.add_place(m, h.object, h.offset);
        }
        for j in &t.jumps {
            self.add_place(m, j.object, j.offset);
            add_remembered(m, j);
            for v in &j.locals {
                self.add_value(m, *v);
            }
            for o in &j.slots {
                self.add_place(m, *o, 0);
            }
        }
        m.add(t.frames.len() as u64 * 2 + u64::from(t.sleep.is_some()));
        if let Some(s) = t.sleep {
            self.add_place(m, s.object, s.offset << 1 | u64::from(s.woken));
        }
        m.add(t.units.len() as u64);
        for (object, offset) in &t.units {
            self.add_place(m, *object, *offset);
        }
        for (global, o) in &t.thread_locals {
            self.add_place(m, *o, u64::from(global.0));
        }
        for frame in t.stack() {
            add_frame(m, frame);
            let live = live(frame.location());
            let read = frame.locals.iter().zip(live.iter());
            for (v, _) in read.filter(|(_, live)| **live) {
                self.add_value(m, *v);
            }
            for o in frame.slots.iter().chain(&frame.blocks) {
                self.add_place(m, *o, 0);
            }
        }
    }

    fn add_object(&self, m: &mut Mixer, o: &Object) {
        add_origin(m, o);
        m.add(u64::from(o.shared) << 1 | o.size << 2);
        m.add(u64::from(o.owner.0) << 8 | o.base & 0x3f);
        // Somebody may have this address from before.
        m.add(if o.reused { o.base } else { 0 });
        match o.pointers.is_empty() {
            true => add_bytes(m, &o.bytes),
            false => {
                let mut bytes = o.bytes.clone();
                for (offset, to) in &o.pointers {
                    let from = *offset as usize;
                    let Some(there) = bytes.get_mut(from..from + self.bytes as usize) else {
                        continue;
                    };
                    let address = there.iter().rev().fold(0, |a, b| a << 8 | u64::from(*b));
                    there.fill(0);
                    m.add(*offset);
                    self.add_pointer(m, *to, address);
                }
                add_bytes(m, &bytes);
            }
        }
        m.add(o.pointers.len() as u64 * 2 + u64::from(o.states.is_some()));
        add_states(m, o);
    }
}

impl Machine<'_> {
    /// The digest of the present state.
    pub fn digest(&self) -> u128 {
        let mut m = Mixer(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344);
        for t in self.state.threads.iter() {
            digest_thread(&mut m, t);
        }
        self.digest_memory(&mut m);
        u128::from(m.0) << 64 | u128::from(m.1)
    }

    /// The digest of what the future depends on, for those who know more than the machine does: which variables may still be read at a
    /// place, and for which objects it matters how they are named ([`crate::footprint`]).
    ///
    /// Objects that have ended are not in it, unless somebody still has their address. Those that live are numbered in the order of their making, and
    /// pointers to them are distances from their beginning, so a loop that makes a variable in every iteration comes back to
    /// the same digest. This is right as long as the program does not look at addresses as numbers, see [`Machine::seen_address`].
    ///
    /// Leaks depend on more: any word that holds an address counts as a reference, whether or not it is read again. Where they are
    /// looked for, the digest is that of everything as long as there is anything on the heap.
    pub fn digest_of_future(
        &self,
        live: &mut dyn FnMut(Location) -> Rc<[bool]>,
        named: &dyn Fn(&Object) -> bool,
    ) -> u128 {
        let memory = &self.state.memory;
        let on_heap = |id: ObjectId| {
            let o = memory.object(id);
            o.kind == ObjectKind::Heap && o.life == Life::Live
        };
        if self.looks_for_leaks() && memory.ids().any(on_heap) {
            return self.digest_of_everything();
        }
        let mut m = Mixer(0x452f_86a1_38d0_1377, 0xbe54_66cf_34e9_0c6c);
        let alive = |id: &ObjectId| memory.object(*id).life == Life::Live;
        let ids: Vec<ObjectId> = memory.ids().filter(alive).collect();
        let view = View {
            memory,
            ids: &ids,
            bytes: self.pointer_bytes,
        };
        for t in self.state.threads.iter() {
            view.add_thread(&mut m, t, live);
        }
        for id in &ids {
            let o = memory.object(*id);
            if o.kind != ObjectKind::Function {
                view.add_object(&mut m, o);
                let static_ = o.made_at.is_none();
                if static_ || o.kind == ObjectKind::Heap || named(o) {
                    m.add(u64::from(o.serial));
                }
            }
        }
        for id in memory.freed.iter() {
            let o = memory.object(*id);
            m.add(u64::from(id.0));
            m.add(o.base);
            m.add(o.size);
        }
        u128::from(m.0) << 64 | u128::from(m.1)
    }

    /// The digest of the present state without variables that are not read again; with them where leaks are looked for.
    pub fn digest_of_living(&self, live: &mut dyn FnMut(Location) -> Rc<[bool]>) -> u128 {
        if self.looks_for_leaks() {
            return self.digest();
        }
        let mut m = Mixer(0x9216_d5d9_8979_fb1b, 0xd131_0ba6_98df_b5ac);
        for t in self.state.threads.iter() {
            digest_thread_but_locals(&mut m, t);
            for frame in t.stack() {
                let live = live(frame.location());
                let read = frame.locals.iter().zip(live.iter());
                for (v, _) in read.filter(|(_, live)| **live) {
                    m.add_value(*v);
                }
            }
        }
        self.digest_memory(&mut m);
        u128::from(m.0) << 64 | u128::from(m.1)
    }

    fn digest_memory(&self, m: &mut Mixer) {
        for id in self.state.memory.ids() {
            let o = self.state.memory.object(id);
            if o.kind != ObjectKind::Function {
                digest_object(m, o);
            }
        }
        for id in self.state.memory.freed.iter() {
            m.add(u64::from(id.0));
        }
    }

    fn digest_of_everything(&self) -> u128 {
        let whole = self.digest();
        let mut m = Mixer(whole as u64, (whole >> 64) as u64);
        for t in self.state.threads.iter() {
            m.add(t.outlived);
            for (object, offset) in &t.units {
                m.add(u64::from(object.0) << 32 | offset);
            }
        }
        for id in self.state.memory.ids() {
            m.add(u64::from(self.state.memory.object(id).serial));
        }
        u128::from(m.0) << 64 | u128::from(m.1)
    }

    /// A quick digest of the variables of a thread's innermost activation.
    pub fn variables_digest(&self, t: ThreadId) -> u64 {
        let mut m = Mixer(0x452f_86a1, 0x38d0_1377);
        if let Some(frame) = self.thread(t).stack().next_back() {
            for v in &frame.locals {
                m.add(v.bits as u64);
            }
        }
        m.0
    }

    /// The digest of what belongs to one thread: its stack, and the objects nobody else knows. While nobody else is there,
    /// of everything.
    pub fn local_digest(&self, t: ThreadId) -> u128 {
        if self.is_alone(t) {
            return self.digest();
        }
        let mut m = Mixer(0x1337_0f5b_9a2d_11c7, 0x7f4a_7c15_9e37_79b9);
        digest_thread(&mut m, self.thread(t));
        for id in self.state.memory.ids() {
            let o = self.state.memory.object(id);
            if o.owner == t && !o.shared && o.life == Life::Live {
                digest_object(&mut m, o);
            }
        }
        u128::from(m.0) << 64 | u128::from(m.1)
    }
}

/// Where an object was made: it goes by that for those who remember things about objects.
fn add_origin(m: &mut Mixer, o: &Object) {
    match o.made_at {
        Some(at) => {
            m.add(u64::from(at.function.0) << 32 | u64::from(at.block.0));
            m.add(u64::from(at.index) << 1 | 1);
        }
        None => m.add(0),
    }
    m.add(u64::from(o.kind == ObjectKind::Heap));
}

fn add_bytes(m: &mut Mixer, bytes: &[u8]) {
    for word in bytes.chunks(8) {
        m.add(word.iter().rev().fold(0, |a, b| a << 8 | u64::from(*b)));
    }
}

fn add_states(m: &mut Mixer, o: &Object) {
    for s in o.states.iter().flatten() {
        m.add(match s {
            ByteState::Open => 1,
            ByteState::Written => 2,
            ByteState::Fixed(holes) => 2 + u64::from(*holes),
        });
    }
}

fn digest_object(m: &mut Mixer, o: &Object) {
    m.add(o.base);
    m.add(match o.kind {
        ObjectKind::Heap => 1,
        ObjectKind::Stack => 2,
        _ => 3,
    });
    m.add(u64::from(o.life == Life::Live) | u64::from(o.shared) << 1 | o.size << 2);
    add_bytes(m, &o.bytes);
    m.add(o.pointers.len() as u64 * 2 + u64::from(o.states.is_some()));
    m.add(u64::from(o.owner.0));
    for (offset, target) in &o.pointers {
        m.add(*offset);
        m.add(u64::from(target.0));
    }
    add_states(m, o);
}

/// What it is doing, as far as no object is named.
fn add_status(m: &mut Mixer, t: &Thread) {
    m.add(u64::from(t.inputs));
    m.add(match t.status {
        ThreadStatus::New => 1,
        ThreadStatus::Active => 2,
        ThreadStatus::Finished => 3,
        ThreadStatus::Stopped(reason) => 4 + reason as u64,
    });
    m.add(t.join_code as u64);
    m.add(t.handle << 2 | u64::from(t.detached) << 1 | u64::from(t.joined));
    m.add(t.regions.len() as u64);
    for kind in &t.regions {
        m.add(*kind as u64);
    }
}

/// What a thread remembers of itself, but for addresses.
fn add_remembered(m: &mut Mixer, j: &Remembered) {
    m.add(j.depth as u64);
    m.add(u64::from(j.at.function.0));
    m.add(u64::from(j.at.block.0) << 32 | u64::from(j.at.index));
    m.add(j.blocks as u64);
    m.add(j.regions as u64);
    for contents in &j.contents {
        match contents {
            Some(contents) => add_bytes(m, &contents.bytes),
            None => m.add(0),
        }
    }
}

fn add_frame(m: &mut Mixer, frame: &Frame) {
    m.add(u64::from(frame.function.0));
    m.add(u64::from(frame.block.0) << 32 | u64::from(frame.index));
    m.add(frame.blocks.len() as u64);
}

fn digest_thread(m: &mut Mixer, t: &Thread) {
    digest_thread_but_locals(m, t);
    for v in t.stack().flat_map(|f| &f.locals) {
        m.add_value(*v);
    }
}

fn digest_thread_but_locals(m: &mut Mixer, t: &Thread) {
    add_status(m, t);
    for (global, object) in &t.thread_locals {
        m.add(u64::from(global.0) << 32 | u64::from(object.0));
    }
    m.add_value(t.result);
    // Who reads a reader–writer lock is written nowhere else.
    m.add(t.held.len() as u64);
    for h in &t.held {
        m.add(u64::from(h.object.0));
        m.add(h.offset);
    }
    for j in &t.jumps {
        m.add(u64::from(j.object.0));
        m.add(j.offset);
        add_remembered(m, j);
        for v in &j.locals {
            m.add_value(*v);
        }
        for o in &j.slots {
            m.add(u64::from(o.0));
        }
    }
    m.add(t.frames.len() as u64 * 2 + u64::from(t.sleep.is_some()));
    if let Some(s) = t.sleep {
        m.add(u64::from(s.object.0));
        m.add(s.offset << 1 | u64::from(s.woken));
    }
    for frame in t.stack() {
        add_frame(m, frame);
        m.add(frame.locals.len() as u64);
        for o in frame.slots.iter().chain(&frame.blocks) {
            m.add(u64::from(o.0));
        }
    }
}
