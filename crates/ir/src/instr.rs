//! Instructions, operands, terminators.
//!
//! An instruction either computes over locals, or makes one access to memory, or is one step of
//! synchronisation. Nothing here is a shorthand for several steps.

use crate::{
    BlockId, DataModel, FuncId, GlobalId, LocalId, Property, SlotId, Span, SyncOp, TextId, Ty,
};

/// One instruction with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instr {
    /// What it does.
    pub op: Op,
    /// The source it comes from.
    pub span: Span,
    /// The C expression it evaluates, as a reader would quote it: `buf->count`.
    pub text: TextId,
}

/// A value that costs nothing to name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The value of a local.
    Local(LocalId),
    /// A constant: the low bits of `bits` are its representation, the rest is zero.
    Const {
        /// Its type; a pointer constant is an address without an object (null, `(void *)-1`).
        ty: Ty,
        /// Its bits; a floating-point constant in its IEEE (or x87) encoding.
        bits: u128,
    },
    /// The address of a global object (of this thread's copy if it is thread-local) plus an offset.
    Global {
        /// The object.
        id: GlobalId,
        /// Bytes added.
        offset: i64,
    },
    /// The address of a live stack slot of this activation plus an offset.
    Slot {
        /// The slot.
        id: SlotId,
        /// Bytes added.
        offset: i64,
    },
    /// The address of a function.
    Function(FuncId),
}

impl Operand {
    /// An integer constant, truncated to its type (which must not be `Ptr`).
    pub fn int(ty: Ty, value: i128) -> Operand {
        let bits = match ty {
            Ty::I128 => value as u128,
            Ty::I1 => value as u128 & 1,
            Ty::I8 => value as u128 & 0xff,
            Ty::I16 => value as u128 & 0xffff,
            Ty::I32 => value as u128 & 0xffff_ffff,
            _ => value as u128 & 0xffff_ffff_ffff_ffff,
        };
        Operand::Const { ty, bits }
    }

    /// The null pointer.
    pub const NULL: Operand = Operand::Const {
        ty: Ty::Ptr,
        bits: 0,
    };
}

/// A pure computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rvalue {
    /// The operand itself; same type as the destination.
    Use(Operand),
    /// One operand of type `ty`, result of the same type.
    Unary {
        /// The operation.
        op: UnaryOp,
        /// The type of operand and result.
        ty: Ty,
        /// The operand.
        a: Operand,
        /// `Neg` only: it is signed in C, so overflow is undefined (it wraps where unchecked).
        checked: bool,
    },
    /// Two operands of type `ty`, result of the same type.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// The type of operands and result. A shift amount has this type too.
        ty: Ty,
        /// The left operand.
        a: Operand,
        /// The right operand.
        b: Operand,
        /// `Add`, `Sub`, `Mul`, `Shl`, `SDiv`, `SRem` only: the operation is signed in C, so
        /// overflow is undefined (it wraps where unchecked).
        checked: bool,
    },
    /// Two operands of type `ty`, result `I1`. `Ptr` allows all unsigned comparisons and equality.
    Compare {
        /// The relation.
        op: CompareOp,
        /// The type of the operands.
        ty: Ty,
        /// The left operand.
        a: Operand,
        /// The right operand.
        b: Operand,
    },
    /// A conversion.
    Cast {
        /// How.
        kind: CastKind,
        /// From which type.
        from: Ty,
        /// To which type.
        to: Ty,
        /// The operand.
        a: Operand,
    },
    /// `base + index * scale + offset`, a pointer. Leaving the object is noticed when the result is
    /// used for an access, not here.
    PtrAdd {
        /// A pointer.
        base: Operand,
        /// An integer as wide as a pointer, signed.
        index: Operand,
        /// The size of an element.
        scale: u64,
        /// A constant number of bytes.
        offset: i64,
    },
    /// `cond ? a : b`, both evaluated already.
    Select {
        /// The type of both and of the result.
        ty: Ty,
        /// An `I1`.
        cond: Operand,
        /// If true.
        a: Operand,
        /// If false.
        b: Operand,
    },
    /// A function without effects on memory.
    Pure {
        /// Which.
        function: PureFn,
        /// The type it works on; the destination has it too unless the function says otherwise.
        ty: Ty,
        /// Its arguments.
        args: Vec<Operand>,
    },
}

/// Operations with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Two's complement negation, or change of a floating-point sign.
    Neg,
    /// Bitwise complement.
    Not,
}

/// Operations with two operands. `Add`, `Sub`, `Mul`, `FDiv` also work on floating-point types
/// (round to nearest, ties to even).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference. On `Ptr` operands: see [`CastKind::PtrToInt`]; pointers are subtracted as integers.
    Sub,
    /// Product.
    Mul,
    /// Signed quotient, towards zero; the smallest number by -1 has none, nor a remainder.
    SDiv,
    /// Unsigned quotient.
    UDiv,
    /// Signed remainder, with the sign of the dividend.
    SRem,
    /// Unsigned remainder.
    URem,
    /// Floating-point quotient.
    FDiv,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift left; an amount outside the width is a bad shift and yields any value.
    Shl,
    /// Shift right, zeros from the left; same.
    LShr,
    /// Shift right, copies of the sign from the left; same.
    AShr,
}

impl BinaryOp {
    /// Whether it is an integer quotient or remainder.
    pub fn divides(self) -> bool {
        use BinaryOp::{SDiv, SRem, UDiv, URem};
        matches!(self, SDiv | SRem | UDiv | URem)
    }

    /// Whether it is a signed integer quotient or remainder: the smallest number by -1 has none.
    pub fn divides_signed(self) -> bool {
        matches!(self, BinaryOp::SDiv | BinaryOp::SRem)
    }

    /// Whether the operands themselves leave open that this division has no quotient: the divisor may be zero or, of a signed
    /// division, -1 while the dividend is the smallest number.
    pub fn may_lack_quotient(self, ty: Ty, a: Operand, b: Operand) -> bool {
        // Integers are as wide in one data model as in the other.
        let bits = ty.bits(DataModel::Lp64);
        let minus_one = u128::MAX >> (128 - bits.clamp(1, 128));
        let minimum = minus_one ^ (minus_one >> 1);
        match b {
            _ if !self.divides() => false,
            Operand::Const { bits: 0, .. } => true,
            Operand::Const { bits, .. } if !self.divides_signed() || bits != minus_one => false,
            Operand::Const { .. } => !matches!(a, Operand::Const { bits, .. } if bits != minimum),
            _ => true,
        }
    }
}

/// Relations. On floating-point types `Eq`, `Ne`, `SLt`, `SLe`, `SGt`, `SGe` are the IEEE relations
/// (unordered: only `Ne` holds).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Signed (or floating-point) less.
    SLt,
    /// Signed (or floating-point) less or equal.
    SLe,
    /// Signed (or floating-point) greater.
    SGt,
    /// Signed (or floating-point) greater or equal.
    SGe,
    /// Unsigned less.
    ULt,
    /// Unsigned less or equal.
    ULe,
    /// Unsigned greater.
    UGt,
    /// Unsigned greater or equal.
    UGe,
}

impl CompareOp {
    /// Whether it asks which is larger.
    pub fn orders(self) -> bool {
        !matches!(self, CompareOp::Eq | CompareOp::Ne)
    }
}

/// Conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastKind {
    /// Keep the low bits of an integer.
    Trunc,
    /// Widen an integer with zeros.
    ZExt,
    /// Widen an integer with its sign.
    SExt,
    /// Signed integer to floating point, rounded.
    SIntToFloat,
    /// Unsigned integer to floating point, rounded.
    UIntToFloat,
    /// Floating point to signed integer, towards zero; out of range yields what x86 yields.
    FloatToSInt,
    /// Floating point to unsigned integer, towards zero; out of range yields what x86 yields.
    FloatToUInt,
    /// Between floating-point types, rounded.
    FloatToFloat,
    /// A pointer to an integer of the same width; the object it belongs to is remembered.
    PtrToInt,
    /// An integer of the same width to a pointer.
    IntToPtr,
    /// Between an integer and a floating-point type of the same width: the bits stay.
    Bits,
}

/// Functions of their arguments alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PureFn {
    /// Leading zeros of an integer (any value for 0), same type.
    Clz,
    /// Trailing zeros (any value for 0), same type.
    Ctz,
    /// Ones, same type.
    Popcount,
    /// Bytes reversed, same type.
    Bswap,
    /// Square root.
    Sqrt,
    /// Absolute value.
    Fabs,
    /// Largest integral value not above.
    Floor,
    /// Smallest integral value not below.
    Ceil,
    /// Towards zero.
    Truncate,
    /// Nearest, halves away from zero.
    Round,
    /// Remainder of floating-point division, sign of the dividend.
    Fmod,
    /// `I1`: whether it is not a number.
    IsNan,
    /// `I1`: whether it is an infinity.
    IsInf,
    /// `I1`: the sign bit.
    SignBit,
    /// `I32`: a character of `printf`'s rendering of an `F64`, 0 past its end. Arguments: the value,
    /// the conversion letter (`I32`), the precision (`I32`, -1 if none), flags (`I32`: 1 `-`, 2 `+`,
    /// 4 space, 8 `#`, 16 `0`), the width (`I32`), the index (`I32`).
    FormatFloat,
}

impl PureFn {
    /// All of them.
    pub const ALL: [PureFn; 15] = [
        PureFn::Clz,
        PureFn::Ctz,
        PureFn::Popcount,
        PureFn::Bswap,
        PureFn::Sqrt,
        PureFn::Fabs,
        PureFn::Floor,
        PureFn::Ceil,
        PureFn::Truncate,
        PureFn::Round,
        PureFn::Fmod,
        PureFn::IsNan,
        PureFn::IsInf,
        PureFn::SignBit,
        PureFn::FormatFloat,
    ];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            PureFn::Clz => "clz",
            PureFn::Ctz => "ctz",
            PureFn::Popcount => "popcount",
            PureFn::Bswap => "bswap",
            PureFn::Sqrt => "sqrt",
            PureFn::Fabs => "fabs",
            PureFn::Floor => "floor",
            PureFn::Ceil => "ceil",
            PureFn::Truncate => "truncate",
            PureFn::Round => "round",
            PureFn::Fmod => "fmod",
            PureFn::IsNan => "isnan",
            PureFn::IsInf => "isinf",
            PureFn::SignBit => "signbit",
            PureFn::FormatFloat => "format_float",
        }
    }

    /// The type of the result when working on `ty`.
    pub fn result(self, ty: Ty) -> Ty {
        match self {
            PureFn::IsNan | PureFn::IsInf | PureFn::SignBit => Ty::I1,
            PureFn::FormatFloat => Ty::I32,
            _ => ty,
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            PureFn::Fmod => 2,
            PureFn::FormatFloat => 6,
            _ => 1,
        }
    }
}

/// How an access counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ordering {
    /// An ordinary access.
    Plain,
    /// A `volatile` access: ordinary for races, never optimised.
    Volatile,
    /// An atomic access.
    Atomic(MemoryOrder),
}

impl Ordering {
    /// A sequentially consistent atomic access.
    pub const SEQ_CST: Ordering = Ordering::Atomic(MemoryOrder::SeqCst);

    /// Whether the access is atomic.
    pub fn is_atomic(self) -> bool {
        matches!(self, Ordering::Atomic(_))
    }

    /// The memory order of an atomic access.
    pub fn order(self) -> Option<MemoryOrder> {
        match self {
            Ordering::Atomic(order) => Some(order),
            Ordering::Plain | Ordering::Volatile => None,
        }
    }
}

/// The memory order of an atomic access or fence, as in C11. `memory_order_consume` is `Acquire`, as compilers have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryOrder {
    /// Atomic, but orders nothing else.
    Relaxed,
    /// A read that synchronises with the release it reads from.
    Acquire,
    /// A write with which an acquire that reads it synchronises.
    Release,
    /// Both, for a read-modify-write or a fence.
    AcqRel,
    /// Both, in one total order with all other such operations.
    SeqCst,
}

impl MemoryOrder {
    /// Whether a read with this order takes part in synchronisation.
    pub fn acquires(self) -> bool {
        !matches!(self, MemoryOrder::Relaxed | MemoryOrder::Release)
    }

    /// Whether a write with this order takes part in synchronisation.
    pub fn releases(self) -> bool {
        !matches!(self, MemoryOrder::Relaxed | MemoryOrder::Acquire)
    }
}

/// Which bits of memory a bit-field access touches.
///
/// The address of the access is the first byte of the *memory location* in the sense of C11 (the
/// whole run of adjacent bit-fields); the access is one step and races with every other access to
/// that location. A store writes whole bytes: C's store to some bits of a byte is a load and a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitField {
    /// The first bit, counted from the address.
    pub offset: u32,
    /// How many bits, at most 128.
    pub width: u32,
    /// How many bytes the memory location has.
    pub location: u32,
    /// A load extends the sign.
    pub signed: bool,
}

/// Further facts about a load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// How it counts for races.
    pub ordering: Ordering,
    /// It touches part of the bytes only.
    pub bits: Option<BitField>,
    /// Bits of the value that the access does not concern: half of a store to some bits of bytes, or a load of which only some bits
    /// are used. Whether they were ever written makes no difference to a load; after a store they are written only if they were before.
    pub keeps: u128,
}

impl Access {
    /// An ordinary access of whole bytes.
    pub const PLAIN: Access = Access {
        ordering: Ordering::Plain,
        bits: None,
        keeps: 0,
    };

    /// A sequentially consistent access of whole bytes.
    pub const ATOMIC: Access = Access {
        ordering: Ordering::SEQ_CST,
        bits: None,
        keeps: 0,
    };
}

/// What an atomic read-modify-write stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RmwOp {
    /// The operand.
    Exchange,
    /// The sum (integers, floats; a pointer plus an integer as wide).
    Add,
    /// The difference.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Complement of the bitwise and.
    Nand,
}

/// Kinds of atomic regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicKind {
    /// `__VERIFIER_atomic_begin`: indivisible, and synchronises like one global lock.
    Verifier,
    /// Steps of the modelled library that happen together: indivisible, but no synchronisation.
    Fused,
}

/// Where dynamic memory comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// `malloc` and relatives.
    Heap,
    /// A variable-length array or `alloca`: freed at the latest when the function returns.
    Stack,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Compute.
    Let {
        /// Where the result goes.
        dst: LocalId,
        /// What is computed.
        value: Rvalue,
    },
    /// The local becomes indeterminate: any value, fixed from here on, and uninitialised.
    Havoc {
        /// The local.
        dst: LocalId,
    },
    /// An input of the program: any value of the local's type.
    Nondet {
        /// The local.
        dst: LocalId,
    },
    /// Read memory.
    Load {
        /// Where the value goes.
        dst: LocalId,
        /// Its type.
        ty: Ty,
        /// Where from.
        addr: Operand,
        /// How.
        access: Access,
    },
    /// Write memory.
    Store {
        /// The type of the value.
        ty: Ty,
        /// Where to.
        addr: Operand,
        /// The value.
        value: Operand,
        /// How.
        access: Access,
    },
    /// Atomically read, compute and write back.
    Rmw {
        /// Gets the old value.
        dst: Option<LocalId>,
        /// What is stored.
        op: RmwOp,
        /// The type in memory.
        ty: Ty,
        /// Where.
        addr: Operand,
        /// The operand (an integer as wide, if `ty` is a pointer and the operation is not `Exchange`).
        value: Operand,
        /// Atomic.
        ordering: Ordering,
    },
    /// Atomically compare and, if equal, swap. It reads and perhaps writes one location.
    Cas {
        /// Gets the old value.
        old: Option<LocalId>,
        /// Gets whether it was stored (`I1`).
        ok: Option<LocalId>,
        /// The type in memory.
        ty: Ty,
        /// Where.
        addr: Operand,
        /// Stored only if this is found.
        expected: Operand,
        /// What is stored.
        desired: Operand,
        /// It may fail although the value is equal.
        weak: bool,
        /// The order if it stores; atomic.
        ordering: Ordering,
        /// The order of the read if it does not.
        failure: MemoryOrder,
    },
    /// A fence: no access, but it lets atomic accesses around it synchronise.
    Fence {
        /// Which ones.
        order: MemoryOrder,
    },
    /// A new object for a slot, with indeterminate contents.
    StorageLive {
        /// The slot.
        slot: SlotId,
    },
    /// The slot's object is gone.
    StorageDead {
        /// The slot.
        slot: SlotId,
    },
    /// A new object.
    Alloc {
        /// Gets its address.
        dst: LocalId,
        /// From where.
        memory: Memory,
        /// Its size, an integer as wide as a pointer.
        size: Operand,
        /// Its alignment.
        align: u64,
        /// Its bytes are zero; otherwise indeterminate.
        zeroed: bool,
    },
    /// The object at this address is gone. Null does nothing for the heap.
    Free {
        /// Where it came from.
        memory: Memory,
        /// Its address.
        addr: Operand,
    },
    /// The size in bytes of the live object that starts at this address; 0 for null.
    ObjectSize {
        /// Gets it, an integer as wide as a pointer.
        dst: LocalId,
        /// The address.
        addr: Operand,
    },
    /// Call a function.
    Call {
        /// Gets the result.
        dst: Option<LocalId>,
        /// Which: a function or a pointer to one.
        callee: Operand,
        /// Its arguments.
        args: Vec<Operand>,
    },
    /// From here to the matching end no other thread runs; an assume that fails inside, or a step
    /// that would block, means the region is not entered. Regions nest.
    AtomicBegin {
        /// What it means for races.
        kind: AtomicKind,
    },
    /// The end of the innermost region.
    AtomicEnd,
    /// A step of synchronisation.
    Sync {
        /// Gets the result, if the operation has one.
        dst: Option<LocalId>,
        /// Which.
        op: SyncOp,
        /// Its arguments.
        args: Vec<Operand>,
    },
    /// A property that must hold here.
    Assert {
        /// An `I1`.
        cond: Operand,
        /// Which property it serves.
        property: Property,
        /// What went wrong if not, in words.
        message: TextId,
    },
    /// Executions in which this is false are not of interest from here on.
    Assume {
        /// An `I1`.
        cond: Operand,
    },
    /// A piece of output.
    Output {
        /// The file descriptor (`I32`): 1 or 2 is shown.
        stream: Operand,
        /// Text to be shown as it is or, if there is a value, one `printf` conversion for it
        /// (`%d`-like for integers, `%c`, `%f`-like, `%p`), with the length modifier left out.
        format: TextId,
        /// The value and its type.
        value: Option<(Ty, Operand)>,
    },
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// Go on there.
    Goto(BlockId),
    /// Decide by an `I1`.
    Branch {
        /// The condition.
        cond: Operand,
        /// If true.
        then: BlockId,
        /// If false.
        otherwise: BlockId,
    },
    /// Decide by an integer.
    Switch {
        /// The type of the value.
        ty: Ty,
        /// The value.
        value: Operand,
        /// Where to go for which value; no value occurs twice.
        cases: Vec<(u128, BlockId)>,
        /// Where to go otherwise.
        default: BlockId,
    },
    /// Return to the caller; from a thread's first function, the thread ends with this result.
    Return(Option<Operand>),
    /// Never reached (after a call that does not return); being here is undefined behaviour.
    Unreachable,
}
