//! Control-flow order, dominators and natural loops of one function.
//!
//! Dominators by the iteration of Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm", 2001). A loop is
//! a back edge's natural loop; back edges to one header make one loop. A cycle that is entered at more than one
//! block (by `goto`) is not a natural loop: [`LoopNest::irreducible`] names an edge of it, and engines that
//! unwind loops refuse the function.

use raddle_ir::{BlockId, Function, Terminator};

/// A loop of a function, an index into [`LoopNest::loops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub u32);

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The block every iteration begins with.
    pub header: BlockId,
    /// Its blocks, the header included, in ascending order.
    pub blocks: Vec<BlockId>,
}

/// The loops of a function and an order of its blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopNest {
    /// For every block its position in reverse post-order; `None` if it cannot be reached.
    pub position: Vec<Option<u32>>,
    /// The nearest block that every path to a block goes through; the entry's is itself.
    pub dominator: Vec<Option<BlockId>>,
    /// All loops.
    pub loops: Vec<Loop>,
    /// For every block the loops it is in, outermost first.
    pub around: Vec<Vec<LoopId>>,
    /// An edge that goes backwards without its target dominating its source.
    pub irreducible: Option<(BlockId, BlockId)>,
}

/// The blocks a terminator may go to, without repetition.
pub fn successors(terminator: &Terminator) -> Vec<BlockId> {
    let mut all = match terminator {
        Terminator::Goto(b) => vec![*b],
        Terminator::Branch {
            then, otherwise, ..
        } => vec![*then, *otherwise],
        Terminator::Switch { cases, default, .. } => {
            let mut all: Vec<BlockId> = cases.iter().map(|(_, b)| *b).collect();
            all.push(*default);
            all
        }
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    };
    all.sort_unstable();
    all.dedup();
    all
}

impl LoopNest {
    /// Computes everything for a function with a body.
    pub fn new(function: &Function) -> LoopNest {
        let order = reverse_post_order(function);
        let mut position = vec![None; function.blocks.len()];
        for (i, b) in order.iter().enumerate() {
            position[b.0 as usize] = Some(i as u32);
        }
        let mut predecessors = vec![Vec::new(); function.blocks.len()];
        for b in &order {
            for s in successors(&function.block(*b).terminator) {
                predecessors[s.0 as usize].push(*b);
            }
        }
        let dominator = dominators(&order, &position, &predecessors);
        let mut nest = LoopNest {
            position,
            dominator,
            loops: Vec::new(),
            around: vec![Vec::new(); function.blocks.len()],
            irreducible: None,
        };
        nest.find_loops(function, &order, &predecessors);
        nest
    }

    /// Whether every path to `b` goes through `a`.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let mut at = b;
        loop {
            if at == a {
                return true;
            }
            match self.dominator[at.0 as usize] {
                Some(up) if up != at => at = up,
                _ => return false,
            }
        }
    }

    fn find_loops(
        &mut self,
        function: &Function,
        order: &[BlockId],
        predecessors: &[Vec<BlockId>],
    ) {
        for &source in order {
            for header in successors(&function.block(source).terminator) {
                if self.position[header.0 as usize] > self.position[source.0 as usize] {
                    continue;
                }
                if !self.dominates(header, source) {
                    self.irreducible = Some((source, header));
                    continue;
                }
                let body = natural_loop(header, source, predecessors);
                match self.loops.iter_mut().find(|l| l.header == header) {
                    Some(known) => {
                        known.blocks.extend(body);
                        known.blocks.sort_unstable();
                        known.blocks.dedup();
                    }
                    None => self.loops.push(Loop {
                        header,
                        blocks: body,
                    }),
                }
            }
        }
        // Outer loops have more blocks than the loops inside them.
        self.loops
            .sort_by_key(|l| std::cmp::Reverse(l.blocks.len()));
        for (i, l) in self.loops.iter().enumerate() {
            for b in &l.blocks {
                self.around[b.0 as usize].push(LoopId(i as u32));
            }
        }
    }
}

fn reverse_post_order(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![(BlockId(0), 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        let all = successors(&function.block(*block).terminator);
        match all.get(*next) {
            Some(&s) => {
                *next += 1;
                if !std::mem::replace(&mut seen[s.0 as usize], true) {
                    stack.push((s, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn dominators(
    order: &[BlockId],
    position: &[Option<u32>],
    predecessors: &[Vec<BlockId>],
) -> Vec<Option<BlockId>> {
    let mut dominator: Vec<Option<BlockId>> = vec![None; position.len()];
    dominator[order[0].0 as usize] = Some(order[0]);
    let at = |b: BlockId| position[b.0 as usize];
    let mut changed = true;
    while changed {
        changed = false;
        for &b in &order[1..] {
            let mut new: Option<BlockId> = None;
            for &p in &predecessors[b.0 as usize] {
                if dominator[p.0 as usize].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => p,
                    Some(mut a) => {
                        let mut c = p;
                        while a != c {
                            // Climb from whichever is later; both end at the entry at the latest.
                            if at(a) > at(c) {
                                a = dominator[a.0 as usize].unwrap_or(order[0]);
                            } else {
                                c = dominator[c.0 as usize].unwrap_or(order[0]);
                            }
                        }
                        a
                    }
                });
            }
            if new != dominator[b.0 as usize] {
                dominator[b.0 as usize] = new;
                changed = true;
            }
        }
    }
    dominator
}

fn natural_loop(header: BlockId, source: BlockId, predecessors: &[Vec<BlockId>]) -> Vec<BlockId> {
    let mut body = vec![header];
    let mut todo = vec![source];
    while let Some(b) = todo.pop() {
        if !body.contains(&b) {
            body.push(b);
            todo.extend(&predecessors[b.0 as usize]);
        }
    }
    body.sort_unstable();
    body
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use raddle_ir::{Block, Operand, Span, Ty};

    pub(crate) fn graph(edges: &[&[u32]]) -> Function {
        let block = |targets: &&[u32]| Block {
            instrs: Vec::new(),
            terminator: match **targets {
                [] => Terminator::Return(None),
                [a] => Terminator::Goto(BlockId(a)),
                [a, b] => Terminator::Branch {
                    cond: Operand::int(Ty::I1, 1),
                    then: BlockId(a),
                    otherwise: BlockId(b),
                },
                _ => Terminator::Unreachable,
            },
            terminator_span: Span::NOWHERE,
        };
        Function {
            name: "f".into(),
            params: 0,
            ret: None,
            locals: Vec::new(),
            slots: Vec::new(),
            blocks: edges.iter().map(block).collect(),
            library: false,
            assembly: false,
            span: Span::NOWHERE,
        }
    }

    #[test]
    fn nested_loops_are_found_outermost_first() {
        // 0 → 1 → 2 → 2 (inner), 2 → 3 → 1 (outer), 1 → 4
        let nest = LoopNest::new(&graph(&[&[1], &[2, 4], &[2, 3], &[1], &[]]));
        assert_eq!(nest.irreducible, None);
        assert_eq!(nest.loops.len(), 2);
        let around: Vec<u32> = nest.around[2]
            .iter()
            .map(|l| nest.loops[l.0 as usize].header.0)
            .collect();
        assert_eq!(around, [1, 2]);
        assert!(nest.dominates(BlockId(1), BlockId(4)));
        assert!(!nest.dominates(BlockId(2), BlockId(4)));
    }

    #[test]
    fn a_jump_into_a_loop_is_noticed() {
        // 0 → 1 or 2; 1 ↔ 2
        let nest = LoopNest::new(&graph(&[&[1, 2], &[2, 3], &[1, 3], &[]]));
        assert!(nest.irreducible.is_some());
    }
}
