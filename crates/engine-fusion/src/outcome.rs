//! What is asked of a search, and what it tells.

use crate::root::Root;
use crate::strategy::Strategy;
use crate::trace::{Name, Names, Trace};
use raddle_interp::thread::StopReason;
use raddle_interp::{Config, Machine};
use raddle_ir::{Location, Property};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is explored.
    pub strategy: Strategy,
    /// Which properties, and how the interpreter runs.
    pub config: Config,
    /// Look for data races.
    pub races: bool,
    /// At which point of the others' work the process ends matters.
    pub ends_matter: bool,
    /// Events in one execution.
    pub depth: usize,
    /// A thread whose steps, with no other's in between, lead back to the same state does not go on (`spin.rs`). Which executions that ends
    /// depends on the order of independent steps, so classes cannot be counted.
    pub whole_states: bool,
    /// How many times a thread that could go on may be interrupted in one execution.
    pub preemptions: Option<u32>,
    /// How many times another thread may go on than the last one.
    pub switches: Option<u32>,
    /// What each thread gets for its inputs; the configuration counts them then.
    pub inputs: Option<Vec<i128>>,
    /// Where executions begin, if not at the start of the program.
    pub root: Option<Rc<Root>>,
}

/// What was seen, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Executions that came to their end.
    pub executions: u64,
    /// Executions among them after which some thread is blocked.
    pub blocked: u64,
    /// Executions that were given up because everything left was explored elsewhere.
    pub redundant: u64,
    /// Executions that were cut at a bound.
    pub cut: u64,
    /// Those of them that had too many preemptions or switches.
    pub interrupted: u64,
    /// Events executed.
    pub events: u64,
    /// Events executed only to find out what they would do elsewhere.
    pub probes: u64,
}

/// What an exploration cannot vouch for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// Values were taken from a list.
    pub sampled: bool,
    /// A limit of the interpreter was hit, and which.
    pub limit: Option<String>,
    /// An address was used whose object is not known for sure.
    pub lost_provenance: bool,
    /// The program has looked at an address as a number.
    pub seen_address: bool,
    /// A handle was used of a thread that had been joined or detached.
    pub used_old_handle: bool,
    /// Threads stopped at undefined behaviour that is not checked.
    pub undefined: BTreeSet<(Location, u8)>,
}

impl Doubts {
    /// An execution is over.
    pub(crate) fn look_at(&mut self, machine: &Machine<'_>) {
        self.lost_provenance |= machine.lost_provenance();
        self.seen_address |= machine.seen_address();
        self.used_old_handle |= machine.used_old_handle();
        for (_, at, why) in machine.undefined() {
            self.undefined.insert((*at, kind_of_stop(*why)));
        }
    }
}

fn kind_of_stop(why: StopReason) -> u8 {
    match why {
        StopReason::Assume => 0,
        StopReason::InvalidAccess => 1,
        StopReason::DivisionByZero => 2,
        StopReason::Undefined => 3,
        StopReason::Limit => 4,
    }
}

/// A violation, and the events that lead to it.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The property.
    pub property: Property,
    /// The thread in which it shows.
    pub thread: Name,
    /// Where it shows.
    pub at: Location,
    /// For a race: where the other access is, if it is the last of the steps.
    pub other: Option<Location>,
    /// Threads and their answers, in order; the answers before the first event stand first.
    pub root: Vec<u32>,
    /// The steps.
    pub steps: Vec<(Name, Vec<u32>)>,
    /// The answers that the thread gets in the step behind them, if it is that in which the violation shows.
    pub last: Vec<u32>,
    /// Who is meant by a name.
    pub names: Names,
}

impl Hit {
    /// The same race with its accesses the other way round.
    pub fn swapped(&self) -> Option<Hit> {
        let at = self.other?;
        let mut steps = self.steps.clone();
        let (thread, last) = steps.pop()?;
        steps.push((self.thread, self.last.clone()));
        Some(Hit {
            thread,
            at,
            other: Some(self.at),
            steps,
            last,
            root: self.root.clone(),
            names: self.names.clone(),
            property: self.property,
        })
    }
}

/// Who watches a search.
pub trait Watcher {
    /// A violation; whether to go on.
    fn hit(&mut self, hit: Hit) -> bool;
    /// An execution came to its end; whether to go on.
    fn ended(&mut self, trace: &Trace, counts: &Counts) -> bool;
    /// An execution came to its end: after how many of its steps nothing else need be explored, if that is known. Only for
    /// [`Strategy::Sleep`].
    fn safe_after(&mut self, trace: &Trace, names: &Names) -> Option<usize> {
        let _ = (trace, names);
        None
    }
    /// Asked now and then; whether to go on.
    fn tick(&mut self, counts: &Counts) -> bool {
        let _ = counts;
        true
    }
}
