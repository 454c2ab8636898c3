//! Synchronisation: the guarded actions the modelled library is written in, described once.
//!
//! Each operation is one indivisible step: when its guard holds, it takes effect and gives its
//! result; while its guard is false the thread is *blocked*. Locks are kept in the memory of the C
//! object itself ([`layout`]), so that static initialisers, copies into the heap and snapshots need no
//! side table; who sleeps on a condition variable is a matter of threads, so the condition variable
//! itself tells only whether it was destroyed.
//!
//! An operation is a row of the table below: its name, arguments and result, what it is about
//! ([`SyncClass`]) and what it is to its object ([`Role`]). What the row does not say is computed: `facts.rs` has the
//! questions that analyses and engines ask of an operation (does it take a lock, does it block, what does it touch?), and the file of its
//! primitive has its [`Transition`] and its misuse, over a [`SyncAlgebra`], so that the interpreter runs the same
//! text on numbers that the symbolic semantics and the skeleton run on terms.
//!
//! Files: `layout.rs` and `errno.rs` numbers; `algebra.rs`, `transition.rs` the language of the descriptions;
//! `mutex.rs`, `spin.rs`, `reader_writer.rs`, `semaphore.rs`, `condition.rs`, `word.rs` one primitive each. Not described here: threads, whose
//! state is no word (`crates/interp/src/sync.rs`, `crates/skeleton/src/join.rs`).
//!
//! In the modelled library the operation `mutex_lock` is spelled `__raddle_mutex_lock(m)`.
//! `docs/library-intrinsics.md` lists all of them with their C prototypes.

mod algebra;
mod condition;
pub mod errno;
mod facts;
pub mod layout;
mod mutex;
mod reader_writer;
mod semaphore;
mod spin;
mod transition;
mod word;

pub use algebra::{Concrete, SyncAlgebra};
pub use condition::wakes_from_sleep;
pub use facts::{Patience, Role, Share, SyncClass, SyncObject, Touched};
pub use mutex::nests;
pub use transition::{Before, Case, Effect, Transition};

use crate::Ty;

/// What a result or argument of a [`SyncOp`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncKind {
    /// A pointer.
    Ptr,
    /// A 32-bit integer.
    I32,
    /// An integer as wide as a pointer (`pthread_t`, `unsigned long`).
    Word,
}

impl SyncKind {
    /// The IR type.
    pub fn ty(self, model: crate::DataModel) -> Ty {
        match self {
            SyncKind::Ptr => Ty::Ptr,
            SyncKind::I32 => Ty::I32,
            SyncKind::Word => model.pointer_int(),
        }
    }
}

macro_rules! sync_ops {
    ($( $(#[$doc:meta])* $variant:ident = $name:literal ( $($arg:ident),* ) $(-> $ret:ident)?, $class:ident $role:expr ;)*) => {
        /// An indivisible step of synchronisation. Results are 0 or an `errno` value unless said otherwise.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum SyncOp { $( $(#[$doc])* $variant, )* }

        impl SyncOp {
            /// All operations.
            pub const ALL: &'static [SyncOp] = &[$(SyncOp::$variant),*];

            /// The name in the text form; in C it is prefixed by `__raddle_`.
            pub fn name(self) -> &'static str {
                match self { $(SyncOp::$variant => $name),* }
            }

            /// The kinds of its arguments.
            pub fn args(self) -> &'static [SyncKind] {
                match self { $(SyncOp::$variant => &[$(SyncKind::$arg),*]),* }
            }

            /// The kind of its result, if it has one.
            pub fn result(self) -> Option<SyncKind> {
                match self { $(SyncOp::$variant => sync_ops!(@ret $($ret)?)),* }
            }

            /// What it is about.
            #[inline]
            pub fn class(self) -> SyncClass {
                match self { $(SyncOp::$variant => SyncClass::$class),* }
            }

            /// What it is to its object.
            #[inline]
            pub fn role(self) -> Role {
                use {Patience::*, Role::*, Share::*};
                match self { $(SyncOp::$variant => $role),* }
            }

            /// The operation of that name (without prefix).
            pub fn from_name(name: &str) -> Option<SyncOp> {
                match name { $($name => Some(SyncOp::$variant),)* _ => None }
            }
        }
    };
    (@ret) => { None };
    (@ret $ret:ident) => { Some(SyncKind::$ret) };
}

sync_ops! {
    /// Make a thread that will run function `arg0` (taking and returning a pointer) with `arg1`;
    /// it does not run yet. The result is its handle (`pthread_t`), which may be that of a thread
    /// that was joined, or detached and finished: a recorded choice.
    ThreadNew = "thread_new"(Ptr, Ptr) -> Word, Thread Other;
    /// Let a new thread run.
    ThreadStart = "thread_start"(Word), Thread Other;
    /// Blocked until the thread has ended; the result is what it returned. Joining itself or a thread that is
    /// detached, was joined, or never existed violates `valid-sync` and yields null at once.
    ThreadJoin = "thread_join"(Word) -> Ptr, Thread Join;
    /// What the last join of this thread answered: 0; EDEADLK if it was of itself, EINVAL if of a detached thread that had
    /// not ended, ESRCH if there was none to join.
    ThreadJoinCode = "thread_join_code"() -> I32, Thread Other;
    /// Whether the thread has ended (1 or 0): then a join does not block. A thread that has done everything may still
    /// seem to run: a recorded choice.
    ThreadHasEnded = "thread_has_ended"(Word) -> I32, Thread Other;
    /// Nobody will join the thread.
    ThreadDetach = "thread_detach"(Word) -> I32, Thread Other;
    /// This thread's handle.
    ThreadSelf = "thread_self"() -> Word, Thread Other;
    /// End this thread with a result. Does not return.
    ThreadExit = "thread_exit"(Ptr), Thread End;
    /// A hint that others should run; no step.
    Yield = "yield"(), Thread Other;
    /// End the process with a status. Does not return.
    Exit = "exit"(I32), Process End;
    /// End the process abnormally. Does not return.
    Abort = "abort"(), Process End;
    /// What lies behind is not supported: executions that come here end, and nothing is known of what they would do. The text of the
    /// instruction says what it is.
    Unmodelled = "unsupported"(), Thread End;
    /// Remember this place of this activation at a buffer: 0. A later [`SyncOp::LongJump`] comes back here with another result. What was remembered
    /// is gone when the activation ends; the buffer only counts as written.
    SetJump = "set_jump"(Ptr) -> I32, Thread Other;
    /// Go back to where this thread remembered its place at that buffer, with this result, or 1 instead of 0. Activations above end. Locals
    /// that have changed meanwhile are indeterminate. Does not come back; where there is nothing to go back to, the execution ends as unsupported.
    LongJump = "long_jump"(Ptr, I32), Thread End;

    /// Initialise a mutex of a kind (0 normal, 1 recursive, 2 errorcheck).
    MutexInit = "mutex_init"(Ptr, I32), Mutex Initialise;
    /// Destroy a mutex; while held, or if it was never initialised, it violates `valid-sync` (held: EBUSY). The same of spin locks
    /// and reader–writer locks.
    MutexDestroy = "mutex_destroy"(Ptr) -> I32, Mutex Destroy;
    /// When free (or, if recursive, held by this thread), take it. Errorcheck: EDEADLK if held by this thread.
    MutexLock = "mutex_lock"(Ptr) -> I32, Mutex Acquire(Exclusive, Forever);
    /// Take it if free (or recursive and own); otherwise EBUSY. Never blocks.
    MutexTryLock = "mutex_trylock"(Ptr) -> I32, Mutex Acquire(Exclusive, Never);
    /// As lock, or ETIMEDOUT at any time while it is held.
    MutexTimedLock = "mutex_timedlock"(Ptr) -> I32, Mutex Acquire(Exclusive, Limited);
    /// Release. If not held by this thread, an errorcheck or recursive mutex refuses (EPERM); any other is released all the same,
    /// which violates `valid-sync`.
    MutexUnlock = "mutex_unlock"(Ptr) -> I32, Mutex Release;

    /// Initialise a spin lock.
    SpinInit = "spin_init"(Ptr), Spin Initialise;
    /// Destroy a spin lock.
    SpinDestroy = "spin_destroy"(Ptr) -> I32, Spin Destroy;
    /// When free, take it.
    SpinLock = "spin_lock"(Ptr) -> I32, Spin Acquire(Exclusive, Forever);
    /// Take it if free; otherwise EBUSY.
    SpinTryLock = "spin_trylock"(Ptr) -> I32, Spin Acquire(Exclusive, Never);
    /// Release.
    SpinUnlock = "spin_unlock"(Ptr) -> I32, Spin Release;

    /// Initialise a reader–writer lock.
    RwInit = "rw_init"(Ptr), Rw Initialise;
    /// Destroy a reader–writer lock.
    RwDestroy = "rw_destroy"(Ptr) -> I32, Rw Destroy;
    /// When no writer holds it, become a reader (waiting writers do not matter).
    RwReadLock = "rw_rdlock"(Ptr) -> I32, Rw Acquire(Shared, Forever);
    /// Become a reader if no writer holds it; otherwise EBUSY.
    RwTryReadLock = "rw_tryrdlock"(Ptr) -> I32, Rw Acquire(Shared, Never);
    /// As read lock, or ETIMEDOUT at any time while a writer holds it.
    RwTimedReadLock = "rw_timedrdlock"(Ptr) -> I32, Rw Acquire(Shared, Limited);
    /// When nobody holds it, become the writer.
    RwWriteLock = "rw_wrlock"(Ptr) -> I32, Rw Acquire(Exclusive, Forever);
    /// Become the writer if nobody holds it; otherwise EBUSY.
    RwTryWriteLock = "rw_trywrlock"(Ptr) -> I32, Rw Acquire(Exclusive, Never);
    /// As write lock, or ETIMEDOUT at any time while it is held.
    RwTimedWriteLock = "rw_timedwrlock"(Ptr) -> I32, Rw Acquire(Exclusive, Limited);
    /// Release what this thread holds of it.
    RwUnlock = "rw_unlock"(Ptr) -> I32, Rw Release;

    /// Initialise a condition variable.
    CondInit = "cond_init"(Ptr), Cond Initialise;
    /// Destroy a condition variable; with sleepers, a second time, or if it was never initialised, it violates `valid-sync`. So does
    /// every use of a destroyed one.
    CondDestroy = "cond_destroy"(Ptr) -> I32, Cond Destroy;
    /// Begin to sleep on it. Never blocks; comes together (fused) with the release of the mutex.
    CondEnqueue = "cond_enqueue"(Ptr), Cond FallAsleep;
    /// Blocked until woken by a signal; or spuriously at any time (unless deadlocks are checked);
    /// or, if the second argument is 1, by the timeout, at any time: then ETIMEDOUT.
    CondBlock = "cond_block"(Ptr, I32) -> I32, Cond Sleep;
    /// Wake one thread that sleeps on it, an arbitrary one; nothing if there is none.
    CondSignal = "cond_signal"(Ptr), Cond Wake;
    /// Wake all threads that sleep on it.
    CondBroadcast = "cond_broadcast"(Ptr), Cond Wake;

    /// Initialise a semaphore with a value. Every other use of one that was not initialised violates `valid-sync`.
    SemInit = "sem_init"(Ptr, I32), Sem Initialise;
    /// Destroy a semaphore.
    SemDestroy = "sem_destroy"(Ptr) -> I32, Sem Destroy;
    /// When positive, decrement.
    SemWait = "sem_wait"(Ptr) -> I32, Sem Acquire(Exclusive, Forever);
    /// Decrement if positive; otherwise EAGAIN.
    SemTryWait = "sem_trywait"(Ptr) -> I32, Sem Acquire(Exclusive, Never);
    /// As wait, or ETIMEDOUT at any time while it is zero.
    SemTimedWait = "sem_timedwait"(Ptr) -> I32, Sem Acquire(Exclusive, Limited);
    /// Increment; EOVERFLOW at the largest value.
    SemPost = "sem_post"(Ptr) -> I32, Sem Release;
    /// The value itself.
    SemGetValue = "sem_getvalue"(Ptr) -> I32, Sem Look;

    /// Blocked while the 32-bit word at `arg0` equals `arg1`; an atomic read.
    AwaitNe = "await_ne"(Ptr, I32), Word Await;
    /// Blocked until the 32-bit word at `arg0` equals `arg1`; an atomic read.
    AwaitEq = "await_eq"(Ptr, I32), Word Await;
}
