//! The product of all threads and the proof automaton, on the fly and reduced, searched for an error.
//!
//! A state is where every thread stands, what is known of the data, and which threads sleep. Sleep sets (Godefroid, "Partial-order
//! methods for the verification of concurrent systems", 1996) are part of the state, so the reduction is a property of the set of
//! runs and not of the search: of each class of runs that differ by the order of independent actions, one is kept. A state is
//! covered by one that knows less, at the same places with the same values, and in which no more threads sleep.

use crate::abstraction::{Abstraction, Assertion};
use crate::independence::Independence;
use crate::logic::{Logic, NoAnswer};
use crate::system::{ActionId, Outcome, Status, System, allows};
use raddle_ccfg::{InstanceId, LocId};
use raddle_verdict::Budget;
use std::collections::HashMap;
use std::rc::Rc;

/// How a search ended.
pub enum Searched {
    /// No error can be reached.
    Exhausted,
    /// This run leads to an error, as far as the automaton can tell.
    Hit(Vec<ActionId>),
    /// Too many states.
    Full,
    /// Out of time.
    Stopped,
}

/// Threads by number.
pub type Sleep = u64;

type Places = Rc<[Status]>;

struct Node {
    places: Places,
    data: Assertion,
    sleep: Sleep,
    parent: Option<(u32, ActionId)>,
}

struct Frame {
    node: u32,
    /// Threads still to be looked at, the next one last.
    threads: Vec<InstanceId>,
    /// Actions of the present thread still to be looked at.
    actions: Vec<ActionId>,
    present: Option<InstanceId>,
    done: Sleep,
}

/// A search.
pub struct Search<'a> {
    pub system: &'a mut System,
    pub abstraction: &'a mut Abstraction,
    pub logic: &'a mut Logic,
    pub independence: &'a mut Independence,
    pub budget: &'a Budget,
    /// Leave out what only differs by the order of independent actions.
    pub reduce: bool,
    /// States at most.
    pub limit: usize,
    /// Threads beyond the instances are left out.
    pub ignore_surplus: bool,
    nodes: Vec<Node>,
    #[allow(clippy::type_complexity)]
    visited: HashMap<(Places, Rc<[(crate::system::VarId, u128)]>), Vec<(Rc<[u32]>, Sleep)>>,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub fn new(
        system: &'a mut System,
        abstraction: &'a mut Abstraction,
        logic: &'a mut Logic,
        independence: &'a mut Independence,
        budget: &'a Budget,
    ) -> Search<'a> {
        Search {
            system,
            abstraction,
            logic,
            independence,
            budget,
            reduce: true,
            limit: usize::MAX,
            ignore_surplus: false,
            nodes: Vec::new(),
            visited: HashMap::new(),
        }
    }

    /// How many states there were.
    pub fn states(&self) -> usize {
        self.nodes.len()
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
        let first = self.add(places.into(), data, 0, None);
        let mut stack = vec![self.frame(first.unwrap_or(0), None)];
        let mut ticks = 0u32;
        while let Some(frame) = stack.last_mut() {
            let Some(id) = frame.actions.pop() else {
                if let Some(t) = frame.present.take() {
                    frame.done |= 1 << t.0;
                }
                match frame.threads.pop() {
                    Some(t) => {
                        frame.present = Some(t);
                        let node = &self.nodes[frame.node as usize];
                        if let Status::At(at) = node.places[t.0 as usize] {
                            let all = &self.system.outgoing[t.0 as usize][at.0 as usize];
                            frame.actions = all.iter().rev().copied().collect();
                        }
                    }
                    None => drop(stack.pop()),
                }
                continue;
            };
            ticks += 1;
            if ticks.is_multiple_of(256) && self.budget.stopped().is_some() {
                return Ok(Searched::Stopped);
            }
            let (from, done) = (frame.node, frame.done);
            let node = &self.nodes[from as usize];
            let action = self.system.get(id);
            let allowed = action
                .control
                .iter()
                .all(|(t, needed, after)| allows(*needed, *after, node.places[t.0 as usize]));
            if !allowed {
                continue;
            }
            let data = node.data.clone();
            let after = self.abstraction.post(self.system, self.logic, &data, id)?;
            let Some(after) = after else {
                continue;
            };
            let action = self.system.get(id);
            if self.ignore_surplus && action.outcome == Outcome::TooMany {
                continue;
            }
            let Outcome::Next(status) = action.outcome else {
                let mut path = self.path(from);
                path.push(id);
                return Ok(Searched::Hit(path));
            };
            let node = &self.nodes[from as usize];
            let mut places: Vec<Status> = node.places.to_vec();
            for (t, needed, then) in &action.control {
                if *needed != *then {
                    places[t.0 as usize] = *then;
                }
            }
            places[action.thread.0 as usize] = status;
            let thread = action.thread;
            let mut sleep = 0;
            if self.reduce {
                for t in 0..places.len() {
                    let asleep = (node.sleep | done) >> t & 1 == 1;
                    if let (true, Status::At(at)) = (asleep, node.places[t]) {
                        let other = InstanceId(t as u32);
                        if self.independence.commutes(self.system, id, other, at) {
                            sleep |= 1 << t;
                        }
                    }
                }
            }
            if let Some(new) = self.add(places.into(), after, sleep, Some((from, id))) {
                if self.nodes.len() > self.limit {
                    return Ok(Searched::Full);
                }
                let frame = self.frame(new, Some(thread));
                stack.push(frame);
            }
        }
        Ok(Searched::Exhausted)
    }

    /// A new state, unless it is covered.
    fn add(
        &mut self,
        places: Places,
        data: Assertion,
        sleep: Sleep,
        parent: Option<(u32, ActionId)>,
    ) -> Option<u32> {
        let key = (places.clone(), data.values.clone());
        let seen = self.visited.entry(key).or_default();
        let covers = |(known, asleep): &(Rc<[u32]>, Sleep)| {
            asleep & !sleep == 0 && subset(known, &data.predicates)
        };
        if seen.iter().any(covers) {
            return None;
        }
        seen.push((data.predicates.clone(), sleep));
        self.nodes.push(Node {
            places,
            data,
            sleep,
            parent,
        });
        Some(self.nodes.len() as u32 - 1)
    }

    fn frame(&self, node: u32, last: Option<InstanceId>) -> Frame {
        let n = &self.nodes[node as usize];
        let mut threads: Vec<InstanceId> = (0..n.places.len() as u32)
            .filter(|t| matches!(n.places[*t as usize], Status::At(_)) && n.sleep >> t & 1 == 0)
            .map(InstanceId)
            .collect();
        // Popped from the end: the thread that ran last goes on first.
        threads.reverse();
        if let Some(last) = last
            && let Some(at) = threads.iter().position(|t| *t == last)
        {
            let t = threads.remove(at);
            threads.push(t);
        }
        Frame {
            node,
            threads,
            actions: Vec::new(),
            present: None,
            done: 0,
        }
    }

    fn path(&self, node: u32) -> Vec<ActionId> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some((parent, action)) = self.nodes[at as usize].parent {
            path.push(action);
            at = parent;
        }
        path.reverse();
        path
    }
}

fn subset(a: &[u32], b: &[u32]) -> bool {
    a.len() <= b.len() && a.iter().all(|x| b.binary_search(x).is_ok())
}
