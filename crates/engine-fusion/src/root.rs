//! Where executions begin: at the start of the program, or behind a given beginning.
//!
//! A [`Beginning`] is executed once, instruction by instruction, with exactly its answers; the state behind it is the root of all searches
//! and walks. Nothing before it belongs to the trace, so nothing before it is ever reordered, and a data race needs two accesses behind it.
//! From the root on threads take the usual large steps: the first one of each begins wherever the thread stands, also before an
//! instruction that nobody could notice, and such a step conflicts with nothing.
//!
//! Whether sleepers could wake by themselves in the beginning is not recorded; it shows in whether the answers fit, so both are tried.

use crate::script::Script;
use crate::trace::Names;
use raddle_interp::choice::Zero;
use raddle_interp::thread::ThreadStatus;
use raddle_interp::{Choice, Choices, Config, End, Machine, Outcome, Snapshot, ThreadId};
use raddle_ir::{Location, Op, Program, Property};
use raddle_verdict::Beginning;

/// A state behind a beginning.
#[derive(Clone, Debug)]
pub struct Root {
    snapshot: Snapshot,
    names: Names,
}

impl Root {
    /// The state behind a beginning, or how the beginning differs from every execution of the program.
    pub fn behind(program: &Program, config: &Config, after: &Beginning) -> Result<Root, String> {
        let config = Config {
            footprints: true,
            output: false,
            ..config.clone()
        };
        let mut names = Names::new();
        let mut listen = |taken: Taken<'_>| {
            for (maker, _, new) in taken.made {
                names.add(*maker, *new);
            }
        };
        let machine = follow(program, &config, after, &mut listen)?;
        Ok(Root {
            snapshot: machine.snapshot(),
            names,
        })
    }
}

/// A machine where executions begin, and its threads. Only the start of the program asks anything.
pub(crate) fn begin<'p>(
    program: &'p Program,
    config: &Config,
    root: Option<&Root>,
    script: &mut Script<'_>,
) -> (Machine<'p>, Names) {
    if let Some(root) = root {
        let mut machine = Machine::new(program, config.clone(), &mut Zero);
        machine.restore(&root.snapshot);
        return (machine, root.names.clone());
    }
    let machine = Machine::new(program, config.clone(), script);
    let mut names = Names::new();
    for (maker, _, new) in &script.made {
        names.add(*maker, *new);
    }
    (machine, names)
}

/// A step of a beginning.
pub(crate) struct Taken<'a> {
    /// Who, at which instruction, and for the how manieth time, if that is counted; nobody before the first step.
    pub step: Option<(ThreadId, Location, u32)>,
    /// Threads that it made: by whom, where, and which.
    pub made: &'a [(ThreadId, Location, ThreadId)],
    /// What it asked, and the answers.
    pub asked: &'a [(Choice, u128)],
}

/// The machine behind a beginning; `listen` hears of every step. The configuration says how the run goes on from there.
pub(crate) fn follow<'p>(
    program: &'p Program,
    config: &Config,
    after: &Beginning,
    listen: &mut dyn FnMut(Taken<'_>),
) -> Result<Machine<'p>, String> {
    // Only somebody who waits with a time limit notices the difference.
    let fits = follow_once(program, config, after, true, &mut |_| {}).is_ok();
    let mut machine = follow_once(program, config, after, fits, listen)?;
    machine.config.single = false;
    machine.config.spurious_wakeups = config.spurious_wakeups;
    if machine.end().is_none() && config.checks.has(Property::NoDeadlock) {
        machine.look_for_deadlock();
    }
    Ok(machine)
}

fn follow_once<'p>(
    program: &'p Program,
    config: &Config,
    after: &Beginning,
    spurious_wakeups: bool,
    listen: &mut dyn FnMut(Taken<'_>),
) -> Result<Machine<'p>, String> {
    let config = Config {
        single: true,
        spurious_wakeups,
        ..config.clone()
    };
    let mut given = Given::new(&after.before);
    let mut machine = Machine::new(program, config, &mut given);
    given.check().map_err(|why| format!("at the start {why}"))?;
    listen(given.taken(None));
    for (n, (thread, answers)) in after.steps.iter().enumerate() {
        let fail = |why: &str| Err(format!("at step {} {why}", n + 1));
        match machine.end() {
            // Whatever would come later, every execution that begins like this has that violation.
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
            listen(given.taken(Some((thread, at, occurrence))));
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

    fn taken(&self, step: Option<(ThreadId, Location, u32)>) -> Taken<'_> {
        Taken {
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
        self.made.retain(|(_, _, t)| *t < new);
        self.made.push((maker, at, new));
    }
}
