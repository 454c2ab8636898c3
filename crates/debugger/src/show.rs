//! Values as a reader wants to see them, and what they consist of.

use crate::evaluate::{Frame, Place, Thing};
use crate::position::activations;
use crate::session::Session;
use raddle_interp::ThreadId;
use raddle_interp::value::ObjectId;
use raddle_ir::{DebugType, GlobalId, LocalId, SlotId, TypeId};

/// A named part of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name: `next`, `[3]`, `*p`.
    pub name: String,
    /// What it is.
    pub thing: Thing,
}

/// Elements that are shown in one line.
const FEW: u64 = 8;
/// Elements that are listed.
const MANY: u64 = 1_000;
/// Characters of a string that are shown.
const LONGEST: usize = 60;

impl Session<'_> {
    /// In one line.
    pub fn show(&self, thing: &Thing) -> String {
        self.show_within(thing, 3)
    }

    fn show_within(&self, thing: &Thing, depth: u32) -> String {
        if let Place::Memory { object, offset, .. } = thing.place
            && let Some(text) = thing.ty.and_then(|t| self.synchronises(t, object, offset))
        {
            return text;
        }
        match thing.ty.map(|t| self.debug(t)) {
            Some(DebugType::Record { .. } | DebugType::Array { .. }) if depth == 0 => "{…}".into(),
            Some(DebugType::Record { .. }) => {
                let parts = self.parts(thing);
                let shown = parts.iter().map(|p| {
                    let value = self.show_within(&p.thing, depth - 1);
                    format!("{} = {value}", p.name)
                });
                format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
            }
            Some(DebugType::Array { of, count }) => {
                if let Some(text) = self.string(thing, *of, *count) {
                    return text;
                }
                let mut shown: Vec<String> = (0..(*count).min(FEW))
                    .filter_map(|i| self.element(thing, i128::from(i)).ok())
                    .map(|e| self.show_within(&e, depth - 1))
                    .collect();
                if *count > FEW {
                    shown.push("…".into());
                }
                format!("{{{}}}", shown.join(", "))
            }
            _ => self.show_scalar(thing),
        }
    }

    fn show_scalar(&self, thing: &Thing) -> String {
        let value = match self.scalar(thing) {
            Ok(value) => value,
            Err(why) => return format!("<{why}>"),
        };
        let plain = || self.number(thing).map_or("?".into(), |n| n.to_string());
        match thing.ty.map(|t| self.debug(t)) {
            Some(DebugType::Pointer { .. }) if value.low() == 0 => "NULL".into(),
            Some(DebugType::Pointer { to }) => {
                let name = match value.provenance.is_some() {
                    true => {
                        let base = self.machine.memory().object(value.provenance).base;
                        let offset = value.low().wrapping_sub(base);
                        format!("&{}", self.path_to(value.provenance, offset, *to))
                    }
                    false => format!("{:#x}", value.low()),
                };
                let text = self.target(thing).ok().and_then(|t| match self.debug(*to) {
                    DebugType::Int { size: 1, .. } => self.string(&t, *to, MANY),
                    _ => None,
                });
                match text {
                    Some(text) => format!("{name} {text}"),
                    None => name,
                }
            }
            Some(DebugType::Float { size: 4, .. }) => f32::from_bits(value.bits as u32).to_string(),
            Some(DebugType::Float { size: 8, .. }) => f64::from_bits(value.low()).to_string(),
            Some(DebugType::Int { name, size: 1, .. }) if name.contains("char") => {
                match char::from(value.bits as u8) {
                    c if c.is_ascii_graphic() || c == ' ' => format!("{} '{c}'", plain()),
                    _ => plain(),
                }
            }
            Some(DebugType::Enum { constants, .. }) => {
                let number = self.number(thing).unwrap_or(0);
                let known = constants.iter().find(|c| i128::from(c.value) == number);
                known.map_or_else(plain, |c| c.name.clone())
            }
            _ => plain(),
        }
    }

    /// The name of what a pointer to a type points to: `queue` rather than the first member of its first member.
    fn path_to(&self, object: ObjectId, offset: u64, to: TypeId) -> String {
        let o = self.machine.memory().object(object);
        let mut path = o.name.to_string();
        let mut left = offset;
        let mut ty = o.debug;
        for _ in 0..16 {
            let Some(now) = ty.filter(|_| !path.is_empty()) else {
                break;
            };
            if left == 0 && self.debug(now) == self.debug(to) {
                return path;
            }
            ty = match self.debug(now) {
                DebugType::Array { of, .. } => {
                    let size = self.machine.size_of(*of).max(1);
                    path.push_str(&format!("[{}]", left / size));
                    left %= size;
                    Some(*of)
                }
                DebugType::Record {
                    fields,
                    union: false,
                    ..
                } => {
                    let inside = |f: &&raddle_ir::Field| f.offset <= left;
                    let field = fields.iter().rev().find(inside);
                    field.map(|f| {
                        path.push_str(&format!(".{}", f.name));
                        left -= f.offset;
                        f.ty
                    })
                }
                _ => None,
            };
        }
        self.machine.place_name(object, offset)
    }

    /// Bytes up to the first zero, if they are characters.
    fn string(&self, first: &Thing, of: TypeId, count: u64) -> Option<String> {
        let is_char = |t: &DebugType| matches!(t, DebugType::Int { name, size: 1, .. } if name.contains("char"));
        if !is_char(self.debug(of)) {
            return None;
        }
        let Place::Memory { object, offset, .. } = first.place else {
            return None;
        };
        let mut text = String::new();
        for i in 0..count {
            let byte = self
                .machine
                .look(object, offset + i, 1)
                .filter(|v| !v.open)?;
            let byte = byte.bits as u8;
            match byte {
                0 => return Some(format!("\"{text}\"")),
                b' '..=b'~' => text.push(char::from(byte)),
                other => text.push_str(&format!("\\x{other:02x}")),
            }
            if text.len() > LONGEST {
                return Some(format!("\"{text}…\""));
            }
        }
        Some(format!("\"{text}\""))
    }

    /// What a synchronisation object does, in words.
    fn synchronises(&self, ty: TypeId, object: ObjectId, offset: u64) -> Option<String> {
        let DebugType::Record { fields, .. } = self.debug(ty) else {
            return None;
        };
        let data = fields.iter().find(|f| f.name == "__data")?;
        let DebugType::Record { name, .. } = self.debug(data.ty) else {
            return None;
        };
        let waiters = self.waiting_at(object, offset);
        let waiters = match waiters.is_empty() {
            true => String::new(),
            false => format!("; {} for it", waits(&waiters)),
        };
        if name.contains("mutex") || name.contains("rwlock") {
            let holders: Vec<ThreadId> = self.holders(object, offset);
            return Some(match holders[..] {
                [] => format!("free{waiters}"),
                _ => format!("held by {}{waiters}", threads(&holders)),
            });
        }
        if name.contains("cond") {
            let sleepers = self.waiting_at(object, offset);
            return Some(match sleepers[..] {
                [] => "nobody waits".into(),
                _ => format!("{} for a signal", waits(&sleepers)),
            });
        }
        None
    }

    /// Who holds the lock at a place.
    pub fn holders(&self, object: ObjectId, offset: u64) -> Vec<ThreadId> {
        let holds = |t: &ThreadId| {
            let held = &self.machine.thread(*t).held;
            held.iter()
                .any(|h| (h.object, h.offset) == (object, offset))
        };
        self.machine.threads().filter(holds).collect()
    }

    /// Who is blocked at the synchronisation object at a place.
    pub fn waiting_at(&self, object: ObjectId, offset: u64) -> Vec<ThreadId> {
        let waits = |t: &ThreadId| {
            let pending = self.machine.pending(*t);
            self.machine.waits(*t).is_some()
                && pending.is_some_and(|p| (p.object, p.offset) == (object, offset))
        };
        self.machine.threads().filter(waits).collect()
    }

    /// The spelling of a type.
    pub fn type_name(&self, ty: TypeId) -> String {
        match self.debug(ty) {
            DebugType::Void => "void".into(),
            DebugType::Int { name, .. }
            | DebugType::Float { name, .. }
            | DebugType::Record { name, .. }
            | DebugType::Enum { name, .. }
            | DebugType::Function { name } => name.clone(),
            DebugType::Pointer { to } => format!("{} *", self.type_name(*to)),
            DebugType::Array { of, count } => format!("{}[{count}]", self.type_name(*of)),
        }
    }

    /// What something consists of: members, elements, the target of a pointer.
    pub fn parts(&self, thing: &Thing) -> Vec<Part> {
        let Some(ty) = thing.ty else {
            return Vec::new();
        };
        match self.debug(ty) {
            DebugType::Record { fields, .. } => {
                let Place::Memory { object, offset, .. } = thing.place else {
                    return Vec::new();
                };
                let part = |f: &raddle_ir::Field| Part {
                    name: match f.name.is_empty() {
                        true => "(anonymous)".into(),
                        false => f.name.clone(),
                    },
                    thing: Thing {
                        place: Place::Memory {
                            object,
                            offset: offset + f.offset,
                            bits: f.bits,
                        },
                        ty: Some(f.ty),
                    },
                };
                fields.iter().map(part).collect()
            }
            DebugType::Array { count, .. } => (0..(*count).min(MANY))
                .filter_map(|i| {
                    let thing = self.element(thing, i128::from(i)).ok()?;
                    let name = format!("[{i}]");
                    Some(Part { name, thing })
                })
                .collect(),
            DebugType::Pointer { to } if !matches!(self.debug(*to), DebugType::Void) => {
                let target = self.target(thing).ok();
                let part = |thing| Part {
                    name: "*".into(),
                    thing,
                };
                target.map(part).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The variables of an activation: parameters, locals, and what lies on the stack.
    pub fn locals(&self, frame: Frame) -> Vec<Part> {
        let activations = activations(&self.machine, frame.thread);
        let Some(activation) = activations.get(frame.level) else {
            return Vec::new();
        };
        let function = self.program.function(activation.function);
        let mut stack = self.machine.thread(frame.thread).stack();
        let Some(own) = stack.nth(activation.frame) else {
            return Vec::new();
        };
        let mut parts: Vec<Part> = Vec::new();
        for (number, local) in function.locals.iter().enumerate() {
            let id = LocalId(number as u32);
            let parameter = (number as u32) < function.params;
            if local.name.is_empty() || (own.local(id).open && !parameter) {
                continue;
            }
            parts.push(Part {
                name: local.name.clone(),
                thing: Thing {
                    place: Place::Local {
                        thread: frame.thread,
                        frame: activation.frame,
                        local: id,
                    },
                    ty: local.debug,
                },
            });
        }
        for (number, slot) in function.slots.iter().enumerate() {
            let object = own.slot(SlotId(number as u32));
            let Some(object) = object.filter(|_| !slot.name.is_empty()) else {
                continue;
            };
            parts.push(Part {
                name: slot.name.clone(),
                thing: Thing {
                    place: Place::Memory {
                        object,
                        offset: 0,
                        bits: None,
                    },
                    ty: slot.debug,
                },
            });
        }
        parts
    }

    /// The user's variables with static storage.
    pub fn globals(&self, t: ThreadId) -> Vec<Part> {
        let mut parts = Vec::new();
        for (number, global) in self.program.globals.iter().enumerate() {
            let file = self.program.files.get(global.span.file.0 as usize);
            let library = file.is_none_or(|f| f.starts_with('<'));
            let literal = global.constant && global.name == "string";
            if library || literal || !global.span.is_somewhere() {
                continue;
            }
            let Some(object) = self.machine.object_of(t, GlobalId(number as u32)) else {
                continue;
            };
            parts.push(Part {
                name: global.name.clone(),
                thing: Thing {
                    place: Place::Memory {
                        object,
                        offset: 0,
                        bits: None,
                    },
                    ty: Some(global.ty),
                },
            });
        }
        parts
    }
}

/// `thread 1`, `threads 1 and 2`.
pub fn threads(all: &[ThreadId]) -> String {
    let numbers: Vec<String> = all.iter().map(|t| t.0.to_string()).collect();
    match numbers.split_last() {
        None => "nobody".into(),
        Some((one, [])) => format!("thread {one}"),
        Some((last, others)) => format!("threads {} and {last}", others.join(", ")),
    }
}

fn waits(all: &[ThreadId]) -> String {
    let verb = if all.len() == 1 { "waits" } else { "wait" };
    format!("{} {verb}", threads(all))
}
