//! Freed addresses and handles of threads that are over can come back; that is not modelled, so comparing them is a target.

use crate::guard::Guard;
use crate::names::ObjectKey;
use crate::unwind::Unwinder;
use raddle_ir::{Location, Operand, Program};
use raddle_symbolic::{ObjectId, Targets, Value};

/// A place where the handle of a thread is looked at as a number, if there is one. Here a handle follows from the order of unwinding, so nothing is
/// proved of such a program.
pub fn handle_as_number(program: &Program) -> Option<Location> {
    raddle_analysis::handles::seen_as_number(program)
}

impl Unwinder<'_> {
    /// A comparison of pointers: if one of them may be dangling, a new object may have its address, which is not modelled.
    pub(crate) fn note_comparison(
        &mut self,
        guard: Guard,
        known: &[(Operand, Value)],
        at: Location,
    ) {
        let [(_, a), (_, b)] = known else { return };
        if a.targets.is_none() || b.targets.is_none() {
            return;
        }
        if self.is_mixture(a, b) {
            let what = "a comparison of an address with a number made of one";
            self.unsupported(guard, at, what);
            return;
        }
        // An object has one base all its life, and afterwards.
        let single = |t: &Targets| matches!(t, Targets::These(all) if all.len() == 1);
        if single(&a.targets) && a.targets == b.targets {
            return;
        }
        self.compared
            .push((guard, a.targets.clone(), b.targets.clone(), at));
    }

    /// Comparisons with pointers to freed objects, in a program that allocates, are not the whole truth.
    pub(crate) fn check_reuse(&mut self) {
        let freed = std::mem::take(&mut self.freed);
        for (guard, a, b, at) in std::mem::take(&mut self.compared) {
            // Two objects that lived at the same time never had the same address.
            let reused = |x: &ObjectId, y: &ObjectId| {
                x != y && (freed.contains(x) || freed.contains(y)) && !self.live_together(*x, *y)
            };
            let may_reuse = match (&a, &b) {
                (Targets::These(a), Targets::These(b)) => {
                    a.iter().any(|x| b.iter().any(|y| reused(x, y)))
                }
                _ => true,
            };
            let over = |t: &Targets| match t {
                Targets::Unknown => false,
                Targets::These(all) => all.iter().any(|o| match self.names.get(*o).key {
                    ObjectKey::Thread(t) => self.may_come_back(t),
                    _ => false,
                }),
            };
            if over(&a) || over(&b) {
                let what = "a comparison of handles of which one may be of a thread that is over";
                self.unsupported(guard, at, what);
            } else if !freed.is_empty() && may_reuse {
                let what = "a comparison of pointers of which one may be to freed memory";
                self.unsupported(guard, at, what);
            }
        }
    }
}
