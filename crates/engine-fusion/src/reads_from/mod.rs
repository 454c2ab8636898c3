//! One execution for every way in which events can read from each other.
//!
//! Two executions are in one *reads-from class* if the same events happen in them and every event reads from the same write: the order of
//! writes that nobody looks at between them does not matter. There are at most as many of these classes as there are Mazurkiewicz classes, often
//! far fewer, and everything that a thread can notice is the same in all executions of one (Chalupa and others, POPL 2018; Abdulla and others, "Optimal stateless
//! model checking for reads-from equivalence under sequential consistency", OOPSLA 2019; what follows is a search of our own with
//! their equivalence).
//!
//! **The search** divides and conquers. A [`Node`] has a set of events *G*, closed under program order and sources, and an event *e* that
//! every execution beyond *G* has: nothing that was left to choice lies between them. The executions beyond *G* are divided by the write that *e* reads, told apart by its whole
//! past ([`event::Fact::id`]), and by the answers *e* gets; so no class is met twice. One execution shows some of these writes; others show in the
//! executions of the parts. Whatever write shows in any of them, with a past that does not contain *e*, is proposed to the node; if there is an
//! order of *G*, that past and *e* in which all read what they should ([`order`]), that order is the beginning of an execution of a new part.
//!
//! **No class is missed.** Let *C* be a class beyond *G* in which *e* reads *w*, and *N* what is in the past of *w* and not in *G*. If there is nothing in *N*,
//! *w* is in every execution of the node. Otherwise take an order of *G*, *N* and *e* as in *C*, and move *e* to just before *w*. There it reads
//! a write of *G* or of *N* without *w*, so by induction over the size of *N* the class of this execution, and of its continuations, is met. If *w* does not read the place, or *e* does not write
//! it, *w* is still the same event there, and is proposed to *e*. If both read and write, *w* may now read from *e* and be another event. But then the thread of *w* stands before that
//! operation and has not *e* in its past: the two are swapped, which is proposed, too. Nobody else is disturbed: between *w* and *e* nobody
//! in *C* accesses the place, because those who read *w* and are in *G* would have *w* in *G*.
//!
//! **Locks** are operations that read and write and may have to wait. Here the executions are divided by who takes the lock next: *e*, which could, or another thread's
//! operation *f*. Somebody takes it in every execution, for whoever stands before a free lock is not at its end. In the execution in which *e* takes it
//! instead of *f*, the thread of *f* comes to stand before *f*, whether or not it gets any further; that is when *f* is proposed. *e* is then decided anew.
//!
//! **What is read last.** The order of writes that nobody looks at is not fixed, so whatever looks at them has to be an event, also when no
//! other thread is left ([`Config::visible_to_the_last`](raddle_interp::Config::visible_to_the_last)).
//!
//! **What it does not do** is refused as [`Unfit`], and another strategy takes over: atomic regions, condition variables, semaphores and other operations that
//! touch several things; accesses to overlapping, but different bytes where there is a choice; objects that end while others may use them;
//! programs whose ends matter. Data races are pairs of events neither of which is in the past of the other's predecessor:
//! what is in these pasts can be executed alone, and then both can come next.

mod event;
mod order;
mod plan;
mod propose;
mod races;

use crate::outcome::{Counts, Doubts, Hit, Options, Watcher};
use crate::root::begin;
use crate::script::{Script, Values};
use crate::spin::{Spin, spins};
use crate::trace::{Name, Names, Trace};
use event::{Access, Fact, digest};
use plan::{Leaf, Planned};
use propose::Node;
use raddle_interp::footprint::{Cell, Ready, Touch};
use raddle_interp::{End, Machine, Outcome, Snapshot, ThreadId};
use raddle_ir::{Op, Patience, Program, Role, SyncOp};

/// Why a program cannot be explored in this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit(pub &'static str);

/// The state before an event.
struct Before {
    snapshot: Snapshot,
    threads: usize,
    spinning: usize,
}

/// A search in progress.
pub(crate) struct Explorer<'p, 'w> {
    machine: Machine<'p>,
    values: Values,
    options: Options,
    names: Names,
    trace: Trace,
    /// By event.
    facts: Vec<Fact>,
    /// By event: what it touched beside its access.
    rest: Vec<Vec<Touch>>,
    before: Vec<Before>,
    /// Threads that wait in vain for others.
    spinning: Vec<Name>,
    /// Threads that wait for a lock at the end of the execution, and which.
    waiting: Vec<(Name, Access)>,
    nodes: Vec<Node>,
    counts: Counts,
    doubts: Doubts,
    watcher: &'w mut dyn Watcher,
    stopped: bool,
}

/// After how many events the watcher is asked whether to go on.
const TICK: u64 = 32;

/// Explores a program, as [`crate::search::search`] does, or says why it cannot. Violations that were told by then are violations all the same.
pub fn search(
    program: &Program,
    options: &Options,
    watcher: &mut dyn Watcher,
) -> Result<(Counts, Doubts, bool), Unfit> {
    if options.ends_matter {
        return Err(Unfit("it matters when the process ends"));
    }
    if options.preemptions.is_some() || options.switches.is_some() {
        return Err(Unfit("bounds on interruptions"));
    }
    let values = Values::new(program, options.inputs.as_deref());
    let mut config = options.config.clone();
    config.footprints = true;
    config.visible_to_the_last = true;
    config.output = false;
    let mut counts = Counts::default();
    let mut doubts = Doubts::default();
    let mut answers = Some(Vec::new());
    while let Some(script) = answers {
        let mut script = Script::new(&values, script);
        let (machine, names) = begin(program, &config, options.root.as_deref(), &mut script);
        doubts.sampled |= script.sampled;
        let mut explorer = Explorer {
            machine,
            values: values.clone(),
            options: options.clone(),
            names,
            trace: Trace::new(script.given()),
            facts: Vec::new(),
            rest: Vec::new(),
            before: Vec::new(),
            spinning: Vec::new(),
            waiting: Vec::new(),
            nodes: Vec::new(),
            counts,
            doubts,
            watcher,
            stopped: false,
        };
        explorer.run()?;
        counts = explorer.counts;
        doubts = explorer.doubts;
        if explorer.stopped {
            return Ok((counts, doubts, false));
        }
        answers = script.next();
    }
    Ok((counts, doubts, true))
}

/// Whether an operation is among those that can be treated.
fn fits(op: Option<&Op>) -> Result<(), Unfit> {
    use SyncOp::*;
    match op {
        Some(Op::AtomicBegin { .. }) => Err(Unfit("atomic regions")),
        Some(Op::Sync { op, .. }) => match op {
            ThreadNew | ThreadStart | ThreadJoin | ThreadJoinCode | ThreadSelf | ThreadExit
            | Yield | Exit | Abort | Unmodelled => Ok(()),
            // Whether a time is up depends on nothing that is read.
            op if op.class().names_owner()
                && !matches!(op.role(), Role::Acquire(_, Patience::Limited)) =>
            {
                Ok(())
            }
            _ => Err(Unfit("other synchronisation than locks and joins")),
        },
        _ => Ok(()),
    }
}

impl Explorer<'_, '_> {
    fn run(&mut self) -> Result<(), Unfit> {
        self.trace.widen(self.names.all());
        self.go_on()?;
        self.learn(Vec::new())?;
        while let Some(node) = self.nodes.last_mut() {
            if self.stopped {
                break;
            }
            match node.leaves.pop() {
                Some(leaf) => self.follow(leaf)?,
                None => {
                    self.nodes.pop();
                }
            }
        }
        Ok(())
    }

    /// Begins an execution as planned and goes on to its end.
    fn follow(&mut self, leaf: Leaf) -> Result<(), Unfit> {
        let same = |(at, planned): (usize, &Planned)| {
            self.trace.events()[at].thread == planned.thread && planned.is(self.facts[at].id)
        };
        let both = leaf.steps.iter().enumerate().take(self.trace.len());
        let shared = both.take_while(|p| same(*p)).count();
        self.return_to(shared);
        for at in shared..leaf.steps.len() {
            let planned = &leaf.steps[at];
            let stepped = self.step(planned.thread, planned.answers.clone())?;
            if stepped && self.machine.end().is_some() && at + 1 < leaf.steps.len() {
                return self.finish();
            }
            if !stepped || !self.went_as(planned) {
                self.branch(&leaf);
                self.counts.redundant += 1;
                return Ok(());
            }
        }
        if let Some(node) = self.nodes.last_mut() {
            node.own = leaf.own;
        }
        if !self.branch(&leaf) {
            self.counts.redundant += 1;
            return Ok(());
        }
        self.go_on()?;
        self.learn(leaf.base)
    }

    /// Goes back to the state before an event.
    fn return_to(&mut self, at: usize) {
        if at >= self.trace.len() {
            return;
        }
        let before = &self.before[at];
        self.machine.restore(&before.snapshot);
        self.names.truncate(before.threads);
        self.spinning.truncate(before.spinning);
        self.before.truncate(at);
        self.facts.truncate(at);
        self.rest.truncate(at);
        while self.trace.len() > at {
            self.trace.pop();
        }
    }

    /// Executes the next event of a thread, if there is one.
    fn step(&mut self, thread: Name, answers: Vec<u32>) -> Result<bool, Unfit> {
        let number = self.names.number(thread);
        let ready = self.machine.ready(number);
        let place = self.machine.thread(number).location();
        let (Ready::Now | Ready::Ends, Some(location)) = (ready, place) else {
            return Ok(false);
        };
        let op = self.machine.program.instr(location).map(|i| &i.op);
        fits(op)?;
        let note = match spins(&self.trace, &self.machine, number, thread, false) {
            Spin::No(note) => note,
            Spin::Yes => Default::default(),
        };
        self.before.push(Before {
            snapshot: self.machine.snapshot(),
            threads: self.names.count(),
            spinning: self.spinning.len(),
        });
        let mut script = Script::new(&self.values, answers);
        let outcome = self.machine.step(number, &mut script);
        self.counts.events += 1;
        self.doubts.sampled |= script.sampled;
        if self.counts.events.is_multiple_of(TICK) {
            self.stopped |= !self.watcher.tick(&self.counts);
        }
        if outcome == Outcome::Refused {
            return Err(Unfit("a step that was refused"));
        }
        let (given, next, asked) = (script.given(), script.next(), script.was_asked());
        let made = std::mem::take(&mut script.made);
        drop(script);
        for (maker, _, new) in &made {
            self.names.add(*maker, *new);
        }
        self.trace.widen(self.names.all());
        let mut touches = self.machine.footprint().to_vec();
        self.names.rename(&mut touches);
        if ready == Ready::Ends {
            touches.clear();
        }
        let mut clock = Vec::new();
        self.trace.base(thread, &mut clock);
        let mut fact = self.relate(thread, op, &touches, &mut clock)?;
        let index = self.trace.of_thread(thread).len() as u32 + 1;
        let after: Vec<u128> = fact.after.iter().map(|a| self.id_of(Some(*a))).collect();
        fact.unanswered = self.identify(thread, index, &fact.sources);
        fact.id = digest(&(fact.unanswered, &given, after));
        fact.next = next;
        fact.asked = asked;
        self.trace.push(thread, location, &touches, &given, &clock);
        self.trace.set_note(note);
        self.facts.push(fact);
        for new in self.machine.newly_started() {
            self.trace.born(self.names.name(*new));
        }
        Ok(true)
    }

    /// Goes on to the end of the execution, whoever is first.
    fn go_on(&mut self) -> Result<(), Unfit> {
        while !self.stopped {
            if self.machine.end().is_some() {
                return self.finish();
            }
            if self.trace.len() >= self.options.depth {
                self.counts.cut += 1;
                return Ok(());
            }
            let mut next = None;
            let mut ending = None;
            self.waiting.clear();
            let mut blocked = !self.spinning.is_empty();
            for number in 0..self.names.count() as u32 {
                let name = self.names.name(ThreadId(number));
                if self.spinning.contains(&name) {
                    continue;
                }
                match self.machine.ready(ThreadId(number)) {
                    Ready::Over => {}
                    Ready::Now if next.is_some_and(|n| n <= name) => {}
                    Ready::Now => next = Some(name),
                    Ready::Ends => ending = ending.or(Some(name)),
                    Ready::Blocked => {
                        let at = self.machine.thread(ThreadId(number)).location();
                        let instr = at.and_then(|at| self.machine.program.instr(at));
                        fits(instr.map(|i| &i.op))?;
                        blocked = true;
                        // Nobody who waits when the process ends will get any further.
                        self.waits_for(ThreadId(number))?;
                    }
                    Ready::Tries => return Err(Unfit("atomic regions")),
                }
            }
            let Some(name) = next.or(ending) else {
                return self.ended(blocked);
            };
            let number = self.names.number(name);
            if let Spin::Yes = spins(&self.trace, &self.machine, number, name, false) {
                self.spinning.push(name);
                continue;
            }
            self.step(name, Vec::new())?;
        }
        Ok(())
    }

    /// Notes what a blocked thread waits for, if it is a lock.
    fn waits_for(&mut self, t: ThreadId) -> Result<(), Unfit> {
        let mut touches = self.machine.wanted(t).unwrap_or_default();
        self.names.rename(&mut touches);
        let lock = touches.iter().find(|t| t.cell == Cell::Memory);
        if let Some(touch) = lock {
            let access = Access::wanted(touch);
            self.is_no_mixture(&access)?;
            if self.options.races {
                self.is_not_overwritten(t, touch)?;
            }
            self.waiting.push((self.names.name(t), access));
        }
        Ok(())
    }

    /// The process has ended.
    fn finish(&mut self) -> Result<(), Unfit> {
        match self.machine.end() {
            Some(End::Limit(what)) => self.doubts.limit = Some(what.clone()),
            Some(End::Violation(v)) => {
                let hit = Hit {
                    property: v.property,
                    thread: self.names.name(v.thread),
                    at: v.at,
                    other: None,
                    root: self.trace.root().to_vec(),
                    names: self.names.again(),
                    steps: self.steps(0..self.trace.len()),
                    last: Vec::new(),
                };
                if self.watcher.hit(hit) {
                    // What others would have done is hidden now.
                    return Err(Unfit("more than the first violation is wanted"));
                }
                self.stopped = true;
            }
            _ => {}
        }
        self.ended(false)
    }

    /// The execution is over.
    fn ended(&mut self, blocked: bool) -> Result<(), Unfit> {
        self.counts.executions += 1;
        self.counts.blocked += u64::from(blocked);
        self.doubts.look_at(&self.machine);
        if self.options.races && !self.stopped {
            self.look_for_races()?;
        }
        self.stopped |= !self.watcher.ended(&self.trace, &self.counts);
        Ok(())
    }

    /// Threads and their answers, for a report.
    fn steps(&self, range: impl Iterator<Item = usize>) -> Vec<(Name, Vec<u32>)> {
        let step = |at: usize| {
            let thread = self.trace.events()[at].thread;
            (thread, self.trace.answers(at).to_vec())
        };
        range.map(step).collect()
    }
}
