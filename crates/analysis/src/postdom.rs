//! Post-dominators, control dependence, and where the ways of a branch meet again.
//!
//! A block post-dominates another if every way from there to the end goes through it. Dominators of the reversed
//! graph by the iteration of Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm", 2001); control
//! dependence after Ferrante, Ottenstein and Warren ("The program dependence graph and its use in optimization",
//! 1987). All ends (returns, unreachable ends) lead to one exit that is no block. A loop that never ends has no way
//! there: from each such region one edge to the exit is imagined, from its last block in reverse post-order, so that
//! every block has a post-dominator. Ends by `exit`, `abort`, a violation or a failed assume are not edges.

use crate::loops::{LoopNest, successors};
use raddle_ir::{BlockId, Function};

/// Post-dominators of the reachable blocks of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostDominators {
    /// For each reachable block the nearest block that every way to the end goes through; `None` means only the
    /// exit does.
    nearest: Vec<Option<BlockId>>,
    /// For each block, the blocks whose decision it depends on.
    controlled_by: Vec<Vec<BlockId>>,
    imagined: Vec<BlockId>,
}

impl PostDominators {
    /// Computes everything for a function with a body.
    pub fn new(function: &Function, nest: &LoopNest) -> PostDominators {
        let n = function.blocks.len();
        let exit = n;
        let mut order: Vec<usize> = (0..n).filter(|b| nest.position[*b].is_some()).collect();
        order.sort_by_key(|b| nest.position[*b]);
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
        let mut previous: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
        for &b in &order {
            let all = successors(&function.blocks[b].terminator);
            next[b] = all.iter().map(|s| s.0 as usize).collect();
            if next[b].is_empty() {
                next[b].push(exit);
            }
            for &s in &next[b] {
                previous[s].push(b);
            }
        }
        let mut imagined = Vec::new();
        loop {
            let reaches = backwards(&previous, exit);
            match order.iter().rev().find(|b| !reaches[**b]) {
                None => break,
                Some(&b) => {
                    next[b].push(exit);
                    previous[exit].push(b);
                    imagined.push(BlockId(b as u32));
                }
            }
        }
        let up = dominators(&next, &previous, exit);
        let mut controlled_by = vec![Vec::new(); n];
        for &b in &order {
            if next[b].len() < 2 {
                continue;
            }
            for &s in &next[b] {
                // Everything from `s` up to what `b` must reach anyway depends on this decision.
                let mut at = s;
                while at != exit && Some(at) != up[b] {
                    controlled_by[at].push(BlockId(b as u32));
                    at = up[at].unwrap_or(exit);
                }
            }
        }
        for all in &mut controlled_by {
            all.sort_unstable();
            all.dedup();
        }
        let nearest = (0..n)
            .map(|b| up[b].filter(|u| *u != exit).map(|u| BlockId(u as u32)))
            .collect();
        PostDominators {
            nearest,
            controlled_by,
            imagined,
        }
    }

    /// The nearest block, other than this, that every way to the end goes through: for a branch, where its ways meet
    /// again.
    pub fn merging_point(&self, b: BlockId) -> Option<BlockId> {
        self.nearest[b.0 as usize]
    }

    /// Whether every way from `b` to the end goes through `a`.
    pub fn post_dominates(&self, a: BlockId, b: BlockId) -> bool {
        let mut at = Some(b);
        while let Some(x) = at {
            if x == a {
                return true;
            }
            at = self.nearest[x.0 as usize];
        }
        false
    }

    /// The blocks whose decision settles whether this one runs.
    pub fn controlled_by(&self, b: BlockId) -> &[BlockId] {
        &self.controlled_by[b.0 as usize]
    }

    /// Blocks of endless loops from which a way to the exit was imagined.
    pub fn imagined_ends(&self) -> &[BlockId] {
        &self.imagined
    }
}

fn backwards(previous: &[Vec<usize>], exit: usize) -> Vec<bool> {
    let mut seen = vec![false; previous.len()];
    let mut todo = vec![exit];
    seen[exit] = true;
    while let Some(b) = todo.pop() {
        for &p in &previous[b] {
            if !std::mem::replace(&mut seen[p], true) {
                todo.push(p);
            }
        }
    }
    seen
}

/// Immediate dominators of the reversed graph, from the exit; the exit's is itself.
fn dominators(next: &[Vec<usize>], previous: &[Vec<usize>], exit: usize) -> Vec<Option<usize>> {
    let mut post_order = Vec::new();
    let mut seen = vec![false; next.len()];
    let mut stack = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((b, i)) = stack.last_mut() {
        match previous[*b].get(*i) {
            Some(&p) => {
                *i += 1;
                if !std::mem::replace(&mut seen[p], true) {
                    stack.push((p, 0));
                }
            }
            None => {
                post_order.push(*b);
                stack.pop();
            }
        }
    }
    let mut position = vec![usize::MAX; next.len()];
    for (i, b) in post_order.iter().rev().enumerate() {
        position[*b] = i;
    }
    let mut up: Vec<Option<usize>> = vec![None; next.len()];
    up[exit] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &b in post_order.iter().rev().skip(1) {
            let mut new: Option<usize> = None;
            for &s in next[b].iter().filter(|s| up[**s].is_some()) {
                new = Some(match new {
                    None => s,
                    Some(mut a) => {
                        let mut c = s;
                        while a != c {
                            if position[a] > position[c] {
                                a = up[a].unwrap_or(exit);
                            } else {
                                c = up[c].unwrap_or(exit);
                            }
                        }
                        a
                    }
                });
            }
            if new != up[b] {
                up[b] = new;
                changed = true;
            }
        }
    }
    up
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::tests::graph;

    fn of(edges: &[&[u32]]) -> PostDominators {
        let function = graph(edges);
        PostDominators::new(&function, &LoopNest::new(&function))
    }

    #[test]
    fn the_ways_of_a_branch_meet() {
        // 0 → 1 or 2, both → 3
        let p = of(&[&[1, 2], &[3], &[3], &[]]);
        assert_eq!(p.merging_point(BlockId(0)), Some(BlockId(3)));
        assert_eq!(p.controlled_by(BlockId(1)), [BlockId(0)]);
        assert!(p.controlled_by(BlockId(3)).is_empty());
        assert!(p.post_dominates(BlockId(3), BlockId(1)));
        assert!(!p.post_dominates(BlockId(1), BlockId(0)));
    }

    #[test]
    fn a_loop_depends_on_its_own_decision() {
        // 0 → 1 → 2 → 1, 1 → 3
        let p = of(&[&[1], &[2, 3], &[1], &[]]);
        assert_eq!(p.controlled_by(BlockId(2)), [BlockId(1)]);
        assert_eq!(p.controlled_by(BlockId(1)), [BlockId(1)]);
        assert_eq!(p.merging_point(BlockId(1)), Some(BlockId(3)));
    }

    #[test]
    fn two_returns_meet_only_at_the_exit() {
        let p = of(&[&[1, 2], &[], &[]]);
        assert_eq!(p.merging_point(BlockId(0)), None);
    }

    #[test]
    fn an_endless_loop_gets_an_end() {
        // 0 → 1 or 3; 1 → 2 → 1 for ever
        let p = of(&[&[1, 3], &[2], &[1], &[]]);
        assert_eq!(p.imagined_ends(), [BlockId(2)]);
        assert_eq!(p.merging_point(BlockId(1)), Some(BlockId(2)));
        assert_eq!(p.merging_point(BlockId(0)), None);
    }
}
