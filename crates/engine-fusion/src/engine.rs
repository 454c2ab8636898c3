//! The engine: which searches answer a request, and what their results mean.
//!
//! Deadlocks are looked for in a search of their own, because sleepers do not wake by themselves there; so are leaks, because for them
//! it matters at which point of the others' work the process ends. Searches are repeated with longer executions
//! until none is cut.
//!
//! `true` needs an exhausted search in which nothing was cut, no value came from a list, and no address was taken for a number.

use crate::candidate::candidate;
use crate::driven::drive;
use crate::method::Method;
use crate::prune::{Pruned, Pruner};
use crate::root::Root;
use crate::search::{Counts, Doubts, Hit, Options, Watcher, search};
use crate::states::{self, Ended, Reduction};
use crate::strategy::Strategy;
use crate::trace::{Names, Trace};
use crate::walk::{Walks, walk};
use raddle_interp::Config;
use raddle_ir::{Program, Property, Span};
use raddle_verdict::{
    Assumption, AssumptionKind, Board, Engine, EngineBoard, Found, Judge, Ledger, Progress, Proof,
    Request, StopCause, Unknown, Verdict, in_turns,
};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

/// Events in one execution, in the first round; each further round allows four times as many.
const FIRST_DEPTH: usize = 250;
const LAST_DEPTH: usize = 64_000;
/// How many events are executed before the solver is asked, if both may be.
const PATIENCE: u64 = 200_000;
/// How many events are executed before states are remembered.
const FEW: u64 = 4_000;
/// How many steps a search that remembers states may take at first, and later.
const STATES: u64 = 300_000;
const MORE_STATES: u64 = 20_000_000;
/// Executions at random before the search.
const WALKS: u32 = 60;
/// Of how many threads each is delayed once before that.
const DELAYED: u32 = 64;

/// How much was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Executions.
    pub executions: u64,
    /// Steps in them.
    pub events: u64,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, other: Effort) {
        self.executions += other.executions;
        self.events += other.events;
    }
}

impl Effort {
    fn add(&mut self, counts: &Counts) {
        self.executions += counts.executions + counts.redundant + counts.cut;
        self.events += counts.events;
    }
}

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct FusionEngine {
    /// How it works.
    pub method: Method,
    /// Executions at random before an exploration.
    pub walks: u32,
    /// How often a thread that could go on may be interrupted in one execution; then all such executions are explored.
    pub preemptions: Option<u32>,
    /// The same for how often another thread goes on than the last one.
    pub switches: Option<u32>,
}

impl Default for FusionEngine {
    fn default() -> FusionEngine {
        FusionEngine {
            method: Method::default(),
            walks: WALKS,
            preemptions: None,
            switches: None,
        }
    }
}

impl FusionEngine {
    /// An engine that works in this way.
    pub fn with(method: Method) -> FusionEngine {
        FusionEngine {
            method,
            ..FusionEngine::default()
        }
    }
}

impl Engine for FusionEngine {
    fn name(&self) -> &'static str {
        "fusion"
    }

    fn work(
        &self,
        program: &Program,
        request: &Request,
        judge: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
        board: &mut dyn Board,
    ) {
        self.work_counting(program, request, judge, progress, board);
    }
}

/// What is left of a proof if handles of threads are looked at as numbers.
fn but_for_handles(program: &Program, verdict: Verdict) -> Verdict {
    if !matches!(verdict, Verdict::True(_)) {
        return verdict;
    }
    match raddle_analysis::handles::seen_as_number(program) {
        None => verdict,
        Some(at) => Verdict::Unknown(Unknown::Unsupported {
            what: "a thread's handle is used as a number".into(),
            span: program.span_of(at),
        }),
    }
}

/// What is asked in a search of its own, in this order.
fn parts(program: &Program, properties: &[Property]) -> Vec<Vec<Property>> {
    let mut apart = vec![
        Property::NoDeadlock,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
    ];
    if program.weak_accesses().next().is_some() {
        // A race is then a matter of whole executions, not of states.
        apart.insert(0, Property::NoDataRace);
    }
    let others = |p: &&Property| !apart.contains(p);
    let mut parts: Vec<Vec<Property>> = Vec::new();
    parts.push(properties.iter().filter(others).copied().collect());
    let asked = apart.iter().filter(|p| properties.contains(p));
    parts.extend(asked.map(|p| vec![*p]));
    parts.retain(|p| !p.is_empty());
    parts
}

impl FusionEngine {
    /// The same as [`Engine::check`], and how much was executed.
    pub fn check_counting(
        &self,
        program: &Program,
        request: &Request,
        judge: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
    ) -> (Verdict, Effort) {
        let mut ledger = Ledger::new(program, &request.properties).without_limit();
        let mut board = EngineBoard {
            ledger: &mut ledger,
            engine: self.name(),
        };
        let effort = self.work_counting(program, request, judge, progress, &mut board);
        let nothing = || Verdict::Unknown(Unknown::Internal("no answer".into()));
        (ledger.verdict().unwrap_or_else(nothing), effort)
    }

    /// The same as [`Engine::work`], and how much was executed.
    pub fn work_counting(
        &self,
        program: &Program,
        request: &Request,
        judge: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
        board: &mut dyn Board,
    ) -> Effort {
        let mut effort = Effort::default();
        let parts = parts(program, &request.properties);
        let (mut heap, mut race_free) = (true, false);
        // Whose handle a new thread gets is a choice that orders creations and joins, and matters to hardly any program.
        let mut reuse_handles =
            request.after.is_some() || !raddle_analysis::handles::only_waited_for(program);
        // Executions at random show most bugs: of every part, before the first is searched to its end, which may never come.
        let walked = parts.len() > 1;
        for part in parts.iter().filter(|_| walked) {
            let open = part.iter().filter(|p| board.is_open(**p));
            let open: Vec<Property> = open.copied().collect();
            if open.is_empty() {
                continue;
            }
            let mut task = Task::new(*self, program, request, &open, judge, progress);
            let answer = task.look();
            effort += task.effort;
            let Some(answer) = answer else { continue };
            let violated = matches!(answer, Verdict::False(_));
            board.answer(&open, answer);
            if violated && !request.all_violations {
                return effort;
            }
        }
        in_turns(parts, request, board, &mut |part| {
            let leaks = [Property::ValidMemtrack, Property::ValidMemcleanup];
            if !heap && part.properties.iter().all(|p| leaks.contains(p)) {
                let how = "nothing is allocated".into();
                let proof = Proof {
                    how,
                    ..Proof::default()
                };
                return Some(Verdict::True(proof));
            }
            let mut task = Task::new(*self, program, part, &part.properties, judge, progress);
            task.walked = walked;
            task.race_free = race_free;
            task.reuse_handles = reuse_handles;
            let mut answer = task.answer();
            if task.used_old_handle.get() {
                reuse_handles = true;
                let effort = task.effort;
                task = Task::new(*self, program, part, &part.properties, judge, progress);
                (task.walked, task.race_free, task.effort) = (walked, race_free, effort);
                answer = task.answer();
            }
            let answer = but_for_handles(program, answer);
            // Deadlocks are looked for in executions in which nobody wakes without a signal: there may be more on the heap in others.
            if part.properties[..] != [Property::NoDeadlock] {
                heap &= task.heap;
            }
            effort += task.effort;
            // Other parts can rest on this, as long as it rests on nothing itself.
            let unconditional = matches!(&answer, Verdict::True(p) if p.assumptions.is_empty());
            race_free |= unconditional && part.properties.contains(&Property::NoDataRace);
            Some(answer)
        });
        effort
    }
}

struct Task<'a> {
    engine: FusionEngine,
    program: &'a Program,
    request: &'a Request,
    properties: Vec<Property>,
    judge: &'a mut dyn Judge,
    progress: &'a mut dyn FnMut(Progress),
    found: Vec<Found>,
    refused: Option<String>,
    stopped: Option<StopCause>,
    started: Instant,
    config: Config,
    all_before: u64,
    /// Some executions were run at random.
    walked: bool,
    /// There may be something on the heap.
    heap: bool,
    /// The program is known to have no data races.
    race_free: bool,
    /// A new thread may get the handle of one that is over.
    reuse_handles: bool,
    /// A search without that has found that it could matter.
    used_old_handle: Cell<bool>,
    /// How many interleavings there may be.
    size: f64,
    /// How many events to execute, if there is a limit.
    most: Option<u64>,
    /// There were more.
    enough: bool,
    /// Looks at executions.
    pruner: Option<Rc<Pruner<'a>>>,
    /// It has said that nothing can go wrong at all.
    safe: bool,
    effort: Effort,
    /// Where executions begin, if not at the start.
    root: Option<Rc<Root>>,
}

impl<'a> Task<'a> {
    fn new(
        engine: FusionEngine,
        program: &'a Program,
        request: &'a Request,
        properties: &[Property],
        judge: &'a mut dyn Judge,
        progress: &'a mut dyn FnMut(Progress),
    ) -> Task<'a> {
        Task {
            engine,
            program,
            request,
            properties: properties.to_vec(),
            judge,
            progress,
            found: Vec::new(),
            refused: None,
            stopped: None,
            started: Instant::now(),
            config: Config::default(),
            all_before: 0,
            walked: false,
            heap: true,
            race_free: false,
            reuse_handles: true,
            used_old_handle: Cell::new(false),
            size: 1.0,
            most: None,
            enough: false,
            pruner: None,
            safe: false,
            effort: Effort::default(),
            root: None,
        }
    }

    /// Executes at random where that is the first thing the method does; the answer, if that gives one.
    fn look(&mut self) -> Option<Verdict> {
        let explores = matches!(self.engine.method, Method::Auto | Method::Explore(_));
        let bounded = self.engine.preemptions.is_some() || self.engine.switches.is_some();
        if !explores || bounded || self.request.after.is_some() || self.request.all_violations {
            return None;
        }
        let options = self.options(Strategy::Optimal);
        self.walk_first(&options)
    }

    fn answer(&mut self) -> Verdict {
        if let Some(after) = &self.request.after {
            self.configure();
            return match Root::behind(self.program, &self.config, after) {
                Ok(root) => {
                    self.root = Some(Rc::new(root));
                    self.answer_behind()
                }
                Err(why) => unsupported(&format!("a beginning that no execution has: {why}")),
            };
        }
        if self.engine.preemptions.is_some() || self.engine.switches.is_some() {
            return self.explore(Strategy::All);
        }
        if self.asks_for_weak_races() {
            return match self.engine.method {
                Method::Auto => self.explore(Strategy::Optimal),
                Method::Explore(strategy) if strategy != Strategy::ReadsFrom => {
                    self.explore(strategy)
                }
                _ => unsupported("data races in the presence of memory orders weaker than seq_cst"),
            };
        }
        match self.engine.method {
            Method::Explore(strategy) => self.explore(strategy),
            Method::Driven => self.drive(),
            Method::States => self.remember(Reduction::None, u64::MAX),
            Method::ReducedStates => self.remember(self.reduction(), u64::MAX),
            Method::Prune => {
                self.configure();
                let request = self.part();
                self.pruner = Some(Rc::new(Pruner::new(self.program, &self.config, &request)));
                self.explore(Strategy::Sleep)
            }
            Method::Auto => self.answer_automatically(),
        }
    }

    /// Whether races are judged by happens-before of whole executions: with weak memory orders, two accesses can race although no state
    /// has both of them next.
    fn asks_for_weak_races(&self) -> bool {
        self.properties.contains(&Property::NoDataRace)
            && self.program.weak_accesses().next().is_some()
    }

    /// One way after the other: a few executions, in case there is hardly any choice between them, remembered states for a while, executions for a while, more states, a solver, and more executions.
    fn answer_automatically(&mut self) -> Verdict {
        let options = self.options(Strategy::Optimal);
        if let Some(answer) = self.walk_first(&options) {
            return answer;
        }
        // Threads that share nothing while they run have one class of executions, but all combinations of their states.
        self.most = Some(FEW);
        let few = self.explore(Strategy::Optimal);
        if self.is_final(&few) {
            return few;
        }
        self.most = None;
        self.enough = false;
        let first = self.remember(self.reduction(), STATES);
        if self.is_final(&first) {
            return first;
        }
        self.most = Some(PATIENCE);
        let second = self.explore(Strategy::Optimal);
        if self.is_final(&second) {
            return second;
        }
        if self.enough {
            self.most = None;
            self.enough = false;
            let third = self.remember(self.reduction(), MORE_STATES);
            if self.is_final(&third) {
                return third;
            }
            self.enough = true;
        }
        let fourth = match self.root {
            // Why exploration does not know says more.
            Some(_) => match self.drive() {
                Verdict::Unknown(_) if !self.enough => return second,
                verdict => verdict,
            },
            None => self.drive(),
        };
        if !self.enough || !matches!(fourth, Verdict::Unknown(_)) {
            return fourth;
        }
        self.most = None;
        self.enough = false;
        self.explore(Strategy::Optimal)
    }

    /// Whether nothing else need be tried.
    fn is_final(&self, answer: &Verdict) -> bool {
        let refused = matches!(answer, Verdict::Unknown(Unknown::NotReplayed(_)));
        refused || self.stopped.is_some() || !matches!(answer, Verdict::Unknown(_))
    }

    /// The same for executions that begin in a given way.
    fn answer_behind(&mut self) -> Verdict {
        if self.engine.preemptions.is_some() || self.engine.switches.is_some() {
            return self.explore(Strategy::All);
        }
        if self.asks_for_weak_races() {
            return self.explore(Strategy::Optimal);
        }
        match self.engine.method {
            Method::Explore(strategy) => self.explore(strategy),
            Method::Driven => self.drive(),
            Method::States => self.remember(Reduction::None, u64::MAX),
            Method::ReducedStates => self.remember(self.reduction(), u64::MAX),
            Method::Prune => Verdict::Unknown(Unknown::OnlyFromStart),
            Method::Auto => self.answer_automatically(),
        }
    }

    /// The trace-driven flow.
    fn drive(&mut self) -> Verdict {
        self.configure();
        let request = self.part();
        let progress = &mut *self.progress;
        let (verdict, done) = drive(self.program, &self.config, &request, self.judge, progress);
        self.effort.executions += u64::from(done.runs);
        verdict
    }

    /// What is asked in this part.
    fn part(&self) -> Request {
        Request {
            properties: self.properties.clone(),
            ..self.request.clone()
        }
    }

    fn configure(&mut self) {
        let by_clocks = self.asks_for_weak_races();
        let checked = self.properties.iter().copied();
        self.config = Config {
            // Races are found by their definition, not by the interpreter's clocks, unless weak orders leave it to happens-before.
            checks: checked
                .filter(|p| by_clocks || *p != Property::NoDataRace)
                .collect(),
            spurious_wakeups: !self.properties.contains(&Property::NoDeadlock),
            output: false,
            reuse_handles: self.reuse_handles,
            count_inputs: self.request.inputs.is_some(),
            visible_to_the_last: self.engine.method == Method::Explore(Strategy::ReadsFrom),
            ..Config::default()
        };
    }

    fn options(&mut self, strategy: Strategy) -> Options {
        let races = self.properties.contains(&Property::NoDataRace) && !self.asks_for_weak_races();
        let leaks = [Property::ValidMemtrack, Property::ValidMemcleanup];
        let leaks = leaks.iter().any(|p| self.properties.contains(p));
        self.configure();
        Options {
            strategy,
            config: self.config.clone(),
            races,
            ends_matter: leaks || self.request.all_violations,
            depth: FIRST_DEPTH,
            whole_states: true,
            preemptions: self.engine.preemptions,
            switches: self.engine.switches,
            inputs: self.request.inputs.clone(),
            root: self.root.clone(),
        }
    }

    /// What need not be looked at where states are remembered.
    fn reduction(&self) -> Reduction {
        Reduction::Full {
            race_free: self.race_free,
        }
    }

    /// Looks at all states, if that takes no more than so many steps.
    fn remember(&mut self, reduction: Reduction, most: u64) -> Verdict {
        if self.request.all_violations {
            return unsupported("more than one violation, where states are remembered");
        }
        let options = self.options(Strategy::All);
        let (counts, doubts, seen, ended) =
            states::search(self.program, &options, reduction, most, self);
        self.effort.add(&counts);
        if let Some(answer) = self.early(true) {
            return answer;
        }
        if ended != Ended::Complete {
            return unsupported("inputs, or more states than were allowed");
        }
        let what = match reduction {
            Reduction::None => "states",
            Reduction::Full { .. } => "states in which no thread can go on alone",
        };
        let how = format!("all {} {what}, {} steps", seen.states, counts.events);
        let answer = self.no_doubts(&doubts, how);
        if let Verdict::True(_) = answer {
            self.heap = seen.heap;
        }
        answer
    }

    /// Runs some executions at random, unless that was done; the answer, if they give one.
    fn walk_first(&mut self, options: &Options) -> Option<Verdict> {
        if self.walked || self.pruner.is_some() {
            return None;
        }
        self.walked = true;
        let walks = Walks {
            count: self.engine.walks,
            seed: 1,
            drops: Some(2),
            delayed: DELAYED.min(self.engine.walks * DELAYED),
        };
        let (walked, _, size, _) = walk(self.program, options, &walks, self);
        self.all_before = walked.executions;
        self.size = size;
        self.effort.add(&walked);
        self.early(false)
    }

    fn explore(&mut self, strategy: Strategy) -> Verdict {
        let mut options = self.options(strategy);
        if let Some(answer) = self.walk_first(&options) {
            return answer;
        }
        let program = self.program;
        loop {
            if let Some(answer) = self.early(false) {
                return answer;
            }
            let (counts, doubts, _) = search(program, &options, self);
            self.effort.add(&counts);
            if let Some(answer) = self.early(true) {
                return answer;
            }
            if counts.cut == 0 {
                return self.exhausted(&counts, &doubts);
            }
            if counts.interrupted == counts.cut {
                let bound = |most: Option<u32>, what| most.map(|n| format!("{n} {what}"));
                let bounds = [
                    bound(options.preemptions, "preemptions"),
                    bound(options.switches, "switches between threads"),
                ];
                let bounds: Vec<String> = bounds.into_iter().flatten().collect();
                let bounds = bounds.join(" or ");
                return unsupported(&format!("executions with more than {bounds}"));
            }
            if options.depth >= LAST_DEPTH {
                return unsupported(&format!("executions of more than {LAST_DEPTH} steps"));
            }
            options.depth *= 4;
            self.all_before += counts.executions;
        }
    }

    /// What is to be answered if something was found, or time is up.
    fn early(&mut self, searched: bool) -> Option<Verdict> {
        let enough = searched || !self.request.all_violations || self.stopped.is_some();
        if !self.found.is_empty() && enough {
            return Some(Verdict::False(std::mem::take(&mut self.found)));
        }
        if let Some(why) = self.refused.take() {
            return Some(Verdict::Unknown(Unknown::NotReplayed(why)));
        }
        if self.enough {
            return Some(unsupported("more executions than were allowed"));
        }
        let cause = self.stopped?;
        Some(Verdict::Unknown(Unknown::Stopped { cause, bound: None }))
    }

    /// What was taken for granted about executions that were not run.
    fn granted(&self) -> Vec<Assumption> {
        self.pruner.as_ref().map_or(Vec::new(), |p| p.granted())
    }

    /// Everything was explored and nothing found.
    fn exhausted(&self, counts: &Counts, doubts: &Doubts) -> Verdict {
        if self.safe {
            let executions = counts.executions;
            return Verdict::True(Proof {
                how: format!("the abstraction of the last of {executions} executions is safe"),
                assumptions: self.granted(),
                ..Proof::default()
            });
        }
        let how = format!(
            "exhausted exploration: {} executions, {}, {} steps",
            counts.executions,
            match self.pruner {
                Some(_) => "the others pruned",
                None => "at least one for each class of interleavings",
            },
            counts.events
        );
        self.no_doubts(doubts, how)
    }

    /// The answer, if a search leaves no doubts.
    fn no_doubts(&self, doubts: &Doubts, how: String) -> Verdict {
        if let Some(limit) = &doubts.limit {
            return unsupported(limit);
        }
        if doubts.used_old_handle && !self.reuse_handles {
            self.used_old_handle.set(true);
            return unsupported("a handle of a thread that is over");
        }
        if doubts.sampled {
            return unsupported("inputs and uninitialised values were tried from a list");
        }
        if doubts.lost_provenance {
            return unsupported("an address whose object is not known for sure");
        }
        if doubts.seen_address {
            return unsupported("an address is used as a number");
        }
        let kind = |kind: u8| match kind {
            1 => AssumptionKind::Holds(Property::ValidDeref),
            2 => AssumptionKind::Holds(Property::NoDivZero),
            _ => AssumptionKind::Defined,
        };
        let mut assumptions = self.granted();
        for (at, why) in &doubts.undefined {
            let assumption = Assumption {
                kind: kind(*why),
                span: self.program.span_of(*at),
            };
            if !assumptions.contains(&assumption) {
                assumptions.push(assumption);
            }
        }
        Verdict::True(Proof {
            how,
            assumptions,
            ..Proof::default()
        })
    }
}

impl Watcher for Task<'_> {
    fn hit(&mut self, hit: Hit) -> bool {
        let again =
            |f: &Found| f.property == hit.property && f.span == self.program.span_of(hit.at);
        if self.found.iter().any(again) {
            return true;
        }
        let claim = |hit: &Hit| candidate(self.program, &self.config, self.request, hit);
        let claimed = claim(&hit);
        if let Ok(candidate) = &claimed
            && !self.judge.wants(candidate)
        {
            return true;
        }
        // Of two racing accesses one may end the process: then it has to come last.
        let swapped = hit.swapped();
        let guess = swapped.and_then(|s| {
            let first = claim(&hit).ok()?;
            let second = claim(&s).ok()?;
            let found = self.judge.try_out(&first);
            found.or_else(|| self.judge.try_out(&second))
        });
        match guess.map_or_else(|| claimed.and_then(|c| self.judge.confirm(&c)), Ok) {
            Ok(found) => self.found.push(found),
            Err(why) => self.refused = Some(why),
        }
        self.request.all_violations && self.refused.is_none()
    }

    fn ended(&mut self, _: &Trace, _: &Counts) -> bool {
        true
    }

    fn safe_after(&mut self, trace: &Trace, names: &Names) -> Option<usize> {
        let pruner = self.pruner.clone()?;
        match pruner.look_at(trace, names, self.judge) {
            Pruned::Violated(found) => {
                self.found.extend(found);
                Some(0)
            }
            Pruned::Refused(why) => {
                self.refused = Some(why);
                Some(0)
            }
            Pruned::Safe => {
                self.safe = true;
                Some(0)
            }
            Pruned::SafeAfter(steps) => Some(steps),
            Pruned::Nothing => None,
        }
    }

    fn tick(&mut self, counts: &Counts) -> bool {
        self.stopped = self.request.budget.stopped();
        if counts.events.is_multiple_of(8192) {
            let seconds = self.started.elapsed().as_secs_f64();
            let all = self.all_before + counts.executions;
            (self.progress)(Progress {
                engine: "fusion",
                what: format!(
                    "{all} executions, {:.0} per second, {seconds:.0} s, about {:.0e} interleavings",
                    all as f64 / seconds.max(0.001),
                    self.size
                ),
            });
        }
        self.enough |= self.most.is_some_and(|most| counts.events > most);
        self.stopped.is_none() && !self.enough
    }
}

fn unsupported(what: &str) -> Verdict {
    Verdict::Unknown(Unknown::Unsupported {
        what: what.into(),
        span: Span::NOWHERE,
    })
}
