//! Mutexes, as in glibc: normal, recursive and error-checking ones.
//!
//! A word is 0 if the mutex is free. Otherwise its low bits are the owner's thread number + 1, and above them the number of further
//! acquisitions is counted.

use super::layout::{DESTROYED, ERRORCHECK, ONE_MORE, OWNER, RECURSIVE};
use super::{Before, Effect, Patience, Role, SyncAlgebra, SyncOp, Transition, errno};

/// When a recursive mutex would be taken once more, as far as its word and kind tell.
#[inline]
pub fn nests<A: SyncAlgebra>(a: &mut A, before: &Before<A>) -> A::Truth {
    let mine = is_mine(a, before);
    let recursive = is_kind(a, before, RECURSIVE);
    a.and(recursive, mine)
}

/// The kind of a mutex, of which only two bits count; those that are neither recursive nor error-checking are normal.
#[inline]
fn is_kind<A: SyncAlgebra>(a: &mut A, before: &Before<A>, kind: u32) -> A::Truth {
    let bits = a.word(3);
    let low = a.mask(before.kind, bits);
    a.is(low, kind)
}

/// Whether the word names the thread as owner.
#[inline]
fn is_mine<A: SyncAlgebra>(a: &mut A, before: &Before<A>) -> A::Truth {
    let bits = a.word(OWNER);
    let owner = a.mask(before.word, bits);
    a.equal(owner, before.me)
}

/// The number of the thread that holds a mutex or spin lock with this word.
pub(super) fn owner_of(word: u32) -> Option<u32> {
    match word {
        DESTROYED => None,
        _ => (word & OWNER).checked_sub(1),
    }
}

/// Whether an unlock by a thread that does not hold it is refused.
#[inline]
fn refuses_strangers<A: SyncAlgebra>(a: &mut A, before: &Before<A>) -> A::Truth {
    let strict = is_kind(a, before, ERRORCHECK);
    let recursive = is_kind(a, before, RECURSIVE);
    a.or(strict, recursive)
}

#[inline]
pub(super) fn transition<A: SyncAlgebra>(
    op: SyncOp,
    a: &mut A,
    before: &Before<A>,
) -> Transition<A> {
    match op.role() {
        Role::Acquire(_, patience) => lock(patience, a, before),
        Role::Release => unlock(a, before),
        Role::Destroy => destroy(a, before),
        _ => initialise(a),
    }
}

/// Free: take it. Recursive and own: once more, up to a limit. Error-checking and own: refuse, unless it is only tried.
#[inline]
fn lock<A: SyncAlgebra>(patience: Patience, a: &mut A, before: &Before<A>) -> Transition<A> {
    let destroyed = a.is_destroyed(before.word);
    let free = a.is(before.word, 0);
    let mine = is_mine(a, before);
    let again = nests(a, before);
    let fits = a.can_nest(before.word);
    let deeper = a.and(again, fits);
    let full = a.not(fits);
    let too_deep = a.and(again, full);
    let more = a.word(ONE_MORE);
    let nested = a.add(before.word, more);
    let mut all = Transition::new()
        .case(destroyed, Effect::Fails(errno::EINVAL))
        .case(free, Effect::Becomes(before.me))
        .case(deeper, Effect::Becomes(nested))
        .case(too_deep, Effect::Fails(errno::EAGAIN));
    if patience != Patience::Never {
        let strict = is_kind(a, before, ERRORCHECK);
        let waits_for_itself = a.and(strict, mine);
        all = all.case(waits_for_itself, Effect::Fails(errno::EDEADLK));
    }
    give_up(patience, a, all, errno::EBUSY)
}

/// Adds what happens when something cannot be acquired: the thread is blocked, or has an error code.
#[inline]
pub(super) fn give_up<A: SyncAlgebra>(
    patience: Patience,
    a: &mut A,
    transition: Transition<A>,
    busy: u32,
) -> Transition<A> {
    match patience {
        Patience::Forever => transition,
        Patience::Limited => transition.otherwise(a, Effect::Fails(errno::ETIMEDOUT)),
        Patience::Never => transition.otherwise(a, Effect::Fails(busy)),
    }
}

/// Own: give it back, or one acquisition of it. Otherwise, a normal mutex is released all the same, which is misuse; the others refuse.
#[inline]
fn unlock<A: SyncAlgebra>(a: &mut A, before: &Before<A>) -> Transition<A> {
    let destroyed = a.is_destroyed(before.word);
    let mine = is_mine(a, before);
    let more = a.word(ONE_MORE);
    let once = a.less(before.word, more);
    let less = a.subtract(before.word, more);
    let zero = a.word(0);
    let left = a.choose(once, zero, less);
    let refuses = refuses_strangers(a, before);
    Transition::new()
        .case(destroyed, Effect::Fails(errno::EINVAL))
        .case(mine, Effect::Becomes(left))
        .case(refuses, Effect::Fails(errno::EPERM))
        .otherwise(a, Effect::Becomes(zero))
}

/// Refused while it is held, or if it is destroyed already.
#[inline]
pub(super) fn destroy<A: SyncAlgebra>(a: &mut A, before: &Before<A>) -> Transition<A> {
    let free = a.is(before.word, 0);
    let gone = a.word(DESTROYED);
    Transition::new()
        .case(free, Effect::Becomes(gone))
        .otherwise(a, Effect::Fails(errno::EBUSY))
}

#[inline]
pub(super) fn initialise<A: SyncAlgebra>(a: &mut A) -> Transition<A> {
    let zero = a.word(0);
    Transition::new().otherwise(a, Effect::Becomes(zero))
}

#[inline]
pub(super) fn misuse<A: SyncAlgebra>(
    op: SyncOp,
    a: &mut A,
    before: &Before<A>,
) -> Option<A::Truth> {
    match op.role() {
        Role::Acquire(..) => Some(a.is_destroyed(before.word)),
        // An error-checking or recursive mutex says so itself, even if it was destroyed.
        Role::Release => {
            let stranger = is_stranger(a, before);
            let refuses = refuses_strangers(a, before);
            let gives = a.not(refuses);
            Some(a.and(stranger, gives))
        }
        Role::Destroy => Some(is_not_free(a, before)),
        _ => None,
    }
}

/// Whether the thread does not hold it, or nobody can, because it is destroyed.
#[inline]
pub(super) fn is_stranger<A: SyncAlgebra>(a: &mut A, before: &Before<A>) -> A::Truth {
    let holds = before.names_me(a);
    a.not(holds)
}

impl<A: SyncAlgebra> Before<A> {
    /// Whether the word of a mutex or spin lock says that the thread holds it.
    #[inline]
    pub fn names_me(&self, a: &mut A) -> A::Truth {
        let mine = is_mine(a, self);
        let destroyed = a.is_destroyed(self.word);
        let alive = a.not(destroyed);
        a.and(mine, alive)
    }
}

/// Whether it is held, or destroyed.
#[inline]
pub(super) fn is_not_free<A: SyncAlgebra>(a: &mut A, before: &Before<A>) -> A::Truth {
    let free = a.is(before.word, 0);
    a.not(free)
}
