//! Going through a run: by lines, over calls, out of functions, to the next breakpoint; forwards and backwards.
//!
//! Where a future is recorded, going forward repeats it, whichever threads it is about, until the selected thread has got where it
//! was to go. Beyond it only the selected thread moves, except in [`Session::resume`], where all take turns.
//!
//! Going back finds the last moment before this one at which going forward would have stopped: stretches between kept states are run
//! again, the latest first.

use crate::breakpoints::Before;
use crate::history::Moment;
use crate::position::{Position, position};
use crate::session::Session;
use raddle_interp::thread::ThreadStatus;
use raddle_interp::{End, ThreadId};

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// One instruction.
    Instruction,
    /// To the next line, also of a function that is called.
    Line,
    /// To the next line of the same function, or where it returns to.
    Over,
    /// Out of the function.
    Out,
}

/// Why it does not go any further now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The step is done.
    Step,
    /// These breakpoints were met.
    Breakpoints(Vec<u32>),
    /// The thread waits for something.
    Blocked,
    /// The thread has ended, or will never go on.
    Finished,
    /// No thread can go on.
    Stuck,
    /// The run has ended.
    Ended,
    /// There is nothing before this.
    Beginning,
    /// Somebody asked to stop.
    Interrupted,
    /// The thread has gone on for very long and has not got there: perhaps it waits for others in a loop.
    Long,
}

/// Steps of one thread in a row before it counts as waiting in a loop.
const LONG: usize = 2_000_000;
/// Steps of one thread in a row before the next one's turn.
const TURN: usize = 5_000;
/// How often somebody who wants to stop is looked for.
const LOOK: usize = 256;

impl Session<'_> {
    /// Takes the next step, recorded or not, and tells what breakpoints say. `None` if the thread cannot go on.
    fn forward(&mut self, otherwise: ThreadId) -> Option<(ThreadId, Vec<u32>)> {
        let t = match self.branch.thread_at(self.here) {
            Some(t) => t,
            None => otherwise,
        };
        let before = Before::new(self, t);
        match self.has_future() {
            true => {
                self.repeat();
            }
            false => {
                let moment = self.here;
                self.take(t, &[]);
                if self.here == moment {
                    return None;
                }
            }
        }
        Some((t, self.met(&before, t)))
    }

    /// Goes to the first line of the user's code.
    pub fn enter(&mut self) {
        let first = ThreadId(0);
        for _ in 0..LONG {
            let expected = self.branch.thread_at(self.here);
            let other = expected.is_some_and(|t| t != first);
            if self.position(first).is_some() || other || self.machine.end().is_some() {
                break;
            }
            if self.forward(first).is_none() {
                break;
            }
        }
    }

    /// A step of the selected thread.
    pub fn step(&mut self, stride: Stride) -> Stop {
        let t = self.selected();
        let from = self.position(t);
        for n in 0..LONG {
            if self.machine.end().is_some() && !self.has_future() {
                return self.ended();
            }
            if !self.has_future() {
                match self.machine.thread(t).status {
                    ThreadStatus::Active if self.can_go(t) => {}
                    ThreadStatus::Active | ThreadStatus::New => return Stop::Blocked,
                    ThreadStatus::Finished | ThreadStatus::Stopped(_) => return Stop::Finished,
                }
            }
            let before = self.position(t);
            let Some((moved, met)) = self.forward(t) else {
                return Stop::Blocked;
            };
            if !met.is_empty() {
                self.select(self.breakpoints.by);
                return Stop::Breakpoints(met);
            }
            if self.machine.end().is_some() && !self.has_future() {
                return self.ended();
            }
            if moved == t && self.arrives(stride, from, before) {
                return Stop::Step;
            }
            if n % LOOK == 0 && self.is_interrupted() {
                return Stop::Interrupted;
            }
        }
        Stop::Long
    }

    /// Whether the selected thread, which began at `from` and was last at `before`, has got where it was to go.
    fn arrives(&self, stride: Stride, from: Option<Position>, before: Option<Position>) -> bool {
        let now = position(&self.machine, self.selected());
        if stride == Stride::Instruction {
            return true;
        }
        let Some(now) = now else {
            // Before its first line, or behind its last one.
            return self.machine.thread(self.selected()).status != ThreadStatus::Active;
        };
        let depth = from.map_or(0, |f| f.depth);
        match stride {
            Stride::Line => Some(now) != before,
            Stride::Over => {
                Some(now) != before && (depth == 0 || now.depth <= depth) && Some(now) != from
            }
            _ => now.depth < depth,
        }
    }

    fn ended(&mut self) -> Stop {
        if let Some(End::Violation(v)) = self.machine.end() {
            let t = v.thread;
            self.select(t);
        }
        Stop::Ended
    }

    /// Goes on until a breakpoint is met or the run ends: first what is recorded, then each thread in turn, until it is blocked or has
    /// gone for long.
    pub fn resume(&mut self) -> Stop {
        let mut turn = 0;
        let mut current = self.selected();
        for n in 0_usize.. {
            if self.machine.end().is_some() && !self.has_future() {
                return self.ended();
            }
            if n % LOOK == 0 && self.is_interrupted() {
                return Stop::Interrupted;
            }
            if !self.has_future() {
                turn += 1;
                if turn > TURN || !self.can_go(current) {
                    let Some(next) = self.next_after(current) else {
                        return Stop::Stuck;
                    };
                    current = next;
                    turn = 0;
                }
            }
            let Some((_, met)) = self.forward(current) else {
                turn = TURN;
                continue;
            };
            if !met.is_empty() {
                self.select(self.breakpoints.by);
                return Stop::Breakpoints(met);
            }
        }
        Stop::Long
    }

    /// Who can go on, after a thread and around.
    fn next_after(&self, t: ThreadId) -> Option<ThreadId> {
        let enabled = self.enabled();
        let next = enabled.iter().find(|e| **e > t);
        next.or(enabled.first()).copied()
    }

    /// Lets a thread go on until it would have to wait, has ended, or a breakpoint is met, whatever was recorded.
    pub fn run_thread(&mut self, t: ThreadId) -> Stop {
        self.part();
        self.select(t);
        for n in 0..LONG {
            if self.machine.end().is_some() {
                return self.ended();
            }
            let status = self.machine.thread(t).status;
            if !matches!(status, ThreadStatus::Active | ThreadStatus::New) {
                return Stop::Finished;
            }
            match self.forward(t) {
                None => return Stop::Blocked,
                Some((_, met)) if !met.is_empty() => {
                    self.select(self.breakpoints.by);
                    return Stop::Breakpoints(met);
                }
                Some(_) => {}
            }
            if n % LOOK == 0 && self.is_interrupted() {
                return Stop::Interrupted;
            }
        }
        Stop::Long
    }

    /// What if this thread went next: it takes a step, whatever was recorded.
    pub fn step_thread(&mut self, t: ThreadId, stride: Stride) -> Stop {
        if self.branch.thread_at(self.here) != Some(t) {
            self.part();
        }
        self.select(t);
        self.step(stride)
    }

    /// The step before: to the last moment at which a step of the selected thread would have ended.
    pub fn step_back(&mut self, stride: Stride) -> Stop {
        if self.here == 0 {
            return Stop::Beginning;
        }
        let t = self.selected();
        if stride == Stride::Instruction {
            let mut at = self.here - 1;
            while at > 0 && self.branch.thread_at(at) != Some(t) {
                at -= 1;
            }
            self.go_to(at);
            return Stop::Step;
        }
        let depth = self.position(t).map_or(usize::MAX, |p| p.depth);
        let arrived = |s: &mut Session<'_>, moved: ThreadId, before: &Before| {
            // Where a thread begins it has got by the step of another.
            let begins = s.born(before).contains(&t);
            let now = s.position(t).filter(|_| moved == t || begins);
            let Some(there) = now else { return false };
            let fits = match stride {
                Stride::Over => there.depth <= depth,
                Stride::Out => there.depth < depth,
                _ => true,
            };
            fits && (begins || now != before.position_of(t))
        };
        let found = self.last_moment(&mut { arrived });
        self.arrive_at(found, t)
    }

    /// Back to the last moment at which a breakpoint was met.
    pub fn resume_back(&mut self) -> Stop {
        if self.here == 0 {
            return Stop::Beginning;
        }
        let mut met = (ThreadId(0), Vec::new());
        let found = self.last_moment(&mut |s, moved, before| {
            let now = s.met(before, moved);
            let any = !now.is_empty();
            if any {
                met = (s.breakpoints.by, now);
            }
            any
        });
        match found {
            Some(at) => {
                self.go_to(at);
                self.select(met.0);
                Stop::Breakpoints(met.1)
            }
            None => {
                self.go_to(0);
                Stop::Beginning
            }
        }
    }

    fn arrive_at(&mut self, found: Option<Moment>, t: ThreadId) -> Stop {
        let at = found.unwrap_or(0);
        self.go_to(at);
        self.select(t);
        match found {
            Some(_) => Stop::Step,
            None => Stop::Beginning,
        }
    }

    /// The last moment before this one for which the test holds. It is given the state behind a step, who took it, and what was before.
    fn last_moment(
        &mut self,
        test: &mut dyn FnMut(&mut Session<'_>, ThreadId, &Before) -> bool,
    ) -> Option<Moment> {
        let origin = self.here;
        let mut last = origin - 1;
        while last > 0 {
            let start = self.branch.state_before(last - 1).0;
            self.go_to(start);
            let mut found = None;
            while self.here < last {
                let t = self.branch.thread_at(self.here)?;
                let before = Before::new(self, t);
                self.repeat();
                if test(self, t, &before) {
                    found = Some(self.here);
                }
            }
            if found.is_some() {
                return found;
            }
            if self.is_interrupted() {
                return Some(origin);
            }
            last = start;
        }
        None
    }
}
