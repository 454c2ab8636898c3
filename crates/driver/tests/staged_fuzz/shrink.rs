//! Reduces a program as long as the same kind of defect remains.

use crate::oracle::{Defect, Patience, compare};
use crate::random_programs::compile;
use crate::random_programs::tree::{Node, print, simpler};
use std::time::{Duration, Instant};

/// For how long one program is reduced.
const LONGEST: Duration = Duration::from_secs(25);

/// The reduced program and what is wrong about it.
pub fn shrink(nodes: &[Node], defect: &Defect, patience: Patience) -> (Vec<Node>, Defect) {
    let started = Instant::now();
    let mut best = nodes.to_vec();
    let mut known = defect.clone();
    let mut at = 0;
    loop {
        let candidates = simpler(&best);
        let mut better = None;
        // Going on where the last step was made saves trying what has just failed.
        let n = candidates.len();
        for i in (at..n).chain(0..at.min(n)) {
            if started.elapsed() > LONGEST {
                return (best, known);
            }
            if let Some(defect) = remains(&candidates[i], &known, patience) {
                better = Some((i, defect));
                break;
            }
        }
        let Some((i, defect)) = better else {
            return (best, known);
        };
        at = i;
        best = candidates[i].clone();
        known = defect;
    }
}

fn remains(nodes: &[Node], known: &Defect, patience: Patience) -> Option<Defect> {
    let program = compile(&print(nodes)).ok()?;
    let defect = compare(&program, &known.asked, patience).defect?;
    defect.resembles(known).then_some(defect)
}
