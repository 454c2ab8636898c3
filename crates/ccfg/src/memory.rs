//! Memory as cells: every object gets an address and is divided by the accesses made to it.
//!
//! An access at a known place is one cell. An access at an unknown place of an object may be any of those that its stride names (`strides.rs`), else any naturally aligned
//! place of its width; if these are many, those that are accessed at known places, too, are cells, and the rest is memory whose
//! contents nobody keeps track of: a load from there yields any value. Two accesses that overlap without being equal cannot be treated, nor can addresses of unknown origin,
//! nor an unknown place that turns out to be another one of the object ([`Within`]);
//! such accesses end at a refusal. An access outside its object, or through null, has no cell there: the thread stops.

use crate::cycles::in_cycles;
use crate::graph::{
    Cell, CellId, Goal, Initial, LocId, ObjectId, Place, Refusal, Step, TemplateId, What, Within,
};
use crate::inline::{Raw, RawAccess, RawEdge, Shape};
use crate::operands::{is_known, refused_thread_local};
use crate::strides::{Stride, strides};
use raddle_analysis::{Facts, Object as Origin};
use raddle_ir::{GlobalId, InitValue, LocalId, Op, Operand, Target, Ty, layout};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// With more cells than this, those of an unknown place are not told apart.
const MANY: u64 = 128;
/// Where globals begin, and where the regions of instances begin.
const GLOBALS: u64 = 0x10_0000;
/// Where the objects of threads begin.
pub const REGIONS: u64 = 0x1000_0000;
/// How much room each thread has for its objects.
pub const REGION: u64 = 0x10_0000;

/// The program with cells.
pub struct Resolved {
    pub raw: Raw,
    pub cells: Vec<Cell>,
}

/// A place in an object, or any.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Spot {
    object: ObjectId,
    offset: Option<u64>,
    own: bool,
    /// Where it is, if it is not known.
    stride: Stride,
}

impl Spot {
    /// The first unknown place of so many bytes, and how far the others are apart: those of a stride, if they do not overlap.
    fn elements(&self, bytes: u64) -> (u64, u64) {
        match self.stride {
            s if s.step >= bytes => (s.remainder, s.step),
            _ => (0, bytes),
        }
    }

    /// Whether an unknown place of so many bytes in an object of this size is any of too many.
    fn is_large(&self, size: u64, bytes: u64) -> bool {
        size / self.elements(bytes).1 > MANY
    }
}

/// Resolves all accesses.
pub fn resolve(facts: &Facts, mut raw: Raw) -> Result<Resolved, Refusal> {
    place_objects(&mut raw)?;
    let repeated: Vec<BTreeSet<u32>> = raw.templates.iter().map(in_cycles).collect();
    let apart: Vec<HashMap<_, _>> = raw.templates.iter().map(strides).collect();
    // What is accessed where, and what is refused.
    let mut shapes: BTreeMap<ObjectId, BTreeSet<(u64, u64)>> = BTreeMap::new();
    let mut wrong: HashMap<(usize, usize), String> = HashMap::new();
    let mut spots: HashMap<(usize, usize), Vec<Spot>> = HashMap::new();
    for (t, template) in raw.templates.iter().enumerate() {
        for (e, edge) in template.edges.iter().enumerate() {
            let Some(access) = &edge.access else {
                continue;
            };
            let found = spots_of(facts, &raw, TemplateId(t as u32), access, &apart[t]);
            let found = found.and_then(|all| {
                let repeats = repeated[t].contains(&edge.from);
                check_birth(&raw, edge, &all, repeats)?;
                for s in &all {
                    let size = raw.objects[s.object.0 as usize].size;
                    let pieces = pieces(facts, &raw, access.shape, *s, size)?;
                    shapes.entry(s.object).or_default().extend(pieces);
                }
                Ok(all)
            });
            match found {
                Ok(all) => drop(spots.insert((t, e), all)),
                Err(what) => drop(wrong.insert((t, e), what)),
            }
        }
    }
    let mut mixed = BTreeSet::new();
    let mut cells = Vec::new();
    let mut by_place: HashMap<(ObjectId, u64), CellId> = HashMap::new();
    for (object, pieces) in &shapes {
        let mut end = 0;
        for (offset, size) in pieces {
            if *offset < end {
                mixed.insert(*object);
            }
            end = end.max(offset + size);
        }
        for (offset, size) in pieces {
            by_place.insert((*object, *offset), CellId(cells.len() as u32));
            cells.push(Cell {
                object: *object,
                offset: *offset,
                size: *size,
                initial: Initial::Any,
                written: false,
                unreliable: false,
            });
        }
    }
    for (global, object) in &raw.globals {
        for cell in cells.iter_mut().filter(|c| c.object == *object) {
            cell.initial = initial(&raw, *global, cell.offset, cell.size);
        }
    }
    // The widths of accesses at unknown places of large objects.
    let mut widths: HashMap<ObjectId, BTreeSet<u64>> = HashMap::new();
    for ((t, e), all) in &spots {
        let access = &raw.templates[*t].edges[*e].access;
        if let Some(Shape::Bytes(n)) = access.as_ref().map(|a| a.shape) {
            for s in all.iter().filter(|s| s.offset.is_none()) {
                if s.is_large(raw.objects[s.object.0 as usize].size, n) {
                    widths.entry(s.object).or_default().insert(n);
                }
            }
        }
    }
    let by_object = |o: ObjectId, cells: &[Cell]| -> Vec<CellId> {
        let all = (0..cells.len() as u32).map(CellId);
        all.filter(|c| cells[c.0 as usize].object == o).collect()
    };
    for t in 0..raw.templates.len() {
        for e in 0..raw.templates[t].edges.len() {
            if let Some(all) = spots.get(&(t, e))
                && let Some(s) = all.iter().find(|s| mixed.contains(&s.object))
            {
                let name = &raw.objects[s.object.0 as usize].name;
                let what = format!("accesses of different widths to the same bytes of {name}");
                wrong.insert((t, e), what);
            }
            // An unknown place may be part of a cell of another width.
            if let (Some(all), Some(access)) =
                (spots.get(&(t, e)), &raw.templates[t].edges[e].access)
                && let Shape::Bytes(n) = access.shape
            {
                let odd = |s: &&Spot| {
                    let size = raw.objects[s.object.0 as usize].size;
                    let of = |c: &Cell| {
                        c.object == s.object && (c.size != n || !c.offset.is_multiple_of(n))
                    };
                    let other = widths.get(&s.object).is_some_and(|w| w.len() > 1);
                    let large = s.offset.is_none() && s.is_large(size, n);
                    large && (other || cells.iter().any(of))
                };
                if let Some(s) = all.iter().find(odd) {
                    let name = &raw.objects[s.object.0 as usize].name;
                    let what = format!("an unknown place in {name}, which is large");
                    wrong.insert((t, e), what);
                }
            }
            if let Some(what) = wrong.get(&(t, e)) {
                refuse(&mut raw, t, e, what);
                continue;
            }
            let (Some(all), Some(access)) =
                (spots.get(&(t, e)), raw.templates[t].edges[e].access.clone())
            else {
                continue;
            };
            let mut places = Vec::new();
            let mut elsewhere: Vec<ObjectId> = Vec::new();
            let mut within: Vec<Within> = Vec::new();
            for s in all {
                let size = raw.objects[s.object.0 as usize].size;
                let large = match (access.shape, s.offset) {
                    (Shape::Bytes(n), None) => s.is_large(size, n),
                    _ => false,
                };
                if large {
                    elsewhere.push(s.object);
                }
                let bytes = match access.shape {
                    Shape::Bytes(n) => n,
                    Shape::Mutex => layout::mutex_size(raw.program.model),
                    Shape::Whole => size,
                };
                if s.offset.is_none() && bytes <= size {
                    within.push(Within {
                        object: s.object,
                        bytes,
                        own: s.own,
                        divided: !large,
                    });
                }
                let offsets: Vec<u64> = match access.shape {
                    Shape::Whole => {
                        let whole = by_object(s.object, &cells);
                        whole.iter().map(|c| cells[c.0 as usize].offset).collect()
                    }
                    Shape::Mutex => starts(facts, &raw, *s, layout::mutex_size(raw.program.model)),
                    Shape::Bytes(_) if large => {
                        let there = by_object(s.object, &cells);
                        there.iter().map(|c| cells[c.0 as usize].offset).collect()
                    }
                    Shape::Bytes(_) => {
                        let pieces = pieces(facts, &raw, access.shape, *s, size);
                        pieces.unwrap_or_default().iter().map(|p| p.0).collect()
                    }
                };
                for offset in offsets {
                    let Some(cell) = by_place.get(&(s.object, offset)) else {
                        continue;
                    };
                    let at = offset + layout::mutex_kind(raw.program.model);
                    let kind = match access.shape {
                        Shape::Mutex => by_place.get(&(s.object, at)).copied(),
                        _ => None,
                    };
                    let place = Place {
                        cell: *cell,
                        kind,
                        own: s.own,
                    };
                    if !places.contains(&place) {
                        places.push(place);
                    }
                }
            }
            if access.write {
                for p in &places {
                    cells[p.cell.0 as usize].written = true;
                    if let Some(k) = p.kind {
                        let init = |s: &Step| {
                            matches!(
                                &s.what,
                                What::Instr(Op::Sync {
                                    op: raddle_ir::SyncOp::MutexInit,
                                    ..
                                })
                            )
                        };
                        let writes = raw.templates[t].edges[e].step.as_ref().is_some_and(init);
                        cells[k.0 as usize].written |= writes;
                    }
                }
            }
            finish(&mut raw, t, e, (places, elsewhere, within), &cells);
        }
    }
    for (t, nodes) in repeated.iter().enumerate() {
        let template = &mut raw.templates[t];
        for (site, node) in template.sites.iter_mut().zip(&template.site_nodes) {
            site.repeats = nodes.contains(node);
        }
    }
    let mut resolved = Resolved { raw, cells };
    crate::unreliable_locks::mark(facts, &mut resolved);
    Ok(resolved)
}

/// Puts the cells into the step; a store of zero to a whole object becomes one store per cell.
fn finish(
    raw: &mut Raw,
    t: usize,
    e: usize,
    (places, elsewhere, within): (Vec<Place>, Vec<ObjectId>, Vec<Within>),
    cells: &[Cell],
) {
    let model = raw.program.model;
    let template = &mut raw.templates[t];
    let whole = template.edges[e].access.as_ref().map(|a| a.shape) == Some(Shape::Whole);
    let Some(step) = template.edges[e].step.clone() else {
        return;
    };
    if let (true, What::Instr(Op::Store { addr, access, .. })) = (whole, &step.what) {
        let (from, goal) = (template.edges[e].from, template.edges[e].goal);
        let Operand::Slot { id, .. } = addr else {
            return;
        };
        let mut at = from;
        for (i, place) in places.iter().enumerate() {
            let cell = &cells[place.cell.0 as usize];
            let ty = Ty::int_of_bits(8 * cell.size as u32).unwrap_or(model.pointer_int());
            let to = match i + 1 == places.len() {
                true => goal,
                false => {
                    template.atomic.push(template.atomic[from as usize]);
                    Goal::At(LocId(template.atomic.len() as u32 - 1))
                }
            };
            let store = RawEdge {
                copied: None,
                mover: false,
                ends: None,
                from: at,
                step: Some(Step {
                    what: What::Instr(Op::Store {
                        ty,
                        addr: Operand::Slot {
                            id: *id,
                            offset: cell.offset as i64,
                        },
                        value: Operand::int(ty, 0),
                        access: *access,
                    }),
                    at: step.at,
                    cells: vec![*place],
                    elsewhere: Vec::new(),
                    within: Vec::new(),
                }),
                access: None,
                goal: to,
            };
            if let Goal::At(n) = to {
                at = n.0;
            }
            match i {
                0 => template.edges[e] = store,
                _ => template.edges.push(store),
            }
        }
        if places.is_empty() {
            template.edges[e].step = None;
        }
        return;
    }
    if let Some(step) = &mut template.edges[e].step {
        step.cells = places;
        step.elsewhere = elsewhere;
        step.within = within;
    }
}

fn refuse(raw: &mut Raw, t: usize, e: usize, what: &str) {
    let edge = &raw.templates[t].edges[e];
    let at = edge.step.as_ref().map(|s| s.at);
    let span = at.map_or(raddle_ir::Span::NOWHERE, |at| raw.program.span_of(at));
    let id = raw.refusals.len() as u32;
    raw.refusals.push(Refusal {
        what: what.to_string(),
        span,
    });
    let edge = &mut raw.templates[t].edges[e];
    edge.step = None;
    edge.access = None;
    edge.goal = Goal::Refused(id);
}

/// A new object while an older one of the same origin may still be known.
fn check_birth(raw: &Raw, edge: &RawEdge, all: &[Spot], repeats: bool) -> Result<(), String> {
    let Some(RawAccess {
        shape: Shape::Whole,
        ..
    }) = edge.access
    else {
        return Ok(());
    };
    let object = all.first().map(|s| &raw.objects[s.object.0 as usize]);
    match object {
        Some(o) if repeats && o.heap => Err("an allocation in a loop".into()),
        Some(o) if repeats && o.escaped => {
            Err(format!("{} is made in a loop and known to others", o.name))
        }
        _ => Ok(()),
    }
}

fn place_objects(raw: &mut Raw) -> Result<(), Refusal> {
    let mut next: HashMap<Option<TemplateId>, u64> = HashMap::new();
    for o in &mut raw.objects {
        let start = if o.owner.is_some() { 16 } else { GLOBALS };
        let limit = if o.owner.is_some() { REGION } else { REGIONS };
        let at = next.entry(o.owner).or_insert(start);
        o.base = *at;
        // The gap keeps an address just behind an object from being the next one's.
        *at = at.saturating_add(o.size.next_multiple_of(16).saturating_add(64));
        if *at >= limit {
            return Err(Refusal {
                what: format!("{} is too large", o.name),
                span: raddle_ir::Span::NOWHERE,
            });
        }
    }
    Ok(())
}

fn spots_of(
    facts: &Facts,
    raw: &Raw,
    template: TemplateId,
    access: &RawAccess,
    apart: &HashMap<LocalId, Stride>,
) -> Result<Vec<Spot>, String> {
    let spot = |object: ObjectId, offset: i64, own: bool| match u64::try_from(offset) {
        Ok(n) => vec![Spot {
            object,
            offset: Some(n),
            own,
            stride: Stride::ANY,
        }],
        Err(_) => Vec::new(),
    };
    match access.address {
        Operand::Global { id, offset } => match raw.globals.get(&id) {
            Some(o) => return Ok(spot(*o, offset, false)),
            None => return Err("a thread-local object".into()),
        },
        Operand::Slot { id, offset } => {
            let object = raw.templates[template.0 as usize].slots[id.0 as usize];
            return Ok(spot(object, offset, true));
        }
        Operand::Const { .. } | Operand::Function(_) => return Ok(Vec::new()),
        Operand::Local(_) => {}
    }
    let stride = match access.address {
        Operand::Local(l) => apart.get(&l).copied().unwrap_or(Stride::ANY),
        _ => Stride::ANY,
    };
    let mut all = Vec::new();
    for t in &access.targets {
        if !is_known(t.object) {
            return Err("an address of unknown origin".into());
        }
        let objects = facts.points_to.objects();
        match objects.get(t.object) {
            Origin::Global(g) if refused_thread_local(facts, g).is_some() => {
                return Err("a thread-local object".into());
            }
            Origin::Global(_) | Origin::Slot(..) | Origin::Allocated(_) => {}
            _ => continue,
        }
        for o in raw.origins.get(&t.object).into_iter().flatten() {
            let object = &raw.objects[o.0 as usize];
            let own = !object.escaped;
            // What nobody else knows is only accessed by its own thread.
            if own && object.owner.is_some_and(|owner| owner != template) {
                continue;
            }
            all.push(Spot {
                object: *o,
                offset: t.offset.known(),
                own: own && object.owner.is_some(),
                stride,
            });
        }
    }
    Ok(all)
}

/// Where in an object something of a size can begin: at the given place, or at each element of an array.
fn starts(facts: &Facts, raw: &Raw, spot: Spot, size: u64) -> Vec<u64> {
    let o = &raw.objects[spot.object.0 as usize];
    let fits = |at: u64| at.checked_add(size).is_some_and(|end| end <= o.size);
    match spot.offset {
        Some(at) => Some(at).into_iter().filter(|at| fits(*at)).collect(),
        None => {
            let (first, step) = match spot.stride.step >= size {
                true => spot.elements(size),
                false => (0, element(facts, raw, spot.object).unwrap_or(size).max(1)),
            };
            let all = (0..=o.size / step).map(|k| first + k * step);
            all.filter(|at| fits(*at)).collect()
        }
    }
}

/// The size of an element, if the object is an array by its C type.
fn element(facts: &Facts, raw: &Raw, object: ObjectId) -> Option<u64> {
    let global = raw.globals.iter().find(|(_, o)| **o == object)?.0;
    let program = facts.program();
    match &program.types[program.global(*global).ty.0 as usize] {
        raddle_ir::DebugType::Array { count, .. } if *count > 0 => {
            Some(program.global(*global).size / count)
        }
        _ => None,
    }
}

fn pieces(
    facts: &Facts,
    raw: &Raw,
    shape: Shape,
    spot: Spot,
    size: u64,
) -> Result<Vec<(u64, u64)>, String> {
    Ok(match (shape, spot.offset) {
        (Shape::Whole, _) => Vec::new(),
        (Shape::Bytes(n), Some(at)) => {
            let fits = at.checked_add(n).is_some_and(|end| end <= size);
            fits.then_some((at, n)).into_iter().collect()
        }
        (Shape::Bytes(n), None) if spot.is_large(size, n) => Vec::new(),
        (Shape::Bytes(n), None) => {
            let (first, step) = spot.elements(n);
            let all = (0..=size / step).map(|k| (first + k * step, n));
            all.filter(|(at, n)| at + n <= size).collect()
        }
        (Shape::Mutex, _) => {
            let model = raw.program.model;
            let all = starts(facts, raw, spot, layout::mutex_size(model));
            let words = |at: u64| [(at, 4), (at + layout::mutex_kind(model), 4)];
            all.into_iter().flat_map(words).collect()
        }
    })
}

/// What a global holds at the start.
fn initial(raw: &Raw, global: GlobalId, offset: u64, size: u64) -> Initial {
    let g = raw.program.global(global);
    if g.external {
        return Initial::Any;
    }
    let mut bits = 0u128;
    for init in &g.init {
        match &init.value {
            InitValue::Bytes(bytes) => {
                for (i, b) in bytes.iter().enumerate() {
                    let at = init.offset + i as u64;
                    if at >= offset && at < offset + size {
                        bits |= u128::from(*b) << (8 * (at - offset));
                    }
                }
            }
            InitValue::Address { target, addend } => {
                let width = raw.program.model.pointer_bytes();
                if init.offset >= offset + size || init.offset + width <= offset {
                    continue;
                }
                let base = match target {
                    Target::Global(g) => raw.globals.get(g).map(|o| raw.objects[o.0 as usize].base),
                    Target::Function(f) => Some(crate::graph::Ccfg::function_address(*f)),
                };
                match base {
                    Some(b)
                        if init.offset == offset && size == raw.program.model.pointer_bytes() =>
                    {
                        bits |= u128::from(b.wrapping_add(*addend as u64));
                    }
                    _ => return Initial::Any,
                }
            }
        }
    }
    Initial::Bits(bits)
}
