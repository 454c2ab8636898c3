//! The loop: unroll, ask, go deeper; and what the answers are worth.
//!
//! Without a given depth, paths of one, two, three … steps are asked for, each with what was learnt from the shorter ones. With a given
//! depth there is one question for all paths up to it. `true` needs that there is no longer path, which is asked without reductions,
//! or an induction; otherwise the answer is "safe up to depth k".

use crate::constrain::Reductions;
use crate::induction::Induction;
use crate::lengths::most_steps;
use crate::search::{Encoding, Goal, NoAnswer, Path, Search};
use crate::states;
use crate::statistics::{Statistics, cpu_time};
use crate::transactions::Granularity;
use crate::values::simplify;
use raddle_actions::candidate;
use raddle_actions::only_where_needed;
use raddle_actions::system::{Origin, Outcome, System, Variable};
use raddle_ir::{Program, Property, Span};
use raddle_verdict::{
    Board, Engine, Found, Judge, Progress, Proof, Request, StopCause, Unknown, Verdict,
    leave_weak_races_open,
};
use std::collections::BTreeSet;

/// Instances of every creation that can repeat.
pub const THREADS: u32 = 4;
/// Whether there are longer paths is asked every so many steps.
const OFTEN: usize = 4;
/// Conflicts for questions that only serve to say `true`.
const EFFORT: u32 = 10_000;
/// Steps of an induction, at most.
const INDUCTION: usize = 12;

/// The engine.
#[derive(Clone, Debug)]
pub struct ProjectEngine {
    /// One question for all paths up to so many steps, instead of deeper and deeper ones.
    pub depth: Option<u32>,
    /// Which paths are left out.
    pub reductions: Reductions,
    /// So many threads of every creation that can repeat.
    pub threads: Option<u32>,
    /// Memory that only one thread touches is part of where it is; without, it is memory like any other, for comparison.
    pub own_cells: bool,
    /// How much one step is.
    pub granularity: Granularity,
    /// Ask whether there are longer paths, and try induction.
    pub complete: bool,
}

impl Default for ProjectEngine {
    fn default() -> ProjectEngine {
        ProjectEngine {
            depth: None,
            reductions: Reductions {
                projection: true,
                as_printed: false,
                order: false,
                symmetry: true,
            },
            threads: None,
            own_cells: true,
            granularity: Granularity::Transaction,
            complete: true,
        }
    }
}

impl Engine for ProjectEngine {
    fn name(&self) -> &'static str {
        "project"
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
        if request.properties.is_empty() {
            return;
        }
        let mut statistics = None;
        let verdict = self.check_interleavings(program, &request, judge, progress, &mut statistics);
        if let Some(statistics) = statistics {
            board.statistics(statistics.line());
        }
        board.answer(&request.properties, verdict);
    }
}

/// Whether the engine can answer a property.
pub fn answers(property: Property) -> bool {
    matches!(
        property,
        Property::UnreachCall | Property::NoDeadlock | Property::NoDataRace
    )
}

impl ProjectEngine {
    /// Checks all interleavings of sequentially consistent accesses.
    fn check_interleavings(
        &self,
        program: &Program,
        request: &Request,
        judge: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
        cost: &mut Option<Statistics>,
    ) -> Verdict {
        if request.inputs.is_some() {
            return unsupported("given inputs", Span::NOWHERE);
        }
        if request.after.is_some() {
            return Verdict::Unknown(Unknown::OnlyFromStart);
        }
        if let [property @ (Property::NoDeadlock | Property::NoDataRace)] = request.properties[..] {
            let answer = states::check(self, program, request, property, judge, progress);
            return answer.unwrap_or_else(|why| no_answer(request, why));
        }
        let other = |p: &&Property| **p != Property::UnreachCall;
        if let Some(p) = request.properties.iter().find(other) {
            return unsupported(&format!("the property {p}"), Span::NOWHERE);
        }
        let began = cpu_time();
        let bound = self.threads.unwrap_or(THREADS);
        let system = match system(program, &request.properties, bound) {
            Ok(system) => system,
            Err(v) => return v,
        };
        let how = Encoding {
            reductions: self.reductions,
            idle: self.depth.is_some(),
            own_cells: self.own_cells,
            granularity: self.granularity,
        };
        let search = Search::new(system, how, BTreeSet::new(), request.budget.clone());
        let mut task = Task {
            engine: self,
            program,
            request,
            judge,
            progress,
            search,
            untreated: None,
            bound,
        };
        let verdict = match self.depth {
            Some(depth) => task.at_once(depth as usize),
            None => task.deeper(),
        };
        let mut statistics = task.search.statistics;
        statistics.total = cpu_time().saturating_sub(began);
        *cost = Some(statistics);
        verdict.unwrap_or_else(|why| no_answer(request, why))
    }
}

fn no_answer(request: &Request, why: NoAnswer) -> Verdict {
    match why {
        NoAnswer::Stopped => {
            let cause = request.budget.stopped().unwrap_or(StopCause::Time);
            Verdict::Unknown(Unknown::Stopped { cause, bound: None })
        }
        NoAnswer::Term(what) => unsupported(&what, Span::NOWHERE),
    }
}

/// The transition system of a program.
pub fn system(program: &Program, properties: &[Property], bound: u32) -> Result<System, Verdict> {
    let ccfg = raddle_ccfg::build(program, properties).map_err(|r| unsupported(&r.what, r.span))?;
    raddle_ccfg::verify(&ccfg).map_err(|why| Verdict::Unknown(Unknown::Internal(why)))?;
    let mut system = System::new(ccfg, bound).map_err(|r| unsupported(&r.what, r.span))?;
    let undivided = |v: &Variable| matches!(v.origin, Origin::Contents(_));
    if system.variables.iter().any(undivided) {
        let what = "an array that is too large to be divided into cells";
        return Err(unsupported(what, Span::NOWHERE));
    }
    simplify(&mut system);
    only_where_needed(&mut system);
    Ok(system)
}

struct Task<'a> {
    engine: &'a ProjectEngine,
    program: &'a Program,
    request: &'a Request,
    judge: &'a mut dyn Judge,
    progress: &'a mut dyn FnMut(Progress),
    search: Search,
    /// The first thing that is not treated and can be reached, and at which depth.
    untreated: Option<(Verdict, usize)>,
    bound: u32,
}

impl Task<'_> {
    /// All paths up to a depth in one question.
    fn at_once(&mut self, depth: usize) -> Result<Verdict, NoAnswer> {
        for _ in 0..depth {
            self.search.deepen()?;
        }
        self.search.statistics.depth = depth;
        let found = match self.search.find_at_last()? {
            Some(Some(path)) => Some(self.claim(&path)),
            Some(None) => None,
            None => self.violation()?,
        };
        if let Some(v) = found {
            return Ok(v);
        }
        if let Some((v, _)) = self.untreated.take() {
            return Ok(v);
        }
        if self.engine.complete {
            let before = cpu_time();
            let longest = most_steps(|| self.fresh(), &self.request.budget)?;
            let over = longest.is_some_and(|n| depth >= n) || self.no_longer_than(depth)?;
            self.search.statistics.completeness = cpu_time().saturating_sub(before);
            if over {
                return Ok(self.proved(format!("no path is longer than {depth} steps")));
            }
        }
        Ok(Verdict::Unknown(Unknown::SafeToDepth(depth as u32)))
    }

    /// Whether no path, reduced or not, has more steps.
    fn no_longer_than(&self, depth: usize) -> Result<bool, NoAnswer> {
        let how = Encoding {
            reductions: Reductions::NONE,
            idle: false,
            own_cells: self.engine.own_cells,
            granularity: self.engine.granularity,
        };
        let budget = self.request.budget.clone();
        let mut all = Search::new(self.fresh()?, how, BTreeSet::new(), budget);
        for _ in 0..=depth {
            all.deepen()?;
        }
        Ok(all.goes_on(Some(EFFORT))? == Some(false))
    }

    /// Longer and longer paths.
    fn deeper(&mut self) -> Result<Verdict, NoAnswer> {
        let longest = match self.engine.complete {
            true => most_steps(|| self.fresh(), &self.request.budget)?,
            false => None,
        };
        let mut induction = match longest {
            None if self.engine.complete => Some(Induction::new(self.fresh()?)),
            _ => None,
        };
        loop {
            self.search.deepen()?;
            let depth = self.search.depth();
            (self.progress)(Progress {
                engine: "project",
                what: format!("depth {depth}, {} clauses", self.search.statistics.clauses),
            });
            if self.untreated.is_none() && self.is_over(depth, longest)? {
                return Ok(self.proved(format!("no path is longer than {} steps", depth - 1)));
            }
            if let Some(v) = self.violation()? {
                return Ok(v);
            }
            if let Some((v, since)) = &self.untreated
                && depth > 2 * since + 10
            {
                return Ok(v.clone());
            }
            if let Some(i) = &mut induction
                && depth <= INDUCTION
                && self.untreated.is_none()
                && i.holds(depth, &self.request.budget, EFFORT)?
            {
                return Ok(self.proved(format!("induction over {depth} steps")));
            }
        }
    }

    /// Whether no path has so many steps.
    fn is_over(&mut self, depth: usize, longest: Option<usize>) -> Result<bool, NoAnswer> {
        if longest.is_some_and(|n| depth > n) {
            return Ok(true);
        }
        let due = self.engine.complete && depth.is_multiple_of(OFTEN);
        Ok(due && self.search.goes_on(Some(EFFORT))? == Some(false))
    }

    /// The same system once more.
    fn fresh(&self) -> Result<System, NoAnswer> {
        system(self.program, &self.request.properties, self.bound)
            .map_err(|_| NoAnswer::Term("the program changed".into()))
    }

    /// A violation with the last step, replayed; what is not treated is remembered.
    fn violation(&mut self) -> Result<Option<Verdict>, NoAnswer> {
        self.search.statistics.depth = self.search.depth();
        if let Some(path) = self.search.find(Goal::Error)? {
            return Ok(Some(self.claim(&path)));
        }
        if self.untreated.is_none()
            && let Some(path) = self.search.find(Goal::Untreated)?
            && let Some(last) = path.actions.last()
        {
            let system = &self.search.unrolling.system;
            let verdict = match &system.get(*last).outcome {
                Outcome::Refused(r) => {
                    let r = &system.ccfg.refusals[*r as usize];
                    unsupported(&r.what, r.span)
                }
                Outcome::Untreated(r) => {
                    let (what, at) = &system.refusals[*r as usize];
                    unsupported(what, self.program.span_of(*at))
                }
                _ => Verdict::Unknown(Unknown::SafeForThreads(self.bound)),
            };
            self.untreated = Some((verdict, self.search.depth()));
        }
        Ok(None)
    }

    fn claim(&mut self, path: &Path) -> Verdict {
        let internal = |what: &str| Verdict::Unknown(Unknown::Internal(what.into()));
        let Some(last) = path.actions.last() else {
            return internal("a path without steps");
        };
        let system = &self.search.unrolling.system;
        let Outcome::Error(property, at) = system.get(*last).outcome else {
            return internal("a path without a violation");
        };
        let claim = candidate(
            system,
            &path.actions,
            &path.model,
            &path.choices,
            (property, at),
        );
        // Contents that nobody keeps track of are in no schedule.
        let mut choices = path.actions.iter().flat_map(|a| &system.get(*a).choices);
        let vague = choices.any(|c| c.kind.is_unknown_memory());
        let answer = match vague {
            true => self
                .judge
                .try_out(&claim)
                .ok_or_else(|| "it does not show".to_string()),
            false => self.judge.confirm(&claim),
        };
        self.search.statistics.projection = crate::describe::lines(self.program, system, path);
        self.search.statistics.steps = path.actions.len() - path.forced;
        match answer {
            Ok(found) => Verdict::False(vec![Found {
                projection: self.search.statistics.projection.clone(),
                ..found
            }]),
            Err(_) if vague => unsupported(
                "a violation that depends on memory whose contents are not known",
                self.program.span_of(at),
            ),
            Err(why) => Verdict::Unknown(Unknown::NotReplayed(why)),
        }
    }

    fn proved(&self, how: String) -> Verdict {
        let system = &self.search.unrolling.system;
        let assumptions = raddle_actions::assumptions(self.program, system);
        let threads = system.instances.list.len();
        Verdict::True(Proof {
            how: format!("bounded model checking of {threads} threads: {how}"),
            assumptions,
            ..Proof::default()
        })
    }
}

/// An answer about something that is not treated.
pub fn unsupported(what: &str, span: Span) -> Verdict {
    Verdict::Unknown(Unknown::Unsupported {
        what: what.into(),
        span,
    })
}
