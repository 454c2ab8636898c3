//! How long an engine may work, and how it is told to stop.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Why an engine was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// Zero, or the cause for which to stop.
#[derive(Debug, Default)]
struct Signal(AtomicU8);

impl Signal {
    /// The first cause counts.
    fn raise(&self, cause: StopCause) {
        let set = |old| (old == 0).then_some(cause as u8);
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, set);
    }

    fn cause(&self) -> Option<StopCause> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(StopCause::Time),
            2 => Some(StopCause::Cpu),
            3 => Some(StopCause::Memory),
            _ => Some(StopCause::Cancelled),
        }
    }
}

/// Asked whether to stop, by a budget that something else watches over.
type Watch = dyn Fn() -> Option<StopCause> + Send + Sync;

/// A deadline and a signal that another thread can raise. Clones share all of it.
#[derive(Clone, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    signal: Arc<Signal>,
    /// The signals of the budgets of which this is a part.
    wholes: Vec<Arc<Signal>>,
    watch: Option<Arc<Watch>>,
    /// What turns are measured by; wall time, if there is nothing else.
    clock: Option<fn() -> Duration>,
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("deadline", &self.deadline)
            .field("signal", &self.signal)
            .finish_non_exhaustive()
    }
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

    /// A part of it: over when the whole is, and can be stopped alone.
    pub fn part(&self) -> Budget {
        Budget {
            deadline: self.deadline,
            signal: Arc::default(),
            wholes: self.signals(),
            watch: self.watch.clone(),
            clock: self.clock,
        }
    }

    /// The same budget with a clock for turns: the processor time that the worker has used, for one that does not run all the time.
    pub fn clocked(self, clock: fn() -> Duration) -> Budget {
        let clock = Some(clock);
        Budget { clock, ..self }
    }

    /// A part that ends when its worker has worked for so long.
    pub fn turn(&self, time: Duration) -> Budget {
        let Some(clock) = self.clock else {
            return self.for_at_most(time);
        };
        let (began, end) = (Instant::now(), clock().saturating_add(time));
        let whole = self.clone();
        self.watched(move || {
            // Nobody works longer than time passes.
            let over = || began.elapsed() >= time && clock() >= end;
            whole.stopped().or_else(|| over().then_some(StopCause::Cpu))
        })
    }

    /// A part that also stops when `watch` says so.
    pub fn watched(&self, watch: impl Fn() -> Option<StopCause> + Send + Sync + 'static) -> Budget {
        Budget {
            watch: Some(Arc::new(watch)),
            ..self.part()
        }
    }

    /// A part that ends after so much wall time at the latest.
    pub fn for_at_most(&self, time: Duration) -> Budget {
        let end = Instant::now().checked_add(time);
        Budget {
            deadline: self.deadline.into_iter().chain(end).min(),
            signal: Arc::default(),
            wholes: self.signals(),
            watch: self.watch.clone(),
            clock: self.clock,
        }
    }

    fn signals(&self) -> Vec<Arc<Signal>> {
        let own = std::iter::once(&self.signal);
        own.chain(&self.wholes).cloned().collect()
    }

    /// The deadline, if there is one.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Tells everyone who shares this budget to stop. The first cause counts.
    pub fn stop(&self, cause: StopCause) {
        self.signal.raise(cause);
    }

    /// Why to stop, if so.
    pub fn stopped(&self) -> Option<StopCause> {
        let whole = || self.wholes.iter().find_map(|w| w.cause());
        let watched = || self.watch.as_ref().and_then(|watch| watch());
        let cause = self.signal.cause().or_else(whole).or_else(watched);
        let late = || self.deadline.is_some_and(|d| Instant::now() >= d);
        cause.or_else(|| late().then_some(StopCause::Time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cause_counts() {
        let budget = Budget::unlimited();
        assert_eq!(budget.stopped(), None);
        budget.clone().stop(StopCause::Memory);
        budget.stop(StopCause::Time);
        assert_eq!(budget.stopped(), Some(StopCause::Memory));
    }

    #[test]
    fn a_part_ends_alone_or_with_the_whole() {
        let whole = Budget::unlimited();
        let (one, other) = (whole.part(), whole.part());
        one.stop(StopCause::Cancelled);
        assert_eq!(one.stopped(), Some(StopCause::Cancelled));
        assert_eq!(whole.stopped(), None);
        assert_eq!(other.stopped(), None);
        whole.stop(StopCause::Cpu);
        assert_eq!(other.stopped(), Some(StopCause::Cpu));
    }

    #[test]
    fn a_watch_stops_its_part_alone() {
        let whole = Budget::unlimited();
        let part = whole.watched(|| Some(StopCause::Memory));
        assert_eq!(part.part().stopped(), Some(StopCause::Memory));
        assert_eq!(whole.stopped(), None);
    }
}
