//! Memory safety as errors: accesses outside their objects, of objects that have ended, and bad releases.
//!
//! Every access whose address is not plainly that of a cell gets a second way on which it is invalid, and every access that may come after the end of its object
//! one on which the object is marked as ended (`marks.rs`). Ends set these marks: `free`, the end of a scope, the return from a function, the
//! end of a thread. Only objects with such an access have marks, so most have none: whether an end can lie behind an access is seen in the control
//! flow of its thread; of an object that others know, every end counts.
//!
//! A mark is never taken away, although a slot comes to life again in a loop: a pointer to what was there before would be good again. Then a violation
//! may be claimed that is none, which the judge finds out. An address is a number here and a place in an object in the interpreter, so an access that may
//! leave one object and get into another that it may mean as well is refused, and so are writes to constant objects, calls through pointers
//! and whatever else the interpreter calls an invalid access and is not looked at here.

use crate::graph::{Goal, LocId, ObjectId, Place, Refusal, Step, TemplateId, Watch, What};
use crate::inline::{Ends, RawAccess, RawEdge, RawTemplate};
use crate::marks::{Marks, watching};
use crate::memory::Resolved;
use raddle_analysis::evident::main_function;
use raddle_analysis::{Facts, Object as Origin, Target};
use raddle_ir::{FuncId, Location, Memory, Op, Operand, Property, SyncOp};
use std::collections::{BTreeSet, HashSet};

/// Makes invalid accesses and releases errors, as far as they are asked for.
pub fn watch(facts: &Facts, resolved: &mut Resolved, properties: &[Property]) {
    let asked = |p: Property| properties.contains(&p);
    let main = main_function(facts);
    // With the first thread's return, the process ends.
    for edge in resolved.raw.templates[0].edges.iter_mut() {
        let block = |at: Location| facts.program().function(at.function).block(at.block);
        let returns = |at: Location| at.index as usize == block(at).instrs.len();
        let last = |at: Location| at.function == main && returns(at);
        if edge.copied.is_some_and(last) {
            edge.ends = None;
        }
    }
    let ended = objects_used_after_their_end(resolved, asked(Property::ValidFree));
    let mut work = Work {
        facts,
        resolved,
        marks: Marks::new("the end of"),
        ended,
    };
    for t in 0..work.resolved.raw.templates.len() {
        for e in 0..work.resolved.raw.templates[t].edges.len() {
            let edge = work.resolved.raw.templates[t].edges[e].clone();
            if let Some(ends) = &edge.ends {
                work.end(t, e, &edge, ends, asked(Property::ValidFree));
            } else if asked(Property::ValidDeref) {
                work.access(t, e, &edge);
            }
        }
    }
}

/// The objects that an edge may end.
fn ended_by(resolved: &Resolved, template: &RawTemplate, ends: &Ends) -> Vec<ObjectId> {
    match ends {
        Ends::Slots(range) => {
            let all = template.slots.iter().enumerate();
            let all = all.filter(|(i, _)| range.contains(&(*i as u32)));
            let heap = |o: &ObjectId| resolved.raw.objects[o.0 as usize].heap;
            all.map(|(_, o)| *o).filter(|o| !heap(o)).collect()
        }
        Ends::Freed(_, targets) => heap_objects(resolved, targets),
    }
}

fn heap_objects(resolved: &Resolved, targets: &[Target]) -> Vec<ObjectId> {
    let all = targets
        .iter()
        .filter_map(|t| resolved.raw.origins.get(&t.object));
    let heap = |o: &ObjectId| resolved.raw.objects[o.0 as usize].heap;
    let all: BTreeSet<ObjectId> = all.flatten().copied().filter(heap).collect();
    all.into_iter().collect()
}

/// The objects that an access may mean, and whether each is the thread's own.
fn used(resolved: &Resolved, step: &Step) -> Vec<(ObjectId, bool)> {
    let cell = |p: &Place| (resolved.cells[p.cell.0 as usize].object, p.own);
    let cells = step.cells.iter().map(cell);
    let within = step.within.iter().map(|w| (w.object, w.own));
    let elsewhere = step.elsewhere.iter().map(|o| (*o, false));
    cells.chain(within).chain(elsewhere).collect()
}

/// Objects that may be accessed after they have ended, or be released twice.
fn objects_used_after_their_end(resolved: &Resolved, frees: bool) -> BTreeSet<ObjectId> {
    let mut found = BTreeSet::new();
    let mut ends_anywhere: BTreeSet<ObjectId> = BTreeSet::new();
    for template in &resolved.raw.templates {
        for ends in template.edges.iter().filter_map(|e| e.ends.as_ref()) {
            ends_anywhere.extend(ended_by(resolved, template, ends));
            if let (Ends::Freed(_, targets), true) = (ends, frees) {
                found.extend(heap_objects(resolved, targets));
            }
        }
    }
    for template in &resolved.raw.templates {
        let old = may_have_ended(resolved, template, false);
        let now = may_have_ended(resolved, template, true);
        for edge in &template.edges {
            let (Some(step), Some(_)) = (&edge.step, edge.copied) else {
                continue;
            };
            // What comes to life is not accessed.
            let Some(address) = address(step) else {
                continue;
            };
            let direct = !matches!(address, Operand::Local(_));
            let here = if direct { &now } else { &old };
            for (o, own) in used(resolved, step) {
                let ends = match own {
                    true => here[edge.from as usize].contains(&o),
                    false => ends_anywhere.contains(&o),
                };
                if ends {
                    found.insert(o);
                }
            }
        }
    }
    found
}

/// By node: the objects an end of which may lie behind; with `born`, only those that did not come to life again since.
fn may_have_ended(
    resolved: &Resolved,
    template: &RawTemplate,
    born: bool,
) -> Vec<BTreeSet<ObjectId>> {
    let mut at: Vec<BTreeSet<ObjectId>> = vec![BTreeSet::new(); template.atomic.len()];
    loop {
        let mut changed = false;
        for edge in &template.edges {
            let Goal::At(to) = edge.goal else { continue };
            let mut set = at[edge.from as usize].clone();
            if let Some(ends) = &edge.ends {
                set.extend(ended_by(resolved, template, ends));
            }
            if let (true, Some(What::Instr(Op::StorageLive { slot }))) =
                (born, edge.step.as_ref().map(|s| &s.what))
            {
                set.remove(&template.slots[slot.0 as usize]);
            }
            let there = &mut at[to.0 as usize];
            let before = there.len();
            there.extend(set);
            changed |= there.len() != before;
        }
        if !changed {
            return at;
        }
    }
}

struct Work<'a> {
    facts: &'a Facts,
    resolved: &'a mut Resolved,
    marks: Marks,
    ended: BTreeSet<ObjectId>,
}

impl Work<'_> {
    fn refuse(&mut self, t: usize, e: usize, why: &str) {
        let raw = &mut self.resolved.raw;
        let edge = &mut raw.templates[t].edges[e];
        let at = edge.copied.map(|at| self.facts.program().span_of(at));
        edge.step = None;
        edge.access = None;
        edge.goal = Goal::Refused(raw.refusals.len() as u32);
        raw.refusals.push(Refusal {
            what: why.into(),
            span: at.unwrap_or(raddle_ir::Span::NOWHERE),
        });
    }

    fn error(&mut self, t: usize, from: u32, step: Step, property: Property) {
        let goal = Goal::Error(property, step.at);
        self.push(t, from, step, goal);
    }

    fn push(&mut self, t: usize, from: u32, step: Step, goal: Goal) {
        self.resolved.raw.templates[t].edges.push(RawEdge {
            from,
            step: Some(step),
            access: None,
            goal,
            copied: None,
            mover: false,
            ends: None,
        });
    }

    fn access(&mut self, t: usize, e: usize, edge: &RawEdge) {
        let (Some(step), Some(_)) = (&edge.step, edge.copied) else {
            return;
        };
        let What::Instr(op) = &step.what else {
            return;
        };
        let Some(address) = address(step) else {
            return;
        };
        let Some(access) = &edge.access else {
            // A condition variable: it has no cells.
            let fine = match address {
                Operand::Global { id, offset } => {
                    let size = self.facts.program().global(id).size;
                    u64::try_from(offset).is_ok_and(|at| at + 4 <= size)
                }
                _ => false,
            };
            if !fine {
                self.refuse(t, e, "a condition variable that may be none");
            }
            return;
        };
        let writes = !matches!(op, Op::Load { .. });
        if writes && self.may_be_constant(access) {
            return self.refuse(t, e, "a write to an object that may be constant");
        }
        let direct = !matches!(address, Operand::Local(_));
        if !direct && self.may_be_another(&access.targets, t) {
            let why = "an address that may have left its object for another";
            return self.refuse(t, e, why);
        }
        if !direct || step.cells.is_empty() {
            let mut wrong = step.clone();
            wrong.what = What::Invalid(op.clone());
            self.error(t, edge.from, wrong, Property::ValidDeref);
        }
        if step.elsewhere.iter().any(|o| self.ended.contains(o)) {
            return self.refuse(t, e, "a large object that may have ended");
        }
        let mut places = Vec::new();
        for p in &step.cells {
            let object = self.resolved.cells[p.cell.0 as usize].object;
            if self.ended.contains(&object) {
                let mark = self.marks.place(self.resolved, object, 0, p.own);
                places.push(Place {
                    cell: p.cell,
                    kind: Some(mark.cell),
                    own: p.own,
                });
            }
        }
        if !places.is_empty() {
            let dead = watching(Watch::IsMarked, address, step.at, places);
            self.error(t, edge.from, dead, Property::ValidDeref);
        }
    }

    fn may_be_constant(&self, access: &RawAccess) -> bool {
        let constant = |o: Origin| match o {
            Origin::Global(g) => self.facts.program().global(g).constant,
            _ => false,
        };
        let objects = self.facts.points_to.objects();
        if let Operand::Global { id, .. } = access.address {
            return constant(Origin::Global(id));
        }
        let mut targets = access.targets.iter();
        targets.any(|t| constant(objects.get(t.object)))
    }

    /// Whether an address may be at an unknown place of one of several objects, for a thread that runs this template.
    fn may_be_another(&self, targets: &[Target], template: usize) -> bool {
        if targets.iter().all(|t| t.offset.known().is_some()) {
            return false;
        }
        let raw = &self.resolved.raw;
        let mut objects: HashSet<ObjectId> = HashSet::new();
        for t in targets {
            objects.extend(raw.origins.get(&t.object).into_iter().flatten());
        }
        // Those of several threads are several.
        let others = |o: &ObjectId| {
            let o = &raw.objects[o.0 as usize];
            let mine = |t: TemplateId| t.0 as usize == template && !o.escaped;
            o.owner.is_some_and(|t| t.0 != 0 && !mine(t))
        };
        objects.len() > 1 || objects.iter().any(others)
    }

    /// Objects end: they are marked, and what is released has to be there.
    fn end(&mut self, t: usize, e: usize, edge: &RawEdge, ends: &Ends, asked: bool) {
        let Some(at) = edge.copied else { return };
        let origin = self.facts.clones.origin_of(at);
        let template = &self.resolved.raw.templates[t];
        let objects = ended_by(self.resolved, template, ends);
        let slots = template.slots.clone();
        let inside = template.atomic[edge.from as usize];
        let mut marks: Vec<Step> = Vec::new();
        match ends {
            Ends::Slots(_) => {
                for object in objects.into_iter().filter(|o| self.ended.contains(o)) {
                    let slot = slots.iter().position(|o| *o == object).unwrap_or_default();
                    let address = Operand::Slot {
                        id: raddle_ir::SlotId(slot as u32),
                        offset: 0,
                    };
                    let place = self.marks.place(self.resolved, object, 0, true);
                    marks.push(watching(Watch::Mark, address, origin, vec![place]));
                }
            }
            Ends::Freed(address, targets) => {
                let op = self.facts.program().instr(at).map(|i| &i.op);
                if !matches!(op, Some(Op::Free { memory, .. }) if *memory == Memory::Heap) {
                    return self.refuse(t, e, "an array of variable length");
                }
                if targets.iter().any(|t| !crate::operands::is_known(t.object)) {
                    return self.refuse(t, e, "a release of an address of unknown origin");
                }
                let local = matches!(address, Operand::Local(_));
                if local && self.may_be_another(targets, t) {
                    let why = "an address that may have left its object for another";
                    return self.refuse(t, e, why);
                }
                let places: Vec<Place> = objects
                    .into_iter()
                    .map(|o| {
                        let object = &self.resolved.raw.objects[o.0 as usize];
                        let mine = object.owner.is_some_and(|owner| owner.0 as usize == t);
                        let own = !object.escaped && mine;
                        self.marks.place(self.resolved, o, 0, own)
                    })
                    .collect();
                if asked {
                    let mut wrong = watching(Watch::IsMarked, *address, origin, places.clone());
                    self.error(t, edge.from, wrong.clone(), Property::ValidFree);
                    wrong.what = What::Invalid(Op::Free {
                        memory: Memory::Heap,
                        addr: *address,
                    });
                    self.error(t, edge.from, wrong, Property::ValidFree);
                }
                marks.push(watching(Watch::Mark, *address, origin, places));
            }
        }
        let mut from = edge.from;
        for step in marks {
            let template = &mut self.resolved.raw.templates[t];
            template.atomic.push(inside);
            let to = template.atomic.len() as u32 - 1;
            self.push(t, from, step, Goal::At(LocId(to)));
            from = to;
        }
        self.resolved.raw.templates[t].edges[e].from = from;
    }
}

/// The address a step accesses.
fn address(step: &Step) -> Option<Operand> {
    let What::Instr(op) = &step.what else {
        return None;
    };
    match op {
        Op::Load { addr, .. }
        | Op::Store { addr, .. }
        | Op::Rmw { addr, .. }
        | Op::Cas { addr, .. } => Some(*addr),
        Op::Sync { op, args, .. } if *op != SyncOp::Yield => {
            let pointer = op.args().first() == Some(&raddle_ir::SyncKind::Ptr);
            args.first().copied().filter(|_| pointer)
        }
        _ => None,
    }
}

/// What of allocations is not looked at here. Where nothing is allocated, nothing leaks; more is not asked. What is allocated on the stack ends with
/// its function, and nothing here says so.
pub fn refused_allocation(properties: &[Property], memory: Memory) -> Option<&'static str> {
    let asked = |p: &Property| properties.contains(p);
    match memory {
        Memory::Heap => {
            let any = [Property::ValidMemtrack, Property::ValidMemcleanup]
                .iter()
                .any(asked);
            any.then_some("leaks of what is allocated")
        }
        Memory::Stack => {
            let any = [Property::ValidDeref, Property::ValidFree]
                .iter()
                .any(asked);
            any.then_some("an array of variable length")
        }
    }
}

/// Whether the interpreter calls it an invalid access if this function is called so.
pub fn does_not_fit(
    facts: &Facts,
    callee: FuncId,
    args: usize,
    result: Option<raddle_ir::Ty>,
) -> bool {
    let function = facts.program().function(callee);
    let wrong = result.is_some_and(|ty| function.ret != Some(ty));
    function.has_body() && (args < function.params as usize || wrong)
}
