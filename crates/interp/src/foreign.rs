//! What functions without a body might write, for those who ask whether a violation rests on their not doing so.
//!
//! A run takes such a function to leave memory alone. With [`Foreign`] it writes, at every call, what its pointer arguments point to.

use crate::machine::{Machine, ThreadId};
use crate::memory::{Life, ObjectKind};
use crate::value::Value;
use raddle_ir::FuncId;

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
