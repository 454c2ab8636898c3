//! Synchronisation objects that may have been destroyed.
//!
//! Forward data flow of the destructions that may have happened before a place. A destruction while no other thread is alive can be noticed
//! only by what its own thread does afterwards, and by threads that are started then. Any other one may have happened anywhere.
//! An initialisation does not take one away: that would need to know that it means the same object.

use super::reached;
use crate::accesses::Access;
use crate::facts::Facts;
use crate::flow::{Graph, Problem, solve};
use crate::objects::ObjectId;
use raddle_ir::{FuncId, Location, Op, Role, SyncOp};
use std::collections::{BTreeSet, HashMap};

/// Which destructions may have happened before operations on synchronisation objects.
pub struct Destroyed {
    /// Those that may happen while other threads are alive.
    anywhere: BTreeSet<Location>,
    before: HashMap<Location, BTreeSet<Location>>,
}

struct Happened<'a> {
    graph: Graph<'a>,
    anywhere: &'a BTreeSet<Location>,
    /// What may have happened when a thread begins.
    earlier: BTreeSet<Location>,
}

fn destroys(op: &Op) -> bool {
    matches!(op, Op::Sync { op, .. } if op.role() == Role::Destroy)
}

impl Destroyed {
    /// Finds them.
    pub fn new(facts: &Facts) -> Destroyed {
        let (alone, anywhere): (BTreeSet<Location>, BTreeSet<Location>) = reached(facts)
            .filter(|(_, op)| destroys(op))
            .map(|(at, _)| at)
            .partition(|at| facts.parallel.is_alone(*at));
        let mut before: HashMap<Location, BTreeSet<Location>> = HashMap::new();
        if alone.is_empty() {
            return Destroyed { anywhere, before };
        }
        let graph = Graph {
            program: facts.program(),
            points_to: &facts.points_to,
            calls: &facts.calls,
        };
        let mut problem = Happened {
            graph,
            anywhere: &anywhere,
            earlier: BTreeSet::new(),
        };
        // What happened before a thread is started happened before all it does: again, until nothing is added.
        loop {
            let mut earlier = problem.earlier.clone();
            before.clear();
            solve(graph, &problem).visit(graph, &problem, &mut |at, happened| {
                let Some(Op::Sync { op, .. }) = graph.program.instr(at).map(|i| &i.op) else {
                    return;
                };
                if *op == SyncOp::ThreadStart {
                    earlier.extend(happened);
                }
                before.insert(at, happened.clone());
            });
            if earlier == problem.earlier {
                break;
            }
            problem.earlier = earlier;
        }
        Destroyed { anywhere, before }
    }

    /// Whether an object that the operation at a place works on may have been destroyed before.
    pub fn may_be(&self, facts: &Facts, at: Location) -> bool {
        let nothing = BTreeSet::new();
        let here = self.before.get(&at).unwrap_or(&nothing);
        let overlap = |a: &Access, b: &Access| {
            let unknown = [a.object, b.object].contains(&ObjectId::UNKNOWN);
            unknown || (a.object == b.object && a.bytes.overlaps(b.bytes))
        };
        let mut ends = self.anywhere.iter().chain(here);
        ends.any(|end| {
            let mut gone = facts.accesses.at(*end);
            gone.any(|g| facts.accesses.at(at).any(|a| overlap(a, g)))
        })
    }
}

impl Problem for Happened<'_> {
    type State = BTreeSet<Location>;

    fn start(&self, thread: FuncId) -> Self::State {
        match thread == self.graph.program.entry {
            true => BTreeSet::new(),
            false => self.earlier.clone(),
        }
    }

    fn merge(&self, into: &mut Self::State, with: &Self::State) -> bool {
        let before = into.len();
        into.extend(with);
        into.len() != before
    }

    fn step(&self, at: Location, op: &Op, happened: &mut Self::State) {
        if destroys(op) && !self.anywhere.contains(&at) {
            happened.insert(at);
        }
    }

    fn enter(&self, happened: &Self::State) -> Self::State {
        happened.clone()
    }

    fn after(
        &self,
        _at: Location,
        _callee: FuncId,
        _before: &Self::State,
        end: &Self::State,
    ) -> Self::State {
        end.clone()
    }
}
