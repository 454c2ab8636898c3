//! Error codes of Linux, as operations answer them.

/// Not permitted: an unlock of a mutex that another thread holds.
pub const EPERM: u32 = 1;
/// There is no such thread.
pub const ESRCH: u32 = 3;
/// Not now: a semaphore is zero, or a recursive mutex was taken as often as can be.
pub const EAGAIN: u32 = 11;
/// It is held.
pub const EBUSY: u32 = 16;
/// It was destroyed, or the thread is detached.
pub const EINVAL: u32 = 22;
/// The thread would wait for itself.
pub const EDEADLK: u32 = 35;
/// A semaphore has its largest value.
pub const EOVERFLOW: u32 = 75;
/// The time was up first.
pub const ETIMEDOUT: u32 = 110;
