//! How large the values of reads can be, because nobody reads what came from itself.
//!
//! An unlocked counter: every write is one more than some read, every read is one of the writes. As equations alone these have solutions with any
//! numbers, and a SAT solver that is to show that the counter ends above 1 has to refute them one by one, in bits: for such problems
//! most conflicts are about values, not about order. But a value travels from writes to reads to writes *forwards in time*, so a chain of
//! reads in an execution never meets the same read twice. Abstract values (`interval.rs`) that are propagated from nothing for as many rounds as
//! there are reads that depend on one another therefore contain every value of every execution, although they may be far
//! from a fixpoint: a widening is not needed, and two threads that count to five end at most at ten.
//!
//! Round by round: after round `k` a read's interval contains all its values at the end of chains of at most `k` reads. Reads are
//! grouped into those that depend on one another (`groups.rs`), in the order of dependence, so that a round is a round of one group.
//!
//! *What is relied on:* a write's value is a term over reads that come before it in every execution in which the write occurs and
//! the read matters; where a term chooses (`ite`), reads of the other side need not have occurred. A read without any source in the
//! end may be an artefact of what was left out; it is taken to be anything.
//!
//! *What it misses:* relations between values, conditions of branches, values that wrap around.

mod groups;
mod interval;

pub use interval::Interval;

use crate::term::{Op, Sort, Term, TermId, TermPool};
use groups::groups;
use std::collections::HashMap;

/// A read: the term that stands for what it finds, and the values of all writes it may see.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it finds.
    pub found: TermId,
    /// What it may be.
    pub values: Vec<TermId>,
}

/// Terms that are looked at, all rounds together; then what still grows is taken to be anything.
const WORK: usize = 400_000;

/// The intervals of what reads find; where an interval is everything, it is left out.
pub fn ranges(pool: &TermPool, reads: &[Source]) -> Vec<(TermId, Interval)> {
    let mut search = Ranges::new(pool, reads);
    let mut work = WORK;
    for group in groups(&search.depends) {
        search.settle(&group, &mut work);
    }
    let mut known: Vec<(TermId, Interval)> = Vec::new();
    for (term, slot) in search.reads.iter().zip(&search.slots) {
        if let Some(interval) = search.held[*slot]
            && interval != Interval::all(search.widths[*slot])
        {
            known.push((*term, interval));
        }
    }
    known
}

/// The statement that a term is in an interval.
pub fn within(pool: &mut TermPool, term: TermId, interval: Interval) -> TermId {
    let width = pool.width(term);
    let bits =
        |pool: &mut TermPool, n: i128| pool.bits(width, n as u128 & crate::term::mask(width));
    let all = Interval::all(width);
    let mut holds = pool.bool(true);
    if interval.low == interval.high {
        let only = bits(pool, interval.low);
        return pool.eq(term, only);
    }
    if interval.low >= 0 {
        // Not negative and not large: the bits above are zero.
        let high = bits(pool, interval.high);
        let small = pool.bv_ule(term, high);
        if interval.low > 0 {
            let low = bits(pool, interval.low);
            holds = pool.bv_ule(low, term);
        }
        return pool.and(holds, small);
    }
    if interval.low > all.low {
        let low = bits(pool, interval.low);
        holds = pool.bv_sle(low, term);
    }
    if interval.high < all.high {
        let high = bits(pool, interval.high);
        let small = pool.bv_sle(term, high);
        holds = pool.and(holds, small);
    }
    holds
}

/// One flattened term.
#[derive(Clone, Copy)]
enum Node {
    /// A read, by number.
    Read(usize),
    /// Anything.
    Any,
    Number(i128),
    /// An operator; its arguments are nodes before it.
    Apply(Op, [usize; 3], u8),
}

struct Ranges {
    reads: Vec<TermId>,
    /// By read: its node.
    slots: Vec<usize>,
    nodes: Vec<Node>,
    widths: Vec<u32>,
    /// What is known of each node so far; nothing at first.
    held: Vec<Option<Interval>>,
    /// By read: the nodes of its sources.
    sources: Vec<Vec<usize>>,
    /// By read: the nodes that lie between it and other reads, in ascending order.
    between: Vec<Vec<usize>>,
    /// By read: the reads its sources depend on.
    depends: Vec<Vec<usize>>,
    /// What a round has found so far.
    next: Vec<Option<Interval>>,
}

impl Ranges {
    fn new(pool: &TermPool, all: &[Source]) -> Ranges {
        let narrow = |t: TermId| matches!(pool.sort(t), Sort::BitVec(w) if w <= 64);
        let constant = |t: TermId| matches!(pool.term(t), Term::Bits { .. });
        let mut number: HashMap<TermId, usize> = HashMap::new();
        let mut reads = Vec::new();
        let mut values: Vec<Vec<TermId>> = Vec::new();
        for read in all.iter().filter(|r| narrow(r.found) && !constant(r.found)) {
            let at = *number.entry(read.found).or_insert_with(|| {
                reads.push(read.found);
                values.push(Vec::new());
                reads.len() - 1
            });
            values[at].extend(&read.values);
        }
        let mut ranges = Ranges {
            slots: Vec::new(),
            nodes: Vec::new(),
            widths: Vec::new(),
            held: Vec::new(),
            sources: Vec::new(),
            between: Vec::new(),
            depends: Vec::new(),
            next: Vec::new(),
            reads,
        };
        let roots: Vec<TermId> = values
            .iter()
            .flatten()
            .copied()
            .chain(ranges.reads.clone())
            .collect();
        let mut of_term: HashMap<TermId, usize> = HashMap::new();
        // Arguments come before what uses them.
        let mut terms = pool.reachable_until(&roots, |t| number.contains_key(&t) || !narrow(t));
        terms.sort_unstable();
        for t in terms {
            let Sort::BitVec(width) = pool.sort(t) else {
                continue;
            };
            if !narrow(t) {
                continue;
            }
            let node = match (*pool.term(t), number.get(&t)) {
                (_, Some(read)) => Node::Read(*read),
                (Term::Bits { width, value }, _) => {
                    Node::Number(crate::term::sign_extend(width, value))
                }
                (Term::App { op, args, count }, _) => {
                    let of = |a: &TermId| of_term.get(a).copied();
                    let flows = if op == Op::Ite { 1 } else { 0 };
                    let used: Option<Vec<usize>> =
                        args[flows..count as usize].iter().map(of).collect();
                    match used {
                        Some(used) if !used.is_empty() => {
                            let at = |i: usize| used.get(i).copied().unwrap_or(used[0]);
                            Node::Apply(op, [at(0), at(1), at(2)], used.len() as u8)
                        }
                        _ => Node::Any,
                    }
                }
                _ => Node::Any,
            };
            of_term.insert(t, ranges.nodes.len());
            ranges.nodes.push(node);
            ranges.widths.push(width);
        }
        ranges.held = ranges
            .nodes
            .iter()
            .zip(&ranges.widths)
            .map(|(n, w)| ranges.first(*n, *w))
            .collect();
        ranges.slots = ranges.reads.iter().map(|t| of_term[t]).collect();
        for (read, values) in values.iter().enumerate() {
            let slot = ranges.slots[read];
            let mut sources: Vec<usize> = values
                .iter()
                .filter_map(|t| of_term.get(t).copied())
                .collect();
            let whole = sources.len() == values.len()
                && sources
                    .iter()
                    .all(|s| ranges.widths[*s] == ranges.widths[slot]);
            sources.sort_unstable();
            sources.dedup();
            if !whole {
                ranges.held[slot] = Some(Interval::all(ranges.widths[slot]));
                sources.clear();
            }
            let (between, depends) = ranges.behind(&sources);
            ranges.sources.push(sources);
            ranges.between.push(between);
            ranges.depends.push(depends);
        }
        ranges
    }

    /// What is known of a node before anything else is.
    fn first(&self, node: Node, width: u32) -> Option<Interval> {
        match node {
            Node::Number(n) => Some(Interval { low: n, high: n }),
            Node::Any => Some(Interval::all(width)),
            Node::Read(_) | Node::Apply(..) => None,
        }
    }

    /// The operators below some nodes, in ascending order, and the reads behind them.
    fn behind(&self, roots: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let mut seen = std::collections::HashSet::new();
        let (mut between, mut depends) = (Vec::new(), Vec::new());
        let mut stack = roots.to_vec();
        while let Some(n) = stack.pop() {
            if !seen.insert(n) {
                continue;
            }
            match self.nodes[n] {
                Node::Read(r) => depends.push(r),
                Node::Apply(_, args, count) => {
                    between.push(n);
                    stack.extend(&args[..count as usize]);
                }
                _ => {}
            }
        }
        between.sort_unstable();
        depends.sort_unstable();
        (between, depends)
    }

    /// Finds the intervals of reads that depend on one another, once everything else they depend on is known.
    fn settle(&mut self, group: &[usize], work: &mut usize) {
        let mut between: Vec<usize> = group
            .iter()
            .flat_map(|r| self.between[*r].clone())
            .collect();
        between.sort_unstable();
        between.dedup();
        let round = between.len() + group.iter().map(|r| self.sources[*r].len()).sum::<usize>() + 1;
        let rounds = group.len().min(*work / round);
        let mut grows = true;
        for _ in 0..rounds {
            grows = self.round(group, &between);
            *work = work.saturating_sub(round);
            if !grows {
                break;
            }
        }
        // Rounds in plenty are enough; too few are not, and then what still grows is anything.
        if grows && rounds < group.len() {
            self.widen(group, &between);
        }
        let mut lost = false;
        for read in group {
            let slot = self.slots[*read];
            if self.held[slot].is_none() {
                self.held[slot] = Some(Interval::all(self.widths[slot]));
                lost = true;
            }
        }
        // What depends on a read that has no source: anything.
        if lost {
            self.widen(group, &between);
        }
        // Those that are used further on.
        for n in between {
            self.held[n] = self.compute(n);
        }
    }

    /// Goes on until nothing grows any more; what grows is anything.
    fn widen(&mut self, group: &[usize], between: &[usize]) {
        let mut grows = true;
        while grows {
            let slots = group.iter().map(|r| self.slots[*r]);
            let before: Vec<_> = slots.map(|slot| (slot, self.held[slot])).collect();
            grows = self.round(group, between);
            for (slot, before) in before {
                if self.held[slot] != before {
                    self.held[slot] = Some(Interval::all(self.widths[slot]));
                }
            }
        }
    }

    /// One round; whether anything grew.
    fn round(&mut self, group: &[usize], between: &[usize]) -> bool {
        for n in between {
            self.held[*n] = self.compute(*n);
        }
        let mut grows = false;
        for read in group {
            let slot = self.slots[*read];
            let mut now = self.held[slot];
            for s in &self.sources[*read] {
                now = Interval::join(now, self.held[*s]);
            }
            // Its own interval may be among its sources: those of this round are seen in the next.
            grows |= now != self.held[slot];
            self.next.push(now);
        }
        for (read, now) in group.iter().zip(std::mem::take(&mut self.next)) {
            self.held[self.slots[*read]] = now;
        }
        grows
    }

    fn compute(&self, node: usize) -> Option<Interval> {
        let Node::Apply(op, args, count) = self.nodes[node] else {
            return self.held[node];
        };
        let width = self.widths[node];
        let of = |i: usize| self.held[args[i]];
        if op == Op::Ite {
            return Interval::join(of(0), of(1));
        }
        let a = (of(0)?, self.widths[args[0]]);
        let b = match count {
            1 => a,
            _ => (of(1)?, self.widths[args[1]]),
        };
        Some(Interval::apply(op, a, b, width))
    }
}
