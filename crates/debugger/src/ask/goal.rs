//! What is asked for, as something that can be seen in the run of the program itself.
//!
//! Whatever an engine claims, in whatever version of the program, becomes a positive answer only if a run of the original program shows it here.

use crate::ask::place::{Places, is_at, stands};
use raddle_interp::choice::Zero;
use raddle_interp::thread::ThreadStatus;
use raddle_interp::value::ObjectId;
use raddle_interp::{
    Checks, Choice, Choices, End, Logged, Machine, Observed, Outcome, PendingKind, ThreadId,
    Violation,
};
use raddle_ir::{Location, Op, Program, Property};

/// How many bytes of a lock or semaphore somebody who waits for it looks at.
const LOCK_WORD: u64 = 4;

/// Something that a run may show.
#[derive(Clone, Debug)]
pub enum Goal {
    /// An assertion fails, any or one of these.
    Assertion(Option<Places>),
    /// Threads wait for each other.
    Deadlock,
    /// An access of the one line and one of the other could both come next and conflict.
    Race(Places, Places),
    /// Some thread, or this one, is at a line.
    Reach(Places, Option<ThreadId>),
    /// The same, while another is at another line.
    Meet(Places, Option<ThreadId>, Places),
}

/// What a run has shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// In a sentence.
    pub what: String,
    /// The threads it is about.
    pub threads: Vec<ThreadId>,
    /// The violation, if it is one.
    pub violation: Option<Violation>,
}

impl Goal {
    /// What the interpreter checks meanwhile.
    pub fn checks(&self) -> Checks {
        match self {
            Goal::Assertion(_) => std::iter::once(Property::UnreachCall).collect(),
            Goal::Deadlock => std::iter::once(Property::NoDeadlock).collect(),
            _ => Checks::none(),
        }
    }

    /// Whether sleepers wake by themselves.
    pub fn wakes(&self) -> bool {
        !matches!(self, Goal::Deadlock)
    }

    /// Whether the present state shows it.
    pub fn shown(&self, machine: &mut Machine<'_>) -> Option<Shown> {
        match self {
            Goal::Assertion(places) => {
                let v = violation(machine, Property::UnreachCall)?;
                let meant = |p: &Places| {
                    let user = stands(machine, v.thread);
                    p.has(v.at) || user.is_some_and(|at| p.has(at))
                };
                places
                    .as_ref()
                    .is_none_or(meant)
                    .then(|| of_violation(v.clone()))
            }
            Goal::Deadlock => violation(machine, Property::NoDeadlock)
                .cloned()
                .map(of_violation),
            Goal::Race(one, other) => race(machine, one, other),
            Goal::Reach(places, thread) => {
                let who = who_is_at(machine, places, *thread)
                    .or_else(|| inside(machine, places, *thread))?;
                Some(Shown {
                    what: format!("thread {} is at {}", who.0, told(machine, who)),
                    threads: vec![who],
                    violation: None,
                })
            }
            Goal::Meet(places, thread, others) => {
                for who in machine.threads().filter(|t| thread.is_none_or(|w| w == *t)) {
                    if !is_at(machine, who, places) {
                        continue;
                    }
                    let mut rest = machine.threads().filter(|t| *t != who);
                    if let Some(other) = rest.find(|t| is_at(machine, *t, others)) {
                        let (here, there) = (told(machine, who), told(machine, other));
                        let what = format!(
                            "thread {} is at {here}, thread {} at {there}",
                            who.0, other.0
                        );
                        return Some(Shown {
                            what,
                            threads: vec![who, other],
                            violation: None,
                        });
                    }
                }
                None
            }
        }
    }

    /// Whether the present state shows something of the same kind that was not asked for.
    pub fn shows_another(&self, machine: &mut Machine<'_>) -> bool {
        match self {
            Goal::Assertion(_) => violation(machine, Property::UnreachCall).is_some(),
            Goal::Race(..) => {
                let (all, more) = accesses(machine);
                let mut pairs = all.iter().enumerate();
                !more
                    && pairs.any(|(n, (t, a))| {
                        let mut later = all[n + 1..].iter();
                        later.any(|(u, b)| u != t && conflict(a, b))
                    })
            }
            _ => false,
        }
    }
}

/// What all threads that can go on would access with their next steps, whatever they choose, and what those that wait look at; and whether there
/// may be more, because values are chosen inside of a region.
fn accesses(machine: &mut Machine<'_>) -> (Vec<(ThreadId, Logged)>, bool) {
    let (mut all, mut more) = (Vec::new(), false);
    let here = machine.snapshot();
    for t in machine.enabled() {
        let region = before_region(machine, machine.program, t);
        let mut answers = Some(Vec::new());
        while let Some(script) = answers {
            let mut script = Script {
                answers: script,
                asked: Vec::new(),
                values: false,
            };
            let (outcome, log) = machine.step_logged(t, &mut script);
            machine.restore(&here);
            more |= script.values && region;
            answers = script.next();
            if outcome == Outcome::Done {
                all.extend(log.into_iter().map(|l| (t, l)));
            }
        }
    }
    all.extend(machine.threads().filter_map(|t| look(machine, t)));
    (all, more)
}

/// What a blocked thread looks at.
fn look(machine: &Machine<'_>, t: ThreadId) -> Option<(ThreadId, Logged)> {
    let pending = machine.pending(t)?;
    let PendingKind::Sync(op) = pending.kind else {
        return None;
    };
    let looks = op.looks_while_blocked() && !pending.enabled && pending.object != ObjectId::NONE;
    let word = Logged {
        object: pending.object,
        offset: pending.offset,
        length: LOCK_WORD,
        write: false,
        atomic: true,
        in_block: false,
        at: stands(machine, t)?,
    };
    looks.then_some((t, word))
}

/// All answers to choices of which there are few, one after the other; 0 and 1 for values.
struct Script {
    answers: Vec<u32>,
    asked: Vec<u32>,
    values: bool,
}

impl Script {
    fn next(mut self) -> Option<Vec<u32>> {
        self.answers.resize(self.asked.len(), 0);
        while let Some(last) = self.answers.pop() {
            if last + 1 < self.asked[self.answers.len()] {
                self.answers.push(last + 1);
                return Some(self.answers);
            }
        }
        None
    }
}

impl Choices for Script {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let answer = self.answers.get(self.asked.len()).copied().unwrap_or(0);
        self.values |= choice.options == 0;
        // Of values the two that mean most.
        self.asked.push(if choice.options == 0 {
            2
        } else {
            choice.options
        });
        u128::from(answer)
    }
}

fn violation<'m>(machine: &'m Machine<'_>, property: Property) -> Option<&'m Violation> {
    match machine.end() {
        Some(End::Violation(v)) if v.property == property => Some(v),
        _ => None,
    }
}

fn of_violation(v: Violation) -> Shown {
    Shown {
        what: v.message.clone(),
        threads: std::iter::once(v.thread)
            .chain(v.related.iter().map(|r| r.thread))
            .collect(),
        violation: Some(v),
    }
}

fn who_is_at(machine: &Machine<'_>, places: &Places, thread: Option<ThreadId>) -> Option<ThreadId> {
    let mut all = machine.threads().filter(|t| thread.is_none_or(|w| w == *t));
    all.find(|t| is_at(machine, *t, places))
}

/// Who gets to a line inside of an atomic region with its next step: nobody can be seen standing there.
fn inside(
    machine: &mut Machine<'_>,
    places: &Places,
    thread: Option<ThreadId>,
) -> Option<ThreadId> {
    let program = machine.program;
    let all: Vec<ThreadId> = machine.threads().collect();
    for t in all.into_iter().filter(|t| thread.is_none_or(|w| w == *t)) {
        if !before_region(machine, program, t) {
            continue;
        }
        let here = machine.snapshot();
        machine.take_observed();
        machine.step(t, &mut Zero);
        let seen = machine.take_observed();
        machine.restore(&here);
        let gets_there = seen.iter().any(|o| match o {
            Observed::Executes { stack, .. } => stack.iter().any(|at| places.has(*at)),
            _ => false,
        });
        if gets_there {
            return Some(t);
        }
    }
    None
}

fn before_region(machine: &Machine<'_>, program: &Program, t: ThreadId) -> bool {
    let thread = machine.thread(t);
    let at = thread
        .location()
        .filter(|_| thread.status == ThreadStatus::Active);
    let op = at.and_then(|at| program.instr(at)).map(|i| &i.op);
    matches!(op, Some(Op::AtomicBegin { .. }))
}

fn told(machine: &Machine<'_>, t: ThreadId) -> String {
    match stands(machine, t) {
        Some(at) => describe(machine.program, at),
        None => "its place".into(),
    }
}

/// A place in words.
pub fn describe(program: &Program, at: Location) -> String {
    let span = program.span_of(at);
    let file = program.files.get(span.file.0 as usize);
    let file = file.map_or("?", |f| f.as_str());
    format!(
        "{file}:{} in {}",
        span.line,
        program.function(at.function).name
    )
}

/// Two threads of which either can come next, with conflicting accesses in the one line and in the other.
fn race(machine: &mut Machine<'_>, one: &Places, other: &Places) -> Option<Shown> {
    let meant = |l: &Logged| one.has(l.at) || other.has(l.at);
    let (mut accesses, _) = accesses(machine);
    accesses.retain(|(_, l)| meant(l));
    for (n, (t, a)) in accesses.iter().enumerate() {
        for (u, b) in accesses[n + 1..].iter().filter(|(u, _)| u != t) {
            let lines = one.has(a.at) && other.has(b.at) || one.has(b.at) && other.has(a.at);
            if lines && conflict(a, b) {
                let (here, there) = (
                    describe(machine.program, a.at),
                    describe(machine.program, b.at),
                );
                let what = format!(
                    "{} at {here} (thread {}) and {} at {there} (thread {}) can both come next",
                    kind(a),
                    t.0,
                    kind(b),
                    u.0
                );
                return Some(Shown {
                    what,
                    threads: vec![*t, *u],
                    violation: None,
                });
            }
        }
    }
    None
}

fn kind(l: &Logged) -> &'static str {
    if l.write { "the write" } else { "the read" }
}

fn conflict(a: &Logged, b: &Logged) -> bool {
    let overlap =
        a.object == b.object && a.offset < b.offset + b.length && b.offset < a.offset + a.length;
    overlap && (a.write || b.write) && !(a.atomic && b.atomic) && !(a.in_block && b.in_block)
}
