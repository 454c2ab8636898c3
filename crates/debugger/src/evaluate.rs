//! What an expression means in a state: places with types, and numbers.
//!
//! Nothing is chosen on the way: memory that was never written has no value, and saying so is the answer.

use crate::expression::{Expression, parse};
use crate::history::Edit;
use crate::position::activations;
use crate::session::Session;
use raddle_interp::ThreadId;
use raddle_interp::value::{ObjectId, Value, mask, sign_extend};
use raddle_ir::{DebugType, GlobalId, LocalId, SlotId, Ty, TypeId};

/// Whose names are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The thread.
    pub thread: ThreadId,
    /// Its activation, among those of the user's code; 0 is the innermost.
    pub level: usize,
}

impl Frame {
    /// The innermost activation of a thread.
    pub fn top(thread: ThreadId) -> Frame {
        Frame { thread, level: 0 }
    }
}

/// For a bit-field: the first bit and the width.
pub type Bits = Option<(u32, u32)>;

/// Where something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In memory.
    Memory {
        /// The object.
        object: ObjectId,
        /// From which byte.
        offset: u64,
        /// For a bit-field: the first bit and the width.
        bits: Bits,
    },
    /// A local that has no address.
    Local {
        /// Whose.
        thread: ThreadId,
        /// Of which activation, counted from the outermost of all.
        frame: usize,
        /// Which.
        local: LocalId,
    },
    /// It was computed.
    Nowhere(Value),
}

/// What an expression means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thing {
    /// Where it is.
    pub place: Place,
    /// Its type, if known.
    pub ty: Option<TypeId>,
}

fn number(value: i128) -> Thing {
    Thing {
        place: Place::Nowhere(Value::new(value as u128)),
        ty: None,
    }
}

impl Session<'_> {
    /// What a text means.
    pub fn evaluate_text(&self, frame: Frame, text: &str) -> Result<Thing, String> {
        let expression = parse(text).map_err(|m| m.to_string())?;
        self.evaluate(frame, &expression)
    }

    /// What an expression means.
    pub fn evaluate(&self, frame: Frame, expression: &Expression) -> Result<Thing, String> {
        match expression {
            Expression::Number(n) => Ok(number(*n)),
            Expression::Name(name) => self.named(frame, name),
            Expression::Member(record, name) => {
                let record = self.evaluate(frame, record)?;
                self.member(&record, name)
            }
            Expression::Arrow(pointer, name) => {
                let pointer = self.evaluate(frame, pointer)?;
                let record = self.target(&pointer)?;
                self.member(&record, name)
            }
            Expression::Element(array, index) => {
                let array = self.evaluate(frame, array)?;
                let index = self.evaluate(frame, index)?;
                let index = self.number(&index)?;
                self.element(&array, index)
            }
            Expression::Target(pointer) => {
                let pointer = self.evaluate(frame, pointer)?;
                self.target(&pointer)
            }
            Expression::Address(of) => {
                let of = self.evaluate(frame, of)?;
                let Place::Memory {
                    object,
                    offset,
                    bits: None,
                } = of.place
                else {
                    return Err("this has no address".into());
                };
                let base = self.machine.memory().object(object).base;
                Ok(Thing {
                    place: Place::Nowhere(Value::pointer(base.wrapping_add(offset), object)),
                    ty: self.pointer_to(of.ty),
                })
            }
            Expression::Unary(sign, of) => {
                let of = self.evaluate(frame, of)?;
                let n = self.number(&of)?;
                Ok(number(match sign {
                    '-' => n.wrapping_neg(),
                    '!' => i128::from(n == 0),
                    '~' => !n,
                    _ => n,
                }))
            }
            Expression::Binary(sign, left, right) => {
                let left = self.evaluate(frame, left)?;
                if matches!(*sign, "&&" | "||") {
                    let first = self.number(&left)? != 0;
                    if first == (*sign == "||") {
                        return Ok(number(i128::from(first)));
                    }
                    let right = self.evaluate(frame, right)?;
                    return Ok(number(i128::from(self.number(&right)? != 0)));
                }
                let right = self.evaluate(frame, right)?;
                self.binary(sign, &left, &right)
            }
        }
    }

    fn binary(&self, sign: &str, left: &Thing, right: &Thing) -> Result<Thing, String> {
        let (a, b) = (self.number(left)?, self.number(right)?);
        if let ("+" | "-", Some(to)) = (sign, self.pointee(left)) {
            let size = self.machine.size_of(to).max(1) as i128;
            let value = self.scalar(left)?;
            let moved = match sign {
                "+" => a.wrapping_add(b * size),
                _ => a.wrapping_sub(b * size),
            };
            return Ok(Thing {
                place: Place::Nowhere(Value {
                    bits: moved as u128 & mask(64),
                    ..value
                }),
                ty: self.pointer_to(Some(to)),
            });
        }
        let truth = |b: bool| i128::from(b);
        Ok(number(match sign {
            "|" => a | b,
            "^" => a ^ b,
            "&" => a & b,
            "==" => truth(a == b),
            "!=" => truth(a != b),
            "<" => truth(a < b),
            ">" => truth(a > b),
            "<=" => truth(a <= b),
            ">=" => truth(a >= b),
            "<<" => a.wrapping_shl(b as u32),
            ">>" => a.wrapping_shr(b as u32),
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            "/" | "%" if b == 0 => return Err("division by zero".into()),
            "/" => a.wrapping_div(b),
            _ => a.wrapping_rem(b),
        }))
    }

    /// A variable, constant or function.
    fn named(&self, frame: Frame, name: &str) -> Result<Thing, String> {
        let known = self.machine.threads().any(|t| t == frame.thread);
        let activations = match known {
            true => activations(&self.machine, frame.thread),
            false => Vec::new(),
        };
        if let Some(activation) = activations.get(frame.level) {
            let function = self.program.function(activation.function);
            let mut stack = self.machine.thread(frame.thread).stack();
            let own = stack.nth(activation.frame);
            let own = own.ok_or("there is no such activation")?;
            // Of several variables of one name, those of inner blocks come later.
            for (number, slot) in function.slots.iter().enumerate().rev() {
                let object = own.slot(SlotId(number as u32));
                if let (true, Some(object)) = (slot.name == name, object) {
                    return Ok(Thing {
                        place: Place::Memory {
                            object,
                            offset: 0,
                            bits: None,
                        },
                        ty: slot.debug,
                    });
                }
            }
            let fits = |l: &&(usize, &raddle_ir::Local)| l.1.name == name;
            let locals = function.locals.iter().enumerate();
            let all: Vec<_> = locals.filter(|l| fits(&l)).collect();
            let has_value = |l: &&(usize, &raddle_ir::Local)| !own.local(LocalId(l.0 as u32)).open;
            let best = all.iter().rev().find(has_value).or(all.last());
            if let Some((local, declared)) = best {
                return Ok(Thing {
                    place: Place::Local {
                        thread: frame.thread,
                        frame: activation.frame,
                        local: LocalId(*local as u32),
                    },
                    ty: declared.debug,
                });
            }
        }
        let user = |g: &raddle_ir::Global| g.name == name;
        if let Some(at) = self.program.globals.iter().position(user) {
            let global = GlobalId(at as u32);
            let object = self.machine.object_of(frame.thread, global);
            let object = object.ok_or(format!("this thread has not used `{name}` yet"))?;
            return Ok(Thing {
                place: Place::Memory {
                    object,
                    offset: 0,
                    bits: None,
                },
                ty: Some(self.program.global(global).ty),
            });
        }
        for ty in &self.program.types {
            let DebugType::Enum { constants, .. } = ty else {
                continue;
            };
            if let Some(c) = constants.iter().find(|c| c.name == name) {
                return Ok(number(i128::from(c.value)));
            }
        }
        Err(format!("there is no `{name}` here"))
    }

    fn member(&self, record: &Thing, name: &str) -> Result<Thing, String> {
        let (Place::Memory { object, offset, .. }, Some(ty)) = (record.place, record.ty) else {
            return Err(format!("this has no member `{name}`"));
        };
        match self.field(ty, name, 0) {
            Some((inside, ty, bits)) => Ok(Thing {
                place: Place::Memory {
                    object,
                    offset: offset + inside,
                    bits,
                },
                ty: Some(ty),
            }),
            None => Err(format!("this has no member `{name}`")),
        }
    }

    /// A member of a type, also of its anonymous members.
    fn field(&self, ty: TypeId, name: &str, depth: u32) -> Option<(u64, TypeId, Bits)> {
        let DebugType::Record { fields, .. } = self.debug(ty) else {
            return None;
        };
        if let Some(f) = fields.iter().find(|f| f.name == name) {
            return Some((f.offset, f.ty, f.bits));
        }
        let mut anonymous = fields.iter().filter(|f| f.name.is_empty() && depth < 16);
        anonymous.find_map(|f| {
            let (inside, ty, bits) = self.field(f.ty, name, depth + 1)?;
            Some((f.offset + inside, ty, bits))
        })
    }

    /// An element of an array, or of what a pointer points to.
    pub fn element(&self, array: &Thing, index: i128) -> Result<Thing, String> {
        if let (Some(DebugType::Array { of, .. }), Place::Memory { object, offset, .. }) =
            (array.ty.map(|t| self.debug(t)), array.place)
        {
            let inside = index.wrapping_mul(i128::from(self.machine.size_of(*of)));
            return Ok(Thing {
                place: Place::Memory {
                    object,
                    offset: (i128::from(offset)).wrapping_add(inside) as u64,
                    bits: None,
                },
                ty: Some(*of),
            });
        }
        let moved = self.binary("+", array, &number(index))?;
        self.target(&moved)
    }

    /// What a pointer points to.
    pub fn target(&self, pointer: &Thing) -> Result<Thing, String> {
        if let (Some(DebugType::Array { .. }), Place::Memory { .. }) =
            (pointer.ty.map(|t| self.debug(t)), pointer.place)
        {
            return self.element(pointer, 0);
        }
        let to = self.pointee(pointer).ok_or("this is no pointer")?;
        let value = self.scalar(pointer)?;
        let length = self.machine.size_of(to).max(1);
        match self.machine.memory().resolve(value, length, false) {
            Ok((object, offset)) => Ok(Thing {
                place: Place::Memory {
                    object,
                    offset,
                    bits: None,
                },
                ty: Some(to),
            }),
            Err(_) if value.low() == 0 => Err("this is a null pointer".into()),
            Err(_) => Err("this points to nothing that is alive".into()),
        }
    }

    /// The type of what something points to, if it is a pointer or an array.
    fn pointee(&self, thing: &Thing) -> Option<TypeId> {
        match self.debug(thing.ty?) {
            DebugType::Pointer { to } => Some(*to),
            _ => None,
        }
    }

    fn pointer_to(&self, ty: Option<TypeId>) -> Option<TypeId> {
        let ty = ty?;
        let points = |t: &DebugType| matches!(t, DebugType::Pointer { to } if *to == ty);
        let at = self.program.types.iter().position(points)?;
        Some(TypeId(at as u32))
    }

    pub(crate) fn debug(&self, ty: TypeId) -> &DebugType {
        &self.program.types[ty.0 as usize]
    }

    /// The representation of something that is a scalar.
    pub fn scalar(&self, thing: &Thing) -> Result<Value, String> {
        let value = match thing.place {
            Place::Nowhere(value) => value,
            Place::Local {
                thread,
                frame,
                local,
            } => {
                let mut stack = self.machine.thread(thread).stack();
                let frame = stack.nth(frame);
                frame.ok_or("this activation is over")?.local(local)
            }
            Place::Memory {
                object,
                offset,
                bits,
            } => {
                let ty = thing.ty.ok_or("its type is not known")?;
                let length = match self.debug(ty) {
                    DebugType::Record { .. } | DebugType::Array { .. } | DebugType::Void => {
                        return Err("this is not a single value".into());
                    }
                    _ => self.machine.size_of(ty),
                };
                let value = self.machine.look(object, offset, length);
                let value = value.ok_or("there is nothing there")?;
                match bits {
                    Some((first, width)) if !value.open => Value {
                        bits: value.bits >> first & mask(width),
                        ..value
                    },
                    _ => value,
                }
            }
        };
        match value.open {
            true => Err("it was never written".into()),
            false => Ok(value),
        }
    }

    /// The number that a scalar is.
    pub fn number(&self, thing: &Thing) -> Result<i128, String> {
        let value = self.scalar(thing)?;
        let signed = match thing.ty.map(|t| self.debug(t)) {
            Some(DebugType::Int { signed, size, .. }) => signed.then_some(8 * *size as u32),
            Some(DebugType::Enum { size, .. }) => Some(8 * *size as u32),
            None => match thing.place {
                Place::Nowhere(_) => return Ok(value.bits as i128),
                Place::Local { thread, .. } => self.local_bits(thing, thread),
                Place::Memory { .. } => None,
            },
            _ => None,
        };
        let width = match thing.place {
            Place::Memory {
                bits: Some((_, width)),
                ..
            } => signed.map(|_| width),
            _ => signed,
        };
        Ok(match width {
            Some(bits) => sign_extend(value.bits & mask(bits), bits),
            None => value.bits as i128,
        })
    }

    fn local_bits(&self, thing: &Thing, _: ThreadId) -> Option<u32> {
        let ty = self.local_type(thing)?;
        Some(ty.bits(self.program.model))
    }

    fn local_type(&self, thing: &Thing) -> Option<Ty> {
        let Place::Local {
            thread,
            frame,
            local,
        } = thing.place
        else {
            return None;
        };
        let frame = self.machine.thread(thread).stack().nth(frame)?;
        let function = self.program.function(frame.function);
        Some(function.local(local).ty)
    }

    /// Whether it counts as true; what has no value does not.
    pub fn is_true(&self, thing: &Thing) -> bool {
        self.number(thing).is_ok_and(|n| n != 0)
    }

    /// Changes something to the value of something else.
    pub fn assign(&mut self, to: &Thing, from: &Thing) -> Result<(), String> {
        let value = self.scalar(from)?;
        let value = Value {
            bits: match from.place {
                Place::Nowhere(_) => value.bits,
                _ => self.number(from)? as u128,
            },
            ..value
        };
        let edit = match to.place {
            Place::Nowhere(_) => return Err("this cannot be changed".into()),
            Place::Local {
                thread,
                frame,
                local,
            } => {
                let ty = self.local_type(to).ok_or("this activation is over")?;
                Edit::Local {
                    thread,
                    frame,
                    local,
                    value: Value {
                        bits: value.bits & mask(ty.bits(self.program.model)),
                        ..value
                    },
                }
            }
            Place::Memory {
                object,
                offset,
                bits,
            } => {
                let ty = to.ty.ok_or("its type is not known")?;
                let length = match self.debug(ty) {
                    DebugType::Record { .. } | DebugType::Array { .. } | DebugType::Void => {
                        return Err("this is not a single value".into());
                    }
                    _ => self.machine.size_of(ty),
                };
                let new = value.bits & mask(8 * length as u32);
                let bits = match bits {
                    None => new,
                    Some((first, width)) => {
                        let old = self.machine.look(object, offset, length);
                        let old = old.ok_or("there is nothing there")?.bits;
                        let field = mask(width) << first;
                        old & !field | (new << first) & field
                    }
                };
                Edit::Memory {
                    object,
                    offset,
                    length,
                    value: Value { bits, ..value },
                }
            }
        };
        match self.edit(edit) {
            true => Ok(()),
            false => Err("there is nothing there to change".into()),
        }
    }
}
