//! Spin locks: mutexes without a kind, which any thread can release; a release by another than the owner is misuse.

use super::mutex::{destroy, give_up, initialise, is_not_free, is_stranger};
use super::{Before, Effect, Role, SyncAlgebra, SyncOp, Transition, errno};

#[inline]
pub(super) fn transition<A: SyncAlgebra>(
    op: SyncOp,
    a: &mut A,
    before: &Before<A>,
) -> Transition<A> {
    let destroyed = a.is_destroyed(before.word);
    match op.role() {
        Role::Acquire(_, patience) => {
            let free = a.is(before.word, 0);
            let all = Transition::new()
                .case(destroyed, Effect::Fails(errno::EINVAL))
                .case(free, Effect::Becomes(before.me));
            give_up(patience, a, all, errno::EBUSY)
        }
        Role::Release => {
            let zero = a.word(0);
            Transition::new()
                .case(destroyed, Effect::Fails(errno::EINVAL))
                .otherwise(a, Effect::Becomes(zero))
        }
        Role::Destroy => destroy(a, before),
        _ => initialise(a),
    }
}

#[inline]
pub(super) fn misuse<A: SyncAlgebra>(
    op: SyncOp,
    a: &mut A,
    before: &Before<A>,
) -> Option<A::Truth> {
    match op.role() {
        Role::Acquire(..) => Some(a.is_destroyed(before.word)),
        Role::Release => Some(is_stranger(a, before)),
        Role::Destroy => Some(is_not_free(a, before)),
        _ => None,
    }
}
