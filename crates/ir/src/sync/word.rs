//! Words of memory that a thread waits at until they have, or no longer have, a value: barriers, `pthread_once` and loops that only wait are
//! made of them.

use super::{Before, Effect, SyncAlgebra, SyncOp, Transition};

#[inline]
pub(super) fn transition<A: SyncAlgebra>(
    op: SyncOp,
    a: &mut A,
    before: &Before<A>,
) -> Transition<A> {
    let equal = a.equal(before.word, before.argument);
    let goes_on = match op {
        SyncOp::AwaitEq => equal,
        _ => a.not(equal),
    };
    let nothing = a.word(0);
    Transition::new().case(goes_on, Effect::Tells(nothing))
}
