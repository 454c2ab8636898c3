//! What runs before `main` and at the end: functions with the attributes `constructor` and `destructor`.
//!
//! Constructors run by increasing priority, those without one last, and in the order of their definitions; destructors in the
//! opposite order, after the handlers of `atexit`. So they are registered before anything else runs.

use super::Lower;
use super::build::FunctionBuilder;
use crate::ast::Constructor;
use crate::diagnostic::{Result, refuse};
use crate::hir::FunctionId;
use crate::sema::Entity;
use raddle_ir as ir;
use std::rc::Rc;

/// What runs before and after the program, each in the order of its start.
#[derive(Default)]
pub(super) struct Constructors {
    pub before: Vec<ir::FuncId>,
    pub after: Vec<ir::FuncId>,
    atexit: Option<ir::FuncId>,
}

/// The priority of those that have none.
const LAST: i128 = 65_536;

impl Lower<'_, '_> {
    /// Finds them, and makes sure that they are lowered.
    pub(super) fn constructors(&mut self) -> Result<Constructors> {
        let mut found = Constructors {
            before: self.in_order(|f| f.constructor.clone())?,
            after: self.in_order(|f| f.destructor.clone())?,
            atexit: None,
        };
        found.after.reverse();
        if !found.after.is_empty()
            && let Some(Entity::Function(id)) = self.sema.external("atexit")
        {
            let symbol = self.sema.names.intern("atexit");
            self.sema.used.insert(symbol);
            let span = self.sema.functions[id.0 as usize].span;
            found.atexit = Some(self.function(id, &[], span)?);
        }
        Ok(found)
    }

    fn in_order(
        &mut self,
        which: impl Fn(&crate::sema::Linkage) -> Option<Rc<Constructor>>,
    ) -> Result<Vec<ir::FuncId>> {
        let mut list = Vec::new();
        for index in 0..self.sema.functions.len() {
            let f = &self.sema.functions[index];
            let Some(attribute) = which(&f.linkage) else {
                continue;
            };
            if f.body.is_none() || self.sema.is_library(f.unit) {
                continue;
            }
            let (ty, unit, span) = (f.definition_ty.unwrap_or(f.ty), f.unit, f.span);
            let ty = self.sema.types.function_type(ty);
            if ty.is_none_or(|ty| !ty.params.is_empty() || ty.variadic) {
                return refuse(
                    attribute.span,
                    "a constructor or destructor with parameters is not supported",
                );
            }
            let priority = match &attribute.priority {
                Some(expr) => self.sema.constant_int(expr)?,
                None => LAST,
            };
            list.push((priority, unit, span.lo, FunctionId(index as u32), span));
        }
        list.sort_by_key(|&(priority, unit, at, ..)| (priority, unit, at));
        let functions = list.into_iter();
        functions
            .map(|(.., id, span)| self.function(id, &[], span))
            .collect()
    }
}

impl FunctionBuilder<'_, '_, '_> {
    /// Registers destructors and runs constructors.
    pub(super) fn construct(&mut self, constructors: &Constructors) {
        for &function in constructors.after.iter().rev() {
            if let Some(atexit) = constructors.atexit {
                let dst = Some(self.local(ir::Ty::I32));
                self.emit(ir::Op::Call {
                    dst,
                    callee: ir::Operand::Function(atexit),
                    args: vec![ir::Operand::Function(function)],
                });
            }
        }
        for &function in &constructors.before {
            let ret = self.lower.program.functions[function.0 as usize].ret;
            let dst = ret.map(|ty| self.local(ty));
            self.emit(ir::Op::Call {
                dst,
                callee: ir::Operand::Function(function),
                args: Vec::new(),
            });
        }
    }
}
