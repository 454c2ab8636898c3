//! Check and prune: what one execution says about others (Fusion; Wang, Chaudhuri, Gupta and Yang, ESEC/FSE 2009).
//!
//! After each complete execution its *concurrent trace program* is checked: all interleavings of the same steps, with inputs open. It is the
//! skeleton of the branches that this execution took. A violation in it is real, and replayed before it is reported. Branches that
//! earlier executions took are kept, which the paper does not do: so it is the program of all executions so far, and the
//! abstraction below becomes exact as the search goes on.
//!
//! If there is none, the *concurrent trace abstraction* tells how much of the search can be left out: the same skeleton
//! with phantoms for the other branches ([`raddle_skeleton::phantom`], where it is said what they stand for). If, after the first i steps of this
//! execution, neither a violation nor anything that no phantom stands for can be reached, then every execution that begins with
//! these steps is safe, and nothing else is explored from the state behind them. That is Theorem 3 of the paper, which speaks
//! of the state *after* the i-th step; its Figure 3 clears the state before it. A shorter beginning has more executions, so if i
//! steps are not enough, fewer are not: the least i is found by bisection, where the paper goes down one by one.
//!
//! Why that is sound here:
//! - The abstraction has every execution of the program that begins with these steps: branches taken are unwound exactly,
//!   others are phantoms or ends, and an end that can be reached counts as wrong. So do locks, waits, forks, joins and
//!   assertions on a branch that was not taken, other exits of loops that lead to such things, and accesses through addresses
//!   that are not known for the unwinding. A thread that this execution did not make stands on a branch it did not take.
//! - The steps of the beginning are found in the skeleton by following the execution in it ([`raddle_skeleton::follow`]); if it cannot be
//!   followed, nothing is pruned.
//! - A subtree that is left out brings no races to light for states above it. So there are no backtrack sets here: every state that
//!   survives is left in all directions, but for sleeping threads ([`Strategy::Sleep`](crate::Strategy::Sleep)). Sleep sets do go together with
//!   pruning. What is shown of a state with a sleep set is: every execution from there violates nothing, unless it is equivalent to
//!   one that begins with a sleeping step. That holds if the state was pruned (every execution from there violates nothing);
//!   if it was left in all directions, then by induction for each of them, where the steps taken before sleep. A step
//!   p falls asleep at a state when every execution that begins with p there was run, pruned, or is equivalent to one
//!   with an earlier sleeper first; an execution from a later state in which p still sleeps and comes first up to
//!   equivalence is equivalent to one of these, and equivalent executions violate the same, because whether a step does is
//!   decided by what happened before it, and a deadlock by the last state.
//! - Inputs are open in the skeleton, so what is pruned is safe for all of them; but executions that are run take theirs from a
//!   list, so a search that was not cut short at a state before the first input proves nothing about others ([`crate::outcome::Doubts`]).
//!
//! What it misses: with properties other than `unreach-call` phantoms stand only for empty branches.

use crate::executed::{Done, follow, record};
use crate::script::{Script, Values};
use crate::trace::{Names as Threads, Trace};
use raddle_decide::{Failed, Round};
use raddle_interp::{Config, Machine};
use raddle_ir::Program;
use raddle_skeleton::event::{EventNo, Skeleton};
use raddle_skeleton::facts::Facts;
use raddle_skeleton::follow::Follower;
use raddle_skeleton::mode::Mode;
use raddle_skeleton::names::Names;
use raddle_skeleton::phantom::Detours;
use raddle_skeleton::unwind::{Bounds, Wanted, unwind};
use raddle_skeleton::ways::Ways;
use raddle_verdict::{Assumption, Found, Judge, Request};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

const BOUND: u32 = 1 << 16;
const INDEX: u32 = 64;
const MOST_EVENTS: usize = 20_000;
/// How many conflicts a question may cost.
const PATIENCE: u32 = 20_000;

/// What is known of a program, for all its executions.
pub struct Pruner<'a> {
    program: &'a Program,
    config: Config,
    request: Request,
    detours: Rc<Detours>,
    /// What all executions so far have to say.
    known: RefCell<Option<(Names, Facts, Ways)>>,
    /// What was taken for granted in what was pruned.
    granted: RefCell<BTreeSet<Assumption>>,
}

/// What came of an execution.
pub enum Pruned {
    /// A violation, replayed.
    Violated(Vec<Found>),
    /// A claimed violation did not replay.
    Refused(String),
    /// Nothing can go wrong, whatever is executed.
    Safe,
    /// After so many steps nothing can go wrong.
    SafeAfter(usize),
    /// Nothing is known.
    Nothing,
}

impl<'a> Pruner<'a> {
    /// Prepares for a program.
    pub fn new(program: &'a Program, config: &Config, request: &Request) -> Pruner<'a> {
        Pruner {
            program,
            config: Config {
                observe: true,
                footprints: true,
                output: false,
                ..config.clone()
            },
            request: request.clone(),
            detours: Rc::new(Detours::new(program)),
            known: RefCell::default(),
            granted: RefCell::default(),
        }
    }

    /// Checks an execution, and tells after how many of its steps everything is safe.
    pub fn look_at(&self, trace: &Trace, threads: &Threads, judge: &mut dyn Judge) -> Pruned {
        let steps = self.repeat(trace, threads);
        let known = self.known.borrow_mut().take();
        let (mut names, mut facts, mut ways) = known.unwrap_or_else(|| {
            let names = Names::new(self.program.model);
            (names, Facts::default(), Ways::default())
        });
        record(self.program, &steps, &mut names, &mut ways);
        let bounds = Bounds {
            default: BOUND,
            special: HashMap::new(),
            constant: BOUND,
            index: INDEX,
            events: MOST_EVENTS,
        };
        let shared = Rc::new(ways);
        let mut unwind_with = |names, detours| {
            let wanted = Wanted {
                properties: self.request.properties.clone(),
                mode: Mode::default(),
                ways: Some(shared.clone()),
                inputs: self.request.inputs.clone().map(Rc::new),
                detours,
            };
            let stop = || self.request.budget.stopped().is_some();
            let program = self.program;
            let facts = &mut facts;
            unwind(program, &bounds, &wanted, facts, names, &stop, &mut |_| {}).ok()
        };
        // The trace program first: it is smaller, and decides where there is a violation.
        let Some(mut trace_program) = unwind_with(names, None) else {
            return Pruned::Nothing;
        };
        let early = self.check(&mut trace_program, judge);
        let names = trace_program.names;
        if !matches!(early, Pruned::Nothing) {
            return early;
        }
        let Some(mut abstraction) = unwind_with(names, Some(self.detours.clone())) else {
            return Pruned::Nothing;
        };
        let pruned = self.prune(&mut abstraction, &steps);
        let ways = Rc::unwrap_or_clone(shared);
        *self.known.borrow_mut() = Some((abstraction.names, facts, ways));
        pruned
    }

    /// Checks the trace program.
    fn check(&self, skeleton: &mut Skeleton, judge: &mut dyn Judge) -> Pruned {
        let round = Round::new(self.program, skeleton, &self.request, Mode::default());
        let Ok(mut round) = round else {
            return Pruned::Nothing;
        };
        round.patience = Some(PATIENCE);
        let (mut found, mut refused) = (Vec::new(), None);
        round.violations(judge, &mut found, &mut refused);
        match refused {
            _ if !found.is_empty() => Pruned::Violated(found),
            Some(why) => Pruned::Refused(why),
            None => Pruned::Nothing,
        }
    }

    /// Asks the abstraction about an execution.
    fn prune(&self, skeleton: &mut Skeleton, steps: &[Done]) -> Pruned {
        let events = follow(
            self.program,
            steps,
            &mut Follower::new(self.program, skeleton),
        );
        let round = Round::new(self.program, skeleton, &self.request, Mode::default());
        let Ok(mut round) = round else {
            return Pruned::Nothing;
        };
        round.patience = Some(PATIENCE);
        let Some(events) = events else {
            return Pruned::Nothing;
        };
        let pruned = safe_after(&mut round, &events);
        if matches!(pruned, Pruned::Safe | Pruned::SafeAfter(_)) {
            let granted = round.assumptions();
            self.granted.borrow_mut().extend(granted);
        }
        pruned
    }

    /// What was taken for granted so far.
    pub fn granted(&self) -> Vec<Assumption> {
        self.granted.borrow().iter().copied().collect()
    }

    /// Takes the steps of an execution once more, looking closely. The first entry is what happens before the first step.
    fn repeat(&self, trace: &Trace, threads: &Threads) -> Vec<Done> {
        let values = Values::new(self.program, self.request.inputs.as_deref());
        let mut threads = threads.again();
        let mut steps = Vec::new();
        let mut script = Script::new(&values, trace.root().to_vec());
        script.record = Some(Vec::new());
        let mut machine = Machine::new(self.program, self.config.clone(), &mut script);
        steps.push(done(&mut machine, script, &mut threads));
        for at in 0..trace.len() {
            let mut script = Script::new(&values, trace.answers(at).to_vec());
            script.record = Some(Vec::new());
            let number = threads.number(trace.events()[at].thread);
            machine.step(number, &mut script);
            steps.push(done(&mut machine, script, &mut threads));
        }
        steps
    }
}

/// What a step did.
fn done(machine: &mut Machine<'_>, script: Script<'_>, threads: &mut Threads) -> Done {
    for (maker, _, new) in &script.made {
        threads.add(*maker, *new);
    }
    let asked = script.record.unwrap_or_default();
    Done::new(&script.made, &asked, machine.take_observed())
}

/// The least number of steps after which nothing can go wrong. The first entry of `events` comes before the first step.
fn safe_after(round: &mut Round<'_>, events: &[Vec<EventNo>]) -> Pruned {
    let prefixes = match round.prefixes(events) {
        Ok(prefixes) => prefixes,
        Err(_) => return Pruned::Nothing,
    };
    let all = prefixes.steps();
    let safe = |round: &mut Round<'_>, steps: usize| match round.is_safe_after(&prefixes, steps) {
        Ok(safe) => Some(safe),
        Err(Failed::TooHard) => Some(false),
        Err(Failed::Stopped(_)) => None,
    };
    // From the end: most beginnings that are safe are long.
    let (mut low, mut high) = (0, None);
    let mut jump = 1;
    let mut at = all;
    loop {
        match safe(round, at) {
            None => return Pruned::Nothing,
            Some(true) => high = Some(at),
            Some(false) => {
                low = at + 1;
                break;
            }
        }
        if at == 0 {
            break;
        }
        at = at.saturating_sub(jump);
        jump *= 2;
    }
    let Some(mut high) = high else {
        return Pruned::Nothing;
    };
    while low < high {
        let middle = (low + high) / 2;
        match safe(round, middle) {
            None => break,
            Some(true) => high = middle,
            Some(false) => low = middle + 1,
        }
    }
    match high {
        0 => Pruned::Safe,
        _ => Pruned::SafeAfter(high - 1),
    }
}
