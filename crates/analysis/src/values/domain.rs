//! Abstract values: intervals of integers, and pointers with the objects and offsets they may have.

use crate::objects::ObjectId;
use raddle_ir::{BinaryOp, CastKind, CompareOp, DataModel, Ty};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Pointers to more objects than this are anything.
const OBJECTS: usize = 16;

/// What a local or a piece of memory may hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing: no execution gets here.
    Never,
    /// An integer, read as signed (`I1`: 0 or 1); both bounds are meant. 0 is null, too.
    Int {
        /// The least.
        low: i128,
        /// The greatest.
        high: i128,
    },
    /// The address of an object.
    Pointer(Pointer),
    /// Anything, also what nobody wrote.
    Any,
}

/// An address of one of some objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Pointer {
    /// These.
    pub objects: Rc<BTreeSet<ObjectId>>,
    /// The least offset in bytes.
    pub low: i64,
    /// The greatest.
    pub high: i64,
    /// It may be null, or computed from null.
    pub null: bool,
}

impl Value {
    /// A number.
    pub fn int(n: i128) -> Value {
        Value::Int { low: n, high: n }
    }

    /// The start of an object, plus bytes.
    pub fn address(object: ObjectId, offset: i64) -> Value {
        Value::Pointer(Pointer {
            objects: Rc::new(BTreeSet::from([object])),
            low: offset,
            high: offset,
            null: false,
        })
    }

    /// Every initialised value of a type.
    pub fn top(ty: Ty, model: DataModel) -> Value {
        match (ty, ty.bits(model)) {
            (Ty::I1, _) => Value::Int { low: 0, high: 1 },
            (_, bits) if ty.is_int() && bits <= 64 => Value::Int {
                low: -(1 << (bits - 1)),
                high: (1 << (bits - 1)) - 1,
            },
            _ => Value::Any,
        }
    }

    /// The bits of a constant.
    pub fn constant(ty: Ty, bits: u128, model: DataModel) -> Value {
        let width = ty.bits(model);
        match ty {
            Ty::I1 => Value::int((bits & 1) as i128),
            _ if ty.is_float() || width > 64 => Value::Any,
            _ => Value::int(((bits << (128 - width)) as i128) >> (128 - width)),
        }
    }

    /// This, if it fits into a type.
    fn fitted(self, ty: Ty, model: DataModel) -> Value {
        match (&self, Value::top(ty, model)) {
            (Value::Int { low, high }, Value::Int { low: l, high: h })
                if *low >= l && *high <= h =>
            {
                self
            }
            (Value::Never, _) => self,
            (_, top) => top,
        }
    }

    /// The smallest value with both.
    pub fn join(&self, other: &Value) -> Value {
        use Value::{Any, Int, Never};
        match (self, other) {
            (Never, v) | (v, Never) => v.clone(),
            (Int { low: a, high: b }, Int { low: c, high: d }) => Int {
                low: *a.min(c),
                high: *b.max(d),
            },
            (Value::Pointer(p), Value::Pointer(q)) => p.join(q),
            (Value::Pointer(p), Int { low: 0, high: 0 })
            | (Int { low: 0, high: 0 }, Value::Pointer(p)) => Value::Pointer(Pointer {
                null: true,
                ..p.clone()
            }),
            _ => Any,
        }
    }

    /// What comes after `self` in a sequence that has to end: bounds that still move go to the next of these numbers.
    pub fn widened(&self, new: &Value, marks: &BTreeSet<i128>) -> Value {
        let below = |n: i128| marks.range(..=n).next_back().copied();
        let above = |n: i128| marks.range(n..).next().copied();
        match (self, new) {
            (Value::Int { low: a, high: b }, Value::Int { low, high }) => {
                let low = if low < a { below(*low) } else { Some(*a) };
                let high = if high > b { above(*high) } else { Some(*b) };
                match (low, high) {
                    (Some(low), Some(high)) => Value::Int { low, high },
                    _ => Value::Any,
                }
            }
            (Value::Pointer(p), Value::Pointer(q)) => Value::Pointer(Pointer {
                low: if q.low < p.low { i64::MIN } else { p.low },
                high: if q.high > p.high { i64::MAX } else { p.high },
                ..q.clone()
            }),
            _ => new.clone(),
        }
    }

    /// Whether it may be zero, or null.
    pub fn may_be_zero(&self) -> bool {
        match self {
            Value::Never => false,
            Value::Int { low, high } => *low <= 0 && *high >= 0,
            Value::Pointer(p) => p.null,
            Value::Any => true,
        }
    }
}

impl Pointer {
    fn join(&self, other: &Pointer) -> Value {
        let objects = match self.objects == other.objects {
            true => self.objects.clone(),
            false => Rc::new(self.objects.union(&other.objects).copied().collect()),
        };
        match objects.len() <= OBJECTS {
            true => Value::Pointer(Pointer {
                objects,
                low: self.low.min(other.low),
                high: self.high.max(other.high),
                null: self.null || other.null,
            }),
            false => Value::Any,
        }
    }

    /// The same plus a number of bytes.
    pub fn moved(&self, low: i128, high: i128) -> Value {
        // An open bound stays open.
        let bound = |from: i64, by: i128, open: i64| match from == open {
            true => Some(open),
            false => i64::try_from(i128::from(from).checked_add(by)?).ok(),
        };
        match (
            bound(self.low, low, i64::MIN),
            bound(self.high, high, i64::MAX),
        ) {
            (Some(low), Some(high)) => Value::Pointer(Pointer {
                low,
                high,
                ..self.clone()
            }),
            _ => Value::Any,
        }
    }
}

/// The result of an operation on integers, which wraps around.
pub fn binary(op: BinaryOp, ty: Ty, a: &Value, b: &Value, model: DataModel) -> Value {
    use BinaryOp::*;
    let top = Value::top(ty, model);
    let (Value::Int { low: a, high: b }, Value::Int { low: c, high: d }) = (a, b) else {
        return match (a, b) {
            (Value::Never, _) | (_, Value::Never) => Value::Never,
            _ => top_or_any(a, b, top),
        };
    };
    // All of them have at most 64 bits, so nothing here overflows.
    let (a, b, c, d) = (*a, *b, *c, *d);
    let width = i128::from(ty.bits(model));
    let positive = a >= 0 && c >= 0;
    let range = |low: i128, high: i128| Some(Value::Int { low, high });
    let found = match op {
        Add => range(a + c, b + d),
        Sub => range(a - d, b - c),
        Mul => {
            let corners = [a * c, a * d, b * c, b * d];
            let (low, high) = (corners.iter().min(), corners.iter().max());
            low.zip(high).and_then(|(low, high)| range(*low, *high))
        }
        And if c >= 0 => range(0, if a >= 0 { b.min(d) } else { d }),
        And if a >= 0 => range(0, b),
        Or | Xor if positive => {
            let most = (b | d) as u128;
            let most = (most + 1).next_power_of_two() - 1;
            range(if op == Or { a.max(c) } else { 0 }, most as i128)
        }
        // Who divides by zero does not go on.
        SRem | URem if positive && d > 0 => range(0, b.min(d - 1)),
        SDiv | UDiv if positive && d > 0 => range(a / d, b / c.max(1)),
        LShr | AShr if positive && d < width => range(a >> d, b >> c),
        Shl if positive && d < width && b < 1 << 62 => range(a << c, b << d),
        _ => None,
    };
    found.map_or(top, |v| v.fitted(ty, model))
}

/// What is made of something uninitialised is uninitialised.
fn top_or_any(a: &Value, b: &Value, top: Value) -> Value {
    match [a, b].iter().any(|v| !matches!(v, Value::Int { .. })) {
        true => Value::Any,
        false => top,
    }
}

/// The result of a conversion.
pub fn cast(kind: CastKind, from: Ty, to: Ty, a: &Value, model: DataModel) -> Value {
    let top = Value::top(to, model);
    match (kind, a) {
        (_, Value::Never) => Value::Never,
        (CastKind::PtrToInt | CastKind::IntToPtr, _) => a.clone(),
        (CastKind::SExt, Value::Int { low, high }) if from == Ty::I1 => Value::Int {
            low: -high,
            high: -low,
        },
        (CastKind::SExt, Value::Int { .. }) => a.clone(),
        (CastKind::ZExt, Value::Int { low, .. }) if *low >= 0 => a.clone(),
        (CastKind::ZExt, Value::Int { .. }) if from.bits(model) < 64 => Value::Int {
            low: 0,
            high: (1 << from.bits(model)) - 1,
        },
        (CastKind::Trunc, Value::Int { .. }) => a.clone().fitted(to, model),
        (CastKind::FloatToSInt | CastKind::FloatToUInt, _) => top,
        (_, Value::Int { .. }) => top,
        _ => Value::Any,
    }
}

/// Whether a comparison holds, if that is the same for all values.
pub fn compare(op: CompareOp, a: &Value, b: &Value) -> Option<bool> {
    use CompareOp::*;
    let null = |v: &Value| *v == Value::int(0);
    match (a, b) {
        (Value::Pointer(p), o) | (o, Value::Pointer(p)) if null(o) && !p.null => match op {
            Eq => Some(false),
            Ne => Some(true),
            _ => None,
        },
        (Value::Int { low: a, high: b }, Value::Int { low: c, high: d }) => {
            let positive = *a >= 0 && *c >= 0;
            let decided = |yes: bool, no: bool| (yes || no).then_some(yes);
            match op {
                Eq => decided(a == b && c == d && a == c, b < c || d < a),
                Ne => decided(b < c || d < a, a == b && c == d && a == c),
                SLt => decided(b < c, a >= d),
                SLe => decided(b <= c, a > d),
                SGt => decided(a > d, b <= c),
                SGe => decided(a >= d, b < c),
                ULt if positive => decided(b < c, a >= d),
                ULe if positive => decided(b <= c, a > d),
                UGt if positive => decided(a > d, b <= c),
                UGe if positive => decided(a >= d, b < c),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What both sides of a comparison may be where it holds; `None` if it cannot hold.
pub fn where_it_holds(op: CompareOp, a: &Value, b: &Value) -> Option<(Value, Value)> {
    use CompareOp::*;
    let keep = || Some((a.clone(), b.clone()));
    if compare(op, a, b) == Some(false) {
        return None;
    }
    let null = |v: &Value| *v == Value::int(0);
    let found = |p: &Pointer| {
        Value::Pointer(Pointer {
            null: false,
            ..p.clone()
        })
    };
    match (op, a, b) {
        (Ne, Value::Pointer(p), o) if null(o) => return Some((found(p), b.clone())),
        (Ne, o, Value::Pointer(p)) if null(o) => return Some((a.clone(), found(p))),
        _ => {}
    }
    let (Value::Int { low: a0, high: a1 }, Value::Int { low: b0, high: b1 }) = (a, b) else {
        return keep();
    };
    let (mut a0, mut a1, mut b0, mut b1) = (*a0, *a1, *b0, *b1);
    match op {
        Eq => {
            (a0, a1) = (a0.max(b0), a1.min(b1));
            (b0, b1) = (a0, a1);
        }
        Ne if b0 == b1 => {
            a0 += i128::from(a0 == b0);
            a1 -= i128::from(a1 == b0);
        }
        Ne if a0 == a1 => {
            b0 += i128::from(b0 == a0);
            b1 -= i128::from(b1 == a0);
        }
        Ne => {}
        // Below a number that is not negative, unsigned is signed and not negative.
        ULt | ULe if b0 >= 0 => {
            a0 = a0.max(0);
            a1 = a1.min(b1 - i128::from(op == ULt));
        }
        UGt | UGe if a0 >= 0 => {
            b0 = b0.max(0);
            b1 = b1.min(a1 - i128::from(op == UGt));
        }
        SLt | SLe => {
            let apart = i128::from(op == SLt);
            (a1, b0) = (a1.min(b1 - apart), b0.max(a0 + apart));
        }
        SGt | SGe => {
            let apart = i128::from(op == SGt);
            (a0, b1) = (a0.max(b0 + apart), b1.min(a1 - apart));
        }
        _ => {}
    }
    (a0 <= a1 && b0 <= b1).then_some((
        Value::Int { low: a0, high: a1 },
        Value::Int { low: b0, high: b1 },
    ))
}

/// The comparison that holds where this one does not.
pub fn negated(op: CompareOp) -> CompareOp {
    use CompareOp::*;
    match op {
        Eq => Ne,
        Ne => Eq,
        SLt => SGe,
        SLe => SGt,
        SGt => SLe,
        SGe => SLt,
        ULt => UGe,
        ULe => UGt,
        UGt => ULe,
        UGe => ULt,
    }
}
