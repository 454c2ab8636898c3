//! A search that remembers states, with transactions instead of steps.
//!
//! Programs that work under locks have few states and many interleavings: whichever of two threads comes first, the account is the same
//! afterwards. So states are remembered, by 128-bit digests, and not entered again; and a thread is interrupted only where that can
//! matter. Its steps are grouped into *transactions*: some that can be put off ([`Mover::Right`], mostly taking locks), at most one that
//! has to stay where it is, some that can be done early ([`Mover::Left`]); then others get their turn. This is Lipton's reduction
//! (CACM 1975) in the form that Flanagan and Qadeer gave it for model checking (SPIN 2003).
//!
//! Which steps move is learned on the way, as in optimistic reduction (Stoller and Cohen, TACAS 2003): everything is taken to
//! be protected until two threads are seen that use it without a common lock ([`facts`]); then the search begins again. The first time in any
//! execution at which the assumption fails can be seen in an execution of whole transactions: those that are under way and have
//! only taken something are taken back, the others brought to their end. `docs/decisions/0032-states.md` has the argument in full.
//!
//! What it misses: programs that ask for inputs (it gives up at once); data behind locks that the program makes itself of atomic
//! operations is not seen to be protected.

mod facts;
mod live;
mod movers;

use crate::outcome::{Counts, Doubts, Hit, Options, Watcher};
use crate::root::begin;
use crate::script::{Script, Values};
use crate::trace::{Name, Names};
use facts::Facts;
use live::Live;
use movers::{Deed, Judgement, Mover, deed, judge, want};
use raddle_interp::footprint::{Mode, Ready, Touch};
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
    /// States.
    pub states: u64,
    /// How often it began again.
    pub rounds: u32,
    /// Something was on the heap.
    pub heap: bool,
}

/// Steps in one transaction.
const LONGEST: usize = 20_000;
const ENDLESS: &str = "a thread that goes on without end";
/// After how many steps the watcher is asked whether to go on.
const TICK: u64 = 64;

/// Looks at every state of a program. The watcher hears what is found.
pub(crate) fn search(
    program: &Program,
    options: &Options,
    reduce: bool,
    most: u64,
    watcher: &mut dyn Watcher,
) -> (Counts, Doubts, Seen, Ended) {
    let values = Values::new(program, options.inputs.as_deref());
    let mut config = options.config.clone();
    config.footprints = true;
    config.output = false;
    let mut search = Search {
        program,
        options,
        values: &values,
        most,
        watcher,
        facts: Facts::new(!reduce),
        reduce,
        counts: Counts::default(),
        doubts: Doubts::default(),
        numbers: Seen::default(),
        states: HashSet::new(),
        live: Live::new(program),
        ended: None,
    };
    let ended = loop {
        search.numbers.rounds += 1;
        search.facts.changed = false;
        search.states.clear();
        search.doubts = Doubts::default();
        search.round(&config);
        if let Some(ended) = search.ended {
            break ended;
        }
        if !search.facts.changed {
            break Ended::Complete;
        }
    };
    search.numbers.states = search.states.len() as u64;
    (search.counts, search.doubts, search.numbers, ended)
}

struct Search<'a> {
    program: &'a Program,
    options: &'a Options,
    values: &'a Values,
    most: u64,
    watcher: &'a mut dyn Watcher,
    facts: Facts,
    /// Transactions instead of steps, and states up to the names of objects.
    reduce: bool,
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
    /// Threads that were made and have not been looked at.
    fresh: Vec<ThreadId>,
}

impl<'a> Search<'a> {
    fn over(&self) -> bool {
        self.ended.is_some() || self.facts.changed
    }

    /// Everything, as far as what is assumed holds.
    fn round(&mut self, config: &raddle_interp::Config) {
        let mut answers = Some(Vec::new());
        while let Some(script) = answers {
            let mut script = Script::new(self.values, script);
            let root = self.options.root.as_deref();
            let (machine, names) = begin(self.program, config, root, &mut script);
            if script.sampled {
                self.ended = Some(Ended::GivenUp);
                return;
            }
            if root.is_some() {
                self.facts.all_make();
            }
            for (maker, _, _) in script.made.iter().filter(|_| self.reduce) {
                self.facts.makes(*maker);
            }
            let fresh = machine.threads().collect();
            let mut run = Run {
                machine,
                names,
                root: script.given(),
                steps: Vec::new(),
                fresh,
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
            run.fresh.clear();
            let given = std::mem::take(&mut node.answers);
            let (next, more, done) = self.transaction(run, t, given);
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

    /// A state was reached: what is to be done there, if it is new.
    fn arrive(&mut self, run: &mut Run<'a>) -> Option<Node> {
        self.settle(run);
        self.doubts.look_at(&run.machine);
        self.numbers.heap |= run.machine.uses_heap();
        if self.reduce && run.machine.end().is_none() {
            self.note_blocked(run);
        }
        if self.over() {
            return None;
        }
        if run.machine.end().is_some() {
            self.finish(run);
            return None;
        }
        let (live, facts) = (&mut self.live, &self.facts);
        let machine = &run.machine;
        let mut live = |at| live.at(at);
        let digest = match self.reduce {
            true => machine.digest_of_future(&mut live, &|o| facts.is_named(o)),
            false => machine.digest_of_living(&mut live),
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

    /// Who cannot go on wants something all the same, and could have had it between two steps of somebody else.
    fn note_blocked(&mut self, run: &Run<'a>) {
        for t in run.machine.threads() {
            if run.machine.ready(t) != Ready::Blocked {
                continue;
            }
            let Some(wanted) = run.machine.wanted_objects(t) else {
                continue;
            };
            let seen = self.facts.look(&run.machine, t);
            let deed = deed(&run.machine, t);
            want(&mut self.facts, &run.machine, &seen, deed, &wanted);
        }
    }

    /// The process has ended.
    fn finish(&mut self, run: &Run<'a>) {
        self.counts.executions += 1;
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

    /// Lets threads do what can be done early, whoever else goes on: the first steps of new ones, and joins.
    fn settle(&mut self, run: &mut Run<'a>) {
        loop {
            if self.over() || run.machine.end().is_some() {
                return;
            }
            let mut candidates = std::mem::take(&mut run.fresh);
            let joins = |t: &ThreadId| {
                deed(&run.machine, *t) == Deed::Life && run.machine.ready(*t) == Ready::Now
            };
            candidates.extend(run.machine.threads().filter(joins));
            let before = run.steps.len();
            for t in candidates {
                while self.try_step(run, t, false).is_some() {
                    if run.steps.len() - before > LONGEST {
                        self.doubts.limit = Some(ENDLESS.into());
                        return;
                    }
                }
            }
            if run.steps.len() == before {
                return;
            }
        }
    }

    /// Takes a thread's next step if it can be done early or, with `late`, put off. Otherwise nothing has happened.
    fn try_step(&mut self, run: &mut Run<'a>, t: ThreadId, late: bool) -> Option<Mover> {
        if self.facts.bare || self.over() || run.machine.end().is_some() {
            return None;
        }
        let deed = deed(&run.machine, t);
        let able = match run.machine.ready(t) {
            Ready::Now => late || !matches!(deed, Deed::Take(_) | Deed::Wake),
            // This kind of region is never refused.
            Ready::Tries => late && deed == Deed::Sleep,
            Ready::Over | Ready::Ends | Ready::Blocked => false,
        };
        if !able {
            return None;
        }
        let before = run.machine.snapshot();
        let mut script = Script::new(self.values, Vec::new());
        let (judged, outcome) = self.step(run, t, deed, &mut script);
        let mover = judged.mover;
        let fits = match mover {
            Mover::Both | Mover::Left => true,
            Mover::Right => late,
            // One step in a transaction may be of this kind; but both steps of a race have to be seen side by side.
            Mover::Stays => late && !(judged.races && self.options.races),
        };
        if outcome != Outcome::Done || script.was_asked() || !fits {
            run.machine.restore(&before);
            return None;
        }
        self.took(run, t, &script);
        Some(mover)
    }

    /// Takes a step; nothing is written down but facts.
    fn step(
        &mut self,
        run: &mut Run<'a>,
        t: ThreadId,
        deed: Deed,
        script: &mut Script<'_>,
    ) -> (Judgement, Outcome) {
        let seen = self.reduce.then(|| self.facts.look(&run.machine, t));
        let outcome = run.machine.step(t, script);
        self.counts.events += 1;
        if self.counts.events.is_multiple_of(TICK) && !self.watcher.tick(&self.counts) {
            self.ended = Some(Ended::Stopped);
        }
        if script.sampled || self.facts.too_much || self.counts.events > self.most {
            self.ended = self.ended.or(Some(Ended::GivenUp));
        }
        let Some(seen) = seen else {
            let judged = Judgement {
                mover: Mover::Stays,
                races: true,
            };
            return (judged, outcome);
        };
        let starts = outcome == Outcome::Done && !run.machine.newly_started().is_empty();
        if starts {
            self.facts.makes(t);
        }
        if run.machine.end().is_some() {
            self.mind_the_end(run, t);
        }
        // What was touched in vain counts, too.
        let mut judged = judge(&mut self.facts, &run.machine, &seen, deed);
        if deed == Deed::Wake && script.was_asked() {
            // A wait that may time out.
            judged.mover = Mover::Stays;
        }
        if starts {
            // What the new thread does cannot come before.
            judged.mover = match judged.mover {
                Mover::Both | Mover::Left => Mover::Left,
                Mover::Right | Mover::Stays => Mover::Stays,
            };
        }
        (judged, outcome)
    }

    /// A step counts.
    fn took(&mut self, run: &mut Run<'a>, t: ThreadId, script: &Script<'_>) {
        run.steps.push((run.names.name(t), script.given()));
        for (maker, _, new) in &script.made {
            run.names.add(*maker, *new);
        }
        run.fresh.extend(run.machine.newly_started());
    }

    /// A thread goes on up to where others may. What its first step was, with which answers to begin next, and whether it did anything.
    fn transaction(
        &mut self,
        run: &mut Run<'a>,
        t: ThreadId,
        given: Vec<u32>,
    ) -> (Option<Next>, Option<Vec<u32>>, bool) {
        let first = deed(&run.machine, t);
        let Some(at) = run.machine.thread(t).location() else {
            return (None, None, false);
        };
        if run.machine.ready(t) == Ready::Ends {
            self.mind_the_end(run, t);
        }
        let mut script = Script::new(self.values, given);
        let (judged, outcome) = self.step(run, t, first, &mut script);
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
        self.took(run, t, &script);
        let goes_late = |m: Mover| matches!(m, Mover::Both | Mover::Right);
        let mut late = goes_late(judged.mover) && !self.deadlocks();
        let begun = run.steps.len();
        while let Some(mover) = self.try_step(run, t, late) {
            late &= goes_late(mover);
            if run.steps.len() - begun > LONGEST {
                self.doubts.limit = Some(ENDLESS.into());
                break;
            }
        }
        (next, more, true)
    }

    fn deadlocks(&self) -> bool {
        self.options.config.checks.has(Property::NoDeadlock)
    }

    /// Where it matters what others have done when the process ends, nothing may be done early or late, unless nobody is there.
    fn mind_the_end(&mut self, run: &Run<'a>, t: ThreadId) {
        let outlived = run.machine.thread(t).outlived;
        let gone = |o: &ThreadId| 1u64.checked_shl(o.0).unwrap_or(0) & outlived != 0;
        let mut others = run.machine.threads().filter(|o| *o != t);
        if self.options.ends_matter && !self.facts.bare && others.any(|o| !gone(&o)) {
            self.facts.bare = true;
            self.facts.changed = true;
        }
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
