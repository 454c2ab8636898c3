//! Schedules with fewer context switches that show the same violation.
//!
//! A schedule is a list of segments, each some steps of one thread in a row. Segments are left out (many at once first, in
//! the manner of delta debugging, Zeller and Hildebrandt, TSE 2002), and segments of one thread are moved together, the later
//! forward or the earlier back. Each attempt is executed; it counts only if the same violation shows with fewer context
//! switches, or as many and fewer steps. So nothing has to be argued about independence. Where very many threads take part, whole threads are
//! left out first: all that the violation does not name, or else many at once.
//!
//! What it misses: it is greedy, and ends after a while. Choices are kept as they were.

use crate::answers::Answers;
use crate::follow::{Follow, Segment};
use crate::same::is_same;
use raddle_interp::schedule::{Event, Schedule};
use raddle_interp::schedulers::{Replay, Runner, Scheduler, Stop};
use raddle_interp::{
    Choice, Choices, Config, Enabled, End, Machine, Snapshot, ThreadId, Violation,
};
use raddle_ir::Program;
use raddle_verdict::Budget;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// How many threads that the violation does not name are many.
const MANY: usize = 32;
/// How many times longer than one run to try, whatever [`Effort::time`] says, and how long at most.
const LONG: u32 = 8;
const LONGEST: Duration = Duration::from_secs(2);

/// How hard to try.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Attempts.
    pub attempts: u32,
    /// Wall time.
    pub time: Duration,
    /// Stops it, too.
    pub budget: Budget,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            attempts: 400,
            time: Duration::from_millis(300),
            budget: Budget::unlimited(),
        }
    }
}

/// How often a schedule switches from one thread to another.
pub fn switches(events: &[Event]) -> usize {
    segments(events).len().saturating_sub(1)
}

fn segments(events: &[Event]) -> Vec<Segment> {
    let mut all: Vec<Segment> = Vec::new();
    for event in events {
        let Event::Step { thread, .. } = event else {
            continue;
        };
        match all.last_mut() {
            Some((last, steps)) if last == thread => *steps += 1,
            _ => all.push((*thread, 1)),
        }
    }
    all
}

/// What a shorter schedule has less of: context switches, then steps.
fn cost(events: &[Event]) -> (usize, u32) {
    let segments = segments(events);
    (segments.len(), segments.iter().map(|(_, n)| n).sum())
}

/// A schedule that shows this violation, at most as long as the given one, which has to show it.
pub fn shorten(
    program: &Program,
    schedule: &Schedule,
    violation: &Violation,
    effort: &Effort,
) -> Schedule {
    let mut attempts = Attempts::new(program, schedule, violation, effort);
    let mut best = schedule.events.clone();
    attempts.leave_out_threads(&mut best);
    loop {
        let before = cost(&best);
        let mut size = segments(&best).len() / 2;
        while size > 0 {
            attempts.improve(&mut best, |plan, i| without(plan, i * size, size));
            size /= 2;
        }
        attempts.improve(&mut best, pull_forward);
        attempts.improve(&mut best, push_back);
        if cost(&best) == before || attempts.over() {
            return Schedule {
                events: best,
                ..schedule.clone()
            };
        }
    }
}

/// A plan without some segments; `None` past its end.
fn without(plan: &[Segment], from: usize, size: usize) -> Option<Vec<Segment>> {
    let rest = plan.get(from..).filter(|r| !r.is_empty())?;
    let behind = &rest[size.min(rest.len())..];
    Some([&plan[..from], behind].concat())
}

/// The threads of a plan but for some, in the order in which they come.
fn others(plan: &[Segment], kept: &HashSet<ThreadId>) -> Vec<ThreadId> {
    let mut seen = kept.clone();
    let threads = plan.iter().map(|(t, _)| *t);
    threads.filter(|t| seen.insert(*t)).collect()
}

/// A plan without some of the other threads; `None` past the last of them.
fn without_threads(
    plan: &[Segment],
    kept: &HashSet<ThreadId>,
    from: usize,
    size: usize,
) -> Option<Vec<Segment>> {
    let others = others(plan, kept);
    let rest = others.get(from..).filter(|r| !r.is_empty())?;
    let gone: HashSet<ThreadId> = rest.iter().take(size).copied().collect();
    let stays = |s: &&Segment| !gone.contains(&s.0);
    Some(plan.iter().filter(stays).copied().collect())
}

/// The next segment of the i-th segment's thread comes right behind it.
fn pull_forward(plan: &[Segment], i: usize) -> Option<Vec<Segment>> {
    let (thread, _) = plan.get(i)?;
    let mut moved = plan.to_vec();
    if let Some(n) = plan[i + 1..].iter().position(|(t, _)| t == thread) {
        let later = moved.remove(i + 1 + n);
        moved.insert(i + 1, later);
    }
    Some(moved)
}

/// The i-th segment goes right before the next one of its thread.
fn push_back(plan: &[Segment], i: usize) -> Option<Vec<Segment>> {
    let (thread, _) = plan.get(i)?;
    let mut moved = plan.to_vec();
    if let Some(n) = plan[i + 1..].iter().position(|(t, _)| t == thread) {
        let earlier = moved.remove(i);
        moved.insert(i + n, earlier);
    }
    Some(moved)
}

/// Runs plans from the start of the program.
struct Attempts<'p, 'a> {
    machine: Machine<'p>,
    start: Snapshot,
    start_events: Vec<Event>,
    answers: Answers,
    violation: &'a Violation,
    budget: &'a Budget,
    left: u32,
    deadline: Instant,
}

impl<'p, 'a> Attempts<'p, 'a> {
    fn new(
        program: &'p Program,
        schedule: &Schedule,
        violation: &'a Violation,
        effort: &'a Effort,
    ) -> Attempts<'p, 'a> {
        let config = Config {
            checks: schedule.checks,
            spurious_wakeups: schedule.spurious_wakeups,
            reuse_addresses: schedule.reuse_addresses,
            output: false,
            ..Config::default()
        };
        let began = Instant::now();
        let answers = answers(program, &config, schedule);
        // A run that takes long is worth some attempts, too.
        let patience = (began.elapsed() * LONG).min(LONGEST).max(effort.time);
        let mut follow = Follow::new(&[], answers);
        let mut runner = Runner::new(&mut follow);
        let machine = runner.start(program, config);
        let start_events = runner.events;
        follow.answers.keep();
        Attempts {
            start: machine.snapshot(),
            machine,
            start_events,
            answers: follow.answers,
            violation,
            budget: &effort.budget,
            left: effort.attempts,
            deadline: Instant::now() + patience,
        }
    }

    fn over(&self) -> bool {
        self.left == 0 || Instant::now() >= self.deadline || self.budget.stopped().is_some()
    }

    /// Leaves out whole threads, if there are many.
    fn leave_out_threads(&mut self, best: &mut Vec<Event>) {
        let named = self.violation.related.iter().map(|r| r.thread);
        let mut kept = HashSet::from([ThreadId(0), self.violation.thread]);
        kept.extend(named);
        let count = others(&segments(best), &kept).len();
        if count < MANY {
            return;
        }
        // All of them at first; then half, a quarter and so on.
        let mut size = count;
        while size > 0 && !self.over() {
            self.improve(best, |plan, i| without_threads(plan, &kept, i * size, size));
            size /= 2;
        }
    }

    /// Tries the changes 0, 1, … until there are no more, and keeps what helps.
    fn improve(
        &mut self,
        best: &mut Vec<Event>,
        change: impl Fn(&[Segment], usize) -> Option<Vec<Segment>>,
    ) {
        let mut i = 0;
        let mut plan = segments(best);
        while let Some(changed) = change(&plan, i) {
            if self.over() {
                return;
            }
            let found = match changed == plan {
                true => None,
                false => self.run(&changed, cost(best).1),
            };
            match found.filter(|events| cost(events) < cost(best)) {
                Some(events) => {
                    *best = events;
                    plan = segments(best);
                }
                None => i += 1,
            }
        }
    }

    /// The events of a plan if the violation shows.
    fn run(&mut self, plan: &[Segment], steps: u32) -> Option<Vec<Event>> {
        self.left -= 1;
        self.machine.restore(&self.start);
        let mut follow = Follow::new(plan, self.answers.clone());
        let mut runner = Runner::new(&mut follow);
        runner.events = self.start_events.clone();
        let deadline = self.deadline;
        let mut in_time = |_: &mut Machine<'_>| Instant::now() < deadline;
        let limit = u64::from(steps) + 1;
        match runner.run(&mut self.machine, limit, &mut in_time) {
            Stop::Ended(End::Violation(v)) if is_same(&v, self.violation) => Some(runner.events),
            _ => None,
        }
    }
}

/// The answers of a schedule, by who asked where.
fn answers(program: &Program, config: &Config, schedule: &Schedule) -> Answers {
    struct Log {
        replay: Replay,
        answers: Answers,
    }
    impl Choices for Log {
        fn choose(&mut self, choice: &Choice) -> u128 {
            let value = self.replay.choose(choice);
            let key = (choice.thread.0, choice.at, choice.kind.class());
            self.answers.push(key, value);
            value
        }
    }
    impl Scheduler for Log {
        fn pick(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
            self.replay.pick(machine, enabled)
        }
    }
    let mut log = Log {
        replay: Replay::new(schedule),
        answers: Answers::default(),
    };
    let mut runner = Runner::new(&mut log);
    let mut machine = runner.start(program, config.clone());
    runner.run(&mut machine, u64::MAX, &mut |_| true);
    log.answers
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ThreadId = ThreadId(0);
    const B: ThreadId = ThreadId(1);

    #[test]
    fn segments_are_dropped_and_moved_together() {
        let plan = [(A, 1), (B, 2), (A, 3), (B, 4)];
        assert_eq!(without(&plan, 1, 2), Some(vec![(A, 1), (B, 4)]));
        assert_eq!(without(&plan, 3, 2), Some(vec![(A, 1), (B, 2), (A, 3)]));
        assert_eq!(without(&plan, 4, 2), None);
        let pulled = vec![(A, 1), (A, 3), (B, 2), (B, 4)];
        assert_eq!(pull_forward(&plan, 0), Some(pulled.clone()));
        assert_eq!(pull_forward(&plan, 3), Some(plan.to_vec()));
        assert_eq!(pull_forward(&plan, 4), None);
        let kept = HashSet::from([A]);
        let alone = Some(vec![(A, 1), (A, 3)]);
        assert_eq!(without_threads(&plan, &kept, 0, 2), alone);
        assert_eq!(without_threads(&plan, &kept, 1, 2), None);
        let pushed = vec![(B, 2), (A, 1), (A, 3), (B, 4)];
        assert_eq!(push_back(&plan, 0), Some(pushed));
    }
}
