//! How many threads there are of each kind, and who has which handle: what would otherwise be asked of every thread again and again.
//!
//! A thread's first handle follows from its number. Handles that came back are the exception, and only those are kept.

use crate::machine::{Machine, ThreadId};
use crate::thread::ThreadStatus;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Numbers of threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThreadCounts {
    /// Were ever started.
    pub started: u32,
    /// Have ended.
    pub finished: u32,
    /// Have ended, and somebody has joined them.
    pub joined: u32,
    /// Were detached.
    pub detached: u32,
    /// Have ended, and their handle can come back.
    pub over: u32,
    /// Who got the handle of an earlier thread, in order.
    again: Option<Rc<BTreeMap<u64, Vec<ThreadId>>>>,
}

impl ThreadCounts {
    pub fn started(&mut self) {
        self.started += 1;
    }

    pub fn finished(&mut self, detached: bool) {
        self.finished += 1;
        self.over += u32::from(detached);
    }

    /// A thread that has ended was joined.
    pub fn joined(&mut self) {
        self.joined += 1;
        self.over += 1;
    }

    pub fn detached(&mut self, finished: bool) {
        self.detached += 1;
        self.over += u32::from(finished);
    }

    /// A new thread got the handle of an earlier one.
    pub fn takes_over(&mut self, new: ThreadId, handle: u64) {
        let again = self.again.get_or_insert_default();
        Rc::make_mut(again).entry(handle).or_default().push(new);
    }
}

impl Machine<'_> {
    /// All threads that ever had a handle, in order.
    pub(crate) fn threads_of_handle(&self, handle: u64) -> impl Iterator<Item = ThreadId> + '_ {
        let first = handle.checked_sub(1).filter(|n| *n < u64::from(u32::MAX));
        let first = first.map(|n| ThreadId(n as u32));
        let again = self.state.thread_counts.again.as_ref();
        let again = again.and_then(|all| all.get(&handle));
        let all = first
            .into_iter()
            .chain(again.into_iter().flatten().copied());
        let known = self.state.threads.len();
        all.filter(move |t| (t.0 as usize) < known && self.thread(*t).handle == handle)
    }

    /// The thread a handle means now: the last one that got it and was not joined.
    #[inline]
    pub(crate) fn thread_of_handle(&self, handle: u64) -> Option<ThreadId> {
        let valid = |t: &ThreadId| {
            let thread = self.thread(*t);
            !thread.joined && !thread.detached && thread.handle == handle
        };
        if self.state.thread_counts.again.is_some() {
            return self.threads_of_handle(handle).filter(valid).last();
        }
        let known = handle > 0 && handle <= self.state.threads.len() as u64;
        let first = known.then(|| ThreadId(handle as u32 - 1));
        first.filter(valid)
    }

    /// The handles that a new thread may get again, in the order of their first threads.
    pub(crate) fn free_handles(&self, new: ThreadId) -> Vec<u64> {
        if self.state.thread_counts.over == 0 {
            return Vec::new();
        }
        #[derive(Clone, Copy, PartialEq)]
        enum Use {
            Never,
            Over,
            Now,
        }
        // Handles are not greater than the number of threads.
        let mut uses = vec![Use::Never; self.state.threads.len() + 2];
        let mut order = Vec::new();
        for o in self.threads() {
            let thread = self.thread(o);
            let over =
                thread.status == ThreadStatus::Finished && (thread.joined || thread.detached);
            let there = &mut uses[thread.handle as usize];
            match over {
                true if *there == Use::Never => {
                    *there = Use::Over;
                    order.push(thread.handle);
                }
                false if o != new => *there = Use::Now,
                _ => {}
            }
        }
        order.retain(|h| uses[*h as usize] == Use::Over);
        order
    }
}
