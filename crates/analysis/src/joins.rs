//! Joins that certainly wait for the thread of a creation.
//!
//! `pthread_join(t, …)` ends the time in which a thread can run beside its creator only if `t` certainly holds that
//! thread's handle. Handles are numbers in memory, so this is a chain of conditions, all of them checked here:
//!
//! - the creation runs at most once, in one family with one member, and the join runs in that family only;
//! - the joined value is traced back through copies, parameters of functions with one call, and at most one load;
//! - the loaded cell belongs to an object that exists once, and the only instruction that ever writes to it stores
//!   the handle of this creation ([`crate::once`]);
//! - that store has happened on every way to the load (a must-analysis over the call graph);
//! - nobody can have detached the thread.
//!
//! Handles in arrays that a loop fills are treated in [`crate::join_loops`]. What it misses: handles that are stored twice, joins by a third
//! thread.

use crate::accesses::{Accesses, Bytes, Kind};
use crate::calls::CallGraph;
use crate::families::{Families, FamilyId};
use crate::flow::{Graph, Problem, solve};
use crate::fold::reachable_blocks;
use crate::join_loops::JoinLoops;
use crate::objects::{Object, ObjectId};
use crate::points_to::PointsTo;
use raddle_ir::{
    BlockId, FuncId, Init, InitValue, LocalId, Location, Op, Operand, Program, Rvalue, SyncOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// What is needed to trace handles.
pub(crate) struct Context<'a> {
    pub program: &'a Program,
    pub points_to: &'a PointsTo,
    pub calls: &'a CallGraph,
    pub accesses: &'a Accesses,
    pub families: &'a Families,
}

/// Where a value certainly comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The result of this `thread_new`, provided that it has run.
    Created(Location),
    /// This load from this cell.
    Loaded(Location, ObjectId, Bytes),
}

/// Which joins certainly wait for which family, and behind which loops nobody of which is left.
pub(crate) fn find(context: &Context<'_>) -> (BTreeMap<Location, FamilyId>, JoinLoops) {
    let joins = context.sync_sites(SyncOp::ThreadJoin);
    if joins.is_empty() {
        return (BTreeMap::new(), JoinLoops::default());
    }
    let handles = context.handles();
    let detached = context.detached(&handles);
    let wanted: BTreeSet<Location> = handles.values().map(|h| h.1).collect();
    let happened = context.must_have_happened(&wanted);
    let mut found = BTreeMap::new();
    for (at, handle) in joins {
        if let Some(family) = context.joined(at, handle, &handles, &happened)
            && !detached.contains(&family)
        {
            found.insert(at, family);
        }
    }
    (found, crate::join_loops::find(context, &detached))
}

/// Detachments that are certainly of a thread that was made, and of which there is one.
pub(crate) fn detachments(context: &Context<'_>) -> BTreeSet<Location> {
    let all = context.sync_sites(SyncOp::ThreadDetach);
    if all.is_empty() {
        return BTreeSet::new();
    }
    let handles = context.handles();
    let wanted: BTreeSet<Location> = handles.values().map(|h| h.1).collect();
    let happened = context.must_have_happened(&wanted);
    let sure = all.into_iter().filter(|(at, handle)| {
        let family = context.joined(*at, *handle, &handles, &happened);
        family.is_some()
    });
    sure.map(|(at, _)| at).collect()
}

/// Joins whose value certainly is a handle that some creation gave, or 0: nobody's.
pub(crate) fn of_handles(context: &Context<'_>) -> BTreeSet<Location> {
    let joins = context.sync_sites(SyncOp::ThreadJoin).into_iter();
    let sure = joins.filter(|(at, handle)| context.is_handle(*at, *handle));
    sure.map(|(at, _)| at).collect()
}

/// For each cell that holds one thread's handle: the family, and the store that puts it there.
type Handles = BTreeMap<(ObjectId, Bytes), (FamilyId, Location)>;

type Set = BTreeSet<Location>;

/// Which of some instructions this thread must have executed. It is never taken back.
struct Happened<'a> {
    wanted: &'a Set,
}

impl Problem for Happened<'_> {
    type State = Set;

    fn start(&self, _: FuncId) -> Set {
        Set::new()
    }

    fn merge(&self, into: &mut Set, with: &Set) -> bool {
        let before = into.len();
        into.retain(|at| with.contains(at));
        into.len() != before
    }

    fn step(&self, at: Location, _: &Op, state: &mut Set) {
        if self.wanted.contains(&at) {
            state.insert(at);
        }
    }

    fn enter(&self, state: &Set) -> Set {
        state.clone()
    }

    fn after(&self, _: Location, _: FuncId, before: &Set, end: &Set) -> Set {
        before.union(end).copied().collect()
    }
}

impl Context<'_> {
    /// For each load, which of the wanted instructions must have been executed before.
    fn must_have_happened(&self, wanted: &Set) -> BTreeMap<Location, Set> {
        let graph = Graph {
            program: self.program,
            points_to: self.points_to,
            calls: self.calls,
        };
        let problem = Happened { wanted };
        let mut found = BTreeMap::new();
        solve(graph, &problem).visit(graph, &problem, &mut |at, state| {
            let op = self.program.instr(at).map(|i| &i.op);
            if matches!(op, Some(Op::Load { .. })) && !state.is_empty() {
                found.insert(at, state.clone());
            }
        });
        found
    }

    pub(crate) fn sync_sites(&self, wanted: SyncOp) -> Vec<(Location, Operand)> {
        let mut all = Vec::new();
        for f in self.points_to.reachable() {
            let function = self.program.function(f);
            let reachable = reachable_blocks(function);
            for (b, block) in function.blocks.iter().enumerate() {
                for (i, instr) in block.instrs.iter().enumerate() {
                    if let Op::Sync { op, args, .. } = &instr.op
                        && *op == wanted
                        && reachable[b]
                    {
                        let at = Location {
                            function: f,
                            block: BlockId(b as u32),
                            index: i as u32,
                        };
                        all.push((at, args[0]));
                    }
                }
            }
        }
        all
    }

    /// Whether a value is a handle that was just made, or comes from a global that holds nothing but handles and zeros.
    fn is_handle(&self, at: Location, handle: Operand) -> bool {
        match self.origin(at.function, handle, 0) {
            Some(Origin::Created(new)) => self.comes_before(new, at),
            Some(Origin::Loaded(load, object, bytes)) => {
                let Object::Global(id) = self.points_to.objects().get(object) else {
                    return false;
                };
                let global = self.program.global(id);
                let zero = |i: &Init| match &i.value {
                    InitValue::Bytes(b) => b.iter().all(|b| *b == 0),
                    InitValue::Address { .. } => false,
                };
                let word = self.program.model.pointer_int();
                let op = self.program.instr(load).map(|i| &i.op);
                let plain = matches!(op, Some(Op::Load { ty, .. }) if *ty == word);
                let near = self.accesses.iter().filter(|a| {
                    a.object == object && a.write && a.kind != Kind::End && a.bytes.overlaps(bytes)
                });
                let stores_handle = |at: Location| match self.program.instr(at).map(|i| &i.op) {
                    Some(Op::Store { ty, value, .. }) if *ty == word => {
                        let made = self.origin(at.function, *value, 0);
                        matches!(made, Some(Origin::Created(new)) if self.comes_before(new, at))
                    }
                    _ => false,
                };
                let known = !global.external && !global.thread_local;
                plain
                    && known
                    && global.init.iter().all(zero)
                    && near.map(|a| a.at).all(stores_handle)
            }
            None => false,
        }
    }

    fn joined(
        &self,
        at: Location,
        handle: Operand,
        handles: &Handles,
        happened: &BTreeMap<Location, Set>,
    ) -> Option<FamilyId> {
        let family = match self.origin(at.function, handle, 0)? {
            Origin::Created(new) => {
                let family = self.families.created_at(new)?;
                // The local holds the handle only once the creation has run; without a load there is no store to
                // ask for, so only the plain case counts: creation and join in one function, one after the other.
                self.comes_before(new, at).then_some(family)?
            }
            Origin::Loaded(load, object, bytes) => {
                let (family, store) = handles.get(&(object, bytes))?;
                happened.get(&load)?.contains(store).then_some(*family)?
            }
        };
        let f = self.families.get(family);
        let parents: Vec<FamilyId> = f.parents.iter().copied().collect();
        let [parent] = parents.as_slice() else {
            return None;
        };
        let here = self.families.running(at.function);
        let plain = !f.several && !self.families.get(*parent).several && here == [*parent];
        plain.then_some(family)
    }

    /// Cells of unique objects that are written by one instruction only, which stores a new thread's handle.
    fn handles(&self) -> Handles {
        let mut writers: BTreeMap<ObjectId, Vec<(Location, Bytes)>> = BTreeMap::new();
        for a in self
            .accesses
            .iter()
            .filter(|a| a.write && a.kind != Kind::End)
        {
            writers.entry(a.object).or_default().push((a.at, a.bytes));
        }
        let mut handles = Handles::new();
        for (object, all) in writers {
            if !crate::once::exists_once(self.program, self.points_to, self.calls, object) {
                continue;
            }
            for (at, bytes) in &all {
                let alone = all
                    .iter()
                    .all(|(other, b)| other == at || !b.overlaps(*bytes));
                let Some(Op::Store { value, .. }) = self.program.instr(*at).map(|i| &i.op) else {
                    continue;
                };
                let one_place = PointsTo::single(self.points_to.accessed(self.program, *at));
                if !alone || *bytes == Bytes::Any || one_place.is_none() {
                    continue;
                }
                if let Some(Origin::Created(new)) = self.origin(at.function, *value, 0)
                    && self.comes_before(new, *at)
                    && let Some(family) = self.families.created_at(new)
                    && self.calls.runs_once(new)
                {
                    handles.insert((object, *bytes), (family, *at));
                }
            }
        }
        handles
    }

    /// The families that may be detached.
    fn detached(&self, handles: &Handles) -> BTreeSet<FamilyId> {
        let mut all = BTreeSet::new();
        for (at, handle) in self.sync_sites(SyncOp::ThreadDetach) {
            let family = match self.origin(at.function, handle, 0) {
                Some(Origin::Created(new)) if self.comes_before(new, at) => {
                    self.families.created_at(new)
                }
                Some(Origin::Loaded(_, object, bytes)) => {
                    handles.get(&(object, bytes)).map(|(family, _)| *family)
                }
                _ => None,
            };
            match family {
                Some(family) => {
                    all.insert(family);
                }
                None => all.extend(self.families.ids()),
            }
        }
        all
    }

    /// Whether one place of a function is passed before another on every way to it.
    pub(crate) fn comes_before(&self, a: Location, b: Location) -> bool {
        a.function == b.function
            && match a.block == b.block {
                true => a.index < b.index,
                false => self
                    .calls
                    .loops(a.function)
                    .is_some_and(|nest| nest.dominates(a.block, b.block)),
            }
    }

    /// Where the value of an operand comes from, if there is only one possibility (or it is indeterminate).
    pub(crate) fn origin(&self, f: FuncId, o: Operand, depth: u32) -> Option<Origin> {
        let Operand::Local(l) = o else { return None };
        if depth > 20 {
            return None;
        }
        match self.definition(f, l)? {
            None => {
                let [edge] = self.calls.incoming(f) else {
                    return None;
                };
                match &self.program.instr(edge.at)?.op {
                    Op::Call { args, .. } if !edge.thread => {
                        let argument = *args.get(l.0 as usize)?;
                        self.origin(edge.at.function, argument, depth + 1)
                    }
                    _ => None,
                }
            }
            Some(at) => match &self.program.instr(at)?.op {
                Op::Let {
                    value: Rvalue::Use(a),
                    ..
                } => self.origin(f, *a, depth + 1),
                Op::Sync {
                    op: SyncOp::ThreadNew,
                    ..
                } => Some(Origin::Created(at)),
                Op::Load { .. } => {
                    let t = PointsTo::single(self.points_to.accessed(self.program, at))?;
                    let access = self.accesses.at(at).next()?;
                    Some(Origin::Loaded(at, t.object, access.bytes))
                }
                _ => None,
            },
        }
    }

    /// The only definition of a local: an instruction, or (`Some(None)`) the parameter.
    pub(crate) fn definition(&self, f: FuncId, l: LocalId) -> Option<Option<Location>> {
        let function = self.program.function(f);
        let reachable = reachable_blocks(function);
        let mut found: Option<Option<Location>> = (l.0 < function.params).then_some(None);
        for (b, block) in function.blocks.iter().enumerate() {
            if !reachable[b] {
                continue;
            }
            for (i, instr) in block.instrs.iter().enumerate() {
                if matches!(instr.op, Op::Havoc { .. }) {
                    continue;
                }
                if instr
                    .op
                    .clone()
                    .destinations_mut()
                    .contains(&&mut l.clone())
                {
                    if found.is_some() {
                        return None;
                    }
                    found = Some(Some(Location {
                        function: f,
                        block: BlockId(b as u32),
                        index: i as u32,
                    }));
                }
            }
        }
        found
    }
}
