//! The nearest run that fails, and the nearest that does not.

use crate::ask::course::{Step, switches};
use crate::ask::goal::{Goal, Shown};
use crate::ask::judge::{Caught, Examiner, distance};
use crate::ask::{Answer, Asker, Outcome, Question};
use raddle_interp::{Checks, Choice, Choices, End, Machine, ThreadId};
use raddle_ir::Property;
use raddle_verdict::Budget;
use std::time::{Duration, Instant};

/// How many failing runs are compared.
const FAILING: usize = 40;
/// How many of them are made as short as possible.
const SHORTENED: usize = 4;
/// Instructions of a run that may be a passing one.
const MOST_STEPS: usize = 200_000;
/// Instructions of one thread in a row.
const TURN: u32 = 5_000;
/// For how long a passing run is looked for.
const PASSING: Duration = Duration::from_millis(1_000);

impl Asker<'_> {
    /// Among the runs found that violate a property (assertions, deadlocks), that with the fewest changes of threads and then the fewest steps.
    pub fn nearest_failing(&self, property: Property) -> Answer {
        let goal = match property {
            Property::UnreachCall => Goal::Assertion(None),
            Property::NoDeadlock => Goal::Deadlock,
            _ => {
                return Answer::Unknown {
                    why: format!("{property} is not looked at here"),
                };
            }
        };
        let question = Question {
            most: FAILING,
            ..self.plain(&goal, property, false)
        };
        match self.ask(&question) {
            Outcome::Caught(mut all) => {
                all.sort_by_key(distance);
                all.truncate(SHORTENED);
                for caught in &mut all {
                    self.examiner(&goal).shorten(caught);
                }
                match all.iter().min_by_key(|c| distance(c)) {
                    Some(nearest) => self.tell(nearest),
                    None => Answer::Unknown {
                        why: "what was found is lost".into(),
                    },
                }
            }
            Outcome::Proved { how, assumptions } => Answer::No { how, assumptions },
            Outcome::Unknown(why) => Answer::Unknown { why },
        }
    }

    fn examiner<'a>(&'a self, goal: &'a Goal) -> Examiner<'a, 'a> {
        Examiner {
            start: &self.start,
            edited: None,
            goal,
            value: None,
            most: 1,
            caught: Vec::new(),
            budget: Budget::unlimited(),
            last: None,
        }
    }

    /// A run in which the process comes to its end and nothing of these properties goes wrong: uninterrupted from here, or after one or two
    /// changes of threads. That none was found does not say that there is none.
    pub fn nearest_passing(&self, properties: &[Property]) -> Answer {
        let checks: Checks = properties.iter().copied().collect();
        let wakes = !checks.has(Property::NoDeadlock);
        let until = Instant::now() + PASSING;
        let mut machine = self.start.machine(checks, wakes);
        let here = machine.snapshot();
        let mut best: Option<Vec<Step>> = None;
        let all: Vec<ThreadId> = machine.threads().collect();
        let count = all.len() as u32;
        // Whoever is first, and how long the first goes on before somebody else does.
        for first in all {
            for turn in [TURN, 1, 3, 10, 30, 100] {
                for next in 0..count.min(4) {
                    if Instant::now() > until || self.budget.stopped().is_some() {
                        break;
                    }
                    machine.restore(&here);
                    let run = uninterrupted(&mut machine, first, turn, next, until);
                    let shorter = |run: &Vec<Step>| {
                        let cost = |s: &[Step]| (switches(s), s.len());
                        best.as_ref().is_none_or(|b| cost(run) < cost(b))
                    };
                    if let Some(run) = run.filter(shorter) {
                        best = Some(run);
                    }
                    if turn == TURN {
                        break;
                    }
                }
            }
        }
        match best {
            Some(steps) => self.tell(&Caught {
                steps,
                shown: Shown {
                    what: "the process ends, and nothing goes wrong".into(),
                    threads: Vec::new(),
                    violation: None,
                },
                value: None,
            }),
            None => Answer::Unknown {
                why: "no run was found that ends well".into(),
            },
        }
    }
}

/// A run from here in which one thread goes on for a while, then the others, each until it cannot; if it ends well.
fn uninterrupted(
    machine: &mut Machine<'_>,
    first: ThreadId,
    turn: u32,
    next: u32,
    until: Instant,
) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut current = first;
    let mut left = turn;
    for n in 0..MOST_STEPS {
        match machine.end() {
            Some(End::Exit(_)) => return Some(steps),
            Some(_) => return None,
            None => {}
        }
        if n % 1_000 == 0 && Instant::now() > until {
            return None;
        }
        let enabled = machine.enabled();
        if left == 0 || !enabled.contains(&current) {
            let count = machine.threads().count() as u32;
            let skip = if steps.len() <= turn as usize {
                next
            } else {
                0
            };
            let mut order = (1..=count).map(|k| ThreadId((current.0 + skip + k) % count));
            current = order.find(|t| enabled.contains(t))?;
            left = TURN;
        }
        left -= 1;
        let at = machine.thread(current).location()?;
        let mut zero = Recorded(Vec::new());
        let outcome = machine.step(current, &mut zero);
        match outcome {
            raddle_interp::Outcome::Done => steps.push(Step {
                thread: current,
                at,
                answers: zero.0,
            }),
            raddle_interp::Outcome::Refused => left = 0,
        }
    }
    None
}

/// Answers with 0 and writes it down.
struct Recorded(Vec<(Choice, u128)>);

impl Choices for Recorded {
    fn choose(&mut self, choice: &Choice) -> u128 {
        self.0.push((*choice, 0));
        0
    }
}
