//! One action executed over terms: the [`Scene`] of the symbolic semantics on top of cells and instances.

use crate::system::{Chosen, Origin, System, VarId};
use raddle_ccfg::{InstanceId, Instances, Place, Step, Watch, What};
use raddle_ir::{ChoiceClass, LocalId, Location, Op, Operand, Property, Ty};
use raddle_solver::term::{Sort, TermId, TermPool};
use raddle_symbolic::{Candidate, CellKey, ChosenKind, Range, Scene, fit, sort_of};
use std::collections::{BTreeMap, BTreeSet};

/// An execution of one edge.
pub struct Exec<'a> {
    pub system: &'a mut System,
    thread: InstanceId,
    env: BTreeMap<VarId, TermId>,
    pub guard: TermId,
    choices: Vec<Chosen>,
    stops: BTreeSet<(Property, Location)>,
    /// Threads that have to have been made.
    pub before: Vec<InstanceId>,
    at: Option<Location>,
    step: u32,
    places: Vec<Place>,
    /// Cells of the present access: variables, or constants.
    cells: Vec<Result<VarId, TermId>>,
    found: Vec<Candidate>,
    elsewhere: Vec<raddle_ccfg::ObjectId>,
    /// Where it is kept on what this thread sleeps, and the others.
    sleep: Option<CellKey>,
    sleepers: Vec<(InstanceId, CellKey)>,
    /// Whom the signal of this step wakes.
    pub wakes: Option<InstanceId>,
    ranges: Vec<Range>,
    /// What is not treated at the present step, and when.
    pub untreated: Vec<(TermId, &'static str)>,
    /// What was stored to memory that is not divided into cells.
    pub stored: Vec<(raddle_ccfg::ObjectId, TermId)>,
}

/// What is left of an execution: guard, values, choices, undefined cases.
pub type Done = (
    TermId,
    BTreeMap<VarId, TermId>,
    Vec<Chosen>,
    BTreeSet<(Property, Location)>,
);

impl<'a> Exec<'a> {
    /// At the beginning of an edge.
    pub fn new(system: &'a mut System, thread: InstanceId) -> Exec<'a> {
        let guard = system.pool.bool(true);
        Exec {
            system,
            thread,
            env: BTreeMap::new(),
            guard,
            choices: Vec::new(),
            stops: BTreeSet::new(),
            before: Vec::new(),
            at: None,
            step: 0,
            places: Vec::new(),
            cells: Vec::new(),
            found: Vec::new(),
            elsewhere: Vec::new(),
            sleep: None,
            sleepers: Vec::new(),
            wakes: None,
            ranges: Vec::new(),
            untreated: Vec::new(),
            stored: Vec::new(),
        }
    }

    /// Before a step: which cells it may access.
    pub fn begin(&mut self, number: u32, step: &Step) {
        self.step = number;
        // Variables are made here, while the pool is in its place.
        if let What::Instr(op) | What::Invalid(op) | What::Wrong(_, op) = &step.what {
            let mut op = op.clone();
            let mut locals: Vec<LocalId> = op.destinations_mut().iter().map(|d| **d).collect();
            for o in op.operands_mut() {
                if let Operand::Local(l) = o {
                    locals.push(*l);
                }
            }
            for l in locals {
                self.system.variable(Origin::Local(self.thread, l));
            }
        }
        self.at = Some(step.at);
        self.places = step.cells.clone();
        self.elsewhere = step.elsewhere.clone();
        self.cells.clear();
        self.found.clear();
        self.ranges.clear();
        for w in &step.within {
            for owner in self.owners(w.object, w.own) {
                let instance = owner.unwrap_or(self.thread);
                let first = Instances::address(&self.system.ccfg, w.object, instance);
                let size = self.system.ccfg.object(w.object).size;
                self.ranges.push(Range {
                    first,
                    last: first + (size - w.bytes),
                    divided: w.divided,
                });
            }
        }
        self.sleepers_of(step);
        for p in self.places.clone() {
            let cell = self.system.ccfg.cell(p.cell).clone();
            for owner in self.owners(cell.object, p.own) {
                let instance = owner.unwrap_or(self.thread);
                let base = Instances::address(&self.system.ccfg, cell.object, instance);
                let mut key = |system: &mut System, c| {
                    self.cells.push(system.cell(c, owner));
                    self.cells.len() as CellKey - 1
                };
                let main = key(self.system, p.cell);
                let kind = p.kind.map(|k| key(self.system, k));
                self.found.push(Candidate {
                    address: base + cell.offset,
                    cell: main,
                    kind,
                });
            }
        }
    }

    /// Makes what is kept of sleepers known to the present step.
    fn sleepers_of(&mut self, step: &Step) {
        (self.sleep, self.sleepers) = (None, Vec::new());
        let concerned =
            matches!(&step.what, What::Instr(Op::Sync { op, .. }) if op.wakes_or_sleeps());
        if !concerned || !self.system.ccfg.sleepers {
            return;
        }
        let threads = self.system.instances.ids();
        let all: Vec<InstanceId> = threads.filter(|t| self.system.may_sleep(*t)).collect();
        for t in all {
            let var = self.system.variable(Origin::Sleep(t));
            let key = self.cells.len() as CellKey;
            self.cells.push(Ok(var));
            match t == self.thread {
                true => self.sleep = Some(key),
                false => self.sleepers.push((t, key)),
            }
        }
        // One that never sleeps wakes others.
        if self.sleep.is_none() {
            let var = self.system.variable(Origin::Sleep(self.thread));
            self.sleep = Some(self.cells.len() as CellKey);
            self.cells.push(Ok(var));
        }
    }

    /// Whose object it may be; `None` if nobody owns it.
    fn owners(&self, object: raddle_ccfg::ObjectId, own: bool) -> Vec<Option<InstanceId>> {
        match self.system.ccfg.object(object).owner {
            None => vec![None],
            Some(_) if own => vec![Some(self.thread)],
            Some(t) => self.system.instances.of(t).map(Some).collect(),
        }
    }

    /// The choices made so far.
    pub fn choices(&self) -> &[Chosen] {
        &self.choices
    }

    /// The end.
    pub fn done(self) -> Done {
        (self.guard, self.env, self.choices, self.stops)
    }

    fn value(&mut self, var: VarId) -> TermId {
        let term = self.system.variables[var.0 as usize].term;
        self.env.get(&var).copied().unwrap_or(term)
    }

    fn term(&mut self, operand: Operand) -> TermId {
        if let Operand::Local(l) = operand {
            self.system.variable(Origin::Local(self.thread, l));
        }
        let mut pool = std::mem::take(&mut self.system.pool);
        let term = Scene::operand(self, &mut pool, operand);
        self.system.pool = pool;
        term
    }

    fn and(&mut self, condition: TermId) {
        self.guard = self.system.pool.and(self.guard, condition);
    }

    /// The value of an operand.
    pub fn value_of(&mut self, operand: Operand) -> TermId {
        self.term(operand)
    }

    /// The cells of the present step: when each is at the address, and what it holds.
    pub fn cells_at(&mut self, address: Operand) -> Vec<(TermId, TermId)> {
        let address = self.term(address);
        let width = self.system.pool.width(address);
        let mut all = Vec::new();
        for c in self.found.clone() {
            let there = self.system.pool.bits(width, u128::from(c.address));
            let is = self.system.pool.eq(address, there);
            let value = match self.cells[c.cell as usize] {
                Ok(var) => self.value(var),
                Err(constant) => constant,
            };
            all.push((is, value));
        }
        all
    }

    /// A decision.
    pub fn test(&mut self, cond: Operand, holds: bool) {
        let term = self.term(cond);
        let term = match holds {
            true => term,
            false => self.system.pool.not(term),
        };
        self.and(term);
    }

    /// A decision among numbers.
    pub fn case(&mut self, value: Operand, among: &[u128], holds: bool) {
        let term = self.term(value);
        let pool = &mut self.system.pool;
        let width = pool.width(term);
        let mut any = pool.bool(false);
        for n in among {
            let n = pool.bits(width, *n);
            let is = pool.eq(term, n);
            any = pool.or(any, is);
        }
        let term = if holds { any } else { pool.not(any) };
        self.and(term);
    }

    /// A function without body.
    pub fn external(&mut self, dst: LocalId) {
        self.any(dst, ChoiceClass::External.into());
    }

    /// A value that only the machine knows.
    pub fn unknown(&mut self, dst: LocalId) {
        self.any(dst, ChosenKind::Contents);
    }

    fn any(&mut self, dst: LocalId, kind: ChosenKind) {
        let sort = sort_of(self.type_of(dst), self.system.ccfg.model);
        let mut pool = std::mem::take(&mut self.system.pool);
        let any = self.choose(&mut pool, kind, sort);
        self.system.pool = pool;
        self.assign(dst, any);
    }

    /// Marks at an address: looked at, set or taken away.
    pub fn watch(&mut self, watch: Watch, address: Operand) {
        let address = self.term(address);
        let width = self.system.pool.width(address);
        let pool = &mut self.system.pool;
        let (mut some, mut marked) = (pool.bool(false), pool.bool(false));
        for c in self.found.clone() {
            let there = self.system.pool.bits(width, u128::from(c.address));
            let is = self.system.pool.eq(address, there);
            let mark = c.kind.unwrap_or(c.cell);
            let Ok(var) = self.cells[mark as usize] else {
                continue;
            };
            let now = self.value(var);
            let pool = &mut self.system.pool;
            let (zero, one) = (pool.bits(8, 0), pool.bits(8, 1));
            let set = pool.ne(now, zero);
            let both = pool.and(is, set);
            some = pool.or(some, is);
            marked = pool.or(marked, both);
            let then = match watch {
                Watch::IsMarked => continue,
                Watch::Mark | Watch::MarkFirst => one,
                Watch::Clear => zero,
            };
            let then = pool.ite(is, then, now);
            self.env.insert(var, then);
        }
        match watch {
            Watch::IsMarked => self.and(marked),
            Watch::MarkFirst => {
                let free = self.system.pool.not(marked);
                let first = self.system.pool.and(some, free);
                self.and(first);
            }
            Watch::Mark | Watch::Clear => {}
        }
    }

    /// The thread's result.
    pub fn result(&mut self, value: Operand) {
        let term = self.term(value);
        let sort = sort_of(Ty::Ptr, self.system.ccfg.model);
        let term = fit(&mut self.system.pool, term, sort);
        let var = self.system.variable(Origin::Result(self.thread));
        self.env.insert(var, term);
    }

    /// A thread is made: its argument is assigned.
    pub fn made(&mut self, child: InstanceId, handle: Option<LocalId>, argument: Operand) {
        let argument = self.term(argument);
        let template = self.system.instances.get(child).template;
        if let Some(param) = self.system.ccfg.template(template).param {
            let var = self.system.variable(Origin::Local(child, param));
            let term = self.system.variables[var.0 as usize].term;
            let sort = self.system.pool.sort(term);
            let argument = fit(&mut self.system.pool, argument, sort);
            self.env.insert(var, argument);
        }
        if let Some(dst) = handle {
            let width = self.system.ccfg.model.pointer_bits();
            let number = u128::from(System::handle(child));
            let number = self.system.pool.bits(width, number);
            self.assign(dst, number);
        }
    }

    /// Goes on only if a handle is that of a thread.
    pub fn is_handle(&mut self, handle: Operand, of: InstanceId) {
        let handle = self.term(handle);
        let width = self.system.pool.width(handle);
        let number = self.system.pool.bits(width, u128::from(System::handle(of)));
        let is = self.system.pool.eq(handle, number);
        self.and(is);
    }

    /// A join of one of any number of threads, or of none: which one it waits for is not known, so it does not wait, and gets any result.
    /// The code of a join that fails is not modelled: a proof assumes that it does not.
    pub fn join_any(&mut self, handle: Operand, result: Option<LocalId>, at: Location) {
        self.stops.insert((Property::ValidSync, at));
        let handle = self.term(handle);
        let width = self.system.pool.width(handle);
        let others = self.system.instances.ids().filter(|i| *i != self.thread);
        let single: Vec<InstanceId> = others.filter(|i| !self.system.is_of_crowd(*i)).collect();
        for i in single {
            let number = u128::from(System::handle(i));
            let number = self.system.pool.bits(width, number);
            let differs = self.system.pool.ne(handle, number);
            self.and(differs);
        }
        if let Some(dst) = result {
            self.external(dst);
        }
    }

    /// A join of a thread that ended, of one that was joined before, or of none.
    pub fn join(
        &mut self,
        handle: Operand,
        result: Option<LocalId>,
        other: Option<InstanceId>,
        first: bool,
    ) {
        let handle = self.term(handle);
        let width = self.system.pool.width(handle);
        let zero = self.system.pool.bits(width, 0);
        let mut value = zero;
        match other {
            Some(i) => {
                let number = u128::from(System::handle(i));
                let number = self.system.pool.bits(width, number);
                let is = self.system.pool.eq(handle, number);
                self.and(is);
                if first {
                    let var = self.system.variable(Origin::Result(i));
                    value = self.value(var);
                }
            }
            None => {
                // A thread that joins itself goes on, too: its own handle is nobody's to wait for.
                let others = self.system.instances.ids().filter(|i| *i != self.thread);
                for i in others.collect::<Vec<_>>() {
                    let number = u128::from(System::handle(i));
                    let number = self.system.pool.bits(width, number);
                    let differs = self.system.pool.ne(handle, number);
                    self.and(differs);
                }
            }
        }
        if let Some(dst) = result {
            self.assign(dst, value);
        }
    }
}

impl Scene for Exec<'_> {
    fn operand(&mut self, pool: &mut TermPool, operand: Operand) -> TermId {
        let model = self.system.ccfg.model;
        match operand {
            Operand::Local(l) => {
                let var = self.system.variable(Origin::Local(self.thread, l));
                self.value(var)
            }
            Operand::Const { ty: Ty::I1, bits } => pool.bool(bits & 1 == 1),
            Operand::Const { ty, bits } => pool.bits(ty.bits(model), bits),
            other => {
                let address = self.system.address(self.thread, other).unwrap_or(0);
                let mask = (1u128 << model.pointer_bits()) - 1;
                pool.bits(model.pointer_bits(), u128::from(address) & mask)
            }
        }
    }

    fn assign(&mut self, local: LocalId, value: TermId) {
        let var = self.system.variable(Origin::Local(self.thread, local));
        self.env.insert(var, value);
    }

    fn type_of(&self, local: LocalId) -> Ty {
        let template = self.system.instances.get(self.thread).template;
        self.system.ccfg.template(template).locals[local.0 as usize].ty
    }

    fn candidates(&self) -> Vec<Candidate> {
        self.found.clone()
    }

    fn elsewhere(&self) -> bool {
        !self.elsewhere.is_empty()
    }

    fn store_elsewhere(&mut self, value: TermId) {
        for o in &self.elsewhere {
            self.stored.push((*o, value));
        }
    }

    fn ranges(&self) -> Vec<Range> {
        self.ranges.clone()
    }

    fn refuse(&mut self, pool: &mut TermPool, condition: TermId, what: &'static str) {
        let when = pool.and(self.guard, condition);
        self.untreated.push((when, what));
    }

    fn read(&mut self, _: &mut TermPool, cell: CellKey) -> TermId {
        match self.cells[cell as usize] {
            Ok(var) => self.value(var),
            Err(constant) => constant,
        }
    }

    fn write(&mut self, cell: CellKey, value: TermId) {
        if let Ok(var) = self.cells[cell as usize] {
            self.env.insert(var, value);
        }
    }

    fn choose(&mut self, pool: &mut TermPool, kind: ChosenKind, sort: Sort) -> TermId {
        let term = pool.fresh_var(kind.name(), sort);
        self.choices.push(Chosen {
            term,
            kind,
            step: self.step,
            object: match self.elsewhere[..] {
                [one] if kind == ChosenKind::Contents => Some(one),
                _ => None,
            },
        });
        term
    }

    fn assume(&mut self, pool: &mut TermPool, condition: TermId) {
        self.guard = pool.and(self.guard, condition);
    }

    fn require(&mut self, pool: &mut TermPool, condition: TermId, property: Property) {
        let always = pool.bool(true);
        if condition != always {
            if let Some(at) = self.at {
                self.stops.insert((property, at));
            }
            self.guard = pool.and(self.guard, condition);
        }
    }

    fn sleep(&self) -> Option<CellKey> {
        self.sleep
    }

    fn sleepers(&self) -> Vec<CellKey> {
        self.sleepers.iter().map(|(_, key)| *key).collect()
    }

    fn woken(&self) -> Option<CellKey> {
        let one = self.sleepers.iter().find(|(t, _)| Some(*t) == self.wakes);
        one.map(|(_, key)| *key)
    }

    fn me(&mut self, pool: &mut TermPool) -> TermId {
        match self.system.known(Origin::Identity(self.thread)) {
            Some(var) => self.system.variables[var.0 as usize].term,
            None => pool.bits(32, u128::from(System::handle(self.thread))),
        }
    }
}
