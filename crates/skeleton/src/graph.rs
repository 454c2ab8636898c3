//! The control flow of one activation: which block goes next, where paths meet, how far loops and recursions are followed.
//!
//! States wait in a map keyed by where they are: for every loop around, the position of its header and the number of the
//! iteration, then the position of the block. The smallest key goes next; everything that could still join it has been
//! executed by then, so each block is executed once per iteration and call, never once per path.

use crate::event::{Again, EventNo, Kind, Reason};
use crate::names::{CellId, Path, ThreadNo};
use crate::state::State;
use crate::unwind::{GaveUp, Step, Unwinder};
use crate::ways::{Key, Way, iterations, next_key};
use raddle_analysis::LoopNest;
use raddle_ir::{BlockId, FuncId, LocalId, Location, Op, Operand, Program, Terminator};
use raddle_solver::term::TermId;
use raddle_symbolic::{ObjectId, Value};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// What is noted about an iteration of a loop.
#[derive(Clone, Copy, Default)]
pub(crate) struct Exits {
    constant: bool,
    symbolic: bool,
}

/// The beginning of an iteration, to find out whether it changed anything.
pub(crate) struct Began {
    state: State,
    /// How many events the thread had.
    events: usize,
    /// The same for entries of its log.
    entries: usize,
    /// The iteration before it changed nothing, but gave up a lock for a while.
    waited: bool,
}

/// Whether the entry function calls `main` and nothing else: no constructor before it, no exit handler behind it.
fn calls_once(program: &Program) -> bool {
    let entry = program.function(program.entry);
    let operations = entry.blocks.iter().flat_map(|b| &b.instrs);
    operations
        .filter(|i| matches!(i.op, Op::Call { .. }))
        .count()
        == 1
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
pub(crate) struct Activation {
    pub(crate) function: FuncId,
    pub(crate) nest: Rc<LoopNest>,
    pub(crate) path: Path,
    pub(crate) pending: BTreeMap<Key, (BlockId, State)>,
    pub(crate) exits: HashMap<Key, Exits>,
    /// How many iterations counted against the bound, by the key of the iteration.
    pub(crate) counted: HashMap<Key, u32>,
    /// How many reads there were when an iteration began.
    pub(crate) reads: HashMap<Key, u32>,
    /// How the last iteration of a loop began, by the key of the iteration.
    pub(crate) began: HashMap<Key, Began>,
    pub(crate) returned: Option<(State, Option<Value>)>,
}

impl Unwinder<'_> {
    pub(crate) fn nest(&mut self, f: FuncId) -> Rc<LoopNest> {
        let program = self.program;
        self.nests
            .entry(f)
            .or_insert_with(|| Rc::new(LoopNest::new(program.function(f))))
            .clone()
    }

    pub(crate) fn bound(&self, function: FuncId, header: BlockId) -> u32 {
        let special = self.bounds.special.get(&(function, header));
        special.copied().unwrap_or(self.bounds.default)
    }

    pub(crate) fn block(
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
            let log = self.log_mut(thread);
            let (events, entries) = (log.events.len(), log.entries.len());
            if let Some(began) = a.began.get_mut(&key[..key.len() - 1]) {
                began.state = state.clone();
                began.events = events;
                began.entries = entries;
            }
        }
        let code = program.function(a.function).block(block);
        let iterations = iterations(&key);
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
            Terminator::Goto(next) => self.go(a, &key, block, *next, state, at),
            Terminator::Branch {
                cond,
                then,
                otherwise,
            } => {
                let c = self.operand(&mut state, *cond, at).bits;
                self.note_decision(&state.flow, c, at);
                let c = self.keep_condition(c);
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
                    self.branch(a, &key, block, *then, state, at, decided);
                }
                if constant != Some(true) {
                    self.restrict(&mut other.flow, no);
                    self.branch(a, &key, block, *otherwise, other, at, decided);
                }
            }
            Terminator::Switch {
                value,
                cases,
                default,
                ..
            } => {
                let v = self.operand(&mut state, *value, at).bits;
                self.note_decision(&state.flow, v, at);
                let mut targets: Vec<BlockId> = cases.iter().map(|(_, b)| *b).collect();
                targets.push(*default);
                let mut rest = self.pool.bool(true);
                let mut taken = Vec::new();
                for (case, target) in cases {
                    let here = self.equals(v, *case);
                    let here = self.keep_condition(here);
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
                    self.branch(a, &key, block, target, way, at, certain.is_some());
                }
            }
            Terminator::Return(v) => {
                // The library hands results on that it does not look at.
                let value = match v {
                    Some(Operand::Local(l)) if self.program.function(a.function).library => {
                        state.locals[l.0 as usize].clone()
                    }
                    v => v.map(|v| self.operand(&mut state, v, at)),
                };
                // With `main` the process ends, before its variables do, unless the entry calls more than `main`.
                let outlived = if calls_once(self.program) { 2 } else { 1 };
                if self.current.thread != ThreadNo(0) || self.current.stack.len() > outlived {
                    let slots = state.slots.iter().flatten();
                    let mut gone: Vec<ObjectId> = slots.chain(&state.arrays).copied().collect();
                    if self.current.stack.len() == 1 {
                        gone.extend(self.own_copies());
                    }
                    self.end_slots(&mut state.flow, &gone, at, None);
                }
                match a.returned.take() {
                    None => {
                        self.current.waiting += 1;
                        a.returned = Some((state, value));
                    }
                    Some((other, theirs)) => {
                        let flows = (other.flow.clone(), state.flow.clone());
                        let function = self.program.function(a.function);
                        let types = |l: LocalId| function.local(l).ty;
                        // Behind a return nobody asks for locals.
                        let nobody = |_: LocalId| false;
                        match self.merger().states(other.clone(), state, &nobody, &types) {
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
        let live = self.liveness(a.function);
        let same_locals = (0..function.locals.len())
            .all(|i| !live.is_live(header, LocalId(i as u32)) || before.locals[i] == now.locals[i]);
        let same = same_locals
            && before.slots == now.slots
            && before.open == now.open
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

    /// Going round once more would change nothing: the thread waits here, and whoever follows a run goes back.
    fn wait_again(&mut self, a: &Activation, iteration: &[u32], state: &State) {
        if let Some(began) = a.began.get(iteration) {
            self.again.push(Again {
                thread: self.current.thread,
                guard: state.flow.guard,
                entry: began.entries as u32,
            });
        }
    }

    /// Goes on at a branch, if it is one that is followed.
    #[allow(clippy::too_many_arguments)]
    fn branch(
        &mut self,
        a: &mut Activation,
        key: &[u32],
        source: BlockId,
        target: BlockId,
        state: State,
        at: Location,
        decided: bool,
    ) {
        let closed = self.untaken(a, key, target);
        let closed = closed.filter(|_| !decided && !self.asserts(a.function, target));
        let Some(way) = closed else {
            return self.go(a, key, source, target, state, at);
        };
        if self.guards.is_false(&self.pool, state.flow.guard) {
            return;
        }
        let nest = a.nest.clone();
        let mut state = state;
        match self.phantom(&nest, a.function, source, target, &mut state, at) {
            Some(meets) => self.go(a, key, source, meets, state, at),
            None => self.cut(state.flow, at, Reason::Untaken(way)),
        }
    }

    /// Whether a block comes straight to an assertion: that is what is looked for, so it is followed whether or not a run did.
    fn asserts(&self, function: FuncId, block: BlockId) -> bool {
        let program = self.program;
        let is = |op: &Op| matches!(op, Op::Assert { property: p, .. } if self.wants(*p));
        let first = |f: FuncId| {
            let function = program.function(f);
            function.has_body() && function.block(BlockId(0)).instrs.iter().any(|i| is(&i.op))
        };
        let code = program.function(function).block(block);
        code.instrs.iter().any(|i| match &i.op {
            Op::Call {
                callee: Operand::Function(f),
                ..
            } => first(*f),
            op => is(op),
        })
    }

    /// A way that is not among those to be followed.
    fn untaken(&self, a: &Activation, key: &[u32], target: BlockId) -> Option<Way> {
        let ways = self.wanted.ways.as_ref()?;
        let way = Way {
            thread: self.current.thread,
            path: a.path,
            from: key.to_vec(),
            to: target,
        };
        (!ways.is_open(&way)).then_some(way)
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
    ) {
        if self.guards.is_false(&self.pool, state.flow.guard) {
            return;
        }
        let next = next_key(&a.nest, key, source, target);
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
                Did::Nothing => return self.wait_again(a, iteration, &state),
                Did::Waited if waited_before => return self.wait_again(a, iteration, &state),
                Did::Waited => waited = true,
                Did::Something => {}
            }
            let way = Way {
                thread: self.current.thread,
                path: a.path,
                from: key.to_vec(),
                to: target,
            };
            let ways = self.wanted.ways.as_ref();
            if ways.is_some_and(|w| !w.was_at(way.thread, a.path, &next) && !w.is_open(&way)) {
                return self.cut(state.flow, at, Reason::Untaken(way));
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
                entries: 0,
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
                let live = self.liveness(a.function);
                let needed = |l: LocalId| live.is_live(target, l);
                let function = self.program.function(a.function);
                let types = |l: LocalId| function.local(l).ty;
                let merged =
                    match self
                        .merger()
                        .states(other.clone(), state.clone(), &needed, &types)
                    {
                        Ok(mut merged) => {
                            self.keep_merged(&mut merged, [&other, &state]);
                            merged
                        }
                        Err(m) => {
                            self.unsupported(guard, at, m.0);
                            other
                        }
                    };
                a.pending.insert(next, (target, merged));
            }
        }
    }
}
