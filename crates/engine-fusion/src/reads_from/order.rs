//! An order in which events read what they are said to read, if there is one.
//!
//! Under sequential consistency a write is seen until it is overwritten. So, event by event, a write may come only if nobody who is
//! still to come reads what it would overwrite; then whatever is to be read from an earlier write is still there when it is
//! read, and what has been executed, as a set, is all that matters to what comes (Gibbons and Korach, "Testing shared memories", 1997). The search
//! goes over such sets: first greedily; if that gets stuck, with the orders that follow from the two rules below, and with a memory of sets
//! from which there is no way on. The rules, for a read *r* of a write *s* and another write *w* to the same place: *w* before
//! *r* means *w* before *s*; *s* before *w* means *r* before *w*.

use super::event::Access;
use std::collections::HashSet;

/// An event that is to be put in order.
#[derive(Debug)]
pub(crate) struct Item {
    /// What it accesses.
    pub access: Option<Access>,
    /// From whom it reads; `None` is what was there before all events.
    pub sources: Vec<Option<usize>>,
    /// What has to come before it.
    pub after: Vec<usize>,
}

/// How many steps of the search are taken before it is given up.
const EFFORT: u32 = 200_000;

/// There may be an order, but it was not found in time.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooHard;

/// An order of all items in which each reads from its sources; by thread, items are in program order. Items with small numbers
/// come early where that is possible.
pub(crate) fn order(threads: &[Vec<usize>], items: &[Item]) -> Result<Option<Vec<usize>>, TooHard> {
    let mut state = State::new(threads, items);
    if state.greedy() {
        return Ok(Some(state.path));
    }
    let Some(before) = saturate(threads, items, &state.rivals) else {
        return Ok(None);
    };
    state = State::new(threads, items);
    state.before = before;
    state.search()
}

struct State<'a> {
    threads: &'a [Vec<usize>],
    items: &'a [Item],
    /// By write: who reads from others what it would overwrite.
    rivals: Vec<Vec<usize>>,
    /// By item: what has to come before it, as found out; empty if that was not asked.
    before: Vec<Bits>,
    done: Vec<bool>,
    progress: Vec<u32>,
    path: Vec<usize>,
}

impl<'a> State<'a> {
    fn new(threads: &'a [Vec<usize>], items: &'a [Item]) -> State<'a> {
        State {
            threads,
            items,
            rivals: rivals(items),
            before: Vec::new(),
            done: vec![false; items.len()],
            progress: vec![0; threads.len()],
            path: Vec::new(),
        }
    }

    /// Whether the next item of a thread may come now.
    fn may_come(&self, at: usize) -> bool {
        let item = &self.items[at];
        let there = |s: &Option<usize>| s.is_none_or(|s| self.done[s]);
        let open = |r: &usize| {
            let begun = |s: &Option<usize>| s.is_none_or(|s| self.done[s]);
            !self.done[*r] && self.items[*r].sources.iter().any(begun)
        };
        item.after.iter().all(|a| self.done[*a])
            && item.sources.iter().all(there)
            && !self.rivals[at].iter().any(open)
            && self.before.get(at).is_none_or(|b| b.all_in(&self.done))
    }

    /// The items that may come now, and their threads. One that writes nothing is alone: it is in nobody's way.
    fn ready(&self, into: &mut Vec<(usize, usize)>) {
        into.clear();
        for (t, all) in self.threads.iter().enumerate() {
            let Some(&at) = all.get(self.progress[t] as usize) else {
                continue;
            };
            if self.may_come(at) {
                into.push((at, t));
            }
        }
        into.sort_unstable();
        let writes = |at: usize| self.items[at].access.is_some_and(|a| a.writes);
        if let Some(&harmless) = into.iter().find(|(at, _)| !writes(*at)) {
            into.clear();
            into.push(harmless);
        }
    }

    fn take(&mut self, at: usize, thread: usize) {
        self.done[at] = true;
        self.progress[thread] += 1;
        self.path.push(at);
    }

    fn give_back(&mut self, thread: usize) {
        if let Some(at) = self.path.pop() {
            self.done[at] = false;
            self.progress[thread] -= 1;
        }
    }

    fn greedy(&mut self) -> bool {
        let mut heads: Vec<(usize, usize)> = Vec::new();
        while self.path.len() < self.items.len() {
            heads.clear();
            for (t, all) in self.threads.iter().enumerate() {
                let next = all.get(self.progress[t] as usize);
                heads.extend(next.map(|at| (*at, t)));
            }
            heads.sort_unstable();
            let Some(&(at, t)) = heads.iter().find(|(at, _)| self.may_come(*at)) else {
                return false;
            };
            self.take(at, t);
        }
        true
    }

    fn search(mut self) -> Result<Option<Vec<usize>>, TooHard> {
        let mut hopeless: HashSet<Box<[u32]>> = HashSet::new();
        // By depth: what may come, and how many of these were tried.
        let mut levels: Vec<(Vec<(usize, usize)>, usize)> = Vec::new();
        let mut effort = 0;
        let mut first = Vec::new();
        self.ready(&mut first);
        levels.push((first, 0));
        while self.path.len() < self.items.len() {
            let Some((ready, tried)) = levels.last_mut() else {
                return Ok(None);
            };
            effort += 1;
            if effort > EFFORT {
                return Err(TooHard);
            }
            match ready.get(*tried).copied() {
                Some((at, t)) => {
                    *tried += 1;
                    self.take(at, t);
                    if hopeless.contains(&self.progress[..]) {
                        self.give_back(t);
                        continue;
                    }
                    let mut next = Vec::new();
                    self.ready(&mut next);
                    levels.push((next, 0));
                }
                None => {
                    hopeless.insert(self.progress.clone().into());
                    levels.pop();
                    let came = levels.last().map(|(ready, tried)| ready[*tried - 1].1);
                    if let Some(t) = came {
                        self.give_back(t);
                    }
                }
            }
        }
        Ok(Some(self.path))
    }
}

/// By write: who reads from others what it would overwrite.
fn rivals(items: &[Item]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); items.len()];
    for (r, read) in items.iter().enumerate() {
        let Some(access) = read.access.filter(|a| a.reads) else {
            continue;
        };
        for (w, write) in items.iter().enumerate() {
            let over = write.access.filter(|a| a.writes && a.overlaps(&access));
            if r != w && over.is_some() && !read.sources.contains(&Some(w)) {
                all[w].push(r);
            }
        }
    }
    all
}

/// What has to come before each item; `None` if something would have to come before itself.
fn saturate(threads: &[Vec<usize>], items: &[Item], rivals: &[Vec<usize>]) -> Option<Vec<Bits>> {
    let mut known = Known {
        before: vec![Bits::new(items.len()); items.len()],
    };
    for all in threads {
        for pair in all.windows(2) {
            known.add(pair[0], pair[1])?;
        }
    }
    for (at, item) in items.iter().enumerate() {
        for source in item.after.iter().chain(item.sources.iter().flatten()) {
            known.add(*source, at)?;
        }
    }
    loop {
        let mut changed = false;
        for (w, readers) in rivals.iter().enumerate() {
            for &r in readers {
                for source in &items[r].sources {
                    let overwrites = source.is_none_or(|s| known.before[w].has(s));
                    if overwrites && !known.before[w].has(r) {
                        known.add(r, w)?;
                        changed = true;
                    }
                    if known.before[r].has(w) {
                        let s = (*source)?;
                        if !known.before[s].has(w) {
                            known.add(w, s)?;
                            changed = true;
                        }
                    }
                }
            }
        }
        if !changed {
            return Some(known.before);
        }
    }
}

struct Known {
    before: Vec<Bits>,
}

impl Known {
    fn add(&mut self, a: usize, b: usize) -> Option<()> {
        if self.before[b].has(a) {
            return Some(());
        }
        if a == b || self.before[a].has(b) {
            return None;
        }
        let mut more = self.before[a].clone();
        more.set(a);
        for x in 0..self.before.len() {
            if x == b || self.before[x].has(b) {
                self.before[x].join(&more);
            }
        }
        Some(())
    }
}

/// A set of items.
#[derive(Clone, Debug)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(size: usize) -> Bits {
        Bits(vec![0; size.div_ceil(64)])
    }

    fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn set(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn join(&mut self, other: &Bits) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    fn all_in(&self, done: &[bool]) -> bool {
        (0..done.len()).all(|at| done[at] || !self.has(at))
    }
}
