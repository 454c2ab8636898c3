//! The contents of objects that only one thread touches, and the initial contents of all.
//!
//! Byte-exact: a value is kept as it was written as long as it is read the same way; an access that overlaps it partly takes it apart.

use crate::names::{Names, Object, ObjectKey, Role};
use raddle_ir::{InitValue, Program, Target};
use raddle_solver::term::{Sort, TermId, TermPool};
use raddle_symbolic::{ObjectId, Targets, Value};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// What was written to one object: by offset, how many bytes and which value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents(BTreeMap<u64, (u64, Value)>);

/// The private memory of a thread at some point.
pub type Memory = Rc<HashMap<ObjectId, Rc<Contents>>>;

/// Bytes `from..from + length` of a value, as a value of that length.
pub fn part(pool: &mut TermPool, value: &Value, from: u64, length: u64) -> Value {
    let width = u64::from(pool.width(value.bits));
    if from == 0 && length * 8 == width {
        return value.clone();
    }
    let low = from * 8;
    let high = (low + length * 8).min(width) - 1;
    let bits = pool.extract(high as u32, low as u32, value.bits);
    let bits = pool.zero_extend_to((length * 8) as u32, bits);
    Value {
        bits,
        targets: value.targets.clone(),
    }
}

/// Whether pieces, put together, are a mixture of an address and something else.
pub fn is_mixture(parts: &[Value]) -> bool {
    let first = &parts[0].targets;
    let pointer = |v: &Value| matches!(&v.targets, Targets::These(t) if !t.is_empty());
    parts.iter().any(pointer) && parts.iter().any(|p| p.targets != *first)
}

/// Values one after another in memory, the first at the lowest address.
pub fn join(pool: &mut TermPool, parts: &[Value]) -> Value {
    let mut all = parts[0].clone();
    for p in &parts[1..] {
        // Pieces of several things: nobody knows what it points to.
        let targets = match all.targets == p.targets {
            true => p.targets.clone(),
            false => Targets::Unknown,
        };
        all = Value {
            bits: pool.concat(p.bits, all.bits),
            targets,
        };
    }
    all
}

/// Where a piece begins, how long it is, and which value it is a part of, from which byte on.
type Piece<'a> = (u64, u64, Option<(u64, &'a Value)>);

impl Contents {
    /// Writes a value of `length` bytes.
    pub fn write(&mut self, pool: &mut TermPool, offset: u64, length: u64, value: Value) {
        if let Some((old, slot)) = self.0.get_mut(&offset)
            && *old == length
        {
            *slot = value;
            return;
        }
        let end = offset + length;
        let overlapping: Vec<u64> = self
            .0
            .range(..end)
            .rev()
            .take_while(|(o, (l, _))| *o + *l > offset)
            .map(|(o, _)| *o)
            .collect();
        for o in overlapping {
            let Some((l, v)) = self.0.remove(&o) else {
                continue;
            };
            if o < offset {
                let left = part(pool, &v, 0, offset - o);
                self.0.insert(o, (offset - o, left));
            }
            if o + l > end {
                let right = part(pool, &v, end - o, o + l - end);
                self.0.insert(end, (o + l - end, right));
            }
        }
        self.0.insert(offset, (length, value));
    }

    /// The pieces of a range: written ones, and the gaps between them as `None`.
    fn pieces(&self, offset: u64, length: u64) -> Vec<Piece<'_>> {
        let end = offset + length;
        let mut found: Vec<(u64, u64, &Value)> = self
            .0
            .range(..end)
            .rev()
            .take_while(|(o, (l, _))| *o + *l > offset)
            .map(|(o, (l, v))| (*o, *l, v))
            .collect();
        found.reverse();
        let mut pieces = Vec::new();
        let mut at = offset;
        for (o, l, v) in found {
            if o > at {
                pieces.push((at, o - at, None));
                at = o;
            }
            let stop = (o + l).min(end);
            pieces.push((at, stop - at, Some((at - o, v))));
            at = stop;
        }
        if at < end {
            pieces.push((at, end - at, None));
        }
        pieces
    }
}

/// Reads private memory.
pub fn read(
    pool: &mut TermPool,
    program: &Program,
    names: &mut Names,
    contents: Option<&Contents>,
    object: ObjectId,
    offset: u64,
    length: u64,
) -> Value {
    pieces_of(pool, program, names, contents, object, offset, length).0
}

/// Reads private memory, and tells whether it found a mixture of an address and something else.
pub fn pieces_of(
    pool: &mut TermPool,
    program: &Program,
    names: &mut Names,
    contents: Option<&Contents>,
    object: ObjectId,
    offset: u64,
    length: u64,
) -> (Value, bool) {
    let Some(contents) = contents else {
        return (initial(pool, program, names, object, offset, length), false);
    };
    if let Some((l, v)) = contents.0.get(&offset)
        && *l == length
    {
        return (v.clone(), false);
    }
    let mut parts = Vec::new();
    for (o, l, piece) in contents.pieces(offset, length) {
        parts.push(match piece {
            Some((from, v)) => part(pool, v, from, l),
            None => initial(pool, program, names, object, o, l),
        });
    }
    let mixture = is_mixture(&parts);
    (join(pool, &parts), mixture)
}

fn zero(pool: &mut TermPool, length: u64) -> Value {
    Value::number(pool.bits((length * 8) as u32, 0))
}

/// What an object holds before anybody writes to it.
pub fn initial(
    pool: &mut TermPool,
    program: &Program,
    names: &mut Names,
    object: ObjectId,
    offset: u64,
    length: u64,
) -> Value {
    let Object { key, zeroed, .. } = *names.get(object);
    let global = match key {
        ObjectKey::Global(g) | ObjectKey::ThreadLocal(_, g) => program.global(g),
        _ if zeroed => return zero(pool, length),
        _ => return arbitrary(pool, names, object, offset, length),
    };
    if global.external {
        return arbitrary(pool, names, object, offset, length);
    }
    let pointer = program.model.pointer_bytes();
    let mut whole = Contents::default();
    for init in &global.init {
        match &init.value {
            InitValue::Bytes(bytes) => {
                let from = init.offset.max(offset);
                let to = (init.offset + bytes.len() as u64).min(offset + length);
                for at in from..to {
                    let byte = bytes[(at - init.offset) as usize];
                    let byte = Value::number(pool.bits(8, u128::from(byte)));
                    whole.write(pool, at, 1, byte);
                }
            }
            InitValue::Address { target, addend } => {
                if init.offset >= offset + length || init.offset + pointer <= offset {
                    continue;
                }
                let value = address(pool, program, names, *target, *addend);
                whole.write(pool, init.offset, pointer, value);
            }
        }
    }
    let mut parts = Vec::new();
    for (_, l, piece) in whole.pieces(offset, length) {
        parts.push(match piece {
            Some((from, v)) => part(pool, v, from, l),
            None => zero(pool, l),
        });
    }
    join(pool, &parts)
}

fn address(
    pool: &mut TermPool,
    program: &Program,
    names: &mut Names,
    target: Target,
    addend: i64,
) -> Value {
    let (key, size, align) = match target {
        Target::Global(g) => {
            let global = program.global(g);
            (ObjectKey::Global(g), global.size, global.align)
        }
        Target::Function(f) => (ObjectKey::Function(f), 1, 16),
    };
    // Globals are few: the address space cannot be full of them.
    let id = names.object(key, size, align, true).unwrap_or(ObjectId(0));
    let width = program.model.pointer_bits();
    let at = names.get(id).base.wrapping_add(addend as u64);
    let mask = u64::MAX >> (64 - width);
    Value {
        bits: pool.bits(width, u128::from(at & mask)),
        targets: Targets::one(id),
    }
}

/// Bytes nobody has written: arbitrary, but always the same.
fn arbitrary(
    pool: &mut TermPool,
    names: &mut Names,
    object: ObjectId,
    offset: u64,
    length: u64,
) -> Value {
    let mut bits: Option<TermId> = None;
    for at in offset..offset + length {
        let byte = match names.is_sync_byte(object, at) {
            true => pool.bits(8, 0),
            false => {
                let byte = pool.var(&uninitialised_name(object, at), Sort::BitVec(8));
                names.set_role(byte, Role::Unwritten);
                byte
            }
        };
        bits = Some(match bits {
            None => byte,
            Some(low) => pool.concat(byte, low),
        });
    }
    Value::number(bits.unwrap_or_else(|| pool.bits(8, 0)))
}

/// The variable that stands for a byte nobody has written.
fn uninitialised_name(object: ObjectId, offset: u64) -> String {
    format!("uninit!{}!{offset}", object.0)
}

/// Two memories as one, by a condition that is true for the first.
pub fn merge(
    pool: &mut TermPool,
    program: &Program,
    names: &mut Names,
    which: TermId,
    a: &Memory,
    b: &Memory,
) -> Memory {
    if Rc::ptr_eq(a, b) {
        return a.clone();
    }
    let mut all = HashMap::clone(a);
    for (&object, theirs) in b.iter() {
        match a.get(&object) {
            None => {
                // The other side never touched it: there it still has its initial contents, unless it does not exist there,
                // and then nobody will look.
                let mine = Contents::default();
                let merged = merge_contents(pool, program, names, which, object, &mine, theirs);
                all.insert(object, Rc::new(merged));
            }
            Some(mine) if Rc::ptr_eq(mine, theirs) || mine == theirs => {}
            Some(mine) => {
                let merged = merge_contents(pool, program, names, which, object, mine, theirs);
                all.insert(object, Rc::new(merged));
            }
        }
    }
    for (&object, mine) in a.iter() {
        if !b.contains_key(&object) {
            let theirs = Contents::default();
            let merged = merge_contents(pool, program, names, which, object, mine, &theirs);
            all.insert(object, Rc::new(merged));
        }
    }
    Rc::new(all)
}

fn merge_contents(
    pool: &mut TermPool,
    program: &Program,
    names: &mut Names,
    which: TermId,
    object: ObjectId,
    a: &Contents,
    b: &Contents,
) -> Contents {
    let mut merged = Contents::default();
    let mut cuts: Vec<u64> = Vec::new();
    for c in [a, b] {
        for (o, (l, _)) in &c.0 {
            cuts.extend([*o, *o + *l]);
        }
    }
    cuts.sort_unstable();
    cuts.dedup();
    for pair in cuts.windows(2) {
        let (offset, length) = (pair[0], pair[1] - pair[0]);
        let covers = |c: &Contents| c.pieces(offset, length).iter().any(|p| p.2.is_some());
        if !covers(a) && !covers(b) {
            continue;
        }
        let x = read(pool, program, names, Some(a), object, offset, length);
        let y = read(pool, program, names, Some(b), object, offset, length);
        let value = x.choose(pool, which, &y);
        merged.0.insert(offset, (length, value));
    }
    merged
}
