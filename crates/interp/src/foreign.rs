//! What functions without a body might do, for those who ask whether a violation rests on their not doing so.
//!
//! A run takes such a function to leave memory alone, to order no threads, and to call and free nothing. With [`Foreign`] it writes, at every
//! call, what its pointer arguments point to. Calls that are noted tell what else it could have done with its arguments.

use crate::machine::{Machine, ThreadId};
use crate::memory::{Life, ObjectKind};
use crate::thread::Frame;
use crate::value::{ObjectId, Value};
use raddle_ir::{FuncId, Location};
use std::collections::BTreeSet;

/// A call of a function without a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignCall {
    /// Who called it.
    pub thread: ThreadId,
    /// Where.
    pub at: Location,
    /// The function.
    pub function: FuncId,
    args: Vec<Value>,
}

/// What a function without a body writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The function.
    pub function: FuncId,
    /// The number that is written everywhere, or none for pointers to zeros.
    pub value: Option<u64>,
    /// How many bytes a number has in what is no number itself.
    pub width: u64,
}

/// The size of the zeros that written pointers point to.
const ZEROS: u64 = 4096;

impl Machine<'_> {
    /// Whether a function without a body has written anything so far.
    pub fn foreign_wrote(&self) -> bool {
        self.foreign_wrote
    }

    /// The calls of functions without a body so far, if they are noted ([`crate::Config::note_foreign_calls`]).
    pub fn foreign_calls(&self) -> &[ForeignCall] {
        &self.foreign_calls
    }

    pub(crate) fn note_foreign_call(
        &mut self,
        thread: ThreadId,
        frame: &Frame,
        function: FuncId,
        args: Vec<Value>,
    ) {
        self.foreign_calls.push(ForeignCall {
            thread,
            at: frame.location(),
            function,
            args,
        });
    }

    /// A call by each of two threads that could have ordered them: both gave away the same address, or both called a function that takes
    /// and returns nothing.
    pub fn foreign_calls_may_order(&self, a: ThreadId, b: ThreadId) -> Option<&ForeignCall> {
        let by = |t: ThreadId| self.foreign_calls.iter().filter(move |c| c.thread == t);
        let bare = |c: &ForeignCall| {
            let function = self.program.function(c.function);
            function.params == 0 && function.ret.is_none()
        };
        let same = |v: &Value, w: &Value| match v.provenance.is_some() {
            true => v.provenance == w.provenance,
            false => !w.provenance.is_some() && v.bits == w.bits && v.bits != 0,
        };
        let pointers = |c: &ForeignCall| {
            let function = self.program.function(c.function);
            let locals = function.locals.iter().take(function.params as usize);
            let wanted = locals.map(|l| l.ty == raddle_ir::Ty::Ptr);
            let args = c.args.iter().zip(wanted);
            args.filter_map(|(v, p)| p.then_some(*v))
                .collect::<Vec<_>>()
        };
        by(b).find(|second| {
            by(a).any(|first| {
                let (firsts, seconds) = (pointers(first), pointers(second));
                let shared = firsts.iter().any(|v| seconds.iter().any(|w| same(v, w)));
                shared || bare(first) && bare(second)
            })
        })
    }

    /// A call that could have freed or kept a heap object that was made there.
    pub fn foreign_calls_may_keep(&self, made_at: Location) -> Option<&ForeignCall> {
        let is_one = |id: ObjectId| self.state.memory.object(id).made_at == Some(made_at);
        let mut calls = self.foreign_calls.iter();
        calls.find(|c| self.given_away(c).into_iter().any(is_one))
    }

    /// A call that could have called a function of the program, and that function.
    pub fn foreign_calls_may_call(&self) -> Option<(&ForeignCall, FuncId)> {
        self.foreign_calls.iter().find_map(|c| {
            let mut given = self.given_away(c).into_iter();
            let function = given.find_map(|id| self.object_function(id))?;
            Some((c, function))
        })
    }

    /// The objects that the arguments of a call lead to, as memory is now.
    fn given_away(&self, call: &ForeignCall) -> BTreeSet<ObjectId> {
        let memory = &self.state.memory;
        let direct = call.args.iter().map(|v| v.provenance);
        let mut todo: Vec<ObjectId> = direct.filter(|o| o.is_some()).collect();
        let mut seen: BTreeSet<ObjectId> = todo.iter().copied().collect();
        while let Some(id) = todo.pop() {
            for to in memory.object(id).pointers.values() {
                if to.is_some() && seen.insert(*to) {
                    todo.push(*to);
                }
            }
        }
        seen
    }

    /// Writes what the arguments of a call point to.
    pub(crate) fn write_foreign(&mut self, t: ThreadId, foreign: Foreign, args: &[Value]) {
        let word = self.program.model.pointer_bytes();
        for (index, arg) in args.iter().enumerate() {
            let most = self.program.written_through(foreign.function, index);
            let Some(most) = most.filter(|_| arg.provenance.is_some()) else {
                continue;
            };
            let object = self.state.memory.object(arg.provenance);
            let usable = object.life == Life::Live
                && !object.constant
                && object.kind != ObjectKind::Function;
            let inside = arg.low().checked_sub(object.base);
            let Some(from) = inside.filter(|o| usable && *o <= object.size) else {
                continue;
            };
            self.foreign_wrote = true;
            let object = self.state.memory.object(arg.provenance);
            let until = from + most.min(object.size - from);
            let (value, width) = match foreign.value {
                Some(value) if matches!(most, 1 | 2 | 4 | 8) => (Value::new(value.into()), most),
                Some(value) => (Value::new(value.into()), foreign.width),
                None => (self.zeros(t), word),
            };
            let object = self.state.memory.object_mut(arg.provenance);
            let mut at = from;
            while at < until {
                let length = match at + width <= until {
                    true => width,
                    false => 1,
                };
                let part = match length == width {
                    true => value,
                    false => Value::new(value.bits & 0xff),
                };
                object.write(at, length, part, word);
                at += length;
            }
        }
    }

    /// A pointer to zeros that nobody else knows.
    fn zeros(&mut self, t: ThreadId) -> Value {
        let memory = &mut self.state.memory;
        let id = memory.add(ObjectKind::Stack, ZEROS, 16, "zeros".into(), t);
        let base = memory.object(id).base;
        Value {
            provenance: id,
            ..Value::new(u128::from(base))
        }
    }
}
