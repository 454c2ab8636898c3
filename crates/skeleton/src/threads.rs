//! The making, starting and ending of threads. A child is unwound where it starts, so that at a join its end is known as a term.

use crate::event::{Clock, EventNo, Kind};
use crate::guard::Guard;
use crate::names::{ObjectKey, ThreadNo};
use crate::state::{Flow, State};
use crate::unwind::{Current, Step, Unwinder};
use raddle_ir::Location;
use raddle_solver::term::Term;
use raddle_symbolic::{Targets, Value};
use std::rc::Rc;

/// How a thread ends.
#[derive(Clone, Debug)]
pub(crate) struct Final {
    /// When it has come to its end.
    pub guard: Guard,
    /// Its result.
    pub value: Value,
    /// Its last event.
    pub last: Option<EventNo>,
    /// What has happened when it ends.
    pub clock: Clock,
}

impl Unwinder<'_> {
    /// The handle of a thread: a number, but it is known whose.
    pub(crate) fn handle(&mut self, thread: ThreadNo) -> Value {
        let width = self.program.model.pointer_bits();
        let bits = self.pool.bits(width, u128::from(thread.0) + 1);
        let targets = match self.names.object(ObjectKey::Thread(thread), 0, 1, true) {
            Some(id) => Targets::one(id),
            None => Targets::Unknown,
        };
        Value { bits, targets }
    }

    /// Unwinds the child here and now; the parent goes on afterwards.
    pub(crate) fn start_thread(
        &mut self,
        state: &mut State,
        handle: &Value,
        at: Location,
        entry: u32,
    ) -> Step<bool> {
        let Term::Bits { value, .. } = *self.pool.term(handle.bits) else {
            self.unsupported(
                state.flow.guard,
                at,
                "a thread whose handle is not known when it starts",
            );
            return Ok(false);
        };
        let known = self
            .new_threads
            .iter()
            .rposition(|(t, _, _)| u128::from(t.0) + 1 == value);
        let Some(known) = known else {
            self.unsupported(state.flow.guard, at, "a thread that was not made here");
            return Ok(false);
        };
        let (child, function, argument) = self.new_threads.remove(known);
        if let Some(inside) = &mut state.flow.inside {
            inside.wrote = true;
        }
        let block = state.flow.inside.as_ref().map(|i| i.block);
        let start = self.event(state.flow.guard, Kind::Start(child), block, entry);
        let parent_time = self.current.time;
        let mut clock = Vec::clone(&self.current.clock);
        let me = self.current.thread.0 as usize;
        let size = (child.0 as usize).max(me) + 1;
        if clock.len() < size {
            clock.resize(size, 0);
        }
        clock[me] = parent_time;
        let next = Current {
            thread: child,
            time: 0,
            clock: Rc::new(clock),
            waiting: 0,
            stack: Vec::new(),
            slots: Vec::new(),
            ends: Vec::new(),
            join_code: None,
        };
        let parent = std::mem::replace(&mut self.current, next);
        self.log_mut(child).exists = true;
        self.log_mut(child).started = Some(state.flow.guard);
        let flow = Flow {
            guard: state.flow.guard,
            memory: Rc::default(),
            inside: None,
            held: Rc::default(),
            unsure: false,
            ended: Rc::default(),
            known: Rc::default(),
            asked: 0,
        };
        self.thread_body(function, None, vec![argument], flow)?;
        let done = std::mem::replace(&mut self.current, parent);
        let first = self.log_mut(child).events.first().copied();
        if let Some(first) = first {
            self.edges.push((start, first));
        }
        self.finish_thread(child, done);
        Ok(true)
    }

    /// The initial thread ends by itself only through `pthread_exit`.
    pub(crate) fn finish_initial(&mut self) {
        let guards: Vec<Guard> = self.current.ends.iter().map(|(f, _)| f.guard).collect();
        let mut finished: Option<Guard> = None;
        for g in guards {
            finished = Some(match finished {
                None => g,
                Some(other) => self.guards.merge(&mut self.pool, other, g).0,
            });
        }
        self.log_mut(ThreadNo(0)).finished = finished;
        if let Some(finished) = finished {
            self.end_without_exit(finished);
        }
    }

    pub(crate) fn finish_thread(&mut self, child: ThreadNo, done: Current) {
        let mut end: Option<(Flow, Value)> = None;
        for (flow, value) in done.ends {
            end = Some(match end {
                None => (flow, value),
                Some((a, x)) => {
                    let (guard, which) = self.guards.merge(&mut self.pool, a.guard, flow.guard);
                    (Flow { guard, ..a }, x.choose(&mut self.pool, which, &value))
                }
            });
        }
        let last = self.log_mut(child).events.last().copied();
        let width = self.program.model.pointer_bits();
        let (guard, value) = match end {
            Some((flow, value)) => (flow.guard, value),
            None => (
                self.never(Guard::TRUE),
                Value::number(self.pool.bits(width, 0)),
            ),
        };
        let mut clock = Vec::clone(&done.clock);
        let me = child.0 as usize;
        if clock.len() <= me {
            clock.resize(me + 1, 0);
        }
        clock[me] = done.time;
        self.log_mut(child).finished = Some(guard);
        self.finals.insert(
            child,
            Final {
                guard,
                value,
                last,
                clock: Rc::new(clock),
            },
        );
    }
}
