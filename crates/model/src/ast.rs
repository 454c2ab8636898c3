//! The tree of a model, with the place of everything.

use raddle_ir::Span;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A type as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int { signed: bool, width: u32 },
    Mutex,
    Cond,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Negate,
    Not,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(i128),
    Bool(bool),
    Place(Place),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Any value of a range without its end.
    Choose(Box<Expr>, Box<Expr>),
    Cast(Type, Box<Expr>),
}

/// A variable, or an element of an array.
#[derive(Clone, Debug)]
pub struct Place {
    pub name: Name,
    pub index: Option<Box<Expr>>,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    /// Its source, for reports: begin and end in the text.
    pub text: (usize, usize),
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Local(Vec<Variable>),
    Assign(Place, Option<Binary>, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    For(Name, Expr, Expr, Vec<Stmt>),
    Block(Vec<Stmt>),
    Atomic(Vec<Stmt>),
    Choose(Vec<Vec<Stmt>>),
    Lock(Place),
    Unlock(Place),
    Wait(Place, Place),
    Signal(Place),
    Broadcast(Place),
    Assume(Expr),
    Assert(Expr),
    Break,
    Stop,
    Skip,
}

/// A declaration of one variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub ty: Type,
    pub name: Name,
    pub size: Option<Expr>,
    pub initial: Option<Initial>,
}

#[derive(Clone, Debug)]
pub enum Initial {
    One(Expr),
    /// `{1, 2, 3}`
    List(Vec<Expr>, Span),
}

/// `const` or `param`.
#[derive(Clone, Debug)]
pub struct Constant {
    pub name: Name,
    pub value: Expr,
    pub param: bool,
}

/// When a property has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Always,
    Finally,
}

#[derive(Clone, Debug)]
pub struct Property {
    pub name: Name,
    pub when: When,
    pub holds: Expr,
    pub text: (usize, usize),
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: Name,
    /// The number of an instance, and the range it comes from.
    pub range: Option<(Name, Expr, Expr)>,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug, Default)]
pub struct Model {
    pub constants: Vec<Constant>,
    pub variables: Vec<Variable>,
    pub init: Vec<Stmt>,
    pub properties: Vec<Property>,
    pub processes: Vec<Process>,
}
