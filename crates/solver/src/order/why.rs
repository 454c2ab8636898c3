//! Reasons as a shared graph.
//!
//! A reason is a conjunction of literals and of always-occurring events, kept as a binary tree with sharing
//! and only flattened when a clause is really needed. Making one costs a constant; it never changes, so it
//! outlives the decision level that made it, which CaDiCaL needs when it asks for a reason late. Garbage is
//! collected when the arena has grown, by marking from the reasons still in use.

use super::problem::EventId;
use crate::sat::Lit;

/// A reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Why(u32);

impl Why {
    /// The reason without premises.
    pub const ALWAYS: Why = Why(0);
}

#[derive(Clone, Copy)]
enum Node {
    Always,
    Literal(Lit),
    Event(EventId),
    Both(Why, Why),
}

/// The arena of reasons.
pub struct Whys {
    nodes: Vec<Node>,
    stamps: Vec<u32>,
    stamp: u32,
    seen_literals: Vec<u32>,
}

impl Default for Whys {
    fn default() -> Whys {
        Whys {
            nodes: vec![Node::Always],
            stamps: vec![0],
            stamp: 0,
            seen_literals: Vec::new(),
        }
    }
}

/// The premises of a flattened reason.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Premises {
    /// Literals that are true.
    pub literals: Vec<Lit>,
    /// Always-occurring events whose occurrence was used.
    pub events: Vec<EventId>,
}

impl Whys {
    /// Number of reasons in the arena, dead ones included.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    fn push(&mut self, node: Node) -> Why {
        self.nodes.push(node);
        self.stamps.push(0);
        Why(self.nodes.len() as u32 - 1)
    }

    /// The reason that a literal is true.
    pub fn literal(&mut self, literal: Lit) -> Why {
        self.push(Node::Literal(literal))
    }

    /// The reason that an event occurs: its literal, or the event itself if it always does.
    pub fn occurrence(&mut self, event: EventId, occurs: Option<Lit>) -> Why {
        match occurs {
            Some(literal) => self.literal(literal),
            None => self.push(Node::Event(event)),
        }
    }

    /// Both reasons together.
    pub fn both(&mut self, a: Why, b: Why) -> Why {
        match (a, b) {
            (Why::ALWAYS, other) | (other, Why::ALWAYS) => other,
            _ if a == b => a,
            _ => self.push(Node::Both(a, b)),
        }
    }

    /// The premises of a reason, each once.
    pub fn flatten(&mut self, why: Why) -> Premises {
        self.stamp += 1;
        let mut premises = Premises::default();
        let mut stack = vec![why];
        while let Some(why) = stack.pop() {
            let index = why.0 as usize;
            if self.stamps[index] == self.stamp {
                continue;
            }
            self.stamps[index] = self.stamp;
            match self.nodes[index] {
                Node::Always => {}
                Node::Both(a, b) => stack.extend([a, b]),
                Node::Event(event) => premises.events.push(event),
                Node::Literal(literal) => {
                    let code = literal.code();
                    if self.seen_literals.len() <= code {
                        self.seen_literals.resize(code + 1, 0);
                    }
                    if self.seen_literals[code] != self.stamp {
                        self.seen_literals[code] = self.stamp;
                        premises.literals.push(literal);
                    }
                }
            }
        }
        premises.events.sort_unstable();
        premises.events.dedup();
        premises
    }

    /// Drops all reasons that are not reachable from the roots, and renumbers the roots.
    pub fn collect<'a>(&mut self, roots: impl Iterator<Item = &'a mut Why>) {
        let mut roots: Vec<&mut Why> = roots.collect();
        let mut keep = vec![false; self.nodes.len()];
        keep[0] = true;
        for root in &roots {
            keep[root.0 as usize] = true;
        }
        // Parts are older than the reasons made of them, so one backward sweep marks everything.
        for index in (0..self.nodes.len()).rev() {
            if let (true, Node::Both(a, b)) = (keep[index], self.nodes[index]) {
                keep[a.0 as usize] = true;
                keep[b.0 as usize] = true;
            }
        }
        let mut renamed = vec![Why::ALWAYS; self.nodes.len()];
        let mut kept = 0;
        for index in 0..self.nodes.len() {
            if keep[index] {
                renamed[index] = Why(kept as u32);
                self.nodes[kept] = match self.nodes[index] {
                    Node::Both(a, b) => Node::Both(renamed[a.0 as usize], renamed[b.0 as usize]),
                    other => other,
                };
                kept += 1;
            }
        }
        self.nodes.truncate(kept);
        self.stamps.truncate(kept);
        self.stamps.fill(0);
        for root in &mut roots {
            **root = renamed[root.0 as usize];
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.truncate(1);
        self.stamps.truncate(1);
    }
}
