//! What the reduction leaves out: independence, and persistent sets.

use super::Checker;
use crate::proof::{Group, State};
use crate::system::{Action, ActionId, Outcome, Status, VarId};
use raddle_ccfg::InstanceId;
use raddle_ir::layout;
use raddle_solver::term::TermId;
use std::collections::{HashMap, HashSet};

impl Checker<'_> {
    /// Whether the control of threads lets two actions change places.
    fn control_apart(a: &Action, b: &Action) -> bool {
        // That a thread was made long ago is no matter of its later actions.
        let moves =
            |c: &(InstanceId, Status, Status)| c.1 != Status::Absent || c.2 != Status::Absent;
        let controls = |x: &Action, t: InstanceId| x.control.iter().any(|c| c.0 == t && moves(c));
        a.thread != b.thread
            && !controls(a, b.thread)
            && !controls(b, a.thread)
            && !a.control.iter().any(|c| moves(c) && controls(b, c.0))
    }

    /// Whether two actions commute wherever these values are known.
    pub(super) fn independent(
        &mut self,
        (a, b): (ActionId, ActionId),
        known: &HashMap<TermId, TermId>,
    ) -> Result<bool, String> {
        let (x, y) = (self.system.get(a), self.system.get(b));
        if !Self::control_apart(x, y) {
            return Ok(false);
        }
        let term = |v: VarId| self.system.variables[v.0 as usize].term;
        let touched = |a: &Action| -> (HashSet<TermId>, HashMap<TermId, TermId>) {
            let roots: Vec<TermId> = a.updates.iter().map(|u| u.1).chain([a.guard]).collect();
            let reads = self.system.pool.free_variables(&roots);
            let writes = a.updates.iter().map(|(v, t)| (term(*v), *t)).collect();
            (reads.into_iter().collect(), writes)
        };
        let ((reads_a, writes_a), (reads_b, writes_b)) = (touched(x), touched(y));
        let meets = writes_a
            .keys()
            .any(|v| writes_b.contains_key(v) || reads_b.contains(v))
            || writes_b.keys().any(|v| reads_a.contains(v));
        if !meets {
            return Ok(true);
        }
        let (guard_a, guard_b) = (x.guard, y.guard);
        // Both orders, from one state: are they possible alike, and with the same result?
        let pool = &mut self.system.pool;
        let b_then = pool.substitute(guard_b, &writes_a);
        let ab = pool.and(guard_a, b_then);
        let a_then = pool.substitute(guard_a, &writes_b);
        let ba = pool.and(guard_b, a_then);
        let both = pool.and(ab, ba);
        let mut bad = pool.xor(ab, ba);
        for v in writes_a.keys().chain(writes_b.keys()) {
            let last = |first: &HashMap<TermId, TermId>, then: &HashMap<TermId, TermId>| {
                (then.get(v).copied().unwrap_or(*v), first.clone())
            };
            let (t, map) = last(&writes_a, &writes_b);
            let one = pool.substitute(t, &map);
            let (t, map) = last(&writes_b, &writes_a);
            let other = pool.substitute(t, &map);
            let differs = pool.ne(one, other);
            let differs = pool.and(both, differs);
            bad = pool.or(bad, differs);
        }
        let bad = pool.substitute(bad, known);
        self.unsatisfiable(&[bad])
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
        let mut next: Vec<ActionId> = Vec::new();
        for (t, place) in s.places.iter().enumerate() {
            if let (1, Status::At(at)) = (s.chosen >> t & 1, place) {
                for id in &self.system.outgoing[t][at.0 as usize] {
                    let action = self.system.get(*id);
                    let ruled_out = action
                        .joins
                        .is_some_and(|(h, n)| value(&h).is_some_and(|x| x != u128::from(n)));
                    if !ruled_out {
                        next.push(*id);
                    }
                }
            }
        }
        for (u, place) in s.places.iter().enumerate() {
            let Status::At(at) = place else { continue };
            if s.chosen >> u & 1 == 1 {
                continue;
            }
            let key = format!("{u} {at:?} {held:?} {:x} {next:?}", s.chosen);
            if self.harmless.contains(&key) {
                continue;
            }
            let mut seen = HashSet::from([(u, *at)]);
            let mut work = vec![(u, *at)];
            while let Some((t, l)) = work.pop() {
                for id in self.system.outgoing[t][l.0 as usize].clone() {
                    let b = self.system.get(id).clone();
                    let waits = b.acquires.is_some_and(|v| held.contains(&v));
                    // Threads of the set run: what needs them to be made or to have ended has to wait for them.
                    let of_set = b.control.iter().any(|(i, needed, _)| {
                        s.chosen >> i.0 & 1 == 1 && *needed != Status::Absent
                    });
                    if waits || of_set {
                        continue;
                    }
                    if self.is_error(id) && group.targets >> t & 1 == 1 {
                        return Err(format!("thread {u} can go wrong on its own"));
                    }
                    for a in &next {
                        if !self.independent((*a, id), &HashMap::new())? {
                            return Err(format!("{id:?} of thread {t} disturbs {a:?}"));
                        }
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
