//! A run of the interpreter, followed in a skeleton: which events it is made of.
//!
//! A skeleton claims to have all runs of the program up to its bounds. Given what a run executed and what it was told, this finds the
//! log entries and events of each step, computes what every read finds and decides every guard on the way. Where a run cannot be
//! followed the skeleton has lost behaviour, which is how a wrong `true` begins; so this is an oracle for the unwinding (it needs no
//! enumeration, and works on programs of any size), and what prefixes of runs are stated with (`prefix`).
//!
//! What it misses: runs that read memory nobody wrote (which bytes of an answer count is for the interpreter to know); searches for
//! deadlocks, where threads choose to stop; and the order of events, which the composition has to accept.

use crate::contents;
use crate::event::{EventNo, Kind, Skeleton};
use crate::guard::Guard;
use crate::names::{CellId, ObjectKey, Role, ThreadNo};
use raddle_ir::{ChoiceClass, Location, Memory, Op, Program, Property, SyncOp};
use raddle_solver::term::{Assignment, Op as TermOp, Sort, Term, TermId, Value};
use std::collections::{HashMap, VecDeque};

/// Why a run is not followed any further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It goes where the unwinding ends: a bound, or something that is not treated.
    Beyond,
    /// The skeleton has no such run: a defect.
    Nowhere(String),
}

/// Follows one run.
pub struct Follower<'a> {
    program: &'a Program,
    skeleton: &'a mut Skeleton,
    values: Assignment,
    cells: HashMap<CellId, Value>,
    /// The next log entry of every thread.
    next: HashMap<ThreadNo, usize>,
    /// The next question of every thread.
    asked: HashMap<ThreadNo, usize>,
    /// Our number of a thread of the run.
    threads: HashMap<u32, ThreadNo>,
    /// What a thread of the run was told and nobody has asked for yet.
    told: HashMap<u32, VecDeque<(ChoiceClass, u128)>>,
    /// The events of every log entry.
    events: HashMap<(ThreadNo, u32), Vec<EventNo>>,
    /// Questions that were answered, and how.
    answered: Vec<(TermId, u128)>,
}

impl<'a> Follower<'a> {
    /// At the beginning of a run.
    pub fn new(program: &'a Program, skeleton: &'a mut Skeleton) -> Follower<'a> {
        let mut values = Assignment::new();
        // A thread that goes on has got what it wanted.
        let all: Vec<TermId> = skeleton.pool.variables().collect();
        for v in all {
            let Term::Var(symbol) = *skeleton.pool.term(v) else {
                continue;
            };
            let (_, sort) = skeleton.pool.symbol(symbol);
            match (skeleton.names.role(v), sort) {
                (Some(Role::Granted), _) => values.insert(v, Value::Bool(true)),
                // Branches that the run did not take were not taken.
                (Some(Role::Untaken), Sort::Bool) => values.insert(v, Value::Bool(false)),
                (Some(Role::Untaken), _) => values.insert(v, Value::Bits(0)),
                _ => None,
            };
        }
        let mut events: HashMap<(ThreadNo, u32), Vec<EventNo>> = HashMap::new();
        for (i, e) in skeleton.events.iter().enumerate() {
            let all = events.entry((e.thread, e.entry)).or_default();
            all.push(EventNo(i as u32));
        }
        Follower {
            events,
            program,
            skeleton,
            values,
            cells: HashMap::new(),
            next: HashMap::new(),
            asked: HashMap::new(),
            threads: HashMap::from([(0, ThreadNo(0))]),
            told: HashMap::new(),
            answered: Vec::new(),
        }
    }

    /// The questions that were answered so far with what the run was told, and how.
    pub fn answered(&self) -> &[(TermId, u128)] {
        &self.answered
    }

    /// Whether the run was told more than anybody has asked for.
    pub fn is_unasked(&self) -> bool {
        self.told.values().any(|told| !told.is_empty())
    }

    /// The values found so far.
    pub fn values(&self) -> &Assignment {
        &self.values
    }

    /// Where the objects of the run lie, as far as something is computed from that; false if it is not known of all of them, or the skeleton
    /// does not allow it.
    pub fn place(&mut self, address: &dyn Fn(&ObjectKey) -> Option<u64>) -> Result<bool, String> {
        for (object, place) in self.skeleton.places.clone() {
            let key = self.skeleton.names.get(object).key;
            let Some(there) = address(&key) else {
                return Ok(false);
            };
            self.values.insert(place, Value::Bits(u128::from(there)));
        }
        let about_places = |f: &Self, t: TermId| {
            let all = f.skeleton.pool.reachable(&[t]);
            let mut variables = all
                .into_iter()
                .filter(|t| matches!(f.skeleton.pool.term(*t), Term::Var(_)));
            variables.all(|v| f.skeleton.places.iter().any(|(_, p)| *p == v))
        };
        let all = self.skeleton.constraints.clone();
        match all
            .iter()
            .all(|t| !about_places(self, *t) || self.holds(*t))
        {
            true => Ok(true),
            false => Err("objects may not lie where they do".into()),
        }
    }

    /// A thread of the run was told something.
    pub fn tell(&mut self, thread: u32, kind: ChoiceClass, value: u128) {
        let told = self.told.entry(thread).or_default();
        told.push_back((kind, value));
    }

    /// A thread made another one, with the instruction that is executed next.
    pub fn made(&mut self, maker: u32, new: u32) -> Result<(), Lost> {
        let Some(&maker) = self.threads.get(&maker) else {
            return Err(Lost::Nowhere("a thread of nobody".into()));
        };
        let entry = self.peek(maker);
        let found = self.skeleton.threads.iter().position(|log| {
            log.exists && log.made.map(|(t, e)| (t, Some(e as usize))) == Some((maker, entry))
        });
        match found {
            Some(child) => {
                self.threads.insert(new, ThreadNo(child as u32));
                Ok(())
            }
            None => self.lost("a thread that is not there"),
        }
    }

    /// Whether a violation of a property has happened in the skeleton.
    pub fn is_violated(&self, property: Property) -> bool {
        let all = self.skeleton.violations.iter();
        let mut of = all.filter(|(p, _)| *p == property);
        of.any(|(_, t)| self.holds(t.reached))
    }

    /// Whether the run has left what was unwound.
    pub fn is_beyond(&self) -> bool {
        let mut ends = self.skeleton.ends.iter();
        ends.any(|(_, t)| self.holds(t.reached))
    }

    /// A thread of the run executes an instruction; these are its events, in order.
    pub fn step(&mut self, thread: u32, at: Location) -> Result<Vec<EventNo>, Lost> {
        let Some(&t) = self.threads.get(&thread) else {
            return Err(Lost::Nowhere("a step of nobody".into()));
        };
        let function = self.program.function(at.function);
        let block = function.block(at.block);
        let op = block.instrs.get(at.index as usize).map(|i| &i.op);
        let Some(always) = self.is_logged(op) else {
            self.answer(thread, t, at);
            return Ok(Vec::new());
        };
        let Some(entry) = self.peek(t) else {
            return match always {
                true => self.lost("more steps than there are"),
                false => Ok(Vec::new()),
            };
        };
        if self.skeleton.threads[t.0 as usize].entries[entry].at != at {
            return match always {
                true => self.lost(&format!("thread {} is elsewhere", t.0)),
                false => Ok(Vec::new()),
            };
        }
        self.next.insert(t, entry + 1);
        let events = self.events.get(&(t, entry as u32)).cloned();
        let mut done = Vec::new();
        if self.looks_at_end(at) {
            self.answer(thread, t, at);
        }
        for e in events.unwrap_or_default() {
            if self.execute(e)? {
                done.push(e);
                // Whether a weak compare-and-swap fails is asked between its read and its write.
                self.answer(thread, t, at);
            }
        }
        self.answer(thread, t, at);
        Ok(done)
    }

    /// Whether an instruction has a log entry: always, perhaps, or never.
    fn is_logged(&self, op: Option<&Op>) -> Option<bool> {
        match op {
            Some(Op::Load { .. } | Op::Store { .. } | Op::Rmw { .. } | Op::Cas { .. }) => {
                Some(true)
            }
            Some(Op::Sync {
                op:
                    SyncOp::Exit
                    | SyncOp::Abort
                    | SyncOp::Unmodelled
                    | SyncOp::SetJump
                    | SyncOp::LongJump,
                ..
            }) => Some(false),
            Some(Op::Sync { .. }) => Some(true),
            Some(Op::Alloc {
                memory: Memory::Heap,
                ..
            }) => Some(true),
            // Terminators end the lives of variables.
            None => Some(false),
            Some(Op::AtomicBegin { .. } | Op::Free { .. } | Op::ObjectSize { .. }) => Some(false),
            Some(Op::StorageDead { .. } | Op::StorageLive { .. }) => Some(false),
            _ => None,
        }
    }

    /// The next entry of a thread that is executed.
    fn peek(&self, t: ThreadNo) -> Option<usize> {
        let from = self.next.get(&t).copied().unwrap_or(0);
        let log = &self.skeleton.threads[t.0 as usize];
        let executed = |i: &usize| self.occurs(log.entries[*i].guard);
        let found = (from..log.entries.len()).find(executed);
        if found.is_some() {
            return found;
        }
        // At the end of an iteration that changed nothing, go back to its beginning.
        let mut all = self.skeleton.again.iter().filter(|a| a.thread == t);
        let again = all.find(|a| (a.entry as usize) < from && self.occurs(a.guard))?;
        (again.entry as usize..from).find(executed)
    }

    /// Whether an instruction asks whether a thread has ended.
    fn looks_at_end(&self, at: Location) -> bool {
        let looks = |op: &Op| matches!(op, Op::Sync { op, .. } if *op == SyncOp::ThreadHasEnded);
        self.program.instr(at).is_some_and(|i| looks(&i.op))
    }

    /// Gives a thread's questions at a place the answers that the run was told.
    fn answer(&mut self, thread: u32, t: ThreadNo, at: Location) {
        let from = self.asked.get(&t).copied().unwrap_or(0);
        if self.told.get(&thread).is_none_or(VecDeque::is_empty) {
            return;
        }
        for i in from..self.skeleton.threads[t.0 as usize].asked.len() {
            let q = self.skeleton.threads[t.0 as usize].asked[i];
            if !self.occurs(q.guard) {
                continue;
            }
            if q.kind == ChoiceClass::Uninitialised {
                continue;
            }
            if q.at != at {
                break;
            }
            let told = self.told.entry(thread).or_default();
            let same = |(kind, _): &(ChoiceClass, u128)| {
                *kind == q.kind || q.kind == ChoiceClass::Input && *kind == ChoiceClass::External
            };
            let Some(place) = told.iter().position(same) else {
                break;
            };
            let Some((_, value)) = told.remove(place) else {
                break;
            };
            self.asked.insert(t, i + 1);
            self.bind(q.value, value);
            self.answered.push((q.value, value));
        }
    }

    /// Gives a variable, or a bit made of one, its value.
    fn bind(&mut self, term: TermId, value: u128) {
        let pool = &self.skeleton.pool;
        match pool.sort(term) {
            Sort::Bool => {
                self.values.insert(term, Value::Bool(value & 1 == 1));
            }
            Sort::BitVec(_) if matches!(pool.term(term), Term::Var(_)) => {
                self.values.insert(term, Value::Bits(value));
            }
            _ => {
                let Term::App { op, args, .. } = *pool.term(term) else {
                    return;
                };
                let width = |t: TermId| pool.width(t);
                match op {
                    TermOp::Concat => {
                        let low = width(args[1]);
                        self.bind(args[0], value >> low);
                        self.bind(args[1], value & ((1 << low) - 1));
                    }
                    // A bit made of a truth value.
                    TermOp::Ite if width(term) == 1 => {
                        self.values.insert(args[0], Value::Bool(value & 1 == 1));
                    }
                    TermOp::Ite => match self.holds(args[0]) {
                        true => self.bind(args[1], value),
                        false => self.bind(args[2], value),
                    },
                    _ => {}
                }
            }
        }
    }

    fn value(&self, term: TermId) -> Option<Value> {
        self.skeleton.pool.eval(term, &self.values).ok()
    }

    fn holds(&self, term: TermId) -> bool {
        self.value(term) == Some(Value::Bool(true))
    }

    fn occurs(&self, guard: Guard) -> bool {
        self.holds(self.skeleton.guards.term(guard))
    }

    /// Nothing of what the skeleton leaves out has happened, so being lost is a defect.
    fn lost<T>(&self, why: &str) -> Result<T, Lost> {
        match self.is_beyond() {
            true => Err(Lost::Beyond),
            false => Err(Lost::Nowhere(why.to_string())),
        }
    }

    fn execute(&mut self, e: EventNo) -> Result<bool, Lost> {
        let event = self.skeleton.events[e.0 as usize].clone();
        if event.last || !self.occurs(event.guard) {
            return Ok(false);
        }
        match event.kind {
            Kind::Read(cell, found) => {
                let now = self.contents(cell);
                if matches!(self.skeleton.pool.term(found), Term::Var(_)) {
                    self.values.insert(found, now);
                } else if self.value(found) != Some(now) {
                    return self.lost("a lock that is not free");
                }
            }
            Kind::Write(cell, value) => {
                let Some(value) = self.value(value) else {
                    return self.lost("a value that cannot be computed");
                };
                self.cells.insert(cell, value);
            }
            Kind::Start(_) | Kind::Join(_) | Kind::Mark => {}
        }
        Ok(true)
    }

    fn contents(&mut self, cell: CellId) -> Value {
        if let Some(value) = self.cells.get(&cell) {
            return value.clone();
        }
        let extent = self.skeleton.names.extent(cell);
        let skeleton = &mut *self.skeleton;
        let initial = contents::initial(
            &mut skeleton.pool,
            self.program,
            &mut skeleton.names,
            extent.object,
            extent.offset,
            extent.length,
        );
        self.value(initial.bits).unwrap_or(Value::Bits(0))
    }
}
