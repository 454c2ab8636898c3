//! Threads take turns, a fixed number of steps each; every choice is answered with 0.

use super::Scheduler;
use crate::choice::{Choice, ChoiceKind, Choices};
use crate::enabled::Enabled;
use crate::machine::{Machine, ThreadId};

/// Turn by turn.
#[derive(Clone, Debug)]
pub struct RoundRobin {
    turn: u32,
    current: ThreadId,
    left: u32,
}

impl RoundRobin {
    /// Turns of so many steps (at least one).
    pub fn new(turn: u32) -> RoundRobin {
        RoundRobin {
            turn: turn.max(1),
            current: ThreadId(0),
            left: turn.max(1),
        }
    }
}

impl Choices for RoundRobin {
    fn choose(&mut self, choice: &Choice) -> u128 {
        // A thread that has ended is seen to have ended, or a loop around `pthread_tryjoin_np` would never end.
        u128::from(choice.kind == ChoiceKind::SeesEnd && choice.options == 2)
    }
}

impl Scheduler for RoundRobin {
    fn pick(&mut self, _: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        if self.left > 0 && enabled.contains(self.current) {
            self.left -= 1;
            return Some(self.current);
        }
        let later = enabled.from(ThreadId(self.current.0 + 1));
        self.current = later.or(enabled.first())?;
        self.left = self.turn - 1;
        Some(self.current)
    }
}
