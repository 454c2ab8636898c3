//! Single executions at random, to find what is easy to find, and to guess how large a search would be.
//!
//! Threads are picked with equal chances, or by random priorities that drop at a few random points (PCT, Burckhardt and others, ASPLOS
//! 2010). The size is guessed as Knuth did (Estimating the efficiency of backtrack programs, 1975): the product of the numbers of
//! possibilities on the way is, on average over walks with equal chances, the number of all interleavings. What it misses: the average of a few walks is
//! usually too small, because few walks meet the large parts.

use crate::script::{Script, Values};
use crate::search::{Counts, Doubts, Options, Search, Watcher};
use crate::strategy::Strategy;
use crate::trace::{Name, Names, Trace};
use raddle_interp::Machine;
use raddle_interp::schedulers::SplitMix;
use raddle_ir::Program;
use std::collections::HashMap;

/// How to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walks {
    /// How often.
    pub count: u32,
    /// Where random numbers begin.
    pub seed: u64,
    /// Every second walk goes by priorities that drop this often; never, if there is no number.
    pub drops: Option<u32>,
}

/// A walk in progress.
#[derive(Debug)]
pub(crate) struct Walker {
    pub random: SplitMix,
    /// The product of possibilities so far.
    pub width: f64,
    priorities: Option<HashMap<Name, u64>>,
    drops: Vec<usize>,
}

impl Walker {
    pub(crate) fn new(walks: &Walks, number: u32, length: usize) -> Walker {
        let mut random = SplitMix::new(walks.seed ^ u64::from(number) << 20);
        let drops = walks.drops.filter(|_| number % 2 == 1);
        let points = drops.unwrap_or(0);
        Walker {
            drops: (0..points)
                .map(|_| random.below(length as u64) as usize)
                .collect(),
            priorities: drops.map(|_| HashMap::new()),
            random,
            width: 1.0,
        }
    }

    /// Whether all possibilities have the same chance.
    pub(crate) fn is_fair(&self) -> bool {
        self.priorities.is_none()
    }

    /// One of these threads.
    pub(crate) fn pick(&mut self, able: &[Name], step: usize) -> Name {
        self.width *= able.len() as f64;
        let Some(priorities) = &mut self.priorities else {
            return able[self.random.below(able.len() as u64) as usize];
        };
        for name in able {
            let fresh = self.random.draw() | 1 << 32;
            priorities.entry(*name).or_insert(fresh);
        }
        let highest = |p: &HashMap<Name, u64>| able.iter().copied().max_by_key(|n| p[n]);
        let mut chosen = highest(priorities).unwrap_or(able[0]);
        if self.drops.contains(&step) {
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
        let machine = Machine::new(program, options.config.clone(), &mut script);
        doubts.sampled |= script.sampled;
        walker.width *= script.ways();
        let mut names = Names::new();
        for (maker, _, new) in &script.made {
            names.add(*maker, *new);
        }
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
    for number in 0..walks.count {
        let walker = Walker::new(walks, number, length);
        let events = counts.events;
        let mut search = Search::walking(program, options, walker, counts, doubts, watcher);
        search.run();
        if let Some(walker) = search.walker.as_ref().filter(|w| w.is_fair()) {
            widths += walker.width;
            fair += 1.0;
        }
        let stopped = search.stopped;
        counts = search.counts;
        doubts = search.doubts;
        length = ((counts.events - events) as usize).max(2);
        if stopped {
            return (counts, doubts, widths / f64::max(fair, 1.0), false);
        }
    }
    (counts, doubts, widths / f64::max(fair, 1.0), true)
}
