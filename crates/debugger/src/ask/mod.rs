//! Questions about everything that can happen from the present state on, answered by engines.
//!
//! ```text
//! let asker = Asker::new(&program, &beginning, engines)?;
//! match asker.can_reach(&Line::number(17), None) {
//!     Answer::Yes(told) => load(told.run),       // plays from the start of the program, through the present state
//!     Answer::No { how, .. } => println!("never: {how}"),
//!     Answer::Unknown { why } => println!("{why}"),
//! }
//! ```
//!
//! The present state is given by how it was reached: a [`Beginning`], one instruction after the other. Every question becomes a property
//! of a program (`changed.rs` inserts what has to be watched) and goes to engines with [`Request::after`]; what they claim is led through the
//! original program (`course.rs`, `judge.rs`) and counts only if it shows there (`goal.rs`). *Nothing before the present state is ever changed.*
//!
//! Inputs that are asked for later may be anything. Sleepers may wake by themselves, except where deadlocks are asked for.
//!
//! What it misses: engines that prove something begin at the start of the program, so behind a beginning there is only exploration: it tries inputs from a list and says so.

mod changed;
mod course;
mod edit;
mod goal;
mod judge;
mod nearest;
mod place;
mod values;
mod why;

pub use place::{Line, stands};
pub use values::Values;
pub use why::Why;

use crate::ask::course::Start;
use crate::ask::edit::Edited;
use crate::ask::goal::Goal;
use crate::ask::judge::{Caught, Examiner, Reader};
use crate::ask::place::Places;
use raddle_interp::{ThreadId, Violation};
use raddle_ir::{Program, Property};
use raddle_verdict::{Assumption, Beginning, Budget, Engine, Request, StopCause, Unknown, Verdict};
use std::sync::Arc;

/// How deep engines may go.
const STACK: usize = 256 << 20;

/// An answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It can; and this is how. The run was repeated in the interpreter.
    Yes(Box<Told>),
    /// It cannot, in no execution that continues the present state.
    No {
        /// How that is known.
        how: String,
        /// What it takes for granted.
        assumptions: Vec<Assumption>,
    },
    /// It is not known.
    Unknown {
        /// Why.
        why: String,
    },
}

/// A run that answers a question.
#[derive(Clone, Debug)]
pub struct Told {
    /// The whole run, from the start of the program through the present state. It ends where what was asked for shows; for a violation,
    /// with the step that violates. If what was asked for happens inside of an atomic region, the run ends before it.
    pub run: Beginning,
    /// How many of its steps lead to the present state.
    pub before: usize,
    /// What it shows, in a sentence.
    pub what: String,
    /// The threads that this is about, most important first.
    pub threads: Vec<ThreadId>,
    /// The violation, if it is one.
    pub violation: Option<Violation>,
    /// How often another thread goes on than the last one, behind the present state.
    pub switches: usize,
}

/// Asks about the present state of a program.
pub struct Asker<'p> {
    program: &'p Program,
    beginning: &'p Beginning,
    engines: Vec<Arc<dyn Engine>>,
    start: Start<'p>,
    budget: Budget,
    inputs: Option<Vec<i128>>,
}

/// What engines are asked.
struct Question<'a> {
    goal: &'a Goal,
    property: Property,
    /// The program that engines look at, if it is not the program itself.
    edited: Option<&'a Edited>,
    /// Other violations of the property may come first.
    picky: bool,
    /// How many runs are wanted.
    most: usize,
    /// Reads the value that is asked for.
    value: Option<&'a Reader<'a>>,
}

/// What engines answered.
enum Outcome {
    Caught(Vec<Caught>),
    Proved {
        how: String,
        assumptions: Vec<Assumption>,
    },
    Unknown(String),
}

impl<'p> Asker<'p> {
    /// For the state that a beginning leads to; or why it leads nowhere.
    pub fn new(
        program: &'p Program,
        beginning: &'p Beginning,
        engines: &[Arc<dyn Engine>],
    ) -> Result<Asker<'p>, String> {
        Ok(Asker {
            program,
            beginning,
            engines: engines.to_vec(),
            start: Start::behind(program, beginning)?,
            budget: Budget::unlimited(),
            inputs: None,
        })
    }

    /// All questions together take no longer than this.
    pub fn budget(mut self, budget: Budget) -> Asker<'p> {
        self.budget = budget;
        self
    }

    /// What each thread gets for the inputs that it asks for, from the start of the program on; any values, if this is not said.
    pub fn inputs(mut self, inputs: Vec<i128>) -> Asker<'p> {
        self.inputs = Some(inputs);
        self
    }

    /// Can an assertion still fail: any, or one in this line?
    pub fn can_fail(&self, at: Option<&Line>) -> Answer {
        let places = match at.map(|line| Places::of(self.program, line)).transpose() {
            Ok(places) => places,
            Err(why) => return Answer::Unknown { why },
        };
        let picky = places.is_some();
        let goal = Goal::Assertion(places);
        self.answer(&self.plain(&goal, Property::UnreachCall, picky))
    }

    /// Can threads still wait for each other for ever?
    pub fn can_deadlock(&self) -> Answer {
        self.answer(&self.plain(&Goal::Deadlock, Property::NoDeadlock, false))
    }

    /// Can an access in the one line and one in the other still be a data race? Both come behind the present state.
    pub fn can_race(&self, one: &Line, other: &Line) -> Answer {
        let places = |line| Places::of(self.program, line);
        let goal = match (places(one), places(other)) {
            (Ok(one), Ok(other)) => Goal::Race(one, other),
            (Err(why), _) | (_, Err(why)) => return Answer::Unknown { why },
        };
        self.answer(&self.plain(&goal, Property::NoDataRace, true))
    }

    /// Can some thread, or this one, get to a line? Who is there has got there.
    pub fn can_reach(&self, line: &Line, thread: Option<ThreadId>) -> Answer {
        let places = match Places::of(self.program, line) {
            Ok(places) => places,
            Err(why) => return Answer::Unknown { why },
        };
        let handle = match self.handle(thread) {
            Ok(handle) => handle,
            Err(why) => return Answer::Unknown { why },
        };
        let edited = changed::reach(self.program, &places, handle);
        let machine = self.start.machine(raddle_interp::Checks::none(), true);
        let whoever = |t: &ThreadId| thread.is_none_or(|only| only == *t);
        let mut all = machine.threads().filter(whoever);
        let comes_back = all.any(|t| place::comes_back(&machine, t, &places));
        let goal = Goal::Reach(places, thread);
        match self.answer(&self.changed(&goal, &edited)) {
            Answer::No { .. } if comes_back => Answer::Unknown {
                why: "a thread is in a function that the library has called from there, and may come back".into(),
            },
            answer => answer,
        }
    }

    /// Can some thread, or this one, be at a line while another is at the other line?
    pub fn can_meet(&self, line: &Line, thread: Option<ThreadId>, other: &Line) -> Answer {
        let places = |line| Places::of(self.program, line);
        let (here, there) = match (places(line), places(other)) {
            (Ok(here), Ok(there)) => (here, there),
            (Err(why), _) | (_, Err(why)) => return Answer::Unknown { why },
        };
        let handle = match self.handle(thread) {
            Ok(handle) => handle,
            Err(why) => return Answer::Unknown { why },
        };
        let edited = changed::meet(self.program, &here, handle, &there, line == other);
        let goal = Goal::Meet(here, thread, there);
        match edited {
            Ok(edited) => self.answer(&self.changed(&goal, &edited)),
            Err(why) => Answer::Unknown { why },
        }
    }

    /// The handle by which a program knows one of its present threads.
    fn handle(&self, thread: Option<ThreadId>) -> Result<Option<u64>, String> {
        let Some(t) = thread else { return Ok(None) };
        let machine = self.start.machine(raddle_interp::Checks::none(), true);
        match machine.threads().any(|known| known == t) {
            true => Ok(Some(machine.thread(t).handle)),
            false => Err(format!("there is no thread {} yet", t.0)),
        }
    }

    /// A question about the program as it is.
    fn plain<'a>(&self, goal: &'a Goal, property: Property, picky: bool) -> Question<'a> {
        Question {
            goal,
            property,
            edited: None,
            picky,
            most: 1,
            value: None,
        }
    }

    /// A question about a changed program.
    fn changed<'a>(&self, goal: &'a Goal, edited: &'a Edited) -> Question<'a> {
        Question {
            goal,
            property: Property::UnreachCall,
            edited: Some(edited),
            picky: false,
            most: 1,
            value: None,
        }
    }

    fn answer(&self, question: &Question<'_>) -> Answer {
        match self.ask(question) {
            Outcome::Caught(mut all) => match all.pop() {
                Some(caught) => self.tell(&caught),
                None => Answer::Unknown {
                    why: "what was found is lost".into(),
                },
            },
            Outcome::Proved { how, assumptions } => Answer::No { how, assumptions },
            Outcome::Unknown(why) => Answer::Unknown { why },
        }
    }

    /// A run as it is told.
    fn tell(&self, caught: &Caught) -> Answer {
        match self.told(caught) {
            Some(told) => Answer::Yes(Box::new(told)),
            None => Answer::Unknown {
                why: "a run that cannot be repeated".into(),
            },
        }
    }

    fn told(&self, caught: &Caught) -> Option<Told> {
        let mut run = self.beginning.clone();
        let before = run.steps.len();
        run.steps.extend(self.start.told(&caught.steps)?);
        Some(Told {
            run,
            before,
            what: caught.shown.what.clone(),
            threads: caught.shown.threads.clone(),
            violation: caught.shown.violation.clone(),
            switches: course::switches(&caught.steps),
        })
    }

    /// What the present state shows by itself.
    fn at_once(&self, goal: &Goal) -> Option<Caught> {
        let mut machine = match goal {
            Goal::Reach(..) => self.start.observed(),
            _ => self.start.machine(goal.checks(), goal.wakes()),
        };
        let shown = goal.shown(&mut machine)?;
        Some(Caught {
            steps: Vec::new(),
            shown,
            value: None,
        })
    }

    fn ask(&self, question: &Question<'_>) -> Outcome {
        if question.value.is_none()
            && let Some(caught) = self.at_once(question.goal)
        {
            return Outcome::Caught(vec![caught]);
        }
        let carried = match question.edited.map(|e| (e, e.carry(self.beginning))) {
            None => None,
            Some((edited, Ok(carried))) => Some((edited, carried)),
            Some((_, Err(why))) => return Outcome::Unknown(why),
        };
        let (program, after) = match &carried {
            None => (self.program, self.beginning),
            Some((edited, carried)) => (&edited.program, carried),
        };
        let task = Task {
            original: (self.program, self.beginning),
            edited: question.edited.zip(carried.as_ref().map(|c| &c.1)),
            program,
            after,
            inputs: self.inputs.clone(),
            question,
        };
        // At the start there is nothing that engines could fail to respect, so each of them may be the one that knows.
        let outcomes = match after.before.is_empty() && after.steps.is_empty() {
            true => task.side_by_side(&self.engines, &self.budget),
            false => task.in_turn(&self.engines, &self.budget, &self.start),
        };
        choose(outcomes)
    }
}

/// The answer among those of several engines.
fn choose(outcomes: Vec<Option<Outcome>>) -> Outcome {
    let mut reasons: Vec<String> = Vec::new();
    let nobody = match outcomes.is_empty() {
        true => "there is no engine to ask".into(),
        false => Unknown::OnlyFromStart.to_string(),
    };
    for outcome in outcomes.into_iter().flatten() {
        match outcome {
            Outcome::Unknown(why) => reasons.push(why),
            decided => return decided,
        }
    }
    Outcome::Unknown(reasons.into_iter().next().unwrap_or(nobody))
}

/// Whether an engine has decided a question.
fn is_known(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Unknown(_))
}

/// What engines are to look at.
struct Task<'a> {
    /// The program itself, and how the present state was reached.
    original: (&'a Program, &'a Beginning),
    /// The changed one and the same in it, if engines look at that.
    edited: Option<(&'a Edited, &'a Beginning)>,
    /// The one of them that engines look at.
    program: &'a Program,
    after: &'a Beginning,
    inputs: Option<Vec<i128>>,
    question: &'a Question<'a>,
}

impl Task<'_> {
    /// Asks one engine after the other, until one knows.
    fn in_turn(
        &self,
        engines: &[Arc<dyn Engine>],
        budget: &Budget,
        start: &Start<'_>,
    ) -> Vec<Option<Outcome>> {
        let mut outcomes = Vec::new();
        for engine in engines {
            let part = budget.part();
            let outcome = self.check(engine.as_ref(), &part, start);
            let known = outcome.as_ref().is_some_and(is_known);
            outcomes.push(outcome);
            if known {
                break;
            }
        }
        outcomes
    }

    /// Asks all engines at once; the first one that knows stops the others.
    fn side_by_side(&self, engines: &[Arc<dyn Engine>], budget: &Budget) -> Vec<Option<Outcome>> {
        let parts: Vec<Budget> = engines.iter().map(|_| budget.part()).collect();
        let work = |engine: &Arc<dyn Engine>, part: &Budget| {
            let (program, beginning) = self.original;
            let outcome = match Start::behind(program, beginning) {
                Ok(start) => self.check(engine.as_ref(), part, &start),
                Err(why) => Some(Outcome::Unknown(why)),
            };
            if outcome.as_ref().is_some_and(is_known) {
                for other in &parts {
                    other.stop(StopCause::Cancelled);
                }
            }
            outcome
        };
        std::thread::scope(|scope| {
            let mut workers = Vec::new();
            for (engine, part) in engines.iter().zip(&parts) {
                let work = &work;
                let big = std::thread::Builder::new().stack_size(STACK);
                workers.push(big.spawn_scoped(scope, move || work(engine, part)));
            }
            let ended = workers.into_iter().map(|worker| match worker {
                Ok(worker) => worker
                    .join()
                    .unwrap_or(Some(Outcome::Unknown("an engine broke".into()))),
                Err(why) => Some(Outcome::Unknown(why.to_string())),
            });
            ended.collect()
        })
    }

    /// Asks one engine; `None` if it only looks at executions from the start of a program.
    fn check(&self, engine: &dyn Engine, budget: &Budget, start: &Start<'_>) -> Option<Outcome> {
        let question = self.question;
        let changed = self
            .edited
            .map(|(e, after)| (e, Start::behind(&e.program, after)));
        let edited = match &changed {
            None => None,
            Some((edited, Ok(start))) => Some((*edited, start)),
            Some((_, Err(why))) => return Some(Outcome::Unknown(why.clone())),
        };
        let at_start = self.after.before.is_empty() && self.after.steps.is_empty();
        let request = Request {
            properties: vec![question.property],
            unwind: None,
            certify: false,
            inputs: self.inputs.clone(),
            after: (!at_start).then(|| self.after.clone()),
            all_violations: question.picky || question.most > 1,
            budget: budget.clone(),
        };
        let mut judge = Examiner {
            start,
            edited,
            goal: question.goal,
            value: question.value,
            most: question.most,
            caught: Vec::new(),
            budget: budget.clone(),
            last: None,
        };
        let verdict = engine.check(self.program, &request, &mut judge, &mut |_| {});
        if !judge.caught.is_empty() {
            return Some(Outcome::Caught(judge.caught));
        }
        Some(match verdict {
            Verdict::Unknown(Unknown::OnlyFromStart) => return None,
            // Inputs were left out when the program was made.
            Verdict::True(_) if !self.program.limits.is_empty() => {
                let limits = self.program.limits.iter().map(|l| l.what.as_str());
                let limits: Vec<&str> = limits.collect();
                Outcome::Unknown(format!("only for {} it cannot", limits.join(", ")))
            }
            Verdict::True(proof) => Outcome::Proved {
                how: proof.how,
                assumptions: proof.assumptions,
            },
            Verdict::False(_) => Outcome::Unknown("a claim that was not replayed".into()),
            Verdict::Unknown(Unknown::NotReplayed(why)) => {
                Outcome::Unknown(format!("a claim that was not replayed: {why}"))
            }
            Verdict::Unknown(why) => Outcome::Unknown(why.to_string()),
        })
    }
}
