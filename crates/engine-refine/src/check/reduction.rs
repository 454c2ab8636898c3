//! What the reduction leaves out: independence, and persistent sets.

use super::Checker;
use crate::proof::{Group, State};
use crate::system::{Action, Outcome, Status, VarId};
use raddle_ccfg::InstanceId;
use raddle_ir::layout;
use raddle_solver::term::TermId;
use std::collections::HashSet;

impl Checker<'_> {
    fn variables(&self, action: &Action) -> (HashSet<VarId>, HashSet<VarId>) {
        let roots: Vec<TermId> = action
            .updates
            .iter()
            .map(|u| u.1)
            .chain([action.guard])
            .collect();
        let free = self.system.pool.free_variables(&roots);
        let reads = free
            .iter()
            .filter_map(|t| self.system.by_term.get(t).copied());
        (
            reads.collect(),
            action.updates.iter().map(|u| u.0).collect(),
        )
    }

    pub(super) fn independent(&self, a: &Action, b: &Action) -> bool {
        // That a thread was made long ago is no matter of its later actions.
        let moves =
            |c: &(InstanceId, Status, Status)| c.1 != Status::Absent || c.2 != Status::Absent;
        let controls = |x: &Action, t: InstanceId| x.control.iter().any(|c| c.0 == t && moves(c));
        let (reads_a, writes_a) = self.variables(a);
        let (reads_b, writes_b) = self.variables(b);
        a.thread != b.thread
            && writes_a.is_disjoint(&writes_b)
            && writes_a.is_disjoint(&reads_b)
            && reads_a.is_disjoint(&writes_b)
            && !controls(a, b.thread)
            && !controls(b, a.thread)
            && !a.control.iter().any(|c| moves(c) && controls(b, c.0))
    }

    /// Nobody outside the persistent set can reach an error, or disturb it, before one of the set acts.
    pub(super) fn persistent(&mut self, group: &Group, s: &State) -> Result<(), String> {
        let value = |v: &VarId| {
            let at = s.values.binary_search_by_key(v, |x| x.0).ok()?;
            Some(s.values[at].1)
        };
        let mut held: Vec<VarId> = Vec::new();
        for (v, n) in &s.values {
            let word = *n as u32;
            let owner = (word & layout::OWNER).wrapping_sub(1);
            let lock = self.system.locks.contains(v) && word != layout::DESTROYED;
            if lock && owner < 64 && s.chosen >> owner & 1 == 1 {
                held.push(*v);
            }
        }
        // What the set can do next.
        let mut next: Vec<&Action> = Vec::new();
        for (t, place) in s.places.iter().enumerate() {
            if let (1, Status::At(at)) = (s.chosen >> t & 1, place) {
                for id in &self.system.outgoing[t][at.0 as usize] {
                    let action = self.system.get(*id);
                    let ruled_out = action
                        .joins
                        .is_some_and(|(h, n)| value(&h).is_some_and(|x| x != u128::from(n)));
                    if !ruled_out {
                        next.push(action);
                    }
                }
            }
        }
        for (u, place) in s.places.iter().enumerate() {
            let Status::At(at) = place else { continue };
            if s.chosen >> u & 1 == 1 {
                continue;
            }
            let edges: Vec<(u32, u32)> = next.iter().map(|a| (a.thread.0, a.edge.0)).collect();
            let key = format!("{u} {at:?} {held:?} {:x} {edges:?}", s.chosen);
            if self.harmless.contains(&key) {
                continue;
            }
            let mut seen = HashSet::from([(u, *at)]);
            let mut work = vec![(u, *at)];
            while let Some((t, l)) = work.pop() {
                for id in &self.system.outgoing[t][l.0 as usize] {
                    let b = self.system.get(*id);
                    let waits = b.acquires.is_some_and(|v| held.contains(&v));
                    // Threads of the set run: what needs them to be made or to have ended has to wait for them.
                    let of_set = b.control.iter().any(|(i, needed, _)| {
                        s.chosen >> i.0 & 1 == 1 && *needed != Status::Absent
                    });
                    if waits || of_set {
                        continue;
                    }
                    if self.is_error(*id) && group.targets >> t & 1 == 1 {
                        return Err(format!("thread {u} can go wrong on its own"));
                    }
                    if let Some(a) = next.iter().find(|a| !self.independent(a, b)) {
                        return Err(format!(
                            "edge {} of thread {t} disturbs edge {} of thread {}",
                            b.edge.0, a.edge.0, a.thread.0
                        ));
                    }
                    let mut behind = Vec::new();
                    if let Outcome::Next(Status::At(to)) = b.outcome {
                        behind.push((t, to));
                    }
                    for (child, needed, after) in &b.control {
                        if let (true, Status::At(entry)) = (needed != after, after) {
                            behind.push((child.0 as usize, *entry));
                        }
                    }
                    work.extend(behind.into_iter().filter(|x| seen.insert(*x)));
                }
            }
            self.harmless.insert(key);
        }
        Ok(())
    }
}
