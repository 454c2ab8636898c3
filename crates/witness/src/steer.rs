//! Leads the interpreter along a candidate.
//!
//! For each step the thread it names goes on until it has executed that instruction that often; a step of the interpreter runs
//! silently past invisible instructions, so that may be true already. Threads get their numbers in the candidate when they
//! are made, before they ask for anything. Behind the last step the claimed thread runs on ([`Tail`]).
//!
//! Nothing is repaired: a thread that cannot go on where the candidate wants it to is a difference, told precisely.

use crate::answers::Answers;
use crate::tail::Tail;
use raddle_interp::schedulers::Scheduler;
use raddle_interp::thread::ThreadStatus;
use raddle_interp::{Choice, Choices, Enabled, Machine, ThreadId};
use raddle_ir::{Location, SyncOp};
use raddle_verdict::{Candidate, CandidateStep};
use std::collections::HashMap;

/// For how many steps of the interpreter one step of a candidate may be looked for.
const PATIENCE: u32 = 50_000;

/// How far ahead is looked for what a thread does too early.
const NEARBY: usize = 100;

/// A scheduler that follows a candidate.
pub struct Steer<'c> {
    candidate: &'c Candidate,
    answers: Answers,
    /// Which step of which thread makes which thread of the candidate.
    starts: HashMap<(u32, Location, u32), u32>,
    /// By the interpreter's number: the candidate's, if it has one.
    numbers: Vec<Option<u32>>,
    /// The other way round.
    threads: HashMap<u32, ThreadId>,
    /// Who made whom, where.
    made: Vec<(ThreadId, Location, ThreadId)>,
    /// How many each has made at a place.
    counts: HashMap<(ThreadId, Location), u32>,
    /// The step that is being looked for.
    at: usize,
    patience: u32,
    /// The number of the step that was begun last.
    began: Option<u64>,
    /// A visible operation that came earlier than the candidate has it.
    hint: Option<String>,
    tail: Option<Tail>,
    /// What differed, if something did.
    pub problem: Option<String>,
}

impl<'c> Steer<'c> {
    /// A scheduler at the first step.
    pub fn new(candidate: &'c Candidate) -> Steer<'c> {
        let mut answers = Answers::default();
        for c in &candidate.choices {
            let key = (c.thread, c.at, c.kind);
            match c.occurrence {
                Some(n) => answers.expect(key, n, c.value),
                None => answers.push(key, c.value),
            }
        }
        let start = |s: &CandidateStep| Some(((s.thread, s.at, s.occurrence), s.starts?));
        Steer {
            candidate,
            answers,
            starts: candidate.steps.iter().filter_map(start).collect(),
            numbers: vec![Some(0)],
            threads: HashMap::from([(0, ThreadId(0))]),
            made: Vec::new(),
            counts: HashMap::new(),
            at: 0,
            patience: PATIENCE,
            began: None,
            hint: None,
            tail: None,
            problem: None,
        }
    }

    /// Moves on over steps that are done; whether all are.
    pub fn is_complete(&mut self, machine: &Machine<'_>) -> bool {
        while let Some(step) = self.candidate.steps.get(self.at) {
            match self.thread(step.thread) {
                Some(t) if machine.executions(t, step.at) >= step.occurrence => self.at += 1,
                _ => return false,
            }
            self.patience = PATIENCE;
            self.hint = None;
        }
        true
    }

    /// The interpreter's number of the thread in which the violation is to show.
    pub fn claimed(&self) -> Option<ThreadId> {
        self.thread(self.candidate.thread)
    }

    /// Where the run has got to, in words.
    pub fn progress(&self, machine: &Machine<'_>) -> String {
        let all = self.candidate.steps.len();
        match self.candidate.steps.get(self.at) {
            Some(step) => {
                let wanted = wanted(machine, step);
                let thread = step.thread;
                format!(
                    "at step {} of {all}, thread {thread} should {wanted}",
                    self.at + 1
                )
            }
            None => format!("after all {all} steps"),
        }
    }

    /// The interpreter's number of a thread of the candidate.
    fn thread(&self, number: u32) -> Option<ThreadId> {
        self.threads.get(&number).copied()
    }

    fn fail(&mut self, machine: &Machine<'_>, what: &str) -> Option<ThreadId> {
        let hint = self.hint.take().map_or(String::new(), |h| format!("; {h}"));
        self.problem = Some(format!("{}, {what}{hint}", self.progress(machine)));
        None
    }

    /// The thread to run for the first step that is not done.
    fn next(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        self.is_complete(machine);
        if let Some(step) = self.candidate.steps.get(self.at).copied() {
            let Some(t) = self.thread(step.thread) else {
                return self.fail(machine, "but was never made");
            };
            if !enabled.contains(t) {
                if let Some(other) = joined(machine, t, enabled)
                    && self.patience > 0
                {
                    self.patience -= 1;
                    return Some(other);
                }
                return self.fail(machine, &format!("but it {}", stands(machine, t)));
            }
            if self.patience == 0 {
                let stands = stands(machine, t);
                return self.fail(machine, &format!("but does not get there: it {stands}"));
            }
            self.patience -= 1;
            self.note_early(machine, t, &step);
            return Some(t);
        }
        let tail = self.tail.get_or_insert_with(|| {
            let order = order(self.candidate, machine, &self.numbers);
            Tail::new(self.candidate, machine, order)
        });
        let picked = tail.pick(machine, enabled);
        picked.or_else(|| self.fail(machine, "the violation does not show"))
    }

    /// Remembers that the thread is about to do something the candidate has later, for the message.
    fn note_early(&mut self, machine: &Machine<'_>, t: ThreadId, step: &CandidateStep) {
        let Some(pending) = machine.pending(t) else {
            return;
        };
        let count = machine.executions(t, pending.at) + 1;
        let is_it = |s: &CandidateStep| {
            s.thread == step.thread && s.at == pending.at && s.occurrence == count
        };
        let mut soon = self.candidate.steps[self.at + 1..].iter().take(NEARBY);
        let later = soon.position(is_it);
        if let (Some(n), None, false) = (later, &self.hint, is_it(step)) {
            let number = self.at + 2 + n;
            let what = stands(machine, t);
            self.hint = Some(format!(
                "on the way it {what}, which the candidate has as step {number}"
            ));
        }
    }
}

/// The thread that has to end before this one can go on, if it can run: what it still has to do matters to nobody else,
/// or the candidate would list it.
fn joined(machine: &Machine<'_>, t: ThreadId, enabled: &Enabled) -> Option<ThreadId> {
    let mut at = t;
    for _ in machine.threads() {
        let wait = machine.waits(at)?;
        if wait.op != SyncOp::ThreadJoin {
            return None;
        }
        at = *wait.holders.first()?;
        if enabled.contains(at) {
            return Some(at);
        }
    }
    None
}

/// The candidate's threads in the order of its numbers, the claimed one first, then the others.
fn order(candidate: &Candidate, machine: &Machine<'_>, numbers: &[Option<u32>]) -> Vec<ThreadId> {
    let mut order: Vec<ThreadId> = machine.threads().collect();
    let rank = |t: &ThreadId| match numbers.get(t.0 as usize).copied().flatten() {
        Some(n) if n == candidate.thread => (0, 0),
        Some(n) => (1, n),
        None => (2, t.0),
    };
    order.sort_by_key(rank);
    order
}

impl Choices for Steer<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let number = self.numbers.get(choice.thread.0 as usize);
        match number.copied().flatten() {
            Some(n) => {
                let key = (n, choice.at, choice.kind.class());
                self.answers.take_for(key, choice.occurrence)
            }
            None => 0,
        }
    }

    fn made(&mut self, maker: ThreadId, at: Location, new: ThreadId) {
        // A refused step may have made the same thread before.
        while let Some((by, at, t)) = self.made.pop_if(|(_, _, t)| *t >= new) {
            if let Some(count) = self.counts.get_mut(&(by, at)) {
                *count -= 1;
            }
            if let Some(number) = self.numbers.get(t.0 as usize).copied().flatten() {
                self.threads.remove(&number);
            }
        }
        self.numbers.truncate(new.0 as usize);
        self.numbers.resize(new.0 as usize, None);
        self.made.push((maker, at, new));
        let count = self.counts.entry((maker, at)).or_default();
        *count += 1;
        let occurrence = *count;
        let maker = self.numbers.get(maker.0 as usize).copied().flatten();
        let key = maker.map(|m| (m, at, occurrence));
        let number = key.and_then(|k| self.starts.get(&k).copied());
        self.numbers.push(number);
        if let Some(number) = number {
            self.threads.entry(number).or_insert(new);
        }
    }
}

impl Scheduler for Steer<'_> {
    fn pick(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        match self.began == Some(machine.steps()) {
            true => self.answers.undo(),
            false => self.answers.keep(),
        }
        self.began = Some(machine.steps());
        self.next(machine, enabled)
    }
}

/// A place in the source, or the function if there is no source.
pub fn place(machine: &Machine<'_>, at: Location) -> String {
    let program = machine.program;
    let function = &program.function(at.function).name;
    let span = program.span_of(at);
    match program.files.get(span.file.0 as usize) {
        Some(file) if span.is_somewhere() => {
            format!("{file}:{}:{} in {function}", span.line, span.column)
        }
        _ => format!(
            "{function} (block {}, instruction {})",
            at.block.0, at.index
        ),
    }
}

/// What a step of a candidate is, as the end of a sentence.
fn wanted(machine: &Machine<'_>, step: &CandidateStep) -> String {
    let place = place(machine, step.at);
    let instruction = instruction(machine, step.at);
    format!(
        "execute {instruction} at {place} (time {})",
        step.occurrence
    )
}

fn instruction(machine: &Machine<'_>, at: Location) -> String {
    let text = machine
        .program
        .instr(at)
        .map(|i| (machine.program.text(i.text), &i.op));
    match text {
        Some((text, _)) if !text.is_empty() => format!("`{text}`"),
        Some((_, raddle_ir::Op::Sync { op, .. })) => format!("`{}`", op.name()),
        Some(_) => "the instruction".into(),
        None => "the end of the block".into(),
    }
}

/// What a thread is about to do, as the end of a sentence.
fn stands(machine: &Machine<'_>, t: ThreadId) -> String {
    let thread = machine.thread(t);
    match thread.status {
        ThreadStatus::New => return "was not started".into(),
        ThreadStatus::Finished => return "has ended".into(),
        ThreadStatus::Stopped(reason) => {
            let at = thread
                .location()
                .map_or(String::new(), |at| place(machine, at));
            return format!("stopped ({reason:?}) at {at}");
        }
        ThreadStatus::Active => {}
    }
    if let Some(wait) = machine.waits(t) {
        return format!("waits for {} at {}", wait.what, place(machine, wait.at));
    }
    match machine.pending(t) {
        Some(p) => format!(
            "stands before {} at {}",
            instruction(machine, p.at),
            place(machine, p.at)
        ),
        None => "has nothing to do".into(),
    }
}
