//! What the search tells its watcher: ends of executions, and violations with the steps that lead to them.

use crate::outcome::Hit;
use crate::races::Second;
use crate::search::Search;
use crate::strategy::Strategy;
use crate::trace::Name;
use raddle_interp::{End, Violation};
use raddle_ir::Property;

impl Search<'_, '_> {
    /// The execution is over because the process is.
    pub(crate) fn finish(&mut self) {
        let at = self.nodes.len() - 1;
        self.nodes[at].begun = true;
        self.nodes[at].over = true;
        let violation = match self.machine.end() {
            Some(End::Limit(what)) => {
                self.doubts.limit = Some(what.clone());
                None
            }
            Some(End::Violation(v)) => Some(v.as_ref().clone()),
            _ => None,
        };
        if let Some(v) = violation {
            self.report(&v);
        }
        self.ended(false);
    }

    pub(crate) fn ended(&mut self, blocked: bool) {
        self.counts.executions += 1;
        self.counts.blocked += u64::from(blocked);
        self.doubts.look_at(&self.machine);
        self.stopped |= !self.watcher.ended(&self.trace, &self.counts);
        if self.options.strategy != Strategy::Sleep || self.walker.is_some() || self.stopped {
            return;
        }
        if let Some(steps) = self.watcher.safe_after(&self.trace, &self.names) {
            for node in &mut self.nodes[steps..] {
                node.begun = true;
                node.tree.clear();
            }
        }
    }

    fn report(&mut self, v: &Violation) {
        let hit = Hit {
            property: v.property,
            thread: self.names.name(v.thread),
            at: v.at,
            other: None,
            root: self.trace.root().to_vec(),
            names: self.names.again(),
            steps: self.steps(0..self.trace.len()),
            last: Vec::new(),
        };
        self.stopped |= !self.watcher.hit(hit);
    }

    fn steps(&self, range: impl Iterator<Item = usize>) -> Vec<(Name, Vec<u32>)> {
        let step = |at: usize| {
            let thread = self.trace.events()[at].thread;
            (thread, self.trace.answers(at).to_vec())
        };
        range.map(step).collect()
    }

    /// A violation that shows before an event, after some later ones.
    pub(crate) fn report_early(&mut self, v: &Violation, e: usize, between: &[usize]) {
        let mut steps = self.steps(0..e);
        steps.extend(self.steps(between.iter().copied()));
        let hit = Hit {
            property: v.property,
            thread: self.names.name(v.thread),
            at: v.at,
            other: None,
            root: self.trace.root().to_vec(),
            names: self.names.again(),
            steps,
            last: Vec::new(),
        };
        self.stopped |= !self.watcher.hit(hit);
    }

    /// Two events that can both come next are a data race.
    pub(crate) fn report_race(
        &mut self,
        e: usize,
        second: &Second,
        between: &[usize],
        last: &[u32],
    ) {
        let mut steps = self.steps(0..e);
        steps.extend(self.steps(between.iter().copied()));
        steps.extend(self.steps(e..e + 1));
        let hit = Hit {
            property: Property::NoDataRace,
            thread: second.thread,
            at: second.at,
            other: Some(self.trace.events()[e].at),
            root: self.trace.root().to_vec(),
            names: self.names.again(),
            steps,
            last: last.to_vec(),
        };
        self.stopped |= !self.watcher.hit(hit);
    }

    /// An event and the look of a thread that waits are a data race.
    pub(crate) fn report_look(&mut self, e: usize, second: &Second) {
        let mut base = Vec::new();
        self.trace.base(second.thread, &mut base);
        let needed = |x: &usize| {
            let event = self.trace.events()[*x];
            *x != e && (base[event.thread.0 as usize] >= event.index || self.trace.before(*x, e))
        };
        let hit = Hit {
            property: Property::NoDataRace,
            thread: self.trace.events()[e].thread,
            at: self.trace.events()[e].at,
            other: None,
            root: self.trace.root().to_vec(),
            names: self.names.again(),
            steps: self.steps((0..self.trace.len()).filter(needed)),
            last: self.trace.answers(e).to_vec(),
        };
        self.stopped |= !self.watcher.hit(hit);
    }
}
