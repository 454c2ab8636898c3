//! A search that remembers states.
//!
//! Programs that work under locks have few states and many interleavings: whichever of two threads comes first, the account is the same
//! afterwards. So states are remembered, by 128-bit digests, and not entered again. They are told apart up to the names of objects
//! ([`Machine::digest_of_shape`]).
//!
//! Where a thread can go on alone, because nobody can disturb its next step ([`persistent`]), only that step is taken, and the state in between is
//! not remembered. This is the classic reduction by persistent sets (Godefroid 1996), restricted to sets of one thread. From every state that is
//! remembered all threads go on, and no more than [`LONGEST`] steps lead from one to the next, so on no cycle of states a thread is put
//! off for ever. `docs/decisions/0032-states.md` has the argument in full.
//!
//! What it misses: programs that ask for inputs (it gives up at once); threads whose steps could be interchanged, but not those of one alone.

mod live;
mod persistent;

use crate::outcome::{Counts, Doubts, Hit, Options, Watcher};
use crate::root::begin;
use crate::script::{Script, Values};
use crate::trace::{Name, Names};
use live::Live;
use persistent::Persistent;
use raddle_interp::footprint::{Mode, Touch};
use raddle_interp::{End, Machine, Outcome, Pending, PendingKind, Snapshot, ThreadId};
use raddle_ir::{Location, Program, Property};
use std::collections::HashSet;

/// How a search came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Every state was seen.
    Complete,
    /// The watcher did not want more.
    Stopped,
    /// It is not made for this program, or there was too much.
    GivenUp,
}

/// What was done, besides executing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// States that were remembered.
    pub states: u64,
    /// Something was on the heap.
    pub heap: bool,
}

/// How much to leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// Nothing but the values of dead variables: the oracle for the other.
    None,
    /// States that differ in the names of objects only, and interleavings of steps that nobody can disturb.
    Full {
        /// The program is known to have no data races.
        race_free: bool,
    },
}

/// How many steps a thread that can go on alone takes before the others are looked at all the same.
const LONGEST: usize = 1_000;
/// After how many steps the watcher is asked whether to go on.
const TICK: u64 = 64;

/// Looks at every state of a program. The watcher hears what is found.
pub(crate) fn search(
    program: &Program,
    options: &Options,
    reduction: Reduction,
    most: u64,
    watcher: &mut dyn Watcher,
) -> (Counts, Doubts, Seen, Ended) {
    let values = Values::new(program, options.inputs.as_deref());
    let mut config = options.config.clone();
    config.footprints = true;
    config.output = false;
    let checked = |p| config.checks.has(p);
    // Whether everything is freed in the end may depend on how far others are.
    let persistent = match reduction {
        Reduction::Full { race_free } if !checked(Property::ValidMemcleanup) => {
            Some(Persistent::new(program, &checked, race_free))
        }
        _ => None,
    };
    let mut search = Search {
        program,
        options,
        values: &values,
        most,
        watcher,
        persistent,
        by_shape: reduction != Reduction::None,
        counts: Counts::default(),
        doubts: Doubts::default(),
        numbers: Seen::default(),
        states: HashSet::new(),
        live: Live::new(program),
        ended: None,
    };
    search.all(&config);
    search.numbers.states = search.states.len() as u64;
    let ended = search.ended.unwrap_or(Ended::Complete);
    (search.counts, search.doubts, search.numbers, ended)
}

struct Search<'a> {
    program: &'a Program,
    options: &'a Options,
    values: &'a Values,
    most: u64,
    watcher: &'a mut dyn Watcher,
    /// Which threads can go on alone, if that is of interest.
    persistent: Option<Persistent>,
    /// States are told apart up to the names of objects.
    by_shape: bool,
    counts: Counts,
    doubts: Doubts,
    numbers: Seen,
    states: HashSet<u128>,
    live: Live<'a>,
    ended: Option<Ended>,
}

/// A state, and what is left to do there.
struct Node {
    snapshot: Snapshot,
    threads: usize,
    steps: usize,
    todo: Vec<ThreadId>,
    /// The answers with which the last thread of these is to go on next.
    answers: Vec<u32>,
    /// What threads do next, for races.
    next: Vec<Next>,
    /// What threads look at while they are blocked, for races.
    blocked: Vec<Next>,
}

/// The first step of a thread in some state.
struct Next {
    thread: ThreadId,
    at: Location,
    answers: Vec<u32>,
    touches: Vec<Touch>,
}

/// An execution in progress.
struct Run<'p> {
    machine: Machine<'p>,
    names: Names,
    root: Vec<u32>,
    steps: Vec<(Name, Vec<u32>)>,
}

impl<'a> Search<'a> {
    fn over(&self) -> bool {
        self.ended.is_some()
    }

    /// Everything that begins where executions begin.
    fn all(&mut self, config: &raddle_interp::Config) {
        let mut answers = Some(Vec::new());
        while let Some(script) = answers {
            let mut script = Script::new(self.values, script);
            let root = self.options.root.as_deref();
            let (machine, names) = begin(self.program, config, root, &mut script);
            if script.sampled {
                self.ended = Some(Ended::GivenUp);
                return;
            }
            let mut run = Run {
                machine,
                names,
                root: script.given(),
                steps: Vec::new(),
            };
            self.from(&mut run);
            if self.over() {
                return;
            }
            answers = script.next();
        }
    }

    fn from(&mut self, run: &mut Run<'a>) {
        let mut nodes: Vec<Node> = Vec::new();
        nodes.extend(self.arrive(run));
        while let Some(node) = nodes.last_mut() {
            if self.over() {
                return;
            }
            let Some(&t) = node.todo.last() else {
                self.races(run, nodes.pop());
                continue;
            };
            run.machine.restore(&node.snapshot);
            run.names.truncate(node.threads);
            run.steps.truncate(node.steps);
            let given = std::mem::take(&mut node.answers);
            let (next, more, done) = self.step(run, t, given);
            match more {
                Some(answers) => node.answers = answers,
                None => {
                    node.todo.pop();
                }
            }
            node.next.extend(next);
            if done && !self.over() {
                nodes.extend(self.arrive(run));
            }
        }
    }

    /// A state was reached: what is to be done behind it and all that a thread does there alone, if it is new.
    fn arrive(&mut self, run: &mut Run<'a>) -> Option<Node> {
        self.go_on_alone(run);
        self.doubts.look_at(&run.machine);
        self.numbers.heap |= run.machine.uses_heap();
        if self.over() {
            return None;
        }
        if run.machine.end().is_some() {
            self.finish(run);
            return None;
        }
        let live = &mut self.live;
        let mut live = |at| live.at(at);
        let digest = match self.by_shape {
            true => run.machine.digest_of_shape(&mut live),
            false => run.machine.digest_of_living(&mut live),
        };
        if !self.states.insert(digest) {
            return None;
        }
        let todo: Vec<ThreadId> = run.machine.enabled();
        if todo.is_empty() {
            self.counts.executions += 1;
            self.counts.blocked += 1;
            return None;
        }
        Some(Node {
            snapshot: run.machine.snapshot(),
            threads: run.names.count(),
            steps: run.steps.len(),
            todo,
            answers: Vec::new(),
            next: Vec::new(),
            blocked: self.looks_of_blocked(&run.machine),
        })
    }

    /// Takes steps of threads that can go on alone, one after the other.
    fn go_on_alone(&mut self, run: &mut Run<'a>) {
        let Some(persistent) = self.persistent.take() else {
            return;
        };
        let mut taken = 0;
        let mut found = true;
        while std::mem::take(&mut found) {
            for t in run.machine.threads().collect::<Vec<_>>() {
                while taken < LONGEST && self.step_alone(&persistent, run, t) {
                    taken += 1;
                    found = true;
                }
            }
        }
        self.persistent = Some(persistent);
    }

    /// Takes a thread's next step if nobody can disturb it. Otherwise nothing has happened.
    fn step_alone(&mut self, persistent: &Persistent, run: &mut Run<'a>, t: ThreadId) -> bool {
        if self.over() || run.machine.end().is_some() {
            return false;
        }
        // Where the process ends while a pointer is hidden, a leak shows that does not show later.
        let leaks = self.options.config.checks.has(Property::ValidMemtrack);
        if leaks && run.machine.hides_pointers() {
            return false;
        }
        let Some(step) = persistent.candidate(&run.machine, t) else {
            return false;
        };
        let before = run.machine.snapshot();
        let mut script = Script::new(self.values, Vec::new());
        let outcome = self.execute(run, t, &mut script);
        let alone = outcome == Outcome::Done
            && !script.was_asked()
            && persistent.is_undisturbed(&step, &run.machine, t);
        if !alone {
            run.machine.restore(&before);
            return false;
        }
        took(run, t, &script);
        true
    }

    /// A thread that is blocked looks at what it waits for.
    fn looks_of_blocked(&self, machine: &Machine<'a>) -> Vec<Next> {
        let looks = |p: &Pending| match p.kind {
            PendingKind::Sync(op) => op.looks_while_blocked() && !p.enabled,
            _ => false,
        };
        let look = |t: ThreadId| {
            let pending = machine.pending(t).filter(looks)?;
            let mut touches = machine.wanted(t)?;
            for touch in &mut touches {
                touch.mode = Mode::Read;
            }
            Some(Next {
                thread: t,
                at: pending.at,
                answers: Vec::new(),
                touches,
            })
        };
        match self.options.races {
            true => machine.threads().filter_map(look).collect(),
            false => Vec::new(),
        }
    }

    /// The process has ended.
    fn finish(&mut self, run: &Run<'a>) {
        self.counts.executions += 1;
        if run.machine.looks_for_leaks() && self.by_shape {
            self.doubts.seen_address |= run.machine.referred_to_by_number_only();
        }
        match run.machine.end() {
            Some(End::Limit(what)) => self.doubts.limit = Some(what.clone()),
            Some(End::Violation(v)) => {
                let hit = Hit {
                    property: v.property,
                    thread: run.names.name(v.thread),
                    at: v.at,
                    other: None,
                    root: run.root.clone(),
                    names: run.names.again(),
                    steps: run.steps.clone(),
                    last: Vec::new(),
                };
                if !self.watcher.hit(hit) {
                    self.ended = Some(Ended::Stopped);
                }
            }
            _ => {}
        }
    }

    /// Takes a step; nothing is written down.
    fn execute(&mut self, run: &mut Run<'a>, t: ThreadId, script: &mut Script<'_>) -> Outcome {
        let outcome = run.machine.step(t, script);
        self.counts.events += 1;
        if self.counts.events.is_multiple_of(TICK) && !self.watcher.tick(&self.counts) {
            self.ended = Some(Ended::Stopped);
        }
        if script.sampled || self.counts.events > self.most {
            self.ended = self.ended.or(Some(Ended::GivenUp));
        }
        outcome
    }

    /// A thread takes a step. What it touches, with which answers to begin next, and whether it was done.
    fn step(
        &mut self,
        run: &mut Run<'a>,
        t: ThreadId,
        given: Vec<u32>,
    ) -> (Option<Next>, Option<Vec<u32>>, bool) {
        let Some(at) = run.machine.thread(t).location() else {
            return (None, None, false);
        };
        let mut script = Script::new(self.values, given);
        let outcome = self.execute(run, t, &mut script);
        let more = script.next();
        if outcome == Outcome::Refused {
            if run.machine.end().is_some() {
                self.finish(run);
            } else if self.deadlocks() {
                // Several that are refused may wait for one another.
                self.ended = self.ended.or(Some(Ended::GivenUp));
            }
            return (None, more, false);
        }
        let next = self.options.races.then(|| Next {
            thread: t,
            at,
            answers: script.given(),
            touches: run.machine.footprint().to_vec(),
        });
        took(run, t, &script);
        (next, more, true)
    }

    fn deadlocks(&self) -> bool {
        self.options.config.checks.has(Property::NoDeadlock)
    }

    /// Two threads that could both go next with conflicting accesses, or one of them looks at what it waits for meanwhile.
    fn races(&mut self, run: &mut Run<'a>, node: Option<Node>) {
        let Some(node) = node else {
            return;
        };
        let race = |a: &Next, b: &Next| {
            let with_b = |x: &Touch| b.touches.iter().any(|y| x.races(y));
            a.thread != b.thread && a.touches.iter().any(with_b)
        };
        let mut found: Vec<(&Next, &Next, bool)> = Vec::new();
        for (i, a) in node.next.iter().enumerate() {
            let both = node.next[i + 1..].iter().filter(|b| race(a, b));
            found.extend(both.map(|b| (a, b, true)));
            let waiting = node.blocked.iter().filter(|b| race(a, b));
            found.extend(waiting.map(|b| (b, a, false)));
        }
        for (first, second, steps_first) in found {
            run.names.truncate(node.threads);
            let mut steps = run.steps[..node.steps].to_vec();
            if steps_first {
                steps.push((run.names.name(first.thread), first.answers.clone()));
            }
            let hit = Hit {
                property: Property::NoDataRace,
                thread: run.names.name(second.thread),
                at: second.at,
                other: steps_first.then_some(first.at),
                root: run.root.clone(),
                names: run.names.again(),
                steps,
                last: second.answers.clone(),
            };
            if !self.watcher.hit(hit) {
                self.ended = Some(Ended::Stopped);
                return;
            }
        }
    }
}

/// A step counts.
fn took(run: &mut Run<'_>, t: ThreadId, script: &Script<'_>) {
    run.steps.push((run.names.name(t), script.given()));
    for (maker, _, new) in &script.made {
        run.names.add(*maker, *new);
    }
}
