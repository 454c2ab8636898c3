//! Nodes of the search, and what an execution proposes to them.

use super::event::{Access, digest, join};
use super::plan::{Changed, Leaf, Source};
use super::{Explorer, Unfit};
use crate::trace::Name;
use raddle_ir::Op;
use std::collections::HashSet;

/// An event and the ways in which it can happen.
pub(crate) struct Node {
    thread: Name,
    index: u32,
    /// By thread: how many of its events are settled.
    base: Vec<u32>,
    /// What was proposed already.
    pub keys: HashSet<u128>,
    /// Beginnings of executions that are still to be explored.
    pub leaves: Vec<Leaf>,
    /// It takes a lock: then it is divided by who does so next.
    waits: bool,
    /// The event itself happens next in the present part.
    pub own: bool,
}

impl Explorer<'_, '_> {
    /// The execution is over: what it was free to do becomes nodes, and all nodes hear of what it shows.
    pub(crate) fn learn(&mut self, base: Vec<u32>) -> Result<(), Unfit> {
        if self.stopped {
            return Ok(());
        }
        let mut base = base;
        base.resize(self.trace.width(), 0);
        for at in 0..self.trace.len() {
            let event = self.trace.events()[at];
            if event.index <= base[event.thread.0 as usize] {
                continue;
            }
            if self.facts[at].decides(self.reads_own(at)) {
                self.divide(at, &base)?;
                join(&mut base, self.trace.clock(at));
            }
        }
        for node in 0..self.nodes.len() {
            self.propose(node)?;
        }
        Ok(())
    }

    /// Whether an event releases what its own thread took: nobody else can have come between.
    fn reads_own(&self, at: usize) -> bool {
        let fact = &self.facts[at];
        let releases = fact.access.is_some_and(|a| a.both && a.writes && !a.waits);
        let thread = self.trace.events()[at].thread;
        let mine =
            |s: &Option<u32>| s.is_some_and(|s| self.trace.events()[s as usize].thread == thread);
        releases && self.is_unlock(at) && fact.sources.iter().all(mine)
    }

    fn is_unlock(&self, at: usize) -> bool {
        let op = self.machine.program.instr(self.trace.events()[at].at);
        let unlock = |op: &Op| matches!(op, Op::Sync { op, .. } if op.gives_back_owned());
        op.is_some_and(|i| unlock(&i.op))
    }

    /// A node for an event of the execution.
    fn divide(&mut self, at: usize, base: &[u32]) -> Result<(), Unfit> {
        let event = self.trace.events()[at];
        let fact = &self.facts[at];
        let mut keys = HashSet::new();
        if let [source] = fact.sources[..] {
            keys.insert(self.id_of(source));
        }
        let node = Node {
            thread: event.thread,
            index: event.index,
            base: base.to_vec(),
            keys,
            leaves: Vec::new(),
            waits: fact.access.is_some_and(|a| a.waits),
            own: true,
        };
        let next = fact.next.clone();
        self.nodes.push(node);
        let Some(answers) = next else {
            return Ok(());
        };
        let mut upto = base.to_vec();
        join(&mut upto, self.trace.clock(at));
        upto[event.thread.0 as usize] = event.index - 1;
        let fact = &self.facts[at];
        let changed = Changed {
            thread: event.thread,
            index: event.index,
            access: fact.access,
            sources: fact.sources.iter().map(|s| Source::Met(*s)).collect(),
            answers,
            writes: false,
        };
        let leaf = self.plan(upto, &[changed], true)?;
        if let (Some(leaf), Some(node)) = (leaf, self.nodes.last_mut()) {
            node.leaves.push(leaf);
        }
        Ok(())
    }

    /// What the execution shows to a node.
    fn propose(&mut self, n: usize) -> Result<(), Unfit> {
        let node = &self.nodes[n];
        let (thread, index) = (node.thread, node.index);
        let Some(&at) = self.trace.of_thread(thread).get(index as usize - 1) else {
            return Ok(());
        };
        let fact = &self.facts[at as usize];
        let Some(access) = fact.access.filter(|a| a.reads) else {
            return Ok(());
        };
        if node.waits {
            return match node.own {
                true => self.propose_takers(n, at as usize, &access),
                false => Ok(()),
            };
        }
        self.propose_writes(n, at as usize, &access)?;
        match access.both {
            true => self.propose_takers(n, at as usize, &access),
            false => Ok(()),
        }
    }

    /// What is settled at a node, a past, and that of a source.
    fn settled(&self, n: usize, past: &[u32], source: Option<u32>) -> Vec<u32> {
        let mut upto = self.nodes[n].base.clone();
        upto.resize(self.trace.width(), 0);
        join(&mut upto, past);
        if let Some(w) = source {
            join(&mut upto, self.trace.clock(w as usize));
        }
        upto
    }

    /// Every write that the event could read.
    fn propose_writes(&mut self, n: usize, at: usize, access: &Access) -> Result<(), Unfit> {
        let event = self.trace.events()[at];
        let past = self.past(event.thread, event.index);
        let settled = |w: usize| self.is_in(w, &past);
        let mut writes: Vec<usize> = Vec::new();
        let mut partly = false;
        for w in (0..self.trace.len()).filter(|w| *w != at) {
            let Some(place) = self.written(w, access) else {
                continue;
            };
            if self.trace.before(at, w) {
                continue;
            }
            match place.covers(access) {
                true => writes.push(w),
                false if settled(w) => partly = true,
                false => return Err(Unfit("accesses to parts of what others access")),
            }
        }
        if partly {
            // Then there must not be a choice at all.
            let open = writes.iter().any(|w| !settled(*w));
            let before = (0..self.trace.len()).filter(|w| settled(*w));
            return match open || self.disordered(access, before) {
                true => Err(Unfit("accesses to parts of what others access")),
                false => Ok(()),
            };
        }
        let any_settled = writes.iter().any(|w| settled(*w));
        // What is overwritten before the event in any case cannot be read.
        let gone = |w: usize| {
            let later = |v: &usize| *v != w && settled(*v) && self.trace.before(w, *v);
            settled(w) && writes.iter().any(later)
        };
        let mut sources: Vec<Option<u32>> = Vec::new();
        if !any_settled {
            sources.push(None);
        }
        let open = writes.iter().filter(|w| !gone(**w));
        sources.extend(open.map(|w| Some(*w as u32)));
        for source in sources {
            let key = self.id_of(source);
            if !self.nodes[n].keys.insert(key) {
                continue;
            }
            let upto = self.settled(n, &past, source);
            let changed = Changed {
                thread: event.thread,
                index: event.index,
                access: Some(*access),
                sources: vec![Source::Met(source)],
                answers: Vec::new(),
                writes: false,
            };
            self.keep(n, upto, &[changed], true)?;
        }
        Ok(())
    }

    /// Every operation of another thread that could take the place of the event: that reads what it reads, and writes.
    fn propose_takers(&mut self, n: usize, at: usize, access: &Access) -> Result<(), Unfit> {
        let event = self.trace.events()[at];
        let waits = self.nodes[n].waits;
        let takers = self.takers(access);
        if waits && self.is_overwritten(at, access) {
            return Err(Unfit("locks that are written as memory"));
        }
        let [source] = self.facts[at].sources[..] else {
            let others = takers.iter().any(|(thread, ..)| *thread != event.thread);
            return match others {
                true => Err(Unfit("accesses to parts of what others access")),
                false => Ok(()),
            };
        };
        for (thread, index, place) in takers {
            let past = self.past(thread, index);
            let reached = |past: &[u32]| {
                past.get(event.thread.0 as usize)
                    .is_some_and(|n| *n >= event.index)
            };
            if thread == event.thread || reached(&past) {
                continue;
            }
            let unanswered = self.identify(thread, index, &[source]);
            let none: &[u32] = &[];
            let key = digest(&(unanswered, none, Vec::<u128>::new()));
            if self.nodes[n].keys.contains(&key) {
                continue;
            }
            let mut upto = self.settled(n, &past, source);
            if !waits {
                join(&mut upto, &self.past(event.thread, event.index));
            }
            if upto[thread.0 as usize] >= index {
                continue;
            }
            self.nodes[n].keys.insert(key);
            let mut changed = vec![Changed {
                thread,
                index,
                access: Some(place),
                sources: vec![Source::Met(source)],
                answers: Vec::new(),
                writes: true,
            }];
            if !waits {
                changed.push(Changed {
                    thread: event.thread,
                    index: event.index,
                    access: Some(*access),
                    sources: vec![Source::Changed],
                    answers: Vec::new(),
                    writes: false,
                });
            }
            self.keep(n, upto, &changed, !waits)?;
        }
        Ok(())
    }

    /// Whether somebody may write the place of an event at the same time without reading it.
    fn is_overwritten(&self, at: usize, access: &Access) -> bool {
        let event = self.trace.events()[at];
        let past = self.past(event.thread, event.index);
        let blind = |w: &usize| {
            let both = self.facts[*w].access.is_some_and(|a| a.both);
            !both && self.written(*w, access).is_some()
        };
        let free = |w: &usize| !self.is_in(*w, &past) && !self.trace.before(at, *w);
        (0..self.trace.len()).filter(blind).any(|w| free(&w))
    }

    /// The operations that read and write a place, those that wait for it in vain included.
    fn takers(&self, access: &Access) -> Vec<(Name, u32, Access)> {
        let mut all = Vec::new();
        for (at, fact) in self.facts.iter().enumerate() {
            let event = self.trace.events()[at];
            let Some(place) = fact.access.filter(|a| a.overlaps(access)) else {
                continue;
            };
            if place.both {
                let place = Access {
                    writes: true,
                    ..place
                };
                all.push((event.thread, event.index, place));
            }
        }
        for (name, place) in &self.waiting {
            if place.overlaps(access) {
                let index = self.trace.of_thread(*name).len() as u32 + 1;
                all.push((*name, index, *place));
            }
        }
        all
    }

    /// Whether an event belongs to a past.
    fn is_in(&self, at: usize, past: &[u32]) -> bool {
        let event = self.trace.events()[at];
        past.get(event.thread.0 as usize)
            .is_some_and(|n| *n >= event.index)
    }

    /// What an event writes of a place.
    pub(crate) fn written(&self, at: usize, access: &Access) -> Option<Access> {
        let rest = self.rest[at].iter().filter_map(Access::memory);
        let mut all = self.facts[at].access.into_iter().chain(rest);
        all.find(|a| a.writes && a.overlaps(access))
    }

    /// Adds the beginning of an execution to a node, if there is one.
    fn keep(
        &mut self,
        n: usize,
        upto: Vec<u32>,
        changed: &[Changed],
        own: bool,
    ) -> Result<(), Unfit> {
        // To plan can take longer than to execute.
        self.counts.probes += 1;
        if self.counts.probes.is_multiple_of(super::TICK) {
            self.stopped |= !self.watcher.tick(&self.counts);
        }
        if self.stopped {
            return Ok(());
        }
        let leaf = self.plan(upto, changed, own)?;
        self.nodes[n].leaves.extend(leaf);
        Ok(())
    }
}
