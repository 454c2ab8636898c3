//! Several engines side by side: each answers what is open, until nothing is.
//!
//! Every engine works in a thread of its own and has a part of the budget. Only as many as `--jobs` says are on at a time; the
//! others wait where they look at their budget, also in the middle of a solve. Whoever has used least processor time for its weights is
//! on next, so what an answer costs is a small multiple of what the fastest engine alone would have cost, whichever that is, and
//! does not depend on the number of cores. Turns grow with what was used, so that switching stays cheap.
//!
//! An engine that fails (a bug of ours) is reported, and the others go on. Engines that are still busy when there is an answer are
//! not waited for.

use crate::thread_clock::ThreadClock;
use raddle_ir::{Program, Property};
use raddle_verdict::{
    Board, Budget, Candidate, Engine, Progress, Request, StopCause, Unknown, Verdict,
};
use raddle_witness::Replayer;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often it is looked whose turn it is.
const TICK: Duration = Duration::from_millis(2);
/// The shortest turn.
const SHORTEST: Duration = Duration::from_millis(6);
/// A turn lasts this part of what was used so far, if that is longer.
const SHARE: u32 = 8;
/// While all engines together have used less than this, nobody who has paid more than others by so much is on, even if a core is idle: an answer that comes soon shall not cost a multiple
/// because there are many cores.
const THRIFTY: Duration = Duration::from_secs(3);
const AHEAD: Duration = Duration::from_millis(3);
/// For how long an engine may go on after the budget is used up.
const GRACE: Duration = Duration::from_millis(500);
/// Engines recurse over terms and syntax.
pub const STACK: usize = 256 << 20;

/// An engine, and how much of the time it gets.
#[derive(Clone)]
pub struct Member {
    /// The engine.
    pub engine: Arc<dyn Engine>,
    /// Its weight among the others.
    pub weights: Weights,
}

/// How much of the time an engine gets: a weight for each stretch of the processor time it uses itself, up to so much. Engines differ in what they
/// are good for at first and later.
pub type Weights = &'static [(Duration, u32)];

/// One like the other.
pub const EQUAL: Weights = &[(Duration::MAX, 1)];

/// The price of what an engine has used: whoever has paid least is on next.
fn price(weights: Weights, used: Duration) -> Duration {
    let mut paid = Duration::ZERO;
    let mut from = Duration::ZERO;
    for (until, weight) in weights {
        paid += used.min(*until).saturating_sub(from) / *weight;
        from = *until;
    }
    paid
}

/// What is asked of all of them.
pub struct Question<'a> {
    /// The program.
    pub program: &'a Arc<Program>,
    /// What to check.
    pub request: &'a Request,
    /// How many work at the same time.
    pub jobs: usize,
    /// The names of its files, for schedules.
    pub files: Vec<String>,
    /// Whether a violation may rest on what functions without a body return.
    pub havoc: Option<crate::cli::Havoc>,
}

/// Which properties have open questions, for engines to look at.
#[derive(Clone, Debug, Default)]
pub struct OpenProperties(Arc<AtomicU32>);

impl OpenProperties {
    /// Changes which are open.
    pub fn set(&self, is_open: impl Fn(Property) -> bool) {
        let open = Property::ALL.into_iter().filter(|p| is_open(*p));
        let bits = open.fold(0, |bits, p| bits | 1 << p as u32);
        self.0.store(bits, Ordering::Relaxed);
    }

    fn has(&self, property: Property) -> bool {
        self.0.load(Ordering::Relaxed) >> property as u32 & 1 == 1
    }
}

/// What one engine says about some properties.
pub struct Answer {
    /// Which.
    pub engine: &'static str,
    /// About these.
    pub properties: Vec<Property>,
    /// What it says.
    pub verdict: Verdict,
}

/// A claim that did not replay, and why not.
pub type Refused = (Candidate, String);

enum Message {
    Clock(usize, ThreadClock),
    Progress(Progress),
    Answer(Answer),
    Done(usize, Vec<Refused>),
}

/// One engine at work.
struct Worker {
    engine: &'static str,
    weights: Weights,
    budget: Budget,
    clock: Option<ThreadClock>,
    used: Duration,
    /// What it had used when its turn began; `None` if it is not on.
    since: Option<Duration>,
    busy: bool,
}

/// Asks the engines. `hear` is told every answer and says whether it is the last word. What did not replay comes back.
pub fn ask(
    members: &[Member],
    question: &Question,
    open: &OpenProperties,
    progress: &mut dyn FnMut(Progress),
    hear: &mut dyn FnMut(Answer) -> bool,
) -> Vec<Refused> {
    let (sender, receiver) = channel();
    let mut workers: Vec<Worker> = Vec::new();
    for (number, member) in members.iter().enumerate() {
        let budget = question.request.budget.part();
        workers.push(Worker {
            engine: member.engine.name(),
            weights: member.weights,
            budget: budget.clone(),
            clock: None,
            used: Duration::ZERO,
            since: None,
            busy: true,
        });
        begin(number, member, question, open, budget, sender.clone());
    }
    drop(sender);
    let mut refused = Vec::new();
    attend(
        &mut workers,
        question,
        &receiver,
        &mut refused,
        progress,
        hear,
    );
    for worker in &workers {
        worker.budget.stop(StopCause::Cancelled);
    }
    refused
}

/// Gives turns and listens until there is a last word, or nobody is left to say one.
fn attend(
    workers: &mut [Worker],
    question: &Question,
    receiver: &Receiver<Message>,
    refused: &mut Vec<Refused>,
    progress: &mut dyn FnMut(Progress),
    hear: &mut dyn FnMut(Answer) -> bool,
) {
    let mut last = Instant::now();
    let mut stopped: Option<Instant> = None;
    while workers.iter().any(|w| w.busy) {
        // Whoever does not look at its budget is not waited for; what the others said stands.
        if question.request.budget.stopped().is_some()
            && stopped.get_or_insert_with(Instant::now).elapsed() > GRACE
        {
            for w in workers.iter().filter(|w| w.busy) {
                hear(unheard(w.engine, question));
            }
            return;
        }
        turns(workers, question.jobs.max(1), last.elapsed());
        last = Instant::now();
        match receiver.recv_timeout(TICK) {
            Ok(Message::Clock(number, clock)) => workers[number].clock = Some(clock),
            Ok(Message::Progress(what)) => progress(what),
            Ok(Message::Answer(answer)) => {
                if hear(answer) {
                    return;
                }
            }
            Ok(Message::Done(number, claims)) => {
                refused.extend(claims);
                workers[number].busy = false;
                workers[number].since = None;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Ends turns that are over, and begins as many as there is room for. Where there are no clocks of threads, the time since the last
/// look counts.
fn turns(workers: &mut [Worker], jobs: usize, passed: Duration) {
    for w in workers.iter_mut().filter(|w| w.busy) {
        w.used = match (w.clock.and_then(ThreadClock::now), w.since) {
            (Some(used), _) => used,
            (None, Some(_)) => w.used + passed,
            (None, None) => w.used,
        };
    }
    let waiting = workers.iter().any(|w| w.busy && w.since.is_none());
    for w in workers.iter_mut().filter(|w| w.busy && waiting) {
        let turn = SHORTEST.max(w.used / SHARE);
        if w.since.is_some_and(|s| w.used.saturating_sub(s) >= turn) {
            w.since = None;
        }
    }
    let on = workers.iter().filter(|w| w.since.is_some()).count();
    let paid = |w: &Worker| price(w.weights, w.used);
    let least = workers.iter().filter(|w| w.busy).map(paid).min();
    let together: Duration = workers.iter().map(|w| w.used).sum();
    for _ in on..jobs {
        let off = workers.iter_mut().filter(|w| w.busy && w.since.is_none());
        let Some(next) = off.min_by_key(|w| paid(w)) else {
            break;
        };
        let ahead = least.is_some_and(|l| paid(next) > l + AHEAD);
        if ahead && together < THRIFTY {
            break;
        }
        next.since = Some(next.used);
    }
    for w in workers.iter() {
        w.budget.give_turn(w.since.is_some());
    }
}

/// What is said for an engine that did not stop in time.
fn unheard(engine: &'static str, question: &Question) -> Answer {
    let cause = question.request.budget.stopped();
    let cause = cause.unwrap_or(StopCause::Time);
    Answer {
        engine,
        properties: question.request.properties.clone(),
        verdict: Verdict::Unknown(Unknown::Stopped { cause, bound: None }),
    }
}

/// The board that an engine in its thread sees.
struct SentBoard {
    engine: &'static str,
    open: OpenProperties,
    sender: Sender<Message>,
}

impl Board for SentBoard {
    fn is_open(&self, property: Property) -> bool {
        self.open.has(property)
    }

    fn answer(&mut self, properties: &[Property], verdict: Verdict) {
        let answer = Answer {
            engine: self.engine,
            properties: properties.to_vec(),
            verdict,
        };
        let _ = self.sender.send(Message::Answer(answer));
    }
}

/// Tells when an engine is done, and that it has failed if it has not come to its end.
struct LastMessage {
    number: usize,
    engine: &'static str,
    properties: Vec<Property>,
    sender: Sender<Message>,
    refused: Vec<Refused>,
    finished: bool,
}

impl Drop for LastMessage {
    fn drop(&mut self) {
        if !self.finished {
            let what = format!("the {} engine has failed", self.engine);
            let _ = self.sender.send(Message::Answer(Answer {
                engine: self.engine,
                properties: self.properties.clone(),
                verdict: Verdict::Unknown(Unknown::Internal(what)),
            }));
        }
        let refused = std::mem::take(&mut self.refused);
        let _ = self.sender.send(Message::Done(self.number, refused));
    }
}

/// Lets an engine begin to work.
fn begin(
    number: usize,
    member: &Member,
    question: &Question,
    open: &OpenProperties,
    budget: Budget,
    sender: Sender<Message>,
) {
    let engine = member.engine.clone();
    let program = question.program.clone();
    let request = Request {
        budget: budget.clone(),
        ..question.request.clone()
    };
    let files = question.files.clone();
    let mut last = LastMessage {
        number,
        engine: engine.name(),
        properties: request.properties.clone(),
        sender: sender.clone(),
        refused: Vec::new(),
        finished: false,
    };
    let mut board = SentBoard {
        engine: engine.name(),
        open: open.clone(),
        sender: sender.clone(),
    };
    let work = move || {
        if let Some(clock) = ThreadClock::of_this_thread() {
            let _ = sender.send(Message::Clock(number, clock));
        }
        let mut judge = Replayer::new(&program, &request.properties)
            .files(files)
            .budget(budget.clone());
        // Here it waits for its first turn.
        match budget.stopped() {
            Some(cause) => {
                let stopped = Verdict::Unknown(Unknown::Stopped { cause, bound: None });
                board.answer(&request.properties, stopped);
            }
            None => {
                let mut tell = |p| {
                    let _ = sender.send(Message::Progress(p));
                };
                engine.work(&program, &request, &mut judge, &mut tell, &mut board);
            }
        }
        last.refused = judge.refused().to_vec();
        last.finished = true;
        drop(last);
    };
    let name = format!("engine {}", member.engine.name());
    let thread = std::thread::Builder::new().name(name).stack_size(STACK);
    if let Err(error) = thread.spawn(work) {
        eprintln!(
            "warning: the {} engine cannot begin: {error}",
            member.engine.name()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_time_has_another_price() {
        let ms = Duration::from_millis;
        const WEIGHTS: Weights = &[
            (Duration::from_millis(60), 3),
            (Duration::from_millis(100), 1),
            (Duration::MAX, 2),
        ];
        for (used, paid) in [(0, 0), (30, 10), (60, 20), (80, 40), (100, 60), (140, 80)] {
            assert_eq!(price(WEIGHTS, ms(used)), ms(paid), "{used} ms");
        }
    }
}
