//! How long an engine may work, and how it is told to stop.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Why an engine was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum StopCause {
    /// Wall time.
    Time = 1,
    /// CPU time over all threads.
    Cpu = 2,
    /// Memory.
    Memory = 3,
    /// The user, or another engine that was faster.
    Cancelled = 4,
}

impl fmt::Display for StopCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopCause::Time => "timeout",
            StopCause::Cpu => "cpu-limit",
            StopCause::Memory => "memory",
            StopCause::Cancelled => "cancelled",
        })
    }
}

/// A deadline and a flag that somebody else can raise. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    raised: Arc<AtomicBool>,
    cause: Arc<AtomicU8>,
}

impl Budget {
    /// Without any limit.
    pub fn unlimited() -> Budget {
        Budget::default()
    }

    /// So much wall time from now on.
    pub fn with_timeout(timeout: Duration) -> Budget {
        Budget {
            deadline: Instant::now().checked_add(timeout),
            ..Budget::default()
        }
    }

    /// The deadline, if there is one.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The flag itself, for solvers that only know flags.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.raised.clone()
    }

    /// Tells everyone who shares this budget to stop. The first cause counts.
    pub fn stop(&self, cause: StopCause) {
        let _ = self
            .cause
            .compare_exchange(0, cause as u8, Ordering::SeqCst, Ordering::SeqCst);
        self.raised.store(true, Ordering::SeqCst);
    }

    /// Why to stop, if so.
    pub fn stopped(&self) -> Option<StopCause> {
        if self.raised.load(Ordering::Relaxed) {
            return Some(match self.cause.load(Ordering::SeqCst) {
                1 => StopCause::Time,
                2 => StopCause::Cpu,
                3 => StopCause::Memory,
                _ => StopCause::Cancelled,
            });
        }
        let late = self.deadline.is_some_and(|d| Instant::now() >= d);
        late.then_some(StopCause::Time)
    }
}
