//! Single executions of programs with very many threads.
//!
//! A search has an event for each step, with a clock for each thread, and looks at every thread in every state; where a program makes thousands
//! of threads that is out of reach. But threads that are made in a loop run the same code, and what goes wrong among thousands mostly goes wrong among
//! few of them: while the others stand where they began, they are in nobody's way. So here the interpreter runs on its own, and in most walks only a few of
//! the threads that were made at each place *take part*. The others stay where they are until nobody else can go on; then whoever is waited for takes
//! part, too.
//!
//! Walks come in rounds. A round begins with the first thread alone, up to where the last thread is made. From there on many walks differ in who takes part
//! (the first, the last or any of those made at each place), and in whether all have the same chance or whoever went on last mostly goes on. One walk
//! in each round begins at the start, so that threads take part while others are still made; now and then everybody takes part. Values
//! are mostly those that others were given at the same place ([`Habits`]).
//!
//! Races are found by the interpreter's clocks here, not by definition: in one run, that is what can be seen. Nothing is ever proved here; what is found is
//! replayed like everything else.

use crate::outcome::{Counts, Hit, Options, Watcher};
use crate::root::begin;
use crate::script::{Habits, Script, Values};
use crate::search::MANY_THREADS;
use crate::trace::{Name, Names};
use raddle_interp::footprint::Ready;
use raddle_interp::schedulers::SplitMix;
use raddle_interp::{Checks, End, Machine, Outcome, Snapshot, ThreadId};
use raddle_ir::{Location, Program, Property, SyncOp};
use std::collections::{BTreeMap, BTreeSet};

/// How many rounds, and how many in which there are never many threads.
const ROUNDS: u64 = 80;
const ATTEMPTS: u64 = 2_000;
/// After how many of them one is sure that there never are.
const TRIALS: u64 = 40;
/// Walks in each of them from where all threads are made.
const WALKS: u64 = 60;
/// How many steps in all of them; the last round may take more.
const STEPS: u64 = 8_000_000;
/// Steps of one walk, for each thread and besides.
const LONGEST: u64 = 30;
const AT_LEAST: u64 = 20_000;
/// In two out of so many rounds there is a walk in which everybody takes part.
const EVERYBODY: u64 = 8;
/// How many threads made at one place take part, at most.
const FEW: u64 = 4;
/// How many others come to take part because nobody else can go on, until the walk ends.
const WOKEN: usize = 6;
/// After how many steps the watcher is asked whether to go on.
const TICK: u64 = 256;

/// Which of the threads that were made at one place take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    First,
    Last,
    Any,
}

/// Who takes part, and with which chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WalkPolicy {
    /// How many threads made at each place take part; everybody, if there is no number.
    few: Option<u64>,
    which: Which,
    /// Whoever went on last mostly goes on.
    calm: bool,
}

impl WalkPolicy {
    fn draw(random: &mut SplitMix) -> WalkPolicy {
        WalkPolicy {
            few: Some(1 + random.below(FEW)),
            which: [Which::First, Which::Last, Which::Any][random.below(3) as usize],
            calm: random.below(3) == 0,
        }
    }
}

/// Whether somebody has made several threads at one place: there may be many more, if the process lives longer.
pub(crate) fn may_be_crowd(machine: &Machine<'_>) -> bool {
    let mut seen = BTreeSet::new();
    let mut places = machine.threads().skip(1);
    places.any(|t| !seen.insert(machine.thread(t).created_at))
}

/// Walks; whether they were let to finish.
pub(crate) fn walk_in_crowds(
    program: &Program,
    options: &Options,
    seed: u64,
    counts: &mut Counts,
    watcher: &mut dyn Watcher,
) -> bool {
    let values = Values::new(program, options.inputs.as_deref());
    let mut options = options.clone();
    let races = options.races.then_some(Property::NoDataRace);
    options.config.checks = options
        .config
        .checks
        .iter()
        .chain(races)
        .collect::<Checks>();
    options.config.footprints = true;
    options.config.output = false;
    let mut walks = Walks::new(program, &options, &values, SplitMix::new(seed));
    let (mut rounds, mut attempts) = (0, 0);
    while rounds < ROUNDS && attempts < ATTEMPTS && walks.taken < STEPS {
        if attempts == TRIALS && walks.most <= MANY_THREADS {
            break;
        }
        attempts += 1;
        match walks.round(rounds, watcher) {
            Round::Complete => rounds += 1,
            Round::Empty => {}
            Round::Stopped => return false,
        }
        counts.executions += WALKS;
    }
    true
}

/// What came of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    Complete,
    /// The process ended before there were many threads.
    Empty,
    /// The watcher has had enough.
    Stopped,
}

/// Where walks begin: who had taken which steps.
struct Start {
    state: Snapshot,
    steps: usize,
    threads: usize,
}

struct Walks<'p, 'a> {
    program: &'p Program,
    options: &'a Options,
    values: &'a Values,
    random: SplitMix,
    habits: Habits,
    machine: Machine<'p>,
    names: Names,
    /// The answers before the first step, and the steps.
    root: Vec<u32>,
    steps: Vec<(Name, Vec<u32>)>,
    /// How many steps were taken in all walks.
    taken: u64,
    /// The largest number of threads in any round.
    most: usize,
    /// By where they were made: how many threads there were in this round.
    made: BTreeMap<Location, usize>,
    /// Who takes part; `None` means everybody.
    awake: Option<Vec<ThreadId>>,
    last: Option<ThreadId>,
    woken: usize,
}

impl<'p, 'a> Walks<'p, 'a> {
    fn new(
        program: &'p Program,
        options: &'a Options,
        values: &'a Values,
        mut random: SplitMix,
    ) -> Walks<'p, 'a> {
        let mut habits = Habits::default();
        let (machine, names, root) = start(program, options, values, &mut random, &mut habits);
        Walks {
            program,
            options,
            values,
            random,
            habits,
            machine,
            names,
            root,
            steps: Vec::new(),
            taken: 0,
            most: 1,
            made: BTreeMap::new(),
            awake: None,
            last: None,
            woken: 0,
        }
    }

    /// Goes to the start of the program.
    fn restart(&mut self) {
        let (random, habits) = (&mut self.random, &mut self.habits);
        (self.machine, self.names, self.root) =
            start(self.program, self.options, self.values, random, habits);
        self.steps.clear();
    }

    fn round(&mut self, round: u64, watcher: &mut dyn Watcher) -> Round {
        self.draw_odd();
        self.restart();
        let Some(all_made) = self.make(watcher) else {
            return Round::Stopped;
        };
        if all_made.threads <= MANY_THREADS.max(self.most / 2) {
            return Round::Empty;
        }
        let places = self.places(all_made.threads);
        for _ in 0..WALKS {
            self.go_to(&all_made);
            let policy = WalkPolicy::draw(&mut self.random);
            self.awake = Some(self.choose(policy, &places));
            if !self.walk(policy, &BTreeMap::new(), watcher) {
                return Round::Stopped;
            }
        }
        let everybody = WalkPolicy {
            few: None,
            which: Which::Any,
            calm: false,
        };
        if round % EVERYBODY == 6 {
            self.go_to(&all_made);
            self.awake = None;
            if !self.walk(everybody, &BTreeMap::new(), watcher) {
                return Round::Stopped;
            }
        }
        let mut policy = WalkPolicy::draw(&mut self.random);
        if round % EVERYBODY == 2 {
            policy = everybody;
        }
        let at_once = self.at_once(policy);
        self.restart();
        self.awake = policy.few.map(|_| self.machine.threads().collect());
        match self.walk(policy, &at_once, watcher) {
            true => Round::Complete,
            false => Round::Stopped,
        }
    }

    /// Some threads may be given other values than the others when they begin; these take part, then.
    fn draw_odd(&mut self) {
        let count = [0, 0, 1, 2, 4][self.random.below(5) as usize];
        let one = |_| ThreadId(1 + self.random.below(self.most as u64) as u32);
        self.habits.odd = (0..count).map(one).collect();
    }

    fn go_to(&mut self, start: &Start) {
        self.machine.restore(&start.state);
        self.names.truncate(start.threads);
        self.steps.truncate(start.steps);
    }

    /// The first thread alone, until it cannot go on; where the last thread was made. `None` if the watcher has had enough.
    fn make(&mut self, watcher: &mut dyn Watcher) -> Option<Start> {
        let here = |w: &Walks| Start {
            state: w.machine.snapshot(),
            steps: w.steps.len(),
            threads: w.names.count(),
        };
        let first = ThreadId(0);
        let mut last_made = here(self);
        let mut since = 0;
        while self.machine.end().is_none() && can_go_on(&self.machine, first) {
            let before = self.names.count();
            self.step(first);
            since += 1;
            if self.names.count() > before {
                last_made = here(self);
                since = 0;
            }
            if !self.goes_on(watcher) {
                return None;
            }
            // Whoever makes no more threads after so many steps may go on for ever.
            if since > AT_LEAST {
                break;
            }
        }
        if !self.tell(watcher) {
            return None;
        }
        self.most = self.most.max(self.names.count());
        self.made.clear();
        for t in self.machine.threads() {
            if let Some(at) = self.machine.thread(t).created_at {
                *self.made.entry(at).or_default() += 1;
            }
        }
        Some(last_made)
    }

    /// The first so many threads, by where they were made.
    fn places(&self, count: usize) -> Vec<Vec<ThreadId>> {
        let mut places: BTreeMap<Location, Vec<ThreadId>> = BTreeMap::new();
        for t in self.machine.threads().take(count) {
            if let Some(at) = self.machine.thread(t).created_at {
                places.entry(at).or_default().push(t);
            }
        }
        places.into_values().collect()
    }

    /// The first thread, and some of those made at each place.
    fn choose(&mut self, policy: WalkPolicy, places: &[Vec<ThreadId>]) -> Vec<ThreadId> {
        let mut chosen = vec![ThreadId(0)];
        for there in places {
            for n in self.numbers(policy, there.len()) {
                chosen.push(there[n]);
            }
        }
        let known = |t: &&ThreadId| (t.0 as usize) < self.names.count();
        chosen.extend(self.habits.odd.iter().filter(known));
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    /// Those who take part as soon as they are made, by place and number.
    fn at_once(&mut self, policy: WalkPolicy) -> BTreeMap<Location, Vec<usize>> {
        let made = self.made.clone();
        let mut chosen = BTreeMap::new();
        for (place, count) in made {
            chosen.insert(place, self.numbers(policy, count));
        }
        chosen
    }

    /// Some of so many.
    fn numbers(&mut self, policy: WalkPolicy, count: usize) -> Vec<usize> {
        let few = (policy.few.unwrap_or(0) as usize).min(count);
        let one = |n: usize| match policy.which {
            Which::First => n,
            Which::Last => count - 1 - n,
            Which::Any => self.random.below(count as u64) as usize,
        };
        (0..few).map(one).collect()
    }

    /// Goes on to the end; whether the watcher wants more.
    fn walk(
        &mut self,
        policy: WalkPolicy,
        at_once: &BTreeMap<Location, Vec<usize>>,
        watcher: &mut dyn Watcher,
    ) -> bool {
        self.last = None;
        self.woken = 0;
        let until = self.taken + LONGEST * self.most as u64 + AT_LEAST;
        let mut made: BTreeMap<Location, usize> = BTreeMap::new();
        let mut known = self.names.count();
        while self.machine.end().is_none() && self.taken < until {
            for n in known..self.names.count() {
                let t = ThreadId(n as u32);
                let Some(at) = self.machine.thread(t).created_at else {
                    continue;
                };
                let number = made.entry(at).or_default();
                let joins = at_once.get(&at).is_some_and(|all| all.contains(number));
                // A place nobody knew of.
                let unknown = !self.made.contains_key(&at);
                if let Some(awake) = self.awake.as_mut().filter(|_| joins || unknown) {
                    awake.push(t);
                }
                *number += 1;
            }
            known = self.names.count();
            let Some(t) = self.pick(policy) else {
                break;
            };
            self.step(t);
            if !self.goes_on(watcher) {
                return false;
            }
        }
        self.tell(watcher)
    }

    fn step(&mut self, t: ThreadId) {
        self.habits.steps = Some(t);
        self.random.draw();
        let mut script = Script::new(self.values, Vec::new());
        script.random = Some(self.random.clone());
        script.habits = Some(&mut self.habits);
        let outcome = self.machine.step(t, &mut script);
        self.taken += 1;
        if outcome == Outcome::Refused {
            return;
        }
        self.last = Some(t);
        self.steps.push((self.names.name(t), script.given()));
        for (maker, _, new) in &script.made {
            self.names.add(*maker, *new);
        }
    }

    fn goes_on(&self, watcher: &mut dyn Watcher) -> bool {
        // The steps of these walks do not count as those of a search.
        let none = Counts {
            events: 1,
            ..Counts::default()
        };
        !self.taken.is_multiple_of(TICK) || watcher.tick(&none)
    }

    /// Who goes on; nobody, if the walk is to end.
    fn pick(&mut self, policy: WalkPolicy) -> Option<ThreadId> {
        let calm = policy.calm && self.random.below(8) > 0;
        if let Some(last) = self.last.filter(|t| calm && can_go_on(&self.machine, *t)) {
            return Some(last);
        }
        let Some(awake) = &self.awake else {
            let able = self.machine.enabled_threads();
            return able.get(self.random.below(able.len() as u64) as usize);
        };
        let can = awake
            .iter()
            .copied()
            .filter(|t| can_go_on(&self.machine, *t));
        let can: Vec<ThreadId> = can.collect();
        match can.is_empty() {
            true => self.wake(),
            false => Some(can[self.random.below(can.len() as u64) as usize]),
        }
    }

    /// Nobody who takes part can go on: whoever is waited for takes part, too, or anybody.
    fn wake(&mut self) -> Option<ThreadId> {
        self.woken += 1;
        let awake = self.awake.as_mut().filter(|_| self.woken <= WOKEN)?;
        let waited_for = awake.iter().find_map(|t| {
            let wait = self.machine.waits(*t)?;
            let joins = wait.op == SyncOp::ThreadJoin;
            let mut holders = wait.holders.iter().copied().filter(|_| joins);
            holders.find(|h| can_go_on(&self.machine, *h))
        });
        let anybody = || {
            let able = self.machine.enabled_threads();
            able.get(self.random.below(able.len() as u64) as usize)
        };
        let t = waited_for.or_else(anybody)?;
        awake.push(t);
        Some(t)
    }

    /// Tells of the violation that was met, if one was; whether the watcher wants more.
    fn tell(&mut self, watcher: &mut dyn Watcher) -> bool {
        let Some(End::Violation(v)) = self.machine.end() else {
            return true;
        };
        watcher.hit(Hit {
            property: v.property,
            thread: self.names.name(v.thread),
            at: v.at,
            other: None,
            root: self.root.clone(),
            names: self.names.again(),
            steps: self.steps.clone(),
            last: Vec::new(),
        })
    }
}

/// A machine where executions begin, its threads, and the answers that were given.
fn start<'p>(
    program: &'p Program,
    options: &Options,
    values: &Values,
    random: &mut SplitMix,
    habits: &mut Habits,
) -> (Machine<'p>, Names, Vec<u32>) {
    random.draw();
    habits.forget();
    habits.steps = Some(ThreadId(0));
    let mut script = Script::new(values, Vec::new());
    script.random = Some(random.clone());
    script.habits = Some(habits);
    let root = options.root.as_deref();
    let (machine, names) = begin(program, &options.config, root, &mut script);
    let given = script.given();
    (machine, names, given)
}

fn can_go_on(machine: &Machine<'_>, t: ThreadId) -> bool {
    !matches!(machine.ready(t), Ready::Over | Ready::Blocked)
}
