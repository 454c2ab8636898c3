//! One depth-first search over executions; what is explored is decided by a [`Strategy`].
//!
//! A node is a state with a snapshot, the events that are asleep there, and a wakeup tree of what is still to be explored
//! ([`crate::tree`]). Going forward executes an event, finds its place in the happens-before order, looks for races that
//! can be reversed ([`crate::races`]), and inserts their reversals where the first event of the race was taken.
//!
//! Events that end the process come last: they change nothing that another thread could still look at, so what others do before the
//! end covers what they would not have got to do. This is not so where leaks are looked for, or where more than the
//! first violation is wanted; there such an event conflicts with everything ([`Options::ends_matter`]).
//!
//! Every choice of a step ([`crate::script`]) is a branch of the tree.

pub use crate::outcome::{Counts, Doubts, Hit, Options, Watcher};
use crate::root::begin;
use crate::script::{Script, Values};
use crate::spin::{Spin, spins};
use crate::strategy::Strategy;
use crate::trace::{Name, Names, Note, Trace};
use crate::tree::{Answers, Branch, Item, Sleeper, conflict, is_asleep};
use crate::walk::Walker;
use raddle_interp::footprint::{Cell, Mode, Ready, Touch};
use raddle_interp::{Machine, Outcome, Snapshot};
use raddle_ir::Program;
use std::rc::Rc;

/// A state on the way, and what is left to do there.
pub(crate) struct Node {
    snapshot: Option<Snapshot>,
    /// How many threads there are.
    pub(crate) threads: usize,
    pub(crate) sleep: Vec<Sleeper>,
    pub(crate) tree: Vec<Branch>,
    /// Threads that can go on here; only where the strategy asks for it.
    pub(crate) enabled: Vec<Name>,
    /// Threads that were explored from here; only where the strategy asks for it.
    pub(crate) explored: Vec<Name>,
    /// Something was executed from here.
    pub(crate) begun: bool,
    /// The process has ended here.
    pub(crate) over: bool,
    /// Whether the event that is being explored leaves no other answers untried.
    last_answer: bool,
    interruptions: Interruptions,
    /// Threads that wait in vain for others, see [`crate::spin`].
    pub(crate) spinning: Vec<Name>,
}

/// How often the execution so far went from one thread to another.
#[derive(Clone, Copy, Default)]
struct Interruptions {
    /// Although the first could go on.
    preemptions: u32,
    /// In all.
    switches: u32,
}

/// A search in progress.
pub struct Search<'p, 'w> {
    pub(crate) machine: Machine<'p>,
    pub(crate) values: Values,
    pub(crate) options: Options,
    pub(crate) names: Names,
    pub(crate) trace: Trace,
    pub(crate) nodes: Vec<Node>,
    /// What was seen.
    pub counts: Counts,
    /// What stays doubtful.
    pub doubts: Doubts,
    pub(crate) watcher: &'w mut dyn Watcher,
    /// Which node's state the machine is in; `None` if in none's.
    pub(crate) place: Option<usize>,
    pub(crate) stopped: bool,
    /// A walk ended because there were too many threads.
    pub(crate) crowded: bool,
    /// Not a search, but a walk.
    pub(crate) walker: Option<Walker>,
    pub(crate) scratch: Vec<u32>,
    pub(crate) pointers: Vec<usize>,
}

/// After how many events the watcher is asked whether to go on; with many threads, an event can take long.
const TICK: u64 = 32;
/// A walk with more threads than this ends: each step costs more than the one before. Then there are other walks ([`crate::crowd`]).
pub(crate) const MANY_THREADS: usize = 64;

/// Explores a program. The watcher hears what is found.
pub fn search(
    program: &Program,
    options: &Options,
    watcher: &mut dyn Watcher,
) -> (Counts, Doubts, bool) {
    let mut options = options.clone();
    if options.strategy == Strategy::ReadsFrom {
        if let Ok(seen) = crate::reads_from::search(program, &options, watcher) {
            return seen;
        }
        options.strategy = Strategy::Optimal;
    }
    let values = Values::new(program, options.inputs.as_deref());
    let mut config = options.config.clone();
    config.footprints = true;
    config.output = false;
    let mut counts = Counts::default();
    let mut doubts = Doubts::default();
    let mut answers = Some(Vec::new());
    options.strategy = options.strategy.fit_for(program);
    while let Some(script) = answers {
        let mut script = Script::new(&values, script);
        let (machine, names) = begin(program, &config, options.root.as_deref(), &mut script);
        doubts.sampled |= script.sampled;
        let mut search = Search {
            machine,
            values: values.clone(),
            options: options.clone(),
            names,
            trace: Trace::new(script.given()),
            nodes: Vec::new(),
            counts,
            doubts,
            watcher,
            place: None,
            stopped: false,
            crowded: false,
            walker: None,
            scratch: Vec::new(),
            pointers: Vec::new(),
        };
        search.run();
        counts = search.counts;
        doubts = search.doubts;
        if search.stopped {
            return (counts, doubts, false);
        }
        answers = script.next();
    }
    (counts, doubts, true)
}

impl Search<'_, '_> {
    pub(crate) fn run(&mut self) {
        self.trace.widen(self.names.all());
        self.arrive(Vec::new(), Vec::new(), Interruptions::default());
        while !self.stopped && !self.nodes.is_empty() {
            match self.next_branch() {
                Some(branch) => self.explore(branch),
                None => self.leave(),
            }
        }
    }

    /// A new node for the state the machine is in.
    fn arrive(&mut self, sleep: Vec<Sleeper>, tree: Vec<Branch>, interruptions: Interruptions) {
        let spinning = self.nodes.last().map_or(Vec::new(), |n| n.spinning.clone());
        self.place = Some(self.nodes.len());
        self.nodes.push(Node {
            snapshot: None,
            threads: self.names.count(),
            sleep,
            tree,
            enabled: Vec::new(),
            explored: Vec::new(),
            begun: false,
            over: false,
            last_answer: true,
            interruptions,
            spinning,
        });
        if self.machine.end().is_some() {
            self.finish();
        }
    }

    /// What to explore next from the last node.
    fn next_branch(&mut self) -> Option<Branch> {
        let at = self.nodes.len() - 1;
        if !self.nodes[at].tree.is_empty() {
            self.nodes[at].begun = true;
            return Some(self.nodes[at].tree.remove(0));
        }
        if self.nodes[at].begun {
            return None;
        }
        self.nodes[at].begun = true;
        let crowded = self.walker.is_some() && self.names.all() > MANY_THREADS;
        self.crowded |= crowded;
        if self.trace.len() >= self.options.depth || crowded {
            self.counts.cut += 1;
            return None;
        }
        self.free_choice()
    }

    /// Executes an event and goes to the state behind it.
    fn explore(&mut self, branch: Branch) {
        let at = self.nodes.len() - 1;
        self.go_to(at);
        let thread = branch.item.thread;
        let number = self.names.number(thread);
        let interruptions = self.interruptions(at, thread);
        let beyond = |most: Option<u32>, now: u32| most.is_some_and(|most| now > most);
        if beyond(self.options.preemptions, interruptions.preemptions)
            || beyond(self.options.switches, interruptions.switches)
        {
            self.counts.cut += 1;
            self.counts.interrupted += 1;
            return;
        }
        if self.options.strategy == Strategy::Classic && self.is_asleep(at, thread) {
            return;
        }
        self.keep_snapshot(at);
        let Some(location) = self.machine.thread(number).location() else {
            return;
        };
        let ends = self.machine.ready(number) == Ready::Ends;
        let (answers, every) = match &branch.item.answers {
            Answers::Any(from) => (from.clone(), true),
            Answers::Exactly(these) => (these.to_vec(), false),
        };
        if ends {
            // Nobody who is blocked now will get any further.
            self.stuck_races();
        }
        let guard = crate::guard::guard(&self.machine, number);
        let whole = self.options.whole_states;
        let note = match spins(&self.trace, &self.machine, number, thread, whole) {
            Spin::No(note) => note,
            Spin::Yes => Note::default(),
        };
        let mut script = Script::new(&self.values, answers);
        script.random = self.walker.as_mut().map(|w| {
            w.random.draw();
            w.random.clone()
        });
        let outcome = self.machine.step(number, &mut script);
        self.counts.events += 1;
        self.place = None;
        self.doubts.sampled |= script.sampled;
        if self.counts.events.is_multiple_of(TICK) {
            self.stopped |= !self.watcher.tick(&self.counts);
        }
        let given = script.given();
        if let Some(walker) = &mut self.walker {
            walker.width *= script.ways();
        } else if every {
            let next = script.next();
            self.nodes[at].last_answer = next.is_none();
            if let Some(next) = next {
                let mut more = free(thread);
                more.item.answers = Answers::Any(next);
                // What it touches then is not known: it must not stand for anything else.
                let all = Touch::of_thread(Cell::Everything, number, Mode::Write);
                more.item.touches = Rc::from([all]);
                self.nodes[at].tree.insert(0, more);
            }
        } else {
            self.nodes[at].last_answer = !script.was_asked();
        }
        if outcome == Outcome::Refused {
            if self.machine.end().is_some() {
                self.finish();
            } else {
                self.counts.redundant += 1;
            }
            return;
        }
        let made = std::mem::take(&mut script.made);
        let asked = script.was_asked();
        drop(script);
        let known = &self.nodes[at].sleep;
        if asked
            && known
                .iter()
                .any(|s| s.thread == thread && *s.answers == *given)
        {
            if self.nodes[at].last_answer && every {
                let mine = |s: &&mut Sleeper| s.thread == thread;
                for s in self.nodes[at].sleep.iter_mut().filter(mine) {
                    s.complete = true;
                }
            }
            return;
        }
        for (maker, _, new) in &made {
            self.names.add(*maker, *new);
        }
        self.trace.widen(self.names.all());
        let mut touches = self.machine.footprint().to_vec();
        self.names.rename(&mut touches);
        let started = self.machine.newly_started().to_vec();
        if let Some(walker) = &mut self.walker {
            let changes = |t: &Touch| t.cell == Cell::Memory && t.mode != Mode::Read;
            walker.stepped(thread, started.len(), touches.iter().any(changes));
        }
        if ends {
            touches.clear();
        }
        let terminal = self.is_terminal(ends);
        if terminal {
            let all = Touch::of_thread(Cell::Everything, number, Mode::Write);
            touches.insert(0, all);
        }
        if asked
            && every
            && branch.children.is_empty()
            && self.stands_for(at, thread, &given, &touches)
        {
            // With other answers it had to be explored here, with these it was.
            self.names.truncate(self.nodes[at].threads);
            return;
        }
        self.happen(thread, location, &touches, &given, guard);
        self.trace.set_note(note);
        for new in started {
            self.trace.born(self.names.name(new));
        }
        let sleep = wake(&self.nodes[at].sleep, thread, &touches);
        self.arrive(sleep, branch.children, interruptions);
        if terminal {
            self.others_first(at, thread);
        }
    }

    /// Whether something that was explored from a node stands for what begins with this event, too.
    fn stands_for(&self, at: usize, thread: Name, given: &[u32], touches: &[Touch]) -> bool {
        let event = Item {
            thread,
            answers: Answers::Exactly(given.into()),
            touches: touches.into(),
        };
        let optimal = self.options.strategy == Strategy::Optimal && self.walker.is_none();
        optimal && is_asleep(&self.nodes[at].sleep, &[event])
    }

    /// Goes back to the state before the last event.
    fn leave(&mut self) {
        self.nodes.pop();
        self.place = None;
        let Some(at) = self.nodes.len().checked_sub(1) else {
            return;
        };
        if !self.nodes[at].tree.is_empty() && self.options.strategy != Strategy::All {
            let last = self.trace.len() - 1;
            let event = self.trace.events()[last];
            let complete = self.nodes[at].last_answer;
            let node = &mut self.nodes[at];
            if complete {
                for s in node.sleep.iter_mut().filter(|s| s.thread == event.thread) {
                    s.complete = true;
                }
            }
            if self.options.strategy.keeps_enabled() {
                node.explored.push(event.thread);
            }
            node.sleep.push(Sleeper {
                thread: event.thread,
                answers: self.trace.answers(last).into(),
                touches: self.trace.touches(last).into(),
                complete,
            });
        }
        self.trace.pop();
        self.names.truncate(self.nodes[at].threads);
    }

    /// How often there was a change of threads, if this one goes on.
    fn interruptions(&self, at: usize, thread: Name) -> Interruptions {
        let mut now = self.nodes[at].interruptions;
        let counted = self.options.preemptions.is_some() || self.options.switches.is_some();
        let last = self.trace.events().last().map(|e| e.thread);
        if let Some(last) = last.filter(|l| counted && *l != thread) {
            now.switches += 1;
            let able = self.machine.ready(self.names.number(last)) == Ready::Now;
            now.preemptions += u32::from(able);
        }
        now
    }

    fn keep_snapshot(&mut self, at: usize) {
        if self.nodes[at].snapshot.is_none() {
            self.nodes[at].snapshot = Some(self.machine.snapshot());
        }
    }

    /// How many threads there are at a node.
    pub(crate) fn threads_at(&self, at: usize) -> usize {
        self.nodes[at].threads
    }

    /// Brings the machine into the state of a node, if it is not there.
    pub(crate) fn go_to(&mut self, at: usize) {
        if self.place != Some(at) {
            self.return_to(at);
            self.place = Some(at);
        }
    }

    /// Brings the machine into the state of a node.
    pub(crate) fn return_to(&mut self, at: usize) {
        let Some(from) = (0..=at).rev().find(|n| self.nodes[*n].snapshot.is_some()) else {
            return;
        };
        if let Some(snapshot) = &self.nodes[from].snapshot {
            self.machine.restore(snapshot);
        }
        for n in from..at {
            let thread = self.trace.events()[n].thread;
            let answers = self.trace.answers(n).to_vec();
            let number = self.names.number(thread);
            let mut script = Script::new(&self.values, answers);
            self.machine.step(number, &mut script);
            self.counts.probes += 1;
        }
    }
}

/// A thread, in any way it likes.
pub(crate) fn free(thread: Name) -> Branch {
    Branch {
        item: Item {
            thread,
            answers: Answers::Any(Vec::new()),
            touches: Rc::from([]),
        },
        children: Vec::new(),
    }
}

/// The sleepers that an event does not wake.
fn wake(sleep: &[Sleeper], thread: Name, touches: &[Touch]) -> Vec<Sleeper> {
    if sleep.is_empty() {
        return Vec::new();
    }
    let stays = |s: &Sleeper| s.thread != thread && !conflict(&s.touches, touches);
    let mut left: Vec<Sleeper> = sleep.iter().filter(|s| stays(s)).cloned().collect();
    // Who has lost one of its answers has not all of them asleep any more.
    for s in &mut left {
        let lost = |o: &Sleeper| o.thread == s.thread && !stays(o);
        s.complete &= !sleep.iter().any(lost);
    }
    left
}
