//! What the theory needs to know about reachability in the order graph, and the decomposition into chains.
//!
//! Three implementations compete: vector clocks over chains ([`super::clocks`]), a transitive closure in bit
//! sets ([`super::closure`]) and an incremental topological order ([`super::topological`]). The decision note
//! on the ordering theory holds the measurements.

use super::problem::{NodeId, OrderProblem};
use super::why::{Why, Whys};

/// A chain of the fixed order: nodes of which each comes before the next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ChainId(pub u32);

/// A node has new predecessors: those of `chain` at positions `from..to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gain {
    /// The node.
    pub node: NodeId,
    /// The chain of the new predecessors.
    pub chain: ChainId,
    /// First position that is new (an implementation may name a smaller one).
    pub from: u32,
    /// One past the last position.
    pub to: u32,
}

/// The fixed order of a problem, decomposed into chains.
#[derive(Clone, Default, Debug)]
pub struct Chains {
    /// The chain of each node.
    pub chain: Vec<ChainId>,
    /// The position of each node in its chain.
    pub position: Vec<u32>,
    /// The nodes of each chain.
    pub nodes: Vec<Vec<NodeId>>,
    /// Fixed edges between nodes that are not neighbours in one chain.
    pub cross: Vec<(NodeId, NodeId)>,
    /// All nodes, earlier ones first.
    pub sorted: Vec<NodeId>,
}

impl Chains {
    /// Decomposes the fixed order greedily; `None` if it has a cycle.
    pub fn of(problem: &OrderProblem) -> Option<Chains> {
        let count = problem.nodes().len();
        let mut out: Vec<Vec<NodeId>> = vec![Vec::new(); count];
        let mut incoming = vec![0u32; count];
        for &(before, after) in problem.fixed_edges() {
            let (a, b) = (problem.event(before), problem.event(after));
            if a.node == b.node {
                if a.position >= b.position {
                    return None;
                }
                continue;
            }
            out[a.node.index()].push(b.node);
            incoming[b.node.index()] += 1;
        }
        let mut chains = Chains {
            chain: vec![ChainId(u32::MAX); count],
            position: vec![0; count],
            ..Chains::default()
        };
        let mut predecessors: Vec<Vec<NodeId>> = vec![Vec::new(); count];
        for (from, targets) in out.iter().enumerate() {
            for target in targets {
                predecessors[target.index()].push(NodeId(from as u32));
            }
        }
        let mut ready: Vec<NodeId> = (0..count as u32)
            .map(NodeId)
            .filter(|node| incoming[node.index()] == 0)
            .collect();
        ready.reverse();
        while let Some(node) = ready.pop() {
            chains.sorted.push(node);
            let tail = predecessors[node.index()].iter().copied().find(|before| {
                let chain = chains.chain[before.index()];
                chains.nodes[chain.0 as usize].last() == Some(before)
            });
            let chain = match tail {
                Some(before) => chains.chain[before.index()],
                None => {
                    chains.nodes.push(Vec::new());
                    ChainId(chains.nodes.len() as u32 - 1)
                }
            };
            let members = &mut chains.nodes[chain.0 as usize];
            chains.chain[node.index()] = chain;
            chains.position[node.index()] = members.len() as u32;
            members.push(node);
            for &before in &predecessors[node.index()] {
                if Some(before) != tail {
                    chains.cross.push((before, node));
                }
            }
            for after in out[node.index()].iter().rev() {
                incoming[after.index()] -= 1;
                if incoming[after.index()] == 0 {
                    ready.push(*after);
                }
            }
        }
        (chains.sorted.len() == count).then_some(chains)
    }

    /// The chain of a node.
    pub fn chain_of(&self, node: NodeId) -> ChainId {
        self.chain[node.index()]
    }

    /// The position of a node in its chain.
    pub fn position_of(&self, node: NodeId) -> u32 {
        self.position[node.index()]
    }
}

/// Reachability in a growing and shrinking acyclic graph.
pub trait Reachability: Default {
    /// Starts again with the fixed order only.
    fn reset(&mut self, chains: &Chains);

    /// Whether there is a path from one node to another.
    fn reaches(&self, chains: &Chains, from: NodeId, to: NodeId) -> bool;

    /// The positions of a chain that reach a node are those below this number.
    fn bound(&self, chains: &Chains, chain: ChainId, node: NodeId) -> u32;

    /// Why there is a path from one node to another, which must exist.
    fn why(&self, chains: &Chains, whys: &mut Whys, from: NodeId, to: NodeId) -> Why;

    /// Adds an edge that closes no cycle and reports who gained predecessors.
    fn insert(
        &mut self,
        chains: &Chains,
        whys: &mut Whys,
        from: NodeId,
        to: NodeId,
        why: Why,
        gains: &mut Vec<Gain>,
    );

    /// The state now, to return to.
    fn mark(&self) -> usize;

    /// Returns to an earlier state.
    fn undo(&mut self, mark: usize);

    /// All reasons that are held.
    fn reasons(&mut self) -> Box<dyn Iterator<Item = &mut Why> + '_>;
}
