//! Byte layout of synchronisation objects, compatible with glibc's sizes and static initialisers.

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
