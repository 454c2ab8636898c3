//! Repeats the beginning of a run that was made of single instructions, with exactly its answers.
//!
//! Whether sleepers could wake by themselves in it is not recorded; it shows in whether the answers fit, so both are tried.

use crate::choice::{Choice, Choices};
use crate::config::Config;
use crate::machine::{End, Machine, Outcome, ThreadId};
use crate::observe::Observed;
use crate::thread::ThreadStatus;
use raddle_ir::{Location, Op, Program, Property};

/// A step of a beginning, for those who listen.
pub struct Taken<'a> {
    /// Who, at which instruction, and for the how manieth time, if that is counted; nobody before the first step.
    pub step: Option<(ThreadId, Location, u32)>,
    /// Threads that it made: by whom, where, and which.
    pub made: &'a [(ThreadId, Location, ThreadId)],
    /// What it asked, and the answers.
    pub asked: &'a [(Choice, u128)],
    /// What was observed, if that was wanted ([`Config::observe`]).
    pub observed: Vec<Observed>,
}

/// The machine behind a beginning, or where no run of the program goes that way: `before` answers what is asked before the first step, then
/// each step says who takes it and answers what it asks. `listen` hears of every step. The configuration says how the run goes on from there.
pub fn follow<'p>(
    program: &'p Program,
    config: &Config,
    before: &[u128],
    steps: &[(u32, Vec<u128>)],
    listen: &mut dyn FnMut(Taken<'_>),
) -> Result<Machine<'p>, String> {
    let fits = sleepers_wake(program, config, before, steps);
    let mut machine = once(program, config, (before, steps), fits, listen)?;
    machine.config.single = config.single;
    machine.config.spurious_wakeups = config.spurious_wakeups;
    if machine.end().is_none() && config.checks.has(Property::NoDeadlock) {
        machine.look_for_deadlock();
    }
    Ok(machine)
}

/// Whether sleepers may have woken by themselves in a beginning. Only somebody who waits with a time limit notices the difference.
pub fn sleepers_wake(
    program: &Program,
    config: &Config,
    before: &[u128],
    steps: &[(u32, Vec<u128>)],
) -> bool {
    once(program, config, (before, steps), true, &mut |_| {}).is_ok()
}

fn once<'p>(
    program: &'p Program,
    config: &Config,
    (before, steps): (&[u128], &[(u32, Vec<u128>)]),
    spurious_wakeups: bool,
    listen: &mut dyn FnMut(Taken<'_>),
) -> Result<Machine<'p>, String> {
    let config = Config {
        single: true,
        spurious_wakeups,
        ..config.clone()
    };
    let mut given = Given::new(before);
    let mut machine = Machine::new(program, config, &mut given);
    given.check().map_err(|why| format!("at the start {why}"))?;
    listen(given.taken(None, machine.take_observed()));
    for (n, (thread, answers)) in steps.iter().enumerate() {
        let fail = |why: &str| Err(format!("at step {} {why}", n + 1));
        match machine.end() {
            // Whatever would come later, every run that begins like this has that violation.
            Some(End::Violation(_)) => break,
            Some(_) => return fail("the run is over"),
            None => {}
        }
        let thread = ThreadId(*thread);
        let known = machine.threads().any(|t| t == thread);
        if !known || machine.thread(thread).status != ThreadStatus::Active {
            return fail("the thread cannot go on");
        }
        let Some(at) = machine.thread(thread).location() else {
            return fail("the thread has no place");
        };
        let occurrence = machine.executions(thread, at) + 1;
        let mut given = Given::new(answers);
        let outcome = machine.step(thread, &mut given);
        if let Err(why) = given.check() {
            return fail(why);
        }
        if outcome == Outcome::Done {
            let step = Some((thread, at, occurrence));
            listen(given.taken(step, machine.take_observed()));
        } else if !matches!(
            program.instr(at).map(|i| &i.op),
            Some(Op::AtomicBegin { .. })
        ) {
            // An attempt to enter a region changes nothing, but may bring a deadlock to light.
            return fail("the thread is blocked");
        }
    }
    Ok(machine)
}

/// Answers as they are, one after the other.
struct Given<'a> {
    answers: &'a [u128],
    made: Vec<(ThreadId, Location, ThreadId)>,
    asked: Vec<(Choice, u128)>,
}

impl<'a> Given<'a> {
    fn new(answers: &'a [u128]) -> Given<'a> {
        Given {
            answers,
            made: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// Whether as much was asked as there are answers.
    fn check(&self) -> Result<(), &'static str> {
        match self.asked.len().cmp(&self.answers.len()) {
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Less => Err("less is asked than there are answers"),
            std::cmp::Ordering::Greater => Err("more is asked than there are answers"),
        }
    }

    fn taken(&self, step: Option<(ThreadId, Location, u32)>, observed: Vec<Observed>) -> Taken<'_> {
        Taken {
            observed,
            step,
            made: &self.made,
            asked: &self.asked,
        }
    }
}

impl Choices for Given<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let value = self.answers.get(self.asked.len()).copied().unwrap_or(0);
        self.asked.push((*choice, value));
        value
    }

    fn made(&mut self, maker: ThreadId, at: Location, new: ThreadId) {
        // A region that was refused may have made the same thread before.
        self.made.retain(|(_, _, t)| *t < new);
        self.made.push((maker, at, new));
    }
}
