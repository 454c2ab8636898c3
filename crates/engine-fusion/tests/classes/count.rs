//! Classes counted the dumb way: every interleaving, each brought into a normal form, the distinct ones counted.
//!
//! The normal form is Foata's: an event stands in the first layer in which it conflicts with nothing earlier that is not
//! in a layer before. It is computed from the touches alone, pair by pair, with no use of the search's clocks.
//!
//! Reads-from classes are counted in the same way: by event, who wrote each byte it reads.

use raddle_engine_fusion::Strategy;
use raddle_engine_fusion::search::{Counts, Hit, Options, Watcher, search};
use raddle_engine_fusion::trace::Trace;
use raddle_interp::footprint::{Cell, Mode};
use raddle_interp::{Checks, Config};
use raddle_ir::{Location, Op, Program, Property};
use std::collections::{BTreeMap, BTreeSet};

/// Layer, thread, index and answers of every event, sorted.
type Form = Vec<(u32, u32, u32, Vec<u32>)>;

/// What a search of one kind saw.
#[derive(Default)]
pub struct Seen {
    pub counts: Counts,
    pub complete: bool,
    /// Classes with the number of their executions.
    pub classes: BTreeMap<Form, u64>,
    pub hits: BTreeSet<(Property, Location)>,
    /// Reads-from classes with the number of their executions; only on request.
    pub readings: BTreeMap<Reading, u64>,
    program: Option<Program>,
    most: u64,
    forms: bool,
}

/// Thread, index and answers of every event, and who wrote each byte that it reads, sorted.
type Reading = Vec<(u32, u32, Vec<u32>, Vec<Option<(u32, u32)>>)>;

impl Watcher for Seen {
    fn hit(&mut self, hit: Hit) -> bool {
        self.hits.insert((hit.property, hit.at));
        self.hits.extend(hit.other.map(|at| (hit.property, at)));
        true
    }

    fn tick(&mut self, counts: &Counts) -> bool {
        counts.events < 20 * self.most
    }

    fn ended(&mut self, trace: &Trace, counts: &Counts) -> bool {
        if self.forms {
            *self.classes.entry(normal_form(trace)).or_default() += 1;
        }
        if let Some(program) = &self.program {
            *self.readings.entry(reading(program, trace)).or_default() += 1;
        }
        counts.executions < self.most
    }
}

/// Foata's normal form.
fn normal_form(trace: &Trace) -> Form {
    let events = trace.events();
    let mut layers: Vec<u32> = Vec::new();
    for b in 0..events.len() {
        let mut layer = 0;
        for a in 0..b {
            let whole = |t: &raddle_interp::footprint::Touch| t.cell == Cell::Everything;
            let conflict = events[a].thread == events[b].thread
                || trace.touches(a).iter().any(whole)
                || trace.touches(b).iter().any(whole)
                || trace
                    .touches(a)
                    .iter()
                    .any(|x| trace.touches(b).iter().any(|y| x.conflicts(y)))
                || trace.birth(events[b].thread) == Some(a);
            if conflict {
                layer = layer.max(layers[a] + 1);
            }
        }
        layers.push(layer);
    }
    let mut all: Vec<_> = (0..events.len())
        .map(|i| {
            let e = events[i];
            (layers[i], e.thread.0, e.index, trace.answers(i).to_vec())
        })
        .collect();
    all.sort();
    all.push((0, 0, 0, trace.root().to_vec()));
    all
}

/// Who reads from whom in an execution.
fn reading(program: &Program, trace: &Trace) -> Reading {
    let mut written: BTreeMap<(u32, u32, u32), (u32, u32)> = BTreeMap::new();
    let mut all = Reading::new();
    for (at, event) in trace.events().iter().enumerate() {
        let op = program.instr(event.at).map(|i| &i.op);
        let blind = matches!(op, Some(Op::Store { access, .. }) if access.bits.is_none());
        let mut seen = Vec::new();
        let touches = trace.touches(at).iter();
        for t in touches.filter(|t| t.cell == Cell::Memory && !t.quiet) {
            for byte in t.from..t.to {
                let place = (t.owner.0, t.serial, byte);
                if t.mode == Mode::Read || !blind {
                    seen.push(written.get(&place).copied());
                }
                if t.mode != Mode::Read {
                    written.insert(place, (event.thread.0, event.index));
                }
            }
        }
        all.push((
            event.thread.0,
            event.index,
            trace.answers(at).to_vec(),
            seen,
        ));
    }
    all.sort();
    all.push((0, 0, trace.root().to_vec(), Vec::new()));
    all
}

fn options(strategy: Strategy, checks: Checks) -> Options {
    let wanted = checks.iter().filter(|p| *p != Property::NoDataRace);
    Options {
        strategy,
        config: Config {
            checks: wanted.collect(),
            spurious_wakeups: !checks.has(Property::NoDeadlock),
            visible_to_the_last: true,
            quantum: 100,
            ..Config::default()
        },
        races: checks.has(Property::NoDataRace),
        ends_matter: checks.has(Property::ValidMemtrack),
        depth: 500,
        whole_states: false,
        preemptions: None,
        switches: None,
        inputs: None,
        root: None,
    }
}

/// Whether a search for reads-from classes finds a violation; nothing where the program is not for that search, or too large.
pub fn violated_by_reading(program: &Program, checks: Checks, most: u64) -> Option<bool> {
    struct First(bool, u64);
    impl Watcher for First {
        fn hit(&mut self, _: Hit) -> bool {
            self.0 = true;
            false
        }

        fn ended(&mut self, _: &Trace, counts: &Counts) -> bool {
            counts.executions < self.1
        }

        fn tick(&mut self, counts: &Counts) -> bool {
            counts.events + counts.probes < 20 * self.1
        }
    }
    let mut first = First(false, most);
    let options = options(Strategy::ReadsFrom, checks);
    let explored = raddle_engine_fusion::reads_from::search(program, &options, &mut first);
    let (counts, _, complete) = explored.ok()?;
    (first.0 || complete && counts.cut == 0).then_some(first.0)
}

/// What a search for reads-from classes saw, and what all interleavings show; nothing where the program is not for that search.
pub fn explore_readings(program: &Program, most: u64) -> Option<(Seen, Seen)> {
    let options = |strategy| options(strategy, Checks::none());
    let seen = || Seen {
        most,
        program: Some(program.clone()),
        ..Seen::default()
    };
    let mut ours = seen();
    let explored =
        raddle_engine_fusion::reads_from::search(program, &options(Strategy::ReadsFrom), &mut ours);
    let (counts, _, complete) = explored.ok()?;
    ours.complete = complete && counts.cut == 0;
    ours.counts = counts;
    let mut all = seen();
    let (counts, _, complete) = search(program, &options(Strategy::All), &mut all);
    all.complete = complete && counts.cut == 0;
    all.counts = counts;
    Some((ours, all))
}

/// Explores a program in one way, looking for violations of these properties.
pub fn explore(program: &Program, strategy: Strategy, checks: Checks, most: u64) -> Seen {
    let quiet = checks.has(Property::NoDeadlock);
    let ends = checks.has(Property::ValidMemtrack);
    explore_with(program, strategy, checks, (!quiet, ends), most)
}

/// The same, with or without spurious wake-ups, and with or without regard to when the process ends.
pub fn explore_with(
    program: &Program,
    strategy: Strategy,
    checks: Checks,
    (spurious_wakeups, ends_matter): (bool, bool),
    most: u64,
) -> Seen {
    let races = checks.has(Property::NoDataRace);
    let options = Options {
        strategy,
        config: Config {
            checks: checks
                .iter()
                .filter(|p| *p != Property::NoDataRace)
                .collect(),
            spurious_wakeups,
            quantum: 100,
            ..Config::default()
        },
        races,
        ends_matter,
        depth: 500,
        whole_states: checks != Checks::none() && most < 100_000,
        preemptions: None,
        switches: None,
        inputs: None,
        root: None,
    };
    let mut seen = Seen {
        most,
        forms: checks == Checks::none() || most > 100_000,
        ..Seen::default()
    };
    let (counts, _, complete) = search(program, &options, &mut seen);
    seen.complete = complete && counts.cut == 0;
    seen.counts = counts;
    seen
}
