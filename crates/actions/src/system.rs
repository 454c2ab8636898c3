//! The program as a transition system: state variables, and for every thread its actions as guard and updates over them.
//!
//! An [`Action`] is one edge of one thread, with the threads it makes, starts or joins settled: an edge that can join any of
//! three threads is three actions. What an action needs of other threads' control is a condition on their [`Status`], not a term.

use crate::scene::Exec;
use crate::untreated::Untreated;
use raddle_ccfg::{
    Ccfg, Edge, EdgeId, Goal, Initial, InstanceId, Instances, LocId, ObjectId, Refusal, Step, What,
};
use raddle_ir::{LocalId, Location, Op, Operand, Property, SyncOp};
use raddle_solver::term::{Sort, Term, TermId, TermPool};
use raddle_symbolic::{ChosenKind, execute, invalid, sort_of, wrong};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A state variable, an index into [`System::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// An action, an index into [`System::actions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActionId(pub u32);

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// A cell, of an instance if its object is owned.
    Cell(raddle_ccfg::CellId, Option<InstanceId>),
    /// A local.
    Local(InstanceId, LocalId),
    /// What a thread returned.
    Result(InstanceId),
    /// The address of the condition variable on which a thread sleeps, or 0.
    Sleep(InstanceId),
    /// Any element of an object that is not divided into cells; no action reads or writes it, invariants speak of it.
    Contents(ObjectId),
    /// The number of a thread, if it is not fixed (`crowd.rs`); it never changes.
    Identity(InstanceId),
    /// Who last changed a cell; nothing depends on it, invariants speak of it (`crowd.rs`).
    Changer(raddle_ccfg::CellId),
}

/// A state variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// What it stands for.
    pub origin: Origin,
    /// The variable as a term.
    pub term: TermId,
    /// Its value at the start, if it is known.
    pub initial: Option<u128>,
}

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Not made.
    Absent,
    /// Made, not started.
    Made,
    /// At a location.
    At(LocId),
    /// Over.
    Finished,
    /// Over, and joined.
    Joined,
}

/// Where an action leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// On.
    Next(Status),
    /// A violation.
    Error(raddle_ir::Property, Location),
    /// Something that is not treated.
    Refused(u32),
    /// Something that is not treated symbolically, an index into [`System::refusals`].
    Untreated(u32),
    /// More threads than there are instances.
    TooMany,
}

/// A choice an action makes.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    /// The variable that stands for it.
    pub term: TermId,
    /// Why it is arbitrary.
    pub kind: ChosenKind,
    /// At which step of the edge.
    pub step: u32,
    /// It is an element of this object.
    pub object: Option<ObjectId>,
}

/// One step of one thread.
#[derive(Clone, Debug)]
pub struct Action {
    /// Whose.
    pub thread: InstanceId,
    /// Which edge.
    pub edge: EdgeId,
    /// From where.
    pub from: LocId,
    /// Where to.
    pub outcome: Outcome,
    /// When it can happen, over variables and choices.
    pub guard: TermId,
    /// What changes, all at once.
    pub updates: Vec<(VarId, TermId)>,
    /// Choices in `guard` and `updates`.
    pub choices: Vec<Chosen>,
    /// What `guard` and `updates` read.
    pub reads: Vec<VarId>,
    /// Where other threads have to be, and where they are afterwards.
    pub control: Vec<(InstanceId, Status, Status)>,
    /// It waits for this lock and takes it.
    pub acquires: Option<VarId>,
    /// It joins: the local with the handle, and the handle it has to be.
    pub joins: Option<(VarId, u64)>,
    /// Undefined cases in which the thread is taken to stop.
    pub stops: BTreeSet<(Property, Location)>,
    /// What it stores to objects that are not divided into cells.
    pub stored: Vec<(ObjectId, TermId)>,
}

/// A transition system.
pub struct System {
    /// The graph.
    pub ccfg: Ccfg,
    /// The threads.
    pub instances: Instances,
    /// The terms.
    pub pool: TermPool,
    /// What a state is made of, besides where threads are.
    pub variables: Vec<Variable>,
    /// Which variable a term is.
    pub by_term: HashMap<TermId, VarId>,
    ids: HashMap<Origin, VarId>,
    /// What can happen.
    pub actions: Vec<Action>,
    /// Words of locks.
    pub locks: BTreeSet<VarId>,
    /// What is not treated, and where.
    pub refusals: Vec<(String, Location)>,
    /// The elements of objects that are not divided into cells.
    pub contents: BTreeMap<ObjectId, VarId>,
    widths: BTreeMap<ObjectId, u32>,
    /// Whether guards can hold at all, as far as it was asked.
    pub(crate) possible: HashMap<TermId, bool>,
    /// Errors that were shown to be impossible.
    pub left_out: BTreeSet<ActionId>,
    /// Updates that were left out, because nothing depends on these variables (`slice.rs`).
    pub sliced: Vec<(ActionId, VarId, TermId)>,
    /// Pairs of threads that stand for any number of threads (`crowd.rs`).
    pub crowds: Vec<(InstanceId, InstanceId)>,
    /// What always holds of identities.
    pub axioms: Vec<TermId>,
    /// By thread and location.
    pub outgoing: Vec<Vec<Vec<ActionId>>>,
}

impl System {
    /// Builds it, with so many instances of every repeating creation.
    pub fn new(ccfg: Ccfg, bound: u32) -> Result<System, Refusal> {
        let mut system = System::without_actions(ccfg, bound);
        system.add_actions();
        Ok(system)
    }

    pub(crate) fn without_actions(ccfg: Ccfg, bound: u32) -> System {
        let instances = Instances::new(&ccfg, bound);
        System {
            outgoing: instances
                .list
                .iter()
                .map(|i| vec![Vec::new(); ccfg.template(i.template).locations as usize])
                .collect(),
            ccfg,
            instances,
            pool: TermPool::new(),
            variables: Vec::new(),
            by_term: HashMap::new(),
            ids: HashMap::new(),
            actions: Vec::new(),
            refusals: Vec::new(),
            left_out: BTreeSet::new(),
            contents: BTreeMap::new(),
            widths: BTreeMap::new(),
            possible: HashMap::new(),
            locks: BTreeSet::new(),
            sliced: Vec::new(),
            crowds: Vec::new(),
            axioms: Vec::new(),
        }
    }

    pub(crate) fn add_actions(&mut self) {
        for thread in self.instances.ids() {
            let template = self.instances.get(thread).template;
            let count = self.ccfg.template(template).edges.len();
            for e in 0..count {
                let edge = self.ccfg.template(template).edges[e].clone();
                self.actions_of(thread, EdgeId(e as u32), &edge);
            }
        }
        self.name_contents();
    }

    /// Makes variables for elements of objects that are not divided into cells.
    fn name_contents(&mut self) {
        for a in &self.actions {
            let chosen = a.choices.iter().filter_map(|c| Some((c.object?, c.term)));
            for (object, term) in a.stored.iter().copied().chain(chosen) {
                if let Sort::BitVec(w) = self.pool.sort(term) {
                    self.widths.insert(object, w);
                }
            }
        }
        for object in self.widths.clone().into_keys() {
            let var = self.variable(Origin::Contents(object));
            self.contents.insert(object, var);
        }
    }

    /// Says in the guards of actions what holds for the elements they load.
    pub fn restrict(&mut self, contents: &BTreeMap<ObjectId, Vec<TermId>>) {
        for a in 0..self.actions.len() {
            for c in self.actions[a].choices.clone() {
                let Some(object) = c.object else { continue };
                let (Some(var), Some(holds)) = (self.contents.get(&object), contents.get(&object))
                else {
                    continue;
                };
                let element = self.variables[var.0 as usize].term;
                let map = HashMap::from([(element, c.term)]);
                for h in holds {
                    let h = self.pool.substitute(*h, &map);
                    self.actions[a].guard = self.pool.and(self.actions[a].guard, h);
                }
            }
        }
    }

    /// The number of a thread as locks see it.
    pub fn handle(thread: InstanceId) -> u64 {
        u64::from(thread.0) + 1
    }

    /// A variable that was made.
    pub fn known(&self, origin: Origin) -> Option<VarId> {
        self.ids.get(&origin).copied()
    }

    /// A variable, made on first use.
    pub fn variable(&mut self, origin: Origin) -> VarId {
        if let Some(id) = self.ids.get(&origin) {
            return *id;
        }
        let model = self.ccfg.model;
        let (name, sort, initial) = match origin {
            Origin::Cell(cell, owner) => {
                let c = self.ccfg.cell(cell);
                let name = self.ccfg.cell_name(cell);
                let name = match owner {
                    Some(i) => format!("{name}@{}", i.0),
                    None => name,
                };
                let initial = match c.initial {
                    Initial::Bits(b) => Some(b),
                    Initial::Any => None,
                };
                (name, Sort::BitVec(8 * c.size as u32), initial)
            }
            Origin::Local(i, l) => {
                let template = self.ccfg.template(self.instances.get(i).template);
                let local = &template.locals[l.0 as usize];
                let name = format!("{}%{}@{}", local.name, l.0, i.0);
                (name, sort_of(local.ty, model), None)
            }
            Origin::Contents(o) => {
                let width = self.widths[&o];
                let name = format!("{}[]", self.ccfg.object(o).name);
                (name, Sort::BitVec(width), None)
            }
            Origin::Identity(i) => (format!("identity@{}", i.0), Sort::BitVec(32), None),
            Origin::Changer(c) => {
                let name = format!("changer of {}", self.ccfg.cell_name(c));
                (name, Sort::BitVec(32), None)
            }
            Origin::Sleep(i) => (
                format!("sleep@{}", i.0),
                Sort::BitVec(model.pointer_bits()),
                Some(0),
            ),
            Origin::Result(i) => (
                format!("result@{}", i.0),
                Sort::BitVec(model.pointer_bits()),
                None,
            ),
        };
        let id = VarId(self.variables.len() as u32);
        let term = self.pool.fresh_var(&name, sort);
        self.variables.push(Variable {
            origin,
            term,
            initial,
        });
        self.by_term.insert(term, id);
        self.ids.insert(origin, id);
        id
    }

    /// The value of a cell as a term: its variable, or a number if it never changes.
    pub fn cell(
        &mut self,
        cell: raddle_ccfg::CellId,
        owner: Option<InstanceId>,
    ) -> Result<VarId, TermId> {
        let c = self.ccfg.cell(cell);
        if let (false, Initial::Bits(b)) = (c.written, c.initial) {
            let width = 8 * c.size as u32;
            let term = self.pool.bits(width, b);
            return Err(term);
        }
        Ok(self.variable(Origin::Cell(cell, owner)))
    }

    /// All ways in which an edge can happen.
    fn actions_of(&mut self, thread: InstanceId, id: EdgeId, edge: &Edge) {
        let mut ways: Vec<Vec<Control>> = vec![Vec::new()];
        for (s, step) in edge.steps.iter().enumerate() {
            let options = self.options(thread, &edge.steps[..s], step);
            let Some(options) = options else {
                continue;
            };
            ways = ways
                .into_iter()
                .flat_map(|way| {
                    options.iter().map(move |o| {
                        let mut way = way.clone();
                        way.push(*o);
                        way
                    })
                })
                .collect();
        }
        for way in ways {
            self.action(thread, id, edge, &way);
        }
    }

    /// What can happen to other threads at a step; `None` if nothing does.
    fn options(&self, thread: InstanceId, before: &[Step], step: &Step) -> Option<Vec<Control>> {
        match &step.what {
            What::New { site, .. } => {
                let made = self.instances.made.get(&(thread, *site));
                let made = made.map_or(&[][..], |m| m.as_slice());
                let mut all: Vec<Control> = (0..made.len())
                    .map(|k| Control::New(made[k], k.checked_sub(1).map(|p| made[p])))
                    .collect();
                let site = self
                    .ccfg
                    .template(self.instances.get(thread).template)
                    .sites[*site as usize];
                if site.repeats || made.is_empty() {
                    all.push(Control::Full(made.last().copied()));
                }
                Some(all)
            }
            What::Start { handle } => {
                if let Some(n) = made_here(before, handle) {
                    return Some(vec![Control::StartMade(n)]);
                }
                let mine = self.instances.ids().filter(|i| {
                    self.instances
                        .get(*i)
                        .maker
                        .is_some_and(|(maker, _)| maker == thread)
                });
                Some(mine.map(Control::Start).collect())
            }
            What::Instr(Op::Sync {
                op: SyncOp::CondSignal,
                ..
            }) if self.ccfg.sleepers => {
                let others = self.instances.ids().filter(|i| *i != thread);
                let others = others.filter(|i| self.may_sleep(*i)).map(Some);
                Some(others.chain([None]).map(Control::Wake).collect())
            }
            What::Join { .. } => {
                let others = self.instances.ids().filter(|i| *i != thread);
                let single = others.filter(|i| !self.is_of_crowd(*i));
                let mut all: Vec<Control> = single
                    .flat_map(|i| [Control::Join(i), Control::JoinAgain(i)])
                    .collect();
                all.push(match self.crowds.is_empty() {
                    true => Control::JoinNobody,
                    false => Control::JoinAny,
                });
                Some(all)
            }
            _ => None,
        }
    }

    fn action(&mut self, thread: InstanceId, id: EdgeId, edge: &Edge, way: &[Control]) {
        let mut way = way.iter();
        let mut control: Vec<(InstanceId, Status, Status)> = Vec::new();
        let mut outcome = match edge.goal {
            Goal::At(l) => Outcome::Next(Status::At(l)),
            Goal::Finish | Goal::End => Outcome::Next(Status::Finished),
            Goal::Error(p, at) => Outcome::Error(p, at),
            Goal::Refused(r) => Outcome::Refused(r),
        };
        // Threads this edge makes, in order.
        let mut made = Vec::new();
        let mut joins = None;
        // What is not treated on the way, and whether control gets further.
        let mut untreated: Vec<Untreated> = Vec::new();
        let mut goes_on = true;
        let mut exec = Exec::new(self, thread);
        let never = exec.system.pool.bool(false);
        let model = exec.system.ccfg.model;
        for (s, step) in edge.steps.iter().enumerate() {
            exec.begin(s as u32, step);
            match &step.what {
                What::Instr(op) => {
                    let signal = matches!(
                        op,
                        Op::Sync {
                            op: SyncOp::CondSignal,
                            ..
                        }
                    );
                    if signal && exec.system.ccfg.sleepers {
                        let Some(Control::Wake(one)) = way.next() else {
                            goes_on = false;
                            break;
                        };
                        exec.wakes = *one;
                    }
                    let mut pool = std::mem::take(&mut exec.system.pool);
                    let done = execute(&mut pool, model, op, &mut exec);
                    exec.system.pool = pool;
                    for (guard, what) in std::mem::take(&mut exec.untreated) {
                        untreated.push(Untreated {
                            guard,
                            what,
                            at: step.at,
                            choices: exec.choices().to_vec(),
                            control: control.clone(),
                            before: exec.before.clone(),
                        });
                    }
                    if exec.guard == never {
                        goes_on = false;
                        break;
                    }
                    if let Err(why) = done {
                        outcome = exec.system.refuse(&why.0, step.at);
                        break;
                    }
                }
                What::External(dst) => exec.external(*dst),
                What::Unknown(dst) => exec.unknown(*dst),
                What::Test(cond, holds) => exec.test(*cond, *holds),
                What::Case {
                    value,
                    among,
                    holds,
                    ..
                } => exec.case(*value, among, *holds),
                What::Result(value) => exec.result(*value),
                What::Invalid(op) => {
                    let mut pool = std::mem::take(&mut exec.system.pool);
                    let wrong = invalid(&mut pool, model, op, &mut exec);
                    exec.guard = pool.and(exec.guard, wrong);
                    exec.system.pool = pool;
                }
                What::Wrong(property, op) => {
                    let mut pool = std::mem::take(&mut exec.system.pool);
                    let wrong = wrong(&mut pool, model, (*property, op), &mut exec);
                    if let Ok(wrong) = wrong {
                        exec.guard = pool.and(exec.guard, wrong);
                    }
                    exec.system.pool = pool;
                    if let Err(why) = wrong {
                        outcome = exec.system.refuse(&why.0, step.at);
                        break;
                    }
                }
                What::Watch(watch, address) => exec.watch(*watch, *address),
                What::New {
                    handle, argument, ..
                } => match way.next() {
                    Some(Control::New(child, previous)) => {
                        if let Some(p) = previous {
                            exec.before.push(*p);
                        }
                        control.push((*child, Status::Absent, Status::Made));
                        exec.made(*child, *handle, *argument);
                        made.push(*child);
                    }
                    Some(Control::Full(all)) => {
                        if let Some(all) = all {
                            exec.before.push(*all);
                        }
                        outcome = Outcome::TooMany;
                        break;
                    }
                    _ => {
                        goes_on = false;
                        break;
                    }
                },
                What::Start { handle } => {
                    let child = match way.next() {
                        Some(Control::StartMade(n)) => made.get(*n).copied(),
                        Some(Control::Start(child)) => {
                            exec.is_handle(*handle, *child);
                            if !made.contains(child) {
                                control.push((*child, Status::Made, Status::Made));
                            }
                            Some(*child)
                        }
                        _ => None,
                    };
                    let Some(child) = child else {
                        goes_on = false;
                        break;
                    };
                    if let Some(c) = control.iter_mut().rev().find(|c| c.0 == child) {
                        c.2 = Status::At(LocId(0));
                    }
                }
                What::Join {
                    handle,
                    result,
                    doubtful,
                } => {
                    let way = way.next();
                    if let Some(Control::JoinAny) = way {
                        if *doubtful {
                            let what = "a join of one of any number of threads";
                            outcome = exec.system.refuse(what, step.at);
                            break;
                        }
                        exec.join_any(*handle, *result, step.at);
                        continue;
                    }
                    let (other, needed) = match way {
                        Some(Control::Join(i)) => (Some(*i), Status::Finished),
                        Some(Control::JoinAgain(i)) => (Some(*i), Status::Joined),
                        _ => (None, Status::Joined),
                    };
                    if let (Operand::Local(l), Some(i)) = (handle, other) {
                        let var = exec.system.variable(Origin::Local(thread, *l));
                        joins = Some((var, System::handle(i)));
                    }
                    exec.join(*handle, *result, other, needed == Status::Finished);
                    if let Some(i) = other {
                        control.push((i, needed, Status::Joined));
                    }
                    // A handle may mean another thread by then.
                    if needed == Status::Joined {
                        let what = "a join of a thread that was joined before, or of none";
                        outcome = exec.system.refuse(what, step.at);
                        break;
                    }
                }
            }
            if exec.guard == never {
                goes_on = false;
                break;
            }
        }
        for u in untreated {
            exec.system.add_untreated(thread, id, edge.from, u);
        }
        if !goes_on {
            return;
        }
        // The creations before have to have happened: earlier instances are not absent any more.
        let before = std::mem::take(&mut exec.before);
        let stored = std::mem::take(&mut exec.stored);
        let (guard, env, choices, stops) = exec.done();
        let mut updates: Vec<(VarId, TermId)> = Vec::new();
        let template = self.ccfg.template(self.instances.get(thread).template);
        for (var, value) in env {
            // What is dead behind the action is as good as unchanged; otherwise two increments would not commute, because each has seen another
            // value.
            let dead = match (self.variables[var.0 as usize].origin, outcome) {
                (Origin::Local(t, l), Outcome::Next(then)) if t == thread => match then {
                    Status::At(to) => !template.live[to.0 as usize].contains(&l),
                    _ => true,
                },
                _ => false,
            };
            if self.variables[var.0 as usize].term != value && !dead {
                updates.push((var, value));
            }
        }
        let roots: Vec<TermId> = updates.iter().map(|u| u.1).chain([guard]).collect();
        let reads = self.read_by(&roots);
        let acquires = self.acquired(thread, edge);
        self.locks.extend(acquires);
        let present = before.iter().map(|b| (*b, Status::Absent, Status::Absent));
        self.add(Action {
            thread,
            edge: id,
            from: edge.from,
            outcome,
            guard,
            updates,
            choices,
            reads,
            control: control.into_iter().chain(present).collect(),
            acquires,
            joins,
            stops,
            stored,
        });
    }

    /// One more action.
    pub(crate) fn add(&mut self, action: Action) {
        let id = ActionId(self.actions.len() as u32);
        self.outgoing[action.thread.0 as usize][action.from.0 as usize].push(id);
        self.actions.push(action);
    }

    /// The variables that occur in terms.
    pub(crate) fn read_by(&self, roots: &[TermId]) -> Vec<VarId> {
        let free = self.pool.free_variables(roots);
        let known = |t: &TermId| self.by_term.get(t).copied();
        let mut all: Vec<VarId> = free.iter().filter_map(known).collect();
        all.sort_unstable();
        all
    }

    /// Whether a thread may ever sleep on a condition variable.
    pub(crate) fn may_sleep(&self, thread: InstanceId) -> bool {
        let template = self.ccfg.template(self.instances.get(thread).template);
        let mut steps = template.edges.iter().flat_map(|e| &e.steps);
        let enqueue = |what: &What| matches!(what, What::Instr(Op::Sync { op, .. }) if *op == SyncOp::CondEnqueue);
        self.ccfg.sleepers && steps.any(|s| enqueue(&s.what))
    }

    /// The lock an edge begins by waiting for, if it is always the same.
    fn acquired(&mut self, thread: InstanceId, edge: &Edge) -> Option<VarId> {
        let step = edge.steps.first()?;
        let What::Instr(Op::Sync { op, .. }) = &step.what else {
            return None;
        };
        let [place] = step.cells[..] else {
            return None;
        };
        let cell = self.ccfg.cell(place.cell);
        if cell.unreliable {
            return None;
        }
        let object = self.ccfg.object(cell.object);
        let owner = match object.owner {
            None => None,
            Some(_) if place.own => Some(thread),
            Some(_) => return None,
        };
        op.waits_for_owner()
            .then(|| self.cell(place.cell, owner).ok())?
    }

    pub(crate) fn refuse(&mut self, what: &str, at: Location) -> Outcome {
        let known = |r: &(String, Location)| r.0 == what && r.1 == at;
        let id = self.refusals.iter().position(known).unwrap_or_else(|| {
            self.refusals.push((what.to_string(), at));
            self.refusals.len() - 1
        });
        Outcome::Untreated(id as u32)
    }

    /// For every thread, those it makes.
    pub fn children(&self) -> Vec<Vec<InstanceId>> {
        let mut all = vec![Vec::new(); self.instances.list.len()];
        for t in self.instances.ids() {
            if let Some((maker, _)) = self.instances.get(t).maker {
                all[maker.0 as usize].push(t);
            }
        }
        all
    }

    /// For every thread, whether another one than its maker may join it.
    pub fn joined_by_others(&self) -> Vec<bool> {
        let mut all = vec![false; self.instances.list.len()];
        for a in &self.actions {
            for (c, needed, _) in &a.control {
                let maker = self.instances.get(*c).maker.map(|m| m.0);
                if *needed == Status::Finished && maker != Some(a.thread) {
                    // A join tries every handle; most are not the one it has.
                    let never = matches!(self.pool.term(a.guard), Term::Bool(false));
                    all[c.0 as usize] |= !never;
                }
            }
        }
        all
    }

    /// Leaves errors out that can never happen.
    pub fn leave_out(&mut self, impossible: &BTreeSet<ActionId>) {
        for all in self.outgoing.iter_mut().flatten() {
            all.retain(|a| !impossible.contains(a));
        }
        self.left_out.extend(impossible);
    }

    /// Errors that may happen.
    pub fn errors(&self) -> impl Iterator<Item = ActionId> + '_ {
        let all = (0..self.actions.len() as u32).map(ActionId);
        all.filter(|a| {
            let next = matches!(self.get(*a).outcome, Outcome::Next(_));
            !next && !self.left_out.contains(a)
        })
    }

    /// An action.
    pub fn get(&self, id: ActionId) -> &Action {
        &self.actions[id.0 as usize]
    }

    /// The address an operand means for a thread, if it is one.
    pub fn address(&self, thread: InstanceId, operand: Operand) -> Option<u64> {
        let ccfg = &self.ccfg;
        match operand {
            Operand::Global { id, offset } => {
                let object = *ccfg.globals.get(&id)?;
                Some(ccfg.object(object).base.wrapping_add(offset as u64))
            }
            Operand::Slot { id, offset } => {
                let template = ccfg.template(self.instances.get(thread).template);
                let object = template.slots[id.0 as usize];
                let base = Instances::address(ccfg, object, thread);
                Some(base.wrapping_add(offset as u64))
            }
            Operand::Function(f) => Some(Ccfg::function_address(f)),
            _ => None,
        }
    }
}

/// What happens to another thread at a step.
#[derive(Clone, Copy, Debug)]
enum Control {
    /// This one is made; that one was before.
    New(InstanceId, Option<InstanceId>),
    /// All there are have been made.
    Full(Option<InstanceId>),
    /// The one that this edge made as its n-th begins.
    StartMade(usize),
    Start(InstanceId),
    Join(InstanceId),
    JoinAgain(InstanceId),
    JoinNobody,
    /// One of any number, or nobody.
    JoinAny,
    /// A signal wakes this one, or nobody.
    Wake(Option<InstanceId>),
}

/// Which of the threads that these steps make has a handle, if that can be seen: the local still holds what the creation gave it.
fn made_here(steps: &[Step], handle: &Operand) -> Option<usize> {
    let Operand::Local(local) = handle else {
        return None;
    };
    let assigns = |s: &Step| match &s.what {
        What::Instr(op) => op.clone().destinations_mut().iter().any(|d| *d == local),
        What::External(d) | What::Unknown(d) => d == local,
        What::New { handle, .. } => *handle == Some(*local),
        What::Join { result, .. } => *result == Some(*local),
        _ => false,
    };
    let last = steps.iter().rposition(assigns)?;
    let new = |s: &Step| matches!(s.what, What::New { .. });
    new(&steps[last]).then(|| steps[..last].iter().filter(|s| new(s)).count())
}

/// Whether the control of other threads allows an action: by pairs, and `Absent → Absent` means "was made".
pub fn allows(needed: Status, after: Status, now: Status) -> bool {
    match (needed, after) {
        (Status::Absent, Status::Absent) => now != Status::Absent,
        _ => now == needed,
    }
}
