//! C types: interned, so that equal types have equal ids, with records and enumerations by identity.
//!
//! Qualifiers and an alignment given by `aligned` or `_Alignas` travel beside the id in [`QualType`].

use crate::ast::{Basic, Quals, RecordKind};
use crate::token::Symbol;
use raddle_ir::DataModel;
use std::collections::HashMap;
use std::rc::Rc;

/// A type without qualifiers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct TypeId(pub u32);

/// A `struct` or `union`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct RecordId(pub u32);

/// An enumeration.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct EnumId(pub u32);

/// The length of a variable-length array, evaluated where the array is declared.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct VlaId(pub u32);

/// A type with qualifiers and, rarely, an alignment of its own.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    pub id: TypeId,
    pub quals: Quals,
    /// Binary logarithm of the alignment plus one; 0 for the natural one.
    pub align: u8,
}

impl QualType {
    pub fn plain(id: TypeId) -> QualType {
        QualType {
            id,
            quals: Quals::NONE,
            align: 0,
        }
    }

    pub fn with(self, quals: Quals) -> QualType {
        QualType {
            quals: self.quals.with(quals),
            ..self
        }
    }

    pub fn unqualified(self) -> QualType {
        QualType::plain(self.id)
    }

    pub fn is_atomic(self) -> bool {
        self.quals.has(Quals::ATOMIC)
    }
}

impl From<TypeId> for QualType {
    fn from(id: TypeId) -> QualType {
        QualType::plain(id)
    }
}

impl From<Basic> for QualType {
    fn from(basic: Basic) -> QualType {
        QualType::plain(basic.into())
    }
}

impl From<Basic> for TypeId {
    fn from(basic: Basic) -> TypeId {
        TypeId(basic as u32)
    }
}

/// The number of elements of an array.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    Known(u64),
    Unknown,
    Variable(VlaId),
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Basic(Basic),
    Pointer(QualType),
    Array(QualType, Length),
    Function(Rc<FunctionType>),
    Record(RecordId),
    Enum(EnumId),
    /// A GNU vector: its elements and its size in bytes.
    Vector(QualType, u64),
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub ret: QualType,
    pub params: Vec<QualType>,
    pub variadic: bool,
    /// Whether the parameters are known.
    pub prototype: bool,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: Option<Symbol>,
    pub ty: QualType,
    /// In bytes; for a bit-field, of the memory location it belongs to.
    pub offset: u64,
    pub bits: Option<Bits>,
}

/// Where a bit-field lies within the memory location at its field's offset.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bits {
    pub offset: u32,
    pub width: u32,
    /// The size of the memory location in bytes.
    pub location: u32,
}

/// A `struct` or `union`.
#[derive(Clone, Debug)]
pub struct Record {
    pub kind: RecordKind,
    pub tag: Option<Symbol>,
    pub fields: Vec<Field>,
    pub complete: bool,
    pub size: u64,
    pub align: u64,
    pub transparent: bool,
    /// The unit that declares it: records of different units can be compatible.
    pub unit: usize,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Symbol>,
    pub constants: Vec<(Symbol, i128)>,
    /// The integer type it is compatible with; `None` while incomplete.
    pub underlying: Option<Basic>,
    /// The unit that declares it.
    pub unit: usize,
}

/// Type names that exist without a declaration, besides keywords. Those that depend on the data model
/// are looked up by [`Types::builtin_typedef`].
pub const BUILTIN_TYPEDEFS: &[&str] = &[
    "__uint128_t",
    "__SIZE_TYPE__",
    "__PTRDIFF_TYPE__",
    "__INTPTR_TYPE__",
    "__UINTPTR_TYPE__",
    "__WCHAR_TYPE__",
];

/// All types of a program.
pub struct Types {
    pub model: DataModel,
    list: Vec<Type>,
    ids: HashMap<Type, TypeId>,
    pub records: Vec<Record>,
    pub enums: Vec<Enum>,
    pub va_list: QualType,
}

const BASICS: &[Basic] = &[
    Basic::Void,
    Basic::Bool,
    Basic::Char,
    Basic::SChar,
    Basic::UChar,
    Basic::Short,
    Basic::UShort,
    Basic::Int,
    Basic::UInt,
    Basic::Long,
    Basic::ULong,
    Basic::LongLong,
    Basic::ULongLong,
    Basic::Int128,
    Basic::UInt128,
    Basic::Float16,
    Basic::Float,
    Basic::Double,
    Basic::LongDouble,
    Basic::Float128,
    Basic::ComplexFloat,
    Basic::ComplexDouble,
    Basic::ComplexLongDouble,
    Basic::Exotic,
];

impl Types {
    pub fn new(model: DataModel) -> Types {
        let mut types = Types {
            model,
            list: Vec::new(),
            ids: HashMap::new(),
            records: Vec::new(),
            enums: Vec::new(),
            va_list: Basic::Void.into(),
        };
        for &basic in BASICS {
            types.intern(Type::Basic(basic));
        }
        let pointer = types.pointer(Basic::Void.into());
        types.va_list = match model {
            DataModel::Ilp32 => types.pointer(Basic::Char.into()),
            DataModel::Lp64 => {
                let fields = (0..3).map(|i| Field {
                    name: None,
                    ty: pointer,
                    offset: 8 * i,
                    bits: None,
                });
                types.records.push(Record {
                    kind: RecordKind::Struct,
                    tag: None,
                    fields: fields.collect(),
                    complete: true,
                    size: 24,
                    align: 8,
                    transparent: false,
                    unit: 0,
                });
                let record = types.intern(Type::Record(RecordId(0)));
                types.array(record.into(), Length::Known(1))
            }
        };
        types
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.list.len() as u32);
        self.list.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub fn get(&self, id: impl Into<QualType>) -> &Type {
        &self.list[id.into().id.0 as usize]
    }

    pub fn pointer(&mut self, to: QualType) -> QualType {
        self.intern(Type::Pointer(to)).into()
    }

    pub fn array(&mut self, of: QualType, length: Length) -> QualType {
        self.intern(Type::Array(of, length)).into()
    }

    pub fn function(&mut self, function: FunctionType) -> QualType {
        self.intern(Type::Function(Rc::new(function))).into()
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.0 as usize]
    }

    pub fn new_record(&mut self, record: Record) -> TypeId {
        let id = RecordId(self.records.len() as u32);
        self.records.push(record);
        self.intern(Type::Record(id))
    }

    pub fn new_enum(&mut self, tag: Option<Symbol>, unit: usize) -> TypeId {
        let id = EnumId(self.enums.len() as u32);
        self.enums.push(Enum {
            tag,
            constants: Vec::new(),
            underlying: None,
            unit,
        });
        self.intern(Type::Enum(id))
    }

    pub fn builtin_typedef(&self, name: &str) -> Basic {
        let lp64 = self.model == DataModel::Lp64;
        match name {
            "__uint128_t" => Basic::UInt128,
            "__SIZE_TYPE__" | "__UINTPTR_TYPE__" => {
                if lp64 {
                    Basic::ULong
                } else {
                    Basic::UInt
                }
            }
            "__PTRDIFF_TYPE__" | "__INTPTR_TYPE__" => self.ptrdiff(),
            "__WCHAR_TYPE__" => self.wchar(),
            _ => Basic::Int,
        }
    }

    /// `size_t`.
    pub fn size(&self) -> Basic {
        self.builtin_typedef("__SIZE_TYPE__")
    }

    /// `ptrdiff_t`.
    pub fn ptrdiff(&self) -> Basic {
        match self.model {
            DataModel::Lp64 => Basic::Long,
            DataModel::Ilp32 => Basic::Int,
        }
    }

    /// `wchar_t`.
    pub fn wchar(&self) -> Basic {
        match self.model {
            DataModel::Lp64 => Basic::Int,
            DataModel::Ilp32 => Basic::Long,
        }
    }

    /// The arithmetic type behind a type: itself, or what an enumeration is compatible with.
    pub fn basic(&self, ty: impl Into<QualType>) -> Option<Basic> {
        match self.get(ty) {
            Type::Basic(b) => Some(*b),
            Type::Enum(e) => Some(self.enums[e.0 as usize].underlying.unwrap_or(Basic::UInt)),
            _ => None,
        }
    }

    pub fn is_void(&self, ty: impl Into<QualType>) -> bool {
        ty.into().id == Basic::Void.into()
    }

    pub fn is_integer(&self, ty: impl Into<QualType>) -> bool {
        self.basic(ty).is_some_and(|b| int_rank(b).is_some())
    }

    pub fn is_float(&self, ty: impl Into<QualType>) -> bool {
        self.basic(ty).is_some_and(is_float)
    }

    pub fn is_arithmetic(&self, ty: impl Into<QualType>) -> bool {
        self.basic(ty).is_some_and(|b| b != Basic::Void)
    }

    pub fn is_pointer(&self, ty: impl Into<QualType>) -> bool {
        matches!(self.get(ty), Type::Pointer(_))
    }

    pub fn is_scalar(&self, ty: impl Into<QualType>) -> bool {
        let ty = ty.into();
        self.is_pointer(ty) || self.is_arithmetic(ty)
    }

    /// Whether values of this type are handled by address: structures, unions and vectors.
    pub fn is_record(&self, ty: impl Into<QualType>) -> bool {
        matches!(self.get(ty), Type::Record(_) | Type::Vector(..))
    }

    /// Whether a type is an array, or a structure or union with one in it.
    pub fn has_array(&self, ty: impl Into<QualType>) -> bool {
        match self.get(ty) {
            Type::Array(..) => true,
            Type::Record(id) => self.record(*id).fields.iter().any(|f| self.has_array(f.ty)),
            _ => false,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: impl Into<QualType>) -> Option<QualType> {
        match self.get(ty) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    pub fn function_type(&self, ty: impl Into<QualType>) -> Option<Rc<FunctionType>> {
        match self.get(ty) {
            Type::Function(f) => Some(f.clone()),
            _ => None,
        }
    }

    /// Whether an integer type is signed.
    pub fn is_signed(&self, ty: impl Into<QualType>) -> bool {
        self.basic(ty).is_some_and(is_signed)
    }

    /// The width of an integer type in bits.
    pub fn int_bits(&self, basic: Basic) -> u32 {
        match basic {
            Basic::Bool => 1,
            Basic::Char | Basic::SChar | Basic::UChar => 8,
            Basic::Short | Basic::UShort => 16,
            Basic::Long | Basic::ULong => self.model.pointer_bits(),
            Basic::LongLong | Basic::ULongLong => 64,
            Basic::Int128 | Basic::UInt128 => 128,
            _ => 32,
        }
    }

    /// The type after integer promotion.
    pub fn promote(&self, basic: Basic) -> Basic {
        match int_rank(basic) {
            Some(rank) if rank < 3 => Basic::Int,
            _ => basic,
        }
    }

    /// The common type of two arithmetic operands.
    pub fn usual(&self, a: Basic, b: Basic) -> Basic {
        if is_float(a) || is_float(b) {
            let complex = is_complex(a) || is_complex(b);
            let rank = float_rank(a).max(float_rank(b));
            return match (complex, rank) {
                (_, 9) => Basic::Exotic,
                (false, 1) => Basic::Float16,
                (false, 2) => Basic::Float,
                (false, 3) => Basic::Double,
                (false, 4) => Basic::LongDouble,
                (false, _) => Basic::Float128,
                (true, 0..=2) => Basic::ComplexFloat,
                (true, 3) => Basic::ComplexDouble,
                (true, _) => Basic::ComplexLongDouble,
            };
        }
        let (a, b) = (self.promote(a), self.promote(b));
        if a == b {
            return a;
        }
        let (rank_a, rank_b) = (int_rank(a).unwrap_or(3), int_rank(b).unwrap_or(3));
        if is_signed(a) == is_signed(b) {
            return if rank_a >= rank_b { a } else { b };
        }
        let (signed, signed_rank, unsigned, unsigned_rank) = if is_signed(a) {
            (a, rank_a, b, rank_b)
        } else {
            (b, rank_b, a, rank_a)
        };
        if unsigned_rank >= signed_rank {
            unsigned
        } else if self.int_bits(signed) > self.int_bits(unsigned) {
            signed
        } else {
            to_unsigned(signed)
        }
    }

    /// The `n`-th bits of an integer value as a value of the type: truncated, then extended.
    pub fn wrap(&self, value: i128, basic: Basic) -> i128 {
        if basic == Basic::Bool {
            return i128::from(value != 0);
        }
        let bits = self.int_bits(basic);
        if bits == 128 {
            return value;
        }
        let shift = 128 - bits;
        if is_signed(basic) {
            (value << shift) >> shift
        } else {
            ((value as u128) << shift >> shift) as i128
        }
    }
}

/// Conversion rank of an integer type.
pub fn int_rank(basic: Basic) -> Option<u8> {
    Some(match basic {
        Basic::Bool => 0,
        Basic::Char | Basic::SChar | Basic::UChar => 1,
        Basic::Short | Basic::UShort => 2,
        Basic::Int | Basic::UInt => 3,
        Basic::Long | Basic::ULong => 4,
        Basic::LongLong | Basic::ULongLong => 5,
        Basic::Int128 | Basic::UInt128 => 6,
        _ => return None,
    })
}

fn float_rank(basic: Basic) -> u8 {
    match basic {
        Basic::Float16 => 1,
        Basic::Float | Basic::ComplexFloat => 2,
        Basic::Double | Basic::ComplexDouble => 3,
        Basic::LongDouble | Basic::ComplexLongDouble => 4,
        Basic::Float128 => 5,
        Basic::Exotic => 9,
        _ => 0,
    }
}

pub fn is_complex(basic: Basic) -> bool {
    matches!(
        basic,
        Basic::ComplexFloat | Basic::ComplexDouble | Basic::ComplexLongDouble
    )
}

pub fn is_float(basic: Basic) -> bool {
    float_rank(basic) > 0
}

pub fn is_signed(basic: Basic) -> bool {
    matches!(
        basic,
        Basic::Char
            | Basic::SChar
            | Basic::Short
            | Basic::Int
            | Basic::Long
            | Basic::LongLong
            | Basic::Int128
    )
}

pub fn to_unsigned(basic: Basic) -> Basic {
    match basic {
        Basic::Char | Basic::SChar => Basic::UChar,
        Basic::Short => Basic::UShort,
        Basic::Int => Basic::UInt,
        Basic::Long => Basic::ULong,
        Basic::LongLong => Basic::ULongLong,
        Basic::Int128 => Basic::UInt128,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_follow_the_data_model() {
        let lp64 = Types::new(DataModel::Lp64);
        let ilp32 = Types::new(DataModel::Ilp32);
        assert_eq!(lp64.usual(Basic::UInt, Basic::Long), Basic::Long);
        assert_eq!(ilp32.usual(Basic::UInt, Basic::Long), Basic::ULong);
        assert_eq!(lp64.usual(Basic::ULong, Basic::LongLong), Basic::ULongLong);
        assert_eq!(ilp32.usual(Basic::ULong, Basic::LongLong), Basic::LongLong);
        assert_eq!(lp64.usual(Basic::Char, Basic::UShort), Basic::Int);
        assert_eq!(lp64.usual(Basic::Int, Basic::Float), Basic::Float);
        assert_eq!(
            lp64.usual(Basic::LongDouble, Basic::Double),
            Basic::LongDouble
        );
        assert_eq!(lp64.promote(Basic::Bool), Basic::Int);
    }

    #[test]
    fn integers_wrap_to_their_type() {
        let types = Types::new(DataModel::Lp64);
        assert_eq!(types.wrap(255, Basic::SChar), -1);
        assert_eq!(types.wrap(-1, Basic::UInt), 0xffff_ffff);
        assert_eq!(types.wrap(7, Basic::Bool), 1);
        assert_eq!(types.wrap(1 << 63, Basic::Long), i128::from(i64::MIN));
    }

    #[test]
    fn equal_types_have_equal_ids() {
        let mut types = Types::new(DataModel::Lp64);
        let a = types.pointer(Basic::Int.into());
        let b = types.pointer(Basic::Int.into());
        let c = types.pointer(QualType::from(Basic::Int).with(Quals::CONST));
        assert_eq!(a.id, b.id);
        assert_ne!(a.id, c.id);
    }
}
