//! `setjmp` and `longjmp`: steps of the function that calls them, because its activation is what is remembered.
//!
//! A variable that is `volatile` keeps its value across a jump, so it is memory in a function that calls `setjmp`; registers that have changed are
//! indeterminate (`interp/src/jump.rs`).

use super::build::FunctionBuilder;
use crate::diagnostic::{Result, fail};
use crate::hir::*;
use raddle_ir as ir;

/// Which of the two a function of the C library is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Jump {
    Set,
    Long,
}

impl Jump {
    pub fn named(name: &str) -> Option<Jump> {
        match name {
            "setjmp" | "_setjmp" | "__setjmp" | "sigsetjmp" | "__sigsetjmp" => Some(Jump::Set),
            "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => Some(Jump::Long),
            _ => None,
        }
    }
}

impl FunctionBuilder<'_, '_, '_> {
    /// Which of the two is called, if it is one.
    pub(super) fn jump_of(&self, callee: Option<FunctionId>) -> Option<Jump> {
        let function = &self.lower.sema.functions[callee?.0 as usize];
        match function.body {
            Some(_) => None,
            None => Jump::named(&function.name),
        }
    }

    /// A call of one of them.
    pub(super) fn call_jump(
        &mut self,
        jump: Jump,
        args: &[Expr],
        expr: &Expr,
    ) -> Result<Option<ir::Operand>> {
        let mut values = Vec::with_capacity(2);
        for arg in args {
            values.push(self.value(arg)?);
        }
        self.at = expr.span;
        match (jump, &values[..]) {
            (Jump::Set, [buffer, ..]) => Ok(self.sync(ir::SyncOp::SetJump, vec![*buffer])),
            (Jump::Long, [buffer, value]) => {
                self.sync(ir::SyncOp::LongJump, vec![*buffer, *value]);
                self.stop();
                Ok(None)
            }
            _ => fail(expr.span, "the number of arguments is wrong"),
        }
    }
}
