//! Synchronisation: the guarded actions the modelled library is written in.
//!
//! Each operation is one indivisible step: when its guard holds, it takes effect and gives its
//! result; while its guard is false the thread is *blocked*. Locks are kept in the memory of the C
//! object itself ([`layout`]), so that static initialisers, copies into the heap and snapshots need no
//! side table; who sleeps on a condition variable is a matter of threads, so the condition variable
//! itself tells only whether it was destroyed.
//!
//! In the modelled library the operation `mutex_lock` is spelled `__raddle_mutex_lock(m)`.
//! `docs/library-intrinsics.md` lists all of them with their C prototypes.

use crate::Ty;

/// Byte layout of synchronisation objects, compatible with glibc's sizes and static initialisers.
pub mod layout {
    use crate::DataModel;

    /// Offset of the 32-bit state word of every synchronisation object.
    ///
    /// - mutex, spin lock: 0 free; else owner's thread number + 1 in the low 20 bits and, for recursive
    ///   mutexes, the number of further acquisitions above.
    /// - reader–writer lock: 0 free; `n` readers; [`WRITER`] | (owner's thread number + 1).
    /// - semaphore: its value.
    /// - condition variable: 0.
    pub const STATE: u64 = 0;
    /// The state of a destroyed object.
    pub const DESTROYED: u32 = 0xffff_ffff;
    /// Marks a reader–writer lock held by a writer.
    pub const WRITER: u32 = 0x8000_0000;
    /// The bits of a mutex word that name the owner.
    pub const OWNER: u32 = 0x000f_ffff;
    /// One further acquisition of a recursive mutex.
    pub const ONE_MORE: u32 = 0x0010_0000;
    /// `SEM_VALUE_MAX`.
    pub const SEMAPHORE_MAX: u32 = 0x7fff_ffff;
    /// `PTHREAD_MUTEX_RECURSIVE`.
    pub const RECURSIVE: u32 = 1;
    /// `PTHREAD_MUTEX_ERRORCHECK`.
    pub const ERRORCHECK: u32 = 2;

    /// Offset of the 32-bit word in which an initialised semaphore has [`SEMAPHORE_MADE`].
    pub const SEMAPHORE_MARK: u64 = 8;
    /// Tells a semaphore that was initialised from memory that is zero.
    pub const SEMAPHORE_MADE: u32 = 0x5e3a_9e01;
    /// How many bytes of a semaphore are looked at.
    pub const SEMAPHORE_SIZE: u64 = SEMAPHORE_MARK + 4;

    /// Offset of the 32-bit kind of a mutex (its low two bits count; others mean a normal one).
    pub fn mutex_kind(model: DataModel) -> u64 {
        match model {
            DataModel::Ilp32 => 12,
            DataModel::Lp64 => 16,
        }
    }

    /// How many bytes of a mutex are looked at.
    pub fn mutex_size(model: DataModel) -> u64 {
        mutex_kind(model) + 4
    }
}

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
    ($( $(#[$doc:meta])* $variant:ident = $name:literal ( $($arg:ident),* ) $(-> $ret:ident)? ;)*) => {
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
    ThreadNew = "thread_new"(Ptr, Ptr) -> Word;
    /// Let a new thread run.
    ThreadStart = "thread_start"(Word);
    /// Blocked until the thread has ended; the result is what it returned. Joining itself or a thread that is
    /// detached, was joined, or never existed violates `valid-sync` and yields null at once.
    ThreadJoin = "thread_join"(Word) -> Ptr;
    /// What the last join of this thread answered: 0; EDEADLK if it was of itself, EINVAL if of a detached thread that had
    /// not ended, ESRCH if there was none to join.
    ThreadJoinCode = "thread_join_code"() -> I32;
    /// Whether the thread has ended (1 or 0): then a join does not block. A thread that has done everything may still
    /// seem to run: a recorded choice.
    ThreadHasEnded = "thread_has_ended"(Word) -> I32;
    /// Nobody will join the thread.
    ThreadDetach = "thread_detach"(Word) -> I32;
    /// This thread's handle.
    ThreadSelf = "thread_self"() -> Word;
    /// End this thread with a result. Does not return.
    ThreadExit = "thread_exit"(Ptr);
    /// A hint that others should run; no step.
    Yield = "yield"();
    /// End the process with a status. Does not return.
    Exit = "exit"(I32);
    /// End the process abnormally. Does not return.
    Abort = "abort"();
    /// What lies behind is not supported: executions that come here end, and nothing is known of what they would do. The text of the
    /// instruction says what it is.
    Unmodelled = "unsupported"();
    /// Remember this place of this activation at a buffer: 0. A later [`SyncOp::LongJump`] comes back here with another result. What was remembered
    /// is gone when the activation ends; the buffer only counts as written.
    SetJump = "set_jump"(Ptr) -> I32;
    /// Go back to where this thread remembered its place at that buffer, with this result, or 1 instead of 0. Activations above end. Locals
    /// that have changed meanwhile are indeterminate. Does not come back; where there is nothing to go back to, the execution ends as unsupported.
    LongJump = "long_jump"(Ptr, I32);

    /// Initialise a mutex of a kind (0 normal, 1 recursive, 2 errorcheck).
    MutexInit = "mutex_init"(Ptr, I32);
    /// Destroy a mutex; while held, or if it was never initialised, it violates `valid-sync` (held: EBUSY). The same of spin locks
    /// and reader–writer locks.
    MutexDestroy = "mutex_destroy"(Ptr) -> I32;
    /// When free (or, if recursive, held by this thread), take it. Errorcheck: EDEADLK if held by this thread.
    MutexLock = "mutex_lock"(Ptr) -> I32;
    /// Take it if free (or recursive and own); otherwise EBUSY. Never blocks.
    MutexTryLock = "mutex_trylock"(Ptr) -> I32;
    /// As lock, or ETIMEDOUT at any time while it is held by somebody.
    MutexTimedLock = "mutex_timedlock"(Ptr) -> I32;
    /// Release. If not held by this thread, an errorcheck or recursive mutex refuses (EPERM); any other is released all the same,
    /// which violates `valid-sync`.
    MutexUnlock = "mutex_unlock"(Ptr) -> I32;

    /// Initialise a spin lock.
    SpinInit = "spin_init"(Ptr);
    /// Destroy a spin lock.
    SpinDestroy = "spin_destroy"(Ptr) -> I32;
    /// When free, take it.
    SpinLock = "spin_lock"(Ptr) -> I32;
    /// Take it if free; otherwise EBUSY.
    SpinTryLock = "spin_trylock"(Ptr) -> I32;
    /// Release.
    SpinUnlock = "spin_unlock"(Ptr) -> I32;

    /// Initialise a reader–writer lock.
    RwInit = "rw_init"(Ptr);
    /// Destroy a reader–writer lock.
    RwDestroy = "rw_destroy"(Ptr) -> I32;
    /// When no writer holds it, become a reader (waiting writers do not matter).
    RwReadLock = "rw_rdlock"(Ptr) -> I32;
    /// Become a reader if no writer holds it; otherwise EBUSY.
    RwTryReadLock = "rw_tryrdlock"(Ptr) -> I32;
    /// As read lock, or ETIMEDOUT at any time while a writer holds it.
    RwTimedReadLock = "rw_timedrdlock"(Ptr) -> I32;
    /// When nobody holds it, become the writer.
    RwWriteLock = "rw_wrlock"(Ptr) -> I32;
    /// Become the writer if nobody holds it; otherwise EBUSY.
    RwTryWriteLock = "rw_trywrlock"(Ptr) -> I32;
    /// As write lock, or ETIMEDOUT at any time while somebody holds it.
    RwTimedWriteLock = "rw_timedwrlock"(Ptr) -> I32;
    /// Release what this thread holds of it.
    RwUnlock = "rw_unlock"(Ptr) -> I32;

    /// Initialise a condition variable.
    CondInit = "cond_init"(Ptr);
    /// Destroy a condition variable; with sleepers, a second time, or if it was never initialised, it violates `valid-sync`. So does
    /// every use of a destroyed one.
    CondDestroy = "cond_destroy"(Ptr) -> I32;
    /// Begin to sleep on it. Never blocks; comes together (fused) with the release of the mutex.
    CondEnqueue = "cond_enqueue"(Ptr);
    /// Blocked until woken by a signal; or spuriously at any time (unless deadlocks are checked);
    /// or, if the second argument is 1, by the timeout, at any time: then ETIMEDOUT.
    CondBlock = "cond_block"(Ptr, I32) -> I32;
    /// Wake one thread that sleeps on it, an arbitrary one; nothing if there is none.
    CondSignal = "cond_signal"(Ptr);
    /// Wake all threads that sleep on it.
    CondBroadcast = "cond_broadcast"(Ptr);

    /// Initialise a semaphore with a value. Every other use of one that was not initialised violates `valid-sync`.
    SemInit = "sem_init"(Ptr, I32);
    /// Destroy a semaphore.
    SemDestroy = "sem_destroy"(Ptr) -> I32;
    /// When positive, decrement.
    SemWait = "sem_wait"(Ptr) -> I32;
    /// Decrement if positive; otherwise EAGAIN.
    SemTryWait = "sem_trywait"(Ptr) -> I32;
    /// As wait, or ETIMEDOUT at any time while it is zero.
    SemTimedWait = "sem_timedwait"(Ptr) -> I32;
    /// Increment; EOVERFLOW at the largest value.
    SemPost = "sem_post"(Ptr) -> I32;
    /// The value itself.
    SemGetValue = "sem_getvalue"(Ptr) -> I32;

    /// Blocked while the 32-bit word at `arg0` equals `arg1`; an atomic read.
    AwaitNe = "await_ne"(Ptr, I32);
    /// Blocked until the 32-bit word at `arg0` equals `arg1`; an atomic read.
    AwaitEq = "await_eq"(Ptr, I32);
}

/// What an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SyncClass {
    /// Threads.
    Thread,
    /// The process as a whole.
    Process,
    /// A mutex.
    Mutex,
    /// A spin lock.
    Spin,
    /// A reader–writer lock.
    Rw,
    /// A condition variable.
    Cond,
    /// A semaphore.
    Sem,
    /// A word of memory.
    Word,
}

impl SyncOp {
    /// What it is about.
    pub fn class(self) -> SyncClass {
        use SyncOp::*;
        match self {
            ThreadNew | ThreadStart | ThreadJoin | ThreadJoinCode | ThreadHasEnded
            | ThreadDetach | ThreadSelf | ThreadExit | Yield | Unmodelled | SetJump | LongJump => {
                SyncClass::Thread
            }
            Exit | Abort => SyncClass::Process,
            MutexInit | MutexDestroy | MutexLock | MutexTryLock | MutexTimedLock | MutexUnlock => {
                SyncClass::Mutex
            }
            SpinInit | SpinDestroy | SpinLock | SpinTryLock | SpinUnlock => SyncClass::Spin,
            RwInit | RwDestroy | RwReadLock | RwTryReadLock | RwTimedReadLock | RwWriteLock
            | RwTryWriteLock | RwTimedWriteLock | RwUnlock => SyncClass::Rw,
            CondInit | CondDestroy | CondEnqueue | CondBlock | CondSignal | CondBroadcast => {
                SyncClass::Cond
            }
            SemInit | SemDestroy | SemWait | SemTryWait | SemTimedWait | SemPost | SemGetValue => {
                SyncClass::Sem
            }
            AwaitNe | AwaitEq => SyncClass::Word,
        }
    }

    /// Whether control never comes back from it.
    pub fn ends_thread(self) -> bool {
        matches!(
            self,
            SyncOp::ThreadExit
                | SyncOp::Exit
                | SyncOp::Abort
                | SyncOp::Unmodelled
                | SyncOp::LongJump
        )
    }

    /// Whether control goes on in a way that no analysis follows: what is read off a program holds only up to there.
    pub fn leaves_the_graph(self) -> bool {
        matches!(
            self,
            SyncOp::Unmodelled | SyncOp::SetJump | SyncOp::LongJump
        )
    }

    /// Whether a synchronisation object is made or destroyed: an ordinary write, unlike all its other uses.
    pub fn is_reset(self) -> bool {
        use SyncOp::*;
        matches!(
            self,
            MutexInit
                | MutexDestroy
                | SpinInit
                | SpinDestroy
                | RwInit
                | RwDestroy
                | CondInit
                | CondDestroy
                | SemInit
                | SemDestroy
        )
    }

    /// Whether a thread that is blocked at it looks at the memory of its object all the while.
    pub fn looks_while_blocked(self) -> bool {
        self.can_block() && !matches!(self, SyncOp::ThreadJoin | SyncOp::CondBlock)
    }

    /// Whether a thread can be blocked at it.
    pub fn can_block(self) -> bool {
        use SyncOp::*;
        matches!(
            self,
            ThreadJoin
                | MutexLock
                | SpinLock
                | RwReadLock
                | RwWriteLock
                | CondBlock
                | SemWait
                | AwaitNe
                | AwaitEq
        )
    }
}
