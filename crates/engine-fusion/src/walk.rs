//! Single executions, to find what is easy to find, and to guess how large a search would be.
//!
//! First without interruptions: every thread runs until it ends or is blocked, in the order in which they were made, but one of them only when
//! nobody else can go on (delays, as Emmi, Qadeer and Rakamarić have it, POPL 2011; here at most one). Then in turns: once all threads are made,
//! each goes on until it has changed something that others can see, or twice, and the next one sees it; again one of them may be delayed. That is where what one
//! thread computes is built on what the other has just computed, for as long as they like, which needs a switch after nearly every step and is hopeless at
//! random. Then at random.
//!
//! Threads are picked with equal chances, or by random priorities that drop at a few random points (PCT, Burckhardt and others, ASPLOS
//! 2010). The size is guessed as Knuth did (Estimating the efficiency of backtrack programs, 1975): the product of the numbers of
//! possibilities on the way is, on average over walks with equal chances, the number of all interleavings. What it misses: the average of a few walks is
//! usually too small, because few walks meet the large parts.

use crate::crowd::{may_be_crowd, walk_in_crowds};
use crate::root::begin;
use crate::script::{Script, Values};
use crate::search::{Counts, Doubts, Options, Search, Watcher};
use crate::strategy::Strategy;
use crate::trace::{Name, Trace};
use raddle_interp::schedulers::SplitMix;
use raddle_ir::Program;
use std::collections::HashMap;

/// How much longer walks without interruptions, or in turns, may be.
const DEEPER: usize = 8;
/// How many changes a turn lasts: each up to this number.
const TURNS: u32 = 2;
/// Of how many threads each is delayed once, in turns.
const DELAYED_IN_TURNS: u32 = 8;

/// How to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walks {
    /// How often.
    pub count: u32,
    /// Where random numbers begin.
    pub seed: u64,
    /// Every second walk goes by priorities that drop this often; never, if there is no number.
    pub drops: Option<u32>,
    /// Before them, walks without interruptions and in turns, with each of at most so many threads delayed.
    pub delayed: u32,
}

/// How a walk chooses.
#[derive(Debug)]
enum Manner {
    /// With equal chances.
    Fair,
    /// By priorities, which drop at some steps.
    Priorities(HashMap<Name, u64>, Vec<usize>),
    /// Whoever went on last, then in order; this one comes last of all.
    Uninterrupted {
        last: Option<Name>,
        delayed: Option<Name>,
    },
    /// First whoever is still to make threads, then in order, each for some changes; this one comes last of all.
    Turns {
        last: Option<Name>,
        /// Changes until its turn is over, and of each turn.
        left: u32,
        each: u32,
        delayed: Option<Name>,
        /// How many threads each is still to start.
        makers: HashMap<Name, u32>,
    },
}

/// A walk in progress.
#[derive(Debug)]
pub(crate) struct Walker {
    pub random: SplitMix,
    /// The product of possibilities so far.
    pub width: f64,
    /// How many threads each has started.
    pub started: HashMap<Name, u32>,
    manner: Manner,
}

impl Walker {
    pub(crate) fn new(walks: &Walks, number: u32, length: usize) -> Walker {
        let mut random = SplitMix::new(walks.seed ^ u64::from(number) << 20);
        let drops = walks.drops.filter(|_| number % 2 == 1);
        let manner = match drops {
            None => Manner::Fair,
            Some(points) => {
                let points = (0..points).map(|_| random.below(length as u64) as usize);
                Manner::Priorities(HashMap::new(), points.collect())
            }
        };
        Walker {
            manner,
            random,
            width: 1.0,
            started: HashMap::new(),
        }
    }

    /// Without interruptions; one may be delayed.
    pub(crate) fn uninterrupted(walks: &Walks, delayed: Option<Name>) -> Walker {
        let number = delayed.map_or(0, |n| u64::from(n.0) + 1);
        Walker {
            manner: Manner::Uninterrupted {
                last: None,
                delayed,
            },
            random: SplitMix::new(walks.seed ^ number << 50),
            width: 1.0,
            started: HashMap::new(),
        }
    }

    /// In turns of so many changes; one may be delayed. Threads are known to start so many others.
    pub(crate) fn in_turns(
        walks: &Walks,
        each: u32,
        delayed: Option<Name>,
        makers: HashMap<Name, u32>,
    ) -> Walker {
        let number = delayed.map_or(0, |n| u64::from(n.0) + 1);
        Walker {
            manner: Manner::Turns {
                last: None,
                left: each,
                each,
                delayed,
                makers,
            },
            random: SplitMix::new(walks.seed ^ number << 50 ^ u64::from(each) << 40),
            width: 1.0,
            started: HashMap::new(),
        }
    }

    /// Hears what a thread did: how many others it started, and whether it changed something.
    pub(crate) fn stepped(&mut self, thread: Name, started: usize, changed: bool) {
        if started > 0 {
            *self.started.entry(thread).or_default() += started as u32;
        }
        if let Manner::Turns {
            last, left, makers, ..
        } = &mut self.manner
        {
            if let Some(still) = makers.get_mut(&thread) {
                *still = still.saturating_sub(started as u32);
            }
            if changed && *last == Some(thread) {
                *left = left.saturating_sub(1);
            }
        }
    }

    /// Whether all possibilities have the same chance.
    pub(crate) fn is_fair(&self) -> bool {
        matches!(self.manner, Manner::Fair)
    }

    /// One of these threads.
    pub(crate) fn pick(&mut self, able: &[Name], step: usize) -> Name {
        self.width *= able.len() as f64;
        let (priorities, drops) = match &mut self.manner {
            Manner::Fair => return able[self.random.below(able.len() as u64) as usize],
            Manner::Priorities(priorities, drops) => (priorities, drops),
            Manner::Uninterrupted { last, delayed } => {
                let goes_on = last.filter(|l| Some(*l) != *delayed && able.contains(l));
                let next = able.iter().copied().find(|n| Some(*n) != *delayed);
                let chosen = goes_on.or(next).unwrap_or(able[0]);
                *last = Some(chosen);
                return chosen;
            }
            Manner::Turns {
                last,
                left,
                each,
                delayed,
                makers,
            } => {
                let makes = |n: &&Name| makers.get(n).is_some_and(|still| *still > 0);
                if let Some(maker) = able.iter().find(makes) {
                    return *maker;
                }
                let stays = |l: &Name| *left > 0 && Some(*l) != *delayed && able.contains(l);
                if let Some(goes_on) = last.filter(stays) {
                    return goes_on;
                }
                let others = able.iter().copied().filter(|n| Some(*n) != *delayed);
                let behind = others.clone().filter(|n| last.is_none_or(|l| n.0 > l.0));
                let next = behind.min_by_key(|n| n.0).or(others.min_by_key(|n| n.0));
                let chosen = next.unwrap_or(able[0]);
                (*last, *left) = (Some(chosen), *each);
                return chosen;
            }
        };
        for name in able {
            let fresh = self.random.draw() | 1 << 32;
            priorities.entry(*name).or_insert(fresh);
        }
        let highest = |p: &HashMap<Name, u64>| able.iter().copied().max_by_key(|n| p[n]);
        let mut chosen = highest(priorities).unwrap_or(able[0]);
        if drops.contains(&step) {
            priorities.insert(chosen, step as u64);
            chosen = highest(priorities).unwrap_or(chosen);
        }
        chosen
    }
}

impl<'p, 'w> Search<'p, 'w> {
    /// A search that is only a walk.
    pub(crate) fn walking(
        program: &'p Program,
        options: &Options,
        mut walker: Walker,
        counts: Counts,
        mut doubts: Doubts,
        watcher: &'w mut dyn Watcher,
    ) -> Search<'p, 'w> {
        let values = Values::new(program, options.inputs.as_deref());
        let mut options = options.clone();
        options.strategy = Strategy::All;
        options.config.footprints = true;
        options.config.output = false;
        let mut script = Script::new(&values, Vec::new());
        script.random = Some(walker.random.clone());
        let root = options.root.as_deref();
        let (machine, names) = begin(program, &options.config, root, &mut script);
        doubts.sampled |= script.sampled;
        walker.width *= script.ways();
        walker.random.draw();
        Search {
            trace: Trace::new(script.given()),
            machine,
            values,
            options,
            names,
            nodes: Vec::new(),
            counts,
            doubts,
            watcher,
            place: None,
            stopped: false,
            crowded: false,
            walker: Some(walker),
            scratch: Vec::new(),
            pointers: Vec::new(),
        }
    }
}

/// Walks; also tells the guessed number of interleavings, and whether it was let to finish.
pub fn walk(
    program: &Program,
    options: &Options,
    walks: &Walks,
    watcher: &mut dyn Watcher,
) -> (Counts, Doubts, f64, bool) {
    let mut counts = Counts::default();
    let mut doubts = Doubts::default();
    let (mut widths, mut fair) = (0.0, 0.0);
    let mut length = 30;
    let mut threads = 0;
    let mut number = 0;
    let (mut crowds, mut perhaps) = (false, false);
    // The special ones first: without interruptions (turns of no length), then in turns; of the delayed one there is first none.
    let mut special: Option<(u32, Option<Name>)> = (walks.delayed > 0).then_some((0, None));
    let mut makers = HashMap::new();
    // They are few, and worth being longer.
    let deep = Options {
        depth: options.depth * DEEPER,
        ..options.clone()
    };
    loop {
        let walker = match special {
            Some((0, delayed)) => Walker::uninterrupted(walks, delayed),
            Some((each, delayed)) => Walker::in_turns(walks, each, delayed, makers.clone()),
            None if number == walks.count => break,
            None => {
                number += 1;
                Walker::new(walks, number - 1, length)
            }
        };
        let events = counts.events;
        let options = if special.is_some() { &deep } else { options };
        let mut search = Search::walking(program, options, walker, counts, doubts, watcher);
        search.run();
        if let Some(walker) = search.walker.as_ref().filter(|w| w.is_fair()) {
            widths += walker.width;
            fair += 1.0;
        }
        if let (Some((0, None)), Some(walker)) = (special, &search.walker) {
            makers = walker.started.clone();
        }
        let stopped = search.stopped;
        let crowded = search.crowded;
        perhaps = perhaps || may_be_crowd(&search.machine);
        threads = threads.max(search.names.all() as u32);
        special = special.and_then(|(each, delayed)| {
            let next = delayed.map_or(0, |n| n.0 + 1);
            let most = match each {
                0 => walks.delayed,
                _ => DELAYED_IN_TURNS.min(walks.delayed),
            };
            match next < threads.min(most) {
                true => Some((each, Some(Name(next)))),
                // One thread alone has nobody to take turns with.
                false => (each < TURNS && threads > 1).then_some((each + 1, None)),
            }
        });
        counts = search.counts;
        doubts = search.doubts;
        length = ((counts.events - events) as usize).max(2);
        let mut goes_on = !stopped;
        if crowded && goes_on && !crowds {
            crowds = true;
            goes_on = walk_in_crowds(program, options, walks.seed, &mut counts, watcher);
        }
        if !goes_on {
            return (counts, doubts, widths / f64::max(fair, 1.0), false);
        }
    }
    // With other inputs there may be many more threads.
    let mut goes_on = true;
    if !crowds && perhaps && doubts.sampled {
        goes_on = walk_in_crowds(program, options, walks.seed, &mut counts, watcher);
    }
    (counts, doubts, widths / f64::max(fair, 1.0), goes_on)
}
