//! The loop around everything: unwind, solve, go deeper where a cut can be reached.

use raddle_decide::{Answered, Failed, Round};
use raddle_ir::{BlockId, FuncId, Location, Program, Property};
use raddle_skeleton::event::{Reason, Skeleton};
use raddle_skeleton::facts::Facts;
use raddle_skeleton::mode::Mode;
use raddle_skeleton::names::Names;
use raddle_skeleton::reuse::handle_as_number;
use raddle_skeleton::unwind::{Bounds, GaveUp, RECURSION, Wanted, unwind};
use raddle_verdict::{
    Board, Cut, Engine, Found, Judge, Progress, Proof, Request, StopCause, Unknown, Verdict,
    leave_weak_races_open,
};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The bound of the first round.
const FIRST_BOUND: u32 = 2;
/// How many iterations with constant exits the first passes follow.
const FIRST_CONSTANT: u32 = 2000;
/// How many elements an index that is not known means at first.
const FIRST_INDEX: u32 = 8;
const MOST_CONSTANT: u32 = 1 << 20;
/// How many conflicts a question may cost while something is cut.
const PATIENCE: u32 = 10_000;
const MOST_EVENTS: usize = 2_000_000;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct StagedEngine {
    /// How much is done before solving.
    pub mode: Mode,
}

impl Engine for StagedEngine {
    fn name(&self) -> &'static str {
        "staged"
    }

    fn work(
        &self,
        program: &Program,
        request: &Request,
        judge: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
        board: &mut dyn Board,
    ) {
        let request = leave_weak_races_open(program, request, board);
        if request.after.is_some() {
            let open = Verdict::Unknown(Unknown::OnlyFromStart);
            board.answer(&request.properties, open);
            return;
        }
        let mut searches: Vec<Search> = parts(&request.properties)
            .map(|properties| Search::new(self.mode, program, &request, properties))
            .collect();
        // In turns, a bound each, so that none waits for the end of another, which may never come.
        while !searches.is_empty() {
            let mut going = Vec::new();
            for mut search in searches {
                if !search.properties().iter().any(|p| board.is_open(*p)) {
                    continue;
                }
                let Some(verdict) = search.step(judge, progress) else {
                    going.push(search);
                    continue;
                };
                let verdict = within_rounds(verdict, self.mode.rounds);
                let violated = matches!(verdict, Verdict::False(_));
                board.answer(search.properties(), verdict);
                if violated && !request.all_violations {
                    return;
                }
            }
            searches = going;
        }
    }
}

/// What is asked in a search of its own. Sleepers wake by themselves except while deadlocks are looked for; what can be violated in many places and
/// mostly is not (uninitialised values above all) makes formulas large.
fn parts(properties: &[Property]) -> impl Iterator<Item = Vec<Property>> {
    const APART: [&[Property]; 2] = [
        &[Property::NoDeadlock],
        &[
            Property::ValidSync,
            Property::NoUninit,
            Property::NoDivZero,
            Property::NoBadShift,
        ],
    ];
    let group = |p: &Property| APART.iter().position(|part| part.contains(p));
    let order = [None, Some(0), Some(1)];
    let all = order.map(|g| {
        let of = properties.iter().filter(|p| group(p) == g);
        of.copied().collect::<Vec<Property>>()
    });
    all.into_iter().filter(|part| !part.is_empty())
}

/// What an answer is worth if only executions of so many rounds were looked at.
fn within_rounds(verdict: Verdict, rounds: Option<u32>) -> Verdict {
    let Some(rounds) = rounds else {
        return verdict;
    };
    Verdict::Unknown(match verdict {
        Verdict::False(_) => return verdict,
        Verdict::True(_) => Unknown::SafeForRounds(rounds, None),
        Verdict::Unknown(Unknown::SafeUpTo(cuts)) => {
            let bound = cuts.iter().map(|c| c.bound).min();
            Unknown::SafeForRounds(rounds, Some(bound.unwrap_or(0)))
        }
        Verdict::Unknown(Unknown::Stopped { cause, .. }) => Unknown::Stopped { cause, bound: None },
        Verdict::Unknown(other) => other,
    })
}

struct Search<'a> {
    mode: Mode,
    program: &'a Program,
    request: Request,
    wanted: Wanted,
    bounds: Bounds,
    /// Names of cells and the like stay from round to round.
    names: Option<Names>,
    facts: Facts,
    found: Vec<Found>,
    /// Why a claimed violation did not replay.
    refused: Option<String>,
    /// The deepest bound without a violation.
    finished: Option<u32>,
}

impl<'a> Search<'a> {
    fn new(
        mode: Mode,
        program: &'a Program,
        request: &Request,
        properties: Vec<Property>,
    ) -> Search<'a> {
        let wanted = Wanted {
            properties: properties.clone(),
            mode,
            ways: None,
            inputs: request.inputs.clone().map(Rc::new),
            detours: None,
        };
        let bounds = Bounds {
            default: request.unwind.unwrap_or(FIRST_BOUND),
            special: HashMap::new(),
            constant: FIRST_CONSTANT,
            index: FIRST_INDEX,
            events: MOST_EVENTS,
        };
        let request = Request {
            properties,
            ..request.clone()
        };
        Search {
            mode,
            program,
            request,
            wanted,
            bounds,
            names: Some(Names::new(program.model)),
            facts: Facts::default(),
            found: Vec::new(),
            refused: None,
            finished: None,
        }
    }

    /// What it asks for.
    fn properties(&self) -> &[Property] {
        &self.request.properties
    }

    /// One bound; the answer, if it is the last.
    fn step(
        &mut self,
        judge: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
    ) -> Option<Verdict> {
        if self.request.budget.stopped().is_some() {
            return Some(self.stop(GaveUp::Stopped));
        }
        let names = self.names.take().unwrap_or(Names::new(self.program.model));
        match self.round(names, judge, progress) {
            Ok(names) => {
                self.names = Some(names);
                None
            }
            Err(verdict) => Some(verdict),
        }
    }

    /// One bound: the names for the next, or the answer.
    fn round(
        &mut self,
        mut names: Names,
        judge: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Names, Verdict> {
        let mut skeleton = loop {
            let skeleton = self.unwind(names, progress).map_err(|why| self.stop(why))?;
            let long = |r: &Reason| *r == Reason::Long;
            if self.bounds.constant >= MOST_CONSTANT || !skeleton.ends.iter().any(|(r, _)| long(r))
            {
                break skeleton;
            }
            self.bounds.constant *= 8;
            names = skeleton.names;
        };
        let special = self.bounds.special.values().copied().max();
        let deepest = special.unwrap_or(0).max(self.bounds.default);
        progress(Progress {
            engine: "staged",
            what: format!("bound {deepest}: {} events", skeleton.events.len()),
        });
        let request = self.request.clone();
        let mut round = match Round::new(self.program, &mut skeleton, &request, self.mode) {
            Ok(round) => round,
            Err(Failed::Stopped(why)) => return Err(self.stop_or(why)),
            Err(Failed::TooHard) => return Err(self.stop_or(None)),
        };
        let size = round.size();
        progress(Progress {
            engine: "staged",
            what: format!(
                "bound {deepest}: {} events, {} reads, {} possible sources",
                size.events, size.reads, size.choices
            ),
        });
        // As long as something is cut, a violation may be easier to find further down, if that is where this goes.
        if !round.is_whole() && self.request.unwind.is_none() {
            round.patience = Some(PATIENCE);
        }
        let undecided = !self.violations(&mut round, judge)?;
        progress(Progress {
            engine: "staged",
            what: format!("bound {deepest}: no violation"),
        });
        // With what the violations have shown to be open.
        let ends = round.left_out();
        let reachable: Vec<usize> = match round.ends() {
            Ok(reachable) => reachable.into_iter().map(|r| r.end).collect(),
            Err(Failed::TooHard) => (0..round.ends_count()).collect(),
            Err(Failed::Stopped(why)) => return Err(self.stop_or(why)),
        };
        if reachable.is_empty() {
            // Nothing was cut that matters, so this round decides.
            round.patience = None;
            let whole = round.ends_count();
            if undecided {
                self.violations(&mut round, judge)?;
                if let Some((Reason::Unsupported(what), at)) = round.left_out().get(whole) {
                    return Err(Verdict::Unknown(Unknown::Unsupported {
                        what: what.clone(),
                        span: self.program.span_of(*at),
                    }));
                }
            }
            return Err(self.proved(&mut round, deepest));
        }
        let reached: Vec<(Reason, Location)> = reachable.iter().map(|&i| ends[i].clone()).collect();
        let last = !self.grow(&reached) || self.request.unwind.is_some();
        if last && undecided {
            round.patience = None;
            self.violations(&mut round, judge)?;
        }
        if last || !undecided {
            self.finished = Some(deepest);
        }
        let untreated = reached.iter().find_map(|(r, at)| match r {
            Reason::Unsupported(what) => Some((what.clone(), *at)),
            _ => None,
        });
        if last {
            return Err(match untreated {
                Some((what, at)) => Verdict::Unknown(Unknown::Unsupported {
                    what,
                    span: self.program.span_of(at),
                }),
                None => Verdict::Unknown(Unknown::SafeUpTo(self.cuts(&reached))),
            });
        }
        Ok(skeleton.names)
    }

    /// Asks for violations: the answer, if there are any; false if that was too hard.
    fn violations(
        &mut self,
        round: &mut Round<'_>,
        judge: &mut dyn Judge,
    ) -> Result<bool, Verdict> {
        let decided = match round.violations(judge, &mut self.found, &mut self.refused) {
            Answered::Stopped(why) => return Err(self.stop_or(why)),
            Answered::Yes => return Err(self.violated()),
            Answered::No => true,
            Answered::TooHard => false,
        };
        match &self.refused {
            _ if !self.found.is_empty() => Err(self.violated()),
            Some(why) => Err(Verdict::Unknown(Unknown::NotReplayed(why.clone()))),
            None => Ok(decided),
        }
    }

    /// The skeleton for some bounds.
    fn unwind(
        &mut self,
        names: Names,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Skeleton, GaveUp> {
        let stop = || self.request.budget.stopped().is_some();
        let mut seen = |events: usize| {
            progress(Progress {
                engine: "staged",
                what: format!("pass: {events} events"),
            });
        };
        let facts = &mut self.facts;
        let (bounds, wanted) = (&self.bounds, &self.wanted);
        unwind(self.program, bounds, wanted, facts, names, &stop, &mut seen)
    }

    /// Larger bounds for what was reached; false if there is nothing to grow.
    fn grow(&mut self, reached: &[(Reason, Location)]) -> bool {
        let bounds = &mut self.bounds;
        let mut keys: BTreeSet<(FuncId, BlockId)> = BTreeSet::new();
        let mut indices = false;
        for (reason, at) in reached {
            match reason {
                Reason::Loop(_) => keys.insert((at.function, at.block)),
                Reason::Recursion(_) => keys.insert((at.function, RECURSION)),
                Reason::Index(_) => {
                    indices = true;
                    false
                }
                Reason::Long | Reason::Untaken(_) | Reason::Unsupported(_) => false,
            };
        }
        if indices {
            bounds.index = bounds.index.saturating_mul(4);
        }
        for key in &keys {
            let now = bounds.special.get(key).copied().unwrap_or(bounds.default);
            bounds
                .special
                .insert(*key, now.saturating_mul(2).max(now + 1));
        }
        indices || !keys.is_empty()
    }

    fn cuts(&self, reached: &[(Reason, Location)]) -> Vec<Cut> {
        let mut cuts = Vec::new();
        for (reason, at) in reached {
            let bound = match reason {
                Reason::Loop(n) | Reason::Recursion(n) | Reason::Index(n) => *n,
                Reason::Long => MOST_CONSTANT,
                Reason::Untaken(_) | Reason::Unsupported(_) => continue,
            };
            cuts.push(Cut {
                function: self.program.function(at.function).name.clone(),
                span: self.program.span_of(*at),
                bound,
            });
        }
        cuts.sort();
        cuts.dedup();
        cuts
    }

    fn violated(&mut self) -> Verdict {
        Verdict::False(std::mem::take(&mut self.found))
    }

    fn proved(&self, round: &mut Round<'_>, deepest: u32) -> Verdict {
        if let Some(at) = handle_as_number(self.program) {
            return Verdict::Unknown(Unknown::Unsupported {
                what: "a thread's handle is used as a number".into(),
                span: self.program.span_of(at),
            });
        }
        let size = round.size();
        let certificate = match self.request.certify {
            false => None,
            true => match round.certify() {
                Ok(summary) => Some(summary),
                Err(why) => return Verdict::Unknown(Unknown::Internal(why)),
            },
        };
        Verdict::True(Proof {
            how: format!(
                "complete unwinding (deepest bound {deepest}), {} events, {} reads, {} possible sources",
                size.events, size.reads, size.choices
            ),
            assumptions: round.assumptions(),
            certificate,
            ..Proof::default()
        })
    }

    fn stop_or(&self, cause: Option<StopCause>) -> Verdict {
        match cause {
            Some(cause) => Verdict::Unknown(Unknown::Stopped {
                cause,
                bound: self.finished,
            }),
            None => Verdict::Unknown(Unknown::Internal("the solver lost its way".into())),
        }
    }

    fn stop(&self, why: GaveUp) -> Verdict {
        match why {
            GaveUp::Stopped => {
                let cause = self.request.budget.stopped();
                self.stop_or(Some(cause.unwrap_or(StopCause::Cancelled)))
            }
            GaveUp::TooLarge => self.stop_or(Some(StopCause::Memory)),
        }
    }
}
