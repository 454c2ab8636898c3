//! `setjmp` and `longjmp`: what a thread remembers, and how it comes back.
//!
//! What is remembered belongs to an activation and is found again by the address of the buffer, whose contents do not matter. C makes objects of
//! the activation that have changed meanwhile and are not `volatile` indeterminate: registers are; for one in memory the execution ends as not
//! supported, because compilers do not touch most of them and programs rely on that. Volatile variables are in memory and keep their values.
//!
//! Misses: copies of a buffer (to go back by one is not supported), and variables that were assigned the value they had.

use crate::execute::Exec;
use crate::machine::{End, Flow, Machine, ThreadId};
use crate::memory::ByteState;
use crate::thread::Frame;
use crate::value::{ObjectId, Value};
use raddle_ir::{LocalId, Location, Op, Operand, Ordering};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A place that a thread can go back to.
#[derive(Clone, Debug)]
pub(crate) struct Remembered {
    /// The buffer.
    pub object: ObjectId,
    pub offset: u64,
    /// How many activations are below.
    pub depth: usize,
    /// Where the result is expected.
    pub at: Location,
    pub result: Option<LocalId>,
    /// The activation as it was.
    pub locals: Vec<Value>,
    pub slots: Vec<ObjectId>,
    pub contents: Vec<Option<Rc<Contents>>>,
    pub blocks: usize,
    pub regions: usize,
}

/// What stood in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contents {
    pub bytes: Vec<u8>,
    states: Option<Vec<ByteState>>,
    pointers: BTreeMap<u64, ObjectId>,
}

fn unsupported<T>(what: &str) -> Exec<T> {
    Err(Flow::End(End::Limit(format!("unsupported: {what}"))))
}

impl Machine<'_> {
    fn contents(&self, object: ObjectId) -> Option<Rc<Contents>> {
        object.is_some().then(|| {
            let o = self.state.memory.object(object);
            Rc::new(Contents {
                bytes: o.bytes.to_vec(),
                states: o.states.as_ref().map(|s| s.to_vec()),
                pointers: o.pointers.clone(),
            })
        })
    }

    /// A thread remembers where it is.
    pub(crate) fn set_jump(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        result: Option<LocalId>,
        buffer: Value,
    ) -> Exec<()> {
        let place = self.place(t, frame, buffer, 8, true)?;
        self.track(t, frame, place, true, false)?;
        self.write(place, Value::new(0));
        let depth = self.thread(t).frames.len();
        let contents = frame.slots.iter().map(|o| self.contents(*o)).collect();
        let new = Remembered {
            object: place.object,
            offset: place.offset,
            depth,
            at: frame.location(),
            result,
            locals: frame.locals.clone(),
            slots: frame.slots.clone(),
            contents,
            blocks: frame.blocks.len(),
            regions: self.thread(t).regions.len(),
        };
        let jumps = &mut self.thread_mut(t).jumps;
        jumps.retain(|j| (j.object, j.offset) != (place.object, place.offset));
        jumps.push(Rc::new(new));
        Ok(())
    }

    /// Activations with at least so many below them have ended.
    pub(crate) fn forget_jumps(&mut self, t: ThreadId, depth: usize) {
        if self.thread(t).jumps.iter().any(|j| j.depth >= depth) {
            self.thread_mut(t).jumps.retain(|j| j.depth < depth);
        }
    }

    /// A thread goes back.
    pub(crate) fn long_jump(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        buffer: Value,
        result: Value,
    ) -> Exec<Option<Value>> {
        let place = self.place(t, frame, buffer, 8, false)?;
        self.track(t, frame, place, false, false)?;
        let there = (place.object, place.offset);
        let jumps = &self.thread(t).jumps;
        let Some(to) = jumps
            .iter()
            .find(|j| (j.object, j.offset) == there)
            .cloned()
        else {
            let what = "longjmp to where no setjmp of this thread waits for it: it has returned, or never was";
            return unsupported(what);
        };
        if to.regions != self.thread(t).regions.len() {
            return unsupported("longjmp out of an atomic block");
        }
        let above = self.thread(t).frames.iter().skip(to.depth + 1);
        let mut ending: Vec<ObjectId> = above
            .flat_map(|f| f.slots.iter().chain(&f.blocks).copied())
            .collect();
        if self.thread(t).frames.len() > to.depth {
            ending.extend(frame.slots.iter().chain(&frame.blocks));
        }
        self.objects_end(t, frame, &ending)?;
        let value = match result.bits as u32 {
            0 => Value::new(1),
            _ => result,
        };
        Err(Flow::Jump(to, value))
    }

    /// Makes an activation what it was when its place was remembered; the activations above it have ended.
    pub(crate) fn come_back(
        &mut self,
        t: ThreadId,
        frame: &mut Frame,
        to: &Remembered,
        value: Value,
    ) -> Option<End> {
        let not = |what: &str| Some(End::Limit(format!("unsupported: {what}")));
        let from = frame.location();
        let step = self.state.steps;
        for (slot, before) in to.slots.iter().enumerate() {
            let now = frame.slots[slot];
            if now != *before {
                if before.is_some() {
                    return not("longjmp into a block that was left");
                }
                self.state.memory.end(now, t, from, step);
                frame.slots[slot] = *before;
            } else if now.is_some()
                && now != to.object
                && !self.is_volatile(frame, slot)
                && self.contents(now) != to.contents[slot]
            {
                return not(
                    "a variable in memory that is not volatile and changed between setjmp and longjmp",
                );
            }
        }
        if frame.blocks.len() < to.blocks {
            return not("longjmp into a block that was left");
        }
        for object in frame.blocks.drain(to.blocks..).collect::<Vec<_>>() {
            if object.is_some() {
                self.state.memory.end(object, t, from, step);
            }
        }
        let locals = frame.locals.iter_mut().zip(&to.locals);
        for (now, before) in locals.filter(|(now, before)| now != before) {
            let _ = before;
            *now = Value::OPEN;
        }
        frame.block = to.at.block;
        frame.index = to.at.index + 1;
        if let Some(local) = to.result {
            frame.locals[local.0 as usize] = value;
        }
        None
    }

    /// Whether a variable in memory is accessed as a volatile one.
    fn is_volatile(&self, frame: &Frame, slot: usize) -> bool {
        let function = self.program.function(frame.function);
        let mut instrs = function.blocks.iter().flat_map(|b| &b.instrs);
        instrs.any(|i| match &i.op {
            Op::Load { addr, access, .. } | Op::Store { addr, access, .. } => {
                let here = matches!(addr, Operand::Slot { id, .. } if id.0 as usize == slot);
                here && access.ordering == Ordering::Volatile
            }
            _ => false,
        })
    }
}
