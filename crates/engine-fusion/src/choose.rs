//! Who goes on where nothing is prescribed.
//!
//! Regions are tried first, because whether one can be entered is known only afterwards; threads that only wait are left aside; steps
//! that end the process come last, unless their place matters.

use crate::script::Script;
use crate::search::{Search, free};
use crate::spin::{Spin, spins};
use crate::strategy::Strategy;
use crate::trace::Name;
use crate::tree::Branch;
use raddle_interp::footprint::{Ready, Touch};
use raddle_interp::thread::ThreadStatus;
use raddle_interp::{End, Outcome, ThreadId};

/// What came of trying to enter a region.
pub(crate) enum Tried {
    Entered,
    /// The process ends inside, with what was touched.
    Ended(Vec<Touch>),
    /// With what the attempt touched.
    Refused(Vec<Touch>),
}

impl Search<'_, '_> {
    /// Nothing is prescribed here: any thread will do that is not asleep.
    pub(crate) fn free_choice(&mut self) -> Option<Branch> {
        let at = self.nodes.len() - 1;
        let mut refused: Vec<(Name, Vec<Touch>)> = Vec::new();
        let mut able: Vec<Name> = Vec::new();
        let mut ending: Vec<Name> = Vec::new();
        let mut blocked: Vec<Name> = Vec::new();
        for number in 0..self.nodes[at].threads {
            let name = self.names.name(ThreadId(number as u32));
            if self.nodes[at].spinning.contains(&name) {
                continue;
            }
            match self.machine.ready(ThreadId(number as u32)) {
                Ready::Over => {}
                Ready::Now => able.push(name),
                Ready::Ends => ending.push(name),
                Ready::Blocked => blocked.push(name),
                Ready::Tries => match self.try_region(name) {
                    Tried::Entered => able.push(name),
                    Tried::Ended(touches) => {
                        ending.push(name);
                        refused.push((name, touches));
                    }
                    Tried::Refused(touches) => refused.push((name, touches)),
                },
            }
            if self.machine.end().is_some() {
                // Trying a region brought a deadlock to light.
                self.finish();
                return None;
            }
        }
        if able.is_empty() && !self.options.ends_matter {
            ending.truncate(1);
        }
        if able.is_empty() || self.options.ends_matter {
            able.append(&mut ending);
        }
        if able.is_empty() {
            let spinning = !self.nodes[at].spinning.is_empty();
            let any = spinning || !blocked.is_empty() || !refused.is_empty();
            self.ended(any);
            self.blocked_races(&blocked, &refused);
            return None;
        }
        able.sort_unstable();
        able.retain(|name| self.goes_on(at, *name));
        if able.is_empty() {
            // Whoever could go on only waits; the process may still end.
            return self.free_choice();
        }
        let step = self.trace.len();
        if let Some(walker) = &mut self.walker {
            return Some(free(walker.pick(&able, step)));
        }
        let strategy = self.options.strategy;
        if strategy.keeps_enabled() {
            self.nodes[at].enabled = able.clone();
        }
        if strategy == Strategy::Sleep {
            let before = able.len();
            able.retain(|name| !self.is_asleep(at, *name));
            self.counts.redundant += u64::from(able.is_empty() && before > 0);
            let mut branches: Vec<Branch> = able.iter().map(|name| free(*name)).collect();
            if branches.is_empty() {
                return None;
            }
            let first = branches.remove(0);
            self.nodes[at].tree = branches;
            return Some(first);
        }
        if strategy == Strategy::All {
            let branches = able.iter().map(|name| free(*name)).collect();
            self.nodes[at].tree = branches;
            return Some(self.nodes[at].tree.remove(0));
        }
        let awake = able.iter().find(|name| !self.is_asleep(at, **name));
        match awake {
            Some(name) => Some(free(*name)),
            None => {
                self.counts.redundant += 1;
                None
            }
        }
    }

    /// Whether a thread that could go on does more than wait.
    fn goes_on(&mut self, at: usize, name: Name) -> bool {
        let number = self.names.number(name);
        let whole = self.options.whole_states;
        match spins(&self.trace, &self.machine, number, name, whole) {
            Spin::Yes => {
                self.nodes[at].spinning.push(name);
                false
            }
            _ => true,
        }
    }

    /// Whether a region can be entered, and whether the process ends inside.
    pub(crate) fn try_region(&mut self, name: Name) -> Tried {
        let here = self.machine.snapshot();
        let number = self.names.number(name);
        let mut tried = Tried::Refused(Vec::new());
        let mut answers = Some(Vec::new());
        while let Some(script) = answers.take() {
            let mut script = Script::new(&self.values, script);
            self.counts.probes += 1;
            let outcome = self.machine.step(number, &mut script);
            self.doubts.sampled |= script.sampled;
            answers = script.next();
            match outcome {
                Outcome::Done => {
                    if !self.quits() {
                        self.machine.restore(&here);
                        return Tried::Entered;
                    }
                    let mut touches = self.machine.footprint().to_vec();
                    self.names.rename(&mut touches);
                    self.machine.restore(&here);
                    if let Tried::Refused(all) | Tried::Ended(all) = &mut tried {
                        touches.append(all);
                    }
                    tried = Tried::Ended(touches);
                }
                Outcome::Refused => {
                    let mut touches = self.machine.footprint().to_vec();
                    self.names.rename(&mut touches);
                    if let Tried::Refused(all) | Tried::Ended(all) = &mut tried {
                        all.append(&mut touches);
                    }
                }
            }
        }
        tried
    }

    /// Whether the process has just been ended, with no violation and not because all its threads are over.
    pub(crate) fn quits(&self) -> bool {
        let over = |t| self.machine.thread(t).status == ThreadStatus::Finished;
        matches!(self.machine.end(), Some(End::Exit(_) | End::Abort))
            && !self.machine.threads().all(over)
    }

    /// Whether all that a thread can do next was explored already.
    pub(crate) fn is_asleep(&self, at: usize, thread: Name) -> bool {
        let mut sleep = self.nodes[at].sleep.iter();
        sleep.any(|s| s.thread == thread && s.complete)
    }

    /// Whether the last step ended the process in a way that depends on what others have done.
    pub(crate) fn is_terminal(&self, ends: bool) -> bool {
        let violated = matches!(self.machine.end(), Some(End::Violation(_)));
        self.options.ends_matter && (ends || violated || self.quits())
    }
}
