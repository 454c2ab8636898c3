//! The table of all threads of a run.
//!
//! Copy-on-write, as memory is: the first threads stand in the table itself, which is all there is in most programs; the others in pages that
//! snapshots share, so that a snapshot of ten thousand threads is a few hundred reference counts, and a step behind it copies one page.

use crate::machine::ThreadId;
use crate::thread::Thread;
use std::rc::Rc;

/// How many threads a page holds, and how many stand in the table itself.
const PAGE: usize = 64;

/// All threads, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    first: Vec<Rc<Thread>>,
    pages: Vec<Rc<Vec<Rc<Thread>>>>,
}

impl Threads {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        match self.pages.last() {
            None => self.first.len(),
            Some(last) => self.pages.len() * PAGE + last.len(),
        }
    }

    #[inline]
    pub fn get(&self, t: ThreadId) -> &Thread {
        let at = t.0 as usize;
        match at < PAGE {
            true => &self.first[at],
            false => &self.pages[at / PAGE - 1][at % PAGE],
        }
    }

    #[inline]
    pub fn get_mut(&mut self, t: ThreadId) -> &mut Thread {
        let at = t.0 as usize;
        match at < PAGE {
            true => Rc::make_mut(&mut self.first[at]),
            false => {
                let page = Rc::make_mut(&mut self.pages[at / PAGE - 1]);
                Rc::make_mut(&mut page[at % PAGE])
            }
        }
    }

    pub fn push(&mut self, thread: Thread) {
        let thread = Rc::new(thread);
        if self.first.len() < PAGE {
            self.first.push(thread);
            return;
        }
        if self.pages.last().is_none_or(|p| p.len() == PAGE) {
            self.pages.push(Rc::new(Vec::with_capacity(PAGE)));
        }
        if let Some(last) = self.pages.last_mut() {
            Rc::make_mut(last).push(thread);
        }
    }

    /// All, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Thread> {
        let pages = self.pages.iter().flat_map(|p| p.iter());
        self.first.iter().chain(pages).map(|t| t.as_ref())
    }
}
