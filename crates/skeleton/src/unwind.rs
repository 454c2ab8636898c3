//! Unwinding: a thread's control flow, executed over terms with merging at joins.
//!
//! States wait in a map keyed by where they are: for every loop around, the position of its header and the number of the
//! iteration, then the position of the block. The smallest key goes next; everything that could still join it has been
//! executed by then, so each block is executed once per iteration and call, never once per path. Calls recurse, and so do
//! threads: a child is unwound where it is started, so at a join its end is known as a term.
//!
//! Loops and recursions are followed up to a bound; iterations whose exit constants decide do not count against it. What is not
//! followed, or not treated, becomes a *target*: if it cannot be reached, nothing was lost.

use crate::deadlock::BlockPoint;
use crate::event::{
    Asked, Clock, Entry, Event, EventNo, Kind, Manner, Reason, Region, Skeleton, Target, ThreadLog,
};
use crate::facts::Facts;
use crate::guard::{Guard, Guards};
use crate::names::{CellId, Names, ObjectKey, Path, ThreadNo};
use crate::shared::CellState;
use crate::state::{Flow, Merger, State};
use crate::values::Sets;
use raddle_analysis::{Liveness, LoopId, LoopNest};
use raddle_ir::{BlockId, FuncId, LocalId, Location, Operand, Program, Property, Terminator, Ty};
use raddle_solver::term::{Sort, Term, TermId, TermPool};
use raddle_symbolic::{Congruences, ObjectId, Targets, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The properties asked for.
    pub properties: Vec<Property>,
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
    liveness: HashMap<FuncId, Rc<Liveness>>,
    pub(crate) events: Vec<Event>,
    pub(crate) regions: Vec<Region>,
    pub(crate) threads: Vec<ThreadLog>,
    pub(crate) cells: HashMap<CellId, CellState>,
    pub(crate) constraints: Vec<TermId>,
    pub(crate) violations: Vec<(Property, Target)>,
    pub(crate) ends: Vec<(Reason, Target)>,
    pub(crate) conditional: Vec<(Guard, EventNo, EventNo)>,
    pub(crate) edges: Vec<(EventNo, EventNo)>,
    pub(crate) granted: Vec<(Property, Location)>,
    pub(crate) allocates: bool,
    pub(crate) finals: HashMap<ThreadNo, crate::sync::Final>,
    pub(crate) new_threads: Vec<(ThreadNo, Value, Value)>,
    pub(crate) freed: BTreeSet<ObjectId>,
    pub(crate) block_points: Vec<BlockPoint>,
    /// Threads whose handle may be given out again.
    pub(crate) joined: BTreeSet<ThreadNo>,
    /// Locks that several threads can hold for reading.
    pub(crate) read_locks: BTreeSet<CellId>,
    pub(crate) compared: Vec<(Guard, Targets, Targets, Location)>,
    pub(crate) current: Current,
    /// The block of the instruction that is being executed, if it has one.
    pub(crate) block_now: Option<u32>,
    /// How the instruction that is being executed counts for races.
    pub(crate) manner: Manner,
    /// Reads that became events.
    pub(crate) reads: u32,
    ticks: u32,
}

/// Where a state is, for the order of execution.
type Key = Vec<u32>;

/// What is noted about an iteration of a loop.
#[derive(Clone, Copy, Default)]
struct Exits {
    constant: bool,
    symbolic: bool,
}

/// The beginning of an iteration, to find out whether it changed anything.
struct Began {
    state: State,
    /// How many events the thread had.
    events: usize,
    /// The iteration before it changed nothing, but gave up a lock for a while.
    waited: bool,
}

/// What an iteration of a loop did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Did {
    /// Something.
    Something,
    /// Nothing at all: going round again is as good as never having begun.
    Nothing,
    /// Nothing but giving up locks and taking them again: once is as good as many times.
    Waited,
}

/// An activation while it is executed.
struct Activation {
    function: FuncId,
    nest: Rc<LoopNest>,
    path: Path,
    pending: BTreeMap<Key, (BlockId, State)>,
    exits: HashMap<Key, Exits>,
    /// How many iterations counted against the bound, by the key of the iteration.
    counted: HashMap<Key, u32>,
    /// How many reads there were when an iteration began.
    reads: HashMap<Key, u32>,
    /// How the last iteration of a loop began, by the key of the iteration.
    began: HashMap<Key, Began>,
    returned: Option<(State, Option<Value>)>,
}

impl<'p> Unwinder<'p> {
    /// Unwinds the whole program once. Terms and names of earlier passes are taken along, so that facts keep their meaning.
    pub fn run(
        program: &'p Program,
        bounds: &'p Bounds,
        wanted: &'p Wanted,
        facts: &'p mut Facts,
        names: Names,
        stop: &'p dyn Fn() -> bool,
    ) -> Result<Skeleton, GaveUp> {
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
            conditional: Vec::new(),
            edges: Vec::new(),
            granted: Vec::new(),
            allocates: false,
            finals: HashMap::new(),
            new_threads: Vec::new(),
            freed: BTreeSet::new(),
            block_points: Vec::new(),
            joined: BTreeSet::new(),
            read_locks: BTreeSet::new(),
            compared: Vec::new(),
            current: Current {
                thread: ThreadNo(0),
                time: 1,
                clock: Rc::new(vec![1]),
                waiting: 0,
                stack: Vec::new(),
                slots: Vec::new(),
                ends: Vec::new(),
            },
            block_now: None,
            manner: Manner::default(),
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
        };
        let nothing = Value::number(unwinder.pool.bits(8, 0));
        let done = unwinder.thread_body(nothing, Some(program.entry), Vec::new(), flow);
        done?;
        unwinder.finish_initial();
        if unwinder.watches() {
            unwinder.add_deadlocks();
        }
        unwinder.check_locks();
        unwinder.check_reuse();
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
            conditional: unwinder.conditional,
            edges: unwinder.edges,
            granted: unwinder.granted,
            allocates: unwinder.allocates,
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
            None => self.call_pointer(&callee, args, flow, root, start)?,
        };
        if let Some((flow, value)) = result {
            let width = self.program.model.pointer_bits();
            let value = value.unwrap_or_else(|| Value::number(self.pool.bits(width, 0)));
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

    pub(crate) fn ask(&mut self, at: Location, guard: Guard, kind: &'static str, value: TermId) {
        let thread = self.current.thread;
        self.log_mut(thread).asked.push(Asked {
            at,
            guard,
            kind,
            value,
        });
    }

    fn target(&mut self, reached: TermId, at: Location, inside: Option<u32>) -> Target {
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

    fn nest(&mut self, f: FuncId) -> Rc<LoopNest> {
        let program = self.program;
        self.nests
            .entry(f)
            .or_insert_with(|| Rc::new(LoopNest::new(program.function(f))))
            .clone()
    }

    /// Calls through a pointer: every function it may be, each under the condition that it is.
    pub(crate) fn call_pointer(
        &mut self,
        callee: &Value,
        args: Vec<Value>,
        flow: Flow,
        path: Path,
        at: Location,
    ) -> Step<Option<(Flow, Option<Value>)>> {
        let candidates = match &callee.targets {
            raddle_symbolic::Targets::These(all) => all.clone(),
            raddle_symbolic::Targets::Unknown => {
                self.unsupported(
                    flow.guard,
                    at,
                    "a call through an address of unknown origin",
                );
                return Ok(None);
            }
        };
        let mut merged: Option<(Flow, Option<Value>)> = None;
        let mut any = self.pool.bool(false);
        for &object in candidates.iter() {
            let o = self.names.get(object);
            let ObjectKey::Function(f) = o.key else {
                continue;
            };
            let base = u128::from(o.base);
            let here = self.equals(callee.bits, base);
            any = self.pool.or(any, here);
            let mut taken = flow.clone();
            self.restrict(&mut taken, here);
            if self.guards.is_false(&self.pool, taken.guard) {
                continue;
            }
            let callee = self.program.function(f);
            if !callee.has_body() {
                let what = format!(
                    "a call of {}, which has no body, through a pointer",
                    callee.name
                );
                self.unsupported(taken.guard, at, what);
                continue;
            }
            self.current.waiting += 1;
            let result = self.call_function(f, args.clone(), taken, path)?;
            self.current.waiting -= 1;
            merged = match (merged, result) {
                (None, r) | (r, None) => r,
                (Some((a, x)), Some((b, y))) => {
                    let (flow, which) = match self.merger().flows(&a, &b) {
                        Ok(done) => done,
                        Err(m) => {
                            self.unsupported(b.guard, at, m.0);
                            merged = Some((a, x));
                            continue;
                        }
                    };
                    let value = match (x, y) {
                        (Some(x), Some(y)) if self.same_sort(&x, &y) => {
                            Some(x.choose(&mut self.pool, which, &y))
                        }
                        (x, y) => x.or(y),
                    };
                    Some((flow, value))
                }
            };
        }
        let mut rest = flow;
        let none = self.pool.not(any);
        self.check(&mut rest, at, Property::ValidDeref, none, true);
        Ok(merged)
    }

    fn same_sort(&self, x: &Value, y: &Value) -> bool {
        self.pool.sort(x.bits) == self.pool.sort(y.bits)
    }

    pub(crate) fn merger(&mut self) -> Merger<'_> {
        Merger {
            pool: &mut self.pool,
            guards: &mut self.guards,
            names: &mut self.names,
            program: self.program,
        }
    }

    /// Executes a call up to its return.
    pub(crate) fn call_function(
        &mut self,
        function: FuncId,
        args: Vec<Value>,
        flow: Flow,
        path: Path,
    ) -> Step<Option<(Flow, Option<Value>)>> {
        let program = self.program;
        let f = program.function(function);
        let here = Location {
            function,
            block: BlockId(0),
            index: 0,
        };
        // Nested activations of this function between which something was decided.
        let mut depth = 0;
        let mut last = flow.guard;
        for (other, guard) in self.current.stack.iter().rev() {
            if *other == function {
                depth += u32::from(*guard != last);
                last = *guard;
            }
        }
        let bound = self.bound(function, RECURSION);
        if depth > bound || self.current.stack.len() > 3000 {
            self.cut(flow, here, Reason::Recursion(bound));
            return Ok(None);
        }
        let nest = self.nest(function);
        if nest.irreducible.is_some() {
            self.unsupported(
                flow.guard,
                here,
                format!("a loop of {} that is entered in the middle (goto)", f.name),
            );
            return Ok(None);
        }
        self.current.stack.push((function, flow.guard));
        let mut locals: Vec<Option<Value>> = args.into_iter().map(Some).collect();
        locals.resize(f.locals.len(), None);
        for (i, local) in f.locals.iter().enumerate().take(f.params as usize) {
            // A call through a pointer of another type: the argument is not what the function takes.
            let sort = raddle_symbolic::sort_of(local.ty, program.model);
            if locals[i]
                .as_ref()
                .is_some_and(|v| self.pool.sort(v.bits) != sort)
            {
                locals[i] = None;
            }
        }
        let state = State {
            flow,
            locals,
            slots: vec![None; f.slots.len()],
            arrays: Vec::new(),
        };
        let mut activation = Activation {
            function,
            nest,
            path,
            pending: BTreeMap::new(),
            exits: HashMap::new(),
            counted: HashMap::new(),
            reads: HashMap::new(),
            began: HashMap::new(),
            returned: None,
        };
        let key = self.key(&activation, &[], BlockId(0), BlockId(0));
        activation.pending.insert(key, (BlockId(0), state));
        self.current.waiting += 1;
        while let Some((key, (block, state))) = activation.pending.pop_first() {
            self.current.waiting -= 1;
            self.block(&mut activation, key, block, state)?;
        }
        self.current.stack.pop();
        let Some((mut state, value)) = activation.returned else {
            return Ok(None);
        };
        self.current.waiting -= 1;
        let gone: Vec<_> = state.slots.iter().flatten().copied().collect();
        if !gone.is_empty() {
            self.current.slots.retain(|o| !gone.contains(o));
            let memory = Rc::make_mut(&mut state.flow.memory);
            for object in gone {
                memory.remove(&object);
            }
        }
        Ok(Some((state.flow, value)))
    }

    fn bound(&self, function: FuncId, header: BlockId) -> u32 {
        let special = self.bounds.special.get(&(function, header));
        special.copied().unwrap_or(self.bounds.default)
    }

    /// The key of a block that is reached from a block with another key. Entering a loop begins iteration 0; a back edge begins
    /// the next one.
    fn key(&self, a: &Activation, from: &[u32], source: BlockId, block: BlockId) -> Key {
        let nest = &a.nest;
        let position = |b: BlockId| nest.position[b.0 as usize].unwrap_or(0);
        let header = |l: LoopId| nest.loops[l.0 as usize].header;
        let mut key = Vec::new();
        for (i, &l) in nest.around[block.0 as usize].iter().enumerate() {
            let at = position(header(l));
            key.push(at);
            // The same loop at the same depth, and the same outer iterations so far: go on counting.
            let same = from.len() > 2 * i + 1
                && nest.around[source.0 as usize].get(i) == Some(&l)
                && from[..2 * i] == key[..2 * i];
            let back = same && header(l) == block && position(source) >= at && !from.is_empty();
            key.push(match (same, back) {
                (true, true) => from[2 * i + 1] + 1,
                (true, false) => from[2 * i + 1],
                (false, _) => 0,
            });
        }
        key.push(position(block));
        key
    }

    pub(crate) fn iterations(key: &[u32]) -> Vec<u32> {
        key.chunks(2)
            .filter(|c| c.len() == 2)
            .map(|c| c[1])
            .collect()
    }

    fn block(
        &mut self,
        a: &mut Activation,
        key: Key,
        block: BlockId,
        mut state: State,
    ) -> Step<()> {
        if self.events.len() > self.bounds.events {
            return Err(GaveUp::TooLarge);
        }
        let program = self.program;
        if let Some(l) = a.nest.around[block.0 as usize].last()
            && a.nest.loops[l.0 as usize].header == block
        {
            let thread = self.current.thread;
            let events = self.log_mut(thread).events.len();
            if let Some(began) = a.began.get_mut(&key[..key.len() - 1]) {
                began.state = state.clone();
                began.events = events;
            }
        }
        let code = program.function(a.function).block(block);
        let iterations = Self::iterations(&key);
        for (index, instr) in code.instrs.iter().enumerate() {
            let at = Location {
                function: a.function,
                block,
                index: index as u32,
            };
            self.ticks += 1;
            if self.ticks.is_multiple_of(16) && (self.stop)() {
                return Err(GaveUp::Stopped);
            }
            let alive = self.instruction(&mut state, instr, at, a.path, &iterations)?;
            if !alive || self.guards.is_false(&self.pool, state.flow.guard) {
                return Ok(());
            }
        }
        let at = Location {
            function: a.function,
            block,
            index: code.instrs.len() as u32,
        };
        match &code.terminator {
            Terminator::Goto(next) => self.go(a, &key, block, *next, state, at, false),
            Terminator::Branch {
                cond,
                then,
                otherwise,
            } => {
                let c = self.operand(&mut state, *cond, at).bits;
                let constant = self.is_constant(c);
                let no = self.pool.not(c);
                let decided = constant.is_some();
                self.note_exits(
                    a,
                    &key,
                    block,
                    &[*then, *otherwise],
                    constant.map(|c| !c as usize),
                );
                let mut other = state.clone();
                if constant != Some(false) {
                    self.restrict(&mut state.flow, c);
                    self.go(a, &key, block, *then, state, at, decided);
                }
                if constant != Some(true) {
                    self.restrict(&mut other.flow, no);
                    self.go(a, &key, block, *otherwise, other, at, decided);
                }
            }
            Terminator::Switch {
                value,
                cases,
                default,
                ..
            } => {
                let v = self.operand(&mut state, *value, at).bits;
                let mut targets: Vec<BlockId> = cases.iter().map(|(_, b)| *b).collect();
                targets.push(*default);
                let mut rest = self.pool.bool(true);
                let mut taken = Vec::new();
                for (case, target) in cases {
                    let here = self.equals(v, *case);
                    taken.push((here, *target));
                    let not_here = self.pool.not(here);
                    rest = self.pool.and(rest, not_here);
                }
                taken.push((rest, *default));
                let certain = taken
                    .iter()
                    .position(|(c, _)| self.is_constant(*c) == Some(true));
                self.note_exits(a, &key, block, &targets, certain);
                // Targets that several cases share are one way.
                let mut ways: Vec<(BlockId, TermId)> = Vec::new();
                for (c, target) in taken {
                    match ways.iter_mut().find(|(b, _)| *b == target) {
                        Some((_, known)) => *known = self.pool.or(*known, c),
                        None => ways.push((target, c)),
                    }
                }
                for (target, c) in ways {
                    if self.is_constant(c) == Some(false) {
                        continue;
                    }
                    let mut way = state.clone();
                    self.restrict(&mut way.flow, c);
                    self.go(a, &key, block, target, way, at, certain.is_some());
                }
            }
            Terminator::Return(v) => {
                let value = v.map(|v| self.operand(&mut state, v, at));
                // With `main` the process ends, before its variables do.
                if self.current.thread != ThreadNo(0) || self.current.stack.len() > 2 {
                    let slots = state.slots.iter().flatten();
                    let gone: Vec<ObjectId> = slots.chain(&state.arrays).copied().collect();
                    self.end_slots(&mut state.flow, &gone, at, None);
                }
                match a.returned.take() {
                    None => {
                        self.current.waiting += 1;
                        a.returned = Some((state, value));
                    }
                    Some((other, theirs)) => {
                        let flows = (other.flow.clone(), state.flow.clone());
                        match self.merger().states(other.clone(), state) {
                            Ok(merged) => {
                                let (_, which) =
                                    self.guards
                                        .merge(&mut self.pool, flows.0.guard, flows.1.guard);
                                let value = match (theirs, value) {
                                    (Some(x), Some(y)) => Some(x.choose(&mut self.pool, which, &y)),
                                    (x, y) => x.or(y),
                                };
                                a.returned = Some((merged, value));
                            }
                            Err(m) => {
                                self.unsupported(flows.1.guard, at, m.0);
                                a.returned = Some((other, theirs));
                            }
                        }
                    }
                }
            }
            Terminator::Unreachable => {
                // Behind a call that does not return. Being here is undefined: the thread stops.
            }
        }
        Ok(())
    }

    /// Notes for every loop around that a decision in it could leave it, and whether a constant decided.
    fn note_exits(
        &mut self,
        a: &mut Activation,
        key: &[u32],
        block: BlockId,
        targets: &[BlockId],
        certain: Option<usize>,
    ) {
        let around = a.nest.around[block.0 as usize].clone();
        for (i, l) in around.iter().enumerate() {
            let inside = |b: &BlockId| a.nest.around[b.0 as usize].contains(l);
            let leaves = targets.iter().any(|b| !inside(b));
            if !leaves {
                continue;
            }
            let exits = a.exits.entry(key[..2 * i + 2].to_vec()).or_default();
            match certain {
                Some(_) => exits.constant = true,
                None => exits.symbolic = true,
            }
        }
    }

    /// What an iteration did, seen from a state that is about to begin the next one.
    fn did(&mut self, a: &Activation, iteration: &[u32], header: BlockId, now: &State) -> Did {
        let Some(began) = a.began.get(iteration) else {
            return Did::Something;
        };
        let before = &began.state;
        if now.flow.inside.is_some() || before.flow.inside.is_some() {
            return Did::Something;
        }
        let program = self.program;
        let function = program.function(a.function);
        let live = self
            .liveness
            .entry(a.function)
            .or_insert_with(|| Rc::new(Liveness::new(function)))
            .clone();
        let same_locals = (0..function.locals.len())
            .all(|i| !live.is_live(header, LocalId(i as u32)) || before.locals[i] == now.locals[i]);
        let same = same_locals
            && before.slots == now.slots
            && before.flow.held == now.flow.held
            && before.flow.ended == now.flow.ended
            && (Rc::ptr_eq(&before.flow.memory, &now.flow.memory)
                || before.flow.memory == now.flow.memory);
        if !same {
            return Did::Something;
        }
        let thread = self.current.thread;
        let events: Vec<EventNo> = self.log_mut(thread).events[began.events..].to_vec();
        let mut did = Did::Nothing;
        // What is in the words of the locks that were touched.
        let mut words: BTreeMap<CellId, TermId> = BTreeMap::new();
        for e in events {
            let (guard, kind) = {
                let event = &self.events[e.0 as usize];
                (event.guard, event.kind)
            };
            if self.guards.exclude(&mut self.pool, guard, now.flow.guard) {
                continue;
            }
            match kind {
                Kind::Read(..) => {}
                Kind::Write(cell, value)
                    if self.is_clean_lock(cell) && self.guards.implies(now.flow.guard, guard) =>
                {
                    words.insert(cell, value);
                }
                _ => return Did::Something,
            }
        }
        for (cell, word) in words {
            let held = before.flow.held.contains(&cell);
            let expected = match held {
                true => u128::from(self.current.thread.0) + 1,
                false => 0,
            };
            if self.pool.bits(32, expected) != word {
                return Did::Something;
            }
            if held {
                did = Did::Waited;
            }
        }
        did
    }

    #[allow(clippy::too_many_arguments)]
    fn go(
        &mut self,
        a: &mut Activation,
        key: &[u32],
        source: BlockId,
        target: BlockId,
        state: State,
        at: Location,
        _decided: bool,
    ) {
        if self.guards.is_false(&self.pool, state.flow.guard) {
            return;
        }
        let next = self.key(a, key, source, target);
        let nest = a.nest.clone();
        let around = &nest.around[target.0 as usize];
        let mut waited = false;
        let is_header = around
            .last()
            .is_some_and(|l| a.nest.loops[l.0 as usize].header == target);
        if is_header {
            a.reads
                .insert(next[..2 * around.len()].to_vec(), self.reads);
        }
        let back = is_header
            && key.len() > 2 * around.len() - 1
            && next[2 * around.len() - 1] > 0
            && key[..2 * around.len() - 2] == next[..2 * around.len() - 2]
            && next[2 * around.len() - 1] > key[2 * around.len() - 1];
        let depth = around.len();
        if back {
            let iteration = &key[..2 * depth];
            let did = self.did(a, iteration, target, &state);
            let waited_before = a.began.get(iteration).is_some_and(|b| b.waited);
            match did {
                Did::Nothing => return,
                Did::Waited if waited_before => return,
                Did::Waited => waited = true,
                Did::Something => {}
            }
            let exits = a.exits.get(iteration).copied().unwrap_or_default();
            // Constants decide the exit, and going round costs little.
            let light = a.reads.get(iteration).copied() == Some(self.reads);
            let free = exits.constant && !exits.symbolic && light;
            let before = a.counted.get(iteration).copied().unwrap_or(0);
            let counted = before + u32::from(!free);
            let header = Location {
                function: a.function,
                block: target,
                index: 0,
            };
            let bound = self.bound(a.function, target);
            if counted > bound {
                self.cut(state.flow, header, Reason::Loop(bound));
                return;
            }
            if next[2 * around.len() - 1] > self.bounds.constant + bound {
                self.cut(state.flow, header, Reason::Long);
                return;
            }
            a.counted.insert(next[..2 * around.len()].to_vec(), counted);
        }
        if is_header {
            // Of several ways into an iteration, the last counts; the state is noted when the block is executed.
            let known = a.began.get(&next[..2 * depth]).map(|b| b.waited);
            let began = Began {
                state: state.clone(),
                events: 0,
                waited: waited && known.unwrap_or(true),
            };
            a.began.insert(next[..2 * depth].to_vec(), began);
        }
        match a.pending.remove(&next) {
            None => {
                self.current.waiting += 1;
                a.pending.insert(next, (target, state));
            }
            Some((_, other)) => {
                let guard = state.flow.guard;
                let merged = match self.merger().states(other.clone(), state) {
                    Ok(merged) => merged,
                    Err(m) => {
                        self.unsupported(guard, at, m.0);
                        other
                    }
                };
                a.pending.insert(next, (target, merged));
            }
        }
    }

    /// The value of an operand.
    pub(crate) fn operand(&mut self, state: &mut State, operand: Operand, at: Location) -> Value {
        let model = self.program.model;
        let (key, size, align, zeroed, offset) = match operand {
            Operand::Local(l) => {
                if let Some(v) = &state.locals[l.0 as usize] {
                    return v.clone();
                }
                let ty = self.program.function(at.function).local(l).ty;
                let any = self.arbitrary(ty, state.flow.guard, at, "uninitialised");
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

    /// An arbitrary value that the interpreter asks for.
    pub(crate) fn arbitrary(
        &mut self,
        ty: Ty,
        guard: Guard,
        at: Location,
        kind: &'static str,
    ) -> Value {
        let sort = raddle_symbolic::sort_of(ty, self.program.model);
        let any = self.fresh(kind, sort);
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
        });
        self.log_mut(thread).events.push(id);
        id
    }
}
