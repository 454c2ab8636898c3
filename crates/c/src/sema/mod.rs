//! Names and types: from the syntax tree to the typed tree.
//!
//! Declarations at file scope are resolved when a unit is added; function bodies are checked only when they
//! are asked for, with the whole file scope visible, and are never refused before that.
//!
//! Misses: many constraints of the standard that no accepted program breaks (the tool is not a lint), and a
//! body sees declarations that follow it in the file.

mod asm;
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
mod vectors;

use crate::ast;
use crate::diagnostic::{Diagnostic, Result, refuse};
use crate::hir::*;
use crate::source::Span;
use crate::token::{Interner, Symbol};
use crate::types::*;
pub use eval::{Base, Const, encode};
use raddle_ir::DataModel;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// How many names one definition is followed through.
const LONGEST_ALIAS: u32 = 16;

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
    pub linkage: Linkage,
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
    pub linkage: Linkage,
}

/// What declarations say about the symbol behind a name.
#[derive(Clone, Debug, Default)]
pub struct Linkage {
    /// It is another name for this definition.
    pub alias: Option<Symbol>,
    /// The assembler's name for it, if it is a different one.
    pub label: Option<Symbol>,
    /// It may not exist: then its address is null.
    pub weak: bool,
    /// There is none: it stands for inline assembly that is not modelled.
    pub assembly: bool,
    /// Why it cannot be used.
    pub unsupported: Option<(Span, &'static str)>,
    /// It runs before `main`.
    pub constructor: Option<Rc<crate::ast::Constructor>>,
    /// It runs when the process exits.
    pub destructor: Option<Rc<crate::ast::Constructor>>,
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
    /// Definitions by the assembler's names they were given.
    labelled: HashMap<Symbol, Entity>,
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
            labelled: HashMap::new(),
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
        self.pragmas(&unit.pragmas)?;
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

    /// The function that is meant by one: itself, or that of which it is another name.
    pub fn resolve_alias(&self, function: FunctionId) -> FunctionId {
        let mut at = function;
        for _ in 0..LONGEST_ALIAS {
            let f = &self.functions[at.0 as usize];
            match self.meant(Entity::Function(at), &f.linkage, &f.name, f.unit) {
                Some(Entity::Function(other)) if other != at => at = other,
                _ => break,
            }
        }
        at
    }

    /// The object that is meant by one.
    pub fn resolve_object(&self, object: ObjectId) -> ObjectId {
        let mut at = object;
        for _ in 0..LONGEST_ALIAS {
            let o = &self.objects[at.0 as usize];
            match self.meant(Entity::Object(at), &o.linkage, &o.name, o.unit) {
                Some(Entity::Object(other)) if other != at => at = other,
                _ => break,
            }
        }
        at
    }

    /// What a name stands for by its alias or label, or because the label of something defined is its name.
    fn meant(&self, of: Entity, linkage: &Linkage, name: &str, unit: usize) -> Option<Entity> {
        let named = |symbol: Symbol| {
            let here = self.units[unit].scope.names.get(&symbol);
            here.or_else(|| self.externals.get(&symbol)).copied()
        };
        if let Some(alias) = linkage.alias {
            return named(alias);
        }
        let defined = self.is_defined(of);
        if defined && !self.is_library(unit) {
            return None;
        }
        let label = match linkage.label {
            Some(label) => label,
            None if self.labelled.is_empty() => return None,
            None => self.names.lookup(name)?,
        };
        let labelled = self.labelled.get(&label).copied();
        // Headers give functions labels that the library has functions for, too: it is the library that knows best.
        let known = |e: &Entity| self.is_defined(*e) && !(defined && self.in_the_library(*e));
        labelled.or_else(|| named(label).filter(known))
    }

    fn in_the_library(&self, entity: Entity) -> bool {
        match entity {
            Entity::Function(f) => self.is_library(self.functions[f.0 as usize].unit),
            Entity::Object(o) => self.is_library(self.objects[o.0 as usize].unit),
            _ => false,
        }
    }

    /// Whether there is a definition of a function or an object.
    fn is_defined(&self, entity: Entity) -> bool {
        match entity {
            Entity::Function(f) => self.functions[f.0 as usize].body.is_some(),
            Entity::Object(o) => self.objects[o.0 as usize].defined,
            _ => false,
        }
    }

    /// Whether it may not exist.
    pub fn may_be_missing(&self, entity: Entity) -> bool {
        let linkage = match entity {
            Entity::Function(f) => &self.functions[f.0 as usize].linkage,
            Entity::Object(o) => &self.objects[o.0 as usize].linkage,
            _ => return false,
        };
        let meant = match entity {
            Entity::Function(f) if linkage.weak => Entity::Function(self.resolve_alias(f)),
            Entity::Object(o) if linkage.weak => Entity::Object(self.resolve_object(o)),
            _ => return false,
        };
        !self.is_defined(meant)
    }

    /// What the directives of a unit say about its names.
    fn pragmas(&mut self, pragmas: &[ast::Pragma]) -> Result<()> {
        for pragma in pragmas {
            let (name, alias, label) = match *pragma {
                ast::Pragma::Unsupported(span, what) => {
                    return refuse(span, format!("`#pragma {what}` is not supported"));
                }
                ast::Pragma::Weak(name, alias) => (name, alias, None),
                ast::Pragma::Label(name, label) => (name, None, Some(label)),
            };
            let entity = self
                .scopes
                .first()
                .and_then(|s| s.names.get(&name))
                .copied();
            let linkage = match entity {
                Some(Entity::Function(f)) => &mut self.functions[f.0 as usize].linkage,
                Some(Entity::Object(o)) => &mut self.objects[o.0 as usize].linkage,
                _ => continue,
            };
            linkage.alias = alias.or(linkage.alias);
            linkage.label = label.or(linkage.label);
            linkage.weak |= label.is_none();
            if let (Some(label), Some(entity)) = (label, entity)
                && self.is_defined(entity)
            {
                self.labelled.insert(label, entity);
            }
        }
        Ok(())
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
