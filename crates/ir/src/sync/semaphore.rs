//! Semaphores. A word is the value; whether a semaphore was ever made is told by its mark, which lies elsewhere.

use super::layout::{DESTROYED, SEMAPHORE_MAX};
use super::mutex::give_up;
use super::{Before, Effect, Role, SyncAlgebra, SyncOp, Transition, errno};

#[inline]
pub(super) fn transition<A: SyncAlgebra>(
    op: SyncOp,
    a: &mut A,
    before: &Before<A>,
) -> Transition<A> {
    let one = a.word(1);
    match op.role() {
        Role::Acquire(_, patience) => {
            let destroyed = a.is_destroyed(before.word);
            let zero = a.is(before.word, 0);
            let some = a.not(zero);
            let less = a.subtract(before.word, one);
            let all = Transition::new()
                .case(destroyed, Effect::Fails(errno::EINVAL))
                .case(some, Effect::Becomes(less));
            give_up(patience, a, all, errno::EAGAIN)
        }
        Role::Release => {
            let destroyed = a.is_destroyed(before.word);
            let full = a.is(before.word, SEMAPHORE_MAX);
            let more = a.add(before.word, one);
            Transition::new()
                .case(destroyed, Effect::Fails(errno::EINVAL))
                .case(full, Effect::Fails(errno::EOVERFLOW))
                .otherwise(a, Effect::Becomes(more))
        }
        Role::Look => Transition::new().otherwise(a, Effect::Tells(before.word)),
        Role::Destroy => {
            let destroyed = a.is_destroyed(before.word);
            let gone = a.word(DESTROYED);
            Transition::new()
                .case(destroyed, Effect::Fails(errno::EBUSY))
                .otherwise(a, Effect::Becomes(gone))
        }
        _ => Transition::new().otherwise(a, Effect::Becomes(before.argument)),
    }
}

#[inline]
pub(super) fn misuse<A: SyncAlgebra>(
    op: SyncOp,
    a: &mut A,
    before: &Before<A>,
) -> Option<A::Truth> {
    match op.role() {
        Role::Acquire(..) | Role::Release | Role::Destroy => Some(a.is_destroyed(before.word)),
        _ => None,
    }
}
