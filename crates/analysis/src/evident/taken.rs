//! Locks that may have been taken before they are initialised.
//!
//! Forward data flow of the operations that may have taken a lock before a place; when a thread is started, those of all other threads may have
//! happened from there on. Releases are not looked at: who initialises a lock twice is left to the engines.
//!
//! Objects of one allocation are not told apart by that, so there is a second reason: the initialisation is of the newest of them, which it was
//! handed by the allocation itself, and nothing has operated on it or stored its address since.

use super::reached;
use crate::accesses::Access;
use crate::facts::Facts;
use crate::flow::{Graph, Problem, solve};
use crate::objects::{Object, ObjectId};
use raddle_ir::{BlockId, FuncId, LocalId, Location, Op, Operand, Rvalue, SyncOp, Terminator};
use std::collections::{BTreeSet, HashSet};

/// Which initialisations may be of a lock that was taken before.
pub struct Taken {
    late: HashSet<Location>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    /// What may have taken locks so far.
    takes: BTreeSet<Location>,
    /// Allocations whose newest object only this thread knows, by locals.
    private: BTreeSet<Location>,
}

struct Before<'a> {
    facts: &'a Facts,
    graph: Graph<'a>,
    /// What may take locks in threads other than the first.
    others: BTreeSet<Location>,
    all: BTreeSet<Location>,
}

fn takes(op: SyncOp) -> bool {
    op.takes_lock().is_some()
}

impl Taken {
    /// Finds them.
    pub fn new(facts: &Facts) -> Taken {
        let mut late = HashSet::new();
        let sync =
            |op: &Op, which: fn(SyncOp) -> bool| matches!(op, Op::Sync { op, .. } if which(*op));
        if !reached(facts).any(|(_, op)| sync(op, SyncOp::makes_lock)) {
            return Taken { late };
        }
        let graph = Graph {
            program: facts.program(),
            points_to: &facts.points_to,
            calls: &facts.calls,
        };
        let all: BTreeSet<Location> = reached(facts)
            .filter(|(_, op)| sync(op, takes))
            .map(|(at, _)| at)
            .collect();
        let entries = facts.calls.thread_entries();
        let theirs = facts.calls.called_from(entries);
        let others = all.iter().filter(|at| theirs.contains(&at.function));
        let problem = Before {
            facts,
            graph,
            others: others.copied().collect(),
            all,
        };
        solve(graph, &problem).visit(graph, &problem, &mut |at, state| {
            let Some(Op::Sync { op, args, .. }) = graph.program.instr(at).map(|i| &i.op) else {
                return;
            };
            if !op.makes_lock() {
                return;
            }
            let overlap = |a: &Access, b: &Access| {
                let unknown = [a.object, b.object].contains(&ObjectId::UNKNOWN);
                unknown || (a.object == b.object && a.bytes.overlaps(b.bytes))
            };
            let mut taken = state.takes.iter().flat_map(|t| facts.accesses.at(*t));
            let may_be = taken.any(|t| facts.accesses.at(at).any(|a| overlap(a, t)));
            let mut hops = 0;
            let newest = origin(facts, at.function, args[0], &mut hops);
            if may_be && !newest.is_some_and(|new| state.private.contains(&new)) {
                late.insert(at);
            }
        });
        Taken { late }
    }

    /// Whether the initialisation at a place may be of a lock that was taken before.
    pub fn may_be(&self, at: Location) -> bool {
        self.late.contains(&at)
    }
}

/// The allocation whose newest object an operand points into: what this thread allocated there last.
fn origin(facts: &Facts, f: FuncId, operand: Operand, hops: &mut u32) -> Option<Location> {
    const MOST: u32 = 64;
    *hops += 1;
    let Operand::Local(local) = operand else {
        return None;
    };
    if *hops > MOST || facts.calls.is_recursive(f) {
        return None;
    }
    let function = facts.program().function(f);
    let (at, op) = match definitions(facts, f, local)[..] {
        [] if local.0 < function.params => {
            let [only] = facts.calls.incoming(f) else {
                return None;
            };
            let call = facts.program().instr(only.at).map(|i| &i.op);
            let Some(Op::Call { args, .. }) = call.filter(|_| !only.thread) else {
                return None;
            };
            let arg = *args.get(local.0 as usize)?;
            return origin(facts, only.at.function, arg, hops);
        }
        [only] if local.0 >= function.params => only,
        _ => return None,
    };
    match op {
        Op::Alloc { .. } => Some(at),
        Op::Let {
            value: Rvalue::Use(base) | Rvalue::PtrAdd { base, .. },
            ..
        } => origin(facts, f, *base, hops),
        Op::Call {
            callee: Operand::Function(callee),
            ..
        } => {
            let once = matches!(facts.calls.incoming(*callee), [only] if !only.thread);
            let blocks = &facts.program().function(*callee).blocks;
            let mut returned = blocks.iter().filter_map(|b| match &b.terminator {
                Terminator::Return(value) => *value,
                _ => None,
            });
            match (returned.next(), returned.next()) {
                (Some(only), None) if once => origin(facts, *callee, only, hops),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Where a local is given a value.
fn definitions(facts: &Facts, f: FuncId, local: LocalId) -> Vec<(Location, &Op)> {
    let mut found = Vec::new();
    for (b, block) in facts.program().function(f).blocks.iter().enumerate() {
        for (i, instr) in block.instrs.iter().enumerate() {
            let mut op = instr.op.clone();
            let writes = op.destinations_mut().iter().any(|l| **l == local);
            if writes && !matches!(op, Op::Havoc { .. }) {
                let at = Location {
                    function: f,
                    block: BlockId(b as u32),
                    index: i as u32,
                };
                found.push((at, &instr.op));
            }
        }
    }
    found
}

impl Before<'_> {
    /// Nobody knows any more that these are private.
    fn publish(&self, state: &mut State, f: FuncId, operand: Operand) {
        let objects = self.facts.points_to.objects();
        for target in self.facts.points_to.targets(f, operand) {
            match objects.get(target.object) {
                Object::Allocated(at) => {
                    state.private.remove(&at);
                }
                _ if target.object == ObjectId::UNKNOWN => state.private.clear(),
                _ => {}
            }
        }
    }
}

impl Problem for Before<'_> {
    type State = State;

    fn start(&self, thread: FuncId) -> State {
        let takes = match thread == self.graph.program.entry {
            true => BTreeSet::new(),
            false => self.all.clone(),
        };
        State {
            takes,
            private: BTreeSet::new(),
        }
    }

    fn merge(&self, into: &mut State, with: &State) -> bool {
        let before = (into.takes.len(), into.private.len());
        into.takes.extend(&with.takes);
        into.private.retain(|at| with.private.contains(at));
        before != (into.takes.len(), into.private.len())
    }

    fn step(&self, at: Location, op: &Op, state: &mut State) {
        let f = at.function;
        match op {
            Op::Alloc { .. } => {
                state.private.insert(at);
            }
            Op::Store { value, .. } | Op::Rmw { value, .. } => self.publish(state, f, *value),
            Op::Cas { desired, .. } => self.publish(state, f, *desired),
            Op::Sync { op, args, .. } => {
                if takes(*op) {
                    state.takes.insert(at);
                }
                if *op == SyncOp::ThreadStart {
                    state.takes.extend(&self.others);
                }
                if !op.makes_lock() {
                    for arg in args {
                        self.publish(state, f, *arg);
                    }
                }
            }
            _ => {}
        }
    }

    fn enter(&self, state: &State) -> State {
        state.clone()
    }

    fn after(&self, _at: Location, _callee: FuncId, _before: &State, end: &State) -> State {
        end.clone()
    }
}
