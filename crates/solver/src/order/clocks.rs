//! Reachability by vector clocks over chains.
//!
//! The fixed order consists of few long chains (threads). A node stores, for each chain, how much of it comes
//! before the node; since a chain is ordered, that number is the whole closure, in `nodes × chains` words
//! instead of `nodes²` bits. An inserted edge only touches nodes whose clock really grows, which is also the
//! list of new facts that saturation needs. Each entry carries the reason for its last growth, so that
//! explaining needs no search. The idea is that of vector time (Mattern 1989), used for reads-from
//! consistency by Pavlogiannis (Fast, Sound and Effectively Complete Dynamic Race Prediction, POPL 2020).
//!
//! Weak spot: problems whose fixed order has nearly as many chains as nodes.

use super::problem::NodeId;
use super::reach::{ChainId, Chains, Gain, Reachability};
use super::why::{Why, Whys};

#[derive(Clone, Copy)]
struct Entry {
    bound: u32,
    why: Why,
}

enum Undo {
    Entry(usize, Entry),
    Edge(NodeId),
}

/// The clocks of all nodes.
#[derive(Default)]
pub struct ChainClocks {
    stride: usize,
    entries: Vec<Entry>,
    fixed_out: Vec<Vec<NodeId>>,
    out: Vec<Vec<(NodeId, Why)>>,
    undo: Vec<Undo>,
    pending: Vec<(NodeId, Vec<(usize, Entry)>)>,
    spare: Vec<Vec<(usize, Entry)>>,
}

impl ChainClocks {
    fn entry(&self, node: NodeId, chain: ChainId) -> &Entry {
        &self.entries[node.index() * self.stride + chain.0 as usize]
    }

    fn delta(&mut self) -> Vec<(usize, Entry)> {
        self.spare.pop().unwrap_or_default()
    }
}

impl Reachability for ChainClocks {
    fn reset(&mut self, chains: &Chains) {
        let count = chains.chain.len();
        self.stride = chains.nodes.len();
        self.entries = vec![
            Entry {
                bound: 0,
                why: Why::ALWAYS
            };
            count * self.stride
        ];
        self.fixed_out = vec![Vec::new(); count];
        self.out = vec![Vec::new(); count];
        self.undo.clear();
        let mut incoming: Vec<Vec<NodeId>> = vec![Vec::new(); count];
        for &(from, to) in &chains.cross {
            self.fixed_out[from.index()].push(to);
            incoming[to.index()].push(from);
        }
        for &node in &chains.sorted {
            let position = chains.position_of(node);
            let chain = chains.chain_of(node);
            if position > 0 {
                incoming[node.index()].push(chains.nodes[chain.0 as usize][position as usize - 1]);
            }
            for before in std::mem::take(&mut incoming[node.index()]) {
                for other in 0..self.stride {
                    let bound = self.entries[before.index() * self.stride + other].bound;
                    let entry = &mut self.entries[node.index() * self.stride + other];
                    entry.bound = entry.bound.max(bound);
                }
                let own = chains.chain_of(before).0 as usize;
                let entry = &mut self.entries[node.index() * self.stride + own];
                entry.bound = entry.bound.max(chains.position_of(before) + 1);
            }
        }
    }

    fn reaches(&self, chains: &Chains, from: NodeId, to: NodeId) -> bool {
        self.entry(to, chains.chain_of(from)).bound > chains.position_of(from)
    }

    fn bound(&self, _: &Chains, chain: ChainId, node: NodeId) -> u32 {
        self.entry(node, chain).bound
    }

    fn why(&self, chains: &Chains, _: &mut Whys, from: NodeId, to: NodeId) -> Why {
        self.entry(to, chains.chain_of(from)).why
    }

    fn insert(
        &mut self,
        chains: &Chains,
        whys: &mut Whys,
        from: NodeId,
        to: NodeId,
        why: Why,
        gains: &mut Vec<Gain>,
    ) {
        self.out[from.index()].push((to, why));
        self.undo.push(Undo::Edge(from));
        let mut delta = self.delta();
        let own = chains.chain_of(from).0 as usize;
        for chain in 0..self.stride {
            let known = self.entries[to.index() * self.stride + chain].bound;
            let source = self.entries[from.index() * self.stride + chain];
            if chain == own {
                let bound = chains.position_of(from) + 1;
                if bound > known {
                    delta.push((chain, Entry { bound, why }));
                }
            } else if source.bound > known {
                let why = whys.both(source.why, why);
                delta.push((
                    chain,
                    Entry {
                        bound: source.bound,
                        why,
                    },
                ));
            }
        }
        self.pending.push((to, delta));
        while let Some((mut node, mut delta)) = self.pending.pop() {
            // Along a chain reasons do not change, so the walk carries one shrinking list.
            loop {
                let base = node.index() * self.stride;
                delta.retain(|&(chain, new)| {
                    let entry = &mut self.entries[base + chain];
                    if new.bound <= entry.bound {
                        return false;
                    }
                    let chain_id = ChainId(chain as u32);
                    gains.push(Gain {
                        node,
                        chain: chain_id,
                        from: entry.bound,
                        to: new.bound,
                    });
                    self.undo.push(Undo::Entry(base + chain, *entry));
                    *entry = new;
                    true
                });
                if delta.is_empty() {
                    break;
                }
                for index in 0..self.fixed_out[node.index()].len() {
                    let mut copy = self.delta();
                    copy.extend_from_slice(&delta);
                    self.pending
                        .push((self.fixed_out[node.index()][index], copy));
                }
                for index in 0..self.out[node.index()].len() {
                    let (target, edge) = self.out[node.index()][index];
                    let mut extended = self.delta();
                    let goal = target.index() * self.stride;
                    for &(chain, new) in &delta {
                        if new.bound > self.entries[goal + chain].bound {
                            let why = whys.both(new.why, edge);
                            extended.push((
                                chain,
                                Entry {
                                    bound: new.bound,
                                    why,
                                },
                            ));
                        }
                    }
                    self.pending.push((target, extended));
                }
                let chain = chains.chain_of(node).0 as usize;
                match chains.nodes[chain].get(chains.position_of(node) as usize + 1) {
                    Some(&next) => node = next,
                    None => break,
                }
            }
            delta.clear();
            self.spare.push(delta);
        }
    }

    fn mark(&self) -> usize {
        self.undo.len()
    }

    fn undo(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Entry(index, entry)) => self.entries[index] = entry,
                Some(Undo::Edge(from)) => {
                    self.out[from.index()].pop();
                }
                None => return,
            }
        }
    }

    fn reasons(&mut self) -> Box<dyn Iterator<Item = &mut Why> + '_> {
        let entries = self.entries.iter_mut().map(|entry| &mut entry.why);
        let edges = self.out.iter_mut().flatten().map(|(_, why)| why);
        let saved = self.undo.iter_mut().filter_map(|undo| match undo {
            Undo::Entry(_, entry) => Some(&mut entry.why),
            Undo::Edge(_) => None,
        });
        Box::new(entries.chain(edges).chain(saved))
    }
}
