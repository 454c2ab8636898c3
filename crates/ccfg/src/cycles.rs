//! Which nodes of a graph lie on a cycle: what happens there can happen again.

use crate::graph::Goal;
use crate::inline::RawTemplate;
use std::collections::BTreeSet;

/// The nodes that lie on a cycle.
pub fn in_cycles(template: &RawTemplate) -> BTreeSet<u32> {
    let n = template.atomic.len();
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); n];
    for e in &template.edges {
        if let Goal::At(to) = e.goal {
            next[e.from as usize].push(to.0);
        }
    }
    strongly_connected(&next)
}

/// The nodes of components with a cycle (Tarjan, without recursion).
fn strongly_connected(next: &[Vec<u32>]) -> BTreeSet<u32> {
    let n = next.len();
    let (mut index, mut low) = (vec![u32::MAX; n], vec![0u32; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut count) = (Vec::new(), 0);
    let mut result = BTreeSet::new();
    for root in 0..n {
        if index[root] != u32::MAX {
            continue;
        }
        let mut work = vec![(root, 0usize)];
        while let Some((v, i)) = work.pop() {
            if i == 0 {
                index[v] = count;
                low[v] = count;
                count += 1;
                stack.push(v);
                on_stack[v] = true;
            }
            if let Some(&w) = next[v].get(i) {
                work.push((v, i + 1));
                let w = w as usize;
                if index[w] == u32::MAX {
                    work.push((w, 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(index[w]);
                }
                continue;
            }
            if low[v] == index[v] {
                let mut component = Vec::new();
                while let Some(w) = stack.pop() {
                    on_stack[w] = false;
                    component.push(w);
                    if w == v {
                        break;
                    }
                }
                let cyclic = component.len() > 1 || next[v].contains(&(v as u32));
                if cyclic {
                    result.extend(component.iter().map(|w| *w as u32));
                }
            }
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[v]);
            }
        }
    }
    result
}
