//! The typed tree: names resolved, conversions explicit, initialisers flattened.
//!
//! An expression is an *lvalue* if its kind is one of the first group below; its value is only read through
//! [`Kind::Load`]. Values of record type are never scalars; they are handled by address.

use crate::ast::Basic;
use crate::source::Span;
use crate::types::{Bits, QualType, VlaId};
use raddle_ir::MemoryOrder;
use std::rc::Rc;

/// A variable of the function being checked.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct VarId(pub u32);

/// An object with static storage.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectId(pub u32);

/// A function.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionId(pub u32);

/// A block scope of a function; 0 is the outermost.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ScopeId(pub u32);

/// A place to jump to: a named label, a case or a default.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct LabelId(pub u32);

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: Kind,
    pub ty: QualType,
    pub span: Span,
}

/// Arithmetic on two operands of one type, which is the type of the result.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// Comparison of two operands of one type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEq,
    Greater,
    GreaterEq,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Kind {
    // Lvalues and function designators.
    Var(VarId),
    Object(ObjectId),
    Function(FunctionId),
    Deref(Box<Expr>),
    /// Also of a record that is a value (the result of a call).
    Member {
        base: Box<Expr>,
        offset: u64,
        bits: Option<Bits>,
    },
    CompoundLiteral(VarId, Rc<Init>),

    // Values.
    Int(i128),
    /// Encoded as the IR encodes constants.
    Float(u128),
    Load(Box<Expr>),
    /// Of an lvalue or function; also the decay of arrays.
    AddressOf(Box<Expr>),
    Cast(Box<Expr>),
    Negate(Box<Expr>),
    Complement(Box<Expr>),
    LogicalNot(Box<Expr>),
    Arith(Arith, Box<Expr>, Box<Expr>),
    Compare(Relation, Box<Expr>, Box<Expr>),
    LogicalAnd(Box<Expr>, Box<Expr>),
    LogicalOr(Box<Expr>, Box<Expr>),
    /// Pointer plus or minus an index (as wide as a pointer), in elements.
    PointerOffset {
        pointer: Box<Expr>,
        index: Box<Expr>,
        negative: bool,
        element: Size,
    },
    PointerDifference(Box<Expr>, Box<Expr>, Size),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a ?: b`, the condition evaluated once; the variable holds its value.
    Elvis(VarId, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Assign(Box<Expr>, Box<Expr>),
    /// `target op= value`; the operation is done in type `compute`.
    CompoundAssign {
        target: Box<Expr>,
        op: Arith,
        value: Box<Expr>,
        compute: QualType,
        /// Element size if the target is a pointer.
        element: Option<Size>,
        /// The result is the value before.
        post: bool,
    },
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
        /// How many arguments belong to named parameters.
        named: usize,
    },
    StmtExpr(ScopeId, Vec<Stmt>, Option<Box<Expr>>),
    VaArg(Box<Expr>),
    Builtin(Builtin, Vec<Expr>),
    /// The number of bytes of something of variable size.
    RuntimeSize(Box<Size>),
}

/// The size of an element.
#[derive(Clone, Debug)]
pub enum Size {
    Const(u64),
    /// Bytes of a variable-length array: its length times the size of an element.
    Vla(VlaId, Box<Size>),
    /// A constant number of those.
    Times(u64, Box<Size>),
}

/// Operations that are neither calls nor operators.
#[derive(Clone, Debug, PartialEq)]
pub enum Builtin {
    VaStart,
    VaEnd,
    VaCopy,
    Alloca,
    Unreachable,
    Trap,
    /// Overflow arithmetic; stores through the third argument, if it is a pointer.
    Overflow(Arith, bool),
    /// `clz`, `ctz`, `popcount`, `bswap`, `sqrt`, ….
    Pure(raddle_ir::PureFn),
    Parity,
    Ffs,
    /// Redundant sign bits.
    Clrsb,
    AtomicLoad,
    AtomicStore,
    /// Old value unless the flag says new.
    AtomicRmw(raddle_ir::RmwOp, bool),
    /// `__atomic_compare_exchange_n`: pointer, pointer to expected, desired.
    AtomicCas {
        weak: bool,
        by_pointer: bool,
    },
    AtomicExchangeGeneric,
    AtomicLoadGeneric,
    AtomicStoreGeneric,
    /// `__sync_*_compare_and_swap`; the flag: return whether it was stored.
    SyncCas(bool),
    TestAndSet,
    Clear,
    Fence,
    AtomicBegin(raddle_ir::AtomicKind),
    AtomicEnd,
    Sync(raddle_ir::SyncOp),
    Malloc {
        zeroed: bool,
        aligned: bool,
    },
    Free,
    ObjectSize,
    Nondet,
    Assume,
    /// A violation of a property with a message.
    Violation(raddle_ir::Property, Rc<str>),
    /// What lies behind is not supported.
    Unsupported(Rc<str>),
    PutChar,
    PutDouble(Rc<str>),
    FormatFloat,
    /// `printf` with a literal format, in pieces; the first argument is the stream.
    Print(Rc<[Piece]>),
    /// Evaluates its arguments and yields the constant 0 of its type.
    Nothing,
}

/// A piece of a `printf` format.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Text(String),
    /// A conversion without length modifier, for the argument of that index.
    Value(String, usize),
    /// A string argument, shown up to its end or the precision.
    Str(usize, Option<u64>),
}

/// An initialiser of an object, flattened.
#[derive(Clone, Debug)]
pub struct Init {
    pub entries: Vec<InitEntry>,
    /// What is not mentioned is zero.
    pub zero_rest: bool,
}

/// A scalar, record or string somewhere in an object.
#[derive(Clone, Debug)]
pub struct InitEntry {
    pub offset: u64,
    pub bits: Option<Bits>,
    pub ty: QualType,
    pub value: InitValue,
}

/// What an entry stores.
#[derive(Clone, Debug)]
pub enum InitValue {
    Expr(Rc<Expr>),
    Bytes(Rc<[u8]>),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    Expr(Expr),
    Block(ScopeId, Vec<Stmt>),
    /// A declaration takes effect: the variable gets its value or becomes indeterminate.
    Declare(VarId, Option<Rc<Init>>, Span),
    /// From here on, what is called at the end of this scope, however it is left.
    Cleanup(ScopeId, Rc<Expr>),
    /// The length of a variable-length array is evaluated.
    VlaLength(VlaId, Expr),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>, Span),
    DoWhile(Box<Stmt>, Expr, Span),
    For {
        scope: ScopeId,
        init: Vec<Stmt>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
        span: Span,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
        cases: Vec<(i128, i128, LabelId)>,
        default: Option<LabelId>,
        span: Span,
    },
    Label(LabelId, Span),
    Goto(LabelId, Span),
    Break(Span),
    Continue(Span),
    Return(Option<Expr>, Span),
    /// Several statements without a scope.
    Sequence(Vec<Stmt>),
}

/// A variable of a function.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: Rc<str>,
    pub ty: QualType,
    pub scope: ScopeId,
    pub address_taken: bool,
    pub span: Span,
    /// Alignment asked for, 0 for none.
    pub align: u64,
}

/// A checked function body.
pub struct Body {
    pub params: Vec<VarId>,
    pub vars: Vec<Var>,
    /// Parent of each scope (that of the outermost is itself).
    pub scopes: Vec<ScopeId>,
    /// Scope of each label.
    pub labels: Vec<ScopeId>,
    /// Lengths in the types of parameters, evaluated on entry.
    pub prologue: Vec<Stmt>,
    pub stmts: Vec<Stmt>,
    pub end: Span,
}

/// The memory orders of an atomic operation, carried as the last argument of its builtin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    /// The order of the operation.
    pub order: MemoryOrder,
    /// The order of a compare-and-swap that fails.
    pub failure: MemoryOrder,
    /// Whether the program names them by constants.
    pub is_constant: bool,
}

impl Orders {
    /// By the number that GCC's `__ATOMIC_*` macros have; consume is acquire.
    const BY_NUMBER: [MemoryOrder; 6] = [
        MemoryOrder::Relaxed,
        MemoryOrder::Acquire,
        MemoryOrder::Acquire,
        MemoryOrder::Release,
        MemoryOrder::AcqRel,
        MemoryOrder::SeqCst,
    ];

    /// One order for all cases.
    pub fn same(order: MemoryOrder) -> Orders {
        Orders {
            order,
            failure: order,
            is_constant: true,
        }
    }

    /// The order of that number. Hints about lock elision stand above the low 16 bits.
    pub fn number(number: i128) -> Option<MemoryOrder> {
        let number = usize::try_from(number & 0xffff).ok()?;
        Orders::BY_NUMBER.get(number).copied()
    }

    /// As an argument.
    pub fn marker(self, span: Span) -> Expr {
        let code = |order| Orders::BY_NUMBER.iter().rposition(|o| *o == order);
        let code = |order| code(order).unwrap_or(5) as i128;
        let kind = match self.is_constant {
            true => Kind::Int(code(self.order) + 8 * code(self.failure)),
            false => Kind::Int(-1),
        };
        Expr {
            kind,
            ty: Basic::Int.into(),
            span,
        }
    }

    /// From an argument.
    pub fn read(marker: Option<&Expr>) -> Orders {
        match marker.map(|m| &m.kind) {
            Some(Kind::Int(code @ 0..)) => Orders {
                order: Orders::number(code % 8).unwrap_or(MemoryOrder::SeqCst),
                failure: Orders::number(code / 8).unwrap_or(MemoryOrder::SeqCst),
                is_constant: true,
            },
            _ => Orders {
                is_constant: false,
                ..Orders::same(MemoryOrder::SeqCst)
            },
        }
    }
}
