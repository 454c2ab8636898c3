//! Reachability by an incremental topological order (Pearce and Kelly, A Dynamic Topological Sort Algorithm
//! for Directed Acyclic Graphs, 2006): the other textbook alternative to [`super::clocks`].
//!
//! Only a total order of the nodes is kept; it prunes searches and stays valid when edges are removed, so
//! backtracking is free. The price is paid elsewhere: every question "who reaches whom" is a search, and
//! saturation asks it often.

use super::problem::NodeId;
use super::reach::{ChainId, Chains, Gain, Reachability};
use super::why::{Why, Whys};
use std::collections::{HashMap, VecDeque};

/// The order and the graph.
#[derive(Default)]
pub struct TopologicalOrder {
    rank: Vec<u32>,
    out: Vec<Vec<(NodeId, Why)>>,
    into: Vec<Vec<NodeId>>,
    inserted: Vec<(NodeId, NodeId)>,
}

impl TopologicalOrder {
    /// All nodes reachable backwards from a node, itself included.
    fn ancestors(&self, node: NodeId) -> Vec<NodeId> {
        self.search(node, |node, push| {
            self.into[node.index()]
                .iter()
                .for_each(|&before| push(before))
        })
    }

    fn descendants(&self, node: NodeId) -> Vec<NodeId> {
        self.search(node, |node, push| {
            self.out[node.index()]
                .iter()
                .for_each(|&(after, _)| push(after))
        })
    }

    fn search(&self, start: NodeId, next: impl Fn(NodeId, &mut dyn FnMut(NodeId))) -> Vec<NodeId> {
        let mut seen = vec![false; self.rank.len()];
        let mut found = vec![start];
        seen[start.index()] = true;
        let mut index = 0;
        while index < found.len() {
            let node = found[index];
            index += 1;
            next(node, &mut |other| {
                if !std::mem::replace(&mut seen[other.index()], true) {
                    found.push(other);
                }
            });
        }
        found
    }

    /// Breadth-first parents on the way to a node, pruned by rank.
    fn path(&self, from: NodeId, to: NodeId) -> Option<Vec<Why>> {
        let mut parent: HashMap<NodeId, (NodeId, Why)> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for &(next, why) in &self.out[node.index()] {
                if self.rank[next.index()] > self.rank[to.index()] || parent.contains_key(&next) {
                    continue;
                }
                parent.insert(next, (node, why));
                if next == to {
                    let mut reasons = Vec::new();
                    let mut node = to;
                    while node != from {
                        let (before, why) = parent[&node];
                        reasons.push(why);
                        node = before;
                    }
                    return Some(reasons);
                }
                queue.push_back(next);
            }
        }
        None
    }

    /// Moves the affected region so that the order fits the new edge.
    fn reorder(&mut self, from: NodeId, to: NodeId) {
        let (low, high) = (self.rank[to.index()], self.rank[from.index()]);
        if high < low {
            return;
        }
        let mut after: Vec<NodeId> = self
            .descendants(to)
            .into_iter()
            .filter(|node| self.rank[node.index()] <= high)
            .collect();
        let mut before: Vec<NodeId> = self
            .ancestors(from)
            .into_iter()
            .filter(|node| self.rank[node.index()] >= low)
            .collect();
        after.sort_unstable_by_key(|node| self.rank[node.index()]);
        before.sort_unstable_by_key(|node| self.rank[node.index()]);
        before.extend(after);
        let mut ranks: Vec<u32> = before.iter().map(|node| self.rank[node.index()]).collect();
        ranks.sort_unstable();
        for (node, rank) in before.into_iter().zip(ranks) {
            self.rank[node.index()] = rank;
        }
    }
}

impl Reachability for TopologicalOrder {
    fn reset(&mut self, chains: &Chains) {
        let count = chains.chain.len();
        self.rank = vec![0; count];
        self.out = vec![Vec::new(); count];
        self.into = vec![Vec::new(); count];
        self.inserted.clear();
        for (rank, node) in chains.sorted.iter().enumerate() {
            self.rank[node.index()] = rank as u32;
        }
        let inside = chains
            .nodes
            .iter()
            .flat_map(|chain| chain.windows(2).map(|pair| (pair[0], pair[1])));
        for (from, to) in inside.chain(chains.cross.iter().copied()) {
            self.out[from.index()].push((to, Why::ALWAYS));
            self.into[to.index()].push(from);
        }
    }

    fn reaches(&self, _: &Chains, from: NodeId, to: NodeId) -> bool {
        self.rank[from.index()] < self.rank[to.index()] && self.path(from, to).is_some()
    }

    fn bound(&self, chains: &Chains, chain: ChainId, node: NodeId) -> u32 {
        let before = self
            .ancestors(node)
            .into_iter()
            .filter(|&other| other != node);
        let mine = before.filter(|&other| chains.chain_of(other) == chain);
        mine.map(|other| chains.position_of(other) + 1)
            .max()
            .unwrap_or(0)
    }

    fn why(&self, _: &Chains, whys: &mut Whys, from: NodeId, to: NodeId) -> Why {
        let path = self.path(from, to).unwrap_or_default();
        path.into_iter()
            .fold(Why::ALWAYS, |reason, why| whys.both(reason, why))
    }

    fn insert(
        &mut self,
        chains: &Chains,
        _: &mut Whys,
        from: NodeId,
        to: NodeId,
        why: Why,
        gains: &mut Vec<Gain>,
    ) {
        self.reorder(from, to);
        self.out[from.index()].push((to, why));
        self.into[to.index()].push(from);
        self.inserted.push((from, to));
        let mut bounds = vec![0u32; chains.nodes.len()];
        for node in self.ancestors(from) {
            let bound = &mut bounds[chains.chain_of(node).0 as usize];
            *bound = (*bound).max(chains.position_of(node) + 1);
        }
        for node in self.descendants(to) {
            for (chain, &to) in bounds.iter().enumerate().filter(|&(_, &bound)| bound > 0) {
                gains.push(Gain {
                    node,
                    chain: ChainId(chain as u32),
                    from: 0,
                    to,
                });
            }
        }
    }

    fn mark(&self) -> usize {
        self.inserted.len()
    }

    fn undo(&mut self, mark: usize) {
        while self.inserted.len() > mark {
            let Some((from, to)) = self.inserted.pop() else {
                return;
            };
            self.out[from.index()].pop();
            self.into[to.index()].pop();
        }
    }

    fn reasons(&mut self) -> Box<dyn Iterator<Item = &mut Why> + '_> {
        Box::new(self.out.iter_mut().flatten().map(|(_, why)| why))
    }
}
