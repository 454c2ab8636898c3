//! The loop around everything: unwind, solve, go deeper where a cut can be reached.

use raddle_decide::{Answered, Failed, Round};
use raddle_ir::{BlockId, FuncId, Location, Program, Property};
use raddle_skeleton::event::{Reason, Skeleton};
use raddle_skeleton::facts::Facts;
use raddle_skeleton::mode::Mode;
use raddle_skeleton::names::Names;
use raddle_skeleton::unwind::{Bounds, GaveUp, RECURSION, Wanted, unwind};
use raddle_verdict::{
    Cut, Engine, Found, Judge, Progress, Proof, Request, StopCause, Unknown, Verdict,
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

    fn check(
        &self,
        program: &Program,
        request: &Request,
        judge: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
    ) -> Verdict {
        // Sleepers wake by themselves except while deadlocks are looked for, so these are two searches.
        let (deadlocks, others): (Vec<Property>, Vec<Property>) = request
            .properties
            .iter()
            .partition(|p| **p == Property::NoDeadlock);
        let mut search = |properties: Vec<Property>| {
            let request = Request {
                properties,
                ..request.clone()
            };
            Search {
                mode: self.mode,
                program,
                request: &request,
                facts: Facts::default(),
                found: Vec::new(),
                refused: None,
                finished: None,
            }
            .run(judge, progress)
        };
        if deadlocks.is_empty() || others.is_empty() {
            return search(request.properties.clone());
        }
        let first = search(others.clone());
        match &first {
            Verdict::False(_) if !request.all_violations => return first,
            _ => {}
        }
        join(first, search(deadlocks), &others)
    }
}

struct Search<'a> {
    mode: Mode,
    program: &'a Program,
    request: &'a Request,
    facts: Facts,
    found: Vec<Found>,
    /// Why a claimed violation did not replay.
    refused: Option<String>,
    /// The deepest bound without a violation.
    finished: Option<u32>,
}

/// Both of two answers as one; the first is about these properties, which the second need not take for granted then.
fn join(a: Verdict, b: Verdict, first: &[Property]) -> Verdict {
    match (a, b) {
        (Verdict::False(mut x), Verdict::False(y)) => {
            x.extend(y);
            Verdict::False(x)
        }
        (Verdict::False(x), _) | (_, Verdict::False(x)) => Verdict::False(x),
        (Verdict::True(mut x), Verdict::True(y)) => {
            x.how = format!("{}; for deadlocks, {}", x.how, y.how);
            for text in y.assumptions {
                let proved = |p: &Property| text.starts_with(&format!("{p} is not violated at "));
                if !first.iter().any(proved) && !x.assumptions.contains(&text) {
                    x.assumptions.push(text);
                }
            }
            x.certificate = match (x.certificate, y.certificate) {
                (Some(a), Some(b)) => Some(format!("{a}; for deadlocks, {b}")),
                _ => None,
            };
            Verdict::True(x)
        }
        (Verdict::Unknown(why), _) | (_, Verdict::Unknown(why)) => Verdict::Unknown(why),
    }
}

impl Search<'_> {
    fn run(mut self, judge: &mut dyn Judge, progress: &mut dyn FnMut(Progress)) -> Verdict {
        let wanted = Wanted {
            properties: self.request.properties.clone(),
            mode: self.mode,
            ways: None,
            inputs: self.request.inputs.clone().map(Rc::new),
            detours: None,
        };
        let first = self.request.unwind.unwrap_or(FIRST_BOUND);
        let mut bounds = Bounds {
            default: first,
            special: HashMap::new(),
            constant: FIRST_CONSTANT,
            index: FIRST_INDEX,
            events: MOST_EVENTS,
        };
        let mut names = Names::new(self.program.model);
        loop {
            let mut skeleton = match self.unwind(&bounds, &wanted, names, progress) {
                Ok(skeleton) => skeleton,
                Err(why) => return self.stop(why),
            };
            let long = |r: &Reason| *r == Reason::Long;
            if bounds.constant < MOST_CONSTANT && skeleton.ends.iter().any(|(r, _)| long(r)) {
                bounds.constant *= 8;
                names = skeleton.names;
                continue;
            }
            let deepest = bounds
                .special
                .values()
                .copied()
                .max()
                .unwrap_or(0)
                .max(first);
            progress(Progress {
                engine: "staged",
                what: format!("bound {deepest}: {} events", skeleton.events.len()),
            });
            let mut round = match Round::new(self.program, &mut skeleton, self.request, self.mode) {
                Ok(round) => round,
                Err(Failed::Stopped(why)) => return self.stop_or(why),
                Err(Failed::TooHard) => return self.stop_or(None),
            };
            let size = round.size();
            progress(Progress {
                engine: "staged",
                what: format!(
                    "bound {deepest}: {} events, {} reads, {} possible sources",
                    size.events, size.reads, size.choices
                ),
            });
            // As long as something is cut, a violation may be easier to find further down.
            let whole = round.is_whole();
            if !whole {
                round.patience = Some(PATIENCE);
            }
            let mut undecided = false;
            match round.violations(judge, &mut self.found, &mut self.refused) {
                Answered::No => {}
                Answered::TooHard => undecided = true,
                Answered::Yes => return self.violated(),
                Answered::Stopped(why) => return self.stop_or(why),
            }
            if let Some(why) = &self.refused
                && self.found.is_empty()
            {
                return Verdict::Unknown(Unknown::NotReplayed(why.clone()));
            }
            if !self.found.is_empty() {
                return self.violated();
            }
            progress(Progress {
                engine: "staged",
                what: format!("bound {deepest}: no violation"),
            });
            let reachable: Vec<usize> = match round.ends() {
                Ok(reachable) => reachable.into_iter().map(|r| r.end).collect(),
                Err(Failed::TooHard) => (0..round.ends_count()).collect(),
                Err(Failed::Stopped(why)) => return self.stop_or(why),
            };
            if reachable.is_empty() {
                // Nothing was cut that matters, so this round decides.
                round.patience = None;
                if undecided {
                    match round.violations(judge, &mut self.found, &mut self.refused) {
                        Answered::Yes => return self.violated(),
                        Answered::Stopped(why) => return self.stop_or(why),
                        Answered::No | Answered::TooHard => {}
                    }
                    if !self.found.is_empty() {
                        return self.violated();
                    }
                    if let Some(why) = &self.refused {
                        return Verdict::Unknown(Unknown::NotReplayed(why.clone()));
                    }
                }
                return self.proved(&mut round, deepest);
            }
            drop(round);
            if !undecided {
                self.finished = Some(deepest);
            }
            let reached: Vec<(Reason, Location)> = reachable
                .iter()
                .map(|&i| (skeleton.ends[i].0.clone(), skeleton.ends[i].1.at))
                .collect();
            let untreated = reached.iter().find_map(|(r, at)| match r {
                Reason::Unsupported(what) => Some((what.clone(), *at)),
                _ => None,
            });
            let grows = self.grow(&mut bounds, &reached);
            if self.request.unwind.is_some() || !grows {
                return match untreated {
                    Some((what, at)) => Verdict::Unknown(Unknown::Unsupported {
                        what,
                        span: self.program.span_of(at),
                    }),
                    None => Verdict::Unknown(Unknown::SafeUpTo(self.cuts(&reached))),
                };
            }
            names = skeleton.names;
        }
    }

    /// The skeleton for some bounds.
    fn unwind(
        &mut self,
        bounds: &Bounds,
        wanted: &Wanted,
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
        unwind(self.program, bounds, wanted, facts, names, &stop, &mut seen)
    }

    /// Larger bounds for what was reached; false if there is nothing to grow.
    fn grow(&self, bounds: &mut Bounds, reached: &[(Reason, Location)]) -> bool {
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

    fn violated(self) -> Verdict {
        Verdict::False(self.found)
    }

    fn proved(&self, round: &mut Round<'_>, deepest: u32) -> Verdict {
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
            assumptions: round.assumptions(self.program),
            certificate,
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
