//! Several engines side by side: each answers what is open, until nothing is.
//!
//! Every engine works in a process of its own ([`crate::child`]). Only as many as `--jobs` says run at a time; the others are stopped.
//! The engine that has used least processor time for its weights runs next, so what an answer costs is a small multiple of what the fastest
//! engine alone would have cost, whichever that is, and does not depend on the number of cores. Turns grow with what was used, so that
//! switching stays cheap.
//!
//! An engine that fails is named in its answer, and the others go on. When memory runs out, the engine that has most is ended.

use crate::child::{self, Child, Ended, Refused, Said, Shared};
use crate::single;
use raddle_ir::{Program, Property, Span};
use raddle_verdict::{
    Board, Candidate, Engine, Progress, Proof, QuestionId, Request, StopCause, Unknown, Verdict,
};
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
/// The first engine works alone until it has used this, to save the process of a second one. No gain was measured yet.
const ALONE: Duration = Duration::from_millis(12);
/// Single questions are asked when all engines together have used this.
const SINGLES: Duration = Duration::from_millis(1500);
/// How often an engine tells what it does.
const QUIET: Duration = Duration::from_millis(50);
/// For how long an engine may go on after the budget is used up.
const GRACE: Duration = Duration::from_millis(300);
/// Engines recurse over terms and syntax.
pub const STACK: usize = 256 << 20;

/// An engine, and how much of the time it gets.
#[derive(Clone)]
pub struct Member {
    /// The engine.
    pub engine: Arc<dyn Engine>,
    /// Its weight among the others.
    pub weights: Weights,
    /// Whether it can answer a property.
    pub answers: fn(Property) -> bool,
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
    /// How much memory all of them may use.
    pub memory: Option<u64>,
    /// The names of its files, for schedules.
    pub files: Vec<String>,
    /// Whether a violation may rest on what functions without a body return.
    pub havoc: Option<crate::cli::Havoc>,
}

/// What one engine says.
pub enum Heard {
    /// About some properties.
    Answer {
        /// Which engine.
        engine: &'static str,
        /// About these.
        properties: Vec<Property>,
        /// What it says.
        verdict: Verdict,
    },
    /// That a single question is proved.
    Single {
        /// Which engine.
        engine: &'static str,
        /// Which question.
        question: QuestionId,
        /// Why it holds.
        proof: Proof,
    },
    /// What its work cost.
    Statistics(String),
}

/// From the readers of the pipes.
enum Message {
    Said(usize, Said),
    /// The pipe is closed.
    Ended(usize),
}

/// One engine at work.
struct Worker {
    engine: Arc<dyn Engine>,
    weights: Weights,
    answers: fn(Property) -> bool,
    /// Made when its first turn begins.
    child: Option<Child>,
    /// Its processor time at the last look.
    cpu: Duration,
    /// What it pays for.
    used: Duration,
    /// What it had used when its turn began; `None` if it is stopped.
    since: Option<Duration>,
    busy: bool,
    /// It works on these questions alone, one after the other, and only when a property stays open.
    singles: Vec<QuestionId>,
    /// What the others had paid when it became due; it does not get that back.
    due: Option<Duration>,
    /// It has said that it is done.
    done: bool,
}

/// Asks the engines. `hear` is told every answer and says whether it is the last word. What did not replay comes back.
pub fn ask(
    members: &[Member],
    question: &Question,
    shared: Shared,
    progress: &mut dyn FnMut(Progress),
    hear: &mut dyn FnMut(Heard) -> bool,
) -> Vec<Refused> {
    let (sender, receiver) = channel();
    let worker = |member: &Member| Worker {
        engine: member.engine.clone(),
        weights: member.weights,
        answers: member.answers,
        child: None,
        cpu: Duration::ZERO,
        used: Duration::ZERO,
        since: None,
        busy: true,
        singles: Vec::new(),
        due: Some(Duration::ZERO),
        done: false,
    };
    let mut workers: Vec<Worker> = members.iter().map(worker).collect();
    let singles = single::questions(question.program, question.request);
    if !singles.is_empty() {
        let can = members
            .iter()
            .filter(|m| (m.answers)(Property::UnreachCall));
        workers.extend(can.map(|m| Worker {
            singles: singles.clone(),
            due: None,
            ..worker(m)
        }));
    }
    let mut desk = Desk {
        workers,
        question,
        shared,
        sender,
        refused: Vec::new(),
    };
    desk.attend(&receiver, progress, hear);
    desk.refused
}

/// Where the answers come in. The children end with it.
struct Desk<'a> {
    workers: Vec<Worker>,
    question: &'a Question<'a>,
    shared: Shared,
    sender: Sender<Message>,
    refused: Vec<Refused>,
}

impl Desk<'_> {
    /// Has those engines begin whose first turn it is; whether a failure to do so was the last word.
    fn begin(&mut self, hear: &mut dyn FnMut(Heard) -> bool) -> bool {
        for number in 0..self.workers.len() {
            let worker = &self.workers[number];
            if worker.since.is_none() || worker.child.is_some() {
                continue;
            }
            let engine = worker.engine.clone();
            let asked = self.question.request.properties.iter().copied();
            let singles = worker.singles.clone();
            // What is answered already costs an engine time all the same.
            let asked = asked.filter(|p| self.shared.is_open(*p));
            let asked = asked.filter(|p| singles.is_empty() || *p == Property::UnreachCall);
            let (can, cannot): (Vec<_>, Vec<_>) = asked.partition(|p| (worker.answers)(*p));
            if can.is_empty() {
                self.workers[number].end();
            }
            for property in cannot {
                if hear(beyond(engine.name(), property)) {
                    return true;
                }
            }
            if can.is_empty() {
                continue;
            }
            let begun = begin(
                number,
                engine.as_ref(),
                self.question,
                (can, singles),
                self.shared,
                &self.sender,
            );
            let worker = &mut self.workers[number];
            match begun {
                Ok(child) => worker.child = Some(child),
                Err(_) if !worker.singles.is_empty() => _ = worker.end(),
                Err(why) => {
                    worker.end();
                    let why = Unknown::GaveUp(format!("it cannot begin: {why}"));
                    if hear(failed(engine.name(), self.question, why)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Gives turns and listens until there is a last word, or no engine is left to say one.
    fn attend(
        &mut self,
        receiver: &Receiver<Message>,
        progress: &mut dyn FnMut(Progress),
        hear: &mut dyn FnMut(Heard) -> bool,
    ) {
        let mut last = Instant::now();
        let mut stopped: Option<Instant> = None;
        while self.workers.iter().any(|w| w.busy) {
            match self.question.request.budget.stopped() {
                None => turns(&mut self.workers, self.question.jobs.max(1), last.elapsed()),
                Some(cause) => {
                    let since = *stopped.get_or_insert_with(|| {
                        self.shared.stop(cause);
                        // All of them may say how far they got.
                        let children = self.workers.iter_mut().flat_map(|w| &mut w.child);
                        children.for_each(|c| c.run(true));
                        Instant::now()
                    });
                    let unborn = |w: &Worker| w.busy && w.child.is_none();
                    let nobody = self.workers.iter().all(|w| !w.busy || unborn(w));
                    if nobody || since.elapsed() > GRACE {
                        self.end_unheard(cause, hear);
                        return;
                    }
                }
            }
            last = Instant::now();
            if stopped.is_none() && self.begin(hear) || self.spare_memory(hear) {
                return;
            }
            match receiver.recv_timeout(TICK) {
                Ok(Message::Said(number, said)) => {
                    if self.said(number, said, progress, hear) {
                        return;
                    }
                }
                Ok(Message::Ended(number)) => {
                    if self.ended(number, hear) {
                        return;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Passes on what an engine says; whether that was the last word.
    fn said(
        &mut self,
        number: usize,
        said: Said,
        progress: &mut dyn FnMut(Progress),
        hear: &mut dyn FnMut(Heard) -> bool,
    ) -> bool {
        let engine = self.workers[number].engine.name();
        match said {
            Said::Progress(what) => {
                progress(Progress { engine, what });
                false
            }
            Said::Elsewhere(..) => false,
            Said::Statistics(line) => hear(Heard::Statistics(line)),
            Said::Single(question, proof) => hear(Heard::Single {
                engine,
                question: QuestionId(question),
                proof,
            }),
            Said::Answer(properties, verdict) => hear(Heard::Answer {
                engine,
                properties,
                verdict,
            }),
            Said::Done(refused) => {
                self.workers[number].done = true;
                self.refused.extend(refused);
                false
            }
        }
    }

    /// An engine's process is over: if it did not say so, it failed.
    fn ended(&mut self, number: usize, hear: &mut dyn FnMut(Heard) -> bool) -> bool {
        let worker = &mut self.workers[number];
        if !worker.busy {
            return false;
        }
        let engine = worker.engine.name();
        let ended = worker.end();
        if worker.done {
            return false;
        }
        // What it failed at is still open, and the same engine works on that as a whole.
        if !worker.singles.is_empty() && ended != Ended::Exited(101) {
            return false;
        }
        let gave_up = |how: &str| Unknown::GaveUp(how.to_string());
        let why = match ended {
            Ended::Exited(101) => Unknown::Internal(format!("the {engine} engine panicked")),
            Ended::Exited(code) => gave_up(&format!("exit code {code}")),
            Ended::Killed(libc::SIGABRT | libc::SIGSEGV) => {
                gave_up("it aborted, perhaps for lack of stack")
            }
            Ended::Killed(signal) => gave_up(&format!("ended by signal {signal}")),
        };
        hear(failed(engine, self.question, why))
    }

    /// What the engines that do not look at their budget would have said.
    fn end_unheard(&mut self, cause: StopCause, hear: &mut dyn FnMut(Heard) -> bool) {
        for worker in self.workers.iter_mut().filter(|w| w.busy) {
            worker.kill();
            let why = Unknown::Stopped { cause, bound: None };
            if worker.singles.is_empty() {
                hear(failed(worker.engine.name(), self.question, why));
            }
        }
    }

    /// Ends the engine that has most memory, if all together have too much; whether that was the last word.
    fn spare_memory(&mut self, hear: &mut dyn FnMut(Heard) -> bool) -> bool {
        let Some(most) = self.question.memory else {
            return false;
        };
        let busy = || self.workers.iter().filter(|w| w.busy);
        let size = |w: &Worker| w.child.as_ref().map_or(0, Child::memory);
        let sizes: Vec<u64> = busy().map(size).collect();
        let own = crate::limits::resident_memory(None).unwrap_or(0);
        if own + sizes.iter().sum::<u64>() < most {
            return false;
        }
        let mut workers = self.workers.iter_mut().filter(|w| w.busy);
        let largest = (0..sizes.len()).max_by_key(|i| sizes[*i]);
        let Some(worker) = largest.and_then(|i| workers.nth(i)) else {
            return false;
        };
        worker.kill();
        if !worker.singles.is_empty() {
            return false;
        }
        let cause = StopCause::Memory;
        let why = Unknown::Stopped { cause, bound: None };
        hear(failed(worker.engine.name(), self.question, why))
    }
}

impl Worker {
    /// It has ended, or is waited for to end.
    fn end(&mut self) -> Ended {
        self.busy = false;
        self.since = None;
        self.child.as_mut().map_or(Ended::Exited(0), Child::wait)
    }

    /// Ends it.
    fn kill(&mut self) {
        self.busy = false;
        self.since = None;
        if let Some(child) = &mut self.child {
            child.kill();
        }
    }
}

/// What is said for an engine that cannot speak for itself.
fn failed(engine: &'static str, question: &Question, why: Unknown) -> Heard {
    Heard::Answer {
        engine,
        properties: question.request.properties.clone(),
        verdict: Verdict::Unknown(why),
    }
}

/// What is said for an engine that cannot answer a property.
fn beyond(engine: &'static str, property: Property) -> Heard {
    let what = format!("the property {property}");
    let span = Span::NOWHERE;
    Heard::Answer {
        engine,
        properties: vec![property],
        verdict: Verdict::Unknown(Unknown::Unsupported { what, span }),
    }
}

/// A claim that did not replay, for people.
fn refusal((candidate, why): &(Candidate, String)) -> Refused {
    Refused {
        candidate: format!("{candidate:#?}"),
        why: why.clone(),
    }
}

/// Ends turns that are over, and begins as many as there is room for; so much wall time has passed since the last
/// look.
fn turns(workers: &mut [Worker], jobs: usize, passed: Duration) {
    for w in workers.iter_mut().filter(|w| w.busy) {
        let Some(child) = &w.child else { continue };
        let cpu = child.used().unwrap_or(w.cpu);
        let worked = cpu.saturating_sub(w.cpu);
        w.cpu = cpu;
        // An engine that sleeps pays for its turn, too, or the others would never have one.
        let slept = w.since.is_some() && worked < passed / 16;
        w.used += if slept { passed } else { worked };
    }
    come_due(workers);
    let due = |w: &Worker| w.busy && w.due.is_some();
    let waiting = workers.iter().any(|w| due(w) && w.since.is_none());
    for w in workers.iter_mut().filter(|w| w.busy && waiting) {
        let turn = SHORTEST.max(w.used / SHARE);
        if w.since.is_some_and(|s| w.used.saturating_sub(s) >= turn) {
            w.since = None;
        }
    }
    let on = workers.iter().filter(|w| w.since.is_some()).count();
    let least = workers.iter().filter(|w| due(w)).map(paid).min();
    let together: Duration = workers.iter().map(|w| w.used).sum();
    for on in on..jobs {
        if on > 0 && together < ALONE {
            break;
        }
        let off = workers.iter_mut().filter(|w| due(w) && w.since.is_none());
        let Some(next) = off.min_by_key(|w| paid(w)) else {
            break;
        };
        let ahead = least.is_some_and(|l| paid(next) > l + AHEAD);
        if ahead && together < THRIFTY {
            break;
        }
        next.since = Some(next.used);
    }
    for w in workers.iter_mut().filter(|w| w.busy) {
        let on = w.since.is_some();
        if let Some(child) = &mut w.child {
            child.run(on);
        }
    }
}

/// What a worker has paid for its turns.
fn paid(worker: &Worker) -> Duration {
    // Several questions share the time of one process.
    let used = match worker.singles.is_empty() {
        true => worker.used,
        false => worker.used / 2,
    };
    price(worker.weights, used) + worker.due.unwrap_or_default()
}

/// Single questions are asked when the engines have worked for a while, or have no more to say.
fn come_due(workers: &mut [Worker]) {
    let whole = |w: &&Worker| w.busy && w.singles.is_empty();
    let together: Duration = workers.iter().map(|w| w.used).sum();
    let least = workers.iter().filter(whole).map(paid).min();
    if together >= SINGLES || least.is_none() {
        for worker in workers.iter_mut().filter(|w| w.due.is_none()) {
            worker.due = Some(least.unwrap_or_default());
        }
    }
}

/// Lets an engine begin to work.
fn begin(
    number: usize,
    engine: &dyn Engine,
    question: &Question,
    (properties, singles): (Vec<Property>, Vec<QuestionId>),
    shared: Shared,
    sender: &Sender<Message>,
) -> Result<Child, String> {
    let budget = &question.request.budget;
    let request = Request {
        properties,
        budget: budget
            .watched(move || shared.stopped())
            .clocked(crate::limits::own_cpu_time),
        ..question.request.clone()
    };
    let work = |voice: &mut child::Voice| {
        if !singles.is_empty() {
            let refused = single::work(engine, question, &request, &singles, shared, voice);
            voice.say(&Said::Done(refused.iter().map(refusal).collect()));
            return;
        }
        let mut judge = Replayer::new(question.program, &request.properties)
            .files(question.files.clone())
            .budget(request.budget.clone());
        if let Some(cause) = request.budget.stopped() {
            let stopped = Verdict::Unknown(Unknown::Stopped { cause, bound: None });
            voice.answer(&request.properties, stopped);
        } else {
            let mut aside = voice.duplicate();
            let mut told: Option<Instant> = None;
            let mut tell = |p: Progress| {
                let due = told.is_none_or(|t| t.elapsed() > QUIET);
                if let Some(voice) = aside.as_mut().filter(|_| due) {
                    told = Some(Instant::now());
                    voice.say(&Said::Progress(p.what));
                }
            };
            engine.work(question.program, &request, &mut judge, &mut tell, voice);
        }
        let refused = judge.refused().iter().map(refusal);
        voice.say(&Said::Done(refused.collect()));
    };
    let (child, reader) = child::spawn(shared, STACK, work)?;
    let listener = std::thread::Builder::new().name(format!("hears {}", engine.name()));
    let sender = sender.clone();
    let listened = listener.spawn(move || {
        child::listen(reader, &mut |said| {
            let _ = sender.send(Message::Said(number, said));
        });
        let _ = sender.send(Message::Ended(number));
    });
    listened.map_err(|e| e.to_string())?;
    Ok(child)
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
