//! The product of all threads and the proof automaton, on the fly and reduced, searched for an error.
//!
//! A state is where every thread stands, what is known of the data, and which threads sleep. Sleep sets (Godefroid, "Partial-order
//! methods for the verification of concurrent systems", 1996) are part of the state, so the reduction is a property of the set of
//! runs and not of the search: of each class of runs that differ by the order of independent actions, one is kept. Besides, only
//! threads of a persistent set act (`persistent_sets.rs`). A state is
//! covered by one that knows less, at the same places with the same values, and in which no more threads sleep.
//!
//! Deadlocks are no actions of a thread but a question about each state (`raddle_actions::waiting`). A persistent set keeps runs to errors of threads, not
//! all states, so where deadlocks are looked for all threads act. Sleep sets stay: of every class of runs one is kept, and all runs of a class end
//! in the same state, at the same places, so a deadlock that can be reached is reached by a run that is kept.
//!
//! States are taken in the order in which they are found, so a run that is returned has as few actions as any.

use crate::abstraction::{Abstraction, Assertion};
use crate::independence::{Independence, commutes_here};
use crate::leap::{self, Courage, Kind};
use crate::logic::{Logic, NoAnswer};
use crate::modular::Invariants;
use crate::persistent_sets::PersistentSets;
use crate::proof::{Group, State};
use crate::rounds::Rounds;
use crate::symmetry::{Symmetry, renamed_bits};
use crate::system::{ActionId, Outcome, Status, System, allows};
use crate::trace::Listed;
use raddle_actions::waiting::Deadlocks;
use raddle_ccfg::{InstanceId, LocId};
use raddle_solver::term::TermId;
use raddle_verdict::Budget;
use std::collections::HashMap;
use std::rc::Rc;

/// How a search ended.
pub enum Searched {
    /// No error can be reached.
    Exhausted,
    /// This run leads to an error, as far as the automaton can tell.
    Hit(Vec<ActionId>, Listed),
    /// Too many states.
    Full,
    /// Out of time.
    Stopped,
    /// More questions than the search was given.
    Late,
    /// More questions than leaps are worth.
    Vain,
    /// A leap made predicates that hold on the way, perhaps, and were not asked for there.
    Again,
}

/// Threads by number.
pub type Sleep = u64;

type Places = Rc<[Status]>;

struct Node {
    places: Places,
    data: Assertion,
    sleep: Sleep,
    parent: Option<(u32, ActionId)>,
    /// Which thread each one became when interchangeable ones were sorted.
    became: Option<Rc<[InstanceId]>>,
    /// What changes in every round of a loop that is left out here.
    leapt: Option<Rc<Kind>>,
    /// The persistent set, and who acts in which order.
    chosen: Sleep,
    order: Vec<u32>,
}

/// A search.
pub struct Search<'a> {
    pub system: &'a mut System,
    pub abstraction: &'a mut Abstraction,
    pub logic: &'a mut Logic,
    pub independence: &'a mut Independence,
    pub persistent_sets: &'a mut PersistentSets,
    pub budget: &'a Budget,
    /// What holds thread by thread, and the threads each makes.
    pub invariants: Rc<Invariants>,
    children: Vec<Vec<InstanceId>>,
    /// Threads that are interchangeable, if that is of use.
    pub symmetry: Option<Rc<Symmetry>>,
    /// The threads whose errors are looked for.
    pub targets: Sleep,
    /// Leave out what only differs by the order of independent actions.
    pub reduce: bool,
    /// States at most.
    pub limit: usize,
    /// Not more questions to the solver than that, in all.
    pub until: Option<u64>,
    /// Threads beyond the instances are left out.
    pub ignore_surplus: bool,
    /// Deadlocks are looked for, too.
    pub deadlocks: Option<Deadlocks>,
    /// Only the first thread acts, and only threads beyond the instances are looked for.
    pub first_alone: bool,
    /// How often the search may begin anew for the sake of a leap.
    pub restarts: u32,
    again: bool,
    /// How many leaps there were.
    leaps: u64,
    /// Leaps on the run that was found.
    pub passed: Vec<Kind>,
    nodes: Vec<Node>,
    #[allow(clippy::type_complexity)]
    visited: HashMap<(Places, Rc<[(crate::system::VarId, u128)]>), Vec<(Rc<[u32]>, Sleep)>>,
    /// How often each place was visited, and how often a leap from there was tried in vain.
    visits: HashMap<Places, (u32, u32)>,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub fn new(
        system: &'a mut System,
        abstraction: &'a mut Abstraction,
        logic: &'a mut Logic,
        independence: &'a mut Independence,
        persistent_sets: &'a mut PersistentSets,
        budget: &'a Budget,
    ) -> Search<'a> {
        Search {
            invariants: Rc::default(),
            children: system.children(),
            symmetry: None,
            system,
            abstraction,
            logic,
            independence,
            persistent_sets,
            budget,
            targets: Sleep::MAX,
            reduce: true,
            limit: usize::MAX,
            until: None,
            ignore_surplus: false,
            deadlocks: None,
            first_alone: false,
            restarts: 0,
            again: false,
            leaps: 0,
            passed: Vec::new(),
            nodes: Vec::new(),
            visited: HashMap::new(),
            visits: HashMap::new(),
        }
    }

    /// How many states there were.
    pub fn states(&self) -> usize {
        self.nodes.len()
    }

    /// The states as a proof has them, after an exhausted search.
    pub fn proof(&self) -> Group {
        let state = |n: &Node| State {
            places: n.places.to_vec(),
            values: n.data.values.to_vec(),
            predicates: n.data.predicates.to_vec(),
            sleep: n.sleep,
            chosen: n.chosen,
            order: n.order.clone(),
        };
        let predicates = self.abstraction.predicates.iter().map(|p| p.term);
        Group {
            targets: self.targets,
            predicates: predicates.collect(),
            states: self.nodes.iter().map(state).collect(),
        }
    }

    /// For every variable, how many values it had.
    pub fn variety(&self) -> HashMap<crate::system::VarId, usize> {
        let mut seen: HashMap<crate::system::VarId, std::collections::HashSet<u128>> =
            HashMap::new();
        for n in &self.nodes {
            for (v, x) in n.data.values.iter() {
                seen.entry(*v).or_default().insert(*x);
            }
        }
        seen.into_iter().map(|(v, s)| (v, s.len())).collect()
    }

    /// Searches.
    pub fn run(&mut self) -> Searched {
        match self.search() {
            Ok(found) => found,
            Err(NoAnswer) => Searched::Stopped,
        }
    }

    fn search(&mut self) -> Result<Searched, NoAnswer> {
        let data = self.abstraction.initial(self.system, self.logic)?;
        let mut places = vec![Status::Absent; self.system.instances.list.len()];
        places[0] = Status::At(LocId(0));
        self.add(places.into(), data, 0, None);
        let begun = self.logic.asked;
        let mut at = 0;
        while at < self.nodes.len() {
            if self.leaps > 0
                && self.logic.asked - begun
                    > leap::worth(self.abstraction.leaps.courage, self.leaps)
            {
                return Ok(Searched::Vain);
            }
            if at.is_multiple_of(64) && self.budget.stopped().is_some() {
                return Ok(Searched::Stopped);
            }
            if at.is_multiple_of(64) && self.until.is_some_and(|u| self.logic.asked > u) {
                return Ok(Searched::Late);
            }
            if let Some(path) = self.expand(at as u32)? {
                return Ok(Searched::Hit(path.0, path.1));
            }
            if self.again {
                return Ok(Searched::Again);
            }
            if self.nodes.len() > self.limit {
                return Ok(Searched::Full);
            }
            at += 1;
        }
        Ok(Searched::Exhausted)
    }

    /// Adds all successors of a state; a run that ends in an error, if there is one.
    fn expand(&mut self, from: u32) -> Result<Option<(Vec<ActionId>, Listed)>, NoAnswer> {
        let node = &self.nodes[from as usize];
        let (places, data, asleep) = (node.places.clone(), node.data.clone(), node.sleep);
        let last = node.parent.map(|(_, a)| {
            let ran = self.system.get(a).thread;
            let became = node.became.as_ref();
            became.map_or(ran, |b| b[ran.0 as usize])
        });
        let mut done: Sleep = 0;
        let chosen = match self.reduce {
            _ if self.first_alone => 1,
            _ if self.deadlocks.is_some() => Sleep::MAX,
            true => self.persistent_sets.choose(
                (self.system, self.logic),
                self.independence,
                &places,
                &data.values,
                self.targets,
            ),
            false => Sleep::MAX,
        };
        let order = self.order(&places, asleep | !chosen, last);
        let mut facts: Vec<TermId> = Vec::new();
        for t in 0..places.len() {
            facts.extend(
                self.invariants
                    .at(&self.children, &places, t)
                    .unwrap_or_default(),
            );
        }
        if let Some(deadlocks) = &mut self.deadlocks
            && let Some(id) = deadlocks.at(self.system, &places)
        {
            let stuck = self
                .abstraction
                .post(self.system, self.logic, &data, &facts, id)?;
            if stuck.is_some() {
                return Ok(Some(self.path(from, id)));
            }
        }
        let node = &mut self.nodes[from as usize];
        node.chosen = chosen;
        node.order = order.iter().map(|t| t.0).collect();
        for t in order {
            let Status::At(at) = places[t.0 as usize] else {
                continue;
            };
            let actions = self.system.outgoing[t.0 as usize][at.0 as usize].clone();
            for id in actions {
                let action = self.system.get(id);
                let surplus = self.ignore_surplus && action.outcome == Outcome::TooMany;
                let allowed = action
                    .control
                    .iter()
                    .all(|(t, needed, after)| allows(*needed, *after, places[t.0 as usize]));
                let counts = match action.outcome {
                    Outcome::Next(_) => true,
                    Outcome::TooMany if self.first_alone => true,
                    _ => self.targets >> t.0 & 1 == 1 && !self.first_alone,
                };
                if !allowed || surplus || !counts {
                    continue;
                }
                let after = self
                    .abstraction
                    .post(self.system, self.logic, &data, &facts, id)?;
                let Some(after) = after else {
                    continue;
                };
                let action = self.system.get(id);
                let Outcome::Next(status) = action.outcome else {
                    return Ok(Some(self.path(from, id)));
                };
                let mut next: Vec<Status> = places.to_vec();
                for (t, needed, then) in &action.control {
                    if *needed != *then {
                        next[t.0 as usize] = *then;
                    }
                }
                next[t.0 as usize] = status;
                let sleep = self.still_asleep(&places, &data.values, asleep | done, id);
                self.add(next.into(), after, sleep, Some((from, id)));
            }
            done |= 1 << t.0;
        }
        Ok(None)
    }

    /// Those of the sleeping threads that sleep on: what they can do next commutes with the action.
    fn still_asleep(
        &mut self,
        places: &[Status],
        values: &[(crate::system::VarId, u128)],
        asleep: Sleep,
        id: ActionId,
    ) -> Sleep {
        let mut sleep = 0;
        if self.reduce && asleep != 0 {
            for (t, place) in places.iter().enumerate() {
                if let (1, Status::At(at)) = (asleep >> t & 1, place) {
                    let other = InstanceId(t as u32);
                    let (system, logic) = (&mut *self.system, &mut *self.logic);
                    if commutes_here(self.independence, (system, logic), values, id, other, *at) {
                        sleep |= 1 << t;
                    }
                }
            }
        }
        sleep
    }

    /// Leaves out the values of a loop that counts, after some rounds.
    fn leap(
        &mut self,
        places: &Places,
        data: &Assertion,
        (parent, last): (u32, ActionId),
    ) -> Option<(Assertion, Kind)> {
        let courage = self.abstraction.leaps.courage;
        if self.symmetry.is_some() || self.first_alone || courage == Courage::None {
            return None;
        }
        let (visits, vain) = self.visits.entry(places.clone()).or_default();
        *visits += 1;
        let now_and_then = *vain < leap::PATIENCE || visits.is_power_of_two();
        let several = *visits >= leap::VISITS;
        if *visits < 2 || !now_and_then || courage == Courage::Patient && !several {
            return None;
        }
        *vain += 1;
        let mut round = vec![last];
        let mut second = None;
        let mut at = parent;
        for _ in 0..leap::FAR {
            let node = &self.nodes[at as usize];
            if node.places == *places {
                let before = second.map(|s| &self.nodes[s as usize].data);
                if before.is_none() {
                    round.reverse();
                }
                if before.is_none() && courage == Courage::Patient {
                    second = Some(at);
                    at = node.parent?.0;
                    continue;
                }
                let rounds = Rounds {
                    first: before.map(|_| &node.data),
                    second: before.unwrap_or(&node.data),
                    now: data,
                    round: &round,
                    places,
                };
                let found = self.abstraction.leap(self.system, &rounds);
                if found.is_none() && second.is_none() && several {
                    second = Some(at);
                    at = node.parent?.0;
                    continue;
                }
                let found = found?;
                if let Some((_, vain)) = self.visits.get_mut(places) {
                    *vain = 0;
                }
                return Some(found);
            }
            let (next, action) = node.parent?;
            if second.is_none() {
                round.push(action);
            }
            at = next;
        }
        None
    }

    /// A new state, unless it is covered.
    fn add(
        &mut self,
        mut places: Places,
        mut data: Assertion,
        mut sleep: Sleep,
        parent: Option<(u32, ActionId)>,
    ) {
        let mut became = None;
        if let Some(symmetry) = &self.symmetry {
            let (mut p, mut v) = (places.to_vec(), data.values.to_vec());
            if let Some(b) = symmetry.sort(self.targets, &mut p, &mut v) {
                (places, data.values) = (p.into(), v.into());
                sleep = renamed_bits(sleep, &b);
                became = Some(b.into());
            }
        }
        let mut leapt = None;
        let predicates = self.abstraction.predicates.len();
        if let Some(from) = parent
            && let Some((left, kind)) = self.leap(&places, &data, from)
        {
            (data, leapt) = (left, Some(Rc::new(kind)));
            self.leaps += 1;
            let new = self.abstraction.predicates.len() > predicates;
            let bold = self.abstraction.leaps.courage == Courage::Bold;
            if new && bold && self.restarts > 0 && self.nodes.len() < leap::NEAR {
                self.again = true;
                self.abstraction.leaps.begin_anew(&places);
            }
        }
        let key = (places.clone(), data.values.clone());
        let seen = self.visited.entry(key).or_default();
        let covers = |(known, asleep): &(Rc<[u32]>, Sleep)| {
            asleep & !sleep == 0 && subset(known, &data.predicates)
        };
        if seen.iter().any(covers) {
            return;
        }
        seen.push((data.predicates.clone(), sleep));
        self.nodes.push(Node {
            places,
            data,
            sleep,
            parent,
            became,
            leapt,
            chosen: 0,
            order: Vec::new(),
        });
    }

    /// The threads to be looked at, the one that ran last in front.
    fn order(&self, places: &[Status], asleep: Sleep, last: Option<InstanceId>) -> Vec<InstanceId> {
        let mut threads: Vec<InstanceId> = (0..places.len() as u32)
            .filter(|t| matches!(places[*t as usize], Status::At(_)) && asleep >> t & 1 == 0)
            .map(InstanceId)
            .collect();
        threads.sort_by_key(|t| (Some(*t) != last, t.0));
        threads
    }

    /// The leaps on the way to a state.
    fn leaps_before(&self, node: u32) -> Vec<Kind> {
        let mut all: Vec<Kind> = Vec::new();
        let mut at = Some(node);
        while let Some(n) = at {
            let node = &self.nodes[n as usize];
            if let Some(kind) = &node.leapt
                && !all.contains(kind)
            {
                all.push(kind.to_vec());
            }
            at = node.parent.map(|p| p.0);
        }
        all
    }

    /// The run to a state, and the values that were listed on the way. Where threads were sorted, it is the run before that.
    fn path(&mut self, node: u32, last: ActionId) -> (Vec<ActionId>, Listed) {
        self.passed = self.leaps_before(node);
        let mut chain = vec![node];
        while let Some((parent, _)) = self.nodes[chain[chain.len() - 1] as usize].parent {
            chain.push(parent);
        }
        chain.reverse();
        let mut path = Vec::new();
        let mut listed = Vec::new();
        // Who each thread of the present state really is.
        let mut real: Vec<InstanceId> = self.system.instances.ids().collect();
        for at in chain {
            let node = &self.nodes[at as usize];
            if let Some((_, action)) = node.parent {
                path.push(self.action_of(action, &real));
            }
            if let Some(became) = &node.became {
                let before = real.clone();
                for (from, to) in became.iter().enumerate() {
                    real[to.0 as usize] = before[from];
                }
            }
            let values = node.data.values.clone();
            listed.push(match &self.symmetry {
                Some(s) => {
                    let name = |v| s.renamed(v, |t| real[t.0 as usize]).unwrap_or(v);
                    let mut all: Vec<_> = values.iter().map(|(v, n)| (name(*v), *n)).collect();
                    all.sort_unstable();
                    all.into()
                }
                None => values,
            });
        }
        path.push(self.action_of(last, &real));
        (path, listed)
    }

    /// The same action of the thread that its thread really is.
    fn action_of(&self, id: ActionId, real: &[InstanceId]) -> ActionId {
        let action = self.system.get(id);
        let (t, to) = (action.thread.0 as usize, real[action.thread.0 as usize]);
        let at = action.from.0 as usize;
        let place = self.system.outgoing[t][at].iter().position(|a| *a == id);
        let there = &self.system.outgoing[to.0 as usize][at];
        place.and_then(|i| there.get(i)).copied().unwrap_or(id)
    }
}

fn subset(a: &[u32], b: &[u32]) -> bool {
    a.len() <= b.len() && a.iter().all(|x| b.binary_search(x).is_ok())
}
