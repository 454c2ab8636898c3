//! What the reduction leaves out: independence, and persistent sets.

use super::Checker;
use crate::proof::{Group, State};
use crate::system::{Action, ActionId, Origin, Outcome, Status, VarId};
use raddle_ccfg::{InstanceId, LocId};
use raddle_ir::layout;
use raddle_solver::term::{Sort, Term, TermId};
use std::collections::{BTreeMap, HashMap, HashSet};

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
            let differs = pool.ne_of_sums(one, other);
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
            let mut mind = Mind::default();
            let mut wrong = self.wander(group, s, (u, *at, &mind), (&next, &held), false)?;
            if wrong.is_some() {
                mind = self.mind_of(s, u, *at);
                wrong = self.wander(group, s, (u, *at, &mind), (&next, &held), true)?;
            }
            if let Some(why) = wrong {
                return Err(why);
            }
        }
        Ok(())
    }

    /// What a thread outside of the persistent set knows for itself: values that nobody else writes, and what has become of its children.
    fn mind_of(&mut self, s: &State, u: usize, at: LocId) -> Mind {
        let bits = |holds: &dyn Fn(Status) -> bool| {
            let all = s.places.iter().enumerate();
            all.fold(0u64, |bits, (t, p)| bits | u64::from(holds(*p)) << t)
        };
        Mind {
            values: self.own_values(u, at, s.values.iter().copied().collect()),
            made: bits(&|p| p != Status::Absent),
            joined: bits(&|p| p == Status::Joined),
        }
    }

    /// Those of some values that belong to a thread alone, and that it may still look at.
    fn own_values(
        &mut self,
        t: usize,
        at: LocId,
        mut values: BTreeMap<VarId, u128>,
    ) -> BTreeMap<VarId, u128> {
        let system = &self.system;
        if self.writers.len() < system.variables.len() {
            self.writers = vec![0; system.variables.len()];
            for a in &system.actions {
                for (v, _) in &a.updates {
                    self.writers[v.0 as usize] |= 1 << a.thread.0;
                }
            }
        }
        let template = system.ccfg.template(system.instances.list[t].template);
        values.retain(|v, _| match system.variables[v.0 as usize].origin {
            Origin::Local(owner, l) => {
                owner.0 as usize == t && template.live[at.0 as usize].contains(&l)
            }
            _ => self.writers[v.0 as usize] & !(1 << t) == 0,
        });
        values
    }

    /// What a thread knows after an action of its own; nothing if the action contradicts what it knows.
    fn mind_after(&mut self, mind: &Mind, action: &Action) -> Option<Mind> {
        let mut then = mind.clone();
        for (child, needed, after) in &action.control {
            let maker = self.system.instances.get(*child).maker;
            if maker.map(|m| m.0) != Some(action.thread) {
                continue;
            }
            let bit = 1u64 << child.0;
            let made = then.made & bit != 0;
            let joined = then.joined & bit != 0;
            let possible = match needed {
                Status::Absent if *after == Status::Absent => made,
                Status::Absent => !made,
                Status::Finished => !joined,
                Status::Joined => joined || self.joined_by_others[child.0 as usize],
                _ => true,
            };
            if !possible {
                return None;
            }
            if *needed == Status::Absent {
                then.made |= bit;
            }
            if *needed == Status::Finished {
                then.joined |= bit;
            }
        }
        let mut known = HashMap::new();
        for (v, n) in &mind.values {
            let term = self.system.variables[v.0 as usize].term;
            let constant = match self.system.pool.sort(term) {
                Sort::Bool => self.system.pool.bool(*n != 0),
                Sort::BitVec(width) => self.system.pool.bits(width, *n),
                _ => continue,
            };
            known.insert(term, constant);
        }
        let guard = self.system.pool.substitute(action.guard, &known);
        if *self.system.pool.term(guard) == Term::Bool(false) {
            return None;
        }
        for (v, term) in &action.updates {
            let value = self.system.pool.substitute(*term, &known);
            match *self.system.pool.term(value) {
                Term::Bool(b) => then.values.insert(*v, u128::from(b)),
                Term::Bits { value, .. } => then.values.insert(*v, value),
                _ => then.values.remove(v),
            };
        }
        Some(then)
    }

    /// Follows a thread outside of the persistent set, and all that it starts, as long as nobody of the set acts; what it can do that it must not.
    fn wander(
        &mut self,
        group: &Group,
        s: &State,
        (u, at, mind): (usize, LocId, &Mind),
        (next, held): (&[ActionId], &[VarId]),
        aware: bool,
    ) -> Result<Option<String>, String> {
        let key = format!(
            "{u} {at:?} {held:?} {:x} {next:?} {aware} {mind:?}",
            s.chosen
        );
        if self.harmless.contains(&key) {
            return Ok(None);
        }
        let mut seen = HashSet::from([(u, at, mind.clone())]);
        let mut many: HashMap<(usize, LocId), Vec<BTreeMap<VarId, u128>>> = HashMap::new();
        let mut work = vec![(u, at, mind.clone())];
        while let Some((t, l, mind)) = work.pop() {
            if seen.len() > WANDERS {
                return Ok(Some("a persistent set that takes too long to check".into()));
            }
            for id in self.system.outgoing[t][l.0 as usize].clone() {
                let b = self.system.get(id).clone();
                let waits = b.acquires.is_some_and(|v| held.contains(&v));
                // Threads of the set run: what needs them to be made or to have ended has to wait for them.
                let of_set = b
                    .control
                    .iter()
                    .any(|(i, needed, _)| s.chosen >> i.0 & 1 == 1 && *needed != Status::Absent);
                if waits || of_set {
                    continue;
                }
                let then = match aware {
                    false => Mind::default(),
                    true => match self.mind_after(&mind, &b) {
                        Some(then) => then,
                        None => continue,
                    },
                };
                if self.is_error(id) && group.targets >> t & 1 == 1 {
                    return Ok(Some(format!("thread {u} can go wrong on its own")));
                }
                for a in next {
                    if !self.independent((*a, id), &HashMap::new())? {
                        return Ok(Some(format!("{id:?} of thread {t} disturbs {a:?}")));
                    }
                }
                let mut behind = Vec::new();
                for (child, needed, after) in &b.control {
                    if let (true, Status::At(entry)) = (needed != after, after) {
                        let fresh = Mind {
                            values: BTreeMap::new(),
                            ..then.clone()
                        };
                        behind.push((child.0 as usize, *entry, fresh));
                    }
                }
                if let Outcome::Next(Status::At(to)) = b.outcome {
                    let own = Mind {
                        values: self.own_values(t, to, then.values.clone()),
                        ..then
                    };
                    behind.push((t, to, own));
                }
                for (t, l, mut mind) in behind {
                    // A counter of which there are many values is not followed any longer.
                    let values = many.entry((t, l)).or_default();
                    if mind.values.is_empty() || values.len() < MINDS {
                        values.push(mind.values.clone());
                    } else if !values.contains(&mind.values) {
                        for other in values.iter() {
                            mind.values.retain(|v, n| other.get(v) == Some(n));
                        }
                        values.push(mind.values.clone());
                    }
                    if seen.insert((t, l, mind.clone())) {
                        work.push((t, l, mind));
                    }
                }
            }
        }
        self.harmless.insert(key);
        Ok(None)
    }
}

/// States of one thread that are followed.
const WANDERS: usize = 6_000;
/// Cases of what a thread knows at a place that are told apart.
const MINDS: usize = 60;

/// What a thread knows as long as others do not act.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Mind {
    values: BTreeMap<VarId, u128>,
    made: u64,
    joined: u64,
}
