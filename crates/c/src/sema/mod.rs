//! Names and types: from the syntax tree to the typed tree.
//!
//! Declarations at file scope are resolved when a unit is added; function bodies are checked only when they
//! are asked for, with the whole file scope visible, and are never refused before that.
//!
//! Misses: many constraints of the standard that no accepted program breaks (the tool is not a lint), and a
//! body sees declarations that follow it in the file.

mod atomics;
mod builtins;
mod compat;
mod convert;
mod declare;
mod eval;
mod expr;
mod floats;
mod format;
mod init;
mod operators;
mod resolve;
mod stmt;

use crate::ast;
use crate::diagnostic::{Diagnostic, Result};
use crate::hir::*;
use crate::source::Span;
use crate::token::{Interner, Symbol};
use crate::types::*;
pub use eval::{Base, Const, encode};
use raddle_ir::DataModel;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub enum Entity {
    Typedef(QualType),
    Constant(i128, TypeId),
    Object(ObjectId),
    Function(FunctionId),
    Var(VarId),
}

#[derive(Default)]
pub struct Scope {
    names: HashMap<Symbol, Entity>,
    tags: HashMap<Symbol, TypeId>,
}

/// An object with static storage duration.
pub struct Object {
    pub name: Rc<str>,
    pub ty: QualType,
    pub span: Span,
    pub external: bool,
    /// It has a definition, perhaps a tentative one.
    pub defined: bool,
    pub init: Option<Rc<Init>>,
    /// Why its initialiser cannot be used; said only if the object is.
    pub error: Option<Box<Diagnostic>>,
    pub thread_local: bool,
    pub constant: bool,
    pub align: u64,
    pub unit: usize,
    /// The contents of a string literal.
    pub bytes: Option<Rc<[u8]>>,
}

/// A function.
pub struct Func {
    pub name: Rc<str>,
    pub ty: QualType,
    pub span: Span,
    pub body: Option<Rc<ast::Function>>,
    /// The type its definition gives it.
    pub definition_ty: Option<QualType>,
    /// The definition may be replaced by another one (an inline definition).
    pub replaceable: bool,
    pub unit: usize,
    pub noreturn: bool,
    pub alias: Option<Symbol>,
}

struct UnitInfo {
    scope: Scope,
    library: bool,
}

struct Switch {
    cases: Vec<(i128, i128, LabelId)>,
    default: Option<LabelId>,
    ty: Basic,
}

use crate::ast::Basic;

/// What is known while a body is checked.
struct FunctionState {
    name: Rc<str>,
    ret: QualType,
    vars: Vec<Var>,
    scope_parents: Vec<ScopeId>,
    scope: ScopeId,
    labels: Vec<ScopeId>,
    label_names: Vec<HashMap<Symbol, LabelId>>,
    /// Labels that are defined, and gotos waiting for one.
    defined: HashSet<LabelId>,
    wanted: Vec<(LabelId, Symbol, Span)>,
    vlas: u32,
    /// Lengths to evaluate before the statement at hand.
    pending: Vec<Stmt>,
    switches: Vec<Switch>,
    breakable: u32,
    loops: u32,
    has_varargs: bool,
}

/// The checker.
pub struct Sema<'n> {
    pub types: Types,
    pub names: &'n mut Interner,
    pub objects: Vec<Object>,
    pub functions: Vec<Func>,
    externals: HashMap<Symbol, Entity>,
    units: Vec<UnitInfo>,
    scopes: Vec<Scope>,
    unit: usize,
    state: Option<FunctionState>,
    strings: HashMap<(Rc<[u32]>, u64), ObjectId>,
    /// Names that user units use in expressions.
    pub used: HashSet<Symbol>,
    /// Depth of `sizeof`, `typeof` and the like, where nothing is evaluated.
    unevaluated: u32,
    /// Set when evaluating a constant expression overflowed a signed type.
    pub overflowed: std::cell::Cell<bool>,
    /// How many parts of types the comparison under way has looked at.
    compared: std::cell::Cell<u32>,
}

impl<'n> Sema<'n> {
    pub fn new(model: DataModel, names: &'n mut Interner) -> Sema<'n> {
        Sema {
            types: Types::new(model),
            names,
            objects: Vec::new(),
            functions: Vec::new(),
            externals: HashMap::new(),
            units: Vec::new(),
            scopes: Vec::new(),
            unit: 0,
            state: None,
            strings: HashMap::new(),
            used: HashSet::new(),
            unevaluated: 0,
            overflowed: std::cell::Cell::new(false),
            compared: std::cell::Cell::new(0),
        }
    }

    /// Resolves the declarations of a unit; those of the library define only what nobody else does.
    pub fn add_unit(&mut self, unit: &ast::Unit, library: bool) -> Result<()> {
        let mut scope = Scope::default();
        for name in BUILTIN_TYPEDEFS {
            let symbol = self.names.intern(name);
            let ty = self.types.builtin_typedef(name).into();
            scope.names.insert(symbol, Entity::Typedef(ty));
        }
        self.unit = self.units.len();
        self.units.push(UnitInfo {
            scope: Scope::default(),
            library,
        });
        self.scopes = vec![scope];
        if !library {
            self.used.extend(&unit.used);
        }
        for item in &unit.items {
            match item {
                ast::Item::Declaration(d) => self.file_declaration(d)?,
                ast::Item::Function(f) => self.file_function(f)?,
                ast::Item::StaticAssert(a) => self.static_assert(a)?,
            }
        }
        let scope = self.scopes.pop().unwrap_or_default();
        self.units[self.unit].scope = scope;
        Ok(())
    }

    pub fn is_library(&self, unit: usize) -> bool {
        self.units[unit].library
    }

    pub fn in_library(&self) -> bool {
        self.units[self.unit].library
    }

    /// The external function or object of that name.
    pub fn external(&self, name: &str) -> Option<Entity> {
        self.externals.get(&self.names.lookup(name)?).copied()
    }

    /// The function an alias stands for, or the function itself.
    pub fn resolve_alias(&self, function: FunctionId) -> FunctionId {
        let f = &self.functions[function.0 as usize];
        let target = f.alias.and_then(|a| {
            let unit = self.units[f.unit].scope.names.get(&a);
            unit.or_else(|| self.externals.get(&a)).copied()
        });
        match target {
            Some(Entity::Function(other)) if other != function => other,
            _ => function,
        }
    }

    fn lookup(&self, symbol: Symbol) -> Option<Entity> {
        let found = self.scopes.iter().rev().find_map(|s| s.names.get(&symbol));
        found.copied()
    }

    fn lookup_tag(&self, symbol: Symbol) -> Option<TypeId> {
        self.scopes
            .iter()
            .rev()
            .find_map(|s| s.tags.get(&symbol))
            .copied()
    }

    fn bind(&mut self, symbol: Symbol, entity: Entity) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(symbol, entity);
        }
    }

    fn static_assert(&mut self, assert: &ast::StaticAssert) -> Result<()> {
        let value = self.constant_int(&assert.condition)?;
        if value == 0 {
            let message = format!("static assertion failed: {}", assert.message);
            return crate::diagnostic::fail(assert.span, message);
        }
        Ok(())
    }

    /// A type as a reader would write it.
    pub fn show(&self, ty: QualType) -> String {
        let mut text = String::new();
        if ty.quals.has(ast::Quals::CONST) {
            text.push_str("const ");
        }
        if ty.quals.has(ast::Quals::VOLATILE) {
            text.push_str("volatile ");
        }
        if ty.is_atomic() {
            text.push_str("_Atomic ");
        }
        let tag = |kind: &str, tag: Option<Symbol>| match tag {
            Some(tag) => format!("{kind} {}", self.names.name(tag)),
            None => format!("{kind} (anonymous)"),
        };
        match self.types.get(ty) {
            Type::Basic(b) => text.push_str(basic_name(*b)),
            // A type can be deep; a message need not be.
            Type::Pointer(to) => match self.types.get(*to) {
                Type::Pointer(inner) if self.types.is_pointer(*inner) => text.push_str("pointer"),
                Type::Function(_) => text.push_str("pointer to function"),
                Type::Array(..) => text.push_str("pointer to array"),
                _ => text = format!("{}{} *", text, self.show(*to)),
            },
            Type::Array(of, length) => {
                let mut of = *of;
                while let Type::Array(inner, _) = self.types.get(of) {
                    of = *inner;
                }
                let of = match self.types.get(of) {
                    Type::Pointer(_) => "pointer".to_owned(),
                    _ => self.show(of),
                };
                text = match length {
                    Length::Known(n) => format!("{text}{of}[{n}]"),
                    _ => format!("{text}{of}[]"),
                };
            }
            Type::Function(_) => text.push_str("function"),
            Type::Record(r) => {
                let record = self.types.record(*r);
                let kind = match record.kind {
                    ast::RecordKind::Struct => "struct",
                    ast::RecordKind::Union => "union",
                };
                text.push_str(&tag(kind, record.tag));
            }
            Type::Enum(e) => text.push_str(&tag("enum", self.types.enums[e.0 as usize].tag)),
            Type::Vector(..) => text.push_str("vector"),
        }
        text
    }
}

/// The spelling of a builtin type.
pub fn basic_name(basic: Basic) -> &'static str {
    match basic {
        Basic::Void => "void",
        Basic::Bool => "_Bool",
        Basic::Char => "char",
        Basic::SChar => "signed char",
        Basic::UChar => "unsigned char",
        Basic::Short => "short",
        Basic::UShort => "unsigned short",
        Basic::Int => "int",
        Basic::UInt => "unsigned int",
        Basic::Long => "long",
        Basic::ULong => "unsigned long",
        Basic::LongLong => "long long",
        Basic::ULongLong => "unsigned long long",
        Basic::Int128 => "__int128",
        Basic::UInt128 => "unsigned __int128",
        Basic::Float16 => "_Float16",
        Basic::Float => "float",
        Basic::Double => "double",
        Basic::LongDouble => "long double",
        Basic::Float128 => "_Float128",
        Basic::ComplexFloat => "float _Complex",
        Basic::ComplexDouble => "double _Complex",
        Basic::ComplexLongDouble => "long double _Complex",
        Basic::Exotic => "(unsupported arithmetic type)",
    }
}
