//! Data races as errors of one thread: an access is announced before it is made, and whoever comes next with one that conflicts is wrong.
//!
//! The idea is that of Ultimate GemCutter, which keeps boolean flags per variable: a monitor beside the threads would depend on all they do and
//! leave nothing to reduce. Here a flag is a mark at the place accessed (`marks.rs`), and only accesses that may race (`conflicts.rs`) have
//! any: what is protected by a lock needs none, and can even be merged into blocks.
//!
//! Two threads race if either can come next with accesses that conflict. So there is a state in which one stands before its access, announces it and
//! waits, and the other looks whether something is announced. It is enough that one of the two announces:
//!
//! - a plain write always does, on a way on which it then writes and takes the mark away in one step; whoever else accesses the place looks;
//! - a plain read does only for the sake of atomic writes, and any access for the sake of atomic regions. Several threads may stand before such an
//!   access, so who announces is open: each may, if nobody has, or go on without. In the run to the race nobody did before.
//! - An atomic region is one step, so it announces nothing, and looks at its end for what it accessed: by then it is known that it can happen. Where
//!   it might stop on the way because of something undefined, it looks, too.
//!
//! All of this is over-approximated where that is easier, for a claimed race is tried out by the judge; nothing is left out, so no race is missed: accesses
//! that cannot be compared are refused where a thread stands before them.

use crate::blocks::may_stop;
use crate::conflicts::{EdgeKey, Use, conflicts};
use crate::graph::{CellId, Goal, LocId, Place, Refusal, Step, Watch, What};
use crate::inline::{RawEdge, RawTemplate};
use crate::marks::{Marks, watching};
use crate::memory::Resolved;
use raddle_analysis::Facts;
use raddle_ir::{Local, LocalId, Location, Op, Operand, Property, Rvalue, Ty};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Who announces: each has marks of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Class {
    PlainWrite,
    PlainRead,
    AtomicWrite,
    AtomicRead,
}

const CLASSES: [(Class, &str); 4] = [
    (Class::PlainWrite, "a write of"),
    (Class::PlainRead, "a read of"),
    (Class::AtomicWrite, "an atomic write of"),
    (Class::AtomicRead, "an atomic read of"),
];

fn class(u: &Use) -> Class {
    match (u.atomic, u.write) {
        (false, true) => Class::PlainWrite,
        (false, false) => Class::PlainRead,
        (true, true) => Class::AtomicWrite,
        (true, false) => Class::AtomicRead,
    }
}

/// What an access has to do besides.
#[derive(Default)]
struct Role {
    looks: BTreeSet<(CellId, Class)>,
    announces: Option<Class>,
    cells: BTreeSet<CellId>,
}

/// Makes races errors.
pub fn watch(facts: &Facts, resolved: &mut Resolved) {
    let mut found = conflicts(facts, resolved);
    let mut roles: BTreeMap<EdgeKey, Role> = BTreeMap::new();
    for pair in &found.pairs {
        let cell = pair.cell;
        let mut meet = |announcer: &Use, other: &Use| {
            let mine = class(announcer);
            let role = roles.entry(announcer.edge).or_default();
            role.announces = Some(mine);
            role.cells.insert(cell);
            let role = roles.entry(other.edge).or_default();
            role.looks.insert((cell, mine));
        };
        let (a, b) = (&pair.one, &pair.other);
        match (a.region, b.region) {
            (None, Some(_)) => meet(a, b),
            (Some(_), None) => meet(b, a),
            (Some(_), Some(_)) => {
                let why = "a race of two atomic regions, one of which is not the program's";
                found.unclear.insert(a.edge, why);
            }
            (None, None) => {
                let [x, y] = [class(a), class(b)];
                if x == Class::PlainWrite {
                    meet(a, b);
                }
                if y == Class::PlainWrite {
                    meet(b, a);
                }
                if x != Class::PlainWrite && y != Class::PlainWrite {
                    let (read, write) = if a.atomic { (b, a) } else { (a, b) };
                    meet(read, write);
                }
            }
        }
    }
    let mut work = Work {
        marks: CLASSES.map(|(_, name)| Marks::new(name)),
        resolved,
    };
    for (edge, why) in &found.unclear {
        work.refuse(facts, *edge, why);
    }
    let treated = roles
        .into_iter()
        .filter(|(e, _)| !found.unclear.contains_key(e));
    // Regions last: their nodes are looked up as they are then.
    let (inside, outside): (Vec<_>, Vec<_>) = treated.partition(|((t, e), _)| {
        let template = &work.resolved.raw.templates[*t];
        template.atomic[template.edges[*e].from as usize]
    });
    for (edge, role) in outside {
        work.outside(edge, &role);
    }
    for (edge, role) in inside {
        work.inside(edge, &role);
    }
}

struct Work<'a> {
    resolved: &'a mut Resolved,
    marks: [Marks; 4],
}

impl Work<'_> {
    fn refuse(&mut self, facts: &Facts, (t, e): EdgeKey, why: &str) {
        let raw = &mut self.resolved.raw;
        let edge = &mut raw.templates[t].edges[e];
        let at = edge.copied.map(|at| facts.program().span_of(at));
        edge.step = None;
        edge.access = None;
        edge.goal = Goal::Refused(raw.refusals.len() as u32);
        raw.refusals.push(Refusal {
            what: why.into(),
            span: at.unwrap_or(raddle_ir::Span::NOWHERE),
        });
    }

    /// The marks at the cells of a step.
    fn places(&mut self, step: &Step, wanted: &BTreeSet<(CellId, Class)>) -> Vec<Place> {
        let mut all = Vec::new();
        for p in &step.cells {
            let cell = &self.resolved.cells[p.cell.0 as usize];
            let (object, offset) = (cell.object, cell.offset);
            for (_, class) in wanted.iter().filter(|w| w.0 == p.cell) {
                let marks = &mut self.marks[*class as usize];
                all.push(marks.place(self.resolved, object, offset, p.own));
            }
        }
        all
    }

    fn outside(&mut self, (t, e): EdgeKey, role: &Role) {
        let edge = self.resolved.raw.templates[t].edges[e].clone();
        let Some((step, address)) = edge.step.as_ref().and_then(|s| Some((s, address(s)?))) else {
            return;
        };
        let looks = self.places(step, &role.looks);
        let template = &mut self.resolved.raw.templates[t];
        if !looks.is_empty() {
            let look = watching(Watch::IsMarked, address, step.at, looks);
            let goal = Goal::Error(Property::NoDataRace, step.at);
            template.edges.push(plain(edge.from, look, goal));
        }
        let Some(class) = role.announces else {
            return;
        };
        let cells = role.cells.iter().map(|c| (*c, class)).collect();
        let places = self.places(step, &cells);
        let template = &mut self.resolved.raw.templates[t];
        // The access may assign what the address is in.
        let kept = new_local(template);
        let kept_address = Operand::Local(kept);
        let [between, announced, done] = [(); 3].map(|()| new_node(template, false));
        let how = match class {
            Class::PlainWrite => Watch::Mark,
            _ => Watch::MarkFirst,
        };
        let mark = watching(how, address, step.at, places.clone());
        let keep = assign(kept, address, step.at);
        let clear = watching(Watch::Clear, kept_address, step.at, places);
        template
            .edges
            .push(plain(edge.from, mark, Goal::At(LocId(between))));
        template
            .edges
            .push(plain(between, keep, Goal::At(LocId(announced))));
        template.edges.push(plain(done, clear, edge.goal));
        let access = RawEdge {
            from: announced,
            goal: Goal::At(LocId(done)),
            ..edge
        };
        match class {
            Class::PlainWrite => template.edges[e] = access,
            _ => template.edges.push(access),
        }
    }

    fn inside(&mut self, (t, e): EdgeKey, role: &Role) {
        let edge = self.resolved.raw.templates[t].edges[e].clone();
        let Some((step, address)) = edge.step.as_ref().and_then(|s| Some((s, address(s)?))) else {
            return;
        };
        let looks = self.places(step, &role.looks);
        if looks.is_empty() {
            return;
        }
        let template = &mut self.resolved.raw.templates[t];
        let kept = new_local(template);
        let null = Operand::int(Ty::Ptr, 0);
        // At the beginning of every region of the template: nothing was accessed.
        for i in 0..template.edges.len() {
            let (from, goal) = (template.edges[i].from, template.edges[i].goal);
            let Goal::At(to) = goal else { continue };
            if !template.atomic[from as usize] && template.atomic[to.0 as usize] {
                let new = new_node(template, true);
                template.edges[i].goal = Goal::At(LocId(new));
                let forget = assign(kept, null, step.at);
                template.edges.push(plain(new, forget, goal));
            }
        }
        // Where it is accessed.
        let new = new_node(template, true);
        let keep = assign(kept, address, step.at);
        template
            .edges
            .push(plain(edge.from, keep, Goal::At(LocId(new))));
        template.edges[e].from = new;
        // Wherever the region ends behind that.
        for at in ends(template, edge.goal) {
            let look = watching(
                Watch::IsMarked,
                Operand::Local(kept),
                step.at,
                looks.clone(),
            );
            let goal = Goal::Error(Property::NoDataRace, step.at);
            template.edges.push(plain(at, look, goal));
        }
    }
}

/// The nodes of a region, from a goal on, at which it ends, or at which its thread may stop because of something undefined.
fn ends(template: &RawTemplate, goal: Goal) -> Vec<u32> {
    let Goal::At(first) = goal else {
        return Vec::new();
    };
    let mut out: HashMap<u32, Vec<&RawEdge>> = HashMap::new();
    for e in &template.edges {
        out.entry(e.from).or_default().push(e);
    }
    let mut found = Vec::new();
    let mut seen = HashSet::from([first.0]);
    let mut work = vec![first.0];
    while let Some(n) = work.pop() {
        if !template.atomic[n as usize] {
            continue;
        }
        let mut ends = false;
        for e in out.get(&n).into_iter().flatten() {
            let assume = |s: &Step| matches!(s.what, What::Instr(Op::Assume { .. }));
            ends |= e.step.as_ref().is_some_and(|s| may_stop(s) && !assume(s));
            match e.goal {
                Goal::At(to) if template.atomic[to.0 as usize] => {
                    if seen.insert(to.0) {
                        work.push(to.0);
                    }
                }
                Goal::At(_) | Goal::Finish | Goal::End => ends = true,
                Goal::Error(..) | Goal::Refused(_) => {}
            }
        }
        if ends {
            found.push(n);
        }
    }
    found
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
        Op::Sync { args, .. } => args.first().copied(),
        _ => None,
    }
}

fn assign(dst: LocalId, value: Operand, at: Location) -> Step {
    let value = Rvalue::Use(value);
    Step {
        what: What::Instr(Op::Let { dst, value }),
        at,
        cells: Vec::new(),
        elsewhere: Vec::new(),
        within: Vec::new(),
    }
}

fn plain(from: u32, step: Step, goal: Goal) -> RawEdge {
    RawEdge {
        from,
        step: Some(step),
        access: None,
        goal,
        copied: None,
        mover: false,
        ends: None,
    }
}

fn new_node(template: &mut RawTemplate, atomic: bool) -> u32 {
    template.atomic.push(atomic);
    template.atomic.len() as u32 - 1
}

fn new_local(template: &mut RawTemplate) -> LocalId {
    template.locals.push(Local {
        name: String::new(),
        ty: Ty::Ptr,
        debug: None,
    });
    LocalId(template.locals.len() as u32 - 1)
}
