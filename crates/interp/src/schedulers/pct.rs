//! Probabilistic concurrency testing (Burckhardt and others, ASPLOS 2010).
//!
//! Threads get random priorities and the highest enabled one runs; at `d - 1` random points of the run the
//! current thread's priority drops below all others. A bug that needs `d` ordered events is found with
//! probability at least 1/(n·k^(d-1)). A thread that runs very long without interruption is taken to be
//! spinning and drops too; the paper has no such rule and would starve.

use super::Scheduler;
use super::random::SplitMix;
use crate::choice::{Choice, Choices};
use crate::enabled::Enabled;
use crate::machine::{Machine, ThreadId};
use std::collections::BTreeSet;

const SPINNING: u32 = 500;
/// How many threads are too many to look at all of them in every step.
const MANY: usize = 64;

/// Priorities with random change points.
#[derive(Clone, Debug)]
pub struct Pct {
    random: SplitMix,
    priorities: Vec<i64>,
    /// Where there are many threads: all of them by priority.
    order: BTreeSet<(i64, ThreadId)>,
    changes: Vec<u64>,
    lowest: i64,
    last: Option<ThreadId>,
    streak: u32,
}

impl Pct {
    /// A scheduler for bugs of this depth in runs of about so many steps.
    pub fn new(seed: u64, depth: u32, steps: u64) -> Pct {
        let mut random = SplitMix::new(seed);
        let changes = (1..depth).map(|_| random.below(steps.max(1))).collect();
        Pct {
            random,
            priorities: Vec::new(),
            order: BTreeSet::new(),
            changes,
            lowest: 0,
            last: None,
            streak: 0,
        }
    }

    /// The same, drawing values from these numbers, too.
    pub fn favouring(mut self, values: Vec<i128>) -> Pct {
        self.random.favour(values);
        self
    }

    fn drop_priority(&mut self, t: ThreadId) {
        self.lowest -= 1;
        let before = std::mem::replace(&mut self.priorities[t.0 as usize], self.lowest);
        if self.order.remove(&(before, t)) {
            self.order.insert((self.lowest, t));
        }
    }

    /// The enabled thread of the highest priority.
    fn highest(&mut self, enabled: &Enabled) -> Option<ThreadId> {
        // Looking at all enabled ones, or at all from the highest down until one is enabled: whichever is shorter.
        let all = self.priorities.len();
        if all > MANY && enabled.len() > all / enabled.len().max(1) {
            let known = self.order.len();
            let fresh = self.priorities.iter().enumerate().skip(known);
            let fresh = fresh.map(|(n, p)| (*p, ThreadId(n as u32)));
            self.order.extend(fresh);
            let mut order = self.order.iter().rev().map(|(_, t)| *t);
            return order.find(|t| enabled.contains(*t));
        }
        let priority = |t: &ThreadId| self.priorities[t.0 as usize];
        enabled.iter().max_by_key(priority)
    }
}

impl Choices for Pct {
    fn choose(&mut self, choice: &Choice) -> u128 {
        self.random.answer(choice)
    }
}

impl Scheduler for Pct {
    fn pick(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        while self.priorities.len() < machine.threads().count() {
            let p = (self.random.draw() >> 2) as i64 + 1;
            self.priorities.push(p);
        }
        let mut chosen = self.highest(enabled)?;
        if self.changes.contains(&machine.steps()) || self.streak > SPINNING {
            self.drop_priority(chosen);
            self.streak = 0;
            chosen = self.highest(enabled)?;
        }
        self.streak = match self.last == Some(chosen) {
            true => self.streak + 1,
            false => 0,
        };
        self.last = Some(chosen);
        Some(chosen)
    }
}
