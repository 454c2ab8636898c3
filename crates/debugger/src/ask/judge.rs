//! The judge of questions: a claim counts if a run of the original program that continues the present state shows it.

use crate::ask::course::{Course, Start, Step, repeat, shorten, switches};
use crate::ask::edit::Edited;
use crate::ask::goal::{Goal, Shown};
use raddle_interp::thread::ThreadStatus;
use raddle_interp::{End, Machine, Snapshot, ThreadId};
use raddle_ir::{Op, Program, Property, Span};
use raddle_verdict::{Budget, Candidate, Found, Judge, StopCause};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// For how long a run is made shorter.
const SHORTENING: Duration = Duration::from_millis(150);

/// A run that shows what was asked for.
#[derive(Clone, Debug)]
pub struct Caught {
    /// What it does behind the present state.
    pub steps: Vec<Step>,
    /// What it shows.
    pub shown: Shown,
    /// The value that was asked for, if one was.
    pub value: Option<u128>,
}

/// Reads a value in the state that a machine is in.
pub type Reader<'a> = dyn Fn(&Machine<'_>) -> Option<u128> + Sync + 'a;

/// What becomes of a candidate.
type Judged = Result<Option<Caught>, String>;

/// A judge for one question.
pub struct Examiner<'a, 'p> {
    /// The present state of the program.
    pub start: &'a Start<'p>,
    /// The same state of the program that engines look at, and how that was made, if it is another one.
    pub edited: Option<(&'a Edited, &'a Start<'a>)>,
    /// What is asked for.
    pub goal: &'a Goal,
    /// Reads the value that is asked for in a state of the edited program that was claimed.
    pub value: Option<&'a Reader<'a>>,
    /// How many runs are wanted.
    pub most: usize,
    /// What was found.
    pub caught: Vec<Caught>,
    /// Stopped when enough was found.
    pub budget: Budget,
    /// The last candidate that was looked at.
    pub last: Option<(Candidate, Judged)>,
}

impl Examiner<'_, '_> {
    fn examine(&mut self, candidate: &Candidate) -> Judged {
        if let Some((known, judged)) = &self.last
            && known == candidate
        {
            return judged.clone();
        }
        let judged = self.look_at(candidate);
        self.last = Some((candidate.clone(), judged.clone()));
        judged
    }

    fn look_at(&self, candidate: &Candidate) -> Judged {
        let mut inside = false;
        let (steps, value) = match self.edited {
            None => (self.steps_to(candidate)?, None),
            Some((edited, start)) => {
                let checks = std::iter::once(Property::UnreachCall).collect();
                let mut course = start.course(candidate, checks);
                self.lead(&mut course, candidate)?;
                let Some(End::Violation(v)) = course.machine.end() else {
                    return Err("the run does not get there".into());
                };
                // A thread that got the handle of one that has ended is somebody else; that one has ended whatever else is reordered.
                let ended = |t: ThreadId| course.machine.thread(t).status == ThreadStatus::Finished;
                let somebody_else = match self.goal {
                    Goal::Reach(_, Some(t)) => *t != v.thread,
                    Goal::Meet(_, Some(t), _) => ended(*t),
                    _ => false,
                };
                if somebody_else {
                    return Ok(None);
                }
                let value = self.value.and_then(|read| read(&course.machine));
                inside = ends_inside(edited, &course.steps);
                (back(edited, &course.steps), value)
            }
        };
        let wakes = self.goal.wakes();
        let mut machine = match self.goal {
            Goal::Reach(..) => self.start.observed(),
            _ => self.start.machine(self.goal.checks(), wakes),
        };
        let here = machine.snapshot();
        let mut steps = steps;
        let mut shown = show(&mut machine, &here, &steps, self.goal);
        if shown.is_none() && matches!(self.goal, Goal::Meet(..)) {
            let mut found = None;
            for fewer in put_off(machine.program, &steps) {
                if let Some(shown) = show(&mut machine, &here, &fewer, self.goal) {
                    found = Some((fewer, shown));
                    break;
                }
            }
            if let Some((fewer, one)) = found {
                (steps, shown) = (fewer, Some(one));
            }
        }
        let Some((_, shown)) = shown else {
            // Inside of a region nobody is seen by others. Whoever is still in the line behind the region is noticed again there.
            let unseen = inside && matches!(self.goal, Goal::Meet(..));
            let another = self.edited.is_none() && self.goal.shows_another(&mut machine);
            return match (unseen || another, self.goal) {
                (true, _) => Ok(None),
                (false, Goal::Race(..)) => {
                    Err("which accesses race cannot be told, or depends on values".into())
                }
                (false, _) => Err("the run of the program itself goes another way".into()),
            };
        };
        Ok(Some(Caught {
            steps,
            shown,
            value,
        }))
    }

    /// The steps of a run of the program itself to the end of a candidate.
    fn steps_to(&self, candidate: &Candidate) -> Result<Vec<Step>, String> {
        let checks = self.goal.checks();
        let mut course = self.start.course(candidate, checks);
        let led = self.lead(&mut course, candidate);
        let race = candidate.property == Property::NoDataRace;
        if race && (led.is_err() || self.goal.shown(&mut course.machine).is_none()) {
            let mut write = self.start.course(candidate, checks);
            if self.lead_to_write(&mut write, candidate).is_ok() {
                return Ok(write.steps);
            }
        }
        led.map(|()| course.steps)
    }

    /// Leads a run to a write that races with what somebody looks at who waits: all others stand before their next operation.
    fn lead_to_write(&self, course: &mut Course<'_>, candidate: &Candidate) -> Result<(), String> {
        course.take(candidate, 0)?;
        let Some(writer) = course.thread(candidate.thread) else {
            return Err("the thread is not there".into());
        };
        while !course.is_before(writer, candidate.at) {
            if !course.advance(writer) {
                return Err("the write is not reached".into());
            }
        }
        let all: Vec<ThreadId> = course.machine.threads().collect();
        for t in all.into_iter().filter(|t| *t != writer) {
            course.pass_silent(t);
        }
        match self.goal.shown(&mut course.machine).is_some()
            || self.goal.shows_another(&mut course.machine)
        {
            true => Ok(()),
            false => Err("nobody looks at what is written".into()),
        }
    }

    /// Leads a run to the end of a candidate.
    fn lead(&self, course: &mut Course<'_>, candidate: &Candidate) -> Result<(), String> {
        if candidate.property == Property::NoDataRace {
            return self.lead_to_race(course, candidate);
        }
        if course.take(candidate, 0)? {
            return Ok(());
        }
        let Some(claimed) = course.thread(candidate.thread) else {
            return Err("the thread is not there".into());
        };
        match candidate.property {
            Property::NoDeadlock => course.run_until_stuck(claimed),
            _ => course.run_on(claimed),
        }
        match course.machine.end() {
            Some(End::Violation(v)) if v.property == candidate.property => Ok(()),
            _ => Err("the violation does not show".into()),
        }
    }

    /// Both threads stand before their accesses in the end.
    fn lead_to_race(&self, course: &mut Course<'_>, candidate: &Candidate) -> Result<(), String> {
        let own = candidate.steps.iter().rposition(|s| s.starts.is_none());
        let Some(last) = own else {
            return Err("a race needs two accesses".into());
        };
        course.take(candidate, candidate.steps.len() - last)?;
        let step = candidate.steps[last];
        let there = |c: &Course<'_>| {
            let t = c.thread(step.thread)?;
            (c.is_before(t, step.at) && c.machine.executions(t, step.at) + 1 == step.occurrence)
                .then_some(t)
        };
        let Some(first) = course.thread(step.thread) else {
            return Err("the thread is not there".into());
        };
        while there(course).is_none() {
            if !course.advance(first) {
                return Err("the first access is not reached".into());
            }
        }
        let Some(second) = course.thread(candidate.thread) else {
            return Err("the thread is not there".into());
        };
        while !course.is_before(second, candidate.at) {
            if !course.advance(second) {
                return Err("the second access is not reached".into());
            }
        }
        Ok(())
    }

    fn decide(&mut self, candidate: &Candidate) -> Result<Found, String> {
        let Some(mut caught) = self.examine(candidate)? else {
            return Err("it is not what was asked for".into());
        };
        if self.most == 1 {
            self.shorten(&mut caught);
        }
        let found = Found {
            property: candidate.property,
            // Another one at the same place may be nearer.
            span: Span::NOWHERE,
            object: None,
            message: caught.shown.what.clone(),
            schedule: String::new(),
            projection: Vec::new(),
        };
        self.caught.push(caught);
        if self.caught.len() >= self.most {
            self.budget.stop(StopCause::Cancelled);
        }
        Ok(found)
    }

    /// Makes a run shorter.
    pub fn shorten(&self, caught: &mut Caught) {
        let inside = matches!(self.goal, Goal::Reach(..));
        let mut machine = match inside {
            true => self.start.observed(),
            false => self.start.machine(self.goal.checks(), self.goal.wakes()),
        };
        let here = machine.snapshot();
        // A value was seen in one state: what others have not done yet matters.
        if self.value.is_some() {
            return;
        }
        let until = Instant::now() + SHORTENING;
        let steps = std::mem::take(&mut caught.steps);
        let wanted = caught.shown.threads.clone();
        caught.steps = shorten(steps, until, &mut |steps| {
            let (needed, shown) = show(&mut machine, &here, steps, self.goal)?;
            (shown.threads.first() == wanted.first()).then_some(needed)
        });
        if let Some((needed, shown)) = show(&mut machine, &here, &caught.steps, self.goal) {
            caught.steps.truncate(needed);
            caught.shown = shown;
        }
    }
}

/// What steps from a state show in the end, and how many of them it takes.
fn show(
    machine: &mut Machine<'_>,
    here: &Snapshot,
    steps: &[Step],
    goal: &Goal,
) -> Option<(usize, Shown)> {
    machine.restore(here);
    let taken = repeat(machine, steps)?;
    let shown = goal.shown(machine)?;
    Some((taken, shown))
}

/// How many of a thread's last instructions may have been taken too early. What it did inside of the library counts as part of the call.
const EARLY: usize = 40;

/// The same steps without the last few of one thread: it may have left its line, or have been stopped there (by an assumption, or undefined behaviour),
/// which nobody else had to wait for.
fn put_off<'a>(program: &'a Program, steps: &'a [Step]) -> impl Iterator<Item = Vec<Step>> + 'a {
    let threads: BTreeSet<ThreadId> = steps.iter().map(|s| s.thread).collect();
    threads.into_iter().flat_map(move |t| {
        let own = (0..steps.len())
            .rev()
            .filter(move |n| steps[*n].thread == t)
            .filter(move |n| !program.function(steps[*n].at.function).library);
        own.take(EARLY).map(move |from| {
            let all = steps.iter().enumerate();
            let stays = all.filter(|(n, s)| *n < from || s.thread != t);
            stays.map(|(_, s)| s.clone()).collect()
        })
    })
}

/// Whether the last step is a region.
fn ends_inside(edited: &Edited, steps: &[Step]) -> bool {
    steps.last().is_some_and(|last| {
        let op = edited.program.instr(last.at).map(|i| &i.op);
        matches!(op, Some(Op::AtomicBegin { .. }))
    })
}

/// The steps of the program itself.
fn back(edited: &Edited, steps: &[Step]) -> Vec<Step> {
    let original = |step: &Step| {
        let answers = step.answers.iter();
        Some(Step {
            thread: step.thread,
            at: edited.original(step.at)?,
            answers: answers
                .filter(|(c, _)| edited.original(c.at).is_some())
                .copied()
                .collect(),
        })
    };
    // Where it failed inside of a region, the program itself stands before that.
    let outside = &steps[..steps.len() - usize::from(ends_inside(edited, steps))];
    outside.iter().filter_map(original).collect()
}

/// Fewer changes of threads are nearer, then fewer steps.
pub fn distance(caught: &Caught) -> (usize, usize) {
    (switches(&caught.steps), caught.steps.len())
}

impl Judge for Examiner<'_, '_> {
    fn confirm(&mut self, candidate: &Candidate) -> Result<Found, String> {
        self.decide(candidate)
    }

    fn try_out(&mut self, candidate: &Candidate) -> Option<Found> {
        self.decide(candidate).ok()
    }

    fn wants(&mut self, candidate: &Candidate) -> bool {
        !matches!(self.examine(candidate), Ok(None))
    }
}
