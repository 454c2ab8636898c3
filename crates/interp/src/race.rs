//! Data races by happens-before, in the manner of FastTrack (Flanagan and Freund, PLDI 2009).
//!
//! Each object remembers, per accessed byte range, the last accesses that a later one could race with;
//! each thread has a vector clock; synchronisation moves clocks. The first race found in a run is real in
//! the sense of `docs/semantics.md` (either access can come next): the accesses that happen before the two, taken in
//! the order of the run, are an execution of their own, after which both threads stand before their access.
//!
//! For this to hold, *every* observation of a synchronisation object is an edge: a failed `trylock` is
//! ordered after the `lock` it saw. That is more than pthreads promises and exactly what interleavings
//! give.
//!
//! What it misses: races that need another order of synchronisation than this run's. Finding those is the
//! engines' task.

use crate::machine::ThreadId;
use raddle_ir::Location;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many threads' times stand in a clock itself, and how many in a page.
const PAGE: usize = 64;

/// A vector clock; missing entries are 0.
///
/// The times of the first threads are a plain list, which is all there is in most programs; the others stand in pages that clocks share, so
/// that a thread among thousands that has heard of few others has a short clock, and taking over what somebody else knows copies nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    first: Vec<u32>,
    /// By number of the page, in order.
    pages: Vec<(u32, Rc<[u32; PAGE]>)>,
}

impl Clock {
    /// The time of one thread.
    pub fn get(&self, t: ThreadId) -> u32 {
        let at = t.0 as usize;
        if at < PAGE {
            return self.first.get(at).copied().unwrap_or(0);
        }
        let page = self
            .pages
            .binary_search_by_key(&(at / PAGE), |p| p.0 as usize);
        page.map_or(0, |n| self.pages[n].1[at % PAGE])
    }

    pub(crate) fn tick(&mut self, t: ThreadId) {
        let at = t.0 as usize;
        if at < PAGE {
            if self.first.len() <= at {
                self.first.resize(at + 1, 0);
            }
            self.first[at] += 1;
            return;
        }
        let page = (at / PAGE) as u32;
        let n = match self.pages.binary_search_by_key(&page, |p| p.0) {
            Ok(n) => n,
            Err(n) => {
                self.pages.insert(n, (page, Rc::new([0; PAGE])));
                n
            }
        };
        Rc::make_mut(&mut self.pages[n].1)[at % PAGE] += 1;
    }

    pub(crate) fn join(&mut self, other: &Clock) {
        if self.first.len() < other.first.len() {
            self.first.resize(other.first.len(), 0);
        }
        for (a, b) in self.first.iter_mut().zip(&other.first) {
            *a = (*a).max(*b);
        }
        if !other.pages.is_empty() {
            self.join_pages(other);
        }
    }

    #[cold]
    fn join_pages(&mut self, other: &Clock) {
        let mine = std::mem::take(&mut self.pages);
        let mut theirs = other.pages.iter().peekable();
        self.pages.reserve(mine.len().max(other.pages.len()));
        for (number, page) in mine {
            while let Some(earlier) = theirs.next_if(|p| p.0 < number) {
                self.pages.push(earlier.clone());
            }
            let same = theirs.next_if(|p| p.0 == number);
            let joined = match same {
                Some((_, other)) if !Rc::ptr_eq(&page, other) => join_page(page, other),
                _ => page,
            };
            self.pages.push((number, joined));
        }
        self.pages.extend(theirs.cloned());
    }
}

/// One of the two, if it has all that the other has.
fn join_page(mine: Rc<[u32; PAGE]>, other: &Rc<[u32; PAGE]>) -> Rc<[u32; PAGE]> {
    let joined: [u32; PAGE] = std::array::from_fn(|n| mine[n].max(other[n]));
    match (joined == *mine, joined == **other) {
        (true, _) => mine,
        (_, true) => other.clone(),
        _ => Rc::new(joined),
    }
}

/// A remembered access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// Who.
    pub thread: ThreadId,
    time: u32,
    /// Where.
    pub at: Location,
    /// In which step of the run.
    pub step: u64,
    /// It was a write.
    pub write: bool,
    /// It was atomic, or an operation on a synchronisation object.
    pub atomic: bool,
}

impl Past {
    /// Whether whoever has this clock comes after the access.
    pub(crate) fn is_before(&self, clock: &Clock) -> bool {
        self.time <= clock.get(self.thread)
    }
}

/// What the detector remembers of an object.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    /// By first byte: the length of the range, and accesses to exactly this range.
    cells: BTreeMap<u64, Vec<(u64, Past)>>,
    longest: u64,
    /// Clocks released at synchronisation objects inside, by offset and length: by writers and by readers.
    clocks: BTreeMap<(u64, u64), [Rc<Clock>; 2]>,
    /// What each thread left with its last release store, by offset, length and thread; only where there are weaker orders.
    heads: BTreeMap<(u64, u64, ThreadId), Rc<Clock>>,
}

/// An access to be checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Current {
    pub thread: ThreadId,
    pub at: Location,
    pub step: u64,
    pub write: bool,
    pub atomic: bool,
    pub offset: u64,
    pub length: u64,
}

impl Shadow {
    /// Checks an access against the past and remembers it. Returns what it races with.
    pub(crate) fn access(&mut self, now: &Current, clock: &Clock) -> Option<Past> {
        let past = Past {
            thread: now.thread,
            time: clock.get(now.thread),
            at: now.at,
            step: now.step,
            write: now.write,
            atomic: now.atomic,
        };
        let from = now.offset.saturating_sub(self.longest);
        let end = now.offset + now.length;
        let mut racing = None;
        for (&start, cell) in self.cells.range_mut(from..end) {
            cell.retain(|(length, p)| {
                if start + length <= now.offset {
                    return true;
                }
                let before = p.thread == now.thread || p.is_before(clock);
                if !before {
                    let conflict = (p.write || now.write) && !(p.atomic && now.atomic);
                    if conflict && racing.is_none() {
                        racing = Some(*p);
                    }
                    return true;
                }
                // An earlier access is dropped if whatever races with it races with the new one too.
                let covered = now.offset <= start && start + length <= end;
                let implied = (now.write || !p.write) && (!now.atomic || p.atomic);
                !(covered && implied)
            });
        }
        self.longest = self.longest.max(now.length);
        self.cells
            .entry(now.offset)
            .or_default()
            .push((now.length, past));
        racing
    }

    /// What a thread's own release store at a range left, for the release sequence that it heads.
    pub(crate) fn head(&self, offset: u64, length: u64, t: ThreadId) -> Clock {
        let head = self.heads.get(&(offset, length, t));
        head.map_or_else(Clock::default, |c| Clock::clone(c))
    }

    /// A thread begins a release sequence.
    pub(crate) fn lead(&mut self, offset: u64, length: u64, t: ThreadId, clock: Rc<Clock>) {
        self.heads.insert((offset, length, t), clock);
    }

    /// What was released at a range or anything that overlaps it.
    pub(crate) fn released(&self, offset: u64, length: u64, side: usize) -> Vec<Rc<Clock>> {
        let overlaps = |(o, l): &(u64, u64)| *o < offset + length && offset < o + l;
        let all = self.clocks.iter().filter(|(range, _)| overlaps(range));
        all.map(|(_, clocks)| clocks[side].clone()).collect()
    }

    /// Releases at a range: instead of what was released inside it, or (`join`) in addition.
    pub(crate) fn release(
        &mut self,
        offset: u64,
        length: u64,
        side: usize,
        clock: &Rc<Clock>,
        join: bool,
    ) {
        if !join {
            let inside = |o: u64, l: u64| offset <= o && o + l <= offset + length;
            self.clocks
                .retain(|(o, l), _| (*o, *l) == (offset, length) || !inside(*o, *l));
        }
        let there = &mut self.clocks.entry((offset, length)).or_default()[side];
        match join {
            true => Rc::make_mut(there).join(clock),
            false => *there = clock.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_of_many_threads_join_as_lists_do() {
        let mut random = crate::schedulers::SplitMix::new(5);
        for _ in 0..200 {
            let mut clocks = [Clock::default(), Clock::default()];
            let mut lists = [vec![0; 500], vec![0; 500]];
            for _ in 0..random.below(40) {
                let (which, t) = (random.below(2) as usize, random.below(500) as u32);
                clocks[which].tick(ThreadId(t));
                lists[which][t as usize] += 1;
            }
            let [a, b] = &mut clocks;
            a.join(b);
            for (t, (one, two)) in lists[0].iter().zip(&lists[1]).enumerate() {
                assert_eq!(a.get(ThreadId(t as u32)), *one.max(two));
            }
            let again = a.clone();
            a.join(&again);
            a.join(b);
            assert_eq!(*a, again);
        }
    }
}
