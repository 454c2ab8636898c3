//! Every kind of question in random states, against the enumeration of single instructions.

use crate::beginnings;
use crate::enumeration::{Seen, Watch, line_of};
use raddle_debugger::ask::{Answer, Asker, Line, Told};
use raddle_engine_fusion::FusionEngine;
use raddle_interp::explore::{Limits, explore_from};
use raddle_interp::follow::follow;
use raddle_interp::schedulers::SplitMix;
use raddle_interp::{Checks, Config, Machine, ThreadId};
use raddle_ir::{BlockId, DebugType, FuncId, GlobalId, Location, Program, Property, Terminator};
use raddle_verdict::{Beginning, Budget, Engine};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// Steps of the enumeration.
const STEPS: u64 = 60_000;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_millis(400);
/// States of one program.
const STATES: u64 = 2;

/// What was compared.
#[derive(Debug, Default)]
pub struct Tally {
    pub states: u64,
    pub not_enumerated: u64,
    pub answers: BTreeMap<String, u64>,
    pub reasons: BTreeMap<String, u64>,
}

/// What is wrong, if something is.
pub fn compare(program: &Program, tally: &mut Tally) -> Option<String> {
    let mut random = SplitMix::new(program.fingerprint());
    for _ in 0..STATES {
        let length = random.below(180);
        let (beginning, _) = beginnings::random(program, &mut random, length);
        if let Some(wrong) = one_state(program, &beginning, &mut random, tally) {
            return Some(format!("{wrong}: {beginning:?}"));
        }
    }
    None
}

/// The machine behind a beginning, checking these.
fn machine<'p>(program: &'p Program, run: &Beginning, checks: Checks) -> Option<Machine<'p>> {
    let config = Config {
        checks,
        spurious_wakeups: true,
        output: false,
        single: true,
        observe: true,
        ..Config::default()
    };
    follow(program, &config, &run.before, &run.steps, &mut |_| {}).ok()
}

/// Instructions at which a line begins.
fn entries(program: &Program) -> BTreeSet<Location> {
    let mut all = BTreeSet::new();
    for (f, function) in program.functions.iter().enumerate() {
        if function.library {
            continue;
        }
        let line_before = |b: usize| -> Vec<u32> {
            let mut lines = Vec::new();
            for block in &function.blocks {
                let to = |t: &BlockId| t.0 as usize == b;
                let leads = match &block.terminator {
                    Terminator::Goto(t) => to(t),
                    Terminator::Branch {
                        then, otherwise, ..
                    } => to(then) || to(otherwise),
                    Terminator::Switch { cases, default, .. } => {
                        to(default) || cases.iter().any(|(_, t)| to(t))
                    }
                    _ => false,
                };
                if leads {
                    lines.push(block.terminator_span.line);
                }
            }
            if b == 0 {
                lines.push(0);
            }
            lines
        };
        for (b, block) in function.blocks.iter().enumerate() {
            let mut before = line_before(b);
            let spans = block.instrs.iter().map(|i| i.span);
            for (index, span) in spans.chain([block.terminator_span]).enumerate() {
                if before.iter().any(|l| *l != span.line) {
                    all.insert(Location {
                        function: FuncId(f as u32),
                        block: BlockId(b as u32),
                        index: index as u32,
                    });
                }
                before = vec![span.line];
            }
        }
    }
    all
}

fn lines(program: &Program) -> Vec<u32> {
    let functions = program.functions.iter().filter(|f| !f.library);
    let blocks = functions.flat_map(|f| &f.blocks);
    let spans = blocks.flat_map(|b| {
        let instrs = b.instrs.iter().map(|i| i.span.line);
        instrs.chain([b.terminator_span.line])
    });
    let all: BTreeSet<u32> = spans.filter(|l| *l != 0).collect();
    all.into_iter().collect()
}

struct State<'a> {
    program: &'a Program,
    beginning: &'a Beginning,
    tally: &'a mut Tally,
}

fn one_state(
    program: &Program,
    beginning: &Beginning,
    random: &mut SplitMix,
    tally: &mut Tally,
) -> Option<String> {
    let values = raddle_interp::constants::interesting(program);
    let entries = entries(program);
    let int = |g: &raddle_ir::Global| {
        let ty = &program.types[g.ty.0 as usize];
        matches!(
            ty,
            DebugType::Int {
                size: 4,
                signed: true,
                ..
            }
        ) && !g.thread_local
    };
    let globals = program.globals.iter().enumerate();
    let variables: Vec<GlobalId> = globals
        .filter(|(_, g)| int(g) && (g.name == "x" || g.name == "y"))
        .map(|(n, _)| GlobalId(n as u32))
        .collect();
    let mut watch = Watch {
        most: STEPS,
        races: false,
        variables: &variables,
        entries: &entries,
        values: &values,
    };
    let mut seen = Seen::default();
    let asserting = std::iter::once(Property::UnreachCall).collect();
    seen.visit(&mut machine(program, beginning, asserting)?, &watch);
    if seen.cut {
        tally.not_enumerated += 1;
        return None;
    }
    watch.races = true;
    let mut racing = Seen::default();
    racing.visit(&mut machine(program, beginning, Checks::none())?, &watch);
    tally.states += 1;
    let engines: Vec<Arc<dyn Engine>> = vec![Arc::new(FusionEngine::default())];
    let asker = || {
        let asker = Asker::new(program, beginning, &engines).expect("a state");
        asker.budget(Budget::with_timeout(PATIENCE))
    };
    let mut state = State {
        program,
        beginning,
        tally,
    };
    let lines = lines(program);
    let pick = |random: &mut SplitMix| lines[random.below(lines.len() as u64) as usize];
    let now = machine(program, beginning, Checks::none())?;
    let threads: Vec<u32> = now.threads().map(|t| t.0).collect();
    let who = |random: &mut SplitMix| match random.below(3) {
        0 => Some(threads[random.below(threads.len() as u64) as usize]),
        _ => None,
    };

    let failing = !seen.failed.is_empty();
    let wrong = state.check("fail", asker().can_fail(None), failing, seen.sampled);
    if wrong.is_some() {
        return wrong;
    }
    let one = seen.failed.iter().next().copied();
    for line in one.into_iter().chain([pick(random)]) {
        let answer = asker().can_fail(Some(&Line::number(line)));
        let wrong = state.check("fail at", answer, seen.failed.contains(&line), seen.sampled);
        if let Some(wrong) = wrong {
            return Some(format!("{wrong}, line {line}"));
        }
    }
    let mut deadlocking = machine(program, beginning, Checks::none())?;
    deadlocking.config = Config {
        checks: std::iter::once(Property::NoDeadlock).collect(),
        output: false,
        quantum: 100,
        ..Config::default()
    };
    let limits = Limits {
        depth: 400,
        steps: STEPS,
        first_only: false,
        remember: true,
    };
    let truth = explore_from(&mut deadlocking, limits);
    if !truth.cut {
        let locked = !truth.violations.is_empty();
        let wrong = state.check("deadlock", asker().can_deadlock(), locked, truth.sampled);
        if wrong.is_some() {
            return wrong;
        }
    }
    if !racing.cut {
        let mut pairs = vec![(pick(random), pick(random)), (pick(random), pick(random))];
        let all: Vec<_> = racing.races.iter().copied().collect();
        if !all.is_empty() {
            pairs.push(all[random.below(all.len() as u64) as usize]);
        }
        for (a, b) in pairs {
            let answer = asker().can_race(&Line::number(a), &Line::number(b));
            let races = racing.races.contains(&(a, b));
            let wrong = state.check("race", answer, races, racing.sampled);
            if let Some(wrong) = wrong {
                return Some(format!("{wrong}, lines {a} and {b}"));
            }
        }
    }
    for _ in 0..4 {
        let (line, thread) = (pick(random), who(random));
        let answer = asker().can_reach(&Line::number(line), thread.map(ThreadId));
        if let Answer::Yes(told) = &answer
            && let Some(wrong) = state.stands(told, |all| {
                all.iter()
                    .any(|(t, l)| *l == line && thread.is_none_or(|w| w == *t))
            })
            && !seen.passed.iter().any(|(_, l)| *l == line)
        {
            return Some(format!("reach {wrong}, line {line}"));
        }
        let meant = |(t, l): &(u32, u32)| *l == line && thread.is_none_or(|w| w == *t);
        let reached = seen.lines.iter().any(meant);
        let perhaps = seen.passed.iter().any(meant) || seen.refused;
        if reached || !perhaps {
            let wrong = state.check("reach", answer, reached, seen.sampled);
            if let Some(wrong) = wrong {
                return Some(format!("{wrong}, line {line} by {thread:?}"));
            }
        }
    }
    let met: Vec<_> = seen.pairs.iter().copied().collect();
    for n in 0..5 {
        let (mut line, thread, mut other) = (pick(random), who(random), pick(random));
        if n > 1 && !met.is_empty() {
            let ((_, a), (_, b)) = met[random.below(met.len() as u64) as usize];
            (line, other) = if n == 2 { (a, b) } else { (a, other) };
        }
        if n == 4 {
            other = line;
        }
        if line == 0 || other == 0 {
            continue;
        }
        let answer = asker().can_meet(
            &Line::number(line),
            thread.map(ThreadId),
            &Line::number(other),
        );
        if let Answer::Yes(told) = &answer
            && let Some(wrong) = state.stands(told, |all| {
                all.iter().any(|(t, l)| {
                    *l == line
                        && thread.is_none_or(|w| w == *t)
                        && all.iter().any(|(u, m)| u != t && *m == other)
                })
            })
        {
            return Some(format!("meet {wrong}, lines {line} and {other}"));
        }
        let meets = seen
            .pairs
            .iter()
            .any(|((t, l), (_, m))| *l == line && *m == other && thread.is_none_or(|w| w == *t));
        let wrong = state.check("meet", answer, meets, seen.sampled);
        if let Some(wrong) = wrong {
            return Some(format!("{wrong}, lines {line} by {thread:?} and {other}"));
        }
    }
    for g in &variables {
        let (line, thread) = (pick(random), who(random));
        if seen.refused {
            continue;
        }
        let name = &program.global(*g).name;
        let told = asker().values(name, &Line::number(line), thread.map(ThreadId), 30);
        let mut truth = BTreeSet::new();
        for ((l, t, v), values) in &seen.values {
            if *l == line && *v == g.0 && thread.is_none_or(|w| w == *t) {
                truth.extend(values.iter().cloned());
            }
        }
        let found: BTreeSet<String> = told
            .all
            .iter()
            .map(|(v, _)| (*v as u32 as i32).to_string())
            .collect();
        // Somebody may pass there inside of a region, where nobody stands.
        let inside = seen.passed.iter().any(|(_, l)| *l == line) && truth.is_empty();
        let unreached = found.iter().find(|v| !truth.contains(*v));
        if let Some(v) = unreached.filter(|_| !seen.sampled && !inside) {
            return Some(format!(
                "values finds {v} of {name} in line {line}, not in {truth:?}"
            ));
        }
        match &told.complete {
            Ok(_) if found != truth && !inside => {
                let both = (&found, &truth);
                return Some(format!(
                    "values of {name} in line {line} by {thread:?} are {both:?}"
                ));
            }
            Ok(_) => state.count("values all"),
            Err(why) if why.contains("there is no") => state.count("values none"),
            Err(why) => {
                if let Some(wrong) = state.reason("values", why) {
                    return Some(format!("{wrong}, {name} in line {line} by {thread:?}"));
                }
                state.count("values some");
            }
        }
    }
    None
}

impl State<'_> {
    fn count(&mut self, what: &str) {
        *self.tally.answers.entry(what.to_string()).or_default() += 1;
    }

    fn reason(&mut self, kind: &str, why: &str) -> Option<String> {
        let bad = !why.contains("depends on values")
            && (why.contains("not replayed")
                || why.contains("beginning")
                || why.contains("lost")
                || why.contains("repeated")
                || why.contains("internal"));
        if bad {
            return Some(format!("{kind} has an error ({why})"));
        }
        *self
            .tally
            .reasons
            .entry(format!("{kind}: {why}"))
            .or_default() += 1;
        None
    }

    fn check(&mut self, kind: &str, answer: Answer, truth: bool, sampled: bool) -> Option<String> {
        match answer {
            Answer::Yes(told) => {
                self.count(&format!("{kind} yes"));
                if !told.run.steps.starts_with(&self.beginning.steps) {
                    return Some(format!("{kind} has another beginning"));
                }
                (!truth && !sampled).then(|| format!("{kind} says yes ({})", told.what))
            }
            Answer::No { .. } => {
                self.count(&format!("{kind} no"));
                truth.then(|| format!("{kind} says no"))
            }
            Answer::Unknown { why } => {
                self.count(&format!("{kind} unknown"));
                self.reason(kind, &why)
            }
        }
    }

    /// Whether the end of a run is as it should be.
    fn stands(&self, told: &Told, good: impl Fn(&[(u32, u32)]) -> bool) -> Option<String> {
        let Some(machine) = machine(self.program, &told.run, Checks::none()) else {
            return Some("has a run that does not follow".into());
        };
        let all: Vec<(u32, u32)> = machine
            .threads()
            .filter_map(|t| Some((t.0, line_of(&machine, t)?.0)))
            .collect();
        (!good(&all)).then(|| format!("ends elsewhere ({all:?})"))
    }
}
