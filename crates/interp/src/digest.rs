//! A 128-bit digest of a state, to recognise one that was seen before.
//!
//! Covers everything the future depends on: stacks, memory, sleepers, locks (which are memory). Left out on
//! purpose: the race detector's clocks, step numbers, and what is kept for messages only.

use crate::jump::Remembered;
use crate::machine::{Machine, ThreadId};
use crate::memory::{ByteState, Life, Object, ObjectKind};
use crate::thread::{Frame, Thread, ThreadStatus};
use crate::value::Value;
use raddle_ir::Location;
use std::rc::Rc;

pub(crate) struct Mixer(u64, u64);

impl Mixer {
    pub(crate) fn new() -> Mixer {
        Mixer(0x452f_86a1_38d0_1377, 0xbe54_66cf_34e9_0c6c)
    }

    pub(crate) fn finish(self) -> u128 {
        u128::from(self.0) << 64 | u128::from(self.1)
    }

    pub(crate) fn add(&mut self, x: u64) {
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

pub(crate) fn add_bytes(m: &mut Mixer, bytes: &[u8]) {
    for word in bytes.chunks(8) {
        m.add(word.iter().rev().fold(0, |a, b| a << 8 | u64::from(*b)));
    }
}

pub(crate) fn add_states(m: &mut Mixer, o: &Object) {
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
pub(crate) fn add_status(m: &mut Mixer, t: &Thread) {
    m.add(u64::from(t.inputs));
    m.add(match t.status {
        ThreadStatus::New => 1,
        ThreadStatus::Active => 2,
        ThreadStatus::Finished => 3,
        ThreadStatus::Stopped(reason) => 4 + reason as u64,
    });
    m.add(u64::from(t.join_code));
    m.add(t.handle << 2 | u64::from(t.detached) << 1 | u64::from(t.joined));
    m.add(t.regions.len() as u64);
    for kind in &t.regions {
        m.add(*kind as u64);
    }
}

/// What a thread remembers of itself, but for addresses.
pub(crate) fn add_remembered(m: &mut Mixer, j: &Remembered) {
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

pub(crate) fn add_frame(m: &mut Mixer, frame: &Frame) {
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
