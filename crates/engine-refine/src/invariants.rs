//! What holds at places of the program whenever a thread stands there, for witnesses.
//!
//! A proof over the reduced product says less than it seems: its states are those of some interleavings, and blocks hide what a thread is in the
//! middle of. What is read off there need not hold in others. So invariants are inferred thread by thread (`modular/`) once more, on a graph in
//! which nothing is put off and each of the places is a location (`raddle_ccfg::build_with_places`), and checked again (`check/`).
//!
//! Of what is found, only what speaks of variables of the program is kept. Left out besides: numbers that have a meaning in the model alone, such
//! as addresses, handles of threads and the words of locks, with all that is computed from them (`Opaque`); and objects that one thread alone touches, unless
//! they are its own, because it may be in the middle of changing them.

use crate::any_number::crowds;
use crate::check::check_threads;
use crate::engine::ANY_NUMBER;
use crate::logic::Logic;
use crate::modular::{QUESTIONS, Where, infer};
use crate::proof::sorted;
use crate::system::{Origin, Outcome, Status, System};
use raddle_ccfg::{Ccfg, CellId, ObjectId, Spot, Step, Template, TemplateId, What};
use raddle_ir::{GlobalId, InitValue, LocalId, Location, Op, Operand, Program, Property, SlotId};
use raddle_solver::term::{self, Term, TermId};
use raddle_verdict::{Budget, Formula, Invariant, Operator, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What holds at these places, as far as it can be inferred and said. `threads` is the number of threads of a proof of this engine, if there is
/// one: then nothing that is not treated can be reached, and more threads are not made. Otherwise that has to follow from the invariants.
pub fn invariants(
    program: &Program,
    properties: &[Property],
    places: &BTreeSet<Location>,
    threads: Option<u32>,
    budget: &Budget,
) -> Vec<Invariant> {
    inferred(program, properties, places, threads, budget).unwrap_or_default()
}

fn inferred(
    program: &Program,
    properties: &[Property],
    places: &BTreeSet<Location>,
    threads: Option<u32>,
    budget: &Budget,
) -> Option<Vec<Invariant>> {
    // What is asked besides assertions has graphs of its own, in which more is not treated.
    let properties: Vec<Property> = properties
        .iter()
        .copied()
        .filter(|p| *p == Property::UnreachCall)
        .collect();
    let ccfg = raddle_ccfg::build_with_places(program, &properties, places).ok()?;
    raddle_ccfg::verify(&ccfg).ok()?;
    let mut sites = ccfg.templates.iter().flat_map(|t| &t.sites);
    let repeats = sites.any(|s| s.repeats);
    let mut system = match threads {
        Some(n) if n != ANY_NUMBER => System::new(ccfg, n).ok()?,
        None if !repeats => System::new(ccfg, 1).ok()?,
        _ => crowds(ccfg)?,
    };
    let mut logic = Logic::new(budget.clone());
    let (found, _) = infer(&mut system, &mut logic, QUESTIONS).ok()??;
    let impossible = check_threads(&mut system, &found, budget).ok()?;
    let untreated = |a| match system.get(a).outcome {
        Outcome::Next(_) | Outcome::Error(..) => false,
        _ => !impossible.contains(&a),
    };
    if threads.is_none() && system.errors().any(untreated) {
        return None;
    }
    let speaker = Speaker::new(program, &system);
    let mut all: BTreeMap<Location, Vec<Vec<Formula>>> = BTreeMap::new();
    for (w, holds) in sorted(&found) {
        let Some(spot) = speaker.spot(w) else {
            continue;
        };
        if places.contains(&spot.at) {
            let mut way: Vec<Formula> = Vec::new();
            for h in holds {
                speaker.conjuncts(w, spot, *h, &mut way);
            }
            way.sort();
            way.dedup();
            let ways = all.entry(spot.at).or_default();
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
    }
    // Of who is there within an atomic region, nothing was asked.
    for at in system.ccfg.templates.iter().flat_map(|t| &t.inside) {
        all.remove(at);
    }
    let all = all.into_iter().map(|(at, ways)| Invariant { at, ways });
    Some(all.collect())
}

/// Says terms over the system's variables in those of the program.
struct Speaker<'a> {
    program: &'a Program,
    system: &'a System,
    globals: HashMap<ObjectId, GlobalId>,
    opaque: Opaque,
}

impl<'a> Speaker<'a> {
    fn new(program: &'a Program, system: &'a System) -> Speaker<'a> {
        let globals = system.ccfg.globals.iter();
        Speaker {
            program,
            system,
            globals: globals.map(|(g, o)| (*o, *g)).collect(),
            opaque: Opaque::new(program, &system.ccfg),
        }
    }

    /// Where the thread is, as the program has it.
    fn spot(&self, w: &Where) -> Option<Spot> {
        let Status::At(l) = w.at else { return None };
        self.template(w).1.spots[l.0 as usize]
    }

    fn template(&self, w: &Where) -> (TemplateId, &Template) {
        let id = self.system.instances.get(w.thread).template;
        (id, self.system.ccfg.template(id))
    }

    /// The parts of a term that can be said.
    fn conjuncts(&self, w: &Where, spot: Spot, term: TermId, out: &mut Vec<Formula>) {
        if let Term::App {
            op: term::Op::And, ..
        } = *self.system.pool.term(term)
        {
            for a in self.system.pool.args(term) {
                self.conjuncts(w, spot, *a, out);
            }
        } else {
            out.extend(self.formula(w, spot, term));
        }
    }

    fn formula(&self, w: &Where, spot: Spot, term: TermId) -> Option<Formula> {
        let pool = &self.system.pool;
        match *pool.term(term) {
            Term::Bits { width, value } => Some(Formula::Number { width, value }),
            Term::Var(_) => {
                let var = self.system.by_term.get(&term)?;
                let origin = self.system.variables[var.0 as usize].origin;
                self.variable(w, spot, origin).map(Formula::Variable)
            }
            Term::App { op, .. } => {
                let op = match op {
                    term::Op::And => Operator::And,
                    term::Op::Or => Operator::Or,
                    term::Op::Not => Operator::Not,
                    term::Op::Eq => Operator::Equal,
                    term::Op::BvSlt => Operator::SignedLess,
                    term::Op::BvSle => Operator::SignedAtMost,
                    term::Op::BvUlt => Operator::Less,
                    term::Op::BvUle => Operator::AtMost,
                    term::Op::BvAdd => Operator::Add,
                    term::Op::BvSub => Operator::Subtract,
                    term::Op::BvMul => Operator::Multiply,
                    _ => return None,
                };
                let args = pool.args(term).iter();
                let args = args.map(|a| self.formula(w, spot, *a));
                Some(Formula::Apply(op, args.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    fn variable(&self, w: &Where, spot: Spot, origin: Origin) -> Option<Variable> {
        let (id, template) = self.template(w);
        let function = self.program.function(spot.at.function);
        match origin {
            Origin::Local(t, l) if t == w.thread && !self.opaque.locals.contains(&(id, l)) => {
                let local = l.0.checked_sub(spot.locals)?;
                let known = (local as usize) < function.locals.len();
                known.then_some(Variable::Local(LocalId(local)))
            }
            Origin::Cell(c, owner) if !self.opaque.cells.contains(&c) => {
                let cell = self.system.ccfg.cell(c);
                let (offset, size) = (cell.offset, cell.size);
                match owner {
                    None if !self.system.ccfg.object(cell.object).private => {
                        let id = *self.globals.get(&cell.object)?;
                        Some(Variable::Global { id, offset, size })
                    }
                    Some(t) if t == w.thread => {
                        let mine = &template.slots[spot.slots as usize..];
                        let mut mine = mine.iter().take(function.slots.len());
                        let id = SlotId(mine.position(|o| *o == cell.object)? as u32);
                        Some(Variable::Slot { id, offset, size })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// What may hold numbers that have a meaning in the model alone.
#[derive(Default)]
struct Opaque {
    locals: HashSet<(TemplateId, LocalId)>,
    cells: HashSet<CellId>,
}

impl Opaque {
    fn new(program: &Program, ccfg: &Ccfg) -> Opaque {
        let mut opaque = Opaque::default();
        let holds_address = |g: &GlobalId| {
            let mut init = program.global(*g).init.iter();
            init.any(|i| matches!(i.value, InitValue::Address { .. }))
        };
        let globals = ccfg.globals.iter().filter(|(g, _)| holds_address(g));
        let objects: HashSet<ObjectId> = globals.map(|(_, o)| *o).collect();
        let cells = ccfg.cells.iter().enumerate();
        let cells = cells.filter(|(_, c)| objects.contains(&c.object));
        opaque.cells.extend(cells.map(|(i, _)| CellId(i as u32)));
        loop {
            let before = opaque.locals.len() + opaque.cells.len();
            for (t, template) in ccfg.templates.iter().enumerate() {
                let id = TemplateId(t as u32);
                for step in template.edges.iter().flat_map(|e| &e.steps) {
                    opaque.step(ccfg, id, template, step);
                }
            }
            if opaque.locals.len() + opaque.cells.len() == before {
                return opaque;
            }
        }
    }

    fn is(&self, template: TemplateId, operand: &Operand) -> bool {
        match operand {
            Operand::Local(l) => self.locals.contains(&(template, *l)),
            Operand::Const { .. } => false,
            _ => true,
        }
    }

    fn step(&mut self, ccfg: &Ccfg, id: TemplateId, template: &Template, step: &Step) {
        let accessed = || step.cells.iter().map(|p| p.cell);
        match &step.what {
            What::New {
                site,
                handle,
                argument,
            } => {
                self.locals.extend(handle.iter().map(|h| (id, *h)));
                let child = template.sites[*site as usize].template;
                let param = ccfg.template(child).param;
                if let (true, Some(p)) = (self.is(id, argument), param) {
                    self.locals.insert((child, p));
                }
            }
            What::Join { result, .. } => self.locals.extend(result.iter().map(|r| (id, *r))),
            What::Instr(op) => {
                let mut op = op.clone();
                let opaque = match &mut op {
                    // What lies there, not how to get there.
                    Op::Load { .. } => accessed().any(|c| self.cells.contains(&c)),
                    Op::Store { value, .. } => self.is(id, value),
                    Op::Rmw { value, .. } => {
                        self.is(id, value) || accessed().any(|c| self.cells.contains(&c))
                    }
                    Op::Cas {
                        expected, desired, ..
                    } => {
                        let given = self.is(id, expected) || self.is(id, desired);
                        given || accessed().any(|c| self.cells.contains(&c))
                    }
                    Op::Sync { .. } | Op::Alloc { .. } => true,
                    other => other.operands_mut().iter().any(|o| self.is(id, o)),
                };
                if opaque {
                    if !matches!(op, Op::Load { .. }) {
                        self.cells.extend(accessed());
                        let kinds = step.cells.iter().filter_map(|p| p.kind);
                        self.cells.extend(kinds);
                    }
                    let written = op.destinations_mut();
                    self.locals.extend(written.iter().map(|l| (id, **l)));
                }
            }
            _ => {}
        }
    }
}
