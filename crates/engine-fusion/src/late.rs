//! Races at the end of an execution, for programs in which what an event touches depends on where it comes.
//!
//! A sleeping event stands for everything that can begin with it. A reversal *v* that is too short is taken for something
//! that a sleeper stands for, although a longer one is not; then a class is missed. An example: a block r reads y only if
//! x is 1, others do x = 0 (m) and y = 1 (b). If m is explored first, r and b are independent behind it, and r before
//! m is all that its reversal asks for; but b r m and r b m are different, and while r is explored, the sleeping m
//! stands for b. So the paper (Abdulla and others, JACM 2017) takes all events behind e that do not happen after it,
//! also those behind e′, for which the execution has to be at its end. Its proof wants a reversal for every execution *w*
//! that begins with none of the explored events: the part of *w* that is independent of e, and then the first event that is
//! not, must be the beginning of some *v*.
//!
//! If e′ touches other things in its new place, then what was independent of it may now conflict, and it matters which of
//! these come first. So for each way to choose them there is one *v*: beginning with only the causes of e′, the
//! event is executed in its new place ([`Search::probe`]), and for everything it then conflicts with there is another
//! choice in which that (and its causes) comes before. Every choice belongs to a class of its own.
//!
//! Events that can touch several things at once, or different things: atomic regions, and steps in whose silent rest heap
//! memory, handles or shared variables of an activation begin or end ([`crate::search`]).

use crate::races::{Probed, Purpose, Second, guard_at};
use crate::search::Search;
use crate::tree::conflict;
use raddle_interp::footprint::Touch;
use raddle_ir::{Op, Program};
use std::collections::HashSet;

/// How many choices of what comes before a reversed event are tried.
const MOST_CHOICES: usize = 4096;

/// Whether a program has atomic regions.
pub(crate) fn has_regions(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    let mut instrs = blocks.flat_map(|b| &b.instrs);
    instrs.any(|i| matches!(i.op, Op::AtomicBegin { .. }))
}

impl Search<'_, '_> {
    /// Has the other order of every race of this execution explored. It is at its end.
    pub(crate) fn late_races(&mut self) {
        let mut clock = Vec::new();
        for place in 0..self.trace.len() {
            let event = self.trace.events()[place];
            let touches = self.trace.touches(place).to_vec();
            let guard = guard_at(self.machine.program, event.at);
            self.trace.base_at(place, &mut clock);
            let found = self.conflicting(event.thread, &touches, guard.blocks, place, &mut clock);
            let second = Second {
                thread: event.thread,
                at: event.at,
                touches: &touches,
                guard,
                clock: &clock,
                place,
            };
            self.reverse_all(&found, &second, Purpose::Explore);
        }
    }

    /// Has an event explored before an earlier one, in all ways that its new place allows; false if it is always blocked there.
    pub(crate) fn reverse_late(
        &mut self,
        e: usize,
        second: &Second,
        causes: Vec<usize>,
        probe: bool,
    ) -> bool {
        let others = |x: &usize| *x != second.place && !self.trace.before(e, *x);
        let free: Vec<usize> = (e + 1..self.trace.len()).filter(others).collect();
        if !probe {
            self.wake_up(e, &free, second.thread, second.touches);
            return true;
        }
        let mut any = false;
        let mut seen: HashSet<Vec<usize>> = HashSet::new();
        let mut todo = vec![causes];
        while let Some(first) = todo.pop() {
            let touches = match self.probe(e, &first, second.thread) {
                Probed::Refused(touches) if touches.is_empty() => second.touches.to_vec(),
                Probed::Refused(touches) => touches,
                Probed::Done(touches, quits) => {
                    // If nothing comes behind it, it must not stand for others.
                    if !quits || self.options.ends_matter {
                        let before = self.unmoved(&free, &first, &touches);
                        self.wake_up(e, &before, second.thread, &touches);
                        any = true;
                    }
                    touches
                }
            };
            for x in free.iter().filter(|x| !first.contains(x)) {
                if !conflict(&touches, self.trace.touches(*x)) {
                    continue;
                }
                let needed = |y: &&usize| first.contains(y) || self.trace.before(**y, *x);
                let more: Vec<usize> = free.iter().filter(needed).copied().collect();
                if seen.insert(more.clone()) {
                    todo.push(more);
                }
            }
            if seen.len() > MOST_CHOICES {
                self.doubts.limit = Some("too many orders of one atomic region".into());
                break;
            }
        }
        any
    }

    /// Those of the events that come first, and with them all that do not mind where an event with these touches comes.
    fn unmoved(&self, free: &[usize], first: &[usize], touches: &[Touch]) -> Vec<usize> {
        let mut kept = Vec::with_capacity(free.len());
        let mut left: Vec<usize> = Vec::new();
        for &x in free {
            let moved = conflict(touches, self.trace.touches(x))
                || left.iter().any(|l| self.trace.before(*l, x));
            match first.contains(&x) || !moved {
                true => kept.push(x),
                false => left.push(x),
            }
        }
        kept
    }
}
