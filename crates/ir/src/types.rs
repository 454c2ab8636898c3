//! Types of values, the data model, and C types kept for display.
//!
//! Only [`Ty`] has meaning for execution. [`DebugType`] describes how C saw an object, for debuggers,
//! reports and for analyses that want to tell fields apart.

use std::fmt;

/// The type of a scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ty {
    /// A truth value; never in memory.
    I1,
    /// An 8-bit integer.
    I8,
    /// A 16-bit integer.
    I16,
    /// A 32-bit integer.
    I32,
    /// A 64-bit integer.
    I64,
    /// A 128-bit integer.
    I128,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// x87 extended precision (`long double`): 80 bits.
    F80,
    /// An address, of an object or a function.
    Ptr,
}

impl Ty {
    /// All types, in the order of their declaration.
    pub const ALL: [Ty; 10] = [
        Ty::I1,
        Ty::I8,
        Ty::I16,
        Ty::I32,
        Ty::I64,
        Ty::I128,
        Ty::F32,
        Ty::F64,
        Ty::F80,
        Ty::Ptr,
    ];

    /// The name used in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Ty::I1 => "i1",
            Ty::I8 => "i8",
            Ty::I16 => "i16",
            Ty::I32 => "i32",
            Ty::I64 => "i64",
            Ty::I128 => "i128",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
            Ty::F80 => "f80",
            Ty::Ptr => "ptr",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Ty> {
        Ty::ALL.into_iter().find(|t| t.name() == name)
    }

    /// How many bits of a value are meaningful.
    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            Ty::I1 => 1,
            Ty::I8 => 8,
            Ty::I16 => 16,
            Ty::I32 | Ty::F32 => 32,
            Ty::I64 | Ty::F64 => 64,
            Ty::I128 => 128,
            Ty::F80 => 80,
            Ty::Ptr => model.pointer_bits(),
        }
    }

    /// How many bytes an access of this type touches (`F80`: ten, whatever `sizeof` says).
    pub fn bytes(self, model: DataModel) -> u64 {
        u64::from(self.bits(model).div_ceil(8))
    }

    /// Whether this is an integer type.
    pub fn is_int(self) -> bool {
        matches!(
            self,
            Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128
        )
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64 | Ty::F80)
    }

    /// The integer type with exactly this many bits, if there is one.
    pub fn int_of_bits(bits: u32) -> Option<Ty> {
        Some(match bits {
            1 => Ty::I1,
            8 => Ty::I8,
            16 => Ty::I16,
            32 => Ty::I32,
            64 => Ty::I64,
            128 => Ty::I128,
            _ => return None,
        })
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The widths of C types; always little-endian x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `long` and pointers have 64 bits.
    Lp64,
}

impl DataModel {
    /// The width of an address.
    pub fn pointer_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// The size of an address in memory.
    pub fn pointer_bytes(self) -> u64 {
        u64::from(self.pointer_bits() / 8)
    }

    /// The integer type as wide as an address.
    pub fn pointer_int(self) -> Ty {
        match self {
            DataModel::Ilp32 => Ty::I32,
            DataModel::Lp64 => Ty::I64,
        }
    }

    /// The size of one cell in which a variadic argument travels; a larger argument takes several.
    pub fn vararg_cell(self) -> u64 {
        8
    }

    /// The name used in the text form and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

/// A C type kept for display, an index into [`crate::Program::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// How C describes an object. Records may refer to themselves through pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugType {
    /// `void`, or unknown.
    Void,
    /// An integer, character or boolean type.
    Int {
        /// Its spelling, such as `unsigned int`.
        name: String,
        /// Its size in bytes.
        size: u64,
        /// Whether it is signed.
        signed: bool,
    },
    /// A floating-point type.
    Float {
        /// Its spelling.
        name: String,
        /// Its size in bytes, as `sizeof` says.
        size: u64,
    },
    /// A pointer.
    Pointer {
        /// What it points to.
        to: TypeId,
    },
    /// An array.
    Array {
        /// The element type.
        of: TypeId,
        /// The number of elements; 0 for flexible and variable-length arrays.
        count: u64,
    },
    /// A structure or union.
    Record {
        /// Its spelling, such as `struct node`.
        name: String,
        /// Whether it is a union.
        union: bool,
        /// Its size in bytes.
        size: u64,
        /// Its members, in order; members of anonymous members are not lifted.
        fields: Vec<Field>,
    },
    /// An enumeration.
    Enum {
        /// Its spelling.
        name: String,
        /// Its size in bytes.
        size: u64,
        /// Its constants.
        constants: Vec<EnumConstant>,
    },
    /// A function.
    Function {
        /// Its spelling.
        name: String,
    },
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name; empty for an anonymous member.
    pub name: String,
    /// Its offset in bytes from the start of the record.
    pub offset: u64,
    /// Its type.
    pub ty: TypeId,
    /// For a bit-field: the first bit, counted from `offset`, and the width.
    pub bits: Option<(u32, u32)>,
}

/// A constant of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumConstant {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i64,
}
