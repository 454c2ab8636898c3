//! Objects that are there from the beginning: functions and globals, with their initial contents.

use crate::fast::Code;
use crate::machine::{Machine, ThreadId};
use crate::memory::ObjectKind;
use crate::value::{ObjectId, Value};
use raddle_ir::{FuncId, GlobalId, InitValue, Operand, Target};
use std::rc::Rc;

impl Machine<'_> {
    pub(crate) fn add_static_objects(&mut self) {
        let program = self.program;
        let nobody = ThreadId(0);
        for f in &program.functions {
            let name = f.name.as_str().into();
            self.state
                .memory
                .add(ObjectKind::Function, 1, 16, name, nobody);
        }
        for (i, g) in program.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            let name = g.name.as_str().into();
            // The template of a thread-local object keeps its id, but threads use copies.
            let size = if g.thread_local { 0 } else { g.size };
            let kind = ObjectKind::Global(id);
            let object = self.state.memory.add(kind, size, g.align, name, nobody);
            debug_assert_eq!(object, self.global_object(id));
        }
        for (i, g) in program.globals.iter().enumerate() {
            if !g.thread_local {
                let id = GlobalId(i as u32);
                self.initialise(id, self.global_object(id));
            }
        }
    }

    /// Translates all functions for the short cut.
    pub(crate) fn translate(&mut self) {
        let address = |o: Operand| {
            let (object, offset) = match o {
                Operand::Global { id, offset } if !self.program.global(id).thread_local => {
                    (self.global_object(id), offset)
                }
                Operand::Function(f) => (self.function_object(f), 0),
                _ => return None,
            };
            let base = self.state.memory.object(object).base;
            let bits = base.wrapping_add(offset as u64) & self.address_mask();
            Some(Value::pointer(bits, object))
        };
        let all = (0..self.program.functions.len() as u32)
            .map(|f| Code::new(self.program, FuncId(f), &address))
            .collect();
        self.code = Rc::new(all);
    }

    /// The object of a function.
    pub fn function_object(&self, id: FuncId) -> ObjectId {
        ObjectId(1 + id.0)
    }

    pub(crate) fn global_object(&self, id: GlobalId) -> ObjectId {
        ObjectId(1 + self.program.functions.len() as u32 + id.0)
    }

    /// The function an object stands for.
    pub(crate) fn object_function(&self, id: ObjectId) -> Option<FuncId> {
        let n = self.program.functions.len() as u32;
        (id.0 >= 1 && id.0 <= n).then(|| FuncId(id.0 - 1))
    }

    pub(crate) fn initialise(&mut self, global: GlobalId, object: ObjectId) {
        let g = self.program.global(global);
        let pointer_bytes = self.pointer_bytes;
        for init in &g.init {
            match &init.value {
                InitValue::Bytes(bytes) => {
                    let at = init.offset as usize;
                    let o = self.state.memory.object_mut(object);
                    o.bytes[at..at + bytes.len()].copy_from_slice(bytes);
                }
                InitValue::Address { target, addend } => {
                    let to = match target {
                        Target::Global(g) => self.global_object(*g),
                        Target::Function(f) => self.function_object(*f),
                    };
                    let base = self.state.memory.object(to).base;
                    let bits = base.wrapping_add(*addend as u64) & self.address_mask();
                    let o = self.state.memory.object_mut(object);
                    o.write(
                        init.offset,
                        pointer_bytes,
                        Value::pointer(bits, to),
                        pointer_bytes,
                    );
                }
            }
        }
        let o = self.state.memory.object_mut(object);
        o.debug = Some(g.ty);
        o.constant = g.constant;
        if g.external {
            o.foreign = true;
            o.forget();
        }
    }
}
