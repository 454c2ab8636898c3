//! How long an engine may work, how it is told to stop, and when it is its turn.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex};
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

/// Whether it is somebody's turn.
#[derive(Debug, Default)]
struct Turn {
    is_on: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

/// For how long somebody whose turn it is not sleeps before he looks again whether he should stop.
const NAP: Duration = Duration::from_millis(20);

/// A deadline, a signal that somebody else can raise, and perhaps turns. Clones share all of it.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    signal: Arc<Signal>,
    /// The signals of the budgets of which this is a part.
    wholes: Vec<Arc<Signal>>,
    turn: Option<Arc<Turn>>,
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

    /// A part for somebody who works beside others: it is over when the whole is, can be stopped alone, and whoever has it works
    /// only when it is his turn ([`Budget::give_turn`]).
    pub fn part(&self) -> Budget {
        Budget {
            deadline: self.deadline,
            signal: Arc::default(),
            wholes: self.signals(),
            turn: Some(Arc::default()),
        }
    }

    /// A part that ends after so much wall time at the latest.
    pub fn for_at_most(&self, time: Duration) -> Budget {
        let end = Instant::now().checked_add(time);
        Budget {
            deadline: self.deadline.into_iter().chain(end).min(),
            signal: Arc::default(),
            wholes: self.signals(),
            turn: None,
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
        self.give_turn(true);
    }

    /// Lets whoever has this part go on, or has him wait at the next look at it.
    pub fn give_turn(&self, go_on: bool) {
        let Some(turn) = &self.turn else { return };
        turn.is_on.store(go_on, Ordering::SeqCst);
        if go_on {
            let _held = turn.lock.lock();
            turn.changed.notify_all();
        }
    }

    /// Why to stop, if so. Whose turn it is not waits here until it is, or until he is to stop.
    pub fn stopped(&self) -> Option<StopCause> {
        loop {
            let whole = self.wholes.iter().find_map(|w| w.cause());
            if let Some(cause) = self.signal.cause().or(whole) {
                return Some(cause);
            }
            if self.deadline.is_some_and(|d| Instant::now() >= d) {
                return Some(StopCause::Time);
            }
            match &self.turn {
                Some(turn) if !turn.is_on.load(Ordering::Relaxed) => {
                    let Ok(held) = turn.lock.lock() else {
                        return None;
                    };
                    if !turn.is_on.load(Ordering::SeqCst) {
                        let _ = turn.changed.wait_timeout(held, NAP);
                    }
                }
                _ => return None,
            }
        }
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
        other.give_turn(true);
        assert_eq!(other.stopped(), None);
        whole.stop(StopCause::Cpu);
        assert_eq!(other.stopped(), Some(StopCause::Cpu));
    }

    #[test]
    fn who_is_not_on_waits() {
        let whole = Budget::unlimited();
        let part = whole.part();
        let worker = std::thread::spawn({
            let part = part.clone();
            move || (0..3).map(|_| part.stopped()).collect::<Vec<_>>()
        });
        std::thread::sleep(Duration::from_millis(60));
        assert!(!worker.is_finished());
        part.give_turn(true);
        assert_eq!(worker.join().ok(), Some(vec![None; 3]));
        part.give_turn(false);
        let sleeper = std::thread::spawn(move || part.stopped());
        whole.stop(StopCause::Memory);
        assert_eq!(sleeper.join().ok(), Some(Some(StopCause::Memory)));
    }
}
