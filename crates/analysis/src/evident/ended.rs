//! Objects that may have ended before a place: freed, or out of scope.
//!
//! Forward data flow of the ends that may have happened before a place. An object that one thread alone touches is ended by that thread.
//! Any other one may have ended anywhere, unless it ends while no other thread is alive; then it has ended for what its thread does
//! afterwards, and for threads that are started then. The birth of a slot takes its end away if nobody can still have a pointer to an earlier
//! object of the slot: its address is neither stored nor returned, its function does not recurse, and no local that may hold it is
//! live at the birth.
//!
//! What it misses: that an allocation makes a new object of the same place.

use super::reached;
use crate::accesses::Kind;
use crate::facts::Facts;
use crate::flow::{Graph, Problem, solve};
use crate::liveness::Liveness;
use crate::objects::{Object, ObjectId};
use raddle_ir::{FuncId, LocalId, Location, Op, Operand, SyncOp, Terminator};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Which objects may have ended before which places.
pub struct Ended {
    anywhere: BTreeSet<ObjectId>,
    before: HashMap<Location, BTreeSet<ObjectId>>,
}

struct Happened<'a> {
    graph: Graph<'a>,
    /// Births after which there are no pointers to an earlier object, and of what.
    births: &'a BTreeMap<Location, ObjectId>,
    /// What ends where, and at the end of which function.
    ends: &'a BTreeMap<Location, BTreeSet<ObjectId>>,
    returns: &'a BTreeMap<FuncId, BTreeSet<ObjectId>>,
    /// What may have ended when a thread begins.
    earlier: BTreeSet<ObjectId>,
}

impl Ended {
    /// Finds them, of those objects that something points to.
    pub fn new(facts: &Facts, asked: &BTreeSet<ObjectId>) -> Ended {
        let mut anywhere = BTreeSet::new();
        let mut ends: BTreeMap<Location, BTreeSet<ObjectId>> = BTreeMap::new();
        let mut returns: BTreeMap<FuncId, BTreeSet<ObjectId>> = BTreeMap::new();
        let exits = reached(facts)
            .any(|(_, op)| matches!(op, Op::Sync { op, .. } if *op == SyncOp::ThreadExit));
        let here = |a: &&crate::Access| a.kind == Kind::End && asked.contains(&a.object);
        for a in facts.accesses.iter().filter(here) {
            let shared = !facts.escape.is_private(a.object);
            if shared && (exits || !facts.parallel.is_alone(a.at)) {
                anywhere.insert(a.object);
            }
            let block = facts.program().function(a.at.function).block(a.at.block);
            match (a.at.index as usize) < block.instrs.len() {
                true => ends.entry(a.at).or_default().insert(a.object),
                false => returns.entry(a.at.function).or_default().insert(a.object),
            };
        }
        let mut before: HashMap<Location, BTreeSet<ObjectId>> = HashMap::new();
        if ends.is_empty() && returns.is_empty() {
            return Ended { anywhere, before };
        }
        let graph = Graph {
            program: facts.program(),
            points_to: &facts.points_to,
            calls: &facts.calls,
        };
        let births = births(facts, asked);
        let mut problem = Happened {
            graph,
            births: &births,
            ends: &ends,
            returns: &returns,
            earlier: BTreeSet::new(),
        };
        // What has ended before a thread is started has ended for all it does: again, until nothing is added.
        loop {
            let mut earlier = problem.earlier.clone();
            before.clear();
            solve(graph, &problem).visit(graph, &problem, &mut |at, happened| {
                let op = graph.program.instr(at).map(|i| &i.op);
                if matches!(op, Some(Op::Sync { op, .. }) if *op == SyncOp::ThreadStart) {
                    earlier.extend(happened);
                }
                if !happened.is_empty() {
                    before.insert(at, happened.clone());
                }
            });
            if earlier == problem.earlier {
                break;
            }
            problem.earlier = earlier;
        }
        Ended { anywhere, before }
    }

    /// Whether an object may have ended before a place.
    pub fn may_be(&self, at: Location, object: ObjectId) -> bool {
        let here = self.before.get(&at);
        self.anywhere.contains(&object) || here.is_some_and(|all| all.contains(&object))
    }
}

/// The births of slots of whose earlier objects nobody has a pointer.
fn births(facts: &Facts, asked: &BTreeSet<ObjectId>) -> BTreeMap<Location, ObjectId> {
    let objects = facts.points_to.objects();
    // Slots whose address is stored or returned.
    let mut kept: BTreeSet<ObjectId> = BTreeSet::new();
    for o in objects.ids() {
        kept.extend(facts.points_to.contents(o).iter().map(|t| t.object));
    }
    for f in facts.points_to.reachable() {
        for block in &facts.program().function(f).blocks {
            if let Terminator::Return(Some(value)) = block.terminator {
                kept.extend(facts.points_to.targets(f, value).iter().map(|t| t.object));
            }
        }
    }
    kept.extend(facts.points_to.exposed());
    let mut births = BTreeMap::new();
    for (at, op) in reached(facts) {
        let Op::StorageLive { slot } = op else {
            continue;
        };
        let f = at.function;
        let object = objects.id(Object::Slot(f, *slot));
        let Some(object) = object.filter(|o| asked.contains(o) && !kept.contains(o)) else {
            continue;
        };
        let function = facts.program().function(f);
        let live = Liveness::new(function);
        let points_there = |l: LocalId| {
            let targets = facts.points_to.targets(f, Operand::Local(l));
            targets.iter().any(|t| t.object == object)
        };
        let mut locals = (0..function.locals.len() as u32).map(LocalId);
        // In front of the birth in its own block, too.
        let front = &function.block(at.block).instrs[..at.index as usize];
        let mut assigned = front.iter().flat_map(|i| {
            let mut op = i.op.clone();
            let all: Vec<LocalId> = op.destinations_mut().iter().map(|d| **d).collect();
            all
        });
        let pointed = locals.any(|l| live.is_live(at.block, l) && points_there(l))
            || assigned.any(points_there);
        if !pointed && !facts.calls.is_recursive(f) {
            births.insert(at, object);
        }
    }
    births
}

impl Problem for Happened<'_> {
    type State = BTreeSet<ObjectId>;

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

    fn step(&self, at: Location, _op: &Op, ended: &mut Self::State) {
        if let Some(gone) = self.ends.get(&at) {
            ended.extend(gone);
        }
        if let Some(object) = self.births.get(&at) {
            ended.remove(object);
        }
    }

    fn enter(&self, ended: &Self::State) -> Self::State {
        ended.clone()
    }

    fn after(
        &self,
        _at: Location,
        callee: FuncId,
        _before: &Self::State,
        end: &Self::State,
    ) -> Self::State {
        let mut ended = end.clone();
        ended.extend(self.returns.get(&callee).into_iter().flatten());
        ended
    }
}
