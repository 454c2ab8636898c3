//! The trace-driven flow: the paths of executions as a program, which grows where another interleaving leaves it.
//!
//! After Yang and Sakallah (SMT-based symbolic model checking for multi-threaded programs): run the program; check all
//! interleavings of the branches it took (φ, a violation is real); if there is none, ask whether some interleaving takes
//! another branch (ψ); if so, run it that way, and go on with the branches of both runs; if not, the property holds. The
//! branches taken are *ways* of the unwound program ([`raddle_skeleton::ways`]); those of different runs are joined, and
//! threads that meet again go on as one, so there are far fewer rounds than paths.
//!
//! Inputs are symbolic, so that `true` is for all of them; a branch on an input is one more way to go. Loops are unwound as far as
//! some run went, without a bound.
//!
//! If executions begin in a given way, their first events come first and in that order, all others behind them, and inputs in the beginning are what they were
//! ([`Round::begin_with`]); everything else stays the same. The runs begin like this, too.
//!
//! What it misses: programs whose executions have no end; whatever the unwinding does not treat; beginnings that read what nobody wrote or
//! that use an address again.

use crate::executed::{follow, of_beginning};
use crate::guided::execute;
use raddle_decide::{Answered, Failed, Round};
use raddle_interp::Config;
use raddle_ir::{Program, Property};
use raddle_skeleton::event::Reason;
use raddle_skeleton::facts::Facts;
use raddle_skeleton::follow::Follower;
use raddle_skeleton::mode::Mode;
use raddle_skeleton::names::Names;
use raddle_skeleton::unwind::{Bounds, GaveUp, Wanted, unwind};
use raddle_skeleton::ways::Ways;
use raddle_verdict::{Found, Judge, Progress, Proof, Request, StopCause, Unknown, Verdict};
use std::collections::HashMap;
use std::rc::Rc;

/// Loops end where no run went on; this is only for those that no condition ends.
const BOUND: u32 = 1 << 16;
const CONSTANT: u32 = 1 << 16;
/// How many elements an index that is not known means at first, and at most.
const FIRST_INDEX: u32 = 8;
const MOST_INDEX: u32 = 1 << 12;
const MOST_EVENTS: usize = 200_000;

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Executions.
    pub runs: u32,
    /// Times the solver was asked for violations.
    pub rounds: u32,
    /// Branches that are followed.
    pub ways: usize,
}

/// Decides a program by the branches its executions take.
pub fn drive(
    program: &Program,
    config: &Config,
    request: &Request,
    judge: &mut dyn Judge,
    progress: &mut dyn FnMut(Progress),
) -> (Verdict, Effort) {
    let mut effort = Effort::default();
    let verdict = Flow {
        program,
        config,
        request,
        effort: &mut effort,
    }
    .run(judge, progress);
    (verdict, effort)
}

struct Flow<'a> {
    program: &'a Program,
    config: &'a Config,
    request: &'a Request,
    effort: &'a mut Effort,
}

impl Flow<'_> {
    fn run(&mut self, judge: &mut dyn Judge, progress: &mut dyn FnMut(Progress)) -> Verdict {
        let mut names = Names::new(self.program.model);
        let mut facts = Facts::default();
        let mut ways = Ways::default();
        let mut found: Vec<Found> = Vec::new();
        let mut refused: Option<String> = None;
        let mut bounds = Bounds {
            default: BOUND,
            special: HashMap::new(),
            constant: CONSTANT,
            index: FIRST_INDEX,
            events: MOST_EVENTS,
        };
        let program = self.program;
        let request = self.request;
        let beginning = match &request.after {
            None => None,
            // Both accesses of a race have to come behind the beginning, and threads that choose to stop cannot be followed: only what
            // one thread does at one place is asked for.
            Some(_) if request.properties != [Property::UnreachCall] => {
                return unsupported("executions that begin in the middle");
            }
            Some(after) => match of_beginning(program, self.config, after) {
                Ok(steps) => Some(steps),
                Err(why) => return unsupported(&why),
            },
        };
        execute(program, self.config, request, None, &mut names, &mut ways);
        self.effort.runs += 1;
        loop {
            self.effort.rounds += 1;
            self.effort.ways = ways.len();
            let wanted = Wanted {
                properties: self.request.properties.clone(),
                mode: Mode::default(),
                ways: Some(Rc::new(ways.clone())),
                inputs: self.request.inputs.clone().map(Rc::new),
                detours: None,
            };
            let stop = || self.request.budget.stopped().is_some();
            let mut seen = |_: usize| {};
            let unwound = unwind(
                self.program,
                &bounds,
                &wanted,
                &mut facts,
                names,
                &stop,
                &mut seen,
            );
            let mut skeleton = match unwound {
                Ok(skeleton) => skeleton,
                Err(GaveUp::Stopped) => return self.stopped(self.request.budget.stopped()),
                Err(GaveUp::TooLarge) => return self.stopped(Some(StopCause::Memory)),
            };
            progress(Progress {
                engine: "fusion",
                what: format!(
                    "{} runs, {} branches, {} events",
                    self.effort.runs,
                    ways.len(),
                    skeleton.events.len()
                ),
            });
            let begun = match &beginning {
                None => None,
                Some(steps) => {
                    let mut follower = Follower::new(self.program, &mut skeleton);
                    let events = follow(self.program, steps, &mut follower);
                    match events.filter(|_| !follower.is_unasked() && !follower.is_beyond()) {
                        Some(events) => Some((events, follower.answered().to_vec())),
                        None => {
                            return unsupported("executions that begin in the middle like this");
                        }
                    }
                }
            };
            let mode = Mode::default();
            let round = Round::new(self.program, &mut skeleton, self.request, mode);
            let mut round = match round {
                Ok(round) => round,
                Err(Failed::Stopped(why)) => return self.stopped(why),
                Err(Failed::TooHard) => return self.stopped(None),
            };
            if let Some((events, answered)) = &begun {
                match round.begin_with(events, answered) {
                    Ok(()) => {}
                    Err(Failed::Stopped(why)) => return self.stopped(why),
                    Err(Failed::TooHard) => return self.stopped(None),
                }
            }
            match round.violations(judge, &mut found, &mut refused) {
                Answered::No => {}
                Answered::Yes => return Verdict::False(found),
                Answered::TooHard => return self.stopped(None),
                Answered::Stopped(why) => return self.stopped(why),
            }
            if !found.is_empty() {
                return Verdict::False(found);
            }
            if let Some(why) = refused {
                return Verdict::Unknown(Unknown::NotReplayed(why));
            }
            let reached = match round.ends() {
                Ok(reached) => reached,
                Err(Failed::TooHard) => return self.stopped(None),
                Err(Failed::Stopped(why)) => return self.stopped(why),
            };
            if reached.is_empty() {
                return self.proved(&mut round);
            }
            drop(round);
            let mut grew = false;
            let mut untreated = None;
            let mut runs = Vec::new();
            for r in reached {
                let (reason, target) = &skeleton.ends[r.end];
                match reason {
                    Reason::Untaken(way) => {
                        grew |= ways.open(way.clone());
                        runs.extend(r.run);
                    }
                    Reason::Index(_) if bounds.index < MOST_INDEX => {
                        bounds.index *= 4;
                        grew = true;
                    }
                    Reason::Unsupported(what) => untreated = Some((what.clone(), target.at)),
                    _ => {}
                }
            }
            if !grew {
                let (what, at) = match untreated {
                    Some((what, at)) => (what, self.program.span_of(at)),
                    None => (
                        "executions without end".to_string(),
                        raddle_ir::Span::NOWHERE,
                    ),
                };
                return Verdict::Unknown(Unknown::Unsupported { what, span: at });
            }
            names = skeleton.names;
            for run in &runs {
                execute(
                    program,
                    self.config,
                    request,
                    Some(run),
                    &mut names,
                    &mut ways,
                );
                self.effort.runs += 1;
            }
        }
    }

    fn proved(&self, round: &mut Round<'_>) -> Verdict {
        let certificate = match self.request.certify {
            false => None,
            true => match round.certify() {
                Ok(summary) => Some(summary),
                Err(why) => return Verdict::Unknown(Unknown::Internal(why)),
            },
        };
        let size = round.size();
        Verdict::True(Proof {
            how: format!(
                "no interleaving takes a branch that none of {} executions took; {} events, {} reads, {} possible sources",
                self.effort.runs, size.events, size.reads, size.choices
            ),
            assumptions: round.assumptions(),
            certificate,
            ..Proof::default()
        })
    }

    fn stopped(&self, cause: Option<StopCause>) -> Verdict {
        match cause {
            Some(cause) => Verdict::Unknown(Unknown::Stopped { cause, bound: None }),
            None => Verdict::Unknown(Unknown::Internal("the solver lost its way".into())),
        }
    }
}

fn unsupported(what: &str) -> Verdict {
    Verdict::Unknown(Unknown::Unsupported {
        what: what.into(),
        span: raddle_ir::Span::NOWHERE,
    })
}
