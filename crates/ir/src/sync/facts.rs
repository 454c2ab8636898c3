//! What analyses and engines ask of an operation without running it: computed from its row, so that nothing else has a list of operations.

use super::{SyncOp, layout, mutex, reader_writer};
use crate::DataModel;

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

impl SyncClass {
    /// Whether it is taken and given back by threads that hold it meanwhile; a semaphore is held by nobody.
    #[inline]
    pub fn is_lock(self) -> bool {
        matches!(self, SyncClass::Mutex | SyncClass::Spin | SyncClass::Rw)
    }

    /// The number of the one thread that holds a lock with this word, if it names one.
    #[inline]
    pub fn owner(self, word: u32) -> Option<u32> {
        match self {
            SyncClass::Mutex | SyncClass::Spin => mutex::owner_of(word),
            SyncClass::Rw => reader_writer::writer_of(word),
            _ => None,
        }
    }

    /// Whether its word always names the thread that holds it.
    #[inline]
    pub fn names_owner(self) -> bool {
        matches!(self, SyncClass::Mutex | SyncClass::Spin)
    }
}

/// What an operation is to its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Makes it: an ordinary write.
    Initialise,
    /// Ends it: an ordinary write.
    Destroy,
    /// Takes a lock, or one unit of a semaphore.
    Acquire(Share, Patience),
    /// Gives that back.
    Release,
    /// Looks at the word.
    Look,
    /// Waits until the word is as it should be.
    Await,
    /// Begins to sleep on a condition variable.
    FallAsleep,
    /// Sleeps until it is woken.
    Sleep,
    /// Wakes sleepers.
    Wake,
    /// Waits for a thread to end.
    Join,
    /// Control never comes back from it.
    End,
    /// Nothing of these.
    Other,
}

/// Who else can have what is acquired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Nobody.
    Exclusive,
    /// Others who share it.
    Shared,
}

/// How long an operation waits for what it wants to acquire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Until it can be had.
    Forever,
    /// Until a timeout, which may come at any time.
    Limited,
    /// Not at all.
    Never,
}

/// What an operation takes the memory at its first argument for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SyncObject {
    /// A mutex: a word and a kind.
    Mutex,
    /// A semaphore: a word and a mark.
    Semaphore,
    /// A word.
    Word,
}

/// The memory that an operation touches, from its first argument on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// How many bytes.
    pub bytes: u64,
    /// Whether it may write them.
    pub writes: bool,
}

impl SyncOp {
    /// Whether control never comes back from it.
    #[inline]
    pub fn ends_thread(self) -> bool {
        self.role() == Role::End
    }

    /// Whether control goes on in a way that no analysis follows: what is read off a program holds only up to there.
    #[inline]
    pub fn leaves_the_graph(self) -> bool {
        matches!(
            self,
            SyncOp::Unmodelled | SyncOp::SetJump | SyncOp::LongJump
        )
    }

    /// Whether a synchronisation object is made or destroyed: an ordinary write, unlike all its other uses.
    #[inline]
    pub fn is_reset(self) -> bool {
        matches!(self.role(), Role::Initialise | Role::Destroy)
    }

    /// Whether a thread that is blocked at it looks at the memory of its object all the while.
    #[inline]
    pub fn looks_while_blocked(self) -> bool {
        matches!(
            self.role(),
            Role::Acquire(_, Patience::Forever) | Role::Await
        )
    }

    /// Whether a thread can be blocked at it.
    #[inline]
    pub fn can_block(self) -> bool {
        self.looks_while_blocked() || matches!(self.role(), Role::Join | Role::Sleep)
    }

    /// How it takes a lock, if it takes one.
    #[inline]
    pub fn takes_lock(self) -> Option<(Share, Patience)> {
        match self.role() {
            Role::Acquire(share, patience) if self.class().is_lock() => Some((share, patience)),
            _ => None,
        }
    }

    /// How it takes a lock that it waits for as long as need be: a thread that gets past it holds the lock, or has an error code.
    #[inline]
    pub fn waits_for_lock(self) -> Option<Share> {
        match self.takes_lock() {
            Some((share, Patience::Forever)) => Some(share),
            _ => None,
        }
    }

    /// Whether it gives a lock back.
    #[inline]
    pub fn gives_lock_back(self) -> bool {
        self.role() == Role::Release && self.class().is_lock()
    }

    /// Whether it takes a lock or gives one back.
    #[inline]
    pub fn is_locking(self) -> bool {
        self.takes_lock().is_some() || self.gives_lock_back()
    }

    /// Whether it makes a lock.
    #[inline]
    pub fn makes_lock(self) -> bool {
        self.role() == Role::Initialise && self.class().is_lock()
    }

    /// Whether it waits for the one thread that the word of its lock names.
    #[inline]
    pub fn waits_for_owner(self) -> bool {
        self.class().names_owner() && self.waits_for_lock().is_some()
    }

    /// Whether it gives back a lock whose word names its owner.
    #[inline]
    pub fn gives_back_owned(self) -> bool {
        self.class().names_owner() && self.role() == Role::Release
    }

    /// Whether it acquires a lock or a unit of a semaphore, or gives up at some time.
    #[inline]
    pub fn may_give_up(self) -> bool {
        matches!(self.role(), Role::Acquire(_, patience) if patience != Patience::Forever)
    }

    /// Whether its answer tells something of other threads without synchronising with them.
    #[inline]
    pub fn tells_without_synchronising(self) -> bool {
        self.may_give_up() || matches!(self.role(), Role::Look | Role::Await)
    }

    /// Whether it changes who sleeps on a condition variable.
    #[inline]
    pub fn wakes_or_sleeps(self) -> bool {
        matches!(self.role(), Role::FallAsleep | Role::Sleep | Role::Wake)
    }

    /// What it takes its object for, if it works on memory.
    #[inline]
    pub fn object(self) -> Option<SyncObject> {
        match self.class() {
            SyncClass::Mutex => Some(SyncObject::Mutex),
            SyncClass::Sem => Some(SyncObject::Semaphore),
            SyncClass::Spin | SyncClass::Rw | SyncClass::Cond | SyncClass::Word => {
                Some(SyncObject::Word)
            }
            SyncClass::Thread | SyncClass::Process => None,
        }
    }

    /// Whether it looks at the kind of a mutex besides its word, or sets it.
    #[inline]
    pub fn has_kind(self) -> bool {
        self.class() == SyncClass::Mutex && self.role() != Role::Destroy
    }

    /// What it touches; `None` of operations on threads.
    #[inline]
    pub fn touched(self, model: DataModel) -> Option<Touched> {
        let bytes = match self.class() {
            SyncClass::Thread | SyncClass::Process => match self {
                // A buffer only counts as written.
                SyncOp::SetJump | SyncOp::LongJump => 8,
                _ => return None,
            },
            _ if self.has_kind() => layout::mutex_size(model),
            _ => 4,
        };
        let looks = matches!(self.role(), Role::Look | Role::Await) || self.wakes_or_sleeps();
        Some(Touched {
            bytes,
            writes: !looks && self != SyncOp::LongJump,
        })
    }
}
