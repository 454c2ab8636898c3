//! The loop: search the reduced product, judge what it finds, refine.
//!
//! `true` needs an exhausted search in which neither a violation, nor anything untreated, nor a thread beyond the instances can be
//! reached. A violation goes to the judge. Values of variables are listed as long as there are few states; when there are many,
//! the variables with the most values are left to predicates.

use crate::abstraction::Abstraction;
use crate::any_number::Tried;
use crate::check::check;
use crate::claims::claims;
use crate::cone::{irrelevant, undecisive};
use crate::explore::{Search, Searched};
use crate::independence::Independence;
use crate::leap::{self, Courage, Kind, Leaps};
use crate::logic::Logic;
use crate::modular::{Invariants, QUESTIONS, infer};
use crate::parts::{self, parts};
use crate::persistent_sets::{PersistentSets, groups};
use crate::proof::{ProofFile, print};
use crate::symmetry::Symmetry;
use crate::system::{ActionId, Chosen, Outcome, System, VarId};
use crate::templates::guesses;
use crate::trace::{Judged, Listed, judge};
use raddle_actions::waiting::Deadlocks;
use raddle_actions::{leave_out_what_decides_nothing, only_where_needed, split_small_choices};
use raddle_ccfg::Ccfg;
use raddle_ir::{Program, Property, Span};
use raddle_solver::term::{TermId, TermPool};
use raddle_verdict::{
    Board, Engine, Found, Judge, Progress, Proof, Request, StopCause, Unknown, Verdict, in_turns,
    leave_weak_races_open,
};
use std::rc::Rc;

/// States up to which all values are listed: before invariants are inferred, then, and once more if predicates do not help soon.
const QUICK_LIMIT: usize = 3_000;
const FIRST_LIMIT: usize = 20_000;
const SECOND_LIMIT: usize = 600_000;
/// How many questions to the solver that is.
const SOON: u64 = 6_000;
/// A variable with more values than this is restless.
const RESTLESS: usize = 12;
/// Proofs of so many states are always checked again.
const FEW_STATES: usize = 200_000;
/// Every so many refinements, invariants are guessed.
const GUESSING: usize = 3;
/// Instances of every creation that can repeat: first, and at most.
const THREADS: [u32; 3] = [2, 4, 8];
/// Instances that are tried at once if the first thread alone makes so many.
const MORE_THREADS: [u32; 5] = [2, 4, 8, 16, 32];
/// Instead of a number of instances: two stand for any number.
pub(crate) const ANY_NUMBER: u32 = 0;
/// Questions for a proof of any number of threads before anything else is tried.
const FIRST_QUESTIONS: u64 = 3_000;
/// States and questions in which deadlocks are looked for with all values listed, before anything else.
const GLANCE_LIMIT: usize = 5_000;
const GLANCE_QUESTIONS: u64 = 1_000;
/// Refinements after which more than what decides who waits is listed.
const NARROW: usize = 40;
/// States in which the first thread alone is followed.
const ALONE_LIMIT: usize = 2_000;

/// The engine.
#[derive(Clone, Debug)]
pub struct RefineEngine {
    /// Use partial-order reduction.
    pub reduce: bool,
    /// List values of variables; otherwise everything is left to predicates.
    pub values: bool,
    /// Infer invariants before anything else, not only for programs with many states.
    pub eager: bool,
    /// Prove for any number of threads of every creation, whether it can repeat or not, and do nothing else.
    pub crowds: bool,
    /// So many threads of every creation that can repeat, instead of more and more.
    pub threads: Option<u32>,
    /// Whether the text of a proof is wanted.
    pub write_proofs: bool,
}

impl Default for RefineEngine {
    fn default() -> RefineEngine {
        RefineEngine {
            reduce: true,
            values: true,
            eager: false,
            crowds: false,
            threads: None,
            write_proofs: false,
        }
    }
}

impl Engine for RefineEngine {
    fn name(&self) -> &'static str {
        "refine"
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
        let refused = match (&request.inputs, &request.after) {
            (Some(_), _) => Some(unsupported("given inputs", Span::NOWHERE)),
            (_, Some(_)) => Some(Verdict::Unknown(Unknown::OnlyFromStart)),
            _ => None,
        };
        if let Some(open) = refused {
            board.answer(&request.properties, open);
            return;
        }
        let (parts, untreated) = parts(&request.properties);
        for p in untreated {
            let what = format!("the property {p}");
            board.answer(&[p], unsupported(&what, Span::NOWHERE));
        }
        in_turns(parts, &request, board, &mut |part| {
            Some(self.part(program, part, judge, progress))
        });
    }
}

impl RefineEngine {
    /// Answers what is asked together.
    fn part(
        &self,
        program: &Program,
        request: &Request,
        judge: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
    ) -> Verdict {
        if let Some(why) = parts::is_plain(program, &request.properties) {
            return self.plain(program, request, &why);
        }
        let graph = match graph(program, request) {
            Ok(graph) => graph,
            Err(v) => return v,
        };
        if self.crowds {
            return match self.any_number(program, request, &graph, QUESTIONS) {
                Tried::Verdict(v) => v,
                _ => unsupported("any number of threads", Span::NOWHERE),
            };
        }
        // A number that is given is what is asked about.
        let mut untried = self.threads.is_none() && self.reduce;
        let bounds: Vec<u32> = match self.threads {
            Some(n) => vec![n],
            None => match needed(&graph, request) {
                Ok(Some(n)) => {
                    let more = MORE_THREADS.iter().copied();
                    more.filter(|b| *b == n || *b > n && *b <= THREADS[2])
                        .collect()
                }
                Ok(None) => {
                    // No number will do, so the one proof that could is tried first, for a while.
                    if untried {
                        match self.any_number(program, request, &graph, FIRST_QUESTIONS) {
                            Tried::Verdict(v) => return v,
                            Tried::InVain => untried = false,
                            Tried::GivenUp => {}
                        }
                    }
                    THREADS.to_vec()
                }
                Err(v) => return v,
            },
        };
        let mut last = unsupported("no threads", Span::NOWHERE);
        let most = bounds.last().copied().unwrap_or_default();
        for bound in bounds {
            let mut task = Task {
                engine: self.clone(),
                program,
                graph: &graph,
                request,
                judge,
                progress,
                states: 0,
                refinements: 0,
                specific: false,
                most,
                glance: self.values && request.properties.contains(&Property::NoDeadlock),
                narrow: !self.values && request.properties.contains(&Property::NoDeadlock),
                leaps: Leaps::default(),
            };
            match task.run(bound) {
                Ended::Verdict(v) => return v,
                Ended::TooMany(safe) => {
                    if std::mem::take(&mut untried)
                        && let Tried::Verdict(v) =
                            self.any_number(program, request, &graph, QUESTIONS)
                    {
                        return v;
                    }
                    if safe {
                        last = Verdict::Unknown(Unknown::SafeForThreads(bound));
                    }
                }
            }
        }
        last
    }
}

impl RefineEngine {
    /// What holds of the program as it stands.
    fn plain(&self, program: &Program, request: &Request, why: &str) -> Verdict {
        let proof = ProofFile {
            fingerprint: program.fingerprint(),
            properties: request.properties.clone(),
            bound: 1,
            ..ProofFile::default()
        };
        let text = || print(&proof, &TermPool::new(), &|_| None);
        Verdict::True(Proof {
            how: why.into(),
            certificate: request.certify.then(|| why.into()),
            artefact: self.write_proofs.then(text),
            ..Proof::default()
        })
    }

    /// A proof as data: its text, if that is wanted, and how many threads it is about, for [`crate::invariants`].
    pub(crate) fn write(&self, system: &System, proof: &ProofFile) -> Proof {
        let number = |t: TermId| system.by_term.get(&t).map(|v| v.0);
        let text = || print(proof, &system.pool, &number);
        let invariants = proof.properties.contains(&Property::UnreachCall);
        Proof {
            artefact: self.write_proofs.then(text),
            threads: invariants.then_some(proof.bound),
            ..Proof::default()
        }
    }
}

/// How values and predicates share the work.
#[derive(Clone, Copy)]
enum Phase {
    /// All values are listed, for a few states.
    Quick,
    /// All values are listed.
    Listing,
    /// Restless variables are left to predicates, for a while after so many questions.
    Guessing(u64),
    /// All values are listed, for many states.
    ListingMore,
    /// Restless variables are left to predicates.
    Patient,
}

enum Ended {
    Verdict(Verdict),
    /// More threads can be made than there are instances; whether nothing else was found.
    TooMany(bool),
}

struct Task<'a> {
    engine: RefineEngine,
    program: &'a Program,
    graph: &'a Ccfg,
    request: &'a Request,
    judge: &'a mut dyn Judge,
    progress: &'a mut dyn FnMut(Progress),
    states: usize,
    refinements: usize,
    /// Predicates may be about the listed values of one run.
    specific: bool,
    /// No more instances than these are tried.
    most: u32,
    /// All values are listed and nothing leaps, for a few states.
    glance: bool,
    /// Only what decides who waits is listed, for a while.
    narrow: bool,
    /// Leaps that did not help.
    leaps: Leaps,
}

impl Task<'_> {
    fn run(&mut self, bound: u32) -> Ended {
        let mut system = match of_graph(self.graph.clone(), bound) {
            Ok(system) => system,
            Err(r) => return Ended::Verdict(unsupported(&r.what, r.span)),
        };
        let mut logic = Logic::new(self.request.budget.clone());
        let mut abstraction = self.abstraction(&mut system);
        // Those of groups that are done.
        let mut predicates = 0;
        let mut proof = ProofFile {
            fingerprint: self.program.fingerprint(),
            properties: self.request.properties.clone(),
            bound,
            ..ProofFile::default()
        };
        let mut independence = Independence::new(&system);
        // Deadlocks are about all threads at once, and told apart by who holds what.
        let deadlocks = self.request.properties.contains(&Property::NoDeadlock);
        let mut questions = deadlocks.then(Deadlocks::default);
        let symmetry = Rc::new(match self.engine.reduce && !deadlocks {
            true => Symmetry::new(&mut system),
            false => Symmetry::default(),
        });
        // Invariants of each thread and sorted threads do not go together.
        let quick = match symmetry.groups.is_empty() {
            true => QUICK_LIMIT,
            false => FIRST_LIMIT,
        };
        let mut limit = quick;
        let mut beyond = false;
        let mut phase = Phase::Quick;
        let mut invariants: Rc<Invariants> = Rc::default();
        let (mut inferred, mut wanted, mut widen) = (false, false, false);
        if self.engine.eager {
            limit = 1;
        }
        // What is set aside while all values are listed once more.
        let mut aside: Option<Abstraction> = None;
        let mut persistent_sets = PersistentSets::default();
        let mut groups = match self.engine.reduce && !deadlocks {
            true => groups(&system, &independence),
            false => vec![u64::MAX],
        };
        let mut restarts = leap::RESTARTS;
        // Those that were looked at for a while.
        let mut looked_at: Vec<u64> = Vec::new();
        // Taken from the end: violations first, then what is not treated.
        groups.reverse();
        groups.sort_by_key(|g| violations(&system, *g));
        loop {
            let Some(targets) = groups.last().copied() else {
                return match beyond {
                    true => Ended::TooMany(true),
                    false => Ended::Verdict(self.proved(&mut system, predicates, &proof)),
                };
            };
            let budget = self.request.budget.clone();
            let mut search = Search::new(
                &mut system,
                &mut abstraction,
                &mut logic,
                &mut independence,
                &mut persistent_sets,
                &budget,
            );
            search.invariants = invariants.clone();
            let concerned = search.abstraction.predicates.iter();
            let mut concerned = concerned.map(|p| symmetry.concerns(search.system, p.term));
            if invariants.detail.is_empty() && !concerned.any(|c| c) {
                search.symmetry = Some(symmetry.clone()).filter(|s| !s.groups.is_empty());
            }
            search.targets = targets;
            search.deadlocks = questions.take();
            search.reduce = self.engine.reduce;
            search.limit = limit;
            search.restarts = restarts;
            if self.glance {
                search.limit = GLANCE_LIMIT;
            }
            search.until = match phase {
                _ if self.glance => Some(GLANCE_QUESTIONS),
                Phase::Guessing(before) => Some(before + SOON),
                _ => None,
            };
            search.ignore_surplus = beyond;
            let found = search.run();
            let passed = std::mem::take(&mut search.passed);
            questions = search.deadlocks.take();
            if matches!(found, Searched::Exhausted) {
                proof.groups.push(search.proof());
            }
            self.states += search.states();
            let variety = match found {
                Searched::Full => search.variety(),
                _ => Default::default(),
            };
            (self.progress)(Progress {
                engine: "refine",
                what: format!(
                    "{} refinements, {} predicates, {} states, {} questions",
                    self.refinements,
                    abstraction.predicates.len(),
                    self.states,
                    logic.asked
                ),
            });
            match found {
                Searched::Stopped => return Ended::Verdict(self.stopped()),
                Searched::Exhausted if groups.len() > 1 => {
                    groups.pop();
                    predicates += abstraction.predicates.len();
                    abstraction = self.abstraction(&mut system);
                    (phase, limit) = match inferred {
                        true => (Phase::Listing, FIRST_LIMIT),
                        false => (Phase::Quick, quick),
                    };
                }
                Searched::Exhausted if beyond => return Ended::TooMany(true),
                Searched::Full | Searched::Late if self.glance => {
                    self.glance = false;
                    self.narrow = true;
                    abstraction = self.abstraction(&mut system);
                }
                Searched::Exhausted => {
                    let predicates = predicates + abstraction.predicates.len();
                    return Ended::Verdict(self.proved(&mut system, predicates, &proof));
                }
                Searched::Full if self.narrow => widen = true,
                Searched::Full if matches!(phase, Phase::Quick) => {
                    // A bug of another group may be near; then what takes long can wait.
                    looked_at.push(targets);
                    match groups.iter().rposition(|g| !looked_at.contains(g)) {
                        Some(other) => {
                            let other = groups.remove(other);
                            groups.push(other);
                            abstraction = self.abstraction(&mut system);
                        }
                        None => wanted = true,
                    }
                }
                Searched::Again => restarts -= 1,
                Searched::Vain => {
                    self.leap_less(&mut system, &mut abstraction);
                }
                Searched::Late => {
                    let fresh = self.abstraction(&mut system);
                    aside = Some(std::mem::replace(&mut abstraction, fresh));
                    phase = Phase::ListingMore;
                    limit = SECOND_LIMIT;
                }
                Searched::Full if matches!(phase, Phase::ListingMore) => {
                    abstraction = aside.take().unwrap_or_default();
                    phase = Phase::Patient;
                    limit = SECOND_LIMIT;
                }
                Searched::Full => {
                    if matches!(phase, Phase::Listing) {
                        phase = Phase::Guessing(logic.asked);
                    }
                    let restless = variety.iter().filter(|(_, n)| **n > RESTLESS);
                    let restless: Vec<VarId> = restless.map(|(v, _)| *v).collect();
                    if restless.is_empty() {
                        limit *= 2;
                    }
                    for v in restless {
                        abstraction.drop_variable(v);
                    }
                }
                Searched::Hit(path, listed) => {
                    let run = (&path[..], &listed);
                    match self.refine(&mut system, &mut logic, &mut abstraction, run) {
                        Refined::Again => {
                            self.refinements += 1;
                            self.blame(&mut system, &mut abstraction, &passed);
                            widen = self.narrow && self.refinements > NARROW;
                        }
                        // Without the leap there may be more to say.
                        Refined::Stuck(_) if !passed.is_empty() => {
                            self.blame(&mut system, &mut abstraction, &passed);
                        }
                        Refined::Stuck(_) if self.glance => {
                            self.glance = false;
                            self.narrow = true;
                            abstraction = self.abstraction(&mut system);
                        }
                        Refined::Stuck(_) if self.narrow => widen = true,
                        Refined::Stuck(v) => return Ended::Verdict(v),
                        Refined::Surplus if bound < self.most => {
                            return Ended::TooMany(false);
                        }
                        Refined::Surplus => beyond = true,
                        // What arrays hold may be known then.
                        Refined::Vague(_) if !inferred => wanted = true,
                        Refined::Vague(v) => return Ended::Verdict(v),
                        Refined::Verdict(v) => return Ended::Verdict(v),
                    }
                }
            }
            if std::mem::take(&mut widen) {
                self.narrow = false;
                abstraction = self.abstraction(&mut system);
            }
            if deadlocks && std::mem::take(&mut wanted) {
                // Invariants of each thread say nothing of all of them.
                (phase, limit) = (Phase::Listing, FIRST_LIMIT);
                inferred = true;
            }
            if std::mem::take(&mut wanted) {
                let Ok(found) = infer(&mut system, &mut logic, QUESTIONS) else {
                    return Ended::Verdict(self.stopped());
                };
                (phase, limit) = (Phase::Listing, FIRST_LIMIT);
                inferred = true;
                persistent_sets = PersistentSets::default();
                independence.forget();
                abstraction = self.abstraction(&mut system);
                if let Some((found, impossible)) = found {
                    system.leave_out(&impossible);
                    system.restrict(&found.contents);
                    invariants = Rc::new(found);
                    proof.invariants = Invariants::clone(&invariants);
                    let left = |g: &u64| {
                        let mut errors = system.errors();
                        errors.any(|e| g >> system.get(e).thread.0 & 1 == 1)
                    };
                    groups.retain(left);
                }
            }
        }
    }

    /// Leaps led to a run that cannot happen.
    fn blame(&mut self, system: &mut System, abstraction: &mut Abstraction, passed: &[Kind]) {
        if passed.is_empty() {
            return;
        }
        abstraction.leaps.blame(passed);
        self.leaps = Leaps::after(&abstraction.leaps);
        if self.leaps.are_vain() {
            self.leap_less(system, abstraction);
        }
    }

    /// Begins anew with fewer leaps: what was learned on the way is about states that are gone.
    fn leap_less(&mut self, system: &mut System, abstraction: &mut Abstraction) {
        self.leaps.end();
        self.refinements = 0;
        *abstraction = self.abstraction(system);
    }

    fn abstraction(&self, system: &mut System) -> Abstraction {
        let mut abstraction = Abstraction::default();
        abstraction.leaps = self.leaps.clone();
        if self.glance {
            abstraction.leaps.courage = Courage::None;
        }
        if self.narrow {
            for v in undecisive(system) {
                abstraction.drop_variable(v);
            }
        }
        if !self.engine.values {
            abstraction.drop_all(system);
        }
        for v in irrelevant(system) {
            abstraction.drop_variable(v);
        }
        abstraction
    }

    fn refine(
        &mut self,
        system: &mut System,
        logic: &mut Logic,
        abstraction: &mut Abstraction,
        (path, listed): (&[ActionId], &Listed),
    ) -> Refined {
        let (model, choices) = match judge(system, logic, path, listed, self.specific) {
            Err(_) => return Refined::Verdict(self.stopped()),
            Ok(Judged::Infeasible(predicates)) => {
                let mut new = false;
                let mut predicates = predicates;
                // One run after the other: perhaps the predicates grow by one number each time.
                if self.refinements % GUESSING == GUESSING - 1 {
                    predicates.extend(guesses(system, path, &predicates, &abstraction.dropped));
                }
                for p in predicates {
                    new |= abstraction.add(system, p);
                }
                return match new {
                    true => Refined::Again,
                    false => {
                        Refined::Stuck(unsupported("no predicate refutes a run", Span::NOWHERE))
                    }
                };
            }
            Ok(Judged::Opaque) => {
                let what = "no predicate refutes a run that depends on inputs";
                return Refined::Stuck(unsupported(what, Span::NOWHERE));
            }
            Ok(Judged::Feasible(model, choices)) => (model, choices),
        };
        let Some(last) = path.last() else {
            return Refined::Verdict(self.stopped());
        };
        match system.get(*last).outcome {
            Outcome::Error(property, at) => {
                let what = (property, at);
                let said = claims(system, path, (&model, &choices), what);
                let unsure = |c: &Chosen| c.kind.is_unknown_memory();
                let vague = path
                    .iter()
                    .any(|a| system.get(*a).choices.iter().any(unsure));
                // What is asked besides the program's own steps is over-approximated in places.
                let unsure = property != Property::UnreachCall;
                let answer = match vague || unsure {
                    true => said
                        .iter()
                        .find_map(|claim| self.judge.try_out(claim))
                        .ok_or_else(|| "it does not show".to_string()),
                    false => self.judge.confirm(&said[0]),
                };
                match answer {
                    Ok(found) => Refined::Verdict(Verdict::False(vec![found] as Vec<Found>)),
                    Err(_) if vague => Refined::Vague(unsupported(
                        "a violation that depends on memory whose contents are not known",
                        self.program.span_of(at),
                    )),
                    Err(_) if unsure => Refined::Verdict(unsupported(
                        &format!("a violation of {property} that does not show"),
                        self.program.span_of(at),
                    )),
                    Err(why) => Refined::Verdict(Verdict::Unknown(Unknown::NotReplayed(why))),
                }
            }
            Outcome::Refused(r) => {
                let r = system.ccfg.refusals[r as usize].clone();
                Refined::Verdict(unsupported(&r.what, r.span))
            }
            Outcome::Untreated(r) => {
                let (what, at) = &system.refusals[r as usize];
                Refined::Verdict(unsupported(what, self.program.span_of(*at)))
            }
            Outcome::TooMany => Refined::Surplus,
            Outcome::Next(_) => Refined::Verdict(Verdict::Unknown(Unknown::Internal(
                "a run without an error".into(),
            ))),
        }
    }

    fn stopped(&self) -> Verdict {
        let cause = self.request.budget.stopped().unwrap_or(StopCause::Time);
        Verdict::Unknown(Unknown::Stopped { cause, bound: None })
    }

    fn proved(&self, system: &mut System, predicates: usize, proof: &ProofFile) -> Verdict {
        let states: usize = proof.groups.iter().map(|g| g.states.len()).sum();
        let checked = self.request.certify || states <= FEW_STATES;
        if checked && let Err(why) = check(system, proof, &self.request.budget) {
            if self.request.budget.stopped().is_some() {
                return self.stopped();
            }
            let why = format!("a proof that the checker refuses: {why}");
            return Verdict::Unknown(Unknown::Internal(why));
        }
        Verdict::True(Proof {
            how: format!(
                "inductive proof over {} threads: {} refinements, {} predicates, {} states{}",
                system.instances.list.len(),
                self.refinements,
                predicates,
                self.states,
                if checked { ", checked again" } else { "" }
            ),
            assumptions: raddle_actions::assumptions(self.program, system),
            certificate: (checked && self.request.certify)
                .then(|| format!("{states} states, every step of which was checked again")),
            ..self.engine.write(system, proof)
        })
    }
}

/// The graph of a program, from which all systems are made.
fn graph(program: &Program, request: &Request) -> Result<Ccfg, Verdict> {
    let ccfg = parts::graph(program, &request.properties);
    let ccfg = ccfg.map_err(|r| unsupported(&r.what, r.span))?;
    raddle_ccfg::verify(&ccfg).map_err(|why| Verdict::Unknown(Unknown::Internal(why)))?;
    Ok(ccfg)
}

/// The transition system of a graph, for the search and for the checker.
pub(crate) fn of_graph(ccfg: Ccfg, bound: u32) -> Result<System, raddle_ccfg::Refusal> {
    if bound == ANY_NUMBER {
        return System::for_any_number(ccfg).ok_or(raddle_ccfg::Refusal {
            what: "threads of which any number cannot be treated".into(),
            span: Span::NOWHERE,
        });
    }
    let mut system = System::new(ccfg, bound)?;
    only_where_needed(&mut system);
    split_small_choices(&mut system);
    leave_out_what_decides_nothing(&mut system);
    Ok(system)
}

/// How many instances of repeating creations it takes so that the first thread, if it runs alone, does not make more; `None` if
/// it makes more than are tried. A good place to begin, no more: others may make threads, too.
fn needed(graph: &Ccfg, request: &Request) -> Result<Option<u32>, Verdict> {
    for bound in MORE_THREADS {
        let repeats = |t: &raddle_ccfg::Template| t.sites.iter().any(|s| s.repeats);
        if !graph.templates.iter().any(repeats) {
            return Ok(Some(bound));
        }
        let system = of_graph(graph.clone(), bound);
        let mut system = system.map_err(|r| unsupported(&r.what, r.span))?;
        let mut logic = Logic::new(request.budget.clone());
        let mut abstraction = Abstraction::default();
        let mut independence = Independence::new(&system);
        let mut persistent_sets = PersistentSets::default();
        let mut search = Search::new(
            &mut system,
            &mut abstraction,
            &mut logic,
            &mut independence,
            &mut persistent_sets,
            &request.budget,
        );
        search.first_alone = true;
        search.limit = ALONE_LIMIT;
        match search.run() {
            Searched::Exhausted => return Ok(Some(bound)),
            Searched::Hit(path, listed) => {
                let judged = judge(&mut system, &mut logic, &path, &listed, false);
                if !matches!(judged, Ok(Judged::Feasible(..))) {
                    return Ok(None);
                }
            }
            _ => return Ok(None),
        }
    }
    Ok(None)
}

enum Refined {
    Again,
    /// No predicate was found, and what to say of it.
    Stuck(Verdict),
    Surplus,
    /// A violation that may be none, and what to say of it.
    Vague(Verdict),
    Verdict(Verdict),
}

/// Whether one of the threads can violate a property.
fn violations(system: &System, threads: u64) -> bool {
    let mut actions = system.actions.iter();
    actions.any(|a| matches!(a.outcome, Outcome::Error(..)) && threads >> a.thread.0 & 1 == 1)
}

fn unsupported(what: &str, span: Span) -> Verdict {
    Verdict::Unknown(Unknown::Unsupported {
        what: what.into(),
        span,
    })
}
