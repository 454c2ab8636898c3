//! Memory as cells: what is stored at a place of an object, by whatever thread and whenever.
//!
//! Places that the accesses of an object cannot tell apart (elements of an array) are one cell. Accesses of different widths or places that
//! overlap leave nothing known of the bytes they share. Cells begin with the initial value; reads that may come before anything was written
//! are for the caller to know.

use super::domain::Value;
use crate::facts::Facts;
use crate::objects::{Object, ObjectId};
use crate::solve::Target;
use raddle_ir::{DataModel, Global, InitValue, Location, Op, Ty};
use std::collections::{BTreeSet, HashMap};

/// Positions of an array whose initial values are looked at.
const POSITIONS: u64 = 4096;

/// A place: offset (modulo the object's stride) and width in bytes.
type Place = (u64, u64);

#[derive(Default)]
struct Shape {
    /// 0 if all offsets are known.
    stride: u64,
    places: BTreeSet<Place>,
    /// Nothing is known of these.
    lost: BTreeSet<Place>,
}

/// All memory.
pub(super) struct Memory {
    shapes: HashMap<ObjectId, Shape>,
    cells: HashMap<(ObjectId, Place), (Value, u32)>,
}

/// How many bytes an instruction reads or writes as one value.
fn width(op: &Op, model: DataModel) -> Option<u64> {
    match op {
        Op::Load { ty, access, .. } | Op::Store { ty, access, .. } => match access.bits {
            Some(_) => None,
            None => Some(ty.bytes(model)),
        },
        Op::Rmw { ty, .. } | Op::Cas { ty, .. } => Some(ty.bytes(model)),
        _ => None,
    }
}

impl Memory {
    /// Everything as it is at the start.
    pub fn new(facts: &Facts, reached: &[(Location, &Op)]) -> Memory {
        let program = facts.program();
        let model = program.model;
        let mut shapes: HashMap<ObjectId, Shape> = HashMap::new();
        for (at, _) in reached {
            for t in facts.points_to.accessed(program, *at) {
                let shape = shapes.entry(t.object).or_default();
                shape.stride = gcd(shape.stride, t.offset.stride());
            }
        }
        // Bytes that are touched otherwise than as a value, and by accesses that may be anywhere.
        let mut touched: Vec<(ObjectId, Option<Place>)> = Vec::new();
        for (at, op) in reached {
            match width(op, model) {
                Some(width) => {
                    for t in facts.points_to.accessed(program, *at) {
                        if t.object == ObjectId::UNKNOWN {
                            let exposed = facts.points_to.exposed().iter();
                            touched.extend(exposed.map(|o| (*o, None)));
                        } else if let Some(shape) = shapes.get_mut(&t.object) {
                            let place = shape.place(t, width);
                            shape.places.insert(place);
                        }
                    }
                }
                None => {
                    let writes = facts
                        .accesses
                        .at(*at)
                        .filter(|a| a.write && a.kind != crate::accesses::Kind::End);
                    touched.extend(writes.map(|a| match a.bytes {
                        crate::accesses::Bytes::Range { from, to } => {
                            (a.object, Some((from, to - from)))
                        }
                        crate::accesses::Bytes::Any => (a.object, None),
                    }));
                }
            }
        }
        for shape in shapes.values_mut() {
            shape.lose_overlapping();
        }
        for (object, place) in touched {
            let Some(shape) = shapes.get_mut(&object) else {
                continue;
            };
            let place = place.map(|(at, width)| (shape.reduced(at), width));
            let hit = |p: &Place| place.is_none_or(|q| shape.overlap(*p, q));
            let lost: Vec<Place> = shape.places.iter().copied().filter(hit).collect();
            shape.lost.extend(lost);
        }
        let mut memory = Memory {
            shapes,
            cells: HashMap::new(),
        };
        memory.initialise(facts);
        memory
    }

    fn initialise(&mut self, facts: &Facts) {
        let program = facts.program();
        for (object, shape) in &self.shapes {
            for place in &shape.places {
                let value = match facts.points_to.objects().get(*object) {
                    Object::Global(g) if program.global(g).external => Value::Any,
                    Object::Global(g) => initial(facts, program.global(g), shape.stride, *place),
                    // Reads that may find nothing written are known by their place.
                    Object::Slot(..) => Value::Never,
                    Object::Allocated(at) => match program.instr(at).map(|i| &i.op) {
                        Some(Op::Alloc { zeroed: true, .. }) => Value::int(0),
                        _ => Value::Never,
                    },
                    _ => Value::Any,
                };
                self.cells.insert((*object, *place), (value, 0));
            }
        }
    }

    /// What a load of one of these targets may find.
    pub fn read(&self, targets: &[Target], width: u64) -> Value {
        let mut found = Value::Never;
        for t in targets {
            let value = self.shapes.get(&t.object).and_then(|shape| {
                let place = shape.place(t, width);
                let known = t.object != ObjectId::UNKNOWN && !shape.lost.contains(&place);
                self.cells.get(&(t.object, place)).filter(|_| known)
            });
            found = found.join(value.map_or(&Value::Any, |(v, _)| v));
        }
        match targets.is_empty() {
            true => Value::Any,
            false => found,
        }
    }

    /// Adds what a store may leave at these targets; the objects whose cells have changed.
    pub fn write(
        &mut self,
        targets: &[Target],
        width: u64,
        value: &Value,
        marks: &BTreeSet<i128>,
    ) -> Vec<ObjectId> {
        let mut changed = Vec::new();
        for t in targets {
            let Some(shape) = self.shapes.get(&t.object) else {
                continue;
            };
            let place = shape.place(t, width);
            let Some((cell, times)) = self.cells.get_mut(&(t.object, place)) else {
                continue;
            };
            let mut new = cell.join(value);
            if new != *cell {
                *times += 1;
                if *times > super::PATIENCE {
                    new = cell.widened(&new, marks);
                }
                *cell = new;
                changed.push(t.object);
            }
        }
        changed
    }
}

impl Shape {
    fn reduced(&self, at: u64) -> u64 {
        at.checked_rem(self.stride).unwrap_or(at)
    }

    fn place(&self, t: &Target, width: u64) -> Place {
        (self.reduced(t.offset.first()), width)
    }

    fn overlap(&self, (a, w): Place, (b, v): Place) -> bool {
        if self.stride == 0 {
            return a < b + v && b < a + w;
        }
        let apart = |a: u64, b: u64| (b + self.stride - a) % self.stride;
        w > self.stride || v > self.stride || apart(a, b) < w || apart(b, a) < v
    }

    /// Nothing is known of places that share bytes.
    fn lose_overlapping(&mut self) {
        let all: Vec<Place> = self.places.iter().copied().collect();
        for (i, p) in all.iter().enumerate() {
            if self.stride > 0 && p.1 > self.stride {
                self.lost.insert(*p);
            }
            for q in &all[i + 1..] {
                if self.overlap(*p, *q) {
                    self.lost.extend([*p, *q]);
                }
            }
        }
    }
}

/// What a place of a global may hold at the start.
fn initial(facts: &Facts, global: &Global, stride: u64, (at, width): Place) -> Value {
    let model = facts.program().model;
    let mut all = Value::Never;
    let mut here = at;
    let mut count = 0;
    while here + width <= global.size {
        count += 1;
        if count > POSITIONS {
            return Value::Any;
        }
        all = all.join(&initial_at(facts, global, here, width, model));
        if stride == 0 {
            break;
        }
        here += stride;
    }
    all
}

fn initial_at(facts: &Facts, global: &Global, at: u64, width: u64, model: DataModel) -> Value {
    let mut bytes = vec![0u8; width as usize];
    for init in &global.init {
        match &init.value {
            InitValue::Bytes(all) => {
                for (i, byte) in all.iter().enumerate() {
                    let place = init.offset + i as u64;
                    if place >= at && place < at + width {
                        bytes[(place - at) as usize] = *byte;
                    }
                }
            }
            InitValue::Address { target, addend } => {
                let size = u64::from(model.pointer_bits() / 8);
                let overlaps = init.offset < at + width && at < init.offset + size;
                if overlaps && (init.offset, size) == (at, width) {
                    let object = match target {
                        raddle_ir::Target::Global(g) => Object::Global(*g),
                        raddle_ir::Target::Function(f) => Object::Function(*f),
                    };
                    let id = facts.points_to.objects().id(object);
                    return id.map_or(Value::Any, |id| Value::address(id, *addend));
                } else if overlaps {
                    return Value::Any;
                }
            }
        }
    }
    let bits = bytes
        .iter()
        .rev()
        .fold(0u128, |n, b| n << 8 | u128::from(*b));
    match Ty::int_of_bits(8 * width as u32) {
        Some(ty) => Value::constant(ty, bits, model),
        None => Value::Any,
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}
