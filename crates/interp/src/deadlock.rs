//! Deadlocks: who waits for whom.
//!
//! A deadlock is a state in which every live thread is blocked, or a cycle of waits that only its members
//! can end (mutexes, reader–writer locks, joins; a semaphore or condition variable can be released by
//! anybody, so it is part of no cycle). Threads stopped by an assume are not blocked, nor are threads that
//! spin. A sleeper whose signal came before it slept is named a lost wake-up.

use crate::enabled::FEW;
use crate::machine::{End, Machine, ThreadId};
use crate::thread::ThreadStatus;
use crate::value::{ObjectId, Value};
use crate::violation::{Related, Violation};
use raddle_ir::{Location, Op, Property, SyncClass, SyncOp, layout};
use std::collections::{HashMap, HashSet};

/// Of how many waiting threads a violation tells.
const TOLD: usize = 64;

/// What a blocked thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Who waits.
    pub thread: ThreadId,
    /// Where, in the user's code.
    pub at: Location,
    /// What the operation is.
    pub op: SyncOp,
    /// What it waits for, in words.
    pub what: String,
    /// The threads that would have to release it; empty if anybody can.
    pub holders: Vec<ThreadId>,
}

impl Machine<'_> {
    /// What a thread waits for, if it is blocked.
    pub fn waits(&self, t: ThreadId) -> Option<Wait> {
        let thread = self.thread(t);
        if thread.status != ThreadStatus::Active {
            return None;
        }
        let frame = thread.frames.last()?;
        let (op, args) = match self.pending_op(t) {
            Some(Op::Sync { op, args, .. }) => (op, args),
            // A region that was tried in this very state and would have to wait inside.
            Some(Op::AtomicBegin { .. }) if thread.refused_at == Some(self.state.steps) => {
                return thread.refused_wait.as_deref().cloned();
            }
            _ => return None,
        };
        if !op.can_block() {
            return None;
        }
        let args: Vec<Value> = args.iter().map(|a| self.peek(t, frame, *a)).collect();
        if self.sync_enabled(t, *op, &args) {
            return None;
        }
        let at = self.user_location(t, frame);
        let place = self.state.memory.resolve(args[0], 4, false).ok();
        let name = place.map_or("something".into(), |(o, off)| self.describe_place(o, off));
        let mut holders = Vec::new();
        let what = match op {
            SyncOp::ThreadJoin => {
                let other = self.thread_of_handle(args[0].low());
                holders.extend(other);
                format!("thread {} to end", other.map_or(0, |o| o.0))
            }
            op if op.waits_for_lock().is_some() => {
                let (object, offset) = place.unwrap_or_default();
                // The word says whose it is; who took it before somebody overwrote it has nothing to release.
                let word = self.word(args[0]).unwrap_or(0);
                holders = self.holders(*op, (object, offset), word);
                format!("lock {name}")
            }
            SyncOp::CondBlock => format!("a signal on {name}"),
            SyncOp::SemWait => format!("semaphore {name}"),
            _ => format!("others to arrive at {name}"),
        };
        Some(Wait {
            thread: t,
            at,
            op: *op,
            what,
            holders,
        })
    }

    /// The threads that hold a lock with this word.
    fn holders(&self, op: SyncOp, place: (ObjectId, u64), word: u32) -> Vec<ThreadId> {
        let shared = op.class() == SyncClass::Rw;
        if shared && word & layout::WRITER == 0 {
            let held = |t: ThreadId| {
                let all = self.thread(t).held.iter();
                all.filter(|h| (h.object, h.offset) == place).count()
            };
            let readers: usize = self.threads().map(held).sum();
            return match readers == word as usize {
                true => self.threads().filter(|t| held(*t) > 0).collect(),
                false => Vec::new(),
            };
        }
        let owner = op.class().owner(word);
        let known = |n: &u32| (*n as usize) < self.state.threads.len();
        owner.filter(known).map(ThreadId).into_iter().collect()
    }

    /// Ends the run with a violation if there is a deadlock now. Steps do this themselves where deadlocks are checked; this is for those
    /// who change what is checked, or who may wake, in the middle of a run.
    pub fn look_for_deadlock(&mut self) {
        let waits: Vec<Wait> = self.threads().filter_map(|t| self.waits(t)).collect();
        if waits.is_empty() {
            return;
        }
        let status = |t: &ThreadId| self.thread(*t).status;
        let stopped = self
            .threads()
            .any(|t| matches!(status(&t), ThreadStatus::Stopped(_)));
        let active = self
            .threads()
            .filter(|t| status(t) == ThreadStatus::Active)
            .count();
        let all = waits.len() == active && !stopped;
        // Of thousands that wait, those who wait for each other say what is wrong.
        let cycle = match all && waits.len() <= TOLD {
            true => None,
            false => cycle(&waits),
        };
        let mut involved = match (cycle, all) {
            (Some(cycle), _) => cycle,
            (None, true) => waits,
            (None, false) => return,
        };
        // Whoever waits for a lock or a signal says more than whoever only waits for others to end.
        involved.sort_by_key(|w| w.op == SyncOp::ThreadJoin);
        let untold = involved.len().saturating_sub(TOLD);
        involved.truncate(TOLD);
        let mut violation = self.deadlock(&involved);
        if untold > 0 {
            let note = format!("{untold} more threads wait and are not listed");
            violation.notes.push(note);
        }
        self.state.end = Some(End::Violation(Box::new(violation)));
    }

    /// The same after a step of a thread before which there was no deadlock. With many threads only those are looked at that
    /// may have become part of one: a new cycle goes through somebody who now waits, or is now waited for.
    pub(crate) fn look_for_deadlock_behind(&mut self, stepped: ThreadId) {
        if self.state.threads.len() > FEW && !self.enabled_threads().is_empty() {
            let mut suspects = self.blamed();
            suspects.push(stepped);
            suspects.extend(&self.begun);
            suspects.retain(|t| (t.0 as usize) < self.state.threads.len());
            if !suspects.iter().any(|t| self.waits_for_itself(*t)) {
                return;
            }
        }
        self.look_for_deadlock();
    }

    /// Whether a thread waits for somebody who waits, and so on, for itself.
    fn waits_for_itself(&self, t: ThreadId) -> bool {
        let mut todo = self.waited_for(t);
        let mut seen = HashSet::new();
        while let Some(next) = todo.pop() {
            if next == t {
                return true;
            }
            if seen.insert(next) {
                todo.extend(self.waited_for(next));
            }
        }
        false
    }

    /// The threads that would have to release what a thread waits for: [`Wait::holders`] without the words.
    fn waited_for(&self, t: ThreadId) -> Vec<ThreadId> {
        let thread = self.thread(t);
        let (Some(frame), ThreadStatus::Active) = (thread.frames.last(), thread.status) else {
            return Vec::new();
        };
        let (op, args) = match self.pending_op(t) {
            Some(Op::Sync { op, args, .. }) if op.can_block() => (*op, args),
            Some(Op::AtomicBegin { .. }) if thread.refused_at == Some(self.state.steps) => {
                let wait = thread.refused_wait.as_deref();
                return wait.map_or(Vec::new(), |w| w.holders.clone());
            }
            _ => return Vec::new(),
        };
        let args: Vec<Value> = args.iter().map(|a| self.peek(t, frame, *a)).collect();
        if self.sync_enabled(t, op, &args) {
            return Vec::new();
        }
        match op {
            SyncOp::ThreadJoin => {
                let other = self.thread_of_handle(args[0].low());
                other.into_iter().collect()
            }
            op if op.waits_for_lock().is_some() => {
                let place = self.state.memory.resolve(args[0], 4, false);
                let word = self.word(args[0]).unwrap_or(0);
                self.holders(op, place.unwrap_or_default(), word)
            }
            _ => Vec::new(),
        }
    }

    fn deadlock(&self, waits: &[Wait]) -> Violation {
        let first = &waits[0];
        let holding = |w: &Wait| match w.holders[..] {
            [] => String::new(),
            [t] if t == w.thread => ", which it holds itself".to_string(),
            [t] if w.op == SyncOp::ThreadJoin => {
                let _ = t;
                String::new()
            }
            [t] => format!(", held by thread {}", t.0),
            _ => ", held by several threads".to_string(),
        };
        let sentence =
            |w: &Wait| format!("thread {} waits for {}{}", w.thread.0, w.what, holding(w));
        let mut related = Vec::new();
        let mut notes = Vec::new();
        for w in waits {
            if w.thread != first.thread {
                related.push(Related {
                    thread: w.thread,
                    at: w.at,
                    step: None,
                    label: format!("{} here", sentence(w)),
                });
            }
            for t in &w.holders {
                let place = self.wanted_place(w.thread);
                let held = self.thread(*t).held.iter();
                let same = |h: &&crate::thread::Held| place == Some((h.object, h.offset));
                if let Some(h) = held.rev().find(same) {
                    related.push(Related {
                        thread: *t,
                        at: h.at,
                        step: Some(h.step),
                        label: format!("thread {} took it here", t.0),
                    });
                }
            }
            if w.op == SyncOp::CondBlock {
                let signal = self
                    .wanted_place(w.thread)
                    .and_then(|p| self.state.signals.get(&p));
                let history = match signal {
                    None => "nobody ever signalled it".to_string(),
                    Some(((t, at, step), woken)) => {
                        let effect = match woken {
                            Some(other) => format!("woke thread {}", other.0),
                            None => "found nobody asleep".to_string(),
                        };
                        related.push(Related {
                            thread: *t,
                            at: *at,
                            step: Some(*step),
                            label: format!("the last signal, by thread {}, {effect}", t.0),
                        });
                        format!("the last signal {effect}")
                    }
                };
                notes.push(format!(
                    "lost wake-up: thread {} sleeps and nobody is left to wake it; {history}",
                    w.thread.0
                ));
            }
        }
        let lost = if notes.is_empty() {
            ""
        } else {
            " (lost wake-up)"
        };
        Violation {
            property: Property::NoDeadlock,
            message: format!("deadlock{lost}: {}", sentence(first)),
            thread: first.thread,
            at: first.at,
            object: None,
            variable: None,
            related,
            notes,
        }
    }

    /// The synchronisation object a blocked thread stands before.
    fn wanted_place(&self, t: ThreadId) -> Option<(ObjectId, u64)> {
        let frame = self.thread(t).frames.last()?;
        let Some(Op::Sync { args, .. }) = self.pending_op(t) else {
            return None;
        };
        let address = self.peek(t, frame, *args.first()?);
        self.state.memory.resolve(address, 4, false).ok()
    }
}

/// Waits that form a cycle: each for a thread that is in it.
fn cycle(waits: &[Wait]) -> Option<Vec<Wait>> {
    let wait_of: HashMap<ThreadId, &Wait> = waits.iter().map(|w| (w.thread, w)).collect();
    for start in waits {
        // Depth-first over holders: a waiter for a read-locked lock needs all of its holders.
        let mut path = vec![(start, 0)];
        let mut seen = HashSet::from([start.thread]);
        while let Some((wait, next)) = path.last_mut() {
            let Some(&holder) = wait.holders.get(*next) else {
                path.pop();
                continue;
            };
            *next += 1;
            if holder == start.thread {
                return Some(path.iter().map(|(w, _)| (*w).clone()).collect());
            }
            if let Some(further) = wait_of.get(&holder)
                && seen.insert(holder)
            {
                path.push((further, 0));
            }
        }
    }
    None
}
