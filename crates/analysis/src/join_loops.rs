//! Loops that join all threads that another loop has made.
//!
//! `for (i = 0; i < N; i++) pthread_create(&t[i], …)` and later `for (i = 0; i < N; i++) pthread_join(t[i], …)`: behind the second loop none of these
//! threads runs any more, however many there are. [`crate::joins`] cannot say so, since no single join waits for all of them. Here both
//! loops are recognised by what they do, not by how they look: each counts a local up by one from a constant and is left at its header, and
//!
//! - both run once, in one function of a family with one member or the first in a function that it calls once, and the first is passed before the second begins;
//! - the handle of a new thread is stored, before the thread starts, in the element of an array whose index is the local; every creation is followed by
//!   the step to the next element, so no handle is overwritten;
//! - nobody else writes to the handles in the array, except before the first loop, and to the current element before its thread is made; the array
//!   exists once;
//! - an iteration of the second loop does not step to the next element before it has joined the present one;
//! - the second loop's elements include those of the first; nobody detaches threads of this creation.
//!
//! What it misses: handles in lists, elements that are structures reached by moving pointers, loops with several counters or with a limit in memory,
//! joins in a function that the other one calls.

use crate::accesses::Kind;
use crate::families::FamilyId;
use crate::fold::reachable_blocks;
use crate::joins::{Context, Origin};
use crate::loops::{Loop, LoopNest, successors};
use crate::objects::ObjectId;
use crate::solve::Target;
use raddle_ir::{
    BinaryOp, BlockId, CastKind, CompareOp, FuncId, LocalId, Location, Op, Operand, Rvalue, SyncOp,
    Terminator,
};
use std::collections::{BTreeMap, BTreeSet};

/// An edge of a function's graph, and the family of which nobody is left behind it.
pub(crate) type Exits = BTreeMap<(FuncId, BlockId, BlockId), BTreeSet<FamilyId>>;

/// What was found.
#[derive(Default)]
pub(crate) struct JoinLoops {
    /// Where the loops are left.
    pub exits: Exits,
    /// Joins that are certainly of threads that were made: the first loop has filled all elements that the second one joins.
    pub of_handles: BTreeSet<Location>,
}

/// An element of an array whose index is a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Element {
    base: Operand,
    scale: u64,
    offset: i64,
    counter: LocalId,
}

/// Where a counting loop ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// Before this number.
    Number(i128),
    /// Before the number that this local holds, which is set once.
    Local(LocalId),
}

/// A loop that counts.
struct Counted<'a> {
    of: &'a Loop,
    from: i128,
    until: Until,
    /// The step to the next number.
    step: Location,
    /// The edge at which it is left.
    exit: BlockId,
}

/// Finds all such loops; families in `detached` may be detached by somebody.
pub(crate) fn find(context: &Context<'_>, detached: &BTreeSet<FamilyId>) -> JoinLoops {
    let mut found = JoinLoops::default();
    let joins = context.sync_sites(SyncOp::ThreadJoin);
    for family in context.families.ids().skip(1) {
        if detached.contains(&family) {
            continue;
        }
        for (join, handle) in &joins {
            if let Some((edge, filled)) = joined_by_loop(context, family, *join, *handle) {
                found.exits.entry(edge).or_default().insert(family);
                if filled {
                    found.of_handles.insert(*join);
                }
            }
        }
    }
    found
}

fn joined_by_loop(
    context: &Context<'_>,
    family: FamilyId,
    join: Location,
    handle: Operand,
) -> Option<((FuncId, BlockId, BlockId), bool)> {
    let new = context.families.get(family).creation?;
    let parents: Vec<FamilyId> = context
        .families
        .get(family)
        .parents
        .iter()
        .copied()
        .collect();
    let [parent] = parents[..] else { return None };
    let (made_in, store, start) = creation(context, new)?;
    let waits_in = passed_on(context, join, handle)?;
    let (g, f) = (made_in.at.function, waits_in.at.function);
    let helper = match g == f {
        true => None,
        false => Some(helper(context, g, f)?),
    };
    let first = Location {
        function: f,
        block: BlockId(0),
        index: 0,
    };
    let once = context.calls.runs_once(first)
        && context.families.running(f) == [parent]
        && context.families.running(g) == [parent]
        && !context.families.get(parent).several;
    if !once || !context.comes_before(store, start) || !always_joins(context, join) {
        return None;
    }
    let (making, nest) = (context.calls.loops(g)?, context.calls.loops(f)?);
    let (element, computed) = element(context, g, made_in.argument)?;
    let mut make = counted(context, making, made_in.at, element.counter)?;
    let alone = only_writer(
        context,
        store,
        &Filling {
            element,
            make: &make,
            made_in: made_in.at,
            helper: helper.as_ref(),
        },
    );
    let mut base = element.base;
    if let Some(helper) = &helper {
        base = helper.outside(context, base)?;
        if let Until::Local(l) = make.until {
            make.until = match helper.outside(context, Operand::Local(l))? {
                Operand::Const { ty, bits } => Until::Number(number(context, ty, bits)?),
                _ => return None,
            };
        }
    }
    let load = context.definition(f, local(waits_in.argument)?)??;
    let Op::Load { addr, ty, .. } = context.program.instr(load)?.op else {
        return None;
    };
    if ty != context.program.model.pointer_int() {
        return None;
    }
    let (again, mut loaded) = self::element(context, f, addr)?;
    loaded.push(load);
    let wait = counted(context, nest, waits_in.at, again.counter)?;
    let same = (base, element.scale, element.offset) == (again.base, again.scale, again.offset);
    let covers = wait.from <= make.from
        && match (make.until, wait.until) {
            (Until::Number(a), Until::Number(b)) => a <= b,
            (a, b) => a == b,
        };
    let in_order = match &helper {
        None => make.of.header != wait.of.header && nest.dominates(make.of.header, wait.of.header),
        // The helper returns behind its loop, and is called before the other one.
        Some(h) => {
            let returns = h.returns(context);
            h.comes_before(context, wait.of.header)
                && returns.iter().all(|b| making.dominates(make.of.header, *b))
        }
    };
    let fresh = make.is_fresh(context, &computed, made_in.at)
        && wait.is_fresh(context, &loaded, waits_in.at);
    // No creation without a step behind it, no step without a join before it.
    let steps = !reaches_header(context, make.of, made_in.at, make.step)
        && context.comes_before(waits_in.at, wait.step);
    (same && covers && in_order && fresh && steps && alone).then(|| {
        // All of its elements, and the first loop is left in no other way before the second begins.
        let all = (wait.from, wait.until) == (make.from, make.until);
        let filled = all
            && context.comes_before(made_in.at, make.step)
            && entered_from(context, making, g, make.exit) == [make.of.header]
            && match &helper {
                None => nest.dominates(make.exit, wait.of.header),
                Some(h) => {
                    let returns = h.returns(context);
                    returns.iter().all(|b| making.dominates(make.exit, *b))
                }
            };
        ((f, wait.of.header, wait.exit), filled)
    })
}

/// A function that makes the threads for another one, which calls it once.
struct Helper {
    function: FuncId,
    /// Where it is called.
    call: Location,
}

/// The helper of a function, if it is called there and nowhere else.
fn helper(context: &Context<'_>, g: FuncId, f: FuncId) -> Option<Helper> {
    let [edge] = context.calls.incoming(g) else {
        return None;
    };
    let here = edge.at.function == f && !edge.thread && !context.calls.in_cycle(edge.at);
    here.then_some(Helper {
        function: g,
        call: edge.at,
    })
}

impl Helper {
    /// What a value in the helper is for its caller.
    fn outside(&self, context: &Context<'_>, value: Operand) -> Option<Operand> {
        let Operand::Local(_) = value else {
            return matches!(value, Operand::Global { .. }).then_some(value);
        };
        let parameter = parameter(context, self.function, value)?;
        match &context.program.instr(self.call)?.op {
            Op::Call { args, .. } => args.get(parameter.0 as usize).copied(),
            _ => None,
        }
    }

    /// The blocks in which it returns.
    fn returns(&self, context: &Context<'_>) -> Vec<BlockId> {
        let function = context.program.function(self.function);
        let reachable = reachable_blocks(function);
        let blocks = (0..function.blocks.len() as u32).map(BlockId);
        blocks
            .filter(|b| {
                let returns = matches!(function.block(*b).terminator, Terminator::Return(_));
                reachable[b.0 as usize] && returns
            })
            .collect()
    }

    /// Whether it has returned before a block of its caller.
    fn comes_before(&self, context: &Context<'_>, block: BlockId) -> bool {
        let begins = Location {
            block,
            index: 0,
            ..self.call
        };
        context.comes_before(self.call, begins)
    }
}

/// The blocks from which one is entered.
fn entered_from(context: &Context<'_>, nest: &LoopNest, f: FuncId, to: BlockId) -> Vec<BlockId> {
    let function = context.program.function(f);
    let all = (0..function.blocks.len() as u32).map(BlockId);
    all.filter(|b| {
        let there = nest.position[b.0 as usize].is_some();
        there && successors(&function.block(*b).terminator).contains(&to)
    })
    .collect()
}

/// A call, and what it passes for a parameter.
struct Passed {
    at: Location,
    argument: Operand,
}

fn local(o: Operand) -> Option<LocalId> {
    match o {
        Operand::Local(l) => Some(l),
        _ => None,
    }
}

/// Who calls the function of a place, if there is one such call, and what it passes for a value there that is a parameter.
fn passed_on(context: &Context<'_>, at: Location, value: Operand) -> Option<Passed> {
    let parameter = parameter(context, at.function, value)?;
    let [edge] = context.calls.incoming(at.function) else {
        return None;
    };
    match &context.program.instr(edge.at)?.op {
        Op::Call { args, .. } if !edge.thread => {
            let argument = *args.get(parameter.0 as usize)?;
            Some(Passed {
                at: edge.at,
                argument,
            })
        }
        _ => None,
    }
}

/// The parameter that a value is a copy of.
fn parameter(context: &Context<'_>, f: FuncId, value: Operand) -> Option<LocalId> {
    let mut now = local(value)?;
    for _ in 0..20 {
        match context.definition(f, now)? {
            None => return Some(now),
            Some(at) => match context.program.instr(at)?.op {
                Op::Let {
                    value: Rvalue::Use(a),
                    ..
                } => now = local(a)?,
                _ => return None,
            },
        }
    }
    None
}

/// The call that makes threads, the store of their handle to where it says, and their start.
fn creation(context: &Context<'_>, new: Location) -> Option<(Passed, Location, Location)> {
    let f = new.function;
    let function = context.program.function(f);
    let reachable = reachable_blocks(function);
    let (mut stores, mut starts) = (Vec::new(), Vec::new());
    for (b, block) in function
        .blocks
        .iter()
        .enumerate()
        .filter(|(b, _)| reachable[*b])
    {
        for (i, instr) in block.instrs.iter().enumerate() {
            let at = Location {
                function: f,
                block: BlockId(b as u32),
                index: i as u32,
            };
            match &instr.op {
                Op::Store { addr, value, .. } => {
                    let of_new = context.origin(f, *value, 0) == Some(Origin::Created(new));
                    if of_new && context.comes_before(new, at) {
                        stores.push((at, *addr));
                    }
                }
                Op::Sync {
                    op: SyncOp::ThreadStart,
                    ..
                } => starts.push(at),
                _ => {}
            }
        }
    }
    let ([(store, address)], [start]) = (&stores[..], &starts[..]) else {
        return None;
    };
    // The creation runs once for each call.
    let nest = context.calls.loops(f)?;
    let around = [new, *store, *start].map(|at| nest.around[at.block.0 as usize].is_empty());
    if around != [true; 3] {
        return None;
    }
    Some((passed_on(context, *store, *address)?, *store, *start))
}

/// Whether a function does not return before a join in it is over.
fn always_joins(context: &Context<'_>, join: Location) -> bool {
    let function = context.program.function(join.function);
    let reachable = reachable_blocks(function);
    let Some(nest) = context.calls.loops(join.function) else {
        return false;
    };
    let blocks = function.blocks.iter().enumerate();
    let mut returns = blocks
        .filter(|(b, block)| reachable[*b] && matches!(block.terminator, Terminator::Return(_)));
    nest.around[join.block.0 as usize].is_empty()
        && returns.all(|(b, _)| nest.dominates(join.block, BlockId(b as u32)))
}

impl Counted<'_> {
    /// Whether a use is of values that were computed in the same iteration, one after the other, before the step.
    fn is_fresh(&self, context: &Context<'_>, computed: &[Location], used: Location) -> bool {
        let inside = |at: &Location| {
            let nest = context.calls.loops(at.function);
            let once = nest.is_some_and(|n| n.around[at.block.0 as usize].len() == 1);
            once && self.of.blocks.binary_search(&at.block).is_ok()
        };
        let mut pairs = computed.iter().zip(computed[1..].iter().chain([&used]));
        computed.iter().all(inside)
            && pairs.all(|(a, b)| context.comes_before(*a, *b))
            && computed
                .iter()
                .all(|at| !reaches(context, self.of, self.step, *at))
    }
}

/// The element that an address is of, and the places where its index and its address are computed, in order.
fn element(context: &Context<'_>, f: FuncId, address: Operand) -> Option<(Element, Vec<Location>)> {
    let at = context.definition(f, local(address)?)??;
    let Op::Let {
        value:
            Rvalue::PtrAdd {
                base,
                index,
                scale,
                offset,
            },
        ..
    } = context.program.instr(at)?.op
    else {
        return None;
    };
    // Elements do not overlap.
    if scale
        < u64::from(
            context
                .program
                .model
                .pointer_int()
                .bits(context.program.model),
        ) / 8
    {
        return None;
    }
    // What the base is must not change.
    if let Operand::Local(l) = base {
        let set = context.definition(f, l)?;
        if set.is_some_and(|set| context.calls.in_cycle(set) || !context.comes_before(set, at)) {
            return None;
        }
    }
    let mut computed = vec![at];
    let mut counter = local(index)?;
    for _ in 0..10 {
        // What counts has several definitions.
        let Some(Some(at)) = context.definition(f, counter) else {
            break;
        };
        match context.program.instr(at)?.op {
            Op::Let {
                value:
                    Rvalue::Use(a)
                    | Rvalue::Cast {
                        kind: CastKind::SExt | CastKind::ZExt,
                        a,
                        ..
                    },
                ..
            } => {
                counter = local(a)?;
                computed.insert(0, at);
            }
            _ => return None,
        }
    }
    let element = Element {
        base,
        scale,
        offset,
        counter,
    };
    Some((element, computed))
}

/// The loop around a call, if it is the only one and counts this local up by one from a constant.
fn counted<'a>(
    context: &Context<'_>,
    nest: &'a LoopNest,
    at: Location,
    counter: LocalId,
) -> Option<Counted<'a>> {
    let [id] = nest.around[at.block.0 as usize][..] else {
        return None;
    };
    let of = &nest.loops[id.0 as usize];
    let f = at.function;
    let function = context.program.function(f);
    // The step.
    let mut steps = Vec::new();
    for b in &of.blocks {
        for (i, instr) in function.block(*b).instrs.iter().enumerate() {
            if writes(&instr.op, counter) {
                let at = Location {
                    function: f,
                    block: *b,
                    index: i as u32,
                };
                steps.push((at, &instr.op));
            }
        }
    }
    let [(step, Op::Let { value, .. })] = steps[..] else {
        return None;
    };
    let Rvalue::Binary {
        op: BinaryOp::Add,
        a: Operand::Local(same),
        b: Operand::Const { bits: 1, .. },
        ..
    } = value
    else {
        return None;
    };
    if *same != counter || nest.around[step.block.0 as usize].len() != 1 {
        return None;
    }
    let from = constant_before(context, nest, of, f, counter)?;
    // The test.
    let header = function.block(of.header);
    let Terminator::Branch {
        cond: Operand::Local(cond),
        then,
        otherwise,
    } = header.terminator
    else {
        return None;
    };
    let inside = |b: BlockId| of.blocks.binary_search(&b).is_ok();
    if !inside(then) || inside(otherwise) {
        return None;
    }
    let last = header.instrs.iter().rposition(|i| writes(&i.op, cond))?;
    if header.instrs[last..].iter().any(|i| writes(&i.op, counter)) || step.block == of.header {
        return None;
    }
    let Op::Let {
        value:
            Rvalue::Compare {
                op,
                a: Operand::Local(compared),
                b,
                ty,
            },
        ..
    } = header.instrs[last].op
    else {
        return None;
    };
    if compared != counter {
        return None;
    }
    let until = match (op, b) {
        (CompareOp::SLt | CompareOp::ULt | CompareOp::Ne, Operand::Const { bits, .. }) => {
            Until::Number(number(context, ty, bits)?)
        }
        (CompareOp::SLe | CompareOp::ULe, Operand::Const { bits, .. }) => {
            Until::Number(number(context, ty, bits)? + 1)
        }
        (CompareOp::SLt, Operand::Local(l)) => {
            // Set before the loop, not after it, when nobody knows what it is in the loop.
            let begins = Location {
                function: f,
                block: of.header,
                index: 0,
            };
            let late = |at| context.calls.in_cycle(at) || !context.comes_before(at, begins);
            if context.definition(f, l)?.is_some_and(late) {
                return None;
            }
            Until::Local(l)
        }
        _ => return None,
    };
    // Otherwise `!=` would count beyond its end.
    if matches!(until, Until::Number(n) if n < from) {
        return None;
    }
    Some(Counted {
        of,
        from,
        until,
        step,
        exit: otherwise,
    })
}

/// A constant that is not negative.
fn number(context: &Context<'_>, ty: raddle_ir::Ty, bits: u128) -> Option<i128> {
    let half = 1u128 << ty.bits(context.program.model).checked_sub(1)?;
    (bits < half).then_some(bits as i128)
}

fn writes(op: &Op, l: LocalId) -> bool {
    op.clone().destinations_mut().contains(&&mut l.clone())
}

/// The constant that a local holds whenever a loop is entered.
fn constant_before(
    context: &Context<'_>,
    nest: &LoopNest,
    of: &Loop,
    f: FuncId,
    counter: LocalId,
) -> Option<i128> {
    let function = context.program.function(f);
    let mut to = of.header;
    for _ in 0..50 {
        let inside = |b: &BlockId| to == of.header && of.blocks.binary_search(b).is_ok();
        let mut before = entered_from(context, nest, f, to);
        before.retain(|b| !inside(b));
        let [one] = before[..] else {
            return None;
        };
        let block = function.block(one);
        if let Some(last) = block.instrs.iter().rfind(|i| writes(&i.op, counter)) {
            return match last.op {
                Op::Let {
                    value: Rvalue::Use(Operand::Const { ty, bits }),
                    ..
                } => number(context, ty, bits),
                _ => None,
            };
        }
        to = one;
    }
    None
}

/// Whether in one iteration a place can come after another.
fn reaches(context: &Context<'_>, of: &Loop, from: Location, to: Location) -> bool {
    from.block == to.block && from.index < to.index
        || behind(context, of, from, None).contains(&to.block)
}

/// Whether from a place on the next iteration can begin without passing another place.
fn reaches_header(context: &Context<'_>, of: &Loop, from: Location, without: Location) -> bool {
    if from.block == without.block && from.index < without.index {
        return false;
    }
    let function = context.program.function(from.function);
    let mut blocks = behind(context, of, from, Some(without.block));
    blocks.insert(from.block);
    blocks
        .iter()
        .any(|b| successors(&function.block(*b).terminator).contains(&of.header))
}

/// The blocks of a loop that come after a place in the same iteration, on ways around another.
fn behind(
    context: &Context<'_>,
    of: &Loop,
    from: Location,
    without: Option<BlockId>,
) -> BTreeSet<BlockId> {
    let function = context.program.function(from.function);
    let mut seen = BTreeSet::new();
    let mut work = vec![from.block];
    while let Some(b) = work.pop() {
        for s in successors(&function.block(b).terminator) {
            let inside = of.blocks.binary_search(&s).is_ok();
            if inside && s != of.header && Some(s) != without && seen.insert(s) {
                work.push(s);
            }
        }
    }
    seen
}

/// A loop that fills the elements of an array with handles.
struct Filling<'a> {
    element: Element,
    make: &'a Counted<'a>,
    /// The creation.
    made_in: Location,
    helper: Option<&'a Helper>,
}

/// Whether nobody but one store writes the handles in an array, except before the loop, and before the creation in an iteration, to the element
/// that is filled next. The array exists once. What else is in an element may be written at any time.
fn only_writer(context: &Context<'_>, store: Location, filling: &Filling<'_>) -> bool {
    let accessed = context.points_to.accessed(context.program, store);
    let [one] = accessed else {
        return false;
    };
    let object = one.object;
    let before = |at: Location| {
        let begins = Location {
            function: filling.made_in.function,
            block: filling.make.of.header,
            index: 0,
        };
        let earlier = |end: Location| {
            at.function == end.function
                && !context.calls.in_cycle(at)
                && context.comes_before(at, end)
        };
        earlier(begins) || filling.helper.is_some_and(|h| earlier(h.call))
    };
    let mut writes = context
        .accesses
        .iter()
        .filter(|a| a.object == object && a.write && a.kind != Kind::End);
    crate::once::exists_once(context.program, context.points_to, context.calls, object)
        && writes.all(|a| {
            a.at == store
                || before(a.at)
                || filling.is_beside(context, a.at, one)
                || filling.is_earlier(context, a.at)
        })
}

impl Filling<'_> {
    /// How many bytes an instruction stores.
    fn stored(context: &Context<'_>, at: Location) -> Option<(u64, Operand)> {
        let model = context.program.model;
        match &context.program.instr(at)?.op {
            Op::Store {
                ty, addr, access, ..
            } if access.bits.is_none() => Some((ty.bytes(model), *addr)),
            Op::Rmw { ty, addr, .. } | Op::Cas { ty, addr, .. } => Some((ty.bytes(model), *addr)),
            _ => None,
        }
    }

    /// Whether a write is to other bytes of elements than their handles.
    fn is_beside(&self, context: &Context<'_>, at: Location, handle: &Target) -> bool {
        let scale = self.element.scale;
        let within = |t: &Target, bytes: u64| {
            let first = t.offset.first() % scale;
            let fits = t.offset.stride().is_multiple_of(scale) && first + bytes <= scale;
            fits.then_some((first, first + bytes))
        };
        let Some((bytes, _)) = Self::stored(context, at) else {
            return false;
        };
        let Some((from, to)) = within(handle, context.program.model.pointer_bytes()) else {
            return false;
        };
        let accessed = context.points_to.accessed(context.program, at);
        // An address of unknown origin may be any.
        let beside = |t: &Target| {
            t.object != ObjectId::UNKNOWN
                && (t.object != handle.object
                    || within(t, bytes).is_some_and(|(a, b)| b <= from || to <= a))
        };
        !accessed.is_empty() && accessed.iter().all(beside)
    }

    /// Whether a write is to the element of the iteration in which it is made, before its thread is.
    fn is_earlier(&self, context: &Context<'_>, at: Location) -> bool {
        let Some((bytes, address)) = Self::stored(context, at) else {
            return false;
        };
        let f = self.made_in.function;
        if at.function != f || self.make.of.blocks.binary_search(&at.block).is_err() {
            return false;
        }
        let Some((element, computed)) = element(context, f, address) else {
            return false;
        };
        let of = |e: &Element| (e.base, e.scale, e.counter);
        let inside = |e: &Element, bytes: u64| {
            u64::try_from(e.offset).is_ok_and(|first| first + bytes <= e.scale)
        };
        of(&element) == of(&self.element)
            && inside(&element, bytes)
            && inside(&self.element, context.program.model.pointer_bytes())
            && self.make.is_fresh(context, &computed, at)
            && !reaches(context, self.make.of, self.make.step, at)
            && !reaches(context, self.make.of, self.made_in, at)
    }
}
