//! A run that continues a given state, instruction by instruction: it is led along a candidate, and made shorter.
//!
//! Nothing before the state is touched. Behind it, for each step of the candidate the thread it names goes on, one instruction at a
//! time, until it has executed that instruction for that time; silent instructions are taken as late as possible. What a thread must have done silently for
//! another one to go on (started it, ended before it is joined) it does then.

use raddle_interp::follow::{follow, sleepers_wake};
use raddle_interp::thread::ThreadStatus;
use raddle_interp::value::ObjectId;
use raddle_interp::{
    Checks, Choice, ChoiceKind, Choices, Config, Machine, Outcome, PendingKind, Snapshot, ThreadId,
};
use raddle_ir::{ChoiceClass, Location, Op, Program, Property, SyncOp};
use raddle_verdict::{Beginning, Candidate};
use std::collections::{HashMap, VecDeque};
use std::time::Instant;

/// Instructions of one thread that one step of a candidate may take.
const PATIENCE: u32 = 200_000;

/// An instruction that was executed behind the state (or a region that was tried).
#[derive(Clone, Debug)]
pub struct Step {
    /// Who.
    pub thread: ThreadId,
    /// Where.
    pub at: Location,
    /// What it asked, and the answers.
    pub answers: Vec<(Choice, u128)>,
}

/// Who asks, where, and for what.
type Key = (u32, Location, ChoiceClass);

/// The state that runs continue.
pub struct Start<'p> {
    program: &'p Program,
    snapshot: Snapshot,
    config: Config,
    /// Sleepers may have woken by themselves before it.
    wakes: bool,
    /// What was asked before it, in order.
    asked: Vec<Key>,
    /// Threads that were made before it: by whom, and where.
    made: Vec<(ThreadId, Location, ThreadId)>,
}

impl<'p> Start<'p> {
    /// The state behind a beginning.
    pub fn behind(program: &'p Program, after: &Beginning) -> Result<Start<'p>, String> {
        let config = Config {
            checks: Checks::none(),
            spurious_wakeups: true,
            output: false,
            single: true,
            count_executions: true,
            ..Config::default()
        };
        let (mut asked, mut made) = (Vec::new(), Vec::new());
        let machine = follow(
            program,
            &config,
            &after.before,
            &after.steps,
            &mut |taken| {
                let key = |(c, _): &(Choice, u128)| (c.thread.0, c.at, c.kind.class());
                asked.extend(taken.asked.iter().map(key));
                made.extend_from_slice(taken.made);
            },
        )?;
        let wakes = sleepers_wake(program, &config, &after.before, &after.steps);
        Ok(Start {
            program,
            wakes,
            snapshot: machine.snapshot(),
            config,
            asked,
            made,
        })
    }

    /// A machine in that state, which checks these properties.
    pub fn machine(&self, checks: Checks, spurious_wakeups: bool) -> Machine<'p> {
        let config = Config {
            checks,
            spurious_wakeups,
            ..self.config.clone()
        };
        let mut machine = Machine::new(self.program, config, &mut raddle_interp::choice::Zero);
        machine.restore(&self.snapshot);
        if checks.has(Property::NoDeadlock) && machine.end().is_none() {
            machine.look_for_deadlock();
        }
        machine
    }

    /// The same, which also tells every instruction.
    pub fn observed(&self) -> Machine<'p> {
        let config = Config {
            observe: true,
            ..self.config.clone()
        };
        let mut machine = Machine::new(self.program, config, &mut raddle_interp::choice::Zero);
        machine.restore(&self.snapshot);
        machine.take_observed();
        machine
    }

    /// The steps as a debugger's session takes them, where sleepers may wake by themselves if they could so far.
    pub fn told(&self, steps: &[Step]) -> Option<Vec<(u32, Vec<u128>)>> {
        for wakes in [self.wakes, !self.wakes] {
            let mut machine = self.machine(Checks::none(), wakes);
            let mut told = Vec::new();
            let taken = repeat_telling(&mut machine, steps, &mut told);
            if taken == Some(steps.len()) {
                return Some(told);
            }
        }
        None
    }

    /// A run that continues it, with the answers of a candidate.
    pub fn course(&self, candidate: &Candidate, checks: Checks) -> Course<'p> {
        let mut queues: HashMap<Key, VecDeque<u128>> = HashMap::new();
        let mut exact = HashMap::new();
        for c in &candidate.choices {
            let key = (c.thread, c.at, c.kind);
            match c.occurrence {
                Some(n) => {
                    exact.insert((key, n), c.value);
                }
                None => queues.entry(key).or_default().push_back(c.value),
            }
        }
        let starts = candidate.steps.iter().filter_map(|s| {
            let new = s.starts?;
            Some(((s.thread, s.at, s.occurrence), new))
        });
        let mut pilot = Pilot {
            queues,
            exact,
            starts: starts.collect(),
            numbers: vec![Some(0)],
            made: Vec::new(),
            asked: Vec::new(),
        };
        for (maker, at, new) in &self.made {
            pilot.made(*maker, *at, *new);
        }
        for key in &self.asked {
            if let Some(queue) = pilot.queues.get_mut(key) {
                queue.pop_front();
            }
        }
        Course {
            machine: self.machine(checks, candidate.spurious_wakeups),
            steps: Vec::new(),
            pilot,
        }
    }
}

/// A run on its way.
pub struct Course<'p> {
    /// Where it is.
    pub machine: Machine<'p>,
    /// What was executed.
    pub steps: Vec<Step>,
    pilot: Pilot,
}

impl Course<'_> {
    /// Lets a thread execute its next instruction; whether it could.
    pub fn step(&mut self, t: ThreadId) -> bool {
        if self.machine.end().is_some() || self.machine.thread(t).status != ThreadStatus::Active {
            return false;
        }
        let Some(at) = self.machine.thread(t).location() else {
            return false;
        };
        self.pilot.asked.clear();
        let outcome = self.machine.step(t, &mut self.pilot);
        let answers = std::mem::take(&mut self.pilot.asked);
        let tried = outcome == Outcome::Refused && self.machine.end().is_some();
        if outcome == Outcome::Refused {
            for (choice, value) in answers.iter().rev() {
                self.pilot.put_back(choice, *value);
            }
        }
        if outcome == Outcome::Done || tried {
            self.steps.push(Step {
                thread: t,
                at,
                answers,
            });
        }
        outcome == Outcome::Done
    }

    /// Whether a thread's next instruction is this one.
    pub fn is_before(&self, t: ThreadId, at: Location) -> bool {
        let thread = self.machine.thread(t);
        thread.status == ThreadStatus::Active && thread.location() == Some(at)
    }

    /// The machine's number of a thread of the candidate.
    pub fn thread(&self, number: u32) -> Option<ThreadId> {
        let found = self.pilot.numbers.iter().position(|n| *n == Some(number))?;
        Some(ThreadId(found as u32))
    }

    /// Takes the steps of a candidate, all but the last few; whether the run has ended on the way.
    pub fn take(&mut self, candidate: &Candidate, leave: usize) -> Result<bool, String> {
        let most = candidate.steps.len().saturating_sub(leave);
        for (n, step) in candidate.steps[..most].iter().enumerate() {
            let goal = |c: &Course<'_>, t| c.machine.executions(t, step.at) >= step.occurrence;
            let mut left = PATIENCE;
            while self.machine.end().is_none() {
                let wanted = self.thread(step.thread);
                if wanted.is_some_and(|t| goal(self, t)) {
                    break;
                }
                left = left.checked_sub(1).ok_or("the run takes too long")?;
                if !wanted.is_some_and(|t| self.advance(t)) {
                    let at = step.at;
                    return Err(format!("step {} (at {at:?}) cannot be taken", n + 1));
                }
            }
            if self.machine.end().is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lets a thread go on, or who has silently to start it or to end before that.
    pub fn advance(&mut self, t: ThreadId) -> bool {
        if self.step(t) {
            return true;
        }
        let mut at = t;
        for _ in 0..self.pilot.made.len() + 1 {
            if self.machine.thread(at).status == ThreadStatus::New {
                let maker = self.pilot.made.iter().find(|(_, _, new)| *new == at);
                match maker {
                    Some((maker, ..)) => at = *maker,
                    None => return false,
                }
            } else {
                match self.machine.waits(at) {
                    Some(wait) if wait.op == SyncOp::ThreadJoin => match wait.holders.first() {
                        Some(holder) => at = *holder,
                        None => return false,
                    },
                    _ => return false,
                }
            }
            if self.step(at) {
                return true;
            }
        }
        false
    }

    /// Lets a thread go on until the run is over.
    pub fn run_on(&mut self, t: ThreadId) {
        for _ in 0..PATIENCE {
            if self.machine.end().is_some() || !self.advance(t) {
                return;
            }
        }
    }

    /// Lets a thread go on to its next operation that others can see.
    pub fn pass_silent(&mut self, t: ThreadId) {
        let private = |m: &Machine<'_>| {
            m.pending(t).is_some_and(|p| match p.kind {
                PendingKind::Working => true,
                PendingKind::Read { .. } | PendingKind::Write { .. } | PendingKind::ReadWrite => {
                    p.object == ObjectId::NONE
                }
                _ => false,
            })
        };
        for _ in 0..PATIENCE {
            if !private(&self.machine) || self.would_end(t) || !self.step(t) {
                return;
            }
        }
    }

    /// Lets all threads go on until each is blocked, has ended, or would end the process; regions are tried.
    pub fn run_until_stuck(&mut self, first: ThreadId) {
        let all: Vec<ThreadId> = self.machine.threads().collect();
        let others = all.into_iter().filter(|t| *t != first);
        let order: Vec<ThreadId> = std::iter::once(first).chain(others).collect();
        for _ in 0..2 {
            for t in &order {
                for _ in 0..PATIENCE / 10 {
                    if self.machine.end().is_some() {
                        return;
                    }
                    if self.would_end(*t) || !self.step(*t) {
                        break;
                    }
                }
            }
        }
        // What each would wait for inside a region is known once all have tried in the same state.
        for t in &order {
            if self.machine.end().is_none() && !self.would_end(*t) {
                self.step(*t);
            }
        }
    }

    fn would_end(&self, t: ThreadId) -> bool {
        use raddle_interp::footprint::Ready;
        self.machine.ready(t) == Ready::Ends
    }
}

/// Answers questions as a candidate says, and knows its threads.
struct Pilot {
    queues: HashMap<Key, VecDeque<u128>>,
    exact: HashMap<(Key, u32), u128>,
    starts: HashMap<(u32, Location, u32), u32>,
    /// By the machine's number: the candidate's, if it has one.
    numbers: Vec<Option<u32>>,
    made: Vec<(ThreadId, Location, ThreadId)>,
    /// What the present step asked.
    asked: Vec<(Choice, u128)>,
}

impl Pilot {
    fn key(&self, choice: &Choice) -> Option<Key> {
        let number = self
            .numbers
            .get(choice.thread.0 as usize)
            .copied()
            .flatten();
        number.map(|n| (n, choice.at, choice.kind.class()))
    }

    fn put_back(&mut self, choice: &Choice, value: u128) {
        let Some(key) = self.key(choice) else { return };
        if !self.exact.contains_key(&(key, choice.occurrence)) {
            self.queues.entry(key).or_default().push_front(value);
        }
    }
}

impl Choices for Pilot {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let key = self.key(choice);
        let value = key.and_then(|key| match self.exact.get(&(key, choice.occurrence)) {
            Some(value) => Some(*value),
            None => self.queues.get_mut(&key).and_then(VecDeque::pop_front),
        });
        // A wait that is not recorded in runs without wake-ups for no reason has run out of time.
        let timeout = u128::from(choice.kind == ChoiceKind::TimedWait);
        let value = value.unwrap_or(timeout);
        self.asked.push((*choice, value));
        value
    }

    fn made(&mut self, maker: ThreadId, at: Location, new: ThreadId) {
        self.made.retain(|(_, _, t)| *t < new);
        self.numbers.truncate(new.0 as usize);
        self.numbers.resize(new.0 as usize, None);
        self.made.push((maker, at, new));
        let same = |(m, a, _): &&(ThreadId, Location, ThreadId)| *m == maker && *a == at;
        let occurrence = self.made.iter().filter(same).count() as u32;
        let maker = self.numbers.get(maker.0 as usize).copied().flatten();
        let key = maker.map(|m| (m, at, occurrence));
        self.numbers
            .push(key.and_then(|k| self.starts.get(&k).copied()));
    }
}

/// Takes steps literally, until the run is over; how many were taken, unless one could not be taken as it was.
pub fn repeat(machine: &mut Machine<'_>, steps: &[Step]) -> Option<usize> {
    repeat_telling(machine, steps, &mut Vec::new())
}

/// The same, and writes down what was answered.
fn repeat_telling(
    machine: &mut Machine<'_>,
    steps: &[Step],
    told: &mut Vec<(u32, Vec<u128>)>,
) -> Option<usize> {
    for (n, step) in steps.iter().enumerate() {
        if machine.end().is_some() {
            return Some(n);
        }
        let known = machine.threads().any(|t| t == step.thread);
        if !known || machine.thread(step.thread).location() != Some(step.at) {
            return None;
        }
        let mut literal = Literal {
            answers: step.answers.iter(),
            given: Vec::new(),
            differs: false,
        };
        let outcome = machine.step(step.thread, &mut literal);
        let region = matches!(
            machine.program.instr(step.at).map(|i| &i.op),
            Some(Op::AtomicBegin { .. })
        );
        if literal.differs || (outcome == Outcome::Refused && !region) {
            return None;
        }
        told.push((step.thread.0, literal.given));
    }
    Some(steps.len())
}

/// Answers as they were given. How a wait with a time limit ends is asked only where sleepers may wake by themselves; elsewhere it runs out.
struct Literal<'a> {
    answers: std::slice::Iter<'a, (Choice, u128)>,
    given: Vec<u128>,
    differs: bool,
}

impl Choices for Literal<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let timed = ChoiceKind::TimedWait;
        let mut rest = self.answers.clone();
        let value = loop {
            match rest.next() {
                Some((c, value)) if c.kind == choice.kind => {
                    self.answers = rest;
                    break *value;
                }
                Some((c, _)) if c.kind == timed => {}
                _ if choice.kind == timed => break 1,
                _ => {
                    self.differs = true;
                    break 0;
                }
            }
        };
        self.given.push(value);
        value
    }
}

/// How often another thread goes on than the last one.
pub fn switches(steps: &[Step]) -> usize {
    let pairs = steps.windows(2);
    pairs.filter(|p| p[0].thread != p[1].thread).count()
}

/// The same steps with fewer changes of threads, and without steps that are not needed, as far as `good` says that what matters is still there and
/// there is time.
pub fn shorten(
    steps: Vec<Step>,
    until: Instant,
    good: &mut dyn FnMut(&[Step]) -> Option<usize>,
) -> Vec<Step> {
    let mut best = steps;
    let mut try_it = |steps: Vec<Step>, best: &mut Vec<Step>| -> bool {
        let cost = |s: &[Step]| (switches(s), s.len());
        if Instant::now() > until || cost(&steps) >= cost(best) {
            return false;
        }
        let Some(needed) = good(&steps) else {
            return false;
        };
        *best = steps;
        best.truncate(needed);
        true
    };
    loop {
        let mut better = false;
        let mut at = 0;
        while at < best.len() {
            let block = block_at(&best, at);
            let thread = best[at].thread;
            // Without whatever this thread does from here on.
            let mut fewer = best.clone();
            let mut n = 0;
            fewer.retain(|s| {
                n += 1;
                n <= at || s.thread != thread
            });
            if try_it(fewer, &mut best) {
                better = true;
                continue;
            }
            // With its next block brought here, or this block put off until then.
            let next = (block..best.len()).find(|n| best[*n].thread == thread);
            if let Some(next) = next {
                let end = block_at(&best, next);
                let mut earlier = best.clone();
                earlier[block..end].rotate_left(next - block);
                let mut later = best.clone();
                later[at..next].rotate_left(block - at);
                if try_it(earlier, &mut best) || try_it(later, &mut best) {
                    better = true;
                    continue;
                }
            }
            at = block;
        }
        if !better || Instant::now() > until {
            return best;
        }
    }
}

/// Behind the last step that the thread of a step takes without another in between.
fn block_at(steps: &[Step], at: usize) -> usize {
    let thread = steps[at].thread;
    let rest = steps[at..].iter().position(|s| s.thread != thread);
    rest.map_or(steps.len(), |n| at + n)
}
