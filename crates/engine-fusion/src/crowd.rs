//! Single executions of programs with very many threads.
//!
//! A search has an event for each step, with a clock for each thread, and looks at every thread in every state; where a program makes thousands
//! of threads that is out of reach. But threads that are made in a loop run the same code, and what goes wrong among thousands mostly goes wrong among
//! few of them: while the others stand where they began, they are in nobody's way. So here the interpreter runs on its own, and in most walks only a few of
//! the threads that were made at each place *take part*. The others stay where they are until nobody else can go on; then whoever is waited for takes
//! part, too. A walk is drawn from these possibilities:
//!
//! - how many take part, and whether they are the first, the last, or any of those made at their place;
//! - whether they begin at once or only when all threads are made (the first walk tells how many that are);
//! - whether all who take part have the same chance, or whoever went on last mostly goes on.
//!
//! Now and then everybody takes part with equal chances. Races are found by the interpreter's clocks here, not by definition: in one run, that is
//! what can be seen. Nothing is ever proved here; what is found is replayed like everything else.

use crate::outcome::{Counts, Hit, Options, Watcher};
use crate::root::begin;
use crate::script::{Script, Values};
use crate::trace::{Name, Names};
use raddle_interp::schedulers::SplitMix;
use raddle_interp::{Checks, Enabled, End, Machine, Outcome, ThreadId};
use raddle_ir::{Location, Program, Property, SyncOp};
use std::collections::HashMap;

/// How many walks.
const WALKS: u64 = 240;
/// How many steps in all of them; the last one may take more.
const STEPS: u64 = 6_000_000;
/// Steps of one walk.
const LONGEST: u64 = 2_000_000;
/// One walk out of so many is one in which everybody takes part.
const EVERYBODY: u64 = 6;
/// How many threads made at one place take part, at most.
const FEW: u64 = 4;
/// How many others come to take part because nobody else can go on, until the walk ends.
const WOKEN: usize = 96;
/// After how many steps the watcher is asked whether to go on.
const TICK: u64 = 256;

/// Where a thread was made.
type Place = (Name, Location);

/// Which of the threads that were made at one place take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    First,
    Last,
    Any,
}

/// How a walk goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Manner {
    /// How many threads made at each place take part; everybody, if there is no number.
    few: Option<u64>,
    which: Which,
    /// They begin only when all threads are made.
    later: bool,
    /// Whoever went on last mostly goes on.
    calm: bool,
}

impl Manner {
    /// The first walk makes threads, and nobody takes part until the makers have come to rest.
    fn of(number: u64, random: &mut SplitMix) -> Manner {
        if number == 0 {
            return Manner {
                few: Some(0),
                which: Which::First,
                later: true,
                calm: true,
            };
        }
        let few = match number % EVERYBODY {
            0 => None,
            _ => Some(1 + random.below(FEW)),
        };
        Manner {
            few,
            which: [Which::First, Which::Last, Which::Any][random.below(3) as usize],
            later: few.is_some() && random.below(2) == 0,
            calm: random.below(3) == 0,
        }
    }
}

/// What was learnt from earlier walks: how many threads were made at each place.
type Made = HashMap<Place, u64>;

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
    options.config.checks = options.config.checks.iter().chain(races).collect::<Checks>();
    options.config.footprints = true;
    options.config.output = false;
    let mut made = Made::new();
    let mut steps = 0;
    for number in 0..WALKS {
        let mut random = SplitMix::new(seed ^ number << 24 ^ 0x63_726f_7764);
        let manner = Manner::of(number, &mut random);
        let mut walk = Walk::new(program, &options, &values, manner, random, &made);
        let goes_on = walk.run(watcher);
        steps += walk.taken;
        counts.executions += 1;
        if let Some(hit) = walk.hit()
            && !watcher.hit(hit)
        {
            return false;
        }
        for (place, count) in std::mem::take(&mut walk.made) {
            let known = made.entry(place).or_default();
            *known = count.max(*known);
        }
        if !goes_on {
            return false;
        }
        if steps > STEPS {
            break;
        }
    }
    true
}

struct Walk<'p, 'a> {
    machine: Machine<'p>,
    values: &'a Values,
    names: Names,
    manner: Manner,
    random: SplitMix,
    /// The answers before the first step.
    root: Vec<u32>,
    steps: Vec<(Name, Vec<u32>)>,
    taken: u64,
    /// Who takes part, if not everybody does.
    awake: Vec<ThreadId>,
    /// By place: the numbers of those who will, among those who are made there.
    chosen: HashMap<Place, Vec<u64>>,
    before: &'a Made,
    made: Made,
    /// How many threads are still to be made before others than the makers begin.
    unmade: u64,
    last: Option<ThreadId>,
    woken: usize,
}

impl<'p, 'a> Walk<'p, 'a> {
    fn new(
        program: &'p Program,
        options: &Options,
        values: &'a Values,
        manner: Manner,
        random: SplitMix,
        before: &'a Made,
    ) -> Walk<'p, 'a> {
        let mut script = Script::new(values, Vec::new());
        script.random = Some(random.clone());
        let root = options.root.as_deref();
        let (machine, names) = begin(program, &options.config, root, &mut script);
        let makers: u64 = before.values().sum();
        let mut walk = Walk {
            awake: machine.threads().collect(),
            machine,
            values,
            names,
            manner,
            random,
            root: script.given(),
            steps: Vec::new(),
            taken: 0,
            chosen: HashMap::new(),
            before,
            made: Made::new(),
            unmade: if manner.later { makers } else { 0 },
            last: None,
            woken: 0,
        };
        // Whoever there is at the beginning takes part, unless it was made with the others just now.
        let first = script.made.first().map(|(_, _, t)| *t);
        walk.awake.retain(|t| first.is_none_or(|f| *t < f));
        walk.note(&script.made, false);
        walk
    }

    /// Goes on to the end; whether the watcher wants more.
    fn run(&mut self, watcher: &mut dyn Watcher) -> bool {
        while self.machine.end().is_none() && self.taken < LONGEST {
            let able = self.machine.able();
            let Some(t) = self.pick(&able) else {
                break;
            };
            drop(able);
            self.step(t);
            if self.taken.is_multiple_of(TICK) {
                // The steps of these walks do not count as those of a search.
                let none = Counts {
                    events: 1,
                    ..Counts::default()
                };
                if !watcher.tick(&none) {
                    return false;
                }
            }
        }
        true
    }

    fn step(&mut self, t: ThreadId) {
        let mut script = Script::new(self.values, Vec::new());
        self.random.draw();
        script.random = Some(self.random.clone());
        let outcome = self.machine.step(t, &mut script);
        self.taken += 1;
        if outcome == Outcome::Refused {
            return;
        }
        self.last = Some(t);
        self.steps.push((self.names.name(t), script.given()));
        let made = std::mem::take(&mut script.made);
        self.note(&made, true);
    }

    /// Threads were made; some of them will take part.
    fn note(&mut self, made: &[(ThreadId, Location, ThreadId)], fresh: bool) {
        for (maker, at, new) in made {
            if fresh {
                self.names.add(*maker, *new);
            }
            let place = (self.names.name(*maker), *at);
            let count = self.made.entry(place).or_default();
            let number = *count;
            *count += 1;
            self.unmade = self.unmade.saturating_sub(1);
            let Some(few) = self.manner.few else {
                continue;
            };
            let (random, which) = (&mut self.random, self.manner.which);
            let all = self.before.get(&place).copied().unwrap_or(1).max(1);
            let chosen = self.chosen.entry(place).or_insert_with(|| {
                let one = |n: u64| match which {
                    Which::First => n,
                    Which::Last => all.saturating_sub(n + 1),
                    Which::Any => random.below(all),
                };
                (0..few).map(one).collect()
            });
            if chosen.contains(&number) {
                self.awake.push(*new);
            }
        }
    }

    /// Who goes on; nobody, if the walk is to end.
    fn pick(&mut self, able: &Enabled) -> Option<ThreadId> {
        if able.is_empty() {
            return None;
        }
        let calm = self.manner.calm && self.random.below(8) > 0;
        if let Some(last) = self.last.filter(|t| calm && able.contains(*t)) {
            return Some(last);
        }
        if self.manner.few.is_none() {
            return able.get(self.random.below(able.len() as u64) as usize);
        }
        let makes = |t: &ThreadId| self.machine.thread(*t).created_at.is_none();
        let mut can: Vec<ThreadId> = Vec::new();
        can.extend(self.awake.iter().copied().filter(|t| able.contains(*t)));
        if self.unmade > 0 && can.iter().any(makes) {
            can.retain(makes);
        }
        if can.is_empty() {
            return self.wake(able);
        }
        can.get(self.random.below(can.len() as u64) as usize)
            .copied()
    }

    /// Nobody who takes part can go on: whoever is waited for takes part, too, or anybody.
    fn wake(&mut self, able: &Enabled) -> Option<ThreadId> {
        self.unmade = 0;
        self.woken += 1;
        if self.woken > WOKEN {
            return None;
        }
        let waited_for = self.awake.iter().find_map(|t| {
            let wait = self.machine.waits(*t)?;
            let joins = wait.op == SyncOp::ThreadJoin;
            let holders = wait.holders.iter().copied();
            holders.filter(|_| joins).find(|h| able.contains(*h))
        });
        let anybody = self.random.below(able.len() as u64) as usize;
        let t = waited_for.or_else(|| able.get(anybody))?;
        self.awake.push(t);
        let over = |t: &ThreadId| !self.machine.thread(*t).is_live();
        self.awake.retain(|t| !over(t));
        Some(t)
    }

    /// The violation that the walk has met, if it has.
    fn hit(&mut self) -> Option<Hit> {
        let Some(End::Violation(v)) = self.machine.end() else {
            return None;
        };
        Some(Hit {
            property: v.property,
            thread: self.names.name(v.thread),
            at: v.at,
            other: None,
            root: std::mem::take(&mut self.root),
            names: self.names.again(),
            steps: std::mem::take(&mut self.steps),
            last: Vec::new(),
        })
    }
}
