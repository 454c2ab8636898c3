//! Data races of an execution: two events that can both come next somewhere.
//!
//! What lies in the pasts of the events before the two, and nothing else, can be executed in the order of the execution: it is closed under program order
//! and sources. Behind it both threads stand before their accesses, provided that neither past contains the other event. The other way
//! round, two accesses that can both come next show in the class of the execution in which they do.

use super::{Explorer, Unfit};
use crate::outcome::Hit;
use raddle_interp::ThreadId;
use raddle_interp::footprint::{Mode, Touch};
use raddle_ir::Property;

impl Explorer<'_, '_> {
    /// Looks for data races in the execution.
    pub(crate) fn look_for_races(&mut self) -> Result<(), Unfit> {
        for second in 0..self.trace.len() {
            if self.facts[second].access.is_none() {
                continue;
            }
            for first in 0..second {
                if !self.races(first, second) {
                    continue;
                }
                let waits = |at: usize| self.facts[at].access.is_some_and(|a| a.waits);
                if waits(first) || waits(second) {
                    return Err(Unfit("locks that are accessed as memory"));
                }
                self.report_race(first, second);
                if self.stopped {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// What a blocked thread waits for is left alone by all that its past does not contain.
    pub(crate) fn is_not_overwritten(&self, t: ThreadId, look: &Touch) -> Result<(), Unfit> {
        let name = self.names.name(t);
        let mut past = Vec::new();
        self.trace.base(name, &mut past);
        let look = Touch {
            mode: Mode::Read,
            ..*look
        };
        let races = |at: usize| {
            let e = self.trace.events()[at];
            let known = past.get(e.thread.0 as usize).is_some_and(|n| *n >= e.index);
            let mut touches = self.trace.touches(at).iter();
            e.thread != name && !known && touches.any(|t| t.races(&look))
        };
        match (0..self.trace.len()).any(races) {
            true => Err(Unfit("locks that are accessed as memory")),
            false => Ok(()),
        }
    }

    fn races(&self, first: usize, second: usize) -> bool {
        let (a, b) = (self.trace.events()[first], self.trace.events()[second]);
        let touch = || {
            let others = self.trace.touches(second);
            let races = |t: &_| others.iter().any(|o| o.races(t));
            self.trace.touches(first).iter().any(races)
        };
        let within = |past: &[u32], e: crate::trace::Event| {
            past.get(e.thread.0 as usize).is_some_and(|n| *n >= e.index)
        };
        a.thread != b.thread
            && touch()
            && !within(&self.past(b.thread, b.index), a)
            && !within(&self.past(a.thread, a.index), b)
    }

    fn report_race(&mut self, first: usize, second: usize) {
        let (a, b) = (self.trace.events()[first], self.trace.events()[second]);
        let pasts = [self.past(a.thread, a.index), self.past(b.thread, b.index)];
        let before = |at: &usize| {
            let e = self.trace.events()[*at];
            let reach = |p: &Vec<u32>| p.get(e.thread.0 as usize).is_some_and(|n| *n >= e.index);
            pasts.iter().any(reach)
        };
        let mut steps: Vec<usize> = (0..second).filter(before).collect();
        steps.push(first);
        let hit = Hit {
            property: Property::NoDataRace,
            thread: b.thread,
            at: b.at,
            other: Some(a.at),
            root: self.trace.root().to_vec(),
            names: self.names.again(),
            steps: self.steps(steps.into_iter()),
            last: self.trace.answers(second).to_vec(),
        };
        self.stopped |= !self.watcher.hit(hit);
    }
}
