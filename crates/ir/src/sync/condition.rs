//! Condition variables. The word says nothing but whether it was destroyed: who sleeps is a property of threads, and sleeping is described
//! over what a thread knows of itself ([`wakes_from_sleep`]).

use super::layout::DESTROYED;
use super::{Before, Effect, Role, SyncAlgebra, SyncOp, Transition, errno};

#[inline]
pub(super) fn transition<A: SyncAlgebra>(op: SyncOp, a: &mut A, _: &Before<A>) -> Transition<A> {
    let effect = match op.role() {
        Role::Initialise => Effect::Becomes(a.word(0)),
        Role::Destroy => Effect::Becomes(a.word(DESTROYED)),
        _ => Effect::Tells(a.word(0)),
    };
    Transition::new().otherwise(a, effect)
}

#[inline]
pub(super) fn misuse<A: SyncAlgebra>(
    op: SyncOp,
    a: &mut A,
    before: &Before<A>,
) -> Option<A::Truth> {
    match op.role() {
        Role::Destroy | Role::FallAsleep | Role::Wake => Some(a.is_destroyed(before.word)),
        _ => None,
    }
}

/// The result of a thread that goes on from its sleep: 0 if it was woken, or ETIMEDOUT if its time is up.
pub fn wakes_from_sleep<A: SyncAlgebra>(a: &mut A, woken: A::Truth, expires: A::Truth) -> A::Word {
    let (zero, late) = (a.word(0), a.word(errno::ETIMEDOUT));
    let asleep = a.not(woken);
    let late_now = a.and(asleep, expires);
    a.choose(late_now, late, zero)
}
