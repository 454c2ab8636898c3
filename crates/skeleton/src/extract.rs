//! From a model to a run: which instructions of which threads happen in which order, and what the program is told.

use crate::compose::Composition;
use crate::event::{EventNo, Kind, Skeleton, Target};
use crate::guard::Guard;
use crate::names::ThreadNo;
use raddle_ir::{ChoiceClass, Location};
use raddle_solver::Model;
use raddle_solver::term::{TermId, Value};
use std::collections::{HashMap, HashSet};

/// An instruction that is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// By whom.
    pub thread: ThreadNo,
    /// Which.
    pub at: Location,
    /// For the how manieth time by this thread.
    pub occurrence: u32,
    /// The thread it makes.
    pub makes: Option<ThreadNo>,
}

/// An answer to a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunChoice {
    /// Who asks.
    pub thread: ThreadNo,
    /// Where.
    pub at: Location,
    /// What kind of choice.
    pub kind: ChoiceClass,
    /// For which execution of the instruction, if it matters.
    pub occurrence: Option<u32>,
    /// The answer.
    pub value: u128,
}

/// A run that reaches a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The steps that others notice, in order.
    pub steps: Vec<RunStep>,
    /// The choices, for every thread in order.
    pub choices: Vec<RunChoice>,
}

struct Reader<'a> {
    skeleton: &'a Skeleton,
    values: HashMap<TermId, Value>,
}

impl Reader<'_> {
    fn holds(&self, guard: Guard) -> bool {
        let term = self.skeleton.guards.term(guard);
        matches!(self.values.get(&term), Some(Value::Bool(true)))
    }

    /// The step of a log entry, with its number among the executions of the same instruction.
    fn step(&self, thread: ThreadNo, entry: u32) -> RunStep {
        let log = &self.skeleton.threads[thread.0 as usize];
        let at = log.entries[entry as usize].at;
        let same = |i: &&crate::event::Entry| i.at == at && self.holds(i.guard);
        let earlier = log.entries[..entry as usize].iter().filter(same).count();
        RunStep {
            thread,
            at,
            occurrence: earlier as u32 + 1,
            makes: None,
        }
    }
}

/// Reads a run that reaches a target from a model; for a deadlock, the whole run.
pub fn extract(
    skeleton: &Skeleton,
    composition: &Composition,
    model: &Model,
    target: &Target,
    deadlock: bool,
) -> Option<Run> {
    let mut roots: Vec<TermId> = Vec::new();
    for log in &skeleton.threads {
        roots.extend(log.entries.iter().map(|e| skeleton.guards.term(e.guard)));
        for a in &log.asked {
            roots.extend([skeleton.guards.term(a.guard), a.value]);
        }
    }
    roots.extend(
        skeleton
            .events
            .iter()
            .map(|e| skeleton.guards.term(e.guard)),
    );
    for region in &skeleton.regions {
        roots.extend(region.done.iter().map(|g| skeleton.guards.term(*g)));
    }
    let values = skeleton.pool.eval_all(&roots, &model.values).ok()?;
    let reader = Reader { skeleton, values };

    let ours: HashMap<u32, EventNo> = composition
        .ids
        .iter()
        .enumerate()
        .filter_map(|(i, id)| id.map(|id| (id.0, EventNo(i as u32))))
        .collect();
    // The last event of the target's thread before the target: whatever comes later in the order is not needed.
    let own = &skeleton.threads[target.thread.0 as usize];
    let until = target.after.map_or(0, |last| {
        own.events
            .iter()
            .position(|e| *e == last)
            .map_or(0, |p| p + 1)
    });
    let is_there = |e: &&EventNo| {
        composition.ids[e.0 as usize].is_some() && reader.holds(skeleton.events[e.0 as usize].guard)
    };
    let mut last = own.events[..until].iter().rev().find(is_there).copied();
    if last.is_none() {
        // It has done nothing yet that others notice; but it was started.
        let starts = |e: &&crate::event::Event| e.kind == Kind::Start(target.thread);
        let start = skeleton.events.iter().position(|e| starts(&e));
        last = start.map(|i| EventNo(i as u32));
    }

    // Of two racing accesses, the later one.
    if let Some((a, b)) = target.pair {
        let later = model.order.iter().rev().find_map(|id| {
            let e = *ours.get(&id.0)?;
            (e == a || e == b).then_some(e)
        });
        last = later.or(last);
    }
    // A deadlock is a matter of everything that happens.
    if deadlock {
        last = model.order.iter().rev().find_map(|id| {
            let e = *ours.get(&id.0)?;
            (!skeleton.events[e.0 as usize].last).then_some(e)
        });
    }
    let mut steps: Vec<RunStep> = Vec::new();
    let mut blocks = HashSet::new();
    if let Some(last) = last {
        for id in &model.order {
            let Some(&e) = ours.get(&id.0) else { continue };
            let event = &skeleton.events[e.0 as usize];
            if reader.holds(event.guard) && !event.last {
                let entry = match event.block {
                    Some(b) => skeleton.regions[b as usize].entry,
                    None => event.entry,
                };
                // A region that is not gone through is not entered: its reads only found out that.
                let goes_through = event.block.is_none_or(|b| {
                    let region = &skeleton.regions[b as usize];
                    let here = event.thread == target.thread && target.inside == Some(b);
                    here || region.done.iter().any(|g| reader.holds(*g))
                });
                if goes_through && event.block.is_none_or(|b| blocks.insert(b)) {
                    if let Kind::Start(child) = event.kind
                        && let Some((_, made)) = skeleton.threads[child.0 as usize].made
                    {
                        let mut step = reader.step(event.thread, made);
                        step.makes = Some(child);
                        steps.push(step);
                    }
                    steps.push(reader.step(event.thread, entry));
                }
            }
            if e == last {
                break;
            }
        }
    }
    let mut choices = Vec::new();
    for (i, log) in skeleton.threads.iter().enumerate() {
        for a in &log.asked {
            if !reader.holds(a.guard) {
                continue;
            }
            let value = match reader.values.get(&a.value) {
                Some(Value::Bool(b)) => u128::from(*b),
                Some(Value::Bits(v)) => *v,
                _ => 0,
            };
            choices.push(RunChoice {
                thread: ThreadNo(i as u32),
                at: a.at,
                kind: a.kind,
                occurrence: a
                    .entry
                    .map(|e| reader.step(ThreadNo(i as u32), e).occurrence),
                value,
            });
        }
    }
    Some(Run { steps, choices })
}
