//! Reachability as a transitive closure in bit sets: the textbook alternative to [`super::clocks`].
//!
//! Each node has a row with all nodes before it and a row with all nodes after it. An inserted edge ors the
//! source's row into the rows of everything after the target. Reasons are found by walking a path when asked
//! for. Costs `nodes²` bits and row-wide work for every affected node, however few facts are new.

use super::problem::NodeId;
use super::reach::{ChainId, Chains, Gain, Reachability};
use super::why::{Why, Whys};

enum Undo {
    Before(usize, u64),
    After(usize, u64),
    Edge(NodeId),
}

/// The closure.
#[derive(Default)]
pub struct BitClosure {
    words: usize,
    before: Vec<u64>,
    after: Vec<u64>,
    out: Vec<Vec<(NodeId, Why)>>,
    undo: Vec<Undo>,
}

fn bit(rows: &[u64], words: usize, row: NodeId, column: NodeId) -> bool {
    rows[row.index() * words + column.index() / 64] >> (column.index() % 64) & 1 == 1
}

impl BitClosure {
    fn neighbours<'a>(
        &'a self,
        chains: &'a Chains,
        node: NodeId,
    ) -> impl Iterator<Item = (NodeId, Why)> + 'a {
        let chain = chains.chain_of(node).0 as usize;
        let next = chains.nodes[chain].get(chains.position_of(node) as usize + 1);
        next.map(|&next| (next, Why::ALWAYS))
            .into_iter()
            .chain(self.out[node.index()].iter().copied())
    }
}

impl Reachability for BitClosure {
    fn reset(&mut self, chains: &Chains) {
        let count = chains.chain.len();
        self.words = count.div_ceil(64);
        self.before = vec![0; count * self.words];
        self.after = vec![0; count * self.words];
        self.out = vec![Vec::new(); count];
        self.undo.clear();
        let mut gains = Vec::new();
        let mut whys = Whys::default();
        for chain in &chains.nodes {
            for pair in chain.windows(2) {
                self.insert(chains, &mut whys, pair[0], pair[1], Why::ALWAYS, &mut gains);
                self.out[pair[0].index()].pop();
            }
        }
        for &(from, to) in &chains.cross {
            if self.reaches(chains, from, to) {
                self.out[from.index()].push((to, Why::ALWAYS));
            } else {
                self.insert(chains, &mut whys, from, to, Why::ALWAYS, &mut gains);
            }
        }
        self.undo.clear();
    }

    fn reaches(&self, _: &Chains, from: NodeId, to: NodeId) -> bool {
        bit(&self.before, self.words, to, from)
    }

    fn bound(&self, chains: &Chains, chain: ChainId, node: NodeId) -> u32 {
        let nodes = &chains.nodes[chain.0 as usize];
        nodes.partition_point(|&before| bit(&self.before, self.words, node, before)) as u32
    }

    fn why(&self, chains: &Chains, whys: &mut Whys, from: NodeId, to: NodeId) -> Why {
        // Breadth first, only through nodes that still lead to the target.
        let mut parent: std::collections::HashMap<NodeId, (NodeId, Why)> =
            std::collections::HashMap::new();
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            if node == to {
                break;
            }
            for (next, why) in self.neighbours(chains, node) {
                let leads = next == to || self.reaches(chains, next, to);
                if leads && next != from && !parent.contains_key(&next) {
                    parent.insert(next, (node, why));
                    queue.push_back(next);
                }
            }
        }
        let mut reason = Why::ALWAYS;
        let mut node = to;
        while let Some(&(before, why)) = parent.get(&node) {
            reason = whys.both(reason, why);
            node = before;
        }
        reason
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
        self.out[from.index()].push((to, why));
        self.undo.push(Undo::Edge(from));
        let words = self.words;
        let mut sources = self.before[from.index() * words..(from.index() + 1) * words].to_vec();
        sources[from.index() / 64] |= 1 << (from.index() % 64);
        let mut targets = self.after[to.index() * words..(to.index() + 1) * words].to_vec();
        targets[to.index() / 64] |= 1 << (to.index() % 64);
        let mut ranges: Vec<(u32, u32)> = vec![(u32::MAX, 0); chains.nodes.len()];
        for node in ones(&targets) {
            let mut touched = Vec::new();
            for (word, &wanted) in sources.iter().enumerate() {
                let index = node * words + word;
                let new = wanted & !self.before[index];
                if new == 0 {
                    continue;
                }
                self.undo.push(Undo::Before(index, self.before[index]));
                self.before[index] |= new;
                for source in ones(&[new]) {
                    let source = word * 64 + source;
                    let (chain, position) = (chains.chain[source], chains.position[source]);
                    let range = &mut ranges[chain.0 as usize];
                    if range.1 == 0 {
                        touched.push(chain);
                    }
                    *range = (range.0.min(position), range.1.max(position + 1));
                    let back = source * words + node / 64;
                    self.undo.push(Undo::After(back, self.after[back]));
                    self.after[back] |= 1 << (node % 64);
                }
            }
            for chain in touched {
                let (from, to) = std::mem::replace(&mut ranges[chain.0 as usize], (u32::MAX, 0));
                gains.push(Gain {
                    node: NodeId(node as u32),
                    chain,
                    from,
                    to,
                });
            }
        }
    }

    fn mark(&self) -> usize {
        self.undo.len()
    }

    fn undo(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Before(index, word)) => self.before[index] = word,
                Some(Undo::After(index, word)) => self.after[index] = word,
                Some(Undo::Edge(from)) => {
                    self.out[from.index()].pop();
                }
                None => return,
            }
        }
    }

    fn reasons(&mut self) -> Box<dyn Iterator<Item = &mut Why> + '_> {
        Box::new(self.out.iter_mut().flatten().map(|(_, why)| why))
    }
}

fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                index * 64 + bit
            })
        })
    })
}
