//! Which reads of sums matter at all: a counter is read in order to be written, and a sum asks only how much is added.

use super::Sums;
use crate::event::{Kind, Skeleton};
use raddle_solver::term::TermId;
use std::collections::HashSet;

impl Sums {
    /// Finds the reads on whose values something depends: whether anything happens, what is asked for, what is written elsewhere.
    pub(crate) fn find_needed(&mut self, skeleton: &Skeleton) {
        if self.cells.is_empty() {
            return;
        }
        let guard = |g| skeleton.guards.term(g);
        let mut todo: Vec<TermId> = skeleton.constraints.clone();
        let targets = skeleton.violations.iter().map(|(_, t)| t);
        let ends = skeleton.ends.iter().map(|(_, t)| t);
        todo.extend(targets.chain(ends).map(|t| t.reached));
        for e in &skeleton.events {
            todo.push(guard(e.guard));
            match e.kind {
                Kind::Write(cell, value) if !self.cells.contains_key(&cell) => todo.push(value),
                _ => {}
            }
        }
        for log in &skeleton.threads {
            todo.extend(log.entries.iter().map(|e| guard(e.guard)));
            todo.extend(log.asked.iter().flat_map(|a| [guard(a.guard), a.value]));
            todo.extend(log.started.iter().chain(&log.finished).map(|g| guard(*g)));
        }
        todo.extend(skeleton.again.iter().map(|a| guard(a.guard)));
        todo.extend(skeleton.phantoms.iter().map(|p| guard(p.guard)));
        todo.extend(skeleton.conditional.iter().map(|c| guard(c.0)));
        for region in &skeleton.regions {
            todo.extend(region.done.iter().map(|g| guard(*g)));
        }
        let mut needed: HashSet<TermId> = HashSet::new();
        let mut open: HashSet<_> = self.cells.keys().copied().collect();
        while !todo.is_empty() {
            while let Some(term) = todo.pop() {
                if needed.insert(term) {
                    todo.extend_from_slice(skeleton.pool.args(term));
                }
            }
            for e in &skeleton.events {
                let Kind::Read(cell, found) = e.kind else {
                    continue;
                };
                if !needed.contains(&found) || !open.remove(&cell) {
                    continue;
                }
                let (sum, _) = &self.cells[&cell];
                todo.extend(sum.added.iter().map(|a| a.much));
                for s in &sum.set {
                    if let Kind::Write(_, value) = skeleton.events[s.0 as usize].kind {
                        todo.push(value);
                    }
                }
            }
        }
        self.needed = needed;
    }
}
