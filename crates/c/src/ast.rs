//! The syntax tree, private to this crate: what was written, before names and types are resolved.
//!
//! Specifiers and declarators are kept as syntax, because the meaning of a type name can depend on
//! the scope it is used in; shared parts are reference counted so that function bodies can be checked later,
//! and only if they are reached.

use crate::source::Span;
use crate::token::Symbol;
use std::collections::HashSet;
use std::rc::Rc;

/// A translation unit.
pub struct Unit {
    pub items: Vec<Item>,
    /// Names that occur in expressions.
    pub used: HashSet<Symbol>,
    /// Directives about names and layout.
    pub pragmas: Vec<Pragma>,
}

/// A directive that changes what a name or a layout means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pragma {
    /// `#pragma weak name`, perhaps standing for another.
    Weak(Symbol, Option<Symbol>),
    /// `#pragma redefine_extname name label`.
    Label(Symbol, Symbol),
    /// One that is not supported.
    Unsupported(Span, &'static str),
}

/// Something at file scope.
pub enum Item {
    Declaration(Rc<Declaration>),
    Function(Rc<Function>),
    StaticAssert(Rc<StaticAssert>),
}

/// `_Static_assert(condition, "message")`.
#[derive(Debug)]
pub struct StaticAssert {
    pub condition: Expr,
    pub message: String,
    pub span: Span,
}

/// A set of type qualifiers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quals(pub u8);

impl Quals {
    pub const NONE: Quals = Quals(0);
    pub const CONST: Quals = Quals(1);
    pub const VOLATILE: Quals = Quals(2);
    pub const RESTRICT: Quals = Quals(4);
    pub const ATOMIC: Quals = Quals(8);

    pub fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }

    pub fn without(self, other: Quals) -> Quals {
        Quals(self.0 & !other.0)
    }

    pub fn has(self, other: Quals) -> bool {
        self.0 & other.0 != 0
    }
}

/// Storage-class specifiers.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Storage {
    #[default]
    None,
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// The builtin arithmetic types.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Basic {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    Float16,
    Float,
    Double,
    LongDouble,
    Float128,
    ComplexFloat,
    ComplexDouble,
    ComplexLongDouble,
    /// A complex integer or decimal type: parsed so that headers pass, refused when used.
    Exotic,
}

/// The type part of declaration specifiers.
#[derive(Clone, Debug)]
pub enum TypeSpec {
    Basic(Basic),
    /// No type was written.
    ImplicitInt,
    Record(Rc<RecordSpec>),
    Enum(Rc<EnumSpec>),
    Typedef(Symbol),
    TypeofExpr(Rc<Expr>),
    TypeofType(Rc<TypeName>),
    Atomic(Rc<TypeName>),
    AutoType,
    VaList,
}

/// `struct` or `union`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum RecordKind {
    Struct,
    Union,
}

/// A `struct` or `union` specifier.
#[derive(Debug)]
pub struct RecordSpec {
    pub kind: RecordKind,
    pub tag: Option<Symbol>,
    pub members: Option<Vec<Member>>,
    pub attrs: Attrs,
    /// The packing in force from `#pragma pack`, 0 for none.
    pub packing: u32,
    pub span: Span,
}

/// One member declaration.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
pub enum Member {
    Field {
        specs: Rc<Specs>,
        declarator: Option<Declarator>,
        width: Option<Expr>,
        span: Span,
    },
    StaticAssert(Rc<StaticAssert>),
}

/// An `enum` specifier.
#[derive(Debug)]
pub struct EnumSpec {
    pub tag: Option<Symbol>,
    pub constants: Option<Vec<(Symbol, Option<Expr>, Span)>>,
    pub attrs: Attrs,
    pub span: Span,
}

/// The attributes that change meaning; the others are read and dropped.
#[derive(Clone, Debug, Default)]
pub struct Attrs {
    pub packed: bool,
    pub aligned: Vec<AlignSpec>,
    pub mode: Option<Symbol>,
    pub transparent_union: bool,
    pub vector_size: Option<Rc<Expr>>,
    /// The function that is called when the variable goes out of scope.
    pub cleanup: Option<(Symbol, Span)>,
    pub noreturn: bool,
    pub weak: bool,
    pub alias: Option<Rc<[u8]>>,
    /// It runs before `main`, or at the end.
    pub constructor: Option<Rc<Constructor>>,
    pub destructor: Option<Rc<Constructor>>,
    pub gnu_inline: bool,
    /// One that changes meaning in a way that is not supported.
    pub unsupported: Option<(Span, &'static str)>,
}

impl Attrs {
    pub fn merge(&mut self, other: Attrs) {
        self.packed |= other.packed;
        self.aligned.extend(other.aligned);
        self.mode = other.mode.or(self.mode);
        self.transparent_union |= other.transparent_union;
        self.vector_size = other.vector_size.or(self.vector_size.take());
        self.cleanup = other.cleanup.or(self.cleanup);
        self.noreturn |= other.noreturn;
        self.weak |= other.weak;
        self.alias = other.alias.or(self.alias.take());
        self.constructor = other.constructor.or(self.constructor.take());
        self.destructor = other.destructor.or(self.destructor.take());
        self.gnu_inline |= other.gnu_inline;
        self.unsupported = other.unsupported.or(self.unsupported);
    }
}

/// `__attribute__((constructor(…)))` or `destructor`.
#[derive(Debug)]
pub struct Constructor {
    pub priority: Option<Expr>,
    pub span: Span,
}

/// `_Alignas(…)` or `__attribute__((aligned(…)))`.
#[derive(Clone, Debug)]
pub enum AlignSpec {
    /// `aligned` without an argument: the largest useful alignment.
    Biggest,
    Expr(Rc<Expr>),
    Type(Rc<TypeName>),
}

/// Declaration specifiers.
#[derive(Clone, Debug)]
pub struct Specs {
    pub storage: Storage,
    pub thread_local: bool,
    pub inline: bool,
    pub quals: Quals,
    pub ty: TypeSpec,
    pub alignas: Vec<AlignSpec>,
    pub attrs: Attrs,
    pub span: Span,
}

/// One step from a base type towards the declared type, applied in order.
#[derive(Clone, Debug)]
pub enum Derived {
    Pointer(Quals),
    Array(ArraySize),
    Function(Rc<Params>),
}

/// What stands between the brackets of an array declarator.
#[derive(Clone, Debug)]
pub enum ArraySize {
    None,
    Star,
    Expr(Rc<Expr>),
}

/// The parameters of a function declarator.
#[derive(Debug)]
pub struct Params {
    pub list: Vec<Param>,
    pub variadic: bool,
    pub form: ParamForm,
}

/// How parameters were written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ParamForm {
    Prototype,
    /// `f()`.
    Empty,
    /// `f(a, b) int a; …`: the list holds what the declarations after it say.
    Names,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    pub specs: Rc<Specs>,
    pub declarator: Declarator,
    pub span: Span,
}

/// A declarator: the name and the way from the base type to the declared one.
#[derive(Clone, Debug, Default)]
pub struct Declarator {
    pub name: Option<(Symbol, Span)>,
    pub derived: Vec<Derived>,
    pub attrs: Attrs,
    pub asm_label: Option<Rc<[u8]>>,
}

/// A type name, as in a cast.
#[derive(Clone, Debug)]
pub struct TypeName {
    pub specs: Rc<Specs>,
    pub derived: Vec<Derived>,
    pub span: Span,
}

/// A declaration.
#[derive(Debug)]
pub struct Declaration {
    pub specs: Rc<Specs>,
    pub declarators: Vec<InitDeclarator>,
}

/// A declarator with its initialiser.
#[derive(Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Init>,
    pub span: Span,
}

/// An initialiser.
#[derive(Debug)]
pub enum Init {
    Expr(Expr),
    List(InitList),
}

/// A braced initialiser.
#[derive(Debug)]
pub struct InitList {
    pub items: Vec<(Vec<Designator>, Init)>,
    pub span: Span,
}

/// One step of a designation.
#[derive(Debug)]
pub enum Designator {
    Field(Symbol, Span),
    Index(Expr),
    Range(Expr, Expr),
}

/// A function definition.
#[derive(Debug)]
pub struct Function {
    pub specs: Rc<Specs>,
    pub declarator: Declarator,
    pub body: Block,
    pub span: Span,
}

/// A compound statement.
#[derive(Debug)]
pub struct Block {
    pub labels: Vec<Symbol>,
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// What a statement is.
#[derive(Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Block(Block),
    Declaration(Rc<Declaration>),
    StaticAssert(Rc<StaticAssert>),
    NestedFunction,
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For {
        init: Option<Box<Stmt>>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch(Expr, Box<Stmt>),
    Labeled(Vec<(Label, Span)>, Box<Stmt>),
    Goto(Symbol),
    GotoComputed,
    Continue,
    Break,
    Return(Option<Expr>),
    Asm(Asm),
}

/// A label before a statement.
#[derive(Debug)]
pub enum Label {
    Name(Symbol),
    Case(Expr),
    Range(Expr, Expr),
    Default,
}

/// An assembly statement.
#[derive(Debug)]
pub struct Asm {
    /// The template does nothing, or only pauses or orders, and there is no output operand.
    pub is_barrier: bool,
    /// The instructions.
    pub template: String,
    /// Outputs and then inputs; `None` if there is anything else than these and clobbers.
    pub operands: Option<Vec<AsmOperand>>,
    /// It says that it changes memory which is no operand.
    pub clobbers_memory: bool,
}

/// An operand of an assembly statement.
#[derive(Debug)]
pub struct AsmOperand {
    pub name: Option<Symbol>,
    pub constraint: String,
    pub output: bool,
    pub expr: Expr,
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// Height of the tree, bounded by the parser so that later passes may recurse.
    pub height: u32,
}

/// Unary operators.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    LogicalNot,
    Deref,
    AddressOf,
    Real,
    Imag,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
}

/// Binary operators.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Less,
    Greater,
    LessEq,
    GreaterEq,
    Equal,
    NotEqual,
    And,
    Xor,
    Or,
    LogicalAnd,
    LogicalOr,
}

/// How the elements of a string or character literal are encoded.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Encoding {
    Plain,
    Utf8,
    Wide,
    Char16,
    Char32,
}

/// A floating constant: the digits, and the type its suffix gives it.
#[derive(Clone, Debug)]
pub struct FloatLiteral {
    pub digits: Rc<str>,
    pub ty: Basic,
}

/// What an expression is.
#[derive(Debug)]
pub enum ExprKind {
    Name(Symbol),
    /// `__func__` and its relatives.
    FunctionName,
    Int {
        value: u64,
        /// Suffix: unsigned, and how many `l`.
        unsigned: bool,
        longs: u8,
        decimal: bool,
    },
    Float(FloatLiteral),
    Char {
        value: i64,
        encoding: Encoding,
    },
    Str {
        /// The code units without a terminator.
        units: Rc<[u32]>,
        encoding: Encoding,
    },
    Generic(Box<Expr>, Vec<(Option<TypeName>, Expr)>),
    StmtExpr(Rc<Block>),
    Index(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Member(Box<Expr>, Symbol),
    Arrow(Box<Expr>, Symbol),
    CompoundLiteral(Rc<TypeName>, Rc<InitList>),
    Unary(UnaryOp, Box<Expr>),
    Cast(Rc<TypeName>, Box<Expr>),
    SizeofExpr(Box<Expr>),
    SizeofType(Rc<TypeName>),
    AlignofExpr(Box<Expr>),
    /// The flag: `__alignof__`, which speaks of variables, rather than `_Alignof`, which speaks of members.
    AlignofType(Rc<TypeName>, bool),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    AddressOfLabel,
    VaArg(Box<Expr>, Rc<TypeName>),
    Offsetof(Rc<TypeName>, Vec<Designator>),
    TypesCompatible(Rc<TypeName>, Rc<TypeName>),
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
}
