//! The machine: a program in the middle of a run.
//!
//! A run is a sequence of *steps*. A step of a thread executes its pending **visible** operation (one that
//! another thread could notice: an access to a shared object, synchronisation, an atomic region) and then
//! everything invisible up to, not including, the next visible operation. So a scheduler that looks at
//! [`Machine::pending`] sees every visible operation before it happens.
//!
//! While only one thread is alive nothing is visible, and an object that only its creator knows is
//! invisible: such operations commute with everything other threads do.
//!
//! The state is copy-on-write: [`Machine::snapshot`] costs a few reference counts.

use crate::choice::Choices;
use crate::config::Config;
use crate::count::Counts;
use crate::enabled::{Crowd, FEW};
use crate::fast::Code;
use crate::memory::{Memory, ObjectKind, Written};
use crate::race::{Clock, Past};
use crate::thread::{Frame, StopReason, Thread, ThreadStatus};
use crate::thread_counts::ThreadCounts;
use crate::threads::Threads;
use crate::value::{ObjectId, Value, mask};
use crate::violation::Violation;
use raddle_ir::{
    BlockId, FuncId, GlobalId, LocalId, Location, Op, Operand, Program, Property, SyncOp,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A thread of a run, numbered in the order of creation; 0 is the one that runs `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ThreadId(pub u32);

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// `main` returned or `exit` was called, with this status; or all threads ended (status 0).
    Exit(i32),
    /// `abort` was called.
    Abort,
    /// A property was violated.
    Violation(Box<Violation>),
    /// A limit of the run was reached.
    Limit(String),
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The thread took it.
    Done,
    /// The thread cannot go on now (a blocked operation, or an atomic region whose assume is false);
    /// nothing changed, but a deadlock may have come to light ([`Machine::end`]).
    Refused,
}

/// Everything that changes during a run.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub threads: Threads,
    pub memory: Memory,
    pub end: Option<End>,
    /// How many threads can take steps.
    pub live: u32,
    /// How many threads there are of other kinds.
    pub thread_counts: ThreadCounts,
    /// Counts steps; a version number of the state.
    pub steps: u64,
    /// Released at the end of atomic blocks.
    pub block_clock: Rc<Clock>,
    /// The last signal on each condition variable, and whom it woke.
    pub signals: Rc<BTreeMap<(ObjectId, u64), Signal>>,
    /// Races found inside an atomic region, with the other access: one counts only if the region can be completed, and has not
    /// waited for whatever came after that access.
    pub deferred: Vec<(Past, Box<Violation>)>,
    /// An address was used whose object is not known for sure.
    pub lost_provenance: bool,
    /// An address was made a number, or two were compared by size.
    pub seen_address: bool,
    /// A thread was looked up that had been joined or detached before.
    pub used_old_handle: bool,
    /// A thread stopped at an invalid access, a division by zero, or other undefined behaviour that is not checked.
    pub undefined: Rc<Vec<(ThreadId, Location, StopReason)>>,
    /// Executions so far, if they are counted.
    pub counts: Option<Counts>,
}

/// Who did something, where, in which step.
pub(crate) type Incident = (ThreadId, Location, u64);

/// A signal and whom it woke.
pub(crate) type Signal = (Incident, Option<ThreadId>);

/// A state to come back to.
#[derive(Clone, Debug)]
pub struct Snapshot(State);

/// An access to a shared object, as the visible part of a step made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The object.
    pub object: ObjectId,
    /// From which byte.
    pub offset: u64,
    /// How many bytes.
    pub length: u64,
    /// It wrote.
    pub write: bool,
    /// It was atomic, or an operation on a synchronisation object.
    pub atomic: bool,
    /// It was in an atomic block of the user's.
    pub in_block: bool,
    /// Where, in the user's code.
    pub at: Location,
}

/// Serial numbers of static objects are below this.
const SERIALS: u32 = 1 << 24;

/// How many jumps beyond its quantum an atomic region may take.
const REGION: u64 = 2_000_000;

/// A program in the middle of a run.
pub struct Machine<'p> {
    /// The program.
    pub program: &'p Program,
    /// How it is run.
    pub config: Config,
    pub(crate) state: State,
    pub(crate) pointer_bytes: u64,
    /// The program has atomic accesses weaker than sequentially consistent ones.
    pub(crate) weak_orders: bool,
    /// Threads started in the current step, to be run up to their first visible operation.
    pub(crate) started: Vec<ThreadId>,
    /// Accesses of the visible part of the current step, if somebody wants to know.
    pub(crate) log: Option<Vec<Logged>>,
    /// The visible part of the step is not over.
    pub(crate) logging: bool,
    /// What happened, if somebody wants to know everything.
    pub(crate) observed: Option<Vec<crate::observe::Observed>>,
    /// The threads that were started in the last step.
    pub(crate) begun: Vec<ThreadId>,
    /// What the current step touched, if that is noted.
    pub(crate) touches: Vec<crate::footprint::Touch>,
    output: Vec<(i32, Vec<u8>)>,
    slot_names: Vec<Vec<Rc<str>>>,
    pub(crate) code: Rc<Vec<Code>>,
    /// A function without a body has written ([`Config::foreign`]).
    pub(crate) foreign_wrote: bool,
    /// Calls of functions without a body ([`Config::note_foreign_calls`]).
    pub(crate) foreign_calls: Vec<crate::foreign::ForeignCall>,
    /// Who can take a step, where there are many threads.
    pub(crate) crowd: RefCell<Crowd>,
    written: Written,
}

/// What the execution of an instruction leads to.
pub(crate) enum Flow {
    Next,
    Call {
        function: FuncId,
        args: Vec<Value>,
        result: Option<LocalId>,
    },
    Return(Option<Value>),
    FinishThread(Value),
    Stop(StopReason),
    Blocked,
    End(End),
    /// Back to where a thread was, with a result.
    Jump(Rc<crate::jump::Remembered>, Value),
}

impl<'p> Machine<'p> {
    /// A machine at the start of the program: the initial thread stands before its first visible operation.
    pub fn new(program: &'p Program, config: Config, choices: &mut dyn Choices) -> Machine<'p> {
        let counts = config.count_executions.then(|| Counts::new(program));
        let mut machine = Machine {
            program,
            observed: config.observe.then(Vec::new),
            config,
            state: State {
                threads: Threads::default(),
                memory: Memory::new(),
                end: None,
                live: 0,
                thread_counts: ThreadCounts::default(),
                steps: 0,
                block_clock: Rc::default(),
                signals: Rc::default(),
                deferred: Vec::new(),
                lost_provenance: false,
                seen_address: false,
                used_old_handle: false,
                undefined: Rc::default(),
                counts,
            },
            pointer_bytes: program.model.pointer_bytes(),
            weak_orders: program.weak_accesses().next().is_some(),
            started: Vec::new(),
            log: None,
            logging: false,
            foreign_wrote: false,
            foreign_calls: Vec::new(),
            begun: Vec::new(),
            touches: Vec::new(),
            output: Vec::new(),
            slot_names: program
                .functions
                .iter()
                .map(|f| f.slots.iter().map(|s| Rc::from(s.name.as_str())).collect())
                .collect(),
            code: Rc::default(),
            crowd: RefCell::default(),
            written: Written::default(),
        };
        machine.add_static_objects();
        machine.translate();
        let main = machine.new_thread(program.entry, Vec::new(), None);
        machine.start_thread(main);
        machine.after_step(main, choices);
        machine
    }

    pub(crate) fn address_mask(&self) -> u64 {
        match self.pointer_bytes {
            4 => 0xffff_ffff,
            _ => u64::MAX,
        }
    }

    /// The thread's copy of a thread-local object, made on first use.
    pub(crate) fn thread_local(&mut self, t: ThreadId, global: GlobalId) -> ObjectId {
        let thread = self.thread(t);
        if let Some((_, o)) = thread.thread_locals.iter().find(|(g, _)| *g == global) {
            return *o;
        }
        let g = self.program.global(global);
        let kind = ObjectKind::Global(global);
        let name = g.name.as_str().into();
        let object = self.state.memory.add(kind, g.size, g.align, name, t);
        let serial = self.next_serial(t, false);
        let fresh = self.state.memory.object_mut(object);
        fresh.shared = false;
        fresh.serial = serial;
        self.initialise(global, object);
        self.thread_mut(t).thread_locals.push((global, object));
        object
    }

    pub(crate) fn slot_name(&self, function: FuncId, slot: usize) -> Rc<str> {
        self.slot_names[function.0 as usize][slot].clone()
    }

    /// Whether anything was ever on the heap.
    pub fn uses_heap(&self) -> bool {
        self.state.threads.iter().any(|t| t.made_on_heap > 0)
    }

    /// A number for a new object of this thread. Those on the heap have their own, so that they do not depend on how often variables came to
    /// life.
    pub(crate) fn next_serial(&mut self, t: ThreadId, heap: bool) -> u32 {
        let thread = self.thread_mut(t);
        let count = match heap {
            true => &mut thread.made_on_heap,
            false => &mut thread.made,
        };
        *count += 1;
        SERIALS + *count * 2 + u32::from(heap)
    }

    /// A thread.
    #[inline]
    pub fn thread(&self, t: ThreadId) -> &Thread {
        self.state.threads.get(t)
    }

    #[inline]
    pub(crate) fn thread_mut(&mut self, t: ThreadId) -> &mut Thread {
        self.state.threads.get_mut(t)
    }

    /// All threads that were ever made.
    pub fn threads(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.state.threads.len() as u32).map(ThreadId)
    }

    /// The memory.
    pub fn memory(&self) -> &Memory {
        &self.state.memory
    }

    /// How the run ended, if it has.
    pub fn end(&self) -> Option<&End> {
        self.state.end.as_ref()
    }

    /// How many steps were taken.
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// Whether some access went through an address whose object had to be guessed from the number alone.
    pub fn lost_provenance(&self) -> bool {
        self.state.lost_provenance
    }

    /// Whether the program has looked at an address as a number: it might have been another one.
    pub fn seen_address(&self) -> bool {
        self.state.seen_address
    }

    /// Whether a handle was used of a thread that had been joined or detached: a new thread might have had it.
    pub fn used_old_handle(&self) -> bool {
        self.state.used_old_handle
    }

    /// Threads that stopped at undefined behaviour that is not being checked.
    pub fn undefined(&self) -> &[(ThreadId, Location, StopReason)] {
        &self.state.undefined
    }

    /// Takes what the program printed since the last call: file descriptor and bytes.
    pub fn take_output(&mut self) -> Vec<(i32, Vec<u8>)> {
        std::mem::take(&mut self.output)
    }

    pub(crate) fn print(&mut self, stream: i32, bytes: &[u8]) {
        if !self.config.output {
            return;
        }
        match self.output.last_mut() {
            Some((s, buffer)) if *s == stream => buffer.extend_from_slice(bytes),
            _ => self.output.push((stream, bytes.to_vec())),
        }
    }

    /// The present state, to come back to.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.state.clone())
    }

    /// Comes back to an earlier state. What was printed stays printed.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.state = snapshot.0.clone();
        self.crowd.get_mut().forget();
        // The snapshot may be another machine's.
        if let Some(written) = &mut self.state.memory.written {
            *written = self.written.clone();
        }
    }

    pub(crate) fn new_thread(
        &mut self,
        start: FuncId,
        args: Vec<Value>,
        created_at: Option<Location>,
    ) -> ThreadId {
        let id = ThreadId(self.state.threads.len() as u32);
        let frame = self.frame(start, args, None);
        self.state.threads.push(Thread {
            status: ThreadStatus::New,
            handle: u64::from(id.0) + 1,
            start,
            created_at,
            result: Value::new(0),
            held: Vec::new(),
            detached: false,
            join_code: 0,
            jumps: Vec::new(),
            joined: false,
            retired: Rc::default(),
            frames: vec![Rc::new(frame)],
            regions: Vec::new(),
            sleep: None,
            thread_locals: Vec::new(),
            clock: Rc::default(),
            fences: crate::orders::Fences::default(),
            refused_at: None,
            refused_wait: None,
            made: 0,
            made_on_heap: 0,
            inputs: 0,
        });
        if self.state.threads.len() > FEW && self.state.memory.written.is_none() {
            self.state.memory.written = Some(self.written.clone());
        }
        id
    }

    pub(crate) fn start_thread(&mut self, t: ThreadId) {
        let thread = self.thread_mut(t);
        thread.status = ThreadStatus::Active;
        Rc::make_mut(&mut thread.clock).tick(t);
        self.state.live += 1;
        self.state.thread_counts.started();
        self.crowd.get_mut().moved(t);
        self.started.push(t);
        self.begun.push(t);
    }

    fn frame(&self, function: FuncId, args: Vec<Value>, result: Option<LocalId>) -> Frame {
        let f = self.program.function(function);
        let mut locals = args;
        locals.resize(f.locals.len(), Value::OPEN);
        Frame {
            function,
            block: BlockId(0),
            index: 0,
            locals,
            slots: vec![ObjectId::NONE; f.slots.len()],
            blocks: Vec::new(),
            result,
        }
    }

    /// Lets a thread take its next step. The thread must be active and the run not at its end.
    pub fn step(&mut self, t: ThreadId, choices: &mut dyn Choices) -> Outcome {
        if self.state.end.is_some() || self.thread(t).status != ThreadStatus::Active {
            return Outcome::Refused;
        }
        // A step that is refused must leave no trace: neither a region, nor the choice of an uninitialised argument.
        let traces = match self.pending_op(t) {
            Some(Op::AtomicBegin { .. }) => true,
            Some(Op::Sync { args, .. }) => args.iter().any(|a| self.is_open(t, *a)),
            _ => false,
        };
        let saved = traces.then(|| self.state.clone());
        let printed = (
            self.output.len(),
            self.output.last().map_or(0, |o| o.1.len()),
        );
        let observed = self.observed.as_ref().map_or(0, Vec::len);
        self.state.steps += 1;
        self.touches.clear();
        self.begun.clear();
        self.logging = self.log.is_some();
        let outcome = self.run(t, choices, true);
        self.logging = false;
        if self.state.memory.written.is_some() {
            self.tell_crowd(t);
        }
        if outcome == Outcome::Refused {
            let mut wait = self.waits(t).map(Box::new);
            let version = self.state.steps - 1;
            match saved {
                Some(state) => self.state = state,
                None => self.state.steps -= 1,
            }
            // The region may wait for a thread that it made itself and that is now unmade.
            if let Some(wait) = &mut wait {
                let known = self.state.threads.len();
                wait.holders.retain(|o| (o.0 as usize) < known);
            }
            self.started.clear();
            if let Some(all) = &mut self.observed {
                all.truncate(observed);
            }
            self.output.truncate(printed.0);
            if let Some((_, last)) = self.output.last_mut() {
                last.truncate(printed.1);
            }
            let thread = self.thread_mut(t);
            thread.refused_at = Some(version);
            thread.refused_wait = wait;
            if self.config.checks.has(Property::NoDeadlock) {
                self.look_for_deadlock_behind(t);
            }
            return Outcome::Refused;
        }
        self.after_step(t, choices);
        Outcome::Done
    }

    fn is_open(&self, t: ThreadId, o: Operand) -> bool {
        let top = self.thread(t).frames.last();
        matches!((o, top), (Operand::Local(l), Some(f)) if f.local(l).open)
    }

    /// As [`Machine::step`], and tells which shared memory the visible part of the step accessed.
    pub fn step_logged(
        &mut self,
        t: ThreadId,
        choices: &mut dyn Choices,
    ) -> (Outcome, Vec<Logged>) {
        self.log = Some(Vec::new());
        let outcome = self.step(t, choices);
        (outcome, self.log.take().unwrap_or_default())
    }

    /// Runs new threads up to their first visible operation, then looks at the whole.
    fn after_step(&mut self, stepped: ThreadId, choices: &mut dyn Choices) {
        while let Some(t) = self.started.pop() {
            if self.state.end.is_none() {
                self.run(t, choices, false);
            }
        }
        if self.state.memory.written.is_some() {
            self.tell_crowd(stepped);
        }
        if self.state.end.is_none() {
            if self.state.thread_counts.finished as usize == self.state.threads.len() {
                self.finish_process(ThreadId(0), End::Exit(0));
            } else if self.config.checks.has(Property::NoDeadlock) {
                self.look_for_deadlock_behind(stepped);
            }
        }
    }

    /// A thread has gone on, and objects were written.
    fn tell_crowd(&mut self, t: ThreadId) {
        let crowd = self.crowd.get_mut();
        crowd.moved(t);
        crowd.written(&mut self.written.borrow_mut());
    }

    /// The instruction a thread stands before; `None` at the end of a block.
    #[inline]
    pub(crate) fn pending_op(&self, t: ThreadId) -> Option<&'p Op> {
        let at = self.thread(t).location()?;
        self.program.instr(at).map(|i| &i.op)
    }

    /// Executes from where the thread stands up to its next visible operation. With `first`, the
    /// operation it stands before is executed whatever it is.
    fn run(&mut self, t: ThreadId, choices: &mut dyn Choices, first: bool) -> Outcome {
        let program = self.program;
        let code = self.code.clone();
        let Some(mut top) = self.thread_mut(t).frames.pop() else {
            return Outcome::Refused;
        };
        let counting = self.state.counts.is_some();
        let mut first = first;
        let mut budget = self.config.quantum;
        // Everything in a region is observed before anybody can look at it.
        let mut patience = match self.observed {
            Some(_) => REGION / 1_000,
            None => REGION,
        };
        let mut outcome = Outcome::Done;
        // Returning from `main` and the end of the process are one step.
        let mut leaving = false;
        'frames: loop {
            let frame = Rc::make_mut(&mut top);
            let function = program.function(frame.function);
            let compact = &code[frame.function.0 as usize];
            let flow = 'blocks: loop {
                let single = self.config.single;
                if single && !first && !leaving && self.thread(t).regions.is_empty() {
                    let block = &function.blocks[frame.block.0 as usize];
                    let next = block.instrs.get(frame.index as usize);
                    if let Some(Err(flow)) = next.map(|i| self.notice_attempt(t, frame, &i.op)) {
                        break 'blocks flow;
                    }
                    break 'frames;
                }
                if !first && !single && !counting && self.observed.is_none() {
                    self.fast(t, compact, frame, &mut budget);
                }
                let block = &function.blocks[frame.block.0 as usize];
                if let Some(instr) = block.instrs.get(frame.index as usize) {
                    let exits = matches!(
                        instr.op,
                        Op::Sync {
                            op: SyncOp::Exit,
                            ..
                        }
                    );
                    let must_run = first || (leaving && exits);
                    if !must_run
                        && (self.has_company(t) || self.enters_region(t, &instr.op))
                        && self.is_visible(t, frame, &instr.op)
                    {
                        if let Err(flow) = self.notice_attempt(t, frame, &instr.op) {
                            break 'blocks flow;
                        }
                        break 'frames;
                    }
                    self.observe(t, frame);
                    let flow = self.execute(t, frame, instr, choices);
                    if counting && !matches!(flow, Flow::Blocked) {
                        self.count(t, frame.location());
                    }
                    match flow {
                        Flow::Next => frame.index += 1,
                        flow => break 'blocks flow,
                    }
                    // A loop that makes threads without end is work for many steps.
                    if matches!(
                        instr.op,
                        Op::Sync {
                            op: SyncOp::ThreadStart,
                            ..
                        }
                    ) {
                        budget = budget.saturating_sub(self.config.quantum / 8);
                    }
                    if first {
                        first = false;
                        self.logging = self.logging && !self.thread(t).regions.is_empty();
                    }
                    continue;
                }
                if budget == 0 {
                    if self.thread(t).regions.is_empty() {
                        break 'frames;
                    }
                    patience -= 1;
                    if patience == 0 {
                        let what = "an atomic block does not come to its end";
                        self.state.end = Some(End::Limit(what.into()));
                        break 'frames;
                    }
                }
                budget = budget.saturating_sub(1);
                let leaves = matches!(block.terminator, raddle_ir::Terminator::Return(_));
                if leaves && !first && self.has_company(t) && self.return_is_visible(t, frame) {
                    break 'frames;
                }
                first = false;
                if counting {
                    self.count(t, frame.location());
                }
                self.observe(t, frame);
                match self.terminate(t, frame, block, choices) {
                    Flow::Next => {}
                    flow => break 'blocks flow,
                }
            };
            match flow {
                Flow::Next => {}
                Flow::Call {
                    function,
                    args,
                    result,
                } => {
                    frame.index += 1;
                    first = false;
                    let frame = self.frame(function, args, result);
                    let thread = self.thread_mut(t);
                    thread.frames.push(top);
                    top = Rc::new(frame);
                    if thread.frames.len() >= self.config.max_depth {
                        self.state.end = Some(End::Limit("the stack is too deep".into()));
                        break 'frames;
                    }
                }
                Flow::Jump(to, value) => {
                    while self.thread(t).frames.len() > to.depth {
                        self.end_frame(t, &top);
                        let Some(below) = self.thread_mut(t).frames.pop() else {
                            break;
                        };
                        top = below;
                    }
                    first = false;
                    self.forget_jumps(t, to.depth + 1);
                    let frame = Rc::make_mut(&mut top);
                    if let Some(end) = self.come_back(t, frame, &to, value) {
                        self.thread_mut(t).frames.push(top);
                        self.state.end = Some(end);
                        return Outcome::Done;
                    }
                }
                Flow::Return(value) => {
                    let result = frame.result;
                    self.end_frame(t, frame);
                    let depth = self.thread(t).frames.len();
                    self.forget_jumps(t, depth);
                    match self.thread_mut(t).frames.pop() {
                        Some(caller) => {
                            leaving = t == ThreadId(0) && self.thread(t).frames.is_empty();
                            top = caller;
                            if let Some(local) = result {
                                let caller = Rc::make_mut(&mut top);
                                let function = self.program.function(caller.function);
                                let ty = function.local(local).ty;
                                let mut value = value.unwrap_or(Value::OPEN);
                                value.bits &= mask(ty.bits(self.program.model));
                                caller.locals[local.0 as usize] = value;
                            }
                        }
                        None => {
                            self.finish_thread(t, value.unwrap_or(Value::OPEN));
                            return Outcome::Done;
                        }
                    }
                }
                Flow::FinishThread(value) => {
                    self.end_frame(t, frame);
                    while let Some(f) = self.thread_mut(t).frames.pop() {
                        self.end_frame(t, &f);
                    }
                    self.finish_thread(t, value);
                    return Outcome::Done;
                }
                Flow::Stop(reason) => {
                    let in_region = !self.thread(t).regions.is_empty();
                    if in_region && reason == StopReason::Assume && self.state.live > 1 {
                        outcome = Outcome::Refused;
                    } else {
                        self.stop_thread(t, frame.location(), reason);
                    }
                    break 'frames;
                }
                Flow::Blocked => {
                    let in_region = !self.thread(t).regions.is_empty();
                    if first || (in_region && self.state.live > 1) {
                        outcome = Outcome::Refused;
                    }
                    break 'frames;
                }
                Flow::End(end) => {
                    self.thread_mut(t).frames.push(top);
                    match end {
                        End::Exit(_) | End::Abort => self.finish_process(t, end),
                        end => self.state.end = Some(end),
                    }
                    return Outcome::Done;
                }
            }
        }
        self.thread_mut(t).frames.push(top);
        outcome
    }

    /// Regions begin steps of their own even while one thread is alive, so that what a refused one did can be
    /// taken back.
    fn enters_region(&self, t: ThreadId, op: &Op) -> bool {
        matches!(op, Op::AtomicBegin { .. }) && self.thread(t).regions.is_empty()
    }

    /// More than one thread may know this object from now on, and whatever it points to.
    pub(crate) fn publish(&mut self, object: ObjectId) {
        let mut todo = vec![object];
        while let Some(id) = todo.pop() {
            if !id.is_some() || self.state.memory.object(id).shared {
                continue;
            }
            let object = self.state.memory.object_mut(id);
            object.shared = true;
            todo.extend(object.pointers.values().copied());
        }
    }
}
