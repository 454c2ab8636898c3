//! Several engines side by side: the first sound answer wins, and the others stop.
//!
//! Every engine works in a thread of its own and has a part of the budget. Only as many as `--jobs` says are on at a time; the
//! others wait where they look at their budget, also in the middle of a solve. Whoever has used least processor time for its weights is
//! on next, so what an answer costs is a small multiple of what the fastest engine alone would have cost, whichever that is, and
//! does not depend on the number of cores. Turns grow with what was used, so that switching stays cheap.
//!
//! An engine that fails (a bug of ours) is reported, and the others go on. Engines that are still busy when there is an answer are
//! not waited for.

use crate::thread_clock::ThreadClock;
use raddle_ir::Program;
use raddle_verdict::{Budget, Candidate, Engine, Progress, Request, StopCause, Unknown, Verdict};
use raddle_witness::Replayer;
use std::sync::Arc;
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

/// The answer of one engine.
pub struct Answer {
    /// Which.
    pub engine: &'static str,
    /// What it says.
    pub verdict: Verdict,
    /// What it claimed and what did not replay.
    pub refused: Vec<(Candidate, String)>,
}

enum Message {
    Clock(usize, ThreadClock),
    Progress(Progress),
    Answer(usize, Answer),
}

/// One engine at work.
struct Worker {
    weights: Weights,
    budget: Budget,
    clock: Option<ThreadClock>,
    used: Duration,
    /// What it had used when its turn began; `None` if it is not on.
    since: Option<Duration>,
    busy: bool,
}

/// Asks the engines. `hear` is told every answer and says whether it is the last word.
pub fn ask(
    members: &[Member],
    question: &Question,
    progress: &mut dyn FnMut(Progress),
    hear: &mut dyn FnMut(Answer) -> bool,
) {
    let (sender, receiver) = channel();
    let mut workers: Vec<Worker> = Vec::new();
    for (number, member) in members.iter().enumerate() {
        let budget = question.request.budget.part();
        workers.push(Worker {
            weights: member.weights,
            budget: budget.clone(),
            clock: None,
            used: Duration::ZERO,
            since: None,
            busy: true,
        });
        begin(number, member, question, budget, sender.clone());
    }
    drop(sender);
    attend(&mut workers, question, &receiver, progress, hear);
    for worker in &workers {
        worker.budget.stop(StopCause::Cancelled);
    }
}

/// Gives turns and listens until there is a last word, or nobody is left to say one.
fn attend(
    workers: &mut [Worker],
    question: &Question,
    receiver: &Receiver<Message>,
    progress: &mut dyn FnMut(Progress),
    hear: &mut dyn FnMut(Answer) -> bool,
) {
    let mut last = Instant::now();
    while workers.iter().any(|w| w.busy) {
        turns(workers, question.jobs.max(1), last.elapsed());
        last = Instant::now();
        match receiver.recv_timeout(TICK) {
            Ok(Message::Clock(number, clock)) => workers[number].clock = Some(clock),
            Ok(Message::Progress(what)) => progress(what),
            Ok(Message::Answer(number, answer)) => {
                workers[number].busy = false;
                workers[number].since = None;
                if hear(answer) {
                    return;
                }
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

/// Tells that an engine has failed, unless it has answered.
struct Farewell {
    number: usize,
    engine: &'static str,
    sender: Sender<Message>,
    answered: bool,
}

impl Farewell {
    fn say(mut self, answer: Answer) {
        self.answered = true;
        let _ = self.sender.send(Message::Answer(self.number, answer));
    }
}

impl Drop for Farewell {
    fn drop(&mut self) {
        if !self.answered {
            let what = format!("the {} engine has failed", self.engine);
            let answer = Answer {
                engine: self.engine,
                verdict: Verdict::Unknown(Unknown::Internal(what)),
                refused: Vec::new(),
            };
            let _ = self.sender.send(Message::Answer(self.number, answer));
        }
    }
}

/// Lets an engine begin to work.
fn begin(
    number: usize,
    member: &Member,
    question: &Question,
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
    let farewell = Farewell {
        number,
        engine: engine.name(),
        sender: sender.clone(),
        answered: false,
    };
    let work = move || {
        if let Some(clock) = ThreadClock::of_this_thread() {
            let _ = sender.send(Message::Clock(number, clock));
        }
        let mut judge = Replayer::new(&program, &request.properties)
            .files(files)
            .budget(budget.clone());
        // Here it waits for its first turn.
        let verdict = match budget.stopped() {
            Some(cause) => Verdict::Unknown(Unknown::Stopped { cause, bound: None }),
            None => engine.check(&program, &request, &mut judge, &mut |p| {
                let _ = sender.send(Message::Progress(p));
            }),
        };
        let answer = Answer {
            engine: engine.name(),
            verdict,
            refused: judge.refused().to_vec(),
        };
        farewell.say(answer);
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
