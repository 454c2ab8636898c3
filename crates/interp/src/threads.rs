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
    pages: Option<Rc<Vec<Page>>>,
}

type Page = Rc<Vec<Rc<Thread>>>;

impl Threads {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.first.len()
            + match &self.pages {
                None => 0,
                Some(pages) => in_pages(pages),
            }
    }

    #[inline(always)]
    pub fn get(&self, t: ThreadId) -> &Thread {
        let at = t.0 as usize;
        match at < PAGE {
            true => &self.first[at],
            false => self.in_page(at),
        }
    }

    #[cold]
    fn in_page(&self, at: usize) -> &Thread {
        let pages = self.pages.as_deref().map_or(&[][..], |p| p);
        &pages[at / PAGE - 1][at % PAGE]
    }

    #[inline(always)]
    pub fn get_mut(&mut self, t: ThreadId) -> &mut Thread {
        let at = t.0 as usize;
        match at < PAGE {
            true => Rc::make_mut(&mut self.first[at]),
            false => self.in_page_mut(at),
        }
    }

    #[cold]
    fn in_page_mut(&mut self, at: usize) -> &mut Thread {
        let pages = Rc::make_mut(self.pages.get_or_insert_default());
        let page = Rc::make_mut(&mut pages[at / PAGE - 1]);
        Rc::make_mut(&mut page[at % PAGE])
    }

    pub fn push(&mut self, thread: Thread) {
        let thread = Rc::new(thread);
        if self.first.len() < PAGE {
            self.first.push(thread);
            return;
        }
        let pages = Rc::make_mut(self.pages.get_or_insert_default());
        match pages.last_mut().filter(|p| p.len() < PAGE) {
            Some(last) => Rc::make_mut(last).push(thread),
            None => pages.push(Rc::new(vec![thread])),
        }
    }

    /// All, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Thread> {
        let pages = self.pages.iter().flat_map(|p| p.iter());
        let pages = pages.flat_map(|p| p.iter());
        self.first.iter().chain(pages).map(|t| t.as_ref())
    }
}

fn in_pages(pages: &[Page]) -> usize {
    let full = pages.len().saturating_sub(1) * PAGE;
    full + pages.last().map_or(0, |p| p.len())
}
