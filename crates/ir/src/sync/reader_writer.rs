//! Reader–writer locks. Waiting writers do not keep readers out.
//!
//! A word is the number of readers, or [`WRITER`] and the writer's thread number + 1. Readers are not told apart, so whether a thread
//! that gives the lock back holds it is not to be seen from the word.

use super::layout::{DESTROYED, OWNER, WRITER};
use super::mutex::{destroy, give_up, initialise, is_not_free};
use super::{Before, Effect, Role, Share, SyncAlgebra, SyncOp, Transition, errno};

/// The number of the thread that writes under a reader–writer lock with this word.
pub(super) fn writer_of(word: u32) -> Option<u32> {
    match word {
        DESTROYED => None,
        _ if word & WRITER == 0 => None,
        _ => (word & OWNER).checked_sub(1),
    }
}

#[inline]
pub(super) fn transition<A: SyncAlgebra>(
    op: SyncOp,
    a: &mut A,
    before: &Before<A>,
) -> Transition<A> {
    match op.role() {
        Role::Acquire(share, patience) => {
            let destroyed = a.is_destroyed(before.word);
            let (can, then) = match share {
                Share::Shared => {
                    let writer = a.has_writer(before.word);
                    let one = a.word(1);
                    (a.not(writer), a.add(before.word, one))
                }
                Share::Exclusive => {
                    let writer = a.word(WRITER);
                    (a.is(before.word, 0), a.join(writer, before.me))
                }
            };
            let all = Transition::new()
                .case(destroyed, Effect::Fails(errno::EINVAL))
                .case(can, Effect::Becomes(then));
            give_up(patience, a, all, errno::EBUSY)
        }
        Role::Release => unlock(a, before),
        Role::Destroy => destroy(a, before),
        _ => initialise(a),
    }
}

/// The writer leaves, or one reader. Where nobody reads, there is no number of readers that a stranger could leave behind.
#[inline]
fn unlock<A: SyncAlgebra>(a: &mut A, before: &Before<A>) -> Transition<A> {
    let writer = a.has_writer(before.word);
    let empty = a.is(before.word, 0);
    let no_readers = a.or(writer, empty);
    let stranger = a.not(before.holds);
    let breaks = a.and(stranger, no_readers);
    let (zero, one) = (a.word(0), a.word(1));
    let less = a.subtract(before.word, one);
    Transition::new()
        .case(breaks, Effect::Undefined)
        .case(no_readers, Effect::Becomes(zero))
        .otherwise(a, Effect::Becomes(less))
}

#[inline]
pub(super) fn misuse<A: SyncAlgebra>(
    op: SyncOp,
    a: &mut A,
    before: &Before<A>,
) -> Option<A::Truth> {
    match op.role() {
        Role::Acquire(..) => Some(a.is_destroyed(before.word)),
        Role::Release => Some(a.not(before.holds)),
        Role::Destroy => Some(is_not_free(a, before)),
        _ => None,
    }
}
