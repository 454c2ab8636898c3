//! Threads: making them, and joining, detaching and finding them by their handles.

use crate::choice::{ChoiceKind, Choices};
use crate::execute::Exec;
use crate::footprint::{Cell, Mode, Touch};
use crate::machine::{Flow, Machine, ThreadId};
use crate::race::Clock;
use crate::thread::{Frame, StopReason, ThreadStatus};
use crate::value::Value;
use raddle_ir::Property;
use raddle_ir::errno::{EDEADLK, EINVAL, ESRCH};
use std::rc::Rc;

impl Machine<'_> {
    pub(crate) fn thread_new(
        &mut self,
        t: ThreadId,
        frame: &Frame,
        args: &[Value],
        choices: &mut dyn Choices,
    ) -> Exec<Option<Value>> {
        let function = self.object_function(args[0].provenance);
        let Some(function) = function.filter(|f| self.program.function(*f).has_body()) else {
            if self.config.checks.has(Property::ValidDeref) {
                let message = "a thread is created with something that is not a function";
                return Err(self.violation(t, frame, Property::ValidDeref, message.into()));
            }
            return Err(Flow::Stop(StopReason::InvalidAccess));
        };
        let at = self.user_location(t, frame);
        self.publish(args[1].provenance);
        let f = self.program.function(function);
        let mut values = vec![args[1]];
        values.truncate(f.params as usize);
        let new = self.new_thread(function, values, Some(at));
        choices.made(t, frame.location(), new);
        // Handles of threads that are over and done with can come back.
        let handles = match self.config.handles_come_back() {
            true => self.free_handles(new),
            false => Vec::new(),
        };
        if self.config.footprints && self.config.handles_come_back() {
            // Which ones are free matters to the next creation only if one can be taken.
            let mode = match handles.is_empty() {
                true => Mode::Read,
                false => Mode::Write,
            };
            self.touch(Touch::of_thread(Cell::Handles, ThreadId(0), mode));
            if self.state.thread_counts.detached > 0 {
                for o in self.threads().filter(|o| *o != new) {
                    if self.thread(o).detached {
                        self.touch(Touch::of_thread(Cell::Thread, o, Mode::Read));
                    }
                }
            }
        }
        let options = handles.len() as u32 + 1;
        let answer = self.decide(t, frame, ChoiceKind::ReuseHandle, options, choices);
        if answer > 0 {
            let handle = handles[answer as usize - 1];
            self.thread_mut(new).handle = handle;
            self.state.thread_counts.takes_over(new, handle);
        }
        Ok(Some(Value::new(u128::from(self.thread(new).handle))))
    }

    /// The thread a handle means now. What that depends on is touched whatever the answer, so that a conflict with the end of a
    /// thread does not come and go with what third parties do.
    pub(crate) fn look_up(&mut self, handle: u64, upto: Cell) -> Option<ThreadId> {
        if self.config.footprints {
            for touch in self.looked_up(handle, upto) {
                self.touch(touch);
            }
        }
        let over = |o: ThreadId| self.thread(o).joined || self.thread(o).detached;
        let old = self.threads_of_handle(handle).any(over);
        self.state.used_old_handle |= old;
        self.thread_of_handle(handle)
    }

    /// What is looked at for a handle: who has been joined or detached, and (up to [`Cell::Thread`]) who has ended.
    pub(crate) fn looked_up(&self, handle: u64, upto: Cell) -> Vec<Touch> {
        let mut all = vec![Touch::of_thread(Cell::Handles, ThreadId(0), Mode::Read)];
        for o in self.threads_of_handle(handle) {
            all.push(Touch::of_thread(Cell::Handle, o, Mode::Read));
            if upto == Cell::Thread {
                all.push(Touch::of_thread(Cell::Thread, o, Mode::Read));
            }
        }
        all
    }

    pub(crate) fn join(&mut self, t: ThreadId, frame: &Frame, handle: u64) -> Exec<Option<Value>> {
        let Some(other) = self.look_up(handle, Cell::Thread).filter(|o| *o != t) else {
            let (message, code) = match self.threads_of_handle(handle).last() {
                Some(o) if self.thread(o).joined => ("this thread was joined before", ESRCH),
                Some(o) if self.thread(o).detached => {
                    let code = self.why_not_joinable(handle);
                    ("a detached thread cannot be joined", code)
                }
                Some(_) => ("a thread cannot join itself", EDEADLK),
                None => ("there is no such thread to join", ESRCH),
            };
            self.misuse(t, frame, message.to_string())?;
            self.see_retirement(t, handle);
            self.thread_mut(t).join_code = code;
            return Ok(Some(Value::new(0)));
        };
        self.thread_mut(t).join_code = 0;
        self.touch(Touch::of_thread(Cell::Thread, other, Mode::Write));
        self.touch(Touch::of_thread(Cell::Handle, other, Mode::Write));
        let clock = self.thread(other).clock.clone();
        Rc::make_mut(&mut self.thread_mut(t).clock).join(&clock);
        self.thread_mut(other).joined = true;
        self.state.thread_counts.joined();
        self.retire(t, other);
        Ok(Some(self.thread(other).result))
    }

    /// A thread joined or detached another one: for the race detector, a release.
    pub(crate) fn retire(&mut self, t: ThreadId, other: ThreadId) {
        if self.config.handles_come_back() {
            self.touch(Touch::of_thread(Cell::Handles, ThreadId(0), Mode::Commute));
        }
        self.thread_mut(other).retired = self.thread(t).clock.clone();
        if self.thread(t).regions.is_empty() {
            Rc::make_mut(&mut self.thread_mut(t).clock).tick(t);
        }
    }

    /// The code for a handle whose threads were all joined or detached: glibc finds a detached thread as long as it runs.
    pub(crate) fn why_not_joinable(&self, handle: u64) -> u32 {
        let runs = |o: ThreadId| self.thread(o).status != ThreadStatus::Finished;
        let last = self.threads_of_handle(handle).last();
        match last.is_some_and(|o| self.thread(o).detached && runs(o)) {
            true => EINVAL,
            false => ESRCH,
        }
    }

    /// A thread finds out that others have had all threads with a handle.
    pub(crate) fn see_retirement(&mut self, t: ThreadId, handle: u64) {
        let clocks: Vec<Rc<Clock>> = self
            .threads_of_handle(handle)
            .map(|o| self.thread(o).retired.clone())
            .collect();
        let mine = Rc::make_mut(&mut self.thread_mut(t).clock);
        for clock in clocks {
            mine.join(&clock);
        }
    }
}
