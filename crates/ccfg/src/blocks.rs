//! Large blocks: what only one thread can notice is merged with the shared step before it.
//!
//! Locations stay where a shared step begins, where cycles are cut, and where too many paths would have to be kept apart. An
//! edge is then one shared step (or one atomic region) and all local steps behind it, along one path. The other way round, local
//! steps merged with the shared step *behind* them, would keep every loaded value alive between two edges.
//!
//! The end of the process is no edge: an execution may stop anywhere, and nothing follows. A cycle in an atomic region is refused.
//!
//! What can be put off (`movers.rs`) is merged with the step behind it: a critical section becomes one block, from taking the lock to giving it
//! back.

use crate::constant_loops::ConstantLoops;
use crate::graph::{Ccfg, Edge, Goal, LocId, Refusal, Step, Template, Watch, What};
use crate::inline::{RawEdge, RawTemplate};
use crate::memory::Resolved;
use raddle_ir::{LocalId, Location, Op, Operand, Rvalue, SyncClass};
use std::collections::{BTreeSet, HashMap, HashSet};

/// More paths than this from one location are not kept apart, if it can be helped.
const PATHS: usize = 48;
/// More paths than this through one atomic region are refused.
const MANY_PATHS: usize = 500;

/// Merges steps into blocks. There are locations at these places, too, unless they lie in atomic regions.
pub fn merge(resolved: Resolved, also: &BTreeSet<Location>) -> Ccfg {
    let Resolved { raw, cells } = resolved;
    let mut ccfg = Ccfg {
        model: raw.program.model,
        templates: Vec::new(),
        objects: raw.objects,
        cells,
        refusals: raw.refusals,
        globals: raw.globals,
        sleepers: raw.sleepers,
    };
    for template in raw.templates {
        let merged = merge_template(&mut ccfg, &raw.program, template, also);
        ccfg.templates.push(merged);
    }
    ccfg
}

/// Whether other threads can notice a step, or it can be held up by them.
fn is_visible(ccfg: &Ccfg, template: &RawTemplate, edge: &RawEdge) -> bool {
    if edge.goal == Goal::End {
        return true;
    }
    let inside = template.atomic[edge.from as usize];
    let enters = matches!(edge.goal, Goal::At(to) if template.atomic[to.0 as usize]) && !inside;
    let Some(step) = &edge.step else {
        return enters;
    };
    let join = matches!(step.what, What::Join { .. } | What::Invalid(_));
    // What was marked is cleared together with the step in front.
    if matches!(step.what, What::Watch(Watch::Clear, _)) {
        return enters;
    }
    let shared = step.cells.iter().any(|p| {
        let cell = ccfg.cell(p.cell);
        cell.written && !ccfg.object(cell.object).private
    });
    // Where a thread may stop, what it did before must already be seen.
    enters || join || shared || may_stop(step) || ccfg.sleepers && sleeps(&step.what)
}

/// Whether a step changes who sleeps.
fn sleeps(what: &What) -> bool {
    matches!(what, What::Instr(Op::Sync { op, .. }) if op.wakes_or_sleeps())
}

/// Whether a step may keep its thread from going on: an assumption, or something undefined.
pub(crate) fn may_stop(step: &Step) -> bool {
    let What::Instr(op) = &step.what else {
        return false;
    };
    let moves = |address: &Operand| matches!(address, Operand::Local(_)) || step.cells.is_empty();
    match op {
        Op::Assume { .. } => true,
        Op::Let {
            value: Rvalue::Binary { op, ty, a, b, .. },
            ..
        } => op.may_lack_quotient(*ty, *a, *b),
        Op::Load { addr, .. }
        | Op::Store { addr, .. }
        | Op::Rmw { addr, .. }
        | Op::Cas { addr, .. } => moves(addr),
        Op::Sync { op, args, .. } => {
            let address = op.args().first() == Some(&raddle_ir::SyncKind::Ptr);
            let condition = op.class() == SyncClass::Cond;
            op.can_block() && !condition || address && !condition && moves(&args[0])
        }
        _ => false,
    }
}

struct Graph<'a> {
    out: Vec<Vec<usize>>,
    visible: Vec<bool>,
    raw: &'a RawTemplate,
    loops: ConstantLoops,
}

fn merge_template(
    ccfg: &mut Ccfg,
    program: &raddle_ir::Program,
    mut raw: RawTemplate,
    also: &BTreeSet<Location>,
) -> Template {
    raw.edges.retain(|e| !impossible(e));
    stops_inside(&mut raw, ccfg.sleepers);
    let n = raw.atomic.len();
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, e) in raw.edges.iter().enumerate() {
        out[e.from as usize].push(i);
    }
    let visible: Vec<bool> = raw
        .edges
        .iter()
        .map(|e| is_visible(ccfg, &raw, e))
        .collect();
    let (heads, inner, reached) = back_edge_targets(&raw, &out);
    // A cycle in an atomic region has no end that could be seen in one step; nor can one wait for a thread there.
    let mut endless: Vec<(usize, &str)> = Vec::new();
    for (i, e) in raw.edges.iter().enumerate() {
        let inside = raw.atomic[e.from as usize];
        if matches!(e.goal, Goal::At(to) if inner.contains(&to.0)) {
            endless.push((i, "a loop in an atomic region"));
        }
        let join = |s: &Step| matches!(s.what, What::Join { .. });
        if inside && e.step.as_ref().is_some_and(join) {
            endless.push((i, "waiting for a thread in an atomic region"));
        }
    }
    for (i, what) in endless {
        let at = raw.edges[i].step.as_ref().map(|s| s.at);
        ccfg.refusals.push(Refusal {
            what: what.into(),
            span: at.map_or(raddle_ir::Span::NOWHERE, |at| program.span_of(at)),
        });
        raw.edges[i].step = None;
        raw.edges[i].goal = Goal::Refused(ccfg.refusals.len() as u32 - 1);
    }
    // Stands for paths that are too many.
    let crowd = raw.edges.len();
    ccfg.refusals.push(Refusal {
        what: "too many paths through an atomic region".into(),
        span: raddle_ir::Span::NOWHERE,
    });
    raw.edges.push(RawEdge {
        copied: None,
        mover: false,
        ends: None,
        from: 0,
        step: None,
        access: None,
        goal: Goal::Refused(ccfg.refusals.len() as u32 - 1),
    });
    let asked = |n: &u32| raw.spots.get(n).is_some_and(|s| also.contains(&s.at));
    let loops = ConstantLoops::new(&raw, (&out, &visible), &heads, asked, ccfg.model);
    let graph = Graph {
        out,
        visible,
        raw: &raw,
        loops,
    };
    let mut kept: BTreeSet<u32> = heads.clone();
    kept.insert(0);
    let mut inside = BTreeSet::new();
    for (node, spot) in raw.spots.iter().filter(|(_, s)| also.contains(&s.at)) {
        match (reached[*node as usize], raw.atomic[*node as usize]) {
            (true, true) => drop(inside.insert(spot.at)),
            (true, false) => drop(kept.insert(*node)),
            (false, _) => {}
        }
    }
    // Whom a join waits for is settled where its block begins.
    for (node, edges) in graph.out.iter().enumerate() {
        let join = |e: &usize| {
            let step = raw.edges[*e].step.as_ref();
            step.is_some_and(|s| matches!(s.what, What::Join { .. }))
        };
        if reached[node] && !raw.atomic[node] && edges.iter().any(join) {
            kept.insert(node as u32);
        }
    }
    let delayed = graph.delayed(&kept, &reached);
    for (node, edges) in graph.out.iter().enumerate() {
        let ends = edges.iter().any(|e| graph.visible[*e]);
        if reached[node] && !raw.atomic[node] && ends && !delayed[node] {
            kept.insert(node as u32);
        }
    }
    let blocks = loop {
        let mut blocks: Vec<(u32, Vec<usize>)> = Vec::new();
        let mut crowded = None;
        for &from in &kept {
            let paths = graph.paths(from, &kept);
            let merges = paths.len() > PATHS && !graph.merges(from, &kept).is_empty();
            if merges && crowded.is_none() {
                crowded = Some(from);
            }
            match paths.len() > MANY_PATHS {
                true => blocks.push((from, vec![crowd])),
                false => blocks.extend(paths.into_iter().map(|p| (from, p))),
            }
        }
        let Some(from) = crowded else {
            break blocks;
        };
        kept.extend(graph.merges(from, &kept));
    };
    // Only what can be reached from the entry, numbered in that order.
    let mut ids: HashMap<u32, LocId> = HashMap::from([(0, LocId(0))]);
    let mut order = vec![0u32];
    let mut edges = Vec::new();
    let mut at = 0;
    while at < order.len() {
        let node = order[at];
        at += 1;
        for (from, path) in blocks.iter().filter(|(from, _)| *from == node) {
            let last = &raw.edges[path[path.len() - 1]];
            let goal = match last.goal {
                Goal::End => continue,
                Goal::At(to) => {
                    let new = LocId(ids.len() as u32);
                    let id = *ids.entry(to.0).or_insert_with(|| {
                        order.push(to.0);
                        new
                    });
                    Goal::At(id)
                }
                other => other,
            };
            let steps = path.iter().filter_map(|e| raw.edges[*e].step.clone());
            edges.push(Edge {
                from: ids[from],
                steps: steps.collect(),
                goal,
            });
        }
    }
    let mut template = Template {
        heads: heads.iter().filter_map(|h| ids.get(h).copied()).collect(),
        locations: ids.len() as u32,
        live: Vec::new(),
        spots: order.iter().map(|n| raw.spots.get(n).copied()).collect(),
        inside,
        name: raw.name,
        param: raw.param,
        locals: raw.locals,
        slots: raw.slots,
        edges,
        sites: raw.sites,
    };
    template.live = liveness(&template);
    template
}

/// Where a thread may stop within an atomic region because of something undefined, what it did before in the region is seen:
/// there is a way to a place from which nothing leads on. An assumption keeps the whole region from happening, so needs none.
fn stops_inside(raw: &mut RawTemplate, sleepers: bool) {
    let inside: Vec<u32> = raw
        .edges
        .iter()
        .filter(|e| {
            let assume = |s: &Step| matches!(s.what, What::Instr(Op::Assume { .. }));
            // A condition variable may be none.
            let none = |s: &Step| sleepers && sleeps(&s.what);
            let stops = |s: &Step| may_stop(s) && !assume(s) || none(s);
            raw.atomic[e.from as usize] && e.step.as_ref().is_some_and(stops)
        })
        .map(|e| e.from)
        .collect();
    for from in inside {
        let end = raw.atomic.len() as u32;
        raw.atomic.push(false);
        raw.edges.push(RawEdge {
            copied: None,
            mover: false,
            ends: None,
            from,
            step: None,
            access: None,
            goal: Goal::At(LocId(end)),
        });
        // The end of the process is where nothing leads on, too.
        raw.edges.push(RawEdge {
            copied: None,
            mover: false,
            ends: None,
            from: end,
            step: None,
            access: None,
            goal: Goal::End,
        });
    }
}

/// A test of a constant that fails.
fn impossible(edge: &RawEdge) -> bool {
    matches!(
        &edge.step,
        Some(Step {
            what: What::Test(Operand::Const { bits, .. }, holds),
            ..
        }) if (*bits & 1 == 1) != *holds
    )
}

/// The targets of back edges of a depth-first search, outside atomic regions and inside, and what it reaches.
fn back_edge_targets(
    raw: &RawTemplate,
    out: &[Vec<usize>],
) -> (BTreeSet<u32>, BTreeSet<u32>, Vec<bool>) {
    let n = raw.atomic.len();
    let (mut heads, mut inner) = (BTreeSet::new(), BTreeSet::new());
    let mut state = vec![0u8; n];
    let mut work = vec![(0usize, 0usize)];
    state[0] = 1;
    while let Some((v, i)) = work.pop() {
        let Some(&e) = out[v].get(i) else {
            state[v] = 2;
            continue;
        };
        work.push((v, i + 1));
        if let Goal::At(to) = raw.edges[e].goal {
            let w = to.0 as usize;
            match state[w] {
                0 => {
                    state[w] = 1;
                    work.push((w, 0));
                }
                1 if raw.atomic[w] => drop(inner.insert(to.0)),
                1 => drop(heads.insert(to.0)),
                _ => {}
            }
        }
    }
    let reached = state.iter().map(|s| *s != 0).collect();
    (heads, inner, reached)
}

impl Graph<'_> {
    /// The nodes that are only reached by right movers since the last kept node. Whatever comes next belongs to the same block.
    fn delayed(&self, heads: &BTreeSet<u32>, reached: &[bool]) -> Vec<bool> {
        let mut delayed = vec![true; self.out.len()];
        loop {
            let mut changed = false;
            for (n, edges) in self.out.iter().enumerate() {
                let visible = edges.iter().any(|e| self.visible[*e]);
                let kept =
                    heads.contains(&(n as u32)) || !delayed[n] && !self.raw.atomic[n] && visible;
                for &e in edges {
                    let edge = &self.raw.edges[e];
                    let Goal::At(to) = edge.goal else {
                        continue;
                    };
                    // An atomic region counts as a whole, and is not put off.
                    let region = self.raw.atomic[n] || self.raw.atomic[to.0 as usize];
                    let puts_off = edge.mover && !region && (kept || delayed[n]);
                    if reached[n] && !puts_off && delayed[to.0 as usize] {
                        delayed[to.0 as usize] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return delayed;
            }
        }
    }

    /// All paths from a node to the next kept ones, or to an end; no more than a few over the limit.
    fn paths(&self, from: u32, kept: &BTreeSet<u32>) -> Vec<Vec<usize>> {
        let mut done = Vec::new();
        let mut work: Vec<Vec<usize>> = Vec::new();
        for &e in self.out[from as usize].iter().rev() {
            work.push(vec![e]);
        }
        while let Some(path) = work.pop() {
            if done.len() > MANY_PATHS {
                break;
            }
            let last = path[path.len() - 1];
            match self.raw.edges[last].goal {
                Goal::At(to) if !kept.contains(&to.0) => {
                    for &e in self.out[to.0 as usize].iter().rev() {
                        let mut longer = path.clone();
                        longer.push(e);
                        work.push(longer);
                    }
                }
                Goal::At(to) => {
                    let edges = (&self.out[..], &self.visible[..]);
                    match self.loops.through(self.raw, edges, &path, to.0) {
                        Some(way) => work.push([path, way].concat()),
                        None => done.push(path),
                    }
                }
                _ => done.push(path),
            }
        }
        done
    }

    /// Nodes behind a node, before the next kept ones, where paths meet.
    fn merges(&self, from: u32, kept: &BTreeSet<u32>) -> Vec<u32> {
        let mut seen = HashSet::new();
        let mut met = Vec::new();
        let mut work = vec![from];
        while let Some(v) = work.pop() {
            for &e in &self.out[v as usize] {
                let Goal::At(to) = self.raw.edges[e].goal else {
                    continue;
                };
                if kept.contains(&to.0) {
                    continue;
                }
                if seen.insert(to.0) {
                    work.push(to.0);
                } else if !self.raw.atomic[to.0 as usize] {
                    met.push(to.0);
                }
            }
        }
        met
    }
}

/// The locals a step reads, and those it writes.
pub(crate) fn touched(step: &Step) -> (Vec<LocalId>, Vec<LocalId>) {
    let local = |o: &Operand| match o {
        Operand::Local(l) => Some(*l),
        _ => None,
    };
    match &step.what {
        What::Invalid(op) | What::Wrong(_, op) => {
            let mut copy: Op = op.clone();
            let reads = copy.operands_mut().into_iter();
            (reads.filter_map(|o| local(o)).collect(), Vec::new())
        }
        What::Instr(op) => {
            let mut copy: Op = op.clone();
            let reads = copy
                .operands_mut()
                .iter()
                .filter_map(|o| local(o))
                .collect();
            let writes = copy.destinations_mut().iter().map(|d| **d).collect();
            (reads, writes)
        }
        What::External(d) | What::Unknown(d) => (Vec::new(), vec![*d]),
        What::Test(o, _) | What::Result(o) | What::Watch(_, o) => {
            (local(o).into_iter().collect(), Vec::new())
        }
        What::Case { value, .. } => (local(value).into_iter().collect(), Vec::new()),
        What::New {
            handle, argument, ..
        } => (
            local(argument).into_iter().collect(),
            handle.iter().copied().collect(),
        ),
        What::Start { handle } => (local(handle).into_iter().collect(), Vec::new()),
        What::Join { handle, result, .. } => (
            local(handle).into_iter().collect(),
            result.iter().copied().collect(),
        ),
    }
}

fn liveness(template: &Template) -> Vec<BTreeSet<LocalId>> {
    let mut live: Vec<BTreeSet<LocalId>> = vec![BTreeSet::new(); template.locations as usize];
    loop {
        let mut changed = false;
        for edge in template.edges.iter().rev() {
            let mut set = match edge.goal {
                Goal::At(to) => live[to.0 as usize].clone(),
                _ => BTreeSet::new(),
            };
            for step in edge.steps.iter().rev() {
                let (reads, writes) = touched(step);
                for w in writes {
                    set.remove(&w);
                }
                set.extend(reads);
            }
            let here = &mut live[edge.from.0 as usize];
            let before = here.len();
            here.extend(set);
            changed |= here.len() != before;
        }
        if !changed {
            return live;
        }
    }
}
