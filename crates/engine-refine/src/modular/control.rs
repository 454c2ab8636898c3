//! The places of each thread: its locations, with how far its children are, and the actions between them.

use super::{Detail, RUNS, Where};
use crate::system::{ActionId, Outcome, Status, System};
use raddle_ccfg::{InstanceId, LocId};
use std::collections::HashMap;

/// More places of one thread than this, and its children are told apart less.
const MANY: usize = 500;

/// An index into [`Control::nodes`].
pub type NodeId = usize;

/// An action at a place.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    pub from: NodeId,
    pub action: ActionId,
    /// Where it leads, unless it is an error.
    pub to: Option<NodeId>,
}

/// All places and the actions between them.
pub struct Control {
    pub nodes: Vec<Where>,
    pub flows: Vec<Flow>,
    pub detail: Vec<Detail>,
    pub index: HashMap<Where, NodeId>,
    /// By thread.
    children: Vec<Vec<InstanceId>>,
    parent: Vec<Option<InstanceId>>,
    joined_by_others: Vec<bool>,
    /// By thread: the one of its crowd that is made, and whether it is of a crowd.
    crowd: Vec<(InstanceId, bool)>,
}

impl Control {
    pub fn new(system: &System) -> Control {
        let threads = system.instances.list.len();
        let parent = |t: InstanceId| system.instances.get(t).maker.map(|m| m.0);
        let mut control = Control {
            nodes: Vec::new(),
            flows: Vec::new(),
            detail: Vec::new(),
            index: HashMap::new(),
            children: system.children(),
            parent: system.instances.ids().map(parent).collect(),
            joined_by_others: system.joined_by_others(),
            crowd: system
                .instances
                .ids()
                .map(|t| (system.first_of(t), system.is_of_crowd(t)))
                .collect(),
        };
        for t in 0..threads {
            let details = [Detail::Full, Detail::Starts, Detail::Nothing];
            for detail in details {
                let (nodes, flows) = (control.nodes.len(), control.flows.len());
                control.detail.truncate(t);
                control.detail.push(detail);
                let last = detail == Detail::Nothing;
                if control.explore(system, InstanceId(t as u32), last) {
                    break;
                }
                for n in control.nodes.drain(nodes..) {
                    control.index.remove(&n);
                }
                control.flows.truncate(flows);
            }
        }
        control
    }

    fn node(&mut self, place: Where) -> NodeId {
        let new = self.nodes.len();
        let id = *self.index.entry(place.clone()).or_insert(new);
        if id == new {
            self.nodes.push(place);
        }
        id
    }

    /// The place where a thread begins.
    pub fn entry(&self, thread: InstanceId) -> Option<NodeId> {
        let place = self.first(thread);
        self.index.get(&place).copied()
    }

    fn first(&self, thread: InstanceId) -> Where {
        let detail = self.detail[thread.0 as usize];
        let count = self.children[thread.0 as usize].len();
        Where {
            thread,
            at: Status::At(LocId(0)),
            children: match detail {
                Detail::Nothing => Vec::new(),
                _ => vec![Status::Absent; count],
            },
        }
    }

    /// Finds all places of a thread; whether there are few enough.
    fn explore(&mut self, system: &System, thread: InstanceId, anyway: bool) -> bool {
        let first = self.first(thread);
        let begin = self.nodes.len();
        self.node(first);
        let mut next = begin;
        while next < self.nodes.len() {
            if self.nodes.len() - begin > MANY && !anyway {
                return false;
            }
            let from = next;
            next += 1;
            let Status::At(at) = self.nodes[from].at else {
                continue;
            };
            for id in &system.outgoing[thread.0 as usize][at.0 as usize] {
                let action = system.get(*id);
                let Some(children) = self.after(from, &action.control) else {
                    continue;
                };
                let to = match action.outcome {
                    Outcome::Next(at) => Some(self.node(Where {
                        thread,
                        at,
                        children,
                    })),
                    _ => None,
                };
                self.flows.push(Flow {
                    from,
                    action: *id,
                    to,
                });
            }
        }
        true
    }

    /// The children after an action, or `None` if they are not as it needs them.
    fn after(&self, from: NodeId, control: &[(InstanceId, Status, Status)]) -> Option<Vec<Status>> {
        let node = &self.nodes[from];
        let t = node.thread.0 as usize;
        let detail = self.detail[t];
        let mut children = node.children.clone();
        if detail == Detail::Nothing {
            return Some(children);
        }
        for (c, needed, after) in control {
            let Some(i) = self.children[t].iter().position(|x| x == c) else {
                continue;
            };
            let now = children[i];
            // One more of a crowd: once some run, some always do.
            if self.crowd[c.0 as usize].1 && needed != after {
                children[i] = match (now, needed) {
                    (Status::Absent, Status::Absent) | (Status::Made, Status::Made) => {
                        detail.seen(*after)
                    }
                    // One is made while another one waits: no more is known of either.
                    (RUNS, _) | (Status::Made, Status::Absent) => RUNS,
                    _ => return None,
                };
                continue;
            }
            let fits = match (needed, after) {
                (Status::Absent, Status::Absent) => now != Status::Absent,
                (Status::Absent | Status::Made, _) => now == *needed,
                (Status::Finished, _) => now == RUNS,
                // Others may have joined it, or it is not known.
                _ => {
                    let unknown = detail != Detail::Full || self.joined_by_others[c.0 as usize];
                    now == Status::Joined || now == RUNS && unknown
                }
            };
            if !fits {
                return None;
            }
            if needed != after {
                children[i] = detail.seen(*after);
            }
        }
        Some(children)
    }

    /// Whether two threads can be at these places at one time.
    pub fn together(&self, a: NodeId, b: NodeId) -> bool {
        self.sees(a, self.nodes[b].thread) && self.sees(b, self.nodes[a].thread)
    }

    /// Whether a thread at a place can have the other one running, or over and not joined.
    fn sees(&self, at: NodeId, other: InstanceId) -> bool {
        let node = &self.nodes[at];
        let t = node.thread.0 as usize;
        if self.detail[t] == Detail::Nothing {
            return true;
        }
        let mut below = self.crowd[other.0 as usize].0;
        let other = below;
        while let Some(p) = self.parent[below.0 as usize] {
            if p == node.thread {
                let i = self.children[t].iter().position(|c| *c == below);
                return match i.map(|i| node.children[i]) {
                    Some(RUNS) | None => true,
                    Some(Status::Joined) => below != other,
                    Some(_) => false,
                };
            }
            below = p;
        }
        true
    }
}
