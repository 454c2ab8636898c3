//! Path conditions as a tree.
//!
//! A guard is the conjunction of the conditions from the root to its node. Executing a branch adds a child; merging two
//! guards goes back to their lowest common ancestor and adds what is left of both as one disjunction, or nothing if
//! the two are the sides of one decision. So "whenever `a` holds, `b` holds" is mostly a question of ancestry, which needs no
//! solver, and conditions stay as short as the program's own.

use raddle_solver::term::{Term, TermId, TermPool};

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guard(pub u32);

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    depth: u32,
    condition: TermId,
    term: TermId,
    jump: u32,
    /// The nearest node with a link, itself included; 0 if none.
    linked: u32,
}

/// The tree.
#[derive(Clone, Debug)]
pub struct Guards {
    nodes: Vec<Node>,
    /// Guards that a node implies although they lie elsewhere in the tree: at a join, the end of the other thread.
    links: std::collections::HashMap<u32, Guard>,
}

impl Guard {
    /// Always true.
    pub const TRUE: Guard = Guard(0);
}

impl Guards {
    /// The tree with the root alone.
    pub fn new(pool: &mut TermPool) -> Guards {
        let yes = pool.bool(true);
        let root = Node {
            parent: 0,
            depth: 0,
            condition: yes,
            term: yes,
            jump: 0,
            linked: 0,
        };
        Guards {
            nodes: vec![root],
            links: std::collections::HashMap::new(),
        }
    }

    fn node(&self, g: Guard) -> &Node {
        &self.nodes[g.0 as usize]
    }

    /// The whole conjunction.
    pub fn term(&self, g: Guard) -> TermId {
        self.node(g).term
    }

    /// Whether it is known to be unsatisfiable.
    pub fn is_false(&self, pool: &TermPool, g: Guard) -> bool {
        matches!(pool.term(self.term(g)), Term::Bool(false))
    }

    /// `g` and a condition.
    pub fn and(&mut self, pool: &mut TermPool, g: Guard, condition: TermId) -> Guard {
        if matches!(pool.term(condition), Term::Bool(true)) {
            return g;
        }
        // Seen just before: nothing new. (Looking further up costs more than it brings.)
        if self.node(g).condition == condition {
            return g;
        }
        let parent = *self.node(g);
        let term = pool.and(parent.term, condition);
        if term == parent.term {
            return g;
        }
        let id = self.nodes.len() as u32;
        // Skew-binary jump pointers: ancestors in logarithmic time.
        let up = self.nodes[parent.jump as usize];
        let far = self.nodes[up.jump as usize];
        let jump = match parent.depth - up.depth == up.depth - far.depth {
            true => up.jump,
            false => g.0,
        };
        self.nodes.push(Node {
            parent: g.0,
            depth: parent.depth + 1,
            condition,
            term,
            jump,
            linked: parent.linked,
        });
        Guard(id)
    }

    fn ancestor_at(&self, g: Guard, depth: u32) -> Guard {
        let mut at = g.0;
        while self.nodes[at as usize].depth > depth {
            let node = &self.nodes[at as usize];
            at = match self.nodes[node.jump as usize].depth >= depth {
                true => node.jump,
                false => node.parent,
            };
        }
        Guard(at)
    }

    /// Whether `b` is known to hold whenever `a` does.
    pub fn implies(&self, a: Guard, b: Guard) -> bool {
        let depth = self.node(b).depth;
        if self.node(a).depth >= depth && self.ancestor_at(a, depth) == b {
            return true;
        }
        let mut at = self.node(a).linked;
        while at != 0 {
            if self.implies(self.links[&at], b) {
                return true;
            }
            at = self.nodes[self.nodes[at as usize].parent as usize].linked;
        }
        false
    }

    /// States that a guard, made just now, implies another one.
    pub fn link(&mut self, g: Guard, implied: Guard) {
        self.links.insert(g.0, implied);
        self.nodes[g.0 as usize].linked = g.0;
    }

    fn common(&self, a: Guard, b: Guard) -> Guard {
        let depth = self.node(a).depth.min(self.node(b).depth);
        let (mut a, mut b) = (self.ancestor_at(a, depth), self.ancestor_at(b, depth));
        while a != b {
            let (x, y) = (self.node(a), self.node(b));
            (a, b) = match x.jump != y.jump {
                true => (Guard(x.jump), Guard(y.jump)),
                false => (Guard(x.parent), Guard(y.parent)),
            };
        }
        a
    }

    /// Whether two are known never to hold together: on the ways to them one decision went both ways.
    pub fn exclude(&self, pool: &mut TermPool, a: Guard, b: Guard) -> bool {
        let above = self.common(a, b);
        let left = self.between(above, a);
        let right = self.between(above, b);
        left.iter().any(|c| right.contains(&pool.not(*c)))
    }

    /// The conditions between an ancestor and `g`, from above.
    fn between(&self, above: Guard, g: Guard) -> Vec<TermId> {
        let mut all = Vec::new();
        let mut at = g;
        while at != above {
            all.push(self.node(at).condition);
            at = Guard(self.node(at).parent);
        }
        all.reverse();
        all
    }

    /// Either of two, and a condition that tells which: true for `a`, as long as one of them holds.
    pub fn merge(&mut self, pool: &mut TermPool, a: Guard, b: Guard) -> (Guard, TermId) {
        let above = self.common(a, b);
        let (left, right) = (self.between(above, a), self.between(above, b));
        let (Some(&first), Some(&other)) = (left.first(), right.first()) else {
            // One lies below the other: whoever merges these lost its way, but the answer is right.
            let which = self.term(a);
            return (above, which);
        };
        let opposite = pool.not(first);
        let which = match opposite == other {
            true => first,
            false => pool.and_all(left.iter().copied()),
        };
        if opposite == other && left.len() == 1 && right.len() == 1 {
            return (above, which);
        }
        let x = pool.and_all(left);
        let y = pool.and_all(right);
        let either = pool.or(x, y);
        (self.and(pool, above, either), which)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_solver::term::Sort;

    #[test]
    fn the_sides_of_a_decision_merge_to_what_was_before() {
        let mut pool = TermPool::new();
        let mut guards = Guards::new(&mut pool);
        let a = pool.var("a", Sort::Bool);
        let c = pool.var("c", Sort::Bool);
        let no = pool.not(c);
        let before = guards.and(&mut pool, Guard::TRUE, a);
        let left = guards.and(&mut pool, before, c);
        let right = guards.and(&mut pool, before, no);
        let (merged, which) = guards.merge(&mut pool, left, right);
        assert_eq!((merged, which), (before, c));
        assert!(guards.implies(left, before));
        assert!(!guards.implies(before, left));
        assert!(!guards.implies(left, right));
    }

    #[test]
    fn ancestry_is_right_on_long_chains() {
        let mut pool = TermPool::new();
        let mut guards = Guards::new(&mut pool);
        let mut chain = vec![Guard::TRUE];
        for i in 0..200 {
            let c = pool.var(&format!("c{i}"), Sort::Bool);
            let last = chain[i];
            chain.push(guards.and(&mut pool, last, c));
        }
        for (i, &a) in chain.iter().enumerate().step_by(7) {
            for (j, &b) in chain.iter().enumerate().step_by(11) {
                assert_eq!(guards.implies(a, b), j <= i);
            }
        }
    }
}
