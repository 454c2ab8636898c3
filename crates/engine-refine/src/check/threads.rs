//! The invariants of threads: they hold at the start, are kept up by the thread itself, by those that start it and by all that run
//! besides it. Errors whose guard they contradict cannot happen.

use super::Checker;
use crate::modular::{Detail, RUNS, Where};
use crate::system::{Action, ActionId, Outcome, Status};
use raddle_ccfg::{InstanceId, LocId, ObjectId};
use raddle_solver::term::{Op, Sort, Term, TermId};
use std::collections::HashMap;

/// A fact about more variables than this is left for the second try.
const MANY: usize = 40;

type Listed<'a> = (&'a Where, &'a Vec<TermId>);

impl Checker<'_> {
    pub(super) fn threads(&mut self) -> Result<(), String> {
        let invariants = self.invariants;
        if invariants.detail.len() != self.system.instances.list.len() {
            return Err("not every thread has invariants".into());
        }
        for w in invariants.holds.keys() {
            let t = w.thread.0 as usize;
            let detail = invariants.detail.get(t);
            let children = match detail {
                Some(Detail::Nothing) => 0,
                Some(_) => self.children[t].len(),
                None => return Err("a place of no thread".into()),
            };
            let at = match w.at {
                Status::At(l) => (l.0 as usize) < self.system.outgoing[t].len(),
                at => at == Status::Finished,
            };
            if !at || children != w.children.len() {
                return Err("a place that is malformed".into());
            }
        }
        let mut initial = HashMap::new();
        for i in 0..self.system.variables.len() {
            if let Some(n) = self.system.variables[i].initial {
                let (v, n) = self.equation(crate::system::VarId(i as u32), n);
                initial.insert(v, n);
            }
        }
        let first = self.entry(InstanceId(0));
        let Some(holds) = invariants.holds.get(&first) else {
            return Err("the first thread has no first place".into());
        };
        if !self.all_hold(&[], holds, &initial, false)? {
            return Err("an invariant does not hold at the start".into());
        }
        self.contents()?;
        let mut possible: Vec<ActionId> = Vec::new();
        for (w, holds) in &invariants.holds {
            if self.budget.stopped().is_some() {
                return Err("time is up".into());
            }
            let Status::At(at) = w.at else { continue };
            // Those that were left out have to be shown to be impossible here.
            let left_out: Vec<ActionId> = self.system.left_out.iter().copied().collect();
            let here = self.system.outgoing[w.thread.0 as usize][at.0 as usize].clone();
            for id in here.into_iter().chain(left_out) {
                let action = self.system.get(id).clone();
                if action.thread == w.thread && action.from == at {
                    let can = self.step((w, holds), &action)?;
                    if can && !matches!(action.outcome, Outcome::Next(_)) {
                        possible.push(id);
                    }
                }
            }
        }
        for i in 0..self.system.actions.len() as u32 {
            let id = ActionId(i);
            if self.is_error(id) && !possible.contains(&id) {
                self.impossible.insert(id);
            }
        }
        Ok(())
    }

    fn element(&self, object: ObjectId) -> Result<TermId, String> {
        let var = self.system.contents.get(&object);
        let var = var.ok_or("contents of an object that has cells")?;
        Ok(self.system.variables[var.0 as usize].term)
    }

    /// What holds for all elements of objects holds at the start; from now on, loads know it.
    fn contents(&mut self) -> Result<(), String> {
        for (object, holds) in &self.invariants.contents {
            let element = self.element(*object)?;
            let mut initial = HashMap::new();
            let zero = object.0 < self.system.ccfg.objects.len() as u32
                && self.system.ccfg.object(*object).zero;
            if let (true, Sort::BitVec(w)) = (zero, self.system.pool.sort(element)) {
                initial.insert(element, self.system.pool.bits(w, 0));
            }
            for h in holds {
                if self.system.pool.free_variables(&[*h]) != [element] {
                    return Err("what holds for elements speaks of something else".into());
                }
            }
            if !self.all_hold(&[], holds, &initial, false)? {
                return Err("what holds for all elements does not hold at the start".into());
            }
        }
        self.system.restrict(&self.invariants.contents);
        Ok(())
    }

    fn entry(&self, thread: InstanceId) -> Where {
        let t = thread.0 as usize;
        Where {
            thread,
            at: Status::At(LocId(0)),
            children: match self.invariants.detail[t] {
                Detail::Nothing => Vec::new(),
                _ => vec![Status::Absent; self.children[t].len()],
            },
        }
    }

    /// Checks one action at one place; whether it can happen.
    fn step(&mut self, (w, holds): Listed<'_>, action: &Action) -> Result<bool, String> {
        let invariants = self.invariants;
        let Some(children) = self.children_after(w, action) else {
            return Ok(false);
        };
        let mut facts = holds.clone();
        facts.extend(&self.system.axioms);
        facts.push(action.guard);
        for (other, needed, _) in &action.control {
            if *needed == Status::Finished {
                let mut ends = invariants
                    .holds
                    .iter()
                    .filter(|(e, _)| e.thread == *other && e.at == Status::Finished);
                match (ends.next(), ends.next()) {
                    (None, _) => return Ok(false),
                    (Some((_, h)), None) => facts.extend(h),
                    _ => {}
                }
            }
        }
        let what = |what: &str| format!("{what}: thread {} at {:?}", w.thread.0, w.at);
        for (object, value) in &action.stored {
            if let Some(holds) = invariants.contents.get(object) {
                let map = HashMap::from([(self.element(*object)?, *value)]);
                if !self.all_hold(&facts, holds, &map, false)? {
                    return Err(what("a store contradicts what holds for all elements"));
                }
            }
        }
        let Outcome::Next(at) = action.outcome else {
            return Ok(!self.unsatisfiable(&self.few(&facts))? && !self.unsatisfiable(&facts)?);
        };
        let updates: HashMap<TermId, TermId> = action
            .updates
            .iter()
            .map(|(v, t)| (self.system.variables[v.0 as usize].term, *t))
            .collect();
        let mut goals = vec![Where {
            thread: w.thread,
            at,
            children,
        }];
        for (child, needed, after) in &action.control {
            if needed != after && matches!(after, Status::At(_)) {
                goals.push(self.entry(*child));
            }
        }
        for goal in goals {
            let kept = match invariants.holds.get(&goal) {
                Some(then) => self.all_hold(&facts, then, &updates, false)?,
                None => self.unsatisfiable(&facts)?,
            };
            if !kept {
                return Err(what("an invariant is not kept up"));
            }
        }
        for (other, also) in &invariants.holds {
            let apart = other.thread == w.thread || !self.sees(w, other) || !self.sees(other, w);
            if apart {
                continue;
            }
            let mut both = facts.clone();
            both.extend(also);
            // Who makes one of a crowd makes another one than those that run.
            let mut updates = updates.clone();
            if self.system.is_of_crowd(other.thread) {
                let system = &self.system;
                updates.retain(|v, _| {
                    let var = system.by_term.get(v);
                    var.is_none_or(|v| system.owner(*v) != Some(other.thread))
                });
            }
            if !self.all_hold(&both, also, &updates, true)? {
                return Err(what("an invariant is disturbed"));
            }
        }
        Ok(true)
    }

    /// Whether all claims hold after the updates, if the facts hold before; those they do not touch may be known to.
    fn all_hold(
        &mut self,
        facts: &[TermId],
        claims: &[TermId],
        updates: &HashMap<TermId, TermId>,
        held: bool,
    ) -> Result<bool, String> {
        let mut fails = self.system.pool.bool(false);
        for c in claims {
            let after = self.system.pool.substitute(*c, updates);
            let same = after == *c && held;
            if !same && *self.system.pool.term(after) != Term::Bool(true) {
                let not = self.system.pool.not(after);
                fails = self.system.pool.or(fails, not);
            }
        }
        if *self.system.pool.term(fails) == Term::Bool(false) {
            return Ok(true);
        }
        let mut all = facts.to_vec();
        all.push(fails);
        Ok(self.unsatisfiable(&self.few(&all))? || self.unsatisfiable(&all)?)
    }

    /// Those facts that are easy to treat; if they contradict each other, so do all.
    fn few(&self, facts: &[TermId]) -> Vec<TermId> {
        let mut simple = Vec::new();
        let mut work = facts.to_vec();
        while let Some(f) = work.pop() {
            match *self.system.pool.term(f) {
                Term::App { op: Op::And, .. } => work.extend(self.system.pool.args(f)),
                _ if self.system.pool.free_variables(&[f]).len() <= MANY => simple.push(f),
                _ => {}
            }
        }
        simple
    }

    fn children_after(&self, w: &Where, action: &Action) -> Option<Vec<Status>> {
        let t = w.thread.0 as usize;
        let mut children = w.children.clone();
        let full = self.invariants.detail[t] == Detail::Full;
        if self.invariants.detail[t] == Detail::Nothing {
            return Some(children);
        }
        for (i, child) in self.children[t].iter().enumerate() {
            for (c, needed, after) in &action.control {
                if c != child {
                    continue;
                }
                let now = children[i];
                // Of a crowd there can always be one more, and once some run, some do.
                if self.system.is_of_crowd(*c) && needed != after {
                    // Nobody starts who was not made.
                    if now == Status::Absent && *needed != Status::Absent {
                        return None;
                    }
                    children[i] = match now == *needed {
                        true => self.invariants.detail[t].seen(*after),
                        false => RUNS,
                    };
                    continue;
                }
                let made = now != Status::Absent;
                let started = made && now != Status::Made;
                let fits = match (needed, after) {
                    (Status::Absent, Status::Absent) => made,
                    (Status::Absent, _) => !made,
                    (Status::Made, _) => now == Status::Made,
                    (Status::Finished, _) => now == RUNS,
                    // Only its maker joins it, who knows.
                    _ if full && !self.joined_by_others[c.0 as usize] => now == Status::Joined,
                    _ => started,
                };
                if !fits {
                    return None;
                }
                if needed != after {
                    children[i] = self.invariants.detail[t].seen(*after);
                }
            }
        }
        Some(children)
    }

    /// Whether a thread at a place can have the other one at its place, as far as it knows of it.
    fn sees(&self, w: &Where, other: &Where) -> bool {
        let t = w.thread.0 as usize;
        if self.invariants.detail[t] == Detail::Nothing {
            return true;
        }
        // Of a crowd, only the first is made.
        let other_thread = self.system.first_of(other.thread);
        let mut below = other_thread;
        loop {
            let Some((maker, _)) = self.system.instances.get(below).maker else {
                return true;
            };
            if maker == w.thread {
                break;
            }
            below = maker;
        }
        let child = self.children[t].iter().position(|c| *c == below);
        match child.map(|i| w.children[i]) {
            Some(Status::Absent | Status::Made) => false,
            Some(Status::Joined) => below != other_thread,
            _ => true,
        }
    }
}
