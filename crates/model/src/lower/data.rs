//! Shared variables: sizes, types for display, initial contents.

use super::{Lowering, Result, Shared};
use crate::ast::{Expr, ExprKind, Initial, Place, Stmt, StmtKind, Type, Variable};
use crate::constants::Const;
use crate::diagnostic::Diagnostic;
use raddle_ir::{DebugType, Global, GlobalId, Init, InitValue, Span, Ty, TypeId};

/// More elements than this are refused.
const MOST_ELEMENTS: i128 = 4096;
/// A mutex and a condition variable in memory, as C has them.
const MUTEX: u64 = 40;
const COND: u64 = 48;

/// The integer type that holds values of a width.
pub fn container(width: u32) -> Ty {
    match width {
        0..=8 => Ty::I8,
        9..=16 => Ty::I16,
        17..=32 => Ty::I32,
        _ => Ty::I64,
    }
}

/// How many bits [`container`] has.
pub fn container_bits(width: u32) -> u32 {
    match width {
        0..=8 => 8,
        9..=16 => 16,
        17..=32 => 32,
        _ => 64,
    }
}

/// How many bytes a variable takes.
pub fn size_of(ty: Type) -> u64 {
    match ty {
        Type::Bool => 1,
        Type::Int { width, .. } => u64::from(container_bits(width)) / 8,
        Type::Mutex => MUTEX,
        Type::Cond => COND,
    }
}

/// A type as a reader writes it.
pub fn type_name(ty: Type) -> String {
    match ty {
        Type::Bool => "bool".into(),
        Type::Int { signed, width } => {
            let name = if signed { "int" } else { "uint" };
            match width {
                32 => name.into(),
                _ => format!("{name}<{width}>"),
            }
        }
        Type::Mutex => "mutex".into(),
        Type::Cond => "cond".into(),
    }
}

/// Whether a number is a value of an integer type.
pub fn fits(n: i128, signed: bool, width: u32) -> bool {
    match signed {
        true => n >= -(1 << (width - 1)) && n < 1 << (width - 1),
        false => n >= 0 && n < 1 << width,
    }
}

impl Lowering<'_> {
    fn debug(&mut self, name: &str, make: impl FnOnce(&mut Self) -> DebugType) -> TypeId {
        if let Some(id) = self.types.get(name) {
            return *id;
        }
        let ty = make(self);
        self.program.types.push(ty);
        let id = TypeId(self.program.types.len() as u32 - 1);
        self.types.insert(name.into(), id);
        id
    }

    /// A type for display.
    pub fn debug_type(&mut self, ty: Type, count: Option<u64>) -> TypeId {
        let name = type_name(ty);
        let one = self.debug(&name.clone(), |_| match ty {
            Type::Mutex | Type::Cond => DebugType::Record {
                name,
                union: false,
                size: size_of(ty),
                fields: Vec::new(),
            },
            _ => DebugType::Int {
                name,
                size: size_of(ty),
                signed: matches!(ty, Type::Int { signed: true, .. }),
            },
        });
        match count {
            None => one,
            Some(count) => {
                let name = format!("{}[{count}]", type_name(ty));
                self.debug(&name, |_| DebugType::Array { of: one, count })
            }
        }
    }

    /// Makes a shared variable. What its initialiser leaves to the start of the program goes to `late`.
    pub fn declare(&mut self, variable: &Variable, late: &mut Vec<Stmt>) -> Result<()> {
        let name = &variable.name;
        if self.shared.contains_key(&name.text) || self.constants.contains_key(&name.text) {
            let message = format!("`{}` is declared twice", name.text);
            return Err(Diagnostic::at(name.span, message).help("give one of them another name"));
        }
        let shared = self.object(&name.text, variable, &[])?;
        self.shared.insert(name.text.clone(), shared);
        let Some(initial) = &variable.initial else {
            return Ok(());
        };
        for (i, value) in self.initial_values(variable, shared, initial)? {
            match self.known(value, &[])? {
                Some(known) => self.put(shared, i, known, value.span)?,
                None => {
                    let index = shared.count.map(|_| {
                        Box::new(Expr {
                            kind: ExprKind::Number(i as i128),
                            span: value.span,
                        })
                    });
                    let place = Place {
                        name: name.clone(),
                        index,
                    };
                    late.push(Stmt {
                        kind: StmtKind::Assign(place, None, value.clone()),
                        span: name.span,
                        text: (0, 0),
                    });
                }
            }
        }
        Ok(())
    }

    /// A global object for a variable, zero at the start.
    pub fn object(
        &mut self,
        name: &str,
        variable: &Variable,
        scope: &[(String, Const)],
    ) -> Result<Shared> {
        let count = match &variable.size {
            None => None,
            Some(size) => {
                let n = self.number(size, scope)?;
                if !(1..=MOST_ELEMENTS).contains(&n) {
                    let message = format!("an array cannot have {n} elements");
                    let help = format!("from 1 to {MOST_ELEMENTS} are possible");
                    return Err(Diagnostic::at(size.span, message).help(help));
                }
                Some(n as u64)
            }
        };
        let ty = self.debug_type(variable.ty, count);
        let size = size_of(variable.ty);
        self.program.globals.push(Global {
            name: name.into(),
            size: size * count.unwrap_or(1),
            align: size.min(8),
            ty,
            thread_local: false,
            constant: false,
            external: false,
            init: Vec::new(),
            span: variable.name.span,
        });
        Ok(Shared {
            id: GlobalId(self.program.globals.len() as u32 - 1),
            ty: variable.ty,
            count,
        })
    }

    fn initial_values<'e>(
        &self,
        variable: &Variable,
        shared: Shared,
        initial: &'e Initial,
    ) -> Result<Vec<(u64, &'e Expr)>> {
        if matches!(variable.ty, Type::Mutex | Type::Cond) {
            let message = format!("a {} has no initial value", type_name(variable.ty));
            return Err(Diagnostic::at(variable.name.span, message)
                .help("leave it out: it is free at the start"));
        }
        match (initial, shared.count) {
            (Initial::One(e), None) => Ok(vec![(0, e)]),
            // One value for all elements.
            (Initial::One(e), Some(n)) => Ok((0..n).map(|i| (i, e)).collect()),
            (Initial::List(_, span), None) => {
                let message = format!("`{}` is no array", variable.name.text);
                Err(Diagnostic::at(*span, message).help("write one value, without braces"))
            }
            (Initial::List(all, span), Some(n)) => match all.len() as u64 == n {
                true => Ok((0..n).zip(all).collect()),
                false => {
                    let message = format!("{} values for {n} elements", all.len());
                    Err(Diagnostic::at(*span, message)
                        .help("give one for each, or a single one without braces for all"))
                }
            },
        }
    }

    /// Puts a known value into the initial contents.
    pub fn put(&mut self, shared: Shared, index: u64, value: Const, span: Span) -> Result<()> {
        let n = match (shared.ty, value) {
            (Type::Bool, Const::Bool(b)) => i128::from(b),
            (Type::Int { signed, width }, Const::Int(n)) => {
                if !fits(n, signed, width) {
                    let message = format!("{n} is no value of {}", type_name(shared.ty));
                    return Err(Diagnostic::at(span, message).help("choose a wider type"));
                }
                n
            }
            (Type::Bool, Const::Int(_)) => {
                return Err(
                    Diagnostic::at(span, "a truth value is needed here, not a number")
                        .help("write `true` or `false`"),
                );
            }
            _ => {
                return Err(Diagnostic::at(
                    span,
                    "a number is needed here, not a truth value",
                ));
            }
        };
        let size = size_of(shared.ty);
        let bytes = n.to_le_bytes()[..size as usize].to_vec();
        let offset = index * size;
        let init = &mut self.program.globals[shared.id.0 as usize].init;
        init.retain(|i| i.offset != offset);
        if n != 0 {
            let at = init.partition_point(|i| i.offset < offset);
            init.insert(
                at,
                Init {
                    offset,
                    value: InitValue::Bytes(bytes),
                },
            );
        }
        Ok(())
    }

    /// Computes an `init` block as far as everything in it is known; whether all of it was.
    pub fn constant_init(&mut self, init: &[Stmt]) -> Result<bool> {
        if !self.is_known(init, &mut Vec::new())? {
            return Ok(false);
        }
        self.run_known(init, &mut Vec::new())?;
        Ok(true)
    }

    fn is_known(&self, body: &[Stmt], scope: &mut Vec<(String, Const)>) -> Result<bool> {
        for s in body {
            let known = match &s.kind {
                StmtKind::Assign(place, None, value) => {
                    let index = match &place.index {
                        Some(i) => self.known(i, scope)?.is_some(),
                        None => true,
                    };
                    let there = self.shared.contains_key(&place.name.text);
                    there && index && self.known(value, scope)?.is_some()
                }
                StmtKind::For(name, _, _, body) => {
                    scope.push((name.text.clone(), Const::Int(0)));
                    let known = self.is_known(body, scope);
                    scope.pop();
                    // A division by the number of the repetition may fail for this one only.
                    known.unwrap_or(false)
                }
                StmtKind::Block(body) => self.is_known(body, scope)?,
                StmtKind::Skip => true,
                _ => false,
            };
            if !known {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn run_known(&mut self, body: &[Stmt], scope: &mut Vec<(String, Const)>) -> Result<()> {
        for s in body {
            self.count(s.span)?;
            match &s.kind {
                StmtKind::Assign(place, _, value) => {
                    let Some(shared) = self.shared.get(&place.name.text).copied() else {
                        continue;
                    };
                    let index = match (&place.index, shared.count) {
                        (Some(i), Some(n)) => {
                            let k = self.number(i, scope)?;
                            if !(0..n as i128).contains(&k) {
                                let message =
                                    format!("there is no element {k} of `{}`", place.name.text);
                                let help = format!("they are numbered from 0 to {}", n - 1);
                                return Err(Diagnostic::at(i.span, message).help(help));
                            }
                            k as u64
                        }
                        (None, None) => 0,
                        _ => {
                            let message = format!(
                                "`{}` is used with another shape than it has",
                                place.name.text
                            );
                            return Err(Diagnostic::at(place.name.span, message)
                                .help("an element of an array is written `a[i]`"));
                        }
                    };
                    if let Some(known) = self.known(value, scope)? {
                        self.put(shared, index, known, value.span)?;
                    }
                }
                StmtKind::For(name, first, last, body) => {
                    let (low, high) = (self.number(first, scope)?, self.number(last, scope)?);
                    for i in low..high {
                        self.count(s.span)?;
                        scope.push((name.text.clone(), Const::Int(i)));
                        let done = self.run_known(body, scope);
                        scope.pop();
                        done?;
                    }
                }
                StmtKind::Block(body) => self.run_known(body, scope)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Counts a statement: repetitions are written out, and their number has an end.
    pub fn count(&mut self, span: Span) -> Result<()> {
        self.made += 1;
        match self.made > 50_000 {
            true => Err(Diagnostic::at(
                span,
                "written out, the model has more than 50000 statements",
            )
            .help("make ranges smaller, or use `while`, which is not written out")),
            false => Ok(()),
        }
    }
}
