//! How much processor time a thread has used, asked from another one.

use std::time::Duration;

/// The clock of a thread.
#[derive(Clone, Copy, Debug)]
pub struct ThreadClock(libc::clockid_t);

impl ThreadClock {
    /// The clock of whoever asks, where there are such clocks.
    #[cfg(not(target_os = "linux"))]
    pub fn of_this_thread() -> Option<ThreadClock> {
        None
    }

    /// The clock of whoever asks, where there are such clocks.
    #[cfg(target_os = "linux")]
    pub fn of_this_thread() -> Option<ThreadClock> {
        let mut clock: libc::clockid_t = 0;
        // SAFETY: writes the number of the clock, and the thread is this one, which lives.
        let failed = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
        (failed == 0).then_some(ThreadClock(clock))
    }

    /// What was used so far; `None` if the thread is over.
    pub fn now(self) -> Option<Duration> {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: writes the plain struct it is given; the number of a clock that is gone is refused.
        let failed = unsafe { libc::clock_gettime(self.0, &mut time) };
        let time = Duration::new(time.tv_sec as u64, time.tv_nsec as u32);
        (failed == 0).then_some(time)
    }
}
