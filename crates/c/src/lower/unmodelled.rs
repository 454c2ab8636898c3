//! Functions of the C library that are not modelled, and that cannot be treated like any other function without a body.
//!
//! A function without a body returns any value and does nothing else. Of these, that would be wrong in both directions: a signal that is raised runs its
//! handler before anything else happens, a thread that is cancelled ends, and what `pthread_cleanup_push` becomes runs a handler if some call returns
//! a second time. They are refused. Whoever installs a handler is told that no signal was considered; what goes wrong without signals goes wrong all
//! the same.

use super::build::FunctionBuilder;
use crate::hir::FunctionId;
use raddle_ir as ir;

/// Whether a program that uses this function, and has none of its own, is refused.
pub(super) fn is_refused(name: &str) -> bool {
    let signals = [
        "raise",
        "kill",
        "killpg",
        "tgkill",
        "sigqueue",
        "pthread_kill",
        "pthread_sigqueue",
    ];
    let cancellation = [
        "pthread_cancel",
        "_pthread_cleanup_push",
        "__pthread_register_cancel",
        "__pthread_unwind_next",
        "__sigsetjmp_cancel",
    ];
    signals.contains(&name) || cancellation.contains(&name)
}

impl FunctionBuilder<'_, '_, '_> {
    /// Notes that a call installs a handler of signals, which is never run.
    pub(super) fn note_handlers(&mut self, callee: Option<FunctionId>, args: &[ir::Operand]) {
        let Some(callee) = callee else { return };
        let function = &self.lower.sema.functions[callee.0 as usize];
        if function.body.is_some() {
            return;
        }
        let installs = match &*function.name {
            // Ignoring a signal, or leaving it as it is, is a constant.
            "signal" | "bsd_signal" | "__sysv_signal" | "sysv_signal" | "sigset" => {
                !matches!(args.get(1), Some(ir::Operand::Const { .. }))
            }
            "sigaction" | "__sigaction" | "sigvec" => true,
            _ => false,
        };
        let what = "runs without signals";
        let known = self.lower.program.limits.iter().any(|l| l.what == what);
        if installs && !known {
            let span = self.lower.ir_span(self.at);
            self.lower.program.limits.push(ir::Assumption {
                what: what.to_owned(),
                span,
            });
        }
    }
}
