//! Concrete values.
//!
//! A value is its bits, plus the object a pointer came from (its *provenance*, kept through integer
//! casts and simple arithmetic so that tag bits and `container_of` work), plus whether it depends on
//! uninitialised memory. Values wider than needed are zero-extended: bits beyond the type are zero.

use raddle_ir::{DataModel, Ty};

/// An object of a run: functions and globals first, then whatever is allocated. 0 is no object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// No object.
    pub const NONE: ObjectId = ObjectId(0);

    /// Whether there is an object.
    pub fn is_some(self) -> bool {
        self.0 != 0
    }
}

/// A scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The representation, zero-extended.
    pub bits: u128,
    /// The object it was derived from, if it is an address.
    pub provenance: ObjectId,
    /// It depends on memory that was never written.
    pub uninit: bool,
    /// Which of its bits were never written (of its bytes, if it has more than 8); 0 where that is not known, which means all of
    /// them if it is `uninit`.
    pub partial: u64,
    /// It was never written and not read either: what it is will be chosen at the first read.
    pub open: bool,
}

impl Value {
    /// A plain number.
    pub fn new(bits: u128) -> Value {
        Value {
            bits,
            provenance: ObjectId::NONE,
            uninit: false,
            partial: 0,
            open: false,
        }
    }

    /// A value nobody has looked at yet.
    pub const OPEN: Value = Value {
        bits: 0,
        provenance: ObjectId::NONE,
        uninit: true,
        partial: 0,
        open: true,
    };

    /// A truth value.
    pub fn bool(b: bool) -> Value {
        Value::new(u128::from(b))
    }

    /// An address.
    pub fn pointer(bits: u64, provenance: ObjectId) -> Value {
        Value {
            bits: u128::from(bits),
            provenance,
            uninit: false,
            partial: 0,
            open: false,
        }
    }

    /// The value with these bits never written.
    pub(crate) fn with_holes(self, holes: u64) -> Value {
        Value {
            uninit: holes != 0,
            partial: holes,
            ..self
        }
    }

    /// The low 64 bits.
    pub fn low(self) -> u64 {
        self.bits as u64
    }

    /// The value read as a signed integer of this type.
    pub fn signed(self, ty: Ty, model: DataModel) -> i128 {
        sign_extend(self.bits, ty.bits(model))
    }
}

/// The mask of the low `bits` bits.
pub fn mask(bits: u32) -> u128 {
    match bits {
        128 => u128::MAX,
        n => (1 << n) - 1,
    }
}

/// Reads the low `bits` bits as a signed number.
pub fn sign_extend(value: u128, bits: u32) -> i128 {
    let unused = 128 - bits;
    ((value << unused) as i128) >> unused
}
