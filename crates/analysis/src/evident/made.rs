//! Synchronisation objects that were certainly initialised.
//!
//! Zeros are an initialised mutex, rwlock, spin lock or condition variable, so a global one is initialised unless something uninitialised may be
//! written to it; so is one in memory that is allocated as zeros. A semaphore has to be initialised by name, and so does what lies in other memory.
//!
//! Of these: forward data flow of the objects that may not have been initialised: all at the beginning of the program, and at the beginning of another
//! thread those of some place where a thread is started. An initialisation takes one away and nothing brings it back: only objects of which there is one
//! are told apart, and of those whose bytes anything else may write nothing is known.

use super::reached;
use super::uninit::objects_that_may_be_unwritten;
use crate::accesses::{Bytes, Kind as How};
use crate::facts::Facts;
use crate::flow::{Graph, Problem, solve};
use crate::objects::{Object, ObjectId};
use crate::once::exists_once;
use crate::points_to::PointsTo;
use raddle_ir::{FuncId, Location, Op, Role, SyncObject, SyncOp, layout};
use std::collections::{BTreeSet, HashSet};

/// A synchronisation object: an object, an offset, and what it is used as:
/// an initialisation as something else does not count.
type Thing = (ObjectId, u64, SyncObject);

/// Where synchronisation objects are certainly initialised.
pub struct Made {
    initialised: HashSet<Location>,
}

struct Open<'a> {
    facts: &'a Facts,
    graph: Graph<'a>,
    all: BTreeSet<Thing>,
    /// What may not be initialised when a thread begins.
    later: BTreeSet<Thing>,
}

fn initialises(op: SyncOp) -> bool {
    op.role() == Role::Initialise
}

impl Made {
    /// Finds them.
    pub fn new(facts: &Facts) -> Made {
        let graph = Graph {
            program: facts.program(),
            points_to: &facts.points_to,
            calls: &facts.calls,
        };
        let unwritten = objects_that_may_be_unwritten(facts);
        let plain = |object: ObjectId, kind: SyncObject| {
            kind != SyncObject::Semaphore && !unwritten.contains(&object) && is_zero(facts, object)
        };
        let mut problem = Open {
            facts,
            graph,
            all: things(facts),
            later: BTreeSet::new(),
        };
        let overwritten: BTreeSet<Thing> = problem
            .all
            .iter()
            .copied()
            .filter(|t| is_overwritten(facts, *t))
            .collect();
        let certain = |(object, offset, kind): Thing, open: &BTreeSet<Thing>| {
            let thing = (object, offset, kind);
            plain(object, kind) || !overwritten.contains(&thing) && !open.contains(&thing)
        };
        let mut initialised = HashSet::new();
        // What is open where a thread is started is open for the thread: again, until nothing is added.
        loop {
            let mut later = problem.later.clone();
            initialised.clear();
            solve(graph, &problem).visit(graph, &problem, &mut |at, open| {
                let Some(Op::Sync { op, .. }) = graph.program.instr(at).map(|i| &i.op) else {
                    return;
                };
                if *op == SyncOp::ThreadStart {
                    later.extend(open);
                }
                let Some(kind) = op.object() else {
                    return;
                };
                let mut accesses = facts.accesses.at(at).peekable();
                let some = accesses.peek().is_some();
                let all = accesses.all(|a| match a.bytes {
                    Bytes::Range { from, .. } => certain((a.object, from, kind), open),
                    Bytes::Any => plain(a.object, kind),
                });
                if some && all {
                    initialised.insert(at);
                }
            });
            if later == problem.later {
                return Made { initialised };
            }
            problem.later = later;
        }
    }

    /// Whether every object that an operation may mean was initialised before.
    pub fn is_initialised(&self, at: Location) -> bool {
        self.initialised.contains(&at)
    }
}

/// Whether an object begins as zeros, or as what its initialiser says.
fn is_zero(facts: &Facts, object: ObjectId) -> bool {
    match facts.points_to.objects().get(object) {
        Object::Global(g) => !facts.program().global(g).thread_local,
        Object::Allocated(at) => matches!(
            facts.program().instr(at).map(|i| &i.op),
            Some(Op::Alloc { zeroed: true, .. })
        ),
        _ => false,
    }
}

/// All places that are used as synchronisation objects, as far as these are known.
fn things(facts: &Facts) -> BTreeSet<Thing> {
    let mut all = BTreeSet::new();
    for (at, op) in reached(facts) {
        if let Op::Sync { op, .. } = op
            && let Some(kind) = op.object()
        {
            for a in facts.accesses.at(at) {
                if let Bytes::Range { from, .. } = a.bytes {
                    all.insert((a.object, from, kind));
                }
            }
        }
    }
    all
}

/// Whether something else than operations of its kind may write to an object, or it may be several.
fn is_overwritten(facts: &Facts, (object, from, mine): Thing) -> bool {
    let size = match mine {
        SyncObject::Mutex => layout::mutex_size(facts.program().model),
        SyncObject::Semaphore => layout::SEMAPHORE_SIZE,
        SyncObject::Word => 4,
    };
    let to = from + size;
    let once = exists_once(facts.program(), &facts.points_to, &facts.calls, object);
    // A slot without a recorded birth is made anew with every call.
    let hit = |a: &crate::accesses::Access| {
        let other = match a.kind {
            How::Data => a.write,
            How::Sync(op) => op.object() != Some(mine),
            How::End => false,
        };
        let same = a.object == object || a.object == ObjectId::UNKNOWN;
        other && same && a.bytes.overlaps(Bytes::Range { from, to })
    };
    !once || facts.accesses.iter().any(hit)
}

impl Problem for Open<'_> {
    type State = BTreeSet<Thing>;

    fn start(&self, thread: FuncId) -> Self::State {
        match thread == self.graph.program.entry {
            true => self.all.clone(),
            false => self.later.clone(),
        }
    }

    fn merge(&self, into: &mut Self::State, with: &Self::State) -> bool {
        let before = into.len();
        into.extend(with);
        into.len() != before
    }

    fn step(&self, at: Location, op: &Op, open: &mut Self::State) {
        if let Op::Sync { op, .. } = op
            && initialises(*op)
            && let Some(kind) = op.object()
            && let Some(t) = PointsTo::single(self.graph.points_to.accessed(self.graph.program, at))
            && let Some(offset) = t.offset.known()
            && exists_once(
                self.graph.program,
                self.graph.points_to,
                &self.facts.calls,
                t.object,
            )
        {
            open.remove(&(t.object, offset, kind));
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
