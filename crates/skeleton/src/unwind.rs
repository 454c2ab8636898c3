//! Unwinding: all threads of a program, executed over terms with merging at joins.
//!
//! Here is what a pass over the program collects, and how violations, cuts and whatever is not treated are noted; `graph` has the
//! control flow, `step` the instructions. Calls recurse, and so do threads: a child is unwound where it is started.
//!
//! Loops and recursions are followed up to a bound; iterations whose exit constants decide do not count against it. What is not
//! followed, or not treated, becomes a *target*: if it cannot be reached, nothing was lost.

use crate::calls::Caller;
use crate::deadlock::BlockPoint;
use crate::event::{
    Again, Asked, Clock, Entry, Event, EventNo, Kind, Manner, Reason, Region, Skeleton, Target,
    ThreadLog,
};
use crate::facts::Facts;
use crate::guard::{Guard, Guards};
use crate::layout::Layout;
use crate::mode::Mode;
use crate::names::{CellId, Names, ObjectKey, Path, Role, ThreadNo};
use crate::phantom::{Detours, Phantom};
use crate::shared::{CellState, Moment};
use crate::state::{Flow, Merger, State};
use crate::values::Sets;
use crate::ways::Ways;
use raddle_analysis::{Liveness, LoopNest};
use raddle_ir::{
    BlockId, ChoiceClass, FuncId, Location, Operand, Program, Property, SyncClass, Ty,
};
use raddle_solver::term::{Sort, Term, TermId, TermPool};
use raddle_symbolic::{Congruences, ObjectId, Targets, Value};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// How far to go.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// For loops and recursions that are not listed.
    pub default: u32,
    /// By function and loop header; a recursion by its function and block 0 of `u32::MAX`.
    pub special: HashMap<(FuncId, BlockId), u32>,
    /// How many iterations with constant exits and without reads of shared memory are followed.
    pub constant: u32,
    /// How many elements of an object an index that is not known is taken to mean.
    pub index: u32,
    /// How many events are made at most.
    pub events: usize,
}

/// The key of a recursion in [`Bounds::special`].
pub const RECURSION: BlockId = BlockId(u32::MAX);

/// What to look for.
#[derive(Clone)]
pub struct Wanted {
    /// The properties asked for.
    pub properties: Vec<Property>,
    /// How much is done before solving.
    pub mode: Mode,
    /// Follow only these where conditions decide; everything, if there are none.
    pub ways: Option<Rc<Ways>>,
    /// What each thread gets for its inputs; anything, if there is no list.
    pub inputs: Option<Rc<Vec<i128>>>,
    /// Have phantoms stand for the other branches, where they can.
    pub detours: Option<Rc<Detours>>,
}

/// Why an unwinding was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GaveUp {
    /// The caller wanted it to stop.
    Stopped,
    /// There are too many events.
    TooLarge,
}

pub(crate) type Step<T> = Result<T, GaveUp>;

/// A thread while it is unwound.
pub(crate) struct Current {
    pub thread: ThreadNo,
    pub time: u32,
    pub clock: Clock,
    /// States that wait somewhere, at all levels.
    pub waiting: u32,
    /// Functions on the stack, with how often a decision was made since they were entered.
    pub stack: Vec<(FuncId, Guard)>,
    /// Stack objects that may be alive.
    pub slots: Vec<ObjectId>,
    /// Where the thread may end, with which result.
    pub ends: Vec<(Flow, Value)>,
    /// The last join and its code, until it is asked for.
    pub join_code: Option<(Location, TermId)>,
}

/// An unwinding in the making.
pub struct Unwinder<'p> {
    pub(crate) program: &'p Program,
    pub(crate) bounds: &'p Bounds,
    pub(crate) wanted: &'p Wanted,
    pub(crate) facts: &'p mut Facts,
    pub(crate) stop: &'p dyn Fn() -> bool,
    pub(crate) pool: TermPool,
    pub(crate) guards: Guards,
    pub(crate) names: Names,
    pub(crate) congruences: Congruences,
    pub(crate) sets: Sets,
    pub(crate) equalities: HashMap<(TermId, u128), TermId>,
    pub(crate) nests: HashMap<FuncId, Rc<LoopNest>>,
    pub(crate) liveness: HashMap<FuncId, Rc<Liveness>>,
    pub(crate) events: Vec<Event>,
    pub(crate) regions: Vec<Region>,
    pub(crate) threads: Vec<ThreadLog>,
    pub(crate) cells: HashMap<CellId, CellState>,
    pub(crate) constraints: Vec<TermId>,
    pub(crate) violations: Vec<(Property, Target)>,
    pub(crate) ends: Vec<(Reason, Target)>,
    pub(crate) again: Vec<Again>,
    pub(crate) phantoms: Vec<Phantom>,
    pub(crate) conditional: Vec<(Guard, EventNo, EventNo)>,
    pub(crate) edges: Vec<(EventNo, EventNo)>,
    pub(crate) granted: Vec<(Property, Location)>,
    pub(crate) finals: HashMap<ThreadNo, crate::threads::Final>,
    pub(crate) new_threads: Vec<(ThreadNo, Value, Value)>,
    pub(crate) freed: BTreeSet<ObjectId>,
    pub(crate) block_points: Vec<BlockPoint>,
    /// Where threads are joined or detached.
    pub(crate) retirements: Vec<(ThreadNo, Moment)>,
    /// Where threads are made.
    pub(crate) made: Vec<Moment>,
    pub(crate) late: Vec<crate::join::Late>,
    /// When values are used that nobody wrote.
    pub(crate) unwritten_uses: Vec<TermId>,
    /// Where threads go to sleep on condition variables, and where these are destroyed.
    pub(crate) naps: Vec<(Targets, Moment)>,
    pub(crate) condition_ends: Vec<(Guard, Location, Targets, Moment)>,
    /// Locks that several threads can hold for reading.
    pub(crate) read_locks: BTreeSet<CellId>,
    pub(crate) compared: Vec<(Guard, Targets, Targets, Location)>,
    /// Where objects lie whose addresses are used as numbers.
    pub(crate) layout: Layout,
    pub(crate) layout_uses: Vec<(TermId, Location)>,
    pub(crate) current: Current,
    /// The block of the instruction that is being executed, if it has one.
    pub(crate) block_now: Option<u32>,
    /// How the instruction that is being executed counts for races.
    pub(crate) manner: Manner,
    /// The current instruction takes a lock of some kind, or gives it back.
    pub(crate) locking: Option<SyncClass>,
    /// Writes of protected cells that somebody may have seen.
    pub(crate) seen: HashSet<EventNo>,
    /// The instruction that is being executed is an access of the program's own, not a synchronisation.
    pub(crate) plain: bool,
    /// Reads that became events.
    pub(crate) reads: u32,
    pub(crate) ticks: u32,
}

/// Passes over the program until nothing new is learned; after each, `seen` is told how many events there are.
pub fn unwind(
    program: &Program,
    bounds: &Bounds,
    wanted: &Wanted,
    facts: &mut Facts,
    mut names: Names,
    stop: &dyn Fn() -> bool,
    seen: &mut dyn FnMut(usize),
) -> Result<Skeleton, GaveUp> {
    loop {
        facts.begin();
        let skeleton = Unwinder::run(program, bounds, wanted, facts, names, stop)?;
        seen(skeleton.events.len());
        if !facts.changed() {
            return Ok(skeleton);
        }
        names = skeleton.names;
    }
}

impl<'p> Unwinder<'p> {
    /// Unwinds the whole program once. Terms and names of earlier passes are taken along, so that facts keep their meaning.
    fn run(
        program: &'p Program,
        bounds: &'p Bounds,
        wanted: &'p Wanted,
        facts: &'p mut Facts,
        mut names: Names,
        stop: &'p dyn Fn() -> bool,
    ) -> Result<Skeleton, GaveUp> {
        names.forget_roles();
        let mut pool = TermPool::new();
        let guards = Guards::new(&mut pool);
        let mut unwinder = Unwinder {
            program,
            bounds,
            wanted,
            facts,
            stop,
            pool,
            guards,
            names,
            congruences: Congruences::default(),
            sets: Sets::default(),
            equalities: HashMap::new(),
            nests: HashMap::new(),
            liveness: HashMap::new(),
            events: Vec::new(),
            regions: Vec::new(),
            threads: Vec::new(),
            cells: HashMap::new(),
            constraints: Vec::new(),
            violations: Vec::new(),
            ends: Vec::new(),
            again: Vec::new(),
            phantoms: Vec::new(),
            conditional: Vec::new(),
            edges: Vec::new(),
            granted: Vec::new(),
            finals: HashMap::new(),
            new_threads: Vec::new(),
            freed: BTreeSet::new(),
            block_points: Vec::new(),
            retirements: Vec::new(),
            made: Vec::new(),
            late: Vec::new(),
            unwritten_uses: Vec::new(),
            naps: Vec::new(),
            condition_ends: Vec::new(),
            read_locks: BTreeSet::new(),
            compared: Vec::new(),
            layout: Layout::default(),
            layout_uses: Vec::new(),
            current: Current {
                thread: ThreadNo(0),
                time: 1,
                clock: Rc::new(vec![1]),
                waiting: 0,
                stack: Vec::new(),
                slots: Vec::new(),
                ends: Vec::new(),
                join_code: None,
            },
            block_now: None,
            manner: Manner::default(),
            locking: None,
            seen: HashSet::new(),
            plain: false,
            reads: 0,
            ticks: 0,
        };
        unwinder.log_mut(ThreadNo(0)).exists = true;
        let flow = Flow {
            guard: Guard::TRUE,
            memory: Rc::default(),
            inside: None,
            held: Rc::default(),
            unsure: false,
            ended: Rc::default(),
            known: Rc::default(),
            asked: 0,
        };
        let nothing = Value::number(unwinder.pool.bits(8, 0));
        let done = unwinder.thread_body(nothing, Some(program.entry), Vec::new(), flow);
        done?;
        unwinder.finish_initial();
        if unwinder.watches() {
            unwinder.add_deadlocks();
        }
        unwinder.check_locks();
        unwinder.check_protection();
        unwinder.check_handles();
        unwinder.check_conditions();
        unwinder.check_reuse();
        unwinder.finish_layout();
        Ok(Skeleton {
            pool: unwinder.pool,
            guards: unwinder.guards,
            names: unwinder.names,
            events: unwinder.events,
            regions: unwinder.regions,
            threads: unwinder.threads,
            constraints: unwinder.constraints,
            violations: unwinder.violations,
            ends: unwinder.ends,
            again: unwinder.again,
            phantoms: unwinder.phantoms,
            conditional: unwinder.conditional,
            edges: unwinder.edges,
            granted: unwinder.granted,
            layout_uses: unwinder.layout_uses,
            places: unwinder.layout.places(),
        })
    }

    /// Runs the current thread from its first function to all its ends.
    pub(crate) fn thread_body(
        &mut self,
        callee: Value,
        known: Option<FuncId>,
        args: Vec<Value>,
        flow: Flow,
    ) -> Step<()> {
        let start = Location {
            function: known.unwrap_or(self.program.entry),
            block: BlockId(0),
            index: 0,
        };
        let root = Path(0);
        let result = match known {
            Some(f) => self.call_function(f, args, flow, root)?,
            None => self.call_pointer(&callee, args, Caller::Thread, flow, root, start)?,
        };
        if let Some((flow, value)) = result {
            let value = match value {
                Some(value) => self.fit(value, Ty::Ptr),
                None => self.no_result(),
            };
            self.leave_region(&flow);
            self.current.ends.push((flow, value));
        }
        Ok(())
    }

    pub(crate) fn log_mut(&mut self, thread: ThreadNo) -> &mut ThreadLog {
        let at = thread.0 as usize;
        if self.threads.len() <= at {
            self.threads.resize_with(at + 1, ThreadLog::default);
        }
        &mut self.threads[at]
    }

    pub(crate) fn wants(&self, p: Property) -> bool {
        self.wanted.properties.contains(&p)
    }

    pub(crate) fn fresh(&mut self, name: &str, sort: Sort) -> TermId {
        self.pool.fresh_var(name, sort)
    }

    /// A fresh variable that is known by what it stands for.
    pub(crate) fn fresh_as(&mut self, role: Role, name: &str, sort: Sort) -> TermId {
        let variable = self.fresh(name, sort);
        self.names.set_role(variable, role);
        variable
    }

    pub(crate) fn and(&mut self, g: Guard, condition: TermId) -> Guard {
        self.guards.and(&mut self.pool, g, condition)
    }

    pub(crate) fn is_constant(&self, t: TermId) -> Option<bool> {
        match self.pool.term(t) {
            Term::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// Notes an instruction in the log.
    pub(crate) fn enter_log(&mut self, at: Location, guard: Guard) -> u32 {
        let thread = self.current.thread;
        let log = self.log_mut(thread);
        log.entries.push(Entry { at, guard });
        log.entries.len() as u32 - 1
    }

    pub(crate) fn ask(&mut self, at: Location, guard: Guard, kind: ChoiceClass, value: TermId) {
        let thread = self.current.thread;
        self.log_mut(thread).asked.push(Asked {
            at,
            guard,
            kind,
            entry: None,
            value,
        });
    }

    pub(crate) fn target(&mut self, reached: TermId, at: Location, inside: Option<u32>) -> Target {
        let thread = self.current.thread;
        let log = self.log_mut(thread);
        Target {
            reached,
            thread,
            at,
            after: log.events.last().copied(),
            inside,
            pair: None,
        }
    }

    /// A violation, if the property is asked for; then the thread goes on only where there is none. Otherwise it stops there
    /// (`stops`) or goes on.
    pub(crate) fn check(
        &mut self,
        flow: &mut Flow,
        at: Location,
        property: Property,
        violated: TermId,
        stops: bool,
    ) {
        if self.is_constant(violated) == Some(false) {
            return;
        }
        let wanted = self.wants(property);
        if wanted {
            let g = self.guards.term(flow.guard);
            let reached = self.pool.and(g, violated);
            if self.is_constant(reached) != Some(false) {
                let inside = flow.inside.as_ref().map(|i| i.block);
                let target = self.target(reached, at, inside);
                self.violations.push((property, target));
            }
        } else if stops {
            self.granted.push((property, at));
        }
        if wanted || stops {
            // Whoever stops there was not blocked: the region has happened.
            let block = flow.inside.as_ref().map(|i| i.block).or(self.block_now);
            if let Some(block) = block {
                let stopped = self.and(flow.guard, violated);
                self.regions[block as usize].done.push(stopped);
            }
            let fine = self.pool.not(violated);
            self.restrict(flow, fine);
        }
    }

    /// The thread goes on only if the condition holds.
    pub(crate) fn restrict(&mut self, flow: &mut Flow, condition: TermId) {
        flow.guard = self.and(flow.guard, condition);
    }

    /// From here on the unwinding is not the whole program.
    pub(crate) fn give_up_at(&mut self, guard: Guard, at: Location, reason: Reason) {
        let reached = self.guards.term(guard);
        if self.is_constant(reached) != Some(false) {
            let target = self.target(reached, at, None);
            self.ends.push((reason, target));
        }
    }

    /// A loop or recursion is not followed further: the thread stops. In an atomic region that leaves half of it behind, which
    /// others must not see: see [`Target::inside`].
    pub(crate) fn cut(&mut self, flow: Flow, at: Location, reason: Reason) {
        self.give_up_at(flow.guard, at, reason);
        if let (Some(inside), Some((_, target))) = (&flow.inside, self.ends.last_mut())
            && target.at == at
        {
            target.inside = Some(inside.block);
        }
    }

    pub(crate) fn unsupported(&mut self, guard: Guard, at: Location, what: impl Into<String>) {
        self.give_up_at(guard, at, Reason::Unsupported(what.into()));
    }

    pub(crate) fn merger(&mut self) -> Merger<'_> {
        Merger {
            pool: &mut self.pool,
            guards: &mut self.guards,
            names: &mut self.names,
            program: self.program,
        }
    }

    pub(crate) fn liveness(&mut self, f: FuncId) -> Rc<Liveness> {
        let function = self.program.function(f);
        let known = self.liveness.entry(f);
        known
            .or_insert_with(|| Rc::new(Liveness::new(function)))
            .clone()
    }

    /// The value of an operand.
    pub(crate) fn operand(&mut self, state: &mut State, operand: Operand, at: Location) -> Value {
        let model = self.program.model;
        let (key, size, align, zeroed, offset) = match operand {
            Operand::Local(l) => {
                if let Some(v) = state.locals[l.0 as usize].clone() {
                    // Perhaps it was never assigned: then it is settled now.
                    if let Some(open) = state.open.remove(&l) {
                        let guard = self.and(state.flow.guard, open);
                        self.ask(at, guard, ChoiceClass::Uninitialised, v.bits);
                        self.note_unwritten(guard, at);
                    }
                    return v;
                }
                let ty = self.program.function(at.function).local(l).ty;
                let any = self.arbitrary(ty, state.flow.guard, at, ChoiceClass::Uninitialised);
                self.note_unwritten(state.flow.guard, at);
                state.locals[l.0 as usize] = Some(any.clone());
                return any;
            }
            Operand::Const { ty, bits } => {
                return Value::constant(&mut self.pool, model, ty, bits);
            }
            Operand::Global { id, offset } => {
                let g = self.program.global(id);
                let key = match g.thread_local {
                    true => ObjectKey::ThreadLocal(self.current.thread, id),
                    false => ObjectKey::Global(id),
                };
                (key, g.size, g.align, true, offset)
            }
            Operand::Slot { id, offset } => match state.slots[id.0 as usize] {
                Some(object) => return self.address(object, offset),
                None => return Value::number(self.pool.bits(model.pointer_bits(), 0)),
            },
            Operand::Function(f) => (ObjectKey::Function(f), 1, 16, true, 0),
        };
        match self.names.object(key, size, align, zeroed) {
            Some(object) => self.address(object, offset),
            None => {
                self.unsupported(state.flow.guard, at, "more memory than addresses");
                Value::number(self.pool.bits(model.pointer_bits(), 0))
            }
        }
    }

    /// A value from outside of the program: the next one of the list, or any.
    pub(crate) fn input(
        &mut self,
        flow: &mut Flow,
        ty: Ty,
        at: Location,
        kind: ChoiceClass,
    ) -> Value {
        let Some(inputs) = self.wanted.inputs.clone() else {
            return self.arbitrary(ty, flow.guard, at, kind);
        };
        let value = inputs.get(flow.asked as usize).copied().unwrap_or(0);
        flow.asked += 1;
        let bits = ty.bits(self.program.model);
        let mask = u128::MAX >> (128 - bits);
        let given = Value::constant(&mut self.pool, self.program.model, ty, value as u128 & mask);
        self.ask(at, flow.guard, kind, given.bits);
        given
    }

    /// An arbitrary value that the interpreter asks for.
    pub(crate) fn arbitrary(
        &mut self,
        ty: Ty,
        guard: Guard,
        at: Location,
        kind: ChoiceClass,
    ) -> Value {
        let sort = raddle_symbolic::sort_of(ty, self.program.model);
        let any = self.fresh(kind.name(), sort);
        self.ask(at, guard, kind, any);
        Value::number(any)
    }

    pub(crate) fn event(
        &mut self,
        guard: Guard,
        kind: Kind,
        block: Option<u32>,
        entry: u32,
    ) -> EventNo {
        let thread = self.current.thread;
        self.current.time += 1;
        let id = EventNo(self.events.len() as u32);
        self.events.push(Event {
            thread,
            kind,
            guard,
            block,
            time: self.current.time,
            clock: self.current.clock.clone(),
            entry,
            manner: self.manner.clone(),
            last: false,
            unseen: false,
        });
        self.log_mut(thread).events.push(id);
        id
    }
}
