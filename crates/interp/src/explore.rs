//! All interleavings, one by one: the oracle everything cleverer is held against.
//!
//! Depth first with snapshots over every enabled thread and every answer to every choice, without any partial-order reduction; states
//! seen before are not entered again unless that is switched off. Data races are judged by their definition (two threads of which
//! either can come next, with conflicting accesses; a thread that waits for a lock looks at it all the time), not by happens-before, so
//! this is also an oracle for [`crate::race`]. With weak memory orders happens-before *is* the definition; then it is asked of every
//! execution, and no state is remembered.
//!
//! Values (inputs, uninitialised memory) are drawn from a small list, so a finished exploration is
//! complete only for programs that ask for none; [`Exploration::sampled`] says whether one did.

use crate::choice::{Choice, Choices};
use crate::config::{Checks, Config};
use crate::machine::{End, Logged, Machine, Outcome, ThreadId};
use crate::pending::PendingKind;
use crate::value::ObjectId;
use raddle_ir::{Location, Program, Property};
use std::collections::{BTreeSet, HashSet};

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exploration {
    /// Executions run to their end.
    pub executions: u64,
    /// Steps taken.
    pub steps: u64,
    /// Every violation: the property and a place in the user's code.
    pub violations: BTreeSet<(Property, Location)>,
    /// The search ended before everything was seen.
    pub cut: bool,
    /// Values were drawn from a list instead of tried in full.
    pub sampled: bool,
}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Steps in one execution.
    pub depth: u64,
    /// Steps in all.
    pub steps: u64,
    /// Stop at the first violation.
    pub first_only: bool,
    /// Do not enter a state again that was seen before. What is left out is what counts executions.
    pub remember: bool,
}

impl Limits {
    /// Without remembered states, where what is looked for is a matter of whole executions.
    fn without_memory_if(self, whole: bool) -> Limits {
        Limits {
            remember: self.remember && !whole,
            ..self
        }
    }
}

/// Answers from a script; past its end with 0, and the questions asked are written down.
struct Script<'a> {
    /// What is tried for a scalar.
    values: &'a [i128],
    answers: Vec<u32>,
    /// For every question: how many answers there are.
    asked: Vec<u32>,
    sampled: bool,
}

impl Choices for Script<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let n = self.asked.len();
        let answer = self.answers.get(n).copied().unwrap_or(0);
        let value = match choice.options {
            0 => {
                self.sampled |= choice.bits > 1;
                let values = if choice.bits == 1 {
                    2
                } else {
                    self.values.len()
                };
                self.asked.push(values as u32);
                self.values[answer as usize % self.values.len()] as u128
            }
            options => {
                self.asked.push(options);
                u128::from(answer)
            }
        };
        if choice.bits < 128 && choice.options == 0 {
            value & ((1 << choice.bits) - 1)
        } else {
            value
        }
    }
}

impl<'a> Script<'a> {
    fn new(values: &'a [i128], answers: Vec<u32>) -> Script<'a> {
        Script {
            values,
            answers,
            asked: Vec::new(),
            sampled: false,
        }
    }

    /// The next script in order that differs in an answer, or `None` after the last.
    fn next(&self) -> Option<Vec<u32>> {
        let mut answers = self.answers.clone();
        answers.resize(self.asked.len(), 0);
        while let Some(last) = answers.pop() {
            if last + 1 < self.asked[answers.len()] {
                answers.push(last + 1);
                return Some(answers);
            }
        }
        None
    }
}

/// Runs every interleaving of a program.
pub fn explore(program: &Program, config: Config, limits: Limits) -> Exploration {
    let mut found = Exploration::default();
    let (checks, races) = split(program, config.checks);
    let limits = limits.without_memory_if(checks.has(Property::NoDataRace));
    let config = Config {
        checks,
        output: false,
        ..config
    };
    let values = crate::constants::interesting(program);
    let mut search = Search {
        values: &values,
        limits,
        races,
        seen: HashSet::new(),
        found: &mut found,
    };
    let mut answers = Some(Vec::new());
    while let Some(script) = answers {
        // What is asked before the first step can be very much, too.
        search.found.steps += 1;
        search.found.cut |= search.found.steps > limits.steps;
        if search.done() {
            break;
        }
        let mut script = Script::new(&values, script);
        let mut machine = Machine::new(program, config.clone(), &mut script);
        search.found.sampled |= script.sampled;
        search.visit(&mut machine, 0);
        answers = script.next();
    }
    found
}

/// What the machine is to check, and whether races are judged by their definition instead.
fn split(program: &Program, checks: Checks) -> (Checks, bool) {
    let races = checks.has(Property::NoDataRace);
    if !races || program.weak_accesses().next().is_some() {
        return (checks, false);
    }
    let others = checks.iter().filter(|p| *p != Property::NoDataRace);
    (others.collect(), true)
}

/// Runs every interleaving that continues the state a machine is in, and brings it back there.
pub fn explore_from(machine: &mut Machine<'_>, limits: Limits) -> Exploration {
    let mut found = Exploration::default();
    let checks = machine.config.checks;
    let (left, races) = split(machine.program, checks);
    let limits = limits.without_memory_if(left.has(Property::NoDataRace));
    machine.config.checks = left;
    let here = machine.snapshot();
    if machine.end().is_none() && checks.has(Property::NoDeadlock) {
        machine.look_for_deadlock();
    }
    let mut search = Search {
        values: &crate::constants::interesting(machine.program),
        limits,
        races,
        seen: HashSet::new(),
        found: &mut found,
    };
    search.visit(machine, 0);
    machine.restore(&here);
    machine.config.checks = checks;
    found
}

struct Search<'a> {
    values: &'a [i128],
    limits: Limits,
    races: bool,
    seen: HashSet<u128>,
    found: &'a mut Exploration,
}

impl Search<'_> {
    fn done(&self) -> bool {
        self.found.cut || (self.limits.first_only && !self.found.violations.is_empty())
    }

    fn visit(&mut self, machine: &mut Machine<'_>, depth: u64) {
        if self.done() {
            return;
        }
        if let Some(end) = machine.end() {
            self.found.executions += 1;
            match end {
                End::Violation(v) => {
                    self.found.violations.insert((v.property, v.at));
                }
                End::Limit(_) => self.found.cut = true,
                End::Exit(_) | End::Abort => {}
            }
            return;
        }
        let enabled = machine.enabled();
        if enabled.is_empty() {
            self.found.executions += 1;
            return;
        }
        if self.limits.remember && !self.seen.insert(machine.digest()) {
            return;
        }
        if depth >= self.limits.depth {
            self.found.cut = true;
            return;
        }
        let here = machine.snapshot();
        let mut accesses: Vec<(ThreadId, Vec<Logged>)> = Vec::new();
        let mut refused: Vec<(ThreadId, Vec<u32>)> = Vec::new();
        for t in enabled {
            let mut answers = Some(Vec::new());
            while let Some(script) = answers {
                let mut script = Script::new(self.values, script);
                self.found.steps += 1;
                if self.found.steps > self.limits.steps {
                    self.found.cut = true;
                    return;
                }
                let (outcome, log) = machine.step_logged(t, &mut script);
                self.found.sampled |= script.sampled;
                if outcome == Outcome::Refused {
                    match machine.end() {
                        Some(_) => self.visit(machine, depth + 1),
                        None => refused.push((t, script.answers.clone())),
                    }
                }
                if outcome == Outcome::Done {
                    if self.races {
                        accesses.push((t, log));
                    }
                    self.visit(machine, depth + 1);
                }
                machine.restore(&here);
                answers = script.next();
            }
        }
        if self.races {
            accesses.extend(looks(machine));
        }
        self.note_races(&accesses);
        if refused.len() > 1 {
            self.refused_together(machine, &refused, depth);
            machine.restore(&here);
        }
    }

    /// Threads that were each refused an atomic region here may wait for one another: that shows only once all of them have
    /// tried, each with one of the answers it was refused with.
    fn refused_together(
        &mut self,
        machine: &mut Machine<'_>,
        refused: &[(ThreadId, Vec<u32>)],
        depth: u64,
    ) {
        let Some((first, _)) = refused.first() else {
            return;
        };
        let mine = refused.partition_point(|(t, _)| t == first);
        let here = machine.snapshot();
        for (t, answers) in &refused[..mine] {
            let mut script = Script::new(self.values, answers.clone());
            machine.step(*t, &mut script);
            match machine.end() {
                Some(_) => self.visit(machine, depth + 1),
                None => self.refused_together(machine, &refused[mine..], depth),
            }
            machine.restore(&here);
        }
    }

    /// Every pair of threads that could go next with conflicting accesses is a race; who waits goes on looking.
    fn note_races(&mut self, accesses: &[(ThreadId, Vec<Logged>)]) {
        for (i, (t, mine)) in accesses.iter().enumerate() {
            for (_, theirs) in accesses[i + 1..].iter().filter(|(o, _)| o != t) {
                for (a, b) in mine.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))) {
                    if conflict(a, b) {
                        self.found.violations.insert((Property::NoDataRace, a.at));
                        self.found.violations.insert((Property::NoDataRace, b.at));
                    }
                }
            }
        }
    }
}

/// What the threads that are blocked here look at.
fn looks(machine: &Machine<'_>) -> Vec<(ThreadId, Vec<Logged>)> {
    let look = |t: ThreadId| {
        let pending = machine.pending(t)?;
        let PendingKind::Sync(op) = pending.kind else {
            return None;
        };
        if pending.enabled || !op.looks_while_blocked() || pending.object == ObjectId::NONE {
            return None;
        }
        let logged = Logged {
            object: pending.object,
            offset: pending.offset,
            length: 4,
            write: false,
            atomic: true,
            in_block: false,
            at: machine.user_location(t, machine.thread(t).frames.last()?),
        };
        Some((t, vec![logged]))
    };
    machine.threads().filter_map(look).collect()
}

fn conflict(a: &Logged, b: &Logged) -> bool {
    let overlap =
        a.object == b.object && a.offset < b.offset + b.length && b.offset < a.offset + a.length;
    overlap && (a.write || b.write) && !(a.atomic && b.atomic) && !(a.in_block && b.in_block)
}
