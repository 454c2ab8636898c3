//! Which accesses may race, as far as facts can tell.
//!
//! Two accesses of different threads conflict if they may touch the same cell, one writes, they are not both atomic and not both in
//! the user's atomic blocks. They may race unless their threads never stand before them at the same time: because one of them is
//! not running then, or because both would hold one lock. That is all that is used here, and each is a fact about all
//! executions (`raddle-analysis`). So what is always protected by one lock is left alone.
//!
//! What has no cells is compared by objects and bytes: the ends of objects, initialisation and destruction of synchronisation
//! objects, and condition variables. Whatever touches an object that has ended touches all of it, and not atomically, as the interpreter
//! has it. So if an object may end while there are still threads, its accesses are all taken to be of the whole.

use crate::graph::{CellId, Goal, ObjectId, Place, What};
use crate::inline::{RawEdge, RawTemplate};
use crate::memory::Resolved;
use raddle_analysis::accesses::Kind;
use raddle_analysis::evident::main_function;
use raddle_analysis::{Access, Facts};
use raddle_ir::{AtomicKind, Location, Memory, Op, SyncOp};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// An edge: of which template, and which.
pub type EdgeKey = (usize, usize);

/// An access to cells.
#[derive(Clone, Debug)]
pub struct Use {
    pub edge: EdgeKey,
    pub at: Location,
    pub write: bool,
    pub atomic: bool,
    /// In a region of this kind.
    pub region: Option<AtomicKind>,
}

/// Two accesses that may race at a cell.
pub struct Pair {
    pub cell: CellId,
    pub one: Use,
    pub other: Use,
}

/// What was found.
#[derive(Default)]
pub struct Conflicts {
    pub pairs: Vec<Pair>,
    /// Edges before which a race cannot be told, and why.
    pub unclear: BTreeMap<EdgeKey, &'static str>,
}

/// The kind of region that each node lies in; `Fused` where it is not clear.
pub fn regions(template: &RawTemplate) -> HashMap<u32, AtomicKind> {
    let mut next: HashMap<u32, Vec<u32>> = HashMap::new();
    for e in &template.edges {
        if let Goal::At(to) = e.goal {
            next.entry(e.from).or_default().push(to.0);
        }
    }
    let mut kinds = HashMap::new();
    for (first, kind) in &template.regions {
        let mut seen = HashSet::from([*first]);
        let mut work = vec![*first];
        while let Some(n) = work.pop() {
            let known = kinds.entry(n).or_insert(*kind);
            if *kind == AtomicKind::Fused {
                *known = *kind;
            }
            for to in next.get(&n).into_iter().flatten() {
                if template.atomic[*to as usize] && seen.insert(*to) {
                    work.push(*to);
                }
            }
        }
    }
    kinds
}

/// Finds all accesses that may race.
pub fn conflicts(facts: &Facts, resolved: &Resolved) -> Conflicts {
    let mut found = Conflicts::default();
    let raw = &resolved.raw;
    let mut by_cell: BTreeMap<CellId, Vec<(Use, Place, bool)>> = BTreeMap::new();
    // By object: accesses to memory that is not divided into cells, and all accesses.
    let mut vague: BTreeMap<ObjectId, Vec<Use>> = BTreeMap::new();
    let mut all: BTreeMap<ObjectId, Vec<Use>> = BTreeMap::new();
    for (t, template) in raw.templates.iter().enumerate() {
        let kinds = regions(template);
        for (e, edge) in template.edges.iter().enumerate() {
            let (Some(step), Some(at)) = (&edge.step, edge.copied) else {
                continue;
            };
            let What::Instr(op) = &step.what else {
                continue;
            };
            let (write, atomic) = match op {
                Op::Load { access, .. } => (false, access.ordering.is_atomic()),
                Op::Store { access, .. } => (true, access.ordering.is_atomic()),
                Op::Rmw { .. } | Op::Cas { .. } => (true, true),
                Op::Sync { op, .. } => (true, !op.is_reset()),
                _ => continue,
            };
            let inside = template.atomic[edge.from as usize];
            let fused = AtomicKind::Fused;
            let region = inside.then(|| kinds.get(&edge.from).copied().unwrap_or(fused));
            let mine = Use {
                edge: (t, e),
                at,
                write,
                atomic,
                region,
            };
            let mut objects = BTreeSet::new();
            for p in &step.cells {
                for (cell, is_kind) in [(Some(p.cell), false), (p.kind, true)] {
                    let Some(cell) = cell else { continue };
                    let object = resolved.cells[cell.0 as usize].object;
                    if !raw.objects[object.0 as usize].private {
                        let here = by_cell.entry(cell).or_default();
                        here.push((mine.clone(), *p, is_kind));
                        objects.insert(object);
                    }
                }
            }
            for o in &step.elsewhere {
                if !raw.objects[o.0 as usize].private {
                    vague.entry(*o).or_default().push(mine.clone());
                    objects.insert(*o);
                }
            }
            for o in objects {
                all.entry(o).or_default().push(mine.clone());
            }
        }
    }
    for (cell, uses) in &by_cell {
        let object = resolved.cells[cell.0 as usize].object;
        let owned = raw.objects[object.0 as usize].owner.is_some();
        for (i, (a, p, a_kind)) in uses.iter().enumerate() {
            for (b, q, b_kind) in &uses[i..] {
                // Each its own.
                if owned && p.own && q.own || !may_race(facts, a, b) {
                    continue;
                }
                if *a_kind || *b_kind {
                    let edge = if *a_kind { a.edge } else { b.edge };
                    let why = "an access to the kind of a mutex that is in use";
                    found.unclear.insert(edge, why);
                    continue;
                }
                found.pairs.push(Pair {
                    cell: *cell,
                    one: a.clone(),
                    other: b.clone(),
                });
            }
        }
    }
    for (object, uses) in &vague {
        let others = all.get(object).into_iter().flatten();
        for b in others {
            if let Some(a) = uses.iter().find(|a| may_race(facts, a, b)) {
                let why = "a race at an unknown place of a large object";
                found.unclear.insert(a.edge, why);
            }
        }
    }
    by_objects(facts, resolved, &mut found);
    found
}

fn may_race(facts: &Facts, a: &Use, b: &Use) -> bool {
    let blocks = [a, b].map(|u| u.region == Some(AtomicKind::Verifier));
    (a.write || b.write)
        && !(a.atomic && b.atomic)
        && blocks != [true, true]
        && may_meet(facts, a.at, b.at)
}

/// Whether two threads may stand before two places at the same time.
fn may_meet(facts: &Facts, a: Location, b: Location) -> bool {
    facts.parallel.may_happen_in_parallel(a, b) && !facts.locks.exclude(a, b)
}

/// Races of what has no cells.
fn by_objects(facts: &Facts, resolved: &Resolved, found: &mut Conflicts) {
    let program = facts.program();
    let main = main_function(facts);
    let mut edges: HashMap<Location, Vec<EdgeKey>> = HashMap::new();
    for (t, template) in resolved.raw.templates.iter().enumerate() {
        for (e, edge) in template.edges.iter().enumerate() {
            if let Some(at) = edge.copied {
                edges.entry(at).or_default().push((t, e));
            }
        }
    }
    let mut by_object: BTreeMap<raddle_analysis::ObjectId, Vec<&Access>> = BTreeMap::new();
    for a in facts.accesses.iter() {
        if !facts.escape.is_private(a.object) {
            by_object.entry(a.object).or_default().push(a);
        }
    }
    let no_cells = |a: &Access| match a.kind {
        Kind::Data => false,
        Kind::End => true,
        Kind::Sync(op) => op.is_reset() || op.wakes_or_sleeps(),
    };
    // With the first thread's return, the process ends.
    let last = |a: &Access| {
        let block = program.function(a.at.function).block(a.at.block);
        a.kind == Kind::End && a.at.function == main && a.at.index as usize == block.instrs.len()
    };
    for accesses in by_object.values() {
        for a in accesses.iter().filter(|a| no_cells(a) && !last(a)) {
            let races = |b: &&Access| {
                (a.write || b.write)
                    && !(a.atomic && b.atomic)
                    && !last(b)
                    && a.bytes.overlaps(b.bytes)
                    && may_meet(facts, a.at, b.at)
            };
            if let Some(b) = accesses.iter().copied().find(races) {
                let why = match a.kind {
                    Kind::End => "a race with the end of an object",
                    _ => "a race with a synchronisation object",
                };
                unclear(&edges, [a.at, b.at], why, found);
            }
        }
        let early =
            |a: &&Access| a.kind == Kind::End && !last(a) && !ends_late(facts, resolved, a.at);
        if !accesses.iter().copied().any(|a| early(&a)) {
            continue;
        }
        for (i, a) in accesses.iter().enumerate() {
            let meets = |b: &&Access| (a.write || b.write) && may_meet(facts, a.at, b.at);
            if let Some(b) = accesses[i..].iter().copied().find(meets) {
                let why = "a race at an object that may have ended";
                unclear(&edges, [a.at, b.at], why, found);
            }
        }
    }
    exits(facts, resolved, found);
}

/// Edges at one of two places are unclear; if there are none at either, no execution gets to both.
fn unclear(
    edges: &HashMap<Location, Vec<EdgeKey>>,
    places: [Location; 2],
    why: &'static str,
    found: &mut Conflicts,
) {
    let here = places.iter().find_map(|at| edges.get(at));
    for edge in here.into_iter().flatten() {
        found.unclear.insert(*edge, why);
    }
}

/// A thread that ends in the middle ends what it has on its stack.
fn exits(facts: &Facts, resolved: &Resolved, found: &mut Conflicts) {
    let program = facts.program();
    // What is allocated on the stack looks like what is allocated elsewhere.
    let on_stack = program.functions.iter().any(|f| {
        let mut instrs = f.blocks.iter().flat_map(|b| &b.instrs);
        instrs.any(|i| matches!(&i.op, Op::Alloc { memory, .. } if *memory == Memory::Stack))
    });
    for (t, template) in resolved.raw.templates.iter().enumerate() {
        let known = |o: &ObjectId| {
            let object = &resolved.raw.objects[o.0 as usize];
            !object.private && (on_stack || !object.heap)
        };
        if !template.slots.iter().any(known) {
            continue;
        }
        for (e, edge) in template.edges.iter().enumerate() {
            let instr = edge.copied.and_then(|at| program.instr(at));
            let exit = instr.is_some_and(|i| {
                let op = &i.op;
                matches!(op, Op::Sync { op, .. } if *op == SyncOp::ThreadExit)
            });
            if exit && edge.goal == Goal::Finish {
                let why = "the end of a thread whose objects others know";
                found.unclear.insert((t, e), why);
            }
        }
    }
}

/// Whether nobody but the first thread is there when an object ends here, nor ever after.
fn ends_late(facts: &Facts, resolved: &Resolved, at: Location) -> bool {
    if !facts.parallel.is_alone(at) {
        return false;
    }
    let mut seen: HashSet<u32> = HashSet::new();
    for (t, template) in resolved.raw.templates.iter().enumerate() {
        let here = template.edges.iter().filter(|e| e.copied == Some(at));
        let here: Vec<u32> = here.map(|e| e.from).collect();
        if t > 0 && !here.is_empty() {
            return false;
        }
        seen.extend(here);
    }
    let Some(first) = resolved.raw.templates.first() else {
        return false;
    };
    let mut next: HashMap<u32, Vec<&RawEdge>> = HashMap::new();
    for e in &first.edges {
        next.entry(e.from).or_default().push(e);
    }
    let mut work: Vec<u32> = seen.iter().copied().collect();
    while let Some(n) = work.pop() {
        for e in next.get(&n).into_iter().flatten() {
            let new = |s: &crate::graph::Step| matches!(s.what, What::New { .. });
            if e.step.as_ref().is_some_and(new) {
                return false;
            }
            if let Goal::At(to) = e.goal
                && seen.insert(to.0)
            {
                work.push(to.0);
            }
        }
    }
    true
}
