//! Which actions commute, in layers: by what they read and write (`sets.rs`), by the solver (`solver.rs`), and by what is known in a
//! state (`conditional.rs`). The first two hold in every state; the last serves sleep sets only.

mod conditional;
mod sets;
mod solver;

pub use conditional::commutes_here;
pub use sets::Footprint;

use crate::logic::Logic;
use crate::system::{ActionId, System, VarId};
use raddle_ccfg::{InstanceId, LocId};
use raddle_solver::term::TermId;
use std::collections::HashMap;

/// The solver is asked about so many pairs.
const QUESTIONS: u32 = 4_000;
/// Terms larger than this are not worth a question.
const LARGE: usize = 600;

/// What is known of actions and of locations.
pub struct Independence {
    actions: Vec<Footprint>,
    here: HashMap<(InstanceId, LocId), Footprint>,
    commutes: HashMap<(ActionId, InstanceId, LocId), bool>,
    pairs: HashMap<(ActionId, ActionId), bool>,
    differences: HashMap<(ActionId, ActionId), Option<TermId>>,
    asked: u32,
    /// Ask the solver, too.
    pub deep: bool,
}

impl Independence {
    /// Computes all footprints.
    pub fn new(system: &System) -> Independence {
        let actions: Vec<Footprint> = (0..system.actions.len() as u32)
            .map(|a| Footprint::of(system, ActionId(a)))
            .collect();
        let mut here: HashMap<(InstanceId, LocId), Footprint> = HashMap::new();
        for (i, a) in system.actions.iter().enumerate() {
            let f = here.entry((a.thread, a.from)).or_default();
            f.extend(&actions[i]);
        }
        Independence {
            actions,
            here,
            commutes: HashMap::new(),
            pairs: HashMap::new(),
            differences: HashMap::new(),
            asked: 0,
            deep: true,
        }
    }

    /// Whether two actions of different threads commute in every state.
    pub fn pair(
        &mut self,
        system: &mut System,
        logic: &mut Logic,
        a: ActionId,
        b: ActionId,
    ) -> bool {
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.pairs.get(&key) {
            return *known;
        }
        let answer = match self.by_sets(system, a, b) {
            Some(answer) => answer,
            None => match self.difference(system, a, b) {
                Some(d) if self.deep && self.asked < QUESTIONS => {
                    self.asked += 1;
                    logic.satisfiable(&mut system.pool, vec![d]) == Ok(false)
                }
                _ => false,
            },
        };
        self.pairs.insert(key, answer);
        answer
    }

    /// What sets say of two actions; nothing if the solver might know better.
    fn by_sets(&self, system: &System, a: ActionId, b: ActionId) -> Option<bool> {
        let (x, y) = (&self.actions[a.0 as usize], &self.actions[b.0 as usize]);
        let (t, u) = (system.get(a).thread, system.get(b).thread);
        if t == u || x.shares_threads(y) || x.threads.contains(&u) || y.threads.contains(&t) {
            return Some(false);
        }
        match x.meets(y) {
            false => Some(true),
            true => None,
        }
    }

    /// When the order of two actions matters; nothing if that is a large term.
    fn difference(&mut self, system: &mut System, a: ActionId, b: ActionId) -> Option<TermId> {
        let key = (a.min(b), a.max(b));
        if let Some(d) = self.differences.get(&key) {
            return *d;
        }
        let size = |id: ActionId| {
            let action = system.get(id);
            let mut roots: Vec<TermId> = action.updates.iter().map(|u| u.1).collect();
            roots.push(action.guard);
            system.pool.reachable(&roots).len()
        };
        let large = size(a) + size(b) > LARGE;
        let d = (!large).then(|| solver::difference(system, key.0, key.1));
        self.differences.insert(key, d);
        d
    }

    /// Whether an action commutes with everything a thread can do next where it is.
    pub fn commutes(
        &mut self,
        system: &mut System,
        logic: &mut Logic,
        id: ActionId,
        thread: InstanceId,
        at: LocId,
    ) -> bool {
        if let Some(known) = self.commutes.get(&(id, thread, at)) {
            return *known;
        }
        let all = system.outgoing[thread.0 as usize][at.0 as usize].clone();
        let answer = all.iter().all(|b| self.pair(system, logic, id, *b));
        self.commutes.insert((id, thread, at), answer);
        answer
    }

    /// What an action touches.
    pub fn footprint(&self, id: ActionId) -> &Footprint {
        &self.actions[id.0 as usize]
    }

    /// What a thread can do next where it is.
    pub fn here(&self, thread: InstanceId, at: LocId) -> Option<&Footprint> {
        self.here.get(&(thread, at))
    }

    /// What was known of errors may have changed.
    pub fn forget(&mut self) {
        self.commutes.clear();
    }
}

/// Values that are known in a state.
pub type Values<'a> = &'a [(VarId, u128)];
