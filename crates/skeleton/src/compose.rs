//! Composition under sequential consistency: every read sees one of the writes it could see.
//!
//! What is known beforehand is used before anything is encoded: program order, thread starts and joins order events
//! (clocks); a write that certainly occurs between another and a read hides the other one; writes of another constant
//! cannot be what a lock's read of "free" sees; cells nobody has to read are left out. The rest becomes reads-from literals
//! for the ordering theory. How large the values that reads find can be is worked out beforehand, too (`raddle_solver::ranges`).

use crate::contents;
use crate::event::{Event, EventNo, Kind, Skeleton};
use crate::mode::Mode;
use crate::names::{CellId, Role};
use crate::rounds::Rounds;
use crate::shared::comes_before;
use crate::sums::{Read, Sum, Sums};
use raddle_ir::Program;
use raddle_solver::Solver;
use raddle_solver::blast::BlastError;
use raddle_solver::order::{EventId, EventKind, LocationId};
use raddle_solver::ranges::{Source, ranges, within};
use raddle_solver::term::{Sort, Term, TermId};
use std::collections::{BTreeMap, HashMap};

/// Sizes of a composition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Events that take part.
    pub events: usize,
    /// Reads among them.
    pub reads: usize,
    /// Reads-from literals.
    pub choices: usize,
}

/// A skeleton in a solver.
pub struct Composition {
    /// The solver's events, by ours; `None` for those that were left out.
    pub ids: Vec<Option<EventId>>,
    /// How large it is.
    pub size: Size,
}

/// Why there is no composition.
#[derive(Debug)]
pub enum NotComposed {
    /// The caller wanted to stop.
    Stopped,
    /// A term cannot be translated: a bug of ours.
    Encoding(BlastError),
}

impl From<BlastError> for NotComposed {
    fn from(error: BlastError) -> NotComposed {
        NotComposed::Encoding(error)
    }
}

/// Whether one event is known to come before another.
pub(crate) fn precedes(a: &Event, b: &Event) -> bool {
    if a.last || b.last {
        return b.last && !a.last;
    }
    comes_before(a.thread, a.time, b.thread, b.time, &b.clock)
}

/// Puts a skeleton into a solver; with `races`, also what is needed to look for races.
pub fn compose(
    skeleton: &mut Skeleton,
    program: &Program,
    solver: &mut Solver,
    races: bool,
    mode: Mode,
    stop: &dyn Fn() -> bool,
) -> Result<Composition, NotComposed> {
    let mut reads: BTreeMap<CellId, Vec<EventNo>> = BTreeMap::new();
    let mut writes: BTreeMap<CellId, Vec<EventNo>> = BTreeMap::new();
    for (i, e) in skeleton.events.iter().enumerate() {
        let id = EventNo(i as u32);
        match e.kind {
            Kind::Read(cell, _) => reads.entry(cell).or_default().push(id),
            Kind::Write(..) if e.unseen => {}
            Kind::Write(cell, _) => writes.entry(cell).or_default().push(id),
            Kind::Start(_) | Kind::Join(_) | Kind::Mark => {}
        }
    }
    if races {
        // Writes race with writes, even where nobody reads.
        for &cell in writes.keys() {
            reads.entry(cell).or_default();
        }
    }
    writes.retain(|cell, _| reads.contains_key(cell));
    let mut made = Composition {
        ids: vec![None; skeleton.events.len()],
        size: Size::default(),
    };
    let initial = add_events(skeleton, program, solver, &reads, &mut made)?;
    add_program_order(skeleton, solver, &made, &initial)?;
    let rounds = match mode.rounds {
        Some(bound) => Some(Rounds::new(skeleton, solver, &made, bound)?),
        None => None,
    };
    let copies = add_phantoms(skeleton, solver, &reads, &made)?;
    let mut sources = Vec::new();
    let mut sums = Sums::default();
    if !mode.eager && mode.rounds.is_none() {
        for (cell, readers) in reads.iter().filter(|(c, _)| !copies.contains_key(c)) {
            if stop() {
                return Err(NotComposed::Stopped);
            }
            let writers = writes.get(cell).map_or(&[][..], |w| w);
            if let Some(sum) = Sum::find(skeleton, &made, *cell, readers, writers) {
                sums.add_cell(*cell, sum);
            }
        }
        sums.find_needed(skeleton);
    }
    for (cell, readers) in &reads {
        let writers = Writers {
            events: writes.get(cell).map_or(&[][..], |w| w),
            copies: copies.get(cell).map_or(&[][..], |c| c),
            initial: initial[cell],
            rounds: rounds.as_ref(),
        };
        for &r in readers {
            if stop() {
                return Err(NotComposed::Stopped);
            }
            match sums.add_read(skeleton, solver, &made, r, writers.initial.1)? {
                Read::Sum(found) => {
                    made.size.reads += 1;
                    sources.push(found);
                }
                Read::Idle => {}
                Read::Other => {
                    sources.extend(add_read(skeleton, solver, &mut made, r, &writers, mode)?);
                }
            }
        }
    }
    for holds in sums.together(skeleton) {
        solver.assert(&mut skeleton.pool, holds)?;
    }
    if !mode.eager {
        for (found, interval) in ranges(&skeleton.pool, &sources) {
            let holds = within(&mut skeleton.pool, found, interval);
            solver.assert(&mut skeleton.pool, holds)?;
        }
    }
    if races {
        crate::races::add_races(skeleton, solver, &made)?;
    }
    for c in skeleton.constraints.clone() {
        solver.assert(&mut skeleton.pool, c)?;
    }
    Ok(made)
}

fn location(cell: CellId) -> LocationId {
    LocationId(cell.0)
}

/// Adds all events that matter; the answer are the initial writes of all cells that are read, with their values.
fn add_events(
    skeleton: &mut Skeleton,
    program: &Program,
    solver: &mut Solver,
    reads: &BTreeMap<CellId, Vec<EventNo>>,
    made: &mut Composition,
) -> Result<BTreeMap<CellId, (EventId, TermId)>, BlastError> {
    let mut initial = BTreeMap::new();
    let first = solver.order_problem().add_block();
    for &cell in reads.keys() {
        let extent = skeleton.names.extent(cell);
        let value = contents::initial(
            &mut skeleton.pool,
            program,
            &mut skeleton.names,
            extent.object,
            extent.offset,
            extent.length,
        );
        let kind = EventKind::Write(location(cell));
        let id = solver.order_problem().add_block_event(first, kind, None);
        initial.insert(cell, (id, value.bits));
    }
    let end = solver.order_problem().add_block();
    let mut blocks = HashMap::new();
    for i in 0..skeleton.events.len() {
        let e = &skeleton.events[i];
        let kind = match e.kind {
            Kind::Read(cell, _) => EventKind::Read(location(cell)),
            Kind::Write(cell, _) if reads.contains_key(&cell) && !e.unseen => {
                EventKind::Write(location(cell))
            }
            Kind::Write(..) => continue,
            Kind::Start(_) | Kind::Join(_) | Kind::Mark => EventKind::Other,
        };
        let (block, last) = (e.block, e.last);
        let guard = skeleton.guards.term(e.guard);
        if matches!(skeleton.pool.term(guard), Term::Bool(false)) {
            continue;
        }
        let occurs = match kind {
            EventKind::Other => None,
            _ => solver.occurrence(&mut skeleton.pool, guard)?,
        };
        let mut problem = solver.order_problem();
        let id = match block {
            None if last => problem.add_block_event(end, kind, occurs),
            Some(b) => {
                let block = *blocks.entry(b).or_insert_with(|| problem.add_block());
                problem.add_block_event(block, kind, occurs)
            }
            None => problem.add_event(kind, occurs),
        };
        made.ids[i] = Some(id);
        made.size.events += 1;
    }
    Ok(initial)
}

fn add_program_order(
    skeleton: &mut Skeleton,
    solver: &mut Solver,
    made: &Composition,
    initial: &BTreeMap<CellId, (EventId, TermId)>,
) -> Result<(), BlastError> {
    let order = |solver: &mut Solver, a: EventId, b: EventId| {
        let mut problem = solver.order_problem();
        if problem.event(a).node != problem.event(b).node {
            problem.add_order(a, b);
        }
    };
    let included = |events: &[EventNo]| -> Vec<(EventNo, EventId)> {
        let id = |e: &EventNo| made.ids[e.0 as usize].map(|id| (*e, id));
        events.iter().filter_map(id).collect()
    };
    let chains: Vec<Vec<(EventNo, EventId)>> = skeleton
        .threads
        .iter()
        .map(|t| included(&t.events))
        .collect();
    for chain in &chains {
        for pair in chain.windows(2) {
            order(solver, pair[0].1, pair[1].1);
        }
    }
    if let (Some((first, _)), Some(start)) = (initial.values().next(), chains[0].first()) {
        order(solver, *first, start.1);
    }
    // What is seen in the end is seen after everything.
    let end =
        (0..skeleton.events.len()).find(|i| skeleton.events[*i].last && made.ids[*i].is_some());
    if let Some(end) = end.and_then(|i| made.ids[i]) {
        for chain in &chains {
            if let Some((_, last)) = chain.last() {
                order(solver, *last, end);
            }
        }
        if let Some((first, _)) = initial.values().next() {
            order(solver, *first, end);
        }
    }
    let fixed: std::collections::HashSet<EventNo> =
        skeleton.edges.iter().map(|(_, join)| *join).collect();
    for chain in &chains {
        for &(e, id) in chain {
            match skeleton.events[e.0 as usize].kind {
                Kind::Start(child) => {
                    if let Some((_, first)) = chains[child.0 as usize].first() {
                        order(solver, id, *first);
                    }
                }
                Kind::Join(child) => {
                    let Some(&(_, last)) = chains[child.0 as usize].last() else {
                        continue;
                    };
                    if fixed.contains(&e) {
                        order(solver, last, id);
                    } else {
                        let guard = skeleton.guards.term(skeleton.events[e.0 as usize].guard);
                        let literal = solver.literal(&mut skeleton.pool, guard)?;
                        solver
                            .order_problem()
                            .add_conditional_order(literal, last, id);
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// What a read of a cell may see.
struct Writers<'a> {
    events: &'a [EventNo],
    copies: &'a [Copy],
    initial: (EventId, TermId),
    rounds: Option<&'a Rounds>,
}

/// A write of a phantom.
struct Copy {
    id: EventId,
    value: TermId,
    between: (EventNo, EventNo),
}

/// For every phantom and cell as many writes as there are reads; which of them happen, and with what, is open.
fn add_phantoms(
    skeleton: &mut Skeleton,
    solver: &mut Solver,
    reads: &BTreeMap<CellId, Vec<EventNo>>,
    made: &Composition,
) -> Result<BTreeMap<CellId, Vec<Copy>>, BlastError> {
    let mut all: BTreeMap<CellId, Vec<Copy>> = BTreeMap::new();
    for phantom in skeleton.phantoms.clone() {
        let guard = skeleton.guards.term(phantom.guard);
        let (from, to) = phantom.between;
        let ids = (made.ids[from.0 as usize], made.ids[to.0 as usize]);
        let (Some(first), Some(last)) = ids else {
            continue;
        };
        for cell in phantom.cells {
            let Some(readers) = reads.get(&cell) else {
                continue;
            };
            let bits = (skeleton.names.extent(cell).length * 8) as u32;
            let mut before = first;
            for _ in readers {
                let happens = skeleton.pool.fresh_var("phantom", Sort::Bool);
                skeleton.names.set_role(happens, Role::Untaken);
                let occurs = skeleton.pool.and(guard, happens);
                let occurs = solver.occurrence(&mut skeleton.pool, occurs)?;
                let kind = EventKind::Write(location(cell));
                let id = solver.order_problem().add_event(kind, occurs);
                solver.order_problem().add_order(before, id);
                before = id;
                let value = skeleton.pool.fresh_var("phantom", Sort::BitVec(bits));
                skeleton.names.set_role(value, Role::Untaken);
                let between = phantom.between;
                all.entry(cell)
                    .or_default()
                    .push(Copy { id, value, between });
            }
            solver.order_problem().add_order(before, last);
        }
    }
    Ok(all)
}

/// Adds a read; the answer is all that it may find.
fn add_read(
    skeleton: &mut Skeleton,
    solver: &mut Solver,
    made: &mut Composition,
    read: EventNo,
    writers: &Writers<'_>,
    mode: Mode,
) -> Result<Option<Source>, BlastError> {
    let Some(id) = made.ids[read.0 as usize] else {
        return Ok(None);
    };
    let r = skeleton.events[read.0 as usize].clone();
    let Kind::Read(_, found) = r.kind else {
        return Ok(None);
    };
    made.size.reads += 1;
    // For every thread, its last write that certainly occurs if the read does, and comes before it.
    let mut hiding: HashMap<u32, EventNo> = HashMap::new();
    let prunes = !mode.eager;
    for &w in writers.events.iter().filter(|_| prunes) {
        let e = &skeleton.events[w.0 as usize];
        if precedes(e, &r) && skeleton.guards.implies(r.guard, e.guard) {
            hiding.insert(e.thread.0, w);
        }
    }
    let mut sources: Vec<(EventId, TermId, bool, Option<EventNo>)> = Vec::new();
    for &w in writers.events {
        let Some(write) = made.ids[w.0 as usize] else {
            continue;
        };
        let e = &skeleton.events[w.0 as usize];
        let Kind::Write(_, value) = e.kind else {
            continue;
        };
        if prunes && precedes(&r, e) {
            continue;
        }
        let hidden = |h: &EventNo| precedes(e, &skeleton.events[h.0 as usize]);
        if hiding.values().any(hidden) {
            continue;
        }
        let certain = hiding.values().any(|h| *h == w);
        sources.push((write, value, certain, Some(w)));
    }
    for copy in writers.copies {
        let from = &skeleton.events[copy.between.0.0 as usize];
        let to = &skeleton.events[copy.between.1.0 as usize];
        let hidden = |h: &EventNo| precedes(to, &skeleton.events[h.0 as usize]);
        if !precedes(&r, from) && !hiding.values().any(hidden) {
            sources.push((copy.id, copy.value, false, None));
        }
    }
    if hiding.is_empty() {
        sources.push((writers.initial.0, writers.initial.1, true, None));
    }
    let values = sources.iter().map(|s| s.1).collect();
    let source = Some(Source { found, values });
    let occurs = skeleton.guards.term(r.guard);
    if prunes && let [(_, value, true, _)] = sources[..] {
        let same = skeleton.pool.eq(found, value);
        let holds = skeleton.pool.implies(occurs, same);
        solver.assert(&mut skeleton.pool, holds)?;
        return Ok(source);
    }
    for (write, value, _, event) in sources {
        let same = skeleton.pool.eq(found, value);
        if prunes && matches!(skeleton.pool.term(same), Term::Bool(false)) {
            continue;
        }
        let choice = skeleton.pool.fresh_var("rf", Sort::Bool);
        let literal = solver.literal(&mut skeleton.pool, choice)?;
        solver.order_problem().add_reads_from(literal, write, id);
        made.size.choices += 1;
        let holds = skeleton.pool.implies(choice, same);
        solver.assert(&mut skeleton.pool, holds)?;
        if let (Some(rounds), Some(w)) = (writers.rounds, event) {
            rounds.order(skeleton, solver, choice, (w, read))?;
        }
    }
    solver.require_source(&mut skeleton.pool, id, None)?;
    Ok(source)
}
