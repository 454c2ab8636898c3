//! Semaphores that were certainly initialised.
//!
//! Forward data flow of the semaphores that may not have been: all at the beginning of the program, and at the beginning of another
//! thread those of some place where a thread is started. `sem_init` takes one away and nothing brings it back: what is destroyed is not
//! evident anyway ([`super::sync`]), and where anything else may write the bytes of a semaphore nothing is known.

use super::reached;
use crate::accesses::Bytes;
use crate::facts::Facts;
use crate::flow::{Graph, Problem, solve};
use crate::objects::ObjectId;
use crate::once::exists_once;
use crate::points_to::PointsTo;
use raddle_ir::{FuncId, Location, Op, SyncOp, layout};
use std::collections::{BTreeSet, HashSet};

/// A semaphore: an object and an offset.
type Semaphore = (ObjectId, u64);

/// Where semaphores are certainly initialised.
pub struct Made {
    initialised: HashSet<Location>,
}

struct Open<'a> {
    facts: &'a Facts,
    graph: Graph<'a>,
    all: BTreeSet<Semaphore>,
    /// What may not be initialised when a thread begins.
    later: BTreeSet<Semaphore>,
}

fn is_semaphore(op: SyncOp) -> bool {
    use SyncOp::*;
    matches!(
        op,
        SemInit | SemDestroy | SemWait | SemTryWait | SemTimedWait | SemPost | SemGetValue
    )
}

impl Made {
    /// Finds them.
    pub fn new(facts: &Facts) -> Made {
        let graph = Graph {
            program: facts.program(),
            points_to: &facts.points_to,
            calls: &facts.calls,
        };
        let mut initialised = HashSet::new();
        let Some(all) = semaphores(facts) else {
            return Made { initialised };
        };
        let mut problem = Open {
            facts,
            graph,
            all,
            later: BTreeSet::new(),
        };
        // What is open where a thread is started is open for the thread: again, until nothing is added.
        loop {
            let mut later = problem.later.clone();
            initialised.clear();
            solve(graph, &problem).visit(graph, &problem, &mut |at, open| {
                let op = graph.program.instr(at).map(|i| &i.op);
                match op {
                    Some(Op::Sync {
                        op: SyncOp::ThreadStart,
                        ..
                    }) => later.extend(open),
                    Some(Op::Sync { op, .. }) if is_semaphore(*op) => {
                        let these = used(facts, at);
                        if these.is_some_and(|all| all.is_disjoint(open)) {
                            initialised.insert(at);
                        }
                    }
                    _ => {}
                }
            });
            if later == problem.later {
                return Made { initialised };
            }
            problem.later = later;
        }
    }

    /// Whether every semaphore that an operation may mean was initialised before.
    pub fn is_initialised(&self, at: Location) -> bool {
        self.initialised.contains(&at)
    }
}

/// The semaphores that an operation may mean.
fn used(facts: &Facts, at: Location) -> Option<BTreeSet<Semaphore>> {
    let accesses = facts.accesses.at(at);
    accesses
        .map(|a| match a.bytes {
            Bytes::Range { from, .. } => Some((a.object, from)),
            Bytes::Any => None,
        })
        .collect()
}

/// All semaphores; `None` if one cannot be told from another, or something else may write to one.
fn semaphores(facts: &Facts) -> Option<BTreeSet<Semaphore>> {
    let mut all = BTreeSet::new();
    let mut operations = HashSet::new();
    for (at, op) in reached(facts) {
        if let Op::Sync { op, .. } = op
            && is_semaphore(*op)
        {
            operations.insert(at);
            all.extend(used(facts, at)?);
        }
    }
    let overwritten = facts.accesses.iter().any(|a| {
        let hit = |(object, from): &Semaphore| {
            let to = from + layout::SEMAPHORE_SIZE;
            *object == a.object && a.bytes.overlaps(Bytes::Range { from: *from, to })
        };
        a.write && !operations.contains(&a.at) && all.iter().any(hit)
    });
    (!overwritten).then_some(all)
}

impl Problem for Open<'_> {
    type State = BTreeSet<Semaphore>;

    fn start(&self, thread: FuncId) -> Self::State {
        match thread == self.graph.program.entry {
            true => self.all.clone(),
            false => self.later.clone(),
        }
    }

    fn merge(&self, into: &mut Self::State, with: &Self::State) {
        into.extend(with);
    }

    fn step(&self, at: Location, op: &Op, open: &mut Self::State) {
        if let Op::Sync {
            op: SyncOp::SemInit,
            ..
        } = op
            && let Some(t) = PointsTo::single(self.graph.points_to.accessed(self.graph.program, at))
            && let Some(offset) = t.offset.known()
            && exists_once(
                self.graph.program,
                self.graph.points_to,
                &self.facts.calls,
                t.object,
            )
        {
            open.remove(&(t.object, offset));
        }
    }

    fn enter(&self, open: &Self::State) -> Self::State {
        open.clone()
    }

    fn after(
        &self,
        _at: Location,
        _callee: FuncId,
        before: &Self::State,
        end: &Self::State,
    ) -> Self::State {
        before.intersection(end).copied().collect()
    }
}
