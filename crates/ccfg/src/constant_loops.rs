//! Loops that do the same whatever the other threads do: run through while the graph is made.
//!
//! A block that leads to the head of a loop of local steps often says what the loop begins with: `for (q = 0; q < 10; q++)`. As long as every
//! decision on the way is one of constants, there is one way on, and the block goes that way to the end of the loop. Otherwise each iteration is a state of
//! its own, beside every state of the other threads.
//!
//! That no other way is possible rests on the evaluation of constants (`fold.rs`).
//! *Misses:* loops over memory, and those whose bounds are set in another block.

use crate::blocks::touched;
use crate::fold::compute;
use crate::graph::{Goal, Step, What};
use crate::inline::RawTemplate;
use raddle_ir::{DataModel, LocalId, Op, Operand};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// No more edges than this are gone through.
const LONG: usize = 600;

/// The heads of loops that may be run through.
pub struct ConstantLoops {
    /// By head: the nodes of its loop.
    inside: BTreeMap<u32, BTreeSet<u32>>,
    model: DataModel,
}

type Known = HashMap<LocalId, Operand>;

impl ConstantLoops {
    /// Looks for loops without a step that others notice, among these heads. Where a location is asked for inside, each iteration has to stop there.
    pub fn new(
        raw: &RawTemplate,
        (out, visible): (&[Vec<usize>], &[bool]),
        heads: &BTreeSet<u32>,
        is_asked_for: impl Fn(&u32) -> bool,
        model: DataModel,
    ) -> ConstantLoops {
        let mut back: Vec<Vec<u32>> = vec![Vec::new(); out.len()];
        let mut on: Vec<Vec<u32>> = vec![Vec::new(); out.len()];
        for (i, e) in raw.edges.iter().enumerate() {
            let Goal::At(to) = e.goal else { continue };
            let region = raw.atomic[e.from as usize] || raw.atomic[to.0 as usize];
            if !visible[i] && !region {
                on[e.from as usize].push(to.0);
                back[to.0 as usize].push(e.from);
            }
        }
        let mut inside = BTreeMap::new();
        for head in heads {
            let (behind, before) = (reach(&on, *head), reach(&back, *head));
            let all: BTreeSet<u32> = behind.intersection(&before).copied().collect();
            if !all.is_empty() && !all.iter().any(&is_asked_for) {
                inside.insert(*head, all);
            }
        }
        ConstantLoops { inside, model }
    }

    /// The edges from a head to the end of its loop, for those who come there on this path.
    pub fn through(
        &self,
        raw: &RawTemplate,
        (out, visible): (&[Vec<usize>], &[bool]),
        path: &[usize],
        head: u32,
    ) -> Option<Vec<usize>> {
        let inside = self.inside.get(&head)?;
        let mut known = Known::new();
        for e in path {
            self.apply(&mut known, raw.edges[*e].step.as_ref());
        }
        let mut way = Vec::new();
        let mut at = head;
        while way.len() < LONG {
            let mut next = None;
            for &e in &out[at as usize] {
                if visible[e] {
                    return None;
                }
                if !self.is_taken(&known, raw.edges[e].step.as_ref())? {
                    continue;
                }
                if next.replace(e).is_some() {
                    return None;
                }
            }
            let e = next?;
            self.apply(&mut known, raw.edges[e].step.as_ref());
            way.push(e);
            match raw.edges[e].goal {
                Goal::At(to) if inside.contains(&to.0) => at = to.0,
                _ => return Some(way),
            }
        }
        None
    }

    /// Whether a step can happen; `None` if that is not known.
    fn is_taken(&self, known: &Known, step: Option<&Step>) -> Option<bool> {
        let bits = |o: &Operand| match resolve(known, *o) {
            Operand::Const { bits, .. } => Some(bits),
            _ => None,
        };
        match step.map(|s| &s.what) {
            Some(What::Test(cond, holds)) => Some((bits(cond)? & 1 == 1) == *holds),
            Some(What::Case {
                value,
                among,
                holds,
                ..
            }) => Some(among.contains(&bits(value)?) == *holds),
            None | Some(What::Instr(Op::Let { .. })) => Some(true),
            Some(_) => None,
        }
    }

    fn apply(&self, known: &mut Known, step: Option<&Step>) {
        let Some(step) = step else { return };
        let value = match &step.what {
            What::Instr(Op::Let { value, .. }) => {
                compute(value, self.model, &|o| resolve(known, o))
            }
            _ => None,
        };
        for dst in touched(step).1 {
            match value {
                Some(v) => known.insert(dst, v),
                None => known.remove(&dst),
            };
        }
    }
}

fn resolve(known: &Known, o: Operand) -> Operand {
    match o {
        Operand::Local(l) => known.get(&l).copied().unwrap_or(o),
        other => other,
    }
}

/// The nodes behind a node, in one step or more.
fn reach(next: &[Vec<u32>], from: u32) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    let mut work = next[from as usize].clone();
    while let Some(n) = work.pop() {
        if seen.insert(n) {
            work.extend(&next[n as usize]);
        }
    }
    seen
}
