//! Groups of reads that depend on one another, those that others depend on first (Tarjan's components, without recursion).

/// The strongly connected components of a graph, given by successors; a component comes after those it leads to.
pub(super) fn groups(depends: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut number = vec![NEW; depends.len()];
    let mut low = vec![0; depends.len()];
    let mut open = vec![false; depends.len()];
    let mut stack = Vec::new();
    let mut all = Vec::new();
    let mut count = 0;
    for root in 0..depends.len() {
        if number[root] != NEW {
            continue;
        }
        // A node, and how many of its successors were visited.
        let mut path = vec![(root, 0)];
        while let Some((node, at)) = path.last_mut() {
            let node = *node;
            if *at == 0 && number[node] == NEW {
                number[node] = count;
                low[node] = count;
                count += 1;
                stack.push(node);
                open[node] = true;
            }
            if let Some(&next) = depends[node].get(*at) {
                *at += 1;
                if number[next] == NEW {
                    path.push((next, 0));
                } else if open[next] {
                    low[node] = low[node].min(number[next]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                low[*before] = low[*before].min(low[node]);
            }
            if low[node] == number[node] {
                let from = stack.iter().rposition(|n| *n == node).unwrap_or(0);
                let group = stack.split_off(from);
                for n in &group {
                    open[*n] = false;
                }
                all.push(group);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn a_component_comes_after_what_it_depends_on() {
        // 0 and 1 depend on one another and on 2; 3 on itself and on 0; 4 on nothing.
        let mut found = groups(&[vec![1], vec![0, 2], vec![], vec![3, 0], vec![]]);
        found.iter_mut().for_each(|g| g.sort_unstable());
        assert_eq!(found, [vec![2], vec![0, 1], vec![3], vec![4]]);
    }

    #[test]
    fn long_chains_do_not_overflow_the_stack() {
        let chain: Vec<Vec<usize>> = (0..200_000).map(|n| vec![(n + 1) % 200_000]).collect();
        assert_eq!(groups(&chain).len(), 1);
    }
}
