//! One round: a skeleton in a solver, and the questions asked of it.

use crate::prefix::Prefixes;
use raddle_ir::{Location, Program, Property};
use raddle_skeleton::compose::{Composition, NotComposed, Size, compose};
use raddle_skeleton::event::{EventNo, Reason, Skeleton, Target};
use raddle_skeleton::extract::extract;
use raddle_skeleton::mode::Mode;
use raddle_skeleton::names::ThreadNo;
use raddle_solver::term::{Sort, Term, TermId};
use raddle_solver::{Answer, CancelToken, Limits, Model, Solver, StopReason, Unknown};
use raddle_verdict::{
    Assumption, AssumptionKind, Candidate, CandidateChoice, CandidateStep, Found, Judge, Request,
    StopCause,
};
use std::collections::{BTreeSet, HashMap};

/// The answer to "is there a violation?".
pub enum Answered {
    /// None.
    No,
    /// At least one, replayed.
    Yes,
    /// It would cost more than the round is worth.
    TooHard,
    /// No answer; `None` for a bug of ours.
    Stopped(Option<StopCause>),
}

/// A place where the unwinding is not the whole program, and that can be reached.
pub struct Reached {
    /// Its number among [`Skeleton::ends`].
    pub end: usize,
    /// How; nothing is violated there, it only leads there.
    pub run: Option<Candidate>,
}

/// Why a question was not answered.
pub enum Failed {
    /// It would cost more than the round is worth.
    TooHard,
    /// No answer; `None` for a bug of ours.
    Stopped(Option<StopCause>),
}

/// A skeleton in a solver.
pub struct Round<'a> {
    program: &'a Program,
    skeleton: &'a mut Skeleton,
    request: &'a Request,
    solver: Solver,
    composition: Composition,
    /// How many conflicts a question may cost.
    pub patience: Option<u32>,
    /// What holds in all runs that are asked about.
    given: Vec<TermId>,
}

impl<'a> Round<'a> {
    /// Composes a skeleton.
    pub fn new(
        program: &'a Program,
        skeleton: &'a mut Skeleton,
        request: &'a Request,
        mode: Mode,
    ) -> Result<Round<'a>, Failed> {
        let mut solver = Solver::new(request.certify);
        if mode.clocks {
            solver.use_clocks();
        }
        let races = request.properties.contains(&Property::NoDataRace);
        let stop = || request.budget.stopped().is_some();
        let composition = match compose(skeleton, program, &mut solver, races, mode, &stop) {
            Ok(composition) => composition,
            Err(NotComposed::Stopped) => return Err(Failed::Stopped(request.budget.stopped())),
            Err(NotComposed::Encoding(_)) => return Err(Failed::Stopped(None)),
        };
        Ok(Round {
            program,
            skeleton,
            request,
            solver,
            composition,
            patience: None,
            given: Vec::new(),
        })
    }

    /// From now on only runs are asked about that begin with these steps, and in which these questions were answered like this.
    pub fn begin_with(
        &mut self,
        steps: &[Vec<EventNo>],
        answered: &[(TermId, u128)],
    ) -> Result<(), Failed> {
        let prefixes = self.prefixes(steps)?;
        self.given = prefixes.conditions(prefixes.steps());
        for (term, value) in answered {
            let pool = &mut self.skeleton.pool;
            let fixed = match pool.sort(*term) {
                Sort::Bool if value & 1 == 1 => *term,
                Sort::Bool => pool.not(*term),
                Sort::BitVec(width) => {
                    let value = pool.bits(width, *value);
                    pool.eq(*term, value)
                }
                _ => return Err(Failed::Stopped(None)),
            };
            self.given.push(fixed);
        }
        Ok(())
    }

    /// Whether nothing was left out.
    pub fn is_whole(&self) -> bool {
        self.skeleton.ends.is_empty()
    }

    /// The places where something was left out, and why; composing may have added some.
    pub fn left_out(&self) -> Vec<(Reason, Location)> {
        let ends = self.skeleton.ends.iter();
        ends.map(|(reason, end)| (reason.clone(), end.at)).collect()
    }

    /// How many places there are where something was left out.
    pub fn ends_count(&self) -> usize {
        self.skeleton.ends.len()
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        self.composition.size
    }

    fn limits(&self) -> Limits {
        let budget = self.request.budget.clone();
        Limits {
            conflicts: self.patience,
            deadline: self.request.budget.deadline(),
            cancel: Some(CancelToken::when(move || budget.stopped().is_some())),
        }
    }

    fn reach(&mut self, targets: &[TermId]) -> Result<Option<Model>, Failed> {
        let goal = self.skeleton.pool.or_all(targets.iter().copied());
        self.solve(&[goal])
    }

    /// Something that is not treated happens.
    fn untreated(&mut self) -> TermId {
        let untreated = |(r, t): &(Reason, Target)| match r {
            Reason::Unsupported(_) => Some(t.reached),
            // Half an atomic region, which no real run leaves behind.
            _ => t.inside.map(|_| t.reached),
        };
        let all: Vec<TermId> = self.skeleton.ends.iter().filter_map(untreated).collect();
        self.skeleton.pool.or_all(all)
    }

    fn solve(&mut self, goals: &[TermId]) -> Result<Option<Model>, Failed> {
        let limits = self.limits();
        let goals: Vec<TermId> = goals.iter().chain(&self.given).copied().collect();
        match self.solver.check(&mut self.skeleton.pool, &goals, &limits) {
            Ok(Answer::Sat(model)) => Ok(Some(model)),
            Ok(Answer::Unsat(_)) => Ok(None),
            Ok(Answer::Unknown(Unknown::Stopped(StopReason::Conflicts))) => Err(Failed::TooHard),
            Ok(Answer::Unknown(_)) => Err(Failed::Stopped(self.request.budget.stopped())),
            Err(_) => Err(Failed::Stopped(None)),
        }
    }

    /// States the steps of a run, of which any beginning can be asked about ([`Round::is_safe_after`]): the events of each step,
    /// in order.
    pub fn prefixes(&mut self, steps: &[Vec<EventNo>]) -> Result<Prefixes, Failed> {
        let mut made = Prefixes::default();
        let mut last: Option<EventNo> = None;
        // How many of its events each thread has behind it.
        let mut done: HashMap<ThreadNo, usize> = HashMap::new();
        made.push(Vec::new());
        for step in steps {
            let mut holds = Vec::new();
            for &e in step {
                let event = &self.skeleton.events[e.0 as usize];
                let thread = event.thread;
                holds.push(self.skeleton.guards.term(event.guard));
                let own = &self.skeleton.threads[thread.0 as usize].events;
                if let Some(at) = own.iter().position(|o| *o == e) {
                    done.insert(thread, at + 1);
                }
                if let Some(before) = last {
                    holds.extend(self.ordered(before, &[e])?);
                }
                last = Some(e);
            }
            let next = self.next_events(&done);
            let closed = match last {
                Some(last) => self.ordered(last, &next)?,
                None => None,
            };
            made.close(holds, closed);
        }
        Ok(made)
    }

    /// What may come next in every thread, which has so many events behind it: all up to one that occurs if the thread goes on.
    fn next_events(&self, done: &HashMap<ThreadNo, usize>) -> Vec<EventNo> {
        let mut next: Vec<EventNo> = Vec::new();
        let guard = |e: &EventNo| self.skeleton.events[e.0 as usize].guard;
        for (t, log) in self.skeleton.threads.iter().enumerate() {
            let from = done.get(&ThreadNo(t as u32)).copied().unwrap_or(0);
            let last = from.checked_sub(1).map(|n| guard(&log.events[n]));
            for e in &log.events[from..] {
                if self.composition.ids[e.0 as usize].is_none() {
                    continue;
                }
                next.push(*e);
                let occurs = self.skeleton.guards.term(guard(e));
                if last == Some(guard(e)) || self.is_true(occurs) {
                    break;
                }
            }
        }
        next
    }

    /// A condition under which an event comes before others, if they occur; `None` if there is nothing to order.
    ///
    /// An event that does not occur has a place in the order, too: before the end of its thread, which may lie behind.
    fn ordered(&mut self, a: EventNo, others: &[EventNo]) -> Result<Option<TermId>, Failed> {
        let Some(first) = self.composition.ids[a.0 as usize] else {
            return Ok(None);
        };
        let name = self.skeleton.pool.fresh_var("prefix", Sort::Bool);
        let mut any = false;
        for b in others {
            let Some(second) = self.composition.ids[b.0 as usize] else {
                continue;
            };
            let occurs = self
                .skeleton
                .guards
                .term(self.skeleton.events[b.0 as usize].guard);
            let both = self.skeleton.pool.and(name, occurs);
            let literal = self.solver.literal(&mut self.skeleton.pool, both);
            let literal = literal.map_err(|_| Failed::Stopped(None))?;
            let mut problem = self.solver.order_problem();
            if problem.event(first).node != problem.event(second).node {
                problem.add_conditional_order(literal, first, second);
                any = true;
            }
        }
        Ok(any.then_some(name))
    }

    /// Whether after so many steps of a run nothing can go wrong, whatever comes next: neither a violation nor anything that
    /// was left out.
    pub fn is_safe_after(&mut self, prefixes: &Prefixes, steps: usize) -> Result<bool, Failed> {
        let wrong: Vec<TermId> = (self.skeleton.violations.iter().map(|(_, t)| t.reached))
            .chain(self.skeleton.ends.iter().map(|(_, t)| t.reached))
            .collect();
        let mut goals = vec![self.skeleton.pool.or_all(wrong)];
        goals.extend(prefixes.conditions(steps));
        Ok(self.solve(&goals)?.is_none())
    }

    /// Looks for violations and has them replayed.
    pub fn violations(
        &mut self,
        judge: &mut dyn Judge,
        found: &mut Vec<Found>,
        refused: &mut Option<String>,
    ) -> Answered {
        let mut done: BTreeSet<(Property, Location)> = BTreeSet::new();
        // First runs in which everything is treated, and which happen wherever objects lie; then any, which may be an artefact.
        let untreated = self.untreated();
        let placed: Vec<TermId> = (self.skeleton.layout_uses.iter().map(|(when, _)| *when))
            .chain([untreated])
            .collect();
        let untreated = self.skeleton.pool.or_all(placed);
        let treated = self.skeleton.pool.not(untreated);
        let mut everything = false;
        loop {
            let open: Vec<(Property, Target)> = self
                .skeleton
                .violations
                .iter()
                .filter(|(p, t)| !done.contains(&(*p, t.at)))
                .copied()
                .collect();
            if open.is_empty() {
                return Answered::No;
            }
            let terms: Vec<TermId> = open.iter().map(|(_, t)| t.reached).collect();
            let goal = self.skeleton.pool.or_all(terms);
            let found_one = match everything {
                false => self.solve(&[goal, treated]),
                true => self.solve(&[goal]),
            };
            let model = match found_one {
                Ok(Some(model)) => model,
                Ok(None) if !everything && !self.is_true(treated) => {
                    everything = true;
                    continue;
                }
                Ok(None) => return Answered::No,
                Err(Failed::TooHard) => return Answered::TooHard,
                Err(Failed::Stopped(why)) => return Answered::Stopped(why),
            };
            let holds = |t: TermId| self.skeleton.pool.holds(t, &model.values) == Ok(true);
            let Some((property, target)) = open.iter().find(|(_, t)| holds(t.reached)) else {
                return Answered::Stopped(None);
            };
            done.insert((*property, target.at));
            let Some(candidate) = self.candidate(*property, target, &model) else {
                return Answered::Stopped(None);
            };
            // Of two racing accesses one may end the process: then it has to come last.
            let mut guess = None;
            if target.pair.is_some() && candidate.steps.len() >= 2 {
                let mut swapped = candidate.clone();
                let n = swapped.steps.len();
                swapped.steps.swap(n - 1, n - 2);
                guess = judge
                    .try_out(&candidate)
                    .or_else(|| judge.try_out(&swapped));
            }
            let answer = match (guess, everything) {
                (Some(found), _) => Ok(found),
                (None, false) => judge.confirm(&candidate),
                (None, true) => judge.try_out(&candidate).ok_or_else(String::new),
            };
            match answer {
                Ok(violation) => {
                    found.push(violation);
                    if !self.request.all_violations {
                        return Answered::Yes;
                    }
                }
                // With arbitrary values in place of what is not treated, a violation may be an artefact. Where objects lie is a choice
                // that is not replayed: what was not seen with those of the interpreter is open.
                Err(_) if everything => self.leave_to_layout(*target),
                Err(why) => *refused = Some(why),
            }
        }
    }

    fn leave_to_layout(&mut self, target: Target) {
        if !self.skeleton.layout_uses.is_empty() {
            let what = "a violation that depends on where objects lie";
            let end = (Reason::Unsupported(what.into()), target);
            self.skeleton.ends.push(end);
        }
    }

    fn is_true(&self, t: TermId) -> bool {
        matches!(self.skeleton.pool.term(t), Term::Bool(true))
    }

    fn candidate(&self, property: Property, target: &Target, model: &Model) -> Option<Candidate> {
        let deadlock = property == Property::NoDeadlock;
        let run = extract(self.skeleton, &self.composition, model, target, deadlock)?;
        let step = |s: &raddle_skeleton::extract::RunStep| CandidateStep {
            thread: s.thread.0,
            at: s.at,
            occurrence: s.occurrence,
            starts: s.makes.map(|t| t.0),
        };
        let choice = |c: &raddle_skeleton::extract::RunChoice| CandidateChoice {
            thread: c.thread.0,
            at: c.at,
            kind: c.kind,
            occurrence: c.occurrence,
            value: c.value,
        };
        Some(Candidate {
            property,
            thread: target.thread.0,
            at: target.at,
            spurious_wakeups: !deadlock,
            steps: run.steps.iter().map(step).collect(),
            choices: run.choices.iter().map(choice).collect(),
        })
    }

    /// Which of the places where the unwinding is not the whole program can be reached; not all of them, but at least one if any.
    pub fn ends(&mut self) -> Result<Vec<Reached>, Failed> {
        let mut reached: Vec<Reached> = Vec::new();
        let mut places: BTreeSet<Location> = BTreeSet::new();
        for _ in 0..8 {
            let open: Vec<usize> = (0..self.skeleton.ends.len())
                .filter(|i| !places.contains(&self.skeleton.ends[*i].1.at))
                .collect();
            if open.is_empty() {
                break;
            }
            let terms: Vec<TermId> = open
                .iter()
                .map(|&i| self.skeleton.ends[i].1.reached)
                .collect();
            let Some(model) = self.reach(&terms)? else {
                break;
            };
            let holds = |i: &usize| {
                let t = self.skeleton.ends[*i].1.reached;
                self.skeleton.pool.holds(t, &model.values) == Ok(true)
            };
            let now: Vec<usize> = open.into_iter().filter(holds).collect();
            if now.is_empty() {
                return Err(Failed::Stopped(None));
            }
            places.extend(now.iter().map(|i| self.skeleton.ends[*i].1.at));
            for end in now {
                let target = self.skeleton.ends[end].1;
                let run = self.candidate(Property::UnreachCall, &target, &model);
                reached.push(Reached { end, run });
            }
        }
        Ok(reached)
    }

    /// Asks the solver to justify that neither a violation nor an end can be reached, and checks that.
    pub fn certify(&mut self) -> Result<String, String> {
        let terms: Vec<TermId> = (self.skeleton.violations.iter().map(|(_, t)| t.reached))
            .chain(self.skeleton.ends.iter().map(|(_, t)| t.reached))
            .collect();
        match self.reach(&terms) {
            Ok(None) => {}
            Ok(Some(_)) => return Err("a second solve found what the first did not".into()),
            Err(_) => return Err("the solver was stopped while certifying".into()),
        }
        let Some(certificate) = self.solver.certificate() else {
            return Err("the solver gives no certificate".into());
        };
        match raddle_solver::check::check(&certificate) {
            Ok(_) => Ok("an unsatisfiability proof, checked by independent code".into()),
            Err(why) => Err(format!("the certificate was refused: {why}")),
        }
    }

    /// What a `true` takes for granted.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let granted = self.skeleton.granted.iter();
        let all = granted.map(|(property, at)| Assumption {
            kind: AssumptionKind::Holds(*property),
            span: self.program.span_of(*at),
        });
        let distinct: BTreeSet<Assumption> = all.collect();
        distinct.into_iter().collect()
    }
}
